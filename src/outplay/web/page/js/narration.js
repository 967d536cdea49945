// A step of a search in words.

import { probability } from "./format.js";
import { CUTS } from "./trace_playback.js";

export const MINUS = "\u2212";
export const KINDS = { max: "Max", min: "Min", chance: "Chance", leaf: "Leaf" };
const SIGNS = { "at least": "≥ ", "at most": "≤ " };
const SAME = 1e-12; // of the largest value: so close, a mean is the one that the server has worked out exactly
const CLOSE = 1e-9;
const LARGEST = 1_000; // denominator of an edge of a window: others are rounded
const LETTERS = { alpha: "α", beta: "β" };
const FAR = { alpha: -Infinity, beta: Infinity };
const JUST = { "⁺": "just above", "⁻": "just below" };

/** Return a value as short as it can be said: "3", "−0.25", "∞". */
export function number(value) {
  if (value === Infinity) return "∞";
  if (value === -Infinity) return `${MINUS}∞`;
  const text = String(Number(value.toFixed(Math.abs(value) < 10 ? 3 : 1)));
  return text === "-0" ? "0" : text.replace("-", MINUS);
}

/** Return how the numbers of an explicit tree are said: as the fractions that they are. */
export function fractions(nodes) {
  const said = new Map(nodes.map(({ value, value_text: text }) => [value, text.replace("-", MINUS)]));
  const known = [...said.keys()];
  const same = SAME * Math.max(...known.map(Math.abs));
  const nearest = (value) => {
    const found = known.reduce((one, other) => (Math.abs(other - value) < Math.abs(one - value) ? other : one));
    return Math.abs(found - value) <= same ? said.get(found) : undefined;
  };
  return (value) => {
    if (!said.has(value)) said.set(value, Number.isFinite(value) ? nearest(value) ?? fraction(value) ?? `≈${number(value)}` : number(value));
    return said.get(value);
  };
}

/** Return a number as the fraction that it is, if its denominator is small. */
function fraction(value) {
  for (let below = 1; below <= LARGEST; below++) {
    const above = Math.round(value * below);
    if (Math.abs(above / below - value) <= CLOSE * Math.max(1, Math.abs(value))) return (below === 1 ? String(above + 0) : `${above}/${below}`).replace("-", MINUS);
  }
  return undefined;
}

/** Return the probability of an outcome: as it was typed, if it was. */
export function shareOf({ probability: share, probability_text: text }) {
  return text ?? (typeof share === "number" ? probability(share) : "");
}

/** Return the name of a cut: "beta cut" is a "beta cut-off". */
export function cutName(why) {
  return { alpha: "alpha cut-off", beta: "beta cut-off", best: "best cut-off", star1: "Star1 cut-off", star2: "Star2 cut-off" }[CUTS[why]];
}

/** Return for each node the names of those before it, from the root on, by which it is told from the nodes of its name elsewhere. */
function predecessors(nodes) {
  const ways = [];
  for (const { parent, name, choice } of nodes) ways.push(parent < 0 ? [] : [...ways[parent], name || `branch ${choice + 1}`]);
  const ends = (way) => way.map((_, at) => way.slice(at).join("\n")).reverse(); // the last name, the last two, ..., all
  const common = new Map(); // what ways end with -> how many do; a place that a search visits twice counts once
  for (const end of [...new Map(ways.map((way) => [way.join("\n"), way])).values()].flatMap(ends)) common.set(end, (common.get(end) ?? 0) + 1);
  return ways.map((way) => {
    const alone = ends(way).findIndex((end) => common.get(end) === 1);
    return way.slice(alone < 0 ? 0 : -alone - 1, -1);
  });
}

/** What every narration says of a node, with *say* for values. */
export class Words {
  constructor(playback, say = number) {
    this.playback = playback;
    this.say = say;
  }

  /** "“4”", "the root", or "branch 2 of “C”" where it has no name; "“4” after “2”" where there are other nodes called “4”. */
  name(index) {
    const { parent, name, choice } = this.playback.nodes[index];
    if (parent >= 0 && !name) return `branch ${choice + 1} of ${this.name(parent)}`;
    this.predecessors ??= predecessors(this.playback.nodes);
    const before = this.predecessors[index];
    return this.own(index) + (before.length ? ` after “${before.join(", ")}”` : "");
  }

  /** Its name where the node before it has just been named. */
  own(index) {
    const { parent, name, choice } = this.playback.nodes[index];
    return parent < 0 ? "the root" : name ? `“${name}”` : `branch ${choice + 1}`;
  }

  /** "Max at “4”". */
  place(index) {
    return `${KINDS[this.playback.nodes[index].kind]} at ${this.name(index)}`;
  }
}

/** An alpha-beta search in words. */
export class Narration extends Words {
  value({ value, bound }) {
    return value === null ? "?" : (SIGNS[bound] ?? "") + this.say(value);
  }

