// A game's options from its schema: switches, choices and numbers.
import { html } from "../lib.js";
import { has, t } from "../i18n.js";
import { Field } from "./ui.js";

/** @param {any} schema @param {any} root */
function resolved(schema, root) {
  return schema?.$ref ? root.$defs[schema.$ref.split("/").pop()] : schema;
}

/** All values a field may have, if they can be counted. @param {any} field @param {any} game @returns {any[]} */
function values(field, game) {
  const schema = resolved(field, game.options);
  if (schema.enum) return schema.enum;
  if (schema.const !== undefined) return [schema.const];
  if (schema.type === "null") return [null];
  if (schema.anyOf) return schema.anyOf.flatMap((/** @type {any} */ part) => values(part, game)).reverse();
  if (schema.type !== "integer") return [];
  const low = schema.minimum ?? 0;
  const high = schema.maximum ?? game.seats.max - 1; // a number without limits is a seat
  return Array.from({ length: Math.min(high, low + 40) - low + 1 }, (_, n) => low + n);
}

/** @param {{game: any, options: any, change: (next: any) => void}} props */
export function Options({ game, options, change }) {
  const root = game.options;
  const main = resolved(root, root);
  const fields = Object.entries(main.properties || {});
  if (!fields.length) return html`<p class="soft">${t("new.no_options")}</p>`;
  return fields.map(([name, field]) => {
    const value = name in options ? options[name] : game.defaults[name];
    /** @param {any} next */
    const set = (next) => change({ ...options, [name]: next });
    const label = game.words[name] || name;
    const schema = resolved(field, root);
    if (schema.type === "boolean") return html`<label class="check" key=${name}><input type="checkbox" checked=${value}
      onChange=${() => set(!value)} /> ${label}</label>`;
    const offered = values(schema, game);
    if (offered.length) return html`<${Field} label=${label} key=${name}><select value=${JSON.stringify(value)}
        onChange=${(/** @type {any} */ event) => set(JSON.parse(event.target.value))}>
        ${offered.map((one) => html`<option value=${JSON.stringify(one)}>${shown(one)}</option>`)}</select><//>`;
    return html`<${Field} label=${label} key=${name}><input type=${schema.type === "integer" ? "number" : "text"}
      value=${value}
        onInput=${(/** @type {any} */ event) => set(schema.type === "integer" ? Number(event.target.value)
          : event.target.value)} /><//>`;
  });
}

/** @param {any} value */
function shown(value) {
  if (value === null) return t("option.none");
  return has("option." + value) ? t("option." + value) : String(value).replaceAll("_", " ");
}
