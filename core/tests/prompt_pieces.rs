//! Requests of every format as pieces: names, order, what is no content.
#![allow(clippy::unwrap_used)]

use haversack::WireFormat;
use haversack::prompt::{Layer, MarkKind, Piece, PieceKind, Prompt, RequestOptions};

fn of(body: &str) -> Prompt {
    Prompt::from_request(body, &RequestOptions::default()).unwrap()
}

fn names(prompt: &Prompt) -> Vec<&str> {
    prompt.pieces().map(Piece::name).collect()
}

fn texts(prompt: &Prompt) -> Vec<(&str, &str)> {
    prompt.pieces().map(|piece| (piece.name(), piece.text())).collect()
}

#[test]
fn every_format_is_settings_tools_system_messages() {
    let chat = r#"{"messages":[{"role":"system","content":"S"},{"role":"user","content":"u"}],"temperature":1,
        "tools":[{"type":"function","function":{"name":"f","parameters":{}}}],"model":"m","tool_choice":null}"#;
    assert_eq!(names(&of(chat)), ["settings/model", "tools/f", "message 0", "message 1"]);
    let responses = r#"{"input":[{"role":"user","content":"u"}],"instructions":"S","model":"m","tool_choice":"auto",
        "tools":[{"type":"function","name":"f"},{"type":"web_search"},{"type":"mcp","server_label":"s"}]}"#;
    let wanted =
        ["settings/model", "settings/tool_choice", "tools/f", "tools/web_search", "tools/s", "system", "message 0"];
    assert_eq!(names(&of(responses)), wanted);
    let anthropic = r#"{"system":"S","messages":[{"role":"user","content":"u"}],"model":"m","max_tokens":5,
        "tools":[{"name":"f","input_schema":{}},{"name":"f","input_schema":{"a":1}},{"type":"bash_1","name":"bash"}]}"#;
    let wanted = ["settings/model", "tools/f", "tools/f#2", "tools/bash", "system", "message 0"];
    assert_eq!(names(&of(anthropic)), wanted);
    let gemini = r#"{"contents":[{"role":"user","parts":[{"text":"u"}]}],"systemInstruction":{"parts":[{"text":"S"}]},
        "tools":[{"functionDeclarations":[{"name":"f"},{"name":"g"}]},{"googleSearch":{}}],"toolConfig":{"a":1}}"#;
    let wanted = ["settings/toolConfig", "tools/f", "tools/g", "tools/googleSearch", "system", "message 0"];
    assert_eq!(names(&of(gemini)), wanted);
    let bedrock = r#"{"modelId":"m","messages":[{"role":"user","content":[{"text":"u"}]}],"system":[{"text":"S"}],
        "toolConfig":{"tools":[{"toolSpec":{"name":"f"}}],"toolChoice":{"any":{}}},"inferenceConfig":{}}"#;
    let wanted = ["settings/modelId", "settings/toolChoice", "tools/f", "system", "message 0"];
    assert_eq!(names(&of(bedrock)), wanted);
    for (body, format) in
        [(chat, WireFormat::OpenAiChat), (responses, WireFormat::OpenAiResponses), (gemini, WireFormat::Gemini)]
    {
        assert_eq!(of(body).format(), Some(format));
    }
}

