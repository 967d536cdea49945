// A searched tree as SVG: drawn in one pass; a step then touches only the nodes that it changes.
//
//      4            the choice that leads here, with its probability
//   [-1, 2]         the window
//     /3\           the shape, with the value: up for max, down for min, a circle for chance, a square for a leaf
//    / | \

import { svgElement } from "./element.js";
import { HALO, Layout, SHAPE } from "./layout.js";

const NOTHING = { state: null, value: "", window: "", tag: "", label: null }; // as a node is first drawn

/**
 * A tree on screen. The model says what there is:
 * `order` the nodes, parents first; `children(node)`; `face(node)`, which never changes: {kind, name, chance, never, minor, question, room},
 * where minor says that it was never visited, question that it is a place to answer with, and room how many letters of value, window and tag it may come to show; `look(node)`, how it is now:
 * {status, value, window, tag, label, best, marks}. It may have a `focus`: the nodes that are drawn in full where there is no room for all.
 */
export class Tree {
  /** *folded*: the nodes below which nothing is drawn. */
  constructor(model, { folded, onSelect, onFold }) {
    this.model = model;
    this.folded = folded;
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
      if (event.repeat || (event.key !== "Enter" && event.key !== " ")) return;
      event.preventDefault();
      event.stopPropagation();
      onSelect(Number(event.target.dataset.node));
    });
    this.layout = new Layout(model, this.folded);
  }

  get root() {
    return this.model.order[0];
  }

  /** Draw it anew by a plan of its layout. */
  draw(plan) {
    ({ places: this.places, faces: this.faces, width: this.width, height: this.height } = plan);
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    this.parts = new Map();
    const edges = document.createDocumentFragment();
    const groups = document.createDocumentFragment();
    for (const [node, place] of this.places) {
      const parts = { ...this.#group(node, place), ...this.#edge(node, place), shown: NOTHING };
      this.parts.set(node, parts);
      groups.append(parts.group);
      if (parts.edge) edges.append(parts.edge);
    }
    this.edges.replaceChildren(edges);
    this.groups.replaceChildren(groups);
    for (const node of this.parts.keys()) this.#show(node);
    this.mark(this.current);
    this.select(this.places.has(this.selected) ? this.selected : null);
  }

  #group(node, { x, y, top }) {
    const { kind, shape, title, chance, inner, question, squeeze } = this.faces.get(node);
    const transform = `translate(${x} ${y})${squeeze < 1 ? ` scale(${squeeze.toFixed(4)} 1)` : ""}`;
    const group = svgElement("g", { id: `node-${node}`, "data-node": node, transform, role: "treeitem", "aria-level": this.layout.levels.get(node) + 1 });
    if (squeeze < 1) group.setAttribute("data-squeezed", "");
    if (question) {
      group.setAttribute("tabindex", 0);
      group.setAttribute("role", "button");
    }
    if (inner) group.setAttribute("aria-expanded", String(!this.folded.has(node)));
    const drawn = svgElement("path", { class: "shape", d: shape.path });
    const value = svgElement("text", { class: "value", y: shape.value });
    const half = Math.max(this.layout.crowded ? shape.half : 20, shape.half);
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
    const { never, squeeze } = this.faces.get(node);
    if (never && squeeze === 1) edge.append(svgElement("path", { class: "slash", d: slashes(x, y, place.x, place.lid) }));
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
    const { shape, inner, tagged } = this.faces.get(node);
    if (shown.tag !== tag && tagged) {
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
    const { shape, squeeze } = this.faces.get(at);
    this.halo.setAttribute("rx", shape.half * squeeze + HALO);
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

  /** Fold the subtree of a node, or unfold it; it is then to be drawn. */
  fold(node) {
    if (!this.model.children(node).length) return;
    if (!this.folded.delete(node)) this.folded.add(node);
    this.layout = new Layout(this.model, this.folded);
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
