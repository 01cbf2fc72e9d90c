//! Where the estimate of a text is the sum of the estimates of its parts, so that texts of many pieces need not be put
//! together and counted again for every choice of pieces.

use super::estimate::thousandths;

/// A text that is counted once, whatever it is put between.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece<'t> {
    /// Up to its first seam.
    pub(crate) head: &'t str,
    /// From its last seam on.
    pub(crate) tail: &'t str,
    /// What stands between them, in thousandths of a token.
    pub(crate) inner: u64,
}

/// What stands outside the seams is counted again with every neighbour, and has to be short.
const OUTSIDE: usize = 1024;

impl<'t> Piece<'t> {
    /// Nothing for a text without any seam near its start and its end. One pass.
    pub(crate) fn of(text: &'t str) -> Option<Piece<'t>> {
        let bytes = text.as_bytes();
        let first = (1..bytes.len().min(OUTSIDE)).find(|&at| is_seam(bytes, at))?;
        let from = bytes.len().saturating_sub(OUTSIDE).max(1);
        let last = (from..bytes.len()).rev().find(|&at| is_seam(bytes, at))?;
        let (head, tail) = (text.get(..first)?, text.get(last..)?);
        Some(Piece { head, tail, inner: thousandths(text.get(first..last)?, u64::MAX) })
    }
}

/// Where an ASCII character that is neither a letter nor a digit follows one that is, or one that is not ASCII: every
/// word, number and run of a script ends there, however it was taken, and nothing of it is remembered.
fn is_seam(bytes: &[u8], at: usize) -> bool {
    let is_mark = |b: u8| b.is_ascii() && !b.is_ascii_alphanumeric();
    let behind = bytes.get(at).is_some_and(|&b| is_mark(b));
    behind && at.checked_sub(1).and_then(|before| bytes.get(before)).is_some_and(|&b| !is_mark(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::borrow::ToOwned;
    use alloc::string::String;

    fn count(parts: &[&str]) -> u64 {
        thousandths(&parts.concat(), u64::MAX)
    }

    #[test]
    fn a_whole_is_the_sum_of_its_pieces() {
        // Runs that are looked at in parts.
        let dense = alloc::format!("{{\"{}\":1}}", "A1".repeat(400));
        let script = alloc::format!("{{\"a\":\"{}é{}\"}}", "字".repeat(300), "x".repeat(700));
        let messages = [
            r#"{"role":"user","content":"plain words"}"#,
            r#"{"role":"user","content":"12 Words, naïve façade; слово 字 かな a9F3b7C1d5E2 ──── \n\n  x"}"#,
            "{ \"role\" :\t\"user\" }",
            r#"{"content":[{"type":"text","text":"Ünï","n":1e9}],"a":{}}"#,
            "{\"é\":\"é\",\"role\":7}",
            "[[[[[[[[[[\"x\"]]]]]]]]]]",
            "{\"content\":\"字字字 a9F3b7C1d5E2HTTPServer twelveletters 123456\"}",
            &dense,
            &script,
        ];
        let marks = ["", "[", "]", ",", "},{", " ", "  \n", "é", "\"", "A", "7", "──", "a"];
        for one in messages {
            let a = Piece::of(one).unwrap();
            for other in messages {
                let b = Piece::of(other).unwrap();
                for between in marks {
                    for outside in marks {
                        let whole = count(&[outside, one, between, other, outside]);
                        let pieces = count(&[outside, a.head])
                            + a.inner
                            + count(&[a.tail, between, b.head])
                            + b.inner
                            + count(&[b.tail, outside]);
                        assert_eq!(whole, pieces, "{outside:?} {one} {between:?} {other}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_seam_is_where_any_text_may_be_parted() {
        // Every text of three characters from either side of what matters, before and behind a word.
        let chars = [" ", "\"", "\\", "a", "B", "7", "é", "字", "\n", "─", "\u{0}", "\u{301}", "a9F3b7C1d5E2"];
        for x in chars {
            for y in chars {
                for z in chars {
                    let text: String = [x, y, z, "role", z, y, x, "word", y, z].concat();
                    let Some(piece) = Piece::of(&text) else { continue };
                    for before in chars {
                        let whole = count(&[before, &text, before]);
                        let parts = count(&[before, piece.head]) + piece.inner + count(&[piece.tail, before]);
                        assert_eq!(whole, parts, "{before:?} {text:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn some_texts_have_no_seam() {
        let (before, behind) = (" ".repeat(OUTSIDE) + "a ", " a".to_owned() + &" ".repeat(OUTSIDE + 1));
        for text in ["", "{}", "role", "\"role", "字", &before, &behind] {
            assert!(Piece::of(text).is_none(), "{text}");
        }
        assert!(Piece::of(&(before + &behind)).is_none());
    }
}
