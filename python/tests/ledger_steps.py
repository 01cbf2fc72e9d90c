"""The steps of the shared vectors of `ledger`, `memory` and `grounds`, through the calls that a user of Python makes."""

import json
from collections.abc import Callable
from typing import Any

import haversack
import pytest
from conftest import BUDGETS, TOP, answered, words

FOLDER = TOP / "tests" / "vectors" / "state"
STATED = ("kind", "source", "turn", "verified")
ITEM = ("id", "text", "source", "importance", "at", "timing")
COUNTS = ("offered", "held", "merged", "declined", "refused", "evicted", "forgotten")


def cases(folder: str) -> list[Any]:
    found = []
    for path in sorted((FOLDER / folder).glob("*.json")):
        for case in json.loads(path.read_text(encoding="utf-8")):
            found.append(pytest.param(case, id=f"{path.stem}/{case['name']}"))
    return found


def counter_of(name: str) -> Any:
    if name == "words":
        return words
    if name not in haversack.counters():
        pytest.skip(f"counter {name} is not in this build")
    return name


def budget(step: dict[str, Any]) -> dict[str, Any]:
    given = {name: step[name] for name in BUDGETS if name in step}
    return {**given, "counter": counter_of(step["counter"])} if "counter" in step else given


def stated(step: dict[str, Any]) -> dict[str, Any]:
    return {name: step[name] for name in STATED if name in step}


def said(step: dict[str, Any]) -> dict[str, Any]:
    return {name: step[name] for name in ("source", "importance", "at", "timing") if name in step}


def books(account: haversack.Account) -> dict[str, Any]:
    """An account as the core writes it, from the attributes."""
    counts = {name: getattr(account, name) for name in ("total", "kept", "shrunk", "offloaded", "omitted")}
    return {
        "records": counts, "bytes": account.bytes.to_dict(), "fields_removed": account.fields_removed,
        "claimed": account.claimed,
    }


def rendered(it: haversack.Rendered | None, step: dict[str, Any]) -> Any:
    if it is None:
        return None
    sizes: dict[str, Callable[[str], int]] = {
        "chars": len, "bytes": lambda text: len(text.encode()), "utf16": lambda text: len(text.encode("utf-16-le")) // 2,
    }
    if "tokens" in step:
        counted = haversack.count(it.text, counter=counter_of(step["counter"])) if step["counter"] != "words" else words(it.text)
        assert it.size == counted <= step["tokens"]
    else:
        unit = next((name for name in BUDGETS if name in step), "bytes")
        assert it.size == sizes[unit](it.text) <= step.get(unit, it.size)
    parts = {"text": str(it), "account": books(it.account), "rule": it.rule}
    assert it.to_dict() == parts and json.loads(it.to_json()) == parts and it.complete == (it.account.kept == it.account.total)
    return parts


def fact(it: haversack.Fact | None) -> Any:
    if it is None:
        return None
    also = [{name: getattr(one, name) for name in ("source", "turn", "verified")} for one in it.also]
    parts = {name: getattr(it, name) for name in ("key", "kind", "source", "turn", "verified", "superseded")}
    parts = {**parts, "value": it.json, "also": also}
    assert it.to_dict() == parts and repr(it.value) == repr(json.loads(it.json))
    return parts


def ledger_step(led: haversack.Ledger, step: dict[str, Any]) -> Any:
    match step["do"]:
        case "record" | "append":
            put = led.record if step["do"] == "record" else led.append
            if "json" in step:
                return put(step["key"], step["json"], json=True, **stated(step))
            return put(step["key"], step["text"], **stated(step))
        case "extract":
            done = led.extract(step["result"], dict(step["fields"]), **stated(step))
            parts = {"keys": done.keys, "text": str(done), "account": books(done.account)}
            assert done.to_dict() == parts
            return parts
        case "get":
            return fact(led.get(step["key"]))
        case "values":
            return [fact(one) for one in led.values(step["key"])]
        case "history":
            return [fact(one) for one in led.history(step["key"])]
        case "facts":
            return [fact(one) for one in led.facts()]
        case "render":
            return rendered(led.render(**budget(step)), step)
        case "news":
            return rendered(led.news(**budget(step)), step)
        case "fold":
            return led.fold()
        case "costs":
            costs = led.placement_costs(step["previous"], step["behind"], counter=counter_of(step["counter"]))
            return {"low": costs.low, "system": costs.system}
        case "size":
            return {"facts": len(led), "bytes": led.bytes, "merged": led.merged}
        case "state":
            return json.loads(led.to_json())
        case do:
            raise AssertionError(f"no step {do}")


