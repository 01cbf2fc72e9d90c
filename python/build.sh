#!/usr/bin/env bash
# Builds the wheel and installs it into a virtual environment: `python/build.sh [DIR]`, .venv at the root by default.
# PROFILE=dev builds quickly, and for tests only.
set -euo pipefail
cd "$(dirname "$0")"
mkdir -p "${1:-../.venv}"
venv=$(cd "${1:-../.venv}" && pwd)
maturin="maturin==1.16.0"

[ -x "$venv/bin/python" ] || "${PYTHON:-python3}" -m venv "$venv"
python=$venv/bin/python
"$python" -m pip --version >/dev/null
"$python" -m pip install --quiet --disable-pip-version-check "$maturin"

rm -f dist/haversack-*.whl
"$python" -m maturin build --quiet --locked --profile "${PROFILE:-release}" --interpreter "$python" --out dist
"$python" -m pip install --quiet --disable-pip-version-check --no-index --no-deps --force-reinstall dist/haversack-*.whl
cd "$venv" # not here, where the sources would be imported
"$python" - <<'END'
import haversack, os
built = haversack._lib.__file__
print(f"haversack {haversack.__version__} is in {os.path.dirname(built)} ({os.path.getsize(built) / 1e6:.1f} MB native)")
END
