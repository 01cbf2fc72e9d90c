//! What of a block is counted as text: all but base64, which is no text to a model.

use alloc::borrow::Cow;
use alloc::string::String;

/// Runs of base64 of at least this many characters are a file, an image, a signature or encrypted reasoning.
const BLOB: usize = 200;

/// `raw` without its blobs. Time linear in it.
pub(super) fn weighed(raw: &str) -> Cow<'_, str> {
    let bytes = raw.as_bytes();
    let (mut out, mut from, mut at) = (String::new(), 0, 0);
    while at < bytes.len() {
        let start = at;
        while bytes.get(at).is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'_' | b'=' | b'-'))
        {
            at += 1;
        }
        if at - start >= BLOB {
            out.push_str(raw.get(from..start).unwrap_or_default());
            from = at;
        }
        at += usize::from(at == start);
    }
    if from == 0 {
        return Cow::Borrowed(raw);
    }
    out.push_str(raw.get(from..).unwrap_or_default());
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::weighed;

    #[test]
    fn blobs_weigh_nothing() {
        let blob = "QUJD".repeat(50);
        assert_eq!(weighed(&alloc::format!("{{\"data\":\"{blob}\",\"n\":1}}")), "{\"data\":\"\",\"n\":1}");
        assert_eq!(weighed(&blob), "");
        assert_eq!(weighed(&blob[1..]), &blob[1..]);
        assert_eq!(weighed("é and ü"), "é and ü");
    }
}
