//! `haversack_memory_items`: what a memory answers, `haversack_added`: what became of a text, and what goes into a
//! dated file.

use haversack::{Added, FlushFile, FlushRequest, Hit, MemoryItem, Remembered, Said, Timing};

use crate::account::haversack_account;
use crate::boundary::{free_handle, into_handle, live};
use crate::choices::name_of;
use crate::delivery::write_part;
use crate::error::haversack_error;
use crate::history::fill;
use crate::status::haversack_status;
use crate::text::{haversack_str, haversack_string};

/// When a memory was written, which says what it is worth: each trusts something else.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_timing {
    /// When it was said.
    HAVERSACK_TIMING_DEFAULT = 0,
    /// When it was said: trusts one message.
    HAVERSACK_TIMING_AT_ONCE = 1,
    /// When the conversation ended: trusts what was made of all of it.
    HAVERSACK_TIMING_END_OF_CONVERSATION = 2,
    /// By something that reads along, turn by turn: trusts the reader.
    HAVERSACK_TIMING_BACKGROUND = 3,
}

/// What became of a text that was added. More may come: treat others as `UNKNOWN`.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_remembered {
    /// One that this header does not know.
    HAVERSACK_REMEMBERED_UNKNOWN = 0,
    /// It is a new memory.
    HAVERSACK_REMEMBERED_ADDED = 1,
    /// It was there already: its source is added to the memory.
    HAVERSACK_REMEMBERED_MERGED = 2,
    /// It is a new memory, and the one that ranked last has gone for it.
    HAVERSACK_REMEMBERED_EVICTED = 3,
    /// It is not stored: it would rank last.
    HAVERSACK_REMEMBERED_REFUSED = 4,
    /// It is a new memory above the cap.
    HAVERSACK_REMEMBERED_OVER_CAP = 5,
}

/// Memories as they were when they were asked for. The list never changes, so threads may read it at once, and it needs
/// the memory no more.
#[derive(Debug)]
pub struct haversack_memory_items(pub(crate) Listed);

/// What is in such a list.
#[derive(Debug)]
pub(crate) enum Listed {
    Items(Vec<MemoryItem>),
    Hits(Vec<Hit>),
}

/// A memory: a text with its sources. Its texts live as long as what it came from.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_memory_item {
    /// Its number in this memory, for good.
    pub id: u64,
    /// The text, as it was said first.
    pub text: haversack_str,
    /// Where it comes from: of all times that it was said, the one that ranks first.
    pub source: haversack_str,
    /// When it was said there, in seconds.
    pub at: u64,
    /// How well it fits, in 1/1024; 0 where nothing was searched for.
    pub score: u64,
    /// How many other times it was said.
    pub also: usize,
    /// How much it matters, said there, 0 to 9.
    pub importance: u32,
    /// A `haversack_timing`: when it was written there.
    pub timing: u32,
}

/// One more time that a text was said. Its text lives as long as what it came from.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_said {
    /// By whom, or where it stood.
    pub source: haversack_str,
    /// When, in seconds.
    pub at: u64,
    /// How much it matters, 0 to 9.
    pub importance: u32,
    /// A `haversack_timing`: when it was written.
    pub timing: u32,
}

/// What became of a text that was added, and of the memory that went for it. It never changes, so threads may read it
/// at once.
#[derive(Debug)]
pub struct haversack_added(pub(crate) Added);

/// Lines for the end of a dated file. It never changes, so threads may read it at once.
#[derive(Debug)]
pub struct haversack_flush_file(pub(crate) FlushFile);

/// A message that asks the model to write down what will still matter. It never changes, so threads may read it at
/// once.
#[derive(Debug)]
pub struct haversack_flush_request(FlushRequest);

/// Frees a list of memories, on any thread. NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_memory_items_free(items: *mut haversack_memory_items) {
    // SAFETY: by contract null or ours, freed once.
    boundary!(plain(), { unsafe { free_handle(items) } });
}

/// How many memories there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_memory_items_count(items: *const haversack_memory_items) -> usize {
    boundary!(get items => items.0.len(), or 0)
}

/// The memory of that number, from 0. False, and nothing written, past the end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_memory_items_get(
    items: *const haversack_memory_items,
    index: usize,
    out_item: *mut haversack_memory_item,
) -> bool {
    boundary!(get items => {
        let found = items.0.get(index);
        write_part(found.as_ref(), out_item, |(item, score)| item_view(item, *score))
    }, or false)
}

