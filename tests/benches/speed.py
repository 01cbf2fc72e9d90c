"""Speed from Python: bytes in, text out, the first whole records of a root array that fit 6,000 bytes.

    python speed.py FOLDER        # the inputs that `haversack-benches inputs FOLDER` wrote

All peers of a row run in this process, one after the other within each round; a figure is the median over the rounds,
a ratio the median of the ratios of single rounds; time is processor time of the thread. Answers are checked before anything is timed.
"""
import gc
import json
import statistics
import sys
import time
from pathlib import Path

import msgspec
import orjson
import simdjson

import haversack

BUDGET = 6000
SHAPES = ("gh", "pods", "flat")
SIZES = (("6k", 400), ("1m", 21), ("10m", 5), ("100m", 3))
TOO_SLOW_AT_100M = {"json", "orjson", "pysimdjson"}     # a tree of that size takes gigabytes

raw_list = msgspec.json.Decoder(list[msgspec.Raw])
simd = simdjson.Parser()


def head(texts, total):
    """Records while they fit into `[…]`, as (text, kept, total)."""
    out, size = [], 2
    for text in texts:
        if size + len(text) + bool(out) > BUDGET:
            break
        size += len(text) + bool(out)
        out.append(text)
    return "[" + b",".join(out).decode() + "]", len(out), total


def own(data):
    d = haversack.deliver(data, bytes=BUDGET, format="json")    # under "auto" what is not JSON is delivered as lines
    return d.text, d.account.kept, d.account.total


def with_json(data):
    rows = json.loads(data)
    return head((json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() for row in rows), len(rows))


def with_orjson(data):
    rows = orjson.loads(data)
    return head((orjson.dumps(row) for row in rows), len(rows))


def with_msgspec(data):
    rows = raw_list.decode(data)
    return head((bytes(row) for row in rows), len(rows))


def with_simdjson(data):
    rows = simd.parse(data)
    return head((row.mini for row in rows), len(rows))


PEERS = [("haversack", own), ("msgspec list[Raw]", with_msgspec), ("pysimdjson", with_simdjson),
         ("orjson", with_orjson), ("json", with_json)]


def verify(name, answer, data):
    text, kept, total = answer
    rows, value = json.loads(data), json.loads(text)
    assert len(text.encode()) <= BUDGET, f"{name}: over budget"
    if isinstance(value, dict):
        assert value["total"] == len(rows) and value["omitted"] == len(rows) - kept, f"{name}: counts"
        value = value["rows"]
    assert total == len(rows) and value == rows[:kept] and kept > 0, f"{name}: not the first records"


def main(folder):
    print(f"Cut a root array to {BUDGET} bytes from Python (milliseconds; haversack against each: how many times as long)\n")
    print(f"{'input':<12}" + "".join(f"{name:>28}" for name, _ in PEERS))
    for label, rounds in SIZES:
        for shape in SHAPES:
            data = (folder / f"{shape}_{label}.json").read_bytes()
            peers = [p for p in PEERS if label != "100m" or p[0] not in TOO_SLOW_AT_100M]
            if label != "100m":
                for name, job in peers:
                    verify(name, job(data), data)
            totals = {job(data)[2] for _, job in peers}
            assert len(totals) == 1, f"{shape}_{label}: totals differ: {totals}"
            times = {name: [] for name, _ in PEERS}
            gc.collect()
            gc.disable()
            for number in range(rounds):    # another peer goes first each time
                for name, job in peers[number % len(peers):] + peers[:number % len(peers)]:
                    start = time.thread_time()
                    job(data)
                    times[name].append(time.thread_time() - start)
            gc.enable()
            print(f"{shape + '_' + label:<12}" + "".join(cell(times, name) for name, _ in PEERS), flush=True)
    print("\nA ratio below 1 is a row that the peer wins.\n")
    refusals()


def refusals():
    """What each job notices of damage behind the records it keeps: like is compared with like only where all say yes."""
    good = b"[" + b",".join(b'{"id":%d,"name":"a record of some length"}' % i for i in range(400))
    print(f"{'refuses, late in input':<26}" + "".join(f"{name:>20}" for name, _ in PEERS))
    for what, tail in (("no closing bracket", b""), ("text after the end", b"] x"), ("missing comma", b" {}]"), ("number 01", b",01]"),
                       ("escape \\x in a string", b',{"a":"\\x"}]'), ("string not UTF-8", b',{"a":"\xff"}]')):
        print(f"{what:<26}" + "".join(f"{'yes' if refuses(job, good + tail) else 'NO':>20}" for _, job in PEERS))


def refuses(job, data):
    try:
        job(data)
    except (ValueError, haversack.HaversackError):    # the errors of all peers are ValueErrors
        return True
    return False


def cell(times, name):
    if not times[name]:
        return f"{'-':>28}"
    shown = f"{statistics.median(times[name]) * 1000:.3f}"
    if name != "haversack":
        ratio = statistics.median(peer / own for peer, own in zip(times[name], times["haversack"]))
        shown += f" ({ratio:.2f} x{', peer wins' if ratio < 1 else ''})"
    return f"{shown:>28}"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
