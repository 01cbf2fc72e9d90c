//! Pages: the records of one gap from its front on, as many as fit, and at least one.

use alloc::string::String;
use alloc::vec::Vec;

use crate::deliver::draft::{Draft, Passed, Pick, Places};
use crate::deliver::notice::Span;
use crate::deliver::options::{NoticePlace, Oversize};
use crate::deliver::select::Selection;
use crate::deliver::source::Item;
use crate::error::Error;

impl<'s> Selection<'s, '_> {
    /// A page of the records `from..to` of this text; `left` is missing after it, in positions of the original.
    /// `None` when it would make no progress.
    pub(crate) fn page(&mut self, span: (Span, usize), left: &[Span], goal: usize) -> Result<Option<Draft>, Error> {
        let ((from, to), start) = span;
        let header = self.budget.size(self.header)?;
        let Some(goal) = goal.checked_sub(header) else { return Ok(None) };
        let mut draft = PageDraft::new((from, to), start);
        let mut wide = self.page_size(&draft, left, true)?;
        let Some(share) = goal.checked_sub(wide) else { return Ok(None) };
        while draft.at.0 < to {
            let Some(item) = self.source.next_single(draft.at.0, draft.at.1)? else { break };
            let before = draft.at;
            draft.at = (item.index + 1, item.end);
            let used = draft.used.saturating_add(item.size);
            let mut fits = used.saturating_add(wide) <= goal;
            if !fits && used <= goal && !self.budget.is_counted() {
                fits = used + self.page_size(&draft, left, false)? <= goal;
            }
            if fits {
                draft.used = used;
                self.page_push(&mut draft, Pick { item, cut: None, text: (0, 0) });
                continue;
            }
            if item.size > share {
                match self.oversize {
                    // One that fits a page of its own is not too large: this page ends before it.
                    Oversize::Error if self.fits_alone(&item, before, to, left, goal)? => {}
                    Oversize::Error => return Err(self.too_large(&item, share)?),
                    Oversize::Skip => {
                        let passed = draft.passed.clone();
                        draft.pass(&item);
                        let wider = self.page_size(&draft, left, true)?;
                        if draft.used + self.page_size(&draft, left, false)? <= goal {
                            wide = wider;
                            continue;
                        }
                        draft.passed = passed;
                    }
                    Oversize::Shrink => {
                        let free = goal.saturating_sub(draft.used).saturating_sub(wide);
                        let room = if draft.picks.is_empty() { free } else { free.min(self.target(share)?) };
                        if let Some((text, size)) = self.source.cut(&item, room)? {
                            draft.used += size;
                            self.page_push(&mut draft, Pick { item, cut: Some(text), text: (0, 0) });
                            continue;
                        }
                    }
                }
            }
            draft.at = before;
            break;
        }
        if draft.at.0 == from {
            return Ok(None);
        }
        Ok(Some(self.finish_page(draft, left)))
    }

    /// Whether a page that starts with this record holds it whole.
    fn fits_alone(
        &self,
        item: &Item,
        (from, start): (usize, usize),
        to: usize,
        left: &[Span],
        goal: usize,
    ) -> Result<bool, Error> {
        let mut page = PageDraft::new((from, to), start);
        page.at = (item.index + 1, item.end);
        let size = item.size;
        self.page_push(&mut page, Pick { item: *item, cut: None, text: (0, 0) });
        Ok(size.saturating_add(self.page_size(&page, left, false)?) <= goal)
    }

    /// The smallest page that makes progress: its first record whole, shortened, or passed over. At the end, where
    /// there is no record, an empty one.
    pub(crate) fn smallest_page(&mut self, span: (Span, usize), left: &[Span]) -> Result<Draft, Error> {
        core::mem::swap(&mut self.teller, &mut self.short);
        let draft = self.one_record_page(span, left);
        core::mem::swap(&mut self.teller, &mut self.short);
        draft
    }

    fn one_record_page(&mut self, ((from, to), start): (Span, usize), left: &[Span]) -> Result<Draft, Error> {
        let mut draft = PageDraft::new((from, to), start);
        let item = if from < to { self.source.next_single(from, start)? } else { None };
        let Some(item) = item else { return Ok(self.finish_page(draft, left)) };
        draft.at = (item.index + 1, item.end);
        if self.oversize == Oversize::Skip {
            draft.pass(&item);
            return Ok(self.finish_page(draft, left));
        }
        self.page_push(&mut draft, Pick { item, cut: None, text: (0, 0) });
        let whole = self.finish_page(draft, left);
        // Its smallest form is only needed where the whole does not fit.
        if self.budget.fits(&whole.text)?.is_some() {
            return Ok(whole);
        }
        let cut = if self.oversize == Oversize::Shrink { self.source.smallest_cut(&item)? } else { None };
        let shorter = match cut {
            Some((text, _)) => {
                let mut cut = PageDraft::new((from, to), start);
                cut.at = (item.index + 1, item.end);
                self.page_push(&mut cut, Pick { item, cut: Some(text), text: (0, 0) });
                Some(self.finish_page(cut, left))
            }
            None => None,
        };
        match shorter {
            Some(cut) if self.budget.size(&cut.text)? < self.budget.size(&whole.text)? => Ok(cut),
            _ => Ok(whole),
        }
    }

    /// Pages from here on are written without the header and say so.
    pub(crate) fn leave_out_header(&mut self) -> &'s str {
        self.teller.headless.set(true);
        self.short.headless.set(true);
        core::mem::take(&mut self.header)
    }

    /// Takes that back.
    pub(crate) fn restore_header(&mut self, header: &'s str) {
        self.teller.headless.set(false);
        self.short.headless.set(false);
        self.header = header;
    }

    fn page_push(&self, draft: &mut PageDraft, pick: Pick) {
        draft.marked += usize::from(self.counts_as_shrunk(&pick));
        draft.picks.push(pick);
        draft.shrunk = draft.marked.max(self.shrunk_before.min(draft.picks.len()));
    }

    fn finish_page(&self, draft: PageDraft, left: &[Span]) -> Draft {
        let (notice, gaps) = self.tell_page(&draft, left);
        let shrunk = draft.shrunk;
        self.assemble(draft.picks, draft.passed, notice, gaps, shrunk)
    }

    /// Size of a page's notice with its line end; `widest` as if it ran to its end and had shortened records.
    fn page_size(&self, draft: &PageDraft, left: &[Span], widest: bool) -> Result<usize, Error> {
        if self.teller.place == NoticePlace::None {
            return Ok(0);
        }
        // A hint names few gaps: no need to look at all of them.
        let left = &left[..left.len().min(10)];
        let notice = if widest {
            let (from, to) = draft.span;
            let end = self.places.original(to.saturating_sub(1)) + 1;
            let rest: Vec<Span> = core::iter::once((end, end + 1)).chain(left.iter().copied()).collect();
            self.teller.widest_page((self.places.original(from), end), &draft.missing(self.places), &rest)
        } else {
            self.tell_page(draft, left).0
        };
        Ok(self.budget.size(&notice)? + 1)
    }

    fn tell_page(&self, draft: &PageDraft, left: &[Span]) -> (String, Vec<Span>) {
        let (from, to) = draft.span;
        let first = self.places.original(from);
        let end = if draft.at.0 > from { self.places.original(draft.at.0 - 1) + 1 } else { first };
        let mut rest = Vec::new();
        if draft.at.0 < to {
            rest.push((end, self.places.original(to - 1) + 1));
        }
        rest.extend_from_slice(left);
        // What is left of this gap and what follows it directly are one gap.
        if let [a, b, ..] = rest.as_mut_slice()
            && a.1 == b.0
        {
            b.0 = a.0;
            rest.remove(0);
        }
        (self.teller.page((first, end), &draft.missing(self.places), draft.shrunk, &rest), rest)
    }
}

/// A page in the making: `span` is what it may hold, `at` (index, byte) where it stands.
#[derive(Debug)]
struct PageDraft {
    span: Span,
    picks: Vec<Pick>,
    passed: Vec<Passed>,
    at: (usize, usize),
    used: usize,
    /// Records that are cut or carry an earlier mark.
    marked: usize,
    shrunk: usize,
}

impl PageDraft {
    fn new(span: Span, start: usize) -> Self {
        PageDraft { span, picks: Vec::new(), passed: Vec::new(), at: (span.0, start), used: 0, marked: 0, shrunk: 0 }
    }

    fn pass(&mut self, item: &Item) {
        match self.passed.last_mut() {
            Some(last) if last.to == item.index => last.to += 1,
            _ => self.passed.push(Passed { from: item.index, to: item.index + 1 }),
        }
    }

    fn missing(&self, places: &Places) -> Vec<Span> {
        self.passed.iter().map(|p| (places.original(p.from), places.original(p.to - 1) + 1)).collect()
    }
}
