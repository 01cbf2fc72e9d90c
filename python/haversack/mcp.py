"""Results of MCP tools."""

from __future__ import annotations

from ._lib import Delivery, deliver

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from typing_extensions import Unpack

    from ._types import DeliverKeywords


def deliver_mcp(result: Any, /, **options: Unpack[DeliverKeywords]) -> Delivery:
    """Delivers the result of an MCP tool call as the one payload that it is.

    A server that gives `structuredContent` also writes it into a text block, so that the same records stand there
    twice. Where both are equal, the text is delivered. Where there are only text blocks, they are one text, a line
    break between them. Everything else (images, resources, a structure that the text does not hold) is delivered as
    the JSON of the result, in which base64 becomes its type and size.

    Args:
        result: A `CallToolResult`: a dict, its JSON text, or an object with `model_dump` as the `mcp` package has it.
        **options: Those of `deliver`.

    Raises:
        OptionsError: `result` is no result of a tool call.
        HaversackError: As `deliver`.
    """
    import json

    value = result
    if hasattr(value, "model_dump"):
        value = value.model_dump(by_alias=True, exclude_none=True, mode="json")
    elif isinstance(value, (str, bytes, bytearray)):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            value = None
    if not isinstance(value, dict) or not isinstance(value.get("content", []), list):
        from ._errors import OptionsError

        raise OptionsError("result is no CallToolResult", kind="invalid_option", argument="result")

    blocks: list[Any] = value.get("content", [])
    structured = value.get("structuredContent")
    texts = [b["text"] for b in blocks if isinstance(b, dict) and b.get("type") == "text" and isinstance(b.get("text"), str)]
    if len(texts) == len(blocks):
        text = "\n".join(texts)
        if structured is None or _says_the_same(text, structured):
            return deliver(text, **options)
        if not texts:
            return deliver(structured, **options)
    shown: dict[str, Any] = {"content": blocks}
    if structured is not None:
        shown["structuredContent"] = structured
    return deliver(shown, **options)


def _says_the_same(text: str, value: Any) -> bool:
    """True when `text` is JSON for `value`: the same types and numbers, whatever the order of keys."""
    import json

    try:
        read = json.loads(text)
        return json.dumps(read, sort_keys=True) == json.dumps(value, sort_keys=True)
    except (ValueError, TypeError, RecursionError):
        return False
