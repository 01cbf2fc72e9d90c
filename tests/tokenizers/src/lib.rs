//! The candidates behind one function each.

/// Crate name with version, and how it counts. `0` is `o200k_base`, `1` is `cl100k_base`.
pub const CANDIDATES: [(&str, fn(usize, &str) -> usize); 4] = [
    ("tiktoken 4.1.2", tiktoken_count),
    ("tiktoken-rs 0.12.1", tiktoken_rs_count),
    ("bpe-openai 0.3.2", bpe_openai_count),
    ("toktok-rs 0.3.0", toktok_count),
];

/// The encodings, in the order of the index above.
pub const ENCODINGS: [&str; 2] = ["o200k_base", "cl100k_base"];

/// The crate `tiktoken`.
pub fn tiktoken_count(encoding: usize, text: &str) -> usize {
    tiktoken::get_encoding(ENCODINGS[encoding]).expect("a vocabulary that was asked for").count(text)
}

/// The crate `tiktoken-rs`.
pub fn tiktoken_rs_count(encoding: usize, text: &str) -> usize {
    match encoding {
        0 => tiktoken_rs::o200k_base_singleton().count_ordinary(text),
        _ => tiktoken_rs::cl100k_base_singleton().count_ordinary(text),
    }
}

/// The crate `bpe-openai`.
pub fn bpe_openai_count(encoding: usize, text: &str) -> usize {
    match encoding {
        0 => bpe_openai::o200k_base().count(text),
        _ => bpe_openai::cl100k_base().count(text),
    }
}

/// The crate `toktok-rs`.
pub fn toktok_count(encoding: usize, text: &str) -> usize {
    use std::sync::LazyLock;
    static BOTH: [LazyLock<toktok::Tokenizer>; 2] = [
        LazyLock::new(|| toktok::Tokenizer::builtin("o200k_base").expect("embedded")),
        LazyLock::new(|| toktok::Tokenizer::builtin("cl100k_base").expect("embedded")),
    ];
    BOTH[encoding].count(text.as_bytes())
}
