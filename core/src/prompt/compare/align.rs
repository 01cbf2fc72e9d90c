//! Which piece of the new prompt is which of the old one, and what happened to the others.
//!
//! What both begin and end with is set aside. Between, pieces are matched by name, messages by what they say (their
//! names are their places, which shift), and pieces whose name is gone by their bytes. Where pieces merely exchanged
//! names and their bytes did not move, they are renamed, not moved: a provider sees no change. Of the pieces matched,
//! the most that keep their order stay, and the others moved. No table of all pairs: time is `n log n`.

use alloc::collections::{BTreeMap, VecDeque};
use alloc::vec::Vec;

use crate::prompt::digest::Digest;
use crate::prompt::snapshot::Print;

/// What happened to a piece. Of two events at one index the one that stands first here is told first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum EventKind {
    /// It stood at the end, where nothing replaced it.
    Shortened,
    Removed,
    Moved,
    Changed,
    Renamed,
    Inserted,
}

/// One thing that happened.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    pub(super) kind: EventKind,
    pub(super) old: Option<usize>,
    pub(super) new: Option<usize>,
    /// The first place in the new prompt that differs for it.
    pub(super) index: usize,
}

fn is_same(a: &Print, b: &Print) -> bool {
    a.reads_as(b) && (a.name == b.name || a.is_message && b.is_message)
}

/// What happened between two prompts, in the order of the new one. Pieces appended at the end are no event.
pub(super) fn events(old: &[Print], new: &[Print]) -> Vec<Event> {
    let head = old.iter().zip(new).take_while(|(a, b)| is_same(a, b)).count();
    let (a, b) = (old.get(head..).unwrap_or_default(), new.get(head..).unwrap_or_default());
    if a.is_empty() {
        return Vec::new();
    }
    if b.is_empty() {
        let gone = |i| Event { kind: EventKind::Shortened, old: Some(i), new: None, index: new.len() };
        return (head..old.len()).map(gone).collect();
    }
    let tail = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| is_same(a, b)).count();
    let a = a.get(..a.len() - tail).unwrap_or_default();
    let b = b.get(..b.len() - tail).unwrap_or_default();
    let mut events = Walk::new(a, b, tail == 0).run();
    for event in &mut events {
        event.old = event.old.map(|i| i + head);
        event.new = event.new.map(|i| i + head);
        event.index += head;
    }
    events.sort_by_key(|event| (event.index, event.kind, event.old));
    events
}

struct Walk<'p> {
    old: &'p [Print],
    new: &'p [Print],
    /// Nothing follows: new pieces at the end are appended.
    open: bool,
    /// For each new piece the old one that it is.
    source: Vec<Option<usize>>,
    /// For each old piece whether it is still there.
    is_there: Vec<bool>,
    events: Vec<Event>,
}

impl<'p> Walk<'p> {
    fn new(old: &'p [Print], new: &'p [Print], open: bool) -> Self {
        Walk {
            old,
            new,
            open,
            source: alloc::vec![None; new.len()],
            is_there: alloc::vec![false; old.len()],
            events: Vec::new(),
        }
    }

    fn run(mut self) -> Vec<Event> {
        self.match_names();
        self.match_bytes(|piece| piece.is_message);
        self.match_bytes(|piece| !piece.is_message);
        self.keep_places(&self.source.clone());
        self.keep_places(&self.with_rest());
        let stays = self.in_order();
        // Between two pieces that stay, and before the first and behind the last of them.
        let (mut i, mut j) = (0, 0);
        let mut place_of: Vec<usize> = alloc::vec![0; self.old.len()];
        for at in 0..=self.new.len() {
            let anchor = stays.get(at).copied().unwrap_or(at == self.new.len());
            if !anchor {
                continue;
            }
            let until = self.source.get(at).copied().flatten().unwrap_or(self.old.len());
            self.gap(i..until, j..at, &mut place_of);
            if at < self.new.len() {
                self.matched(until, at);
                if let Some(place) = place_of.get_mut(until) {
                    *place = at;
                }
            }
            (i, j) = (until + 1, at + 1);
        }
        for (at, _) in stays.iter().enumerate().filter(|(_, stays)| !**stays) {
            if let Some(from) = self.source.get(at).copied().flatten() {
                let index = at.min(place_of.get(from).copied().unwrap_or(at));
                self.events.push(Event { kind: EventKind::Moved, old: Some(from), new: Some(at), index });
                self.matched(from, at);
            }
        }
        self.events
    }

