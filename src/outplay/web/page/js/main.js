// The shell: the header, the router, the notices. What a room does is its own.

import { Connection } from "./connection.js";
import { element, write } from "./element.js";
import * as format from "./format.js";
import { gameOf } from "./position.js";
import { rooms } from "./rooms.js";
import * as route from "./route.js";
import { chooseGame } from "./setup.js";
import { unknownGame } from "./unknown_game.js";

const html = document.documentElement;
const main = document.getElementById("room");
const nav = document.getElementById("rooms");
const notices = document.getElementById("notices");
const live = document.getElementById("live");

let open = null; // {entry, room}: the room on screen
let asked = 0; // counts navigations: a room that arrives late is not shown
let travelling = {}; // the position that the header's links carry to the other rooms
let known = null; // the hash that is on screen, or that a room has written

// 1. Notices: connection, compilation, messages.

const standing = new Map(); // kind -> node

function standingNotice(kind, text) {
  const node = standing.get(kind);
  if (!text) {
    node?.remove();
    standing.delete(kind);
  } else if (node) {
    write(node, text);
  } else {
    const made = element("p", { class: `notice ${kind}`, "data-test": kind, text });
    standing.set(kind, made);
    notices.append(made);
    write(live, text); // said once: the seconds that follow are for the eye
  }
}

function notice(text) {
  const node = element("p", { class: "notice", role: "alert", "data-test": "notice", text });
  notices.append(node);
  setTimeout(() => node.remove(), 6000);
}

const CONNECTION = {
  open: "",
  lost: "Connection lost; trying again…",
  refused: "The server does not answer. If it was started again, open the address that it printed.",
};

const compiling = new Map(); // id -> event: several requests may wait, for different games

function onCompiling(event) {
  if (event.event === "compiled") compiling.delete(event.id);
  else compiling.set(event.id, event);
  const [first] = compiling.values();
  standingNotice("compiling", first && `Compiling ${first.game} for the first time: ${first.seconds.toFixed(1)} s`);
}

const broken = new Map(); // game -> why the new rules in its file cannot be had
let looked = ""; // the game in the address

function showBroken() {
  standingNotice("changed", broken.has(looked) && `${looked} has changed, but cannot be loaded: ${broken.get(looked)}. Its old rules hold.`);
}

/** A game's file has changed: show the game by its new rules. */
function onChanged(game, error) {
  if (error) broken.set(game, error.replace(/\.$/, ""));
  else broken.delete(game);
  showBroken();
  if (error) return;
  catalogue = null;
  if (game !== looked) return;
  notice(`${game} has changed: its new rules are loaded.`);
  open?.room.reload();
}

const connection = new Connection({
  url: `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`,
  onState(state) {
    standingNotice("connection", CONNECTION[state]);
    if (state !== "open") broken.clear(); // it may be started again
    showBroken();
  },
  onCompiling,
  onChanged,
});

// 2. What a room may use.

let catalogue = null;

function games() {
  catalogue ??= connection.request({ do: "games" }).then((event) => event.games);
  catalogue.catch(() => (catalogue = null));
  return catalogue;
}

function carry({ game, start, choices, at }) {
  if (game) travelling = { game, start, choices, at }; // a tree typed in has no position: the last one is kept
  for (const anchor of nav.children) anchor.setAttribute("href", route.link(anchor.dataset.room, travelling));
  looked = game;
  showBroken();
}

const shell = {
  connection,
  format,
  games,
  notice,
  link: route.link,
  announce: (text) => write(live, text),
  ready: () => (html.dataset.ready = open.entry.name),
  go(query, { push = false } = {}) {
    if (location.hash !== known) return; // somebody has gone elsewhere meanwhile, and that is about to be shown
    const hash = route.link(open.entry.name, query);
    known = hash;
    if (hash !== location.hash) history[push ? "pushState" : "replaceState"](null, "", hash);
    carry(query);
  },
  chooseGame: (options) => chooseGame(shell, options),
};

// 3. The router.

async function navigate() {
  known = location.hash;
  const { room: name, query } = route.read(known);
  const entry = rooms.find((candidate) => candidate.name === name) ?? rooms[0];
  carry(query);
  const number = ++asked;
  entry.load().catch(() => {}); // meanwhile
  const list = query.game ? await games().catch(() => null) : null;
  if (number !== asked) return;
  const unknown = list && !gameOf(list, query.game);
  if (open?.entry === entry && !unknown) return open.room.load(query);
  open?.room.close();
  open = null;
  delete html.dataset.ready;
  for (const anchor of nav.children) {
    if (anchor.dataset.room === entry.name) anchor.setAttribute("aria-current", "page");
    else anchor.removeAttribute("aria-current");
  }
  document.title = `${entry.title} · Outplay`;
  if (unknown) return missing(query.game, list, entry);
  try {
    const Room = (await entry.load()).default;
    if (number !== asked) return;
    const root = element("div", { class: `room ${entry.name}` });
    main.replaceChildren(root);
    open = { entry, room: new Room(root, shell) };
    await open.room.load(query);
  } catch (error) {
    if (number !== asked) return;
    console.warn(error);
    main.replaceChildren(element("p", { class: "plain", text: `This room cannot be opened: ${error.message}` }));
  }
}

/** Show that the server has no such game. */
function missing(game, list, entry) {
  carry({ game: gameOf(list, "connect-four")?.name ?? list[0].name }); // the way to another room leads to a game
  main.replaceChildren(unknownGame(game, list, (name) => route.link(entry.name, { game: name })));
  html.dataset.ready = entry.name;
}

function toggleTheme(button) {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (html.dataset.theme ? html.dataset.theme === "dark" : dark.matches);
  const show = () => button.setAttribute("aria-pressed", String(isDark()));
  button.addEventListener("click", () => {
    html.dataset.theme = isDark() ? "light" : "dark";
    try {
      localStorage.setItem("theme", html.dataset.theme);
    } catch {
      // Without storage the choice lasts as long as the page.
    }
    show();
  });
  dark.addEventListener("change", show);
  show();
}

nav.append(...rooms.filter(({ hidden }) => !hidden).map(({ name, title }) => element("a", { href: `#/${name}`, "data-room": name, "data-title": title, "data-test": `room-${name}`, text: title })));
toggleTheme(document.getElementById("theme"));
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault(); // the hash is the room's
  main.focus();
});
addEventListener("hashchange", navigate);
navigate();
