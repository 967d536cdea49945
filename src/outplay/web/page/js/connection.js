// One socket, many requests: each has an id, and its events come back under it.
// The server keeps no game, so that a request lost with the socket can simply be asked again.

import { QUICK } from "./constants.js";

const TRIES = 2; // a request that twice went down with the socket may be what breaks it
const PATIENCE = 3000; // milliseconds; what takes longer may never come, and holds up what is asked after it

/** Why a request failed: *code* is for the page, the message for people; *line* and *column*: of a text, where it is wrong. */
class RequestError extends Error {
  constructor({ code, message, line = null, column = null }) {
    super(message);
    Object.assign(this, { code, line, column });
  }
}

export class Connection {
  #socket = null;
  #pending = new Map(); // id -> {message, onEvent, resolve, reject, tries, since}
  #next = 1;
  #failures = 0;

  /** *onState* is called with "open", "lost" or "refused"; *onCompiling* with every event about a compilation; *onChanged(game, error)* when a game's file has changed; an *error* says why its new rules cannot be had. */
  constructor({ url, onState = () => {}, onCompiling = () => {}, onChanged = () => {} }) {
    this.url = url;
    this.onState = onState;
    this.onCompiling = onCompiling;
    this.onChanged = onChanged;
    this.#open();
  }

  #open() {
    const socket = new WebSocket(this.url);
    this.#socket = socket;
    socket.addEventListener("open", () => {
      this.#failures = 0;
      this.onState("open");
      for (const job of this.#pending.values()) this.#send(job);
    });
    socket.addEventListener("message", ({ data }) => socket === this.#socket && this.#receive(JSON.parse(data)));
    socket.addEventListener("close", () => socket === this.#socket && this.#lost());
  }

  /** Go on without a quick request that has not come back: leave it with its socket, and take another for all the rest. */
  #giveUp() {
    const now = performance.now();
    const overdue = [...this.#pending].filter(([, { message, since, tries }]) => QUICK.includes(message.do) && tries && now - since > PATIENCE);
    if (!overdue.length || this.#socket.readyState !== WebSocket.OPEN) return;
    for (const [id, job] of overdue) {
      if (job.message.do === "games") continue; // it only waits behind another one
      this.#pending.delete(id);
      job.reject(new RequestError({ code: "no-answer", message: `no answer came in ${Math.round((now - job.since) / 1000)} s, so it was given up` }));
    }
    for (const job of this.#pending.values()) [job.tries, job.since] = [0, now];
    this.#socket.close();
    this.#open();
  }

  #lost() {
    this.#failures += 1;
    for (const [id, job] of this.#pending) {
      if (job.tries < TRIES) continue;
      this.#pending.delete(id);
      job.reject(new RequestError({ code: "lost", message: "the connection to the server was lost twice over this; try again" }));
    }
    this.onState(this.#failures > 3 ? "refused" : "lost");
    setTimeout(() => this.#open(), Math.min(5000, 250 * 2 ** this.#failures));
  }

  #send(job) {
    if (this.#socket.readyState !== WebSocket.OPEN) return; // sent when it opens
    job.tries += 1;
    this.#socket.send(JSON.stringify(job.message));
  }

  #receive(event) {
    if (event.event === "compiling" || event.event === "compiled") this.onCompiling(event);
    if (event.event === "changed") return this.onChanged(event.game, event.error);
    const job = this.#pending.get(event.id);
    if (!job) return; // cancelled meanwhile, or the answer to a stop
    if (event.done) {
      this.#pending.delete(event.id);
      this.onCompiling({ id: event.id, event: "compiled" });
    }
    if (event.broken) this.onChanged(job.message.game, event.broken);
    if (event.event === "error") return job.reject(new RequestError(event));
    job.onEvent(event);
    if (event.done) job.resolve(event);
  }

  /** Ask; the promise holds the last event. Its `cancel()` stops the job: it then holds null. Its `stop()` waits for what the job has. */
  request(message, onEvent = () => {}) {
    const id = this.#next++;
    let job;
    const promise = new Promise((resolve, reject) => {
      job = { message: { id, ...message }, onEvent, resolve, reject, tries: 0, since: performance.now() };
    });
    if (QUICK.includes(message.do)) this.#giveUp();
    this.#pending.set(id, job);
    this.#send(job);
    promise.stop = () => {
      if (job.tries && this.#socket.readyState === WebSocket.OPEN) {
        this.#socket.send(JSON.stringify({ id: this.#next++, do: "stop", of: id }));
      }
    };
    promise.cancel = () => {
      if (!this.#pending.delete(id)) return;
      promise.stop();
      this.onCompiling({ id, event: "compiled" });
      job.resolve(null);
    };
    return promise;
  }
}
