"""Modules of the page joined into few files: a reader far away waits once, instead of once for each import.

A module becomes a function that runs when it is first needed and returns what it exports; `joined.js` brings
them together. That is the whole trick, so a module must be written in the plain way that `Module` reads:
imports and exports at the beginning of a line, no circles, no exported variable that changes. What is not
understood is refused at the start.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable

Read = Callable[[str], str]

STATIC = "/static/"
IMPORT = re.compile(r'^import\s+(?:([^"\']*?)\s+from\s+)?"([^"]+)";?', re.M)
PASSED_ON = re.compile(r'^export\s*(\{[^}]*\})\s*from\s*"([^"]+)";?', re.M)
LISTED = re.compile(r"(?:^|(?<=;))export\s*\{([^}]*)\};?", re.M)
DECLARED = re.compile(r"^export\s+((?:async\s+)?function\*?|class|const)\s+(\w+)", re.M)
DEFAULT_NAMED = re.compile(r"^export\s+default\s+((?:async\s+)?function\*?|class)\s+(\w+)", re.M)
DEFAULT = re.compile(r"^export\s+default\s+", re.M)
LEFT = re.compile(r"^(?:import|export)\b(?!\()", re.M)


class NotUnderstood(Exception):
    """A module is not written in the plain way."""


class Module:
    """One file: what it needs, what it gives, and its body without the words `import` and `export`."""

    def __init__(self, name: str, source: str) -> None:
        self.name = name
        self.needs: list[tuple[str, set[str]]] = []
        self.gives: dict[str, str] = {}  # exported name: the name inside
        body = PASSED_ON.sub(self._passed_on, source)
        body = IMPORT.sub(self._imported, body)
        body = LISTED.sub(self._listed, body)
        body = DEFAULT_NAMED.sub(self._default_named, body)
        body = DECLARED.sub(self._declared, body)
        body = DEFAULT.sub(self._default, body)
        if left := LEFT.search(body):
            raise NotUnderstood(f"{name}: {body[left.start() :].splitlines()[0]}")
        self.body = re.sub(r"\bimport\(", "$load(", body)

    def text(self) -> str:
        given = ", ".join(f"{outside}: {inside}" for outside, inside in self.gives.items())
        return f'"{self.name}": ($need, $load) => {{\n{self.body}\nreturn {{ {given} }};\n}},\n'

    def _need(self, path: str, names: set[str]) -> str:
        found = resolve(self.name, path)
        self.needs.append((found, names))
        return f'$need("{found}")'

    def _imported(self, found: re.Match[str]) -> str:
        what, path = found[1], found[2]
        if not what:
            return self._need(path, set()) + ";"
        if alone := re.fullmatch(r"\*\s+as\s+(\w+)", what):
            return f"const {alone[1]} = {self._need(path, set())};"
        default, _, rest = what.partition("{")
        pairs = _pairs(rest.partition("}")[0])
        if default.strip(" ,\n"):
            pairs["default"] = default.strip(" ,\n")
        parts = ", ".join(f"{outside}: {inside}" for outside, inside in pairs.items())
        return f"const {{ {parts} }} = {self._need(path, set(pairs))};"

    def _passed_on(self, found: re.Match[str]) -> str:
        pairs = _pairs(found[1].strip("{}"))
        source = f"$from{len(self.needs)}"
        self.gives.update({outside: f"{source}.{inside}" for inside, outside in pairs.items()})
        return f"const {source} = {self._need(found[2], set(pairs))};"

    def _listed(self, found: re.Match[str]) -> str:
        self.gives.update({outside: inside for inside, outside in _pairs(found[1]).items()})
        return ""

    def _default_named(self, found: re.Match[str]) -> str:
        self.gives["default"] = found[2]
        return f"{found[1]} {found[2]}"

    def _declared(self, found: re.Match[str]) -> str:
        self.gives[found[2]] = found[2]
        return f"{found[1]} {found[2]}"

    def _default(self, _found: re.Match[str]) -> str:
        self.gives["default"] = "$default"
        return "const $default = "


def resolve(name: str, path: str) -> str:
    """The name of what a module means by a path.

    >>> resolve("parts/own/bots.js", "../ui.js"), resolve("games/akropolis/city.js", "/static/lib.js")
    ('parts/ui.js', 'lib.js')
    """
    if path.startswith(STATIC):
        return path.removeprefix(STATIC)
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))


def _pairs(listed: str) -> dict[str, str]:
    """`a, b as c` as {"a": "a", "b": "c"}."""
    parts = [part.split() for part in listed.split(",") if part.strip()]
    return {words[0]: words[-1] for words in parts}


class Library:
    """Every module of the page, read once, and what follows from joining some of them."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._known: dict[str, Module] = {}

    def module(self, name: str) -> Module:
        if name not in self._known:
            self._known[name] = Module(name, self._read(name))
        return self._known[name]

    def closure(self, entries: Iterable[str]) -> dict[str, Module]:
        """These and all that they need, what is needed first."""
        found: dict[str, Module] = {}
        for entry in entries:
            self._add(entry, found, ())
        return found

    def _add(self, name: str, found: dict[str, Module], path: tuple[str, ...]) -> None:
        if name in path:
            raise NotUnderstood(f"modules need each other in a circle: {' -> '.join((*path, name))}")
        if name in found:
            return
        module = self.module(name)
        for needed, names in module.needs:
            self._add(needed, found, (*path, name))
            if missing := names - found[needed].gives.keys():
                raise NotUnderstood(f"{name} imports {sorted(missing)}, which {needed} does not export")
        found[name] = module

    def joined(self, entries: Iterable[str], without: Iterable[str] = ()) -> str:
        """The modules behind these entries, as the inside of one object."""
        left_out = set(without)
        return "".join(one.text() for name, one in self.closure(entries).items() if name not in left_out)
