"""Records with names that are still tuples, copies of what never changes, and `help()`."""

import copy
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import haversack
from haversack._copies import UNCHANGING

CALLS = [{"id": f"c{i}", "type": "function", "function": {"name": "f", "arguments": "{}"}} for i in range(2)]
LONG: list[dict[str, Any]] = [
    {"role": "user", "content": "first"},
    {"role": "assistant", "content": "answer"},
    {"role": "user", "content": "second"},
    {"role": "assistant", "content": None, "tool_calls": CALLS},
    {"role": "tool", "tool_call_id": "c0", "content": "line of output\n" * 400},
    {"role": "tool", "tool_call_id": "c1", "content": "ok"},
]
BODY = {"model": "claude-sonnet-4-5", "max_tokens": 5, "cache_control": {"type": "ephemeral"}, "messages": [
    {"role": "user", "content": [{"type": "text", "text": "hi", "cache_control": {"type": "ephemeral", "ttl": "1h"}}]}]}


def cut() -> haversack.Cut:
    answer = haversack.History(LONG).cut(keep_chars=1500)
    assert isinstance(answer, haversack.Cut)
    return answer


def test_records_have_names_and_are_tuples() -> None:
    shrunk = cut().reduced
    assert shrunk and isinstance(shrunk[0], haversack.Reduced)
    index, path, before, after = shrunk[0]
    assert (index, path) == (shrunk[0].index, shrunk[0].path) == (4, "/4/content")
    assert before == shrunk[0].before > after == shrunk[0].after
    assert shrunk[0] == (index, path, before, after) and hash(shrunk[0]) == hash((index, path, before, after))
    assert repr(shrunk[0]) == f"Reduced(index=4, path='/4/content', before={before}, after={after})"

    entries = haversack.History(LONG[:4]).repair(sending=True).plan
    assert [(e.source, e.text) for e in entries] == [tuple(e) for e in entries]
    assert entries[0] == (0, None) and entries[-1].source is None and "no result" in str(entries[-1].text)

    prompt = haversack.Prompt.from_request(BODY)
    assert prompt.automatic_mark == ("cache_control", None) and prompt.automatic_mark.kind == "cache_control"
    (mark,) = prompt.pieces[-1].marks
    assert (mark.kind, mark.seconds) == ("cache_control", 3600) and mark.at == mark[0]

    for record in (shrunk[0], entries[0], mark, prompt.automatic_mark, haversack.Strip((1, "/1/id", "item_id"))):
        for again in (copy.copy(record), copy.deepcopy(record), pickle.loads(pickle.dumps(record))):
            assert again == record and type(again) is type(record) and repr(again) == repr(record)


def test_what_never_changes_is_its_own_copy() -> None:
    changing = {
        haversack.Frozen, haversack.History, haversack.Ledger, haversack.Memory, haversack.Offloads, haversack.Prompt,
        haversack.Fleet, haversack.Tally, haversack.Transcript, haversack.TranscriptIndex,
    }
    kinds = {kind for kind in vars(haversack._lib).values() if isinstance(kind, type)}
    assert kinds - changing == set(UNCHANGING), "a class is in neither set: can it change?"

    first, second = haversack.Prompt.from_request(BODY), haversack.Prompt.from_request({**BODY, "max_tokens": 6})
    compared = haversack.compare(first.snapshot(), second.snapshot())
    history, answer = haversack.History(LONG), cut()
    repair = haversack.History(LONG[:4]).repair(sending=True)
    marks = haversack.cache_marks({"messages": [{"role": "user", "content": "hi"}]}, rules="anthropic")
    report = first.report()
    frozen = haversack.Frozen({"a": "x"})
    note = frozen.update("a", "y")
    values = [
        history.steps[0], haversack.History(LONG[:4]).violations(sending=True)[0], answer, repair, repair.changes[0],
        haversack.History(LONG[:1]).cut(keep_messages=9), first.pieces[0], first.snapshot(), compared, report, report.pieces[0],
        haversack.shared_prefix(first, second), marks, marks.marks[0], note, frozen.cost(counter="estimate"),
        haversack.predict(None, BODY, counter="estimate"), haversack.deliver(b"[1]", chars=90), haversack.offload(b"x", "c"),
    ]
    for value in values:
        assert copy.copy(value) is value and copy.deepcopy(value) is value
        assert copy.deepcopy({"state": [value]})["state"][0] is value

    again = copy.copy(frozen)    # what changes is copied in earnest
    assert again is not frozen
    frozen.update("a", "z")
    assert again.current("a") == "y"


def test_help_says_what_the_stub_says() -> None:
    script = Path(__file__).resolve().parent.parent / "docs.py"
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    for name in ("predict", "cache_marks"):
        assert "Args:" in getattr(haversack, name).__doc__ and "Raises:" in getattr(haversack, name).__doc__
