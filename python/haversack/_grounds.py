"""What `haversack.grounds` answers: one of two words, with its reason."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    Reason = Literal["stated", "verified", "nothing", "superseded", "only_memory", "untrusted"]


class Grounds(str):
    """`"ok"` or `"ask"`, as a str that compares with these, and why."""

    __slots__ = ("_reason", "_text")

    _reason: Reason
    _text: str

    def __new__(cls, answer: Literal["ok", "ask"], reason: Reason, text: str) -> Grounds:
        made = str.__new__(cls, answer)
        made._reason, made._text = reason, text
        return made

    @property
    def answer(self) -> str:
        """The same as a plain str."""
        return str(self)

    @property
    def reason(self) -> Reason:
        """`"stated"` or `"verified"` for `"ok"`; `"nothing"`, `"superseded"`, `"only_memory"` or `"untrusted"` for `"ask"`."""
        return self._reason

    @property
    def text(self) -> str:
        """To the model, where the answer is to ask: one line that names the action and the reason. Else empty."""
        return self._text

    def to_dict(self) -> dict[str, str]:
        """`answer`, `reason` and `text`."""
        return {"answer": str(self), "reason": self._reason, "text": self._text}

    def __repr__(self) -> str:
        return f"Grounds({str(self)!r}, reason={self._reason!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return (Grounds, (str(self), self._reason, self._text))
