#!/bin/sh
# Work per byte must not grow with the input: instructions (callgrind) for 1 MB and 8 MB of the same records, lines,
# rows, and for less of the same statements of an earlier cut or of histories. Counts instructions, not seconds, so the
# answer is the same on every machine. Needs valgrind.
set -eu
cd "$(dirname "$0")/.."
command -v valgrind > /dev/null || { echo "SKIPPED: no valgrind, linearity was NOT checked" >&2; exit 77; }
cargo build -q --locked -p haversack-tests --example once
once=$(ls -t "${CARGO_TARGET_DIR:-target}"/debug/examples/once | head -1)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# Instructions of `once KIND BYTES BUDGET`, less those for making the payload alone.
count() {
    valgrind --tool=callgrind --callgrind-out-file="$out/c" "$once" "$@" 2> "$out/log" > /dev/null
    sed -n 's/^.*Collected *: *\([0-9]*\).*$/\1/p' "$out/log"
}
failed=
for kind in records lists strings lines csv ndjson keys deep escapes stated marks calls same open orphans turns; do
    # A statement costs thousands of instructions a byte, and a few hundred of them say as much.
    case $kind in stated | marks) kb=10 ;; calls | same | open | orphans | turns) kb=100 ;; *) kb=1000 ;; esac
    small=$(($(count $kind ${kb}000 6000) - $(count $kind ${kb}000 none)))
    large=$(($(count $kind $((kb * 8))000 6000) - $(count $kind $((kb * 8))000 none)))
    # At most 1.5 times as much per byte.
    echo "$kind: $((small / kb))/1000 instructions a byte at $kb KB, $((large / kb / 8))/1000 at $((kb * 8)) KB"
    if [ "$large" -gt $((small * 12)) ]; then
        failed="$failed $kind"
    fi
done
[ -z "$failed" ] || { echo "not linear:$failed"; exit 1; }
