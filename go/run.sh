#!/bin/bash
# The Go tests: the package, its examples and the shared vectors, plain and under the race detector, with the checks
# of cgo's pointer rules at their strictest. Exits 77 when tools are missing.
set -euo pipefail
cd "$(dirname "$0")/.."
root="$PWD"

missing=""
for tool in cargo go cc pkg-config; do command -v "$tool" >/dev/null || missing="$missing $tool"; done
if [ -n "$missing" ]; then
    echo "SKIPPED, GO TESTS DID NOT RUN: missing$missing" >&2
    echo "apt-get install golang-go gcc pkg-config" >&2
    exit 77
fi

build="${CARGO_TARGET_DIR:-$root/target}/go-tests"
prefix="$build/prefix"
mkdir -p "$build"
ffi/install.sh "$prefix" --dev --features "${HAVERSACK_FEATURES-tokens}"
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig" LD_LIBRARY_PATH="$prefix/lib" CGO_ENABLED=1
export GOFLAGS=-mod=readonly GOPROXY=off GOCACHE="${GOCACHE:-$build/cache}"

cd go
[ -z "$(gofmt -l .)" ] || { echo "gofmt: $(gofmt -l .)" >&2; exit 1; }
go vet ./...
GODEBUG=cgocheck=2 go test -count=1 -v ./...
go test -count=1 -race -short ./...
