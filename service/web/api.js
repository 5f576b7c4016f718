// Requests to our own server. Commands carry the CSRF token; refusals arrive as Problem.
import { lang } from "./i18n.js";

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
 * @param {string} method @param {string} path below /api @param {any} [body] @param {Record<string, string>} [extra]
 * @returns {Promise<Response>}
 */
async function request(method, path, body, extra) {
  /** @type {Record<string, string>} */
  const headers = { "Accept-Language": lang(), ...extra };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (method !== "GET") headers["X-CSRF-Token"] = cookie("turnlog_csrf");
  let response;
  try {
    response = await fetch("/api" + path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  } catch {
    throw new Problem(0, {});
  }
  if (!response.ok) throw new Problem(response.status, await response.json().catch(() => ({})));
  return response;
}

/** @param {string} path @returns {Promise<any>} */
export const get = async (path) => (await request("GET", path)).json();

/** @param {string} path @returns {Promise<any[]>} one value a line */
export const lines = async (path) =>
  (await (await request("GET", path)).text()).split("\n").filter(Boolean).map((line) => JSON.parse(line));

/** @param {string} path @returns {Promise<Uint8Array>} */
export const bytes = async (path) => new Uint8Array(await (await request("GET", path)).arrayBuffer());

/** @param {string} method @param {string} path @param {any} [body] @param {Record<string, string>} [extra] @returns {Promise<any>} */
export async function send(method, path, body, extra) {
  const response = await request(method, path, body, extra);
  return response.status === 204 ? null : response.json();
}

/** A command's own id: a repeated request is then answered, not repeated. */
export function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
