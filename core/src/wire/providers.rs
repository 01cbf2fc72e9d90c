//! What providers, profiles and models take: the shapes of the data table, and which row is meant.
//!
//! The rows themselves stand in `core/data/providers.json`, with their date; [`facts`](super::facts) is written from
//! it.

use super::WireFormat;
use super::facts::{FORMATS, MODELS, PROFILES};

/// What an id, or the name of a tool, may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IdRule {
    /// Characters at most.
    pub(crate) max: Option<usize>,
    /// Characters exactly.
    pub(crate) exact: Option<usize>,
    /// ASCII letters, digits and these; none when every character is allowed.
    pub(crate) chars: Option<&'static str>,
    /// ASCII letters and these may be the first character; none when it is one like the others.
    pub(crate) first: Option<&'static str>,
}

impl IdRule {
    pub(crate) const ANY: IdRule = IdRule { max: None, exact: None, chars: None, first: None };

    /// Whether the id is longer than it may be. Characters are Unicode scalar values.
    pub(crate) fn too_long(&self, id: &str) -> bool {
        // An id of at most that many bytes needs no counting.
        self.max.or(self.exact).is_some_and(|max| id.len() > max && id.chars().nth(max).is_some())
    }

    /// Whether it is of other characters, or shorter, than it has to be.
    pub(crate) fn ill_formed(&self, id: &str) -> bool {
        let foreign = |extra: &str| id.chars().any(|c| !c.is_ascii_alphanumeric() && !extra.contains(c));
        let opens = |extra: &str| id.chars().next().is_some_and(|c| c.is_ascii_alphabetic() || extra.contains(c));
        id.is_empty()
            || self.first.is_some_and(|extra| !opens(extra))
            || self.exact.is_some_and(|exact| id.len() < exact || id.chars().count() < exact)
            || self.chars.is_some_and(foreign)
    }
}

/// The limits of a format.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FormatFacts {
    pub(crate) max_messages: Option<usize>,
    /// Calls in one message.
    pub(crate) max_calls: Option<usize>,
    /// Cache marks in one request.
    pub(crate) max_cache_marks: Option<usize>,
    /// Characters of one text.
    pub(crate) max_text: Option<usize>,
    pub(crate) call_id: IdRule,
    /// The server's ids of items.
    pub(crate) item_id: IdRule,
    /// The names of called tools.
    pub(crate) tool_name: IdRule,
    /// Kinds of blocks and items that are taken and decide nothing here, of servers that speak the format too; others
    /// that the readers do not know are unknown.
    pub(crate) other_blocks: &'static [&'static str],
}

/// A profile: whose rules count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Profile {
    pub(crate) name: &'static str,
    pub(crate) formats: &'static [WireFormat],
    /// The strictest shape that the format's owner documents; else what it accepts.
    pub(crate) strict: bool,
    /// In place of the format's own rule.
    pub(crate) call_id: Option<IdRule>,
    /// No user message may stand right behind results.
    pub(crate) refuses_user_after_result: bool,
    /// The last message may not be an assistant's, unless it says that it is a prefix.
    pub(crate) refuses_assistant_last: bool,
    /// Content may not be null beside calls either.
    pub(crate) refuses_null_content: bool,
    /// No id of a call may come back, in a later turn neither.
    pub(crate) refuses_repeated_call_id: bool,
    /// In thinking mode every assistant message with calls carries its reasoning.
    pub(crate) refuses_lost_reasoning: bool,
}

impl Profile {
    /// The profile of that name, if the format has it.
    pub(crate) fn named(name: &str, format: WireFormat) -> Option<&'static Profile> {
        PROFILES.iter().find(|profile| profile.name == name && profile.formats.contains(&format))
    }

    /// The names of the profiles of a format.
    pub(crate) fn names(format: WireFormat) -> impl Iterator<Item = &'static str> {
        PROFILES.iter().filter(move |profile| profile.formats.contains(&format)).map(|profile| profile.name)
    }
}

/// What is known of a model; nothing where the table does not say.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ModelFacts {
    /// Parts of names, such as `claude-opus-4-5`; see [`names`].
    pub(crate) matches: &'static [&'static str],
    /// The last message may be an assistant's, to be continued.
    pub(crate) prefill: Option<bool>,
    /// It can be asked to think by hand (`enabled`), and then wants its thinking back in the open turn.
    pub(crate) manual_thinking: Option<bool>,
    /// Its thinking is bound to everything before it.
    pub(crate) preserved_thinking: Option<bool>,
    /// System messages may stand between others.
    pub(crate) system_messages: Option<bool>,
    /// The first call of every step of the open turn carries a signature.
    pub(crate) signed_calls: Option<bool>,
    /// It thinks, and wants the text back as `reasoning_content`.
    pub(crate) reasoning_content: Option<bool>,
    /// Prompts of fewer tokens are not cached.
    pub(crate) cache_minimum_tokens: Option<usize>,
}

