"""What survives the cap, list by list: haversack beside other ways to shorten a tool result.

    python cap.py [NODE_FOLDER]   # where truncate-json is installed; without it that peer is left out, and said so

The payload is 33,370 characters of compact JSON: 118 early records of 198 characters, a filler field, 128 late records
of 74. Every peer gets 6,000 characters, in its own unit. Peers that count tokens and find no tokenizer take four
characters for one, so they get 1,500. The prefix slice is checked first: it must leave 30 of 118 and 0 of 128 records,
and 0 and 79 with the keys reversed.

A record is *whole* if its text stands in the delivered text; *altered* if its id does and the record does not, or if a
record is there that the input does not have. *Says so* counts the lists that lost records and whose total or
number of missing records stands in the text.
"""
import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path

import haversack
from llmslim._tool_output import shorten_tool_output
from tooltrim import ToolCompressor

CHARS, TOKENS = 6000, 1500
SIZE, EARLY, LATE = 33_370, (118, 198), (128, 74)
HERE = Path(__file__).resolve().parent


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def uniform(kind, number, width):
    bare = compact({"id": f"{kind}{number:04d}", "text": ""})
    return bare[:-2] + chr(ord("a") + number % 26) * (width - len(bare)) + '"}'


def natural(kind, number, width):
    """A record of random-looking ids, paths and numbers; deterministic."""
    digest = hashlib.sha256(f"{kind}{number}".encode()).hexdigest()
    value = {"id": f"{kind}{number:04d}", "sha": digest[:12], "at": int(digest[:13], 16), "share": 1.5, "path": ""}
    value["path"] = f"src/{digest[12:20]}/" + "part/" * 40
    value["path"] = value["path"][: max(1, width - len(compact(value)) + len(value["path"]))]
    return compact(value)


def payload(record, shapes, size=None, reverse=False):
    """An object of lists, `{name: [records]}`, with a filler after the first list up to `size` characters."""
    lists = {name: [record(name[0], i, width) for i in range(count)] for name, (count, width) in shapes.items()}
    members = [f'"{name}":[{",".join(rows)}]' for name, rows in lists.items()]
    if size:
        room = size - len("{" + ",".join(members) + "}") - len(',"filler":""')
        members.insert(1, '"filler":"' + "x" * room + '"')
    return "{" + ",".join(members[::-1] if reverse else members) + "}", lists


class Verdict:
    """What a delivered text holds of the input's lists."""

    def __init__(self, lists, text):
        self.whole = {name: [row in text for row in rows] for name, rows in lists.items()}
        ids = {json.loads(row)["id"]: row for rows in lists.values() for row in rows}
        self.altered = sum(f'"{key}"' in text and row not in text for key, row in ids.items())
        self.altered += sum(key not in ids for key in re.findall(r'"id":\s*"([^"]*)"', text))
        try:
            json.loads(text)
            self.parses = True
        except ValueError:
            self.parses = False
        numbers = {int(n) for n in re.findall(r"(?<![\w.])\d{1,9}(?![\w.])", text)}
        cut = {name: kept for name, kept in self.whole.items() if not all(kept)}
        self.cut = len(cut)
        self.said = sum(len(kept) in numbers or len(kept) - sum(kept) in numbers for kept in cut.values())

    def kept(self):
        return "  ".join(f"{sum(kept)}/{len(kept)}" for kept in self.whole.values())


def peers(node):
    """Name, unit of the budget, budget, and text in, (text out, size in that unit) out."""
    yield "haversack", "chars", CHARS, lambda text: with_size(haversack.deliver(text, chars=CHARS).text, len)
    yield "prefix slice", "chars", CHARS, lambda text: with_size(text[:CHARS], len)
    four = lambda text: (len(text) + 3) // 4    # noqa: E731  both packages' own fallback count
    trim, bare = ToolCompressor(max_tokens=TOKENS), ToolCompressor(max_tokens=TOKENS, add_footer=False)
    yield "tooltrim", "tokens", TOKENS, lambda text: with_size(trim.compress(text).text, four)
    yield "tooltrim, no footer", "tokens", TOKENS, lambda text: with_size(bare.compress(text).text, four)
    yield "llmslim (compress_json)", "tokens", TOKENS, lambda text: with_size(slim(text), four)
    if node:
        yield "truncate-json", "bytes", CHARS, lambda text: with_size(node(text), lambda t: len(t.encode()))


def with_size(text, measure):
    return text, measure(text)


def slim(text):
    answer = shorten_tool_output(text, compress_json=True, min_tokens=TOKENS, keep_ratio=0.0, min_keep=TOKENS)
    return answer[0] if answer else text


class Node:
    """truncate-json behind a pipe."""

    def __init__(self, folder):
        script = folder / "truncate_json.mjs"
        script.write_text((HERE / "truncate_json.mjs").read_text())    # modules are looked for beside the script
        self.process = subprocess.Popen(["node", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __call__(self, text):
        self.process.stdin.write(json.dumps({"text": text, "bytes": CHARS}) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())["text"]


def anchor():
    shapes = {"early": EARLY, "late": LATE}
    for reverse, wanted in ((False, [30, 0]), (True, [0, 79])):
        text, lists = payload(uniform, shapes, SIZE, reverse)
        assert len(text) == SIZE, len(text)
        verdict = Verdict(lists, text[:CHARS])
        assert [sum(kept) for kept in verdict.whole.values()] == wanted and not verdict.parses, verdict.whole


def main():
    anchor()
    node = Node(Path(sys.argv[1])) if len(sys.argv) > 1 else None
    two, three = {"early": EARLY, "late": LATE}, {"early": (60, 198), "middle": (60, 150), "late": (60, 74)}
    inputs = [("two lists, the experiment's payload", uniform, two, SIZE), ("two lists, natural records", natural, two, None),
              ("three lists, natural records", natural, three, None)]
    failures = 0
    for title, record, shapes, size in inputs:
        (text, lists), (turned, _) = payload(record, shapes, size), payload(record, shapes, size, reverse=True)
        print(f"\n{title}: {len(text)} characters, {' and '.join(f'{len(r)} {n}' for n, r in lists.items())}")
        print(f"{'':<26}{'size':>6} {'of budget':<14}{'whole records':<24}{'keys reversed':<24}{'altered':>8}{'parses':>8}  says so")
        for name, unit, budget, job in peers(node):
            (out, used), (back, _) = job(text), job(turned)
            verdict, reverse = Verdict(lists, out), Verdict(lists, back)
            same = verdict.whole == reverse.whole
            print(f"{name:<26}{used:>6} {f'of {budget} {unit}':<14}{verdict.kept():<24}"
                  f"{'the same' if same else reverse.kept():<24}{verdict.altered:>8}{'yes' if verdict.parses else 'no':>8}"
                  f"  {verdict.said} of {verdict.cut} lists{'' if used <= budget else '  OVER BUDGET'}")
            if name == "haversack":
                failures += not (same and verdict.parses and verdict.altered == 0 and used <= budget and verdict.said == verdict.cut)
                failures += used < 0.97 * budget
    if node is None:
        print("\n!!! truncate-json was left out: npm could not install it")
    print("\nllmslim keeps every item's short fields by design, not whole records, and leaves JSON alone by default;"
          "\ntruncate-json tells its caller what it left out, not the reader of the text.")
    return failures


if __name__ == "__main__":
    sys.exit(main() != 0)
