// What the tree on screen shows of a Monte Carlo search: the nodes that there are by now, each with its mean, its visits and what is proven of it.

import { PassModel, aside } from "./models.js";
import { shareOf } from "./narration.js";
import { isProven } from "./simulation_playback.js";

const MANY = 12; // branches of a node; if it has more, only those with the most visits are in focus

const LARGE = 800; // nodes

export class SimulationModel extends PassModel {
  compact = true; // branches without a visit are drawn small

  constructor(playback, narration) {
    super(playback, narration, 0);
    const grown = playback.size;
    this.order = this.order.filter((node) => node < grown);
    this.shown = playback.children.map((children) => children.filter((child) => child < grown));
    // If there is no room for all nodes, focus on the path of the simulation, and on the branches beside its beginning and its end.
    const way = this.order.filter((node) => playback.live[node].path || playback.live[node].best);
    const ends = way.length && playback.live[0].path ? way.slice(-2) : [];
    const tried = (node) => playback.live[node].visits || playback.live[node].score !== null;
    const most = (one, other) => playback.live[other].visits - playback.live[one].visits;
    const beside = (node) => (this.shown[node].length > MANY ? this.shown[node].filter(tried).sort(most).slice(0, MANY) : this.shown[node]);
    this.focus = new Set([0, ...way, ...[0, ...ends].flatMap(beside)]);
    if (grown <= LARGE) return;
    // So large a tree takes long to draw, so of the branches without a visit only those near the path are drawn.
    const drawn = (node) => tried(node) || playback.live[node].fresh || this.focus.has(node);
    this.order = this.order.filter(drawn);
    this.shown = this.shown.map((children) => children.filter(drawn));
  }

  children(node) {
    return this.shown[node];
  }

  face(node) {
    const { kind, name } = this.playback.nodes[node];
    const { value, window, tag, status } = this.look(node);
    const room = { value: value.length, window: window.length, tag: tag.length };
    return { kind, name, chance: aside(this.playback.nodes[node]), never: false, minor: status === "ahead", room };
  }

  seen(node, live) {
    const { narration } = this;
    const { visits, score, path, fresh, best } = live;
    const proven = isProven(live);
    const leaf = this.playback.nodes[node].kind === "leaf";
    const value = narration.value(live);
    const tag = leaf ? "" : narration.bounds(live); // where the game is over, the shape says so
    const label = [narration.place(node), visits ? `${visits} visit${visits === 1 ? "" : "s"}` : "not visited", value && !proven && `mean ${value}`, proven ? `proven ${value}` : tag, score !== null && `score ${narration.about(score)}`, path && "on the path"];
    return {
      status: visits || proven ? "done" : "ahead",
      value,
      window: score !== null ? narration.about(score) : visits ? `${visits}×` : "",
      tag,
      best,
      marks: [path && "path", fresh && "fresh", score !== null && "scored", proven && "proven"].filter(Boolean).join(" "),
      label: label.filter(Boolean).join(", "),
    };
  }

  facts(node) {
    const { playback, narration } = this;
    const live = playback.live[node];
    const { prior } = playback.nodes[node];
    return [
      ["Visits", String(live.visits)],
      ["Mean", live.mean === null ? "" : narration.about(live.mean)],
      ["Proven", isProven(live) ? `worth ${narration.say(live.lower)}` : narration.bounds(live) || "nothing yet"],
      ["Chance", shareOf(playback.nodes[node])],
      ["Prior", prior === null ? "" : String(Number(prior.toFixed(2)))],
    ];
  }
}
