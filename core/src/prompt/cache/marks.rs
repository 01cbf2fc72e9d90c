//! Where the marks of a request belong, and the request with them.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::blocks::{Block, Layout, Slot, layout};
use super::predict::{carries, common, stored};
use super::rules::{CacheRules, Level, Rule, Stores};
use crate::error::Error;
use crate::limits::Limits;
use crate::prompt::strip::Source;
use crate::wire::WireFormat;

/// Which marks [`cache_marks`] places.
#[derive(Clone, Copy, Debug, Default)]
pub struct MarkOptions<'a> {
    rules: Option<CacheRules>,
    most: Option<usize>,
    life: Option<&'a str>,
    head_life: Option<&'a str>,
    changing: usize,
    format: Option<WireFormat>,
    limits: Limits,
}

impl<'a> MarkOptions<'a> {
    /// By the rules of the request's format and model, as many as these allow, of the usual life.
    pub const fn new() -> Self {
        MarkOptions {
            rules: None,
            most: None,
            life: None,
            head_life: None,
            changing: 0,
            format: None,
            limits: Limits::DEFAULT,
        }
    }

    /// By these rules. Default: those of the format and the model of the request.
    #[must_use]
    pub const fn rules(mut self, rules: CacheRules) -> Self {
        self.rules = Some(rules);
        self
    }

    /// At most so many marks. Default: as many as the rules allow.
    #[must_use]
    pub const fn most(mut self, marks: usize) -> Self {
        self.most = Some(marks);
        self
    }

    /// The life that marks in the messages ask for, such as `1h`. Default: that of the mark of the whole request, where
    /// there is one; else they ask for none.
    #[must_use]
    pub const fn life(mut self, name: &'a str) -> Self {
        self.life = Some(name);
        self
    }

    /// The life that marks behind tools and system ask for; not shorter than that of the messages. Default: theirs.
    #[must_use]
    pub const fn head_life(mut self, name: &'a str) -> Self {
        self.head_life = Some(name);
        self
    }

    /// So many of the last messages are other ones in every request (a clock, retrieved text): no mark is wasted on
    /// them. Default: 0.
    #[must_use]
    pub const fn changing(mut self, messages: usize) -> Self {
        self.changing = messages;
        self
    }

    /// The format of the request. Default: what it shows.
    #[must_use]
    pub const fn format(mut self, format: WireFormat) -> Self {
        self.format = Some(format);
        self
    }

    /// Other limits for the request and, if there is one, the previous one: how deep they may be nested.
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }
}

kinds! {
    /// What a mark is there for.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum MarkReason;

    /// The end of the tools: they survive a change of the system prompt.
    Tools = 1, "tools";
    /// The end of the system prompt: it survives a cut history.
    System = 2, "system";
    /// Where the previous request was stored, too far back for the mark at the tail.
    Anchor = 3, "anchor";
    /// The last block that will be there again.
    Tail = 4, "tail";
}

/// One mark of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CacheMark {
    /// What it is there for.
    pub reason: MarkReason,
    /// JSON Pointer to the block that it closes, in the body as it was given.
    pub pointer: String,
    /// The message, by its place in the list; none on tools and system.
    pub message: Option<usize>,
    /// The block, by its place in its list; 0 where the content is one string.
    pub block: usize,
    /// The life that it asks for; none for the usual one.
    pub life: Option<String>,
}

/// Where marks belong, and the body that has them there.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CacheMarks {
    /// The marks, in the order of the request.
    pub marks: Vec<CacheMark>,
    /// Marks that were wanted, and no block there may carry one.
    pub unplaced: Vec<MarkReason>,
    /// The body with these marks and no others. What carries no mark is the body's own bytes; a string that has to
    /// carry one becomes a list of one text block, which is the same prompt.
    pub text: String,
    /// The rules that were applied.
    pub rules: CacheRules,
}

