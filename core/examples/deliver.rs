//! `deliver UNIT LIMIT < payload`: the text on stdout, the whole answer as JSON with `--json` as a third argument.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::std_instead_of_alloc,
    clippy::std_instead_of_core,
    clippy::print_stdout
)]
use std::io::{Read, Write};

use haversack::{Budget, DeliverOptions, deliver};

fn main() -> Result<(), Box<dyn core::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let limit: usize = args.get(1).map_or(Ok(6000), |n| n.parse())?;
    let budget = match args.first().map(String::as_str) {
        Some("bytes") => Budget::bytes(limit),
        Some("utf16") => Budget::utf16(limit),
        _ => Budget::chars(limit),
    };
    let mut payload = Vec::new();
    std::io::stdin().read_to_end(&mut payload)?;
    let options = DeliverOptions::new(budget);
    let options = match args.get(3) {
        Some(cursor) => options.cursor(cursor),
        None => options,
    };
    let d = deliver(&payload, options)?;
    let out = if args.get(2).is_some_and(|a| a == "--json") { d.to_json() } else { d.text().to_string() };
    std::io::stdout().write_all(out.as_bytes())?;
    Ok(())
}
