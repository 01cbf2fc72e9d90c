//! Takes cache marks out of a value of a request: they are no content, and move from call to call.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::mark::{Mark, MarkKind, seconds};
use super::piece::SharedText;
use crate::json::{Kind, Tape, Value, Values, key_text};

/// A checked request body.
pub(super) struct Source {
    pub(super) text: Arc<str>,
    pub(super) tape: Tape,
}

/// Where marks can stand in a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// On the value itself, and on the objects directly in it: tools, which carry one themselves or on their function.
    Tool,
    /// On the value, on the blocks of its lists, and on those of the results and documents in these.
    Blocks,
    /// Nowhere: settings.
    None,
}

/// A child of a container: where it starts (with its key) and ends, and whether it goes.
pub(super) struct Item {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) goes: bool,
}

#[derive(Default)]
struct Found {
    /// What has to go, in order.
    cuts: Vec<(usize, usize)>,
    /// Marks with their places in the body.
    marks: Vec<Mark>,
}

impl Source {
    pub(super) fn children(&self, node: &Value) -> Values<'_> {
        self.tape.children(node)
    }

    /// What the key of a member says.
    pub(super) fn key(&self, member: &Value) -> alloc::borrow::Cow<'_, str> {
        self.tape.key(&self.text, member)
    }

    /// The key of a member with its quotes.
    pub(super) fn key_raw(&self, member: &Value) -> &str {
        self.tape.key_raw(&self.text, member)
    }

    pub(super) fn kind(&self, node: &Value) -> Kind {
        node.kind(&self.text)
    }

    pub(super) fn raw(&self, node: &Value) -> &str {
        node.raw(&self.text)
    }

    /// The members of an object with what their keys say; none of another value.
    pub(super) fn members(&self, node: &Value) -> impl Iterator<Item = (alloc::borrow::Cow<'_, str>, Value)> {
        let is_object = self.kind(node) == Kind::Object;
        self.children(node).filter(move |_| is_object).map(|child| (self.key(&child), child))
    }

    /// The value of a member. Of equal keys the last one counts.
    pub(super) fn member(&self, node: &Value, name: &str) -> Option<Value> {
        self.members(node).filter(|(key, _)| key == name).last().map(|(_, node)| node)
    }

    /// What a string says.
    pub(super) fn string(&self, node: &Value) -> Option<alloc::borrow::Cow<'_, str>> {
        (self.kind(node) == Kind::String).then(|| key_text(self.raw(node)))
    }

    /// The text of `node` without its cache marks, and the marks with their places in that text.
    pub(super) fn strip(&self, node: &Value, place: Place) -> (SharedText, Vec<Mark>) {
        let mut found = Found::default();
        match place {
            Place::Tool => {
                self.marked_members(node, &mut found, |inner, found| self.marked_members(inner, found, |_, _| ()));
            }
            Place::Blocks => self.blocks(node, &mut found),
            Place::None => {}
        }
        let Found { mut cuts, mut marks } = found;
        if cuts.is_empty() {
            return (SharedText::part(&self.text, node.start, node.end), marks);
        }
        // The mark of an object comes behind those on its blocks, wherever its member stands.
        cuts.sort_unstable();
        marks.sort_by_key(|mark| mark.at);
        let mut text = String::new();
        let (mut from, mut gone) = (node.start, node.start);
        let mut pending = marks.iter_mut().peekable();
        for &(start, end) in &cuts {
            while let Some(mark) = pending.next_if(|mark| mark.at < end) {
                mark.at = mark.at.min(start) - gone;
            }
            text.push_str(self.text.get(from..start).unwrap_or_default());
            gone += end - start;
            from = end;
        }
        for mark in pending {
            mark.at -= gone;
        }
        text.push_str(self.text.get(from..node.end).unwrap_or_default());
        (SharedText::from(Arc::from(text)), marks)
    }

    /// A value with blocks: a message, a system prompt, a list of blocks. Three levels hold all that formats have:
    /// the message, its blocks, and what stands in a result or a document.
    fn blocks(&self, node: &Value, found: &mut Found) {
        self.marked(node, found, |block, found| {
            self.marked(block, found, |inner, found| self.marked(inner, found, |_, _| ()));
        });
    }

    /// The text of a message or system prompt whose content is a list of one block that is a text and nothing else but
    /// a mark, with that text in place of the list: providers read both alike. A mark needs the block, and the next
    /// request, where the mark stands elsewhere, has the text again. None for all others.
    pub(super) fn plain(&self, node: &Value) -> Option<SharedText> {
        let list = if self.kind(node) == Kind::Array { Some(*node) } else { self.member(node, "content") };
        let list = list.filter(|list| self.kind(list) == Kind::Array)?;
        let mut blocks = self.children(&list);
        let (Some(block), None) = (blocks.next(), blocks.next()) else { return None };
        let mut text = None;
        let mut is_text = false;
        for (key, value) in self.members(&block) {
            match &*key {
                "type" if !is_text => {
                    is_text = self.string(&value).is_some_and(|kind| matches!(&*kind, "text" | "input_text"));
                    if !is_text {
                        return None;
                    }
                }
                "text" if text.is_none() && self.kind(&value) == Kind::String => text = Some(value),
                _ if MarkKind::named(&key).is_some() => {}
                _ => return None,
            }
        }
        let text = text.filter(|_| is_text)?;
        // Marks on the message itself go, too.
        let mut found = Found::default();
        self.marked_members(node, &mut found, |_, _| ());
        let mut cuts = found.cuts;
        cuts.extend([(list.start, text.start), (text.end, list.end)]);
        cuts.sort_unstable();
        let cuts: Vec<_> = cuts.iter().map(|&(start, end)| (start - node.start, end - node.start)).collect();
        Some(SharedText::from(Arc::from(without(self.raw(node), &cuts))))
    }

    /// Marks on `node` and, through `deeper`, on the entries of its lists.
    fn marked(&self, node: &Value, found: &mut Found, deeper: impl Fn(&Value, &mut Found) + Copy) {
        match self.kind(node) {
            Kind::Array => self.marked_entries(node, found, deeper),
            Kind::Object => {
                self.marked_members(node, found, |value, found| match self.kind(value) {
                    Kind::Array => self.marked_entries(value, found, deeper),
                    // `toolResult` and `source` hold the list of blocks in an object of their own.
                    Kind::Object => self.marked_members(value, found, |list, found| {
                        if self.kind(list) == Kind::Array {
                            self.marked_entries(list, found, deeper);
                        }
                    }),
                    Kind::String | Kind::Scalar => {}
                });
            }
            Kind::String | Kind::Scalar => {}
        }
    }

    /// Members that are marks go; `deeper` looks into those that can hold blocks.
    fn marked_members(&self, node: &Value, found: &mut Found, deeper: impl Fn(&Value, &mut Found)) {
        if self.kind(node) != Kind::Object {
            return;
        }
        let mut items = Vec::new();
        for child in self.children(node) {
            let key = self.key(&child);
            let kind = MarkKind::named(&key);
            items.push(Item { start: self.tape.key_start(&child), end: child.end, goes: kind.is_some() });
            match kind {
                Some(kind) => found.marks.extend(self.mark(&child, kind, node.end)),
                None if HOLDERS.contains(&&*key) => deeper(&child, found),
                None => {}
            }
        }
        cut_out(node, &items, &mut found.cuts);
    }

    /// Entries that are nothing but a cache point go, and mark the end of the one before.
    fn marked_entries(&self, list: &Value, found: &mut Found, deeper: impl Fn(&Value, &mut Found)) {
        let mut items: Vec<Item> = Vec::new();
        let mut end = list.start + 1;
        for child in self.children(list) {
            let point = self.cache_point(&child);
            items.push(Item { start: child.start, end: child.end, goes: point.is_some() });
            if let Some(point) = point {
                found.marks.extend(self.mark(&point, MarkKind::CachePoint, end));
            } else {
                deeper(&child, found);
                end = child.end;
            }
        }
        cut_out(list, &items, &mut found.cuts);
    }

    /// The value of the one member of a block that is a cache point.
    pub(super) fn cache_point(&self, node: &Value) -> Option<Value> {
        let mut members = self.members(node);
        let (key, value) = members.next()?;
        (key == MarkKind::CachePoint.name() && members.next().is_none()).then_some(value)
    }

    /// The mark that `value` is; a null is none.
    pub(super) fn mark(&self, value: &Value, kind: MarkKind, at: usize) -> Option<Mark> {
        let life = self.member(value, "ttl").and_then(|life| self.string(&life)).and_then(|life| seconds(&life));
        (self.raw(value) != "null").then_some(Mark { at, kind, seconds: life })
    }
}

