//! Compares a JSON payload with what was delivered of it: is every delivered record one input record or a visible
//! pruning of one, in order, none fused, none invented; and does the text tell every loss, truly?

use std::collections::BTreeMap;

use crate::oracle::json::{Doc, Kind, parse, segment, unescape};
use crate::oracle::markers::{k_of_n, labelled, shortened};
use crate::oracle::stated::{is_envelope, is_notice_key, may_state_a_cut, record_marks};

/// What became of one list (or of the members of one object).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Pointer, positions as numbers.
    pub path: String,
    /// Records of the input.
    pub total: u64,
    /// Delivered whole.
    pub whole: u64,
    /// Delivered in part.
    pub pruned: u64,
    /// Members of an object, not elements.
    pub members: bool,
    /// Told by a mark nearer than the root.
    told: bool,
}

/// The finding.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// What is wrong; empty when nothing is.
    pub problems: Vec<String>,
    /// Nothing was lost but white space.
    pub exact: bool,
    /// Every list that lost something, by pointer.
    pub cuts: Vec<Cut>,
    /// Values outside lists and members that were shortened or replaced.
    pub shortened: Vec<String>,
}

/// How strictly to look.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Records stand in the input's order (false under `sort_by`).
    pub ordered: bool,
    /// The counts must be those of this input (false for input that was cut before, and for pages).
    pub counts: bool,
    /// An earlier cut spoke in the input: marks in its records and strings are ours, and their numbers are carried on.
    pub marks: bool,
}

/// Counts as a notice writes them.
#[derive(Clone, Debug, Default)]
struct Said {
    total: Option<u64>,
    kept: Option<u64>,
    shrunk: u64,
    offloaded: u64,
    omitted: Option<u64>,
}

enum Found {
    Cut(Cut),
    Text(String),
}

/// Judges `delivered` against `source`.
pub fn judge(source: &Doc, delivered: &str, rules: Rules) -> Verdict {
    let mut verdict = Verdict::default();
    let out = match parse(delivered) {
        Ok(out) => out,
        Err(broken) => {
            verdict.problems.push(format!("L2 the output does not parse at byte {}", broken.at));
            return verdict;
        }
    };
    if out.text == source.text {
        verdict.exact = true;
        return verdict;
    }
    let mut walk = Walk { src: source, out: &out, rules, problems: vec![], stated: BTreeMap::new() };
    let enveloped = is_envelope(&out, 0) && (source.kind(0) == Kind::Array || !rules.counts && is_envelope(source, 0));
    let found = if enveloped { walk.envelope() } else { walk.document() };
    let problems = std::mem::take(&mut walk.problems);
    verdict.problems.extend(problems);
    match found {
        None => verdict.problems.push(format!("L3 not the input's records in order: {}", walk.first_difference())),
        Some(found) => {
            for f in found {
                match f {
                    Found::Cut(cut) => verdict.cuts.push(cut),
                    Found::Text(path) => verdict.shortened.push(path),
                }
            }
        }
    }
    verdict
}

struct Walk<'a> {
    src: &'a Doc,
    out: &'a Doc,
    rules: Rules,
    problems: Vec<String>,
    /// Lists and maps in records (and records) of which an earlier cut said how many there were.
    stated: BTreeMap<usize, Stated>,
}

struct Stated {
    path: String,
    total: u64,
    /// The record whose mark says so.
    record: usize,
}

/// Where an object stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Root,
    /// It is an element of a list, and may carry a mark.
    Record,
    Inside,
}

