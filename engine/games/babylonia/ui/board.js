// Babylonia: the map, one's stand, the ziggurat cards, and what points are for.
import { html } from "/static/lib.js";
import { agrees } from "/static/pick.js";
import { WorldMap, tokens } from "./map.js";
import { Token } from "./pieces.js";

/**
 * @typedef {import("./view.js").View} View
 * @typedef {import("/static/parts/boards.js").BoardOf<View>} Props
 */

/** @param {View} view */
export const scores = (view) => view.players.map((player) => player.score);

/** @param {Props} props */
export function prompt({ legal, pick, t }) {
  if (!legal.length) return "";
  for (const type of ["resolve", "take_card", "extra_turn"]) if (legal.some((action) =>
    action.type === type)) return t("prompt." + type);
  return t(pick.hex ? "prompt.confirm" : pick.token ? "prompt.hex" : "prompt.token");
}

/** @param {any} data @param {number[]} hex */
const labelOf = (data, [q, r]) => data.map.cells.find((/** @type {any} */ cell) => cell.q === q && cell.r === r)?.label;

/** @param {Props} props @param {string | null} kind */
const kindName = ({ data, lang, t }, kind) => (kind ? data.tokens.find((/** @type {any} */ one) => one.kind === kind)
  .name[lang] : t("ba.hidden"));

/** @param {string} field @param {any} value @param {Props} props */
export function valueName(field, value, props) {
  if (field === "hex") return labelOf(props.data, value);
  if (field === "token") return kindName(props, value);
  if (field === "card") return props.data.ziggurat_cards.find((/** @type {any} */ card) => card.number === value)
    .name[props.lang];
  return null;
}

export const direct = { types: ["done", "extra_turn"] };

const CARD = html`<svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true"><path class="ba-sign"
  d="M1 15V11H4V7H6.4V3H9.6V7H12V11H15V15z" /></svg>`;
const TOWN = html`<svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true"><path class="ba-sign"
  d="M1 14V5H3V3H6V5H10V3H13V5H15V14z" /></svg>`;

/** @param {View} view @param {number} seat */
export function figures(view, seat) {
  const player = view.players[seat];
  return [{ key: "points", n: player.score }, { key: "city_tiles", n: player.city_tiles.length, icon: TOWN },
    { key: "cards", n: player.cards.length, icon: CARD }];
}

/** Where somebody's points come from, and what they hold. @param {{props: Props, owner: number}} given */
export function Area({ props, owner }) {
  const { view, t } = props;
  const player = view.players[owner];
  return html`<div class="ba ba-person"><ul
    class="ba-parts">${Object.entries(player.points).map(([what, points]) => html`<li key=${what}>
      <span>${t("pt." + what)}</span> <b>${points}</b></li>`)}</ul>
    <p>${t("ba.standsize", { n: player.stand_size })} · ${t("ba.supply", { n: player.supply_size })} · ${t("ba.cities",
      { n: player.city_tiles.length })}</p>
    ${player.cards.length > 0 && html`<p class="row">${player.cards.map((/** @type {number} */ card) => html`<span
      class="chip">
      ${valueName("card", card, props)}${player.spent.some((one) => one === card) ? ` (${t("ba.spent")})`
        : ""}</span>`)}</p>`}</div>`;
}

/** @param {{props: Props, owner: number}} given */
export const Mini = ({ owner }) => html`<svg viewBox="-12 -12 24 24" class="ba-face"><${Token} seat=${owner}
  kind="farmer" /></svg>`;

/** @param {Props} props */
export function Board(props) {
  const { view, seat, legal, t } = props;
  const taking = legal.some((action) => action.type === "take_card");
  return html`<div class="ba">
    ${taking && html`<${Cards} props=${props} />`}
    <${WorldMap} props=${props}>${seat !== null && view.phase !== "over" && html`<${Stand} props=${props} />`}<//>
    <details class="ba-more"><summary>${t("ba.cards")} (${view.offer.length})</summary>${!taking && html`<${Cards}
      props=${props} />`}
      ${seat !== null && html`<${Area} props=${props} owner=${seat} />`}</details>
  </div>`;
}

/** My tokens: take one, then choose its place. @param {{props: Props}} given */
function Stand({ props }) {
  const { view, seat, legal, pick, choose, say, t } = props;
  const stand = view.players[/** @type {number} */ (seat)].stand || [];
  const kinds = /** @type {string[]} */ ([...new Set(stand)]);
  return html`<section class="ba-stand" aria-label=${t("ba.stand")}>
    ${kinds.map((kind) => {
      const n = stand.filter((one) => one === kind).length;
      const part = { type: "place", token: kind };
      const can = legal.some((action) => agrees(action, part));
      const on = pick.token === kind;
      return html`<button key=${kind} class=${`ba-piece ${can ? "can" : ""} ${on ? "chosen" : ""}`}
        aria-pressed=${on ? "true" : "false"}
        disabled=${!legal.length} aria-label=${`${kindName(props, kind)} ×${n}`} title=${kindName(props, kind)}
        onClick=${can ? () => choose(on ? {} : part) : () => say(t("why.no_kind"))}>
        <svg viewBox="-12 -12 24 24" width="34" height="34" aria-hidden="true"><${Token} seat=${seat}
          kind=${kind} /></svg>
        <span class="ba-kindname">${kindName(props, kind)}</span> <b>×${n}</b></button>`;
    })}</section>`;
}

/** @param {{props: Props}} given */
function Cards({ props }) {
  const { view, data, lang, legal, pick, choose } = props;
  return html`<div class="ba-cards">${view.offer.map((/** @type {number} */ number) => {
    const card = data.ziggurat_cards.find((/** @type {any} */ one) => one.number === number);
    const part = { type: "take_card", card: number };
    const can = legal.some((action) => agrees(action, part));
    const inside = html`<strong>${card.name[lang]}</strong><span class="soft">${card.text[lang]}</span>`;
    return can ? html`<button key=${number} class=${`ba-card can ${pick.card === number ? "chosen" : ""}`}
      onClick=${() => choose(part)}>${inside}</button>` : html`<div key=${number} class="ba-card">${inside}</div>`;
  })}</div>`;
}

/** @param {Props} props */
export function text(props) {
  const { view, names, data, lang, t } = props;
  const all = [...tokens(view).values()];
  /** @param {string} kind */
  const tile = (kind) => data.location_tiles.find((/** @type {any} */ one) => one.kind === kind).name[lang];
  const own = view.seat !== null && view.players[view.seat].stand ? [{ title: t("ba.stand"),
    lines: (view.players[view.seat].stand || []).map((/** @type {string} */ kind) => kindName(props, kind)) }] : [];
  return [...own, ...view.players.map((player, /** @type {number} */ n) => ({
    title: t("ba.of", { name: names[n], n: player.score }),
    lines: [Object.entries(player.points).map(([what, points]) => `${t("pt." + what)} ${points}`).join(", "),
      `${t("ba.tokens", { name: names[n] })}: ${all.filter((token) => token.seat === n).map((token) => `${labelOf(data,
        token.hex)} ${kindName(props, token.kind)}`).join(", ") || "–"}`],
  })), { title: t("ba.tiles"), lines: view.tiles.map((one) => `${labelOf(data, one.hex)}: ${tile(one.tile)}`) },
  { title: t("ba.ziggurats"), lines: view.ziggurats.map((/** @type {number[]} */ hex) => labelOf(data, hex)
    + (view.resolved.some((/** @type {number[]} */ one) => one[0] === hex[0] && one[1] === hex[1])
      ? ` (${t("ba.resolved")})` : "")) }];
}

