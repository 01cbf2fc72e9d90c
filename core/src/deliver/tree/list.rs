//! Taking the records of one list: whole ones first, oversize ones pruned, from the head, the tail or both.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use super::cut::{Item, ListCut, ObjectCut, Piece};
use super::fill::{Cutter, Frame, Place};
use super::records::{Record, Records};
use super::sort::Order;
use super::text;
use crate::deliver::options::{Keep, Oversize};
use crate::error::Error;
use crate::json::{Children, Kind, Node, cmp_unescaped};
use crate::wording;

/// Fewer units left than this are not worth another try.
const WORTH_GROWING: usize = 16;

/// Records passed over that are remembered: a bound on looking at them again.
const MOST_PASSED: usize = 64;

/// Which end of the list a record is taken from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Front,
    Back,
}

impl<'a> Cutter<'a, '_> {
    /// An empty cut of the list at `place`; positions and totals as earlier statements say.
    pub(crate) fn new_list(&self, node: &Node, is_map: bool, place: &Place) -> ListCut<'a> {
        let held = node.count;
        // What was said of equal keys was said of all of them together.
        let stated = if self.marks.any() && !place.twin { self.stated_total(place) } else { None };
        let broken = self.broken.filter(|b| place.rel.is_none() && b.breaks(node, is_map)).map(|b| b.at);
        ListCut {
            node: *node,
            is_map,
            path: place.path.clone(),
            rel: place.rel.clone(),
            total: stated.unwrap_or(held).max(held),
            offset: 0,
            from: 0,
            to: held,
            items: Vec::new(),
            tail: Vec::new(),
            records: Records::ordered(Vec::new(), 0, 0),
            kept: 0,
            shrunk: 0,
            skipped: Vec::new(),
            too_large: Vec::new(),
            room: 0,
            used: 0,
            passed: 0,
            demand: usize::MAX,
            entry: 0,
            lossy: stated.is_some_and(|t| t > held),
            no_cursor: self.broken.is_some() || place.twin,
            twin: place.twin,
            starred: false,
            malformed_at: broken,
            is_page: false,
            notice: None,
            skip_first: false,
            stated: None,
        }
    }

    /// Puts the records of a list into the order in which they are served; `range` is a page's.
    pub(crate) fn order_records(
        &self,
        list: &mut ListCut<'a>,
        range: Option<(usize, usize)>,
        room: usize,
    ) -> Result<(), Error> {
        let view = self.view;
        let (from, to) = range.unwrap_or((0, list.to));
        let to = to.min(list.to);
        list.from = from;
        list.to = to;
        let children = Children::new(view.text, view.scan, &list.node);
        // A record takes at least two units with its comma: no more than these can be served.
        let most = to.min(from.saturating_add(room / 2 + 2));
        let head_only = self.keep() == Keep::Head;
        list.records = if list.is_map {
            let mut order: Vec<_> = children.skip(usize::from(list.skip_first)).collect();
            order.sort_by(|a, b| {
                cmp_unescaped(a.key_raw(view.text), b.key_raw(view.text))
                    .then_with(|| a.node.raw(view.text).cmp(b.node.raw(view.text)))
            });
            Records::ordered(order, from, to)
        } else if let (Some(order), None) = (Order::of(self.options), &list.rel) {
            Records::ordered(order.sorted(view, children, head_only.then_some(most)), from, to)
        } else {
            Records::input(children, from, to)
        };
        if !head_only && !list.is_map {
            // What is too large takes a gap in the cursor, or (skipped) nothing but a place to remember.
            let passed = if self.options.oversize == Oversize::Skip { 2 } else { 16 };
            let weight =
                |c: &crate::json::Child| view.size(&c.node, room).map_or(1, |n| if n < room { n + 1 } else { passed });
            let records = core::mem::replace(&mut list.records, Records::ordered(Vec::new(), 0, 0));
            list.records = records.with_tail(room, weight);
        }
        Ok(())
    }

    pub(crate) fn keep(&self) -> Keep {
        self.options.keep.unwrap_or(Keep::Head)
    }

    /// Takes records into `list` until `room` is used.
    pub(crate) fn take(&mut self, list: &mut ListCut<'a>, room: usize) -> Result<(), Error> {
        list.room = room;
        let keep = if list.is_map || list.rel.is_some() { Keep::Head } else { self.keep() };
        match keep {
            Keep::Head => self.take_from(list, End::Front, room),
            Keep::Tail => self.take_from(list, End::Back, room),
            Keep::Both => {
                self.take_from(list, End::Front, room / 2)?;
                self.take_from(list, End::Back, room)?;
                self.take_from(list, End::Front, room)
            }
        }
    }

    /// Takes the first record of a page alone, whole or pruned, in `room`.
    pub(crate) fn take_one(&mut self, list: &mut ListCut<'a>, room: usize) -> Result<(), Error> {
        list.room = room;
        let end = if self.keep() == Keep::Tail && !list.is_map { End::Back } else { End::Front };
        let Some(record) = peek(list, end) else { return Ok(()) };
        let size = self.record_size(list, &record, room)?;
        if size <= room {
            self.push_whole(list, end, &record, size);
        } else {
            // Whatever its share would be: the whole room is its own.
            list.room = 0;
            self.take_oversize(list, end, &record, room)?;
        }
        Ok(())
    }

    /// Passes over the first record of a page.
    pub(crate) fn skip_one(&self, list: &mut ListCut<'a>) {
        let end = if self.keep() == Keep::Tail && !list.is_map { End::Back } else { End::Front };
        if let Some(record) = peek(list, end) {
            list.skipped.push(record.at);
            list.lossy = true;
            pop(list, end);
        }
    }

    fn take_from(&mut self, list: &mut ListCut<'a>, end: End, limit: usize) -> Result<(), Error> {
        while let Some(record) = peek(list, end) {
            let size = self.record_size(list, &record, limit)?;
            if list.used.saturating_add(size) <= limit {
                self.push_whole(list, end, &record, size);
            } else if size <= self.share(list).saturating_add(1)
                || list.used + 2 > limit
                || !self.take_oversize(list, end, &record, limit)?
            {
                break;
            }
        }
        Ok(())
    }

    /// What a record may have and not be oversize. A later round may try more than the budget.
    fn share(&self, list: &ListCut<'a>) -> usize {
        list.room.min(self.view.budget().limit())
    }

    /// Minified size with the comma, and the key of a map's member.
    fn record_size(&self, list: &ListCut<'a>, record: &Record, cap: usize) -> Result<usize, Error> {
        let mut size = self.view.size(&record.child.node, cap)?.saturating_add(1);
        if list.is_map {
            size = size.saturating_add(self.view.span_size(record.child.key.0, record.child.key.1)?).saturating_add(1);
            size = size.saturating_add(list.stated.as_ref().map_or(0, |marks| marks.of_member(record.child.key.0)));
        }
        Ok(size)
    }

    fn push_whole(&mut self, list: &mut ListCut<'a>, end: End, record: &Record, size: usize) {
        let (start, stop) = (record.child.key.0, record.child.node.end);
        let marked = !list.is_map && self.marks.any() && self.marks.is_marked(record.child.node.raw(self.view.text));
        if marked {
            list.shrunk += 1;
        } else {
            list.kept += 1;
        }
        list.used += size;
        let apart = list.is_map || self.options.sort_by.is_some();
        let items = if end == End::Front { &mut list.items } else { &mut list.tail };
        match items.last_mut() {
            Some(Item::Whole { to, end: last, marked: m, .. })
                if end == End::Front && !apart && *to == record.at && *m == marked =>
            {
                *to += 1;
                *last = stop;
            }
            Some(Item::Whole { from, start: first, marked: m, .. })
                if end == End::Back && !apart && *from == record.at + 1 && *m == marked =>
            {
                *from = record.at;
                *first = start;
            }
            _ => items.push(Item::Whole { from: record.at, to: record.at + 1, start, end: stop, marked }),
        }
        pop(list, end);
    }

    /// A record larger than the list's whole share. False where the list ends here.
    fn take_oversize(
        &mut self,
        list: &mut ListCut<'a>,
        end: End,
        record: &Record,
        limit: usize,
    ) -> Result<bool, Error> {
        let key = if list.is_map { self.view.span_size(record.child.key.0, record.child.key.1)? + 1 } else { 0 };
        match self.options.oversize {
            Oversize::Error => {
                let size = self.record_size(list, record, usize::MAX)?.saturating_sub(1);
                let budget = self.view.budget();
                let (unit, index) = (budget.unit(), record.at + list.offset);
                let room = self.share(list);
                let message = alloc::format!(
                    "record {index} of {} is too large: {size} {unit}, its list has {room} of a budget of {}",
                    if list.path.is_empty() { "the list" } else { &list.path },
                    budget.limit()
                );
                return Err(Error::too_large(size, room, unit, message).in_list(wording::decoded(&list.path), index));
            }
            Oversize::Skip => {
                // No cursor names what is skipped; as many are remembered as there could be records in the room.
                if list.skipped.len() > list.room / 2 {
                    return Ok(false);
                }
                list.skipped.push(record.at);
                list.lossy = true;
                pop(list, end);
                return Ok(true);
            }
            // Members of a map are taken whole; only a page of its own may show one in part.
            Oversize::Shrink if list.is_map && !list.is_page => return self.pass_over(list, end, record, limit),
            Oversize::Shrink => {}
        }
        let free = limit.saturating_sub(list.used);
        // The mark of a record does not say how many were shrunk.
        let told = list.shrunk == 0 && list.rel.is_none();
        let shrunk = if told { self.view.size_of_ours(&wording::shrunk_widest(list.total)) } else { 0 };
        let room = free.saturating_sub(key + 1 + shrunk);
        let place = Place::record(&list.path, list.path.matches('/').count());
        let first = list.kept + list.shrunk == 0;
        let frame = self.frame_of(&record.child.node, list.room)?;
        let cap = (list.room / 4).max(list.room.min(frame.saturating_mul(3) / 2)).min(room);
        let mut pruned = self.prune(&record.child.node, cap, &place)?;
        if pruned.is_none() && first {
            pruned = self.prune(&record.child.node, room, &place)?;
        }
        let Some((piece, used)) = pruned else { return self.pass_over(list, end, record, limit) };
        self.register(&piece);
        if list.used + used + key + 1 + shrunk > limit {
            return self.pass_over(list, end, record, limit);
        }
        list.used += used + key + 1 + shrunk;
        list.lossy = true;
        let whole = piece.is_whole();
        if whole {
            list.kept += 1;
        } else {
            list.shrunk += 1;
        }
        let items = if end == End::Front { &mut list.items } else { &mut list.tail };
        items.push(Item::Shrunk { at: record.at, child: record.child, piece, size: used });
        pop(list, end);
        Ok(true)
    }

    /// Leaves a record out and goes on after it, where the cursor can still name the gap. With nothing after it the
    /// list just ends.
    fn pass_over(&mut self, list: &mut ListCut<'a>, end: End, record: &Record, limit: usize) -> Result<bool, Error> {
        if list.records.left() <= 1 || !self.afford_gap(list, limit) {
            return Ok(false);
        }
        list.lossy = true;
        if list.too_large.len() < MOST_PASSED {
            list.too_large.push(*record);
        }
        pop(list, end);
        Ok(true)
    }

    fn afford_gap(&mut self, list: &mut ListCut<'a>, limit: usize) -> bool {
        let cost = self.view.size_of_ours(&wording::gap_widest(&list.path, list.total));
        if list.used + list.passed + cost + 2 > limit {
            return false;
        }
        // The text has no cursor of a list that others are summed with, nor of one in a record: nothing is taken, but
        // the search has an end.
        *(if list.starred || list.rel.is_some() { &mut list.passed } else { &mut list.used }) += cost;
        true
    }

    /// Makes one record fit `cap` with a visible mark, or answers `None`.
    pub(crate) fn prune(
        &mut self,
        node: &Node,
        cap: usize,
        place: &Place,
    ) -> Result<Option<(Piece<'a>, usize)>, Error> {
        match node.kind(self.view.text) {
            Kind::Scalar => Ok(None),
            Kind::String => Ok(text::cut(self, node, cap)?.map(|(t, used)| (Piece::Text(t), used))),
            Kind::Array => {
                let label = text::list_label(self, node)?;
                Ok((label.1 <= cap).then_some((Piece::Text(label.0), label.1)))
            }
            Kind::Object => {
                if let Some((object, used)) = self.fill_object(node, cap, place)? {
                    if object.cuts.is_empty() {
                        return Ok(None);
                    }
                    return Ok(Some((Piece::Object(Box::new(object)), used)));
                }
                self.prune_members(node, cap, place)
            }
        }
    }

    /// A record whose frame does not fit keeps only some of its members, whole, and says how many.
    fn prune_members(&mut self, node: &Node, cap: usize, place: &Place) -> Result<Option<(Piece<'a>, usize)>, Error> {
        let ours = self.marks.is_ours(self.view, node, place);
        let name = super::fill::free_name(self.view, node, ours);
        let head = self.view.size_of_ours(&alloc::format!("\"{name}\":{{}},")) + 2;
        let stated = self.marks.record_marks(self.view, node);
        let total = stated.total("").unwrap_or(node.count).max(1);
        // What was said of its members is paid for by those that stay.
        let mark = self.view.size_of_ours(&wording::mark_widest("", total));
        if head + mark > cap {
            return Ok(None);
        }
        let mut map = self.fill_map(node, cap.saturating_sub(head + mark), place)?;
        map.rel = Some(String::new());
        let used = head + mark + map.used;
        map.rel = Some(String::new());
        map.notice = Some(name);
        map.skip_first = ours;
        Ok(Some((Piece::List(Box::new(map)), used)))
    }

    /// An object that is a map: members whole, in the order of their keys, as many as fit.
    pub(crate) fn fill_map(&mut self, node: &Node, share: usize, place: &Place) -> Result<ListCut<'a>, Error> {
        let mut map = self.new_list(node, true, place);
        if self.marks.is_ours(self.view, node, place) {
            map.skip_first = true;
            map.to -= 1;
            let stated = if place.rel.is_some() {
                let marks = self.marks.record_marks(self.view, node);
                let total = marks.total("");
                map.stated = Some(marks);
                total
            } else {
                self.marks.total(&place.path)
            };
            map.total = map.to.max(stated.unwrap_or(0));
        }
        map.entry = match &place.rel {
            Some(rel) => self.view.size_of_ours(&wording::mark_widest(rel, map.total)),
            None => self.view.size_of_ours(&wording::entry_widest(&place.path, map.total, true)),
        };
        let room = share.saturating_sub(map.entry + 2);
        map.room = room;
        self.order_records(&mut map, None, room)?;
        if !self.least {
            self.take(&mut map, room)?;
        }
        Ok(map)
    }

    /// The size of what cannot be cut of a record.
    fn frame_of(&self, node: &Node, cap: usize) -> Result<usize, Error> {
        let view = self.view;
        if node.kind(view.text) != Kind::Object {
            return Ok(0);
        }
        let mut frame = Frame::new(view, node);
        frame.add(2);
        for child in Children::new(view.text, view.scan, node) {
            frame.span(child.key.0, child.key.1, 2)?;
            match child.node.kind(view.text) {
                Kind::Scalar => frame.value(&child.node, cap)?,
                _ => frame.add(2),
            }
            if frame.at_least() > cap {
                break;
            }
        }
        frame.size()
    }

    /// Registers the patterns of a pruned record that is taken; what new entries cost was charged when it was filled.
    fn register(&mut self, piece: &Piece<'a>) {
        let Piece::Object(object) = piece else { return };
        for (_, _, inner) in &object.cuts {
            match inner {
                Piece::List(list) if !list.is_map && list.omitted() > 0 => {
                    let cost = self.pattern_cost(&list.path);
                    if cost > 0 {
                        self.notice_room -= cost;
                        self.patterns.insert(list.path.clone());
                    }
                }
                Piece::Object(_) => self.register(inner),
                _ => {}
            }
        }
    }

    /// Hands what is left to the lists of an object, one record a round each: what remains of a share is never lost.
    pub(crate) fn grow(&mut self, object: &mut ObjectCut<'a>, left: &mut usize) -> Result<(), Error> {
        let text = self.view.text;
        loop {
            let mut progress = false;
            let mut lists: Vec<(&mut ListCut<'a>, String)> = Vec::new();
            collect(object, &mut lists);
            lists.sort_by(|a, b| a.1.cmp(&b.1).then_with(|| a.0.node.raw(text).cmp(b.0.node.raw(text))));
            let mut alive: Vec<&mut ListCut<'a>> = lists.into_iter().map(|l| l.0).filter(|l| !l.is_whole()).collect();
            // Rounds: each list alive gets at most one record.
            while !alive.is_empty() {
                let mut next = Vec::new();
                for list in alive {
                    if self.grow_by_one(list, left)? {
                        progress = true;
                        if !list.is_whole() {
                            next.push(list);
                        }
                    }
                }
                alive = next;
            }
            let before = *left;
            self.grow_texts(object, left)?;
            self.grow_shrunk(object, left)?;
            if !progress || *left == before {
                break;
            }
        }
        Ok(())
    }

    fn grow_by_one(&mut self, list: &mut ListCut<'a>, left: &mut usize) -> Result<bool, Error> {
        let end = if self.keep() == Keep::Tail && !list.is_map && list.rel.is_none() { End::Back } else { End::Front };
        if !list.lossy && list.shrunk == 0 && list.demand != usize::MAX {
            // The rest may fit where its notice goes.
            let rest = list.demand.saturating_add(1).saturating_sub(list.used);
            if rest <= left.saturating_add(list.entry) && list.from == 0 {
                let mut cost = 0;
                while let Some(record) = peek(list, End::Front) {
                    let size = self.record_size(list, &record, usize::MAX)?;
                    cost += size;
                    self.push_whole(list, End::Front, &record, size);
                }
                // The last comma is not written.
                *left = (*left + list.entry).saturating_sub(cost.saturating_sub(1));
                return Ok(true);
            }
        }
        let Some(record) = peek(list, end) else { return self.take_passed(list, left) };
        let size = self.record_size(list, &record, *left)?;
        if size > *left {
            return self.take_passed(list, left);
        }
        *left -= size;
        self.push_whole(list, end, &record, size);
        Ok(true)
    }

    /// Takes the first record after all that was passed over as too large for the list's share.
    fn take_passed(&mut self, list: &mut ListCut<'a>, left: &mut usize) -> Result<bool, Error> {
        for i in 0..list.too_large.len() {
            let Some(record) = list.too_large.get(i).copied() else { break };
            let size = self.record_size(list, &record, *left)?;
            if size > *left {
                continue;
            }
            list.too_large.remove(i);
            *left -= size;
            list.used += size;
            let marked =
                !list.is_map && self.marks.any() && self.marks.is_marked(record.child.node.raw(self.view.text));
            *(if marked { &mut list.shrunk } else { &mut list.kept }) += 1;
            let (start, end) = (record.child.key.0, record.child.node.end);
            let item = Item::Whole { from: record.at, to: record.at + 1, start, end, marked };
            let front = list.items.partition_point(|item| item.positions().0 < record.at);
            let back = list.tail.partition_point(|item| item.positions().0 > record.at);
            if back < list.tail.len() {
                list.tail.insert(back, item);
            } else {
                list.items.insert(front, item);
            }
            return Ok(true);
        }
        Ok(false)
    }

    /// Records that were shrunk to leave room for others take what no other could use.
    fn grow_shrunk(&mut self, object: &mut ObjectCut<'a>, left: &mut usize) -> Result<(), Error> {
        let text_of = self.view.text;
        let mut order: Vec<usize> = (0..object.cuts.len()).collect();
        order.sort_by(|&a, &b| cmp_unescaped(object.cuts[a].1.key_raw(text_of), object.cuts[b].1.key_raw(text_of)));
        for i in order {
            match &mut object.cuts[i].2 {
                Piece::List(list) if !list.is_map || list.is_page => {
                    let place = Place::record(&list.path, list.path.matches('/').count());
                    for item in list.items.iter_mut().chain(list.tail.iter_mut()) {
                        let Item::Shrunk { child, piece, size, .. } = item else { continue };
                        if *left < WORTH_GROWING {
                            return Ok(());
                        }
                        let Some((larger, used)) = self.prune(&child.node, *size + *left, &place)? else { continue };
                        if used > *size {
                            *left -= (used - *size).min(*left);
                            if larger.is_whole() && !piece.is_whole() {
                                list.shrunk -= 1;
                                list.kept += 1;
                            }
                            (*piece, *size) = (larger, used);
                            self.register(piece);
                        }
                    }
                }
                Piece::Object(inner) => self.grow_shrunk(inner, left)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Long strings take what no record could use.
    fn grow_texts(&mut self, object: &mut ObjectCut<'a>, left: &mut usize) -> Result<(), Error> {
        if self.view.is_counted() {
            return Ok(());
        }
        let text_of = self.view.text;
        let mut order: Vec<usize> = (0..object.cuts.len()).collect();
        order.sort_by(|&a, &b| cmp_unescaped(object.cuts[a].1.key_raw(text_of), object.cuts[b].1.key_raw(text_of)));
        for i in order {
            if *left < WORTH_GROWING {
                break;
            }
            let (_, child, piece) = &mut object.cuts[i];
            match piece {
                Piece::Text(cut) if !cut.whole => {
                    let before = self.view.budget().size(&cut.json)?;
                    if let Some((mut longer, used)) = text::cut(self, &child.node, before + *left)?
                        && used > before
                    {
                        *left -= (used - before).min(*left);
                        longer.told = cut.told;
                        longer.gap = longer.gap.filter(|_| cut.gap.is_some());
                        *cut = longer;
                    }
                }
                Piece::Object(inner) => self.grow_texts(inner, left)?,
                _ => {}
            }
        }
        Ok(())
    }
}

fn peek(list: &mut ListCut<'_>, end: End) -> Option<Record> {
    match end {
        End::Front => list.records.peek_front(),
        End::Back => list.records.peek_back(),
    }
}

fn pop(list: &mut ListCut<'_>, end: End) {
    match end {
        End::Front => list.records.pop_front(),
        End::Back => list.records.pop_back(),
    }
}

/// The cut lists of an object and of the objects in it, with their pointers.
fn collect<'l, 'a>(object: &'l mut ObjectCut<'a>, lists: &mut Vec<(&'l mut ListCut<'a>, String)>) {
    for (_, _, piece) in &mut object.cuts {
        match piece {
            Piece::List(list) => {
                let path = wording::decoded(&list.path);
                lists.push((list, path));
            }
            Piece::Object(inner) => collect(inner, lists),
            Piece::Text(_) => {}
        }
    }
}