  worth({ value, bound }) {
    if (value === null) return "unknown";
    return (bound === "at least" || bound === "at most" ? `${bound} ` : "") + this.say(value);
  }

  /** The window of a node: on entry, or as *live* has it. */
  window(index, live) {
    return `[${this.edge(index, "alpha", live)}, ${this.edge(index, "beta", live)}]`;
  }

  /** One of its edges: "3"; or, within a scout's window, "3⁺", just above 3, and "3⁻", just below. */
  edge(index, side, live) {
    const node = this.playback.nodes[index];
    const value = (live ?? node)[side] ?? FAR[side];
    const moved = value !== node[side];
    const scout = moved ? undefined : this.playback.scouts[index];
    if (scout === "max" && side === "beta") return `${this.say(node.alpha)}⁺`;
    if (scout === "min" && side === "alpha") return `${this.say(node.beta)}⁻`;
    return this.say(value);
  }

  /** "β = 3", or "β, just above 3". */
  edgeName(index, side, live) {
    const text = this.edge(index, side, live);
    return LETTERS[side] + (JUST[text.at(-1)] ? `, ${inWords(text)}` : ` = ${text}`);
  }

  /** What happens in step number *at*. */
  step(at) {
    const step = this.playback.steps[at];
    if (!step) return "The search has not started. Grey nodes will be visited. Run it, step through it, or go to the end.";
    if (step.kind === "stop") return "The bound on nodes is reached: the search ends here, unfinished. Choose a smaller depth.";
    if (step.kind === "enter") return this.entering(step);
    const node = this.playback.nodes[step.node];
    const told = step.kind === "visit" ? this.visiting(step.node) : this.leaving(step.node);
    return [told, node.parent < 0 ? this.over(step.node) : this.effect(step)].filter(Boolean).join(" ");
  }

  /** What follows once the root is done. */
  over(root) {
    const { passes } = this.playback;
    const at = passes.findIndex((pass) => pass.root === root);
    const next = passes[at + 1];
    if (!next) return "The search is over.";
    const deeper = next.depth - passes[at].depth;
    return deeper ? `This pass is over; the next looks ${deeper === 1 ? "one move" : `${deeper} moves`} deeper.` : "This pass is over; its window was too narrow, so the next has a wider one.";
  }

  /** How the window of a pass came about: deeper and deeper, a search expects about the value that it had before. */
  aspiration(root) {
    const { passes, nodes } = this.playback;
    const at = passes.findIndex((pass) => pass.root === root);
    if (at < 1 || (nodes[root].alpha === null && nodes[root].beta === null)) return "";
    return passes[at - 1].depth === passes[at].depth ? ", wider than before" : ", close about the value of the pass before";
  }

  entering({ node: index }) {
    const { note, kind, parent } = this.playback.nodes[index];
    const window = this.playback.pruning ? ` with the window ${this.window(index)}` : "";
    if (note === "scout") {
      const side = this.playback.nodes[parent].kind === "max" ? "alpha" : "beta";
      return `A scout asks whether ${this.name(index)} is worth ${side === "alpha" ? "more" : "less"} than ${inWords(this.edge(index, side))}, no more.`;
    }
    if (note === "again") return `The scout found ${this.name(index)} better: it is searched again${window}.`;
    if (note === "probe") return `Star2 probes ${this.name(index)}: its first move alone${window}.`;
    const outcomes = kind === "chance" ? `, ${count(this.playback.children[index].length, "outcome")}` : "";
    return `${this.place(index)} is entered${window}${parent < 0 ? this.aspiration(index) : ""}${outcomes}.`;
  }

  visiting(index) {
    const node = this.playback.nodes[index];
    const worth = this.worth(node);
    const name = node.note === "probe" ? `Star2 probes ${this.name(index)}, which` : capital(this.name(index));
    if (node.why === "over") return `${name} is the end: worth ${worth}.`;
    if (node.why === "horizon") return `${name} is as deep as the search looks: estimated at ${worth}.`;
    if (node.why === "table") return `${name} is known to the table: worth ${worth}.`;
    if (node.why === "bounds") return `${name} is proven by the rules: worth ${worth}.`;
    if (node.why === "probed") return `${name} is left to chance: a probe looks no further.`;
    return this.leaving(index);
  }

  leaving(index) {
    const node = this.playback.nodes[index];
    if (CUTS[node.why]) return `${this.reason(index)}: ${this.cut(index)}.`;
    if (node.why === "probed") return this.probed(index);
    if (node.kind === "chance") return `${this.place(index)} is worth ${this.mean(index)}.`;
    const [bound, side, where] = node.kind === "max" ? ["at most", "alpha", "above"] : ["at least", "beta", "below"];
    if (node.bound === bound && node[side] !== null) {
      return `${this.place(index)} is worth ${this.worth(node)}: no branch came ${where} ${this.edgeName(index, side)}.`;
    }
    const branch = this.playback.children[index].find((child) => this.playback.nodes[child].value === node.value && !this.playback.searchedAgain(child));
    return `${this.place(index)} is worth ${this.worth(node)}, its ${node.kind === "max" ? "highest" : "lowest"} branch${branch === undefined ? "" : `: ${this.own(branch)}`}.`;
  }

