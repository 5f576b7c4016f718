// Is it honest? The reader's own browser checks the log; what only somebody who knows the rules can judge, the server
// does.
import { html, useState } from "../lib.js";
import { bytes, get } from "../api.js";
import { t } from "../i18n.js";
import { verify } from "../verify/index.js";
import { Refusal, useCommand } from "./ui.js";

const RULES = ["order", "holders", "decisions", "result"]; // what the browser cannot judge

const MENDED = ["draws", "decisions", "result"]; // what comes out otherwise once a rule was mended
const VOUCHED = ["here", "trusted"]; // whose word it is that such a match was decided rightly then

/** @typedef {{ok: boolean, text: string}} Line */
/**
 * @typedef {{lines: Line[], verdict: string, holds: boolean}} Found what the server calls it, "" if it was not asked
 */

/** @param {any} report @param {number} draws @param {boolean} earlier @returns {Line[]} */
const inBrowser = (report, draws, earlier) => report.checks.map((/** @type {any} */ { what, line }) => {
  const excused = earlier && MENDED.includes(what);
  const wrong = excused ? t("verify.earlier", { n: line }) : t("fails." + what, { n: line });
  return { ok: !line || excused, text: t("verify.browser", { text: line ? wrong : t("check." + what, { draws }) }) };
});

/** @param {any} answer @param {boolean} earlier @returns {Line[]} */
const byServer = (answer, earlier) => answer.checks.filter((/** @type {any} */ one) => RULES.includes(one.what))
  .map((/** @type {any} */ one) => {
  const excused = earlier && MENDED.includes(one.what);
  const wrong = excused ? t("verify.earlier", { n: one.seq }) : t("verify.fails", { n: one.seq, why: one.detail });
  return { ok: one.holds || excused, text: t("verify.server", { text: one.holds ? t("check." + one.what) : wrong }) };
});

/** @param {any} signature @returns {Line} */
const signed = ({ by, server, key }) => ({ ok: by !== "forged", text: t("signed." + by, { server, key: key.slice(0,
  12) }) });

/** @param {any} match @param {string} invite @returns {Promise<Found>} */
async function everything(match, invite) {
  const query = invite ? `?invite=${encodeURIComponent(invite)}` : "";
  const [log, keys, said] = await Promise.all([bytes(`/matches/${match.id}/log${query}`), get("/keys"),
    get(`/matches/${match.id}/draws${query}`)]);
  const here = await verify(log, keys, said);
  if (!here.signature) return { lines: inBrowser(here, 0, false), verdict: "", holds: false };
  const there = await get(`/matches/${match.id}/verify${query}`);
  const same = { ok: there.head === here.head, text: t("verify.same", { head: here.head.slice(0, 12) }) };
  const earlier = there.verdict === "earlier_rules" && VOUCHED.includes(here.signature.by);
  const lines = [...inBrowser(here, said.draws.length, earlier), signed(here.signature), same, ...byServer(there,
    earlier)];
  return { lines, verdict: there.verdict, holds: there.holds };
}

/** @param {{match: any, invite: string}} props */
export function Verify({ match, invite }) {
  const [found, set] = useState(/** @type {Found | null} */ (null));
  const [run, busy, refusal] = useCommand(async () => {
    set(null);
    set(await everything(match, invite));
  });
  const good = found?.holds && found.lines.every((one) => one.ok);
  return html`<section class="card"><h2>${t("verify.title")}</h2>
    <p class="soft">${t(match.status === "finished" ? "verify.about" : "verify.later")}</p>
    <p class="seal soft">${t("more.seal")} <code class="break">${match.seal}</code></p>
    <p class="row">${match.status === "finished" && html`<button disabled=${busy} onClick=${() => run()}>${t(busy
      ? "verify.doing" : "verify.do")}</button>`}
      <a href=${`/api/matches/${match.id}/log${invite ? `?invite=${encodeURIComponent(invite)}` : ""}`}
        download=${`${match.id}.ndjson`}>${t("more.log")}</a></p>
    ${found && html`<div class=${`note ${good ? "good" : "bad"}`} role="status"><ol
      class="plain checks">${found.lines.map((one) => html`<li class=${one.ok ? "good" : "bad"}>${one.ok ? "✓"
        : "✗"} ${one.text}</li>`)}</ol>
      ${found.verdict && found.holds === good && html`<strong>${t("verdict." + found.verdict)}</strong>`}</div>`}
    <${Refusal} text=${refusal} /></section>`;
}
