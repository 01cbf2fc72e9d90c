//! Everything a provider would refuse. One file a format; each rule under the name (`OC-R1`: OpenAI Chat, rule 1) that
//! `core/DESIGN.md` gives it, with what it was taken from.

mod anthropic;
mod bedrock;
mod gemini;
mod openai_chat;
mod openai_responses;

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use super::History;
use super::pair::{Pairs, Tie};
use super::violation::{Violation, ViolationKind};
use super::wording;
use crate::json::Children;
use crate::wire::{
    Blank, Body, Content, FormatFacts, IdRule, Link, Message, ModelFacts, Part, PartKind, Profile, Role, Shape, Span,
};
use crate::wire::{Symbol, WireFormat};

impl History<'_> {
    /// What the provider would refuse, in the order of the messages.
    ///
    /// A history at rest may end on an assistant message or on calls in flight; with `sending` that is a violation too.
    ///
    /// Cost: linear in messages and blocks, whatever is wrong with them.
    pub fn violations(&self, sending: bool) -> Vec<Violation> {
        // A single user message as a string: nothing in it can be wrong.
        if self.body.shape == Shape::Prompt {
            return Vec::new();
        }
        let mut judge = Judge::new(self, sending);
        judge.shapes();
        match self.body.format {
            WireFormat::OpenAiChat => openai_chat::check(&mut judge),
            WireFormat::OpenAiResponses => openai_responses::check(&mut judge),
            WireFormat::Anthropic => anthropic::check(&mut judge),
            WireFormat::Gemini => gemini::check(&mut judge),
            WireFormat::Bedrock => bedrock::check(&mut judge),
        }
        let mut found = judge.found;
        found.sort_by_key(|violation| violation.index);
        found
    }
}

/// What the rules of every format look at, and what was found so far.
struct Judge<'h> {
    text: &'h str,
    body: &'h Body,
    pairs: &'h Pairs,
    profile: &'static Profile,
    limits: &'static FormatFacts,
    model: &'static ModelFacts,
    sending: bool,
    found: Vec<Violation>,
}

impl<'h> Judge<'h> {
    fn new(history: &'h History<'_>, sending: bool) -> Self {
        Judge {
            text: &history.text,
            body: &history.body,
            pairs: &history.pairs,
            profile: history.profile,
            limits: history.body.format.facts(),
            model: history.model,
            sending,
            found: Vec::new(),
        }
    }

