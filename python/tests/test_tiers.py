"""The tiers of a request: the shared vectors, and wrong arguments."""

import json
from typing import Any

import haversack
import pytest
from state_vectors import answered, books, budget, input_of, load, rendered

CASES = load("tiers", "tiers")
ran: list[str] = []


def state_of(facts: list[dict[str, str]]) -> str:
    """The state of a ledger in which these were recorded, one after the other."""
    rest = {"kind": "fact", "turn": None, "verified": False, "append": False}
    writes = [{"key": f["key"], "value": json.dumps(f["text"], ensure_ascii=False), "source": f["source"], **rest} for f in facts]
    return json.dumps({"haversack": "ledger", "version": 1, "merged": 0, "untold": [], "writes": writes})


def run(case: Any) -> Any:
    options = case["options"]
    given = {name: options[name] for name in ("raw_steps", "pinned") if name in options}
    ledger = state_of(options["facts"]) if options.get("facts") else None

    def call() -> Any:
        history = haversack.History(input_of(case["input"]), format=options.get("format"))
        t = haversack.tiers(options["invariant"], ledger, history, **given, **budget(options))
        own = {"invariant": t.invariant, "ledger": rendered(t.ledger), "working": t.working, "kept": t.kept,
               "account": books(t.account)}
        assert json.loads(t.to_json()) == own
        return own

    return answered(call)


@pytest.mark.parametrize("case", [pytest.param(case, id=case["name"]) for case in CASES])
def test_vector(case: Any) -> None:
    got = run(case)
    ran.append(case["name"])
    assert got == case["expect"], case["why"]


def test_every_vector_ran(request: pytest.FixtureRequest) -> None:
    chosen = [i for i in request.session.items if i.name.startswith("test_vector[") and i.path == request.path]
    if len(chosen) < len(CASES):
        pytest.skip("only some cases were chosen")
    assert len(ran) == len(CASES) > 2
    print("\nran:", len(ran))


def test_wrong_types_are_named() -> None:
    history = haversack.History([{"role": "user", "content": "hi"}])
    assert haversack.tiers("x", None, history).kept == [0]
    calls: list[tuple[str, Any]] = [
        ("invariant", lambda: haversack.tiers(None, None, history)),  # type: ignore[arg-type]
        ("ledger", lambda: haversack.tiers("", 5, history)),  # type: ignore[arg-type]
        ("history", lambda: haversack.tiers("", None, [])),  # type: ignore[arg-type]
        ("raw_steps", lambda: haversack.tiers("", None, history, raw_steps=0)),
        ("raw_steps", lambda: haversack.tiers("", None, history, raw_steps=1.5)),  # type: ignore[arg-type]
        ("pinned", lambda: haversack.tiers("", None, history, pinned="0")),  # type: ignore[arg-type]
        ("counter", lambda: haversack.tiers("", None, history, tokens=9)),
    ]
    for argument, call in calls:
        with pytest.raises(haversack.OptionsError) as caught:
            call()
        assert caught.value.argument == argument
    with pytest.raises(haversack.OffloadError):
        haversack.tiers("", "{}", history)
