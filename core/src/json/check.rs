//! The checker: full RFC 8259, one pass, no recursion, memory bounded by the depth limit.

use alloc::vec::Vec;

use super::swar::{past_blanks, string_stop};
use super::table::{Entry, SkipTable};
use super::walk::Node;

/// A checked document.
#[derive(Debug)]
pub(crate) struct Scan {
    pub(crate) root: Node,
    pub(crate) table: SkipTable,
}

/// Where and why a text is not JSON, and what stood complete before that.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) at: usize,
    pub(crate) expected: &'static str,
    pub(crate) too_deep: bool,
    /// The containers open at the fault, outermost first.
    pub(crate) open: Vec<Open>,
}

/// A container that the fault left open.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Open {
    pub(crate) is_object: bool,
    /// Where the last complete child ends (the start of the content when there is none).
    pub(crate) whole_end: usize,
}

struct Frame {
    start: usize,
    blanks: usize,
    count: usize,
    last_end: usize,
    is_object: bool,
}

/// What a check writes down on its way.
pub(super) trait Notes {
    /// A key that starts here, with escapes in it or without; its value comes next.
    fn key(&mut self, start: usize, has_escape: bool);
    /// A container that starts here.
    fn open(&mut self, start: usize);
    /// The container that was opened last.
    fn close(&mut self, node: &Node);
    /// A string, a number or a word.
    fn plain(&mut self, start: usize, end: usize);
}

impl Notes for SkipTable {
    fn key(&mut self, _start: usize, _has_escape: bool) {}

    fn open(&mut self, _start: usize) {}

    fn close(&mut self, node: &Node) {
        self.note(Entry { start: node.start, end: node.end, blanks: node.blanks, count: node.count });
    }

    fn plain(&mut self, start: usize, end: usize) {
        self.note(Entry { start, end, blanks: 0, count: 0 });
    }
}

struct Checker<'a, N> {
    bytes: &'a [u8],
    at: usize,
    blanks: usize,
    stack: Vec<Frame>,
    notes: N,
}

/// Checks that `text` is one JSON value and notes its large parts. A byte order mark counts as white space.
///
/// # Errors
/// The first byte that cannot be read, and what was expected there.
pub(crate) fn check(text: &str, max_depth: usize) -> Result<Scan, Fault> {
    let (root, mut table) = check_noting(SkipTable::new(), text, max_depth)?;
    table.seal();
    Ok(Scan { root, table })
}

/// As [`check`], with other notes.
///
/// # Errors
/// As [`check`].
pub(super) fn check_noting<N: Notes>(notes: N, text: &str, max_depth: usize) -> Result<(Node, N), Fault> {
    let bytes = text.as_bytes();
    let at = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let mut c = Checker { bytes, at, blanks: 0, stack: Vec::new(), notes };
    match c.document(max_depth) {
        Ok(root) => Ok((root, c.notes)),
        Err(expected) => {
            let too_deep = expected == DEEP;
            let open = c.stack.iter().map(|f| Open { is_object: f.is_object, whole_end: f.last_end }).collect();
            Err(Fault { at: c.at, expected, too_deep, open })
        }
    }
}

const DEEP: &str = "less nesting";

