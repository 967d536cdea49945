// One node, looked at closely: its position, what led there, and what is known of it.

import { element, write } from "./element.js";
import { picture } from "./picture.js";

const WAIT = 120; // milliseconds that a node must stay: a run would ask for every picture
const KEPT = 400;
const LONGEST = 32; // letters of a path

/** Return the choices that lead to a node; of many the last. */
function shortened(names) {
  const shown = [...names];
  while (shown.length > 1 && shown.join(" → ").length > LONGEST) shown.shift();
  return (shown.length < names.length ? "… → " : "") + shown.join(" → ");
}

export class NodeDetails {
  #pictures = new Map(); // place -> svg text
  #timer = null;

  constructor({ onFold }) {
    this.title = element("h2", { "data-test": "node-title" });
    this.path = element("p", { class: "faint", "data-test": "node-path" });
    this.picture = element("div", { class: "node-picture", "data-test": "node-picture" });
    this.facts = element("dl", { class: "facts", "data-test": "node-facts" });
    this.fold = element("button", { type: "button", class: "button", "data-test": "fold", on: { click: () => onFold() } });
    this.element = element(
      "section",
      { class: "panel node-details", "aria-label": "The node" },
      element("div", { class: "node-details-head" }, this.title, this.fold),
      this.picture,
      element("div", { class: "node-details-words" }, this.path, this.facts),
    );
  }

  /** *ask(path)*: a promise of the SVG text of the position that a path leads to; null: there are no positions. *key*: what they are positions of. */
  source(key, ask) {
    clearTimeout(this.#timer);
    if (key !== this.key) this.#pictures.clear();
    this.key = key;
    this.ask = ask;
    this.picture.hidden = !ask;
    this.picture.replaceChildren();
    this.shown = null;
  }

  /** Show a node. *names* and *path*: the choices that lead to it; *facts*: pairs of a term and what is known. */
  show({ title, names, path, facts, foldable, folded }) {
    write(this.title, title);
    write(this.path, names.length ? shortened(names) : "where the search begins");
    this.path.title = names.join(" → ");
    this.facts.replaceChildren(...facts.filter(([, text]) => text).flatMap(([term, text]) => [element("dt", { text: term }), element("dd", { text })]));
    write(this.fold, folded ? "Unfold (f)" : "Fold (f)");
    this.fold.disabled = !foldable;
    if (this.ask) this.#show(path);
  }

  #show(path) {
    const place = path.join(".");
    if (this.shown === place) return;
    this.shown = place;
    clearTimeout(this.#timer);
    if (this.#pictures.has(place)) return this.#put(place);
    this.#timer = setTimeout(async () => {
      const { key } = this;
      const svg = await this.ask(path).catch(() => "");
      if (key !== this.key) return;
      if (this.#pictures.size >= KEPT) this.#pictures.clear();
      this.#pictures.set(place, svg);
      if (this.shown === place) this.#put(place);
    }, WAIT);
  }

  #put(place) {
    this.picture.replaceChildren(picture(this.#pictures.get(place)) ?? "");
  }
}
