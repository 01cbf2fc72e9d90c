//! Finding the fullest draft that fits, for measures that may be neither additive nor monotonic.

use crate::error::Error;
use crate::measure::Budget;

/// Asks `build` for drafts at different goals and returns the longest that fits, with its size.
///
/// Weights choose, the final count judges. For bytes, chars and utf16 a draft built for the budget fits at once and
/// one round is all. For tokens the goal is moved by how far the count was off; rounds are bounded by
/// `4 + bits(budget)`. `None` when no draft fits: the caller then tries its smallest text.
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
    let mut goal = limit;
    // Goals known to fit and known to be too much.
    let (mut low, mut high) = (0, usize::MAX);
    for round in 0..rounds {
        let Some(draft) = build(goal)? else { break };
        let n = budget.size(draft.as_ref())?;
        if n <= limit {
            if best.as_ref().is_none_or(|(b, _)| draft.as_ref().len() >= b.as_ref().len()) {
                best = Some((draft, n));
            }
            // Full enough: what is left is less than the sizes are known by.
            if !budget.is_counted() || limit - n <= limit / 50 {
                break;
            }
            low = goal;
            let up = goal.saturating_add(limit - n).min(mul_div(goal, limit, n.max(1)));
            goal = if high == usize::MAX { up } else { low + (high - low) / 2 };
        } else {
            high = goal;
            goal = if best.is_some() {
                low + (high - low) / 2
            } else if round < 4 {
                goal.saturating_sub(n - limit).min(mul_div(goal, limit, n)).min(goal.saturating_sub(1))
            } else {
                goal / 2
            };
        }
        if goal <= low && best.is_some() {
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
