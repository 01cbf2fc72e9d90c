#!/bin/sh
# Plants known faults, one at a time, in a scratch copy, and shows that the tests catch each of them.
#
#   tests/faults.sh              every fault
#   tests/faults.sh comma        those whose name holds the text
#
# A fault is a file tests/faults/NAME.fault: `file:` and `why:` lines, then the old text after a line `---` and the new
# text after a line `+++`. The old text must stand exactly once in the file, or the fault is stale and this script
# fails: a fault that was not planted proves nothing. Caught means that `cargo test -p haversack-tests` fails, or, for
# one with a line `fuzz: TARGET`, that the target finds it within 60 seconds.
set -eu
cd "$(dirname "$0")/.."
only=${1:-}
scratch=$PWD/target/faults
mkdir -p "$scratch/tree"
export CARGO_TARGET_DIR="$scratch/build"
caught=0 missed= stale=

field() { sed -n "s/^$2: *//p" "$1" | head -1; }

plant() { # FAULT: writes the changed file into the tree
    perl -e '
        my ($fault, $file) = @ARGV;
        local $/;
        open(F, "<", $fault) or die; my $text = <F>; close F;
        $text =~ /^---\n(.*?)\n?^\+\+\+\n(.*?)\n?\z/ms or die "no fault in $fault\n";
        my ($old, $new) = ($1, $2);
        open(S, "<", $file) or die "no $file\n"; my $source = <S>; close S;
        my $count = () = $source =~ /\Q$old\E/g;
        die "the old text stands $count times in $file\n" unless $count == 1;
        my $at = index($source, $old);
        substr($source, $at, length $old) = $new;
        open(S, ">", $file) or die; print S $source; close S;
    ' "$1" "$2"
}

fresh() { # A tree without faults.
    for part in Cargo.toml Cargo.lock core tests; do
        rm -rf "$scratch/tree/$part"
        cp -Rp "$part" "$scratch/tree/"
    done
    # The crate was last built with the fault before this one.
    touch "$scratch/tree/core/src/lib.rs"
    mkdir -p "$scratch/tree/fuzz"
    cp -Rp fuzz/Cargo.toml fuzz/run.sh fuzz/targets fuzz/dictionaries fuzz/regressions "$scratch/tree/fuzz/"
    # Only what the proof needs: the other crates stay out of the scratch workspace.
    sed -i 's/^members = .*/members = ["core", "tests"]/' "$scratch/tree/Cargo.toml"
}

proof() { # LOG: what has to catch them, each test given five minutes in case a fault never ends
    (cd "$scratch/tree" && timeout 300 cargo test -q -p haversack-tests --no-fail-fast --test laws --test vectors > "$1" 2>&1)
}

fresh
(cd "$scratch/tree" && cargo test -q -p haversack-tests --no-run)
if ! proof "$scratch/clean.log"; then
    echo "the tests fail without any fault, see $scratch/clean.log" >&2
    [ -n "${FAULTS_ANYWAY:-}" ] || exit 1
fi
known=$(sed -n 's/^---- \(.*\) stdout ----$/\1/p' "$scratch/clean.log" | sort -u)

for fault in tests/faults/*"$only"*.fault; do
    name=$(basename "$fault" .fault)
    file=$(field "$fault" file)
    fresh
    if ! why=$(plant "$fault" "$scratch/tree/$file" 2>&1); then
        echo "STALE   $name: $why"
        stale="$stale $name"
        continue
    fi
    touch "$scratch/tree/$file"
    log="$scratch/$name.log"
    target=$(field "$fault" fuzz)
    if ! (cd "$scratch/tree" && cargo test -q -p haversack-tests --no-run > "$log" 2>&1); then
        echo "STALE   $name: does not build, see $log"
        stale="$stale $name"
    elif [ -n "$target" ]; then
        if (cd "$scratch/tree/fuzz" && ./run.sh 60 "$target" >> "$log" 2>&1); then
            echo "MISSED  $name: $(field "$fault" why)"
            missed="$missed $name"
        else
            echo "caught  $name by the fuzz target $target"
            caught=$((caught + 1))
        fi
    else
        status=0
        proof "$log" || status=$?
        by=$(sed -n 's/^---- \(.*\) stdout ----$/\1/p' "$log" | sort -u | grep -vxF "${known:-nothing}" | head -4 | tr '\n' ' ')
        if [ "$status" = 124 ]; then
            by="a test that never ends"
        fi
        if [ "$status" = 0 ] || [ -z "$by" ]; then
            echo "MISSED  $name: $(field "$fault" why)"
            missed="$missed $name"
        else
            echo "caught  $name by $by"
            caught=$((caught + 1))
        fi
    fi
done
echo "$caught caught; missed:${missed:- none}; stale:${stale:- none}"
[ -z "$missed$stale" ] && [ "$caught" -gt 0 ]
