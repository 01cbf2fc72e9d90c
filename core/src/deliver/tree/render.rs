//! Writing a cut document: once, from the spans of the input and the few words of ours.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

use super::cut::{Item, ListCut, ObjectCut, Piece, Told};
use super::marks::{Marks, RecordMarks, Star};
use super::sort::Order;
use super::stated::{There, Tree};
use super::view::View;
use crate::deliver::delivery::{Action, Reason, Run};
use crate::json::{Child, Children, Kind, Node};
use crate::wording;

/// An entry of the notice, and of the delivery's list of lists.
#[derive(Clone, Debug, Default)]
pub(crate) struct Entry {
    /// Raw path.
    pub(crate) path: String,
    pub(crate) total: usize,
    pub(crate) kept: usize,
    pub(crate) shrunk: usize,
    pub(crate) next: Option<String>,
    pub(crate) malformed_at: Option<usize>,
    /// Source bytes: all, kept, shrunk.
    pub(crate) bytes: (usize, usize, usize),
    pub(crate) is_pattern: bool,
    /// The list is one of several under equal keys.
    pub(crate) twin: bool,
    /// It speaks of what no list of the books is, or is part of another entry's sum.
    pub(crate) aside: bool,
    /// A string that an earlier cut shortened and that is here as that text had it: the books do not have it yet.
    pub(crate) restated: bool,
    /// Records that only an earlier cut saw and that no list here counts, and those of whole lists it had shortened.
    pub(crate) beyond: (usize, usize),
}

impl Entry {
    /// A string outside all lists that was shortened: a list of one.
    pub(crate) fn string(path: String, node: &Node, next: Option<String>) -> Self {
        let bytes = node.end - node.start;
        Entry { path, total: 1, shrunk: 1, next, bytes: (bytes, 0, bytes), ..Entry::default() }
    }

    /// One more list that is here whole.
    pub(crate) fn add_whole(&mut self, list: &Node) {
        let bytes = content(list);
        self.total = self.total.saturating_add(list.count);
        self.kept += list.count;
        self.bytes.0 += bytes;
        self.bytes.1 += bytes;
    }
}

/// Records that stand together in the text.
struct Row {
    from: usize,
    to: usize,
    action: Action,
    /// Where it stands in the input.
    source: (usize, usize),
    text: core::ops::Range<usize>,
}

