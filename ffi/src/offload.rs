//! Offload: whether a result is stored, under which key, and the pointer that stands for it.

use haversack::{Format, Offload, OffloadAction, OffloadOptions, OffloadReason, Pointer, Policy};

use crate::account::haversack_account;
use crate::boundary::{Outcome, free_handle, into_handle, live};
use crate::choices::{chosen_or_default, name_of};
use crate::error::haversack_error;
use crate::measure::{Meter, counter_of, haversack_budget, haversack_counter};
use crate::sized;
use crate::status::haversack_status;
use crate::text::{haversack_str, haversack_string};

/// What the host should do with a result. More may come: treat others as `UNKNOWN`.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_offload_action {
    /// One that this header does not know.
    HAVERSACK_OFFLOAD_UNKNOWN = 0,
    /// Leave it in the message as it is.
    HAVERSACK_OFFLOAD_KEEP = 1,
    /// Store the bytes under the key, then ask for the pointer.
    HAVERSACK_OFFLOAD_STORE = 2,
    /// Put the pointer of bytes stored before in its place (only from a table).
    HAVERSACK_OFFLOAD_POINT = 3,
}

/// Why. More may come: treat others as `UNKNOWN`.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_offload_reason {
    /// One that this header does not know.
    HAVERSACK_OFFLOAD_REASON_UNKNOWN = 0,
    /// It is within `over`.
    HAVERSACK_OFFLOAD_REASON_FITS = 1,
    /// It is larger than `over`.
    HAVERSACK_OFFLOAD_REASON_OVER = 2,
    /// The same bytes were stored before.
    HAVERSACK_OFFLOAD_REASON_KNOWN = 3,
    /// It is a pointer that the table made.
    HAVERSACK_OFFLOAD_REASON_IS_POINTER = 4,
    /// The call is one of a reader.
    HAVERSACK_OFFLOAD_REASON_EXEMPT = 5,
    /// The store refused it.
    HAVERSACK_OFFLOAD_REASON_REFUSED = 6,
    /// The pointer would not be smaller than the original.
    HAVERSACK_OFFLOAD_REASON_NOT_SHORTER = 7,
}

/// The name of a `haversack_offload_action`, such as `store`; absent for a number that is none. Static.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_offload_action_name(action: u32) -> haversack_str {
    boundary!(plain haversack_str::NONE, { name_of::<OffloadAction>(action) })
}

/// The name of a `haversack_offload_reason`, such as `over`; absent for a number that is none. Static.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_offload_reason_name(reason: u32) -> haversack_str {
    boundary!(plain haversack_str::NONE, { name_of::<OffloadReason>(reason) })
}

/// When a result is offloaded, and what its pointer shows. `{0}` is all defaults.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_offload_options {
    /// `sizeof(haversack_offload_options)`; 0 is read as that of the first version.
    pub size: usize,
    /// What is larger than this is offloaded; its unit is that of every size. Default: NULL, 8,000 chars.
    pub over: *const haversack_budget,
    /// How much of the payload the pointer shows. Default: NULL, 400 chars.
    pub preview: *const haversack_budget,
    /// A `haversack_format`: what the payload is. Default: detected.
    pub format: u32,
    /// A `haversack_keep`: which end the preview shows. Default: both.
    pub preview_keep: u32,
    /// A tool of this request with which the model can read the result back. Default: none.
    pub reader: haversack_str,
    /// One line of the host's own in the pointer, instead of the one that names the reader. Default: none.
    pub hint: haversack_str,
}

/// The policy that ran, in plain numbers.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct haversack_policy {
    /// Larger than this is offloaded.
    pub over: usize,
    /// Size of the preview.
    pub preview: usize,
    /// A `haversack_unit`: that of `over`.
    pub unit: u32,
    /// A `haversack_unit`: that of `preview`.
    pub preview_unit: u32,
    /// A `haversack_keep`: which end the preview shows.
    pub preview_keep: u32,
    /// Always 0.
    pub reserved: u32,
}

/// Keep it, or store these bytes under this key. It never changes, so threads may read it at once.
#[derive(Debug)]
pub struct haversack_offload_answer {
    answer: Offload,
    sha256: Option<String>,
}

/// What goes to the model after the bytes were stored. It never changes, so threads may read it at once.
#[derive(Debug)]
pub struct haversack_pointer(pub(crate) Pointer);

