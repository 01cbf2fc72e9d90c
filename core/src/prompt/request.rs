//! A whole request taken apart: settings, tools, system prompt and messages, each a piece.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::mark::MarkKind;
use super::piece::{Layer, Piece, PieceKind, SharedText};
use super::report::ToolResult;
use super::sequence::Prompt;
use super::settings::SETTINGS;
use super::strip::{Place, Source};
use crate::error::Error;
use crate::json::{Kind, Tape, Value};
use crate::limits::Limits;
use crate::wire::{Body, Link, PartKind, Role, Symbol, WireFormat, read};

/// How a request body is read.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct RequestOptions {
    /// Its format; without it the messages tell.
    pub format: Option<WireFormat>,
    /// How deep it may be nested.
    pub limits: Limits,
}

impl RequestOptions {
    /// A format that is named, or detected, within the usual limits.
    pub fn of_format(format: Option<WireFormat>) -> Self {
        RequestOptions { format, limits: Limits::DEFAULT }
    }
}

impl Prompt {
    /// Takes a request body (or a bare list of messages) of one of the five formats apart, in the order in which
    /// providers read it: `settings/KEY` for what a cache depends on, `tools/NAME`, `system`, `message N` with N in the
    /// format's own list. Where a body gives two tools one name, the second is `tools/NAME#2`; so with settings, one of
    /// which may stand in Bedrock's `toolConfig`, which is taken apart, and one beside it.
    ///
    /// Pieces are the body's own bytes. Cache marks and the order of the members of the body are no content: marks are
    /// taken out of the pieces and kept beside them. A content that is a list of one plain text block is the same as
    /// that text: providers take both alike, and a mark needs the block. Settings, tools and the system prompt are in
    /// the layer [`Static`](Layer::Static), as are the system messages that a list opens with; other messages are in
    /// [`Session`](Layer::Session).
    ///
    /// Cost: linear in the body, which is copied once.
    ///
    /// # Errors
    /// [`InvalidUtf8`](crate::ErrorKind::InvalidUtf8), [`InvalidJson`](crate::ErrorKind::InvalidJson) and
    /// [`TooDeep`](crate::ErrorKind::TooDeep) with the offset; [`NotAHistory`](crate::ErrorKind::NotAHistory) for JSON
    /// without a list of message objects; [`MixedFormats`](crate::ErrorKind::MixedFormats) when the messages show two
    /// formats and none was named.
    pub fn from_request(body: &(impl AsRef<[u8]> + ?Sized), options: &RequestOptions) -> Result<Prompt, Error> {
        let text = core::str::from_utf8(body.as_ref()).map_err(Error::invalid_utf8)?;
        let depth = options.limits.depth;
        let tape = Tape::of(text, depth).map_err(|fault| crate::deliver::json_error(&fault, depth))?;
        let wire = read(text, &tape, options.format, None)?;
        let source = Source { text: Arc::from(text), tape };
        let mut request = Request { source: &source, prompt: Prompt::new() };
        request.prompt.format = Some(wire.format);
        let root = source.tape.root();
        if source.kind(&root) == Kind::Object {
            request.settings(&root)?;
            request.tools(&root)?;
            request.system(&root, wire.format)?;
            let automatic = source.member(&root, MarkKind::CacheControl.name());
            request.prompt.automatic_mark = automatic.and_then(|mark| source.mark(&mark, MarkKind::CacheControl, 0));
        }
        let list = source.tape.value_at(wire.list.start);
        if source.kind(&list) == Kind::Array {
            let mut opening = true;
            for (at, child) in source.children(&list).enumerate() {
                let is_system = wire.messages.get(at).is_some_and(|message| message.role == Role::System);
                opening &= is_system;
                let layer = if opening { Layer::Static } else { Layer::Session };
                let kind = if is_system { PieceKind::Instructions } else { PieceKind::Conversation };
                request.message(at, &child, layer, kind)?;
            }
            request.prompt.note_results(&source.text, &wire);
        } else {
            // A Responses input that is one string.
            request.message(0, &list, Layer::Session, PieceKind::Conversation)?;
        }
        Ok(request.prompt)
    }
}

