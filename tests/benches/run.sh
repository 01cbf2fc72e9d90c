#!/usr/bin/env bash
# Prints every benchmark table with versions and date, in about five minutes once built. Peers are installed under
# build/bench and nowhere else. What is left out (trees of 100 MB) is a dash in its table.
set -euo pipefail
cd "$(dirname "$0")/../.."
bench=$PWD/build/bench
peers=(tooltrim==0.3.3 llmslim==0.11.2 orjson==3.13.0 msgspec==0.23.0 pysimdjson==7.0.2)
truncate_json=3.0.1

mkdir -p "$bench/node" "$bench/inputs"
[ -x "$bench/venv/bin/python" ] || python3 -m venv "$bench/venv"
"$bench/venv/bin/pip" install --quiet --disable-pip-version-check "${peers[@]}"
"$bench/venv/bin/pip" install --quiet --disable-pip-version-check --force-reinstall --no-deps "$(ls -t python/dist/*.whl | head -1)"
node=
if command -v npm >/dev/null && (cd "$bench/node" && npm install --silent --no-fund --no-audit "truncate-json@$truncate_json" >/dev/null); then
  node=$bench/node
fi
# Its lock file has the workspace's versions of what both have: after a change of Cargo.lock copy that one over it, and
# cargo adds the peers.
cargo build --release --quiet --locked --manifest-path tests/benches/Cargo.toml --target-dir target/benches
program=target/benches/release/haversack-benches
"$program" inputs "$bench/inputs"
python=$bench/venv/bin/python

version() { awk -v name="\"$1\"" '$1 == "name" { found = $3 == name } found && $1 == "version" { gsub("\"", "", $3); print $3; exit }' tests/benches/Cargo.lock; }
echo "haversack $(git describe --always --dirty 2>/dev/null || echo unknown), $(date -u +%Y-%m-%d), $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1), $(nproc) cores, $(uname -sm)"
echo "$(rustc --version | cut -d' ' -f1,2): serde_json $(version serde_json), sonic-rs $(version sonic-rs), jiter $(version jiter); release, fat LTO, no target-cpu"
echo "$("$python" --version): ${peers[*]}; npm: truncate-json $truncate_json $(node --version 2>/dev/null || echo '(no node)')"
echo; echo "== Rust, speed"; "$program" speed
echo; echo "== Rust, memory"; "$program" memory
echo; echo "== Python, speed"; "$python" tests/benches/speed.py "$bench/inputs"
echo; echo "== What survives a cap"; "$python" tests/benches/cap.py ${node:+"$node"} 2>/dev/null
echo; bash tests/benches/histories/run.sh
echo; bash tests/benches/prompts/run.sh
