//! Which lines or rows are delivered: the two ends, what the host prefers, and what must be shortened.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use memchr::memmem;

use crate::deliver::draft::{Draft, Passed, Pick, Places};
use crate::deliver::notice::{Span, Teller};
use crate::deliver::options::{Keep, NoticePlace, Oversize};
use crate::deliver::source::{Item, Source};
use crate::error::Error;
use crate::measure::Budget;
use crate::wording;

/// Records that are tried on with exact sizes once those with widest notices are in.
const TOP_UP: usize = 64;

/// One delivery of lines or rows in the making.
#[derive(Debug)]
pub(crate) struct Selection<'s, 't> {
    pub(crate) source: &'s mut Source<'t>,
    pub(crate) teller: &'s Teller<'t>,
    /// The same with short forms.
    pub(crate) short: &'s Teller<'t>,
    pub(crate) places: &'s Places,
    pub(crate) budget: Budget<'t>,
    /// Stands between notice and records: the header of CSV.
    pub(crate) header: &'s str,
    pub(crate) keep: Keep,
    pub(crate) oversize: Oversize,
    pub(crate) prefer: &'s [&'s str],
    /// Records shortened before of which it is not known which they are.
    pub(crate) shrunk_before: usize,
    /// Some were shortened before: the notice may have to say so.
    pub(crate) had_shrunk: bool,
    pub(crate) reserves: [Option<usize>; 20],
}

#[derive(Debug)]
struct State {
    goal: usize,
    share: usize,
    used: usize,
    gaps: usize,
    /// What an earlier cut left out is a gap of its own, where it does not lie beside what is left out now.
    seams: Vec<usize>,
    shrunk: bool,
    head: (usize, usize),
    tail: (usize, usize),
    head_skipped: bool,
    tail_skipped: bool,
    head_run: usize,
    tail_run: usize,
    front: Vec<Pick>,
    back: Vec<Pick>,
    middle: BTreeMap<usize, Pick>,
    passed: Vec<Passed>,
}

impl State {
    fn empty(&self) -> bool {
        self.front.is_empty() && self.back.is_empty() && self.middle.is_empty()
    }

    /// Gaps of an earlier cut among the records before `head` and behind `tail`.
    fn seams_outside(&self, head: usize, tail: usize) -> usize {
        let within = |limit: usize| self.seams.partition_point(|s| *s <= limit);
        self.seams.partition_point(|s| *s < head) + self.seams.len() - within(tail.max(head))
    }

    fn pass(&mut self, item: &Item) {
        let (from, to) = (item.index, item.index + item.records);
        match self.passed.last_mut() {
            Some(last) if last.to == from => last.to = to,
            Some(last) if last.from == to => last.from = from,
            _ => self.passed.push(Passed { from, to }),
        }
    }
}

/// What can be done with an oversize record.
enum Shortened {
    To((String, usize)),
    /// Its smallest form is larger than it may be: it is passed over.
    Never,
    /// What is left of the budget is too little for it.
    NoRoom,
}

/// How a walk over one end stopped.
#[derive(PartialEq, Eq)]
enum End {
    Full,
    Met,
}

impl Selection<'_, '_> {
    /// A first delivery for `goal` units, or `None` when not even its notice fits.
    pub(crate) fn fill(&mut self, goal: usize) -> Result<Option<Draft>, Error> {
        let header = self.budget.size(self.header)?;
        let base = header.saturating_add(self.reserve(1, self.had_shrunk)?);
        if base > goal {
            return Ok(None);
        }
        let mut st = State {
            goal: goal - header,
            share: goal - base,
            used: 0,
            gaps: 1,
            seams: self.places.seams(),
            shrunk: self.had_shrunk,
            head: (0, 0),
            tail: (self.source.total, self.source.text.len()),
            head_skipped: false,
            tail_skipped: false,
            head_run: 0,
            tail_run: self.source.total,
            front: Vec::new(),
            back: Vec::new(),
            middle: BTreeMap::new(),
            passed: Vec::new(),
        };
        if !self.prefer.is_empty() {
            self.take_preferred(&mut st)?;
        }
        let free = st.share.saturating_sub(st.used);
        let all = usize::MAX;
        match self.keep {
            Keep::Head => {
                self.take_head(&mut st, all, true)?;
            }
            Keep::Tail => {
                self.take_tail(&mut st)?;
            }
            Keep::Both => {
                let half = st.used + free / 2;
                let _ = self.take_head(&mut st, half, false)?;
                self.take_tail(&mut st)?;
                self.take_head(&mut st, all, true)?;
            }
        }
        if !self.budget.is_counted() {
            self.top_up(&mut st)?;
        }
        self.render(st).map(Some)
    }

