//! What is missing of a string that was cut: a gap in its own lines, which a cursor can name.

use alloc::string::String;

use super::marks::marker_in;
use crate::deliver::cursor::{self, Gap};
use crate::json::decode_key;

/// From character `skip` of line `from` to the start of line `to`, or to the end; lines from 0.
///
/// A line of which only the end is there is missing as a whole: cursors end between lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StringGap {
    pub(crate) from: usize,
    pub(crate) skip: usize,
    pub(crate) to: Option<usize>,
}

impl StringGap {
    /// The gap between `text[..head]` and `text[tail..]`. `lines` is how many the whole string has, where that is
    /// known; `joined` says that the character before `tail` is not the one before it in the string.
    pub(crate) fn between(text: &str, head: usize, tail: usize, lines: Option<usize>, joined: bool) -> Self {
        let before = text.get(..head).unwrap_or_default();
        let start = before.rfind('\n').map_or(0, |i| i + 1);
        let from = line_breaks(before);
        let skip = before.get(start..).unwrap_or_default().chars().count();
        let after = text.get(tail..).unwrap_or_default();
        let starts_line = !joined && text.get(..tail).is_some_and(|t| t.ends_with('\n'));
        let to = lines.filter(|_| !after.is_empty()).and_then(|lines| {
            let at = lines.saturating_sub(line_count(after)) + usize::from(!starts_line);
            (at < lines && at > from).then_some(at)
        });
        StringGap { from, skip, to }
    }

    /// The gap that the marker of an earlier cut in the raw string tells of.
    pub(crate) fn stated(raw: &str) -> Option<Self> {
        let text = decode_key(raw);
        let (start, end, _, gone) = marker_in(&text)?;
        if gone == 0 {
            // How many lines went with the middle is not said.
            return Some(StringGap::between(&text, start, end, None, true));
        }
        let from = lines_above(&text, start);
        let to = (end < text.len()).then_some(from.saturating_add(gone));
        Some(StringGap { from, skip: 0, to })
    }

    /// The cursor of this gap in the string at a raw path.
    pub(crate) fn cursor(&self, path: &str, tag: Option<&str>) -> Option<String> {
        cursor::render(&[self.named(path)], tag)
    }

    pub(crate) fn named(&self, path: &str) -> Gap {
        Gap { offset: (self.skip > 0).then_some(self.skip), ..Gap::new(path, self.from, self.to) }
    }
}

/// Lines of the head above a marker, whose break before it is not part of `text[..start]`.
pub(crate) fn lines_above(text: &str, start: usize) -> usize {
    line_breaks(text.get(..start).unwrap_or_default()) + usize::from(start > 0)
}

fn line_breaks(text: &str) -> usize {
    text.bytes().filter(|b| *b == b'\n').count()
}

/// Lines of a text: a last one without line break counts.
pub(crate) fn line_count(text: &str) -> usize {
    line_breaks(text) + usize::from(!text.is_empty() && !text.ends_with('\n'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gap(from: usize, skip: usize, to: Option<usize>) -> StringGap {
        StringGap { from, skip, to }
    }

    #[test]
    fn a_gap_ends_between_lines() {
        let text = "one\ntwo\nthree\nfour\n";
        let at = |s: &str| text.find(s).unwrap();
        let between = |head, tail| StringGap::between(text, head, tail, Some(4), false);
        assert_eq!(between(at("two"), at("four")), gap(1, 0, Some(3)));
        assert_eq!(between(at("wo"), at("our")), gap(1, 1, None));
        assert_eq!(between(at("wo"), at("ree")), gap(1, 1, Some(3)));
        assert_eq!(between(0, at("two")), gap(0, 0, Some(1)));
        assert_eq!(between(at("four"), text.len()), gap(3, 0, None));
        assert_eq!(StringGap::between("abc", 1, 2, Some(1), false), gap(0, 1, None));
        assert_eq!(StringGap::between(text, at("two"), at("four"), None, false), gap(1, 0, None));
        assert_eq!(StringGap::between(text, at("two"), at("four"), Some(9), true), gap(1, 0, None));
    }

    #[test]
    fn a_marker_tells_its_gap() {
        let stated = |text: &str| {
            let mut raw = String::from("\"");
            crate::json::write_escaped(text, &mut raw);
            raw.push('"');
            StringGap::stated(&raw)
        };
        assert_eq!(stated("a\nb\n[5 of 8 lines, 90 chars omitted]\nc\n"), Some(gap(2, 0, Some(7))));
        assert_eq!(stated("[5 of 8 lines, 90 chars omitted]\nc\nd\ne"), Some(gap(0, 0, Some(5))));
        assert_eq!(stated("a\nb\nc\n[5 of 8 lines, 90 chars omitted]\n"), Some(gap(3, 0, None)));
        assert_eq!(stated("a\nbc…[9 chars omitted]…z\n"), Some(gap(1, 2, None)));
        assert_eq!(stated("nothing"), None);
    }
}
