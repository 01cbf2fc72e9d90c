//! The messages after a cut or a repair: the source's own bytes wherever nothing changed.

use alloc::string::String;

use super::History;
use crate::wire::Shape;

/// A message of the resulting history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutMessage {
    /// The message of the input that it comes from; none for one that was added.
    pub source: Option<usize>,
    /// Its new text; none when it is the source's own bytes.
    pub text: Option<String>,
}

impl OutMessage {
    pub(crate) const fn untouched(source: usize) -> Self {
        OutMessage { source: Some(source), text: None }
    }

    /// True when it is the source's own bytes.
    pub const fn is_untouched(&self) -> bool {
        self.text.is_none()
    }
}

impl History<'_> {
    /// The text of one resulting message.
    pub fn text_of<'t>(&'t self, message: &'t OutMessage) -> &'t str {
        match (&message.text, message.source) {
            (Some(text), _) => text,
            (None, Some(source)) => self.message(source).unwrap_or_default(),
            (None, None) => "",
        }
    }

    /// The whole text with `messages` in place of its own: a body stays a body, a list a list.
    pub(crate) fn rendered(&self, messages: &[OutMessage]) -> String {
        let same = messages.len() == self.len()
            && messages.iter().enumerate().all(|(i, m)| m.source == Some(i) && m.is_untouched());
        if same || self.body.shape == Shape::Prompt {
            return self.text.clone().into_owned();
        }
        let list = self.body.list;
        let mut out = String::with_capacity(self.text.len());
        out.push_str(self.text.get(..list.start).unwrap_or_default());
        out.push('[');
        for (i, message) in messages.iter().enumerate() {
            if i > 0 {
                out.push(',');
            }
            out.push_str(self.text_of(message));
        }
        out.push(']');
        out.push_str(self.text.get(list.end..).unwrap_or_default());
        out
    }
}
