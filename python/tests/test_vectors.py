"""The shared vectors, through the calls that a user of Python makes; and the count of what ran."""

import json
from pathlib import Path
from typing import Any

import haversack
import pytest
from conftest import BUDGETS, TOP, answered, build, failure, words
from haversack import readback

FOLDER = TOP / "tests" / "vectors"

# What was handed over, as `verb.option`, filled while the cases run.
used: dict[str, int] = {}
ran: dict[str, int] = {}


def load() -> list[Any]:
    cases = []
    for path in sorted(FOLDER.rglob("*.json")):
        if path.is_relative_to(FOLDER / "state"):
            continue    # by the tests of each class
        for case in json.loads(path.read_text(encoding="utf-8")):
            name = f"{path.parent.name}/{path.stem}/{case['name']}"
            cases.append(pytest.param(case, id=name))
    return cases


CASES = load()


def counter_of(name: str) -> Any:
    if name == "words":
        return words
    if name not in haversack.counters():
        pytest.skip(f"counter {name} is not in this build")
    return name


def keywords(options: dict[str, Any]) -> dict[str, Any]:
    options = dict(options)
    if "counter" in options:
        options["counter"] = counter_of(options["counter"])
    earlier = options.get("earlier")
    if isinstance(earlier, dict) and "records" in earlier:
        # A vector writes an account as the core stores it; here it is as `Account.to_dict` gives it.
        options["earlier"] = {**earlier["records"], **{k: v for k, v in earlier.items() if k != "records"}}
    return options


def offload_keywords(options: dict[str, Any]) -> dict[str, Any]:
    """Budgets of their own, such as `{"tokens": 100, "counter": "words"}`, as the keywords of Python."""
    given = dict(options)
    for name, unit in (("over", "unit"), ("preview", "preview_unit")):
        if name in given:
            budget = dict(given[name])
            counter = budget.pop("counter", None)
            if counter:
                given["counter"] = counter
            [(given[unit], given[name])] = budget.items()
    return keywords(given)


def run_deliver(case: Any) -> Any:
    options = keywords(case["options"])
    return answered(lambda: json.loads(haversack.deliver(build(case["input"]), **options).to_json()))


def run_page(case: Any) -> Any:
    options = keywords(case["options"])
    return answered(lambda: haversack.page(build(case["input"]), **options).to_dict())


def run_find(case: Any) -> Any:
    options = keywords(case["options"])
    return answered(lambda: haversack.find(build(case["input"]), options.pop("needle"), **options).to_dict())


def run_offload(case: Any) -> Any:
    options = dict(case["options"])
    call_id, location = options.pop("call_id"), options.pop("location", None)
    options = offload_keywords(options)

    def call() -> Any:
        offload = haversack.offload(build(case["input"]), call_id, **options)
        answer = offload.to_dict()
        if location is not None:
            answer["pointer"] = offload.pointer(location).to_dict()
        return answer

    return answered(call)


ENTRY = ("key", "call_id", "sha256", "bytes", "size", "format", "at", "preview", "state", "location", "reason")


def entry_parts(entry: haversack.Entry) -> dict[str, Any]:
    """An entry put together from its attributes: must be what the table writes itself."""
    return {name: entry.refused if name == "reason" else getattr(entry, name) for name in ENTRY}


def run_offloads(case: Any) -> Any:
    table = haversack.Offloads()
    answers = []
    for given in case["options"]["steps"]:
        step = dict(given)
        do = step.pop("do")

        def call(do: str = do, step: dict[str, Any] = step) -> Any:
            nonlocal table
            if do == "prepare":
                payload, call_id = build(step.pop("input")), step.pop("call_id")
                return table.prepare(payload, call_id, **offload_keywords(step)).to_dict()
            if do == "commit":
                counter = {"counter": counter_of(step["counter"])} if "counter" in step else {}
                return table.commit(step["key"], step["location"], **counter).to_dict()
            if do == "refuse":
                return table.refuse(step["key"], step["reason"])
            if do == "exempt":
                return table.exempt(step["call_id"])
            if do == "verify":
                table.verify(step["key"], build(step["input"]))
                return None
            if do == "state":
                state = json.loads(table.to_json())
                assert [entry_parts(e) for e in table.entries] == [{n: e[n] for n in ENTRY} for e in state["entries"]]
                return state
            table = haversack.Offloads.from_json(table.to_json() if do == "reload" else step["state"])
            return None

        answers.append(answered(call))
    return {"answer": answers}


