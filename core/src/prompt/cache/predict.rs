//! What a provider serves from its cache: tokens read, written and fresh, and the bill.

use alloc::vec::Vec;

use super::blocks::{Block, Layout, layout};
use super::forbidden::check_marks;
use super::rules::{CacheRules, Level, Life, Rule, Stores};
use crate::error::Error;
use crate::limits::Limits;
use crate::measure::TokenCounter;
use crate::prompt::strip::Source;
use crate::wire::WireFormat;

/// How [`predict`] counts, and what it knows of the time between the two requests.
#[derive(Clone, Copy)]
pub struct PredictOptions<'a> {
    counter: &'a dyn TokenCounter,
    rules: Option<CacheRules>,
    elapsed: u64,
    ttl: Option<u64>,
    format: Option<WireFormat>,
    limits: Limits,
}

impl<'a> PredictOptions<'a> {
    /// With a counter: each block is counted on its own and the counts are summed, so that the cost is linear.
    pub const fn new(counter: &'a dyn TokenCounter) -> Self {
        PredictOptions { counter, rules: None, elapsed: 0, ttl: None, format: None, limits: Limits::DEFAULT }
    }

    /// By these rules. Default: those of the format and the model that the next request names.
    #[must_use]
    pub const fn rules(mut self, rules: CacheRules) -> Self {
        self.rules = Some(rules);
        self
    }

    /// Seconds from the start of the previous request to the start of this one. Default: 0.
    #[must_use]
    pub const fn elapsed(mut self, seconds: u64) -> Self {
        self.elapsed = seconds;
        self
    }

    /// Seconds that entries live whose mark does not say it. Default: what the table says.
    #[must_use]
    pub const fn ttl(mut self, seconds: u64) -> Self {
        self.ttl = Some(seconds);
        self
    }

    /// The format of both requests. Default: what they show.
    #[must_use]
    pub const fn format(mut self, format: WireFormat) -> Self {
        self.format = Some(format);
        self
    }

    /// Other limits for both requests: how deep they may be nested.
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }
}

impl core::fmt::Debug for PredictOptions<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("PredictOptions")
            .field("rules", &self.rules)
            .field("elapsed", &self.elapsed)
            .field("ttl", &self.ttl)
            .field("format", &self.format)
            .finish_non_exhaustive()
    }
}

kinds! {
    /// Why as much is read from the cache as is.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum CacheReason;

    /// Something is read.
    Hit = 1, "hit";
    /// There was no request before.
    First = 2, "first";
    /// The request before stored nothing that this one could read: no mark, or a request too short.
    NothingStored = 3, "nothing_stored";
    /// The prompts part before the first entry.
    Changed = 4, "changed";
    /// What is common is shorter than the provider stores.
    BelowMinimum = 5, "below_minimum";
    /// The entry is further back than a mark reaches.
    OutOfReach = 6, "out_of_reach";
    /// The entry is too old.
    Expired = 7, "expired";
}

/// What is served from the cache, and what it costs. `cached + written + fresh = total`, in tokens of the counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Prediction {
    /// Tokens read from the cache, as the published rule has it.
    pub cached: usize,
    /// At least so many. Less than `cached` where the provider promises nothing, or an entry may have gone.
    pub cached_min: usize,
    /// At most so many.
    pub cached_max: usize,
    /// Tokens stored at the price of writing; 0 where storing is free.
    pub written: usize,
    /// Tokens at the usual price.
    pub fresh: usize,
    /// Tokens of the prompt, a stored object included.
    pub total: usize,
    /// The bill, in thousandths of the price of one fresh input token: reads at the model's rate, writes at that of
    /// their life, the rest at 1,000. Storage by the hour (Gemini) is not in it.
    pub billed: u64,
    /// Why it is so much.
    pub reason: CacheReason,
    /// The rules that were applied.
    pub rules: CacheRules,
}

