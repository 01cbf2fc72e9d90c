//! What an earlier cut said in the text: read at its one place, in exactly our grammar, and only when it closes.
//!
//! Numbers are carried on, never words: a forged notice puts no text into ours.

use alloc::collections::BTreeMap;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::RefCell;

use super::fill::{Place, free_name};
use super::index::{Index, Way};
use super::string_page::Held;
use super::view::View;
use crate::account::Counts;
use crate::json::{Child, Children, Kind, Node, Pattern, decode_key};
use crate::wording;

/// The largest number a statement may hold.
const LARGEST: u64 = 1 << 53;

/// Statements of an earlier cut that closed.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    any: bool,
    root_is_ours: bool,
    /// By decoded path.
    lists: BTreeMap<String, StatedList>,
    /// Strings that were shortened, by decoded path; those under equal keys are lists.
    strings: BTreeMap<String, Way>,
    /// Sum entries by the decoded path of their object.
    stars: BTreeMap<String, Star>,
    /// Where the maps that were cut start: objects that count as lists.
    maps: Vec<usize>,
    pub(crate) claimed: Option<Counts>,
    /// The record that was read last, by where it starts: a search prunes it many times.
    last_record: RefCell<Option<(usize, Rc<RecordMarks>)>>,
}

/// What an entry says of one list outside records.
#[derive(Debug)]
pub(crate) struct StatedList {
    /// More than one where the list is several, under equal keys.
    pub(crate) ways: Vec<Way>,
    /// Records in this text.
    pub(crate) held: usize,
    pub(crate) total: usize,
    pub(crate) shrunk: usize,
}

/// A sum entry: what it says is missing, and the lists (by where they start) it sums.
#[derive(Debug)]
pub(crate) struct Star {
    /// To its object; more than one where that is several, under equal keys.
    pub(crate) ways: Vec<Way>,
    pub(crate) missing: usize,
    pub(crate) members: Vec<usize>,
}

impl Star {
    /// Whether it sums this list.
    pub(crate) fn sums(&self, list: &Node) -> bool {
        self.members.binary_search(&list.start).is_ok()
    }
}

/// The envelope of a root array that was cut, or a page of it.
#[derive(Debug)]
pub(crate) struct Stated {
    pub(crate) list: Option<String>,
    pub(crate) rows: Node,
    pub(crate) total: usize,
    pub(crate) from: usize,
    pub(crate) shrunk: usize,
    pub(crate) is_map: bool,
}

/// What the mark of a record says of one list in it, or of its own members.
#[derive(Clone, Debug)]
pub(crate) struct RecordMark {
    /// Pointer relative to the record, decoded.
    pub(crate) rel: String,
    pub(crate) total: usize,
    pub(crate) way: Way,
}

/// The mark of a record as it was read: in its own order, and to be looked up by relative pointer.
#[derive(Clone, Debug)]
pub(crate) struct RecordMarks {
    pub(crate) said: Vec<RecordMark>,
    by_rel: Vec<usize>,
    /// What the marks take at their widest, all together and by the member of the record that they speak of (by where
    /// it starts, ascending).
    pub(crate) widest: usize,
    by_member: Vec<(usize, usize)>,
}

impl RecordMarks {
    pub(crate) const fn none() -> Self {
        RecordMarks { said: Vec::new(), by_rel: Vec::new(), widest: 0, by_member: Vec::new() }
    }

    /// What the marks of the member that starts here take at their widest.
    pub(crate) fn of_member(&self, start: usize) -> usize {
        let at = self.by_member.partition_point(|m| m.0 < start);
        self.by_member.get(at..).unwrap_or_default().iter().take_while(|m| m.0 == start).map(|m| m.1).sum()
    }

    /// The total that was stated at this relative (decoded) pointer.
    pub(crate) fn total(&self, rel: &str) -> Option<usize> {
        let of = |i: usize| self.said.get(i).map_or("", |m| m.rel.as_str());
        let at = self.by_rel.partition_point(|&i| of(i) < rel);
        self.by_rel.get(at).and_then(|&i| self.said.get(i)).filter(|m| m.rel == rel).map(|m| m.total)
    }
}

