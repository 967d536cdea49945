// The marks of who acts, the same as on the pieces: a cross for player 0, a ring for player 1 (unless they are called the other
// way round), a diamond for chance.

import { element, svgElement } from "./element.js";

const CLASSES = { 0: "first", 1: "second" };

function signOf(turn, name) {
  if (/^(?:x|cross(?:es)?)$/i.test(name)) return "cross";
  if (/^(?:o|rings?|circles?|noughts?)$/i.test(name)) return "ring";
  return turn === 0 ? "cross" : "ring";
}

/** Return the small mark of whoever acts: 0, 1, or -1 for chance; *players* are their names. */
export function mark(turn, players) {
  const root = svgElement("svg", { class: "player-mark", viewBox: "0 0 16 16", "aria-hidden": "true" });
  if (turn in CLASSES) root.append(svgElement("circle", { class: CLASSES[turn], cx: 8, cy: 8, r: 8 }));
  const sign = turn in CLASSES ? signOf(turn, players[turn]) : "diamond";
  if (sign === "cross") root.append(svgElement("path", { class: "sign", d: "M5.2 5.2l5.6 5.6m0-5.6l-5.6 5.6" }));
  else if (sign === "ring") root.append(svgElement("circle", { class: "sign", cx: 8, cy: 8, r: 3.4 }));
  else root.append(svgElement("path", { class: "chance", d: "M8 1.5 14.5 8 8 14.5 1.5 8z" }));
  return root;
}

/** Say how the game of a view ended, with the winner's mark; nothing while it goes on. */
export function showResult(node, { turn, score, result, players }) {
  if (turn !== -2) return node.replaceChildren();
  const text = result.charAt(0).toUpperCase() + result.slice(1);
  node.replaceChildren(...(score && players.length > 1 ? [mark(score > 0 ? 0 : 1, players)] : []), element("span", { text }));
}
