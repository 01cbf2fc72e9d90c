//! Where a prompt parts from the one before: which piece, which byte, why, and what it costs.

mod align;
mod cause;

use alloc::string::String;
use alloc::vec::Vec;

use super::digest::{CHUNK, Digester};
use super::snapshot::{Print, Snapshot};
use super::volatile::VolatileKind;
use crate::error::{Error, ErrorKind};
use align::{Event, EventKind};

kinds! {
    /// How a prompt, or a piece of it, differs from the one before.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Verdict;

    /// There is none before: nothing to compare with, and no break.
    First = 1, "first";
    /// Nothing changed.
    Same = 2, "same";
    /// New pieces at the end, which is how a prompt should grow.
    Extended = 3, "extended";
    /// The end is gone: a rewind.
    Shortened = 4, "shortened";
    /// A piece stands in another place.
    Reordered = 5, "reordered";
    /// A piece has other bytes, or another name.
    Changed = 6, "changed";
    /// A new piece stands before old ones.
    Inserted = 7, "inserted";
    /// A piece is gone, and others stand behind it.
    Removed = 8, "removed";
}

impl Verdict {
    /// True when a provider can go on reading all of the previous prompt from its cache.
    pub const fn is_calm(self) -> bool {
        matches!(self, Verdict::First | Verdict::Same | Verdict::Extended)
    }
}

kinds! {
    /// Why a piece differs. The list is closed.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Cause;

    /// The text is another one.
    Edit = 1, "edit";
    /// The text is cut off: the new one is how the old one begins.
    Truncation = 2, "truncation";
    /// A piece was put in.
    Insertion = 3, "insertion";
    /// A piece was taken out.
    Removal = 4, "removal";
    /// A piece moved.
    Reorder = 5, "reorder";
    /// The same bytes have another name.
    Rename = 6, "rename";
    /// The same JSON, serialised anew: order of keys, white space, escapes, spelling of numbers.
    KeyOrder = 7, "key_order";
    /// Nothing but volatile values differ.
    Volatile = 8, "volatile";
    /// A tool was put in.
    ToolAdded = 9, "tool_added";
    /// A tool was taken out.
    ToolRemoved = 10, "tool_removed";
    /// A tool has another description.
    ToolDescription = 11, "tool_description";
    /// A tool has another schema, or other members.
    ToolSchema = 12, "tool_schema";
    /// A setting was changed, put in or taken out.
    Setting = 13, "setting";
    /// The model is another one.
    Model = 14, "model";
}

/// One difference between two prompts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    /// Shortened, reordered, changed, inserted or removed.
    pub verdict: Verdict,
    /// The piece: its name in the new prompt, or in the old one where it is gone.
    pub piece: String,
    /// Its name in the old prompt, where that is another.
    pub was: Option<String>,
    /// The first place in the new prompt that differs for it: where it stands, where it stood, or would stand.
    pub index: usize,
    /// The first byte of the piece that differs, even inside a character; of changed pieces only.
    pub at_byte: Option<usize>,
    /// False where `at_byte` is only known to 256 bytes, because a text is not at hand.
    pub at_byte_exact: bool,
    /// Why.
    pub cause: Cause,
    /// What the volatile value is, where that is the cause.
    pub volatile: Option<VolatileKind>,
}

/// How a prompt differs from the one before.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Comparison {
    /// What happened first.
    pub verdict: Verdict,
    /// The piece where it happened.
    pub piece: Option<String>,
    /// The first place that differs, counted in pieces of the new prompt.
    pub index: Option<usize>,
    /// The first byte of that piece that differs, where the piece changed.
    pub at_byte: Option<usize>,
    /// False where `at_byte` is only known to 256 bytes.
    pub at_byte_exact: bool,
    /// Why.
    pub cause: Option<Cause>,
    /// Bytes of the previous prompt before the first break, of its pieces' texts alone.
    pub kept_bytes: usize,
    /// Its other bytes: no cache is read for what stands in their place.
    pub lost_bytes: usize,
    /// Tokens of the whole pieces of the previous prompt before the first break; only when it was counted.
    pub kept_tokens: Option<usize>,
    /// Its other tokens.
    pub lost_tokens: Option<usize>,
    /// Every difference in the order of the new prompt. Pieces appended at the end are none.
    pub changes: Vec<Change>,
}

