// What the server has learned about games for this page: a panel to learn a game for a minute, and the keys by which requests name it.
// Learning goes on while the page shows another room; a reload of the page keeps the keys.
// Of some games the server has an estimate from the beginning: it ships with Outplay, or is in a file that the server was started with.

import { LEARN_SECONDS } from "./constants.js";
import { element, svgElement, write } from "./element.js";
import * as format from "./format.js";
import { picture } from "./picture.js";

const STORE = "outplay-learned";
const NONE = "none"; // as the key of a request: no learned estimate
const [WIDTH, HEIGHT, EDGE] = [320, 56, 4];
const POINTS = 400; // most points of the plot; a minute has fewer

const learned = new Map(restored()); // game -> { key, games, error, points, picture, used }; without a key, it is the server's own
const asked = new Map(); // game -> what the server says that it has
let running = null; // { game, job, points, text }
const panels = new Set();

function restored() {
  try {
    return JSON.parse(sessionStorage.getItem(STORE)) ?? [];
  } catch {
    return []; // the store is not readable, or another program wrote there
  }
}

function changed() {
  try {
    sessionStorage.setItem(STORE, JSON.stringify([...learned]));
  } catch {
    // then a reload forgets
  }
  for (const panel of panels) panel.draw();
}

/** Return the fields that a request about *game* needs so that its searches use what was learned, or do not. */
export function withLearned(game) {
  const found = learned.get(game);
  return !found ? {} : found.used ? { learned: found.key } : { learned: NONE };
}

/** Ask the server what was learned about *game* before; it is shown once it is known. */
async function inquire(connection, game) {
  if (asked.has(game)) return;
  asked.set(game, null);
  try {
    const found = await connection.request({ do: "lesson", game });
    asked.set(game, found.origin ? { ...known(found), key: "", used: true } : null);
    if (!found.origin) return;
    const before = learned.get(game);
    if (!before?.key) learned.set(game, { ...asked.get(game), used: before?.used ?? true });
    changed();
  } catch {
    asked.delete(game); // the view of the game says what is wrong
  }
}

/** What is kept of an estimate that the server tells about. */
function known({ games, error, history, told, picture: text, origin }) {
  return { games, error, points: history.map((moment) => moment.error), told, picture: text, origin };
}

const ORIGINS = { shipped: "Ships with Outplay", file: "From a file" };

/** What an estimate is, in words. */
function words({ origin, games, error }) {
  const head = ORIGINS[origin] ? `${ORIGINS[origin]}: an estimate learned` : "Learned";
  return `${head} from ${format.count(games)} games of self-play; mean error ${error.toPrecision(2)}`;
}

/** If *error* says that the server has lost what was learned of *game*, forget it, too; return whether it was forgotten. */
export function forgotten(game, error) {
  if (error.code !== "learned-error" || !learned.get(game)?.key) return false;
  forget(game);
  changed();
  return true;
}

/** Forget what the page has learned of *game*: what the server has of its own is used again. */
function forget(game) {
  if (asked.get(game)) learned.set(game, asked.get(game));
  else learned.delete(game);
}

