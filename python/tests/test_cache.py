"""Predictions and cache marks from Python: what is not in the shared vectors."""

from __future__ import annotations

import json

import haversack
import pytest

BODY = {
    "model": "claude-sonnet-4-5",
    "system": "Be kind. " * 800,
    "messages": [{"role": "user", "content": [{"type": "text", "text": "hi"}]}],
}


def test_dicts_and_text_are_the_same() -> None:
    plan = haversack.cache_marks(BODY, rules="anthropic")
    assert plan == haversack.cache_marks(json.dumps(BODY), rules="anthropic") or plan.body == json.loads(plan.text)
    assert [mark.reason for mark in plan.marks] == ["system", "tail"]
    assert (plan.marks[1].pointer, plan.marks[1].message, plan.marks[1].block) == ("/messages/0/content/0", 0, 0)
    assert "cache_control" not in json.dumps(BODY), "what was given stays as it is"
    p = haversack.predict(plan.body, plan.text, counter=len, rules="anthropic")
    assert p == haversack.predict(plan.text, plan.text.encode(), counter=len, rules="anthropic")
    assert (p.cached, p.written, p.fresh, p.cached_range) == (7202, 0, 0, (7202, 7202))
    assert p.billed == 720200
    assert "Claude" in p.source
    assert repr(p) == "Prediction(cached=7202, written=0, fresh=0, anthropic, hit)"


def test_nothing_before() -> None:
    p = haversack.predict(None, BODY, counter="estimate", rules="anthropic")
    assert (p.reason, p.cached, p.total) == ("first", 0, p.fresh)


def test_a_counter_raises_as_it_is() -> None:
    def broken(text: str) -> int:
        raise LookupError(text[:2])

    with pytest.raises(LookupError, match="Be"):
        haversack.predict(None, BODY, counter=broken, rules="anthropic")


@pytest.mark.parametrize("wrong", [
    {"rules": "nobody"}, {"rules": 1}, {"elapsed": -1}, {"elapsed": 1.5}, {"ttl": "5m"}, {"format": "xml"}, {"counter": "nobody"},
])
def test_wrong_arguments_are_named(wrong: dict[str, object]) -> None:
    with pytest.raises(haversack.OptionsError) as caught:
        haversack.predict(BODY, BODY, **{"counter": "estimate", **wrong})  # type: ignore[arg-type]
    assert caught.value.argument == next(iter(wrong))


def test_a_counter_is_needed() -> None:
    with pytest.raises(haversack.OptionsError) as caught:
        haversack.predict(BODY, BODY)
    assert caught.value.argument == "counter"


@pytest.mark.parametrize("wrong", [{"rules": "openai/auto"}, {"life": "2h"}, {"most": -1}, {"changing": "1"}])
def test_marks_that_there_are_not(wrong: dict[str, object]) -> None:
    with pytest.raises(haversack.OptionsError) as caught:
        haversack.cache_marks(BODY, **{"rules": "anthropic", **wrong})  # type: ignore[arg-type]
    assert caught.value.argument == next(iter(wrong))
