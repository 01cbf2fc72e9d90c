//! Exact counts of two published encodings (feature `tokens`).

use crate::error::{Error, ErrorKind};
use crate::measure::TokenCounter;

/// No token of either encoding is longer, so a text of `n` bytes has at least `n / 128` tokens. A test walks both
/// vocabularies.
const LONGEST_TOKEN: usize = 128;

/// How much is counted between two looks at the limit, where the text offers a place to stop.
const STRETCH: usize = 2048;

/// An encoding whose vocabulary is built in: its counts are exact, not estimates.
///
/// Text that quotes a special token (`<|endoftext|>`) is ordinary text. The vocabulary is unpacked at the first call
/// (a tenth of a second, 8 or 24 MB that stay) and shared by all threads; each thread that counts keeps a cache of
/// 1.3 MB. Neither changes an answer.
///
/// # Cost
/// [`count`](TokenCounter::count) is close to linear in the text (`n log n` inside a run without a boundary, such as
/// a megabyte of one letter: half a microsecond and 20 bytes of memory per byte).
/// [`count_up_to`](TokenCounter::count_up_to) reads at most 128 bytes for each token of its limit, and on text with
/// spaces or JSON punctuation little more than the limit itself, however long the text is.
///
/// # Example
/// ```
/// use haversack::measure::{Encoding, TokenCounter};
///
/// assert_eq!(Encoding::O200kBase.count("hello world")?, 2);
/// assert_eq!(Encoding::O200kBase.count_up_to("hello world", 1)?, None);
/// # Ok::<(), haversack::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Encoding {
    /// `o200k_base`: GPT-4o and what came after it.
    O200kBase,
    /// `cl100k_base`: GPT-4 and GPT-3.5.
    Cl100kBase,
}

impl Encoding {
    /// Every encoding.
    pub const ALL: &'static [Encoding] = &[Encoding::O200kBase, Encoding::Cl100kBase];

    /// `o200k_base` or `cl100k_base`.
    pub const fn name(self) -> &'static str {
        match self {
            Encoding::O200kBase => "o200k_base",
            Encoding::Cl100kBase => "cl100k_base",
        }
    }

    fn vocabulary(self) -> Result<&'static tiktoken::CoreBpe, Error> {
        tiktoken::get_encoding(self.name()).ok_or_else(|| {
            Error::new(ErrorKind::CounterFailed, alloc::format!("the vocabulary of {} is not built in", self.name()))
        })
    }
}

impl TokenCounter for Encoding {
    fn count(&self, text: &str) -> Result<usize, Error> {
        Ok(self.vocabulary()?.count(text))
    }

    fn count_up_to(&self, text: &str, limit: usize) -> Result<Option<usize>, Error> {
        let vocabulary = self.vocabulary()?;
        Ok(sum_up_to(text, limit, |stretch| vocabulary.count(stretch)))
    }
}

/// The sum of the counts of all stretches, or `None` as soon as it must be above `limit`.
fn sum_up_to(text: &str, limit: usize, mut count: impl FnMut(&str) -> usize) -> Option<usize> {
    if text.len().div_ceil(LONGEST_TOKEN) > limit {
        return None;
    }
    let mut total = 0;
    for stretch in Stretches(text) {
        total += count(stretch);
        if total > limit {
            return None;
        }
    }
    Some(total)
}

/// Cuts a text at places where both encodings split it anyway, so that the counts of the parts add up to the count of
/// the whole. A part has about [`STRETCH`] bytes, or more where the text offers no such place.
struct Stretches<'a>(&'a str);

impl<'a> Iterator for Stretches<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let text = self.0;
        if text.is_empty() {
            return None;
        }
        // Each byte is looked at once: the window grows from where the search ended.
        let (mut seen, mut end) = (0, STRETCH);
        let cut = loop {
            if end >= text.len() {
                break text.len();
            }
            if let Some(cut) = (seen.max(1)..end).rev().find(|&at| splits_before(text, at)) {
                break cut;
            }
            seen = end;
            end = end.saturating_mul(2);
        };
        let (stretch, rest) = text.split_at(cut);
        self.0 = rest;
        Some(stretch)
    }
}