impl<N: Notes> Checker<'_, N> {
    fn peek(&self) -> u8 {
        // 0 stands for the end: no rule of the grammar takes a NUL outside strings.
        self.bytes.get(self.at).copied().unwrap_or(0)
    }

    #[inline]
    fn space(&mut self) {
        let from = self.at;
        loop {
            match self.peek() {
                b' ' => self.at = past_blanks(self.bytes, self.at),
                b'\n' | b'\t' | b'\r' => self.at += 1,
                _ => break,
            }
        }
        self.blanks += self.at - from;
    }

    fn document(&mut self, max_depth: usize) -> Result<Node, &'static str> {
        self.space();
        let root_start = self.at;
        // White space before the root is not the root's.
        self.blanks = 0;
        let mut root;
        'value: loop {
            // A value has to start here.
            let start = self.at;
            match self.peek() {
                open @ (b'{' | b'[') => {
                    if self.stack.len() >= max_depth {
                        return Err(DEEP);
                    }
                    self.at += 1;
                    self.notes.open(start);
                    let is_object = open == b'{';
                    self.stack.push(Frame { start, blanks: self.blanks, count: 0, last_end: self.at, is_object });
                    self.space();
                    if is_object {
                        if self.peek() != b'}' {
                            self.key("a key or }")?;
                            continue 'value;
                        }
                    } else if self.peek() != b']' {
                        if matches!(self.peek(), b'}' | b',' | b':' | 0) {
                            return Err("a value or ]");
                        }
                        continue 'value;
                    }
                    root = self.close()?;
                }
                b'"' => {
                    self.string()?;
                    root = self.plain(start);
                }
                b't' => root = self.word(start, b"true")?,
                b'f' => root = self.word(start, b"false")?,
                b'n' => root = self.word(start, b"null")?,
                b'-' | b'0'..=b'9' => {
                    self.number()?;
                    root = self.plain(start);
                }
                _ => return Err("a value"),
            }
            // A value ended here: go on in its container, closing as many as end.
            loop {
                let end = self.at;
                let Some(frame) = self.stack.last_mut() else { break 'value };
                frame.count += 1;
                frame.last_end = end;
                let is_object = frame.is_object;
                self.space();
                match self.peek() {
                    b',' => {
                        self.at += 1;
                        self.space();
                        if is_object {
                            self.key("a key")?;
                        }
                        continue 'value;
                    }
                    b'}' if is_object => root = self.close()?,
                    b']' if !is_object => root = self.close()?,
                    _ => return Err(if is_object { ", or }" } else { ", or ]" }),
                }
            }
        }
        self.space();
        if self.at < self.bytes.len() {
            return Err("the end of the text");
        }
        root.start = root_start;
        Ok(root)
    }

    fn close(&mut self) -> Result<Node, &'static str> {
        self.at += 1;
        let Some(frame) = self.stack.pop() else { return Err("a value") };
        let node = Node { start: frame.start, end: self.at, blanks: self.blanks - frame.blanks, count: frame.count };
        self.notes.close(&node);
        Ok(node)
    }

    /// The string, number or word that starts at `start` and ends here.
    fn plain(&mut self, start: usize) -> Node {
        self.notes.plain(start, self.at);
        Node { start, end: self.at, blanks: 0, count: 0 }
    }

    /// A key, its colon, and the white space up to the value.
    fn key(&mut self, expected: &'static str) -> Result<(), &'static str> {
        if self.peek() != b'"' {
            return Err(expected);
        }
        let start = self.at;
        let has_escape = self.string()?;
        self.notes.key(start, has_escape);
        self.space();
        if self.peek() != b':' {
            return Err(":");
        }
        self.at += 1;
        self.space();
        Ok(())
    }

    /// A string; whether there are escapes in it.
    fn string(&mut self) -> Result<bool, &'static str> {
        self.at += 1;
        let mut has_escape = false;
        loop {
            self.at = string_stop(self.bytes, self.at);
            match self.bytes.get(self.at) {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(has_escape);
                }
                Some(b'\\') => {
                    let step = match self.bytes.get(self.at + 1) {
                        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 2,
                        Some(b'u') => {
                            let digits = self.bytes.get(self.at + 2..self.at + 6);
                            if !digits.is_some_and(|d| d.iter().all(u8::is_ascii_hexdigit)) {
                                return Err("four hexadecimal digits");
                            }
                            6
                        }
                        _ => return Err("an escape"),
                    };
                    self.at += step;
                    has_escape = true;
                }
                Some(_) => return Err("an escaped control character"),
                None => return Err("the end of the string"),
            }
        }
    }

    fn word(&mut self, start: usize, word: &'static [u8]) -> Result<Node, &'static str> {
        if self.bytes.get(start..start + word.len()) != Some(word) {
            return Err("a value");
        }
        self.at += word.len();
        Ok(self.plain(start))
    }

    fn digits(&mut self) -> Result<(), &'static str> {
        let from = self.at;
        while self.peek().is_ascii_digit() {
            self.at += 1;
        }
        if self.at == from { Err("a digit") } else { Ok(()) }
    }

    fn number(&mut self) -> Result<(), &'static str> {
        if self.peek() == b'-' {
            self.at += 1;
        }
        if self.peek() == b'0' {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.peek() == b'.' {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), b'e' | b'E') {
            self.at += 1;
            if matches!(self.peek(), b'+' | b'-') {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_what_the_grammar_takes() {
        for good in ["[]", "{}", " [1 , 2.5e-3,{\"a\":null}] ", "\"\\ud800\"", "-0", "\u{feff}[]", "[[[[]]]]"] {
            assert!(check(good, 512).is_ok(), "{good}");
        }
    }

    #[test]
    fn says_where_and_what() {
        for (bad, at, expected) in [
            ("", 0, "a value"),
            ("[1,]", 3, "a value"),
            ("[1 2]", 3, ", or ]"),
            ("{\"a\":1,}", 7, "a key"),
            ("{\"a\" 1}", 5, ":"),
            ("[01]", 2, ", or ]"),
            ("\"\u{1}\"", 1, "an escaped control character"),
            ("[] x", 3, "the end of the text"),
            ("\"abc", 4, "the end of the string"),
            ("tru", 0, "a value"),
            ("1.", 2, "a digit"),
        ] {
            let fault = check(bad, 512).unwrap_err();
            assert_eq!((fault.at, fault.expected), (at, expected), "{bad}");
        }
    }

    #[test]
    fn depth_is_an_error_and_not_a_stack() {
        let deep = "[".repeat(100_000);
        let fault = check(&deep, 512).unwrap_err();
        assert!(fault.too_deep);
        assert_eq!(fault.at, 512);
    }

    #[test]
    fn counts_children_and_blanks() {
        let scan = check(" [ 1 , {\"a\" : [ ] } ] ", 9).unwrap();
        assert_eq!(scan.root.count, 2);
        assert_eq!(scan.root.blanks, 8);
        assert_eq!((scan.root.start, scan.root.end), (1, 21));
    }
}
