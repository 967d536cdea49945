// Analyse: what every move of a position is worth, live as the search deepens. Switched off, nothing runs and nothing is shown.

import { Bar } from "./bar.js";
import { ANALYSIS_SECONDS, TOURNAMENTS } from "./constants.js";
import { element, write } from "./element.js";
import * as format from "./format.js";
import { GameRoom } from "./gameroom.js";
import { Graph } from "./graph.js";
import { help } from "./help.js";
import { LessonPanel, forgotten, withLearned } from "./lessons.js";
import { Lines, betterFor } from "./lines.js";
import { after, gameOf, keyOf, upTo } from "./position.js";
import { result as resultText } from "./tournament_words.js";

const GRAPH_AFTER = 400; // milliseconds: the values on the board come first, and who steps quickly asks for no graph
const AGAIN = 1500; // milliseconds until a search that had to make room is asked for again
const UNDECIDED = "undecided so far";
const HELP = [
  ["Value", "What best play of both leads to, always as the first player counts it, on the scale of the game’s scores. The bar shows it: the more of it is a player’s, the better that player stands. On a wide scale the graph gives small values more room."],
  ["On the board", "The value of each move; green: a best one for whoever is to move, one of them with a ring or an arrow. ?: undecided so far, for no line was searched to its end, and the game has no estimate; the ring is then merely what the search would play. Gold: the last move."],
  ["Depth", "How many moves ahead everything has been searched; it grows while you watch."],
  ["Nodes", "The positions that the search has looked at, in all and each second."],
  ["Proven", "Searched to the end of the game: the value is certain. In 5 moves: the game is then over, both players’ moves counted. Until then it rests on the game’s estimate, if it has one."],
  ["Learn", "Outplay plays the game against itself for a minute and learns an estimate from the rules alone. Searches use it where they cannot see the end of the game. It stays in the server’s memory. To learn for longer, or into a file, use the command outplay learn. Of some games such an estimate ships with Outplay; outplay web --learned FILE takes one from a file. What it learned: blue squares are good for the first player, orange ones bad."],
  ["Lines", "The best moves, each with the play that is expected after it; choose one to go there. [In brackets]: an outcome of chance."],
  ["Keys", "The arrows step through the game; on the board they walk from place to place, and Enter chooses. Comma and full stop step everywhere. Where the moves are left, right, up and down, the arrows play them. Or type a move’s name, then Enter."],
];

/** Its job is the analysis. */
export default class Analyse extends GameRoom {
  constructor(root, shell) {
    super(root, shell, { valued: true });
    this.on = true;
    this.graphJob = null;
    this.found = null; // the latest analysis of the position on the board
    this.failed = ""; // why there is no analysis of it
    this.source = {}; // the game of a tournament that is looked at: {store, played}
    this.played = null; // who played it
    this.worth = new Map(); // key of a position -> its value, for the graph
    this.#build();
  }

