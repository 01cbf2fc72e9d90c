//! What a prompt is made of, in sizes: by piece, layer and kind, against budgets, and how much of it is dead weight.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::piece::{Layer, Piece, PieceKind, SharedText};
use super::sequence::Prompt;
use crate::error::Error;
use crate::measure::{Budget, Unit};

/// A tool result in a message of a request.
#[derive(Clone, Debug)]
pub(super) struct ToolResult {
    /// What it says, or the whole of it.
    pub(super) text: SharedText,
    /// It tells of an error.
    pub(super) error: bool,
    /// The tool that gave it, where that is known.
    pub(super) tool: Option<Arc<str>>,
}

/// The size of one piece.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PieceSize {
    /// Its name.
    pub name: String,
    /// Its layer.
    pub layer: Layer,
    /// What it is for.
    pub kind: PieceKind,
    /// Its size in the unit of the report.
    pub size: usize,
    /// What it may take at most.
    pub budget: Option<usize>,
    /// Who answers for it.
    pub owner: Option<String>,
}

impl PieceSize {
    /// By how much it is above its budget; 0 when it is not, or has none.
    pub fn over(&self) -> usize {
        self.budget.map_or(0, |budget| self.size.saturating_sub(budget))
    }
}

/// Content that no later turn needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeadWeight {
    /// Tool results that the model has answered since: every one before its last message.
    pub old_results: usize,
    /// Of the errors among them those whose tool gave a result later on; not counted as old results again.
    pub resolved_errors: usize,
    /// Scratch work that is done: the model's thinking in turns that ended, which is before the last message of the
    /// user's own.
    pub thinking: usize,
}

impl DeadWeight {
    /// All of it together.
    pub const fn total(&self) -> usize {
        self.old_results + self.resolved_errors + self.thinking
    }
}

/// The sizes of a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The unit of every size. Each piece is measured on its own, whether it is cached or not: a cache lowers a price,
    /// not a size.
    pub unit: Unit,
    /// Every piece in the order of the prompt.
    pub pieces: Vec<PieceSize>,
    /// The size of each layer, without settings.
    pub layers: Vec<(Layer, usize)>,
    /// The size of each kind.
    pub kinds: Vec<(PieceKind, usize)>,
    /// All pieces together but settings, which no model reads.
    pub total: usize,
    /// What all of them may take at most.
    pub budget: Option<usize>,
    /// What stands before the conversation starts: instructions, tools, facts.
    pub before_conversation: usize,
    /// What the conversation has grown by for each answer of the model so far, rounded up: see
    /// [`growth`](super::growth()). None before the first answer, and for prompts that were not taken from a request.
    pub per_call: Option<usize>,
    /// What no later turn needs; zeros for prompts that were not taken from a request.
    pub dead: DeadWeight,
}

impl Report {
    /// By how much all of it is above the budget; 0 when it is not, or there is none.
    pub fn over(&self) -> usize {
        self.budget.map_or(0, |budget| self.total.saturating_sub(budget))
    }

    /// How much of the total is dead weight, in parts per 10,000, rounded down. Parts of a message are measured on
    /// their own, so with a counter the sum may be off by a token each.
    pub fn dead_share(&self) -> u32 {
        let (dead, total) = (self.dead.total().min(self.total) as u128, self.total as u128);
        u32::try_from((dead * 10_000).checked_div(total).unwrap_or(0)).unwrap_or(10_000)
    }

    /// The pieces above their own budgets.
    pub fn overran(&self) -> impl Iterator<Item = &PieceSize> {
        self.pieces.iter().filter(|piece| piece.over() > 0)
    }
}

impl Prompt {
    /// Measures every piece in the unit of `measure`, whose limit is the budget of the whole (`usize::MAX` for none).
    /// Budgets of pieces are in the same unit.
    ///
    /// Cost: linear in the texts; with a counter one call a piece and a tool result.
    ///
    /// ```
    /// use haversack::Budget;
    /// use haversack::prompt::{Layer, Piece, Prompt};
    ///
    /// let mut prompt = Prompt::new();
    /// prompt.add(Piece::new("rules", "Be brief.", Layer::Static).with_budget(5).owned_by("platform"))?;
    /// let report = prompt.report(&Budget::bytes(100))?;
    /// let worst = report.overran().next().unwrap();
    /// assert_eq!((report.total, report.over(), worst.over(), worst.owner.as_deref()), (9, 0, 4, Some("platform")));
    /// # Ok::<(), haversack::Error>(())
    /// ```
    ///
    /// # Errors
    /// Whatever the counter reports.
    pub fn report(&self, measure: &Budget<'_>) -> Result<Report, Error> {
        let mut report = Report {
            unit: measure.unit(),
            pieces: Vec::with_capacity(self.len()),
            layers: Layer::ALL.iter().map(|layer| (*layer, 0)).collect(),
            kinds: PieceKind::ALL.iter().map(|kind| (*kind, 0)).collect(),
            total: 0,
            budget: Some(measure.limit()).filter(|limit| *limit < usize::MAX),
            before_conversation: 0,
            per_call: None,
            dead: self.dead_weight(measure)?,
        };
        let (mut conversation, mut answers, mut answered) = (0usize, 0usize, false);
        for piece in self.pieces() {
            let size = measure.size(piece.text()).map_err(|e| e.of_piece(piece.name()))?;
            let is_context = piece.kind != PieceKind::Setting;
            let is_early = is_context && piece.is_before_conversation();
            // What one call answers can be several messages in a row.
            answers += usize::from(piece.is_answer && !answered);
            answered = piece.is_answer;
            conversation += if is_context && !is_early { size } else { 0 };
            report.total += if is_context { size } else { 0 };
            report.before_conversation += if is_early { size } else { 0 };
            report.kinds.iter_mut().filter(|(kind, _)| *kind == piece.kind).for_each(|(_, sum)| *sum += size);
            let layers = report.layers.iter_mut().filter(|(layer, _)| is_context && *layer == piece.layer);
            layers.for_each(|(_, sum)| *sum += size);
            report.pieces.push(PieceSize {
                name: String::from(piece.name()),
                layer: piece.layer,
                kind: piece.kind,
                size,
                budget: piece.budget,
                owner: piece.owner().map(String::from),
            });
        }
        report.per_call = (answers > 0).then(|| conversation.div_ceil(answers));
        Ok(report)
    }

    fn dead_weight(&self, measure: &Budget<'_>) -> Result<DeadWeight, Error> {
        let mut dead = DeadWeight::default();
        let pieces: Vec<&Piece> = self.pieces().collect();
        for piece in &pieces {
            for text in &piece.thinking {
                dead.thinking += measure.size(text.as_str()).map_err(|e| e.of_piece(piece.name()))?;
            }
        }
        let Some(answered) = pieces.iter().rposition(|piece| piece.is_answer) else { return Ok(dead) };
        // From the end: which tools gave a result later on.
        let mut works: BTreeSet<&str> = BTreeSet::new();
        for (at, piece) in pieces.iter().enumerate().rev() {
            for result in piece.results.iter().rev() {
                let tool = result.tool.as_deref();
                if at < answered {
                    let size = measure.size(result.text.as_str()).map_err(|e| e.of_piece(piece.name()))?;
                    let resolved = result.error && tool.is_some_and(|tool| works.contains(tool));
                    *if resolved { &mut dead.resolved_errors } else { &mut dead.old_results } += size;
                }
                if !result.error
                    && let Some(tool) = tool
                {
                    works.insert(tool);
                }
            }
        }
        Ok(dead)
    }
}
