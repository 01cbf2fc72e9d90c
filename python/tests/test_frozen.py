"""Frozen sections from Python: what is not in the shared vectors."""

from __future__ import annotations

import pickle
from typing import Any

import haversack
import pytest


def test_a_run() -> None:
    frozen = haversack.Frozen({"memory": "city: Oslo", "tools": "[]"})
    assert frozen.names == ["memory", "tools"]
    note = frozen.update("memory", "city: Bergen")
    assert note is not None
    assert (note.section, note.version, str(note)) == ("memory", 2, note.text)
    assert frozen.notes() == [note]
    assert repr(frozen) == "Frozen([\"memory\", \"tools\"], notes=1)"
    again = pickle.loads(pickle.dumps(frozen))
    assert again.to_json() == frozen.to_json()
    assert frozen.fold() == ["memory"]
    assert (frozen.text("memory"), again.text("memory"), again.current("memory")) == ("city: Bergen", "city: Oslo", "city: Bergen")


def test_a_counter_may_come_back_to_the_sections() -> None:
    frozen = haversack.Frozen({"memory": "a"})
    frozen.update("memory", "b")
    cost = frozen.cost(counter=lambda text: len(frozen.notes()) * len(text))
    assert (cost.notes, cost.superseded, cost.stale_tokens) == (1, 0, 1)


@pytest.mark.parametrize("sections", [[("memory", "a")], {"memory": None}, {1: "a"}, {"": "a"}, {"memory": "\ud800"}, None])
def test_wrong_sections(sections: object) -> None:
    with pytest.raises(haversack.OptionsError):
        haversack.Frozen(sections)  # type: ignore[arg-type]


def test_wrong_names_and_states() -> None:
    frozen = haversack.Frozen({"memory": "a"})
    with pytest.raises(haversack.OptionsError) as caught:
        frozen.update("memry", "x")
    assert caught.value.kind == "invalid_option"
    with pytest.raises(haversack.OptionsError):
        frozen.update("memory", 1)  # type: ignore[arg-type]
    with pytest.raises(haversack.HaversackError) as state:
        haversack.Frozen.from_json(frozen.to_json()[:-1])
    assert (state.value.kind, state.value.offset) == ("invalid_state", len(frozen.to_json()) - 1)


@pytest.mark.parametrize("text", [5, None, b"{}", [], "\ud800"])
def test_state_of_another_type_is_refused_by_name(text: Any) -> None:
    with pytest.raises(haversack.OptionsError) as refused:
        haversack.Frozen.from_json(text)
    assert refused.value.argument == "text"
