"""Writes THIRD-PARTY.txt: what is built into the wheel beside haversack, with the licence of each and its notice.

    python3 python/third_party.py            # writes the file
    python3 python/third_party.py --check    # status 1 where it is not what would be written

The list is what cargo links into the extension module on Linux with its default features; the libraries of C, C++ and Go have no
more. Where a crate offers several licences its MIT notice stands here. Needs the crates' sources, as a build fetches them.
"""
import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
FILE = HERE / "THIRD-PARTY.txt"
OWN = {"haversack", "haversack-python"}
TARGET = "x86_64-unknown-linux-gnu"

HEAD = """\
Third-party notices of haversack

haversack is licensed under MIT or Apache-2.0, at your option (LICENSE-MIT, LICENSE-APACHE). Its builds contain the
following crates, and Rust's standard library (MIT OR Apache-2.0, https://github.com/rust-lang/rust). The tokenizer
vocabularies and the crates that only they need are in builds with the feature `tokens`, as the Python wheel is.
This file is written by python/third_party.py.
"""


def cargo(*arguments):
    return subprocess.run(["cargo", *arguments, "--locked", "--offline"], cwd=HERE, check=True, capture_output=True, text=True).stdout


def linked():
    """`(name, version)` of every crate in the extension module."""
    tree = cargo("tree", "-p", "haversack-python", "-e", "normal,no-proc-macro", "--target", TARGET, "--prefix", "none", "--format", "{p}")
    crates = {tuple(line.split()[:2]) for line in tree.splitlines() if line.strip()}
    return sorted((name, version.removeprefix("v")) for name, version in crates if name not in OWN)


def notices(name, folder):
    """The licence texts of a crate, each as `(file, text)`."""
    mit = sorted(folder.glob("LICENSE-MIT*")) or sorted(folder.glob("LICENSE*")) or sorted(folder.glob("COPYING*"))
    if not mit:
        raise SystemExit(f"{name} has no licence file in {folder}: add its notice by hand")
    found = [(path.name, path.read_text(encoding="utf-8")) for path in mit if path.name != "LICENSE-3RD-PARTY"]
    # Tables of Unicode.
    found += [(path.name, path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("LICENSE-UNICODE*"))]
    more = folder / "LICENSE-3RD-PARTY"
    if name == "tiktoken":      # vocabularies of others, of which OpenAI's are built in
        sections = more.read_text(encoding="utf-8").split("\n## ")
        (openai,) = [part for part in sections if part.startswith("OpenAI tiktoken")]
        found.append((more.name, openai))
    elif more.exists():
        raise SystemExit(f"{name} has notices of others: decide which of them are built in")
    return found


def written():
    packages = {(p["name"], p["version"]): p for p in json.loads(cargo("metadata", "--format-version", "1", "--filter-platform", TARGET))["packages"]}
    rows, texts = [], {}
    for name, version in linked():
        package = packages[name, version]
        rows.append((name, version, package["license"], package["repository"] or ""))
        for file, text in notices(name, Path(package["manifest_path"]).parent):
            text = "\n".join(line.rstrip() for line in text.strip().splitlines())
            texts.setdefault(text, []).append(f"{name} {version}: {file}")
    widths = [max(len(row[i]) for row in rows) for i in range(3)]
    table = ["  ".join(cell.ljust(width) for cell, width in zip(row, [*widths, 0])).rstrip() for row in rows]
    parts = [HEAD, "\n".join(table) + "\n"]
    for text, users in texts.items():
        parts.append("-" * 80 + "\n" + "\n".join(users) + "\n\n" + text + "\n")
    return "\n".join(parts)


def main(check):
    text = written()
    if not check:
        FILE.write_text(text, encoding="utf-8")
        return 0
    if not FILE.is_file() or FILE.read_text(encoding="utf-8") != text:
        print("python/THIRD-PARTY.txt is not current: python3 python/third_party.py writes it")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
