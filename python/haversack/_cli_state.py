"""State in files: read whole, changed by one command at a time, and replaced so that it is never half there."""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager

import haversack

from ._streams import Unread, Unwritten, bytes_of
from ._terminal import say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeVar

    State = TypeVar("State", haversack.Ledger, haversack.Memory, haversack.Tally)


@contextmanager
def about(place: str) -> Iterator[None]:
    """Says of errors which input they are about."""
    try:
        yield
    except haversack.HaversackError as error:
        error.args = (f"{'standard input' if place == '-' else place}: {error}",)
        raise


@contextmanager
def of_input(place: str) -> Iterator[None]:
    """The same where all that is handed over comes from that input: what no argument may be, it may not hold."""
    with about(place):
        try:
            yield
        except haversack.OptionsError as error:
            raise haversack.InputError(str(error), kind=error.kind) from None


def text_of(data: bytes) -> str:
    """The text of an input."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        message, kind = f"invalid UTF-8 at byte {error.start}", "invalid_utf8"
        raise haversack.InputError(message, kind=kind, offset=error.start) from None


def loaded(kind: type[State], file: str) -> State:
    """The state in a file; `-` is standard input."""
    data = bytes_of(file)
    with about(file):
        return kind.from_json(text_of(data))


@contextmanager
def changing(kind: type[State], file: str, *, new: bool = True) -> Iterator[State]:
    """The state in a file, which is written back when the work on it is done and has not failed; where there is no
    file, a new one if there may be.
    """
    if file == "-":
        message = "state that changes is kept in a file, not in -"
        raise haversack.OptionsError(message, kind="invalid_option", argument="file")
    path = os.path.realpath(file)    # a link stays the link that it is
    with _alone(path, file):
        mode = _mode(path, file)
        state = kind() if mode is None and new else loaded(kind, file)
        yield state
        try:
            _replace(path, state.to_json() + "\n", mode)
        except OSError as error:
            raise Unwritten(f"{file}: {error.strerror or error}") from None
        if mode is None:
            say(f"{file} is new")


def _mode(path: str, file: str) -> int | None:
    """Who may read and write a file; nothing where there is none."""
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Unread(f"{file}: {error.strerror or error}") from None
    if not stat.S_ISREG(mode):
        raise Unread(f"{file}: is no regular file")
    return stat.S_IMODE(mode)


@contextmanager
def _alone(path: str, file: str) -> Iterator[None]:
    """Keeps other commands from changing what lies in this directory meanwhile: of two that record, the later one finds
    what the earlier recorded. Without a lock where the system has none for directories.
    """
    try:
        import fcntl
    except ImportError:
        yield
        return
    try:
        directory = os.open(os.path.dirname(path), os.O_RDONLY)
    except OSError as error:
        raise Unwritten(f"{file}: {error.strerror or error}") from None
    try:
        try:
            fcntl.flock(directory, fcntl.LOCK_EX)
        except OSError:
            pass    # a file system over a network
        yield
    finally:
        os.close(directory)


def _replace(path: str, text: str, mode: int | None) -> None:
    """Puts a new file into the place of the old one when all of it is on the disk. A new one is its owner's alone."""
    import tempfile

    handle, beside = tempfile.mkstemp(prefix=".haversack.", dir=os.path.dirname(path))
    try:
        with open(handle, "wb") as stream:
            stream.write(text.encode("utf-8"))
            stream.flush()
            os.fsync(handle)
        if mode is not None:
            os.chmod(beside, mode)
        os.replace(beside, path)
    except BaseException:
        os.unlink(beside)
        raise
