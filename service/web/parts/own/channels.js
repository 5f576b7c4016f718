// Where notices go: each channel with its state, why it was turned off, and a button that tries it.
import { html, useState } from "../../lib.js";
import { send } from "../../api.js";
import { t } from "../../i18n.js";
import { Copy, Field, Refusal, submit, useAnswer, useCommand } from "../ui.js";
import { Push } from "./push.js";

/** What each kind asks for; a browser is asked by the button above instead. @type {Record<string, string[]>} */
const KINDS = {
  email: ["address"], webhook: ["url"], ntfy: ["url", "token"], discord: ["url"], slack: ["url"],
  telegram: ["token", "chat"], matrix: ["url", "room", "token"],
};
const OPTIONAL = ["ntfy.token"];

export function Channels() {
  const [answer, look, refusal] = useAnswer("/me/channels");
  const [editing, edit] = useState(/** @type {any} */ (null));
  if (refusal) return html`<section class="card"><h2>${t("channels.title")}</h2><${Refusal}
    text=${refusal} /></section>`;
  if (!answer) return null;
  const kinds = Object.keys(KINDS).filter((kind) => kind !== "email" || answer.mail);
  return html`<section class="card" id="channels"><h2>${t("channels.title")}</h2>
    ${!answer.items.length && html`<p class="soft">${t("channels.none")}</p>`}
    <ul class="plain channels">${answer.items.map((/** @type {any} */ one) => html`<${Channel} key=${one.name}
      channel=${one} look=${look} edit=${edit} />`)}</ul>
    <${Push} channels=${answer.items} pushKey=${answer.push_key} look=${look} />
    <${Form} key=${editing?.name || ""} kinds=${kinds} old=${editing}
      taken=${answer.items.map((/** @type {any} */ one) => one.name)} done=${() => (edit(null), look())} />
    ${!answer.mail && html`<p class="soft">${t("channels.no_mail")}</p>`}</section>`;
}

/** @param {any} channel */
const state = (channel) => (!channel.confirmed ? "unconfirmed" : channel.enabled ? "on" : "off");

/** Where it leads, without what is long and says nothing. @param {any} channel */
const target = (channel) => (channel.kind === "webpush" ? new URL(channel.to).host : channel.to);

/** @param {{channel: any, look: () => Promise<void>, edit: (channel: any) => void}} props */
function Channel({ channel, look, edit }) {
  const [tried, set] = useState("");
  const path = `/me/channels/${channel.name}`;
  const [test, testing, failed] = useCommand(async () => {
    set("");
    const now = await send("POST", `${path}/test`).finally(look);
    set(t(now.confirmed ? "channels.sent" : "channels.sent_confirm"));
  });
  const [remove, removing, kept] = useCommand(async () => {
    if (!confirm(t("channels.remove_sure", { name: channel.name }))) return;
    await send("DELETE", path);
    await look();
  });
  return html`<li class="channel"><div><strong>${t("channel." + channel.kind)}</strong> <span
    class="chip">${channel.name}</span>
      <span class=${`chip ${state(channel) === "on" ? "good" : "bad"}`}>${t("channels." + state(channel))}</span></div>
    <p class="soft break">${target(channel)}</p>
    ${channel.reason && html`<p class="bad">${t("channels.why", { reason: channel.reason })}</p>`}
    <div class="row"><button class="small" disabled=${testing} onClick=${() => test()}>${t(testing ? "channels.testing"
      : channel.confirmed ? "channels.test" : "channels.again")}</button>
      ${channel.kind in KINDS && html`<button class="small" onClick=${() =>
        edit(channel)}>${t("channels.change")}</button>`}
      <button class="small danger" disabled=${removing} onClick=${() => remove()}>${t("channels.remove")}</button></div>
    ${tried && html`<p class="note good" role="status">${tried}</p>`}<${Refusal} text=${failed || kept} /></li>`;
}

/**
 * A new channel, or another address for an old one.
 * @param {{kinds: string[], old: any, taken: string[], done: () => void}} props
 */
function Form({ kinds, old, taken, done }) {
  const [kind, setKind] = useState(old?.kind || kinds[0]);
  const [given, set] = useState(/** @type {Record<string, string>} */ ({}));
  const [secret, setSecret] = useState("");
  /** Its own name unless one is given: the kind, counted. */
  const free = () => [kind, ...taken.map((_, n) => `${kind}-${n + 2}`)].find((name) => !taken.includes(name)) || kind;
  const [put, busy, refusal] = useCommand(async () => {
    const body = Object.fromEntries(KINDS[kind].filter((field) => given[field]).map((field) => [field,
      given[field].trim()]));
    const made = await send("PUT", `/me/channels/${old?.name || given.name?.trim() || free()}`, { kind, ...body });
    setSecret(made.secret || "");
    set({});
    if (!made.secret || !old) done();
  });
  /** @param {any} event */
  const typed = (event) => set({ ...given, [event.target.name]: event.target.value });
  return html`<details class="add" open=${Boolean(old) || Boolean(secret)}><summary>${old ? t("channels.changing",
    { name: old.name }) : t("channels.add")}</summary>
    <form onSubmit=${submit(put)}>
      <${Field} label=${t("channels.kind")}><select value=${kind} onChange=${(/** @type {any} */ e) =>
        setKind(e.target.value)}>
        ${kinds.map((one) => html`<option value=${one}>${t("channel." + one)}</option>`)}</select><//>
      <p class="soft">${t("channel_about." + kind)}</p>
      ${KINDS[kind].map((field) => html`<${Field} key=${field} label=${t("channel_field." + field)}><input name=${field}
        value=${given[field] || ""} onInput=${typed}
        required=${!OPTIONAL.includes(`${kind}.${field}`)} type=${{ address: "email", url: "url" }[field] || "text"}
          autocomplete="off" /><//>`)}
      ${!old && html`<${Field} label=${t("channels.name")}><input name="name" pattern="[a-z0-9][a-z0-9\\-]*"
        maxlength="32" placeholder=${free()} value=${given.name || ""} onInput=${typed} /><//>`}
      <div class="row"><button class="main" disabled=${busy}>${t(old ? "settings.save" : "channels.add_do")}</button>
        ${old && html`<button type="button" onClick=${done}>${t("act.cancel")}</button>`}</div>
      <${Refusal} text=${refusal} /></form>
    ${secret && html`<div class="note" role="status"><p>${t("channels.secret")}</p><${Copy} text=${secret}
      label=${t("channels.secret_label")} /></div>`}</details>`;
}
