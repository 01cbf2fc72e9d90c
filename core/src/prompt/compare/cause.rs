//! Why a piece changed.

use super::align::EventKind;
use super::{Cause, Digester, Print};
use crate::prompt::piece::PieceKind;
use crate::prompt::snapshot::shape_of;
use crate::prompt::volatile::{Values, VolatileKind, masked};

/// The cause that the event and the kind of the piece tell.
pub(super) fn of_kind(event: EventKind, piece: Option<&Print>) -> Cause {
    let kind = piece.map(|piece| piece.kind);
    match (event, kind) {
        (EventKind::Moved, _) => Cause::Reorder,
        (EventKind::Renamed, _) => Cause::Rename,
        (_, Some(PieceKind::Setting)) if piece.is_some_and(is_model) => Cause::Model,
        (_, Some(PieceKind::Setting)) => Cause::Setting,
        (EventKind::Inserted, Some(PieceKind::Tool)) => Cause::ToolAdded,
        (EventKind::Removed | EventKind::Shortened, Some(PieceKind::Tool)) => Cause::ToolRemoved,
        (EventKind::Inserted, _) => Cause::Insertion,
        (EventKind::Removed | EventKind::Shortened, _) => Cause::Removal,
        (EventKind::Changed, _) => Cause::Edit,
    }
}

fn is_model(piece: &Print) -> bool {
    matches!(&*piece.name, "settings/model" | "settings/modelId")
}

/// The cause of a change between two pieces that part at byte `at`.
pub(super) fn of_change(
    old: (&Print, &Digester),
    new: (&Print, &Digester),
    at: usize,
    exact: bool,
) -> (Cause, Option<VolatileKind>) {
    let ((a, old_digester), (b, new_digester)) = (old, new);
    if a.canonical == b.canonical {
        return (Cause::KeyOrder, None);
    }
    if b.kind == PieceKind::Setting {
        return (of_kind(EventKind::Changed, Some(b)), None);
    }
    if let (Some(x), Some(y)) = (a.text(), b.text()) {
        if let Some(kind) = differing_value(x, y) {
            return (Cause::Volatile, Some(kind));
        }
        if b.kind == PieceKind::Tool {
            let shapes = (shape_of(x), shape_of(y));
            return (of_tool(shapes.0.is_some() && shapes.0 == shapes.1), None);
        }
    } else {
        let (x, y) = (a.details(old_digester), b.details(new_digester));
        if x.masked.is_some() && x.masked == y.masked {
            let differing = y.volatile.iter().find(|(start, _)| *start + LONGEST > at);
            return (Cause::Volatile, differing.map(|(_, kind)| *kind));
        }
        if b.kind == PieceKind::Tool {
            return (of_tool(x.shape.is_some() && x.shape == y.shape), None);
        }
    }
    // All of the new text is how the old one began; of stored ones only where it ends on a chunk.
    let cut = b.bytes < a.bytes && at == b.bytes && (exact || at > 0);
    (if cut { Cause::Truncation } else { Cause::Edit }, None)
}

const fn of_tool(same_shape: bool) -> Cause {
    if same_shape { Cause::ToolDescription } else { Cause::ToolSchema }
}

/// Bytes that the start of a value may stand before the first byte that differs in it.
const LONGEST: usize = 64;

/// The kind of the first value that differs, where two texts differ in nothing else.
fn differing_value(a: &str, b: &str) -> Option<VolatileKind> {
    let mut pairs = Values::of(a).zip(Values::of(b));
    let differs = pairs.find(|(x, y)| a.get(x.start..x.end) != b.get(y.start..y.end));
    let (_, value) = differs?;
    (masked(a) == masked(b)).then_some(value.kind)
}
