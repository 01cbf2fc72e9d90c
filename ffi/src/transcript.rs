//! `haversack_transcript`: messages by number; and the index of a transcript in a file.

use haversack::transcript::{
    Damage, DamageKind, Message, Reference, Transcript, TranscriptHit, TranscriptIndex, read_lines, references,
};

use crate::boundary::{free_handle, into_handle, live, live_mut};
use crate::choices::name_of;
use crate::delivery::write_part;
use crate::error::haversack_error;
use crate::history::fill;
use crate::status::haversack_status;
use crate::text::{haversack_str, haversack_string};

/// Why a line is no message. More may come: treat others as `UNKNOWN`.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_damage_kind {
    /// One that this header does not know.
    HAVERSACK_DAMAGE_UNKNOWN = 0,
    /// It is the last one, and breaks off.
    HAVERSACK_DAMAGE_TRUNCATED = 1,
    /// It is no JSON.
    HAVERSACK_DAMAGE_INVALID_JSON = 2,
    /// It is no UTF-8.
    HAVERSACK_DAMAGE_INVALID_UTF8 = 3,
    /// It is JSON, and no object.
    HAVERSACK_DAMAGE_NOT_AN_OBJECT = 4,
    /// There is nothing in it.
    HAVERSACK_DAMAGE_BLANK = 5,
}

/// Everything that was said, by number from 1: message 214 stays message 214, whatever a compaction does to the prompt.
/// It is JSON Lines: line N is message N. Functions that take it without `const` need it for themselves.
#[derive(Debug)]
pub struct haversack_transcript(pub(crate) Transcript);

/// A message, as it stands.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_message {
    /// Its number, for good.
    pub number: u64,
    /// Its JSON.
    pub text: haversack_str,
}

/// A line that cannot be served.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_damage {
    /// The number that it keeps.
    pub number: u64,
    /// Where it is wrong, in bytes from the start of the line.
    pub offset: usize,
    /// How many bytes it has.
    pub bytes: usize,
    /// What is wrong: a `haversack_damage_kind`.
    pub kind: u32,
    /// Always 0.
    pub reserved: u32,
}

/// Messages from the first to the last, both included.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_message_range {
    /// The first one.
    pub first: u64,
    /// The last one.
    pub last: u64,
}

/// A message that holds what was looked for.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_transcript_hit {
    /// Its number.
    pub number: u64,
    /// How often.
    pub count: u64,
}

/// What a search found. It never changes, and needs the transcript no more.
#[derive(Debug)]
pub struct haversack_transcript_hits(Vec<TranscriptHit>);

/// The references in a text. They never change, and need the text and the transcript no more.
#[derive(Debug)]
pub struct haversack_references(Vec<Reference>);

/// A reference to messages in a text. Its quote lives as long as the list.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_reference {
    /// The first message.
    pub first: u64,
    /// The last message.
    pub last: u64,
    /// Where it stands, in bytes.
    pub at: usize,
    /// How long it is, in bytes, the quote not included.
    pub length: usize,
    /// The words quoted behind it; absent where there are none.
    pub quote: haversack_str,
    /// 1 when there are such messages. Not known before a transcript was asked: 0.
    pub exists: u32,
    /// 1 when `holds` says something; 0 where nothing is quoted, the range is wider than 100 messages, or no transcript
    /// was asked.
    pub has_holds: u32,
    /// 1 when one of the messages holds exactly the quoted words.
    pub holds: u32,
    /// Always 0.
    pub reserved: u32,
}

/// The places of the lines of a JSON Lines file that the host keeps: it is fed the file once, and then whatever is
/// appended; 8 bytes a message. Functions that take it without `const` need it for themselves.
#[derive(Debug)]
pub struct haversack_transcript_index(TranscriptIndex);

/// Bytes of a file.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_byte_range {
    /// The first one, from 0.
    pub start: u64,
    /// One past the last one.
    pub end: u64,
}

/// What was read of a range of bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_line_counts {
    /// How many lines are messages.
    pub messages: usize,
    /// How many lines are none.
    pub damage: usize,
}

/// A transcript with nothing in it, to be freed with `haversack_transcript_free`. NULL only after a panic inside the
/// library.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_transcript_new() -> *mut haversack_transcript {
    boundary!(plain std::ptr::null_mut(), { into_handle(haversack_transcript(Transcript::new())) })
}

/// Frees a transcript, on any thread. NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_transcript_free(transcript: *mut haversack_transcript) {
    // SAFETY: by contract null or ours, freed once.
    boundary!(plain(), { unsafe { free_handle(transcript) } });
}

