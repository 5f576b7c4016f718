"""`make screenshots`: every board, early and late, on a phone and on a desk, into a folder."""

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
LATE = {"machi-koro": 22, "akropolis": 9, "world-wonders": 45, "babylonia": 18, "tides-of-time": 11}
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
    """Drawings need few colours; the repository should not carry the rest."""
    with Image.open(picture) as image:
        image.convert("RGB").quantize(96, dither=Image.Dither.NONE).save(picture, optimize=True)


def _touch(page: Any, game: str) -> None:
    for selector in TOUCH.get(game, []):
        found = page.locator(selector)
        if found.count():
            found.first.click()


def main(folder: Path, running: House, games: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with browsers() as browser:
        person = Person(browser, running.url)
        person.enter("Ada")
        for game in games:
            match = person.open_match(game, ["greedy"] * SEATS.get(game, 2))
            person.page.evaluate(PLAY, [match, EARLY[game]])
            shoot(person, folder, "early", match, game)
            person.page.evaluate(PLAY, [match, LATE[game] - EARLY[game]])
            shoot(person, folder, "late", match, game)
        person.close()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch, house(Path(scratch) / "data") as running:
        main(Path(sys.argv[1]), running, sys.argv[2:] or list(registry.GAMES))
