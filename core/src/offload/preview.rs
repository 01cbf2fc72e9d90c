//! What a pointer shows of the payload: whole records of JSON, the ends of text, and how much is missing.

use alloc::string::String;

use memchr::memchr_iter;

use crate::deliver::snip::snip;
use crate::deliver::{DeliverOptions, Format, Keep, deliver};
use crate::error::Error;
use crate::measure::{Budget, Unit};
use crate::wording;

/// A text with at least so many line breaks is cut on lines.
const BREAKS_OF_LINES: usize = 3;

/// What the pointer shows of `text`: of JSON whole records and their counts where that fits, else an excerpt.
pub(crate) fn preview(text: &str, format: Format, budget: &Budget<'_>, keep: Keep) -> Result<String, Error> {
    if format == Format::Json
        && let Ok(d) = deliver(text, DeliverOptions::new(*budget).format(format).keep(keep))
    {
        return Ok(d.into_text());
    }
    excerpt(text, budget, keep)
}

/// An excerpt of `text` within `budget`, marker included; empty when not even the marker fits.
///
/// Time linear in the text. With a token counter at most `bits(32 · limit) + 2` calls, each for at most 32 bytes a
/// token of the limit.
pub(crate) fn excerpt(text: &str, budget: &Budget<'_>, keep: Keep) -> Result<String, Error> {
    if budget.fits(text)?.is_some() {
        return Ok(String::from(text));
    }
    let breaks = memchr_iter(b'\n', text.as_bytes()).count();
    let source =
        Source { text, keep, chars: text.chars().count(), breaks, lines: breaks + usize::from(!text.ends_with('\n')) };
    if budget.is_counted() {
        return source.counted(budget);
    }
    source.within(budget).map(Option::unwrap_or_default)
}

struct Source<'a> {
    text: &'a str,
    keep: Keep,
    chars: usize,
    breaks: usize,
    lines: usize,
}

impl Source<'_> {
    /// Counts are not monotonic, so this finds a large excerpt that fits, not always the largest.
    fn counted(&self, budget: &Budget<'_>) -> Result<String, Error> {
        let mut best = String::new();
        let (mut low, mut high) = (0, self.text.len().min(budget.limit().saturating_mul(32)));
        while low < high {
            let goal = low + (high - low).div_ceil(2);
            let draft = self.within(&Budget::bytes(goal))?.unwrap_or_default();
            if budget.fits(&draft)?.is_some() {
                best = draft;
                low = goal;
            } else {
                high = goal - 1;
            }
        }
        Ok(best)
    }

    /// An excerpt within a budget of bytes, chars or utf16; `None` when the marker does not fit.
    fn within(&self, budget: &Budget<'_>) -> Result<Option<String>, Error> {
        if self.breaks >= BREAKS_OF_LINES
            && let Some(excerpt) = self.by_lines(budget)?
        {
            return Ok(Some(excerpt));
        }
        self.by_chars(budget)
    }

    /// Whole lines; `None` when not one of them fits.
    fn by_lines(&self, budget: &Budget<'_>) -> Result<Option<String>, Error> {
        let widest = budget.size(&wording::excerpt_lines(self.lines, self.lines))?.saturating_add(1);
        let Some(room) = budget.limit().checked_sub(widest) else { return Ok(None) };
        let first = match self.keep {
            Keep::Head => room,
            Keep::Both => room.div_ceil(2),
            Keep::Tail => 0,
        };
        let mut head = Taken::default();
        for line in self.text.split_inclusive('\n') {
            if !head.take(line, first, budget)? {
                break;
            }
        }
        let mut tail = Taken::default();
        if self.keep != Keep::Head {
            let rest = self.text.get(head.bytes..).unwrap_or_default();
            for line in rest.split_inclusive('\n').rev() {
                if !tail.take(line, room - head.size, budget)? {
                    break;
                }
            }
        }
        if self.keep == Keep::Both {
            let end = self.text.len() - tail.bytes;
            for line in self.text.get(head.bytes..end).unwrap_or_default().split_inclusive('\n') {
                if !head.take(line, room - tail.size, budget)? {
                    break;
                }
            }
        }
        if head.lines + tail.lines == 0 {
            return Ok(None);
        }
        let (before, after) = self.ends(head.bytes, self.text.len() - tail.bytes);
        let marker = wording::excerpt_lines(self.lines - head.lines - tail.lines, self.lines);
        let line_break = if after.is_empty() { "" } else { "\n" };
        Ok(Some(alloc::format!("{before}{marker}{line_break}{after}")))
    }

    fn by_chars(&self, budget: &Budget<'_>) -> Result<Option<String>, Error> {
        let widest =
            budget.size(&wording::excerpt_chars(self.chars, self.keep != Keep::Tail, self.keep != Keep::Head))?;
        let Some(room) = budget.limit().checked_sub(widest) else { return Ok(None) };
        let unit = if budget.is_counted() { Unit::Bytes } else { budget.unit() };
        let (head, tail) = match self.keep {
            Keep::Head => (room, 0),
            Keep::Both => (room.div_ceil(2), room / 2),
            Keep::Tail => (0, room),
        };
        let ends = snip(self.text, head, tail, unit);
        let (before, after) = self.ends(ends.head, ends.tail);
        let missing = self.chars - before.chars().count() - after.chars().count();
        let marker = wording::excerpt_chars(missing, !before.is_empty(), !after.is_empty());
        Ok(Some(alloc::format!("{before}{marker}{after}")))
    }

    fn ends(&self, head: usize, tail: usize) -> (&str, &str) {
        (self.text.get(..head).unwrap_or_default(), self.text.get(tail..).unwrap_or_default())
    }
}

