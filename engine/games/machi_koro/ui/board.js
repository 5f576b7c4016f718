// Machi Koro: the dice, the market, and every city as piles of cards.
import { html } from "/static/lib.js";
import { agrees } from "/static/pick.js";
import { Mark } from "/static/parts/ui.js";
import { Building } from "./art.js";
import { Coins, Die, Icon } from "./icons.js";

/**
 * @typedef {import("./view.js").View} View
 * @typedef {import("/static/parts/boards.js").BoardOf<View>} Props
 */

/** @param {View} view */
export const scores = (view) => view.players.map((player) => player.landmarks.length);

/** @param {Props} props */
export function prompt({ view, pick, t }) {
  if (view.phase === "business_center" && pick.give) return t("prompt.take");
  return ["roll", "reroll", "build", "tv_station", "business_center"].includes(view.phase) ? t("prompt." + view.phase)
    : "";
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
  return [card.activation && `${range(card.activation)}:`, card.color && `${t("when." + card.color)}.`,
    card.text[lang]].filter(Boolean).join(" ");
}

const COIN = html`<svg class="mk-coin" viewBox="0 0 20 20" width="15" height="15" aria-hidden="true"><circle cx="10"
  cy="10" r="8.5" />
  <circle class="in" cx="10" cy="10" r="5" /></svg>`;

export const direct = { types: ["roll", "keep", "reroll", "skip_trade", "pass"], quiet: ["pass", "skip_trade"] };

/** @param {View} view @param {number} seat */
export const figures = (view, seat) => [
  { key: "landmarks", n: view.players[seat].landmarks.length, icon: html`<${Icon} name="major" size=${14} />` },
  { key: "coins", n: view.players[seat].coins, icon: COIN },
];

/** @param {number[] | undefined} list */
const sum = (list) => (list || []).reduce((a, b) => a + b, 0);

/**
 * What a seat threw last and what that brought it; null if it has not thrown yet.
 * @param {Props} props
 * @param {number} owner
 */
function lastRoll({ events, recent }, owner) {
  const facts = (events || recent).flatMap((event) => event.facts || []);
  const roll = facts.findLast((fact) => ["rolled", "kept"].includes(fact.type) && fact.seat === owner);
  if (!roll) return null;
  const { green = 0, blue = [], red = [], stadium = [] } = roll.payout || {};
  return { dice: roll.dice, gain: green + (blue[owner] || 0) + sum(stadium) - sum(red) };
}

/**
 * The last roll of a seat in a few signs; always in sight.
 * @param {{props: Props, owner: number, size?: number}} given
 */
function Threw({ props, owner, size = 20 }) {
  const roll = lastRoll(props, owner);
  if (!roll) return html`<span class="mk-threw soft">–</span>`;
  const gain = roll.gain > 0 ? `+${roll.gain}` : String(roll.gain);
  return html`<span class="mk-threw" title=${props.t("mk.threw", { n: sum(roll.dice), gain })}>
    ${roll.dice.map((/** @type {number} */ face) => html`<${Die} face=${face} size=${size} />`)} <b
      class=${roll.gain < 0 ? "bad" : ""}>${gain}</b></span>`;
}

/** @param {{props: Props, owner: number}} given */
export const Mini = ({ props, owner }) => html`<span class="mk mk-mini"><${Threw} props=${props} owner=${owner} />
  <${Marks} props=${props} owner=${owner} size=${13} /></span>`;

/** @param {{props: Props, owner: number}} given */
export const Area = ({ props, owner }) => html`<div class="mk"><${City} props=${props} owner=${owner} /></div>`;

/** @param {Props} props */
export function Board(props) {
  const { view, seat, legal } = props;
  const seats = view.players.map((_, /** @type {number} */ n) => n);
  const mine = seat ?? 0;
  // Others lie in the strip, unless one of their cards or one of them is to be chosen.
  const reach = legal.some((action) => ["trade", "tv_station"].includes(action.type));
  return html`<div class="mk">
    <div class="mk-own"><${Tray} props=${props} /><${City} props=${props} owner=${mine} /></div>
    ${reach && html`<div class="mk-cities">${seats.filter((/** @type {number} */ n) => n !== mine)
      .map((/** @type {number} */ n) =>
      html`<${City} key=${n} props=${props} owner=${n} />`)}</div>`}
    <${Landmarks} props=${props} /><${Market} props=${props} />
  </div>`;
}

