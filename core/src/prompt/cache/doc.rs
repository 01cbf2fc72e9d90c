//! A checked request body, and ways to look at it that marks and blocks need.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::sync::Arc;

use crate::error::Error;
use crate::json::{Kind, Tape, Value, write_minified};
use crate::prompt::strip::Source;

impl Source {
    /// Checks a body, which is copied once.
    pub(super) fn checked(bytes: &[u8], depth: usize) -> Result<Source, Error> {
        let text = core::str::from_utf8(bytes).map_err(Error::invalid_utf8)?;
        let tape = Tape::of(text, depth).map_err(|fault| crate::deliver::json_error(&fault, depth))?;
        Ok(Source { text: Arc::from(text), tape })
    }

    /// The elements of a list; none of another value.
    pub(super) fn entries(&self, node: &Value) -> impl Iterator<Item = Value> {
        let is_list = self.kind(node) == Kind::Array;
        self.children(node).filter(move |_| is_list)
    }

    /// What the string at a member says.
    pub(super) fn word(&self, node: &Value, name: &str) -> Option<Cow<'_, str>> {
        self.member(node, name).and_then(|value| self.string(&value))
    }

    /// The value without white space outside strings.
    pub(super) fn minified(&self, node: &Value) -> String {
        let mut out = String::with_capacity(node.end - node.start);
        self.write_minified(node, &mut out);
        out
    }

    /// The same, written behind `out`.
    pub(super) fn write_minified(&self, node: &Value, out: &mut String) {
        write_minified(self.raw(node), usize::MAX, out);
    }

    /// JSON Pointer (RFC 6901) to the value that starts at `start`; to the innermost one around it where none does.
    pub(super) fn pointer_to(&self, start: usize) -> String {
        let (mut path, mut node) = (String::new(), self.tape.root());
        while node.start < start {
            let around = self.children(&node).enumerate().find(|(_, child)| child.start <= start && start < child.end);
            let Some((at, child)) = around else { break };
            path.push('/');
            if self.kind(&node) == Kind::Array {
                path.push_str(&alloc::format!("{at}"));
            } else {
                path.push_str(&self.key(&child).replace('~', "~0").replace('/', "~1"));
            }
            node = child;
        }
        path
    }
}
