//! Scratch: answers delivery requests over a pipe.
use std::io::{BufRead, Read, Write};

use haversack::{Budget, DeliverOptions, Format, Keep, Share, deliver};

fn main() {
    let mut input = std::io::stdin().lock();
    let mut out = std::io::stdout().lock();
    let mut line = String::new();
    while {
        line.clear();
        input.read_line(&mut line).unwrap()
    } > 0
    {
        let h: serde_json::Value = serde_json::from_str(&line).unwrap();
        let mut payload = vec![0; h["n"].as_u64().unwrap() as usize];
        input.read_exact(&mut payload).unwrap();
        let limit = h["limit"].as_u64().unwrap() as usize;
        let budget = match h["unit"].as_str().unwrap() {
            "bytes" => Budget::bytes(limit),
            "utf16" => Budget::utf16(limit),
            _ => Budget::chars(limit),
        };
        let mut o = DeliverOptions::new(budget);
        if let Some(f) = h["format"].as_str().and_then(Format::from_name) {
            o = o.format(f);
        }
        if let Some(f) = h["keep"].as_str().and_then(Keep::from_name) {
            o = o.keep(f);
        }
        if let Some(f) = h["share"].as_str().and_then(Share::from_name) {
            o = o.share(f);
        }
        if let Some(f) = h["cursor"].as_str() {
            o = o.cursor(f);
        }
        let answer = match deliver(&payload, o) {
            Ok(d) => d.to_json(),
            Err(e) => serde_json::json!({"error": e.kind().name(), "message": e.to_string(), "needed": e.needed(), "available": e.available(), "offset": e.offset()}).to_string(),
        };
        out.write_all(answer.as_bytes()).unwrap();
        out.write_all(b"\n").unwrap();
        out.flush().unwrap();
    }
}
