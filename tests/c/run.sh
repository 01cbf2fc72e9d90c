#!/bin/bash
# The C tests: boundary, threads, growth and the shared vectors, under clang's ASan and UBSan and under valgrind, then
# the examples built with nothing but pkg-config and with CMake. Exits 77 when tools are missing.
set -euo pipefail
cd "$(dirname "$0")/../.."
root="$PWD"

missing=""
for tool in cargo clang pkg-config valgrind cmake nm; do command -v "$tool" >/dev/null || missing="$missing $tool"; done
pkg-config --exists jansson 2>/dev/null || missing="$missing libjansson-dev"
if [ -n "$missing" ]; then
    echo "SKIPPED, C TESTS DID NOT RUN: missing$missing" >&2
    echo "apt-get install clang pkg-config valgrind cmake binutils libjansson-dev" >&2
    exit 77
fi

build="${CARGO_TARGET_DIR:-$root/target}/c-tests"
prefix="$build/prefix"
mkdir -p "$build"
ffi/install.sh "$prefix" --dev --features "testing,${HAVERSACK_FEATURES-tokens}"
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig" LD_LIBRARY_PATH="$prefix/lib"

strict="-std=c11 -Wall -Wextra -Wpedantic -Werror -gdwarf-4 -DHAVERSACK_TESTING"
flags="$(pkg-config --cflags --libs haversack jansson) -pthread"
for test in boundary boundary_history boundary_prompt boundary_ledger boundary_handoff hostile_history threads growth vectors; do
    clang $strict -O1 -fsanitize=address,undefined -fno-sanitize-recover=all "tests/c/$test.c" -o "$build/$test.san" $flags
    clang $strict -O1 "tests/c/$test.c" -o "$build/$test" $flags
done

export ASAN_OPTIONS=detect_leaks=1 RUST_BACKTRACE=0
echo "== address and undefined behaviour sanitizers"
for test in boundary boundary_history boundary_prompt boundary_ledger boundary_handoff hostile_history threads; do "$build/$test.san"; done
"$build/growth.san" 2000 watched
"$build/vectors.san" tests/vectors
echo "== growth over many calls"
"$build/growth" 200000
echo "== valgrind"
grind() { valgrind --quiet --leak-check=full --show-leak-kinds=definite,indirect,possible --errors-for-leak-kinds=definite,indirect,possible --error-exitcode=9 "$@"; }
grind "$build/boundary"
grind "$build/boundary_history"
grind "$build/boundary_prompt"
grind "$build/boundary_ledger"
grind "$build/boundary_handoff"
grind "$build/hostile_history"
grind "$build/threads"
grind "$build/growth" 500 watched
grind "$build/vectors" tests/vectors inexact

echo "== the example, with nothing but pkg-config"
sample='[{"id":1},{"id":2}]'
clang -std=c11 -Wall -Wextra -Wpedantic -Werror ffi/examples/deliver.c $(pkg-config --cflags --libs haversack) -o "$build/example"
[ "$(printf %s "$sample" | "$build/example" 2>/dev/null)" = "$sample" ]
clang -std=c11 ffi/examples/deliver.c -I"$prefix/include" "$prefix/lib/libhaversack.a" \
    $(pkg-config --static --libs-only-other --libs-only-l haversack | sed 's/-lhaversack//') -o "$build/example-static"
[ "$(printf %s "$sample" | env -u LD_LIBRARY_PATH "$build/example-static" 2>/dev/null)" = "$sample" ]
echo "== the example of histories: a call without its result is answered, and the front goes"
clang $strict -O1 -fsanitize=address,undefined -fno-sanitize-recover=all ffi/examples/history.c \
    $(pkg-config --cflags --libs haversack) -o "$build/history"
[ "$("$build/history" 300 <ffi/examples/broken.json 2>"$build/history.log")" = "$(cat ffi/examples/mended.json)" ]
grep -q '^message 2, missing_result: ' "$build/history.log"
[ "$(printf '[]x' | "$build/history" 400 2>/dev/null || echo refused)" = refused ]
echo "== the example of prompts: the clock breaks the cache"
clang $strict -O1 -fsanitize=address,undefined -fno-sanitize-recover=all ffi/examples/prompt.c \
    $(pkg-config --cflags --libs haversack) -o "$build/prompt"
[ "$("$build/prompt" ffi/examples/asked.json ffi/examples/asked_again.json vllm)" = "$(cat ffi/examples/compared.txt)" ]
[ "$("$build/prompt" ffi/examples/asked.json ffi/examples/prompt.c 2>/dev/null || echo refused)" = refused ]
echo "== the example, with the CMake package"
cmake -S tests/c/cmake -B "$build/cmake" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER=clang >/dev/null
cmake --build "$build/cmake" >/dev/null
for program in shared static; do
    [ "$(printf %s "$sample" | "$build/cmake/example_$program" 2>/dev/null)" = "$sample" ]
done
echo "10 passed, 0 failed"
