//! A strict reader of RFC 8259 text that turns nothing into a number or a map: every value keeps its own spelling.

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `{…}`
    Object,
    /// `[…]`
    Array,
    /// `"…"`
    String,
    /// A number.
    Number,
    /// `true`, `false` or `null`.
    Word,
}

/// One value: where it stands in the minified text and in the source, and what stands in it.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is.
    pub kind: Kind,
    /// Its first byte in [`Doc::text`].
    pub start: usize,
    /// One past its last byte in [`Doc::text`].
    pub end: usize,
    /// Its first byte in the source.
    pub from: usize,
    /// One past its last byte in the source.
    pub to: usize,
    /// The key of a member, quotes included, in [`Doc::text`].
    pub key: (usize, usize),
    /// Elements or members, in order.
    pub children: Vec<usize>,
}

/// A parsed text: the minified form, and the tree over it. Node 0 is the root.
#[derive(Clone, Debug)]
pub struct Doc {
    /// The text without white space outside strings.
    pub text: String,
    /// The tree.
    pub nodes: Vec<Node>,
    /// The deepest level of arrays and objects; a scalar has 0.
    pub depth: usize,
}

/// Where a text stops being JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The first byte that cannot be read.
    pub at: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Expect {
    Value,
    ValueOrClose,
    KeyOrClose,
    Key,
    Colon,
    CommaOrClose,
    End,
}

/// Reads `text`, one leading byte order mark counting as white space.
///
/// # Errors
/// The first byte that is not of the grammar (the length, when the text ends early).
pub fn parse(text: &str) -> Result<Doc, Broken> {
    let b = text.as_bytes();
    let mut pos = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let mut doc = Doc { text: String::with_capacity(text.len()), nodes: vec![], depth: 0 };
    let mut open: Vec<usize> = vec![];
    let mut key = (0, 0);
    let mut expect = Expect::Value;
    while pos < b.len() {
        let at = pos;
        let broken = Err(Broken { at });
        let start = doc.text.len();
        match b[pos] {
            b' ' | b'\t' | b'\n' | b'\r' => {
                pos += 1;
                continue;
            }
            b'"' if matches!(expect, Expect::Key | Expect::KeyOrClose) => {
                pos = string_end(b, pos)?;
                doc.text.push_str(&text[at..pos]);
                key = (start, doc.text.len());
                expect = Expect::Colon;
                continue;
            }
            b':' if expect == Expect::Colon => {
                doc.text.push(':');
                pos += 1;
                expect = Expect::Value;
                continue;
            }
            b',' if expect == Expect::CommaOrClose => {
                doc.text.push(',');
                pos += 1;
                let Some(&top) = open.last() else { return broken };
                expect = if doc.nodes[top].kind == Kind::Object { Expect::Key } else { Expect::Value };
                continue;
            }
            close @ (b']' | b'}') => {
                let Some(&top) = open.last() else { return broken };
                let array = doc.nodes[top].kind == Kind::Array;
                let allowed = match expect {
                    Expect::CommaOrClose => array == (close == b']'),
                    Expect::ValueOrClose => array && close == b']',
                    Expect::KeyOrClose => !array && close == b'}',
                    _ => false,
                };
                if !allowed {
                    return broken;
                }
                doc.text.push(char::from(close));
                pos += 1;
                open.pop();
                let end = doc.text.len();
                doc.nodes[top].end = end;
                doc.nodes[top].to = pos;
                expect = if open.is_empty() { Expect::End } else { Expect::CommaOrClose };
                continue;
            }
            _ if !matches!(expect, Expect::Value | Expect::ValueOrClose) => return broken,
            _ => {}
        }
        let kind = match b[pos] {
            b'{' => Kind::Object,
            b'[' => Kind::Array,
            b'"' => Kind::String,
            b'-' | b'0'..=b'9' => Kind::Number,
            _ => Kind::Word,
        };
        pos = match kind {
            Kind::Object | Kind::Array => pos + 1,
            Kind::String => string_end(b, pos)?,
            Kind::Number => number_end(b, pos)?,
            Kind::Word => word_end(b, pos)?,
        };
        doc.text.push_str(&text[at..pos]);
        let id = doc.nodes.len();
        doc.nodes.push(Node { kind, start, end: doc.text.len(), from: at, to: pos, key: (0, 0), children: vec![] });
        if let Some(&parent) = open.last() {
            doc.nodes[parent].children.push(id);
            if doc.nodes[parent].kind == Kind::Object {
                doc.nodes[id].key = key;
            }
        }
        match kind {
            Kind::Object | Kind::Array => {
                open.push(id);
                doc.depth = doc.depth.max(open.len());
                expect = if kind == Kind::Array { Expect::ValueOrClose } else { Expect::KeyOrClose };
            }
            _ => expect = if open.is_empty() { Expect::End } else { Expect::CommaOrClose },
        }
    }
    if expect == Expect::End { Ok(doc) } else { Err(Broken { at: b.len() }) }
}

