//! The mutants, as `cargo mutants --list --json` gives them: its operators, our way of running them.

use serde::Deserialize;

#[derive(Clone, Debug, Deserialize)]
pub struct Mutant {
    pub file: String,
    /// `file:line:column: what is done`.
    pub name: String,
    pub function: Option<Function>,
    pub genre: String,
    pub replacement: String,
    pub span: Span,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Function {
    pub return_type: String,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Span {
    pub start: Place,
    pub end: Place,
}

/// Both count from one, columns in characters.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Place {
    pub line: usize,
    pub column: usize,
}

/// A source text that knows where its lines start.
pub struct Source {
    pub text: String,
    lines: Vec<usize>,
}

impl Source {
    pub fn new(text: String) -> Self {
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i + 1)).collect();
        Source { text, lines }
    }

    /// The byte at a line from one and a column in characters from zero.
    pub fn byte(&self, line: usize, column: usize) -> usize {
        let start = self.lines[line - 1];
        start + self.text[start..].chars().take(column).map(char::len_utf8).sum::<usize>()
    }

    pub fn bytes(&self, span: Span) -> std::ops::Range<usize> {
        self.byte(span.start.line, span.start.column - 1)..self.byte(span.end.line, span.end.column - 1)
    }
}
