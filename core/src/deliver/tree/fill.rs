//! Who gets how much: max-min fair shares over the members of an object, in output size.
//!
//! Every list pays for its own notice entry at its widest inside its share. Cost is then monotone in the level, one
//! level exists, and the order of keys plays no part.

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

use super::cut::{ObjectCut, Piece, Told};
use super::marks::{Marks, RecordMarks};
use super::salvage::Broken;
use super::view::View;
use crate::deliver::options::{DeliverOptions, Share};
use crate::error::Error;
use crate::json::{Child, Children, Kind, Node, Pattern, cmp_unescaped, decode_key, push_token};
use crate::wording;

/// Objects inside objects that are cut member by member; what is nested deeper is whole or not there.
const CUT_DEPTH: usize = 24;
/// Members from which an object can be a map.
pub(super) const MAP_MEMBERS: usize = 32;

/// Where a value stands.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// Absolute pointer in raw spelling, `*` for positions.
    pub(crate) path: String,
    /// Pointer relative to the record that holds it; `None` outside records.
    pub(crate) rel: Option<String>,
    pub(crate) depth: usize,
    /// Several values have this path, under equal keys.
    pub(crate) twin: bool,
}

impl Place {
    pub(crate) fn root() -> Self {
        Place { path: String::new(), rel: None, depth: 0, twin: false }
    }

    fn member(&self, raw_key: &str) -> Place {
        let mut path = self.path.clone();
        push_token(&mut path, raw_key);
        let rel = self.rel.as_ref().map(|r| {
            let mut rel = r.clone();
            push_token(&mut rel, raw_key);
            rel
        });
        Place { path, rel, depth: self.depth + 1, twin: self.twin }
    }

    /// The place of the records of the list at this place.
    pub(crate) fn record(path: &str, depth: usize) -> Place {
        let mut path = String::from(path);
        path.push_str("/*");
        Place { path, rel: Some(String::new()), depth: depth + 1, twin: false }
    }
}

/// A member that can be cut: larger than what would tell of its loss.
#[derive(Debug)]
pub(super) struct Kid {
    pub(super) index: usize,
    pub(super) child: Child,
    pub(super) kind: Kind,
    pub(super) place: Place,
    /// Full size of what can be cut of it.
    pub(super) demand: usize,
    /// What its own notice costs.
    pub(super) cost: usize,
    /// What the entry of a string costs that is cut, and what it says.
    pub(super) entry: usize,
    pub(super) told: Told,
}

impl Kid {
    fn floor(&self) -> usize {
        self.demand.min(self.cost)
    }
}

/// Cuts one document to a goal.
pub(crate) struct Cutter<'a, 'o> {
    pub(crate) view: &'a View<'a>,
    pub(crate) options: &'o DeliverOptions<'o>,
    pub(crate) priority: &'o [Pattern],
    /// Patterns of lists cut inside records that have an entry in the root's notice.
    pub(crate) patterns: BTreeSet<String>,
    /// What entries may still take of the quarter for the notice.
    pub(crate) notice_room: usize,
    /// Statements of an earlier cut that closed.
    pub(crate) marks: &'o Marks,
    /// What the mark of the record in hand says.
    pub(crate) record_marks: Rc<RecordMarks>,
    /// Build the smallest text: nothing but frames and counts.
    pub(crate) least: bool,
    /// The text is small: short forms.
    pub(crate) short: bool,
    /// The notice has a hint.
    pub(crate) hinted: bool,
    /// The notice has an entry already.
    pub(crate) said: bool,
    /// What broke off, of salvaged input.
    pub(crate) broken: Option<&'o Broken>,
}

struct Gathered {
    kids: Vec<Kid>,
    frame: usize,
    floors: usize,
    complete: bool,
}

