//! How a prompt differs from the one before, as Python sees it.

use haversack::prompt as core;
use pyo3::prelude::*;

/// How a prompt differs from the one before.
#[pyclass(frozen, eq, get_all, module = "haversack")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Comparison {
    /// `"first"`, `"same"`, `"extended"`, `"shortened"`, `"reordered"`, `"changed"`, `"inserted"` or `"removed"`.
    verdict: &'static str,
    /// The piece where it happened.
    piece: Option<String>,
    /// The first place that differs, counted in pieces of the new prompt.
    index: Option<usize>,
    /// The first byte of that piece that differs, where the piece changed.
    at_byte: Option<usize>,
    /// False where `at_byte` is only known to 256 bytes.
    at_byte_exact: bool,
    /// Why: `"edit"`, `"truncation"`, `"insertion"`, `"removal"`, `"reorder"`, `"rename"`, `"key_order"`,
    /// `"volatile"`, `"tool_added"`, `"tool_removed"`, `"tool_description"`, `"tool_schema"`, `"setting"` or `"model"`.
    cause: Option<&'static str>,
    /// Bytes of the previous prompt before the first break, of its pieces' texts alone.
    kept_bytes: usize,
    /// Its other bytes.
    lost_bytes: usize,
    /// Tokens of the whole pieces before the first break; `None` when the previous snapshot was not counted.
    kept_tokens: Option<usize>,
    /// Its other tokens.
    lost_tokens: Option<usize>,
    /// Every difference in the order of the new prompt. Pieces appended at the end are none.
    changes: Vec<PieceChange>,
}

impl From<core::Comparison> for Comparison {
    fn from(it: core::Comparison) -> Self {
        Comparison {
            verdict: it.verdict.name(),
            piece: it.piece,
            index: it.index,
            at_byte: it.at_byte,
            at_byte_exact: it.at_byte_exact,
            cause: it.cause.map(core::Cause::name),
            kept_bytes: it.kept_bytes,
            lost_bytes: it.lost_bytes,
            kept_tokens: it.kept_tokens,
            lost_tokens: it.lost_tokens,
            changes: it.changes.into_iter().map(PieceChange::from).collect(),
        }
    }
}

#[pymethods]
impl Comparison {
    fn __repr__(&self) -> String {
        let c = self;
        let place =
            c.piece.as_ref().map(|piece| format!(", piece={piece:?}, cause={}", self.cause.unwrap_or_default()));
        let byte = c.at_byte.map(|at| format!(", at_byte={at}"));
        let (place, byte) = (place.unwrap_or_default(), byte.unwrap_or_default());
        format!("Comparison({}{place}{byte}, kept_bytes={}, lost_bytes={})", self.verdict, c.kept_bytes, c.lost_bytes)
    }
}

/// One difference between two prompts.
#[pyclass(frozen, eq, get_all, module = "haversack")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PieceChange {
    /// `"shortened"`, `"reordered"`, `"changed"`, `"inserted"` or `"removed"`.
    verdict: &'static str,
    /// The piece: its name in the new prompt, or in the old one where it is gone.
    piece: String,
    /// Its name in the old prompt, where that is another.
    was: Option<String>,
    /// The first place in the new prompt that differs for it: where it stands, where it stood, or would stand.
    index: usize,
    /// The first byte of the piece that differs; of changed pieces only.
    at_byte: Option<usize>,
    /// False where `at_byte` is only known to 256 bytes.
    at_byte_exact: bool,
    /// Why: one of the causes of `Comparison.cause`.
    cause: &'static str,
    /// What the volatile value is, where that is the cause: `"time"`, `"uuid"` …
    volatile: Option<&'static str>,
}

impl From<core::Change> for PieceChange {
    fn from(it: core::Change) -> Self {
        PieceChange {
            verdict: it.verdict.name(),
            piece: it.piece,
            was: it.was,
            index: it.index,
            at_byte: it.at_byte,
            at_byte_exact: it.at_byte_exact,
            cause: it.cause.name(),
            volatile: it.volatile.map(core::VolatileKind::name),
        }
    }
}

#[pymethods]
impl PieceChange {
    fn __repr__(&self) -> String {
        format!("PieceChange({} {:?} at {}, cause={})", self.verdict, self.piece, self.index, self.cause)
    }
}
