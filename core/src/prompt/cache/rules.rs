//! The rules of caches: the shapes of the data table, and which row is meant.
//!
//! The rows stand in `core/data/cache.json`, each with its source and date; [`table`](super::table) is written from it.

use core::fmt;

use super::table::{AS_OF, MODELS, RULES};
use crate::error::Error;
use crate::wire::{ModelFacts, WireFormat, names};

/// What a cache stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stores {
    /// Every prefix, by itself: the longest common one is read.
    Prefix,
    /// The prefixes that end at a mark.
    Marks,
    /// An object that was made before, read whole.
    Object,
}

/// What breaks first. A change at one level breaks all behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    Tools,
    System,
    Messages,
}

/// How long an entry lives and what storing it costs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Life {
    /// As a mark asks for it: `5m`, `1h`.
    pub(crate) name: &'static str,
    pub(crate) seconds: u64,
    /// In thousandths of the price of a fresh token.
    pub(crate) write: u64,
}

/// A member of the request that breaks a level of the prompt when it changes, and all behind it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting {
    /// A member of the body, or `@images` (whether there are any), `@citations` (whether any document asks for them).
    pub(crate) name: &'static str,
    /// A member of that member; empty for the whole.
    pub(crate) inner: &'static str,
    /// What it says where it is missing, as JSON.
    pub(crate) usual: &'static str,
    pub(crate) level: Level,
}

/// One row: how one provider caches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rule {
    pub(crate) name: &'static str,
    pub(crate) stores: Stores,
    pub(crate) source: &'static str,
    pub(crate) dated: &'static str,
    /// Tokens below which nothing is stored, unless the table of models says otherwise.
    pub(crate) minimum: usize,
    /// Tokens in which a length above the minimum grows.
    pub(crate) step: usize,
    /// Thousandths of the price of a fresh token.
    pub(crate) read: u64,
    /// Seconds for which an entry is there.
    pub(crate) sure_for: Option<u64>,
    /// Seconds after which it is not.
    pub(crate) gone_after: Option<u64>,
    /// How many positions back from a mark an entry is found, the mark's own counted; any number where it is not said.
    pub(crate) look_back: Option<usize>,
    /// The member that is a mark.
    pub(crate) mark: Option<&'static str>,
    pub(crate) max_marks: usize,
    /// The end of the last message is marked by itself.
    pub(crate) marks_last_message: bool,
    /// The server marks the results of its own tools by itself.
    pub(crate) server_results: bool,
    /// Nothing is promised: the length is between nothing and the common prefix.
    pub(crate) unsure: bool,
    /// The last token is computed even when all are cached. These caches are the host's own.
    pub(crate) recomputes: bool,
    /// The only types of blocks that may carry a mark; all where it is empty.
    pub(crate) carry: &'static [&'static str],
    /// Types of blocks that may not.
    pub(crate) refuse: &'static [&'static str],
    /// Types of tools that are part of the system prompt.
    pub(crate) system_tools: &'static [&'static str],
    /// Whose blocks carry none.
    pub(crate) unmarked_roles: &'static [&'static str],
    /// Where marks may stand.
    pub(crate) levels: &'static [Level],
    pub(crate) lives: &'static [Life],
    pub(crate) settings: &'static [Setting],
}

impl Rule {
    /// The life that a mark asks for; the first one where it asks for none.
    pub(crate) fn life(&self, name: Option<&str>) -> Option<&'static Life> {
        match name {
            Some(name) => self.lives.iter().find(|life| life.name == name),
            None => self.lives.first(),
        }
    }

    /// Tokens below which this model stores nothing.
    pub(crate) fn minimum_of(&self, model: Option<&str>) -> usize {
        let known = ModelFacts::of(model).cache_minimum_tokens.filter(|_| !self.recomputes);
        known.unwrap_or(self.minimum)
    }

    /// What a token read from the cache costs.
    pub(crate) fn read_of(&self, model: Option<&str>) -> u64 {
        Model::of(model, |row| row.read).unwrap_or(self.read)
    }

    /// The tokens that are served when that many are common.
    pub(crate) fn stepped(&self, common: usize, minimum: usize) -> usize {
        match common.checked_sub(minimum) {
            Some(more) => common - more % self.step.max(1),
            None => 0,
        }
    }
}

/// What the table says of models beside `providers.json`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Model {
    pub(crate) matches: &'static [&'static str],
    pub(crate) rules: Option<&'static str>,
    pub(crate) read: Option<u64>,
    /// Thinking of earlier turns stays in the prompt.
    pub(crate) keeps_thinking: Option<bool>,
}

