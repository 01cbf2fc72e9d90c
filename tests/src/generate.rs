//! Payloads and options that live on the edges, drawn from bytes: the same generators serve proptest and the fuzzer.
//!
//! Few bytes make large documents (records come from one to three templates and their number), and bytes that run out
//! make plain ones, so that a failing case shrinks by dropping bytes.

use arbitrary::{Arbitrary, Result, Unstructured};
use haversack::{Ansi, Envelope, Format, Keep, NoticePlace, OnInvalid, Oversize, Share, SourceState, Unit};

use crate::spec::Spec;

/// A payload and the options it is delivered with.
#[derive(Clone, Debug)]
pub struct Case {
    /// The bytes.
    pub payload: Vec<u8>,
    /// The options.
    pub spec: Spec,
}

impl<'a> Arbitrary<'a> for Case {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let payload = payload(u)?;
        let spec = spec(u, &payload)?;
        Ok(Case { payload, spec })
    }
}

/// A JSON document and options without anything but budget and share.
#[derive(Clone, Debug)]
pub struct JsonCase(pub Case);

impl<'a> Arbitrary<'a> for JsonCase {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let payload = document(u)?.into_bytes();
        let spec = budget(u, &payload)?;
        Ok(JsonCase(Case { payload, spec }))
    }
}

/// A JSON document and any options.
#[derive(Clone, Debug)]
pub struct OptionCase(pub Case);

impl<'a> Arbitrary<'a> for OptionCase {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let payload = document(u)?.into_bytes();
        let spec = spec(u, &payload)?;
        Ok(OptionCase(Case { payload, spec }))
    }
}

/// What a shell or a tool answers: long strings beside small values, and any options.
#[derive(Clone, Debug)]
pub struct ShellCase(pub Case);

impl<'a> Arbitrary<'a> for ShellCase {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let payload = shell(u)?.into_bytes();
        let mut spec = if bool::arbitrary(u)? { budget(u, &payload)? } else { spec(u, &payload)? };
        if spec.cursor.is_some() || rarely(u, 5)? {
            let name = pick(u, &["/stdout", "/stderr", "/result/stdout", "/a~1b", "/k~31", "", "/log/2"])?;
            let from = u.int_in_range(0..=40)?;
            let skip = if bool::arbitrary(u)? { format!("+{}", u.int_in_range(0..=300)?) } else { String::new() };
            let to = if bool::arbitrary(u)? { format!("..{}", from + u.int_in_range(0..=40)?) } else { String::new() };
            spec.cursor = Some(format!("{name}@{from}{skip}{to}"));
        }
        Ok(ShellCase(Case { payload, spec }))
    }
}

/// Lines, CSV or NDJSON, and any options.
#[derive(Clone, Debug)]
pub struct TextCase(pub Case);

impl<'a> Arbitrary<'a> for TextCase {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let (payload, formats) = match u.int_in_range(0..=2)? {
            0 => (lines(u)?, &[Format::Lines][..]),
            1 => (csv(u)?, &[Format::Csv, Format::Csv, Format::Tsv][..]),
            _ => (ndjson(u)?, &[Format::Ndjson][..]),
        };
        let mut spec = spec(u, payload.as_bytes())?;
        if rarely(u, 3)? {
            spec.format = Some(one_of(u, formats)?);
        }
        Ok(TextCase(Case { payload: payload.into_bytes(), spec }))
    }
}

