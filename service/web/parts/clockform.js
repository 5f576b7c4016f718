// Which clock a new match gets.
import { html } from "../lib.js";
import { t } from "../i18n.js";
import { Field } from "./ui.js";
import { span } from "./clock.js";

const HOUR = 3600, DAY = 24 * HOUR;
const PER_MOVE = [5 * 60, HOUR, 12 * HOUR, DAY, 2 * DAY, 3 * DAY, 7 * DAY];
const BANKS = [HOUR, DAY, 3 * DAY, 7 * DAY, 14 * DAY];
const MORE = [0, 60, HOUR, 12 * HOUR, DAY];
const TIMEOUTS = ["caretaker", "resign", "wait"];
/** @type {Record<string, any>} */
const USUAL = {
  none: null,
  per_move: { kind: "per_move", seconds: 3 * DAY, timeout: "caretaker" },
  bank: { kind: "bank", seconds: 7 * DAY, increment: 12 * HOUR, timeout: "caretaker" },
};

/** @param {{clock: any, change: (clock: any) => void}} props */
export function ClockForm({ clock, change }) {
  const kind = clock?.kind || "none";
  /** @param {string} field @param {number[]} offered @param {string} label */
  const choice = (field, offered, label) => html`<${Field} label=${label}><select value=${clock[field]}
    onChange=${(/** @type {any} */ e) => change({ ...clock, [field]: Number(e.target.value) })}>
    ${offered.map((seconds) => html`<option value=${seconds}>${span(seconds)}</option>`)}</select><//>`;
  return html`<fieldset><legend>${t("clock.title")}</legend>
    ${Object.keys(USUAL).map((one) => html`<label class="check" key=${one}><input type="radio" name="clock" value=${one}
      checked=${kind === one} onChange=${() => change(USUAL[one])} /> ${t("clock." + one)}</label>`)}
    ${kind === "per_move" && html`<div class="inline">${choice("seconds", PER_MOVE, t("clock.seconds"))}</div>`}
    ${kind === "bank" && html`<div class="inline">${choice("seconds", BANKS,
      t("clock.bank_seconds"))}${choice("increment", MORE, t("clock.increment"))}</div>`}
    ${clock && html`<${Field} label=${t("clock.timeout")}><select value=${clock.timeout}
      onChange=${(/** @type {any} */ e) => change({ ...clock, timeout: e.target.value })}>
      ${TIMEOUTS.map((what) => html`<option value=${what}>${t("timeout." + what)}</option>`)}</select><//><p
        class="soft">${t("clock.about")}</p>`}
  </fieldset>`;
}
