//! What a payload is, where the host does not say.

use crate::deliver::Format;
use crate::deliver::detect::{looks_like_csv, looks_like_ndjson};
use crate::json;
use crate::limits::Limits;

/// As `deliver` reads it. Decides an extension and how the result is read back, never a loss.
pub(crate) fn format_of(text: &str) -> Format {
    let start = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    if start.starts_with(['{', '[', '"']) && is_json(text) {
        return Format::Json;
    }
    if looks_like_ndjson(text, is_json) {
        return Format::Ndjson;
    }
    looks_like_csv(text).unwrap_or(Format::Lines)
}

pub(crate) fn is_json(text: &str) -> bool {
    json::check(text, Limits::DEFAULT.depth).is_ok()
}
