#!/usr/bin/env bash
# Builds the core, without a standard library, for a microcontroller and for WebAssembly. Uses a rustup toolchain that
# has the target; else Debian's rustc-web, cargo-web and rust-web-src, which build `core` and `alloc` from source.
# Exit 77: neither is here.
set -euo pipefail
cd "$(dirname "$0")/.."
targets=(thumbv7em-none-eabihf wasm32-unknown-unknown)
debian_source=/usr/lib/rustlib/src/rust/library/alloc

# A target's libraries are where rustc says, or they are not there.
has_target() { [ -d "$(rustc --print target-libdir --target "$1" 2>/dev/null)" ]; }

build() { # target
  if has_target "$1"; then
    cargo build --locked --quiet -p haversack --no-default-features --target "$1" --target-dir target/targets
  else
    RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 /usr/bin/cargo build --locked --quiet -p haversack --no-default-features \
      -Zbuild-std=core,alloc --target "$1" --target-dir target/targets
  fi
}

passed=0 failed=0 skipped=0
for target in "${targets[@]}"; do
  if ! has_target "$target" && ! { [ -x /usr/bin/cargo ] && [ -x /usr/bin/rustc ] && [ -d "$debian_source" ]; }; then
    echo "SKIPPED: $target: no toolchain here has it (rustup target add $target, or apt-get install rustc-web cargo-web rust-web-src)"
    skipped=$((skipped + 1))
  elif build "$target"; then
    echo "core builds for $target"
    passed=$((passed + 1))
  else
    echo "FAILED: core does not build for $target"
    failed=$((failed + 1))
  fi
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ] || exit 1
[ "$skipped" = 0 ] || exit 77
