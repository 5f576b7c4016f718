// What is one's own, section by section; each part looks after itself.
import { html, useEffect } from "../lib.js";
import { LANGS, lang, t } from "../i18n.js";
import { switchAsk, switchLanguage, switchTextMode, switchTheme, useShared } from "../store.js";
import { Field } from "../parts/ui.js";
import { Times } from "../parts/own/times.js";
import { Notices } from "../parts/own/notices.js";
import { Channels } from "../parts/own/channels.js";
import { Account } from "../parts/own/account.js";
import { Tokens } from "../parts/own/tokens.js";
import { Bots } from "../parts/own/bots.js";
import { Blocks, Data } from "../parts/own/data.js";

const SECTIONS = ["page", "times", "notices", "account", "tokens", "bots", "blocks", "data"];

export default function Settings() {
  const { me } = useShared();
  useEffect(() => void (document.title = `${t("settings.title")} · Turnlog`), [lang()]);
  return html`<div class="page narrow settings"><h1>${t("settings.title")}</h1>
    ${me && html`<nav class="row jumps" aria-label=${t("settings.sections")}>${SECTIONS.map((name) => html`<a
      key=${name} href=${"#" + name}>${t("section." + name)}</a>`)}</nav>`}
    <${Browser} />
    ${me
      ? html`<${Times} me=${me} key=${me.id} /><${Notices} me=${me} /><${Channels} /><${Account} me=${me} />
          <${Tokens} /><${Bots} /><${Blocks} /><${Data} me=${me} />`
      : html`<p><a href="/sign-in?back=/settings">${t("nav.sign_in")}</a></p>`}
  </div>`;
}

function Browser() {
  const { theme, ask, textMode } = useShared();
  return html`<section class="card" id="page"><h2>${t("section.page")}</h2>
    <${Field} label=${t("settings.language")}><select value=${lang()} onChange=${(/** @type {any} */ e) =>
      switchLanguage(e.target.value)}>
      ${LANGS.map((tag) => html`<option value=${tag}>${t("lang." + tag)}</option>`)}</select><//>
    <${Field} label=${t("settings.theme")}><select value=${theme} onChange=${(/** @type {any} */ e) =>
      switchTheme(e.target.value)}>
      ${["auto", "light", "dark"].map((one) => html`<option value=${one}>${t("theme." + one)}</option>`)}</select><//>
    <label class="check"><input type="checkbox" checked=${ask} onChange=${() =>
      switchAsk(!ask)} /> ${t("settings.ask")}</label>
    <label class="check"><input type="checkbox" checked=${textMode} onChange=${() =>
      switchTextMode(!textMode)} /> ${t("settings.text")}</label>
  </section>`;
}
