// The legal moves as buttons, and a field to type one: every game can be played so, drawn or not.

import { element, write } from "./element.js";
import * as format from "./format.js";

const FEW = 12; // so many stand open beside a drawn board
const LONG = 12; // letters: such names stand one a row

export class Moves {
  #view = null;
  #playable = false;
  #game = null;
  #held = null; // where the keyboard was when the buttons went away: in the field, or on a button by its index

  /** *valued*: the buttons keep room for a value, so that nothing moves when it comes. *onPoint(choice | null)*: the button under the pointer or the keyboard. */
  constructor({ onMove, onPoint, valued = false }) {
    this.onMove = onMove;
    this.onPoint = onPoint;
    this.valued = valued;
    this.field = element("input", {
      class: "field",
      "data-test": "move-field",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      "aria-label": "Move, by its name",
      on: { keydown: (event) => event.key === "Escape" && this.#leave(), input: () => write(this.error, "") },
    });
    this.error = element("p", { class: "error", role: "alert", "data-test": "move-error" });
    this.title = element("span", { text: "Legal moves" });
    this.count = element("span", { class: "faint numeric" });
    this.list = element("div", { class: valued ? "legal valued" : "legal", "data-test": "legal" });
    this.details = element("details", {}, element("summary", {}, this.title, this.count), this.list);
    this.element = element(
      "section",
      { class: "panel moves", "aria-label": "Legal moves" },
      element(
        "form",
        { class: "typed", on: { submit: (event) => this.#typed(event) } },
        this.field,
        (this.submit = element("button", { class: "button", text: "Play it", "data-test": "move-play" })),
      ),
      this.error,
      this.details,
    );
  }

  show(view, { playable }) {
    const chance = view.turn === -1;
    this.#hold();
    this.#view = view;
    this.#playable = playable;
    this.element.hidden = view.turn === -2;
    this.field.disabled = this.submit.disabled = !playable;
    this.field.placeholder = view.choices.length ? `such as ${view.choices[0].name}` : "";
    this.field.value = "";
    write(this.error, "");
    write(this.title, chance ? "Outcomes" : "Legal moves");
    write(this.count, String(view.choices.length));
    if (this.#game !== view.game) this.details.open = !view.drawn || view.choices.length <= FEW;
    this.#game = view.game;
    this.list.classList.toggle("long", view.choices.some(({ name }) => name.length > LONG));
    this.list.replaceChildren(...view.choices.map((choice) => this.#button(choice)));
    if (playable) this.#giveBack();
  }

  /** Remember where the keyboard is, for whoever plays by it goes on there; who went elsewhere is left there. */
  #hold() {
    const active = document.activeElement;
    if (active === this.field || this.list.contains(active)) this.#held = active === this.field ? active : [...this.list.children].indexOf(active);
    else if (active !== document.body) this.#held = null;
  }

  #giveBack() {
    const held = this.#held;
    this.#held = null;
    if (held === null) return;
    (held === this.field ? held : this.list.children[Math.min(held, this.list.children.length - 1)]).focus({ preventScroll: true });
  }

  #button({ choice, name, probability }) {
    return element(
      "button",
      {
        type: "button",
        class: "move",
        "data-test": `move-${choice}`,
        "data-choice": choice,
        disabled: !this.#playable,
        on: {
          click: () => this.onMove(choice),
          pointerenter: () => this.onPoint(choice),
          pointerleave: () => this.onPoint(null),
          focus: ({ target }) => target.matches(":focus-visible") && this.onPoint(choice),
          blur: () => this.onPoint(null),
        },
      },
      element("span", { text: name }),
      probability === null || probability === undefined
        ? null
        : element("small", { class: "numeric", text: format.probability(probability) }),
      this.valued ? element("small", { class: "move-value numeric" }) : null,
    );
  }

  /** Show only the moves that a half-made choice on the board leaves open; null shows all. */
  narrow(moves) {
    const open = moves && new Set(moves);
    for (const button of this.list.children) button.hidden = open !== null && !open.has(Number(button.dataset.choice));
    const all = this.list.children.length;
    write(this.count, open ? `${open.size} of ${all}` : String(all));
    if (open) this.details.open = true;
  }

  /** Write a value on each button: a map of choice to {text, kind}. */
  label(of) {
    for (const button of this.list.children) {
      const label = of.get(Number(button.dataset.choice));
      const node = button.querySelector(".move-value");
      if (node) write(node, label?.text ?? "");
      button.classList.toggle("best", label?.kind === "best" || label?.kind === "hint");
    }
  }

  #typed(event) {
    event.preventDefault();
    const wanted = this.field.value.trim().toLowerCase();
    if (!this.#playable || !wanted) return;
    const named = (test) => this.#view.choices.filter(({ name }) => test(name.toLowerCase()));
    const exact = named((name) => name === wanted);
    const found = exact.length ? exact : named((name) => name.startsWith(wanted));
    if (found.length === 1) return this.onMove(found[0].choice);
    const some = (found.length ? found : this.#view.choices).slice(0, 6).map(({ name }) => name);
    const problem = found.length ? "may mean several moves" : "is not a legal move here. Legal moves";
    write(this.error, `“${wanted}” ${problem}: ${some.join(", ")}${some.length < (found.length || this.#view.choices.length) ? " …" : ""}`);
  }

  /** Play the move of that name if there is one. */
  playNamed(name) {
    const found = this.#playable && this.#view.choices.find((choice) => choice.name.toLowerCase() === name);
    if (found) this.onMove(found.choice);
  }

  #leave() {
    this.field.value = "";
    this.field.blur();
  }
}
