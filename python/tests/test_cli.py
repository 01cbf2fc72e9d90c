"""The command line, as a shell runs it."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import haversack
import pytest
from conftest import TOP
from haversack._terminal import escape, table, width

ROWS = [{"id": i, "state": "open"} for i in range(200)]
TEXT = json.dumps(ROWS, separators=(",", ":"))
LOG = "".join(f"line {i}\n" for i in range(1, 501))


def run(*arguments: str, given: bytes | str = b"", **options: Any) -> subprocess.CompletedProcess[bytes]:
    data = given.encode() if isinstance(given, str) else given
    command = [sys.executable, "-W", "error", "-m", "haversack", *arguments]
    return subprocess.run(command, input=data, capture_output=True, timeout=120, check=False, **options)


def good(*arguments: str, given: bytes | str = b"") -> bytes:
    done = run(*arguments, given=given)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


@pytest.mark.parametrize("unit", ["bytes", "chars", "utf16"])
def test_standard_output_is_the_text_and_nothing_else(unit: str) -> None:
    done = run("deliver", f"--{unit}", "900", given=TEXT)
    wanted = haversack.deliver(TEXT, **{unit: 900}).text  # type: ignore[arg-type]
    assert done.stdout == wanted.encode() and done.stderr == b"" and done.returncode == 0


def test_a_file_and_the_installed_command(tmp_path: Path) -> None:
    path = tmp_path / "rows é.json"
    path.write_text(TEXT)
    wanted = haversack.deliver(TEXT, chars=900).text.encode()
    assert good("deliver", "--chars", "900", str(path)) == wanted
    assert good("deliver", str(path), "--chars", "900") == wanted
    assert good("deliver", "-", "--chars", "900", given=TEXT) == wanted
    command = Path(sys.executable).parent / "haversack"
    done = subprocess.run([command, "deliver", "--chars", "900", path], capture_output=True, check=True)
    assert done.stdout == wanted
    version = subprocess.run([command, "--version"], capture_output=True, check=True, text=True).stdout
    assert version == f"haversack {haversack.__version__}\n"


def test_json_is_the_whole_answer() -> None:
    d = haversack.deliver(TEXT, chars=900)
    assert json.loads(good("deliver", "--chars", "900", "--json", given=TEXT)) == d.to_dict()


def test_page_and_find() -> None:
    assert good("page", "--chars", "300", "--start", "41", "--lines", "3", given=LOG) == haversack.page(LOG, 41, 3, chars=300).text.encode()
    found = haversack.find(LOG, "line 77", chars=300, context=1, limit=1)
    assert good("find", "line 77", "--chars", "300", "--context", "1", "--limit", "1", given=LOG) == found.text.encode()
    nothing = run("find", "no such words", "--chars", "300", given=LOG)
    assert nothing.returncode == 1 and nothing.stdout.startswith(b"[no matches in ")
    inside = json.dumps({"stdout": LOG})
    assert good("page", "--at", "/stdout", "--chars", "300", given=inside) == haversack.page(inside, at="/stdout", chars=300).text.encode()
    page = haversack.page(LOG, chars=300)
    assert page.next
    assert good("page", "--chars", "300", "--cursor", page.next, given=LOG) == haversack.page(LOG, chars=300, cursor=page.next).text.encode()


# One value for every option of the API: how it is written in a shell, and in Python.
OPTIONS: dict[str, tuple[list[str], dict[str, Any]]] = {
    "bytes": (["--bytes", "900"], {"bytes": 900}),
    "chars": (["--chars", "900"], {"chars": 900}),
    "utf16": (["--utf16", "900"], {"utf16": 900}),
    "tokens": (["--tokens", "90", "--counter", "estimate"], {"tokens": 90, "counter": "estimate"}),
    "counter": (["--tokens", "90", "--counter", "estimate"], {"tokens": 90, "counter": "estimate"}),
    "format": (["--format", "lines"], {"format": "lines"}),
    "select": (["--select", "/*/id", "--select", "/*/x"], {"select": ["/*/id", "/*/x"]}),
    "sort_by": (["--sort-by", "/id"], {"sort_by": "/id"}),
    "descending": (["--sort-by", "/id", "--descending"], {"sort_by": "/id", "descending": True}),
    "share": (["--share", "in_order"], {"share": "in_order"}),
    "priority": (["--priority", ""], {"priority": [""]}),
    "keep": (["--keep", "both"], {"keep": "both"}),
    "oversize": (["--oversize", "skip"], {"oversize": "skip"}),
    "envelope": (["--envelope", "always"], {"envelope": "always"}),
    "cursor": (["--cursor", "rows@30"], {"cursor": "rows@30"}),
    "reader": (["--reader", "read_more"], {"reader": "read_more"}),
    "hint": (["--hint", "narrow the query"], {"hint": "narrow the query"}),
    "nested": (["--no-nested"], {"nested": False}),
    "on_invalid": (["--on-invalid", "salvage"], {"on_invalid": "salvage"}),
    "prefer": (["--prefer", "199"], {"prefer": ["199"]}),
    "ansi": (["--ansi", "strip"], {"ansi": "strip"}),
    "collapse": (["--collapse"], {"collapse": True}),
    "source": (["--source", "kept"], {"source": "kept"}),
    "notice": (["--notice", "none"], {"notice": "none"}),
    "limits": (["--limits", "depth=9", "--limits", "entries=9"], {"limits": {"depth": 9, "entries": 9}}),
}


@pytest.mark.parametrize("name", sorted(OPTIONS))
def test_option(name: str) -> None:
    written, options = OPTIONS[name]
    if not {"bytes", "chars", "utf16", "tokens"} & options.keys():
        written, options = [*written, "--chars", "900"], {**options, "chars": 900}
    assert json.loads(good("deliver", "--json", *written, given=TEXT)) == haversack.deliver(TEXT, **options).to_dict()


def test_earlier(tmp_path: Path) -> None:
    first = haversack.deliver(TEXT, chars=2_000)
    wanted = haversack.deliver(first.text, chars=900, earlier=first.account).to_dict()
    for content in (first.to_json(), json.dumps(first.account.to_dict())):
        (tmp_path / "first.json").write_text(content)
        assert json.loads(good("deliver", "--chars", "900", "--json", "--earlier", str(tmp_path / "first.json"), given=first.text)) == wanted
    for content in ("{", "[]", '{"account":1}'):
        (tmp_path / "first.json").write_text(content)
        done = run("deliver", "--chars", "900", "--earlier", str(tmp_path / "first.json"), given=TEXT)
        assert done.returncode == 2 and done.stdout == b""


def test_every_option_of_the_list_has_a_flag() -> None:
    listed = [o.split(".")[1] for o in (TOP / "tests" / "vectors" / "OPTIONS.txt").read_text().split() if o.startswith("deliver.")]
    assert listed and set(listed) == {*OPTIONS, "earlier"}


def test_tokens_have_a_default_counter_that_is_said() -> None:
    done = run("deliver", "--tokens", "100", given=TEXT)
    name = "o200k_base" if "o200k_base" in haversack.counters() else "estimate"
    assert done.stderr.decode() == f"haversack: tokens are counted by {name} (--counter chooses)\n"
    assert done.stdout.decode() == haversack.deliver(TEXT, tokens=100, counter=name).text  # type: ignore[arg-type]


USAGE: list[list[str]] = [
    [],
    ["deliver"],
    ["deliver", "--chars", "10", "--bytes", "10"],
    ["deliver", "--chars", "-1"],
    ["deliver", "--chars", "1_0"],
    ["deliver", "--chars", "ten"],
    ["deliver", "--chars", "9" * 30],
    ["deliver", "--char", "10"],
    ["deliver", "--chars", "10", "--keep", "middle"],
    ["deliver", "--chars", "10", "--counter", "estimate"],
    ["deliver", "--tokens", "10", "--counter", "none"],
    ["deliver", "--chars", "10", "--cursor", "rows@x"],
    ["deliver", "--chars", "10", "--select", "id"],
    ["deliver", "--chars", "10", "--limits", "depth"],
    ["deliver", "--chars", "10", "--limits", "width=3"],
    ["deliver", "--chars", "10", "/no/such/file"],
    ["deliver", "--chars", "10", "/"],
    ["find", "--chars", "10"],
    ["page", "--chars", "10", "--start", "x"],
]


@pytest.mark.parametrize("arguments", USAGE, ids=" ".join)
def test_wrong_usage_is_2(arguments: list[str]) -> None:
    done = run(*arguments, given=TEXT)
    assert done.returncode == 2 and done.stdout == b""
    assert done.stderr and b"Traceback" not in done.stderr


def test_what_cannot_fit_is_3() -> None:
    done = run("deliver", "--chars", "10", given=TEXT)
    assert done.returncode == 3 and done.stdout == b""
    assert b"needed" in done.stderr and done.stderr.startswith(b"haversack: ") and done.stderr.count(b"\n") == 1


def test_invalid_input_is_4() -> None:
    done = run("deliver", "--chars", "100", "--format", "json", given='{"a":1]')
    assert done.returncode == 4 and b"byte 6" in done.stderr and done.stdout == b""
    done = run("deliver", "--chars", "100", given=b"ab\xff")
    assert done.returncode == 4 and b"byte 2" in done.stderr
    assert run("deliver", "--chars", "100", "--format", "json", given="").returncode == 4


def test_bytes_that_are_no_text_are_replaced_and_counted() -> None:
    done = run("deliver", "--chars", "100", "--encoding-errors", "replace", given=b"a\xff\xfeb\xe2\x82 \xef\xbf\xbd\n")
    assert done.returncode == 0 and done.stdout.decode() == "a\ufffd\ufffdb\ufffd \ufffd\n"
    assert done.stderr.startswith(b"haversack: 3 sequences of bytes")
    done = run("deliver", "--chars", "100", "--encoding-errors", "replace", given="all é well")
    assert done.stdout.decode() == "all é well" and done.stderr == b""


def test_bytes_go_through_unchanged() -> None:
    """No new lines, encodings or locales come between, whatever the environment says."""
    text = "a\r\nb\u2028é\x00\x1b[31m\n\n"
    for environment in ({}, {"PYTHONIOENCODING": "latin-1"}, {"LC_ALL": "C", "PYTHONUTF8": "0"}):
        done = run("deliver", "--chars", "100", given=text, env={**os.environ, **environment})
        assert done.stdout == text.encode(), environment


@pytest.mark.skipif(os.name != "posix", reason="SIGPIPE")
def test_a_closed_pipe_is_no_error() -> None:
    big = "line\n" * 400_000
    command = f"{sys.executable} -m haversack deliver --chars 10000000 | head -c 10"
    done = subprocess.run(["bash", "-c", command + "; echo ${PIPESTATUS[0]}"], input=big.encode(), capture_output=True, timeout=120, check=False)
    assert done.stderr == b""
    assert done.stdout == b"line\nline\n" + str(128 + signal.SIGPIPE).encode() + b"\n"


def test_the_account() -> None:
    payload = json.dumps({"early": ROWS, "late": ROWS[:100]})
    d = haversack.deliver(payload, chars=2_000)
    done = run("deliver", "--chars", "2000", "--account", given=payload)
    assert done.stdout == d.text.encode()
    shown = done.stderr.decode()
    lines = shown.splitlines()
    assert lines[0] == f"json, {d.size:,} of 2,000 chars, incomplete"
    assert lines[1].split() == ["list", "total", "kept", "omitted", "bytes", "kept", "next"]
    early = d.lists["/early"]
    assert lines[2].split() == ["/early", "200", str(early.kept), str(early.omitted), f"{early.bytes.kept:,}", str(early.next)]
    assert [line.split()[0] for line in lines[2:5]] == ["/early", "/late", "all"]
    assert "\x1b" not in shown, "colours without a terminal"
    assert "complete" in run("deliver", "--chars", "200000", "--account", given=payload).stderr.decode()


def test_hostile_names_are_shown_and_not_obeyed() -> None:
    key = "\x1b[31mred\u202ebidi\u200bzero\x9bc1\nline" + "k" * 300
    payload = json.dumps({key: ROWS, "b": ROWS, "\x07": {"\u2066": ROWS}})
    done = run("deliver", "--chars", "3000", "--account", given=payload)
    shown = done.stderr.decode()
    assert shown.replace("\n", "").isprintable()
    assert "\\u{1b}[31mred\\u{202e}bidi\\u{200b}zero\\u{9b}c1\\u{a}line" in shown
    assert max(len(cell) for line in shown.splitlines() for cell in line.split("  ")) <= 121
    done = run("deliver", "--chars", "10", "x\x1b[31m\n", given=payload)
    assert b"\x1b" not in done.stderr and done.stderr.count(b"\n") == 1
    done = run("deliver", "--chars", "\x1b[31m1", given=payload)
    assert done.returncode == 2 and b"\x1b" not in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals")
@pytest.mark.parametrize("no_color", [False, True])
def test_on_a_terminal(no_color: bool) -> None:
    """A final newline and colours are for terminals."""
    done, shown = on_terminal("deliver", "--chars", "900", "--account", given=TEXT.encode(), NO_COLOR="1" if no_color else "")
    assert done == 0
    text = haversack.deliver(TEXT, chars=900).text.encode()
    assert shown.startswith(text + b"\r\n")
    assert (b"\x1b[1m" in shown) is not no_color


def on_terminal(*arguments: str, given: bytes, **environment: str) -> tuple[int, bytes]:
    """The exit status, and what both streams write to a terminal."""
    import pty

    main, end = pty.openpty()
    command = [sys.executable, "-m", "haversack", *arguments]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=end, stderr=end, env={**os.environ, "TERM": "xterm", "NO_COLOR": "", **environment})
    os.close(end)
    assert process.stdin
    process.stdin.write(given)
    process.stdin.close()
    shown = b""
    while True:
        try:
            part = os.read(main, 65536)
        except OSError:  # Linux says so at the end
            break
        if not part:
            break
        shown += part
    os.close(main)
    return process.wait(60), shown


def test_escape() -> None:
    assert escape("plain é 漢字 🙂") == "plain é 漢字 🙂"
    assert escape("\x00\x7f\x85\u061c\u200d\u2069\ufeff\U000e0041\u00ad") == "".join(
        f"\\u{{{n:x}}}" for n in (0, 0x7F, 0x85, 0x61C, 0x200D, 0x2069, 0xFEFF, 0xE0041, 0xAD)
    )
    assert len(escape("x" * 1_000)) == 120 and escape("x" * 120) == "x" * 120
    assert len(escape("\x00" * 1_000)) == 120
    assert width("漢字") == 4 and width("e\u0301") == 1
    assert table([["a", "n"], ["漢", "10"]]) == ["a    n", "漢  10"]


# ---------------------------------------------------------------- streams that are not there

def shell(redirection: str, *arguments: str, given: bytes = b"", prefix: str = "") -> subprocess.CompletedProcess[bytes]:
    """The command under a shell's redirection, which closes and fills descriptors as users do."""
    line = f'{prefix}exec "$0" -W error -m haversack "$@" {redirection}'
    return subprocess.run(["sh", "-c", line, sys.executable, *arguments], input=given, capture_output=True, timeout=120, check=False)


