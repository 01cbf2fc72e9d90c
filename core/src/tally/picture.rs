//! The books as a picture: one bar a boundary, in the shares of its records.

use alloc::format;
use alloc::string::String;

use super::{Sums, Tally};

/// What a bar shows, in order: its name and colour.
const PARTS: [(&str, &str); 5] =
    [("kept", "#4a7c59"), ("shrunk", "#c9a227"), ("recoverable", "#5b8db8"), ("lost", "#b5443a"), ("none", "#dddddd")];
const WIDTH: u64 = 480;
const LEFT: u64 = 120;
const ROW: u64 = 28;

impl Tally {
    /// An SVG document: a bar a boundary with what was kept, shrunk, can be fetched and is lost, of its records. It
    /// holds no text from outside: names are those of [`Boundary`](super::Boundary), all else is numbers.
    pub fn to_svg(&self) -> String {
        let rows = self.sums.len() as u64;
        let (width, height) = (LEFT + WIDTH + 120, ROW * (rows + 1) + 8);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" \
             font-size=\"13\">"
        );
        let mut x = LEFT;
        for (name, colour) in &PARTS[..4] {
            out.push_str(&format!("<rect x=\"{x}\" y=\"6\" width=\"12\" height=\"12\" fill=\"{colour}\"/>"));
            out.push_str(&format!("<text x=\"{}\" y=\"17\">{name}</text>", x + 16));
            x += 110;
        }
        for ((boundary, sums), at) in self.boundaries().zip(1..) {
            let y = ROW * at;
            out.push_str(&format!("<text x=\"4\" y=\"{}\">{}</text>", y + 17, boundary.name()));
            let mut from = 0;
            for ((_, colour), part) in PARTS.iter().zip(parts(&sums)) {
                let total = u128::from(sums.records.total.max(1));
                let end = from + part;
                let [a, b] =
                    [from, end].map(|n| u64::try_from(u128::from(n) * u128::from(WIDTH) / total).unwrap_or(WIDTH));
                if b > a {
                    out.push_str(&format!(
                        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"18\" fill=\"{colour}\"/>",
                        LEFT + a,
                        y + 4,
                        b - a
                    ));
                }
                from = end;
            }
            let x = LEFT + WIDTH + 8;
            out.push_str(&format!("<text x=\"{x}\" y=\"{}\">{}</text>", y + 17, sums.records.total));
        }
        out.push_str("</svg>");
        out
    }
}

/// The parts of a bar, which sum to the total; a bar of nothing is one of `none`.
fn parts(sums: &Sums) -> [u64; 5] {
    let r = &sums.records;
    [r.kept, r.shrunk, sums.recoverable, sums.lost(), u64::from(r.total == 0)]
}
