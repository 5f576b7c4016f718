// Whom one does not want at one's tables, and one's own data: to take along, or to delete.
import { html, useState } from "../../lib.js";
import { send } from "../../api.js";
import { t } from "../../i18n.js";
import { signedOut } from "../../store.js";
import { go } from "../../route.js";
import { Field, Refusal, submit, useAnswer, useCommand } from "../ui.js";

export function Blocks() {
  const [answer, look, unread] = useAnswer("/me/blocks");
  const [name, set] = useState("");
  const [block, busy, refusal] = useCommand(async () => {
    await send("POST", "/me/blocks", { name: name.trim() });
    set("");
    await look();
  });
  const [unblock, , kept] = useCommand(async (/** @type {string} */ id) => {
    await send("DELETE", `/me/blocks/${id}`);
    await look();
  });
  return html`<section class="card" id="blocks"><h2>${t("section.blocks")}</h2><p class="soft">${t("blocks.about")}</p>
    <ul class="plain">${(answer?.items || []).map((/** @type {any} */ one) => html`<li class="row spread"
      key=${one.id}><span>${one.name || t("blocks.gone")}</span>
      <button class="small" onClick=${() => unblock(one.id)}>${t("blocks.remove")}</button></li>`)}</ul>
    <form class="inline" onSubmit=${submit(block)}><${Field} label=${t("blocks.name")}><input name="name" required
      maxlength="40" value=${name} onInput=${(/** @type {any} */ e) => set(e.target.value)} /><//>
      <button disabled=${busy}>${t("blocks.add")}</button><${Refusal} text=${refusal || kept
        || unread} /></form></section>`;
}

/** @param {{me: any}} props */
export function Data({ me }) {
  const [typed, set] = useState("");
  const [password, setPassword] = useState("");
  const [remove, busy, refusal] = useCommand(async () => {
    await send("DELETE", "/me", me.guest ? { confirm: typed } : { confirm: typed, password });
    await signedOut();
    go("/");
  });
  return html`<section class="card" id="data"><h2>${t("section.data")}</h2><p class="soft">${t("data.about")}</p>
    <p><a class="button" href="/api/me/export" download="turnlog.json">${t("data.export")}</a></p>
    <details><summary>${t("data.delete")}</summary><p>${t("data.delete_about")}</p>
      <form class="inline" onSubmit=${submit(remove)}><${Field} label=${t("data.confirm", { name: me.name })}><input
        name="confirm" required autocomplete="off" value=${typed} onInput=${(/** @type {any} */ e) =>
          set(e.target.value)} /><//>
        ${!me.guest && html`<${Field} label=${t("data.password")}><input type="password" name="password" required
          autocomplete="current-password" value=${password} onInput=${(/** @type {any} */ e) =>
            setPassword(e.target.value)} /><//>`}
        <button class="danger" disabled=${busy || typed !== me.name}>${t("data.delete_do")}</button><${Refusal}
          text=${refusal} /></form></details></section>`;
}
