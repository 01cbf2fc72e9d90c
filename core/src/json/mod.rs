//! JSON as spans: checking, walking and copying without ever building a tree of it.

mod canonical;
mod check;
mod emit;
mod number;
mod pointer;
mod strings;
mod swar;
mod table;
mod tape;
mod walk;
mod writer;

pub(crate) use canonical::try_canonical;
pub use canonical::{Canonical, InexactNumber, canonical_json};
pub(crate) use check::{Fault, Scan, check};
pub(crate) use emit::{write_escaped, write_minified};
pub(crate) use pointer::{Pattern, array_index, is_plain_number, push_token, resolve};
pub(crate) use strings::{char_at, cmp_unescaped, decode_key, has_half_surrogate, key_text, unescape, unescape_from};
pub(crate) use tape::{Tape, Value, Values};
pub(crate) use walk::{Child, Children, Kind, Node, string_end};
pub use writer::JsonWriter;
