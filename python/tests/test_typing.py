"""The stubs say what is there, and type checkers read them as they are meant."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PYTHON = Path(__file__).resolve().parent.parent
HERE = Path(__file__).resolve().parent


def check(*command: str | Path) -> None:
    done = subprocess.run([str(c) for c in command], cwd=HERE, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_mypy() -> None:
    check(sys.executable, "-m", "mypy", "--config-file", PYTHON / "pyproject.toml", "--python-version", "3.11", HERE / "typing_use.py")


def test_the_stubs_are_the_module() -> None:
    check(sys.executable, "-m", "mypy.stubtest", "haversack._lib", "--allowlist", HERE / "stubtest_allow.txt",
          "--mypy-config-file", PYTHON / "pyproject.toml")


def test_pyright() -> None:
    if shutil.which("node") is None:
        pytest.skip("pyright needs node, which is not here")
    check(sys.executable, "-m", "pyright", "-p", PYTHON, "--pythonpath", sys.executable)
