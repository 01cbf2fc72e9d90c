//! The data table of providers and models as Rust constants.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

const FORMATS: [(&str, &str); 5] = [
    ("openai_chat", "OpenAiChat"),
    ("openai_responses", "OpenAiResponses"),
    ("anthropic", "Anthropic"),
    ("gemini", "Gemini"),
    ("bedrock", "Bedrock"),
];

const REFUSALS: [&str; 5] =
    ["user_after_result", "assistant_last", "null_content", "repeated_call_id", "lost_reasoning"];

const MODEL_FACTS: [&str; 6] =
    ["prefill", "manual_thinking", "preserved_thinking", "system_messages", "signed_calls", "reasoning_content"];

pub(crate) fn core_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../core")
}

/// The file that is written.
pub fn target() -> PathBuf {
    core_folder().join("src/wire/facts.rs")
}

/// What has to stand in it.
///
/// # Errors
/// A table that cannot be read, a member that it does not know, a value of another type.
pub fn written() -> Result<String, String> {
    let json = std::fs::read_to_string(core_folder().join("data/providers.json")).map_err(|e| e.to_string())?;
    let table: Value = serde_json::from_str(&json).map_err(|e| e.to_string())?;
    let root = known(&table, &["about", "as_of", "formats", "profiles", "models"])?;
    let as_of = root.get("as_of").and_then(Value::as_str).ok_or("as_of: no date")?;
    let mut out = format!(
        "//! Written from `core/data/providers.json` (as of {as_of}) by `cargo run -p haversack-tests --example facts`.\n\n\
         use super::WireFormat::{{Anthropic, Bedrock, Gemini, OpenAiChat, OpenAiResponses}};\n\
         use super::providers::{{FormatFacts, IdRule, ModelFacts, Profile}};\n\n\
         pub(super) const FORMATS: [FormatFacts; 5] = [\n"
    );
    let formats = known(&table["formats"], &FORMATS.map(|(name, _)| name))?;
    for (name, _) in FORMATS {
        let row = formats.get(name).ok_or_else(|| format!("formats: no {name}"))?;
        let row = known(row, &["max_messages", "max_calls", "max_cache_marks", "call_id", "item_id"])?;
        out += "    FormatFacts {\n";
        for field in ["max_messages", "max_calls", "max_cache_marks"] {
            let _ = writeln!(out, "        {field}: {},", number(row, field)?);
        }
        for field in ["call_id", "item_id"] {
            let rule = row.get(field).map_or(Ok("IdRule::ANY".into()), id_rule)?;
            let _ = writeln!(out, "        {field}: {rule},");
        }
        out += "    },\n";
    }
    let profiles = list(&table["profiles"], "profiles")?;
    let _ = write!(out, "];\n\npub(super) const PROFILES: [Profile; {}] = [\n", profiles.len());
    for row in profiles {
        let row = known(row, &["name", "strict", "formats", "call_id", "refuses"])?;
        let names = match row.get("formats") {
            None => FORMATS.map(|(_, variant)| variant).to_vec(),
            Some(names) => texts(names, "formats")?.into_iter().map(variant).collect::<Result<_, _>>()?,
        };
        let refuses = row.get("refuses").map_or(Ok(vec![]), |list| texts(list, "refuses"))?;
        if let Some(other) = refuses.iter().find(|name| !REFUSALS.contains(name)) {
            return Err(format!("refuses: {other} is not known"));
        }
        let rule =
            row.get("call_id").map_or(Ok("None".into()), |rule| id_rule(rule).map(|rule| format!("Some({rule})")))?;
        let _ = writeln!(out, "    Profile {{\n        name: {:?},", text(row, "name")?);
        let _ = writeln!(out, "        formats: &[{}],", names.join(", "));
        let _ =
            writeln!(out, "        strict: {},", row.get("strict").and_then(Value::as_bool).ok_or("strict: no bool")?);
        let _ = writeln!(out, "        call_id: {rule},");
        for name in REFUSALS {
            let _ = writeln!(out, "        refuses_{name}: {},", refuses.contains(&name));
        }
        out += "    },\n";
    }
    let models = list(&table["models"], "models")?;
    let _ = write!(out, "];\n\npub(super) const MODELS: [ModelFacts; {}] = [\n", models.len());
    for row in models {
        let row = known(row, &[&["match", "cache_minimum_tokens"], &MODEL_FACTS[..]].concat())?;
        let names = texts(row.get("match").ok_or("models: no match")?, "match")?;
        let _ = writeln!(out, "    ModelFacts {{\n        matches: &{names:?},");
        for name in MODEL_FACTS {
            let value = match row.get(name) {
                None => "None".into(),
                Some(Value::Bool(value)) => format!("Some({value})"),
                Some(other) => return Err(format!("{name}: {other} is no bool")),
            };
            let _ = writeln!(out, "        {name}: {value},");
        }
        let _ = writeln!(out, "        cache_minimum_tokens: {},", number(row, "cache_minimum_tokens")?);
        out += "    },\n";
    }
    out += "];\n";
    Ok(out)
}

