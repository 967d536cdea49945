// The trace of an alpha-beta search as a playback: its steps in the order of the search.

import { Playback, childrenOf } from "./playback.js";

export const CUTS = { "alpha cut": "alpha", "beta cut": "beta", "best cut": "best", "star1 cut": "star1", "star2 cut": "star2" };
const COUNTED = { ...CUTS, table: "table", never: "never" };
const UNSEEN = Object.freeze({ status: "ahead", alpha: null, beta: null, value: null, bound: "unknown", best: false });
const NARROW = 1e-6; // of the scale: a window less wide is a scout's
/** The bound that says nothing of a node from its player's side. */
const FAILED = { max: "at most", min: "at least" };

/** Return whether nothing is looked at below *node*. */
export function isLeaf(node) {
  return node.kind === "leaf" || node.why === "over" || node.why === "horizon";
}

/**
 * Write into the trace of an explicit tree what its text gives: the values of leaves, exact probabilities, that some branches have no name,
 * and what lies below a branch that is never visited.
 * A leaf without a name is called by its value, which a search that has not seen it does not know.
 */
export function giveTexts(trace, solved) {
  const children = childrenOf(solved.nodes);
  const there = []; // where each node of the trace stands in the tree
  const kinds = {}; // what a node is to the search: against a random opponent those of Min are chance
  for (let index = 0; index < trace.nodes.length; index++) { // those added come up in their turn
    const node = trace.nodes[index];
    there[index] = node.parent < 0 ? 0 : children[there[node.parent]][node.choice];
    const { kind, name, value, probability_text: share } = solved.nodes[there[index]];
    if (share) node.probability_text = share;
    if (kind === "leaf") {
      node.given = value;
      if (!name) node.name = "";
    } else if (node.entered !== null) {
      kinds[kind] = node.kind;
    } else {
      const above = trace.nodes[node.parent];
      node.depth = above.depth - (above.kind === "chance" ? 0 : 1);
      const branches = node.depth > 0 ? children[there[index]] : [];
      const share = node.kind === "chance" ? 1 / branches.length : null; // of a random opponent's moves; the text gives those of chance
      trace.nodes.push(...branches.map((child, choice) => ({ ...unvisited(solved.nodes[child], kinds, share), parent: index, choice })));
    }
  }
}

/** Return what a trace would say of a node below a branch that is never visited. */
function unvisited({ kind, name, probability }, kinds, share) {
  const [branch] = name.split(" → "); // its node's own name follows
  return { name: branch, kind: kinds[kind] ?? kind, probability: probability ?? share, alpha: null, beta: null, value: null, bound: "unknown", why: "below", note: "", entered: null, left: null, best: false };
}

export class TracePlayback extends Playback {
  /** *pruning*: whether the search kept a window, so that a finished child narrows it; *scaled*: whether cuts follow from the lowest and the highest value that there can be. */
  constructor(trace, { pruning, scaled = false }) {
    super(trace.nodes, UNSEEN, ["visited", "alpha", "beta", "best", "star1", "star2", "table", "never"]);
    this.trace = trace;
    this.pruning = pruning;
    this.scaled = scaled && this.nodes.some(({ kind }) => kind === "chance");
    this.scouts = this.#scouts();
    this.#record();
    this.passes = this.#passes();
    this.chapters = this.passes.map(({ depth, last }, index) => ({ title: `Pass ${index + 1}: depth ${depth}`, end: last + 1 }));
    this.cuts = this.#cuts();
    this.landmarks = this.cuts;
    this.rewind();
  }

  /** Each pass is a tree of its own. */
  get drawing() {
    return this.pass;
  }

  /** Return the pass to which the step done last belongs. */
  get pass() {
    const done = Math.max(0, this.at - 1);
    return Math.max(0, this.passes.findLastIndex(({ first }) => first <= done));
  }

