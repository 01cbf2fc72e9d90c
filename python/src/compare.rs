//! How a prompt differs from the one before, as Python sees it.

use haversack::prompt as core;
use pyo3::prelude::*;

/// How a prompt differs from the one before.
#[pyclass(frozen, eq, module = "haversack")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Comparison(pub(crate) core::Comparison);

#[pymethods]
impl Comparison {
    /// `"first"`, `"same"`, `"extended"`, `"shortened"`, `"reordered"`, `"changed"`, `"inserted"` or `"removed"`.
    #[getter]
    fn verdict(&self) -> &'static str {
        self.0.verdict.name()
    }

    /// The piece where it happened.
    #[getter]
    fn piece(&self) -> Option<&str> {
        self.0.piece.as_deref()
    }

    /// The first place that differs, counted in pieces of the new prompt.
    #[getter]
    fn index(&self) -> Option<usize> {
        self.0.index
    }

    /// The first byte of that piece that differs, where the piece changed.
    #[getter]
    fn at_byte(&self) -> Option<usize> {
        self.0.at_byte
    }

    /// False where `at_byte` is only known to 256 bytes.
    #[getter]
    fn at_byte_exact(&self) -> bool {
        self.0.at_byte_exact
    }

    /// Why: `"edit"`, `"truncation"`, `"insertion"`, `"removal"`, `"reorder"`, `"rename"`, `"key_order"`, `"volatile"`,
    /// `"tool_added"`, `"tool_removed"`, `"tool_description"`, `"tool_schema"`, `"setting"` or `"model"`.
    #[getter]
    fn cause(&self) -> Option<&'static str> {
        self.0.cause.map(core::Cause::name)
    }

    /// Bytes of the previous prompt before the first break, of its pieces' texts alone.
    #[getter]
    fn kept_bytes(&self) -> usize {
        self.0.kept_bytes
    }

    /// Its other bytes.
    #[getter]
    fn lost_bytes(&self) -> usize {
        self.0.lost_bytes
    }

    /// Tokens of the whole pieces before the first break; `None` when the previous snapshot was not counted.
    #[getter]
    fn kept_tokens(&self) -> Option<usize> {
        self.0.kept_tokens
    }

    /// Its other tokens.
    #[getter]
    fn lost_tokens(&self) -> Option<usize> {
        self.0.lost_tokens
    }

    /// Every difference in the order of the new prompt. Pieces appended at the end are none.
    #[getter]
    fn changes(&self) -> Vec<PieceChange> {
        self.0.changes.iter().cloned().map(PieceChange).collect()
    }

    fn __repr__(&self) -> String {
        let c = &self.0;
        let place =
            c.piece.as_ref().map(|piece| format!(", piece={piece:?}, cause={}", self.cause().unwrap_or_default()));
        let byte = c.at_byte.map(|at| format!(", at_byte={at}"));
        let (place, byte) = (place.unwrap_or_default(), byte.unwrap_or_default());
        format!("Comparison({}{place}{byte}, kept_bytes={}, lost_bytes={})", self.verdict(), c.kept_bytes, c.lost_bytes)
    }
}

/// One difference between two prompts.
#[pyclass(frozen, eq, module = "haversack")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PieceChange(core::Change);

#[pymethods]
impl PieceChange {
    /// `"shortened"`, `"reordered"`, `"changed"`, `"inserted"` or `"removed"`.
    #[getter]
    fn verdict(&self) -> &'static str {
        self.0.verdict.name()
    }

    /// The piece: its name in the new prompt, or in the old one where it is gone.
    #[getter]
    fn piece(&self) -> &str {
        &self.0.piece
    }

    /// Its name in the old prompt, where that is another.
    #[getter]
    fn was(&self) -> Option<&str> {
        self.0.was.as_deref()
    }

    /// The first place in the new prompt that differs for it: where it stands, where it stood, or would stand.
    #[getter]
    fn index(&self) -> usize {
        self.0.index
    }

    /// The first byte of the piece that differs; of changed pieces only.
    #[getter]
    fn at_byte(&self) -> Option<usize> {
        self.0.at_byte
    }

    /// False where `at_byte` is only known to 256 bytes.
    #[getter]
    fn at_byte_exact(&self) -> bool {
        self.0.at_byte_exact
    }

    /// Why: one of the causes of `Comparison.cause`.
    #[getter]
    fn cause(&self) -> &'static str {
        self.0.cause.name()
    }

    /// What the volatile value is, where that is the cause: `"time"`, `"uuid"` …
    #[getter]
    fn volatile(&self) -> Option<&'static str> {
        self.0.volatile.map(core::VolatileKind::name)
    }

    fn __repr__(&self) -> String {
        format!("PieceChange({} {:?} at {}, cause={})", self.verdict(), self.0.piece, self.0.index, self.cause())
    }
}
