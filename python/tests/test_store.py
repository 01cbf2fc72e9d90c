"""Offloading into a directory, and reading back."""

import json
import os
import stat
from pathlib import Path

import haversack
import pytest
from haversack import readback

LOG = "".join(f"line {i} of a long log\n" for i in range(2_000))
ROWS = [{"id": i, "text": "x" * 50} for i in range(400)]


def put(store: haversack.DirectoryStore, table: haversack.Offloads, payload: object, call_id: str = "c1") -> str:
    step = table.prepare(payload, call_id, reader="haversack_read")  # type: ignore[arg-type]
    assert step.action == "store" and step.key
    pointer = table.commit(step.key, store.put(step.key, payload))  # type: ignore[arg-type]
    assert pointer.text and pointer.account.offloaded == 1 and pointer.size < 1_000
    return step.key


def test_the_way_of_a_result(tmp_path: Path) -> None:
    store, table = haversack.DirectoryStore(tmp_path / "results"), haversack.Offloads()
    key = put(store, table, LOG)
    assert (tmp_path / "results" / key).read_text() == LOG
    assert table.prepare(LOG, "c2").action == "point"

    d = readback.execute(table, store.read, "haversack_read", {"key": key, "start": 100, "lines": 3}, call_id="r1", chars=500)
    assert "line 99 of" in d.text and d.account.total == 2_000
    assert table.prepare(LOG, "r1").reason == "exempt"
    d = readback.execute(table, store.read, "haversack_find", json.dumps({"key": key, "needle": "line 1234 "}), chars=500)
    assert "line 1234 of" in d.text and d.account.total == 1

    rows = put(store, table, ROWS, "c3")
    assert rows.endswith(".json") and json.loads(store.read(rows)) == ROWS
    d = readback.execute(table, store.read, "haversack_read", {"key": rows}, chars=1_000)
    assert json.loads(d.text)["total"] == 400


def test_a_key_from_a_model_leads_nowhere(tmp_path: Path) -> None:
    store, table = haversack.DirectoryStore(tmp_path), haversack.Offloads()
    put(store, table, LOG)
    (tmp_path / "secret.txt").write_text("secret")

    def read(location: str) -> bytes:
        raise AssertionError(f"{location} was fetched")

    for key in ("secret.txt", "../secret.txt", "/etc/passwd", "", "c-0.txt", "c1-" + "0" * 32 + ".txt"):
        with pytest.raises(haversack.OffloadError) as caught:
            readback.execute(table, read, "haversack_read", {"key": key}, chars=500)
        assert caught.value.kind == "unknown_key"
        assert readback.error_text(caught.value).startswith("error: unknown_key")
    with pytest.raises(haversack.OptionsError):
        readback.execute(table, read, "haversack_read", {"key": "a", "path": "b"}, chars=500)


KEY = "c1-" + "0" * 32 + ".txt"


def test_only_keys_are_names(tmp_path: Path) -> None:
    store = haversack.DirectoryStore(tmp_path)
    bad = ["", ".", "..", "a.txt", "../" + KEY, "/" + KEY, KEY + "/x", KEY + "\0", KEY.upper(), "C" + KEY, KEY[:-4], KEY + ".txt",
           KEY.replace(".txt", ".sh"), "é" + KEY, "a" * 41 + KEY[2:], KEY.replace("0", "g"), 7, None]
    for key in bad:
        for call in (lambda key=key: store.put(key, b"x"), lambda key=key: store.read(key)):
            with pytest.raises(haversack.OffloadError) as caught:
                call()
            assert caught.value.kind == "unknown_key"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="modes and links of POSIX")
def test_files_are_private_and_nothing_is_overwritten(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        store = haversack.DirectoryStore(tmp_path / "deep" / "results")
        store.put(KEY, b"mine")
    finally:
        os.umask(old)
    path = tmp_path / "deep" / "results" / KEY
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert store.put(KEY, b"mine") == KEY
    with pytest.raises(haversack.OffloadError) as caught:
        store.put(KEY, b"other")
    assert caught.value.kind == "digest_mismatch" and path.read_bytes() == b"mine"


@pytest.mark.skipif(os.name != "posix", reason="modes and links of POSIX")
def test_no_link_is_followed(tmp_path: Path) -> None:
    store = haversack.DirectoryStore(tmp_path / "results")
    target = tmp_path / "target"
    path = tmp_path / "results" / KEY
    path.symlink_to(target)
    with pytest.raises(OSError):
        store.put(KEY, b"x")
    assert not target.exists()
    target.write_bytes(b"x")
    for call in (lambda: store.put(KEY, b"x"), lambda: store.read(KEY)):
        with pytest.raises(OSError):
            call()
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(haversack.OffloadError):
        store.read(KEY)


def test_a_full_disk_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = haversack.DirectoryStore(tmp_path)

    def full(*_: object, **__: object) -> object:
        raise OSError(28, "no space left")

    monkeypatch.setattr("builtins.open", full)
    with pytest.raises(OSError, match="no space"):
        store.put(KEY, b"x")
    monkeypatch.undo()
    assert list(tmp_path.iterdir()) == []


def test_refused_stays(tmp_path: Path) -> None:
    table = haversack.Offloads()
    step = table.prepare(LOG, "c1")
    assert step.key
    table.refuse(step.key, "the disk is full")
    assert table.prepare(LOG, "c2").reason == "refused"
    assert [e.state for e in table.entries] == ["refused"]


def test_tool_definitions() -> None:
    for flavour in ("openai", "anthropic", "gemini", "mcp"):
        tools = readback.tool_definitions(flavour)  # type: ignore[arg-type]
        assert "haversack_find" in json.dumps(tools)
        renamed = json.dumps(readback.tool_definitions(flavour, read_name="look", find_name="seek"))  # type: ignore[arg-type]
        assert '"look"' in renamed and "haversack_read" not in renamed
    with pytest.raises(haversack.OptionsError) as caught:
        readback.tool_definitions("cohere")  # type: ignore[arg-type]
    assert caught.value.argument == "flavour"
    with pytest.raises(haversack.OptionsError):
        readback.tool_definitions("openai", read_name="two words")


def test_payload_bytes() -> None:
    assert haversack.payload_bytes("é") == "é".encode()
    data = b"\xff\x00"
    assert haversack.payload_bytes(data) is data
    assert haversack.payload_bytes(bytearray(data)) == data
    assert haversack.payload_bytes({"a": [1, "é"]}) == '{"a":[1,"é"]}'.encode()
