"""A recording as a picture: one HTML file with the SVG in it, that loads nothing and runs nothing."""

from __future__ import annotations

import html
from typing import NamedTuple

from ._terminal import escape, width

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_HEIGHT, _LEFT, _TOP, _BELOW, _WIDE = 240, 76, 26, 46, 920
# Apart in hue for every kind of colour vision, and in lightness: what was paid for in full is the darkest.
_COLOURS = ("#8cc5e3", "#e69f00", "#5c2a86")
_STYLE = (
    "body{font:14px/1.5 system-ui,sans-serif;margin:2em;color:#222;background:#fff}h1{font-size:1.3em;overflow-wrap:anywhere}"
    ".chart{overflow-x:auto}.key i{display:inline-block;width:.9em;height:.9em;margin-right:.4em;vertical-align:-.1em}"
    ".key span{margin-right:1.6em;white-space:nowrap}.key i.line{height:0;border-top:2px solid #000;vertical-align:.3em}"
    "table{border-collapse:collapse}th,td{padding:.2em .9em .2em 0;text-align:left;vertical-align:top;border-bottom:1px solid #ddd}"
    "td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}"
)


class Bar(NamedTuple):
    """One call."""

    label: str
    sizes: Sequence[int]
    """A size for every part of the legend."""
    broke: bool
    tip: Sequence[str]
    """Lines that are shown where one points at the bar."""
    line: int | None = None
    """A size that is drawn across the bar."""
    missed: bool = False
    """It read nothing, although nothing broke."""


class Chart(NamedTuple):
    """What a picture shows."""

    title: str
    summary: Sequence[str]
    """Lines below the title."""
    unit: str
    """Of every size: `tokens` or `bytes`."""
    legend: Sequence[str]
    """What the parts of a bar are, from below: at most three."""
    line: str
    """What the line across a bar is."""
    bars: Sequence[Bar]
    head: Sequence[str]
    """The head of the table below the bars."""
    rows: Sequence[Sequence[str]]
    """Its rows. The last two columns are numbers."""
    rest: str
    """What stands below the table."""


def picture(chart: Chart) -> str:
    """A page with one stacked bar for each call, and a table of those that broke."""
    keys = "".join(
        f'<span><i style="background:{colour}"></i>{_text(name)}</span>'
        for name, colour in zip(chart.legend, _COLOURS, strict=False)
    )
    if any(bar.line is not None for bar in chart.bars):
        keys += f'<span><i class="line"></i>{_text(chart.line)}</span>'
    if any(bar.broke for bar in chart.bars):
        keys += "<span>\N{BLACK DOWN-POINTING TRIANGLE} the cache broke here</span>"
    if any(bar.missed for bar in chart.bars):
        keys += "<span>\N{WHITE DOWN-POINTING TRIANGLE} nothing was read, although the prompt stayed</span>"
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>{_text(chart.title)}</title><style>{_STYLE}</style></head>\n"
        f"<body><h1>{_text(chart.title)}</h1><p>{'<br>'.join(map(_text, chart.summary))}</p>\n"
        f'<p class="key">{keys}</p>\n<div class="chart">{_drawing(chart)}</div>\n{_table(chart)}</body></html>\n'
    )


