"""Reading all of an input and writing all of an answer, with a sentence where that cannot be done."""

from __future__ import annotations

import json
import sys

from ._terminal import forget

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TextIO

OUT, ERR = "standard output", "standard error"


class Unread(Exception):
    """An input that cannot be read: which, and why."""


class Unwritten(Exception):
    """What was asked for cannot be written: where, and why."""


def bytes_of(file: str) -> bytes:
    """What a file holds; `-` is standard input."""
    try:
        if file != "-":
            with open(file, "rb") as stream:
                return stream.read()
        if sys.stdin is None:
            raise Unread("standard input is closed")
        return sys.stdin.buffer.read()
    except OSError as error:
        raise Unread(f"{'standard input' if file == '-' else file}: {error.strerror or error}") from None


def write(stream: TextIO | None, name: str, text: str) -> None:
    """Writes all of a text, as UTF-8 where it goes to standard output."""
    if stream is None:
        raise Unwritten(f"{name} is closed")
    try:
        if name == OUT:
            # In JSON what has no UTF-8 (the name of a file) stays the escape that it is then.
            stream.buffer.write(text.encode("utf-8", "backslashreplace"))
        else:
            stream.write(text)
        stream.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        forget(stream)
        raise Unwritten(f"{name}: {error.strerror or error}") from None


def put(text: str) -> None:
    """The answer, to standard output; on a terminal it ends its line."""
    ends = text.endswith("\n") or not sys.stdout.isatty()
    write(sys.stdout, OUT, text if ends else text + "\n")


def dumped(value: dict[str, Any] | list[Any]) -> str:
    """An answer as a line of JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"


def save(file: str, text: str) -> None:
    """Writes a text to a file, as UTF-8."""
    try:
        with open(file, "wb") as stream:
            stream.write(text.encode())
    except OSError as error:
        raise Unwritten(f"{file}: {error.strerror or error}") from None
