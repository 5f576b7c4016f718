// Hexes of a city: a colour, a picture, stars for plazas, and height by shade and side.
import { html } from "/static/lib.js";
import { centre, outline } from "/static/kit/hex.js";

export const SIZE = 20;
export const RISE = 5; // how much higher a level is drawn

/** @type {Record<string, string>} drawn around 0,0 within about 9 units */
const PATHS = {
  house: "M0-8 8-1H6V7H-6V-1H-8zM-2 7H2V2H-2z",
  market: "M-8-6H8L7 0H-7zM-6 1.5H-4V7H4V1.5H6V8H-6z",
  barracks: "M0-8 7-6V0C7 4 4 7 0 9-4 7-7 4-7 0V-6z",
  temple: "M0-8 8-3V-1.5H-8V-3zM-6.5 0H-4V5H-6.5zM-1.3 0H1.3V5H-1.3zM4 0H6.5V5H4zM-8 6H8V8H-8z",
  garden: "M-1.5 8V3C-6 4-8 1-7-2-9-6-4-9 0-7 4-9 9-6 7-2 8 1 6 4 1.5 3V8z",
  quarry: "M-8 6-5-3 0-6 3-2 7-1 8 6z",
};
const STAR = "M0-4 1.2-1.3 4-1.1 1.9.8 2.5 3.7 0 2.2-2.5 3.7-1.9.8-4-1.1-1.2-1.3z";

/** What a hex shows. @param {{kind: string, data: any}} props */
export function Face({ kind, data }) {
  const { district, stars } = data.hex_types[kind];
  if (!stars) return html`<path class="face" d=${PATHS[district || kind]} />`;
  const offset = (stars - 1) * 4.5;
  return html`<g class="plaza">${Array.from({ length: stars }, (_, n) => html`<path d=${STAR} transform=${`translate(${n * 9 - offset} -4.5)`} />`)}
    <path class="face" transform="translate(0 7) scale(.62)" d=${PATHS[district]} /></g>`;
}

/** @param {string} kind @param {any} data */
export const colour = (kind, data) => `ak-${data.hex_types[kind].district || kind} ${data.hex_types[kind].stars ? "ak-plaza" : ""}`;

/** One hex with its height. @param {{q: number, r: number, kind: string, level: number, data: any, ghost?: boolean}} props */
export function Hex({ q, r, kind, level, data, ghost }) {
  const [x, ground] = centre(q, r, SIZE);
  const y = ground - (level - 1) * RISE;
  return html`<g class=${`ak-hex ${colour(kind, data)} ${ghost ? "ghost" : ""} l${Math.min(level, 5)}`}>
    ${level > 1 && html`<polygon class="side" points=${outline(x, y + RISE, SIZE * 0.97)} />`}
    <polygon class="top" points=${outline(x, y, SIZE * 0.97)} />
    <g transform=${`translate(${x} ${y})`}><${Face} kind=${kind} data=${data} />${level > 1 && html`<text class="level" x="0" y="-11.5" text-anchor="middle">${level}</text>`}</g>
  </g>`;
}

/** Where the three hexes of a tile lie. @param {any} data @param {number} q @param {number} r @param {number} rotation @returns {[number, number][]} */
export const spaces = (data, q, r, rotation) => data.tile_geometry.offsets_by_rotation[rotation].map((/** @type {number[]} */ [dq, dr]) => [q + dq, r + dr]);
