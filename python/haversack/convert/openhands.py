"""OpenHands: event histories, whose observations name the action that caused them."""

from __future__ import annotations

from ._converted import Builder, Converted, call, dicts, entries_of, loaded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Actions that say something to the other side; every other action of the agent is a call.
_SPEECH = ("message", "finish", "system", "think")
# What the program notes for itself.
_SILENT = ("change_agent_state", "recall", "null", "agent_state_changed")


def openhands(dump: str | bytes | list[dict[str, Any]]) -> Converted:
    """Events of OpenHands as OpenAI Chat messages: actions are calls, observations their results.

    Args:
        dump: The list of events, or an output record that holds it as `history`.

    Raises:
        InputError: No list of events.
    """
    entries = entries_of("openhands", _events(loaded("openhands", dump)))
    built = Builder()
    ids: dict[Any, str] = {}
    last: str | None = None
    for index, event in enumerate(entries):
        arguments = event["args"] if isinstance(event.get("args"), dict) else event
        metadata = _metadata(event)
        action, observation = event.get("action"), event.get("observation")
        if action in _SILENT or observation in _SILENT:
            continue
        if action is not None:
            text = str(arguments.get("content") or arguments.get("thought") or event.get("message") or "")
            if action == "system":
                built.add({"role": "system", "content": text}, index)
            elif action in _SPEECH:
                # The oldest dumps name no source: their first message is the task.
                user = event.get("source") == "user" or ("source" not in event and not built.messages)
                built.add({"role": "user" if user else "assistant", "content": text}, index)
            else:
                last = str(metadata.get("tool_call_id") or f"event_{event.get('id', index)}")
                ids[event.get("id")] = last
                given = {k: v for k, v in arguments.items() if k not in ("thought", "action")}
                name = metadata.get("function_name") or action
                built.add({"role": "assistant", "content": str(arguments.get("thought") or "") or None,
                           "tool_calls": [call(last, name, given)]}, index)
        elif observation is not None and last is not None:
            key = metadata.get("tool_call_id") or ids.get(event.get("cause")) or last
            built.add({"role": "tool", "tool_call_id": str(key), "content": str(event.get("content") or "")}, index)
    return built.converted(entries, lambda entry, _: entry, _make)


def _events(dump: Any) -> Any:
    return dump["history"] if isinstance(dump, dict) and "history" in dump else dump


def _metadata(event: dict[str, Any]) -> dict[str, Any]:
    found = event.get("tool_call_metadata")
    return found if isinstance(found, dict) else {}


def _make(message: dict[str, Any], original: dict[str, Any] | None) -> dict[str, Any]:
    """The event for a message that was changed or added."""
    content = message.get("content") or ""
    if message.get("role") == "tool":
        event = original or {"observation": "error"}
        return {**event, "tool_call_metadata": {**_metadata(event), "tool_call_id": message.get("tool_call_id")}, "content": content}
    if original is None:
        source = "user" if message.get("role") == "user" else "agent"
        return {"source": source, "action": "message", "args": {"content": content}}
    has_arguments = isinstance(original.get("args"), dict)
    calls = dicts(message.get("tool_calls"))
    if calls:
        named = {"function_name": (calls[0].get("function") or {}).get("name"), "tool_call_id": calls[0].get("id")}
        said = {"args": {**original["args"], "thought": content}} if has_arguments else {"thought": content}
        return {**original, **said, "tool_call_metadata": {**_metadata(original), **named}}
    if original.get("action") in _SPEECH:
        return {**original, "args": {**original["args"], "content": content}} if has_arguments else {**original, "content": content}
    # What called says the rest of it.
    kept = {k: v for k, v in original.items() if k not in ("args", "tool_call_metadata", "thought", "message")}
    return {**kept, "action": "message", "args": {"content": content}}
