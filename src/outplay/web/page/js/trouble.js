// What went wrong, said for as long as it holds; and a word where an answer does not come.

import { element } from "./element.js";

const PATIENCE = 3000; // milliseconds

/** Return where a room says what went wrong. */
export function troubleText(name) {
  return element("p", { class: "trouble", role: "alert", "data-test": name });
}

/** Return *promise*; call *late* once if it takes long. */
export function patiently(promise, late) {
  const timer = setTimeout(late, PATIENCE);
  return promise.finally(() => clearTimeout(timer));
}

/** Return what to say while a game's rules do not come back: the user's own may never. */
export function noAnswer(game) {
  return game.includes(".py")
    ? `No answer yet: a rule of ${game} has not come back. It is given up if it takes much longer, and named here; other games can be played meanwhile.`
    : `No answer yet from the server: ${game} is not there.`;
}
