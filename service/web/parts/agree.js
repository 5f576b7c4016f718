// What needs everybody's word: going back, a pause, giving up together. Whoever is asked answers here.
import { html } from "../lib.js";
import { t } from "../i18n.js";
import { deedAfter } from "./news.js";
import { Refusal, useCommand } from "./ui.js";

/** @param {{live: any}} props */
export function Asked({ live }) {
  const { match } = live;
  const [answer, busy, refusal] = useCommand((/** @type {boolean} */ agree) => live.command("POST", "/undo/answer",
    { agree }));
  if (!match.asked) return null;
  const names = match.seats.map((/** @type {any} */ seat) => seat.name);
  const name = names[match.asked.seat];
  const what = deedAfter(live.events, match.asked.to, names);
  return html`<div class="note asked" role="status"><p>${match.asked.seat === match.you ? t("asked.waiting")
    : t("asked.undo", { name, what })}
      ${" "}<a href=${`/matches/${match.id}/replay#${match.asked.to}`}>${t("asked.look")}</a></p>
    ${match.asked.waiting.includes(match.you) && html`<p class="row"><button class="main" disabled=${busy}
      onClick=${() => answer(true)}>${t("asked.agree")}</button>
      <button disabled=${busy} onClick=${() => answer(false)}>${t("asked.refuse")}</button></p>`}<${Refusal}
        text=${refusal} /></div>`;
}

/** @param {{live: any}} props */
export function Wishes({ live }) {
  const { match } = live;
  const [run, busy, refusal] = useCommand((/** @type {string} */ what, /** @type {any} */ body) => live.command("POST",
    `/${what}`, body));
  if (match.status !== "running") return null;
  const sits = match.you !== null;
  return html`${match.agreed.paused && html`<div class="note" role="status"><p>${t("pause.now")}</p>
      ${sits && html`<button class="main" disabled=${busy} onClick=${() =>
        run("resume")}>${t("pause.resume")}</button>`}</div>`}
    ${["pause", "abandon"].filter((what) => match.agreed[what].length).map((what) => html`<div class="note"
      role="status" key=${what}>
      <p>${t("wish." + what, { names: match.agreed[what].map((/** @type {number} */ n) => match.seats[n].name)
        .join(", ") })}</p>
      ${sits && html`<p class="row">${match.agreed[what].includes(match.you)
        ? html`<button disabled=${busy} onClick=${() => run(what, { agree: false })}>${t("wish.withdraw")}</button>`
        : html`<button class="main" disabled=${busy} onClick=${() => run(what,
          { agree: true })}>${t("asked.agree")}</button>`}</p>`}</div>`)}
    <${Refusal} text=${refusal} />`;
}

/**
 * A seat that somebody else plays: its owner comes back, or whoever was sent a link steps in.
 * @param {{live: any, invite: string}} props
 */
export function Away({ live, invite }) {
  const { match } = live;
  const wanted = Number(new URLSearchParams(location.search).get("seat") ?? NaN);
  const own = match.you !== null && (match.seats[match.you].caretaker || match.seats[match.you].substitute)
    && !match.seats[match.you].resigned;
  const offered = match.you === null && invite && match.seats[wanted]?.caretaker;
  const [run, busy, refusal] = useCommand((/** @type {number} */ seat) => live.command("POST", `/seats/${seat}`, invite
    && !own ? { invite } : {}));
  if (match.status !== "running" || !(own || offered)) return null;
  return html`<div class="note" role="status"><p>${own ? t("away.own") : t("away.offered",
    { name: match.seats[wanted].name })}</p>
    <button class="main" disabled=${busy} onClick=${() => run(own ? match.you : wanted)}>${t(own ? "away.back"
      : "away.take")}</button><${Refusal} text=${refusal} /></div>`;
}