/// Members that hold blocks, or an object that does.
const HOLDERS: [&str; 7] = ["content", "parts", "output", "toolResult", "source", "function", "toolSpec"];

/// The text without `cuts`, which are in order.
pub(super) fn without(text: &str, cuts: &[(usize, usize)]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for &(start, end) in cuts {
        out.push_str(text.get(from..start).unwrap_or_default());
        from = end;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out
}

/// Cuts what goes among `items` out of `container`, each with one comma, as if it had never been there.
pub(super) fn cut_out(container: &Value, items: &[Item], cuts: &mut Vec<(usize, usize)>) {
    if items.iter().all(|item| item.goes) {
        if !items.is_empty() {
            cuts.push((container.start + 1, container.end - 1));
        }
        return;
    }
    let mut kept_before = false;
    for (i, item) in items.iter().enumerate() {
        if item.goes {
            let before = i.checked_sub(1).and_then(|i| items.get(i)).filter(|_| kept_before);
            match (before, items.get(i + 1)) {
                (Some(before), _) => cuts.push((before.end, item.end)),
                // Some item is kept, and none before this one: there is one behind it.
                (None, Some(next)) => cuts.push((item.start, next.start)),
                (None, None) => {}
            }
        }
        kept_before |= !item.goes;
    }
}
