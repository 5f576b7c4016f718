// Finished matches, page by page: who played, who won.
import { html, useEffect, useState } from "../lib.js";
import { get } from "../api.js";
import { lang, t } from "../i18n.js";
import { Loading, Refusal, said } from "./ui.js";
import { Item } from "./item.js";

const PAGE = 20;

/** @param {{query: string}} props */
export function Matches({ query }) {
  const [found, set] = useState(/** @type {{items: any[], next: string | null} | null} */ (null));
  const [refusal, setRefusal] = useState("");
  /** @param {any[]} old @param {string | null} after */
  const look = (old, after) => get(`/matches?status=finished&limit=${PAGE}${query && "&" + query}${after
    ? `&after=${encodeURIComponent(after)}` : ""}`).then(
    (page) => set({ items: [...old, ...page.items], next: page.next }), (problem) => setRefusal(said(problem)));
  useEffect(() => {
    set(null);
    setRefusal("");
    look([], null);
  }, [query, lang()]);
  if (refusal) return html`<${Refusal} text=${refusal} />`;
  if (!found) return html`<${Loading} />`;
  return html`${found.items.length === 0 && !found.next && html`<p class="soft">${t("archive.none")}</p>`}
    <ul class="matches">${found.items.map((match) => html`<${Item} key=${match.id} match=${match} />`)}</ul>
    ${found.next && html`<p><button onClick=${() => look(found.items, found.next)}>${t("archive.more")}</button></p>`}`;
}
