// A board for any game: the view as readable structure. Also the text mode of boards that do not describe themselves.
import { html } from "../lib.js";

/** @param {string} name */
const pretty = (name) => name.replaceAll("_", " ");

/** @param {any} value */
const simple = (value) => value === null || typeof value !== "object";

/** @param {any} value */
function Shown({ value }) {
  if (value === null || value === undefined) return html`<span class="soft">–</span>`;
  if (simple(value)) return html`<span>${typeof value === "string" ? pretty(value) : String(value)}</span>`;
  if (Array.isArray(value)) {
    if (!value.length) return html`<span class="soft">–</span>`;
    if (value.every(simple)) return html`<span>${value.map((one) => (one === null ? "–" : pretty(String(one)))).join(", ")}</span>`;
    return html`<ol start="0">${value.map((one) => html`<li><${Shown} value=${one} /></li>`)}</ol>`;
  }
  const entries = Object.entries(value);
  if (!entries.length) return html`<span class="soft">–</span>`;
  if (entries.length < 6 && entries.every(([, one]) => simple(one))) {
    return html`<span>${entries.map(([name, one]) => `${pretty(name)} ${one === null ? "–" : pretty(String(one))}`).join(" · ")}</span>`;
  }
  return html`<dl class="shown">${entries.map(([name, one]) => html`<div><dt>${pretty(name)}</dt><dd><${Shown} value=${one} /></dd></div>`)}</dl>`;
}

/** @param {import("./boards.js").BoardProps} props */
export function Board({ view, names, seat, t }) {
  const { players, cities, ...table } = view;
  const seats = players || cities || [];
  return html`<div class="generic">
    ${seats.map((/** @type {any} */ one, /** @type {number} */ n) => html`<section class="card" key=${n}>
      <h3>${names[n]}${n === seat ? ` (${t("seat.you")})` : ""}</h3><${Shown} value=${one} /></section>`)}
    <section class="card"><h3>${t("generic.table")}</h3><${Shown} value=${table} /></section>
  </div>`;
}
