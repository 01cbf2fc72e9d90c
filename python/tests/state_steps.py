"""The steps of the shared vectors of handoffs, transcripts, tallies and tiers, through the calls that a user of Python
makes.
"""

import io
import json
from collections.abc import Callable
from typing import Any

import haversack
from conftest import answered, build
from ledger_steps import FOLDER, books, budget, rendered



def load(folder: str, *ops: str) -> list[Any]:
    """The cases of a folder with one of these verbs."""
    cases = [case for path in sorted((FOLDER / folder).glob("*.json")) for case in json.loads(path.read_text("utf-8"))]
    return [case for case in cases if case["op"] in ops]


def members(value: Any, *names: str) -> dict[str, Any]:
    return {name: getattr(value, name) for name in names}


def run_handoff(case: Any) -> Any:
    options = case["options"]
    text = None if options.get("nothing") else build(case["input"])
    h = haversack.Handoff.parse(text, options.get("status"), options.get("stop_reason"))
    own = members(h, "kind", "looked", "reason", "problem", "offset", "index", "text")
    own["findings"] = [members(found, "text", "sources") for found in h.findings]
    assert json.loads(h.to_json()) == own
    answer = {"handoff": own, "is_answer": h.is_answer}
    answer["rendered"] = answered(lambda: rendered(h.render(**budget(options)), options))
    if "resolves" in options:
        open_ = h.unresolved(resolves=lambda source: source in options["resolves"])
        answer["unresolved"] = [members(one, "finding", "source") for one in open_]
    return {"answer": answer}


def run_fleet(case: Any) -> Any:
    fleet = haversack.Fleet()
    for worker in case["options"]["workers"]:
        h = haversack.Handoff.parse(worker["text"], status=worker.get("status"), stop_reason=worker.get("stop_reason"))
        for _ in range(worker.get("times", 1)):
            fleet.add(h)
    counts = json.loads(fleet.to_json())
    kinds = {kind: fleet.count(kind) for kind in counts if kind != "total"}
    assert fleet.to_dict() == counts == {"total": fleet.total, **kinds}
    return {"answer": {"counts": counts, "account": books(fleet.account), "table": fleet.table()}}


def run_session(case: Any) -> Any:
    options = dict(case["options"])
    if "features_json" in options:
        read = lambda: haversack.read_features(options["features_json"])  # noqa: E731
        return answered(lambda: [members(f, "name", "passes") for f in read()])
    date, goal = options.pop("date"), options.pop("goal")
    if "features" in options:
        options["features"] = [haversack.Feature(**feature) for feature in options["features"]]
    return answered(lambda: [members(f, "name", "text") for f in haversack.session_files(date, goal, **options)])


class Pieces(io.BytesIO):
    """A file that gives so many bytes at a time."""

    piece = 1

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(min(size, self.piece) if size and size > 0 else self.piece)


def parts(messages: list[haversack.Message]) -> list[dict[str, Any]]:
    assert [m.message for m in messages] == [json.loads(m.text) for m in messages]
    return [members(m, "number", "text") for m in messages]


def damaged(damage: list[haversack.Damage]) -> list[dict[str, Any]]:
    return [members(d, "number", "kind", "offset", "bytes") for d in damage]


def referred(found: list[haversack.Reference]) -> list[dict[str, Any]]:
    names = ("at", "length", "quote", "exists", "holds")
    return [{"from": r.first, "to": r.last, **members(r, *names)} for r in found]


def of_file(step: dict[str, Any]) -> Any:
    file, first, last = Pieces(build(step["input"])), step["first"], step["last"]
    file.piece = max(step["piece"], 1)
    here = haversack.TranscriptFile(file)
    index = haversack.TranscriptIndex()
    index.feed(file.getvalue())
    reference = f"messages {first}-{last}"
    start, end = index.range(*index.resolve(reference))
    assert here.resolve(reference) == (first, last)
    messages, damage = parts(here.read(first, last)), damaged(here.damage(first, last))
    assert here.last == index.last and index.length == len(file.getvalue())
    return {"last": here.last, "from": start, "to": end, "messages": messages, "damage": damage}


