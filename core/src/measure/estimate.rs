//! A token count without a vocabulary.

use crate::error::Error;
use crate::measure::TokenCounter;

/// A count without a vocabulary: **an estimate, never a count**.
///
/// It walks the text once and adds up mean costs, measured on real tool outputs and transcripts, of what byte-pair
/// encodings see: words by length and case, digits in threes, punctuation runs, white space, base64 and hex, and
/// letters by script. The costs stand between `o200k_base` and `cl100k_base`, which agree within a few percent on
/// English and code and differ by up to five times on other scripts.
///
/// # Error band
/// Over real tool output and transcripts of 2 KB and more, the estimate in percent of the exact count: 88 to 117 for
/// JSON, NDJSON, HTML, diffs and the transcripts of every provider, 80 to 115 for CSV and command output, 80 to 150
/// for logs (the worst repeats one phrase), 97 to 107 for English. Other languages in Latin letters are underrated,
/// at worst 61; other scripts lie between 70 and 157, where the encodings themselves are far apart. [`BANDS`] has the
/// figures by class, and a test measures them again. The weights were fitted on the same texts; a few words, other
/// tokenizers and texts made to mislead can be further off. Where a limit is hard, use an exact counter.
///
/// # Cost
/// One pass, integers only, no memory. [`count_up_to`](TokenCounter::count_up_to) stops within 512 bytes of the limit.
///
/// # Example
/// ```
/// use haversack::measure::{Estimate, TokenCounter};
///
/// assert_eq!(Estimate.count("How many tokens are these words?")?, 8);
/// # Ok::<(), haversack::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Estimate;

impl TokenCounter for Estimate {
    fn count(&self, text: &str) -> Result<usize, Error> {
        Ok(thousandths(text, u64::MAX).div_ceil(1000) as usize)
    }

    fn count_up_to(&self, text: &str, limit: usize) -> Result<Option<usize>, Error> {
        let enough = (limit as u64).saturating_mul(1000);
        let total = thousandths(text, enough);
        Ok((total <= enough).then_some(total.div_ceil(1000) as usize))
    }

    fn as_estimate(&self) -> Option<Estimate> {
        Some(*self)
    }
}

impl Estimate {
    /// As [`count`](TokenCounter::count), not rounded up to whole tokens.
    pub(crate) fn thousandths(text: &str) -> u64 {
        thousandths(text, u64::MAX)
    }
}

/// How far the estimate was off in whole texts of one class: percent of the exact count, lowest and highest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Band {
    /// What kind of text.
    pub class: &'static str,
    /// Against `o200k_base`.
    pub o200k_base: (u16, u16),
    /// Against `cl100k_base`.
    pub cl100k_base: (u16, u16),
}

const fn band(class: &'static str, o200k_base: (u16, u16), cl100k_base: (u16, u16)) -> Band {
    Band { class, o200k_base, cl100k_base }
}

/// The published error band, by kind of tool output and transcript (texts of 2 KB and more) and by language
/// (translations of a program's texts, a hundred sentences each).
pub const BANDS: &[Band] = &[
    band("tool-outputs/csv", (81, 109), (81, 114)),
    band("tool-outputs/diff", (88, 107), (99, 108)),
    band("tool-outputs/html", (98, 107), (98, 110)),
    band("tool-outputs/json", (92, 112), (88, 114)),
    band("tool-outputs/log", (84, 147), (81, 149)),
    band("tool-outputs/ndjson", (98, 112), (96, 112)),
    band("tool-outputs/text", (80, 111), (81, 111)),
    band("transcripts/anthropic", (93, 109), (93, 112)),
    band("transcripts/bedrock-converse", (98, 105), (94, 105)),
    band("transcripts/claude-code", (89, 102), (93, 103)),
    band("transcripts/gemini", (99, 113), (94, 107)),
    band("transcripts/inspect-eval-log", (100, 104), (95, 104)),
    band("transcripts/litellm-log", (97, 103), (97, 103)),
    band("transcripts/openai-chat", (96, 112), (94, 113)),
    band("transcripts/openai-responses", (98, 110), (94, 111)),
    band("transcripts/openhands-events", (99, 109), (100, 109)),
    band("transcripts/pi-session", (99, 101), (101, 103)),
    band("transcripts/request-sequences", (94, 116), (89, 117)),
    band("transcripts/specstory-markdown", (97, 107), (97, 107)),
    band("transcripts/swe-agent-traj", (96, 104), (96, 104)),
    band("translations/en", (99, 107), (98, 107)),
    band("translations/de", (84, 96), (70, 81)),
    band("translations/es", (90, 102), (78, 93)),
    band("translations/fr", (96, 103), (82, 92)),
    band("translations/it", (72, 85), (68, 80)),
    band("translations/no", (75, 86), (65, 77)),
    band("translations/pt", (90, 103), (75, 92)),
    band("translations/tr", (77, 88), (61, 71)),
    band("translations/uk", (118, 133), (78, 89)),
    band("translations/ar", (141, 156), (71, 78)),
    band("translations/ja", (111, 126), (84, 90)),
    band("translations/ko-KR", (112, 122), (77, 88)),
    band("translations/zh-CN", (132, 138), (101, 112)),
    band("translations/zh-TW", (103, 113), (71, 81)),
];