/// One past the closing quote of the string that begins at `at`.
fn string_end(b: &[u8], at: usize) -> Result<usize, Broken> {
    let mut i = at + 1;
    loop {
        match b.get(i) {
            None => return Err(Broken { at: b.len() }),
            Some(b'"') => return Ok(i + 1),
            Some(b'\\') => match b.get(i + 1) {
                None => return Err(Broken { at: b.len() }),
                Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => i += 2,
                Some(b'u') => {
                    for k in i + 2..i + 6 {
                        match b.get(k) {
                            None => return Err(Broken { at: b.len() }),
                            Some(d) if d.is_ascii_hexdigit() => {}
                            Some(_) => return Err(Broken { at: k }),
                        }
                    }
                    i += 6;
                }
                Some(_) => return Err(Broken { at: i + 1 }),
            },
            Some(0..=0x1f) => return Err(Broken { at: i }),
            Some(_) => i += 1,
        }
    }
}

fn digits(b: &[u8], mut i: usize) -> Result<usize, Broken> {
    let first = i;
    while b.get(i).is_some_and(u8::is_ascii_digit) {
        i += 1;
    }
    if i == first { Err(Broken { at: i }) } else { Ok(i) }
}

fn number_end(b: &[u8], at: usize) -> Result<usize, Broken> {
    let mut i = at + usize::from(b[at] == b'-');
    i = if b.get(i) == Some(&b'0') { i + 1 } else { digits(b, i)? };
    if b.get(i) == Some(&b'.') {
        i = digits(b, i + 1)?;
    }
    if matches!(b.get(i), Some(b'e' | b'E')) {
        i += 1;
        i = digits(b, i + usize::from(matches!(b.get(i), Some(b'+' | b'-'))))?;
    }
    Ok(i)
}

fn word_end(b: &[u8], at: usize) -> Result<usize, Broken> {
    for word in ["true", "false", "null"] {
        if b[at] == word.as_bytes()[0] {
            for (k, c) in word.bytes().enumerate() {
                if b.get(at + k) != Some(&c) {
                    return Err(Broken { at: (at + k).min(b.len()) });
                }
            }
            return Ok(at + word.len());
        }
    }
    Err(Broken { at })
}

impl Doc {
    /// The spelling of a value, minified.
    pub fn raw(&self, id: usize) -> &str {
        &self.text[self.nodes[id].start..self.nodes[id].end]
    }

    /// The spelling of the key of a member, quotes included.
    pub fn key(&self, id: usize) -> &str {
        &self.text[self.nodes[id].key.0..self.nodes[id].key.1]
    }

    /// What a value is.
    pub fn kind(&self, id: usize) -> Kind {
        self.nodes[id].kind
    }

    /// Elements or members.
    pub fn children(&self, id: usize) -> &[usize] {
        &self.nodes[id].children
    }

    /// The member of an object with that key, as text.
    pub fn member(&self, id: usize, key: &str) -> Option<usize> {
        if self.kind(id) != Kind::Object {
            return None;
        }
        self.children(id).iter().copied().find(|&c| unescape(self.key(c)) == key)
    }

