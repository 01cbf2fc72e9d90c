//! What an earlier cut said of lists that are here as that text had them: said again, whatever is cut now.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use super::cut::{Item, ListCut, ObjectCut, Piece};
use super::document::Job;
use super::index::Way;
use super::marks::Star;
use super::render::{Entry, Writer};
use crate::json::Children;
use crate::wording;

/// What became of a value that an earlier statement names.
#[derive(Clone, Copy)]
pub(super) enum Tree<'t, 'a> {
    Object(&'t ObjectCut<'a>),
    List(&'t ListCut<'a>),
}

/// Which values stand in the output as the input has them. The members of a map are put in order once.
pub(super) struct There<'t, 'a> {
    tree: Tree<'t, 'a>,
    /// By where the map starts: its members in the order of the input.
    maps: BTreeMap<usize, Vec<(usize, &'t Item<'a>)>>,
}

impl<'t, 'a> There<'t, 'a> {
    pub(super) const fn new(tree: Tree<'t, 'a>) -> Self {
        There { tree, maps: BTreeMap::new() }
    }

    /// Whether the value at the end of the way stands in the output as the input has it, or is an object in which
    /// only other values were cut. A binary search for each step.
    pub(super) fn holds(&mut self, way: &Way) -> bool {
        let mut tree = self.tree;
        for (i, step) in way.steps.iter().enumerate() {
            let piece: Option<&'t Piece<'a>> = match tree {
                Tree::Object(object) => {
                    let at = object.cuts.binary_search_by_key(&step.index, |c| c.0).ok();
                    at.and_then(|at| object.cuts.get(at)).map(|c| &c.2)
                }
                Tree::List(list) => match self.member(list, step.start) {
                    None => return false,
                    Some(Item::Whole { .. }) => None,
                    Some(Item::Shrunk { piece, .. }) => Some(piece),
                },
            };
            let last = i + 1 == way.steps.len();
            tree = match piece {
                None => return true,
                Some(Piece::Object(_)) if last => return true,
                Some(Piece::Object(inner)) => Tree::Object(inner),
                Some(Piece::List(list)) if !last && list.is_map => Tree::List(list),
                Some(_) => return false,
            };
        }
        false
    }

    fn member(&mut self, list: &'t ListCut<'a>, start: usize) -> Option<&'t Item<'a>> {
        let members = self.maps.entry(list.node.start).or_insert_with(|| {
            let mut members: Vec<_> = list.items.iter().chain(&list.tail).map(|i| (i.start(), i)).collect();
            members.sort_unstable_by_key(|m| m.0);
            members
        });
        let at = members.binary_search_by_key(&start, |m| m.0).ok()?;
        members.get(at).map(|m| m.1)
    }
}

impl Job<'_, '_> {
    /// Entries for what an earlier cut said of lists that are here as that text had them.
    pub(super) fn stated_entries(&self, writer: &Writer<'_>, tree: Tree<'_, '_>, entries: &[Entry]) -> Vec<Entry> {
        let mut found = Vec::new();
        let mut there = There::new(tree);
        let named: BTreeSet<&str> = entries.iter().map(|e| e.path.as_str()).collect();
        for (path, list) in self.marks.lists() {
            let way = &list.way;
            if path.is_empty() || named.contains(way.raw.as_str()) || !there.holds(way) {
                continue;
            }
            let held = way.node.count;
            let bytes = super::render::content(&way.node);
            let next = (list.total > held && writer.view.level() == 0).then(|| {
                let mut next = alloc::format!("{}@{held}", wording::cursor_name(&way.raw));
                if let Some(tag) = &self.tag {
                    next.push(';');
                    next.push_str(tag);
                }
                next
            });
            found.push(Entry {
                path: way.raw.clone(),
                total: list.total,
                kept: held.saturating_sub(list.shrunk),
                shrunk: list.shrunk,
                next,
                bytes: (bytes, bytes, 0),
                ..Entry::default()
            });
        }
        for star in self.marks.stars().values() {
            if let Some(entry) = self.stated_sum(&mut there, star, &named) {
                found.push(entry);
            }
        }
        found
    }

    /// The sum entry of an object that is here as the earlier text had it, and so was not cut again.
    fn stated_sum(&self, there: &mut There<'_, '_>, star: &Star, named: &BTreeSet<&str>) -> Option<Entry> {
        let raw = alloc::format!("{}/*", star.way.raw);
        if named.contains(raw.as_str()) || !there.holds(&star.way) {
            return None;
        }
        let mut sum = Entry { path: raw, total: star.missing, ..Entry::default() };
        for (index, child) in Children::new(self.view.text, self.view.scan, &star.way.node).enumerate() {
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
