//! Words about collections on parts: folds, views, places. What has no fixed form is left to values.

use crate::bytecode::lower::parts::{Part, Parts};
use crate::bytecode::lower::{Lower, Operand, form_limit};
use crate::bytecode::{Aggregate, Op, Reg, WordType};
use crate::model::CompareOp;
use crate::model::builtin::Builtin;
use crate::model::kind::Type;
use crate::value::Value;
use crate::words::callable;
use std::rc::Rc;

fn is_int(operand: &Operand) -> bool {
    matches!(operand, Operand::Word(_, WordType::Int) | Operand::Known(Value::Int(_)))
}

fn is_bool(operand: &Operand) -> bool {
    matches!(operand, Operand::Word(_, WordType::Bool) | Operand::Known(Value::Bool(_)))
}

impl Lower<'_, '_> {
    /// A word all of whose arguments are known, worked out now. `None` when they are not, or when it fails: then it is
    /// left to fail when the code runs.
    pub(crate) fn known_call(&mut self, word: Builtin, operands: &[Operand]) -> Option<Operand> {
        if !self.scalar || word.is_compound() || word == Builtin::Nat {
            return None;
        }
        let known = |o: &Operand| if let Operand::Known(value) = o { Some(value.clone()) } else { None };
        let args = operands.iter().map(known).collect::<Option<Vec<Value>>>()?;
        callable::call(word, &args).ok().map(Operand::Known)
    }

    /// A word on parts; `None`: nothing was done.
    pub(crate) fn parts_word(&mut self, word: Builtin, operands: &[Operand], ty: &Type) -> Option<Operand> {
        use Builtin as B;
        let first = operands.first()?;
        let parts = self.parts(first)?;
        let list = matches!(parts.whole, Aggregate::List(_));
        let text = parts.whole == Aggregate::Text;
        let sure = parts.is_sure();
        let n = i64::try_from(parts.parts.len()).ok()?;
        match (word, operands) {
            (B::Size, [_]) if sure && (list || text) => Some(Operand::Known(Value::Int(n))),
            (B::Size, [_]) if list => {
                let d = self.constant(0);
                for flag in parts.parts.iter().map(|part| part.flag) {
                    match flag {
                        Some(b) => self.emit(Op::Add { d, a: d, b }),
                        None => self.emit(Op::AddConst { d, a: d, k: 1 }),
                    }
                }
                Some(Operand::Word(d, WordType::Int))
            }
            (B::Sum | B::Xor | B::Min | B::Max, [_]) if *ty == Type::Int && self.narrow() && list => {
                self.fold_ints(word, &parts)
            }
            (B::Count | B::Any | B::All, [_]) if list => self.fold_bools(word, &parts),
            (B::Indices, [_]) if sure && (list || text) => {
                let from = if let Aggregate::List(base) = parts.whole { base } else { 0 };
                Some(Operand::Known(Value::Range(from, from.checked_add(n)?.checked_sub(1)?)))
            }
            (B::First | B::Last, [_]) if sure && (list || text) => {
                let end = if word == B::First { parts.parts.first() } else { parts.parts.last() };
                end.map(|part| part.operand.clone())
            }
            (B::Reverse, [_]) if list || text => {
                let whole = if list { Aggregate::List(0) } else { Aggregate::Text };
                Some(self.whole(whole, parts.parts.iter().rev().cloned().collect()))
            }
            (B::List, [_]) if list || text => Some(self.whole(Aggregate::List(0), parts.parts.clone())),
            (B::Sort, [_]) if list && sure => self.sorted(&parts),
            (B::Increasing, [_]) if list && sure && parts.parts.iter().all(|part| is_int(&part.operand)) => {
                let d = self.constant(1);
                for pair in parts.parts.windows(2) {
                    let (a, b) = (self.int(&pair[0]), self.int(&pair[1]));
                    let less = self.word();
                    self.emit(Op::Lt { d: less, a, b });
                    self.emit(Op::And { d, a: d, b: less });
                }
                Some(Operand::Word(d, WordType::Bool))
            }
            (B::Repeat, [_, Operand::Known(Value::Int(times))]) if sure && (list || text) => {
                let times = usize::try_from(*times).ok()?;
                let total = parts.parts.len().checked_mul(times).filter(|total| *total <= form_limit())?;
                let whole = if list { Aggregate::List(0) } else { Aggregate::Text };
                Some(self.whole(whole, parts.parts.iter().cycle().take(total).cloned().collect()))
            }
            (B::Places, [_, part]) if text && sure => self.places(&parts, part),
            (B::Starts, [_, part]) if text && sure => {
                let part = self.sure_parts(part).filter(|part| part.whole == Aggregate::Text)?;
                if part.parts.len() > parts.parts.len() {
                    return Some(Operand::Known(Value::Bool(false)));
                }
                Some(Self::truth_operand(self.equal_run(&parts.parts, &part.parts)))
            }
            (B::Join, [_]) if list && sure => {
                let mut letters = Vec::new();
                for part in &parts.parts {
                    let text = self.sure_parts(&part.operand).filter(|text| text.whole == Aggregate::Text)?;
                    letters.extend(text.parts.iter().cloned());
                }
                Some(self.whole(Aggregate::Text, letters))
            }
            _ => None,
        }
    }

    fn int(&mut self, part: &Part) -> Reg {
        self.as_word(part.operand.clone(), WordType::Int)
    }

