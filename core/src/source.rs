//! Where a statement comes from, and how far that can be trusted.

use alloc::string::String;

use crate::shown;

kinds! {
    /// Who or what made a statement.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum SourceKind;

    /// The user said it.
    User = 1, "user";
    /// The host or its developer wrote it.
    System = 2, "system";
    /// The model concluded it.
    Agent = 3, "agent";
    /// A tool returned it.
    Tool = 4, "tool";
    /// It stood on a page.
    Page = 5, "page";
    /// It stood in an e-mail.
    Email = 6, "email";
    /// It stood in a file.
    File = 7, "file";
    /// Nobody knows, which is no reason to trust it.
    Unknown = 8, "unknown";
}

kinds! {
    /// How far a source can be trusted. The order is that of rank: what comes first goes before what comes later.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum Trust;

    /// Stated by the user or the host.
    Stated = 1, "stated";
    /// The model's own words, which may repeat anything it read.
    Own = 2, "own";
    /// Derived from content: tools, pages, e-mails, files, and whatever has no known source.
    Content = 3, "content";
}

impl SourceKind {
    /// How far sources of this kind can be trusted.
    pub const fn trust(self) -> Trust {
        match self {
            SourceKind::User | SourceKind::System => Trust::Stated,
            SourceKind::Agent => Trust::Own,
            _ => Trust::Content,
        }
    }
}

/// A source as it was given: a kind, and after a colon which one (`user`, `tool:c1`, `page:https://example.org/a`).
///
/// Anything that does not start with one of the [kinds](SourceKind), exactly as they are spelt, is of unknown source
/// and so untrusted; it keeps its text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Source {
    text: String,
    kind: SourceKind,
}

impl Source {
    /// Bytes that a source can have.
    pub const MAX_BYTES: usize = 4096;

    /// Reads a source. An empty text is of unknown source.
    pub fn parse(text: &str) -> Self {
        let kind = text.split(':').next().and_then(SourceKind::named).unwrap_or(SourceKind::Unknown);
        let text = if text.is_empty() { SourceKind::Unknown.name() } else { text };
        Source { text: text.into(), kind }
    }

    /// The text, as it was given.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// What kind of source it is.
    pub const fn kind(&self) -> SourceKind {
        self.kind
    }

    /// Which one of its kind: what stands behind the first colon; the whole text where the kind is not known.
    pub fn detail(&self) -> Option<&str> {
        let detail = match self.kind {
            SourceKind::Unknown if self.text != SourceKind::Unknown.name() => self.text.as_str(),
            _ => self.text.split_once(':').map_or("", |(_, detail)| detail),
        };
        (!detail.is_empty()).then_some(detail)
    }

    /// How far it can be trusted.
    pub const fn trust(&self) -> Trust {
        self.kind.trust()
    }

    /// Whether `asked` names it: exactly, or as the kind of all of its kind.
    pub fn is_of(&self, asked: &Source) -> bool {
        self.text == asked.text || (asked.detail().is_none() && asked.kind == self.kind)
    }

    /// Appends the label that stands in rendered lines: the kind as a plain word, the detail in quotes.
    pub(crate) fn push_label(&self, out: &mut String) {
        out.push_str(self.kind.name());
        if let Some(detail) = self.detail() {
            out.push(' ');
            shown::push_quoted(detail, out);
        }
    }
}

impl serde::Serialize for Source {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.text)
    }
}

/// The kinds of sources beside the first, each once, as `; also page, tool`.
pub(crate) fn push_also<'a>(first: &Source, others: impl Iterator<Item = &'a Source>, out: &mut String) {
    let mut kinds: alloc::vec::Vec<SourceKind> = others.map(Source::kind).filter(|k| *k != first.kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    for (at, kind) in kinds.iter().enumerate() {
        out.push_str(if at == 0 { "; also " } else { " and " });
        out.push_str(kind.name());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_what_it_starts_with() {
        for (text, kind, detail, label) in [
            ("user", SourceKind::User, None, "user"),
            ("tool:c1", SourceKind::Tool, Some("c1"), "tool \"c1\""),
            ("page:https://a.b/c", SourceKind::Page, Some("https://a.b/c"), "page \"https://a.b/c\""),
            ("page:", SourceKind::Page, None, "page"),
            ("", SourceKind::Unknown, None, "unknown"),
            ("unknown", SourceKind::Unknown, None, "unknown"),
            ("User", SourceKind::Unknown, Some("User"), "unknown \"User\""),
            (" user", SourceKind::Unknown, Some(" user"), "unknown \" user\""),
            ("web:user", SourceKind::Unknown, Some("web:user"), "unknown \"web:user\""),
            ("file:a\n- x, user)", SourceKind::File, Some("a\n- x, user)"), "file \"a\\n- x, user)\""),
        ] {
            let source = Source::parse(text);
            assert_eq!((source.kind(), source.detail()), (kind, detail), "{text:?}");
            let mut shown = String::new();
            source.push_label(&mut shown);
            assert_eq!(shown, label);
            assert_eq!(Source::parse(source.as_str()), source);
        }
        assert!(Source::parse("page:a").is_of(&Source::parse("page")));
        assert!(!Source::parse("page").is_of(&Source::parse("page:a")));
        assert!(!Source::parse("User").is_of(&Source::parse("user")));
    }
}
