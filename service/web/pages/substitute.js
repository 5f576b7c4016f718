// A seat that somebody is asked to take over: which one, and the button that does it.
import { html, useEffect, useState } from "../lib.js";
import { get, send } from "../api.js";
import { lang, t } from "../i18n.js";
import { gameName, useShared } from "../store.js";
import { go } from "../route.js";
import { Failed, Loading, Mark, Refusal, said, useCommand } from "../parts/ui.js";
import { sitDown } from "../play.js";

/** @param {{args: string[]}} props */
export default function Substitute({ args: [id, number] }) {
  const { me } = useShared();
  const invite = new URLSearchParams(location.search).get("invite") || "";
  const [match, setMatch] = useState(/** @type {any} */ (null));
  const [problem, setProblem] = useState(/** @type {any} */ (null));
  const [take, busy, refusal] = useCommand(async () => {
    await sitDown((seat) => send("POST", `/matches/${id}/seats/${seat}`, { invite }), Number(number));
    go(`/matches/${id}`);
  });
  useEffect(() => {
    document.title = `${t("substitute.title")} · Turnlog`;
    get(`/matches/${id}?legal=0&invite=${encodeURIComponent(invite)}`).then(setMatch, setProblem);
  }, [id, me?.id, lang()]);
  if (problem) return html`<div class="page"><${Failed} message=${said(problem)} /></div>`;
  if (!match) return html`<${Loading} />`;
  const seat = match.seats[Number(number)];
  if (!seat) return html`<div class="page"><${Failed} message=${t("not_found.title")} /></div>`;
  return html`<div class="page narrow"><section class="card"><h1>${t("substitute.title")}</h1>
    <p><${Mark} seat=${seat.seat} /> ${t("substitute.about", { game: gameName(match.game), name: seat.name })}</p>
    ${match.you === null && html`<button class="main" disabled=${busy} onClick=${() =>
      take()}>${t("substitute.take")}</button>`}
    <${Refusal} text=${refusal} />
    <p><a href=${`/matches/${id}`}>${t("substitute.look")}</a></p></section></div>`;
}
