// A name is enough to play; a password may come later.
import { html, useState } from "../lib.js";
import { get, send } from "../api.js";
import { lang, t } from "../i18n.js";
import { signedIn } from "../store.js";
import { Field, Refusal, useCommand } from "./ui.js";

/** @param {{then?: () => void}} props */
export function GuestForm({ then }) {
  const [name, setName] = useState("");
  const [run, busy, refusal] = useCommand(async () => {
    const tz = Intl.DateTimeFormat().resolvedOptions().timeZone;
    await send("POST", "/accounts", { name: name.trim(), locale: lang(), tz, session: true });
    await signedIn(await get("/me"));
    then?.();
  });
  return html`<form class="inline" onSubmit=${(/** @type {Event} */ event) => (event.preventDefault(), run())}>
    <${Field} label=${t("guest.name")}>
      <input name="name" required maxlength="40" autocomplete="nickname" value=${name}
        onInput=${(/** @type {any} */ event) => setName(event.target.value)} />
    <//>
    <button class="main" disabled=${busy}>${t("guest.play")}</button>
    <${Refusal} text=${refusal} />
  </form>`;
}
