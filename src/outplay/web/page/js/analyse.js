// Analyse: what every move of a position is worth, live as the search deepens. Switched off, nothing runs and nothing is shown.

import { Bar } from "./bar.js";
import { Board } from "./board.js";
import { element, write } from "./element.js";
import * as format from "./format.js";
import { Graph } from "./graph.js";
import { Rules, help } from "./help.js";
import { Lines, betterFor } from "./lines.js";
import { mark, showResult } from "./mark.js";
import { Moves } from "./moves.js";
import { Past } from "./past.js";
import { after, gameIn, gameOf, keyOf, queryOf, upTo } from "./position.js";
import { Timeline, gameKey } from "./timeline.js";
import { noAnswer, patiently, troubleText } from "./trouble.js";

const SECONDS = 120; // of one position; a search that proves its value ends before
const GRAPH_SECONDS = 0.1; // of each position of the graph
const GRAPH_AFTER = 400; // milliseconds: the values on the board come first, and who steps quickly asks for no graph
const ECHO = 60; // letters of what was typed that an error repeats
const AGAIN = 1500; // milliseconds until a search that had to make room is asked for again
const HELP = [
  ["Value", "What best play of both leads to, always as the first player counts it, on the scale of the game’s scores. The bar shows it: the more of it is a player’s, the better that player stands."],
  ["On the board", "The value of each move; green: a best one for whoever is to move."],
  ["Depth", "How many moves ahead everything has been searched; it grows while you watch."],
  ["Nodes", "The positions that the search has looked at, in all and each second."],
  ["Proven", "Searched to the end of the game: the value is certain. Until then it rests on the game’s estimate."],
  ["Lines", "The best moves, each with the play that is expected after it; choose one to go there. [In brackets]: an outcome of chance."],
  ["Keys", "The arrows step through the game; on the board they walk from place to place, and Enter chooses. Or type a move’s name, then Enter."],
];

export default class Analyse {
  constructor(root, shell) {
    this.root = root;
    this.shell = shell;
    this.timeline = new Timeline(shell.connection);
    this.on = true;
    this.number = 0; // counts changes of the board
    this.job = null; // the analysis
    this.graphJob = null;
    this.found = null; // the latest analysis of the position on the board
    this.failed = ""; // why there is no analysis of it
    this.view = null;
    this.worth = new Map(); // key of a position -> its value, for the graph
    this.#build();
  }

