"""What the page is made of, under addresses that name the content: `/static/<digest>/<name>` never changes.

Files lie in `service/web` and in each game's `ui` folder; nobody needs a build tool. When the server starts,
and when a file has changed, modules are joined into one file for each page and each board (`bundles`), styles
likewise, and all is packed once.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from time import monotonic

import orjson

from engine import registry
from engine.game import ENGLISH
from engine.kit.text import LANGS
from service.api.frame.bundles import STATIC, Library, resolve

WEB = Path(__file__).parents[2] / "web"
KINDS = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".md": "text/markdown",
    ".txt": "text/plain",
    ".woff2": "font/woff2",
    ".webmanifest": "application/manifest+json",
}
PACKED = frozenset({".png", ".woff2"})  # already
STYLE, STYLES = "page.css", ("style.css", "table.css", "guide.css")
APP, RUNTIME = "app.js", "joined.js"
LOOK_AGAIN_S = 1.0
URL = re.compile(r"url\((/?[\w./-]+\.\w+)\)")  # a file of ours, written without quotes


@dataclass(frozen=True)
class Asset:
    """One file as it goes out."""

    name: str
    body: bytes
    language: str = ""  # of rules: those that are not told in a language are there in English

    @cached_property
    def digest(self) -> str:
        return hashlib.sha256(self.body).hexdigest()[:12]

    @cached_property
    def packed(self) -> bytes | None:
        return None if self._suffix in PACKED else gzip.compress(self.body, 9, mtime=0)

    @property
    def kind(self) -> str:
        return KINDS[self._suffix]

    @property
    def address(self) -> str:
        return f"{STATIC}{self.digest}/{self.name}"

    @property
    def _suffix(self) -> str:
        return Path(self.name).suffix


@dataclass
class Edition:
    """All files of one moment."""

    paths: dict[str, Path]
    assets: dict[str, Asset] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._library = Library(self._text)
        for name, path in self.paths.items():
            self.assets[name] = Asset(name, path.read_bytes(), _language(path))
        for name in [one for one in self.paths if one.endswith(".css")]:
            self._put(name, self._with_addresses(name))
        self._put(STYLE, b"\n".join(self.assets[name].body for name in STYLES))
        self._join()
        self.by_address = {asset.address: asset for asset in self.assets.values()}

    def address(self, name: str) -> str:
        return self.assets[name].address

    @cached_property
    def listed(self) -> bytes:
        """What the page may ask for later, as JSON: name and digest."""
        modules = {name for name in self.paths if name.endswith(".js")} - self.entries.keys()
        about = {name for name in self.paths if name.startswith("vendor/") and not name.endswith(".woff2")}
        hidden = {*modules, *about, *STYLES, APP, STYLE} - {"early.js"}
        found = {name: one.digest for name, one in self.assets.items() if name not in hidden}
        drawn = {f"games/{key}/data.json" for key in registry.GAMES if f"games/{key}/board.js" in found}
        return orjson.dumps({name: digest for name, digest in found.items() if name not in drawn})

    @cached_property
    def worker(self) -> bytes:
        """The service worker, with what it is to keep: all but rules and previews, kept when read."""
        seen = [name for name in orjson.loads(self.listed) if not name.endswith((".md", ".png"))]
        kept = [self.address(name) for name in (APP, STYLE, *seen)]
        empty = b"const EDITION = [];"
        assert empty in self.assets["sw.js"].body
        return self.assets["sw.js"].body.replace(empty, b"const EDITION = %s;" % orjson.dumps(kept))

    @cached_property
    def entries(self) -> dict[str, list[str]]:
        """What is asked for by itself, and the modules that come with it."""
        found = {name: [name] for name in self.paths if re.fullmatch(r"pages/\w+\.js", name)}
        for name in [name for name in self.paths if re.fullmatch(r"i18n/\w+\.js", name)]:
            found[name] = [one for one in self.paths if one.startswith(name.removesuffix("js"))]
        for key in registry.GAMES:
            if f"games/{key}/board.js" in self.paths:
                found[f"games/{key}/board.js"] = [f"games/{key}/{one}" for one in ("board.js", "words.js")]
        return found

    def _join(self) -> None:
        core = self._library.closure([APP])
        begin = f'{self._text(RUNTIME)}$define({{\n{self._library.joined([APP])}}});\n$need("{APP}");\n'
        self._put(APP, begin.encode())
        for name, modules in self.entries.items():
            inside = self._library.joined(modules, without=core)
            data = name.replace("/board.js", "/data.json")
            if data != name:
                inside += f'"{data}": () => ({{ default: {self._text(data)} }}),\n'
            self._put(name, f"export default {{\n{inside}}};\n".encode())

    def _text(self, name: str) -> str:
        return self.paths[name].read_text(encoding="utf-8")

    def _put(self, name: str, body: bytes) -> None:
        self.assets[name] = Asset(name, body)

    def _with_addresses(self, name: str) -> bytes:
        text = URL.sub(lambda found: f"url({self.address(resolve(name, found[1]))})", self._text(name))
        return text.encode()


class Shelf:
    """The edition of now; a changed file makes another one."""

    def __init__(self) -> None:
        self._edition: Edition | None = None
        self._changed: tuple[int, ...] = ()
        self._looked = -LOOK_AGAIN_S

    def now(self) -> Edition:
        if monotonic() - self._looked >= LOOK_AGAIN_S:
            paths = files()
            changed = tuple(path.stat().st_mtime_ns for path in paths.values())
            if self._edition is None or changed != self._changed:
                self._edition, self._changed = Edition(paths), changed
            self._looked = monotonic()
        assert self._edition is not None
        return self._edition


def files() -> dict[str, Path]:
    """What may be asked for, by name: nothing that is not listed here can be."""
    found = {str(p.relative_to(WEB)): p for p in WEB.rglob("*") if p.suffix in KINDS and p.suffix != ".html"}
    for key in registry.GAMES:
        found.update({f"games/{key}/{name}": path for name, path in _of_game(key).items()})
    return dict(sorted(found.items()))


def _of_game(key: str) -> dict[str, Path]:
    folder = Path(registry.part(key, "").__path__[0])
    rules = {f"rules.{lang}.md": folder / "rules.md" for lang in LANGS if lang != ENGLISH}
    parts = [folder / "data.json", *folder.glob("rules*.md"), *(folder / "ui").glob("*")]
    return rules | {path.name: path for path in parts if path.is_file() and path.suffix in KINDS}


def _language(path: Path) -> str:
    """Of rules: `en` of rules.md, `cs` of rules.cs.md."""
    return (path.stem.partition(".")[2] or ENGLISH) if path.name.startswith("rules") else ""


shelf = Shelf()
