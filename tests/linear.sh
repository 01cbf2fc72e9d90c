#!/bin/sh
# Work per byte must not grow with the input: instructions (callgrind) for 1 MB and 8 MB of the same records, lines, rows.
# Counts instructions, not seconds, so the answer is the same on every machine. Needs valgrind.
set -eu
cd "$(dirname "$0")/.."
command -v valgrind > /dev/null || { echo "SKIPPED: no valgrind, linearity was NOT checked" >&2; exit 77; }
cargo build -q -p haversack-tests --example once
once=$(ls -t "${CARGO_TARGET_DIR:-target}"/debug/examples/once | head -1)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# Instructions of `once KIND BYTES BUDGET`, less those for making the payload alone.
count() {
    valgrind --tool=callgrind --callgrind-out-file="$out/c" "$once" "$@" 2> "$out/log" > /dev/null
    sed -n 's/^.*Collected *: *\([0-9]*\).*$/\1/p' "$out/log"
}
failed=
for kind in records lists strings lines csv ndjson keys deep escapes; do
    small=$(($(count $kind 1000000 6000) - $(count $kind 1000000 none)))
    large=$(($(count $kind 8000000 6000) - $(count $kind 8000000 none)))
    # At most 1.5 times as much per byte.
    echo "$kind: $((small / 1000))/1000 instructions a byte at 1 MB, $((large / 8000))/1000 at 8 MB"
    if [ "$large" -gt $((small * 12)) ]; then
        failed="$failed $kind"
    fi
done
[ -z "$failed" ] || { echo "not linear:$failed"; exit 1; }
