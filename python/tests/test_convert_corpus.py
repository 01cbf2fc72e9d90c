"""Real dumps and real requests through the converters: what comes back reads as what the cut or the repair said.

The collection is third-party and not part of this repository: where it is not at hand these tests are skipped and say
so. Session logs of Claude Code and pi and events of OpenHands are read as they were recorded. No dumps of LangChain, Pydantic
AI and the AI SDK are in it: for those, recorded OpenAI Chat histories are written in their forms first.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

import haversack
from haversack import convert

HERE = Path(__file__).resolve()


def _corpus() -> Path | None:
    given = os.environ.get("HAVERSACK_CORPUS")
    places = [Path(given)] if given else [above / "shared" / "corpus" for above in HERE.parents]
    return next((place for place in places if place.is_dir()), None)


CORPUS = _corpus()
pytestmark = pytest.mark.skipif(CORPUS is None, reason="no corpus at hand (../shared/corpus): converters were NOT run over real dumps")


def _files(folder: str, pattern: str) -> list[Path]:
    return sorted((CORPUS / "transcripts" / folder).glob(pattern)) if CORPUS else []


# Recorded OpenAI Chat histories, in the forms of three frameworks.

def _chats() -> list[tuple[str, list[dict]]]:
    """The histories that every framework can hold: roles and calls as they are documented, no two results of one call."""
    found = []
    for path in _files("openai-chat", "*.json"):
        body = json.loads(path.read_bytes())
        messages = body["messages"] if isinstance(body, dict) else body
        history = haversack.History(messages, format="openai_chat")
        known = all(m.get("role") in ("system", "user", "assistant", "tool") for m in messages)
        texts = all(isinstance(m.get("content"), (str, type(None))) for m in messages)
        calls = [c for m in messages for c in m.get("tool_calls") or ()]
        if known and texts and all(_parses(c) for c in calls) and not history.violations():
            found.append((path.name, messages))
    return found


def _parses(call: dict) -> bool:
    try:
        return isinstance(json.loads(call["function"]["arguments"]), dict)
    except (KeyError, TypeError, ValueError):
        return False


def _names(messages: list[dict]) -> dict[str, str]:
    return {c["id"]: c["function"]["name"] for m in messages for c in m.get("tool_calls") or ()}


def as_langchain(messages: list[dict]) -> list[dict]:
    kinds = {"system": "system", "user": "human", "assistant": "ai", "tool": "tool"}
    out = []
    for m in messages:
        data = {"type": kinds[m["role"]], "content": m.get("content") or "", "additional_kwargs": {}, "name": None, "id": None}
        if m["role"] == "assistant":
            data["tool_calls"] = [
                {"name": c["function"]["name"], "args": json.loads(c["function"]["arguments"]), "id": c["id"], "type": "tool_call"}
                for c in m.get("tool_calls") or ()]
            data["invalid_tool_calls"] = []
        if m["role"] == "tool":
            data |= {"tool_call_id": m["tool_call_id"], "status": "success", "artifact": None}
        out.append({"type": data["type"], "data": data})
    return out


def as_pydantic_ai(messages: list[dict]) -> list[dict]:
    names, out = _names(messages), []
    for m in messages:
        if m["role"] == "assistant":
            parts = [{"part_kind": "text", "content": m["content"]}] if m.get("content") else []
            parts += [{"part_kind": "tool-call", "tool_name": c["function"]["name"], "args": c["function"]["arguments"],
                       "tool_call_id": c["id"]} for c in m.get("tool_calls") or ()]
            out.append({"kind": "response", "parts": parts})
            continue
        if m["role"] == "tool":
            part = {"part_kind": "tool-return", "tool_name": names.get(m["tool_call_id"], ""), "content": m["content"],
                    "tool_call_id": m["tool_call_id"]}
        else:
            part = {"part_kind": "system-prompt" if m["role"] == "system" else "user-prompt", "content": m["content"]}
        if out and out[-1]["kind"] == "request":
            out[-1]["parts"].append(part)
        else:
            out.append({"kind": "request", "parts": [part]})
    return out


def as_ai_sdk(messages: list[dict]) -> list[dict]:
    names, out = _names(messages), []
    for m in messages:
        if m["role"] == "tool":
            part = {"type": "tool-result", "toolCallId": m["tool_call_id"], "toolName": names.get(m["tool_call_id"], ""),
                    "output": {"type": "text", "value": m["content"]}}
            if out and out[-1]["role"] == "tool":
                out[-1]["content"].append(part)
            else:
                out.append({"role": "tool", "content": [part]})
        elif m.get("tool_calls"):
            said = [{"type": "text", "text": m["content"]}] if m.get("content") else []
            out.append({"role": "assistant", "content": said + [
                {"type": "tool-call", "toolCallId": c["id"], "toolName": c["function"]["name"],
                 "input": json.loads(c["function"]["arguments"])} for c in m["tool_calls"]]})
        else:
            out.append({"role": m["role"], "content": m.get("content") or ""})
    return out


# Every converter, and how its entries are written down again.

def _lines(entries: list) -> str:
    flat = [line for entry in entries for line in (entry if isinstance(entry, list) else [entry])]
    return "\n".join(json.dumps(line) for line in flat) + "\n"


def _claude_code(log: str) -> convert.Converted:
    """One stretch that was written down again is one stretch."""
    (one,) = convert.claude_code(log)
    return one


def _dumps() -> list:
    found = []
    for path in _files("claude-code", "*.jsonl"):
        for number, stretch in enumerate(convert.claude_code(path.read_bytes())):
            found.append(pytest.param(stretch, _claude_code, _lines, id=f"claude_code-{path.stem}-{number}"))
    for path in _files("pi-session", "*.jsonl"):
        found.append(pytest.param(convert.pi(path.read_bytes()), convert.pi, _lines, id=f"pi-{path.stem}"))
    for path in _files("openhands-events", "*.json"):
        found.append(pytest.param(convert.openhands(path.read_bytes()), convert.openhands, json.dumps, id=f"openhands-{path.stem}"))
    for name, messages in _chats():
        for read, write in ((convert.langchain, as_langchain), (convert.pydantic_ai, as_pydantic_ai), (convert.ai_sdk, as_ai_sdk)):
            found.append(pytest.param(read(write(messages)), read, json.dumps, id=f"{read.__name__}-{name}"))
    return found


DUMPS = _dumps()
every_dump = pytest.mark.parametrize(("converted", "read", "write"), DUMPS)


def test_every_framework_is_there():
    read = {param.id.partition("-")[0] for param in DUMPS}
    assert read == {"claude_code", "pi", "openhands", "langchain", "pydantic_ai", "ai_sdk"}
    assert len(DUMPS) > 100


@every_dump
def test_nothing_changed_is_the_dump_itself(converted, read, write):
    history = converted.history()
    back = converted.back(history.repair())
    if not history.repair().changes:
        assert len(back) == len(converted._dump)
        assert all(a is b for a, b in zip(back, converted._dump, strict=True))
    assert read(write(converted._dump)).messages == converted.messages


def _numbered(messages):
    """Events of old OpenHands dumps name no call: their ids are numbers of places, which a cut changes."""
    ids: dict[str, str] = {}
    for found in re.findall(r'"event_\d+"', json.dumps(messages)):
        ids.setdefault(found, f'"event {len(ids)}"')
    return json.loads(re.sub(r'"event_\d+"', lambda found: ids[found[0]], json.dumps(messages)))


def _holds(converted, result, read, write, what):
    """What comes back, read again, is what the cut or the repair left."""
    again = read(write(converted.back(result)))
    assert _numbered(again.messages) == _numbered(result.messages), what


@every_dump
def test_a_cut_comes_back(converted, read, write):
    history = converted.history()
    n = len(converted.messages)
    cuts = 0
    for keep in sorted({n - 1, n // 2, n // 4, 12, 3}):
        try:
            cut = history.cut(keep_messages=max(1, keep))
        except haversack.BudgetError:
            continue
        if cut:
            cuts += 1
            _holds(converted, cut, read, write, f"cut to {keep}")
    assert cuts or n < 8


@every_dump
def test_a_repair_of_what_lost_a_result_comes_back(converted, read, write):
    """The dump without one of its results, for up to five of them, mended in every way there is."""
    results = [i for i, m in enumerate(converted.messages) if _is_result(m)]
    for at in results[:: max(1, len(results) // 5)]:
        messages = converted.messages[:at] + converted.messages[at + 1:]
        damaged = read(write(_without(converted, at)))
        assert _numbered(damaged.messages) == _numbered(messages)
        for missing in ("synthesise", "drop"):
            repair = damaged.history().repair(missing=missing, sending=True)
            # One recorded run has a result twice: without one of them it is whole.
            assert repair.changes or [v.kind for v in converted.history().violations()] == ["duplicate_result"]
            _holds(damaged, repair, read, write, f"message {at} lost, {missing}")
            left = read(write(damaged.back(repair))).history().violations(sending=True)
            assert [v.kind for v in left] == [v.kind for v in repair.remaining]


def _is_result(message: dict) -> bool:
    content = message.get("content")
    blocks = content if isinstance(content, list) else []
    return message.get("role") == "tool" or any(isinstance(b, dict) and b.get("type") == "tool_result" for b in blocks)


def _without(converted, at: int) -> list:
    """The dump without the entry, or the part of one, that message `at` came from."""
    origin = converted._origins[at]
    entry, dump = converted._dump[origin.entry], list(converted._dump)
    if sum(other.entry == origin.entry for other in converted._origins) == 1:
        del dump[origin.entry]
        return dump
    of = "content" if "content" in entry else "parts"
    dump[origin.entry] = {**entry, of: [part for i, part in enumerate(entry[of]) if i not in origin.parts]}
    return dump
