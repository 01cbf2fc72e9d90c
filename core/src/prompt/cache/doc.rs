//! A checked request body, and ways to look at it that marks and blocks need.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::sync::Arc;

use crate::error::Error;
use crate::json::{Kind, Node, write_minified};
use crate::limits::Limits;
use crate::prompt::strip::Source;

impl Source {
    /// Checks a body, which is copied once.
    pub(super) fn checked(bytes: &[u8]) -> Result<Source, Error> {
        let text = core::str::from_utf8(bytes).map_err(Error::invalid_utf8)?;
        let depth = Limits::DEFAULT.depth;
        let scan =
            crate::json::check_densely(text, depth).map_err(|fault| crate::deliver::json_error(&fault, depth))?;
        Ok(Source { text: Arc::from(text), scan })
    }

    /// The elements of a list; none of another value.
    pub(super) fn entries(&self, node: &Node) -> impl Iterator<Item = Node> {
        let is_list = self.kind(node) == Kind::Array;
        self.children(node).filter(move |_| is_list).map(|child| child.node)
    }

    /// What the string at a member says.
    pub(super) fn word(&self, node: &Node, name: &str) -> Option<Cow<'_, str>> {
        self.member(node, name).and_then(|value| self.string(&value))
    }

    /// The value without white space outside strings.
    pub(super) fn minified(&self, node: &Node) -> Cow<'_, str> {
        if node.blanks == 0 {
            return Cow::Borrowed(self.raw(node));
        }
        let mut out = String::with_capacity(node.end - node.start);
        write_minified(self.raw(node), node.blanks, &mut out);
        Cow::Owned(out)
    }
}
