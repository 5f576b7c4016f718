// Akropolis: the Construction Site with its prices, and the cities as they grow.
import { html } from "/static/lib.js";
import { City, Elsewhere, Tile } from "./city.js";
import { Face, colour } from "./hexes.js";

/**
 * @typedef {import("./view.js").View} View
 * @typedef {import("/static/parts/boards.js").BoardOf<View>} Props
 */

const DISTRICTS = ["house", "market", "barracks", "temple", "garden"];

/** @param {View} view */
export const scores = (view) => view.players.map((player) => player.score.total);

/** @param {Props} props */
export function prompt({ pick, legal, t }) {
  if (!legal.length) return "";
  return t(pick.slot === undefined ? "prompt.tile" : pick.q === undefined ? "prompt.space" : "prompt.turn");
}

/** @param {Props} props @param {string} kind */
const name = ({ data, lang }, kind) => data.hex_types[kind].name[lang];

/** @param {string} field @param {any} value @param {Props} props */
export function valueName(field, value, props) {
  if (field === "rotation") return `${value * 60}°`;
  if (field !== "slot") return null;
  const offer = props.view.site.find((one) => one.price === value);
  return offer ? props.t("ak.tile", { hexes: offer.hexes.map((/** @type {string} */ hex) => name(props, hex))
    .join(", "), price: value }) : null;
}

/** The chosen tile by its quarters; where it lies is seen. @param {any} action @param {Props} props */
export function title(action, props) {
  const offer = props.view.site.find((one) => one.price === action.slot);
  const quarters = (offer?.hexes || []).map((/** @type {string} */ hex) => name(props, hex)).join(", ");
  return action.slot ? props.t("ak.pays", { quarters, price: action.slot }) : quarters;
}

const STONE = html`<svg class="ak-stone" viewBox="0 0 20 16" width="16" height="13" aria-hidden="true">
  <path d="M2 13 4 4 9 1 15 3 18 8 17 14 6 15z" /><path class="light" d="M4 4 9 1 15 3 11 6z" /></svg>`;

/** @param {View} view @param {number} seat */
export function figures(view, seat) {
  const { score, stones } = view.players[seat];
  return [{ key: "points", n: score.total }, { key: "stones", n: stones, icon: STONE }];
}

/** @param {{props: Props, owner: number}} given */
export const Mini = Elsewhere;

/** @param {{props: Props, owner: number}} given */
export const Area = ({ props, owner }) => html`<div class="ak"><${Elsewhere} props=${props} owner=${owner} /><${Pad}
  props=${props} owner=${owner} /></div>`;

/** @param {Props} props */
export function Board(props) {
  const { view, seat, t } = props;
  const mine = seat ?? view.to_act ?? 0;
  return html`<div class="ak">
    <div class="ak-side"><p
      class="ak-round"><strong>${t("ak.round", { round: view.round, rounds: view.rounds })}</strong>
        <span class="soft">${t("ak.left_stacks", { n: view.stacks_left })}</span>
        ${view.chief === mine && html`<span class="chip">${t("ak.chief")}</span>`}</p>
      <${Site} props=${props} /></div>
    <div class="ak-own"><${City} props=${props} owner=${mine} /><${Pad} props=${props} owner=${mine} />
      ${view.architect && html`<p
        class="ak-architect"><strong>${t("ak.architect")} ${view.architect.score.total}</strong>
        ${t("ak.stones")}: ${view.architect.stones} · ${t("ak.tiles", { n: view.architect.tiles.length })}</p>`}</div>
  </div>`;
}

/** @param {{props: Props}} given */
function Site({ props }) {
  const { view, data, pick, legal, choose, why, t, past } = props;
  return html`<section class="ak-site" aria-label=${t("ak.site")}>${view.site.map((offer) => {
    const part = { type: "build", slot: offer.price };
    const can = legal.some((action) => action.slot === offer.price);
    const on = pick.slot === offer.price;
    const inside = html`<${Tile} hexes=${offer.hexes} data=${data} /><span
      class="ak-price">${offer.price ? html`${STONE} ${offer.price}` : t("ak.free")}</span>`;
    const label = t("ak.tile", { hexes: offer.hexes.map((/** @type {string} */ hex) => name(props, hex)).join(", "),
      price: offer.price || t("ak.free") });
    const piece = { "data-piece": `tile${offer.tile}` };
    if (past || !legal.length) return html`<div key=${offer.tile} class="ak-offer" role="img" aria-label=${label}
      ...${piece}>${inside}</div>`;
    return html`<button key=${offer.tile} class=${`ak-offer ${can ? "can" : ""} ${on ? "chosen" : ""}`}
      aria-pressed=${on ? "true" : "false"}
      aria-label=${label} ...${piece} onClick=${can ? () => choose(on ? {} : part) : () => why({ ...part, q: 0, r: 0,
        rotation: 0 })}>${inside}</button>`;
  })}</section>`;
}

/** @param {{props: Props, owner: number}} given */
function Pad({ props, owner }) {
  const { view, data, t } = props;
  const { districts, stones } = view.players[owner].score;
  return html`<ul class="ak-pad" aria-label=${t("ak.score")}>${DISTRICTS.map((kind) => html`<li key=${kind}
    title=${name(props, kind)}>
      <svg class=${colour(kind, data)} viewBox="-10 -10 20 20" width="20" height="20" role="img"
        aria-label=${name(props, kind)}><${Face} kind=${kind} data=${data} /></svg>
      <span>${districts[kind]?.value ?? 0} × ${districts[kind]?.stars ?? 0}★</span>${" "}
      <b>${districts[kind]?.points ?? 0}</b></li>`)}
    <li>${STONE} <span>${t("ak.stones")}</span> <b>${stones}</b></li></ul>`;
}

/** A kind of quarter as the score pad has it. @param {Props} props @param {string} kind @param {any} score */
const inWords = (props, kind, score) => `${name(props, kind)}: ${props.t("ak.value")} ${score?.value ?? 0}, `
  + `${props.t("ak.stars")} ${score?.stars ?? 0}, ${props.t("ak.points")} ${score?.points ?? 0}`;

/** @param {Props} props */
export function text(props) {
  const { view, names, t } = props;
  const site = { title: t("ak.site"), lines: view.site.map((offer) => valueName("slot", offer.price, props)) };
  return [site, ...view.players.map((player, /** @type {number} */ n) => ({
    title: `${t("ak.city", { name: names[n] })}: ${player.score.total}`,
    lines: [`${t("ak.stones")}: ${player.stones}`,
      ...DISTRICTS.map((kind) => inWords(props, kind, player.score.districts[kind])),
      ...player.cells.map((cell) => `${t("ak.space", { q: cell.q, r: cell.r, level: cell.level })}: ${name(props,
        cell.hex)}`)],
  }))];
}
