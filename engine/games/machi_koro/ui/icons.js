// A small picture for every symbol, landmark and face of a die.
import { html } from "/static/lib.js";

/** @type {Record<string, string>} */
const PATHS = {
  wheat: "M11 22V11c-3 0-5-2-5-5 3 0 5 1 5 4V8c0-3 1-5 1-6 1 1 2 3 2 6v2c0-3 2-4 5-4 0 3-2 5-5 5v4c0-3 2-4 5-4 0 4-2 5-5 5v2zM6 12c3 0 5 2 5 5-3 0-5-2-5-5z",
  cow: "M3 6c3 0 4 1 5 2h8c1-1 2-2 5-2 0 3-1 5-3 5l-1 6c0 3-2 5-5 5s-5-2-5-5l-1-6C4 11 3 9 3 6zm6 6v2h2v-2zm4 0v2h2v-2zm-3 5v2h1v-2zm3 0v2h1v-2z",
  gear: "M10 2h4l.6 2.8 2 .9L19 4l2.6 3.4-1.6 2 .4 2.2L23 13l-1 4-2.7.2-1.5 1.7.3 2.7L14 23l-1.6-2.2h-2L8 22.5 4.4 20.4l.7-2.7L4 15.8 1.5 15V11L4 10l.8-2L3.7 5.5 6.7 3l2.5 1.2zM12 8.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7z",
  bread: "M5 10c-2 0-3-1.5-3-3 0-3 4-4 10-4s10 1 10 4c0 1.5-1 3-3 3v9a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2zM9 9v8h1.5V9zm4.5 0v8H15V9z",
  cup: "M4 8h13v2h2a3.5 3.5 0 0 1 0 7h-2.5A6 6 0 0 1 11 21h-1a6 6 0 0 1-6-6zm13 4v3h2a1.5 1.5 0 0 0 0-3zM7 2h1.5v4H7zm4 0h1.5v4H11z",
  factory: "M2 22V10l6 4v-4l6 4V3h5l2 19zm4-5v3h3v-3zm6 0v3h3v-3z",
  fruit: "M12 7c2-3 9-2 9 5 0 5-3 10-6 10-1 0-2-1-3-1s-2 1-3 1c-3 0-6-5-6-10 0-7 7-8 9-5zm0-1c0-3 1-5 4-5 0 3-1 5-4 5z",
  major: "M12 1l3 7 8 .7-6 5.3 2 8-7-4.2L5 22l2-8L1 8.7 9 8z",
  train_station: "M6 2h12a3 3 0 0 1 3 3v10a3 3 0 0 1-3 3l2 4h-2.5l-1-2h-9l-1 2H4l2-4a3 3 0 0 1-3-3V5a3 3 0 0 1 3-3zm0 4v5h12V6zm1 7v2h2v-2zm8 0v2h2v-2z",
  shopping_mall: "M4 8h3V7a5 5 0 0 1 10 0v1h3l1 14H3zm5 0h6V7a3 3 0 0 0-6 0z",
  amusement_park: "M12 2a9 9 0 0 1 5 16l2 4h-2.5l-1.4-3h-6.2l-1.4 3H5l2-4A9 9 0 0 1 12 2zm-1 2.5A7 7 0 0 0 5.2 10H11zm2 0V10h5.8A7 7 0 0 0 13 4.5zM5.2 12A7 7 0 0 0 8 16l3-4zm13.6 0H13l3 4a7 7 0 0 0 2.8-4z",
  radio_tower: "M11 9a2 2 0 1 1 2 0l4 13h-2.5l-.8-3h-3.4l-.8 3H7zm1 4-1 4h2zM6 2l1.5 1.5a6 6 0 0 0 0 7L6 12a8 8 0 0 1 0-10zm12 0a8 8 0 0 1 0 10l-1.5-1.5a6 6 0 0 0 0-7z",
};

/** @param {{name: string, size?: number}} props */
export const Icon = ({ name, size = 22 }) => html`<svg class="mk-icon" viewBox="0 0 24 24" width=${size} height=${size}
  aria-hidden="true"><path fill-rule="evenodd" d=${PATHS[name]} /></svg>`;

/** @type {Record<number, number[][]>} */
const PIPS = {
  1: [[12, 12]], 2: [[7, 7], [17, 17]], 3: [[6, 6], [12, 12], [18, 18]], 4: [[7, 7], [17, 7], [7, 17], [17, 17]],
  5: [[6, 6], [18, 6], [12, 12], [6, 18], [18, 18]], 6: [[7, 5.5], [17, 5.5], [7, 12], [17, 12], [7, 18.5], [17, 18.5]],
};

/** @param {{face: number, size?: number}} props */
export const Die = ({ face, size = 44 }) => html`<svg class="mk-die" viewBox="0 0 24 24" width=${size} height=${size}
  role="img" aria-label=${face}>
  <rect x="1" y="1" width="22" height="22" rx="5" />${PIPS[face].map(([x, y]) => html`<circle cx=${x} cy=${y}
    r="2.3" />`)}</svg>`;

/** @param {{n: number, label: string}} props */
export const Coins = ({ n, label }) => html`<span class="mk-coins" role="img" aria-label=${label}><svg
  viewBox="0 0 20 20" width="18" height="18" aria-hidden="true"><circle cx="10" cy="10" r="8.5" /><circle class="in"
    cx="10" cy="10" r="5" /></svg> ${n}</span>`;