/// Predicts what the provider of `next` reads from its cache, `previous` having gone before it (`None`: nothing has).
///
/// Tokens are counted block by block and summed; images, files and signatures count nothing. Both bodies are read once:
/// time and memory are linear in them.
///
/// # Errors
/// [`ErrorKind::InvalidOption`](crate::ErrorKind::InvalidOption) for argument `rules` when no rule is published for the
/// model of `next` and none was named; what reading a request can give (`invalid_utf8`, `invalid_json`, `too_deep`,
/// `not_a_history`, `mixed_formats`); [`ErrorKind::ForbiddenMark`](crate::ErrorKind::ForbiddenMark) with the `piece`
/// for a mark that the rules refuse in `next`, which its provider would answer with an error; what the counter reports.
///
/// # Example: what a changed tool choice costs
/// ```
/// use haversack::{CacheRules, PredictOptions, measure, predict};
///
/// let body = |choice: &str| format!(
///     r#"{{"model":"claude-sonnet-4-5","tool_choice":{{"type":"{choice}"}},
///     "system":[{{"type":"text","text":"{}","cache_control":{{"type":"ephemeral"}}}}],
///     "messages":[{{"role":"user","content":"hello"}}]}}"#, "Be kind. ".repeat(1000));
/// let options = PredictOptions::new(measure::named("estimate")?).rules(CacheRules::named("anthropic")?);
/// let same = predict(Some(&body("auto")), &body("auto"), &options)?;
/// let other = predict(Some(&body("auto")), &body("any"), &options)?;
/// assert!(same.cached > 1_024 && same.cached == other.cached);   // the mark stands on the system prompt
/// assert_eq!(same.cached + same.written + same.fresh, same.total);
/// # Ok::<(), haversack::Error>(())
/// ```
pub fn predict<T: AsRef<[u8]> + ?Sized>(
    previous: Option<&T>,
    next: &T,
    options: &PredictOptions<'_>,
) -> Result<Prediction, Error> {
    let depth = options.limits.depth;
    let doc = Source::checked(next.as_ref(), depth)?;
    let rules = match options.rules {
        Some(rules) => rules,
        None => rules_of(&doc, options.format)?,
    };
    let (named, usual) = (options.format, rules.format());
    let now = layout(&doc, rules.0, named, usual)?;
    check_marks(&doc, rules.0, &now)?;
    let before = previous.map(|body| Source::checked(body.as_ref(), depth)).transpose()?;
    let before = before.as_ref().map(|doc| layout(doc, rules.0, named, usual)).transpose()?;
    let sums = sums(&now.blocks, options.counter)?;
    let served = match (rules.0.stores, &before) {
        (Stores::Object, _) => object(before.as_ref(), &now, options)?,
        (_, None) => Served::nothing(CacheReason::First),
        (Stores::Prefix, Some(before)) => prefix(rules.0, before, &now, &sums, options)?,
        (Stores::Marks, Some(before)) => marks(rules.0, before, &now, &sums, options),
    };
    Ok(bill(rules, &now, &sums, &served))
}

/// The rules of the format and model of a request.
pub(super) fn rules_of(doc: &Source, format: Option<WireFormat>) -> Result<CacheRules, Error> {
    let root = doc.tape.root();
    let format = match format {
        Some(format) => format,
        None => crate::wire::read(&doc.text, &doc.tape, None, None)?.format,
    };
    if format == WireFormat::Gemini && (doc.member(&root, "cachedContent").is_some()) {
        return CacheRules::named("gemini/explicit");
    }
    let model = doc.word(&root, "model");
    CacheRules::of(format, model.as_deref()).ok_or_else(|| {
        let model = crate::wording::quoted_part(model.as_deref().unwrap_or_default());
        Error::option(
            "rules",
            alloc::format!("no rule is published for the model \"{model}\" of this request: name one"),
        )
    })
}

/// What is read, before the rest is told apart.
struct Served {
    cached: usize,
    min: usize,
    max: usize,
    /// Tokens that stand in a stored object and not in the request.
    beside: usize,
    reason: CacheReason,
}

impl Served {
    fn nothing(reason: CacheReason) -> Served {
        Served { cached: 0, min: 0, max: 0, beside: 0, reason }
    }

    fn exactly(cached: usize) -> Served {
        Served { cached, min: cached, max: cached, beside: 0, reason: CacheReason::Hit }
    }
}

