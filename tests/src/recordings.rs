//! What providers reported as read from their caches in recorded requests, and what the rules predict of it.
//!
//! Two kinds of recordings: successive requests of one run with the provider's own counts, and coding sessions that
//! hold counts, times and the chain of messages but no requests. Tokens are calibrated: characters are scaled so that
//! they sum up to the provider's own count of each prompt, so that the rule alone is judged and no tokenizer.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use haversack::{
    Budget, CacheRules, Error, OffloadOptions, PredictOptions, Prediction, TokenCounter, WireFormat, offload, predict,
};
use serde_json::Value;

/// Whether a recording was set aside, so that nobody looked at it while the rules were made: every third one, by the
/// digest of its name (SHA-256 of the file name as a number, divisible by three).
///
/// # Panics
/// When the library gives no digest.
pub fn held_out(name: &str) -> bool {
    let all = OffloadOptions::new().over(Budget::bytes(0));
    let digest = offload(name, "", &all).ok().and_then(|offload| offload.sha256()).expect("a digest of the name");
    // 16 leaves 1 when it is divided by three, so a number leaves what the sum of its digits leaves.
    digest.chars().filter_map(|digit| digit.to_digit(16)).sum::<u32>().is_multiple_of(3)
}

/// Why a count may differ from what the rule says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// The entry was gone, or lived on beyond its time.
    Expiry,
    /// The request reached a server that did not have the entry, or had a shorter one.
    Routing,
    /// Parts of the prompt are not in the recording: the server's own tools and their results, what a client adds.
    UnseenPrompt,
    /// The entry was written before the recording began.
    EarlierEntry,
    /// The provider publishes no rule for the length.
    NoRule,
    /// None of these: the rule is wrong.
    WrongRule,
}

impl Cause {
    /// In words.
    pub const fn name(self) -> &'static str {
        match self {
            Cause::Expiry => "expiry",
            Cause::Routing => "routing",
            Cause::UnseenPrompt => "server-side prompt",
            Cause::EarlierEntry => "entry written before the recording",
            Cause::NoRule => "no published rule",
            Cause::WrongRule => "a rule we have wrong",
        }
    }
}

/// One request of a recording with the provider's counts.
#[derive(Clone, Debug)]
pub struct Request {
    /// The body.
    pub body: Value,
    /// Prompt tokens and those of them that were cached, where the provider counted and accepted the request.
    pub counts: Option<(usize, usize)>,
}

/// A recording of successive requests.
#[derive(Clone, Debug)]
pub struct Sequence {
    /// The file.
    pub name: String,
    /// The format of its bodies.
    pub format: WireFormat,
    /// In order.
    pub requests: Vec<Request>,
}

impl Sequence {
    /// Whether it was set aside.
    pub fn held_out(&self) -> bool {
        held_out(&self.name)
    }
}

fn integer(value: &Value) -> Option<usize> {
    value.as_u64().and_then(|n| usize::try_from(n).ok())
}

fn counts(usage: &Value) -> Option<(usize, usize)> {
    let at = |name: &str| integer(&usage[name]);
    let direct =
        ["cache_read_input_tokens", "cacheReadInputTokens", "cachedContentTokenCount", "prompt_cache_hit_tokens"];
    let nested = ["prompt_tokens_details", "input_tokens_details"];
    let cached = direct.iter().find_map(|name| at(name));
    let cached = cached.or_else(|| nested.iter().find_map(|name| usage[*name].get("cached_tokens").and_then(integer)));
    let cached = cached.unwrap_or(0);
    let prompt = if usage.get("cache_read_input_tokens").is_some() {
        Some(at("input_tokens").unwrap_or(0) + cached + at("cache_creation_input_tokens").unwrap_or(0))
    } else if let Some(fresh) = at("inputTokens") {
        Some(fresh + cached + at("cacheWriteInputTokens").unwrap_or(0))
    } else {
        ["promptTokenCount", "prompt_tokens", "input_tokens"].iter().find_map(|name| at(name))
    };
    prompt.filter(|prompt| *prompt > 0).map(|prompt| (prompt, cached))
}

