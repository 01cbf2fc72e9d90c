"""Session logs of coding agents, as JSON Lines: Claude Code and pi."""

from __future__ import annotations

import json

import haversack

from ._converted import Builder, Converted, call, dicts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def claude_code(log: str | bytes) -> list[Converted]:
    """The histories of a Claude Code session, as Anthropic messages: one for each stretch between compactions.

    Lines of one assistant message (the same `message.id`) are joined, and so are results that follow each other; side
    chains are other conversations and left out. A line that is no JSON, as the program sometimes writes, is passed over.
    `Converted.back` answers the lines of each message as a list of its own; lines that hold no message are not in it.
    """
    found: list[Converted] = []
    built, entries = Builder(), []  # type: ignore[var-annotated]

    def close() -> None:
        nonlocal built, entries
        if built.messages:
            found.append(built.converted(entries, _lines, _line, "anthropic"))
        built, entries = Builder(), []

    by_id: dict[str, dict[str, Any]] = {}
    for entry in _objects(log):
        if entry.get("subtype") == "compact_boundary":
            close()
            by_id = {}
        message = entry.get("message")
        if entry.get("type") not in ("user", "assistant") or entry.get("isSidechain") or not isinstance(message, dict):
            continue
        content, key = message.get("content"), message.get("id")
        if entry["type"] == "assistant" and key in by_id and isinstance(content, list):
            by_id[key]["content"].extend(content)
            entries[-1].append(entry) if built.messages[-1] is by_id[key] else _group(entries, built, by_id[key]).append(entry)
            continue
        if built.messages and _results(content) and _results(built.messages[-1]["content"]):
            built.messages[-1]["content"].extend(content)
            entries[-1].append(entry)
            continue
        kept = {"role": message.get("role"), "content": list(content) if isinstance(content, list) else content}
        if entry["type"] == "assistant" and key and isinstance(content, list):
            by_id[key] = kept
        built.add(kept, len(entries))
        entries.append([entry])
    close()
    return found


def _group(entries: list[list[Any]], built: Builder, message: dict[str, Any]) -> list[Any]:
    at = next(i for i, m in enumerate(built.messages) if m is message)
    return entries[at]


def _results(content: object) -> bool:
    return isinstance(content, list) and bool(content) and all(
        isinstance(b, dict) and b.get("type") == "tool_result" for b in content
    )


def _lines(entry: list[Any], _: tuple[int, ...]) -> list[Any]:
    return entry


def _line(message: dict[str, Any], original: list[Any] | None) -> list[Any]:
    """The line for a message that was changed or added: the original's first line with the new message."""
    first: dict[str, Any] = original[0] if original else {"type": message.get("role")}
    return [{**first, "message": {**first.get("message", {}), **message}}]


def pi(log: str | bytes) -> Converted:
    """The history of a pi session, as OpenAI Chat messages."""
    entries = list(_objects(log))
    built = Builder()
    for index, entry in enumerate(entries):
        message = entry.get("message")
        if entry.get("type") != "message" or not isinstance(message, dict):
            continue
        role, blocks = message.get("role"), dicts(message.get("content"))
        text = "".join(str(b.get("text", "")) for b in blocks if b.get("type") == "text")
        if isinstance(message.get("content"), str):
            text = message["content"]
        if role == "toolResult":
            built.add({"role": "tool", "tool_call_id": message.get("toolCallId"), "content": text}, index)
        elif role == "user":
            built.add({"role": "user", "content": text}, index)
        elif role == "assistant":
            calls = [call(b.get("id"), b.get("name"), b.get("arguments", {})) for b in blocks if b.get("type") == "toolCall"]
            if calls:
                built.add({"role": "assistant", "content": text or None, "tool_calls": calls}, index)
            elif text:
                built.add({"role": "assistant", "content": text}, index)
            # An aborted turn said nothing and holds no message.
    return built.converted(entries, lambda entry, _: entry, _pi_entry)


def _pi_entry(message: dict[str, Any], original: dict[str, Any] | None) -> dict[str, Any]:
    # Thinking and pictures have no place in a Chat message, and stay.
    before = dicts(((original or {}).get("message") or {}).get("content"))
    content = [b for b in before if b.get("type") not in ("text", "toolCall")]
    content += [{"type": "text", "text": message["content"]}] if message.get("content") else []
    for c in dicts(message.get("tool_calls")):
        function = c.get("function") or {}
        try:
            given = json.loads(function.get("arguments") or "{}")
        except ValueError:
            given = {}
        content.append({"type": "toolCall", "id": c.get("id"), "name": function.get("name"), "arguments": given})
    inner: dict[str, Any] = {**((original or {}).get("message") or {}), "role": message.get("role"), "content": content}
    if message.get("role") == "tool":
        inner |= {"role": "toolResult", "toolCallId": message.get("tool_call_id")}
        if original is None:
            inner["isError"] = True
    return {**(original or {"type": "message"}), "message": inner}


def _objects(log: str | bytes) -> list[dict[str, Any]]:
    """The objects of a log, line by line."""
    if not isinstance(log, (str, bytes, bytearray)):
        raise haversack.OptionsError("log is a str or bytes", kind="invalid_option", argument="log")
    found: list[dict[str, Any]] = []
    for line in log.splitlines():
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(entry, dict):
            found.append(entry)
    if not found:
        raise haversack.InputError("log: no line of it is a JSON object", kind="not_a_history", expected="JSON Lines", index=0)
    return found
