//! Which lines differ between two texts: time `n log n`, no table of all pairs.

use alloc::vec;
use alloc::vec::Vec;

/// Lines `old.0..old.1` of the one text stand as lines `new.0..new.1` in the other; one of the two may be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hunk {
    pub(super) old: (usize, usize),
    pub(super) new: (usize, usize),
}

/// The hunks that lead from `old` to `new`, in order. Lines that stand once in both and in the same order are kept, and
/// so are the lines next to them that are equal; the rest is what differs.
pub(super) fn hunks(old: &[&str], new: &[&str]) -> Vec<Hunk> {
    let mut out = Vec::new();
    let (mut i, mut j) = (0, 0);
    let ends = core::iter::once((old.len(), new.len()));
    for (end_i, end_j) in anchors(old, new).into_iter().chain(ends) {
        // Equal lines at both ends of the gap are no change.
        while i < end_i && j < end_j && old[i] == new[j] {
            (i, j) = (i + 1, j + 1);
        }
        let (mut to_i, mut to_j) = (end_i, end_j);
        while i < to_i && j < to_j && old[to_i - 1] == new[to_j - 1] {
            (to_i, to_j) = (to_i - 1, to_j - 1);
        }
        if i < to_i || j < to_j {
            out.push(Hunk { old: (i, to_i), new: (j, to_j) });
        }
        (i, j) = (end_i, end_j);
    }
    out
}

/// Pairs of places of lines that stand once in each text: the longest run of them that rises in both.
fn anchors(old: &[&str], new: &[&str]) -> Vec<(usize, usize)> {
    let (ours, theirs) = (single(old), single(new));
    let mut pairs = Vec::new();
    let mut at = theirs.iter().peekable();
    for (line, i) in ours {
        while at.next_if(|(other, _)| *other < line).is_some() {}
        if let Some((_, j)) = at.next_if(|(other, _)| *other == line) {
            pairs.push((i, *j));
        }
    }
    pairs.sort_unstable();
    longest_rise(&pairs)
}

/// The lines that stand once, sorted, each with its place.
fn single<'t>(lines: &[&'t str]) -> Vec<(&'t str, usize)> {
    let mut sorted: Vec<(&str, usize)> = lines.iter().enumerate().map(|(i, line)| (*line, i)).collect();
    sorted.sort_unstable();
    sorted.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() == 1).flatten().copied().collect()
}

/// Of pairs sorted by the first number, the longest subsequence in which the second rises too.
fn longest_rise(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // piles[k]: the pair with the smallest end of all rises of length k + 1; before[p]: what comes before pair p.
    let mut piles: Vec<usize> = Vec::new();
    let mut before = vec![None; pairs.len()];
    for (p, pair) in pairs.iter().enumerate() {
        let k = piles.partition_point(|&top| pairs[top].1 < pair.1);
        before[p] = k.checked_sub(1).and_then(|k| piles.get(k).copied());
        match piles.get_mut(k) {
            Some(top) => *top = p,
            None => piles.push(p),
        }
    }
    let mut out = Vec::with_capacity(piles.len());
    let mut at = piles.last().copied();
    while let Some(p) = at {
        out.push(pairs[p]);
        at = before[p];
    }
    out.reverse();
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    fn apply<'t>(old: &[&'t str], new: &[&'t str]) -> Vec<&'t str> {
        let (mut out, mut at) = (Vec::new(), 0);
        for h in hunks(old, new) {
            out.extend(&old[at..h.old.0]);
            out.extend(&new[h.new.0..h.new.1]);
            at = h.old.1;
        }
        out.extend(&old[at..]);
        out
    }

    #[test]
    fn the_hunks_lead_from_one_text_to_the_other() {
        for (old, new, wanted) in [
            ("a b c", "a b c", 0),
            ("a b c", "a x c", 1),
            ("a b c d", "b c d", 1),
            ("a b c d", "a b c d e", 1),
            ("a b c d e", "x b c d y", 2),
            ("a b", "b a", 2),
            ("x x x x", "x x x", 1),
            ("", "a", 1),
            ("a x b x c", "a x c x b", 2),
        ] {
            let (old, new): (Vec<&str>, Vec<&str>) = (old.split(' ').collect(), new.split(' ').collect());
            assert_eq!(apply(&old, &new), new);
            assert_eq!(hunks(&old, &new).len(), wanted, "{old:?} {new:?}");
        }
    }
}