impl<'a> Cutter<'a, '_> {
    /// Cuts an object to `share` units, or answers `None` when its frame and floors do not fit. The second figure is
    /// what was used.
    ///
    /// # Errors
    /// Those of the counter, and `record_too_large`.
    pub(crate) fn fill_object(
        &mut self,
        node: &Node,
        share: usize,
        place: &Place,
    ) -> Result<Option<(ObjectCut<'a>, usize)>, Error> {
        if place.depth > CUT_DEPTH {
            return Ok(None);
        }
        if place.rel.as_deref() == Some("") && self.marks.any() {
            let outer = core::mem::replace(&mut self.record_marks, self.marks.record_marks(self.view, node));
            let filled = self.fill_members(node, share, place);
            self.record_marks = outer;
            return filled;
        }
        self.fill_members(node, share, place)
    }

    fn fill_members(
        &mut self,
        node: &Node,
        share: usize,
        place: &Place,
    ) -> Result<Option<(ObjectCut<'a>, usize)>, Error> {
        // An earlier cut dropped members here: what it said can only be said of a map.
        let dropped = match place.rel.as_deref() {
            Some("") => self.stated_total(place).is_some(),
            None => place.path.is_empty() && self.marks.any() && self.marks.total("").is_some(),
            Some(_) => false,
        };
        if dropped {
            return Ok(None);
        }
        let carries_notice = place.rel.as_deref().map_or(place.path.is_empty(), str::is_empty);
        let (notice, skip_first) = self.notice_name(node, place, carries_notice);
        let mut head = 0;
        if let Some(name) = &notice {
            head = self.view.size_of_ours(&alloc::format!("\"{name}\":{{}},"));
            // What an earlier cut said is said again, whatever is cut now.
            if place.rel.is_some() {
                head += self.record_marks.widest;
            }
            if place.rel.is_none() {
                head += self.broken.map_or(0, |broken| self.view.size_of_ours(&broken.widest()));
                for (path, star) in self.marks.stars() {
                    let widest = star.missing.saturating_mul(10).saturating_add(1000);
                    let path = alloc::format!("{path}/*");
                    head += self.view.size_of_ours(&wording::entry_widest(&path, widest, false));
                }
                for (path, list) in self.marks.lists() {
                    head += self.view.size_of_ours(&wording::entry_widest(path, list.total, true));
                    head += self.view.size_of_ours(&wording::shrunk_widest(list.total));
                }
                if !self.least {
                    for (path, _) in self.marks.strings() {
                        head += self.view.size_of_ours(&wording::string_entry_widest(path, self.view.text.len()));
                    }
                }
                if self.hinted {
                    head += self.view.size_of_ours(&wording::hint_widest(self.options)) + 10;
                }
            }
        }
        let mut g = self.gather(node, share, place, skip_first)?;
        // A pointer too long for an entry of its own: one entry sums all lists here.
        let stated = self.marks.star(&place.path).is_some() && place.rel.is_none();
        // Below equal keys one entry sums the lists: their pointers could not tell them apart.
        let twins = place.twin && place.rel.is_none();
        if stated || twins || g.kids.iter().any(|k| k.kind == Kind::Array && k.cost == 0) {
            self.star(&mut g.kids, place, &mut head);
        }
        if !g.complete || g.floors.saturating_add(g.frame).saturating_add(head) > share {
            // One entry for all lists is cheaper than one for each.
            let starred = self.star(&mut g.kids, place, &mut head);
            g.floors = g.kids.iter().map(Kid::floor).sum();
            if !g.complete || !starred || g.floors + g.frame + head > share {
                return Ok(None);
            }
        }
        if place.rel.is_none()
            && place.path.is_empty()
            && node.count > MAP_MEMBERS
            && g.frame > share / 2
            && !self.least
        {
            return Ok(None);
        }
        let mut room = share.saturating_sub(g.frame + head);
        let mut levels = self.levels(&g.kids, room);
        let entries: usize = g
            .kids
            .iter()
            .zip(&levels)
            .filter(|(k, level)| k.kind == Kind::Array && k.demand > (**level).max(k.cost))
            .map(|(k, _)| k.cost)
            .fold(0, usize::saturating_add);
        let mut starred = stated || g.kids.iter().any(|k| k.kind == Kind::Array && k.cost == 0);
        if place.rel.is_none() && !starred && (entries > self.notice_room || self.least && entries > 0) {
            let before = head;
            starred = self.star(&mut g.kids, place, &mut head);
            room = room.saturating_sub(head - before);
            levels = self.levels(&g.kids, room);
        }
        if !starred && place.rel.is_none() {
            self.notice_room = self.notice_room.saturating_sub(entries);
        }
        if place.rel.is_none() && self.tell_strings(&mut g.kids, &levels, entries > 0 || starred) {
            levels = self.levels(&g.kids, room);
        }
        let mut order: Vec<usize> = (0..g.kids.len()).collect();
        let text = self.view.text;
        order.sort_by(|&a, &b| {
            let (a, b) = (&g.kids[a].child, &g.kids[b].child);
            cmp_unescaped(a.key_raw(text), b.key_raw(text)).then_with(|| a.node.raw(text).cmp(b.node.raw(text)))
        });
        let mut object = ObjectCut { node: *node, cuts: Vec::new(), star: starred, notice, skip_first, stated: None };
        if place.rel.as_deref() == Some("") {
            object.stated = Some(self.record_marks.clone()).filter(|m| !m.said.is_empty());
        }
        let mut used_up = 0;
        for &i in &order {
            let kid = &g.kids[i];
            let level = levels[i].max(kid.floor());
            if kid.demand <= level {
                used_up += kid.demand;
                continue;
            }
            let (piece, used) = match kid.kind {
                Kind::Array => {
                    let list = self.open_list(kid, level.saturating_sub(kid.cost))?;
                    // In a record a list of which nothing is left out has no mark.
                    let marked = place.rel.is_none() || list.omitted() > 0;
                    let used = list.used + if marked { kid.cost } else { 0 };
                    (Piece::List(Box::new(list)), used)
                }
                Kind::Object => {
                    if let Some((inner, used)) = self.fill_object(&kid.child.node, level, &kid.place)? {
                        (Piece::Object(Box::new(inner)), used)
                    } else {
                        let map = self.fill_map(&kid.child.node, level, &kid.place)?;
                        let used = kid.cost + map.used;
                        (Piece::List(Box::new(map)), used)
                    }
                }
                _ => {
                    let Some((cut, used)) = self.cut_string(kid, level, place.rel.is_none())? else {
                        used_up += kid.demand;
                        continue;
                    };
                    (Piece::Text(cut), used)
                }
            };
            used_up += used;
            object.cuts.push((kid.index, kid.child, piece));
        }
        object.cuts.sort_by_key(|c| c.0);
        let mut left = room.saturating_sub(used_up);
        if carries_notice && !self.least {
            self.grow(&mut object, &mut left)?;
        }
        Ok(Some((object, share - left)))
    }

    /// The name of the notice this object would carry, and whether its first member is an earlier one of ours.
    fn notice_name(&self, node: &Node, place: &Place, carries: bool) -> (Option<String>, bool) {
        if !carries {
            return (None, false);
        }
        let ours = self.marks.is_ours(self.view, node, place);
        (Some(free_name(self.view, node, ours)), ours)
    }

    fn gather(&mut self, node: &Node, share: usize, place: &Place, skip_first: bool) -> Result<Gathered, Error> {
        let view = self.view;
        // For the smallest text it is enough to know that a value is larger than the budget.
        let cap = if self.least { view.budget().limit().max(256) } else { share };
        let mut g = Gathered { kids: Vec::new(), frame: 0, floors: 0, complete: true };
        let mut frame = Frame::new(view, node);
        frame.add(2);
        let mut keys = Vec::new();
        for (index, child) in Children::new(view.text, view.scan, node).enumerate() {
            keys.push((child, index));
            if index == 0 && skip_first {
                continue;
            }
            frame.span(child.key.0, child.key.1, 2)?;
            let kind = child.node.kind(view.text);
            let size = if kind == Kind::Scalar { 0 } else { view.size(&child.node, cap)? };
            // What is smaller than any notice is never cut: no need to know its place.
            if kind == Kind::Scalar || size <= 8 {
                frame.value(&child.node, cap)?;
            } else {
                let own = place.member(child.key_raw(view.text));
                let (demand, cost) = match kind {
                    Kind::Array => (size.saturating_sub(2), self.entry_cost(&own, child.node.count, false)),
                    Kind::Object => (size, self.entry_cost(&own, child.node.count, true).saturating_add(2)),
                    _ => (size, super::text::floor(self, &child.node, size)?),
                };
                if demand <= cost && cost != 0 {
                    frame.value(&child.node, cap)?;
                } else {
                    if kind == Kind::Array {
                        frame.add(2);
                    }
                    let kid = Kid { index, child, kind, place: own, demand, cost, entry: 0, told: Told::Lines };
                    g.floors = g.floors.saturating_add(kid.floor());
                    g.kids.push(kid);
                }
            }
            if !self.least && frame.at_least().saturating_add(g.floors.min(g.kids.len() * 2)) > share {
                g.complete = false;
                break;
            }
        }
        g.frame = frame.size()?;
        mark_twins(view.text, keys, &mut g.kids);
        Ok(g)
    }

    /// Sums the entries of the lists under one; false where that is no saving.
    fn star(&mut self, kids: &mut [Kid], place: &Place, head: &mut usize) -> bool {
        if place.rel.is_some() {
            return false;
        }
        let mut total = 0usize;
        for kid in kids.iter_mut().filter(|k| k.kind == Kind::Array) {
            total = total.saturating_add(kid.child.node.count);
            kid.cost = 0;
        }
        let before = self.marks.star(&place.path).map_or(0, |s| s.missing);
        total = total.saturating_add(before);
        if total > 0 {
            let path = alloc::format!("{}/*", place.path);
            *head += self.view.size_of_ours(&wording::entry_widest(&path, total, false));
        }
        total > 0
    }

    /// The most each kid may use: the one line in which the policies differ.
    fn levels(&self, kids: &[Kid], room: usize) -> Vec<usize> {
        let floors = kids.iter().map(Kid::floor).fold(0, usize::saturating_add);
        if self.least {
            return kids.iter().map(|_| 0).collect();
        }
        let mut levels: Vec<usize> = kids.iter().map(Kid::floor).collect();
        let mut free = room.saturating_sub(floors);
        let (first, open): (Vec<usize>, Vec<usize>) =
            (0..kids.len()).partition(|&i| self.priority.iter().any(|p| leads_to(p, &kids[i].place.path)));
        share_fairly(kids, &first, &mut levels, &mut free);
        match self.options.share {
            Share::Fair => {}
            Share::InOrder => {
                for &i in &open {
                    let more = (kids[i].demand - levels[i]).min(free);
                    levels[i] += more;
                    free -= more;
                }
            }
            Share::Proportional => {
                let sum: u128 = open.iter().map(|&i| kids[i].demand as u128).sum();
                let all = free + open.iter().map(|&i| levels[i]).sum::<usize>();
                // By pointer order, so that the order of keys plays no part.
                let mut sorted = open.clone();
                sorted.sort_by(|&a, &b| kids[a].place.path.cmp(&kids[b].place.path));
                for &i in &sorted {
                    let part = (all as u128 * kids[i].demand as u128).checked_div(sum).unwrap_or(0);
                    let part = usize::try_from(part).unwrap_or(usize::MAX);
                    let more = part.saturating_sub(levels[i]).min(free).min(kids[i].demand - levels[i]);
                    levels[i] += more;
                    free -= more;
                }
            }
        }
        share_fairly(kids, &open, &mut levels, &mut free);
        levels
    }

    /// How many records an earlier statement says the list at this place has.
    pub(crate) fn stated_total(&self, place: &Place) -> Option<usize> {
        match &place.rel {
            None => self.marks.total(&place.path),
            Some(rel) => {
                if self.record_marks.said.is_empty() {
                    return None;
                }
                self.record_marks.total(&wording::decoded(rel))
            }
        }
    }

    fn open_list(&mut self, kid: &Kid, room: usize) -> Result<super::cut::ListCut<'a>, Error> {
        let mut list = self.new_list(&kid.child.node, false, &kid.place);
        if list.total == list.to {
            list.demand = kid.demand;
        }
        // The entry of equal keys stays when one of them is whole.
        list.entry = if list.twin { 0 } else { kid.cost };
        list.starred = kid.cost == 0;
        list.room = room;
        self.order_records(&mut list, None, room)?;
        if !self.least {
            self.take(&mut list, room)?;
        }
        Ok(list)
    }

    /// What the notice entry of a list costs at its widest; 0 where its pointer is too long to be written.
    fn entry_cost(&self, place: &Place, count: usize, is_map: bool) -> usize {
        match &place.rel {
            Some(rel) => {
                let mut cost = self.view.size_of_ours(&wording::mark_widest(rel, count));
                if !is_map {
                    cost += self.pattern_cost(&place.path);
                }
                cost
            }
            None if place.path.chars().count() > self.options.limits.notice_pointer => {
                if is_map {
                    self.view.size_of_ours(&wording::entry_widest("/*", count, false))
                } else {
                    0
                }
            }
            None => {
                let total = self.marks.total(&place.path).unwrap_or(count).max(count);
                self.view.size_of_ours(&wording::entry_widest(&place.path, total, true))
            }
        }
    }

    /// What a new entry for the pattern of lists inside records costs; nothing when it has one or gets none.
    pub(super) fn pattern_cost(&self, path: &str) -> usize {
        if self.patterns.contains(path) || path.chars().count() > self.options.limits.notice_pointer {
            return 0;
        }
        let cost = self.view.size_of_ours(&wording::pattern_widest(path, self.view.text.len()));
        if cost > self.notice_room { 0 } else { cost }
    }
}