/// A run is looked at in parts of at most this many bytes, so that a count can stop inside it.
const LONGEST_RUN: usize = 512;

/// What stands before a piece and may be one token with it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lead {
    None,
    /// One space: free before a word, a token of its own before a digit.
    Space,
    /// One punctuation character or tab, not paid for yet.
    Mark,
}

/// The estimate in thousandths of a token, or any number above `enough` as soon as it is passed.
pub(super) fn thousandths(text: &str, enough: u64) -> u64 {
    let bytes = text.as_bytes();
    let (mut at, mut total) = (0, 0_u64);
    let mut lead = Lead::None;
    let mut after_mark = false;
    // A run of letters and digits is judged once, as a whole, and then taken word by word.
    let mut plain_until = 0;
    while let Some(&first) = bytes.get(at) {
        if total > enough {
            break;
        }
        let rest = &bytes[at..];
        // Most of a text is single spaces and plain words: what the general rules below say of them, at once.
        if first == b' ' && rest.get(1).is_some_and(|&next| !is_blank(next)) {
            lead = Lead::Space;
            at += 1;
            after_mark = false;
        } else if let Some(letters) = plain_word(rest) {
            total += row_of(&WORD, lead)[letters - 1];
            lead = Lead::None;
            at += letters;
            after_mark = false;
        } else if is_blank(first) {
            let run = run_of(rest, is_blank);
            let (cost, next) = blanks(&rest[..run], run < rest.len(), after_mark);
            total += cost;
            lead = next;
            at += run;
            after_mark = false;
        } else if is_letter(rest) || first.is_ascii_digit() {
            let mut run = 0;
            if at >= plain_until {
                run = run_of(rest, |b| b.is_ascii_alphanumeric());
                plain_until = at + run;
            }
            let (cost, used) = if is_dense(&rest[..run]) {
                (dense(&rest[..run]) + if lead == Lead::Mark { 600 } else { 0 }, run)
            } else if first.is_ascii_digit() {
                let digits = run_of(rest, |b| b.is_ascii_digit());
                (1000 * digits.div_ceil(3) as u64 + if lead == Lead::None { 0 } else { 1000 }, digits)
            } else {
                word(rest, lead)
            };
            total += cost;
            lead = Lead::None;
            at += used;
            after_mark = false;
        } else if first.is_ascii() {
            let run = run_of(rest, |b| b.is_ascii() && !b.is_ascii_alphanumeric() && !is_blank(b));
            if lead == Lead::Mark {
                total += 1000;
            }
            if run == 1 && lead == Lead::None && is_letter(&rest[1..]) {
                lead = Lead::Mark;
            } else {
                total += marks(&rest[..run]);
                lead = Lead::None;
            }
            at += run;
            after_mark = true;
        } else {
            let (cost, used) = script_run(&text[at..]);
            total += cost;
            lead = Lead::None;
            at += used;
            after_mark = false;
        }
    }
    if lead == Lead::Mark {
        total += 1000;
    }
    total
}

