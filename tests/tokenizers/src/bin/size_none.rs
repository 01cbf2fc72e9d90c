//! Nothing but this candidate: the size of the program says what it adds.

fn main() {
    let text: String = std::env::args().collect();
    for encoding in 0..2 {
        println!("{}", text.len() + encoding);
    }
}
