// Tokens, tiles and ziggurats as bodies. Seats differ by the token's shape, kinds by its picture.
import { html } from "/static/lib.js";

/** @type {Record<string, string>} drawn around 0,0 within about 6 units */
const KINDS = {
  priest: "M0-6 1.6-2 6-1.8 2.6.9 3.8 5.2 0 2.7-3.8 5.2-2.6.9-6-1.8-1.6-2z",
  servant: "M-3.5-5.5H3.5V-2C3.5 2 2.5 5.5 0 6-2.5 5.5-3.5 2-3.5-2zM-2-3.2V-1.8H-.6V-3.2zM.6-3.2V-1.8H2V-3.2z",
  merchant: "M-2-6H2V-4.6L1.3-3.5C4-2 4.5 1 2.8 4L2 6H-2L-2.8 4C-4.5 1-4-2-1.3-3.5L-2-4.6z",
  farmer: "M-.7 6V1C-4 1.5-5.5-1-5-3.5-2.5-3.5-.7-2-.5 0-.3-3 1.5-5 5-5 5.5-1.5 3.5.8.7 1V6z",
};
/** @type {string[]} by seat */
const BASES = [
  "M-9 0A9 9 0 1 1 9 0 9 9 0 1 1-9 0z",
  "M-6.5-8H6.5A1.5 1.5 0 0 1 8-6.5V6.5A1.5 1.5 0 0 1 6.5 8H-6.5A1.5 1.5 0 0 1-8 6.5V-6.5A1.5 1.5 0 0 1-6.5-8z",
  "M-1.4-9.8Q0-12 1.4-9.8L10.2 5.4Q11 7.6 8.8 7.6H-8.8Q-11 7.6-10.2 5.4z",
  "M0-11 11 0 0 11-11 0z",
];

/** @param {{kind: string, x?: number, y?: number, scale?: number}} props */
export const Kind = ({ kind, x = 0, y = 0, scale = 1 }) => html`<path class="ba-kind" fill-rule="evenodd"
  transform=${`translate(${x} ${y}) scale(${scale})`} d=${KINDS[kind]} />`;

/**
 * A token; without a kind it lies face down.
 * @param {{seat: number, kind: string | null, x?: number, y?: number, down?: boolean, lit?: boolean, piece?: string}}
 *   props
 */
export const Token = ({ seat, kind, x = 0, y = 0, down, lit, piece }) => html`<g
  class=${`ba-token s${seat} ${down ? "down" : ""} ${lit ? "lit" : ""}`}
  data-piece=${piece} data-from=${piece && `[data-seat="${seat}"]`}><g transform=${`translate(${x} ${y})`}>
  <path class="shade" transform="translate(1 2)" d=${BASES[seat % BASES.length]} />
  <path class="body" transform="translate(0 1.1)" d=${BASES[seat % BASES.length]} /><path class="base"
    d=${BASES[seat % BASES.length]} />
  <path class="dome" d=${BASES[seat % BASES.length]} />
  ${kind ? html`<${Kind} kind=${kind} y=${seat === 2 ? 1.5 : 0} scale=${seat === 2 ? 0.72 : 0.88} />`
    : html`<text class="unknown" y="3.5" text-anchor="middle">?</text>`}</g></g>`;

const LETTERS = { p: "priest", s: "servant", m: "merchant" };

/** A location tile: a field with its crop, or a walled city. @param {{tile: string, x: number, y: number}} props */
export function LocationTile({ tile, x, y }) {
  const [group, what] = tile.split("_");
  if (group === "field") {
    return html`<g class="ba-field" transform=${`translate(${x} ${y})`}><rect class="shade" x="-8.4" y="-6.2"
      width="18" height="16" rx="3" />
      <rect x="-9" y="-8" width="18" height="16" rx="3" /><path class="rows"
        d="M-8-5.5H8M-8-2.5H8M-8 .5H8M-8 3.5H8M-8 6.5H8" />
      ${what === "city" ? html`<path class="house" d="M-5 5V-1L0-6 5-1V5z" />`
        : html`<circle class="crop" r="6" /><text y="4.1" text-anchor="middle">${what}</text>`}</g>`;
  }
  const kinds = [...what].map((letter) => /** @type {any} */ (LETTERS)[letter]);
  const scale = [1, 0.72, 0.58][kinds.length - 1];
  const step = [0, 8, 6.5][kinds.length - 1];
  const wall = "M-10 8V-5L-7-5V-8H-3V-5H3V-8H7V-5L10-5V8z";
  return html`<g class="ba-city" transform=${`translate(${x} ${y})`}><path class="shade" transform="translate(1.2 1.8)"
    d=${wall} /><path class="wall" d=${wall} />
    <path class="gleam" d=${wall} /><path class="low" d="M-10 6.2H10V8H-10z" />
    ${kinds.map((kind, n) => html`<${Kind} kind=${kind} x=${(n - (kinds.length - 1) / 2) * step} y=${1}
      scale=${scale} />`)}</g>`;
}

/** @param {{x: number, y: number, done: boolean}} props */
export const Ziggurat = ({ x, y, done }) => html`<g class=${`ba-zig ${done ? "done" : ""}`}
  transform=${`translate(${x} ${y})`}>
  <path class="shade" transform="translate(1.6 2)" d="M-11 9V4H-8V-1H-5V-6H-2V-10H2V-6H5V-1H8V4H11V9z" />
  <path class="steps" d="M-11 9V4H-8V-1H-5V-6H-2V-10H2V-6H5V-1H8V4H11V9z" /><path class="east"
    d="M2-10V-6H5V-1H8V4H11V9H5L3-1 1-10z" />
  <path class="stair" d="M-1.4 9V-6H1.4V9z" /><path class="lines" d="M-8 4H8M-5-1H5M-2-6H2" /></g>`;