impl Marks {
    pub(crate) const fn none() -> Self {
        Marks {
            any: false,
            root_is_ours: false,
            lists: BTreeMap::new(),
            strings: BTreeMap::new(),
            stars: BTreeMap::new(),
            maps: Vec::new(),
            claimed: None,
            last_record: RefCell::new(None),
        }
    }

    /// Of a record alone: an earlier cut spoke outside of it, and marks in it are ours, or it did not.
    pub(crate) fn in_record(cut_before: bool) -> Self {
        Marks { any: cut_before, ..Marks::none() }
    }

    /// Reads the first member of a root object; nothing unless every number closes against what follows.
    pub(crate) fn read(view: &View<'_>) -> Self {
        Marks::read_root(view).unwrap_or_default()
    }

    fn read_root(view: &View<'_>) -> Option<Marks> {
        let root = view.scan.root;
        let text = view.text;
        if root.kind(text) != Kind::Object {
            return None;
        }
        let first = Children::new(text, view.scan, &root).next()?;
        if decode_key(first.key_raw(text)) != free_name(view, &root, true) || first.node.kind(text) != Kind::Object {
            return None;
        }
        let mut marks = Marks { any: true, root_is_ours: true, ..Marks::default() };
        let mut claimed = Counts::default();
        let mut said = false;
        let mut index = Index::new(view);
        for entry in Children::new(text, view.scan, &first.node) {
            let path = decode_key(entry.key_raw(text));
            if path == "hint" && entry.node.kind(text) == Kind::String {
                continue;
            }
            let (total, kept, shrunk, offloaded) = read_counts(view, &entry.node)?;
            said = true;
            let omitted = total.checked_sub(kept.checked_add(shrunk)?.checked_add(offloaded)?)?;
            let parent = path.strip_suffix("/*");
            let pattern = Pattern::parse(&path, "earlier").ok()?;
            if let Some(names) = pattern.names() {
                // Our notice never names a path twice.
                if marks.lists.contains_key(&path) || marks.strings.contains_key(&path) {
                    return None;
                }
                let ways = index.ways(&root, &names)?;
                let held = kept.checked_add(shrunk)?;
                let marked = |way: &Way| count_marked(view, &way.node, shrunk);
                if !closes(text, &ways, held) || ways.iter().map(marked).fold(0, usize::saturating_add) < shrunk {
                    return None;
                }
                match ways.as_slice() {
                    [way] if way.node.kind(text) == Kind::String => {
                        marks.strings.insert(path, way.clone());
                    }
                    _ => {
                        let maps = ways.iter().filter(|way| way.node.kind(text) == Kind::Object);
                        marks.maps.extend(maps.map(|way| way.node.start));
                        marks.lists.insert(path, StatedList { ways, held, total, shrunk });
                    }
                }
            } else if let Some(parent) = parent {
                // Our notice never names a path twice.
                if marks.stars.contains_key(parent) {
                    return None;
                }
                let pattern = Pattern::parse(parent, "earlier").ok()?;
                let Some(names) = pattern.names() else { continue };
                let mut ways = index.ways(&root, &names)?;
                ways.retain(|way| way.node.kind(text) == Kind::Object);
                if ways.is_empty() {
                    continue;
                }
                let lists: Vec<(usize, usize)> = (ways.iter())
                    .flat_map(|way| Children::new(text, view.scan, &way.node))
                    .filter(|c| c.node.kind(text) == Kind::Array)
                    .map(|c| (c.node.start, c.node.count))
                    .collect();
                let members = summed(&lists, kept.checked_add(shrunk)?)?;
                marks.stars.insert(String::from(parent), Star { ways, missing: omitted, members });
            } else {
                // A pattern inside records is computed anew from the marks.
                continue;
            }
            claimed.add(&Counts {
                total: total as u64,
                kept: kept as u64,
                shrunk: shrunk as u64,
                offloaded: offloaded as u64,
                omitted: omitted as u64,
            });
        }
        if !said || claimed.total >= LARGEST {
            return None;
        }
        if claimed.total > 0 {
            marks.claimed = Some(claimed);
        }
        marks.maps.sort_unstable();
        Some(marks)
    }

