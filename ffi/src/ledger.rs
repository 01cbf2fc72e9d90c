//! `haversack_ledger`: facts by key that are put before the model every time.

use haversack::{Fact, FactValue, Ledger};

use crate::boundary::{Outcome, entries, free_handle, into_handle, live, live_mut};
use crate::error::haversack_error;
use crate::fact::{haversack_extracted, haversack_fact_options, haversack_facts, haversack_field, stated};
use crate::measure::{Meter, haversack_budget, haversack_counter, needed_counter_of};
use crate::rendered::{haversack_rendered, optional_meter};
use crate::status::haversack_status;
use crate::text::{haversack_str, haversack_string};

/// Facts by key, with their sources and their history, for a text that is put before the model every time. The last
/// value of a key holds, earlier ones stay in the history. Nothing that is recorded can end its line or its quotes:
/// what comes from a page stays a quoted value with a label. Functions that take it without `const` need it for
/// themselves, and a counter that they call must not use it.
#[derive(Debug)]
pub struct haversack_ledger(pub(crate) Ledger);

/// What each place of a ledger costs this turn, in tokens that a provider has to read anew.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_placement_costs {
    /// Behind everything that is cached: the news on the newest message.
    pub low: usize,
    /// In the system message: its text from the first changed byte on, and all that stands behind it.
    pub system: usize,
}

/// A ledger with nothing in it, to be freed with `haversack_ledger_free`. NULL only after a panic inside the library.
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

/// Records a text as the value of a key: it holds from now on, and an earlier one goes into the history. A value that
/// holds already (equal after trimming and joining blanks, and of that kind) is not recorded twice: its source is added
/// to the fact. A value of an earlier turn than the one that holds goes into the history. `options` may be NULL. Writes
/// a `haversack_recorded`. Costs the logarithm of the number of keys.
///
/// Errors, and the ledger is then unchanged: `HAVERSACK_INVALID_OPTION` for a `key` in which nothing can be seen, a
/// `turn` above 2^53, a `kind` or `verified` that is none; `HAVERSACK_LIMIT_EXCEEDED` for a `key` above 16 KiB, a
/// `source` above 4 KiB, a `value` above 64 KiB as JSON; `HAVERSACK_MIXED_KEY` where values were appended to the key.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_ledger_record(
    ledger: *mut haversack_ledger,
    key: haversack_str,
    text: haversack_str,
    options: *const haversack_fact_options,
    out_recorded: *mut u32,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_recorded), {
        // SAFETY: by contract all that the caller handed over is valid for the call, and the output is not null.
        unsafe { put(ledger, key, FactValue::Text(text.text("text")?), options, false, out_recorded) }
    })
}

/// As `haversack_ledger_record`, with a value that is JSON of any type and keeps its own spelling; white space outside
/// strings is dropped. Errors as there, and `HAVERSACK_INVALID_JSON`, `HAVERSACK_TOO_DEEP`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_ledger_record_json(
    ledger: *mut haversack_ledger,
    key: haversack_str,
    json: haversack_str,
    options: *const haversack_fact_options,
    out_recorded: *mut u32,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_recorded), {
        // SAFETY: by contract all that the caller handed over is valid for the call, and the output is not null.
        unsafe { put(ledger, key, FactValue::Json(json.text("json")?), options, false, out_recorded) }
    })
}

/// Adds a text to a key that has several values: none of them takes the place of another. Errors as
/// `haversack_ledger_record`; `HAVERSACK_MIXED_KEY` where a value was recorded for the key.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_ledger_append(
    ledger: *mut haversack_ledger,
    key: haversack_str,
    text: haversack_str,
    options: *const haversack_fact_options,
    out_recorded: *mut u32,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_recorded), {
        // SAFETY: by contract all that the caller handed over is valid for the call, and the output is not null.
        unsafe { put(ledger, key, FactValue::Text(text.text("text")?), options, true, out_recorded) }
    })
}

/// As `haversack_ledger_append`, with a value that is JSON, as for `haversack_ledger_record_json`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_ledger_append_json(
    ledger: *mut haversack_ledger,
    key: haversack_str,
    json: haversack_str,
    options: *const haversack_fact_options,
    out_recorded: *mut u32,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_recorded), {
        // SAFETY: by contract all that the caller handed over is valid for the call, and the output is not null.
        unsafe { put(ledger, key, FactValue::Json(json.text("json")?), options, true, out_recorded) }
    })
}

