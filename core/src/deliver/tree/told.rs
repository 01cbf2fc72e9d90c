//! What the notice says of strings outside records: an entry with a cursor, one without, or none.
//!
//! The marker in a string tells of its loss in any case. An entry costs room that the string could have used, so all
//! entries keep to the quarter of the notice, and one with a cursor to a quarter of its string's share.

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
        let mut any = false;
        for i in cut {
            let kid = &mut kids[i];
            let path = &kid.place.path;
            if kid.twin || path.chars().count() > self.options.limits.notice_pointer {
                kid.told = Told::Nothing;
                continue;
            }
            let widest = self.view.size_of_ours(&wording::string_entry_widest(path, kid.demand));
            let plain = self.view.size_of_ours(&wording::string_entry(path, None));
            let with_cursor = !self.short && self.malformed_at.is_none() && widest <= levels[i] / 4;
            (kid.told, kid.entry) = if with_cursor && widest <= self.notice_room {
                (Told::Cursor, widest)
            } else if plain <= self.notice_room && plain.saturating_add(kid.cost) <= levels[i] {
                (Told::Lines, plain)
            } else if self.said {
                (Told::Nothing, 0)
            } else {
                // A second cut reads markers only below a statement: one is always made.
                (Told::Lines, 0)
            };
            self.said |= kid.told != Told::Nothing;
            self.notice_room = self.notice_room.saturating_sub(kid.entry);
            kid.cost += kid.entry;
            any |= kid.entry > 0;
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
        if kid.twin || self.malformed_at.is_some() {
            cut.gap = None;
        }
        cut.told = kid.told;
        if !self.least && outside && !kid.twin && self.marks.string(&kid.place.path) {
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
