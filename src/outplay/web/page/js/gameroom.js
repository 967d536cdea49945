// A room with a game on its board: what Play and Analyse have in common. It shows the position that an address names, steps through the
// game, and says what went wrong. A room of this kind extends it, builds its `layout` with `main` and `lastColumn` in it, and fills in
// what is its own:
//
//   take(query)                      take what else an address says
//   query()                          return all that the address is to say
//   play(choice)                     play a move that a person has chosen
//   begin(number)                    ask at once, beside the view of a position, for what else is wanted
//   playable(view)                   return {board, moves}: whether moves can be chosen there
//   fresh(view)                      show what belongs to a game that was not there before
//   display(view, past)              show what belongs to a position
//   proceed(view, number, trouble)   go on once it is shown
//   blank()                          take away what belongs to a position, for there is none

import { Board } from "./board.js";
import { element, write } from "./element.js";
import { Rules } from "./help.js";
import { mark, showResult } from "./mark.js";
import { MoveList } from "./move_list.js";
import { Moves } from "./moves.js";
import { after, gameIn, gameOf, queryOf, upTo } from "./position.js";
import { Timeline, gameKey, takesDirections } from "./timeline.js";
import { noAnswer, patiently, troubleText } from "./trouble.js";

const BUTTONS = "This board has nothing to click: choose a move from the list, or type its name. In a game of your own, grid(…, moves=…) says which cells a move belongs to.";

