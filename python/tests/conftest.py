"""What the tests share."""

import sys
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parent.parent.parent


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


@pytest.fixture(scope="session")
def top() -> Path:
    return TOP


def pytest_report_header(config: pytest.Config) -> str:
    import haversack

    return f"haversack {haversack.__version__} from {Path(haversack.__file__).parent}, counters {haversack.counters()}, {sys.version_info[:2]}"
