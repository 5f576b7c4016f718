// The bubble of a guided first match: one word of advice at a time, about what can be done now.
import { html, useEffect, useState } from "../lib.js";
import { get } from "../api.js";
import { lang, t } from "../i18n.js";
import { courseOf, lessonNow, save, suggested } from "../lessons.js";
import { useShared } from "../store.js";

/** @param {{match: any, events: any[], choose: (part: any) => void}} props */
export function Lesson({ match, events, choose }) {
  const [course, setCourse] = useState(() => courseOf(match.id));
  const [lessons, setLessons] = useState(/** @type {any[] | null} */ (null));
  const wanted = course !== null && !course.left;
  useEffect(() => {
    // Without the guide the match is a match like any other, so a guide that does not come is no error.
    if (wanted) get(`/games/${match.game}/guide`).then((guide) => setLessons(guide.lessons), () => setLessons([]));
  }, [wanted, match.game, lang()]);
  const found = wanted && lessons?.length ? lessonNow(course, lessons, match, events) : null;
  useEffect(() => {
    if (!found || found.course === course) return;
    save(found.course);
    setCourse(found.course);
  });
  if (!found || !lessons) return null;
  const leave = () => {
    save({ ...found.course, left: true });
    setCourse({ ...found.course, left: true });
  };
  const dots = { n: found.course.told.length, all: lessons.length };
  if (found.over) return html`<${Bubble} title=${t("lesson.done")} text=${t("lesson.done_about")} dots=${{ ...dots,
    n: dots.all }} leave=${leave} />`;
  const mine = match.to_act.includes(match.you);
  if (found.now === null || !mine) return html`<${Bubble} title="" text=${t(mine ? "lesson.yours" : "lesson.wait")}
    dots=${dots} leave=${leave} />`;
  const lesson = lessons[found.now];
  return html`<${Bubble} title=${lesson.title} text=${lesson.text} dots=${dots} leave=${leave} part=${suggested(lesson,
    match.legal)} choose=${choose} />`;
}

/**
 * @param {{title: string, text: string, dots: {n: number, all: number}, leave: () => void, part?: any, choose?: (part:
 *   any) => void}} props
 */
function Bubble({ title, text, dots, leave, part, choose }) {
  const { ask } = useShared();
  return html`<aside class="lesson" aria-label=${t("lesson.label")}>
    <div aria-live="polite">${title && html`<h2>${title}</h2>`}<p>${text}</p></div>
    <div class="row"><span class="lesson-dots" role="img" aria-label=${t("lesson.step",
      dots)}>${Array.from({ length: dots.all }, (_, n) => html`<i
      class=${n < dots.n ? "on" : ""}></i>`)}</span>
      <span class="row">${part && ask && html`<button class="small" onClick=${() =>
        choose?.(part)}>${t("lesson.show")}</button>`}
        <button class="quiet small" onClick=${leave}>${t("lesson.leave")}</button></span></div></aside>`;
}
