"""The weight of `import haversack`: modules, counted and not timed."""

import subprocess
import sys

# Everything that importing haversack may bring beside itself: `from __future__` is all.
ALLOWED = {"__future__"}


def test_it_imports_nothing_but_itself() -> None:
    program = "import sys; before = set(sys.modules); import haversack; print(*sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True)
    imported = set(done.stdout.split())
    assert {name for name in imported if name.partition(".")[0] != "haversack"} <= ALLOWED
    assert "haversack.cli" not in imported and "haversack._types" not in imported


def test_everything_public_is_listed() -> None:
    import haversack

    public = {name for name, value in vars(haversack).items() if not name.startswith("_") and type(value).__name__ != "module"}
    later = {"convert", "Counter", "Limits", "Payload"}
    no_names = {"annotations", "TYPE_CHECKING"}
    assert public - no_names | later | {"__version__", "readback"} == set(haversack.__all__)
    assert set(haversack.__all__) <= set(dir(haversack))
    for name in haversack.__all__:
        thing = getattr(haversack, name)
        assert name in ("__version__", "Counter", "Payload") or thing.__doc__, f"{name} has no documentation"


def test_converters_and_types_are_there_when_they_are_asked_for() -> None:
    program = (
        "import haversack, sys; before = set(sys.modules)\n"
        "assert 'haversack.convert' not in before and 'haversack._types' not in before\n"
        "haversack.convert.langchain; haversack.Limits(depth=3); haversack.Counter; haversack.Payload\n"
        "from haversack import convert, Limits\n"
        "from haversack import *\n"
        "assert not hasattr(haversack, 'converters')"
    )
    done = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
