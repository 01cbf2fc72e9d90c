#!/bin/sh
# Builds the library and installs it: headers, libhaversack.{so,a}, pkg-config file and CMake package.
#
#   ffi/install.sh PREFIX [--dev] [--features NAME,...]
#
# --dev builds without optimisation, for tests. The .pc file and the CMake package are made from their templates in
# ffi/pkgconfig and ffi/cmake; pkg-config finds the first with PKG_CONFIG_PATH=PREFIX/lib/pkgconfig, CMake the second
# with CMAKE_PREFIX_PATH=PREFIX. DESTDIR is honoured. Needs cargo and Linux.
set -eu
usage() { echo "usage: ffi/install.sh PREFIX [--dev] [--features NAME,...]" >&2; exit 2; }
[ $# -ge 1 ] || usage
prefix="$1"; shift
profile=release; folder=release; features=""
while [ $# -gt 0 ]; do
    case "$1" in
    --dev) profile=dev; folder=debug ;;
    --features) [ $# -ge 2 ] || usage; features="$2"; shift ;;
    *) usage ;;
    esac
    shift
done
case "$prefix" in /*) ;; *) prefix="$PWD/$prefix" ;; esac
root="$(cd "$(dirname "$0")/.." && pwd)"
cd "$root"

built="$(cargo rustc --quiet -p haversack-ffi --lib --profile "$profile" --features "$features" \
    --crate-type cdylib,staticlib -- --print native-static-libs 2>&1)" || { echo "$built" >&2; exit 1; }
static_libs="$(echo "$built" | sed -n 's/^note: native-static-libs: //p' | tail -1)"
: "${static_libs:=-lgcc_s -lutil -lrt -lpthread -lm -ldl -lc}" # what the toolchain asks for when nothing was rebuilt
target="${CARGO_TARGET_DIR:-$root/target}/$folder"

version="$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)"
major="${version%%.*}"; rest="${version#*.}"; minor="${rest%%.*}"
if [ "$major" = 0 ]; then interface="0.$minor"; else interface="$major"; fi

out="${DESTDIR:-}$prefix"
mkdir -p "$out/lib/pkgconfig" "$out/lib/cmake/haversack" "$out/include"
cp include/haversack.h include/haversack.hpp "$out/include/"
cp "$target/libhaversack_ffi.a" "$out/lib/libhaversack.a"
rm -f "$out/lib/libhaversack.so.$version" # a program may have the old one mapped
cp "$target/libhaversack_ffi.so" "$out/lib/libhaversack.so.$version"
ln -sf "libhaversack.so.$version" "$out/lib/libhaversack.so.$interface"
ln -sf "libhaversack.so.$interface" "$out/lib/libhaversack.so"
fill() {
    sed -e "s|@prefix@|$prefix|" -e "s|@version@|$version|" -e "s|@interface@|$interface|" \
        -e "s|@static_libs@|$static_libs|" -e "s|@cmake_static_libs@|$(echo "$static_libs" | sed 's/ /;/g')|" "$1" >"$2"
}
fill ffi/pkgconfig/haversack.pc.in "$out/lib/pkgconfig/haversack.pc"
fill ffi/cmake/haversackConfig.cmake.in "$out/lib/cmake/haversack/haversackConfig.cmake"
fill ffi/cmake/haversackConfigVersion.cmake.in "$out/lib/cmake/haversack/haversackConfigVersion.cmake"