/// The files of a folder, by name.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
    found.sort();
    found
}

fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The recordings of successive requests in a corpus.
pub fn sequences(corpus: &Path) -> Vec<Sequence> {
    const PREFIXES: [(&str, WireFormat); 5] = [
        ("openai-chat", WireFormat::OpenAiChat),
        ("openai-responses", WireFormat::OpenAiResponses),
        ("anthropic", WireFormat::Anthropic),
        ("gemini", WireFormat::Gemini),
        ("bedrock", WireFormat::Bedrock),
    ];
    let mut out = vec![];
    for path in files(&corpus.join("transcripts/request-sequences")) {
        let name = name_of(&path);
        let Some((_, format)) = PREFIXES.iter().find(|(prefix, _)| name.starts_with(prefix)) else { continue };
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let mut requests = vec![];
        for line in text.lines() {
            let Ok(entry) = serde_json::from_str::<Value>(line) else { continue };
            let good = entry["status"].as_u64().is_none_or(|status| (200..300).contains(&status));
            let counts = if good { counts(&entry["usage"]) } else { None };
            requests.push(Request { body: entry["request"].clone(), counts });
        }
        out.push(Sequence { name, format: *format, requests });
    }
    out
}

/// Characters of each text that is counted, and whether the request before had it: blocks that both have are scaled by
/// the count of the request before, the others by what is left of this one's.
struct Scaled {
    shared: BTreeSet<String>,
    /// Tokens for so many characters, of shared texts and of others.
    ratios: [(usize, usize); 2],
}

impl TokenCounter for Scaled {
    fn count(&self, text: &str) -> Result<usize, Error> {
        let (tokens, characters) = self.ratios[usize::from(!self.shared.contains(text))];
        Ok((text.chars().count() * tokens + characters / 2) / characters.max(1))
    }
}

/// Keeps every text that it is asked for.
#[derive(Default)]
struct Heard(RefCell<Vec<String>>);

impl TokenCounter for Heard {
    fn count(&self, text: &str) -> Result<usize, Error> {
        self.0.borrow_mut().push(text.to_owned());
        Ok(text.chars().count())
    }
}

/// The texts that a body consists of, and their characters in all.
fn texts(rules: CacheRules, format: WireFormat, body: &str) -> Result<(Vec<String>, usize), Error> {
    let heard = Heard::default();
    let total = predict(None, body, &PredictOptions::new(&heard).rules(rules).format(format))?.total;
    Ok((heard.0.into_inner(), total))
}

/// The rules of a request, and whether its provider publishes them; of others a radix tree is the nearest.
pub fn rules_of(format: WireFormat, body: &Value) -> (CacheRules, bool) {
    let explicit = body.get("cachedContent").is_some();
    let published = match format {
        WireFormat::Gemini if explicit => CacheRules::named("gemini/explicit").ok(),
        _ => CacheRules::of(format, body["model"].as_str()),
    };
    published.map_or_else(|| (CacheRules::named("sglang").expect("a row"), false), |rules| (rules, true))
}

/// What is predicted of a request of `prompt` tokens, when `before` went before it.
///
/// # Errors
/// A body that cannot be read.
pub fn calibrated(
    rules: CacheRules,
    format: WireFormat,
    before: &Request,
    body: &Value,
    prompt: usize,
) -> Result<Prediction, Error> {
    let (old, new) = (before.body.to_string(), body.to_string());
    let (texts_before, total_before) = texts(rules, format, &old)?;
    let (texts_now, total) = texts(rules, format, &new)?;
    let known: BTreeSet<String> = texts_before.into_iter().collect();
    let characters = |text: &String| text.chars().count();
    let shared: usize = texts_now.iter().filter(|text| known.contains(*text)).map(characters).sum();
    let before_tokens = before.counts.map_or(0, |(prompt, _)| prompt);
    let shared_tokens = shared * before_tokens / total_before.max(1);
    let rest = prompt.checked_sub(shared_tokens).filter(|_| before_tokens > 0 && total > shared);
    // A request whose server ran tools of its own is counted more than once, and one beside a stored object has not all
    // in it.
    let object = predict(Some(&old), &new, &PredictOptions::new(&Heard::default()).rules(rules).format(format))?.total;
    let counter = match rest {
        Some(rest) if object == total => {
            Scaled { shared: known, ratios: [(before_tokens, total_before), (rest, total - shared)] }
        }
        _ => Scaled { shared: BTreeSet::new(), ratios: [(prompt, object); 2] },
    };
    predict(Some(&old), &new, &PredictOptions::new(&counter).rules(rules).format(format))
}