/// Places the cache marks of a request: behind the tools, behind the system prompt, at the last block that stays, and
/// where `previous` was stored when that is too far back to be found from there. Marks that stand already are replaced;
/// a mark of the whole request (`cache_control` at the top) stays, and takes the place of the one at the tail. Blocks
/// that may not carry a mark (thinking, empty text) are passed over, never removed.
///
/// Time and memory are linear in both bodies. Doing it again changes nothing.
///
/// # Errors
/// [`ErrorKind::InvalidOption`](crate::ErrorKind::InvalidOption): for `rules` when they know no marks, or none is
/// published for the model; for `life` and `head_life` when the rules have no such life, or the head would live shorter
/// than the tail, which providers refuse. And what reading a request can give (`invalid_utf8`, `invalid_json`,
/// `too_deep`, `not_a_history`, `mixed_formats`).
///
/// # Example
/// ```
/// use haversack::{CacheRules, MarkOptions, cache_marks};
///
/// let body = r#"{"system":"Be kind.","messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}]}"#;
/// let options = MarkOptions::new().rules(CacheRules::named("anthropic")?);
/// let plan = cache_marks(body, None, &options)?;
/// assert_eq!(plan.text, r#"{"system":[{"type":"text","text":"Be kind.","cache_control":{"type":"ephemeral"}}],"messages":[{"role":"user","content":[{"type":"text","text":"hi","cache_control":{"type":"ephemeral"}}]}]}"#);
/// assert_eq!(plan.marks[1].pointer, "/messages/0/content/0");
/// # Ok::<(), haversack::Error>(())
/// ```
pub fn cache_marks<T: AsRef<[u8]> + ?Sized>(
    body: &T,
    previous: Option<&T>,
    options: &MarkOptions<'_>,
) -> Result<CacheMarks, Error> {
    let depth = options.limits.depth;
    let doc = Source::checked(body.as_ref(), depth)?;
    let rules = match options.rules {
        Some(rules) => rules,
        None => super::predict::rules_of(&doc, options.format)?,
    };
    let rule = rules.0;
    if rule.stores != Stores::Marks {
        return Err(Error::option("rules", format!("{} has no marks: what it caches is its own choice", rule.name)));
    }
    let (named, usual) = (options.format, rules.format());
    let now = layout(&doc, rule, named, usual)?;
    // The mark of the whole request stands behind all others: none of them may live shorter.
    let whole = now.automatic.as_ref().and_then(Option::as_deref).filter(|name| rule.life(Some(name)).is_some());
    let options = &MarkOptions { life: options.life.or(whole), ..*options };
    check_lives(rule, options, whole)?;
    let before = previous.map(|body| Source::checked(body.as_ref(), depth)).transpose()?;
    let before = before.as_ref().map(|doc| layout(doc, rule, named, usual)).transpose()?;

    let (chosen, unplaced) = choose(rule, &now, before.as_ref(), options);
    let life = |reason| match reason {
        MarkReason::Tools | MarkReason::System => options.head_life.or(options.life),
        MarkReason::Anchor | MarkReason::Tail => options.life,
    };
    let mut edits: Vec<(usize, usize, String)> =
        now.old_marks.iter().map(|(start, end)| (*start, *end, String::new())).collect();
    let mut marks = Vec::with_capacity(chosen.len());
    for (at, reason) in chosen {
        let Some(block) = now.blocks.get(at) else { continue };
        let life = life(reason);
        edits.push(edit(&doc, rule, &now, block, life));
        marks.push(CacheMark {
            reason,
            pointer: doc.pointer_to(block.span.0),
            message: block.message,
            block: block.index,
            life: life.map(String::from),
        });
    }
    Ok(CacheMarks { marks, unplaced, text: apply(&doc.text, edits), rules })
}

fn check_lives(rule: &Rule, options: &MarkOptions<'_>, whole: Option<&str>) -> Result<(), Error> {
    let seconds = |argument, name: Option<&str>| {
        if let Some(life) = rule.life(name) {
            return Ok(life.seconds);
        }
        let names: Vec<&str> = rule.lives.iter().map(|life| life.name).collect();
        Err(Error::option(argument, format!("{} has the lives {}", rule.name, names.join(", "))))
    };
    let tail = seconds("life", options.life)?;
    let head = seconds("head_life", options.head_life.or(options.life))?;
    if head < tail {
        return Err(Error::option("head_life", "a mark of a longer life may not come after one of a shorter"));
    }
    if whole.is_some() && tail < seconds("life", whole)? {
        return Err(Error::option("life", "the mark of the whole request asks for a longer life, and stands behind"));
    }
    Ok(())
}