/// Writes pieces of one document, and notes where the records of its outermost lists come to stand.
#[derive(Debug)]
pub(crate) struct Writer<'a> {
    pub(crate) view: &'a View<'a>,
    pub(crate) out: String,
    pub(crate) runs: Vec<Run>,
    pub(crate) tag: Option<String>,
    /// Of lists that are whole beside what is cut.
    order: Option<Order>,
    /// What is written stands in a record: its lists are no longer the outermost.
    in_record: bool,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(view: &'a View<'a>, tag: Option<String>, order: Option<Order>) -> Self {
        Writer { view, out: String::new(), runs: Vec::new(), tag, order, in_record: false }
    }

    pub(crate) fn ours(&mut self, words: &str) {
        self.view.write_ours(words, &mut self.out);
    }

    /// An object with its cut members; `notice` is the content of its notice, if anything has to be said.
    pub(crate) fn object(&mut self, object: &ObjectCut<'_>, notice: &str) {
        self.out.push('{');
        let mut first = true;
        if let (Some(name), false) = (&object.notice, notice.is_empty()) {
            self.ours(&alloc::format!("\"{name}\":{{{notice}}}"));
            first = false;
        }
        let mut cuts = object.cuts.iter().peekable();
        for (index, child) in Children::new(self.view.text, self.view.scan, &object.node).enumerate() {
            let cut = cuts.next_if(|c| c.0 == index);
            if index == 0 && object.skip_first {
                continue;
            }
            if !core::mem::take(&mut first) {
                self.out.push(',');
            }
            self.key(&child);
            match cut {
                Some((_, _, piece)) => self.piece(piece),
                None => self.whole(&child.node),
            }
        }
        self.out.push('}');
    }

    /// A value that was not cut.
    fn whole(&mut self, node: &Node) {
        match self.order.as_ref().filter(|_| !self.in_record) {
            Some(order) => order.write(self.view, node, &mut self.out),
            None => self.view.write(node, &mut self.out),
        }
    }

    /// Members of a map that are whole, from one place in the text to another.
    fn members(&mut self, map: &Node, (start, end): (usize, usize)) {
        let members = Children::starting(self.view.text, self.view.scan, map, start);
        for (i, member) in members.take_while(|m| m.key.0 < end).enumerate() {
            if i > 0 {
                self.out.push(',');
            }
            self.key(&member);
            self.whole(&member.node);
        }
    }

    fn key(&mut self, child: &Child) {
        if child.key.1 > child.key.0 {
            self.view.write_span(child.key.0, child.key.1, &mut self.out);
            self.out.push(':');
        }
    }

    pub(crate) fn piece(&mut self, piece: &Piece<'_>) {
        match piece {
            Piece::Text(text) => self.out.push_str(&text.json),
            Piece::Object(object) => {
                let notice = if object.notice.is_some() { marks_of(object) } else { String::new() };
                self.object(object, &notice);
            }
            Piece::List(list) => {
                let notice = match &list.notice {
                    Some(_) => {
                        let mut marks =
                            alloc::format!("\"\":\"{}\"", wording::mark(list.kept + list.shrunk, list.total));
                        add_stated(Tree::List(list), list.stated.as_deref(), &mut marks);
                        marks
                    }
                    None => String::new(),
                };
                self.list(list, &notice);
            }
        }
    }

    /// The records of a list in their brackets; a map's members in input order.
    pub(crate) fn list(&mut self, list: &ListCut<'_>, notice: &str) {
        self.out.push(if list.is_map { '{' } else { '[' });
        let mut first = true;
        if let (Some(name), false) = (&list.notice, notice.is_empty()) {
            self.ours(&alloc::format!("\"{name}\":{{{notice}}}"));
            first = false;
        }
        let mut items: Vec<&Item<'_>> = list.in_order().collect();
        if list.is_map {
            items.sort_by_key(|i| i.start());
        }
        let mut rows: Vec<Row> = Vec::new();
        for item in items {
            if !core::mem::take(&mut first) {
                self.out.push(',');
            }
            let (from, to) = item.positions();
            let start = self.out.len();
            let (source, action) = match item {
                Item::Whole { start, end, .. } if list.is_map && !list.is_page && self.order.is_some() => {
                    self.members(&list.node, (*start, *end));
                    ((*start, *end), Action::Keep)
                }
                Item::Whole { start, end, marked, .. } => {
                    let node = Node { start: *start, end: *end, blanks: list.node.blanks, count: 0 };
                    self.view.write(&node, &mut self.out);
                    ((*start, *end), if *marked { Action::Shrink } else { Action::Keep })
                }
                Item::Shrunk { child, piece, .. } => {
                    self.key(child);
                    let outer = core::mem::replace(&mut self.in_record, true);
                    self.piece(piece);
                    self.in_record = outer;
                    let whole = piece.is_whole();
                    ((child.key.0, child.node.end), if whole { Action::Keep } else { Action::Shrink })
                }
            };
            rows.push(Row { from, to, action, source, text: start..self.out.len() });
        }
        if list.rel.is_none() && self.view.level() == 0 {
            self.plan(list, rows);
        }
        self.out.push(if list.is_map { '}' } else { ']' });
    }

    /// The plan of one list: what is in the text, and the runs between that are not.
    fn plan(&mut self, list: &ListCut<'_>, mut rows: Vec<Row>) {
        rows.sort_by_key(|r| r.from);
        let name = wording::decoded(&list.path);
        let first = self.runs.len();
        let mut at = list.from;
        let mut before = None;
        let mut end = rows.first().map_or(self.out.len(), |r| r.text.start);
        for row in rows {
            if at < row.from {
                let bytes = self.omitted_bytes(list, (at, row.from), (before, Some(row.source.0)));
                self.omit(&name, list, (at, row.from), bytes, end);
            }
            before = Some(row.source.1);
            let reason = if row.action == Action::Keep { Reason::Fits } else { Reason::Oversize };
            at = row.to;
            end = row.text.end;
            let (from, to) = (row.from + list.offset, row.to + list.offset);
            if let Some(last) = self.runs.last_mut() {
                let next_to = last.list == name && last.to == from && last.text.end + 1 == row.text.start;
                if next_to && last.action == row.action {
                    last.to = to;
                    last.source_bytes += row.source.1 - row.source.0;
                    last.text.end = row.text.end;
                    continue;
                }
            }
            self.runs.push(Run {
                list: name.clone(),
                from,
                to,
                action: row.action,
                reason,
                source_bytes: row.source.1 - row.source.0,
                text: row.text,
            });
        }
        if at < list.to {
            let bytes = self.omitted_bytes(list, (at, list.to), (before, None));
            self.omit(&name, list, (at, list.to), bytes, end);
        }
        if list.considers_all() {
            // What no run owns is between them: separators and white space. The account counts it as omitted, if
            // anything is.
            let mine = self.runs.get_mut(first..).unwrap_or_default();
            let rest = content(&list.node).saturating_sub(mine.iter().map(|r| r.source_bytes).sum());
            let last = mine.iter().rposition(|r| r.action == Action::Omit).or(mine.len().checked_sub(1));
            if let Some(run) = last.and_then(|i| mine.get_mut(i)) {
                run.source_bytes += rest;
            }
        }
    }

    /// Source bytes of the records at these positions, which stand between two that are in the text (or at the ends of
    /// what was considered). In input order what lies between is theirs, separators included; in an order of its own
    /// each is looked up, as far as the order is known. Nothing is remembered for it; at the ends of a page the list is
    /// walked once more.
    fn omitted_bytes(&self, list: &ListCut<'_>, at: (usize, usize), beside: (Option<usize>, Option<usize>)) -> usize {
        if list.records.is_ordered() {
            return list.records.bytes_of(at.0, at.1);
        }
        let start_of = |position: usize| {
            if position == 0 {
                return list.node.start + 1;
            }
            if position >= list.node.count {
                return list.node.end - 1;
            }
            let mut children = Children::new(self.view.text, self.view.scan, &list.node);
            children.nth(position).map_or(list.node.end - 1, |c| c.key.0)
        };
        let (before, after) = beside;
        let (start, end) = (before.unwrap_or_else(|| start_of(at.0)), after.unwrap_or_else(|| start_of(at.1)));
        end.saturating_sub(start)
    }

    fn omit(&mut self, name: &str, list: &ListCut<'_>, (from, to): (usize, usize), source_bytes: usize, at: usize) {
        let skipped = list.skipped.iter().any(|s| (from..to).contains(s));
        self.runs.push(Run {
            list: name.into(),
            from: from + list.offset,
            to: to + list.offset,
            action: Action::Omit,
            reason: if skipped { Reason::Oversize } else { Reason::Budget },
            source_bytes,
            text: at..at,
        });
    }

    /// The cursor over what is missing of a list, where it can be resumed.
    pub(crate) fn cursor(&self, list: &ListCut<'_>) -> Option<String> {
        if list.no_cursor || self.view.level() > 0 {
            return None;
        }
        let gaps = list.gaps();
        let mut cursor = String::new();
        for (from, to) in &gaps {
            if !cursor.is_empty() {
                cursor.push(',');
            }
            cursor.push_str(&wording::cursor_name(&list.path));
            let _ = write!(cursor, "@{from}");
            if *to < list.to + list.offset {
                let _ = write!(cursor, "..{to}");
            }
        }
        if cursor.is_empty() {
            return None;
        }
        if let Some(tag) = &self.tag {
            cursor.push(';');
            cursor.push_str(tag);
        }
        Some(cursor)
    }

    /// The entries of the cut lists outside records, in document order; sums under a star, patterns last.
    pub(crate) fn entries(&self, object: &ObjectCut<'_>, path: &str, marks: &Marks) -> Vec<Entry> {
        let mut found: Vec<Entry> = Vec::new();
        let mut sum = Entry { path: alloc::format!("{path}/*"), ..Entry::default() };
        let mut cut_any = false;
        for (_, child, piece) in &object.cuts {
            match piece {
                Piece::List(list) => {
                    if list.starred && object.star {
                        // A list of several, under equal keys, does not know what an earlier cut left out of it.
                        let left_out = || marks.list(&wording::decoded(&list.path)).is_some_and(|l| l.held < l.total);
                        cut_any |= list.omitted() > 0 || list.twin && left_out();
                        continue;
                    }
                    if !list.is_whole() || list.twin {
                        found.push(self.entry(list));
                    }
                }
                Piece::Object(inner) => {
                    let mut below = String::from(path);
                    crate::json::push_token(&mut below, child.key_raw(self.view.text));
                    found.extend(self.entries(inner, &below, marks));
                }
                Piece::Text(text) if text.is_told() && self.view.level() == 0 => {
                    let mut below = String::from(path);
                    crate::json::push_token(&mut below, child.key_raw(self.view.text));
                    let gap = text.gap.filter(|_| text.told == Told::Cursor);
                    let next = gap.and_then(|gap| gap.cursor(&below, self.tag.as_deref()));
                    found.push(Entry::string(below, &child.node, next));
                }
                Piece::Text(_) => {}
            }
        }
        let stated = marks.star(path);
        if object.star && (cut_any || stated.is_some()) {
            self.sum(object, stated, &mut sum);
            found.insert(0, sum);
        }
        found
    }

    pub(crate) fn entry(&self, list: &ListCut<'_>) -> Entry {
        let (kept, shrunk) = source_bytes(list);
        Entry {
            path: list.path.clone(),
            total: list.total,
            kept: list.kept,
            shrunk: list.shrunk,
            next: self.cursor(list),
            malformed_at: list.malformed_at,
            bytes: (content(&list.node), kept, shrunk),
            twin: list.twin,
            ..Entry::default()
        }
    }

    /// The cut lists among the members of an object in one entry: those cut now, and those an earlier entry summed.
    fn sum(&self, object: &ObjectCut<'_>, stated: Option<&Star>, sum: &mut Entry) {
        // Under equal keys it is added once for all of them.
        sum.total = stated.filter(|s| s.ways.len() == 1).map_or(0, |s| s.missing);
        let mut cuts = object.cuts.iter().peekable();
        for (index, child) in Children::new(self.view.text, self.view.scan, &object.node).enumerate() {
            let cut = cuts.next_if(|c| c.0 == index);
            match cut {
                Some((_, _, Piece::List(list))) if !list.is_map && list.omitted() > 0 => {
                    let (kept, shrunk) = source_bytes(list);
                    sum.total = sum.total.saturating_add(list.total);
                    sum.kept += list.kept;
                    sum.shrunk += list.shrunk;
                    sum.bytes.0 += content(&list.node);
                    sum.bytes.1 += kept;
                    sum.bytes.2 += shrunk;
                }
                _ if child.node.kind(self.view.text) == Kind::Array && stated.is_some_and(|s| s.sums(&child.node)) => {
                    sum.add_whole(&child.node);
                }
                _ => {}
            }
        }
    }
}

