//! What a stored snapshot says of a piece beyond its digests, so that causes can be told without the text.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::{Digest, Digester, Known, Print, short};
use crate::json::{Kind, Tape, Value, canonical_json};
use crate::limits::Limits;
use crate::prompt::PieceKind;
use crate::prompt::strip::{Item, cut_out, without};
use crate::prompt::volatile::{Values, VolatileKind, masked};

/// What is left of a text beside its digests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Details {
    /// Place and kind of its volatile values.
    pub(crate) volatile: Vec<(usize, VolatileKind)>,
    /// Of the text without these values; none where there are none.
    pub(crate) masked: Option<Digest>,
    /// Of a tool: of its canonical form without its description.
    pub(crate) shape: Option<u64>,
}

/// Volatile values that are noted of one piece at most: enough to name the first that differs.
const NOTED: usize = 64;

impl Print {
    /// The details of the piece, as they are written.
    pub(crate) fn details(&self, digester: &Digester) -> Cow<'_, Details> {
        match &self.known {
            Known::Details(details) => Cow::Borrowed(details),
            Known::Text(text) => Cow::Owned(details_of(text.as_str(), self.kind, digester)),
        }
    }
}

fn details_of(text: &str, kind: PieceKind, digester: &Digester) -> Details {
    let volatile: Vec<_> = Values::of(text).take(NOTED).map(|value| (value.start, value.kind)).collect();
    let masked = (!volatile.is_empty()).then(|| digester.digest(masked(text).as_bytes()));
    let shape = if kind == PieceKind::Tool {
        shape_of(text).map(|shape| short(&digester.digest(shape.as_bytes())))
    } else {
        None
    };
    Details { volatile, masked, shape }
}

/// A tool's canonical form without its own description (those of its parameters belong to the schema); none for what is
/// no JSON object.
pub(crate) fn shape_of(tool: &str) -> Option<String> {
    let depth = Limits::DEFAULT.depth;
    let text = canonical_json(tool, depth).ok()?.into_text();
    let tape = Tape::of(&text, depth).ok()?;
    if tape.root().kind(&text) != Kind::Object {
        return None;
    }
    let mut cuts = Vec::new();
    let mut holders = Vec::new();
    let mut look = |node: &Value, holders: Option<&mut Vec<Value>>| {
        let mut items = Vec::new();
        let mut inner = Vec::new();
        for child in tape.children(node) {
            let key = tape.key(&text, &child);
            items.push(Item { start: tape.key_start(&child), end: child.end, goes: key == "description" });
            if matches!(&*key, "function" | "toolSpec" | "custom") && child.kind(&text) == Kind::Object {
                inner.push(child);
            }
        }
        cut_out(node, &items, &mut cuts);
        if let Some(holders) = holders {
            holders.append(&mut inner);
        }
    };
    look(&tape.root(), Some(&mut holders));
    for holder in &holders {
        look(holder, None);
    }
    cuts.sort_unstable();
    Some(without(&text, &cuts))
}
