"""The messages of a dump, and the way back to its own entries."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

import haversack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    Message = dict[str, Any]


@dataclass(frozen=True)
class Origin:
    """Where a message comes from: an entry of the dump, and which of its parts."""

    entry: int
    parts: tuple[int, ...] = ()


@dataclass
class Converted:
    """A dump as wire messages. `messages[i]` comes from one entry of the dump; an entry may give several messages."""

    format: str
    """The wire format of `messages`."""
    messages: list[Message]
    _dump: Sequence[Any] = field(repr=False)
    _origins: list[Origin] = field(repr=False)
    _take: Callable[[Any, tuple[int, ...]], Any] = field(repr=False)
    _make: Callable[[Message, Any], Any] = field(repr=False)

    def history(self, **options: Any) -> haversack.History:
        """The history of these messages; options as for `History`, the format is known."""
        return haversack.History(self.messages, format=self.format, **options)  # type: ignore[arg-type]

    def back(self, result: haversack.Cut | haversack.Repair) -> list[Any]:
        """The dump after a cut or a repair of `history()`.

        Entries whose messages are all there and untouched are the dump's own objects; entries that hold no message
        (events, settings) stay.
        """
        whole: dict[int, list[Origin]] = {}
        for origin in self._origins:
            whole.setdefault(origin.entry, []).append(origin)
        silent = [i for i in range(len(self._dump)) if i not in whole]
        out: list[Any] = []
        group: list[Origin] = []

        def flush() -> None:
            if not group:
                return
            entry = group[0].entry
            while silent and silent[0] < entry:
                out.append(self._dump[silent.pop(0)])
            if group == whole[entry]:
                out.append(self._dump[entry])
            else:
                out.append(self._take(self._dump[entry], tuple(part for origin in group for part in origin.parts)))
            group.clear()

        for source, text in result.plan:
            origin = None if source is None else self._origins[source]
            if text is None and origin is not None:
                if group and group[0].entry != origin.entry:
                    flush()
                group.append(origin)
                continue
            flush()
            out.append(self._make(json.loads(text or "null"), None if origin is None else self._dump[origin.entry]))
        flush()
        return out + [self._dump[i] for i in silent]


class Builder:
    """Collects messages with their origins."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.origins: list[Origin] = []

    def add(self, message: Message, entry: int, parts: Sequence[int] = ()) -> None:
        """One message, from these parts of an entry."""
        self.messages.append(message)
        self.origins.append(Origin(entry, tuple(parts)))

    def converted(
        self,
        dump: Sequence[Any],
        take: Callable[[Any, tuple[int, ...]], Any],
        make: Callable[[Message, Any], Any],
        format: str = "openai_chat",
    ) -> Converted:
        """What was collected, with the two ways back: some parts of an entry, and a new entry for a message."""
        return Converted(format, self.messages, dump, self.origins, take, make)


def call(id: object, name: object, arguments: object) -> Message:
    """A tool call of Chat Completions. Arguments that are no text are written as JSON."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False, separators=(",", ":"))
    return {"id": id, "type": "function", "function": {"name": name, "arguments": text}}


def spelled(value: object) -> str:
    """A result as text: text as it is, everything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def refused(what: str, index: int, expected: str) -> haversack.InputError:
    """The error for an entry that is not of its framework."""
    return haversack.InputError(
        f"{what}: entry {index} is not {expected}", kind="not_a_history", expected=expected, index=index
    )


def loaded(what: str, dump: object) -> Any:
    """The dump; text is read as JSON."""
    if not isinstance(dump, (str, bytes, bytearray)):
        return dump
    try:
        return json.loads(dump)
    except (ValueError, RecursionError) as error:
        raise haversack.InputError(f"{what}: {error}", kind="invalid_json") from None


def entries_of(what: str, dump: object) -> list[Any]:
    """The dump as a list of objects."""
    dump = loaded(what, dump)
    if not isinstance(dump, (list, tuple)):
        raise haversack.InputError(f"{what}: not a list", kind="not_a_history", expected="a list", index=0)
    for index, entry in enumerate(dump):
        if not isinstance(entry, dict):
            raise refused(what, index, "an object")
    return list(dump)


def dicts(value: object) -> list[Any]:
    """The objects of a list; nothing for what is none."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
