"""`haversack compare` and `haversack prompt`, as a shell runs them."""

import itertools
import json
import os
import signal
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any, get_args

import haversack
import pytest
from conftest import TOP
from haversack import _cli_prompt, _recording, _types

LONG = "Answer with care. " * 700


def run(*arguments: str, given: str | bytes = b"", **options: Any) -> subprocess.CompletedProcess[bytes]:
    data = given.encode() if isinstance(given, str) else given
    command = [sys.executable, "-W", "error", "-m", "haversack", *arguments]
    return subprocess.run(command, input=data, capture_output=True, timeout=120, check=False, **options)


def answer(*arguments: str, given: str | bytes = b"") -> dict[str, Any]:
    done = run(*arguments, "--json", given=given)
    assert done.returncode in (0, 1), done.stderr.decode()
    read: dict[str, Any] = json.loads(done.stdout)
    return read


def body(system: str = LONG, *turns: str, tool: str = "look_up") -> dict[str, Any]:
    roles = ["user", "assistant"] * len(turns)
    return {
        "model": "gpt-4o",
        "tools": [{"type": "function", "function": {"name": tool, "parameters": {"type": "object"}}}],
        "messages": [{"role": "system", "content": system}, *({"role": r, "content": t} for r, t in zip(roles, turns, strict=False))],
    }


def recording(*lines: Any) -> str:
    return "".join(json.dumps(line) + "\n" for line in lines)


GROWING = (body(LONG, "a"), body(LONG, "a", "b", "c"))
MOVED = body(LONG + "!", "a", "b", "c")


@pytest.fixture
def files(tmp_path: Path) -> Any:
    def write(*bodies: Any) -> list[str]:
        paths = [tmp_path / f"{i}.json" for i in range(len(bodies))]
        for path, value in zip(paths, bodies, strict=True):
            path.write_text(value if isinstance(value, str) else json.dumps(value))
        return [str(path) for path in paths]

    return write


# ---------------------------------------------------------------- compare

def test_two_requests_that_only_grow_are_0_and_a_break_is_1(files: Any) -> None:
    assert run("compare", *files(*GROWING)).returncode == 0
    done = run("compare", *files(GROWING[1], MOVED))
    assert done.returncode == 1 and done.stderr == b""
    line = done.stdout.decode().splitlines()[-1]
    wanted = haversack.compare(*(haversack.Prompt.from_request(json.dumps(b)) for b in (GROWING[1], MOVED)))
    assert line.split() == ["2", "changed", "message", "0", "edit", f"{wanted.at_byte:,}", f"{wanted.kept_bytes:,}", f"{wanted.lost_bytes:,}"]


def test_one_of_two_is_standard_input(files: Any) -> None:
    [path] = files(GROWING[0])
    assert run("compare", path, "-", given=json.dumps(GROWING[1])).returncode == 0
    assert run("compare", "-", path, given=json.dumps(MOVED)).returncode == 1


def test_the_calls_of_a_recording() -> None:
    found = answer("compare", given=recording(*GROWING, MOVED, MOVED))
    assert [(c["line"], c["verdict"], c["broke"]) for c in found["calls"]] == [
        (1, "first", False), (2, "extended", False), (3, "changed", True), (4, "same", False)]
    assert found["breaks"] == 1 and found["counter"] is None
    third = found["calls"][2]
    assert (third["piece"], third["cause"]) == ("message 0", "edit") and third["changes"][0]["at_byte"] == third["at_byte"]
    assert third["kept_tokens"] is None and third["cost"] is None
    assert third["kept_bytes"] + third["lost_bytes"] == found["calls"][1]["bytes"]


def test_the_cost_is_what_predict_says() -> None:
    bodies = [*GROWING, MOVED]
    lines = [{"time": t, "request": b} for t, b in zip((1_000, 1_060.5, 90_000), bodies, strict=True)]
    found = answer("compare", "--rules", "openai/auto", "--counter", "estimate", given=recording(*lines))
    passed = (None, 60, 88_939)
    for i, call in enumerate(found["calls"]):
        before = json.dumps(bodies[i - 1]) if i else None
        wanted = haversack.predict(before, json.dumps(bodies[i]), rules="openai/auto", counter="estimate", elapsed=passed[i])
        cost = call["cost"]
        assert (cost["cached"], cost["written"], cost["fresh"], cost["billed"], cost["reason"]) == (
            wanted.cached, wanted.written, wanted.fresh, wanted.billed, wanted.reason)
        assert cost["cached"] + cost["written"] + cost["fresh"] == cost["total"] and cost["cached_range"] == list(wanted.cached_range)
    assert found["calls"][1]["cost"]["cached"] > 1_024 and found["calls"][2]["cost"]["reason"] == "expired"
    assert found["calls"][1]["kept_tokens"] > 0
    shown = run("compare", "--rules", "auto", "--counter", "estimate", given=recording(*lines)).stdout.decode().splitlines()
    assert shown[-1].startswith("by openai/auto: ")


