//! `haversack_shared_prefix`: what two prompts have in common at their start.

use haversack::prompt::{Piece, shared_prefix};

use crate::boundary::live;
use crate::error::haversack_error;
use crate::measure::{counter_of, haversack_counter};
use crate::prompt::haversack_prompt;
use crate::status::haversack_status;
use crate::text::haversack_str;

/// The start that two prompts share.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_prefix {
    /// Bytes of the pieces' texts that are equal, up to the first that differs.
    pub bytes: usize,
    /// Tokens of these, whole pieces and the beginning of the one where they part; 0 where `has_tokens` is 0.
    pub tokens: usize,
    /// How many pieces are equal as a whole.
    pub pieces: usize,
    /// The first piece where they part: of the second prompt, or of the first where the second ends; absent when all
    /// texts are equal. Lives as long as that prompt.
    pub piece: haversack_str,
    /// 1 when there was a counter.
    pub has_tokens: u32,
    /// Always 0.
    pub reserved: u32,
}

/// Compares two prompts from their start, by the bytes of their pieces: names break no cache. `counter` may be NULL.
/// Linear in what they share. Errors: `HAVERSACK_COUNTER_FAILED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_shared_prefix(
    a: *const haversack_prompt,
    b: *const haversack_prompt,
    counter: *const haversack_counter,
    out_prefix: *mut haversack_prefix,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_prefix), {
        // SAFETY: by contract null or live handles and a valid counter; the output is not null.
        unsafe {
            let (a, b) = (&live(a, "a")?.0, &live(b, "b")?.0);
            let counter = counter_of(counter)?;
            let shared = shared_prefix(a, b, counter.as_deref())?;
            // The prompts own the name; the one in `shared` ends here.
            let parted = b.pieces().nth(shared.pieces).or_else(|| a.pieces().nth(shared.pieces));
            out_prefix.write(haversack_prefix {
                bytes: shared.bytes,
                tokens: shared.tokens.unwrap_or(0),
                pieces: shared.pieces,
                piece: haversack_str::of_option(parted.map(Piece::name)),
                has_tokens: shared.tokens.is_some().into(),
                reserved: 0,
            });
        }
        Ok(())
    })
}
