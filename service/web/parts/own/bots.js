// My remote bots: how they fare, who may seat them, and the secrets that they are given once.
import { html, useState } from "../../lib.js";
import { get, send } from "../../api.js";
import { ago, t } from "../../i18n.js";
import { gameName, shared } from "../../store.js";
import { Copy, Field, Refusal, submit, useCommand } from "../ui.js";

const DELIVERIES = ["stream", "poll", "webhook"];
const SEATING = ["anybody", "listed", "me"];

export function Bots() {
  const [bots, set] = useState(/** @type {any[] | null} */ (null));
  const [absent, setAbsent] = useState(false);
  const [look, , refusal] = useCommand(async () => {
    try {
      set((await get("/bots?mine=1")).items);
    } catch (problem) {
      if (/** @type {any} */ (problem).status !== 404) throw problem;
      setAbsent(true); // a house without remote bots
    }
  });
  if (absent) return null;
  return html`<section class="card" id="bots"><details onToggle=${(/** @type {any} */ e) => e.target.open
    && e.target === e.currentTarget && bots === null && look()}>
    <summary><h2>${t("section.bots")}</h2></summary><p class="soft">${t("bots.about")}</p>
    ${bots && html`<ul class="plain">${bots.map((bot) => html`<${Bot} key=${bot.name} bot=${bot}
      look=${look} />`)}</ul><${NewBot} look=${look} />`}
    <${Refusal} text=${refusal} /></details></section>`;
}

/** @param {{bot: any, look: () => Promise<void>}} props */
function Bot({ bot, look }) {
  const [shown, set] = useState("");
  const path = `/bots/${encodeURIComponent(bot.name)}`;
  const [change, busy, refusal] = useCommand(async (/** @type {any} */ change) => {
    const answer = await send("PATCH", path, change);
    set(answer?.token || answer?.secret || "");
    await look();
  });
  const [remove, , kept] = useCommand(async () => {
    if (!confirm(t("bots.remove_sure", { name: bot.name }))) return;
    await send("DELETE", path);
    await look();
  });
  const { health } = bot;
  return html`<li class="channel"><div><strong>${bot.name}</strong> <span class=${`chip ${["well",
    "fresh"].includes(health.state) ? "good" : "bad"}`}>${t("health." + health.state)}</span>
      ${!bot.enabled && html`<span class="chip bad">${t("bots.off")}</span>`}</div>
    <p class="soft">${bot.games.map(gameName).join(", ")} · ${bot.delivery.kind}${bot.delivery.url
      ? ` ${bot.delivery.url}` : ""} · ${t("bots.capacity_is", { n: bot.capacity })} · ${t("seating."
        + bot.seating.who)}${bot.seating.accounts.length ? `: ${bot.seating.accounts.join(", ")}` : ""}</p>
    <p>${health.last_seen ? t("bots.seen", { time: ago(health.last_seen) }) : t("bots.never")} ${t("bots.figures",
      { answered: health.answered, failures: health.failures, open: health.open_turns })}
      ${health.median_answer !== null && html` ${t("bots.median", { seconds: Math.round(health.median_answer
        * 100) / 100 })}`}</p>
    ${health.last_failure && html`<p class="bad">${failure(health.last_failure)}</p>`}
    <div class="row"><button class="small" disabled=${busy} onClick=${() =>
      change({ enabled: !bot.enabled })}>${t(bot.enabled ? "bots.disable" : "bots.enable")}</button>
      <button class="small" disabled=${busy} onClick=${() =>
        change({ rotate: "token" })}>${t("bots.rotate_token")}</button>
      ${bot.delivery.kind === "webhook" && html`<button class="small" disabled=${busy} onClick=${() =>
        change({ rotate: "secret" })}>${t("bots.rotate_secret")}</button>`}
      <button class="small danger" onClick=${() => remove()}>${t("channels.remove")}</button></div>
    ${shown && html`<div class="note" role="status"><p>${t("tokens.once")}</p><${Copy} text=${shown}
      label=${t("bots.token")} /></div>`}
    <${Refusal} text=${refusal || kept} /></li>`;
}

/** @param {{at: string, reason: string}} last */
const failure = (last) => `${ago(last.at)}: ${last.reason}`;

/** @param {{look: () => Promise<void>}} props */
function NewBot({ look }) {
  const all = shared().games.map((game) => game.key);
  const [given, set] = useState({ name: "", kind: "stream", url: "", capacity: 4, games: all, who: "anybody",
    names: "" });
  const [made, setMade] = useState(/** @type {any} */ (null));
  const [make, busy, refusal] = useCommand(async () => {
    const delivery = given.kind === "webhook" ? { kind: given.kind, url: given.url } : { kind: given.kind };
    const accounts = given.who === "listed" ? given.names.split(",").map((one) => one.trim()).filter(Boolean) : [];
    setMade(await send("POST", "/bots", { name: given.name.trim(), games: given.games, delivery,
      capacity: Number(given.capacity), seating: { who: given.who, accounts } }));
    set({ ...given, name: "" });
    await look();
  });
  /** @param {any} event */
  const typed = (event) => set({ ...given, [event.target.name]: event.target.value });
  /** @param {string} key */
  const toggle = (key) => set({ ...given, games: all.filter((one) => (one === key) !== given.games.includes(one)) });
  return html`<form onSubmit=${submit(make)}><h3>${t("bots.new")}</h3>
    <${Field} label=${t("bots.name")}><input name="name" required maxlength="40" value=${given.name}
      onInput=${typed} /><//>
    <fieldset class="flat"><legend>${t("bots.games")}</legend>${all.map((key) => html`<label class="check"
      key=${key}><input type="checkbox" checked=${given.games.includes(key)} onChange=${() =>
        toggle(key)} /> ${gameName(key)}</label>`)}</fieldset>
    <${Field} label=${t("bots.delivery")}><select name="kind" value=${given.kind}
      onChange=${typed}>${DELIVERIES.map((kind) => html`<option value=${kind}>${t("delivery."
        + kind)}</option>`)}</select><//>
    ${given.kind === "webhook" && html`<${Field} label=${t("channel_field.url")}><input name="url" type="url" required
      value=${given.url} onInput=${typed} /><//>`}
    <${Field} label=${t("bots.capacity")}><input name="capacity" type="number" min="1" max="100" required
      value=${given.capacity} onInput=${typed} /><//>
    <${Field} label=${t("bots.seating")}><select name="who" value=${given.who} onChange=${typed}>${SEATING.map((who) =>
      html`<option value=${who}>${t("seating." + who)}</option>`)}</select><//>
    ${given.who === "listed" && html`<${Field} label=${t("bots.names")}><input name="names" required
      value=${given.names} onInput=${typed} /><//>`}
    <button disabled=${busy || !given.games.length}>${t("bots.make")}</button><${Refusal} text=${refusal} />
    ${made && html`<div class="note" role="status"><p>${t("tokens.once")}</p><${Copy} text=${made.token}
      label=${t("bots.token")} />
      ${made.secret && html`<${Copy} text=${made.secret} label=${t("channels.secret_label")} />`}</div>`}</form>`;
}
