// Every legal action as a list, narrowed step by step: type, then field by field. Works for any game and any keyboard.
import { html } from "../lib.js";
import { has, t } from "../i18n.js";
import { nextField, offers, same, valuesOf } from "../pick.js";

const FEW = 8; // so many may be listed at once

/** @param {any[]} actions @param {any} pick the next step, or null if these few are to be listed */
function step(actions, pick) {
  if (!("type" in pick) && valuesOf(actions, "type").length > 1) return "type";
  return actions.length <= FEW ? null : nextField(actions, pick);
}

/** @param {import("./boards.js").BoardProps & {module: import("./boards.js").BoardModule}} props */
export function Chooser(props) {
  const { legal, labels, pick, choose, act, t: word } = props;
  const found = offers(legal, labels, pick);
  const field = step(found.map((offer) => offer.action), pick);
  return html`<div class="chooser">
    ${Object.keys(pick).length > 0 && html`<p class="row picked">
      ${Object.entries(pick).map(([name, value]) => html`<span class="chip">${fieldName(name, word)}: ${valueName(props,
        name, value)}</span>`)}
      <button class="small" onClick=${() => choose({})}>${t("act.restart")}</button></p>`}
    ${field === null
      ? html`<ul class="plain">${found.map((offer) => html`<li key=${JSON.stringify(offer.action)}>
          <button class="wide" onClick=${() => act(offer.action)}>${offer.label}</button></li>`)}</ul>`
      : html`<p class="soft">${t("act.choose", { what: fieldName(field, word) })}</p>
        <ul class="values">${valuesOf(found.map((offer) => offer.action), field).map((value) => html`<li
          key=${JSON.stringify(value)}>
          <${Value} props=${props} field=${field} value=${value} found=${found} /></li>`)}</ul>`}
  </div>`;
}

/**
 * A value that leaves only one action is that action.
 * @param {{props: any, field: string, value: any, found: any[]}} given
 */
function Value({ props, field, value, found }) {
  const left = found.filter((offer) => same(offer.action[field], value));
  if (left.length === 1) return html`<button onClick=${() => props.act(left[0].action)}>${left[0].label}</button>`;
  return html`<button onClick=${() => props.choose({ ...props.pick, [field]: value })}>
    ${valueName(props, field, value)} <span class="soft">${left.length}</span></button>`;
}

/** @param {string} field @param {(key: string) => string} word */
function fieldName(field, word) {
  const named = word("field." + field);
  return named === "field." + field ? field.replaceAll("_", " ") : named;
}

/** @param {any} props @param {string} field @param {any} value */
function valueName(props, field, value) {
  const own = props.module.valueName?.(field, value, props);
  if (own) return own;
  if (field === "type") {
    const named = props.t("type." + value);
    if (named !== "type." + value) return named;
  }
  if (field === "target" && props.names[value]) return props.names[value];
  if (typeof value === "boolean") return t(value ? "yes" : "no");
  return has("option." + value) ? t("option." + value) : String(value ?? "–").replaceAll("_", " ");
}
