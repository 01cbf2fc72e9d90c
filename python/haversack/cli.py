"""The command `haversack`: tool output, chat histories, prompts and what a run remembers, for files and pipes."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys

import haversack

from . import _cli_handoff, _cli_history, _cli_ledger, _cli_memory, _cli_prompt, _cli_tally, _cli_transcript
from ._cli_arguments import UNITS, add_budget, count, limit, with_counter
from ._streams import ERR, OUT, Unread, Unwritten, bytes_of, put, write
from ._terminal import SHOWN, Paint, escape, forget, more, say, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from ._cli_arguments import Add

USAGE, CANNOT_FIT, INVALID_INPUT, UNWRITTEN, INTERRUPTED = 2, 3, 4, 5, 130

_EXITS = """exit status: 0 done, 1 check found violations, repair left some, compare found a break, a prompt is over its
budget, a worker gave no answer that holds, a transcript is damaged or a reference leads nowhere, or nothing was found, 2
wrong usage or an input that cannot be read, 3 the budget is too small, 4 the input is not what it has to be, 5 the answer
cannot be written, 130 interrupted"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line and returns the exit status."""
    if hasattr(signal, "SIGPIPE"):
        # `| head` closes the pipe: end as every other filter does, without a word.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    if sys.stderr is None:  # closed (`2>&-`): what would be said there is not said elsewhere
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    try:
        options = _arguments(arguments)
        run = options.pop("run")
        if sys.stdout is None:
            raise Unwritten(f"{OUT} is closed")
        prepare = options.pop("prepare", _run)
        status: int = prepare(run, options)
        return status
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Where there is no SIGPIPE: nobody reads what is left.
        if sys.stdout is not None:
            forget(sys.stdout)
        return 0
    except Unwritten as error:
        return _fail(str(error), UNWRITTEN)
    except haversack.BudgetError as error:
        return _fail(str(error), CANNOT_FIT)
    except (haversack.InputError, haversack.PromptError, haversack.StateError) as error:
        return _fail(str(error), INVALID_INPUT)
    except haversack.HaversackError as error:
        return _fail(str(error), USAGE)
    except Unread as error:
        return _fail(str(error), USAGE)


def _fail(message: str, status: int) -> int:
    say(message)
    return status


# ---------------------------------------------------------------- running

def _arguments(arguments: Sequence[str] | None) -> dict[str, Any]:
    try:
        return vars(_parser().parse_args(arguments))
    except SystemExit:
        # After --help or --version: what they wrote is still in the buffer.
        if sys.stdout is not None:
            write(sys.stdout, OUT, "")
        raise


def _run(run: Callable[..., haversack.Delivery], options: dict[str, Any]) -> int:
    file, encoding_errors = options.pop("file"), options.pop("encoding_errors")
    must_find = options.pop("must_find", False)
    as_json, with_account = options.pop("json"), options.pop("account")
    most = next(options[unit] for unit in UNITS if options[unit] is not None)
    options = with_counter(options)
    if "earlier" in options:
        options["earlier"] = _account_of(options["earlier"])
    if "limits" in options:
        options["limits"] = dict(options["limits"])

    payload, replaced = _read(file, encoding_errors)
    if replaced:
        say(f"{replaced} {'sequence' if replaced == 1 else 'sequences'} of bytes that are no UTF-8 replaced by U+FFFD")
    delivery = run(payload, **options)

    put(delivery.to_json() + "\n" if as_json else delivery.text)
    if with_account:
        write(sys.stderr, ERR, "\n".join(_account(delivery, most, Paint(sys.stderr))) + "\n")
    return 1 if must_find and delivery.account.total == 0 else 0


def _run_history(run: Callable[..., int], options: dict[str, Any]) -> int:
    how = {name: options.pop(name) for name in ("format", "profile", "request", "limits")}
    how = {name: value for name, value in how.items() if value is not None}
    if "request" in how:
        how["request"] = _request_of(how["request"])
    if "limits" in how:
        how["limits"] = dict(how["limits"])
    history = haversack.History(bytes_of(options.pop("file")), **how)
    return run(history, put, options.pop("json"), **options)


def _run_plain(run: Callable[..., int], options: dict[str, Any]) -> int:
    return run(**options)


def _read(file: str, encoding_errors: str) -> tuple[bytes | str, int]:
    """The input, and how many sequences of bytes were replaced in it."""
    data = bytes_of(file)
    if encoding_errors == "strict":
        return data, 0
    import codecs

    replaced = 0

    def replace(error: UnicodeError) -> tuple[str, int]:
        nonlocal replaced
        if not isinstance(error, UnicodeDecodeError):
            raise error
        replaced += 1
        return "\ufffd", error.end

    codecs.register_error("haversack.replace", replace)
    text = data.decode("utf-8", "haversack.replace")
    return (text, replaced) if replaced else (data, 0)


