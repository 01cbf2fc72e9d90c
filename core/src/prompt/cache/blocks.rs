//! A request as the blocks that a cache sees, in the order in which providers read them: tools, system, messages.
//!
//! Finer than pieces: a mark stands on a block, and how far back a mark reaches is counted in blocks.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::rules::{Level, Model, Rule};
use super::weigh::weighed;
use crate::error::Error;
use crate::json::{Kind, Value};
use crate::prompt::mark::MarkKind;
use crate::prompt::strip::{Item, Source, cut_out};
use crate::wire::{Shape, WireFormat, read};

/// Where a mark can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// Into the object, or behind it.
    Object,
    /// The string becomes a list of one block.
    Text,
    /// Nowhere.
    None,
}

/// A mark: none, one that asks for no life, or one that asks for this one.
pub(super) type MarkOf = Option<Option<String>>;

/// A block of a request.
#[derive(Debug)]
pub(super) struct Block<'t> {
    pub(super) level: Level,
    /// Who speaks, as it is spelled; empty outside messages.
    pub(super) role: &'t str,
    /// What is compared: the value as JSON without marks and without white space outside strings.
    pub(super) content: Cow<'t, str>,
    /// What is counted: the text that it says, without base64.
    pub(super) text: Cow<'t, str>,
    /// Its type, or the name of its one member.
    pub(super) kind: Cow<'t, str>,
    pub(super) span: (usize, usize),
    pub(super) slot: Slot,
    /// The life that its mark asks for, as written; none when there is no mark.
    pub(super) mark: MarkOf,
    /// The definition of a tool, whatever its level.
    pub(super) is_tool: bool,
    /// The message it stands in, by its place in the list, and its own place in there.
    pub(super) message: Option<usize>,
    pub(super) index: usize,
}

impl Block<'_> {
    /// Whether it says nothing at all: such a block carries no mark.
    pub(super) fn is_blank(&self) -> bool {
        matches!(&*self.kind, "text" | "input_text" | "output_text") && self.text.trim().is_empty()
    }

    /// Whether `other` is the same to a provider.
    pub(super) fn equals(&self, other: &Block<'_>) -> bool {
        self.level == other.level && self.role == other.role && self.content == other.content
    }
}

/// A request taken apart.
#[derive(Debug)]
pub(super) struct Layout<'t> {
    pub(super) format: WireFormat,
    pub(super) blocks: Vec<Block<'t>>,
    /// Thinking that is not in the prompt, and carries a mark all the same.
    pub(super) unseen: Vec<Block<'t>>,
    pub(super) model: Option<Cow<'t, str>>,
    /// What the settings of the rule say, in its order.
    pub(super) settings: Vec<Cow<'t, str>>,
    /// The mark of the whole request, and the life it asks for.
    pub(super) automatic: MarkOf,
    /// The request wants no marks but its own.
    pub(super) explicit_only: bool,
    /// The stored object that the request reads.
    pub(super) object: Option<Cow<'t, str>>,
    /// This body makes an object; the seconds that it asks for.
    pub(super) makes_object: Option<Option<u64>>,
    /// Members and entries that are marks, for taking them out: each with the comma that goes with it. Not in order.
    pub(super) old_marks: Vec<(usize, usize)>,
}

