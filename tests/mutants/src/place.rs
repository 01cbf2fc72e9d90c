//! Writes a file with all of its mutants in it, each behind a choice at run time, and remembers where each stands, so
//! that the compiler's errors can be told to the mutants that cause them.

use std::collections::HashMap;
use std::ops::Range;

use crate::list::{Mutant, Source};
use crate::spots::{self, Shape, Spots};

/// Why a mutant has no verdict.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Out {
    /// With it the crate does not compile, or would not.
    Unviable,
    /// It is a mutant, but we cannot choose it at run time.
    NotPlaced,
}

/// One shape with the mutants that stand there: numbers, and what they put in its place.
struct Spot {
    shape: Shape,
    mutants: Vec<(u32, String)>,
    /// A comparison whose operands are borrowed is tried with their values before it is given up.
    by_value: bool,
}

enum Piece {
    Text(String),
    Mutant(u32, String),
    Source(Range<usize>),
}

pub struct File {
    pub path: String,
    source: Source,
    spots: Vec<Spot>,
    const_fns: Vec<(Range<usize>, Range<usize>)>,
    /// Of the text written last: where each spot and each mutant stands.
    spot_ranges: Vec<(Range<usize>, usize)>,
    mutant_ranges: Vec<(Range<usize>, u32)>,
}

impl File {
    /// `mutants` are those of this file, with their numbers; what cannot stand anywhere is told to `out`.
    pub fn new(path: &str, text: String, mutants: &[(u32, &Mutant)], out: &mut HashMap<u32, Out>) -> Self {
        let source = Source::new(text);
        let Spots { shapes, const_fns } = spots::find(&source);
        let mut by_place: HashMap<(usize, usize), Spot> = HashMap::new();
        for (number, mutant) in mutants {
            let start = source.bytes(mutant.span).start;
            let shape = shapes.iter().find(|((kind, at), _)| *kind == mutant.genre && *at == start).map(|(_, s)| s);
            let hidden =
                mutant.genre == "FnValue" && mutant.function.as_ref().is_some_and(|f| f.return_type.contains("impl "));
            match shape {
                Some(Shape::Chain) => drop(out.insert(*number, Out::Unviable)),
                None | Some(Shape::Constant) => drop(out.insert(*number, Out::NotPlaced)),
                Some(_) if hidden => drop(out.insert(*number, Out::NotPlaced)),
                Some(shape) => {
                    let what = if mutant.genre == "MatchArm" { "arm" } else { &mutant.replacement };
                    let range = range(shape);
                    let kind = matches!(shape, Shape::Guard { .. });
                    by_place
                        .entry((range.start * 2 + usize::from(!kind), range.end))
                        .or_insert_with(|| Spot { shape: shape.clone(), mutants: vec![], by_value: false })
                        .mutants
                        .push((*number, what.to_owned()));
                }
            }
        }
        let mut spots: Vec<Spot> = by_place.into_values().collect();
        // The outer before the inner; a guard before the expression that it is.
        spots.sort_by_key(|s| {
            let r = range(&s.shape);
            (r.start, usize::MAX - r.end, !matches!(s.shape, Shape::Guard { .. }))
        });
        File { path: path.into(), source, spots, const_fns, spot_ranges: vec![], mutant_ranges: vec![] }
    }

    /// The text with the mutants that are left.
    pub fn write(&mut self) -> String {
        self.spot_ranges.clear();
        self.mutant_ranges.clear();
        self.spots.retain(|s| !s.mutants.is_empty());
        let mut text = String::new();
        self.render(0..self.source.text.len(), 0, &mut text);
        text
    }

    fn render(&mut self, part: Range<usize>, first: usize, text: &mut String) {
        let mut at = part.start;
        for i in first..self.spots.len() {
            let range = range(&self.spots[i].shape);
            if range.start >= part.end {
                break;
            }
            if range.start < at || range.end > part.end {
                continue;
            }
            self.copy(at..range.start, text);
            at = range.end;
            let start = text.len();
            for piece in pieces(&self.spots[i], &self.source.text) {
                match piece {
                    Piece::Text(t) => *text += &t,
                    Piece::Source(part) => self.render(part, i + 1, text),
                    Piece::Mutant(number, t) => {
                        let start = text.len();
                        *text += &t;
                        self.mutant_ranges.push((start..text.len(), number));
                    }
                }
            }
            self.spot_ranges.push((start..text.len(), i));
        }
        self.copy(at..part.end, text);
    }

    /// Copies what is between spots, without the `const` of functions: a choice at run time is not constant.
    fn copy(&self, part: Range<usize>, text: &mut String) {
        let mut at = part.start;
        for (word, _) in self.const_fns.iter().filter(|(word, _)| part.start <= word.start && word.end <= part.end) {
            *text += &self.source.text[at..word.start];
            at = word.end;
        }
        *text += &self.source.text[at..part.end];
    }

    /// The compiler found an error at these bytes of the written text. Answers which mutants go for it, and whether it
    /// is the value of a function.
    pub fn blame(&mut self, error: Range<usize>) -> (Vec<u32>, bool) {
        let around = |r: &Range<usize>| r.start <= error.start && error.end <= r.end;
        let inner = self.mutant_ranges.iter().filter(|(r, _)| around(r)).min_by_key(|(r, _)| r.len());
        let spot = self.spot_ranges.iter().filter(|(r, _)| around(r)).min_by_key(|(r, _)| r.len());
        if let Some((_, number)) = inner {
            let number = *number;
            let mut value = false;
            for spot in self.spots.iter_mut().filter(|s| s.mutants.iter().any(|(n, _)| *n == number)) {
                spot.mutants.retain(|(n, _)| *n != number);
                value = matches!(spot.shape, Shape::Body { .. });
            }
            return (vec![number], value);
        }
        let Some((_, i)) = spot else { return (vec![], false) };
        let spot = &mut self.spots[*i];
        if let Shape::Binary { operator, .. } = &spot.shape
            && is_comparison(operator)
            && !spot.by_value
        {
            spot.by_value = true;
            return (vec![0], false);
        }
        (spot.mutants.drain(..).map(|(n, _)| n).collect(), false)
    }
}

