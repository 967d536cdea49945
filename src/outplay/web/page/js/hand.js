// Solving an explicit tree by hand: leaves are given, and each step fills in one value, from the bottom up.

import { PassModel, aside } from "./models.js";
import { childrenOf } from "./playback.js";

/** The steps, with the interface of a Playback as far as stepping goes. */
export class HandPlayback {
  constructor(solved) {
    this.nodes = solved.nodes;
    this.children = childrenOf(solved.nodes);
    this.steps = solved.steps.map(({ text, index }) => ({ node: index, text: text.replaceAll("-", "−"), kind: "leave" }));
    this.passes = [{ depth: 0, root: 0, first: 0, last: this.steps.length - 1 }];
    this.pass = 0;
    this.at = 0;
    this.filled = new Set();
  }

  go(step) {
    const changed = new Set();
    const wanted = Math.max(0, Math.min(this.steps.length, step));
    while (this.at < wanted) changed.add(this.steps[this.at++].node);
    while (this.at > wanted) changed.add(this.steps[--this.at].node);
    this.filled = new Set(this.steps.slice(0, this.at).map(({ node }) => node));
    if (changed.has(0)) this.nodes.forEach(({ best }, index) => best && changed.add(index));
    return changed;
  }

  below() {
    return this.nodes.map((_, index) => index);
  }
}

/** Its words: the server's, exact. */
export class HandNarration {
  constructor(playback, say) {
    this.playback = playback;
    this.say = say;
  }

  step(at) {
    if (at < 0) return "The leaves are given. Step forward to work out the nodes above them.";
    const { text, node } = this.playback.steps[at];
    return node === 0 ? `${text}: the tree is solved.` : text;
  }

  place(index) {
    const { kind, name } = this.playback.nodes[index];
    const at = { max: "Max", min: "Min", chance: "Chance", leaf: "Leaf" }[kind];
    return name ? `${at} at “${name}”` : index ? at : `${at} at the root`;
  }
}

/** The tree as it is solved: its own faces, hung together as a search's. */
export class HandModel extends PassModel {
  face(node) {
    const { kind, name, value } = this.playback.nodes[node];
    return {
      kind,
      name,
      chance: aside(this.playback.nodes[node]),
      never: false,
      minor: false,
      room: { value: this.narration.say(value).length, window: 0, tag: 0 },
    };
  }

  look(node) {
    const { kind, value, best } = this.playback.nodes[node];
    const done = kind === "leaf" || this.playback.filled.has(node);
    const shown = done ? this.narration.say(value) : "";
    return {
      status: done ? "done" : "open",
      value: shown,
      window: "",
      tag: "",
      best: best && this.playback.filled.has(0),
      marks: "",
      label: `${this.narration.place(node)}${shown && `, value ${shown}`}`,
    };
  }
}
