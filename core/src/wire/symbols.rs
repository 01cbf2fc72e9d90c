//! Ids and names, each spelled once: equal strings are equal numbers.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::message::Span;
use crate::json::key_text;

/// A string of the text, by number: two symbols are equal when their strings say the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Symbol(u32);

impl Symbol {
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where each symbol first stands, quotes included.
#[derive(Clone, Debug, Default)]
pub(crate) struct Symbols {
    spans: Vec<Span>,
}

impl Symbols {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.spans.len()
    }

    /// What the symbol says (half surrogates become U+FFFD).
    pub(crate) fn text<'t>(&self, text: &'t str, symbol: Symbol) -> Cow<'t, str> {
        let Some(span) = self.spans.get(symbol.index()) else { return Cow::Borrowed("") };
        key_text(span.of(text))
    }
}

/// How many strings are looked at before the map is asked.
const RECENT: usize = 8;

/// Numbers strings while a history is read. An ordered map: no input chooses how long a look-up takes. A result has the
/// id of one of the last calls, and tools come again and again: most strings are among those seen last.
pub(super) struct Interner<'t> {
    text: &'t str,
    /// By their last bytes first, in which ids differ.
    known: BTreeMap<(u64, Cow<'t, str>), Symbol>,
    recent: [(&'t str, Symbol); RECENT],
    /// Where the next one goes.
    slot: usize,
    symbols: Symbols,
}

impl<'t> Interner<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Interner {
            text,
            known: BTreeMap::new(),
            recent: [("", Symbol(0)); RECENT],
            slot: 0,
            symbols: Symbols::default(),
        }
    }

    /// The symbol of the string at `span` (quotes included).
    pub(super) fn symbol(&mut self, span: Span) -> Symbol {
        let raw = span.of(self.text);
        // Spelled alike they say the same; an empty place is no string with quotes.
        if let Some((_, symbol)) = self.recent.iter().find(|(known, _)| *known == raw) {
            return *symbol;
        }
        let fresh = Symbol(u32::try_from(self.symbols.spans.len()).unwrap_or(u32::MAX));
        let said = key_text(raw);
        let symbol = *self.known.entry((tail(&said), said)).or_insert(fresh);
        if symbol == fresh {
            self.symbols.spans.push(span);
        }
        self.recent[self.slot] = (raw, symbol);
        self.slot = (self.slot + 1) % RECENT;
        symbol
    }

    pub(super) fn finish(self) -> Symbols {
        self.symbols
    }
}

/// The last eight bytes as one number.
fn tail(text: &str) -> u64 {
    let bytes = text.as_bytes();
    match bytes.last_chunk::<8>() {
        Some(last) => u64::from_le_bytes(*last),
        None => bytes.iter().fold(0, |number, &byte| number << 8 | u64::from(byte)),
    }
}
