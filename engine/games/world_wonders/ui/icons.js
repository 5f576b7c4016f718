// Small pictures: kinds of buildings, resources, population, coins.
import { html } from "/static/lib.js";

/** @type {Record<string, string>} drawn around 0,0 within about 8 units */
export const PATHS = {
  B: "M-7-5C-4-6.5-1.5-6-.5-4.5V6C-2 4.5-4.5 4.5-7 5.5zM7-5C4-6.5 1.5-6 .5-4.5V6C2 4.5 4.5 4.5 7 5.5z",
  F: "M-.8 7V1C-5 1.5-7-1-6.5-4.5-3-4.5-1-2.5-.6 0-.4-4 2-6 6.5-6 7-2 4.5 1 .8 1.2V7z",
  H: "M0-7 7-1H5V6H-5V-1H-7zM-1.5 6H1.5V2H-1.5z",
  M: "M-7-5H7L6 0H-6zM-5 1H-3.5V5.5H3.5V1H5V7H-5z",
  T: "M0-7 7-3V-1.5H-7V-3zM-5.5 0H-3.5V4.5H-5.5zM-1 0H1V4.5H-1zM3.5 0H5.5V4.5H3.5zM-7 5.5H7V7H-7z",
  food: "M-.8 7V-2C-3-2-4-4-4-6-2-6-.8-5-.8-3-.8-5 0-7 0-7 0-7 .8-5 .8-3 .8-5 2-6 4-6 4-4 3-2 .8-2V0C3 0 4-1 4-1 4 2 3 3 .8 3V7zM-4-1C-4 2-3 3-.8 3V0C-3 0-4-1-4-1z",
  ceramics: "M-2.5-7H2.5V-5.5L1.5-4C5-2.5 5.5 2 3 5L2.5 7H-2.5L-3 5C-5.5 2-5-2.5-1.5-4L-2.5-5.5z",
  gears: "M-1.5-7H1.5L2-5 3.8-4 5.7-5 7-2.5 5.5-1V1L7 2.5 5.7 5 3.8 4 2 5 1.5 7H-1.5L-2 5-3.8 4-5.7 5-7 2.5-5.5 1V-1L-7-2.5-5.7-5-3.8-4-2-5zM0-2.5A2.5 2.5 0 1 0 0 2.5 2.5 2.5 0 1 0 0-2.5z",
  population: "M0-7A3 3 0 1 1 0-1 3 3 0 1 1 0-7zM-5.5 7C-5.5 2-3 0 0 0S5.5 2 5.5 7z",
  natural: "M0-6 6 0 0 6-6 0z",
};

/** @param {{name: string, size?: number, label?: string}} props */
export const Icon = ({ name, size = 18, label }) => html`<svg class=${`ww-icon k-${name}`} viewBox="-8 -8 16 16"
  width=${size} height=${size} role=${label ? "img" : null} aria-label=${label}
  aria-hidden=${label ? null : "true"}><path fill-rule="evenodd" d=${PATHS[name]} /></svg>`;
