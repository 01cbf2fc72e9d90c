"""Histories that frameworks dump, as wire messages and back.

Each function takes what a framework writes and answers a `Converted`: its messages in a wire format, and the way back
from a cut or a repair to the framework's own entries, which come back untouched wherever nothing changed.

    >>> from haversack import convert
    >>> dump = [
    ...     {"type": "human", "data": {"content": "weather?"}},
    ...     {"type": "ai", "data": {"content": "", "tool_calls": [{"name": "weather", "args": {}, "id": "c1"}]}},
    ... ]
    >>> converted = convert.langchain(dump)
    >>> repair = converted.history().repair(sending=True)
    >>> [entry["type"] for entry in converted.back(repair)]
    ['human', 'ai', 'tool']
"""

from __future__ import annotations

from ._converted import Converted
from .ai_sdk import ai_sdk
from .langchain import langchain
from .openhands import openhands
from .pydantic_ai import pydantic_ai
from .sessions import claude_code, pi

__all__ = ["Converted", "ai_sdk", "claude_code", "langchain", "openhands", "pi", "pydantic_ai"]
