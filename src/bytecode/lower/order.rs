//! Comparisons of operands: known ones now, parts part by part.

use crate::bytecode::lower::parts::{Part, Parts};
use crate::bytecode::lower::{Lower, Operand};
use crate::bytecode::{Aggregate, Op, Reg, WordType};
use crate::model::CompareOp;
use crate::value::Value;
use crate::words;
use std::rc::Rc;

/// A truth value: known, or in a word.
type Truth = Result<bool, Reg>;

impl Lower<'_, '_> {
    /// `left op right` of operands whose types fit.
    pub(crate) fn compare_operands(&mut self, op: CompareOp, left: &Operand, right: &Operand) -> Truth {
        let int = |o: &Operand| matches!(o, Operand::Word(_, WordType::Int) | Operand::Known(Value::Int(_)));
        self.compare(op, left, right, int(left) && int(right))
    }

    /// A comparison worked out now or part by part; `None`: nothing was done.
    pub(crate) fn compare_parts(&mut self, op: CompareOp, left: &Operand, right: &Operand) -> Option<Truth> {
        if !self.scalar {
            return None;
        }
        if let (Operand::Known(a), Operand::Known(b)) = (left, right) {
            return words::compare(op, a, b).ok().map(Ok);
        }
        if matches!(left, Operand::Value(_)) || matches!(right, Operand::Value(_)) {
            return None;
        }
        match op {
            CompareOp::Eq | CompareOp::Ne => {
                if let Some(equal) = self.same_letter(left, right) {
                    return Some(self.turned(equal, op == CompareOp::Ne));
                }
                let (a, b) = (self.parts(left)?, self.parts(right)?);
                let equal = self.equal_parts(&a, &b)?;
                Some(self.turned(equal, op == CompareOp::Ne))
            }
            CompareOp::In | CompareOp::NotIn => {
                let items = self.parts(right).filter(|items| items.whole != Aggregate::Tuple)?;
                let found = self.found(left, &items)?;
                Some(self.turned(found, op == CompareOp::NotIn))
            }
            CompareOp::Lt => self.before(left, right, true),
            CompareOp::Le => self.before(left, right, false),
            CompareOp::Gt => self.before(right, left, true),
            CompareOp::Ge => self.before(right, left, false),
        }
    }

    /// The equality of two letters, or of a letter and a known text.
    fn same_letter(&mut self, left: &Operand, right: &Operand) -> Option<Truth> {
        let letters = WordType::Member(self.letters?);
        let (letter, other) = if self.is_letter(left) { (left, right) } else { (right, left) };
        if !self.is_letter(letter) {
            return None;
        }
        match other {
            Operand::Known(value @ Value::Text(_)) if self.known_word(value, letters).is_none() => Some(Ok(false)),
            Operand::Known(Value::Text(_)) | Operand::Word(..) => {
                let (a, b) = (self.as_word(left.clone(), letters), self.as_word(right.clone(), letters));
                let d = self.word();
                self.emit(Op::Eq { d, a, b });
                Some(Err(d))
            }
            _ => None,
        }
    }

    fn turned(&mut self, truth: Truth, turn: bool) -> Truth {
        match truth {
            Ok(known) => Ok(known != turn),
            Err(a) if turn => {
                let d = self.word();
                self.emit(Op::Not { d, a });
                Err(d)
            }
            word => word,
        }
    }

    fn equal_parts(&mut self, a: &Rc<Parts>, b: &Rc<Parts>) -> Option<Truth> {
        let alike = matches!(
            (a.whole, b.whole),
            (Aggregate::List(_), Aggregate::List(_))
                | (Aggregate::Text, Aggregate::Text)
                | (Aggregate::Tuple, Aggregate::Tuple)
        );
        if !alike {
            return None;
        }
        for (empty, other) in [(a, b), (b, a)] {
            if empty.parts.is_empty() && !other.is_sure() {
                if other.parts.iter().any(|part| part.flag.is_none()) {
                    return Some(Ok(false));
                }
                let any = self.constant(0);
                for flag in other.parts.iter().filter_map(|part| part.flag) {
                    self.emit(Op::Or { d: any, a: any, b: flag });
                }
                return Some(self.turned(Err(any), true));
            }
        }
        if !a.is_sure() || !b.is_sure() {
            return None;
        }
        if a.parts.len() != b.parts.len() {
            return Some(Ok(false));
        }
        Some(self.equal_run(&a.parts, &b.parts))
    }

    /// Whether an item is among parts.
    fn found(&mut self, item: &Operand, items: &Rc<Parts>) -> Option<Truth> {
        if items.whole == Aggregate::Text {
            // Texts are asked for characters only.
            let single = matches!(item, Operand::Known(Value::Text(text)) if text.single().is_some());
            if !single && !self.is_letter(item) {
                return None;
            }
        }
        let mut any: Option<Reg> = None;
        for Part { flag, operand } in &items.parts {
            let hit = match (self.compare_operands(CompareOp::Eq, item, operand), flag) {
                (Ok(false), _) => continue,
                (Ok(true), None) => return Some(Ok(true)),
                (Ok(true), Some(flag)) => *flag,
                (Err(equal), None) => equal,
                (Err(equal), Some(flag)) => {
                    let d = self.word();
                    self.emit(Op::And { d, a: equal, b: *flag });
                    d
                }
            };
            any = Some(match any {
                None => hit,
                Some(before) => {
                    let d = self.word();
                    self.emit(Op::Or { d, a: before, b: hit });
                    d
                }
            });
        }
        Some(any.map_or(Ok(false), Err))
    }

    /// The lexicographic order of lists, texts and tuples of ints or letters.
    fn before(&mut self, left: &Operand, right: &Operand, strict: bool) -> Option<Truth> {
        let (a, b) = (self.sure_parts(left)?, self.sure_parts(right)?);
        let alike = matches!(
            (a.whole, b.whole),
            (Aggregate::List(_), Aggregate::List(_))
                | (Aggregate::Text, Aggregate::Text)
                | (Aggregate::Tuple, Aggregate::Tuple)
        );
        let letters = self.letters.map(WordType::Member);
        let word_type = |lower: &Self, part: &Part| match (&part.operand, letters) {
            (Operand::Word(_, WordType::Int) | Operand::Known(Value::Int(_)), _) => Some(WordType::Int),
            (Operand::Word(_, word_type), Some(letters)) if *word_type == letters => Some(letters),
            (Operand::Known(value), Some(letters)) => lower.known_word(value, letters).map(|_| letters),
            _ => None,
        };
        let word_types: Option<Vec<WordType>> = a
            .parts
            .iter()
            .zip(&b.parts)
            .map(|(x, y)| word_type(self, x).filter(|found| word_type(self, y) == Some(*found)))
            .collect();
        let word_types = word_types.filter(|_| alike)?;
        let (d, end, less) = (self.constant(0), self.label(), self.label());
        for ((x, y), word_type) in a.parts.iter().zip(&b.parts).zip(word_types) {
            let (x, y) = (self.as_word(x.operand.clone(), word_type), self.as_word(y.operand.clone(), word_type));
            self.emit(Op::JumpLt { a: x, b: y, to: Self::to(less) });
            self.emit(Op::JumpLt { a: y, b: x, to: Self::to(end) });
        }
        let (m, n) = (a.parts.len(), b.parts.len());
        if !(m < n || m == n && !strict) {
            self.emit(Op::Jump(Self::to(end)));
        }
        self.put(less);
        self.emit(Op::Const { d, k: 1 });
        self.put(end);
        Some(Err(d))
    }
}
