// A draw of chance, shown over the board: the outcomes flicker by, and the one drawn stays for a moment.

import { element } from "./element.js";

const FLICKER = 45; // milliseconds an outcome
const TURNS = 8;
const SETTLED = 320;

const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Show the draw of *name* among *outcomes* over *frame*, and call *settled* once it shows; nothing moves where people asked for none. */
export async function showDraw(frame, outcomes, name, settled) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return settled();
  const face = element("span", { class: "draw", "aria-hidden": "true" });
  const cover = element("div", { class: "draw-cover" }, face);
  frame.append(cover);
  for (let turn = 0; turn < TURNS; turn++) {
    face.textContent = outcomes[Math.floor(Math.random() * outcomes.length)].name;
    await wait(FLICKER);
  }
  face.textContent = name;
  face.classList.add("settled");
  settled();
  await wait(SETTLED);
  cover.remove();
}
