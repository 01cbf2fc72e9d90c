//! The account of one document: the sum over its outermost lists.

use alloc::string::String;
use alloc::vec::Vec;

use super::cut::{ListCut, ObjectCut, Piece};
use super::document::{Draft, Job, Root};
use super::marks::Marks;
use super::render::source_bytes;
use super::view::View;
use crate::account::{Account, Counts, ListAccount};
use crate::deliver::delivery::{Delivery, Warning, WarningKind};
use crate::deliver::options::Format;
use crate::error::Error;
use crate::json::{Children, Kind, Node};
use crate::wording;

#[derive(Default)]
pub(super) struct Books {
    pub(super) records: Counts,
    pub(super) bytes: Counts,
}

impl Books {
    pub(super) fn whole(&mut self, list: &Node) {
        self.records.add(&Counts::whole(list.count as u64));
        self.bytes.add(&Counts::whole(super::render::content(list) as u64));
    }

    pub(super) fn list(&mut self, list: &ListCut<'_>) {
        self.records.add(&counts(list.total, list.kept, list.shrunk));
        let (kept, shrunk) = source_bytes(list);
        self.bytes.add(&counts(super::render::content(&list.node), kept, shrunk));
    }

    pub(super) fn one_shrunk(&mut self, bytes: usize) {
        self.records.add(&counts(1, 0, 1));
        self.bytes.add(&counts(bytes, 0, bytes));
    }

    /// Records that only an earlier cut saw.
    pub(super) fn missing(&mut self, records: usize) {
        self.records.total = self.records.total.saturating_add(records as u64);
        self.records.omitted = self.records.omitted.saturating_add(records as u64);
    }

    pub(super) fn stated(&mut self, marks: &Marks) {
        if let Some(claimed) = marks.claimed {
            self.records.add(&claimed);
        }
    }

    pub(super) fn object(&mut self, view: &View<'_>, object: &ObjectCut<'_>) {
        let mut cuts = object.cuts.iter().peekable();
        for (index, child) in Children::new(view.text, view.scan, &object.node).enumerate() {
            let cut = cuts.next_if(|c| c.0 == index);
            if index == 0 && object.skip_first {
                continue;
            }
            match cut {
                // An object that came to fit after all is no map.
                Some((_, child, Piece::List(list))) if list.is_map && list.is_whole() => {
                    outermost(view, child.node, self, |_| false);
                }
                Some((_, _, Piece::List(list))) => self.list(list),
                Some((_, _, Piece::Object(inner))) => self.object(view, inner),
                Some((_, _, Piece::Text(t))) if t.whole => {}
                Some((_, child, Piece::Text(_))) => self.one_shrunk(child.node.end - child.node.start),
                None => match child.node.kind(view.text) {
                    Kind::Array => self.whole(&child.node),
                    Kind::Object => outermost(view, child.node, self, |_| false),
                    _ => {}
                },
            }
        }
    }
}

/// Adds the outermost lists of an object that is there whole. `is_map` says of which objects, by their start, an
/// earlier cut spoke as of lists.
fn outermost(view: &View<'_>, node: Node, books: &mut Books, is_map: impl Fn(usize) -> bool) {
    if node.kind(view.text) != Kind::Object {
        return;
    }
    let mut stack = alloc::vec![Children::new(view.text, view.scan, &node)];
    while let Some(children) = stack.last_mut() {
        let Some(child) = children.next() else {
            stack.pop();
            continue;
        };
        match child.node.kind(view.text) {
            Kind::Array => books.whole(&child.node),
            Kind::Object if is_map(child.node.start) => books.whole(&child.node),
            Kind::Object => stack.push(Children::new(view.text, view.scan, &child.node)),
            _ => {}
        }
    }
}

pub(super) fn counts(total: usize, kept: usize, shrunk: usize) -> Counts {
    Counts {
        total: total as u64,
        kept: kept as u64,
        shrunk: shrunk as u64,
        offloaded: 0,
        omitted: total.saturating_sub(kept + shrunk) as u64,
    }
}

pub(super) fn subtract(from: &mut Counts, what: &Counts) {
    from.total = from.total.saturating_sub(what.total);
    from.kept = from.kept.saturating_sub(what.kept);
    from.shrunk = from.shrunk.saturating_sub(what.shrunk);
    from.omitted = from.omitted.saturating_sub(what.omitted);
}

