//! Reading offloaded results back: tool definitions, and the executor of a model's calls.

use haversack::readback::{Flavour, Readback, Request, error_text};

use crate::boundary::{Outcome, free_handle, into_handle, live};
use crate::choices::chosen;
use crate::delivery::haversack_delivery;
use crate::error::haversack_error;
use crate::measure::{Meter, haversack_budget};
use crate::offloads::haversack_offloads;
use crate::status::haversack_status;
use crate::text::{haversack_str, haversack_string};

/// Whose form of tool definitions.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_flavour {
    /// `OpenAI` Chat Completions, and everything that speaks it.
    HAVERSACK_FLAVOUR_OPENAI = 1,
    /// Anthropic Messages.
    HAVERSACK_FLAVOUR_ANTHROPIC = 2,
    /// Gemini `generateContent`.
    HAVERSACK_FLAVOUR_GEMINI = 3,
    /// Model Context Protocol.
    HAVERSACK_FLAVOUR_MCP = 4,
}

/// The names of the two reading tools. `{0}` is `haversack_read` and `haversack_find`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_readback {
    /// Another name for the tool that reads.
    pub read_name: haversack_str,
    /// Another name for the tool that searches.
    pub find_name: haversack_str,
}

/// A checked call of a model, waiting for the bytes of the result it names. It never changes, so threads may read it
/// at once.
#[derive(Debug)]
pub struct haversack_request(Request);

/// The value of a request's `tools` member (for MCP: of the answer to `tools/list`), as compact JSON. `flavour` is a
/// `haversack_flavour`; `names` may be NULL. On success `*out_json` is to be freed with `haversack_string_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_tool_definitions(
    flavour: u32,
    names: *const haversack_readback,
    out_json: *mut haversack_string,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_json), {
        let flavour: Flavour = chosen(flavour, "flavour")?;
        // SAFETY: by contract valid for the call, and the output is not null.
        unsafe { out_json.write(haversack_string::owning(tools(names)?.tool_definitions(flavour)?)) };
        Ok(())
    })
}

/// Reads a call of the model, its tool `name` and `arguments` (JSON): which stored result it wants, and what of it.
/// Strict, because they come from a model; `haversack_readback_error_text` makes the answer to a call that failed.
///
/// `names` may be NULL. On success `*out_request` is to be freed with `haversack_request_free`; it does not need the
/// table any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_readback_request(
    offloads: *const haversack_offloads,
    name: haversack_str,
    arguments: haversack_str,
    names: *const haversack_readback,
    out_request: *mut *mut haversack_request,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_request), {
        // SAFETY: by contract all that the caller handed over is valid for the call, and the output is not null.
        unsafe {
            let table = &live(offloads, "offloads")?.0;
            let request = tools(names)?.request(table, name.text("name")?, arguments.text("arguments")?)?;
            out_request.write(into_handle(haversack_request(request)));
        }
        Ok(())
    })
}

/// Frees a request, on any thread. NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_request_free(request: *mut haversack_request) {
    // SAFETY: by contract null or ours, freed once.
    boundary!(plain(), { unsafe { free_handle(request) } });
}

/// The key, as it stands in the table.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_request_key(request: *const haversack_request) -> haversack_str {
    boundary!(get request => haversack_str::of(request.0.key()), or haversack_str::NONE)
}

/// Where the bytes are to be fetched, from the table and never from the model.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_request_location(request: *const haversack_request) -> haversack_str {
    boundary!(get request => haversack_str::of(request.0.location()), or haversack_str::NONE)
}

/// The page or the matches the model asked for, from the stored `bytes`, within `budget`.
/// `HAVERSACK_DIGEST_MISMATCH` when these are not the bytes that were offloaded. Outputs as `haversack_deliver`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_request_answer(
    request: *const haversack_request,
    bytes: haversack_str,
    budget: haversack_budget,
    out_delivery: *mut *mut haversack_delivery,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_delivery), {
        // SAFETY: by contract all that the caller handed over is valid for the call, and the output is not null.
        unsafe {
            let request = &live(request, "request")?.0;
            let meter = Meter::of(&budget)?;
            let delivery = request.answer(bytes.bytes("bytes")?, meter.budget())?;
            out_delivery.write(into_handle(haversack_delivery(delivery)));
        }
        Ok(())
    })
}

/// The text for a model whose call failed with `error`: one line, bounded. To be freed with `haversack_string_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_readback_error_text(
    error: *const haversack_error,
    out_text: *mut haversack_string,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_text), {
        // SAFETY: by contract null or a live handle; the output is not null.
        unsafe { out_text.write(haversack_string::owning(error_text(&live(error, "error")?.for_the_core()))) };
        Ok(())
    })
}

/// The tools under the names given.
///
/// # Safety
/// `names` is null or valid for `'a`.
unsafe fn tools<'a>(names: *const haversack_readback) -> Outcome<Readback<'a>> {
    let mut tools = Readback::new();
    // SAFETY: by contract.
    unsafe {
        if let Some(names) = names.as_ref() {
            if let Some(name) = names.read_name.optional("read_name")? {
                tools = tools.read_name(name);
            }
            if let Some(name) = names.find_name.optional("find_name")? {
                tools = tools.find_name(name);
            }
        }
    }
    Ok(tools)
}