def _account_of(file: str) -> haversack.Account:
    """The account in a file: what `--json` wrote, or its member `account`."""
    data = bytes_of(file)
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise haversack.OptionsError(f"--earlier: {error}", kind="invalid_option", argument="earlier") from None
    if isinstance(value, dict) and "account" in value:
        value = value["account"]
    return haversack.Account.from_dict(value)


def _request_of(file: str) -> str:
    """The request in a file, as text: what it has to be is judged where it is read."""
    try:
        return bytes_of(file).decode("utf-8")
    except UnicodeDecodeError as error:
        raise haversack.OptionsError(f"--request: {error}", kind="invalid_option", argument="request") from None


# ---------------------------------------------------------------- the account as a table

def _account(d: haversack.Delivery, most: int, paint: Paint) -> list[str]:
    whole = "complete" if d.complete else "incomplete"
    state = paint("green" if d.complete else "yellow", whole)
    lines = [f"{d.format}, {d.size:,} of {most:,} {d.unit}, {state}"]

    head = ["list", "total", "kept", "shrunk", "offloaded", "omitted", "bytes kept", "next"]
    rows = [head]
    for pointer, books in list(d.lists.items())[:SHOWN]:
        rows.append([_name(pointer), *_numbers(books), _cursor(books.next)])
    if len(d.lists) != 1:
        rows.append(["all", *_numbers(d.account), _cursor(d.next)])
    # Columns of zeros say nothing.
    empty = {i for i in (3, 4) if all(row[i] == "0" for row in rows[1:])}
    rows = [[cell for i, cell in enumerate(row) if i not in empty] for row in rows]
    first, *rest = _left_end(table([row[:-1] for row in rows]), [row[-1] for row in rows])
    lines += [paint("bold", first), *rest]

    lines += more(d.lists, "lists")
    if d.account.fields_removed:
        lines.append(f"{d.account.fields_removed:,} members left out by select")
    if d.account.claimed:
        lines.append(f"the input says of itself: {d.account.claimed.omitted:,} of {d.account.claimed.total:,} left out before")
    for warning in d.warnings:
        place = "" if warning.offset is None else f" at byte {warning.offset:,}"
        subject = f" {escape(warning.subject)}" if warning.subject else ""
        lines.append(paint("yellow", f"warning: {warning.kind}{subject}{place}"))
    return lines


def _left_end(lines: list[str], ends: list[str]) -> list[str]:
    from ._terminal import width

    room = max(width(line) for line in lines)
    return [(line + " " * (room - width(line)) + "  " + end).rstrip() for line, end in zip(lines, ends, strict=True)]


def _name(pointer: str) -> str:
    return escape(pointer) if pointer else "(root)"


def _numbers(books: haversack.Account | haversack.ListAccount) -> list[str]:
    counts = (books.total, books.kept, books.shrunk, books.offloaded, books.omitted)
    return [f"{n:,}" for n in counts] + [f"{books.bytes.kept:,}"]


def _cursor(cursor: str | None) -> str:
    return "" if cursor is None else escape(cursor)


# ---------------------------------------------------------------- arguments

