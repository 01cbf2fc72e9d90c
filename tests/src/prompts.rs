//! Pairs of consecutive prompts with one or two known mutations, and what a comparison has to say about them.

use arbitrary::{Result, Unstructured};
use haversack::WireFormat;
use haversack::prompt::{
    Cause, Comparison, Layer, Piece, Prompt, RequestOptions, Snapshot, SnapshotOptions, Verdict, compare,
    shared_prefix, volatile,
};
use serde_json::{Value, json};

use crate::oracle::canonical::canonical;

/// One piece: name, text, layer.
pub type Row = (String, String, Layer);

/// What was done to a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mutation {
    /// Nothing.
    None,
    /// New pieces at the end.
    Append,
    /// The end is gone from here on.
    Shorten(usize),
    /// Another text in this piece.
    Edit(usize),
    /// The end of this piece's text is gone.
    Truncate(usize),
    /// A new piece here.
    Insert(usize),
    /// This piece is gone.
    Remove(usize),
    /// Two pieces have changed places.
    Swap(usize, usize),
    /// Two pieces have changed names.
    Names(usize, usize),
    /// Another name.
    Rename(usize),
    /// The keys of this JSON stand in another order.
    Keys(usize),
    /// Another time in this piece.
    Clock(usize),
}

/// Two prompts and what lies between them, the change that stands first in front.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The prompt before.
    pub before: Vec<Row>,
    /// The prompt after.
    pub after: Vec<Row>,
    /// One mutation, or two in different pieces.
    pub mutations: Vec<Mutation>,
}

const WORDS: [&str; 8] = ["river", "Brücke", "日本", "tool", "naïve", "😀", "brief", "{\"a\":"];
const JSON: &str = r#"{"zeta":1,"alpha":[1,2],"mid":{"b":"x","a":"y"}}"#;
const TURNED: &str = r#"{"mid":{"b":"x","a":"y"}, "alpha":[1,2],"zeta":1.0}"#;

fn prose(u: &mut Unstructured<'_>) -> Result<String> {
    let count = u.int_in_range(1..=60)?;
    let words = (0..count).map(|_| Ok(format!("{} {}", u.choose(&WORDS)?, u.int_in_range(0..=9)?)));
    Ok(words.collect::<Result<Vec<_>>>()?.join(" "))
}

/// Draws a pair of explicit pieces.
///
/// # Errors
/// No more bytes.
pub fn pair(u: &mut Unstructured<'_>) -> Result<Pair> {
    let count = u.int_in_range(8..=12)?;
    let mut before: Vec<Row> = vec![];
    for i in 0..count {
        let layer = Layer::ALL[i * 4 / count];
        let text = match u.int_in_range(0..=5)? {
            0 => JSON.to_owned(),
            1 => format!("Now: 2031-05-06 10:15:{:02}, {}", u.int_in_range(0..=59)?, prose(u)?),
            // Equal texts, so that bytes alone do not tell pieces apart.
            2 => "the same".to_owned(),
            _ => prose(u)?,
        };
        before.push((format!("piece-{i}"), text, layer));
    }
    let mut after = before.clone();
    let mut mutations = vec![];
    // The later one first, so that its place does not move.
    if u.ratio(1, 2)? {
        let at = u.int_in_range(6..=count - 1)?;
        let kind = u.int_in_range(0..=4)?;
        mutations.push(mutate(u, &mut after, at, kind)?);
    }
    let at = u.int_in_range(0..=3)?;
    let kind = u.int_in_range(0..=11)?;
    mutations.insert(0, mutate(u, &mut after, at, kind)?);
    if mutations.len() == 2 && matches!(mutations[0], Mutation::None | Mutation::Append | Mutation::Shorten(_)) {
        // A prompt is shortened once, and what was cut off is not changed as well.
        return Ok(Pair { after: before.clone(), before, mutations: vec![Mutation::None] });
    }
    Ok(Pair { before, after, mutations })
}