unix = pytest.mark.skipif(os.name != "posix", reason="redirections of a POSIX shell")
full = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
DELIVER = ("deliver", "--chars", "900")


@unix
def test_a_closed_standard_input() -> None:
    done = shell("<&-", *DELIVER)
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", b"haversack: standard input is closed\n")


@unix
@pytest.mark.parametrize("options", [(), ("--json",), ("--account",)], ids=str)
def test_a_closed_standard_output(options: tuple[str, ...]) -> None:
    done = shell(">&-", *DELIVER, *options, given=TEXT.encode())
    assert (done.returncode, done.stderr) == (5, b"haversack: standard output is closed\n")


@unix
def test_a_closed_standard_error() -> None:
    done = shell("2>&-", *DELIVER, given=TEXT.encode())
    assert (done.returncode, done.stdout) == (0, haversack.deliver(TEXT, chars=900).text.encode())
    for arguments, given, status in ((("deliver", "--chars", "1"), b"[1,2,3]", 3), ((*DELIVER, "/nowhere"), b"", 2),
                                     ((*DELIVER, "--format", "json"), b"{", 4), (("deliver",), b"", 2), (("no-such",), b"", 2)):
        done = shell("2>&-", *arguments, given=given)
        assert (done.returncode, done.stdout) == (status, b""), arguments


