"""Executes what README.md and CONTRIBUTING.md show, and checks the facts they state against the tree.

    python tests/readme.py        # with the Python in which the wheel is installed

Every fenced block in a language runs: Python and Rust as they stand, C against the installed library, commands one
block at a time in a copy of the environment. A language whose tools are missing is skipped, and said so. Closes with
`N passed, N failed, N skipped`.
"""
import inspect
import json
import os
import re
import shutil
import subprocess
import sys
import traceback
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
WORK = TOP / "build" / "readme"
README = (TOP / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (TOP / "CONTRIBUTING.md").read_text(encoding="utf-8")
TOP_LEVEL = {"Cargo.toml", "Cargo.lock", "core", "ffi", "include", "python", "fuzz", "tests", "go", "README.md", "CHANGELOG.md",
             "CONTRIBUTING.md", "LICENSE-MIT", "LICENSE-APACHE", "Makefile", ".ci", ".gitignore", ".cargo"}
# These start this very run, or take minutes; make test and make demo are what the project's own tests call.
NOT_RUN = {"make demo", "make test"}


class Skip(Exception):
    """Cannot run on this machine."""


def run(command, **options):
    done = subprocess.run(command, cwd=TOP, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace", **options)
    assert done.returncode == 0, f"{command} ended with {done.returncode}:\n{done.stdout[-3000:]}"
    return done.stdout


def need(*tools):
    missing = [tool for tool in tools if shutil.which(tool) is None]
    if missing:
        raise Skip("missing " + ", ".join(missing))


def python_block(code):
    path = WORK / "block.py"
    path.write_text(code, encoding="utf-8")
    run([sys.executable, "-W", "error", path])


def rust_block(code):
    need("cargo")
    crate = WORK / "rust"
    (crate / "src").mkdir(parents=True, exist_ok=True)
    (crate / "src" / "main.rs").write_text(code, encoding="utf-8")
    (crate / "Cargo.toml").write_text('[package]\nname = "readme"\nversion = "0.0.0"\nedition = "2024"\n[workspace]\n[dependencies]\n'
                                      'haversack = { path = "../../../core" }\n', encoding="utf-8")
    shutil.copy(TOP / "Cargo.lock", crate / "Cargo.lock")
    out = run(["cargo", "run", "--quiet", "--offline", "--manifest-path", crate / "Cargo.toml", "--target-dir", TOP / "target" / "readme"])
    assert '"_omitted"' in out, out[:500]


def c_block(code):
    need("cc", "pkg-config", "cargo")
    prefix, source, program = WORK / "prefix", WORK / "block.c", WORK / "block"
    run(["sh", "ffi/install.sh", prefix, "--dev"])
    source.write_text(code, encoding="utf-8")
    environment = {**os.environ, "PKG_CONFIG_PATH": str(prefix / "lib" / "pkgconfig"), "LD_LIBRARY_PATH": str(prefix / "lib")}
    flags = run(["pkg-config", "--cflags", "--libs", "haversack"], env=environment).split()
    run(["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", source, "-o", program, *flags])
    assert run([program], env=environment).startswith('{"early":[{"id":1}')


def sh_block(code):
    lines = [line for line in code.strip().split("\n") if line not in NOT_RUN]
    for line in code.strip().split("\n"):
        if line in NOT_RUN:
            target(line.split()[1])
    if lines:
        environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
        # What the blocks write is written under build/.
        script = re.sub(r"(?<!/)\b(cut\.json|mended\.json|calls\.jsonl|calls\.html|run\.json|memory\.json|log\.jsonl|books\.json)", lambda name: str(WORK / name[0]), "\n".join(lines))
        run(["bash", "-euo", "pipefail", "-c", script], env=environment)


def target(name):
    makefile = (TOP / "Makefile").read_text(encoding="utf-8")
    assert re.search(rf"^{re.escape(name)}:", makefile, re.M), f"the Makefile has no {name}"


def blocks(text):
    return re.findall(r"^```(\w+)\n(.*?)^```$", text, re.M | re.S)


def crates():
    """The members of the workspace as cargo sees them, by name."""
    answer = subprocess.run(["cargo", "metadata", "--format-version", "1", "--no-deps", "--offline"], cwd=TOP, check=True,
                            capture_output=True, text=True)
    return {crate["name"]: crate for crate in json.loads(answer.stdout)["packages"]}


def rust_version():
    """Every member, README and CONTRIBUTING name one compiler."""
    named = {crate["rust_version"] for crate in crates().values()}
    stated = re.findall(r"Rust ≥ ([\d.]+)|builds with ([\d.]+)|Rust \(([\d.]+) or", README + CONTRIBUTING)
    assert len(stated) == 3 and {"".join(s) for s in stated} == named, (stated, named)


def python_version():
    pyproject = TOP / "python" / "pyproject.toml"
    wanted = re.search(r'^requires-python = ">=([\d.]+)"', pyproject.read_text(encoding="utf-8"), re.M)[1]
    stated = re.findall(r"Python ≥ ([\d.]+)|abi3 wheel for ([\d.]+)|Python \(([\d.]+) or", README + CONTRIBUTING)
    assert len(stated) == 3 and {"".join(s) for s in stated} == {wanted}, (stated, wanted)


def go_module():
    wanted = re.findall(r"^(?:module|go) (\S+)$", (TOP / "go" / "go.mod").read_text(encoding="utf-8"), re.M)
    stated = re.search(r"Go ≥ ([\d.]+).*-replace (\S+)=", README)
    assert wanted == [stated[2], stated[1]], (wanted, stated)


def abi_version():
    header = TOP / "include" / "haversack.h"
    defined = re.search(r"#define HAVERSACK_ABI_VERSION (\d+)", header.read_text(encoding="utf-8"))[1]
    assert re.search(r"`HAVERSACK_ABI_VERSION` is (\d+)", README)[1] == defined


def versions_agree():
    import haversack
    versions = {crate["version"] for crate in crates().values()}
    assert versions == {haversack.__version__}, (versions, haversack.__version__)
    heading = re.search(r"^## ([\d.]+)", (TOP / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)[1]
    assert versions == {heading}, (versions, heading)


def options_are_all_there():
    """The table of options is the signature of `deliver`, no more and no less."""
    import haversack
    table = re.search(r"<!-- options of haversack.deliver -->\n(.*?)<!-- end of options -->", README, re.S)[1]
    cells = [line.split("|")[1] for line in table.strip().split("\n")[2:]]
    stated = [name for cell in cells for name in re.findall(r"`(\w+)`", cell)]
    taken = [name for name, p in inspect.signature(haversack.deliver).parameters.items() if p.kind == p.KEYWORD_ONLY]
    assert sorted(stated) == sorted(taken), f"only stated: {set(stated) - set(taken)}, only taken: {set(taken) - set(stated)}"


def features_exist():
    features = crates()["haversack"]["features"]
    for name in re.findall(r"`(\w+)` \((?:faster|embedded)", README):
        assert name in features, name


def links_lead_somewhere():
    for name, text in (("README.md", README), ("CONTRIBUTING.md", CONTRIBUTING)):
        for link in re.findall(r"\]\(([^)#:]+)\)", text):
            assert (TOP / link).exists(), f"{name}: {link}"
        for folder in re.findall(r"`([a-z]+(?:/[a-z0-9_.]+)*/)`", text):
            assert (TOP / folder).exists(), f"{name}: {folder}"


def make_targets_exist():
    for name in re.findall(r"`make ([a-z-]+)", README + CONTRIBUTING):
        target(name)


def top_level():
    listed = run(["git", "ls-tree", "--name-only", "HEAD"]).split()
    assert set(listed) <= TOP_LEVEL, set(listed) - TOP_LEVEL
    absent = TOP_LEVEL - set(listed) - {".cargo"}
    assert not absent, f"missing: {absent}"


def exit_statuses():
    """The four of the command line, as README states them."""
    program = Path(sys.executable).parent / "haversack"
    small, bad = WORK / "small.json", WORK / "bad.json"
    small.write_text("[" + ",".join(["1234567890"] * 50) + "]", encoding="ascii")
    bad.write_text('{"a":1', encoding="ascii")
    for arguments, wanted in (([small, "--chars", "300"], 0), ([small, "--chars", "300", "--bytes", "300"], 2), ([small, "--chars", "2"], 3),
                              ([bad, "--chars", "300", "--format", "json"], 4)):
        done = subprocess.run([program, "deliver", *map(str, arguments)], capture_output=True, text=True)
        assert done.returncode == wanted, f"{arguments}: {done.returncode}, wanted {wanted}: {done.stderr[-500:]}"


def main():
    WORK.mkdir(parents=True, exist_ok=True)
    runners = {"python": python_block, "rust": rust_block, "c": c_block, "sh": sh_block}
    jobs = [(f"README, {language} block {i}", runners[language], code) for i, (language, code) in enumerate(blocks(README), 1)
            if language != "text"]  # output, not code; any other language without a runner is an error
    jobs += [(f"CONTRIBUTING, {language} block {i}", runners[language], code) for i, (language, code) in enumerate(blocks(CONTRIBUTING), 1)]
    jobs += [(check.__name__.replace("_", " "), check, None) for check in (
        rust_version, python_version, go_module, abi_version, versions_agree, options_are_all_there, features_exist, links_lead_somewhere,
        make_targets_exist, top_level, exit_statuses)]
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for name, job, code in jobs:
        try:
            job(code) if code is not None else job()
            word, why = "passed", ""
        except Skip as reason:
            word, why = "skipped", f": {reason}"
        except Exception:
            word, why = "failed", "\n" + traceback.format_exc(limit=2)
        counts[word] += 1
        print(f"{word:<8}{name}{why}", flush=True)
    print("{passed} passed, {failed} failed, {skipped} skipped".format(**counts))
    return counts["failed"] != 0


if __name__ == "__main__":
    sys.exit(main())
