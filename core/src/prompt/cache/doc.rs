//! A checked request body, and the few ways in which it is looked at.

use alloc::borrow::Cow;
use alloc::string::String;

use crate::error::Error;
use crate::json::{Children, Kind, Node, Scan, decode_key, write_minified};

/// A checked body.
pub(super) struct Doc<'t> {
    pub(super) text: &'t str,
    pub(super) scan: Scan,
}

impl<'t> Doc<'t> {
    pub(super) fn read(bytes: &'t [u8], depth: usize) -> Result<Doc<'t>, Error> {
        let text = core::str::from_utf8(bytes).map_err(Error::invalid_utf8)?;
        let scan =
            crate::json::check_densely(text, depth).map_err(|fault| crate::deliver::json_error(&fault, depth))?;
        Ok(Doc { text, scan })
    }

    pub(super) fn kind(&self, node: &Node) -> Kind {
        node.kind(self.text)
    }

    pub(super) fn raw(&self, node: &Node) -> &'t str {
        node.raw(self.text)
    }

    pub(super) fn children(&self, node: &Node) -> Children<'_> {
        Children::new(self.text, &self.scan, node)
    }

    /// The elements of a list; none of another value.
    pub(super) fn entries(&self, node: &Node) -> impl Iterator<Item = Node> {
        let is_list = self.kind(node) == Kind::Array;
        self.children(node).filter(move |_| is_list).map(|child| child.node)
    }

    /// The members of an object with what their keys say; none of another value.
    pub(super) fn members(&self, node: &Node) -> impl Iterator<Item = (Cow<'t, str>, Node)> {
        let is_object = self.kind(node) == Kind::Object;
        let text = self.text;
        self.children(node).filter(move |_| is_object).map(move |child| (key_text(child.key_raw(text)), child.node))
    }

    /// The value of a member. Of equal keys the last one counts.
    pub(super) fn member(&self, node: &Node, name: &str) -> Option<Node> {
        self.members(node).filter(|(key, _)| key == name).last().map(|(_, node)| node)
    }

    /// What a string says.
    pub(super) fn string(&self, node: &Node) -> Option<Cow<'t, str>> {
        (self.kind(node) == Kind::String).then(|| key_text(self.raw(node)))
    }

    /// What the string at a member says.
    pub(super) fn word(&self, node: &Node, name: &str) -> Option<Cow<'t, str>> {
        self.member(node, name).and_then(|value| self.string(&value))
    }

    /// The value without white space outside strings.
    pub(super) fn minified(&self, node: &Node) -> Cow<'t, str> {
        if node.blanks == 0 {
            return Cow::Borrowed(self.raw(node));
        }
        let mut out = String::with_capacity(node.end - node.start);
        write_minified(self.raw(node), node.blanks, &mut out);
        Cow::Owned(out)
    }
}

fn key_text(raw: &str) -> Cow<'_, str> {
    if raw.contains('\\') {
        return Cow::Owned(decode_key(raw));
    }
    Cow::Borrowed(raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default())
}
