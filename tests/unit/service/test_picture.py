"""The picture of a match: read, drawn on and written without a library; Pillow says what came of it."""

from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from engine import registry
from service.views.picture import NotPlain, picture, read, written
from service.views.sight import Standing


def cover(key: str) -> bytes:
    return (Path(registry.part(key, "").__path__[0]) / "ui" / "cover.png").read_bytes()


@pytest.mark.parametrize("key", registry.GAMES)
def test_a_cover_is_read_and_written_as_it_is(key: str) -> None:
    with Image.open(BytesIO(cover(key))) as one, Image.open(BytesIO(written(read(cover(key))))) as other:
        assert one.convert("RGB").tobytes() == other.convert("RGB").tobytes()


@pytest.mark.parametrize("seats", range(1, 6))
def test_everybody_has_a_line_that_differs_by_name_points_and_turn(seats: int) -> None:
    def drawn(**first: object) -> bytes:
        lines = [Standing(n, f"Eva {n}", 10 * n, False, False) for n in range(seats)]
        return picture(cover("babylonia"), "Babylonia", [lines[0]._replace(**first), *lines[1:]])

    pictures = {
        drawn(),
        drawn(name="Adam"),
        drawn(points=7),
        drawn(points=None),
        drawn(won=True),
        drawn(acts=True),
    }
    assert len(pictures) == 6
    for body in pictures:
        with Image.open(BytesIO(body)) as image:
            image.load()
            assert image.size == (1200, 630)


@pytest.mark.parametrize("name", ["x" * 500, "Žluťoučký kůň", "\u5317\u4eac \U0001f600", "", "\u0000\ud7ff"])
def test_any_name_finds_its_place(name: str) -> None:
    """What is too long ends in dots, what is not on the sheet is a dot; the paper's edge stays free."""
    body = picture(cover("akropolis"), "Akropolis", [Standing(0, name, 10**6, True, False)])
    with Image.open(BytesIO(body)) as image:
        drawn = image.convert("RGB")
        assert {drawn.getpixel((1130, y)) for y in range(480, 560)} == {(255, 253, 247)}


def test_another_kind_of_png_is_refused() -> None:
    body = BytesIO()
    Image.new("RGB", (2, 2)).save(body, "PNG")
    with pytest.raises((NotPlain, KeyError)):
        read(body.getvalue())
