//! `haversack_prompt_render`: a prompt as text, and the tools of the host's own in it.

use haversack::prompt::{Layer, Piece};

use crate::boundary::{live, live_mut};
use crate::error::haversack_error;
use crate::prompt::{finished, haversack_piece_options, haversack_prompt, layer_of};
use crate::sized;
use crate::status::haversack_status;
use crate::text::{haversack_str, haversack_string};

/// Adds a tool that you own as the piece `tools/NAME`, in the canonical form (RFC 8785) of its definition, so that the
/// same definition has the same bytes however its keys were ordered. In its layer (static by default) such tools come
/// first, by name. What a model or a provider wrote is never serialised anew: add that with `haversack_prompt_add`.
/// `options` may be NULL; their kind must be tool or not given.
///
/// Errors: `HAVERSACK_INVALID_JSON`, `HAVERSACK_TOO_DEEP`, `HAVERSACK_NOT_CANONICAL`, `HAVERSACK_DUPLICATE_PIECE`,
/// `HAVERSACK_UNKNOWN_LAYER`, with the name as `haversack_error_piece`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_prompt_add_tool(
    prompt: *mut haversack_prompt,
    name: haversack_str,
    definition: haversack_str,
    options: *const haversack_piece_options,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(), {
        // SAFETY: by contract all that the caller handed over is valid for the call.
        unsafe {
            let prompt = &mut live_mut(prompt, "prompt")?.0;
            let name = name.text("name")?;
            let given = sized::read(options, "options")?;
            let layer = layer_of(given.layer, Layer::Static, &format!("tools/{name}"))?;
            if given.kind != 0 && given.kind != crate::prompt::haversack_piece_kind::HAVERSACK_PIECE_TOOL as u32 {
                return Err(haversack_error::option("kind", "a tool is of no other kind".to_owned()));
            }
            let piece = Piece::tool(name, definition.text("definition")?, layer)?;
            prompt.add(finished(piece, &given)?)?;
        }
        Ok(())
    })
}

/// The texts of all pieces but settings, in the order of the prompt, a blank line between two of them, to be freed with
/// `haversack_string_free`. The same pieces give the same bytes everywhere.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_prompt_render(
    prompt: *const haversack_prompt,
    out_text: *mut haversack_string,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_text), {
        // SAFETY: by contract null or a live handle; the output is not null.
        unsafe { out_text.write(haversack_string::owning(live(prompt, "prompt")?.0.render())) };
        Ok(())
    })
}

/// The definitions of the tools added with `haversack_prompt_add_tool`, as one JSON array in the order of the prompt:
/// the `tools` of a request. To be freed with `haversack_string_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_prompt_tools(
    prompt: *const haversack_prompt,
    out_json: *mut haversack_string,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_json), {
        // SAFETY: by contract null or a live handle; the output is not null.
        unsafe { out_json.write(haversack_string::owning(live(prompt, "prompt")?.0.tools_json())) };
        Ok(())
    })
}
