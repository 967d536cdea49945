// The rooms, in the order of the header. A room is one module whose default export is
// {name, title, open(root, query, shell), change(query)?, close()}; add it here with one line.

export const rooms = [
  { name: "play", title: "Play", load: () => import("./play.js") },
  { name: "analyse", title: "Analyse", load: () => import("./analyse.js") },
  { name: "search", title: "Search", load: () => import("./search.js") },
];
