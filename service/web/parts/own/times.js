// When somebody is awake: time zone, quiet hours, vacation. Clocks and notices go by them.
import { html, useState } from "../../lib.js";
import { send } from "../../api.js";
import { day, t, when } from "../../i18n.js";
import { update } from "../../store.js";
import { Field, Refusal, submit, useCommand } from "../ui.js";

/** Changes settings and tells the rest of the page. @param {any} change */
export const change = async (change) => update({ me: await send("PATCH", "/me", change) });

/** @param {{me: any}} props */
export const Times = ({ me }) => html`<section class="card" id="times"><h2>${t("section.times")}</h2>
  <${Zone} me=${me} /><${Quiet} me=${me} /><${Vacation} me=${me} /></section>`;

/** @param {{me: any}} props */
function Zone({ me }) {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zones = /** @type {any} */ (Intl).supportedValuesOf?.("timeZone") || [here, "UTC"];
  const [run, busy, refusal] = useCommand((/** @type {string} */ tz) => change({ tz }));
  const all = [...new Set([me.tz || here, here, ...zones])];
  return html`<${Field} label=${t("settings.zone")}><select value=${me.tz || here} disabled=${busy}
    onChange=${(/** @type {any} */ e) => run(e.target.value)}>
      ${all.map((zone) => html`<option value=${zone}>${zone}</option>`)}</select><//>
    <p class="soft">${t("settings.now", { time: when(new Date().toISOString(), me.tz || here) })}</p>
    <${Refusal} text=${refusal} />`;
}

/** @param {{me: any}} props */
function Quiet({ me }) {
  const [hours, set] = useState(me.quiet_hours || { from: "22:00", to: "07:00" });
  const [run, busy, refusal] = useCommand((/** @type {any} */ quiet_hours) => change({ quiet_hours }));
  /** @param {any} event */
  const typed = (event) => set({ ...hours, [event.target.name]: event.target.value });
  return html`<form onSubmit=${submit(() => run(hours))}><h3>${t("quiet.title")}</h3>
    <p class="soft">${me.quiet_hours ? t("quiet.now", me.quiet_hours) : t("quiet.none")} ${t("quiet.about")}</p>
    <div class="inline"><${Field} label=${t("quiet.from")}><input type="time" name="from" required value=${hours.from}
      onInput=${typed} /><//>
      <${Field} label=${t("quiet.to")}><input type="time" name="to" required value=${hours.to} onInput=${typed} /><//>
      <button disabled=${busy}>${t("quiet.set")}</button>
      ${me.quiet_hours && html`<button type="button" disabled=${busy} onClick=${() =>
        run(null)}>${t("quiet.remove")}</button>`}</div>
    <${Refusal} text=${refusal} /></form>`;
}

/** @param {{me: any}} props */
function Vacation({ me }) {
  const [days, set] = useState(me.vacation || { from: "", to: "" });
  const [run, busy, refusal] = useCommand((/** @type {any} */ vacation) => change({ vacation }));
  /** @param {any} event */
  const typed = (event) => set({ ...days, [event.target.name]: event.target.value });
  return html`<form onSubmit=${submit(() => run(days))}><h3>${t("vacation.title")}</h3>
    <p class="soft">${me.vacation ? t("vacation.now", { from: day(me.vacation.from), to: day(me.vacation.to) })
      : t("vacation.none")} ${t("vacation.about")}</p>
    <div class="inline"><${Field} label=${t("vacation.from")}><input type="date" name="from" required value=${days.from}
      onInput=${typed} /><//>
      <${Field} label=${t("vacation.to")}><input type="date" name="to" required value=${days.to} onInput=${typed} /><//>
      <button disabled=${busy}>${t("vacation.set")}</button>
      ${me.vacation && html`<button type="button" disabled=${busy} onClick=${() =>
        run(null)}>${t("vacation.remove")}</button>`}</div>
    <${Refusal} text=${refusal} /></form>`;
}
