"""A history that goes to another agent: its open calls are answered, and calls of tools that are not there leave."""

import copy
import json
from collections.abc import Callable
from typing import Any

import haversack
import pytest

JOBS = {"role": "user", "content": "show jobs"}


def chat(name: str, call_id: str) -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": '{"n":1}'}}


def test_a_call_that_hands_over_twice_and_is_not_answered() -> None:
    messages = [JOBS, {"role": "assistant", "content": None, "tool_calls": [chat("transfer_to_query", "h1"), chat("transfer_to_query", "h2")]}]
    before = copy.deepcopy(messages)
    open_ = haversack.History(messages).violations(sending=True)
    assert [(v.kind, v.id) for v in open_] == [("missing_result", "h1"), ("missing_result", "h2")]
    found = haversack.foreign_calls(messages, ["query"])
    assert found == [(1, "transfer_to_query", "h1"), (1, "transfer_to_query", "h2")]
    assert (found[0].index, found[0].name, found[0].id) == found[0] and repr(found[1]) == "ForeignCall(index=1, name='transfer_to_query', id='h2')"
    prepared = haversack.hand_over(messages, ["query"])
    assert prepared.messages == [JOBS] and prepared.messages[0] is JOBS and not prepared.remaining
    # With the tool at hand both calls stay, and are answered.
    own = haversack.hand_over(messages, ["transfer_to_query"])
    assert [m["role"] for m in own.messages] == ["user", "assistant", "tool", "tool"] and not haversack.History(own.messages).violations(sending=True)
    assert messages == before


# A conversation in each format: a foreign call beside one's own with their results, then a foreign call that is open.
def responses(name: str, call_id: str) -> dict[str, Any]:
    return {"type": "function_call", "call_id": call_id, "name": name, "arguments": "{}"}


CONVERSATIONS: dict[str, list[Any]] = {
    "openai_chat": [
        JOBS, {"role": "assistant", "content": "Both.", "tool_calls": [chat("query", "c1"), chat("browse", "c2")]},
        {"role": "tool", "tool_call_id": "c1", "content": "RESULT ONE"}, {"role": "tool", "tool_call_id": "c2", "content": "RESULT TWO"},
        {"role": "assistant", "content": None, "tool_calls": [chat("transfer", "c3")]},
    ],
    "openai_responses": [
        JOBS, responses("query", "c1"), responses("browse", "c2"), {"type": "function_call_output", "call_id": "c1", "output": "RESULT ONE"},
        {"type": "function_call_output", "call_id": "c2", "output": "RESULT TWO"}, responses("transfer", "c3"),
    ],
    "anthropic": [
        JOBS, {"role": "assistant", "content": [{"type": "text", "text": "Both."}, {"type": "tool_use", "id": "c1", "name": "query", "input": {}},
                                                {"type": "tool_use", "id": "c2", "name": "browse", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "RESULT ONE"},
                                     {"type": "tool_result", "tool_use_id": "c2", "content": "RESULT TWO"}]},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "c3", "name": "transfer", "input": {}}]},
    ],
    "gemini": [
        {"role": "user", "parts": [{"text": "show jobs"}]},
        {"role": "model", "parts": [{"functionCall": {"name": "query", "args": {}}}, {"functionCall": {"name": "browse", "args": {}}}]},
        {"role": "user", "parts": [{"functionResponse": {"name": "query", "response": {"result": "RESULT ONE"}}},
                                   {"functionResponse": {"name": "browse", "response": {"result": "RESULT TWO"}}}]},
        {"role": "model", "parts": [{"functionCall": {"name": "transfer", "args": {}}}]},
    ],
    "bedrock": [
        {"role": "user", "content": [{"text": "show jobs"}]},
        {"role": "assistant", "content": [{"toolUse": {"toolUseId": "c1", "name": "query", "input": {}}}, {"toolUse": {"toolUseId": "c2", "name": "browse", "input": {}}}]},
        {"role": "user", "content": [{"toolResult": {"toolUseId": "c1", "content": [{"text": "RESULT ONE"}]}},
                                     {"toolResult": {"toolUseId": "c2", "content": [{"text": "RESULT TWO"}]}}]},
        {"role": "assistant", "content": [{"toolUse": {"toolUseId": "c3", "name": "transfer", "input": {}}}]},
    ],
}


