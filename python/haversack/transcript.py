"""A transcript that stays in its file."""

from __future__ import annotations

from _thread import allocate_lock

from ._errors import OptionsError
from ._lib import TranscriptIndex, check_references, read_lines, search_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO, SupportsIndex

    from ._lib import Damage, Message, Reference, TranscriptHit

_PIECE = 1 << 20


class TranscriptFile:
    """The messages of an open file of JSON Lines, by number, without loading it whole.

    The file is gone over once (in pieces of 1 MB) for the places of its lines, 8 bytes a message; a range is then one
    seek and one read of its bytes. Threads may share one: the position of the file is that of one of them at a time,
    and of nobody else while this object is used.

        >>> with open("transcript.jsonl", "rb") as file:
        ...     transcript = haversack.TranscriptFile(file)
        ...     messages = transcript.read(3, 9)

    Args:
        file: Open for reading in binary mode, and seekable. It is not closed here.

    Raises:
        OptionsError: A file that is open in text mode, or none.
        OSError: What the file system says.
    """

    def __init__(self, file: BinaryIO, /) -> None:
        if not (callable(getattr(file, "read", None)) and callable(getattr(file, "seek", None))):
            raise OptionsError("file is an open file, and nothing else", kind="invalid_option", argument="file")
        self._file = file
        self._lock = allocate_lock()
        self._index = TranscriptIndex()
        self.refresh()

    @property
    def last(self) -> int:
        """The number of the last message; 0 where there is none."""
        return self._index.last

    def __len__(self) -> int:
        return self._index.last

    def refresh(self) -> int:
        """Goes over what was appended to the file since, and answers the number of the last message now."""
        with self._lock:
            self._file.seek(self._index.length)
            while piece := _bytes(self._file.read(_PIECE)):
                self._index.feed(piece)
        return self._index.last

    def read(self, first: SupportsIndex, last: SupportsIndex, /) -> list[Message]:
        """The messages from `first` to `last`, both included. A line that is damaged is left out, and stands in
        `damage(first, last)`.

        Raises:
            OptionsError: `no_such_message`, with the number (`index`) that there is not, and the last one
                (`available`).
        """
        return self._lines(first, last)[0]

    def damage(self, first: SupportsIndex, last: SupportsIndex, /) -> list[Damage]:
        """The lines of a range that cannot be served, in order. Raises as `read`."""
        return self._lines(first, last)[1]

    def pieces(self, first: SupportsIndex, last: SupportsIndex, /) -> Iterator[tuple[list[Message], list[Damage]]]:
        """The messages and the damaged lines of a range, in pieces of about 1 MB: for ranges that are too large to be
        held. Raises as `read`, before the first piece.
        """
        self._index.range(first, last)
        return (read_lines(lines, start) for start, lines in self._pieces(first, last))

    def search(self, needle: str, /) -> list[TranscriptHit]:
        """The messages whose strings and names of members hold exactly this text, in order; escapes are read as what
        they say. Reads the file once, in pieces of about 1 MB.

        Raises:
            OptionsError: An empty `needle`, or one above 4,096 bytes.
        """
        hits = search_lines(b"", 1, needle)    # refuses a needle where there is nothing to look through, too
        for start, lines in self._pieces(1, self.last) if self.last else ():
            hits += search_lines(lines, start, needle)
        return hits

    def resolve(self, reference: str, /) -> tuple[int, int]:
        """What a reference leads to, as `Transcript.resolve` reads it.

        Raises:
            OptionsError: It is no reference; or `no_such_message`, with the number (`index`) that there is not, and the
                last one (`available`).
        """
        return self._index.resolve(reference)

    def check(self, text: str, /) -> list[Reference]:
        """The references in a text, as `Transcript.check` judges them. Reads the messages of which words are quoted."""
        return check_references(text, self.last, self._raw)

    def _lines(self, first: SupportsIndex, last: SupportsIndex) -> tuple[list[Message], list[Damage]]:
        return read_lines(self._raw(first, last), first)

    def _raw(self, first: SupportsIndex, last: SupportsIndex) -> bytes:
        """The lines of a range."""
        start, end = self._index.range(first, last)
        pieces = []
        with self._lock:
            self._file.seek(start)
            while start < end and (piece := _bytes(self._file.read(end - start))):    # a raw file may give less
                pieces.append(piece)
                start += len(piece)
        return b"".join(pieces)

    def _pieces(self, first: SupportsIndex, last: SupportsIndex) -> Iterator[tuple[int, bytes]]:
        """The lines of a range, as many at a time as a piece holds and at least one, with the number of the first."""
        at, end = first.__index__(), last.__index__()
        while at <= end:
            upto = self._upto(at, end)
            yield at, self._raw(at, upto)
            at = upto + 1

    def _upto(self, first: int, last: int) -> int:
        """The last message that still ends within a piece which starts with `first`; that one at least."""
        start, end = self._index.range(first, last)
        if end - start <= _PIECE:
            return last
        low, high = first, last - 1
        while low < high:
            middle = (low + high + 1) // 2
            if self._index.range(first, middle)[1] - start <= _PIECE:
                low = middle
            else:
                high = middle - 1
        return low

    def __repr__(self) -> str:
        return f"TranscriptFile(last={self._index.last})"


def _bytes(piece: bytes | None) -> bytes:
    """What was read; a `str` is of a file in text mode."""
    if isinstance(piece, str):
        raise OptionsError("file is open in text mode, not with mode 'rb'", kind="invalid_option", argument="file")
    return piece or b""
