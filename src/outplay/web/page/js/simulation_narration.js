// A step of a Monte Carlo search in words.

import { SIMULATIONS } from "./constants.js";
import { MINUS, Words, capital, count, shareOf } from "./narration.js";
import { PHASES, isProven } from "./simulation_playback.js";

const change = (before, after) => (before === after ? after : `${before} → ${after}`);

const plain = (text) => Number(text.replace(MINUS, "-"));

const DIGITS = [[20, 2], [200, 1], [Infinity, 0]]; // [width of the scale at most, decimals of a mean]

export class SimulationNarration extends Words {
  constructor(playback, say) {
    super(playback, say);
    const { low, high } = playback.found;
    [, this.digits] = DIGITS.find(([width]) => high - low <= width);
  }

  /** A mean, rounded by the width of the scale: "0.33", "1204"; *padded*: with zeros at its end, to stand in a column. */
  about(value, { padded = false } = {}) {
    const text = value.toFixed(this.digits);
    return (padded ? text : String(Number(text))).replace(/^-(?=[0.]+$)/, "").replace("-", MINUS);
  }

  /** The value of a node: proven, or else the mean of its simulations. */
  value(live) {
    return isProven(live) ? this.say(live.lower) : live.mean === null ? "" : this.about(live.mean);
  }

  /** What is proven of a node: "proven", "≥ 0", "0 … 1", or nothing yet. */
  bounds(live) {
    if (isProven(live)) return "proven";
    const { low, high } = this.playback.found;
    const [lower, upper] = [this.say(live.lower), this.say(live.upper)];
    const [above, below] = [lower !== this.say(low), upper !== this.say(high)];
    return above && below ? `${lower} … ${upper}` : above ? `≥ ${lower}` : below ? `≤ ${upper}` : "";
  }

  step(at) {
    const step = this.playback.steps[at];
    if (!step) return "The search has not started: the tree is its root alone. Step forward, or run the simulations: each may add to it.";
    if (step.kind === "end") return this.over();
    return `${PHASES[step.kind]}: ${this[step.kind](step)}`;
  }

  select({ selection: { node, chosen, settled, options, untried } }) {
    const { kind } = this.playback.nodes[node];
    const [place, name] = [this.place(node), this.own(chosen)];
    if (kind === "chance") {
      const some = options.some(({ standing }) => standing === "proven") ? ", one of the outcomes that are not yet proven" : "";
      return `${place} draws ${name} (${shareOf(this.playback.nodes[chosen])})${some}.`;
    }
    const option = options.find((one) => one.node === chosen);
    if (!option) return `${place} tries ${name}, ${untried === 1 ? "the only move left" : `one of ${untried} moves`} without a visit.`;
    const others = options.filter(({ standing }) => standing === "open").length > 1;
    const taken = others ? `takes ${name}, which has the ${kind === "max" ? "highest" : "lowest"} score: ${this.sum(option, kind)}` : `takes ${name}, the only move that is still open`;
    if (settled === null) return `${place} ${taken}.`;
    const known = options.find((one) => one.node === settled);
    return `${place} has nothing better than ${this.own(settled)}, proven ${this.say(known.score)}: that value is backed up. To see whether ${name} is better, the simulation goes on there.`;
  }

  /** "0.33 + 0.62 = 0.95". */
  sum({ mean, bonus, score }, kind) {
    const parts = [mean, bonus, score].map((value) => this.about(value));
    const [one, two, all] = parts.map(plain);
    const exact = Math.abs(one + (kind === "max" ? two : -two) - all) < 1e-9;
    return `${parts[0]} ${kind === "max" ? "+" : MINUS} ${parts[1]} ${exact ? "=" : "≈"} ${parts[2]}`;
  }

  expand({ node, simulation: { expanded, changes } }) {
    const why = node ? " was visited before, so it" : "";
    const proven = changes.filter((figures) => expanded.includes(figures.node) && isProven(figures)).length;
    const ends = !proven ? "" : proven === expanded.length ? " Their values are known at once." : ` The value${proven === 1 ? " of one" : `s of ${proven}`} of them ${proven === 1 ? "is" : "are"} known at once.`;
    return `${this.name(node)}${why} gets ${count(expanded.length, "branch")}.${ends}`;
  }

  playout({ node, simulation: { playout, estimate, result, proven, expanded } }) {
    const name = this.name(node);
    if (proven) return `none is needed, because ${name} is proven: worth ${this.say(result)}.`;
    const young = expanded.length ? "" : ` ${capital(name)} was not visited before, so it gets no branches yet.`;
    if (!playout.length) return `none is played; the game estimates ${name} at ${this.about(result)}.${young}`;
    const random = `${count(playout.length, "random choice")} from ${name} to the end`;
    if (estimate === null) return `${random}: worth ${this.say(result)}.${young}`;
    return `${random}, worth ${this.about(2 * result - estimate)}; the game estimates ${name} at ${this.about(estimate)}. The mean of both is ${this.about(result)}.${young}`;
  }

  backup({ simulation: { path, told }, changes }) {
    const parts = path.map((node, ply) => {
      const { before, after } = changes.find((change) => change.node === node);
      const figures = before.visits ? `visits ${before.visits} → ${after.visits}, mean ${change(this.about(before.mean), this.about(after.mean))}` : `first visit, mean ${this.about(after.mean)}`;
      return `${this.name(node)} gets ${this.about(told[ply])}: ${figures}${isProven(after) && !isProven(before) ? `, now proven ${this.say(after.lower)}` : ""}`;
    });
    return `${parts.reverse().join("; ")}.`;
  }

  over() {
    const { simulations, stopped_by: why, value, proven, line } = this.playback.found;
    const number = count(simulations.length, "simulation");
    if (!simulations.length) return `No simulation came to its end within ${SIMULATIONS.seconds} s. Choose a later position, where games are shorter.`;
    const early = {
      time: ` They took ${SIMULATIONS.seconds} s, which is the limit here.`,
      size: " With more of them, the tree would be too large to show.",
      busy: " It was stopped, because others waited.",
    }[why] ?? "";
    const worth = proven ? `proven: worth ${this.say(value)}` : `worth about ${this.about(value)}`;
    const best = line.length > 1 && this.playback.nodes[0].kind !== "chance" ? `: ${this.name(line[1])} is best, ${worth}` : `: the root is ${worth}`;
    return `The search is over after ${number}${best}.${early}`;
  }
}
