//! `haversack_prompt`: a prompt as ordered, named pieces.

use haversack::WireFormat;
use haversack::prompt::{Layer, Mark, MarkKind, Piece, PieceKind, Prompt, RequestOptions};

use crate::boundary::{Outcome, free_handle, into_handle, live_mut};
use crate::choices::{chosen_or_default, name_of};
use crate::delivery::write_part;
use crate::error::haversack_error;
use crate::history::fill;
use crate::limits::{haversack_limits, limits_of};
use crate::sized;
use crate::status::haversack_status;
use crate::text::haversack_str;

/// How often a piece of a prompt changes. Layers stand in a prompt in this order.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_layer {
    /// Session (default); static for tools that you own.
    HAVERSACK_LAYER_DEFAULT = 0,
    /// Never, while this version of the agent runs: instructions, tools.
    HAVERSACK_LAYER_STATIC = 1,
    /// Now and then: rules of a project, a list of skills.
    HAVERSACK_LAYER_RARE = 2,
    /// Once a session, or by growing at its end: facts about the user, the conversation.
    HAVERSACK_LAYER_SESSION = 3,
    /// With every call.
    HAVERSACK_LAYER_TURN = 4,
}

/// What a piece of a prompt is for. More may come.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_piece_kind {
    /// What is usual in its layer (default): instructions (static, rare), facts (session), notes (turn).
    HAVERSACK_PIECE_DEFAULT = 0,
    /// What the model is told to do.
    HAVERSACK_PIECE_INSTRUCTIONS = 1,
    /// The definition of a tool.
    HAVERSACK_PIECE_TOOL = 2,
    /// Facts about the user or the session.
    HAVERSACK_PIECE_FACTS = 3,
    /// A message, with its calls or results.
    HAVERSACK_PIECE_CONVERSATION = 4,
    /// Notes about the current turn.
    HAVERSACK_PIECE_NOTES = 5,
    /// A setting of the request that a cache depends on: the model, the tool choice.
    HAVERSACK_PIECE_SETTING = 6,
}

/// How a format spells a cache mark. More may come: treat others as `UNKNOWN`.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_mark_kind {
    /// One that this header does not know.
    HAVERSACK_MARK_UNKNOWN = 0,
    /// The member `cache_control` of a tool, a block or the request.
    HAVERSACK_MARK_CACHE_CONTROL = 1,
    /// A block `cachePoint` of its own, behind what it closes.
    HAVERSACK_MARK_CACHE_POINT = 2,
    /// The member `prompt_cache_breakpoint` of a content block.
    HAVERSACK_MARK_BREAKPOINT = 3,
}

/// A prompt as an ordered sequence of named pieces: layer by layer, and within a layer in the order of
/// `haversack_prompt_add` (tools that you own first, by name). Functions that take it without `const` need it for
/// themselves. Pieces never go, and texts that its functions give live as long as it does.
#[derive(Debug)]
pub struct haversack_prompt(pub(crate) Prompt);

/// A piece of a prompt. Its texts live as long as the prompt.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_piece {
    /// Its name: yours, or `settings/KEY`, `tools/NAME`, `system`, `message N` of a request.
    pub name: haversack_str,
    /// Its text; of a request the JSON text of the value as it was sent, without cache marks.
    pub text: haversack_str,
    /// Who answers for it; absent where nobody does.
    pub owner: haversack_str,
    /// What it may take at most, in the unit you measure in; 0 where `has_budget` is 0.
    pub budget: usize,
    /// A `haversack_layer`.
    pub layer: u32,
    /// A `haversack_piece_kind`.
    pub kind: u32,
    /// 1 when it has a budget.
    pub has_budget: u32,
    /// 1 for a message of a request: its name is its place.
    pub is_message: u32,
}

/// A cache mark of a request. It is no content: a mark that moves changes no piece.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_mark {
    /// The piece it stands on, by its place in the prompt from 0.
    pub piece: usize,
    /// Bytes of the piece's text before it: the end of the block it closes.
    pub at: usize,
    /// A `haversack_mark_kind`.
    pub kind: u32,
    /// The life it asks for, in seconds; 0 where `has_seconds` is 0.
    pub seconds: u32,
    /// 1 when it asks for a life; else the provider chooses.
    pub has_seconds: u32,
    /// Always 0.
    pub reserved: u32,
}

