// Which match is guided, and what it was told. Kept in this browser alone: a guided match is a match like any other.
import { keep, remember } from "./i18n.js";
import { agrees } from "./pick.js";

const ENOUGH = 12; // own actions: whoever has not met some lesson by then needs it no more

/**
 * @typedef {{match: string, told: {lesson: number, seq: number}[], left: boolean}} Course
 */

/** @param {string} game whether a match of it was guided here before */
export const known = (game) => (remember("learned") || "").split(" ").includes(game);

/** @param {string} match @param {string} game */
export function guideFrom(match, game) {
  if (!known(game)) keep("learned", `${remember("learned") || ""} ${game}`.trim());
  save({ match, told: [], left: false });
}

/** @param {string} match @returns {Course | null} */
export function courseOf(match) {
  try {
    const course = JSON.parse(remember("course") || "null");
    return course?.match === match && Array.isArray(course.told) ? course : null;
  } catch {
    return null; // somebody else's writing
  }
}

/** @param {Course} course */
export const save = (course) => keep("course", JSON.stringify(course));

/**
 * What is said now: a lesson that was begun stays until its reader has acted; then comes the first that fits what is
 *   legal.
 * @param {Course} course @param {any[]} lessons @param {any} match @param {any[]} events
 * @returns {{course: Course, now: number | null, over: boolean}}
 */
export function lessonNow(course, lessons, match, events) {
  // Events may come before the match as they leave it: what it does not know yet has not happened.
  const own = events.filter((event) => event.kind === "acted" && event.seat === match.you && event.seq <= match.seq);
  const acted = own.at(-1)?.seq || 0;
  const last = course.told.at(-1);
  const open = last && last.seq >= acted ? last.lesson : null;
  const over = match.status !== "running" || (open === null && (course.told.length >= lessons.length
    || own.length >= ENOUGH));
  if (over || open !== null || !match.to_act.includes(match.you)) return { course, now: open, over };
  const next = lessons.findIndex((lesson, n) => !course.told.some((one) => one.lesson === n) && fits(match.legal,
    lesson.when));
  if (next < 0) return { course, now: null, over };
  return { course: { ...course, told: [...course.told, { lesson: next, seq: match.seq }] }, now: next, over };
}

/** @param {any[]} legal @param {any} part */
const fits = (legal, part) => legal.some((action) => agrees(action, part));

/** What may be shown: the first suggestion that is legal. @param {any} lesson @param {any[]} legal */
export const suggested = (lesson, legal) => lesson.suggest.find((/** @type {any} */ part) => fits(legal, part)) || null;