    /// A piece that is in both prompts, with other bytes or under another name.
    fn matched(&mut self, from: usize, at: usize) {
        let (Some(a), Some(b)) = (self.old.get(from), self.new.get(at)) else { return };
        let kind = if !a.reads_as(b) {
            EventKind::Changed
        } else if a.name != b.name && !a.is_message {
            EventKind::Renamed
        } else {
            return;
        };
        self.events.push(Event { kind, old: Some(from), new: Some(at), index: at });
    }

    /// What stands between two pieces that stay: messages that are no longer there turn into those that were not there
    /// before, one by one; what is left of either was taken out or put in.
    fn gap(&mut self, olds: core::ops::Range<usize>, news: core::ops::Range<usize>, place_of: &mut [usize]) {
        let at_end = olds.end == self.old.len() && self.open;
        let fresh: Vec<usize> = news.clone().filter(|&j| self.source.get(j) == Some(&None)).collect();
        let mut turned = fresh.iter().copied().filter(|&j| self.new.get(j).is_some_and(|piece| piece.is_message));
        let mut place = news.start;
        let mut last_turned = None;
        for i in olds {
            if let Some(slot) = place_of.get_mut(i) {
                *slot = place;
            }
            if self.is_there.get(i) != Some(&false) {
                continue;
            }
            let becomes = if self.old.get(i).is_some_and(|piece| piece.is_message) { turned.next() } else { None };
            if let Some(j) = becomes {
                self.events.push(Event { kind: EventKind::Changed, old: Some(i), new: Some(j), index: j });
                (place, last_turned) = (j + 1, Some(j));
            } else {
                // Behind all that is left: the end is gone.
                let kind = if at_end && fresh.is_empty() { EventKind::Shortened } else { EventKind::Removed };
                self.events.push(Event { kind, old: Some(i), new: None, index: place });
            }
        }
        // New pieces behind everything old are appended, unless an old one stands behind them in another place, or a
        // message that took the place of one.
        let last_known = self.source.iter().rposition(Option::is_some).max(last_turned).filter(|_| at_end);
        let is_appended = |j: usize| at_end && last_known.is_none_or(|known| j > known);
        for j in fresh {
            let is_message = self.new.get(j).is_some_and(|piece| piece.is_message);
            let was_turned = is_message && last_turned.is_some_and(|last| j <= last);
            if !was_turned && !is_appended(j) {
                self.events.push(Event { kind: EventKind::Inserted, old: None, new: Some(j), index: j });
            }
        }
    }

    fn match_names(&mut self) {
        let named = |pieces: &'p [Print]| pieces.iter().enumerate().filter(|(_, piece)| !piece.is_message);
        let by_name: BTreeMap<&str, usize> = named(self.old).map(|(i, piece)| (&*piece.name, i)).collect();
        for (j, piece) in named(self.new) {
            if let Some(&i) = by_name.get(&*piece.name) {
                self.join(i, j);
            }
        }
    }

    /// Matches what is left by its bytes, in order.
    fn match_bytes(&mut self, wanted: impl Fn(&Print) -> bool) {
        let mut by_bytes: BTreeMap<&Digest, VecDeque<usize>> = BTreeMap::new();
        for (i, piece) in self.old.iter().enumerate() {
            if wanted(piece) && self.is_there.get(i) == Some(&false) {
                by_bytes.entry(piece.said()).or_default().push_back(i);
            }
        }
        for (j, piece) in self.new.iter().enumerate() {
            if wanted(piece)
                && self.source.get(j) == Some(&None)
                && let Some(i) = by_bytes.get_mut(piece.said()).and_then(VecDeque::pop_front)
            {
                self.join(i, j);
            }
        }
    }

