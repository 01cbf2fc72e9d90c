//! What a payload is, where the host does not say.

use serde::de::IgnoredAny;

use crate::deliver::Format;

/// JSON, NDJSON or lines. Decides an extension and how the result is read back, never a loss.
pub(crate) fn format_of(text: &str) -> Format {
    let start = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    if start.starts_with(['{', '[', '"']) && is_json(start) {
        return Format::Json;
    }
    if start.starts_with('{') && is_ndjson(start) {
        return Format::Ndjson;
    }
    Format::Lines
}

/// `IgnoredAny` is read without recursion and without a limit of its own.
fn is_json(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// The first non-blank line is an object, and so are at least half of the first 64, and at least two.
fn is_ndjson(text: &str) -> bool {
    let (mut lines, mut objects) = (0, 0);
    for line in text.lines().filter(|l| !l.trim().is_empty()).take(64) {
        let object = line.trim_start().starts_with('{') && is_json(line);
        if lines == 0 && !object {
            return false;
        }
        lines += 1;
        objects += usize::from(object);
    }
    objects >= 2 && objects * 2 >= lines
}