  /** What a probe has shown, whose first move is done. */
  probed(index) {
    const node = this.playback.nodes[index];
    if (node.value !== null) return `The probe proves ${this.name(index)} worth ${this.worth(node)}.`;
    const [side, where] = node.kind === "max" ? ["alpha", "above"] : ["beta", "below"];
    return `The probe of ${this.name(index)} shows nothing of use: its first move did not come ${where} ${this.edgeName(index, side)}.`;
  }

  /** Why a node is cut off: "Max at “4” has 3 ≥ β = 2". */
  reason(index) {
    const node = this.playback.nodes[index];
    const place = this.place(index);
    if (node.why === "best cut") return `${place} has ${this.say(node.value)}, and nothing ${node.kind === "max" ? "higher" : "lower"} is possible`;
    if (node.why === "beta cut") return `${place} has ${this.say(node.value)} ≥ ${this.edgeName(index, "beta")}`;
    if (node.why === "alpha cut") return `${place} has ${this.say(node.value)} ≤ ${this.edgeName(index, "alpha")}`;
    const can = node.why === "star2 cut" ? "the probes show that it" : `whatever the other outcomes bring, from ${this.scale()}, it`;
    return `${place}: ${can} is worth ${this.worth(node)} ${node.bound === "at least" ? `≥ ${this.edgeName(index, "beta")}` : `≤ ${this.edgeName(index, "alpha")}`}`;
  }

  /** The lowest and the highest value that there can be: "0 to 8". */
  scale() {
    const { low, high } = this.playback.trace;
    return `${this.say(low)} to ${this.say(high)}`;
  }

  /** What is cut off of a node: "alpha cut-off of 2 branches". */
  cut(index) {
    const { why, kind } = this.playback.nodes[index];
    const left = this.playback.neverBelow(index).length;
    const parts = left ? ` of ${count(left, kind === "chance" ? "outcome" : "branch")}` : "";
    return `${cutName(why)}${parts}${why === "star2 cut" || !left ? ", what was probed is not searched in full" : ""}`;
  }

  /** The value of a chance node, with the sum that it is where that is short. */
  mean(index) {
    const node = this.playback.nodes[index];
    const outcomes = this.playback.outcomes(index).map((child) => this.playback.nodes[child]);
    if (outcomes.length > 6 || outcomes.some(({ value }) => value === null)) return this.worth(node);
    const parts = outcomes.map((one) => `${shareOf(one)}·${one.value < 0 ? `(${this.say(one.value)})` : this.say(one.value)}`);
    const rounded = [node, ...outcomes].some(({ value }) => this.rounds(value)) || outcomes.some((one) => shareOf(one).endsWith("%"));
    return `${parts.join(" + ")} ${rounded ? "≈" : "="} ${this.worth(node)}`;
  }

  /** Whether a value is not said exactly. */
  rounds(value) {
    const text = this.say(value);
    return !text.includes("/") && !(Math.abs(Number(text.replace(MINUS, "-")) - value) <= CLOSE);
  }

  /** What a finished node means for its parent. */
  effect({ node: index, changes }) {
    const { parent } = this.playback.nodes[index];
    const change = changes.findLast(({ node }) => node === parent);
    if (this.playback.searchedAgain(index)) return "It is better: look again.";
    if (!change) return "";
    const { before, after } = change;
    const { kind } = this.playback.nodes[parent];
    if (kind === "chance") return `${this.place(parent)} has ${this.worth(after)} so far.`;
    if (!this.playback.pruning) return `${this.place(parent)} has ${this.say(after.value)} so far.`;
    const [side, verb] = kind === "max" ? ["alpha", "raises"] : ["beta", "lowers"];
    if (before[side] === after[side]) return `${this.place(parent)} keeps ${this.edgeName(parent, side, after)}.`;
    return `${this.place(parent)} ${verb} ${LETTERS[side]} from ${inWords(this.edge(parent, side, before))} to ${this.say(after[side])}.`;
  }
}

/** "3⁺" is "just above 3". */
function inWords(edge) {
  const just = JUST[edge.at(-1)];
  return just ? `${just} ${edge.slice(0, -1)}` : edge;
}

export function count(number, word) {
  return number === 1 ? `1 ${word}` : `${number.toLocaleString("en")} ${word}${word.endsWith("ch") ? "es" : "s"}`;
}

export function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}
