"""The picture of a match for previews of its link: the game's cover, and on it how the match stands.

Whoever shows a preview wants a PNG and runs no script, and a library that draws would be one more thing to
install for a card of a few lines. So the little that is needed is here: PNGs of indexed colours are read,
letters from a sheet (`make pictures`) are copied in, and a PNG is written.
"""

from __future__ import annotations

import json
import math
import struct
import zlib
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from service.views.sight import Standing

PARTS = Path(__file__).parents[1] / "web" / "vendor"
HEAD, PLAIN_COLOURS = b"\x89PNG\r\n\x1a\n", (8, 3, 0, 0, 0)  # depth, indexed, and no frills
SHADES = 16  # of a letter's edge, from the paper to the ink
PAPER, GOLD, INK = (255, 253, 247), (249, 226, 178), (37, 34, 29)
SEATS = ((31, 111, 178), (196, 85, 10), (28, 127, 90), (138, 63, 158), (138, 109, 0))
LARGE, SMALL = "64", "38"
LEFT, RIGHT, ROW, CORNER, EDGE = 60, 1140, 62, 28, 40
MARK = 17  # half the height of a seat's sign
STAR = "\u2605"
UNKNOWN = "\u00b7"  # for a letter that is not on the sheet

Point = tuple[float, float]


class Image(NamedTuple):
    width: int
    height: int
    colours: bytes
    rows: list[bytearray]


class NotPlain(ValueError):
    """A PNG of another kind than those that are made here."""


def read(data: bytes) -> Image:
    """A PNG of indexed colours, a byte a pixel, without filters: what Pillow writes of a palette."""
    chunks = dict(_chunks(data))
    width, height, *kind = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    pixels = zlib.decompress(b"".join(body for name, body in _chunks(data) if name == b"IDAT"))
    lines = [pixels[at : at + width + 1] for at in range(0, len(pixels), width + 1)]
    if tuple(kind) != PLAIN_COLOURS or any(line[0] for line in lines):
        raise NotPlain
    return Image(width, height, chunks[b"PLTE"], [bytearray(line[1:]) for line in lines])


def _chunks(data: bytes) -> Iterable[tuple[bytes, bytes]]:
    at = len(HEAD)
    while at < len(data):
        (size,) = struct.unpack(">I", data[at : at + 4])
        yield data[at + 4 : at + 8], data[at + 8 : at + 8 + size]
        at += 12 + size


def written(image: Image) -> bytes:
    """The image as a PNG."""
    head = struct.pack(">IIBBBBB", image.width, image.height, *PLAIN_COLOURS)
    pixels = zlib.compress(b"".join(b"\0" + row for row in image.rows), 6)
    parts = ((b"IHDR", head), (b"PLTE", image.colours), (b"IDAT", pixels), (b"IEND", b""))
    return HEAD + b"".join(_chunk(*part) for part in parts)


def _chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


class Letters(NamedTuple):
    """A sheet of letters in one size: where each lies on it, and how wide it is."""

    sheet: Image
    height: int
    places: dict[str, tuple[int, int, int]]


@cache
def letters(size: str) -> Letters:
    told = json.loads((PARTS / "letters.json").read_text(encoding="utf-8"))[size]
    sheet = read((PARTS / "letters.png").read_bytes())
    return Letters(sheet, told["height"], {one: (x, y, w) for one, (x, y, w) in told["places"].items()})


