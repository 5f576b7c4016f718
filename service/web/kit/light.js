// One light from above left, for every drawing on the table: gradients and shadows that boards refer to by name.
import { html } from "../lib.js";

/** Drawn once beside the board; `url(#lit)` and the others then work in every drawing. */
export const Light = () => html`<svg class="light" width="0" height="0" aria-hidden="true"><defs>
  <linearGradient id="lit" x1="0" y1="0" x2=".7" y2="1"><stop offset="0" stop-color="#fff" stop-opacity=".42" />
    <stop offset=".45" stop-color="#fff" stop-opacity=".04" /><stop offset="1" stop-color="#1b1206"
      stop-opacity=".26" />
  </linearGradient>
  <radialGradient id="dome" cx=".34" cy=".26" r=".85"><stop offset="0" stop-color="#fff" stop-opacity=".62" />
    <stop offset=".42" stop-color="#fff" stop-opacity=".06" /><stop offset="1" stop-color="#150d02"
      stop-opacity=".38" />
  </radialGradient>
  <linearGradient id="deep" x1="0" y1="0" x2=".3" y2="1"><stop offset="0" stop-color="#0a1a26" stop-opacity=".28" />
    <stop offset=".3" stop-color="#fff" stop-opacity=".06" /><stop offset="1" stop-color="#fff" stop-opacity=".16" />
  </linearGradient>
  <filter id="grain" x="0" y="0" width="100%" height="100%"><feTurbulence type="fractalNoise" baseFrequency=".9"
    numOctaves="2" seed="4" /><feColorMatrix values="0 0 0 0 .25 0 0 0 0 .2 0 0 0 0 .1 0 0 0 .55 -.2" />
    <feComposite in2="SourceGraphic" operator="in" /></filter>
  <filter id="soft" x="-20%" y="-20%" width="150%" height="150%"><feDropShadow dx="1.2" dy="1.8" stdDeviation="1.3"
    flood-color="#1b1206" flood-opacity=".38" /></filter>
</defs></svg>`;
