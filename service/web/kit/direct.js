// Buttons for actions that need no place or piece: one tap each, said in the game's own words.
import { html } from "../lib.js";

/** @param {{props: import("../parts/boards.js").BoardProps, types: string[]}} given */
export function Direct({ props: { legal, labels, act }, types }) {
  const found = legal.map((action, n) => ({ action, label: labels[n] })).filter((offer) => types.includes(offer.action.type));
  if (!found.length) return null;
  return html`<div class="row direct">${found.map(({ action, label }, n) => html`<button key=${label} class=${n === 0 ? "main" : ""} onClick=${() => act(action)}>${label}</button>`)}</div>`;
}
