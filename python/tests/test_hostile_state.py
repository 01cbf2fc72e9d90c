"""Every call of the state with what nobody should give it: a typed error, or an answer; and threads that come between."""

import io
import itertools
import random
import threading
from collections.abc import Callable
from typing import Any

import haversack
import pytest
from haversack import _lib


class Index:
    def __init__(self, value: int | None = None) -> None:
        self.value = value

    def __index__(self) -> int:
        if self.value is None:
            raise ZeroDivisionError("no index")
        return self.value


class Text(str):
    def __str__(self) -> str:
        raise ZeroDivisionError("no str")

    __repr__ = __str__


class Evil:
    def __getattr__(self, name: str) -> Any:
        raise ZeroDivisionError(name)

    def __bool__(self) -> bool:
        raise ZeroDivisionError("no bool")


class Dict(dict[Any, Any]):
    def items(self) -> Any:
        raise ZeroDivisionError("no items")

    def __getitem__(self, key: Any) -> Any:
        raise ZeroDivisionError("no item")


class List(list[Any]):
    def __iter__(self) -> Any:
        raise ZeroDivisionError("no iterator")


def nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


CYCLE: list[Any] = []
CYCLE.append(CYCLE)
COUNTS = {"total": 1, "kept": 1, "shrunk": 0, "offloaded": 0, "omitted": 0}
VALUES: list[Any] = [
    None, 0, 1, -1, True, False, 1.5, float("nan"), float("inf"), 2**53, 2**53 + 1, 2**63, 2**64, 10**400, 3 + 4j, "", " ", "x", "\ud800", "a\udfffb", "\x00",
    "\u202e" * 9, "x" * 70_000, b"", b"{}", b"\xff", bytearray(b"{}"), memoryview(b"{}"), [], [1], ["a"], ("a", 1), {}, {"a": 1}, {1: 2}, {"a": object()}, COUNTS,
    set(), {"a"}, range(3), object(), object, len, lambda *_: 1, lambda *_: 1 // 0, Index(), Index(1), Index(-1), Index(10**30), Text("user"), Evil(), Dict(a="b"),
    List([1]), nested(100_000), CYCLE, iter([1]), ValueError("x"), ..., "user", "page:x", "fact", "2026-11-30", "2026-13-40", "message 1", "empty", "delivery",
    "estimate", '{"haversack":"ledger","version":1}', "[" * 9_000, "at_once", "evict",
]
STARTS: list[tuple[Any, ...]] = [(), ("a",), ("a", "b"), ("2026-11-30", "goal"), (5,), ("clear", COUNTS), (None, None)]
KEYWORDS = (
    "kind source turn verified json bytes chars utf16 tokens counter importance at timing cap on_full recoverable status stop_reason resolves transcript offloads "
    "done next features ledger raw_steps pinned"
).split()


def ledger() -> haversack.Ledger:
    made = haversack.Ledger()
    made.record("a", 1, source="user")
    made.append("t", "x")
    return made


def memory() -> haversack.Memory:
    made = haversack.Memory()
    made.add("hello world", source="user")
    return made


def transcript() -> haversack.Transcript:
    return haversack.Transcript.from_jsonl('{"a":"message"}\n{"b')


def tally() -> haversack.Tally:
    made = haversack.Tally()
    made.add("clear", COUNTS)
    made.seen("k", True)
    return made


def fleet() -> haversack.Fleet:
    made = haversack.Fleet()
    made.add(handoff())
    return made


def handoff() -> haversack.Handoff:
    return haversack.Handoff.parse({"kind": "findings", "findings": [{"text": "x", "sources": ["message 9"]}]})


def log_file() -> haversack.TranscriptFile:
    return haversack.TranscriptFile(io.BytesIO(b'{"a":"message"}\n{"b'))


OBJECTS: list[Callable[[], Any]] = [
    ledger, memory, transcript, tally, fleet, handoff, log_file, haversack.TranscriptIndex, lambda: ledger().facts()[0], lambda: memory().items()[0],
    lambda: memory().search("hello")[0], lambda: ledger().render(),
]
FUNCTIONS: list[Any] = [
    haversack.grounds, haversack.session_files, haversack.read_features, haversack.flush_request, haversack.is_silent_reply, haversack.tiers, haversack.Feature,
    haversack.Handoff.parse, haversack.Ledger.from_json, haversack.Memory.from_json, haversack.Memory, haversack.Tally.from_json, haversack.Transcript.from_json,
    haversack.Transcript.from_jsonl, haversack.Transcript.references, haversack.TranscriptFile, _lib.read_lines, _lib.search_lines, _lib.check_references, _lib._restore,
]


def ways() -> list[tuple[str, Callable[[], Any]]]:
    found: list[tuple[str, Callable[[], Any]]] = [(function.__qualname__, lambda function=function: function) for function in FUNCTIONS]  # type: ignore[misc]
    for make in OBJECTS:
        kind = type(make())
        names = [name for name in dir(kind) if not name.startswith("_") and callable(getattr(kind, name))]
        found += [(f"{kind.__name__}.{name}", lambda make=make, name=name: getattr(make(), name)) for name in names]  # type: ignore[misc]
    return found


WAYS = ways()