/// Raises the levels of some kids to one height, as far as `free` goes: the small become whole, the rest are equal.
fn share_fairly(kids: &[Kid], group: &[usize], levels: &mut [usize], free: &mut usize) {
    let room = group.iter().map(|&i| levels[i]).fold(*free, usize::saturating_add);
    let cost =
        |level: usize| group.iter().map(|&i| kids[i].demand.min(level.max(levels[i]))).fold(0, usize::saturating_add);
    let (mut low, mut high) = (0, room);
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if cost(middle) <= room { low = middle } else { high = middle - 1 }
    }
    *free = room.saturating_sub(cost(low));
    for &i in group {
        levels[i] = kids[i].demand.min(low.max(levels[i]));
    }
}

/// `_omitted`, with as many more underscores in front as it takes to be free in this object.
pub(super) fn free_name(view: &View<'_>, node: &Node, skip_first: bool) -> String {
    let mut name = String::from(wording::NOTICE);
    let mut taken: Vec<String> = Children::new(view.text, view.scan, node)
        .skip(usize::from(skip_first))
        .map(|c| c.key_raw(view.text))
        .filter(|raw| raw.contains("omitted") || raw.contains('\\'))
        .map(decode_key)
        .filter(|key| key.trim_start_matches('_') == "omitted")
        .collect();
    taken.sort();
    while taken.binary_search(&name).is_ok() {
        name.insert(0, '_');
    }
    name
}