export class GameRoom {
  /** *valued*: the buttons of the moves have a value each. */
  constructor(root, shell, { valued = false } = {}) {
    this.root = root;
    this.shell = shell;
    this.timeline = new Timeline(shell.connection);
    this.view = null;
    this.number = 0; // counts changes of the board: what was asked for an earlier one is dropped
    this.shown = null; // the number of the board on the screen
    this.job = null; // what the server does for this board
    this.board = new Board({ onMove: (choice) => this.choose(choice), onNarrow: (moves) => this.moves.narrow(moves) });
    this.moves = new Moves({ onMove: (choice) => this.choose(choice), onPoint: (choice) => this.#point(choice), valued });
    this.moveList = new MoveList({ onGo: (where) => this.go(where) });
    this.rules = new Rules();
    this.title = element("h1", { class: "game-title" });
    this.turn = element("p", { class: "turn", "data-test": "turn" });
    this.result = element("p", { class: "result", "data-test": "result" });
    this.troubleText = troubleText("trouble");
    this.drawError = element("p", { class: "note", "data-test": "draw-error" });
    this.onKey = (event) => gameKey(event, { go: (where) => this.go(where), board: this.board, moves: this.moves, directed: this.board.directed });
    document.addEventListener("keydown", this.onKey);
  }

  close() {
    this.closed = true;
    this.stop();
    document.removeEventListener("keydown", this.onKey);
  }

  /** Another board is to come: what was asked for this one is no longer wanted. */
  stop() {
    this.number += 1;
    this.board.busy();
    this.job?.cancel();
    this.job = null;
  }

  isOld(number) {
    return this.closed || number !== this.number;
  }

  take() {}

  begin() {}

  query() {
    return { ...queryOf(this.timeline.position), at: this.timeline.atEnd ? "" : this.timeline.ply };
  }

  // 1. Which position.

  /** Show the game that a query names; without one, the user's own or Connect Four. */
  async load(query) {
    this.stop();
    const { number } = this;
    const { position, ply } = gameIn(query);
    if (!position.game) {
      const list = await this.shell.games();
      if (this.isOld(number)) return; // another address came meanwhile
      position.game = (list.find((game) => game.own) ?? gameOf(list, "connect-four") ?? list[0]).name;
      position.choices = [];
    }
    this.timeline.set(position, ply);
    await this.take(query);
    if (this.isOld(number)) return;
    await this.refresh();
    if (this.closed) return;
    this.write(); // a game that the address did not name is in it from now on
    this.shell.ready();
  }

  /** The rules have changed: show the game by the new ones, from its start where its moves do not fit them. */
  async reload() {
    this.stop();
    const { number } = this;
    const { position } = this.timeline;
    this.timeline.forget();
    const why = await this.timeline.view(position).then(
      () => null,
      (error) => error,
    );
    if (this.isOld(number)) return;
    if (why) this.timeline.set({ game: position.game, start: "", choices: [] });
    this.view = null; // all of it is new
    this.write();
    await this.refresh();
    if (!why || this.closed || !this.view) return; // without a view, the room says what fails at the start
    const failed = why.code === "rule-raised" ? `: ${why.message}` : "";
    write(this.troubleText, `The game did not fit the new rules of ${position.game}, and starts again${failed || "."}`);
  }

  write({ push = false } = {}) {
    this.shell.go(this.query(), { push });
  }

  /** A person's move; a second click before the next board is there is none. */
  choose(choice) {
    if (this.shown === this.number) this.play(choice);
  }

  go(where) {
    if (!this.timeline.go(where)) return;
    this.write();
    this.refresh();
  }

  // 2. The board.

  /** Show the position; *trouble*: what kept another one from being shown. */
  async refresh(trouble = "") {
    this.stop();
    const { number } = this;
    this.begin(number);
    let view, past;
    try {
      [view, past] = await patiently(this.timeline.both(), () => this.isOld(number) || this.#late());
    } catch (error) {
      if (!this.isOld(number)) await this.#fail(error, trouble);
      return;
    }
    if (this.isOld(number)) return;
    this.#show(view, past);
    write(this.troubleText, trouble);
    this.proceed(view, number, trouble);
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
    if (this.isOld(number)) return;
    if (good < 0 && !position.start) {
      this.stop();
      return this.#bare(text);
    }
    if (good >= 0) this.timeline.set(upTo(position, good), Math.min(ply, good));
    else this.timeline.set({ game: position.game, start: "", choices: [] });
    this.write();
    return this.refresh(text);
  }

  /** Show the room without a position, and why there is none. */
  #bare(text) {
    this.view = null;
    write(this.title, this.timeline.position.game);
    this.rules.show("");
    this.board.empty();
    this.moves.show({ game: null, turn: -2, choices: [], drawn: true }, { playable: false });
    this.moveList.show([], 0, ["", ""]);
    for (const node of [this.turn, this.result, this.drawError]) node.replaceChildren();
    this.blank();
    this.#enter();
    write(this.troubleText, text);
    this.shell.ready();
  }

  #show(view, past) {
    const fresh = this.view?.game !== view.game;
    this.view = view;
    this.shown = this.number;
    if (fresh) {
      write(this.title, view.title);
      this.rules.show(view.rules);
      this.board.shape(view);
      (view.drawn ? this.lastColumn : this.main).append(this.moves.element); // what cannot be clicked is chosen right below it
      this.fresh(view);
    }
    if (fresh || view.turn >= 0) this.board.directed = takesDirections(view);
    this.#enter();
    const playable = this.playable(view);
    this.board.show(view, { playable: playable.board });
    this.#markLast(view);
    this.moves.show(view, { playable: playable.moves });
    this.moveList.show(past, this.timeline.ply, view.players);
    const clickable = !view.drawn || view.turn < 0 || view.svg.includes("data-moves");
    write(this.drawError, view.draw_error ? `It is not drawn: ${view.draw_error}` : clickable ? "" : BUTTONS);
    showResult(this.result, view);
    this.display(view, past);
  }

  /** Mark a player's last move; what chance chose since shows itself. */
  #markLast({ past }) {
    const { number } = this;
    const ply = past.findLastIndex(({ turn }) => turn >= 0);
    if (ply < 0) return;
    const { choice, name } = past[ply];
    this.timeline.view(upTo(this.timeline.position, ply)).then(
      (before) => this.isOld(number) || this.board.markLast(before, choice, name),
      () => {}, // it is only a mark
    );
  }

  /** Ring the places that a move changes, while its button is pointed at. */
  #point(choice) {
    const { number, view } = this;
    this.pointed = choice;
    if (this.shown !== number || this.board.point(choice) || !view.drawn || view.turn < 0) return;
    this.timeline.view(after(this.timeline.here, choice)).then(
      (next) => this.pointed !== choice || this.isOld(number) || this.board.point(choice, next),
      () => {}, // it is only a mark
    );
  }

  #enter() {
    if (!this.layout.isConnected) this.root.replaceChildren(this.layout);
  }

  /** Say whose turn it is, or what is going on. */
  status(text, turn, busy = false) {
    this.turn.replaceChildren(...(text ? [mark(turn, this.view.players), element("span", { text })] : []));
    this.turn.classList.toggle("busy", busy);
  }
}
