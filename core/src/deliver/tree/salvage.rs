//! Broken JSON: the whole records before the break, and which list or object it broke off in.

use alloc::string::String;
use alloc::vec::Vec;

use super::cut::{ListCut, ObjectCut, Piece};
use super::document::Job;
use super::render::{Entry, Writer, content};
use super::view::View;
use crate::json::{Child, Children, Kind, Node, Scan, check, decode_key, push_token};
use crate::wording;

/// Where input broke off, and the members that lead to the list or object it broke off in.
#[derive(Clone, Debug)]
pub(crate) struct Break {
    pub(crate) at: usize,
    names: Vec<String>,
}

/// Salvages broken JSON: the whole records before the break, with everything that was open closed again.
pub(crate) fn salvage(text: &str, fault: &crate::json::Fault) -> Option<(String, Break)> {
    let at = fault.open.iter().position(|o| !o.is_object).unwrap_or(fault.open.len().checked_sub(1)?);
    let last = fault.open.get(at)?;
    let mut out = String::from(text.get(..last.whole_end)?);
    if out.starts_with('\u{feff}') {
        out.remove(0);
    }
    for open in fault.open.get(..=at)?.iter().rev() {
        out.push(if open.is_object { '}' } else { ']' });
    }
    let scan = check(&out, usize::MAX).ok()?;
    let names = last_names(&out, &scan, at);
    Some((out, Break { at: fault.at, names }))
}

/// The names of the last members, that many levels down.
fn last_names(text: &str, scan: &Scan, levels: usize) -> Vec<String> {
    let (mut node, mut names) = (scan.root, Vec::new());
    while names.len() < levels {
        let Some(child) = Children::new(text, scan, &node).last() else { break };
        names.push(decode_key(child.key_raw(text)));
        node = child.node;
    }
    names
}

/// The list or object that broke off, in the document that is delivered.
#[derive(Clone, Debug)]
pub(crate) struct Broken {
    pub(crate) at: usize,
    /// Raw path, short enough for a notice: of an object around it where its own is not.
    pub(crate) path: String,
    pub(crate) node: Node,
    /// Where it and the objects around it start.
    inside: Vec<usize>,
    /// Its path leads through equal keys.
    twin: bool,
}

impl Broken {
    /// `select` may have removed it: then what broke off is the object that it would be in.
    pub(super) fn find(view: &View<'_>, from: &Break, longest: usize) -> Self {
        let root = view.scan.root;
        let mut path = String::new();
        let mut broken =
            Broken { at: from.at, path: String::new(), node: root, inside: alloc::vec![root.start], twin: false };
        let (mut node, mut twin) = (root, false);
        for name in &from.names {
            let children = Children::new(view.text, view.scan, &node);
            let mut named = children.filter(|c| decode_key(c.key_raw(view.text)) == *name);
            let Some(first) = named.next() else { break };
            let last = named.last();
            twin |= last.is_some();
            let child: Child = last.unwrap_or(first);
            push_token(&mut path, child.key_raw(view.text));
            node = child.node;
            broken.inside.push(node.start);
            if path.chars().count() <= longest {
                broken.path.clone_from(&path);
                (broken.node, broken.twin) = (node, twin);
            }
        }
        broken
    }

    /// Whether what is missing behind the break is missing of this list, or (a map) of it or of a member.
    pub(super) fn breaks(&self, node: &Node, is_map: bool) -> bool {
        if is_map { self.inside.contains(&node.start) } else { self.node.start == node.start }
    }

    /// Its entry where no other tells of it: how many of its records or members are here.
    fn entry(&self, view: &View<'_>) -> Entry {
        let (count, bytes) = (self.node.count, content(&self.node));
        Entry {
            path: self.path.clone(),
            total: count,
            kept: count,
            malformed_at: Some(self.at),
            bytes: (bytes, bytes, 0),
            // The books have lists; an object that is no map is none.
            aside: self.node.kind(view.text) == Kind::Object,
            twin: self.twin,
            ..Entry::default()
        }
    }

    /// That entry at its widest.
    pub(super) fn widest(&self) -> String {
        wording::broken_entry_widest(&self.path, self.node.count, self.at)
    }
}

impl Job<'_, '_> {
    /// Says of salvaged input that it broke off, and in which list or object: whole or not, there was more.
    pub(super) fn tell_break(&self, writer: &Writer<'_>, object: &ObjectCut<'_>, entries: &mut Vec<Entry>) {
        let Some(broken) = &self.broken else { return };
        if entries.iter().any(|e| e.malformed_at.is_some()) {
            return;
        }
        let entry = match broken_list(object) {
            // One entry sums it with others, and cannot say that its total is unknown.
            Some(list) => Entry { aside: true, ..writer.entry(list) },
            None => broken.entry(writer.view),
        };
        entries.push(entry);
    }
}

/// The list that broke off, where it was cut.
fn broken_list<'l, 'a>(object: &'l ObjectCut<'a>) -> Option<&'l ListCut<'a>> {
    object.cuts.iter().find_map(|(_, _, piece)| match piece {
        Piece::List(list) if list.malformed_at.is_some() => Some(&**list),
        Piece::Object(inner) => broken_list(inner),
        _ => None,
    })
}
