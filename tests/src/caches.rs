//! Pairs of consecutive requests drawn at random, their bodies, and what must hold of predictions and marks.

use arbitrary::{Arbitrary, Result, Unstructured};
use haversack::{
    CacheMarks, CacheRules, Error, Frozen, MarkOptions, PredictOptions, TokenCounter, WireFormat, cache_marks, predict,
};
use serde_json::{Value, json};

use crate::oracle::cache::{Block, Level, Request, Rules, read};

/// A pair of consecutive requests.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The one before.
    pub before: Request,
    /// The one after, most often the one before with more at its end or a change.
    pub now: Request,
    /// Seconds between them.
    pub elapsed: u64,
}

impl<'a> Arbitrary<'a> for Pair {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let mut before = Request::default();
        for (level, most) in [(Level::Tools, 3), (Level::System, 3), (Level::Messages, 60)] {
            let count = u.int_in_range(usize::from(level == Level::Messages)..=most)?;
            for _ in 0..count {
                before.blocks.push(block(u, level)?);
            }
        }
        let mut now = before.clone();
        for _ in 0..u.int_in_range(0..=2)? {
            let at = u.choose_index(now.blocks.len())?;
            match u.int_in_range(0..=3)? {
                0 => now.blocks[at].says = u.int_in_range(0..=9)?,
                1 if now.blocks.iter().filter(|b| b.level == Level::Messages).count() > 1 => {
                    let _ = now.blocks.remove(at);
                }
                2 => now.settings[u.choose_index(3)?] = 1,
                _ => {}
            }
        }
        if !now.blocks.iter().any(|b| b.level == Level::Messages) {
            now.blocks.push(block(u, Level::Messages)?);
        }
        for _ in 0..u.int_in_range(0..=40)? {
            now.blocks.push(block(u, Level::Messages)?);
        }
        // Marks move; four of them at most in each.
        for request in [&mut before, &mut now] {
            for _ in 0..u.int_in_range(0..=4)? {
                let at = u.choose_index(request.blocks.len())?;
                request.blocks[at].mark = Some(if u.arbitrary()? { 3600 } else { 300 });
            }
            // A longer life behind a shorter one is refused.
            let mut shortest = u64::MAX;
            for life in request.blocks.iter_mut().filter_map(|block| block.mark.as_mut()) {
                shortest = shortest.min(*life);
                *life = shortest;
            }
        }
        Ok(Pair { before, now, elapsed: *u.choose(&[0, 20, 300, 301, 3600, 3601])? })
    }
}

fn block(u: &mut Unstructured<'_>, level: Level) -> Result<Block> {
    let tokens = *u.choose(&[1, 15, 100, 128, 500, 1024])?;
    Ok(Block { level, says: u.int_in_range(0..=3)?, tokens, mark: None })
}

/// Counts what a text says it has between its two tildes.
#[derive(Debug)]
pub struct Stated;

impl TokenCounter for Stated {
    fn count(&self, text: &str) -> std::result::Result<usize, Error> {
        // A part of such a text has nothing: only whole blocks count.
        let mut parts = text.split('~');
        let (digits, end) = (parts.nth(1), parts.next());
        Ok(end.and(digits).and_then(|digits| digits.parse().ok()).unwrap_or(0))
    }
}

/// The request as a body of Anthropic Messages.
pub fn body(request: &Request, with_marks: bool) -> Value {
    let mark = |value: &mut Value, block: &Block| {
        if let Some(life) = block.mark.filter(|_| with_marks) {
            value["cache_control"] = json!({"type": "ephemeral", "ttl": if life > 300 { "1h" } else { "5m" }});
        }
    };
    let (mut tools, mut system, mut messages) = (vec![], vec![], vec![]);
    for (at, block) in request.blocks.iter().enumerate() {
        let text = format!("{}~{}~", block.says, block.tokens);
        let mut value = json!({"type": "text", "text": text});
        match block.level {
            Level::Tools => {
                value = json!({"name": "t", "description": text});
                mark(&mut value, block);
                tools.push(value);
            }
            Level::System => {
                mark(&mut value, block);
                system.push(value);
            }
            Level::Messages => {
                mark(&mut value, block);
                let role = if at % 2 == 0 { "user" } else { "assistant" };
                // The role is part of what a block says: it goes by the place.
                messages.push(json!({"role": role, "content": [value]}));
            }
        }
    }
    json!({
        "model": if request.settings[0] == 0 { "claude-sonnet-4-5" } else { "claude-sonnet-5" },
        "speed": request.settings[1],
        "tool_choice": {"type": if request.settings[2] == 0 { "auto" } else { "any" }},
        "tools": tools, "system": system, "messages": messages,
    })
}

