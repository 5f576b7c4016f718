// The little of Markdown that a rules.md uses, as elements; text never becomes markup.
import { html } from "./lib.js";

const RULE = /^(?:\*\*)?([A-Z]{2}-[A-Z]?\d+[a-z]?)\b/;

/** Bold, italics, code. @param {string} text @returns {any[]} */
function inline(text) {
  const parts = text.split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*\s][^*]*\*)/g);
  return parts.map((part) => {
    if (part.startsWith("`")) return html`<code>${part.slice(1, -1)}</code>`;
    if (part.startsWith("**")) return html`<strong>${part.slice(2, -2)}</strong>`;
    if (part.length > 2 && part.startsWith("*") && part.endsWith("*")) return html`<em>${part.slice(1, -1)}</em>`;
    return part;
  });
}

/** @param {string} row */
const cells = (row) => row.trim().replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim());

/** @param {string[]} rows */
const table = (rows) => html`<div class="scroll" tabindex="0"><table><thead><tr>${cells(rows[0]).map((cell) => html`<th scope="col">${inline(cell)}</th>`)}</tr></thead>
  <tbody>${rows.slice(2).map((row) => html`<tr id=${RULE.exec(cells(row)[0])?.[1]}>${cells(row).map((cell) => html`<td>${inline(cell)}</td>`)}</tr>`)}</tbody></table></div>`;

/** @param {string} text */
function item(text) {
  const rule = RULE.exec(text)?.[1];
  return rule && text.startsWith(rule) ? html`<li id=${rule}><a class="rule" href=${"#" + rule}>${rule}</a> ${inline(text.slice(rule.length))}</li>` : html`<li id=${rule}>${inline(text)}</li>`;
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
    else if (line.startsWith("|")) last?.kind === "table" ? last.lines.push(line) : found.push({ kind: "table", lines: [line] });
    else if (/^\s*(-|\d+\.) /.test(line)) {
      const text = line.replace(/^\s*(-|\d+\.) /, "");
      last?.kind === "list" ? last.lines.push(text) : found.push({ kind: "list", lines: [text] });
    } else if (last?.kind === "list") last.lines[last.lines.length - 1] += " " + line.trim();
    else if (last?.kind === "text") last.lines.push(line);
    else found.push({ kind: "text", lines: [line] });
  }
  return found.filter((block) => block.kind !== "gap");
}

/** @param {{source: string}} props */
export function Markdown({ source }) {
  return blocks(source).map(({ kind, lines }) => {
    if (kind === "code") return html`<pre tabindex="0"><code>${lines.join("\n")}</code></pre>`;
    if (kind === "table") return table(lines);
    if (kind === "list") return html`<ul>${lines.map(item)}</ul>`;
    if (kind === "text") return html`<p id=${RULE.exec(lines[0])?.[1]}>${inline(lines.join(" "))}</p>`;
    const level = lines[0].match(/^#+/)?.[0].length || 1;
    const title = lines[0].slice(level).trim();
    const id = anchor(title);
    return level === 1 ? null : level === 2 ? html`<h2 id=${id}>${inline(title)}</h2>` : html`<h3 id=${id}>${inline(title)}</h3>`;
  });
}

/** A heading's id. By its number where it has one: a link then leads to the same place in every language. @param {string} title */
function anchor(title) {
  const number = /^\d+(\.\d+)*/.exec(title)?.[0];
  return number ? `section-${number.replace(/\./g, "-")}` : title.toLowerCase().replace(/[^\p{L}\d]+/gu, "-");
}

/** Splits a rules.md into chapters by its second-level headings. @param {string} source */
export function chapters(source) {
  return source.split(/\n(?=## )/).map((part) => {
    const heading = /^## (.*)/.exec(part)?.[1] || "";
    return { id: anchor(heading), title: heading.replace(/^\d+\.? /, ""), source: part };
  });
}