  #build() {
    this.board = new Board({ onMove: (choice) => this.play(choice), onNarrow: (moves) => this.moves.narrow(moves) });
    this.bar = new Bar();
    this.moves = new Moves({ onMove: (choice) => this.play(choice), valued: true });
    this.past = new Past({ onGo: (where) => this.go(where) });
    this.lines = new Lines({ onGo: (choice, names) => this.follow(choice, names) });
    this.graph = new Graph({ onGo: (ply) => this.go(ply) });
    this.title = element("h1", { class: "game-title" });
    this.turn = element("p", { class: "turn", "data-test": "turn" });
    this.result = element("p", { class: "result", "data-test": "result" });
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
    this.troubleText = troubleText("trouble");
    this.drawError = element("p", { class: "note", "data-test": "draw-error" });
    this.rules = new Rules();
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
      this.past.element,
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
          help("How to read it", HELP),
        ),
        this.lastColumn,
      ),
    );
    this.onKey = (event) => gameKey(event, { go: (where) => this.go(where), board: this.board, moves: this.moves });
    this.onHide = () => (document.hidden ? this.#stop() : this.refresh());
    document.addEventListener("keydown", this.onKey);
    document.addEventListener("visibilitychange", this.onHide);
  }

  close() {
    this.closed = true;
    this.#stop();
    this.graphJob?.cancel();
    document.removeEventListener("keydown", this.onKey);
    document.removeEventListener("visibilitychange", this.onHide);
  }

  #stop() {
    this.number += 1;
    this.board.busy();
    this.job?.cancel();
    this.job = null;
  }

  // 1. Which position.

  async load(query) {
    this.#stop();
    const { number } = this;
    const { position, ply } = gameIn(query);
    this.on = query.analysis !== "off";
    if (!position.game) {
      const list = await this.shell.games();
      if (this.closed || number !== this.number) return; // another address came meanwhile
      position.game = (list.find((game) => game.own) ?? gameOf(list, "connect-four") ?? list[0]).name;
      position.choices = [];
    }
    this.timeline.set(position, Math.min(ply, position.choices.length));
    await this.refresh();
    if (this.closed) return;
    this.#write(); // a game that the address did not name is in it from now on
    this.shell.ready();
  }

  #write({ push = false } = {}) {
    const at = this.timeline.atEnd ? "" : this.timeline.ply;
    this.shell.go({ ...queryOf(this.timeline.position), at, analysis: this.on ? "" : "off" }, { push });
  }

  #place(position) {
    this.timeline.set(position);
    this.#write({ push: true });
    return this.refresh();
  }

  play(choice) {
    if (this.shown !== this.number) return; // a second click before the next board is there
    this.timeline.play(choice);
    this.#write({ push: true });
    return this.refresh();
  }

  go(where) {
    if (!this.timeline.go(where)) return;
    this.#write();
    this.refresh();
  }

  /** Go along a line: it is written in names, and each is looked up where it is played. */
  async follow(choice, names) {
    let position = after(this.timeline.here, choice);
    for (const name of names) {
      const { choices } = await this.timeline.view(position);
      const next = choices.find((candidate) => candidate.name === name || `[${candidate.name}]` === name); // [outcome]
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
      const typed = this.setupField.value.trim();
      const short = typed.length > ECHO ? error.message.replaceAll(typed, `${typed.slice(0, ECHO)}…`) : error.message;
      write(this.setupError, short);
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

  /** Show the position; *trouble*: what kept another one from being shown. */
  async refresh(trouble = "") {
    this.#stop();
    const number = this.number;
    this.found = null;
    this.#begin(number); // at once, beside the view: the first values are what people wait for
    let view, past;
    try {
      [view, past] = await patiently(this.timeline.both(), () => !this.closed && number === this.number && this.#late());
    } catch (error) {
      if (!this.closed && number === this.number) await this.#fail(error, trouble);
      return;
    }
    if (this.closed || number !== this.number) return;
    this.#show(view, past);
    write(this.troubleText, trouble);
    this.#values();
    setTimeout(() => number === this.number && this.#askGraph(), GRAPH_AFTER);
  }

  #late() {
    const { game } = this.timeline.position;
    if (this.view?.game === game) write(this.troubleText, noAnswer(game));
    else this.#bare(noAnswer(game));
  }

  /** What cannot be shown is not left on the board: the game goes as far as it can, and where not even its start can be shown, nothing is. */
  async #fail(error, trouble) {
    const { number } = this;
    const { position, ply } = this.timeline;
    const text = trouble || error.message;
    const good = await this.timeline.lastGood();
    if (this.closed || number !== this.number) return;
    if (good < 0 && !position.start) {
      this.#stop();
      return this.#bare(text);
    }
    if (good >= 0) this.timeline.set(upTo(position, good), Math.min(ply, good));
    else this.timeline.set({ game: position.game, start: "", choices: [] });
    this.#write();
    return this.refresh(text);
  }

  /** Show the room without a position, and why there is none. */
  #bare(text) {
    const { game } = this.timeline.position;
    this.view = null;
    write(this.title, game);
    this.rules.show("");
    this.dealButton.hidden = true;
    this.board.empty();
    this.bar.hide();
    this.moves.show({ game: null, turn: -2, choices: [], drawn: true }, { playable: false });
    this.past.show([], 0, ["", ""]);
    this.graph.clear();
    this.lines.show([], { turn: -2 });
    for (const node of [this.turn, this.result, this.drawError, this.legend, this.badge, this.analysisError, ...Object.values(this.readings)]) node.replaceChildren();
    if (!this.layout.isConnected) this.root.replaceChildren(this.layout);
    write(this.troubleText, text);
    this.shell.ready();
  }

  #show(view, past) {
    if (this.view?.game !== view.game) {
      write(this.title, view.title);
      this.rules.show(view.rules);
      this.board.shape(view);
      this.#offerDeal(view.game);
      (view.drawn ? this.lastColumn : this.main).append(this.moves.element);
      write(this.legend, `+ is good for ${view.players[0]}, − for ${view.players[1]}; from ${format.value(view.low)} to ${format.value(view.high)}`);
    }
    this.view = view;
    this.shown = this.number;
    if (!this.layout.isConnected) this.root.replaceChildren(this.layout);
    this.board.show(view, { playable: view.turn >= 0 });
    this.moves.show(view, { playable: view.turn !== -2 });
    this.past.show(past, this.timeline.ply, view.players);
    this.lines.shape(view);
    write(this.troubleText, "");
    write(this.drawError, view.draw_error && `It is not drawn: ${view.draw_error}`);
    if (document.activeElement !== this.setupField) this.setupField.value = view.state;
    write(this.setupError, "");
    const text = view.turn >= 0 ? `${view.players[view.turn]} to move` : view.turn === -1 ? "Chance: choose an outcome" : "";
    this.turn.replaceChildren(...(text ? [mark(view.turn, view.players), element("span", { text })] : []));
    showResult(this.result, view);
    this.shell.announce(`${text || view.result}.`);
  }

  // 3. The analysis.

  toggle(on) {
    this.on = on;
    this.#write();
    this.refresh();
  }

  /** Whether there is an analysis: it is switched on and has not failed. */
  get going() {
    return this.on && !this.failed;
  }

  #begin(number) {
    this.failed = "";
    this.switch.setAttribute("aria-checked", String(this.on));
    if (!this.on) {
      this.graphJob?.cancel();
      this.graphJob = this.graphKey = null;
    }
    if (!this.on || document.hidden) return;
    this.job = this.shell.connection.request({ do: "analyse", ...this.timeline.here, seconds: SECONDS }, (event) => this.#hear(event, number));
    this.job.then(
      (last) => last?.stopped_by === "busy" && setTimeout(() => number === this.number && this.#begin(number), AGAIN),
      (error) => number === this.number && !this.closed && this.#broken(error),
    );
  }

  /** A search that failed leaves no values: nothing tells which of them hold. */
  #broken(error) {
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
    const labels = new Map(
      known.map((move) => [move.choice, { text: format.value(move.value, view.low, view.high), kind: view.turn >= 0 && move.value === best ? "best" : "other" }]),
    );
    this.board.label(labels, (one, other) => better(worth.get(one), worth.get(other)));
    this.moves.label(labels);
    this.lines.show(moves, view);
    if (value === null) this.bar.hide();
    else this.bar.show(value, view);
    write(this.readings.value, format.value(value, view.low, view.high));
    write(this.readings.depth, this.on && found?.depth ? String(found.depth) : "");
    write(this.readings.nodes, this.on && found?.nodes ? format.count(found.nodes) : "");
    write(this.readings.rate, this.on && found?.rate ? format.count(found.rate) : "");
    this.#how(over || found?.proven, found);
    if (value !== null) this.worth.set(keyOf(this.timeline.here), value);
    this.#graph();
  }

  /** Say whether the search goes on. */
  #how(proven, found) {
    const going = found?.stopped_by === "busy" ? "waiting" : found?.done ? "stopped" : "searching";
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
    this.graphJob = this.shell.connection.request({ do: "graph", ...position, seconds: GRAPH_SECONDS }, ({ event, ply, value }) => {
      if (event !== "point" || this.closed || !this.on || this.worth.has(keys[ply])) return;
      this.worth.set(keys[ply], value);
      this.#graph();
    });
    this.graphJob.catch((error) => this.failed || this.closed || this.shell.notice(error.message));
  }
}
