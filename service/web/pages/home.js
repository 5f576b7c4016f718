// Who waits for me, the games as pictures, and tables with a free seat.
import { html, useEffect, useState } from "../lib.js";
import { get } from "../api.js";
import { lang, t } from "../i18n.js";
import { called } from "../calls.js";
import { shared, useShared } from "../store.js";
import { Failed, Loading, said } from "../parts/ui.js";
import { Item } from "../parts/item.js";
import { Gallery } from "../parts/games.js";
import { Keeping } from "../parts/naming.js";

const EVERY_MS = 15_000;

/** Without a line, other people's tables are not there; mine are. @param {any} problem */
function noneOffline(problem) {
  if (shared().offline) return { items: [] };
  throw problem;
}

/** Asks now and then, as long as somebody looks. @param {any} me */
function useLists(me) {
  const [lists, set] = useState(/** @type {any} */ (null));
  const [problem, setProblem] = useState("");
  const look = async () => {
    try {
      const [open, turns, mine, running] = await Promise.all([
        get("/matches?status=open&limit=30").catch(noneOffline),
        me ? get("/me/turns") : { items: [] },
        me ? get("/matches?mine=true&limit=30").catch(noneOffline) : { items: [] },
        get("/matches?status=running&limit=10").catch(noneOffline),
      ]);
      called(turns.items.length);
      set({ open: open.items, turns: turns.items, mine: mine.items, running: running.items });
      setProblem("");
    } catch (refused) {
      setProblem(said(refused));
    }
  };
  useEffect(() => {
    look();
    const timer = setInterval(() => document.hidden || look(), EVERY_MS);
    return () => clearInterval(timer);
  }, [me?.id]);
  return { lists, problem, look };
}

export default function Home() {
  const { me, games } = useShared();
  const { lists, problem, look } = useLists(me);
  useEffect(() => void (document.title = "Turnlog"), [lang()]);
  const finished = me?.guest && lists?.mine.some((/** @type {any} */ match) => match.status === "finished");
  return html`<div class="page wide">
    ${me ? html`<h1>${t("home.hello", { name: me.name })}</h1>` : html`<${Welcome} />`}
    ${problem && html`<${Failed} message=${problem} again=${look} />`}
    ${me && (lists ? html`<${Waiting} turns=${lists.turns} />` : html`<${Loading} />`)}
    ${finished && html`<${Keeping} />`}
    <h2>${t("home.games")}</h2>
    <${Gallery} games=${games} />
    ${lists && html`<${Lists} me=${me} lists=${lists} />`}
  </div>`;
}

const Welcome = () => html`<section class="welcome">
  <h1>${t("home.title")}</h1>
  <p>${t("home.about")}</p>
  <p class="soft">${t("home.or")} <a href="/sign-in">${t("home.sign_in")}</a></p>
</section>`;

/** Tables that wait for me come before everything else. @param {{turns: any[]}} props */
function Waiting({ turns }) {
  if (!turns.length) return html`<p class="soft">${t("home.no_turns")}</p>`;
  return html`<section class="card waits"><h2>${t("home.waiting", { n: turns.length })}</h2>
    <ul class="matches">${turns.map((turn) => html`<${Item} key=${turn.match.id} match=${{ ...turn.match,
      deadline: turn.deadline, turn: true }} />`)}</ul></section>`;
}

/** @param {{me: any, lists: any}} props */
function Lists({ me, lists }) {
  const turns = new Set(lists.turns.map((/** @type {any} */ turn) => turn.match.id));
  const others = lists.mine.filter((/** @type {any} */ match) => !turns.has(match.id));
  const mine = new Set(lists.mine.map((/** @type {any} */ match) => match.id));
  // A seat that is kept for somebody with a link is not free for whoever looks at this list.
  const open = lists.open.filter((/** @type {any} */ match) => !mine.has(match.id)
    && match.seats.some((/** @type {any} */ seat) => seat.kind === "open"));
  const running = lists.running.filter((/** @type {any} */ match) => !mine.has(match.id));
  return html`
    ${me && others.length > 0 && html`<${Section} title=${t("home.mine")} items=${others} />`}
    ${me && html`<p class="row"><a class="button"
      href=${`/players/${encodeURIComponent(me.name)}`}>${t("player.own")}</a> <a class="button"
        href="/archive">${t("archive.title")}</a></p>`}
    <${Section} title=${t("home.lobby")} empty=${t("home.no_tables")} items=${open} />
    ${running.length > 0 && html`<${Section} title=${t("home.watch")} items=${running} />`}`;
}

/** @param {{title: string, items: any[], empty?: string}} props */
const Section = ({ title, items, empty }) => html`<section>
  <h2>${title}</h2>
  ${items.length === 0 ? html`<p class="soft">${empty}</p>`
    : html`<ul class="matches">${items.map((match) => html`<${Item} key=${match.id} match=${match} />`)}</ul>`}
</section>`;
