// A board to click, or to walk with the keys. An element of the picture that carries data-moves="3 17 22" takes part in these
// moves; each click keeps the moves that the element shares with those chosen before, and the last one left is played.

import { element, svgElement } from "./element.js";
import { bestMark, lastMark, listing, moveMark, placeOf } from "./marks.js";
import { picture, sizeOf } from "./picture.js";

const LETTERS = 1.6; // pixels a unit, at the most, where a picture is only text
const EDGE = 0.8; // the size of a label that must make way
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Return how much smaller labels must be, lest neighbours within *height* of each other overlap; never so small as not to be read. */
function fitting(labels, height) {
  let scale = 1;
  for (const [index, one] of labels.entries()) {
    for (const other of labels.slice(index + 1)) {
      const apart = Math.abs(one.x - other.x);
      if (Math.abs(one.y - other.y) < height && apart > 0.5) scale = Math.min(scale, (0.97 * 2 * apart) / (one.width + other.width));
    }
  }
  return Math.max(0.66, scale);
}

export class Board {
  #svg = null;
  #base = [1, 1]; // the size of the picture that the frame is made for
  #targets = []; // {node, moves: Set, x, y}
  #names = new Map(); // choice -> name
  #chosen = []; // the targets clicked so far
  #labels = null; // {of: Map choice -> {text, kind}, better(a, b)}
  #words = null; // the places of the picture's texts, once labels must keep clear of them
  #lastFocus = null; // {x, y} of the target that the keyboard left

