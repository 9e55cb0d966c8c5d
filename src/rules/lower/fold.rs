//! Comprehensions and folds over them; folds of words need no list.

use super::{Lower, Operand};
use crate::check::builtin::Builtin;
use crate::check::kind::Type;
use crate::check::model::{Clause, Gather, Term};
use crate::rules::code::{Gathered, Op, Reg, Rep};

/// Whether positions are gathered that differ only in binders over bags (rule 27).
pub(super) fn gathers_bags(value: &Term, clauses: &[Clause]) -> bool {
    value.ty == Type::Position
        && clauses.iter().any(|c| matches!(c, Clause::In { source, .. } if matches!(source.ty, Type::Bag(_))))
}

impl<'p> Lower<'_, 'p> {
    /// `[E for CLAUSES]` or `{E for CLAUSES}`.
    pub(crate) fn comprehension(&mut self, gather: Gather, value: &'p Term, clauses: &'p [Clause]) -> Operand {
        if let Some(parts) = self.gathered(gather, value, clauses) {
            return parts;
        }
        let attempt = self.attempt(value, clauses);
        // A set of members of a small domain is gathered in a mask; whether it is one shows in the innermost loop, so one
        // instruction before the loops is filled in afterwards.
        let mask = self.word();
        let hole = self.code.ops.len();
        self.emit(Op::Nop);
        let mut domain = None;
        let tagged = gathers_bags(value, clauses);
        self.counted_clauses_if(tagged, clauses, &mut |lower, counters| {
            let operand = lower.expr(value);
            let open = !tagged && matches!(operand, Operand::Word(..) | Operand::Parts(_));
            let small = lower.small_domains().find(|&of| open && lower.is_small_member(&operand, of));
            match (gather, operand.member().or(small)) {
                (Gather::Set, Some(of)) if lower.fits_mask(of) => {
                    domain = Some(of);
                    let a = lower.as_word(operand, Rep::Member(of));
                    let single = lower.word();
                    lower.emit(Op::Single { d: single, a });
                    lower.emit(Op::Or { d: mask, a: mask, b: single });
                }
                _ => {
                    let mut a = lower.as_value(operand);
                    if tagged {
                        let d = lower.value();
                        lower.emit(Op::Move { d, a });
                        let words: Vec<Reg> = counters.iter().flatten().copied().collect();
                        let spec = lower.register_list(words);
                        lower.emit(Op::Tag { d, spec });
                        a = d;
                    }
                    lower.emit(Op::BuildPush { a });
                }
            }
        });
        if let Some(of) = domain {
            self.code.ops[hole] = Op::Const { d: mask, k: 0 };
            return Operand::Word(mask, Rep::Mask(of));
        }
        self.code.ops[hole] = Op::Build;
        let d = self.value();
        self.emit(Op::BuildDone { d, gather });
        self.attempted(attempt.as_ref(), d, Gathered::Items(gather), value, clauses);
        Operand::Value(d)
    }

    /// A fold of ints or truth values, without a list. Everything is evaluated, as in the list (rule 21).
    pub(crate) fn fold(&mut self, word: Builtin, value: &'p Term, clauses: &'p [Clause]) -> Option<Operand> {
        use Builtin as B;
        let ints = value.ty == Type::Int && self.narrow();
        match word {
            B::Sum | B::Xor if ints => {
                let d = self.constant(0);
                self.clauses(clauses, false, &mut |lower| {
                    let operand = lower.expr(value);
                    let b = lower.as_word(operand, Rep::Int);
                    lower.emit(if word == B::Sum { Op::Add { d, a: d, b } } else { Op::NatXor { d, a: d, b } });
                });
                Some(Operand::Word(d, Rep::Int))
            }
            B::Count | B::Any | B::All if value.ty == Type::Bool => {
                let d = self.constant(i64::from(word == B::All));
                self.clauses(clauses, false, &mut |lower| {
                    let b = lower.truth(value);
                    lower.emit(match word {
                        B::Count => Op::Add { d, a: d, b },
                        B::Any => Op::Or { d, a: d, b },
                        _ => Op::And { d, a: d, b },
                    });
                });
                Some(Operand::Word(d, if word == B::Count { Rep::Int } else { Rep::Bool }))
            }
            B::Min | B::Max if ints => {
                let (d, any) = (self.word(), self.constant(0));
                self.clauses(clauses, false, &mut |lower| {
                    let operand = lower.expr(value);
                    let b = lower.as_word(operand, Rep::Int);
                    let (later, done) = (lower.label(), lower.label());
                    lower.emit(Op::JumpIf(any, Self::to(later)));
                    lower.emit(Op::Const { d: any, k: 1 });
                    lower.emit(Op::Copy { d, a: b });
                    lower.emit(Op::Jump(Self::to(done)));
                    lower.put(later);
                    lower.emit(if word == B::Min { Op::Min { d, a: d, b } } else { Op::Max { d, a: d, b } });
                    lower.put(done);
                });
                let fine = self.label();
                self.emit(Op::JumpIf(any, Self::to(fine)));
                self.emit(Op::NothingIn { max: word == B::Max });
                self.put(fine);
                Some(Operand::Word(d, Rep::Int))
            }
            _ => None,
        }
    }
}
