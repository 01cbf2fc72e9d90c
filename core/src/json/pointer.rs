//! JSON Pointers (RFC 6901), with `*` for every element or member and `~2` for a literal `*`.

use alloc::string::String;
use alloc::vec::Vec;

use super::check::Scan;
use super::strings::{decode_key, unescape};
use super::walk::{Children, Kind, Node};
use crate::error::{Error, ErrorKind};

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Star,
    Name(String),
}

/// A parsed pointer, perhaps with stars.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pattern {
    tokens: Vec<Token>,
}

impl Pattern {
    /// Reads a pointer that came as the option `argument`.
    ///
    /// # Errors
    /// `invalid_pointer` with the offset inside the pointer.
    pub(crate) fn parse(pointer: &str, argument: &'static str) -> Result<Self, Error> {
        let bad = |at: usize, what: &str| {
            let message = alloc::format!("{argument}: {what} at byte {at} of the pointer");
            Err(Error::new(ErrorKind::InvalidPointer, message).argument_named(argument).at(at))
        };
        let mut tokens = Vec::new();
        if pointer.is_empty() {
            return Ok(Pattern { tokens });
        }
        if !pointer.starts_with('/') {
            return bad(0, "a pointer starts with /");
        }
        let mut at = 1;
        for part in pointer.split('/').skip(1) {
            if part == "*" {
                tokens.push(Token::Star);
            } else {
                let mut name = String::new();
                let mut chars = part.char_indices();
                while let Some((i, c)) = chars.next() {
                    match (c, c == '~') {
                        (_, true) => match chars.next() {
                            Some((_, '0')) => name.push('~'),
                            Some((_, '1')) => name.push('/'),
                            Some((_, '2')) => name.push('*'),
                            Some((_, '3')) => name.push(','),
                            Some((_, '4')) => name.push(';'),
                            _ => return bad(at + i, "~ is followed by 0, 1 or 2"),
                        },
                        (c, _) => name.push(c),
                    }
                }
                tokens.push(Token::Name(name));
            }
            at += part.len() + 1;
        }
        Ok(Pattern { tokens })
    }

    pub(crate) fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Whether the token at `level` allows a member of that (decoded) key.
    pub(crate) fn takes_key(&self, level: usize, key: &str) -> bool {
        match self.tokens.get(level) {
            Some(Token::Star) => true,
            Some(Token::Name(name)) => name == key,
            None => false,
        }
    }

    /// Whether the token at `level` allows the element at `index`.
    pub(crate) fn takes_index(&self, level: usize, index: usize) -> bool {
        match self.tokens.get(level) {
            Some(Token::Star) => true,
            Some(Token::Name(name)) => array_index(name) == Some(index),
            None => false,
        }
    }

    /// The tokens as plain names, or `None` when there is a star among them.
    pub(crate) fn names(&self) -> Option<Vec<&str>> {
        self.tokens
            .iter()
            .map(|t| match t {
                Token::Name(n) => Some(n.as_str()),
                Token::Star => None,
            })
            .collect()
    }
}

/// What RFC 6901 takes as an index.
fn array_index(name: &str) -> Option<usize> {
    if is_plain_number(name) { name.parse().ok() } else { None }
}

/// Digits only, no sign, no leading zero.
pub(crate) fn is_plain_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) && (text.len() == 1 || !text.starts_with('0'))
}

/// Appends `/` and the token of a raw key (quotes included), in the key's own escapes.
pub(crate) fn push_token(path: &mut String, raw_key: &str) {
    path.push('/');
    for (start, end, c) in unescape(raw_key) {
        match c {
            '~' => path.push_str("~0"),
            '/' => path.push_str("~1"),
            '*' => path.push_str("~2"),
            _ => path.push_str(raw_key.get(start..end).unwrap_or_default()),
        }
    }
}

/// The value that the first `names` lead to, and how many of them were used: fewer than all when the way ends at a
/// string (which may hold JSON) or nothing is there (`None`).
pub(crate) fn resolve(text: &str, scan: &Scan, names: &[&str]) -> Option<(Node, usize)> {
    let mut node = scan.root;
    for (i, name) in names.iter().enumerate() {
        let mut children = Children::new(text, scan, &node);
        let found = match node.kind(text) {
            Kind::Object => children.find(|c| {
                let raw = c.key_raw(text);
                if raw.contains('\\') { decode_key(raw) == **name } else { raw.get(1..raw.len() - 1) == Some(name) }
            }),
            Kind::Array => array_index(name).and_then(|at| children.nth(at)),
            Kind::String => return Some((node, i)),
            Kind::Scalar => None,
        };
        node = found?.node;
    }
    Some((node, names.len()))
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use super::*;

    #[test]
    fn finds_what_it_names() {
        let text = r#"{"a/b":{"x~y":[10,{"*":true}]},"\u0063":3}"#;
        let scan = check(text, 9).unwrap();
        let at = |p: &str| {
            let pattern = Pattern::parse(p, "select").unwrap();
            resolve(text, &scan, &pattern.names().unwrap()).map(|(n, _)| n.raw(text))
        };
        assert_eq!(at("/a~1b/x~0y/1/~2"), Some("true"));
        assert_eq!(at("/c"), Some("3"));
        assert_eq!(at("/a~1b/x~0y/01"), None);
        assert_eq!(at(""), Some(text));
    }

    #[test]
    fn says_where_a_pointer_is_wrong() {
        assert_eq!(Pattern::parse("a", "select").unwrap_err().offset(), Some(0));
        assert_eq!(Pattern::parse("/a/b~7", "select").unwrap_err().offset(), Some(4));
    }
}