  /** *onMove(choice)*: a move is complete. *onNarrow(moves | null)*: the moves still open, null for all. */
  constructor({ onMove, onNarrow = () => {} }) {
    this.onMove = onMove;
    this.onNarrow = onNarrow;
    this.directed = false; // whether the arrows are moves, not steps from place to place
    this.element = element("div", {
      class: "board-frame",
      "data-test": "board",
      tabindex: "-1",
      on: { click: (event) => this.#click(event), keydown: (event) => this.#key(event) },
    });
  }

  /** Give the frame the proportions of a view's picture; once a game, for a frame that changes makes the page jump. */
  shape(view) {
    const [width, height] = sizeOf(picture(view.svg));
    this.#base = [width, height];
    this.element.style.setProperty("--ratio", Math.min(4, Math.max(0.75, width / height)).toFixed(4));
    this.element.style.setProperty("--most", view.drawn ? "none" : `${Math.round(LETTERS * width)}px`);
  }

  /** Pictures of text differ in size from state to state; their letters do not. */
  #scale() {
    const [width, height] = sizeOf(this.#svg);
    const share = Math.max(1, width / this.#base[0], height / this.#base[1]);
    this.#svg.style.setProperty("width", `${(100 * width) / this.#base[0] / share}%`);
    this.#svg.style.setProperty("height", `${(100 * height) / this.#base[1] / share}%`);
  }

  /** Say that the board still shows the position before. */
  busy() {
    this.element.setAttribute("aria-busy", "true");
  }

  /** Show a view's picture; with *playable*, its legal moves can be clicked. */
  show(view, { playable = false } = {}) {
    this.element.removeAttribute("aria-busy");
    const focused = this.element.contains(document.activeElement);
    const byKeys = focused && document.activeElement.matches?.(":focus-visible");
    this.#svg = picture(view.svg) ?? svgElement("svg", { viewBox: "0 0 1 1", role: "img", "aria-label": view.text });
    this.#names = new Map(view.choices.map(({ choice, name }) => [choice, name]));
    this.#chosen = [];
    this.#labels = null;
    this.#words = null;
    this.element.replaceChildren(this.#svg);
    if (!view.drawn) this.#scale();
    this.element.classList.toggle("playable", playable);
    this.#targets = playable ? this.#found() : [];
    if (this.#targets.length) this.#svg.setAttribute("role", "group"); // role="img" would hide the buttons inside
    this.#mark();
    if (focused) this.#focusAgain(byKeys);
  }

  /** Show nothing. */
  empty() {
    this.#svg = this.#labels = null;
    this.#targets = this.#chosen = [];
    this.#names = new Map();
    this.element.replaceChildren();
    this.element.removeAttribute("aria-busy");
  }

  get hasTargets() {
    return this.#targets.length > 0;
  }

  #found() {
    const all = [...this.#svg.querySelectorAll("[data-moves]")];
    const hits = all.filter((node) => node.classList.contains("hit"));
    const targets = [];
    for (const node of hits.length ? hits : all) {
      const moves = new Set(node.dataset.moves.split(/\s+/).filter(Boolean).map(Number));
      for (const move of moves) if (!this.#names.has(move)) moves.delete(move);
      if (!moves.size) continue;
      node.classList.add("target");
      targets.push({ node, moves, said: node.dataset.label, ...placeOf(node) });
    }
    return targets;
  }

  // 1. Choosing.

  /** Return the moves that the targets clicked so far leave open. */
  #open() {
    const all = [...this.#names.keys()];
    return this.#chosen.length ? all.filter((move) => this.#chosen.every(({ moves }) => moves.has(move))) : all;
  }

  #mark() {
    const open = new Set(this.#open());
    for (const target of this.#targets) {
      const left = [...target.moves].filter((move) => open.has(move));
      const chosen = this.#chosen.includes(target);
      const { node } = target;
      node.classList.toggle("chosen", chosen);
      node.classList.toggle("open", this.#chosen.length > 0 && !chosen && left.length > 0);
      node.setAttribute("role", "button");
      node.setAttribute("tabindex", chosen || left.length ? "0" : "-1");
      node.setAttribute("aria-pressed", String(chosen));
      node.setAttribute("aria-label", this.#said(target, left));
    }
    this.#drawLabels();
  }

  #said({ moves, said }, left) {
    if (said) return said;
    const names = (left.length ? left : [...moves]).map((move) => this.#names.get(move));
    const some = names.slice(0, 4).join(", ");
    return names.length > 4 ? `${some} and ${names.length - 4} more` : some;
  }

  #choose(target) {
    if (this.#chosen.includes(target)) return this.clear();
    const open = this.#open().filter((move) => target.moves.has(move));
    // A target apart from what is chosen starts afresh: another man is picked up.
    this.#chosen = open.length ? [...this.#chosen, target] : [target];
    const left = this.#open();
    if (left.length === 1) {
      this.#lastFocus = { x: target.x, y: target.y };
      return this.onMove(left[0]);
    }
    this.#mark();
    this.onNarrow(left);
  }

  /** Forget what is chosen. */
  clear() {
    if (!this.#chosen.length) return;
    this.#chosen = [];
    this.#mark();
    this.onNarrow(null);
  }

  #targetOf(node) {
    return this.#targets.find((target) => target.node === node || target.node.contains(node));
  }

  #click(event) {
    const target = this.#targetOf(event.target);
    if (target) this.#choose(target);
    else this.clear();
  }

  // 2. Keys.

  #key(event) {
    const target = this.#targetOf(event.target);
    if (event.key === "Escape" && (this.#chosen.length || target)) {
      if (this.#chosen.length) this.clear();
      else this.element.focus(); // the arrows belong to the game's past again
      event.preventDefault();
    } else if (!target || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.#choose(target);
    } else if (event.key in ARROWS && !this.directed) {
      event.preventDefault();
      event.stopPropagation();
      this.#nearest(target, ARROWS[event.key])?.node.focus();
    }
  }

  /** Return the target that lies nearest in a direction; what lies aside counts double. */
  #nearest(from, [right, down]) {
    let best = null;
    let least = Infinity;
    for (const target of this.#targets) {
      const ahead = (target.x - from.x) * right + (target.y - from.y) * down;
      const aside = Math.abs((target.x - from.x) * down) + Math.abs((target.y - from.y) * right);
      const away = ahead + 2 * aside;
      if (ahead > 0.5 && ahead >= aside / 2 && away < least && target.node.getAttribute("tabindex") === "0") [best, least] = [target, away];
    }
    return best;
  }

  /** A new picture took the focus away: give it to the nearest target, or to the frame until there are targets. */
  #focusAgain(byKeys) {
    if (!this.#targets.length || !byKeys) return this.element.focus({ preventScroll: true });
    const { x, y } = this.#lastFocus ?? this.#targets[0];
    const away = (target) => Math.hypot(target.x - x, target.y - y);
    const nearest = this.#targets.reduce((best, target) => (away(target) < away(best) ? target : best));
    nearest.node.focus({ preventScroll: true });
  }

  /** Mark what was played last: *choice*, called *name*, in the view *before*. */
  markLast(before, choice, name) {
    if (!this.#svg || this.#svg.querySelector(":scope > .last-move")) return;
    const mark = this.#measured(before, (old) => lastMark(old, this.#svg, choice, name));
    if (mark) this.#svg.insertBefore(mark, this.#svg.querySelector(".hit, :scope > .labels"));
  }

  /** Ring the places of a move, by the view *after* it where the picture does not say them; null: of none. Return whether they are known. */
  point(choice, after = null) {
    this.#svg?.querySelector(":scope > .pointed")?.remove();
    if (choice === null || !this.#svg) return true;
    const mark = after ? this.#measured(after, (next) => moveMark(this.#svg, choice, next)) : moveMark(this.#svg, choice);
    if (mark) this.#svg.append(mark);
    return Boolean(mark);
  }

  /** Return what *use* makes of another view's picture, which is laid out to be measured, never seen. */
  #measured({ svg }, use) {
    const other = picture(svg);
    if (!other) return null;
    other.classList.add("measured");
    this.element.append(other);
    const made = use(other);
    other.remove();
    return made;
  }

  // 3. Labels: a value beside each move.

  /** Put labels on the board: *of* maps a choice to {text, kind}; where moves share a place, *better(a, b)* says whose label stands. *best*: the move to mark. */
  label(of, better = () => false, best = null) {
    this.#labels = of.size ? { of, better, best } : null;
    this.#drawLabels();
  }

  #anchors(choice) {
    const all = listing(this.#svg, choice);
    const anchored = all.filter((node) => node.hasAttribute("data-anchor"));
    return anchored.length ? anchored : all;
  }

  /** Return where a label goes: the middle of its place, or, smaller, the right of its upper edge where the middle is written on. */
  #clearOfWords({ x, y, right, top }, width, unit) {
    const over = ({ left, right: end, top: above, bottom }) => x + width / 2 > left && x - width / 2 < end && y + 8 * unit > above && y - 8 * unit < bottom;
    return this.#words.some(over) ? { x: right - (EDGE * width) / 2, y: top, width: EDGE * width, size: EDGE } : { x, y, width, size: 1 };
  }

  #drawLabels() {
    this.#svg?.querySelector(":scope > .labels")?.remove();
    if (!this.#labels) return;
    const open = new Set(this.#open());
    const at = new Map(); // node -> choice: one label a place
    for (const choice of this.#labels.of.keys()) {
      if (!open.has(choice)) continue;
      const nodes = this.#anchors(choice).sort((one, other) => placeOf(one).area - placeOf(other).area);
      if (!nodes.length) continue;
      const held = at.get(nodes[0]);
      if (held === undefined || this.#labels.better(choice, held)) at.set(nodes[0], choice);
    }
    const unit = Math.max(...sizeOf(this.#svg)) / 360;
    this.#words ??= [...this.#svg.querySelectorAll("text:not(.faint)")].map((node) => placeOf(node));
    const placed = [...at].map(([node, choice]) => {
      const { text, kind } = this.#labels.of.get(choice);
      const width = (text.length * 8 + 9) * unit;
      return { ...this.#clearOfWords(placeOf(node), width, unit), choice, text, kind };
    });
    const scale = fitting(placed, 22 * unit);
    const { best } = this.#labels;
    const layer = svgElement("g", { class: "labels", "aria-hidden": "true" }, open.has(best) && bestMark(this.#svg, best, this.#names.get(best)));
    for (const { x, y, choice, text, kind, width, size: own } of placed) {
      const [half, high, size] = [width / 2, 10 * unit * own, 13 * unit * own].map((length) => length * scale);
      layer.append(
        svgElement(
          "g",
          { class: `label ${kind}`, "data-choice": choice },
          svgElement("rect", { x: x - half, y: y - high, width: 2 * half, height: 2 * high, rx: 4 * unit }),
          svgElement("text", { x, y: y + 0.355 * size, "font-size": size, "text-anchor": "middle", text }),
        ),
      );
    }
    this.#svg.append(layer);
  }
}