pub(crate) fn known<'v>(value: &'v Value, names: &[&str]) -> Result<&'v Map<String, Value>, String> {
    let object = value.as_object().ok_or_else(|| format!("no object: {value}"))?;
    match object.keys().find(|name| !names.contains(&name.as_str())) {
        Some(name) => Err(format!("{name} is not known here; there are {names:?}")),
        None => Ok(object),
    }
}

pub(crate) fn list<'v>(value: &'v Value, name: &str) -> Result<&'v Vec<Value>, String> {
    value.as_array().ok_or_else(|| format!("{name}: no list"))
}

pub(crate) fn texts<'v>(value: &'v Value, name: &str) -> Result<Vec<&'v str>, String> {
    list(value, name)?.iter().map(|v| v.as_str().ok_or_else(|| format!("{name}: {v} is no text"))).collect()
}

pub(crate) fn text<'v>(row: &'v Map<String, Value>, name: &str) -> Result<&'v str, String> {
    row.get(name).and_then(Value::as_str).ok_or_else(|| format!("{name}: no text"))
}

fn number(row: &Map<String, Value>, name: &str) -> Result<String, String> {
    match row.get(name) {
        None => Ok("None".into()),
        Some(value) => {
            value.as_u64().map(|n| format!("Some({})", grouped(n))).ok_or_else(|| format!("{name}: no number"))
        }
    }
}

/// With `_` between thousands, as clippy wants long numbers.
pub(crate) fn grouped(n: u64) -> String {
    if n < 10_000 { n.to_string() } else { format!("{}_{:03}", grouped(n / 1000), n % 1000) }
}

fn variant(name: &str) -> Result<&'static str, String> {
    FORMATS.iter().find(|(known, _)| *known == name).map(|(_, v)| *v).ok_or_else(|| format!("no format {name}"))
}

fn id_rule(value: &Value) -> Result<String, String> {
    let row = known(value, &["max", "exact", "chars"])?;
    let chars = row.get("chars").map_or("None".into(), |chars| format!("Some({chars})"));
    Ok(format!("IdRule {{ max: {}, exact: {}, chars: {chars} }}", number(row, "max")?, number(row, "exact")?))
}

/// A flag; false where it is missing.
pub(crate) fn flag(row: &Map<String, Value>, name: &str) -> Result<bool, String> {
    row.get(name).map_or(Ok(false), |value| value.as_bool().ok_or_else(|| format!("{name}: {value} is no bool")))
}

/// Without what a formatter may change.
#[cfg(test)]
pub(crate) fn bare(text: &str) -> String {
    let dense: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    dense.replace(",}", "}").replace(",]", "]").replace(",)", ")")
}

#[cfg(test)]
mod tests {
    use super::bare;

    #[test]
    fn the_constants_are_the_table() {
        let due = super::written().expect("core/data/providers.json");
        let stands = std::fs::read_to_string(super::target()).expect("core/src/wire/facts.rs");
        let hint = "run: cargo run -p haversack-tests --example facts";
        assert!(
            bare(&due) == bare(&stands),
            "core/src/wire/facts.rs is not what core/data/providers.json says; {hint}"
        );
    }
}