/** The dice: those of this turn, else the last that fell. @param {{props: Props}} given */
function Tray({ props }) {
  const { view, t, names } = props;
  const owner = view.active;
  const last = props.recent.flatMap((event) => event.facts || []).findLast((fact) => ["rolled",
    "kept"].includes(fact.type));
  const dice = view.dice.length ? view.dice : last?.dice || [];
  const who = view.dice.length ? owner : last?.seat;
  return html`<section class="mk-tray" aria-live="polite">
    ${dice.length ? dice.map((/** @type {number} */ face, /** @type {number} */ n) => html`<span class="mk-cup"
      key=${`${view.turn ?? ""}${n}${face}${who}`}><${Die} face=${face} size=${46} /></span>`)
      : html`<span class="mk-cup none"></span>`}
    <span class="mk-said">${dice.length ? html`<strong>${t("mk.rolled", { name: names[who], n: sum(dice) })}</strong>`
      : html`<span class="soft">${t("mk.no_roll")}</span>`}
      ${view.extra_turn && html`<span class="chip">${t("mk.again")}</span>`}</span></section>`;
}

/** @param {{props: Props}} given */
function Market({ props }) {
  const { view, data, t } = props;
  const offered = data.establishments.filter((/** @type {any} */ card) => view.supply[card.id]
    || view.options.supply === "full");
  return html`<section class="mk-shop"><h2>${t("mk.market")} ${view.deck_size > 0 && html`<span
    class="soft">${t("mk.deck", { n: view.deck_size })}</span>`}</h2>
    <div class="mk-market">${offered.map((/** @type {any} */ card) => html`<${Offer} key=${card.id} props=${props}
      card=${card} left=${view.supply[card.id] || 0} />`)}</div>
  </section>`;
}

/** The goal: four landmarks, what each does and costs, and which stand. @param {{props: Props}} given */
function Landmarks({ props }) {
  const { view, data, t, seat } = props;
  if (seat === null) return null;
  const built = view.players[seat].landmarks;
  return html`<section class="mk-goal"><h2>${t("mk.landmarks")} <span
    class="soft">${built.length} / ${data.landmarks.length}</span></h2>
    <div class="mk-four">${data.landmarks.map((/** @type {any} */ card) => html`<${Offer} key=${card.id} props=${props}
      card=${card} left=${1} built=${built.includes(card.id)} />`)}</div></section>`;
}

/** What a card says, for who only reads it. @param {any} card @param {Props} props */
const told = (card, { lang, t }) => [`${card.name[lang]}.`, card.activation && `${range(card.activation)}, ${t("when."
  + card.color)}:`,
  card.text[lang], t("mk.costs", { n: card.cost })].filter(Boolean).join(" ");

/** @param {{props: Props, card: any, left: number, built?: boolean}} given */
function Offer({ props, card, left, built }) {
  const { legal, pick, choose, lang, t, why, say, past } = props;
  const part = { type: "build", card: card.id };
  const can = legal.some((action) => agrees(action, part));
  const on = pick.type === "build" && pick.card === card.id;
  const building = legal.some((action) => action.type === "build" || action.type === "pass");
  const inside = html`<span class="mk-head"><b>${card.activation ? range(card.activation) : "★"}</b>
      ${card.color && html`<span class="mk-when">${t("when." + card.color)}</span>`}</span>
    <span class="mk-scene"><${Building} id=${card.id} size=${56} /></span>
    <span class="mk-name">${card.name[lang]}</span><span class="mk-text">${card.text[lang]}</span>
    <span class="mk-foot"><${Coins} n=${card.cost} label=${t("mk.cost", { n: card.cost })} />
      <span class="mk-left">${card.activation ? (left ? `×${left}` : t("mk.gone")) : built ? `✓ ${t("mk.built")}`
        : ""}</span></span>`;
  const name = `mk-card ${card.color || "landmark"} ${can ? "can" : ""} ${on ? "chosen" : ""} ${left && !built ? ""
    : "out"} ${built ? "built" : ""}`;
  const tap = can ? () => choose(on ? {} : part) : building && !built ? () => why(part) : () => say(told(card, props),
    true);
  if (past) return html`<div class=${name}>${inside}</div>`;
  return html`<button class=${name} aria-pressed=${on ? "true" : "false"} title=${card.text[lang]}
    onClick=${tap}>${inside}</button>`;
}