  #build() {
    this.bar = new Bar();
    this.lines = new Lines({ onGo: (choice, names) => this.follow(choice, names) });
    this.graph = new Graph({ onGo: (ply) => this.go(ply) });
    this.lesson = new LessonPanel({ connection: this.shell.connection, onUse: () => this.#anew() });
    this.legend = element("p", { class: "legend", "data-test": "legend" });
    this.switch = element("button", {
      type: "button",
      class: "switch",
      role: "switch",
      "aria-checked": "true",
      "data-test": "analysis-toggle",
      text: "Analysis",
      on: { click: () => this.toggle(!this.going) },
    });
    this.readings = Object.fromEntries(["value", "depth", "nodes", "rate"].map((name) => [name, element("dd", { class: "numeric", "data-test": name })]));
    this.badge = element("span", { class: "badge how", "data-test": "proven" });
    this.analysisError = element("p", { class: "error", role: "alert", "data-test": "analysis-error" });
    this.setupField = element("textarea", {
      class: "field code",
      rows: 2,
      "data-test": "setup-text",
      autocomplete: "off",
      spellcheck: "false",
      on: { keydown: (event) => this.#typing(event) },
    });
    this.setupError = element("p", { class: "error", role: "alert", "data-test": "setup-error" });
    this.dealButton = element("button", { type: "button", class: "button", text: "Deal", "data-test": "deal", on: { click: () => this.deal() } });
    const reading = (title, name, ...more) => element("div", {}, element("dt", { text: title }), this.readings[name], ...more);
    this.main = element(
      "div",
      { class: "main" },
      element("div", { class: "board-row with-bar" }, this.bar.element, this.board.element),
      element("div", { class: "status" }, this.turn, this.result, this.troubleText, this.drawError),
      (this.playedBy = element("p", { class: "played-by", "data-test": "played-by", hidden: true })),
    );
    this.lastColumn = element(
      "div",
      { class: "column" },
      element(
        "section",
        { class: "panel game-panel", "aria-label": "Game and position" },
        element(
          "div",
          { class: "game-head" },
          this.title,
          this.dealButton,
          element("button", { type: "button", class: "button", text: "Change", "aria-label": "Change game", "data-test": "game", on: { click: () => this.change() } }),
        ),
        this.rules.element,
        element(
          "form",
          { class: "setup", on: { submit: (event) => this.setUp(event) } },
          element("label", { class: "legend" }, "The position, as text", this.setupField),
          element("button", { class: "button", text: "Set up", "data-test": "setup" }),
        ),
        this.setupError,
      ),
      this.moveList.element,
    );
    this.layout = element(
      "div",
      { class: "layout" },
      this.main,
      element(
        "div",
        { class: "side" },
        element(
          "div",
          { class: "column" },
          element(
            "section",
            { class: "panel analysis", "aria-label": "Analysis" },
            element("div", { class: "analysis-head" }, this.switch, this.badge),
            element("dl", { class: "readings" }, reading("value", "value"), reading("depth", "depth"), reading("nodes", "nodes"), reading("nodes/s", "rate")),
            this.legend,
            element("div", { class: "lines-place" }, this.lines.element, this.analysisError),
          ),
          element("section", { class: "panel" }, element("h2", { class: "legend", text: "The value over the game" }), this.graph.element),
          this.lesson.element,
          help("How to read it", HELP),
        ),
        this.lastColumn,
      ),
    );
    this.onHide = () => (document.hidden ? this.stop() : this.refresh());
    document.addEventListener("visibilitychange", this.onHide);
  }

  close() {
    super.close();
    this.graphJob?.cancel();
    this.lesson.close();
    document.removeEventListener("visibilitychange", this.onHide);
  }

  // 1. Which position.

  async take({ analysis, store = TOURNAMENTS[0], played }) {
    this.on = analysis !== "off";
    if (played === this.source.played && store === this.source.store) return;
    this.source = played && TOURNAMENTS.includes(store) ? { store, played } : {};
    this.played = null;
    if (!this.source.played) return;
    const { source } = this;
    const told = await this.shell.connection.request({ do: "record", ...source }).catch(() => null); // the moves are in the address
    if (source === this.source) this.played = told;
  }

  /** Say who played the game of a tournament, with the way back to it. */
  #showPlayed({ players }) {
    const { played } = this;
    this.playedBy.hidden = !played;
    if (!played) return;
    const [one, other = one] = played.keys;
    const alone = played.keys.length < 2;
    const who = played.agents.flatMap((agent, seat) => [seat ? " – " : "", element("bdi", { text: agent }), alone ? "" : ` (${players[seat]})`]);
    const back = element("a", { href: this.shell.link("tournament", { store: this.source.store, one, other }), "data-test": "back-to-tournament", text: "Back to the tournament" });
    this.playedBy.replaceChildren(element("span", {}, ...who, `: ${resultText(played, alone)}`), back);
  }

  reload() {
    this.worth.clear();
    this.graphKey = null;
    return super.reload();
  }

  /** Search again: with another estimate the values differ. */
  #anew() {
    this.worth.clear();
    this.graphKey = null;
    this.refresh();
  }

  query() {
    return { ...super.query(), analysis: this.on ? "" : "off", ...this.source };
  }