/// Bytes between the brackets.
pub(crate) const fn content(node: &Node) -> usize {
    (node.end - node.start).saturating_sub(2)
}

/// Source bytes of the records kept whole, and of those that were shrunk.
pub(crate) fn source_bytes(list: &ListCut<'_>) -> (usize, usize) {
    let (mut kept, mut shrunk) = (0, 0);
    for item in list.in_order() {
        match item {
            Item::Whole { start, end, marked: false, .. } => kept += end - start,
            Item::Whole { start, end, .. } => shrunk += end - start,
            Item::Shrunk { child, piece, .. } if piece.is_whole() => kept += child.node.end - child.key.0,
            Item::Shrunk { child, .. } => shrunk += child.node.end - child.key.0,
        }
    }
    if list.is_whole() {
        return (content(&list.node), 0);
    }
    let rest = content(&list.node).saturating_sub(kept + shrunk);
    // With no record left out, nothing of the list is.
    match list.in_order().last().filter(|_| list.considers_all() && list.gaps().is_empty() && list.skipped.is_empty()) {
        Some(Item::Shrunk { piece, .. }) if !piece.is_whole() => (kept, shrunk + rest),
        Some(Item::Whole { marked: true, .. }) => (kept, shrunk + rest),
        Some(_) => (kept + rest, shrunk),
        None => (kept, shrunk),
    }
}

