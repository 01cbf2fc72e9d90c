//! Experiment E5: what each layout of a prompt costs over a run, in cached share, bill and facts that are still there.
//!
//! A run is generated, with results of heavy-tailed sizes, or replayed from a recorded transcript; either has an edit
//! of memory every seventh turn and a fact to remember every third. A layout says how the requests of the run are
//! written; the rules of a cache say what each costs.

use std::fs;
use std::path::Path;

use haversack::{CacheRules, Error, Frozen, MarkOptions, PredictOptions, TokenCounter, cache_marks, predict};
use serde_json::{Value, json};

/// How requests are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Nothing changes but the end: the ceiling.
    AppendOnly,
    /// The time of day at the top.
    Timestamp,
    /// Facts are written into the system prompt as they come.
    LedgerInSystem,
    /// Memory stands in the system prompt and is edited there.
    MemoryInPlace,
    /// Results older than four turns are replaced by a line.
    Masked,
    /// Only the last four turns are sent.
    LastFour,
    /// Memory stands frozen in the system prompt; edits are notes on the newest message.
    Frozen,
    /// The same, and every 25 turns the history is compacted and the notes are folded.
    FrozenCompacted,
    /// The tools are written with another order of keys in every request.
    KeyOrder,
    /// Every turn has tools of its own.
    ToolsByTurn,
    /// Append only, with a pause longer than the cache lives every tenth turn.
    Idle,
}

impl Layout {
    /// Every layout, the ceiling first.
    pub const ALL: &'static [Layout] = &[
        Layout::AppendOnly,
        Layout::Timestamp,
        Layout::LedgerInSystem,
        Layout::MemoryInPlace,
        Layout::Masked,
        Layout::LastFour,
        Layout::Frozen,
        Layout::FrozenCompacted,
        Layout::KeyOrder,
        Layout::ToolsByTurn,
        Layout::Idle,
    ];

    /// In words.
    pub const fn name(self) -> &'static str {
        match self {
            Layout::AppendOnly => "append only (ceiling)",
            Layout::Timestamp => "timestamp at top",
            Layout::LedgerInSystem => "ledger in system",
            Layout::MemoryInPlace => "memory edited in place",
            Layout::Masked => "old results masked",
            Layout::LastFour => "last four turns",
            Layout::Frozen => "frozen with notes",
            Layout::FrozenCompacted => "frozen, compacted",
            Layout::KeyOrder => "unstable key order",
            Layout::ToolsByTurn => "tools by turn",
            Layout::Idle => "idle past expiry",
        }
    }
}

/// What a run of a layout comes to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outcome {
    /// Tokens read from the cache, and of all prompts.
    pub cached: usize,
    /// See `cached`.
    pub total: usize,
    /// In thousandths of a fresh token.
    pub billed: u64,
    /// Tokens of the largest prompt.
    pub peak: usize,
    /// Facts of the run that the last prompt still has, of how many.
    pub facts: usize,
    /// See `facts`.
    pub all_facts: usize,
}

impl Outcome {
    /// Cached share in parts per 1,000.
    pub fn share(&self) -> usize {
        self.cached * 1000 / self.total.max(1)
    }

    /// Adds what another run came to; the peak is that of the larger prompt.
    pub fn add(&mut self, other: &Outcome) {
        self.cached += other.cached;
        self.total += other.total;
        self.billed += other.billed;
        self.peak = self.peak.max(other.peak);
        self.facts += other.facts;
        self.all_facts += other.all_facts;
    }
}

/// Four bytes are a token: additive, so that nothing but the layout is measured.
#[derive(Debug)]
pub struct Quarter;

impl TokenCounter for Quarter {
    fn count(&self, text: &str) -> Result<usize, Error> {
        Ok(text.len() / 4)
    }
}

/// A generator of numbers that is the same everywhere (splitmix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }
}

/// A turn of a run: what the user asked, what a tool answered, what the model said.
#[derive(Debug)]
struct Turn {
    ask: String,
    result: String,
    said: String,
}

/// A run of an agent.
#[derive(Debug)]
pub struct Run {
    turns: Vec<Turn>,
    /// The memory as it is at each turn.
    memory: Vec<String>,
}

/// A generated run of so many turns.
pub fn generated(turns: usize, seed: u64) -> Run {
    planted(seed, (0..turns).map(|turn| (format!("step {turn}: go on"), None, format!("done with {turn}."))))
}

