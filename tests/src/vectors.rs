//! The shared vectors: the one list of cases that Rust, C, C++, Go and Python all read.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use crate::spec::Spec;

/// One case: an input, options, and what has to come out.
#[derive(Clone, Debug)]
pub struct Case {
    /// The file it stands in.
    pub file: PathBuf,
    /// Unique within its verb.
    pub name: String,
    /// Why it is there.
    pub why: String,
    /// `deliver`, `page`, `find`, `offload`, `check` …
    pub op: String,
    /// The payload, built.
    pub payload: Vec<u8>,
    /// Options as they stand.
    pub options: Value,
    /// `{"answer":…}` or `{"error":…}`.
    pub expect: Value,
}

/// The folder of the vectors.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors")
}

/// Every case of every file, in the order of their names.
///
/// # Errors
/// A file that cannot be read, a case that lacks something, a name that is there twice.
pub fn load() -> Result<Vec<Case>, String> {
    let mut files = vec![];
    collect(&folder(), &mut files)?;
    files.sort();
    let mut cases = vec![];
    let mut names: BTreeMap<String, PathBuf> = BTreeMap::new();
    for file in files {
        let text = fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        let list: Vec<Value> = serde_json::from_str(&text).map_err(|e| format!("{}: {e}", file.display()))?;
        for case in list {
            let text = |name: &str| {
                case[name]
                    .as_str()
                    .map(str::to_owned)
                    .ok_or_else(|| format!("{}: a case without {name}: {case}", file.display()))
            };
            let (name, op) = (text("name")?, text("op")?);
            if let Some(other) = names.insert(format!("{op}/{name}"), file.clone()) {
                return Err(format!("{}: {op}/{name} stands in {} too", file.display(), other.display()));
            }
            let payload = build(&case["input"]).map_err(|e| format!("{}: {name}: {e}", file.display()))?;
            let expect = case["expect"].clone();
            let verb = matches!(op.as_str(), "deliver" | "page" | "find" | "check" | "repair" | "safe_cuts" | "cut");
            if verb && expect.get("answer").is_some() == expect.get("error").is_some() {
                return Err(format!("{}: {name}: expects neither or both of answer and error", file.display()));
            }
            let options = case.get("options").cloned().unwrap_or(json!({}));
            cases.push(Case { file: file.clone(), name, why: text("why")?, op, payload, options, expect });
        }
    }
    Ok(cases)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    for entry in fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))? {
        let path = entry.map_err(|e| e.to_string())?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|e| e == "json") {
            files.push(path);
        }
    }
    Ok(())
}

/// Builds an input: a string, `{"hex":…}`, `{"repeat":…,"times":n}`,
/// `{"rows":n,"template":…,"join":…,"before":…,"after":…}` or `{"concat":[…]}`.
///
/// # Errors
/// A shape that is none of these.
pub fn build(input: &Value) -> Result<Vec<u8>, String> {
    let bad = || format!("no input: {input}");
    let text = |name: &str| input.get(name).map_or(Ok(""), |v| v.as_str().ok_or_else(bad));
    let number = |name: &str| input[name].as_u64().and_then(|n| usize::try_from(n).ok()).ok_or_else(bad);
    match input {
        Value::String(s) => Ok(s.clone().into_bytes()),
        Value::Object(o) if o.contains_key("hex") => unhex(text("hex")?).ok_or_else(bad),
        Value::Object(o) if o.contains_key("repeat") => Ok(text("repeat")?.repeat(number("times")?).into_bytes()),
        Value::Object(o) if o.contains_key("rows") => {
            let template = text("template")?;
            let rows: Vec<String> = (0..number("rows")?).map(|i| template.replace("$i", &i.to_string())).collect();
            Ok(format!("{}{}{}", text("before")?, rows.join(text("join")?), text("after")?).into_bytes())
        }
        Value::Object(o) if o.contains_key("concat") => {
            let parts = input["concat"].as_array().ok_or_else(bad)?;
            Ok(parts.iter().map(build).collect::<Result<Vec<_>, _>>()?.concat())
        }
        _ => Err(bad()),
    }
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> =
        text.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_digit(16).map(|d| d as u8)).collect::<Option<_>>()?;
    digits.len().is_multiple_of(2).then(|| digits.chunks(2).map(|d| d[0] * 16 + d[1]).collect())
}

/// An input as a vector writes it: text as text, other bytes in hex.
pub fn unbuild(payload: &[u8]) -> Value {
    match std::str::from_utf8(payload) {
        Ok(text) => json!(text),
        Err(_) => json!({"hex": payload.iter().map(|b| format!("{b:02x}")).collect::<String>()}),
    }
}

