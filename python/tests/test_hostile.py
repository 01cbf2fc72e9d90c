"""Every argument as nobody should give it: a typed error that names it, or the answer; never a crash."""

import copy
import itertools
import pickle
import threading
from typing import Any

import haversack
import pytest
from conftest import words
from haversack import readback

ROWS = [{"id": i, "text": "some words here"} for i in range(300)]
LOG = "".join(f"line {i}\n" for i in range(2_000))
HUGE = [2**63 - 1, 2**63, 2**64, 10**30]


class Text(str):
    def __repr__(self) -> str:
        raise RuntimeError("no repr")

    __str__ = __repr__
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no eq")


class Lying(list[str]):
    def __len__(self) -> int:
        return 10**12


class Endless:
    def __iter__(self) -> Any:
        return itertools.repeat("/a")


def refused(call: Any) -> haversack.OptionsError:
    with pytest.raises(haversack.OptionsError) as caught:
        call()
    assert len(str(caught.value)) < 300
    return caught.value


@pytest.mark.parametrize("unit", ["bytes", "chars", "utf16"])
@pytest.mark.parametrize("size", HUGE)
def test_a_budget_above_every_machine_is_no_limit(unit: str, size: int) -> None:
    d: Any = haversack.deliver(ROWS, **{unit: size})  # type: ignore[arg-type]
    assert d.complete and d.unit == unit
    assert haversack.page(LOG, lines=size, **{unit: size}).account.kept == 2_000  # type: ignore[arg-type]
    assert haversack.find(LOG, "line", context=size, limit=size, **{unit: size}).account.kept == 2_000  # type: ignore[arg-type]
    with pytest.raises(haversack.CursorError):
        haversack.page(LOG, size, chars=900)


def test_a_budget_of_tokens_above_every_machine() -> None:
    assert haversack.deliver(ROWS, tokens=2**63, counter=words).complete
    assert haversack.offload("x", "c", over=2**64, preview=2**64).action == "keep"
    stored = haversack.offload(LOG, "c", over=10, preview=2**64)
    assert stored.preview == LOG and stored.pointer("here").text is None
    run = haversack.Offloads()
    run.prepare(LOG, "c", over=10, preview=2**64)
    assert haversack.Offloads.from_json(run.to_json()).to_json() == run.to_json()


WRONG = [True, False, 1.0, float("nan"), "9", b"9", -1, -(2**64), [9], object(), int, -(10**5000)]


@pytest.mark.parametrize("value", WRONG, ids=lambda v: type(v).__name__)
def test_what_is_no_number(value: Any) -> None:
    for call, argument in (
        (lambda: haversack.deliver(ROWS, chars=value), "chars"),
        (lambda: haversack.deliver(ROWS, tokens=value, counter=words), "tokens"),
        (lambda: haversack.page(LOG, value, chars=9), "start"),
        (lambda: haversack.page(LOG, lines=value, chars=9), "lines"),
        (lambda: haversack.find(LOG, "x", context=value, chars=9), "context"),
        (lambda: haversack.find(LOG, "x", limit=value, chars=9), "limit"),
        (lambda: haversack.offload(LOG, "c", over=value), "over"),
        (lambda: haversack.offload(LOG, "c", preview=value), "preview"),
        (lambda: haversack.Offloads().prepare(LOG, "c", over=value), "over"),
        (lambda: haversack.find(LOG, "x", chars=9, limits={"needle_bytes": value}), "limits"),
        (lambda: haversack.page(LOG, chars=9, limits={"depth": value}), "limits"),
    ):
        assert refused(call).argument == argument


