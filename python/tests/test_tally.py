"""The books of a run: the shared vectors, and what only Python has."""

import copy
import pickle
from typing import Any

import haversack
import pytest
from conftest import all_chosen
from state_steps import load, run_tally

CASES = load("tally", "tally")
ran: list[str] = []


@pytest.mark.parametrize("case", [pytest.param(case, id=case["name"]) for case in CASES])
def test_vector(case: Any) -> None:
    got = run_tally(case)
    ran.append(case["name"])
    assert got == case["expect"], case["why"]


def test_every_vector_ran(request: pytest.FixtureRequest) -> None:
    all_chosen(request, CASES)
    assert len(ran) == len(CASES) > 3
    print("\nran:", len(ran))


def test_books_are_accounts_dicts_of_them_or_counts() -> None:
    d = haversack.deliver([{"id": i} for i in range(200)], chars=400)
    tally = haversack.Tally()
    fleet = haversack.Fleet()
    fleet.add(haversack.Handoff.parse(""))
    counts = {"total": 3, "kept": 1, "shrunk": 0, "offloaded": 1, "omitted": 1}
    tally.add("delivery", d.account)
    tally.add("delivery", d.account.to_dict(), recoverable=True)
    tally.add("memory", counts)
    tally.add("clear", d.account.bytes)
    tally.add("handoff", fleet.account)
    assert tally.boundaries == ["delivery", "clear", "memory", "handoff"]
    other = haversack.Tally()
    for rendered in (haversack.Ledger().render(), haversack.Memory().slice(1)):
        other.add("memory", rendered.account)
        other.add("memory", rendered.to_dict()["account"])
    assert (both := other.sums("memory")) and both.calls == 4
    sums = tally.sums("delivery")
    assert sums and (sums.calls, sums.records.total, sums.lost) == (2, 400, d.account.omitted)
    assert repr(tally) == "Tally(delivery=2, clear=1, memory=1, handoff=1)"
    before = tally.to_json()
    with pytest.raises(haversack.OptionsError) as caught:
        tally.add("memory", {**counts, "kept": 0})
    assert (caught.value.kind, caught.value.needed, caught.value.available) == ("open_books", 3, 2)
    wrong: list[tuple[str, Any]] = [
        ("boundary", ("door", counts)), ("boundary", (5, counts)), ("account", ("memory", {})), ("account", ("memory", 5)),
        ("account", ("memory", {**counts, "kept": 1.5})), ("account", ("memory", {**counts, "kept": -1})),
        ("account", ("memory", {**counts, "bytes": 7})), ("account", ("memory", None)), ("account", ("memory", "x")),
    ]
    for argument, given in wrong:
        with pytest.raises(haversack.OptionsError) as caught:
            tally.add(*given)
        assert caught.value.argument == argument, given
    for call in (lambda: tally.add("memory", counts, recoverable=1), lambda: tally.seen("k", 1),  # type: ignore[arg-type]
                 lambda: tally.seen(5, True), lambda: tally.sums("door"), lambda: haversack.Tally.from_json(5)):  # type: ignore[arg-type]
        with pytest.raises(haversack.OptionsError):
            call()
    with pytest.raises(haversack.InputError) as refused:
        tally.add("memory", object())  # type: ignore[arg-type]
    assert refused.value.argument == "account"
    assert tally.to_json() == before


def test_a_tally_is_kept() -> None:
    tally = haversack.Tally()
    tally.seen("k", False)
    for again in (pickle.loads(pickle.dumps(tally)), copy.copy(tally), copy.deepcopy(tally)):
        again.seen("k", True)
        assert again.survival()[0].calls == 2 and tally.survival()[0].calls == 1