/// Within 5 % of the larger of both.
pub fn near(got: usize, wanted: usize) -> bool {
    got.abs_diff(wanted) * 20 <= got.max(wanted).max(1)
}

/// One request against its prediction.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its place in the recording.
    pub index: usize,
    /// The rules.
    pub rules: CacheRules,
    /// Whether the provider publishes them.
    pub published: bool,
    /// Prompt tokens.
    pub prompt: usize,
    /// Cached tokens as the provider counted them.
    pub reported: usize,
    /// The most that any earlier request of the recording leaves for this one.
    pub predicted: usize,
    /// Of a miss.
    pub cause: Option<Cause>,
}

/// Every counted request of a sequence but the first.
///
/// # Errors
/// A body that cannot be read.
pub fn rows(sequence: &Sequence) -> Result<Vec<Row>, Error> {
    let mut out = vec![];
    for (index, request) in sequence.requests.iter().enumerate().skip(1) {
        let Some((prompt, reported)) = request.counts else { continue };
        let (rules, published) = rules_of(sequence.format, &request.body);
        let mut predicted = 0;
        for before in &sequence.requests[..index] {
            let one = calibrated(rules, sequence.format, before, &request.body, prompt)?;
            predicted = predicted.max(one.cached);
        }
        let cause = (!near(predicted, reported)).then(|| cause(sequence, index, rules, published, reported, predicted));
        out.push(Row { index, rules, published, prompt, reported, predicted, cause });
    }
    Ok(out)
}

/// Why a prediction is off, from what the recording shows.
fn cause(
    sequence: &Sequence,
    index: usize,
    rules: CacheRules,
    published: bool,
    reported: usize,
    predicted: usize,
) -> Cause {
    let body = &sequence.requests[index].body;
    if !published || rules.name() == "gemini/implicit" {
        return Cause::NoRule;
    }
    if serves_itself(body) {
        return Cause::UnseenPrompt;
    }
    if reported < predicted {
        // The recordings have no times; all were made within a few minutes.
        return Cause::Routing;
    }
    // The first request to a model can read only what was there before the recording, and so can those behind it.
    let same_model = |request: &&Request| request.body["model"] == body["model"];
    let first = sequence.requests[..=index].iter().find(same_model);
    if first.and_then(|first| first.counts).is_some_and(|(_, cached)| cached > 0) {
        return Cause::EarlierEntry;
    }
    Cause::WrongRule
}

/// Whether the server runs tools of its own in a request, whose instructions and results it counts too.
fn serves_itself(body: &Value) -> bool {
    const OWN: [&str; 6] = ["web_search", "web_fetch", "code_execution", "file_search", "code_interpreter", "mcp"];
    let tools = body["tools"].as_array();
    let kinds = tools.into_iter().flatten().filter_map(|tool| tool["type"].as_str());
    let mut stateful = ["previous_response_id", "conversation"].iter().filter(|name| body.get(**name).is_some());
    kinds.into_iter().any(|kind| OWN.iter().any(|own| kind.starts_with(own))) || stateful.next().is_some()
}

/// A turn of a coding session.
#[derive(Clone, Debug)]
pub struct Turn {
    at: u64,
    model: String,
    /// Prompt tokens that were read from the cache, and that were stored.
    read: usize,
    written: usize,
    /// Those that were neither.
    fresh: usize,
    /// The hour-long part of what was written.
    hour: usize,
    /// A compaction came before it.
    compacted: bool,
    /// The turn whose messages it goes on from.
    parent: Option<usize>,
}

