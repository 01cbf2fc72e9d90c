//! Answers requests on standard input, one JSON array `[text, [verb, unit, limit, "name=value", …]]` a line.
//!
//! Only for driving the text half from checks written in other languages.
use std::io::BufRead as _;

use haversack::measure::TokenCounter;
use haversack::{
    Ansi, Budget, DeliverOptions, Error, FindOptions, Format, Keep, NoticePlace, Oversize, PageOptions, SourceState,
    deliver, find, page,
};

struct Words;

impl TokenCounter for Words {
    fn count(&self, text: &str) -> Result<usize, Error> {
        let mut n = 0;
        let mut run = 0usize;
        for b in text.bytes() {
            if b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80 {
                if run.is_multiple_of(6) {
                    n += 1;
                }
                run += 1;
            } else {
                run = 0;
                n += usize::from(!b.is_ascii_whitespace());
            }
        }
        Ok(n)
    }
}

fn budget(unit: &str, n: usize) -> Budget<'static> {
    match unit {
        "bytes" => Budget::bytes(n),
        "utf16" => Budget::utf16(n),
        "tokens" => Budget::tokens(n, &Words),
        _ => Budget::chars(n),
    }
}

fn answer(text: &str, args: &[&str]) -> Result<String, Error> {
    let [verb, unit, limit, rest @ ..] = args else { return Ok(String::from("usage")) };
    let limit_of = budget(unit, limit.parse().unwrap_or(0));
    match *verb {
        "page" => return page_answer(text, limit_of, rest),
        "find" => return find_answer(text, limit_of, rest),
        _ => {}
    }
    let mut o = DeliverOptions::new(budget(unit, limit.parse().unwrap_or(0)));
    let mut prefer: Vec<&str> = Vec::new();
    for arg in rest {
        let (name, value) = arg.split_once('=').unwrap_or((arg, ""));
        o = match name {
            "format" => Format::from_name(value).map_or(o.clone(), |f| o.format(f)),
            "keep" => Keep::from_name(value).map_or(o.clone(), |k| o.keep(k)),
            "oversize" => Oversize::from_name(value).map_or(o.clone(), |k| o.oversize(k)),
            "ansi" => Ansi::from_name(value).map_or(o.clone(), |k| o.ansi(k)),
            "source" => SourceState::from_name(value).map_or(o.clone(), |k| o.source(k)),
            "notice" => NoticePlace::from_name(value).map_or(o.clone(), |k| o.notice(k)),
            "collapse" => o.collapse(value == "true"),
            "cursor" => o.cursor(value),
            "reader" => o.reader(value),
            "hint" => o.hint(value),
            "prefer" => {
                prefer.push(value);
                o
            }
            _ => return Ok(format!("unknown option {name}")),
        };
    }
    let o = o.prefer(&prefer);
    deliver(text, o).map(|d| d.to_json())
}

fn page_answer(text: &str, budget: Budget<'_>, args: &[&str]) -> Result<String, Error> {
    let mut o = PageOptions::new(budget);
    for arg in args {
        let (name, value) = arg.split_once('=').unwrap_or((arg, ""));
        let number = value.parse().unwrap_or(0);
        o = match name {
            "start" => o.start(number),
            "lines" => o.lines(number),
            "at" => o.at(value),
            "cursor" => o.cursor(value),
            "reader" => o.reader(value),
            "hint" => o.hint(value),
            _ => o,
        };
    }
    page(text, o).map(|d| d.to_json())
}

fn find_answer(text: &str, budget: Budget<'_>, args: &[&str]) -> Result<String, Error> {
    let mut o = FindOptions::new(budget);
    let mut needle = "";
    for arg in args {
        let (name, value) = arg.split_once('=').unwrap_or((arg, ""));
        let number = value.parse().unwrap_or(0);
        o = match name {
            "needle" => {
                needle = value;
                o
            }
            "context" => o.context(number),
            "limit" => o.limit(number),
            "at" => o.at(value),
            "cursor" => o.cursor(value),
            "reader" => o.reader(value),
            "hint" => o.hint(value),
            _ => o,
        };
    }
    find(text, needle, o).map(|d| d.to_json())
}

/// Kind, message, and every detail that is set.
fn error_json(e: &Error) -> String {
    let mut out = serde_json::Map::new();
    let mut put = |name: &str, value: Option<serde_json::Value>| {
        if let Some(value) = value {
            out.insert(name.into(), value);
        }
    };
    put("error", Some(e.kind().name().into()));
    put("message", Some(e.to_string().into()));
    put("offset", e.offset().map(Into::into));
    put("expected", e.expected().map(Into::into));
    put("needed", e.needed().map(Into::into));
    put("available", e.available().map(Into::into));
    put("unit", e.unit().map(|u| u.name().into()));
    put("argument", e.argument().map(Into::into));
    put("pointer", e.pointer().map(Into::into));
    put("index", e.index().map(Into::into));
    serde_json::Value::Object(out).to_string()
}

fn main() {
    // Requests, each one line of JSON: [text, [args…]]; answers likewise.
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        let Ok((text, args)) = serde_json::from_str::<(String, Vec<String>)>(&line) else { continue };
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let out = match answer(&text, &args) {
            Ok(out) => out,
            Err(e) => error_json(&e),
        };
        println!("{out}");
    }
}
