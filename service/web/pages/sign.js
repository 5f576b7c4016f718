// Sign in, or begin as a guest.
import { html, useEffect, useState } from "../lib.js";
import { get, send } from "../api.js";
import { t } from "../i18n.js";
import { signedIn, useShared } from "../store.js";
import { go } from "../route.js";
import { Field, Refusal, submit, useCommand } from "../parts/ui.js";
import { GuestForm } from "../parts/guest.js";

/** Where to go afterwards: only to an address of this page. */
const back = () => {
  const wanted = new URLSearchParams(location.search).get("back") || "/";
  return /^\/(?!\/)/.test(wanted) ? wanted : "/";
};

export default function Sign() {
  const { me } = useShared();
  useEffect(() => void (document.title = `${t("nav.sign_in")} · Turnlog`), []);
  if (me) return html`<div class="page narrow"><h1>${t("nav.sign_in")}</h1><p>${t("sign.already",
    { name: me.name })}</p><p><a href=${back()}>${t("sign.on")}</a></p></div>`;
  return html`<div class="page narrow">
    <section class="card"><h1>${t("guest.title")}</h1><p class="soft">${t("guest.about")}</p>
      <${GuestForm} then=${() => go(back())} /></section>
    <${PasswordForm} />
    <${Forgotten} />
  </div>`;
}

function PasswordForm() {
  const [given, set] = useState({ name: "", password: "" });
  const [run, busy, refusal] = useCommand(async () => {
    await send("POST", "/sessions", given);
    await signedIn(await get("/me"));
    go(back());
  });
  /** @param {any} event */
  const typed = (event) => set({ ...given, [event.target.name]: event.target.value });
  return html`<section class="card"><h2>${t("sign.title")}</h2>
    <form onSubmit=${(/** @type {Event} */ event) => (event.preventDefault(), run())}>
      <${Field} label=${t("sign.name")}><input name="name" required autocomplete="username" value=${given.name}
        onInput=${typed} /><//>
      <${Field} label=${t("sign.password")}><input name="password" type="password" required
        autocomplete="current-password"
        value=${given.password} onInput=${typed} /><//>
      <button class="main" disabled=${busy}>${t("sign.in")}</button>
      <${Refusal} text=${refusal} />
    </form></section>`;
}

function Forgotten() {
  const [name, set] = useState("");
  const [sent, setSent] = useState(false);
  const [run, busy, refusal] = useCommand(async () => {
    await send("POST", "/recovery", { name: name.trim() });
    setSent(true);
  });
  return html`<details class="card"><summary>${t("recovery.forgot")}</summary><p class="soft">${t("recovery.about")}</p>
    <form class="inline" onSubmit=${submit(run)}><${Field} label=${t("sign.name")}><input name="name" required
      maxlength="40" value=${name} onInput=${(/** @type {any} */ e) => set(e.target.value)} /><//>
      <button disabled=${busy}>${t("recovery.send")}</button><${Refusal} text=${refusal} /></form>
    ${sent && html`<p class="note" role="status">${t("recovery.sent")}</p>`}</details>`;
}
