// The table: board, seats, what to do, what happened.
import { html, useEffect, useState } from "../lib.js";
import { lang, t } from "../i18n.js";
import { gameName, useShared } from "../store.js";
import { useMatch } from "../match.js";
import { agrees, offers, still } from "../pick.js";
import { boardWords, useBoard } from "../parts/boards.js";
import { Failed, Loading, NotFound, said } from "../parts/ui.js";
import { ActionBar } from "../parts/actions.js";
import { Chooser } from "../parts/chooser.js";
import { Asked, Away, Wishes } from "../parts/agree.js";
import { Chat, useUnread } from "../parts/chat.js";
import { Lobby } from "../parts/lobby.js";
import { Log } from "../parts/log.js";
import { More } from "../parts/more.js";
import { Outcome } from "../parts/result.js";
import { Seats } from "../parts/seats.js";
import { BoardArea } from "../parts/area.js";
import { Banner } from "../parts/banner.js";
import { Origin } from "../parts/origin.js";
import { News, recent } from "../parts/news.js";
import { useFocusKept } from "../parts/focus.js";

/** @param {{args: string[]}} props */
export default function Table({ args: [id] }) {
  const invite = new URLSearchParams(location.search).get("invite") || "";
  const live = useMatch(id, invite);
  const { match, problem } = live;
  useTitle(match);
  if (problem?.status === 404 && !match) return html`<${NotFound} />`;
  if (problem && !match) return html`<div class="page"><${Failed} message=${said(problem)} again=${live.look} /></div>`;
  if (!match) return html`<${Loading} />`;
  if (match.status === "open" || match.status === "cancelled") return html`<${Lobby} live=${live} invite=${invite} />`;
  return html`<${Playing} live=${live} invite=${invite} />`;
}

/** The tab says whose turn it is. @param {any} match */
function useTitle(match) {
  const mine = match && match.to_act.includes(match.you);
  useEffect(() => {
    if (match) document.title = `${mine ? "● " : ""}${gameName(match.game)} · Turnlog`;
  }, [match?.game, mine, lang()]);
}

/** @param {{live: any, invite: string}} props */
function Playing({ live, invite }) {
  const { match, events, line, act: send } = live;
  const board = useBoard(match.game);
  const { ask, textMode } = useShared();
  const [wish, setPick] = useState(/** @type {any} */ ({}));
  const [note, setNote] = useState("");
  const [busy, setBusy] = useState(false);
  const { unread, read } = useUnread(live);
  const kept = useFocusKept();
  // Never older than the view it is drawn on: what was chosen counts only while it is still possible.
  const pick = still(match.legal, wish);
  useEffect(() => setNote(""), [match.seq]);
  useEffect(() => {
    if (line === "live") setNote(""); // that nobody answered is over
  }, [line]);
  if (!board) return html`<${Loading} />`;

  /** @param {any} action */
  const act = async (action) => {
    if (busy) return;
    setBusy(true);
    setNote("");
    try {
      await send(action);
      setPick({});
    } catch (refused) {
      setNote(said(refused));
    }
    setBusy(false);
  };
  /** @param {any} part */
  const choose = (part) => {
    setNote("");
    const left = match.legal.filter((/** @type {any} */ action) => agrees(action, part));
    // Without the confirming tap, a choice that leaves one action is that action.
    if (!ask && left.length === 1 && Object.keys(part).length) act(left[0]);
    else setPick(part);
  };
  /** @param {any} action */
  const why = (action) => match.you !== null && match.status === "running" && live.why(action).then(setNote, (/** @type {any} */ refused) => setNote(said(refused)));
  const props = {
    view: match.view, legal: match.legal, labels: match.labels, seat: match.you, lang: lang(), data: board.data,
    names: match.seats.map((/** @type {any} */ seat) => seat.name), pick, choose, act, past: false, result: match.result,
    t: boardWords(board.words), say: setNote, why, module: board.module, recent: recent(events, match.you),
  };
  const mine = match.legal.length > 0;
  return html`<div class="table" data-seq=${match.seq} aria-busy=${busy ? "true" : "false"}>
    <div class="table-main" ...${kept}>
      <${Banner} match=${match} line=${line} prompt=${board.module.prompt?.(props)} unread=${unread} />
      <${News} match=${match} events=${events} />
      <${Since} id=${match.id} /><${Origin} match=${match} />
      <${Asked} live=${live} /><${Wishes} live=${live} /><${Away} live=${live} invite=${invite} />
      ${match.result && html`<${Outcome} match=${match} />`}
      <${BoardArea} module=${board.module} props=${props} textMode=${textMode} game=${match.game} seq=${match.seq} />
      ${mine && html`<${ActionBar} props=${props} busy=${busy} note=${note} found=${offers(match.legal, match.labels, pick)} />`}
      ${mine && html`<details class="card list" open=${textMode || !board.module.prompt}>
        <summary>${t("act.all", { n: match.legal.length })}</summary><${Chooser} ...${props} /></details>`}
    </div>
    <aside class="table-side">
      <${Seats} match=${match} scores=${board.module.scores?.(match.view)} />
      <${Log} match=${match} events=${events} />
      <${Chat} live=${live} unread=${unread} read=${read} />
      <${More} live=${live} />
    </aside>
  </div>`;
}

/** A notice leads here with the event that its reader knew last: from there the match can be seen again. @param {{id: string}} props */
function Since({ id }) {
  const at = Number(new URLSearchParams(location.search).get("at"));
  return at > 0 ? html`<p class="note"><a href=${`/matches/${id}/replay#${at}`}>${t("replay.since")}</a></p>` : null;
}
