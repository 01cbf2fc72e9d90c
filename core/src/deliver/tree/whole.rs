//! A document that fits: as it came, minified, or sorted.

use alloc::string::String;
use alloc::vec::Vec;

use super::books::Books;
use super::document::Job;
use super::sort::Order;
use crate::deliver::delivery::{Delivery, Warning};
use crate::deliver::options::Envelope;
use crate::error::Error;
use crate::json::Kind;

impl Job<'_, '_> {
    /// The whole document, as it came or minified, when that fits.
    pub(super) fn whole(&self, fields_removed: u64, warnings: &[Warning]) -> Result<Option<Delivery>, Error> {
        let (view, budget) = (self.view, self.view.budget());
        let root = view.scan.root;
        let always = self.options.envelope == Envelope::Always && root.kind(view.text) == Kind::Array;
        let mut text = None;
        let is_list = matches!(root.kind(view.text), Kind::Array | Kind::Object);
        if let Some(order) = Order::of(self.options).filter(|_| self.stated.is_none() && is_list) {
            if let Some(sorted) = self.sorted_whole(&order, always)
                && let Some(n) = budget.fits(&sorted)?
            {
                text = Some((sorted, n));
            }
        } else if always {
            let mut out = self.whole_frame().head();
            view.write(&root, &mut out);
            out.push('}');
            if let Some(n) = budget.fits(&out)? {
                text = Some((out, n));
            }
        } else if let Some(n) = budget.fits(view.text)? {
            text = Some((String::from(view.text), n));
        } else if root.blanks > 0 || root.end - root.start < view.text.len() {
            // A scalar value has at most four bytes: what is longer cannot fit and is not copied.
            let bytes = root.end - root.start - root.blanks;
            let hopeless = if budget.is_counted() { bytes / 64 } else { bytes / 4 } > budget.limit();
            if !hopeless {
                let mut out = String::new();
                view.write(&root, &mut out);
                if let Some(n) = budget.fits(&out)? {
                    text = Some((out, n));
                }
            }
        }
        let Some((text, size)) = text else { return Ok(None) };
        let mut books = Books::default();
        match &self.stated {
            Some(_) => books.stated(self.marks),
            None => self.books_whole(&mut books),
        }
        if let (Some(claimed), None) = (self.marks.claimed, &self.stated) {
            let mut shrunk = claimed.shrunk;
            for (_, way) in self.marks.strings() {
                books.one_shrunk(way.node.end - way.node.start);
                shrunk = shrunk.saturating_sub(1);
            }
            books.records.total += claimed.omitted + claimed.offloaded;
            books.records.omitted += claimed.omitted;
            books.records.offloaded += claimed.offloaded;
            books.records.kept = books.records.kept.saturating_sub(shrunk);
            books.records.shrunk += shrunk;
        }
        Ok(Some(self.finish(
            text,
            size,
            &books,
            (Vec::new(), None),
            None,
            Vec::new(),
            fields_removed,
            warnings.to_vec(),
        )))
    }

    /// The whole document with its outermost lists in the order asked for; `None` where it cannot fit.
    fn sorted_whole(&self, order: &Order, always: bool) -> Option<String> {
        let view = self.view;
        let root = view.scan.root;
        let bytes = root.end - root.start - root.blanks;
        let each = if view.is_counted() { 64 } else { 4 };
        if bytes / each > self.view.budget().limit() {
            return None;
        }
        let mut out = String::new();
        if always {
            out.push_str(&self.whole_frame().head());
        }
        order.write(view, &root, &mut out);
        if always {
            out.push('}');
        }
        Some(out)
    }
}
