// A step of a search in words.

import { probability } from "./format.js";
import { CUTS } from "./steps.js";

const MINUS = "\u2212";
const KINDS = { max: "Max", min: "Min", chance: "Chance", leaf: "Leaf" };
const SIGNS = { "at least": "≥ ", "at most": "≤ " };

/** Return a value as short as it can be said: "3", "−0.25", "∞". */
export function number(value) {
  if (value === Infinity) return "∞";
  if (value === -Infinity) return `${MINUS}∞`;
  const text = String(Number(value.toFixed(Math.abs(value) < 10 ? 3 : 1)));
  return text === "-0" ? "0" : text.replace("-", MINUS);
}

/** Return how the numbers of an explicit tree are said: as the fractions that they are. */
export function fractions(nodes) {
  const known = new Map();
  for (const { value, value_text: text } of nodes) {
    if (text !== undefined && text !== null && value !== null) known.set(value.toFixed(9), String(text).replace("-", MINUS));
  }
  return (value) => (Number.isFinite(value) && known.get(value.toFixed(9))) || number(value);
}

/** Return the name of a cut: "beta cut" is a "beta cut-off". */
export function cutName(why) {
  return { alpha: "alpha cut-off", beta: "beta cut-off", star1: "Star1 cut-off", star2: "Star2 cut-off" }[CUTS[why]];
}

/** Whether a node was left because it has the best value that the rules allow it: then its cut-off leaves the value exact. */
export function isBest({ why, bound }) {
  return (why === "alpha cut" || why === "beta cut") && bound === "exact";
}

export class Telling {
  /** *story* in words, with *say* for its values. */
  constructor(story, say = number) {
    this.story = story;
    this.say = say;
  }

  value({ value, bound }) {
    return value === null ? "?" : (SIGNS[bound] ?? "") + this.say(value);
  }

  worth({ value, bound }) {
    if (value === null) return "unknown";
    return (bound === "at least" || bound === "at most" ? `${bound} ` : "") + this.say(value);
  }

  window({ alpha, beta }) {
    return `[${this.say(alpha)}, ${this.say(beta)}]`;
  }

  /** "“4”", "the root", or "branch 2" where it has no name. */
  name(index) {
    const { parent, name, choice } = this.story.nodes[index];
    return parent < 0 ? "the root" : name ? `“${name}”` : `branch ${choice + 1}`;
  }

  /** "Max at “4”". */
  place(index) {
    return `${KINDS[this.story.nodes[index].kind]} at ${this.name(index)}`;
  }

  /** What happens in step number *at*. */
  step(at) {
    const step = this.story.steps[at];
    if (!step) return "Nothing is searched yet; what will be is grey. Run it, step through it, or go to the end.";
    if (step.kind === "stop") return "The bound on nodes is reached: the search ends here, unfinished. Choose a smaller depth.";
    if (step.kind === "enter") return this.entering(step);
    const node = this.story.nodes[step.node];
    const told = step.kind === "visit" ? this.visiting(step.node) : this.leaving(step.node);
    return node.parent < 0 ? `${told} The search is over.` : [told, this.effect(step)].filter(Boolean).join(" ");
  }

  entering({ node: index }) {
    const { note, kind, parent } = this.story.nodes[index];
    const { alpha, beta } = this.story.nodes[index];
    const window = this.story.pruning ? ` with the window ${this.window({ alpha: alpha ?? -Infinity, beta: beta ?? Infinity })}` : "";
    if (note === "scout") {
      const edge = this.story.nodes[parent].kind === "max" ? `more than ${this.say(alpha)}` : `less than ${this.say(beta)}`;
      return `A scout asks whether ${this.name(index)} is worth ${edge}, no more.`;
    }
    if (note === "again") return `The scout found ${this.name(index)} better: it is searched again${window}.`;
    if (note === "probe") return `Star2 probes ${this.name(index)}: its first move alone${window}.`;
    const outcomes = kind === "chance" ? `, ${count(this.story.children[index].length, "outcome")}` : "";
    return `${this.place(index)} is entered${window}${outcomes}.`;
  }

  visiting(index) {
    const node = this.story.nodes[index];
    const worth = this.worth(node);
    if (node.why === "over") return `${capital(this.name(index))} is the end: worth ${worth}.`;
    if (node.why === "horizon") return `${capital(this.name(index))}: the depth is used up; estimated at ${worth}.`;
    if (node.why === "table") return `${capital(this.name(index))}: the table knows this position, worth ${worth}.`;
    if (node.why === "bounds") return `${capital(this.name(index))}: the rules prove it worth ${worth}.`;
    if (node.why === "probed") return `${capital(this.name(index))} is left to chance: a probe looks no further.`;
    return this.leaving(index);
  }

