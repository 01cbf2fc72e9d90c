//! Until the table of facts is here.
use crate::wire::WireFormat;

#[derive(Clone, Copy)]
pub(super) struct IdRule {
    pub(super) max: Option<usize>,
    pub(super) chars: Option<&'static str>,
}

impl IdRule {
    pub(super) fn too_long(&self, id: &str) -> bool {
        self.max.is_some_and(|max| id.chars().count() > max)
    }

    pub(super) fn ill_formed(&self, id: &str) -> bool {
        let foreign = |extra: &str| id.chars().any(|c| !c.is_ascii_alphanumeric() && !extra.contains(c));
        id.is_empty() || self.chars.is_some_and(foreign)
    }
}

pub(super) struct FormatFacts {
    pub(super) max_cache_marks: Option<usize>,
    pub(super) call_id: IdRule,
}

pub(super) fn facts(format: WireFormat) -> FormatFacts {
    let (max_cache_marks, max, chars) = match format {
        WireFormat::OpenAiChat => (None, Some(40), None),
        WireFormat::OpenAiResponses => (None, Some(64), None),
        WireFormat::Anthropic => (Some(4), None, Some("_-")),
        WireFormat::Gemini => (None, None, None),
        WireFormat::Bedrock => (Some(4), Some(64), Some("_.:-")),
    };
    FormatFacts { max_cache_marks, call_id: IdRule { max, chars } }
}

pub(super) struct ModelFacts {
    pub(super) signed_calls: Option<bool>,
    pub(super) preserved_thinking: Option<bool>,
    pub(super) prefill: Option<bool>,
}

impl ModelFacts {
    pub(super) fn of(model: Option<&str>) -> ModelFacts {
        let signed = model.is_some_and(|model| model.contains("gemini-3"));
        let preserved = model.is_some_and(|model| model.contains("fable-5-1"));
        ModelFacts { signed_calls: Some(signed), preserved_thinking: Some(preserved), prefill: None }
    }
}
