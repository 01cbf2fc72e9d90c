//! The definitions of the reading tools, as the providers want them.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::wording;

kinds! {
    /// Whose form of tool definitions.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Flavour;

    /// `OpenAI` Chat Completions, and everything that speaks it.
    OpenAi = 1, "openai";
    /// Anthropic Messages.
    Anthropic = 2, "anthropic";
    /// Gemini `generateContent`.
    Gemini = 3, "gemini";
    /// Model Context Protocol.
    Mcp = 4, "mcp";
}

pub(super) fn definitions(flavour: Flavour, read: &str, find: &str) -> String {
    let read = Tool { name: read, about: wording::READ_TOOL, parameters: READ };
    let find = Tool { name: find, about: wording::FIND_TOOL, parameters: FIND };
    let both = format!("{},{}", read.definition(flavour), find.definition(flavour));
    match flavour {
        Flavour::Gemini => format!(r#"[{{"functionDeclarations":[{both}]}}]"#),
        Flavour::OpenAi | Flavour::Anthropic | Flavour::Mcp => format!("[{both}]"),
    }
}

struct Tool<'a> {
    name: &'a str,
    about: &'a str,
    parameters: &'static [Parameter],
}

struct Parameter {
    name: &'static str,
    number: bool,
    required: bool,
    about: &'static str,
}

const fn text(name: &'static str, required: bool, about: &'static str) -> Parameter {
    Parameter { name, number: false, required, about }
}

const fn number(name: &'static str, about: &'static str) -> Parameter {
    Parameter { name, number: true, required: false, about }
}

const READ: &[Parameter] = &[
    text("key", true, wording::PARAMETER_KEY),
    text("cursor", false, wording::PARAMETER_CURSOR),
    text("at", false, wording::PARAMETER_AT),
    number("start", wording::PARAMETER_START),
    number("lines", wording::PARAMETER_LINES),
];

const FIND: &[Parameter] = &[
    text("key", true, wording::PARAMETER_KEY),
    text("needle", true, wording::PARAMETER_NEEDLE),
    text("at", false, wording::PARAMETER_AT),
    number("context", wording::PARAMETER_CONTEXT),
    number("limit", wording::PARAMETER_LIMIT),
    text("cursor", false, wording::PARAMETER_CURSOR),
];

impl Tool<'_> {
    fn definition(&self, flavour: Flavour) -> String {
        let (name, about, schema) = (quoted(self.name), quoted(self.about), self.schema(flavour));
        match flavour {
            Flavour::OpenAi => format!(
                r#"{{"type":"function","function":{{"name":{name},"description":{about},"parameters":{schema}}}}}"#
            ),
            Flavour::Anthropic => format!(r#"{{"name":{name},"description":{about},"input_schema":{schema}}}"#),
            Flavour::Gemini => format!(r#"{{"name":{name},"description":{about},"parameters":{schema}}}"#),
            Flavour::Mcp => format!(
                r#"{{"name":{name},"description":{about},"inputSchema":{schema},"annotations":{{"readOnlyHint":true}}}}"#
            ),
        }
    }

    /// JSON Schema; for Gemini the subset that it has, with its own names of types.
    fn schema(&self, flavour: Flavour) -> String {
        let gemini = flavour == Flavour::Gemini;
        let [object, string, integer] =
            if gemini { ["OBJECT", "STRING", "INTEGER"] } else { ["object", "string", "integer"] };
        let closed = if gemini { "" } else { r#","additionalProperties":false"# };
        let properties: Vec<String> = self
            .parameters
            .iter()
            .map(|p| {
                let kind = if p.number { integer } else { string };
                format!(r#"{}:{{"type":"{kind}","description":{}}}"#, quoted(p.name), quoted(p.about))
            })
            .collect();
        let required: Vec<String> = self.parameters.iter().filter(|p| p.required).map(|p| quoted(p.name)).collect();
        format!(
            r#"{{"type":"{object}","properties":{{{}}},"required":[{}]{closed}}}"#,
            properties.join(","),
            required.join(",")
        )
    }
}

/// A JSON string.
fn quoted(text: &str) -> String {
    crate::state::written(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn each_flavour_has_its_shape() {
        for (flavour, name, schema) in [
            (Flavour::OpenAi, "/0/function/name", "/0/function/parameters"),
            (Flavour::Anthropic, "/0/name", "/0/input_schema"),
            (Flavour::Gemini, "/0/functionDeclarations/0/name", "/0/functionDeclarations/0/parameters"),
            (Flavour::Mcp, "/0/name", "/0/inputSchema"),
        ] {
            let value: Value = serde_json::from_str(&definitions(flavour, "peek", "seek")).unwrap();
            assert_eq!(value.pointer(name).and_then(Value::as_str), Some("peek"), "{flavour:?}");
            let schema = value.pointer(schema).unwrap();
            let names: Vec<&str> = schema["properties"].as_object().unwrap().keys().map(String::as_str).collect();
            assert_eq!(names, ["at", "cursor", "key", "lines", "start"]);
            assert_eq!(schema["required"], serde_json::json!(["key"]));
            assert_eq!(schema.get("additionalProperties").is_none(), flavour == Flavour::Gemini);
        }
    }

    #[test]
    fn names_are_told_apart() {
        for flavour in Flavour::ALL {
            assert_eq!(Flavour::named(flavour.name()), Some(*flavour));
        }
        assert_eq!(Flavour::named("OpenAI"), None);
    }
}