/// The content of a record's mark: what is missing of the lists in it.
fn marks_of(object: &ObjectCut<'_>) -> String {
    let mut out = String::new();
    add_marks(object, &mut out);
    add_stated(Tree::Object(object), object.stated.as_deref(), &mut out);
    out
}

/// What an earlier cut said of the lists that are here as that text had them.
fn add_stated(tree: Tree<'_, '_>, stated: Option<&RecordMarks>, out: &mut String) {
    let mut there = There::new(tree);
    let said = stated.map_or(&[][..], |marks| &marks.said);
    for mark in said.iter().filter(|m| there.holds(&m.way)) {
        if !out.is_empty() {
            out.push(',');
        }
        out.push('"');
        crate::json::write_escaped(&mark.rel, out);
        let _ = write!(out, "\":\"{}\"", wording::mark(mark.way.node.count, mark.total));
    }
}

fn add_marks(object: &ObjectCut<'_>, out: &mut String) {
    for (_, _child, piece) in &object.cuts {
        match piece {
            Piece::List(list) if list.notice.is_none() && list.omitted() > 0 => {
                if !out.is_empty() {
                    out.push(',');
                }
                let rel = list.rel.as_deref().unwrap_or_default();
                let _ = write!(out, "\"{rel}\":\"{}\"", wording::mark(list.kept + list.shrunk, list.total));
            }
            Piece::Object(inner) if inner.notice.is_none() => add_marks(inner, out),
            _ => {}
        }
    }
}

