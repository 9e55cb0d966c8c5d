//! Collections that are gone through as they are made: the members of comprehensions, of what `+` and `if` put together, of what a
//! def gives, and the numbers of words that take a number apart. No list is made.

use crate::bytecode::lower::sources::{has_slide, range_of};
use crate::bytecode::lower::{Lower, Operand, Scope};
use crate::bytecode::{Op, WordType};
use crate::model::{BinaryOp, Builtin, Def, Kind, Term, TermKind, Type};
use crate::source::Span;
use crate::words::number::NumberWord;
use num_traits::ToPrimitive;

/// A part of a collection that is gone through as it is made.
pub(super) enum Piece {
    Member(Operand),
    /// All members of this collection.
    Whole(Operand),
}

/// What is seen of how a collection is made.
struct Look {
    /// So many terms may yet be looked at.
    left: u32,
    parts: u32,
    /// So many of the parts are comprehensions.
    made: u32,
}

/// The list of which a set is, where that will do.
pub(super) fn without_set(source: &Term, may_repeat: bool) -> &Term {
    let source = range_of(source);
    match &source.kind {
        TermKind::Builtin(Builtin::Set, args) if may_repeat => match &args[..] {
            [list] if matches!(list.ty, Type::List(_) | Type::Set(_)) => without_set(list, may_repeat),
            _ => source,
        },
        _ => source,
    }
}

/// What the collection that a def gives has to be, and each member of it; `None`: nothing is said.
pub(super) type Given<'p> = Option<(&'p Kind, &'p Kind)>;

/// What is said to be wrong when it is not.
const RESULT: &str = "the result";

/// What a def gives, and what that has to be; `None`: its type says more than that of each member, or is not of numbers.
fn given_by(def: &Def) -> Option<(&Term, Given<'_>)> {
    let body = def.body.as_ref()?;
    match &body.kind {
        TermKind::Coerce(inner, kind) if inner.ty == body.ty => match &**kind {
            Kind::List(of, _) | Kind::Set(of) if of.is_of_numbers() => Some((inner, Some((kind, of)))),
            _ => None,
        },
        _ => def.result.is_none().then_some((body, None)),
    }
}

