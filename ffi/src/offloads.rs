//! The table of one run: what was offloaded, so that nothing is offloaded twice and a key from a model is looked up.

use haversack::{Entry, EntryState, Offloads, Prepared};

use crate::account::haversack_account;
use crate::boundary::{free_handle, into_handle, live, live_mut};
use crate::error::haversack_error;
use crate::measure::{counter_of, haversack_counter};
use crate::offload::{Wishes, haversack_offload_options, haversack_pointer};
use crate::status::haversack_status;
use crate::text::{haversack_str, haversack_string};

/// Where a result stands. More may come: treat others as `UNKNOWN`.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_entry_state {
    /// One that this header does not know.
    HAVERSACK_ENTRY_UNKNOWN = 0,
    /// Asked to be stored, not answered yet.
    HAVERSACK_ENTRY_PENDING = 1,
    /// Stored, and the pointer is in use.
    HAVERSACK_ENTRY_STORED = 2,
    /// Stored, and the original stays because the pointer would not be smaller.
    HAVERSACK_ENTRY_NOT_SHORTER = 3,
    /// The store refused: the original stays.
    HAVERSACK_ENTRY_REFUSED = 4,
}

/// The table of the results that one run offloaded. Functions that take it without `const` need it for themselves, and
/// a counter that they call must not use it.
#[derive(Debug)]
pub struct haversack_offloads(pub(crate) Offloads);

/// What the table says to do with one result. It never changes, so threads may read it at once.
#[derive(Debug)]
pub struct haversack_prepared(Prepared);

/// What the table knows of one result. Its texts live until the table changes or is freed.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_entry {
    /// Its key.
    pub key: haversack_str,
    /// The call it is the result of: the first one, when several gave the same bytes.
    pub call_id: haversack_str,
    /// SHA-256 of its bytes: 64 hex digits, no NUL.
    pub sha256: [u8; 64],
    /// Its length in bytes.
    pub bytes: usize,
    /// Its size, in `unit`.
    pub size: usize,
    /// A `haversack_unit`.
    pub unit: u32,
    /// A `haversack_format`.
    pub format: u32,
    /// Where in the JSON one string holds the bulk of it; absent where none does.
    pub at: haversack_str,
    /// The excerpt that its pointer shows.
    pub preview: haversack_str,
    /// A `haversack_entry_state`.
    pub state: u32,
    /// Always 0.
    pub reserved: u32,
    /// Where the bytes lie; absent until they are stored.
    pub location: haversack_str,
    /// Why the store refused; absent where it did not.
    pub refused: haversack_str,
}

/// An empty table, to be freed with `haversack_offloads_free`. NULL only after a panic inside the library.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_offloads_new() -> *mut haversack_offloads {
    boundary!(plain std::ptr::null_mut(), { into_handle(haversack_offloads(Offloads::new())) })
}

/// Frees a table, on any thread. NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_offloads_free(offloads: *mut haversack_offloads) {
    // SAFETY: by contract null or ours, freed once.
    boundary!(plain(), { unsafe { free_handle(offloads) } });
}

/// Says what to do with `payload`, the result of the call `call_id`: keep it, store it and then answer with
/// `haversack_offloads_commit` or `haversack_offloads_refuse`, or use the pointer of the same bytes stored before.
/// `options` may be NULL. On success `*out_prepared` is to be freed with `haversack_prepared_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_offloads_prepare(
    offloads: *mut haversack_offloads,
    payload: haversack_str,
    call_id: haversack_str,
    options: *const haversack_offload_options,
    out_prepared: *mut *mut haversack_prepared,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_prepared), {
        // SAFETY: by contract all that the caller handed over is valid for the call, and the output is not null.
        unsafe {
            let table = &mut live_mut(offloads, "offloads")?.0;
            let wishes = Wishes::read(options)?;
            let prepared = table.prepare(payload.bytes("payload")?, call_id.text("call_id")?, &wishes.options()?)?;
            out_prepared.write(into_handle(haversack_prepared(prepared)));
        }
        Ok(())
    })
}

/// Takes the answer "stored, at `location`", and gives the pointer for the message. `counter` measures it where `over`
/// was in tokens, and is NULL else. After an error the key is still to be answered.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_offloads_commit(
    offloads: *mut haversack_offloads,
    key: haversack_str,
    location: haversack_str,
    counter: *const haversack_counter,
    out_pointer: *mut *mut haversack_pointer,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_pointer), {
        // SAFETY: by contract all that the caller handed over is valid for the call, and the output is not null.
        unsafe {
            let table = &mut live_mut(offloads, "offloads")?.0;
            let (key, location) = (key.text("key")?, location.text("location")?);
            let pointer = match counter_of(counter)? {
                Some(counter) => table.commit_counted(key, location, &counter)?,
                None => table.commit(key, location)?,
            };
            out_pointer.write(into_handle(haversack_pointer(pointer)));
        }
        Ok(())
    })
}

/// Takes the answer "the store would not have it": the original stays in the message, and the reason is recorded.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_offloads_refuse(
    offloads: *mut haversack_offloads,
    key: haversack_str,
    reason: haversack_str,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(), {
        // SAFETY: by contract all that the caller handed over is valid for the call.
        unsafe { live_mut(offloads, "offloads")?.0.refuse(key.text("key")?, reason.text("reason")?)? };
        Ok(())
    })
}

/// Nothing that the call `call_id` returns is offloaded: for calls of readers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_offloads_exempt(
    offloads: *mut haversack_offloads,
    call_id: haversack_str,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(), {
        // SAFETY: by contract all that the caller handed over is valid for the call.
        unsafe { live_mut(offloads, "offloads")?.0.exempt(call_id.text("call_id")?) };
        Ok(())
    })
}

