//! Copying values: the input's own bytes, without the white space outside strings.

use alloc::string::String;

use super::walk::string_end;

/// Appends `raw` (one checked value, or a part of one that splits no string) without white space outside strings.
pub(crate) fn write_minified(raw: &str, blanks: usize, out: &mut String) {
    if blanks == 0 {
        out.push_str(raw);
        return;
    }
    let bytes = raw.as_bytes();
    let (mut from, mut at) = (0, 0);
    while let Some(&b) = bytes.get(at) {
        match b {
            b'"' => at = string_end(bytes, at),
            b' ' | b'\n' | b'\t' | b'\r' => {
                out.push_str(raw.get(from..at).unwrap_or_default());
                at += 1;
                while matches!(bytes.get(at), Some(b' ' | b'\n' | b'\t' | b'\r')) {
                    at += 1;
                }
                from = at;
            }
            _ => at += 1,
        }
    }
    out.push_str(raw.get(from..).unwrap_or_default());
}

/// Appends `text` as the inside of a JSON string: quotes, backslashes and control characters escaped.
pub(crate) fn write_escaped(text: &str, out: &mut String) {
    const HEX: [char; 16] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{0}'..='\u{1f}' => {
                out.push_str("\\u00");
                out.push(HEX[(c as usize >> 4) & 15]);
                out.push(HEX[c as usize & 15]);
            }
            c => out.push(c),
        }
    }
}
