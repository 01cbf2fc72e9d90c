//! What an earlier cut said in the text: read at its one place, in exactly our grammar, and only when it closes.
//!
//! Numbers are carried on, never words: a forged notice puts no text into ours.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use super::fill::{Place, free_name};
use super::view::View;
use crate::account::Counts;
use crate::json::{Child, Children, Kind, Node, Pattern, decode_key, resolve};
use crate::wording;

/// The largest number a statement may hold.
const LARGEST: u64 = 1 << 53;

/// Statements of an earlier cut that closed.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    any: bool,
    root_is_ours: bool,
    /// Totals and shrunk records by decoded path.
    lists: BTreeMap<String, (usize, usize)>,
    /// Sum entries by the decoded path of their object.
    stars: BTreeMap<String, Star>,
    /// Where the maps that were cut start: objects that count as lists.
    maps: Vec<usize>,
    /// Source bytes of each string that was shortened.
    strings: Vec<usize>,
    pub(crate) claimed: Option<Counts>,
}

/// A sum entry: what it says is missing, and the lists (by their place in the object) it sums.
#[derive(Debug)]
pub(crate) struct Star {
    pub(crate) missing: usize,
    pub(crate) members: Vec<usize>,
}

/// The envelope of a root array that was cut, or a page of it.
#[derive(Debug)]
pub(crate) struct Stated {
    pub(crate) list: Option<String>,
    pub(crate) rows: Node,
    pub(crate) total: usize,
    pub(crate) from: usize,
    pub(crate) is_map: bool,
}

impl Marks {
    pub(crate) const fn none() -> Self {
        Marks {
            any: false,
            root_is_ours: false,
            lists: BTreeMap::new(),
            stars: BTreeMap::new(),
            maps: Vec::new(),
            strings: Vec::new(),
            claimed: None,
        }
    }

    /// An earlier cut spoke outside the document: marks inside records are ours.
    pub(crate) fn in_records() -> Self {
        Marks { any: true, ..Marks::none() }
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
                let (node, used) = resolve(text, view.scan, &names)?;
                if used < names.len() {
                    return None;
                }
                let held = match node.kind(text) {
                    Kind::Array => node.count,
                    Kind::Object => Children::new(text, view.scan, &node).count() - usize::from(path.is_empty()),
                    Kind::String => 1,
                    Kind::Scalar => return None,
                };
                if held != kept.checked_add(shrunk)? || count_marked(view, &node, shrunk) < shrunk {
                    return None;
                }
                match node.kind(text) {
                    Kind::String => marks.strings.push(node.end - node.start),
                    kind => {
                        if kind == Kind::Object {
                            marks.maps.push(node.start);
                        }
                        marks.lists.insert(path, (total, shrunk));
                    }
                }
            } else if let Some(parent) = parent {
                // Our notice never names a path twice.
                if marks.stars.contains_key(parent) {
                    return None;
                }
                let pattern = Pattern::parse(parent, "earlier").ok()?;
                let Some(names) = pattern.names() else { continue };
                let (node, used) = resolve(text, view.scan, &names)?;
                if used < names.len() || node.kind(text) != Kind::Object {
                    continue;
                }
                let lists: Vec<(usize, usize)> = Children::new(text, view.scan, &node)
                    .enumerate()
                    .filter(|(_, c)| c.node.kind(text) == Kind::Array)
                    .map(|(i, c)| (i, c.node.count))
                    .collect();
                let members = summed(&lists, kept.checked_add(shrunk)?)?;
                marks.stars.insert(String::from(parent), Star { missing: omitted, members });
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

    /// Reads a root object that is exactly our envelope.
    pub(crate) fn read_envelope(view: &View<'_>) -> Option<(Stated, Marks)> {
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
        if at + 1 != members.len() || !(is_map || rows.kind(text) == Kind::Array) || (is_map && list.is_none()) {
            return None;
        }
        let held = Children::new(text, view.scan, &rows).count();
        if total.checked_sub(omitted)?.checked_sub(offloaded)? != held
            || from.checked_add(held)? > total
            || count_marked(view, &rows, shrunk) < shrunk
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
        let marks = Marks { any: true, claimed: Some(claimed), ..Marks::default() };
        Some((Stated { list, rows, total, from, is_map }, marks))
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
            Some("") => !self.record_marks(view, node).is_empty(),
            Some(_) => false,
        }
    }

