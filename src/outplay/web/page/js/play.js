// Play: any game, any seats. The page holds the game; the server is asked for views, draws of chance and the engines' moves.

import { Board } from "./board.js";
import { showDraw } from "./dice.js";
import { element, inField, write } from "./element.js";
import * as format from "./format.js";
import { help } from "./help.js";
import { mark, showResult } from "./mark.js";
import { Moves } from "./moves.js";
import { Past } from "./past.js";
import { gameIn, gameOf, queryOf } from "./position.js";
import { Seat, agentOf, seatsOf } from "./seats.js";
import { Timeline, stepOf } from "./timeline.js";

const PACE = 350; // milliseconds between the moves of engines that play each other, so that people can follow
const HINT = "search:seconds=1";
const HELP = [
  ["Outplay", "Play any of its games, or a game of your own, against a search; or let two play each other. Analyse says what every move is worth, Search draws the tree that was searched. The position goes along from room to room."],
  ["Seats", "A person; an engine, stronger at a higher level, with more time or more depth; perfect play, for games small enough to be solved; random moves; or a policy that belongs to the game."],
  ["Values", "What a search expects the game to end with: + is good for the first player, − for the second. Proven: searched to the end of the game."],
  ["Keys", "Tab and the arrows walk over the board, Enter chooses, Escape lets go. Or type a move’s name, then Enter. Away from the board the arrows step through the game."],
];

const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

let lastSeats = ["person", "level:4"]; // who comes back from another room finds the seats as they were

class Play {
  constructor(root, shell) {
    this.root = root;
    this.shell = shell;
    this.timeline = new Timeline(shell.connection);
    this.seats = lastSeats;
    this.paused = false;
    this.number = 0; // counts changes of the board: what was asked for an earlier one is dropped
    this.job = null; // the engine at work, or a hint
    this.view = null;
    this.#build();
  }