/// Options of `haversack_prompt_add` and `haversack_prompt_add_tool`. `{0}` is all defaults; a number is given by
/// pointing to it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_piece_options {
    /// `sizeof(haversack_piece_options)`; 0 is read as that of the first version.
    pub size: usize,
    /// A `haversack_layer`. Default: session; static for tools that you own.
    pub layer: u32,
    /// A `haversack_piece_kind`. Default: what is usual in the layer.
    pub kind: u32,
    /// What it may take at most, in the unit you measure in. Default: NULL, no budget.
    pub budget: *const usize,
    /// Who answers for it. Default: nobody.
    pub owner: haversack_str,
}

/// A prompt without pieces, to be freed with `haversack_prompt_free`. NULL only after a panic inside the library.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_prompt_new() -> *mut haversack_prompt {
    boundary!(plain std::ptr::null_mut(), { into_handle(haversack_prompt(Prompt::new())) })
}

/// Takes a request body, or a bare list of messages, apart: `settings/KEY`, `tools/NAME`, `system`, `message N`.
/// `format` is a `haversack_wire_format`, 0 to detect it; of `limits`, which may be NULL, `depth` counts. Cache marks
/// and the order of the members of the body are no content. A content that is a list of one plain text block is the
/// same as that text: providers take both alike, and a mark needs the block.
///
/// The text is copied once; time and memory are linear in it.
///
/// On success `*out_prompt` is to be freed with `haversack_prompt_free`. Errors: `HAVERSACK_INVALID_JSON`,
/// `HAVERSACK_INVALID_UTF8`, `HAVERSACK_TOO_DEEP`, `HAVERSACK_NOT_A_HISTORY`, `HAVERSACK_MIXED_FORMATS`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_prompt_from_request(
    body: haversack_str,
    format: u32,
    limits: *const haversack_limits,
    out_prompt: *mut *mut haversack_prompt,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_prompt), {
        let format = chosen_or_default(format, "format")?;
        // SAFETY: by contract text and limits are valid for the call, and the output is not null.
        unsafe {
            let mut options = RequestOptions::of_format(format);
            options.limits = limits_of(limits)?;
            let prompt = Prompt::from_request(body.bytes("body")?, &options)?;
            out_prompt.write(into_handle(haversack_prompt(prompt)));
        }
        Ok(())
    })
}

/// Frees a prompt, on any thread. NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_prompt_free(prompt: *mut haversack_prompt) {
    // SAFETY: by contract null or ours, freed once.
    boundary!(plain(), { unsafe { free_handle(prompt) } });
}

/// Adds a piece at the end of its layer. Both texts are copied. `options` may be NULL. After an error the prompt is as
/// it was.
///
/// Errors: `HAVERSACK_DUPLICATE_PIECE` and `HAVERSACK_UNKNOWN_LAYER`, with the name as `haversack_error_piece`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_prompt_add(
    prompt: *mut haversack_prompt,
    name: haversack_str,
    text: haversack_str,
    options: *const haversack_piece_options,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(), {
        // SAFETY: by contract all that the caller handed over is valid for the call.
        unsafe {
            let prompt = &mut live_mut(prompt, "prompt")?.0;
            let name = name.text("name")?;
            let given = sized::read(options, "options")?;
            let mut piece = Piece::new(name, text.text("text")?, layer_of(given.layer, Layer::Session, name)?);
            if let Some(kind) = chosen_or_default(given.kind, "kind")? {
                piece = piece.of_kind(kind);
            }
            prompt.add(finished(piece, &given)?)?;
        }
        Ok(())
    })
}

/// The same prompt before anyone spoke: without conversation and notes, with all settings, instructions, tools and
/// facts. What a sub-agent with a blank history starts from. Texts are shared. To be freed with
/// `haversack_prompt_free`; NULL for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_prompt_without_conversation(
    prompt: *const haversack_prompt,
) -> *mut haversack_prompt {
    boundary!(get prompt => into_handle(haversack_prompt(prompt.0.without_conversation())), or std::ptr::null_mut())
}

/// How many pieces there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_prompt_len(prompt: *const haversack_prompt) -> usize {
    boundary!(get prompt => prompt.0.len(), or 0)
}

/// The wire format of the request that it was taken from: a `haversack_wire_format`; 0 where it was not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_prompt_format(prompt: *const haversack_prompt) -> u32 {
    boundary!(get prompt => prompt.0.format().map_or(0, WireFormat::code), or 0)
}

