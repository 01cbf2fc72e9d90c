//! A document that fits: as it came, minified, or sorted.

use alloc::string::String;
use alloc::vec::Vec;

use super::books::Books;
use super::document::Job;
use crate::deliver::delivery::{Delivery, Warning};
use crate::deliver::options::Envelope;
use crate::error::Error;
use crate::json::{Children, Kind, Node};

impl Job<'_, '_> {
    /// The whole document, as it came or minified, when that fits.
    pub(super) fn whole(&self, fields_removed: u64, warnings: &[Warning]) -> Result<Option<Delivery>, Error> {
        let (view, budget) = (self.view, self.view.budget());
        let root = view.scan.root;
        let always = self.options.envelope == Envelope::Always && root.kind(view.text) == Kind::Array;
        let mut text = None;
        if self.options.sort_by.is_some()
            && self.stated.is_none()
            && matches!(root.kind(view.text), Kind::Array | Kind::Object)
        {
            if let Some(sorted) = self.sorted_whole(always)?
                && let Some(n) = budget.fits(&sorted)?
            {
                text = Some((sorted, n));
            }
        } else if always {
            let frame = self.frame_for(root.count, root.count, 0, 0, None, String::new());
            let mut out = frame.head();
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
            for bytes in self.marks.strings() {
                books.one_shrunk(*bytes);
            }
            let shrunk = claimed.shrunk.saturating_sub(self.marks.strings().len() as u64);
            books.records.total += claimed.omitted + claimed.offloaded;
            books.records.omitted += claimed.omitted;
            books.records.offloaded += claimed.offloaded;
            books.records.kept = books.records.kept.saturating_sub(shrunk);
            books.records.shrunk += shrunk;
        }
        Ok(Some(self.finish(text, size, &books, Vec::new(), None, Vec::new(), fields_removed, warnings.to_vec())))
    }

    /// The whole document with its outermost lists in the order asked for; `None` where it cannot fit.
    pub(super) fn sorted_whole(&self, always: bool) -> Result<Option<String>, Error> {
        let view = self.view;
        let root = view.scan.root;
        let bytes = root.end - root.start - root.blanks;
        let each = if view.is_counted() { 64 } else { 4 };
        if bytes / each > self.view.budget().limit() {
            return Ok(None);
        }
        let mut out = String::new();
        if root.kind(view.text) == Kind::Array {
            if always {
                out.push_str(&self.frame_for(root.count, root.count, 0, 0, None, String::new()).head());
            }
            self.write_sorted(&root, &mut out)?;
            if always {
                out.push('}');
            }
            return Ok(Some(out));
        }
        out.push('{');
        let mut stack = alloc::vec![(Children::new(view.text, view.scan, &root), true)];
        while let Some((children, first)) = stack.last_mut() {
            let Some(child) = children.next() else {
                out.push('}');
                stack.pop();
                continue;
            };
            if !core::mem::take(first) {
                out.push(',');
            }
            view.write_span(child.key.0, child.key.1, &mut out);
            out.push(':');
            match child.node.kind(view.text) {
                Kind::Array => self.write_sorted(&child.node, &mut out)?,
                Kind::Object => {
                    out.push('{');
                    stack.push((Children::new(view.text, view.scan, &child.node), true));
                }
                _ => view.write(&child.node, &mut out),
            }
        }
        Ok(Some(out))
    }

    pub(super) fn write_sorted(&self, list: &Node, out: &mut String) -> Result<(), Error> {
        let (view, by) = (self.view, self.options.sort_by.unwrap_or_default());
        let children = Children::new(view.text, view.scan, list);
        out.push('[');
        for (i, child) in super::sort::sorted(view, children, by, self.options.descending, None)?.iter().enumerate() {
            if i > 0 {
                out.push(',');
            }
            view.write(&child.node, out);
        }
        out.push(']');
        Ok(())
    }
}
