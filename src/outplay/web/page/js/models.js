// What the tree on screen shows: a pass of a search, or the plain tree with what a search of it left out.

import { CUTS, isLeaf } from "./steps.js";
import { Telling, shareOf } from "./telling.js";

const STATUS = { ahead: "not yet visited", open: "being searched", done: "searched", never: "cut off", stopped: "unfinished", saved: "never visited" };
/** What stands beside a node that ended early: the words of the drawings that `outplay tree` writes. */
export const TAGS = { "alpha cut": "α cut", "beta cut": "β cut", "best cut": "best cut", "star1 cut": "Star1 cut", "star2 cut": "Star2 cut", table: "table", bounds: "bounds" };
const SIGNS = { "at least": "≥", "at most": "≤" };
const SO_FAR = { max: "≥", min: "≤" };
const UNVISITED = ["ahead", "never", "saved"];
const PARTIAL = 5; // letters of a mean that is not yet whole

/** Return the probability of a branch as it stands beside its name: "(1/6)", or "1/6" where it has none. */
export function aside(node) {
  const share = shareOf(node);
  return node.name && share ? `(${share})` : share;
}

/** One pass of a search, node for node. */
export class PassModel {
  constructor(story, telling, root) {
    this.story = story;
    this.telling = telling;
    this.order = story.below(root);
  }

  children(node) {
    return this.story.children[node];
  }

  parent(node) {
    return this.story.nodes[node].parent;
  }

  /** The node of the search that this one on screen stands for. */
  source(node) {
    return node;
  }

  /** The node on screen that stands for one of the search. */
  drawn(index) {
    return index;
  }

  /** The nodes on screen that look otherwise when one of the search changes. */
  touched(index) {
    return [index];
  }

  face(node) {
    const { story } = this;
    const found = story.nodes[node];
    const { kind, name, note, why } = found;
    const inner = story.children[node].length > 0;
    return {
      kind: isLeaf(found) ? "leaf" : kind,
      name,
      chance: [aside(found), note].filter(Boolean).join(" "),
      never: why === "never",
      minor: found.entered === null,
      room: {
        value: this.#longest(node),
        window: inner && story.pruning ? this.#widest(node) : 0,
        tag: (TAGS[why] ?? "").length,
      },
    };
  }

  /** How many letters its value may take, with the sign of a bound: its own, or what it has while its branches come back. */
  #longest(node) {
    const { story, telling } = this;
    const { kind, value, given, bound, entered } = story.nodes[node];
    const letters = (number) => (typeof number === "number" ? telling.say(number).length : 1);
    const own = letters(value ?? given) + (SIGNS[bound] ? 1 : 0);
    const children = entered === null ? [] : story.children[node];
    if (!children.length) return own;
    if (kind === "chance") return Math.max(own, PARTIAL + 1);
    return Math.max(own, ...children.map((child) => letters(story.nodes[child].value) + 1));
  }

  #widest(node) {
    const { telling } = this;
    const { kind, value, alpha, beta } = this.story.nodes[node];
    const entered = telling.window(node).length;
    if (value === null || kind === "chance") return entered;
    return Math.max(entered, telling.window(node, kind === "max" ? { alpha: value, beta } : { alpha, beta: value }).length);
  }

  look(node) {
    return this.seen(node, this.story.live[node]);
  }

  /** How a node looks where *live* is known of it. */
  seen(node, live) {
    const { story, telling } = this;
    const { why, kind, given } = story.nodes[node];
    const inner = story.children[node].length > 0;
    const { best } = live;
    const status = story.cameTooLate(node) ? "ahead" : live.status;
    // While a node is open its window is the one that its branches have left; later the one that the search came with.
    const windowed = inner && story.pruning && ["open", "done", "stopped"].includes(status);
    const out = status === "never" && why === "left out";
    const tag = status === "done" ? TAGS[why] ?? "" : out ? why : "";
    const value = UNVISITED.includes(status) && given !== undefined ? telling.say(given) : this.#value(kind, { ...live, status });
    return {
      status,
      value,
      window: windowed ? telling.window(node, status === "open" ? live : undefined) : "",
      tag,
      best,
      marks: [why === "horizon" && "horizon", tag && CUTS[why] && "cut"].filter(Boolean).join(" "),
      label: `${telling.place(node)}, ${out ? "never visited" : STATUS[status]}${value && `, value ${value}`}${tag && `, ${CUTS[why] ? why : tag}`}`,
    };
  }

  #value(kind, { status, value, bound }) {
    if (status === "ahead" || (UNVISITED.includes(status) && value === null)) return "";
    if (status === "open" || status === "stopped") {
      if (value === null) return status === "open" ? "" : "?";
      return kind === "chance" ? `${SIGNS[bound] ?? ""}${this.telling.say(value)}…` : (SO_FAR[kind] ?? "") + this.telling.say(value);
    }
    return value === null ? "?" : (SIGNS[bound] ?? "") + this.telling.say(value);
  }
}

