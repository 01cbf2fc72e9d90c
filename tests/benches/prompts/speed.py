"""Speed of canonical JSON and of fingerprints from Python, beside what a host would use instead.

    python speed.py TOOLS      # the list of tools that `haversack-benches inputs-tools FOLDER` wrote

All peers of a row run in this process, one after the other within each round, another one first each time; a figure is the
median over the rounds, a ratio the median of the ratios of single rounds; time is processor time of the thread. Answers are
checked before anything is timed.
"""
import gc
import hashlib
import json
import statistics
import sys
import time

import canonicaljson
import jcs
import rfc8785

import haversack

ROUNDS = 15


def timed(jobs):
    """Seconds of each job, by name."""
    times = {name: [] for name, _ in jobs}
    gc.collect()
    gc.disable()
    for number in range(ROUNDS):
        at = number % len(jobs)
        for name, job in jobs[at:] + jobs[:at]:
            start = time.thread_time()
            answer = job()
            times[name].append(time.thread_time() - start)
            del answer
        gc.collect(1)
    gc.enable()
    return times


def table(title, jobs):
    print(f"{title}\n")
    times = timed(jobs)
    first = times[jobs[0][0]]
    for name, _ in jobs:
        ratio = statistics.median(a / b for a, b in zip(times[name], first))
        print(f"{name:<58}{statistics.median(times[name]) * 1000:>12.3f} ms{ratio:>9.2f} x")
    print()


def canonical(text):
    value = json.loads(text)
    wanted = rfc8785.dumps(value)
    assert wanted == jcs.canonicalize(value) == str(haversack.canonical_json(text)).encode() != text.encode()
    assert str(haversack.canonical_json(value)).encode() == wanted
    table(f"Canonical JSON (RFC 8785) of a list of tools, {len(text.encode()) / 1000:.1f} KB, from text to text; all but the last write the same bytes", [
        ("haversack, canonical_json(text)", lambda: haversack.canonical_json(text)),
        ("json.loads, rfc8785.dumps", lambda: rfc8785.dumps(json.loads(text))),
        ("json.loads, jcs.canonicalize", lambda: jcs.canonicalize(json.loads(text))),
        ("json.loads, canonicaljson (not RFC 8785)", lambda: canonicaljson.encode_canonical_json(json.loads(text))),
    ])
    table("The same from a value", [
        ("haversack, canonical_json(value)", lambda: haversack.canonical_json(value)),
        ("rfc8785.dumps(value)", lambda: rfc8785.dumps(value)),
        ("json.dumps(value, sort_keys=True) (not RFC 8785)", lambda: json.dumps(value, sort_keys=True)),
    ])


def fingerprints():
    texts = [(f"word{n} " * 200)[:1024] for n in range(200)]
    prompt = haversack.Prompt()
    for n, text in enumerate(texts):
        prompt.add(f"piece {n}", text)
    bare = [hashlib.sha256(text.encode()).hexdigest() for text in texts]
    assert [piece["sha256"] for piece in prompt.snapshot().to_dict()["pieces"]] == bare
    before, after = prompt.snapshot(), prompt.snapshot()
    table("Fingerprints of 200 pieces of 1 KiB", [
        ("haversack, a snapshot", prompt.snapshot),
        ("hashlib.sha256 in a loop", lambda: [hashlib.sha256(text.encode()).hexdigest() for text in texts]),
        ("haversack, compare two snapshots", lambda: haversack.compare(before, after)),
    ])


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        canonical(file.read())
    fingerprints()