@unix
def test_everything_closed() -> None:
    assert shell("<&- >&- 2>&-", *DELIVER).returncode == 5


@full
@pytest.mark.parametrize("options", [DELIVER, ("--help",), ("deliver", "--help"), ("--version",)], ids=" ".join)
def test_a_full_disk_is_not_blamed_on_the_input(options: tuple[str, ...]) -> None:
    done = shell(">/dev/full", *options, given=TEXT.encode())
    assert (done.returncode, done.stderr) == (5, b"haversack: standard output: No space left on device\n")


@full
def test_a_full_disk_for_what_is_larger_than_a_buffer() -> None:
    done = shell(">/dev/full", "deliver", "--chars", "9000000", given=b"a line\n" * 300_000)
    assert (done.returncode, done.stderr) == (5, b"haversack: standard output: No space left on device\n")


@full
def test_a_full_standard_error() -> None:
    wanted = haversack.deliver(TEXT, chars=900).text.encode()
    done = shell("2>/dev/full", *DELIVER, given=TEXT.encode())
    assert (done.returncode, done.stdout) == (0, wanted)
    assert shell("2>/dev/full", *DELIVER, "/nowhere").returncode == 2
    done = shell("2>/dev/full", *DELIVER, "--account", given=TEXT.encode())
    assert (done.returncode, done.stdout) == (5, wanted), "the books were asked for"