    /// The node at a pointer.
    pub fn at(&self, pointer: &str) -> Option<usize> {
        let mut id = 0;
        for part in pointer.split('/').skip(1) {
            let name = part.replace("~2", "*").replace("~1", "/").replace("~0", "~");
            id = match self.kind(id) {
                Kind::Object => self.member(id, &name)?,
                Kind::Array => *self.children(id).get(part.parse::<usize>().ok()?)?,
                _ => return None,
            };
        }
        Some(id)
    }

    /// An unsigned number, when the value is one of plain digits.
    pub fn number(&self, id: usize) -> Option<u64> {
        let raw = self.raw(id);
        if raw.bytes().all(|b| b.is_ascii_digit()) { raw.parse().ok() } else { None }
    }

    /// True when an object somewhere has two members whose keys mean the same.
    pub fn has_equal_keys(&self) -> bool {
        self.nodes.iter().filter(|n| n.kind == Kind::Object).any(|n| {
            let mut keys: Vec<String> = n.children.iter().map(|&c| unescape(self.key(c))).collect();
            keys.sort();
            keys.windows(2).any(|w| w[0] == w[1])
        })
    }

    /// The minified text with the members of the root object, or of every object, in reverse order.
    pub fn reversed(&self, everywhere: bool) -> String {
        self.rewritten(&|doc, id, children| {
            if doc.kind(id) == Kind::Object && (everywhere || id == 0) {
                children.reverse();
            }
        })
    }

    /// The minified text with members in an order that does not depend on theirs; those for which `drop` is true are
    /// left out.
    pub fn canonical(&self, drop: &dyn Fn(&str) -> bool) -> String {
        // Members are ordered by key and by their own canonical text, so equal keys do not depend on order either.
        let mut texts: Vec<String> = vec![String::new(); self.nodes.len()];
        for id in (0..self.nodes.len()).rev() {
            let n = &self.nodes[id];
            texts[id] = match n.kind {
                Kind::Object => {
                    let mut members: Vec<String> = n
                        .children
                        .iter()
                        .filter(|&&c| !drop(&unescape(self.key(c))))
                        .map(|&c| format!("{}:{}", self.key(c), texts[c]))
                        .collect();
                    members.sort();
                    format!("{{{}}}", members.join(","))
                }
                Kind::Array => {
                    format!("[{}]", n.children.iter().map(|&c| texts[c].as_str()).collect::<Vec<_>>().join(","))
                }
                _ => self.raw(id).to_owned(),
            };
            for &c in &n.children {
                texts[c] = String::new();
            }
        }
        std::mem::take(&mut texts[0])
    }

