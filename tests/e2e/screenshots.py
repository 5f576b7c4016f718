"""`make screenshots`: every board, early and late, and the pages around them, on a phone and on a desk."""

import sys
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image

from engine import registry
from tests.e2e.browser import DESK, PHONE, Person, browsers
from tests.house import House, house

SIZES = {"phone": PHONE, "desk": DESK}
EARLY = {"machi-koro": 5, "akropolis": 2, "world-wonders": 6, "babylonia": 4, "tides-of-time": 2}
LATE = {"machi-koro": 9, "akropolis": 9, "world-wonders": 45, "babylonia": 18, "tides-of-time": 11}
AROUND = "pages"  # may be asked for like a game
SEATS = {"tides-of-time": 1}  # opponents; two, where the game allows it

# A person whose moves come from the first quarter of the list: quick, and never the same twice.
PLAY = """async ([id, count]) => {
  const token = document.cookie.match(/turnlog_csrf=([^;]+)/)[1];
  const headers = {"Content-Type": "application/json", "X-CSRF-Token": token};
  let seen = 7;
  for (let acted = 0; acted < count; ) {
    const match = await (await fetch(`/api/matches/${id}?labels=0`)).json();
    if (match.status !== "running") return;
    if (!match.to_act.includes(match.you)) { await new Promise((go) => setTimeout(go, 50)); continue; }
    seen = (seen * 1103515245 + 12345) % 2147483648;
    const body = JSON.stringify({seq: match.seq, action: match.legal[seen % match.legal.length]});
    if ((await fetch(`/api/matches/${id}/actions`, {method: "POST", headers, body})).ok) acted++;
  }
  for (;;) {
    const match = await (await fetch(`/api/matches/${id}?labels=0`)).json();
    if (match.status !== "running" || match.to_act.includes(match.you)) return;
    await new Promise((go) => setTimeout(go, 50));
  }
}"""
# What makes a picture tell more: something is chosen, so that places glow.
TOUCH = {
    "akropolis": [".ak-offer.can", ".ak-space"],
    "babylonia": [".ba-piece.can"],
    "machi-koro": [".mk-card.can"],
    "tides-of-time": [".tt-hand .can"],
    "world-wonders": [],
}


def shoot(person: Person, folder: Path, name: str, match: str, game: str) -> None:
    page = person.page
    for size, viewport in SIZES.items():
        for scheme in ("light", "dark"):
            page.set_viewport_size(viewport)
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            page.goto(f"/matches/{match}")
            page.locator(".board").wait_for()
            _touch(page, game)
            page.evaluate("window.scrollTo(0, 0)")
            page.wait_for_timeout(400)
            picture = folder / f"{game}-{name}-{size}-{scheme}.png"
            page.screenshot(path=picture)
            _shrink(picture)


def _shrink(picture: Path) -> None:
    """A palette is enough for drawings; the repository should not carry the rest."""
    with Image.open(picture) as image:
        image.convert("RGB").quantize(256, dither=Image.Dither.FLOYDSTEINBERG).save(picture, optimize=True)


def _touch(page: Any, game: str) -> None:
    for selector in TOUCH.get(game, []):
        found = page.locator(selector)
        if found.count():
            found.first.click()


TIDES = {"game": "tides-of-time", "clock": {"kind": "per_move", "seconds": 259200}}


def around(person: Person, other: Person, folder: Path) -> None:
    """The pages that are not boards, each with something in it."""
    pair = [{"kind": "me"}, {"kind": "open"}]
    running = person.call("POST", "/matches", {**TIDES, "seats": pair})["id"]
    other.call("POST", f"/matches/{running}/seats/1", {})
    lobby = person.call("POST", "/matches", {**TIDES, "seats": [{"kind": "me"}, {"kind": "invite"}]})["id"]
    for who, text in ((other, "Hi! Ready?"), (person, "Sure."), (other, "I may be slow tonight.")):
        who.call("POST", f"/matches/{running}/chat", {"text": text})
    over = person.open_match("tides-of-time", ["greedy"])
    person.page.evaluate(PLAY, [over, 99])
    channel = {"kind": "ntfy", "url": "http://127.0.0.1:9/turns"}  # nobody listens there
    person.call("PUT", "/me/channels/ntfy", channel)
    person.call("PATCH", "/me", {"quiet_hours": {"from": "22:00", "to": "07:00"}, "tz": "Europe/Prague"})
    pages = {
        "home": "/",
        "new": "/new?game=babylonia",
        "settings": "/settings",
        "lobby": f"/matches/{lobby}",
        "chat": f"/matches/{running}",
        "result": f"/matches/{over}",
        "replay": f"/matches/{over}/replay#14",
        "rules": "/rules/tides-of-time",
    }
    for name, path in pages.items():
        for size, viewport in SIZES.items():
            for scheme in ("light", "dark"):
                _page(person.page, path, viewport, scheme)
                picture = folder / f"page-{name}-{size}-{scheme}.png"
                person.page.screenshot(path=picture, full_page=name != "rules")
                _shrink(picture)


def _page(page: Any, path: str, viewport: Any, scheme: str) -> None:
    page.set_viewport_size(viewport)
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.goto(path)
    page.locator("h1").first.wait_for()
    page.wait_for_timeout(600)
    for label in ("A bank of time", "Verify the log"):
        found = page.get_by_text(label)
        if found.count():
            found.first.click()
            page.wait_for_timeout(300)


def main(folder: Path, running: House, games: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with browsers() as browser:
        person, other = Person(browser, running.url), Person(browser, running.url)
        person.enter("Ada")
        other.enter("Ben")
        if AROUND in games:
            around(person, other, folder)
        games = [game for game in games if game != AROUND]
        for game in games:
            match = person.open_match(game, ["greedy"] * SEATS.get(game, 2))
            person.page.evaluate(PLAY, [match, EARLY[game]])
            shoot(person, folder, "early", match, game)
            person.page.evaluate(PLAY, [match, LATE[game] - EARLY[game]])
            shoot(person, folder, "late", match, game)
        person.close()
        other.close()


if __name__ == "__main__":
    with (
        tempfile.TemporaryDirectory() as scratch,
        house(Path(scratch) / "data", TURNLOG_ALLOW_PRIVATE="1") as running,
    ):
        main(Path(sys.argv[1]), running, sys.argv[2:] or [AROUND, *registry.GAMES])
