//! `haversack_predict` and `haversack_cache_marks`: what a provider's cache serves, and where its marks belong.

use haversack::prompt::CacheReason;
use haversack::{CacheMark, CacheMarks, CacheRules, MarkOptions, MarkReason, PredictOptions, cache_marks, predict};

use crate::boundary::{Outcome, free_handle, into_handle};
use crate::choices::{chosen_or_default, name_of};
use crate::delivery::write_part;
use crate::error::haversack_error;
use crate::history::fill;
use crate::limits::{haversack_limits, limits_of};
use crate::measure::{haversack_counter, needed_counter_of};
use crate::sized;
use crate::status::haversack_status;
use crate::text::haversack_str;

/// Why as much is read from the cache as is. More may come: treat others as `UNKNOWN`.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_cache_reason {
    /// One that this header does not know.
    HAVERSACK_CACHE_UNKNOWN = 0,
    /// Something is read.
    HAVERSACK_CACHE_HIT = 1,
    /// There was no request before.
    HAVERSACK_CACHE_FIRST = 2,
    /// The request before stored nothing that this one could read: no mark, or a request too short.
    HAVERSACK_CACHE_NOTHING_STORED = 3,
    /// The prompts part before the first entry.
    HAVERSACK_CACHE_CHANGED = 4,
    /// What is common is shorter than the provider stores.
    HAVERSACK_CACHE_BELOW_MINIMUM = 5,
    /// The entry is further back than a mark reaches.
    HAVERSACK_CACHE_OUT_OF_REACH = 6,
    /// The entry is too old.
    HAVERSACK_CACHE_EXPIRED = 7,
}

/// What a cache mark is there for. More may come: treat others as `UNKNOWN`.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum haversack_mark_reason {
    /// One that this header does not know.
    HAVERSACK_MARK_REASON_UNKNOWN = 0,
    /// The end of the tools: they survive a change of the system prompt.
    HAVERSACK_MARK_REASON_TOOLS = 1,
    /// The end of the system prompt: it survives a cut history.
    HAVERSACK_MARK_REASON_SYSTEM = 2,
    /// Where the previous request was stored, too far back for the mark at the tail.
    HAVERSACK_MARK_REASON_ANCHOR = 3,
    /// The last block that will be there again.
    HAVERSACK_MARK_REASON_TAIL = 4,
}

/// How a provider (or a server of your own) caches prompts: a row of a dated table. Its texts are static.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_cache_rules {
    /// `openai/auto`, `openai/breakpoint`, `anthropic`, `bedrock`, `gemini/implicit`, `gemini/explicit`, `vllm` or
    /// `sglang`.
    pub name: haversack_str,
    /// Where the rule was published, in words.
    pub source: haversack_str,
    /// When that was read: year and month.
    pub dated: haversack_str,
}

/// What is served from the cache, and what it costs: `cached + written + fresh = total`, in tokens of the counter.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_prediction {
    /// Tokens read from the cache, as the published rule has it.
    pub cached: usize,
    /// At least so many: less than `cached` where the provider promises nothing, or an entry may have gone.
    pub cached_min: usize,
    /// At most so many.
    pub cached_max: usize,
    /// Tokens stored at the price of writing; 0 where storing is free.
    pub written: usize,
    /// Tokens at the usual price.
    pub fresh: usize,
    /// Tokens of the prompt, a stored object included.
    pub total: usize,
    /// The bill, in thousandths of the price of one fresh input token. Storage by the hour is not in it.
    pub billed: u64,
    /// The name of the rules that were applied. Static.
    pub rules: haversack_str,
    /// A `haversack_cache_reason`.
    pub reason: u32,
    /// Always 0.
    pub reserved: u32,
}

/// Options of `haversack_predict`; `counter` has to be given. A number with another default than 0 is given by pointing
/// to it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_predict_options {
    /// `sizeof(haversack_predict_options)`; 0 is read as that of the first version.
    pub size: usize,
    /// Counts each block on its own; the counts are summed.
    pub counter: *const haversack_counter,
    /// The rules by name. Default: those of the format and the model of the next request.
    pub rules: haversack_str,
    /// Seconds from the start of the previous request to the start of this one. Default: 0.
    pub elapsed: u64,
    /// Seconds that entries live whose mark does not say it. Default: NULL, what the table says.
    pub ttl: *const u64,
    /// A `haversack_wire_format`, of both requests. Default: what they show.
    pub format: u32,
    /// Reserved: 0.
    pub reserved: u32,
    /// Other limits than those of the library for both requests, here depth. Default: NULL.
    pub limits: *const haversack_limits,
}

