//! Times and dates.

use super::{Value, VolatileKind, before, says};

/// Words behind which a date is today's, or a time is now.
const NOW: &[&str] = &["today", "now", "current", "date is", "date:", "time is", "time:", "it is"];
/// Words behind which a date is one that stays.
const THEN: &[&str] = &["cutoff", "cut-off", "until", "since", "version", "release", "updated", "example", "e.g."];
const EPOCH: &[&str] = &["epoch", "unix", "time", "stamp", "now"];

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
const DAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// A date, a time, both, or seconds since 1970, that starts with the digit at `at`.
pub(super) fn from_digit(text: &[u8], at: usize) -> Option<Value> {
    let part_of_more =
        at.checked_sub(1).and_then(|i| text.get(i)).is_some_and(|b| matches!(b, b'-' | b'.' | b',' | b'+'));
    if part_of_more {
        return None;
    }
    let digits = digits(text, at);
    let value = |end, kind, certain| Some(Value { start: at, end, kind, certain });
    if let Some(date_end) = iso_date(text, at, digits) {
        let has_time = matches!(text.get(date_end), Some(b'T' | b' ')).then(|| clock(text, date_end + 1)).flatten();
        return match has_time {
            Some((end, _)) => value(end, VolatileKind::Time, true),
            None => ends(text, date_end).then(|| value(date_end, VolatileKind::Date, is_today(text, at))).flatten(),
        };
    }
    if let Some((end, has_seconds)) = clock(text, at) {
        let now = has_seconds || says(&before(text, at), NOW);
        return value(end, VolatileKind::Time, now);
    }
    if let Some(end) = day_and_month(text, at, digits) {
        return value(end, VolatileKind::Date, is_today(text, at));
    }
    let mut end = at + digits;
    // From 2001 to 2033, in seconds or milliseconds.
    if matches!(digits, 10 | 13) && text.get(at) == Some(&b'1') {
        let fraction = self::digits(text, end + 1);
        if text.get(end) == Some(&b'.') && fraction > 0 {
            end += 1 + fraction;
        }
        return ends(text, end).then(|| value(end, VolatileKind::Time, says(&before(text, at), EPOCH))).flatten();
    }
    None
}

/// A date that starts with the name of a month or a day at `at`, which is a word of `len` bytes.
pub(super) fn from_name(text: &[u8], at: usize, len: usize) -> Option<Value> {
    let value = |end| Some(Value { start: at, end, kind: VolatileKind::Date, certain: is_today(text, at) });
    if is_one_of(text, at, len, &DAYS) {
        // `Monday, May 6, 2031`, `Monday, 2031-05-06`, or the day alone.
        let mut next = at + len;
        next += usize::from(text.get(next) == Some(&b','));
        next += usize::from(text.get(next) == Some(&b' '));
        let word = word(text, next);
        let digits = digits(text, next);
        let end = month_and_day(text, next, word)
            .or_else(|| iso_date(text, next, digits))
            .or_else(|| day_and_month(text, next, digits));
        return value(end.unwrap_or(at + len));
    }
    value(month_and_day(text, at, len)?)
}

fn is_today(text: &[u8], at: usize) -> bool {
    let window = before(text, at);
    says(&window, NOW) && !says(&window, THEN)
}

fn digits(text: &[u8], at: usize) -> usize {
    text.get(at..).unwrap_or_default().iter().take(20).take_while(|b| b.is_ascii_digit()).count()
}

fn word(text: &[u8], at: usize) -> usize {
    text.get(at..).unwrap_or_default().iter().take(20).take_while(|b| b.is_ascii_alphabetic()).count()
}

fn number(text: &[u8], at: usize, len: usize) -> usize {
    text.get(at..at + len).unwrap_or_default().iter().fold(0, |n, b| n * 10 + usize::from(b & 15))
}

/// No letter or digit goes on behind a value.
fn ends(text: &[u8], end: usize) -> bool {
    !text.get(end).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_')
}