/// Lines taken from one end.
#[derive(Default)]
struct Taken {
    lines: usize,
    bytes: usize,
    size: usize,
}

impl Taken {
    fn take(&mut self, line: &str, room: usize, budget: &Budget<'_>) -> Result<bool, Error> {
        let size = self.size.saturating_add(budget.size(line)?);
        if size > room {
            return Ok(false);
        }
        *self = Taken { lines: self.lines + 1, bytes: self.bytes + line.len(), size };
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    fn log() -> String {
        (1..=100).flat_map(|i| [String::from("line "), format!("{i}\n")]).collect()
    }

    #[test]
    fn both_ends_of_lines() {
        let text = excerpt(&log(), &Budget::chars(60), Keep::Both).unwrap();
        assert_eq!(text, "line 1\nline 2\n[96 of 100 lines omitted]\nline 99\nline 100\n");
    }

    #[test]
    fn one_end_by_name() {
        let head = excerpt(&log(), &Budget::chars(50), Keep::Head).unwrap();
        assert_eq!(head, "line 1\nline 2\nline 3\n[97 of 100 lines omitted]");
        let tail = excerpt(&log(), &Budget::chars(50), Keep::Tail).unwrap();
        assert_eq!(tail, "[98 of 100 lines omitted]\nline 99\nline 100\n");
    }

    #[test]
    fn an_endless_line_is_cut_between_characters() {
        let line = "äöü€".repeat(100);
        let text = excerpt(&line, &Budget::chars(41), Keep::Both).unwrap();
        assert_eq!(text, "äöü€äöü€äö…[380 chars omitted]…ü€äöü€äöü€");
        let text = excerpt(&line, &Budget::bytes(40), Keep::Head).unwrap();
        assert_eq!(text, "äöü€äöü€…[392 chars omitted]");
    }

    #[test]
    fn lines_that_do_not_fit_are_cut_like_one() {
        let text = "x".repeat(500) + "\n" + &"y".repeat(500) + "\n\n\n" + &"z".repeat(500);
        let text = excerpt(&text, &Budget::chars(60), Keep::Both).unwrap();
        assert!(text.starts_with("xxx") && text.ends_with("zzz") && text.contains(" chars omitted]"), "{text}");
    }

    #[test]
    fn never_over_and_never_a_half_marker() {
        let texts = [log(), "é".repeat(300), "👩‍👩‍👧 ".repeat(40), String::from("\n\n\n\n")];
        for text in &texts {
            for limit in 0..200 {
                for keep in [Keep::Head, Keep::Tail, Keep::Both] {
                    for budget in [Budget::bytes(limit), Budget::chars(limit), Budget::utf16(limit)] {
                        let out = excerpt(text, &budget, keep).unwrap();
                        assert!(budget.size(&out).unwrap() <= limit, "{budget:?} {keep:?}: {out}");
                        assert!(out.is_empty() || out == *text || out.contains(" omitted]"), "{out}");
                    }
                }
            }
        }
    }

    #[test]
    fn tokens_are_counted_on_what_is_shown() {
        struct Words;
        impl crate::measure::TokenCounter for Words {
            fn count(&self, text: &str) -> Result<usize, Error> {
                Ok(text.split_whitespace().count())
            }
        }
        let counter = crate::measure::Recording::new(Words);
        let budget = Budget::tokens(30, &counter);
        let out = excerpt(&log(), &budget, Keep::Both).unwrap();
        let n = budget.size(&out).unwrap();
        assert!((27..=30).contains(&n), "{n}: {out}");
        assert!(counter.calls() <= 14, "{} calls", counter.calls());
        assert!(counter.bytes() <= 14 * 32 * 30 + log().len(), "{} bytes", counter.bytes());
    }
}
