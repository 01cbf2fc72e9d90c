#!/usr/bin/env bash
# The benchmark tables of histories, with versions and date. Peers are installed under build/bench/histories and nowhere
# else (some hundred MB). Needs a wheel in python/dist, as `make bench` builds it.
set -euo pipefail
cd "$(dirname "$0")/../../.."
here=tests/benches/histories
venv=$PWD/build/bench/histories
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements.txt"
"$venv/bin/pip" install --quiet --disable-pip-version-check --force-reinstall --no-deps "$(ls -t python/dist/*.whl | head -1)"

echo "haversack $(git describe --always --dirty 2>/dev/null || echo unknown), $(date -u +%Y-%m-%d), $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1), $(nproc) cores, $(uname -sm)"
echo "$("$venv/bin/python" --version): $(grep -v '^#' "$here/requirements.txt" | tr '\n' ' ')"
echo; echo "== Histories, speed"; "$venv/bin/python" "$here/speed.py"
echo; echo "== Histories, what a trimmer leaves"; "$venv/bin/python" "$here/fidelity.py"
