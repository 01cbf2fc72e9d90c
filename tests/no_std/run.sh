#!/usr/bin/env bash
# Links a program without a standard library, start files or libc against the default core, runs it and compares what
# it prints with expected.txt. Exit 77: cannot be done on this machine.
set -euo pipefail
cd "$(dirname "$0")"
if [ "$(uname -sm)" != "Linux x86_64" ]; then
  echo "SKIPPED: the freestanding program makes Linux x86-64 system calls; this is $(uname -sm)"
  exit 77
fi
target=../../target/no_std
cp ../../Cargo.lock Cargo.lock   # the versions of the workspace; not committed, so that it cannot drift
# With --target the flags stay away from build scripts, which do need a standard library.
RUSTFLAGS="-C relocation-model=static -C link-arg=-nostartfiles -C link-arg=-nostdlib -C link-arg=-static" \
  CARGO_TARGET_DIR=$target cargo build --release --quiet --target x86_64-unknown-linux-gnu
program=$target/x86_64-unknown-linux-gnu/release/haversack-no-std

passed=0 failed=0
check() { # name, command...
  if "${@:2}"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $1"; fi
}
out=$(mktemp)
trap 'rm -f "$out"' EXIT
status=0
env -i "$program" >"$out" || status=$?
cat "$out"
check "exit status 0, not $status" test "$status" = 0
check "the text is not the one in expected.txt" diff -u expected.txt "$out"
if command -v readelf >/dev/null; then
  check "it asks for a shared library or a loader" test -z "$(readelf -ld "$program" | grep -E 'NEEDED|INTERP')"
else
  echo "readelf is missing: not checked that the program needs no shared library"
fi
echo "size: $(stat -c %s "$program") bytes"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