/// Says whether `payload`, the result of the call `call_id`, stays or is stored, and under which key. `options` may
/// be NULL.
///
/// Stateless. On success `*out_answer` is to be freed with `haversack_offload_answer_free`. Linear in the payload.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_offload(
    payload: haversack_str,
    call_id: haversack_str,
    options: *const haversack_offload_options,
    out_answer: *mut *mut haversack_offload_answer,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_answer), {
        // SAFETY: by contract all that the caller handed over is valid for the call, and the output is not null.
        unsafe {
            let wishes = Wishes::read(options)?;
            let answer = haversack::offload(payload.bytes("payload")?, call_id.text("call_id")?, &wishes.options()?)?;
            let sha256 = answer.sha256();
            out_answer.write(into_handle(haversack_offload_answer { answer, sha256 }));
        }
        Ok(())
    })
}

/// Frees an answer, on any thread. NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_offload_answer_free(answer: *mut haversack_offload_answer) {
    // SAFETY: by contract null or ours, freed once.
    boundary!(plain(), { unsafe { free_handle(answer) } });
}

/// What to do: a `haversack_offload_action`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_offload_answer_action(answer: *const haversack_offload_answer) -> u32 {
    boundary!(get answer => answer.answer.action().code(), or 0)
}

/// Why: a `haversack_offload_reason`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_offload_answer_reason(answer: *const haversack_offload_answer) -> u32 {
    boundary!(get answer => answer.answer.reason().code(), or 0)
}

/// The key to store it under, safe as a file name; absent when it is kept.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_offload_answer_key(answer: *const haversack_offload_answer) -> haversack_str {
    boundary!(get answer => haversack_str::of_option(answer.answer.key()), or haversack_str::NONE)
}

/// The length of the payload in bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_offload_answer_bytes(answer: *const haversack_offload_answer) -> usize {
    boundary!(get answer => answer.answer.bytes(), or 0)
}

/// The size of the payload, in the unit of `over`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_offload_answer_size(answer: *const haversack_offload_answer) -> usize {
    boundary!(get answer => answer.answer.size(), or 0)
}

/// SHA-256 of the payload in hex; absent when it is kept.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_offload_answer_sha256(answer: *const haversack_offload_answer) -> haversack_str {
    boundary!(get answer => haversack_str::of_option(answer.sha256.as_deref()), or haversack_str::NONE)
}

/// What the payload was read as: a `haversack_format`, 0 when it is kept.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_offload_answer_format(answer: *const haversack_offload_answer) -> u32 {
    boundary!(get answer => answer.answer.format().map_or(0, Format::code), or 0)
}

/// Where in the JSON one string holds the bulk of it; absent where none does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_offload_answer_at(answer: *const haversack_offload_answer) -> haversack_str {
    boundary!(get answer => haversack_str::of_option(answer.answer.at()), or haversack_str::NONE)
}

/// The excerpt that the pointer shows; absent when it is kept.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_offload_answer_preview(answer: *const haversack_offload_answer) -> haversack_str {
    boundary!(get answer => haversack_str::of_option(answer.answer.preview()), or haversack_str::NONE)
}

/// The policy that ran.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_offload_answer_policy(answer: *const haversack_offload_answer) -> haversack_policy {
    boundary!(get answer => answer.answer.policy().into(), or haversack_policy::default())
}

/// The whole answer as compact JSON, to be freed with `haversack_string_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_offload_answer_json(
    answer: *const haversack_offload_answer,
    out_json: *mut haversack_string,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_json), {
        // SAFETY: by contract null or a live handle; the output is not null.
        unsafe { out_json.write(haversack_string::owning(live(answer, "answer")?.answer.to_json())) };
        Ok(())
    })
}

/// The pointer, once the bytes are stored at `location`: any text that means something to the host or the model.
/// `counter` measures the pointer where `over` is in tokens, and is NULL else.
///
/// `HAVERSACK_OUT_OF_ORDER` when the payload was to be kept. On success `*out_pointer` is to be freed with
/// `haversack_pointer_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_offload_answer_pointer(
    answer: *const haversack_offload_answer,
    location: haversack_str,
    counter: *const haversack_counter,
    out_pointer: *mut *mut haversack_pointer,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_pointer), {
        // SAFETY: by contract all that the caller handed over is valid for the call, and the output is not null.
        unsafe {
            let answer = &live(answer, "answer")?.answer;
            let location = location.text("location")?;
            let pointer = match counter_of(counter)? {
                Some(counter) => answer.pointer_counted(location, &counter)?,
                None => answer.pointer(location)?,
            };
            out_pointer.write(into_handle(haversack_pointer(pointer)));
        }
        Ok(())
    })
}

