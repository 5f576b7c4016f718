// What else one may do at a table.
import { html } from "../lib.js";
import { get, send } from "../api.js";
import { t } from "../i18n.js";
import { switchAsk, switchTextMode, useShared } from "../store.js";
import { go } from "../route.js";
import { Refusal, useCommand } from "./ui.js";

/** @param {{live: any}} props */
export function More({ live }) {
  const { match } = live;
  const { me, ask, textMode } = useShared();
  const [resign, busy, refusal] = useCommand(async () => {
    if (confirm(t("more.resign_sure"))) await live.command("DELETE", `/seats/${match.you}`);
  });
  const [next, , none] = useCommand(async () => {
    const { items } = await get("/me/turns");
    const other = items.find((/** @type {any} */ turn) => turn.match.id !== match.id);
    if (!other) throw new Error(t("more.no_next"));
    go(`/matches/${other.match.id}`);
  });
  const [takeBack, , notTaken] = useCommand(() => live.command("POST", "/undo", { seq: match.seq, to: match.undo.to }));
  const [again, , notAgain] = useCommand(async () => go(`/matches/${(await send("POST", `/matches/${match.id}/rematch`)).id}`));
  const playing = match.status === "running" && match.you !== null && !match.seats[match.you].resigned;
  return html`<section class="card more">
    <p class="row"><a href=${`/matches/${match.id}/replay`}>${t("more.replay")}</a> <a href=${`/rules/${match.game}`}>${t("more.rules")}</a>
      <a href=${`/api/matches/${match.id}/log`} download=${`${match.id}.ndjson`}>${t("more.log")}</a></p>
    <label class="check"><input type="checkbox" checked=${textMode} onChange=${() => switchTextMode(!textMode)} /> ${t("more.text")}</label>
    <label class="check"><input type="checkbox" checked=${ask} onChange=${() => switchAsk(!ask)} /> ${t("more.ask")}</label>
    <p class="row">
      ${me && html`<button onClick=${() => next()}>${t("more.next")}</button>`}
      ${match.undo && html`<button onClick=${() => takeBack()}>${t("more.undo")}</button>`}
      ${match.status === "finished" && match.you !== null && html`<button class="main" onClick=${() => again()}>${t("more.rematch")}</button>`}
      ${playing && html`<button class="danger" disabled=${busy} onClick=${() => resign()}>${t("more.resign")}</button>`}</p>
    <${Refusal} text=${refusal || none || notTaken || notAgain} />
    <p class="soft seal">${t("more.seal")} <code class="break">${match.seal.slice(0, 16)}…</code></p>
  </section>`;
}
