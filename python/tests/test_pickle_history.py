"""Histories cross processes: through JSON, read again under the same options; what is no value says so."""

from __future__ import annotations

import copy
import json
import multiprocessing
import pickle

import pytest

import haversack

CALL = {"role": "assistant", "content": None, "tool_calls": [
    {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}]}
BROKEN = [
    {"role": "system", "content": "s"},
    {"role": "user", "content": "u", "n": 2512292042121000001, "x": 1.0},
    CALL,
    {"role": "user", "content": "again"},
    {"role": "assistant", "content": "a"},
    {"role": "user", "content": "x" * 400},
]
REQUEST = {"model": "claude-sonnet-4-5", "thinking": {"type": "enabled", "budget_tokens": 1024}}
ANTHROPIC = [{"role": "user", "content": "u"}, {"role": "assistant", "content": [{"type": "text", "text": "a"}]}]


def given() -> list[haversack.History]:
    return [
        haversack.History(BROKEN),
        haversack.History(json.dumps(BROKEN).encode()),
        haversack.History({"model": "m", "messages": BROKEN}),
        haversack.History(' [ {"role":"user","content":"\\ud800", "n" : 1.0} ] '),
        haversack.History([]),
        haversack.History({"model": "m", "input": "a prompt"}),
        haversack.History(ANTHROPIC, format="anthropic", profile="provider", request=REQUEST, limits={"depth": 9}),
    ]


def told(history: haversack.History) -> object:
    repair = history.repair(sending=True)
    return (history.format, history.certain, history.text, len(history), history.steps, history.violations(sending=True),
            history.safe_cuts(), repair.changes, repair.remaining, repair.text, repair.messages)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickled_history_says_the_same(protocol):
    for history in given():
        again = pickle.loads(pickle.dumps(history, protocol))
        assert told(again) == told(history)
        assert pickle.dumps(again, protocol) == pickle.dumps(history, protocol)


def test_options_of_reading_are_pickled_with_it():
    deep = haversack.History([{"role": "user", "content": []}], limits={"depth": 3})
    state = pickle.dumps(deep)
    assert pickle.loads(state).text == deep.text
    with pytest.raises(haversack.HaversackError) as caught:
        pickle.loads(state.replace(b'"depth":3', b'"depth":2'))
    assert caught.value.kind == "too_deep"
    with pytest.raises(haversack.HaversackError) as caught:
        pickle.loads(state.replace(b'"depth"', b'"width"'))
    assert caught.value.kind == "invalid_state"


def _violations(history: haversack.History) -> tuple[list[haversack.Violation], list[haversack.Step], str]:
    return history.violations(sending=True), history.steps, history.repair(sending=True).text


def test_histories_go_to_other_processes_and_answers_come_back():
    histories = given()
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(_violations, histories) == [_violations(history) for history in histories]


def test_values_are_pickled():
    history = haversack.History(BROKEN)
    repair = history.repair(sending=True)
    nothing = history.cut(keep_messages=99)
    for value in (*history.violations(sending=True), *history.steps, *repair.changes, nothing):
        for again in (pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)):
            assert again == value
            assert repr(again) == repr(value)
    (violation,) = history.violations(sending=True)
    again = pickle.loads(pickle.dumps(violation))
    assert (again.kind, again.index, again.path, again.id, again.message, again.provider) == (
        violation.kind, violation.index, violation.path, violation.id, violation.message, violation.provider)


def test_a_copy_is_the_history_and_a_deep_copy_has_dicts_of_its_own():
    history = haversack.History(BROKEN)
    assert copy.copy(history) is history
    deep = copy.deepcopy(history)
    assert told(deep) == told(history)
    one, other = history.repair().messages, deep.repair().messages
    assert one[0] is BROKEN[0]
    assert other[0] == BROKEN[0] and other[0] is not BROKEN[0]
    # What is copied together stays together.
    both = copy.deepcopy({"messages": BROKEN, "history": history})
    assert both["history"].repair().messages[0] is both["messages"][0]
    text = haversack.History(json.dumps(BROKEN))
    assert told(copy.deepcopy(text)) == told(text)


def test_cuts_and_repairs_are_not_pickled():
    """They hold the history that they are of: pickle that, or their text."""
    history = haversack.History(BROKEN)
    for result in (history.cut(keep_messages=3), history.repair()):
        assert copy.copy(result) is copy.deepcopy(result) is result
        with pytest.raises(TypeError, match="cannot pickle|no value"):
            pickle.dumps(result)


@pytest.mark.parametrize("counter", ["estimate", len])
def test_sizes_are_those_of_the_whole_whenever_they_are_asked(counter):
    history = haversack.History(BROKEN)
    compact = json.dumps(BROKEN, separators=(",", ":"))
    whole = counter(compact) if callable(counter) else haversack.count(compact, counter)
    for keep in (whole - 1, whole * 9 // 10):
        cut = history.cut(keep, counter=counter)
        assert cut.reason.endswith(f" ({whole} before, {cut.size_after} after)")
        assert (cut.size_before, cut.size_before) == (whole, whole)
