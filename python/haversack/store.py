"""Where offloaded results lie: a directory."""

from __future__ import annotations

import os

from ._errors import HaversackError, OffloadError
from ._lib import payload_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._types import Payload


class DirectoryStore:
    """Keeps offloaded results as files of one directory, which is created with mode 0700 where it is not there.

    Only keys that `offload` makes are file names here. A file is created exclusively, with mode 0600, and no link is
    followed, so that nothing that was there before is overwritten or written through.

        >>> store = haversack.DirectoryStore("results")
        >>> step = offloads.prepare(payload, call_id)
        >>> if step.action == "store":
        ...     text = offloads.commit(step.key, store.put(step.key, payload)).text
    """

    def __init__(self, directory: str | os.PathLike[str], /) -> None:
        self._directory = os.fspath(directory)
        os.makedirs(self._directory, mode=0o700, exist_ok=True)

    @property
    def directory(self) -> str:
        """The directory, as it was given."""
        return self._directory

    def put(self, key: str, payload: Payload, /) -> str:
        """Stores the bytes of a payload and gives their location, which is the key.

        Raises:
            OffloadError: `unknown_key` for what is no key of `offload`; `digest_mismatch` when other bytes are stored
                under it. The same bytes again are a success.
            OSError: What the file system says. Nothing is left behind then.
        """
        _check(key)
        data = payload_bytes(payload)
        path = os.path.join(self._directory, key)
        try:
            file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINKS, 0o600)
        except FileExistsError:
            if _digest(self.read(key)) != _digest(data):
                raise OffloadError("other bytes are stored under this key", kind="digest_mismatch") from None
            return key
        try:
            with open(file, "wb") as out:
                out.write(data)
        except BaseException:
            os.unlink(path)
            raise
        return key

    def read(self, location: str, /) -> bytes:
        """The bytes at a location that `put` gave.

        Raises:
            OffloadError: `unknown_key` for what is no key of `offload`, or under which no file of ours is stored.
            OSError: What the file system says.
        """
        import stat

        _check(location)
        path = os.path.join(self._directory, location)
        try:
            file = os.open(path, os.O_RDONLY | _NO_LINKS | getattr(os, "O_NONBLOCK", 0))
        except FileNotFoundError:
            raise _unknown(location) from None
        with open(file, "rb") as stored:
            if not stat.S_ISREG(os.fstat(stored.fileno()).st_mode):
                raise _unknown(location)
            return stored.read()

    def __repr__(self) -> str:
        return f"DirectoryStore({self._directory!r})"


_NO_LINKS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)

_ENDINGS = (".json", ".ndjson", ".csv", ".tsv", ".txt")
_NAME = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_-")
_HEX = frozenset("0123456789abcdef")


def _check(key: object) -> None:
    """Keys are `<at most 40 of [a-z0-9_-]>-<32 hex digits><ending>`; nothing else comes near a path."""
    stem, dot, ending = key.partition(".") if isinstance(key, str) else ("", "", "")
    name, dash, digest = stem[:-33], stem[-33:-32], stem[-32:]
    good = dash == "-" and len(digest) == 32 and _HEX.issuperset(digest) and len(name) <= 40 and _NAME.issuperset(name)
    if not good or dot + ending not in _ENDINGS:
        raise _unknown(key)


def _unknown(key: object) -> HaversackError:
    shown = ascii(key)
    return OffloadError(f"no result is stored under {shown[:34]}", kind="unknown_key")


def _digest(data: bytes) -> bytes:
    import hashlib

    return hashlib.sha256(data).digest()
