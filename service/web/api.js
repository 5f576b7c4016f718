// Requests to our own server. Commands carry the CSRF token; refusals arrive as Problem.
import { lang, t } from "./i18n.js";
import { enqueue, keepAnswer, keptAnswer } from "./offline.js";

const EARLY_MS = 20_000; // after that it may be old

/** A refusal: `code` is stable, the message is a sentence for people. */
export class Problem extends Error {
  /** @param {number} status @param {any} body */
  constructor(status, body) {
    super(body.detail || String(status));
    this.status = status;
    this.code = body.code || "offline";
    this.body = body;
  }
}

/** @param {string} name */
function cookie(name) {
  const found = document.cookie.split("; ").find((part) => part.startsWith(name + "="));
  return found ? decodeURIComponent(found.slice(name.length + 1)) : "";
}

/**
 * What `early.js` has asked already while this script was on its way; each answer is good once.
 * @param {string} path
 * @returns {Promise<Response> | undefined}
 */
function takeEarly(path) {
  const early = /** @type {any} */ (window).turnlogEarly || {};
  const found = performance.now() < EARLY_MS ? early[path] : undefined;
  delete early[path];
  return found;
}

/**
 * @param {string} method @param {string} path below /api @param {any} [body] @param {Record<string, string>} [extra]
 * @returns {Promise<Response>}
 */
async function request(method, path, body, extra) {
  /** @type {Record<string, string>} */
  const headers = { "Accept-Language": lang(), ...extra };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (method !== "GET") headers["X-CSRF-Token"] = cookie("turnlog_csrf");
  let response;
  const given = body === undefined ? undefined : JSON.stringify(body);
  try {
    const early = method === "GET" && !extra ? takeEarly(path) : undefined;
    response = await (early || fetch("/api" + path, { method, headers, body: given }));
  } catch {
    return withoutALine(method, path, body, extra);
  }
  said(false);
  if (!response.ok) throw new Problem(response.status, await response.json().catch(() => ({})));
  if (method === "GET") keepAnswer(path, response.clone());
  return response;
}

/** Tells the page whether the last request got through. @param {boolean} offline */
const said = (offline) => window.dispatchEvent(new CustomEvent("turnlog:line", { detail: offline }));

/**
 * What was read last; an action that was chosen is kept.
 * @param {string} method
 * @param {string} path
 * @param {any} body
 * @param {Record<string, string>} [extra]
 */
async function withoutALine(method, path, body, extra) {
  const kept = method === "GET" ? await keptAnswer(path) : undefined;
  if (kept || !navigator.onLine) said(true);
  if (kept) return kept;
  const key = extra?.["Idempotency-Key"];
  if (navigator.onLine || !key) throw new Problem(0, {});
  enqueue({ path, body, key });
  throw new Problem(0, { code: "queued", detail: t("queue.kept") });
}

/** @param {string} path @returns {Promise<any>} */
export const get = async (path) => (await request("GET", path)).json();

/** @param {string} path @returns {Promise<any[]>} one value a line */
export const lines = async (path) =>
  (await (await request("GET", path)).text()).split("\n").filter(Boolean).map((line) => JSON.parse(line));

/** @param {string} path @returns {Promise<Uint8Array>} */
export const bytes = async (path) => new Uint8Array(await (await request("GET", path)).arrayBuffer());

/**
 * @param {string} method
 * @param {string} path
 * @param {any} [body]
 * @param {Record<string, string>} [extra]
 * @returns {Promise<any>}
 */
export async function send(method, path, body, extra) {
  const response = await request(method, path, body, extra);
  if (method === "POST" && path.endsWith("/actions")) window.dispatchEvent(new Event("turnlog:acted"));
  return response.status === 204 ? null : response.json();
}

/** A command's own id: a repeated request is then answered, not repeated. */
export function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
