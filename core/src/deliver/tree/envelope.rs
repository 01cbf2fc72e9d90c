//! A list in its envelope: a root array that was cut, or a page of any list.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

use super::cut::{ListCut, ObjectCut, Piece};
use super::document::{Draft, Job, Root, join};
use super::fill::{Cutter, Place};
use super::page::Page;
use super::render::{Entry, Writer, notice_of, patterns};
use crate::deliver::cursor;
use crate::error::Error;
use crate::json::Child;
use crate::wording;

/// A root that is cut as a list: what an envelope says around it.
#[derive(Clone, Debug, Default)]
pub(super) struct Frame {
    pub(super) list: Option<String>,
    pub(super) total: Option<usize>,
    pub(super) omitted: usize,
    pub(super) shrunk: usize,
    pub(super) from: usize,
    pub(super) next: Option<String>,
    pub(super) hint: Option<String>,
    pub(super) source: Option<&'static str>,
    pub(super) notice: String,
    pub(super) select: Option<String>,
    pub(super) malformed_at: Option<usize>,
}

impl Frame {
    pub(super) fn head(&self) -> String {
        let mut out = String::with_capacity(96 + self.notice.len());
        out.push('{');
        if let Some(list) = &self.list {
            let _ = write!(out, "\"list\":\"{list}\",");
        }
        match (self.total, self.malformed_at) {
            (Some(total), None) => {
                let _ = write!(out, "\"total\":{total},\"omitted\":{}", self.omitted);
            }
            (_, at) => {
                let _ = write!(out, "\"total\":null,\"omitted\":null,\"malformed_at\":{}", at.unwrap_or(0));
            }
        }
        if self.shrunk > 0 {
            let _ = write!(out, ",\"shrunk\":{}", self.shrunk);
        }
        if self.from > 0 {
            let _ = write!(out, ",\"from\":{}", self.from);
        }
        if let Some(next) = &self.next {
            let _ = write!(out, ",\"next\":\"{next}\"");
        }
        if let Some(hint) = &self.hint {
            out.push_str(",\"hint\":\"");
            crate::json::write_escaped(hint, &mut out);
            out.push('"');
        }
        if let Some(source) = self.source {
            let _ = write!(out, ",\"source\":\"{source}\"");
        }
        if !self.notice.is_empty() {
            let _ = write!(out, ",\"_omitted\":{{{}}}", self.notice);
        }
        if let Some(select) = &self.select {
            let _ = write!(out, ",\"select\":{select}");
        }
        out.push_str(",\"rows\":");
        out
    }
}

