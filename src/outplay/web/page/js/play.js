// Play: any game, any seats. The page holds the game; the server is asked for views, draws of chance and the agents' moves.

import { showDraw } from "./dice.js";
import { element, write } from "./element.js";
import * as format from "./format.js";
import { GameRoom } from "./gameroom.js";
import { help } from "./help.js";
import { LessonPanel, forgotten, withLearned } from "./lessons.js";
import { gameOf, queryOf } from "./position.js";
import { Seat, aboutSeat, agentOf, seatsOf } from "./seats.js";

const PACE = 350; // milliseconds between the moves of agents that play each other, so that people can follow
const HINT = "search"; // for as long as the server searches by itself
const INSTEAD = "level:4"; // who plays where perfect play cannot
const HELP = [
  ["Outplay", "Play any of its games, or a game of your own, against a search; or let two play each other. Analyse says what every move is worth, Search draws the tree that was searched. The position goes along from room to room."],
  ["Seats", "A person; a search, stronger at a higher level, with more time or more depth; a Monte Carlo search, which plays many games to their end at random; perfect play, for games small enough to be solved; random moves; or a policy that belongs to the game."],
  ["Learn", "Outplay plays the game against itself for a minute and learns an estimate from the rules alone. Its searches then use it."],
  ["Values", "What a search expects the game to end with: + is good for the first player, − for the second. Proven: searched to the end of the game."],
  ["Keys", "Tab and the arrows walk over the board, Enter chooses, Escape lets go. Or type a move’s name, then Enter. Away from the board the arrows step through the game, and so do comma and full stop everywhere. Where the moves are left, right, up and down, the arrows play them."],
];

const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const tooLarge = new Set(); // games that perfect play was tried on in vain

let lastSeats = ["person", "level:4"]; // who comes back from another room finds the seats as they were

/** Its job is the agent at work, or a hint. */
export default class Play extends GameRoom {
  constructor(root, shell) {
    super(root, shell);
    this.seats = lastSeats;
    this.paused = false;
    this.thoughts = ["", ""]; // what each seat's agent found for its last move
    this.notes = ["", ""]; // why somebody else sits there than was chosen
    this.#build();
  }

