// What the tree on screen shows: a pass of a search, or the plain tree with what a search of it left out.

import { TAGS } from "./constants.js";
import { Narration, shareOf } from "./narration.js";
import { CUTS, isLeaf } from "./trace_playback.js";

const STATUS = { ahead: "not yet visited", open: "being searched", done: "searched", never: "cut off", stopped: "unfinished", saved: "never visited" };
const SIGNS = { "at least": "≥", "at most": "≤" };
const SO_FAR = { max: "≥", min: "≤" };
const UNVISITED = ["ahead", "never", "saved"];
const WHYS = {
  over: "the game is over here",
  horizon: "the depth is used up here: an estimate",
  searched: "all its branches were searched",
  "alpha cut": "alpha cut-off: Max has a move elsewhere that is at least as good",
  "beta cut": "beta cut-off: Min has a move elsewhere that is at least as good",
  "best cut": "cut off: nothing can be better",
  "star1 cut": "Star1 cut-off: the mean can no longer lie in the window",
  "star2 cut": "Star2 cut-off: the first moves already prove enough",
  table: "its value was in the transposition table",
  bounds: "the rules prove it",
  probed: "Star2 asked for its first move alone",
  never: "cut off: never visited",
  below: "below a branch that is cut off: never visited",
  "left out": "left out: not among the useful moves",
  stopped: "unfinished: the limit of nodes was reached",
};
const NOTES = { scout: "a scout’s visit", again: "visited again after a scout", probe: "Star2’s probe" };
const PARTIAL = 5; // letters of a mean that is not yet whole

/** Return the probability of a branch as it stands beside its name: "(1/6)", or "1/6" where it has none. */
export function aside(node) {
  const share = shareOf(node);
  return node.name && share ? `(${share})` : share;
}

/** One pass of a search, node for node. */
export class PassModel {
  constructor(playback, narration, root) {
    this.playback = playback;
    this.narration = narration;
    this.order = playback.below(root);
  }

  children(node) {
    return this.playback.children[node];
  }

  parent(node) {
    return this.playback.nodes[node].parent;
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
    const { playback } = this;
    const found = playback.nodes[node];
    const { kind, name, note, why } = found;
    const inner = playback.children[node].length > 0;
    return {
      kind: isLeaf(found) ? "leaf" : kind,
      name,
      chance: [aside(found), note].filter(Boolean).join(" "),
      never: why === "never",
      minor: found.entered === null,
      room: {
        value: this.#longest(node),
        window: inner && playback.pruning ? this.#widest(node) : 0,
        tag: (TAGS[why] ?? "").length,
      },
    };
  }

  /** How many letters its value may take, with the sign of a bound: its own, or what it has while its branches come back. */
  #longest(node) {
    const { playback, narration } = this;
    const { kind, value, given, bound, entered } = playback.nodes[node];
    const letters = (number) => (typeof number === "number" ? narration.say(number).length : 1);
    const own = letters(value ?? given) + (SIGNS[bound] ? 1 : 0);
    const children = entered === null ? [] : playback.children[node];
    if (!children.length) return own;
    if (kind === "chance") return Math.max(own, PARTIAL + 1);
    return Math.max(own, ...children.map((child) => letters(playback.nodes[child].value) + 1));
  }

  #widest(node) {
    const { narration } = this;
    const { kind, value, alpha, beta } = this.playback.nodes[node];
    const entered = narration.window(node).length;
    if (value === null || kind === "chance") return entered;
    return Math.max(entered, narration.window(node, kind === "max" ? { alpha: value, beta } : { alpha, beta: value }).length);
  }

  look(node) {
    return this.seen(node, this.playback.live[node]);
  }

  /** How a node looks where *live* is known of it. */
  seen(node, live) {
    const { playback, narration } = this;
    const { why, kind, given } = playback.nodes[node];
    const inner = playback.children[node].length > 0;
    const { best } = live;
    const status = playback.cameTooLate(node) ? "ahead" : live.status;
    // While a node is open its window is the one that its branches have left; later the one that the search came with.
    const windowed = inner && playback.pruning && ["open", "done", "stopped"].includes(status);
    const window = windowed ? narration.window(node, status === "open" ? live : undefined) : "";
    const out = status === "never" && why === "left out";
    const tag = status === "done" ? TAGS[why] ?? "" : out ? why : "";
    const value = UNVISITED.includes(status) && given !== undefined ? narration.say(given) : this.#value(kind, { ...live, status });
    return {
      status,
      value,
      window,
      tag,
      best,
      marks: [why === "horizon" && "horizon", tag && CUTS[why] && "cut"].filter(Boolean).join(" "),
      label: [narration.place(node), out ? "never visited" : STATUS[status], value && `value ${value}`, tag && (CUTS[why] ? why : tag), window && `window ${window}`].filter(Boolean).join(", "),
    };
  }

  /** Return what is known about a node: pairs of a term and a text, which is empty if nothing is known. */
  facts(node) {
    const { playback, narration } = this;
    const { status, value, window } = this.look(node);
    const { why, note } = playback.nodes[node];
    const open = status === "open";
    return [
      ["Value", value],
      [open ? "Window now" : "Window", window],
      ["On entry", open && window ? narration.window(node) : ""],
      ["Scale", playback.scaled ? `values lie from ${narration.scale()}` : ""],
      ["Why", [status === "done" || status === "never" ? WHYS[why] : "", NOTES[note]].filter(Boolean).join("; ")],
    ];
  }

  #value(kind, { status, value, bound }) {
    if (status === "ahead" || (UNVISITED.includes(status) && value === null)) return "";
    if (status === "open" || status === "stopped") {
      if (value === null) return status === "open" ? "" : "?";
      return kind === "chance" ? `${SIGNS[bound] ?? ""}${this.narration.say(value)}…` : (SO_FAR[kind] ?? "") + this.narration.say(value);
    }
    return value === null ? "?" : (SIGNS[bound] ?? "") + this.narration.say(value);
  }
}

/** The plain tree: what the search with its techniques never visited is greyed. */
export class SavedModel {
  /** *plain*: the playback of the plain search; *root*: of the pass to be shown on it. */
  constructor(plain, playback, narration, root) {
    this.plain = plain;
    this.pass = new PassModel(playback, narration, root);
    this.narration = new Narration(plain, narration.say);
    this.order = plain.below(plain.passes[0].root);
    this.visits = new Map(this.order.map((node) => [node, []])); // node -> those of the search that stand there, in order
    this.#match(root, this.order[0]);
    this.#hang();
    this.saved = this.order.filter((node) => !this.visits.get(node).some((index) => playback.nodes[index].entered !== null)).length;
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
        const there = by.get(this.pass.playback.nodes[child].choice);
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
    const { live, nodes } = this.pass.playback;
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
      room: { value: Math.max(2, this.pass.narration.say(found.value ?? 0).length, widest("value")), window: widest("window"), tag: widest("tag") },
    };
  }

  look(node) {
    const source = this.source(node);
    if (source !== null) return this.pass.look(source);
    const { given } = this.plain.nodes[node];
    const { status } = this.pass.look(this.source(this.above.get(node)));
    const shown = status === "ahead" || status === "open" ? "ahead" : "saved";
    return { status: shown, value: given === undefined ? "" : this.pass.narration.say(given), window: "", tag: "", best: false, marks: "", label: `${this.narration.place(node)}, ${STATUS[shown]}` };
  }

  facts(node) {
    const source = this.source(node);
    if (source !== null) return this.pass.facts(source);
    const { status, value } = this.look(node);
    return [["Value", value], ["Why", status === "saved" ? WHYS.below : ""]];
  }
}
