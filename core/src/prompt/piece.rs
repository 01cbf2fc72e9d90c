//! One named piece of a prompt.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use super::mark::Mark;
use super::report::ToolResult;
use crate::error::{Error, ErrorKind};
use crate::wording::quoted_part;

kinds! {
    /// How often a piece changes. Layers stand in a prompt in this order, so that what never changes comes first.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Layer;

    /// Never, while this version of the agent runs: instructions, tools.
    Static = 1, "static";
    /// Now and then: rules of a project, a list of skills.
    Rare = 2, "rare";
    /// Once a session, or by growing at its end: facts about the user, the conversation.
    Session = 3, "session";
    /// With every call.
    Turn = 4, "turn";
}

impl Layer {
    /// The layer of that name for the piece `piece`.
    ///
    /// # Errors
    /// [`UnknownLayer`](ErrorKind::UnknownLayer) with the piece's name.
    pub fn of_piece(name: &str, piece: &str) -> Result<Layer, Error> {
        Layer::named(name).ok_or_else(|| {
            let (layer, shown) = (quoted_part(name), quoted_part(piece));
            let message = alloc::format!("{shown}: layer is one of static, rare, session, turn, not {layer}");
            Error::new(ErrorKind::UnknownLayer, message).of_piece(piece)
        })
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

kinds! {
    /// What a piece is for: the five kinds of context, and settings, which are no context but part of a cache's key.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum PieceKind;

    /// What the model is told to do.
    Instructions = 1, "instructions";
    /// The definition of a tool.
    Tool = 2, "tool";
    /// Facts about the user or the session.
    Facts = 3, "facts";
    /// A message, with its calls or results.
    Conversation = 4, "conversation";
    /// Notes about the current turn.
    Notes = 5, "notes";
    /// A setting of the request that a cache depends on: the model, the tool choice.
    Setting = 6, "setting";
}

impl PieceKind {
    /// What a piece of this layer is, unless its host says something else.
    pub const fn usual(layer: Layer) -> PieceKind {
        match layer {
            Layer::Static | Layer::Rare => PieceKind::Instructions,
            Layer::Session => PieceKind::Facts,
            Layer::Turn => PieceKind::Notes,
        }
    }
}

impl fmt::Display for PieceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that prompts and their snapshots share: a part of a request body, or a text of its own.
#[derive(Clone)]
pub(crate) struct SharedText {
    whole: Arc<str>,
    start: usize,
    end: usize,
}

impl SharedText {
    /// `start..end` of `whole`, which are ends of characters.
    pub(crate) fn part(whole: &Arc<str>, start: usize, end: usize) -> Self {
        SharedText { whole: Arc::clone(whole), start, end }
    }

    pub(crate) fn as_str(&self) -> &str {
        self.whole.get(self.start..self.end).unwrap_or_default()
    }
}

impl From<Arc<str>> for SharedText {
    fn from(whole: Arc<str>) -> Self {
        SharedText { start: 0, end: whole.len(), whole }
    }
}

impl fmt::Debug for SharedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}

/// A piece of a prompt: a name that no other piece has, and its text.
///
/// ```
/// use haversack::prompt::{Layer, Piece, PieceKind};
///
/// let piece = Piece::new("rules", "Be brief.", Layer::Static).with_budget(2_000).owned_by("platform");
/// assert_eq!((piece.name(), piece.kind(), piece.owner()), ("rules", PieceKind::Instructions, Some("platform")));
/// ```
#[derive(Clone, Debug)]
pub struct Piece {
    pub(super) name: Arc<str>,
    pub(super) layer: Layer,
    pub(super) kind: PieceKind,
    pub(super) text: SharedText,
    pub(super) budget: Option<usize>,
    pub(super) owner: Option<Arc<str>>,
    pub(super) marks: Vec<Mark>,
    /// What it says with a text in place of a list of one text block, where there is such a list.
    pub(super) plain: Option<SharedText>,
    /// The piece is a message, which is named by its place.
    pub(super) is_message: bool,
    /// The message is the model's.
    pub(super) is_answer: bool,
    /// The tool results in it.
    pub(super) results: Vec<ToolResult>,
    /// The thinking in it, when its turn has ended.
    pub(super) thinking: Vec<SharedText>,
    /// A tool of the host's, in canonical form.
    pub(super) is_owned_tool: bool,
}

impl Piece {
    /// A piece of the [usual](PieceKind::usual) kind of its layer, without budget and owner.
    pub fn new(name: impl Into<Arc<str>>, text: impl Into<Arc<str>>, layer: Layer) -> Self {
        Piece {
            name: name.into(),
            layer,
            kind: PieceKind::usual(layer),
            text: SharedText::from(text.into()),
            budget: None,
            owner: None,
            marks: Vec::new(),
            plain: None,
            is_message: false,
            is_answer: false,
            results: Vec::new(),
            thinking: Vec::new(),
            is_owned_tool: false,
        }
    }

    /// The same piece as another kind.
    #[must_use]
    pub fn of_kind(mut self, kind: PieceKind) -> Self {
        self.kind = kind;
        self
    }

    /// The same piece with a budget of its own, in the unit that [`Prompt::report`](super::Prompt::report) measures in.
    #[must_use]
    pub fn with_budget(mut self, budget: usize) -> Self {
        self.budget = Some(budget);
        self
    }

    /// The same piece with an owner: whoever has to answer when it overruns its budget.
    #[must_use]
    pub fn owned_by(mut self, owner: impl Into<Arc<str>>) -> Self {
        self.owner = Some(owner.into());
        self
    }

    /// Its name: yours, or `settings/KEY`, `tools/NAME`, `system`, `message N` of a request.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How often it changes.
    pub const fn layer(&self) -> Layer {
        self.layer
    }

    /// What it is for.
    pub const fn kind(&self) -> PieceKind {
        self.kind
    }

    /// Its text; of a request the JSON text of the value as it was sent, without cache marks.
    pub fn text(&self) -> &str {
        self.text.as_str()
    }

    /// What it may take at most.
    pub const fn budget(&self) -> Option<usize> {
        self.budget
    }

    /// Who answers for it.
    pub fn owner(&self) -> Option<&str> {
        self.owner.as_deref()
    }

    /// The cache marks on it, in order; only pieces of a request have any.
    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// Stands before the conversation: settings, instructions, tools and facts, but for system messages between others.
    pub(super) fn is_before_conversation(&self) -> bool {
        let is_talk = matches!(self.kind, PieceKind::Conversation | PieceKind::Notes);
        let is_between_others = self.is_message && self.layer >= Layer::Session;
        !is_talk && !is_between_others
    }

    /// True for a message of a request: its name is its place, so that it has none to be renamed.
    pub const fn is_message(&self) -> bool {
        self.is_message
    }
}