@unix
def test_a_reader_that_leaves() -> None:
    line = f'"$0" -m haversack deliver --chars 90000000 | head -c 1 >/dev/null; echo "${{PIPESTATUS[0]}}"'
    done = subprocess.run(["bash", "-c", line, sys.executable], input=b"a line\n" * 300_000, capture_output=True, timeout=120, check=True)
    assert (done.stdout, done.stderr) == (b"141\n", b"")


@unix
def test_an_interrupt_is_quiet() -> None:
    # A shell's background jobs ignore the signal, and so would their children.
    code = f"import signal; signal.signal(2, signal.default_int_handler); import haversack.cli as c; raise SystemExit(c.main({DELIVER!r}))"
    child = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stdin
    # It reads when it has taken more than a pipe holds.
    child.stdin.write(b"x" * 1_000_000)
    child.stdin.flush()
    time.sleep(0.5)  # until it waits for more: between two reads nobody looks at signals
    child.send_signal(signal.SIGINT)
    try:
        child.wait(60)
    finally:
        child.kill()
        out, error = child.communicate()
    assert (child.returncode, out, error) == (130, b"", b"")


@unix
def test_inputs_that_cannot_be_read(tmp_path: Path) -> None:
    missing, locked = tmp_path / "missing", tmp_path / "locked"
    locked.write_text("x")
    locked.chmod(0)
    cases = [((*DELIVER, str(missing)), f"{missing}: No such file or directory"),
             ((*DELIVER, str(tmp_path)), f"{tmp_path}: Is a directory"),
             ((*DELIVER, "--earlier", str(missing)), f"{missing}: No such file or directory"),
             ((*DELIVER, str(tmp_path / "missing" / "x")), f"{tmp_path}/missing/x: No such file or directory")]
    if os.geteuid() != 0:  # to root nothing is locked
        cases.append(((*DELIVER, str(locked)), f"{locked}: Permission denied"))
    for arguments, sentence in cases:
        done = run(*arguments, given=TEXT)
        assert (done.returncode, done.stdout, done.stderr.decode()) == (2, b"", f"haversack: {sentence}\n")


