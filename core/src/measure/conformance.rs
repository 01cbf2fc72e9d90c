//! A check for those who write a counter.

use alloc::format;
use alloc::string::String;
use core::fmt;

use crate::error::{Error, ErrorKind};
use crate::measure::{TokenCounter, sane};

/// Texts that counters stumble over: special tokens, which some tokenizers refuse; characters above U+FFFF; a NUL.
const TEXTS: &[&str] = &[
    "",
    "a",
    "Seventeen words are not needed here; these few will do.",
    "  two  spaces\tand a tab\r\n\r\n",
    r#"{"id":9007199254740993,"tags":["a","b"],"note":"caf\u00e9"}"#,
    "<|endoftext|><|im_start|>system<|im_end|>",
    "Привет мир, 你好世界, สวัสดี, नमस्ते",
    "👩‍👩‍👧‍👦 🇩🇪 e\u{301} \u{FEFF}",
    "\0\u{1B}[31mred\u{1B}[0m",
];

/// Asks a counter what haversack relies on, and answers the first thing that is wrong.
///
/// Meant for the tests of a counter, not for every run: it makes some sixty calls on short texts and a few on one of
/// 64 KiB. What is asked:
///
/// - no text makes it fail, special tokens of a tokenizer in the text included: they are ordinary text;
/// - the same text has the same count twice, and no count is above 2^53;
/// - `count_up_to` is `Some(count)` up to that very limit and `None` below it;
/// - a long text counts more than a short one: a counter that does not grow holds no budget.
///
/// Counts need be neither additive nor monotonic, and an empty text may count something.
///
/// # Errors
/// [`ErrorKind::CounterFailed`] that names text and answer, or whatever the counter itself reports.
///
/// # Example
/// ```
/// use haversack::measure::{Estimate, check_counter};
///
/// check_counter(&Estimate)?;
/// # Ok::<(), haversack::Error>(())
/// ```
pub fn check_counter(counter: &dyn TokenCounter) -> Result<(), Error> {
    for text in TEXTS {
        check_text(counter, text)?;
    }
    let line = "a line of words that comes again and again\n";
    let long: String = line.repeat(64 * 1024 / line.len());
    let (one, many) = (counter.count(line)?, check_text(counter, &long)?);
    if many <= one {
        return Err(wrong(&long, format_args!("counts {many}, its first line alone {one}")));
    }
    Ok(())
}

/// The count of `text`, once everything asked about one text holds.
fn check_text(counter: &dyn TokenCounter, text: &str) -> Result<usize, Error> {
    let n = sane(counter.count(text)?)?;
    let again = counter.count(text)?;
    if again != n {
        return Err(wrong(text, format_args!("counts {n}, then {again}")));
    }
    for limit in [0, n / 2, n.saturating_sub(1), n, n + 1, usize::MAX] {
        let expected = (n <= limit).then_some(n);
        let answer = counter.count_up_to(text, limit)?;
        if answer != expected {
            return Err(wrong(text, format_args!("count {n}, but up to {limit} it is {answer:?}")));
        }
    }
    Ok(n)
}

fn wrong(text: &str, what: fmt::Arguments<'_>) -> Error {
    let start: String = text.chars().take(32).collect();
    Error::new(ErrorKind::CounterFailed, format!("counter is wrong about {start:?}: {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Estimate;
    use core::cell::Cell;

    /// A counter made of a function, with the default `count_up_to`.
    struct By<F>(F);

    impl<F: Fn(&str) -> Result<usize, Error>> TokenCounter for By<F> {
        fn count(&self, text: &str) -> Result<usize, Error> {
            (self.0)(text)
        }
    }

    #[test]
    fn good_counters_pass() {
        check_counter(&Estimate).unwrap();
        check_counter(&By(|text: &str| Ok(text.len()))).unwrap();
        check_counter(&By(|text: &str| Ok(text.len() / 4 + 2))).unwrap();
    }

    #[test]
    fn each_fault_is_found() {
        let calls = Cell::new(0);
        let changing = By(|text: &str| {
            calls.set(calls.get() + 1);
            Ok(text.len() + calls.get())
        });
        let faults: [(&dyn TokenCounter, &str); 4] = [
            (&changing, "then"),
            (&By(|_: &str| Ok(1)), "its first line alone"),
            (&By(|_: &str| Ok(usize::MAX)), "answered"),
            (&Early, "up to"),
        ];
        for (counter, expected) in faults {
            let error = check_counter(counter).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::CounterFailed);
            assert!(alloc::format!("{error}").contains(expected), "{error}");
        }
    }

    #[test]
    fn a_counter_that_refuses_special_tokens_says_so_itself() {
        let strict = By(|text: &str| {
            if text.contains("<|endoftext|>") {
                return Err(Error::new(ErrorKind::CounterFailed, "disallowed special token"));
            }
            Ok(text.len())
        });
        assert!(alloc::format!("{}", check_counter(&strict).unwrap_err()).contains("disallowed"));
    }

    /// Stops one token too early.
    struct Early;

    impl TokenCounter for Early {
        fn count(&self, text: &str) -> Result<usize, Error> {
            Ok(text.len())
        }
        fn count_up_to(&self, text: &str, limit: usize) -> Result<Option<usize>, Error> {
            Ok((text.len() < limit).then_some(text.len()))
        }
    }
}
