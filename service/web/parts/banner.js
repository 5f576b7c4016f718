// Whose turn it is and what to do, in one glance; and whether the line to the server holds.
import { html } from "../lib.js";
import { t } from "../i18n.js";
import { gameName, shared } from "../store.js";
import { Mark } from "./ui.js";
import { Unread } from "./chat.js";
import { Deadline } from "./clock.js";

/** @param {any} match */
function status(match) {
  if (match.status === "finished") return { text: t("turn.over"), seats: match.result?.winners || [], mine: false };
  const mine = match.you !== null && match.to_act.includes(match.you);
  if (mine) return { text: t("turn.yours"), seats: [match.you], mine: true };
  if (match.agreed.paused) return { text: t("pause.now"), seats: [], mine: false };
  const names = match.to_act.map((/** @type {number} */ n) => match.seats[n].name).join(", ");
  return { text: t("turn.others", { names }), seats: match.to_act, mine: false };
}

/**
 * Whose turn and what to do, in one line that never grows.
 * @param {{match: any, line: string, prompt?: string, unread: number, open: (tab: string) => void}} props
 */
export function Banner({ match, line, prompt, unread, open }) {
  const now = status(match);
  const deadline = now.mine && match.clock?.deadlines?.[match.you];
  return html`<header class=${`banner ${now.mine ? "mine" : ""}`}>
    <h1>${gameName(match.game)}</h1>
    <p class="turn" role="status" aria-live="polite">
      ${now.seats.map((/** @type {number} */ n) => html`<${Mark} seat=${n} size=${18} />`)}
      <strong>${now.text}</strong>${now.mine && prompt ? html` <span class="prompt">${prompt}</span>` : null}
    </p>
    ${deadline && html`<${Deadline} at=${deadline} />`}
    <${Unread} unread=${unread} open=${() => open("chat")} />
    ${line === "lost" && html`<p class="line lost" role="alert">${t("line.lost")}</p>`}
    ${line === "live" && html`<span class="line live" title=${t("line.live")}><span
      class="hidden">${t("line.live")}</span></span>`}
    ${shared().games.some((one) => one.key === match.game && one.guide) && html`<a class="tool how-to"
      href=${`/guide/${match.game}?match=${match.id}`} aria-label=${t("guide.link")} title=${t("guide.link")}>?</a>`}
    <button class="tool drawer-open" onClick=${() => open("log")} aria-label=${t("aside.label")}>
      <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true"><path
        d="M3 5h14M3 10h14M3 15h9" /></svg></button>
  </header>`;
}
