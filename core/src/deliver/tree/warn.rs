//! What the caller should know of a document that is no loss.

use alloc::string::String;
use alloc::vec::Vec;

use super::view::View;
use crate::json::{Child, Children, Kind};

/// The first key of the root object that stands there twice.
pub(super) fn duplicate_key(view: &View<'_>) -> Option<(usize, String)> {
    let root = view.scan.root;
    if root.kind(view.text) != Kind::Object || root.count < 2 || root.count > 4096 {
        return None;
    }
    let mut keys: Vec<Child> = Children::new(view.text, view.scan, &root).collect();
    keys.sort_by(|a, b| {
        crate::json::cmp_unescaped(a.key_raw(view.text), b.key_raw(view.text)).then(a.key.0.cmp(&b.key.0))
    });
    keys.windows(2)
        .filter_map(|w| match w {
            [a, b] if crate::json::cmp_unescaped(a.key_raw(view.text), b.key_raw(view.text)).is_eq() => Some(b),
            _ => None,
        })
        .min_by_key(|c| c.key.0)
        .map(|c| (c.key.0, crate::json::decode_key(c.key_raw(view.text))))
}

/// Keys of a cursor, in lower case and without punctuation.
pub(super) const CURSOR_KEYS: [&str; 14] = [
    "next",
    "cursor",
    "nextcursor",
    "nextpagetoken",
    "nexttoken",
    "nextpage",
    "nextlink",
    "endcursor",
    "pagetoken",
    "continue",
    "continuationtoken",
    "nextmarker",
    "nexturl",
    "offset",
];

/// A member of the root that looks like the tool's own cursor: it skips what we left out.
pub(super) fn source_cursor(view: &View<'_>) -> Option<String> {
    let root = view.scan.root;
    if root.kind(view.text) != Kind::Object {
        return None;
    }
    Children::new(view.text, view.scan, &root).take(4096).find_map(|c| {
        let raw = c.key_raw(view.text);
        if raw.len() > 40 || matches!(c.node.raw(view.text), "null" | "\"\"" | "false") {
            return None;
        }
        let key = crate::json::decode_key(raw);
        let plain: String = key.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
        CURSOR_KEYS.contains(&plain.as_str()).then_some(key)
    })
}
