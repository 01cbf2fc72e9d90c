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
    inner = "kwargs" if original and "kwargs" in original else "data"
    before = (original or {}).get(inner) or {}
    fields: dict[str, Any] = {"content": _said(message, before)}
    if message.get("role") == "assistant":
        calls = [_call(c) for c in dicts(message.get("tool_calls"))]
        fields["tool_calls"] = [c for c in calls if c["type"] == "tool_call"]
        fields["invalid_tool_calls"] = [c for c in calls if c["type"] != "tool_call"]
        # A message that is loaded without calls takes them from here.
        more = before.get("additional_kwargs")
        if isinstance(more, dict):
            fields["additional_kwargs"] = {k: v for k, v in more.items() if k not in ("tool_calls", "function_call")}
    if message.get("role") == "tool":
        fields["tool_call_id"] = message.get("tool_call_id")
        if original is None:
            fields["status"] = "error"
    kind = kinds.get(message.get("role", ""), "human")
    if original is None:
        return {"type": kind, "data": {"type": kind, **fields}}
    return {**original, inner: {**before, **fields}}


def _said(message: dict[str, Any], before: dict[str, Any]) -> Any:
    """The content: the original's own where it is unchanged, thinking included, without calls that are gone."""
    content = before.get("content")
    if not isinstance(content, list) or _content(content) != message.get("content"):
        return message.get("content") or ""
    ids = [c.get("id") for c in dicts(message.get("tool_calls"))]
    return [b for b in content if not (isinstance(b, dict) and b.get("type") == "tool_use" and b.get("id") not in ids)]


def _call(of: dict[str, Any]) -> dict[str, Any]:
    """A call; one whose arguments are no object is an invalid one."""
    function = of.get("function") or {}
    call = {"name": function.get("name"), "args": function.get("arguments"), "id": of.get("id")}
    try:
        arguments = json.loads(function.get("arguments") or "{}")
    except ValueError:
        arguments = None
    if isinstance(arguments, dict):
        return {**call, "args": arguments, "type": "tool_call"}
    return {**call, "error": None, "type": "invalid_tool_call"}
