#!/usr/bin/env bash
# Prints what README says of our own weight: the wheel with and without the tokenizers, and what an import costs.
# `make sizes`; builds two wheels into build/sizes, nothing else.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$PWD/build/sizes
python=${PYTHON:-$PWD/.venv/bin/python}

echo "haversack $(git describe --always --dirty 2>/dev/null || echo unknown), $(date -u +%Y-%m-%d), $("$python" --version), $(uname -sm)"
for tokenizers in with without; do
    features=(); [ "$tokenizers" = with ] || features=(--no-default-features)
    rm -rf "${out:?}/$tokenizers"
    (cd python && "$python" -m maturin build --quiet --locked --release "${features[@]}" --interpreter "$python" --out "$out/$tokenizers")
    "$python" -m pip install --quiet --disable-pip-version-check --no-index --no-deps --target "$out/$tokenizers/site" "$out/$tokenizers"/*.whl
    "$python" - "$tokenizers" "$out/$tokenizers" <<'END'
import glob, os, statistics, subprocess, sys, time

tokenizers, folder = sys.argv[1:]
(wheel,) = glob.glob(f"{folder}/*.whl")
native = glob.glob(f"{folder}/site/haversack/_lib*")[0]


def run(program: str) -> float:
    """Milliseconds of the fastest quarter's median: what the machine does besides only ever adds."""
    times = []
    for _ in range(40):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {folder + '/site'!r}); {program}"], check=True)
        times.append((time.perf_counter() - start) * 1e3)
    return statistics.median(sorted(times)[:10])


bare = run("pass")
imported = run("import haversack")
print(f"{tokenizers} the tokenizers: wheel {os.path.getsize(wheel) / 1e6:.2f} MB, native module {os.path.getsize(native) / 1e6:.2f} MB, "
      f"import {imported - bare:.1f} ms (interpreter alone {bare:.1f} ms)")
END
done
