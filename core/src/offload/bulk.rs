//! The one string that holds most of a JSON text, such as `stdout` of a shell's result.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;

use memchr::memmem;

/// Pointer of the string that is more than half of `json` (which is well formed) and has line breaks in it. There is
/// at most one such string. `None` for a root that is itself a string, and where the keys on the way are no Unicode.
///
/// One pass, no recursion; memory is one small frame a level, and the pass gives up (`None`) beyond 512 levels.
pub(crate) fn bulk_string(json: &str) -> Option<String> {
    let bytes = json.as_bytes();
    let mut levels: Vec<Level<'_>> = Vec::new();
    let mut i = 0;
    while let Some(&b) = bytes.get(i) {
        match b {
            b'{' | b'[' => {
                if levels.len() == MAX_LEVELS {
                    return None;
                }
                levels.push(if b == b'{' { Level::Object { key: None } } else { Level::Array { index: 0 } });
            }
            b'}' | b']' => {
                levels.pop();
            }
            b',' => match levels.last_mut() {
                Some(Level::Array { index }) => *index += 1,
                Some(Level::Object { key }) => *key = None,
                None => {}
            },
            b'"' => {
                let end = string_end(bytes, i)?;
                let source = json.get(i..end)?;
                match levels.last_mut() {
                    Some(Level::Object { key: key @ None }) => *key = Some(source),
                    _ if source.len() > json.len() / 2 => {
                        let has_lines = memmem::find(source.as_bytes(), b"\\n").is_some();
                        return if has_lines { pointer(&levels) } else { None };
                    }
                    _ => {}
                }
                i = end;
                continue;
            }
            _ => {}
        }
        i += 1;
    }
    None
}

const MAX_LEVELS: usize = 512;

enum Level<'a> {
    Array {
        index: usize,
    },
    /// The key whose value is read now, with its quotes; `None` before it.
    Object {
        key: Option<&'a str>,
    },
}

/// The end of the string that begins at `start`, after its closing quote.
fn string_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut i = start + 1;
    loop {
        i += memchr::memchr2(b'"', b'\\', bytes.get(i..)?)?;
        if bytes.get(i) == Some(&b'"') {
            return Some(i + 1);
        }
        i += 2;
    }
}

fn pointer(levels: &[Level<'_>]) -> Option<String> {
    let mut out = String::new();
    for level in levels {
        out.push('/');
        match level {
            Level::Array { index } => {
                // Writing to a String cannot fail.
                let _ = write!(out, "{index}");
            }
            Level::Object { key } => {
                let key: String = serde_json::from_str((*key)?).ok()?;
                for c in key.chars() {
                    match c {
                        '~' => out.push_str("~0"),
                        '/' => out.push_str("~1"),
                        '*' if key.len() == 1 => out.push_str("~2"),
                        c => out.push(c),
                    }
                }
            }
        }
    }
    (!out.is_empty()).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    #[test]
    fn shell_result() {
        let lines = "line of output\\n".repeat(20);
        let at = |json: String| bulk_string(&json);
        assert_eq!(at(format!(r#"{{"output":"{lines}","exit_code":0}}"#)).as_deref(), Some("/output"));
        assert_eq!(
            at(format!(r#"{{"content":[{{"type":"text"}},{{"a/b~":"{lines}"}}]}}"#)).as_deref(),
            Some("/content/1/a~1b~0")
        );
        assert_eq!(at(format!(r#"{{"k\u0065y":{{"*":"{lines}"}}}}"#)).as_deref(), Some("/key/~2"));
        assert_eq!(at(format!(r#"{{"a":"\"\\","b":["{lines}"]}}"#)).as_deref(), Some("/b/0"));
    }

    #[test]
    fn nothing_holds_the_bulk() {
        let lines = "line of output\\n".repeat(20);
        assert_eq!(bulk_string(&format!(r#"{{"a":"{lines}","b":"{lines}"}}"#)), None);
        assert_eq!(bulk_string(&format!(r#"{{"a":"{}"}}"#, "no line break".repeat(20))), None);
        assert_eq!(bulk_string(&format!(r#""{lines}""#)), None);
        assert_eq!(bulk_string(&format!(r#"{{"{lines}":1}}"#)), None, "a key is no string to page");
        assert_eq!(bulk_string(&format!(r#"{{"\ud800":"{lines}"}}"#)), None, "no pointer leads there");
        assert_eq!(bulk_string(&format!("{}\"{lines}\"", "[".repeat(600))), None);
        assert_eq!(bulk_string("{\"a\":\"\\"), None);
        assert_eq!(bulk_string(""), None);
    }
}
