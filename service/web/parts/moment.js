// A match as it was after an event, and the keys with which one walks through it.
import { useEffect, useRef, useState } from "../lib.js";
import { get } from "../api.js";
import { lang } from "../i18n.js";

const STEP_MS = 900;
export const SPEEDS = [0.5, 1, 2, 4];

/** The moment that the address names. @param {number} first @param {number} last */
const wanted = (first, last) => Math.min(last, Math.max(first, Number(location.hash.slice(1)) || last));

/**
 * The match as it was, kept once it was seen.
 * @param {string} id
 * @param {number} seq
 * @param {string} invite
 * @param {boolean} open
 */
export function useMoment(id, seq, invite, open) {
  const [moment, set] = useState(/** @type {any} */ (null));
  const wantedNow = useRef(seq);
  wantedNow.current = seq;
  useEffect(() => {
    const query = `at=${seq}${open ? "&open=1" : ""}${invite ? `&invite=${encodeURIComponent(invite)}` : ""}`;
    get(`/matches/${id}?${query}`).then((found) => wantedNow.current === seq && set(found), () => {});
  }, [id, seq, open, lang()]);
  return moment;
}

/**
 * Where one is in a match, and how one gets on: by step, by itself, by key, by address.
 * @param {number} first
 * @param {number} last
 */
export function useWalk(first, last) {
  const [seq, setSeq] = useState(() => wanted(first, last));
  const [playing, setPlaying] = useState(new URLSearchParams(location.search).has("play"));
  const [speed, setSpeed] = useState(1);
  /** @param {number} next */
  const jump = (next) => {
    const to = Math.min(last, Math.max(first, next));
    setSeq(to);
    history.replaceState(null, "", `${location.pathname}${location.search}#${to}`);
  };
  const toggle = () => {
    if (!playing && seq >= last) jump(first);
    setPlaying(!playing);
  };
  useEffect(() => {
    const named = () => setSeq(wanted(first, last));
    window.addEventListener("hashchange", named);
    return () => window.removeEventListener("hashchange", named);
  }, [first, last]);
  useEffect(() => {
    if (!playing) return;
    if (seq >= last) return setPlaying(false);
    const timer = setTimeout(() => jump(seq + 1), STEP_MS / speed);
    return () => clearTimeout(timer);
  }, [playing, seq, speed]);
  useEffect(() => {
    /** @param {KeyboardEvent} event */
    const keys = (event) => {
      if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      const steps = { ArrowLeft: seq - 1, ArrowRight: seq + 1, Home: first, End: last };
      const to = steps[/** @type {keyof typeof steps} */ (event.key)];
      if (to !== undefined) (event.preventDefault(), jump(to));
      if (event.key === " " && !(event.target instanceof HTMLButtonElement)) (event.preventDefault(), toggle());
    };
    window.addEventListener("keydown", keys);
    return () => window.removeEventListener("keydown", keys);
  });
  return { seq, jump, playing, toggle, speed, setSpeed };
}
