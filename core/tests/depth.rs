//! Marks of an earlier cut add levels to a text that was as deep as is allowed: its second pass is no deeper for that.
#![allow(clippy::unwrap_used)]

use haversack::{Budget, DeliverOptions, ErrorKind, Format, Limits, deliver};

fn passes(text: &str, depth: usize) -> Result<String, ErrorKind> {
    let mut limits = Limits::DEFAULT;
    limits.depth = depth;
    let options = DeliverOptions::new(Budget::chars(200)).format(Format::Json).limits(limits);
    deliver(text, options).map(|d| d.text().to_owned()).map_err(|e| e.kind())
}

#[test]
fn our_own_marks_are_no_depth() {
    for (text, depth) in [
        (r#"{"_omitted":{"/a":{"total":10,"kept":2}},"a":[1,2]}"#, 2),
        (r#"{"_omitted":{"/a":{"total":10,"kept":2}},"a":[1,2]}"#, 1),
        (r#"{"total":10,"omitted":8,"rows":[1,2]}"#, 1),
    ] {
        assert_eq!(passes(text, depth).as_deref(), Ok(text), "{depth}");
    }
    for (text, depth) in [
        (r#"{"_omitted":{"/a":{"total":10,"kept":3}},"a":[1,2]}"#, 2),
        (r#"{"_omitted":{"/a":{"total":10,"kept":1}},"a":[[[[1]]]]}"#, 2),
        (r#"{"total":10,"omitted":7,"rows":[1,2]}"#, 1),
        (r#"{"a":{"b":[1]}}"#, 1),
    ] {
        assert_eq!(passes(text, depth), Err(ErrorKind::TooDeep), "{text}");
    }
}
