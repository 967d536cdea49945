// Play: any game, any seats. The page holds the game; the server is asked for views, draws of chance and the engines' moves.

import { Board } from "./board.js";
import { showDraw } from "./dice.js";
import { element, write } from "./element.js";
import * as format from "./format.js";
import { Rules, help } from "./help.js";
import { mark, showResult } from "./mark.js";
import { Moves } from "./moves.js";
import { Past } from "./past.js";
import { gameIn, gameOf, queryOf, upTo } from "./position.js";
import { Seat, agentOf, seatsOf } from "./seats.js";
import { Timeline, gameKey } from "./timeline.js";
import { noAnswer, patiently, troubleText } from "./trouble.js";

const PACE = 350; // milliseconds between the moves of engines that play each other, so that people can follow
const HINT = "search:seconds=1";
const INSTEAD = "level:4"; // who plays where perfect play cannot
const HELP = [
  ["Outplay", "Play any of its games, or a game of your own, against a search; or let two play each other. Analyse says what every move is worth, Search draws the tree that was searched. The position goes along from room to room."],
  ["Seats", "A person; an engine, stronger at a higher level, with more time or more depth; perfect play, for games small enough to be solved; random moves; or a policy that belongs to the game."],
  ["Values", "What a search expects the game to end with: + is good for the first player, − for the second. Proven: searched to the end of the game."],
  ["Keys", "Tab and the arrows walk over the board, Enter chooses, Escape lets go. Or type a move’s name, then Enter. Away from the board the arrows step through the game."],
];

const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

let lastSeats = ["person", "level:4"]; // who comes back from another room finds the seats as they were

export default class Play {
  constructor(root, shell) {
    this.root = root;
    this.shell = shell;
    this.timeline = new Timeline(shell.connection);
    this.seats = lastSeats;
    this.paused = false;
    this.number = 0; // counts changes of the board: what was asked for an earlier one is dropped
    this.job = null; // the engine at work, or a hint
    this.view = null;
    this.thoughts = ["", ""]; // what each seat's engine found for its last move
    this.#build();
  }

