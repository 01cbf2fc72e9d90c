"""`haversack ledger`: facts in a file, recorded, rendered and looked up."""

from __future__ import annotations

import sys
from typing import get_args

import haversack

from ._cli_arguments import UNITS, add_budget, add_json, count, with_counter
from ._cli_state import about, changing, loaded
from ._streams import bytes_of, dumped, put
from ._terminal import SHOWN, Paint, escape, headed, more, say

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence
    from typing import Any

    from ._cli_arguments import Family

NOT_FOUND = 1


def add_commands(family: Family) -> None:
    """Adds the command with its actions."""
    action = family("ledger", "facts by key, with their sources and their history, as a file keeps them")

    show = action(
        "show", "the facts as the text that is put before a model; what a budget leaves out goes to standard error", _show
    )
    _ledger(show, "the ledger: what to_json() wrote; standard input for -")
    add_budget(show, required=False)

    record = action(
        "record", "record the value of a key: it holds from now on, and an earlier one goes into the history",
        _putting(haversack.Ledger.record),
    )
    append = action("append", "add a value to a key that has several", _putting(haversack.Ledger.append))
    for command in (record, append):
        _ledger(command, "the ledger; a new one where there is no such file")
        command.add_argument("key", metavar="KEY", help="the name of the fact")
        command.add_argument("value", metavar="VALUE", help="its value, as text")
        command.add_argument("--value-json", action="store_true", help="VALUE is JSON, and keeps its spelling")
        _stated(command)

    extract = action(
        "extract", "record fields of a tool's result; writes the line that can stand in its place", _extract
    )
    _ledger(extract, "the ledger; a new one where there is no such file")
    extract.add_argument(
        "fields", nargs="+", metavar="KEY=POINTER", help="a fact and where its value stands, such as customer=/id"
    )
    extract.add_argument("--result", default="-", metavar="FILE", help="the result, as JSON; standard input by default")
    _stated(extract)

    history = action(
        "history", "every value that was recorded under a key, in that order; status 1 where there is none", _history
    )
    _ledger(history, "the ledger; standard input for -")
    history.add_argument("key", metavar="KEY", help="the name of the fact")

    for command in (show, record, append, extract, history):
        add_json(command)


def _ledger(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument("file", metavar="FILE", help=what)


def _stated(parser: argparse.ArgumentParser) -> None:
    from ._types import FactKind

    parser.add_argument("--kind", choices=get_args(FactKind), help="what it is (default fact)")
    parser.add_argument(
        "--source", metavar="SOURCE",
        help="where it comes from: user, system, agent, tool, page, email or file, and after a colon which one (default "
             "unknown)",
    )
    parser.add_argument("--turn", type=count, metavar="N", help="in which turn or step")
    parser.add_argument("--verified", action="store_true", help="it was checked")


# ---------------------------------------------------------------- show

def _show(file: str, as_json: bool, **budget: Any) -> int:
    ledger = loaded(haversack.Ledger, file)
    budget = with_counter(budget)
    text = ledger.render(**budget)
    shown = _shown(ledger, text)
    if as_json:
        unit = next((unit for unit in UNITS if unit in budget), "bytes")
        facts = [{**fact.to_dict(), "shown": there} for fact, there in shown]
        put(dumped({**text.to_dict(), "size": text.size, "unit": unit, "facts": facts}))
        return 0
    put(text.text)
    left = [fact for fact, there in shown if not there]
    if left:
        say(f"{len(left):,} of {len(shown):,} facts left out ({text.rule})")
        for line in _facts(left[:SHOWN]):
            say(line)
        for line in more(left):
            say(line)
    return 0


def _shown(ledger: haversack.Ledger, text: haversack.Rendered) -> list[tuple[haversack.Fact, bool]]:
    """Every fact with whether its line is in the text: lines stand in one order under every budget."""
    lines = iter(text.text.split("\n")[1:])
    line = next(lines, None)
    found: list[tuple[haversack.Fact, bool]] = []
    for fact, whole in zip(ledger.facts(), ledger.render().text.split("\n")[1:], strict=False):
        found.append((fact, whole == line))
        if whole == line:
            line = next(lines, None)
    return found


def _facts(facts: Sequence[haversack.Fact]) -> list[str]:
    rows = [[escape(f.key, 60), f.kind, escape(f.source, 60), _turn(f), escape(f.json, 60)] for f in facts]
    return headed(["key", "kind", "source", "turn", "value"], rows, Paint(None))


def _turn(fact: haversack.Fact) -> str:
    return "" if fact.turn is None else f"{fact.turn:,}"


# ---------------------------------------------------------------- record, append, extract

def _putting(way: Callable[..., str]) -> Callable[..., int]:
    def run(file: str, key: str, value: str, value_json: bool, as_json: bool, **stated: Any) -> int:
        with changing(haversack.Ledger, file) as ledger:
            outcome = way(ledger, key, value, json=value_json, **stated)
        answer = {"outcome": outcome, "facts": len(ledger), "bytes": ledger.bytes}
        put(dumped(answer) if as_json else f"{outcome}: {len(ledger):,} facts, {ledger.bytes:,} bytes of lines\n")
        return 0

    return run


def _extract(file: str, fields: list[str], result: str, as_json: bool, **stated: Any) -> int:
    pointers: dict[str, str] = {}
    for field in fields:
        key, equals, pointer = field.partition("=")
        if not equals or key in pointers:
            wrong = "is there twice" if equals else "is not KEY=POINTER"
            raise haversack.OptionsError(f"{escape(field, 32)} {wrong}", kind="invalid_option", argument="pointers")
        pointers[key] = pointer
    data = bytes_of(result)
    with changing(haversack.Ledger, file) as ledger, about(result):
        extracted = ledger.extract(data, pointers, **stated)
    put(extracted.to_json() + "\n" if as_json else extracted.text)
    return 0


# ---------------------------------------------------------------- history

def _history(file: str, key: str, as_json: bool) -> int:
    facts = loaded(haversack.Ledger, file).history(key)
    if as_json:
        put(dumped({"key": key, "history": [fact.to_dict() for fact in facts]}))
    elif facts:
        rows = [[_turn(f), escape(f.json), f.kind, _sources(f), "" if f.superseded else "holds"] for f in facts]
        put("\n".join(headed(["turn", "value", "kind", "source", ""], rows, Paint(sys.stdout))) + "\n")
    else:
        say(f"nothing was recorded under {escape(key)}")
    return 0 if facts else NOT_FOUND


def _sources(fact: haversack.Fact) -> str:
    more = f" and {len(fact.also):,} more" if fact.also else ""
    return escape(fact.source, 60) + (", verified" if fact.verified else "") + more
