"""`make pictures`: drawings that must also be there as PNG, for previews of links and home screens."""

import base64
import json
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


LATIN = "".join(map(chr, (*range(0x20, 0x7F), *range(0xA1, 0x100))))
LETTERS = LATIN + "".join(map(chr, (*range(0x100, 0x180), 0x2013, 0x2014, 0x2019, 0x2026, 0x2605)))
SIZES = {"64": LATIN, "38": LETTERS}  # of titles, of names
SHEET = """async ([font, sizes]) => {
  const face = new FontFace("Sheet", `url(data:font/woff2;base64,${font[0]})`);
  const more = new FontFace("Sheet2", `url(data:font/woff2;base64,${font[1]})`);
  document.fonts.add(await face.load());
  document.fonts.add(await more.load());
  const canvas = document.createElement("canvas");
  canvas.width = 1024;
  canvas.height = 2000;
  document.body.replaceChildren(canvas);
  const pen = canvas.getContext("2d");
  pen.fillStyle = "#000";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = "#fff";
  const told = {};
  let y = 0;
  for (const [size, letters] of Object.entries(sizes)) {
    const height = Math.ceil(size * 1.3), places = {};
    pen.font = `600 ${size}px Sheet, Sheet2, serif`;
    let x = 0;
    for (const one of letters) {
      const width = Math.ceil(pen.measureText(one).width);
      if (x + width + 2 > canvas.width) [x, y] = [0, y + height];
      pen.fillText(one, x, y + Number(size));
      places[one] = [x, y, width];
      x += width + 2;
    }
    y += height;
    told[size] = { height, places };
  }
  return [told, y];
}"""


def draw_letters(page: Any) -> None:
    """The sheet from which the server writes on pictures: a byte a pixel, sixteen shades."""
    vendor = WEB / "vendor"
    fonts = [
        base64.b64encode((vendor / f"fraunces-600-{part}.woff2").read_bytes()).decode()
        for part in ("latin", "czech")
    ]
    page.set_viewport_size({"width": 1024, "height": 2000})
    page.set_content('<body style="margin:0;background:#000"></body>')
    told, height = page.evaluate(SHEET, [fonts, SIZES])
    page.screenshot(path=vendor / "letters.png")
    (vendor / "letters.json").write_text(json.dumps(told, ensure_ascii=False) + "\n", encoding="utf-8")
    with Image.open(vendor / "letters.png") as image:
        sheet = image.convert("L").crop((0, 0, 1024, height)).point(lambda shade: (shade + 8) // 17)
    flat = Image.frombytes("P", sheet.size, sheet.tobytes())
    flat.putpalette([shade * 17 for shade in range(16) for _ in range(3)] + [0] * 720)
    flat.save(vendor / "letters.png", bits=8)


def main() -> None:
    with browsers() as browser:
        page = browser.new_page()
        for key in registry.GAMES:
            folder = Path(registry.part(key, "").__path__[0]) / "ui"
            if (folder / "cover.svg").exists():
                draw(page, folder / "cover.png", folder / "cover.svg", PREVIEW)
        draw_letters(page)
        for name, (size, margin) in ICONS.items():
            draw(page, WEB / name, WEB / "icon.svg", (size, size), margin)


if __name__ == "__main__":
    main()
