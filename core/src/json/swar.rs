//! Several bytes at a time with plain integers and plain loops: the scanner's inner loops.
//!
//! Everything that looks at text byte by byte asks here for the next byte of interest, so that a wider scanner can
//! take this module's place without touching the grammar above it.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

const fn splat(byte: u8) -> u64 {
    ONES * byte as u64
}

fn load(bytes: &[u8], at: usize) -> Option<u64> {
    let chunk = bytes.get(at..)?.first_chunk::<8>()?;
    Some(u64::from_le_bytes(*chunk))
}

/// Quotes and control characters, and no others, are at most this once their second bit is turned over.
const NEAR: u8 = 0x20;

/// Whether a string stops in these bytes: no early way out, so that all are compared at once.
fn stops_in(block: &[u8; 16]) -> bool {
    block.iter().fold(0, |any, &b| any | u8::from(b ^ 2 <= NEAR) | u8::from(b == b'\\')) != 0
}

/// A high bit in the first byte of `word` at which a string stops; bytes above it may be marked in error.
const fn stops(word: u64) -> u64 {
    let near = (word ^ splat(2)).wrapping_sub(splat(NEAR + 1));
    let escape = (word ^ splat(b'\\')).wrapping_sub(ONES);
    (near | escape) & !word & HIGHS
}

/// Position of the first quote, backslash or control character at or after `at`; the length when there is none.
#[inline]
pub(super) fn string_stop(bytes: &[u8], mut at: usize) -> usize {
    let mut rest = bytes.get(at..).unwrap_or_default();
    while let Some((block, behind)) = rest.split_first_chunk::<16>() {
        if stops_in(block) {
            break;
        }
        at += 16;
        rest = behind;
    }
    while let Some(word) = load(rest, 0) {
        let hits = stops(word);
        if hits != 0 {
            return at + (hits.trailing_zeros() / 8) as usize;
        }
        at += 8;
        rest = rest.get(8..).unwrap_or_default();
    }
    at + rest.iter().position(|&b| b ^ 2 <= NEAR || b == b'\\').unwrap_or(rest.len())
}

/// A high bit in every byte of `word` at which a string stops, and in no other.
const fn all_stops(word: u64) -> u64 {
    const LOW: u64 = !HIGHS;
    // Of seven bits each no byte passes into the next one.
    let turned = word ^ splat(2);
    let near = !(((turned & LOW) + splat(0x7f - NEAR)) | turned);
    let slash = word ^ splat(b'\\');
    let escape = !(((slash & LOW) + LOW) | slash);
    (near | escape) & HIGHS
}

/// Calls `stop` with the position of every quote, backslash and control character, in order.
#[inline]
pub(super) fn each_stop(bytes: &[u8], mut stop: impl FnMut(usize)) {
    let (words, rest) = bytes.as_chunks::<8>();
    for (number, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        // Most words have none, which is told with less.
        if stops(word) == 0 {
            continue;
        }
        let mut hits = all_stops(word);
        while hits != 0 {
            stop(8 * number + (hits.trailing_zeros() / 8) as usize);
            hits &= hits - 1;
        }
    }
    let from = bytes.len() - rest.len();
    for (at, &byte) in rest.iter().enumerate() {
        if byte ^ 2 <= NEAR || byte == b'\\' {
            stop(from + at);
        }
    }
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

    fn by_bytes(bytes: &[u8], at: usize) -> usize {
        let stops = |&i: &usize| bytes[i] == b'"' || bytes[i] == b'\\' || bytes[i] < 0x20;
        (at..bytes.len()).find(stops).unwrap_or(bytes.len())
    }

    fn every(bytes: &[u8]) -> Vec<usize> {
        let mut found = Vec::new();
        each_stop(bytes, |at| found.push(at));
        found
    }

    fn all_by_bytes(bytes: &[u8]) -> Vec<usize> {
        (0..bytes.len()).filter(|&at| by_bytes(bytes, at) == at).collect()
    }

    #[test]
    fn finds_what_a_byte_loop_finds() {
        // Each byte there is, at each place, between bytes that nearly stop.
        for filler in [b'a', b' ', b'!', b'#', b']', b'[', 0x80, 0xa2, 0xdc, 0xff] {
            for len in [0, 7, 8, 15, 16, 17, 33, 41] {
                for place in 0..len {
                    for byte in 0..=u8::MAX {
                        let mut bytes = [filler].repeat(len);
                        bytes[place] = byte;
                        assert_eq!(string_stop(&bytes, 0), by_bytes(&bytes, 0), "{byte} at {place} in {filler}");
                        assert_eq!(every(&bytes), all_by_bytes(&bytes), "{byte} at {place} in {filler}");
                    }
                }
            }
        }
    }

    #[test]
    fn finds_the_first_of_many() {
        let mut seed = 1u64;
        for len in 0..200usize {
            let bytes: Vec<u8> = (0..len)
                .map(|_| {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    let b = (seed >> 33) as u8;
                    if b < 220 { b'a' } else { b.wrapping_mul(71) }
                })
                .collect();
            for at in 0..=len + 1 {
                assert_eq!(string_stop(&bytes, at), by_bytes(&bytes, at).max(at), "{bytes:?}");
            }
            assert_eq!(every(&bytes), all_by_bytes(&bytes), "{bytes:?}");
        }
    }
}