/// White space: newlines after punctuation are one token with it, the last space belongs to what follows, and runs
/// of either are few tokens however long.
fn blanks(run: &[u8], something_follows: bool, after_mark: bool) -> (u64, Lead) {
    let lines = run.iter().rposition(|&b| b == b'\n' || b == b'\r').map_or(0, |at| at + 1);
    let (head, tail) = run.split_at(lines);
    let only_lines = head.iter().all(|&b| b == b'\n' || b == b'\r');
    let mut cost = match (head.len(), only_lines) {
        (0, _) => 0,
        (1 | 2, true) if after_mark => 0,
        (n, true) => 1000 * n.div_ceil(16) as u64,
        (n, false) => 500 + 500 * memchr::memchr_iter(b'\n', head).count() as u64 + 1000 * (n / 128) as u64,
    };
    let Some((&last, before)) = tail.split_last() else {
        return (cost, Lead::None);
    };
    if !something_follows {
        return (cost + 1000 * tail.len().div_ceil(128) as u64, Lead::None);
    }
    cost += 1000 * before.len().div_ceil(128) as u64;
    (cost, if last == b' ' { Lead::Space } else { Lead::Mark })
}

/// Mean cost of a word by its number of letters, after a space, after a mark that is part of it, and otherwise.
/// Beyond the table [`LONG_WORD`] is paid for each letter.
const WORD: [[u64; 14]; 3] = [
    [1000, 1003, 1013, 1012, 1025, 1041, 1067, 1115, 1150, 1120, 1177, 1200, 1250, 1350],
    [1022, 1360, 1345, 1405, 1519, 1556, 1635, 1875, 2200, 2335, 2370, 2600, 2800, 3000],
    [1000, 1132, 1195, 1080, 1150, 1156, 1163, 1175, 1340, 1310, 1330, 1580, 1700, 2100],
];
/// The same for words in capitals.
const CAPITALS: [[u64; 14]; 3] = [
    [1050, 1010, 1244, 1164, 1640, 1278, 1318, 1412, 1820, 1884, 2065, 2300, 2400, 2500],
    [1185, 1824, 2147, 1965, 2284, 2100, 2200, 2900, 2900, 3050, 3100, 3200, 3436, 3700],
    [1003, 1067, 1652, 1570, 1680, 2052, 2462, 2808, 2900, 3350, 3587, 3923, 4500, 4700],
];
/// The same for capitals with small letters after them (`HTTPServer`).
const CAPITALS_THEN_SMALL: [[u64; 14]; 3] = [
    [1000, 1200, 1414, 1900, 1900, 2000, 2050, 2500, 2555, 2600, 2700, 2800, 2900, 3000],
    [2000, 2300, 2711, 3111, 3232, 3989, 4044, 4000, 4371, 4400, 4500, 4800, 5300, 5700],
    [1500, 1800, 2008, 2273, 3044, 3458, 3670, 3842, 4723, 4700, 4980, 5200, 5758, 5810],
];
const LONG_WORD: u64 = 500;
/// What a letter with an accent adds to its word.
const ACCENT: u64 = 700;

/// The row of a table of words for what stands before the word.
const fn row_of(table: &[[u64; 14]; 3], lead: Lead) -> &[u64; 14] {
    match lead {
        Lead::Space => &table[0],
        Lead::Mark => &table[1],
        Lead::None => &table[2],
    }
}

/// The letters of a word in small ASCII letters, the first of which may be a capital, when it ends before anything
/// that words go on with, and is too short to be judged as a whole.
fn plain_word(rest: &[u8]) -> Option<usize> {
    let capitals = usize::from(rest.first()?.is_ascii_uppercase());
    let small = small_letters(rest.get(capitals..)?);
    let letters = capitals + small;
    let goes_on = rest.get(letters).is_some_and(|b| b.is_ascii_alphanumeric() || !b.is_ascii());
    (small > 0 && letters < DENSE_FROM && !goes_on).then_some(letters)
}

