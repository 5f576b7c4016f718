// A match moment by moment, as the reader knew it then; after the end, through anybody's eyes.
import { html, useEffect, useRef, useState } from "../lib.js";
import { get } from "../api.js";
import { lang, t, when } from "../i18n.js";
import { gameName, useShared } from "../store.js";
import { useMatch } from "../match.js";
import { boardWords, useBoard } from "../parts/boards.js";
import { BoardArea } from "../parts/area.js";
import { Failed, Loading, NotFound, said } from "../parts/ui.js";
import { lastOf, told } from "../parts/log.js";
import { Outcome } from "../parts/result.js";
import { Seats } from "../parts/seats.js";
import { Chart } from "../parts/chart.js";
import { Origin } from "../parts/origin.js";
import { Verify } from "../parts/verify.js";

const STEP_MS = 900;

/** @param {{args: string[]}} props */
export default function Replay({ args: [id] }) {
  const invite = new URLSearchParams(location.search).get("invite") || "";
  const live = useMatch(id, invite);
  useEffect(() => void (document.title = `${t("replay.title")} · Turnlog`), [lang()]);
  if (live.problem?.status === 404 && !live.match) return html`<${NotFound} />`;
  if (live.problem && !live.match) return html`<div class="page"><${Failed} message=${said(live.problem)} again=${live.look} /></div>`;
  if (!live.match || !live.events.length) return html`<${Loading} />`;
  return html`<${Player} live=${live} id=${id} invite=${invite} />`;
}

/** The moment that the address names. @param {number} last */
const wanted = (last) => Math.min(last, Math.max(1, Number(location.hash.slice(1)) || last));

/** The match as it was, kept once it was seen. @param {string} id @param {number} seq @param {string} invite @param {boolean} open */
function useMoment(id, seq, invite, open) {
  const [moment, set] = useState(/** @type {any} */ (null));
  const wantedNow = useRef(seq);
  wantedNow.current = seq;
  useEffect(() => {
    const query = `at=${seq}${open ? "&open=1" : ""}${invite ? `&invite=${encodeURIComponent(invite)}` : ""}`;
    get(`/matches/${id}?${query}`).then((found) => wantedNow.current === seq && set(found), () => {});
  }, [id, seq, open, lang()]);
  return moment;
}

/** @param {{live: any, id: string, invite: string}} props */
function Player({ live, id, invite }) {
  const { match, events } = live;
  const first = events.find((/** @type {any} */ event) => event.kind === "started")?.seq || 1;
  const last = match.seq;
  const [seq, setSeq] = useState(() => wanted(last));
  const [playing, setPlaying] = useState(new URLSearchParams(location.search).has("play"));
  const [eyes, setEyes] = useState("own");
  const board = useBoard(match.game);
  const { textMode } = useShared();
  const over = match.status === "finished";
  const moment = useMoment(id, seq, invite, over);
  /** @param {number} next */
  const jump = (next) => {
    const to = Math.min(last, Math.max(first, next));
    setSeq(to);
    history.replaceState(null, "", `${location.pathname}${location.search}#${to}`);
  };
  useEffect(() => {
    const named = () => setSeq(wanted(last));
    window.addEventListener("hashchange", named);
    return () => window.removeEventListener("hashchange", named);
  }, [last]);
  useEffect(() => {
    if (!playing) return;
    if (seq >= last) return setPlaying(false);
    const timer = setTimeout(() => jump(seq + 1), STEP_MS);
    return () => clearTimeout(timer);
  }, [playing, seq]);
  useEffect(() => {
    /** @param {KeyboardEvent} event */
    const keys = (event) => {
      if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
      const steps = { ArrowLeft: seq - 1, ArrowRight: seq + 1, Home: first, End: last };
      const to = steps[/** @type {keyof typeof steps} */ (event.key)];
      if (to !== undefined) (event.preventDefault(), jump(to));
      if (event.key === " " && !(event.target instanceof HTMLButtonElement)) (event.preventDefault(), setPlaying(!playing));
    };
    window.addEventListener("keydown", keys);
    return () => window.removeEventListener("keydown", keys);
  });
  if (!board || !moment) return html`<${Loading} />`;
  const names = match.seats.map((/** @type {any} */ seat) => seat.name);
  const event = events.find((/** @type {any} */ one) => one.seq === seq);
  const view = eyes !== "own" && moment.views ? moment.views[Number(eyes)] : moment.view;
  const mark = lastOf(events, match.you);
  return html`<div class="table"><div class="table-main">
    <header class="banner"><h1><a href=${`/matches/${id}`}>${gameName(match.game)}</a> · ${t("replay.title")}</h1></header>
    <${Origin} match=${match} />
    <div class="card player">
      <div class="row">
        <button onClick=${() => jump(first)} aria-label=${t("replay.first")}>|◀</button>
        <button onClick=${() => jump(seq - 1)} aria-label=${t("replay.back")}>◀</button>
        <button class="main" onClick=${() => (seq >= last && jump(first), setPlaying(!playing))}>${t(playing ? "replay.pause" : "replay.play")}</button>
        <button onClick=${() => jump(seq + 1)} aria-label=${t("replay.on")}>▶</button>
        <button onClick=${() => jump(last)} aria-label=${t("replay.last")}>▶|</button>
        ${mark > 0 && !over && html`<button onClick=${() => jump(mark)}>${t("replay.since")}</button>`}
        <output class="soft nowrap">${seq} / ${last}</output>
      </div>
      <input type="range" min=${first} max=${last} value=${seq} aria-label=${t("replay.slider")} onInput=${(/** @type {any} */ e) => jump(Number(e.target.value))} />
      <p class="told" aria-live="polite">${event ? told(event, names).join(" ") : ""} ${event && html`<span class="soft nowrap">${when(event.at)}</span>`}</p>
      ${moment.views && html`<label class="row">${t("replay.eyes")} <select value=${eyes} onChange=${(/** @type {any} */ e) => setEyes(e.target.value)}>
        <option value="own">${t("replay.own")}</option>
        ${names.map((/** @type {string} */ name, /** @type {number} */ n) => html`<option value=${n}>${name}</option>`)}</select></label>`}
    </div>
    ${seq === last && match.result && html`<${Outcome} match=${match} />`}
    ${view && html`<${BoardArea} module=${board.module} textMode=${textMode} game=${match.game} seq=${seq} props=${{
      view, legal: [], labels: [], seat: eyes === "own" ? match.you : Number(eyes), names, lang: lang(), data: board.data, pick: {}, past: true,
      recent: event && event.kind === "acted" ? [event] : [], choose: () => {}, act: () => {}, say: () => {}, why: () => {}, t: boardWords(board.words), result: seq === last ? match.result : null }} />`}
  </div>
  <aside class="table-side">
    <${Seats} match=${{ ...match, to_act: moment.to_act }} scores=${view ? board.module.scores?.(view) : null} />
    ${board.module.scores && html`<${Chart} id=${id} invite=${invite} first=${first} last=${last} seq=${seq} names=${names} scores=${board.module.scores} jump=${jump} />`}
    <${Verify} match=${match} invite=${invite} />
  </aside></div>`;
}
