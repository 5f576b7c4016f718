// One board for somebody else's page: it can be walked through, and nothing can be done in it.
import { html, useEffect } from "../lib.js";
import { lang, t } from "../i18n.js";
import { gameName } from "../store.js";
import { useMatch } from "../match.js";
import { boardWords, useBoard } from "../parts/boards.js";
import { BoardArea } from "../parts/area.js";
import { Failed, Loading, said } from "../parts/ui.js";
import { told } from "../parts/log.js";
import { useMoment, useWalk } from "../parts/moment.js";

/** @param {{args: string[]}} props */
export default function Embed({ args: [id] }) {
  const invite = new URLSearchParams(location.search).get("invite") || "";
  const live = useMatch(id, invite);
  useEffect(() => void (document.title = "Turnlog"), []);
  if (live.problem && !live.match) return html`<div class="page"><${Failed} message=${said(live.problem)} /></div>`;
  if (!live.match || !live.events.length) return html`<${Loading} />`;
  return html`<${Walk} live=${live} id=${id} invite=${invite} />`;
}

/** @param {{live: any, id: string, invite: string}} props */
function Walk({ live, id, invite }) {
  const { match, events } = live;
  const first = events.find((/** @type {any} */ event) => event.kind === "started")?.seq || 1;
  const { seq, jump, playing, toggle } = useWalk(first, match.seq);
  const board = useBoard(match.game);
  const moment = useMoment(id, seq, invite, false);
  if (!board || !moment) return html`<${Loading} />`;
  const names = match.seats.map((/** @type {any} */ seat) => seat.name);
  const event = events.find((/** @type {any} */ one) => one.seq === seq);
  return html`<div class="embed">
    ${moment.view && html`<${BoardArea} module=${board.module} textMode=${false} game=${match.game} seq=${seq} props=${{
      view: moment.view, legal: [], labels: [], seat: null, names, lang: lang(), data: board.data, pick: {}, past: true,
      recent: event && event.kind === "acted" ? [event] : [], choose: () => {}, act: () => {}, say: () => {},
        why: () => {}, t: boardWords(board.words), result: null }} />`}
    <p class="told" aria-live="polite">${event ? told(event, names).join(" ") : ""}</p>
    <div class="row spread"><span class="row"><button onClick=${() => jump(seq - 1)}
      aria-label=${t("replay.back")}>◀</button>
      <button onClick=${toggle}>${t(playing ? "replay.pause" : "replay.play")}</button>
      <button onClick=${() => jump(seq + 1)} aria-label=${t("replay.on")}>▶</button></span>
      <a href=${`/matches/${id}/replay${location.search}#${seq}`} target="_blank"
        rel="noopener">${gameName(match.game)} · Turnlog</a></div></div>`;
}