def test_an_earlier_account_that_is_too_deep(tmp_path: Path) -> None:
    (tmp_path / "deep.json").write_text("[" * 100_000)
    done = run(*DELIVER, "--earlier", str(tmp_path / "deep.json"), given=TEXT)
    assert done.returncode == 2 and done.stderr.startswith(b"haversack: --earlier: ") and b"Traceback" not in done.stderr


# ---------------------------------------------------------------- histories

HISTORY = (
    '[{"role":"user","content":"u"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function",'
    '"function":{"name":"f","arguments":"{}"}}]},{"role":"user","content":"x"}]'
)


def test_check_finds_violations_and_says_so_by_its_exit_status():
    done = run("check", given=HISTORY)
    assert done.returncode == 1
    assert "missing_result" in done.stdout.decode()
    answer = json.loads(run("check", "--json", given=HISTORY).stdout)
    assert answer["violations"][0]["index"] == 1
    assert run("check", given='[{"role":"user","content":"u"}]').returncode == 0


def test_repair_writes_a_history_that_check_takes():
    done = run("repair", given=HISTORY)
    assert done.returncode == 0
    assert "synthesise" in done.stderr.decode()
    assert run("check", given=done.stdout).returncode == 0


def test_cut_writes_what_is_kept_and_says_what_went():
    done = run("cut", "--messages", "1", given=run("repair", given=HISTORY).stdout)
    assert done.returncode == 0
    assert json.loads(done.stdout) == [{"role": "user", "content": "x"}]
    assert "1 of 4" in done.stderr.decode()