    /// Reads a root object that is exactly our envelope of records.
    pub(crate) fn read_envelope(view: &View<'_>) -> Option<(Stated, Marks)> {
        Marks::read_enveloped(view, false)
    }

    /// Reads a root object that is exactly our envelope of a piece of a string.
    pub(crate) fn read_string_page(view: &View<'_>) -> Option<(Stated, Marks)> {
        Marks::read_enveloped(view, true)
    }

    fn read_enveloped(view: &View<'_>, of_string: bool) -> Option<(Stated, Marks)> {
        let (root, text) = (view.scan.root, view.text);
        if root.kind(text) != Kind::Object || root.count < 3 || root.count > 16 {
            return None;
        }
        let members: Vec<Child> = Children::new(text, view.scan, &root).collect();
        let mut at = 0;
        let mut take = |name: &str, kind: Kind| -> Option<Node> {
            let child = members.get(at)?;
            if child.key_raw(text).get(1..child.key_raw(text).len() - 1) != Some(name) || child.node.kind(text) != kind
            {
                return None;
            }
            at += 1;
            Some(child.node)
        };
        let list = take("list", Kind::String).map(|n| {
            let raw = n.raw(text);
            String::from(raw.get(1..raw.len() - 1).unwrap_or_default())
        });
        let total = number(take("total", Kind::Scalar)?.raw(text))?;
        let omitted = number(take("omitted", Kind::Scalar)?.raw(text))?;
        let mut optional = |name: &str| match take(name, Kind::Scalar) {
            Some(n) => number(n.raw(text)),
            None => Some(0),
        };
        let shrunk = optional("shrunk")?;
        let offloaded = optional("offloaded")?;
        let from = optional("from")?;
        for name in ["next", "hint", "source"] {
            let _ = take(name, Kind::String);
        }
        let _ = take("_omitted", Kind::Object);
        let _ = take("select", Kind::Array);
        let is_map = members.get(at).is_some_and(|c| c.node.kind(text) == Kind::Object);
        let rows = members.get(at).filter(|c| c.key_raw(text) == "\"rows\"")?.node;
        let kind = if of_string { Kind::String } else { Kind::Array };
        if at + 1 != members.len()
            || !(is_map && !of_string || rows.kind(text) == kind)
            || ((is_map || of_string) && list.is_none())
        {
            return None;
        }
        let (held, partial) = if of_string {
            let held = Held::page(rows.raw(text), from, total, shrunk);
            (held.lines(), held.partial())
        } else {
            (rows.count, count_marked(view, &rows, shrunk))
        };
        if total.checked_sub(omitted)?.checked_sub(offloaded)? != held
            || from.checked_add(held)? > total
            || partial < shrunk
        {
            return None;
        }
        let claimed = Counts {
            total: total as u64,
            kept: (held - shrunk) as u64,
            shrunk: shrunk as u64,
            offloaded: offloaded as u64,
            omitted: omitted as u64,
        };
        // Where no record was shortened, a mark in one is data.
        let marks = Marks { any: shrunk > 0, claimed: Some(claimed), ..Marks::default() };
        Some((Stated { list, rows, total, from, shrunk, is_map }, marks))
    }

    /// An earlier cut spoke, so that marks inside records are marks.
    pub(crate) const fn any(&self) -> bool {
        self.any
    }

    /// Whether the first member of this object is a notice of ours.
    pub(crate) fn is_ours(&self, view: &View<'_>, node: &Node, place: &Place) -> bool {
        if !self.any {
            return false;
        }
        match place.rel.as_deref() {
            None => place.path.is_empty() && self.root_is_ours,
            Some("") => !self.record_marks(view, node).said.is_empty(),
            Some(_) => false,
        }
    }