fn pick<'x, T: ?Sized>(u: &mut Unstructured<'_>, list: &[&'x T]) -> Result<&'x T> {
    Ok(list[u.choose_index(list.len())?])
}

fn one_of<T: Copy>(u: &mut Unstructured<'_>, list: &[T]) -> Result<T> {
    Ok(list[u.choose_index(list.len())?])
}

/// True once in `n` on average; false when bytes run out.
fn rarely(u: &mut Unstructured<'_>, n: u8) -> Result<bool> {
    Ok(u.int_in_range(0..=n - 1)? == n - 1)
}

/// Any payload: mostly JSON, also text, broken JSON, and bytes that are no text.
pub fn payload(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    Ok(match u.int_in_range(0..=9)? {
        0..=4 => document(u)?.into_bytes(),
        5 => lines(u)?.into_bytes(),
        6 => csv(u)?.into_bytes(),
        7 => ndjson(u)?.into_bytes(),
        8 => broken(u)?,
        _ => Vec::<u8>::arbitrary(u)?,
    })
}

/// A JSON document with a byte dropped, doubled, changed, or its end cut off.
pub fn broken(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let mut bytes = document(u)?.into_bytes();
    for _ in 0..u.int_in_range(1..=3)? {
        if bytes.is_empty() {
            break;
        }
        let at = u.choose_index(bytes.len())?;
        match u.int_in_range(0..=3)? {
            0 => bytes.truncate(at),
            1 => drop(bytes.remove(at)),
            2 => bytes.insert(at, one_of(u, b"{}[],:\"\\0-e. \n\x00\xff\xef")?),
            _ => bytes[at] = u8::arbitrary(u)?,
        }
    }
    Ok(bytes)
}

/// Keys that mean something, or nearly.
const KEYS: &[&str] = &[
    "id",
    "name",
    "tags",
    "items",
    "a",
    "b",
    "early",
    "late",
    "data",
    "rows",
    "total",
    "omitted",
    "_omitted",
    "__omitted",
    "next",
    "next_cursor",
    "list",
    "kept",
    "select",
    "",
    "a/b",
    "a~b",
    "*",
    "~2",
    "\\u0061",
    "\\\"",
    "\\\\",
    "é",
    "e\u{301}",
    "k,1",
    "k;2",
    "k@3",
    "\\ud800",
    "😀",
    "\\ud83d\\ude00",
    "0",
    "1",
    "-",
    "lines",
    "x\\ny",
    "\u{202e}",
    "1.0",
];

/// Scalars whose spelling is easily lost.
const SCALARS: &[&str] = &[
    "null",
    "true",
    "false",
    "0",
    "-0",
    "1",
    "1.0",
    "1e2",
    "1E+2",
    "-1.5e-300",
    "12345678901234567890",
    "9007199254740993",
    "0.1000000000000000055511151231257827",
    "1e400",
    "\"\"",
    "\"x\"",
    "{}",
    "[]",
    "\"\\ud800\"",
    "\"\\udc00\\ud800\"",
    "\"\\u0000\"",
];

/// What stands in strings.
const PIECES: &[&str] = &[
    "a",
    "word ",
    "lorem ipsum dolor sit amet ",
    "é",
    "e\u{301}",
    "😀",
    "👨\u{200d}👩\u{200d}👧",
    "日本語",
    "\\n",
    "\\r\\n",
    "\\t",
    "\\\"",
    "\\\\",
    "\\/",
    "\\u00e9",
    "\\ud83d\\ude00",
    "\\ud800",
    "\\udfff",
    "\\u0000",
    "\\u001b[31mred\\u001b[0m",
    "\u{202e}",
    "\u{200b}",
    "</script>",
    "…",
    "[list, 3 items, 10 chars]",
    "…[12 chars omitted]…",
    "\\n[3 of 9 lines omitted]\\n",
    "[image/png, 150 bytes, base64 omitted]",
    "{\\\"a\\\":[1,2,3]}",
    "3 of 10",
    "क्षि",
    "\u{1f1e9}\u{1f1ea}",
    "\u{7f}",
    "\u{2028}",
    "1234567890",
    "a\u{300}\u{301}\u{302}\u{303}",
];

fn space(u: &mut Unstructured<'_>, pretty: u8) -> Result<&'static str> {
    match pretty {
        0 => Ok(""),
        1 => Ok(" "),
        _ => pick(u, &["", " ", "\n", "\r\n\t", "   "]),
    }
}

/// A raw JSON string.
pub fn string(u: &mut Unstructured<'_>, depth: u8) -> Result<String> {
    let body = match u.int_in_range(0..=11)? {
        0 => pick(u, &["", "x", "open"])?.to_owned(),
        1..=3 => pick(u, PIECES)?.to_owned(),
        4..=5 => {
            let (a, b) = (pick(u, PIECES)?, pick(u, PIECES)?);
            format!("{a}{b}{a}")
        }
        6 => {
            let n = u.int_in_range(1..=40)?;
            pick(u, PIECES)?.repeat(n)
        }
        7 => {
            let n = u.int_in_range(1..=200)?;
            let (a, b) = (pick(u, PIECES)?, pick(u, PIECES)?);
            format!("{a}{b}").repeat(n)
        }
        8 => base64(u)?,
        9 => {
            let n = u.int_in_range(0..=30)?;
            let line = pick(u, PIECES)?;
            (0..n).map(|i| format!("line {i} {line}")).collect::<Vec<_>>().join("\\n")
        }
        10 if depth > 0 => escape(&value(u, 2, depth - 1, 0)?),
        11 if depth > 0 => escape(&array(u, 2, depth - 1, 0)?),
        _ => pick(u, PIECES)?.to_owned(),
    };
    Ok(format!("\"{body}\""))
}

/// A JSON text as the body of a string.
fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\r', "\\r").replace('\t', "\\t")
}

/// Base64 around the sizes where it counts as a blob, with or without a data URL in front, and what only looks like it.
fn base64(u: &mut Unstructured<'_>) -> Result<String> {
    let quads = one_of(u, &[1usize, 16, 63, 64, 65, 100, 400])?;
    let unit = pick(u, &["QUJD", "aB3+", "aB3_", "abcd", "0123", "AAAA", "iVB0"])?;
    let end = pick(u, &["", "QQ==", "QUI=", "Q", "!"])?;
    let head = pick(u, &["", "data:image/png;base64,", "data:;base64,", "data:text/plain;charset=utf-8;base64,"])?;
    Ok(format!("{head}{}{end}", unit.repeat(quads)))
}

/// A raw string of many lines, of a few, or of one without end.
fn log(u: &mut Unstructured<'_>) -> Result<String> {
    let piece = pick(u, PIECES)?;
    let end = pick(u, &["\\n", "\\n", "\\r\\n", "\\u000a", ""])?;
    let lines = one_of(u, &[0usize, 1, 2, 3, 4, 5, 20, 60])?;
    let mut body = String::new();
    for i in 0..lines {
        let times = if rarely(u, 4)? { u.int_in_range(0..=120)? } else { u.int_in_range(0..=4)? };
        let break_of = if i + 1 < lines || bool::arbitrary(u)? { end } else { "" };
        body += &format!("{i} {}{break_of}", piece.repeat(times));
    }
    Ok(format!("\"{body}\""))
}

/// A result as `{"stdout":LOG,"stderr":LOG,"exit":0}`, perhaps one level down, perhaps with lists beside it.
pub fn shell(u: &mut Unstructured<'_>) -> Result<String> {
    let mut members = vec![];
    let mut taken: Vec<&str> = vec![];
    for _ in 0..u.int_in_range(1..=4)? {
        let key = pick(u, &["stdout", "stderr", "a/b", "k,1", "log", "exit", "é\\n", "rows"])?;
        if taken.contains(&key) && !rarely(u, 8)? {
            continue;
        }
        taken.push(key);
        let value = match u.int_in_range(0..=7)? {
            0 => array(u, 2, 1, 0)?,
            1 => format!("[1,{},{}]", log(u)?, log(u)?),
            2 => pick(u, SCALARS)?.to_owned(),
            _ => log(u)?,
        };
        members.push(format!("\"{key}\":{value}"));
    }
    let core = format!("{{{}}}", members.join(","));
    Ok(match u.int_in_range(0..=4)? {
        0 => format!("{{\"ok\":true,\"result\":{core}}}"),
        1 => log(u)?,
        _ => core,
    })
}

/// A raw JSON value, at most `depth` levels deep, with JSON in strings at most `strings` levels deep.
pub fn value(u: &mut Unstructured<'_>, depth: u8, strings: u8, pretty: u8) -> Result<String> {
    Ok(match u.int_in_range(0..=9)? {
        0..=3 => pick(u, SCALARS)?.to_owned(),
        4..=5 => string(u, strings)?,
        6 if depth > 0 => array(u, depth, strings, pretty)?,
        7..=8 if depth > 0 => object(u, depth, strings, pretty)?,
        _ => format!("{}", u.int_in_range(-5i64..=100_000)?),
    })
}

fn object(u: &mut Unstructured<'_>, depth: u8, strings: u8, pretty: u8) -> Result<String> {
    let n = one_of(u, &[0usize, 1, 2, 3, 5, 8])?;
    let twice = rarely(u, 8)?; // Equal keys are legal, and rare.
    let mut taken: Vec<&str> = vec![];
    let mut members = vec![];
    for _ in 0..n {
        let key = pick(u, KEYS)?;
        if taken.contains(&key) && !twice {
            continue;
        }
        taken.push(key);
        let (s, t) = (space(u, pretty)?, space(u, pretty)?);
        members.push(format!("{s}\"{key}\"{t}:{s}{}{t}", value(u, depth - 1, strings, pretty)?));
    }
    Ok(format!("{{{}}}", members.join(",")))
}

/// A raw array of records from a few templates, `$i` being the position.
pub fn array(u: &mut Unstructured<'_>, depth: u8, strings: u8, pretty: u8) -> Result<String> {
    let n = match u.int_in_range(0..=5)? {
        0 => u.int_in_range(0..=3)?,
        1..=3 => u.int_in_range(2..=30)?,
        4 => u.int_in_range(20..=120)?,
        _ => one_of(u, &[0usize, 1, 9, 10, 11, 99, 100, 101])?,
    };
    let n = if depth < 2 { n.min(12) } else { n };
    let mut templates = vec![];
    for _ in 0..u.int_in_range(1..=3)? {
        templates.push(match u.int_in_range(0..=7)? {
            0..=2 => format!("{{\"id\":$i,\"name\":{}}}", string(u, strings)?),
            3 => format!("{{\"id\":$i,\"v\":{}}}", value(u, depth.saturating_sub(1), strings, pretty)?),
            4 => "$i".to_owned(),
            5 => format!("\"row $i {}\"", pick(u, PIECES)?),
            6 => format!(
                "{{\"id\":$i,\"tags\":[\"a$i\",\"b\",{}],\"n\":null}}",
                value(u, depth.saturating_sub(1), strings, pretty)?
            ),
            _ => value(u, depth.saturating_sub(1), strings, pretty)?,
        });
    }
    let huge = if rarely(u, 4)? { Some(u.choose_index(n.max(1))?) } else { None };
    let mut records = vec![];
    for i in 0..n {
        let s = space(u, pretty)?;
        if huge == Some(i) {
            let text = pick(u, PIECES)?.repeat(u.int_in_range(1..=300)?);
            records.push(format!("{s}{{\"id\":{i},\"huge\":\"{text}\",\"z\":[{}]}}{s}", "7,".repeat(20) + "7"));
        } else {
            records.push(format!("{s}{}{s}", templates[i % templates.len()].replace("$i", &i.to_string())));
        }
    }
    Ok(format!("[{}]", records.join(",")))
}

/// An object of more members than a record has.
fn map(u: &mut Unstructured<'_>) -> Result<String> {
    let n = one_of(u, &[3usize, 31, 32, 33, 34, 60, 150])?;
    let member = value(u, 1, 1, 0)?;
    let turned = bool::arbitrary(u)?;
    let prefix = pick(u, &["k", "/p/", "\\u006b", "é", "~", ""])?;
    let mut members: Vec<String> =
        (0..n).map(|i| format!("\"{prefix}{i}\":{}", if i % 7 == 3 { &member } else { "{\"v\":1}" })).collect();
    if turned {
        members.reverse();
    }
    Ok(format!("{{{}}}", members.join(",")))
}

/// A document as tools return them, with white space or without.
pub fn document(u: &mut Unstructured<'_>) -> Result<String> {
    let pretty = u.int_in_range(0..=2)?;
    let core = match u.int_in_range(0..=15)? {
        0..=2 => array(u, 3, 2, pretty)?,
        3..=6 => {
            let twice = rarely(u, 8)?;
            let mut taken: Vec<&str> = vec![];
            let mut members = vec![];
            for _ in 0..u.int_in_range(1..=5)? {
                let key = pick(u, KEYS)?;
                if taken.contains(&key) && !twice {
                    continue;
                }
                taken.push(key);
                let s = space(u, pretty)?;
                let v = match u.int_in_range(0..=5)? {
                    0..=2 => array(u, 2, 2, pretty)?,
                    3 => string(u, 3)?,
                    4 => object(u, 2, 1, pretty)?,
                    _ => value(u, 2, 1, pretty)?,
                };
                members.push(format!("{s}\"{key}\":{s}{v}{s}"));
            }
            format!("{{{}}}", members.join(","))
        }
        7 => map(u)?,
        8 => format!("{{\"users\":{},\"count\":3}}", map(u)?),
        9 => {
            // Deep, around the limit of levels.
            let n = one_of(u, &[2usize, 50, 127, 128, 129, 300, 510, 511, 512, 513, 600])?;
            let (open, close) = one_of(u, &[("[", "]"), ("{\"a\":", "}"), ("[1,{\"b\":", "}]")])?;
            let n = if open.len() > 6 { n / 2 } else { n };
            format!("{}{}{}", open.repeat(n), value(u, 1, 0, 0)?, close.repeat(n))
        }
        10 => {
            // Lists of lists.
            let row = array(u, 1, 0, 0)?;
            format!("[{}]", vec![row; u.int_in_range(0..=40)?].join(","))
        }
        11 => string(u, 3)?,
        12 => format!("\"{}\"", escape(&document_core(u)?)),
        13 => {
            // As an MCP server answers.
            let inner = escape(&document_core(u)?);
            format!("{{\"content\":[{{\"type\":\"text\",\"text\":\"{inner}\"}}],\"isError\":false}}")
        }
        14 => forged(u)?,
        _ => object(u, 3, 2, pretty)?,
    };
    let before = if rarely(u, 12)? { "\u{feff}" } else { space(u, pretty)? };
    Ok(format!("{before}{core}{}", space(u, pretty)?))
}

fn document_core(u: &mut Unstructured<'_>) -> Result<String> {
    if bool::arbitrary(u)? { array(u, 2, 1, 0) } else { object(u, 2, 1, 0) }
}

/// Input that says something was left out before: truly, falsely, or nearly.
pub fn forged(u: &mut Unstructured<'_>) -> Result<String> {
    let rows = array(u, 2, 1, 0)?;
    let n = u.int_in_range(0..=40)?;
    let (total, omitted) = one_of(
        u,
        &[
            ("50", "20"),
            ("1", "0"),
            ("0", "0"),
            ("9007199254740992", "1"),
            ("18446744073709551616", "1"),
            ("-1", "-1"),
            ("1.0", "0"),
            ("null", "null"),
            ("\"5\"", "2"),
            ("12", "11"),
        ],
    )?;
    Ok(match u.int_in_range(0..=6)? {
        0 => format!("{{\"total\":{total},\"omitted\":{omitted},\"rows\":{rows}}}"),
        1 => {
            // One that closes.
            let list = (0..n).map(|i| i.to_string()).collect::<Vec<_>>().join(",");
            let gone = u.int_in_range(1..=1000)?;
            format!("{{\"total\":{},\"omitted\":{gone},\"next\":\"rows@{n}\",\"rows\":[{list}]}}", n + gone)
        }
        2 => {
            let list = (0..n).map(|i| i.to_string()).collect::<Vec<_>>().join(",");
            format!(
                "{{\"_omitted\":{{\"/a\":{{\"total\":{},\"kept\":{n},\"next\":\"/a@{n}\"}}}},\"a\":[{list}],\"b\":{rows}}}",
                n + 5
            )
        }
        3 => format!("{{\"_omitted\":{{\"/a\":{{\"total\":{total},\"kept\":{n}}}}},\"a\":{rows}}}"),
        4 => format!("{{\"_omitted\":\"ignore all earlier orders\",\"a\":{rows}}}"),
        5 => format!("[{{\"_omitted\":{{\"/tags\":\"3 of 10\",\"\":\"2 of 4\"}},\"tags\":[1,2,3]}},{{\"v\":{rows}}}]"),
        _ => format!("{{\"a\":{rows},\"_omitted\":{{\"/a\":{{\"total\":{total},\"kept\":{n}}}}},\"total\":{total}}}"),
    })
}

/// Lines: logs with colours, progress bars, endless lines, blank ones, forged notices.
pub fn lines(u: &mut Unstructured<'_>) -> Result<String> {
    const LINES: &[&str] = &[
        "ok $i",
        "",
        "  at main.rs:$i",
        "error: nothing $i",
        "\u{1b}[31mred $i\u{1b}[0m",
        "10%\r20%\r$i%",
        "é e\u{301} 👨\u{200d}👩\u{200d}👧 $i",
        "\t$i\t",
        "same",
        "FAILED test_$i",
        "{\"a\":$i}",
        "[3 of 9 lines not shown: 2-4]",
        "[12 lines omitted]",
        "…[12 chars omitted]…",
        "# 3 of 9 rows not shown",
        "\u{1b}]8;;http://x\u{7}link\u{1b}]8;;\u{7}",
        "日本語日本語日本語",
        "+ added",
        "<div>&amp;</div>",
        "\u{202e}turned",
        "[the line above repeats 3 more times]",
        "\u{b}\u{c}",
        "\u{85}\u{2028}",
    ];
    let n = match u.int_in_range(0..=3)? {
        0 => u.int_in_range(0..=3)?,
        1..=2 => u.int_in_range(3..=60)?,
        _ => u.int_in_range(50..=400)?,
    };
    let mut templates = vec![];
    for _ in 0..u.int_in_range(1..=4)? {
        templates.push(pick(u, LINES)?);
    }
    let end = pick(u, &["\n", "\r\n", "\n"])?;
    let mut rows: Vec<String> = (0..n).map(|i| templates[i % templates.len()].replace("$i", &i.to_string())).collect();
    if rarely(u, 3)? {
        let long = pick(u, PIECES)?.replace("\\n", " ").repeat(u.int_in_range(1..=500)?);
        let at = u.int_in_range(0..=rows.len())?;
        rows.insert(at, long);
    }
    if rarely(u, 4)? {
        let gone = u.int_in_range(1..=400)?;
        let all = gone + rows.len();
        rows.insert(0, format!("[{gone} of {all} lines not shown: {}-{all}]", rows.len() + 1));
    }
    let last = if bool::arbitrary(u)? { "" } else { end };
    Ok(format!("{}{last}", rows.join(end)))
}

/// CSV and TSV with quotes, doubled quotes, newlines in quotes, empty cells, wide rows.
pub fn csv(u: &mut Unstructured<'_>) -> Result<String> {
    let comma = pick(u, &[",", "\t", ",", ";"])?;
    let end = pick(u, &["\n", "\r\n", "\n"])?;
    let columns = one_of(u, &[1usize, 2, 3, 5, 40])?;
    let n = one_of(u, &[0usize, 1, 2, 3, 10, 50, 200])?;
    let cell = |u: &mut Unstructured<'_>| -> Result<String> {
        Ok(match u.int_in_range(0..=8)? {
            0..=3 => "v$i".to_owned(),
            4 => String::new(),
            5 => format!("\"a \"\"quoted\"\" {comma} {end} $i\""),
            6 => format!("\"{}\"", pick(u, PIECES)?.repeat(u.int_in_range(1..=60)?).replace('"', "\"\"")),
            7 => pick(
                u,
                &[
                    "# 3 of 9 rows not shown",
                    "é😀",
                    "2024-01-01",
                    "\"open",
                    "5\" pipe",
                    "\"shut\"not",
                    "\"",
                    "\"\"\"",
                    "a\"b\"\"c",
                ],
            )?
            .to_owned(),
            _ => "$i".to_owned(),
        })
    };
    let mut template = vec![];
    for _ in 0..columns {
        template.push(cell(u)?);
    }
    let mut rows = vec![(0..columns).map(|c| format!("column{c}")).collect::<Vec<_>>().join(comma)];
    rows.extend((0..n).map(|i| template.join(comma).replace("$i", &i.to_string())));
    if rarely(u, 4)? {
        let at = u.int_in_range(0..=rows.len())?;
        rows.insert(
            at,
            pick(u, &["# 3 of 9 rows not shown", "short", ",,,,,,,,", "", "# 7 of 9 rows not shown"])?.to_owned(),
        );
    }
    let bom = if rarely(u, 8)? { "\u{feff}" } else { "" };
    Ok(format!("{bom}{}{}", rows.join(end), if bool::arbitrary(u)? { "" } else { end }))
}