    fn messages(&self) -> &'h [Message] {
        &self.body.messages
    }

    fn parts(&self, message: usize) -> &'h [Part] {
        self.body.parts_of(message)
    }

    /// The parts of a message with their numbers.
    fn numbered(&self, message: usize) -> impl Iterator<Item = (usize, &'h Part)> + Clone + use<'h> {
        self.numbered_in(message..message + 1)
    }

    /// The parts of several messages in a row with their numbers.
    fn numbered_in(&self, run: Range<usize>) -> impl Iterator<Item = (usize, &'h Part)> + Clone + use<'h> {
        let body = self.body;
        let first = body.messages.get(run.start).map_or(0, |m| m.first_part);
        let end = run.end.checked_sub(1).and_then(|last| body.messages.get(last)).map_or(first, |m| m.end_part);
        let parts = body.parts.get(first..end).unwrap_or_default();
        parts.iter().enumerate().map(move |(i, part)| (first + i, part))
    }

    fn role(&self, message: usize) -> Option<Role> {
        self.body.messages.get(message).map(|m| m.role)
    }

    fn last(&self) -> usize {
        self.body.messages.len().saturating_sub(1)
    }

    /// The message that holds the answer to a call.
    fn answered_in(&self, call: usize) -> Option<usize> {
        self.pairs.answer(call).and_then(|answer| self.body.parts.get(answer)).map(|part| part.message)
    }

    /// The message of the call that a result answers, whether or not it is the first answer.
    fn call_of(&self, result: usize) -> Option<&'h Part> {
        match self.pairs.tie(result) {
            Some(Tie::Answers(call) | Tie::Repeats(call)) => self.body.parts.get(call),
            _ => None,
        }
    }

    /// A list of content without an entry.
    fn has_empty_list(&self, message: usize) -> bool {
        let Some(message) = self.messages().get(message).filter(|m| m.content == Content::List) else {
            return false;
        };
        let (Some(first), Some(list)) = (self.body.parts.get(message.first_part), message.content_span) else {
            return true;
        };
        if message.first_part == message.end_part {
            return true;
        }
        // The blocks of a tool message are no parts of their own; calls stand behind the content's parts.
        match first.kind {
            PartKind::Result { empty, .. } if first.span == message.span => empty,
            _ => first.span.start < list.start || first.span.end > list.end,
        }
    }

    /// Whether the text of a part (a block with `text`, or a whole content) ends in white space.
    fn ends_in_white(&self, at: usize) -> bool {
        self.body.parts.get(at).is_some_and(|part| {
            matches!(part.kind, PartKind::Text(Blank::Visible))
                && self.says(part.span).is_some_and(|text| text.ends_with(char::is_whitespace))
        })
    }

    /// What a string, or a block with `text`, says.
    fn says(&self, span: Span) -> Option<String> {
        let raw = span.of(self.text);
        if raw.starts_with('"') {
            return Some(crate::json::decode_key(raw));
        }
        // One block of a checked text is text of its own.
        crate::json::Tape::of(raw, usize::MAX).ok().and_then(|tape| crate::wire::text_of_block(raw, &tape))
    }

    // What is told.

    /// Something about the whole history.
    fn tell_all(&mut self, kind: ViolationKind, index: usize) {
        self.tell(kind, index, String::new(), None);
    }

    /// Something about a message.
    fn tell_message(&mut self, kind: ViolationKind, index: usize) {
        self.tell(kind, index, alloc::format!("/{index}"), None);
    }

    /// Something about a part, with its id.
    fn tell_part(&mut self, kind: ViolationKind, at: usize) {
        let Some(part) = self.body.parts.get(at) else { return };
        let id = match part.link {
            Link::Id(id) => Some(self.body.symbols.text(self.text, id).into_owned()),
            Link::Order | Link::Bad => None,
        };
        self.tell(kind, part.message, self.body.path_of(self.text, at), id);
    }

    /// Something about an item and its server id.
    fn tell_item(&mut self, kind: ViolationKind, index: usize, id: Option<Symbol>) {
        let id = id.map(|id| self.body.symbols.text(self.text, id).into_owned());
        self.tell(kind, index, alloc::format!("/{index}"), id);
    }

    fn tell(&mut self, kind: ViolationKind, index: usize, path: String, id: Option<String>) {
        let format = self.body.format;
        let message = wording::sentence(format, kind, index, id.as_deref());
        self.found.push(Violation { kind, index, path, id, message, provider: wording::provider(format, kind) });
    }

    // Rules that every format has.

    /// What has another shape than the format knows: roles, content, blocks, members of a wrong type.
    fn shapes(&mut self) {
        if self.messages().is_empty() {
            // OC-R6, GE-R5 and the schema of the others: at least one.
            self.tell_all(ViolationKind::EmptyContent, 0);
        }
        if let Some(max) = self.limits.max_messages
            && self.messages().len() > max
        {
            self.tell_message(ViolationKind::TooManyMessages, max);
        }
        for (index, message) in self.messages().iter().enumerate() {
            if message.role == Role::Unknown && !self.is_item(index) {
                // GE-R7 and the enumerations of the others.
                self.tell_message(ViolationKind::BadRole, index);
            }
            if message.content == Content::Wrong || message.ill_typed {
                self.tell_message(ViolationKind::WrongContentType, index);
            }
            for (at, part) in self.numbered(index) {
                match part.kind {
                    // GE-R13 has a kind of its own for responses that are no object.
                    PartKind::Result { wrong: true, .. } => self.tell_part(ViolationKind::WrongResultType, at),
                    PartKind::Wrong => self.tell_part(ViolationKind::WrongContentType, at),
                    _ if part.ill_typed => self.tell_part(ViolationKind::WrongContentType, at),
                    PartKind::Other if self.profile.strict && self.is_unknown(index, part) => {
                        self.tell_part(ViolationKind::UnknownItem, at);
                    }
                    _ => {}
                }
                self.check_name(at, part);
                self.check_length(at, part);
            }
        }
    }

    /// Whether nothing is known of a block or an item but that it is one.
    fn is_unknown(&self, index: usize, part: &Part) -> bool {
        if self.is_item(index) && self.role(index) != Some(Role::Unknown) {
            return false;
        }
        let known = |kind: &str| self.limits.other_blocks.contains(&kind);
        let raw = part.span.of(self.text);
        let Ok(scan) = crate::json::check(raw, usize::MAX) else { return false };
        // Blocks are named by their type, or by a member of their own.
        let typed =
            matches!(self.body.format, WireFormat::OpenAiChat | WireFormat::OpenAiResponses | WireFormat::Anthropic);
        !Children::new(raw, &scan, &scan.root).any(|member| {
            let key = crate::json::decode_key(member.key_raw(raw));
            let value = member.node.raw(raw);
            if typed {
                key == "type" && value.starts_with('"') && known(&crate::json::decode_key(value))
            } else {
                known(&key)
            }
        })
    }

    /// OC-R8, AN-R7, GE-R14, BE-R11: what a called tool is named. GE-R13: a response names it, too.
    fn check_name(&mut self, at: usize, part: &Part) {
        let named = match (self.body.format, part.kind) {
            // Of the older way the name is the id; the other pairs of Responses have no names.
            (WireFormat::OpenAiChat, PartKind::Call) => part.family == 0,
            (WireFormat::OpenAiResponses, PartKind::Call) => part.family < 2,
            (_, PartKind::Call) | (WireFormat::Gemini, PartKind::Result { .. }) => true,
            _ => false,
        };
        if !named || part.ill_typed {
            return;
        }
        let rule = self.limits.tool_name;
        let bad = match part.name {
            None => true,
            Some(_) if rule == IdRule::ANY => false,
            Some(name) => {
                let name = self.body.symbols.text(self.text, name);
                rule.too_long(&name) || rule.ill_formed(&name)
            }
        };
        if bad {
            self.tell_part(ViolationKind::BadToolName, at);
        }
    }

    /// OR-R12.
    fn check_length(&mut self, at: usize, part: &Part) {
        let Some(max) = self.limits.max_text else { return };
        let span = match part.kind {
            PartKind::Text(_) => Some(part.span),
            PartKind::Result { .. } => part.body,
            _ => None,
        };
        // What has no more bytes has no more characters.
        if let Some(span) = span.filter(|span| span.end - span.start > max)
            && self.says(span).is_some_and(|text| text.chars().nth(max).is_some())
        {
            self.tell_part(ViolationKind::TextTooLong, at);
        }
    }

    /// Whether a message is an item of its own kind and no message with a role (Responses).
    fn is_item(&self, index: usize) -> bool {
        let span = self.messages().get(index).map(|m| m.span);
        self.body.format == WireFormat::OpenAiResponses && self.parts(index).first().map(|part| part.span) == span
    }

    /// The rule for ids of calls: the profile's where it has one.
    fn call_id_rule(&self) -> IdRule {
        self.profile.call_id.unwrap_or(self.limits.call_id)
    }

    /// An id that is missing, too long or of characters that the format refuses.
    fn check_id(&mut self, at: usize) {
        let rule = self.call_id_rule();
        let Some(part) = self.body.parts.get(at) else { return };
        match part.link {
            Link::Bad => self.tell_part(ViolationKind::BadIdCharset, at),
            Link::Id(id) if rule != IdRule::ANY => {
                let id: Cow<'h, str> = self.body.symbols.text(self.text, id);
                if rule.too_long(&id) {
                    self.tell_part(ViolationKind::IdTooLong, at);
                } else if rule.ill_formed(&id) {
                    self.tell_part(ViolationKind::BadIdCharset, at);
                }
            }
            Link::Id(_) | Link::Order => {}
        }
    }

    /// Ids seen in the scope of a message, a turn or a whole history.
    fn seen(&self) -> Seen {
        Seen { scope_of: vec![usize::MAX; self.body.symbols.len()] }
    }
}