/// Records fields of a tool result (JSON), each as it is spelt there, so that the result may leave the prompt. Of a
/// result with one field missing nothing is recorded. `options` may be NULL and are those of every field. Linear in the
/// result for each field.
///
/// On success `*out_extracted` is to be freed with `haversack_extracted_free`. Errors: `HAVERSACK_INVALID_JSON` and
/// `HAVERSACK_TOO_DEEP` for the result; `HAVERSACK_INVALID_POINTER`; `HAVERSACK_NO_SUCH_FIELD` with the pointer that
/// leads nowhere and the index of the field; those of `haversack_ledger_record`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_ledger_extract(
    ledger: *mut haversack_ledger,
    result: haversack_str,
    fields: *const haversack_field,
    count: usize,
    options: *const haversack_fact_options,
    out_extracted: *mut *mut haversack_extracted,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_extracted), {
        // SAFETY: by contract all that the caller handed over is valid for the call, and the output is not null.
        unsafe {
            let ledger = &mut live_mut(ledger, "ledger")?.0;
            let (result, options) = (result.text("result")?, stated(options)?);
            let mut pairs = Vec::new();
            for (index, field) in entries(fields, count, "fields")?.iter().enumerate() {
                let key = field.key.text("key").map_err(|e| e.numbered(index))?;
                pairs.push((key, field.pointer.text("pointer").map_err(|e| e.numbered(index))?));
            }
            out_extracted.write(into_handle(haversack_extracted(ledger.extract(result, &pairs, options)?)));
        }
        Ok(())
    })
}

/// What holds of a key; of several values the first: a list of one, or of none where nothing was recorded. On success
/// `*out_facts` is to be freed with `haversack_facts_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_ledger_get(
    ledger: *const haversack_ledger,
    key: haversack_str,
    out_facts: *mut *mut haversack_facts,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_facts), {
        // SAFETY: by contract all that the caller handed over is valid for the call, and the output is not null.
        unsafe { tell(ledger, out_facts, |ledger| Ok(ledger.get(key.text("key")?).into_iter().collect())) }
    })
}

/// What holds of a key, in the order in which it was recorded: nothing, one value, or those that were appended. On
/// success `*out_facts` is to be freed with `haversack_facts_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_ledger_values(
    ledger: *const haversack_ledger,
    key: haversack_str,
    out_facts: *mut *mut haversack_facts,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_facts), {
        // SAFETY: by contract all that the caller handed over is valid for the call, and the output is not null.
        unsafe { tell(ledger, out_facts, |ledger| Ok(ledger.values(key.text("key")?))) }
    })
}

/// Every value that a key ever had, oldest first, those that hold included. On success `*out_facts` is to be freed with
/// `haversack_facts_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_ledger_history(
    ledger: *const haversack_ledger,
    key: haversack_str,
    out_facts: *mut *mut haversack_facts,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_facts), {
        // SAFETY: by contract all that the caller handed over is valid for the call, and the output is not null.
        unsafe { tell(ledger, out_facts, |ledger| Ok(ledger.history(key.text("key")?))) }
    })
}

/// All facts that hold, in the order in which they are shown. On success `*out_facts` is to be freed with
/// `haversack_facts_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_ledger_facts(
    ledger: *const haversack_ledger,
    out_facts: *mut *mut haversack_facts,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_facts), {
        // SAFETY: by contract null or a live handle; the output is not null.
        unsafe { tell(ledger, out_facts, |ledger| Ok(ledger.facts().collect())) }
    })
}

/// How many facts hold.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_ledger_len(ledger: *const haversack_ledger) -> usize {
    boundary!(get ledger => ledger.0.len(), or 0)
}

/// Bytes of all lines in a text without a budget, without the heading.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_ledger_bytes(ledger: *const haversack_ledger) -> u64 {
    boundary!(get ledger => ledger.0.bytes(), or 0)
}

/// How often a value was recorded that held already.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_ledger_merged(ledger: *const haversack_ledger) -> u64 {
    boundary!(get ledger => ledger.0.merged(), or 0)
}

