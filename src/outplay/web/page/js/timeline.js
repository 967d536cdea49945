// A game as it is looked at: all its choices, and the ply on the board. Views are asked once and kept.

import { inField } from "./element.js";
import { after, keyOf, upTo } from "./position.js";

const KEPT = 400;

export class Timeline {
  #views = new Map(); // key -> promise of a view

  constructor(connection) {
    this.connection = connection;
    this.set({ game: "", start: "", choices: [] });
  }

  /** Forget all views: the rules have changed. */
  forget() {
    this.#views.clear();
  }

  set(position, ply = position.choices.length) {
    this.position = position;
    this.ply = Math.min(ply, position.choices.length);
  }

  /** The position on the board. */
  get here() {
    return upTo(this.position, this.ply);
  }

  get atEnd() {
    return this.ply === this.position.choices.length;
  }

  /** Go on from the position on the board; a choice that the game took there goes along it, another cuts the rest off. *view*: of the position then, if it is known. */
  play(choice, view = null) {
    if (this.position.choices[this.ply] === choice) this.ply += 1;
    else this.set(after(this.here, choice));
    if (view) this.#keep(keyOf(this.here), Promise.resolve(view));
  }

  /** Take back to *ply*. */
  cut(ply) {
    this.set(upTo(this.position, ply));
  }

  /** Go to a ply, or "start", "back", "on", "end"; return whether that moved the board. */
  go(where) {
    const end = this.position.choices.length;
    const ply = { start: 0, back: this.ply - 1, on: this.ply + 1, end }[where] ?? where;
    const before = this.ply;
    this.ply = Math.min(end, Math.max(0, ply));
    return this.ply !== before;
  }

  /** Return the promise of a position's view. */
  view(position = this.here) {
    const key = keyOf(position);
    let view = this.#views.get(key);
    if (!view) {
      view = this.connection.request({ do: "view", ...position });
      view.catch(() => this.#views.delete(key));
      this.#keep(key, view);
    }
    return view;
  }

  #keep(key, view) {
    this.#views.set(key, view);
    if (this.#views.size > KEPT) this.#views.delete(this.#views.keys().next().value);
  }

  /** Return the promise of how far the game goes: the last ply that has a view, -1 if not even the first has. */
  async lastGood() {
    const { position } = this;
    let [good, bad] = [-1, position.choices.length];
    for (let ply = bad - 1; bad - good > 1; ply = (good + bad) >> 1) {
      const there = await this.view(upTo(position, ply)).then(
        () => true,
        () => false,
      );
      if (there) good = ply;
      else bad = ply;
    }
    return good;
  }

  /** Return the promise of [the view on the board, what happened in the whole game]. */
  async both() {
    const [view, whole] = await Promise.all([this.view(), this.view(this.position)]);
    return [view, whole.past];
  }
}

const STEPS = { ArrowLeft: "back", ArrowRight: "on", ",": "back", ".": "on", Home: "start", End: "end" };
const DIRECTIONS = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };

/** Return whether the moves of a view are directions, which the arrows play. */
export function takesDirections({ turn, choices }) {
  return turn >= 0 && choices.every(({ name }) => Object.values(DIRECTIONS).includes(name.toLowerCase()));
}

/** What the keys do in a room with a game on its board, unless they are typed into a field. *directed*: the arrows play moves. */
export function gameKey(event, { go, board, moves, directed = false }) {
  if (event.defaultPrevented || inField(event.target)) return;
  const plain = !(event.ctrlKey || event.metaKey || event.altKey || event.shiftKey);
  const where = plain && STEPS[event.key];
  if (plain && directed && event.key in DIRECTIONS) {
    event.preventDefault();
    moves.playNamed(DIRECTIONS[event.key]);
  } else if (where) {
    event.preventDefault();
    go(where);
  } else if (event.key === "Escape") {
    board.clear();
  } else if (/^[\p{L}\p{N}]$/u.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey && !moves.field.disabled) {
    moves.field.focus(); // what is typed names a move
  }
}
