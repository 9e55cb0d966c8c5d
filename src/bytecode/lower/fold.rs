//! Comprehensions and folds over them; folds of words need no list.

use crate::bytecode::lower::{Lower, Operand};
use crate::bytecode::{Op, Reg, WordType};
use crate::model::builtin::Builtin;
use crate::model::kind::Type;
use crate::model::{Clause, Gather, Term};

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
        let (scopes, labels, start) = (self.scopes.clone(), self.labels.len(), self.code.ops.len());
        if let Some(mask) = self.gathered_in_mask(gather, value, clauses, true) {
            return mask;
        }
        // Some ways end in members of a domain, others do not: from the start, with all of them as values.
        let begun = self.code.ops.get(start).is_some_and(|op| matches!(op, Op::Build));
        if !begun {
            self.scopes = scopes;
            self.labels.truncate(labels);
            self.code.ops.truncate(start);
            self.code.spans.truncate(start);
            self.gathered_in_mask(gather, value, clauses, false);
        }
        let d = self.value();
        self.emit(Op::BuildDone { d, gather });
        Operand::Value(d)
    }

    /// Gathers in a mask where all ways end in members of one small domain; whether they do shows in the innermost loop, so one
    /// instruction before the loops is filled in afterwards. `None`: items are built, after an [`Op::Build`], or, where only
    /// some ways end so, nothing of use was done. `masks`: whether that may be tried.
    fn gathered_in_mask(
        &mut self,
        gather: Gather,
        value: &'p Term,
        clauses: &'p [Clause],
        masks: bool,
    ) -> Option<Operand> {
        let mask = self.word();
        let hole = self.code.ops.len();
        self.emit(Op::Nop);
        let (mut domain, mut mixed, mut built) = (None, false, false);
        let tagged = gathers_bags(value, clauses);
        self.counted_clauses_if(tagged, clauses, &mut |lower, counters| {
            let operand = lower.expr(value);
            let open = !tagged && matches!(operand, Operand::Word(..) | Operand::Parts(_));
            let small = lower.small_domains().find(|&of| open && lower.is_small_member(&operand, of));
            match (gather, operand.member().or(small)) {
                (Gather::Set, Some(of)) if masks && lower.fits_mask(of) => {
                    mixed |= domain.is_some_and(|domain| domain != of);
                    domain = Some(of);
                    let a = lower.as_word(operand, WordType::Member(of));
                    let single = lower.word();
                    lower.emit(Op::Single { d: single, a });
                    lower.emit(Op::Or { d: mask, a: mask, b: single });
                }
                _ => {
                    built = true;
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
        match domain {
            Some(of) if !mixed && !built => {
                self.code.ops[hole] = Op::Const { d: mask, k: 0 };
                Some(Operand::Word(mask, WordType::Mask(of)))
            }
            Some(_) => None,
            None => {
                self.code.ops[hole] = Op::Build;
                None
            }
        }
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
                    let b = lower.as_word(operand, WordType::Int);
                    lower.emit(if word == B::Sum { Op::Add { d, a: d, b } } else { Op::NatXor { d, a: d, b } });
                });
                Some(Operand::Word(d, WordType::Int))
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
                Some(Operand::Word(d, if word == B::Count { WordType::Int } else { WordType::Bool }))
            }
            B::Min | B::Max if ints => {
                let (d, any) = (self.word(), self.constant(0));
                self.clauses(clauses, false, &mut |lower| {
                    let operand = lower.expr(value);
                    let b = lower.as_word(operand, WordType::Int);
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
                Some(Operand::Word(d, WordType::Int))
            }
            _ => None,
        }
    }
}
