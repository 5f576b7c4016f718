// Machi Koro: the dice, the market, and every city as piles of cards.
import { html } from "/static/lib.js";
import { agrees } from "/static/pick.js";
import { Direct } from "/static/kit/direct.js";
import { Mark } from "/static/parts/ui.js";
import { Coins, Die, Icon } from "./icons.js";

/** @typedef {import("/static/parts/boards.js").BoardProps} Props */

const DIRECT = ["roll", "keep", "reroll", "skip_trade", "pass"];

/** @param {any} view */
export const scores = (view) => view.players.map((/** @type {any} */ player) => player.landmarks.length);

/** @param {Props} props */
export function prompt({ view, pick, t }) {
  if (view.phase === "business_center" && pick.give) return t("prompt.take");
  return ["roll", "reroll", "build", "tv_station", "business_center"].includes(view.phase) ? t("prompt." + view.phase) : "";
}

/** @param {any} data @param {string} id */
const find = (data, id) => [...data.establishments, ...data.landmarks].find((one) => one.id === id);

/** @param {string} field @param {any} value @param {Props} props */
export function valueName(field, value, { data, lang }) {
  return ["card", "give", "take"].includes(field) ? find(data, value).name[lang] : null;
}

/** Activation numbers as they are printed. @param {number[]} numbers */
const range = (numbers) => (numbers.length > 1 ? `${numbers[0]}–${numbers[numbers.length - 1]}` : String(numbers[0]));

/** What a card does, said before it is built. @param {any} action @param {Props} props */
export function about(action, { data, lang, t }) {
  if (action.type !== "build") return "";
  const card = find(data, action.card);
  return [card.activation && `${range(card.activation)}:`, card.color && `${t("when." + card.color)}.`, card.text[lang]].filter(Boolean).join(" ");
}

/** The dice that a seat threw last, as long as I have not acted since. @param {Props} props @param {number | null} owner @returns {number[]} */
const lastRoll = ({ recent }, owner) => recent.flatMap((event) => event.facts || []).findLast((fact) => ["rolled", "kept"].includes(fact.type) && (owner === null || fact.seat === owner))?.dice || [];

/** @param {Props} props */
export function Board(props) {
  const { view, seat, t, legal } = props;
  // Whoever builds wants the market in sight: the others' cities come after it then.
  const building = legal.some((action) => action.type === "build");
  const seats = view.players.map((/** @type {any} */ _, /** @type {number} */ n) => n);
  const mine = seat ?? 0;
  return html`<div class="mk">
    <section class="card mk-tray">
      <div class="row">${view.dice.length ? view.dice.map((/** @type {number} */ face) => html`<${Die} face=${face} />`) : html`<span class="soft">${t("mk.no_roll")}</span>`}
        ${view.dice.length > 1 && html`<strong class="mk-total">${t("mk.total", { n: view.dice[0] + view.dice[1] })}</strong>`}
        ${view.extra_turn && html`<span class="chip">${t("mk.again")}</span>`}</div>
      <${Direct} props=${props} types=${DIRECT} quiet=${["pass", "skip_trade"]} />
    </section>
    ${building && html`<${City} props=${props} owner=${mine} /><${Market} props=${props} />`}
    <div class="mk-cities">${[...seats.slice(mine), ...seats.slice(0, mine)].slice(building ? 1 : 0).map((n) => html`<${City} key=${n} props=${props} owner=${n} />`)}</div>
    ${!building && html`<${Market} props=${props} />`}
  </div>`;
}

/** @param {{props: Props}} given */
function Market({ props }) {
  const { view, data, t, seat } = props;
  const offered = data.establishments.filter((/** @type {any} */ card) => view.supply[card.id] || view.options.supply === "full");
  const built = seat === null ? [] : view.players[seat].landmarks;
  return html`<section><h2>${t("mk.market")} ${view.deck_size > 0 && html`<span class="soft">${t("mk.deck", { n: view.deck_size })}</span>`}</h2>
    <div class="mk-market">${offered.map((/** @type {any} */ card) => html`<${Offer} key=${card.id} props=${props} card=${card} left=${view.supply[card.id] || 0} />`)}</div>
    ${seat !== null && html`<h2>${t("mk.landmarks")}</h2><div class="mk-market">${data.landmarks.map((/** @type {any} */ card) => html`<${Offer} key=${card.id} props=${props} card=${card} left=${1} built=${built.includes(card.id)} />`)}</div>`}
  </section>`;
}

