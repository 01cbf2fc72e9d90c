"""Arguments that several commands have: numbers, budgets, and what counts tokens."""

from __future__ import annotations

import argparse

import haversack

from ._terminal import escape, say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    Add: TypeAlias = Callable[[str, str, Callable[..., int]], argparse.ArgumentParser]
    """Adds a command, or an action of one, by its name, what it does and what runs it."""
    Family: TypeAlias = Callable[[str, str], Add]
    """Adds a command of several actions, and answers what adds one."""

UNITS = {
    "bytes": "bytes of UTF-8",
    "chars": "characters (Unicode scalar values)",
    "utf16": "UTF-16 code units",
    "tokens": "tokens",
}


def count(text: str) -> int:
    """A number from 0 up."""
    if not (text.isascii() and text.isdigit() and len(text) <= 18):
        raise argparse.ArgumentTypeError(f"{escape(text, 32)} is no number from 0 up")
    return int(text)


def limit(text: str) -> tuple[str, int]:
    """`NAME=N`."""
    name, equals, number = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{escape(text, 32)} is not NAME=N")
    return name, count(number)


def add_json(parser: argparse.ArgumentParser) -> None:
    """`--json`."""
    parser.add_argument("--json", action="store_true", dest="as_json", help="write the whole answer as JSON")


def add_budget(parser: argparse.ArgumentParser, *, required: bool) -> None:
    """One option a unit, and the counter of tokens."""
    group = parser.add_argument_group(f"budget, {'exactly' if required else 'at most'} one")
    budgets = group.add_mutually_exclusive_group(required=required)
    for unit, what in UNITS.items():
        budgets.add_argument(f"--{unit}", type=count, metavar="N", help=f"at most N {what}")
    add_counter(parser, "what counts tokens:")


def add_counter(parser: argparse.ArgumentParser, what: str) -> None:
    """The counter of tokens; `what` says in the help what it is for."""
    names = haversack.counters()
    parser.add_argument("--counter", choices=names, metavar="NAME", help=f"{what} {', '.join(names)}")


def once(*files: str | None) -> None:
    """Refuses standard input in two places: in the second there would be nothing left of it."""
    if files.count("-") > 1:
        raise haversack.OptionsError("- stands for standard input once at most", kind="invalid_option", argument="file")


def with_counter(options: dict[str, Any], unit: str = "tokens") -> dict[str, Any]:
    """What of the options was given; where `unit` is among it, with a counter: the default one is said."""
    given = {name: value for name, value in options.items() if value is not None}
    if unit in given and "counter" not in given:
        given["counter"] = default_counter()
    return given


def default_counter() -> str:
    """The best counter of this build, which is said: a number of tokens is one of a counter."""
    name = next(n for n in ("o200k_base", "estimate") if n in haversack.counters())
    say(f"tokens are counted by {name} (--counter chooses)")
    return name
