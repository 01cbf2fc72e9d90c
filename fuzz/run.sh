#!/bin/sh
# Runs the fuzz targets, each for SECONDS. FUZZ_SEED=N and FUZZ_RUNS=N make the walk repeatable, as CI does.
#
#   fuzz/run.sh 30                  every target
#   fuzz/run.sh 600 l7_pages csv    ten minutes of these
#
# A long run, before a release: fuzz/run.sh 600 (ten minutes a target, one after another), or one target for a
# night. What it finds stands in fuzz/artifacts/TARGET/; make it small with
# `cargo +nightly fuzz tmin TARGET FILE`, move it to fuzz/regressions/TARGET/NAME (a normal test replays that folder),
# write the case that the panic prints as a vector, and fix the cause. Needs nightly Rust and `cargo install
# cargo-fuzz`.
set -eu
cd "$(dirname "$0")"
seconds=${1:?usage: fuzz/run.sh SECONDS [target...]}
shift
all=$(sed -n 's/^name = "\(.*\)"/\1/p' Cargo.toml | grep -v haversack-fuzz)
failed=
for target in ${*:-$all}; do
    case $target in
        cursor) dictionary=cursor ;;
        csv | lines | ndjson | l17_*) dictionary=text ;;
        *) dictionary=json ;;
    esac
    mkdir -p "corpus/$target"
    known=
    if [ -d "regressions/$target" ]; then known=regressions/$target; fi
    echo "== $target: $seconds s"
    # 4 KiB of choices make documents of many KiB, each cut many times; a case that takes 30 s is a finding (law 13).
    if ! cargo +nightly fuzz run --fuzz-dir . "$target" "corpus/$target" $known -- \
        -max_total_time="$seconds" ${FUZZ_SEED:+-seed="$FUZZ_SEED"} ${FUZZ_RUNS:+-runs="$FUZZ_RUNS"} -max_len=4096 -timeout=30 -rss_limit_mb=2048 -len_control=20 \
        -dict="dictionaries/$dictionary.dict" -print_final_stats=1 2> "corpus/$target.log"; then
        grep -A30 "panicked\|ERROR" "corpus/$target.log" | head -60
        failed="$failed $target"
        continue
    fi
    sed -n 's/^stat::number_of_executed_units: */   cases: /p' "corpus/$target.log"
done
if [ -n "$failed" ]; then
    echo "findings:$failed (fuzz/artifacts)"
    exit 1
fi