fn mutate(u: &mut Unstructured<'_>, rows: &mut Vec<Row>, at: usize, kind: usize) -> Result<Mutation> {
    Ok(match kind {
        0 => {
            let text = &mut rows[at].1;
            let chars: Vec<char> = text.chars().collect();
            let cut = u.int_in_range(0..=chars.len() - 1)?;
            *text = chars[..cut].iter().chain(&['#', '!']).chain(&chars[cut..]).collect();
            Mutation::Edit(at)
        }
        1 => {
            rows.insert(at, (format!("new-{at}"), format!("put in {at}"), rows[at].2));
            Mutation::Insert(at)
        }
        2 => {
            rows.remove(at);
            Mutation::Remove(at)
        }
        3 => {
            rows.push(("next".into(), prose(u)?, Layer::Turn));
            Mutation::Append
        }
        4 => {
            rows.truncate(at.max(1));
            Mutation::Shorten(at.max(1))
        }
        5 => {
            let to = at + u.int_in_range(1..=2)?;
            let (one, other) = (rows[at].clone(), rows[to].clone());
            (rows[at].0, rows[at].1) = (other.0, other.1);
            (rows[to].0, rows[to].1) = (one.0, one.1);
            Mutation::Swap(at, to)
        }
        6 => {
            rows[at].0 = "other".into();
            Mutation::Rename(at)
        }
        7 if rows[at].1 == JSON => {
            rows[at].1 = TURNED.into();
            Mutation::Keys(at)
        }
        8 if rows[at].1.starts_with("Now: ") => {
            rows[at].1 = rows[at].1.replacen("2031-05-06 10:15", "2031-05-06 10:16", 1);
            Mutation::Clock(at)
        }
        10 => {
            let to = at + u.int_in_range(1..=2)?;
            let one = rows[at].0.clone();
            rows[at].0 = std::mem::replace(&mut rows[to].0, one);
            Mutation::Names(at, to)
        }
        9 => {
            let text = &mut rows[at].1;
            let ends: Vec<usize> = text.char_indices().map(|(end, _)| end).skip(1).collect();
            let Some(end) = ends.get(u.int_in_range(0..=ends.len().max(1) - 1)?) else { return Ok(Mutation::None) };
            text.truncate(*end);
            Mutation::Truncate(at)
        }
        _ => Mutation::None,
    })
}

/// The prompt of these pieces.
///
/// # Errors
/// Two pieces of one name.
pub fn prompt(rows: &[Row]) -> std::result::Result<Prompt, String> {
    let mut prompt = Prompt::new();
    for (name, text, layer) in rows {
        prompt.add(Piece::new(name.as_str(), text.as_str(), *layer)).map_err(|e| e.to_string())?;
    }
    Ok(prompt)
}

fn snapshot(prompt: &Prompt) -> std::result::Result<Snapshot, String> {
    prompt.snapshot(&SnapshotOptions::default()).map_err(|e| e.to_string())
}

fn compared(a: &Snapshot, b: &Snapshot) -> std::result::Result<Comparison, String> {
    compare(Some(a), b).map_err(|e| e.to_string())
}

fn first_difference(a: &str, b: &str) -> usize {
    let equal = a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
    equal.min(a.len()).min(b.len())
}

/// L11 and L12: the comparison names the first changed piece, its byte and the cause; what is only appended or equal
/// breaks nothing; both of two mutations are told; and a snapshot that went through JSON says the same to 256 bytes.
///
/// # Errors
/// What it says that is not so.
pub fn l12_compare(pair: &Pair) -> std::result::Result<(), String> {
    let (before, after) = (prompt(&pair.before)?, prompt(&pair.after)?);
    let (a, b) = (snapshot(&before)?, snapshot(&after)?);
    let exact = compared(&a, &b)?;
    let told = |what: &str| Err(format!("{what}: {exact:?}\n  {pair:?}"));
    let size = |rows: &[Row]| rows.iter().map(|row| row.1.len()).sum::<usize>();
    let total = size(&pair.before);
    if exact.kept_bytes + exact.lost_bytes != total {
        return told("kept and lost do not add up");
    }
    let (old, new) = (&pair.before, &pair.after);
    let Wanted { verdict, pieces, index, cause, byte } = wanted(pair);
    if exact.verdict != verdict || exact.index != index || exact.at_byte != byte {
        return told(&format!("wanted {verdict:?} at {index:?}, byte {byte:?}"));
    }
    if exact.piece.as_ref().is_some_and(|piece| !pieces.contains(piece)) || exact.piece.is_none() != pieces.is_empty() {
        return told(&format!("wanted {pieces:?}"));
    }
    if exact.cause != cause {
        return told(&format!("wanted {cause:?}"));
    }
    if verdict.is_calm() && (exact.lost_bytes > 0 || !exact.changes.is_empty()) {
        return told("a calm verdict loses something");
    }
    let whole = old.iter().zip(new.iter()).take_while(|(x, y)| x.1 == y.1).map(|(x, _)| x.1.len()).sum::<usize>();
    let kept = match verdict {
        _ if verdict.is_calm() || cause == Some(Cause::Rename) => total,
        _ => whole + byte.unwrap_or(0),
    };
    if exact.kept_bytes != kept {
        return told(&format!("wanted {kept} bytes kept"));
    }
    both_are_told(pair, &exact)?;
    let stored = |snapshot: &Snapshot| Snapshot::from_json(&snapshot.to_json()).map_err(|e| e.to_string());
    let rough = compared(&stored(&a)?, &stored(&b)?)?;
    let floor = exact.at_byte.map(|at| at / 256 * 256);
    // What is left of a text that was cut off is only known to be its start where it ends with a digest.
    let cut = exact.cause == Some(Cause::Truncation) && rough.cause == Some(Cause::Edit);
    let same = (rough.verdict, &rough.piece, rough.index, if cut { exact.cause } else { rough.cause });
    if same != (exact.verdict, &exact.piece, exact.index, exact.cause) || rough.at_byte != floor {
        return Err(format!("after JSON {rough:?}, not {exact:?}\n  {pair:?}"));
    }
    if rough.at_byte_exact || rough.changes.len() != exact.changes.len() {
        return Err(format!("after JSON {rough:?}, not {exact:?}\n  {pair:?}"));
    }
    shares(pair, &before, &after)
}