/** The landmarks of a seat, built or not. @param {{props: Props, owner: number, size?: number}} given */
const Marks = ({ props: { view, data, lang, t }, owner, size = 22 }) => html`<span
  class="mk-marks">${data.landmarks.map((/** @type {any} */ card) => {
  const have = view.players[owner].landmarks.includes(card.id);
  return html`<span class=${have ? "have" : ""} role="img" title=${card.name[lang]}
    aria-label=${`${card.name[lang]}: ${t(have ? "mk.built" : "mk.not_built")}`}><${Icon} name=${card.id}
      size=${size} /></span>`;
})}</span>`;

/** @param {{props: Props, owner: number}} given */
function City({ props, owner }) {
  const { view, data, names, t, seat, legal, choose } = props;
  const player = view.players[owner];
  const tv = { type: "tv_station", target: owner };
  const pays = legal.some((action) => agrees(action, tv));
  const head = html`<${Mark} seat=${owner} size=${16} /> <span class="name">${names[owner]}</span> <${Coins}
    n=${player.coins} label=${t("mk.coins", { n: player.coins })} />`;
  return html`<section class=${`mk-city ${view.active === owner && view.phase !== "over" ? "active" : ""}`}
    aria-label=${t("mk.city", { name: names[owner] })}>
    <div class="mk-line">${pays ? html`<button class="mk-owner can"
      onClick=${() => choose(tv)}>${head}</button>` : html`<h2 class="mk-owner">${head}</h2>`}
      <${Threw} props=${props} owner=${owner} size=${22} /><${Marks} props=${props} owner=${owner} /></div>
    <ul class="mk-piles">${data.establishments.filter((/** @type {any} */ card) => player.cards[card.id])
      .map((/** @type {any} */ card) => html`<li key=${card.id}>
      <${Pile} props=${props} card=${card} copies=${player.cards[card.id]} owner=${owner}
        mine=${owner === seat} /></li>`)}</ul>
  </section>`;
}

/**
 * A pile of equal cards; in a trade it can be chosen.
 * @param {{props: Props, card: any, copies: number, owner: number, mine: boolean}} given
 */
function Pile({ props, card, copies, owner, mine }) {
  const { legal, pick, choose, lang, t, say, past } = props;
  const trading = legal.some((action) => action.type === "trade");
  const part = mine ? { type: "trade", give: card.id } : { ...pick, type: "trade", target: owner, take: card.id };
  const can = trading && (mine || pick.give) && legal.some((action) => agrees(action, part));
  const on = mine ? pick.give === card.id : pick.target === owner && pick.take === card.id;
  const marked = props.marked.some((fact) => fact.type === "built" && fact.seat === owner && fact.card === card.id);
  const inside = html`<b>${range(card.activation)}</b><${Building} id=${card.id} size=${44} />
    ${copies > 1 && html`<span class="mk-copies">×${copies}</span>`}<span class="mk-pname">${card.name[lang]}</span>`;
  const name = `mk-pile ${card.color} ${can ? "can" : ""} ${on ? "chosen" : ""} ${marked ? "fresh" : ""}`;
  const piece = { "data-piece": `${owner}:${card.id}:${copies}`, "data-from": mine ? ".mk-shop"
    : `[data-seat="${owner}"]` };
  const tap = can ? () => choose(part) : trading ? () => say(t("why.not_tradable")) : () => say(told(card, props),
    true);
  if (past) return html`<span class=${name} ...${piece}>${inside}</span>`;
  return html`<button class=${name} ...${piece} aria-pressed=${on ? "true" : "false"} title=${card.text[lang]}
    onClick=${tap}>${inside}</button>`;
}

/** @param {Props} props */
export function text({ view, names, data, lang, t }) {
  const cities = view.players.map((player, /** @type {number} */ n) => ({
    title: `${t("mk.city", { name: names[n] })}: ${t("mk.coins", { n: player.coins })}`,
    lines: [...Object.entries(player.cards).map(([id, copies]) => `${copies} × ${find(data, id)
      .name[lang]} (${range(find(data, id).activation)})`),
      `${t("mk.landmarks")}: ${player.landmarks.map((/** @type {string} */ id) => find(data, id).name[lang]).join(", ")
        || "–"}`],
  }));
  const market = Object.entries(view.supply).map(([id, left]) => {
    const card = find(data, id);
    return `${card.name[lang]} (${range(card.activation)}, ${t("when." + card.color)}), ${t("mk.cost",
      { n: card.cost })}, ${t("mk.left", { n: left })}: ${card.text[lang]}`;
  });
  return [{ title: view.dice.length ? view.dice.join(" + ") : t("mk.no_roll"), lines: [] }, ...cities,
    { title: t("mk.market"), lines: market }];
}