  /** Return the steps in which branches are cut off. */
  #cuts() {
    const cuts = [];
    this.steps.forEach(({ node, kind }, at) => {
      if (kind !== "enter" && CUTS[this.nodes[node].why] && this.neverBelow(node).length) cuts.push(at);
    });
    return cuts;
  }

  /** Return the branches of a node that are never visited. */
  neverBelow(node) {
    return this.children[node].filter((child) => this.nodes[child].why === "never");
  }

  #passes() {
    const roots = this.trace.passes.length ? this.trace.passes : [{ depth: this.nodes[0]?.depth ?? 0, root: 0 }];
    const firsts = roots.map(({ root }) => this.steps.findIndex(({ node, kind }) => node === root && kind !== "leave"));
    return roots.map(({ depth, root }, index) => ({
      depth,
      root,
      first: firsts[index],
      last: (firsts[index + 1] ?? this.steps.length) - 1,
    }));
  }

  /** Return for each node within a scout's window whose scout it is, "max" or "min": its window ends just above alpha, or begins just below beta. */
  #scouts() {
    const width = NARROW * (this.trace.high - this.trace.low);
    const found = [];
    this.nodes.forEach(({ parent, note, alpha, beta }, index) => {
      if (alpha === null || beta === null || beta - alpha >= width) return;
      found[index] = found[parent] ?? (note === "scout" ? this.nodes[parent].kind : undefined);
    });
    return found;
  }

  /** Return the visits that make up the mean of a chance node: a probe too, if it settled its outcome. */
  outcomes(index) {
    const visits = this.children[index].filter((child) => this.nodes[child].entered !== null);
    const whole = new Set(visits.filter((child) => this.nodes[child].note !== "probe").map((child) => this.nodes[child].choice));
    return visits.filter((child) => this.nodes[child].note !== "probe" || (this.nodes[child].bound === "exact" && !whole.has(this.nodes[child].choice)));
  }

  // Going through it once, from beginning to end.

  #record() {
    for (const { node, kind } of events(this.nodes)) {
      const step = this.add(node, kind);
      if (kind !== "leave") this.#enter(step);
      if (kind !== "enter") this.#leave(step);
    }
    if (this.nodes.some(({ entered, left }) => entered !== null && left === null)) this.#stop();
  }

  #enter(step) {
    const node = this.nodes[step.node];
    if (node.parent >= 0) this.#narrow(step, node.parent);
    this.change(step, step.node, { status: "open", ...windowOf([node.alpha, node.beta]) });
    if (node.note !== "again") this.count(step, "visited"); // searched again, it is still the same node
  }

  /** The rules may have narrowed the window of a node before its first child was searched. */
  #narrow(step, parent) {
    const { kind, alpha, beta, inner } = this.nodes[parent];
    const [low, high] = inner;
    if (kind === "chance" || (low === alpha && high === beta) || this.children[parent][0] !== step.node) return;
    this.change(step, parent, windowOf(inner));
  }

  #leave(step) {
    const node = this.nodes[step.node];
    this.change(step, step.node, { status: "done", value: node.value, bound: node.bound });
    this.count(step, COUNTED[node.why]);
    this.#passOver(step, step.node);
    if (node.parent >= 0) this.#report(step, node);
    else for (const index of this.below(step.node)) if (this.nodes[index].best) this.change(step, index, { best: true });
  }

  /** What a node leaves unvisited is now known never to be visited, nor what lies below. */
  #passOver(step, parent) {
    for (const child of this.children[parent]) {
      const { entered, why, value, bound } = this.nodes[child];
      if (entered !== null) continue;
      this.change(step, child, { status: why === "below" ? "saved" : "never", value, bound });
      this.count(step, COUNTED[why]);
      this.#passOver(step, child);
    }
  }

  /** Whether the search ended before it came to a node: what was not visited then was not cut off. */
  cameTooLate(node) {
    let at = node;
    while (this.nodes[at].entered === null) at = this.nodes[at].parent;
    return at !== node && this.live[at].status === "stopped";
  }

  /** What a finished child means for its parent: a value so far, and a narrower window. */
  #report(step, node) {
    const parent = this.nodes[node.parent];
    const known = this.live[node.parent];
    if (node.value === null || this.searchedAgain(step.node)) return;
    if (parent.kind === "chance") {
      if (!this.outcomes(node.parent).includes(step.node)) return;
      const bound = node.bound === "exact" ? known.bound : node.bound; // Star1 is content with a bound, and cuts
      this.change(step, node.parent, { value: (known.value ?? 0) + node.probability * node.value, bound });
    } else if (node.bound === FAILED[parent.kind]) {
      this.change(step, node.parent, {}); // an upper bound of one branch is not a value that Max is sure of
    } else {
      const value = parent.kind === "max" ? Math.max(known.value ?? -Infinity, node.value) : Math.min(known.value ?? Infinity, node.value);
      this.change(step, node.parent, { value, ...(node.after && windowOf(node.after)) });
    }
  }

  /** Return whether this visit was a scout's that found its node better, so that another one follows. */
  searchedAgain(index) {
    const { note, parent, choice } = this.nodes[index];
    if (note !== "scout") return false;
    const siblings = this.children[parent];
    const next = this.nodes[siblings[siblings.indexOf(index) + 1]];
    return next?.note === "again" && next.choice === choice;
  }

  /** The bound on nodes ended the search with nodes still open. */
  #stop() {
    const step = this.add(this.nodes.findLastIndex(({ entered, left }) => entered !== null && left === null), "stop");
    this.nodes.forEach(({ entered, left, why }, index) => {
      if (entered === null || left !== null) return;
      this.change(step, index, { status: "stopped" });
      this.count(step, COUNTED[why]);
      this.#passOver(step, index);
    });
  }
}

/** Return the events of entering and leaving nodes, in order; a node that is left at once is one event. */
function events(nodes) {
  const found = [];
  nodes.forEach(({ entered, left }, node) => {
    if (entered === null) return;
    const passing = left !== null && left - entered <= 1;
    found.push({ at: entered, node, kind: passing ? "visit" : "enter" });
    if (left !== null && !passing) found.push({ at: left, node, kind: "leave" });
  });
  return found.sort((one, other) => one.at - other.at);
}

/** Return a window as the server writes it, where an infinite edge is null. */
function windowOf([alpha, beta]) {
  return { alpha: alpha ?? -Infinity, beta: beta ?? Infinity };
}