/// The library predicts what the slow simulation reads, under every kind of rules; and the parts sum up.
///
/// # Errors
/// What differs.
pub fn predicted_as_simulated(pair: &Pair) -> std::result::Result<(), String> {
    let automatic = |minimum, step, recomputes| Rules { marks: false, look_back: None, minimum, step, recomputes };
    let all = [
        ("anthropic", Rules { marks: true, look_back: Some(20), ..automatic(1024, 1, false) }),
        ("openai/auto", automatic(1024, 128, false)),
        ("vllm", automatic(16, 16, true)),
        ("sglang", automatic(1, 1, true)),
    ];
    for (name, rules) in all {
        let (mut before, mut now) = (pair.before.clone(), pair.now.clone());
        if !rules.marks {
            // Automatic caches know the model alone; of the others only the text.
            for request in [&mut before, &mut now] {
                request.settings = [request.settings[0], 0, 0];
            }
        }
        let elapsed = if rules.marks { pair.elapsed } else { 0 };
        let wanted = read(rules, &before, &now, elapsed);
        let [old, new] = [&before, &now].map(|request| body(request, true).to_string());
        let options = PredictOptions::new(&Stated).rules(CacheRules::named(name).map_err(|e| e.to_string())?);
        let options = options.elapsed(elapsed).format(WireFormat::Anthropic);
        let got = predict(Some(&old), &new, &options).map_err(|e| e.to_string())?;
        if got.cached != wanted {
            return Err(format!("{name}: {got:?}, simulated {wanted}\n{old}\n{new}\n{elapsed} s"));
        }
        if got.cached + got.written + got.fresh != got.total
            || got.cached_min > got.cached
            || got.cached_max < got.cached
        {
            return Err(format!("{name}: the parts do not sum up: {got:?}"));
        }
    }
    Ok(())
}

/// Marks change nothing but marks, are four at most, are there the second time, and let the next request read this one.
///
/// # Errors
/// What does not hold.
pub fn marks_hold(pair: &Pair) -> std::result::Result<(), String> {
    let rules = CacheRules::named("anthropic").map_err(|e| e.to_string())?;
    let options = MarkOptions::new().rules(rules);
    let place = |request: &Request, previous: Option<&str>| {
        let given = body(request, true).to_string();
        cache_marks(given.as_str(), previous, &options).map_err(|e| e.to_string())
    };
    let old = place(&pair.before, None)?;
    let new = place(&pair.now, Some(&old.text))?;
    let read: Value = serde_json::from_str(&new.text).map_err(|e| e.to_string())?;
    if unmarked(read) != body(&pair.now, false) {
        return Err(format!("more than marks changed: {}", new.text));
    }
    let standing = new.text.matches("\"cache_control\"").count();
    if standing != new.marks.len() || standing > 4 {
        return Err(format!("{standing} marks stand, {:?} are planned", new.marks));
    }
    let again = cache_marks(new.text.as_str(), Some(&old.text), &options).map_err(|e| e.to_string())?;
    if again != new && again.text != new.text {
        return Err(format!("the second time gives {}", again.text));
    }
    // What was stored is read again when nothing but the end changed.
    let grown = pair.now.blocks.len() >= pair.before.blocks.len()
        && pair.now.settings == pair.before.settings
        && pair
            .before
            .blocks
            .iter()
            .zip(&pair.now.blocks)
            .all(|(a, b)| (a.level, a.says, a.tokens) == (b.level, b.says, b.tokens));
    let total: usize = pair.before.blocks.iter().map(|block| block.tokens).sum();
    if grown && total >= 1024 {
        let options = PredictOptions::new(&Stated).rules(rules);
        let got = predict(Some(&old.text), &new.text, &options).map_err(|e| e.to_string())?;
        if got.cached != total {
            return Err(format!("{total} tokens were stored and {} are read\n{}\n{}", got.cached, old.text, new.text));
        }
    }
    Ok(())
}

