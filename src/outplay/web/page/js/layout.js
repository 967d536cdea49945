// Where everything of a tree stands, and the room that it gets. From near, all of it can be read. From afar, the whole fits into a box,
// and the first levels, for whose nodes there is room, can be read, or else the nodes that the model has in focus; the rest is a
// silhouette, of nodes squeezed together.

import { tidy } from "./tidy.js";

const NAME = 15; // heights
const WINDOW = 15;
export const SHAPE = 42;
const HANDLE = 12;
const FAN = { near: [30, 0.07, 150], far: [30, 0.12, 90] }; // between a shape and the names below: at least, by the width of the widest fan, at most
const MARGIN = 18;
const LETTER = { name: 8.4, window: 7, tag: 7 }; // widths
const VALUE = [[4, 10.5], [6, 8.4], [Infinity, 6.8]]; // up to so many letters, each as wide: a long value is written smaller
const APART = 14; // between neighbours
const MANY = 200; // a tree of more nodes is drawn closer, and what was never visited smaller
const CLOSE = 7;
const MINOR = 0.5;
export const HALO = 9;
const LONGEST_NAME = 18;
const BESIDE = 0.8; // this share of the width is for the nodes in focus, the rest for all others
const HALVINGS = 6; // until it is known how much is squeezed
/** Drawn smaller than this, a node can no longer be read. */
export const LEAST = 0.55;

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

/** Where the edge to a node ends: over its name, its window, or its shape. */
function lid({ shape, title, chance, windowed }, y, top) {
  if (title || chance) return top;
  return windowed ? y - SHAPE / 2 - WINDOW - 5 : y - shape.bottom;
}

/**
 * The layout of a model's nodes but those below one that is *folded*. Its plans, `near()` and `far(box)`, are {places, faces, width, height, fan}:
 * where each node stands, {x, y, top, lid}, with the top of its level and the end of the edge to it; what is drawn there; and how far
 * the first branches reach to either side.
 */
