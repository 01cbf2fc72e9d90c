"""Every kind of error has one class, its numbers, and survives pickling."""

import copy
import pickle
from typing import Any, Callable

import haversack
import pytest
from haversack import _errors, _lib

ROWS = [{"id": i, "text": "x" * 40} for i in range(50)]
LOG = "a line of a long log\n" * 1_000


def stored() -> tuple[haversack.Offloads, str]:
    table = haversack.Offloads()
    key = table.prepare(LOG, "c1").key
    assert key
    table.commit(key, "there")
    return table, key


def twice() -> None:
    table, key = stored()
    table.commit(key, "there")


def other_bytes() -> None:
    table, key = stored()
    table.verify(key, "other bytes")


def deep(levels: int) -> str:
    return "[" * levels + "]" * levels


def original_needed() -> None:
    first = haversack.deliver(ROWS, chars=800)
    haversack.deliver(first.text, chars=800, cursor="rows@49")


# One call for each kind: what it takes to provoke it from Python.
PROVOKED: dict[str, Callable[[], Any]] = {
    "invalid_json": lambda: haversack.deliver('{"a":1', chars=100, format="json"),
    "invalid_utf8": lambda: haversack.deliver(b"ab\xff", chars=100),
    "too_deep": lambda: haversack.deliver(deep(1_000), chars=100, format="json"),
    "invalid_csv": lambda: haversack.deliver('a,b\n"1,2\n', chars=100, format="csv"),
    "invalid_ndjson": lambda: haversack.deliver("not json\nplain\n", chars=100, format="ndjson"),
    "budget_too_small": lambda: haversack.deliver(ROWS, chars=10),
    "record_too_large": lambda: haversack.deliver([{"a": "x" * 500}, {"b": "y" * 500}], chars=300, oversize="error"),
    "counter_failed": lambda: haversack.deliver(ROWS, tokens=100, counter=lambda text: -1),
    "invalid_option": lambda: haversack.deliver(ROWS, chars=100, keep="middle"),  # type: ignore[arg-type]
    "invalid_pointer": lambda: haversack.deliver(ROWS, chars=100, select=["id"]),
    "nothing_selected": lambda: haversack.deliver(ROWS, chars=100, select=["/nowhere"]),
    "limit_exceeded": lambda: haversack.deliver(ROWS, chars=100, select=["/a"] * 10_000),
    "invalid_cursor": lambda: haversack.deliver(ROWS, chars=500, cursor="rows@x"),
    "cursor_mismatch": lambda: haversack.deliver(ROWS, chars=500, cursor="/elsewhere@3"),
    "cursor_past_end": lambda: haversack.deliver(ROWS, chars=500, cursor="rows@51"),
    "cursor_needs_original": original_needed,
    "unknown_key": lambda: haversack.Offloads().commit("c-0", "there"),
    "digest_mismatch": other_bytes,
    "invalid_state": lambda: haversack.Offloads.from_json("{}"),
    "out_of_order": twice,
    "not_a_history": lambda: haversack.History("3"),
    "mixed_formats": lambda: haversack.History([
        {"role": "assistant", "content": None, "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": ""}]},
    ]),
    "duplicate_piece": lambda: [p.add("a", "x") for p in [haversack.Prompt()] for _ in range(2)],
    "unknown_layer": lambda: haversack.Prompt().add("a", "x", layer="often"),  # type: ignore[arg-type]
    "not_canonical": lambda: haversack.canonical_json('{"a":1,"a":2}'),
    "forbidden_mark": lambda: haversack.predict(None, {"model": "claude-sonnet-4-5", "messages": [
        {"role": "user", "content": [{"type": "text", "text": " ", "cache_control": {"type": "ephemeral"}}]},
    ]}, counter="estimate"),
    "no_such_message": lambda: haversack.Transcript().read(1, 1),
    "open_books": lambda: haversack.Tally().add("memory", {"total": 1, **dict.fromkeys(("kept", "shrunk", "offloaded", "omitted"), 0)}),
    "bad_argument": lambda: haversack.deliver(object(), chars=100),  # type: ignore[arg-type]
    "mixed_key": lambda: [add("a", 1) for led in [haversack.Ledger()] for add in (led.record, led.append)],
    "no_such_field": lambda: haversack.Ledger().extract({"id": 1}, {"x": "/no"}),
}


def test_every_kind_has_a_class_and_a_provocation() -> None:
    kinds = [name for name, _ in _lib.error_kinds()]
    assert sorted(kinds) == sorted(_errors.CLASSES) == sorted(PROVOKED)
    assert len({number for _, number in _lib.error_kinds()}) == len(kinds)
    for cls in _errors.CLASSES.values():
        assert issubclass(cls, haversack.HaversackError)
        assert getattr(haversack, cls.__name__) is cls


@pytest.mark.parametrize("kind", sorted(PROVOKED))
def test_kind(kind: str) -> None:
    with pytest.raises(haversack.HaversackError) as caught:
        PROVOKED[kind]()
    error = caught.value
    assert error.kind == kind
    assert type(error) is _errors.CLASSES[kind]
    message = str(error)
    assert message and not message.endswith("."), message
    assert message[0] == message[0].lower() or message.startswith("RFC"), message
    for other in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(other) is type(error) and str(other) == message and other.__dict__ == error.__dict__