    /// Room for a notice with that many gaps and its line end.
    fn reserve(&mut self, gaps: usize, shrunk: bool) -> Result<usize, Error> {
        if self.teller.place == NoticePlace::None {
            return Ok(0);
        }
        let gaps = gaps.clamp(1, 9);
        let slot = gaps * 2 + usize::from(shrunk);
        if let Some(Some(known)) = self.reserves.get(slot) {
            return Ok(*known);
        }
        let mut widest = self.teller.widest(gaps, shrunk);
        widest.push('\n');
        let n = self.budget.size(&widest)?;
        if let Some(place) = self.reserves.get_mut(slot) {
            *place = Some(n);
        }
        Ok(n)
    }

    /// `gaps` are those that come with it.
    fn fits(&mut self, st: &State, size: usize, gaps: usize) -> Result<bool, Error> {
        let notice = self.reserve(st.gaps + gaps, st.shrunk)?;
        Ok(st.used.saturating_add(size).saturating_add(notice) <= st.goal)
    }

    /// Oversize records: shortened, passed over, or the end of the call.
    fn shorten(&mut self, st: &State, item: &Item, gaps: usize, cap: usize) -> Result<Shortened, Error> {
        match self.oversize {
            Oversize::Skip => Ok(Shortened::Never),
            // A run of equal lines, or one larger than a smaller budget, may still be no larger than the share.
            Oversize::Error => match self.true_size(item)? {
                size if size > st.share => Err(self.too_large(item, st.share)?),
                _ => Ok(Shortened::NoRoom),
            },
            Oversize::Shrink => {
                let target = self.target(st.share)?;
                let notice = self.reserve(st.gaps + gaps, true)?;
                let free = st.goal.saturating_sub(st.used).saturating_sub(notice).min(cap.saturating_sub(st.used));
                if let Some(cut) = self.source.cut(item, target.min(free))? {
                    return Ok(Shortened::To(cut));
                }
                if st.empty() {
                    return Ok(self.source.cut(item, free)?.map_or(Shortened::Never, Shortened::To));
                }
                // It would do with its share, and only what is left is too little: then it ends the list like any
                // other.
                let could = free < target && self.source.cut(item, target)?.is_some();
                Ok(if could { Shortened::NoRoom } else { Shortened::Never })
            }
        }
    }

    /// What an oversize record may take of its list's share.
    pub(crate) fn target(&self, share: usize) -> Result<usize, Error> {
        let (open, close) = wording::CHARS_OMITTED;
        let frame = self.budget.size(open)? + self.budget.size(close)? + 8;
        Ok((share / 4).max(share.min(frame * 3 / 2)))
    }

    /// The size of a record itself, whatever the budget.
    pub(crate) fn true_size(&self, item: &Item) -> Result<usize, Error> {
        self.budget.size(&self.source.shown(&self.source.text[item.start..item.first_end]))
    }

    pub(crate) fn too_large(&self, item: &Item, share: usize) -> Result<Error, Error> {
        let index = self.places.original(item.index);
        let size = self.true_size(item)?;
        let (name, unit) = (self.teller.list.kind.name(), self.budget.unit());
        let message = alloc::format!(
            "record {index} of the {name} is too large: {size} {unit}, its list has {share} of a budget of {}",
            self.budget.limit()
        );
        Ok(Error::too_large(size, share, unit, message).in_list("", index))
    }

    /// From the front until `cap` units are used. `last`: nothing comes after this walk.
    fn take_head(&mut self, st: &mut State, cap: usize, last: bool) -> Result<End, Error> {
        while st.head.0 < st.tail.0 {
            let Some(item) = self.source.next(st.head.0, st.head.1)? else { break };
            if let Some(pick) = st.middle.remove(&item.index) {
                if st.head.0 > st.head_run && !st.head_skipped {
                    st.gaps = st.gaps.saturating_sub(1).max(1);
                }
                st.head = (item.index + item.records, item.end);
                (st.head_skipped, st.head_run) = (false, st.head.0);
                st.front.push(pick);
                continue;
            }
            let gaps = usize::from(st.head_skipped) + usize::from(item.records > 1);
            let seams = st.seams_outside(item.index + item.records, st.tail.0);
            let within = st.used.saturating_add(item.size) <= cap;
            let cut = if within && self.fits(st, item.size, gaps + seams)? {
                None
            } else if item.size > st.share {
                match self.shorten(st, &item, gaps + seams, cap)? {
                    Shortened::To(cut) => Some(cut),
                    Shortened::NoRoom => return Ok(End::Full),
                    Shortened::Never if !last => return Ok(End::Full),
                    Shortened::Never => {
                        st.pass(&item);
                        st.head = (item.index + item.records, item.end);
                        st.head_skipped = true;
                        if st.used + self.reserve(st.gaps + 1, st.shrunk)? >= st.goal {
                            return Ok(End::Full);
                        }
                        continue;
                    }
                }
            } else {
                return Ok(End::Full);
            };
            st.gaps += gaps;
            st.head = (item.index + item.records, item.end);
            st.head_skipped = false;
            let (text, size) = cut.map_or((None, item.size), |(t, n)| (Some(t), n));
            st.shrunk |= text.is_some();
            st.used += size;
            st.front.push(Pick { item, cut: text, text: (0, 0) });
        }
        Ok(End::Met)
    }

