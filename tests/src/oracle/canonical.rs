//! Canonical JSON (RFC 8785), the obvious way: a tree, sorted keys, the digits that Rust prints of a double.

use super::json::{Doc, Kind, parse};

/// The canonical form, or none for what has none.
pub fn canonical(text: &str) -> Option<String> {
    let doc = parse(text).ok()?;
    if doc.depth > 512 {
        return None;
    }
    write(&doc, 0)
}

fn write(doc: &Doc, id: usize) -> Option<String> {
    let children = doc.children(id);
    match doc.kind(id) {
        Kind::Array => {
            let items: Option<Vec<String>> = children.iter().map(|child| write(doc, *child)).collect();
            Some(format!("[{}]", items?.join(",")))
        }
        Kind::Object => {
            let mut members = vec![];
            for &child in children {
                members.push((units(doc.key(child))?, write(doc, child)?));
            }
            members.sort();
            if members.windows(2).any(|two| two[0].0 == two[1].0) {
                return None;
            }
            let spelt: Vec<String> =
                members.iter().map(|(key, value)| format!("{}:{value}", string(key).unwrap_or_default())).collect();
            Some(format!("{{{}}}", spelt.join(",")))
        }
        Kind::String => string(&units(doc.raw(id))?),
        Kind::Number => number(doc.raw(id)),
        _ => Some(doc.raw(id).to_owned()),
    }
}

/// The UTF-16 code units of a raw string; none where half a pair stands alone.
fn units(raw: &str) -> Option<Vec<u16>> {
    let text: String = serde_json::from_str(raw).ok()?;
    Some(text.encode_utf16().collect())
}

fn string(units: &[u16]) -> Option<String> {
    let mut out = String::from("\"");
    for c in String::from_utf16(units).ok()?.chars() {
        match c {
            '"' => out += "\\\"",
            '\\' => out += "\\\\",
            '\u{8}' => out += "\\b",
            '\u{c}' => out += "\\f",
            '\n' => out += "\\n",
            '\r' => out += "\\r",
            '\t' => out += "\\t",
            c if c < ' ' => out += &format!("\\u{:04x}", c as u32),
            c => out.push(c),
        }
    }
    out.push('"');
    Some(out)
}

/// ECMAScript's `Number.prototype.toString`, from the digits of Rust's `{:e}`, which are the shortest.
fn number(raw: &str) -> Option<String> {
    let value: f64 = raw.parse().ok()?;
    if !value.is_finite() {
        return None;
    }
    if value == 0.0 {
        return Some("0".into());
    }
    let text = format!("{:e}", value.abs());
    let (mantissa, exponent) = text.split_once('e')?;
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let exponent: i32 = exponent.parse().ok()?;
    let (n, k) = (exponent + 1, i32::try_from(digits.len()).ok()?);
    let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or(0));
    let body = if k <= n && n <= 21 {
        format!("{digits}{}", zeros(n - k))
    } else if 0 < n && n <= 21 {
        let (whole, fraction) = digits.split_at(usize::try_from(n).ok()?);
        format!("{whole}.{fraction}")
    } else if -6 < n && n <= 0 {
        format!("0.{}{digits}", zeros(-n))
    } else {
        let (first, rest) = digits.split_at(1);
        let point = if rest.is_empty() { "" } else { "." };
        format!("{first}{point}{rest}e{}{}", if n > 0 { "+" } else { "-" }, (n - 1).abs())
    };
    Some(format!("{}{body}", if value < 0.0 { "-" } else { "" }))
}