def test_elapsed_and_ttl_reach_the_rules() -> None:
    text = recording(GROWING[0], GROWING[0])

    def reason(*more: str) -> str:
        found = answer("compare", "--rules", "openai/auto", "--counter", "estimate", *more, given=text)
        return str(found["calls"][1]["cost"]["reason"])

    assert [reason(), reason("--elapsed", "100000"), reason("--elapsed", "100", "--ttl", "50")] == ["hit", "expired", "expired"]


def test_tokens_have_a_default_counter_that_is_said() -> None:
    name = "o200k_base" if "o200k_base" in haversack.counters() else "estimate"
    done = run("compare", "--rules", "auto", given=recording(GROWING[0]))
    assert done.stderr.decode() == f"haversack: tokens are counted by {name} (--counter chooses)\n"


def test_the_shapes_of_a_line() -> None:
    text = json.dumps(GROWING[0])
    around = [text, f'{{"request":{text}}}', f'{{"custom_id":"1","body": {text} }}', json.dumps({"body": text}), f' {{"time":null,"usage":null,"request":{text}}}\r']
    found = answer("compare", given="\ufeff" + "\n\n".join(around))
    assert [(c["line"], c["verdict"]) for c in found["calls"]] == [(1, "first"), *((n, "same") for n in (3, 5, 7, 9))]


def test_a_body_is_compared_as_it_was_written() -> None:
    """White space inside a message is a re-serialisation, which reading and writing the line again would hide."""
    one = '{"model":"m","messages":[{"role":"user","content":"\\u00e9","n":1.50}]}'
    other = '{"model":"m","messages":[{"role": "user","content":"é","n":1.5}]}'
    found = answer("compare", given=f'{{"request":{one}}}\n{{"request":{other}}}\n')
    assert [c["cause"] for c in found["calls"]] == [None, "key_order"]


@pytest.mark.parametrize(("usage", "read"), [
    ({"prompt_tokens": 9, "prompt_tokens_details": {"cached_tokens": 1024}}, 1024),
    ({"input_tokens_details": {"cached_tokens": 0}}, 0),
    ({"cache_read_input_tokens": 7}, 7), ({"cacheReadInputTokens": 8}, 8), ({"cachedContentTokenCount": 9}, 9),
    ({}, None), (None, None), ([], None), ({"prompt_tokens_details": None}, None), ({"cache_read_input_tokens": -1}, None),
    ({"cache_read_input_tokens": 10**30}, None),
])
def test_what_the_provider_says_stands_beside_it(usage: Any, read: int | None) -> None:
    assert answer("compare", given=recording({"request": GROWING[0], "usage": usage}))["calls"][0]["provider_read"] == read


@pytest.mark.parametrize(("text", "time"), [
    ("12.5", 12_500_000), ("-1", -1_000_000), ('"1970-01-01T00:01:00Z"', 60_000_000), ('"1970-01-01T02:00:00+02:00"', 0),
    ('"1970-01-01T00:00:01"', 1_000_000), ("1e3", 1_000_000_000), ("null", None),
])
def test_times(text: str, time: int | None) -> None:
    [call] = _recording.calls(f'{{"time":{text},"body":{{}}}}'.encode())
    assert call.time == time


@pytest.mark.parametrize("text", ["1e999999999", "true", '"noon"', "[1]", '"9999-12-31T23:59:59-23:59x"', "9" * 5_000, '"\\ud800"'])
def test_times_that_are_none(text: str) -> None:
    done = run("compare", given=f'\n{{"time":{text},"body":{{}}}}\n')
    assert (done.returncode, done.stdout, done.stderr) == (4, b"", b"haversack: line 2: time is neither seconds nor ISO 8601\n")


