//! What an earlier cut said of lists that are here as that text had them: said again, whatever is cut now.

use alloc::vec::Vec;

use super::cut::{ListCut, ObjectCut, Piece};
use super::document::Job;
use super::page::raw_path;
use super::render::{Entry, Writer};
use super::string_gap::StringGap;
use super::view::View;
use crate::json::{Children, Node, Pattern};
use crate::wording;

/// What became of a value that an earlier statement names.
pub(super) enum Tree<'t, 'a> {
    Object(&'t ObjectCut<'a>),
    List(&'t ListCut<'a>),
}

/// The value that the names lead to, when it stands in the output as the input has it.
pub(super) fn still_there_in(view: &View<'_>, object: &ObjectCut<'_>, names: &[&str]) -> bool {
    still_there(view, &Tree::Object(object), names).is_some()
}

/// The same for the members of a map.
pub(super) fn still_there_in_map(view: &View<'_>, map: &ListCut<'_>, names: &[&str]) -> bool {
    still_there(view, &Tree::List(map), names).is_some()
}

pub(super) fn still_there(view: &View<'_>, tree: &Tree<'_, '_>, names: &[&str]) -> Option<Node> {
    let (name, rest) = names.split_first()?;
    let node = match tree {
        Tree::Object(object) => object.node,
        Tree::List(list) => list.node,
    };
    let (index, child) = Children::new(view.text, view.scan, &node)
        .enumerate()
        .find(|(_, c)| crate::json::decode_key(c.key_raw(view.text)) == **name)?;
    let piece = match tree {
        Tree::Object(object) => object.cuts.iter().find(|c| c.0 == index).map(|c| &c.2),
        Tree::List(list) => match list.in_order().find(|i| i.start() == child.key.0)? {
            super::cut::Item::Whole { .. } => None,
            super::cut::Item::Shrunk { piece, .. } => Some(piece),
        },
    };
    match piece {
        None => {
            let mut node = child.node;
            for name in rest {
                let mut children = Children::new(view.text, view.scan, &node);
                node = children.find(|c| crate::json::decode_key(c.key_raw(view.text)) == **name)?.node;
            }
            Some(node)
        }
        Some(Piece::Object(inner)) if rest.is_empty() => Some(inner.node),
        Some(Piece::Object(inner)) => still_there(view, &Tree::Object(inner), rest),
        Some(Piece::List(list)) if !rest.is_empty() && list.is_map => still_there(view, &Tree::List(list), rest),
        Some(_) => None,
    }
}

impl Job<'_, '_> {
    /// Entries for what an earlier cut said of lists that are here as that text had them.
    pub(super) fn stated_entries(&self, writer: &Writer<'_>, tree: &Tree<'_, '_>, entries: &[Entry]) -> Vec<Entry> {
        let mut found = Vec::new();
        for (path, total, shrunk) in self.marks.lists() {
            if path.is_empty() {
                continue;
            }
            let Some(names) = Pattern::parse(path, "earlier").ok() else { continue };
            let Some(names) = names.names() else { continue };
            let raw = raw_path(self.view, &names);
            if entries.iter().any(|e| e.path == raw) {
                continue;
            }
            let Some(node) = still_there(self.view, tree, &names) else { continue };
            let held = Children::new(self.view.text, self.view.scan, &node).count();
            let bytes = super::render::content(&node);
            let next = (total > held && writer.view.level() == 0).then(|| {
                let mut next = alloc::format!("{}@{held}", wording::cursor_name(&raw));
                if let Some(tag) = &self.tag {
                    next.push(';');
                    next.push_str(tag);
                }
                next
            });
            found.push(Entry {
                path: raw,
                total,
                kept: held.saturating_sub(shrunk),
                shrunk,
                next,
                bytes: (bytes, bytes, 0),
                ..Entry::default()
            });
        }
        for path in self.marks.strings() {
            let Some(names) = Pattern::parse(path, "earlier").ok() else { continue };
            let Some(names) = names.names() else { continue };
            let raw = raw_path(self.view, &names);
            if entries.iter().any(|e| e.path == raw) {
                continue;
            }
            let Some(node) = still_there(self.view, tree, &names) else { continue };
            let gap = StringGap::stated(node.raw(self.view.text)).filter(|_| writer.view.level() == 0);
            let next = gap.and_then(|gap| gap.cursor(&raw, self.tag.as_deref()));
            found.push(Entry::string(raw, &node, next));
        }
        for (path, star) in self.marks.stars() {
            if let Some(entry) = self.stated_sum(tree, path, star, entries) {
                found.push(entry);
            }
        }
        found
    }

    /// The sum entry of an object that is here as the earlier text had it, and so was not cut again.
    pub(super) fn stated_sum(
        &self,
        tree: &Tree<'_, '_>,
        path: &str,
        star: &super::marks::Star,
        entries: &[Entry],
    ) -> Option<Entry> {
        let pattern = Pattern::parse(path, "earlier").ok()?;
        let names = pattern.names()?;
        let raw = alloc::format!("{}/*", raw_path(self.view, &names));
        if entries.iter().any(|e| e.path == raw) {
            return None;
        }
        let node = still_there(self.view, tree, &names)?;
        let mut sum = Entry { path: raw, total: star.missing, ..Entry::default() };
        for (index, child) in Children::new(self.view.text, self.view.scan, &node).enumerate() {
            if star.members.binary_search(&index).is_ok() {
                let bytes = super::render::content(&child.node);
                sum.total += child.node.count;
                sum.kept += child.node.count;
                sum.bytes.0 += bytes;
                sum.bytes.1 += bytes;
            }
        }
        Some(sum)
    }
}
