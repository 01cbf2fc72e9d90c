//! Counters by the names that options use in every language.

use crate::error::Error;
#[cfg(feature = "tokens")]
use crate::measure::Encoding;
use crate::measure::{Estimate, TokenCounter};

/// The built-in counter of that name: `estimate`, and with the feature `tokens` also `o200k_base` and `cl100k_base`.
///
/// # Errors
/// [`ErrorKind::InvalidOption`](crate::ErrorKind::InvalidOption) for argument `counter` when the name is unknown, or
/// when this build left the vocabularies out.
///
/// # Example
/// ```
/// use haversack::{Budget, measure};
///
/// let budget = Budget::tokens(1_000, measure::named("estimate")?);
/// assert!(measure::named("o300k_base").is_err());
/// # Ok::<(), haversack::Error>(())
/// ```
pub fn named(name: &str) -> Result<&'static dyn TokenCounter, Error> {
    match name {
        "estimate" => Ok(&Estimate),
        #[cfg(feature = "tokens")]
        "o200k_base" => Ok(&Encoding::O200kBase),
        #[cfg(feature = "tokens")]
        "cl100k_base" => Ok(&Encoding::Cl100kBase),
        #[cfg(not(feature = "tokens"))]
        "o200k_base" | "cl100k_base" => Err(Error::option(
            "counter",
            alloc::format!("{name} needs the feature `tokens`, which this build leaves out"),
        )),
        _ => {
            let start: alloc::string::String = name.chars().take(32).collect();
            Err(Error::option("counter", alloc::format!("no counter is named {start:?}")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    #[test]
    fn names() {
        assert_eq!(named("estimate").unwrap().count("").unwrap(), 0);
        for name in ["o200k_base", "cl100k_base"] {
            match named(name) {
                Ok(counter) if cfg!(feature = "tokens") => {
                    assert_eq!(counter.count("hello world").unwrap(), 2);
                }
                Err(error) if !cfg!(feature = "tokens") => {
                    assert_eq!(error.kind(), ErrorKind::InvalidOption);
                }
                _ => panic!("{name}: the feature and the answer disagree"),
            }
        }
        for name in ["", "words", "O200K_BASE"] {
            let Err(error) = named(name) else { panic!("{name:?} has no counter") };
            assert_eq!((error.kind(), error.argument()), (ErrorKind::InvalidOption, Some("counter")));
        }
    }
}