impl<'a> Job<'a, '_> {
    #[allow(clippy::too_many_arguments)] // the members of the envelope
    pub(super) fn frame_for(
        &self,
        total: usize,
        delivered: usize,
        shrunk: usize,
        from: usize,
        next: Option<String>,
        notice: String,
    ) -> Frame {
        Frame {
            list: None,
            total: self.broken.is_none().then_some(total),
            omitted: total.saturating_sub(delivered),
            shrunk,
            from,
            next,
            hint: None,
            source: self.options.source.map(crate::deliver::options::SourceState::name),
            notice,
            select: self.select_member(),
            malformed_at: self.broken_at(),
        }
    }

    /// Around a root array that is here whole: nothing is missing but what an account of a first cut says.
    pub(super) fn whole_frame(&self) -> Frame {
        let here = self.view.scan.root.count;
        let total = here.saturating_add(self.gone_before());
        self.frame_for(total, here, self.shrunk_before(here), 0, None, String::new())
    }

    fn broken_at(&self) -> Option<usize> {
        self.broken.as_ref().map(|b| b.at)
    }

    /// Records that a first cut, whose account was handed over, left out.
    fn gone_before(&self) -> usize {
        let gone = self.options.earlier.map_or(0, |e| e.records.omitted.saturating_add(e.records.offloaded));
        usize::try_from(gone).unwrap_or(usize::MAX)
    }

    /// Of that many records of this text, those that a first cut had shortened. Which they are is not known.
    fn shrunk_before(&self, here: usize) -> usize {
        self.options.earlier.map_or(0, |e| usize::try_from(e.records.shrunk).unwrap_or(usize::MAX)).min(here)
    }

    pub(super) fn select_member(&self) -> Option<String> {
        if self.options.select.is_empty() || self.view.level() > 0 {
            return None;
        }
        serde_json::to_string(self.options.select).ok()
    }

    /// A root array or a page: its records in an envelope.
    pub(super) fn rows(
        &self,
        cutter: &mut Cutter<'a, '_>,
        page: Page,
        goal: usize,
        least: bool,
    ) -> Result<Option<Draft<'a>>, Error> {
        let view = self.view;
        let path = page.path.clone().unwrap_or_default();
        let place = Place { path: path.clone(), rel: None, depth: path.matches('/').count(), twin: false };
        let mut list = cutter.new_list(&page.node, page.is_map, &place);
        list.is_page = self.page.is_some();
        if page.skip_first {
            list.skip_first = true;
            list.to -= 1;
            list.total = self.marks.total(&path).unwrap_or(list.to).max(list.to);
        }
        list.malformed_at = self.broken_at();
        list.no_cursor = self.broken.is_some();
        if let Some(s) = &self.stated {
            list.total = s.total;
            list.offset = s.from;
            list.lossy = true;
        }
        let carries = self.options.earlier.is_some() && self.page.is_none() && page.path.is_none();
        if carries {
            // What a first cut left out belongs to the total; where it stood is not known.
            list.total = list.total.saturating_add(self.gone_before());
            list.lossy = true;
        }
        let paging = self.page.is_some();
        let name = if page.path.is_some() { &*path } else { "rows" };
        let widest_next = {
            let mut next = alloc::format!("{}@{}..{}", wording::cursor_name(name), list.total, list.total);
            for gap in &page.rest {
                next.push(',');
                next.push_str(&cursor::render(core::slice::from_ref(gap), None).unwrap_or_default());
            }
            if let Some(tag) = &self.tag {
                next.push(';');
                next.push_str(tag);
            }
            next
        };
        let from = if paging { page.from + list.offset } else { list.offset };
        let mut widest = self.frame_for(list.total, 0, 0, from, Some(widest_next), String::new());
        widest.list.clone_from(&page.path);
        if cutter.hinted {
            widest.hint = Some(wording::hint_widest(self.options));
        }
        let cost = view.size_of_ours(&widest.head()) + 3;
        let room = if least { 0 } else { goal.saturating_sub(cost) };
        let has_records = page.from < page.to;
        if !least && goal < cost {
            return Ok(None);
        }
        // Brackets are part of the cost; what follows counts records and commas alone.
        cutter.order_records(&mut list, Some((page.from, page.to)), room.max(1))?;
        if !least {
            // The notice of patterns is opened by the first record that needs it.
            cutter.take(&mut list, room)?;
            let mut left = room.saturating_sub(list.used);
            let mut holder = ObjectCut {
                node: page.node,
                cuts: Vec::new(),
                star: false,
                notice: None,
                skip_first: false,
                stated: None,
            };
            let child = Child { key: (page.node.start, page.node.start), node: page.node };
            // Not whole: a list that is whole would not need an envelope.
            list.demand = usize::MAX;
            holder.cuts.push((0, child, Piece::List(Box::new(list))));
            cutter.grow(&mut holder, &mut left)?;
            let Some((_, _, Piece::List(grown))) = holder.cuts.pop() else { return Ok(None) };
            list = *grown;
        } else if paging && has_records {
            cutter.least = false;
            self.least_record(cutter, &mut list)?;
        }
        let moved = list.kept + list.shrunk > 0 || !list.skipped.is_empty();
        if paging && has_records && !moved {
            return Ok(None);
        }
        let mut writer = Writer::new(view, self.tag.clone(), None);
        let mut sums = BTreeMap::new();
        patterns(&list, &mut sums);
        let (mut entries, mut notice) = (Vec::new(), String::new());
        if !least {
            for sum in sums.into_values() {
                if cutter.patterns.contains(&sum.path) {
                    let words = notice_of(core::slice::from_ref(&sum));
                    if !notice.is_empty() {
                        notice.push(',');
                    }
                    notice.push_str(&words);
                    entries.push(sum);
                }
            }
        }
        let mut next: Vec<String> = Vec::new();
        if !list.no_cursor && view.level() == 0 {
            for (a, b) in list.gaps() {
                let open = b >= list.total;
                next.push(if open {
                    alloc::format!("{}@{a}", wording::cursor_name(name))
                } else {
                    alloc::format!("{}@{a}..{b}", wording::cursor_name(name))
                });
            }
            let beyond = list.offset + list.to;
            // A page hands on what its cursor asked for, and that alone.
            if self.stated.is_some() && !paging && beyond < list.total {
                let at_end = next.last().is_some_and(|n| n.ends_with(&alloc::format!("..{beyond}")));
                if at_end {
                    if let Some((head, _)) = next.pop().as_deref().and_then(|n| n.rsplit_once("..")) {
                        next.push(head.into());
                    }
                } else {
                    next.push(alloc::format!("{}@{beyond}", wording::cursor_name(name)));
                }
            }
            for gap in &page.rest {
                next.push(cursor::render(core::slice::from_ref(gap), None).unwrap_or_default());
            }
        }
        let next = join(&next, self.tag.as_deref());
        let here = list.kept + list.shrunk;
        let shrunk = if carries { list.shrunk.max(self.shrunk_before(here)) } else { list.shrunk };
        let mut frame = self.frame_for(list.total, here, shrunk, from, next.clone(), notice);
        frame.list = page.path;
        frame.hint = self.hint(next.as_deref(), cutter.hinted);
        writer.ours(&frame.head());
        writer.list(&list, "");
        writer.out.push('}');
        let first = writer.entry(&list);
        entries.insert(0, Entry { next: next.clone(), ..first });
        Ok(Some(Draft { text: writer.out, runs: writer.runs, entries, next, root: Root::Rows(list) }))
    }

    /// The first record of a page at its smallest: whole, pruned as far as it goes, or passed over where the host wants
    /// that of records which are too large.
    pub(super) fn least_record(&self, cutter: &mut Cutter<'a, '_>, list: &mut ListCut<'a>) -> Result<(), Error> {
        if self.options.oversize == crate::deliver::options::Oversize::Skip {
            cutter.skip_one(list);
            return Ok(());
        }
        let Some(record) = list.records.peek_front().or_else(|| list.records.peek_back()) else { return Ok(()) };
        let size = self.view.size(&record.child.node, usize::MAX)?;
        // The smallest room in which the record can be taken, whole or pruned.
        let (mut low, mut high) = (1, size + 2);
        let place = Place::record(&list.path, list.path.matches('/').count());
        let whole = self.options.oversize == crate::deliver::options::Oversize::Error;
        while low < high && !whole {
            let middle = low + (high - low) / 2;
            let fits = middle > size || cutter.prune(&record.child.node, middle, &place)?.is_some();
            if fits { high = middle } else { low = middle + 1 }
        }
        let extra = self.view.size_of_ours(&wording::shrunk_widest(list.total))
            + self.view.span_size(record.child.key.0, record.child.key.1)?
            + 2;
        let room = if whole { size + 2 } else { high + extra };
        cutter.notice_room = 0;
        if whole {
            cutter.take(list, room)?;
        } else {
            cutter.take_one(list, room)?;
        }
        Ok(())
    }
}
