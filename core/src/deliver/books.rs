//! The answer to a cut of records: the books with all that was left out before, the cursor, the plan.

use alloc::string::String;
use alloc::vec::Vec;

use crate::account::{Account, Counts, ListAccount};
use crate::deliver::cursor;
use crate::deliver::delivery::{Action, Delivery, Reason, Run, Warning, WarningKind};
use crate::deliver::draft::{Draft, action_of};
use crate::deliver::notice::Span;
use crate::deliver::options::Format;
use crate::deliver::parts::{Asked, Parts};
use crate::measure::Budget;

impl Parts<'_> {
    pub(crate) fn unchanged(self, text: String, size: usize, format: Format, budget: Budget<'_>) -> Delivery {
        let here = self.source.total as u64;
        let bytes = Counts::whole((self.source.text.len() + self.own_tail) as u64);
        let account = self.account(here, (self.shrunk_before as u64).min(here), bytes);
        let gaps: Vec<_> = self.places.gone.clone();
        let next = self.cursor(&gaps);
        let mut plan = Vec::new();
        if here > 0 {
            plan.push(Run {
                list: String::new(),
                from: 0,
                to: self.source.total,
                action: Action::Keep,
                reason: Reason::Fits,
                source_bytes: self.source.text.len(),
                text: self.body_at.min(text.len())..text.len() - self.own_tail.min(text.len()),
            });
        }
        let warnings = self.warnings(false);
        let list =
            ListAccount { records: account.records, bytes: account.bytes, next: next.clone(), ..Default::default() };
        let lists = alloc::vec![list];
        Delivery { text, size, unit: budget.unit(), format, account, lists, next, notice: None, warnings, plan }
    }

    /// The books when `shown` records are in the text, `shrunk` of them shortened, and `bytes` of this text are books
    /// already: with all that was left out before.
    fn account(&self, shown: u64, shrunk: u64, mut bytes: Counts) -> Account {
        let gone_before = self.claimed.map_or(0, |c| c.omitted);
        let total = self.source.total as u64 + gone_before;
        let records = Counts { total, kept: shown - shrunk, shrunk, offloaded: 0, omitted: total - shown.min(total) };
        bytes.omitted += self.carried_tail as u64;
        bytes.total += self.carried_tail as u64;
        let mut account = Account { records, bytes, fields_removed: 0, claimed: self.claimed };
        if let Some(earlier) = self.earlier {
            account.carry(earlier);
        }
        account
    }

    fn cursor(&self, gaps: &[Span]) -> Option<String> {
        let open = |to: usize| (to != self.total).then_some(to);
        let gaps: Vec<_> = gaps.iter().map(|(a, b)| cursor::Gap::new(self.kind.name(), *a, open(*b))).collect();
        if self.placed { cursor::render(&gaps, self.tag.as_deref()) } else { None }
    }

    /// What was read from the text about earlier cuts, and where it breaks off. `cut`: an unfinished line is left out.
    fn warnings(&self, cut: bool) -> Vec<Warning> {
        let mut out = Vec::new();
        let broken = if self.broken_here {
            Some(self.malformed_at)
        } else if cut && self.own_tail > 0 {
            Some(Some(self.body_at + self.source.text.len()))
        } else {
            (self.carried_tail > 0 || self.malformed_at.is_some()).then_some(None)
        };
        if let Some(offset) = broken {
            out.push(Warning { kind: WarningKind::Malformed, offset, subject: String::new() });
        }
        if self.claimed.is_some() {
            out.push(Warning { kind: WarningKind::ClaimedCounts, offset: Some(0), subject: String::new() });
        }
        out
    }

    /// The books of a draft.
    pub(crate) fn answer(
        self,
        draft: Draft,
        size: usize,
        asked: Option<&Asked>,
        format: Format,
        budget: Budget<'_>,
    ) -> Delivery {
        let shown = draft.picks.len() as u64;
        let mut bytes = Counts { total: (self.source.text.len() + self.own_tail) as u64, ..Counts::default() };
        for pick in &draft.picks {
            let length = (pick.item.first_end - pick.item.start) as u64;
            if pick.cut.is_some() || self.source.is_marked(&pick.item) {
                bytes.shrunk += length;
            } else {
                bytes.kept += length;
            }
        }
        bytes.omitted = bytes.total - bytes.kept - bytes.shrunk;
        let next = self.cursor(&draft.gaps);
        let account = self.account(shown, (draft.shrunk as u64).min(shown), bytes);
        let list =
            ListAccount { records: account.records, bytes: account.bytes, next: next.clone(), ..Default::default() };
        let lists = alloc::vec![list];
        let plan = self.plan(&draft, asked);
        let warnings = self.warnings(true);
        let Draft { text, notice, .. } = draft;
        Delivery { text, size, unit: budget.unit(), format, account, lists, next, notice, warnings, plan }
    }

    /// Decisions as runs, in this text's own records.
    fn plan(&self, draft: &Draft, asked: Option<&Asked>) -> Vec<Run> {
        let mut runs =
            Runs { out: Vec::new(), at: 0, byte: 0, place: draft.picks.first().map_or(draft.text.len(), |p| p.text.0) };
        let mut passed = draft.passed.iter().peekable();
        let page = asked.map_or((0, self.source.total), |a| a.span);
        let mut omit_until = |runs: &mut Runs, index: usize, byte: usize| {
            if runs.at < page.0.min(index) {
                runs.omit(page.0.min(index), if index <= page.0 { Some(byte) } else { None }, Reason::OffPage, self);
            }
            while let Some(p) = passed.next_if(|p| p.from < index) {
                if runs.at < p.from {
                    runs.omit(p.from, None, Reason::Budget, self);
                }
                runs.omit(p.to, if p.to == index { Some(byte) } else { None }, Reason::Oversize, self);
            }
            if runs.at < index.min(page.1) {
                let end = if index <= page.1 { Some(byte) } else { None };
                runs.omit(index.min(page.1), end, Reason::Budget, self);
            }
            if runs.at < index {
                runs.omit(index, Some(byte), Reason::OffPage, self);
            }
        };
        for pick in &draft.picks {
            let item = &pick.item;
            omit_until(&mut runs, item.index, item.start);
            let (action, reason) = action_of(pick);
            runs.push(item.index + 1, item.first_end, action, reason, pick.text);
            if item.records > 1 {
                runs.push(
                    item.index + item.records,
                    item.end,
                    Action::Omit,
                    Reason::Repeats,
                    (pick.text.1, pick.text.1),
                );
            }
        }
        omit_until(&mut runs, self.source.total, self.source.text.len());
        runs.out
    }
}

/// Neighbouring decisions of the same kind become one run.
struct Runs {
    out: Vec<Run>,
    at: usize,
    byte: usize,
    place: usize,
}

impl Runs {
    fn omit(&mut self, to: usize, end: Option<usize>, reason: Reason, parts: &Parts<'_>) {
        let end = end.unwrap_or_else(|| parts.source.walk(self.byte, to - self.at));
        let place = self.place;
        self.push(to, end, Action::Omit, reason, (place, place));
    }

    fn push(&mut self, to: usize, end: usize, action: Action, reason: Reason, text: Span) {
        let source_bytes = end.saturating_sub(self.byte);
        match self.out.last_mut() {
            Some(last) if last.action == action && last.reason == reason => {
                last.to = to;
                last.source_bytes += source_bytes;
                last.text.end = text.1;
            }
            _ => self.out.push(Run {
                list: String::new(),
                from: self.at,
                to,
                action,
                reason,
                source_bytes,
                text: text.0..text.1,
            }),
        }
        (self.at, self.byte, self.place) = (to, end, text.1);
    }
}
