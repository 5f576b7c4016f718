// Buttons for actions that need no place or piece: one tap each, said in the game's own words.
import { html } from "../lib.js";

/**
 * The first is the usual next step, unless it is one of the `quiet` ones, which cost something or give something up.
 * @param {{props: import("../parts/boards.js").BoardProps, types: string[], quiet?: string[]}} given
 */
export function Direct({ props: { legal, labels, act }, types, quiet = [] }) {
  const found = legal.map((action, n) => ({ action, label: labels[n] })).filter((offer) => types.includes(offer.action.type));
  if (!found.length) return null;
  const main = found.find((offer) => !quiet.includes(offer.action.type));
  return html`<div class="row direct">${found.map((offer) => html`<button key=${offer.label} class=${offer === main ? "main" : quiet.includes(offer.action.type) ? "quiet" : ""} onClick=${() => act(offer.action)}>${offer.label}</button>`)}</div>`;
}