def asked_both(t: haversack.Transcript, ask: Callable[[Any], Any]) -> Any:
    """What a transcript answers. The same lines in a file, in small pieces, answer that too."""
    file = Pieces(t.to_jsonl().encode())
    file.piece = 7
    told, again = answered(lambda: ask(t)), answered(lambda: ask(haversack.TranscriptFile(file)))
    assert told == again
    return ask(t)


def run_transcript(case: Any) -> Any:
    t = haversack.Transcript()

    def one(step: dict[str, Any]) -> Any:
        nonlocal t
        match step["do"]:
            case "append":
                return t.append(step["message"])
            case "read":
                return parts(t.read(step["first"], step["last"]))
            case "array":
                return t.array(step["first"], step["last"])
            case "search":
                return [members(hit, "number", "count") for hit in asked_both(t, lambda t: t.search(step["needle"]))]
            case "resolve":
                return list(asked_both(t, lambda t: t.resolve(step["reference"])))
            case "check":
                return referred(asked_both(t, lambda t: t.check(step["text"])))
            case "references":
                return referred(haversack.Transcript.references(step["text"]))
            case "last":
                assert len(t) == t.last
                return t.last
            case "damage":
                return damaged(t.damage)
            case "jsonl":
                return t.to_jsonl()
            case "from_jsonl":
                t = haversack.Transcript.from_jsonl(step["text"])
            case "file":
                return of_file(step)
            case "state":
                return json.loads(t.to_json())
            case "reload":
                t = haversack.Transcript.from_json(t.to_json())
            case "load":
                t = haversack.Transcript.from_json(step["state"])
            case do:
                raise AssertionError(f"no step {do}")
        return None

    return {"answer": [answered(lambda step=step: one(step)) for step in case["options"]["steps"]]}


def run_tally(case: Any) -> Any:
    tally = haversack.Tally()

    def one(step: dict[str, Any]) -> Any:
        nonlocal tally
        match step["do"]:
            case "add":
                account = {**step["records"], "bytes": step["bytes"]}
                return tally.add(step["boundary"], account, recoverable=step.get("recoverable"))
            case "seen":
                return tally.seen(step["key"], step["arrived"])
            case "sums":
                sums = tally.sums(step["boundary"])
                assert (sums is not None) == (step["boundary"] in tally.boundaries)
                if sums is None:
                    return None
                own = members(sums, "calls", "recoverable", "recoverable_bytes")
                return {"sums": {**own, "records": sums.records.to_dict(), "bytes": sums.bytes.to_dict()}, "lost": sums.lost}
            case "survival":
                return [members(s, "key", "calls", "arrived", "per_10_000", "rare") for s in tally.survival()]
            case "table":
                return tally.table()
            case "svg":
                return tally.to_svg()
            case "state":
                return json.loads(tally.to_json())
            case "reload":
                tally = haversack.Tally.from_json(tally.to_json())
            case "load":
                tally = haversack.Tally.from_json(step["state"])
            case do:
                raise AssertionError(f"no step {do}")
        return None

    return {"answer": [answered(lambda step=step: one(step)) for step in case["options"]["steps"]]}


def run_tiers(case: Any) -> Any:
    options = case["options"]
    given = {name: options[name] for name in ("raw_steps", "pinned") if name in options}
    ledger = haversack.Ledger()
    for fact in options.get("facts", ()):
        ledger.record(fact["key"], fact["text"], source=fact["source"])

    def call() -> Any:
        history = haversack.History(build(case["input"]), format=options.get("format"))
        t = haversack.tiers(options["invariant"], ledger, history, **given, **budget(options))
        own = {"invariant": t.invariant, "ledger": rendered(t.ledger, case["options"]), "working": t.working, "kept": t.kept,
               "account": books(t.account)}
        assert json.loads(t.to_json()) == own
        return own

    return answered(call)
