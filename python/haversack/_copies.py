"""Copies of what never changes: itself, as with `str` and `tuple`; and of what changes by its `copy()`, which shares
all until one of the two does.

`Prompt` and `Offloads` are not here, nor a `History`, whose deep copy has dicts of its own. A `Cut` and a `Repair` hand
back the host's own dicts, and so do their copies.
"""

from __future__ import annotations

from . import _lib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def _copy(value: Any) -> Any:
    """It never changes: it is its own copy."""
    return value


def _deepcopy(value: Any, _memo: Any, /) -> Any:
    """It never changes: it is its own copy."""
    return value


UNCHANGING: tuple[type, ...] = (
    _lib.Account,
    _lib.Added,
    _lib.CacheMark,
    _lib.CacheMarks,
    _lib.Change,
    _lib.Comparison,
    _lib.Counts,
    _lib.Cut,
    _lib.Damage,
    _lib.Delivery,
    _lib.Entry,
    _lib.Extracted,
    _lib.Fact,
    _lib.Feature,
    _lib.Finding,
    _lib.FlushFile,
    _lib.FlushRequest,
    _lib.Growth,
    _lib.Handoff,
    _lib.Hit,
    _lib.ListAccount,
    _lib.MemoryCounts,
    _lib.MemoryItem,
    _lib.Message,
    _lib.Note,
    _lib.NoteCost,
    _lib.NothingToCut,
    _lib.Offload,
    _lib.Piece,
    _lib.PieceChange,
    _lib.PieceSize,
    _lib.PlacementCosts,
    _lib.Pointer,
    _lib.Prediction,
    _lib.Prepared,
    _lib.Reference,
    _lib.Rendered,
    _lib.Repair,
    _lib.Report,
    _lib.Request,
    _lib.Run,
    _lib.Said,
    _lib.SessionFile,
    _lib.SharedPrefix,
    _lib.Sighting,
    _lib.Snapshot,
    _lib.Step,
    _lib.Sums,
    _lib.Survival,
    _lib.Tiers,
    _lib.TranscriptHit,
    _lib.Unresolved,
    _lib.Violation,
    _lib.VolatileValue,
    _lib.Warning,
)


for _kind in UNCHANGING:
    _kind.__copy__ = _copy  # type: ignore[attr-defined]
    _kind.__deepcopy__ = _deepcopy  # type: ignore[attr-defined]


def _own_copy(value: Any) -> Any:
    """What `copy()` gives."""
    return value.copy()


def _own_deepcopy(value: Any, _memo: Any, /) -> Any:
    """What `copy()` gives: there is nothing else of the caller's in it."""
    return value.copy()


CHANGING: tuple[type, ...] = (
    _lib.Fleet,
    _lib.Frozen,
    _lib.Ledger,
    _lib.Memory,
    _lib.Tally,
    _lib.Transcript,
    _lib.TranscriptIndex,
)


for _kind in CHANGING:
    _kind.__copy__ = _own_copy  # type: ignore[attr-defined]
    _kind.__deepcopy__ = _own_deepcopy  # type: ignore[attr-defined]
