// Notices by this very browser, also while the page is closed.
import { html, useEffect, useState } from "../../lib.js";
import { newKey, send } from "../../api.js";
import { t } from "../../i18n.js";
import { play } from "../../sound.js";
import { switchSound, useShared } from "../../store.js";
import { Refusal, useCommand } from "../ui.js";

const WORKER = "/sw.js";

/** Only a safe connection (https, or this machine) has these. */
const possible = () => "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

/** The subscription of this browser, if it has one. */
async function existing() {
  const registration = await navigator.serviceWorker.getRegistration(WORKER);
  return (await registration?.pushManager.getSubscription()) || null;
}

/** @param {string} key the server's, so that nobody else can send here */
async function subscribe(key) {
  if ((await Notification.requestPermission()) !== "granted") throw new Error(t("push.denied"));
  await navigator.serviceWorker.register(WORKER);
  const registration = await navigator.serviceWorker.ready;
  try {
    return await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  } catch (problem) {
    throw new Error(t("push.failed", { why: /** @type {Error} */ (problem).message }));
  }
}

/** @param {{channels: any[], pushKey: string, look: () => Promise<void>}} props */
export function Push({ channels, pushKey, look }) {
  const { sound } = useShared();
  const [here, set] = useState(/** @type {string | null} */ (null));
  useEffect(() => {
    if (possible()) existing().then((found) => set(found?.endpoint || null), () => set(null));
  }, [channels]);
  const known = channels.find((channel) => channel.kind === "webpush" && channel.to === here);
  const [turnOn, busy, refusal] = useCommand(async () => {
    const { endpoint, keys } = (await subscribe(pushKey)).toJSON();
    await send("PUT", `/me/channels/browser-${newKey().slice(0, 6)}`, { kind: "webpush", subscription: { endpoint,
      keys } });
    set(endpoint || null);
    await look();
  });
  const [turnOff, , kept] = useCommand(async () => {
    await (await existing())?.unsubscribe();
    await send("DELETE", `/me/channels/${known.name}`);
    set(null);
    await look();
  });
  return html`<div class="push"><h3>${t("push.title")}</h3>
    ${!possible() ? html`<p class="soft">${t("push.impossible")}</p>`
      : known ? html`<p class="row"><span class="chip good">${t("push.on")}</span> <button class="small" onClick=${() =>
        turnOff()}>${t("push.stop")}</button></p>`
      : html`<p class="soft">${t("push.about")}</p><button disabled=${busy} onClick=${() =>
        turnOn()}>${t("push.start")}</button>`}
    <label class="check"><input type="checkbox" checked=${sound} onChange=${() => (switchSound(!sound), sound
      || play("turn", true))} /> ${t("sound.wanted")}</label>
    <${Refusal} text=${refusal || kept} /></div>`;
}