fn is_one_of(text: &[u8], at: usize, len: usize, names: &[&str]) -> bool {
    let word = text.get(at..at + len).unwrap_or_default();
    let capital = word.first().is_some_and(u8::is_ascii_uppercase);
    capital && names.iter().any(|name| word.eq_ignore_ascii_case(name.as_bytes()))
}

fn is_month(text: &[u8], at: usize, len: usize) -> bool {
    let short = len == 3 && {
        let word = text.get(at..at + 3).unwrap_or_default();
        let capital = word.first().is_some_and(u8::is_ascii_uppercase);
        capital && MONTHS.iter().any(|month| month.as_bytes().get(..3).is_some_and(|m| word.eq_ignore_ascii_case(m)))
    };
    short || is_one_of(text, at, len, &MONTHS)
}

/// The end of `2031-05-06` or `2031/05/06`.
fn iso_date(text: &[u8], at: usize, digits: usize) -> Option<usize> {
    let separator = *text.get(at + 4)?;
    let month = number(text, at + 5, 2);
    let day = number(text, at + 8, 2);
    let good = digits == 4
        && matches!(separator, b'-' | b'/')
        && self::digits(text, at + 5) == 2
        && text.get(at + 7) == Some(&separator)
        && self::digits(text, at + 8) == 2
        && (1..=12).contains(&month)
        && (1..=31).contains(&day);
    good.then_some(at + 10)
}

/// The end of a time of day, and whether it has seconds (or says am, pm).
fn clock(text: &[u8], at: usize) -> Option<(usize, bool)> {
    let hours = digits(text, at);
    let two = |at: usize| text.get(at) == Some(&b':') && digits(text, at + 1) == 2 && number(text, at + 1, 2) < 60;
    if !matches!(hours, 1 | 2) || number(text, at, hours) > 24 || !two(at + hours) {
        return None;
    }
    let mut end = at + hours + 3;
    let has_seconds = two(end);
    if has_seconds {
        end += 3;
        let fraction = digits(text, end + 1);
        if matches!(text.get(end), Some(b'.' | b',')) && fraction > 0 {
            end += 1 + fraction;
        }
    }
    // Z, +02:00, +0200, am and pm.
    let blank = usize::from(text.get(end) == Some(&b' '));
    let rest = |n: usize| text.get(end + n..end + n + 2).unwrap_or_default();
    let half_day =
        [b"am", b"pm"].iter().any(|half| rest(blank).eq_ignore_ascii_case(*half)) && ends(text, end + blank + 2);
    if half_day {
        end += blank + 2;
    } else if text.get(end) == Some(&b'Z') {
        end += 1;
    } else if matches!(text.get(end), Some(b'+' | b'-')) && has_seconds {
        let zone = match digits(text, end + 1) {
            4 => 5,
            2 if two(end + 3) => 6,
            2 => 3,
            _ => 0,
        };
        end += zone;
    }
    ends(text, end).then_some((end, has_seconds))
}

/// The end of `May 6`, `May 6th, 2031`.
fn month_and_day(text: &[u8], at: usize, len: usize) -> Option<usize> {
    if !is_month(text, at, len) || text.get(at + len) != Some(&b' ') {
        return None;
    }
    let day = at + len + 1;
    let count = digits(text, day);
    if !matches!(count, 1 | 2) {
        return None;
    }
    let mut end = day + count;
    if [b"st", b"nd", b"rd", b"th"].iter().any(|s| text.get(end..end + 2) == Some(s.as_slice())) {
        end += 2;
    }
    let year = end + if text.get(end) == Some(&b',') { 2 } else { 1 };
    if digits(text, year) == 4 && text.get(year - 1) == Some(&b' ') {
        end = year + 4;
    }
    ends(text, end).then_some(end)
}

/// The end of `6 May 2031`.
fn day_and_month(text: &[u8], at: usize, count: usize) -> Option<usize> {
    let month = at + count + 1;
    let len = word(text, month);
    if !matches!(count, 1 | 2) || text.get(month - 1) != Some(&b' ') || !is_month(text, month, len) {
        return None;
    }
    let end = month + len;
    let with_year = text.get(end) == Some(&b' ') && digits(text, end + 1) == 4;
    Some(if with_year { end + 5 } else { end })
}