/// Appends a message (a JSON object), which is copied, and answers its number, which is its for good. It is kept as it
/// is spelt; white space outside strings goes only where it has line breaks. Costs its own length. After an error the
/// transcript is as it was.
///
/// Errors: `HAVERSACK_INVALID_JSON` and `HAVERSACK_TOO_DEEP` with the offset; `HAVERSACK_INVALID_OPTION` for argument
/// `message` where it is JSON and no object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_transcript_append(
    transcript: *mut haversack_transcript,
    message: haversack_str,
    out_number: *mut u64,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_number), {
        // SAFETY: by contract null or a live handle that nothing else uses, and a valid text; the output is not null.
        unsafe { out_number.write(live_mut(transcript, "transcript")?.0.append(message.text("message")?)?) };
        Ok(())
    })
}

/// The number of the last message; 0 where there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_transcript_last(transcript: *const haversack_transcript) -> u64 {
    boundary!(get transcript => transcript.0.last(), or 0)
}

/// Writes the first `capacity` messages from number `first` to `last`, both included, to `messages`, and how many there
/// are to `out_count`; `last - first + 1` is enough for a range that exists,
/// which `haversack_transcript_last` tells: a `last` that comes from a model may be any number. `messages` may be NULL
/// with capacity 0. A line that is damaged is left out, and stands in `haversack_transcript_damage`. Texts live until
/// the next append or `haversack_transcript_free`, on whatever thread it is called: whoever shares a transcript copies
/// them first. Linear in the messages of the range.
///
/// Errors: `HAVERSACK_NO_SUCH_MESSAGE`, with the number (index) that there is not, and the last one (available).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_transcript_read(
    transcript: *const haversack_transcript,
    first: u64,
    last: u64,
    messages: *mut haversack_message,
    capacity: usize,
    out_count: *mut usize,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_count), {
        // SAFETY: by contract null or a live handle; `messages` covers `capacity` entries; the output is not null.
        unsafe {
            let found = live(transcript, "transcript")?.0.read(first, last)?;
            fill(messages, capacity, found.iter().map(message_view));
            out_count.write(found.len());
        }
        Ok(())
    })
}

/// The messages of a range as one JSON array, a history of its own for `haversack_history_parse`, to be freed with
/// `haversack_string_free`. Errors as `haversack_transcript_read`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_transcript_array(
    transcript: *const haversack_transcript,
    first: u64,
    last: u64,
    out_json: *mut haversack_string,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_json), {
        // SAFETY: by contract null or a live handle; the output is not null.
        unsafe { out_json.write(haversack_string::owning(live(transcript, "transcript")?.0.array(first, last)?)) };
        Ok(())
    })
}

/// The messages whose strings and names of members hold exactly this text, in order; escapes are read as what they say.
/// Linear in the transcript.
///
/// On success `*out_hits` is to be freed with `haversack_transcript_hits_free`; it may be empty. Errors:
/// `HAVERSACK_INVALID_OPTION` for an empty `needle`, `HAVERSACK_LIMIT_EXCEEDED` for one above 4,096 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_transcript_search(
    transcript: *const haversack_transcript,
    needle: haversack_str,
    out_hits: *mut *mut haversack_transcript_hits,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_hits), {
        // SAFETY: by contract null or a live handle, and a valid text; the output is not null.
        unsafe {
            let hits = live(transcript, "transcript")?.0.search(needle.text("needle")?)?;
            out_hits.write(into_handle(haversack_transcript_hits(hits)));
        }
        Ok(())
    })
}

/// Frees what a search found, on any thread. NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_transcript_hits_free(hits: *mut haversack_transcript_hits) {
    // SAFETY: by contract null or ours, freed once.
    boundary!(plain(), { unsafe { free_handle(hits) } });
}

/// How many messages there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_transcript_hits_count(hits: *const haversack_transcript_hits) -> usize {
    boundary!(get hits => hits.0.len(), or 0)
}

/// The message of that number in the list, from 0. False, and nothing written, past the end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_transcript_hits_get(
    hits: *const haversack_transcript_hits,
    index: usize,
    out_hit: *mut haversack_transcript_hit,
) -> bool {
    boundary!(get hits => write_part(hits.0.get(index), out_hit, |hit| haversack_transcript_hit {
        number: hit.number,
        count: hit.count,
    }), or false)
}

/// What a reference leads to: `message 214`, `messages 3-9` or `3 to 9`, `#214`, or the number alone, perhaps in
/// brackets.
///
/// Errors: `HAVERSACK_INVALID_OPTION` for argument `reference`: it is none of these; `HAVERSACK_NO_SUCH_MESSAGE`, with
/// the number (index) that there is not, and the last one (available).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_transcript_resolve(
    transcript: *const haversack_transcript,
    reference: haversack_str,
    out_range: *mut haversack_message_range,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_range), {
        // SAFETY: by contract null or a live handle, and a valid text; the output is not null.
        unsafe {
            let (first, last) = live(transcript, "transcript")?.0.resolve(reference.text("reference")?)?;
            out_range.write(haversack_message_range { first, last });
        }
        Ok(())
    })
}

