"""What haversack raises. Every kind of error has exactly one class here, in `CLASSES`."""

from __future__ import annotations

__all__ = [
    "BudgetError",
    "CounterError",
    "CursorError",
    "HaversackError",
    "InputError",
    "OffloadError",
    "OptionsError",
    "PromptError",
    "StateError",
]


class HaversackError(Exception):
    """What went wrong, where, and by how much. What does not apply is `None`.

    Attributes:
        kind: The name of what went wrong, the same in every language: `"budget_too_small"`, `"invalid_json"` …
        offset: Where in the input (or in the argument) it went wrong, in bytes of UTF-8.
        expected: What should have stood there.
        needed: How much is needed, in `unit`: as a budget, or as a limit, this much would do.
        size: How large the record is that is too large, in `unit`.
        available: How much there was, in `unit`.
        unit: `"bytes"`, `"chars"`, `"utf16"` or `"tokens"`, where they are sizes.
        argument: The option or argument that is wrong.
        pointer: The list concerned.
        index: The record, row or line concerned, or the index of a lone surrogate in a `str`, from 0.
        piece: The name of the piece of a prompt concerned.
    """

    kind: str
    offset: int | None
    expected: str | None
    needed: int | None
    size: int | None
    available: int | None
    unit: str | None
    argument: str | None
    pointer: str | None
    index: int | None
    piece: str | None

    def __init__(
        self,
        message: str,
        *,
        kind: str,
        offset: int | None = None,
        expected: str | None = None,
        needed: int | None = None,
        size: int | None = None,
        available: int | None = None,
        unit: str | None = None,
        argument: str | None = None,
        pointer: str | None = None,
        index: int | None = None,
        piece: str | None = None,
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.offset = offset
        self.expected = expected
        self.needed = needed
        self.size = size
        self.available = available
        self.unit = unit
        self.argument = argument
        self.pointer = pointer
        self.index = index
        self.piece = piece

    def __reduce__(self) -> tuple[object, ...]:
        # Exceptions are rebuilt from their positional arguments; ours take keywords.
        places = tuple(self.__dict__.get(name) for name in _PLACES)
        rest = {k: v for k, v in self.__dict__.items() if k not in _PLACES and k != "kind"}
        return (_rebuild, (type(self), str(self), self.kind, places), rest or None)


class InputError(HaversackError):
    """The payload is not what it has to be: no JSON, no UTF-8, too deep, a value that JSON cannot hold."""


class BudgetError(HaversackError, ValueError):
    """It does not fit: `needed` (or `size`, of a record), `available` and `unit` say by how much."""


class CounterError(HaversackError):
    """A token counter answered something that is no number of tokens. What a counter raises comes back unchanged."""


class OptionsError(HaversackError, ValueError):
    """An option has a value it cannot have, or contradicts another: `argument` names it."""


class CursorError(HaversackError):
    """A cursor that cannot be read, is of another list, or leads past the end."""


class PromptError(HaversackError, ValueError):
    """A piece of a prompt that cannot be one, or that carries a cache mark which is refused: `piece` is its name."""


class StateError(HaversackError):
    """Stored state that is none, or a step out of order."""


class OffloadError(StateError):
    """A key that this run does not have, or other bytes than were stored."""


CLASSES: dict[str, type[HaversackError]] = {
    "invalid_json": InputError,
    "invalid_utf8": InputError,
    "too_deep": InputError,
    "invalid_csv": InputError,
    "invalid_ndjson": InputError,
    "bad_argument": InputError,
    "not_a_history": InputError,
    "mixed_formats": InputError,
    "budget_too_small": BudgetError,
    "record_too_large": BudgetError,
    "counter_failed": CounterError,
    "invalid_option": OptionsError,
    "invalid_pointer": OptionsError,
    "nothing_selected": OptionsError,
    "limit_exceeded": OptionsError,
    "invalid_cursor": CursorError,
    "cursor_mismatch": CursorError,
    "cursor_past_end": CursorError,
    "cursor_needs_original": CursorError,
    "unknown_key": OffloadError,
    "digest_mismatch": OffloadError,
    "invalid_state": StateError,
    "out_of_order": StateError,
    "duplicate_piece": PromptError,
    "unknown_layer": PromptError,
    "not_canonical": InputError,
    "forbidden_mark": PromptError,
    "mixed_key": OptionsError,
    "no_such_field": InputError,
    "no_such_message": OptionsError,
    "open_books": OptionsError,
}

_PLACES = ("offset", "expected", "needed", "size", "available", "unit", "argument", "pointer", "index", "piece")


def build(message: str, kind: str, places: tuple[object, ...]) -> HaversackError:
    """The exception of a kind; called by the extension module. A kind of tomorrow is a plain `HaversackError`."""
    return _rebuild(CLASSES.get(kind, HaversackError), message, kind, places)


def _rebuild(cls: type[HaversackError], message: str, kind: str, places: tuple[object, ...]) -> HaversackError:
    named: dict[str, object] = dict(zip(_PLACES, places, strict=True))
    return cls(message, kind=kind, **named)  # type: ignore[arg-type]
