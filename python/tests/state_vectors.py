"""The vectors of the state half, and what their tests share."""

import json
from collections.abc import Callable
from typing import Any

import haversack
from conftest import TOP, words

FOLDER = TOP / "tests" / "vectors" / "state"
NUMBERS = ("offset", "expected", "needed", "size", "available", "unit", "argument", "pointer", "index", "piece")
BUDGETS = ("bytes", "chars", "utf16", "tokens")


def load(folder: str, *ops: str) -> list[Any]:
    """The cases of a folder with one of these verbs."""
    cases = [case for path in sorted((FOLDER / folder).glob("*.json")) for case in json.loads(path.read_text("utf-8"))]
    return [case for case in cases if case["op"] in ops]


def answered(call: Callable[[], Any]) -> dict[str, Any]:
    try:
        return {"answer": call()}
    except haversack.HaversackError as error:
        numbers = {name: getattr(error, name) for name in NUMBERS if getattr(error, name) is not None}
        return {"error": {"kind": error.kind, **numbers}}


def budget(options: dict[str, Any]) -> dict[str, Any]:
    """The budget among the options, as keywords."""
    given = {name: options[name] for name in (*BUDGETS, "counter") if name in options}
    return {**given, "counter": words} if given.get("counter") == "words" else given


def members(value: Any, *names: str) -> dict[str, Any]:
    return {name: getattr(value, name) for name in names}


def books(account: haversack.Account) -> dict[str, Any]:
    """An account as the core stores it."""
    given = account.to_dict()
    rest = {name: given.pop(name) for name in ("bytes", "fields_removed", "claimed")}
    return {"records": given, **rest}


def rendered(text: haversack.Rendered) -> dict[str, Any]:
    assert str(text) == text.text and text.complete == (text.account.omitted == 0)
    return {"text": text.text, "account": books(text.account), "rule": text.rule}


def input_of(given: Any) -> bytes:
    if isinstance(given, str):
        return given.encode()
    if "hex" in given:
        return bytes.fromhex(given["hex"])
    if "repeat" in given:
        return bytes(given["repeat"].encode() * given["times"])
    if "rows" in given:
        rows = (given["template"].replace("$i", str(i)) for i in range(given["rows"]))
        return str(given.get("before", "") + given.get("join", "").join(rows) + given.get("after", "")).encode()
    return b"".join(map(input_of, given["concat"]))