impl<'a> Job<'a, '_> {
    pub(super) fn delivery(
        &self,
        draft: Draft<'a>,
        fields_removed: u64,
        mut warnings: Vec<Warning>,
    ) -> Result<Delivery, Error> {
        let size = self.view.budget().size(&draft.text)?;
        let mut books = Books::default();
        match &draft.root {
            Root::Rows(list) => {
                books.list(list);
                if let (Some(earlier), None) = (self.options.earlier, &self.page) {
                    // Counted in the list's total, and added again with the rest of the first account.
                    let gone = earlier.records.omitted + earlier.records.offloaded;
                    books.records.total = books.records.total.saturating_sub(gone);
                    books.records.omitted = books.records.omitted.saturating_sub(gone);
                }
            }
            Root::Map(map) => {
                books.list(map);
                // Its members are the records; what an earlier cut left out of lists in those that stay is said again.
                books.missing(draft.entries.iter().map(|e| e.beyond.0).sum());
                for star in self.marks.stars().values() {
                    books.missing(star.missing);
                }
            }
            Root::Object(object) => {
                books.object(self.view, object);
                for star in self.marks.stars().values() {
                    books.missing(star.missing);
                }
                for e in &draft.entries {
                    let (missing, shrunk) = e.beyond;
                    books.missing(missing);
                    let shrunk = (shrunk as u64).min(books.records.kept);
                    books.records.kept -= shrunk;
                    books.records.shrunk += shrunk;
                    if e.restated {
                        books.one_shrunk(e.bytes.0);
                    }
                }
            }
            Root::Text => books.one_shrunk(self.view.scan.root.end - self.view.scan.root.start),
        }
        let mut lists: Vec<ListAccount> = Vec::new();
        let aside = draft.entries.iter().find(|e| e.aside).map(|e| wording::decoded(&e.path));
        for e in &draft.entries {
            lists.push(ListAccount {
                pointer: wording::decoded(&e.path),
                records: counts(e.total, e.kept, e.shrunk),
                bytes: counts(e.bytes.0, e.bytes.1, e.bytes.2),
                next: e.next.clone().map(|n| wording::decoded(&n)),
            });
        }
        let name = match &draft.root {
            Root::Object(object) => object.notice.as_deref(),
            Root::Map(map) => map.notice.as_deref(),
            Root::Rows(_) | Root::Text => None,
        };
        if let Some(name) = name.filter(|n| *n != wording::NOTICE && !draft.entries.is_empty()) {
            warnings.push(Warning { kind: WarningKind::NoticeRenamed, offset: None, subject: name.into() });
        }
        let next = draft.next.map(|n| wording::decoded(&n));
        Ok(self.finish(draft.text, size, &books, (lists, aside.as_deref()), next, draft.runs, fields_removed, warnings))
    }

    #[allow(clippy::too_many_arguments)] // the parts of a delivery
    pub(super) fn finish(
        &self,
        text: String,
        size: usize,
        books: &Books,
        (mut lists, aside): (Vec<ListAccount>, Option<&str>),
        next: Option<String>,
        plan: Vec<crate::deliver::delivery::Run>,
        fields_removed: u64,
        warnings: Vec<Warning>,
    ) -> Delivery {
        // Patterns speak of lists inside records, which are in no sum; sum entries end in a star.
        let named = lists.iter().filter(|l| !l.pointer.contains('*') || l.pointer.ends_with("/*"));
        let named = named.filter(|l| aside != Some(&l.pointer));
        let mut rest = (books.records, books.bytes);
        for l in named {
            subtract(&mut rest.0, &l.records);
            subtract(&mut rest.1, &l.bytes);
        }
        if rest.0.total > 0 && rest.0.closes() {
            let root_array = self.view.scan.root.kind(self.view.text) == Kind::Array;
            let star = lists.iter().any(|l| l.pointer == "/*");
            let pointer = if lists.is_empty() && root_array || star { "" } else { "/*" };
            if !lists.iter().any(|l| l.pointer == pointer) {
                lists.push(ListAccount { pointer: pointer.into(), records: rest.0, bytes: rest.1, next: None });
            }
        }
        let mut account =
            Account { records: books.records, bytes: books.bytes, fields_removed, claimed: self.marks.claimed };
        if let Some(earlier) = self.options.earlier {
            account.carry(earlier);
            // The only list of a root array has the books of the whole.
            if self.page.is_none() && self.view.scan.root.kind(self.view.text) == Kind::Array {
                for list in lists.iter_mut().filter(|l| l.pointer.is_empty()) {
                    (list.records, list.bytes) = (account.records, account.bytes);
                }
            }
        }
        Delivery {
            text,
            size,
            unit: self.view.budget().unit(),
            format: Format::Json,
            account,
            lists,
            next,
            notice: None,
            warnings,
            plan,
        }
    }

    /// The books of a document that is there whole: its outermost lists.
    pub(super) fn books_whole(&self, books: &mut Books) {
        let root = self.view.scan.root;
        if root.kind(self.view.text) == Kind::Array {
            books.whole(&root);
        } else if self.marks.is_map(root.start) {
            // The notice is no member of it.
            books.whole(&Node { count: root.count - 1, ..root });
        } else {
            outermost(self.view, root, books, |start| self.marks.is_map(start));
        }
    }
}
