"""Holds `help()` to the stub: the comments in src/*.rs that Python shows have to say what haversack/_lib.pyi says.

    python3 python/docs.py            # compares; status 1 where they differ
    python3 python/docs.py --write    # writes the comments from the stub; --narrow: breaks its lines above 120 columns first

The stub is the text that is edited. What has no docstring there (a name says it all) may have a comment of its own.
"""
import ast
import inspect
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
STUB = HERE / "haversack" / "_lib.pyi"


def documented():
    """The docstrings of the stub by name, members as `Class.member`."""
    found = {}

    def walk(nodes, prefix):
        for node in nodes:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                if ast.get_docstring(node) and not node.name.startswith("__"):
                    found[prefix + node.name] = inspect.cleandoc(ast.get_docstring(node, clean=False))
                if isinstance(node, ast.ClassDef):
                    walk(node.body, node.name + ".")

    walk(ast.parse(STUB.read_text(encoding="utf-8")).body, "")
    return found


def narrowed(text):
    """The stub with no line of a docstring above 120 columns: what does not fit goes to the line behind it."""
    lines, at, inside = text.split("\n"), 0, False
    while at < len(lines):
        line = lines[at]
        opens = not inside and line.lstrip().startswith('"""')
        closes = line.rstrip().endswith('"""') and not (opens and line.strip() == '"""')
        if len(line) > 120 and (inside or opens):
            indent = re.match(r"\s*", line).group()
            cut = line.rfind(" ", len(indent) + 8, 121)
            rest = line[cut + 1:]
            lines[at] = line[:cut]
            if opens and closes:
                lines[at + 1:at + 1] = [indent + rest.removesuffix('"""'), indent + '"""']
                inside = True
                at += 1
                continue
            behind = lines[at + 1]
            hang = indent + ("    " if re.match(r"\s*\w[\w, ]*: ", line) else "")
            goes_on = behind.startswith(hang) and behind[len(hang):len(hang) + 1].strip() and behind.strip() != '"""'
            if goes_on and not re.match(r"\s*(?:\w[\w, ]*:|>>>)", behind):
                lines[at + 1] = f"{hang}{rest} {behind.strip()}"
            else:
                lines.insert(at + 1, hang + rest)
            inside = True
            at += 1
            continue
        inside = (inside or opens) and not closes
        at += 1
    return "\n".join(lines)


def comments(lines):
    """`(name, first, last, place)` of every item that Python sees: its comment is `lines[first:last]`, and one that is
    missing goes to `place`."""
    doc, attributes, owner, fields, all_fields = None, "", None, False, False
    place = depth = 0
    for at, line in enumerate(lines):
        text = line.strip()
        if depth > 0 or text.startswith("#["):                  # an attribute, over several lines at times
            if not attributes and doc is None:
                place = at
            attributes += text
            depth += text.count("[") + text.count("(") - text.count("]") - text.count(")")
            continue
        if text.startswith("///"):
            doc = (doc[0] if doc else at, at + 1)
            continue
        name = None
        if line == "}":
            owner, fields = None, False
        elif match := re.match(r"(?:pub\(crate\) )?struct (\w+)(.*)", line):
            if "pyclass" in attributes:
                name, owner = match[1], match[1]
                fields, all_fields = match[2].endswith("{"), "get_all" in attributes
                owner = owner if match[2].endswith("{") else None
        elif (match := re.match(r"impl (\w+) \{$", line)) and "pymethods" in attributes:
            owner, fields = match[1], False
        elif match := re.match(r"(    )?(?:pub\(crate\) )?fn (\w+)", line):
            if match[1] is None and "pyfunction" in attributes:
                name = match[2]
            elif match[1] and owner and not fields:
                name = f"{owner}.{match[2]}"
        elif fields and (match := re.match(r"    (?:pub\(crate\) )?(\w+): .*,$", line)):
            if all_fields or "pyo3(get" in attributes:
                name = f"{owner}.{match[1]}"
        if name:
            first, last = doc or (None, None)
            yield name, first, last, place if attributes and not doc else at
        doc, attributes = None, ""


def main(write, narrow):
    stub = STUB.read_text(encoding="utf-8")
    if narrow:
        STUB.write_text(narrowed(stub), encoding="utf-8")
    due, seen, differ = documented(), set(), 0
    for path in sorted((HERE / "src").glob("*.rs")):
        lines = path.read_text(encoding="utf-8").split("\n")
        edits = []
        for name, first, last, place in comments(lines):
            seen.add(name)
            said = [re.sub(r"^\s*/// ?", "", line) for line in lines[first:last]] if first is not None else []
            if name in due and said != due[name].split("\n"):
                indent = "    " if "." in name else ""
                new = [f"{indent}/// {line}".rstrip() for line in due[name].split("\n")]
                edits.append((first if first is not None else place, last if first is not None else place, new))
                if not write:
                    print(f"{path.relative_to(HERE)}: the comment of {name} is not what the stub says")
        differ += len(edits)
        for first, last, new in reversed(edits):
            lines[first:last] = new
        if edits and write:
            path.write_text("\n".join(lines), encoding="utf-8")
    unseen = sorted(set(due) - seen)
    if unseen:
        print("in the stub and not found in src:", ", ".join(unseen))
    print(f"{len(due)} docstrings, {differ} {'written' if write else 'differ'}")
    return bool(unseen) or bool(differ) and not write


if __name__ == "__main__":
    sys.exit(main("--write" in sys.argv[1:], "--narrow" in sys.argv[1:]))
