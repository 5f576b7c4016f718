// Whose log is it? The signature of the closing line, judged by the keys that a server publishes.
import { sha256 } from "../sha256.js";
import { unhex, utf8 } from "./bytes.js";
import { encode } from "./canonical.js";
import { holds } from "./ed25519.js";

/**
 * @typedef {{keys: {public: string, revoked?: number | null}[], trusted?: {name: string, keys: string[]}[]}} Keys
 *   what GET /api/keys answers
 */

/** @param {string} key */
const ident = (key) => sha256(/** @type {Uint8Array} */ (unhex(key))).slice(0, 32);

/** @param {string} match @param {any} end @param {Keys} keys @returns {{by: string, server: string, key: string}} */
export function signer(match, end, keys) {
  const key = end.key ?? "", signature = end.signature ?? "";
  if (!key && !signature) return { by: "nobody", server: "", key: "" };
  const known = [
    ...keys.keys.map((one) => ({ by: one.revoked ? "revoked" : "here", server: "", public: one.public })),
    ...(keys.trusted ?? []).flatMap((one) => one.keys.map((each) => ({ by: "trusted", server: one.name,
      public: each }))),
  ].find((one) => ident(one.public) === key);
  if (!known) return { by: "unknown", server: "", key: key.slice(0, 32) };
  const text = utf8(encode({ head: end.head, match, seq: end.end, turnlog: end.redacted ? "redacted log" : "log" }));
  const given = unhex(signature);
  const good = given !== null && holds(/** @type {Uint8Array} */ (unhex(known.public)), given, text);
  return good ? { by: known.by, server: known.server, key } : { by: "forged", server: "", key };
}
