// A Monte Carlo search as a playback. Each simulation goes down the tree (selection), may give a node children (expansion), values the
// leaf that it comes to (playout) and tells the result to the nodes of its path (back-up).

import { Playback } from "./playback.js";

/** The phase of a simulation that a kind of step belongs to. */
export const PHASES = { select: "Selection", expand: "Expansion", playout: "Playout", backup: "Back-up" };

const UNMARKED = { path: false, fresh: false, score: null };

export class SimulationPlayback extends Playback {
  #marked = new Set(); // nodes of the simulation at hand

  constructor(found) {
    super(found.nodes, { visits: 0, mean: null, lower: found.low, upper: found.high, best: false, ...UNMARKED }, ["simulations", "nodes", "proven"]);
    this.found = found;
    this.grown = 1; // nodes that the tree has; they are numbered as they are added
    this.scene = 0; // a number that changes whenever another tree must be drawn
    found.simulations.forEach((simulation, number) => this.#simulate(simulation, number));
    this.#end();
    this.rewind();
  }

  /** The tree has grown, or the path through it has changed. */
  get drawing() {
    return this.done?.scene ?? 0;
  }

  /** How many nodes the tree has by now. */
  get size() {
    return this.done?.grown ?? 1;
  }

  add(node, kind, more) {
    if (kind !== "playout") this.scene += 1;
    return super.add(node, kind, { scene: this.scene, ...more });
  }

  #simulate(simulation, number) {
    const { path, selections, expanded, changes } = simulation;
    const first = this.steps.length;
    const parent = expanded.length ? this.nodes[expanded[0]].parent : null;
    const step = (node, kind, more) => {
      const made = this.add(node, kind, { number, simulation, grown: this.grown, ...more });
      if (this.steps.length === first + 1) {
        this.#unmark(made, UNMARKED);
        this.#mark(made, 0, { path: true });
      } else {
        this.#unmark(made, { score: null });
      }
      return made;
    };
    path.forEach((node, ply) => {
      if (node === parent) this.#expand(step(node, "expand"), expanded, changes);
      const selection = selections[ply];
      if (selection) this.#select(step(selection.chosen, "select", { selection }), selection);
    });
    step(path.at(-1), "playout");
    this.#backUp(step(path.at(-1), "backup"), changes);
    this.landmarks.push(this.steps.length - 1);
    this.chapters.push({ title: `${number + 1} of ${this.found.simulations.length}`, end: this.steps.length });
  }

  #mark(step, node, fields) {
    this.#marked.add(node);
    this.change(step, node, fields);
  }

  #unmark(step, fields) {
    const marked = (node) => Object.keys(fields).some((name) => this.live[node][name] !== fields[name]);
    for (const node of this.#marked) if (marked(node)) this.change(step, node, fields);
    if (fields === UNMARKED) this.#marked.clear();
  }

  #select(step, { chosen, options }) {
    for (const { node, score } of options) if (score !== null) this.#mark(step, node, { score });
    this.#mark(step, chosen, { path: true });
  }

  /** What the rules prove of a new node is known at once. */
  #expand(step, expanded, changes) {
    const known = new Map(changes.map((figures) => [figures.node, figures]));
    for (const node of expanded) {
      const { lower, upper } = known.get(node);
      this.#mark(step, node, { fresh: true });
      this.#know(step, node, { lower, upper });
    }
    this.grown += expanded.length;
    step.grown = this.grown;
    this.count(step, "nodes", expanded.length);
  }

  #backUp(step, changes) {
    for (const { node, ...figures } of changes) this.#know(step, node, figures);
    this.count(step, "simulations");
  }

  #know(step, node, figures) {
    const before = this.live[node];
    this.change(step, node, figures);
    this.count(step, "proven", isProven(this.live[node]) && !isProven(before) ? 1 : 0);
  }

  #end() {
    const step = this.add(0, "end", { grown: this.grown });
    this.#unmark(step, UNMARKED);
    for (const node of this.found.line) this.change(step, node, { best: true });
    if (this.chapters.length) this.chapters.at(-1).end = this.steps.length;
  }

  /** The node whose choices a step is about. */
  chooser({ kind, node, selection } = {}) {
    if (kind === "select") return selection.node;
    return kind === "playout" ? Math.max(0, this.nodes[node].parent) : kind === "expand" ? node : 0;
  }
}

/** Whether the value of a node is proven. */
export function isProven({ lower, upper }) {
  return lower >= upper;
}