/** @param {{props: Props, card: any, left: number, built?: boolean}} given */
function Offer({ props, card, left, built }) {
  const { legal, pick, choose, lang, t, why, past } = props;
  const part = { type: "build", card: card.id };
  const can = legal.some((action) => agrees(action, part));
  const on = pick.type === "build" && pick.card === card.id;
  const building = legal.some((action) => action.type === "build" || action.type === "pass");
  const inside = html`<span class="mk-head">${card.activation ? html`<b>${range(card.activation)}</b>` : html`<b>★</b>`}<${Icon} name=${card.symbol || card.id} /></span>
    <span class="mk-name">${card.name[lang]}</span>
    ${card.color && html`<span class="mk-when">${t("when." + card.color)}</span>`}
    <span class="mk-text">${card.text[lang]}</span>
    <span class="mk-foot"><${Coins} n=${card.cost} label=${t("mk.cost", { n: card.cost })} />${card.activation ? html`<span>${left ? `×${left}` : t("mk.gone")}</span>` : html`<span>${built ? "✓ " + t("mk.built") : ""}</span>`}</span>`;
  const name = `mk-card ${card.color || "landmark"} ${can ? "can" : ""} ${on ? "chosen" : ""} ${left && !built ? "" : "out"}`;
  if (!past && (can || (building && !built))) return html`<button class=${name} aria-pressed=${on ? "true" : "false"} onClick=${() => (can ? choose(part) : why(part))}>${inside}</button>`;
  return html`<div class=${name}>${inside}</div>`;
}

/** @param {{props: Props, owner: number}} given */
function City({ props, owner }) {
  const { view, data, lang, names, t, seat, legal, choose } = props;
  const player = view.players[owner];
  const tv = { type: "tv_station", target: owner };
  const pays = legal.some((action) => agrees(action, tv));
  const thrown = lastRoll(props, owner);
  const head = html`<${Mark} seat=${owner} /> <span>${names[owner]}</span> <${Coins} n=${player.coins} label=${t("mk.coins", { n: player.coins })} />`;
  return html`<section class=${`card mk-city ${view.active === owner && view.phase !== "over" ? "active" : ""}`} aria-label=${t("mk.city", { name: names[owner] })}>
    ${pays ? html`<button class="mk-owner can" onClick=${() => choose(tv)}>${head}</button>` : html`<h2 class="mk-owner">${head}</h2>`}
    ${thrown.length > 0 && html`<p class="mk-threw">${thrown.map((face) => html`<${Die} face=${face} size=${24} />`)} <span class="soft">${t("mk.threw", { n: thrown.reduce((a, b) => a + b) })}</span></p>`}
    <p class="mk-marks">${data.landmarks.map((/** @type {any} */ card) => html`<span class=${player.landmarks.includes(card.id) ? "have" : ""} role="img" title=${card.name[lang]}
      aria-label=${`${card.name[lang]}: ${t(player.landmarks.includes(card.id) ? "mk.built" : "mk.not_built")}`}><${Icon} name=${card.id} size=${20} /></span>`)}</p>
    <ul class="mk-piles">${data.establishments.filter((/** @type {any} */ card) => player.cards[card.id]).map((/** @type {any} */ card) => html`<li key=${card.id}>
      <${Pile} props=${props} card=${card} copies=${player.cards[card.id]} owner=${owner} mine=${owner === seat} /></li>`)}</ul>
  </section>`;
}

/** A pile of equal cards; in a trade it can be chosen. @param {{props: Props, card: any, copies: number, owner: number, mine: boolean}} given */
function Pile({ props, card, copies, owner, mine }) {
  const { legal, pick, choose, lang, t, say } = props;
  const trading = legal.some((action) => action.type === "trade");
  const part = mine ? { type: "trade", give: card.id } : { ...pick, type: "trade", target: owner, take: card.id };
  const can = trading && (mine || pick.give) && legal.some((action) => agrees(action, part));
  const on = mine ? pick.give === card.id : pick.target === owner && pick.take === card.id;
  const inside = html`<b>${range(card.activation)}</b><${Icon} name=${card.symbol} size=${18} /><span class="mk-pname">${card.name[lang]}</span>${copies > 1 && html`<span class="mk-copies">×${copies}</span>`}`;
  const name = `mk-pile ${card.color} ${can ? "can" : ""} ${on ? "chosen" : ""}`;
  return trading ? html`<button class=${name} aria-pressed=${on ? "true" : "false"} onClick=${can ? () => choose(part) : () => say(t("why.not_tradable"))}>${inside}</button>`
    : html`<span class=${name} title=${`${card.name[lang]}: ${card.text[lang]}`}>${inside}</span>`;
}

/** @param {Props} props */
export function text({ view, names, data, lang, t }) {
  const cities = view.players.map((/** @type {any} */ player, /** @type {number} */ n) => ({
    title: `${t("mk.city", { name: names[n] })}: ${t("mk.coins", { n: player.coins })}`,
    lines: [...Object.entries(player.cards).map(([id, copies]) => `${copies} × ${find(data, id).name[lang]} (${range(find(data, id).activation)})`),
      `${t("mk.landmarks")}: ${player.landmarks.map((/** @type {string} */ id) => find(data, id).name[lang]).join(", ") || "–"}`],
  }));
  const market = Object.entries(view.supply).map(([id, left]) => {
    const card = find(data, id);
    return `${card.name[lang]} (${range(card.activation)}, ${t("when." + card.color)}), ${t("mk.cost", { n: card.cost })}, ${t("mk.left", { n: left })}: ${card.text[lang]}`;
  });
  return [{ title: view.dice.length ? view.dice.join(" + ") : t("mk.no_roll"), lines: [] }, ...cities, { title: t("mk.market"), lines: market }];
}
