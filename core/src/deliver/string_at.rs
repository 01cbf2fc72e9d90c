//! The string at a pointer inside a JSON text, found by walking over spans.

use alloc::string::String;

use crate::error::{Error, ErrorKind};

/// The value of the string at `pointer` (RFC 6901, not empty). The first of equal keys counts. Time linear in `text`;
/// no recursion.
///
/// # Errors
/// `invalid_pointer`; `invalid_json` with the offset where the walk could not go on; `invalid_option` (`at`) when
/// nothing is there, or no string.
pub(crate) fn string_at(text: &str, pointer: &str) -> Result<String, Error> {
    let Some(path) = pointer.strip_prefix('/') else {
        return Err(Error::new(ErrorKind::InvalidPointer, "at is no pointer: it does not start with `/`")
            .argument_named("at")
            .at(0));
    };
    let mut at = skip_space(text, 0);
    let mut place = 1;
    for token in path.split('/') {
        let key = unescape(token, place)?;
        at = step(text, at, &key)?;
        place += token.len() + 1;
    }
    if text.as_bytes().get(at) != Some(&b'"') {
        return Err(Error::option("at", "at leads to no string"));
    }
    let end = string_end(text, at)?;
    // Our own reading: half surrogates are valid JSON, and a stored result that has one must still be found in.
    let raw = text.get(at..end).unwrap_or_default();
    crate::json::check(raw, 1).map_err(|fault| broken(at + fault.at, fault.expected))?;
    Ok(crate::json::decode_key(raw))
}

fn unescape(token: &str, place: usize) -> Result<String, Error> {
    let mut out = String::new();
    let mut chars = token.char_indices();
    while let Some((i, c)) = chars.next() {
        let c = match c {
            '~' => match chars.next() {
                Some((_, '0')) => '~',
                Some((_, '1')) => '/',
                Some((_, '2')) => '*',
                _ => {
                    return Err(Error::new(ErrorKind::InvalidPointer, "at is no pointer: `~` needs 0, 1 or 2")
                        .argument_named("at")
                        .at(place + i));
                }
            },
            c => c,
        };
        out.push(c);
    }
    Ok(out)
}

/// From a container at `at` to the value under `key` (or at that index).
fn step(text: &str, at: usize, key: &str) -> Result<usize, Error> {
    let nothing = || Error::option("at", "at leads to nothing in this input");
    let object = match text.as_bytes().get(at) {
        Some(b'{') => true,
        Some(b'[') => false,
        _ => return Err(nothing()),
    };
    let index: Option<usize> = if key == "0" || !key.starts_with('0') { key.parse().ok() } else { None };
    let mut at = skip_space(text, at + 1);
    let mut seen = 0usize;
    if matches!(text.as_bytes().get(at), Some(b'}' | b']')) {
        return Err(nothing());
    }
    loop {
        let here = if object {
            if text.as_bytes().get(at) != Some(&b'"') {
                return Err(broken(at, "a key"));
            }
            let end = string_end(text, at)?;
            let name: Result<String, _> = serde_json::from_str(&text[at..end]);
            at = skip_space(text, end);
            if text.as_bytes().get(at) != Some(&b':') {
                return Err(broken(at, "`:`"));
            }
            at = skip_space(text, at + 1);
            name.is_ok_and(|n| n == key)
        } else {
            index == Some(seen)
        };
        if here {
            return Ok(at);
        }
        at = skip_space(text, value_end(text, at)?);
        seen += 1;
        match text.as_bytes().get(at) {
            Some(b',') => at = skip_space(text, at + 1),
            Some(b'}' | b']') => return Err(nothing()),
            _ => return Err(broken(at, "`,` or the end of the container")),
        }
    }
}

fn value_end(text: &str, at: usize) -> Result<usize, Error> {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (at, 0usize);
    loop {
        match bytes.get(at) {
            None => return Err(broken(at, "a value")),
            Some(b'"') => at = string_end(text, at)?,
            Some(b'{' | b'[') => {
                depth += 1;
                at += 1;
            }
            Some(b'}' | b']') => {
                let Some(less) = depth.checked_sub(1) else { return Err(broken(at, "a value")) };
                depth = less;
                at += 1;
            }
            Some(b',' | b':' | b' ' | b'\t' | b'\n' | b'\r') if depth > 0 => at += 1,
            Some(_) => {
                let start = at;
                while matches!(bytes.get(at), Some(b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'+' | b'-' | b'.')) {
                    at += 1;
                }
                if at == start {
                    return Err(broken(at, "a value"));
                }
            }
        }
        if depth == 0 {
            return Ok(at);
        }
    }
}

/// One past the closing quote of the string that starts at `at`.
fn string_end(text: &str, at: usize) -> Result<usize, Error> {
    let bytes = text.as_bytes();
    let mut from = at + 1;
    loop {
        let rest = bytes.get(from..).unwrap_or_default();
        let Some(i) = memchr::memchr2(b'"', b'\\', rest) else { return Err(broken(text.len(), "a closing quote")) };
        from += i;
        if bytes.get(from) == Some(&b'"') {
            return Ok(from + 1);
        }
        from += 2;
    }
}

fn skip_space(text: &str, at: usize) -> usize {
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    let mut at = at + rest.iter().take_while(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r')).count();
    if at == 0 && text.starts_with('\u{feff}') {
        at = skip_space(text, '\u{feff}'.len_utf8());
    }
    at
}

fn broken(offset: usize, expected: &'static str) -> Error {
    Error::new(ErrorKind::InvalidJson, alloc::format!("invalid JSON at byte {offset}: expected {expected}"))
        .at(offset)
        .expecting(expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_found_by_pointer() {
        let text = r#" {"a":[1,{"x":"}]"},{"b/c":"l1\nl2"}],"n":null,"stdout":"\ud83d\ude00"}"#;
        assert_eq!(string_at(text, "/a/1/x").unwrap(), "}]");
        assert_eq!(string_at(text, "/a/2/b~1c").unwrap(), "l1\nl2");
        assert_eq!(string_at(text, "/stdout").unwrap(), "😀");
        for (pointer, kind) in [
            ("a", ErrorKind::InvalidPointer),
            ("/~9", ErrorKind::InvalidPointer),
            ("/n", ErrorKind::InvalidOption),
            ("/zz", ErrorKind::InvalidOption),
            ("/a/01", ErrorKind::InvalidOption),
            ("/a/1/x/0", ErrorKind::InvalidOption),
        ] {
            assert_eq!(string_at(text, pointer).unwrap_err().kind(), kind, "{pointer}");
        }
        for broken in ["{\"a\" 1", "{\"a\":", "{\"a\":[}", "{\"a\":\"x", "{\"a\":1 \"b\"", "{,}"] {
            assert!(string_at(broken, "/b").is_err(), "{broken}");
        }
    }
}
