// Somebody asks to take something back: whoever is asked answers here.
import { html } from "../lib.js";
import { t } from "../i18n.js";
import { Refusal, useCommand } from "./ui.js";

/** @param {{live: any}} props */
export function Asked({ live }) {
  const { match } = live;
  const [answer, busy, refusal] = useCommand((/** @type {boolean} */ agree) => live.command("POST", "/undo/answer", { agree }));
  if (!match.asked) return null;
  const name = match.seats[match.asked.seat].name;
  return html`<div class="note" role="status"><p>${t("asked.undo", { name, seq: match.asked.to })}</p>
    ${match.asked.waiting.includes(match.you) && html`<p class="row"><button class="main" disabled=${busy} onClick=${() => answer(true)}>${t("asked.agree")}</button>
      <button disabled=${busy} onClick=${() => answer(false)}>${t("asked.refuse")}</button></p>`}<${Refusal} text=${refusal} /></div>`;
}