/// What a comparison has to say of a pair.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// What happened first.
    pub verdict: Verdict,
    /// The piece where it happened: one of these, none where nothing broke.
    pub pieces: Vec<String>,
    /// Its place.
    pub index: Option<usize>,
    /// Why.
    pub cause: Option<Cause>,
    /// The first byte that differs.
    pub byte: Option<usize>,
}

/// What a comparison has to say of a pair: its first mutation, or the second where the first is a new name only, which
/// breaks no cache.
pub fn wanted(pair: &Pair) -> Wanted {
    let told = wanted_of(pair, &pair.mutations[0]);
    match (pair.mutations.get(1), told.cause) {
        (Some(other), Some(Cause::Rename)) => {
            let other = wanted_of(pair, other);
            if other.verdict.is_calm() { told } else { other }
        }
        _ => told,
    }
}

fn wanted_of(pair: &Pair, mutation: &Mutation) -> Wanted {
    let (old, new) = (&pair.before, &pair.after);
    let name = |rows: &[Row], at: usize| rows.get(at).map(|row| row.0.clone()).unwrap_or_default();
    let calm = |verdict| Wanted { verdict, pieces: vec![], index: None, cause: None, byte: None };
    let broken =
        |verdict, at, cause, pieces| Wanted { verdict, pieces, index: Some(at), cause: Some(cause), byte: None };
    let changed = |at: usize, cause| {
        // An earlier mutation may have moved it.
        let place = new.iter().position(|row| row.0 == old[at].0).unwrap_or(at);
        let byte = first_difference(&old[at].1, &new[place].1);
        Wanted { byte: Some(byte), ..broken(Verdict::Changed, place, cause, vec![name(new, place)]) }
    };
    match *mutation {
        Mutation::None => calm(Verdict::Same),
        Mutation::Append => calm(Verdict::Extended),
        Mutation::Shorten(at) => broken(Verdict::Shortened, at, Cause::Removal, vec![name(old, at)]),
        Mutation::Edit(at) => changed(at, Cause::Edit),
        Mutation::Truncate(at) => changed(at, Cause::Truncation),
        Mutation::Keys(at) => changed(at, Cause::KeyOrder),
        Mutation::Clock(at) => changed(at, Cause::Volatile),
        Mutation::Insert(at) => broken(Verdict::Inserted, at, Cause::Insertion, vec![name(new, at)]),
        // Nothing stands behind it: the end is gone.
        Mutation::Remove(at) if at == new.len() => broken(Verdict::Shortened, at, Cause::Removal, vec![name(old, at)]),
        Mutation::Remove(at) => broken(Verdict::Removed, at, Cause::Removal, vec![name(old, at)]),
        // Of equal bytes nothing moved but the names.
        Mutation::Swap(at, to) if old[at].1 != old[to].1 => {
            broken(Verdict::Reordered, at, Cause::Reorder, vec![name(old, at), name(old, to)])
        }
        Mutation::Swap(at, _) | Mutation::Names(at, _) | Mutation::Rename(at) => {
            broken(Verdict::Changed, at, Cause::Rename, vec![name(new, at)])
        }
    }
}

