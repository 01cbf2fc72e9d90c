//! What every reader needs: the members of an object, what a string says, whether a text is blank.

use alloc::borrow::Cow;

use super::message::{Blank, BlockMark, Content, Link, Message, Part, PartKind, Role, Span};
use super::symbols::{Interner, Symbol};
use crate::json::{Kind, Tape, Value, Values, has_half_surrogate, key_text, unescape};

/// Reads the entries of one list into messages and parts.
pub(super) struct Reader<'t> {
    pub(super) text: &'t str,
    pub(super) tape: &'t Tape,
    pub(super) interner: Interner<'t>,
    pub(super) messages: alloc::vec::Vec<Message>,
    pub(super) parts: alloc::vec::Vec<Part>,
    pub(super) marks: alloc::vec::Vec<BlockMark>,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str, tape: &'t Tape) -> Self {
        Reader {
            text,
            tape,
            interner: Interner::new(text),
            messages: alloc::vec::Vec::new(),
            parts: alloc::vec::Vec::new(),
            marks: alloc::vec::Vec::new(),
        }
    }

    pub(super) fn children(&self, node: &Value) -> Values<'t> {
        self.tape.children(node)
    }

    /// How many elements or members a container has.
    pub(super) fn count(&self, node: &Value) -> usize {
        self.children(node).count()
    }

    /// The members of an object with what their keys say. Of equal keys the last one counts, as for every parser.
    pub(super) fn members(&self, node: &Value) -> impl Iterator<Item = (Cow<'t, str>, Value)> + use<'t> {
        let (text, tape) = (self.text, self.tape);
        let is_object = node.kind(text) == Kind::Object;
        let values = is_object.then(|| self.children(node)).into_iter().flatten();
        values.map(move |value| (tape.key(text, &value), value))
    }

    pub(super) fn member(&self, node: &Value, name: &str) -> Option<Value> {
        self.members(node).filter(|(key, _)| key == name).last().map(|(_, node)| node)
    }

    pub(super) fn kind(&self, node: &Value) -> Kind {
        node.kind(self.text)
    }

    /// What a string value says; nothing for other values.
    pub(super) fn string(&self, node: &Value) -> Option<Cow<'t, str>> {
        (self.kind(node) == Kind::String).then(|| key_text(node.raw(self.text)))
    }

    pub(super) fn is_null(&self, node: &Value) -> bool {
        node.raw(self.text) == "null"
    }

    /// True for `true` only.
    pub(super) fn is_true(&self, node: &Value) -> bool {
        node.raw(self.text) == "true"
    }

    /// The symbol of a string that says something.
    pub(super) fn symbol(&mut self, node: &Value) -> Option<Symbol> {
        let span = Span::from(node);
        (self.kind(node) == Kind::String && span.end - span.start > 2).then(|| self.interner.symbol(span))
    }

    /// The link that an id member gives; `null` is as good as none. Half a surrogate equals no other: such an id is
    /// none.
    pub(super) fn link(&mut self, node: Option<&Value>, without: Link) -> (Link, Option<Span>) {
        match node {
            Some(node) if !self.is_null(node) => {
                let half = has_half_surrogate(node.raw(self.text));
                let link = self.symbol(node).filter(|_| !half).map_or(Link::Bad, Link::Id);
                (link, Some(Span::from(node)))
            }
            _ => (without, None),
        }
    }

    /// The text of a block: what it amounts to, or that it is none.
    pub(super) fn text_part(&self, text: Option<&Value>) -> PartKind {
        match text {
            None => PartKind::Text(Blank::Empty),
            Some(text) if self.kind(text) == Kind::String => PartKind::Text(self.blank(text)),
            Some(_) => PartKind::Wrong,
        }
    }

    /// What stands where an object belongs and is none.
    pub(super) fn is_no_object(&self, node: Option<&Value>) -> bool {
        node.is_some_and(|node| self.kind(node) != Kind::Object)
    }

    pub(super) fn blank(&self, node: &Value) -> Blank {
        blank(node.raw(self.text))
    }

    /// A new message, with the parts still to come.
    pub(super) fn open(&mut self, node: &Value, role: Role) -> usize {
        let at = self.parts.len();
        self.messages.push(Message {
            span: Span::from(node),
            role,
            content: Content::Missing,
            content_span: None,
            calls_span: None,
            item_id: None,
            first_part: at,
            end_part: at,
            says_otherwise: false,
            reasoning_content: false,
            prefix: false,
            ill_typed: false,
        });
        self.messages.len() - 1
    }

    /// Adds a part to the message that was opened last.
    pub(super) fn push(&mut self, span: Span, kind: PartKind) -> &mut Part {
        let message = self.messages.len().saturating_sub(1);
        if let Some(open) = self.messages.last_mut() {
            open.end_part = self.parts.len() + 1;
        }
        let at = self.parts.len();
        self.parts.push(Part {
            message,
            span,
            kind,
            link: Link::Order,
            id_span: None,
            name: None,
            family: 0,
            signed: false,
            long_mark: None,
            body: None,
            ill_typed: false,
        });
        // It was just pushed.
        &mut self.parts[at]
    }

    /// Takes the content of the message opened last: what it is, and each entry of a list by `entry`.
    pub(super) fn content(&mut self, node: &Value, mut entry: impl FnMut(&mut Self, &Value)) {
        let content = match self.kind(node) {
            Kind::String => Content::Text(self.blank(node)),
            Kind::Array => Content::List,
            _ if self.is_null(node) => Content::Null,
            _ => Content::Wrong,
        };
        if let Some(open) = self.messages.last_mut() {
            open.content = content;
            open.content_span = Some(Span::from(node));
        }
        if content == Content::List {
            for child in self.children(node) {
                entry(self, &child);
            }
        }
    }

    /// As [`content`](Reader::content), where a string is the one part of the message.
    pub(super) fn spoken(&mut self, node: &Value, entry: impl FnMut(&mut Self, &Value)) {
        self.content(node, entry);
        if let Some(Content::Text(blank)) = self.messages.last().map(|message| message.content) {
            self.push(Span::from(node), PartKind::Text(blank));
        }
    }

    /// Opens a message that is nothing but a role and content, and gives the content.
    pub(super) fn turn(&mut self, node: &Value) -> Option<Value> {
        let (mut role, mut content) = (None, None);
        for (key, value) in self.members(node) {
            match &*key {
                "role" => role = self.string(&value),
                "content" => content = Some(value),
                _ => {}
            }
        }
        let role = match role.as_deref() {
            Some("system") => Role::System,
            Some("user") => Role::User,
            Some("assistant") => Role::Assistant,
            _ => Role::Unknown,
        };
        self.open(node, role);
        content
    }
}