BAD: list[tuple[str, str]] = [
    ('{"messages":[', "line 3: invalid JSON at byte 13"),
    ('{"request":{"messages":7}}', "line 3: not a history"),
    ('{"request":{"messages":7}}', "of a body that starts at byte 11"),
    ('{"request":null}', "line 3: not a history"),
    ('{"request":{},"body":{}}', "line 3: more than one of request and body"),
    ('{"request":{"messages":[NaN]}}', "line 3: invalid JSON at byte"),
    ("[" * 100_000, "line 3: "),
    ('{"a":' * 100_000, "line 3: "),
    ("7", "line 3: not a history"),
    ('{"body":"\\ud800"}', "line 3: "),
    ('{"body":"{"}', "line 3: invalid JSON at byte 1"),
    ('{"body":{"messages":[]},"time":"soon"}', "line 3: time is neither"),
    ('{"x":1}garbage', "line 3: invalid JSON at byte 7"),
]


@pytest.mark.parametrize(("line", "said"), BAD, ids=[line[:30] for line, _ in BAD])
def test_a_broken_line_is_named(line: str, said: str) -> None:
    done = run("compare", given=recording(GROWING[0]) + "\n" + line + "\n" + recording(GROWING[1]))
    assert (done.returncode, done.stdout) == (4, b"")
    assert said in done.stderr.decode() and done.stderr.startswith(b"haversack: line 3: ") and done.stderr.count(b"\n") == 1


def test_other_input_that_is_not_what_it_has_to_be(files: Any) -> None:
    for given in (b"", b"\n \n", b"\xff\n"):
        assert run("compare", given=given).returncode == 4
    good, bad = files(GROWING[0], "{")
    done = run("compare", good, bad)
    assert done.returncode == 4 and done.stderr.decode().startswith(f"haversack: {bad}: invalid JSON at byte 1")
    late = recording({"time": 5, "body": GROWING[0]}, {"time": 4, "body": GROWING[0]})
    assert run("compare", given=late).returncode == 0
    done = run("compare", "--rules", "auto", "--counter", "estimate", given=late)
    assert (done.returncode, done.stderr) == (4, b"haversack: line 2: time is before that of line 1\n")


USAGE: list[list[str]] = [
    ["compare", "a", "b", "c"],
    ["compare", "-", "-"],
    ["compare", "--rules", "nobody"],
    ["compare", "--elapsed", "5"],
    ["compare", "--ttl", "5"],
    ["compare", "--rules", "auto", "--ttl", "x"],
    ["compare", "--html", "-"],
    ["compare", "--counter", "nobody"],
    ["compare", "--format", "xml"],
    ["compare", "/no/such/file"],
    ["prompt", "a", "b"],
    ["prompt", "--budget", "-1"],
    ["prompt", "/no/such/file"],
]


@pytest.mark.parametrize("arguments", USAGE, ids=" ".join)
def test_wrong_usage_is_2(arguments: list[str]) -> None:
    done = run(*arguments, given=recording(GROWING[0]))
    assert done.returncode == 2 and done.stdout == b""
    assert done.stderr and b"Traceback" not in done.stderr


def test_a_model_without_rules_is_2_and_named() -> None:
    done = run("compare", "--rules", "auto", "--counter", "estimate", given=recording({**GROWING[0], "model": "nobody-1"}))
    assert done.returncode == 2 and done.stderr.startswith(b'haversack: line 1: no rule is published for the model "nobody-1"')


def test_every_row_of_the_table_of_rules_can_be_named() -> None:
    assert set(_cli_prompt.RULES) == {"auto", *get_args(_types.CacheRulesName)}


def test_of_a_long_recording_the_table_shows_what_broke() -> None:
    lines = [GROWING[0]] * 60 + [MOVED] * 60
    shown = run("compare", given=recording(*lines)).stdout.decode().splitlines()
    assert shown[0] == "120 calls, 1 broke the cache" and shown[2].split()[0] == "61" and len(shown) == 4
    assert shown[3].startswith("119 calls are not shown, 0 of them broke")
    assert len(answer("compare", given=recording(*lines))["calls"]) == 120


# ---------------------------------------------------------------- the picture

HOSTILE = '<script>alert("1")</script>\x1b[31m\u202e\'&'


