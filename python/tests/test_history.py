"""Histories from Python: dicts in, the same dicts out; every wrong argument is named."""

from __future__ import annotations

import json

import pytest

import haversack

CALL = {"role": "assistant", "content": None, "tool_calls": [
    {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}]}
CHAT = [
    {"role": "system", "content": "s"},
    {"role": "user", "content": "u"},
    CALL,
    {"role": "tool", "tool_call_id": "c1", "content": "x" * 400},
    {"role": "assistant", "content": "a"},
    {"role": "user", "content": "again"},
]


def test_what_was_given_comes_back_as_the_same_objects():
    history = haversack.History(CHAT)
    assert (history.format, history.certain, len(history)) == ("openai_chat", True, 6)
    assert history.violations() == []
    repaired = history.repair()
    assert repaired.changes == []
    assert all(a is b for a, b in zip(repaired.messages, CHAT, strict=True))
    cut = history.cut(keep_messages=3)
    assert cut.messages[0] is CHAT[0]
    assert cut.messages[-1] is CHAT[-1]


def test_text_comes_back_byte_for_byte():
    text = '[ {"role" : "user", "content":"\\u0075", "n":1.0} ]'
    history = haversack.History(text)
    assert history.text == text
    assert history.repair().text == text


def test_a_body_stays_a_body():
    body = {"model": "m", "messages": CHAT, "temperature": 1.0}
    cut = haversack.History(body).cut(keep_messages=3)
    assert json.loads(cut.text)["temperature"] == 1.0
    assert json.loads(cut.text)["messages"] == cut.messages


def test_a_cut_keeps_system_last_user_and_pins_within_the_budget():
    history = haversack.History(CHAT)
    for budget in range(60, 700, 10):
        try:
            cut = history.cut(keep_chars=budget)
        except haversack.BudgetError as error:
            assert error.needed > budget == error.available
            continue
        if not cut:
            assert cut.reason == "fits"
            continue
        assert cut.size_after <= budget
        assert cut.kept[0] == 0
        assert cut.kept[-1] == 5
        assert sorted(cut.kept + cut.dropped) == list(range(6))
        assert haversack.History(cut.messages).violations() == []


def test_a_counter_of_the_caller_counts_and_its_exception_comes_back():
    class Own(Exception):
        pass

    def counter(_):
        raise Own

    with pytest.raises(Own):
        haversack.History(CHAT).cut(10, counter=counter)
    assert haversack.History(CHAT).cut(100, counter=len)


def test_one_message_and_the_refusals_of_all():
    history = haversack.History(CHAT)
    assert json.loads(history.message(2)) == CALL
    assert history.message(6) is None
    assert history.cut_refusals() == [history.cut_refusal(i) for i in range(6)]
    assert history.cut_refusals()[3] == "inside_step"


def test_what_no_change_mends_remains():
    body = {"modelId": "m", "messages": [
        {"role": "user", "content": [{"text": "u"}]},
        {"role": "assistant", "content": [{"toolUse": {"toolUseId": "t1", "name": "f", "input": {}}}]},
        {"role": "user", "content": [{"toolResult": {"toolUseId": "t1", "content": [{"text": "r"}]}}]},
    ]}
    repair = haversack.History(body, format="bedrock").repair()
    assert [v.kind for v in repair.remaining] == ["tool_config_missing"]
    assert haversack.History(CHAT).repair().remaining == []


def test_the_caller_may_limit_the_depth():
    with pytest.raises(haversack.InputError) as caught:
        haversack.History(CHAT, limits={"depth": 2})
    assert caught.value.kind == "too_deep"


def test_a_broken_history_is_named_and_mended():
    broken = [*CHAT[:3], *CHAT[4:]]
    history = haversack.History(broken)
    (violation,) = history.violations()
    assert (violation.kind, violation.index, violation.id) == ("missing_result", 2, "c1")
    assert violation.message
    assert "tool_call_id" in violation.provider
    repair = history.repair()
    assert [(c.action, c.violation) for c in repair.changes] == [("synthesise", "missing_result")]
    assert repair.messages[3] == {"role": "tool", "tool_call_id": "c1", "content": "[no result: interrupted]"}
    assert haversack.History(repair.messages).violations() == []
    assert history.repair(missing="drop").messages == [CHAT[0], CHAT[1], CHAT[4], CHAT[5]]


def test_cut_refusals_are_named():
    history = haversack.History(CHAT)
    assert history.cut_refusal(3) == "inside_step"
    assert history.cut_refusal(5) is None
    assert 5 in history.safe_cuts(portable=True)
    assert history.cut_refusal(99) == "out_of_range"


@pytest.mark.parametrize(("call", "argument"), [
    (lambda: haversack.History(CHAT, format="xml"), "format"),
    (lambda: haversack.History(CHAT, format=3), "format"),
    (lambda: haversack.History(CHAT, profile="nobody"), "profile"),
    (lambda: haversack.History(CHAT, profile=3), "profile"),
    (lambda: haversack.History(CHAT, request=3), "request"),
    (lambda: haversack.History(CHAT, request="{"), "request"),
    (lambda: haversack.History(CHAT, request="[]"), "request"),
    (lambda: haversack.History(CHAT, limits={"width": 3}), "limits"),
    (lambda: haversack.History(CHAT, limits=3), "limits"),
    (lambda: haversack.History(CHAT).message(-1), "index"),
    (lambda: haversack.History(CHAT).violations(sending=1), "sending"),
    (lambda: haversack.History(CHAT).safe_cuts(portable="no"), "portable"),
    (lambda: haversack.History(CHAT).cut(), "keep_tokens"),
    (lambda: haversack.History(CHAT).cut(3), "counter"),
    (lambda: haversack.History(CHAT).cut(3, keep_messages=3, counter=len), "keep_messages"),
    (lambda: haversack.History(CHAT).cut(keep_messages=-1), "keep_messages"),
    (lambda: haversack.History(CHAT).cut(keep_messages=True), "keep_messages"),
    (lambda: haversack.History(CHAT).cut(keep_messages=3, counter=len), "counter"),
    (lambda: haversack.History(CHAT).cut(keep_messages=3, pinned=[99]), "pinned"),
    (lambda: haversack.History(CHAT).cut(keep_messages=3, pinned="1"), "pinned"),
    (lambda: haversack.History(CHAT).repair(missing="invent"), "missing"),
    (lambda: haversack.History(CHAT).repair(orphan=False), "orphan"),
])
def test_a_wrong_argument_is_named(call, argument):
    with pytest.raises(haversack.OptionsError) as caught:
        call()
    assert caught.value.argument == argument


@pytest.mark.parametrize(("given", "kind"), [
    ("{", "invalid_json"), (b"\xff", "invalid_utf8"), ("3", "not_a_history"), ({"a": 1}, "not_a_history"), ([3], "not_a_history"),
    ({"messages": {}}, "not_a_history"), ("[" * 1000, "too_deep"), (object(), "bad_argument"),
    ([CALL, {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": ""}]}], "mixed_formats"),
])
def test_what_is_no_history_is_a_typed_error(given, kind):
    with pytest.raises(haversack.HaversackError) as caught:
        haversack.History(given)
    assert caught.value.kind == kind


def test_an_empty_history_is_said_to_be_one():
    history = haversack.History([])
    assert [v.kind for v in history.violations()] == ["empty_content"]
    assert not history.cut(keep_messages=3)
    repaired = history.repair()
    assert [(c.action, c.violation) for c in repaired.changes] == [("synthesise", "empty_content")]
    assert haversack.History(repaired.messages).violations() == []
