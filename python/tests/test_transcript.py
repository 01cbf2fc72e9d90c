"""Transcripts, in memory and in a file: the shared vectors, and what only Python has."""

import copy
import io
import json
import pickle
import threading
from pathlib import Path
from typing import Any

import haversack
import pytest
from conftest import all_chosen
from state_steps import load, run_transcript

CASES = load("transcript", "transcript")
ran: list[str] = []


@pytest.mark.parametrize("case", [pytest.param(case, id=case["name"]) for case in CASES])
def test_vector(case: Any) -> None:
    got = run_transcript(case)
    ran.append(case["name"])
    assert got == case["expect"], case["why"]


def test_every_vector_ran(request: pytest.FixtureRequest) -> None:
    all_chosen(request, CASES)
    assert len(ran) == len(CASES) > 5
    print("\nran:", len(ran))


def test_a_message_is_a_dict_or_its_json() -> None:
    t = haversack.Transcript()
    given = {"role": "user", "content": "Größe \u2028"}
    assert [t.append(given), t.append(json.dumps(given)), t.append(json.dumps(given).encode())] == [1, 2, 3]
    assert [m.message for m in t.read(1, 3)] == [given] * 3
    assert t.read(1, 1)[0].message is not t.read(1, 1)[0].message
    for bad, kind in (([], "invalid_option"), (None, "invalid_option"), ("{", "invalid_json"), ("x", "invalid_json"),
                      ({"a": object()}, "bad_argument"), ("\ud800", "invalid_utf8"), (b"\xff", "invalid_utf8")):
        with pytest.raises(haversack.HaversackError) as caught:
            t.append(bad)  # type: ignore[arg-type]
        assert caught.value.kind == kind, bad
    assert t.last == 3


def test_wrong_types_are_named() -> None:
    t = haversack.Transcript()
    calls: list[tuple[str, Any]] = [
        ("first", lambda: t.read("1", 2)), ("last", lambda: t.read(1, 2.0)), ("first", lambda: t.array(True, 1)),  # type: ignore[arg-type]
        ("needle", lambda: t.search(5)), ("needle", lambda: t.search("")), ("reference", lambda: t.resolve(2)),  # type: ignore[arg-type]
        ("text", lambda: t.check(None)), ("text", lambda: t.references(b"message 1")),  # type: ignore[arg-type]
        ("text", lambda: haversack.Transcript.from_jsonl({})), ("text", lambda: haversack.Transcript.from_json(b"")),  # type: ignore[arg-type]
        ("data", lambda: haversack.TranscriptIndex().feed("x")), ("first", lambda: t.read(-1, 2)),  # type: ignore[arg-type]
        ("file", lambda: haversack.TranscriptFile(io.StringIO("{}\n"))),  # type: ignore[arg-type]
    ]
    for argument, call in calls:
        with pytest.raises(haversack.OptionsError) as caught:
            call()
        assert caught.value.argument == argument
    with pytest.raises(haversack.OptionsError) as caught:
        t.read(1, 1 << 70)
    assert caught.value.kind == "no_such_message"


def test_a_transcript_is_kept() -> None:
    t = haversack.Transcript.from_jsonl(b'{"a":1}\n{"b')
    assert repr(t) == "Transcript(last=2, damaged=1)" and repr(t.damage[0]).startswith("Damage(number=2, kind='truncated'")
    for again in (pickle.loads(pickle.dumps(t)), copy.copy(t), copy.deepcopy(t)):
        assert again.to_jsonl() == t.to_jsonl()
        assert again.append({"c": 3}) == 3 and t.last == 2


def test_a_file_that_grows_is_read_without_being_loaded(tmp_path: Path) -> None:
    path = tmp_path / "transcript.jsonl"
    path.write_bytes(b"".join(b'{"i":%d}\n' % i for i in range(1, 5001)) + b'{"i":5')
    with path.open("rb") as file:
        here = haversack.TranscriptFile(file)
        assert here.last == len(here) == 5001 and repr(here) == "TranscriptFile(last=5001)"
        assert [m.message["i"] for m in here.read(4998, 5001)] == [4998, 4999, 5000]
        assert [(d.number, d.kind) for d in here.damage(4998, 5001)] == [(5001, "truncated")]
        with path.open("ab") as out:
            out.write(b'001}\n{"i":5002}\n')
        assert here.refresh() == 5002
        assert [m.message["i"] for m in here.read(5001, 5002)] == [5001, 5002] and not here.damage(1, 5002)
        with pytest.raises(haversack.OptionsError) as caught:
            here.read(5002, 5003)
        assert (caught.value.kind, caught.value.index, caught.value.available) == ("no_such_message", 5003, 5002)


def test_threads_share_a_transcript() -> None:
    t = haversack.Transcript()
    numbers: list[int] = []

    def work() -> None:
        for i in range(200):
            numbers.append(t.append({"i": i}))
            t.search("i")

    threads = [threading.Thread(target=work) for _ in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert sorted(numbers) == list(range(1, 801))