class Painter:
    """Draws on a copy of a cover, with some colours of its own after the cover's."""

    def __init__(self, cover: Image) -> None:
        shades = [_between(paper, INK, n) for paper in (PAPER, GOLD) for n in range(SHADES)]
        own = b"".join(bytes(colour) for colour in (*shades, *SEATS))
        first = len(cover.colours) // 3
        self.paper, self.gold, self.seats = first, first + SHADES, first + 2 * SHADES
        rows = [bytearray(row) for row in cover.rows]
        self.image = Image(cover.width, cover.height, cover.colours + own, rows)

    def panel(self, left: int, top: int, right: int, bottom: int, colour: int, corner: int) -> None:
        """A sheet of paper with round corners."""
        for y in range(top, bottom):
            into = corner - min(y - top, bottom - 1 - y)
            inset = round(corner - math.sqrt(max(0, corner**2 - into**2))) if into > 0 else 0
            self._span(y, left + inset, right - inset, colour)

    def shape(self, points: Sequence[Point], colour: int) -> None:
        """A polygon."""
        edges = list(zip(points, [*points[1:], points[0]], strict=True))
        for y in range(int(min(y for _, y in points)), int(max(y for _, y in points)) + 1):
            middle = y + 0.5
            cuts = sorted(
                x0 + (middle - y0) * (x1 - x0) / (y1 - y0)
                for (x0, y0), (x1, y1) in edges
                if min(y0, y1) <= middle < max(y0, y1)
            )
            for begin, end in zip(cuts[::2], cuts[1::2], strict=True):
                self._span(y, round(begin), round(end), colour)

    def write(self, text: str, left: int, top: int, size: str, paper: int, most: int) -> int:
        """Words in ink on a colour, not wider than `most`; returns where they end."""
        known = letters(size)
        for place in _fitting(text, known, most):
            x, y, width = place
            for down in range(known.height):
                glyph = known.sheet.rows[y + down][x : x + width]
                row = self.image.rows[top + down]
                for across, shade in enumerate(glyph):
                    if shade:
                        row[left + across] = paper + shade
            left += width
        return left

    def _span(self, y: int, left: int, right: int, colour: int) -> None:
        self.image.rows[y][left:right] = bytes([colour]) * max(0, right - left)


def width(text: str, size: str) -> int:
    """How wide words are."""
    return sum(place[2] for place in _fitting(text, letters(size), 1 << 30))


def _fitting(text: str, known: Letters, most: int) -> list[tuple[int, int, int]]:
    """The letters that there is room for; the rest is left out behind three dots."""
    places = [known.places.get(one) or known.places[UNKNOWN] for one in text]
    if sum(place[2] for place in places) <= most:
        return places
    dots = [known.places["."]] * 3
    while places and sum(place[2] for place in (*places, *dots)) > most:
        places.pop()
    return [*places, *dots]


def _between(paper: Sequence[int], ink: Sequence[int], step: int) -> tuple[int, ...]:
    share = step / (SHADES - 1)
    return tuple(round(a + (b - a) * share) for a, b in zip(paper, ink, strict=True))


def _sign(seat: int, x: int, y: int) -> list[Point]:
    """The shape by which a seat is known: round, square, triangle, diamond, star."""
    if seat == 1:
        return [(x - 15, y - 15), (x + 15, y - 15), (x + 15, y + 15), (x - 15, y + 15)]
    corners, turned = {2: (3, -90.0), 3: (4, -90.0), 4: (10, -90.0)}.get(seat, (36, 0.0))
    angles = [math.radians(turned + 360 * n / corners) for n in range(corners)]
    reach = [MARK * (0.45 if seat == 4 and n % 2 else 1.05) for n in range(corners)]
    return [(x + r * math.cos(a), y + r * math.sin(a)) for a, r in zip(angles, reach, strict=True)]


def picture(cover: bytes, title: str, standing: Sequence[Standing]) -> bytes:
    """The cover with a sheet on it: the game's name, and a line for everybody."""
    painter = Painter(read(cover))
    height = letters(LARGE).height + 24 + ROW * len(standing)
    top = painter.image.height - EDGE - height
    painter.panel(LEFT, top, RIGHT, painter.image.height - EDGE, painter.paper, CORNER)
    painter.write(title, LEFT + 36, top + 6, LARGE, painter.paper, RIGHT - LEFT - 72)
    for number, one in enumerate(standing):
        _line(painter, one, top + letters(LARGE).height + 8 + ROW * number)
    return written(painter.image)


def _line(painter: Painter, one: Standing, top: int) -> None:
    paper = painter.gold if one.won or one.acts else painter.paper
    painter.panel(LEFT + 24, top, RIGHT - 24, top + ROW - 6, paper, 12)
    seat = one.seat % len(SEATS)
    painter.shape(_sign(seat, LEFT + 62, top + (ROW - 6) // 2), painter.seats + seat)
    points = "" if one.points is None else str(one.points)
    line, right = top + (ROW - 6 - letters(SMALL).height) // 2, RIGHT - 48 - width(points, SMALL)
    painter.write(
        f"{one.name} {STAR}" if one.won else one.name, LEFT + 96, line, SMALL, paper, right - LEFT - 130
    )
    painter.write(points, right, line, SMALL, paper, RIGHT)
