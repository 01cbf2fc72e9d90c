"""A transcript that stays in its file."""

from __future__ import annotations

from ._errors import OptionsError
from ._lib import TranscriptIndex, read_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO, SupportsIndex

    from ._lib import Damage, Message

_PIECE = 1 << 20


class TranscriptFile:
    """The messages of an open file of JSON Lines, by number, without loading it whole.

    The file is gone over once (in pieces of 1 MB) for the places of its lines, 8 bytes a message; a range is then one
    seek and one read of its bytes. The position of the file is that of this object while it is used.

        >>> with open("transcript.jsonl", "rb") as file:
        ...     transcript = haversack.TranscriptFile(file)
        ...     messages = transcript.read(3, 9)

    Args:
        file: Open for reading in binary mode, and seekable. It is not closed here.

    Raises:
        OptionsError: A file that is open in text mode.
        OSError: What the file system says.
    """

    def __init__(self, file: BinaryIO, /) -> None:
        self._file = file
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

    def _lines(self, first: SupportsIndex, last: SupportsIndex) -> tuple[list[Message], list[Damage]]:
        start, end = self._index.range(first, last)
        self._file.seek(start)
        pieces = []
        while start < end and (piece := _bytes(self._file.read(end - start))):    # a raw file may give less
            pieces.append(piece)
            start += len(piece)
        return read_lines(b"".join(pieces), first)

    def __repr__(self) -> str:
        return f"TranscriptFile(last={self._index.last})"


def _bytes(piece: bytes | None) -> bytes:
    """What was read; a `str` is of a file in text mode."""
    if isinstance(piece, str):
        raise OptionsError("file is open in text mode, not with mode 'rb'", kind="invalid_option", argument="file")
    return piece or b""
