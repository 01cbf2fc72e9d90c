"""haversack decides what a language model gets to see.

It cuts tool output on record boundaries and counts everything it leaves out. It makes no model calls, does no I/O
(but for `DirectoryStore`, whose job that is), and has no loop of its own.

    >>> import haversack
    >>> d = haversack.deliver([{"id": i, "state": "open"} for i in range(200)], chars=400)
    >>> d.account.total, d.complete
    (200, False)
"""

from __future__ import annotations

from . import _copies, readback
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
    CacheMark,
    CacheMarks,
    Change,
    Comparison,
    Counts,
    Cut,
    Damage,
    Delivery,
    Entry,
    Feature,
    Finding,
    Fleet,
    Frozen,
    Growth,
    Handoff,
    History,
    ListAccount,
    Message,
    Note,
    NoteCost,
    NothingToCut,
    Offload,
    Offloads,
    Piece,
    PieceChange,
    PieceSize,
    Pointer,
    Prediction,
    Prepared,
    Prompt,
    Reference,
    Rendered,
    Repair,
    Report,
    Run,
    SessionFile,
    SharedPrefix,
    Snapshot,
    Step,
    Sums,
    Survival,
    Tally,
    Tiers,
    Transcript,
    TranscriptHit,
    TranscriptIndex,
    Unresolved,
    Violation,
    VolatileValue,
    Warning,
    __version__,
    cache_marks,
    compare,
    count,
    counters,
    deliver,
    find,
    growth,
    offload,
    page,
    payload_bytes,
    predict,
    read_features,
    session_files,
    shared_prefix,
    tiers,
    volatile,
)
from ._pages import pages
from ._records import AutomaticMark, PieceMark, PlanEntry, Reduced, Strip
from .mcp import deliver_mcp
from .store import DirectoryStore
from .transcript import TranscriptFile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import convert
    from ._types import Counter, Limits, Payload

__all__ = [
    "Account",
    "AutomaticMark",
    "BudgetError",
    "CacheMark",
    "CacheMarks",
    "CanonicalJson",
    "Change",
    "Comparison",
    "Counter",
    "CounterError",
    "Counts",
    "CursorError",
    "Cut",
    "Damage",
    "Delivery",
    "DirectoryStore",
    "Entry",
    "Feature",
    "Finding",
    "Fleet",
    "Frozen",
    "Growth",
    "Handoff",
    "HaversackError",
    "History",
    "InexactNumber",
    "InputError",
    "Limits",
    "ListAccount",
    "Message",
    "Note",
    "NoteCost",
    "NothingToCut",
    "Offload",
    "OffloadError",
    "Offloads",
    "OptionsError",
    "Payload",
    "Piece",
    "PieceChange",
    "PieceMark",
    "PieceSize",
    "PlanEntry",
    "Pointer",
    "Prediction",
    "Prepared",
    "Prompt",
    "PromptError",
    "Reduced",
    "Reference",
    "Rendered",
    "Repair",
    "Report",
    "Run",
    "SessionFile",
    "SharedPrefix",
    "Snapshot",
    "Step",
    "Strip",
    "Sums",
    "Survival",
    "Tally",
    "Tiers",
    "Transcript",
    "TranscriptFile",
    "TranscriptHit",
    "TranscriptIndex",
    "Unresolved",
    "Violation",
    "VolatileValue",
    "Warning",
    "__version__",
    "cache_marks",
    "canonical_json",
    "compare",
    "convert",
    "count",
    "counters",
    "deliver",
    "deliver_mcp",
    "find",
    "growth",
    "offload",
    "page",
    "pages",
    "payload_bytes",
    "predict",
    "read_features",
    "readback",
    "session_files",
    "shared_prefix",
    "tiers",
    "volatile",
]


if not TYPE_CHECKING:    # a checker would take every name for one that is there

    def __getattr__(name):
        """What few programs need is imported when it is asked for: the converters, and the names of types."""
        from importlib import import_module    # `from . import` would ask for the name again

        if name == "convert":
            return import_module(".convert", __name__)
        if name in ("Counter", "Limits", "Payload"):
            return getattr(import_module("._types", __name__), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__():
        return sorted({*globals(), *__all__})