    /// What the mark of a record states, when it is one and closes.
    pub(crate) fn record_marks(&self, view: &View<'_>, node: &Node) -> Rc<RecordMarks> {
        if !self.any || node.kind(view.text) != Kind::Object {
            return Rc::new(RecordMarks::none());
        }
        let mut last = self.last_record.borrow_mut();
        if let Some((start, marks)) = last.as_ref()
            && *start == node.start
        {
            return marks.clone();
        }
        let marks = Rc::new(read_record(view, node).unwrap_or_else(RecordMarks::none));
        *last = Some((node.start, marks.clone()));
        marks
    }

    /// The stated total of the list at a raw path outside records.
    pub(crate) fn total(&self, path: &str) -> Option<usize> {
        if self.lists.is_empty() {
            return None;
        }
        self.lists.get(&wording::decoded(path)).map(|l| l.total)
    }

    /// What was stated of lists outside records, by decoded path.
    pub(crate) fn lists(&self) -> impl Iterator<Item = (&str, &StatedList)> {
        self.lists.iter().map(|(path, list)| (path.as_str(), list))
    }

    /// What was stated of the list at a decoded path.
    pub(crate) fn list(&self, path: &str) -> Option<&StatedList> {
        self.lists.get(path)
    }

    /// Strings outside records that were shortened, by decoded path.
    pub(crate) fn strings(&self) -> impl Iterator<Item = (&str, &Way)> {
        self.strings.iter().map(|(path, way)| (path.as_str(), way))
    }

    /// Whether the string at a raw path was shortened.
    pub(crate) fn string(&self, path: &str) -> bool {
        !self.strings.is_empty() && self.strings.contains_key(&wording::decoded(path))
    }

    /// The stated total of the list at a decoded path.
    pub(crate) fn total_of(&self, path: &str) -> Option<usize> {
        self.lists.get(path).map(|l| l.total)
    }

    /// Whether an earlier cut treated the object that starts here as a map.
    pub(crate) fn is_map(&self, start: usize) -> bool {
        self.maps.binary_search(&start).is_ok()
    }

    /// Sum entries by the decoded path of their object.
    pub(crate) const fn stars(&self) -> &BTreeMap<String, Star> {
        &self.stars
    }

    /// What the sum entry of the object at a raw path says is missing beyond what stands in the text.
    pub(crate) fn star(&self, path: &str) -> Option<&Star> {
        if self.stars.is_empty() {
            return None;
        }
        self.stars.get(&wording::decoded(path))
    }

    /// Whether a record was shortened by an earlier cut: it carries a mark, or a marker stands in it.
    pub(crate) fn is_marked(&self, raw: &str) -> bool {
        self.any && is_marked(raw)
    }
}

/// The lists that a sum entry with `held` records sums: none that hold anything, all, or the only choice there is.
/// Where there are several choices, or too many lists to try them, what is missing is known and of which lists is not:
/// then none. `None` where no choice holds that many.
fn summed(lists: &[(usize, usize)], held: usize) -> Option<Vec<usize>> {
    const MOST: usize = 12;
    let names = |pick: &dyn Fn(usize) -> bool| {
        lists.iter().enumerate().filter(|(i, l)| l.1 == 0 || pick(*i)).map(|(_, l)| l.0).collect()
    };
    if held == 0 {
        return Some(names(&|_| false));
    }
    let all = lists.iter().map(|l| l.1).fold(0, usize::saturating_add);
    if all <= held {
        return (all == held).then(|| names(&|_| true));
    }
    let full: Vec<usize> = (0..lists.len()).filter(|&i| lists.get(i).is_some_and(|l| l.1 > 0)).collect();
    if full.len() > MOST {
        return Some(names(&|_| false));
    }
    // At most 4,095 sums of at most 12 numbers, whatever else stands in the object.
    let sizes: Vec<usize> = full.iter().filter_map(|&i| lists.get(i)).map(|l| l.1).collect();
    let mut found = None;
    for choice in 1..1usize << sizes.len() {
        let chosen = sizes.iter().enumerate().filter(|(bit, _)| choice >> bit & 1 == 1);
        let sum = chosen.fold(0usize, |sum, (_, n)| sum.saturating_add(*n));
        if sum == held && found.replace(choice).is_some() {
            return Some(names(&|_| false));
        }
    }
    let choice = found?;
    Some(names(&|i| full.iter().position(|&f| f == i).is_some_and(|bit| choice >> bit & 1 == 1)))
}