/// Whatever a body is, in every format and broken or not: marks change marks alone, the text parses, doing it again
/// changes nothing, and a prediction sums up or is a typed error.
///
/// # Errors
/// What does not hold.
pub fn any_body(format: WireFormat, body: &[u8]) -> std::result::Result<(), String> {
    for rules in CacheRules::all() {
        let options = PredictOptions::new(&Letters).rules(rules).format(format);
        for previous in [None, Some(body)] {
            if let Ok(p) = predict(previous, body, &options)
                && (p.cached + p.written + p.fresh != p.total || p.cached_min > p.cached || p.cached > p.cached_max)
            {
                return Err(format!("{p:?} does not sum up"));
            }
        }
        let options = MarkOptions::new().rules(rules).format(format);
        let Ok(plan) = cache_marks(body, None, &options) else { continue };
        let text = std::str::from_utf8(body).map_err(|e| e.to_string())?;
        let (Ok(given), Ok(made)) = (serde_json::from_str(text), serde_json::from_str(&plan.text)) else {
            // What serde_json does not take (half surrogates, deep nesting), it does not take afterwards.
            continue;
        };
        if plain(given) != plain(made) {
            return Err(format!("{}: more than marks changed: {}", rules.name(), plan.text));
        }
        let again = cache_marks(plan.text.as_bytes(), None, &options).map_err(|e| e.to_string())?;
        if again.text != plan.text {
            return Err(format!("{}: the second time gives {} after {}", rules.name(), again.text, plan.text));
        }
        pointers_lead_to_marks(text, &plan)?;
    }
    Ok(())
}

/// Every pointer of a plan leads to a block of the body that was given, and in the text of the plan that block carries
/// the mark: as a member, as a member of the one block that its string became, or as a cache point behind it.
///
/// # Errors
/// The pointer that does not.
pub fn pointers_lead_to_marks(given: &str, plan: &CacheMarks) -> std::result::Result<(), String> {
    let read = |text: &str| serde_json::from_str::<Value>(text).map_err(|e| e.to_string());
    let (given, made) = (read(given)?, read(&plan.text)?);
    let is_point = |entry: &Value| entry.as_object().is_some_and(|e| e.len() == 1 && e.contains_key("cachePoint"));
    for mark in &plan.marks {
        let pointer = &mark.pointer;
        let bad = |what: &str| Err(format!("{pointer} {what} of {given}\nin {}", plan.text));
        let Some(block) = given.pointer(pointer) else { return bad("leads to nothing") };
        // In the list that it stands in, which has lost its old cache points and perhaps got new ones.
        let (list, last) = pointer.rsplit_once('/').ok_or("a pointer to the whole body")?;
        let entries = |body: &Value| body.pointer(list).and_then(Value::as_array).cloned();
        let (old, new) = (entries(&given).unwrap_or_default(), entries(&made).unwrap_or_default());
        let index = last.parse::<usize>().ok().filter(|_| !old.is_empty());
        let before = index.map(|index| old.iter().take(index).filter(|entry| !is_point(entry)).count());
        let place = before.and_then(|before| {
            new.iter().enumerate().filter(|(_, entry)| !is_point(entry)).nth(before).map(|(at, _)| at)
        });
        let carrier = place.map_or_else(|| made.pointer(pointer), |at| new.get(at));
        let carries = match plan.rules.name() {
            "bedrock" => !is_point(block) && place.and_then(|at| new.get(at + 1)).is_some_and(is_point),
            rules => {
                let name = if rules == "anthropic" { "cache_control" } else { "prompt_cache_breakpoint" };
                let carrier = if block.is_string() { carrier.and_then(|list| list.get(0)) } else { carrier };
                carrier.is_some_and(|block| block.get(name).is_some())
            }
        };
        if !carries {
            return bad("leads to no block with a mark");
        }
    }
    Ok(())
}

/// Counts letters.
struct Letters;

impl TokenCounter for Letters {
    fn count(&self, text: &str) -> std::result::Result<usize, Error> {
        Ok(text.chars().count())
    }
}

/// Without the marks of all providers, and with every list of one text block as that text.
fn plain(mut value: Value) -> Value {
    match &mut value {
        Value::Object(members) => {
            for name in ["cache_control", "prompt_cache_breakpoint", "cachePoint"] {
                members.remove(name);
            }
            for inner in members.values_mut() {
                *inner = plain(inner.take());
            }
        }
        Value::Array(items) => {
            items.iter_mut().for_each(|inner| *inner = plain(inner.take()));
            items.retain(|inner| *inner != json!({}));
            let text = match items.as_slice() {
                [Value::Object(only)] if only.len() <= 2 => only.get("text").filter(|text| text.is_string()).cloned(),
                _ => None,
            };
            if let Some(text) = text {
                return text;
            }
        }
        _ => {}
    }
    value
}

fn unmarked(mut value: Value) -> Value {
    match &mut value {
        Value::Object(members) => {
            members.remove("cache_control");
            for inner in members.values_mut() {
                *inner = unmarked(inner.take());
            }
        }
        Value::Array(items) => {
            for inner in items {
                *inner = unmarked(inner.take());
            }
        }
        _ => {}
    }
    value
}

