//! What an earlier cut said of lists that are here as that text had them: said again, whatever is cut now.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;

use super::cut::{Item, ListCut, ObjectCut, Piece, Text};
use super::document::Job;
use super::index::{Index, Way};
use super::marks::Star;
use super::render::{Entry, Writer};
use super::string_gap::StringGap;
use crate::json::{Children, Kind, Pattern};
use crate::wording;

/// What became of a value that an earlier statement names.
#[derive(Clone, Copy)]
pub(super) enum Tree<'t, 'a> {
    Object(&'t ObjectCut<'a>),
    List(&'t ListCut<'a>),
}

/// What became of one value.
enum Found<'t, 'a> {
    Whole,
    /// Some of its members were cut.
    Object,
    List(&'t ListCut<'a>),
    Text(&'t Text),
    Gone,
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
    /// only other values were cut.
    pub(super) fn holds(&mut self, way: &Way) -> bool {
        matches!(self.find(way), Found::Whole | Found::Object)
    }

    /// What became of the value at the end of the way. A binary search for each step.
    fn find(&mut self, way: &Way) -> Found<'t, 'a> {
        let mut tree = self.tree;
        for (i, step) in way.steps.iter().enumerate() {
            let piece: Option<&'t Piece<'a>> = match tree {
                Tree::Object(object) => {
                    let at = object.cuts.binary_search_by_key(&step.index, |c| c.0).ok();
                    at.and_then(|at| object.cuts.get(at)).map(|c| &c.2)
                }
                Tree::List(list) => match self.member(list, step.start) {
                    None => return Found::Gone,
                    Some(Item::Whole { .. }) => None,
                    Some(Item::Shrunk { piece, .. }) => Some(piece),
                },
            };
            let last = i + 1 == way.steps.len();
            tree = match piece {
                None => return Found::Whole,
                Some(Piece::Object(_)) if last => return Found::Object,
                Some(Piece::Object(inner)) => Tree::Object(inner),
                Some(Piece::List(list)) if !last && list.is_map => Tree::List(list),
                Some(Piece::List(list)) if last => return Found::List(list),
                Some(Piece::Text(text)) if last => return Found::Text(text),
                Some(_) => return Found::Gone,
            };
        }
        Found::Gone
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
        let named: BTreeSet<String> = entries.iter().map(|e| wording::decoded(&e.path)).collect();
        for (path, list) in self.marks.lists() {
            let Some(way) = list.ways.first() else { continue };
            if path.is_empty() || named.contains(path) || !list.ways.iter().all(|w| there.holds(w)) {
                continue;
            }
            let held = list.held;
            let (mut bytes, mut strings) = ((0, 0, 0), 0);
            for way in &list.ways {
                let part = match self.shortened(way) {
                    Some(part) => part,
                    None if way.node.kind(self.view.text) == Kind::String => continue,
                    None => {
                        let bytes = super::render::content(&way.node);
                        Entry { bytes: (bytes, bytes, 0), ..Entry::default() }
                    }
                };
                strings += part.shrunk;
                bytes = (bytes.0 + part.bytes.0, bytes.1 + part.bytes.1, bytes.2 + part.bytes.2);
            }
            let one = list.ways.len() == 1;
            let next = (one && list.total > held && writer.view.level() == 0).then(|| {
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
                bytes,
                beyond: (list.total.saturating_sub(held), list.shrunk.saturating_sub(strings)),
                ..Entry::default()
            });
        }
        for (path, way) in self.marks.strings() {
            if named.contains(path) || !there.holds(way) {
                continue;
            }
            let gap = StringGap::stated(way.node.raw(self.view.text)).filter(|_| writer.view.level() == 0);
            let next = gap.and_then(|gap| gap.cursor(&way.raw, self.tag.as_deref()));
            found.push(Entry { restated: true, ..Entry::string(way.raw.clone(), &way.node, next) });
        }
        for (path, star) in self.marks.stars() {
            if named.contains(&alloc::format!("{path}/*")) {
                continue;
            }
            if let Some(entry) = self.stated_sum(&mut there, star) {
                found.push(entry);
            }
        }
        found
    }

    /// Equal keys are one sibling: one entry with the counts of all lists under them, those that are whole included,
    /// and no cursor.
    pub(super) fn join_twins(&self, tree: Tree<'_, '_>, entries: Vec<Entry>) -> Vec<Entry> {
        // By decoded path: equal keys may be spelled with other escapes.
        let mut sums: BTreeMap<String, Option<Entry>> = BTreeMap::new();
        let mut seen = BTreeSet::new();
        for entry in &entries {
            let path = wording::decoded(&entry.path);
            let several = self.marks.list(&path).is_some_and(|list| list.ways.len() > 1);
            if entry.twin || several || seen.contains(&path) {
                sums.insert(path, None);
            } else {
                seen.insert(path);
            }
        }
        let stated: Vec<_> =
            self.marks.lists().filter(|(path, l)| l.ways.len() > 1 && !sums.contains_key(*path)).collect();
        let split: Vec<_> = self.marks.stars().iter().filter(|(_, star)| star.ways.len() > 1).collect();
        if sums.is_empty() && stated.is_empty() && split.is_empty() {
            return entries;
        }
        let (mut index, mut there) = (Index::new(self.view), There::new(tree));
        for (path, sum) in &mut sums {
            let pattern = Pattern::parse(path, "earlier").ok();
            let names = pattern.as_ref().and_then(Pattern::names);
            let ways = names.and_then(|names| index.ways(&self.view.scan.root, &names));
            *sum = ways.map(|ways| self.sum_of(&mut there, path, &ways));
        }
        let mut joined: Vec<Entry> = Vec::new();
        let mut place: BTreeMap<String, usize> = BTreeMap::new();
        for entry in entries {
            let path = wording::decoded(&entry.path);
            match sums.get_mut(&path) {
                None => joined.push(entry),
                Some(sum) => match (place.get(&path).and_then(|&i| joined.get_mut(i)), sum.take()) {
                    // What could not be looked up is summed as it comes.
                    (Some(first), None) if first.twin => add(first, &entry),
                    (Some(_), _) => {}
                    (None, sum) => {
                        place.insert(path, joined.len());
                        let twin = sum.is_none();
                        let (path, malformed_at) = (entry.path.clone(), entry.malformed_at);
                        let sum = sum.unwrap_or(entry);
                        let malformed_at = sum.malformed_at.or(malformed_at);
                        joined.push(Entry { path, next: None, twin, malformed_at, ..sum });
                    }
                },
            }
        }
        joined.retain(|e| {
            e.kept < e.total || e.malformed_at.is_some() || !place.contains_key(&wording::decoded(&e.path))
        });
        // What an earlier cut said of equal lists that are summed with others now.
        let stars: BTreeMap<String, usize> = (joined.iter().enumerate())
            .filter(|(_, e)| e.path.ends_with("/*"))
            .map(|(i, e)| (wording::decoded(&e.path), i))
            .collect();
        for (path, list) in stated {
            let (mut summed, mut here, mut held) = (false, false, true);
            for way in &list.ways {
                let found = there.find(way);
                summed |= matches!(found, Found::List(cut) if cut.starred);
                here |= !matches!(found, Found::Gone);
                held &= matches!(found, Found::Whole | Found::Object);
            }
            if !summed {
                // One of them was cut, and is none that has an entry.
                let sum = self.sum_of(&mut there, path, &list.ways);
                if let Some(way) = list.ways.first().filter(|_| here && !held && sum.kept < sum.total) {
                    joined.push(Entry { path: way.raw.clone(), next: None, ..sum });
                }
                continue;
            }
            let Some((parent, _)) = path.rsplit_once('/') else { continue };
            let missing = list.total.saturating_sub(list.held);
            let star = stars.get(&alloc::format!("{parent}/*"));
            if let Some(entry) = star.and_then(|&i| joined.get_mut(i)) {
                entry.total = entry.total.saturating_add(missing);
                entry.beyond.0 += missing;
                let before = self.marks.stars().get(parent);
                for way in list.ways.iter().filter(|way| before.is_none_or(|star| !star.sums(&way.node))) {
                    if matches!(there.find(way), Found::List(cut) if !cut.is_map && cut.omitted() == 0) {
                        entry.add_whole(&way.node);
                    }
                }
            }
        }
        for (parent, star) in split {
            let Some(entry) = stars.get(&alloc::format!("{parent}/*")).and_then(|&i| joined.get_mut(i)) else {
                continue;
            };
            entry.total = entry.total.saturating_add(star.missing);
            for way in star.ways.iter().filter(|way| matches!(there.find(way), Found::Whole)) {
                self.add_members(star, way, entry);
            }
        }
        joined
    }

    /// The lists of an object that is here whole, as far as a sum entry sums them.
    fn add_members(&self, star: &Star, way: &Way, sum: &mut Entry) {
        for child in Children::new(self.view.text, self.view.scan, &way.node) {
            if child.node.kind(self.view.text) == Kind::Array && star.sums(&child.node) {
                sum.add_whole(&child.node);
            }
        }
    }

    fn sum_of(&self, there: &mut There<'_, '_>, path: &str, ways: &[Way]) -> Entry {
        let view = self.view;
        let mut sum = Entry::default();
        for way in ways {
            match there.find(way) {
                Found::Whole if way.node.kind(view.text) == Kind::Array => {
                    let children = Children::new(view.text, view.scan, &way.node);
                    let marked = if self.marks.any() {
                        children.filter(|c| self.marks.is_marked(c.node.raw(view.text))).count()
                    } else {
                        0
                    };
                    let bytes = super::render::content(&way.node);
                    let (total, kept) = (way.node.count, way.node.count - marked);
                    add(&mut sum, &Entry { total, kept, shrunk: marked, bytes: (bytes, bytes, 0), ..Entry::default() });
                    sum.beyond.1 += marked;
                }
                // One that an earlier cut shortened still is.
                Found::Whole if self.marks.list(path).is_some() => {
                    if let Some(string) = self.shortened(way) {
                        add(&mut sum, &string);
                    }
                }
                // An object that came to fit after all is no map.
                Found::List(list) if list.is_map && list.is_whole() => {}
                Found::List(list) => {
                    let (total, kept, shrunk) = (list.total, list.kept, list.shrunk);
                    let (whole, part) = super::render::source_bytes(list);
                    let bytes = (super::render::content(&list.node), whole, part);
                    add(&mut sum, &Entry { total, kept, shrunk, bytes, ..Entry::default() });
                    sum.malformed_at = sum.malformed_at.or(list.malformed_at);
                }
                Found::Text(text) if text.is_told() => {
                    add(&mut sum, &Entry::string(String::new(), &way.node, None));
                }
                _ => {}
            }
        }
        if let Some(list) = self.marks.list(path) {
            sum.beyond.0 = list.total.saturating_sub(list.held);
            sum.total = sum.total.saturating_add(sum.beyond.0);
        }
        sum
    }

    /// The entry of a string that an earlier cut shortened: a list of one.
    fn shortened(&self, way: &Way) -> Option<Entry> {
        let raw = way.node.raw(self.view.text);
        let cut = way.node.kind(self.view.text) == Kind::String && StringGap::stated(raw).is_some();
        cut.then(|| Entry::string(way.raw.clone(), &way.node, None))
    }

    /// The sum entry of an object that is here as the earlier text had it, and so was not cut again, or is a map now
    /// that holds at least one of the lists.
    fn stated_sum(&self, there: &mut There<'_, '_>, star: &Star) -> Option<Entry> {
        let mut held = None;
        let mut sum = Entry { total: star.missing, ..Entry::default() };
        for way in &star.ways {
            let here = match there.find(way) {
                Found::Whole | Found::Object => {
                    self.add_members(star, way, &mut sum);
                    true
                }
                Found::List(map) if map.is_map => self.add_mapped(there, star, (way, map), &mut sum),
                _ => false,
            };
            if here {
                held = held.or(Some(way));
            }
        }
        Some(Entry { path: alloc::format!("{}/*", held?.raw), ..sum })
    }

    /// The same of an object that is a map now, and whether it holds one of the lists.
    fn add_mapped<'t, 'a>(
        &self,
        there: &mut There<'t, 'a>,
        star: &Star,
        (way, map): (&Way, &'t ListCut<'a>),
        sum: &mut Entry,
    ) -> bool {
        let mut held = false;
        for child in Children::new(self.view.text, self.view.scan, &way.node).filter(|c| star.sums(&c.node)) {
            match there.member(map, child.key.0) {
                Some(Item::Whole { .. }) => {
                    sum.add_whole(&child.node);
                    held = true;
                }
                Some(Item::Shrunk { piece: Piece::List(list), .. }) => {
                    let (whole, part) = super::render::source_bytes(list);
                    let bytes = (super::render::content(&child.node), whole, part);
                    let (total, kept, shrunk) = (child.node.count, list.kept, list.shrunk);
                    add(sum, &Entry { total, kept, shrunk, bytes, ..Entry::default() });
                    held = true;
                }
                _ => {
                    sum.total += child.node.count;
                    sum.bytes.0 += super::render::content(&child.node);
                }
            }
        }
        held
    }
}

fn add(sum: &mut Entry, more: &Entry) {
    sum.total = sum.total.saturating_add(more.total);
    sum.kept += more.kept;
    sum.shrunk += more.shrunk;
    sum.bytes.0 += more.bytes.0;
    sum.bytes.1 += more.bytes.1;
    sum.bytes.2 += more.bytes.2;
}