impl Turn {
    /// What is stored once it has run.
    fn stored(&self) -> usize {
        self.read + self.written
    }
}

/// Seconds of a time such as `2026-01-02T03:04:05.678Z`.
fn seconds(stamp: &str) -> Option<u64> {
    let number = |range: core::ops::Range<usize>| stamp.get(range)?.parse::<u64>().ok();
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    // Days of the civil calendar, with years that start in March.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day;
    Some(days * 86_400 + number(11..13)? * 3600 + number(14..16)? * 60 + number(17..19)?)
}

/// The turns of a session log.
pub fn turns(log: &str) -> Vec<Turn> {
    let mut turns: Vec<Turn> = vec![];
    let (mut by_message, mut by_entry) = (BTreeMap::<String, usize>::new(), BTreeMap::<String, usize>::new());
    let mut parents = BTreeMap::<String, String>::new();
    let mut compacted = false;
    for entry in log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        let text = |name: &str| entry[name].as_str().map(str::to_owned);
        if let (Some(id), Some(parent)) = (text("uuid"), text("parentUuid").or_else(|| text("logicalParentUuid"))) {
            parents.insert(id, parent);
        }
        compacted |= entry["subtype"] == "compact_boundary";
        let (message, usage) = (&entry["message"], &entry["message"]["usage"]);
        let own = entry["type"] == "assistant" && entry["isSidechain"] != true && message["model"] != "<synthetic>";
        let (Some(id), Some(uuid), true, true) = (message["id"].as_str(), text("uuid"), own, usage.is_object()) else {
            continue;
        };
        if let Some(&turn) = by_message.get(id) {
            by_entry.insert(uuid, turn);
            continue;
        }
        let count = |name: &str| integer(&usage[name]).unwrap_or(0);
        let mut parent = text("parentUuid");
        // As many steps as there are entries at most: a log may go in circles.
        for _ in 0..parents.len() {
            match parent.as_ref().filter(|up| !by_entry.contains_key(*up)) {
                Some(up) => parent = parents.get(up).cloned(),
                None => break,
            }
        }
        by_message.insert(id.to_owned(), turns.len());
        by_entry.insert(uuid, turns.len());
        turns.push(Turn {
            at: text("timestamp").and_then(|stamp| seconds(&stamp)).unwrap_or(0),
            model: message["model"].as_str().unwrap_or_default().to_owned(),
            read: count("cache_read_input_tokens"),
            written: count("cache_creation_input_tokens"),
            fresh: count("input_tokens"),
            hour: integer(&usage["cache_creation"]["ephemeral_1h_input_tokens"]).unwrap_or(0),
            compacted,
            parent: parent.and_then(|up| by_entry.get(&up).copied()),
        });
        compacted = false;
    }
    turns
}

/// The sessions of a corpus that have more than one turn.
pub fn sessions(corpus: &Path) -> Vec<(String, Vec<Turn>)> {
    let read = |path: PathBuf| (name_of(&path), turns(&fs::read_to_string(path).unwrap_or_default()));
    files(&corpus.join("transcripts/claude-code")).into_iter().map(read).filter(|(_, turns)| turns.len() > 1).collect()
}

/// Counts what a block says it has: `label 123` has 123 tokens.
struct Stated;

impl TokenCounter for Stated {
    fn count(&self, text: &str) -> Result<usize, Error> {
        Ok(text.rsplit(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0))
    }
}

/// The turns whose messages a turn has, oldest first, up to a compaction. What was stored by one of them can be a
/// prefix only when it is no longer than the prompt that goes on from it: a client that replaced its last messages went
/// on from earlier.
fn chain(turns: &[Turn], at: usize) -> Vec<usize> {
    let (mut chain, mut now) = (vec![at], at);
    let mut limit = turns[at].stored() + turns[at].fresh;
    while let Some(up) = turns[now].parent.filter(|_| !turns[now].compacted) {
        if turns[up].stored() <= limit {
            chain.push(up);
            limit = turns[up].stored();
        }
        now = up;
    }
    chain.reverse();
    chain
}

