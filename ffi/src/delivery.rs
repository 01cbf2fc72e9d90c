//! What a delivery answers, part by part.

use haversack::Delivery;

use crate::account::{haversack_account, haversack_counts};
use crate::boundary::{free_handle, live};
use crate::error::haversack_error;
use crate::status::haversack_status;
use crate::text::{haversack_str, haversack_string};

/// What the model gets to see, and what it does not. It never changes, so threads may read it at once. Texts that its
/// functions give live as long as it does. All functions take NULL and then answer nothing: zero, false, absent.
#[derive(Debug)]
pub struct haversack_delivery(pub(crate) Delivery);

/// The books of one list.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_list {
    /// RFC 6901 pointer into the input; `*` stands for every element or member of a summed entry; empty for the root.
    pub pointer: haversack_str,
    /// In records.
    pub records: haversack_counts,
    /// In source bytes.
    pub bytes: haversack_counts,
    /// The cursor that resumes this list; absent where it cannot be resumed.
    pub next: haversack_str,
}

/// A warning and the place it is about.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_warning {
    /// A `haversack_warning_kind`.
    pub kind: u32,
    /// 1 when there is an offset, else 0.
    pub has_offset: u32,
    /// Byte offset in the input.
    pub offset: usize,
    /// The key, pointer or name concerned; empty where there is none.
    pub subject: haversack_str,
}

/// What became of neighbouring records of one list: half-open, from 0.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_run {
    /// Pointer of the list; empty for a root array, a map at the root, or rows and lines.
    pub list: haversack_str,
    /// First record of the run.
    pub from: usize,
    /// One past its last record.
    pub to: usize,
    /// A `haversack_action`: what was done.
    pub action: u32,
    /// A `haversack_reason`: why.
    pub reason: u32,
    /// Bytes of the run in the input.
    pub source_bytes: usize,
    /// Where the run starts in the delivered text, in bytes.
    pub text_from: usize,
    /// Where it ends there; equal to `text_from` when it was omitted.
    pub text_to: usize,
}

/// Frees a delivery, on any thread. NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_delivery_free(delivery: *mut haversack_delivery) {
    // SAFETY: by contract null or ours, freed once.
    boundary!(plain(), { unsafe { free_handle(delivery) } });
}

/// The text for the model: within the budget, notice included.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_delivery_text(delivery: *const haversack_delivery) -> haversack_str {
    boundary!(get delivery => haversack_str::of(delivery.0.text()), or haversack_str::NONE)
}

/// The size of the text, in `haversack_delivery_unit`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_delivery_size(delivery: *const haversack_delivery) -> usize {
    boundary!(get delivery => delivery.0.size(), or 0)
}

/// The unit of the budget: a `haversack_unit`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_delivery_unit(delivery: *const haversack_delivery) -> u32 {
    boundary!(get delivery => delivery.0.unit().code(), or 0)
}

/// True when nothing was omitted, shrunk or offloaded, here or (as the input claims) before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_delivery_complete(delivery: *const haversack_delivery) -> bool {
    boundary!(get delivery => delivery.0.complete(), or false)
}

/// What the payload was read as: a `haversack_format`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_delivery_format(delivery: *const haversack_delivery) -> u32 {
    boundary!(get delivery => delivery.0.format().code(), or 0)
}

/// The books over all lists.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_delivery_account(delivery: *const haversack_delivery) -> haversack_account {
    boundary!(get delivery => delivery.0.account().into(), or haversack_account::default())
}

/// The cursor that resumes everything that can be resumed; absent at the end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_delivery_next(delivery: *const haversack_delivery) -> haversack_str {
    boundary!(get delivery => haversack_str::of_option(delivery.0.next()), or haversack_str::NONE)
}

/// The notice of NDJSON, CSV and lines, in the text or beside it; absent when there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_delivery_notice(delivery: *const haversack_delivery) -> haversack_str {
    boundary!(get delivery => haversack_str::of_option(delivery.0.notice()), or haversack_str::NONE)
}

/// How many lists have books of their own, in document order.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_delivery_list_count(delivery: *const haversack_delivery) -> usize {
    boundary!(get delivery => delivery.0.lists().len(), or 0)
}

/// The books of the list of that number, from 0. False, and nothing written, past the end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_delivery_list(
    delivery: *const haversack_delivery,
    index: usize,
    out_list: *mut haversack_list,
) -> bool {
    boundary!(get delivery => write_part(delivery.0.lists().get(index), out_list, |list| haversack_list {
        pointer: haversack_str::of(list.pointer()),
        records: list.records().into(),
        bytes: list.bytes().into(),
        next: haversack_str::of_option(list.next()),
    }), or false)
}

/// How many warnings there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_delivery_warning_count(delivery: *const haversack_delivery) -> usize {
    boundary!(get delivery => delivery.0.warnings().len(), or 0)
}

/// The warning of that number, from 0. False, and nothing written, past the end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_delivery_warning(
    delivery: *const haversack_delivery,
    index: usize,
    out_warning: *mut haversack_warning,
) -> bool {
    boundary!(get delivery => write_part(delivery.0.warnings().get(index), out_warning, |warning| haversack_warning {
        kind: warning.kind().code(),
        has_offset: warning.offset().is_some().into(),
        offset: warning.offset().unwrap_or(0),
        subject: haversack_str::of(warning.subject()),
    }), or false)
}

/// How many runs the plan has.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_delivery_run_count(delivery: *const haversack_delivery) -> usize {
    boundary!(get delivery => delivery.0.plan().len(), or 0)
}

/// The run of that number, from 0. False, and nothing written, past the end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_delivery_run(
    delivery: *const haversack_delivery,
    index: usize,
    out_run: *mut haversack_run,
) -> bool {
    boundary!(get delivery => write_part(delivery.0.plan().get(index), out_run, |run| haversack_run {
        list: haversack_str::of(run.list()),
        from: run.from(),
        to: run.to(),
        action: run.action().code(),
        reason: run.reason().code(),
        source_bytes: run.source_bytes(),
        text_from: run.text_range().start,
        text_to: run.text_range().end,
    }), or false)
}

/// The whole answer as compact JSON: text, size, books, cursors, warnings and plan. Linear in its length.
/// On success `*out_json` is to be freed with `haversack_string_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_delivery_json(
    delivery: *const haversack_delivery,
    out_json: *mut haversack_string,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_json), {
        // SAFETY: by contract null or a live handle; the output is not null.
        unsafe { out_json.write(haversack_string::owning(live(delivery, "delivery")?.0.to_json())) };
        Ok(())
    })
}

pub(crate) fn write_part<P, T>(part: Option<&P>, out: *mut T, view: impl FnOnce(&P) -> T) -> bool {
    let Some(part) = part else { return false };
    if out.is_null() {
        return false;
    }
    // SAFETY: not null, so valid for one write by contract.
    unsafe { out.write(view(part)) };
    true
}
