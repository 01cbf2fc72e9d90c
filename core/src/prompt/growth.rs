//! What a run costs as its conversation grows: every call sends all of it again.

/// The input of a run that only appends to its prompt, in the unit that it was asked in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Growth {
    /// The size of the last prompt: all that was new in the run.
    pub largest: u64,
    /// The sizes of all prompts together, which is the input that is billed without a cache. It grows with the square
    /// of the number of calls.
    pub input: u64,
    /// Of these what an earlier call had sent already: the most that a prefix cache can serve.
    pub repeated: u64,
}

/// Estimates the input of `calls` calls, the first of which sends `first` and each later one `per_call` more than the
/// one before it. Sums stop at the largest number there is.
///
/// An estimate: [`Report::per_call`](super::Report::per_call) says what a conversation grew by so far, and the next
/// call may do otherwise. No call has no input.
///
/// ```
/// use haversack::prompt::growth;
///
/// let (ten, hundred) = (growth(5_000, 2_000, 10), growth(5_000, 2_000, 100));
/// assert_eq!((ten.largest, ten.input, ten.repeated), (23_000, 140_000, 117_000));
/// assert_eq!((hundred.largest, hundred.input), (203_000, 10_400_000));   // ten times the calls, 74 times the input
/// ```
#[must_use]
pub fn growth(first: u64, per_call: u64, calls: u64) -> Growth {
    let (first, per_call, calls) = (u128::from(first), u128::from(per_call), u128::from(calls));
    let Some(later) = calls.checked_sub(1) else { return Growth::default() };
    // The product of two numbers below 2^64 is one below 2^128; of three only where it is capped.
    let largest = first.saturating_add(per_call * later);
    let pairs = if calls % 2 == 0 { (calls / 2) * later } else { calls * (later / 2) };
    let input = (first * calls).saturating_add(per_call.saturating_mul(pairs));
    let narrow = |sum: u128| u64::try_from(sum).unwrap_or(u64::MAX);
    Growth { largest: narrow(largest), input: narrow(input), repeated: narrow(input.saturating_sub(largest)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_the_sum_of_all_prompts() {
        for (first, per_call) in [(0, 0), (7, 0), (0, 3), (5_000, 2_000)] {
            let mut input = 0;
            for calls in 0..50 {
                let told = growth(first, per_call, calls);
                let largest = if calls == 0 { 0 } else { first + per_call * (calls - 1) };
                input += largest;
                assert_eq!((told.largest, told.input, told.repeated), (largest, input, input - largest), "{calls}");
            }
        }
    }

    #[test]
    fn sums_stop_at_the_largest_number() {
        let most = growth(u64::MAX, u64::MAX, u64::MAX);
        assert_eq!((most.largest, most.input, most.repeated), (u64::MAX, u64::MAX, u64::MAX));
        assert_eq!(growth(u64::MAX, 0, 1), Growth { largest: u64::MAX, input: u64::MAX, repeated: 0 });
    }
}
