//! Storage keys: safe as one path segment on every system, whatever the call id holds.
//!
//! `<id>-<hash><extension>`: the call id in ASCII lower case, every run of characters outside `[a-z0-9_-]` written as
//! one `-`, its first 40 characters; then the first 32 hex digits of `SHA-256(len ‖ id ‖ payload)`, where `len` is the
//! length of the unchanged id in bytes as a 64-bit little-endian integer; then the extension of the format. The hash
//! keeps apart what cleaning made equal (`a/b`, `a:b`, `Call_1`, `call_1`, an empty id, an id used twice), and since
//! it always follows a `-` no key is a reserved name such as `CON` or ends in a dot.

use alloc::string::String;

use sha2::{Digest as _, Sha256};

use crate::deliver::Format;

/// Characters of the call id that a key shows.
const ID_CHARS: usize = 40;
/// Hex digits of the hash in a key.
const HASH_HEX: usize = 32;

/// A SHA-256 digest.
pub(crate) type Digest = [u8; 32];

pub(crate) fn sha256(bytes: &[u8]) -> Digest {
    Sha256::digest(bytes).into()
}

/// The key of `payload` as the result of the call `id`.
pub(crate) fn key_of(id: &str, payload: &[u8], format: Format) -> String {
    let mut hash = Sha256::new();
    hash.update((id.len() as u64).to_le_bytes());
    hash.update(id.as_bytes());
    hash.update(payload);
    let digest: Digest = hash.finalize().into();
    let mut key = clean(id);
    key.push('-');
    key.push_str(hex(&digest).get(..HASH_HEX).unwrap_or_default());
    key.push_str(extension(format));
    key
}

/// True when `key` is one that the call `id` can have with a payload of `format`.
pub(crate) fn is_key_for(key: &str, id: &str, format: Format) -> bool {
    let hash = key
        .strip_prefix(clean(id).as_str())
        .and_then(|rest| rest.strip_prefix('-'))
        .and_then(|rest| rest.strip_suffix(extension(format)));
    hash.is_some_and(|h| h.len() == HASH_HEX && h.bytes().all(is_hex))
}

/// Lower-case hex digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    const DIGITS: [char; 16] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
    bytes.iter().flat_map(|b| [DIGITS[usize::from(b >> 4)], DIGITS[usize::from(b & 15)]]).collect()
}

/// Reads 64 lower-case hex digits.
pub(crate) fn digest_from_hex(text: &str) -> Option<Digest> {
    let bytes = text.as_bytes();
    if bytes.len() != 64 || !bytes.iter().copied().all(is_hex) {
        return None;
    }
    let value = |b: u8| if b.is_ascii_digit() { b - b'0' } else { b - b'a' + 10 };
    let mut digest = [0; 32];
    for (out, pair) in digest.iter_mut().zip(bytes.chunks_exact(2)) {
        *out = value(pair[0]) << 4 | value(pair[1]);
    }
    Some(digest)
}

/// The extension of a format, with its dot.
pub(crate) const fn extension(format: Format) -> &'static str {
    match format {
        Format::Json => ".json",
        Format::Ndjson => ".ndjson",
        Format::Csv => ".csv",
        Format::Tsv => ".tsv",
        Format::Lines => ".txt",
    }
}

/// Only the first characters of an id are looked at: an id of any length costs the same here.
fn clean(id: &str) -> String {
    let mut out = String::with_capacity(ID_CHARS);
    let mut in_run = false;
    for c in id.chars().map(|c| c.to_ascii_lowercase()) {
        if out.len() == ID_CHARS {
            break;
        }
        let plain = c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-';
        if plain {
            out.push(c);
        } else if !in_run {
            out.push('-');
        }
        in_run = !plain;
    }
    out
}

const fn is_hex(b: u8) -> bool {
    b.is_ascii_digit() || (b'a' <= b && b <= b'f')
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeSet;
    use alloc::format;

    #[test]
    fn exact_bytes() {
        // printf '\6\0\0\0\0\0\0\0call_7hello' | sha256sum
        assert_eq!(key_of("call_7", b"hello", Format::Lines), "call_7-b36de30c95e60f43d2a14851b5d03892.txt");
        // printf '\0\0\0\0\0\0\0\0' | sha256sum
        assert_eq!(key_of("", b"", Format::Json), "-af5570f5a1810b7af78caf4bc70a660f.json");
    }

    #[test]
    fn hostile_ids_give_one_safe_segment() {
        let long = "x".repeat(300);
        let reserved = ["con", "prn", "aux", "nul", "com1", "lpt9"];
        for id in [
            "../../etc/cron.d/x",
            "..\\..\\x",
            "/abs",
            "a\0b",
            "CON",
            "nul.txt",
            ".",
            "",
            &long,
            "café",
            "a:b",
            "trail. ",
            "İ",
            "\u{212a}",
            "-rf",
            "🙂",
            "a\nb",
        ] {
            let key = key_of(id, b"some text", Format::Ndjson);
            assert!(key.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"_-.".contains(&b)), "{key}");
            assert!(key.len() <= 40 + 1 + 32 + 7 && key.matches('.').count() == 1, "{key}");
            let stem = key.split('.').next().unwrap();
            assert!(!reserved.contains(&stem), "{key}");
            assert!(is_key_for(&key, id, Format::Ndjson));
            assert!(!is_key_for(&key, &format!("q{id}"), Format::Ndjson));
            assert!(!is_key_for(&key, id, Format::Json));
        }
        assert!(key_of("call_Ab-7", b"", Format::Json).starts_with("call_ab-7-"));
        assert!(key_of("a/.b//c", b"", Format::Json).starts_with("a-b-c-"));
        assert!(!is_key_for("a-0123456789abcdef0123456789ABCDEF.json", "a", Format::Json));
        assert!(!is_key_for("a-0123.json", "a", Format::Json));
    }

    #[test]
    fn what_differs_has_different_keys() {
        let pairs = [
            ("a/b", "t"),
            ("a_b", "t"),
            ("a:b", "t"),
            ("Call_1", "t"),
            ("call_1", "t"),
            ("x", "one"),
            ("x", "two"),
            ("ab", "c"),
            ("a", "bc"),
        ];
        let keys: BTreeSet<String> = pairs.iter().map(|(id, p)| key_of(id, p.as_bytes(), Format::Json)).collect();
        assert_eq!(keys.len(), pairs.len());
        assert_eq!(key_of("x", b"one", Format::Json), key_of("x", b"one", Format::Json));
    }

    #[test]
    fn digests_read_back() {
        let digest = sha256(b"x");
        assert_eq!(digest_from_hex(&hex(&digest)), Some(digest));
        assert_eq!(digest_from_hex(&hex(&digest).to_uppercase()), None);
        assert_eq!(digest_from_hex(&"é".repeat(32)), None);
    }
}
