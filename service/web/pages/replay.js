// A match moment by moment, as the reader knew it then; after the end, through anybody's eyes.
import { html, useEffect, useState } from "../lib.js";
import { lang, t, when } from "../i18n.js";
import { gameName, useShared } from "../store.js";
import { useMatch } from "../match.js";
import { boardWords, useBoard } from "../parts/boards.js";
import { BoardArea } from "../parts/area.js";
import { Copy, Failed, Loading, NotFound, said } from "../parts/ui.js";
import { lastOf, told } from "../parts/log.js";
import { Outcome } from "../parts/result.js";
import { Seats } from "../parts/seats.js";
import { SPEEDS, useMoment, useWalk } from "../parts/moment.js";
import { Moves } from "../parts/moves.js";
import { Chart } from "../parts/chart.js";
import { Origin } from "../parts/origin.js";
import { Verify } from "../parts/verify.js";

/** @param {{args: string[]}} props */
export default function Replay({ args: [id] }) {
  const invite = new URLSearchParams(location.search).get("invite") || "";
  const live = useMatch(id, invite);
  useEffect(() => void (document.title = `${t("replay.title")} · Turnlog`), [lang()]);
  if (live.problem?.status === 404 && !live.match) return html`<${NotFound} />`;
  if (live.problem && !live.match) return html`<div class="page"><${Failed} message=${said(live.problem)}
    again=${live.look} /></div>`;
  if (!live.match || !live.events.length) return html`<${Loading} />`;
  return html`<${Player} live=${live} id=${id} invite=${invite} />`;
}

/** @param {{live: any, id: string, invite: string}} props */
function Player({ live, id, invite }) {
  const { match, events } = live;
  const first = events.find((/** @type {any} */ event) => event.kind === "started")?.seq || 1;
  const last = match.seq;
  const { seq, jump, playing, toggle, speed, setSpeed } = useWalk(first, last);
  const [eyes, setEyes] = useState("own");
  const board = useBoard(match.game);
  const { textMode } = useShared();
  const over = match.status === "finished";
  const moment = useMoment(id, seq, invite, over);
  if (!board || !moment) return html`<${Loading} />`;
  const names = match.seats.map((/** @type {any} */ seat) => seat.name);
  const event = events.find((/** @type {any} */ one) => one.seq === seq);
  const view = eyes !== "own" && moment.views ? moment.views[Number(eyes)] : moment.view;
  const mark = lastOf(events, match.you);
  return html`<div class="table"><div class="table-main">
    <header class="banner"><h1><a
      href=${`/matches/${id}`}>${gameName(match.game)}</a> · ${t("replay.title")}</h1></header>
    <${Origin} match=${match} />
    <div class="card player">
      <div class="row">
        <button onClick=${() => jump(first)} aria-label=${t("replay.first")}>|◀</button>
        <button onClick=${() => jump(seq - 1)} aria-label=${t("replay.back")}>◀</button>
        <button class="main" onClick=${toggle}>${t(playing ? "replay.pause" : "replay.play")}</button>
        <button onClick=${() => jump(seq + 1)} aria-label=${t("replay.on")}>▶</button>
        <button onClick=${() => jump(last)} aria-label=${t("replay.last")}>▶|</button>
        ${mark > 0 && !over && html`<button onClick=${() => jump(mark)}>${t("replay.since")}</button>`}
        <select class="speed" aria-label=${t("replay.speed")} value=${speed} onChange=${(/** @type {any} */ e) =>
          setSpeed(Number(e.target.value))}>
          ${SPEEDS.map((one) => html`<option value=${one}>${one}×</option>`)}</select>
        <output class="soft nowrap">${seq} / ${last}</output>
      </div>
      <input type="range" min=${first} max=${last} value=${seq} aria-label=${t("replay.slider")}
        onInput=${(/** @type {any} */ e) => jump(Number(e.target.value))} />
      <p class="told" tabindex="0" aria-live="polite">${event ? told(event, names).join(" ") : ""} ${event && html`<span
        class="soft nowrap">${when(event.at)}</span>`}</p>
      ${moment.views && html`<label class="row">${t("replay.eyes")} <select value=${eyes}
        onChange=${(/** @type {any} */ e) => setEyes(e.target.value)}>
        <option value="own">${t("replay.own")}</option>
        ${names.map((/** @type {string} */ name, /** @type {number} */ n) => html`<option
          value=${n}>${name}</option>`)}</select></label>`}
    </div>
    ${seq === last && match.result && html`<${Outcome} match=${match} />`}
    ${view && html`<${BoardArea} module=${board.module} textMode=${textMode} game=${match.game} seq=${seq} props=${{
      view, legal: [], labels: [], seat: eyes === "own" ? match.you : Number(eyes), names, lang: lang(),
        data: board.data, pick: {}, past: true,
      recent: event && event.kind === "acted" ? [event] : [], choose: () => {}, act: () => {}, say: () => {},
        why: () => {}, t: boardWords(board.words), result: seq === last ? match.result : null }} />`}
  </div>
  <aside class="table-side">
    <${Seats} match=${{ ...match, to_act: moment.to_act }} scores=${view ? board.module.scores?.(view) : null} />
    ${board.module.scores && html`<${Chart} id=${id} invite=${invite} first=${first} last=${last} seq=${seq}
      names=${names} scores=${board.module.scores} jump=${jump} />`}
    <${Moves} events=${events} names=${names} seq=${seq} jump=${jump} />
    <${Embedding} id=${id} seq=${seq} share=${match.share || (match.listed ? location.href : "")} />
    <${Verify} match=${match} invite=${invite} />
  </aside></div>`;
}

/**
 * This moment's board for a page of one's own. A private match goes along with its link for readers, so only whoever
 *   has one is offered it.
 * @param {{id: string, seq: number, share: string}} props
 */
function Embedding({ id, seq, share }) {
  if (!share) return null;
  const code = new URL(share).searchParams.get("invite");
  const address = `${location.origin}/embed/matches/${id}${code ? `?invite=${code}` : ""}#${seq}`;
  return html`<details class="card"><summary>${t("replay.embed")}</summary><p
    class="soft">${t("replay.embed_about")}</p>
    <${Copy} text=${`<iframe src="${address}" width="640" height="640" title="Turnlog"></iframe>`}
      label=${t("replay.embed")} /></details>`;
}
