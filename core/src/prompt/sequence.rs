//! A prompt: pieces in the order of their layers.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::mark::Mark;
use super::piece::Piece;
use crate::error::{Error, ErrorKind};
use crate::wire::WireFormat;

/// An ordered sequence of named pieces: layer by layer, and within a layer in the order in which they were added (tools
/// made by [`Piece::tool`] first, by name).
///
/// ```
/// use haversack::prompt::{Layer, Piece, Prompt};
///
/// let mut prompt = Prompt::new();
/// prompt.add(Piece::new("now", "It is Monday.", Layer::Turn))?;
/// prompt.add(Piece::new("rules", "Be brief.", Layer::Static))?;
/// let names: Vec<&str> = prompt.pieces().map(Piece::name).collect();
/// assert_eq!(names, ["rules", "now"]);
/// # Ok::<(), haversack::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Prompt {
    layers: [Pieces; 4],
    names: BTreeSet<Arc<str>>,
    pub(super) format: Option<WireFormat>,
    pub(super) automatic_mark: Option<Mark>,
}

/// The pieces of one layer.
#[derive(Clone, Debug, Default)]
struct Pieces {
    /// Tools of the host's, by name.
    tools: BTreeMap<Arc<str>, Piece>,
    rest: Vec<Piece>,
}

impl Prompt {
    /// A prompt without pieces.
    pub fn new() -> Self {
        Prompt::default()
    }

    /// Adds a piece at the end of its layer. Cost: logarithmic in the number of pieces.
    ///
    /// # Errors
    /// [`DuplicatePiece`](ErrorKind::DuplicatePiece) when a piece has this name already; [`Error::piece`] is the name.
    pub fn add(&mut self, piece: Piece) -> Result<(), Error> {
        if self.names.contains(&piece.name) {
            let message = alloc::format!("two pieces are named {}", crate::wording::quoted_part(&piece.name));
            return Err(Error::new(ErrorKind::DuplicatePiece, message).of_piece(&*piece.name));
        }
        self.names.insert(Arc::clone(&piece.name));
        let at = piece.layer as usize;
        if let Some(layer) = self.layers.get_mut(at) {
            if piece.is_owned_tool {
                layer.tools.insert(Arc::clone(&piece.name), piece);
            } else {
                layer.rest.push(piece);
            }
        }
        Ok(())
    }

    /// True when a piece has this name.
    pub fn has(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// The pieces in the order of the prompt.
    pub fn pieces(&self) -> impl DoubleEndedIterator<Item = &Piece> + Clone {
        self.layers.iter().flat_map(|layer| layer.tools.values().chain(&layer.rest))
    }

    /// The same prompt before anyone spoke: without conversation and notes, with all settings, instructions, tools and
    /// facts. What a sub-agent with a blank history starts from; [`shared_prefix`](super::shared_prefix) proves how
    /// much of the cache it inherits. Texts are shared, not copied.
    ///
    /// ```
    /// use haversack::prompt::{Layer, Piece, PieceKind, Prompt, shared_prefix};
    ///
    /// let mut agent = Prompt::new();
    /// agent.add(Piece::new("rules", "Be brief.", Layer::Static))?;
    /// agent.add(Piece::new("talk", "Hello!", Layer::Session).of_kind(PieceKind::Conversation))?;
    /// let mut helper = agent.without_conversation();
    /// helper.add(Piece::new("task", "Count the words.", Layer::Session).of_kind(PieceKind::Conversation))?;
    /// let shared = shared_prefix(&agent, &helper, None)?;
    /// assert_eq!((shared.bytes, shared.piece.as_deref()), (9, Some("task")));
    /// # Ok::<(), haversack::Error>(())
    /// ```
    #[must_use]
    pub fn without_conversation(&self) -> Prompt {
        let mut prompt = Prompt { format: self.format, ..Prompt::new() };
        for (from, to) in self.layers.iter().zip(&mut prompt.layers) {
            to.tools.clone_from(&from.tools);
            to.rest.extend(from.rest.iter().filter(|piece| piece.is_before_conversation()).cloned());
        }
        prompt.names = prompt.pieces().map(|piece| Arc::clone(&piece.name)).collect();
        prompt
    }

    /// The messages of a request, in order.
    pub(super) fn messages_mut(&mut self) -> impl Iterator<Item = &mut Piece> {
        self.layers.iter_mut().flat_map(|layer| &mut layer.rest).filter(|piece| piece.is_message)
    }

    /// The piece of that name. Cost: linear in the number of pieces.
    pub fn piece(&self, name: &str) -> Option<&Piece> {
        self.has(name).then(|| self.pieces().find(|piece| piece.name() == name)).flatten()
    }

    /// How many pieces there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// True without any piece.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The wire format of the request that it was taken from.
    pub const fn format(&self) -> Option<WireFormat> {
        self.format
    }

    /// The cache mark of the whole request, which stands wherever the request ends (its `at` says nothing).
    pub const fn automatic_mark(&self) -> Option<Mark> {
        self.automatic_mark
    }
}
