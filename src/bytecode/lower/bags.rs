//! Bags of ints known by their parts. Those of a state ascend; what is taken away leaves flags, and what is put in stands
//! at the end, out of order.

use crate::bytecode::lower::operand::{Part, Parts};
use crate::bytecode::lower::{Lower, Operand};
use crate::bytecode::{Aggregate, Op, Reg};
use crate::model::{BinaryOp, CompareOp, Type};
use std::rc::Rc;

impl Lower<'_, '_> {
    /// The parts of a bag, or of a list that becomes one; `None`: they are not all ints.
    fn bag_parts(&mut self, operand: &Operand) -> Option<Rc<Parts>> {
        let bag = |whole| matches!(whole, Aggregate::Bag { .. } | Aggregate::List(_));
        self.parts(operand).filter(|parts| bag(parts.whole) && parts.parts.iter().all(|part| part.operand.is_int()))
    }

    /// A list as a bag; `None`: it stays what it is.
    pub(super) fn as_bag(&mut self, operand: &Operand) -> Option<Operand> {
        if !self.narrow() || matches!(operand, Operand::Known(_)) {
            return None;
        }
        let parts = self.bag_parts(operand)?;
        match parts.whole {
            Aggregate::Bag { .. } => Some(operand.clone()),
            _ => Some(self.whole(Aggregate::Bag { ascending: ascends(&parts) }, parts.parts.clone())),
        }
    }

    /// `+` and `-` of bags.
    pub(super) fn bag_binary(&mut self, op: BinaryOp, left: &Operand, right: &Operand, ty: &Type) -> Option<Operand> {
        if !matches!(ty, Type::Bag(_)) || !self.narrow() {
            return None;
        }
        let (a, b) = (self.bag_parts(left)?, self.bag_parts(right)?);
        match op {
            BinaryOp::Add => {
                let ascending = a.parts.is_empty() && ascends(&b) || b.parts.is_empty() && ascends(&a);
                let parts = a.parts.iter().chain(&b.parts).cloned().collect();
                Some(self.whole(Aggregate::Bag { ascending }, parts))
            }
            BinaryOp::Sub => {
                let mut rest = a.parts.clone();
                let missing: Vec<Reg> = b.parts.iter().filter_map(|part| self.take_away(&mut rest, part)).collect();
                for flag in missing {
                    self.where_there(Some(flag), |lower, _| {
                        // Tells what is missing.
                        let [a, b] = [left, right].map(|bag| lower.as_value(bag.clone()));
                        lower.emit_value(|d| Op::Binary { op, d, a, b });
                    });
                }
                Some(self.whole(Aggregate::Bag { ascending: ascends(&a) }, rest))
            }
            _ => None,
        }
    }

    /// Takes one member that equals a part away from others. A flag says that there is none; `None`: there is one.
    fn take_away(&mut self, from: &mut Vec<Part>, taken: &Part) -> Option<Reg> {
        let same = |part: &Part| match (&part.operand, &taken.operand) {
            (Operand::Word(a, _), Operand::Word(b, _)) => a == b,
            (Operand::Known(a), Operand::Known(b)) => a == b,
            _ => false,
        };
        let sure = from.iter().position(|part| part.flag.is_none() && same(part));
        if let (Some(at), None) = (sure, taken.flag) {
            from.remove(at);
            return None;
        }
        // Whether it is still to be taken.
        let left = match taken.flag {
            Some(a) => self.emit_word(|d| Op::Copy { d, a }),
            None => self.constant(1),
        };
        for part in from.iter_mut() {
            let equal: Reg = match self.compare_operands(CompareOp::Eq, &part.operand, &taken.operand) {
                Ok(false) => continue,
                Ok(true) => left,
                Err(a) => self.emit_word(|d| Op::And { d, a, b: left }),
            };
            let hit = match part.flag {
                Some(b) => self.emit_word(|d| Op::And { d, a: equal, b }),
                None => self.emit_word(|d| Op::Copy { d, a: equal }),
            };
            let there = part.flag.unwrap_or_else(|| self.pooled(1));
            part.flag = Some(self.emit_word(|d| Op::AndNot { d, a: there, b: hit }));
            self.emit(Op::AndNot { d: left, a: left, b: hit });
        }
        Some(left)
    }

    /// The members of a bag for a binder, `distinct`: equal ones once. `None`: its parts do not ascend.
    pub(super) fn bag_members(&mut self, bag: &Parts, distinct: bool) -> Option<Vec<Part>> {
        if bag.whole != (Aggregate::Bag { ascending: true }) || distinct && !bag.is_sure() {
            return None;
        }
        let mut members = bag.parts.clone();
        if distinct {
            for (member, [a, b]) in members.iter_mut().skip(1).zip(bag.parts.array_windows()) {
                member.flag = match self.compare_operands(CompareOp::Ne, &a.operand, &b.operand) {
                    Ok(true) => None,
                    Ok(false) => Some(self.pooled(0)),
                    Err(flag) => Some(flag),
                };
            }
        }
        Some(members)
    }
}

/// Whether the parts stand in ascending order, as far as is known.
fn ascends(parts: &Parts) -> bool {
    parts.whole == (Aggregate::Bag { ascending: true }) || parts.parts.len() < 2
}
