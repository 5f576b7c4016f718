// Above every page: that there is no line, and what became of an action that was chosen without one.
import { html } from "../lib.js";
import { t } from "../i18n.js";
import { dismissKept, useShared } from "../store.js";

export function Line() {
  const { offline, kept } = useShared();
  return html`${offline && html`<p class="no-line" role="status">${t("line.offline")}</p>`}
    ${kept.map((one) => html`<p class="no-line" role="alert" key=${one.match}>${t(one.moved ? "queue.moved"
      : "queue.sent")}${" "}
      <a href=${`/matches/${one.match}`}>${t("queue.look")}</a> <button class="small" onClick=${() =>
        dismissKept(one.match)}>${t("queue.dismiss")}</button></p>`)}`;
}