/// Checks that `bytes`, read back from the store, are those that were offloaded under `key`:
/// `HAVERSACK_UNKNOWN_KEY`, `HAVERSACK_DIGEST_MISMATCH`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_offloads_verify(
    offloads: *const haversack_offloads,
    key: haversack_str,
    bytes: haversack_str,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(), {
        // SAFETY: by contract all that the caller handed over is valid for the call.
        unsafe { live(offloads, "offloads")?.0.verify(key.text("key")?, bytes.bytes("bytes")?)? };
        Ok(())
    })
}

/// How many results the table knows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_offloads_entry_count(offloads: *const haversack_offloads) -> usize {
    boundary!(get offloads => offloads.0.entries().len(), or 0)
}

/// The result of that number, from 0, in the order in which they were prepared. False, and nothing written, past the
/// end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_offloads_entry(
    offloads: *const haversack_offloads,
    index: usize,
    out_entry: *mut haversack_entry,
) -> bool {
    boundary!(get offloads => write_entry(offloads.0.entries().get(index), out_entry), or false)
}

/// The result under `key`. False, and nothing written, when the table has none; a key from a model is looked up here
/// and nowhere else.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_offloads_lookup(
    offloads: *const haversack_offloads,
    key: haversack_str,
    out_entry: *mut haversack_entry,
) -> bool {
    boundary!(get offloads => {
        // SAFETY: by contract the key is valid for the call.
        let key = unsafe { key.text("key") };
        write_entry(key.ok().and_then(|key| offloads.0.lookup(key)), out_entry)
    }, or false)
}

/// The table as versioned JSON, to be freed with `haversack_string_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_offloads_json(
    offloads: *const haversack_offloads,
    out_json: *mut haversack_string,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_json), {
        // SAFETY: by contract null or a live handle; the output is not null.
        unsafe { out_json.write(haversack_string::owning(live(offloads, "offloads")?.0.to_json())) };
        Ok(())
    })
}

/// A table from what `haversack_offloads_json` wrote; `HAVERSACK_INVALID_STATE` where that is not what it is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_offloads_from_json(
    json: haversack_str,
    out_offloads: *mut *mut haversack_offloads,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_offloads), {
        // SAFETY: by contract the text is valid for the call, and the output is not null.
        unsafe { out_offloads.write(into_handle(haversack_offloads(Offloads::from_json(json.text("json")?)?))) };
        Ok(())
    })
}

/// Frees what the table said, on any thread. NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_prepared_free(prepared: *mut haversack_prepared) {
    // SAFETY: by contract null or ours, freed once.
    boundary!(plain(), { unsafe { free_handle(prepared) } });
}

/// What to do: a `haversack_offload_action`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_prepared_action(prepared: *const haversack_prepared) -> u32 {
    boundary!(get prepared => prepared.0.action().code(), or 0)
}

/// Why: a `haversack_offload_reason`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_prepared_reason(prepared: *const haversack_prepared) -> u32 {
    boundary!(get prepared => prepared.0.reason().code(), or 0)
}

/// The key to store the bytes under, or under which they lie; absent when there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_prepared_key(prepared: *const haversack_prepared) -> haversack_str {
    boundary!(get prepared => haversack_str::of_option(prepared.0.key()), or haversack_str::NONE)
}

/// The pointer, where the same bytes were stored before; else absent.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_prepared_text(prepared: *const haversack_prepared) -> haversack_str {
    boundary!(get prepared => haversack_str::of_option(prepared.0.text()), or haversack_str::NONE)
}

/// The books of what stands in the message now.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_prepared_account(prepared: *const haversack_prepared) -> haversack_account {
    boundary!(get prepared => (&prepared.0.account()).into(), or haversack_account::default())
}

/// The whole answer as compact JSON, to be freed with `haversack_string_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_prepared_json(
    prepared: *const haversack_prepared,
    out_json: *mut haversack_string,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_json), {
        // SAFETY: by contract null or a live handle; the output is not null.
        unsafe { out_json.write(haversack_string::owning(live(prepared, "prepared")?.0.to_json())) };
        Ok(())
    })
}

fn write_entry(entry: Option<&Entry>, out: *mut haversack_entry) -> bool {
    crate::delivery::write_part(entry, out, |entry| {
        let mut sha256 = [b'0'; 64];
        for (place, digit) in sha256.iter_mut().zip(entry.sha256().bytes()) {
            *place = digit;
        }
        let (state, refused) = match entry.state() {
            EntryState::Pending => (haversack_entry_state::HAVERSACK_ENTRY_PENDING, None),
            EntryState::Stored { .. } => (haversack_entry_state::HAVERSACK_ENTRY_STORED, None),
            EntryState::NotShorter { .. } => (haversack_entry_state::HAVERSACK_ENTRY_NOT_SHORTER, None),
            EntryState::Refused { reason } => (haversack_entry_state::HAVERSACK_ENTRY_REFUSED, Some(reason.as_str())),
            _ => (haversack_entry_state::HAVERSACK_ENTRY_UNKNOWN, None),
        };
        haversack_entry {
            key: haversack_str::of(entry.key()),
            call_id: haversack_str::of(entry.call_id()),
            sha256,
            bytes: entry.bytes(),
            size: entry.size(),
            unit: entry.unit().code(),
            format: entry.format().code(),
            at: haversack_str::of_option(entry.at()),
            preview: haversack_str::of(entry.preview()),
            state: state as u32,
            reserved: 0,
            location: haversack_str::of_option(entry.location()),
            refused: haversack_str::of_option(refused),
        }
    })
}