impl Walk<'_> {
    fn envelope(&mut self) -> Option<Vec<Found>> {
        let rows = self.out.member(0, "rows")?;
        let source = if self.src.kind(0) == Kind::Array { 0 } else { self.src.member(0, "rows")? };
        let said = self.said(0);
        let mut found = self.array(source, rows, "")?;
        if self.rules.counts && self.src.kind(0) == Kind::Array {
            let total = self.src.children(0).len() as u64;
            let cut = found.iter().find_map(|f| match f {
                Found::Cut(c) if c.path.is_empty() => Some(c.clone()),
                _ => None,
            });
            let (whole, pruned) = cut.map_or((total, 0), |c| (c.whole, c.pruned));
            if said.total != Some(total) {
                self.problem(format!("L4 the envelope says total {:?}, the list has {total}", said.total));
            }
            if said.omitted.map(|o| o + said.offloaded) != Some(total - whole - pruned) {
                self.problem(format!(
                    "L4 the envelope says omitted {:?}, true {}",
                    said.omitted,
                    total - whole - pruned
                ));
            }
            if said.shrunk != pruned {
                self.problem(format!("L4 the envelope says shrunk {}, true {pruned}", said.shrunk));
            }
        }
        for f in &mut found {
            if let Found::Cut(c) = f {
                c.told |= c.path.is_empty();
            }
        }
        if let Some(notice) = self.out.member(0, "_omitted") {
            self.settle_root(notice, &mut found);
        }
        self.all_told(&found);
        Some(found)
    }

    fn document(&mut self) -> Option<Vec<Found>> {
        let notice = self.notice_of(0, 0);
        let mut found = self.value(0, 0, "", Place::Root)?;
        if let Some(notice) = notice {
            self.settle_root(notice, &mut found);
        }
        self.all_told(&found);
        Some(found)
    }

    fn problem(&mut self, text: String) {
        self.problems.push(text);
    }

    fn all_told(&mut self, found: &[Found]) {
        if !self.rules.counts && !self.rules.marks {
            return;
        }
        for f in found {
            if let Found::Cut(c) = f
                && !c.told
                && c.whole + c.pruned < c.total
            {
                let what = if c.members { "members" } else { "records" };
                let (kept, total) = (c.whole + c.pruned, c.total);
                self.problem(format!("L4 {what} went without a count: {kept} of {total} at {:?}", c.path));
            }
        }
    }

    /// The member that is a notice of ours: the first, by its name, and not one of the source's.
    fn notice_of(&self, a: usize, b: usize) -> Option<usize> {
        let &first = self.out.children(b).first()?;
        let key = unescape(self.out.key(first));
        if self.out.kind(b) != Kind::Object || !is_notice_key(&key) {
            return None;
        }
        if self.out.kind(first) != Kind::Object {
            return None;
        }
        let mine = self.src.children(a).iter().find(|&&c| self.src.key(c) == self.out.key(first));
        // A taken name is left alone, but for a document's own statement of an earlier cut, which is written anew.
        let ours = match mine {
            None => true,
            Some(&c) => {
                let states =
                    |key: &str| key.is_empty() || key.starts_with('/') || ["hint", "source", "select"].contains(&key);
                b == 0
                    && self.src.kind(c) == Kind::Object
                    && self.src.raw(c) != self.out.raw(first)
                    && self.out.children(first).iter().all(|&m| states(&unescape(self.out.key(m))))
            }
        };
        ours.then_some(first)
    }

    fn said(&self, id: usize) -> Said {
        let mut said = Said::default();
        for &c in self.out.children(id) {
            let n = self.out.number(c);
            match unescape(self.out.key(c)).as_str() {
                "total" => said.total = n,
                "kept" => said.kept = n,
                "shrunk" => said.shrunk = n.unwrap_or(u64::MAX),
                "offloaded" => said.offloaded = n.unwrap_or(u64::MAX),
                "omitted" => said.omitted = n,
                _ => {}
            }
        }
        said
    }

    /// Holds the entries of the root's notice against what was found, the exact ones first.
    fn settle_root(&mut self, notice: usize, found: &mut [Found]) {
        let mut entries: Vec<(String, usize)> = vec![];
        for &c in self.out.children(notice) {
            let pointer = unescape(self.out.key(c));
            if pointer.is_empty() || pointer.starts_with('/') {
                entries.push((pointer, c));
            }
        }
        // The more a pointer says, the sooner it speaks.
        entries.sort_by_key(|(p, _)| (p.split('/').filter(|s| *s == "*").count(), usize::MAX - p.split('/').count()));
        let mut spoken: BTreeMap<String, ()> = BTreeMap::new();
        for (pointer, c) in entries {
            if spoken.insert(pointer.clone(), ()).is_some() {
                self.problem(format!("L4 two entries for {pointer:?}"));
            }
            let said = self.said(c);
            let starred = pointer.split('/').any(|s| s == "*");
            // A star speaks for what has no entry of its own; whether that includes lists inside records, and those of
            // them that only hold shortened records, is free.
            let mut sums = [(0, 0, 0); 4];
            let mut texts = 0;
            let mut matched = false;
            for f in found.iter_mut() {
                match f {
                    Found::Cut(cut) if matches(&pointer, &cut.path) => {
                        let inside = inside_record(self.src, &cut.path);
                        if starred && (cut.told && !inside || cut.members && inside) {
                            continue;
                        }
                        matched = true;
                        cut.told = true;
                        for (k, sum) in sums.iter_mut().enumerate() {
                            let only_omitted = k >= 2 && cut.whole + cut.pruned == cut.total;
                            if !starred || (!only_omitted && (k % 2 == 0 || !inside)) {
                                *sum = (sum.0 + cut.total, sum.1 + cut.whole, sum.2 + cut.pruned);
                            }
                        }
                    }
                    Found::Text(path) if matches(&pointer, path) => {
                        matched = true;
                        texts += 1;
                    }
                    _ => {}
                }
            }
            if !starred && matched {
                // Equal keys are one sibling, counts summed: what is whole of it is counted in.
                let (all, lists) = self.siblings(&pointer);
                let cut: u64 = found
                    .iter()
                    .map(|f| match f {
                        Found::Cut(c) if c.path == pointer && !c.members => c.total,
                        _ => 0,
                    })
                    .sum();
                if lists > 1 || texts > 0 {
                    for sum in &mut sums {
                        *sum = (sum.0 + all - cut, sum.1 + all - cut, sum.2);
                    }
                }
            }
            if !self.rules.counts {
                continue;
            }
            let (Some(total), Some(kept)) = (said.total, said.kept) else {
                // A cut string may have nothing but its `next`.
                if texts == 0 {
                    self.problem(format!("L4 the entry {pointer:?} has no total and kept"));
                }
                continue;
            };
            if !matched {
                self.problem(format!("L4 the entry {pointer:?} speaks of nothing that was cut"));
            }
            if kept + said.shrunk + said.offloaded > total {
                self.problem(format!("L4 the entry {pointer:?} does not close"));
            }
            let close = |said: u64, t: u64| said == t || texts > 0 && said >= t && said <= t + texts;
            if !sums.iter().any(|s| close(total, s.0) && close(kept, s.1) && close(said.shrunk, s.2)) {
                self.problem(format!(
                    "L4 the entry {pointer:?} says total {total} kept {kept} shrunk {}, true {sums:?} ({texts} texts)",
                    said.shrunk
                ));
            }
        }
    }

    /// The arrays of the source at one pointer, which are several under equal keys: their elements and their number.
    fn siblings(&self, pointer: &str) -> (u64, usize) {
        let mut here = vec![0];
        for part in pointer.split('/').skip(1) {
            let below = here.iter().flat_map(|&id| self.src.children(id));
            here = below.copied().filter(|&c| segment(&unescape(self.src.key(c))) == part).collect();
        }
        let lists: Vec<usize> = here.into_iter().filter(|&id| self.src.kind(id) == Kind::Array).collect();
        (lists.iter().map(|&id| self.src.children(id).len() as u64).sum(), lists.len())
    }

    /// `None` when `b` is no pruning of `a`; else what was lost.
    fn value(&mut self, a: usize, b: usize, path: &str, place: Place) -> Option<Vec<Found>> {
        if self.src.raw(a) == self.out.raw(b) {
            // What an earlier cut said of a list in it has to be said again, where its mark is written anew.
            let (start, end) = (self.src.nodes[a].start, self.src.nodes[a].end);
            let inside = self.stated.iter().filter(|(id, stated)| {
                let (list, record) = (&self.src.nodes[**id], &self.src.nodes[stated.record]);
                start <= list.start && list.end <= end && record.start < start
            });
            let again = inside.map(|(&id, Stated { path, total, .. })| {
                let (whole, members) = (self.src.children(id).len() as u64, self.src.kind(id) == Kind::Object);
                Found::Cut(Cut { path: path.clone(), total: *total, whole, pruned: 0, members, told: false })
            });
            return Some(again.collect());
        }
        match (self.src.kind(a), self.out.kind(b)) {
            (Kind::Object, Kind::Object) => self.object(a, b, path, place),
            (Kind::Array, Kind::Array) => self.array(a, b, path),
            (Kind::String | Kind::Array, Kind::String) => self.string(a, b, path),
            _ => None,
        }
    }

    fn object(&mut self, a: usize, b: usize, path: &str, place: Place) -> Option<Vec<Found>> {
        let mut mine = self.src.children(a).to_vec();
        let marks = if place == Place::Record && self.rules.marks { record_marks(self.src, a) } else { None };
        let notice = match (&marks, self.out.children(b).first()) {
            // The mark of an earlier cut is no member, and written anew.
            (Some(_), Some(&first)) if is_notice_key(&unescape(self.out.key(first))) => Some(first),
            (Some(_), _) => {
                self.problem(format!("L4 the record {path:?} has lost its mark"));
                None
            }
            (None, _) => self.notice_of(a, b),
        };
        for mark in marks.iter().flatten() {
            let path = format!("{path}{}", mark.pointer);
            self.stated.insert(mark.node, Stated { path, total: mark.total, record: a });
        }
        if marks.is_some() {
            mine.remove(0);
        }
        let theirs = self.out.children(b).to_vec();
        let mut found = vec![];
        let (mut at, mut pruned, mut delivered) = (0, 0, 0);
        for &child in &theirs {
            if Some(child) == notice {
                continue;
            }
            let below = format!("{path}/{}", segment(&unescape(self.out.key(child))));
            // Of equal keys the one that is the same, else the first that this can be a pruning of.
            let named: Vec<usize> =
                (at..mine.len()).filter(|&j| self.src.key(mine[j]) == self.out.key(child)).collect();
            let same = named.iter().copied().find(|&j| self.src.raw(mine[j]) == self.out.raw(child));
            let mut here = None;
            for j in same.into_iter().chain(named) {
                let mark = self.problems.len();
                if let Some(inner) = self.value(mine[j], child, &below, Place::Inside) {
                    here = Some((j, inner));
                    break;
                }
                self.problems.truncate(mark);
            }
            let (j, inner) = here?;
            pruned += u64::from(!inner.is_empty());
            delivered += 1;
            found.extend(inner);
            at = j + 1;
        }
        // The earlier statement of a document that was cut before is written anew, not delivered.
        let stated = marks.is_none()
            && notice.is_some_and(|n| mine.first().is_some_and(|&f| self.src.key(f) == self.out.key(n)));
        let total = self.stated.get(&a).map_or(mine.len() as u64 - u64::from(stated), |s| s.total);
        if delivered < total {
            let whole = delivered - pruned;
            found.push(Found::Cut(Cut { path: path.into(), total, whole, pruned, members: true, told: false }));
        }
        if let (Some(notice), true) = (notice, place != Place::Root) {
            self.settle_record(notice, path, &mut found);
        }
        Some(found)
    }

    /// Holds the mark of a pruned record (`{"/tags":"3 of 10"}`) against what was found in it.
    fn settle_record(&mut self, notice: usize, path: &str, found: &mut [Found]) {
        if self.out.kind(notice) != Kind::Object {
            return;
        }
        let entries: Vec<usize> = self.out.children(notice).to_vec();
        for c in entries {
            let pointer = unescape(self.out.key(c));
            let text = unescape(self.out.raw(c));
            let Some((kept, total)) = k_of_n(&text) else {
                if self.rules.counts || self.rules.marks {
                    self.problem(format!("L4 the mark of the record {path:?} says {text:?} of {pointer:?}"));
                }
                continue;
            };
            let (mut t, mut k, mut w) = (0, 0, 0);
            for f in found.iter_mut() {
                if let Found::Cut(cut) = f {
                    let relative = cut.path.strip_prefix(path).unwrap_or("?");
                    if !cut.told && matches(&pointer, relative) {
                        cut.told = true;
                        t += cut.total;
                        k += cut.whole + cut.pruned;
                        w += cut.whole;
                    }
                }
            }
            if (self.rules.counts || self.rules.marks) && (t != total || (k != kept && w != kept)) {
                self.problem(format!(
                    "L4 the mark of the record {path:?} says {kept} of {total} at {pointer:?}, true {k} of {t}"
                ));
            }
        }
    }

    fn array(&mut self, a: usize, b: usize, path: &str) -> Option<Vec<Found>> {
        let mark = self.problems.len();
        let found = self.assign(a, b, path, true);
        if found.is_some() {
            return found;
        }
        self.problems.truncate(mark);
        self.assign(a, b, path, false)
    }

    /// Each delivered record takes the next input record that it equals (when `same` is asked for), else the next one
    /// that it can be a pruning of.
    fn assign(&mut self, a: usize, b: usize, path: &str, same: bool) -> Option<Vec<Found>> {
        let mine = self.src.children(a).to_vec();
        let mut places: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        if same {
            for (i, &c) in mine.iter().enumerate().rev() {
                places.entry(self.src.raw(c)).or_default().push(i);
            }
        }
        let mut used = vec![false; mine.len()];
        let (mut at, mut whole, mut pruned) = (0, 0, 0);
        let mut found = vec![];
        let mut first = 0; // Where an unordered search starts.
        let mut reserved = vec![None; self.out.children(b).len()];
        if !self.rules.ordered {
            for (k, &child) in self.out.children(b).iter().enumerate() {
                reserved[k] = places.get_mut(self.out.raw(child)).and_then(Vec::pop);
                if let Some(i) = reserved[k] {
                    used[i] = true;
                }
            }
        }
        for (k, &child) in self.out.children(b).iter().enumerate() {
            let mut taken = reserved[k];
            if let (Some(list), true) = (places.get_mut(self.out.raw(child)), self.rules.ordered) {
                while let Some(i) = list.pop() {
                    if i >= at {
                        taken = Some(i);
                        break;
                    }
                }
            }
            if let Some(i) = taken {
                used[i] = true;
                at = i + 1;
                whole += 1;
                continue;
            }
            let from = if self.rules.ordered { at } else { first };
            // A mark that tells the truth of another record says which one it is.
            let mut here: Option<(usize, Vec<Found>)> = None;
            for i in from..mine.len().min(from + 5000) {
                if used[i] {
                    continue;
                }
                let mark = self.problems.len();
                let inner = self.value(mine[i], child, &format!("{path}/{i}"), Place::Record);
                let clean = self.problems.len() == mark;
                self.problems.truncate(mark);
                match inner {
                    Some(inner) if clean => {
                        here = Some((i, inner));
                        break;
                    }
                    Some(inner) if here.is_none() => here = Some((i, inner)),
                    _ => {}
                }
            }
            if let Some((i, _)) = &here {
                // Once more, for the problems it may have.
                let i = *i;
                here = self.value(mine[i], child, &format!("{path}/{i}"), Place::Record).map(|inner| (i, inner));
            }
            let (i, inner) = here?;
            used[i] = true;
            at = i + 1;
            while first < mine.len() && used[first] {
                first += 1;
            }
            if inner.is_empty() {
                whole += 1
            } else {
                pruned += 1
            }
            found.extend(inner);
        }
        let total = self.stated.get(&a).map_or(mine.len() as u64, |s| s.total);
        if whole < total {
            found.push(Found::Cut(Cut { path: path.into(), total, whole, pruned, members: false, told: false }));
        }
        Some(found)
    }

    fn string(&mut self, a: usize, b: usize, path: &str) -> Option<Vec<Found>> {
        let (old, new) = (self.src.raw(a).to_owned(), self.out.raw(b).to_owned());
        let text = |raw: &str| raw[1..raw.len() - 1].to_owned();
        let lost = || Some(vec![Found::Text(path.to_owned())]);
        if labelled(self.src, a, &unescape(&new)) {
            return lost();
        }
        if self.src.kind(a) != Kind::String {
            return None;
        }
        if shortened(&text(&old), &text(&new), true, self.rules.marks) {
            return lost();
        }
        let (old, new) = (unescape(&old), unescape(&new));
        if old == new || !matches!(old.trim_start().bytes().next(), Some(b'{' | b'[')) {
            return None;
        }
        let inside = parse(&old).ok()?;
        // Of a document in a string an earlier cut spoke where it spoke in it.
        let again = may_state_a_cut(&inside);
        let rules = if self.rules.marks { Rules { counts: !again, marks: again, ..self.rules } } else { self.rules };
        let verdict = judge(&inside, &new, rules);
        if verdict.exact {
            return Some(vec![]);
        }
        if verdict.problems.iter().any(|p| !p.starts_with("L4")) {
            return None;
        }
        self.problems.extend(verdict.problems.into_iter().map(|p| format!("{p} (in the string at {path:?})")));
        lost()
    }

    /// Something to look at when no pruning explains the output.
    fn first_difference(&self) -> String {
        let same = self.src.text.bytes().zip(self.out.text.bytes()).take_while(|(a, b)| a == b).count();
        let cut =
            |t: &str| String::from_utf8_lossy(&t.as_bytes()[same.min(t.len())..(same + 60).min(t.len())]).into_owned();
        format!("from byte {same}: {:?} for {:?}", cut(&self.out.text), cut(&self.src.text))
    }
}

