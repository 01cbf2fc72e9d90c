"""The interpreter is free while native work runs, and threads do not disturb each other."""

import json
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import haversack
from conftest import words

ROWS = [{"id": i, "text": f"row number {i} of the list"} for i in range(2_000)]
TEXT = json.dumps(ROWS)


def test_other_threads_run_meanwhile() -> None:
    """50 MB in thread A; B must make steps between A's call and its return, in at least one of a few rounds.

    Counted, not timed: with the interpreter held all through the call, B makes no step however long it takes.
    """
    record = '{"id":123456,"text":"' + "x" * 78 + '"},'
    big = "[" + record * 500_000 + '{"id":0}]'
    assert len(big) >= 50_000_000
    started, ended, steps = threading.Event(), threading.Event(), []

    def work() -> None:
        started.set()
        haversack.deliver(big, chars=6_000)
        ended.set()

    def count() -> None:
        started.wait()
        n = 0
        while not ended.is_set():
            n += 1
            if n % 1_000 == 0:
                time.sleep(0)  # lets A have the interpreter back
        steps.append(n)

    interval = sys.getswitchinterval()
    try:
        # No forced switch: B only runs when A lets go of the interpreter.
        sys.setswitchinterval(60)
        threads = [threading.Thread(target=count), threading.Thread(target=work)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(300)
            assert not thread.is_alive()
    finally:
        sys.setswitchinterval(interval)
    assert steps and steps[0] >= 1_000


def test_eight_threads_at_once() -> None:
    def all_of_it(n: int) -> list[str]:
        budget = 500 + 100 * (n % 4)
        return [
            haversack.deliver(TEXT, chars=budget).text,
            haversack.deliver(ROWS[:300], tokens=budget, counter=words).text,
            haversack.deliver(TEXT, tokens=budget, counter="estimate").text,
            haversack.find(TEXT, "number 7", chars=budget).text,
        ]

    wanted = [all_of_it(n) for n in range(4)]
    with ThreadPoolExecutor(8) as pool:
        for n, got in enumerate(pool.map(all_of_it, range(32))):
            assert got == wanted[n % 4]


def test_a_table_is_shared() -> None:
    table = haversack.Offloads()
    logs = [f"log {n}\n" * 3_000 for n in range(64)]

    def store(n: int) -> None:
        step = table.prepare(logs[n], f"c{n}", over=100, unit="tokens", counter=words)
        assert step.action == "store" and step.key
        table.commit(step.key, f"there/{n}", counter=words)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(store, range(64)))
    assert sorted(e.call_id for e in table.entries) == sorted(f"c{n}" for n in range(64))
    assert {e.state for e in table.entries} == {"stored"}
    assert haversack.Offloads.from_json(table.to_json()).to_json() == table.to_json()


def test_what_threads_share_refuses_without_being_held() -> None:
    """An exception is built by Python code, where another thread may get its turn and come to the same object."""
    program = """
import sys, threading, haversack
sys.setswitchinterval(1e-6)
prompt, frozen, table = haversack.Prompt(), haversack.Frozen({"a": "b"}), haversack.Offloads()
ledger, memory, tally = haversack.Ledger(), haversack.Memory(), haversack.Tally()
log, index = haversack.Transcript(), haversack.TranscriptIndex()
prompt.add("a", "text")
def refused(call):
    try:
        call()
    except haversack.HaversackError:
        return
    raise AssertionError("not refused")
def work():
    for _ in range(2_000):
        refused(lambda: prompt.add("a", "text"))
        refused(lambda: prompt.add_tool("t", {}, layer="no such"))
        refused(lambda: frozen.update("no such", "text"))
        refused(lambda: frozen.text("no such"))
        refused(lambda: table.commit("no such", "there"))
        refused(lambda: ledger.record("", "text"))
        refused(lambda: ledger.append(" ", "text"))
        refused(lambda: memory.add("", source="user"))
        refused(lambda: memory.flush("no date"))
        refused(lambda: tally.add("delivery", {"total": 2, "kept": 1, "shrunk": 0, "offloaded": 0, "omitted": 0}))
        refused(lambda: log.read(1, 9))
        refused(lambda: log.resolve("message 9"))
        refused(lambda: index.range(1, 9))
        for shared in (prompt, frozen, table, ledger, memory, tally, log, index):
            repr(shared)
        len(prompt), frozen.names, len(ledger), len(memory), len(log)
threads = [threading.Thread(target=work, daemon=True) for _ in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print("over", flush=True)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert done.stdout == "over\n" and done.returncode == 0, done.stderr[-2_000:]


def test_a_payload_that_another_thread_changes() -> None:
    """It is copied before the interpreter is let go of."""
    payload = bytearray(TEXT.encode())
    wanted = haversack.deliver(TEXT, chars=700)

    def counter(text: str) -> int:
        payload[:] = b"\xff" * len(payload)
        return words(text)

    d = haversack.deliver(payload, tokens=200, counter=counter)
    assert d == haversack.deliver(TEXT, tokens=200, counter=words)
    assert haversack.deliver(TEXT, chars=700) == wanted


def test_the_interpreter_may_end_during_a_call() -> None:
    program = """
import threading, haversack
text = "[" + '{"id":1},' * 3_000_000 + "0]"
def work():
    while True:
        haversack.deliver(text, tokens=500, counter=lambda t: len(t) // 4)
for _ in range(3):
    threading.Thread(target=work, daemon=True).start()
import time; time.sleep(0.3)
print("over", flush=True)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert done.stdout == "over\n" and done.returncode == 0, done.stderr[-2_000:]
