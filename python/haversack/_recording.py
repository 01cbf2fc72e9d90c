"""Recordings: the requests of a session, one after another, as JSON Lines."""

from __future__ import annotations

import json
import re
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from typing import Any, NamedTuple

import haversack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


class Call(NamedTuple):
    """One request of a recording."""

    body: str | bytes
    """The request body, as it was written."""
    line: int
    """Its line, from 1."""
    place: str
    """What messages about it call it."""
    start: int
    """The byte of the line where the body starts."""
    time: int | None
    """When it went out, in microseconds from 1970."""
    read: int | None
    """The tokens that its provider says were read from the cache."""


def calls(data: bytes) -> Iterator[Call]:
    """The requests of a recording. Empty lines hold none.

    A line is a body, or an object around one: the body in `request` or `body` (as JSON, or as a string of JSON), beside it where
    known `time` (seconds from 1970, or ISO 8601; UTC without a zone) and `usage` (the provider's answer).
    """
    # A body is compared as it was sent: it is cut out of its line, not read and written again.
    for number, raw in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if not raw.strip():
            continue
        place = f"line {number}"
        try:
            line = raw.decode("utf-8")
            members = list(_members(line))
        except (ValueError, RecursionError):
            # It is read as a body, and refused with the byte.
            yield Call(raw, number, place, 0, None, None)
            continue
        bodies = [member for member in members if member.name in ("request", "body")]
        if not bodies:
            yield Call(line, number, place, 0, None, None)
            continue
        if len(bodies) > 1:
            raise haversack.InputError(f"{place}: more than one of request and body", kind="bad_argument")
        [(_, body, start)] = bodies
        start = len(line[:start].encode())
        if body.startswith('"'):
            body = _JSON.decode(body)
        around = {member.name: member.text for member in members}
        yield Call(body, number, place, start, _time(around.get("time"), number), _read(around.get("usage")))


# ---------------------------------------------------------------- members, as they were written

class _Member(NamedTuple):
    name: str
    text: str
    start: int


def _no_constant(name: str) -> None:
    raise ValueError(name)


# Numbers stay text: nothing here counts with those of a body, however long they are.
_JSON = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=_no_constant)
_SPACE = re.compile(r"[ \t\r\n]*")


def _members(line: str) -> Iterator[_Member]:
    """The members of an object; none of what is no object.

    Raises:
        ValueError: It is no JSON.
        RecursionError: It is nested too deep for the standard library.
    """
    if not isinstance(_JSON.decode(line), dict):
        return

    def skip(at: int) -> int:
        space = _SPACE.match(line, at)
        return space.end() if space else at

    at = skip(skip(0) + 1)
    while line[at] != "}":
        name, at = _JSON.raw_decode(line, at)
        start = skip(skip(at) + 1)
        _, at = _JSON.raw_decode(line, start)
        yield _Member(name, line[start:at], start)
        at = skip(at)
        if line[at] == ",":
            at = skip(at + 1)


# ---------------------------------------------------------------- what stands beside a body

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def _time(text: str | None, line: int) -> int | None:
    if text is None or text == "null":
        return None
    try:
        if text.startswith('"'):
            # Before 3.11 `fromisoformat` does not know the Z.
            when = datetime.fromisoformat(re.sub("[Zz]$", "+00:00", _JSON.decode(text)))
            when = when if when.tzinfo else when.replace(tzinfo=timezone.utc)
            return (when - _EPOCH) // timedelta(microseconds=1)
        seconds = Decimal(text)
        if abs(seconds) < 10**12:
            return int(seconds * 10**6)
    except (ValueError, ArithmeticError):
        pass
    raise haversack.InputError(f"line {line}: time is neither seconds nor ISO 8601", kind="bad_argument")


# Where the providers say it, as of August 2026.
_READ = (
    ("cache_read_input_tokens",), ("cacheReadInputTokens",), ("cachedContentTokenCount",),
    ("prompt_tokens_details", "cached_tokens"), ("input_tokens_details", "cached_tokens"),
)


def _read(text: str | None) -> int | None:
    usage: Any = None if text is None else _JSON.decode(text)
    for path in _READ:
        value = usage
        for name in path:
            value = value.get(name) if isinstance(value, dict) else None
        if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 18:
            return int(value)
    return None