    /// The matches, and those that are left, one by one in order, as if their names were new.
    fn with_rest(&self) -> Vec<Option<usize>> {
        let is_left = |i: &usize| {
            self.is_there.get(*i) == Some(&false) && self.old.get(*i).is_some_and(|piece| !piece.is_message)
        };
        let mut left = (0..self.old.len()).filter(is_left);
        let matched = self.source.iter().zip(self.new);
        matched.map(|(from, piece)| from.or_else(|| if piece.is_message { None } else { left.next() })).collect()
    }

    /// Where names went round and every place has its bytes still, the pieces stay and their names are new ones.
    ///
    /// Places are counted among the pieces that `matches` has in both prompts, so that what was put in or taken out
    /// between them does not matter. Names go round in cycles: all places of one kept their bytes, or its pieces moved.
    fn keep_places(&mut self, matches: &[Option<usize>]) {
        let (news, named): (Vec<usize>, Vec<usize>) =
            matches.iter().enumerate().filter_map(|(j, from)| Some((j, (*from)?))).unzip();
        let mut olds = named.clone();
        olds.sort_unstable();
        let keeps_bytes = |place: usize| {
            let old = olds.get(place).and_then(|&i| self.old.get(i));
            let new = news.get(place).and_then(|&j| self.new.get(j));
            matches!((old, new), (Some(a), Some(b)) if a.reads_as(b) && !a.is_message && !b.is_message)
        };
        let mut seen = alloc::vec![false; olds.len()];
        let mut kept: Vec<usize> = Vec::new();
        for first in 0..olds.len() {
            let (from, mut place, mut all) = (kept.len(), first, true);
            // Once round: from a place to that where the piece of its name was.
            while let Some(slot) = seen.get_mut(place).filter(|seen| !**seen) {
                *slot = true;
                all &= keeps_bytes(place);
                kept.push(place);
                place = named.get(place).and_then(|i| olds.binary_search(i).ok()).unwrap_or(first);
            }
            if !all {
                kept.truncate(from);
            }
        }
        for place in kept {
            let (Some(&i), Some(&j)) = (olds.get(place), news.get(place)) else { continue };
            if let (Some(source), Some(is_there)) = (self.source.get_mut(j), self.is_there.get_mut(i)) {
                (*source, *is_there) = (Some(i), true);
            }
        }
    }

    fn join(&mut self, i: usize, j: usize) {
        if let (Some(source), Some(is_there)) = (self.source.get_mut(j), self.is_there.get_mut(i))
            && !*is_there
        {
            (*source, *is_there) = (Some(i), true);
        }
    }

    /// Which of the new pieces that are matched keep their order: a longest increasing subsequence of their old places.
    fn in_order(&self) -> Vec<bool> {
        // For every length the new piece that ends such a sequence at the earliest old place, and who comes before it.
        let mut ends: Vec<(usize, usize)> = Vec::new();
        let mut previous: Vec<Option<usize>> = alloc::vec![None; self.new.len()];
        for (j, i) in self.source.iter().enumerate().filter_map(|(j, i)| Some((j, (*i)?))) {
            let length = ends.partition_point(|&(end, _)| end < i);
            if let Some(slot) = previous.get_mut(j) {
                *slot = length.checked_sub(1).and_then(|before| ends.get(before)).map(|&(_, j)| j);
            }
            match ends.get_mut(length) {
                Some(end) => *end = (i, j),
                None => ends.push((i, j)),
            }
        }
        let mut stays = alloc::vec![false; self.new.len()];
        let mut at = ends.last().map(|&(_, j)| j);
        while let Some(j) = at {
            if let Some(stay) = stays.get_mut(j) {
                *stay = true;
            }
            at = previous.get(j).copied().flatten();
        }
        stays
    }
}
