// A new table: which game, who sits where, which options.
import { html, useEffect, useState } from "../lib.js";
import { send } from "../api.js";
import { keep, remember, t } from "../i18n.js";
import { useShared } from "../store.js";
import { go } from "../route.js";
import { Mark, Refusal, useCommand } from "../parts/ui.js";
import { Cover, Facts, HowTo } from "../parts/games.js";
import { GuestForm } from "../parts/guest.js";
import { Options } from "../parts/options.js";
import { ClockForm } from "../parts/clockform.js";
import { RemoteBot } from "../parts/remote.js";

const BEST = "greedy";

/** @param {any} game @param {number} count @param {any[]} old */
function seatsFor(game, count, old) {
  const bot = game.bots.includes(BEST) ? BEST : game.bots[0];
  const friends = new URLSearchParams(location.search).get("with") === "friends";
  const other = friends ? { kind: "invite" } : { kind: "bot", bot };
  return Array.from({ length: count }, (_, n) => old[n] || (n === 0 ? { kind: "me" } : other));
}

export default function NewMatch() {
  const { me, games } = useShared();
  useEffect(() => void (document.title = `${t("nav.new")} · Turnlog`), []);
  if (!me) return html`<div class="page narrow"><section
    class="card"><h1>${t("new.title")}</h1><p>${t("new.first_name")}</p><${GuestForm} /></section></div>`;
  if (!games.length) return html`<div class="page"><p>${t("failed")}</p></div>`;
  return html`<${Form} games=${games} />`;
}

/** @param {{games: any[]}} props */
function Form({ games }) {
  const asked = new URLSearchParams(location.search).get("game") || remember("game");
  const [key, setKey] = useState(games.some((one) => one.key === asked) ? String(asked) : games[0].key);
  const game = games.find((one) => one.key === key);
  const [seats, setSeats] = useState(/** @type {any[]} */ ([]));
  const [options, setOptions] = useState(/** @type {any} */ ({}));
  const [clock, setClock] = useState(/** @type {any} */ (null));
  const [more, setMore] = useState({ listed: true, shuffle: false });
  useEffect(() => {
    setSeats(seatsFor(game, Math.max(2, game.seats.min) > game.seats.max ? game.seats.max : Math.max(2, game.seats.min),
      []));
    setOptions({});
  }, [key]);
  const [run, busy, refusal] = useCommand(async () => {
    keep("game", key);
    const match = await send("POST", "/matches", { game: key, seats, options, clock, ...more });
    go(`/matches/${match.id}`);
  });
  /** @param {number} n @param {string} value */
  const seat = (n, value) => {
    const [kind, bot] = value === "remote" ? ["remote", ""] : value.split(":");
    // One account holds one seat: taking another gives the first one up.
    setSeats(seats.map((old, i) => (i === n ? (bot === undefined ? { kind } : { kind, bot }) : kind === "me"
      && old.kind === "me" ? { kind: "open" } : old)));
  };
  return html`<form class="page narrow" onSubmit=${(/** @type {Event} */ event) => (event.preventDefault(), run())}>
    <h1>${t("new.title")}</h1>
    <fieldset class="games"><legend>${t("new.game")}</legend>
      ${games.map((one) => html`<label class=${`choice ${one.key === key ? "on" : ""}`} key=${one.key}>
        <input type="radio" name="game" value=${one.key} checked=${one.key === key} onChange=${() => setKey(one.key)} />
        <${Cover} game=${one} /><span class="choice-text"><strong class="display">${one.name}</strong><${Facts}
          game=${one} /></span></label>`)}
    </fieldset>
    ${game.cover && html`<p>${game.cover.line}</p>`}
    <p class="row"><${HowTo} game=${game} />${game.guide && html`<a href=${`/rules/${key}`}
      aria-label=${`${t("guide.exact")}: ${game.name}`}>${t("guide.exact")}</a>`}</p>
    <fieldset><legend>${t("new.seats")}</legend>
      ${seats.map((one, n) => html`<div class="row seat-row" key=${n}>
        <${Mark} seat=${n} />
        <select aria-label=${t("seat.number", { n: n + 1 })} value=${one.kind === "bot" ? `bot:${one.bot}` : one.kind}
          onChange=${(/** @type {any} */ event) => seat(n, event.target.value)}>
          <option value="me">${t("kind.me")}</option>
          <option value="open">${t("kind.open")}</option>
          <option value="invite">${t("kind.invite")}</option>
          ${game.bots.map((/** @type {string} */ bot) => html`<option value=${`bot:${bot}`}>${game.bot_names[bot]
            || bot}</option>`)}
          <option value="remote">${t("kind.remote")}</option>
        </select>
        ${one.kind === "remote" && html`<${RemoteBot} game=${key} bot=${one.bot} label=${t("remote.which", { n: n
          + 1 })} change=${(/** @type {string} */ bot) => seat(n, `remote:${bot}`)} />`}
      </div>`)}
      <div class="row">
        ${seats.length < game.seats.max && html`<button type="button" onClick=${() => setSeats(seatsFor(game,
          seats.length + 1, seats))}>${t("new.more_seats")}</button>`}
        ${seats.length > game.seats.min && html`<button type="button" onClick=${() => setSeats(seats.slice(0,
          -1))}>${t("new.fewer_seats")}</button>`}
      </div>
    </fieldset>
    <${ClockForm} clock=${clock} change=${setClock} />
    <details><summary>${t("new.options")}</summary>
      <${Options} game=${game} options=${options} change=${setOptions} />
    </details>
    <label class="check"><input type="checkbox" checked=${more.listed} onChange=${() => setMore({ ...more,
      listed: !more.listed })} /> ${t("new.listed")}</label>
    <p class="soft listed-about">${t(more.listed ? "new.listed_on" : "new.listed_off")}</p>
    <label class="check"><input type="checkbox" checked=${more.shuffle} onChange=${() => setMore({ ...more,
      shuffle: !more.shuffle })} /> ${t("new.shuffle")}</label>
    <${Refusal} text=${refusal} />
    <button class="main big" disabled=${busy}>${t("new.open")}</button>
  </form>`;
}
