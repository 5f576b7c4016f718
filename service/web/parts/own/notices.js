// How to be told of turns, and what was told lately.
import { html, useState } from "../../lib.js";
import { t, when } from "../../i18n.js";
import { Field, Refusal, submit, useAnswer, useCommand } from "../ui.js";
import { change } from "./times.js";

const USUAL = { mode: "each", digest_at: "08:00", reminders: [25] };
const MODES = ["each", "digest", "off"];
const REMINDERS = [50, 25, 10];
const SHOWN = 10;

/** @param {{me: any}} props */
export function Notices({ me }) {
  const [wish, set] = useState({ ...USUAL, ...me.notify });
  const [run, busy, refusal] = useCommand(() => change({ notify: wish }));
  const same = JSON.stringify(wish) === JSON.stringify({ ...USUAL, ...me.notify });
  /** @param {number} share */
  const toggle = (share) => {
    const kept = wish.reminders.filter((/** @type {number} */ one) => one !== share);
    set({ ...wish, reminders: kept.length < wish.reminders.length ? kept : [...kept, share].sort((a, b) => b - a) });
  };
  return html`<section class="card" id="notices"><h2>${t("section.notices")}</h2>
    <form onSubmit=${submit(run)}>
      ${MODES.map((mode) => html`<label class="check" key=${mode}><input type="radio" name="mode"
        checked=${wish.mode === mode} onChange=${() => set({ ...wish, mode })} /> ${t("mode." + mode)}</label>`)}
      ${wish.mode === "each" && html`<p class="row">${t("notices.remind")} ${REMINDERS.map((share) => html`<label
        class="check" key=${share}><input type="checkbox" checked=${wish.reminders.includes(share)} onChange=${() =>
          toggle(share)} /> ${share} %</label>`)}</p>`}
      ${wish.mode === "digest" && html`<${Field} label=${t("notices.digest_at")}><input type="time" required
        value=${wish.digest_at}
        onInput=${(/** @type {any} */ e) => set({ ...wish, digest_at: e.target.value })} /><//>`}
      <button disabled=${busy || same}>${t(same ? "settings.saved" : "settings.save")}</button><${Refusal}
        text=${refusal} />
    </form>
    <${Told} /></section>`;
}

function Told() {
  const [answer] = useAnswer("/me/notifications");
  if (!answer?.items.length) return null;
  return html`<details><summary>${t("notices.history")}</summary><ul class="plain">
    ${answer.items.slice(0, SHOWN).map((/** @type {any} */ one) => html`<li class="told-line"><span
      class="soft nowrap">${when(one.at)}</span>
      ${one.match ? html`<a href=${`/matches/${one.match}`}>${one.subject}</a>` : one.subject} <span
        class="soft">${one.channel} · ${t("outcome." + one.outcome)}${one.reason ? `: ${one.reason}`
          : ""}</span></li>`)}</ul></details>`;
}
