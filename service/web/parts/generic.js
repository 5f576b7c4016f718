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
    if (value.every(simple)) return html`<span>${value.map((one) => (one === null ? "–" : pretty(String(one))))
      .join(", ")}</span>`;
    return html`<ol start="0">${value.map((one) => html`<li><${Shown} value=${one} /></li>`)}</ol>`;
  }
  const entries = Object.entries(value);
  if (!entries.length) return html`<span class="soft">–</span>`;
  if (entries.length < 6 && entries.every(([, one]) => simple(one))) {
    return html`<span>${entries.map(([name, one]) => `${pretty(name)} ${one === null ? "–" : pretty(String(one))}`)
      .join(" · ")}</span>`;
  }
  return html`<dl class="shown">${entries.map(([name, one]) => html`<div><dt>${pretty(name)}</dt><dd><${Shown}
    value=${one} /></dd></div>`)}</dl>`;
}

/**
 * A list as long as the table says one thing of each seat: no game's names are known here.
 * @param {any} view
 * @param {number} seats
 */
export function sorted(view, seats) {
  const fields = Object.entries(view);
  const bySeat = fields.filter(([, value]) => Array.isArray(value) && value.length === seats);
  const alone = bySeat.length === 1 && bySeat[0][1].every((/** @type {any} */ one) => !simple(one)
    && !Array.isArray(one));
  const parts = Array.from({ length: bySeat.length ? seats : 0 }, (_, n) =>
    alone ? bySeat[0][1][n] : Object.fromEntries(bySeat.map(([name, value]) => [name, value[n]])));
  return { parts, table: Object.fromEntries(fields.filter((field) => !bySeat.includes(field))) };
}

/** Whose view it is stands in the heading. @param {import("./boards.js").BoardProps} props */
export function Board({ view: { seat: _, ...view }, names, seat, t }) {
  const { parts, table } = sorted(view, names.length);
  return html`<div class="generic">
    ${parts.map((one, n) => html`<section class="card" key=${n}>
      <h3>${names[n]}${n === seat ? ` (${t("seat.you")})` : ""}</h3><${Shown} value=${one} /></section>`)}
    <section class="card"><h3>${t("generic.table")}</h3><${Shown} value=${table} /></section>
  </div>`;
}
