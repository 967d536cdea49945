// The branches of one node of a Monte Carlo search, side by side: the numbers by which it chooses, or else what is known of them.

import { element, write } from "./element.js";
import { MINUS, shareOf } from "./narration.js";

const MOST = 9; // rows; if there are more branches, one row less and a note
const WHY = { untried: ["∞", "without a visit: it comes first"], worse: ["—", "it cannot be better than a move that is proven"], proven: ["", "proven: the score is the value"] };

export class ChoiceTable {
  constructor() {
    this.title = element("h2", { "data-test": "choices-title" });
    this.head = element("tr");
    this.body = element("tbody");
    this.note = element("p", { class: "faint note" });
    this.element = element("section", { class: "panel choices", "aria-label": "The branches of a node", hidden: true }, this.title, element("table", { "data-test": "choices" }, element("thead", {}, this.head), this.body), this.note);
  }

  /** Show the branches of *node*, as *step* chose among them if it did. */
  show(playback, narration, node, step) {
    const selection = step?.kind === "select" && step.selection.node === node ? step.selection : null;
    const { kind } = playback.nodes[node];
    const chance = kind === "chance";
    const scored = selection && !chance;
    write(this.title, `${scored ? `${playback.found.rule} at` : "Branches of"} ${narration.name(node)}`);
    const last = chance ? ["Chance", ""] : scored ? [kind === "max" ? "+ bonus" : `${MINUS} bonus`, "= score"] : ["at least", "at most"];
    this.head.replaceChildren(...[chance ? "Outcome" : "Branch", "visits", "mean", ...last].map((text) => element("th", { scope: "col", text })));
    const children = playback.children[node].filter((child) => child < playback.size);
    const options = new Map((scored ? selection.options : []).map((option) => [option.node, option]));
    const shown = new Set([...children].sort((one, other) => (other === selection?.chosen) - (one === selection?.chosen) || playback.live[other].visits - playback.live[one].visits).slice(0, children.length > MOST ? MOST - 1 : MOST));
    this.body.replaceChildren(...children.filter((child) => shown.has(child)).map((child) => this.#row(child, playback, narration, { chance, scored, chosen: selection?.chosen, option: options.get(child) })));
    const more = children.length - shown.size;
    write(this.note, !children.length ? "It has none yet." : more ? `and ${more} more` : "");
  }

  #row(child, playback, narration, { chance, scored, chosen, option }) {
    const live = playback.live[child];
    const { visits, mean, bonus, score, standing } = option ?? { ...live, standing: "untried" };
    const [none, why] = (scored && WHY[standing]) || ["", null];
    const number = (value) => (typeof value === "number" ? narration.about(value, { padded: true }) : "");
    const last = chance ? [shareOf(playback.nodes[child]), ""] : scored ? [number(bonus), score === null || score === undefined ? none : number(score)] : [live.lower, live.upper].map(narration.say);
    return element(
      "tr",
      { class: `standing-${scored ? standing : "open"}`, title: why, "aria-current": child === chosen ? "true" : null, "data-node": child },
      element("th", { scope: "row", text: narration.own(child).replace(/^“(.*)”$/s, "$1") }),
      [visits, number(mean), ...last].map((text) => element("td", { class: "numeric", text })),
    );
  }
}