impl<'p> Lower<'_, 'p> {
    /// In how many parts a collection is gone through as it is made; 0: it is made as a whole. `may_repeat`: a set may be gone through
    /// as a list.
    pub(super) fn parts_made(&self, term: &'p Term, may_repeat: bool) -> u32 {
        /// So many terms are looked at: definitions may call definitions many times.
        const MOST: u32 = 1 << 8;
        if self.is_big() || self.is_bloated() {
            return 0;
        }
        let mut look = Look { left: MOST, parts: 0, made: 0 };
        self.look(term, may_repeat, &mut look);
        if look.made > 0 && look.left > 0 { look.parts } else { 0 }
    }

    /// The same where what is done with members is written out for each part: in few parts, those of binders around it counted in.
    pub(super) fn few_parts_made(&self, term: &'p Term, may_repeat: bool) -> Option<u32> {
        const MOST: u32 = 1 << 4;
        let parts = self.parts_made(term, may_repeat);
        (parts > 0 && (parts == 1 || parts.saturating_mul(self.copies) <= MOST)).then_some(parts)
    }

    /// The same where all parts of a list are gone through as they are made.
    pub(super) fn all_made(&self, list: &'p Term) -> Option<u32> {
        let parts = self.few_parts_made(list, false)?;
        let mut look = Look { left: u32::MAX, parts: 0, made: 0 };
        self.look(list, false, &mut look);
        (look.made == parts).then_some(parts)
    }

    fn look(&self, term: &'p Term, may_repeat: bool, look: &mut Look) {
        let term = without_set(term, may_repeat);
        look.left = look.left.saturating_sub(1);
        let fits = matches!(term.ty, Type::List(_)) || matches!(term.ty, Type::Set(_)) && may_repeat;
        match &term.kind {
            _ if look.left == 0 || !fits => {}
            TermKind::Binary(BinaryOp::Add, a, b) if a.ty == b.ty && !has_slide(a) && !has_slide(b) => {
                self.look(a, may_repeat, look);
                return self.look(b, may_repeat, look);
            }
            TermKind::If(_, yes, no) => {
                self.look(yes, may_repeat, look);
                return self.look(no, may_repeat, look);
            }
            TermKind::Call(def, _) => {
                let def = &self.program.defs[def.0];
                if let Some((given, _)) = given_by(def).filter(|_| !def.recursive) {
                    return self.look(given, may_repeat, look);
                }
            }
            TermKind::Comprehension(..) => look.made += 1,
            _ if self.taken_apart(term).is_some() => look.made += 1,
            _ => {}
        }
        look.parts += 1;
    }

    /// Goes through what has [`Lower::parts_made`], in the scope of these defs; `take` is done outside of them.
    pub(super) fn through(
        &mut self,
        term: &'p Term,
        defs: &mut Vec<Given<'p>>,
        may_repeat: bool,
        take: &mut dyn FnMut(&mut Self, Piece),
    ) {
        let term = without_set(term, may_repeat);
        match &term.kind {
            _ if self.parts_made(term, may_repeat) == 0 => {
                let operand = self.expr(term);
                let checks = defs.iter().rev().flatten();
                let entered = checks.fold(operand, |operand, (whole, _)| self.enter_kind(operand, whole, RESULT));
                self.outside(defs, |lower| take(lower, Piece::Whole(entered)));
            }
            _ if let Some(taken_apart) = self.taken_apart(term) => {
                self.take_apart(taken_apart, term.span, &mut |lower, member| {
                    let checks = defs.iter().rev().flatten();
                    let member = checks.fold(member, |member, (_, of)| lower.enter_kind(member, of, RESULT));
                    lower.outside(defs, |lower| take(lower, Piece::Member(member)));
                });
            }
            TermKind::Comprehension(_, value, clauses) => self.clauses(clauses, false, &mut |lower| {
                let member = lower.expr(value);
                let checks = defs.iter().rev().flatten();
                let member = checks.fold(member, |member, (_, of)| lower.enter_kind(member, of, RESULT));
                lower.outside(defs, |lower| take(lower, Piece::Member(member)));
            }),
            TermKind::Binary(_, a, b) => {
                self.through(a, defs, may_repeat, take);
                self.through(b, defs, may_repeat, take);
            }
            TermKind::If(condition, yes, no) => {
                self.doubts += 1;
                self.both_ways(condition, |lower, holds| {
                    lower.through(if holds { yes } else { no }, defs, may_repeat, take);
                });
                self.doubts -= 1;
            }
            TermKind::Call(def, args) => {
                let callee = &self.program.defs[def.0];
                let (Some((given, kinds)), Some(whole)) = (given_by(callee), &callee.body) else { return };
                let operands = self.arguments(args);
                self.unfold(*def, whole, operands);
                defs.push(kinds);
                self.through(given, defs, may_repeat, take);
                defs.pop();
                self.leave();
            }
            _ => {}
        }
    }

    /// The word whose list is made number by number, each of what is left of its argument; the argument, and the base of digits.
    fn taken_apart(&self, term: &'p Term) -> Option<(Builtin, &'p Term, i64)> {
        let TermKind::Builtin(word, args) = &term.kind else { return None };
        let base = match (word, &args[..]) {
            (Builtin::Digits, [_]) => 10,
            (Builtin::Digits, [_, Term { kind: TermKind::Int(base), .. }]) => {
                base.to_i64().filter(|base| *base >= 2)?
            }
            (Builtin::Zeckendorf | Builtin::PrimeFactors, [_]) => 2,
            _ => return None,
        };
        let of = args.first().filter(|of| of.ty == Type::Int && self.narrow())?;
        Some((*word, of, base))
    }

    /// Goes through the numbers of such a list.
    fn take_apart(
        &mut self,
        (word, of, base): (Builtin, &'p Term, i64),
        span: Span,
        take: &mut dyn FnMut(&mut Self, Operand),
    ) {
        let (again, exit) = (self.label(), self.label());
        let of = self.expr(of);
        let (a, base, end) = (self.as_word(of, WordType::Int), self.pooled(base), self.pooled(1));
        let start = match word {
            Builtin::Digits => NumberWord::OfDigits,
            Builtin::Zeckendorf => NumberWord::OfParts,
            _ => NumberWord::OfFactors,
        };
        let rest = self.at(span, |lower| lower.emit_word(|d| Op::Number { word: start, d, a, b: base }));
        let member = self.word();
        if word == Builtin::PrimeFactors {
            self.emit(Op::Copy { d: member, a: base });
        }
        self.put(again);
        match word {
            Builtin::Digits => {
                self.emit(Op::JumpUnless { a: rest, to: Self::to(exit) });
                self.emit(Op::Mod { d: member, a: rest, b: base });
                self.emit(Op::Div { d: rest, a: rest, b: base });
            }
            Builtin::Zeckendorf => {
                self.emit(Op::JumpUnless { a: rest, to: Self::to(exit) });
                self.emit(Op::Number { word: NumberWord::GreatestPart, d: member, a: rest, b: base });
                self.emit(Op::Sub { d: rest, a: rest, b: member });
            }
            _ => {
                let more = self.emit_word(|d| Op::Lt { d, a: end, b: rest });
                self.emit(Op::JumpUnless { a: more, to: Self::to(exit) });
                self.at(span, |lower| {
                    lower.emit(Op::Number { word: NumberWord::LeastFactor, d: member, a: rest, b: member });
                });
                self.emit(Op::Div { d: rest, a: rest, b: member });
            }
        }
        self.loops += 1;
        take(self, Operand::Word(member, WordType::Int));
        self.loops -= 1;
        self.emit(Op::Jump { to: Self::to(again) });
        self.put(exit);
    }

    /// Does something outside of so many defs.
    pub(super) fn outside(&mut self, defs: &[Given<'p>], work: impl FnOnce(&mut Self)) {
        let left: Vec<Scope<'p>> = defs.iter().filter_map(|_| self.leave()).collect();
        work(self);
        left.into_iter().rev().for_each(|scope| self.enter_again(scope));
    }
}
