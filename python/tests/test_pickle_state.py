"""State crosses processes, and so does what it answers: a copy that goes on alone, values that are equal."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
from typing import Any

import haversack
import pytest
from haversack import _lib
from haversack._copies import CHANGING

RESULT = '{"id":9007199254740993,"name":"\\ud83d\\ude00","rest":[1,2]}'
FOUND = {"kind": "findings", "findings": [{"text": "Port 8080.", "sources": ["message 2", "nowhere"]}]}
SUMMARY = 'As message 2 says "Port 8080.", see message 9.'
MESSAGES = [{"role": "user", "content": "Which port?"}, {"role": "assistant", "content": "Port 8080."}]


def states() -> list[Any]:
    ledger, memory, tally, fleet = haversack.Ledger(), haversack.Memory(cap=2, on_full="evict"), haversack.Tally(), haversack.Fleet()
    ledger.record("a\u202e", [1, "é"], kind="task", source="user", turn=1)
    ledger.record("a\u202e", 2, source="page:x", turn=3)
    memory.add("prefers trains", source="user", at=5)
    tally.add("clear", {"total": 3, "kept": 1, "shrunk": 0, "offloaded": 1, "omitted": 1})
    tally.seen("\x1b", True)
    for answer in (FOUND, "", "x", {"kind": "empty", "looked": ["a"]}):
        fleet.add(haversack.Handoff.parse(answer))
    log = haversack.Transcript.from_jsonl("".join(haversack.payload_bytes(m).decode() + "\n" for m in MESSAGES) + '{"br')
    frozen = haversack.Frozen({"s": "text"})
    frozen.update("s", "other")
    return [ledger, memory, tally, fleet, log, frozen, haversack.Ledger(), haversack.Memory(), haversack.Tally(), haversack.Fleet()]


def told(state: Any) -> object:
    if isinstance(state, haversack.Fleet):
        return state.to_json(), state.account
    return state.to_json()


def values() -> list[Any]:
    ledger, memory, tally, _, log, *_ = states()
    again = haversack.Memory(cap=1, on_full="evict")
    again.add("first", source="user", importance=1)
    evicted = again.add("second", source="user", importance=5)
    ledger.record("a\u202e", 2, source="user", turn=4)
    memory.add("prefers trains", source="page:x")
    memory.add("eats lunch", source="agent")
    flushed = memory.flush("2026-11-30")
    extracted = ledger.extract(RESULT, {"id": "/id"}, source="tool:x")
    handoff = haversack.Handoff.parse(FOUND)
    text = ledger.render(chars=120)
    tiers = haversack.tiers("be brief", ledger, haversack.History(MESSAGES), chars=80)
    fact, (hit, *_), (item, *_) = ledger.get("a\u202e"), memory.search("trains"), memory.items()
    assert fact and fact.also and item.also and evicted.evicted and not tiers.ledger.complete
    sums = tally.sums("clear")
    return [
        evicted, memory.add("prefers trains"), flushed, haversack.flush_request("2026-11-30"), memory.counts, hit, item, *item.also,
        extracted, fact, *fact.also, text, ledger.placement_costs("", 9, counter="estimate"), tiers, handoff, *handoff.findings,
        *handoff.unresolved(log), haversack.Feature("x", False), *haversack.session_files("2026-11-30", "x", ledger=ledger),
        *log.read(1, 2), *log.damage, *log.search("ort"), *log.check(SUMMARY), sums, *tally.survival(),
        haversack.grounds("go", [fact]),
    ]


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_what_state_answers_is_pickled_by_value(protocol: int) -> None:
    kinds = set()
    for value in values():
        again = pickle.loads(pickle.dumps(value, protocol))
        assert again == value and type(again) is type(value) and repr(again) == repr(value)
        for name in ("to_json", "to_dict", "__str__"):
            if hasattr(value, name):
                assert getattr(again, name)() == getattr(value, name)()
        for name in (name for name in dir(value) if not name.startswith("_") and not callable(getattr(value, name))):
            assert getattr(again, name) == getattr(value, name), name
        kinds.add(type(value).__name__)
    assert len(kinds) == 25


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_state_that_is_pickled_goes_on_alone(protocol: int) -> None:
    for state in states():
        before = told(state)
        again = pickle.loads(pickle.dumps(state, protocol))
        assert told(again) == before and type(again) is type(state)
        changed(again)
        assert told(state) == before != told(again)


def changed(state: Any) -> Any:
    """The same, with one more."""
    if isinstance(state, haversack.Ledger):
        state.record("b", 1)
    elif isinstance(state, haversack.Memory):
        state.add("more")
    elif isinstance(state, haversack.Tally):
        state.seen("k", False)
    elif isinstance(state, haversack.Fleet):
        state.add(haversack.Handoff.parse(None))
    elif isinstance(state, haversack.Transcript):
        state.append({})
    elif isinstance(state, haversack.TranscriptIndex):
        state.feed(b"{}\n")
    else:
        state.update("s", "third")
    return state


def test_a_copy_goes_on_alone() -> None:
    index = haversack.TranscriptIndex()
    for state in [*states(), index]:
        assert type(state) in CHANGING
        before = repr(state) if state is index else told(state)
        for again in (state.copy(), copy.copy(state), copy.deepcopy({"s": [state]})["s"][0]):
            assert again is not state and type(again) is type(state)
            changed(again)
            assert (repr(state) if state is index else told(state)) == before
            assert (repr(again) if state is index else told(again)) != before


def test_states_go_to_other_processes_and_come_back() -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        for state, back in zip(states(), pool.map(changed, states()), strict=True):
            assert told(back) == told(changed(state))
        assert pool.map(copy.copy, values()) == values()


def test_pickles_of_state_that_were_tampered_with() -> None:
    names = {type(thing).__name__ for thing in (*states(), *values())} - {"Handoff", "Grounds"}
    for name in names:
        for state in ("", "[]", "null", "[" * 10_000, "{", '{"total":1e999}', "\0", '{"haversack":"x","version":1}'):
            with pytest.raises(haversack.StateError) as caught:
                _lib._restore(name, state)
            assert caught.value.kind == "invalid_state", (name, state)
    with pytest.raises(haversack.StateError) as caught:
        _lib._restore("Said", '{"source":"' + "x" * 9_000 + '","timing":"' + "y" * 9_000 + '"}')
    assert len(str(caught.value)) < 200 and caught.value.offset
    with pytest.raises(haversack.StateError) as caught:
        _lib._restore("x" * 9_000, "{}")
    assert len(str(caught.value)) < 200
    books = {"total": 1, "kept": 1, "shrunk": 0, "offloaded": 0, "omitted": 0}
    most = 2**64 - 1
    for counts, bytes_ in (
        ([["empty", 1], ["empty", 1]], books), ([["empty", most], ["silent", 1]], books), ([["door", 1]], books), ([["empty", -1]], books),
        ([["silent", 1]], books), ([], books), ([["empty", 1]], {**books, "kept": 0}), ([["empty", 1]], {**books, "total": most, "kept": most}),
    ):
        with pytest.raises(haversack.StateError):
            _lib._restore("Fleet", haversack.payload_bytes({"counts": counts, "bytes": bytes_}).decode())
    # Numbers that no books have are answered as they are.
    huge = {"total": 1, "kept": 0, "shrunk": 0, "offloaded": most, "omitted": most}
    state = {"calls": 1, "records": huge, "bytes": huge, "recoverable": 0, "recoverable_bytes": 0}
    sums = _lib._restore("Sums", haversack.payload_bytes(state).decode())
    assert sums.lost == most
