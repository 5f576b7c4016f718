// What is on offer: shapes of buildings, roads, a tower, pedestals, monuments with what they ask for.
import { html } from "/static/lib.js";
import { agrees } from "/static/pick.js";
import { Mark } from "/static/parts/ui.js";
import { Icon } from "./icons.js";
import { border, filled } from "./shapes.js";
import { Picture } from "./wonders.js";

/**
 * @typedef {import("./view.js").View} View
 * @typedef {import("/static/parts/boards.js").BoardOf<View>} Props
 */

/** @param {{pattern: string[], kind?: string}} props */
export function Shape({ pattern, kind = "road" }) {
  const cells = filled(pattern), gaps = pattern.flatMap((row, y) => [...row].flatMap((mark, x) => (mark === "G" ? [[x,
    y]] : [])));
  const width = Math.max(...pattern.map((row) => row.length)), size = 10;
  return html`<svg class=${`ww-shape k-${kind}`} viewBox=${`-1 -1 ${width * size + 2} ${pattern.length * size + 2}`}
    width=${width * 12} height=${pattern.length * 12} aria-hidden="true">
    ${cells.map(([x, y]) => html`<rect class=${pattern[y][x] === "W" ? "wet" : pattern[y][x] === "A" ? "any" : ""}
      x=${x * size} y=${y * size} width=${size} height=${size} />`)}
    ${gaps.map(([x, y]) => html`<rect class="gap" x=${x * size + 1} y=${y * size + 1} width=${size - 2}
      height=${size - 2} />`)}<path class="edge" d=${border(cells, size)} /></svg>`;
}

/**
 * Something that can be bought; what is gone keeps only its name.
 * @param {{props: Props, part: any, price: any, gone?: boolean, left?: number, children?: any, name: string,
 *   [more: string]: any}} given
 */
function Item({ props, part, price, gone, left, children, name, ...more }) {
  const { legal, pick, choose, say, why, t, past } = props;
  const can = legal.some((action) => agrees(action, part));
  const on = pick.type === "buy" && agrees(part, pick) && Object.keys(pick).length > 0;
  const buying = legal.some((action) => action.type === "buy");
  const inside = html`<span class="ww-thing">${children}</span><span
    class="ww-foot"><span>${name} ${left !== undefined && html`<small>×${left}</small>`}</span>
    ${price !== null && html`<b class="ww-price">${price}</b>`}</span>`;
  const look = `ww-item ${can ? "can" : ""} ${on ? "chosen" : ""} ${gone ? "gone" : ""}`;
  if (past || !buying) return html`<div class=${look} ...${more}>${inside}</div>`;
  const refused = () => (gone ? say(t("why.gone", { name })) : why(part));
  return html`<button class=${look} ...${more} aria-pressed=${on ? "true" : "false"}
    onClick=${can ? () => choose(on ? {} : part) : refused}>${inside}</button>`;
}

