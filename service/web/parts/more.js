// What else one may do at a table.
import { html, useState } from "../lib.js";
import { get, send } from "../api.js";
import { t } from "../i18n.js";
import { switchAsk, switchOnward, switchSound, switchTextMode, useShared } from "../store.js";
import { go } from "../route.js";
import { play } from "../sound.js";
import { Copy, Refusal, useCommand } from "./ui.js";
import { policy } from "./clock.js";

/** @param {{live: any}} props */
export function More({ live }) {
  const { match } = live;
  const { me, ask, textMode, sound, onward } = useShared();
  const [next, , none] = useCommand(async () => {
    const { items } = await get("/me/turns");
    const other = items.find((/** @type {any} */ turn) => turn.match.id !== match.id);
    if (!other) throw new Error(t("more.no_next"));
    go(`/matches/${other.match.id}`);
  });
  const playing = match.status === "running" && match.you !== null && !match.seats[match.you].resigned;
  return html`<section class="card more">
    <p class="row"><a href=${`/matches/${match.id}/replay`}>${t("more.replay")}</a> <a
      href=${`/rules/${match.game}`}>${t("more.rules")}</a>
      <a href=${`/api/matches/${match.id}/log`} download=${`${match.id}.ndjson`}>${t("more.log")}</a></p>
    <label class="check"><input type="checkbox" checked=${textMode} onChange=${() =>
      switchTextMode(!textMode)} /> ${t("more.text")}</label>
    <label class="check"><input type="checkbox" checked=${ask} onChange=${() =>
      switchAsk(!ask)} /> ${t("more.ask")}</label>
    <label class="check"><input type="checkbox" checked=${sound}
      onChange=${() => (switchSound(!sound), sound || play("placed", true))} /> ${t("more.sound")}</label>
    <label class="check"><input type="checkbox" checked=${onward} onChange=${() =>
      switchOnward(!onward)} /> ${t("more.onward")}</label>
    <p class="row">
      ${me && html`<button onClick=${() => next()}>${t("more.next")}</button>`}
</p>
    ${playing && html`<${Leaving} live=${live} />`}
    ${match.agreed.stoppable && html`<${Stop} live=${live} />`}
    ${match.share && html`<details><summary>${t("more.share")}</summary><p
      class="soft">${t("more.share_about")}</p><${Copy} text=${location.origin + new URL(match.share).pathname
        + new URL(match.share).search} label=${t("more.share")} /></details>`}
    <${Refusal} text=${none} />
    <p class="soft">${policy(match.clock)}</p>
    <p class="soft seal">${t("more.seal")} <code class="break">${match.seal.slice(0, 16)}…</code></p>
  </section>`;
}

/** Who opened a table of bots ends it. @param {{live: any}} props */
function Stop({ live }) {
  const [run, busy, refusal] = useCommand(() => live.command("POST", "/abandon"));
  return html`<p><button class="danger" disabled=${busy} onClick=${() => confirm(t("more.stop_sure"))
    && run()}>${t("more.stop")}</button></p><${Refusal} text=${refusal} />`;
}

/** Everything that leads away from the table, from the mildest on. @param {{live: any}} props */
function Leaving({ live }) {
  const { match } = live;
  const [link, setLink] = useState("");
  const [run, busy, refusal] = useCommand((/** @type {string} */ method, /** @type {string} */ below,
    /** @type {any} */ body) => live.command(method, below, body));
  const [invite, , notInvited] = useCommand(async () => setLink((await send("POST",
    `/matches/${match.id}/seats/${match.you}/invite`)).invite));
  const seat = match.seats[match.you];
  return html`<details><summary>${t("more.leaving")}</summary><p class="row">
      ${!match.agreed.paused && !match.agreed.pause.includes(match.you) && html`<button disabled=${busy} onClick=${() =>
        run("POST", "/pause")}>${t("more.pause")}</button>`}
      ${seat.kind === "person" && !seat.substitute && html`<button disabled=${busy} onClick=${() => run("POST",
        `/seats/${match.you}/leave`)}>${t("more.step_out")}</button>`}
      ${seat.caretaker && html`<button onClick=${() => invite()}>${t("more.substitute")}</button>`}
      ${!match.agreed.abandon.includes(match.you) && html`<button disabled=${busy} onClick=${() =>
        confirm(t("more.abandon_sure")) && run("POST", "/abandon")}>${t("more.abandon")}</button>`}
      <button class="danger" disabled=${busy} onClick=${() => confirm(t("more.resign_sure")) && run("DELETE",
        `/seats/${match.you}`)}>${t("more.resign")}</button></p>
    ${link && html`<p class="soft">${t("more.substitute_about")}</p><${Copy} text=${link}
      label=${t("lobby.invite")} />`}
    <${Refusal} text=${refusal || notInvited} /></details>`;
}
