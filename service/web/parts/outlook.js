// What an action would do, in numbers: the server plays it in thought, the board's own figures are compared.
import { html, useEffect, useState } from "../lib.js";
import { t } from "../i18n.js";
import { send } from "../api.js";

const PATIENCE_MS = 120; // who is still turning a tile does not ask for every turn

/**
 * The view after an action, or null while nobody knows.
 * @param {any} match @param {any} action @returns {{view: any, open: boolean} | null}
 */
export function useOutlook(match, action) {
  const [seen, set] = useState(/** @type {any} */ (null));
  const key = action ? `${match.seq}:${JSON.stringify(action)}` : "";
  useEffect(() => {
    if (!key) return;
    let wanted = true;
    const timer = setTimeout(() => {
      send("POST", `/matches/${match.id}/preview`, { action }).then(
        (found) => wanted && set(found.view && { key, ...found }),
        () => {}, // then there is no outlook; the action itself will say why
      );
    }, PATIENCE_MS);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [key]);
  return seen && seen.key === key ? seen : null;
}

/** @typedef {{key: string, n: number, icon?: any}} Figure one of the numbers that a seat is known by */

/** What changes of a seat. @param {Figure[]} before @param {Figure[]} after */
function changes(before, after) {
  const old = new Map(before.map((one) => [one.key, one.n]));
  return after.filter((one) => one.n !== old.get(one.key)).map((one) => ({ ...one, was: old.get(one.key) ?? 0 }));
}

/**
 * `told`: words say already what it is good for.
 * @param {{module: any, props: any, outlook: any, told: boolean}} given
 */
export function Effect({ module, props, outlook, told }) {
  if (!module.figures || !outlook) return html`<span class="effect"></span>`;
  const { view, names, seat, t: word } = props;
  /** @param {number} owner */
  const rows = (owner) => changes(module.figures(view, owner, props), module.figures(outlook.view, owner, props))
    .map((row) => html`<span class="delta" key=${`${owner}${row.key}`}>
      ${owner !== seat && html`<span
        class="soft">${names[owner]}:</span>`} ${row.icon} ${word("figure." + row.key)}${" "}
      ${row.was} <span aria-hidden="true">→</span><span class="hidden">${t("act.to")}</span> <b>${row.n}</b></span>`);
  const seats = names.map((/** @type {string} */ _, /** @type {number} */ n) => n);
  const others = seats.filter((/** @type {number} */ n) => n !== seat);
  const found = [seat, ...others].flatMap(rows);
  return html`<span class="effect">${found}
    ${outlook.open && !found.length && !told && html`<span class="delta soft">${t("act.open")}</span>`}</span>`;
}
