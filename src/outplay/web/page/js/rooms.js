// The rooms, in the order of the header. A room is one module whose default export is a class: made with (root, shell), it shows
// what the address says in load(query), each time that changes, again in reload() when the rules have changed, and ends in close(). Add it here with one line. One with a game on its
// board extends GameRoom. A hidden one has no link in the header.

import { TOURNAMENTS } from "./constants.js";

export const rooms = [
  { name: "play", title: "Play", load: () => import("./play.js") },
  { name: "analyse", title: "Analyse", load: () => import("./analyse.js") },
  { name: "search", title: "Search", load: () => import("./search.js") },
  { name: "tournament", title: "Tournament", load: () => import("./tournament.js"), hidden: !TOURNAMENTS.length },
];
