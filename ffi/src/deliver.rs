//! `haversack_deliver` and its options.

use haversack::{Account, DeliverOptions, Limits};

use crate::account::haversack_account;
use crate::boundary::{Outcome, into_handle};
use crate::choices::{chosen, chosen_or_default, haversack_nested as N, none_such, yes};
use crate::delivery::haversack_delivery;
use crate::error::haversack_error;
use crate::limits::{haversack_limits, limits_of};
use crate::measure::{Meter, haversack_budget};
use crate::sized;
use crate::status::haversack_status;
use crate::text::{haversack_str, haversack_strs};

/// Options of `haversack_deliver`. `{0}` is all defaults; so is what `haversack_deliver_options_init` writes.
/// Everything it points to is only read during the call.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_deliver_options {
    /// `sizeof(haversack_deliver_options)`; 0 is read as that of the first version.
    pub size: usize,
    /// A `haversack_format`: reads the payload as this. Default: detected.
    pub format: u32,
    /// A `haversack_share`: how sibling lists share the budget. Default: fair. One list gets the same under each.
    pub share: u32,
    /// Keeps only what these pointers lead to (RFC 6901, `*` for every element or member). Default: everything.
    ///
    /// This, `sort_by` and `descending` have no meaning for lines, CSV and TSV, `priority` none for NDJSON either: for
    /// a format given by name they are an `invalid_option`, for one that is detected a warning.
    pub select: haversack_strs,
    /// Orders the records of each list by the value at this pointer, relative to the record. Default: input order.
    pub sort_by: haversack_str,
    /// 1 reverses the order of `sort_by`'s values. Default: 0.
    pub descending: u32,
    /// A `haversack_keep`: which end is kept.
    pub keep: u32,
    /// Lists served first, to their full demand. Default: none.
    pub priority: haversack_strs,
    /// A `haversack_oversize`: what happens to a record larger than its list's whole share. Default: shrink.
    pub oversize: u32,
    /// A `haversack_envelope`: when a root array gets one. Default: when cut.
    pub envelope: u32,
    /// Delivers the page that this cursor names: a `next` of an earlier delivery of the same input.
    pub cursor: haversack_str,
    /// A tool of this request with which the model can read on; named in the notice with the cursor.
    pub reader: haversack_str,
    /// One line of the host's own that the notice carries. Outside JSON its invisible and bidirectional characters
    /// appear as `\u{…}`.
    pub hint: haversack_str,
    /// A `haversack_nested`: whether JSON inside strings is cut on its own records. Default: 0, it is.
    pub nested: u32,
    /// A `haversack_on_invalid`: what happens to input not well formed in the format given by name. Default: error.
    pub on_invalid: u32,
    /// Lines that hold one of these texts are kept before others. Default: none.
    pub prefer: haversack_strs,
    /// A `haversack_ansi`: what happens to ANSI sequences in lines. Default: keep.
    pub ansi: u32,
    /// 1: a run of equal lines becomes its first and a count, when something must be cut. Default: 0.
    pub collapse: u32,
    /// A `haversack_source`: says in the notice whether the host still has the original. Default: nothing is claimed.
    pub source: u32,
    /// A `haversack_notice`: where the notice of NDJSON, CSV and lines goes. Default: into the text.
    pub notice: u32,
    /// The account of a first cut; nothing is then read from the text about earlier cuts. Default: NULL.
    pub earlier: *const haversack_account,
    /// Other limits than those of the library; see `haversack_limits_init`. Default: NULL.
    pub limits: *const haversack_limits,
}

/// Sets all options to their defaults. `size` is `sizeof(haversack_deliver_options)` of the caller.
/// `HAVERSACK_BAD_ARGUMENT` for NULL or a size that no version has.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_deliver_options_init(
    options: *mut haversack_deliver_options,
    size: usize,
) -> haversack_status {
    let no_details = std::ptr::null_mut();
    boundary!(call no_details, writes(options), {
        // SAFETY: by contract.
        unsafe { sized::init(options, size, "options") }
    })
}