/// True when a pointer of a notice speaks of this path: the same, or with `*` for one segment, a last `*` for all
/// below.
fn matches(pointer: &str, path: &str) -> bool {
    if pointer == path {
        return true;
    }
    let p: Vec<&str> = pointer.split('/').collect();
    let q: Vec<&str> = path.split('/').collect();
    let last_star = p.len() > 1 && p.last() == Some(&"*");
    if q.len() < p.len() || (!last_star && q.len() != p.len()) {
        return false;
    }
    p.iter().zip(&q).all(|(x, y)| *x == "*" || x == y)
}

/// True when a path leads through an element of an array.
fn inside_record(doc: &Doc, path: &str) -> bool {
    let mut id = 0;
    for part in path.split('/').skip(1) {
        if doc.kind(id) == Kind::Array {
            return true;
        }
        let Some(next) = doc.children(id).iter().copied().find(|&c| segment(&unescape(doc.key(c))) == part) else {
            return false;
        };
        id = next;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::{Rules, judge};
    use crate::oracle::json::parse;

    fn problems(source: &str, delivered: &str) -> Vec<String> {
        judge(&parse(source).unwrap(), delivered, Rules { ordered: true, counts: true, marks: false }).problems
    }

    #[test]
    fn honest_cuts_pass() {
        for (source, delivered) in [
            ("[1, 2, 3]", "[1,2,3]"),
            ("[1,2,3]", r#"{"total":3,"omitted":1,"next":"rows@2","rows":[1,2]}"#),
            (r#"{"a":[1,2,3],"b":null}"#, r#"{"_omitted":{"/a":{"total":3,"kept":1,"next":"/a@1"}},"a":[1],"b":null}"#),
            (
                r#"[{"t":[1,2,3],"n":{}}]"#,
                r#"{"total":1,"omitted":0,"shrunk":1,"rows":[{"_omitted":{"/t":"1 of 3"},"t":[1],"n":{}}]}"#,
            ),
            (
                r#"[{"t":"abcdefghijklmnopqrstuvwxyz"}]"#,
                r#"{"total":1,"omitted":0,"shrunk":1,"rows":[{"t":"abc…[23 chars omitted]…"}]}"#,
            ),
            (r#"[{"a":1,"b":2}]"#, r#"{"total":1,"omitted":0,"shrunk":1,"rows":[{"_omitted":{"":"1 of 2"},"b":2}]}"#),
            (
                r#"["[1,2,3]"]"#,
                r#"{"total":1,"omitted":0,"shrunk":1,"rows":["{\"total\":3,\"omitted\":2,\"rows\":[1]}"]}"#,
            ),
        ] {
            assert_eq!(problems(source, delivered), Vec::<String>::new(), "{delivered}");
        }
    }

    #[test]
    fn every_lie_is_found() {
        for (source, delivered) in [
            ("[1,2,3]", r#"{"total":3,"omitted":1,"rows":[1,4]}"#),
            ("[1,2,3]", r#"{"total":3,"omitted":1,"rows":[2,1]}"#),
            ("[1,2,3]", r#"{"total":4,"omitted":2,"rows":[1,2]}"#),
            ("[1,2,3]", r#"{"total":3,"omitted":1,"rows":[1]}"#),
            ("[1,2,3]", "[1,2]"),
            ("[1.0,2]", "[1,2]"),
            ("[12,3]", "[123]"),
            (r#"{"a":[1,2,3],"b":null}"#, r#"{"_omitted":{"/a":{"total":3,"kept":1}},"a":[1]}"#),
            (r#"{"a":[1,2,3]}"#, r#"{"_omitted":{"/a":{"total":3,"kept":2}},"a":[1]}"#),
            (r#"[{"t":[1,2,3]}]"#, r#"{"total":1,"omitted":0,"rows":[{"t":[1]}]}"#),
            (r#"[{"t":[1,2,3]}]"#, r#"{"total":1,"omitted":0,"shrunk":1,"rows":[{"t":[1]}]}"#),
            (
                r#"[{"t":"abcdefghijklmnopqrstuvwxyz"}]"#,
                r#"{"total":1,"omitted":0,"shrunk":1,"rows":[{"t":"abc…[24 chars omitted]…"}]}"#,
            ),
            (r#"[{"a":[]},2]"#, r#"{"total":2,"omitted":1,"shrunk":1,"rows":[{}]}"#),
            (r#"["\ud800"]"#, r#"["\ufffd"]"#),
        ] {
            assert_ne!(problems(source, delivered), Vec::<String>::new(), "{delivered}");
        }
    }

    #[test]
    fn second_cuts_are_held_to_the_marks_of_the_first() {
        let again = |source: &str, delivered: &str| {
            judge(&parse(source).unwrap(), delivered, Rules { ordered: true, counts: false, marks: true }).problems
        };
        let source = r#"{"total":9,"omitted":7,"shrunk":1,"rows":[{"_omitted":{"/t":"4 of 9"},"t":[1,2,3,4],"x":"abcdefghijklmnopqrstuvwxyz"},{"id":2}]}"#;
        let rows = |rows: &str| format!(r#"{{"total":9,"omitted":7,"shrunk":1,"next":"rows@2","rows":[{rows}]}}"#);
        for good in [
            r#"{"_omitted":{"":"0 of 2"}},{"id":2}"#,
            r#"{"_omitted":{"/t":"1 of 9"},"t":[1],"x":"abcdefghijklmnopqrstuvwxyz"},{"id":2}"#,
            r#"{"_omitted":{"/t":"4 of 9"},"t":[1,2,3,4],"x":"abc…[23 chars omitted]…"},{"id":2}"#,
            r#"{"_omitted":{"":"1 of 2","/t":"4 of 9"},"t":[1,2,3,4]},{"id":2}"#,
        ] {
            assert_eq!(again(source, &rows(good)), Vec::<String>::new(), "{good}");
        }
        for lie in [
            r#"{"_omitted":{"":"0 of 3"}},{"id":2}"#,
            r#"{"_omitted":{"/t":"1 of 4"},"t":[1],"x":"abcdefghijklmnopqrstuvwxyz"},{"id":2}"#,
            r#"{"t":[1,2,3,4],"x":"abc…[23 chars omitted]…"},{"id":2}"#,
            r#"{"_omitted":{"":"1 of 2"},"t":[1,2,3,4]},{"id":2}"#,
            r#"{"_omitted":{"/t":"4 of 9"},"t":[1,2,3],"x":"abcdefghijklmnopqrstuvwxyz"},{"id":2}"#,
        ] {
            assert_ne!(again(source, &rows(lie)), Vec::<String>::new(), "{lie}");
        }
    }
}