  #build() {
    this.board = new Board({ onMove: (choice) => this.choose(choice), onNarrow: (moves) => this.moves.narrow(moves) });
    this.moves = new Moves({ onMove: (choice) => this.choose(choice) });
    this.past = new Past({ onGo: (where) => this.go(where) });
    this.seatControls = [0, 1].map((player) => new Seat({ player, onChange: (seat) => this.seat(player, seat) }));
    this.title = element("h1", { class: "game-title" });
    this.about = element("p", { class: "about" });
    this.turn = element("p", { class: "turn", "data-test": "turn" });
    this.result = element("p", { class: "result", "data-test": "result" });
    this.hintText = element("p", { class: "hint-text numeric", "data-test": "hint-text" });
    const button = (name, text, action, more = {}) =>
      element("button", { type: "button", class: "button", "data-test": name, text, on: { click: action }, ...more });
    this.newButton = button("new-game", "New game", () => this.newGame(), { class: "button primary" });
    this.undoButton = button("undo", "Undo", () => this.undo());
    this.hintButton = button("hint", "Hint", () => this.hint());
    this.pauseButton = button("pause", "Pause", () => this.pause());
    this.main = element(
      "div",
      { class: "main" },
      element("div", { class: "board-row" }, this.board.element),
      element("div", { class: "status" }, this.turn, this.result, this.hintText),
    );
    this.lastColumn = element("div", { class: "column" }, this.past.element);
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
            { class: "panel game-panel", "aria-label": "Game and seats" },
            element("div", { class: "game-head" }, this.title, button("game", "Change", () => this.change(), { "aria-label": "Change game" })),
            this.about,
            element("div", { class: "actions" }, this.newButton, this.undoButton, this.hintButton, this.pauseButton),
            this.seatControls.map((control) => control.element),
          ),
          help("What is this?", HELP),
        ),
        this.lastColumn,
      ),
    );
    this.onKey = (event) => this.#key(event);
    document.addEventListener("keydown", this.onKey);
  }

  close() {
    this.closed = true;
    this.#stop();
    document.removeEventListener("keydown", this.onKey);
  }

  #stop() {
    this.number += 1;
    this.job?.cancel();
    this.job = null;
  }

  // 1. What is played.

  /** Show the game that a query names; without one, the user's own or Connect Four. */
  async load(query) {
    this.#stop();
    const number = this.number;
    const games = this.shell.games();
    const { position, ply } = gameIn(query);
    if (!position.game) {
      const list = await games;
      if (this.closed || number !== this.number) return; // another address came meanwhile
      position.game = (list.find((game) => game.own) ?? gameOf(list, "connect-four") ?? list[0]).name;
      position.choices = [];
    }
    this.timeline.set(position, Math.min(ply, position.choices.length));
    this.prepare();
    const entry = gameOf(await games, position.game);
    if (this.closed || number !== this.number) return;
    this.entry = entry;
    this.seats = seatsOf(query.seats, this.entry, this.seats);
    this.paused = false;
    await this.refresh();
    if (this.closed) return;
    this.#write(); // a game that the address did not name is in it from now on
    this.shell.ready();
  }

  prepare() {
    const { game } = this.timeline.position;
    if (this.prepared === game) return;
    this.prepared = game;
    this.shell.connection.request({ do: "prepare", game }).catch(() => {}); // whoever searches will hear why
  }

  #write({ push = false } = {}) {
    const at = this.timeline.atEnd ? "" : this.timeline.ply;
    lastSeats = this.seats;
    this.shell.go({ ...queryOf(this.timeline.position), seats: this.seats.join(","), at }, { push });
  }

  async change() {
    const chosen = await this.shell.chooseGame({ game: this.timeline.position.game });
    if (!chosen || this.closed) return;
    this.#stop();
    this.timeline.set({ ...chosen, choices: [] });
    this.entry = gameOf(await this.shell.games(), chosen.game);
    this.seats = seatsOf(this.seats.join(","), this.entry);
    this.paused = false;
    this.prepare();
    this.#write({ push: true });
    await this.refresh();
  }

  async newGame() {
    this.#stop();
    const { game, start } = this.timeline.position;
    try {
      const fresh = this.entry?.deals ? (await this.shell.connection.request({ do: "deal", game })).start : start;
      this.timeline.set({ game, start: fresh, choices: [] });
    } catch (error) {
      return this.shell.notice(error.message);
    }
    this.paused = false;
    this.#write({ push: true });
    await this.refresh();
  }

  seat(player, seat) {
    this.seats = this.seats.with(player, seat);
    this.paused = false;
    this.#write();
    this.refresh();
  }

  /** A person's move; a second click before the next board is there is none. */
  choose(choice) {
    if (this.shown === this.number) this.play(choice);
  }

  play(choice) {
    this.timeline.play(choice);
    this.#write();
    return this.refresh();
  }

  go(where) {
    if (!this.timeline.go(where)) return;
    this.#write();
    this.refresh();
  }

  /** Take back to the last turn of a person; between engines, the last move. */
  undo() {
    const past = this.view.past.map(({ turn }) => turn);
    const mine = (turn) => (this.#anyPerson() ? this.seats[turn] === "person" : turn >= 0);
    const ply = past.findLastIndex((turn) => mine(turn));
    if (ply < 0) return;
    this.timeline.cut(ply);
    if (!this.#anyPerson()) this.paused = true;
    this.#write();
    this.refresh();
  }

  pause() {
    this.paused = !this.paused;
    this.refresh();
  }

  #anyPerson() {
    return this.seats.includes("person");
  }

  // 2. The board, and who acts on it.

  async refresh() {
    this.#stop();
    const number = this.number;
    let view, past;
    try {
      [view, past] = await this.timeline.both();
    } catch (error) {
      if (number === this.number) this.#fail(error);
      return;
    }
    if (this.closed || number !== this.number) return;
    this.#show(view, past);
    this.#proceed(view, number);
  }

  /** An address that names no position leads to the start of the game, or to the first game. */
  #fail(error) {
    this.shell.notice(error.message);
    const { game, start, choices } = this.timeline.position;
    if (choices.length || start) this.timeline.set({ game, start: "", choices: [] });
    else if (this.entry) return;
    else return this.load({});
    return this.refresh();
  }

  #show(view, past) {
    const fresh = this.view?.game !== view.game;
    const person = view.turn >= 0 && this.seats[view.turn] === "person";
    this.view = view;
    this.shown = this.number;
    if (fresh) {
      write(this.title, view.title);
      write(this.about, this.entry?.about ?? "");
      this.board.shape(view);
      this.seatControls.forEach((control) => write(control.info, ""));
      (view.drawn ? this.lastColumn : this.main).append(this.moves.element); // what cannot be clicked is chosen right below it
    }
    this.seatControls.forEach((control, player) => {
      control.show(this.seats[player], this.entry, view.players);
      control.element.classList.toggle("acting", view.turn === player);
    });
    if (!this.layout.isConnected) this.root.replaceChildren(this.layout);
    this.board.show(view, { playable: person });
    this.moves.show(view, { playable: person });
    this.past.show(past, this.timeline.ply, view.players);
    write(this.hintText, "");
    this.hintButton.disabled = !person;
    this.undoButton.disabled = !view.past.some(({ turn }) => turn >= 0 && (this.seats[turn] === "person" || !this.#anyPerson()));
    this.pauseButton.disabled = this.#anyPerson() || view.turn === -2;
    write(this.pauseButton, this.paused ? "Go on" : "Pause");
    this.#say(view, person);
  }

  #say(view, person) {
    const over = view.turn === -2;
    const who = view.turn >= 0 ? view.players[view.turn] : "";
    const alone = this.seats.filter((seat) => seat === "person").length === 1;
    const text = person ? (alone ? `Your move: ${who}` : `${who} to move`) : view.turn === -1 ? "Chance draws" : over ? "" : `${who} to move`;
    this.#status(text, view.turn);
    showResult(this.result, view);
    const last = view.past.at(-1);
    const said = last ? `${last.turn === -1 ? "" : `${view.players[last.turn]}: `}${last.name}. ` : "";
    this.shell.announce(`${said}${over ? `The game is over: ${view.result}` : text}.`);
  }

  #status(text, turn, busy = false) {
    this.turn.replaceChildren(...(text ? [mark(turn, this.view.players), element("span", { text })] : []));
    this.turn.classList.toggle("busy", busy);
  }

  async #proceed(view, number) {
    if (!this.timeline.atEnd || view.turn === -2) return;
    if (this.paused && !this.#anyPerson()) return;
    try {
      if (view.turn === -1) await this.#roll(view, number);
      else if (this.seats[view.turn] !== "person") await this.#engine(view, number);
    } catch (error) {
      if (number !== this.number) return;
      this.#status(`Stopped: ${error.message}`, view.turn);
    }
  }

  async #roll(view, number) {
    const drawn = await this.shell.connection.request({ do: "roll", ...this.timeline.here });
    if (number !== this.number) return;
    await showDraw(this.board.element, view.choices, drawn.name, () => this.#status(`Drawn: ${drawn.name}`, -1));
    if (number === this.number) await this.play(drawn.choice);
  }

  async #engine(view, number) {
    const player = view.turn;
    const started = performance.now();
    this.#status(`${view.players[player]} is thinking`, player, true);
    const solving = ({ event, phase, states }) => {
      if (event === "solving" && number === this.number) this.#status(`Solving the game: ${phase}, ${format.count(states)} states`, player, true);
    };
    this.job = this.shell.connection.request({ do: "move", ...this.timeline.here, agent: agentOf(this.seats[player]) }, solving);
    const moved = await this.job;
    if (moved?.event !== "moved" || number !== this.number) return;
    if (!this.#anyPerson()) await wait(PACE - (performance.now() - started));
    if (number !== this.number) return;
    write(this.seatControls[player].info, this.#thought(moved));
    this.job = null;
    await this.play(moved.choice);
  }

  #thought({ value, depth, nodes, seconds, proven }) {
    if (value === null || value === undefined) return "";
    const parts = [`value ${format.value(value, this.view.low, this.view.high)}`, depth && `depth ${depth}`, nodes && `${format.count(nodes)} nodes`];
    return [...parts, nodes && format.seconds(seconds), proven && "proven"].filter(Boolean).join(" · ");
  }

  async hint() {
    this.job?.cancel();
    const number = this.number;
    this.hintButton.disabled = true;
    write(this.hintText, "Looking for a good move…");
    try {
      const job = this.shell.connection.request({ do: "move", ...this.timeline.here, agent: HINT });
      this.job = job;
      const moved = await job;
      if (moved?.event !== "moved" || number !== this.number) return;
      const label = { text: format.value(moved.value, this.view.low, this.view.high) || "!", kind: "hint" };
      const of = new Map([[moved.choice, label]]);
      this.board.label(of);
      this.moves.label(of);
      const depth = moved.depth ? `, depth ${moved.depth}` : "";
      const text = `Hint: ${moved.name} (${label.text}${depth})`;
      write(this.hintText, text);
      this.shell.announce(text);
    } catch (error) {
      if (number === this.number) write(this.hintText, error.message);
    }
    if (number === this.number) this.hintButton.disabled = false;
  }

  #key(event) {
    if (event.defaultPrevented || inField(event.target)) return;
    const where = stepOf(event);
    if (where) {
      event.preventDefault();
      this.go(where);
    } else if (event.key === "Escape") {
      this.board.clear();
    } else if (/^[\p{L}\p{N}]$/u.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey && !this.moves.field.disabled) {
      this.moves.field.focus(); // what is typed names a move
    }
  }
}

let room = null;

export default {
  name: "play",
  title: "Play",
  open(root, query, shell) {
    room = new Play(root, shell);
    return room.load(query);
  },
  change(query) {
    return room.load(query);
  },
  close() {
    room.close();
  },
};
