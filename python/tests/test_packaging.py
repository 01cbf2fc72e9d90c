"""What travels with the wheel: licences, notices of what is built in, and where the project lives."""

import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest


def test_licences_and_notices_are_in_the_wheel(top: Path) -> None:
    files = {file.name: file for file in metadata.files("haversack") or []}
    for name, source in (("LICENSE-MIT", top), ("LICENSE-APACHE", top), ("THIRD-PARTY.txt", top / "python")):
        assert files[name].read_text(encoding="utf-8") == (source / name).read_text(encoding="utf-8")
    about = metadata.metadata("haversack")
    assert about["License-Expression"] == "MIT OR Apache-2.0"
    assert sorted(about.get_all("License-File") or []) == ["LICENSE-APACHE", "LICENSE-MIT", "THIRD-PARTY.txt"]
    assert len(about.get_all("Project-URL") or []) == 3
    assert "# haversack" in about.get_payload()


def test_the_notices_are_current(top: Path) -> None:
    if shutil.which("cargo") is None:
        pytest.skip("no cargo to ask what is built in")
    done = subprocess.run([sys.executable, top / "python" / "third_party.py", "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
