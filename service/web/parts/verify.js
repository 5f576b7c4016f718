// Checks the log in the reader's own browser: every event names the hash of the one before, and the seed opens the seal.
// Rolling the dice again needs the rules, which only the server has: it checks those, of the same log.
import { html, useState } from "../lib.js";
import { get, text } from "../api.js";
import { t } from "../i18n.js";
import { sha256 } from "../sha256.js";
import { Refusal, useCommand } from "./ui.js";

const bytes = (/** @type {string} */ line) => new TextEncoder().encode(line);

/** @param {string} hex */
const unhex = (hex) => Uint8Array.from(hex.match(/../g) || [], (pair) => parseInt(pair, 16));

/** @param {string} log @returns {{ok: boolean, key: string, params: any}} */
export function check(log) {
  const lines = log.split("\n").filter(Boolean);
  const end = JSON.parse(lines.pop() || "{}");
  if (end.redacted) return { ok: false, key: "verify.redacted", params: {} };
  let head = "0".repeat(64);
  let seal = "", seed = "";
  for (const [n, line] of lines.entries()) {
    const event = JSON.parse(line);
    if (event.seq !== n + 1 || event.prev !== head) return { ok: false, key: "verify.broken", params: { n: n + 1 } };
    if (event.kind === "opened") ({ seal, seed } = event);
    head = sha256(bytes(line));
  }
  if (end.end !== lines.length || end.head !== head) return { ok: false, key: "verify.broken", params: { n: lines.length } };
  if (sha256(unhex(seed)) !== seal) return { ok: false, key: "verify.seal", params: {} };
  return { ok: true, key: "verify.holds", params: { n: lines.length, head: head.slice(0, 12) } };
}

/** The chain in this very browser; the seal, the dice and every decision by the server's rules. @param {any} match @param {string} invite */
async function everything(match, invite) {
  const query = invite ? `?invite=${encodeURIComponent(invite)}` : "";
  const here = check(await text(`/matches/${match.id}/log${query}`));
  if (!here.ok) return [here];
  const there = await get(`/matches/${match.id}/verify${query}`);
  const same = { ok: there.head.startsWith(here.params.head), key: "verify.same", params: { head: here.params.head } };
  return [here, same, ...there.checks.map((/** @type {any} */ one) => ({
    ok: one.holds, text: one.holds ? t("check." + one.what, { draws: there.draws }) : t("verify.fails", { n: one.seq, why: one.detail }),
  }))];
}

/** @param {{match: any, invite: string}} props */
export function Verify({ match, invite }) {
  const [found, set] = useState(/** @type {any[]} */ ([]));
  const [run, busy, refusal] = useCommand(async () => {
    set([]);
    set(await everything(match, invite));
  });
  const good = found.length > 0 && found.every((one) => one.ok);
  return html`<section class="card"><h2>${t("verify.title")}</h2>
    <p class="soft">${t(match.status === "finished" ? "verify.about" : "verify.later")}</p>
    <p class="seal soft">${t("more.seal")} <code class="break">${match.seal}</code></p>
    <p class="row">${match.status === "finished" && html`<button disabled=${busy} onClick=${() => run()}>${t(busy ? "verify.doing" : "verify.do")}</button>`}
      <a href=${`/api/matches/${match.id}/log`} download=${`${match.id}.ndjson`}>${t("more.log")}</a></p>
    ${found.length > 0 && html`<div class=${`note ${good ? "good" : "bad"}`} role="status"><ol class="plain checks">${found.map((one) => html`<li class=${one.ok ? "good" : "bad"}>${one.ok ? "✓" : "✗"} ${one.text || t(one.key, one.params)}</li>`)}</ol>
      ${good && html`<strong>${t("verify.all")}</strong>`}</div>`}
    <${Refusal} text=${refusal} /></section>`;
}