/// True when both encodings split before byte `at` whatever else stands in the text, and see nothing across it.
///
/// Their patterns cut a text into pieces; a space stands only at the start of a piece or among white space, and
/// punctuation other than an apostrophe never follows a letter or digit within a piece. What white space looks ahead
/// to is the character after it, so a cut must leave that character with it: the one before the cut is never white
/// space.
fn splits_before(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    let (Some(&before), Some(&here)) = (bytes.get(at.wrapping_sub(1)), bytes.get(at)) else {
        return false;
    };
    if here == b' ' {
        return if before.is_ascii() {
            !before.is_ascii_whitespace() && before != 0x0B
        } else {
            text.get(..at).and_then(|t| t.chars().next_back()).is_some_and(|c| !c.is_whitespace())
        };
    }
    before.is_ascii_alphanumeric() && here.is_ascii_punctuation() && here != b'\''
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::check_counter;
    use alloc::string::String;
    use alloc::vec::Vec;

    /// Pieces of every kind the patterns know, joined in an order that is the same in every run.
    fn mixtures() -> impl Iterator<Item = String> {
        let parts = [
            "word",
            "Word",
            "WORD",
            "naïve",
            "слово",
            "字",
            "かな",
            "한글",
            "ไทย",
            "e\u{301}",
            "'s",
            "'LL",
            "'",
            "1",
            "12345",
            "²",
            "٣",
            " ",
            "  ",
            "   ",
            "\n",
            "\r\n",
            "\t",
            "\u{B}",
            "\u{A0}",
            "\u{3000}",
            "\u{2028}",
            ".",
            ",",
            "\"",
            "{\"",
            "\":",
            "/",
            "//",
            "=====",
            "<|endoftext|>",
            "🙂",
            "👩‍👩‍👧",
            "—",
            "、",
            "\0",
            "\u{1B}[0m",
        ];
        let mut state = 7_u64;
        (0..400).map(move |i| {
            (0..i % 40 + 2)
                .map(|_| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    parts[(state >> 33) as usize % parts.len()]
                })
                .collect()
        })
    }

    #[test]
    fn every_place_to_stop_is_one_where_counts_add_up() {
        let mut places = 0;
        for text in mixtures() {
            for encoding in Encoding::ALL {
                let whole = encoding.count(&text).unwrap();
                for at in (1..text.len()).filter(|&at| splits_before(&text, at)) {
                    let parts = encoding.count(&text[..at]).unwrap() + encoding.count(&text[at..]).unwrap();
                    assert_eq!(parts, whole, "{} at {at} of {text:?}", encoding.name());
                    places += 1;
                }
            }
        }
        assert!(places > 1_000, "{places}");
    }

    #[test]
    fn stretches_are_the_text() {
        for text in [mixtures().collect::<String>(), "a".repeat(9_000), "é ".repeat(5_000), String::new()] {
            let stretches: Vec<&str> = Stretches(&text).collect();
            assert_eq!(stretches.concat(), text);
            assert!(stretches.iter().all(|s| !s.is_empty()));
        }
        let prose = "one more line of words, and then the next\n".repeat(1_000);
        assert!(Stretches(&prose).all(|s| s.len() <= STRETCH));
    }

    #[test]
    fn the_longest_token_is_as_long_as_we_say() {
        for encoding in Encoding::ALL {
            let vocabulary = encoding.vocabulary().unwrap();
            let longest = (0..210_000).map(|token| vocabulary.decode(&[token]).len()).max();
            assert_eq!(longest, Some(LONGEST_TOKEN), "{}", encoding.name());
        }
    }

    /// How many bytes are counted to find that a text has more than `limit` tokens.
    fn work(text: &str, limit: usize) -> usize {
        let mut counted = 0;
        let answer = sum_up_to(text, limit, |stretch| {
            counted += stretch.len();
            Encoding::O200kBase.count(stretch).unwrap()
        });
        assert_eq!(answer, None);
        counted
    }

    #[test]
    fn stopping_costs_the_limit_not_the_text() {
        // 128 bytes a token at most: of what is longer nothing is counted at all.
        assert_eq!(work(&"{\"id\":1}, ".repeat(3_000_000), 1_500), 0);
        assert_eq!(work(&"a".repeat(128 * 1_500 + 1), 1_500), 0);
        // Of what is shorter no more than the limit needs and one stretch.
        for unit in ["some words of prose ", "{\"id\":17,\"state\":\"open\"},", "слово и дело "] {
            let text = unit.repeat(128 * 1_500 / unit.len());
            let tokens = Encoding::O200kBase.count(&text).unwrap();
            let needed = text.len() * 1_500 / tokens;
            assert!(work(&text, 1_500) <= needed + 2 * STRETCH, "{unit:?}");
        }
    }

    #[test]
    fn both_are_counters() {
        for encoding in Encoding::ALL {
            check_counter(encoding).unwrap();
        }
    }
}
