// Sentences of the page itself. What happens in a match comes from the server in the reader's language.
export const LANGS = ["en", "cs"];
const PARTS = ["own", "around", "guide"]; // settings; what is said around the tables; how games are learnt

/** @type {Record<string, string>} */
let messages = {};
let current = "en";

export const lang = () => current;

/** The stored choice, else the browser's. */
export function preferred() {
  const stored = remember("lang");
  if (stored && LANGS.includes(stored)) return stored;
  const wanted = navigator.languages || [navigator.language];
  return wanted.map((tag) => tag.slice(0, 2).toLowerCase()).find((tag) => LANGS.includes(tag)) || "en";
}

/** @param {string} wanted */
export async function load(wanted) {
  current = LANGS.includes(wanted) ? wanted : "en";
  messages = { ...(await import(`./i18n/${current}.js`)).default }; // the others come with it
  for (const part of PARTS) Object.assign(messages, (await import(`./i18n/${current}.${part}.js`)).default);
  document.documentElement.lang = current;
}

/**
 * A sentence with its gaps filled. `{n|one|few|many}` chooses by the number n (Czech has three forms).
 * @param {string} key @param {Record<string, any>} [params] @param {Record<string, string>} [own] a game's own words
 */
export function t(key, params, own) {
  const found = own?.[key] ?? messages[key];
  return found === undefined ? key : fill(found, params || {});
}

/** @param {string} key @param {Record<string, string>} [own] */
export const has = (key, own) => key in messages || (own !== undefined && key in own);

/** @param {string} sentence @param {Record<string, any>} params */
export function fill(sentence, params) {
  return sentence.replace(/\{(\w+)(?:\|([^}]*))?\}/g, (gap, name, forms) => {
    if (!(name in params)) return gap;
    return forms === undefined ? String(params[name]) : plural(params[name], forms.split("|"));
  });
}

/** @param {number} n @param {string[]} forms */
function plural(n, forms) {
  const category = new Intl.PluralRules(current).select(n);
  const index = category === "one" ? 0 : category === "few" ? 1 : forms.length - 1;
  return forms[Math.min(index, forms.length - 1)].replace("#", String(n));
}

/** @param {string} name @returns {string | null} */
export function remember(name) {
  try {
    return localStorage.getItem("turnlog." + name);
  } catch {
    return null;
  }
}

/** @param {string} name @param {string | null} value null forgets */
export function keep(name, value) {
  try {
    if (value === null) localStorage.removeItem("turnlog." + name);
    else localStorage.setItem("turnlog." + name, value);
  } catch {
    // Storage may be forbidden: the choice then lasts as long as the page.
  }
}

const TIMES = new Map();

/** The reader's own way to write times, if it is one of the page's language: en-GB, en-US … */
const local = () => navigator.languages.find((tag) => tag.slice(0, 2) === current) || current;

/** @param {string} stamp RFC 3339 @param {string | null} [zone] */
export function when(stamp, zone) {
  const key = `${current}:${zone}`;
  if (!TIMES.has(key)) {
    /** @type {Intl.DateTimeFormatOptions} */
    const style = { day: "numeric", month: "short", hour: "numeric", minute: "2-digit" };
    TIMES.set(key, new Intl.DateTimeFormat(local(), zone ? { ...style, timeZone: zone } : style));
  }
  return TIMES.get(key).format(new Date(stamp));
}

/** A day as people write it. @param {string} date 2026-12-24 */
export const day = (date) => new Intl.DateTimeFormat(local(), { day: "numeric", month: "short", year: "numeric",
  timeZone: "UTC" }).format(new Date(date));

/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const SPANS = [["day", 86_400], ["hour", 3600], ["minute", 60], ["second", 1]];

/** How far away a moment is: "in 2 days", "3 minutes ago". @param {string} stamp RFC 3339 @param {number} [now] ms */
export function ago(stamp, now = Date.now()) {
  const seconds = Math.round((new Date(stamp).getTime() - now) / 1000);
  const [unit, size] = SPANS.find(([, size]) => Math.abs(seconds) >= 2 * size) || SPANS[3];
  return new Intl.RelativeTimeFormat(current, { numeric: "always" }).format(Math.round(seconds / size), unit);
}