  leaving(index) {
    const node = this.story.nodes[index];
    if (isBest(node)) return `${this.reason(index)}: ${this.never(index)} never visited.`;
    if (CUTS[node.why]) return `${this.reason(index)}: ${cutName(node.why)}, ${this.never(index)} never visited.`;
    if (node.why === "probed") return node.value === null ? `The probe of ${this.name(index)} proves nothing.` : `The probe proves ${this.name(index)} worth ${this.worth(node)}.`;
    if (node.kind === "chance") return `${this.place(index)} is worth ${this.mean(index)}.`;
    const edge = node.kind === "max" ? ["at most", "above α", node.alpha] : ["at least", "below β", node.beta];
    if (node.bound === edge[0] && edge[2] !== null) {
      return `${this.place(index)} is worth ${this.worth(node)}: no branch came ${edge[1]} = ${this.say(edge[2])}.`;
    }
    const branch = this.story.children[index].find((child) => this.story.nodes[child].value === node.value && !this.story.searchedAgain(child));
    return `${this.place(index)} is worth ${this.worth(node)}, its ${node.kind === "max" ? "highest" : "lowest"} branch${branch === undefined ? "" : `: ${this.name(branch)}`}.`;
  }

  /** Why a node is cut off: "Max at “4” has 3 ≥ β = 2". */
  reason(index) {
    const node = this.story.nodes[index];
    const window = { alpha: node.alpha ?? -Infinity, beta: node.beta ?? Infinity };
    if (isBest(node)) return `${this.place(index)} has ${this.say(node.value)}, and nothing ${node.kind === "max" ? "higher" : "lower"} is possible`;
    if (node.why === "beta cut") return `${this.place(index)} has ${this.say(node.value)} ≥ β = ${this.say(window.beta)}`;
    if (node.why === "alpha cut") return `${this.place(index)} has ${this.say(node.value)} ≤ α = ${this.say(window.alpha)}`;
    const can = node.why === "star2 cut" ? "the probes show that it" : "whatever the other outcomes bring, it";
    if (node.bound === "at least") return `${this.place(index)}: ${can} is worth at least β = ${this.say(window.beta)}`;
    return `${this.place(index)}: ${can} is worth at most α = ${this.say(window.alpha)}`;
  }

  /** How many branches of a node are never visited: "2 branches". */
  never(index) {
    const left = this.story.children[index].filter((child) => this.story.nodes[child].why === "never").length;
    return count(left, this.story.nodes[index].kind === "chance" ? "outcome" : "branch");
  }

  /** The value of a chance node, with the sum that it is where that is short. */
  mean(index) {
    const node = this.story.nodes[index];
    const outcomes = this.story.children[index].map((child) => this.story.nodes[child]).filter(({ note, why }) => note !== "probe" && why !== "never");
    if (outcomes.length > 6 || outcomes.some(({ value }) => value === null)) return this.worth(node);
    const parts = outcomes.map(({ probability: share, value }) => `${probability(share)}·${value < 0 ? `(${this.say(value)})` : this.say(value)}`);
    return `${parts.join(" + ")} = ${this.worth(node)}`;
  }

  /** What a finished node means for its parent. */
  effect({ node: index, changes }) {
    const { parent } = this.story.nodes[index];
    const change = changes.findLast(({ node }) => node === parent);
    if (this.story.searchedAgain(index)) return "It is better: look again.";
    if (!change) return "";
    const { before, after } = change;
    const { kind } = this.story.nodes[parent];
    if (kind === "chance") return `${this.place(parent)} has ${this.say(after.value)} so far.`;
    if (!this.story.pruning) return `${this.place(parent)} has ${this.say(after.value)} so far.`;
    const [edge, letter, verb] = kind === "max" ? ["alpha", "α", "raises"] : ["beta", "β", "lowers"];
    if (before[edge] === after[edge]) return `${this.place(parent)} keeps ${letter} = ${this.say(after[edge])}.`;
    return `${this.place(parent)} ${verb} ${letter} from ${this.say(before[edge])} to ${this.say(after[edge])}.`;
  }
}

export function count(number, word) {
  return number === 1 ? `1 ${word}` : `${number.toLocaleString("en")} ${word}${word.endsWith("ch") ? "es" : "s"}`;
}

export function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}
