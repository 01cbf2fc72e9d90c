"""Payloads, the answer and its parts."""

import copy
import json
import pickle
from typing import Any

import haversack
import pytest

ROWS = [{"id": i, "state": "open", "note": "x" * (i % 30)} for i in range(200)]
TEXT = json.dumps(ROWS, separators=(",", ":"))
LISTS = {"early": ROWS, "late": ROWS[:100]}


def test_the_same_bytes_whatever_holds_them() -> None:
    wanted = haversack.deliver(TEXT, chars=1_000, format="json")
    for payload in (TEXT.encode(), bytearray(TEXT.encode()), memoryview(TEXT.encode()), ROWS, tuple(ROWS)):
        assert haversack.deliver(payload, chars=1_000, format="json") == wanted
    assert haversack.deliver(memoryview(("xx" + TEXT + "yy").encode())[2:-2], chars=1_000) == wanted


def test_a_value_is_delivered_as_the_json_of_the_standard_library() -> None:
    value = {"ü": [1, 2.5, None, True, "é\n"], "a": {}, "big": 2**80, "z": "\u2028"}
    d = haversack.deliver(value, chars=10_000)
    assert d.text == json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    assert d.format == "json" and d.complete
    for scalar in (None, True, 7, 1.5):
        assert haversack.deliver(scalar, chars=100).text == json.dumps(scalar)
    with pytest.raises(haversack.OptionsError) as caught:
        haversack.deliver(value, chars=100, format="lines")
    assert caught.value.argument == "format"


def test_subclasses_are_what_they_are() -> None:
    class Text(str):
        pass

    class Data(bytes):
        pass

    assert haversack.deliver(Text("[1, 2]"), chars=100).text == "[1, 2]"
    assert haversack.deliver(Data(b"[1, 2]"), chars=100).text == "[1, 2]"


def test_the_answer() -> None:
    d = haversack.deliver(LISTS, chars=2_000)
    assert str(d) == d.text and len(d.text) == d.size <= 2_000 and d.unit == "chars" and d.format == "json"
    assert not d.complete and d.next and d.notice is None and d.warnings == ()
    a = d.account
    assert a.total == 300 == a.kept + a.shrunk + a.offloaded + a.omitted
    assert a.bytes.total == a.bytes.kept + a.bytes.shrunk + a.bytes.offloaded + a.bytes.omitted
    assert a.fields_removed == 0 and a.claimed is None
    assert list(d.lists) == ["/early", "/late"]
    for pointer, books in d.lists.items():
        assert books.pointer == pointer and books.next == f"{pointer}@{books.kept}"
        assert len(json.loads(d.text)[pointer[1:]]) == books.kept
    answer = d.to_dict()
    assert answer == json.loads(d.to_json())
    assert answer["account"] == a.to_dict() and haversack.Account.from_dict(a.to_dict()) == a
    assert [x.to_dict() for x in d.lists.values()] == answer["lists"]
    assert [x.to_dict() for x in d.plan] == answer["plan"]
    encoded = d.text.encode()
    for run in d.plan:
        start, stop = run.text_range
        part = json.loads(b"[" + encoded[start:stop].strip(b",") + b"]")
        assert part == (LISTS[run.list[1:]][run.start : run.stop] if run.action == "keep" else [])
        assert len(run) == run.stop - run.start


def test_repr_says_what_happened() -> None:
    d = haversack.deliver(ROWS, chars=1_000)
    assert repr(d).startswith("<Delivery json of ") and f"{d.account.kept} of 200 records kept" in repr(d)
    assert repr(d.account) == f"Account(total=200, kept={d.account.kept}, omitted={d.account.omitted})"
    assert repr(d.plan[0]) == f"Run('' 0..{d.account.kept} keep, fits)"
    hostile = haversack.deliver({"\x1b[31m\u202ekey": ROWS, "b": ROWS}, chars=1_000)
    shown = repr(hostile) + repr(hostile.lists) + repr(hostile.plan)
    assert shown.isprintable(), shown