/// Every mutation is among the changes, but for pieces that were appended.
fn both_are_told(pair: &Pair, exact: &Comparison) -> std::result::Result<(), String> {
    let told = |names: &[&str]| exact.changes.iter().any(|change| names.contains(&&*change.piece));
    let old = &pair.before;
    for mutation in &pair.mutations {
        let good = match mutation {
            Mutation::None | Mutation::Append => true,
            Mutation::Shorten(at) => old.iter().skip(*at).all(|row| told(&[&row.0])),
            Mutation::Insert(at) => told(&[&format!("new-{at}")]),
            Mutation::Rename(_) => told(&["other"]),
            Mutation::Swap(at, to) if old[*at].1 != old[*to].1 => told(&[&old[*at].0, &old[*to].0]),
            Mutation::Swap(at, to) | Mutation::Names(at, to) => {
                let renamed = |name: &String| exact.changes.iter().any(|change| change.was.as_ref() == Some(name));
                renamed(&old[*at].0) && renamed(&old[*to].0)
            }
            Mutation::Edit(at)
            | Mutation::Truncate(at)
            | Mutation::Remove(at)
            | Mutation::Keys(at)
            | Mutation::Clock(at) => told(&[&old[*at].0]),
        };
        if !good {
            return Err(format!("{mutation:?} is not told: {exact:?}\n  {pair:?}"));
        }
    }
    Ok(())
}

fn shares(pair: &Pair, before: &Prompt, after: &Prompt) -> std::result::Result<(), String> {
    let shared = shared_prefix(before, after, None).map_err(|e| e.to_string())?;
    let rows = pair.before.iter().zip(&pair.after);
    let equal = rows.clone().take_while(|(x, y)| x.1 == y.1).count();
    let mut bytes: usize = pair.before[..equal].iter().map(|row| row.1.len()).sum();
    if let (Some(x), Some(y)) = (pair.before.get(equal), pair.after.get(equal)) {
        bytes += first_difference(&x.1, &y.1);
    }
    let name = pair.after.get(equal).or(pair.before.get(equal)).map(|row| row.0.clone());
    if (shared.bytes, shared.pieces, &shared.piece) != (bytes, equal, &name) {
        return Err(format!("{shared:?}, not {bytes} bytes, {equal} pieces, {name:?}\n  {pair:?}"));
    }
    Ok(())
}

/// L21: a snapshot read back from its JSON writes the same JSON, holds no text, and any damage is refused or harmless.
///
/// # Errors
/// What is not so.
pub fn l21_snapshot(pair: &Pair, damage: usize) -> std::result::Result<(), String> {
    let text = snapshot(&prompt(&pair.before)?)?.to_json();
    let again = Snapshot::from_json(&text).map_err(|e| e.to_string())?.to_json();
    if again != text {
        return Err(format!("{text} became {again}"));
    }
    for (name, piece, _) in &pair.before {
        let part: String = piece.chars().skip(3).take(16).collect();
        if part.chars().count() == 16 && text.replace(name, "").contains(&part) {
            return Err(format!("{part:?} stands in {text}"));
        }
    }
    let mut bytes = text.clone().into_bytes();
    let at = damage % bytes.len();
    bytes[at] = if bytes[at] == b'7' { b'8' } else { b'7' };
    let Ok(damaged) = String::from_utf8(bytes) else { return Ok(()) };
    match Snapshot::from_json(&damaged) {
        Err(e) if e.kind().name() == "invalid_state" => Ok(()),
        got => Err(format!("byte {at} of {text} was changed: {got:?}")),
    }
}

/// Canonical JSON is what the oracle writes, refused where it has none, and its own canonical form.
///
/// # Errors
/// What is not so.
pub fn canonical_json(text: &str) -> std::result::Result<(), String> {
    let wanted = canonical(text);
    match (haversack::canonical_json(text, 512), &wanted) {
        (Ok(got), Some(wanted)) if got.text() == wanted => {
            let twice = haversack::canonical_json(wanted, 512).map_err(|e| e.to_string())?;
            if !twice.is_same() || !twice.inexact_numbers().is_empty() {
                return Err(format!("{wanted} became {twice:?}"));
            }
            if got.is_same() != (text == wanted) {
                return Err(format!("{text:?} is called the same as {wanted:?}"));
            }
            Ok(())
        }
        (Err(e), None) if matches!(e.kind().name(), "invalid_json" | "not_canonical" | "too_deep") => Ok(()),
        (got, wanted) => Err(format!("{text:?}: {got:?}, not {wanted:?}")),
    }
}