/// Whether a priority pointer names this place or one above or below it.
fn leads_to(pattern: &Pattern, path: &str) -> bool {
    for (level, token) in path.split('/').skip(1).enumerate() {
        if level >= pattern.len() {
            return true;
        }
        let name = decode_key(&alloc::format!("\"{token}\"")).replace("~1", "/").replace("~2", "*").replace("~0", "~");
        if !pattern.takes_key(level, &name) {
            return false;
        }
    }
    true
}

/// Members with the same key have one pointer between them and so no cursor.
fn mark_twins(text: &str, mut keys: Vec<(Child, usize)>, kids: &mut [Kid]) {
    keys.sort_by(|a, b| cmp_unescaped(a.0.key_raw(text), b.0.key_raw(text)));
    for pair in keys.windows(2) {
        let [(a, i), (b, j)] = pair else { continue };
        if cmp_unescaped(a.key_raw(text), b.key_raw(text)).is_eq() {
            // Kids stand in the order of their places.
            for at in [i, j] {
                if let Ok(k) = kids.binary_search_by_key(at, |k| k.index) {
                    kids[k].place.twin = true;
                }
            }
        }
    }
}

/// Sums the frame of an object. Sizes add up in additive units; for tokens the text is put together and counted once.
pub(super) struct Frame<'a> {
    view: &'a View<'a>,
    start: usize,
    sum: usize,
    text: String,
}

