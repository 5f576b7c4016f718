// The little of Markdown that a rules.md uses, as elements; text never becomes markup.
import { html } from "./lib.js";

/** @typedef {Map<string, string>} Names what the game's data.json calls its parts, by id */

const RULE = /^(?:\*\*)?([A-Z]{2}-[A-Z]?\d+[a-z]?)\b/;
const CITED = /^[A-Z]{2}-[A-Z]?\d+[a-z]?$/;

/** Bold, italics, code, other rules. @param {string} text @returns {any[]} */
function inline(text) {
  const parts = text.split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*\s][^*]*\*|\b[A-Z]{2}-[A-Z]?\d+[a-z]?\b)/g);
  return parts.map((part) => {
    if (CITED.test(part)) return html`<a href=${"#" + part}>${part}</a>`;
    if (part.startsWith("`")) return html`<code>${part.slice(1, -1)}</code>`;
    if (part.startsWith("**")) return html`<strong>${part.slice(2, -2)}</strong>`;
    if (part.length > 2 && part.startsWith("*") && part.endsWith("*")) return html`<em>${part.slice(1, -1)}</em>`;
    return part;
  });
}

/** @param {string} row */
const cells = (row) => row.trim().replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim());

/** @param {string[]} rows @param {Names} names */
const table = (rows, names) => html`<div class="scroll" tabindex="0"><table><thead><tr>${cells(rows[0]).map((cell) =>
  html`<th scope="col">${inline(cell)}</th>`)}</tr></thead>
  <tbody>${rows.slice(2).map(cells).map((row) => html`<tr id=${RULE.exec(row[0])?.[1]}>${row.map((cell) =>
    html`<td>${called(cell, row, names)}</td>`)}</tr>`)}</tbody></table></div>`;

/**
 * A cell; a part's id gets its name, unless the row tells it anyway.
 * @param {string} cell
 * @param {string[]} row
 * @param {Names} names
 */
function called(cell, row, names) {
  const name = names.get(cell);
  if (!name || row.includes(name)) return inline(cell);
  return name.toLowerCase() === cell ? name : html`${name} <small><code>${cell}</code></small>`;
}

/** A block that may begin with the id of the rule it tells: the id links to itself. @param {string} text */
function told(text) {
  const rule = RULE.exec(text)?.[1];
  if (!rule) return inline(text);
  const alone = text.startsWith(`**${rule}**`), within = text.startsWith("**");
  const rest = alone ? text.slice(rule.length + 4) : within ? "**" + text.slice(rule.length + 3)
    : text.slice(rule.length);
  return html`<a class="rule" href=${"#" + rule}>${rule}</a> ${inline(rest)}`;
}

/** Blocks of lines that belong together. @param {string} source */
function blocks(source) {
  /** @type {{kind: string, lines: string[]}[]} */
  const found = [];
  let fenced = false;
  for (const line of source.split("\n")) {
    const last = found[found.length - 1];
    if (line.startsWith("```")) {
      fenced = !fenced;
      if (fenced) found.push({ kind: "code", lines: [] });
    } else if (fenced) last.lines.push(line);
    else if (!line.trim() || line === "---") found.push({ kind: "gap", lines: [] });
    else if (line.startsWith("#")) found.push({ kind: "head", lines: [line] });
    else if (line.startsWith("|")) last?.kind === "table" ? last.lines.push(line) : found.push({ kind: "table",
      lines: [line] });
    else if (/^\s*(-|\d+\.) /.test(line)) {
      const text = line.replace(/^\s*(-|\d+\.) /, "");
      last?.kind === "list" ? last.lines.push(text) : found.push({ kind: "list", lines: [text] });
    } else if (last?.kind === "list") last.lines[last.lines.length - 1] += " " + line.trim();
    else if (last?.kind === "text") last.lines.push(line);
    else found.push({ kind: "text", lines: [line] });
  }
  return found.filter((block) => block.kind !== "gap");
}

/** @param {{source: string, names: Names}} props */
export function Markdown({ source, names }) {
  return blocks(source).map(({ kind, lines }) => {
    if (kind === "code") return html`<pre tabindex="0"><code>${lines.join("\n")}</code></pre>`;
    if (kind === "table") return table(lines, names);
    if (kind === "list") return html`<ul>${lines.map((line) => html`<li
      id=${RULE.exec(line)?.[1]}>${told(line)}</li>`)}</ul>`;
    if (kind === "text") return html`<p id=${RULE.exec(lines[0])?.[1]}>${told(lines.join(" "))}</p>`;
    const level = lines[0].match(/^#+/)?.[0].length || 1;
    const title = lines[0].slice(level).trim();
    const id = anchor(title);
    return level === 1 ? null : level === 2 ? html`<h2 id=${id}>${inline(title)}</h2>` : html`<h3
      id=${id}>${inline(title)}</h3>`;
  });
}

/**
 * A heading's id. By its number where it has one: a link then leads to the same place in every language.
 * @param {string} title
 */
function anchor(title) {
  const number = /^\d+(\.\d+)*/.exec(title)?.[0];
  return number ? `section-${number.replace(/\./g, "-")}` : title.toLowerCase().replace(/[^\p{L}\d]+/gu, "-");
}

/** Splits a rules.md into chapters by its second-level headings. @param {string} source */
export function chapters(source) {
  return source.split(/\n(?=## )/).map((part) => {
    const heading = /^## (.*)/.exec(part)?.[1] || "";
    return { id: anchor(heading), title: heading.replace(/^\d+\.? |`/g, ""), source: part };
  });
}
