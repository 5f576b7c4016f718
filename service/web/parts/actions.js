// The sheet at the thumb: what is chosen and what it does, confirm and undo. Its height stays, so nothing jumps.
import { html, useEffect } from "../lib.js";
import { t } from "../i18n.js";
import { Effect, useOutlook } from "./outlook.js";
import { Refusal, useCommand } from "./ui.js";
import { HintKey, Why, useHint } from "./hint.js";
import { deedAfter, lastStanding } from "./news.js";
import { NextTable } from "./next.js";

/**
 * @param {{live: any, props: any, found: {action: any, label: string}[], busy: boolean,
 *   note: {text: string, calm: boolean}, prompt?: string, playback: any}} given
 */
export function Sheet({ live, props, found, busy, note, prompt, playback }) {
  const { pick, choose, act, module } = props;
  const chosen = Object.keys(pick).length > 0;
  const only = chosen && found.length === 1 ? found[0] : null;
  const about = only && module.about?.(only.action, props);
  const outlook = useOutlook(live.match, only?.action);
  const hint = useHint(live.match, choose);
  useEffect(() => {
    const keys = (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Escape" && chosen) choose({});
    };
    window.addEventListener("keydown", keys);
    return () => window.removeEventListener("keydown", keys);
  });
  if (playback.step) return html`<${Showing} playback=${playback} />`;
  const title = note.text ? html`<span
    class=${note.calm ? "" : "bad"}>${note.text}</span>` : only ? module.title?.(only.action, props) || only.label
      : prompt || t("act.more");
  return html`<div class="sheet action-bar" role="region" aria-label=${t("act.bar")}>
    <p aria-live="polite"><strong class="title">${title}</strong>
      ${only && !note.text && about && html`<span class="about">${about}</span>`}
      ${only && !note.text && html`<${Why} hint=${hint} action=${only.action} match=${live.match} />`}
      ${only && !note.text && html`<${Effect} module=${module} props=${props} outlook=${outlook}
        told=${Boolean(about)} />`}</p>
    <div class="row keys">
      ${only && html`<button class="main" disabled=${busy}
        onClick=${() => act(only.action)}>${t("act.confirm")}</button>`}
      ${chosen && html`<button onClick=${() => choose({})}>${t("act.cancel")}</button>`}
      ${!chosen && html`<${Direct} props=${props} busy=${busy} />`}
      ${!chosen && html`<${HintKey} live=${live} hint=${hint} choose=${choose} /><${TakeBack} live=${live}
        names=${props.names} />`}
      <${NextTable} match=${live.match} />
    </div>
  </div>`;
}

/** While something is played back there is one thing to do. @param {{playback: any}} given */
const Showing = ({ playback }) => html`<div class="sheet action-bar" role="region" aria-label=${t("act.bar")}>
  <p><strong class="title">${t("news.playing")}</strong></p>
  <div class="row keys"><button class="main" onClick=${playback.stop}>${t("news.skip")}</button></div></div>`;

/** Actions that need no place or piece: one tap each. What costs or gives something up is quiet. */
function Direct(/** @type {{props: any, busy: boolean}} */ { props: { legal, labels, act, module }, busy }) {
  const { types = [], quiet = [] } = module.direct || {};
  const all = legal.map((/** @type {any} */ action, /** @type {number} */ n) => ({ action, label: labels[n] }));
  const found = all.filter((/** @type {any} */ offer) => types.includes(offer.action.type));
  const main = found.find((/** @type {any} */ offer) => !quiet.includes(offer.action.type));
  return html`<span class="row direct">${found.map((/** @type {any} */ offer) => html`<button key=${offer.label}
    class=${offer === main ? "main" : "quiet"} disabled=${busy} onClick=${() =>
      act(offer.action)}>${offer.label}</button>`)}</span>`;
}

/** Free as long as nobody has seen anything; else the others are asked. @param {{live: any, names: string[]}} props */
function TakeBack({ live, names }) {
  const { match, events } = live;
  const mine = lastStanding(events, match.you);
  const to = match.undo ? match.undo.to : mine - 1;
  const [run, busy, refusal] = useCommand(async () => {
    // Not free any more: it marks the match, and bots agree at once.
    if (!match.undo && !confirm(t("more.ask_undo_sure"))) return;
    await live.command("POST", "/undo", { seq: match.seq, to });
  });
  const playing = match.status === "running" && match.you !== null && !match.seats[match.you].resigned;
  if (!playing || match.asked || !(match.undo || mine)) return null;
  const what = deedAfter(events, to, names);
  const label = t(match.undo ? "more.undo" : "more.ask_undo");
  return html`<button class="undo" disabled=${busy} onClick=${() => run()} title=${what}
    aria-label=${what ? `${label}: ${what}` : label}><span aria-hidden="true">↶</span>
    <span class="label">${label}</span></button><${Refusal} text=${refusal} />`;
}