impl Prompt {
    /// Notes which messages are the model's, and the tool results in the others, for reports.
    fn note_results(&mut self, text: &Arc<str>, wire: &Body) {
        let mut tools: BTreeMap<Symbol, Symbol> = BTreeMap::new();
        let question = (0..wire.messages.len()).rfind(|at| is_question(wire, *at)).unwrap_or(0);
        for piece in self.messages_mut() {
            let Some(at) = piece.name().strip_prefix("message ").and_then(|at| at.parse::<usize>().ok()) else {
                continue;
            };
            piece.is_answer = wire.messages.get(at).is_some_and(|message| message.role == Role::Assistant);
            for part in wire.parts_of(at) {
                match (part.kind, part.link) {
                    (PartKind::Thinking, _) if at < question => {
                        piece.thinking.push(SharedText::part(text, part.span.start, part.span.end));
                    }
                    (PartKind::Call, Link::Id(id)) => tools.extend(part.name.map(|name| (id, name))),
                    (PartKind::Result { error, .. }, link) => {
                        let called = match link {
                            Link::Id(id) => tools.get(&id).copied(),
                            Link::Order | Link::Bad => part.name,
                        };
                        let span = part.body.unwrap_or(part.span);
                        piece.results.push(ToolResult {
                            text: SharedText::part(text, span.start, span.end),
                            error,
                            tool: called.map(|tool| Arc::from(&*wire.symbols.text(text, tool))),
                        });
                    }
                    _ => {}
                }
            }
        }
    }
}

/// Whether a message is the user's own words: it holds no results, and a turn starts with it.
fn is_question(wire: &Body, at: usize) -> bool {
    let is_user = wire.messages.get(at).is_some_and(|message| message.role == Role::User);
    is_user && !wire.parts_of(at).iter().any(|part| part.kind.is_result())
}

/// A request that is being taken apart.
struct Request<'s> {
    source: &'s Source,
    prompt: Prompt,
}

