// The mailed link: choose a new password.
import { html, useEffect, useState } from "../lib.js";
import { send } from "../api.js";
import { t } from "../i18n.js";
import { Field, KeepTokens, Refusal, submit, useCommand } from "../parts/ui.js";

/** @param {{args: string[]}} props */
export default function Recovery({ args: [token] }) {
  const [password, set] = useState("");
  const [done, setDone] = useState(false);
  const [keep, setKeep] = useState(false);
  useEffect(() => void (document.title = `${t("recovery.title")} · Turnlog`), []);
  const [run, busy, refusal] = useCommand(async () => {
    await send("POST", `/recovery/${token}`, { password, tokens: keep ? "keep" : "end" });
    setDone(true);
  });
  return html`<div class="page narrow"><section class="card"><h1>${t("recovery.title")}</h1>
    ${done ? html`<p class="note good" role="status">${t("recovery.done")}</p><p><a class="button main"
      href="/sign-in">${t("nav.sign_in")}</a></p>`
      : html`<form onSubmit=${submit(run)}><${Field} label=${t("claim.password")}><input type="password" name="password"
        minlength="8" required autocomplete="new-password"
          value=${password} onInput=${(/** @type {any} */ e) => set(e.target.value)} /><//>
        <${KeepTokens} keep=${keep} set=${setKeep} />
        <button class="main" disabled=${busy}>${t("claim.do")}</button><${Refusal}
          text=${refusal} /></form>`}</section></div>`;
}
