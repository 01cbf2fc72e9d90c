"""Prompts: pieces, snapshots, comparisons, canonical JSON."""

from __future__ import annotations

import json
import pickle
import random
from typing import Any

import pytest

import haversack


def prompt(*pieces: tuple[str, str, Any]) -> haversack.Prompt:
    made = haversack.Prompt()
    for name, text, layer in pieces:
        made.add(name, text, layer=layer)
    return made


RULES = ("rules", "Be brief.", "static")


def test_the_piece_the_byte_and_the_cause() -> None:
    before = prompt(RULES, ("clock", "Now: 2031-05-06 10:15:59", "static"), ("facts", "likes tea", "session"))
    after = prompt(RULES, ("clock", "Now: 2031-05-06 10:16:00", "static"), ("facts", "likes tea", "session"))
    found = haversack.compare(before.snapshot(), after.snapshot())
    assert (found.verdict, found.piece, found.index, found.at_byte) == ("changed", "clock", 1, 20)
    assert (found.cause, found.kept_bytes, found.lost_bytes, found.at_byte_exact) == ("volatile", 29, 13, True)
    assert [(c.piece, c.volatile) for c in found.changes] == [("clock", "time")]
    assert haversack.compare(before, after) == found
    assert [v.piece for v in haversack.volatile(before)] == ["clock"]
    assert haversack.compare(None, before).verdict == "first"


def test_a_snapshot_keeps_no_text_and_survives_pickling() -> None:
    taken = prompt(RULES, ("secret", "a text that nobody should find here", "turn")).snapshot(counter="estimate")
    text = taken.to_json()
    assert "nobody" not in text and taken.tokens and json.loads(text) == taken.to_dict()
    for again in (haversack.Snapshot.from_json(text), pickle.loads(pickle.dumps(taken))):
        assert again.to_json() == text and again.names == ["rules", "secret"]
        assert haversack.compare(again, taken).kept_tokens == taken.tokens
    with pytest.raises(haversack.HaversackError) as caught:
        haversack.Snapshot.from_json(text.replace('"bytes":9', '"bytes":8'))
    assert caught.value.kind == "invalid_state"


def test_keys_do_not_mix() -> None:
    made = prompt(RULES)
    assert haversack.compare(made.snapshot(key=b"k"), made.snapshot(key="k")).verdict == "same"
    with pytest.raises(haversack.OptionsError, match="keys"):
        haversack.compare(made.snapshot(), made.snapshot(key=b"k"))


def test_dicts_and_their_text_are_the_same_request() -> None:
    body = {"model": "m", "system": "é", "messages": [{"role": "user", "content": [{"type": "text", "text": "hi",
            "cache_control": {"type": "ephemeral"}}]}]}
    one = haversack.Prompt.from_request(body)
    other = haversack.Prompt.from_request(json.dumps(body, ensure_ascii=False, separators=(",", ":")))
    assert [(p.name, p.text) for p in one.pieces] == [(p.name, p.text) for p in other.pieces]
    assert one.pieces[-1].marks == [(53, "cache_control", None)] and one.format == "anthropic"


def test_errors_name_the_piece() -> None:
    made = prompt(RULES)
    for kind, call in (
        ("duplicate_piece", lambda: made.add("rules", "again", layer="turn")),
        ("unknown_layer", lambda: made.add("rules", "again", layer="often")),  # type: ignore[arg-type]
        ("invalid_json", lambda: made.add_tool("rules", '{"a":')),
        ("not_canonical", lambda: made.add_tool("rules", '{"a":1,"a":2}')),
        ("not_canonical", lambda: made.add_tool("rules", '{"a":1e999}')),
        ("bad_argument", lambda: made.add_tool("rules", {"minimum": float("nan")})),
        ("bad_argument", lambda: made.add_tool("rules", {"maximum": float("-inf")}, layer="rare")),
        ("unknown_layer", lambda: made.add_tool("rules", {}, layer="often")),  # type: ignore[arg-type]
    ):
        with pytest.raises(haversack.HaversackError) as caught:
            call()
        wanted = "tools/rules" if "add_tool" in call.__code__.co_names else "rules"
        assert caught.value.kind == kind and caught.value.piece == wanted
    assert len(made) == 1, "what was refused changed nothing"


def test_a_number_that_json_lacks_is_told_by_its_piece() -> None:
    bad, user = float("nan"), {"role": "user", "content": "hi"}
    for piece, body in (
        ("tools/f", {"messages": [user], "tools": [{"name": "e"}, {"name": "f", "input_schema": {"minimum": bad}}]}),
        ("tools/g", {"messages": [user], "tools": [{"type": "function", "function": {"name": "g", "parameters": {"maximum": bad}}}]}),
        ("tools/h", {"messages": [user], "toolConfig": {"tools": [{"toolSpec": {"name": "h", "inputSchema": {"json": {"maximum": bad}}}}]}}),
        ("message 1", {"messages": [user, {"role": "user", "content": [{"type": "text", "text": bad}]}]}),
        ("message 1", [user, {"role": "user", "content": bad}]),
        ("system", {"system": [bad], "messages": [user]}),
        (None, {"temperature": bad, "messages": [user]}),
    ):
        with pytest.raises(haversack.HaversackError) as caught:
            haversack.Prompt.from_request(body)
        assert (caught.value.kind, caught.value.piece) == ("bad_argument", piece)


