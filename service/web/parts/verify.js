// Is it honest? The reader's own browser checks the log; what only somebody who knows the rules can judge, the server does.
import { html, useState } from "../lib.js";
import { bytes, get } from "../api.js";
import { t } from "../i18n.js";
import { verify } from "../verify/index.js";
import { Refusal, useCommand } from "./ui.js";

const RULES = ["order", "holders", "decisions", "result"]; // what the browser cannot judge

/** @typedef {{ok: boolean, text: string}} Line */

/** @param {any} report @param {number} draws @returns {Line[]} */
const inBrowser = (report, draws) => report.checks.map((/** @type {any} */ check) => ({
  ok: !check.line,
  text: t("verify.browser", { text: check.line ? t("fails." + check.what, { n: check.line }) : t("check." + check.what, { draws }) }),
}));

/** @param {any} answer @returns {Line[]} */
const byServer = (answer) => answer.checks.filter((/** @type {any} */ one) => RULES.includes(one.what)).map((/** @type {any} */ one) => ({
  ok: one.holds,
  text: t("verify.server", { text: one.holds ? t("check." + one.what) : t("verify.fails", { n: one.seq, why: one.detail }) }),
}));

/** @param {any} signature @returns {Line} */
const signed = ({ by, server, key }) => ({ ok: by !== "forged", text: t("signed." + by, { server, key: key.slice(0, 12) }) });

/** @param {any} match @param {string} invite @returns {Promise<Line[]>} */
async function everything(match, invite) {
  const query = invite ? `?invite=${encodeURIComponent(invite)}` : "";
  const [log, keys, said] = await Promise.all([bytes(`/matches/${match.id}/log${query}`), get("/keys"), get(`/matches/${match.id}/draws${query}`)]);
  const here = await verify(log, keys, said);
  if (!here.signature) return inBrowser(here, 0);
  const there = await get(`/matches/${match.id}/verify${query}`);
  const same = { ok: there.head === here.head, text: t("verify.same", { head: here.head.slice(0, 12) }) };
  return [...inBrowser(here, said.draws.length), signed(here.signature), same, ...byServer(there)];
}

/** @param {{match: any, invite: string}} props */
export function Verify({ match, invite }) {
  const [found, set] = useState(/** @type {Line[]} */ ([]));
  const [run, busy, refusal] = useCommand(async () => {
    set([]);
    set(await everything(match, invite));
  });
  const good = found.length > 0 && found.every((one) => one.ok);
  return html`<section class="card"><h2>${t("verify.title")}</h2>
    <p class="soft">${t(match.status === "finished" ? "verify.about" : "verify.later")}</p>
    <p class="seal soft">${t("more.seal")} <code class="break">${match.seal}</code></p>
    <p class="row">${match.status === "finished" && html`<button disabled=${busy} onClick=${() => run()}>${t(busy ? "verify.doing" : "verify.do")}</button>`}
      <a href=${`/api/matches/${match.id}/log${invite ? `?invite=${encodeURIComponent(invite)}` : ""}`} download=${`${match.id}.ndjson`}>${t("more.log")}</a></p>
    ${found.length > 0 && html`<div class=${`note ${good ? "good" : "bad"}`} role="status"><ol class="plain checks">${found.map((one) => html`<li class=${one.ok ? "good" : "bad"}>${one.ok ? "✓" : "✗"} ${one.text}</li>`)}</ol>
      ${good && html`<strong>${t("verify.all")}</strong>`}</div>`}
    <${Refusal} text=${refusal} /></section>`;
}