def test_the_picture(tmp_path: Path) -> None:
    path = tmp_path / "p.html"
    lines = recording(*GROWING, MOVED)
    done = run("compare", "--rules", "openai/auto", "--counter", "estimate", "--html", str(path), given=lines)
    costs = [c["cost"] for c in answer("compare", "--rules", "openai/auto", "--counter", "estimate", given=lines)["calls"]]
    assert done.returncode == 1 and done.stdout
    page = path.read_text()
    drawing = ElementTree.fromstring(page[page.index("<svg"): page.index("</svg>") + 6])
    name = "{http://www.w3.org/2000/svg}"
    calls = drawing.findall(f"{name}g")
    assert len(calls) == 3
    axis = [int((t.text or "").replace(",", "")) for t in drawing.findall(f"{name}text") if t.get("text-anchor") == "end" and t.text != "tokens"]
    top = max(axis)
    assert top >= max(c["total"] for c in costs) > top - axis[1] and 3 < len(axis) < 10, "an axis of round steps, no longer than it has to be"
    for call, cost in zip(calls, costs, strict=True):
        tip = call.findtext(f"{name}title") or ""
        assert all(f"{cost[part]:,} tokens {part}" in tip for part in ("cached", "written", "fresh"))
        bars = [int(r.get("height", "")) for r in call.findall(f"{name}rect") if r.get("fill") != "none"]
        assert abs(sum(bars) - 240 * cost["total"] / top) < 1
        assert len(bars) == sum(1 for part in ("cached", "written", "fresh") if cost[part])
    assert "changed: message 0\nedit at byte" in (calls[2].findtext(f"{name}title") or "")
    assert ["broke" in ElementTree.tostring(call, "unicode") for call in calls] == [False, False, True]
    assert "<p>3 calls, 1 broke the cache<br>by openai/auto: " in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", ""), "it loads nothing"


def test_the_picture_without_rules_is_of_bytes(tmp_path: Path) -> None:
    path = tmp_path / "p.html"
    assert run("compare", "--html", str(path), given=recording(*GROWING)).returncode == 0
    assert "bytes as before" in path.read_text() and "tokens" not in path.read_text()


def test_the_picture_tells_what_broke_and_what_only_ran_out(tmp_path: Path) -> None:
    path = tmp_path / "p.html"
    calls = [{"time": at, "request": one, "usage": {"prompt_tokens_details": {"cached_tokens": 7}}} for at, one in ((0, GROWING[0]), (9_000, GROWING[1]), (9_001, MOVED))]
    assert run("compare", "--rules", "vllm", "--ttl", "60", "--counter", "estimate", "--html", str(path), given=recording(*calls)).returncode == 1
    page = path.read_text()
    assert page.count('class="broke"') == 1 and page.count('class="missed"') == 1 and page.count('stroke="#000" stroke-width="2"') == 3
    assert "<th>piece</th>" in page and page.count("<tr>") == 2 and "<td>message 0</td>" in page
    assert "7 tokens read from the cache by the provider&#x27;s own count" in page


