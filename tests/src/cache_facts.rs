//! The table of cache rules as Rust constants.

use std::fmt::Write as _;
use std::path::PathBuf;

use serde_json::{Map, Value};

use crate::facts::{core_folder, flag, grouped, known, list, text, texts};

/// The file that is written.
pub fn target() -> PathBuf {
    core_folder().join("src/prompt/cache/table.rs")
}

const MEMBERS: [&str; 22] = [
    "name",
    "stores",
    "minimum",
    "step",
    "read",
    "sure_for",
    "gone_after",
    "breaks",
    "source",
    "dated",
    "confidence",
    "mark",
    "max_marks",
    "marks_last_message",
    "carry",
    "refuse",
    "lives",
    "look_back",
    "server_results",
    "system_tools",
    "levels",
    "unmarked_roles",
];

/// What has to stand in it.
///
/// # Errors
/// A table that cannot be read, a member that it does not know, a value of another type, a row without source and date.
pub fn written() -> Result<String, String> {
    let json = std::fs::read_to_string(core_folder().join("data/cache.json")).map_err(|e| e.to_string())?;
    let table: Value = serde_json::from_str(&json).map_err(|e| e.to_string())?;
    let root = known(&table, &["about", "as_of", "rules", "models", "model_notes"])?;
    let as_of = text(root, "as_of")?;
    let rules = list(&table["rules"], "rules")?;
    let mut out = format!(
        "//! Written from `core/data/cache.json` (as of {as_of}) by `cargo run -p haversack-tests --example facts`.\n\n\
         use super::rules::{{Level, Life, Model, Rule, Setting, Stores}};\n\n\
         pub(super) const AS_OF: &str = {as_of:?};\n\n\
         pub(super) const RULES: [Rule; {}] = [\n",
        rules.len()
    );
    for row in rules {
        rule(&mut out, row)?;
    }
    let models = list(&table["models"], "models")?;
    let _ = write!(out, "];\n\npub(super) const MODELS: [Model; {}] = [\n", models.len());
    for row in models {
        let row = known(row, &["match", "rules", "read", "keeps_thinking"])?;
        let names = texts(row.get("match").ok_or("models: no match")?, "match")?;
        let rules =
            row.get("rules").map_or(Ok("None".into()), |_| text(row, "rules").map(|name| format!("Some({name:?})")))?;
        let read = optional(row, "read")?;
        let thinking = row.get("keeps_thinking").map_or("None".into(), |value| format!("Some({value})"));
        let _ = writeln!(
            out,
            "    Model {{ matches: &{names:?}, rules: {rules}, read: {read}, keeps_thinking: {thinking} }},"
        );
    }
    out += "];\n";
    Ok(out)
}

fn rule(out: &mut String, row: &Value) -> Result<(), String> {
    let row = known(row, &[&MEMBERS[..], &["unsure", "recomputes"]].concat())?;
    for name in ["source", "dated", "confidence"] {
        text(row, name)?;
    }
    let stores = match text(row, "stores")? {
        "prefix" => "Prefix",
        "marks" => "Marks",
        "object" => "Object",
        other => return Err(format!("stores: {other} is not known")),
    };
    let _ = writeln!(out, "    Rule {{\n        name: {:?},\n        stores: Stores::{stores},", text(row, "name")?);
    let _ = writeln!(out, "        source: {:?},\n        dated: {:?},", text(row, "source")?, text(row, "dated")?);
    for name in ["minimum", "step", "read"] {
        let _ = writeln!(out, "        {name}: {},", plain(row, name)?);
    }
    for name in ["sure_for", "gone_after", "look_back"] {
        let _ = writeln!(out, "        {name}: {},", optional(row, name)?);
    }
    let mark =
        row.get("mark").map_or(Ok("None".into()), |_| text(row, "mark").map(|mark| format!("Some({mark:?})")))?;
    let _ = writeln!(out, "        mark: {mark},");
    let most = if row.contains_key("max_marks") { plain(row, "max_marks")? } else { "0".into() };
    let _ = writeln!(out, "        max_marks: {most},");
    for name in ["marks_last_message", "server_results", "unsure", "recomputes"] {
        let _ = writeln!(out, "        {name}: {},", flag(row, name)?);
    }
    for name in ["carry", "refuse", "system_tools", "unmarked_roles"] {
        let names = row.get(name).map_or(Ok(vec![]), |names| texts(names, name))?;
        let _ = writeln!(out, "        {name}: &{names:?},");
    }
    let levels = row.get("levels").map_or(Ok(LEVELS.to_vec()), |names| texts(names, "levels"))?;
    let levels = levels.into_iter().map(level).collect::<Result<Vec<_>, _>>()?;
    let _ = writeln!(out, "        levels: &[{}],", levels.join(", "));
    out.push_str("        lives: &[");
    for life in row.get("lives").map_or(Ok(&vec![]), |lives| list(lives, "lives"))? {
        let life = known(life, &["name", "seconds", "write"])?;
        let (name, seconds, write) = (text(life, "name")?, plain(life, "seconds")?, plain(life, "write")?);
        let _ = write!(out, "Life {{ name: {name:?}, seconds: {seconds}, write: {write} }}, ");
    }
    out.push_str("],\n        settings: &[");
    if let Some(breaks) = row.get("breaks") {
        let breaks = known(breaks, &LEVELS)?;
        for broken in LEVELS {
            let variant = level(broken)?;
            for name in breaks.get(broken).map_or(Ok(vec![]), |names| texts(names, broken))? {
                let (path, usual) = name.split_once('=').unwrap_or((name, "null"));
                let (name, inner) = path.split_once('/').unwrap_or((path, ""));
                let _ =
                    write!(out, "Setting {{ name: {name:?}, inner: {inner:?}, usual: {usual:?}, level: {variant} }}, ");
            }
        }
    }
    out.push_str("],\n    },\n");
    Ok(())
}

const LEVELS: [&str; 3] = ["tools", "system", "messages"];

fn level(name: &str) -> Result<&'static str, String> {
    let variants = ["Level::Tools", "Level::System", "Level::Messages"];
    let place = LEVELS.iter().position(|known| *known == name).ok_or_else(|| format!("no level {name}"))?;
    Ok(variants[place])
}

fn plain(row: &Map<String, Value>, name: &str) -> Result<String, String> {
    row.get(name).and_then(Value::as_u64).map(grouped).ok_or_else(|| format!("{name}: no number"))
}

fn optional(row: &Map<String, Value>, name: &str) -> Result<String, String> {
    if row.contains_key(name) { plain(row, name).map(|n| format!("Some({n})")) } else { Ok("None".into()) }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_constants_are_the_table() {
        let due = super::written().expect("core/data/cache.json");
        let stands = std::fs::read_to_string(super::target()).expect("core/src/prompt/cache/table.rs");
        assert!(
            crate::facts::bare(&due) == crate::facts::bare(&stands),
            "core/src/prompt/cache/table.rs is not what core/data/cache.json says; run: cargo run -p haversack-tests --example facts"
        );
    }
}
