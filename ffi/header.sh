#!/bin/sh
# Writes include/haversack.h from the crate, or compares the two with --check.
# Exits 77 when the pinned cbindgen is not there; CBINDGEN names another one.
set -eu
cd "$(dirname "$0")"
wanted="cbindgen 0.29.4"
cbindgen="${CBINDGEN:-cbindgen}"
if [ "$("$cbindgen" --version 2>/dev/null || true)" != "$wanted" ]; then
    echo "SKIPPED: $wanted is missing: cargo install cbindgen --version 0.29.4 --locked" >&2
    exit 77
fi
case "${1:-}" in
"") exec "$cbindgen" --quiet --config cbindgen.toml --output ../include/haversack.h . ;;
--check) exec "$cbindgen" --quiet --config cbindgen.toml --verify --output ../include/haversack.h . ;;
*) echo "usage: ffi/header.sh [--check]" >&2; exit 2 ;;
esac
