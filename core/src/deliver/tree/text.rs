//! Long strings: binary data becomes a label, JSON inside is cut on its records, lines on lines, the rest in its
//! middle.

use alloc::borrow::Cow;
use alloc::string::String;

use super::blob;
use super::cut::Text;
use super::document;
use super::fill::Cutter;
use super::string_gap::{StringGap, line_count};
use super::view::{Between, Decoded, View};
use crate::deliver::options::Keep;
use crate::deliver::snip;
use crate::error::Error;
use crate::json::{Node, decode_key, unescape};
use crate::measure::Unit;
use crate::wording;

/// Line breaks from which a string is cut on its lines.
const MANY_LINES: usize = 3;
/// Rounds of narrowing where sizes do not add up.
const TOKEN_ROUNDS: usize = 3;

/// The least a string can be cut to; its own size when it is not worth cutting.
///
/// # Errors
/// Those of the counter.
pub(crate) fn floor(cutter: &Cutter<'_, '_>, node: &Node, size: usize) -> Result<usize, Error> {
    // A label of an earlier cut is atomic.
    if size < 12 || is_label(cutter, node) {
        return Ok(size);
    }
    if cutter.marks.any()
        && let Some(least) = stated_inside(cutter, node)?
    {
        return Ok(least.min(size));
    }
    let raw = node.raw(cutter.view.text);
    if let Some(label) = blob_label(raw) {
        let label = cutter.view.size_of_ours(&alloc::format!("\"{label}\"")) + 2;
        return Ok(label.min(size));
    }
    let chars = node.end - node.start;
    let marker = cutter.view.size_of_ours(&wording::chars_omitted(chars)) + quotes(cutter);
    Ok(marker.min(size))
}

/// A string that an earlier cut replaced by words of ours.
fn is_label(cutter: &Cutter<'_, '_>, node: &Node) -> bool {
    let raw = node.raw(cutter.view.text);
    cutter.marks.any() && raw.get(1..raw.len().saturating_sub(1)).is_some_and(wording::is_label)
}

/// The label of a raw string that is binary data.
fn blob_label(raw: &str) -> Option<String> {
    if !blob::may_be(raw) {
        return None;
    }
    if raw.contains('\\') {
        return blob::label(&decode_key(raw));
    }
    blob::label(raw.get(1..raw.len().saturating_sub(1))?)
}

/// The least of a string whose JSON was cut before: it can only be cut as JSON again, or its counts would be lost.
fn stated_inside(cutter: &Cutter<'_, '_>, node: &Node) -> Result<Option<usize>, Error> {
    let raw = node.raw(cutter.view.text);
    let may_open = cutter.options.nested && cutter.view.level() < cutter.options.limits.nested_strings;
    if !may_open || !(raw.contains("omitted\\\":") || raw.contains("total\\\":")) {
        return Ok(None);
    }
    let decoded = Decoded::new(raw);
    let Ok(scan) = document::check_document(&decoded.text, cutter.options.limits.depth) else { return Ok(None) };
    let view = View::inside(cutter.view, *node, &decoded, &scan);
    if !document::is_stated(&view) {
        return Ok(None);
    }
    Ok(Some(document::least_inside(&view, cutter)?.map_or(usize::MAX, |n| n + quotes(cutter))))
}

fn quotes(cutter: &Cutter<'_, '_>) -> usize {
    if cutter.view.is_counted() { 2 } else { 2 * cutter.view.size_of_ours("\"").min(2 << cutter.view.level()) }
}

