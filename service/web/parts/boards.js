// Finds a game's board; a game without one gets the generic board.
import { useEffect, useState } from "../lib.js";
import { asset, exists } from "../assets.js";
import { lang, t } from "../i18n.js";
import * as generic from "./generic.js";

/**
 * What a board gets. It draws `view`, and tells what was chosen; it knows no rules.
 * @typedef {object} BoardProps
 * @property {any} view what this seat may know
 * @property {Record<string, any>[]} legal
 * @property {string[]} labels one for each of `legal`
 * @property {number | null} seat mine
 * @property {string[]} names by seat
 * @property {string} lang
 * @property {any} data the game's data.json
 * @property {Record<string, any>} pick what is chosen so far
 * @property {(part: Record<string, any>) => void} choose replaces the choice
 * @property {(action: Record<string, any>) => void} act sends an action at once
 * @property {(key: string, params?: Record<string, any>) => string} t the page's words and the game's own
 * @property {(text: string, calm?: boolean) => void} say tells why something is not possible, or, calmly, what it is
 * @property {(action: Record<string, any>) => void} why lets the server's rules say why an action is not possible
 * @property {boolean} past a moment that is over: nothing can be done in it
 * @property {any} result
 * @property {any[]} recent my last action and what others did after it: events with facts
 * @property {any[]} [events] everything that happened and was read so far
 * @property {any[]} marked facts to be marked: what others did since I acted, or a line of the log that is pointed at
 */

/**
 * @template V
 * @typedef {Omit<BoardProps, "view"> & {view: V}} BoardOf what a board gets that knows its game's View
 */

/**
 * @typedef {object} BoardModule
 * @property {(props: BoardProps) => any} Board
 * @property {(props: BoardProps) => string} [prompt] what to do now, in a few words
 * @property {(props: BoardProps) => {title: string, lines: string[]}[]} [text] the board in words
 * @property {(action: any, props: BoardProps) => string} [title] an action in a few words, where the label says too
 *   much
 * @property {(action: any, props: BoardProps) => string} [about] what an action does, for the player about to confirm
 *   it
 * @property {(view: any) => number[] | null} [scores] points by seat at this moment
 * @property {(view: any, seat: number, props: BoardProps) => {key: string, n: number, icon?: any}[]} [figures] the
 *   numbers
 *   that a seat is known by, the most important first; compared before and after an action
 * @property {{types: string[], quiet?: string[]}} [direct] types of actions that need no place or piece; `quiet` ones
 *   cost
 *   something or give something up
 * @property {(given: {props: BoardProps, owner: number}) => any} [Mini] a small picture of somebody's area
 * @property {(given: {props: BoardProps, owner: number}) => any} [Area] the same in full
 * @property {(field: string, value: any, props: BoardProps) => string | null} [valueName]
 * @property {(props: PartsProps) => any} [Components] what the rules page shows of data.json besides names
 *
 * @typedef {Pick<BoardProps, "data" | "lang" | "t">} PartsProps
 */

/** @type {Map<string, any>} */
const loaded = new Map();

/** @param {string} key */
async function fetchBoard(key) {
  const base = `games/${key}`;
  if (!exists(`${base}/board.js`)) {
    const data = await fetch(asset(`${base}/data.json`)).then((answer) => (answer.ok ? answer.json() : {}));
    return { module: /** @type {BoardModule} */ (generic), data, words: { en: {}, cs: {} } };
  }
  // One file holds the board, its words and the game's data; the style comes beside it.
  const [module] = await Promise.all([import(`/static/${base}/board.js`), style(asset(`${base}/board.css`))]);
  const words = (await import(`/static/${base}/words.js`)).default;
  const data = (await import(`/static/${base}/data.json`)).default;
  return { module, data, words };
}

/** @param {string} href */
function style(href) {
  if (document.querySelector(`link[href="${href}"]`)) return Promise.resolve();
  return new Promise((done) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = href;
    link.onload = link.onerror = () => done(null);
    document.head.append(link);
  });
}

/** @param {string | undefined} key @returns {{module: BoardModule, data: any, words: any} | null} */
export function useBoard(key) {
  const [board, set] = useState(key ? loaded.get(key) || null : null);
  useEffect(() => {
    if (!key || loaded.has(key)) return set(key ? loaded.get(key) : null);
    let wanted = true;
    fetchBoard(key).then((found) => {
      loaded.set(key, found);
      if (wanted) set(found);
    });
    return () => void (wanted = false);
  }, [key]);
  return board;
}

/** The words of a board: its own before the page's. @param {any} words */
export const boardWords = (words) => (/** @type {string} */ key, /** @type {any} */ params) => t(key, params,
  words[lang()]?.[key] === undefined ? words.en : words[lang()]);
