"""The one HTML page, filled for an address: what to fetch at once, and what a link to it tells."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from typing import NamedTuple

from engine import registry
from engine.game import Lang
from service.api.frame.assets import APP, WEB, Edition, shelf
from service.views.sight import Preview

ABOUT = {
    "en": "Board games played over days, with friends and bots.",
    "cs": "Deskové hry na dny, s přáteli i boty.",
}


class Address(NamedTuple):
    """What is known of an address before anything of it is drawn."""

    page: str = ""  # the module that draws it
    lang: Lang = "en"
    game: str = ""  # whose board it needs
    title: str = ""
    about: str = ""
    image: str = ""  # for a preview of the link
    url: str = ""


TOLD = {
    "open": {"en": "{who} invites you to {game}", "cs": "{who} tě zve na hru {game}"},
    "running": {"en": "{game}: {who}", "cs": "{game}: {who}"},
}
JOIN = {
    "en": "Sit down with one tap; a name is enough. Everybody plays when they have time.",
    "cs": "Přisedni jedním klepnutím, stačí jméno. Každý hraje, kdy má čas.",
}


def of_match(page: str, lang: Lang, match: Preview, public: str, path: str) -> Address:
    """The address of a match, as a preview of the link tells it. Without the code of an invitation."""
    game = registry.game(match.game).words.title(lang)
    title = game
    if match.names:
        inviting = match.status == "open"
        told = TOLD["open" if inviting else "running"][lang]
        title = told.format(who=match.names[0] if inviting else ", ".join(match.names), game=game)
    about = JOIN[lang] if match.status == "open" else ""
    picture = shelf.now().assets.get(f"games/{match.game}/cover.png")
    image = public + (match.picture or picture.address) if picture else ""
    return Address(page, lang, match.game, title, about, image, public + path)


def filled(address: Address) -> bytes:
    """The page for an address."""
    edition = shelf.now()
    text = (WEB / "index.html").read_text(encoding="utf-8")
    text = re.sub(r'(?<=")/static/([^"]+)(?=")', lambda found: edition.address(found[1]), text)
    text = text.replace('<html lang="en">', f'<html lang="{address.lang}">')
    text = text.replace("<!--preload-->", "\n    ".join(_preload(edition, address)))
    text = text.replace("<!--about-->", "\n    ".join(_about(address)))
    return text.replace("<!--assets-->", edition.listed.decode()).encode()


def _preload(edition: Edition, address: Address) -> Iterable[str]:
    wanted = [APP, address.page, f"i18n/{address.lang}.js"]
    if f"games/{address.game}/board.js" in edition.assets:
        wanted.append(f"games/{address.game}/board.js")
        yield f'<link rel="stylesheet" href="{edition.address(f"games/{address.game}/board.css")}">'
    for name in wanted:
        if name in edition.assets:
            yield f'<link rel="modulepreload" href="{edition.address(name)}">'


def _about(address: Address) -> Iterable[str]:
    title, about = address.title or "Turnlog", address.about or ABOUT[address.lang]
    yield f"<title>{escape(title)}</title>"
    yield f'<meta name="description" content="{escape(about)}">'
    told = {"og:site_name": "Turnlog", "og:type": "website", "og:title": title, "og:description": about}
    told |= {"og:url": address.url} if address.url else {}
    told |= (
        {"og:image": address.image, "og:image:width": "1200", "og:image:height": "630"}
        if address.image
        else {}
    )
    yield from (f'<meta property="{name}" content="{escape(value)}">' for name, value in told.items())
