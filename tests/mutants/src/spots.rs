//! The places of a file at which a mutant can stand, found in its syntax tree by the byte at which cargo-mutants says
//! that the mutant starts.

use std::collections::HashMap;
use std::ops::Range;

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, Member, UnOp};

use crate::list::Source;

/// What stands at a place, in byte ranges of the source.
#[derive(Clone, Debug)]
pub enum Shape {
    /// Behind the brace of a function.
    Body {
        at: usize,
    },
    Binary {
        whole: Range<usize>,
        left: Range<usize>,
        operator: String,
        right: Range<usize>,
    },
    Unary {
        whole: Range<usize>,
        operator: String,
        operand: Range<usize>,
    },
    /// An arm without a guard: behind its pattern.
    Arm {
        at: usize,
    },
    /// The guard of an arm, for mutants of the guard and of the arm.
    Guard {
        guard: Range<usize>,
    },
    /// A field of a literal that takes the rest from another value.
    Field {
        whole: Range<usize>,
        literal: Range<usize>,
        rest: Range<usize>,
        name: String,
        value: Option<Range<usize>>,
    },
    /// Evaluated by the compiler, where nothing can be chosen at run time.
    Constant,
    /// `&&` between the links of a `let` chain; with `||` it is no Rust.
    Chain,
}

#[derive(Default)]
pub struct Spots {
    /// By kind of mutant and first byte.
    pub shapes: HashMap<(&'static str, usize), Shape>,
    /// The word `const` of each function that has it, and the function.
    pub const_fns: Vec<(Range<usize>, Range<usize>)>,
}

struct Finder<'s> {
    source: &'s Source,
    found: Spots,
    /// How many constants we are inside.
    constant: usize,
    /// The starts of the `&&` that link a `let` chain.
    chain: Vec<usize>,
}

pub fn find(source: &Source) -> Spots {
    let file = syn::parse_file(&source.text).expect("a file that compiles");
    let mut finder = Finder { source, found: Spots::default(), constant: 0, chain: vec![] };
    finder.visit_file(&file);
    finder.found
}

fn has_let(e: &Expr) -> bool {
    match e {
        Expr::Let(_) => true,
        Expr::Binary(b) if matches!(b.op, BinOp::And(_)) => has_let(&b.left) || has_let(&b.right),
        _ => false,
    }
}

impl Finder<'_> {
    fn range(&self, span: Span) -> Range<usize> {
        let (start, end) = (span.start(), span.end());
        self.source.byte(start.line, start.column)..self.source.byte(end.line, end.column)
    }

    fn of(&self, node: &impl Spanned) -> Range<usize> {
        self.range(node.span())
    }

    fn text(&self, range: &Range<usize>) -> String {
        self.source.text[range.clone()].to_owned()
    }

    fn add(&mut self, kind: &'static str, start: usize, shape: Shape) {
        let shape = if self.constant > 0 { Shape::Constant } else { shape };
        self.found.shapes.insert((kind, start), shape);
    }

    fn function(&mut self, whole: Range<usize>, sig: &syn::Signature, block: &syn::Block) {
        if let Some(word) = &sig.constness {
            let word = self.of(word);
            self.found.const_fns.push((word, whole));
        }
        if let Some(first) = block.stmts.first() {
            let at = self.range(block.brace_token.span.open()).end;
            self.add("FnValue", self.of(first).start, Shape::Body { at });
        }
    }

    fn links(&mut self, e: &Expr) {
        if let Expr::Binary(b) = e
            && matches!(b.op, BinOp::And(_))
        {
            self.chain.push(self.of(&b.op).start);
            self.links(&b.left);
            self.links(&b.right);
        }
    }

    fn constant(&mut self, inside: impl FnOnce(&mut Self)) {
        self.constant += 1;
        inside(self);
        self.constant -= 1;
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_fn(&mut self, i: &'ast syn::ItemFn) {
        self.function(self.of(i), &i.sig, &i.block);
        visit::visit_item_fn(self, i);
    }

    fn visit_impl_item_fn(&mut self, i: &'ast syn::ImplItemFn) {
        self.function(self.of(i), &i.sig, &i.block);
        visit::visit_impl_item_fn(self, i);
    }

    fn visit_trait_item_fn(&mut self, i: &'ast syn::TraitItemFn) {
        if let Some(block) = &i.default {
            self.function(self.of(i), &i.sig, block);
        }
        visit::visit_trait_item_fn(self, i);
    }

    fn visit_item_const(&mut self, i: &'ast syn::ItemConst) {
        self.constant(|f| visit::visit_item_const(f, i));
    }

    fn visit_item_static(&mut self, i: &'ast syn::ItemStatic) {
        self.constant(|f| visit::visit_item_static(f, i));
    }

    fn visit_impl_item_const(&mut self, i: &'ast syn::ImplItemConst) {
        self.constant(|f| visit::visit_impl_item_const(f, i));
    }

    fn visit_type_array(&mut self, i: &'ast syn::TypeArray) {
        self.constant(|f| visit::visit_type_array(f, i));
    }

    fn visit_expr_repeat(&mut self, i: &'ast syn::ExprRepeat) {
        self.visit_expr(&i.expr);
        self.constant(|f| f.visit_expr(&i.len));
    }

    fn visit_expr_binary(&mut self, i: &'ast syn::ExprBinary) {
        let operator = self.of(&i.op);
        let start = operator.start;
        if matches!(i.op, BinOp::And(_)) && (has_let(&i.left) || has_let(&i.right)) {
            self.chain.push(start);
            self.links(&i.left);
            self.links(&i.right);
        }
        let shape = if self.chain.contains(&start) {
            Shape::Chain
        } else {
            let (left, right) = (self.of(&i.left), self.of(&i.right));
            Shape::Binary { whole: left.start..right.end, left, operator: self.text(&operator), right }
        };
        self.add("BinaryOperator", start, shape);
        visit::visit_expr_binary(self, i);
    }

    fn visit_expr_unary(&mut self, i: &'ast syn::ExprUnary) {
        if !matches!(i.op, UnOp::Deref(_)) {
            let (whole, operator, operand) = (self.of(i), self.of(&i.op), self.of(&i.expr));
            self.add("UnaryOperator", whole.start, Shape::Unary { whole, operator: self.text(&operator), operand });
        }
        visit::visit_expr_unary(self, i);
    }

    fn visit_arm(&mut self, i: &'ast syn::Arm) {
        let start = self.of(i).start;
        if let Some((_, guard)) = &i.guard {
            let guard = self.of(guard);
            self.add("MatchArm", start, Shape::Guard { guard: guard.clone() });
            self.add("MatchArmGuard", guard.start, Shape::Guard { guard });
        } else {
            self.add("MatchArm", start, Shape::Arm { at: self.of(&i.pat).end });
        }
        visit::visit_arm(self, i);
    }

    fn visit_expr_struct(&mut self, i: &'ast syn::ExprStruct) {
        if let Some(rest) = &i.rest {
            for field in &i.fields {
                if let Member::Named(name) = &field.member {
                    let whole = self.of(field);
                    let value = field.colon_token.as_ref().map(|_| self.of(&field.expr));
                    let (literal, rest, name) = (self.of(&i.path), self.of(rest), name.to_string());
                    self.add("StructField", whole.start, Shape::Field { whole, literal, rest, name, value });
                }
            }
        }
        visit::visit_expr_struct(self, i);
    }
}
