"""`haversack check`, `cut` and `repair`: chat histories in files and pipes."""

from __future__ import annotations

import sys

import haversack

from ._cli_arguments import add_counter, count, limit, with_counter
from ._streams import dumped
from ._terminal import SHOWN, Paint, escape, more, say, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable
    from typing import Any

    from ._cli_arguments import Add

VIOLATIONS, CANNOT_FIT = 1, 3
FORMATS = ("auto", "openai_chat", "openai_responses", "anthropic", "gemini", "bedrock")


def add_commands(add: Add) -> None:
    """Adds the three commands by `add(name, what, run)`."""
    check = add("check", "what a provider would refuse in a chat history", _check)
    check.add_argument("--sending", action="store_true", help="it goes out next: open calls at its end count too")

    cut = add("cut", "the newest part of a chat history that fits, cut where providers accept it", _cut)
    budgets = cut.add_argument_group("budget, exactly one").add_mutually_exclusive_group(required=True)
    budgets.add_argument("--tokens", type=count, metavar="N", dest="keep_tokens", help="keep at most N tokens")
    budgets.add_argument("--messages", type=count, metavar="N", dest="keep_messages", help="keep at most N messages")
    budgets.add_argument("--chars", type=count, metavar="N", dest="keep_chars", help="keep at most N characters of JSON")
    budgets.add_argument("--bytes", type=count, metavar="N", dest="keep_bytes", help="keep at most N bytes of JSON")
    budgets.add_argument("--utf16", type=count, metavar="N", dest="keep_utf16", help="keep at most N UTF-16 code units")
    add_counter(cut, "what counts tokens:")
    cut.add_argument("--pin", action="append", type=count, metavar="INDEX", dest="pinned", help="keep this message; may be given again")
    cut.add_argument("--portable", action="store_true", help="cut only where every format accepts it")

    repair = add("repair", "a chat history with the smallest change after which its provider takes it", _repair)
    repair.add_argument("--missing", choices=("synthesise", "drop"), help="a call without a result (default synthesise one)")
    repair.add_argument("--orphan", choices=("drop", "text"), help="a result without a call (default drop it)")
    repair.add_argument("--sending", action="store_true", help="it goes out next: open calls at its end are answered too")


def add_common(parser: argparse.ArgumentParser) -> None:
    """The options of all three."""
    parser.add_argument("file", nargs="?", default="-", metavar="FILE", help="a request body or a list of messages, as JSON")
    parser.add_argument("--format", choices=FORMATS, help="read it as this (default auto: detected)")
    parser.add_argument("--profile", metavar="NAME", help="the rules that count: strict (default) or a server")
    parser.add_argument("--request", metavar="FILE", help="the request beside a bare list, as JSON: model, store and tools decide some rules")
    parser.add_argument("--limits", action="append", type=limit, metavar="NAME=N", help="another limit, here depth")
    parser.add_argument("--json", action="store_true", help="write the whole answer as JSON")


def _check(history: haversack.History, write: Callable[[str], None], as_json: bool, sending: bool) -> int:
    found = history.violations(sending=sending)
    if as_json:
        write(dumped({**_about(history), "violations": [_violation(v) for v in found]}))
    else:
        write("\n".join(_table(history, found, Paint(sys.stdout))) + "\n")
    return VIOLATIONS if found else 0


def _cut(history: haversack.History, write: Callable[[str], None], as_json: bool, **options: Any) -> int:
    options = with_counter({name: value for name, value in options.items() if value is not False}, "keep_tokens")
    cut = history.cut(**options)
    if isinstance(cut, haversack.NothingToCut):
        say(f"nothing was cut: {cut.reason}")
        # What fits goes out as it came; what does not is no output.
        if as_json or cut.reason == "fits":
            write(dumped({**_about(history), "nothing": cut.reason}) if as_json else history.text)
        return 0 if cut.reason == "fits" else CANNOT_FIT
    if as_json:
        write(dumped({
            **_about(history), "index": cut.index, "reason": cut.reason, "kept": cut.kept, "dropped": cut.dropped,
            "size_before": cut.size_before, "size_after": cut.size_after, "alternation": cut.alternation,
            "strip": [dict(zip(("index", "path", "what"), s, strict=True)) for s in cut.strip],
            "reduced": [dict(zip(("index", "path", "before", "after"), r, strict=True)) for r in cut.reduced],
            "text": cut.text,
        }))
        return 0
    say(f"cut at message {cut.index}: {len(cut.kept):,} of {len(history):,} messages kept, "
         f"{cut.size_after:,} of {cut.size_before:,}; {cut.reason}")
    write(cut.text)
    return 0


def _repair(history: haversack.History, write: Callable[[str], None], as_json: bool, **options: Any) -> int:
    repair = history.repair(**{name: value for name, value in options.items() if value is not None and value is not False})
    if as_json:
        changes = [
            {"action": c.action, "violation": c.violation, "index": c.index, "path": c.path, "message": c.message}
            for c in repair.changes
        ]
        remaining = [_violation(v) for v in repair.remaining]
        write(dumped({**_about(history), "changes": changes, "remaining": remaining, "text": repair.text}))
        return VIOLATIONS if remaining else 0
    rows = [[str(c.index), c.action, c.violation, c.message] for c in repair.changes[:SHOWN]]
    for line in _rows(["message", "action", "violation", ""], rows, Paint(None)) if rows else ["nothing to repair"]:
        say(line)
    for line in more(repair.changes, "changes"):
        say(line)
    for line in _remaining(repair.remaining):
        say(line)
    write(repair.text)
    return VIOLATIONS if repair.remaining else 0


def _remaining(left: list[haversack.Violation]) -> list[str]:
    if not left:
        return []
    rows = [[str(v.index), v.kind, v.message] for v in left[:SHOWN]]
    lines = [f"{len(left):,} violations that no change of the messages mends:"]
    return lines + _rows(["message", "violation", ""], rows, Paint(None))


def _about(history: haversack.History) -> dict[str, Any]:
    return {"format": history.format, "certain": history.certain, "messages": len(history)}


def _violation(v: haversack.Violation) -> dict[str, Any]:
    return {"kind": v.kind, "index": v.index, "path": v.path, "id": v.id, "message": v.message, "provider": v.provider}


def _table(history: haversack.History, found: list[haversack.Violation], paint: Paint) -> list[str]:
    guess = "" if history.certain else " (not certain; --format names it)"
    state = paint("red" if found else "green", f"{len(found):,} violations" if found else "valid")
    lines = [f"{history.format}{guess}, {len(history):,} messages, {len(history.steps):,} steps: {state}"]
    if found:
        lines += _rows(["message", "violation", ""], [[str(v.index), v.kind, v.message] for v in found[:SHOWN]], paint)
    lines += more(found)
    return lines


def _rows(head: list[str], rows: list[list[str]], paint: Paint) -> list[str]:
    """A table whose last column, a sentence, stands at the left like text."""
    first, *rest = table([row[:-1] for row in [head, *rows]], left=0)
    return [paint("bold", first), *(f"{line}  {escape(row[-1], 200)}" for line, row in zip(rest, rows, strict=True))]