/// Sums by pattern over the lists cut inside the records of `list`.
pub(crate) fn patterns(list: &ListCut<'_>, sums: &mut BTreeMap<String, Entry>) {
    for item in list.in_order() {
        if let Item::Shrunk { piece, .. } = item {
            match piece {
                Piece::Object(object) => patterns_in(object, sums),
                Piece::List(inner) => patterns(inner, sums),
                Piece::Text(_) => {}
            }
        }
    }
}

pub(crate) fn patterns_in(object: &ObjectCut<'_>, sums: &mut BTreeMap<String, Entry>) {
    for (_, _, piece) in &object.cuts {
        match piece {
            Piece::List(list) => {
                if list.rel.is_some() && !list.is_map && list.omitted() > 0 {
                    let sum = sums.entry(list.path.clone()).or_default();
                    sum.path.clone_from(&list.path);
                    sum.is_pattern = true;
                    sum.total = sum.total.saturating_add(list.total);
                    sum.kept += list.kept;
                    sum.shrunk += list.shrunk;
                }
                patterns(list, sums);
            }
            Piece::Object(inner) => patterns_in(inner, sums),
            Piece::Text(_) => {}
        }
    }
}

/// Entries as they stand in the notice, without the braces around them.
pub(crate) fn notice_of(entries: &[Entry]) -> String {
    let mut out = String::new();
    for e in entries {
        if !out.is_empty() {
            out.push(',');
        }
        match e.malformed_at {
            Some(at) => {
                let _ = write!(out, "\"{}\":{{\"total\":null,\"kept\":{}", e.path, e.kept);
                if e.shrunk > 0 {
                    let _ = write!(out, ",\"shrunk\":{}", e.shrunk);
                }
                let _ = write!(out, ",\"malformed_at\":{at}}}");
                continue;
            }
            None => {
                let _ = write!(out, "\"{}\":{{\"total\":{},\"kept\":{}", e.path, e.total, e.kept);
            }
        }
        if e.shrunk > 0 {
            let _ = write!(out, ",\"shrunk\":{}", e.shrunk);
        }
        if let Some(next) = &e.next {
            let _ = write!(out, ",\"next\":\"{next}\"");
        }
        out.push('}');
    }
    out
}
