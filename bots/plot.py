"""Ratings as a picture: one line a bot, a dot for the rating, a bar for its interval. Plain SVG."""

from collections.abc import Sequence
from html import escape
from math import ceil, floor
from typing import NamedTuple

from bots.stats import Interval

WIDTH, LEFT, RIGHT, ROW, TOP, BOTTOM = 720, 190, 70, 34, 56, 40
STEPS = (10, 20, 50, 100, 200, 500, 1000)

STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#222}.t{font-weight:600;font-size:15px}.s{fill:#555}"
    ".g{stroke:#ddd}.b{stroke:#4472c4;stroke-width:3;stroke-linecap:round}.d{fill:#1f3f7a}"
    "@media(prefers-color-scheme:dark){text{fill:#eee}.s{fill:#aaa}.g{stroke:#444}.d{fill:#9db8ec}}"
)


class Row(NamedTuple):
    name: str
    rating: float
    interval: Interval


def svg(title: str, rows: Sequence[Row]) -> str:
    """The whole document; the best bot on top."""
    ranked = sorted(rows, key=lambda row: -row.rating)
    low, high, step = _axis(ranked)
    height = TOP + ROW * len(ranked) + BOTTOM

    def x(rating: float) -> float:
        return round(LEFT + (rating - low) / (high - low) * (WIDTH - LEFT - RIGHT), 1)

    body = [f'<text class="t" x="16" y="26">{escape(title)}</text>']
    for mark in range(low, high + 1, step):
        body.append(f'<line class="g" x1="{x(mark)}" x2="{x(mark)}" y1="{TOP - 10}" y2="{height - BOTTOM}"/>')
        body.append(
            f'<text class="s" x="{x(mark)}" y="{height - BOTTOM + 20}" text-anchor="middle">{mark}</text>'
        )
    for number, row in enumerate(ranked):
        body += _row(row, TOP + ROW * number + ROW // 2, x(row.rating), *map(x, row.interval))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">'
        f"<title>{escape(title)}</title><style>{STYLE}</style>{''.join(body)}</svg>\n"
    )


def _row(row: Row, y: int, at: float, low: float, high: float) -> list[str]:
    return [
        f'<text x="{LEFT - 16}" y="{y + 4}" text-anchor="end">{escape(row.name)}</text>',
        f'<line class="b" x1="{low}" x2="{high}" y1="{y}" y2="{y}"/>',
        f'<circle class="d" cx="{at}" cy="{y}" r="5"/>',
        f'<text class="s" x="{high + 10}" y="{y + 4}">{row.rating:.0f}</text>',
    ]


def _axis(rows: Sequence[Row]) -> tuple[int, int, int]:
    """Round ends that hold every interval, and marks that are neither crowded nor lonely."""
    low = min(row.interval.low for row in rows)
    high = max(row.interval.high for row in rows)
    step = next((step for step in STEPS if (high - low) / step <= 8), STEPS[-1])
    first, last = floor(low / step) * step, ceil(high / step) * step
    return first, max(last, first + step), step
