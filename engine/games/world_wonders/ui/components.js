// What the rules page shows of data.json: building shapes and prices, every monument, every goal.
import { html } from "/static/lib.js";
import { Icon } from "./icons.js";
import { Shape, gains } from "./market.js";

/** @typedef {import("/static/parts/boards.js").PartsProps} Props */

/** @param {Props} props */
export const Components = (props) => html`<div class="ww">
  <h3>${props.t("ww.buildings")}</h3>
  <ul class="ww-market plain">${props.data.stacks.map((/** @type {any} */ stack) => html`<li class="ww-item"
    key=${stack.id}>
    <${Shape} pattern=${props.data.shapes[stack.shape].pattern} kind="none" />
    <span class="ww-foot"><span>${stack.board === "main" ? stack.id
      : `${stack.id} (${parseInt(stack.board)}+)`}</span> <b class="ww-price">${stack.price}</b></span></li>`)}</ul>
  <h3>${props.t("ww.monuments")}</h3>
  <ul class="ww-wonders plain">${props.data.monuments.map((/** @type {any} */ card) => html`<${Monument} key=${card.id}
    ...${props} card=${card} />`)}</ul>
  <h3>${props.t("ww.goals")}</h3>
  <ul>${props.data.goals.map((/** @type {any} */ goal) => html`<li
    key=${goal.id}>${goal.name[props.lang]}: ${props.t("ww.prizes", goal.vp)}</li>`)}</ul>
</div>`;

/** The marks of a footprint are told in WW-71 and WW-74. @param {Props & {card: any}} props */
function Monument({ data, lang, t, card }) {
  const patterns = card.mode === "rigid" ? [card.pattern] : card.parts;
  return html`<li class="ww-item"><b>${card.name[lang]}</b>
    <span class="row">${patterns.map((/** @type {string[]} */ pattern) => html`<${Shape} pattern=${pattern}
      kind="monument" />`)}
      <small><code>${patterns.map((/** @type {string[]} */ pattern) => pattern.join("/"))
        .join(" + ")}</code></small></span>
    <span class="ww-needs">${card.adjacent.map((/** @type {string} */ what) => html`<span
      class="need">${data.requirements[what][lang]}</span>`)}</span>
    <span class="ww-gains"><b>${t("ww.vp", { n: card.reward.vp })}</b>${gains(card.reward.resources, data,
      lang)}${Array.from({ length: card.reward.population || 0 }, () => html`<${Icon} name="population" size=${15}
        label=${t("ww.population")} />`)}</span></li>`;
}
