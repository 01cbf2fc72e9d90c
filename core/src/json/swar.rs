//! Eight bytes at a time with plain integers: the scalar scanner's inner loops.
//!
//! Everything that looks at text byte by byte asks here for the next byte of interest, so that a wider scanner can
//! take this module's place without touching the grammar above it.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// A high bit in every byte of `word` that is zero; bytes above the first such byte may be marked in error.
const fn zeros(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word & HIGHS
}

const fn splat(byte: u8) -> u64 {
    ONES * byte as u64
}

fn load(bytes: &[u8], at: usize) -> Option<u64> {
    let chunk = bytes.get(at..)?.first_chunk::<8>()?;
    Some(u64::from_le_bytes(*chunk))
}

/// Position of the first quote, backslash or control character at or after `at`; the length when there is none.
#[inline]
pub(super) fn string_stop(bytes: &[u8], mut at: usize) -> usize {
    while let Some(word) = load(bytes, at) {
        let quote = zeros(word ^ splat(b'"'));
        let escape = zeros(word ^ splat(b'\\'));
        let control = word.wrapping_sub(splat(0x20)) & !word & HIGHS;
        let hits = quote | escape | control;
        if hits != 0 {
            return at + (hits.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while let Some(&b) = bytes.get(at) {
        if b == b'"' || b == b'\\' || b < 0x20 {
            return at;
        }
        at += 1;
    }
    at
}

/// Position of the first byte at or after `at` that is not a space; runs of indentation are long.
#[inline]
pub(super) fn past_blanks(bytes: &[u8], mut at: usize) -> usize {
    while let Some(word) = load(bytes, at) {
        let other = word ^ splat(b' ');
        if other != 0 {
            return at + (other.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while bytes.get(at) == Some(&b' ') {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn finds_what_a_byte_loop_finds() {
        let mut seed = 1u64;
        for len in 0..200usize {
            let bytes: Vec<u8> = (0..len)
                .map(|_| {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    let b = (seed >> 33) as u8;
                    if b < 200 { b | 0x40 } else { b }
                })
                .collect();
            for at in 0..=len {
                let slow = (at..len).find(|&i| bytes[i] == b'"' || bytes[i] == b'\\' || bytes[i] < 0x20).unwrap_or(len);
                assert_eq!(string_stop(&bytes, at), slow);
            }
        }
    }
}
