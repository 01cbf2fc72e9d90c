//! `haversack_frozen`: sections that are replayed as they were written, and changed by notes.

use haversack::{Frozen, Note};

use crate::boundary::{Outcome, entries, free_handle, into_handle, live, live_mut};
use crate::delivery::write_part;
use crate::error::haversack_error;
use crate::history::fill;
use crate::measure::{haversack_counter, needed_counter_of};
use crate::status::haversack_status;
use crate::text::{haversack_str, haversack_string};

/// Sections of a prompt that are replayed as they were written; a change becomes a note for the newest message.
/// Functions that take it without `const` need it for themselves, and a counter that they call must not use it.
#[derive(Debug)]
pub struct haversack_frozen(Frozen);

/// A section by its name.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_section {
    /// Its name: not empty, and no other section's.
    pub name: haversack_str,
    /// Its text; absent or empty for a section that holds nothing yet.
    pub text: haversack_str,
}

/// A change of a section, for the newest message, where it stays for ever. Its texts live until the next
/// `haversack_frozen_fold`, or as long as the sections.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_note {
    /// The section that changed; absent when nothing did.
    pub section: haversack_str,
    /// The text for the newest message: the whole difference from the section as written, and that it wins. Absent when
    /// nothing changed.
    pub text: haversack_str,
    /// Which version of the section it states: 2 for the first change, never given twice. 0 when nothing changed.
    pub version: u64,
}

/// What outstanding notes cost, in tokens: weigh it against a fold, which costs the cache once.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_note_cost {
    /// How many notes are outstanding.
    pub notes: usize,
    /// Of them, those that a later note on the same section overrides.
    pub superseded: usize,
    /// Tokens of all of them.
    pub tokens: usize,
    /// Tokens of those that are overridden.
    pub superseded_tokens: usize,
    /// Tokens of sections as written that no longer hold as written.
    pub stale_tokens: usize,
}

/// Sections in the order in which the prompt has them; all texts are copied.
///
/// On success `*out_frozen` is to be freed with `haversack_frozen_free`. Errors: `HAVERSACK_INVALID_OPTION` for
/// argument `name`, with the index of the section: a name that is empty or stands twice.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_frozen_new(
    sections: *const haversack_section,
    count: usize,
    out_frozen: *mut *mut haversack_frozen,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_frozen), {
        // SAFETY: by contract `sections` covers `count` entries with valid texts; the output is not null.
        unsafe { out_frozen.write(into_handle(haversack_frozen(Frozen::new(sections_of(sections, count)?)?))) };
        Ok(())
    })
}

/// Frees frozen sections, on any thread. NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_frozen_free(frozen: *mut haversack_frozen) {
    // SAFETY: by contract null or ours, freed once.
    boundary!(plain(), { unsafe { free_handle(frozen) } });
}

/// Writes the names of the first `capacity` sections to `names` and answers how many sections there are. `names` may be
/// NULL with capacity 0. The names live as long as the sections.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_frozen_names(
    frozen: *const haversack_frozen,
    names: *mut haversack_str,
    capacity: usize,
) -> usize {
    boundary!(get frozen => {
        // SAFETY: by contract `names` covers `capacity` entries.
        unsafe { fill(names, capacity, frozen.0.names().map(haversack_str::of)) };
        frozen.0.names().count()
    }, or 0)
}

/// The section as every request has it, byte for byte what was written; empty after a folded deletion. Lives until the
/// next fold. Errors: `HAVERSACK_INVALID_OPTION` for argument `name`: no such section.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_frozen_text(
    frozen: *const haversack_frozen,
    name: haversack_str,
    out_text: *mut haversack_str,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_text), {
        // SAFETY: by contract all that the caller handed over is valid for the call, and the output is not null.
        unsafe { out_text.write(haversack_str::of(live(frozen, "frozen")?.0.text(name.text("name")?)?)) };
        Ok(())
    })
}

/// What holds now: what a fold would make the section. Lives until the next update of the section or fold. Errors as
/// `haversack_frozen_text`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_frozen_current(
    frozen: *const haversack_frozen,
    name: haversack_str,
    out_text: *mut haversack_str,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_text), {
        // SAFETY: by contract all that the caller handed over is valid for the call, and the output is not null.
        unsafe { out_text.write(haversack_str::of(live(frozen, "frozen")?.0.current(name.text("name")?)?)) };
        Ok(())
    })
}