/// A run of these turns, each what was asked, what a tool answered (made up where there is nothing) and what was said,
/// with memory that is edited and facts to remember.
fn planted(seed: u64, turns: impl Iterator<Item = (String, Option<String>, String)>) -> Run {
    let mut dice = Dice(seed);
    let mut lines: Vec<String> = (0..30).map(|i| format!("preference {i}: {}", dice.below(1_000_000))).collect();
    let mut run = Run { turns: vec![], memory: vec![] };
    for (turn, (ask, result, said)) in turns.enumerate() {
        if turn % 7 == 6 {
            let at = usize::try_from(dice.below(30)).unwrap_or(0);
            lines[at] = format!("preference {at}: {} since turn {turn}", dice.below(1_000_000));
        }
        let result = result.unwrap_or_else(|| {
            // Most results are short, few are very long.
            let length = 40 << dice.below(7);
            (0..length).map(|_| format!("{:x} ", dice.below(1 << 20))).collect()
        });
        let fact = if turn % 3 == 0 { format!(" FACT-{turn}: {}", dice.below(1_000_000)) } else { String::new() };
        run.turns.push(Turn { ask, result, said: format!("{said}{fact}") });
        run.memory.push(lines.join("\n"));
    }
    run
}

/// The runs of a corpus that have fifteen turns or more: chats of OpenAI's format and trajectories of coding agents.
pub fn replayed(corpus: &Path) -> Vec<Run> {
    let mut runs = vec![];
    for folder in ["openai-chat", "swe-agent-traj"] {
        let mut files: Vec<_> =
            fs::read_dir(corpus.join("transcripts").join(folder)).into_iter().flatten().flatten().collect();
        files.sort_by_key(fs::DirEntry::path);
        for file in files {
            let text = fs::read_to_string(file.path()).unwrap_or_default();
            let Ok(value) = serde_json::from_str::<Value>(&text) else { continue };
            let lists = [&value, &value["messages"], &value["history"]];
            let turns = lists.iter().find_map(|list| list.as_array()).map(|list| turns_of(list)).unwrap_or_default();
            if turns.len() >= 15 {
                runs.push(planted(1, turns.into_iter()));
            }
        }
    }
    runs
}

/// Each message of the model's with what comes behind it, up to the next one.
fn turns_of(messages: &[Value]) -> Vec<(String, Option<String>, String)> {
    let says = |message: &Value| match (&message["content"], message.get("tool_calls")) {
        (Value::String(text), None) => text.clone(),
        (content, calls) => format!("{content}{}", calls.unwrap_or(&Value::Null)),
    };
    let mut turns: Vec<(String, Option<String>, String)> = vec![];
    for message in messages {
        match (message["role"].as_str(), turns.last_mut()) {
            (Some("assistant"), _) => turns.push(("go on".into(), Some(String::new()), says(message))),
            (Some("system" | "developer"), _) | (_, None) => {}
            (_, Some((_, result, _))) => result.get_or_insert_default().push_str(&says(message)),
        }
    }
    turns
}

