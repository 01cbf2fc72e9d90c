//! How fast a long history is read and checked: `cargo bench -p haversack --bench history`.

use core::fmt::Write as _;

use divan::Bencher;
use divan::counter::BytesCount;
use haversack::{History, HistoryOptions};

fn main() {
    divan::main();
}

/// 5,000 messages, 2.6 MB: a question, then calls with results of a kilobyte, as text of one format.
fn history(format: &str) -> String {
    let line = "2026-11-30T10:00:00Z info worker 7 finished job \\\"nightly\\\" in 00:00:12.5 with 0 warnings; ";
    let result = line.repeat(10);
    let mut out = String::from("[");
    for step in 0..1250 {
        let id = format!("call_{:024x}", 0x9E37_79B9_u64.wrapping_mul(step + 1));
        let _ = match format {
            "openai_chat" => write!(
                out,
                "{{\"role\":\"user\",\"content\":\"question {step}\"}},\
                 {{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{{\"id\":\"{id}\",\"type\":\"function\",\
                 \"function\":{{\"name\":\"run\",\"arguments\":\"{{}}\"}}}}]}},\
                 {{\"role\":\"tool\",\"tool_call_id\":\"{id}\",\"content\":\"{result}\"}},\
                 {{\"role\":\"assistant\",\"content\":\"{result}\"}},"
            ),
            _ => write!(
                out,
                "{{\"role\":\"user\",\"content\":\"question {step}\"}},\
                 {{\"role\":\"assistant\",\"content\":[{{\"type\":\"tool_use\",\"id\":\"{id}\",\"name\":\"run\",\
                 \"input\":{{}}}}]}},\
                 {{\"role\":\"user\",\"content\":[{{\"type\":\"tool_result\",\"tool_use_id\":\"{id}\",\
                 \"content\":\"{result}\"}}]}},\
                 {{\"role\":\"assistant\",\"content\":[{{\"type\":\"text\",\"text\":\"{result}\"}}]}},"
            ),
        };
    }
    out.pop();
    out.push(']');
    out
}

const FORMATS: [&str; 2] = ["openai_chat", "anthropic"];

#[divan::bench(args = FORMATS)]
fn read(bencher: Bencher<'_, '_>, format: &str) {
    let text = history(format);
    bencher.counter(BytesCount::new(text.len())).bench(|| History::parse(&text, &HistoryOptions::default()).ok());
}

#[divan::bench(args = FORMATS)]
fn read_and_check(bencher: Bencher<'_, '_>, format: &str) {
    let text = history(format);
    bencher.counter(BytesCount::new(text.len())).bench(|| {
        let history = History::parse(&text, &HistoryOptions::default()).ok();
        let violations = history.as_ref().map_or(0, |history| history.violations(false).len());
        // Above 2,048 messages OpenAI refuses; nothing else is wrong.
        assert!(violations <= 1, "{violations}");
        (history.map(|history| history.steps().len()), violations)
    });
}

/// One pass that only reads the JSON, for scale.
#[divan::bench(args = FORMATS)]
fn json_alone(bencher: Bencher<'_, '_>, format: &str) {
    let text = history(format);
    bencher.counter(BytesCount::new(text.len())).bench(|| serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok());
}
