//! What an ANSI sequence is, where it is taken out: ECMA-48's control sequences, strings and short escapes. An escape
//! character that begins none is taken out alone, so that taking out twice changes nothing.
#![allow(clippy::unwrap_used)]

use haversack::{Ansi, Budget, DeliverOptions, Format, deliver};

fn stripped(text: &str) -> String {
    let options = DeliverOptions::new(Budget::chars(200)).format(Format::Lines).ansi(Ansi::Strip);
    deliver(text, options).unwrap().text().to_owned()
}

#[test]
fn sequences_go_and_the_rest_stays() {
    for (sequence, left) in [
        ("\x1b[31m", ""),
        ("\x1b[1;38;5;196m", ""),
        ("\x1b[0 q", ""),
        ("\x1b[31\x1f", "[31\x1f"),
        ("\x1b]0;title\x07", ""),
        ("\x1b]0;title\x1b\\", ""),
        ("\x1b]0;title", "]0;title"),
        ("\x1b]0;ti\x1bx", "]0;ti"),
        ("\x1b]0;ti\ntle\x07", "]0;ti\ntle\x07"),
        ("\x1bPq#0\x1b\\", ""),
        ("\x1b^pm\x1b\\", ""),
        ("\x1b_ap\x1b\\", ""),
        ("\x1bXs\x1b\\", ""),
        ("\x1b(B", ""),
        ("\x1b (F", ""),
        ("\x1b((B", ""),
        ("\x1b(\x1f", "(\x1f"),
        ("\x1b7", ""),
        ("\x1b~", ""),
        ("\x1b\x1b7", ""),
        ("\x1b\x01", "\x01"),
        ("\x1b\u{e9}", "\u{e9}"),
    ] {
        assert_eq!(stripped(&format!("a{sequence}-\nplain\n")), format!("a{left}-\nplain\n"), "{sequence:?}");
    }
}
