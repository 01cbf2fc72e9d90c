"""Ledgers from Python: every shared vector, and what is not in them."""

import copy
import json
import math
import pickle
import threading
from typing import Any

import haversack
import pytest
from conftest import all_chosen, words
from ledger_steps import cases, run_ledger

CASES = cases("ledger")
ran: set[str] = set()


@pytest.mark.parametrize("case", CASES)
def test_vector(case: Any) -> None:
    assert case["op"] == "ledger"
    assert run_ledger(case) == case["expect"], case["why"]
    ran.add(case["name"])


def test_every_vector_ran(request: pytest.FixtureRequest) -> None:
    all_chosen(request, CASES)
    assert len(CASES) >= 41 and len(ran) == len({case.values[0]["name"] for case in CASES})


@pytest.mark.parametrize("value", [2**64 - 1, 2**53 + 1, 1.0, -0.5, True, None, 0, [1, 1.0, "1"], {"b": 1, "a": [2.5]}, (1,), ""])
def test_any_json_value(value: Any) -> None:
    led = haversack.Ledger()
    assert led.record("k", value, source="tool:c1") == "added"
    fact = led.get("k")
    assert fact is not None and fact.json == json.dumps(value, separators=(",", ":"))
    assert repr(fact.value) == repr(json.loads(json.dumps(value)))
    assert fact.json in str(led.render())


def test_a_value_in_its_own_spelling() -> None:
    led = haversack.Ledger()
    led.record("rate", b" [1.50, 1e400] ", json=True)
    led.record("text", "[1.50]")
    facts = {fact.key: fact for fact in led.facts()}
    assert facts["rate"].json == "[1.50,1e400]" and facts["rate"].value == [1.5, math.inf]
    assert facts["text"].value == "[1.50]"
    with pytest.raises(haversack.InputError) as caught:
        led.record("x", "{", json=True)
    assert caught.value.kind == "invalid_json" and len(led) == 2


def test_what_json_cannot_hold() -> None:
    cycle: list[Any] = []
    cycle.append(cycle)
    deep: Any = 1
    for _ in range(2000):
        deep = [deep]
    led = haversack.Ledger()
    for value in (object(), math.nan, {1, 2}, b"x", cycle, deep, {"a": object()}):
        with pytest.raises(haversack.InputError) as caught:
            led.record("k", value)
        assert caught.value.kind in ("bad_argument", "too_deep")
    with pytest.raises(haversack.HaversackError):
        led.record("k", "\ud800")
    assert len(led) == 0


WRONG: list[tuple[str, tuple[Any, ...], dict[str, Any], str]] = [
    ("record", (1, "v"), {}, "key"),
    ("record", ("\ud800", "v"), {}, "key"),
    ("record", ("", "v"), {}, "key"),
    ("record", ("k", "v"), {"kind": "no such kind"}, "kind"),
    ("record", ("k", "v"), {"kind": 1}, "kind"),
    ("record", ("k", "v"), {"source": b"user"}, "source"),
    ("record", ("k", "v"), {"turn": -1}, "turn"),
    ("record", ("k", "v"), {"turn": 1.0}, "turn"),
    ("record", ("k", "v"), {"turn": True}, "turn"),
    ("record", ("k", "v"), {"turn": 2**64}, "turn"),
    ("record", ("k", "v"), {"verified": 1}, "verified"),
    ("record", ("k", "v"), {"json": "yes"}, "json"),
    ("record", ("k", [1]), {"json": True}, "value"),
    ("append", (None, "v"), {}, "key"),
    ("append", ("k", "v"), {"kind": ""}, "kind"),
    ("extract", ("{}", [("a", "/a")]), {}, "pointers"),
    ("extract", ("{}", {1: "/a"}), {}, "key"),
    ("extract", ("{}", {"a": 1}), {}, "pointers"),
    ("extract", ('{"a":1}', {"a": "/a"}), {"turn": "1"}, "turn"),
    ("get", (1,), {}, "key"),
    ("values", (None,), {}, "key"),
    ("history", (b"k",), {}, "key"),
    ("render", (), {"chars": -1}, "chars"),
    ("render", (), {"chars": 10, "bytes": 10}, "chars"),
    ("render", (), {"tokens": 10}, "counter"),
    ("render", (), {"counter": len}, "counter"),
    ("news", (), {"tokens": 10, "counter": 1}, "counter"),
    ("news", (), {"utf16": "10"}, "utf16"),
    ("placement_costs", (1, 0), {"counter": len}, "previous"),
    ("placement_costs", ("", -1), {"counter": len}, "behind"),
    ("placement_costs", ("", 0), {}, "counter"),
    ("from_json", (1,), {}, "text"),
]


