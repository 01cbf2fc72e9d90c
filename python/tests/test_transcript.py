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
from conftest import all_chosen, answered
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


def noted(count: int) -> bytes:
    """Messages of many sizes, with lines among them that are none."""
    odd = (b"\n", b'{"a":"\xff needle"}\n', b"[]\n", b'{"broken\n', b'{"x":"need\\u006ce"}\r\n')
    return b"".join(odd[i % 5] if i % 7 == 3 else b'{"i":%d,"t":"%s needle"}\n' % (i, b"x" * (i % 50)) for i in range(1, count + 1)) + b'{"last'


@pytest.mark.parametrize("piece", [1, 60, 61, 1000, 10**6])
def test_a_file_answers_in_pieces_what_a_transcript_answers(piece: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(haversack.transcript, "_PIECE", piece)
    data = noted(300)
    here, there = haversack.TranscriptFile(io.BytesIO(data)), haversack.Transcript.from_jsonl(data.replace(b"\xff", b"?"))
    assert here.last == there.last == 301
    for first, last in ((1, 301), (1, 1), (301, 301), (17, 120)):
        pieces = list(here.pieces(first, last))
        assert [m for messages, _ in pieces for m in messages] == here.read(first, last)
        assert [d for _, damage in pieces for d in damage] == here.damage(first, last)
        assert len(pieces) > 1 or piece >= 1000 or first == last
    broken = {d.number for d in here.damage(1, 301) if d.kind == "invalid_utf8"}
    assert len(broken) > 5
    for needle in ("needle", "xxxx needle", "i", "\n", "broken", "x" * 4096):
        assert here.search(needle) == [hit for hit in there.search(needle) if hit.number not in broken]
    assert len(here.search("needle")) > 200


def test_searching_a_file_refuses_what_a_transcript_refuses() -> None:
    for data in (b"", b'{"a":1}\n'):
        here, there = haversack.TranscriptFile(io.BytesIO(data)), haversack.Transcript.from_jsonl(data)
        for needle in ("", "x" * 4097, "a", None, 5, "\ud800", b"a"):
            assert answered(lambda: here.search(needle)) == answered(lambda: there.search(needle))  # type: ignore[arg-type]  # noqa: B023
        for reference in ("message 1", "1", "[#1]", "messages 1-1", "1 to 1", "2", "1-2", "0", "9-3", "message", "", "1 2", "m1", "\u0661", "[1", "1]", " 1 ",
                          "message 1 says", "-1", "1-", "1\u20131", "9" * 15, "9" * 16, None, 5, b"1"):
            assert answered(lambda: here.resolve(reference)) == answered(lambda: there.resolve(reference)), reference  # type: ignore[arg-type]  # noqa: B023
        for text in ("", "message 1", None, "\ud800", 5):
            assert answered(lambda: here.check(text)) == answered(lambda: there.check(text))  # type: ignore[arg-type]  # noqa: B023
        for first, last in ((0, 1), (1, 2), (2, 1), ("1", 1), (True, 1), (1, 1 << 80), (-1, 1)):
            assert answered(lambda: here.pieces(first, last) and None) == answered(lambda: there.read(first, last) and None)  # type: ignore[arg-type]  # noqa: B023


def test_quotes_are_looked_for_in_the_file() -> None:
    data = (b'{"a":"say \\"yes\\" twice"}\n{"b":"\xe2\x80\x9cno\xe2\x80\x9d"}\n{"c\xff":"yes"}\n') + b'{"d":1}\n' * 200
    here, there = haversack.TranscriptFile(io.BytesIO(data)), haversack.Transcript.from_jsonl(data.replace(b"\xff", b"!"))
    asked = ('message 1 says "say". messages 1-2: "yes"; message 2 \u201c\\"yes\u201d; message 1: \u201c"yes"\u201d; message 2: "\u201cno\u201d"; '
             'message 2 "a"; messages 1-100 "twice"; messages 1-101 "twice"; message 203: "d"; messages 203-204 "d"; message 900: "d"; message 0 "x"')
    found = here.check(asked)
    assert found == there.check(asked) and len(found) == 12
    assert [one.holds for one in found] == [True, True, False, True, True, False, True, None, False, False, False, False]
    assert here.check('message 3 says "yes".')[0].holds is False, "a line that is no UTF-8 holds nothing"


def test_a_file_that_shrank_or_is_closed_says_so(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b'{"a":1}\n' * 100)
    file = path.open("r+b")
    here = haversack.TranscriptFile(file)
    file.truncate(20)
    assert [m.number for m in here.read(1, 100)] == [1, 2] and [(d.number, d.kind) for d in here.damage(1, 100)] == [(3, "truncated")]
    assert [hit.number for hit in here.search("a")] == [1, 2]
    file.close()
    for call in (lambda: here.read(1, 1), lambda: here.search("a"), lambda: here.check('message 1 "a"'), lambda: list(here.pieces(1, 1)), here.refresh):
        with pytest.raises(ValueError, match="closed"):
            call()  # type: ignore[operator]


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