/// Options of `haversack_cache_marks`. `{0}` is all defaults; a number with another default than 0 is given by pointing
/// to it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_mark_options {
    /// `sizeof(haversack_mark_options)`; 0 is read as that of the first version.
    pub size: usize,
    /// The rules by name. Default: those of the format and the model of the request.
    pub rules: haversack_str,
    /// At most so many marks. Default: NULL, as many as the rules allow.
    pub most: *const usize,
    /// The life that marks in the messages ask for, such as `1h`. Default: they ask for none.
    pub life: haversack_str,
    /// The life that marks behind tools and system ask for; not shorter than that of the messages. Default: theirs.
    pub head_life: haversack_str,
    /// So many of the last messages are other ones in every request: no mark is wasted on them. Default: 0.
    pub changing: usize,
    /// A `haversack_wire_format`. Default: what the request shows.
    pub format: u32,
    /// Reserved: 0.
    pub reserved: u32,
    /// Other limits than those of the library for the request and the previous one, here depth. Default: NULL.
    pub limits: *const haversack_limits,
}

/// Where marks belong, and the body that has them there. It never changes, so threads may read it at once, and it needs
/// the bodies no more.
#[derive(Debug)]
pub struct haversack_mark_plan(CacheMarks);

/// One mark of a plan. Its texts live as long as the plan.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct haversack_cache_mark {
    /// JSON Pointer to the block that it closes, in the body as it was given.
    pub pointer: haversack_str,
    /// The life that it asks for; absent for the usual one.
    pub life: haversack_str,
    /// The message, by its place in the list from 0; 0 where `has_message` is 0.
    pub message: usize,
    /// The block, by its place in its list; 0 where the content is one string.
    pub block: usize,
    /// A `haversack_mark_reason`.
    pub reason: u32,
    /// 1 when it stands in a message, 0 on tools and system.
    pub has_message: u32,
}

/// Predicts what the provider of `next` reads from its cache, `previous` having gone before it; absent when nothing
/// has. Both bodies are read once; time and memory are linear in them. Images, files and signatures count nothing.
///
/// Errors: `HAVERSACK_INVALID_OPTION` for argument `rules` when there are none of that name, or none is published for
/// the model and none was named, and for `counter` when there is none; what reading a request can give;
/// `HAVERSACK_FORBIDDEN_MARK` for a mark that the rules refuse in `next`, with the piece; what the counter reports.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_predict(
    previous: haversack_str,
    next: haversack_str,
    options: *const haversack_predict_options,
    out_prediction: *mut haversack_prediction,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_prediction), {
        // SAFETY: by contract all that the caller handed over is valid for the call, and the output is not null.
        unsafe {
            let (previous, next) = (previous.optional_bytes("previous")?, next.bytes("next")?);
            let given = sized::read(options, "options")?;
            let counter = needed_counter_of(given.counter)?;
            let mut options = PredictOptions::new(&*counter).elapsed(given.elapsed);
            if let Some(rules) = rules_of(given.rules)? {
                options = options.rules(rules);
            }
            if let Some(ttl) = given.ttl.as_ref() {
                options = options.ttl(*ttl);
            }
            if let Some(format) = chosen_or_default(given.format, "format")? {
                options = options.format(format);
            }
            let told = predict(previous, next, &options.limits(limits_of(given.limits)?))?;
            out_prediction.write(haversack_prediction {
                cached: told.cached,
                cached_min: told.cached_min,
                cached_max: told.cached_max,
                written: told.written,
                fresh: told.fresh,
                total: told.total,
                billed: told.billed,
                rules: haversack_str::of(told.rules.name()),
                reason: told.reason.code(),
                reserved: 0,
            });
        }
        Ok(())
    })
}

/// Places the cache marks of a request: behind the tools, behind the system prompt, at the last block that stays, and
/// where `previous` (absent: there was none) was stored when that is too far back to be found from there. Marks that
/// stand already are replaced. Time and memory are linear in both bodies. `options` may be NULL. Doing it again changes
/// nothing.
///
/// On success `*out_plan` is to be freed with `haversack_mark_plan_free`. Errors: `HAVERSACK_INVALID_OPTION` for
/// `rules` when they know no marks, there are none of that name, or none is published for the model, for `life` and
/// `head_life` when the rules have no such life or the head would live shorter than the tail; what reading a request
/// can give.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_cache_marks(
    body: haversack_str,
    previous: haversack_str,
    options: *const haversack_mark_options,
    out_plan: *mut *mut haversack_mark_plan,
    out_error: *mut *mut haversack_error,
) -> haversack_status {
    boundary!(call out_error, writes(out_plan), {
        // SAFETY: by contract all that the caller handed over is valid for the call, and the output is not null.
        unsafe {
            let (body, previous) = (body.bytes("body")?, previous.optional_bytes("previous")?);
            let given = sized::read(options, "options")?;
            let mut options = MarkOptions::new().changing(given.changing);
            if let Some(rules) = rules_of(given.rules)? {
                options = options.rules(rules);
            }
            if let Some(most) = given.most.as_ref() {
                options = options.most(*most);
            }
            if let Some(life) = given.life.optional("life")? {
                options = options.life(life);
            }
            if let Some(life) = given.head_life.optional("head_life")? {
                options = options.head_life(life);
            }
            if let Some(format) = chosen_or_default(given.format, "format")? {
                options = options.format(format);
            }
            let options = options.limits(limits_of(given.limits)?);
            out_plan.write(into_handle(haversack_mark_plan(cache_marks(body, previous, &options)?)));
        }
        Ok(())
    })
}

