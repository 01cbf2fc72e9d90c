"""Canonical JSON as a text that knows which numbers it could not keep."""

from __future__ import annotations

from typing import Any, NamedTuple

from . import _lib


class InexactNumber(NamedTuple):
    """A number that no double is, so that the canonical form says another one."""

    offset: int
    """Where it stands in the text that was read, in bytes of UTF-8."""
    read: str
    """How it was spelt, at most 32 characters of it."""
    written: str
    """What the canonical form has in its place."""


class CanonicalJson(str):
    """The canonical form (RFC 8785) of a JSON text."""

    __slots__ = ("warnings",)
    warnings: tuple[InexactNumber, ...]
    """The numbers that do not survive a double, in the order of the text."""

    def __getnewargs__(self) -> tuple[str]:
        return (str(self),)


def canonical_json(value: Any, /) -> CanonicalJson:
    """The canonical form (RFC 8785): no white space, keys by UTF-16 code units, numbers as ECMAScript writes them.

    Args:
        value: JSON in a str or bytes, or any other value that `json.dumps` takes.

    Raises:
        HaversackError: `invalid_json`; `not_canonical` for two equal keys, half a surrogate pair or a number that is too
            large for a double (`offset`); `bad_argument` for a value that JSON cannot hold, such as NaN.
    """
    text, inexact = _lib.canonical_form(value)
    canonical = CanonicalJson(text)
    canonical.warnings = tuple(InexactNumber(*number) for number in inexact)
    return canonical
