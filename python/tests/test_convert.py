"""Dumps of frameworks become histories, and cuts and repairs come back as entries of the framework."""

from __future__ import annotations

import json

import pytest

import haversack
from haversack import convert

LANGCHAIN = [
    {"type": "system", "data": {"content": "be short"}},
    {"type": "human", "data": {"content": [{"type": "text", "text": "weather in Oslo and Rome?"}]}},
    {"type": "ai", "data": {"content": "", "tool_calls": [
        {"name": "weather", "args": {"town": "Oslo"}, "id": "a", "type": "tool_call"},
        {"name": "weather", "args": {"town": "Rome"}, "id": "b", "type": "tool_call"},
    ]}},
    {"type": "tool", "data": {"content": "snow", "tool_call_id": "a"}},
    {"type": "tool", "data": {"content": "sun", "tool_call_id": "b"}},
    {"type": "ai", "data": {"content": "Snow and sun."}},
    {"type": "human", "data": {"content": "thanks"}},
]

AI_SDK = [
    {"role": "system", "content": "be short"},
    {"role": "user", "content": [{"type": "text", "text": "weather?"}, {"type": "image", "image": "aGk="}]},
    {"role": "assistant", "content": [
        {"type": "text", "text": "Looking."},
        {"type": "tool-call", "toolCallId": "a", "toolName": "weather", "input": {"town": "Oslo"}},
        {"type": "tool-call", "toolCallId": "b", "toolName": "weather", "input": {"town": "Rome"}},
    ]},
    {"role": "tool", "content": [
        {"type": "tool-result", "toolCallId": "a", "toolName": "weather", "output": {"type": "json", "value": {"t": -3}}},
        {"type": "tool-result", "toolCallId": "b", "toolName": "weather", "output": {"type": "text", "value": "sun"}},
    ]},
    {"role": "assistant", "content": "Snow and sun."},
    {"role": "user", "content": "thanks"},
]

PYDANTIC_AI = [
    {"kind": "request", "parts": [
        {"part_kind": "system-prompt", "content": "be short"},
        {"part_kind": "user-prompt", "content": "weather?"},
    ]},
    {"kind": "response", "parts": [
        {"part_kind": "thinking", "content": "hm", "signature": "c2ln"},
        {"part_kind": "tool-call", "tool_name": "weather", "args": {"town": "Oslo"}, "tool_call_id": "a"},
        {"part_kind": "tool-call", "tool_name": "weather", "args": '{"town":"Rome"}', "tool_call_id": "b"},
    ]},
    {"kind": "request", "parts": [
        {"part_kind": "tool-return", "tool_name": "weather", "content": {"t": -3}, "tool_call_id": "a"},
        {"part_kind": "retry-prompt", "tool_name": "weather", "content": "no such town", "tool_call_id": "b"},
        {"part_kind": "user-prompt", "content": "and Bergen?"},
    ]},
    {"kind": "response", "parts": [{"part_kind": "text", "content": "Rain."}]},
]

