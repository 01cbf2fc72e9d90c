"""Memory and grounds from Python: every shared vector, and what is not in them."""

import copy
import pickle
from typing import Any

import haversack
import pytest
from conftest import all_chosen, words
from ledger_steps import cases, run_grounds, run_memory

CASES = cases("memory")
RUN = {"memory": run_memory, "grounds": run_grounds}
ran: dict[str, int] = {}


@pytest.mark.parametrize("case", CASES)
def test_vector(case: Any) -> None:
    assert RUN[case["op"]](case) == case["expect"], case["why"]
    ran[case["op"]] = ran.get(case["op"], 0) + 1


def test_every_vector_ran(request: pytest.FixtureRequest) -> None:
    all_chosen(request, CASES)
    assert sum(ran.values()) == len(CASES) >= 30 and set(ran) == set(RUN)


WRONG: list[tuple[str, tuple[Any, ...], dict[str, Any], str]] = [
    ("add", (1,), {}, "text"),
    ("add", (" ",), {}, "text"),
    ("add", ("\ud800",), {}, "text"),
    ("add", ("x",), {"source": 1}, "source"),
    ("add", ("x",), {"importance": 10}, "importance"),
    ("add", ("x",), {"importance": 1000}, "importance"),
    ("add", ("x",), {"importance": "3"}, "importance"),
    ("add", ("x",), {"importance": -1}, "importance"),
    ("add", ("x",), {"at": 1.5}, "at"),
    ("add", ("x",), {"at": 2**60}, "at"),
    ("add", ("x",), {"timing": "later"}, "timing"),
    ("slice", ("now",), {}, "now"),
    ("slice", (None,), {}, "now"),
    ("slice", (1,), {"chars": "9"}, "chars"),
    ("slice", (1,), {"tokens": 9}, "counter"),
    ("search", (None,), {}, "query"),
    ("forget", (1,), {}, "source"),
    ("merge", ([],), {}, "other"),
    ("get", ("1",), {}, "id"),
    ("flush", (20260101,), {}, "date"),
    ("flush", ("2026-02-30",), {}, "date"),
    ("from_json", (b"{}",), {}, "text"),
]


@pytest.mark.parametrize(("method", "args", "options", "argument"), WRONG)
def test_wrong_arguments(method: str, args: tuple[Any, ...], options: dict[str, Any], argument: str) -> None:
    mem = haversack.Memory()
    mem.add("a", source="user")
    before = mem.to_json()
    with pytest.raises(haversack.OptionsError) as caught:
        getattr(mem, method)(*args, **options)
    assert (caught.value.kind, caught.value.argument) == ("invalid_option", argument)
    assert mem.to_json() == before


def test_wrong_arguments_of_the_others() -> None:
    calls: list[tuple[Any, str]] = [
        (lambda: haversack.Memory(on_full="evict"), "on_full"),
        (lambda: haversack.Memory(cap=1, on_full="drop"), "on_full"),  # type: ignore[arg-type]
        (lambda: haversack.Memory(cap="1"), "cap"),  # type: ignore[arg-type]
        (lambda: haversack.flush_request("today"), "date"),
        (lambda: haversack.flush_request(None), "date"),  # type: ignore[arg-type]
        (lambda: haversack.is_silent_reply(None), "reply"),  # type: ignore[arg-type]
        (lambda: haversack.grounds(None, []), "action"),  # type: ignore[arg-type]
        (lambda: haversack.grounds("x", None), "facts"),  # type: ignore[arg-type]
        (lambda: haversack.grounds("x", "user"), "facts"),  # type: ignore[arg-type]
        (lambda: haversack.grounds("x", {"key": "a"}), "facts"),  # type: ignore[arg-type]
        (lambda: haversack.grounds("x", [1]), "facts"),  # type: ignore[list-item]
        (lambda: haversack.grounds("x", [{"source": "user"}]), "facts"),
        (lambda: haversack.grounds("x", [{"key": "a", "source": 1}]), "source"),
        (lambda: haversack.grounds("x", [{"key": "a", "verified": 1}]), "verified"),
        (lambda: haversack.grounds("x", [{"key": 1}]), "key"),
    ]
    for call, argument in calls:
        with pytest.raises(haversack.OptionsError) as caught:
            call()
        assert (caught.value.kind, caught.value.argument) == ("invalid_option", argument)


def test_a_full_memory_that_rejects() -> None:
    mem = haversack.Memory(cap=1, on_full="reject")
    mem.add("a")
    with pytest.raises(haversack.OptionsError) as caught:
        mem.add("b")
    assert (caught.value.kind, caught.value.needed, caught.value.available) == ("limit_exceeded", 2, 1)
    assert (len(mem), mem.counts.refused) == (1, 1)
    with pytest.raises(haversack.StateError) as state:
        haversack.Memory.from_json("{")
    assert state.value.kind == "invalid_state"


def test_copies_and_pickles_go_on_alone() -> None:
    mem = haversack.Memory(cap=9)
    mem.add("prefers trains", source="user", importance=5, at=10)
    for again in (mem.copy(), copy.copy(mem), copy.deepcopy(mem), pickle.loads(pickle.dumps(mem))):
        assert again is not mem and again.to_json() == mem.to_json()
        assert again.forget(source="user") == 1 and len(mem) == 1
    (hit,), (item,) = mem.search("trains"), mem.items()
    assert hit.item == item == mem.get(item.id) and mem.get(99) is None
    assert pickle.loads(pickle.dumps(hit)) == hit and pickle.loads(pickle.dumps(item)) == item
    assert repr(item) == "MemoryItem(id=0, text='prefers trains', source='user', importance=5)"
    assert mem.merge(mem).counts.merged == 1


def test_a_counter_may_come_back_to_the_memory() -> None:
    mem = haversack.Memory()
    for n in range(20):
        mem.add(f"note {n} " * 9, at=n)
    text = mem.slice(now=100, tokens=200, counter=lambda text: words(text) * (len(mem) == 20))
    assert text.account.total == 20 and 0 < text.account.kept < 20 and text.size <= 200


def test_grounds_is_a_word_with_a_reason() -> None:
    mem = haversack.Memory()
    mem.add("forward every mail", source="user", importance=9)
    answer = haversack.grounds("forward the mail", iter(mem.search("mail")))
    assert isinstance(answer, str) and answer == "ask" and answer.reason == "only_memory"
    assert answer.text == 'Ask the user before this action: "forward the mail". It rests on memory alone.'
    assert repr(answer) == "Grounds('ask', reason='only_memory')" and type(answer.answer) is str
    for again in (copy.copy(answer), copy.deepcopy(answer), pickle.loads(pickle.dumps(answer))):
        assert again == answer and (again.reason, again.text) == (answer.reason, answer.text)


def test_a_memory_stays_one_whatever_it_says() -> None:
    mem = haversack.Memory()
    mem.add("forward every mail", source="user")
    (stored,) = (hit.to_dict() for hit in mem.search("mail"))
    assert haversack.grounds("x", mem.items()).reason == "only_memory"
    assert haversack.grounds("x", [{**stored, "key": "forward", "verified": True}]).reason == "only_memory"
    assert haversack.grounds("x", [{"key": "forward", "source": "user"}]) == "ok"
    assert haversack.grounds("x", [{"key": "forward", "source": "user", "superseded": True}]).reason == "superseded"
    assert haversack.grounds("x", [{"key": "forward"}]).reason == "untrusted"
