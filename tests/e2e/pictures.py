"""`make pictures`: drawings that must also be there as PNG, for previews of links and home screens."""

from pathlib import Path
from typing import Any

from PIL import Image

from engine import registry
from tests.e2e.browser import browsers

WEB = Path(__file__).parents[2] / "service" / "web"
PREVIEW = (1200, 630)
ICONS = {
    "icon-192.png": (192, 0.0),
    "icon-512.png": (512, 0.0),
    "icon-maskable.png": (512, 0.14),
    "icon-apple.png": (180, 0.08),
}
TEAL = "#1d5c63"


def draw(
    page: Any, path: Path, drawing: Path, size: tuple[int, int], margin: float = 0.0, colours: int = 128
) -> None:
    width, height = size
    page.set_viewport_size({"width": width, "height": height})
    inside = f"width:100%;height:100%;box-sizing:border-box;padding:{margin * width:.0f}px"
    fit = drawing.read_text(encoding="utf-8").replace(
        "<svg", f'<svg preserveAspectRatio="xMidYMid slice" style="{inside}"', 1
    )
    page.set_content(
        f'<body style="margin:0;height:100vh;background:{TEAL if margin else "none"}">{fit}</body>'
    )
    page.screenshot(path=path, omit_background=not margin)
    with Image.open(path) as image:
        if not margin and "icon" in path.name:
            image.quantize(64).save(path, optimize=True)
        else:
            image.convert("RGB").quantize(colours, dither=Image.Dither.NONE).save(path, optimize=True)


def main() -> None:
    with browsers() as browser:
        page = browser.new_page()
        for key in registry.GAMES:
            folder = Path(registry.part(key, "").__path__[0]) / "ui"
            if (folder / "cover.svg").exists():
                draw(page, folder / "cover.png", folder / "cover.svg", PREVIEW)
        for name, (size, margin) in ICONS.items():
            draw(page, WEB / name, WEB / "icon.svg", (size, size), margin)


if __name__ == "__main__":
    main()
