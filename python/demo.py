"""What a model sees of a real tool's output: a slice of 6,000 characters beside a delivery of 6,000 characters.

    python demo.py                 this workspace's own `cargo metadata`, and a real test log
    python demo.py FILE            any file
    command | python demo.py -     any pipe
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
# Python puts this folder first, and here lie the sources of the package: the installed one has the native part.
if not list((HERE / "haversack").glob("_lib*.so")):
    sys.path[:] = [p for p in sys.path if not p or Path(p).resolve() != HERE]

import argparse  # noqa: E402
import json  # noqa: E402
import os  # noqa: E402
import signal  # noqa: E402
import subprocess  # noqa: E402

import haversack  # noqa: E402
from haversack._terminal import Paint, escape, table, width  # noqa: E402

paint = Paint(sys.stdout)


def main() -> int:
    parser = argparse.ArgumentParser(description="Shows a slice beside a delivery, on real tool output.")
    parser.add_argument("file", nargs="?", help="any file, or - for standard input; by default real output of this workspace")
    parser.add_argument("--chars", type=int, default=6_000, metavar="N", help="the budget (default 6000)")
    options = parser.parse_args()
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        for title, text in given(options.file) if options.file else real(HERE.parent):
            show(title, text, options.chars)
    except OSError as error:
        print(f"{error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    print(dim("\nBoth had the same room. A record is whole when all of it is there; white space between tokens aside."))
    return 0


# ---------------------------------------------------------------- the outputs

def given(file):
    data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    yield (file if file != "-" else "standard input"), data.decode("utf-8", "replace")


def real(top):
    """This workspace's metadata, and the log of its own tests; of Python's, where those cannot be run."""
    for command in (["cargo", "metadata", "--format-version", "1", "--offline"], ["cargo", "metadata", "--format-version", "1"]):
        if text := output(command, top):
            yield " ".join(command), text
            break
    else:
        print("cargo metadata cannot be had here: give a file instead", file=sys.stderr)
    print("\ncompiling and running tests, for their log (a minute or two the first time) …", file=sys.stderr, flush=True)
    for command in (["cargo", "test", "-p", "haversack", "--lib"], [sys.executable, "-m", "unittest", "-v", "test.test_json"]):
        if text := output(command, top, both=True):
            yield " ".join(["python" if c == sys.executable else c for c in command]), text
            break


def output(command, folder, both=False):
    """What a command writes, or None when it cannot run or has nothing to say."""
    environment = {**os.environ, "CARGO_TERM_COLOR": "never"}
    errors = subprocess.STDOUT if both else subprocess.DEVNULL
    try:
        done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=errors, env=environment, check=False)
    except OSError:
        return None
    text = done.stdout.decode("utf-8", "replace")
    return text if text.strip() and (done.returncode == 0 or both) else None


# ---------------------------------------------------------------- the comparison

def show(title, text, budget):
    print(bold(f"\n{title}"))
    if len(text) <= budget:
        print(f"{len(text):,} characters fit into {budget:,}: there is nothing to cut. Give something larger.")
        return
    sliced = text[:budget]
    try:
        d = haversack.deliver(text, chars=budget)
    except haversack.HaversackError as error:
        print(f"haversack refuses: {error}")
        return
    print(f"{len(text):,} characters, read as {d.format}; room for {budget:,}\n")

    compare = compare_json if d.format == "json" else compare_lines
    rows = [["", f"text[:{budget}]", f"deliver(text, chars={budget})"], ["characters", f"{len(sliced):,}", f"{d.size:,}"]]
    rows += compare(text, sliced, d)
    head, *rest = table(rows)
    print(bold(head))
    print("\n".join(rest))
    print()
    print("\n".join(side_by_side(sliced, d.text)))
    print()
    (page_json if d.format == "json" else page_lines)(text, d, budget)


def compare_json(text, sliced, d):
    delivered = json.loads(d.text)
    rows = [["parses as JSON", yes_no(parses(sliced)), yes_no(True)]]
    for pointer in shown_lists(d):
        spans = records(text, pointer)
        in_slice = sum(end <= len(sliced) for _, end in spans)
        whole, part = whole_and_part(text, spans, rows_of(delivered, pointer))
        mine = f"{whole:,} whole" + (f", {part:,} shortened and marked" if part else "")
        rows.append([f"{escape(pointer, 40) or 'rows'}: of {len(spans):,} records", f"{in_slice:,} whole", mine])
    hidden = len([p for p in d.lists if p not in shown_lists(d)])
    if hidden:
        rows.append([f"({hidden:,} more lists)", "", ""])
    return rows + [stated(d)]


def compare_lines(text, sliced, d):
    what = "rows" if d.format in TABLES else "lines"
    whole = sum(end <= len(sliced) for _, end in lines_of(text, d.format))
    kept = f"{d.account.kept:,} whole" + (f", {d.account.shrunk:,} shortened" if d.account.shrunk else "")
    rows = [[f"of {d.account.total:,} {what}", f"{whole:,} whole", kept]]
    if d.format == "lines" and d.account.total > 1:
        last = next((line for line in reversed(text.split("\n")) if line.strip()), "")
        rows.append(["how it ended (last line)", yes_no(last in sliced.split("\n")), yes_no(last in d.text.split("\n"))])
    return [*rows, stated(d)]


TABLES = ("csv", "tsv")


def lines_of(text, format):
    """The places of the lines of a text, of a table those of its rows behind the header: `(start, end)`."""
    spans, start, at = [], 0, 0
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        at = end + 1
        # A line break in quotes is part of its row.
        if format in TABLES and text.count('"', start, end) % 2 and at < len(text):
            continue
        spans.append((start, end))
        start = at
    return spans[1:] if format in TABLES else spans


def stated(d):
    a = d.account
    parts = [f"{n:,} {what}" for n, what in ((a.omitted, "omitted"), (a.shrunk, "shortened"), (a.offloaded, "offloaded")) if n]
    return ["says what is missing", red("no"), green("yes") + f": {', '.join(parts) or 'white space only'} of {a.total:,}"]


def parses(text):
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def shown_lists(d):
    return [p for p, books in d.lists.items() if "*" not in p and books.total > 1][:10]


def records(text, pointer):
    """The places of the records of a list or map in JSON text: `(start, end)`."""
    at = start_of(text)
    for token in pointer.split("/")[1:]:
        token = token.replace("~2", "*").replace("~1", "/").replace("~0", "~")
        at = next((start for name, start, _ in members(text, at) if name == token), None)
        if at is None:
            return []
    return [(start, end) for _, start, end in members(text, at)]


_decode = json.JSONDecoder(parse_float=str, parse_int=str).raw_decode


def members(text, at):
    """`(name, start, end)` of the values in the object or array that begins at `at`."""
    kind = text[at]
    at = start_of(text, at + 1)
    number = 0
    while text[at] not in "]}":
        name = str(number)
        if kind == "{":
            name, at = _decode(text, at)
            at = start_of(text, start_of(text, at) + 1)
        end = _decode(text, at)[1]
        yield name, at, end
        number += 1
        at = start_of(text, end)
        if text[at] == ",":
            at = start_of(text, at + 1)


def start_of(text, at=0):
    while text[at : at + 1].isspace():
        at += 1
    return at


def rows_of(delivered, pointer):
    """The records of a list in delivered JSON."""
    value = delivered
    if pointer == "":
        value = delivered.get("rows", delivered) if isinstance(delivered, dict) else delivered
    for token in pointer.split("/")[1:]:
        token = token.replace("~2", "*").replace("~1", "/").replace("~0", "~")
        value = value.get(token, []) if isinstance(value, dict) else value[int(token)]
    return list(value.values()) if isinstance(value, dict) else list(value)


def whole_and_part(text, spans, delivered):
    """How many delivered records are records of the source, counted here and not by haversack; the rest are in part."""
    source = iter([json.loads(text[start:end]) for start, end in spans])
    known = list(source)
    whole, at = 0, 0
    for record in delivered:
        for i in range(at, len(known)):
            if known[i] == record:
                whole, at = whole + 1, i + 1
                break
    return whole, len(delivered) - whole


# ---------------------------------------------------------------- what it looks like

def side_by_side(left, right):
    room = max(30, (min(columns(), 140) - 3) // 2)
    lines = []
    for title, end in (("how it begins", False), ("how it ends", True)):
        lines.append(dim(f"{title:-<{room}}-+-{'':-<{room}}"))
        for a, b in zip(excerpt(left, room, end), excerpt(right, room, end), strict=True):
            lines.append(a + " " * (room - width(a)) + dim(" | ") + b)
    return lines


def excerpt(text, room, end, rows=5):
    """A few rows of a text as a terminal of that width can show it."""
    part = text[-room * rows :] if end else text[: room * rows]
    wrapped = []
    for line in part.split("\n"):
        line = escape(line, 10_000)
        wrapped += [line[i : i + room] for i in range(0, len(line), room)] or [""]
    # Wide characters take two columns: what then stands out is cut off here, not in what is delivered.
    wrapped = [line if width(line) <= room else line[: room // 2] for line in wrapped]
    wrapped = wrapped[-rows:] if end else wrapped[:rows]
    return wrapped + [""] * (rows - len(wrapped))


def page_json(text, d, budget):
    lost = [p for p in shown_lists(d) if d.lists[p].next]
    if not lost:
        return
    pointer = max(lost, key=lambda p: d.lists[p].omitted)
    spans = records(text, pointer)
    target = len(spans) - 1
    page, pages = d, 1
    while not holds(page, pointer, target):
        cursor = page.lists[pointer].next if pages == 1 else page.next
        if cursor is None:
            return
        page, pages = haversack.deliver(text, chars=budget, cursor=cursor), pages + 1
    start, end = spans[target]
    name = escape(pointer, 40) or "rows"
    print(f"Record {target:,} of {name} is on neither first page. Following next, it is on page {pages:,} ({cursor}):")
    print("  " + dim(clip(text[start:end])))


def holds(page, pointer, target):
    return any(r.list == pointer and r.start <= target < r.stop and r.action != "omit" for r in page.plan)


def page_lines(text, d, budget):
    if d.next is None:
        return
    gap = next(r for r in d.plan if r.action == "omit")
    page = haversack.deliver(text, chars=budget, cursor=d.next)
    start, end = lines_of(text, d.format)[gap.start]
    what = "Row" if d.format in TABLES else "Line"
    print(f"{what} {gap.start + 1:,} is not in the delivery. The page at its next ({d.next}) begins with it:")
    print("  " + dim(clip(page.text.split("\n", 1)[0])))
    print("  " + dim(clip(text[start:end])) + ("" if text[start:end] in page.text else red("  … but it is not there")))


def clip(text):
    return escape(" ".join(text.split()), max(40, min(columns(), 140) - 4))


def columns():
    import shutil

    return shutil.get_terminal_size((110, 24)).columns


def yes_no(good):
    return green("yes") if good else red("no")


def bold(text):
    return paint("bold", text)


def dim(text):
    return paint("dim", text)


def green(text):
    return paint("green", text)


def red(text):
    return paint("red", text)


if __name__ == "__main__":
    sys.exit(main())