  #place(position) {
    const { game, start } = this.timeline.position;
    if (position.game !== game || position.start !== start) this.source = {};
    if (!this.source.played) this.played = null;
    this.timeline.set(position);
    this.write({ push: true });
    return this.refresh();
  }

  play(choice) {
    this.timeline.play(choice);
    this.write({ push: true });
    return this.refresh();
  }

  /** Go along a line: it is written in names, and each is looked up where it is played. */
  async follow(choice, names) {
    let position = after(this.timeline.here, choice);
    for (const name of names) {
      const { choices } = await this.timeline.view(position);
      const next = choices.find((candidate) => candidate.name === name);
      if (!next) break;
      position = after(position, next.choice);
    }
    await this.#place(position);
  }

  async change() {
    const chosen = await this.shell.chooseGame({ title: "Choose a game to analyse", game: this.timeline.position.game });
    if (chosen && !this.closed) await this.#place({ ...chosen, choices: [] });
  }

  async setUp(event) {
    event.preventDefault();
    const { game } = this.timeline.position;
    try {
      const text = this.setupField.value.trim();
      const { start } = text ? await this.shell.connection.request({ do: "read", game, text }) : { start: "" };
      this.setupField.blur();
      await this.#place({ game, start, choices: [] });
    } catch (error) {
      write(this.setupError, error.message);
    }
  }

  /** Enter sets the position up; with Shift it begins another line. */
  #typing(event) {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    this.setupField.form.requestSubmit();
  }

  async #offerDeal(game) {
    this.dealButton.hidden = true;
    const entry = gameOf(await this.shell.games(), game);
    if (this.view?.game === game) this.dealButton.hidden = !entry?.deals;
  }

  async deal() {
    const { game } = this.timeline.position;
    try {
      const { start } = await this.shell.connection.request({ do: "deal", game });
      await this.#place({ game, start, choices: [] });
    } catch (error) {
      this.shell.notice(error.message);
    }
  }

  // 2. The board.

  playable({ turn }) {
    return { board: turn >= 0, moves: turn !== -2 };
  }

  fresh(view) {
    this.#offerDeal(view.game);
    this.lesson.show(view.game);
    const [first, second] = view.players;
    const scale = `from ${format.value(view.low, view.low, view.high)} to ${format.value(view.high, view.low, view.high)}`;
    write(this.legend, second ? `+ is good for ${first}, − for ${second}; ${scale}` : "");
  }

  display(view) {
    this.lines.shape(view, this.on);
    if (document.activeElement !== this.setupField) this.setupField.value = view.state;
    write(this.setupError, "");
    this.#showPlayed(view);
    const text = view.turn >= 0 ? `${view.players[view.turn]} to move` : view.turn === -1 ? "Chance: choose an outcome" : "";
    this.status(text + format.soFar(view), view.turn);
    this.shell.announce(`${text || view.result}.`);
  }

  blank() {
    this.dealButton.hidden = true;
    this.bar.hide();
    this.graph.clear();
    this.lines.show([], { turn: -2 });
    for (const node of [this.legend, this.badge, this.analysisError, ...Object.values(this.readings)]) node.replaceChildren();
  }

  proceed(view, number) {
    this.#values();
    setTimeout(() => number === this.number && this.#askGraph(), GRAPH_AFTER);
  }

  // 3. The analysis.

  toggle(on) {
    this.on = on;
    this.write();
    this.refresh();
  }

  /** Whether there is an analysis: it is switched on and has not failed. */
  get going() {
    return this.on && !this.failed;
  }

  /** Search at once, beside the view: the first values are what people wait for. */
  begin(number) {
    this.found = null;
    this.#search(number);
  }

  #search(number) {
    this.failed = "";
    this.switch.setAttribute("aria-checked", String(this.on));
    if (!this.on) {
      this.graphJob?.cancel();
      this.graphJob = this.graphKey = null;
    }
    if (!this.on || document.hidden) return;
    this.job = this.shell.connection.request({ do: "analyse", ...this.timeline.here, ...withLearned(this.timeline.here.game), seconds: ANALYSIS_SECONDS }, (event) => this.#hear(event, number));
    this.job.then(
      (last) => last?.stopped_by === "busy" && setTimeout(() => number === this.number && this.#search(number), AGAIN),
      (error) => number === this.number && !this.closed && this.#broken(error),
    );
  }

  /** A search that failed leaves no values: nothing tells which of them hold. */
  #broken(error) {
    if (forgotten(this.timeline.here.game, error)) return this.#anew();
    this.found = null;
    this.failed = error.message;
    if (this.shown !== this.number) return; // the view is still to come, and tells of a wrong address
    this.worth.delete(keyOf(this.timeline.here));
    this.#values();
  }

  #hear(event, number) {
    if (number !== this.number || (event.event !== "analysis" && event.event !== "tick")) return;
    this.found = event.event === "analysis" ? event : { ...this.found, nodes: event.nodes, rate: event.rate };
    if (this.drawing) return;
    this.drawing = requestAnimationFrame(() => {
      this.drawing = null;
      this.#values();
    });
  }

  /** Put what is known of the position on the screen; nothing of it stays while the analysis is off. */
  #values() {
    const { view, found } = this;
    if (this.closed || this.shown !== this.number) return; // values may come before the view that they belong to
    const over = view.turn === -2;
    if (over) this.failed = ""; // there was nothing to search
    write(this.analysisError, this.on ? this.failed : "");
    this.switch.setAttribute("aria-checked", String(this.going));
    const value = !this.on ? null : over ? view.score : (found?.value ?? null);
    const moves = (this.on && !over && found?.moves) || [];
    const worth = new Map(moves.map((move) => [move.choice, move.value]));
    const better = betterFor(view.turn);
    const known = moves.filter((move) => move.value !== null && move.value !== undefined);
    const best = known.reduce((held, move) => (held === null || better(move.value, held) ? move.value : held), null);
    const undecided = this.on && !over && Boolean(found?.undecided);
    const marked = view.turn >= 0 && !(undecided && known.every((move) => move.value === best)); // where nothing is known, nothing is best
    const labels = new Map(
      known.map(({ choice, value: worth, undecided: open }) => [
        choice,
        { text: open ? "?" : format.value(worth, view.low, view.high), kind: marked && worth === best ? "best" : "other" },
      ]),
    );
    this.board.label(labels, (one, other) => better(worth.get(one), worth.get(other)), this.on && view.turn >= 0 ? found?.best : null);
    this.moves.label(labels);
    this.lines.show(moves, view, found?.best);
    if (value === null) this.bar.hide();
    else this.bar.show(value, view, undecided && UNDECIDED);
    write(this.readings.value, undecided ? UNDECIDED : format.value(value, view.low, view.high));
    this.readings.value.classList.toggle("words", undecided);
    write(this.readings.depth, this.on && found?.depth ? String(found.depth) : "");
    write(this.readings.nodes, this.on && found?.nodes ? format.count(found.nodes) : "");
    write(this.readings.rate, this.on && found?.rate ? format.count(found.rate) : "");
    this.#how(over || found?.proven, found);
    if (value !== null) this.worth.set(keyOf(this.timeline.here), value + (over ? 0 : (view.paid ?? 0))); // all of the game
    this.#graph();
  }

  /** Say whether the search goes on. */
  #how(proven, found) {
    const late = found?.stopped_by === "time";
    const going = found?.stopped_by === "busy" ? "waiting" : late ? `stopped after ${ANALYSIS_SECONDS / 60} min` : found?.done ? "stopped" : "searching";
    this.badge.title = this.on && late && !proven ? "Switch the analysis off and on to search on." : "";
    this.badge.classList.toggle("proven", this.on && Boolean(proven));
    write(this.badge, !this.on ? "" : this.failed ? "failed" : proven ? "proven" : going);
  }

  // 4. The graph.

  #plies() {
    const { position } = this.timeline;
    return [...Array(position.choices.length + 1).keys()].map((ply) => keyOf(upTo(position, ply)));
  }

  #graph() {
    if (!this.view) return;
    if (!this.on) return this.graph.clear();
    this.graph.show(this.#plies().map((key) => this.worth.get(key)), this.timeline.ply, this.view);
  }

  /** Ask for the values of the game's other positions, where they are not known yet. */
  #askGraph() {
    if (!this.on || document.hidden) return;
    const keys = this.#plies();
    const missing = keys.filter((key, ply) => ply !== this.timeline.ply && !this.worth.has(key));
    const { position } = this.timeline;
    if (!missing.length || this.graphKey === keyOf(position)) return;
    this.graphJob?.cancel();
    this.graphKey = keyOf(position);
    this.graphJob = this.shell.connection.request({ do: "graph", ...position, ...withLearned(position.game) }, ({ event, ply, value }) => {
      if (event !== "point" || this.closed || !this.on || this.worth.has(keys[ply])) return;
      this.worth.set(keys[ply], value);
      this.#graph();
    });
    this.graphJob.catch((error) => this.failed || this.closed || this.shell.notice(error.message));
  }
}