    /// From the end backwards, until nothing fits.
    fn take_tail(&mut self, st: &mut State) -> Result<End, Error> {
        while st.head.0 < st.tail.0 {
            let Some(item) = self.source.prev(st.tail.0, st.tail.1)? else { break };
            if let Some(pick) = st.middle.remove(&item.index) {
                if st.tail.0 < st.tail_run && !st.tail_skipped {
                    st.gaps = st.gaps.saturating_sub(1).max(1);
                }
                st.tail = (item.index, item.start);
                (st.tail_skipped, st.tail_run) = (false, st.tail.0);
                st.back.push(pick);
                continue;
            }
            let gaps = usize::from(st.tail_skipped) + usize::from(item.records > 1);
            let seams = st.seams_outside(st.head.0, item.index);
            let cut = if self.fits(st, item.size, gaps + seams)? {
                None
            } else if item.size > st.share {
                match self.shorten(st, &item, gaps + seams, usize::MAX)? {
                    Shortened::To(cut) => Some(cut),
                    Shortened::NoRoom => return Ok(End::Full),
                    Shortened::Never => {
                        st.pass(&item);
                        st.tail = (item.index, item.start);
                        st.tail_skipped = true;
                        if st.used + self.reserve(st.gaps + 1, st.shrunk)? >= st.goal {
                            return Ok(End::Full);
                        }
                        continue;
                    }
                }
            } else {
                return Ok(End::Full);
            };
            st.gaps += gaps;
            st.tail = (item.index, item.start);
            st.tail_skipped = false;
            let (text, size) = cut.map_or((None, item.size), |(t, n)| (Some(t), n));
            st.shrunk |= text.is_some();
            st.used += size;
            st.back.push(Pick { item, cut: text, text: (0, 0) });
        }
        Ok(End::Met)
    }

    /// Records that hold one of the needles, from the front, before all others.
    fn take_preferred(&mut self, st: &mut State) -> Result<(), Error> {
        let bytes = self.source.text.as_bytes();
        let mut hits: Vec<_> = self.prefer.iter().map(|n| memmem::find_iter(bytes, n.as_bytes()).peekable()).collect();
        // Where counting of records stands: byte and index.
        let (mut at, mut index) = (0, 0);
        loop {
            for hit in &mut hits {
                while hit.next_if(|h| *h < at).is_some() {}
            }
            let Some(hit) = hits.iter_mut().filter_map(|h| h.peek().copied()).min() else { break };
            // Records between are walked without being weighed.
            let (start, skipped) = self.source.skip_to(at, hit);
            index += skipped;
            let Some(item) = self.source.next(index, start)? else { break };
            let next_to = st.middle.last_key_value().is_some_and(|(_, p)| p.item.index + p.item.records == item.index);
            let gaps = usize::from(!next_to && item.index > 0) + usize::from(item.records > 1);
            let cut = if self.fits(st, item.size, gaps)? {
                None
            } else if item.size > st.share {
                match self.shorten(st, &item, gaps, usize::MAX)? {
                    Shortened::To(cut) => Some(cut),
                    Shortened::NoRoom => break,
                    Shortened::Never => {
                        (at, index) = (item.end, item.index + item.records);
                        continue;
                    }
                }
            } else {
                break;
            };
            st.gaps += gaps;
            let (text, size) = cut.map_or((None, item.size), |(t, n)| (Some(t), n));
            st.shrunk |= text.is_some();
            st.used += size;
            st.middle.insert(item.index, Pick { item, cut: text, text: (0, 0) });
            (at, index) = (item.end, item.index + item.records);
        }
        Ok(())
    }

