"""Reading offloaded results back: tool definitions for the model, and the executor of its calls.

    definitions = readback.tool_definitions("anthropic")           # into the request's `tools`
    # … the model calls `name` with `arguments` …
    d = readback.execute(offloads, store.read, name, arguments, call_id=call_id, chars=4_000)
"""

from __future__ import annotations

from ._lib import Delivery, Offloads, Request, error_text, request, tool_definitions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from typing_extensions import Unpack

    from ._types import BudgetKeywords

__all__ = ["Request", "error_text", "execute", "request", "tool_definitions"]


def execute(
    offloads: Offloads,
    read: Callable[[str], bytes],
    name: str,
    arguments: str | Mapping[str, Any],
    /,
    *,
    call_id: str | None = None,
    read_name: str | None = None,
    find_name: str | None = None,
    **budget: Unpack[BudgetKeywords],
) -> Delivery:
    """Answers one call of a reading tool: looks its key up, fetches the bytes, checks them, pages or searches them.

    Args:
        offloads: The table of this run. No other key than one of its own is ever fetched.
        read: Gives the bytes at a location that the host itself named at `commit`, such as `DirectoryStore.read`.
        name: The tool that was called.
        arguments: Its arguments, as JSON text or a dict.
        call_id: The id of this call; its result is then exempt from being offloaded again.
        read_name: The name of the reading tool, where it is not `haversack_read`.
        find_name: The name of the searching tool, where it is not `haversack_find`.
        **budget: Exactly one of `bytes`, `chars`, `utf16`, `tokens` (with `counter`).

    Raises:
        HaversackError: Give `error_text(error)` to the model.
    """
    asked = request(offloads, name, arguments, read_name=read_name, find_name=find_name)
    if call_id is not None:
        offloads.exempt(call_id)
    return asked.answer(read(asked.location), **budget)
