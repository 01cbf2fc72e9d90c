//! The shared vectors of `offload`, of its table, and of reading back.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::fs;
use std::path::Path;

use haversack::readback::Readback;
use haversack::{Budget, Error, Format, Keep, OffloadOptions, Offloads, TokenCounter, offload};
use serde_json::{Value, json};

/// The counter `words` of the shared vectors.
struct Words;

impl TokenCounter for Words {
    fn count(&self, text: &str) -> Result<usize, Error> {
        let (mut tokens, mut run) = (0, 0);
        for byte in text.bytes() {
            if byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80 {
                tokens += usize::from(run % 6 == 0);
                run += 1;
            } else {
                run = 0;
                tokens += usize::from(!matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c));
            }
        }
        Ok(tokens)
    }
}

#[test]
fn every_case_of_offload() {
    check("offload", 100, |case| {
        run(&build(&case["input"]), &case["options"]).map_or_else(|e| error(&e), |v| json!({ "answer": v }))
    });
}

#[test]
fn every_case_of_offloads() {
    check("offloads", 20, |case| {
        let mut table = Offloads::new();
        let steps = case["options"]["steps"].as_array().unwrap();
        let answers: Vec<Value> =
            steps.iter().map(|s| step(&mut table, s).map_or_else(|e| error(&e), |v| json!({ "answer": v }))).collect();
        json!({ "answer": answers })
    });
}

#[test]
fn every_case_of_readback() {
    check("readback", 20, |case| {
        read_back(&build(&case["input"]), &case["options"]).map_or_else(|e| error(&e), |v| json!({ "answer": v }))
    });
}

fn check(verb: &str, at_least: usize, run: impl Fn(&Value) -> Value) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors").join(verb);
    let mut files: Vec<_> = fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    let mut failed = vec![];
    let mut ran = 0;
    for file in files {
        let cases: Vec<Value> = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        for case in cases {
            assert_eq!(case["op"], verb);
            ran += 1;
            let got = run(&case);
            if got != case["expect"] {
                failed.push(format!("{}\n  expected {}\n  got      {got}", case["name"], case["expect"]));
            }
        }
    }
    assert!(ran >= at_least, "only {ran} cases");
    assert!(failed.is_empty(), "{} of {ran} cases differ:\n{}", failed.len(), failed.join("\n"));
}

fn run(payload: &[u8], options: &Value) -> Result<Value, Error> {
    let answer = offload(payload, options["call_id"].as_str().unwrap(), &read_options(options))?;
    let mut value: Value = serde_json::from_str(&answer.to_json()).unwrap();
    if let Some(location) = options["location"].as_str() {
        let tokens = options["over"].get("tokens").is_some();
        let pointer = if tokens { answer.pointer_counted(location, &Words)? } else { answer.pointer(location)? };
        value["pointer"] = serde_json::from_str(&pointer.to_json()).unwrap();
    }
    Ok(value)
}

fn read_back(payload: &[u8], options: &Value) -> Result<Value, Error> {
    let mut table = Offloads::new();
    let step = table.prepare(payload, options["call_id"].as_str().unwrap(), &read_options(options))?;
    let key = step.key().unwrap();
    table.commit(key, "stored/1")?;
    let arguments = options["arguments"].as_str().unwrap().replace("$KEY", key);
    let request = Readback::new().request(&table, options["tool"].as_str().unwrap(), &arguments)?;
    let stored = options.get("stored").map_or_else(|| payload.to_vec(), build);
    let chars = usize::try_from(options["chars"].as_u64().unwrap()).unwrap();
    let answer = request.answer(&stored, Budget::chars(chars))?;
    Ok(serde_json::from_str(&answer.to_json()).unwrap())
}

fn step(table: &mut Offloads, step: &Value) -> Result<Value, Error> {
    let text = |name: &str| step[name].as_str().unwrap();
    let json = |text: String| serde_json::from_str(&text).unwrap();
    match text("do") {
        "prepare" => {
            table.prepare(&build(&step["input"]), text("call_id"), &read_options(step)).map(|p| json(p.to_json()))
        }
        "commit" => table.commit(text("key"), text("location")).map(|p| json(p.to_json())),
        "refuse" => table.refuse(text("key"), text("reason")).map(|()| Value::Null),
        "exempt" => {
            table.exempt(text("call_id"));
            Ok(Value::Null)
        }
        "verify" => table.verify(text("key"), &build(&step["input"])).map(|_| Value::Null),
        "reload" => {
            *table = Offloads::from_json(&table.to_json())?;
            Ok(Value::Null)
        }
        "load" => {
            *table = Offloads::from_json(text("state"))?;
            Ok(Value::Null)
        }
        "state" => Ok(json(table.to_json())),
        other => panic!("no step {other}"),
    }
}

fn read_options(options: &Value) -> OffloadOptions<'_> {
    let budget = |value: &Value| {
        let (unit, limit) = value.as_object().unwrap().iter().find(|(k, _)| *k != "counter").unwrap();
        let limit = usize::try_from(limit.as_u64().unwrap()).unwrap();
        match unit.as_str() {
            "bytes" => Budget::bytes(limit),
            "chars" => Budget::chars(limit),
            "utf16" => Budget::utf16(limit),
            "tokens" => Budget::tokens(limit, &Words),
            other => panic!("no unit {other}"),
        }
    };
    let mut o = OffloadOptions::new();
    for (name, value) in options.as_object().unwrap() {
        let text = || value.as_str().unwrap();
        match name.as_str() {
            "over" => o = o.over(budget(value)),
            "preview" => o = o.preview(budget(value)),
            "format" => o = o.format(Format::named(text()).unwrap()),
            "preview_keep" => o = o.preview_keep(Keep::named(text()).unwrap()),
            "reader" => o = o.reader(text()),
            "hint" => o = o.hint(text()),
            "call_id" | "location" | "do" | "input" | "tool" | "arguments" | "stored" | "chars" => {}
            other => panic!("no option {other}"),
        }
    }
    o
}

fn error(e: &Error) -> Value {
    let mut fields = json!({"kind": e.kind().name()});
    for (name, value) in [
        ("offset", e.offset().map(Value::from)),
        ("needed", e.needed().map(Value::from)),
        ("available", e.available().map(Value::from)),
        ("argument", e.argument().map(Value::from)),
        ("index", e.index().map(Value::from)),
    ] {
        if let Some(value) = value {
            fields[name] = value;
        }
    }
    json!({ "error": fields })
}

fn build(input: &Value) -> Vec<u8> {
    let text = |name: &str| input[name].as_str().unwrap_or_default();
    let number = |name: &str| usize::try_from(input[name].as_u64().unwrap()).unwrap();
    match input {
        Value::String(s) => s.as_bytes().to_vec(),
        o if o.get("hex").is_some() => text("hex")
            .as_bytes()
            .chunks(2)
            .map(|d| u8::from_str_radix(str::from_utf8(d).unwrap(), 16).unwrap())
            .collect(),
        o if o.get("repeat").is_some() => text("repeat").repeat(number("times")).into_bytes(),
        o if o.get("rows").is_some() => {
            let rows: Vec<String> =
                (0..number("rows")).map(|i| text("template").replace("$i", &i.to_string())).collect();
            format!("{}{}{}", text("before"), rows.join(text("join")), text("after")).into_bytes()
        }
        o => o["concat"].as_array().unwrap().iter().flat_map(build).collect(),
    }
}