def test_labels_of_the_picture_do_not_meet(tmp_path: Path) -> None:
    path = tmp_path / "p.html"
    long = "x" * 300
    lines = recording(*(body(f"{long} {i}", "a", tool=long) for i in range(300)))
    assert run("compare", "--html", str(path), given=lines).returncode == 1
    page = path.read_text()
    drawing = ElementTree.fromstring(page[page.index("<svg"): page.index("</svg>") + 6])
    name = "{http://www.w3.org/2000/svg}"
    labels = [t for g in drawing.findall(f"{name}g") for t in g.findall(f"{name}text")]
    places = [(int(t.get("x", "")), 8 * len(t.text or "")) for t in labels]
    assert len(places) > 10
    assert all(x + room // 2 < other - wide // 2 for (x, room), (other, wide) in itertools.pairwise(places))
    assert long[:130] not in page and page.count("<tr>") == 51 and "249 more are not shown" in page


def test_nothing_of_the_input_becomes_markup(tmp_path: Path) -> None:
    """In a key, a role, a tool name, and the name of a file."""
    first = {**body(HOSTILE, "a", tool=HOSTILE), "reasoning_effort": HOSTILE, HOSTILE: {HOSTILE: 1}}
    first["messages"].append({"role": HOSTILE, "content": HOSTILE, HOSTILE: HOSTILE})
    second = json.loads(json.dumps(first))
    second["tools"][0]["function"]["description"] = HOSTILE
    second["messages"][-1]["role"] += "!"
    source, path = tmp_path / "<script>&.jsonl", tmp_path / "p.html"
    source.mkdir() if os.name == "nt" else source.write_text(recording(first, second, {**second, "messages": [{"role": HOSTILE, "content": ""}]}))
    done = run("compare", str(source), "--rules", "vllm", "--counter", "estimate", "--html", str(path))
    assert done.returncode == 1, done.stderr.decode()
    page = path.read_text()
    assert "<script" not in page and "&lt;script&gt;" in page, "the tool is named, as text"
    assert not any(c in page + done.stdout.decode() for c in "\x1b\u202e") and "\\u{1b}" in page
    ElementTree.fromstring(page[page.index("<svg"): page.index("</svg>") + 6])
    done = run("prompt", given=json.dumps(first))
    assert done.returncode == 0 and not any(c in done.stdout.decode() for c in "\x1b\u202e") and "\\u{202e}" in done.stdout.decode()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_a_picture_that_cannot_be_written_is_5(tmp_path: Path) -> None:
    for path, why in ((tmp_path / "no" / "p.html", "No such file or directory"), (Path("/dev/full"), "No space left on device")):
        done = run("compare", "--html", str(path), given=recording(*GROWING))
        assert (done.returncode, done.stdout, done.stderr.decode()) == (5, b"", f"haversack: {path}: {why}\n")


# ---------------------------------------------------------------- prompt

def test_the_budget_by_piece() -> None:
    text = json.dumps(body("x" * 400, "y" * 100))
    report = haversack.Prompt.from_request(text).report()
    shown = run("prompt", given=text).stdout.decode().splitlines()
    assert shown[0] == f"openai_chat, 4 pieces, {report.total:,} bytes"
    rows = {line.split("  ")[0]: line for line in shown[2:6]}
    assert list(rows) == [p.name for p in report.pieces]
    longest = max(report.pieces, key=lambda p: p.size)
    for piece in report.pieces:
        assert f" {piece.size:,} " in rows[piece.name] and piece.layer in rows[piece.name]
        assert rows[piece.name].count("█") == 30 * piece.size // longest.size


def test_a_prompt_over_its_budget_is_1() -> None:
    text = json.dumps(body("x" * 400, "y" * 100))
    total = haversack.Prompt.from_request(text).report().total
    assert run("prompt", "--budget", str(total), given=text).returncode == 0
    done = run("prompt", "--budget", str(total - 1), given=text)
    assert done.returncode == 1 and done.stdout.decode().splitlines()[1] == "1 bytes over the budget, which ends in message 1"
    assert "ends in tools/look_up" in run("prompt", "--budget", "5", given=text).stdout.decode()


def test_json_is_the_whole_report() -> None:
    text = json.dumps(body(LONG, "a"))
    report = haversack.Prompt.from_request(text).report(budget=9, counter="estimate")
    found = answer("prompt", "--budget", "9", "--counter", "estimate", given=text)
    assert (found["unit"], found["total"], found["over"], found["counter"]) == ("tokens", report.total, report.over, "estimate")
    assert [(p["name"], p["size"]) for p in found["pieces"]] == [(p.name, p.size) for p in report.pieces]
    assert found["layers"] == report.layers and found["kinds"] == report.kinds and found["format"] == "openai_chat"
    assert found.keys() == {"format", "counter", "unit", "total", "budget", "over", "layers", "kinds", "before_conversation", "old_results",
                            "resolved_errors", "thinking", "dead_share", "per_call", "growth", "pieces", "overran", "volatile"}
    assert found["growth"] is None, "nobody answered yet"
    spoken = body(LONG, "a", "b", "c")
    grown = answer("prompt", given=json.dumps(spoken))
    told = haversack.Prompt.from_request(json.dumps(spoken)).report()
    assert grown["per_call"] == told.per_call and told.per_call
    assert grown["growth"]["repeated"] == grown["growth"]["input"] - grown["growth"]["largest"] > 0
    assert grown["growth"]["largest"] == told.total + grown["growth"]["calls"] * told.per_call
    assert f"{told.per_call:,} bytes more with each answer so far" in run("prompt", given=json.dumps(spoken)).stdout.decode()


def test_dead_weight_and_volatile_values_are_said() -> None:
    call = {"id": "c", "type": "function", "function": {"name": "look_up", "arguments": "{}"}}
    value = body("Now: 2031-05-06 10:15:59", "a")
    value["messages"] += [{"role": "assistant", "content": None, "tool_calls": [call]}, {"role": "tool", "tool_call_id": "c", "content": "r" * 300},
                          {"role": "assistant", "content": "done"}]
    text = json.dumps(value)
    prompt = haversack.Prompt.from_request(text)
    [volatile] = haversack.volatile(prompt)
    lines = run("prompt", given=text).stdout.decode().splitlines()
    assert f"dead weight: {prompt.report().old_results:,} bytes of old tool results" in lines
    assert f"volatile: time in {volatile.piece} (static) at byte {volatile.at_byte}, {volatile.bytes} bytes" in lines
    assert answer("prompt", given=text)["volatile"][0]["at_byte"] == volatile.at_byte


def test_of_many_pieces_the_largest_are_shown() -> None:
    value = body("s", *("x" * (1 + i) for i in range(80)))
    lines = run("prompt", given=json.dumps(value)).stdout.decode().splitlines()
    assert sum(line.startswith("message ") for line in lines) >= 48 and any("smaller pieces" in line for line in lines)
    assert any(line.startswith("message 80 ") for line in lines) and not any(line.startswith("message 2 ") for line in lines)


def test_prompts_that_are_none_are_4() -> None:
    for given in (b"", b"{", b"7", b"\xff", b"[" * 100_000):
        done = run("prompt", given=given)
        assert done.returncode == 4 and done.stdout == b"" and done.stderr.count(b"\n") == 1, given[:9]
    assert run("prompt", given=b"[]").returncode == 0


# ---------------------------------------------------------------- streams

@pytest.mark.skipif(os.name != "posix", reason="SIGPIPE")
def test_a_reader_that_leaves() -> None:
    line = '"$0" -W error -m haversack compare --json | head -c 1 >/dev/null; echo "${PIPESTATUS[0]}"'
    given = recording(*[GROWING[0], MOVED] * 400).encode()
    done = subprocess.run(["bash", "-c", line, sys.executable], input=given, capture_output=True, timeout=120, check=True)
    assert (done.stdout, done.stderr) == (str(128 + signal.SIGPIPE).encode() + b"\n", b"")


@pytest.mark.skipif(os.name != "posix", reason="redirections of a POSIX shell")
@pytest.mark.parametrize("command", ["compare", "prompt"])
def test_closed_and_full_streams(command: str) -> None:
    def shell(redirection: str) -> tuple[int, bytes]:
        line = f'exec "$0" -W error -m haversack {command} {redirection}'
        done = subprocess.run(["sh", "-c", line, sys.executable], input=recording(GROWING[0]).encode(), capture_output=True, timeout=120, check=False)
        return done.returncode, done.stderr

    assert shell("<&-") == (2, b"haversack: standard input is closed\n")
    assert shell(">&-") == (5, b"haversack: standard output is closed\n")
    if os.path.exists("/dev/full"):
        assert shell(">/dev/full") == (5, b"haversack: standard output: No space left on device\n")


def test_tables_are_utf8_whatever_the_locale_says() -> None:
    text = json.dumps(body("s", "a", tool="naïve_漢"), ensure_ascii=False)
    for environment in ({}, {"PYTHONIOENCODING": "latin-1"}, {"LC_ALL": "C", "PYTHONUTF8": "0"}):
        done = run("prompt", given=text, env={**os.environ, **environment})
        assert "tools/naïve_漢" in done.stdout.decode() and "█" in done.stdout.decode()


# ---------------------------------------------------------------- real recordings

def test_real_recordings(tmp_path: Path) -> None:
    """Third-party data that is no part of this repository; without it this is skipped."""
    given = os.environ.get("HAVERSACK_CORPUS")
    if given is None:
        places = [above / "shared" / "corpus" for above in TOP.parents]
    else:
        places = [Path(given)] if given else []
    found = [file for place in places for file in sorted((place / "transcripts" / "request-sequences").glob("*.jsonl"))]
    if not found:
        pytest.skip("no corpus of real data at hand")
    page = tmp_path / "p.html"
    for file in found[::6]:
        calls = answer("compare", "--rules", "sglang", "--counter", "estimate", "--html", str(page), str(file))["calls"]
        assert [c["line"] for c in calls] == list(range(1, len(file.read_bytes().splitlines()) + 1)), file.name
        assert all(c["broke"] == bool(c["changes"]) for c in calls), file.name
        drawn = page.read_text()
        drawing = ElementTree.fromstring(drawn[drawn.index("<svg"): drawn.index("</svg>") + 6])
        assert len(drawing.findall("{http://www.w3.org/2000/svg}g")) == len(calls)