impl Model {
    /// What the first row of that model says that says something.
    pub(crate) fn of<T>(model: Option<&str>, fact: impl Fn(&Model) -> Option<T>) -> Option<T> {
        let model = model?;
        MODELS.iter().filter(|row| row.matches.iter().any(|name| names(name, model))).find_map(fact)
    }
}

/// How a provider (or a server of your own) caches prompts: a row of a dated table.
///
/// ```
/// use haversack::CacheRules;
///
/// assert_eq!(CacheRules::named("anthropic")?.name(), "anthropic");
/// assert!(CacheRules::named("openai/auto")?.source().contains("1,024"));
/// # Ok::<(), haversack::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct CacheRules(pub(super) &'static Rule);

impl CacheRules {
    /// Every row.
    pub fn all() -> impl ExactSizeIterator<Item = CacheRules> {
        RULES.iter().map(CacheRules)
    }

    /// The row of that name: `openai/auto`, `openai/breakpoint`, `anthropic`, `bedrock`, `gemini/implicit`,
    /// `gemini/explicit`, `vllm` or `sglang`.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidOption`](crate::ErrorKind::InvalidOption) for argument `rules`: no such row.
    pub fn named(name: &str) -> Result<CacheRules, Error> {
        CacheRules::all().find(|rules| rules.name() == name).ok_or_else(|| {
            let name = crate::wording::quoted_part(name);
            Error::option("rules", alloc::format!("no cache rules are named \"{name}\""))
        })
    }

    /// The row by which the owner of a format caches prompts of a model; none where no rule is published for it.
    pub fn of(format: WireFormat, model: Option<&str>) -> Option<CacheRules> {
        let name = match format {
            WireFormat::Anthropic => "anthropic",
            WireFormat::Bedrock => "bedrock",
            WireFormat::Gemini => "gemini/implicit",
            WireFormat::OpenAiChat | WireFormat::OpenAiResponses => Model::of(model, |row| row.rules)?,
        };
        CacheRules::all().find(|rules| rules.name() == name)
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        self.0.name
    }

    /// Where the rule was published, in words.
    pub const fn source(self) -> &'static str {
        self.0.source
    }

    /// When that was read: year and month.
    pub const fn dated(self) -> &'static str {
        self.0.dated
    }

    /// The date of the whole table.
    pub const fn as_of() -> &'static str {
        AS_OF
    }

    /// The format that owns the marks of these rules, where one does: taken where a body does not tell.
    pub(super) fn format(self) -> Option<WireFormat> {
        match self.0.mark {
            Some("cache_control") => Some(WireFormat::Anthropic),
            Some("cachePoint") => Some(WireFormat::Bedrock),
            _ => None,
        }
    }
}

impl PartialEq for CacheRules {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for CacheRules {}

impl fmt::Debug for CacheRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CacheRules({})", self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_by_format_and_model() {
        let name = |format, model| CacheRules::of(format, model).map(CacheRules::name);
        assert_eq!(name(WireFormat::OpenAiChat, Some("gpt-4o-mini")), Some("openai/auto"));
        assert_eq!(name(WireFormat::OpenAiResponses, Some("openai/gpt-5.6-luna")), Some("openai/breakpoint"));
        assert_eq!(name(WireFormat::OpenAiResponses, Some("gpt-5.2")), Some("openai/auto"));
        assert_eq!(name(WireFormat::OpenAiChat, Some("grok-4.3")), None);
        assert_eq!(name(WireFormat::OpenAiChat, Some("gpt-oss-120b")), None);
        assert_eq!(name(WireFormat::OpenAiChat, Some("anthropic/claude-sonnet-5")), Some("anthropic"));
        assert_eq!(name(WireFormat::Bedrock, None), Some("bedrock"));
        let rule = |name| CacheRules::named(name).unwrap().0;
        assert_eq!(rule("anthropic").minimum_of(Some("claude-haiku-4-5")), 4096);
        assert_eq!(rule("anthropic").read_of(Some("claude-opus-5-5-20260901")), 50);
        assert_eq!(rule("anthropic").read_of(Some("claude-sonnet-4-5")), 100);
        assert_eq!(rule("vllm").minimum_of(Some("gpt-4o")), 16);
        let auto = rule("openai/auto");
        assert_eq!([1023, 1024, 1151, 1152, 1500].map(|n| auto.stepped(n, 1024)), [0, 1024, 1024, 1152, 1408]);
        assert_eq!([15, 16, 100].map(|n| rule("vllm").stepped(n, 16)), [0, 16, 96]);
        assert!(CacheRules::all().all(|rules| rules.dated().len() == 7 && !rules.source().is_empty()));
    }
}
