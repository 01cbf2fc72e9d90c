//! What an earlier cut of ours says in a document, read from the contract's words: where a statement may stand, and
//! which sums have to close. What does not close is data.

use crate::oracle::json::{Doc, Kind, unescape};
use crate::oracle::markers::k_of_n;

/// One line of the mark of a record: of which list (or of the record's own members, under the empty pointer), and how
/// many of how many of its records are here.
#[derive(Clone, Debug)]
pub struct RecordMark {
    /// Relative to the record.
    pub pointer: String,
    /// The list, or the record itself.
    pub node: usize,
    /// Here.
    pub kept: u64,
    /// Of the original.
    pub total: u64,
}

/// `_omitted`, or with more `_` in front.
pub fn is_notice_key(key: &str) -> bool {
    key.starts_with('_') && key.trim_start_matches('_') == "omitted"
}

/// True for an object with the members of a root envelope, in their order.
pub fn is_envelope(doc: &Doc, id: usize) -> bool {
    let order = [
        "list",
        "total",
        "omitted",
        "malformed_at",
        "incomplete_tail",
        "shrunk",
        "offloaded",
        "from",
        "next",
        "hint",
        "source",
        "_omitted",
        "select",
        "rows",
    ];
    if doc.kind(id) != Kind::Object {
        return false;
    }
    let mut at = 0;
    let keys: Vec<String> = doc.children(id).iter().map(|&c| unescape(doc.key(c))).collect();
    keys.iter().all(|k| {
        let found = order[at..].iter().position(|o| o == k);
        at += found.map_or(0, |f| f + 1);
        found.is_some()
    }) && keys.iter().any(|k| k == "total")
        && keys.last().is_some_and(|k| k == "rows")
}

/// The first member of an object when its name is that of a notice: the first free one.
fn notice(doc: &Doc, id: usize) -> Option<usize> {
    let (&first, rest) = doc.children(id).split_first()?;
    let name = unescape(doc.key(first));
    let taken = |name: &str| rest.iter().any(|&c| unescape(doc.key(c)) == name);
    let shorter = |n: usize| format!("{}omitted", "_".repeat(n));
    let depth = name.len().saturating_sub("omitted".len());
    let free = is_notice_key(&name) && !taken(&name) && (1..depth).all(|n| taken(&shorter(n)));
    (doc.kind(id) == Kind::Object && doc.kind(first) == Kind::Object && free).then_some(first)
}

/// The value at a pointer below `id`; of equal keys the first.
fn below(doc: &Doc, id: usize, pointer: &str) -> Option<usize> {
    let mut id = id;
    for part in pointer.split('/').skip(1) {
        let name = part.replace("~2", "*").replace("~1", "/").replace("~0", "~");
        id = match doc.kind(id) {
            Kind::Object => doc.member(id, &name)?,
            Kind::Array => *doc.children(id).get(part.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    Some(id)
}

/// What the mark of a record says, when it is one and every line of it closes against what is here.
pub fn record_marks(doc: &Doc, record: usize) -> Option<Vec<RecordMark>> {
    let first = notice(doc, record)?;
    let mut marks = vec![];
    for &entry in doc.children(first) {
        let pointer = unescape(doc.key(entry));
        let (kept, total) = k_of_n(&unescape(doc.raw(entry))).filter(|(kept, total)| kept <= total)?;
        let plain = pointer.is_empty() || pointer.starts_with('/') && pointer.split('/').all(|s| s != "*");
        let node = below(doc, record, &pointer).filter(|_| plain && doc.kind(entry) == Kind::String)?;
        if doc.children(node).len() as u64 != kept + u64::from(pointer.is_empty()) {
            return None;
        }
        marks.push(RecordMark { pointer, node, kept, total });
    }
    (!marks.is_empty()).then_some(marks)
}

/// Whether a document may be an earlier answer of ours: its envelope or its notice stands where it must, and its plain
/// sums close. Sums under stars and the number of shortened records are not looked at.
pub fn may_state_a_cut(doc: &Doc) -> bool {
    let number = |id: usize, name: &str| doc.member(id, name).and_then(|n| doc.number(n));
    if is_envelope(doc, 0) {
        let held = doc.member(0, "rows").map(|rows| (doc.kind(rows), doc.children(rows).len() as u64));
        let left = number(0, "total").zip(number(0, "omitted")).and_then(|(total, omitted)| total.checked_sub(omitted));
        let left = left.map(|left| left.saturating_sub(number(0, "offloaded").unwrap_or(0)));
        return held.is_some_and(|(kind, held)| kind == Kind::String || left == Some(held));
    }
    let Some(first) = notice(doc, 0) else { return false };
    let entries = || doc.children(first).iter().filter(|&&c| unescape(doc.key(c)) != "hint");
    entries().count() > 0
        && entries().all(|&entry| {
            let (total, kept) = (number(entry, "total"), number(entry, "kept"));
            let here = kept.unwrap_or(0) + number(entry, "shrunk").unwrap_or(0);
            total.is_some_and(|total| kept.is_some() && here <= total)
        })
}

#[cfg(test)]
mod tests {
    use super::{may_state_a_cut, record_marks};
    use crate::oracle::json::parse;

    #[test]
    fn marks_of_records_are_read_where_they_close() {
        let read = |text: &str| {
            let marks = record_marks(&parse(text).unwrap(), 0)?;
            Some(marks.into_iter().map(|m| (m.pointer, m.kept, m.total)).collect::<Vec<_>>())
        };
        assert_eq!(read(r#"{"_omitted":{"/t":"2 of 9"},"t":[1,2]}"#), Some(vec![("/t".into(), 2, 9)]));
        assert_eq!(read(r#"{"_omitted":{"":"1 of 4"},"t":[1,2]}"#), Some(vec![(String::new(), 1, 4)]));
        assert_eq!(
            read(r#"{"__omitted":{"/u/t":"0 of 3"},"u":{"t":[]},"_omitted":1}"#),
            Some(vec![("/u/t".into(), 0, 3)])
        );
        for data in [
            r#"{"_omitted":{"/t":"3 of 9"},"t":[1,2]}"#,
            r#"{"_omitted":{"/t":"2 of 1"},"t":[1,2]}"#,
            r#"{"_omitted":{"/u":"2 of 9"},"t":[1,2]}"#,
            r#"{"__omitted":{"/t":"2 of 9"},"t":[1,2]}"#,
            r#"{"_omitted":{"/t":"2 of 9"},"t":[1,2],"_omitted":1}"#,
            r#"{"t":[1,2],"_omitted":{"/t":"2 of 9"}}"#,
            r#"{"_omitted":{},"t":[1,2]}"#,
        ] {
            assert_eq!(read(data), None, "{data}");
        }
    }

    #[test]
    fn statements_are_told_from_data() {
        let states = |text: &str| may_state_a_cut(&parse(text).unwrap());
        assert!(states(r#"{"total":3,"omitted":1,"rows":[1,2]}"#));
        assert!(states(r#"{"_omitted":{"/a":{"total":3,"kept":1,"next":"/a@1"},"hint":"h"},"a":[1]}"#));
        for data in [
            r#"{"total":3,"omitted":2,"rows":[1,2]}"#,
            r#"{"rows":[1,2],"total":3,"omitted":1}"#,
            r#"{"_omitted":{"/a":{"total":null,"kept":1}},"a":[1]}"#,
            r#"{"_omitted":{"hint":"h"},"a":[1]}"#,
            "[1]",
        ] {
            assert!(!states(data), "{data}");
        }
    }
}
