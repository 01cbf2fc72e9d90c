"""haversack decides what a language model gets to see.

It cuts tool output on record boundaries and counts everything it leaves out. It makes no model calls, does no I/O
(but for `DirectoryStore`, whose job that is), and has no loop of its own.

    >>> import haversack
    >>> d = haversack.deliver([{"id": i, "state": "open"} for i in range(200)], chars=400)
    >>> d.account.total, d.complete
    (200, False)
"""

from __future__ import annotations

from . import readback
from ._errors import BudgetError, CounterError, CursorError, HaversackError, InputError, OffloadError, OptionsError, PromptError
from ._lib import (
    Account,
    CacheMark,
    CacheMarks,
    Change,
    Counts,
    Cut,
    Delivery,
    Entry,
    Frozen,
    History,
    ListAccount,
    Note,
    NoteCost,
    NothingToCut,
    Offload,
    Offloads,
    Pointer,
    Prediction,
    Prepared,
    Repair,
    Run,
    Step,
    Violation,
    Warning,
    __version__,
    cache_marks,
    count,
    counters,
    deliver,
    find,
    offload,
    page,
    payload_bytes,
    predict,
)
from ._pages import pages
from .mcp import deliver_mcp
from .store import DirectoryStore

__all__ = [
    "Account",
    "BudgetError",
    "CacheMark",
    "CacheMarks",
    "Change",
    "CounterError",
    "Counts",
    "CursorError",
    "Cut",
    "Delivery",
    "DirectoryStore",
    "Entry",
    "Frozen",
    "HaversackError",
    "History",
    "InputError",
    "ListAccount",
    "Note",
    "NoteCost",
    "NothingToCut",
    "Offload",
    "OffloadError",
    "Offloads",
    "OptionsError",
    "Pointer",
    "Prediction",
    "Prepared",
    "PromptError",
    "Repair",
    "Run",
    "Step",
    "Violation",
    "Warning",
    "__version__",
    "cache_marks",
    "count",
    "counters",
    "deliver",
    "deliver_mcp",
    "find",
    "offload",
    "page",
    "pages",
    "payload_bytes",
    "predict",
    "readback",
]
