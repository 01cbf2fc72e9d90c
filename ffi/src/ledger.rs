//! `haversack_ledger`: facts by key. STUB of the branch of handoffs: the real file replaces this one.

use haversack::Ledger;

use crate::boundary::{free_handle, into_handle, live};
use crate::error::haversack_error;
use crate::status::haversack_status;
use crate::text::{haversack_str, haversack_string};

/// Facts by key.
#[derive(Debug)]
pub struct haversack_ledger(pub(crate) Ledger);

/// A ledger without facts, to be freed with `haversack_ledger_free`. Never NULL.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_ledger_new() -> *mut haversack_ledger {
    boundary!(plain std::ptr::null_mut(), { into_handle(haversack_ledger(Ledger::new())) })
}

/// Frees a ledger, on any thread. NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_ledger_free(ledger: *mut haversack_ledger) {
    // SAFETY: by contract null or ours, freed once.
    boundary!(plain(), { unsafe { free_handle(ledger) } });
}

/// The ledger as versioned JSON, to be freed with `haversack_string_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_ledger_json(
    ledger: *const haversack_ledger,
    out_json: *mut haversack_string,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_json), {
        // SAFETY: by contract null or a live handle; the output is not null.
        unsafe { out_json.write(haversack_string::owning(live(ledger, "ledger")?.0.to_json())) };
        Ok(())
    })
}

/// A ledger from what `haversack_ledger_json` wrote; `HAVERSACK_INVALID_STATE` where that is not what it is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_ledger_from_json(
    json: haversack_str,
    out_ledger: *mut *mut haversack_ledger,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_ledger), {
        // SAFETY: by contract the text is valid for the call, and the output is not null.
        unsafe { out_ledger.write(into_handle(haversack_ledger(Ledger::from_json(json.text("json")?)?))) };
        Ok(())
    })
}