/// Cuts `payload` to `budget` on record boundaries and says what it left out. `options` may be NULL.
///
/// On success `*out_delivery` is a delivery to free with `haversack_delivery_free`. On failure it is untouched, and
/// `*out_error` (unless `out_error` is NULL) is an error to free with `haversack_error_free`; on success that one is
/// untouched. Any number of threads may call at once. Time is linear in the payload, which is copied nowhere.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_deliver(
    payload: haversack_str,
    budget: haversack_budget,
    options: *const haversack_deliver_options,
    out_delivery: *mut *mut haversack_delivery,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_delivery), {
        // SAFETY: by contract all that the caller handed over is valid for the call.
        let (payload, meter, wishes) =
            unsafe { (payload.bytes("payload")?, Meter::of(&budget)?, Wishes::read(options)?) };
        let delivery = haversack::deliver(payload, wishes.options(&meter)?)?;
        // SAFETY: checked not to be null, so valid for one write by contract.
        unsafe { out_delivery.write(into_handle(haversack_delivery(delivery))) };
        Ok(())
    })
}

versioned!(haversack_deliver_options {
    size, format, share, select, sort_by, descending, keep, priority, oversize, envelope, cursor, reader, hint, nested,
    on_invalid, prefer, ansi, collapse, source, notice, earlier, limits
} first: limits);

/// The options as the caller gave them, with what has to be gathered before the core can borrow it.
struct Wishes<'a> {
    given: haversack_deliver_options,
    select: Vec<&'a str>,
    priority: Vec<&'a str>,
    prefer: Vec<&'a str>,
    sort_by: Option<&'a str>,
    cursor: Option<&'a str>,
    reader: Option<&'a str>,
    hint: Option<&'a str>,
    earlier: Option<Account>,
    limits: Limits,
}

impl Wishes<'_> {
    /// Reads what pointers lead to.
    ///
    /// # Safety
    /// `options` and all it points to are valid for `'a`.
    unsafe fn read(options: *const haversack_deliver_options) -> Outcome<Self> {
        // SAFETY: by contract, here and below.
        unsafe {
            let given = sized::read(options, "options")?;
            Ok(Wishes {
                select: given.select.list("select")?,
                priority: given.priority.list("priority")?,
                prefer: given.prefer.list("prefer")?,
                sort_by: given.sort_by.optional("sort_by")?,
                cursor: given.cursor.optional("cursor")?,
                reader: given.reader.optional("reader")?,
                hint: given.hint.optional("hint")?,
                earlier: given.earlier.as_ref().map(|account| Account::try_from(*account)).transpose()?,
                limits: limits_of(given.limits)?,
                given,
            })
        }
    }

    /// The options for the core.
    fn options<'b>(&'b self, meter: &'b Meter<'_>) -> Outcome<DeliverOptions<'b>> {
        let given = &self.given;
        let mut options = DeliverOptions::new(meter.budget())
            .select(&self.select)
            .descending(yes(given.descending, "descending")?)
            .share(chosen(given.share, "share")?)
            .priority(&self.priority)
            .oversize(chosen(given.oversize, "oversize")?)
            .envelope(chosen(given.envelope, "envelope")?)
            .on_invalid(chosen(given.on_invalid, "on_invalid")?)
            .prefer(&self.prefer)
            .ansi(chosen(given.ansi, "ansi")?)
            .collapse(yes(given.collapse, "collapse")?)
            .notice(chosen(given.notice, "notice")?)
            .limits(self.limits);
        if let Some(format) = chosen_or_default(given.format, "format")? {
            options = options.format(format);
        }
        if let Some(pointer) = self.sort_by {
            options = options.sort_by(pointer);
        }
        if let Some(keep) = chosen_or_default(given.keep, "keep")? {
            options = options.keep(keep);
        }
        match given.nested {
            n if n == N::HAVERSACK_NESTED_DEFAULT as u32 => {}
            n if n == N::HAVERSACK_NESTED_ON as u32 => options = options.nested(true),
            n if n == N::HAVERSACK_NESTED_OFF as u32 => options = options.nested(false),
            _ => return Err(none_such("nested")),
        }
        if let Some(cursor) = self.cursor {
            options = options.cursor(cursor);
        }
        if let Some(tool) = self.reader {
            options = options.reader(tool);
        }
        if let Some(hint) = self.hint {
            options = options.hint(hint);
        }
        if let Some(state) = chosen_or_default(given.source, "source")? {
            options = options.source(state);
        }
        if let Some(account) = &self.earlier {
            options = options.earlier(account);
        }
        Ok(options)
    }
}