/// A new version of a section; an absent or empty `text` deletes. The note goes into the newest message; its `version`
/// is 0 when that version holds already. `n log n` in the lines of both texts. Errors as `haversack_frozen_text`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_frozen_update(
    frozen: *mut haversack_frozen,
    name: haversack_str,
    text: haversack_str,
    out_note: *mut haversack_note,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_note), {
        // SAFETY: by contract all that the caller handed over is valid for the call, and the output is not null.
        unsafe {
            let frozen = &mut live_mut(frozen, "frozen")?.0;
            let note = frozen.update(name.text("name")?, text.optional("text")?)?;
            let none = haversack_note { section: haversack_str::NONE, text: haversack_str::NONE, version: 0 };
            out_note.write(note.map_or(none, note_view));
        }
        Ok(())
    })
}

/// How many notes are outstanding: those since the sections were written or folded.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_frozen_note_count(frozen: *const haversack_frozen) -> usize {
    boundary!(get frozen => frozen.0.notes().len(), or 0)
}

/// The outstanding note of that number, from 0, oldest first. False, and nothing written, past the end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_frozen_note(
    frozen: *const haversack_frozen,
    index: usize,
    out_note: *mut haversack_note,
) -> bool {
    boundary!(get frozen => write_part(frozen.0.notes().get(index), out_note, note_view), or false)
}

/// What the outstanding notes cost, each text counted on its own. `counter` is not NULL. Errors:
/// `HAVERSACK_COUNTER_FAILED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_frozen_cost(
    frozen: *const haversack_frozen,
    counter: *const haversack_counter,
    out_cost: *mut haversack_note_cost,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_cost), {
        // SAFETY: by contract null or a live handle and a valid counter; the output is not null.
        unsafe {
            let frozen = &live(frozen, "frozen")?.0;
            let cost = frozen.cost(&needed_counter_of(live(counter, "counter")?)?)?;
            out_cost.write(haversack_note_cost {
                notes: cost.notes,
                superseded: cost.superseded,
                tokens: cost.tokens,
                superseded_tokens: cost.superseded_tokens,
                stale_tokens: cost.stale_tokens,
            });
        }
        Ok(())
    })
}

/// Makes the current versions the sections and forgets the notes: for a compaction, when the prompt is written anew
/// anyway. Writes the names of the first `capacity` sections that changed to `names` and answers how many changed; as
/// much room as there are sections is always enough. `names` may be NULL with capacity 0. A second call changes
/// nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_frozen_fold(
    frozen: *mut haversack_frozen,
    names: *mut haversack_str,
    capacity: usize,
) -> usize {
    boundary!(plain 0, {
        // SAFETY: by contract null or a live handle that nothing else uses; `names` covers `capacity` entries.
        unsafe {
            let Some(frozen) = frozen.as_mut() else { return 0 };
            let changed = frozen.0.fold();
            fill(names, capacity, changed.iter().map(|name| haversack_str::of(name)));
            changed.len()
        }
    })
}

/// The sections and their notes as versioned JSON, to be freed with `haversack_string_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_frozen_json(
    frozen: *const haversack_frozen,
    out_json: *mut haversack_string,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_json), {
        // SAFETY: by contract null or a live handle; the output is not null.
        unsafe { out_json.write(haversack_string::owning(live(frozen, "frozen")?.0.to_json())) };
        Ok(())
    })
}

/// Sections from what `haversack_frozen_json` wrote; `HAVERSACK_INVALID_STATE` where that is not what it is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_frozen_from_json(
    json: haversack_str,
    out_frozen: *mut *mut haversack_frozen,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_frozen), {
        // SAFETY: by contract the text is valid for the call, and the output is not null.
        unsafe { out_frozen.write(into_handle(haversack_frozen(Frozen::from_json(json.text("json")?)?))) };
        Ok(())
    })
}

/// Reads a list of sections.
///
/// # Safety
/// `sections` is null or covers `count` readable entries for `'a`, each with valid texts.
unsafe fn sections_of<'a>(sections: *const haversack_section, count: usize) -> Outcome<Vec<(&'a str, &'a str)>> {
    // SAFETY: by contract.
    let sections: &'a [haversack_section] = unsafe { entries(sections, count, "sections")? };
    let read = |(index, entry): (usize, &haversack_section)| {
        // SAFETY: by contract.
        let both = unsafe { entry.name.text("name").and_then(|name| Ok((name, entry.text.text("text")?))) };
        both.map_err(|e| e.numbered(index))
    };
    sections.iter().enumerate().map(read).collect()
}

fn note_view(note: &Note) -> haversack_note {
    haversack_note {
        section: haversack_str::of(note.section()),
        text: haversack_str::of(note.text()),
        version: note.version(),
    }
}
