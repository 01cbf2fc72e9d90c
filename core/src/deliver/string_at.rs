//! The string at a pointer inside a JSON text: whose lines are paged and searched.

use alloc::string::String;

use crate::deliver::json_error;
use crate::deliver::tree::check_document;
use crate::error::{Error, ErrorKind};
use crate::json::{Kind, Pattern, decode_key, resolve};

/// The value of the string at `pointer` (RFC 6901, not empty). The first of equal keys counts; half surrogates are read
/// as U+FFFD. Time linear in `text`, which has at most `depth` levels; no recursion.
///
/// # Errors
/// `invalid_pointer`; `invalid_json` and `too_deep` with the offset; `invalid_option` (`at`) when nothing is there, or
/// no string.
pub(crate) fn string_at(text: &str, pointer: &str, depth: usize) -> Result<String, Error> {
    let pattern = Pattern::parse(pointer, "at")?;
    let Some(names) = pattern.names() else {
        return Err(Error::new(ErrorKind::InvalidPointer, "at names one string: it has no stars").argument_named("at"));
    };
    let nothing = || Error::option("at", "at leads to nothing in this input");
    // Text that is no container holds nothing to lead to; it is not broken JSON either.
    if !text.trim_start_matches(['\u{feff}', ' ', '\n', '\t', '\r']).starts_with(['{', '[']) {
        return Err(nothing());
    }
    let scan = check_document(text, depth).map_err(|fault| json_error(&fault, depth))?;
    let Some((node, _)) = resolve(text, &scan, &names).filter(|found| found.1 == names.len()) else {
        return Err(nothing());
    };
    if node.kind(text) != Kind::String {
        return Err(Error::option("at", "at leads to no string"));
    }
    Ok(decode_key(node.raw(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_found_by_pointer() {
        let text = r#" {"a":[1,{"x":"}]"},{"b/c":"l1\nl2"}],"n":null,"stdout":"\ud83d\ude00"}"#;
        assert_eq!(string_at(text, "/a/1/x", 512).unwrap(), "}]");
        assert_eq!(string_at(text, "/a/2/b~1c", 512).unwrap(), "l1\nl2");
        assert_eq!(string_at(text, "/stdout", 512).unwrap(), "😀");
        for (pointer, kind) in [
            ("a", ErrorKind::InvalidPointer),
            ("/~9", ErrorKind::InvalidPointer),
            ("/n", ErrorKind::InvalidOption),
            ("/zz", ErrorKind::InvalidOption),
            ("/a/01", ErrorKind::InvalidOption),
            ("/a/1/x/0", ErrorKind::InvalidOption),
        ] {
            assert_eq!(string_at(text, pointer, 512).unwrap_err().kind(), kind, "{pointer}");
        }
        for broken in ["{\"a\" 1", "{\"a\":", "{\"a\":[}", "{\"a\":\"x", "{\"a\":1 \"b\"", "{,}"] {
            assert!(string_at(broken, "/b", 512).is_err(), "{broken}");
        }
    }
}