def run_readback(case: Any) -> Any:
    options = dict(case["options"])
    payload, stored = build(case["input"]), options.pop("stored", None)
    tool, arguments, call_id = options.pop("tool"), options.pop("arguments"), options.pop("call_id")
    budget = {name: options.pop(name) for name in (*BUDGETS, "counter") if name in options}
    budget = keywords(budget)
    table = haversack.Offloads()
    options = offload_keywords(options)

    def call() -> Any:
        key = table.prepare(payload, call_id, **options).key
        assert key
        counter = {"counter": options["counter"]} if options.get("unit") == "tokens" else {}
        table.commit(key, "stored/1", **counter)
        read = lambda location: payload if stored is None else build(stored)  # noqa: E731
        return readback.execute(table, read, tool, arguments.replace("$KEY", key), **budget).to_dict()

    return answered(call)


READING = ("format", "profile", "request", "limits")


def history_of(case: Any) -> tuple[haversack.History, dict[str, Any], dict[str, Any]]:
    """The history of a case, the keywords it was read with, and its other options."""
    options = dict(case["options"])
    reading = {name: options.pop(name) for name in READING if name in options}
    if not isinstance(reading.get("request", ""), dict | str):
        reading["request"] = json.dumps(reading["request"])
    history = haversack.History(build(case["input"]), **reading)
    assert history.text.encode() == build(case["input"])
    return history, reading, options


def violation_parts(violations: list[haversack.Violation]) -> list[dict[str, Any]]:
    assert all(v.message for v in violations)
    return [{"kind": v.kind, "index": v.index, "path": v.path, "id": v.id} for v in violations]


def message_texts(out: haversack.Cut | haversack.Repair, history: haversack.History, reading: dict[str, Any]) -> list[str]:
    """The texts of the resulting messages: the plan's, which the whole text and the dicts must agree with."""
    again = haversack.History(out.text, **reading)
    texts = [history.message(source) if text is None else text for source, text in out.plan]
    assert [again.message(i) for i in range(len(again))] == texts
    assert out.messages == [json.loads(text) for text in texts]
    return texts


def run_check(case: Any) -> Any:
    def call() -> Any:
        history, _, options = history_of(case)
        steps = [{"kind": s.kind, "from": s.start, "to": s.stop, "calls": s.calls, "open": s.open} for s in history.steps]
        return {"format": history.format, "certain": history.certain,
                "violations": violation_parts(history.violations(**options)), "steps": steps}

    return answered(call)


def run_repair(case: Any) -> Any:
    def call() -> Any:
        history, reading, options = history_of(case)
        repair = history.repair(**options)
        assert all(c.message for c in repair.changes)
        assert repair.changes or repair.text == history.text
        changes = [
            {"action": c.action, "violation": c.violation, "index": c.index, "path": c.path} for c in repair.changes
        ]
        return {"messages": message_texts(repair, history, reading), "changes": changes,
                "remaining": violation_parts(repair.remaining)}

    return answered(call)


def run_safe_cuts(case: Any) -> Any:
    def call() -> Any:
        history, _, options = history_of(case)
        assert not options, f"options that there are not: {options}"
        refusals = history.cut_refusals()
        assert [history.cut_refusal(i) for i in range(len(history))] == refusals
        return {"safe": history.safe_cuts(), "portable": history.safe_cuts(portable=True), "refusals": refusals}

    return answered(call)


def run_cut(case: Any) -> Any:
    given = keywords(case["options"])  # skips a counter that this build lacks

    def call() -> Any:
        history, reading, _ = history_of(case)
        options = {name: value for name, value in given.items() if name not in READING}
        keep = {f"keep_{name}": options.pop(name) for name in (*BUDGETS, "messages") if name in options}
        cut = history.cut(**keep, **options)
        if isinstance(cut, haversack.NothingToCut):
            return {"nothing": cut.reason}
        parts = ("index", "reason", "kept", "dropped", "size_before", "size_after", "alternation")
        return {
            **{name: getattr(cut, name) for name in parts},
            "strip": [dict(zip(("index", "path", "what"), s, strict=True)) for s in cut.strip],
            "reduced": [dict(zip(("index", "path", "before", "after"), r, strict=True)) for r in cut.reduced],
            "messages": message_texts(cut, history, reading),
        }

    return answered(call)