/// A run of updates of two sections, with the state read back now and then.
#[derive(Clone, Debug)]
pub struct Updates {
    start: [String; 2],
    /// Which section, its new lines (none deletes), whether the state goes through JSON, whether the notes are folded.
    steps: Vec<(bool, Option<Vec<u8>>, bool, bool)>,
}

impl<'a> Arbitrary<'a> for Updates {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let start = [u.arbitrary()?, u.arbitrary()?];
        let steps = (0..u.int_in_range(1..=8)?)
            .map(|_| Ok((u.arbitrary()?, u.arbitrary()?, u.arbitrary()?, u.ratio(1, 4)?)))
            .collect::<Result<_>>()?;
        Ok(Updates { start, steps })
    }
}

/// L21 and the rules of notes: sections are replayed until they are folded, a note is made where and only where
/// something changes and states the whole difference, and going on from stored state is going on.
///
/// # Errors
/// What does not hold.
pub fn frozen_holds(run: &Updates) -> std::result::Result<(), String> {
    let names = ["memory", "tools"];
    let show = |e: Error| e.to_string();
    let mut here = Frozen::new(names.into_iter().zip(run.start.clone())).map_err(show)?;
    let mut there = here.clone();
    let (mut frozen, mut current) = (run.start.clone(), run.start.clone());
    for (which, lines, reload, fold) in &run.steps {
        let at = usize::from(*which);
        // Few different lines, so that they repeat and move.
        let text = lines.as_ref().map(|lines| lines.iter().map(|n| format!("line {}\n", n % 8)).collect::<String>());
        let note = here.update(names[at], text.as_deref()).map_err(show)?.cloned();
        let other = there.update(names[at], text.as_deref()).map_err(show)?.cloned();
        let text = text.unwrap_or_default();
        if note != other || note.is_some() != (text != current[at]) {
            return Err(format!("{note:?} and {other:?} for {text:?} after {:?}", current[at]));
        }
        if let Some(note) = &note {
            let rebuilt = applied(&frozen[at], note.text())?;
            if rebuilt != text {
                return Err(format!("the note leads to {rebuilt:?}, not {text:?}: {}", note.text()));
            }
        }
        current[at] = text;
        if *reload {
            there = Frozen::from_json(&there.to_json()).map_err(show)?;
        }
        if *fold {
            let changed: Vec<String> = here.fold().into_iter().map(str::to_owned).collect();
            if there.fold() != changed || !here.notes().is_empty() {
                return Err("a fold leaves notes, or changes other sections after a reload".into());
            }
            frozen.clone_from(&current);
        }
        for (name, text) in names.iter().zip(&frozen) {
            if here.text(name).map_err(show)? != text || there.text(name).map_err(show)? != text {
                return Err(format!("{name} is not replayed: {text:?}"));
            }
        }
        if here.to_json() != there.to_json() {
            return Err("the states differ".into());
        }
    }
    Ok(())
}

/// What a reader of a note makes of the section: the note is enough, whatever became of others.
fn applied(section: &str, note: &str) -> std::result::Result<String, String> {
    let (head, rest) = note.split_once('\n').unwrap_or((note, ""));
    if head.ends_with("no longer hold.]") {
        return Ok(section.to_owned());
    }
    if head.ends_with("nothing replaces it.]") {
        return Ok(String::new());
    }
    let rest = rest.strip_suffix(']').ok_or("no end")?;
    let lines: Vec<&str> = rest.strip_suffix('\n').ok_or("no last line")?.split('\n').collect();
    if head.ends_with("no longer holds:") {
        let whole: Option<Vec<&str>> = lines.iter().map(|line| line.strip_prefix("| ")).collect();
        return Ok(whole.ok_or("a line without its prefix")?.join("\n"));
    }
    let old: Vec<&str> = section.split('\n').collect();
    let (mut out, mut at, mut pending): (Vec<&str>, usize, Vec<&str>) = (vec![], 0, vec![]);
    for line in lines {
        if let Some(gone) = line.strip_prefix("- ") {
            if old.get(at) != Some(&gone) {
                return Err(format!("{gone:?} is not line {at}"));
            }
            at += 1;
        } else if let Some(new) = line.strip_prefix("+ ") {
            pending.push(new);
        } else {
            out.append(&mut pending);
            let place = line.trim_end_matches(':').rsplit(' ').next().unwrap_or_default();
            let first: usize = place.split('-').next().and_then(|n| n.parse().ok()).ok_or("no place")?;
            let start = if line.starts_with("after") { first } else { first - 1 };
            out.extend(old.get(at..start).ok_or("a place that went back")?);
            at = start;
        }
    }
    out.append(&mut pending);
    out.extend(&old[at..]);
    Ok(out.join("\n"))
}
