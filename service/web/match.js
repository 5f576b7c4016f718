// One match as this page knows it: what it is now, its events in words, and whether the line holds.
import { useEffect, useRef, useState } from "./lib.js";
import { get, lines, newKey, send } from "./api.js";
import { lang } from "./i18n.js";
import { useShared } from "./store.js";
import { watch } from "./live.js";

const OVER = ["finished", "cancelled"];
const MOST = 1000; // events of one answer

/** @param {string} id @param {string} invite */
export function useMatch(id, invite) {
  const { me } = useShared();
  const [match, setMatch] = useState(/** @type {any} */ (null));
  const [events, setEvents] = useState(/** @type {any[]} */ ([]));
  const [chat, setChat] = useState(/** @type {any[]} */ ([]));
  const [line, setLine] = useState("connecting");
  const [problem, setProblem] = useState(/** @type {any} */ (null));
  const known = useRef({ seq: 0, events: 0, chat: 0, busy: false, again: false });
  const query = invite ? `invite=${encodeURIComponent(invite)}` : "";
  const path = `/matches/${id}`;

  /** @param {any} next */
  const take = (next) => {
    // Answers may overtake each other: an older one never replaces a newer one.
    if (next.seq < known.current.seq) return;
    known.current.seq = next.seq;
    setMatch(next);
  };
  const readEvents = async () => {
    const after = known.current.events;
    const more = await lines(`${path}/events?text=1&after=${after}&limit=${MOST}&${query}`);
    if (!more.length || known.current.events !== after) return;
    known.current.events = more[more.length - 1].seq;
    setEvents((old) => [...old, ...more]);
    if (more.length === MOST) await readEvents();
  };
  /** What was said, each message once, whichever way it came. @param {any[]} items */
  const hear = (items) => {
    const fresh = items.filter((one) => one.id > known.current.chat);
    if (!fresh.length) return;
    known.current.chat = fresh[fresh.length - 1].id;
    setChat((old) => [...old, ...fresh]);
  };
  const readChat = async () => hear((await get(`${path}/chat?after=${known.current.chat}&${query}`)).items);
  /** @param {string} text */
  const say = async (text) => {
    await send("POST", `${path}/chat`, { text });
    await readChat(); // also what came before ours and is still on its way
  };
  // News may come faster than answers: one look at a time, and one more if anything came meanwhile.
  const look = async () => {
    const now = known.current;
    now.again = true;
    if (now.busy) return;
    now.busy = true;
    try {
      while (now.again) {
        now.again = false;
        const [next] = await Promise.all([get(`${path}?${query}`), readEvents()]);
        take(next);
      }
      setProblem(null);
    } catch (refused) {
      setProblem(refused);
    }
    now.busy = false;
  };
  useEffect(() => {
    known.current = { seq: 0, events: 0, chat: 0, busy: false, again: false };
    setMatch(null);
    setEvents([]);
    setChat([]);
    look();
  }, [id, me?.id, lang()]);
  const status = match?.status;
  useEffect(() => {
    if (!status) return;
    if (OVER.includes(status)) {
      readChat().catch(() => {});
      return setLine("over");
    }
    // What happens from here on comes by the line itself; only what was said before it must be asked for.
    let lost = false;
    return watch(`/api${path}/stream${query ? "?" + query : ""}`, known.current.seq, {
      event: (seq) => seq > known.current.seq && look(),
      chat: (said) => hear([said]),
      state: (state) => {
        setLine(state);
        if (lost && state === "live") look();
        if (state === "live" || !lost) readChat().catch(() => {}); // a lost line shows by itself
        lost ||= state === "lost";
      },
    });
  }, [id, status === undefined, OVER.includes(status), me?.id]);

  /** @param {any} action */
  const act = async (action) => {
    try {
      take(await send("POST", `${path}/actions`, { seq: match.seq, action }, { "Idempotency-Key": newKey() }));
      await readEvents();
    } catch (refused) {
      await look();
      throw refused;
    }
  };
  /** @param {string} method @param {string} below @param {any} [body] */
  const command = async (method, below, body) => {
    take(await send(method, path + below, body));
    await readEvents();
  };
  /** What the rules say to an action that is not offered. @param {any} action @returns {Promise<string>} */
  const why = async (action) => (await send("POST", `${path}/why`, { action })).detail || "";
  return { why, match, events, chat, line, problem, look, readChat, say, act, command };
}