/// Whether what stands at these ways holds that many records. Equal keys are one list, of all the arrays among them;
/// objects that were cut as maps and strings cut on their lines are of it too.
fn closes(text: &str, ways: &[Way], held: usize) -> bool {
    let (mut arrays, mut members, mut strings) = (0usize, 0usize, 0usize);
    for way in ways {
        match way.node.kind(text) {
            Kind::Array => arrays += way.node.count,
            // Our notice stands in the root alone, and is no member.
            Kind::Object => members += way.node.count - usize::from(way.steps.is_empty()),
            Kind::String => strings += 1,
            Kind::Scalar => {}
        }
    }
    match (ways, held.checked_sub(arrays)) {
        ([way], _) => held == arrays + members + strings && way.node.kind(text) != Kind::Scalar,
        (_, None) => false,
        (_, Some(rest)) => rest <= strings || rest.checked_sub(members).is_some_and(|rest| rest <= strings),
    }
}

/// The rows of an envelope around what was salvaged of a root array. It has no numbers to carry on.
pub(crate) fn salvaged_rows(view: &View<'_>) -> Option<Node> {
    let text = view.text;
    let mut members = Children::new(text, view.scan, &view.scan.root).peekable();
    for (name, word) in [("\"total\"", "null"), ("\"omitted\"", "null"), ("\"malformed_at\"", "")] {
        let child = members.next().filter(|c| c.key_raw(text) == name)?;
        if child.node.raw(text) != word && (!word.is_empty() || number(child.node.raw(text)).is_none()) {
            return None;
        }
    }
    members.last().filter(|c| c.key_raw(text) == "\"rows\"" && c.node.kind(text) == Kind::Array).map(|c| c.node)
}

/// Whether the first member of a root object says that something in it broke off.
pub(crate) fn says_what_broke(view: &View<'_>) -> bool {
    let (root, text) = (view.scan.root, view.text);
    let Some(first) = Children::new(text, view.scan, &root).next() else { return false };
    let ours = root.kind(text) == Kind::Object && decode_key(first.key_raw(text)) == free_name(view, &root, true);
    let broke = |entry: Child| {
        let is = |name: &str, word: fn(&str) -> bool| {
            Children::new(text, view.scan, &entry.node).any(|c| c.key_raw(text) == name && word(c.node.raw(text)))
        };
        entry.node.kind(text) == Kind::Object
            && is("\"total\"", |raw| raw == "null")
            && is("\"malformed_at\"", |raw| number(raw).is_some())
    };
    ours && first.node.kind(text) == Kind::Object && Children::new(text, view.scan, &first.node).any(broke)
}

/// A mark of ours stands in this record.
pub(crate) fn is_marked(raw: &str) -> bool {
    [" omitted]", "omitted\":{\"", "\"[list, ", "omitted\\\":{", "{\\\"total\\\":"].iter().any(|m| raw.contains(m))
}

fn count_marked(view: &View<'_>, node: &Node, expected: usize) -> usize {
    if expected == 0 || !matches!(node.kind(view.text), Kind::Array | Kind::Object) {
        return expected;
    }
    Children::new(view.text, view.scan, node).filter(|c| is_marked(c.node.raw(view.text))).take(expected).count()
}

fn number(raw: &str) -> Option<usize> {
    let plain = raw.bytes().all(|b| b.is_ascii_digit());
    raw.parse().ok().filter(|n| plain && (*n as u64) < LARGEST)
}