def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="haversack",
        description="Decides what a language model gets to see: tool output cut on records, chat histories cut where "
                    "providers accept it, facts with their sources.",
        epilog=_EXITS,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"haversack {haversack.__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    deliver = _command(commands, "deliver", haversack.deliver, "what the model should see of a tool's output")
    _file(deliver)
    _deliver_options(deliver)
    _common_options(deliver)

    page = _command(commands, "page", haversack.page, "some lines of a text, or of a string inside JSON")
    _file(page)
    page.add_argument("--start", type=count, metavar="LINE", help="the first line, from 1 (default 1)")
    page.add_argument("--lines", type=count, metavar="N", help="how many lines at most (default 100)")
    _at(page, "the string inside JSON whose lines are shown")
    _common_options(page)

    find = _command(commands, "find", haversack.find, "the lines around each place where a text stands")
    find.add_argument("needle", metavar="TEXT", help="what to look for: exact text, no pattern")
    _file(find)
    find.add_argument("--context", type=count, metavar="N", help="lines around each match (default 2)")
    find.add_argument("--limit", type=count, metavar="N", help="matches at most (default 20)")
    _at(find, "the string inside JSON that is searched")
    _common_options(find)

    def add(name: str, what: str, **defaults: Any) -> argparse.ArgumentParser:
        command: argparse.ArgumentParser = commands.add_parser(
            name, help=what, description=f"Shows {what}.", epilog=_EXITS, allow_abbrev=False
        )
        command.set_defaults(**defaults)
        return command

    def history(name: str, what: str, run: Callable[..., int]) -> argparse.ArgumentParser:
        command = add(name, what, run=run, prepare=_run_history)
        _cli_history.add_common(command)
        return command

    def plain(name: str, what: str, run: Callable[..., int]) -> argparse.ArgumentParser:
        return add(name, what, run=run, prepare=_run_plain)

    def family(name: str, what: str) -> Add:
        """A command of several actions: answers what adds one."""
        actions = add(name, what).add_subparsers(title="actions", required=True, metavar="ACTION")

        def action(name: str, what: str, run: Callable[..., int]) -> argparse.ArgumentParser:
            command: argparse.ArgumentParser = actions.add_parser(
                name, help=what, description=f"{what[0].upper()}{what[1:]}.", epilog=_EXITS, allow_abbrev=False
            )
            command.set_defaults(run=run, prepare=_run_plain)
            return command

        return action

    _cli_history.add_commands(history)
    _cli_prompt.add_commands(plain)
    _cli_ledger.add_commands(family)
    _cli_memory.add_commands(family)
    _cli_handoff.add_commands(plain)
    _cli_transcript.add_commands(family)
    _cli_tally.add_commands(family)
    return parser


def _command(commands: Any, name: str, function: Callable[..., haversack.Delivery], what: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=what, description=f"Shows {what}, within a budget.", epilog=_EXITS, allow_abbrev=False
    )
    if name == "find":
        parser.set_defaults(run=lambda payload, needle, **options: function(payload, needle, **options), must_find=True)
    else:
        parser.set_defaults(run=function)
    add_budget(parser, required=True)
    return parser


def _file(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", default="-", metavar="FILE", help="the input; standard input by default")


def _at(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument("--at", metavar="POINTER", help=f"{what}, such as /stdout")


def _deliver_options(parser: argparse.ArgumentParser) -> None:
    def choice(name: str, values: str, what: str) -> None:
        parser.add_argument(f"--{name}", choices=values.split(), help=what)

    def several(name: str, metavar: str, what: str) -> None:
        parser.add_argument(f"--{name}", action="append", metavar=metavar, help=f"{what}; may be given again")

    choice("format", "auto json ndjson csv tsv lines", "read the input as this (default auto: detected)")
    several("select", "POINTER", "keep only what this leads to (* for every element or member)")
    parser.add_argument("--sort-by", metavar="POINTER", help="order records by the value there")
    parser.add_argument("--descending", action="store_true", default=None, help="largest first")
    choice("share", "fair proportional in_order", "how sibling lists share the budget (default fair)")
    several("priority", "POINTER", "serve this list first, to its full demand")
    choice("keep", "head tail both", "which end is kept (default: head of records, both ends of lines)")
    choice("oversize", "shrink skip error", "what happens to a record larger than its list's share (default shrink)")
    choice("envelope", "when_cut always", "when a root array is wrapped with its counts (default when_cut)")
    parser.add_argument(
        "--nested", action=argparse.BooleanOptionalAction, default=None, help="cut JSON inside strings on its records (default)"
    )
    choice("on-invalid", "error lines salvage", "what happens to input that is not of the format named (default error)")
    several("prefer", "TEXT", "keep lines that hold this before others")
    choice("ansi", "keep strip", "what happens to colour sequences in lines (default keep)")
    parser.add_argument("--collapse", action="store_true", default=None, help="count equal lines instead of repeating them")
    choice("source", "kept gone", "say whether the original is still there")
    choice("notice", "text none", "where the notice of lines, CSV and NDJSON goes (default text)")
    parser.add_argument("--earlier", metavar="FILE", help="the account of an earlier cut: what --json wrote then")


def _common_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--cursor", metavar="CURSOR", help="go on from there: the next of an earlier answer")
    parser.add_argument("--reader", metavar="TOOL", help="the tool that the notice names for reading on")
    parser.add_argument("--hint", metavar="LINE", help="a line of your own for the notice")
    parser.add_argument("--limits", action="append", type=limit, metavar="NAME=N", help="another limit; may be given again")
    parser.add_argument("--account", action="store_true", help="write the books to standard error, as a table")
    parser.add_argument("--json", action="store_true", help="write the whole answer as JSON, not only its text")
    parser.add_argument(
        "--encoding-errors", choices=("strict", "replace"), default="strict",
        help="bytes that are no UTF-8: an error (default), or replaced and counted",
    )


if __name__ == "__main__":
    raise SystemExit(main())
