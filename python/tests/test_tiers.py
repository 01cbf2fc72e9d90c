"""The tiers of a request: the shared vectors, and wrong arguments."""

from typing import Any

import haversack
import pytest
from conftest import all_chosen
from state_steps import load, run_tiers

CASES = load("tiers", "tiers")
ran: list[str] = []


@pytest.mark.parametrize("case", [pytest.param(case, id=case["name"]) for case in CASES])
def test_vector(case: Any) -> None:
    got = run_tiers(case)
    ran.append(case["name"])
    assert got == case["expect"], case["why"]


def test_every_vector_ran(request: pytest.FixtureRequest) -> None:
    all_chosen(request, CASES)
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
    with pytest.raises(haversack.StateError):
        haversack.tiers("", "{}", history)
