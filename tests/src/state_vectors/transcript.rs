//! A run of `Transcript`, and of the index of a file.

use haversack::transcript::{read_lines, references};
use haversack::{Transcript, TranscriptIndex};
use serde_json::{Value, json};

use super::{answered, number, own, steps, text};
use crate::vectors::{build, error};

/// What a run of a transcript gives, step by step.
///
/// # Errors
/// Steps that there are not.
pub fn transcript(options: &Value) -> Result<Option<Value>, String> {
    let mut t = Transcript::new();
    steps(options, |what, step| {
        let range = || Ok::<_, String>((number(step, "first")?, number(step, "last")?));
        Ok(Some(match what {
            "append" => answered(t.append(text(step, "message")?), |n| json!(n)),
            "read" => {
                let (first, last) = range()?;
                answered(t.read(first, last), |messages| json!(messages))
            }
            "array" => {
                let (first, last) = range()?;
                answered(t.array(first, last), |array| json!(array))
            }
            "search" => answered(t.search(text(step, "needle")?), |hits| json!(hits)),
            "resolve" => answered(t.resolve(text(step, "reference")?), |(first, last)| json!([first, last])),
            "check" => json!({"answer": t.check(text(step, "text")?)}),
            "references" => json!({"answer": references(text(step, "text")?)}),
            "last" => json!({"answer": t.last()}),
            "damage" => json!({"answer": t.damage()}),
            "jsonl" => json!({"answer": t.to_jsonl()}),
            "from_jsonl" => {
                t = Transcript::from_jsonl(text(step, "text")?);
                json!({"answer": null})
            }
            // The file is read by its index alone: fed in pieces, the range looked up as a reference, then its bytes.
            "file" => {
                let file = build(&step["input"])?;
                let mut index = TranscriptIndex::new();
                let piece = usize::try_from(number(step, "piece")?).map_err(|e| e.to_string())?;
                file.chunks(piece.max(1)).for_each(|bytes| index.feed(bytes));
                let (first, last) = range()?;
                let resolved = index.resolve(&format!("messages {first}-{last}"));
                answered(resolved.and_then(|(first, last)| index.range(first, last)), |bytes| {
                    let (from, to) = (bytes.start as usize, bytes.end as usize);
                    let lines = read_lines(&file[from..to], first);
                    json!({"last": index.last(), "from": from, "to": to, "messages": lines.messages, "damage": lines.damage})
                })
            }
            "state" => json!({"answer": own(&t.to_json())}),
            "reload" => {
                t = Transcript::from_json(&t.to_json()).map_err(|e| e.to_string())?;
                json!({"answer": null})
            }
            "load" => match Transcript::from_json(text(step, "state")?) {
                Ok(read) => {
                    t = read;
                    json!({"answer": null})
                }
                Err(e) => error(&e),
            },
            other => return Err(format!("no step {other}")),
        }))
    })
}
