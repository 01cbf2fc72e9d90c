"""`haversack compare` and `prompt`: where the cache broke and what it cost, and what a prompt is made of."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import NamedTuple

import haversack

from ._cli_arguments import add_counter, add_json, count, default_counter
from ._picture import Bar, Chart, picture
from ._recording import Call, calls
from ._streams import bytes_of, dumped, put, save
from ._terminal import SHOWN, Paint, escape, more, table, width

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from ._cli_arguments import Add

FOUND = 1
RULES = (
    "auto", "openai/auto", "openai/breakpoint", "anthropic", "bedrock", "gemini/implicit", "gemini/explicit", "vllm", "sglang",
)
FORMATS = ("auto", "openai_chat", "openai_responses", "anthropic", "gemini", "bedrock")
_BAR = 30
_CALLS = 50


def add_commands(add: Add) -> None:
    """Adds the two commands by `add(name, what, run)`."""

    def common(parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--format", choices=FORMATS, help="read every body as this (default auto: detected)")
        add_counter(parser, "count tokens too, by")
        add_json(parser)

    compare = add("compare", "which call broke the prompt cache, in which piece, at which byte, why, and what it cost", _compare)
    compare.add_argument(
        "files", nargs="*", metavar="FILE",
        help="two request bodies, the earlier first; or one recording as JSON Lines, of which a line is a body, or an object with it in "
             "request or body, and with time and usage where they are known; standard input by default, and for -",
    )
    compare.add_argument(
        "--rules", choices=RULES, metavar="NAME",
        help=f"say what it cost by these cache rules: {', '.join(RULES)} (auto: those of the model)",
    )
    compare.add_argument("--elapsed", type=count, metavar="SECONDS", help="between two calls without times (default 0)")
    compare.add_argument("--ttl", type=count, metavar="SECONDS", help="how long the cache keeps what does not say it itself")
    compare.add_argument("--html", metavar="FILE", help="write a picture as one HTML file: a stacked bar for each call")
    common(compare)

    prompt = add("prompt", "what a request is made of: the size of every piece, dead weight and volatile values", _prompt)
    prompt.add_argument("file", nargs="?", default="-", metavar="FILE", help="a request body; standard input by default")
    prompt.add_argument("--budget", type=count, metavar="N", help="what it may take at most, in tokens with --counter, else in bytes")
    common(prompt)


# ---------------------------------------------------------------- compare

class _Result(NamedTuple):
    """What was found about one call."""

    call: Call
    found: haversack.Comparison
    bytes: int
    tokens: int | None
    cost: haversack.Prediction | None

    @property
    def broke(self) -> bool:
        return self.found.verdict not in ("first", "same", "extended")


def _compare(
    files: list[str], format: str | None, counter: str | None, rules: str | None, elapsed: int | None, ttl: int | None,
    html: str | None, as_json: bool,
) -> int:
    if len(files) > 2 or files == ["-", "-"]:
        raise _wrong("two request bodies or one recording, and - once at most", "files")
    if html == "-":
        raise _wrong("--html takes a file: standard output has the answer", "html")
    if rules is None and (elapsed is not None or ttl is not None):
        raise _wrong("--elapsed and --ttl say nothing without --rules", "rules")
    if rules is not None and counter is None:
        counter = default_counter()

    given = _bodies(files) if len(files) == 2 else calls(bytes_of(*files or ["-"]))
    how = {"counter": counter, "format": format, "ttl": ttl, "rules": None if rules == "auto" else rules}
    results = list(_results(given, how, elapsed, rules is not None))
    if not results:
        raise haversack.InputError("there is no request in it", kind="not_a_history")

    if html is not None:
        save(html, _pictured(" and ".join(map(os.path.basename, files or ["-"])), results))
    if as_json:
        answer = {"counter": counter, "breaks": sum(r.broke for r in results), "calls": [_call(r) for r in results]}
        put(dumped(answer))
    else:
        put("\n".join(_table(results, counter is not None, Paint(sys.stdout))) + "\n")
    return FOUND if any(r.broke for r in results) else 0


def _bodies(files: list[str]) -> Iterator[Call]:
    for number, file in enumerate(files, 1):
        yield Call(bytes_of(file), number, "standard input" if file == "-" else file, 0, None, None)


def _results(given: Iterator[Call], how: dict[str, Any], elapsed: int | None, priced: bool) -> Iterator[_Result]:
    """Every call beside the one before it: two are held at a time."""
    before: tuple[Call, haversack.Snapshot] | None = None
    for call in given:
        with _at(call):
            taken = haversack.Prompt.from_request(call.body, format=how["format"]).snapshot(counter=how["counter"])
            found = haversack.compare(before[1] if before else None, taken)
            cost = None
            if priced:
                previous = before[0] if before else None
                passed = _passed(previous, call, elapsed)
                cost = haversack.predict(previous.body if previous else None, call.body, elapsed=passed, **how)
        yield _Result(call, found, taken.bytes, taken.tokens, cost)
        before = (call, taken)


def _passed(previous: Call | None, call: Call, elapsed: int | None) -> int | None:
    if previous is None or previous.time is None or call.time is None:
        return elapsed
    if call.time < previous.time:
        raise haversack.InputError(f"time is before that of line {previous.line}", kind="bad_argument")
    return (call.time - previous.time) // 1_000_000


@contextmanager
def _at(call: Call) -> Iterator[None]:
    """Says of errors which call they are about; their bytes are those of the body."""
    try:
        yield
    except haversack.HaversackError as error:
        start = f" of a body that starts at byte {call.start:,}" if call.start and error.offset is not None else ""
        error.args = (f"{call.place}: {error}{start}",)
        raise


def _wrong(message: str, argument: str) -> haversack.OptionsError:
    return haversack.OptionsError(message, kind="invalid_option", argument=argument)


def _table(results: list[_Result], counted: bool, paint: Paint) -> list[str]:
    broken = [r for r in results if r.broke]
    shown = results if len(results) <= SHOWN else broken[:SHOWN]
    columns: list[tuple[str, Callable[[_Result], str]]] = [
        ("call", lambda r: str(r.call.line)),
        ("verdict", lambda r: r.found.verdict),
        ("piece", lambda r: escape(r.found.piece or "", 60)),
        ("cause", _cause),
        ("byte", _byte),
        ("kept bytes", lambda r: f"{r.found.kept_bytes:,}"),
        ("lost bytes", lambda r: f"{r.found.lost_bytes:,}"),
    ]
    if counted:
        columns += [("kept tokens", lambda r: _number(r.found.kept_tokens)), ("lost tokens", lambda r: _number(r.found.lost_tokens))]
    if results[0].cost:
        for name in ("cached", "written", "fresh"):
            columns.append((name, lambda r, name=name: _number(getattr(r.cost, name))))  # type: ignore[misc]
        columns += [("billed", lambda r: _units(r.cost.billed if r.cost else 0)), ("reason", lambda r: r.cost.reason if r.cost else "")]
    if any(r.call.read is not None for r in results):
        columns.append(("provider read", lambda r: _number(r.call.read)))

    state = paint("red" if broken else "green", f"{len(broken):,} broke the cache" if broken else "none broke the cache")
    lines = [f"{len(results):,} calls, {state}"]
    if shown:
        first, *rest = table([[name for name, _ in columns], *([cell(r) for _, cell in columns] for r in shown)], left=4)
        lines += [paint("bold", first), *(paint("red", line) if r.broke else line for line, r in zip(rest, shown, strict=True))]
    if len(results) > len(shown):
        lines.append(f"{len(results) - len(shown):,} calls are not shown, {len(broken) - sum(r.broke for r in shown):,} of them broke "
                     "(--json has them all)")
    return [*lines, *_bill(results)]


def _cause(r: _Result) -> str:
    others = len(r.found.changes) - 1
    return (r.found.cause or "") + (f", {others:,} more" if others > 0 else "")


def _byte(r: _Result) -> str:
    return _number(r.found.at_byte)


def _bill(results: list[_Result]) -> list[str]:
    costs = [r.cost for r in results if r.cost]
    if not costs:
        return []
    total, cached, billed = (sum(getattr(c, name) for c in costs) for name in ("total", "cached", "billed"))
    rules = ", ".join(sorted({c.rules for c in costs}))
    return [f"by {rules}: {cached:,} of {total:,} tokens from the cache, billed as {_units(billed)} fresh ones"]


def _units(billed: int) -> str:
    """The price of so many fresh tokens, out of thousandths."""
    return f"{billed // 1_000:,}.{billed % 1_000 // 100}"


def _number(n: int | None) -> str:
    return "" if n is None else f"{n:,}"


def _call(r: _Result) -> dict[str, Any]:
    answer = _fields(r.found, "verdict piece index at_byte at_byte_exact cause kept_bytes lost_bytes kept_tokens lost_tokens")
    answer["changes"] = [_fields(c, "verdict piece was index at_byte at_byte_exact cause volatile") for c in r.found.changes]
    answer["cost"] = r.cost and _fields(r.cost, "cached cached_range written fresh total billed reason rules source")
    return {"line": r.call.line, "broke": r.broke, "bytes": r.bytes, "tokens": r.tokens, **answer, "provider_read": r.call.read}


def _pictured(name: str, results: list[_Result]) -> str:
    """Tokens by price where there are rules, else bytes that stayed and bytes that are new."""
    costs = [r.cost for r in results if r.cost]
    unit = "tokens" if costs else "bytes"
    parts = ("cached", "written", "fresh") if costs else ("as before", "other")
    bars = []
    for r in results:
        sizes = (r.cost.cached, r.cost.written, r.cost.fresh) if r.cost else (r.found.kept_bytes, r.bytes - r.found.kept_bytes)
        place = r.found.verdict + (f": {r.found.piece}" if r.found.piece else "")
        where = "" if r.found.at_byte is None else f" at byte {r.found.at_byte:,}"
        tip = [f"call {r.call.line}", place, *([_cause(r) + where] if r.found.cause else [])]
        tip += [f"{size:,} {unit} {part}" for size, part in zip(sizes, parts, strict=True)]
        tip += [f"billed as {_units(r.cost.billed)} fresh tokens, {r.cost.reason}"] if r.cost else []
        read = r.call.read if r.cost else None
        tip += [] if read is None else [f"{read:,} tokens read from the cache by the provider's own count"]
        missed = bool(r.cost and not r.cost.cached and not r.broke and r.cost.reason in ("expired", "out_of_reach"))
        bars.append(Bar(str(r.call.line), sizes, r.broke, tip, read, missed))
    broken = [r for r in results if r.broke]
    shown = broken[:SHOWN]
    told = ["call", "verdict", "piece", "cause", "byte", "lost bytes"]
    rows = [[str(r.call.line), r.found.verdict, escape(r.found.piece or "", 40), _cause(r), _byte(r), f"{r.found.lost_bytes:,}"] for r in shown]
    return picture(Chart(
        title=name,
        summary=[f"{len(results):,} calls, {len(broken):,} broke the cache", *_bill(results)],
        unit=unit,
        legend=[f"{unit} {part}" for part in parts],
        line="tokens read from the cache by the provider's own count",
        bars=bars, head=told, rows=rows,
        rest=f"{len(broken) - len(shown):,} more are not shown (--json has them all)" if len(broken) > len(shown) else "",
    ))


# ---------------------------------------------------------------- prompt

def _prompt(file: str, format: str | None, counter: str | None, budget: int | None, as_json: bool) -> int:
    taken = haversack.Prompt.from_request(bytes_of(file), format=format)  # type: ignore[arg-type]
    report = taken.report(budget=budget, counter=counter)  # type: ignore[arg-type]
    volatile = haversack.volatile(taken)
    if as_json:
        size = "name layer kind size budget over owner"
        put(dumped({
            "format": taken.format, "counter": counter,
            **_fields(report, "unit total budget over layers kinds before_conversation per_call old_results resolved_errors thinking dead_share"),
            "growth": None if report.per_call is None else {"calls": _CALLS, **_fields(_grown(report), "largest input repeated")},
            "pieces": [_fields(p, size) for p in report.pieces], "overran": [_fields(p, size) for p in report.overran],
            "volatile": [_fields(v, "piece index layer kind at_byte bytes") for v in volatile],
        }))
    else:
        put("\n".join(_budget(taken, report, volatile, Paint(sys.stdout))) + "\n")
    return FOUND if report.over else 0


def _budget(
    taken: haversack.Prompt, report: haversack.Report, volatile: list[haversack.VolatileValue], paint: Paint
) -> list[str]:
    within = "" if report.budget is None else f" of {report.budget:,}"
    lines = [f"{taken.format or 'no format'}, {len(report.pieces):,} pieces, {report.total:,}{within} {report.unit}"]
    if report.over:
        lines.append(paint("red", f"{report.over:,} {report.unit} over the budget, which ends in {escape(_last_within(report))}"))

    # Of many pieces the largest, in the order of the prompt.
    floor = sorted((p.size for p in report.pieces), reverse=True)[:SHOWN][-1:]
    shown = [p for p in report.pieces if [p.size] >= floor][:SHOWN]
    rows = [[escape(p.name, 60), p.layer, p.kind, f"{p.size:,}"] for p in shown]
    lines += _barred(["piece", "layer", "kind", report.unit], rows, [p.size for p in shown], paint, 3)
    if len(report.pieces) > len(shown):
        rest = sum(p.size for p in report.pieces) - sum(p.size for p in shown)
        lines.append(f"… and {len(report.pieces) - len(shown):,} smaller pieces of {rest:,} {report.unit} (--json has them all)")
    for head, sizes in (("layer", report.layers), ("kind", report.kinds)):
        there = {name: size for name, size in sizes.items() if size}
        if there:
            lines += ["", *_barred([head, report.unit], [[name, f"{size:,}"] for name, size in there.items()], list(there.values()), paint, 1)]

    lines += ["", f"{report.before_conversation:,} {report.unit} stand before the conversation"]
    if report.per_call is not None:
        grown = _grown(report)
        lines.append(f"{report.per_call:,} {report.unit} more with each answer so far: {_CALLS} more calls would send {grown.input:,}, "
                     f"{grown.repeated:,} of them again")
    dead = ((report.old_results, "old tool results"), (report.resolved_errors, "errors resolved since"), (report.thinking, "thinking of turns that ended"))
    for weight, what in dead:
        if weight:
            lines.append(paint("yellow", f"dead weight: {weight:,} {report.unit} of {what}"))
    if report.dead_share:
        lines.append(paint("yellow", f"{report.dead_share // 100}.{report.dead_share % 100:02} % of all is dead weight"))
    lines += [paint("yellow", f"volatile: {v.kind} in {escape(v.piece)} ({v.layer}) at byte {v.at_byte:,}, {v.bytes:,} bytes")
              for v in volatile[:SHOWN]]
    lines += more(volatile, "volatile values")
    return lines


def _grown(report: haversack.Report) -> haversack.Growth:
    """The next calls, if the conversation goes on growing as it did."""
    more = report.per_call or 0
    return haversack.growth(first=report.total + more, per_call=more, calls=_CALLS)


def _last_within(report: haversack.Report) -> str:
    """The piece in which the sum passes the budget."""
    total = 0
    for piece in report.pieces:
        total += piece.size if piece.kind != "setting" else 0
        if total > (report.budget or 0):
            return piece.name
    return ""


def _barred(head: list[str], rows: list[list[str]], sizes: Sequence[int], paint: Paint, left: int) -> list[str]:
    """A table with a bar behind every row, the longest for the largest."""
    first, *rest = table([head, *rows], left)
    room, largest = max(map(width, (first, *rest))), max(sizes, default=0) or 1
    bars = ("█" * (_BAR * size // largest) or ("▏" if size else "") for size in sizes)
    return [paint("bold", first), *(f"{line}{' ' * (room - width(line))}  {bar}".rstrip() for line, bar in zip(rest, bars, strict=True))]


# ---------------------------------------------------------------- JSON

def _fields(value: Any, names: str) -> dict[str, Any]:
    return {name: getattr(value, name) for name in names.split()}