/// Reads a body by the marks and settings of `rule`.
pub(super) fn layout<'t>(
    doc: &'t Source,
    rule: &Rule,
    named: Option<WireFormat>,
    usual: Option<WireFormat>,
) -> Result<Layout<'t>, Error> {
    let shown = read(&doc.text, &doc.tape, named, None);
    let wire = match (shown, usual) {
        (Ok(shown), Some(usual)) if !shown.certain => read(&doc.text, &doc.tape, Some(usual), None).or(Ok(shown)),
        (Err(_), Some(usual)) if named.is_none() => read(&doc.text, &doc.tape, Some(usual), None),
        (shown, _) => shown,
    }?;
    let root = doc.tape.root();
    let model = doc.word(&root, "model").or_else(|| doc.word(&root, "modelId"));
    let mut r =
        Reader { doc, rule, blocks: Vec::new(), unseen: Vec::new(), level: Level::Tools, old_marks: Vec::new() };
    r.tools(&root);
    r.level = Level::System;
    for name in ["system", "instructions", "systemInstruction", "system_instruction"] {
        if let Some(system) = doc.member(&root, name) {
            r.system(&system);
            // `instructions` are one string and nothing else: no mark has a place in it.
            if let Some(only) = r.blocks.last_mut().filter(|block| name == "instructions" && block.slot == Slot::Text) {
                only.slot = Slot::None;
            }
        }
    }
    r.level = Level::Messages;
    let list = doc.tape.value_at(wire.list.start);
    let keeps_thinking = Model::of(model.as_deref(), |row| row.keeps_thinking).unwrap_or(true);
    if wire.shape == Shape::Prompt {
        // The list of items is one string: no mark has a place in it.
        r.text_block(&list, "user", 0);
        if let Some(only) = r.blocks.last_mut() {
            only.slot = Slot::None;
        }
    } else {
        let last_user = if keeps_thinking { 0 } else { last_plain_user(doc, &list) };
        for (at, message) in doc.entries(&list).enumerate() {
            r.message(at, &message, at < last_user);
        }
    }
    let automatic = rule.mark.filter(|mark| *mark == "cache_control").and_then(|mark| doc.member(&root, mark));
    let automatic = automatic.filter(|mark| doc.raw(mark) != "null").map(|mark| life(doc, &mark));
    let object = doc.word(&root, "cachedContent").or_else(|| doc.word(&root, "cached_content"));
    let lives = doc.word(&root, "ttl").and_then(|ttl| seconds(&ttl));
    let mode = doc.member(&root, "prompt_cache_options").and_then(|options| doc.word(&options, "mode"));
    let makes = ["ttl", "expireTime", "expire_time"].iter().any(|name| doc.member(&root, name).is_some());
    let Reader { blocks, unseen, old_marks, .. } = r;
    let settings = rule.settings.iter().map(|s| setting(doc, &root, &blocks, s.name, s.inner, s.usual)).collect();
    Ok(Layout {
        format: wire.format,
        blocks,
        unseen,
        model,
        settings,
        automatic,
        explicit_only: mode.as_deref() == Some("explicit"),
        object,
        makes_object: makes.then_some(lives),
        old_marks,
    })
}

fn setting<'t>(
    doc: &'t Source,
    root: &Value,
    blocks: &[Block<'t>],
    name: &str,
    inner: &str,
    usual: &'static str,
) -> Cow<'t, str> {
    let said = |yes: bool| Cow::Borrowed(if yes { "true" } else { "false" });
    match name {
        "@images" => said(blocks.iter().any(|b| b.level == Level::Messages && b.kind.contains("image"))),
        "@citations" => said(blocks.iter().any(|b| b.content.contains("\"citations\":{\"enabled\":true"))),
        _ => {
            let value = doc.member(root, name);
            let value = if inner.is_empty() { value } else { value.and_then(|value| doc.member(&value, inner)) };
            value.map_or(Cow::Borrowed(usual), |value| Cow::Owned(doc.minified(&value)))
        }
    }
}

/// The life that a mark asks for.
fn life(doc: &Source, mark: &Value) -> Option<String> {
    doc.word(mark, "ttl").map(Cow::into_owned)
}

/// Seconds of a life such as `3600s` or `3600.5s`.
fn seconds(text: &str) -> Option<u64> {
    text.strip_suffix('s')?.split('.').next()?.parse().ok()
}

/// The place of the last user message that holds no result: thinking before it is not in the prompt of some models.
fn last_plain_user(doc: &Source, list: &Value) -> usize {
    let mut last = 0;
    for (at, message) in doc.entries(list).enumerate() {
        if doc.word(&message, "role").as_deref() != Some("user") {
            continue;
        }
        let result = doc.member(&message, "content").is_some_and(|content| {
            doc.entries(&content).any(|block| doc.word(&block, "type").as_deref() == Some("tool_result"))
        });
        if !result {
            last = at;
        }
    }
    last
}

struct Reader<'r, 't> {
    doc: &'t Source,
    rule: &'r Rule,
    blocks: Vec<Block<'t>>,
    unseen: Vec<Block<'t>>,
    level: Level,
    old_marks: Vec<(usize, usize)>,
}

