//! Finding many values by pointer: the children of a value are put in order once, not walked once for each pointer.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;

use super::view::View;
use crate::json::{Child, Children, Kind, Node, array_index, push_token, unescape};

/// Where a pointer leads: through which children, and to what.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    /// The pointer in the escapes of the document's own keys.
    pub(crate) raw: String,
    pub(crate) steps: Vec<Step>,
    pub(crate) node: Node,
}

/// One child on the way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    /// Its place among its siblings.
    pub(crate) index: usize,
    /// Where it starts in the text: its key, or the value itself.
    pub(crate) start: usize,
}

/// The children of the values that pointers led through, by key. Memory for two numbers a child, while it lasts.
pub(crate) struct Index<'v, 'a> {
    view: &'v View<'a>,
    /// Steps that may still be taken through equal keys: as many as the text has bytes.
    left: usize,
    /// By where the value starts: its children as steps, those of objects in the order of their keys.
    known: BTreeMap<usize, Vec<Step>>,
}

impl<'v, 'a> Index<'v, 'a> {
    pub(crate) const fn new(view: &'v View<'a>) -> Self {
        Index { view, left: view.text.len(), known: BTreeMap::new() }
    }

    /// Every way from `from` along these names, in document order: more than one through members with equal keys.
    /// `None` where nothing is there, or where equal keys inside equal keys would cost more than the text is long.
    pub(crate) fn ways(&mut self, from: &Node, names: &[&str]) -> Option<Vec<Way>> {
        let mut ways = alloc::vec![Way { raw: String::new(), steps: Vec::new(), node: *from }];
        for name in names {
            let mut longer = Vec::new();
            for way in &ways {
                let mut nth = 0;
                while let Some((step, child)) = self.child(&way.node, name, nth) {
                    let mut way = way.clone();
                    push_step(self.view, &mut way, name, step, &child);
                    longer.push(way);
                    nth += 1;
                    // The first costs nothing: without equal keys there is no limit.
                    if nth > 1 {
                        self.left = self.left.checked_sub(1)?;
                    }
                }
            }
            ways = longer;
        }
        (!ways.is_empty()).then_some(ways)
    }

    /// The way from `from` along these names; of equal keys the first in the document. `None` where nothing is there.
    /// The children of a value are sorted the first time a way leads through it; after that a step costs a binary
    /// search.
    pub(crate) fn way(&mut self, from: &Node, names: &[&str]) -> Option<Way> {
        let mut way = Way { raw: String::new(), steps: Vec::with_capacity(names.len()), node: *from };
        for name in names {
            let (step, child) = self.child(&way.node, name, 0)?;
            push_step(self.view, &mut way, name, step, &child);
        }
        Some(way)
    }

    /// The child of that name; of equal keys the `nth`, from 0.
    fn child(&mut self, parent: &Node, name: &str, nth: usize) -> Option<(Step, Child)> {
        let view = self.view;
        let is_object = match parent.kind(view.text) {
            Kind::Object => true,
            Kind::Array => false,
            Kind::String | Kind::Scalar => return None,
        };
        let steps = self.known.entry(parent.start).or_insert_with(|| {
            let children = Children::new(view.text, view.scan, parent);
            let mut steps: Vec<Step> = children.enumerate().map(|(index, c)| Step { index, start: c.key.0 }).collect();
            if is_object {
                // Stable: of equal keys the first stays first.
                steps.sort_by(|a, b| cmp_keys(view.text, a.start, b.start));
            }
            steps
        });
        let at = if is_object {
            steps.partition_point(|s| cmp_key(view.text, s.start, name).is_lt()) + nth
        } else {
            array_index(name).filter(|_| nth == 0)?
        };
        let step = *steps.get(at)?;
        if is_object && cmp_key(view.text, step.start, name).is_ne() {
            return None;
        }
        let child = Children::starting(view.text, view.scan, parent, step.start).next()?;
        Some((step, child))
    }
}

fn push_step(view: &View<'_>, way: &mut Way, name: &str, step: Step, child: &Child) {
    if child.key.1 > child.key.0 {
        push_token(&mut way.raw, child.key_raw(view.text));
    } else {
        way.raw.push('/');
        way.raw.push_str(name);
    }
    way.steps.push(step);
    way.node = child.node;
}

/// The rest of the text from a key on: `unescape` stops at its closing quote.
fn key_chars(text: &str, start: usize) -> impl Iterator<Item = char> + '_ {
    unescape(text.get(start..crate::json::string_end(text.as_bytes(), start)).unwrap_or_default()).map(|x| x.2)
}

fn cmp_keys(text: &str, a: usize, b: usize) -> Ordering {
    key_chars(text, a).cmp(key_chars(text, b))
}

fn cmp_key(text: &str, start: usize, name: &str) -> Ordering {
    key_chars(text, start).cmp(name.chars())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Budget;
    use crate::json::check;

    #[test]
    fn finds_what_walking_finds() {
        let text = r#"{"b":1,"a":{"\u0063":[10,{"x":2}],"c":3},"a":4,"":{"~":5}}"#;
        let scan = check(text, 9).unwrap();
        let view = View::new(text, &scan, Budget::bytes(0));
        let mut index = Index::new(&view);
        let mut at = |names: &[&str]| index.way(&scan.root, names).map(|w| (w.node.raw(text), w.raw));
        assert_eq!(at(&[]), Some((text, String::new())));
        assert_eq!(at(&["a", "c", "1", "x"]), Some(("2", r"/a/\u0063/1/x".into())));
        assert_eq!(at(&["", "~"]), Some(("5", "//~0".into())));
        assert_eq!(at(&["a", "c", "01"]), None);
        assert_eq!(at(&["a", "d"]), None);
        assert_eq!(at(&["b", "x"]), None);
    }

    #[test]
    fn finds_all_of_equal_keys() {
        let text = r#"{"a":{"b":1,"\u0062":2},"c":0,"a":{"b":3}}"#;
        let scan = check(text, 9).unwrap();
        let view = View::new(text, &scan, Budget::bytes(0));
        let mut index = Index::new(&view);
        let mut at = |names: &[&str]| -> Vec<&str> {
            index.ways(&scan.root, names).into_iter().flatten().map(|w| w.node.raw(text)).collect()
        };
        assert_eq!(at(&["a", "b"]), ["1", "2", "3"]);
        assert_eq!(at(&["c"]), ["0"]);
        assert!(at(&["d"]).is_empty());
    }
}