/// Who speaks (true for the assistant), and what is said.
pub type Turn = (bool, String);

/// A body of `format` with these turns; `mark` puts a cache mark on its last block where the format has any.
pub fn body(format: WireFormat, system: &str, tools: &[(&str, &str)], turns: &[Turn], mark: bool) -> Value {
    let role = |assistant: &bool| if *assistant { "assistant" } else { "user" };
    let schema = json!({"type": "object", "properties": {"a": {"type": "string"}}});
    let last = turns.len().saturating_sub(1);
    let messages = turns.iter().enumerate().map(|(i, (who, text))| match format {
        WireFormat::OpenAiChat | WireFormat::OpenAiResponses => json!({"role": role(who), "content": text}),
        WireFormat::Anthropic if mark && i == last => {
            json!({"role": role(who), "content": [{"type": "text", "text": text, "cache_control": {"type": "ephemeral"}}]})
        }
        WireFormat::Anthropic => json!({"role": role(who), "content": [{"type": "text", "text": text}]}),
        WireFormat::Gemini => json!({"role": if *who { "model" } else { "user" }, "parts": [{"text": text}]}),
        WireFormat::Bedrock if mark && i == last => {
            json!({"role": role(who), "content": [{"text": text}, {"cachePoint": {"type": "default"}}]})
        }
        _ => json!({"role": role(who), "content": [{"text": text}]}),
    });
    let mut messages: Vec<Value> = messages.collect();
    let tools = tools.iter().map(|(name, about)| match format {
        WireFormat::OpenAiChat => {
            json!({"type": "function", "function": {"name": name, "description": about, "parameters": schema}})
        }
        WireFormat::OpenAiResponses => {
            json!({"type": "function", "name": name, "description": about, "parameters": schema})
        }
        WireFormat::Anthropic => json!({"name": name, "description": about, "input_schema": schema}),
        WireFormat::Gemini => json!({"name": name, "description": about, "parameters": schema}),
        _ => json!({"toolSpec": {"name": name, "description": about, "inputSchema": {"json": schema}}}),
    });
    let tools: Vec<Value> = tools.collect();
    match format {
        WireFormat::OpenAiChat => {
            messages.insert(0, json!({"role": "system", "content": system}));
            json!({"model": "m", "messages": messages, "tools": tools})
        }
        WireFormat::OpenAiResponses => json!({"model": "m", "instructions": system, "input": messages, "tools": tools}),
        WireFormat::Anthropic => json!({"model": "m", "system": system, "messages": messages, "tools": tools}),
        WireFormat::Gemini => json!({"systemInstruction": {"parts": [{"text": system}]}, "contents": messages,
            "tools": [{"functionDeclarations": tools}]}),
        _ => {
            json!({"modelId": "m", "system": [{"text": system}], "messages": messages, "toolConfig": {"tools": tools}})
        }
    }
}

/// Two requests of one format, and what lies between them.
#[derive(Clone, Debug)]
pub struct RequestPair {
    /// Of both.
    pub format: WireFormat,
    /// In words.
    pub mutation: &'static str,
    /// The body before.
    pub before: Value,
    /// The body after.
    pub after: Value,
    /// What a comparison has to say.
    pub wanted: Wanted,
}

