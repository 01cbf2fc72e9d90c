"""`haversack transcript`: messages by number, out of a file of JSON Lines that is not loaded whole."""

from __future__ import annotations

import argparse
import sys
from contextlib import contextmanager

import haversack

from ._cli_arguments import add_json, once
from ._cli_state import about, text_of
from ._streams import OUT, Unread, bytes_of, dumped, put, write
from ._terminal import SHOWN, Paint, escape, headed, more, say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO, TypeAlias

    from ._cli_arguments import Family

    Pieces: TypeAlias = Iterator[tuple[list[haversack.Message], list[haversack.Damage]]]

FOUND = NOT_FOUND = 1


def add_commands(family: Family) -> None:
    """Adds the command with its actions."""
    action = family("transcript", "messages by number, out of a file of JSON Lines: line N is message N")

    show = action("show", "messages as they stand, one a line", _show)
    _file(show)
    show.add_argument(
        "range", type=_range, metavar="N[-M]", help="a message, or the first and the last of several, such as 3-9"
    )

    search = action("search", "the messages that hold a text; status 1 where there is none", _search)
    _file(search)
    search.add_argument("needle", metavar="TEXT", help="exact text, as the strings of a message say it")

    references = action(
        "references",
        "the messages that a text names, with whether they exist and hold what is quoted; status 1 where one does not",
        _references,
    )
    _file(references)
    references.add_argument(
        "text", nargs="?", default="-", metavar="SUMMARY", help="a summary or a finding; standard input by default"
    )

    damage = action("damage", "the lines that are no messages; status 1 where there is one", _damage)
    _file(damage)

    for command in (show, search, references, damage):
        add_json(command)


def _file(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="the transcript; standard input for -")


def _range(text: str) -> tuple[int, int]:
    first, dash, last = text.partition("-")
    numbers = (first, last if dash else first)
    if not all(number.isascii() and number.isdigit() and len(number) <= 18 for number in numbers):
        raise argparse.ArgumentTypeError(f"{escape(text, 32)} is neither N nor N-M")
    return int(numbers[0]), int(numbers[1])


@contextmanager
def opened(file: str) -> Iterator[haversack.TranscriptFile]:
    """The transcript in a file. What cannot be read from any place, such as a pipe, is put aside first."""
    name = "standard input" if file == "-" else file
    try:
        if file == "-" and sys.stdin is None:
            raise Unread("standard input is closed")
        place: str | int = sys.stdin.fileno() if file == "-" else file
        with open(place, "rb", closefd=file != "-") as given, _seekable(given) as stream:
            yield haversack.TranscriptFile(stream)
    except BrokenPipeError:    # of what is written meanwhile
        raise
    except OSError as error:
        raise Unread(f"{name}: {error.strerror or error}") from None


@contextmanager
def _seekable(given: BinaryIO) -> Iterator[BinaryIO]:
    if given.seekable():
        yield given
        return
    import shutil
    import tempfile

    with tempfile.TemporaryFile() as aside:
        shutil.copyfileobj(given, aside)
        yield aside


# ---------------------------------------------------------------- show

def _show(file: str, range: tuple[int, int], as_json: bool) -> int:
    damage: list[haversack.Damage] = []
    with opened(file) as log:
        pieces = log.pieces(*range)
        for text in _json(log.last, pieces) if as_json else _text(pieces, damage):
            write(sys.stdout, OUT, text)
    for line in damage[:SHOWN]:
        say(f"message {line.number:,} is damaged: {line.kind} at byte {line.offset:,} of {line.bytes:,}")
    if len(damage) > SHOWN:
        say(f"… and {len(damage) - SHOWN:,} more (haversack transcript damage has them all)")
    return 0


def _text(pieces: Pieces, damage: list[haversack.Damage]) -> Iterator[str]:
    for messages, broken in pieces:
        yield "".join(f"{message.text}\n" for message in messages)
        damage += broken


def _json(last: int, pieces: Pieces) -> Iterator[str]:
    """Messages stand in it as they are, whatever their numbers."""
    damage: list[haversack.Damage] = []
    yield f'{{"last":{last},"messages":['
    before = ""
    for messages, broken in pieces:
        for message in messages:
            yield f'{before}{{"number":{message.number},"message":{message.text}}}'
            before = ","
        damage += broken
    yield f'],"damage":{dumped([_members(d) for d in damage]).rstrip()}}}\n'


def _members(damage: haversack.Damage) -> dict[str, object]:
    return {"number": damage.number, "kind": damage.kind, "offset": damage.offset, "bytes": damage.bytes}


# ---------------------------------------------------------------- search

def _search(file: str, needle: str, as_json: bool) -> int:
    with opened(file) as log:
        hits = log.search(needle)
        if as_json:
            put(dumped({"last": log.last, "hits": [{"number": hit.number, "count": hit.count} for hit in hits]}))
        elif hits:
            rows = [[f"{hit.number:,}", f"{hit.count:,}", _excerpt(log, hit.number)] for hit in hits[:SHOWN]]
            lines = headed(["message", "times", ""], rows, Paint(sys.stdout))
            lines += more(hits, "messages")
            put("\n".join(lines) + "\n")
        else:
            say(f"no message holds {escape(needle)}")
    return 0 if hits else NOT_FOUND


def _excerpt(log: haversack.TranscriptFile, number: int) -> str:
    """How a message starts."""
    return "".join(escape(message.text, 100) for message in log.read(number, number))


# ---------------------------------------------------------------- references, damage

def _references(file: str, text: str, as_json: bool) -> int:
    once(file, text)
    data = bytes_of(text)
    with about(text):
        summary = text_of(data)
    with opened(file) as log:
        found = log.check(summary)
    good = all(one.exists and one.holds is not False for one in found)
    if as_json:
        names = ("first", "last", "at", "length", "quote", "exists", "holds")
        put(dumped({"references": [{name: getattr(one, name) for name in names} for one in found]}))
    else:
        rows = [[_messages(one), f"{one.at:,}", _state(one), escape(one.quote or "", 80)] for one in found[:SHOWN]]
        head = ["messages", "at byte", "", "quoted"]
        lines = headed(head, rows, Paint(sys.stdout)) if rows else ["no message is named"]
        lines += more(found)
        put("\n".join(lines) + "\n")
    return 0 if good else FOUND


def _messages(one: haversack.Reference) -> str:
    return str(one.first) if one.first == one.last else f"{one.first}-{one.last}"


def _state(one: haversack.Reference) -> str:
    if not one.exists:
        return "does not exist"
    return {None: "exists", True: "says so", False: "does not say so"}[one.holds]


def _damage(file: str, as_json: bool) -> int:
    with opened(file) as log:
        last = log.last
        found = [damage for _, broken in log.pieces(1, last) for damage in broken] if last else []
    if as_json:
        put(dumped({"last": last, "damage": [_members(damage) for damage in found]}))
    else:
        rows = [[f"{d.number:,}", f"{d.offset:,}", f"{d.bytes:,}", d.kind] for d in found[:SHOWN]]
        lines = [f"{last:,} messages, {len(found):,} damaged"]
        lines += headed(["message", "at byte", "bytes", "damage"], rows, Paint(sys.stdout), 0) if rows else []
        lines += more(found)
        put("\n".join(lines) + "\n")
    return FOUND if found else 0
