// The rules of a game, and what a room's words and keys mean, folded away for those who know.

import { element } from "./element.js";

/** Return an explanation under *title*: pairs of a term and what it means. */
export function help(title, pairs) {
  return element(
    "details",
    { class: "panel help", "data-test": "help" },
    element("summary", { text: title }),
    element("dl", {}, pairs.flatMap(([term, meaning]) => [element("dt", { text: term }), element("dd", { text: meaning })])),
  );
}

/** The rules of a game in words, folded. */
export class Rules {
  constructor() {
    this.text = element("p", { "data-test": "rules-text" });
    this.element = element("details", { class: "rules", "data-test": "rules", hidden: true }, element("summary", { text: "Rules" }), this.text);
  }

  /** Show the rules *text*; nothing where it only repeats what stands above, *about*. */
  show(text, about = "") {
    this.text.textContent = text;
    this.element.hidden = !text || text.trim() === about.trim();
  }
}
