"""Canonical JSON as a text that knows which numbers it could not keep."""

from __future__ import annotations

from . import _lib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._types import Limits, Payload


class InexactNumber(tuple[int, str, str]):
    """A number that no double is, so that the canonical form says another one."""

    __slots__ = ()

    @property
    def offset(self) -> int:
        """Where it stands in the text that was read, in bytes of UTF-8."""
        return self[0]

    @property
    def read(self) -> str:
        """How it was spelt, at most 32 characters of it."""
        return self[1]

    @property
    def written(self) -> str:
        """What the canonical form has in its place."""
        return self[2]

    def __repr__(self) -> str:
        return f"InexactNumber(offset={self.offset}, read={self.read!r}, written={self.written!r})"


class CanonicalJson(str):
    """The canonical form (RFC 8785) of a JSON text."""

    __slots__ = ("warnings",)
    warnings: tuple[InexactNumber, ...]
    """The numbers that do not survive a double, in the order of the text."""

    def __getnewargs__(self) -> tuple[str]:
        return (str(self),)


def canonical_json(value: Payload, /, *, limits: Limits | None = None) -> CanonicalJson:
    """The canonical form (RFC 8785): no white space, keys by UTF-16 code units, numbers as ECMAScript writes them.

    Args:
        value: JSON in a str or bytes, or any other value that `json.dumps` takes.
        limits: Other limits than the defaults, by name: here `depth`.

    Raises:
        HaversackError: `invalid_json`; `too_deep`; `not_canonical` for two equal keys, half a surrogate pair or a number that is too
            large for a double (`offset`); `bad_argument` for a value that JSON cannot hold, such as NaN.
    """
    text, inexact = _lib.canonical_form(value, limits=limits)
    canonical = CanonicalJson(text)
    canonical.warnings = tuple(InexactNumber(number) for number in inexact)
    return canonical