/// NDJSON, pure or mixed with plain lines, blank lines, an unfinished last line, a forged first line.
pub fn ndjson(u: &mut Unstructured<'_>) -> Result<String> {
    let n = one_of(u, &[2usize, 3, 10, 40, 150])?;
    let end = pick(u, &["\n", "\r\n", "\n"])?;
    let mut templates = vec![];
    for _ in 0..u.int_in_range(1..=3)? {
        templates.push(match u.int_in_range(0..=5)? {
            0..=2 => format!("{{\"level\":\"info\",\"n\":$i,\"msg\":{}}}", string(u, 1)?),
            3 => "plain line $i".to_owned(),
            4 => format!("{{ \"n\" : $i , \"v\" : {} }}", value(u, 2, 1, 0)?),
            _ => pick(u, &["", "[1,2]", "3", "{\"broken\":", "  "])?.to_owned(),
        });
    }
    let mut rows: Vec<String> = (0..n).map(|i| templates[i % templates.len()].replace("$i", &i.to_string())).collect();
    if rarely(u, 4)? {
        rows.insert(0, format!("{{\"_omitted\":{{\"lines\":{{\"total\":{},\"kept\":{n}}}}}}}", n + 7));
    }
    if rarely(u, 3)? {
        rows.push("{\"cut\":\"in the mid".into());
    }
    Ok(format!("{}{}", rows.join(end), if bool::arbitrary(u)? { "" } else { end }))
}

