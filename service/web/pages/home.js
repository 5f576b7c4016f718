// My turns, my matches, and tables with a free seat.
import { html, useEffect, useState } from "../lib.js";
import { get } from "../api.js";
import { t, when } from "../i18n.js";
import { gameName, useShared } from "../store.js";
import { Failed, Loading, Mark, said } from "../parts/ui.js";
import { GuestForm } from "../parts/guest.js";
import { Deadline } from "../parts/clock.js";

const EVERY_MS = 15_000;

/** Asks now and then, as long as somebody looks. @param {any} me */
function useLists(me) {
  const [lists, set] = useState(/** @type {any} */ (null));
  const [problem, setProblem] = useState("");
  const look = async () => {
    try {
      const [open, turns, mine, running] = await Promise.all([
        get("/matches?status=open&limit=30"),
        me ? get("/me/turns") : { items: [] },
        me ? get("/matches?mine=true&limit=30") : { items: [] },
        get("/matches?status=running&limit=10"),
      ]);
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
  const { me } = useShared();
  const { lists, problem, look } = useLists(me);
  useEffect(() => void (document.title = "Turnlog"), []);
  return html`<div class="page">
    ${me ? html`<div class="row spread"><h1>${t("home.hello", { name: me.name })}</h1>
        <a class="button main" href="/new">${t("home.new")}</a></div>` : html`<${Welcome} />`}
    ${problem && html`<${Failed} message=${problem} again=${look} />`}
    ${!lists ? html`<${Loading} />` : html`<${Lists} me=${me} lists=${lists} />`}
  </div>`;
}

const Welcome = () => html`<section class="card hero">
  <h1>${t("home.title")}</h1>
  <p>${t("home.about")}</p>
  <${GuestForm} />
  <p class="soft">${t("home.or")} <a href="/sign-in">${t("home.sign_in")}</a></p>
</section>`;

/** @param {{me: any, lists: any}} props */
function Lists({ me, lists }) {
  const turns = new Set(lists.turns.map((/** @type {any} */ turn) => turn.match.id));
  const others = lists.mine.filter((/** @type {any} */ match) => !turns.has(match.id));
  const mine = new Set(lists.mine.map((/** @type {any} */ match) => match.id));
  // A seat that is kept for somebody with a link is not free for whoever looks at this list.
  const open = lists.open.filter((/** @type {any} */ match) => !mine.has(match.id) && match.seats.some((/** @type {any} */ seat) => seat.kind === "open"));
  const running = lists.running.filter((/** @type {any} */ match) => !mine.has(match.id));
  return html`
    ${me && html`<${Section} title=${t("home.turns")} empty=${t("home.no_turns")} urgent=${true}
      items=${lists.turns.map((/** @type {any} */ turn) => ({ ...turn.match, deadline: turn.deadline, turn: true }))} />`}
    ${me && others.length > 0 && html`<${Section} title=${t("home.mine")} items=${others} />`}
    <${Section} title=${t("home.lobby")} empty=${t("home.no_tables")} items=${open} />
    ${running.length > 0 && html`<${Section} title=${t("home.watch")} items=${running} />`}`;
}

/** @param {{title: string, items: any[], empty?: string, urgent?: boolean}} props */
const Section = ({ title, items, empty, urgent }) => html`<section>
  <h2>${title} ${urgent && items.length > 0 && html`<span class="count">${items.length}</span>`}</h2>
  ${items.length === 0 ? html`<p class="soft">${empty}</p>`
    : html`<ul class="matches">${items.map((match) => html`<${Item} key=${match.id} match=${match} />`)}</ul>`}
</section>`;

/** @param {{match: any}} props */
const Item = ({ match }) => html`<li>
  <a class=${`match ${match.turn ? "urgent" : ""}`} href=${`/matches/${match.id}`}>
    <strong>${gameName(match.game)}</strong>
    <span class="who">${match.seats.map((/** @type {any} */ seat) => html`<span class="nowrap"><${Mark} seat=${seat.seat} size=${12} />
      ${seatName(seat)}</span>`)}</span>
    ${match.deadline ? html`<${Deadline} at=${match.deadline} />`
      : html`<span class="soft nowrap">${match.turn ? t("status.your_turn") : t("status." + match.status)} · ${when(match.updated)}</span>`}
  </a>
</li>`;

/** @param {any} seat */
const seatName = (seat) => (["open", "invite"].includes(seat.kind) ? t("seat.free") : seat.name);
