"""A recording as a picture: one HTML file with the SVG in it, that loads nothing and runs nothing."""

from __future__ import annotations

import html
from typing import NamedTuple

from ._terminal import escape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_HEIGHT, _STEP, _BAR = 240, 28, 20
_COLOURS = ("#2f9e63", "#e0a100", "#c9473f")


class Bar(NamedTuple):
    """One call."""

    label: str
    sizes: Sequence[int]
    """A size for every part of the legend."""
    broke: bool
    tip: Sequence[str]
    """Lines that are shown where one points at the bar."""


def picture(title: str, summary: Sequence[str], legend: Sequence[str], bars: Sequence[Bar]) -> str:
    """A page with one stacked bar for each call.

    Args:
        title: Its head.
        summary: Lines below it.
        legend: What the parts of a bar are, from below: at most three.
        bars: The calls, in their order.
    """
    largest = max((sum(bar.sizes) for bar in bars), default=0) or 1
    every = 1 + len(bars) // 40  # labels that there is room for
    drawn = "".join(_drawn(bar, i * _STEP, largest, i % every == 0) for i, bar in enumerate(bars))
    keys = "".join(
        f'<span><i style="background:{colour}"></i>{_text(name)}</span>' for name, colour in zip(legend, _COLOURS, strict=False)
    )
    wide, high = len(bars) * _STEP, _HEIGHT + 40
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>{_text(title)}</title>"
        "<style>body{font:14px system-ui,sans-serif;margin:2em;color:#222;background:#fff}div{overflow-x:auto}"
        "i{display:inline-block;width:.8em;height:.8em;margin-right:.4em}span{margin-right:1.5em}"
        "text{font:10px system-ui,sans-serif;fill:#222;text-anchor:middle}.broke{fill:#c9473f;font-size:14px}</style></head>\n"
        f"<body><h1>{_text(title)}</h1><p>{'<br>'.join(map(_text, summary))}</p>"
        f"<p>{keys}<span>\N{BLACK DOWN-POINTING TRIANGLE} the cache broke here</span></p>\n"
        f'<div><svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" viewBox="0 0 {wide} {high}" role="img">\n'
        f"{drawn}</svg></div></body></html>\n"
    )


def _drawn(bar: Bar, x: int, largest: int, labelled: bool) -> str:
    bottom, middle, below = _HEIGHT + 20, x + _STEP // 2, 0
    # All of its column answers to the pointer, however low the bar.
    parts = [
        f"<title>{'&#10;'.join(map(_text, bar.tip))}</title>"
        f'<rect x="{x}" y="0" width="{_STEP}" height="{bottom}" fill="none" pointer-events="all"/>'
    ]
    for size, colour in zip(bar.sizes, _COLOURS, strict=False):
        # From sums, so that roundings do not pile up.
        low, high = (_HEIGHT * n // largest for n in (below, below + size))
        below += size
        if high > low:
            parts.append(f'<rect x="{x + (_STEP - _BAR) // 2}" y="{bottom - high}" width="{_BAR}" height="{high - low}" fill="{colour}"/>')
    if bar.broke:
        parts.append(f'<text class="broke" x="{middle}" y="{bottom - _HEIGHT * below // largest - 4}">\N{BLACK DOWN-POINTING TRIANGLE}</text>')
    if labelled:
        parts.append(f'<text x="{middle}" y="{bottom + 14}">{_text(bar.label)}</text>')
    return f"<g>{''.join(parts)}</g>\n"


def _text(text: str) -> str:
    """Every text goes into the page through here."""
    return html.escape(escape(text))