def test_limits_of_requests() -> None:
    body = {"model": "claude-sonnet-5", "messages": [{"role": "user", "content": [{"type": "text", "text": "hi"}]}]}
    deep, flat = {"depth": 5}, {"depth": 4}
    calls: tuple[Any, ...] = (
        lambda limits: haversack.Prompt.from_request(body, limits=limits),
        lambda limits: haversack.predict(None, body, counter="estimate", limits=limits),
        lambda limits: haversack.predict(body, {"messages": body["messages"][:1]}, counter="estimate", rules="anthropic", limits=limits),
        lambda limits: haversack.cache_marks(body, limits=limits),
    )
    for call in calls:
        call(deep)
        with pytest.raises(haversack.InputError) as caught:
            call(dict(flat, depth=3))
        assert (caught.value.kind, caught.value.available) == ("too_deep", 3)
    with pytest.raises(haversack.OptionsError, match="limits"):
        haversack.Prompt.from_request(body, limits={"deep": 3})  # type: ignore[typeddict-unknown-key]
    levels = 600
    nested = '{"messages":[{"role":"user","content":' + "[" * levels + "]" * levels + "}]}"
    with pytest.raises(haversack.InputError, match="deep"):
        haversack.Prompt.from_request(nested)
    assert len(haversack.Prompt.from_request(nested, limits={"depth": levels + 10}).pieces) == 1


def test_maps_in_any_order_have_one_snapshot() -> None:
    tools = {name: {"name": name, "description": "d", "input_schema": {"type": "object", "properties": {"a": {"type": "string"}, "b": {}}}}
             for name in ("weather", "search", "clock")}
    dice = random.Random(5)

    def shuffled(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: shuffled(value[key]) for key in dice.sample(list(value), len(value))}
        return value

    taken = set()
    for _ in range(20):
        made = prompt(RULES)
        for name in dice.sample(list(tools), 3):
            made.add_tool(name, shuffled(tools[name]))
        taken.add(made.snapshot().to_json())
    assert len(taken) == 1


def test_a_sub_agent_starts_from_the_same_pieces() -> None:
    agent = haversack.Prompt.from_request({"model": "m", "system": "Be brief.", "messages": [{"role": "user", "content": "hi"}]})
    helper = agent.without_conversation()
    assert [p.name for p in helper.pieces] == ["settings/model", "system"] and len(agent) == 3
    helper.add("task", "Count.", kind="conversation")
    shared = haversack.shared_prefix(agent, helper, counter="estimate")
    assert (shared.pieces, shared.piece) == (2, "task") and shared.tokens


def test_input_grows_with_the_square_of_the_calls() -> None:
    ten, twenty = (haversack.growth(first=0, per_call=100, calls=n) for n in (10, 20))
    assert (ten.largest, ten.input, ten.repeated) == (900, 4500, 3600) and twenty.input == 19_000
    assert haversack.growth(first=2**62, per_call=2**62, calls=2**62).input == 2**64 - 1
    for wrong in (-1, 1.5, "7", None):
        with pytest.raises(haversack.OptionsError):
            haversack.growth(first=1, per_call=wrong, calls=1)  # type: ignore[arg-type]


def test_canonical_json_of_text_and_of_values() -> None:
    for value in ('{"b": 1.0, "a": "\\u00e9"}', {"b": 1.0, "a": "é"}):
        assert haversack.canonical_json(value) == '{"a":"é","b":1}'
    odd = haversack.canonical_json("[9007199254740993]")
    assert odd == "[9007199254740992]" and odd.warnings == ((1, "9007199254740993", "9007199254740992"),)
    with pytest.raises(haversack.HaversackError):
        haversack.canonical_json(float("nan"))


def test_reports_and_rendering() -> None:
    made = haversack.Prompt()
    made.add("note", "It rains.", layer="turn")
    made.add("rules", "Be brief.", layer="static", budget=5, owner="platform")
    made.add_tool("f", {"b": 1, "a": 2})
    assert made.render() == '{"a":2,"b":1}\n\nBe brief.\n\nIt rains.' and made.tools_json() == '[{"a":2,"b":1}]'
    report = made.report(budget=20)
    assert (report.total, report.over, report.unit, report.kinds["tool"]) == (31, 11, "bytes", 13)
    assert [(p.name, p.over, p.owner) for p in report.overran] == [("rules", 4, "platform")]
    assert made.report(counter="estimate").unit == "tokens"


def test_what_two_agents_share() -> None:
    one, other = prompt(RULES, ("task", "plan", "turn")), prompt(RULES, ("task", "play", "turn"))
    shared = haversack.shared_prefix(one, other, counter="estimate")
    assert (shared.bytes, shared.pieces, shared.piece) == (12, 1, "task") and shared.tokens
