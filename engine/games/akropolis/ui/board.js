// Akropolis: the Construction Site with its prices, and the cities as they grow.
import { html } from "/static/lib.js";
import { Mark } from "/static/parts/ui.js";
import { City, Elsewhere, Tile } from "./city.js";
import { Face, colour } from "./hexes.js";

/** @typedef {import("/static/parts/boards.js").BoardProps} Props */

const DISTRICTS = ["house", "market", "barracks", "temple", "garden"];

/** @param {any} view */
export const scores = (view) => view.players.map((/** @type {any} */ player) => player.score.total);

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
  const offer = props.view.site.find((/** @type {any} */ one) => one.price === value);
  return offer ? props.t("ak.tile", { hexes: offer.hexes.map((/** @type {string} */ hex) => name(props, hex)).join(", "), price: value }) : null;
}

/** @param {Props} props */
export function Board(props) {
  const { view, seat, t } = props;
  const mine = seat ?? view.to_act ?? 0;
  const others = view.players.map((/** @type {any} */ _, /** @type {number} */ n) => n).filter((/** @type {number} */ n) => n !== mine);
  return html`<div class="ak">
    <p class="row"><strong>${t("ak.round", { round: view.round, rounds: view.rounds })}</strong> <span class="soft">${t("ak.left_stacks", { n: view.stacks_left })}</span></p>
    <${Site} props=${props} />
    <section class="card"><${Head} props=${props} owner=${mine} /><${City} props=${props} owner=${mine} /><${Pad} props=${props} owner=${mine} /></section>
    <div class="ak-others">${others.map((/** @type {number} */ n) => html`<section class="card" key=${n}><${Head} props=${props} owner=${n} /><${Elsewhere} props=${props} owner=${n} /><${Pad} props=${props} owner=${n} /></section>`)}
      ${view.architect && html`<section class="card"><h2>${t("ak.architect")} <b class="points">${view.architect.score.total}</b></h2><p>${t("ak.stones")}: ${view.architect.stones} · ${t("ak.tiles", { n: view.architect.tiles.length })}</p></section>`}</div>
  </div>`;
}

/** @param {{props: Props, owner: number}} given */
const Head = ({ props: { view, names, t }, owner }) => html`<header class="row spread"><h2 class="row"><${Mark} seat=${owner} /> ${names[owner]}
  ${view.chief === owner && html`<span class="chip">${t("ak.chief")}</span>`}</h2>
  <span class="row"><span class="ak-stones" role="img" aria-label=${`${t("ak.stones")}: ${view.players[owner].stones}`}><i></i> ${view.players[owner].stones}</span> <b class="points">${view.players[owner].score.total}</b></span></header>`;

/** @param {{props: Props}} given */
function Site({ props }) {
  const { view, data, pick, legal, choose, say, why, t, seat } = props;
  return html`<section class="ak-site" aria-label=${t("ak.site")}>${view.site.map((/** @type {any} */ offer) => {
    const can = legal.some((action) => action.slot === offer.price);
    const on = pick.slot === offer.price;
    const stones = seat === null ? 0 : view.players[seat].stones;
    const refused = () => (stones < offer.price ? say(t("why.dear", { price: offer.price, stones })) : why({ type: "build", slot: offer.price, q: 0, r: 0, rotation: 0 }));
    const inside = html`<${Tile} hexes=${offer.hexes} data=${data} /><span class="ak-price">${offer.price ? html`<i></i> ${offer.price}` : t("ak.free")}</span>`;
    const label = t("ak.tile", { hexes: offer.hexes.map((/** @type {string} */ hex) => name(props, hex)).join(", "), price: offer.price || t("ak.free") });
    return legal.length ? html`<button key=${offer.tile} class=${`ak-offer ${can ? "can" : ""} ${on ? "chosen" : ""}`} aria-pressed=${on ? "true" : "false"} aria-label=${label}
      onClick=${can ? () => choose(on ? {} : { type: "build", slot: offer.price }) : refused}>${inside}</button>` : html`<div key=${offer.tile} class="ak-offer" role="img" aria-label=${label}>${inside}</div>`;
  })}</section>`;
}

/** @param {{props: Props, owner: number}} given */
function Pad({ props, owner }) {
  const { view, data, t } = props;
  const { districts, stones } = view.players[owner].score;
  return html`<ul class="ak-pad" aria-label=${t("ak.score")}>${DISTRICTS.map((kind) => html`<li key=${kind} title=${name(props, kind)}>
      <svg class=${colour(kind, data)} viewBox="-10 -10 20 20" width="20" height="20" role="img" aria-label=${name(props, kind)}><${Face} kind=${kind} data=${data} /></svg>
      <span>${districts[kind]?.value ?? 0} × ${districts[kind]?.stars ?? 0}★</span> <b>${districts[kind]?.points ?? 0}</b></li>`)}
    <li><span class="ak-stones"><i></i></span> <span>${t("ak.stones")}</span> <b>${stones}</b></li></ul>`;
}

/** @param {Props} props */
export function text(props) {
  const { view, names, t } = props;
  const site = { title: t("ak.site"), lines: view.site.map((/** @type {any} */ offer) => valueName("slot", offer.price, props)) };
  return [site, ...view.players.map((/** @type {any} */ player, /** @type {number} */ n) => ({
    title: `${t("ak.city", { name: names[n] })}: ${player.score.total}`,
    lines: [`${t("ak.stones")}: ${player.stones}`,
      ...DISTRICTS.map((kind) => `${name(props, kind)}: ${t("ak.value")} ${player.score.districts[kind]?.value ?? 0}, ${t("ak.stars")} ${player.score.districts[kind]?.stars ?? 0}, ${t("ak.points")} ${player.score.districts[kind]?.points ?? 0}`),
      ...player.cells.map((/** @type {any} */ cell) => `${t("ak.space", { q: cell.q, r: cell.r, level: cell.level })}: ${name(props, cell.hex)}`)],
  }))];
}
