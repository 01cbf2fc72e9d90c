//! `haversack_memory`: texts with a source, an importance and a time, of which a slice goes into a request.

use haversack::{Memory, MemoryCounts, MemoryItem, OnFull, RememberOptions};

use crate::boundary::{Outcome, free_handle, into_handle, live, live_mut};
use crate::choices::{chosen_or_default, name_of};
use crate::error::haversack_error;
use crate::measure::{Meter, haversack_budget};
use crate::memory_item::{Listed, haversack_added, haversack_flush_file, haversack_memory_items};
use crate::rendered::{haversack_rendered, optional_meter};
use crate::sized;
use crate::status::haversack_status;
use crate::text::{haversack_str, haversack_string};

/// What happens to a memory that is one too many.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_on_full {
    /// It is stored, and the answer says so.
    HAVERSACK_ON_FULL_DEFAULT = 0,
    /// It is a typed error, and nothing is stored.
    HAVERSACK_ON_FULL_REJECT = 1,
    /// The memory that ranks last goes, which may be the new one.
    HAVERSACK_ON_FULL_EVICT = 2,
    /// It is stored, and the answer says so.
    HAVERSACK_ON_FULL_REPORT = 3,
}

/// What is remembered beyond a conversation: texts with a source, an importance and a time, of which a slice goes into
/// a request and the rest is found by search. A memory is no permission: `haversack_grounds` says "ask" to whatever
/// rests on memory alone. Functions that take it without `const` need it for themselves, and a counter that they call
/// must not use it.
#[derive(Debug)]
pub struct haversack_memory(Memory);

/// What is said of a text when it is added. `{0}` is all defaults; a number with another default than 0 is given by
/// pointing to it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_remember_options {
    /// `sizeof(haversack_remember_options)`; 0 is read as that of the first version.
    pub size: usize,
    /// Where it comes from, as for `haversack_fact_options`. Default: unknown, which is not trusted.
    pub source: haversack_str,
    /// How much it matters, 0 to 9. Default: NULL, 3.
    pub importance: *const u32,
    /// When it was said, in seconds of the host's clock, 0 to 2^53. Default: 0.
    pub at: u64,
    /// A `haversack_timing`: when it was written. Default: when it was said.
    pub timing: u32,
    /// Reserved: 0.
    pub reserved: u32,
}

/// The books of a memory: offered = held + merged + declined + refused + evicted + forgotten.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct haversack_memory_counts {
    /// Texts that were added or declined.
    pub offered: u64,
    /// Texts that are held.
    pub held: u64,
    /// Texts that were there already.
    pub merged: u64,
    /// Texts that the host's own filter kept out.
    pub declined: u64,
    /// Texts that the cap kept out.
    pub refused: u64,
    /// Memories that went for others.
    pub evicted: u64,
    /// Memories that were forgotten.
    pub forgotten: u64,
}

/// A memory without a cap and with nothing in it, to be freed with `haversack_memory_free`. NULL only after a panic
/// inside the library.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_memory_new() -> *mut haversack_memory {
    boundary!(plain std::ptr::null_mut(), { into_handle(haversack_memory(Memory::new())) })
}

/// A memory that holds `cap` texts; a `haversack_on_full` is what happens to one more. On success `*out_memory` is to
/// be freed with `haversack_memory_free`. Errors: `HAVERSACK_INVALID_OPTION` for an `on_full` that is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_memory_new_capped(
    cap: usize,
    on_full: u32,
    out_memory: *mut *mut haversack_memory,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_memory), {
        let on_full = chosen_or_default(on_full, "on_full")?.unwrap_or(OnFull::Report);
        // SAFETY: checked not to be null, so valid for one write by contract.
        unsafe { out_memory.write(into_handle(haversack_memory(Memory::capped(cap, on_full)))) };
        Ok(())
    })
}

/// Frees a memory, on any thread. NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_memory_free(memory: *mut haversack_memory) {
    // SAFETY: by contract null or ours, freed once.
    boundary!(plain(), { unsafe { free_handle(memory) } });
}