def test_numbers() -> None:
    with pytest.raises(haversack.BudgetError) as small:
        haversack.deliver(ROWS, chars=10)
    error = small.value
    assert isinstance(error, ValueError) and error.unit == "chars" and error.available == 10
    assert error.needed is not None
    assert haversack.deliver(ROWS, chars=error.needed).size <= error.needed
    with pytest.raises(haversack.BudgetError):
        haversack.deliver(ROWS, chars=error.needed - 1)

    with pytest.raises(haversack.InputError) as broken:
        haversack.deliver('{"a":1]', chars=100, format="json")
    assert broken.value.offset == 6 and broken.value.expected

    with pytest.raises(haversack.InputError) as bytes_:
        haversack.deliver("é".encode() + b"\xff", bytes=100)
    assert bytes_.value.offset == 2


def test_a_lone_surrogate_is_named_by_index() -> None:
    with pytest.raises(haversack.InputError) as caught:
        haversack.deliver("é\ud800", chars=10)
    assert (caught.value.kind, caught.value.index, caught.value.offset) == ("invalid_utf8", 1, 2)
    with pytest.raises(haversack.InputError):
        haversack.deliver({"a": "\udc00"}, chars=10)
    # Half surrogates that are escaped in JSON text are text like any other.
    assert haversack.deliver('["\\ud800"]', chars=10).text == '["\\ud800"]'


OPTIONS: list[tuple[dict[str, Any], str]] = [
    ({}, "chars"),
    ({"chars": 1, "bytes": 1}, "chars"),
    ({"utf16": 1, "tokens": 1, "counter": len}, "tokens"),
    ({"tokens": 10}, "counter"),
    ({"chars": 10, "counter": len}, "counter"),
    ({"tokens": 10, "counter": "o9999"}, "counter"),
    ({"tokens": 10, "counter": 7}, "counter"),
    ({"chars": True}, "chars"),
    ({"chars": -1}, "chars"),
    ({"chars": 1.0}, "chars"),
    ({"chars": "10"}, "chars"),
    ({"chars": 10, "format": "xml"}, "format"),
    ({"chars": 10, "format": 1}, "format"),
    ({"chars": 10, "select": "/a"}, "select"),
    ({"chars": 10, "select": [1]}, "select"),
    ({"chars": 10, "priority": "/a"}, "priority"),
    ({"chars": 10, "prefer": "error"}, "prefer"),
    ({"chars": 10, "sort_by": 3}, "sort_by"),
    ({"chars": 10, "descending": 1}, "descending"),
    ({"chars": 10, "share": "equal"}, "share"),
    ({"chars": 10, "keep": "middle"}, "keep"),
    ({"chars": 10, "oversize": ""}, "oversize"),
    ({"chars": 10, "envelope": "never"}, "envelope"),
    ({"chars": 10, "nested": "yes"}, "nested"),
    ({"chars": 10, "on_invalid": "ignore"}, "on_invalid"),
    ({"chars": 10, "ansi": "drop"}, "ansi"),
    ({"chars": 10, "collapse": 0}, "collapse"),
    ({"chars": 10, "source": "lost"}, "source"),
    ({"chars": 10, "notice": "else"}, "notice"),
    ({"chars": 10, "earlier": {"total": 1}}, "earlier"),
    ({"chars": 10, "limits": {"width": 1}}, "limits"),
    ({"chars": 10, "limits": {"depth": -1}}, "limits"),
    ({"chars": 10, "limits": [1]}, "limits"),
    ({"chars": 10, "reader": 5}, "reader"),
    ({"chars": 10, "hint": "two\nlines"}, "hint"),
    ({"chars": 10, "cursor": 5}, "cursor"),
]


@pytest.mark.parametrize(("options", "argument"), OPTIONS, ids=lambda v: v if isinstance(v, str) else None)
def test_an_option_that_cannot_be_is_named(options: dict[str, Any], argument: str) -> None:
    with pytest.raises(haversack.OptionsError) as caught:
        haversack.deliver("text", **options)
    assert caught.value.argument == argument
    assert isinstance(caught.value, ValueError)
    assert len(str(caught.value)) < 250


def test_values_that_are_no_json() -> None:
    loop: list[Any] = []
    loop.append(loop)
    nest: list[Any] = []
    for _ in range(100_000):
        nest = [nest]
    for value, kind in ((object(), "bad_argument"), ({1: {2}}, "bad_argument"), (float("nan"), "bad_argument"),
                        (loop, "bad_argument"), (nest, "too_deep")):
        with pytest.raises(haversack.InputError) as caught:
            haversack.deliver(value, chars=100)  # type: ignore[arg-type]
        assert caught.value.kind == kind and caught.value.__cause__ is not None
    while nest:  # a list this deep must not be torn down by recursion
        nest = nest.pop()


def test_what_a_value_raises_is_its_own() -> None:
    class Odd(dict[str, int]):
        def items(self) -> Any:
            raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        haversack.deliver(Odd(a=1), chars=100)


def test_errors_quote_little_of_the_input() -> None:
    with pytest.raises(haversack.OptionsError) as caught:
        haversack.deliver("x", chars=10, keep="\x1b[31m" + "k" * 1_000)  # type: ignore[arg-type]
    assert "\x1b" not in str(caught.value) and len(str(caught.value)) < 120
