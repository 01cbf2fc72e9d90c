"""Runs every test in every language, cheap ones first, and counts what really ran.

    python3 tests/all.py [--only WORD]… [--list]

Each step is a command that says how it went by its exit status (77: cannot run on this machine) and, where it runs
more than one test, by the closing lines of its runner. A step that promises tests and ran none has failed. The output
of each step goes to the terminal and to build/logs/STEP.log; the counts go to build/logs/totals.

A Rust test that lacks what it needs (real data, for one) cannot tell its runner, which counts it as passed. It says
`SKIPPED TEST name: why` on a line of its own, and is moved from passed to skipped for it.
"""
import argparse
import os
import re
import subprocess
import sys
import time
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
LOGS = TOP / "build" / "logs"
CANNOT_RUN = 77

# Name, command, and whether it must report at least one test of its own.
STEPS = [
    ("format", "make -s fmt-check", False),
    ("clippy", "make -s clippy", False),
    ("core", "cargo test --locked --no-fail-fast -p haversack --all-features", True),
    ("core-default", "cargo test --locked --no-fail-fast -p haversack --lib", True),
    ("ffi", "cargo test --locked --no-fail-fast -p haversack-ffi --all-features", True),
    ("laws", "cargo test --locked --no-fail-fast -p haversack-tests", True),
    ("doc", "make -s doc", False),
    ("header", "make -s header-check", False),
    ("c", "bash tests/c/run.sh", True),
    ("cpp", "bash tests/cpp/run.sh", True),
    ("go", "bash go/run.sh", True),
    ("python", "make -s test-python", True),
    ("readme", "make -s test-readme", True),
    ("no_std", "bash tests/no_std/run.sh", True),
    ("msrv", "bash tests/msrv.sh", False),
    ("targets", "bash tests/targets.sh", True),
    ("linear", "sh tests/linear.sh", False),
]

CARGO = re.compile(r"^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored;")
PLAIN = re.compile(r"^(?:\w+: )?(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$")
GO = re.compile(r"^--- (PASS|FAIL|SKIP): ")
PYTEST = re.compile(r"^=*\s*((?:\d+ \w+, )*\d+ \w+) in [\d.]+s\b")
SKIPPED_TEST = re.compile(r"^SKIPPED TEST (\w+): ")
PYTEST_WORDS = {"passed": 0, "xfailed": 0, "failed": 1, "error": 1, "errors": 1, "xpassed": 1, "skipped": 2}


def count_line(line, counts):
    """Adds what a closing line of a test runner reports to `counts` (passed, failed, skipped)."""
    if match := CARGO.match(line) or PLAIN.match(line):
        for i, number in enumerate(match.groups()):
            counts[i] += int(number or 0)
    elif SKIPPED_TEST.match(line):
        counts[0] -= 1
        counts[2] += 1
    elif match := GO.match(line):
        counts[("PASS", "FAIL", "SKIP").index(match[1])] += 1
    elif match := PYTEST.match(line):
        for part in match[1].split(", "):
            number, word = part.split()
            if word in PYTEST_WORDS:
                counts[PYTEST_WORDS[word]] += int(number)


def run(name, command):
    """The exit status of `command` and the tests its output reports."""
    counts = [0, 0, 0]
    with open(LOGS / f"{name}.log", "w", encoding="utf-8") as log:
        process = subprocess.Popen(command, shell=True, cwd=TOP, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True, errors="replace")
        for line in process.stdout:
            sys.stdout.write(line)
            sys.stdout.flush()
            log.write(line)
            count_line(re.sub(r"\x1b\[[0-9;]*m", "", line.rstrip("\n")), counts)
        return process.wait(), counts


def judge(status, counts, promises_tests):
    """The counts of a step, and a word for how it went."""
    if status == CANNOT_RUN:
        return [counts[0], counts[1], max(counts[2], 1)], "SKIPPED"
    if status != 0:
        return [counts[0], max(counts[1], 1), counts[2]], f"FAILED (exit {status})"
    if counts[1]:
        return counts, "FAILED (its runner hid it)"
    if sum(counts):
        return counts, "ok"
    return ([0, 1, 0], "FAILED (ran no test)") if promises_tests else ([1, 0, 0], "ok")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", action="append", metavar="WORD", help="steps with WORD in their name")
    parser.add_argument("--list", action="store_true", help="print the steps and stop")
    options = parser.parse_args()
    steps = [step for step in STEPS if not options.only or any(word in step[0] for word in options.only)]
    if options.list:
        for name, command, _ in steps:
            print(f"{name:<14}{command}")
        return 0
    LOGS.mkdir(parents=True, exist_ok=True)
    rows, totals = [], [0, 0, 0]
    for name, command, promises_tests in steps:
        print(f"\n===== {name}: {command}", flush=True)
        start = time.monotonic()
        counts, word = judge(*run(name, command), promises_tests)
        rows.append((name, counts, word, time.monotonic() - start))
        totals = [a + b for a, b in zip(totals, counts)]

    print(f"\n{'step':<14}{'passed':>8}{'failed':>8}{'skipped':>9}{'seconds':>9}")
    for name, counts, word, seconds in rows:
        print(f"{name:<14}{counts[0]:>8}{counts[1]:>8}{counts[2]:>9}{seconds:>9.0f}  {word}")
    for name, counts, _, _ in rows:
        if counts[2]:
            print(f"!!! {name}: {counts[2]} skipped, see build/logs/{name}.log")
    (LOGS / "totals").write_text("%d %d %d\n" % tuple(totals), encoding="ascii")
    print("{} passed, {} failed, {} skipped".format(*totals) if totals[2] else "{} passed, {} failed".format(*totals))
    return 1 if totals[1] or not totals[0] else 0


if __name__ == "__main__":
    os.environ.setdefault("CARGO_TERM_COLOR", "never")
    os.environ.setdefault("HAVERSACK_FEATURES", "tokens")    # what the C, C++ and Go libraries are built with
    sys.exit(main())