/// Remembers a text. One that is there already (equal after trimming and joining blanks) is not stored twice: its
/// source is added to the memory, which from then on ranks as the best of the times that it was said. `options` may be
/// NULL. Costs the logarithm of the number of memories.
///
/// On success `*out_added` is to be freed with `haversack_added_free`. Errors: `HAVERSACK_INVALID_OPTION` for a `text`
/// in which nothing can be seen, an `importance` above 9, an `at` above 2^53, a `timing` that is none;
/// `HAVERSACK_LIMIT_EXCEEDED` for a `text` above 64 KiB or a `source` above 4 KiB, and for argument `cap` where the
/// memory is full and rejects.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_memory_add(
    memory: *mut haversack_memory,
    text: haversack_str,
    options: *const haversack_remember_options,
    out_added: *mut *mut haversack_added,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_added), {
        // SAFETY: by contract all that the caller handed over is valid for the call, and the output is not null.
        unsafe {
            let memory = &mut live_mut(memory, "memory")?.0;
            let added = memory.add(text.text("text")?, said(options)?)?;
            out_added.write(into_handle(haversack_added(added)));
        }
        Ok(())
    })
}

/// Counts a text that the host's own filter kept out, so that the books close. NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_memory_decline(memory: *mut haversack_memory) {
    boundary!(plain(), {
        // SAFETY: by contract null or a live handle that nothing else uses.
        if let Some(memory) = unsafe { memory.as_mut() } {
            memory.0.decline();
        }
    });
}

/// What was known at `now` (seconds), best first, one line each: all of it (`budget` is NULL), or as much as fits.
/// Rank: the more important; of equal importance what the user or the host said, then the model's own, then content;
/// then the latest; then by text and source. The first that does not fit ends the slice. What was said after `now` is
/// left out and counted. The heading says how many were left out. Under a budget it costs what is shown, and a
/// logarithm for each line.
///
/// On success `*out_rendered` is to be freed with `haversack_rendered_free`; `haversack_measure` gives its size.
/// Errors: `HAVERSACK_BUDGET_TOO_SMALL` where not even the count of what was left out fits; `HAVERSACK_COUNTER_FAILED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_memory_slice(
    memory: *const haversack_memory,
    now: u64,
    budget: *const haversack_budget,
    out_rendered: *mut *mut haversack_rendered,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_rendered), {
        // SAFETY: by contract null or a live handle and a valid budget; the output is not null.
        unsafe {
            let (memory, meter) = (&live(memory, "memory")?.0, optional_meter(budget)?);
            let slice = memory.slice(now, meter.as_ref().map(Meter::budget))?;
            out_rendered.write(into_handle(haversack_rendered(slice)));
        }
        Ok(())
    })
}

/// The memories that hold a word of the query, best first: BM25 over words (UAX 29) in lower case; ties by the latest,
/// then by number. Every memory is read; the first 256 different words of the query count.
///
/// On success `*out_items` is to be freed with `haversack_memory_items_free`; it may be empty. Errors:
/// `HAVERSACK_LIMIT_EXCEEDED` for a `query` above 64 KiB.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_memory_search(
    memory: *const haversack_memory,
    query: haversack_str,
    out_items: *mut *mut haversack_memory_items,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_items), {
        // SAFETY: by contract all that the caller handed over is valid for the call, and the output is not null.
        unsafe {
            let hits = live(memory, "memory")?.0.search(query.text("query")?)?;
            out_items.write(into_handle(haversack_memory_items(Listed::Hits(hits))));
        }
        Ok(())
    })
}

/// Forgets what a source said, and all that only it said: `page:https://a.b` names one source, `page` all of that kind.
/// A memory that another source said as well stays, with that source. Writes how many memories are gone. Reads all of
/// them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_memory_forget(
    memory: *mut haversack_memory,
    source: haversack_str,
    out_gone: *mut u64,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_gone), {
        // SAFETY: by contract all that the caller handed over is valid for the call, and the output is not null.
        unsafe { out_gone.write(live_mut(memory, "memory")?.0.forget(source.text("source")?)) };
        Ok(())
    })
}

/// A new memory with all of `memory`, under its cap, and all of `other`, each text with every source it has; the two
/// may be one. On success `*out_memory` is to be freed with `haversack_memory_free`. Errors: `HAVERSACK_LIMIT_EXCEEDED`
/// for argument `cap` where the memory is full and rejects.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_memory_merge(
    memory: *const haversack_memory,
    other: *const haversack_memory,
    out_memory: *mut *mut haversack_memory,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_memory), {
        // SAFETY: by contract null or live handles; the output is not null.
        unsafe {
            let merged = live(memory, "memory")?.0.merge(&live(other, "other")?.0)?;
            out_memory.write(into_handle(haversack_memory(merged)));
        }
        Ok(())
    })
}

