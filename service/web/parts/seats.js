// Who sits where, whose turn it is, and the points so far.
import { html } from "../lib.js";
import { t } from "../i18n.js";
import { Mark } from "./ui.js";
import { Deadline } from "./clock.js";

/** Where one reads more of who sits there. @param {any} seat */
export function playerPage(seat) {
  if (seat.imported || !["person", "remote", "bot"].includes(seat.kind)) return "";
  return `/players/${encodeURIComponent(seat.kind === "bot" ? `bot:${seat.bot}` : seat.name)}`;
}

/** @param {{match: any, scores?: number[] | null}} props */
export const Seats = ({ match, scores }) => html`<section class="card seats" aria-label=${t("seats.title")}>
  <ul class="plain">${match.seats.map((/** @type {any} */ seat) => html`<li key=${seat.seat}
    class=${match.to_act.includes(seat.seat) ? "acts" : ""}>
    <${Mark} seat=${seat.seat} />
    <span class="name">${playerPage(seat) ? html`<a href=${playerPage(seat)}>${seat.name}</a>`
      : seat.name} ${seat.seat === match.you ? html`<em>(${t("seat.you")})</em>` : null}
      ${" "}${seat.resigned && html`<span class="soft">${t("seat.resigned")}</span>`}
      ${seat.caretaker && html`<span class="soft">${t("seat.caretaker")}</span>`}
      ${seat.substitute && html`<span class="soft">${t("seat.substitute")}</span>`}</span>
    ${match.to_act.includes(seat.seat) && html`<span class="to-act">${t("seat.to_act")}</span>`}
    ${scores && html`<span class="points" title=${t("seats.points")}>${scores[seat.seat]}</span>`}
    ${match.clock?.deadlines?.[seat.seat] && html`<${Deadline} at=${match.clock.deadlines[seat.seat]} />`}
  </li>`)}</ul>
  ${match.seats.some((/** @type {any} */ seat) => seat.caretaker || seat.substitute) && html`<p
    class="soft substitutes">${t("seats.substitutes")}</p>`}
</section>`;
