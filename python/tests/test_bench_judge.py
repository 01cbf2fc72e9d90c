"""The judge of the benchmark of histories (tests/benches/histories/judge.py) shares no code with haversack: here the two are
held against each other, over clean histories and over what is left when messages are taken out of them."""

import copy
import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import haversack

FORMATS = ("openai_chat", "openai_responses", "anthropic", "gemini", "bedrock")


def load(top: Path, name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, top / "tests" / "benches" / "histories" / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def own(format: Any, messages: list[Any], request: dict[str, Any]) -> list[str]:
    history = haversack.History(messages, format=format, request=request, profile="provider")
    return [str(v.kind) for v in history.violations(sending=True)]


@pytest.mark.parametrize("format", FORMATS)
def test_the_judge_and_the_library_find_the_same_histories_broken(top: Path, format: str) -> None:
    inputs, judge = load(top, "inputs"), load(top, "judge")
    broken = whole = 0
    for history in inputs.clean(12):
        messages, request = inputs.written(history, format)
        assert judge.violations(format, messages, request) == []
        assert own(format, messages, request) == []
        for at in range(len(messages)):
            left = (messages[:at] + messages[at + 1:], messages[at:], messages[:at], messages[:at + 1] + messages[at:])
            for some in left:
                found = judge.violations(format, some, request)
                if some:
                    assert bool(found) == bool(own(format, some, request)), (at, found, own(format, some, request), some)
                broken, whole = broken + bool(found), whole + (not found)
    assert broken > 200 and whole > 200, (broken, whole)


@pytest.mark.parametrize("format", FORMATS)
def test_the_judge_refuses_what_it_does_not_know(top: Path, format: str) -> None:
    inputs, judge = load(top, "inputs"), load(top, "judge")
    messages, request = inputs.written(inputs.clean(1)[0], format)
    messages = copy.deepcopy(messages)
    if format == "openai_responses":
        messages.append({"type": "reasoning", "id": "rs_1", "summary": []})
    else:
        messages[-1]["reasoning"] = "hm"
    with pytest.raises(ValueError, match="does not know"):
        judge.violations(format, messages, request)
