//! Bags and sets known by their parts, which lie in words that are ordered as their values are. Those of a state ascend; what
//! is taken away leaves flags, or the others close up; what is put in stands in its place or at the end, out of order.

use crate::bytecode::layout::{FieldLayout, LONGEST};
use crate::bytecode::lower::operand::{Part, Parts};
use crate::bytecode::lower::{Lower, Operand};
use crate::bytecode::{Aggregate, Op, Reg, WordType};
use crate::model::{BinaryOp, CompareOp, Type};
use crate::value::Value;
use crate::value::domain::Domain;
use std::rc::Rc;

impl Lower<'_, '_> {
    /// The parts of a bag, or of a list that becomes one; `None`: some are not in ordered words.
    fn bag_parts(&mut self, operand: &Operand) -> Option<Rc<Parts>> {
        let bag = |whole| matches!(whole, Aggregate::Bag { .. } | Aggregate::List(_));
        let parts = self.parts(operand).filter(|parts| bag(parts.whole))?;
        parts.parts.iter().all(|part| self.is_ordered(&part.operand)).then_some(parts)
    }

    /// `+`, `-`, `&` and `xor` of sets that are no masks.
    pub(super) fn part_set_binary(
        &mut self,
        op: BinaryOp,
        left: &Operand,
        right: &Operand,
        ty: &Type,
    ) -> Option<Operand> {
        let is_set = |parts: &Rc<Parts>| matches!(parts.whole, Aggregate::Set { .. });
        if !matches!(ty, Type::Set(_)) || !self.narrow() {
            return None;
        }
        let (a, b) = (self.parts(left).filter(is_set)?, self.parts(right).filter(is_set)?);
        if !self.are_alike(&a, &b) || a.parts.len() + b.parts.len() > LONGEST {
            return None;
        }
        match op {
            BinaryOp::Add => {
                let ascending = a.parts.is_empty() && ascends(&b) || b.parts.is_empty() && ascends(&a);
                let parts = a.parts.iter().chain(&b.parts).cloned().collect();
                Some(self.whole(Aggregate::Set { ascending }, parts))
            }
            BinaryOp::Sub => {
                let rest = self.left_out(&a, &b, true)?;
                Some(self.whole(a.whole, rest))
            }
            BinaryOp::Meet => {
                let rest = self.left_out(&a, &b, false)?;
                Some(self.whole(a.whole, rest))
            }
            BinaryOp::Xor => {
                let mut either = self.left_out(&a, &b, true)?;
                either.extend(self.left_out(&b, &a, true)?);
                Some(self.whole(Aggregate::Set { ascending: false }, either))
            }
            _ => None,
        }
    }

    /// The members of a set that are not in the other, or are; `None`: too many are to be compared.
    fn left_out(&mut self, of: &Parts, other: &Parts, wanted: bool) -> Option<Vec<Part>> {
        /// So many pairs are compared at most.
        const PAIRS: usize = 1 << 9;
        if of.parts.len() * other.parts.len() > PAIRS {
            return None;
        }
        let mut rest = Vec::with_capacity(of.parts.len());
        for part in &of.parts {
            let sure = |member: &&Part| member.flag.is_none() && is_same(&member.operand, &part.operand);
            if other.parts.iter().any(|member| sure(&member)) {
                rest.extend((!wanted).then(|| part.clone()));
                continue;
            }
            let mut found: Option<Reg> = None;
            let mut always = false;
            for member in &other.parts {
                let equal = match (self.compare_operands(CompareOp::Eq, &part.operand, &member.operand), member.flag) {
                    (Ok(false), _) => continue,
                    (Ok(true), None) => {
                        always = true;
                        continue;
                    }
                    (Ok(true), Some(flag)) => flag,
                    (Err(equal), None) => equal,
                    (Err(a), Some(b)) => self.emit_word(|d| Op::And { d, a, b }),
                };
                found = Some(match found {
                    Some(a) => self.emit_word(|d| Op::Or { d, a, b: equal }),
                    None => equal,
                });
            }
            let flag = match found {
                _ if always => (!wanted).then_some(part.flag),
                None => wanted.then_some(part.flag),
                Some(b) => Some(Some(if wanted {
                    let a = part.flag.unwrap_or_else(|| self.pooled(1));
                    self.emit_word(|d| Op::AndNot { d, a, b })
                } else {
                    part.flag.map_or(b, |a| self.emit_word(|d| Op::And { d, a, b }))
                })),
            };
            rest.extend(flag.map(|flag| Part { flag, operand: part.operand.clone() }));
        }
        Some(rest)
    }