def item(it: haversack.MemoryItem | None) -> Any:
    if it is None:
        return None
    also = [{name: getattr(one, name) for name in ("source", "importance", "at", "timing")} for one in it.also]
    parts = {**{name: getattr(it, name) for name in ITEM}, "also": also}
    assert it.to_dict() == parts
    return parts


def hit(it: haversack.Hit) -> Any:
    parts = {**item(it.item), "score": it.score}
    assert it.to_dict() == parts and (it.id, it.text, it.source) == (it.item.id, it.item.text, it.item.source)
    return parts


def memory_step(mem: haversack.Memory, step: dict[str, Any]) -> Any:
    match step["do"]:
        case "add":
            added = mem.add(step["text"], **said(step))
            parts = {"outcome": added.outcome, "id": added.id, "evicted": item(added.evicted), "over": added.over}
            assert added.to_dict() == parts
            return parts
        case "decline":
            return mem.decline()
        case "slice":
            return rendered(mem.slice(step["now"], **budget(step)), step)
        case "search":
            return [hit(one) for one in mem.search(step["query"])]
        case "forget":
            return mem.forget(step["source"])
        case "get":
            return item(mem.get(step["id"]))
        case "items":
            items = mem.items()
            assert len(items) == len(mem)
            return [item(one) for one in items]
        case "counts":
            counts = {name: getattr(mem.counts, name) for name in COUNTS}
            assert mem.counts.to_dict() == counts
            return counts
        case "flush":
            file = mem.flush(step["date"])
            parts = file and {"name": file.name, "text": file.text, "account": books(file.account)}
            assert file is None or file.to_dict() == parts
            return parts
        case "flush_request":
            asked = haversack.flush_request(step["date"])
            return {"name": asked.name, "text": str(asked), "silent": asked.silent}
        case "is_silent_reply":
            return haversack.is_silent_reply(step["reply"])
        case "state":
            return json.loads(mem.to_json())
        case do:
            raise AssertionError(f"no step {do}")


def run_ledger(case: Any) -> Any:
    led, answers = haversack.Ledger(), []
    for step in case["options"]["steps"]:
        if step["do"] in ("reload", "load"):
            def load(text: str = led.to_json() if step["do"] == "reload" else step["state"]) -> None:
                nonlocal led
                led = haversack.Ledger.from_json(text)

            answers.append(answered(load))
        else:
            answers.append(answered(lambda led=led, step=step: ledger_step(led, step)))  # type: ignore[misc]
    return {"answer": answers}


def run_memory(case: Any) -> Any:
    options = {name: case["options"][name] for name in ("cap", "on_full") if name in case["options"]}
    mem, answers = haversack.Memory(**options), []
    for step in case["options"]["steps"]:
        if step["do"] in ("reload", "load", "merge"):
            def become(step: dict[str, Any] = step, mem_now: haversack.Memory = mem) -> None:
                nonlocal mem
                if step["do"] == "merge":
                    other = haversack.Memory()
                    for one in step["items"]:
                        other.add(one["text"], **said(one))
                    mem = mem_now.merge(other)
                else:
                    mem = haversack.Memory.from_json(mem_now.to_json() if step["do"] == "reload" else step["state"])

            answers.append(answered(become))
        else:
            answers.append(answered(lambda mem=mem, step=step: memory_step(mem, step)))  # type: ignore[misc]
    return {"answer": answers}


def run_grounds(case: Any) -> Any:
    options = case["options"]
    led, mem = haversack.Ledger(), haversack.Memory()
    for one in options.get("facts", ()):
        led.record(one["key"], one["text"], **stated(one))
    for one in options.get("memories", ()):
        mem.add(one["text"], **said(one))
    evidence: list[Any] = [found for key in options.get("use", ()) for found in led.history(key)]
    evidence += [found for query in options.get("search", ()) for found in mem.search(query)]
    answer = haversack.grounds(options["action"], evidence)
    stored = haversack.grounds(options["action"], [one.to_dict() for one in evidence])
    assert stored.to_dict() == answer.to_dict() and answer == answer.answer
    return {"answer": {"answer": answer, "reason": answer.reason, "text": answer.text}}
