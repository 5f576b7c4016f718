// World Wonders: the market, the city map, and the tracks.
import { html, useState } from "/static/lib.js";
import { Mark } from "/static/parts/ui.js";
import { City, Drawing, fresh } from "./city.js";
import { Icon } from "./icons.js";
import { Market } from "./market.js";

export { Components } from "./components.js";

/**
 * @typedef {import("./view.js").View} View
 * @typedef {import("/static/parts/boards.js").BoardOf<View>} Props
 */

/** @param {any} city */
const total = (city) => city.score.reduce((/** @type {number} */ sum, /** @type {any} */ line) => sum + line.points, 0);

/** @param {View} view */
export const scores = (view) => view.cities.map(total);

/** @param {Props["t"]} t @param {string} piece */
const pieceName = (t, piece) => (piece.startsWith("part") ? t("piece.part", { n: piece.slice(4) }) : t("piece."
  + piece));

/** @param {Props} props */
export function prompt({ legal, pick, t }) {
  const place = legal.find((action) => action.type === "place");
  if (place) return pick.x === undefined ? t("prompt.place", { piece: pieceName(t, pick.piece || place.piece) })
    : t("prompt.confirm");
  if (legal.some((action) => action.type === "automa_discard")) return t("prompt.automa");
  return legal.length ? t("prompt.buy") : "";
}

/** @param {string} field @param {any} value @param {Props} props */
export function valueName(field, value, { data, lang, t, view }) {
  if (field === "piece") return pieceName(t, value);
  if (field === "item") return t("item." + value);
  if (field === "card") return data.monuments.find((/** @type {any} */ card) => card.id === value)?.name[lang];
  if (field === "rot") return `${value * 90}°`;
  if (field === "x") return String.fromCharCode(65 + value);
  if (field === "y") return String(value + 1);
  if (field !== "stack") return null;
  const tile = view.buildings.find((one) => one.stack === value);
  return tile?.kind ? `${data.kinds[tile.kind].name[lang]} (${tile.price})` : value;
}

const COIN = html`<svg class="ww-coin" viewBox="0 0 20 20" width="15" height="15" aria-hidden="true"><circle cx="10"
  cy="10" r="8.5" />
  <circle class="in" cx="10" cy="10" r="5" /></svg>`;

export const direct = { types: ["automa_discard", "take_loan", "repay_loan", "leave"], quiet: ["take_loan",
  "repay_loan", "leave"] };

/** @param {View} view @param {number} seat */
export function figures(view, seat) {
  const city = view.cities[seat];
  return [{ key: "points", n: total(city) }, { key: "coins", n: city.coins, icon: COIN },
    { key: "population", n: city.population, icon: html`<${Icon} name="population" size=${15} />` },
    ...Object.keys(city.resources).map((id) => ({ key: id, n: city.resources[id], icon: html`<${Icon} name=${id}
      size=${15} />` }))];
}

/** @param {{props: Props, owner: number}} given */
export const Mini = ({ props, owner }) => html`<${Drawing} city=${props.view.cities[owner]} data=${props.data}
  lang=${props.lang} owner=${owner}
  bare=${true} fresh=${fresh(props, owner)} label=${props.t("ww.city", { name: props.names[owner] })} />`;

/** @param {{props: Props, owner: number}} given */
export const Area = ({ props, owner }) => html`<div class="ww"><${State} props=${props} owner=${owner} />
  <${Drawing} city=${props.view.cities[owner]} data=${props.data} lang=${props.lang} owner=${owner}
    fresh=${fresh(props, owner)}
    label=${props.t("ww.city", { name: props.names[owner] })} /><${Tracks} props=${props} owner=${owner} /></div>`;

/** @param {Props} props */
export function Board(props) {
  const { view, seat, legal, t, data, lang } = props;
  const mine = seat ?? Math.max(0, view.active);
  const pieces = [...new Set(legal.filter((action) => action.type === "place").map((action) => action.piece))];
  const [wanted, want] = useState("");
  const piece = pieces.includes(wanted) ? wanted : pieces[0] || null;
  return html`<div class="ww">
    <div class="ww-own"><${Round} props=${props} />
      <${City} props=${props} owner=${mine} piece=${piece}>${pieces.length > 1 && pieces.map((one) => html`<button
        key=${one}
        class=${`tool ${one === piece ? "chosen" : ""}`} aria-pressed=${one === piece ? "true" : "false"}
        onClick=${() => (want(one), props.choose({}))}>${pieceName(t, one)}</button>`)}<//>
      <${Tracks} props=${props} owner=${mine} /></div>
    <div class="ww-shop"><${Market} props=${props} />
      ${view.goals.length > 0 && html`<section
        class="ww-goals"><h2>${t("ww.goals")}</h2><ul>${view.goals.map((/** @type {string} */ id) =>
        html`<li key=${id}>${data.goals.find((/** @type {any} */ goal) => goal.id === id)
          ?.name[lang]}</li>`)}</ul></section>`}</div>
  </div>`;
}