/// The kinds of block that a message of one of OpenAI's formats has.
pub(super) struct Blocks {
    pub(super) texts: &'static [&'static str],
    pub(super) media: &'static [&'static str],
    /// Members that mark a block for the cache.
    pub(super) marks: &'static [&'static str],
}

impl Blocks {
    /// Reads a block of a message.
    pub(super) fn read(&self, r: &mut Reader<'_>, node: &Value) {
        if r.kind(node) != Kind::Object {
            r.push(Span::from(node), PartKind::Wrong);
            return;
        }
        let (mut kind, mut text, mut mark) = (None, None, None);
        for (key, value) in r.members(node) {
            match &*key {
                "type" => kind = r.string(&value),
                "text" | "refusal" => text = Some(value),
                key if self.marks.contains(&key) => mark = Some(false),
                _ => {}
            }
        }
        let kind = match kind.as_deref() {
            Some(kind) if self.texts.contains(&kind) => r.text_part(text.as_ref()),
            Some(kind) if self.media.contains(&kind) => PartKind::Media,
            _ => PartKind::Other,
        };
        r.push(Span::from(node), kind).long_mark = mark;
    }
}

/// What a result's content amounts to: whether it is empty, and whether it holds a text block without text.
pub(super) fn result_body(reader: &Reader<'_>, body: Option<&Value>, text_key: &str) -> (bool, bool) {
    let Some(body) = body else {
        return (true, false);
    };
    match reader.kind(body) {
        Kind::String => (reader.blank(body) == Blank::Empty, false),
        Kind::Array => {
            let mut blank_text = false;
            for child in reader.children(body) {
                let text = reader.member(&child, text_key);
                blank_text |= text.is_some_and(|t| reader.kind(&t) == Kind::String && reader.blank(&t) == Blank::Empty);
            }
            (reader.children(body).next().is_none(), blank_text)
        }
        Kind::Object => (false, false),
        Kind::Scalar => (reader.is_null(body), false),
    }
}

/// Whether a string (quotes included) says something. White space is what Unicode and ASCII call so.
fn blank(raw: &str) -> Blank {
    if raw.len() <= 2 {
        return Blank::Empty;
    }
    let white = |c: char| c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c);
    if unescape(raw).all(|(_, _, c)| white(c)) { Blank::White } else { Blank::Visible }
}
