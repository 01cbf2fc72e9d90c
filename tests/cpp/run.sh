#!/bin/bash
# The C++ tests: the RAII layer and the shared vectors, with clang's ASan and UBSan and once with GCC, then the examples
# built with nothing but pkg-config. Exits 77 when tools are missing.
set -euo pipefail
cd "$(dirname "$0")/../.."
root="$PWD"

missing=""
for tool in cargo clang++ g++ pkg-config; do command -v "$tool" >/dev/null || missing="$missing $tool"; done
[ -e /usr/include/nlohmann/json.hpp ] || missing="$missing nlohmann-json3-dev"
if [ -n "$missing" ]; then
    echo "SKIPPED, C++ TESTS DID NOT RUN: missing$missing" >&2
    echo "apt-get install clang g++ pkg-config nlohmann-json3-dev" >&2
    exit 77
fi

build="${CARGO_TARGET_DIR:-$root/target}/cpp-tests"
prefix="$build/prefix"
mkdir -p "$build"
ffi/install.sh "$prefix" --dev --features "${HAVERSACK_FEATURES-tokens}"
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig" LD_LIBRARY_PATH="$prefix/lib"

strict="-std=c++17 -Wall -Wextra -Wpedantic -Wshadow -Werror"
flags="$(pkg-config --cflags --libs haversack) -pthread"
for test in boundary boundary_ledger boundary_handoff vectors; do
    clang++ $strict -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all "tests/cpp/$test.cpp" -o "$build/$test.san" $flags
done
for test in boundary boundary_ledger boundary_handoff; do g++ $strict -fsyntax-only "tests/cpp/$test.cpp" $(pkg-config --cflags haversack); done
"$build/boundary.san"
"$build/boundary_ledger.san"
"$build/boundary_handoff.san"
"$build/vectors.san" tests/vectors

echo "== the example, with nothing but pkg-config"
sample='[{"id":1},{"id":2}]'
g++ $strict ffi/examples/deliver.cpp -o "$build/example" $(pkg-config --cflags --libs haversack)
[ "$(printf %s "$sample" | "$build/example" 2>/dev/null)" = "$sample" ]
g++ $strict ffi/examples/history.cpp -o "$build/history" $(pkg-config --cflags --libs haversack)
[ "$("$build/history" 300 <ffi/examples/broken.json 2>"$build/history.log")" = "$(cat ffi/examples/mended.json)" ]
grep -q '^message 2, missing_result: ' "$build/history.log"
g++ $strict ffi/examples/prompt.cpp -o "$build/prompt" $(pkg-config --cflags --libs haversack)
[ "$("$build/prompt" ffi/examples/asked.json ffi/examples/asked_again.json vllm)" = "$(cat ffi/examples/compared.txt)" ]
echo "4 passed, 0 failed"
