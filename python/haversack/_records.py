"""Small records that a host unpacks, compares and stores as the tuples they are, with names for what is in them.

Tuples with properties rather than `typing.NamedTuple`: importing haversack imports nothing beside itself. The extension
module makes them.
"""

from __future__ import annotations


def _shown(record: tuple[object, ...], *names: str) -> str:
    places = (f"{name}={value!r}" for name, value in zip(names, record, strict=True))
    return f"{type(record).__name__}({', '.join(places)})"


class Strip(tuple[int, str, str]):
    """What leaves a kept message with the cut. It unpacks and compares as `(index, path, what)`."""

    __slots__ = ()

    @property
    def index(self) -> int:  # type: ignore[override]  # `tuple.index` is not missed
        """The message, counted from 0 in the history before the cut."""
        return self[0]

    @property
    def path(self) -> str:
        """JSON pointer inside the list of messages to what leaves."""
        return self[1]

    @property
    def what(self) -> str:
        """What it is, `"thinking"` or `"item_id"`."""
        return self[2]

    def __repr__(self) -> str:
        return _shown(self, "index", "path", "what")


class Reduced(tuple[int, str, int, int]):
    """A result that was made smaller inside a step that has to stay. It unpacks and compares as `(index, path, before, after)`."""

    __slots__ = ()

    @property
    def index(self) -> int:  # type: ignore[override]  # `tuple.index` is not missed
        """The message, counted from 0 in the history before the cut."""
        return self[0]

    @property
    def path(self) -> str:
        """JSON pointer inside the list of messages to the result."""
        return self[1]

    @property
    def before(self) -> int:
        """Its size before, in the unit of the budget."""
        return self[2]

    @property
    def after(self) -> int:
        """Its size after."""
        return self[3]

    def __repr__(self) -> str:
        return _shown(self, "index", "path", "before", "after")


class PlanEntry(tuple[int | None, str | None]):
    """Where one resulting message comes from. It unpacks and compares as `(source, text)`."""

    __slots__ = ()

    @property
    def source(self) -> int | None:
        """The index of the message that it was; `None` for one that was made."""
        return self[0]

    @property
    def text(self) -> str | None:
        """Its new JSON text; `None` when it stays as it is."""
        return self[1]

    def __repr__(self) -> str:
        return _shown(self, "source", "text")


class PieceMark(tuple[int, str, int | None]):
    """A cache mark on a piece of a prompt. It unpacks and compares as `(at, kind, seconds)`."""

    __slots__ = ()

    @property
    def at(self) -> int:
        """The bytes of the piece's text before the mark."""
        return self[0]

    @property
    def kind(self) -> str:
        """The name of the member that it is, such as `"cache_control"`."""
        return self[1]

    @property
    def seconds(self) -> int | None:
        """The life that it asks for; `None` where it leaves that to the provider."""
        return self[2]

    def __repr__(self) -> str:
        return _shown(self, "at", "kind", "seconds")


class AutomaticMark(tuple[str, int | None]):
    """The cache mark of a whole request, which stands wherever it ends. It unpacks and compares as `(kind, seconds)`."""

    __slots__ = ()

    @property
    def kind(self) -> str:
        """The name of the member that it is."""
        return self[0]

    @property
    def seconds(self) -> int | None:
        """The life that it asks for; `None` where it leaves that to the provider."""
        return self[1]

    def __repr__(self) -> str:
        return _shown(self, "kind", "seconds")


class ForeignCall(tuple[int, str, str | None]):
    """A call of a tool that the reader of a history does not have. It unpacks and compares as `(index, name, id)`."""

    __slots__ = ()

    @property
    def index(self) -> int:  # type: ignore[override]  # `tuple.index` is not missed
        """The message that calls, counted from 0."""
        return self[0]

    @property
    def name(self) -> str:
        """The name of the tool."""
        return self[1]

    @property
    def id(self) -> str | None:
        """The id of the call; `None` where it has none."""
        return self[2]

    def __repr__(self) -> str:
        return _shown(self, "index", "name", "id")
