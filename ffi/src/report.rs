//! `haversack_prompt_report`: what a prompt is made of, in sizes.

use haversack::prompt::{PieceSize, Report, growth};

use crate::boundary::{free_handle, into_handle, live};
use crate::delivery::write_part;
use crate::error::{haversack_error, write_number};
use crate::measure::{Meter, haversack_budget};
use crate::prompt::haversack_prompt;
use crate::status::haversack_status;
use crate::text::haversack_str;

/// The sizes of a prompt. It never changes, so threads may read it at once, and it needs the prompt no more.
#[derive(Debug)]
pub struct haversack_report(Report);

/// The size of one piece. Its texts live as long as the report.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_piece_size {
    /// Its name.
    pub name: haversack_str,
    /// Who answers for it; absent where nobody does.
    pub owner: haversack_str,
    /// Its size, in the unit of the report.
    pub size: usize,
    /// What it may take at most; 0 where `has_budget` is 0.
    pub budget: usize,
    /// By how much it is above its budget; 0 when it is not, or has none.
    pub over: usize,
    /// 1 when it has a budget.
    pub has_budget: u32,
    /// A `haversack_layer`.
    pub layer: u32,
    /// A `haversack_piece_kind`.
    pub kind: u32,
    /// Always 0.
    pub reserved: u32,
}

/// Measures every piece in the unit of `budget`, whose limit is what all pieces together may take, `SIZE_MAX` for no
/// limit. Budgets of pieces are in the same unit. Each piece is measured on its own, cached or not: a cache lowers a
/// price, not a size. Linear in the texts; with a counter one call a piece and a tool result.
///
/// On success `*out_report` is to be freed with `haversack_report_free`. Errors: `HAVERSACK_COUNTER_FAILED`, with the
/// piece.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_prompt_report(
    prompt: *const haversack_prompt,
    budget: haversack_budget,
    out_report: *mut *mut haversack_report,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_report), {
        // SAFETY: by contract null or a live handle and a valid budget; the output is not null.
        unsafe {
            let prompt = &live(prompt, "prompt")?.0;
            let meter = Meter::of(&budget)?;
            out_report.write(into_handle(haversack_report(prompt.report(&meter.budget())?)));
        }
        Ok(())
    })
}

/// Frees a report, on any thread. NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_report_free(report: *mut haversack_report) {
    // SAFETY: by contract null or ours, freed once.
    boundary!(plain(), { unsafe { free_handle(report) } });
}

/// The unit of every size: a `haversack_unit`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_report_unit(report: *const haversack_report) -> u32 {
    boundary!(get report => report.0.unit.code(), or 0)
}

/// How many pieces there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_report_count(report: *const haversack_report) -> usize {
    boundary!(get report => report.0.pieces.len(), or 0)
}

/// The piece of that number, from 0, in the order of the prompt. False, and nothing written, past the end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_report_piece(
    report: *const haversack_report,
    index: usize,
    out_piece: *mut haversack_piece_size,
) -> bool {
    boundary!(get report => write_part(report.0.pieces.get(index), out_piece, size_view), or false)
}

/// The size of a `haversack_layer`, without settings; 0 for a number that is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_report_layer(report: *const haversack_report, layer: u32) -> usize {
    boundary!(get report => {
        let sizes = &report.0.layers;
        sizes.iter().find(|(of, _)| of.code() == layer).map_or(0, |(_, size)| *size)
    }, or 0)
}

/// The size of a `haversack_piece_kind`; 0 for a number that is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_report_kind(report: *const haversack_report, kind: u32) -> usize {
    boundary!(get report => {
        let sizes = &report.0.kinds;
        sizes.iter().find(|(of, _)| of.code() == kind).map_or(0, |(_, size)| *size)
    }, or 0)
}

/// The size of all pieces together but settings, which no model reads.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_report_total(report: *const haversack_report) -> usize {
    boundary!(get report => report.0.total, or 0)
}

/// What all of them may take at most. False, and nothing written, where there is no limit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_report_budget(report: *const haversack_report, out_budget: *mut usize) -> bool {
    boundary!(get report => write_number(report.0.budget, out_budget), or false)
}

/// By how much all of it is above the budget; 0 when it is not, or there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_report_over(report: *const haversack_report) -> usize {
    boundary!(get report => report.0.over(), or 0)
}

/// The size of what stands before the conversation starts: instructions, tools, facts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_report_before_conversation(report: *const haversack_report) -> usize {
    boundary!(get report => report.0.before_conversation, or 0)
}

/// The size of tool results that the model has answered since; 0 for prompts that were not taken from a request.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_report_old_results(report: *const haversack_report) -> usize {
    boundary!(get report => report.0.dead.old_results, or 0)
}

/// The size of the errors among them whose tool gave a result later on; they are not counted as old results again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_report_resolved_errors(report: *const haversack_report) -> usize {
    boundary!(get report => report.0.dead.resolved_errors, or 0)
}

/// The size of scratch work that is done: the model's thinking in turns that ended, which is before the last message of
/// the user's own.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_report_thinking(report: *const haversack_report) -> usize {
    boundary!(get report => report.0.dead.thinking, or 0)
}

/// How much of the total is dead weight (old results, resolved errors, thinking), in parts per 10,000, rounded down.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_report_dead_share(report: *const haversack_report) -> u32 {
    boundary!(get report => report.0.dead_share(), or 0)
}

/// What the conversation has grown by for each answer of the model so far, rounded up: see `haversack_estimate_growth`.
/// False, and nothing written, before the first answer, and for prompts that were not taken from a request.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_report_per_call(report: *const haversack_report, out_size: *mut usize) -> bool {
    boundary!(get report => write_number(report.0.per_call, out_size), or false)
}

/// The input of a run that only appends to its prompt, in the unit that it was asked in.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_growth {
    /// The size of the last prompt: all that was new in the run.
    pub largest: u64,
    /// The sizes of all prompts together, which is the input that is billed without a cache. It grows with the square
    /// of the number of calls.
    pub input: u64,
    /// Of these what an earlier call had sent already: the most that a prefix cache can serve.
    pub repeated: u64,
}

/// Estimates the input of `calls` calls, the first of which sends `first` and each later one `per_call` more than the
/// one before it, in any unit. Sums stop at `UINT64_MAX`; no call has no input.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_estimate_growth(first: u64, per_call: u64, calls: u64) -> haversack_growth {
    boundary!(plain haversack_growth { largest: 0, input: 0, repeated: 0 }, {
        let told = growth(first, per_call, calls);
        haversack_growth { largest: told.largest, input: told.input, repeated: told.repeated }
    })
}

fn size_view(piece: &PieceSize) -> haversack_piece_size {
    haversack_piece_size {
        name: haversack_str::of(&piece.name),
        owner: haversack_str::of_option(piece.owner.as_deref()),
        size: piece.size,
        budget: piece.budget.unwrap_or(0),
        over: piece.over(),
        has_budget: piece.budget.is_some().into(),
        layer: piece.layer.code(),
        kind: piece.kind.code(),
        reserved: 0,
    }
}