@pytest.mark.parametrize("way", [pytest.param(way, id=name) for name, way in WAYS])
def test_a_typed_error_or_an_answer(way: Callable[[], Any]) -> None:
    chosen = random.Random(1)
    calls: list[tuple[tuple[Any, ...], dict[str, Any]]] = [((value,), {}) for value in VALUES]
    calls += [(tuple(chosen.choice(VALUES) for _ in range(chosen.randint(2, 3))), {}) for _ in range(150)]
    calls += [(chosen.choice(STARTS), {keyword: value}) for keyword in KEYWORDS for value in chosen.sample(VALUES, 12)]
    answered = 0
    for arguments, keywords in calls:
        try:
            way()(*arguments, **keywords)
            answered += 1
        except haversack.HaversackError as error:
            assert error.kind and len(str(error)) < 400
        except ZeroDivisionError:
            pass    # what was given raised it
        except TypeError as error:    # the signature, and nothing behind it
            assert "argument" in str(error), (arguments, keywords)
    print(answered, "of", len(calls), "answered")


def test_hostile_calls_are_many() -> None:
    assert len(WAYS) > 70 and len(VALUES) > 65


# ---------------------------------------------------------------- threads

def together(*work: Callable[[], object], times: int = 2) -> None:
    """Runs all of it in threads, each `times` over, and raises what one of them raised."""
    failed: list[BaseException] = []
    go = threading.Barrier(len(work) * times)

    def run(one: Callable[[], object]) -> None:
        go.wait()
        try:
            one()
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=run, args=(one,)) for one in work for _ in range(times)]
    [thread.start() for thread in threads]
    [thread.join(120) for thread in threads]
    assert not any(thread.is_alive() for thread in threads)
    if failed:
        raise failed[0]


@pytest.mark.parametrize("make", [ledger, memory, transcript, tally, fleet, handoff, log_file], ids=lambda make: make.__name__)
def test_one_is_freed_while_others_read_it(make: Callable[[], Any]) -> None:
    held = [make()]
    uses: dict[type, Callable[[Any], object]] = {
        haversack.Ledger: lambda it: (it.record("k", 1), it.render(chars=200), it.history("k"), it.facts(), it.to_json(), it.news()),
        haversack.Memory: lambda it: (it.add("k"), it.slice(1, chars=200), it.search("hello"), it.items(), it.to_json(), it.merge(it), it.forget("page")),
        haversack.Transcript: lambda it: (it.append({}), it.read(1, 1), it.search("a"), it.check("message 1"), it.damage, it.to_jsonl()),
        haversack.Tally: lambda it: (it.seen("k", True), it.add("clear", COUNTS), it.survival(), it.table(), it.to_svg(), it.sums("clear").records),
        haversack.Fleet: lambda it: (it.add(handoff()), it.account, it.table(), it.to_dict()),
        haversack.Handoff: lambda it: (it.findings, it.unresolved(transcript()), it.render(chars=300), it.to_json()),
        haversack.TranscriptFile: lambda it: (it.read(1, 1), it.search("a"), it.check('message 1 "a"'), it.refresh()),
    }
    use = uses[type(held[0])]

    def work() -> None:
        for _ in range(150):
            use(held[0])

    def free() -> None:
        for _ in range(600):
            held[0] = make()

    together(work, free)


def test_a_counter_and_a_resolver_may_come_back() -> None:
    """What Python is asked on the way changes, reads and copies the state that asks."""
    led, mem, log, hand = ledger(), memory(), transcript(), handoff()

    def counter(text: str) -> int:
        led.copy().record("k", text)
        mem.add(text[:9])
        led.render()
        return len(text)

    assert led.render(tokens=500, counter=counter).complete
    assert mem.slice(1, tokens=500, counter=counter).account.kept >= 1
    assert led.news(tokens=500, counter=counter)
    assert hand.unresolved(log, resolves=lambda source: (log.append({}), hand.unresolved(log), True)[-1]) == []
    assert [one.holds for one in _lib.check_references('message 1 says "a"', 1, lambda *_: (log.check("message 1"), b'{"x":"a"}')[-1])] == [True]
    for answer in (None, "x", 5, [b"x"]):
        with pytest.raises(haversack.OptionsError):
            _lib.check_references('message 1 says "a"', 1, lambda *_, answer=answer: answer)  # type: ignore[misc]


class Slow(io.BytesIO):
    """A file that lets other threads come between a seek and a read."""

    def seek(self, *place: int) -> int:
        at = super().seek(*place)
        threading.Event().wait(0.0001)
        return at


def test_threads_share_a_file() -> None:
    file = Slow(b"".join(b'{"i":%d}\n' % i for i in range(1, 2_001)))
    here = haversack.TranscriptFile(file)
    places = itertools.cycle(range(1, 1_990, 37))

    def work() -> None:
        for _ in range(60):
            first = next(places)
            assert [m.message["i"] for m in here.read(first, first + 9)] == list(range(first, first + 10))
            assert here.check(f'message {first} says "i"')[0].holds is False
            here.refresh()

    together(work, times=4)
    assert here.last == 2_000


def test_what_is_no_file_is_refused() -> None:
    for given in (None, "log.jsonl", b"", 5, [], object(), io.StringIO("{}")):
        with pytest.raises(haversack.OptionsError) as caught:
            haversack.TranscriptFile(given)  # type: ignore[arg-type]
        assert caught.value.argument == "file"
