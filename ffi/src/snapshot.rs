//! `haversack_snapshot`: what is left of a prompt to compare the next one with.

use haversack::prompt::{Snapshot, SnapshotOptions};

use crate::boundary::{free_handle, into_handle, live};
use crate::error::{haversack_error, write_number};
use crate::history::fill;
use crate::measure::{counter_of, haversack_counter};
use crate::prompt::haversack_prompt;
use crate::sized;
use crate::status::haversack_status;
use crate::text::{haversack_str, haversack_string};

/// A prompt as it was sent: names, layers, lengths and digests of its pieces. It never changes, so threads may read it
/// at once. One made from a prompt shares its texts, needs the prompt no more and compares to the exact byte; one read
/// from JSON has no text and compares to 256 bytes.
#[derive(Debug)]
pub struct haversack_snapshot(pub(crate) Snapshot);

/// The digests of one piece: 64 hex digits each, no NUL.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_digests {
    /// SHA-256 (HMAC under a key) of the bytes as they were sent.
    pub sha256: [u8; 64],
    /// The same of the canonical form (RFC 8785); that of the bytes where the piece is no JSON.
    pub canonical_sha256: [u8; 64],
}

/// Options of `haversack_prompt_snapshot`. `{0}` is all defaults.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_snapshot_options {
    /// `sizeof(haversack_snapshot_options)`; 0 is read as that of the first version.
    pub size: usize,
    /// Counts the tokens of every piece, so that comparisons tell tokens, too. Default: NULL, no tokens.
    pub counter: *const haversack_counter,
    /// Makes every digest an HMAC under this key (any bytes): without one, short texts can be guessed from a stored
    /// snapshot. Only snapshots under one key compare. Default: absent, no key.
    pub key: haversack_str,
}

/// The prompt as it is now. `options` may be NULL. Linear in the prompt: SHA-256 of every text, and of the canonical
/// form of those that are JSON and not canonical.
///
/// On success `*out_snapshot` is to be freed with `haversack_snapshot_free`. Errors: `HAVERSACK_COUNTER_FAILED`, with
/// the piece.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_prompt_snapshot(
    prompt: *const haversack_prompt,
    options: *const haversack_snapshot_options,
    out_snapshot: *mut *mut haversack_snapshot,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_snapshot), {
        // SAFETY: by contract all that the caller handed over is valid for the call, and the output is not null.
        unsafe {
            let prompt = &live(prompt, "prompt")?.0;
            let given = sized::read(options, "options")?;
            let counter = counter_of(given.counter)?;
            let mut options = SnapshotOptions::default();
            options.counter = counter.as_deref();
            options.key = given.key.optional_bytes("key")?;
            out_snapshot.write(into_handle(haversack_snapshot(prompt.snapshot(&options)?)));
        }
        Ok(())
    })
}

/// Frees a snapshot, on any thread. NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_snapshot_free(snapshot: *mut haversack_snapshot) {
    // SAFETY: by contract null or ours, freed once.
    boundary!(plain(), { unsafe { free_handle(snapshot) } });
}

/// The snapshot as versioned JSON without any text of the prompt but the names of its pieces, to be freed with
/// `haversack_string_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_snapshot_json(
    snapshot: *const haversack_snapshot,
    out_json: *mut haversack_string,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_json), {
        // SAFETY: by contract null or a live handle; the output is not null.
        unsafe { out_json.write(haversack_string::owning(live(snapshot, "snapshot")?.0.to_json())) };
        Ok(())
    })
}

/// A snapshot from what `haversack_snapshot_json` wrote; `HAVERSACK_INVALID_STATE` for another version, or what was
/// changed since.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_snapshot_from_json(
    json: haversack_str,
    out_snapshot: *mut *mut haversack_snapshot,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_snapshot), {
        // SAFETY: by contract the text is valid for the call, and the output is not null.
        unsafe { out_snapshot.write(into_handle(haversack_snapshot(Snapshot::from_json(json.text("json")?)?))) };
        Ok(())
    })
}

/// How many pieces there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_snapshot_len(snapshot: *const haversack_snapshot) -> usize {
    boundary!(get snapshot => snapshot.0.len(), or 0)
}

/// Bytes of all pieces together.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_snapshot_bytes(snapshot: *const haversack_snapshot) -> usize {
    boundary!(get snapshot => snapshot.0.bytes(), or 0)
}

/// Tokens of all pieces together, each counted on its own. False, and nothing written, without a counter.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_snapshot_tokens(
    snapshot: *const haversack_snapshot,
    out_tokens: *mut usize,
) -> bool {
    boundary!(get snapshot => write_number(snapshot.0.tokens(), out_tokens), or false)
}

/// Writes the names of the first `capacity` pieces to `names` and answers how many pieces there are. `names` may be
/// NULL with capacity 0. The names live as long as the snapshot.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_snapshot_names(
    snapshot: *const haversack_snapshot,
    names: *mut haversack_str,
    capacity: usize,
) -> usize {
    boundary!(get snapshot => {
        // SAFETY: by contract `names` covers `capacity` entries.
        unsafe { fill(names, capacity, snapshot.0.names().map(haversack_str::of)) };
        snapshot.0.len()
    }, or 0)
}

/// The digests of the piece of that number, from 0. False, and nothing written, past the end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_snapshot_digests(
    snapshot: *const haversack_snapshot,
    index: usize,
    out_digests: *mut haversack_digests,
) -> bool {
    boundary!(get snapshot => {
        let both = snapshot.0.sha256(index).zip(snapshot.0.canonical_sha256(index));
        crate::delivery::write_part(both.as_ref(), out_digests, |(sent, canonical)| haversack_digests {
            sha256: digits(sent),
            canonical_sha256: digits(canonical),
        })
    }, or false)
}

fn digits(hex: &str) -> [u8; 64] {
    let mut all = [b'0'; 64];
    for (place, digit) in all.iter_mut().zip(hex.bytes()) {
        *place = digit;
    }
    all
}

versioned!(haversack_snapshot_options { size, counter, key } first: key);
