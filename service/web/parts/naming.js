// A guest who began without a name is asked for one after the first move; never in the way, never twice.
import { html, useEffect, useState } from "../lib.js";
import { send } from "../api.js";
import { keep, remember, t } from "../i18n.js";
import { update, useShared } from "../store.js";
import { Field, Refusal, submit, useCommand } from "./ui.js";

export function Naming() {
  const { me } = useShared();
  const [asking, ask] = useState(false);
  const [name, setName] = useState("");
  useEffect(() => {
    const acted = () => remember("unnamed") === "on" && ask(true);
    window.addEventListener("turnlog:acted", acted);
    return () => window.removeEventListener("turnlog:acted", acted);
  }, []);
  const done = () => {
    keep("unnamed", null);
    ask(false);
  };
  const [run, busy, refusal] = useCommand(async () => {
    update({ me: await send("POST", "/me/name", { name: name.trim() }) });
    done();
  });
  if (!me?.guest || !asking) return null;
  return html`<form class="naming card" role="dialog" aria-label=${t("naming.title")} onSubmit=${submit(run)}>
    <h2>${t("naming.title")}</h2><p class="soft">${t("naming.about", { name: me.name })}</p>
    <div class="inline"><${Field} label=${t("guest.name")}><input name="name" required maxlength="40"
      autocomplete="nickname" value=${name}
        onInput=${(/** @type {any} */ event) => setName(event.target.value)} /><//>
      <button class="main" disabled=${busy}>${t("naming.keep")}</button>
      <button type="button" class="quiet" onClick=${done}>${t("naming.later")}</button>
      <${Refusal} text=${refusal} /></div></form>`;
}

/** How not to lose the name, once there is something to lose. */
export const Keeping = () => html`<section
  class="card keeping"><h2>${t("keeping.title")}</h2><p>${t("keeping.about")}</p>
  <p><a class="button main" href="/settings#account">${t("keeping.do")}</a></p></section>`;