/// How many small ASCII letters there are at the start; beyond [`DENSE_FROM`] it may be fewer than there are.
fn small_letters(rest: &[u8]) -> usize {
    let is_letter = |b: &&u8| b.is_ascii_lowercase();
    let mut at = 0;
    while at < DENSE_FROM {
        let Some(word) = rest.get(at..).and_then(<[u8]>::first_chunk::<8>) else {
            return at + rest.iter().skip(at).take_while(is_letter).count();
        };
        // Eight at once: of seven bits each, `a` and above pass into the eighth, and what is past `z` too.
        let word = u64::from_le_bytes(*word);
        let seven = word & 0x7f7f_7f7f_7f7f_7f7f;
        let from_a = seven + 0x1f1f_1f1f_1f1f_1f1f;
        let past_z = seven + 0x0505_0505_0505_0505;
        let others = !(from_a & !past_z & !word) & 0x8080_8080_8080_8080;
        if others != 0 {
            return at + (others.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    at
}

/// One word of Latin letters: capitals and then small ones. Its cost and its bytes.
fn word(rest: &[u8], lead: Lead) -> (u64, usize) {
    let capitals = run_of(rest, |b| b.is_ascii_uppercase());
    let (mut used, mut small, mut accents) = (capitals, 0, 0);
    while used < LONGEST_RUN {
        match &rest[used..] {
            [b'a'..=b'z', ..] => used += 1,
            [b, ..] if !b.is_ascii() && is_letter(&rest[used..]) => {
                accents += 1;
                used += if *b < 0xE0 { 2 } else { 3 };
            }
            _ => break,
        }
        small += 1;
    }
    let table = match (capitals, small) {
        (_, 0) => &CAPITALS,
        (0 | 1, _) => &WORD,
        _ => &CAPITALS_THEN_SMALL,
    };
    let row = row_of(table, lead);
    let letters = capitals + small;
    let within = row.get(letters.saturating_sub(1)).or(row.last()).copied().unwrap_or(1000);
    (within + LONG_WORD * letters.saturating_sub(row.len()) as u64 + ACCENT * accents, used)
}

/// Shorter runs of letters and digits are words.
const DENSE_FROM: usize = 12;

/// True for a run of letters and digits that changes between small, capital and digit at least twice in five
/// characters: base64, hex, random identifiers.
fn is_dense(run: &[u8]) -> bool {
    let kind = |b: u8| (b.is_ascii_digit(), b.is_ascii_uppercase());
    run.len() >= DENSE_FROM && run.windows(2).filter(|pair| kind(pair[0]) != kind(pair[1])).count() * 5 >= run.len() * 2
}

fn dense(run: &[u8]) -> u64 {
    let hex = run.iter().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
        || run.iter().all(|b| matches!(b, b'0'..=b'9' | b'A'..=b'F'));
    run.len() as u64 * if hex { 595 } else { 690 }
}

/// Mean cost of a punctuation run by its size, in which equal neighbours count twice at most (`=====` is one token).
/// Longer runs of one character are known to the encodings when they are rules and leaders, less so otherwise.
const MARKS: [u64; 12] = [1000, 1022, 1071, 1375, 1594, 2100, 2600, 3000, 3400, 3800, 4200, 4600];
const LONG_MARKS: u64 = 450;
const REPEATED_RULE: u64 = 18;
const REPEATED_MARK: u64 = 200;
/// What a control character adds: an escape is rarely one token with the sequence it starts.
const CONTROL: u64 = 600;

fn marks(run: &[u8]) -> u64 {
    let (mut size, mut same) = (1, 1);
    let mut extra = 0;
    for pair in run.windows(2) {
        same = if pair[0] == pair[1] { same + 1 } else { 1 };
        match same {
            1 | 2 => size += 1,
            _ if b"-=#*._/".contains(&pair[1]) => extra += REPEATED_RULE,
            _ => extra += REPEATED_MARK,
        }
    }
    extra += CONTROL * run.iter().filter(|b| b.is_ascii_control()).count() as u64;
    let within = MARKS.get(size - 1).or(MARKS.last()).copied().unwrap_or(1000);
    within + LONG_MARKS * size.saturating_sub(MARKS.len()) as u64 + extra
}

/// Scripts and blocks above ASCII in ascending order: the last code point, what a run costs, what each character
/// adds. The figures are the geometric means of the two encodings where they differ.
const SCRIPTS: &[(u32, u64, u64)] = &[
    (0x00BF, 0, 1000),    // Latin-1 signs
    (0x02FF, 0, 1200),    // rare Latin
    (0x036F, 0, 900),     // combining marks
    (0x03FF, 500, 600),   // Greek
    (0x052F, 700, 400),   // Cyrillic
    (0x058F, 300, 780),   // Armenian
    (0x05FF, 450, 600),   // Hebrew
    (0x08FF, 400, 500),   // Arabic, Syriac
    (0x097F, 600, 580),   // Devanagari
    (0x0DFF, 400, 780),   // the other scripts of India
    (0x0EFF, 500, 650),   // Thai, Lao
    (0x109F, 400, 1100),  // Tibetan, Burmese
    (0x10FF, 300, 780),   // Georgian
    (0x11FF, 450, 1500),  // Hangul letters
    (0x137F, 400, 1500),  // Ethiopic
    (0x1EFF, 400, 1050),  // Khmer, Mongolian …
    (0x1FFF, 500, 1500),  // old Greek
    (0x206F, 0, 900),     // dashes, quotes, bullets, joiners
    (0x20FF, 0, 1400),    // currency
    (0x24FF, 0, 1500),    // letter-like, arrows, mathematics
    (0x259F, 0, 1600),    // lines and blocks
    (0x2BFF, 0, 1800),    // shapes, dingbats
    (0x2FFF, 0, 2000),    // rare letters
    (0x303F, 0, 850),     // CJK punctuation
    (0x30FF, 400, 620),   // kana
    (0x33FF, 0, 1500),    // CJK signs
    (0x9FFF, 250, 920),   // Han
    (0xABFF, 0, 1700),    // rare scripts
    (0xD7FF, 450, 700),   // Hangul
    (0xF8FF, 0, 2500),    // private use
    (0xFDFF, 0, 1700),    // rare Han, Arabic forms
    (0xFE0F, 0, 700),     // variation selectors
    (0xFFFF, 0, 1200),    // full and half width forms
    (0x1_EFFF, 0, 2500),  // historic scripts, styled letters
    (0x1_FAFF, 0, 1900),  // emoji
    (0x10_FFFF, 0, 3000), // rare Han, tags
];

/// A sign that repeats the one before it (`────`) costs this part of the first.
const REPEATED: u64 = 6;

/// A run of characters of one row of [`SCRIPTS`]. Its cost and its bytes.
fn script_run(text: &str) -> (u64, usize) {
    let (mut cost, mut used) = (0, 0);
    let mut row = None;
    let mut before = None;
    for c in text.chars() {
        let here = SCRIPTS.partition_point(|&(last, ..)| last < u32::from(c));
        let stop = c.is_ascii() || row.is_some_and(|row| row != here) || is_letter(&text.as_bytes()[used..]);
        if (stop && used > 0) || used >= LONGEST_RUN {
            break;
        }
        let &(_, run, each) = SCRIPTS.get(here).unwrap_or(&(0, 0, 3000));
        if row.is_none() {
            cost += run;
        }
        cost += if run == 0 && before == Some(c) { each / REPEATED } else { each };
        row = Some(here);
        before = Some(c);
        used += c.len_utf8();
    }
    (cost.max(1000), used)
}

fn is_blank(b: u8) -> bool {
    b.is_ascii_whitespace() || b == 0x0B
}

/// True when a Latin letter starts here: ASCII, U+00C0 to U+024F, or U+1E00 to U+1EFF (Vietnamese).
fn is_letter(rest: &[u8]) -> bool {
    match rest {
        [b, ..] if b.is_ascii() => b.is_ascii_alphabetic(),
        [0xC3, second, ..] => !matches!(second, 0x97 | 0xB7),
        [0xC4..=0xC8, ..] | [0xE1, 0xB8..=0xBB, ..] => true,
        [0xC9, second, ..] => *second <= 0x8F,
        _ => false,
    }
}

/// Bytes at the start that are of a kind, at most [`LONGEST_RUN`].
fn run_of(rest: &[u8], of: impl Fn(u8) -> bool) -> usize {
    rest.iter().take(LONGEST_RUN).take_while(|&&b| of(b)).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::check_counter;
    use alloc::string::String;

    fn count(text: &str) -> usize {
        Estimate.count(text).unwrap()
    }

    #[test]
    fn keeps_the_rules_of_a_counter() {
        check_counter(&Estimate).unwrap();
    }

    #[test]
    fn rows_of_scripts_ascend() {
        assert!(SCRIPTS.is_sorted_by(|a, b| a.0 < b.0));
        assert_eq!(SCRIPTS.last().map(|row| row.0), Some(0x10_FFFF));
    }

    #[test]
    fn known_texts() {
        for (text, n) in [
            ("", 0),
            (" ", 1),
            ("a", 1),
            ("hello world", 3), // 2.1, rounded up
            ("12345678", 3),
            ("\n\n", 1),
            ("\t", 1),
            (".", 1),
            (".a", 2),
        ] {
            assert_eq!(count(text), n, "{text:?}");
        }
    }

    #[test]
    fn no_text_is_free_and_none_costs_more_than_four_a_byte() {
        for c in (0..0x11_0000).step_by(17).filter_map(char::from_u32) {
            for text in [String::from(c), [c; 40].iter().collect(), alloc::format!("x {c}, {c}")] {
                let n = count(&text);
                assert!(n > 0 && n <= 4 * text.len() + 1, "{n} for {text:?}");
            }
        }
    }

    #[test]
    fn plain_words_cost_what_words_cost() {
        for word in ["a", "Word", "plain", "elevenchars", "twelveletters", "A", "HTTPServer", "a1", "né", "x_"] {
            for lead in [Lead::Space, Lead::Mark, Lead::None] {
                let Some(letters) = plain_word(word.as_bytes()) else {
                    continue;
                };
                assert_eq!((row_of(&WORD, lead)[letters - 1], letters), super::word(word.as_bytes(), lead), "{word}");
            }
        }
        let plain = |word: &str| plain_word(word.as_bytes());
        assert_eq!(["plain", "Word", "elevenchars", "x_"].map(plain), [Some(5), Some(4), Some(11), Some(1)]);
        assert_eq!(["", "A", "a1", "né", "HTTPServer", "twelveletters", "1"].map(plain), [None; 7]);
    }

    #[test]
    fn small_letters_are_counted_in_bytes_of_every_kind() {
        for byte in 0..=u8::MAX {
            for place in 0..20 {
                let mut text = *b"abcdefghijklmnopqrstuvwxyz";
                text[place] = byte;
                let slow = text.iter().take_while(|b| b.is_ascii_lowercase()).count();
                assert_eq!(small_letters(&text).min(DENSE_FROM), slow.min(DENSE_FROM), "{byte} at {place}");
                let cut = &text[..=place];
                let slow = cut.iter().take_while(|b| b.is_ascii_lowercase()).count();
                assert_eq!(small_letters(cut).min(DENSE_FROM), slow.min(DENSE_FROM), "{byte} at the end, {place}");
            }
        }
    }

    #[test]
    fn a_megabyte_of_one_kind_is_many_tokens() {
        // The longest token of the encodings has 128 bytes: less than a quarter of that bound would be no estimate.
        for unit in
            ["a", "A", " ", "\n", "\t", "1", "=", ",", "\0", "é", "一", "😀", "─", "e\u{301}", "{\"a\":[", "aB3"]
        {
            let text = unit.repeat(1_000_000 / unit.len());
            assert!(count(&text) > 1_000_000 / 128 / 4, "{unit:?}: {}", count(&text));
        }
    }

    #[test]
    fn stops_early_on_any_text() {
        // Work, not time: what is left of the text when the limit is passed is not looked at, so it can be anything.
        for unit in ["a", " ", "=", "一", "😀", "{\"a\":[1,2]} "] {
            let text = unit.repeat(200_000);
            assert_eq!(Estimate.count_up_to(&text, 10).unwrap(), None);
            let seen = thousandths(&text, 10_000);
            assert!(seen <= 10_000 + 4 * 1000 * LONGEST_RUN as u64, "{unit:?}: {seen}");
        }
    }

    #[test]
    fn every_way_to_cut_words_is_counted_once() {
        // A text of pieces that touch no neighbour is the sum of its lines.
        let lines = ["plain words here", "{\"id\":17,\"ok\":true}", "naïve façade", "слово 字 かな", "a9F3b7C1d5E2"];
        let sum: u64 = lines.iter().map(|line| thousandths(line, u64::MAX)).sum();
        let joined = lines.to_vec().join("\n\n\n");
        let between = thousandths("\n\n\n", u64::MAX) * (lines.len() as u64 - 1);
        assert_eq!(thousandths(&joined, u64::MAX), sum + between);
    }
}
