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
from ._canonical import CanonicalJson, InexactNumber, canonical_json
from ._errors import (
    BudgetError,
    CounterError,
    CursorError,
    HaversackError,
    InputError,
    OffloadError,
    OptionsError,
    PromptError,
)
from ._lib import (
    Account,
    Change,
    Comparison,
    Counts,
    Cut,
    Delivery,
    Entry,
    History,
    ListAccount,
    NothingToCut,
    Offload,
    Offloads,
    Piece,
    PieceChange,
    PieceSize,
    Pointer,
    Prepared,
    Prompt,
    Repair,
    Report,
    Run,
    SharedPrefix,
    Snapshot,
    Step,
    Violation,
    VolatileValue,
    Warning,
    __version__,
    compare,
    count,
    counters,
    deliver,
    find,
    offload,
    page,
    payload_bytes,
    shared_prefix,
    volatile,
)
from ._pages import pages
from .mcp import deliver_mcp
from .store import DirectoryStore

__all__ = [
    "Account",
    "BudgetError",
    "CanonicalJson",
    "Change",
    "Comparison",
    "CounterError",
    "Counts",
    "CursorError",
    "Cut",
    "Delivery",
    "DirectoryStore",
    "Entry",
    "HaversackError",
    "History",
    "InexactNumber",
    "InputError",
    "ListAccount",
    "NothingToCut",
    "Offload",
    "OffloadError",
    "Offloads",
    "OptionsError",
    "Piece",
    "PieceChange",
    "PieceSize",
    "Pointer",
    "Prepared",
    "Prompt",
    "PromptError",
    "Repair",
    "Report",
    "Run",
    "SharedPrefix",
    "Snapshot",
    "Step",
    "Violation",
    "VolatileValue",
    "Warning",
    "__version__",
    "canonical_json",
    "compare",
    "count",
    "counters",
    "deliver",
    "deliver_mcp",
    "find",
    "offload",
    "page",
    "pages",
    "payload_bytes",
    "readback",
    "shared_prefix",
    "volatile",
]
