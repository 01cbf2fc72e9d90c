"""What the tests share."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import haversack
import pytest

TOP = Path(__file__).resolve().parent.parent.parent
NUMBERS = ("offset", "expected", "needed", "size", "available", "unit", "argument", "pointer", "index", "piece")
BUDGETS = ("bytes", "chars", "utf16", "tokens")


def words(text: str) -> int:
    """The test counter of the shared vectors: counts UTF-8 bytes, and is not additive at the seams."""
    tokens = run = 0
    for byte in text.encode():
        if byte >= 0x80 or byte == 0x5F or chr(byte).isalnum():
            run += 1
            continue
        tokens += (run + 5) // 6
        run = 0
        tokens += byte not in b" \t\n\v\f\r"
    return tokens + (run + 5) // 6


def failure(error: haversack.HaversackError) -> dict[str, Any]:
    numbers = {name: getattr(error, name) for name in NUMBERS if getattr(error, name) is not None}
    return {"error": {"kind": error.kind, **numbers}}


def answered(call: Callable[[], Any]) -> dict[str, Any]:
    """What a call answers, or its error."""
    try:
        return {"answer": call()}
    except haversack.HaversackError as error:
        return failure(error)


def build(given: Any) -> bytes:
    """The input of a case, as tests/vectors/README.md spells it."""
    if isinstance(given, str):
        return given.encode("utf-8", "surrogatepass")
    if "hex" in given:
        return bytes.fromhex(given["hex"])
    if "repeat" in given:
        return bytes(given["repeat"].encode() * given["times"])
    if "rows" in given:
        rows = (given["template"].replace("$i", str(i)) for i in range(given["rows"]))
        return str(given.get("before", "") + given.get("join", "").join(rows) + given.get("after", "")).encode()
    return b"".join(map(build, given["concat"]))


def all_chosen(request: pytest.FixtureRequest, cases: list[Any]) -> None:
    """Skips a count of what ran where only some cases of this file were chosen."""
    chosen = [i for i in request.session.items if i.name.startswith("test_vector[") and i.path == request.path]
    if len(chosen) < len(cases):
        pytest.skip("only some cases were chosen")


@pytest.fixture(scope="session")
def top() -> Path:
    return TOP


def pytest_report_header(config: pytest.Config) -> str:
    return f"haversack {haversack.__version__} from {Path(haversack.__file__).parent}, counters {haversack.counters()}, {sys.version_info[:2]}"
