"""Counts every text of a folder with OpenAI's own `tiktoken`, for the comparison and for the shared vectors.

    python reference.py CORPUS > reference.tsv             one line a file: path, o200k_base, cl100k_base
    python reference.py --vectors CASES.json > count.json  fills in `expect` of cases
    python reference.py --speed CORPUS                     its own speed on the texts of the comparison

`tiktoken` takes its vocabularies from TIKTOKEN_CACHE_DIR, one file each, named by the SHA-1 of its address, and
checks their SHA-256 itself; the crate `tiktoken-rs` ships both files unchanged in `assets/`.
"""

import json
import pathlib
import sys
import time

import tiktoken

ENCODINGS = {name: tiktoken.get_encoding(name) for name in ("o200k_base", "cl100k_base")}


def count(name, text):
    """Tokens of `text`; special tokens in it are ordinary text."""
    return len(ENCODINGS[name].encode_ordinary(text))


def table(corpus):
    for path in sorted(p for p in corpus.rglob("*") if p.is_file()):
        try:
            text = path.read_bytes().decode("utf-8")
        except UnicodeDecodeError:
            continue
        print(path.relative_to(corpus), *(count(name, text) for name in ENCODINGS), sep="\t")


def built(value):
    """The text that an `input` of the shared vectors stands for."""
    if isinstance(value, str):
        return value
    if "repeat" in value:
        return value["repeat"] * value["times"]
    if "hex" in value:
        return bytes.fromhex(value["hex"]).decode("utf-8")
    if "concat" in value:
        return "".join(map(built, value["concat"]))
    rows = value["join"].join(value["template"].replace("$i", str(i)) for i in range(value["rows"]))
    return value["before"] + rows + value["after"]


def vectors(path):
    cases = json.loads(path.read_text("utf-8"))
    for case in cases:
        case["expect"] = {"count": count(case["counter"], built(case["input"]))}
    print("[\n" + ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases) + "\n]")


def speed(corpus):
    for name in ENCODINGS:
        for folder, limit in (("tool-outputs/json", 40), ("tool-outputs/log", 40), ("transcripts/openai-chat", 60)):
            texts = []
            for path in sorted((corpus / folder).iterdir()):
                try:
                    texts.append(path.read_bytes().decode("utf-8"))
                except UnicodeDecodeError:
                    continue
            texts = texts[:limit]
            size = sum(len(text.encode()) for text in texts)
            rates = []
            for _ in range(4):
                start = time.process_time()
                for text in texts:
                    count(name, text)
                rates.append(size / 1e6 / (time.process_time() - start))
            print(f"{name}: {folder} cold {rates[0]:.1f} warm {max(rates[1:]):.1f} MB/s")


if __name__ == "__main__":
    if sys.argv[1] == "--vectors":
        vectors(pathlib.Path(sys.argv[2]))
    elif sys.argv[1] == "--speed":
        speed(pathlib.Path(sys.argv[2]))
    else:
        table(pathlib.Path(sys.argv[1]))
