// Who sits at a seat, as the address writes it: person, level:4, search:seconds=1, search:depth=6, mcts:seconds=1, mcts:simulations=1000,
// random, solved, or a policy's name.

import { LEVELS } from "./constants.js";
import { element } from "./element.js";
import { count } from "./format.js";
import { mark } from "./mark.js";

// The limits of a search: what the number beside it means, and where it lies.
const SEARCHES = {
  level: { name: "search, level", unit: `of ${LEVELS.length}`, prefix: "level:", usual: 4, least: 1, most: LEVELS.length, step: 1 },
  seconds: { name: "search, time", unit: "seconds", prefix: "search:seconds=", usual: 1, least: 0.1, most: 10, step: 0.1 },
  depth: { name: "search, depth", unit: "moves", prefix: "search:depth=", usual: 4, least: 1, most: 60, step: 1 },
  "mcts-seconds": { name: "Monte Carlo, time", unit: "seconds", prefix: "mcts:seconds=", usual: 1, least: 0.1, most: 10, step: 0.1 },
  simulations: { name: "Monte Carlo, number", unit: "simulations", prefix: "mcts:simulations=", usual: 1_000, least: 1, most: 1_000_000, step: 1 },
};

const LONG = 14; // letters of a name for which there is no room beside the number

function searchOf(seat) {
  const found = Object.entries(SEARCHES).find(([, { prefix }]) => seat.startsWith(prefix));
  return found && { limit: found[0], number: Number(seat.slice(found[1].prefix.length)) };
}

/** Return the two seats that a query names, each one that the game has. */
export function seatsOf(text, entry, usual = ["person", "level:4"]) {
  const known = new Set(["person", "random", "solved", ...(entry?.policies ?? [])]);
  const given = (text ?? "").split(",");
  return [0, 1].map((player) => {
    const seat = given[player] ?? "";
    const search = searchOf(seat);
    const { least, most } = search ? SEARCHES[search.limit] : {};
    if (known.has(seat) || (search && search.number >= least && search.number <= most)) return seat;
    return known.has(usual[player]) || searchOf(usual[player]) ? usual[player] : "level:4";
  });
}

/** Return the agent that the server calls so; null for a person. */
export function agentOf(seat) {
  if (seat === "person") return null;
  const search = searchOf(seat);
  return search?.limit === "level" ? LEVELS[Math.round(search.number) - 1] : seat;
}

/** Return in words how an agent plays, until it has something of its own to say. */
export function aboutSeat(seat) {
  const [, kind, number, , nodes] = /^(?:search|mcts):(\w+)=([\d.]+)(,nodes=(\d+))?/.exec(agentOf(seat) ?? "") ?? [];
  if (kind === "seconds") return `thinks for ${number} s at each move`;
  if (kind === "simulations") return `simulates ${count(Number(number))} ${number === "1" ? "game" : "games"} at each move`;
  const most = nodes ? `, at ${count(Number(nodes))} positions at most` : "";
  return kind ? `looks ${number} ${number === "1" ? "move" : "moves"} ahead${most}` : "";
}

/** The control of one seat: a choice, and a number where it takes one. */
export class Seat {
  constructor({ player, onChange }) {
    this.player = player;
    this.onChange = onChange;
    this.name = element("span", { class: "seat-name" });
    this.select = element("select", { class: "field", "data-test": `seat-${player}`, on: { change: () => this.#chosen() } });
    this.number = element("input", {
      class: "field numeric",
      type: "number",
      "data-test": `seat-${player}-number`,
      on: { change: () => this.#chosen() },
    });
    this.unit = element("span", { class: "unit" });
    this.note = element("p", { class: "seat-note", role: "status", "data-test": `note-${player}` });
    this.info = element("p", { class: "seat-info numeric", "data-test": `info-${player}` });
    this.element = element(
      "div",
      { class: "seat", role: "group" },
      (this.who = element("div", { class: "seat-who" })),
      (this.choice = element("div", { class: "seat-choice" }, this.select, this.number, this.unit)),
      this.note,
      this.info,
    );
  }

  show(seat, entry, players, tooLarge) {
    const name = players[this.player];
    const search = searchOf(seat);
    const options = [
      ["person", "person"],
      ...Object.entries(SEARCHES).map(([kind, { name: title }]) => [kind, title]),
      ["solved", tooLarge ? "perfect play: too large here" : "perfect play, solved"],
      ["random", "random moves"],
      ...(entry?.policies ?? []).map((policy) => [policy, `policy: ${policy}`]),
    ];
    this.name.textContent = name;
    this.who.replaceChildren(mark(this.player, players), this.name);
    this.element.classList.toggle("quiet", seat === "person" || seat === "random"); // they say nothing of what they thought
    this.element.setAttribute("aria-label", `Seat of ${name}`);
    this.select.setAttribute("aria-label", `Who plays ${name}`);
    this.select.replaceChildren(...options.map(([value, text]) => element("option", { value, text, disabled: value === "solved" && tooLarge })));
    this.select.value = search?.limit ?? seat;
    this.#number(search?.limit, search?.number);
  }

  #number(kind, number) {
    const search = SEARCHES[kind];
    this.number.hidden = this.unit.hidden = !search;
    this.choice.classList.toggle("long", search?.name.length > LONG);
    if (!search) return;
    this.number.min = search.least;
    this.number.max = search.most;
    this.number.step = search.step;
    this.number.value = number ?? search.usual;
    this.number.dataset.kind = kind;
    this.number.setAttribute("aria-label", `${search.name} of ${this.name.textContent}, ${search.unit}`);
    this.unit.textContent = search.unit;
  }

  #chosen() {
    const kind = this.select.value;
    const search = SEARCHES[kind];
    if (!search) {
      this.#number();
      return this.onChange(kind);
    }
    const kept = this.number.dataset.kind === kind && !this.number.hidden ? Number(this.number.value) : search.usual;
    const number = Math.min(search.most, Math.max(search.least, kept || search.usual));
    this.#number(kind, search.step === 1 ? Math.round(number) : number);
    this.onChange(search.prefix + this.number.value);
  }
}
