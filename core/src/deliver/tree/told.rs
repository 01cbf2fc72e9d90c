//! What the notice says of strings outside records: an entry with a cursor, one without, or none.
//!
//! The marker in a string tells of its loss in any case. Entries keep to the quarter of the notice; one with a cursor
//! is paid for by its string, and so keeps to a quarter of what that may use.

use alloc::vec::Vec;

use super::cut::{Text, Told};
use super::fill::{Cutter, Kid};
use super::text;
use crate::error::Error;
use crate::json::{Kind, cmp_unescaped};
use crate::wording;

impl Cutter<'_, '_> {
    /// Decides what is said of the strings that are cut at these levels, the largest first; `said` when lists have
    /// entries. True where an entry has to be paid for.
    pub(super) fn tell_strings(&mut self, kids: &mut [Kid], levels: &[usize], said: bool) -> bool {
        if self.least || self.view.level() > 0 {
            return false;
        }
        self.said |= said;
        let text = self.view.text;
        let mut cut: Vec<usize> = (0..kids.len())
            .filter(|&i| kids[i].kind == Kind::String && kids[i].demand > levels[i].max(kids[i].cost))
            .filter(|&i| !self.marks.string(&kids[i].place.path))
            .collect();
        cut.sort_by(|&a, &b| {
            let keys = || cmp_unescaped(kids[a].child.key_raw(text), kids[b].child.key_raw(text));
            kids[b].demand.cmp(&kids[a].demand).then_with(keys)
        });
        // Equal keys are one sibling: where lists among them are summed with others, no entry speaks of the strings.
        let summed = kids.iter().any(|k| k.kind == Kind::Array && k.cost == 0);
        let (mut any, mut plain, mut plain_cost) = (false, Vec::new(), 0usize);
        for i in cut {
            let kid = &mut kids[i];
            let path = &kid.place.path;
            if path.chars().count() > self.options.limits.notice_pointer || summed && kid.place.twin {
                kid.told = Told::Nothing;
                continue;
            }
            let widest = self.view.size_of_ours(&wording::string_entry_widest(path, kid.demand));
            let with_cursor = !self.short && !kid.place.twin && self.broken.is_none() && widest <= levels[i] / 4;
            if !with_cursor || widest > self.notice_room {
                plain_cost = plain_cost.saturating_add(self.view.size_of_ours(&wording::string_entry(path, None)));
                plain.push(i);
                continue;
            }
            (kid.told, kid.entry) = (Told::Cursor, widest);
            self.notice_room -= widest;
            self.said = true;
            kid.cost += widest;
            any = true;
        }
        // Without cursor all are told, or one: a second cut reads markers only below a statement.
        let all = plain_cost <= self.notice_room;
        for i in plain {
            let told = all || !self.said;
            kids[i].told = if told { Told::Lines } else { Told::Nothing };
            self.said |= told;
        }
        if all {
            self.notice_room -= plain_cost;
        }
        any
    }

    /// Cuts a string to its level, its entry included. The second figure is what was used.
    ///
    /// # Errors
    /// Those of the counter.
    pub(super) fn cut_string(&self, kid: &Kid, level: usize, outside: bool) -> Result<Option<(Text, usize)>, Error> {
        let Some((mut cut, used)) = text::cut(self, &kid.child.node, level.saturating_sub(kid.entry))? else {
            return Ok(None);
        };
        if kid.place.twin || self.broken.is_some() {
            cut.gap = None;
        }
        cut.told = kid.told;
        if !self.least && outside && self.marks.string(&kid.place.path) {
            cut.told = Told::Cursor;
        } else if cut.told == Told::Cursor && cut.gap.is_none() {
            cut.told = Told::Lines;
        }
        let paid = kid.entry > 0 && cut.is_told();
        let used = if paid { used + self.entry_size(kid, &cut) } else { used };
        Ok(Some((cut, used)))
    }

    fn entry_size(&self, kid: &Kid, cut: &Text) -> usize {
        let path = &kid.place.path;
        let next = cut.gap.filter(|_| cut.told == Told::Cursor).and_then(|gap| gap.cursor(path, None));
        self.view.size_of_ours(&wording::string_entry(path, next.as_deref()))
    }
}