impl Request<'_> {
    fn settings(&mut self, root: &Value) -> Result<(), Error> {
        let mut found: Vec<(usize, String, Value)> = Vec::new();
        for (key, value) in self.source.members(root) {
            if let Some(rank) = SETTINGS.iter().position(|name| **name == key) {
                // Bedrock keeps its tools in `toolConfig`; what else is in there are settings by their own names.
                let inner = key == "toolConfig" && self.source.member(&value, "tools").is_some();
                if inner {
                    let others = self.source.members(&value).filter(|(key, _)| key != "tools");
                    found.extend(others.map(|(key, value)| (rank, key.into_owned(), value)));
                } else {
                    found.push((rank, key.into_owned(), value));
                }
            }
        }
        // Of equal keys the last one counts: it comes first here, and the others are not new.
        found.reverse();
        found.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
        found.dedup_by(|later, kept| later.1 == kept.1);
        let mut names = Names::default();
        for (_, key, value) in found {
            if self.source.raw(&value) != "null" {
                let mut piece = self.made(alloc::format!("settings/{key}"), &value, Layer::Static, Place::None);
                names.tell_apart(&mut piece, &self.prompt);
                self.prompt.add(piece.of_kind(PieceKind::Setting))?;
            }
        }
        Ok(())
    }

    /// `tools`, Bedrock's `toolConfig.tools`, and the older `functions`.
    fn tools(&mut self, root: &Value) -> Result<(), Error> {
        let source = self.source;
        let config = source.member(root, "toolConfig").and_then(|config| source.member(&config, "tools"));
        let lists = [source.member(root, "tools"), config, source.member(root, "functions")];
        let mut marked: Vec<Piece> = Vec::new();
        for list in lists.iter().flatten().filter(|list| source.kind(list) == Kind::Array) {
            for child in source.children(list) {
                self.tool(&child, &mut marked);
            }
        }
        let mut names = Names::default();
        for mut piece in marked {
            names.tell_apart(&mut piece, &self.prompt);
            self.prompt.add(piece)?;
        }
        Ok(())
    }

    fn tool(&self, tool: &Value, pieces: &mut Vec<Piece>) {
        let source = self.source;
        if let Some(point) = source.cache_point(tool) {
            if let Some(before) = pieces.last_mut() {
                before.marks.extend(source.mark(&point, MarkKind::CachePoint, before.text.as_str().len()));
            }
            return;
        }
        let declared = |name: &str| source.member(tool, name).filter(|list| source.kind(list) == Kind::Array);
        if declared("functionDeclarations").or_else(|| declared("function_declarations")).is_none() {
            pieces.push(self.tool_piece(tool, &tool_name(source, tool)));
            return;
        }
        // One entry of Gemini declares many functions, and may hold other tools beside them.
        for (key, value) in source.members(tool) {
            if matches!(&*key, "functionDeclarations" | "function_declarations") {
                for function in source.children(&value) {
                    pieces.push(self.tool_piece(&function, &tool_name(source, &function)));
                }
            } else {
                pieces.push(self.tool_piece(&value, &key));
            }
        }
    }

    fn tool_piece(&self, value: &Value, name: &str) -> Piece {
        self.made(alloc::format!("tools/{name}"), value, Layer::Static, Place::Tool).of_kind(PieceKind::Tool)
    }

    fn system(&mut self, root: &Value, format: WireFormat) -> Result<(), Error> {
        let names: &[&str] = match format {
            WireFormat::OpenAiChat => &[],
            WireFormat::OpenAiResponses => &["instructions"],
            WireFormat::Anthropic | WireFormat::Bedrock => &["system"],
            WireFormat::Gemini => &["systemInstruction", "system_instruction"],
        };
        let said = |node: &Value| self.source.raw(node) != "null";
        let Some(system) = names.iter().find_map(|name| self.source.member(root, name).filter(said)) else {
            return Ok(());
        };
        let piece = self.made(String::from("system"), &system, Layer::Static, Place::Blocks);
        self.prompt.add(piece)
    }

    fn message(&mut self, at: usize, node: &Value, layer: Layer, kind: PieceKind) -> Result<(), Error> {
        let mut piece = self.made(alloc::format!("message {at}"), node, layer, Place::Blocks).of_kind(kind);
        piece.is_message = true;
        self.prompt.add(piece)
    }

    fn made(&self, name: String, node: &Value, layer: Layer, place: Place) -> Piece {
        let (text, marks) = self.source.strip(node, place);
        let plain = if place == Place::Blocks { self.source.plain(node) } else { None };
        Piece { text, marks, plain, ..Piece::new(name, "", layer) }
    }
}

/// How often a name was there so far, so that thousands of one name stay cheap.
#[derive(Default)]
struct Names(BTreeMap<Arc<str>, usize>);

impl Names {
    /// Gives a piece whose name is taken the next free one, `#2` and on.
    fn tell_apart(&mut self, piece: &mut Piece, prompt: &Prompt) {
        let times = self.0.entry(Arc::clone(&piece.name)).or_insert(0);
        *times += 1;
        let plain = Arc::clone(&piece.name);
        while prompt.has(&piece.name) {
            piece.name = Arc::from(alloc::format!("{plain}#{times}"));
            *times += usize::from(prompt.has(&piece.name));
        }
    }
}

/// What a tool is called: its `name`, that of the object in it (`function`, `toolSpec`), its type, or its first member.
pub(super) fn tool_name<'s>(source: &'s Source, tool: &Value) -> Cow<'s, str> {
    let text = |node: &Value, name: &str| source.member(node, name).and_then(|name| source.string(&name));
    let named = |node: &Value| text(node, "name").or_else(|| text(node, "server_label"));
    named(tool)
        .or_else(|| source.members(tool).find_map(|(_, inner)| named(&inner)))
        .or_else(|| text(tool, "type"))
        .or_else(|| source.members(tool).next().map(|(key, _)| key))
        .unwrap_or(Cow::Borrowed("unnamed"))
}
