//! Every limit of the library, in one table.

/// Budgets below this many units get the short forms of notices, without hint.
pub(crate) const SHORT_FORMS_BELOW: usize = 200;

/// What an input or an option may be at most. [`deliver`](crate::deliver()), [`page`](crate::page()),
/// [`find`](crate::find()) and [`History::parse`](crate::History::parse) take it; a field that a call has no use for
/// changes nothing there. Requests that are read for prompts and caches
/// ([`Prompt::from_request`](crate::Prompt::from_request), [`predict`](crate::predict()),
/// [`cache_marks`](crate::cache_marks())) may be nested as deep as the default says, unless their options name another
/// depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Levels of arrays and objects (default 512).
    pub depth: usize,
    /// Levels of JSON inside strings that are opened (default 3).
    pub nested_strings: usize,
    /// Characters of a pointer written into a notice (default 128).
    pub notice_pointer: usize,
    /// Entries of `select`, `priority` and `prefer` (default 256).
    pub entries: usize,
    /// Bytes of one such entry (default 1,024).
    pub entry_bytes: usize,
    /// Bytes of a needle of `find` (default 4,096).
    pub needle_bytes: usize,
}

impl Limits {
    /// The defaults.
    pub const DEFAULT: Limits = Limits {
        depth: 512,
        nested_strings: 3,
        notice_pointer: 128,
        entries: 256,
        entry_bytes: 1024,
        needle_bytes: 4096,
    };
}

impl Default for Limits {
    fn default() -> Self {
        Limits::DEFAULT
    }
}
