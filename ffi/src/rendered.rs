//! `haversack_rendered`: lines under a heading for the prompt, with their books, and the budget that is optional for
//! them.

use haversack::Rendered;

use crate::account::haversack_account;
use crate::boundary::{Outcome, free_handle, live};
use crate::error::haversack_error;
use crate::measure::{Meter, haversack_budget};
use crate::status::haversack_status;
use crate::text::{haversack_str, haversack_string};

/// Lines of a ledger, a memory or a handoff as a text for the prompt, with its books. It never changes, so threads may
/// read it at once, and it needs what it was rendered from no more.
#[derive(Debug)]
pub struct haversack_rendered(pub(crate) Rendered);

/// Frees a rendered text, on any thread. NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_rendered_free(rendered: *mut haversack_rendered) {
    // SAFETY: by contract null or ours, freed once.
    boundary!(plain(), { unsafe { free_handle(rendered) } });
}

/// The text: a heading and one line an entry, without a line feed at its end. Lives as long as the handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_rendered_text(rendered: *const haversack_rendered) -> haversack_str {
    boundary!(get rendered => haversack_str::of(rendered.0.text()), or haversack_str::NONE)
}

/// The books: entries as records, their lines (each with its line feed) in bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_rendered_account(rendered: *const haversack_rendered) -> haversack_account {
    boundary!(get rendered => rendered.0.account().into(), or haversack_account::default())
}

/// The rule by which entries are left out, in words. Static.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_rendered_rule(rendered: *const haversack_rendered) -> haversack_str {
    boundary!(get rendered => haversack_str::of(rendered.0.rule()), or haversack_str::NONE)
}

/// True when nothing was left out.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_rendered_complete(rendered: *const haversack_rendered) -> bool {
    boundary!(get rendered => rendered.0.complete(), or false)
}

/// `{"text", "account", "rule"}` as compact JSON, to be freed with `haversack_string_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_rendered_json(
    rendered: *const haversack_rendered,
    out_json: *mut haversack_string,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_json), {
        // SAFETY: by contract null or a live handle; the output is not null.
        unsafe { out_json.write(haversack_string::owning(live(rendered, "rendered")?.0.to_json())) };
        Ok(())
    })
}

/// Reads a budget that may be missing.
///
/// # Safety
/// `given` is null, or valid for `'a` with its counter.
pub(crate) unsafe fn optional_meter<'a>(given: *const haversack_budget) -> Outcome<Option<Meter<'a>>> {
    // SAFETY: by contract.
    unsafe { given.as_ref().map(|budget| Meter::of(budget)).transpose() }
}
