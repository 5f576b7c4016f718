// The account: a guest's first password, a new one, where one is signed in, signing out here or everywhere.
import { html, useState } from "../../lib.js";
import { send } from "../../api.js";
import { t, when } from "../../i18n.js";
import { signedOut, update } from "../../store.js";
import { go } from "../../route.js";
import { Field, KeepTokens, Refusal, submit, useAnswer, useCommand } from "../ui.js";

/** @param {{me: any}} props */
export const Account = ({ me }) => html`<section class="card" id="account"><h2>${t("section.account")}</h2>
  <p>${t(me.guest ? "settings.guest" : "settings.signed_in", { name: me.name })}</p>
  ${me.guest ? html`<${Claim} />` : html`<${NewPassword} />`}
  <${Sessions} />
  <${SignOut} guest=${me.guest} /></section>`;

function Claim() {
  const [password, set] = useState("");
  const [run, busy, refusal] = useCommand(async () => update({ me: await send("POST", "/me/claim", { password }) }));
  return html`<h3>${t("claim.title")}</h3><p class="soft">${t("claim.about")}</p>
    <form class="inline" onSubmit=${submit(run)}>
      <${Field} label=${t("claim.password")}><input type="password" name="password" minlength="8" required
        autocomplete="new-password" value=${password}
        onInput=${(/** @type {any} */ event) => set(event.target.value)} /><//>
      <button class="main" disabled=${busy}>${t("claim.do")}</button><${Refusal} text=${refusal} /></form>`;
}

function NewPassword() {
  const [given, set] = useState({ current: "", password: "" });
  const [keep, setKeep] = useState(false);
  const [done, setDone] = useState(false);
  const [run, busy, refusal] = useCommand(async () => {
    setDone(false);
    await send("POST", "/me/password", { ...given, tokens: keep ? "keep" : "end" });
    set({ current: "", password: "" });
    setDone(true);
  });
  /** @param {any} event */
  const typed = (event) => set({ ...given, [event.target.name]: event.target.value });
  return html`<details><summary>${t("password.title")}</summary><form onSubmit=${submit(run)}>
    <${Field} label=${t("password.current")}><input type="password" name="current" required
      autocomplete="current-password" value=${given.current} onInput=${typed} /><//>
    <${Field} label=${t("claim.password")}><input type="password" name="password" minlength="8" required
      autocomplete="new-password" value=${given.password} onInput=${typed} /><//>
    <${KeepTokens} keep=${keep} set=${setKeep} />
    <button disabled=${busy}>${t("password.do")}</button><${Refusal} text=${refusal} />
    ${done && html`<p class="note good" role="status">${t("password.done")}</p>`}</form></details>`;
}

function Sessions() {
  const [answer, look, unread] = useAnswer("/me/sessions");
  const [end, , kept] = useCommand(async (/** @type {string} */ id) => {
    await send("DELETE", `/me/tokens/${id}`);
    await look();
  });
  return html`<h3>${t("sessions.title")}</h3>
    <ul class="plain sessions">${(answer?.items || []).map((/** @type {any} */ one) => html`<li class="row spread"
      key=${one.id}>
      <span>${t("sessions.since", { time: when(one.created) })} <span class="soft">${one.expires ? t("sessions.until",
        { time: when(one.expires) }) : ""}</span></span>
      ${one.current ? html`<span class="chip good">${t("tokens.this")}</span>` : html`<button class="small"
        onClick=${() => end(one.id)}>${t("sessions.end")}</button>`}</li>`)}</ul>
    <${Refusal} text=${kept || unread} />`;
}

/** @param {{guest: boolean}} props */
function SignOut({ guest }) {
  const [run, busy, refusal] = useCommand(async (/** @type {string} */ where) => {
    // A guest has no password to come back with: better asked once too often.
    if (guest && !confirm(t("settings.guest_leaves"))) return;
    await send("DELETE", where);
    await signedOut();
    go("/");
  });
  return html`<p class="row"><button disabled=${busy} onClick=${() =>
    run("/sessions")}>${t("settings.sign_out")}</button>
    <button class="danger" disabled=${busy} onClick=${() =>
      run("/me/sessions")}>${t("sessions.everywhere")}</button></p><${Refusal} text=${refusal} />`;
}