/// Tokens up to each block and in all: one more than there are blocks.
fn sums(blocks: &[Block<'_>], counter: &dyn TokenCounter) -> Result<Vec<usize>, Error> {
    let mut sum = 0usize;
    let mut sums = Vec::with_capacity(blocks.len() + 1);
    sums.push(0);
    for block in blocks {
        sum = sum.saturating_add(counter.count(&block.text)?);
        sums.push(sum);
    }
    Ok(sums)
}

/// How many blocks both begin with, settings allowed for.
pub(super) fn common(rule: &Rule, before: &Layout<'_>, now: &Layout<'_>) -> usize {
    let pairs = before.blocks.iter().zip(&now.blocks);
    let mut common = pairs.take_while(|(a, b)| a.equals(b)).count();
    for (setting, (a, b)) in rule.settings.iter().zip(before.settings.iter().zip(&now.settings)) {
        if a != b {
            let broken = now.blocks.iter().position(|block| block.level >= setting.level);
            let first = if setting.level == Level::Tools { 0 } else { broken.unwrap_or(now.blocks.len()) };
            common = common.min(first);
        }
    }
    common
}

/// Caches that store every prefix.
fn prefix(
    rule: &Rule,
    before: &Layout<'_>,
    now: &Layout<'_>,
    sums: &[usize],
    options: &PredictOptions<'_>,
) -> Result<Served, Error> {
    let whole = common(rule, before, now);
    let mut tokens = sums.get(whole).copied().unwrap_or_default();
    let settled = rule.settings.len() == before.settings.iter().zip(&now.settings).filter(|(a, b)| a == b).count();
    if let (true, Some(a), Some(b)) = (settled, before.blocks.get(whole), now.blocks.get(whole))
        && (a.level, a.role) == (b.level, b.role)
        && a.text != b.text
    {
        let inside = a.text.char_indices().zip(b.text.chars()).find(|((_, x), y)| x != y).map(|((at, _), _)| at);
        let shared = inside.unwrap_or(a.text.len().min(b.text.len()));
        tokens = tokens.saturating_add(options.counter.count(b.text.get(..shared).unwrap_or_default())?);
    }
    let total = sums.last().copied().unwrap_or_default();
    if rule.recomputes {
        tokens = tokens.min(total.saturating_sub(1));
    }
    let minimum = rule.minimum_of(now.model.as_deref());
    let cached = rule.stepped(tokens.min(total), minimum);
    let sure = options.ttl.or(rule.sure_for);
    let gone = options.ttl.or(rule.gone_after);
    if gone.is_some_and(|gone| options.elapsed > gone) {
        return Ok(Served::nothing(CacheReason::Expired));
    }
    let promised = !rule.unsure && sure.is_none_or(|sure| options.elapsed <= sure);
    Ok(Served {
        cached,
        min: if promised { cached } else { 0 },
        max: if rule.unsure { tokens } else { cached },
        beside: 0,
        reason: match (cached, tokens) {
            (0, 0) => CacheReason::Changed,
            (0, _) => CacheReason::BelowMinimum,
            _ => CacheReason::Hit,
        },
    })
}

/// An entry: the blocks up to `end`, for so long.
pub(super) struct Entry {
    pub(super) end: usize,
    life: &'static Life,
    /// The life is the one that the table takes where a mark says none.
    usual: bool,
}

/// The marks of a request: those on blocks, that of the whole request, that of the last message.
fn entries(rule: &Rule, layout: &Layout<'_>) -> Vec<Entry> {
    let entry = |end, mark: &Option<alloc::string::String>| {
        let life = rule.life(mark.as_deref()).or(rule.life(None))?;
        Some(Entry { end, life, usual: mark.is_none() })
    };
    let carries = |block: &&Block<'_>| carries(rule, block);
    let mut found: Vec<Entry> = (1..)
        .zip(&layout.blocks)
        .filter_map(|(end, block)| block.mark.as_ref().and_then(|mark| entry(end, mark)))
        .collect();
    let last = layout.blocks.len();
    let moving = match &layout.automatic {
        // It walks back to the last block that may carry one.
        Some(mark) => {
            let end = layout.blocks.iter().rposition(|block| carries(&block)).map(|at| at + 1);
            end.and_then(|end| entry(end, mark))
        }
        None if rule.marks_last_message && !layout.explicit_only && last > 0 => entry(last, &None),
        None => None,
    };
    if let Some(moving) = moving
        && found.iter().all(|entry| entry.end != moving.end)
    {
        found.push(moving);
    }
    found.sort_by_key(|entry| entry.end);
    found
}

/// The entries that a request stores: the latest of its marks, as many as one request can have.
pub(super) fn stored(rule: &Rule, layout: &Layout<'_>) -> Vec<Entry> {
    let mut marks = entries(rule, layout);
    let extra = marks.len().saturating_sub(rule.max_marks);
    marks.drain(..extra);
    marks
}

/// Whether it is any use to mark a block.
pub(super) fn carries(rule: &Rule, block: &Block<'_>) -> bool {
    !rule.unmarked_roles.contains(&block.role) && !block.is_blank() && may_carry(rule, block)
}

/// Whether a mark may stand on a block that says something. What providers say of roles is that such a mark is refused
/// or ignored: it may.
pub(super) fn may_carry(rule: &Rule, block: &Block<'_>) -> bool {
    let kind = &*block.kind;
    let allowed = rule.carry.is_empty() || rule.carry.contains(&kind) || rule.unmarked_roles.contains(&block.role);
    allowed && rule.levels.contains(&block.level) && !rule.refuse.contains(&kind)
}

/// The entries that the server made by itself while it answered: at the results of its own tools, which stand in the
/// turn that follows the previous request.
fn server_entries(rule: &Rule, before: &Layout<'_>, now: &Layout<'_>) -> Vec<Entry> {
    let from = before.blocks.len();
    let Some(life) = rule.life(None).filter(|_| rule.server_results) else { return Vec::new() };
    let turn = now.blocks.iter().enumerate().skip(from).take_while(|(_, block)| block.role == "assistant");
    let results = turn.filter(|(_, block)| block.kind.ends_with("_tool_result"));
    results.map(|(at, _)| Entry { end: at + 1, life, usual: true }).collect()
}

/// Caches that store what ends at a mark.
fn marks(rule: &Rule, before: &Layout<'_>, now: &Layout<'_>, sums: &[usize], options: &PredictOptions<'_>) -> Served {
    let valid = common(rule, before, now);
    let mut entries_before = stored(rule, before);
    let same = valid == before.blocks.len();
    if same {
        entries_before.extend(server_entries(rule, before, now));
    }
    let minimum = rule.minimum_of(now.model.as_deref());
    let ends: Vec<usize> = entries(rule, now).iter().map(|mark| mark.end).collect();
    // A mark reaches back so many positions, its own among them; the next mark behind an entry is the nearest.
    let reached = |end: usize| {
        let next = ends.get(ends.partition_point(|&mark| mark < end));
        next.is_some_and(|mark| rule.look_back.is_none_or(|positions| mark - end < positions))
    };
    let mut best = 0;
    let mut reason = if entries_before.is_empty() { CacheReason::NothingStored } else { CacheReason::Changed };
    for entry in &entries_before {
        if entry.end > valid && !same {
            continue;
        }
        let tokens = sums.get(entry.end).copied().unwrap_or_default();
        let life = options.ttl.filter(|_| entry.usual).unwrap_or(entry.life.seconds);
        let missed = if tokens < minimum {
            Some(CacheReason::BelowMinimum)
        } else if !reached(entry.end) {
            Some(CacheReason::OutOfReach)
        } else if options.elapsed > life {
            Some(CacheReason::Expired)
        } else {
            best = best.max(tokens);
            None
        };
        if best == 0 {
            reason = missed.unwrap_or(reason);
        }
    }
    if best == 0 { Served::nothing(reason) } else { Served::exactly(best) }
}

/// A stored object: read whole, beside the request.
fn object(before: Option<&Layout<'_>>, now: &Layout<'_>, options: &PredictOptions<'_>) -> Result<Served, Error> {
    let Some(before) = before else { return Ok(Served::nothing(CacheReason::First)) };
    let Some(life) = before.makes_object.filter(|_| now.object.is_some() && before.object.is_none()) else {
        return Ok(Served::nothing(CacheReason::NothingStored));
    };
    let tokens = sums(&before.blocks, options.counter)?.last().copied().unwrap_or_default();
    let life = options.ttl.or(life);
    if life.is_some_and(|life| options.elapsed > life) {
        return Ok(Served { beside: tokens, ..Served::nothing(CacheReason::Expired) });
    }
    Ok(Served { beside: tokens, ..Served::exactly(tokens) })
}

/// Tells what is not read into written and fresh, and prices all three.
fn bill(rules: CacheRules, now: &Layout<'_>, sums: &[usize], served: &Served) -> Prediction {
    let rule = rules.0;
    let own = sums.last().copied().unwrap_or_default();
    let total = own.saturating_add(served.beside);
    let minimum = rule.minimum_of(now.model.as_deref());
    let model = now.model.as_deref();
    // Each stretch between what is read and the marks is written at the price of the mark's life; longer lives come
    // first.
    let (mut at, mut writes) = (served.cached, 0u64);
    if rule.stores == Stores::Marks {
        for mark in stored(rule, now) {
            let end = sums.get(mark.end).copied().unwrap_or_default();
            if end >= minimum && end > at {
                writes = writes.saturating_add(price(end - at, mark.life.write));
                at = end;
            }
        }
    }
    let written = at - served.cached;
    let fresh = total.saturating_sub(at);
    let billed = price(served.cached, rule.read_of(model)).saturating_add(writes).saturating_add(price(fresh, 1000));
    Prediction {
        cached: served.cached,
        cached_min: served.min,
        cached_max: served.max,
        written,
        fresh,
        total,
        billed,
        reason: served.reason,
        rules,
    }
}

fn price(tokens: usize, thousandths: u64) -> u64 {
    u64::try_from(tokens).unwrap_or(u64::MAX).saturating_mul(thousandths)
}
