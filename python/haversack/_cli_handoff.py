"""`haversack handoff`: what workers handed back, read and counted."""

from __future__ import annotations

import json
import sys
from typing import NamedTuple

import haversack

from ._cli_arguments import add_json, once
from ._cli_state import about, of_input, text_of
from ._cli_transcript import opened
from ._streams import bytes_of, dumped, put
from ._terminal import SHOWN, Paint, escape, headed, more

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from ._cli_arguments import Add

FOUND = 1


def add_commands(add: Add) -> None:
    """Adds the command by `add(name, what, run)`."""
    handoff = add(
        "handoff", "what workers handed back: findings, an explicit nothing, a stop, silence, or what cannot be checked",
        _handoff,
    )
    handoff.add_argument(
        "files", nargs="*", default=["-"], metavar="FILE",
        help="the answer of one worker each, as it came; an empty one is silence; standard input by default, and for -",
    )
    handoff.add_argument(
        "--lines", action="store_true",
        help="every line is a worker, as JSON: a string, null, the answer itself, or an object with text (a string, null "
             "or the answer) and perhaps name, status and stop_reason",
    )
    handoff.add_argument(
        "--transcript", metavar="FILE", help="look up there, as JSON Lines, the messages that findings name as sources"
    )
    add_json(handoff)


class _Worker(NamedTuple):
    name: str
    handoff: haversack.Handoff
    unresolved: list[haversack.Unresolved] | None
    """Sources that lead to no message; nothing where there is no transcript to ask."""

    @property
    def holds(self) -> bool:
        return self.handoff.is_answer and not self.unresolved


def _handoff(files: list[str], lines: bool, transcript: str | None, as_json: bool) -> int:
    once(*files, transcript)
    given = (one for file in files for one in (_lines(file) if lines else [(_name(file), _read(file))]))
    if transcript is None:
        workers = [_Worker(name, handoff, None) for name, handoff in given]
    else:
        with opened(transcript) as log:

            def leads(source: str) -> bool:
                return _leads(log, source)

            workers = [_Worker(name, handoff, handoff.unresolved(resolves=leads)) for name, handoff in given]
    fleet = haversack.Fleet()
    for worker in workers:
        fleet.add(worker.handoff)
    if as_json:
        members = [_members(worker) for worker in workers]
        put(dumped({"fleet": fleet.to_dict(), "account": fleet.account.to_dict(), "workers": members}))
    else:
        put("\n".join(_table(fleet, workers, Paint(sys.stdout))) + "\n")
    return 0 if all(worker.holds for worker in workers) else FOUND


# ---------------------------------------------------------------- reading

def _read(file: str) -> haversack.Handoff:
    data = bytes_of(file)
    with about(file):
        return haversack.Handoff.parse(text_of(data))


def _lines(file: str) -> Iterator[tuple[str, haversack.Handoff]]:
    """A worker a line, under its own name, or that of its place. Empty lines are none."""
    for number, line in enumerate(bytes_of(file).split(b"\n"), 1):
        if line.strip():
            place = f"{_name(file)}, line {number}"
            with of_input(place):
                name, handoff = _worker(text_of(line))
            yield name or place, handoff


def _worker(line: str) -> tuple[str | None, haversack.Handoff]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise haversack.InputError(f"no JSON: {error}", kind="invalid_json") from None
    if value is None or isinstance(value, str):
        return None, haversack.Handoff.parse(value)
    if isinstance(value, dict) and "text" in value:
        name = value.get("name")
        if name is not None and not isinstance(name, str):
            name = json.dumps(name)
        return name, haversack.Handoff.parse(value["text"], value.get("status"), value.get("stop_reason"))
    if isinstance(value, dict) and "kind" in value:
        return None, haversack.Handoff.parse(line)
    message = "no worker: neither a string, null, nor an object with text or kind"
    raise haversack.InputError(message, kind="bad_argument")


def _name(file: str) -> str:
    return "standard input" if file == "-" else file


def _leads(log: haversack.TranscriptFile, source: str) -> bool:
    try:
        log.resolve(source)
    except haversack.OptionsError:
        return False
    return True


# ---------------------------------------------------------------- showing

def _members(worker: _Worker) -> dict[str, Any]:
    own: dict[str, Any] = {"name": worker.name, **json.loads(worker.handoff.to_json())}
    if worker.unresolved is not None:
        own["unresolved"] = [{"finding": one.finding, "source": one.source} for one in worker.unresolved]
    return own


def _table(fleet: haversack.Fleet, workers: list[_Worker], paint: Paint) -> list[str]:
    lines = fleet.table().split("\n")
    open_ = [worker for worker in workers if not worker.holds]
    if open_:
        rows = [[escape(worker.name), worker.handoff.kind, _why(worker)] for worker in open_[:SHOWN]]
        lines += ["", *headed(["worker", "kind", ""], rows, paint)]
    lines += more(open_)
    return lines


def _why(worker: _Worker) -> str:
    handoff = worker.handoff
    if worker.unresolved:
        first, more = worker.unresolved[0], len(worker.unresolved) - 1
        return f"leads nowhere: {escape(first.source)}" + (f" and {more:,} more" if more else "")
    if handoff.problem is None:
        return escape(handoff.reason or "")
    place = "" if handoff.offset is None else f" at byte {handoff.offset:,}"
    place += "" if handoff.index is None else f" in finding {handoff.index:,}"
    return f"{handoff.problem}{place}"
