// A match as a line of a list.
import { html } from "../lib.js";
import { t, when } from "../i18n.js";
import { gameName } from "../store.js";
import { Mark } from "./ui.js";
import { Deadline } from "./clock.js";

/** Who won, or how it stands. @param {any} match */
function standing(match) {
  const winners = match.result?.winners?.map((/** @type {number} */ seat) => match.seats[seat].name) || [];
  if (match.status === "finished" && winners.length) return t(winners.length > 1 ? "result.shared" : "result.won",
    { names: winners.join(", ") });
  return match.turn ? t("status.your_turn") : t("status." + match.status);
}

/** @param {{match: any}} props */
export const Item = ({ match }) => html`<li>
  <a class=${`match ${match.turn ? "urgent" : ""}`} href=${`/matches/${match.id}`}>
    <strong class="display">${gameName(match.game)}</strong>
    <span class="who">${match.seats.map((/** @type {any} */ seat) => html`<span class="nowrap"><${Mark}
      seat=${seat.seat} size=${12} />
      ${seatName(seat)}</span>`)}</span>
    ${match.deadline ? html`<${Deadline} at=${match.deadline} />`
      : html`<span class="soft nowrap">${standing(match)} · ${when(match.updated)}</span>`}
  </a>
</li>`;

/** @param {any} seat */
const seatName = (seat) => (["open", "invite"].includes(seat.kind) ? t("seat.free") : seat.name);
