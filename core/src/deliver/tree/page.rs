//! Cursors of JSON: which list, from where, and what comes after.

use alloc::string::String;
use alloc::vec::Vec;

use super::document::Job;
use super::fill::Place;
use super::string_page::{Held, StringPage};
use super::view::View;
use crate::deliver::cursor::{self, Gap};
use crate::error::{Error, ErrorKind};
use crate::json::{Children, Kind, Node, Pattern, resolve};
use crate::wording;

/// What a page shows of one list.
#[derive(Clone, Debug)]
pub(super) struct Page {
    /// Raw path; `None` for the root array.
    pub(super) path: Option<String>,
    pub(super) node: Node,
    pub(super) is_map: bool,
    /// The first member of the map is a notice of ours, which is no record.
    pub(super) skip_first: bool,
    /// Positions in this text.
    pub(super) from: usize,
    pub(super) to: usize,
    /// Gaps handed on.
    pub(super) rest: Vec<Gap>,
}

/// What a cursor asks for.
#[derive(Debug)]
pub(super) enum Wanted {
    Records(Page),
    Lines(StringPage),
}

pub(super) fn past_end(from: usize, total: usize) -> Error {
    let message = alloc::format!("the cursor starts at {from} of a list of {total}");
    Error::new(ErrorKind::CursorPastEnd, message).argument_named("cursor").counts(from, total).numbered(from)
}

pub(super) fn needs_original(from: usize) -> Error {
    let message = alloc::format!("record {from} is not in this text, which was cut before: page the original");
    Error::new(ErrorKind::CursorNeedsOriginal, message).argument_named("cursor").numbered(from)
}

/// The raw path of the value that the names lead to, in the escapes of the document's own keys.
pub(super) fn raw_path(view: &View<'_>, names: &[&str]) -> String {
    let mut path = String::new();
    let mut node = view.scan.root;
    for name in names {
        let mut children = Children::new(view.text, view.scan, &node);
        if node.kind(view.text) == Kind::Object {
            let Some(child) = children.find(|c| crate::json::decode_key(c.key_raw(view.text)) == **name) else { break };
            crate::json::push_token(&mut path, child.key_raw(view.text));
            node = child.node;
        } else {
            path.push('/');
            path.push_str(name);
            let Some(child) = name.parse().ok().and_then(|i| children.nth(i)) else { break };
            node = child.node;
        }
    }
    path
}

/// The name in a cursor as it is spelled inside JSON.
pub(super) fn raw_name(view: &View<'_>, name: &str) -> String {
    if let Ok(pattern) = Pattern::parse(name, "cursor")
        && let Some(names) = pattern.names()
    {
        let raw = raw_path(view, &names);
        if wording::decoded(&raw) == name {
            return raw;
        }
    }
    let mut raw = String::new();
    crate::json::write_escaped(name, &mut raw);
    raw
}

