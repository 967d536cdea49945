// Steps to go through, forward and back, and what is known of every node after each of them.
// A step knows what it changes, before and after, so that going back is as cheap as going on.

/** Return the children of every node, in the order in which they stand. */
export function childrenOf(nodes) {
  const children = nodes.map(() => []);
  nodes.forEach(({ parent }, index) => parent >= 0 && children[parent].push(index));
  return children;
}

/**
 * What all playbacks share. A subclass adds its steps once, then calls `rewind`. It may have `chapters`, {title, end} of parts
 * to jump to, and `landmarks`, the numbers of steps worth going to.
 */
export class Playback {
  chapters = [];
  landmarks = [];

  /** *unseen*: what is known of a node before the first step; *counted*: the names of what is counted. */
  constructor(nodes, unseen, counted = []) {
    this.nodes = nodes;
    this.children = childrenOf(nodes);
    this.live = nodes.map(() => unseen);
    this.counters = Object.fromEntries(counted.map((name) => [name, 0]));
    this.steps = [];
    this.at = 0; // steps done
  }

  /** Add a step, about a node. */
  add(node, kind, more) {
    const step = { node, kind, changes: [], counts: [], ...more };
    this.steps.push(step);
    return step;
  }

  change(step, node, fields) {
    const before = this.live[node];
    const after = { ...before, ...fields };
    this.live[node] = after;
    step.changes.push({ node, before, after });
  }

  count(step, name, number = 1) {
    if (!name || !number) return;
    this.counters[name] += number;
    step.counts.push([name, number]);
  }

  /** All steps were added: keep the total counts, and go to the beginning. */
  rewind() {
    this.at = this.steps.length;
    this.totals = { ...this.counters };
    this.go(0);
  }

  /** Do or undo steps until *step* are done; return the nodes that changed. */
  go(step) {
    const changed = new Set();
    const wanted = Math.max(0, Math.min(this.steps.length, step));
    while (this.at < wanted) this.#apply(this.steps[this.at++], "after", 1, changed);
    while (this.at > wanted) this.#apply(this.steps[--this.at], "before", -1, changed);
    return changed;
  }

  #apply({ changes, counts }, side, sign, changed) {
    const ordered = side === "after" ? changes : [...changes].reverse();
    for (const change of ordered) {
      this.live[change.node] = change[side];
      changed.add(change.node);
    }
    for (const [name, number] of counts) this.counters[name] += sign * number;
  }

  /** If this changes, another tree must be drawn. */
  get drawing() {
    return 0;
  }

  /** The step done last. */
  get done() {
    return this.steps[this.at - 1];
  }

  /** The number of the chapter that the step done last belongs to. */
  get chapter() {
    return this.chapters.findIndex(({ end }) => this.at <= end);
  }

  /** Return the nodes of the tree with this root, parents before children. */
  below(root) {
    const found = [root];
    for (let place = 0; place < found.length; place++) found.push(...this.children[found[place]]);
    return found;
  }
}
