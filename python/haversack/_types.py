"""Names for types, for annotations: `Counter`, `Limits` and `Payload` are `haversack`'s, too. Importing haversack does not
import this module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, SupportsIndex, TypeAlias, TypedDict

from ._lib import Account

Payload: TypeAlias = str | bytes | bytearray | memoryview | dict[Any, Any] | list[Any] | tuple[Any, ...] | int | float | None
"""Text, its UTF-8, or any value that `json.dumps` takes."""

Format: TypeAlias = Literal["json", "ndjson", "csv", "tsv", "lines"]
WireFormat: TypeAlias = Literal["openai_chat", "openai_responses", "anthropic", "gemini", "bedrock"]
Unit: TypeAlias = Literal["bytes", "chars", "utf16", "tokens"]
Keep: TypeAlias = Literal["head", "tail", "both"]
Flavour: TypeAlias = Literal["openai", "anthropic", "gemini", "mcp"]
Counter: TypeAlias = Callable[[str], int] | Literal["estimate", "o200k_base", "cl100k_base"]
"""Answers the number of tokens of a text, counted on its own, or names a built-in counter.

A callable of a class with a method `count_up_to(text, limit)` is asked by that method where it is enough to know whether a
text fits. It answers the number of tokens where that is at most `limit`, else `None`, and may stop early.
"""
CacheRulesName: TypeAlias = Literal[
    "openai/auto", "openai/breakpoint", "anthropic", "bedrock", "gemini/implicit", "gemini/explicit", "vllm", "sglang"
]
"""The rows of the table of cache rules."""


class Limits(TypedDict, total=False):
    """Other limits than the defaults, by name; README names the defaults."""

    depth: int
    nested_strings: int
    notice_pointer: int
    entries: int
    entry_bytes: int
    needle_bytes: int


class BudgetKeywords(TypedDict, total=False):
    """Exactly one unit, and a counter for tokens."""

    bytes: SupportsIndex | None
    chars: SupportsIndex | None
    utf16: SupportsIndex | None
    tokens: SupportsIndex | None
    counter: Counter | None


class DeliverKeywords(BudgetKeywords, total=False):
    """The keywords of `deliver`."""

    format: Literal["auto"] | Format | None
    select: Iterable[str] | None
    sort_by: str | None
    descending: bool | None
    share: Literal["fair", "proportional", "in_order"] | None
    priority: Iterable[str] | None
    keep: Keep | None
    oversize: Literal["shrink", "skip", "error"] | None
    envelope: Literal["when_cut", "always"] | None
    cursor: str | None
    reader: str | None
    hint: str | None
    nested: bool | None
    on_invalid: Literal["error", "lines", "salvage"] | None
    prefer: Iterable[str] | None
    ansi: Literal["keep", "strip"] | None
    collapse: bool | None
    source: Literal["kept", "gone"] | None
    notice: Literal["text", "none"] | None
    earlier: Account | Mapping[str, Any] | None
    limits: Limits | None

Layer = Literal["static", "rare", "session", "turn"]
"""How often a piece of a prompt changes."""

PieceKind = Literal["instructions", "tool", "facts", "conversation", "notes", "setting"]
"""What a piece of a prompt is for."""

FactKind = Literal["constraint", "decision", "task", "identifier", "fact"]
"""What a fact is."""

HandoffKind: TypeAlias = Literal["findings", "empty", "too_big", "failed", "not_run", "out_of_budget", "silent", "uncheckable"]
"""What a worker can hand back."""

Boundary: TypeAlias = Literal["delivery", "field_filter", "offload", "clear", "summarise", "memory", "loadout", "handoff"]
"""Where something can be left out of what a model sees."""
