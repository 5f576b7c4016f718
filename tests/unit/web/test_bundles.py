"""Modules joined into one file: what is understood, what is refused, and that the result runs."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest

from service.api.frame.assets import APP, Edition, files
from service.api.frame.bundles import Library, NotUnderstood

RUN = """const modules = {{
{inside}}};
const made = {{}};
const need = (name) => (made[name] ??= modules[name](need));
"""
MODULES = {
    "a.js": 'import first, { two as zwei, three } from "./b/b.js";\nimport * as all from "./c.js";\n'
    'import "./c.js";\nexport default function sum() {\n'
    "  return [first, zwei, three(), all.four, all.default];\n}\n",
    "b/b.js": 'export { five as four } from "/static/d.js";\nexport const two = 2;\n'
    "export async function* three() {}\nexport default 1;\nexport class Six {}\n",
    "c.js": "const x = 4;\nfunction y() {}\nexport { x as four, y as default };\n",
    "d.js": "export function five() {\n  return 5;\n}\n",
}


def joined(modules, *entries, without=()):
    return Library(modules.__getitem__).joined(entries, without)


def run(script):
    if not shutil.which("node"):
        pytest.skip("no node")
    done = subprocess.run(
        ["node", "--input-type=module", "-e", script], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_every_way_to_import_and_export_means_the_same_as_before():
    script = RUN.format(inside=joined(MODULES, "a.js"))
    script += 'const [one, two, three, four, y] = need("a.js").default();\n'
    script += 'const b = need("b/b.js");\n'
    script += "const found = [one, two, typeof three.next, four, y.name, b.four(), typeof b.Six];\n"
    assert run(script + "console.log(JSON.stringify(found));") == [1, 2, "function", 4, "y", 5, "function"]


def test_what_is_there_already_is_left_out():
    assert list(Library(MODULES.__getitem__).closure(["a.js"])) == ["d.js", "b/b.js", "c.js", "a.js"]
    assert '"c.js"' not in joined(MODULES, "a.js", without=["c.js"]).replace('$need("c.js")', "")


@pytest.mark.parametrize(
    ("modules", "why"),
    [
        ({"a.js": 'import { x } from "./b.js";', "b.js": 'import { y } from "./a.js";'}, "circle"),
        ({"a.js": 'import { x } from "./b.js";', "b.js": "export const y = 1, x = 2;"}, "does not export"),
        ({"a.js": "export let x = 1;"}, "export let"),
        ({"a.js": "export const { x } = 1;"}, "export const"),
        ({"a.js": "import { x } from 'b';"}, "import"),
    ],
)
def test_what_is_not_plain_is_refused(modules, why):
    with pytest.raises(NotUnderstood, match=why):
        joined(modules, "a.js")


def test_the_page_itself_can_be_joined_and_is_a_program():
    edition = Edition(files())
    for name in (APP, *edition.entries):
        body = edition.assets[name].body.decode()
        if shutil.which("node"):
            check = ["node", "--input-type=module", "--check"]
            done = subprocess.run(check, input=body, capture_output=True, text=True, check=False, timeout=60)
            assert done.returncode == 0, (name, done.stderr)
    app = edition.assets[APP].body.decode()
    assert app.count('"lib.js": (') == 1
    assert all('"lib.js": (' not in edition.assets[name].body.decode() for name in edition.entries)
