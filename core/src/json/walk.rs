//! Walking a checked document: a value and its children as spans, found by quotes and brackets alone.

use super::check::Scan;
use super::swar::string_stop;

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Object,
    Array,
    String,
    /// A number, `true`, `false` or `null`.
    Scalar,
}

/// What starts at `start`.
pub(super) fn kind_at(text: &str, start: usize) -> Kind {
    match text.as_bytes().get(start) {
        Some(b'{') => Kind::Object,
        Some(b'[') => Kind::Array,
        Some(b'"') => Kind::String,
        _ => Kind::Scalar,
    }
}

/// A value of a checked document: its span, the white space outside strings within, the number of its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) blanks: usize,
    pub(crate) count: usize,
}

impl Node {
    pub(crate) fn kind(&self, text: &str) -> Kind {
        kind_at(text, self.start)
    }

    pub(crate) fn raw<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.start..self.end).unwrap_or_default()
    }
}

/// An element, or a member with the span of its key (quotes included).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Child {
    pub(crate) key: (usize, usize),
    pub(crate) node: Node,
}

impl Child {
    pub(crate) fn key_raw<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.key.0..self.key.1).unwrap_or_default()
    }
}

/// The children of a container, one after the other. Large values are jumped over.
#[derive(Clone, Debug)]
pub(crate) struct Children<'a> {
    text: &'a str,
    scan: &'a Scan,
    at: usize,
    end: usize,
    is_object: bool,
    /// Where in the table the next large value stands.
    slot: usize,
}

impl<'a> Children<'a> {
    /// The children of `node` from the one whose key (or which itself) starts at `start`.
    pub(crate) fn starting(text: &'a str, scan: &'a Scan, node: &Node, start: usize) -> Self {
        Children { at: start, ..Children::new(text, scan, node) }
    }

    /// The children of `node`; none of a value that is no container.
    pub(crate) fn new(text: &'a str, scan: &'a Scan, node: &Node) -> Self {
        let kind = node.kind(text);
        let is_container = matches!(kind, Kind::Object | Kind::Array);
        let at = if is_container { node.start + 1 } else { node.end };
        Children {
            text,
            scan,
            at,
            end: node.end.saturating_sub(1),
            is_object: kind == Kind::Object,
            slot: scan.table.after(node.start),
        }
    }
}

impl Iterator for Children<'_> {
    type Item = Child;

    fn next(&mut self) -> Option<Child> {
        let bytes = self.text.as_bytes();
        self.at = skip_space(bytes, self.at);
        if self.at >= self.end {
            return None;
        }
        let mut key = (self.at, self.at);
        if self.is_object {
            let end = string_end(bytes, self.at);
            key = (self.at, end);
            // The colon and the white space on both sides of it.
            self.at = skip_space(bytes, skip_space(bytes, end) + 1);
        }
        let node = value_at(bytes, self.scan, &mut self.slot, self.at);
        self.at = skip_space(bytes, node.end);
        if self.at < self.end {
            self.at += 1;
        }
        Some(Child { key, node })
    }
}

/// Position of the first byte at or after `at` that is no white space.
pub(crate) fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    while matches!(bytes.get(at), Some(b' ' | b'\n' | b'\t' | b'\r')) {
        at += 1;
    }
    at
}

/// One past the closing quote of the string that starts at `at`.
pub(crate) fn string_end(bytes: &[u8], at: usize) -> usize {
    let mut at = at + 1;
    loop {
        at = string_stop(bytes, at);
        match bytes.get(at) {
            Some(b'\\') => at += 2,
            Some(b'"') => return at + 1,
            Some(_) => at += 1,
            None => return bytes.len(),
        }
    }
}

fn value_at(bytes: &[u8], scan: &Scan, slot: &mut usize, start: usize) -> Node {
    if let Some(e) = scan.table.find(slot, start) {
        return Node { start, end: e.end, blanks: e.blanks, count: e.count };
    }
    match bytes.get(start) {
        Some(b'"') => Node { start, end: string_end(bytes, start), blanks: 0, count: 0 },
        Some(b'{' | b'[') => container_at(bytes, start),
        _ => {
            let mut end = start;
            while !matches!(bytes.get(end), None | Some(b',' | b']' | b'}' | b' ' | b'\n' | b'\t' | b'\r')) {
                end += 1;
            }
            Node { start, end, blanks: 0, count: 0 }
        }
    }
}

fn container_at(bytes: &[u8], start: usize) -> Node {
    let (mut at, mut depth, mut commas, mut blanks) = (start + 1, 1usize, 0, 0);
    let mut empty = true;
    loop {
        match bytes.get(at) {
            Some(b'"') => {
                at = string_end(bytes, at);
                empty = false;
                continue;
            }
            Some(b'{' | b'[') => {
                depth += 1;
                empty = false;
            }
            Some(b'}' | b']') => {
                depth -= 1;
                if depth == 0 {
                    let count = if empty { 0 } else { commas + 1 };
                    return Node { start, end: at + 1, blanks, count };
                }
            }
            Some(b',') => commas += usize::from(depth == 1),
            Some(b' ' | b'\n' | b'\t' | b'\r') => blanks += 1,
            Some(_) => empty = false,
            None => return Node { start, end: bytes.len(), blanks, count: 0 },
        }
        at += 1;
    }
}
