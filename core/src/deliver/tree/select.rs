//! `select`: only what the step asked for, counted as removed fields.

use alloc::string::String;
use alloc::vec::Vec;

use super::document::is_stated;
use super::marks::{Marks, salvaged_rows, says_what_broke};
use super::view::View;
use crate::error::{Error, ErrorKind};
use crate::json::{Children, Kind, Node, Pattern, Scan, check, decode_key, write_minified};
use crate::measure::Budget;

/// What `select` made of a document.
#[derive(Debug)]
pub(crate) struct Selected {
    pub(crate) text: String,
    pub(crate) fields_removed: u64,
    /// Pointers that matched nothing, by their place in the option.
    pub(crate) unmatched: Vec<usize>,
}

/// The rows of an envelope of ours: pointers are those of the list it was made of.
fn stated_rows(text: &str, scan: &Scan) -> Option<(Node,)> {
    let view = View::new(text, scan, Budget::bytes(0));
    let rows = Marks::read_envelope(&view).filter(|s| s.0.list.is_none()).map(|s| s.0.rows);
    rows.or_else(|| salvaged_rows(&view)).map(|rows| (rows,))
}

fn has_notice(text: &str, scan: &Scan) -> bool {
    let view = View::new(text, scan, Budget::bytes(0));
    Marks::read(&view).any() || says_what_broke(&view)
}

struct Level<'a> {
    children: Children<'a>,
    is_object: bool,
    index: usize,
    written: bool,
    /// Pointers that lead through here, and how far.
    live: Vec<usize>,
}

/// Keeps what the pointers lead to and its ancestors. Time linear in the input for each pointer that leads deeper.
///
/// # Errors
/// `nothing_selected` when no pointer matches anything, and no earlier cut says that there was more.
pub(crate) fn select(text: &str, scan: &Scan, pointers: &[Pattern]) -> Result<Selected, Error> {
    let selected = select_any(text, scan, pointers);
    // Where an earlier cut left no record, there is nothing to match: what it says still closes.
    let stated =
        |text: &str| check(text, usize::MAX).is_ok_and(|scan| is_stated(&View::new(text, &scan, Budget::bytes(0))));
    if !pointers.is_empty() && selected.unmatched.len() == pointers.len() && !stated(&selected.text) {
        return Err(nothing_selected());
    }
    Ok(selected)
}

/// What to say when no pointer matches anything.
pub(crate) fn nothing_selected() -> Error {
    Error::new(ErrorKind::NothingSelected, "select matches nothing in this input").argument_named("select")
}

/// The same for one record of many: an empty frame is left where nothing matches.
pub(crate) fn select_any(text: &str, scan: &Scan, pointers: &[Pattern]) -> Selected {
    let stated = stated_rows(text, scan);
    let root = stated.map_or(scan.root, |s| s.0);
    // An earlier notice is no field of the input: it stays.
    let notice = stated.is_none() && has_notice(text, scan);
    let mut out = String::from(text.get(..stated.map_or(0, |s| s.0.start)).unwrap_or_default());
    let mut removed = 0u64;
    let mut matched = alloc::vec![false; pointers.len()];
    let mut stack: Vec<Level<'_>> = Vec::new();
    let all: Vec<usize> = (0..pointers.len()).collect();
    let visit = |node: &Node, live: Vec<usize>, depth: usize, out: &mut String, matched: &mut [bool]| {
        let ends: Vec<usize> =
            live.iter().copied().filter(|&p| pointers.get(p).is_some_and(|x| x.len() == depth)).collect();
        for &p in &ends {
            if let Some(m) = matched.get_mut(p) {
                *m = true;
            }
        }
        let kind = node.kind(text);
        if !ends.is_empty() || !matches!(kind, Kind::Object | Kind::Array) {
            write_minified(node.raw(text), node.blanks, out);
            return None;
        }
        out.push(if kind == Kind::Object { '{' } else { '[' });
        let children = Children::new(text, scan, node);
        Some(Level { children, is_object: kind == Kind::Object, index: 0, written: false, live })
    };
    if let Some(level) = visit(&root, all, 0, &mut out, &mut matched) {
        stack.push(level);
    }
    while let Some(level) = stack.last_mut() {
        let Some(child) = level.children.next() else {
            out.push(if level.is_object { '}' } else { ']' });
            stack.pop();
            continue;
        };
        let (index, is_object) = (level.index, level.is_object);
        level.index += 1;
        let key = if is_object { decode_key(child.key_raw(text)) } else { String::new() };
        let depth = stack.len();
        let Some(level) = stack.last_mut() else { break };
        let live: Vec<usize> = level
            .live
            .iter()
            .copied()
            .filter(|&p| {
                pointers.get(p).is_some_and(|x| {
                    if is_object { x.takes_key(depth - 1, &key) } else { x.takes_index(depth - 1, index) }
                })
            })
            .collect();
        let container = matches!(child.node.kind(text), Kind::Object | Kind::Array);
        let ends = live.iter().any(|&p| pointers.get(p).is_some_and(|x| x.len() == depth));
        let is_notice = notice && depth == 1 && index == 0;
        if is_notice {
            level.written = true;
            out.push_str(child.key_raw(text));
            out.push(':');
            write_minified(child.node.raw(text), child.node.blanks, &mut out);
            continue;
        }
        if live.is_empty() || (!ends && !container) {
            removed += 1;
            continue;
        }
        if core::mem::replace(&mut level.written, true) {
            out.push(',');
        }
        if is_object {
            out.push_str(child.key_raw(text));
            out.push(':');
        }
        if let Some(level) = visit(&child.node, live, depth, &mut out, &mut matched) {
            stack.push(level);
        }
    }
    if stated.is_some() {
        out.push_str(text.get(root.end..).unwrap_or_default());
    }
    let unmatched = matched.iter().enumerate().filter(|m| !m.1).map(|m| m.0).collect();
    Selected { text: out, fields_removed: removed, unmatched }
}
