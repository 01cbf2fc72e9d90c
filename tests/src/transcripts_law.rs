//! Transcripts drawn at random, whole and broken, against their plain lines.

use arbitrary::{Arbitrary, Result, Unstructured};
use haversack::transcript::read_lines;
use haversack::{Transcript, TranscriptIndex};
use serde_json::{Value, json};

use crate::ledgers::hostile;

/// Lines, and what is appended behind them.
#[derive(Clone, Debug)]
pub struct Written {
    /// The text of a file.
    pub text: String,
    /// Messages for its end.
    pub more: Vec<String>,
    /// A needle.
    pub needle: String,
    /// How the file is read.
    pub piece: usize,
}

impl<'a> Arbitrary<'a> for Written {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let message = |u: &mut Unstructured<'a>| -> Result<String> {
            let value = json!({"role": "user", "content": hostile(u)?, "n": u.int_in_range(0..=9)?});
            Ok(if u.ratio(1, 5)? {
                serde_json::to_string_pretty(&value).unwrap_or_default()
            } else {
                value.to_string()
            })
        };
        let mut text = String::new();
        for _ in 0..u.int_in_range(0..=8)? {
            match u.int_in_range(0..=7)? {
                0 => text.push_str(&hostile(u)?),
                1 => text.push_str("[1]"),
                2 => {}
                _ => text.push_str(&message(u)?.replace('\n', " ")),
            }
            text.push_str(if u.ratio(1, 8)? { "\r\n" } else { "\n" });
        }
        if u.arbitrary()? {
            let mut at = u.int_in_range(0..=text.len())?;
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            text.truncate(at);
        }
        let more = (0..u.int_in_range(0..=3)?).map(|_| message(u)).collect::<Result<_>>()?;
        // Names of members are found as well.
        let needle =
            if u.ratio(1, 4)? { (*u.choose(&["role", "content", "user", "n", "\""])?).to_owned() } else { hostile(u)? };
        Ok(Written { text, more, needle, piece: u.int_in_range(1..=40)? })
    }
}

/// Every line that is an object is served under its number and no other is; numbers go on; messages keep their value;
/// going on from the lines is going on; a range of bytes gives what the whole gives; search finds what a slow look at
/// the values finds.
///
/// # Errors
/// What does not hold.
pub fn transcript_holds(written: &Written) -> std::result::Result<(), String> {
    let show = |e: haversack::Error| e.to_string();
    let mut t = Transcript::from_jsonl(&written.text);
    if t.to_jsonl() != written.text {
        return Err("the lines change".into());
    }
    for message in &written.more {
        let last = t.last();
        if t.append(message).map_err(show)? != last + 1 {
            return Err("a number is not the next".into());
        }
        let got: Value =
            serde_json::from_str(t.read(last + 1, last + 1).map_err(show)?[0].text).map_err(|e| e.to_string())?;
        if Some(got) != serde_json::from_str(message).ok() {
            return Err(format!("{message} is changed"));
        }
    }
    if Transcript::from_jsonl(t.to_jsonl()) != t || Transcript::from_json(&t.to_json()).map_err(show)? != t {
        return Err(format!("going on from the lines differs: {:?}", t.to_jsonl()));
    }
    let lines: Vec<&str> = t.to_jsonl().split_inclusive('\n').collect();
    if t.last() != lines.len() as u64 {
        return Err(format!("{} lines, {} messages", lines.len(), t.last()));
    }
    if lines.is_empty() {
        return Ok(());
    }
    let served = t.read(1, t.last()).map_err(show)?;
    let mut hits = vec![];
    for (line, number) in lines.iter().zip(1..) {
        let value: Option<Value> = serde_json::from_str(line.trim()).ok().filter(Value::is_object);
        let found = served.iter().find(|m| m.number == number).and_then(|m| serde_json::from_str(m.text).ok());
        if value != found || found.is_some() == t.damage().iter().any(|d| d.number == number) {
            return Err(format!("line {number} {line:?} is served as {found:?}"));
        }
        if value.is_some_and(|value| holds(&value, &written.needle)) {
            hits.push(number);
        }
    }
    if !written.needle.is_empty() {
        let got: Vec<u64> = t.search(&written.needle).map_err(show)?.iter().map(|hit| hit.number).collect();
        if got != hits {
            return Err(format!("{:?} is found in {got:?}, not {hits:?}: {:?}", written.needle, t.to_jsonl()));
        }
    }
    let mut index = TranscriptIndex::new();
    t.to_jsonl().as_bytes().chunks(written.piece).for_each(|bytes| index.feed(bytes));
    let first = 1 + written.piece as u64 % t.last();
    let bytes = index.range(first, t.last()).map_err(show)?;
    let part = read_lines(&t.to_jsonl().as_bytes()[bytes.start as usize..bytes.end as usize], first);
    if part.messages != t.read(first, t.last()).map_err(show)? || index.last() != t.last() {
        return Err(format!("a range of bytes gives {part:?}"));
    }
    Ok(())
}

fn holds(value: &Value, needle: &str) -> bool {
    match value {
        Value::String(text) => text.contains(needle),
        Value::Array(items) => items.iter().any(|item| holds(item, needle)),
        Value::Object(members) => members.iter().any(|(name, member)| name.contains(needle) || holds(member, needle)),
        _ => false,
    }
}
