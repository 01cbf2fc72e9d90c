//! A prompt as text: the same bytes for the same pieces, on every platform and in every language.

use alloc::string::String;

use super::piece::{Layer, Piece, PieceKind, SharedText};
use super::sequence::Prompt;
use crate::error::Error;
use crate::json::canonical_json;
use crate::limits::Limits;
use crate::wording::BETWEEN_PIECES;

impl Piece {
    /// A tool that you own: the piece `tools/NAME` with the canonical form (RFC 8785) of its definition, so that the
    /// same definition has the same bytes however its keys were ordered. In a layer such tools come first, by name.
    ///
    /// What a model or a provider wrote is never serialised anew: add it as a plain piece.
    ///
    /// # Errors
    /// [`InvalidJson`](crate::ErrorKind::InvalidJson), [`TooDeep`](crate::ErrorKind::TooDeep) and
    /// [`NotCanonical`](crate::ErrorKind::NotCanonical), with the piece's name.
    pub fn tool(name: &str, definition: &str, layer: Layer) -> Result<Piece, Error> {
        let name = alloc::format!("tools/{name}");
        let canonical = canonical_json(definition, Limits::DEFAULT.depth).map_err(|e| e.of_piece(&*name))?;
        let mut piece = Piece::new(name, "", layer).of_kind(PieceKind::Tool);
        piece.text = SharedText::from(alloc::sync::Arc::from(&*canonical.into_text()));
        piece.is_owned_tool = true;
        Ok(piece)
    }
}

impl Prompt {
    /// The texts of all pieces but settings, in the order of the prompt, a blank line between two of them.
    pub fn render(&self) -> String {
        let mut out = String::new();
        for piece in self.pieces().filter(|piece| piece.kind() != PieceKind::Setting) {
            if !out.is_empty() {
                out.push_str(BETWEEN_PIECES);
            }
            out.push_str(piece.text());
        }
        out
    }

    /// The definitions of the tools that were added with [`Piece::tool`], as one JSON array in the order of the prompt:
    /// what goes into the `tools` of a request.
    pub fn tools_json(&self) -> String {
        let mut out = String::from("[");
        for piece in self.pieces().filter(|piece| piece.is_owned_tool) {
            if out.len() > 1 {
                out.push(',');
            }
            out.push_str(piece.text());
        }
        out.push(']');
        out
    }
}
