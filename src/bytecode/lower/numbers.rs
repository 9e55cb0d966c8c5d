//! Sets of small naturals, or of pairs of them, as masks: literals, members, ranges, words about one set, `slide` past what is
//! taken, small subsets.
//!
//! Members are at most 62, those of pairs at most 7. A member is an int in a word register, or two; what no mask has as a member halts the run (`Halt::Deopt(Deopt::SetOverflow)`), and all is done again
//! with such sets as values.
//!
//! Tables take these masks for numbers: turning a coin and others left of it makes the number less.

use crate::bytecode::layout::FieldLayout;
use crate::bytecode::lower::parts::Part;
use crate::bytecode::lower::slide::Slide;
use crate::bytecode::lower::{Lower, Operand};
use crate::bytecode::{Aggregate, DomainId, Op, Reg, WordType};
use crate::model::builtin::Builtin;
use crate::model::kind::Type;
use crate::model::{BinaryOp, CompareOp, Term, TermKind};
use crate::value::Value;
use crate::value::domain::{Domain, NUMBERS, SIDE};

impl<'p> Lower<'_, 'p> {
    /// Notes the domains of small sets in the form of a field.
    pub(super) fn note_small(&mut self, form: &FieldLayout) {
        match form {
            FieldLayout::Word(WordType::Mask(domain)) => match self.ctx.domain(*domain) {
                Domain::Numbers => self.numbers = Some(*domain),
                Domain::Pairs => self.pairs = Some(*domain),
                _ => {}
            },
            FieldLayout::Parts(_, forms) => forms.iter().for_each(|form| self.note_small(form)),
            _ => {}
        }
    }

    /// The domains of small sets of this code.
    pub(super) fn small_domains(&self) -> impl Iterator<Item = DomainId> + use<> {
        [self.numbers, self.pairs].into_iter().flatten()
    }

    /// Whether the operand, not known, may be a member of a domain of small numbers or pairs.
    pub(super) fn is_small_member(&self, operand: &Operand, domain: DomainId) -> bool {
        let int =
            |operand: &Operand| matches!(operand, Operand::Word(_, WordType::Int) | Operand::Known(Value::Int(_)));
        match (self.ctx.domain(domain), operand) {
            (Domain::Numbers, Operand::Word(_, word_type)) => *word_type == WordType::Int,
            (Domain::Pairs, Operand::Parts(parts)) => {
                parts.whole == Aggregate::Tuple
                    && parts.parts.len() == 2
                    && parts.parts.iter().all(|part| part.flag.is_none() && int(&part.operand))
            }
            _ => false,
        }
    }

    /// The number of such a member; one that no mask has where it is no member.
    pub(super) fn small_member(&mut self, operand: &Operand) -> Reg {
        match operand {
            Operand::Parts(parts) => {
                let [a, b] = [0, 1].map(|i| self.as_word(parts.parts[i].operand.clone(), WordType::Int));
                let d = self.word();
                self.emit(Op::Pair { d, a, b });
                d
            }
            operand => self.as_word(operand.clone(), WordType::Int),
        }
    }

    /// The member with the number in a register.
    pub(super) fn member_of(&mut self, a: Reg, domain: DomainId) -> Operand {
        match self.ctx.domain(domain) {
            Domain::Numbers => Operand::Word(a, WordType::Int),
            Domain::Pairs => {
                let (x, y, b) = (self.word(), self.word(), self.pooled(SIDE));
                self.emit(Op::Div { d: x, a, b });
                self.emit(Op::Mod { d: y, a, b });
                let parts = [x, y].map(|reg| Part::sure(Operand::Word(reg, WordType::Int)));
                self.whole(Aggregate::Tuple, parts.into())
            }
            _ => Operand::Word(a, WordType::Member(domain)),
        }
    }

    /// Whether the operand is a set that can be put into a mask of a domain of small numbers or pairs, or is one.
    pub(super) fn is_set_of(&self, operand: &Operand, domain: DomainId) -> bool {
        match operand {
            Operand::Word(_, word_type) => *word_type == WordType::Mask(domain),
            Operand::Known(value) => self.known_word(value, WordType::Mask(domain)).is_some(),
            Operand::Parts(parts) => {
                let member = |operand: &Operand| match operand {
                    Operand::Known(value) => self.known_word(value, WordType::Member(domain)).is_some(),
                    operand => self.is_small_member(operand, domain),
                };
                parts.whole == Aggregate::Set && parts.parts.iter().all(|part| member(&part.operand))
            }
            Operand::Value(_) => false,
        }
    }

    /// A set that is written as a range or otherwise; ranges become masks.
    pub(super) fn set_operand(&mut self, term: &'p Term) -> Operand {
        self.range_mask(term).unwrap_or_else(|| self.expr(term))
    }

    /// The mask of a range whose ends are not both known; `None`: it is no such range, nothing was done.
    pub(super) fn range_mask(&mut self, term: &'p Term) -> Option<Operand> {
        let domain = self.numbers?;
        let TermKind::Binary(BinaryOp::Range, from, to) = &term.kind else { return None };
        if !self.narrow() || self.known(term).is_some() {
            return None;
        }
        let operands = [self.expr(from), self.expr(to)];
        Some(self.at(term.span, |lower| {
            let [a, b] = operands.map(|operand| lower.as_word(operand, WordType::Int));
            let (d, low, high, end) = (lower.constant(0), lower.word(), lower.word(), lower.label());
            lower.emit(Op::JumpLt { a: b, b: a, to: Self::to(end) });
            lower.emit(Op::CheckMember { a });
            lower.emit(Op::CheckMember { a: b });
            lower.emit(Op::AddConst { d: high, a: b, k: 1 });
            lower.emit(Op::Below { d: high, a: high });
            lower.emit(Op::Below { d: low, a });
            lower.emit(Op::AndNot { d, a: high, b: low });
            lower.put(end);
            Operand::Word(d, WordType::Mask(domain))
        }))
    }

    /// The mask of a set known by its parts.
    pub(super) fn mask_of_parts(&mut self, operand: &Operand, domain: DomainId) -> Option<Reg> {
        let Operand::Parts(parts) = operand else { return None };
        if !self.ctx.domain(domain).is_small() || parts.whole != Aggregate::Set {
            return None;
        }
        let mask = self.constant(0);
        for part in &parts.parts {
            let past = self.label();
            if let Some(flag) = part.flag {
                self.emit(Op::JumpUnless(flag, Self::to(past)));
            }
            let a = self.as_word(part.operand.clone(), WordType::Member(domain));
            let bit = self.word();
            self.emit(Op::Single { d: bit, a });
            self.emit(Op::Or { d: mask, a: mask, b: bit });
            self.put(past);
        }
        Some(mask)
    }

    /// Whether something is in a set of small numbers or pairs; `None`: the operands are others.
    pub(super) fn is_in_small_set(&mut self, op: CompareOp, left: &Operand, right: &Operand) -> Option<Reg> {
        let Operand::Word(b, WordType::Mask(domain)) = right else { return None };
        if !self.ctx.domain(*domain).is_small() {
            return None;
        }
        let a = match left {
            // One that is no member is in no set.
            Operand::Known(value @ (Value::Int(_) | Value::Tuple(_))) => {
                let number = self.known_word(value, WordType::Member(*domain)).unwrap_or(NUMBERS);
                self.pooled(number)
            }
            left if self.is_small_member(left, *domain) => self.small_member(left),
            _ => return None,
        };
        let d = self.word();
        self.emit(Op::Has { d, a, b: *b });
        if op == CompareOp::NotIn {
            self.emit(Op::Not { d, a: d });
        }
        Some(d)
    }

    /// A word about one set of numbers in a mask; `None`: nothing was done.
    pub(super) fn number_set_word(&mut self, word: Builtin, operands: &[Operand]) -> Option<Operand> {
        let [Operand::Word(a, WordType::Mask(domain))] = operands else { return None };
        if !matches!(self.ctx.domain(*domain), Domain::Numbers) || !self.narrow() {
            return None;
        }
        let a = *a;
        match word {
            Builtin::Min => {
                let (d, rest, none, end) = (self.word(), self.word(), self.label(), self.label());
                self.emit(Op::Copy { d: rest, a });
                self.emit(Op::MaskNext { d, m: rest, to: Self::to(none) });
                self.emit(Op::Jump(Self::to(end)));
                self.put(none);
                self.emit(Op::NothingIn { max: false });
                self.put(end);
                Some(Operand::Word(d, WordType::Int))
            }
            Builtin::Max => {
                let (d, some) = (self.word(), self.label());
                self.emit(Op::JumpIf(a, Self::to(some)));
                self.emit(Op::NothingIn { max: true });
                self.put(some);
                self.emit(Op::Greatest { d, a });
                Some(Operand::Word(d, WordType::Int))
            }
            Builtin::Sum | Builtin::Xor => {
                let (d, rest, member) = (self.constant(0), self.word(), self.word());
                let (again, exit) = (self.label(), self.label());
                self.emit(Op::Copy { d: rest, a });
                self.put(again);
                self.emit(Op::MaskNext { d: member, m: rest, to: Self::to(exit) });
                self.emit(match word {
                    Builtin::Sum => Op::Add { d, a: d, b: member },
                    _ => Op::NatXor { d, a: d, b: member },
                });
                self.emit(Op::Jump(Self::to(again)));
                self.put(exit);
                Some(Operand::Word(d, WordType::Int))
            }
            Builtin::Mex => {
                // The least number that is not in it; at most 63, which no mask has.
                let (d, all, rest, end) = (self.word(), self.pooled(-1), self.word(), self.label());
                self.emit(Op::AndNot { d: rest, a: all, b: a });
                self.emit(Op::MaskNext { d, m: rest, to: Self::to(end) });
                self.put(end);
                Some(Operand::Word(d, WordType::Int))
            }
            _ => None,
        }
    }

    /// `slide` where what is taken is a mask.
    pub(super) fn slide_past_mask(&mut self, operands: &[Operand]) -> Option<Slide> {
        let [from, to, Operand::Word(taken, WordType::Mask(domain))] = operands else { return None };
        let int = |o: &Operand| matches!(o, Operand::Word(_, WordType::Int) | Operand::Known(Value::Int(_)));
        if !matches!(self.ctx.domain(*domain), Domain::Numbers) || !int(from) || !int(to) {
            return None;
        }
        let taken = *taken;
        let (a, b) = (self.as_word(from.clone(), WordType::Int), self.as_word(to.clone(), WordType::Int));
        let [step, count, near, far] = [(); 4].map(|()| self.word());
        let [up, done] = [(); 2].map(|()| self.label());
        self.emit(Op::JumpLt { a, b, to: Self::to(up) });
        self.emit(Op::Const { d: step, k: -1 });
        self.emit(Op::Sub { d: count, a, b });
        self.emit(Op::Below { d: near, a });
        self.emit(Op::And { d: near, a: near, b: taken });
        self.emit(Op::JumpUnless(near, Self::to(done)));
        self.emit(Op::Greatest { d: far, a: near });
        self.emit(Op::Sub { d: far, a, b: far });
        self.emit(Op::AddConst { d: far, a: far, k: -1 });
        self.emit(Op::Min { d: count, a: count, b: far });
        self.emit(Op::Jump(Self::to(done)));
        self.put(up);
        self.emit(Op::Const { d: step, k: 1 });
        self.emit(Op::Sub { d: count, a: b, b: a });
        self.emit(Op::AddConst { d: near, a, k: 1 });
        self.emit(Op::Below { d: near, a: near });
        self.emit(Op::AndNot { d: near, a: taken, b: near });
        self.emit(Op::MaskNext { d: far, m: near, to: Self::to(done) });
        self.emit(Op::Sub { d: far, a: far, b: a });
        self.emit(Op::AddConst { d: far, a: far, k: -1 });
        self.emit(Op::Min { d: count, a: count, b: far });
        self.put(done);
        Some(Slide { from: a, step, count })
    }

    /// The mask and the sizes in `subsets(set, sizes)` when these are few and small; `None`: nothing was done.
    pub(super) fn small_subsets(&mut self, args: &'p [Term]) -> Option<((Reg, DomainId), Vec<u32>)> {
        /// Larger ones are made as values.
        const LARGEST: i64 = 3;
        let [set, sizes] = args else { return None };
        let sizes = match self.known(sizes)? {
            Value::Int(n) => n..=n,
            Value::Range(from, to) => from.max(0)..=to,
            _ => return None,
        };
        let domain = match &set.ty {
            Type::Range => self.numbers?,
            Type::Set(of) => match **of {
                Type::Int => self.numbers?,
                Type::Tuple(_) => self.pairs?,
                _ => return None,
            },
            _ => return None,
        };
        if *sizes.end() > LARGEST {
            return None;
        }
        let operand = self.set_operand(set);
        let mask = self.as_word(operand, WordType::Mask(domain));
        Some(((mask, domain), sizes.filter_map(|n| u32::try_from(n).ok()).collect()))
    }
}