impl<'a> Frame<'a> {
    pub(super) fn new(view: &'a View<'a>, node: &Node) -> Self {
        Frame { view, start: node.start, sum: 0, text: String::new() }
    }

    pub(super) fn add(&mut self, units: usize) {
        self.sum += units;
    }

    pub(super) fn span(&mut self, start: usize, end: usize, more: usize) -> Result<(), Error> {
        self.sum += more;
        if self.view.is_counted() {
            self.view.write_span(start, end, &mut self.text);
            self.text.push_str(": ");
        } else {
            self.sum += self.view.span_size(start, end)?;
        }
        Ok(())
    }

    pub(super) fn value(&mut self, node: &Node, cap: usize) -> Result<(), Error> {
        if self.view.is_counted() {
            if self.text.len() <= cap.saturating_mul(32).saturating_add(1024) {
                self.view.write(node, &mut self.text);
            }
        } else {
            self.sum = self.sum.saturating_add(self.view.size(node, cap)?);
        }
        Ok(())
    }

    /// A bound from below that costs no counting.
    pub(super) fn at_least(&self) -> usize {
        if self.view.is_counted() { self.text.len() / 32 } else { self.sum }
    }

    pub(super) fn size(&self) -> Result<usize, Error> {
        if self.view.is_counted() { self.view.frame_size(self.start, &self.text) } else { Ok(self.sum) }
    }
}
