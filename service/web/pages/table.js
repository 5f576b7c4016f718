// The table: whose turn, everybody in a strip, the board, and one sheet at the thumb; the rest in a drawer.
import { html, useEffect, useMemo, useState } from "../lib.js";
import { lang, t } from "../i18n.js";
import { gameName, useShared } from "../store.js";
import { useMatch } from "../match.js";
import { agrees, offers, still } from "../pick.js";
import { boardWords, useBoard } from "../parts/boards.js";
import { Failed, Loading, NotFound, said } from "../parts/ui.js";
import { Sheet } from "../parts/actions.js";
import { Aside } from "../parts/aside.js";
import { Chooser } from "../parts/chooser.js";
import { Asked, Away, Wishes } from "../parts/agree.js";
import { useUnread } from "../parts/chat.js";
import { Lobby } from "../parts/lobby.js";
import { Keeping } from "../parts/naming.js";
import { Outcome } from "../parts/result.js";
import { Strip } from "../parts/strip.js";
import { BoardArea } from "../parts/area.js";
import { Banner } from "../parts/banner.js";
import { Origin, Watching } from "../parts/origin.js";
import { News, marked, recent } from "../parts/news.js";
import { Lesson } from "../parts/lesson.js";
import { usePlayback } from "../parts/playback.js";
import { useSounds } from "../parts/sounds.js";
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

/** What is chosen, and how it becomes an action. @param {any} live */
function useChoice({ match, line, act: send, why: ask }) {
  const { ask: confirms } = useShared();
  const [wish, setPick] = useState(/** @type {any} */ ({}));
  const [spoken, setSaid] = useState({ text: "", calm: false });
  const setNote = (/** @type {string} */ text, calm = false) => setSaid({ text, calm });
  const [busy, setBusy] = useState(false);
  // Never older than the view it is drawn on: what was chosen counts only while it is still possible.
  const pick = still(match.legal, wish);
  useEffect(() => setNote(""), [match.seq]);
  useEffect(() => {
    if (line === "live") setNote(""); // that nobody answered is over
  }, [line]);
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
    if (!confirms && left.length === 1 && Object.keys(part).length) act(left[0]);
    else setPick(part);
  };
  /** @param {any} action */
  const why = (action) => match.you !== null && match.status === "running"
    && ask(action).then((/** @type {string} */ text) => setNote(text), (/** @type {any} */ refused) =>
      setNote(said(refused)));
  return { pick, choose, act, why, say: setNote, note: spoken, busy };
}

/** @param {{live: any, invite: string}} props */
function Playing({ live, invite }) {
  const { match, events, line } = live;
  const board = useBoard(match.game);
  const { me, textMode } = useShared();
  const choice = useChoice(live);
  const playback = usePlayback(match, events, invite);
  const { unread, read } = useUnread(live);
  const [drawer, setDrawer] = useState("");
  const [lit, light] = useState(/** @type {any} */ (null));
  const kept = useFocusKept();
  const marks = useMemo(() => marked(events, match.you, lit), [events, match.you, lit]);
  useSounds(match, board?.module.scores);
  if (!board) return html`<${Loading} />`;
  const props = boardProps(board, match, events, choice, playback.step, marks);
  const { module } = board;
  const { note, busy } = choice;
  const mine = match.legal.length > 0;
  const prompt = module.prompt?.({ ...props, view: match.view, legal: match.legal });
  const chosen = offers(match.legal, match.labels, choice.pick);
  const shown = playback.step?.moment || match;
  return html`<div class=${`table ${props.look}`} data-seq=${match.seq}
    aria-busy=${busy || playback.step ? "true" : "false"}>
    <div class="table-top">
      <${Banner} match=${match} line=${line} prompt=${prompt} unread=${unread} open=${setDrawer} />
      <${News} match=${match} events=${events} playback=${playback} /></div>
    <${Strip} match=${{ ...match, to_act: shown.to_act }} module=${module} props=${props} />
    <div class="table-main" ...${kept} onClickCapture=${playback.step ? playback.stop : null}>
      <${Since} id=${match.id} /><${Watching} match=${match} /><${Origin} match=${match} />
      <${Asked} live=${live} /><${Wishes} live=${live} /><${Away} live=${live} invite=${invite} />
      ${match.result && html`<${Outcome} match=${match} word=${props.t} />`}
      ${match.result && match.you !== null && me?.guest && html`<${Keeping} />`}
      <${Lesson} match=${match} events=${events} choose=${choice.choose} />
      <${BoardArea} module=${module} props=${props} textMode=${textMode} game=${match.game} seq=${shown.seq} />
      ${match.status === "running" && match.you !== null && html`<${Sheet} live=${live} props=${props} found=${chosen}
        busy=${busy} note=${note} prompt=${waits(match, prompt)} playback=${playback} />`}
      ${mine && !playback.step && html`<details class="card list" open=${textMode || !module.prompt}>
        <summary>${t("act.all", { n: match.legal.length })}</summary><${Chooser} ...${props} /></details>`}
    </div>
    <${Aside} live=${live} unread=${unread} read=${read} open=${drawer !== ""} wanted=${drawer || "log"}
      close=${() => setDrawer("")} light=${light} />
  </div>`;
}

/** What the sheet says while nothing is chosen. @param {any} match @param {string | undefined} prompt */
function waits(match, prompt) {
  if (match.legal.length) return prompt || t("turn.yours");
  return t("turn.others", { names: match.to_act.map((/** @type {number} */ n) => match.seats[n].name).join(", ") });
}

/**
 * What a board gets: the match as it is, or the step that is played back, in which nothing can be done.
 * @param {any} board @param {any} match @param {any[]} events @param {any} choice @param {any} step @param {any[]}
 *   marks
 */
function boardProps(board, match, events, choice, step, marks) {
  const { pick, choose, act, why, say } = choice;
  const now = { view: match.view, legal: match.legal, labels: match.labels, pick, past: false, result: match.result,
    recent: recent(events, match.you), marked: marks, events };
  const then = step && { view: step.moment.view, legal: [], labels: [], pick: {}, past: true, result: null,
    recent: step.event ? [step.event] : [], marked: step.event?.facts || [] };
  return { ...now, ...then, seat: match.you, lang: lang(), data: board.data, choose, act, say, why,
    module: board.module,
    names: match.seats.map((/** @type {any} */ seat) => seat.name), t: boardWords(board.words),
      look: `look-${match.game}` };
}

/** A notice leads here with the event that its reader knew last: from there the match can be seen again. */
function Since(/** @type {{id: string}} */ { id }) {
  const at = Number(new URLSearchParams(location.search).get("at"));
  return at > 0 ? html`<p class="note"><a href=${`/matches/${id}/replay#${at}`}>${t("replay.since")}</a></p>` : null;
}
