//! The books as text for people.

use alloc::format;
use alloc::string::String;

use super::Tally;
use crate::wording::escaped;

/// Scalar values of a key that are shown.
const KEY_CHARS: usize = 120;

impl Tally {
    /// One line a boundary with its records, then one line a key, the rarest first. Keys are escaped and cut to 120
    /// characters.
    pub fn table(&self) -> String {
        let mut out =
            row("boundary", &["calls", "total", "kept", "shrunk", "offloaded", "omitted", "recoverable", "lost"]);
        for (boundary, sums) in self.boundaries() {
            let r = &sums.records;
            let numbers =
                [sums.calls, r.total, r.kept, r.shrunk, r.offloaded, r.omitted, sums.recoverable, sums.lost()];
            let shown = numbers.map(|n| format!("{n}"));
            out.push('\n');
            out.push_str(&row(boundary.name(), &shown.each_ref().map(String::as_str)));
        }
        for key in self.survival() {
            let flag = if key.rare { "  almost never" } else { "" };
            let (whole, part) = (key.per_10_000 / 100, key.per_10_000 % 100);
            let name: String = escaped(&key.key).chars().take(KEY_CHARS).collect();
            out.push_str(&format!("\nkey {name}: {} of {} arrived, {whole}.{part:02} %{flag}", key.arrived, key.calls));
        }
        out
    }
}

fn row(name: &str, cells: &[&str]) -> String {
    let mut out = format!("{name:12}");
    for cell in cells {
        out.push_str(&format!(" {cell:>11}"));
    }
    out
}
