#!/usr/bin/env bash
# The benchmark tables of prompts, with versions and date. Peers are installed under build/bench/prompts and nowhere
# else. Needs a wheel in python/dist, as `make bench` builds it. HAVERSACK_CORPUS adds the recorded requests.
set -euo pipefail
cd "$(dirname "$0")/../../.."
here=tests/benches/prompts
bench=$PWD/build/bench
venv=$bench/prompts
mkdir -p "$bench/inputs"
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements.txt"
"$venv/bin/pip" install --quiet --disable-pip-version-check --force-reinstall --no-deps "$(ls -t python/dist/*.whl | head -1)"
cp Cargo.lock tests/benches/Cargo.lock   # the workspace's versions; cargo adds the peers
cargo build --release --quiet --manifest-path tests/benches/Cargo.toml --target-dir target/benches
program=target/benches/release/haversack-benches
"$program" inputs-tools "$bench/inputs"

version() { awk -v name="\"$1\"" '$1 == "name" { found = $3 == name } found && $1 == "version" { gsub("\"", "", $3); print $3; exit }' tests/benches/Cargo.lock; }
echo "haversack $(git describe --always --dirty 2>/dev/null || echo unknown), $(date -u +%Y-%m-%d), $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1), $(nproc) cores, $(uname -sm)"
echo "$(rustc --version | cut -d' ' -f1,2): serde_json $(version serde_json), serde_jcs $(version serde_jcs), serde_json_canonicalizer $(version serde_json_canonicalizer), sha2 $(version sha2); release, fat LTO"
echo "$("$venv/bin/python" --version): $(grep -v '^#' "$here/requirements.txt" | tr '\n' ' ')"
echo; echo "== Prompts, speed in Rust"; "$program" prompts
echo; echo "== Prompts, speed in Python"; "$venv/bin/python" "$here/speed.py" "$bench/inputs/tools.json"
echo; echo "== Canonical JSON, the edges of RFC 8785"; "$venv/bin/python" "$here/edges.py"