impl Job<'_, '_> {
    /// Reads a cursor: the list of its first gap, and the gaps after it.
    pub(super) fn find_page(&self, given: &str) -> Result<Wanted, Error> {
        let cursor = cursor::parse(given)?;
        cursor.check_tag(self.tag.as_deref())?;
        let view = self.view;
        for (before, gap) in cursor.gaps.iter().zip(cursor.gaps.iter().skip(1)) {
            let apart = before.name != gap.name || before.to.is_some_and(|to| to <= gap.from);
            if !apart {
                return Err(Error::new(ErrorKind::InvalidCursor, "the gaps of a list overlap or are out of order")
                    .argument_named("cursor")
                    .numbered(gap.from));
            }
        }
        if cursor.gaps.iter().any(|g| g.offset.is_some() && !self.leads_to_string(&g.name)) {
            let message = "a position inside a record is for lines and strings";
            return Err(Error::new(ErrorKind::InvalidCursor, message).argument_named("cursor"));
        }
        let mut gaps = cursor.gaps.into_iter();
        let Some(gap) = gaps.next() else {
            return Err(Error::new(ErrorKind::InvalidCursor, "empty cursor").argument_named("cursor").at(0));
        };
        let mismatch = |what: &str| {
            Error::new(ErrorKind::CursorMismatch, alloc::format!("the cursor names {what}")).argument_named("cursor")
        };
        let raw_rest = |gaps: alloc::vec::IntoIter<Gap>| -> Vec<Gap> {
            gaps.map(|g| Gap { name: raw_name(view, &g.name), ..g }).collect()
        };
        let (node, path, offset, known, is_map);
        if let Some(s) = &self.stated {
            let own = s.list.as_deref().map_or_else(|| String::from("rows"), wording::decoded);
            if gap.name != own {
                return Err(mismatch("another list than this text holds"));
            }
            if s.rows.kind(view.text) == Kind::String {
                let held = Held::page(s.rows.raw(view.text), s.from, s.total, s.shrunk);
                let path = s.list.clone().unwrap_or_default();
                return StringPage::new(view.text, s.rows, path, held, &gap, raw_rest(gaps)).map(Wanted::Lines);
            }
            (node, path, offset, known, is_map) = (s.rows, s.list.clone(), s.from, s.total, s.is_map);
        } else if gap.name == "rows" {
            let root = view.scan.root;
            if root.kind(view.text) != Kind::Array {
                return Err(mismatch("the rows of a root array, and this is none"));
            }
            (node, path, offset, known, is_map) = (root, None, 0, root.count, false);
        } else {
            let pattern = Pattern::parse(&gap.name, "cursor")?;
            let Some(names) = pattern.names() else { return Err(mismatch("a pattern, which is no list")) };
            let found = resolve(view.text, view.scan, &names);
            let Some((found, _)) = found.filter(|f| f.1 == names.len()) else {
                return Err(mismatch("a list that is not there"));
            };
            let kind = found.kind(view.text);
            let raw = raw_path(view, &names);
            if kind == Kind::String {
                let text = found.raw(view.text);
                let held = if self.marks.string(&raw) { Held::shortened(text) } else { Held::whole(text) };
                return StringPage::new(view.text, found, raw, held, &gap, raw_rest(gaps)).map(Wanted::Lines);
            }
            if kind == Kind::Scalar {
                return Err(mismatch("a value that is no list"));
            }
            let ours = names.is_empty() && self.marks.is_ours(view, &found, &Place::root());
            let total = self.marks.total_of(&gap.name).unwrap_or(found.count - usize::from(ours));
            (node, path, offset, known, is_map) = (found, Some(raw), 0, total, kind == Kind::Object);
        }
        let skip_first = is_map && self.marks.is_ours(view, &node, &Place::root()) && path.as_deref() == Some("");
        let held = node.count - usize::from(skip_first);
        let to = gap.to.unwrap_or(known);
        for place in [gap.from, gap.to.unwrap_or(0)] {
            if place > known {
                return Err(past_end(place, known));
            }
        }
        let inside = gap.from >= offset && gap.from - offset <= held;
        if !inside || (gap.from - offset == held && gap.from < known) {
            return Err(needs_original(gap.from));
        }
        let mut rest = raw_rest(gaps);
        if to - offset > held {
            rest.insert(0, Gap::new(&raw_name(view, &gap.name), offset + held, gap.to));
        }
        let (from, to) = (gap.from - offset, (to - offset).min(held));
        Ok(Wanted::Records(Page { path, node, is_map, skip_first, from, to, rest }))
    }

    /// Whether a name of a cursor is the pointer of a string, or of the one whose page this text is.
    fn leads_to_string(&self, name: &str) -> bool {
        let view = self.view;
        if let Some(s) = &self.stated {
            return s.rows.kind(view.text) == Kind::String;
        }
        let pattern = Pattern::parse(name, "cursor").ok();
        let names = pattern.as_ref().and_then(Pattern::names);
        names.is_some_and(|names| {
            let found = resolve(view.text, view.scan, &names).filter(|f| f.1 == names.len());
            found.is_some_and(|f| f.0.kind(view.text) == Kind::String)
        })
    }
}
