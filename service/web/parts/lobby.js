// A table that has not begun: free seats, an invitation to pass on.
import { html } from "../lib.js";
import { t } from "../i18n.js";
import { gameName, useShared } from "../store.js";
import { newKey } from "../api.js";
import { Copy, Mark, Refusal, useCommand } from "./ui.js";
import { GuestForm } from "./guest.js";
import { Chat, useUnread } from "./chat.js";
import { policy } from "./clock.js";

/** @param {{live: any, invite: string}} props */
export function Lobby({ live, invite }) {
  const { match } = live;
  const { me } = useShared();
  // A nonce given after the seal was shown: the server cannot have chosen its seed to fit.
  const [sit, busy, refusal] = useCommand((/** @type {number} */ n) => live.command("POST", `/seats/${n}`, { invite, nonce: newKey() }));
  const [leave, , notLeft] = useCommand(() => live.command("DELETE", `/seats/${match.you}`));
  const [cancel, , notCancelled] = useCommand(() => live.command("POST", "/cancel"));
  /** @param {any} seat */
  const free = (seat) => seat.kind === "open" || (seat.kind === "invite" && invite);
  const { unread, read } = useUnread(live);
  return html`<div class="page narrow"><h1>${gameName(match.game)}</h1>
    <p role="status">${t(match.status === "cancelled" ? "lobby.cancelled" : "lobby.waiting")}</p>
    ${!me && html`<section class="card"><p>${t("lobby.name_first")}</p><${GuestForm} /></section>`}
    <section class="card seats"><ul class="plain">${match.seats.map((/** @type {any} */ seat) => html`<li key=${seat.seat}>
      <${Mark} seat=${seat.seat} />
      <span class="name">${seat.kind === "open" || seat.kind === "invite" ? t("seat." + seat.kind) : seat.name}</span>
      ${seat.seat === match.you && html`<em>(${t("seat.you")})</em>`}
      ${me && match.status === "open" && match.you === null && free(seat) && html`<button class="main" disabled=${busy}
        onClick=${() => sit(seat.seat)}>${t("lobby.sit")}</button>`}</li>`)}</ul></section>
    ${match.invite && match.status === "open" && html`<${Invitation} link=${match.invite} />`}
    <p class="row">
      ${match.you !== null && match.status === "open" && html`<button onClick=${() => leave()}>${t("lobby.leave")}</button>`}
      ${match.invite && match.status === "open" && html`<button class="danger" onClick=${() => cancel()}>${t("lobby.cancel")}</button>`}
      <a href=${`/rules/${match.game}`}>${t("more.rules")}</a></p>
    <${Refusal} text=${refusal || notLeft || notCancelled} />
    <p class="soft">${policy(match.clock)}</p>
    ${match.status === "open" && html`<${Chat} live=${live} unread=${unread} read=${read} />`}
  </div>`;
}

/** @param {{link: string}} props */
function Invitation({ link }) {
  const here = location.origin + new URL(link).pathname + new URL(link).search;
  return html`<section class="card"><h2>${t("lobby.invite")}</h2><p class="soft">${t("lobby.invite_about")}</p><${Copy} text=${here} label=${t("lobby.invite")} /></section>`;
}