  #build() {
    this.seatControls = [0, 1].map((player) => new Seat({ player, onChange: (seat) => this.seat(player, seat) }));
    this.lesson = new LessonPanel({ connection: this.shell.connection, onUse: () => {} }); // the next move uses it
    this.about = element("p", { class: "about" });
    this.hintText = element("p", { class: "hint-text numeric", "data-test": "hint-text" });
    const button = (name, text, action, more = {}) =>
      element("button", { type: "button", class: "button", "data-test": name, text, on: { click: action }, ...more });
    this.newButton = button("new-game", "New game", () => this.newGame());
    this.undoButton = button("undo", "Undo", () => this.undo());
    this.hintButton = button("hint", "Hint", () => this.hint());
    this.pauseButton = button("pause", "Pause", () => this.pause());
    this.rematchButton = button("rematch", "Rematch", () => this.rematch(), { class: "button primary", title: "Play again with the seats swapped" });
    this.analyseLink = element("a", { class: "button", "data-test": "analyse-game", text: "Analyse this game" });
    this.backButton = button("back-to-game", "Back to the game", () => this.go("end"), { class: "button primary" });
    this.onButton = button("play-on", "Play on from here", () => this.playOn());
    this.looking = element("p", { class: "looking numeric", "data-test": "looking", hidden: true });
    this.main = element(
      "div",
      { class: "main" },
      element("div", { class: "board-row" }, this.board.element),
      element(
        "div",
        { class: "status" },
        this.turn,
        this.result,
        this.hintText,
        this.looking,
        element("div", { class: "actions" }, this.undoButton, this.hintButton, this.pauseButton, this.rematchButton, this.analyseLink, this.backButton, this.onButton),
        this.troubleText,
        this.drawError,
      ),
    );
    this.lastColumn = element("div", { class: "column" }, this.moveList.element);
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
            this.title,
            this.about,
            this.rules.element,
            element("div", { class: "actions" }, this.newButton, button("game", "Change game", () => this.change())),
            this.seatControls.map((control) => control.element),
          ),
          this.lesson.element,
          help("What is this?", HELP),
        ),
        this.lastColumn,
      ),
    );
  }

  // 1. What is played.

  async take(query) {
    const { number } = this;
    this.thoughts = ["", ""];
    this.prepare();
    const entry = gameOf(await this.shell.games(), this.timeline.position.game);
    if (this.isOld(number)) return;
    if (this.entry !== entry) this.notes = ["", ""];
    this.entry = entry;
    this.seats = seatsOf(query.seats, entry, this.seats);
    this.paused = false;
  }

  prepare() {
    const { game } = this.timeline.position;
    if (this.prepared === game) return;
    this.prepared = game;
    this.shell.connection.request({ do: "prepare", game }).catch(() => {}); // whoever searches will hear why
  }

  query() {
    return { ...super.query(), seats: this.seats.join(",") };
  }

  write(options) {
    lastSeats = this.seats;
    super.write(options);
  }

  async reload() {
    this.prepared = null;
    this.entry = gameOf(await this.shell.games(), this.timeline.position.game);
    this.seats = seatsOf(this.seats.join(","), this.entry);
    this.thoughts = ["", ""];
    this.prepare();
    return super.reload();
  }

  async change() {
    const chosen = await this.shell.chooseGame({ game: this.timeline.position.game });
    if (!chosen || this.closed) return;
    this.stop();
    this.thoughts = ["", ""];
    this.timeline.set({ ...chosen, choices: [] });
    this.entry = gameOf(await this.shell.games(), chosen.game);
    this.notes = ["", ""];
    this.seats = seatsOf(this.seats.join(","), this.entry);
    this.paused = false;
    this.prepare();
    this.write({ push: true });
    await this.refresh();
  }

  /** Play again with the seats swapped, as chess sites have it. */
  rematch() {
    this.seats = this.seats.toReversed();
    this.notes = this.notes.toReversed();
    return this.newGame();
  }

  async newGame() {
    this.stop();
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
    this.write({ push: true });
    await this.refresh();
  }

  async seat(player, seat) {
    this.seats = this.seats.with(player, seat);
    this.thoughts = this.thoughts.with(player, "");
    this.notes = this.notes.with(player, "");
    this.paused = false;
    this.write();
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

  /** The game cannot be solved here: say so beside the seat while that is so, and let a search play. */
  #notSolved(player, error) {
    const large = error.code === "too-large";
    if (large) tooLarge.add(this.timeline.position.game);
    this.seats = this.seats.with(player, INSTEAD);
    this.notes = this.notes.with(player, `${large ? "This game is too large to be solved here" : error.message}. A search plays instead.`);
    this.write();
    return this.refresh();
  }

  play(choice, view = null) {
    this.timeline.play(choice, view);
    this.write();
    return this.refresh();
  }

  /** Leave what was played after the position on the board. */
  playOn() {
    this.timeline.cut(this.timeline.ply);
    this.thoughts = ["", ""];
    this.write();
    this.refresh();
  }

  /** Take back to the last turn of a person; between agents, the last move. */
  undo() {
    const past = this.view.past.map(({ turn }) => turn);
    const mine = (turn) => (this.#anyPerson() ? this.seats[turn] === "person" : turn >= 0);
    const ply = past.findLastIndex((turn) => mine(turn));
    if (ply < 0) return;
    this.timeline.cut(ply);
    this.thoughts = ["", ""];
    if (!this.#anyPerson()) this.paused = true;
    this.write();
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

  #isPerson({ turn }) {
    return turn >= 0 && this.seats[turn] === "person";
  }

  playable(view) {
    const person = this.#isPerson(view);
    return { board: person, moves: person };
  }

  close() {
    super.close();
    this.lesson.close();
  }

  fresh(view) {
    this.lesson.show(view.game);
    write(this.about, this.entry?.about ?? "");
    this.rules.show(view.rules, this.entry?.about);
  }

  display(view, past) {
    const person = this.#isPerson(view);
    this.#showSeats(view.players, view.turn);
    write(this.hintText, "");
    this.#look(view, past.length);
    const [over, here, anyPerson] = [view.turn === -2, this.timeline.atEnd, this.#anyPerson()];
    this.hintButton.disabled = !person;
    const wanted = [
      [this.undoButton, here],
      [this.hintButton, here && !over && anyPerson],
      [this.pauseButton, here && !over && !anyPerson],
      [this.rematchButton, here && over],
      [this.analyseLink, here && over],
      [this.backButton, !here],
      [this.onButton, !here],
    ];
    for (const [button, shown] of wanted) button.hidden = !shown;
    this.analyseLink.href = this.shell.link("analyse", { ...queryOf(this.timeline.position), at: 0 });
    this.undoButton.disabled = !view.past.some(({ turn }) => turn >= 0 && (this.seats[turn] === "person" || !this.#anyPerson()));
    write(this.pauseButton, this.paused ? "Go on" : "Pause");
    this.#say(view, person);
  }

  blank() {
    const { entry } = this;
    if (entry?.name === this.timeline.position.game) write(this.title, entry.title);
    write(this.about, entry?.about ?? "");
    this.#showSeats(entry?.players ?? ["player 0", "player 1"], -2);
    for (const button of this.undoButton.parentElement.children) button.hidden = true;
    this.hintText.replaceChildren();
    this.looking.hidden = true;
  }

  #showSeats(players, turn) {
    this.seatControls.forEach((control, player) => {
      control.element.hidden = player >= players.length;
      if (control.element.hidden) return;
      control.show(this.seats[player], this.entry, players, tooLarge.has(this.timeline.position.game));
      write(control.note, this.notes[player]);
      control.element.classList.toggle("acting", turn === player);
      write(control.info, this.view && this.timeline.atEnd ? this.thoughts[player] || aboutSeat(this.seats[player]) : ""); // of the game's end, not of what is looked at
    });
  }

  /** Say that the board is not where the game is, and how to get on. */
  #look({ turn, players }, all) {
    const { ply, atEnd } = this.timeline;
    const who = turn >= 0 ? `${players[turn]} to move` : "chance decides";
    this.looking.hidden = atEnd;
    write(this.looking, atEnd ? "" : ply ? `You are looking at move ${ply} of ${all}: ${who}.` : `You are looking at the start: ${who}.`);
  }

  #say(view, person) {
    const over = view.turn === -2;
    const who = view.turn >= 0 ? view.players[view.turn] : "";
    const alone = this.seats.filter((seat) => seat === "person").length === 1;
    const text = person ? (view.players.length === 1 ? "Your move" : alone ? `Your move: ${who}` : `${who} to move`) : view.turn === -1 ? "Chance decides" : over ? "" : `${who} to move`;
    this.status(text && text + format.soFar(view), view.turn);
    const last = view.past.at(-1);
    const said = last ? `${last.turn === -1 ? "" : `${view.players[last.turn]}: `}${last.name}. ` : "";
    this.shell.announce(`${said}${over ? `The game is over: ${view.result}` : text}.`);
  }

  /** Let chance or an agent act. After *trouble*, wait until a person does something. */
  async proceed(view, number, trouble) {
    if (trouble || !this.timeline.atEnd || view.turn === -2) return;
    if (this.paused && !this.#anyPerson()) return;
    try {
      if (view.turn === -1) await this.#roll(view, number);
      else if (this.seats[view.turn] !== "person") await this.#agent(view, number);
    } catch (error) {
      if (number !== this.number) return;
      if (forgotten(view.game, error)) return this.refresh();
      if (this.seats[view.turn] === "solved") return this.#notSolved(view.turn, error);
      this.#say(view, false);
      write(this.troubleText, error.message);
    }
  }

  async #roll(view, number) {
    const drawn = await this.shell.connection.request({ do: "roll", ...this.timeline.here });
    if (number !== this.number) return;
    await showDraw(this.board.element, view.choices, drawn.name, () => this.status(`Chance: ${drawn.name}`, -1));
    if (number === this.number) await this.play(drawn.choice, drawn.view);
  }

  async #agent(view, number) {
    const player = view.turn;
    const started = performance.now();
    this.status(`${view.players[player]} is thinking`, player, true);
    const solving = ({ event, phase, states }) => {
      if (event === "solving" && number === this.number) this.status(`Solving the game: ${phase}, ${format.count(states)} states`, player, true);
    };
    const { here } = this.timeline;
    this.job = this.shell.connection.request({ do: "move", ...here, ...withLearned(here.game), agent: agentOf(this.seats[player]) }, solving);
    const moved = await this.job;
    if (moved?.event !== "moved" || number !== this.number) return;
    if (!this.#anyPerson()) await wait(PACE - (performance.now() - started));
    if (number !== this.number) return;
    this.thoughts = this.thoughts.with(player, this.#thought(moved));
    this.job = null;
    await this.play(moved.choice, moved.view);
  }

  #thought({ value, depth, nodes, simulations, seconds, proven }) {
    if (value === null && !nodes) return ""; // whoever does not search has no opinion
    const work = simulations ? [`${format.count(simulations)} ${simulations === 1 ? "simulation" : "simulations"}`] : [depth && `depth ${depth}`, nodes && `${format.count(nodes)} nodes`];
    const parts = [this.#worth(value), ...work];
    return [...parts, nodes && format.seconds(seconds).replace(" ", "\u00a0"), proven && "proven"].filter(Boolean).join(" · ");
  }

  /** A value in words; null: no line was searched to its end, and there is no estimate. */
  #worth(value) {
    if (value === null) return "undecided so far";
    return `value ${format.value(value, this.view.low, this.view.high)} to ${this.view.players[0]}`;
  }

  async hint() {
    this.job?.cancel();
    const number = this.number;
    this.hintButton.disabled = true;
    write(this.hintText, "Looking for a good move…");
    try {
      const job = this.shell.connection.request({ do: "move", ...this.timeline.here, ...withLearned(this.timeline.here.game), agent: HINT });
      this.job = job;
      const moved = await job;
      if (moved?.event !== "moved" || number !== this.number) return;
      const label = { text: moved.value === null ? "?" : format.value(moved.value, this.view.low, this.view.high), kind: "hint" };
      const of = new Map([[moved.choice, label]]);
      this.board.label(of, undefined, moved.choice);
      this.moves.label(of);
      const depth = moved.depth ? `, depth ${moved.depth}` : "";
      const text = `Hint: ${moved.name} (${this.#worth(moved.value).replace("value ", "")}${depth})`;
      write(this.hintText, text);
      this.shell.announce(text);
    } catch (error) {
      if (number === this.number) write(this.hintText, error.message);
    }
    if (number === this.number) this.hintButton.disabled = false;
  }
}