/// Which ids were seen in which scope.
struct Seen {
    scope_of: Vec<usize>,
}

impl Seen {
    /// Notes the id; whether it was there in that scope before.
    fn again(&mut self, id: Symbol, scope: usize) -> bool {
        self.scope_of.get_mut(id.index()).is_some_and(|known| core::mem::replace(known, scope) == scope)
    }
}

/// Whether every part says nothing but white space. Cache marks are no content.
fn all_white(parts: &[Part]) -> bool {
    let mut texts = 0;
    for part in parts {
        match part.kind {
            PartKind::Text(Blank::White | Blank::Empty) => texts += 1,
            PartKind::CachePoint => {}
            _ => return false,
        }
    }
    texts > 0
}

/// A text block without any text.
fn has_empty_text(parts: &[Part]) -> bool {
    parts.iter().any(|part| part.kind == PartKind::Text(Blank::Empty))
}

/// More cache marks than a request may have, those on tools and the system prompt and the one that moves by itself
/// included. Told at the first that is too many.
fn too_many_marks(judge: &mut Judge<'_>) {
    let Some(max) = judge.limits.max_cache_marks else { return };
    let body = judge.body;
    let before = body.request.marks.len() + usize::from(body.request.automatic_mark);
    if before > max {
        judge.tell_all(ViolationKind::CacheTooManyBreakpoints, 0);
    } else if let Some(mark) = body.marks.get(max - before) {
        judge.tell_part(ViolationKind::CacheTooManyBreakpoints, mark.part);
    }
}