    /// Whether all members of both lie in the same ordered words. Those that are not there may be compared then.
    fn are_alike(&mut self, a: &Parts, b: &Parts) -> bool {
        let operands = || a.parts.iter().chain(&b.parts).map(|part| &part.operand);
        let mold = self.common_mold(operands());
        operands().next().is_none() || self.orders(&mold) && operands().all(|operand| self.fits(&mold, operand))
    }

    /// Whether an operand is an int, a truth value, a vertex, or a tuple of these, in words: words are ordered as the values are.
    fn is_ordered(&mut self, operand: &Operand) -> bool {
        match operand {
            Operand::Known(Value::Int(_) | Value::Bool(_)) | Operand::Word(_, WordType::Int | WordType::Bool) => true,
            Operand::Word(_, WordType::Member(domain)) => matches!(self.ctx.domain(*domain), Domain::Vertices(_)),
            _ => {
                let tuple = self.sure_parts(operand).filter(|parts| parts.whole == Aggregate::Tuple);
                tuple.is_some_and(|tuple| tuple.parts.iter().all(|part| self.is_ordered(&part.operand)))
            }
        }
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

    /// A list or bag as a set; `None`: it stays what it is.
    pub(super) fn as_set(&mut self, operand: &Operand) -> Option<Operand> {
        if !self.narrow() || matches!(operand, Operand::Known(_)) {
            return None;
        }
        let parts = self.bag_parts(operand)?;
        Some(self.whole(Aggregate::Set { ascending: false }, parts.parts.clone()))
    }

    /// `+` and `-` of bags.
    pub(super) fn bag_binary(&mut self, op: BinaryOp, left: &Operand, right: &Operand, ty: &Type) -> Option<Operand> {
        if !matches!(ty, Type::Bag(_)) || !self.narrow() {
            return None;
        }
        let (a, b) = (self.bag_parts(left)?, self.bag_parts(right)?);
        if !self.are_alike(&a, &b) {
            return None;
        }
        match op {
            BinaryOp::Add => {
                if let Some(sorted) = self.put_in(&a, &b).or_else(|| self.put_in(&b, &a)) {
                    return Some(self.whole(Aggregate::Bag { ascending: true }, sorted));
                }
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

    /// Members put in their places among others that ascend, where a state of the rules at hand has so many.
    fn put_in(&mut self, into: &Parts, new: &Parts) -> Option<Vec<Part>> {
        let ready = ascends(into) && into.is_sure() && new.is_sure() && !new.parts.is_empty();
        if !ready || new.parts.len() > 2 || !self.keeps(into.parts.len() + new.parts.len()) {
            return None;
        }
        let operands = || into.parts.iter().chain(&new.parts).map(|part| &part.operand);
        let mold = self.common_mold(operands());
        if !self.orders(&mold) {
            return None;
        }
        let mut rows = Vec::with_capacity(into.parts.len() + new.parts.len());
        for part in &into.parts {
            rows.push(self.row(&mold, &part.operand)?);
        }
        for part in &new.parts {
            let mut carried = self.row(&mold, &part.operand)?;
            for row in &mut rows {
                (*row, carried) = self.in_order(std::mem::take(row), carried);
            }
            rows.push(carried);
        }
        let part = |row: Vec<Reg>| Part::sure(self.of_words(&mold, &mut row.into_iter()));
        Some(rows.into_iter().map(part).collect())
    }

    /// Whether a bag of a state of the rules at hand has so many members.
    pub(super) fn keeps(&self, members: usize) -> bool {
        let own = self.scopes.first().and_then(|scope| scope.own);
        own.is_some_and(|own| {
            self.ctx
                .instance_at(own)
                .forms
                .iter()
                .any(|form| matches!(form, FieldLayout::Parts(Aggregate::Bag { .. }, parts) if parts.len() == members))
        })
    }

    /// The words of a member that fits this form.
    fn row(&mut self, mold: &FieldLayout, operand: &Operand) -> Option<Vec<Reg>> {
        let mut row = Vec::new();
        self.words_of(mold, operand, &mut row)?;
        Some(row)
    }

    /// Takes one member that equals a part away from others. A flag says that there is none; `None`: there is one.
    fn take_away(&mut self, from: &mut Vec<Part>, taken: &Part) -> Option<Reg> {
        let sure = from.iter().position(|part| part.flag.is_none() && is_same(&part.operand, &taken.operand));
        if let (Some(at), None) = (sure, taken.flag) {
            from.remove(at);
            return None;
        }
        let all_there = taken.flag.is_none() && from.iter().all(|part| part.flag.is_none());
        let mut hits: Vec<Option<Reg>> = Vec::with_capacity(from.len());
        // Whether it is still to be taken.
        let left = match taken.flag {
            Some(a) => self.emit_word(|d| Op::Copy { d, a }),
            None => self.constant(1),
        };
        for part in from.iter_mut() {
            let equal: Reg = match self.compare_operands(CompareOp::Eq, &part.operand, &taken.operand) {
                Ok(false) => {
                    hits.push(None);
                    continue;
                }
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
            hits.push(Some(hit));
        }
        if all_there && let Some(closed) = self.closed_up(from, &hits) {
            *from = closed;
        }
        Some(left)
    }

    /// The members but for the one that is hit, each in the place of the one before it from there on: all of them are there.
    fn closed_up(&mut self, members: &[Part], hits: &[Option<Reg>]) -> Option<Vec<Part>> {
        let mold = self.common_mold(members.iter().map(|member| &member.operand));
        if !self.orders(&mold) {
            return None;
        }
        let mut rows = Vec::with_capacity(members.len());
        for member in members {
            rows.push(self.row(&mold, &member.operand)?);
        }
        let mut past: Option<Reg> = None;
        let mut closed = Vec::with_capacity(members.len());
        for (i, pair) in rows.windows(2).enumerate() {
            past = match (past, hits[i]) {
                (Some(a), Some(b)) => Some(self.emit_word(|d| Op::Or { d, a, b })),
                (a, b) => a.or(b),
            };
            let row: Vec<Reg> = match past {
                None => pair[0].clone(),
                Some(flag) => pair[0].iter().zip(&pair[1]).map(|(&a, &b)| self.selected(flag, b, a)).collect(),
            };
            closed.push(Part::sure(self.of_words(&mold, &mut row.into_iter())));
        }
        Some(closed)
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

/// Whether two operands are the same registers and values.
fn is_same(a: &Operand, b: &Operand) -> bool {
    match (a, b) {
        (Operand::Word(a, _), Operand::Word(b, _)) => a == b,
        (Operand::Known(a), Operand::Known(b)) => a == b,
        (Operand::Parts(a), Operand::Parts(b)) => {
            let both = || a.parts.iter().zip(&b.parts);
            a.whole == b.whole
                && a.parts.len() == b.parts.len()
                && both().all(|(a, b)| a.flag == b.flag && is_same(&a.operand, &b.operand))
        }
        _ => false,
    }
}

/// Whether the parts stand in ascending order, as far as is known.
pub(super) fn ascends(parts: &Parts) -> bool {
    matches!(parts.whole, Aggregate::Bag { ascending: true } | Aggregate::Set { ascending: true })
        || parts.parts.len() < 2
}