/// The bodies of a run under a layout, with the seconds before each.
fn bodies(run: &Run, layout: Layout) -> Result<Vec<(Value, u64)>, Error> {
    let rules = "You are a careful agent. Work step by step. ".repeat(120);
    let mut frozen = Frozen::new([("memory", run.memory[0].clone())])?;
    let (mut notes, mut from, mut summary) = (vec![String::new(); run.turns.len()], 0, String::new());
    let mut out = vec![];
    for at in 0..run.turns.len() {
        let is_frozen = matches!(layout, Layout::Frozen | Layout::FrozenCompacted);
        if is_frozen && let Some(note) = frozen.update("memory", Some(&run.memory[at]))? {
            notes[at] = format!("\n{}", note.text());
        }
        if layout == Layout::FrozenCompacted && at % 25 == 24 {
            frozen.fold();
            let facts = facts_in(&run.turns[..at]);
            (from, summary) = (at, format!("Summary of {at} turns. {}", facts.join("; ")));
            notes[at] = String::new();
        }
        let memory = match layout {
            Layout::MemoryInPlace => run.memory[at].as_str(),
            _ if is_frozen => frozen.text("memory")?,
            _ => run.memory[0].as_str(),
        };
        let head = if layout == Layout::Timestamp { format!("Now: {at:06} s. ") } else { String::new() };
        let ledger =
            if layout == Layout::LedgerInSystem { facts_in(&run.turns[..at]).join("\n") } else { String::new() };
        let first = if layout == Layout::LastFour { at.saturating_sub(3) } else { from };
        let mut messages = vec![];
        for (turn, t) in run.turns.iter().enumerate().take(at + 1).skip(first) {
            let lead = if turn == from && !summary.is_empty() { format!("{summary}\n") } else { String::new() };
            // An edit of memory reaches an append-only prompt as plain text of the turn.
            let edit = if layout == Layout::AppendOnly && turn > 0 && run.memory[turn] != run.memory[turn - 1] {
                let new = run.memory[turn].lines().find(|line| !run.memory[turn - 1].contains(*line));
                format!("\nmemory: {}", new.unwrap_or_default())
            } else {
                String::new()
            };
            let ask = format!("{lead}{}{}{edit}", t.ask, notes[turn]);
            messages.push(json!({"role": "user", "content": [{"type": "text", "text": ask}]}));
            if turn == at {
                break;
            }
            let masked = layout == Layout::Masked && at - turn > 4;
            let result = if masked { "[result cleared]" } else { t.result.as_str() };
            messages.push(
                json!({"role": "assistant", "content": [{"type": "text", "text": format!("looking at {turn}")}]}),
            );
            messages.push(json!({"role": "user", "content": [{"type": "text", "text": result}]}));
            messages.push(json!({"role": "assistant", "content": [{"type": "text", "text": t.said}]}));
        }
        let names: Vec<usize> = match layout {
            Layout::ToolsByTurn => (0..6).filter(|tool| (tool + at) % 3 != 0).collect(),
            _ => (0..6).collect(),
        };
        let schema = |tool: usize| {
            let keys = ["type", "properties", "required"];
            let turned = if layout == Layout::KeyOrder { at % 3 } else { 0 };
            let values = [json!("object"), json!({"path": {"type": "string"}}), json!(["path"])];
            // serde_json sorts keys: the order has to be part of a text.
            let parts: Vec<String> =
                (0..3).map(|i| (i + turned) % 3).map(|i| format!("{:?}:{}", keys[i], values[i])).collect();
            json!({"name": format!("tool_{tool}"), "description": format!("{{{}}} {}", parts.join(","), "Reads files. ".repeat(20)),
                   "input_schema": {"type": "object"}})
        };
        let tools: Vec<Value> = names.into_iter().map(schema).collect();
        let system = json!([{"type": "text", "text": format!("{head}{rules}\n{memory}\n{ledger}")}]);
        let body = json!({"model": "claude-sonnet-4-5", "max_tokens": 1000, "tools": tools, "system": system, "messages": messages});
        let pause = if layout == Layout::Idle && at % 10 == 9 { 4000 } else { 20 };
        out.push((body, pause));
    }
    Ok(out)
}

fn facts_in(turns: &[Turn]) -> Vec<String> {
    let fact = |turn: &Turn| turn.said.split_once("FACT-").map(|(_, fact)| format!("FACT-{fact}"));
    turns.iter().filter_map(fact).collect()
}

/// What a layout costs over a run under the rules of that name (`anthropic`, whose marks are placed by
/// `cache_marks`, or one that stores by itself).
///
/// # Errors
/// None but those of a library that is broken.
pub fn outcome(layout: Layout, rules: &str, run: &Run) -> Result<Outcome, Error> {
    let rules = CacheRules::named(rules)?;
    let marked = rules.name() == "anthropic";
    let mut out = Outcome::default();
    let mut before: Option<String> = None;
    for (body, pause) in bodies(run, layout)? {
        let mut text = body.to_string();
        if marked {
            text = cache_marks(text.as_str(), before.as_deref(), &MarkOptions::new().rules(rules))?.text;
        }
        let options =
            PredictOptions::new(&Quarter).rules(rules).elapsed(pause).format(haversack::WireFormat::Anthropic);
        let one = predict(before.as_deref(), text.as_str(), &options)?;
        out.cached += one.cached;
        out.total += one.total;
        out.billed += one.billed;
        out.peak = out.peak.max(one.total);
        before = Some(text);
    }
    let last = before.unwrap_or_default();
    // What was said in the last turn is not in its own prompt.
    let facts = facts_in(&run.turns[..run.turns.len().saturating_sub(1)]);
    out.all_facts = facts.len();
    out.facts = facts.iter().filter(|fact| last.contains(fact.as_str())).count();
    Ok(out)
}