def test_the_request_beside_a_list_decides_rules(tmp_path):
    request = tmp_path / "request.json"
    turn = '[{"role":"user","parts":[{"text":"u"}]},{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]}]'
    request.write_text('{"model":"gemini-3-pro-preview"}')
    kinds = lambda *more: [v["kind"] for v in json.loads(run("check", "--json", *more, given=turn).stdout)["violations"]]
    assert kinds() == []
    assert kinds("--request", str(request)) == ["signature_missing"]
    for bad in (b"[]", b"{", b"\xff"):
        request.write_bytes(bad)
        done = run("check", "--request", str(request), given=turn)
        assert done.returncode == 2 and b"request" in done.stderr and b"Traceback" not in done.stderr
    assert run("check", "--request", str(tmp_path / "none"), given=turn).returncode == 2


def test_limits_of_a_history():
    assert run("check", "--limits", "depth=1", given=HISTORY).returncode == 4
    assert run("check", "--limits", "depth=many", given=HISTORY).returncode == 2


def test_repair_says_what_remains():
    body = json.dumps({"modelId": "m", "messages": [
        {"role": "user", "content": [{"text": "u"}]},
        {"role": "assistant", "content": [{"toolUse": {"toolUseId": "t1", "name": "f", "input": {}}}]},
        {"role": "user", "content": [{"toolResult": {"toolUseId": "t1", "content": [{"text": "r"}]}}]},
    ]})
    done = run("repair", "--format", "bedrock", given=body)
    assert done.returncode == 1 and "tool_config_missing" in done.stderr.decode()
    assert json.loads(done.stdout) == json.loads(body)
    answer = json.loads(run("repair", "--format", "bedrock", "--json", given=body).stdout)
    assert [v["kind"] for v in answer["remaining"]] == ["tool_config_missing"]


def test_histories_that_are_none_are_invalid_input():
    for command in (["check"], ["repair"], ["cut", "--messages", "3"]):
        done = run(*command, given='{"a":1}')
        assert done.returncode == 4, command
        assert "Traceback" not in done.stderr.decode()
    assert run("cut", given=HISTORY).returncode == 2