@pytest.mark.parametrize("value", [None, True, 1, 1.5, b"x", [], {}, object(), str, "\ud800"], ids=lambda v: type(v).__name__)
def test_what_is_no_text(value: Any) -> None:
    run = haversack.Offloads()
    key = run.prepare(LOG, "c", over=10).key
    assert key
    calls: list[tuple[Any, str]] = [
        (lambda: haversack.find(LOG, value, chars=900), "needle"),
        (lambda: haversack.offload(LOG, value), "call_id"),
        (lambda: run.prepare(LOG, value), "call_id"),
        (lambda: run.commit(value, "x"), "key"),
        (lambda: run.commit(key, value), "location"),
        (lambda: run.refuse(key, value), "reason"),
        (lambda: run.exempt(value), "call_id"),
        (lambda: run.lookup(value), "key"),
        (lambda: run.verify(value, LOG), "key"),
        (lambda: haversack.Offloads.from_json(value), "text"),
        (lambda: readback.tool_definitions(value), "flavour"),
        (lambda: haversack.offload(LOG, "c", over=10).pointer(value), "location"),
    ]
    if value is not None:
        calls += [(lambda: haversack.page(LOG, at=value, chars=9), "at"), (lambda: haversack.deliver(LOG, cursor=value, chars=9), "cursor"),
                  (lambda: haversack.deliver(LOG, sort_by=value, chars=9), "sort_by"), (lambda: haversack.deliver(LOG, hint=value, chars=9), "hint"),
                  (lambda: haversack.count(LOG, counter=value) if value is not str else refuse_counter(), "counter")]
    for call, argument in calls:
        assert refused(call).argument == argument, argument


def refuse_counter() -> None:
    """A class is a callable."""
    with pytest.raises(haversack.CounterError):
        haversack.count(LOG, counter=str)  # type: ignore[arg-type]
    raise haversack.OptionsError("", kind="invalid_option", argument="counter")


def test_texts_of_a_subclass_are_texts() -> None:
    assert haversack.deliver(Text(LOG), chars=900) == haversack.deliver(LOG, chars=900)
    wanted = haversack.find(LOG, "line 7", chars=900)
    assert haversack.find(Text(LOG), Text("line 7"), chars=900, cursor=None, hint=None) == wanted
    assert haversack.deliver(ROWS, chars=900, select=[Text("/*/id")]) == haversack.deliver(ROWS, chars=900, select=["/*/id"])
    assert refused(lambda: haversack.deliver(ROWS, chars=900, keep=Text("middle"))).argument == "keep"  # type: ignore[arg-type]


@pytest.mark.parametrize("option", ["select", "priority", "prefer"])
def test_lists_that_are_none(option: str) -> None:
    def deliver(value: Any) -> Any:
        return haversack.deliver(ROWS, chars=900, **{option: value})

    assert deliver(Lying(["/*/id"])) == deliver(["/*/id"]) == deliver(("/*/id",)) == deliver(iter(["/*/id"]))
    for value in ("/a", {"/a", "/b"}, frozenset({"/a"}), {"/a": 1}, [b"/a"], [None], [["/a"]], b"/a", 7, Endless(), ["\ud800"]):
        assert refused(lambda value=value: deliver(value)).argument == option, value