def _drawing(chart: Chart) -> str:
    most = max((max(sum(bar.sizes), bar.line or 0) for bar in chart.bars), default=0)
    tick = _tick(most)
    top = max(tick, -(-most // tick) * tick)
    # Bars as wide as there is room for; where there is none, the picture is wider than its window.
    step = max(4, min(64, _WIDE // max(len(chart.bars), 1)))
    # A label takes 8 a digit, and some air.
    room = max((8 * width(bar.label) + 10 for bar in chart.bars), default=1)
    every = _round_up(-(-room // step))
    wide, high, bottom = _LEFT + max(len(chart.bars) * step, 120) + 10, _TOP + _HEIGHT + _BELOW, _TOP + _HEIGHT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" viewBox="0 0 {wide} {high}" role="img" '
        f'font-family="system-ui,sans-serif" font-size="12" fill="#333">\n<desc>{_text("; ".join(chart.summary))}</desc>\n'
    ]
    for size in range(0, top + 1, tick):
        y = bottom - _HEIGHT * size // top
        parts.append(
            f'<path d="M{_LEFT} {y}H{wide}" stroke="{"#333" if size == 0 else "#ddd"}"/>'
            f'<text x="{_LEFT - 8}" y="{y + 4}" text-anchor="end">{size:,}</text>\n'
        )
    parts.append(f'<text x="{_LEFT - 8}" y="{_TOP - 12}" text-anchor="end">{_text(chart.unit)}</text>\n')
    for i, bar in enumerate(chart.bars):
        parts.append(_drawn(bar, _LEFT + i * step, step, top, i % every == 0))
    parts.append(f'<text x="{_LEFT}" y="{high - 6}">call, by its line in the recording</text></svg>')
    return "".join(parts)


def _drawn(bar: Bar, x: int, step: int, top: int, labelled: bool) -> str:
    bottom, middle, gap, below = _TOP + _HEIGHT, x + step // 2, max(1, step // 6), 0
    # All of its column answers to the pointer, however low the bar.
    parts = [
        f"<title>{'&#10;'.join(map(_text, bar.tip))}</title>"
        f'<rect x="{x}" y="0" width="{step}" height="{bottom}" fill="none" pointer-events="all"/>'
    ]
    for size, colour in zip(bar.sizes, _COLOURS, strict=False):
        # From sums, so that roundings do not pile up.
        low, high = (_HEIGHT * n // top for n in (below, below + size))
        below += size
        if high > low:
            parts.append(f'<rect x="{x + gap}" y="{bottom - high}" width="{step - 2 * gap}" height="{high - low}" fill="{colour}"/>')
    if bar.line is not None:
        y = bottom - _HEIGHT * bar.line // top
        parts.append(f'<path d="M{x + gap - 1} {y}H{x + step - gap + 1}" stroke="#fff" stroke-width="4"/>'
                     f'<path d="M{x + gap - 1} {y}H{x + step - gap + 1}" stroke="#000" stroke-width="2"/>')
    if bar.broke or bar.missed:
        y = bottom - _HEIGHT * max(below, bar.line or 0) // top - 4
        look = 'class="broke" fill="#000"' if bar.broke else 'class="missed" fill="#fff" stroke="#000"'
        parts.append(f'<path d="M{middle - 5} {y - 9}h10l-5 9z" {look}/>')
    if labelled:
        parts.append(f'<text x="{middle}" y="{bottom + 17}" text-anchor="middle">{_text(bar.label)}</text>')
    return f"<g>{''.join(parts)}</g>\n"


def _tick(most: int) -> int:
    """The first round number of which eight are enough."""
    return _round_up(-(-most // 8))


def _round_up(n: int) -> int:
    """The first of 1, 2, 5, 10, 20 … that is not smaller."""
    power = 1
    while n > 5 * power:
        power *= 10
    return next(times * power for times in (1, 2, 5) if n <= times * power)


def _table(chart: Chart) -> str:
    if not chart.rows:
        return ""
    last = len(chart.head) - 2

    def row(cells: Sequence[str], tag: str) -> str:
        return "<tr>" + "".join(
            f"<{tag}{' class=n' if i >= last else ''}>{_text(cell)}</{tag}>" for i, cell in enumerate(cells)
        ) + "</tr>\n"

    rest = f"<p>{_text(chart.rest)}</p>\n" if chart.rest else ""
    return f"<table>\n{row(chart.head, 'th')}{''.join(row(cells, 'td') for cells in chart.rows)}</table>\n{rest}"


def _text(text: str) -> str:
    """Every text goes into the page through here."""
    return html.escape(escape(text))
