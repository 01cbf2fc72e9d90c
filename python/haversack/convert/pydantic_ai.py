"""Pydantic AI: `ModelMessage` as JSON (`ModelMessagesTypeAdapter.dump_json`)."""

from __future__ import annotations

import json

from ._converted import Builder, Converted, call, dicts, entries_of, refused, spelled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def pydantic_ai(dump: str | bytes | list[dict[str, Any]]) -> Converted:
    """Messages of Pydantic AI as OpenAI Chat messages: every part of a request becomes one of its own.

    The system prompt is a part of the first request, so a cut of the dump itself would lose it; here it is a system
    message, which every cut keeps.

    Raises:
        InputError: No list of model messages; `index` says which entry.
    """
    entries = entries_of("pydantic_ai", dump)
    built = Builder()
    for index, entry in enumerate(entries):
        kind, parts = entry.get("kind"), dicts(entry.get("parts"))
        if kind == "response":
            text = "".join(str(p.get("content", "")) for p in parts if p.get("part_kind") == "text")
            message: dict[str, Any] = {"role": "assistant", "content": text or None}
            calls = [
                call(p.get("tool_call_id"), p.get("tool_name"), p.get("args") or {})
                for p in parts
                if p.get("part_kind") == "tool-call"
            ]
            if calls:
                message["tool_calls"] = calls
            built.add(message, index, range(len(parts)))
        elif kind == "request":
            for at, part in enumerate(parts):
                built.add(_request_part(part, index), index, [at])
        else:
            raise refused("pydantic_ai", index, "a request or a response")
    return built.converted(entries, _take, _make)


def _request_part(part: dict[str, Any], index: int) -> dict[str, Any]:
    kind, content = part.get("part_kind"), part.get("content")
    if kind == "system-prompt":
        return {"role": "system", "content": content}
    # A retry without a tool is a word to the model.
    if kind == "tool-return" or (kind == "retry-prompt" and part.get("tool_name")):
        return {"role": "tool", "tool_call_id": part.get("tool_call_id"), "content": spelled(content)}
    if kind in ("user-prompt", "retry-prompt"):
        if isinstance(content, list) and kind == "user-prompt":
            return {"role": "user", "content": [_block(item) for item in content]}
        return {"role": "user", "content": spelled(content)}
    raise refused("pydantic_ai", index, "a request of known parts")


def _block(item: Any) -> dict[str, Any]:
    if isinstance(item, str):
        return {"type": "text", "text": item}
    kind = item.get("kind", "file") if isinstance(item, dict) else "file"
    return {"type": "file", "file": {"filename": str(kind)}}


def _take(entry: dict[str, Any], parts: tuple[int, ...]) -> dict[str, Any]:
    return {**entry, "parts": [entry["parts"][at] for at in parts]}


def _make(message: dict[str, Any], original: dict[str, Any] | None) -> dict[str, Any]:
    """A model message for a Chat message that was changed or added."""
    role, content = message.get("role"), message.get("content")
    if role == "assistant":
        # Thinking and files have no place in a Chat message, and stay.
        parts = [p for p in dicts((original or {}).get("parts")) if p.get("part_kind") not in ("text", "tool-call")]
        parts += [{"part_kind": "text", "content": content}] if content else []
        for c in dicts(message.get("tool_calls")):
            function = c.get("function") or {}
            parts.append({"part_kind": "tool-call", "tool_name": function.get("name"), "args": function.get("arguments"),
                          "tool_call_id": c.get("id")})
        return {**(original or {}), "kind": "response", "parts": parts}
    if role == "tool":
        found = [p for p in dicts((original or {}).get("parts")) if p.get("tool_call_id") == message.get("tool_call_id")]
        part = {**(found[0] if found else {"part_kind": "tool-return", "tool_name": "",
                                           "tool_call_id": message.get("tool_call_id")}), "content": content}
    else:
        part = {"part_kind": "system-prompt" if role == "system" else "user-prompt", "content": _plain(content)}
    return {"kind": "request", "parts": [part]}


def _plain(content: Any) -> Any:
    if isinstance(content, list):
        return [b.get("text", json.dumps(b)) if isinstance(b, dict) else b for b in content]
    return content