export class Layout {
  constructor(model, folded) {
    this.model = model;
    this.order = [];
    this.levels = new Map(); // node -> level
    this.children = (node) => (folded.has(node) ? [] : model.children(node));
    this.levels.set(model.order[0], 0);
    for (const node of model.order) {
      if (!this.levels.has(node)) continue; // folded away
      this.order.push(node);
      for (const child of this.children(node)) this.levels.set(child, this.levels.get(node) + 1);
    }
    [this.top] = this.order; // the first node that has a choice, for a lone child tells nothing
    while (this.children(this.top).length === 1) [this.top] = this.children(this.top);
    this.crowded = this.order.length > MANY;
    this.faces = new Map(this.order.map((node) => [node, this.#face(node)]));
  }

  #face(node) {
    const { kind, name, chance, never, minor, question, room } = this.model.face(node);
    const small = (this.crowded || this.model.compact) && minor && !question;
    const shape = shapeOf(kind, small && room.value < 2 ? 0 : room.value, small ? MINOR : 1);
    const title = short(name);
    const header = Math.max((title.length + (chance ? chance.length + 1 : 0)) * LETTER.name, room.window * LETTER.window) / 2;
    const inner = this.model.children(node).length > 0;
    const tag = room.tag * LETTER.tag;
    const left = Math.max(shape.half, header, inner ? 0 : tag / 2);
    const reach = [left, Math.max(left, inner && tag ? shape.half + HALO + 2 + tag : 0)];
    return { kind, shape, title, chance, never, question, inner, windowed: room.window > 0, reach, tagged: true, squeeze: 1 };
  }

  /** Return the plan in which all can be read. */
  near() {
    const reach = (node) => this.faces.get(node).reach;
    return this.#plan(tidy(this.order, this.children, reach, this.crowded ? CLOSE : APART), this.faces, FAN.near);
  }

  /** Return the plan that fits into a box; if need be only at a size at which nothing can be read. */
  far({ width, height }) {
    const { focus } = this.model;
    const first = this.levels.get(this.top) + 1;
    const down = (level) => (node) => this.levels.get(node) <= level;
    const full = focus ? (node) => focus.has(node) : down(first); // the nodes that are drawn in full
    let { faces } = this;
    let least = this.#squeezed(faces, full, 0);
    if (least.width > width) {
      // What a node ended by is the first to be left out.
      faces = new Map([...faces].map(([node, face]) => [node, { ...face, tagged: false, reach: [face.reach[0], face.reach[0]] }]));
      least = this.#squeezed(faces, full, 0);
    }
    const plan = this.#plan(least, this.#bare(faces, least), FAN.far);
    const whole = Math.min(width / plan.width, height / plan.height);
    const zoom = Math.min(1, Math.max(LEAST, focus ? BESIDE * whole : whole));
    const room = Math.max(least.width, width / zoom - 2 * MARGIN);
    const found = this.#within(faces, focus ? full : down(this.#deepest(faces, first, room, down)), room);
    return this.#plan(found, this.#bare(faces, found), FAN.far);
  }

  /** Return the last level whose nodes can all be drawn in full within *width*; at least *first*. */
  #deepest(faces, first, width, down) {
    const last = Math.max(...this.levels.values());
    let level = first;
    while (level < last && this.#squeezed(faces, down(level + 1), 0).width < width + 1) level += 1;
    return level;
  }

  /** Draw nodes in *full*, and squeeze the others into the rest of *width*. */
  #within(faces, full, width) {
    const fits = (found) => found.width < width + 1;
    let found = this.#squeezed(faces, full, 0);
    let most = Math.min(1, width / this.#squeezed(faces, full, 1).width);
    for (let halving = 0; halving < HALVINGS; halving++) {
      const next = this.#squeezed(faces, full, (found.squeeze + most) / 2);
      if (fits(next)) found = next;
      else most = next.squeeze;
    }
    return found;
  }

  /** Return {xs, width, full, squeeze} with the nodes that are not in *full* squeezed. */
  #squeezed(faces, full, squeeze) {
    const reach = (node) => {
      const share = full(node) ? 1 : squeeze;
      return faces.get(node).reach.map((side) => (side + CLOSE / 2) * share);
    };
    return { ...tidy(this.order, this.children, reach, 0), full, squeeze };
  }

  /** Return the faces with nothing written on what is squeezed. */
  #bare(faces, { full, squeeze }) {
    return new Map([...faces].map(([node, face]) => [node, full(node) ? face : { ...face, title: "", chance: "", windowed: false, squeeze }]));
  }

  #plan({ xs, width }, faces, gaps) {
    const { tops, shapes, height } = this.#rows(xs, faces, gaps);
    const places = new Map();
    for (const node of this.order) {
      const level = this.levels.get(node);
      const [y, top] = [shapes[level] + MARGIN, tops[level] + MARGIN];
      places.set(node, { x: Math.round((xs.get(node) + MARGIN) * 10) / 10, y, top, lid: lid(faces.get(node), y, top) });
    }
    const fan = Math.max(0, ...this.children(this.top).map((child) => Math.abs(xs.get(child) - xs.get(this.top))));
    return { places, faces, fan, width: Math.ceil(width + 2 * MARGIN), height: Math.ceil(height + 2 * MARGIN) };
  }

  /** Where each level stands: the wider its fans, the more room they get, so that edges do not lie flat. */
  #rows(xs, faces, [least, share, most]) {
    const fans = [];
    const windows = [];
    const names = [];
    for (const node of this.order) {
      const level = this.levels.get(node);
      const below = this.children(node);
      const fan = below.length ? Math.max(xs.get(node) - xs.get(below[0]), xs.get(below[below.length - 1]) - xs.get(node)) : 0;
      fans[level] = Math.max(fans[level] ?? 0, fan);
      const { windowed, title, chance } = faces.get(node);
      windows[level] ||= windowed;
      names[level] ||= Boolean(title || chance);
    }
    const tops = [];
    const shapes = [];
    let y = 0;
    fans.forEach((fan, level) => {
      tops[level] = y;
      shapes[level] = y + (names[level] ? NAME : 0) + (windows[level] ? WINDOW : 0) + SHAPE / 2 + 3;
      y = shapes[level] + SHAPE / 2 + Math.min(most, Math.max(least, fan * share));
    });
    return { tops, shapes, height: shapes[shapes.length - 1] + SHAPE / 2 + HANDLE };
  }
}
