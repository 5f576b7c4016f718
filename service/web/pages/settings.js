// What is one's own: language, time zone, how to act, password, tokens.
import { html, useEffect, useState } from "../lib.js";
import { get, send } from "../api.js";
import { LANGS, lang, t, when } from "../i18n.js";
import { switchAsk, switchLanguage, switchTextMode, switchTheme, update, useShared } from "../store.js";
import { go } from "../route.js";
import { Field, Refusal, useCommand } from "../parts/ui.js";

export default function Settings() {
  const { me, theme, ask, textMode } = useShared();
  useEffect(() => void (document.title = `${t("settings.title")} · Turnlog`), []);
  return html`<div class="page narrow"><h1>${t("settings.title")}</h1>
    <section class="card"><h2>${t("settings.page")}</h2>
      <${Field} label=${t("settings.language")}><select value=${lang()} onChange=${(/** @type {any} */ e) => switchLanguage(e.target.value)}>
        ${LANGS.map((tag) => html`<option value=${tag}>${t("lang." + tag)}</option>`)}</select><//>
      <${Field} label=${t("settings.theme")}><select value=${theme} onChange=${(/** @type {any} */ e) => switchTheme(e.target.value)}>
        ${["auto", "light", "dark"].map((one) => html`<option value=${one}>${t("theme." + one)}</option>`)}</select><//>
      <label class="check"><input type="checkbox" checked=${ask} onChange=${() => switchAsk(!ask)} /> ${t("settings.ask")}</label>
      <label class="check"><input type="checkbox" checked=${textMode} onChange=${() => switchTextMode(!textMode)} /> ${t("settings.text")}</label>
    </section>
    ${me ? html`<${Zone} me=${me} />${me.guest && html`<${Claim} />`}<${Tokens} />
      <section class="card"><h2>${t("settings.account")}</h2><p>${t(me.guest ? "settings.guest" : "settings.signed_in", { name: me.name })}</p>
      <${SignOut} guest=${me.guest} /></section>`
    : html`<p><a href="/sign-in?back=/settings">${t("nav.sign_in")}</a></p>`}
  </div>`;
}

/** @param {{me: any}} props */
function Zone({ me }) {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zones = /** @type {any} */ (Intl).supportedValuesOf?.("timeZone") || [here, "UTC"];
  const [run, busy, refusal] = useCommand(async (/** @type {string} */ tz) => update({ me: await send("PATCH", "/me", { tz }) }));
  const all = [...new Set([me.tz || here, here, ...zones])];
  return html`<section class="card"><h2>${t("settings.time")}</h2>
    <${Field} label=${t("settings.zone")}><select value=${me.tz || here} disabled=${busy} onChange=${(/** @type {any} */ e) => run(e.target.value)}>
      ${all.map((zone) => html`<option value=${zone}>${zone}</option>`)}</select><//>
    <p class="soft">${t("settings.now", { time: when(new Date().toISOString(), me.tz || here) })}</p>
    <${Refusal} text=${refusal} /></section>`;
}

function Claim() {
  const [password, set] = useState("");
  const [run, busy, refusal] = useCommand(async () => update({ me: await send("POST", "/me/claim", { password }) }));
  return html`<section class="card"><h2>${t("claim.title")}</h2><p class="soft">${t("claim.about")}</p>
    <form class="inline" onSubmit=${(/** @type {Event} */ event) => (event.preventDefault(), run())}>
      <${Field} label=${t("claim.password")}><input type="password" name="password" minlength="8" required autocomplete="new-password" value=${password}
        onInput=${(/** @type {any} */ event) => set(event.target.value)} /><//>
      <button class="main" disabled=${busy}>${t("claim.do")}</button><${Refusal} text=${refusal} /></form></section>`;
}

function Tokens() {
  const [tokens, set] = useState(/** @type {any[]} */ ([]));
  const [label, setLabel] = useState("");
  const [made, setMade] = useState("");
  const look = async () => set((await get("/me/tokens")).items);
  useEffect(() => void look().catch(() => {}), []);
  const [make, busy, refusal] = useCommand(async () => {
    setMade((await send("POST", "/me/tokens", { label: label.trim(), scopes: ["play", "read"] })).token);
    setLabel("");
    await look();
  });
  const [revoke] = useCommand(async (/** @type {string} */ id) => {
    await send("DELETE", `/me/tokens/${id}`);
    await look();
  });
  return html`<section class="card"><h2>${t("tokens.title")}</h2><p class="soft">${t("tokens.about")}</p>
    <ul class="plain">${tokens.map((token) => html`<li class="row spread" key=${token.id}>
      <span>${token.kind === "session" ? t("tokens.session") : token.label} <span class="soft">${when(token.created)}</span></span>
      ${token.current ? html`<span class="soft">${t("tokens.this")}</span>` : html`<button class="small" onClick=${() => revoke(token.id)}>${t("tokens.revoke")}</button>`}</li>`)}</ul>
    <form class="inline" onSubmit=${(/** @type {Event} */ event) => (event.preventDefault(), make())}>
      <${Field} label=${t("tokens.label")}><input name="label" required maxlength="80" value=${label} onInput=${(/** @type {any} */ e) => setLabel(e.target.value)} /><//>
      <button disabled=${busy}>${t("tokens.make")}</button><${Refusal} text=${refusal} /></form>
    ${made && html`<p class="note" role="status">${t("tokens.once")}<br /><code class="break">${made}</code></p>`}</section>`;
}

/** @param {{guest: boolean}} props */
function SignOut({ guest }) {
  const [run, busy, refusal] = useCommand(async () => {
    // A guest has no password to come back with: better asked once too often.
    if (guest && !confirm(t("settings.guest_leaves"))) return;
    await send("DELETE", "/sessions");
    update({ me: null });
    go("/");
  });
  return html`<button disabled=${busy} onClick=${() => run()}>${t("settings.sign_out")}</button><${Refusal} text=${refusal} />`;
}
