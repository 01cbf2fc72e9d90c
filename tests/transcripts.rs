//! Real requests, and the shared cases of chat histories: what the provider accepted has no violation, what it refused
//! for its structure has the right one. Says so and does nothing where the collection is not there.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::std_instead_of_alloc,
    clippy::std_instead_of_core,
    clippy::print_stdout
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use haversack::{History, HistoryOptions, WireFormat};
use haversack_tests::corpus;
use serde_json::{Value, json};

/// The folder that holds the corpus and, beside it, the shared cases.
fn shared() -> Option<PathBuf> {
    corpus("histories were NOT checked against real requests")?.parent().map(Path::to_owned)
}

/// One request as it was sent.
struct Recorded {
    name: String,
    format: WireFormat,
    body: Value,
    status: Option<u64>,
    error: String,
}

const FOLDERS: [(&str, WireFormat); 5] = [
    ("openai-chat", WireFormat::OpenAiChat),
    ("openai-responses", WireFormat::OpenAiResponses),
    ("anthropic", WireFormat::Anthropic),
    ("gemini", WireFormat::Gemini),
    ("bedrock-converse", WireFormat::Bedrock),
];

fn recorded(shared: &Path) -> Vec<Recorded> {
    let corpus = shared.join("corpus");
    let manifest: Vec<Value> = serde_json::from_slice(&fs::read(corpus.join("MANIFEST.json")).unwrap()).unwrap();
    let mut all = vec![];
    for entry in &manifest {
        let file = entry["file"].as_str().unwrap();
        let Some(rest) = file.strip_prefix("transcripts/") else { continue };
        let (folder, name) = rest.split_once('/').unwrap();
        if let Some(&(_, format)) = FOLDERS.iter().find(|(f, _)| *f == folder) {
            let body = serde_json::from_slice(&fs::read(corpus.join(file)).unwrap()).unwrap();
            let error = entry["provider_error"].as_str().unwrap_or_default().to_owned();
            all.push(Recorded { name: file.into(), format, body, status: entry["provider_status"].as_u64(), error });
        } else if folder == "request-sequences" {
            let Some(&(_, format)) = FOLDERS.iter().find(|(f, _)| name.starts_with(f)) else { continue };
            let text = fs::read_to_string(corpus.join(file)).unwrap();
            for (i, line) in text.lines().filter(|line| !line.trim().is_empty()).enumerate() {
                let line: Value = serde_json::from_str(line).unwrap();
                let (name, status) = (format!("{file}#{i}"), line["status"].as_u64());
                all.push(Recorded { name, format, body: line["request"].clone(), status, error: String::new() });
            }
        }
    }
    all
}

/// Accepted requests that no rule about the messages alone can find valid: state on the server, or a server that takes
/// what the format's own provider refuses.
const EXCUSED: [(&str, &str); 3] =
    [("STATEFUL-", "orphan_result"), ("STATEFUL-", "wrong_result_type"), ("xai_grok", "duplicate_item_id")];

fn kinds(history: &History<'_>, sending: bool) -> BTreeSet<&'static str> {
    history.violations(sending).iter().map(|v| v.kind.name()).collect()
}

#[test]
fn what_was_accepted_has_no_violation() {
    let Some(shared) = shared() else { return };
    let (mut accepted, mut refused, mut wrong) = (0, 0, vec![]);
    for request in recorded(&shared) {
        let text = request.body.to_string();
        let history = match History::parse(&text, &HistoryOptions::default()) {
            Ok(history) => history,
            Err(e) => {
                wrong.push(format!("{}: {e}", request.name));
                continue;
            }
        };
        if history.format() != request.format && !history.is_empty() {
            wrong.push(format!("{}: taken for {}", request.name, history.format()));
        }
        let field = request.format.field();
        let list = if request.body.is_array() { &request.body } else { &request.body[field] };
        // The list alone, without the request around it.
        let bare = list.to_string();
        let bare = list.is_array().then(|| History::parse(&bare, &HistoryOptions::default()).unwrap());
        if let Some(bare) = &bare
            && bare.is_certain()
            && bare.format() != request.format
            && !bare.is_empty()
        {
            wrong.push(format!("{}: its list is taken for {}", request.name, bare.format()));
        }
        let found: Vec<_> = history
            .violations(true)
            .into_iter()
            .filter(|v| !EXCUSED.iter().any(|(part, kind)| request.name.contains(part) && v.kind.name() == *kind))
            .collect();
        match request.status {
            Some(200..300) => {
                accepted += 1;
                wrong.extend(found.iter().map(|v| format!("{}: {v:?}", request.name)));
            }
            Some(_) => {
                let due: &[&str] = if request.error.contains("No tool output found") {
                    &["missing_result", "result_not_adjacent", "result_split"]
                } else if request.error.contains("without its required following item") {
                    &["reasoning_orphan"]
                } else if request.error.contains("Please use a valid role") {
                    &["bad_role"]
                } else {
                    &[]
                };
                refused += usize::from(!due.is_empty());
                if !due.is_empty() && !found.iter().any(|v| due.contains(&v.kind.name())) {
                    wrong.push(format!("{}: refused with {:?}, found {found:?}", request.name, request.error));
                }
            }
            None => {}
        }
    }
    println!("{accepted} accepted requests, {refused} refused for their structure");
    assert!(wrong.is_empty(), "{} faults\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_shared_case_has_its_violation() {
    let Some(shared) = shared() else { return };
    let mut wrong = vec![];
    let mut ran = BTreeMap::new();
    for file in ["wire.json", "tool_pairs.json"] {
        let Ok(bytes) = fs::read(shared.join("cases").join(file)) else { continue };
        let cases: Vec<Value> = serde_json::from_slice(&bytes).unwrap();
        for case in cases {
            let input = if case["input"].is_object() { &case["input"] } else { &case };
            let Some(format) = input["format"].as_str().and_then(WireFormat::named) else { continue };
            let id = case["id"].as_str().unwrap();
            if input["op"].as_str().is_some_and(|op| !op.starts_with("check") && op != "safe_cuts") {
                continue;
            }
            let list = ["messages", "items", "contents"].iter().find_map(|name| input[*name].as_array()).unwrap();
            let text = json!(list).to_string();
            let request = case["request"].as_object().map(|request| json!(request).to_string());
            for profile in ["strict", "provider"] {
                let mut options = HistoryOptions::default();
                (options.format, options.profile) = (Some(format), Some(profile));
                options.request = request.as_deref();
                let found = kinds(&History::parse(&text, &options).unwrap(), true);
                *ran.entry(profile).or_insert(0) += 1;
                match (case["valid"].as_bool(), case["violation"].as_str(), &case["expect"]["problems"]) {
                    (Some(true), _, _) if !found.is_empty() && profile == "provider" => {
                        wrong.push(format!("{id}: valid, found {found:?}"));
                    }
                    (Some(false), Some(due), _) if !found.contains(due) => {
                        wrong.push(format!("{id} ({profile}): {due} is not among {found:?}"));
                    }
                    (None, _, Value::Array(problems)) => {
                        for due in problems.iter().filter_map(|p| p["kind"].as_str()) {
                            if !found.contains(due) {
                                wrong.push(format!("{id} ({profile}): {due} is not among {found:?}"));
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
    }
    println!("cases by profile: {ran:?}");
    assert!(wrong.is_empty(), "{} faults\n{}", wrong.len(), wrong.join("\n"));
}
