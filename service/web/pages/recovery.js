// A forgotten password: ask for a link by mail, or choose a new password with it.
import { html, useEffect, useState } from "../lib.js";
import { send } from "../api.js";
import { lang, t } from "../i18n.js";
import { Field, Refusal, useCommand } from "../parts/ui.js";

/** @param {{args: string[]}} props */
export default function Recovery({ args: [token] }) {
  useEffect(() => void (document.title = `${t("recovery.title")} · Turnlog`), [lang()]);
  return html`<div class="page narrow"><section class="card"><h1>${t("recovery.title")}</h1>
    ${token ? html`<${Choose} token=${token} />` : html`<${Ask} />`}</section></div>`;
}

function Ask() {
  const [name, setName] = useState("");
  const [done, setDone] = useState(false);
  const [run, busy, refusal] = useCommand(async () => {
    await send("POST", "/recovery", { name });
    setDone(true);
  });
  if (done) return html`<p role="status">${t("recovery.asked")}</p>`;
  return html`<p class="soft">${t("recovery.about")}</p>
    <form onSubmit=${(/** @type {Event} */ event) => (event.preventDefault(), run())}>
      <${Field} label=${t("sign.name")}><input name="name" required maxlength="200" autocomplete="username" value=${name}
        onInput=${(/** @type {any} */ event) => setName(event.target.value)} /><//>
      <button class="main" disabled=${busy}>${t("recovery.ask")}</button>
      <${Refusal} text=${refusal} />
    </form>`;
}

/** @param {{token: string}} props */
function Choose({ token }) {
  const [password, setPassword] = useState("");
  const [done, setDone] = useState(false);
  const [run, busy, refusal] = useCommand(async () => {
    await send("POST", `/recovery/${token}`, { password });
    setDone(true);
  });
  if (done) return html`<p role="status">${t("recovery.done")}</p><p><a href="/sign-in">${t("nav.sign_in")}</a></p>`;
  return html`<form onSubmit=${(/** @type {Event} */ event) => (event.preventDefault(), run())}>
      <${Field} label=${t("recovery.password")}><input name="password" type="password" required minlength="8" maxlength="256"
        autocomplete="new-password" value=${password} onInput=${(/** @type {any} */ event) => setPassword(event.target.value)} /><//>
      <button class="main" disabled=${busy}>${t("recovery.set")}</button>
      <${Refusal} text=${refusal} />
    </form>
    <p><a href="/recovery">${t("recovery.again")}</a></p>`;
}