/// The memory of that number: a list of one, or of none where there is none. On success `*out_items` is to be freed
/// with `haversack_memory_items_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_memory_get(
    memory: *const haversack_memory,
    id: u64,
    out_items: *mut *mut haversack_memory_items,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_items), {
        // SAFETY: by contract null or a live handle; the output is not null.
        unsafe { tell(out_items, live(memory, "memory")?.0.get(id).into_iter()) };
        Ok(())
    })
}

/// All memories, in the order of their rank. On success `*out_items` is to be freed with `haversack_memory_items_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_memory_all(
    memory: *const haversack_memory,
    out_items: *mut *mut haversack_memory_items,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_items), {
        // SAFETY: by contract null or a live handle; the output is not null.
        unsafe { tell(out_items, live(memory, "memory")?.0.items()) };
        Ok(())
    })
}

/// How many memories there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_memory_len(memory: *const haversack_memory) -> usize {
    boundary!(get memory => memory.0.len(), or 0)
}

/// The books: what became of everything that was offered.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_memory_books(memory: *const haversack_memory) -> haversack_memory_counts {
    boundary!(get memory => counts_view(memory.0.counts()), or haversack_memory_counts::default())
}

/// What was remembered since the last flush, for the file of that day (`date` is `YYYY-MM-DD`). Lines keep the labels
/// of their sources. Linear in what is written.
///
/// Writes NULL where nothing was; else `*out_file` is to be freed with `haversack_flush_file_free`. Errors:
/// `HAVERSACK_INVALID_OPTION` for a `date` that is none; nothing is then flushed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_memory_flush(
    memory: *mut haversack_memory,
    date: haversack_str,
    out_file: *mut *mut haversack_flush_file,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_file), {
        // SAFETY: by contract all that the caller handed over is valid for the call, and the output is not null.
        unsafe {
            let file = live_mut(memory, "memory")?.0.flush(date.text("date")?)?;
            out_file.write(file.map_or(std::ptr::null_mut(), |file| into_handle(haversack_flush_file(file))));
        }
        Ok(())
    })
}

/// All memories with every source as versioned JSON, to be freed with `haversack_string_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_memory_json(
    memory: *const haversack_memory,
    out_json: *mut haversack_string,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_json), {
        // SAFETY: by contract null or a live handle; the output is not null.
        unsafe { out_json.write(haversack_string::owning(live(memory, "memory")?.0.to_json())) };
        Ok(())
    })
}

/// A memory from what `haversack_memory_json` wrote, which answers as that one would; `HAVERSACK_INVALID_STATE`, with
/// the offset or the index of the item, where that is not what it is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_memory_from_json(
    json: haversack_str,
    out_memory: *mut *mut haversack_memory,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_memory), {
        // SAFETY: by contract the text is valid for the call, and the output is not null.
        unsafe { out_memory.write(into_handle(haversack_memory(Memory::from_json(json.text("json")?)?))) };
        Ok(())
    })
}

/// The name of a `haversack_on_full`, such as `evict`; absent for a number that is none. Static.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_on_full_name(on_full: u32) -> haversack_str {
    boundary!(plain haversack_str::NONE, { name_of::<OnFull>(on_full) })
}

/// Reads what is said of a text.
///
/// # Safety
/// `given` is null or valid for `'a` with its source and importance.
unsafe fn said<'a>(given: *const haversack_remember_options) -> Outcome<RememberOptions<'a>> {
    // SAFETY: by contract.
    let (given, source, importance) = unsafe {
        let given = sized::read(given, "options")?;
        (given, given.source.text("source")?, given.importance.as_ref())
    };
    let mut options = RememberOptions::new().source(source).at(given.at);
    if let Some(importance) = importance {
        let none = |_| haversack_error::option("importance", format!("importance {importance}, 0 to 9"));
        options = options.importance(u8::try_from(*importance).map_err(none)?);
    }
    if let Some(timing) = chosen_or_default(given.timing, "timing")? {
        options = options.timing(timing);
    }
    Ok(options)
}

/// Hands over memories.
///
/// # Safety
/// The output is valid for one write.
unsafe fn tell(out_items: *mut *mut haversack_memory_items, items: impl Iterator<Item = MemoryItem>) {
    // SAFETY: by contract.
    unsafe { out_items.write(into_handle(haversack_memory_items(Listed::Items(items.collect())))) };
}

const fn counts_view(counts: &MemoryCounts) -> haversack_memory_counts {
    let MemoryCounts { offered, held, merged, declined, refused, evicted, forgotten } = *counts;
    haversack_memory_counts { offered, held, merged, declined, refused, evicted, forgotten }
}

versioned!(haversack_remember_options {
    size, source, importance, at, timing, reserved
} first: reserved, reserved: reserved);
