"""`haversack memory`: what is remembered beyond a conversation, in a file."""

from __future__ import annotations

import sys
import time

import haversack

from ._cli_arguments import UNITS, add_budget, add_json, count, with_counter
from ._cli_state import changing, loaded
from ._streams import dumped, put
from ._terminal import SHOWN, Paint, escape, headed, more, say

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

    from ._cli_arguments import Family

NOT_FOUND = 1


def add_commands(family: Family) -> None:
    """Adds the command with its actions."""
    action = family("memory", "texts with a source, an importance and a time, as a file keeps them")

    add = action("add", "remember a text; one that is there already gets one more source", _add)
    _memory(add, "the memory; a new one where there is no such file")
    add.add_argument("text", metavar="TEXT", help="what to remember")
    add.add_argument(
        "--source", metavar="SOURCE",
        help="who said it: user, system, agent, tool, page, email or file, and after a colon which one (default unknown)",
    )
    add.add_argument("--importance", type=count, metavar="N", help="0 to 9 (default 3)")
    add.add_argument("--at", type=count, metavar="SECONDS", help="when it was said, in seconds from 1970 (default now)")

    cut = action("slice", "the best memories as the text that goes into a request", _slice)
    _memory(cut, "the memory; standard input for -")
    cut.add_argument("--now", type=count, metavar="SECONDS", help="leave out what was said later (default now)")
    add_budget(cut, required=False)

    listed = action("list", "all memories, best first", _list)
    _memory(listed, "the memory; standard input for -")

    search = action(
        "search", "the memories that hold a word of a query, best first; status 1 where there is none", _search
    )
    _memory(search, "the memory; standard input for -")
    search.add_argument("query", metavar="QUERY", help="words")

    forget = action(
        "forget", "forget what a source said, and all that only it said; status 1 where it said nothing", _forget
    )
    _memory(forget, "the memory")
    forget.add_argument(
        "source", metavar="SOURCE", help="one source, such as page:example.com, or all of a kind, such as page"
    )

    for command in (add, cut, listed, search, forget):
        add_json(command)


def _memory(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument("file", metavar="FILE", help=what)


def _now() -> int:
    return int(time.time())


def _add(file: str, text: str, as_json: bool, at: int | None, **said: Any) -> int:
    with changing(haversack.Memory, file) as memory:
        added = memory.add(text, at=_now() if at is None else at, **said)
    if as_json:
        put(dumped({**added.to_dict(), "held": len(memory)}))
        return 0
    put(f"{added.outcome}: {len(memory):,} memories\n")
    if added.evicted:
        say(f"this one went for it: {escape(added.evicted.text)}")
    if added.over:
        say(f"{added.over:,} more than the memory is to hold")
    return 0


def _slice(file: str, as_json: bool, now: int | None, **budget: Any) -> int:
    memory = loaded(haversack.Memory, file)
    budget, now = with_counter(budget), _now() if now is None else now
    text = memory.slice(now, **budget)
    if as_json:
        unit = next((unit for unit in UNITS if unit in budget), "bytes")
        put(dumped({**text.to_dict(), "size": text.size, "unit": unit, "now": now}))
        return 0
    put(text.text)
    if not text.complete:
        say(f"{text.account.omitted:,} of {text.account.total:,} memories left out ({text.rule})")
    return 0


def _list(file: str, as_json: bool) -> int:
    memory = loaded(haversack.Memory, file)
    items = memory.items()
    if as_json:
        put(dumped({"items": [item.to_dict() for item in items], "counts": memory.counts.to_dict()}))
        return 0
    rows = [[*_row(item)] for item in items[:SHOWN]]
    lines = headed(["id", "importance", "at", "source", "text"], rows, Paint(sys.stdout)) if rows else []
    put("\n".join([*lines, *more(items), _books(memory.counts)]) + "\n")
    return 0


def _search(file: str, query: str, as_json: bool) -> int:
    hits = loaded(haversack.Memory, file).search(query)
    if as_json:
        put(dumped({"query": query, "hits": [hit.to_dict() for hit in hits]}))
    elif hits:
        rows = [[f"{hit.score / 1024:.2f}", *_row(hit.item)] for hit in hits[:SHOWN]]
        lines = headed(["score", "id", "importance", "at", "source", "text"], rows, Paint(sys.stdout))
        put("\n".join([*lines, *more(hits)]) + "\n")
    else:
        say(f"no memory holds a word of {escape(query)}")
    return 0 if hits else NOT_FOUND


def _forget(file: str, source: str, as_json: bool) -> int:
    with changing(haversack.Memory, file, new=False) as memory:
        forgotten = memory.forget(source)
    answer = {"forgotten": forgotten, "held": len(memory)}
    put(dumped(answer) if as_json else f"{forgotten:,} forgotten, {len(memory):,} held\n")
    return 0 if forgotten else NOT_FOUND


def _row(item: haversack.MemoryItem) -> list[str]:
    more = f" and {len(item.also):,} more" if item.also else ""
    return [str(item.id), str(item.importance), str(item.at), escape(item.source, 60) + more, escape(item.text)]


def _books(counts: haversack.MemoryCounts) -> str:
    parts = [f"{n:,} {name}" for name, n in counts.to_dict().items() if n or name in ("offered", "held")]
    return ", ".join(parts)