/// Writes the first `capacity` pieces, in the order of the prompt, to `pieces` and answers how many there are. `pieces`
/// may be NULL with capacity 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_prompt_pieces(
    prompt: *const haversack_prompt,
    pieces: *mut haversack_piece,
    capacity: usize,
) -> usize {
    boundary!(get prompt => {
        // SAFETY: by contract `pieces` covers `capacity` entries.
        unsafe { fill(pieces, capacity, prompt.0.pieces().map(piece_view)) };
        prompt.0.len()
    }, or 0)
}

/// The piece of that name. False, and nothing written, when there is none. Linear in the number of pieces.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_prompt_lookup(
    prompt: *const haversack_prompt,
    name: haversack_str,
    out_piece: *mut haversack_piece,
) -> bool {
    boundary!(get prompt => {
        // SAFETY: by contract the name is valid for the call.
        let name = unsafe { name.text("name") };
        write_part(name.ok().and_then(|name| prompt.0.piece(name)), out_piece, piece_view)
    }, or false)
}

/// Writes the first `capacity` cache marks on pieces, in the order of the prompt, to `marks` and answers how many there
/// are. `marks` may be NULL with capacity 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_prompt_marks(
    prompt: *const haversack_prompt,
    marks: *mut haversack_mark,
    capacity: usize,
) -> usize {
    boundary!(get prompt => {
        let pieces = prompt.0.pieces().enumerate();
        let all = pieces.flat_map(|(place, piece)| piece.marks().iter().map(move |mark| mark_view(mark, place)));
        // SAFETY: by contract `marks` covers `capacity` entries.
        unsafe { fill(marks, capacity, all.clone()) };
        all.count()
    }, or 0)
}

/// The cache mark of the whole request, which stands wherever the request ends: its `piece` and `at` are 0 and say
/// nothing. False, and nothing written, when there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_prompt_automatic_mark(
    prompt: *const haversack_prompt,
    out_mark: *mut haversack_mark,
) -> bool {
    boundary!(get prompt => {
        write_part(prompt.0.automatic_mark().as_ref(), out_mark, |mark| haversack_mark { at: 0, ..mark_view(mark, 0) })
    }, or false)
}

/// The name of a `haversack_layer`, such as `static`; absent for a number that is none. Static.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_layer_name(layer: u32) -> haversack_str {
    boundary!(plain haversack_str::NONE, { name_of::<Layer>(layer) })
}

/// The name of a `haversack_piece_kind`, such as `tool`; absent for a number that is none. Static.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_piece_kind_name(kind: u32) -> haversack_str {
    boundary!(plain haversack_str::NONE, { name_of::<PieceKind>(kind) })
}

/// The name of a `haversack_mark_kind`, such as `cache_control`; absent for a number that is none. Static.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_mark_kind_name(kind: u32) -> haversack_str {
    boundary!(plain haversack_str::NONE, { name_of::<MarkKind>(kind) })
}

/// The piece with the budget and the owner of its options.
///
/// # Safety
/// The options are valid for the call.
pub(crate) unsafe fn finished(mut piece: Piece, given: &haversack_piece_options) -> Outcome<Piece> {
    // SAFETY: by contract.
    let (budget, owner) = unsafe { (given.budget.as_ref(), given.owner.optional("owner")?) };
    if let Some(budget) = budget {
        piece = piece.with_budget(*budget);
    }
    if let Some(owner) = owner {
        piece = piece.owned_by(owner);
    }
    Ok(piece)
}

/// The layer of that number for the piece `piece`; the core words what is none.
pub(crate) fn layer_of(number: u32, default: Layer, piece: &str) -> Outcome<Layer> {
    match chosen_or_default(number, "layer") {
        Ok(layer) => Ok(layer.unwrap_or(default)),
        Err(_) => Layer::of_piece(&number.to_string(), piece).map_err(haversack_error::from),
    }
}

fn piece_view(piece: &Piece) -> haversack_piece {
    haversack_piece {
        name: haversack_str::of(piece.name()),
        text: haversack_str::of(piece.text()),
        owner: haversack_str::of_option(piece.owner()),
        budget: piece.budget().unwrap_or(0),
        layer: piece.layer().code(),
        kind: piece.kind().code(),
        has_budget: piece.budget().is_some().into(),
        is_message: piece.is_message().into(),
    }
}

fn mark_view(mark: &Mark, piece: usize) -> haversack_mark {
    haversack_mark {
        piece,
        at: mark.at,
        kind: mark.kind.code(),
        seconds: mark.seconds.unwrap_or(0),
        has_seconds: mark.seconds.is_some().into(),
        reserved: 0,
    }
}

versioned!(haversack_piece_options { size, layer, kind, budget, owner } first: owner);