/** The plain tree: what the search with its techniques never visited is greyed. */
export class SavedModel {
  /** *plain*: the story of the plain search; *root*: of the pass to be shown on it. */
  constructor(plain, story, telling, root) {
    this.plain = plain;
    this.pass = new PassModel(story, telling, root);
    this.telling = new Telling(plain, telling.say);
    this.order = plain.below(plain.passes[0].root);
    this.visits = new Map(this.order.map((node) => [node, []])); // node -> those of the search that stand there, in order
    this.#match(root, this.order[0]);
    this.#hang();
    this.saved = this.order.filter((node) => !this.visits.get(node).some((index) => story.nodes[index].entered !== null)).length;
  }

  /** The same choices lead to the same place. */
  #match(root, top) {
    const pairs = [[root, top]];
    this.places = new Map();
    for (const [index, node] of pairs) {
      this.visits.get(node).push(index);
      this.places.set(index, node);
      const by = new Map(this.plain.children[node].map((child) => [this.plain.nodes[child].choice, child]));
      for (const child of this.pass.children(index)) {
        const there = by.get(this.pass.story.nodes[child].choice);
        if (there !== undefined) pairs.push([child, there]);
      }
    }
  }

  /** What the search has no node for looks as the last one above that it has. */
  #hang() {
    this.above = new Map();
    this.below = new Map();
    for (const node of this.order) {
      if (this.visits.get(node).length) continue;
      const parent = this.parent(node);
      const top = this.above.get(parent) ?? parent;
      this.above.set(node, top);
      if (!this.below.has(top)) this.below.set(top, []);
      this.below.get(top).push(node);
    }
  }

  children(node) {
    return this.plain.children[node];
  }

  parent(node) {
    return this.plain.nodes[node].parent;
  }

  /** Of several visits the last that has begun. */
  source(node) {
    const { live, nodes } = this.pass.story;
    const visits = this.visits.get(node);
    return visits.filter((index) => live[index].status !== "ahead").sort((one, other) => nodes[one].entered - nodes[other].entered).at(-1) ?? visits[0] ?? null;
  }

  drawn(index) {
    return this.places.get(index) ?? null;
  }

  touched(index) {
    const node = this.drawn(index);
    return node === null ? [] : [node, ...(this.below.get(node) ?? [])];
  }

  face(node) {
    const found = this.plain.nodes[node];
    const shown = this.visits.get(node).map((index) => this.pass.face(index));
    const widest = (of) => Math.max(0, ...shown.map(({ room }) => room[of]));
    return {
      kind: isLeaf(found) ? "leaf" : found.kind,
      name: found.name,
      chance: aside(found),
      never: shown.some(({ never }) => never),
      minor: shown.every(({ minor }) => minor),
      room: { value: Math.max(2, this.pass.telling.say(found.value ?? 0).length, widest("value")), window: widest("window"), tag: widest("tag") },
    };
  }

  look(node) {
    const source = this.source(node);
    if (source !== null) return this.pass.look(source);
    const { given } = this.plain.nodes[node];
    const { status } = this.pass.look(this.source(this.above.get(node)));
    const shown = status === "ahead" || status === "open" ? "ahead" : "saved";
    return { status: shown, value: given === undefined ? "" : this.pass.telling.say(given), window: "", tag: "", best: false, marks: "", label: `${this.telling.place(node)}, ${STATUS[shown]}` };
  }
}