/// Draws a pair of requests, with one mutation of its messages, tools or system prompt.
///
/// # Errors
/// No more bytes.
pub fn request_pair(u: &mut Unstructured<'_>) -> Result<RequestPair> {
    let (format, turns, kind, at) = drawn(u)?;
    let head = usize::from(format == WireFormat::OpenAiChat);
    let tools = [("weather", "Tells the weather."), ("search", "Searches.")];
    let system = "Be brief and kind. Answer in the language of the question.";
    let before = body(format, system, &tools, &turns, kind == 1);
    let message = format!("message {}", at + head);
    let mut changed = turns.clone();
    let (mutation, after, verdict, piece, cause) = match kind {
        0 => ("none", before.clone(), Verdict::Same, None, None),
        1 => {
            changed.push((false, "one more".into()));
            ("a turn more, its mark moved", body(format, system, &tools, &changed, true), Verdict::Extended, None, None)
        }
        2 => {
            changed.truncate(at);
            let after = body(format, system, &tools, &changed, false);
            ("messages cut off at the end", after, Verdict::Shortened, Some(message), Some(Cause::Removal))
        }
        3 => {
            changed[at].1.push_str(" and more");
            let after = body(format, system, &tools, &changed, false);
            ("message edited", after, Verdict::Changed, Some(message), Some(Cause::Edit))
        }
        4 => {
            changed.remove(at);
            let after = body(format, system, &tools, &changed, false);
            ("message removed", after, Verdict::Removed, Some(message), Some(Cause::Removal))
        }
        5 => {
            changed.insert(at, (false, "put in".into()));
            let after = body(format, system, &tools, &changed, false);
            ("message inserted", after, Verdict::Inserted, Some(message), Some(Cause::Insertion))
        }
        6 => {
            let now = [tools[0], tools[1], ("clock", "Tells the time.")];
            let after = body(format, system, &now, &turns, false);
            ("tool added", after, Verdict::Inserted, Some("tools/clock".into()), Some(Cause::ToolAdded))
        }
        7 => {
            let after = body(format, system, &tools[1..], &turns, false);
            ("tool removed", after, Verdict::Removed, Some("tools/weather".into()), Some(Cause::ToolRemoved))
        }
        8 => {
            let now = [tools[0], ("search", "Searches the web.")];
            let after = body(format, system, &now, &turns, false);
            ("tool described anew", after, Verdict::Changed, Some("tools/search".into()), Some(Cause::ToolDescription))
        }
        _ => {
            let mut after = before.clone();
            change_schema(&mut after);
            ("tool with another schema", after, Verdict::Changed, Some("tools/weather".into()), Some(Cause::ToolSchema))
        }
    };
    let wanted = Wanted { verdict, pieces: piece.into_iter().collect(), index: None, cause, byte: None };
    Ok(RequestPair { format, mutation, before, after, wanted })
}

/// Every parameter of a tool is a number.
fn change_schema(value: &mut Value) {
    match value {
        Value::Object(members) if members.len() == 1 && members.get("type").is_some_and(|kind| kind == "string") => {
            members.insert("type".into(), json!("number"));
        }
        Value::Object(members) => members.values_mut().for_each(change_schema),
        Value::Array(items) => items.iter_mut().for_each(change_schema),
        _ => {}
    }
}

/// The comparison of the snapshots of two requests.
///
/// # Errors
/// Bodies that are none.
pub fn compared_requests(pair: &RequestPair) -> std::result::Result<Comparison, String> {
    let options = RequestOptions::of_format(Some(pair.format));
    let of = |body: &Value| Prompt::from_request(&body.to_string(), &options).map_err(|e| e.to_string());
    let (a, b) = (of(&pair.before)?, of(&pair.after)?);
    if !volatile(&a).is_empty() {
        return Err(format!("volatile: {:?}\n  {}", volatile(&a), pair.before));
    }
    compared(&snapshot(&a)?, &snapshot(&b)?)
}

/// The comparison of the snapshots of two prompts of explicit pieces.
///
/// # Errors
/// Pieces that are none.
pub fn compared_pieces(pair: &Pair) -> std::result::Result<Comparison, String> {
    compared(&snapshot(&prompt(&pair.before)?)?, &snapshot(&prompt(&pair.after)?)?)
}

/// L11 and L12 over requests of every format.
///
/// # Errors
/// What a comparison says that is not so; `Ok` too where there are no more bytes.
pub fn l11_requests(u: &mut Unstructured<'_>) -> std::result::Result<(), String> {
    let Ok(pair) = request_pair(u) else { return Ok(()) };
    let got = compared_requests(&pair)?;
    let wanted = &pair.wanted;
    if (got.verdict, got.piece.as_ref(), got.cause) != (wanted.verdict, wanted.pieces.first(), wanted.cause) {
        return Err(format!("{pair:?}: {got:?}"));
    }
    Ok(())
}

fn drawn(u: &mut Unstructured<'_>) -> Result<(WireFormat, Vec<Turn>, usize, usize)> {
    let format = *u.choose(WireFormat::ALL)?;
    let count = u.int_in_range(3..=7)?;
    let turns = (0..count).map(|i| Ok((i % 2 == 1, format!("turn {} {}", ["a", "b", "c"][i % 3], prose(u)?))));
    let mut turns = turns.collect::<Result<Vec<Turn>>>()?;
    if u.ratio(1, 4)? {
        // Messages that say the same.
        turns[count - 1] = turns[0].clone();
    }
    let kind = u.int_in_range(0..=9)?;
    let at = u.int_in_range(1..=count - 2)?;
    Ok((format, turns, kind, at))
}