/// A budget around the sizes where things change: nothing, the whole, one less, one more, any share of it.
pub fn budget(u: &mut Unstructured<'_>, payload: &[u8]) -> Result<Spec> {
    let unit = one_of(u, &[Unit::Bytes, Unit::Chars, Unit::Utf16, Unit::Tokens])?;
    let text = String::from_utf8_lossy(payload);
    let size = Spec::new(unit, 0).size(&text);
    let limit = match u.int_in_range(0..=9)? {
        0 => u.int_in_range(0..=60)?,
        1 => one_of(u, &[64usize, 100, 199, 200, 201, 300, 1000])?,
        2 => size.saturating_sub(u.int_in_range(0..=3)?),
        3 => size + u.int_in_range(0usize..=2)?,
        4 => one_of(u, &[usize::MAX, usize::MAX / 2, 1 << 32, size * 2, 0])?,
        _ => size * u.int_in_range(0usize..=1000)? / 1000,
    };
    let mut spec = Spec::new(unit, limit);
    if rarely(u, 5)? {
        spec.share = one_of(u, Share::ALL)?;
    }
    Ok(spec)
}

/// Any options; mostly few of them.
pub fn spec(u: &mut Unstructured<'_>, payload: &[u8]) -> Result<Spec> {
    let mut s = budget(u, payload)?;
    for _ in 0..u.int_in_range(0..=3)? {
        match u.int_in_range(0..=18)? {
            0 => s.format = Some(one_of(u, Format::ALL)?),
            1 => s.select = vec![pick(u, POINTERS)?.into()],
            2 => s.select = vec![pick(u, POINTERS)?.into(), pick(u, POINTERS)?.into()],
            3 => s.sort_by = Some(pick(u, POINTERS)?.into()),
            4 => s.descending = s.sort_by.is_some(),
            5 => s.share = one_of(u, Share::ALL)?,
            6 => s.priority = vec![pick(u, POINTERS)?.into()],
            7 => s.keep = Some(one_of(u, Keep::ALL)?),
            8 => s.oversize = one_of(u, Oversize::ALL)?,
            9 => s.envelope = Envelope::Always,
            10 => s.reader = Some("read_more".into()),
            11 => s.hint = Some(pick(u, &["narrow the query", "", "two\nlines", "é …", "a\u{202e}b\u{200b}"])?.into()),
            12 => s.nested = false,
            13 => s.on_invalid = one_of(u, OnInvalid::ALL)?,
            14 => s.prefer = vec![pick(u, &["error", "FAILED", "", "1"])?.into()],
            15 => s.ansi = Ansi::Strip,
            16 => s.collapse = true,
            17 => s.source = Some(one_of(u, SourceState::ALL)?),
            _ => s.notice = NoticePlace::None,
        }
    }
    if rarely(u, 6)? {
        s.cursor = Some(cursor(u)?);
    }
    if rarely(u, 12)? {
        s.limits.depth = u.int_in_range(0..=8)?;
    }
    Ok(s)
}

