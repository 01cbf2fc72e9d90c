"""Speed of check and cut, from text and from Python objects, beside what a host would use instead.

    python speed.py

A history of 5,000 messages and 2.6 MB is read from its text, judged and cut to a tenth; beside it stands what it takes
to parse the same text and do nothing with it. Then it is cut from Python objects, beside the trimmers of two libraries
on objects of their own. All peers of a row run in this process, one after the other within each round, another one
first each time; a figure is the median over the rounds, a ratio the median of the ratios of single rounds; time is
processor time of the thread. Answers are checked before anything is timed.
"""
import gc
import json
import statistics
import sys
import time

import orjson

import haversack
import inputs
import peers

MESSAGES, BYTES = 5_000, 2_600_000
ROUNDS = 21


def text_of(messages):
    turns = inputs.long(messages)
    listed, _ = inputs.written(turns, "openai_chat")
    assert len(listed) == messages, len(listed)
    return peers.compact(listed)


def timed(jobs, rounds):
    """Seconds of each job, by name, in `rounds` rounds."""
    times = {name: [] for name, _ in jobs}
    gc.collect()
    gc.disable()
    for number in range(rounds):
        at = number % len(jobs)
        for name, job in jobs[at:] + jobs[:at]:
            start = time.thread_time()
            answer = job()
            times[name].append(time.thread_time() - start)
            del answer
        gc.collect(1)
    gc.enable()
    return times


def ratio(over, under):
    return statistics.median(a / b for a, b in zip(over, under))


def milliseconds(times):
    return f"{statistics.median(times) * 1000:>10.2f} ms"


def check_and_cut(text, **keep):
    history = haversack.History(text)
    # OpenAI Chat takes 2,048 messages: that a cut is wanted is the one thing to be found.
    assert {v.kind for v in history.violations(sending=True)} <= {"too_many_messages"}
    return history.cut(**keep)


def from_text():
    text = text_of(MESSAGES)
    data = text.encode()
    tenth = len(data) // 10
    cut = check_and_cut(data, keep_bytes=tenth)
    assert 0.9 * tenth < len(cut.text.encode()) <= tenth and not haversack.History(cut.text).violations(sending=True)
    print(f"From text: {MESSAGES} OpenAI Chat messages, {len(data) / 1e6:.2f} MB; kept {len(cut.kept)}\n")
    jobs = [
        ("json.loads", lambda: json.loads(data)),
        ("orjson.loads", lambda: orjson.loads(data)),
        ("haversack, parse", lambda: haversack.History(data)),
        ("haversack, parse + check", lambda: haversack.History(data).violations(sending=True)),
        ("haversack, parse + check + cut to bytes", lambda: check_and_cut(data, keep_bytes=tenth)),
        ("  and the text of the cut", lambda: check_and_cut(data, keep_bytes=tenth).text),
        ("haversack, … to estimated tokens", lambda: check_and_cut(data, keep_tokens=tenth // 4, counter="estimate")),
    ]
    times = timed(jobs, ROUNDS)
    print(f"{'':<44}{'':>13}{'of json.loads':>16}{'of orjson.loads':>18}")
    for name, _ in jobs:
        print(f"{name:<44}{milliseconds(times[name])}{ratio(times[name], times['json.loads']):>14.2f} x"
              f"{ratio(times[name], times['orjson.loads']):>16.2f} x")
    return ratio(times["haversack, parse + check + cut to bytes"], times["json.loads"])


def growth():
    small, large = text_of(MESSAGES // 10).encode(), text_of(MESSAGES).encode()
    jobs = [(str(len(data)), lambda data=data: check_and_cut(data, keep_bytes=len(data) // 10)) for data in (small, large)]
    times = timed(jobs, ROUNDS)
    grown = ratio(times[jobs[1][0]], times[jobs[0][0]])
    print(f"\n{MESSAGES} messages take {grown:.1f} x the time of {MESSAGES // 10} ({len(large) / len(small):.1f} x the bytes)")
    return grown * len(small) / len(large)


def from_objects():
    messages = json.loads(text_of(MESSAGES))
    own, chain, lite = peers.Haversack("openai_chat", "tokens"), peers.LangChain("tokens", True), peers.LiteLLM()
    budget = own.size(messages) // 10
    converted = chain.api.convert_to_messages(messages)
    limit = chain.size(messages) // 10
    trim = chain.api.trim_messages

    def cut():
        return haversack.History(messages).cut(keep_tokens=budget, counter="estimate").messages

    assert 0 < own.size(cut()) <= budget
    jobs = [
        ("haversack, dicts in, dicts out", cut),
        ("  and the size of what was dropped", lambda: haversack.History(messages).cut(keep_tokens=budget, counter="estimate").size_before),
        ("  reading the dicts alone", lambda: haversack.History(messages)),
        ("orjson.dumps of the dicts, nothing else", lambda: orjson.dumps(messages)),
        ("langchain-core, its own objects", lambda: trim(converted, max_tokens=limit, token_counter="approximate", **chain.options)),
        ("langchain-core, dicts in, dicts out", lambda: chain.trim(messages, limit)),
    ]
    times = timed(jobs, 7)
    print(f"\nFrom Python objects, to a tenth of the tokens, each by its own estimate\n\n{'':<44}{'':>13}{'of haversack':>16}")
    for name, _ in jobs:
        print(f"{name:<44}{milliseconds(times[name])}{ratio(times[name], times[jobs[0][0]]):>14.2f} x")
    peer = ratio(times["langchain-core, its own objects"], times[jobs[0][0]])
    few = messages[:500]
    wanted = lite.size(few) // 10
    jobs = [("haversack", lambda: haversack.History(few).cut(keep_tokens=wanted, counter="cl100k_base").messages),
            ("litellm", lambda: lite.trim(few, wanted))]
    times = timed(jobs, 3)
    print("\nThe first 500 messages alone, exact tokens (cl100k_base; litellm's default tokenizer is of that size)\n")
    for name, _ in jobs:
        print(f"{name:<44}{milliseconds(times[name])}{ratio(times[name], times['haversack']):>14.2f} x")
    return peer


if __name__ == "__main__":
    shared, growing = from_text(), growth()
    peer = from_objects()
    print(f"\nGoals: at most 0.50 x json.loads ({'met' if shared <= 0.5 else 'NOT MET'}: {shared:.2f}); "
          f"ten times the messages at most 11 x the time ({'met' if growing <= 1.1 else 'NOT MET'}: {10 * growing:.1f}, per byte); "
          f"from dicts at least 10 x langchain-core on its own objects ({'met' if peer >= 10 else 'NOT MET'}: {peer:.1f})")
    sys.exit(0)