/// The references in a text (a summary, a finding), each with whether it exists and, where words are quoted behind it,
/// whether the messages hold exactly them (in a range of at most 100 messages). Linear in the text, and for each quote
/// in the messages it is looked for in.
///
/// On success `*out_references` is to be freed with `haversack_references_free`; it may be empty.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_transcript_check(
    transcript: *const haversack_transcript,
    text: haversack_str,
    out_references: *mut *mut haversack_references,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_references), {
        // SAFETY: by contract null or a live handle, and a valid text; the output is not null.
        unsafe {
            let found = live(transcript, "transcript")?.0.check(text.text("text")?);
            out_references.write(into_handle(haversack_references(found)));
        }
        Ok(())
    })
}

/// The references in a text, in order, when there is no transcript to ask: the word `message` or `messages`, a number
/// or a range, and perhaps words in double quotes. Linear.
///
/// On success `*out_references` is to be freed with `haversack_references_free`; it may be empty.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_references_in(
    text: haversack_str,
    out_references: *mut *mut haversack_references,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_references), {
        // SAFETY: by contract the text is valid for the call, and the output is not null.
        unsafe { out_references.write(into_handle(haversack_references(references(text.text("text")?)))) };
        Ok(())
    })
}

/// Frees a list of references, on any thread. NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_references_free(references: *mut haversack_references) {
    // SAFETY: by contract null or ours, freed once.
    boundary!(plain(), { unsafe { free_handle(references) } });
}

/// How many there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_references_count(references: *const haversack_references) -> usize {
    boundary!(get references => references.0.len(), or 0)
}

/// The reference of that number, from 0. False, and nothing written, past the end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_references_get(
    references: *const haversack_references,
    index: usize,
    out_reference: *mut haversack_reference,
) -> bool {
    boundary!(get references => write_part(references.0.get(index), out_reference, |one| haversack_reference {
        first: one.from,
        last: one.to,
        at: one.at,
        length: one.length,
        quote: haversack_str::of_option(one.quote.as_deref()),
        exists: one.exists.into(),
        has_holds: one.holds.is_some().into(),
        holds: one.holds.unwrap_or(false).into(),
        reserved: 0,
    }), or false)
}

/// Writes the first `capacity` lines that cannot be served, in order, to `damage` and answers how many there are.
/// `damage` may be NULL with capacity 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_transcript_damage(
    transcript: *const haversack_transcript,
    damage: *mut haversack_damage,
    capacity: usize,
) -> usize {
    boundary!(get transcript => {
        // SAFETY: by contract `damage` covers `capacity` entries.
        unsafe { fill(damage, capacity, transcript.0.damage().iter().map(damage_view)) };
        transcript.0.damage().len()
    }, or 0)
}

/// All lines as they stand, damaged ones too: JSON Lines, line N is message N. Lives until the next append.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_transcript_jsonl(transcript: *const haversack_transcript) -> haversack_str {
    boundary!(get transcript => haversack_str::of(transcript.0.to_jsonl()), or haversack_str::NONE)
}

/// Reads JSON Lines, which are copied: every line that is a JSON object is served under its number, every other is
/// reported in `haversack_transcript_damage` and keeps its number. A last line without a line feed that is whole is a
/// message. Linear.
///
/// On success `*out_transcript` is to be freed with `haversack_transcript_free`. Only text that is no UTF-8 is an
/// error; `haversack_read_lines` takes that, too.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_transcript_from_jsonl(
    text: haversack_str,
    out_transcript: *mut *mut haversack_transcript,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_transcript), {
        // SAFETY: by contract the text is valid for the call, and the output is not null.
        unsafe { out_transcript.write(into_handle(haversack_transcript(Transcript::from_jsonl(text.text("text")?)))) };
        Ok(())
    })
}

/// The transcript as versioned JSON, to be freed with `haversack_string_free`, for hosts that keep all state in one
/// form.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_transcript_json(
    transcript: *const haversack_transcript,
    out_json: *mut haversack_string,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_json), {
        // SAFETY: by contract null or a live handle; the output is not null.
        unsafe { out_json.write(haversack_string::owning(live(transcript, "transcript")?.0.to_json())) };
        Ok(())
    })
}