CLAUDE_CODE = "\n".join(json.dumps(line) for line in [
    {"type": "summary", "summary": "earlier work"},
    {"type": "user", "message": {"role": "user", "content": "list the files"}},
    {"type": "assistant", "message": {"id": "m1", "role": "assistant", "content": [{"type": "text", "text": "Looking."}]}},
    {"type": "assistant", "message": {"id": "m1", "role": "assistant", "content": [
        {"type": "tool_use", "id": "t1", "name": "ls", "input": {}}]}},
    {"type": "user", "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "a.md"}]}},
    {"type": "user", "isSidechain": True, "message": {"role": "user", "content": "another agent's"}},
    {"type": "system", "subtype": "compact_boundary"},
    {"type": "user", "message": {"role": "user", "content": "go on"}},
]) + "\n{broken\n"

PI = "\n".join(json.dumps(line) for line in [
    {"type": "session", "id": "s"},
    {"type": "message", "message": {"role": "user", "content": [{"type": "text", "text": "read a.md"}]}},
    {"type": "message", "message": {"role": "assistant", "content": [], "stopReason": "aborted"}},
    {"type": "message", "message": {"role": "assistant", "content": [
        {"type": "toolCall", "id": "t1", "name": "read", "arguments": {"path": "a.md"}}]}},
    {"type": "message", "message": {"role": "toolResult", "toolCallId": "t1", "content": [{"type": "text", "text": "# A"}]}},
    {"type": "message", "message": {"role": "assistant", "content": [{"type": "text", "text": "It has a title."}]}},
])

OPENHANDS = {"history": [
    {"id": 0, "source": "environment", "observation": "agent_state_changed", "content": ""},
    {"id": 1, "source": "user", "action": "message", "args": {"content": "rename it"}},
    {"id": 2, "source": "agent", "action": "run", "args": {"command": "mv a b", "thought": "I rename it."},
     "tool_call_metadata": {"function_name": "execute_bash", "tool_call_id": "t1"}},
    {"id": 3, "source": "agent", "cause": 2, "observation": "run", "content": "", "tool_call_metadata": {"tool_call_id": "t1"}},
    {"id": 4, "source": "agent", "action": "finish", "args": {"thought": "Done."}},
]}

ALL = [
    (convert.langchain, LANGCHAIN), (convert.ai_sdk, AI_SDK), (convert.pydantic_ai, PYDANTIC_AI),
    (convert.pi, PI), (convert.openhands, OPENHANDS),
]


@pytest.mark.parametrize(("read", "dump"), ALL, ids=lambda value: getattr(value, "__name__", ""))
def test_a_valid_dump_has_no_violations_and_comes_back_as_it_is(read, dump):
    converted = read(dump)
    history = converted.history()
    assert history.violations() == []
    back = converted.back(history.repair())
    assert all(a is b for a, b in zip(back, converted._dump, strict=True))


def test_roles_and_calls_of_langchain():
    messages = convert.langchain(LANGCHAIN).messages
    assert [m["role"] for m in messages] == ["system", "user", "assistant", "tool", "tool", "assistant", "user"]
    assert messages[2]["tool_calls"][0] == {
        "id": "a", "type": "function", "function": {"name": "weather", "arguments": '{"town":"Oslo"}'},
    }


def test_the_constructor_form_of_langchain():
    dump = [{"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "HumanMessage"], "kwargs": {"content": "hi"}}]
    assert convert.langchain(json.dumps(dump)).messages == [{"role": "user", "content": "hi"}]


def test_every_result_of_an_ai_sdk_message_is_a_message():
    converted = convert.ai_sdk(AI_SDK)
    assert [m["role"] for m in converted.messages] == ["system", "user", "assistant", "tool", "tool", "assistant", "user"]
    assert converted.messages[3]["content"] == '{"t":-3}'


def test_the_system_prompt_of_pydantic_ai_survives_a_cut():
    converted = convert.pydantic_ai(PYDANTIC_AI)
    cut = converted.history().cut(keep_messages=3)
    back = converted.back(cut)
    assert back[0] == {"kind": "request", "parts": [{"part_kind": "system-prompt", "content": "be short"}]}
    assert back[-1] is PYDANTIC_AI[-1]


def test_a_missing_result_comes_back_in_the_framework_s_own_form():
    for read, dump, at, find in (
        (convert.langchain, LANGCHAIN[:4] + LANGCHAIN[5:], 4, lambda e: (e["type"], e["data"]["tool_call_id"], e["data"]["status"])),
        (convert.ai_sdk, [*AI_SDK[:3], {**AI_SDK[3], "content": AI_SDK[3]["content"][:1]}, *AI_SDK[4:]], 4,
         lambda e: (e["role"], e["content"][0]["toolCallId"], e["content"][0]["output"]["type"])),
    ):
        converted = read(dump)
        history = converted.history()
        assert [v.kind for v in history.violations()] == ["missing_result"]
        back = converted.back(history.repair())
        assert find(back[at])[1] == "b"
        assert read(back).history().violations() == []


def test_sessions_of_claude_code_are_split_at_compactions():
    first, second = convert.claude_code(CLAUDE_CODE)
    assert first.format == "anthropic"
    assert [b["type"] for b in first.messages[1]["content"]] == ["text", "tool_use"]
    assert first.history().violations() == []
    assert [m["content"] for m in second.messages] == ["go on"]
    assert len(first.back(first.history().repair())[1]) == 2, "both lines of the assistant message"


def test_observations_of_openhands_answer_their_actions():
    messages = convert.openhands(OPENHANDS).messages
    assert [m["role"] for m in messages] == ["user", "assistant", "tool", "assistant"]
    assert messages[2]["tool_call_id"] == messages[1]["tool_calls"][0]["id"] == "t1"


def test_a_record_of_openhands_is_read_from_text_too():
    assert convert.openhands(json.dumps(OPENHANDS)).messages == convert.openhands(OPENHANDS).messages


def test_a_call_that_was_dropped_is_nowhere_in_the_entry():
    raw = {"id": "b", "type": "function", "function": {"name": "weather", "arguments": '{"town":"Rome"}'}}
    data = {**LANGCHAIN[2]["data"], "content": [{"type": "thinking", "thinking": "hm"}, {"type": "tool_use", "id": "b", "name": "weather"}],
            "additional_kwargs": {"tool_calls": [raw], "refusal": None},
            "invalid_tool_calls": [{"name": "weather", "args": "{", "id": "c", "error": None, "type": "invalid_tool_call"}]}
    dump = [*LANGCHAIN[:2], {"type": "ai", "data": data}, LANGCHAIN[3], *LANGCHAIN[5:]]    # b and c have no result
    converted = convert.langchain(dump)
    entry = converted.back(converted.history().repair(missing="drop"))[2]["data"]
    assert [c["id"] for c in entry["tool_calls"]] == ["a"]
    assert (entry["invalid_tool_calls"], entry["additional_kwargs"]) == ([], {"refusal": None})
    assert entry["content"] == [{"type": "thinking", "thinking": "hm"}]

    run = {**OPENHANDS, "history": OPENHANDS["history"][:3] + OPENHANDS["history"][4:]}
    converted = convert.openhands(run)
    back = converted.back(converted.history().repair(missing="drop"))
    assert "tool_calls" not in str(convert.openhands(back).messages)
    assert {"source": "agent", "action": "message", "args": {"content": "I rename it."}, "id": 2} in back


def test_what_a_chat_message_cannot_hold_stays_in_an_entry_that_is_changed():
    dump = [*PYDANTIC_AI[:2], {**PYDANTIC_AI[2], "parts": PYDANTIC_AI[2]["parts"][:1]}, PYDANTIC_AI[3]]
    converted = convert.pydantic_ai(dump)
    back = converted.back(converted.history().repair(missing="drop"))
    assert [p["part_kind"] for p in next(e for e in back if e["kind"] == "response")["parts"]] == ["thinking", "tool-call"]

    said = {"role": "assistant", "content": [{"type": "reasoning", "text": "hm"}, *AI_SDK[2]["content"]]}
    converted = convert.ai_sdk([*AI_SDK[:2], said, {**AI_SDK[3], "content": AI_SDK[3]["content"][:1]}, *AI_SDK[4:]])
    back = converted.back(converted.history().repair(missing="drop"))
    assert [p["type"] for p in back[2]["content"]] == ["reasoning", "text", "tool-call"]


@pytest.mark.parametrize("read", [convert.langchain, convert.ai_sdk, convert.pydantic_ai, convert.openhands])
@pytest.mark.parametrize("dump", ["{", "3", "[3]", '{"a":1}', b"\xff", None])
def test_what_is_no_dump_is_a_typed_error(read, dump):
    with pytest.raises(haversack.InputError):
        read(dump)


@pytest.mark.parametrize("read", [convert.langchain, convert.ai_sdk, convert.pydantic_ai])
def test_an_entry_of_another_framework_is_named(read):
    with pytest.raises(haversack.InputError) as caught:
        read([{"strange": True}])
    assert caught.value.index == 0
    assert caught.value.kind == "not_a_history"


@pytest.mark.parametrize("read", [convert.claude_code, convert.pi])
def test_a_log_without_a_line_of_json_is_a_typed_error(read):
    with pytest.raises(haversack.HaversackError):
        read("nothing here\n")
    with pytest.raises(haversack.HaversackError):
        read(3)