/// Cuts a string to `cap` units, quotes included, or answers `None` when nothing visibly shorter fits.
///
/// # Errors
/// Those of the counter.
pub(crate) fn cut(cutter: &Cutter<'_, '_>, node: &Node, cap: usize) -> Result<Option<(Text, usize)>, Error> {
    let view = cutter.view;
    let raw = node.raw(view.text);
    if is_label(cutter, node) {
        return Ok(None);
    }
    if let Some(label) = blob_label(raw) {
        let json = ours(cutter, &label);
        let size = view.frame_size(node.end, &json)?;
        return Ok((size <= cap).then_some((Text::closed(json, false), size)));
    }
    let first = unescape(raw).map(|(_, _, c)| c).find(|c| !matches!(c, ' ' | '\n' | '\t' | '\r'));
    let may_be_json = cutter.options.nested
        && view.level() < cutter.options.limits.nested_strings
        && matches!(first, Some('{' | '['));
    // Scalar values that can be kept at all, and some more for clusters at the edges.
    let most = cap.saturating_mul(if view.is_counted() { 16 } else { 1 });
    let both = cutter.options.keep.unwrap_or(Keep::Both) == Keep::Both;
    let window = (if both { most / 2 } else { most }).saturating_add(128);
    let long = raw.len() / 8 > window && !may_be_json && !cutter.marks.any();
    let decoded = match (raw.contains('\\'), long) {
        (false, _) => None,
        (true, false) => Some(Decoded::new(raw)),
        (true, true) => Some(Decoded::ends(raw, window)),
    };
    let text: Cow<'_, str> = match &decoded {
        Some(d) => Cow::Borrowed(&d.text),
        None => Cow::Borrowed(raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default()),
    };
    if may_be_json {
        let held;
        let decoded = if let Some(d) = &decoded {
            d
        } else {
            held = Decoded::new(raw);
            &held
        };
        if let Some(found) = inside(cutter, node, decoded, cap)? {
            return Ok(Some(found));
        }
        if cutter.marks.any() && stated_inside(cutter, node)?.is_some() {
            return Ok(None);
        }
    }
    let between = decoded.as_ref().and_then(|d| d.between);
    let source = Source { cutter, node, raw, decoded: decoded.as_ref(), text: &text, between };
    let breaks = between.map_or(0, |b| b.lines) + text.bytes().filter(|b| *b == b'\n').count();
    if breaks >= MANY_LINES
        && let Some(found) = source.narrow(cap, Source::cut_lines)?
    {
        return Ok(Some(found));
    }
    source.narrow(cap, Source::cut_middle)
}

/// The label of a list that stands in a list.
///
/// # Errors
/// Those of the counter.
pub(crate) fn list_label(cutter: &Cutter<'_, '_>, node: &Node) -> Result<(Text, usize), Error> {
    let chars = node.raw(cutter.view.text).chars().count().saturating_sub(node.blanks);
    let json = ours(cutter, &wording::list_label(node.count, chars));
    let size = cutter.view.frame_size(node.end, &json)?;
    Ok((Text::closed(json, false), size))
}

/// Words of ours as a JSON string.
fn ours(cutter: &Cutter<'_, '_>, words: &str) -> String {
    let mut json = String::new();
    cutter.view.write_ours("\"", &mut json);
    let mut escaped = String::new();
    crate::json::write_escaped(words, &mut escaped);
    cutter.view.write_ours(&escaped, &mut json);
    cutter.view.write_ours("\"", &mut json);
    json
}

/// JSON held by a string, cut as a document of its own.
fn inside(cutter: &Cutter<'_, '_>, node: &Node, decoded: &Decoded, cap: usize) -> Result<Option<(Text, usize)>, Error> {
    let Ok(scan) = document::check_document(&decoded.text, cutter.options.limits.depth) else { return Ok(None) };
    let view = View::inside(cutter.view, *node, decoded, &scan);
    let Some(room) = cap.checked_sub(quotes(cutter)) else { return Ok(None) };
    let Some((body, whole)) = document::cut_inside(&view, cutter, room)? else { return Ok(None) };
    let mut json = String::with_capacity(body.len() + 8);
    cutter.view.write_ours("\"", &mut json);
    json.push_str(&body);
    cutter.view.write_ours("\"", &mut json);
    let size = cutter.view.budget().size(&json)?;
    Ok((size <= cap).then_some((Text::closed(json, whole), size)))
}

/// One attempt at a size.
enum Try {
    Cut(Text),
    /// Not visibly shorter.
    KeepLess,
    /// Not one whole line.
    KeepMore,
}