/** @param {{props: Props}} given */
export function Market({ props }) {
  const { view, data, lang, t } = props;
  const prices = data.constants.prices;
  const { long, short_set: short } = data.roads;
  /** Sold stacks take no room. @param {any} tile */
  const building = (tile) => tile.tile && html`<${Item} key=${tile.stack} props=${props} price=${tile.price}
    part=${{ type: "buy", item: "building", stack: tile.stack }} name=${data.kinds[tile.kind].name[lang]}>
    <${Shape} pattern=${tile.shape} kind=${tile.kind} />
    <span class="ww-gains"><${Icon} name=${tile.kind} />${gains(tile.resources, data, lang)}</span><//>`;
  return html`<section class="ww-market" tabindex="0" aria-label=${t("ww.market")}>${view.buildings.map(building)}
    <${Item} props=${props} part=${{ type: "buy", item: "long_road" }} price=${prices.long_road}
      gone=${!view.long_roads}
      name=${long.name[lang]} left=${view.long_roads}><${Shape} pattern=${["####"]} /><//>
    <${Item} props=${props} part=${{ type: "buy", item: "short_roads" }} price=${prices.short_roads}
      gone=${!view.short_roads}
      name=${short.name[lang]} left=${view.short_roads}>
      <span class="row"><${Shape} pattern=${["##"]} /><${Shape} pattern=${["##"]} /><${Shape}
        pattern=${["#"]} /></span><//>
    <${Item} props=${props} part=${{ type: "buy", item: "tower" }} price=${prices.tower} gone=${!view.towers}
      name=${t("ww.tower")}
      left=${view.towers}><${Shape} pattern=${["#"]} kind="tower" /><//>
    ${view.pedestals.map((/** @type {number | null} */ holder, /** @type {number} */ n) => html`<${Item} key=${`p${n}`}
      props=${props}
      part=${{ type: "buy", item: "pedestal", slot: n + 1 }} price=${prices.pedestal} gone=${holder !== null}
        name=${t("ww.pedestal", { n: n + 1 })}>
      <span class="ww-pedestal">${holder === null ? n + 1 : html`<${Mark} seat=${holder} />`}</span><//>`)}
  </section>
  <section class="ww-wonders" tabindex="0"
    aria-label=${t("ww.monuments")}>${view.monuments.map((/** @type {string | null} */ id, /** @type {number} */ n) =>
    id && html`<${Wonder} key=${id} props=${props} id=${id} slot=${n} />`)}</section>`;
}

/** @param {Record<string, number>} resources @param {any} data @param {string} lang */
export const gains = (resources, data, lang) => data.resources.flatMap((/** @type {any} */ one) =>
  Array.from({ length: resources[one.id] || 0 }, () => html`<${Icon} name=${one.id} size=${15}
    label=${one.name[lang]} />`));

/**
 * Each requirement with the server's word on it; one that is listed twice may be met once.
 * @param {string[]} asked
 * @param {string[]} lacking
 */
function judged(asked, lacking) {
  const left = [...lacking];
  return [...asked].reverse().map((what) => {
    const at = left.indexOf(what);
    if (at >= 0) left.splice(at, 1);
    return { what, met: at < 0 };
  }).reverse();
}

/** @param {{props: Props, id: string, slot: number}} given */
function Wonder({ props, id, slot }) {
  const { view, data, lang, t, seat } = props;
  const card = data.monuments.find((/** @type {any} */ one) => one.id === id);
  const city = view.cities[seat ?? Math.max(0, view.active)];
  const part = { type: "buy", item: "monument", card: id };
  // Everything is there and still it cannot be bought: then the cells do not lie right for it.
  const cramped = props.legal.some((action) => action.type === "buy") && !props.legal.some((action) => agrees(action,
    part)) && !city.lacking[slot]?.length;
  const patterns = card.mode === "rigid" ? [card.pattern] : card.parts;
  const needs = judged(card.adjacent, city.lacking[slot] || []);
  /** @param {{what: string, met: boolean}} need */
  const Need = ({ what, met }) => html`<span class=${`need ${met ? "met" : "unmet"}`}
    title=${t(met ? "need.met" : "need.unmet")}>
    ${met ? "✓" : "✗"} ${data.kinds[what] ? data.kinds[what].name[lang] : t("need." + what)}</span>`;
  return html`<${Item} props=${props} part=${part} price=${t("ww.all_coins")} name=${card.name[lang]} data-card=${id}>
    <span class="ww-front"><${Picture} id=${id} /><span class="row">${patterns.map((/** @type {string[]} */ pattern) =>
      html`<${Shape} pattern=${pattern} kind="monument" />`)}</span>
      <span class="ww-gains"><b>${t("ww.vp", { n: card.reward.vp })}</b>${gains(card.reward.resources, data, lang)}
        ${Array.from({ length: card.reward.population || 0 }, () => html`<${Icon} name="population" size=${15}
          label=${t("ww.population")} />`)}</span></span>
    <span class="ww-needs">${needs.map(Need)}${cramped && html`<span
      class="need unmet">✗ ${t("need.room")}</span>`}</span><//>`;
}