#[test]
fn pieces_are_the_bodys_own_bytes() {
    let body = "{ \"model\" : \"m\" ,\"messages\":[ {\"role\": \"user\",\"content\":\"\\u00e9 1.0\"} ] }";
    assert_eq!(
        texts(&of(body)),
        [("settings/model", "\"m\""), ("message 0", "{\"role\": \"user\",\"content\":\"\\u00e9 1.0\"}")]
    );
    let list = r#"[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]"#;
    assert_eq!(names(&of(list)), ["message 0", "message 1"]);
    let one = of(r#"{"input":"hello","model":"m"}"#);
    assert_eq!(texts(&one), [("settings/model", "\"m\""), ("message 0", "\"hello\"")]);
}

#[test]
fn the_order_of_members_is_no_content() {
    let one = of(r#"{"model":"m","tool_choice":"auto","thinking":{},"messages":[]}"#);
    let other = of(r#"{"messages":[],"thinking":{},"tool_choice":"auto","model":"m"}"#);
    assert_eq!(texts(&one), texts(&other));
}

#[test]
fn marks_are_no_content_and_keep_their_places() {
    let bare = r#"{"model":"m","system":[{"type":"text","text":"S"}],"tools":[{"name":"f","input_schema":{"cache_control":1}}],
        "messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"tool_result","content":[{"type":"text","text":"b"}]}]}]}"#;
    let marked = r#"{"model":"m","system":[{"type":"text","cache_control":{"type":"ephemeral","ttl":"1h"},"text":"S"}],
        "tools":[{"cache_control": {"type":"ephemeral"}, "name":"f","input_schema":{"cache_control":1}}],"cache_control":{"type":"ephemeral"},
        "messages":[{"role":"user","content":[{"type":"text","text":"a","cache_control":{"type":"ephemeral","ttl":"5m"}},
        {"type":"tool_result","content":[{"type":"text","text":"b", "prompt_cache_breakpoint" : {"mode":"explicit"}}]}]}]}"#;
    let (bare, marked) = (of(&bare.replace("\n        ", "")), of(&marked.replace("\n        ", "")));
    assert_eq!(texts(&bare), texts(&marked));
    let marks = |name: &str| -> Vec<(String, MarkKind, Option<u32>)> {
        let piece = marked.piece(name).unwrap();
        piece.marks().iter().map(|mark| (piece.text()[..mark.at].to_string(), mark.kind, mark.seconds)).collect()
    };
    let control = MarkKind::CacheControl;
    assert_eq!(marks("tools/f"), [(marked.piece("tools/f").unwrap().text().to_string(), control, None)]);
    assert_eq!(marks("system"), [(r#"[{"type":"text","text":"S"}"#.to_string(), control, Some(3600))]);
    let first = r#"{"role":"user","content":[{"type":"text","text":"a"}"#;
    let second = format!(r#"{first},{{"type":"tool_result","content":[{{"type":"text","text":"b"}}"#);
    assert_eq!(marks("message 0"), [(first.to_string(), control, Some(300)), (second, MarkKind::Breakpoint, None)]);
    assert!(marked.automatic_mark().is_some() && bare.automatic_mark().is_none());
    assert!(bare.pieces().all(|piece| piece.marks().is_empty()));
}

#[test]
fn cache_points_close_what_stands_before_them() {
    let bare = r#"{"modelId":"m","system":[{"text":"S"}],"messages":[{"role":"user","content":[{"text":"a"},{"text":"b"}]}],
        "toolConfig":{"tools":[{"toolSpec":{"name":"f"}}]}}"#;
    let marked = r#"{"modelId":"m","system":[{"text":"S"},{"cachePoint":{"type":"default"}}],"messages":[{"role":"user",
        "content":[{"cachePoint":{"type":"default"}},{"text":"a"},{"cachePoint":{"type":"default","ttl":"1h"}},{"cachePoint":{}},{"text":"b"}]}],
        "toolConfig":{"tools":[{"cachePoint":{}},{"toolSpec":{"name":"f"}},{"cachePoint":{"type":"default"}}]}}"#;
    let (bare, marked) = (of(&bare.replace("\n        ", "")), of(&marked.replace("\n        ", "")));
    assert_eq!(texts(&bare), texts(&marked));
    let before = |name: &str| -> Vec<String> {
        let piece = marked.piece(name).unwrap();
        piece.marks().iter().map(|mark| piece.text()[..mark.at].to_string()).collect()
    };
    assert_eq!(before("tools/f"), [r#"{"toolSpec":{"name":"f"}}"#]);
    assert_eq!(before("system"), [r#"[{"text":"S"}"#]);
    let a = r#"{"role":"user","content":[{"text":"a"}"#;
    assert_eq!(before("message 0"), [r#"{"role":"user","content":["#, a, a]);
}

#[test]
fn only_marks_leave_an_empty_value() {
    let prompt =
        of(r#"{"modelId":"m","messages":[{"role":"user","content":[ {"cachePoint":{}} , {"cachePoint":{}} ]}]}"#);
    assert_eq!(prompt.piece("message 0").unwrap().text(), r#"{"role":"user","content":[]}"#);
}

#[test]
fn layers_stand_in_their_order_and_names_are_taken_once() {
    let mut prompt = Prompt::new();
    for (name, layer) in [("d", Layer::Turn), ("a", Layer::Static), ("c", Layer::Session), ("b", Layer::Static)] {
        prompt.add(Piece::new(name, "x", layer)).unwrap();
    }
    assert_eq!(names(&prompt), ["a", "b", "c", "d"]);
    let error = prompt.add(Piece::new("c", "y", Layer::Turn)).unwrap_err();
    assert_eq!((error.kind().name(), error.piece()), ("duplicate_piece", Some("c")));
    assert_eq!(prompt.len(), 4);
    let kinds: Vec<PieceKind> = prompt.pieces().map(Piece::kind).collect();
    assert_eq!(kinds, [PieceKind::Instructions, PieceKind::Instructions, PieceKind::Facts, PieceKind::Notes]);
}

#[test]
fn what_is_no_request_is_a_typed_error() {
    for (body, kind) in
        [("", "invalid_json"), ("{\"a\":1}", "not_a_history"), ("7", "not_a_history"), ("[1]", "not_a_history")]
    {
        assert_eq!(Prompt::from_request(body, &RequestOptions::default()).unwrap_err().kind().name(), kind, "{body}");
    }
    assert_eq!(
        Prompt::from_request(&b"\xff"[..], &RequestOptions::default()).unwrap_err().kind().name(),
        "invalid_utf8"
    );
}
