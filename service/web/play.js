// From nothing to a first move: a stranger becomes a guest without being asked anything; the name comes later.
import { Problem, get, send } from "./api.js";
import { keep, lang, t } from "./i18n.js";
import { shared, signedIn } from "./store.js";
import { go } from "./route.js";
import { guideFrom, known } from "./lessons.js";

const TRIES = 5;
const BOT = "greedy";

/** A guest with a name that nobody chose; it is asked for after the first move. */
async function becomeGuest() {
  const tz = Intl.DateTimeFormat().resolvedOptions().timeZone;
  for (let tried = 1; ; tried++) {
    const number = 1000 + Math.floor(Math.random() * 9000 * 10 ** tried);
    try {
      await send("POST", "/accounts", { name: t("guest.nameless", { n: number }), locale: lang(), tz, session: true });
      break;
    } catch (problem) {
      if (!(problem instanceof Problem) || problem.code !== "name_taken" || tried === TRIES) throw problem;
    }
  }
  keep("unnamed", "on");
  await signedIn(await get("/me"));
}

/** One tap: a table against a bot, and there; whoever is new to the game here is guided. @param {any} game */
export const playNow = (game) => open(game, game.guide && !known(game.key));

/** The same with a guide, also for who has played before. @param {any} game */
export const learn = (game) => open(game, game.guide);

/** @param {any} game @param {boolean} guided */
async function open(game, guided) {
  if (!shared().me) await becomeGuest();
  const bot = game.bots.includes(BOT) ? BOT : game.bots[0];
  const seats = Array.from({ length: Math.max(2, game.seats.min) }, (_, n) => (n === 0 ? { kind: "me" } : { kind: "bot",
    bot }));
  const match = await send("POST", "/matches", { game: game.key, seats: seats.slice(0, game.seats.max),
    listed: false });
  keep("game", game.key);
  if (guided) guideFrom(match.id, game.key);
  go(`/matches/${match.id}`);
}

/**
 * One tap for who was invited: a guest if need be, and seated.
 * @param {(seat: number) => Promise<any>} sit
 * @param {number} seat
 */
export async function sitDown(sit, seat) {
  if (!shared().me) await becomeGuest();
  await sit(seat);
}
