// The tree as nested lists, for those who would rather read it, or have it read to them.

import { element } from "./element.js";

const MOST = 600; // lines: a longer outline helps nobody

export class Outline {
  constructor() {
    this.list = element("div", { class: "outline", "data-test": "outline" });
    this.element = element("details", { class: "panel", on: { toggle: () => this.#draw() } }, element("summary", { text: "The tree as text" }), this.list);
  }

  show(model, current) {
    this.model = model;
    this.current = current;
    this.#draw();
  }

  #draw() {
    if (!this.element.open || !this.model) return;
    const { model } = this;
    const items = new Map();
    const shown = model.order.slice(0, MOST);
    for (const node of shown) {
      const { label, status } = model.look(node);
      const current = node === this.current;
      const item = element("li", { class: status, "aria-current": current ? "step" : null }, label);
      items.set(node, item);
      const parent = items.get(model.parent(node));
      if (!parent) continue;
      if (!parent.lastElementChild) parent.append(element("ul"));
      parent.lastElementChild.append(item);
    }
    const rest = model.order.length - shown.length;
    this.list.replaceChildren(element("ul", {}, items.get(shown[0])), rest ? element("p", { class: "faint", text: `and ${rest.toLocaleString("en")} more nodes` }) : "");
  }
}
