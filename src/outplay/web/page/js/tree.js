// A searched tree as SVG: drawn in one pass; a step then touches only the nodes that it changes.
//
//      4            the choice that leads here, with its probability
//   [-1, 2]         the window
//     /3\           the shape, with the value: up for max, down for min, a circle for chance, a square for a leaf
//    / | \

import { svgElement } from "./element.js";
import { tidy } from "./tidy.js";

const NAME = 15; // heights
const WINDOW = 15;
const SHAPE = 42;
const HANDLE = 12;
const FAN = [30, 0.07, 150]; // between a shape and the names below: at least, by the width of the widest fan, at most
const MARGIN = 18;
const LETTER = { name: 8.4, window: 7, tag: 7 }; // widths
const VALUE = [[4, 10.5], [6, 8.4], [Infinity, 6.8]]; // up to so many letters, each as wide: a long value is written smaller
const APART = 14; // between neighbours
const MANY = 200; // a tree of more nodes is drawn closer, and what was never visited smaller
const CLOSE = 7;
const MINOR = 0.5;
const HALO = 9;
const LONGEST_NAME = 18;
const NOTHING = { state: null, value: "", window: "", tag: "", label: null }; // as a node is first drawn

/** Return the shape of a kind of node in which a value of so many letters has room; *size*: 1, or smaller. */
function shapeOf(kind, letters, size) {
  const text = letters * VALUE.find(([most]) => letters <= most)[1];
  if (kind === "max" || kind === "min") {
    // The value stands where a triangle is three fifths of its width.
    const half = Math.ceil(Math.max(25 * size, text / 1.2 + 3));
    const tall = 21 * size;
    return kind === "max" ? { path: `M0 ${-tall} ${half} ${tall}H${-half}Z`, half, value: 16, bottom: tall } : { path: `M${-half} ${-tall}H${half}L0 ${tall}Z`, half, value: -5, bottom: tall };
  }
  if (kind === "leaf") {
    const half = Math.ceil(Math.max(16 * size, text / 2 + 4));
    return { path: `M${-half} ${-14 * size}H${half}V${14 * size}H${-half}Z`, half, value: 4.5, bottom: 14 * size };
  }
  const tall = (kind === "chance" ? 21 : 15) * size;
  const half = Math.ceil(Math.max(tall, text / 2 + 3));
  return { path: `M${-half} 0a${half} ${tall} 0 1 0 ${2 * half} 0a${half} ${tall} 0 1 0 ${-2 * half} 0Z`, half, value: 5, bottom: tall };
}

function short(name) {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name;
}

/**
 * A tree on screen. The model says what there is:
 * `order` the nodes, parents first; `children(node)`; `face(node)`, which never changes: {kind, name, chance, never, minor, question, room},
 * where minor says that it was never visited, question that it is a place to answer with, and room how many letters of value, window and tag it may come to show; `look(node)`, how it is now:
 * {status, value, window, tag, label, best, marks}.
 */