/// The facts that hold, one line each: all of them (`budget` is NULL), or as many as fit, taken by kind (constraints,
/// decisions, tasks, identifiers, facts) and of one kind newest first; the heading says how many were left out. No fact
/// is cut, an update keeps the place of its key, and rendering twice gives the same bytes. Under a budget it costs what
/// is shown, never the ledger.
///
/// On success `*out_rendered` is to be freed with `haversack_rendered_free`; `haversack_measure` gives its size.
/// Errors: `HAVERSACK_BUDGET_TOO_SMALL` where not even the count of what was left out fits; `HAVERSACK_COUNTER_FAILED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_ledger_render(
    ledger: *const haversack_ledger,
    budget: *const haversack_budget,
    out_rendered: *mut *mut haversack_rendered,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_rendered), {
        // SAFETY: by contract null or a live handle and a valid budget; the output is not null.
        unsafe {
            let (ledger, meter) = (&live(ledger, "ledger")?.0, optional_meter(budget)?);
            let rendered = ledger.render(meter.as_ref().map(Meter::budget))?;
            out_rendered.write(into_handle(haversack_rendered(rendered)));
        }
        Ok(())
    })
}

/// What was recorded since the last news, for the newest message: the tail of a ledger that stands behind everything
/// that is cached. Messages before it stay as they are, so nothing cached is lost. What a budget leaves out comes with
/// the next news; after an error all of it is still to be told. `budget` may be NULL.
///
/// Writes NULL where nothing was recorded; else `*out_rendered` is to be freed with `haversack_rendered_free`. Errors
/// as `haversack_ledger_render`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_ledger_news(
    ledger: *mut haversack_ledger,
    budget: *const haversack_budget,
    out_rendered: *mut *mut haversack_rendered,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_rendered), {
        // SAFETY: by contract null or a live handle and a valid budget; the output is not null.
        unsafe {
            let (ledger, meter) = (&mut live_mut(ledger, "ledger")?.0, optional_meter(budget)?);
            let news = ledger.news(meter.as_ref().map(Meter::budget))?;
            out_rendered.write(news.map_or(std::ptr::null_mut(), |news| into_handle(haversack_rendered(news))));
        }
        Ok(())
    })
}

/// Takes everything that is recorded for told: after the whole ledger was put into the prompt. NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_ledger_fold(ledger: *mut haversack_ledger) {
    boundary!(plain(), {
        // SAFETY: by contract null or a live handle that nothing else uses.
        if let Some(ledger) = unsafe { ledger.as_mut() } {
            ledger.0.fold();
        }
    });
}

/// What each place of the ledger costs this turn: its news on the newest message, or all of it in the system message.
/// `previous` is the ledger's text that stands in the system message, `behind` the tokens of the prompt behind it;
/// `counter` is not NULL. Both texts are counted without a budget: linear in the ledger. Errors:
/// `HAVERSACK_COUNTER_FAILED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_ledger_placement_costs(
    ledger: *const haversack_ledger,
    previous: haversack_str,
    behind: usize,
    counter: *const haversack_counter,
    out_costs: *mut haversack_placement_costs,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_costs), {
        // SAFETY: by contract all that the caller handed over is valid for the call, and the output is not null.
        unsafe {
            let (ledger, previous) = (&live(ledger, "ledger")?.0, previous.text("previous")?);
            let counter = needed_counter_of(live(counter, "counter")?)?;
            let [low, system] = ledger.placement_costs(previous, behind, &counter)?;
            out_costs.write(haversack_placement_costs { low: low.tokens, system: system.tokens });
        }
        Ok(())
    })
}

/// The ledger with its history as versioned JSON, to be freed with `haversack_string_free`.
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

/// A ledger from what `haversack_ledger_json` wrote, which answers as that one would; `HAVERSACK_INVALID_STATE`, with
/// the offset or the index of the write, where that is not what it is.
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

/// Records or appends a value.
///
/// # Safety
/// All that the caller handed over is valid for the call, and the output is not null.
unsafe fn put(
    ledger: *mut haversack_ledger,
    key: haversack_str,
    value: FactValue<'_>,
    options: *const haversack_fact_options,
    many: bool,
    out_recorded: *mut u32,
) -> Outcome<()> {
    let put = if many { Ledger::append } else { Ledger::record };
    // SAFETY: by contract.
    unsafe {
        let ledger = &mut live_mut(ledger, "ledger")?.0;
        out_recorded.write(put(ledger, key.text("key")?, value, stated(options)?)?.code());
    }
    Ok(())
}

/// Hands over the facts that a ledger answers.
///
/// # Safety
/// As [`put`].
unsafe fn tell(
    ledger: *const haversack_ledger,
    out_facts: *mut *mut haversack_facts,
    ask: impl FnOnce(&Ledger) -> Outcome<Vec<Fact>>,
) -> Outcome<()> {
    // SAFETY: by contract.
    unsafe { out_facts.write(into_handle(haversack_facts(ask(&live(ledger, "ledger")?.0)?))) };
    Ok(())
}