/** @param {{props: Props}} given */
const Round = ({ props: { view, t, seat } }) => html`<p
  class="ww-round"><strong>${t("ww.round", { round: view.round, rounds: view.rounds })}</strong>
  <span class="row"><span
    class="soft">${t("ww.order")}</span>${view.order.map((/** @type {number} */ n) => html`<${Mark} seat=${n}
      size=${15} />`)}</span>
  ${view.target !== null && html`<span class="chip">${t("ww.target", { n: view.target })}</span>`}
  <${State} props=${{ view, t }} owner=${seat ?? Math.max(0, view.active)} /></p>`;

/** Coins as they lie there, and what is special. @param {{props: any, owner: number}} given */
function State({ props: { view, t }, owner }) {
  const city = view.cities[owner];
  return html`<span class="row ww-state"><span class="ww-coins" role="img"
    aria-label=${`${t("ww.coins")}: ${city.coins}`}>
      ${Array.from({ length: city.limit }, (_, n) => html`<i class=${n < city.coins ? "" : "spent"}></i>`)}</span>
    ${city.loan && html`<span class="chip">${t("ww.loan")}</span>`} ${city.out && html`<span
      class="chip">${t("ww.out")}</span>`}</span>`;
}

/** @param {{props: Props, owner: number}} given */
function Tracks({ props: { view, data, lang, t }, owner }) {
  const city = view.cities[owner];
  const board = data.resource_boards[view.options.resource_side || "A"];
  const rows = [{ id: "population", name: t("ww.population"), now: city.population, max: board.population_final,
    marks: [] },
    ...data.resources.map((/** @type {any} */ one) => ({ id: one.id, name: one.name[lang], now: city.resources[one.id],
      max: board.track_max, marks: board.population_symbols[one.id] }))];
  return html`<ul class="ww-tracks">${rows.map((row) => html`<li key=${row.id} class=${`k-${row.id}`}><${Icon}
    name=${row.id} label=${row.name} /><b>${row.now}</b>
    <span class="ww-track" aria-hidden="true">${Array.from({ length: row.max }, (_, n) =>
      html`<i class=${`${n < row.now ? "full" : ""} ${row.marks.includes(n + 1) ? "mark"
        : ""}`}></i>`)}</span></li>`)}</ul>`;
}

/** @param {Props} props */
export function text(props) {
  const { view, names, data, lang, t } = props;
  const offer = view.buildings.filter((tile) => tile.tile).map((tile) => `${valueName("stack", tile.stack,
    props)}: ${tile.shape.join(" / ")}`);
  const wonders = view.monuments.flatMap((id) => {
    if (!id) return [];
    const card = data.monuments.find((/** @type {any} */ one) => one.id === id);
    return `${card.name[lang]}: ${(card.pattern ? [card.pattern] : card.parts).map((/** @type {string[]} */ rows) =>
      rows.join("/")).join(" + ")}; ${card.adjacent.map((/** @type {string} */ what) => (data.kinds[what]
        ? data.kinds[what].name[lang] : t("need." + what))).join(", ")}; ${t("ww.vp", { n: card.reward.vp })}`;
  });
  return [{ title: t("ww.market"), lines: offer }, { title: t("ww.monuments"), lines: wonders },
    ...view.cities.map((city, /** @type {number} */ n) => ({
    title: `${t("ww.city", { name: names[n] })}. ${t("ww.score", { n: total(city) })}`,
    lines: [`${t("ww.coins")}: ${city.coins}`, `${t("ww.population")}: ${city.population}`,
      ...data.resources.map((/** @type {any} */ one) => `${one.name[lang]}: ${city.resources[one.id]}`),
      ...city.objects.map((one) => `${one.kind ? data.kinds[one.kind].name[lang] : one.card ? valueName("card",
        one.card, props) : pieceName(t, one.object === "road" ? "long_road"
          : one.object)}: ${one.cells.map((/** @type {number[]} */ [x, y]) => String.fromCharCode(65 + x) + (y + 1))
            .join(" ")}`)],
  }))];
}