    /// Writes the text anew with the children of containers as `order` leaves them.
    fn rewritten(&self, order: &dyn Fn(&Doc, usize, &mut Vec<usize>)) -> String {
        enum Job {
            Value(usize),
            Text(&'static str),
            Key(usize),
        }
        let mut out = String::with_capacity(self.text.len());
        let mut jobs = vec![Job::Value(0)];
        while let Some(job) = jobs.pop() {
            match job {
                Job::Text(t) => out.push_str(t),
                Job::Key(id) => out.push_str(self.key(id)),
                Job::Value(id) => {
                    let object = match self.kind(id) {
                        Kind::Object => true,
                        Kind::Array => false,
                        _ => {
                            out.push_str(self.raw(id));
                            continue;
                        }
                    };
                    let mut children = self.children(id).to_vec();
                    order(self, id, &mut children);
                    out.push(if object { '{' } else { '[' });
                    jobs.push(Job::Text(if object { "}" } else { "]" }));
                    for (k, &c) in children.iter().enumerate().rev() {
                        jobs.push(Job::Value(c));
                        if object {
                            jobs.push(Job::Text(":"));
                            jobs.push(Job::Key(c));
                        }
                        if k > 0 {
                            jobs.push(Job::Text(","));
                        }
                    }
                }
            }
        }
        out
    }
}

/// The characters of a raw JSON string, quotes included in `raw`. A half surrogate `\ud8xx` stands as a character of
/// the last private plane (U+10D8xx), which no generator uses, so that it survives as text.
pub fn unescape(raw: &str) -> String {
    let body = raw.strip_prefix('"').and_then(|r| r.strip_suffix('"')).unwrap_or(raw);
    let mut out = String::with_capacity(body.len());
    let mut rest = body;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let Some(code) = rest.bytes().next() else { break };
        rest = &rest[1..];
        match code {
            b'u' => {
                let unit = u32::from_str_radix(rest.get(..4).unwrap_or("0"), 16).unwrap_or(0);
                rest = rest.get(4..).unwrap_or("");
                let low =
                    rest.strip_prefix("\\u").and_then(|r| r.get(..4)).and_then(|h| u32::from_str_radix(h, 16).ok());
                match (unit, low) {
                    (0xd800..=0xdbff, Some(low @ 0xdc00..=0xdfff)) => {
                        rest = &rest[6..];
                        out.extend(char::from_u32(0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00)));
                    }
                    (0xd800..=0xdfff, _) => out.extend(char::from_u32(0x10_0000 + unit)),
                    _ => out.extend(char::from_u32(unit)),
                }
            }
            b'b' => out.push('\u{8}'),
            b'f' => out.push('\u{c}'),
            b'n' => out.push('\n'),
            b'r' => out.push('\r'),
            b't' => out.push('\t'),
            other => out.push(char::from(other)),
        }
    }
    out.push_str(rest);
    out
}

/// A key as a segment of a pointer: `~0`, `~1`, and `~2` for a literal `*`.
pub fn segment(key: &str) -> String {
    let text = key.replace('~', "~0").replace('/', "~1");
    if text == "*" { "~2".into() } else { text }
}

#[cfg(test)]
mod tests {
    use super::{parse, unescape};

    #[test]
    fn keeps_spelling_and_places() {
        let doc = parse(" {\"a\" : [1.0, -0 ,\"\\ud800 x\"],\n\"a\":{} } ").unwrap();
        assert_eq!(doc.text, "{\"a\":[1.0,-0,\"\\ud800 x\"],\"a\":{}}");
        assert_eq!(doc.children(0).len(), 2);
        assert_eq!(doc.raw(doc.at("/a/0").unwrap()), "1.0");
        assert_eq!(doc.depth, 2);
        assert!(doc.has_equal_keys());
        assert_eq!(doc.reversed(false), "{\"a\":{},\"a\":[1.0,-0,\"\\ud800 x\"]}");
    }

    #[test]
    fn refuses_what_is_no_json() {
        for (text, at) in [
            ("", 0),
            ("[1,]", 3),
            ("{\"a\":1", 6),
            ("[01]", 2),
            ("[1.]", 3),
            ("tru", 3),
            ("\"\\x\"", 2),
            ("[1}", 2),
            ("{\"a\" 1}", 5),
            ("1 2", 2),
            ("\"\u{1}\"", 1),
            ("[1e+]", 4),
            ("\"\\u12g4\"", 5),
            ("-", 1),
            ("{,}", 1),
            ("]", 0),
        ] {
            assert_eq!(parse(text).unwrap_err().at, at, "{text}");
        }
    }

    #[test]
    fn deep_nesting_needs_no_stack() {
        let text = "[".repeat(200_000) + &"]".repeat(200_000);
        assert_eq!(parse(&text).unwrap().depth, 200_000);
        let text = "[".repeat(10_000) + &"]".repeat(10_000);
        let doc = parse(&text).unwrap();
        assert_eq!(doc.depth, 10_000);
        assert_eq!(doc.canonical(&|_| false).len(), 20_000);
    }

    #[test]
    fn unescapes() {
        assert_eq!(unescape("\"a\\u00e9\\n\\ud83d\\ude00\\/\""), "aé\n😀/");
        assert_ne!(unescape("\"\\ud800\""), unescape("\"\\ud801\""));
    }
}