/// Frees a plan of marks, on any thread. NULL does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_mark_plan_free(plan: *mut haversack_mark_plan) {
    // SAFETY: by contract null or ours, freed once.
    boundary!(plain(), { unsafe { free_handle(plan) } });
}

/// The body with these marks and no others; everything else is its own bytes. Lives as long as the plan.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_mark_plan_text(plan: *const haversack_mark_plan) -> haversack_str {
    boundary!(get plan => haversack_str::of(&plan.0.text), or haversack_str::NONE)
}

/// The name of the rules that were applied. Static.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_mark_plan_rules(plan: *const haversack_mark_plan) -> haversack_str {
    boundary!(get plan => haversack_str::of(plan.0.rules.name()), or haversack_str::NONE)
}

/// How many marks there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_mark_plan_count(plan: *const haversack_mark_plan) -> usize {
    boundary!(get plan => plan.0.marks.len(), or 0)
}

/// The mark of that number, from 0, in the order of the request. False, and nothing written, past the end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_mark_plan_mark(
    plan: *const haversack_mark_plan,
    index: usize,
    out_mark: *mut haversack_cache_mark,
) -> bool {
    boundary!(get plan => write_part(plan.0.marks.get(index), out_mark, mark_view), or false)
}

/// Writes the first `capacity` marks that were wanted where no block may carry one, a `haversack_mark_reason` each, to
/// `reasons` and answers how many there are. `reasons` may be NULL with capacity 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_mark_plan_unplaced(
    plan: *const haversack_mark_plan,
    reasons: *mut u32,
    capacity: usize,
) -> usize {
    boundary!(get plan => {
        let all = &plan.0.unplaced;
        // SAFETY: by contract `reasons` covers `capacity` entries.
        unsafe { fill(reasons, capacity, all.iter().copied().map(MarkReason::code)) };
        all.len()
    }, or 0)
}

/// How many rows the table of cache rules has.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_cache_rules_count() -> usize {
    boundary!(plain 0, { CacheRules::all().count() })
}

/// The row of that number, from 0, of the table of cache rules. False, and nothing written, past the end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_cache_rules_get(index: usize, out_rules: *mut haversack_cache_rules) -> bool {
    boundary!(plain false, { write_part(CacheRules::all().nth(index).as_ref(), out_rules, |rules| rules_view(*rules)) })
}

/// The row by which the owner of a `haversack_wire_format` caches prompts of a model (absent: of one that is not
/// known). False, and nothing written, where no rule is published for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn haversack_cache_rules_of(
    format: u32,
    model: haversack_str,
    out_rules: *mut haversack_cache_rules,
) -> bool {
    boundary!(plain false, {
        // SAFETY: by contract the name is valid for the call.
        let model = unsafe { model.optional("model") };
        let format = chosen_or_default(format, "format");
        let rules = match (format, model) {
            (Ok(Some(format)), Ok(model)) => CacheRules::of(format, model),
            _ => None,
        };
        write_part(rules.as_ref(), out_rules, |rules| rules_view(*rules))
    })
}

/// The date of the whole table of cache rules. Static.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_cache_rules_as_of() -> haversack_str {
    boundary!(plain haversack_str::NONE, { haversack_str::of(CacheRules::as_of()) })
}

/// The name of a `haversack_cache_reason`, such as `hit`; absent for a number that is none. Static.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_cache_reason_name(reason: u32) -> haversack_str {
    boundary!(plain haversack_str::NONE, { name_of::<CacheReason>(reason) })
}

/// The name of a `haversack_mark_reason`, such as `tail`; absent for a number that is none. Static.
#[unsafe(no_mangle)]
pub extern "C" fn haversack_mark_reason_name(reason: u32) -> haversack_str {
    boundary!(plain haversack_str::NONE, { name_of::<MarkReason>(reason) })
}

/// The rules of that name.
///
/// # Safety
/// As [`haversack_str::bytes`].
unsafe fn rules_of(name: haversack_str) -> Outcome<Option<CacheRules>> {
    // SAFETY: by contract.
    let name = unsafe { name.optional("rules")? };
    Ok(name.map(CacheRules::named).transpose()?)
}

fn rules_view(rules: CacheRules) -> haversack_cache_rules {
    haversack_cache_rules {
        name: haversack_str::of(rules.name()),
        source: haversack_str::of(rules.source()),
        dated: haversack_str::of(rules.dated()),
    }
}

fn mark_view(mark: &CacheMark) -> haversack_cache_mark {
    haversack_cache_mark {
        pointer: haversack_str::of(&mark.pointer),
        life: haversack_str::of_option(mark.life.as_deref()),
        message: mark.message.unwrap_or(0),
        block: mark.block,
        reason: mark.reason.code(),
        has_message: mark.message.is_some().into(),
    }
}

versioned!(haversack_predict_options {
    size, counter, rules, elapsed, ttl, format, reserved, limits
} first: limits, reserved: reserved);

versioned!(haversack_mark_options {
    size, rules, most, life, head_life, changing, format, reserved, limits
} first: limits, reserved: reserved);