def test_payloads_that_change() -> None:
    data = bytearray(LOG.encode())
    wanted = haversack.deliver(bytes(data), tokens=200, counter=words)

    def counter(text: str) -> int:
        data[:] = b"x"
        return words(text)

    assert haversack.deliver(data, tokens=200, counter=counter) == wanted
    stop = threading.Event()
    data = bytearray(LOG.encode() * 20)

    def change() -> None:
        while not stop.is_set():
            data.append(10)
            del data[len(data) // 2 :]
            data.extend(LOG.encode() * 10)

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(50):
            assert haversack.deliver(data, chars=900).size <= 900
            assert haversack.deliver(memoryview(bytes(data))[::2], chars=900, format="lines").size <= 900
    finally:
        stop.set()
        thread.join()


def test_a_released_view() -> None:
    view = memoryview(b"abc")
    view.release()
    with pytest.raises(haversack.InputError) as caught:
        haversack.deliver(view, chars=900)
    assert (caught.value.kind, caught.value.argument) == ("bad_argument", "payload")


@pytest.mark.parametrize("answer", [float("nan"), 3.0, -1, 2**63, "3", True, None, b"3", [3], object()], ids=repr)
def test_counters_that_answer_nonsense(answer: Any) -> None:
    run = haversack.Offloads()
    for call in (
        lambda: haversack.page(LOG, tokens=50, counter=lambda text: answer),
        lambda: haversack.find(LOG, "line", tokens=50, counter=lambda text: answer),
        lambda: haversack.offload(LOG, "c", over=50, unit="tokens", counter=lambda text: answer),
        lambda: run.prepare(LOG, "c", over=50, unit="tokens", counter=lambda text: answer),
        lambda: haversack.count(LOG, counter=lambda text: answer),
    ):
        with pytest.raises(haversack.CounterError):
            call()
    assert run.entries == ()


def test_a_counter_with_a_wrong_signature_raises_its_own() -> None:
    for counter in (lambda: 1, lambda a, b: 1, len.__class__):
        with pytest.raises(TypeError):
            haversack.deliver(ROWS, tokens=50, counter=counter)  # type: ignore[arg-type]


def test_what_never_changes_is_its_own_copy() -> None:
    d = haversack.deliver(ROWS, chars=900)
    run = haversack.Offloads()
    prepared = run.prepare(LOG, "c", over=10)
    assert prepared.key
    for value in (d, d.account, d.account.bytes, d.lists[""], d.plan[0]):
        assert pickle.loads(pickle.dumps(value)) == value == copy.copy(value) == copy.deepcopy(value)
    other = copy.deepcopy(run)
    other.commit(prepared.key, "there")
    assert [e.state for e in run.entries] == ["pending"] and [e.state for e in other.entries] == ["stored"]
    for value in (prepared, run.entries[0], haversack.offload(LOG, "c"), other.lookup(prepared.key)):
        assert copy.copy(value) is value and copy.deepcopy([value])[0] is value
        with pytest.raises(TypeError, match="pickle"):
            pickle.dumps(value)


def test_no_subclasses_and_no_instances_of_ones_own() -> None:
    for cls in (haversack.Delivery, haversack.Account, haversack.Entry, haversack.Prepared, haversack.Offload, haversack.Pointer):
        with pytest.raises(TypeError):
            cls()
        with pytest.raises(TypeError):
            type("Mine", (cls,), {})
        with pytest.raises(AttributeError):
            object.__setattr__(haversack.deliver("x", chars=9), "text", "y")


def test_pickles_that_were_tampered_with() -> None:
    from haversack import _lib

    for name in ("Counts", "Account", "ListAccount", "Run", "Warning", "Delivery", "Offloads", "Nothing"):
        for state in ("", "{}", "[]", "null", "[" * 10_000, '{"total":-1}', '{"total":1e999}', "\0"):
            with pytest.raises(haversack.StateError) as caught:
                _lib._restore(name, state)
            assert caught.value.kind == "invalid_state"


def test_objects_go_on_after_an_error() -> None:
    run = haversack.Offloads()
    key = run.prepare(LOG, "c", over=10).key
    assert key
    for call in (lambda: run.commit(key, ""), lambda: run.commit("other", "x"), lambda: run.prepare(b"\xff", "c"),
                 lambda: run.commit(key, "x", counter="no such counter"), lambda: run.verify(key, LOG)):  # type: ignore[arg-type]
        with pytest.raises(haversack.HaversackError):
            call()
    assert run.commit(key, "x").text and run.verify(key, LOG).key == key
    with pytest.raises(haversack.StateError):
        run.refuse(key, "late")


@pytest.mark.parametrize("error", [None, ValueError("x"), "x", haversack.HaversackError("x", kind="of tomorrow")])
def test_error_text_of_what_is_no_error_of_ours(error: Any) -> None:
    assert refused(lambda: readback.error_text(error)).argument == "error"


def test_nul_and_everything_else_is_text() -> None:
    text = "\0".join(map(chr, range(1, 0xD800))) * 2
    assert haversack.deliver(text, bytes=2**40).text == text
    assert haversack.deliver(text, chars=900).size <= 900
    assert haversack.find("a\0b\n", "\0", chars=900).account.total == 1
