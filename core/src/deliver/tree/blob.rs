//! Binary data in strings: a data URL, or one long run of base64. It is whole or a label, never half.

use alloc::string::String;

use crate::wording;

/// Shorter runs of base64 letters are words.
const SHORTEST: usize = 256;

/// Whether a raw string (quotes included) is worth asking for a label: cheap, and true of every blob.
pub(crate) fn may_be(raw: &str) -> bool {
    if raw.starts_with("\"data:") {
        return true;
    }
    let head = raw.as_bytes().get(1..=SHORTEST).unwrap_or_default();
    // `\/` is how some writers spell a slash; no other escape stands in base64.
    let plain = |(i, b): (usize, &u8)| match b {
        b'\\' => head.get(i + 1).is_none_or(|n| *n == b'/'),
        b'+' | b'/' | b'-' | b'_' | b'=' => true,
        b => b.is_ascii_alphanumeric(),
    };
    raw.len() > SHORTEST && head.iter().enumerate().all(plain)
}

/// The label for a string that holds nothing but binary data, or `None` for text.
pub(crate) fn label(text: &str) -> Option<String> {
    if let Some(rest) = text.strip_prefix("data:") {
        let (head, data) = rest.split_once(";base64,")?;
        let kind_ok = head.len() <= 64 && head.bytes().all(|b| b.is_ascii_alphanumeric() || b"/+.-;=".contains(&b));
        if !kind_ok || data.len() < 24 {
            return None;
        }
        let bytes = decoded_len(data)?;
        let kind = head.split(';').next().filter(|k| !k.is_empty()).unwrap_or("text/plain");
        return Some(wording::blob_label(kind, bytes));
    }
    if text.len() < SHORTEST {
        return None;
    }
    let bytes = decoded_len(text)?;
    let has = |f: fn(&u8) -> bool| text.as_bytes().iter().any(f);
    let mixed = has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase) && has(u8::is_ascii_digit);
    mixed.then(|| wording::blob_label("binary", bytes))
}

/// How many bytes the text decodes to, when it is of one base64 alphabet and of a length that decodes.
fn decoded_len(text: &str) -> Option<usize> {
    let data = text.trim_end_matches('=');
    let padding = text.len() - data.len();
    let (mut plain, mut url) = (true, true);
    for b in data.bytes() {
        match b {
            b'+' | b'/' => url = false,
            b'-' | b'_' => plain = false,
            _ if b.is_ascii_alphanumeric() => {}
            _ => return None,
        }
        if !plain && !url {
            return None;
        }
    }
    let padded = padding == 0 || (padding <= 2 && text.len().is_multiple_of(4));
    (padded && data.len() % 4 != 1).then_some(data.len() / 4 * 3 + data.len() % 4 * 3 / 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_what_is_binary() {
        assert_eq!(
            label(&alloc::format!("data:image/png;base64,{}", "AAEC".repeat(50))).as_deref(),
            Some("[image/png, 150 bytes, base64 omitted]")
        );
        assert!(label(&"deadbeef01".repeat(40)).is_none());
        assert!(label(&"Ab1+".repeat(64)).is_some());
        assert!(label("a plain sentence").is_none());
        assert!(label(&alloc::format!("{} {}", "Ab1+".repeat(64), "Ab1+".repeat(64))).is_none());
    }
}