/// Writes the first `capacity` other times that the memory of that number was said (one a source, of one kind of source
/// the best eight) to `said` and answers how many there are; 0 past the end. `said` may be NULL with capacity 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_memory_items_also(
    items: *const haversack_memory_items,
    index: usize,
    said: *mut haversack_said,
    capacity: usize,
) -> usize {
    boundary!(get items => {
        // SAFETY: by contract `said` covers `capacity` entries.
        items.0.get(index).map_or(0, |(item, _)| unsafe { also(item, said, capacity) })
    }, or 0)
}

/// Every member of the memory of that number under its name as compact JSON, with `score` where it was searched for, to
/// be freed with `haversack_string_free`. `HAVERSACK_BAD_ARGUMENT` past the end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_memory_items_json(
    items: *const haversack_memory_items,
    index: usize,
    out_json: *mut haversack_string,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_json), {
        // SAFETY: by contract null or a live handle; the output is not null.
        unsafe {
            let json = match &live(items, "items")?.0 {
                Listed::Items(items) => items.get(index).map(MemoryItem::to_json),
                Listed::Hits(hits) => hits.get(index).map(Hit::to_json),
            };
            let json = json.ok_or_else(|| haversack_error::bad_argument("index", "is past the end"))?;
            out_json.write(haversack_string::owning(json));
        }
        Ok(())
    })
}

/// Frees what became of a text, on any thread. NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_added_free(added: *mut haversack_added) {
    // SAFETY: by contract null or ours, freed once.
    boundary!(plain(), { unsafe { free_handle(added) } });
}

/// What became of it: a `haversack_remembered`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_added_outcome(added: *const haversack_added) -> u32 {
    boundary!(get added => added.0.outcome.code(), or 0)
}

/// Its number. False, and nothing written, where it was refused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_added_id(added: *const haversack_added, out_id: *mut u64) -> bool {
    boundary!(get added => write_part(added.0.id.as_ref(), out_id, |id| *id), or false)
}

/// How many memories there are above the cap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_added_over(added: *const haversack_added) -> u64 {
    boundary!(get added => added.0.over, or 0)
}

/// The memory that went for it; its texts live as long as the handle. False, and nothing written, where none did.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_added_evicted(
    added: *const haversack_added,
    out_item: *mut haversack_memory_item,
) -> bool {
    boundary!(get added => write_part(added.0.evicted.as_ref(), out_item, |item| item_view(item, 0)), or false)
}

/// Writes the first `capacity` other times that the memory that went for it was said to `said` and answers how many
/// there are; 0 where none went. `said` may be NULL with capacity 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_added_evicted_also(
    added: *const haversack_added,
    said: *mut haversack_said,
    capacity: usize,
) -> usize {
    boundary!(get added => {
        // SAFETY: by contract `said` covers `capacity` entries.
        added.0.evicted.as_ref().map_or(0, |item| unsafe { also(item, said, capacity) })
    }, or 0)
}

/// `{"outcome", "id", "evicted", "over"}` as compact JSON, to be freed with `haversack_string_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_added_json(
    added: *const haversack_added,
    out_json: *mut haversack_string,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_json), {
        // SAFETY: by contract null or a live handle; the output is not null.
        unsafe { out_json.write(haversack_string::owning(live(added, "added")?.0.to_json())) };
        Ok(())
    })
}

/// Frees a flush file, on any thread. NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_flush_file_free(file: *mut haversack_flush_file) {
    // SAFETY: by contract null or ours, freed once.
    boundary!(plain(), { unsafe { free_handle(file) } });
}

/// `memory/YYYY-MM-DD.md`, relative to wherever the host keeps it. Lives as long as the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_flush_file_name(file: *const haversack_flush_file) -> haversack_str {
    boundary!(get file => haversack_str::of(&file.0.name), or haversack_str::NONE)
}

/// What to append: a heading and one line a memory, with a line feed at its end. Lives as long as the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_flush_file_text(file: *const haversack_flush_file) -> haversack_str {
    boundary!(get file => haversack_str::of(&file.0.text), or haversack_str::NONE)
}

/// The books: all are kept.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_flush_file_account(file: *const haversack_flush_file) -> haversack_account {
    boundary!(get file => (&file.0.account).into(), or haversack_account::default())
}

