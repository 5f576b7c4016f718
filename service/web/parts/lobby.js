// A table that has not begun: an invitation for who comes, an invitation to pass on for who sits there.
import { html } from "../lib.js";
import { t } from "../i18n.js";
import { gameName, useShared } from "../store.js";
import { newKey } from "../api.js";
import { sitDown } from "../play.js";
import { Mark, Refusal, useCommand } from "./ui.js";
import { Invitation } from "./invite.js";
import { Chat, useUnread } from "./chat.js";
import { Cover, Facts } from "./games.js";
import { policy } from "./clock.js";

/** @param {{live: any, invite: string}} props */
export function Lobby({ live, invite }) {
  const { match } = live;
  const { games } = useShared();
  const game = games.find((one) => one.key === match.game);
  // A nonce given after the seal was shown: the server cannot have chosen its seed to fit.
  const [sit, busy, refusal] = useCommand((/** @type {number} */ n) => sitDown((seat) => live.command("POST",
    `/seats/${seat}`, { invite, nonce: newKey() }), n));
  const [leave, , notLeft] = useCommand(() => live.command("DELETE", `/seats/${match.you}`));
  const [cancel, , notCancelled] = useCommand(() => live.command("POST", "/cancel"));
  const open = match.status === "open";
  const free = open && match.you === null ? match.seats.filter((/** @type {any} */ seat) => seat.kind === "open"
    || (seat.kind === "invite" && invite)) : [];
  const host = match.seats.find((/** @type {any} */ seat) => seat.kind === "person");
  const invited = free.length > 0 && host;
  const { unread, read } = useUnread(live);
  return html`<div class="page narrow lobby">
    <section class="card hero">${game && html`<${Cover} game=${game} />`}
      <h1>${invited ? t("lobby.invites", { name: host.name, game: gameName(match.game) }) : gameName(match.game)}</h1>
      ${game?.cover && html`<p>${game.cover.line}</p>`}${game && html`<p><${Facts} game=${game} /></p>`}
      ${free.length > 0 && html`<p><button class="main big" disabled=${busy} onClick=${() =>
        sit(free[0].seat)}>${t("lobby.sit_down")}</button></p><p class="soft">${t("lobby.sit_about")}</p>`}
      <p role="status">${t(open ? "lobby.waiting" : "lobby.cancelled")}</p></section>
    <section class="card seats"><ul class="plain">${match.seats.map((/** @type {any} */ seat) => html`<li
      key=${seat.seat}>
      <${Mark} seat=${seat.seat} />
      <span class="name">${seat.kind === "open" || seat.kind === "invite" ? t("seat." + seat.kind) : seat.name}</span>
      ${seat.seat === match.you && html`<em>(${t("seat.you")})</em>`}
      ${free.length > 1 && free.includes(seat) && html`<button disabled=${busy} onClick=${() =>
        sit(seat.seat)}>${t("lobby.sit")}</button>`}</li>`)}</ul></section>
    ${match.invite && open && html`<${Invitation} link=${match.invite} title=${gameName(match.game)}
      text=${t("lobby.invites", { name: host?.name || "Turnlog", game: gameName(match.game) })} />`}
    <p class="row">
      ${match.you !== null && open && html`<button onClick=${() => leave()}>${t("lobby.leave")}</button>`}
      ${match.invite && open && html`<button class="danger" onClick=${() => cancel()}>${t("lobby.cancel")}</button>`}
      <a href=${`/rules/${match.game}`}>${t("more.rules")}</a></p>
    <${Refusal} text=${refusal || notLeft || notCancelled} />
    <p class="soft">${policy(match.clock)}</p>
    ${open && match.you !== null && html`<${Chat} live=${live} unread=${unread} read=${read} />`}
  </div>`;
}