def prompt_of(given: Any) -> haversack.Prompt:
    if isinstance(given, dict):
        return haversack.Prompt.from_request(given["body"], format=given.get("format"))
    prompt = haversack.Prompt()
    for row in given:
        rest = {name: row[name] for name in ("layer", "kind", "budget", "owner") if name in row}
        if "tool" in row:
            prompt.add_tool(row["name"], row["tool"], **rest)
        else:
            prompt.add(row["name"], row["text"], **rest)
    return prompt


def run_canonical(case: Any) -> Any:
    def call() -> Any:
        text = build(case["input"])
        canonical = haversack.canonical_json(text, **case["options"])
        inexact = [{"offset": n.offset, "read": n.read, "written": n.written} for n in canonical.warnings]
        return {"text": str(canonical), "same": canonical.encode() == text, "inexact": inexact}

    return answered(call)


def run_pieces(case: Any) -> Any:
    def call() -> Any:
        prompt = haversack.Prompt.from_request(build(case["input"]), **case["options"])
        names = ("name", "layer", "kind", "text")
        pieces = [{**{n: getattr(p, n) for n in names}, "marks": [list(m) for m in p.marks]} for p in prompt.pieces]
        return {"format": prompt.format, "automatic_mark": prompt.automatic_mark is not None, "pieces": pieces}

    return answered(call)


def run_compare(case: Any) -> Any:
    def taken(given: Any) -> Any:
        if given is None:
            return None
        snapshot = prompt_of(given).snapshot()
        return haversack.Snapshot.from_json(snapshot.to_json()) if case["options"].get("stored") else snapshot

    def call() -> Any:
        got = haversack.compare(taken(case["options"]["previous"]), taken(case["options"]["next"]))
        own = ("verdict", "piece", "index", "at_byte", "at_byte_exact", "cause", "kept_bytes", "lost_bytes")
        each = ("verdict", "piece", "was", "index", "at_byte", "at_byte_exact", "cause", "volatile")
        changes = [{n: getattr(c, n) for n in each} for c in got.changes]
        return {**{n: getattr(got, n) for n in own}, "changes": changes}

    return answered(call)


def run_prefix(case: Any) -> Any:
    def call() -> Any:
        shared = haversack.shared_prefix(prompt_of(case["options"]["a"]), prompt_of(case["options"]["b"]))
        return {"bytes": shared.bytes, "pieces": shared.pieces, "piece": shared.piece}

    return answered(call)


def run_snapshot(case: Any) -> Any:
    options = case["options"]
    return answered(lambda: prompt_of(options["prompt"]).snapshot(key=options.get("key")).to_dict())


def run_restore(case: Any) -> Any:
    return answered(lambda: haversack.Snapshot.from_json(build(case["input"])).names)


def run_volatile(case: Any) -> Any:
    names = ("piece", "index", "layer", "kind", "at_byte", "bytes")
    return answered(lambda: [
        {n: getattr(v, n) for n in names} for v in haversack.volatile(prompt_of(case["options"]["prompt"]))
    ])


def run_report(case: Any) -> Any:
    def call() -> Any:
        report = prompt_of(case["options"]["prompt"]).report(budget=case["options"].get("budget"))
        layers = ("static", "rare", "session", "turn")
        kinds = ("instructions", "tool", "facts", "conversation", "notes", "setting")
        own = ("total", "budget", "over", "before_conversation", "old_results", "resolved_errors", "thinking", "dead_share", "per_call")
        return {
            **{n: getattr(report, n) for n in own},
            "pieces": [[p.name, p.size] for p in report.pieces],
            "layers": [[n, report.layers[n]] for n in layers],
            "kinds": [[n, report.kinds[n]] for n in kinds],
            "overran": [{"name": p.name, "over": p.over, "owner": p.owner} for p in report.overran],
        }

    return answered(call)


def run_blank(case: Any) -> Any:
    return answered(lambda: [piece.name for piece in prompt_of(case["options"]["prompt"]).without_conversation().pieces])


def run_growth(case: Any) -> Any:
    def call() -> Any:
        told = haversack.growth(**case["options"])
        return {name: getattr(told, name) for name in ("largest", "input", "repeated")}

    return answered(call)


def run_render(case: Any) -> Any:
    def call() -> Any:
        prompt = prompt_of(case["options"]["prompt"])
        return {"text": prompt.render(), "tools": prompt.tools_json()}

    return answered(call)


