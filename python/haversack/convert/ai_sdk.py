"""Vercel AI SDK: `ModelMessage` as JSON."""

from __future__ import annotations

import json

from ._converted import Builder, Converted, call, dicts, entries_of, refused, spelled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def ai_sdk(dump: str | bytes | list[dict[str, Any]]) -> Converted:
    """Messages of the AI SDK as OpenAI Chat messages: every result of a tool message becomes one of its own.

    Raises:
        InputError: No list of model messages; `index` says which entry.
    """
    entries = entries_of("ai_sdk", dump)
    built = Builder()
    for index, entry in enumerate(entries):
        role, content = entry.get("role"), entry.get("content")
        parts = dicts(content)
        if role not in ("system", "user", "assistant", "tool") or not isinstance(content, (str, list)):
            raise refused("ai_sdk", index, "a ModelMessage")
        if role == "tool":
            for at, part in enumerate(parts):
                # An approval answers a call of the provider, not one of the host.
                if part.get("type") == "tool-result":
                    message = {"role": "tool", "tool_call_id": part.get("toolCallId"), "content": _output(part)}
                    built.add(message, index, [at])
        elif role == "assistant":
            message = {"role": "assistant", "content": content if isinstance(content, str) else _text(parts)}
            calls = [
                call(p.get("toolCallId"), p.get("toolName"), p.get("input", p.get("args", {})))
                for p in parts
                if p.get("type") == "tool-call" and not p.get("providerExecuted")
            ]
            if calls:
                message["tool_calls"] = calls
            built.add(message, index)
        elif isinstance(content, str):
            built.add({"role": role, "content": content}, index)
        else:
            built.add({"role": role, "content": [_block(part) for part in parts]}, index)
    return built.converted(entries, _take, _make)


def _text(parts: list[dict[str, Any]]) -> str | None:
    return "".join(str(p.get("text", "")) for p in parts if p.get("type") == "text") or None


def _block(part: dict[str, Any]) -> dict[str, Any]:
    if part.get("type") == "text":
        return {"type": "text", "text": part.get("text", "")}
    return {"type": "file", "file": {"filename": str(part.get("filename", part.get("type")))}}


def _output(part: dict[str, Any]) -> str:
    output = part.get("output", part.get("result"))
    if isinstance(output, dict) and "value" in output:
        output = output["value"]
    return spelled(output)


def _take(entry: dict[str, Any], parts: tuple[int, ...]) -> dict[str, Any]:
    return {**entry, "content": [entry["content"][at] for at in parts]}


def _make(message: dict[str, Any], original: dict[str, Any] | None) -> dict[str, Any]:
    """A model message for a Chat message that was changed or added."""
    role = message.get("role")
    if role == "tool":
        calls = dicts(original.get("content")) if original else []
        found = [p for p in calls if p.get("toolCallId") == message.get("tool_call_id")]
        kind = "text" if original else "error-text"
        part = {**(found[0] if found else {"type": "tool-result", "toolCallId": message.get("tool_call_id"), "toolName": ""}),
                "output": {"type": kind, "value": message.get("content")}}
        part.pop("result", None)
        return {"role": "tool", "content": [part]}
    content: Any = message.get("content")
    if role == "assistant":
        # Reasoning, files and calls of the provider have no place in a Chat message, and stay.
        kept = [p for p in dicts((original or {}).get("content")) if p.get("type") not in ("text", "tool-call") or p.get("providerExecuted")]
        content = kept + ([{"type": "text", "text": content}] if content else [])
        for c in dicts(message.get("tool_calls")):
            function = c.get("function") or {}
            try:
                given = json.loads(function.get("arguments") or "{}")
            except ValueError:
                given = function.get("arguments")
            content.append({"type": "tool-call", "toolCallId": c.get("id"), "toolName": function.get("name"), "input": given})
    return {**(original or {}), "role": role, "content": content}