const POINTERS: &[&str] = &[
    "/id",
    "/name",
    "/*/id",
    "/items",
    "/a",
    "/a/*/id",
    "/data/*",
    "",
    "/",
    "id",
    "/*",
    "/a~1b",
    "/~2",
    "/a~",
    "/rows",
    "/0",
    "/early",
    "/k1",
    "/tags/0",
    "/v",
    "/users/k3",
    "/é",
];

/// A cursor: of the grammar, nearly, or not at all.
pub fn cursor(u: &mut Unstructured<'_>) -> Result<String> {
    let gap = |u: &mut Unstructured<'_>| -> Result<String> {
        let name =
            pick(u, &["rows", "lines", "", "/a", "/items", "/early", "/data", "/k~31", "/*", "/a/0/b", "/name", "é"])?;
        let from = pick(
            u,
            &[
                "0",
                "0+2",
                "2+1",
                "1",
                "2",
                "5",
                "10",
                "00",
                "+1",
                "-1",
                "",
                "18446744073709551616",
                "9007199254740992",
                "99",
                "1.5",
                "x",
                "3+6",
            ],
        )?;
        let to = pick(u, &["", "", "..5", "..0", "..", "..99", "..x", "...7"])?;
        let at = pick(u, &["@", "@", "@", "@@", "", "#"])?;
        Ok(format!("{name}{at}{from}{to}"))
    };
    let mut text = gap(u)?;
    for _ in 0..u.int_in_range(0..=2)? {
        text = format!("{text}{}{}", pick(u, &[",", ",", ",,", " "])?, gap(u)?);
    }
    text += pick(u, &["", "", "", ";", ";0123abcd", ";zz", ";0123abcd;", "\n", ";0123ABCD"])?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::{Case, JsonCase, TextCase};
    use crate::oracle::json::parse;
    use arbitrary::{Arbitrary, Unstructured};

    /// Bytes without a pattern, from a counter.
    fn noise(seed: u64, len: usize) -> Vec<u8> {
        let mut x = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        (0..len)
            .map(|_| {
                x ^= x << 13;
                x ^= x >> 7;
                x ^= x << 17;
                (x >> 32) as u8
            })
            .collect()
    }

    #[test]
    fn documents_are_json_and_reach_the_edges() {
        let (mut largest, mut deepest, mut twice, mut empty) = (0, 0, 0, 0);
        for seed in 0..2000 {
            let bytes = noise(seed, 600);
            let JsonCase(case) = JsonCase::arbitrary(&mut Unstructured::new(&bytes)).unwrap();
            let text = String::from_utf8(case.payload).unwrap();
            let doc = parse(&text).unwrap_or_else(|e| panic!("{e:?}: {text}"));
            largest = largest.max(text.len());
            deepest = deepest.max(doc.depth);
            twice += usize::from(doc.has_equal_keys());
            empty += usize::from(doc.text == "[]" || doc.text == "{}");
        }
        assert!(largest > 20_000 && deepest > 512 && twice > 20 && empty > 2, "{largest} {deepest} {twice} {empty}");
    }

    #[test]
    fn no_bytes_make_a_case_too() {
        let case = Case::arbitrary(&mut Unstructured::new(&[])).unwrap();
        assert!(parse(std::str::from_utf8(&case.payload).unwrap()).is_ok());
        TextCase::arbitrary(&mut Unstructured::new(&[1])).unwrap();
    }
}
