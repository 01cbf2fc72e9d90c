"""Texts from outside, made safe for a terminal, and tables of them."""

from __future__ import annotations

import os
import sys
import unicodedata

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence, Sized
    from typing import IO, TextIO

# Not of the categories below, and as invisible: joiners, fillers, variation selectors.
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0") | frozenset(map(chr, range(0xFE00, 0xFE10)))
# Control, format (bidi and zero width are of it), line and paragraph separators, surrogates, private use.
_UNSEEN = frozenset(("Cc", "Cf", "Zl", "Zp", "Cs", "Co"))


def escape(text: str, limit: int = 120) -> str:
    """Writes what a terminal would obey or not show as `\\u{…}`, and cuts after `limit` scalar values."""
    # A scalar value becomes one or more, so that more than `limit` need not be looked at.
    shown = "".join(f"\\u{{{ord(c):x}}}" if _hidden(c) else c for c in text[: limit + 1])
    return shown if len(shown) <= limit else shown[: limit - 1] + "…"


def _hidden(c: str) -> bool:
    return not " " <= c <= "~" and (c in _INVISIBLE or unicodedata.category(c) in _UNSEEN)


def width(text: str) -> int:
    """Columns of a terminal."""
    if text.isascii():
        return len(text)
    wide = sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
    return wide - sum(1 for c in text if unicodedata.combining(c))


def table(rows: Sequence[Sequence[str]], left: int = 1) -> list[str]:
    """Rows of equal length as aligned lines; the first `left` columns to the left, the others to the right."""
    widths = [max(width(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines: list[str] = []
    for row in rows:
        cells: list[str] = []
        for i, cell in enumerate(row):
            room = " " * (widths[i] - width(cell))
            cells.append(cell + room if i < left else room + cell)
        lines.append("  ".join(cells).rstrip())
    return lines


def headed(head: Sequence[str], rows: Sequence[Sequence[str]], paint: Paint, left: int | None = None) -> list[str]:
    """A table under a head; all columns to the left unless it is said how many. Cells are shown as they are."""
    first, *rest = table([head, *rows], len(head) if left is None else left)
    return [paint("bold", first), *rest]


SHOWN = 50
"""Rows of a table that a person is to read."""


def more(found: Sized, what: str = "") -> list[str]:
    """The line under a table that shows only the first `SHOWN` of what was found."""
    left = len(found) - SHOWN
    return [f"… and {left:,} more{what and ' '}{what} (--json has them all)"] if left > 0 else []


def say(message: str) -> None:
    """A line of our own on standard error."""
    try:
        print(f"haversack: {escape(message, 400)}", file=sys.stderr, flush=True)
    except OSError:
        forget(sys.stderr)  # nobody hears it, and the exit status says it too


def forget(stream: TextIO) -> None:
    """Sends what could not be written nowhere: it is tried again, and complained about, when the interpreter ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


class Paint:
    """Colours, where there is a stream and it is a terminal that wants them. (What is said is escaped: it has none.)"""

    def __init__(self, stream: IO[str] | None) -> None:
        wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        self._on = stream is not None and stream.isatty() and wanted

    def __call__(self, style: str, text: str) -> str:
        """`text` in a style: `"bold"`, `"dim"`, `"red"`, `"green"`, `"yellow"`."""
        if not self._on or not text:
            return text
        code = {"bold": 1, "dim": 2, "red": 31, "green": 32, "yellow": 33}[style]
        return f"\x1b[{code}m{text}\x1b[0m"
