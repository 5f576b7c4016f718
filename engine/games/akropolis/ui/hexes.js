// Hexes of a city as bodies: a paved top with a small picture, walls below it, and a shadow that grows with height.
import { html } from "/static/lib.js";
import { centre, outline, round } from "/static/kit/hex.js";

export const SIZE = 20;
export const RISE = 7; // how much higher a level is drawn
const WALL = 4; // of the ground floor

/** @type {Record<string, [string, string][]>} two tones and an accent, drawn around 0,0 within about 11 units */
const ART = {
  house: [["b", "M-9 6V0L-5-4-1 0V6zM1 8V1L5.5-4 10 1V8z"], ["a", "M-7.6 5V1H-2.4V5zM2.6 7V2H8.4V7z"], ["c",
    "M-10.4.6-5-5 .4.6-1 1.6-5-2.6-9 1.6zM-.4 1.6 5.5-5 11.4 1.6 10 2.8 5.5-2 1 2.8zM-5-9-1-5-2 -4-5-7-8-4-9-5z"], ["b",
      "M-6 5V3H-4V5zM4.6 7V4.4H6.6V7z"]],
  market: [["b", "M-9 8V-1H9V8z"], ["a", "M-7 7V1H-2V7zM1 7V2H7V7z"], ["c",
    "M-11-1-8-7H8L11-1Q9 1.4 7.3-1 5.4 1.4 3.6-1 1.8 1.4 0-1-1.8 1.4-3.6-1-5.4 1.4-7.3-1-9 1.4-11-1z"], ["a",
      "M-6.4-7H-3.2L-3.6-1Q-5.4 1.4-7.3-1zM3.2-7H6.4L7.3-1Q5.4 1.4 3.6-1z"]],
  barracks: [["b", "M-10 8V-4H-4V8zM4 8V-4H10V8z"], ["a", "M-4 8V-1H4V8z"], ["b",
    "M-10-4V-7H-8.4V-5.4H-5.6V-7H-4V-4zM4-4V-7H5.6V-5.4H8.4V-7H10V-4z"], ["c", "M0-9 5-7.4V-3Q5 .6 0 3-5 .6-5-3V-7.4z"],
      ["a", "M0-7 0 1Q-3.4-.6-3.4-3V-6z"]],
  temple: [["a", "M0-9 10-3.6H-10z"], ["c", "M0-7 5-4.4H-5z"], ["b", "M-9-3H9V-1H-9z"], ["a",
    "M-8-1H-5.6V5.6H-8zM-3-1H-.6V5.6H-3zM.6-1H3V5.6H.6zM5.6-1H8V5.6H5.6z"], ["b", "M-10 5.6H10V8H-10z"]],
  garden: [["b", "M-6 8V2H-4.6V8zM4 8V1H5.4V8z"], ["c",
    "M-10 0A4.8 4.8 0 1 1-.6 0 4.8 4.8 0 1 1-10 0zM0-2A4.8 4.8 0 1 1 9.6-2 4.8 4.8 0 1 1 0-2z"], ["a",
      "M-8.4-2A2 2 0 1 1-4.4-2 2 2 0 1 1-8.4-2zM1.8-4A2 2 0 1 1 5.8-4 2 2 0 1 1 1.8-4z"]],
  quarry: [["b", "M-9 6-6-3 0-5 3-1 8 0 9 6z"], ["a", "M-6-3 0-5 1-1-4 1zM3-1 8 0 6 3 2 2z"], ["c",
    "M-4 1 1-1 2 2 0 6H-5z"]],
};
const STAR = "M0-4.6 1.35-1.5 4.7-1.25 2.15.9 2.9 4.2 0 2.5-2.9 4.2-2.15.9-4.7-1.25-1.35-1.5z";

/** @param {{what: string}} props */
const Art = ({ what }) => html`<g class="art">${ART[what].map(([tone, d]) => html`<path class=${tone} d=${d} />`)}</g>`;

