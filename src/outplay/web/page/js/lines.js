// The best lines: the moves in the order of their values to whoever is to move, each with the play that is expected after it, until chance decides.

import { element } from "./element.js";
import * as format from "./format.js";

const SHOWN = 5;
const OUTCOMES = 24; // at a chance node, the likeliest first: nobody chooses, so all of them matter
const FIGURES = 8; // of a value that has its own column
const ROWS = 8; // that have room; further ones are scrolled to

/** Return whether one move is better than another to whoever acts; a move without a value is last. */
export function betterFor(turn) {
  return (one, other) => {
    if (other === null || other === undefined) return true;
    if (one === null || one === undefined) return false;
    return turn === 1 ? one < other : one > other;
  };
}

export class Lines {
  #shown = null;

  /** *onGo(choice, names)*: go along a line, a move and the names of those after it. */
  constructor({ onGo }) {
    this.onGo = onGo;
    this.element = element("ol", { class: "lines", "data-test": "best-lines" });
  }

  /** Keep room for the lines of a view, before they are known; none where none will come. */
  shape({ turn, choices, low, high }, on) {
    const rows = !on || turn === -2 ? 0 : turn === -1 ? Math.min(ROWS, choices.length) : Math.min(SHOWN, choices.length);
    this.element.style.setProperty("--rows", rows);
    this.element.classList.toggle("outcomes", turn === -1);
    const figures = Math.max(...[low, high].map((value) => format.value(value + 0.5, low, high).length));
    this.element.style.setProperty("--figures", Math.min(FIGURES, figures));
  }

  show(moves, view, best = null) {
    const { turn } = view;
    if (moves === this.#shown) return; // only the counts have gone on
    this.#shown = moves;
    const focused = [...this.element.children].findIndex((row) => row.contains(document.activeElement));
    const better = betterFor(turn);
    const known = moves.filter(({ value }) => value !== null && value !== undefined);
    if (turn < 0) known.sort((one, other) => other.probability - one.probability);
    else known.sort((one, other) => (one.value === other.value ? (other.choice === best) - (one.choice === best) : better(one.value, other.value) ? -1 : 1));
    const shown = known.slice(0, turn >= 0 ? SHOWN : OUTCOMES);
    this.element.replaceChildren(...shown.map((move, index) => this.#row(move, view, turn >= 0 && index === 0)));
    if (turn < 0 && moves.length > shown.length && known.length > OUTCOMES) this.element.append(element("li", { class: "faint", text: `${moves.length - shown.length} more` }));
    if (focused >= 0) this.element.children[focused]?.querySelector("button")?.focus({ preventScroll: true });
  }

  #row({ choice, name, value, depth, proven, undecided, length, line, then_chance: ends, probability }, view, best) {
    const chance = probability !== null && probability !== undefined;
    const step = (text, names, first) =>
      element("button", {
        type: "button",
        class: first ? "line-move first-move" : "line-move",
        tabindex: first ? null : -1, // whoever comes by keyboard goes along a line move by move
        text,
        on: { click: () => this.onGo(choice, names) },
      });
    return element(
      "li",
      { class: best && "best", "data-choice": choice },
      element("span", { class: "line-value numeric", text: undecided ? "?" : format.value(value, view.low, view.high) }),
      element("span", { class: "line-depth numeric", text: chance ? format.probability(probability) : length ? `in ${length} move${length > 1 ? "s" : ""}` : proven ? "proven" : `depth ${depth}`, title: proven ? "proven" : null }),
      element(
        "span",
        { class: "line-moves", title: [name, ...line].join(" ") },
        step(name, [], true),
        line.map((next, index) => step(next, line.slice(0, index + 1), false)),
        ends && element("span", { class: "line-end", role: "img", title: "then chance decides", "aria-label": "then chance decides", text: "…" }),
      ),
    );
  }
}