/// Compares a prompt with the one before it.
///
/// Pieces are matched by name, messages by what they say. Verdict, piece, place and cause are those of the first break;
/// pieces appended at the end break nothing, and a name that changes breaks no cache, so that it counts only where
/// nothing else does.
///
/// Cost: linear in the number of pieces where they are equal or only appended, `n log n` between the first and the last
/// that differ, and linear in the texts of those that changed. `previous` may be none.
///
/// ```
/// use haversack::prompt::{Layer, Piece, Prompt, SnapshotOptions, Verdict, compare};
///
/// let prompt = |clock| {
///     let mut prompt = Prompt::new();
///     prompt.add(Piece::new("rules", "Be brief.", Layer::Static))?;
///     prompt.add(Piece::new("clock", clock, Layer::Static))?;
///     prompt.snapshot(&SnapshotOptions::default())
/// };
/// let comparison = compare(Some(&prompt("Now: 10:15:59")?), &prompt("Now: 10:16:00")?)?;
/// assert_eq!((comparison.verdict, comparison.piece.as_deref()), (Verdict::Changed, Some("clock")));
/// assert_eq!((comparison.at_byte, comparison.cause.map(|cause| cause.name())), (Some(9), Some("volatile")));
/// assert_eq!((comparison.kept_bytes, comparison.lost_bytes), (18, 4));
/// # Ok::<(), haversack::Error>(())
/// ```
///
/// # Errors
/// [`InvalidOption`](ErrorKind::InvalidOption) (`key`) when the snapshots were taken under different keys.
pub fn compare(previous: Option<&Snapshot>, next: &Snapshot) -> Result<Comparison, Error> {
    let Some(previous) = previous else { return Ok(Comparison::calm(Verdict::First, None)) };
    if previous.key_check != next.key_check {
        return Err(
            Error::new(ErrorKind::InvalidOption, "the snapshots were taken under different keys").argument_named("key")
        );
    }
    let (old, new) = (&*previous.pieces, &*next.pieces);
    let events = align::events(old, new);
    if events.is_empty() {
        let verdict = if new.len() > old.len() { Verdict::Extended } else { Verdict::Same };
        return Ok(Comparison::calm(verdict, Some(previous)));
    }
    let changes: Vec<Change> = events.iter().map(|event| change(event, previous, next)).collect();
    // What breaks the cache comes before what only has another name.
    let first = changes.iter().find(|change| change.cause != Cause::Rename).or(changes.first());
    let whole = old.iter().zip(new).take_while(|(a, b)| a.reads_as(b)).count();
    let before = old.get(..whole).unwrap_or_default();
    let inside = first.filter(|change| change.index == whole).and_then(|change| change.at_byte).unwrap_or(0);
    let kept_bytes = before.iter().map(|piece| piece.bytes).sum::<usize>() + inside;
    let kept_tokens = previous.tokens().and_then(|_| before.iter().map(|piece| piece.tokens).sum::<Option<usize>>());
    Ok(Comparison {
        verdict: first.map_or(Verdict::Same, |change| change.verdict),
        piece: first.map(|change| change.piece.clone()),
        index: first.map(|change| change.index),
        at_byte: first.and_then(|change| change.at_byte),
        at_byte_exact: first.is_some_and(|change| change.at_byte_exact),
        cause: first.map(|change| change.cause),
        kept_bytes,
        lost_bytes: previous.bytes() - kept_bytes,
        kept_tokens,
        lost_tokens: previous.tokens().and_then(|all| Some(all - kept_tokens?)),
        changes,
    })
}

impl Comparison {
    /// Nothing of the previous prompt is lost.
    fn calm(verdict: Verdict, previous: Option<&Snapshot>) -> Self {
        let tokens = previous.and_then(Snapshot::tokens);
        Comparison {
            verdict,
            piece: None,
            index: None,
            at_byte: None,
            at_byte_exact: false,
            cause: None,
            kept_bytes: previous.map_or(0, Snapshot::bytes),
            lost_bytes: 0,
            kept_tokens: tokens,
            lost_tokens: tokens.map(|_| 0),
            changes: Vec::new(),
        }
    }
}

/// What an event of the alignment means.
fn change(event: &Event, previous: &Snapshot, next: &Snapshot) -> Change {
    let old = event.old.and_then(|i| previous.pieces.get(i));
    let new = event.new.and_then(|i| next.pieces.get(i));
    let name = |piece: Option<&Print>| piece.map(|piece| String::from(&*piece.name)).unwrap_or_default();
    let mut change = Change {
        verdict: match event.kind {
            EventKind::Shortened => Verdict::Shortened,
            EventKind::Removed => Verdict::Removed,
            EventKind::Moved => Verdict::Reordered,
            EventKind::Changed | EventKind::Renamed => Verdict::Changed,
            EventKind::Inserted => Verdict::Inserted,
        },
        piece: name(new.or(old)),
        was: old.filter(|old| new.is_some_and(|new| new.name != old.name)).map(|old| String::from(&*old.name)),
        index: event.index,
        at_byte: None,
        at_byte_exact: false,
        cause: cause::of_kind(event.kind, new.or(old)),
        volatile: None,
    };
    if let (EventKind::Changed, Some(a), Some(b)) = (event.kind, old, new) {
        let (at, exact) = first_byte(a, b);
        (change.at_byte, change.at_byte_exact) = (Some(at), exact);
        (change.cause, change.volatile) = cause::of_change((a, &previous.digester), (b, &next.digester), at, exact);
    }
    change
}

/// The first byte in which two pieces differ, and whether that is exact.
fn first_byte(a: &Print, b: &Print) -> (usize, bool) {
    if let (Some(a), Some(b)) = (a.text(), b.text()) {
        return (common_prefix(a.as_bytes(), b.as_bytes()), true);
    }
    let same = a.sent.prefixes.iter().zip(&b.sent.prefixes).take_while(|(x, y)| x == y).count();
    (same * CHUNK, false)
}

/// How many bytes two texts have in common at their start.
pub(super) fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    // Whole stretches first: they compare as fast as memory is read.
    const STRETCH: usize = 1024;
    let equal = a.chunks_exact(STRETCH).zip(b.chunks_exact(STRETCH)).take_while(|(x, y)| x == y).count() * STRETCH;
    let rest = |bytes: &'_ [u8]| -> usize { bytes.len() - equal };
    let until = equal + rest(a).min(rest(b));
    (equal..until).find(|&i| a.get(i) != b.get(i)).unwrap_or(until)
}
