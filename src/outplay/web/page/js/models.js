// What the tree on screen shows: a pass of a search, or the plain tree with what a search of it left out.

import { probability } from "./format.js";
import { CUTS, isLeaf } from "./steps.js";

const STATUS = { ahead: "not yet visited", open: "being searched", done: "searched", never: "never visited", stopped: "unfinished", saved: "never visited" };
/** What stands beside a node that ended early: the words of the drawings that `outplay tree` writes. */
export const TAGS = { "alpha cut": "α cut", "beta cut": "β cut", "star1 cut": "Star1 cut", "star2 cut": "Star2 cut", table: "table", bounds: "bounds" };
const SIGNS = { "at least": "≥", "at most": "≤" };
const SO_FAR = { max: "≥", min: "≤" };
const PARTIAL = 5; // letters of a mean that is not yet whole

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

  face(node) {
    const { story, telling } = this;
    const found = story.nodes[node];
    const { kind, name, probability: share, note, why, alpha, beta } = found;
    const inner = story.children[node].length > 0;
    return {
      kind: isLeaf(found) ? "leaf" : kind,
      name,
      chance: [share !== null && share !== undefined && probability(share), note].filter(Boolean).join(" "),
      never: why === "never",
      minor: found.entered === null,
      room: {
        value: this.#longest(node),
        window: inner && story.pruning ? this.#widest(kind, found.value, alpha ?? -Infinity, beta ?? Infinity) : 0,
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

  #widest(kind, value, alpha, beta) {
    const { telling } = this;
    const entered = telling.window({ alpha, beta }).length;
    if (value === null || kind === "chance") return entered;
    return Math.max(entered, telling.window(kind === "max" ? { alpha: value, beta } : { alpha, beta: value }).length);
  }

  look(node) {
    return this.seen(node, this.story.live[node]);
  }

  /** How a node looks where *live* is known of it. */
  seen(node, live) {
    const { story, telling } = this;
    const { why, kind, given, parent, alpha, beta } = story.nodes[node];
    const inner = story.children[node].length > 0;
    const { best } = live;
    // What an unfinished node has not visited was not cut off: the search only did not come to it.
    const status = live.status === "never" && story.live[parent].status === "stopped" ? "ahead" : live.status;
    // While a node is open its window is the one that its branches have left; later the one that the search came with.
    const edges = status === "open" ? live : status === "done" || status === "stopped" ? { alpha: alpha ?? -Infinity, beta: beta ?? Infinity } : null;
    const tag = status === "done" ? TAGS[why] ?? "" : status === "never" && why === "left out" ? why : "";
    const value = (status === "never" || status === "ahead") && given !== undefined ? telling.say(given) : this.#value(kind, { ...live, status });
    return {
      status,
      value,
      window: edges && inner && story.pruning ? telling.window(edges) : "",
      tag,
      best,
      marks: [why === "horizon" && "horizon", tag && CUTS[why] && "cut"].filter(Boolean).join(" "),
      label: `${telling.place(node)}, ${STATUS[status]}${value && `, value ${value}`}${tag && `, ${CUTS[why] ? why : tag}`}`,
    };
  }

  #value(kind, { status, value, bound }) {
    if (status === "ahead" || (status === "never" && value === null)) return "";
    if (status === "open") {
      if (value === null) return "";
      return kind === "chance" ? `${this.telling.say(value)}…` : (SO_FAR[kind] ?? "") + this.telling.say(value);
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
    this.order = plain.below(plain.passes[0].root);
    this.visits = new Map(this.order.map((node) => [node, []])); // node -> those of the search that stand there, in order
    this.#match(root, this.order[0]);
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

  face(node) {
    const found = this.plain.nodes[node];
    const shown = this.visits.get(node).map((index) => this.pass.face(index));
    const widest = (of) => Math.max(0, ...shown.map(({ room }) => room[of]));
    return {
      kind: isLeaf(found) ? "leaf" : found.kind,
      name: found.name,
      chance: typeof found.probability === "number" ? probability(found.probability) : "",
      never: shown.some(({ never }) => never),
      minor: shown.every(({ minor }) => minor),
      room: { value: Math.max(2, this.pass.telling.say(found.value ?? 0).length, widest("value")), window: widest("window"), tag: widest("tag") },
    };
  }

  look(node) {
    const source = this.source(node);
    if (source !== null && this.pass.story.live[source].status !== "never") return this.pass.look(source);
    const { name, given } = this.plain.nodes[node];
    const known = source !== null; // a branch cut off is told from what lies below it by its mark
    return { status: known ? "never" : "saved", value: given === undefined ? "" : this.pass.telling.say(given), window: "", tag: "", best: false, marks: "", label: `${name}, never visited` };
  }
}
