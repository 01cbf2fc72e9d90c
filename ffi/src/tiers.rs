//! `haversack_tiers`: what a request of a long run is made of.

use haversack::{Ledger, TierOptions, Tiers, tiers};

use crate::account::haversack_account;
use crate::boundary::{entries, free_handle, into_handle, live};
use crate::error::haversack_error;
use crate::history::{fill, haversack_history};
use crate::ledger::haversack_ledger;
use crate::measure::{Meter, haversack_budget};
use crate::rendered::{haversack_rendered, optional_meter};
use crate::sized;
use crate::status::haversack_status;
use crate::text::{haversack_str, haversack_string};

/// The tiers of a request: the invariant state, the facts, and working memory. They never change, so threads may read
/// them at once, and need ledger and history no more. Texts that its functions give live as long as they do.
#[derive(Debug)]
pub struct haversack_tiers(Tiers);

/// Options of `haversack_tiers_new`. `{0}` is all defaults; a number is given by pointing to it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_tier_options {
    /// `sizeof(haversack_tier_options)`; 0 is read as that of the first version.
    pub size: usize,
    /// Steps of the assistant whose raw results stay. Default: NULL, 2.
    pub raw_steps: *const usize,
    /// What the ledger may take. Default: NULL, all.
    pub ledger: *const haversack_budget,
    /// Messages of the history that stay, by index. NULL with `pinned_len` 0: none.
    pub pinned: *const usize,
    /// How many there are.
    pub pinned_len: usize,
}

/// Puts the tiers of a request together: `invariant`, which is handed back as it is; the facts of `ledger` (NULL:
/// none); and of the history its system prompt, its last user message, the pins and the last steps, cut where no call
/// is parted from its result. With a budget for the ledger a request grows with the size of these steps, not with their
/// number. `options` may be NULL.
///
/// On success `*out_tiers` is to be freed with `haversack_tiers_free`. Errors: `HAVERSACK_BUDGET_TOO_SMALL` where not
/// even the heading of the ledger fits; `HAVERSACK_INVALID_OPTION` for `raw_steps` of 0 and for a pin that there is not
/// (index); `HAVERSACK_COUNTER_FAILED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_tiers_new(
    invariant: haversack_str,
    ledger: *const haversack_ledger,
    history: *const haversack_history,
    options: *const haversack_tier_options,
    out_tiers: *mut *mut haversack_tiers,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_tiers), {
        // SAFETY: by contract all that the caller handed over is valid for the call, and the output is not null.
        unsafe {
            let invariant = invariant.text("invariant")?;
            let history = &live(history, "history")?.core;
            let given = sized::read(options, "options")?;
            let meter = optional_meter(given.ledger)?;
            let mut options = TierOptions::default();
            options.ledger = meter.as_ref().map(Meter::budget);
            options.raw_steps = given.raw_steps.as_ref().copied().unwrap_or(options.raw_steps);
            options.pinned = entries(given.pinned, given.pinned_len, "pinned")?;
            let empty = Ledger::new();
            let ledger = ledger.as_ref().map_or(&empty, |ledger| &ledger.0);
            out_tiers.write(into_handle(haversack_tiers(tiers(invariant, ledger, history, &options)?)));
        }
        Ok(())
    })
}

/// Frees tiers, on any thread. NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_tiers_free(tiers: *mut haversack_tiers) {
    // SAFETY: by contract null or ours, freed once.
    boundary!(plain(), { unsafe { free_handle(tiers) } });
}

/// The invariant state, as it was given.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_tiers_invariant(tiers: *const haversack_tiers) -> haversack_str {
    boundary!(get tiers => haversack_str::of(&tiers.0.invariant), or haversack_str::NONE)
}

/// The facts, with the books of those that were left out: a copy of its own, to be freed with
/// `haversack_rendered_free`. NULL for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_tiers_ledger(tiers: *const haversack_tiers) -> *mut haversack_rendered {
    boundary!(get tiers => into_handle(haversack_rendered(tiers.0.ledger.clone())), or std::ptr::null_mut())
}

/// Working memory: the history (or the request body) with the last steps alone, valid where the whole was.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_tiers_working(tiers: *const haversack_tiers) -> haversack_str {
    boundary!(get tiers => haversack_str::of(&tiers.0.working), or haversack_str::NONE)
}

/// Writes the first `capacity` indices of the messages that stay in it to `kept` and answers how many there are. `kept`
/// may be NULL with capacity 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_tiers_kept(
    tiers: *const haversack_tiers,
    kept: *mut usize,
    capacity: usize,
) -> usize {
    boundary!(get tiers => {
        // SAFETY: by contract `kept` covers `capacity` entries.
        unsafe { fill(kept, capacity, tiers.0.kept.iter().copied()) };
        tiers.0.kept.len()
    }, or 0)
}

/// The books of the history: messages as records, their JSON in bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_tiers_account(tiers: *const haversack_tiers) -> haversack_account {
    boundary!(get tiers => (&tiers.0.account).into(), or haversack_account::default())
}

/// Every member under its name as compact JSON, to be freed with `haversack_string_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_tiers_json(
    tiers: *const haversack_tiers,
    out_json: *mut haversack_string,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_json), {
        // SAFETY: by contract null or a live handle; the output is not null.
        unsafe { out_json.write(haversack_string::owning(live(tiers, "tiers")?.0.to_json())) };
        Ok(())
    })
}

versioned!(haversack_tier_options { size, raw_steps, ledger, pinned, pinned_len } first: pinned_len);