@pytest.mark.parametrize(("method", "args", "options", "argument"), WRONG)
def test_wrong_arguments(method: str, args: tuple[Any, ...], options: dict[str, Any], argument: str) -> None:
    led = haversack.Ledger()
    led.record("a", 1)
    before = led.to_json()
    with pytest.raises(haversack.OptionsError) as caught:
        getattr(led, method)(*args, **options)
    assert (caught.value.kind, caught.value.argument) == ("invalid_option", argument)
    assert led.to_json() == before


def test_other_errors_are_typed() -> None:
    led = haversack.Ledger()
    for key, value, kind in (("k" * 10**5, "v", "limit_exceeded"), ("k", "v" * 10**5, "limit_exceeded")):
        with pytest.raises(haversack.OptionsError) as limit:
            led.record(key, value)
        assert limit.value.kind == kind and limit.value.needed is not None and limit.value.available is not None
    led.append("a", 1)
    with pytest.raises(haversack.OptionsError) as mixed:
        led.record("a", 2)
    assert mixed.value.kind == "mixed_key"
    with pytest.raises(haversack.InputError) as missing:
        led.extract({"id": 1}, {"x": "/id", "y": "/no"})
    assert (missing.value.kind, missing.value.index, missing.value.pointer) == ("no_such_field", 1, "/no")
    assert led.get("x") is None
    with pytest.raises(haversack.InputError) as refused:
        led.extract(object(), {"x": "/id"})  # type: ignore[arg-type]
    assert refused.value.argument == "result"
    with pytest.raises(haversack.BudgetError):
        led.render(chars=1)
    with pytest.raises(haversack.StateError) as state:
        haversack.Ledger.from_json(led.to_json()[:-1])
    assert (state.value.kind, state.value.offset) == ("invalid_state", len(led.to_json()) - 1)


def test_copies_and_pickles_go_on_alone() -> None:
    led = haversack.Ledger()
    led.record("city", "Oslo", source="user", turn=1)
    for again in (led.copy(), copy.copy(led), copy.deepcopy(led), pickle.loads(pickle.dumps(led))):
        assert again is not led and again.to_json() == led.to_json()
        again.record("city", "Bergen", turn=2)
        assert (led.get("city").value, again.get("city").value) == ("Oslo", "Bergen")  # type: ignore[union-attr]
    fact, text = led.get("city"), led.render(chars=200)
    assert pickle.loads(pickle.dumps(fact)) == fact and copy.deepcopy(fact) is fact
    assert pickle.loads(pickle.dumps(text)) == text and pickle.loads(pickle.dumps(text)).size == text.size
    assert repr(led) == f"<Ledger of 1 facts, {led.bytes} bytes>"
    assert repr(fact) == "Fact(key='city', json='\"Oslo\"', kind='fact', source='user')"


def test_a_counter_may_come_back_to_the_ledger() -> None:
    led = haversack.Ledger()
    for n in range(20):
        led.record(f"k{n}", "word " * 20, source="user", turn=n)

    def counter(text: str) -> int:
        return words(text) if led.get("k1") and len(led) == 20 else 0

    assert led.render(tokens=200, counter=counter).account.omitted > 0
    assert led.placement_costs(led.render(), 7, counter=counter).system == 0
    told = led.news(tokens=200, counter=counter)
    rest = led.news(counter=None)
    assert told is not None and rest is not None and told.account.kept + rest.account.kept == 20
    assert led.news() is None


def test_news_are_told_again_when_the_counter_fails_or_records() -> None:
    led = haversack.Ledger()
    led.record("a", 1)

    def raises(text: str) -> int:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        led.news(tokens=100, counter=raises)
    recorded: list[int] = []

    def once(text: str) -> int:
        if not recorded:
            recorded.append(1)
            led.record("b", 2)
        return words(text)

    news = led.news(tokens=1000, counter=once)
    assert news is not None and news.account.total == 2

    def always(text: str) -> int:
        led.record(f"n{len(led)}", 1)
        return 1

    led.record("c", 3)
    with pytest.raises(haversack.StateError) as caught:
        led.news(tokens=1000, counter=always)
    assert caught.value.kind == "out_of_order"


def test_threads_share_a_ledger() -> None:
    led = haversack.Ledger()

    def work(name: int) -> None:
        for n in range(50):
            led.record(f"k{name}", n, turn=n)
            led.render(chars=300)
            led.news(tokens=10**6, counter="estimate")

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    [thread.start() for thread in threads]  # type: ignore[func-returns-value]
    [thread.join() for thread in threads]  # type: ignore[func-returns-value]
    assert [fact.value for fact in led.facts()] == [49] * 4
    assert all(len(led.history(f"k{n}")) == 50 for n in range(4))
