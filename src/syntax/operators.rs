//! The precedence of operators between operands, loosest first, and the trees of flat chains.

use crate::source::diagnostic::{Code, Diagnostic};
use crate::source::text::Span;
use crate::syntax::tree::BinaryOp::{Add, Div, Meet, Mod, Mul, Over, Pow, Range, Sub, Xor};
use crate::syntax::tree::LogicOp::{And, Implies, Or};
use crate::syntax::tree::Operator::{Binary, Iff, Logic};
use crate::syntax::tree::{Expr, ExprKind, Operator};
use std::iter::Peekable;
use std::vec::IntoIter;

/// A part of a flat chain.
#[derive(Debug)]
pub(super) enum Part {
    /// An operand.
    Operand(Expr),
    /// An operator between two operands.
    Op(Operator, Span),
    /// A minus before an operand.
    Neg(Span),
}

/// A minus before an operand binds looser than `**` and tighter than `*`.
const NEG: u8 = 9;

/// How tightly an operator binds.
pub(crate) fn strength(op: Operator) -> u8 {
    match op {
        Iff => 0,
        Logic(Implies) => 1,
        Logic(Or) => 2,
        Logic(And) => 3,
        Binary(Range) => 4,
        Binary(Xor) => 5,
        Binary(Meet) => 6,
        Binary(Add | Sub) => 7,
        Binary(Mul | Over | Div | Mod) => 8,
        Binary(Pow) => 10,
    }
}

/// The tree of a chain. Recursion is as deep as the chain is long, which the caller has bounded.
pub(super) fn chain(parts: Vec<Part>, place: Span) -> Result<Expr, Diagnostic> {
    Climb { parts: parts.into_iter().peekable(), place }.climb(0)
}

struct Climb {
    parts: Peekable<IntoIter<Part>>,
    place: Span,
}

impl Climb {
    fn operand(&mut self) -> Result<Expr, Diagnostic> {
        match self.parts.next() {
            Some(Part::Operand(expr)) => Ok(expr),
            Some(Part::Neg(minus)) => {
                let under = match self.parts.peek() {
                    Some(Part::Neg(_)) => self.operand()?,
                    _ => self.climb(NEG)?,
                };
                let span = minus.to(under.span);
                Ok(Expr { kind: ExprKind::Neg(Box::new(under)), span })
            }
            Some(Part::Op(_, span)) => Err(Diagnostic::new(Code::S01, span, "an operand is missing here")),
            None => Err(Diagnostic::new(Code::S01, self.place, "an operand is missing here")),
        }
    }

    /// Everything that binds at least as tightly as `least`.
    fn climb(&mut self, least: u8) -> Result<Expr, Diagnostic> {
        let mut left = self.operand()?;
        let mut last: Option<Operator> = None;
        while let Some(&Part::Op(op, place)) = self.parts.peek() {
            if strength(op) < least {
                break;
            }
            if matches!(op, Iff | Binary(Range)) && last == Some(op) {
                return Err(unchained(op, place));
            }
            self.parts.next();
            let right =
                self.climb(if matches!(op, Logic(Implies) | Binary(Pow)) { strength(op) } else { strength(op) + 1 })?;
            let span = left.span.to(right.span);
            left = Expr { kind: ExprKind::Binary { op, left: Box::new(left), right: Box::new(right) }, span };
            last = Some(op);
        }
        Ok(left)
    }
}

fn unchained(op: Operator, place: Span) -> Diagnostic {
    if op == Iff {
        let hint = "brackets say which is meant: `(a iff b) iff c`, or `(a iff b) and (b iff c)`";
        Diagnostic::new(Code::E14, place, "`iff` cannot be chained").label("a second `iff`").hint(hint)
    } else {
        let hint = "a range has two ends: `a..b`; several are joined with `+`";
        Diagnostic::new(Code::E14, place, "`..` cannot be chained").label("a second `..`").hint(hint)
    }
}
