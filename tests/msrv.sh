#!/usr/bin/env bash
# Builds the library crates with exactly the compiler that `rust-version` promises: whichever of rustc, the rustup
# toolchains and /usr/bin/rustc has that version. Exit 77: none has. (tests/readme.py checks that every place states
# the same version.)
set -euo pipefail
cd "$(dirname "$0")/.."
want=$(sed -n 's/^rust-version = "\([0-9.]*\)".*/\1/p' Cargo.toml)
[ -n "$want" ] || { echo "FAILED: no rust-version in Cargo.toml"; exit 1; }

candidates() {
  command -v rustc || true
  if command -v rustup >/dev/null; then
    rustup toolchain list | awk '{print $1}' | while read -r name; do rustup which rustc --toolchain "$name" || true; done
  fi
  if [ -x /usr/bin/rustc ]; then echo /usr/bin/rustc; fi
}

seen=
while read -r rustc; do
  version=$("$rustc" --version | cut -d' ' -f2)
  seen="$seen $version"
  case "$version" in
    "$want" | "$want".*)
      case "$version" in *-*) continue ;; esac   # a nightly is not the release it leads to
      for crate in haversack haversack-ffi; do
        grep -q "^name = \"$crate\"" core/Cargo.toml ffi/Cargo.toml 2>/dev/null || continue
        RUSTC=$rustc cargo check --locked --quiet -p "$crate" --target-dir target/msrv
        echo "$crate builds with rustc $version"
      done
      exit 0 ;;
  esac
done < <(candidates)
echo "SKIPPED: rust-version is $want; the compilers here are:$seen"
exit 77
