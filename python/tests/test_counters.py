"""Counters: callables of every behaviour, and the built-in ones."""

import threading
from typing import Any

import haversack
import pytest
from conftest import words

ROWS = [{"id": i, "text": "some words here"} for i in range(300)]
LONG = "".join(f"a line with some words and the number {i}\n" for i in range(3_000))  # above the size that lets go of the GIL


@pytest.mark.parametrize("payload", [ROWS[:20], ROWS, LONG], ids=["short", "rows", "long"])
def test_a_callable(payload: Any) -> None:
    d = haversack.deliver(payload, tokens=60, counter=words)
    assert d.unit == "tokens" and d.size == words(d.text) <= 60


@pytest.mark.parametrize("name", ["estimate", "o200k_base", "cl100k_base"])
def test_by_name(name: str) -> None:
    if name not in haversack.counters():
        pytest.skip(f"{name} is not in this build")
    d = haversack.deliver(ROWS, tokens=200, counter=name)  # type: ignore[arg-type]
    assert d.size == haversack.count(d.text, counter=name) <= 200  # type: ignore[arg-type]


def test_count() -> None:
    assert haversack.count("two words", counter=words) == 2
    assert haversack.count(b"", counter="estimate") == 0
    if "o200k_base" in haversack.counters():
        assert haversack.count("hello world", counter="o200k_base") == 2
        assert haversack.count("<|endoftext|>", counter="o200k_base") > 1
    with pytest.raises(haversack.InputError):
        haversack.count(b"\xff", counter=words)


class Limited:
    """Counts words, and stops at the limit."""

    def __init__(self) -> None:
        self.asked = self.stopped = 0

    def __call__(self, text: str) -> int:
        return words(text)

    def count_up_to(self, text: str, limit: int) -> int | None:
        self.asked += 1
        n = words(text)
        self.stopped += n > limit
        return n if n <= limit else None


@pytest.mark.parametrize("payload", [ROWS[:20], ROWS, LONG], ids=["short", "rows", "long"])
def test_a_counter_that_can_stop_early_is_asked_to(payload: Any) -> None:
    counter = Limited()
    assert haversack.deliver(payload, tokens=60, counter=counter) == haversack.deliver(payload, tokens=60, counter=words)
    assert counter.asked >= counter.stopped > 0


def test_only_a_method_of_the_class_counts_up_to_a_limit() -> None:
    from unittest.mock import Mock

    assert haversack.deliver(ROWS[:3], tokens=600, counter=Mock(return_value=3)).size == 3


@pytest.mark.parametrize("payload", [ROWS[:20], LONG], ids=["short", "long"])
def test_what_counts_up_to_a_limit_may_fail(payload: Any) -> None:
    class Broken(Limited):
        def __init__(self, answer: Any) -> None:
            super().__init__()
            self.answer = answer

        def count_up_to(self, text: str, limit: int) -> int | None:
            if isinstance(self.answer, BaseException):
                raise self.answer
            answer: int | None = self.answer
            return answer

    exception = Mine("unchanged")
    with pytest.raises(Mine) as caught:
        haversack.deliver(payload, tokens=60, counter=Broken(exception))
    assert caught.value is exception
    for answer in [True, "7", -1, 2**53 + 1, [7]]:
        with pytest.raises(haversack.CounterError):
            haversack.deliver(payload, tokens=60, counter=Broken(answer))


class Mine(Exception):
    pass


@pytest.mark.parametrize("exception", [Mine("unchanged"), KeyboardInterrupt(), SystemExit(3), haversack.CounterError("x", kind="counter_failed")])
@pytest.mark.parametrize("payload", [ROWS[:20], LONG], ids=["short", "long"])
@pytest.mark.parametrize("after", [0, 1, 3])
def test_an_exception_comes_back_unchanged(exception: BaseException, payload: Any, after: int) -> None:
    calls = 0

    def counter(text: str) -> int:
        nonlocal calls
        calls += 1
        if calls > after:
            raise exception
        return words(text)

    with pytest.raises(type(exception)) as caught:
        haversack.deliver(payload, tokens=60, counter=counter)
    assert caught.value is exception and caught.value.__cause__ is None
    assert calls == after + 1, "it was asked again after it had failed"


@pytest.mark.parametrize("answer", [True, False, None, "7", 7.0, -1, 2**53 + 1, 2**64, 10**30, [7]], ids=repr)
@pytest.mark.parametrize("payload", [ROWS[:20], LONG], ids=["short", "long"])
def test_what_is_no_number_of_tokens(answer: Any, payload: Any) -> None:
    with pytest.raises(haversack.CounterError) as caught:
        haversack.deliver(payload, tokens=60, counter=lambda text: answer)
    assert caught.value.kind == "counter_failed"


def test_an_integer_of_another_type_is_one() -> None:
    class Index:
        def __init__(self, n: int) -> None:
            self.n = n

        def __index__(self) -> int:
            return self.n

    d = haversack.deliver(ROWS, tokens=60, counter=lambda text: Index(words(text)))  # type: ignore[arg-type,return-value]
    assert d == haversack.deliver(ROWS, tokens=60, counter=words)


def test_a_counter_may_call_back() -> None:
    def counter(text: str) -> int:
        return haversack.deliver(text, tokens=10**9, counter=words).size

    for payload in (ROWS, LONG):
        assert haversack.deliver(payload, tokens=60, counter=counter) == haversack.deliver(payload, tokens=60, counter=words)


def test_a_counter_that_uses_the_table_it_counts_for() -> None:
    table = haversack.Offloads()

    def counter(text: str) -> int:
        table.lookup("c-0")
        return len(text)

    with pytest.raises(haversack.StateError) as caught:
        table.prepare(LONG, "c1", over=60, unit="tokens", counter=counter)
    assert caught.value.kind == "out_of_order"
    assert table.entries == ()
    assert table.prepare(LONG, "c1", over=60, unit="tokens", counter=words).action == "store"


def test_a_counter_that_waits_for_another_thread() -> None:
    """The other thread needs the interpreter and the library while this one is counting."""
    done: list[int] = []

    def counter(text: str) -> int:
        thread = threading.Thread(target=lambda: done.append(haversack.deliver(LONG, chars=500).size))
        thread.start()
        thread.join(30)
        assert not thread.is_alive(), "the two wait for each other"
        return words(text)

    haversack.deliver(LONG, tokens=60, counter=counter)
    assert done


def test_few_calls() -> None:
    calls = 0

    def counter(text: str) -> int:
        nonlocal calls
        calls += 1
        return words(text)

    haversack.deliver(ROWS, tokens=100, counter=counter)
    assert calls <= 300 + 8 + 7
