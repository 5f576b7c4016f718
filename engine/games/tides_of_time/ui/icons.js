// The five suits, each by shape and colour.
import { html } from "/static/lib.js";

/** @type {Record<string, string>} */
const PATHS = {
  palace: "M3 18h18v-3l1-9-5 4-5-7-5 7-5-4 1 9z",
  library: "M11 7C9 5 6 4 2 5v14c4-1 7 0 9 2zM13 7c2-2 5-3 9-2v14c-4-1-7 0-9 2z",
  garden: "M12 22c0-5-7-5-8-12 4-1 7 1 8 4 0-5 1-9 8-12 2 9-1 14-7 15z",
  temple: "M12 2 2 8v2h20V8zM4 11h3v7H4zm6.5 0h3v7h-3zM17 11h3v7h-3zM2 19h20v3H2z",
  stronghold: "M4 22V9H3V3h3v2h3V3h6v2h3V3h3v6h-1v13h-6v-5a2 2 0 0 0-4 0v5z",
};

/** @param {{suit: string, size?: number, label?: string}} props */
export const Suit = ({ suit, size = 20, label }) => html`<svg class=${`suit ${suit}`} viewBox="0 0 24 24" width=${size}
  height=${size}
  role=${label ? "img" : null} aria-label=${label} aria-hidden=${label ? null : "true"}><path
    d=${PATHS[suit]} /></svg>`;
