"""`haversack tally`: the books of a run, in a file."""

from __future__ import annotations

import json
from typing import get_args

import haversack

from ._cli_arguments import add_json, once
from ._cli_state import about, changing, loaded, of_input, text_of
from ._streams import bytes_of, dumped, put, save

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ._cli_arguments import Family


def add_commands(family: Family) -> None:
    """Adds the command with its actions."""
    from ._types import Boundary

    action = family(
        "tally", "the books of a run: what every boundary kept, moved elsewhere and lost, summed over all calls"
    )

    add = action("add", "add the accounts of calls that went through a boundary", _add)
    add.add_argument("file", metavar="FILE", help="the books; new ones where there is no such file")
    names = get_args(Boundary)
    add.add_argument("boundary", metavar="BOUNDARY", choices=names, help=f"where it was: {', '.join(names)}")
    add.add_argument(
        "accounts", nargs="*", default=["-"], metavar="ACCOUNT",
        help="files with one account as JSON, or one a line: what --json of another command wrote, its member account, or "
             "counts of records alone; standard input by default",
    )
    add.add_argument(
        "--recoverable", action="store_true", help="what was omitted can still be fetched, since the source is there"
    )

    show = action("show", "the books as a table", _show)
    show.add_argument("file", metavar="FILE", help="the books; standard input for -")
    show.add_argument("--svg", metavar="FILE", help="write a picture: a bar for each boundary")

    for command in (add, show):
        add_json(command)


def _add(file: str, boundary: Any, accounts: list[str], recoverable: bool, as_json: bool) -> int:
    once(*accounts)
    read = [(place, account) for one in accounts for place, account in _accounts(one)]
    with changing(haversack.Tally, file) as tally:
        for place, account in read:
            with of_input(place):
                tally.add(boundary, account, recoverable=recoverable)
    sums = tally.sums(boundary)
    calls = sums.calls if sums else 0
    answer = {"added": len(read), "boundary": boundary, "calls": calls}
    put(dumped(answer) if as_json else f"{len(read):,} added: {calls:,} calls of {boundary}\n")
    return 0


def _accounts(file: str) -> list[tuple[str, Any]]:
    """Every account of a file, with its place."""
    data = bytes_of(file)
    with about(file):
        text = text_of(data)
        try:
            return [(file, _account(json.loads(text)))]
        except (ValueError, RecursionError) as error:
            lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
            if len(lines) < 2:
                raise haversack.InputError(f"no JSON: {error}", kind="invalid_json") from None
    name = "standard input" if file == "-" else file
    return [_of_line(f"{name}, line {number}", line) for number, line in lines]


def _of_line(place: str, line: str) -> tuple[str, Any]:
    with about(place):
        try:
            return place, _account(json.loads(line))
        except (ValueError, RecursionError) as error:
            raise haversack.InputError(f"no JSON: {error}", kind="invalid_json") from None


def _account(value: Any) -> Any:
    return value["account"] if isinstance(value, dict) and "account" in value else value


def _show(file: str, svg: str | None, as_json: bool) -> int:
    tally = loaded(haversack.Tally, file)
    if svg is not None:
        if svg == "-":
            message = "--svg takes a file: standard output has the answer"
            raise haversack.OptionsError(message, kind="invalid_option", argument="svg")
        save(svg, tally.to_svg() + "\n")
    put(tally.to_json() + "\n" if as_json else tally.table() + "\n")
    return 0