/// `{"total":T,"kept":K[,"shrunk":S][,"offloaded":F][,"next":C]}`, in this order and nothing else.
fn read_counts(view: &View<'_>, node: &Node) -> Option<(usize, usize, usize, usize)> {
    if node.kind(view.text) != Kind::Object {
        return None;
    }
    let mut members = Children::new(view.text, view.scan, node).peekable();
    let mut take = |name: &str| -> Option<Option<usize>> {
        if members.peek().is_some_and(|c| c.key_raw(view.text) == name) {
            return Some(Some(number(members.next()?.node.raw(view.text))?));
        }
        Some(None)
    };
    let total = take("\"total\"")??;
    let kept = take("\"kept\"")??;
    let shrunk = take("\"shrunk\"")?.unwrap_or(0);
    let offloaded = take("\"offloaded\"")?.unwrap_or(0);
    if let Some(next) = members.next()
        && (next.key_raw(view.text) != "\"next\"" || next.node.kind(view.text) != Kind::String)
    {
        return None;
    }
    members.next().is_none().then_some((total, kept, shrunk, offloaded))
}

fn read_record(view: &View<'_>, node: &Node) -> Option<RecordMarks> {
    let text = view.text;
    let mut members = Children::new(text, view.scan, node);
    let first = members.next()?;
    if first.node.kind(text) != Kind::Object || decode_key(first.key_raw(text)) != free_name(view, node, true) {
        return None;
    }
    let mut index = Index::new(view);
    let mut said: Vec<RecordMark> = Vec::new();
    for entry in Children::new(text, view.scan, &first.node) {
        let rel = decode_key(entry.key_raw(text));
        let (kept, total) = wording::read_mark(&decode_key(entry.node.raw(text)))?;
        let way = index.way(node, &Pattern::parse(&rel, "earlier").ok()?.names()?)?;
        if way.node.count - usize::from(rel.is_empty()) != kept {
            return None;
        }
        said.push(RecordMark { rel, total, way });
    }
    let mut by_rel: Vec<usize> = (0..said.len()).collect();
    by_rel.sort_by(|&a, &b| said.get(a).map(|m| &m.rel).cmp(&said.get(b).map(|m| &m.rel)));
    let cost = |m: &RecordMark| view.size_of_ours(&wording::mark_widest(&m.rel, m.total));
    let widest = said.iter().map(cost).sum();
    let members = said.iter().filter_map(|m| m.way.steps.first().map(|step| (step.start, cost(m))));
    let mut by_member: Vec<(usize, usize)> = members.collect();
    by_member.sort_unstable();
    Some(RecordMarks { said, by_rel, widest, by_member })
}

/// The marker of an earlier cut inside a string: its span, the scalar values and the lines it says are missing. Where
/// several could be it, the one that speaks of most is: the others were there when it was written.
pub(crate) fn marker_in(text: &str) -> Option<(usize, usize, usize, usize)> {
    let ends = text.match_indices(MARKER_END).map(|(end, _)| end);
    ends.filter_map(|end| marker_at(text, end)).reduce(|best, next| if next.2 > best.2 { next } else { best })
}

const MARKER_END: &str = " chars omitted]";

/// The marker that ends at `end`, if one does.
fn marker_at(text: &str, end: usize) -> Option<(usize, usize, usize, usize)> {
    let head = text.get(..end)?;
    // A marker is short: no need to look far.
    let near = head.len().saturating_sub(80);
    let start = near + head.as_bytes().get(near..)?.iter().rposition(|b| *b == b'[')?;
    let inner = head.get(start + 1..)?;
    let stop = end + MARKER_END.len();
    if let Some(chars) = number(inner) {
        // `…[N chars omitted]…`
        let from = head.get(..start)?.strip_suffix('…')?.len();
        let to = stop + text.get(stop..)?.strip_prefix('…').map(|_| '…'.len_utf8())?;
        return Some((from, to, chars, 0));
    }
    let (lines, chars) = inner.split_once(" lines, ")?;
    let (gone, of) = wording::read_mark(lines)?;
    let chars = number(chars)?;
    // The line breaks around it are ours too.
    let from = head.get(..start)?.strip_suffix('\n').map_or(start, str::len);
    let to = stop + usize::from(text.as_bytes().get(stop) == Some(&b'\n'));
    (gone <= of && chars > 0).then_some((from, to, chars, gone))
}