/// Frees a pointer, on any thread. NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_pointer_free(pointer: *mut haversack_pointer) {
    // SAFETY: by contract null or ours, freed once.
    boundary!(plain(), { unsafe { free_handle(pointer) } });
}

/// The text for the model, a JSON object; absent when it would not be smaller than the original: that stays.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_pointer_text(pointer: *const haversack_pointer) -> haversack_str {
    boundary!(get pointer => haversack_str::of_option(pointer.0.text()), or haversack_str::NONE)
}

/// Why there is a text or none: a `haversack_offload_reason`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_pointer_reason(pointer: *const haversack_pointer) -> u32 {
    boundary!(get pointer => pointer.0.reason().code(), or 0)
}

/// The size of what goes to the model (the pointer, or the original), in `haversack_pointer_unit`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_pointer_size(pointer: *const haversack_pointer) -> usize {
    boundary!(get pointer => pointer.0.size(), or 0)
}

/// How much smaller it is than the original.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_pointer_saved(pointer: *const haversack_pointer) -> usize {
    boundary!(get pointer => pointer.0.saved(), or 0)
}

/// The unit of these sizes: a `haversack_unit`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_pointer_unit(pointer: *const haversack_pointer) -> u32 {
    boundary!(get pointer => pointer.0.unit().code(), or 0)
}

/// The books: one record, offloaded or kept, and its source bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_pointer_account(pointer: *const haversack_pointer) -> haversack_account {
    boundary!(get pointer => pointer.0.account().into(), or haversack_account::default())
}

/// The whole answer as compact JSON, to be freed with `haversack_string_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_pointer_json(
    pointer: *const haversack_pointer,
    out_json: *mut haversack_string,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_json), {
        // SAFETY: by contract null or a live handle; the output is not null.
        unsafe { out_json.write(haversack_string::owning(live(pointer, "pointer")?.0.to_json())) };
        Ok(())
    })
}

impl From<&Policy> for haversack_policy {
    fn from(policy: &Policy) -> Self {
        haversack_policy {
            over: policy.over,
            preview: policy.preview,
            unit: policy.unit.code(),
            preview_unit: policy.preview_unit.code(),
            preview_keep: policy.preview_keep.code(),
            reserved: 0,
        }
    }
}

/// The options as the caller gave them.
pub(crate) struct Wishes<'a> {
    given: haversack_offload_options,
    over: Option<Meter<'a>>,
    preview: Option<Meter<'a>>,
    reader: Option<&'a str>,
    hint: Option<&'a str>,
}

impl Wishes<'_> {
    /// Reads what pointers lead to.
    ///
    /// # Safety
    /// `options` and all it points to are valid for `'a`.
    pub(crate) unsafe fn read(options: *const haversack_offload_options) -> Outcome<Self> {
        // SAFETY: by contract.
        unsafe {
            let given = sized::read(options, "options")?;
            Ok(Wishes {
                over: given.over.as_ref().map(|b| Meter::of(b)).transpose()?,
                preview: given.preview.as_ref().map(|b| Meter::of(b)).transpose()?,
                reader: given.reader.optional("reader")?,
                hint: given.hint.optional("hint")?,
                given,
            })
        }
    }

    /// The options for the core.
    pub(crate) fn options(&self) -> Outcome<OffloadOptions<'_>> {
        let mut options = OffloadOptions::new();
        if let Some(over) = &self.over {
            options = options.over(over.budget());
        }
        if let Some(preview) = &self.preview {
            options = options.preview(preview.budget());
        }
        if let Some(format) = chosen_or_default(self.given.format, "format")? {
            options = options.format(format);
        }
        if let Some(keep) = chosen_or_default(self.given.preview_keep, "preview_keep")? {
            options = options.preview_keep(keep);
        }
        if let Some(tool) = self.reader {
            options = options.reader(tool);
        }
        if let Some(hint) = self.hint {
            options = options.hint(hint);
        }
        Ok(options)
    }
}

versioned!(haversack_offload_options { size, over, preview, format, preview_keep, reader, hint } first: hint);
