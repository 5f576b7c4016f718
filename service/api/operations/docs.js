// Renders /api/openapi.json. Text only ever goes in as text, never as markup.
"use strict";

const byId = (id) => document.getElementById(id);

function make(tag, text, ...children) {
  const node = document.createElement(tag);
  if (text) node.textContent = text;
  node.append(...children);
  return node;
}

const schemaId = (name) => "schema-" + name;

function schemaText(schema) {
  return make("pre", JSON.stringify(schema, null, 2));
}

function refsOf(schema, found = new Set()) {
  if (Array.isArray(schema)) schema.forEach((part) => refsOf(part, found));
  else if (schema && typeof schema === "object") {
    if (typeof schema.$ref === "string") found.add(schema.$ref.split("/").pop());
    Object.values(schema).forEach((part) => refsOf(part, found));
  }
  return found;
}

function links(schema) {
  const line = make("p");
  for (const name of refsOf(schema)) {
    const link = make("a", name);
    link.href = "#" + schemaId(name);
    line.append(link, " ");
  }
  return line;
}

function parameters(list) {
  const rows = list.map((one) =>
    make("tr", "", make("td", "", make("code", one.name)), make("td", one.in), make("td", one.description || "")));
  return make("table", "", ...rows);
}

function content(title, part) {
  const box = make("div", "", make("h4", title + (part.description ? ": " + part.description : "")));
  for (const [type, body] of Object.entries(part.content || {})) {
    box.append(make("p", type));
    if (body.schema) box.append(schemaText(body.schema), links(body.schema));
  }
  return box;
}

function operation(method, path, op) {
  const name = make("span", method.toUpperCase());
  name.className = "method";
  const head = make("summary", "", name, make("code", path), " " + (op.summary || ""));
  const box = make("div");
  if (op.description) box.append(make("p", op.description));
  if (op.parameters && op.parameters.length) box.append(parameters(op.parameters));
  if (op.requestBody) box.append(content("Body", op.requestBody));
  for (const [status, answer] of Object.entries(op.responses || {})) box.append(content(status, answer));
  return make("details", "", head, box);
}

function grouped(paths) {
  const groups = new Map();
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, op] of Object.entries(methods)) {
      const tag = (op.tags || ["other"])[0];
      if (!groups.has(tag)) groups.set(tag, []);
      groups.get(tag).push(operation(method, path, op));
    }
  }
  return groups;
}

function show(spec) {
  byId("about").textContent = spec.info.description || "";
  for (const [tag, operations] of grouped(spec.paths)) {
    const title = make("h2", tag);
    title.id = "tag-" + tag;
    byId("paths").append(title, ...operations);
    const link = make("a", tag);
    link.href = "#tag-" + tag;
    byId("index").append(link);
  }
  for (const [name, schema] of Object.entries(spec.components.schemas)) {
    const box = make("details", "", make("summary", "", make("code", name)), make("div", "", schemaText(schema), links(schema)));
    box.id = schemaId(name);
    byId("schemas").append(box);
  }
}

function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target && target.tagName === "DETAILS") target.open = true;
}

addEventListener("hashchange", openTarget);
fetch("/api/openapi.json").then((answer) => answer.json()).then(show).then(openTarget);
