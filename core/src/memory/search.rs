//! Search over all memories: BM25 in integers, every text read.

use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Reverse;

use serde::Serialize;
use unicode_segmentation::UnicodeSegmentation as _;

use super::{Memory, MemoryItem};
use crate::error::{Error, ErrorKind};

/// Different words of a query that are looked for.
const WORDS: usize = 256;

/// A memory that a search found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Hit {
    /// The memory, with its sources.
    #[serde(flatten)]
    pub item: MemoryItem,
    /// How well it fits, in 1/1024.
    pub score: u64,
}

impl Hit {
    /// The members of the memory and `score` as compact JSON.
    pub fn to_json(&self) -> String {
        crate::state::written(self)
    }
}

/// What a text has of the words of a query.
struct Found {
    id: u64,
    /// Its length in words.
    words: u64,
    /// Which word of the query, how often.
    counts: Vec<(usize, u64)>,
}

impl Memory {
    /// The memories that hold a word of the query, best first: BM25 (k1 = 1.2, b = 0.75) over words (UAX 29, lower
    /// case), the weight of a word in log2, in integers of 1/1024; ties by the latest, then by number. Every memory is
    /// read; the first 256 different words of the query count.
    ///
    /// # Errors
    /// [`LimitExceeded`](ErrorKind::LimitExceeded) for a `query` longer than a text can be.
    pub fn search(&self, query: &str) -> Result<Vec<Hit>, Error> {
        if query.len() > Memory::TEXT_BYTES {
            let message = alloc::format!("query of {} bytes, {} at most", query.len(), Memory::TEXT_BYTES);
            let error = Error::new(ErrorKind::LimitExceeded, message).argument_named("query");
            return Err(error.counts(query.len(), Memory::TEXT_BYTES));
        }
        let wanted = distinct(query);
        let mut found: Vec<Found> = Vec::new();
        let (mut in_texts, mut all_words) = (alloc::vec![0_u64; wanted.len()], 0_u64);
        for (id, item) in &self.items {
            let (mut words, mut places) = (0, Vec::new());
            for word in item.text.unicode_words() {
                words += 1;
                if let Ok(at) = wanted.binary_search(&word.to_lowercase()) {
                    places.push(at);
                }
            }
            all_words += words;
            places.sort_unstable();
            let counts: Vec<(usize, u64)> =
                places.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u64)).collect();
            for (at, _) in &counts {
                in_texts[*at] += 1;
            }
            if !counts.is_empty() {
                found.push(Found { id: *id, words, counts });
            }
        }
        let texts = self.items.len() as u64;
        let weights: Vec<u64> = in_texts.iter().map(|n| weight(texts, *n)).collect();
        let score = |text: &Found| -> u64 {
            text.counts.iter().map(|(at, count)| part(weights[*at], *count, text.words, texts, all_words)).sum()
        };
        let mut hits: Vec<Hit> =
            found.iter().filter_map(|text| Some(Hit { score: score(text), item: self.get(text.id)? })).collect();
        hits.sort_by_key(|hit| (Reverse(hit.score), Reverse(hit.item.at), hit.item.id));
        Ok(hits)
    }
}

/// The different words of a query, sorted.
fn distinct(query: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in query.unicode_words().map(str::to_lowercase) {
        if let Err(at) = words.binary_search(&word) {
            words.insert(at, word);
        }
        if words.len() == WORDS {
            break;
        }
    }
    words
}

/// `log2(1 + (N − n + ½) / (n + ½))` in 1/1024.
fn weight(texts: u64, with_word: u64) -> u64 {
    log2(2 * (texts + 1), 2 * with_word + 1)
}

/// `weight · c·(k1 + 1) / (c + k1·(1 − b + b·words/mean))`, all of it times 10·all_words.
fn part(weight: u64, count: u64, words: u64, texts: u64, all_words: u64) -> u64 {
    let [weight, count, words, texts, all] = [weight, count, words, texts, all_words].map(u128::from);
    let over = weight * count * 22 * all;
    let under = 10 * count * all + 3 * all + 9 * words * texts;
    u64::try_from(over / under.max(1)).unwrap_or(u64::MAX)
}

/// `log2(over / under)` in 1/1024, for `over ≥ under > 0`.
fn log2(over: u64, under: u64) -> u64 {
    let whole = (over / under).max(1).ilog2();
    // The rest, between 1 and 2, with 62 binary digits behind the point: squaring gives one digit of its logarithm at a
    // time.
    let mut rest = (u128::from(over) << 62) / (u128::from(under) << whole);
    let mut out = u64::from(whole);
    for _ in 0..10 {
        rest = ((rest >> 15) * (rest >> 15)) >> 32;
        out <<= 1;
        if rest >= 2 << 62 {
            rest >>= 1;
            out += 1;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_right() {
        for (over, under, wanted) in [
            (1, 1, 0),
            (2, 1, 1024),
            (1024, 1, 10 * 1024),
            (3, 1, 1623),
            (3, 2, 599),
            (1_000_001, 1_000_000, 0),
            (u64::MAX, 1, 65535),
        ] {
            assert_eq!(log2(over, under), wanted, "{over}/{under}");
        }
    }

    #[test]
    fn a_rare_word_weighs_more_and_a_long_text_less() {
        assert!(weight(100, 1) > weight(100, 50) && weight(100, 100) > 0);
        assert!(part(1024, 1, 5, 10, 100) > part(1024, 1, 50, 10, 100));
        assert!(part(1024, 3, 5, 10, 100) > part(1024, 1, 5, 10, 100));
    }
}
