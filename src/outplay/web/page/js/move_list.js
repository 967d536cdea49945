// The game so far: each move and outcome a button that goes back to just after it.

import { element } from "./element.js";
import { mark } from "./mark.js";

export class MoveList {
  #shown = "";

  constructor({ onGo }) {
    this.onGo = onGo;
    this.list = element("ol", { class: "move-list-items", "data-test": "move-list" });
    const step = (label, sign, where) =>
      element("button", { type: "button", class: "button step", "aria-label": label, text: sign, "data-test": `go-${where}`, on: { click: () => this.onGo(where) } });
    this.element = element(
      "section",
      { class: "panel move-list", "aria-label": "The game so far" },
      element("h2", { class: "legend", text: "The game so far" }),
      element("div", { class: "move-list-scroll" }, this.list),
      (this.buttons = element(
        "div",
        { class: "steps", role: "group", "aria-label": "Step through the game" },
        step("To the start", "⇤", "start"),
        step("One back", "←", "back"),
        step("One on", "→", "on"),
        step("To the end", "⇥", "end"),
      )),
    );
  }

  /** Show the moves of *past*; the one just before *ply* is where the board stands. */
  show(past, ply, players) {
    const active = document.activeElement;
    const inList = this.list.contains(active);
    const text = JSON.stringify(past);
    if (text !== this.#shown) {
      this.#shown = text;
      this.list.replaceChildren(this.#entry("start", 0), ...past.map((entry, index) => this.#entry(entry.name, index + 1, entry.turn, players)));
    }
    [...this.list.children].forEach((node, index) => {
      if (index === ply) node.firstChild.setAttribute("aria-current", "step");
      else node.firstChild.removeAttribute("aria-current");
      node.firstChild.tabIndex = index === ply ? 0 : -1; // one stop for Tab: the arrows step on from it
    });
    const current = this.list.children[ply];
    [...this.buttons.children].forEach((button, index) => (button.disabled = index < 2 ? ply === 0 : ply === past.length));
    const focused = inList || (this.buttons.contains(active) && active.disabled);
    if (focused) current?.firstChild.focus({ preventScroll: true });
    const scroll = this.list.parentElement;
    if (!current) return;
    scroll.scrollTop = current.offsetTop - scroll.clientHeight / 2; // not scrollIntoView: the page itself stays
    scroll.scrollLeft = current.offsetLeft + current.offsetWidth / 2 - scroll.clientWidth / 2;
  }

  #entry(name, ply, turn, players) {
    const who = turn === undefined ? "" : turn === -1 ? "chance: " : `${players[turn]}: `;
    return element(
      "li",
      {},
      element(
        "button",
        { type: "button", class: "move-list-move", "data-ply": ply, "aria-label": `${who}${name}`, on: { click: () => this.onGo(ply) } },
        turn === undefined ? null : mark(turn, players),
        element("span", { text: name }),
      ),
    );
  }
}