fn range(shape: &Shape) -> Range<usize> {
    match shape {
        Shape::Body { at } | Shape::Arm { at } => *at..*at,
        Shape::Guard { guard } => guard.clone(),
        Shape::Binary { whole, .. } | Shape::Unary { whole, .. } | Shape::Field { whole, .. } => whole.clone(),
        Shape::Constant | Shape::Chain => 0..0,
    }
}

fn is_comparison(operator: &str) -> bool {
    matches!(operator, "==" | "!=" | "<" | "<=" | ">" | ">=")
}

/// `crate::mutant::m(7)`.
fn on(number: u32) -> String {
    format!("crate::mutant::m({number})")
}

/// `if m(1) { … } else if m(2) { … } else { … }`.
fn choice(mutants: &[(u32, String)], change: impl Fn(&str) -> String, plain: String) -> Vec<Piece> {
    let mut pieces = vec![];
    for (number, what) in mutants {
        pieces.push(Piece::Text(format!("if {} {{ ", on(*number))));
        pieces.push(Piece::Mutant(*number, change(what)));
        pieces.push(Piece::Text(" } else ".into()));
    }
    pieces.push(Piece::Text(format!("{{ {plain} }}")));
    pieces
}

/// The spot with its choices. Operands are evaluated once and in their order, so nothing is written twice.
fn pieces(spot: &Spot, source: &str) -> Vec<Piece> {
    let text = |t: &str| Piece::Text(t.into());
    let mut all = vec![];
    match &spot.shape {
        Shape::Body { .. } => {
            for (number, value) in &spot.mutants {
                all.push(Piece::Text(format!(" if {} {{ return ", on(*number))));
                // What is not in scope here is still a value of the type.
                all.push(Piece::Mutant(*number, value.replace("Box::", "::alloc::boxed::Box::")));
                all.push(text("; }"));
            }
        }
        Shape::Binary { left, operator, right, .. } if matches!(operator.as_str(), "&&" | "||") => {
            // `&&` goes on after true and `||` after false; the mutant the other way round.
            let go_on = if operator == "&&" { "!" } else { "" };
            all.push(text("({ let __l = "));
            all.push(Piece::Source(left.clone()));
            all.push(Piece::Text(format!("; if __l == {go_on}{} {{ ", on(spot.mutants[0].0))));
            all.push(Piece::Source(right.clone()));
            all.push(text(" } else { __l } })"));
        }
        Shape::Binary { left, operator, right, .. } if operator.ends_with('=') && !is_comparison(operator) => {
            all.push(text("(match ("));
            all.push(Piece::Source(right.clone()));
            all.push(text(") { __r => match &mut ("));
            all.push(Piece::Source(left.clone()));
            all.push(text(") { __l => "));
            all.extend(choice(&spot.mutants, |op| format!("*__l {op} __r"), format!("*__l {operator} __r")));
            all.push(text(" } })"));
        }
        Shape::Binary { left, operator, right, .. } => {
            let (borrow, value) = if is_comparison(operator) && !spot.by_value { ("&", "*") } else { ("", "") };
            all.push(Piece::Text(format!("(match ({borrow}(")));
            all.push(Piece::Source(left.clone()));
            all.push(Piece::Text(format!("), {borrow}(")));
            all.push(Piece::Source(right.clone()));
            all.push(text(")) { (__l, __r) => "));
            let write = |op: &str| format!("{value}__l {op} {value}__r");
            all.extend(choice(&spot.mutants, write, write(operator)));
            all.push(text(" })"));
        }
        Shape::Unary { operator, operand, .. } => {
            all.push(text("(match ("));
            all.push(Piece::Source(operand.clone()));
            all.push(text(") { __v => "));
            all.extend(choice(&spot.mutants, |_| "__v".into(), format!("{operator}__v")));
            all.push(text(" })"));
        }
        Shape::Arm { .. } => all.push(Piece::Text(format!(" if !{}", on(spot.mutants[0].0)))),
        Shape::Guard { guard } => {
            for (number, what) in &spot.mutants {
                all.push(Piece::Text(match what.as_str() {
                    "true" => format!("({} || ", on(*number)),
                    _ => format!("(!{} && ", on(*number)),
                }));
            }
            all.push(text("("));
            all.push(Piece::Source(guard.clone()));
            all.push(text(")"));
            all.push(Piece::Text(")".repeat(spot.mutants.len())));
        }
        Shape::Field { literal, rest, name, value, .. } => {
            let (literal, rest) = (&source[literal.clone()], &source[rest.clone()]);
            all.push(Piece::Text(format!("{name}: if {} {{ ", on(spot.mutants[0].0))));
            // What the rest is by name is still wanted whole.
            let named = rest.chars().all(|c| c.is_alphanumeric() || c == '_');
            let taken = if named {
                format!("{rest}.{name}.clone()")
            } else {
                format!("{{ let __rest: {literal} = {rest}; __rest.{name} }}")
            };
            all.push(Piece::Mutant(spot.mutants[0].0, taken));
            all.push(text(" } else { "));
            all.push(value.clone().map_or(text(name), Piece::Source));
            all.push(text(" }"));
        }
        Shape::Constant | Shape::Chain => {}
    }
    all
}