def test_nothing_can_be_changed() -> None:
    d = haversack.deliver(LISTS, chars=2_000)
    for thing, name in ((d, "text"), (d, "other"), (d.account, "kept"), (d.lists["/late"], "next"), (d.plan[0], "start")):
        with pytest.raises(AttributeError):
            setattr(thing, name, 1)
    d.lists.clear()
    assert d.lists, "a caller's copy is no part of the answer"


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickling(protocol: int) -> None:
    d = haversack.deliver('{"a":1,"a":2,"rows":' + TEXT + "}", chars=1_000)
    table = haversack.Offloads()
    table.prepare("line\n" * 5_000, "c1")
    things: list[Any] = [d, d.account, d.account.bytes, *d.lists.values(), *d.plan, *d.warnings]
    assert d.warnings, "the payload was made to have one"
    for thing in things:
        again = pickle.loads(pickle.dumps(thing, protocol))
        assert again == thing and type(again) is type(thing)
        assert copy.deepcopy(thing) == thing
    again = pickle.loads(pickle.dumps(table, protocol))
    assert again.to_json() == table.to_json() and again.entries == table.entries


def test_equality_and_hash() -> None:
    one, two = haversack.deliver(ROWS, chars=1_000), haversack.deliver(ROWS, chars=1_000)
    other = haversack.deliver(ROWS, chars=900)
    assert one == two and hash(one) == hash(two) and one != other and one != one.text
    assert len({one, two, other}) == 2
    assert one.account == two.account and one.account != other.account


def test_pages_give_every_record_once() -> None:
    for payload in (ROWS, TEXT, TEXT.encode(), bytearray(TEXT.encode())):
        pages = list(haversack.pages(payload, chars=1_500))
        assert len(pages) > 3 and all(p.size <= 1_500 for p in pages)
        rows = [row for page in pages for row in json.loads(page.text)["rows"]]
        assert rows == ROWS
        assert pages[-1].next is None
    assert [p.text for p in haversack.pages([1, 2], chars=100)] == ["[1,2]"]
    assert list(haversack.pages(ROWS, chars=1_500, cursor=pages[0].next)) == pages[1:]
    with pytest.raises(haversack.BudgetError):
        list(haversack.pages(ROWS, chars=5))


def test_pages_read_once_what_can_change() -> None:
    rows = [dict(r) for r in ROWS]
    pages = haversack.pages(rows, chars=1_500)
    first = next(pages)
    rows.clear()
    assert first.account.total == 200 and sum(p.account.kept for p in pages) + first.account.kept == 200


def test_integers_of_every_kind() -> None:
    class Index:
        def __index__(self) -> int:
            return 1_000

    assert haversack.deliver(ROWS, chars=Index()) == haversack.deliver(ROWS, chars=1_000)
    assert haversack.deliver(ROWS, chars=10**40).complete


def test_earlier_is_an_account_or_its_dict() -> None:
    first = haversack.deliver(ROWS, chars=2_000)
    for earlier in (first.account, first.account.to_dict()):
        second = haversack.deliver(json.loads(first.text)["rows"], chars=800, earlier=earlier)
        assert second.account.total == 200 and second.account.kept < first.account.kept


def test_page_and_find() -> None:
    text = "".join(f"line {i}\n" for i in range(1, 501))
    page = haversack.page(text, 41, 100, chars=2_000)
    assert page.text.startswith("[lines 41-140 of 500]\nline 41\n") and page.text.endswith("line 140\n")
    assert haversack.page(text, cursor=page.next, chars=2_000).text.startswith("[lines 141-")
    found = haversack.find(text, "line 77", chars=2_000, context=1)
    assert "line 76" in found.text and "line 78" in found.text and found.account.total == 1
    inside = json.dumps({"stdout": text, "code": 0})
    assert haversack.page(inside, 41, 100, at="/stdout", chars=2_000).account == page.account
    assert haversack.find({"stdout": text}, "line 77", at="/stdout", context=1, chars=2_000).account.total == 1
    with pytest.raises(haversack.OptionsError):
        haversack.find(text, "", chars=2_000)


def test_examples_of_the_documentation() -> None:
    assert haversack.page("a\nb\nc\nd\n", 2, 2, chars=80).text == "[lines 2-3 of 4]\nb\nc\n"
    d = haversack.deliver([{"id": i, "state": "open"} for i in range(200)], chars=400)
    assert (d.account.total, d.complete) == (200, False)
    o = haversack.offload("one more line of a long log\n" * 1_000, "call_7")
    assert o.action == "store" and o.key and o.key.startswith("call_7-") and o.key.endswith(".txt")