/// `{"name", "text", "account"}` as compact JSON, to be freed with `haversack_string_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_flush_file_json(
    file: *const haversack_flush_file,
    out_json: *mut haversack_string,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_json), {
        // SAFETY: by contract null or a live handle; the output is not null.
        unsafe { out_json.write(haversack_string::owning(live(file, "file")?.0.to_json())) };
        Ok(())
    })
}

/// The message that asks a model to flush before older messages are compacted, and the answer that says it has. `date`
/// is the day, as `YYYY-MM-DD`. On success `*out_request` is to be freed with `haversack_flush_request_free`. Errors:
/// `HAVERSACK_INVALID_OPTION` for a `date` that is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_flush_request_new(
    date: haversack_str,
    out_request: *mut *mut haversack_flush_request,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_request), {
        // SAFETY: by contract the text is valid for the call, and the output is not null.
        unsafe {
            let request = haversack::flush_request(date.text("date")?)?;
            out_request.write(into_handle(haversack_flush_request(request)));
        }
        Ok(())
    })
}

/// Frees a flush request, on any thread. NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_flush_request_free(request: *mut haversack_flush_request) {
    // SAFETY: by contract null or ours, freed once.
    boundary!(plain(), { unsafe { free_handle(request) } });
}

/// The file that the model is asked to write to. Lives as long as the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_flush_request_name(request: *const haversack_flush_request) -> haversack_str {
    boundary!(get request => haversack_str::of(&request.0.name), or haversack_str::NONE)
}

/// The message. Lives as long as the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_flush_request_text(request: *const haversack_flush_request) -> haversack_str {
    boundary!(get request => haversack_str::of(&request.0.text), or haversack_str::NONE)
}

/// The answer that is not to be shown to anyone. Static.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_flush_request_silent(request: *const haversack_flush_request) -> haversack_str {
    boundary!(get request => haversack_str::of(request.0.silent), or haversack_str::NONE)
}

/// Whether a reply says that there is nothing to show: the agreed word alone, or nothing that can be seen. False for
/// what is no text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_is_silent_reply(reply: haversack_str) -> bool {
    boundary!(plain false, {
        // SAFETY: by contract the text is valid for the call.
        unsafe { reply.text("reply") }.is_ok_and(haversack::is_silent_reply)
    })
}

/// The name of a `haversack_timing`, such as `at_once`; absent for a number that is none. Static.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_timing_name(timing: u32) -> haversack_str {
    boundary!(plain haversack_str::NONE, { name_of::<Timing>(timing) })
}

/// The name of a `haversack_remembered`, such as `merged`; absent for a number that is none. Static.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_remembered_name(remembered: u32) -> haversack_str {
    boundary!(plain haversack_str::NONE, { name_of::<Remembered>(remembered) })
}

impl Listed {
    pub(crate) fn len(&self) -> usize {
        match self {
            Listed::Items(items) => items.len(),
            Listed::Hits(hits) => hits.len(),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &MemoryItem> {
        let (items, hits): (&[MemoryItem], &[Hit]) = match self {
            Listed::Items(items) => (items, &[]),
            Listed::Hits(hits) => (&[], hits),
        };
        items.iter().chain(hits.iter().map(|hit| &hit.item))
    }

    /// The memory of that number with its score.
    fn get(&self, index: usize) -> Option<(&MemoryItem, u64)> {
        match self {
            Listed::Items(items) => items.get(index).map(|item| (item, 0)),
            Listed::Hits(hits) => hits.get(index).map(|hit| (&hit.item, hit.score)),
        }
    }
}

/// Writes the other times that a memory was said, and answers how many there are.
///
/// # Safety
/// `said` is null or covers `capacity` entries.
unsafe fn also(item: &MemoryItem, said: *mut haversack_said, capacity: usize) -> usize {
    // SAFETY: by contract.
    unsafe { fill(said, capacity, item.also.iter().map(said_view)) };
    item.also.len()
}

fn said_view(said: &Said) -> haversack_said {
    haversack_said {
        source: haversack_str::of(said.source.as_str()),
        at: said.at,
        importance: said.importance.into(),
        timing: said.timing.code(),
    }
}

fn item_view(item: &MemoryItem, score: u64) -> haversack_memory_item {
    haversack_memory_item {
        id: item.id,
        text: haversack_str::of(&item.text),
        source: haversack_str::of(item.source.as_str()),
        at: item.at,
        score,
        also: item.also.len(),
        importance: item.importance.into(),
        timing: item.timing.code(),
    }
}
