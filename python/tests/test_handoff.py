"""Handoffs, a fleet of them, and what a session leaves: the shared vectors, and what only Python has."""

import copy
import json
import pickle
from typing import Any

import haversack
import pytest
from conftest import all_chosen
from state_steps import load, run_fleet, run_handoff, run_session

CASES = load("handoff", "handoff", "fleet", "session")
ran: dict[str, int] = {}
RUN = {"handoff": run_handoff, "fleet": run_fleet, "session": run_session}

FOUND = {"kind": "findings", "findings": [
    {"text": "Port 8080 is open.", "sources": ["message 1", "c-1"]}, {"text": "x", "sources": ["nowhere"]}]}


@pytest.mark.parametrize("case", [pytest.param(case, id=f"{case['op']}/{case['name']}") for case in CASES])
def test_vector(case: Any) -> None:
    got = RUN[case["op"]](case)
    ran[case["op"]] = ran.get(case["op"], 0) + 1
    assert got == case["expect"], case["why"]


def test_every_vector_ran(request: pytest.FixtureRequest) -> None:
    all_chosen(request, CASES)
    assert sum(ran.values()) == len(CASES) and set(ran) == set(RUN)
    print("\nran:", ran)


def test_an_answer_is_text_bytes_a_value_or_nothing() -> None:
    parse = haversack.Handoff.parse
    text = json.dumps(FOUND)
    assert [parse(given).kind for given in (text, text.encode(), FOUND, None, [], 5)] == [
        "findings", "findings", "findings", "silent", "uncheckable", "uncheckable"]
    assert parse(None) == parse("") != parse(" ")
    for wrong in ({"status": 5}, {"stop_reason": b"length"}):
        with pytest.raises(haversack.OptionsError) as caught:
            parse("", **wrong)  # type: ignore[arg-type]
        assert caught.value.argument in wrong
    for bad in (b"\xff", "\ud800", {"a": object()}):
        with pytest.raises(haversack.InputError):
            parse(bad)


def test_sources_lead_to_messages_and_stored_results() -> None:
    h = haversack.Handoff.parse(FOUND)
    transcript, offloads = haversack.Transcript(), haversack.Offloads()
    transcript.append({"role": "user", "content": "hi"})
    key = offloads.prepare("x" * 9000, "c").key
    assert key
    offloads.commit(key, key)
    assert [(one.finding, one.source) for one in h.unresolved()] == [(0, "message 1"), (0, "c-1"), (1, "nowhere")]
    assert [one.source for one in h.unresolved(transcript)] == ["c-1", "nowhere"]
    stored = haversack.Handoff.parse({"kind": "findings", "findings": [{"text": "x", "sources": [key, "y"]}]})
    assert [one.source for one in stored.unresolved(transcript, offloads)] == ["y"]

    def resolves(source: str) -> bool:
        assert transcript.last == 1    # it may ask the transcript: nothing is held meanwhile
        return source == "c-1"

    assert [one.source for one in h.unresolved(transcript, resolves=resolves)] == ["nowhere"]
    with pytest.raises(ZeroDivisionError):
        h.unresolved(resolves=lambda _: 1 / 0)
    for wrong in ({"transcript": []}, {"offloads": {}}, {"resolves": ["message 1"]}):
        with pytest.raises(haversack.OptionsError) as caught:
            h.unresolved(**wrong)  # type: ignore[arg-type]
        assert caught.value.argument in wrong


def test_rendering_under_a_budget() -> None:
    h = haversack.Handoff.parse(FOUND)
    assert h.render().complete
    whole = len(h.render().text) // 4
    short = h.render(tokens=whole - 1, counter=lambda text: len(text) // 4)
    assert short.account.omitted == 1 and len(short.text) // 4 < whole
    with pytest.raises(haversack.BudgetError) as caught:
        h.render(chars=5)
    assert h.render(chars=caught.value.needed).account.kept == 0
    for wrong in ({"tokens": 50}, {"chars": 50, "bytes": 50}, {"chars": 1.5}, {"chars": 50, "counter": len}):
        with pytest.raises(haversack.OptionsError):
            h.render(**wrong)  # type: ignore[arg-type]
    with pytest.raises(ZeroDivisionError):
        h.render(tokens=9, counter=lambda _: 1 // 0)


def test_handoffs_and_fleets_are_kept() -> None:
    stopped = haversack.Handoff.parse(FOUND, stop_reason="length")
    for again in (pickle.loads(pickle.dumps(stopped)), copy.deepcopy(stopped)):
        assert again == stopped and again.kind == "out_of_budget" and again.findings == stopped.findings
    assert repr(stopped) == "Handoff('out_of_budget', findings=2)"
    fleet = haversack.Fleet()
    fleet.add(stopped)
    other = copy.copy(fleet)
    other.add(stopped)
    assert (fleet.total, other.total, repr(other)) == (1, 2, "Fleet(total=2, out_of_budget=2)")
    with pytest.raises(haversack.OptionsError):
        fleet.add("findings")  # type: ignore[arg-type]
    with pytest.raises(haversack.OptionsError):
        fleet.count("fine")  # type: ignore[arg-type]


def test_session_files_take_what_a_host_has() -> None:
    ledger = haversack.Ledger()
    ledger.record("port", 8080, source="user")
    features = [haversack.Feature("login", True)]
    wanted = haversack.session_files("2026-11-30", "x", features=features, ledger=ledger)
    assert haversack.Ledger.from_json(wanted[2].text).to_json() == ledger.to_json()
    assert haversack.session_files("2026-11-30", "x", features={"login": True}, ledger=ledger) == wanted
    assert haversack.session_files("2026-11-30", "x", features=[("login", True)], ledger=ledger.to_json()) == wanted
    assert haversack.read_features(wanted[1].text) == [haversack.Feature(name="login", passes=True)]
    for wrong in ({"done": "parser"}, {"next": [5]}, {"features": "login"}, {"features": ["ab"]}, {"features": 5},
                  {"features": {"login": 1}}, {"ledger": 5}):
        with pytest.raises(haversack.OptionsError):
            haversack.session_files("2026-11-30", "x", **wrong)  # type: ignore[arg-type]
    with pytest.raises(haversack.StateError):
        haversack.session_files("2026-11-30", "x", ledger="{}")
