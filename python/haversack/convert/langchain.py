"""LangChain: what `messages_to_dict` and `dumpd` write."""

from __future__ import annotations

import json

from ._converted import Builder, Converted, call, dicts, entries_of, refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_ROLES = {"human": "user", "ai": "assistant", "system": "system", "tool": "tool", "developer": "developer"}
_CLASSES = {"HumanMessage": "human", "AIMessage": "ai", "SystemMessage": "system", "ToolMessage": "tool",
            "AIMessageChunk": "ai"}
# Blocks of Chat Completions; calls stand in tool_calls, and thinking has no place there.
_BLOCKS = ("text", "image_url", "input_audio", "file", "refusal")


def langchain(dump: str | bytes | list[dict[str, Any]]) -> Converted:
    """Messages of LangChain as OpenAI Chat messages, one to one.

    Raises:
        InputError: No list of messages in either form; `index` says which entry.
    """
    entries = entries_of("langchain", dump)
    built = Builder()
    for index, entry in enumerate(entries):
        kind, data = _read(entry)
        role = _ROLES.get(kind or "")
        if role is None or not isinstance(data, dict):
            raise refused("langchain", index, "a message of messages_to_dict or dumpd")
        message: dict[str, Any] = {"role": role, "content": _content(data.get("content"))}
        if role == "assistant":
            calls = [call(c.get("id"), c.get("name"), c.get("args", {})) for c in dicts(data.get("tool_calls"))]
            calls += [call(c.get("id"), c.get("name"), c.get("args") or "") for c in dicts(data.get("invalid_tool_calls"))]
            if calls:
                message["tool_calls"] = calls
        if role == "tool":
            message["tool_call_id"] = data.get("tool_call_id")
        built.add(message, index)
    return built.converted(entries, lambda entry, _: entry, _make)


def _read(entry: dict[str, Any]) -> tuple[str | None, Any]:
    """The type of a message and its fields, of either form."""
    if entry.get("type") == "constructor" and isinstance(entry.get("id"), list) and entry["id"]:
        return _CLASSES.get(str(entry["id"][-1])), entry.get("kwargs")
    return entry.get("type"), entry.get("data")


def _content(content: Any) -> Any:
    if not isinstance(content, list):
        return content
    blocks = [{"type": "text", "text": b} if isinstance(b, str) else b for b in content]
    return [b for b in blocks if isinstance(b, dict) and b.get("type") in _BLOCKS] or ""


def _make(message: dict[str, Any], original: dict[str, Any] | None) -> dict[str, Any]:
    """An entry of the original's form for a message that was changed or added."""
    kinds = {role: kind for kind, role in _ROLES.items()}
    fields: dict[str, Any] = {"content": message.get("content") or ""}
    if message.get("tool_calls"):
        fields["tool_calls"] = [_call(c) for c in message["tool_calls"]]
    if message.get("role") == "tool":
        fields["tool_call_id"] = message.get("tool_call_id")
        if original is None:
            fields["status"] = "error"
    kind = kinds.get(message.get("role", ""), "human")
    if original is None:
        return {"type": kind, "data": {"type": kind, **fields}}
    inner = "kwargs" if "kwargs" in original else "data"
    return {**original, inner: {**original[inner], **fields}}


def _call(of: dict[str, Any]) -> dict[str, Any]:
    function = of.get("function") or {}
    try:
        arguments = json.loads(function.get("arguments") or "{}")
    except ValueError:
        arguments = function.get("arguments")
    return {"name": function.get("name"), "args": arguments, "id": of.get("id"), "type": "tool_call"}