/// A body with a block for every turn that this one goes on from, of the sizes that the provider counted. `head` tokens
/// of tools and system prompt come first and are marked, as is the end.
fn session_body(turns: &[Turn], at: usize, head: usize, life: u64) -> Value {
    let name = if life > 300 { "1h" } else { "5m" };
    let mark = serde_json::json!({"type": "ephemeral", "ttl": name});
    let mut before = head;
    let mut messages: Vec<Value> = vec![];
    for turn in chain(turns, at) {
        let end = turns[turn].stored().max(before);
        let role = if messages.len().is_multiple_of(2) { "user" } else { "assistant" };
        let text = format!("turn {turn} {}", end - before);
        messages.push(serde_json::json!({"role": role, "content": [{"type": "text", "text": text}]}));
        before = end;
    }
    if let Some(last) = messages.last_mut() {
        last["content"][0]["cache_control"] = mark.clone();
    }
    let mut body = serde_json::json!({"model": turns[at].model, "messages": messages});
    if head > 0 {
        body["system"] = serde_json::json!([{"type": "text", "text": format!("head {head}"), "cache_control": mark}]);
    }
    body
}

/// What happened before a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Event {
    /// Nothing: the entry is alive.
    Live,
    /// More time passed than the entry lives.
    Idle,
    /// Another model.
    Model,
}

/// A turn of a session against its prediction.
#[derive(Clone, Debug)]
pub struct SessionRow {
    /// The turn.
    pub index: usize,
    /// What came before it.
    pub event: Event,
    /// Seconds since the turn before.
    pub elapsed: u64,
    /// Cached tokens as the provider counted them.
    pub reported: usize,
    /// The most that the turn it goes on from, the one before it and the first one leave for it.
    pub predicted: usize,
    /// Of a miss.
    pub cause: Option<Cause>,
}

/// Every turn of a session but the first, and but those behind a compaction, whose prompt is another one.
///
/// # Errors
/// None but those of a library that is broken.
pub fn session_rows(turns: &[Turn]) -> Result<Vec<SessionRow>, Error> {
    let rules = CacheRules::named("anthropic")?;
    let (mut life, mut out) = (300, vec![]);
    for index in 1..turns.len() {
        let (before, now) = (&turns[index - 1], &turns[index]);
        life = if before.hour > 0 {
            3600
        } else if before.written > 0 {
            300
        } else {
            life
        };
        let elapsed = now.at.saturating_sub(before.at);
        if now.compacted {
            continue;
        }
        let event = if before.model != now.model {
            Event::Model
        } else if elapsed > life {
            Event::Idle
        } else {
            Event::Live
        };
        // The least that was read so far is tools and system prompt, unless this prompt is smaller.
        let head = turns[..index].iter().map(|turn| turn.read).filter(|read| *read > 0).min().unwrap_or(0);
        let fits = chain(turns, index).iter().all(|turn| turns[*turn].stored() >= head);
        let head = if fits { head } else { 0 };
        let body = session_body(turns, index, head, life).to_string();
        let mut predicted = 0;
        let nearest = chain(turns, index).iter().rev().nth(1).copied();
        let earlier = [nearest, Some(index - 1), Some(0)];
        for at in earlier.into_iter().flatten().filter(|at| *at < index) {
            let old = session_body(turns, at, head, life).to_string();
            // Each turn since then read the entries again, which makes them young: the time is that of the last one.
            let options = PredictOptions::new(&Stated).rules(rules).elapsed(elapsed);
            predicted = predicted.max(predict(Some(&old), &body, &options)?.cached);
        }
        let reported = now.read;
        let cause = (!near(predicted, reported)).then_some(match () {
            () if event == Event::Idle || reported < predicted && elapsed > 300 => Cause::Expiry,
            () if reported > predicted => Cause::EarlierEntry,
            // The head was served and the messages were not: they were other ones than the log holds.
            () if head > 0 || reported > 0 => Cause::UnseenPrompt,
            () => Cause::Routing,
        });
        out.push(SessionRow { index, event, elapsed, reported, predicted, cause });
    }
    Ok(out)
}
