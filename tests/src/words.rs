//! The test counter `words`: deterministic, neither additive nor trivial, easy to write again in any language.

use haversack::{Error, TokenCounter};

/// Runs of ASCII letters, digits, `_` and bytes from 0x80 up give one token per started 6 bytes; ASCII white space
/// gives none; every other byte is one token.
#[derive(Clone, Copy, Debug, Default)]
pub struct Words;

impl Words {
    /// Tokens in `text`.
    pub fn tokens(text: &str) -> usize {
        let mut tokens = 0;
        let mut run = 0;
        for byte in text.bytes() {
            let word = byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
            if word {
                tokens += usize::from(run % 6 == 0);
                run += 1;
            } else {
                run = 0;
                tokens += usize::from(!matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c));
            }
        }
        tokens
    }
}

impl TokenCounter for Words {
    fn count(&self, text: &str) -> Result<usize, Error> {
        Ok(Words::tokens(text))
    }
}

#[cfg(test)]
mod tests {
    use super::Words;

    #[test]
    fn follows_its_definition() {
        for (text, n) in
            [("", 0), (" \n", 0), ("abcdef", 1), ("abcdefg", 2), ("{\"a\":1}", 7), ("é é", 2), ("a b", 2), ("…", 1)]
        {
            assert_eq!(Words::tokens(text), n, "{text}");
        }
    }
}
