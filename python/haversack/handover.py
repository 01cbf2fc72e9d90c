"""A history for another agent: no call in it is open, and none is of a tool that the other agent does not have."""

from __future__ import annotations

from ._errors import OptionsError
from ._lib import History, Repair
from ._records import ForeignCall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from ._types import WireFormat

    Messages = list[dict[str, Any]] | dict[str, Any]

_MOST = 1 << 16


def foreign_calls(
    messages: Messages, tools: Iterable[str], /, *, format: WireFormat | None = None
) -> list[ForeignCall]:
    """The calls in a history of tools that are not among these, in order. Calls of the provider's own tools are none.

    Args:
        messages: The list of messages, or a request body around it, as dicts.
        tools: The names of the tools that the reader has.
        format: As for `History`. Default: detected.

    Raises:
        OptionsError: Messages that are no dicts, tools that are no names.
        HaversackError: As `History`.
    """
    listed, known, wire = _read(messages, tools, format)
    return [
        ForeignCall((index, name, call_id))
        for index, one in enumerate(listed)
        for name, call_id in _foreign(one, known, wire)
    ]


def hand_over(messages: Messages, tools: Iterable[str], /, *, format: WireFormat | None = None) -> Repair:
    """The history as another agent can take it: calls of tools that it does not have leave, what they returned stays
    as a text of the user, and calls that are still open (the one that hands over, for one) are answered. All else
    stays, and messages that do not change are the caller's own. `foreign_calls` tells which calls leave.

    Args:
        messages, tools, format: As for `foreign_calls`.

    Returns:
        What `History.repair(orphan="text", sending=True)` answers for the history without these calls.

    Raises:
        HaversackError: As `foreign_calls`.
    """
    listed, known, wire = _read(messages, tools, format)
    kept = [left for one in listed if (left := _without(one, known, wire)) is not None]
    around = {**messages, _FIELDS[wire]: kept} if isinstance(messages, dict) else kept
    return History(around, format=wire).repair(orphan="text", sending=True)


_FIELDS: dict[str, str] = {
    "openai_chat": "messages",
    "openai_responses": "input",
    "anthropic": "messages",
    "gemini": "contents",
    "bedrock": "messages",
}


def _read(
    messages: Messages, tools: Iterable[str], format: WireFormat | None
) -> tuple[list[Any], frozenset[str], WireFormat]:
    if not isinstance(messages, (list, dict)):
        raise _wrong("messages is a list of dicts, or a request body around one", "messages")
    wire: WireFormat = History(messages, format=format).format
    listed = messages.get(_FIELDS[wire]) if isinstance(messages, dict) else messages
    return (listed if isinstance(listed, list) else []), _names(tools), wire


def _names(tools: Iterable[str]) -> frozenset[str]:
    names: set[str] = set()
    try:
        given = iter(() if isinstance(tools, (str, bytes)) else tools)
    except TypeError:
        raise _wrong("tools is a list of names", "tools") from None
    for name in given:
        if not isinstance(name, str) or len(names) == _MOST:
            raise _wrong(f"tools is a list of at most {_MOST} names", "tools")
        names.add(name)
    if isinstance(tools, (str, bytes)):
        raise _wrong("tools is a list of names, not one name", "tools")
    return frozenset(names)


def _wrong(message: str, argument: str) -> OptionsError:
    return OptionsError(message, kind="invalid_option", argument=argument)


# ---------------------------------------------------------------- where calls stand

def _call(block: Any, wire: str) -> tuple[str, str | None] | None:
    """The name and the id of the call that a block, an item or an entry of `tool_calls` is."""
    if not isinstance(block, dict):
        return None
    kind = block.get("type")
    # What holds the name, what holds the id, and how the id is called.
    call: Any = None
    of: Any = block
    member = "id"
    if wire == "openai_chat":
        call = block.get("custom") if kind == "custom" else block.get("function")
    elif wire == "openai_responses":
        call, member = (block if kind in ("function_call", "custom_tool_call") else None), "call_id"
    elif wire == "anthropic":
        call = block if kind == "tool_use" else None
    elif wire == "gemini":
        call = of = block.get("functionCall") or block.get("function_call")
    else:
        call = of = block.get("toolUse")
        member = "toolUseId"
    if not isinstance(call, dict) or not isinstance(call.get("name"), str):
        return None
    call_id = of.get(member)
    return call["name"], call_id if isinstance(call_id, str) else None


_PLACES: dict[str, str] = {"openai_chat": "tool_calls", "anthropic": "content", "gemini": "parts", "bedrock": "content"}


def _foreign(message: Any, known: frozenset[str], wire: str) -> Iterator[tuple[str, str | None]]:
    if not isinstance(message, dict):
        return
    blocks = [message] if wire == "openai_responses" else message.get(_PLACES[wire])
    for block in blocks if isinstance(blocks, list) else ():
        call = _call(block, wire)
        if call and call[0] not in known:
            yield call
    old = message.get("function_call") if wire == "openai_chat" else None
    if isinstance(old, dict) and isinstance(old.get("name"), str) and old["name"] not in known:
        yield old["name"], None


def _without(message: Any, known: frozenset[str], wire: str) -> Any:
    """A message without its foreign calls, itself where it has none; nothing where it is one."""
    if not any(_foreign(message, known, wire)):
        return message
    if wire == "openai_responses":
        return None
    left: dict[str, Any] = dict(message)
    place = _PLACES[wire]
    if isinstance(left.get(place), list):
        left[place] = [block for block in left[place] if not _is_foreign(block, known, wire)]
        if wire == "openai_chat" and not left[place]:
            del left[place]
    if wire == "openai_chat" and any(_foreign({"function_call": left.get("function_call")}, known, wire)):
        del left["function_call"]
    return left


def _is_foreign(block: Any, known: frozenset[str], wire: str) -> bool:
    call = _call(block, wire)
    return call is not None and call[0] not in known