@pytest.mark.parametrize("wire", CONVERSATIONS)
def test_what_foreign_calls_returned_stays_as_text(wire: Any) -> None:
    messages = CONVERSATIONS[wire]
    before = copy.deepcopy(messages)
    found = haversack.foreign_calls(messages, ["query"], format=wire)
    assert [one.name for one in found] == ["browse", "transfer"]
    assert [one.id for one in found] == ([None, None] if wire == "gemini" else ["c2", "c3"])
    assert [one.index for one in found] == ([2, 5] if wire == "openai_responses" else [1, len(messages) - 1])
    prepared = haversack.hand_over(messages, ["query"], format=wire)
    assert messages == before and not prepared.remaining
    text = json.dumps(prepared.messages)
    assert haversack.foreign_calls(prepared.messages, ["query"], format=wire) == []
    assert not haversack.History(prepared.messages, format=wire).violations(sending=True)
    assert text.count("RESULT ONE") == text.count("RESULT TWO") == text.count("show jobs") == 1 and "transfer" not in text and "browse" not in text
    assert prepared.messages[0] is messages[0]
    calls = haversack.foreign_calls(prepared.messages, [], format=wire)
    assert [one.name for one in calls] == ["query"], "its own call stays"
    assert haversack.hand_over(prepared.messages, ["query"], format=wire).text == prepared.text, "a second time changes nothing"
    # In a request body, too; what stands around the messages stays.
    field = {"openai_responses": "input", "gemini": "contents"}.get(wire, "messages")
    body = {"model": "m", field: messages}
    assert haversack.foreign_calls(body, ["query"], format=wire) == found
    assert haversack.hand_over(body, ["query"], format=wire).messages == prepared.messages
    whole = haversack.hand_over(messages, ["query", "browse", "transfer"], format=wire)
    assert haversack.foreign_calls(whole.messages, ["query"], format=wire)[0] == found[0], "who has all of them is handed all of them"


def test_nothing_foreign_and_nothing_open_is_the_identity() -> None:
    messages = CONVERSATIONS["openai_chat"][:4]
    prepared = haversack.hand_over(messages, ["query", "browse"])
    assert not prepared.changes and all(a is b for a, b in zip(prepared.messages, messages, strict=True))


def test_calls_of_other_shapes() -> None:
    custom = {"id": "c", "type": "custom", "custom": {"name": "patch", "input": "x"}}
    old = {"role": "assistant", "content": None, "function_call": {"name": "old", "arguments": "{}"}}
    messages = [JOBS, {"role": "assistant", "content": "", "tool_calls": [custom]}, {"role": "tool", "tool_call_id": "c", "content": "R"}, JOBS, old]
    assert haversack.foreign_calls(messages, []) == [(1, "patch", "c"), (4, "old", None)]
    text = json.dumps(haversack.hand_over(messages, []).messages)
    assert "patch" not in text and "old" not in text and '"R"' in text
    for odd in (None, 5, "x", [], {}, {"name": 5}, {"function": None}, {"function": {"name": None}}):
        assert haversack.foreign_calls([JOBS, {"role": "assistant", "content": "a", "tool_calls": [odd]}], [], format="openai_chat") == []
    for odd in (None, 5, "x", {}):
        assert haversack.foreign_calls([JOBS, {"role": "assistant", "content": "a", "tool_calls": odd}], [], format="openai_chat") == []


def test_wrong_arguments_are_named() -> None:
    calls: list[tuple[str, Callable[[Any, Any], Any], Any, Any]] = []
    for way in (haversack.foreign_calls, haversack.hand_over):
        calls += [("tools", way, [JOBS], tools) for tools in (None, 5, "query", b"query", [5], [None], iter(int, 1), {1: 2})]
        calls += [("messages", way, messages, []) for messages in (None, 5, "[]", b"[]", (), History())]
    for argument, way, messages, tools in calls:
        with pytest.raises(haversack.OptionsError) as caught:
            way(messages, tools)
        assert caught.value.argument == argument, (messages, tools)
    assert haversack.foreign_calls([], {"query", "x"}) == haversack.foreign_calls([], iter("ab")) == []


def History() -> haversack.History:
    return haversack.History([JOBS])