impl<'t> Reader<'_, 't> {
    fn tools(&mut self, root: &Value) {
        let doc = self.doc;
        let config = doc.member(root, "toolConfig").and_then(|config| doc.member(&config, "tools"));
        let lists = [doc.member(root, "tools"), config, doc.member(root, "functions")];
        let mut of_system = Vec::new();
        for list in lists.iter().flatten() {
            for (index, tool, mark) in self.entries_without_points(list) {
                // A deferred tool is not in the prompt until it is found.
                if doc.member(&tool, "defer_loading").is_some_and(|deferred| doc.raw(&deferred) == "true") {
                    continue;
                }
                let kind = doc.word(&tool, "type").unwrap_or_default();
                let system = self.rule.system_tools.iter().any(|name| kind.starts_with(name));
                self.level = if system { Level::System } else { Level::Tools };
                let made = Block { is_tool: true, ..self.block(&tool, "", None, index, mark) };
                if system { of_system.push(made) } else { self.blocks.push(made) }
            }
        }
        self.blocks.append(&mut of_system);
    }

    fn system(&mut self, system: &Value) {
        let doc = self.doc;
        match doc.kind(system) {
            Kind::String => self.text_block(system, "", usize::MAX),
            Kind::Array => self.list(system, "", None, false),
            Kind::Object => {
                if let Some(parts) = doc.member(system, "parts") {
                    self.list(&parts, "", None, false);
                } else {
                    // No block of a list: nothing may stand behind it.
                    let made = self.block(system, "", None, 0, None);
                    self.blocks.push(Block { slot: Slot::None, ..made });
                }
            }
            Kind::Scalar => {}
        }
    }

    fn message(&mut self, at: usize, message: &Value, without_thinking: bool) {
        let doc = self.doc;
        let role = doc.member(message, "role").map_or("", |role| doc.raw(&role).trim_matches('"'));
        let kind = doc.word(message, "type");
        let is_message = kind.as_deref().is_none_or(|kind| kind == "message");
        let content = doc.member(message, "content").or_else(|| doc.member(message, "parts"));
        let Some(content) = content.filter(|_| is_message) else {
            // An item that is no message: a call, its output, reasoning.
            let made = self.block(message, role, Some(at), 0, None);
            self.blocks.push(Block { slot: Slot::None, ..made });
            return;
        };
        match doc.kind(&content) {
            Kind::String => self.text_block(&content, role, at),
            Kind::Array => self.list(&content, role, Some(at), without_thinking),
            Kind::Object | Kind::Scalar => {}
        }
        // What stands beside the content: calls of OpenAI Chat, the id of a result.
        let mut rest = String::new();
        let mut own = None; // once, however often equal keys say it
        for (key, value) in doc.members(message) {
            if matches!(&*key, "role" | "content" | "parts" | "type" | "id" | "status") || doc.raw(&value) == "null" {
                continue;
            }
            if is_mark(&key) {
                // On the message itself: the mark of its last block.
                let mark = own.get_or_insert_with(|| self.cut_marks(message)).clone();
                if let Some(last) = self.blocks.last_mut() {
                    last.mark = mark.or(last.mark.take());
                }
                continue;
            }
            rest.push_str(&key);
            rest.push(':');
            doc.write_minified(&value, &mut rest);
            rest.push(';');
        }
        if !rest.is_empty() {
            let text = weighed(&rest).into_owned();
            self.blocks.push(Block {
                level: self.level,
                role,
                content: Cow::Owned(rest),
                text: Cow::Owned(text),
                kind: Cow::Borrowed(""),
                span: (message.start, message.end),
                slot: Slot::None,
                mark: None,
                is_tool: false,
                message: Some(at),
                index: usize::MAX,
            });
        }
    }

    fn list(&mut self, list: &Value, role: &'t str, message: Option<usize>, without_thinking: bool) {
        for (index, node, mark) in self.entries_without_points(list) {
            let made = self.block(&node, role, message, index, mark);
            if without_thinking && matches!(&*made.kind, "thinking" | "redacted_thinking") {
                self.unseen.extend(Some(made).filter(|made| made.mark.is_some()));
            } else {
                self.blocks.push(made);
            }
        }
    }

    /// The entries of a list; one that is nothing but a cache point is the mark of the one before.
    fn entries_without_points(&mut self, list: &Value) -> Vec<(usize, Value, MarkOf)> {
        let doc = self.doc;
        let mut out: Vec<(usize, Value, MarkOf)> = Vec::new();
        let mut items: Vec<Item> = Vec::new();
        for entry in doc.entries(list) {
            let point = doc.cache_point(&entry);
            items.push(Item { start: entry.start, end: entry.end, goes: point.is_some() });
            match point {
                Some(point) => {
                    let mark = Some(life(doc, &point));
                    match (out.last_mut(), self.blocks.last_mut()) {
                        (Some(before), _) => before.2 = mark,
                        (None, Some(before)) => before.mark = mark,
                        (None, None) => {}
                    }
                }
                None => out.push((items.len() - 1, entry, None)),
            }
        }
        if out.len() < items.len() {
            cut_out(list, &items, &mut self.old_marks);
        }
        out
    }

    /// A string that stands where a list of blocks could: the same as a list of one text block.
    fn text_block(&mut self, node: &Value, role: &'t str, message: usize) {
        let raw = self.doc.raw(node);
        self.blocks.push(Block {
            level: self.level,
            role,
            content: Cow::Borrowed(raw),
            text: self.doc.string(node).unwrap_or_default(),
            kind: Cow::Borrowed("text"),
            span: (node.start, node.end),
            slot: Slot::Text,
            mark: None,
            is_tool: false,
            message: (message != usize::MAX).then_some(message),
            index: 0,
        });
    }

    fn block(&mut self, node: &Value, role: &'t str, message: Option<usize>, index: usize, point: MarkOf) -> Block<'t> {
        let doc = self.doc;
        let mark = point.or(self.marks_within(node));
        let (mut kind, mut text, mut members) = (None, None, 0);
        for (key, value) in doc.members(node) {
            let is_mark = is_mark(&key);
            match &*key {
                "type" => kind = doc.string(&value),
                "text" if doc.kind(&value) == Kind::String => text = Some(value),
                _ if is_mark => {}
                _ => {
                    members += 1;
                    kind = kind.or(Some(key));
                }
            }
        }
        let kind = kind.unwrap_or_else(|| Cow::Borrowed(if text.is_some() { "text" } else { "" }));
        let (content, text) = match text {
            // A block of plain text is its text, as a string in its place is.
            Some(text) if members == 0 => (Cow::Borrowed(doc.raw(&text)), doc.string(&text).unwrap_or_default()),
            _ => {
                let content = self.without_marks(node);
                let text = match &content {
                    Cow::Borrowed(content) => weighed(content),
                    Cow::Owned(content) => Cow::Owned(weighed(content).into_owned()),
                };
                (content, text)
            }
        };
        // An object of nothing but a mark has no member to write one behind.
        let slot = if kind.is_empty() { Slot::None } else { Slot::Object };
        let (level, span) = (self.level, (node.start, node.end));
        Block { level, role, content, text, kind, span, slot, mark, is_tool: false, message, index }
    }

    /// Notes the marks among the members of an object for taking out, and says what they ask for.
    fn cut_marks(&mut self, node: &Value) -> MarkOf {
        let (doc, name) = (self.doc, self.rule.mark?);
        if doc.kind(node) != Kind::Object {
            return None;
        }
        let mut mark = None;
        let mut items: Vec<Item> = Vec::new();
        for child in doc.children(node) {
            let is_mark = doc.key(&child) == name;
            if is_mark && doc.raw(&child) != "null" {
                mark = Some(life(doc, &child));
            }
            items.push(Item { start: doc.tape.key_start(&child), end: child.end, goes: is_mark });
        }
        if items.iter().any(|item| item.goes) {
            cut_out(node, &items, &mut self.old_marks);
        }
        mark
    }

    /// The mark of a block: its own, or the last one on the blocks in its `content`.
    fn marks_within(&mut self, node: &Value) -> MarkOf {
        let own = self.cut_marks(node);
        let mut inner = None;
        if let Some(list) = self.doc.member(node, "content") {
            for entry in self.doc.entries(&list) {
                inner = self.cut_marks(&entry).or(inner);
            }
        }
        own.or(inner)
    }

    /// The value as JSON without white space and without the marks on it and on the blocks in its `content`.
    fn without_marks(&self, node: &Value) -> Cow<'t, str> {
        let doc = self.doc;
        let marked = |node: &Value| doc.members(node).any(|(key, _)| is_mark(&key));
        let list = doc.member(node, "content").filter(|list| doc.entries(list).any(|entry| marked(&entry)));
        if !marked(node) && list.is_none() {
            return Cow::Owned(doc.minified(node));
        }
        let mut out = String::from("{");
        for child in doc.children(node) {
            let key = doc.key_raw(&child);
            let is_list = list.is_some_and(|list| list.start == child.start);
            if is_mark(&doc.key(&child)) {
                continue;
            }
            if out.len() > 1 {
                out.push(',');
            }
            out.push_str(key);
            out.push(':');
            if is_list {
                self.list_without_marks(&child, &mut out);
            } else {
                doc.write_minified(&child, &mut out);
            }
        }
        out.push('}');
        Cow::Owned(out)
    }

    fn list_without_marks(&self, list: &Value, out: &mut String) {
        let doc = self.doc;
        let mut open = '[';
        for entry in doc.entries(list) {
            out.push(open);
            open = ',';
            if doc.kind(&entry) != Kind::Object {
                doc.write_minified(&entry, out);
                continue;
            }
            let mut inner = '{';
            for child in doc.children(&entry) {
                let key = doc.key_raw(&child);
                if !is_mark(&doc.key(&child)) {
                    out.push(inner);
                    inner = ',';
                    out.push_str(key);
                    out.push(':');
                    doc.write_minified(&child, out);
                }
            }
            out.push_str(if inner == '{' { "{}" } else { "}" });
        }
        out.push_str(if open == '[' { "[]" } else { "]" });
    }
}

/// Whether a member of this name is a mark of any provider: no content, whatever the rules.
fn is_mark(name: &str) -> bool {
    MarkKind::named(name).is_some()
}