impl ModelFacts {
    pub(crate) const UNKNOWN: ModelFacts = ModelFacts {
        matches: &[],
        prefill: None,
        manual_thinking: None,
        preserved_thinking: None,
        system_messages: None,
        signed_calls: None,
        reasoning_content: None,
        cache_minimum_tokens: None,
    };

    /// The first row whose name fits the model.
    pub(crate) fn of(model: Option<&str>) -> &'static ModelFacts {
        let row = model.and_then(|model| MODELS.iter().find(|row| row.matches.iter().any(|name| names(name, model))));
        row.unwrap_or(&ModelFacts::UNKNOWN)
    }
}

impl WireFormat {
    /// The limits of this format.
    pub(crate) fn facts(self) -> &'static FormatFacts {
        let at = match self {
            WireFormat::OpenAiChat => 0,
            WireFormat::OpenAiResponses => 1,
            WireFormat::Anthropic => 2,
            WireFormat::Gemini => 3,
            WireFormat::Bedrock => 4,
        };
        // One row for every format.
        &FORMATS[at]
    }
}

/// Whether `model` is one of the models that `pattern` names.
///
/// Both are words between `-`, `.`, `/`, `:`, `@` and `_`; the words of the pattern have to stand next to each other in
/// the name, in any case. `3+` is a number of at most three digits from 3 on: a date is no version.
pub(crate) fn names(pattern: &str, model: &str) -> bool {
    fn words(name: &str) -> impl Iterator<Item = &str> + Clone {
        name.split(['-', '.', '/', ':', '@', '_'])
    }
    let mut rest = words(model);
    loop {
        let mut found = rest.clone();
        if words(pattern).all(|wanted| found.next().is_some_and(|word| fits(wanted, word))) {
            return true;
        }
        if rest.next().is_none() {
            return false;
        }
    }
}

fn fits(wanted: &str, word: &str) -> bool {
    match wanted.strip_suffix('+') {
        None => wanted.eq_ignore_ascii_case(word),
        Some(least) => {
            let number = |digits: &str| if digits.len() <= 3 { digits.parse::<u16>().ok() } else { None };
            matches!((number(least), number(word)), (Some(least), Some(number)) if number >= least)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_by_the_parts_of_their_names() {
        let prefill = |model| ModelFacts::of(Some(model)).prefill;
        for (model, wanted) in [
            ("claude-sonnet-4-5", Some(true)),
            ("claude-haiku-4-5-20251001", Some(true)),
            ("claude-3-5-haiku-latest", Some(true)),
            ("us.anthropic.claude-sonnet-4-20250514-v1:0", Some(true)),
            ("anthropic/claude-sonnet-4.6", Some(false)),
            ("claude-opus-4-9", Some(false)),
            ("Claude-Opus-5-20260801", Some(false)),
            ("anthropic.claude", None),
            ("gpt-5", None),
            ("", None),
        ] {
            assert_eq!(prefill(model), wanted, "{model}");
        }
        let bound = |model| ModelFacts::of(Some(model)).preserved_thinking;
        assert_eq!(bound("claude-fable-5"), Some(false));
        assert_eq!(bound("claude-fable-5-20260401"), Some(false));
        assert_eq!(bound("claude-fable-5.2"), Some(true));
        assert_eq!(bound("claude-opus-5-5-20260930"), Some(true));
        let signed = |model| ModelFacts::of(Some(model)).signed_calls;
        assert_eq!(signed("models/gemini-3.1-pro-preview"), Some(true));
        assert_eq!(signed("gemini-2.5-flash"), Some(false));
        assert_eq!(ModelFacts::of(None).prefill, None);
    }

    #[test]
    fn ids() {
        let rule = IdRule { max: Some(4), exact: None, chars: Some("_"), first: None };
        assert!(!rule.too_long("abcd") && rule.too_long("abcde") && !rule.too_long("éééé"));
        assert!(rule.ill_formed("") && rule.ill_formed("a-b") && !rule.ill_formed("a_1"));
        let nine = IdRule { max: None, exact: Some(9), chars: Some(""), first: None };
        assert!(nine.ill_formed("abc") && nine.too_long("abcdefghij") && !nine.ill_formed("abcdefgh1"));
        let name = IdRule { max: None, exact: None, chars: Some("_.1"), first: Some("_") };
        assert!(name.ill_formed("1a") && name.ill_formed(".a") && !name.ill_formed("_a.1") && !name.ill_formed("a1"));
        assert!(!IdRule::ANY.ill_formed("call 1") && !IdRule::ANY.too_long("x"));
    }
}