/// A transcript from what `haversack_transcript_json` wrote, to be freed with `haversack_transcript_free`. Errors:
/// `HAVERSACK_INVALID_STATE`: no such JSON (offset), or another version.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_transcript_from_json(
    json: haversack_str,
    out_transcript: *mut *mut haversack_transcript,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_transcript), {
        // SAFETY: by contract the text is valid for the call, and the output is not null.
        unsafe { out_transcript.write(into_handle(haversack_transcript(Transcript::from_json(json.text("json")?)?))) };
        Ok(())
    })
}

/// The index of an empty file, to be freed with `haversack_transcript_index_free`. NULL only after a panic inside the
/// library.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_transcript_index_new() -> *mut haversack_transcript_index {
    boundary!(plain std::ptr::null_mut(), { into_handle(haversack_transcript_index(TranscriptIndex::new())) })
}

/// Frees an index, on any thread. NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_transcript_index_free(index: *mut haversack_transcript_index) {
    // SAFETY: by contract null or ours, freed once.
    boundary!(plain(), { unsafe { free_handle(index) } });
}

/// Goes over the next bytes of the file, in pieces of any size; they need not be UTF-8. Linear in the bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_transcript_index_feed(
    index: *mut haversack_transcript_index,
    bytes: haversack_str,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(), {
        // SAFETY: by contract null or a live handle that nothing else uses, and valid bytes.
        unsafe { live_mut(index, "index")?.0.feed(bytes.bytes("bytes")?) };
        Ok(())
    })
}

/// The number of the last message; 0 where there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_transcript_index_last(index: *const haversack_transcript_index) -> u64 {
    boundary!(get index => index.0.last(), or 0)
}

/// How many bytes were fed: where the file goes on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_transcript_index_length(index: *const haversack_transcript_index) -> u64 {
    boundary!(get index => index.0.length(), or 0)
}

/// The bytes of the messages from number `first` to `last`, both included: what to read of the file for
/// `haversack_read_lines`. Costs two look-ups. Errors as `haversack_transcript_read`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_transcript_index_range(
    index: *const haversack_transcript_index,
    first: u64,
    last: u64,
    out_range: *mut haversack_byte_range,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_range), {
        // SAFETY: by contract null or a live handle; the output is not null.
        unsafe {
            let bytes = live(index, "index")?.0.range(first, last)?;
            out_range.write(haversack_byte_range { start: bytes.start, end: bytes.end });
        }
        Ok(())
    })
}

/// What a reference leads to, as `haversack_transcript_resolve` reads it, with its errors.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_transcript_index_resolve(
    index: *const haversack_transcript_index,
    reference: haversack_str,
    out_range: *mut haversack_message_range,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_range), {
        // SAFETY: by contract null or a live handle, and a valid text; the output is not null.
        unsafe {
            let (first, last) = live(index, "index")?.0.resolve(reference.text("reference")?)?;
            out_range.write(haversack_message_range { first, last });
        }
        Ok(())
    })
}

/// Reads the lines of a range of bytes, of which the first has the number `first`: writes the first `message_capacity`
/// messages to `messages`, the first `damage_capacity` lines that are none to `damage`, and how many of both there are
/// to `out_counts`. As much room as the range has numbers is always enough for both; either may be NULL with capacity
/// 0. Texts point into `bytes`. Linear in the bytes, which need not be UTF-8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_read_lines(
    bytes: haversack_str,
    first: u64,
    messages: *mut haversack_message,
    message_capacity: usize,
    damage: *mut haversack_damage,
    damage_capacity: usize,
    out_counts: *mut haversack_line_counts,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_counts), {
        // SAFETY: by contract the bytes are valid for the call, and the arrays cover their capacities; the output is
        // not null.
        unsafe {
            let lines = read_lines(bytes.bytes("bytes")?, first);
            fill(messages, message_capacity, lines.messages.iter().map(message_view));
            fill(damage, damage_capacity, lines.damage.iter().map(damage_view));
            out_counts.write(haversack_line_counts { messages: lines.messages.len(), damage: lines.damage.len() });
        }
        Ok(())
    })
}

/// The name of a `haversack_damage_kind`, such as `truncated`; absent for a number that is none. Static.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_damage_kind_name(kind: u32) -> haversack_str {
    boundary!(plain haversack_str::NONE, { name_of::<DamageKind>(kind) })
}

fn message_view(message: &Message<'_>) -> haversack_message {
    haversack_message { number: message.number, text: haversack_str::of(message.text) }
}

fn damage_view(damage: &Damage) -> haversack_damage {
    haversack_damage {
        number: damage.number,
        offset: damage.offset,
        bytes: damage.bytes,
        kind: damage.kind.code(),
        reserved: 0,
    }
}