export class Tree {
  constructor(model, { onSelect, onFold }) {
    this.model = model;
    this.folded = new Set();
    this.selected = null;
    this.current = null;
    this.edges = svgElement("g", { class: "edges", role: "presentation" });
    this.groups = svgElement("g", { class: "nodes", role: "presentation" });
    this.halo = svgElement("ellipse", { class: "halo", ry: 27, visibility: "hidden" });
    this.handle = svgElement("g", { class: "handle", visibility: "hidden" }, svgElement("circle", { r: 9 }), svgElement("path", { d: "M-4 0H4" }));
    this.svg = svgElement("svg", { class: "tree", role: "tree", tabindex: 0, "data-test": "trace-svg" }, this.edges, this.halo, this.groups, this.handle);
    this.handle.addEventListener("click", (event) => {
      event.stopPropagation();
      onFold(this.selected);
    });
    this.groups.addEventListener("click", ({ target }) => {
      const group = target.closest("[data-node]");
      if (!group) return;
      const node = Number(group.dataset.node);
      if (target.closest(".plus")) onFold(node);
      else onSelect(node);
    });
    this.groups.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      onSelect(Number(event.target.dataset.node));
    });
    this.draw();
  }

  /** The nodes that are not folded away. */
  #shown() {
    const shown = [];
    const hidden = new Set();
    for (const node of this.model.order) {
      const away = hidden.has(node);
      if (!away) shown.push(node);
      if (away || this.folded.has(node)) for (const child of this.model.children(node)) hidden.add(child);
    }
    return shown;
  }

  /** Lay the tree out and draw it anew. */
  draw() {
    const { model } = this;
    this.order = this.#shown();
    const children = (node) => (this.folded.has(node) ? [] : model.children(node));
    this.crowded = this.order.length > MANY;
    this.faces = new Map(this.order.map((node) => [node, this.#face(node)]));
    const { xs, width } = tidy(this.order, children, (node) => this.faces.get(node).reach, this.crowded ? CLOSE : APART);
    const rows = this.#rows(children, xs);
    this.width = Math.ceil(width + 2 * MARGIN);
    this.height = Math.ceil(rows.height + 2 * MARGIN);
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    this.parts = new Map();
    this.places = new Map();
    const edges = document.createDocumentFragment();
    const groups = document.createDocumentFragment();
    for (const node of this.order) {
      const y = rows.shape(node) + MARGIN;
      const place = { x: Math.round((xs.get(node) + MARGIN) * 10) / 10, y, top: rows.top(node) + MARGIN };
      place.lid = this.#lid(node, place);
      this.places.set(node, place);
      this.parts.set(node, { ...this.#group(node, place, rows.level(node)), ...this.#edge(node, place), shown: NOTHING });
      const parts = this.parts.get(node);
      groups.append(parts.group);
      if (parts.edge) edges.append(parts.edge);
    }
    this.edges.replaceChildren(edges);
    this.groups.replaceChildren(groups);
    for (const node of this.order) this.#show(node);
    this.mark(this.current);
    this.select(this.places.has(this.selected) ? this.selected : null);
  }

  #face(node) {
    const { kind, name, chance, never, minor, question, room } = this.model.face(node);
    const small = this.crowded && minor && !question;
    const shape = shapeOf(kind, small && room.value < 2 ? 0 : room.value, small ? MINOR : 1);
    const title = short(name);
    const header = Math.max((title.length + (chance ? chance.length + 1 : 0)) * LETTER.name, room.window * LETTER.window) / 2;
    const inner = this.model.children(node).length > 0;
    const tag = room.tag * LETTER.tag;
    const left = Math.max(shape.half, header, inner ? 0 : tag / 2);
    return { kind, shape, title, chance, never, question, inner, windowed: room.window > 0, reach: [left, Math.max(left, inner && tag ? shape.half + HALO + 2 + tag : 0)] };
  }

  /** How far the children of the root reach from it. */
  get fan() {
    const [root] = this.order;
    const { x } = this.places.get(root);
    return Math.max(0, ...this.model.children(root).filter((child) => this.places.has(child)).map((child) => Math.abs(this.places.get(child).x - x)));
  }

  /** Where each level stands: the wider its fans, the more room they get, so that edges do not lie flat. */
  #rows(children, xs) {
    const levels = new Map();
    const fans = [];
    const windows = [];
    const names = [];
    for (const node of this.order) {
      const level = levels.get(node) ?? 0;
      levels.set(node, level);
      const below = children(node);
      for (const child of below) levels.set(child, level + 1);
      const fan = below.length ? Math.max(xs.get(node) - xs.get(below[0]), xs.get(below[below.length - 1]) - xs.get(node)) : 0;
      fans[level] = Math.max(fans[level] ?? 0, fan);
      const { windowed, title, chance } = this.faces.get(node);
      windows[level] ||= windowed;
      names[level] ||= Boolean(title || chance);
    }
    const tops = [];
    const shapes = [];
    let y = 0;
    fans.forEach((fan, level) => {
      tops[level] = y;
      shapes[level] = y + (names[level] ? NAME : 0) + (windows[level] ? WINDOW : 0) + SHAPE / 2 + 3;
      y = shapes[level] + SHAPE / 2 + Math.min(FAN[2], Math.max(FAN[0], fan * FAN[1]));
    });
    return {
      height: shapes[shapes.length - 1] + SHAPE / 2 + HANDLE,
      level: (node) => levels.get(node),
      top: (node) => tops[levels.get(node)],
      shape: (node) => shapes[levels.get(node)],
    };
  }

  /** Where the edge to a node ends: over its name, its window, or its shape. */
  #lid(node, { y, top }) {
    const { shape, title, chance, windowed } = this.faces.get(node);
    if (title || chance) return top;
    return windowed ? y - SHAPE / 2 - WINDOW - 5 : y - shape.bottom;
  }

  #group(node, { x, y, top }, level) {
    const { kind, shape, title, chance, inner, question } = this.faces.get(node);
    const group = svgElement("g", { id: `node-${node}`, "data-node": node, transform: `translate(${x} ${y})`, role: "treeitem", "aria-level": level + 1 });
    if (question) {
      group.setAttribute("tabindex", 0);
      group.setAttribute("role", "button");
    }
    if (inner) group.setAttribute("aria-expanded", String(!this.folded.has(node)));
    const drawn = svgElement("path", { class: "shape", d: shape.path });
    const value = svgElement("text", { class: "value", y: shape.value });
    const half = Math.max(this.crowded ? shape.half : 20, shape.half);
    group.append(svgElement("rect", { class: "touch", x: -half, y: top - y, width: 2 * half, height: y - top + Math.max(20, shape.bottom) }), drawn, value);
    if (title || chance) {
      const name = svgElement("text", { class: "name", y: top - y + 12 });
      name.append(title);
      if (chance) name.append(svgElement("tspan", { class: "aside", dx: title ? 4 : 0, text: chance }));
      group.append(name);
    }
    if (this.folded.has(node)) {
      const count = this.#count(node);
      group.append(svgElement("g", { class: "plus" }, svgElement("rect", { x: -18, y: shape.bottom + 3, width: 36, height: 17, rx: 8.5 }), svgElement("text", { y: shape.bottom + 15.5, text: `+${count}` })));
    }
    return { group, value, kind };
  }

  #count(node) {
    let count = 0;
    const below = [...this.model.children(node)];
    while (below.length) {
      count += 1;
      below.push(...this.model.children(below.pop()));
    }
    return count;
  }

  #edge(node, place) {
    const parent = this.model.parent(node);
    const from = this.places.get(parent);
    if (!from) return {};
    const [x, y] = [from.x, from.y + this.faces.get(parent).shape.bottom];
    const edge = svgElement("g", {}, svgElement("path", { d: `M${x} ${y}L${place.x} ${place.lid}` }));
    if (this.faces.get(node).never) edge.append(svgElement("path", { class: "slash", d: slashes(x, y, place.x, place.lid) }));
    return { edge };
  }

  /** Show these nodes as they are now. */
  update(nodes) {
    for (const node of nodes) if (this.parts.has(node)) this.#show(node);
  }

  #show(node) {
    const parts = this.parts.get(node);
    const { shown } = parts;
    const { status, value, window, tag, label, best, marks } = this.model.look(node);
    const state = `${status}${best ? " best" : ""}${marks ? ` ${marks}` : ""}`;
    if (shown.state !== state) {
      parts.group.setAttribute("class", `node ${parts.kind} ${state}`);
      parts.edge?.setAttribute("class", `edge ${state}`);
    }
    if (shown.value !== value) {
      parts.value.textContent = value;
      if (value.length > 4) parts.value.dataset.long = value.length > 6 ? "very" : "";
      else delete parts.value.dataset.long;
    }
    if (shown.window !== window) {
      parts.window ??= parts.group.appendChild(svgElement("text", { class: "window", y: -SHAPE / 2 - 9 }));
      parts.window.textContent = window;
    }
    if (shown.tag !== tag) {
      const { shape, inner } = this.faces.get(node);
      parts.tag ??= parts.group.appendChild(svgElement("text", inner ? { class: "tag side", x: shape.half + HALO + 2, y: 5 } : { class: "tag", y: shape.bottom + 12 }));
      parts.tag.textContent = tag;
    }
    if (shown.label !== label) parts.group.setAttribute("aria-label", label);
    parts.shown = { state, value, window, tag, label };
  }

  /** Mark the node that the search is at; null: none. */
  mark(node) {
    this.parts.get(this.current)?.group.removeAttribute("aria-current");
    this.current = node;
    const at = this.visible(node);
    this.halo.setAttribute("visibility", at === null ? "hidden" : "visible");
    if (at === null) return;
    const { x, y } = this.places.get(at);
    this.halo.setAttribute("rx", this.faces.get(at).shape.half + HALO);
    this.halo.setAttribute("transform", `translate(${x} ${y})`);
    this.parts.get(at).group.setAttribute("aria-current", "step");
  }

  /** Return the node, or the folded one that holds it; null if there is none. */
  visible(node) {
    for (let at = node; at !== null && at >= 0; at = this.model.parent(at)) if (this.places.has(at)) return at;
    return null;
  }

  /** Select a node; null: none. */
  select(node) {
    this.parts.get(this.selected)?.group.removeAttribute("aria-selected");
    this.selected = node;
    const inner = node !== null && this.faces.get(node).inner && !this.folded.has(node);
    this.handle.setAttribute("visibility", inner ? "visible" : "hidden");
    if (node === null) return this.svg.removeAttribute("aria-activedescendant");
    this.parts.get(node).group.setAttribute("aria-selected", "true");
    this.svg.setAttribute("aria-activedescendant", `node-${node}`);
    const { x, y } = this.places.get(node);
    this.handle.setAttribute("transform", `translate(${x} ${y + this.faces.get(node).shape.bottom + 2})`);
  }

  /** Fold the subtree of a node, or unfold it. */
  fold(node) {
    if (!this.model.children(node).length) return;
    if (!this.folded.delete(node)) this.folded.add(node);
    this.draw();
  }
}

/** Two strokes across the line, where it has come most of its way. */
function slashes(x1, y1, x2, y2) {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const along = Math.max(length * 0.5, length - 40);
  let path = "";
  for (const off of [-2.5, 2.5]) {
    const [x, y] = [x1 + dx * (along + off), y1 + dy * (along + off)];
    path += `M${(x - dy * 7 + dx * 2).toFixed(1)} ${(y + dx * 7 + dy * 2).toFixed(1)}L${(x + dy * 7 - dx * 2).toFixed(1)} ${(y - dx * 7 - dy * 2).toFixed(1)}`;
  }
  return path;
}
