// Every monument as a small picture, in one hand: light stone (a), its shade (b), one accent (c), drawn around 0,0.
import { html } from "/static/lib.js";

/** @type {Record<string, [string, string][]>} */
const ART = {
  ziggurat: [["b", "M-11 9V5H11V9z"], ["a", "M-9 5V1H9V5zM-6-3H6V1H-6z"], ["b", "M-3.5-7H3.5V-3H-3.5z"], ["c", "M-1.2 9V-7H1.2V9z"]],
  giza: [["a", "M-1-9 8 9H-10z"], ["b", "M-1-9 8 9H2z"], ["a", "M7 1 11.5 9H3z"], ["b", "M7 1 11.5 9H8z"], ["c", "M-1-9 1-5-3-5z"]],
  obelisks: [["a", "M-6 9-5-7-3.5-9-2-7-1 9z"], ["b", "M-3.5-9-2-7-1 9H-3.5z"], ["a", "M2 9 3-5 4.5-7 6-5 7 9z"], ["b", "M4.5-7 6-5 7 9H4.5z"], ["c", "M-8 9H9V10.5H-8z"]],
  trojan_horse: [["a", "M-9-1C-4-3 1-3 3-3L5-9 8-10 10-6 7-5 7 2-8 3z"], ["b", "M-7 2H-5V9H-7zM4 2H6V9H4z"], ["c", "M-8 9H-4V11H-8zM3 9H7V11H3z"]],
  ishtar_gate: [["c", "M-10 9V-6H-4V9zM4 9V-6H10V9z"], ["b", "M-4 9V-4H4V9z"], ["a", "M-10-6V-8H-8V-6.8H-6V-8H-4V-6zM4-6V-8H6V-6.8H8V-8H10V-6zM-2 9V1A2 2 0 0 1 2 1V9z"]],
  theater: [["a", "M-10 2A10 10 0 0 1 10 2H7A7 7 0 0 0-7 2z"], ["b", "M-7 2A7 7 0 0 1 7 2H4A4 4 0 0 0-4 2z"], ["c", "M-8 4H8V8H-8z"]],
  parthenon: [["a", "M0-9 11-3.5H-11z"], ["b", "M-10-3H10V-1.2H-10z"], ["a", "M-9-1H-7V6H-9zM-4.4-1H-2.4V6H-4.4zM2.4-1H4.4V6H2.4zM7-1H9V6H7z"], ["b", "M-11 6H11V9H-11z"], ["c", "M0-7 4-4.6H-4z"]],
  port_of_carthage: [["c", "M-11 4Q-8 2-5 4T1 4 7 4 11 4V10H-11z"], ["a", "M-9 3H5L3 6H-7z"], ["b", "M-3-9H-1.6V3H-3z"], ["a", "M-1-8 6-1H-1zM-4-7V-1H-9z"]],
  aqueduct: [["c", "M-11-7H11V-5H-11z"], ["a", "M-11-5H11V8H8V1A3 3 0 0 0 2 1V8H-2V1A3 3 0 0 0-8 1V8H-11z"], ["b", "M-11-5H11V-3.4H-11z"]],
  petra: [["b", "M-11 9V-6L-4-10 8-9 11-4V9z"], ["a", "M-5-5 0-8 5-5V-3H-5zM-5-2H-3.4V8H-5zM3.4-2H5V8H3.4zM-6 8H6V9H-6z"], ["c", "M-1.6 8V1H1.6V8z"]],
  lighthouse: [["b", "M-6 9H6V5H-6z"], ["a", "M-4.4 5-3-3H3L4.4 5z"], ["b", "M-2-3H2V-6.5H-2z"], ["c", "M-2.4-6.5Q0-12 2.4-6.5zM4-8 10-10V-6zM-4-8-10-10V-6z"]],
  great_wall: [["a", "M-11 2 -4-1 4 3 11-1V6L4 9-4 5-11 8z"], ["b", "M-4-1 4 3V9L-4 5z"], ["a", "M-2-8H4V2H-2z"], ["c", "M-3-8V-10H-1.4V-9H.2V-10H1.8V-9H3.4V-10H5V-8z"]],
  roman_bridge: [["c", "M-11 6H11V10H-11z"], ["a", "M-11 0Q0-9 11 0V6H8A3.4 3.4 0 0 0 1.4 6H-1.4A3.4 3.4 0 0 0-8 6H-11z"], ["b", "M-11 0Q0-9 11 0V2Q0-6-11 2z"]],
  colosseum: [["a", "M-11 1A11 7 0 0 1 11 1V5A11 5 0 0 1-11 5z"], ["b", "M-8 0A8 4.4 0 0 1 8 0 8 4.4 0 0 1-8 0z"], ["c", "M-4.6.4A4.6 2.2 0 0 1 4.6.4 4.6 2.2 0 0 1-4.6.4z"], ["b", "M-8 5H-6.6V8H-8zM-3.6 6.4H-2V9H-3.6zM2 6.4H3.6V9H2zM6.6 5H8V8H6.6z"]],
  hippodrome: [["a", "M-6-6H6A6 6 0 0 1 6 6H-6A6 6 0 0 1-6-6z"], ["b", "M-6-3H6A3 3 0 0 1 6 3H-6A3 3 0 0 1-6-3z"], ["c", "M-6-.8H6V.8H-6z"]],
  chichen_itza: [["a", "M-11 9-8 5H8L11 9zM-8 5-5.5 1H5.5L8 5zM-5.5 1-3.6-3H3.6L5.5 1z"], ["b", "M1.6 9 1-3H3.6L11 9z"], ["a", "M-3-3V-7H3V-3z"], ["c", "M-3.4-7H3.4V-8.6H-3.4zM-1 9V-3H1V9z"]],
  shitenno_ji: [["c", "M-9 4Q0-1 9 4V6H-9zM-7-2Q0-7 7-2V0H-7zM-5-7Q0-11 5-7V-5.6H-5z"], ["a", "M-6 6H6V10H-6zM-4.6 0H4.6V2H-4.6zM-3-5.6H3V-4H-3z"], ["b", "M-1.4 6H1.4V10H-1.4z"]],
  angkor_wat: [["b", "M-11 9V5H11V9z"], ["a", "M-2.6 5V-4Q0-12 2.6-4V5zM-8.6 5V0Q-6.6-6-4.6 0V5zM4.6 5V0Q6.6-6 8.6 0V5z"], ["c", "M-1 9V5H1V9zM-11 5H11V6H-11z"]],
  moai: [["a", "M-5 9V-3Q-5-10 1-10 6-10 6-5L7-1 5 0V3L3 5V9z"], ["b", "M1-10Q6-10 6-5L7-1 5 0V3L3 5V9H1z"], ["c", "M-1-5H3V-3.6H-1z"]],
  machu_picchu: [["b", "M-11 9 -2-10 3-3 6-6 11 9z"], ["c", "M-10 8H10V9.5H-10z"], ["a", "M-8 8V5H-3V8zM-2 8V3H3V8zM4 8V6H8V8zM-3 2V0H0V2z"]],
  thien_mu: [["a", "M-4 10H4V6H-4zM-3.4 5H3.4V1.6H-3.4zM-2.8.6H2.8V-2.6H-2.8zM-2-3.6H2V-6.4H-2z"], ["c", "M-6 6H6L4 4.8H-4zM-5.4 1.6H5.4L3.6.4H-3.6zM-4.6-2.6H4.6L3-3.8H-3zM-3.6-6.4H3.6L0-10z"], ["b", "M-1 10V7H1V10z"]],
};

/** @param {{id: string, scale?: number, x?: number, y?: number}} props */
export const Art = ({ id, scale = 1, x = 0, y = 0 }) => html`<g class="ww-art"
  transform=${`translate(${x} ${y}) scale(${scale})`}>
  ${(ART[id] || ART.ziggurat).map(([tone, d]) => html`<path class=${tone} d=${d} />`)}</g>`;

/** @param {{id: string, size?: number}} props */
export const Picture = ({ id, size = 44 }) => html`<svg class="ww-picture" viewBox="-13 -13 26 26" width=${size}
  height=${size}
  aria-hidden="true"><${Art} id=${id} /></svg>`;
