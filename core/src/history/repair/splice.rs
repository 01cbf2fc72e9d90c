//! Edits of the text by place: what is not named stays as it came.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use crate::json::{Child, Children, check, decode_key};
use crate::wire::Span;

/// A range of the text and what stands there instead.
#[derive(Clone, Debug)]
struct Splice {
    end: usize,
    text: String,
}

/// Edits of the text, by where they start. They do not overlap: a later one takes the place of those inside it.
#[derive(Clone, Debug, Default)]
pub(super) struct Splices {
    by_start: BTreeMap<usize, Splice>,
}

impl Splices {
    /// Puts `text` in place of `span`.
    pub(super) fn replace(&mut self, span: Span, text: &str) {
        let inside: Vec<usize> = self.by_start.range(span.start..span.end).map(|(&start, _)| start).collect();
        // What was inserted before the first byte stays before it.
        let mut before = String::new();
        for start in inside {
            if let Some(gone) = self.by_start.remove(&start).filter(|gone| start == span.start && gone.end == start) {
                before = gone.text;
            }
        }
        before.push_str(text);
        self.by_start.insert(span.start, Splice { end: span.end, text: before });
    }

    /// Puts `text` before the byte at `at`.
    fn insert(&mut self, at: usize, text: &str) {
        self.by_start.entry(at).or_insert_with(|| Splice { end: at, text: String::new() }).text.push_str(text);
    }

    /// The edits inside `span`, to go on with.
    pub(super) fn clone_inside(&self, span: Span) -> Splices {
        let inside = self.by_start.range(span.start..span.end).map(|(&start, splice)| (start, splice.clone()));
        Splices { by_start: inside.collect() }
    }

    pub(super) fn touches(&self, span: Span) -> bool {
        self.by_start.range(span.start..span.end).next().is_some()
    }

    /// Appends `span` of `text` with the edits in it.
    pub(super) fn write(&self, text: &str, span: Span, out: &mut String) {
        let mut at = span.start;
        for (&start, splice) in self.by_start.range(span.start..span.end) {
            out.push_str(text.get(at..start).unwrap_or_default());
            out.push_str(&splice.text);
            at = splice.end;
        }
        out.push_str(text.get(at..span.end).unwrap_or_default());
    }

    /// Puts `text` before the closing bracket of the object at `object`, as its last member.
    pub(super) fn append_member(&mut self, text: &str, object: Span, name: &str, value: &str) {
        let comma = if members(text, object).is_empty() { "" } else { "," };
        self.insert(object.end - 1, &alloc::format!("{comma}\"{name}\":{value}"));
    }

    /// Gives the member `name` of the object at `object` the value `value`: in its place if it is there, else first.
    pub(super) fn set_member(&mut self, text: &str, object: Span, name: &str, value: &str) {
        let members = members(text, object);
        let mut found = false;
        for (key, _, node) in &members {
            if key == name {
                self.replace(*node, value);
                found = true;
            }
        }
        if !found {
            let comma = if members.is_empty() { "" } else { "," };
            self.insert(object.start + 1, &alloc::format!("\"{name}\":{value}{comma}"));
        }
    }

    /// Takes the member `name` off the object at `object`, every time it is there.
    pub(super) fn remove_member(&mut self, text: &str, object: Span, name: &str) {
        let members = members(text, object);
        let mut kept_end = None;
        for (at, (key, place, node)) in members.iter().enumerate() {
            if key != name {
                kept_end = Some(node.end);
            } else if let Some((_, next, _)) = members.get(at + 1) {
                self.replace(Span { start: place.start, end: next.start }, "");
            } else {
                let start = kept_end.unwrap_or(place.start);
                self.replace(Span { start, end: node.end }, "");
            }
        }
    }
}

/// The members of the object at `object`: what the key says, where it stands, where the value stands.
pub(super) fn members(text: &str, object: Span) -> Vec<(String, Span, Span)> {
    let named = |child: &Child, raw: &str| decode_key(raw.get(child.key.0..child.key.1).unwrap_or_default());
    let key = |child: &Child| Span { start: object.start + child.key.0, end: object.start + child.key.1 };
    let raw = object.of(text);
    let Ok(scan) = check(raw, usize::MAX) else { return Vec::new() };
    Children::new(raw, &scan, &scan.root)
        .map(|child| (named(&child, raw), key(&child), shifted(&child, object.start)))
        .collect()
}

/// The elements of the list at `list`.
pub(super) fn elements(text: &str, list: Span) -> Vec<Span> {
    let raw = list.of(text);
    let Ok(scan) = check(raw, usize::MAX) else { return Vec::new() };
    Children::new(raw, &scan, &scan.root).map(|child| shifted(&child, list.start)).collect()
}

/// Where the member `name` of the object at `object` has its value; the last one counts.
pub(super) fn member(text: &str, object: Span, name: &str) -> Option<Span> {
    members(text, object).into_iter().rev().find(|(key, _, _)| key == name).map(|(_, _, node)| node)
}

fn shifted(child: &Child, by: usize) -> Span {
    Span { start: child.node.start + by, end: child.node.end + by }
}