def run_predict(case: Any) -> Any:
    options = keywords(case["options"])
    previous = build(options.pop("previous")) if "previous" in options else None

    def call() -> Any:
        p = haversack.predict(previous, build(case["input"]), **options)
        names = ("cached", "written", "fresh", "total", "billed", "reason", "rules")
        least, most = p.cached_range
        return {**{name: getattr(p, name) for name in names}, "cached_min": least, "cached_max": most}

    return answered(call)


def run_cache_marks(case: Any) -> Any:
    options = dict(case["options"])
    if "previous" in options:
        options["previous"] = build(options["previous"])

    def call() -> Any:
        plan = haversack.cache_marks(build(case["input"]), **options)
        names = ("reason", "pointer", "message", "block", "life")
        marks = [{name: getattr(mark, name) for name in names} for mark in plan.marks]
        return {"marks": marks, "unplaced": plan.unplaced, "text": plan.text, "rules": plan.rules}

    return answered(call)


def note_parts(note: haversack.Note | None) -> dict[str, Any] | None:
    return note and {"section": note.section, "version": note.version, "text": note.text}


def frozen_step(frozen: haversack.Frozen, step: dict[str, Any]) -> Any:
    match step["do"]:
        case "update":
            return note_parts(frozen.update(step["name"], step["text"]))
        case "text":
            return frozen.text(step["name"])
        case "current":
            return frozen.current(step["name"])
        case "notes":
            return [note_parts(note) for note in frozen.notes()]
        case "fold":
            return frozen.fold()
        case "cost":
            cost = frozen.cost(counter=counter_of(step["counter"]))
            names = ("notes", "superseded", "tokens", "superseded_tokens", "stale_tokens")
            return {name: getattr(cost, name) for name in names}
        case "state":
            return json.loads(frozen.to_json())
        case do:
            raise AssertionError(f"no step {do}")


def run_frozen(case: Any) -> Any:
    sections = case["options"]["sections"]
    if len(dict(sections)) < len(sections):
        pytest.skip("a dict has no name twice")
    answers = []

    def call() -> Any:
        frozen = haversack.Frozen(dict(sections))
        for step in case["options"]["steps"]:
            if step["do"] in ("reload", "load"):
                def load(text: str = frozen.to_json() if step["do"] == "reload" else step["state"]) -> None:
                    nonlocal frozen
                    frozen = haversack.Frozen.from_json(text)

                answers.append(answered(load))
            else:
                answers.append(answered(lambda frozen=frozen, step=step: frozen_step(frozen, step)))
        return answers

    return answered(call)


def run_count(case: Any) -> Any:
    counter = counter_of(case["counter"])
    try:
        return {"count": haversack.count(build(case["input"]), counter=counter)}
    except haversack.HaversackError as error:
        return failure(error)


@pytest.mark.parametrize("case", CASES)
def test_vector(case: Any) -> None:
    assert "expect" in case, "a case without an expectation"
    got = globals()[f"run_{case['op']}"](case)
    ran[case["op"]] = ran.get(case["op"], 0) + 1
    for name in case.get("options", {}):  # a runner hands on all of them, or fails
        used[f"{case['op']}.{name}"] = used.get(f"{case['op']}.{name}", 0) + 1
    assert got == case["expect"], case["why"]


def test_every_case_and_every_option_ran(request: pytest.FixtureRequest) -> None:
    chosen = [item for item in request.session.items if item.name.startswith("test_vector[")]
    if len(chosen) < len(CASES):
        pytest.skip("only some cases were chosen")
    wanted = (FOLDER / "OPTIONS.txt").read_text().split()
    assert wanted, "no option is listed"
    missing = [option for option in wanted if not used.get(option)]
    assert not missing, f"never handed over from Python: {missing}"
    print("\nran:", ", ".join(f"{n} {op}" for op, n in sorted(ran.items())), "; options:", len(used))


def test_the_keywords_are_the_options_of_the_list() -> None:
    """Every keyword of `deliver`, `page` and `find` is listed, and every listed option is a keyword."""
    import inspect

    listed = set((FOLDER / "OPTIONS.txt").read_text().split())
    for verb in ("deliver", "page", "find"):
        of_list = {o for o in listed if o.startswith(verb + ".")}
        parameters = inspect.signature(getattr(haversack, verb)).parameters
        if of_list:
            assert of_list == {f"{verb}.{name}" for name in parameters if name != "payload"}


def test_the_folder_is_there() -> None:
    assert len(CASES) > 100, f"only {len(CASES)} cases in {Path(FOLDER)}"