    /// Totals by relative (decoded) pointer that the mark of a record states, when it is one and closes.
    pub(crate) fn record_marks(&self, view: &View<'_>, node: &Node) -> Vec<(String, usize)> {
        if !self.any || node.kind(view.text) != Kind::Object {
            return Vec::new();
        }
        read_record(view, node).unwrap_or_default()
    }

    /// The stated total of the list at a raw path outside records.
    pub(crate) fn total(&self, path: &str) -> Option<usize> {
        if self.lists.is_empty() {
            return None;
        }
        self.lists.get(&wording::decoded(path)).map(|l| l.0)
    }

    /// What was stated of lists outside records: decoded path, total, shrunk.
    pub(crate) fn lists(&self) -> impl Iterator<Item = (&str, usize, usize)> {
        self.lists.iter().map(|(path, (total, shrunk))| (path.as_str(), *total, *shrunk))
    }

    /// The stated total of the list at a decoded path.
    pub(crate) fn total_of(&self, path: &str) -> Option<usize> {
        self.lists.get(path).map(|l| l.0)
    }

    /// Whether an earlier cut treated the object that starts here as a map.
    pub(crate) fn is_map(&self, start: usize) -> bool {
        self.maps.binary_search(&start).is_ok()
    }

    /// Source bytes of each string that an earlier cut shortened.
    pub(crate) fn strings(&self) -> &[usize] {
        &self.strings
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
fn summed(lists: &[(usize, usize)], held: usize) -> Option<Vec<usize>> {
    const MOST: usize = 12;
    let names = |pick: &dyn Fn(usize) -> bool| {
        lists.iter().enumerate().filter(|(i, l)| l.1 == 0 || pick(*i)).map(|(_, l)| l.0).collect()
    };
    if held == 0 {
        return Some(names(&|_| false));
    }
    if lists.iter().map(|l| l.1).fold(0, usize::saturating_add) == held {
        return Some(names(&|_| true));
    }
    let full: Vec<usize> = (0..lists.len()).filter(|&i| lists.get(i).is_some_and(|l| l.1 > 0)).collect();
    if full.len() > MOST {
        return None;
    }
    // At most 4,095 sums of at most 12 numbers, whatever else stands in the object.
    let sizes: Vec<usize> = full.iter().filter_map(|&i| lists.get(i)).map(|l| l.1).collect();
    let mut found = None;
    for choice in 1..1usize << sizes.len() {
        let chosen = sizes.iter().enumerate().filter(|(bit, _)| choice >> bit & 1 == 1);
        let sum = chosen.fold(0usize, |sum, (_, n)| sum.saturating_add(*n));
        if sum == held && found.replace(choice).is_some() {
            return None;
        }
    }
    let choice = found?;
    Some(names(&|i| full.iter().position(|&f| f == i).is_some_and(|bit| choice >> bit & 1 == 1)))
}

/// A mark of ours stands in this record.
pub(crate) fn is_marked(raw: &str) -> bool {
    [" omitted]", "omitted\":{\"", "\"[list, ", "omitted\\\":{", "{\\\"total\\\":"].iter().any(|m| raw.contains(m))
}

fn count_marked(view: &View<'_>, node: &Node, expected: usize) -> usize {
    if expected == 0 || !matches!(node.kind(view.text), Kind::Array | Kind::Object) {
        return expected;
    }
    Children::new(view.text, view.scan, node).filter(|c| is_marked(c.node.raw(view.text))).count()
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

fn read_record(view: &View<'_>, node: &Node) -> Option<Vec<(String, usize)>> {
    let text = view.text;
    let mut members = Children::new(text, view.scan, node);
    let first = members.next()?;
    if first.node.kind(text) != Kind::Object || decode_key(first.key_raw(text)) != free_name(view, node, true) {
        return None;
    }
    let mut found = Vec::new();
    for entry in Children::new(text, view.scan, &first.node) {
        let rel = decode_key(entry.key_raw(text));
        let (kept, total) = wording::read_mark(&decode_key(entry.node.raw(text)))?;
        let mut at = *node;
        for name in Pattern::parse(&rel, "earlier").ok()?.names()? {
            at = Children::new(text, view.scan, &at).find(|c| decode_key(c.key_raw(text)) == name)?.node;
        }
        let held = Children::new(text, view.scan, &at).count() - usize::from(rel.is_empty());
        if held != kept {
            return None;
        }
        found.push((rel, total));
    }
    Some(found)
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
