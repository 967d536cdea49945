// Solving an explicit tree by hand: leaves are given, and each step fills in one value, from the bottom up.

import { PassModel, aside } from "./models.js";
import { childrenOf } from "./steps.js";

/** The steps, with the interface of a Story as far as stepping goes. */
export class HandStory {
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
export class HandTelling {
  constructor(story, say) {
    this.story = story;
    this.say = say;
  }

  step(at) {
    if (at < 0) return "The leaves are given. Step forward to work out the nodes above them.";
    const { text, node } = this.story.steps[at];
    return node === 0 ? `${text}: the tree is solved.` : text;
  }

  place(index) {
    const { kind, name } = this.story.nodes[index];
    const at = { max: "Max", min: "Min", chance: "Chance", leaf: "Leaf" }[kind];
    return name ? `${at} at “${name}”` : index ? at : `${at} at the root`;
  }
}

/** The tree as it is solved: its own faces, hung together as a search's. */
export class HandModel extends PassModel {
  face(node) {
    const { kind, name, value } = this.story.nodes[node];
    return {
      kind,
      name,
      chance: aside(this.story.nodes[node]),
      never: false,
      minor: false,
      room: { value: this.telling.say(value).length, window: 0, tag: 0 },
    };
  }

  look(node) {
    const { kind, value, best } = this.story.nodes[node];
    const done = kind === "leaf" || this.story.filled.has(node);
    const shown = done ? this.telling.say(value) : "";
    return {
      status: done ? "done" : "open",
      value: shown,
      window: "",
      tag: "",
      best: best && this.story.filled.has(0),
      marks: "",
      label: `${this.telling.place(node)}${shown && `, value ${shown}`}`,
    };
  }
}