    fn fold_ints(&mut self, word: Builtin, parts: &Parts) -> Option<Operand> {
        if !parts.parts.iter().all(|part| is_int(&part.operand)) {
            return None;
        }
        let extremum = matches!(word, Builtin::Min | Builtin::Max);
        let mut any = None;
        let d = if extremum { self.word() } else { self.constant(0) };
        if extremum {
            // Whether there is one so far: known, or in a word.
            let sure = parts.parts.iter().any(|part| part.flag.is_none());
            any = (!sure).then(|| self.constant(0));
            if parts.parts.is_empty() {
                self.emit(Op::NothingIn { max: word == Builtin::Max });
                return Some(Operand::Known(Value::Int(0)));
            }
            // Begins with one that is there for sure, if there is one: the order does not matter.
            if let Some(first) = parts.parts.iter().find(|part| part.flag.is_none()) {
                let a = self.int(first);
                self.emit(Op::Copy { d, a });
            }
        }
        for part in &parts.parts {
            let next = self.label();
            if let Some(flag) = part.flag {
                self.emit(Op::JumpUnless(flag, Self::to(next)));
            }
            let b = self.int(part);
            if let Some(any) = any {
                let later = self.label();
                self.emit(Op::JumpIf(any, Self::to(later)));
                self.emit(Op::Copy { d, a: b });
                self.emit(Op::Const { d: any, k: 1 });
                self.put(later);
            }
            self.emit(match word {
                Builtin::Sum => Op::Add { d, a: d, b },
                Builtin::Xor => Op::NatXor { d, a: d, b },
                Builtin::Min => Op::Min { d, a: d, b },
                _ => Op::Max { d, a: d, b },
            });
            self.put(next);
        }
        if let Some(any) = any {
            let fine = self.label();
            self.emit(Op::JumpIf(any, Self::to(fine)));
            self.emit(Op::NothingIn { max: word == Builtin::Max });
            self.put(fine);
        }
        Some(Operand::Word(d, WordType::Int))
    }

    fn fold_bools(&mut self, word: Builtin, parts: &Parts) -> Option<Operand> {
        if !parts.parts.iter().all(|part| is_bool(&part.operand)) || (word == Builtin::Count && !self.narrow()) {
            return None;
        }
        let d = self.constant(i64::from(word == Builtin::All));
        for part in &parts.parts {
            let next = self.label();
            if let Some(flag) = part.flag {
                self.emit(Op::JumpUnless(flag, Self::to(next)));
            }
            let b = self.as_word(part.operand.clone(), WordType::Bool);
            self.emit(match word {
                Builtin::Count => Op::Add { d, a: d, b },
                Builtin::Any => Op::Or { d, a: d, b },
                _ => Op::And { d, a: d, b },
            });
            self.put(next);
        }
        Some(Operand::Word(d, if word == Builtin::Count { WordType::Int } else { WordType::Bool }))
    }

    /// A sorting network: Batcher's merge exchange (Knuth, The Art of Computer Programming 3, 5.2.2, algorithm M).
    fn sorted(&mut self, parts: &Parts) -> Option<Operand> {
        /// Longer lists are sorted as values.
        const MOST: usize = 24;
        let n = parts.parts.len();
        if !self.narrow() || n > MOST || !parts.parts.iter().all(|part| is_int(&part.operand)) {
            return None;
        }
        let mut items: Vec<Reg> = parts.parts.iter().map(|part| self.int(part)).collect();
        let top = n.next_power_of_two() / 2;
        let mut p = top;
        while p > 0 {
            let (mut q, mut r, mut d) = (top, 0, p);
            loop {
                for i in (0..n.saturating_sub(d)).filter(|i| i & p == r) {
                    let (a, b) = (items[i], items[i + d]);
                    let (low, high) = (self.word(), self.word());
                    self.emit(Op::Min { d: low, a, b });
                    self.emit(Op::Max { d: high, a, b });
                    (items[i], items[i + d]) = (low, high);
                }
                if q == p {
                    break;
                }
                d = q - p;
                q /= 2;
                r = p;
            }
            p /= 2;
        }
        let parts = items.into_iter().map(|reg| Part::sure(Operand::Word(reg, WordType::Int))).collect();
        Some(self.whole(Aggregate::List(0), parts))
    }

    /// The indices at which a part begins, each with a flag.
    fn places(&mut self, text: &Rc<Parts>, part: &Operand) -> Option<Operand> {
        let part = self.sure_parts(part).filter(|part| part.whole == Aggregate::Text && !part.parts.is_empty())?;
        let mut places = Vec::new();
        for (i, run) in text.parts.windows(part.parts.len()).enumerate() {
            let operand = Operand::Known(Value::Int(i64::try_from(i).ok()?));
            match self.equal_run(run, &part.parts) {
                Ok(true) => places.push(Part::sure(operand)),
                Ok(false) => {}
                Err(flag) => places.push(Part { flag: Some(flag), operand }),
            }
        }
        Some(self.whole(Aggregate::List(0), places))
    }

    /// Whether the parts of one run are those of the other, which is no longer: known, or in a word.
    pub(crate) fn equal_run(&mut self, run: &[Part], other: &[Part]) -> Result<bool, Reg> {
        let mut all: Option<Reg> = None;
        for (a, b) in run.iter().zip(other) {
            match self.compare_operands(CompareOp::Eq, &a.operand, &b.operand) {
                Ok(true) => {}
                Ok(false) => return Ok(false),
                Err(equal) => {
                    all = Some(match all {
                        None => equal,
                        Some(before) => {
                            let d = self.word();
                            self.emit(Op::And { d, a: before, b: equal });
                            d
                        }
                    });
                }
            }
        }
        all.map_or(Ok(true), Err)
    }

    /// A truth value, known or in a word, as an operand.
    pub(crate) fn truth_operand(truth: Result<bool, Reg>) -> Operand {
        match truth {
            Ok(known) => Operand::Known(Value::Bool(known)),
            Err(reg) => Operand::Word(reg, WordType::Bool),
        }
    }
}