/** The panel of one room. *onUse* is called when searches begin or cease to use a learned estimate. */
export class LessonPanel {
  constructor({ connection, onUse }) {
    this.connection = connection;
    this.onUse = onUse;
    this.game = null;
    this.failed = "";
    this.button = element("button", { type: "button", class: "button", "data-test": "learn", on: { click: () => this.#press() } });
    this.use = element("input", { type: "checkbox", "data-test": "use-learned", on: { change: () => this.#use() } });
    this.useLabel = element("label", { class: "lesson-use" }, this.use, "Searches use it");
    this.state = element("p", { class: "legend numeric", role: "status", "data-test": "lesson" });
    this.plot = svgElement("svg", { class: "graph-picture lesson-plot", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "data-test": "lesson-plot" });
    this.error = element("p", { class: "error", role: "alert", "data-test": "lesson-error" });
    this.map = element("div", { class: "lesson-map", "data-test": "lesson-map" });
    this.told = element("p", { class: "legend lesson-told" });
    this.seen = element("details", { class: "lesson-seen" }, element("summary", { text: "What it learned" }), this.map, this.told);
    this.element = element("section", { class: "panel lesson", "aria-label": "Learn" }, element("div", { class: "actions" }, this.button, this.useLabel), this.state, this.plot, this.seen, this.error);
    panels.add(this);
  }

  close() {
    panels.delete(this);
  }

  /** Show what is known of *game*. */
  show(game) {
    if (game !== this.game) this.failed = "";
    this.game = game;
    inquire(this.connection, game);
    this.draw();
  }

  draw() {
    const busy = running?.game === this.game ? running : null;
    const found = learned.get(this.game);
    write(this.button, busy ? "Stop learning" : found?.key ? "Learn for another minute" : "Learn this game for a minute");
    this.button.classList.toggle("primary", Boolean(busy));
    this.useLabel.hidden = !found;
    this.use.checked = Boolean(found?.used);
    write(this.state, busy ? busy.text : found ? words(found) : "By self-play, from its rules alone: an estimate for every position.");
    write(this.error, this.failed);
    this.#plot((busy ?? found)?.points ?? []);
    this.#map(found);
  }

  /** Show what each square is worth, and what the learner sees of a state. */
  #map(found) {
    this.seen.hidden = !found?.told;
    if (this.mapped === found?.told) return; // it is drawn
    this.mapped = found?.told;
    write(this.told, found?.told ?? "");
    this.map.replaceChildren(...[found?.picture && picture(found.picture)].filter(Boolean));
  }

  /** Draw the mean error: over time during learning, over games afterwards. */
  #plot(points) {
    this.plot.toggleAttribute("hidden", points.length < 2);
    if (points.length < 2) return;
    const top = Math.max(...points) || 1;
    const x = (index) => EDGE + (index / (points.length - 1)) * (WIDTH - 2 * EDGE);
    const y = (error) => HEIGHT - EDGE - (error / top) * (HEIGHT - 2 * EDGE);
    const way = points.map((error, index) => `${x(index).toFixed(1)} ${y(error).toFixed(1)}`).join("L");
    this.plot.setAttribute("aria-label", `Mean error, from ${points[0].toPrecision(2)} to ${points.at(-1).toPrecision(2)}`);
    this.plot.replaceChildren(svgElement("path", { class: "graph-line", d: `M${way}` }));
  }

  #use() {
    learned.get(this.game).used = this.use.checked;
    changed();
    this.onUse();
  }

  #press() {
    if (running?.game === this.game) running.job.stop();
    else this.#learn();
  }

  async #learn() {
    const { game } = this;
    const before = learned.get(game);
    running?.job.stop(); // it keeps what it has learned
    const lesson = { game, points: before?.key ? [...before.points] : [], text: "Looking at random games…" };
    running = lesson;
    this.failed = "";
    lesson.job = this.connection.request({ do: "learn", game, seconds: LEARN_SECONDS, learned: before?.key ?? "" }, (event) => this.#hear(event, lesson));
    changed();
    try {
      const found = await lesson.job;
      if (found?.event !== "learned") return;
      const points = found.history.length > 1 ? found.history.map(({ error }) => error) : lesson.points;
      learned.set(game, { ...known(found), key: found.key, points, used: before?.used ?? true });
    } catch (error) {
      if (error.code === "learned-error") forget(game);
      this.failed = error.message;
    } finally {
      if (running === lesson) running = null;
      changed();
    }
    if (learned.get(game)?.used) for (const panel of panels) if (panel.game === game) panel.onUse();
  }

  #hear({ event, games, rate, error, seconds_left: left }, lesson) {
    if (event !== "learning") return;
    if (error) lesson.points = [...lesson.points, error].slice(-POINTS); // 0: none was counted since the last look
    const mean = lesson.points.at(-1);
    const parts = [`${format.count(games)} games`, `${format.count(rate)} moves/s`, mean && `mean error ${mean.toPrecision(2)}`, `${Math.ceil(left)} s left`];
    lesson.text = parts.filter(Boolean).join(" · ");
    for (const panel of panels) panel.draw();
  }
}