/// What goes of a string: `text[head..tail]`, and what an earlier cut left out in there.
struct Gone {
    head: usize,
    tail: usize,
    /// Scalar values that are not in the text, and those of the marker that says so: it may be longer than what it
    /// tells of.
    chars: usize,
    marker: usize,
    /// Lines that are not in the text, and the lines of the marker that says so.
    lines: usize,
    own: usize,
    /// A marker stands in the text that does not say how many lines are missing.
    unknown: bool,
    /// What stands before `tail` in the text is not what stands there in the string.
    joined: bool,
}

impl Gone {
    /// Scalar values of the string that are gone with that many of the text.
    const fn all(&self, here: usize) -> usize {
        here.saturating_sub(self.marker).saturating_add(self.chars)
    }
}

struct Source<'c, 'a, 'o> {
    cutter: &'c Cutter<'a, 'o>,
    node: &'c Node,
    raw: &'c str,
    decoded: Option<&'c Decoded>,
    text: &'c str,
    between: Option<Between>,
}

impl Source<'_, '_, '_> {
    /// The largest cut of at most `cap` units: by halving where sizes add up, in a few rounds where they do not.
    fn narrow(&self, cap: usize, cut: fn(&Self, usize) -> Try) -> Result<Option<(Text, usize)>, Error> {
        let budget = self.cutter.view.budget();
        let mut best: Option<(Text, usize)> = None;
        if budget.is_counted() {
            let (mut kept, most) = (cap.saturating_mul(4).min(self.text.len()), self.text.len());
            for _ in 0..TOKEN_ROUNDS {
                let Try::Cut(text) = cut(self, kept.min(most)) else { break };
                let n = self.cutter.view.frame_size(self.node.end, &text.json)?;
                if n <= cap {
                    if best.as_ref().is_none_or(|b| b.1 <= n) {
                        best = Some((text, n));
                    }
                    let more = (kept as u128 * cap as u128 / n.max(1) as u128) as usize;
                    if more <= kept {
                        break;
                    }
                    kept = more;
                } else {
                    kept = (kept as u128 * cap as u128 / n as u128) as usize * 9 / 10;
                }
            }
            if best.is_none()
                && let Try::Cut(text) = cut(self, 0)
            {
                let n = self.cutter.view.frame_size(self.node.end, &text.json)?;
                best = (n <= cap).then_some((text, n));
            }
            return Ok(best);
        }
        let (mut low, mut high) = (0, cap.min(self.text.len()));
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            match cut(self, middle) {
                Try::Cut(text) => {
                    let n = budget.size(&text.json)?;
                    if n <= cap {
                        best = Some((text, n));
                        low = middle;
                    } else {
                        high = middle - 1;
                    }
                }
                Try::KeepMore => low = middle,
                Try::KeepLess => high = middle - 1,
            }
        }
        if best.is_none()
            && let Try::Cut(text) = cut(self, low)
        {
            let n = budget.size(&text.json)?;
            best = (n <= cap).then_some((text, n));
        }
        Ok(best)
    }

    /// How many scalar values go to the head and to the tail.
    fn ends(&self, kept: usize) -> (usize, usize) {
        match self.cutter.options.keep.unwrap_or(Keep::Both) {
            Keep::Head => (kept, 0),
            Keep::Tail => (0, kept),
            Keep::Both => (kept.div_ceil(2), kept / 2),
        }
    }

    fn span(&self, kept: usize) -> Gone {
        let (head, tail) = self.ends(kept);
        let s = snip::snip(self.text, head, tail, Unit::Chars);
        let mut gone =
            Gone { head: s.head, tail: s.tail, chars: 0, marker: 0, lines: 0, own: 0, unknown: false, joined: false };
        if let Some(b) = self.between {
            gone.head = gone.head.min(b.at);
            gone.tail = gone.tail.max(b.at);
            gone.chars = b.chars;
            gone.joined = gone.tail == b.at;
        }
        if self.cutter.marks.any()
            && let Some((start, end, chars, lines)) = crate::deliver::tree::marks::marker_in(self.text)
        {
            let marker = self.text.get(start..end).unwrap_or_default();
            gone.head = gone.head.min(start);
            gone.tail = gone.tail.max(end);
            (gone.chars, gone.marker) = (chars, marker.chars().count());
            gone.lines = lines;
            // The marker is a line of the text; where it stands first, so is the one that its own break ends.
            gone.own = usize::from(lines > 0) + usize::from(lines > 0 && start == 0 && marker.starts_with('\n'));
            gone.unknown = lines == 0;
            gone.joined = lines == 0 && gone.tail == end;
        }
        gone.tail = gone.tail.max(gone.head);
        gone
    }

    /// Lines of the whole string.
    fn total(&self, gone: &Gone) -> usize {
        let hidden = self.between.map_or(0, |b| b.lines) + gone.lines;
        (hidden + line_count(self.text)).saturating_sub(gone.own)
    }

    fn cut_middle(&self, kept: usize) -> Try {
        let gone = self.span(kept);
        let chars = self.text.get(gone.head..gone.tail).unwrap_or_default().chars().count();
        if chars == 0 && self.between.is_none() {
            return Try::KeepLess;
        }
        let lines = (!gone.unknown).then(|| self.total(&gone));
        let gap = StringGap::between(self.text, gone.head, gone.tail, lines, gone.joined);
        self.write(gone.head, gone.tail, &wording::chars_omitted(gone.all(chars)), gap, false)
    }

    fn cut_lines(&self, kept: usize) -> Try {
        let gone = self.span(kept);
        let bytes = self.text.as_bytes();
        let part = |from: usize, to: usize| bytes.get(from..to).unwrap_or_default();
        let breaks = |t: &[u8]| t.iter().filter(|b| **b == b'\n').count();
        // The head ends before a line break, the tail starts after one.
        let head = part(0, (gone.head + 1).min(bytes.len())).iter().rposition(|b| *b == b'\n').unwrap_or(0);
        let before_tail = gone.tail.saturating_sub(1);
        let tail = part(before_tail, bytes.len())
            .iter()
            .position(|b| *b == b'\n')
            .map_or(bytes.len(), |i| before_tail + i + 1)
            .max(head);
        let total = self.total(&gone);
        let first = breaks(part(0, head)) + usize::from(head > 0);
        let after = line_count(self.text.get(tail..).unwrap_or_default());
        if first + after == 0 {
            return Try::KeepMore;
        }
        let Some(lines) = total.checked_sub(first + after).filter(|n| *n > 0) else { return Try::KeepLess };
        let chars = self.text.get(head..tail).unwrap_or_default().chars().count();
        let marker = wording::lines_omitted(lines, total, gone.all(chars));
        let gap = StringGap { from: first, skip: 0, to: (after > 0 && !gone.unknown).then_some(total - after) };
        self.write(head, tail, &marker, gap, true)
    }

    fn write(&self, head: usize, tail: usize, marker: &str, gap: StringGap, on_lines: bool) -> Try {
        let view = self.cutter.view;
        let (to, from) = match self.decoded {
            Some(d) => (d.source(self.raw, head), d.source(self.raw, tail)),
            None => (head + 1, tail + 1),
        };
        let mut json = String::with_capacity(to + marker.len() + self.raw.len() - from + 8);
        view.write_span(self.node.start, self.node.start + to, &mut json);
        let mut escaped = String::new();
        crate::json::write_escaped(marker, &mut escaped);
        view.write_ours(&escaped, &mut json);
        view.write_span(self.node.start + from, self.node.end, &mut json);
        let mut before = String::new();
        if self.raw.len() < json.len() * 2 + 64 {
            view.write_span(self.node.start, self.node.end, &mut before);
            let size = |t: &str| if view.is_counted() { Ok(t.len()) } else { view.budget().size(t) };
            let (new, old) = (size(&json), size(&before));
            let (Ok(new), Ok(old)) = (new, old) else { return Try::KeepLess };
            if !view.is_counted() && new >= old || json.len() >= before.len() {
                return Try::KeepLess;
            }
        }
        Try::Cut(Text { on_lines, gap: Some(gap), ..Text::closed(json, false) })
    }
}
