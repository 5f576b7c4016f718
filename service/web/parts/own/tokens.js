// Tokens for scripts and bots: what they may do is chosen when they are made; they are shown once.
import { html, useState } from "../../lib.js";
import { send } from "../../api.js";
import { t, when } from "../../i18n.js";
import { Copy, Field, Refusal, submit, useAnswer, useCommand } from "../ui.js";

const SCOPES = ["read", "play", "account"];

export function Tokens() {
  const [answer, look, unread] = useAnswer("/me/tokens");
  const [label, setLabel] = useState("");
  const [scopes, setScopes] = useState(["read", "play"]);
  const [made, setMade] = useState("");
  const [make, busy, refusal] = useCommand(async () => {
    setMade((await send("POST", "/me/tokens", { label: label.trim(), scopes })).token);
    setLabel("");
    await look();
  });
  const [revoke, , kept] = useCommand(async (/** @type {string} */ id) => {
    await send("DELETE", `/me/tokens/${id}`);
    await look();
  });
  const lasting = (answer?.items || []).filter((/** @type {any} */ token) => token.kind !== "session");
  /** @param {string} scope */
  const toggle = (scope) => setScopes(SCOPES.filter((one) => (one === scope) !== scopes.includes(one)));
  return html`<section class="card" id="tokens"><h2>${t("section.tokens")}</h2><p class="soft">${t("tokens.about")}</p>
    <ul class="plain">${lasting.map((/** @type {any} */ token) => html`<li class="row spread" key=${token.id}>
      <span>${token.label} <span class="soft">${token.scopes.join(", ")} · ${when(token.created)}</span></span>
      ${token.current ? html`<span class="soft">${t("tokens.this")}</span>` : html`<button class="small danger"
        onClick=${() => revoke(token.id)}>${t("tokens.revoke")}</button>`}</li>`)}</ul>
    <form onSubmit=${submit(make)}>
      <${Field} label=${t("tokens.label")}><input name="label" required maxlength="80" value=${label}
        onInput=${(/** @type {any} */ e) => setLabel(e.target.value)} /><//>
      <fieldset class="flat"><legend>${t("tokens.may")}</legend>${SCOPES.map((scope) => html`<label class="check"
        key=${scope}><input type="checkbox" checked=${scopes.includes(scope)} onChange=${() => toggle(scope)} />
        <span>${t("scope." + scope)} <code>${scope}</code></span></label>`)}</fieldset>
      <button disabled=${busy || !scopes.length}>${t("tokens.make")}</button></form>
    <${Refusal} text=${refusal || kept || unread} />
    ${made && html`<div class="note" role="status"><p>${t("tokens.once")}</p><${Copy} text=${made}
      label=${t("tokens.new")} /></div>`}</section>`;
}