/** What a hex shows: a quarter, or a plaza with its stars. @param {{kind: string, data: any}} props */
export function Face({ kind, data }) {
  const { district, stars } = data.hex_types[kind];
  if (!stars) return html`<${Art} what=${district || kind} />`;
  const offset = (stars - 1) * 4.8;
  return html`<g class="plaza"><circle class="ring" r="11.5" />
    ${Array.from({ length: stars }, (_, n) => html`<path class="star" d=${STAR}
      transform=${`translate(${n * 9.6 - offset} -3.4)`} />`)}
    <g transform="translate(0 6.4) scale(.5)"><${Art} what=${district} /></g></g>`;
}

/** @param {string} kind @param {any} data */
export const colour = (kind, data) => `ak-${data.hex_types[kind].district || kind} ${data.hex_types[kind].stars
  ? "ak-plaza" : ""}`;

/** The three walls that can be seen from the front. @param {number} x @param {number} y @param {number} deep */
function walls(x, y, deep) {
  const r = SIZE * 0.985, half = r / 2, low = (r * Math.sqrt(3)) / 2;
  const points = [[x + r, y], [x + half, y + low], [x - half, y + low], [x - r, y]];
  return points.slice(1).map(([px, py], n) => {
    const [qx, qy] = points[n];
    return html`<polygon class=${["east", "south", "west"][n]}
      points=${[[qx, qy], [px, py], [px, py + deep], [qx, qy + deep]]
      .map((point) => point.map(round).join(",")).join(" ")} />`;
  });
}

/**
 * One hex with its height.
 * @param {{q: number, r: number, kind: string, level: number, data: any, ghost?: boolean, piece?: string, from?:
 *   string}} props
 */
export function Hex({ q, r, kind, level, data, ghost, piece, from }) {
  const [x, ground] = centre(q, r, SIZE);
  const y = ground - (level - 1) * RISE;
  return html`<g class=${`ak-hex ${colour(kind, data)} ${ghost ? "ghost" : ""} l${Math.min(level, 5)}`}
    data-piece=${piece} data-from=${from}>
    <polygon class="shadow" points=${outline(x + 2 + (level - 1) * 5, y + WALL + (level - 1) * 9, SIZE)} />
    ${walls(x, y, level > 1 ? RISE + 1 : WALL)}
    <polygon class="top" points=${outline(x, y, SIZE * 0.985)} /><polygon class="gleam"
      points=${outline(x, y, SIZE * 0.985)} />
    <g transform=${`translate(${x} ${y})`}><${Face} kind=${kind} data=${data} />
      ${level > 1 && html`<g class="level" transform="translate(12.4 -8.4)"><circle r="4.6" /><text y="2.6"
        text-anchor="middle">${level}</text></g>`}</g>
  </g>`;
}

/** The land under a city. @param {{cells: any[]}} props */
export const Island = ({ cells }) => html`<g class="ak-island" aria-hidden="true">
  <path class="surf" d=${cells.map(({ q, r }) => blob(q, r, 1.46)).join("")} />
  <path class="sand" d=${cells.map(({ q, r }) => blob(q, r, 1.24)).join("")} /></g>`;

/** @param {number} q @param {number} r @param {number} grown */
function blob(q, r, grown) {
  const [x, y] = centre(q, r, SIZE);
  const wide = round(SIZE * grown);
  return `M${round(x - wide)} ${round(y + 3)}a${wide} ${wide} 0 1 0 ${2 * wide} 0a${wide} ${wide} 0 1 0 ${-2
    * wide} 0z`;
}

/**
 * Where the three hexes of a tile lie.
 * @param {any} data @param {number} q @param {number} r @param {number} rotation @returns {[number, number][]}
 */
export const spaces = (data, q, r, rotation) => data.tile_geometry.offsets_by_rotation[rotation]
  .map((/** @type {number[]} */ [dq, dr]) => [q + dq, r + dr]);