    /// The notice was reserved at its widest: what that leaves over is used up with exact sizes.
    fn top_up(&mut self, st: &mut State) -> Result<(), Error> {
        for _ in 0..TOP_UP {
            if st.head.0 >= st.tail.0 {
                break;
            }
            let from_front = self.keep != Keep::Tail;
            let item = if from_front {
                self.source.next(st.head.0, st.head.1)?
            } else {
                self.source.prev(st.tail.0, st.tail.1)?
            };
            let Some(item) = item else { break };
            // What is in the middle stands in the text and is paid for, shortened or not: only its end changes.
            let (pick, size) = match st.middle.remove(&item.index) {
                Some(pick) => (pick, 0),
                None => (Pick { item, cut: None, text: (0, 0) }, item.size),
            };
            if size > 0 && st.used.saturating_add(size) > st.goal {
                break;
            }
            st.used += size;
            let end = if from_front { &mut st.front } else { &mut st.back };
            end.push(pick);
            if size > 0 && self.exact(st)? > st.goal {
                let end = if from_front { &mut st.front } else { &mut st.back };
                end.pop();
                st.used -= size;
                break;
            }
            if from_front {
                st.head = (item.index + item.records, item.end);
            } else {
                st.tail = (item.index, item.start);
            }
        }
        Ok(())
    }

    fn exact(&self, st: &State) -> Result<usize, Error> {
        if self.teller.place == NoticePlace::None {
            return Ok(st.used);
        }
        let picks = || st.front.iter().chain(st.middle.values()).chain(st.back.iter().rev());
        let (notice, _, _) = self.tell(picks());
        Ok(st.used + self.budget.size(&notice)? + 1)
    }

    /// Notice, gaps and number of shortened records of these picks.
    fn tell<'p>(&self, picks: impl Iterator<Item = &'p Pick> + Clone) -> (String, Vec<Span>, usize) {
        let shown = picks.clone().count();
        let spans = picks.clone().map(|p| (p.item.index, p.item.index + 1));
        let gaps =
            if self.teller.list.placed { self.places.missing(spans, self.teller.list.total) } else { Vec::new() };
        let shrunk = picks.filter(|p| self.counts_as_shrunk(p)).count().max(self.shrunk_before.min(shown));
        (self.teller.first(self.teller.list.total - shown.min(self.teller.list.total), &gaps, shrunk), gaps, shrunk)
    }

    pub(crate) fn counts_as_shrunk(&self, pick: &Pick) -> bool {
        pick.cut.is_some() || self.source.is_marked(&pick.item)
    }

    fn render(&self, st: State) -> Result<Draft, Error> {
        let State { front, back, middle, mut passed, .. } = st;
        let mut picks = front;
        picks.extend(middle.into_values());
        picks.extend(back.into_iter().rev());
        if picks.is_empty() && self.teller.place == NoticePlace::None {
            return Ok(self.smallest());
        }
        passed.sort_unstable_by_key(|p| p.from);
        let (notice, gaps, shrunk) = self.tell(picks.iter());
        Ok(self.assemble(picks, passed, notice, gaps, shrunk))
    }

    pub(crate) fn assemble(
        &self,
        mut picks: Vec<Pick>,
        passed: Vec<Passed>,
        notice: String,
        gaps: Vec<Span>,
        shrunk: usize,
    ) -> Draft {
        let mut text = String::new();
        // A text with nothing in it would be silence: then the notice stands in it in any case.
        if self.teller.place == NoticePlace::Text || (picks.is_empty() && self.header.is_empty()) {
            text.push_str(&notice);
            if !picks.is_empty() || !self.header.is_empty() {
                text.push('\n');
            }
        }
        text.push_str(self.header);
        for pick in &mut picks {
            let start = text.len();
            match &pick.cut {
                Some(cut) => text.push_str(cut),
                None => self.source.push(&mut text, &pick.item),
            }
            pick.text = (start, text.len());
        }
        Draft { text, notice: Some(notice), picks, passed, gaps, shrunk }
    }

    /// The text with no record in it: what is left when nothing else fits.
    pub(crate) fn smallest(&self) -> Draft {
        let total = self.teller.list.total;
        let gaps = if self.teller.list.placed && total > 0 { alloc::vec![(0, total)] } else { Vec::new() };
        self.assemble(Vec::new(), Vec::new(), self.teller.smallest(), gaps, 0)
    }

    /// The only record there is, shortened; no notice, the mark says it all.
    pub(crate) fn lone(&mut self, goal: usize) -> Result<Option<Draft>, Error> {
        let Some(item) = self.source.next(0, 0)? else { return Ok(None) };
        match self.oversize {
            Oversize::Error => return Err(self.too_large(&item, goal)?),
            Oversize::Skip => return Ok(None),
            Oversize::Shrink => {}
        }
        let Some((text, _)) = self.source.cut(&item, goal)? else { return Ok(None) };
        let pick = Pick { item, cut: Some(text.clone()), text: (0, text.len()) };
        let (passed, gaps) = (Vec::new(), Vec::new());
        Ok(Some(Draft { text, notice: None, picks: alloc::vec![pick], passed, gaps, shrunk: 1 }))
    }
}
