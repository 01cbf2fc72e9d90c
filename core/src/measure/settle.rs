//! Finding the fullest draft that fits, for measures that may be neither additive nor monotonic.

use crate::error::Error;
use crate::measure::Budget;

/// Units that a draft of additive units may leave unused without another attempt.
const SLACK: usize = 32;
/// Attempts after the first in additive units: notices that came out shorter than they were charged make room.
const ADDITIVE_ROUNDS: u32 = 3;

/// Asks `build` for drafts at different goals and returns the longest that fits, with its size.
///
/// Weights choose, the final count judges. For bytes, chars and utf16 a draft built for the budget fits at once; what
/// its notices did not need is tried on in a few rounds. For tokens the goal is moved by how far the count was off;
/// rounds are bounded by `4 + bits(budget)`. `None` when no draft fits: the caller then tries its smallest text.
///
/// # Errors
/// Those of `build` and of the counter.
pub(crate) fn settle<T: AsRef<str>>(
    budget: &Budget<'_>,
    mut build: impl FnMut(usize) -> Result<Option<T>, Error>,
) -> Result<Option<(T, usize)>, Error> {
    let limit = budget.limit();
    let rounds = 4 + (usize::BITS - limit.leading_zeros());
    let mut best: Option<(T, usize)> = None;
    let mut first_fit = None;
    let mut goal = limit;
    // Goals known to be no more than what fits, and known to be too much.
    let (mut low, mut high) = (0, usize::MAX);
    for round in 0..rounds {
        let Some(draft) = build(goal)? else {
            // Too little for any draft. Where something was too much, there may be one between the two.
            if best.is_some() || high == usize::MAX {
                break;
            }
            low = goal;
            goal = low + (high - low) / 2;
            if goal == low {
                break;
            }
            continue;
        };
        let n = budget.size(draft.as_ref())?;
        if n <= limit {
            let first_fit = *first_fit.get_or_insert(round);
            if best.as_ref().is_none_or(|(b, _)| draft.as_ref().len() >= b.as_ref().len()) {
                best = Some((draft, n));
            }
            // Full enough: what is left is less than what entries at their widest may hold back.
            let slack = if budget.is_counted() { limit / 50 } else { SLACK };
            if limit - n <= slack || !budget.is_counted() && round >= first_fit + ADDITIVE_ROUNDS {
                break;
            }
            low = goal;
            let up = goal.saturating_add(limit - n);
            let up = if budget.is_counted() { up.min(mul_div(goal, limit, n.max(1))) } else { up };
            goal = if high == usize::MAX { up } else { low + (high - low) / 2 };
        } else {
            high = goal;
            goal = if low > 0 {
                low + (high - low) / 2
            } else if round < 4 {
                goal.saturating_sub(n - limit).min(mul_div(goal, limit, n)).min(goal.saturating_sub(1))
            } else {
                goal / 2
            };
        }
        if goal <= low && low > 0 {
            break;
        }
    }
    Ok(best)
}

/// `a * b / c` without overflow; `c` is not 0.
fn mul_div(a: usize, b: usize, c: usize) -> usize {
    let wide = (a as u128) * (b as u128) / (c as u128);
    usize::try_from(wide).unwrap_or(usize::MAX)
}
