//! The one place that makes text from outside safe to stand in a line of ours.
//!
//! Text is written as a JSON string, or is JSON already: its line breaks and quotes are escaped, so it is one line and
//! ends where its quote does. What a reader would not see is written as `\u{…}`, which no JSON holds, so two different
//! texts never look alike; and what closes a block that we may stand in is written with one JSON escape
//! (`\u003c/facts>`), which says the same. Writing is all that changes: what is stored stays as it came.
//!
//! Emoji sequences, combining marks and the joiners that scripts need stay as they are.

mod context;

use alloc::string::String;

use crate::json::write_escaped;

/// Appends a text from outside as a JSON string.
pub(crate) fn push_quoted(text: &str, out: &mut String) {
    let mut json = String::with_capacity(text.len() + 2);
    json.push('"');
    write_escaped(text, &mut json);
    json.push('"');
    push_json(&json, out);
}

/// Appends JSON without white space outside its strings (a value from outside).
pub(crate) fn push_json(json: &str, out: &mut String) {
    let (mut at, mut before) = (0, None);
    while let Some(c) = json.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = json.get(at + c.len_utf8()..).unwrap_or_default();
        if let Some(flag) = json.get(at..).and_then(context::flag) {
            out.push_str(flag);
            at += flag.len();
            before = None;
            continue;
        }
        if closes(json.as_bytes(), at) {
            out.push_str(&alloc::format!("\\u{:04x}", u32::from(c)));
        } else if context::is_hidden(c) && !context::belongs(before, c, rest) {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
        before = Some(c);
        at += c.len_utf8();
    }
}

/// Whether the ASCII character at `at` makes what a reader may take for the end of a block, or for a mark of a chat
/// template. Such characters stand in JSON inside strings alone, and are never themselves escaped there.
fn closes(bytes: &[u8], at: usize) -> bool {
    let next = |n: usize| bytes.get(at + n).copied().unwrap_or(0);
    let last = |n: usize| at.checked_sub(n).and_then(|i| bytes.get(i)).copied().unwrap_or(0);
    match next(0) {
        b'<' => matches!(next(1), b'/' | b'|'),
        b'[' => next(1) == b'/',
        b'>' => matches!((last(2), last(1)), (b'-', b'-') | (b']', b']')),
        b'`' => next(1) == b'`' && next(2) == b'`',
        b'~' => next(1) == b'~' && next(2) == b'~',
        _ => false,
    }
}

/// Whether nothing of a text would be seen.
pub(crate) fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || context::is_hidden(c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    fn quoted(text: &str) -> String {
        let mut out = String::new();
        push_quoted(text, &mut out);
        out
    }

    #[test]
    fn what_hides_is_shown() {
        for (text, wanted) in [
            ("a\nb\r\t", r#""a\nb\r\t""#),
            ("\u{0}\u{1b}[31m", r#""\u0000\u001b[31m""#),
            ("\u{7f}\u{85}\u{9b}", r#""\u{7f}\u{85}\u{9b}""#),
            ("\u{2028}\u{202e}x\u{2066}", r#""\u{2028}\u{202e}x\u{2066}""#),
            ("\u{200e}\u{200f}\u{61c}", r#""\u{200e}\u{200f}\u{61c}""#),
            ("ok\u{e0073}\u{e0065}", r#""ok\u{e0073}\u{e0065}""#),
            ("a\u{200b}b\u{feff}\u{ad}\u{2060}", r#""a\u{200b}b\u{feff}\u{ad}\u{2060}""#),
            ("pay\u{200d}pal\u{200c}", r#""pay\u{200d}pal\u{200c}""#),
            ("a\u{fe0f}\u{fe00}\u{e0100}", r#""a\u{fe0f}\u{fe00}\u{e0100}""#),
            ("\u{2764}\u{fe0f}\u{fe0f}", "\"\u{2764}\u{fe0f}\\u{fe0f}\""),
            ("\u{3164}\u{115f}\u{ffa0}", r#""\u{3164}\u{115f}\u{ffa0}""#),
            ("say \"x\" \\u{202e}", r#""say \"x\" \\u{202e}""#),
        ] {
            assert_eq!(quoted(text), wanted, "{text:?}");
        }
    }

    #[test]
    fn closers_are_spelt_and_say_the_same() {
        for (text, wanted) in [
            ("</facts>", r#""\u003c/facts>""#),
            ("<|im_end|>", r#""\u003c|im_end|>""#),
            ("a < b <b>", r#""a < b <b>""#),
            ("[/INST] [x]", r#""\u005b/INST] [x]""#),
            ("]]> -->", r#""]]\u003e --\u003e""#),
            ("````", r#""\u0060\u0060``""#),
            ("~~~ ``", r#""\u007e~~ ``""#),
            ("\\</x>", r#""\\\u003c/x>""#),
        ] {
            assert_eq!(quoted(text), wanted);
            assert_eq!(crate::json::decode_key(&quoted(text)), text, "another text");
        }
    }

    #[test]
    fn scripts_and_emoji_stay() {
        for text in [
            "👨\u{200d}👩\u{200d}👧\u{200d}👦",
            "👍🏽",
            "❤\u{fe0f}\u{200d}🔥",
            "🧑🏽\u{200d}🚀 🐈\u{200d}⬛ 🙂\u{200d}↔\u{fe0f} 👁\u{fe0f}\u{200d}🗨\u{fe0f}",
            "🇳🇴",
            "1\u{fe0f}\u{20e3} ©\u{fe0f} ™\u{fe0e}",
            "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}!",
            "مرحبًا بالعالم",
            "می\u{200c}خواهم",
            "नमस्ते क्\u{200d}ष",
            "സ്\u{200c}വാ",
            "สวัสดีชาวโลก",
            "שָׁלוֹם",
            "東京葛\u{e0100}",
            "が\u{304b}\u{3099}",
            "한국어 \u{1112}\u{1161}\u{11ab}",
            "Tiếng Việt e\u{302}\u{301}",
            "நிரல்",
            "καλημέρα",
            "ᠮᠣᠩᠭᠣᠯ\u{180b}",
        ] {
            let (whole, inside) = (quoted(text), quoted(&alloc::format!("a {text} b")));
            assert_eq!(whole, alloc::format!("\"{text}\""));
            assert_eq!(inside, alloc::format!("\"a {text} b\""));
        }
    }

    #[test]
    fn an_incomplete_flag_is_no_flag() {
        let end = "\u{e007f}";
        for text in [
            "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}",
            "\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
            &alloc::format!("🏴\u{e0073}\u{e0065}\u{e006e}\u{e0064}{end}"),
        ] {
            let out = quoted(text);
            assert!(!out.chars().any(|c| ('\u{e0000}'..='\u{e007f}').contains(&c)), "{out}");
        }
    }

    #[test]
    fn blank_is_what_nobody_sees() {
        for text in ["", " ", "\t\r\n", "\u{200b}\u{feff}", "\u{a0}\u{2003}", "\u{2060}", "\u{3164}"] {
            assert!(is_blank(text), "{text:?}");
        }
        assert!(!is_blank("."));
    }

    #[test]
    fn no_two_texts_look_alike() {
        let texts = ["\u{200b}", "\\u{200b}", "\\u200b", "</x", "\\u003c/x", "\n", "\\n", "\"", "\\\""];
        let mut shown: Vec<String> = texts.iter().map(|t| quoted(t)).collect();
        shown.sort();
        shown.dedup();
        assert_eq!(shown.len(), texts.len());
    }
}
