"""Comments have at most 120 columns: formatters bound code and leave them alone.

    python3 tests/comments.py            # names what is longer; status 1
    python3 tests/comments.py --write    # breaks them, and leaves the rest as it is; then `make header`

Whole-line comments of Rust, C, C++, Go, Python and shell. Tables, code in documentation, what examples print and words that are longer than a line
(addresses) stay as they are. include/haversack.h is made from ffi/src, and what Python shows from its stub (python/docs.py): these are
only looked at.
"""
import re
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
WIDTH = 120
SLASHES = r"\s*//[/!]? ?"
STARS = SLASHES + r"|\s*\* ?"
PREFIX = {"rs": SLASHES, "go": SLASHES, "cpp": SLASHES, "hpp": SLASHES, "c": STARS, "h": STARS, "py": r"\s*# ?", "sh": r"\s*# ?"}
GENERATED = re.compile(r"include/haversack\.h$|python/src/")


def sources():
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=TOP, check=True, capture_output=True, text=True)
    for name in listed.stdout.splitlines():
        kind = name.rpartition(".")[2]
        if kind in PREFIX and (TOP / name).is_file() and not (TOP / name).is_symlink():
            yield name, re.compile(PREFIX[kind])


def starts_anew(text):
    """Whether a line of a comment is no continuation of the one before."""
    return not text.strip() or re.match(r"\s*(?:[-*|#>]|\d+\.|```|<|!\[)|\s{2,}|SAFETY|Errors\b", text) is not None


def long_comments(lines, prefix):
    """The places of comments that are too long and can be broken."""
    fenced = False
    for at, line in enumerate(lines):
        match = prefix.match(line)
        if match is None or line.startswith("#!"):
            fenced = False
            continue
        text = line[match.end():]
        if text.lstrip().startswith("```"):
            fenced = not fenced
        fenced = fenced or text.startswith("Output:")    # what an example of Go must print
        if len(line) > WIDTH and not fenced and not text.lstrip().startswith("|") and " " in line[match.end() + 1:WIDTH + 1].rstrip():
            yield at


def broken(lines, prefix):
    """The same lines, none too long: what does not fit goes in front of the line behind it where that goes on, or is a line."""
    lines = list(lines)
    while (at := next(long_comments(lines, prefix), None)) is not None:
        head = prefix.match(lines[at]).group()
        body = lines[at][len(head):]
        item = re.match(r"(?:- |\* |\d+\. )?\s*", body).group()
        cut = lines[at].rfind(" ", len(head) + len(item) + 1, WIDTH + 1)
        if cut < 0:
            break
        rest = lines[at][cut + 1:]
        lines[at] = lines[at][:cut].rstrip()
        behind = prefix.match(lines[at + 1]) if at + 1 < len(lines) else None
        indent = " " * len(item)
        if behind and behind.group() == head:
            next_body = lines[at + 1][len(head):]
            goes_on = next_body.startswith(indent) and not starts_anew(next_body[len(indent):])
            if goes_on:
                lines[at + 1] = head + indent + rest + " " + next_body[len(indent):]
                continue
        lines.insert(at + 1, head + indent + rest)
    return lines


def main(arguments):
    write, only = "--write" in arguments, [a for a in arguments if not a.startswith("--")]
    found = 0
    for name, prefix in sources():
        if only and name not in only:
            continue
        lines = (TOP / name).read_text(encoding="utf-8").split("\n")
        places = list(long_comments(lines, prefix))
        if places and write and not GENERATED.match(name):
            lines = broken(lines, prefix)
            (TOP / name).write_text("\n".join(lines), encoding="utf-8")
            places = list(long_comments(lines, prefix))
        for at in places:
            print(f"{name}:{at + 1}: a comment of {len(lines[at])} columns: python3 tests/comments.py --write breaks it")
        found += len(places)
    return found != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