/// The blocks that get a mark, in order, and the marks that found none.
fn choose(
    rule: &Rule,
    now: &Layout<'_>,
    before: Option<&Layout<'_>>,
    options: &MarkOptions<'_>,
) -> (Vec<(usize, MarkReason)>, Vec<MarkReason>) {
    // A mark that is an entry of its own has no place beside a string.
    let no_text = rule.mark == Some("cachePoint");
    let can = |block: &Block<'_>| {
        let slot = block.slot == Slot::Object || (block.slot == Slot::Text && !no_text);
        slot && carries(rule, block)
    };
    let last_of = |level| now.blocks.iter().rposition(|block| block.level == level && can(block));
    let messages = now.blocks.last().and_then(|block| block.message).map_or(0, |last| last + 1);
    let stable = messages.saturating_sub(options.changing);
    // The provider marks the end by itself.
    let moving = now.automatic.is_some() || (rule.marks_last_message && !now.explicit_only);
    let mut room = options.most.unwrap_or(rule.max_marks).min(rule.max_marks.saturating_sub(usize::from(moving)));
    let (mut chosen, mut unplaced) = (Vec::new(), Vec::new());

    let tail = now.blocks.iter().rposition(|block| block.message.is_some_and(|message| message < stable) && can(block));
    let mut wanted: Vec<(Option<usize>, MarkReason)> = Vec::new();
    if stable > 0 && (options.changing > 0 || !moving) {
        wanted.push((tail, MarkReason::Tail));
    }
    let end = if moving && options.changing == 0 { now.blocks.len() } else { tail.map_or(0, |tail| tail + 1) };
    if let Some(anchor) = anchor(rule, now, before, end, &can) {
        wanted.push((Some(anchor), MarkReason::Anchor));
    }
    let head = head(now);
    if head > 0 {
        wanted.push((now.blocks.iter().take(head).rposition(can), MarkReason::System));
    } else if now.blocks.iter().any(|block| block.level == Level::System) && rule.levels.contains(&Level::System) {
        wanted.push((last_of(Level::System), MarkReason::System));
    }
    if rule.levels.contains(&Level::Tools) && now.blocks.first().is_some_and(|block| block.level == Level::Tools) {
        wanted.push((last_of(Level::Tools), MarkReason::Tools));
    }
    for (place, reason) in wanted {
        match place {
            None => unplaced.push(reason),
            Some(at) if room > 0 && chosen.iter().all(|(other, _)| *other != at) => {
                chosen.push((at, reason));
                room -= 1;
            }
            Some(_) => {}
        }
    }
    chosen.sort_unstable_by_key(|(at, _)| *at);
    (chosen, unplaced)
}

/// How many blocks the system messages have that a list opens with: they are its system prompt.
fn head(now: &Layout<'_>) -> usize {
    let is_head = |block: &Block<'_>| block.level != Level::Messages || matches!(block.role, "system" | "developer");
    let blocks = now.blocks.iter().take_while(|block| is_head(block)).count();
    if blocks > 0 && now.blocks.get(blocks - 1).is_some_and(|block| block.level == Level::Messages) {
        blocks
    } else {
        0
    }
}

/// The block where the previous request was last stored, when a mark at `end` does not reach back to it: without
/// `previous` the last block of the messages that carries a mark still.
fn anchor(
    rule: &Rule,
    now: &Layout<'_>,
    before: Option<&Layout<'_>>,
    end: usize,
    can: &impl Fn(&Block<'_>) -> bool,
) -> Option<usize> {
    let positions = rule.look_back?;
    let in_messages = |end: usize| now.blocks.get(end.wrapping_sub(1)).is_some_and(|b| b.level == Level::Messages);
    let earlier = if let Some(before) = before {
        let same = common(rule, before, now);
        stored(rule, before).iter().map(|entry| entry.end).filter(|end| *end <= same && in_messages(*end)).max()?
    } else {
        let marked = |block: &Block<'_>| block.level == Level::Messages && block.mark.is_some();
        now.blocks.iter().take(end.saturating_sub(1)).rposition(marked)? + 1
    };
    if end < earlier.saturating_add(positions) {
        return None;
    }
    // A block behind it will do, as long as a mark there reaches it.
    (earlier - 1..earlier - 1 + positions).find(|&at| now.blocks.get(at).is_some_and(can))
}

/// What has to be written where.
fn edit(doc: &Source, rule: &Rule, now: &Layout<'_>, block: &Block<'_>, life: Option<&str>) -> (usize, usize, String) {
    let life = life.map_or_else(String::new, |life| format!(",\"ttl\":\"{life}\""));
    let (start, end) = block.span;
    let member = match rule.mark {
        Some("cachePoint") => return (end, end, format!(",{{\"cachePoint\":{{\"type\":\"default\"{life}}}}}")),
        Some("prompt_cache_breakpoint") => String::from("\"prompt_cache_breakpoint\":{\"mode\":\"explicit\"}"),
        _ => format!("\"cache_control\":{{\"type\":\"ephemeral\"{life}}}"),
    };
    if block.slot == Slot::Text {
        let kind = if now.format == WireFormat::OpenAiResponses { "input_text" } else { "text" };
        let text = doc.text.get(start..end).unwrap_or_default();
        return (start, end, format!("[{{\"type\":\"{kind}\",\"text\":{text},{member}}}]"));
    }
    // Behind the last member, so that white space before the brace stays where it is.
    let inside = doc.text.get(start..end - 1).unwrap_or_default();
    let at = start + inside.trim_end_matches([' ', '\n', '\t', '\r']).len();
    (at, at, format!(",{member}"))
}

/// The text with all edits; where two meet, what goes comes before what is written.
fn apply(text: &str, mut edits: Vec<(usize, usize, String)>) -> String {
    edits.sort_by(|a, b| (a.0, &a.2).cmp(&(b.0, &b.2)));
    let mut out = String::with_capacity(text.len() + 64 * edits.len());
    let mut at = 0;
    for (start, end, new) in edits {
        out.push_str(text.get(at..start).unwrap_or_default());
        out.push_str(&new);
        at = at.max(end);
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}
