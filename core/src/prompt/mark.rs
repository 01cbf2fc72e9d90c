//! Cache marks: where a request asks its provider to write the cache.

kinds! {
    /// How a format spells a cache mark.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum MarkKind;

    /// The member `cache_control` of a tool, a block or the request (Anthropic and what speaks its format).
    CacheControl = 1, "cache_control";
    /// A block `cachePoint` of its own, behind what it closes (Bedrock).
    CachePoint = 2, "cachePoint";
    /// The member `prompt_cache_breakpoint` of a content block (OpenAI).
    Breakpoint = 3, "prompt_cache_breakpoint";
}

/// A cache mark of a request. It is no content: a mark that moves changes no piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mark {
    /// Bytes of the piece's text that stand before it: the end of the block it closes.
    pub at: usize,
    /// How it is spelt.
    pub kind: MarkKind,
    /// The life it asks for in seconds (`"1h"` is 3,600); none where it leaves that to the provider.
    pub seconds: Option<u32>,
}

/// Seconds of a life such as `5m`, `1h` or `300s`.
pub(crate) fn seconds(life: &str) -> Option<u32> {
    let unit = match life.as_bytes().last()? {
        b's' => 1,
        b'm' => 60,
        b'h' => 3600,
        _ => return None,
    };
    let digits = life.get(..life.len() - 1)?;
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    digits.parse::<u32>().ok()?.checked_mul(unit)
}

#[cfg(test)]
mod tests {
    use super::seconds;

    #[test]
    fn reads_lives() {
        assert_eq!([seconds("5m"), seconds("1h"), seconds("30s")], [Some(300), Some(3600), Some(30)]);
        assert_eq!(
            [seconds(""), seconds("h"), seconds("+1h"), seconds("1d"), seconds("99999999999h"), seconds("1é")],
            [None; 6]
        );
    }
}