/// What `deliver` gives for a case, as `expect` writes it.
///
/// # Errors
/// Options that there are not.
pub fn delivered(payload: &[u8], options: &Value) -> Result<Value, String> {
    let spec = Spec::from_json(options, |_, _| false)?;
    Ok(answer(spec.deliver(payload)))
}

/// What `page` or `find` gives for a case, as `expect` writes it; `None` when its counter is not in this build.
///
/// # Errors
/// Options that there are not.
pub fn read(op: &str, payload: &[u8], options: &Value) -> Result<Option<Value>, String> {
    let (mut start, mut lines, mut context, mut limit) = (None, None, None, None);
    let (mut at, mut needle) = (String::new(), String::new());
    let spec = Spec::from_json(options, |name, value| {
        let number = || value.as_u64().and_then(|n| usize::try_from(n).ok());
        match (op, name) {
            ("page", "start") => start = number(),
            ("page", "lines") => lines = number(),
            ("find", "context") => context = number(),
            ("find", "limit") => limit = number(),
            ("find", "needle") => needle = value.as_str().unwrap_or_default().into(),
            (_, "at") => at = value.as_str().unwrap_or_default().into(),
            _ => return false,
        }
        true
    })?;
    let Some(budget) = spec.budget() else { return Ok(None) };
    if op == "page" {
        let mut o = haversack::PageOptions::new(budget).at(&at).limits(spec.limits);
        if let Some(start) = start {
            o = o.start(start);
        }
        if let Some(lines) = lines {
            o = o.lines(lines);
        }
        if let Some(cursor) = &spec.cursor {
            o = o.cursor(cursor);
        }
        if let Some(reader) = &spec.reader {
            o = o.reader(reader);
        }
        if let Some(hint) = &spec.hint {
            o = o.hint(hint);
        }
        return Ok(Some(answer(haversack::page(payload, o))));
    }
    let mut o = haversack::FindOptions::new(budget).at(&at).limits(spec.limits);
    if let Some(context) = context {
        o = o.context(context);
    }
    if let Some(limit) = limit {
        o = o.limit(limit);
    }
    if let Some(cursor) = &spec.cursor {
        o = o.cursor(cursor);
    }
    if let Some(reader) = &spec.reader {
        o = o.reader(reader);
    }
    if let Some(hint) = &spec.hint {
        o = o.hint(hint);
    }
    Ok(Some(answer(haversack::find(payload, &needle, o))))
}

/// A delivery or an error, as `expect` writes it.
pub fn answer(result: Result<haversack::Delivery, haversack::Error>) -> Value {
    match result {
        Ok(d) => json!({"answer": serde_json::from_str::<Value>(&d.to_json()).unwrap_or(Value::Null)}),
        Err(e) => error(&e),
    }
}

/// An error, as `expect` writes it: the kind, and those of its numbers that are set.
pub fn error(e: &haversack::Error) -> Value {
    let mut fields = Map::new();
    fields.insert("kind".into(), json!(e.kind().name()));
    for (name, value) in [
        ("offset", e.offset().map(|v| json!(v))),
        ("expected", e.expected().map(|v| json!(v))),
        ("needed", e.needed().map(|v| json!(v))),
        ("size", e.size().map(|v| json!(v))),
        ("available", e.available().map(|v| json!(v))),
        ("unit", e.unit().map(|v| json!(v.name()))),
        ("argument", e.argument().map(|v| json!(v))),
        ("pointer", e.pointer().map(|v| json!(v))),
        ("index", e.index().map(|v| json!(v))),
        ("piece", e.piece().map(|v| json!(v))),
    ] {
        if let Some(value) = value {
            fields.insert(name.into(), value);
        }
    }
    json!({"error": fields})
}

#[cfg(test)]
mod tests {
    use super::{build, unbuild};
    use serde_json::json;

    #[test]
    fn builds_every_shape() {
        for (input, built) in [
            (json!("é"), "é"),
            (json!({"hex": "41 42"}), "AB"),
            (json!({"repeat": "ab", "times": 2}), "abab"),
            (
                json!({"rows": 3, "template": "{\"i\":$i}", "join": ",", "before": "[", "after": "]"}),
                "[{\"i\":0},{\"i\":1},{\"i\":2}]",
            ),
            (json!({"concat": ["a", {"repeat": "b", "times": 2}]}), "abb"),
        ] {
            assert_eq!(build(&input).unwrap(), built.as_bytes());
            assert_eq!(build(&unbuild(built.as_bytes())).unwrap(), built.as_bytes());
        }
        assert_eq!(build(&unbuild(&[0xff, 0])).unwrap(), [0xff, 0]);
        assert!(build(&json!({"hex": "4"})).is_err());
        assert!(build(&json!(3)).is_err());
    }
}
