// Solving an explicit tree by hand: leaves are given, and each step fills in one value, from the bottom up.

import { PassModel, aside } from "./models.js";
import { KINDS, Words } from "./narration.js";
import { Playback } from "./playback.js";

/** The steps of the server's solution. */
export class HandPlayback extends Playback {
  constructor(solved) {
    super(solved.nodes, { filled: false, best: false });
    for (const { text, index } of solved.steps) {
      const step = this.add(index, "leave", { text: text.replaceAll("-", "−") });
      this.change(step, index, { filled: true });
      if (index === 0) solved.nodes.forEach(({ best }, node) => best && this.change(step, node, { best }));
    }
    this.rewind();
  }
}

/** Its words: the server's, exact. */
export class HandNarration extends Words {
  step(at) {
    if (at < 0) return "The leaves are given. Step forward to work out the nodes above them.";
    const { text, node } = this.playback.steps[at];
    return node === 0 ? `${text}: the tree is solved.` : text;
  }

  place(index) {
    const { kind, name } = this.playback.nodes[index];
    return name && index ? `${KINDS[kind]} at ${this.name(index)}` : name ? `${KINDS[kind]} at “${name}”` : index ? KINDS[kind] : `${KINDS[kind]} at the root`;
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
    const { kind, value } = this.playback.nodes[node];
    const { filled, best } = this.playback.live[node];
    const done = kind === "leaf" || filled;
    const shown = done ? this.narration.say(value) : "";
    return {
      status: done ? "done" : "open",
      value: shown,
      window: "",
      tag: "",
      best,
      marks: "",
      label: `${this.narration.place(node)}${shown && `, value ${shown}`}`,
    };
  }

  facts(node) {
    return [["Value", this.look(node).value]];
  }
}