  #build() {
    this.board = new Board({ onMove: (choice) => this.choose(choice), onNarrow: (moves) => this.moves.narrow(moves) });
    this.moves = new Moves({ onMove: (choice) => this.choose(choice) });
    this.past = new Past({ onGo: (where) => this.go(where) });
    this.seatControls = [0, 1].map((player) => new Seat({ player, onChange: (seat) => this.seat(player, seat) }));
    this.title = element("h1", { class: "game-title" });
    this.about = element("p", { class: "about" });
    this.rules = new Rules();
    this.turn = element("p", { class: "turn", "data-test": "turn" });
    this.result = element("p", { class: "result", "data-test": "result" });
    this.hintText = element("p", { class: "hint-text numeric", "data-test": "hint-text" });
    this.troubleText = troubleText("trouble");
    this.drawError = element("p", { class: "note", "data-test": "draw-error" });
    const button = (name, text, action, more = {}) =>
      element("button", { type: "button", class: "button", "data-test": name, text, on: { click: action }, ...more });
    this.newButton = button("new-game", "New game", () => this.newGame(), { class: "button primary" });
    this.undoButton = button("undo", "Undo", () => this.undo());
    this.hintButton = button("hint", "Hint", () => this.hint());
    this.pauseButton = button("pause", "Pause", () => this.pause());
    this.lookingText = element("p", { class: "numeric" });
    this.looking = element(
      "div",
      { class: "looking", "data-test": "looking", hidden: true },
      this.lookingText,
      element("div", { class: "actions" }, button("back-to-game", "Back to the game", () => this.go("end")), button("play-on", "Play on from here", () => this.playOn())),
    );
    this.main = element(
      "div",
      { class: "main" },
      element("div", { class: "board-row" }, this.board.element),
      element("div", { class: "status" }, this.turn, this.result, this.hintText, this.looking, this.troubleText, this.drawError),
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
            this.rules.element,
            element("div", { class: "actions" }, this.newButton, this.undoButton, this.hintButton, this.pauseButton),
            this.seatControls.map((control) => control.element),
          ),
          help("What is this?", HELP),
        ),
        this.lastColumn,
      ),
    );
    this.onKey = (event) => gameKey(event, { go: (where) => this.go(where), board: this.board, moves: this.moves });
    document.addEventListener("keydown", this.onKey);
  }

  close() {
    this.closed = true;
    this.#stop();
    document.removeEventListener("keydown", this.onKey);
  }

  #stop() {
    this.number += 1;
    this.board.busy();
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
    this.thoughts = ["", ""];
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
    this.thoughts = ["", ""];
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
      this.shell.notice(error.message);
      return this.refresh(); // the game goes on
    }
    this.paused = false;
    this.thoughts = ["", ""];
    this.#write({ push: true });
    await this.refresh();
  }

  async seat(player, seat) {
    this.seats = this.seats.with(player, seat);
    this.thoughts = this.thoughts.with(player, "");
    this.paused = false;
    this.#write();
    await this.refresh();
    if (seat === "solved" && this.view?.turn >= 0 && this.seats[this.view.turn] === "person") await this.#trySolved(player);
  }

  /** Solve the game while a person is to move, so that a game too large for it is told of at once. */
  async #trySolved(player) {
    const number = this.number;
    const info = this.seatControls[player].info;
    this.job = this.shell.connection.request({ do: "move", ...this.timeline.here, agent: "solved" }, ({ event, phase, states }) => {
      if (event === "solving" && number === this.number) write(info, `Solving the game: ${phase}, ${format.count(states)} states`);
    });
    try {
      await this.job;
      if (number === this.number) write(info, "Solved: it plays perfectly");
    } catch (error) {
      if (number === this.number) this.#notSolved(player, error);
    }
  }

  /** Perfect play cannot play here: say so beside the seat, and let an engine. */
  #notSolved(player, error) {
    this.seats = this.seats.with(player, INSTEAD);
    const why = /more states than fit/.test(error.message) ? "This game is too large to be solved here" : error.message;
    this.thoughts = this.thoughts.with(player, `${why}. An engine plays instead.`);
    this.#write();
    return this.refresh();
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

  /** Leave what was played after the position on the board. */
  playOn() {
    this.timeline.cut(this.timeline.ply);
    this.thoughts = ["", ""];
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
    this.thoughts = ["", ""];
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

  /** Show the position; *trouble*: what kept a later one from being shown. The engines then wait for a person to do something. */
  async refresh(trouble = "") {
    this.#stop();
    const number = this.number;
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
    if (!trouble) this.#proceed(view, number);
  }

  #late() {
    const { game } = this.timeline.position;
    const text = noAnswer(game);
    if (this.view?.game === game) write(this.troubleText, text);
    else this.#bare(text);
  }

  /** What cannot be shown is not left on the board: the game goes as far as it can, and where not even its start can be shown, nothing is. */
  async #fail(error, trouble) {
    const { number } = this;
    const { position, ply } = this.timeline;
    const text = trouble || error.message;
    const good = await this.timeline.lastGood();
    if (this.closed || number !== this.number) return;
    if (good < 0 && !position.start) return this.#bare(text);
    if (good >= 0) this.timeline.set(upTo(position, good), Math.min(ply, good));
    else this.timeline.set({ game: position.game, start: "", choices: [] });
    this.#write();
    return this.refresh(text);
  }

  /** Show the room without a position, and why there is none. */
  #bare(text) {
    const { game } = this.timeline.position;
    const players = this.entry?.players ?? ["player 0", "player 1"];
    this.view = null;
    write(this.title, this.entry?.name === game ? this.entry.title : game);
    write(this.about, this.entry?.about ?? "");
    this.rules.show("");
    this.board.empty();
    this.moves.show({ game: null, turn: -2, choices: [], drawn: true }, { playable: false });
    this.past.show([], 0, players);
    this.seatControls.forEach((control, player) => {
      control.show(this.seats[player], this.entry, players);
      control.element.classList.remove("acting");
      write(control.info, "");
    });
    for (const button of [this.undoButton, this.hintButton, this.pauseButton]) button.disabled = true;
    for (const node of [this.turn, this.result, this.hintText, this.drawError]) node.replaceChildren();
    this.looking.hidden = true;
    if (!this.layout.isConnected) this.root.replaceChildren(this.layout);
    write(this.troubleText, text);
    this.shell.ready();
  }

  #show(view, past) {
    const fresh = this.view?.game !== view.game;
    const person = view.turn >= 0 && this.seats[view.turn] === "person";
    this.view = view;
    this.shown = this.number;
    if (fresh) {
      write(this.title, view.title);
      write(this.about, this.entry?.about ?? "");
      this.rules.show(view.rules);
      this.board.shape(view);
      (view.drawn ? this.lastColumn : this.main).append(this.moves.element); // what cannot be clicked is chosen right below it
    }
    this.seatControls.forEach((control, player) => {
      control.show(this.seats[player], this.entry, view.players);
      control.element.classList.toggle("acting", view.turn === player);
      write(control.info, this.timeline.atEnd ? this.thoughts[player] : ""); // of the game's end, not of what is looked at
    });
    if (!this.layout.isConnected) this.root.replaceChildren(this.layout);
    this.board.show(view, { playable: person });
    this.moves.show(view, { playable: person });
    this.past.show(past, this.timeline.ply, view.players);
    write(this.hintText, "");
    write(this.troubleText, "");
    write(this.drawError, view.draw_error && `It is not drawn: ${view.draw_error}`);
    this.#look(view, past.length);
    this.hintButton.disabled = !person;
    this.undoButton.disabled = !view.past.some(({ turn }) => turn >= 0 && (this.seats[turn] === "person" || !this.#anyPerson()));
    this.pauseButton.disabled = this.#anyPerson() || view.turn === -2;
    write(this.pauseButton, this.paused ? "Go on" : "Pause");
    this.#say(view, person);
  }

  /** Say that the board is not where the game is, and how to get on. */
  #look({ turn, players }, all) {
    const { ply, atEnd } = this.timeline;
    const who = turn >= 0 ? `${players[turn]} to move` : "chance decides";
    this.looking.hidden = atEnd;
    write(this.lookingText, atEnd ? "" : ply ? `You are looking at move ${ply} of ${all}: ${who}.` : `You are looking at the start: ${who}.`);
  }

  #say(view, person) {
    const over = view.turn === -2;
    const who = view.turn >= 0 ? view.players[view.turn] : "";
    const alone = this.seats.filter((seat) => seat === "person").length === 1;
    const text = person ? (alone ? `Your move: ${who}` : `${who} to move`) : view.turn === -1 ? "Chance decides" : over ? "" : `${who} to move`;
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
      if (this.seats[view.turn] === "solved") return this.#notSolved(view.turn, error);
      this.#say(view, false);
      write(this.troubleText, error.message);
    }
  }

  async #roll(view, number) {
    const drawn = await this.shell.connection.request({ do: "roll", ...this.timeline.here });
    if (number !== this.number) return;
    await showDraw(this.board.element, view.choices, drawn.name, () => this.#status(`Chance: ${drawn.name}`, -1));
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
    this.thoughts = this.thoughts.with(player, this.#thought(moved));
    this.job = null;
    await this.play(moved.choice);
  }

  #thought({ value, depth, nodes, seconds, proven }) {
    if (value === null || value === undefined) return "";
    const parts = [`value ${format.value(value, this.view.low, this.view.high)} to ${this.view.players[0]}`, depth && `depth ${depth}`, nodes && `${format.count(nodes)} nodes`];
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
      const text = `Hint: ${moved.name} (${label.text} to ${this.view.players[0]}${depth})`;
      write(this.hintText, text);
      this.shell.announce(text);
    } catch (error) {
      if (number === this.number) write(this.hintText, error.message);
    }
    if (number === this.number) this.hintButton.disabled = false;
  }
}
