//! Arithmetic, comparisons and conditions: on words where ints fit, part by part where the parts are known, on values
//! elsewhere.

use crate::bytecode::lower::made::Piece;
use crate::bytecode::lower::operand::{Part, Parts};
use crate::bytecode::lower::sets::Slide;
use crate::bytecode::lower::sources::range_of;
use crate::bytecode::lower::{Label, Lower, Operand};
use crate::bytecode::{Aggregate, Op, Reg, WordType};
use crate::model::{BinaryOp, Builtin, CompareOp, LogicOp, Term, TermKind, Type};
use crate::value::Value;
use crate::value::domain::Domain;
use crate::value::graph::Labels;
use crate::words;
use crate::words::floors::linear;
use crate::words::number::NumberWord;
use std::rc::Rc;

/// A truth value: known, or in a word.
type Truth = Result<bool, Reg>;

impl<'p> Lower<'_, 'p> {
    pub(crate) fn negate(&mut self, a: &'p Term) -> Operand {
        let operand = self.expr(a);
        if self.scalar
            && let Operand::Known(value) = &operand
            && let Ok(value) = words::negate(value)
        {
            return Operand::Known(value);
        }
        if self.narrow() && is_int(&a.ty) {
            let a = self.as_word(operand, WordType::Int);
            return Operand::Word(self.emit_word(|d| Op::Neg { d, a }), WordType::Int);
        }
        let a = self.as_value(operand);
        Operand::Value(self.emit_value(|d| Op::NegValue { d, a }))
    }

    pub(crate) fn binary(&mut self, op: BinaryOp, a: &'p Term, b: &'p Term, ty: &Type) -> Operand {
        let sets = self.numbers.is_some() && matches!(ty, Type::Set(_));
        let (left, right) =
            if sets { (self.set_operand(a), self.set_operand(b)) } else { (self.expr(a), self.expr(b)) };
        if let Some(operand) = self.known_binary(op, &left, &right).or_else(|| self.joined(op, &left, &right, ty)) {
            return operand;
        }
        if let Some(operand) = self.bag_binary(op, &left, &right, ty) {
            return operand;
        }
        if self.narrow() && is_int(&a.ty) && is_int(&b.ty) && *ty == Type::Int {
            if let Some(operand) = self.int_binary(op, &left, &right) {
                return operand;
            }
        } else if let Some(operand) =
            self.set_binary(op, &left, &right).or_else(|| self.part_set_binary(op, &left, &right, ty))
        {
            return operand;
        }
        let (a, b) = (self.as_value(left), self.as_value(right));
        Operand::Value(self.emit_value(|d| Op::Binary { op, d, a, b }))
    }

    fn known_binary(&mut self, op: BinaryOp, left: &Operand, right: &Operand) -> Option<Operand> {
        match (left, right) {
            (Operand::Known(a), Operand::Known(b)) if self.scalar => words::binary(op, a, b).ok().map(Operand::Known),
            _ => None,
        }
    }

    /// Lists or texts one after the other, part by part.
    fn joined(&mut self, op: BinaryOp, left: &Operand, right: &Operand, ty: &Type) -> Option<Operand> {
        let whole = match (op, ty) {
            (BinaryOp::Add, Type::List(_)) => Aggregate::List(0),
            (BinaryOp::Add, Type::Text) => Aggregate::Text,
            _ => return None,
        };
        let (a, b) = (self.parts(left)?, self.parts(right)?);
        let fine = |parts: &Parts| match parts.whole {
            Aggregate::List(_) => whole != Aggregate::Text,
            Aggregate::Text => whole == Aggregate::Text,
            Aggregate::Tuple | Aggregate::Set { .. } | Aggregate::Bag { .. } | Aggregate::Grid(_) => false,
        };
        if !fine(&a) || !fine(&b) {
            return None;
        }
        Some(self.whole(whole, a.parts.iter().chain(&b.parts).cloned().collect()))
    }

    pub(crate) fn int_binary(&mut self, op: BinaryOp, left: &Operand, right: &Operand) -> Option<Operand> {
        if let Some(operand) = self.known_binary(op, left, right) {
            return Some(operand);
        }
        if let (BinaryOp::Add | BinaryOp::Sub, Operand::Known(Value::Int(k))) = (op, right) {
            let k = if op == BinaryOp::Add { Some(*k) } else { k.checked_neg() };
            if let Some(k) = k.and_then(|k| i16::try_from(k).ok()) {
                let a = self.as_word(left.clone(), WordType::Int);
                return Some(Operand::Word(self.emit_word(|d| Op::AddConst { d, a, k }), WordType::Int));
            }
        }
        if matches!(op, BinaryOp::Over | BinaryOp::Range) {
            return None;
        }
        if let (BinaryOp::Pow, Operand::Known(Value::Int(times @ 2..=4))) = (op, right) {
            let a = self.as_word(left.clone(), WordType::Int);
            let power = (1..*times).fold(a, |power, _| self.emit_word(|d| Op::Mul { d, a: power, b: a }));
            return Some(Operand::Word(power, WordType::Int));
        }
        let [a, b] = self.as_words([left, right], WordType::Int);
        let d = self.emit_word(|d| match op {
            BinaryOp::Add => Op::Add { d, a, b },
            BinaryOp::Sub => Op::Sub { d, a, b },
            BinaryOp::Mul => Op::Mul { d, a, b },
            BinaryOp::Div => Op::Div { d, a, b },
            BinaryOp::Mod => Op::Mod { d, a, b },
            BinaryOp::Xor => Op::NatXor { d, a, b },
            BinaryOp::Pow => Op::Number { word: NumberWord::Power, d, a, b },
            _ => Op::NatAnd { d, a, b },
        });
        Some(Operand::Word(d, WordType::Int))
    }

    pub(crate) fn number_word(&mut self, word: Builtin, operands: &[Operand], args: &'p [Term]) -> Option<Operand> {
        if !self.narrow() || !args.iter().all(|a| a.ty == Type::Int) {
            return None;
        }
        match (word, operands) {
            (Builtin::Abs, [a]) => {
                let a = self.as_word(a.clone(), WordType::Int);
                Some(Operand::Word(self.emit_word(|d| Op::Abs { d, a }), WordType::Int))
            }
            (Builtin::Min | Builtin::Max | Builtin::Gcd, [first, rest @ ..]) if !rest.is_empty() => {
                let mut a = self.as_word(first.clone(), WordType::Int);
                for b in rest {
                    let b = self.as_word(b.clone(), WordType::Int);
                    a = self.emit_word(|d| match word {
                        Builtin::Min => Op::Min { d, a, b },
                        Builtin::Max => Op::Max { d, a, b },
                        _ => Op::Number { word: NumberWord::Gcd, d, a, b },
                    });
                }
                Some(Operand::Word(a, WordType::Int))
            }
            _ => {
                let word = NumberWord::named(word)?;
                let (a, b) = match operands {
                    [a] => (a, a),
                    [a, b] => (a, b),
                    _ => return None,
                };
                let [a, b] = self.as_words([a, b], WordType::Int);
                let d = self.emit_word(|d| Op::Number { word, d, a, b });
                Some(Operand::Word(d, if word.is_bool() { WordType::Bool } else { WordType::Int }))
            }
        }
    }

    pub(crate) fn table(&mut self, items: Vec<i64>, a: Reg) -> Reg {
        let table = self.entry(|code| &mut code.tables, items.into());
        self.emit_word(|d| Op::Table { d, table, a })
    }

    pub(crate) fn compare(&mut self, op: CompareOp, left: &Operand, right: &Operand, ints: bool) -> Result<bool, Reg> {
        self.compare_parts(op, left, right).unwrap_or_else(|| Err(self.compare_words(op, left, right, ints)))
    }

    fn compare_words(&mut self, op: CompareOp, left: &Operand, right: &Operand, ints: bool) -> Reg {
        if (left.is_int() && right.member().is_some()) || (left.member().is_some() && right.is_int()) {
            let [left, right] = [left, right].map(|operand| self.as_label(operand.clone()));
            if left.is_int() && right.is_int() {
                return self.compare_words(op, &left, &right, true);
            }
        }
        if let Some(d) = self.set_compare(op, left, right) {
            return d;
        }
        if let (CompareOp::Eq | CompareOp::Ne, &Operand::Value(a), other)
        | (CompareOp::Eq | CompareOp::Ne, other, &Operand::Value(a)) = (op, left, right)
            && ints
            && self.narrow()
            && other.is_int()
        {
            let b = self.as_word(other.clone(), WordType::Int);
            let a = self.emit_word(|d| Op::UnboxValue { d, a });
            let least = self.pooled(i64::MIN);
            let finite = self.emit_word(|d| Op::Ne { d, a, b: least });
            let equal = self.emit_word(|d| Op::Eq { d, a, b });
            let equal = self.emit_word(|d| Op::And { d, a: equal, b: finite });
            return if op == CompareOp::Eq { equal } else { self.emit_word(|d| Op::Not { d, a: equal }) };
        }
        let words = ints
            && self.narrow()
            && !matches!(op, CompareOp::In | CompareOp::NotIn)
            && !(matches!(op, CompareOp::Eq | CompareOp::Ne)
                && (matches!(left, Operand::Value(_)) || matches!(right, Operand::Value(_))));
        if matches!(op, CompareOp::Eq | CompareOp::Ne) && left.is_bool() && right.is_bool() && self.narrow() {
            let [a, b] = self.as_words([left, right], WordType::Bool);
            return self.emit_word(|d| if op == CompareOp::Eq { Op::Eq { d, a, b } } else { Op::Ne { d, a, b } });
        }
        let d = self.word();
        if words {
            let [a, b] = self.as_words([left, right], WordType::Int);
            self.emit(match op {
                CompareOp::Eq => Op::Eq { d, a, b },
                CompareOp::Ne => Op::Ne { d, a, b },
                CompareOp::Lt => Op::Lt { d, a, b },
                CompareOp::Gt => Op::Lt { d, a: b, b: a },
                CompareOp::Le => Op::Le { d, a, b },
                _ => Op::Le { d, a: b, b: a },
            });
            return d;
        }
        let (a, b) = (self.as_value(left.clone()), self.as_value(right.clone()));
        self.emit(Op::Compare { op, d, a, b });
        d
    }

    /// Whether both may be compared as ints. Vertices are ordered by their labels, which may be texts or pairs.
    fn are_ints(&self, op: CompareOp, both: [(&Operand, &Type); 2]) -> bool {
        let numbered = |operand: &Operand| match operand.member().map(|domain| self.ctx.domain(domain)) {
            Some(Domain::Vertices(labels)) => matches!(**labels, Labels::Ints { .. } | Labels::Numbers(_)),
            _ => operand.is_int(),
        };
        let equality = matches!(op, CompareOp::Eq | CompareOp::Ne);
        both.into_iter().all(|(operand, ty)| is_int(ty) && (equality || *ty == Type::Int || numbered(operand)))
    }

    /// A chain: each operand once, left to right, up to the first false.
    pub(crate) fn compare_chain(&mut self, first: &'p Term, rest: &'p [(CompareOp, Term)]) -> Operand {
        if let (true, [(op, term)]) = (self.scalar, rest) {
            let left = self.expr(first);
            if let Some(truth) = self.membership(*op, &left, &first.ty, term) {
                return Operand::Word(truth, WordType::Bool);
            }
            let right = self.expr(term);
            let ints = self.are_ints(*op, [(&left, &first.ty), (&right, &term.ty)]);
            return Self::truth_operand(self.compare(*op, &left, &right, ints));
        }
        let end = self.label();
        let mut left = self.expr(first);
        let mut ty = &first.ty;
        // None while all so far is known to hold.
        let mut found: Option<Reg> = None;
        for (i, (op, term)) in rest.iter().enumerate() {
            let hit = self.membership(*op, &left, ty, term);
            let truth = if let Some(truth) = hit {
                Err(truth)
            } else {
                let right = self.expr(term);
                let ints = self.are_ints(*op, [(&left, ty), (&right, &term.ty)]);
                let truth = self.compare(*op, &left, &right, ints);
                left = right;
                truth
            };
            ty = &term.ty;
            match truth {
                Ok(true) if self.scalar => continue,
                Ok(false) if self.scalar && found.is_none() => return Operand::Known(Value::Bool(false)),
                _ => {}
            }
            let d = found.unwrap_or_else(|| self.word());
            found = Some(d);
            match truth {
                Err(a) => self.emit(Op::Copy { d, a }),
                Ok(known) => self.load(d, i64::from(known)),
            }
            if i + 1 < rest.len() {
                self.emit(Op::JumpUnless { a: d, to: Self::to(end) });
            }
        }
        self.put(end);
        found.map_or(Operand::Known(Value::Bool(true)), |d| Operand::Word(d, WordType::Bool))
    }

    /// `x in slide(..)` or `x in choices(..)` without making the list.
    fn is_in_list(&mut self, word: Builtin, left: &Operand, args: &'p [Term]) -> Reg {
        let mut operands: Vec<Operand> = args.iter().map(|arg| self.expr(arg)).collect();
        let is_slide = word == Builtin::Slide;
        let is_word = is_slide && self.narrow() && !matches!(left, Operand::Value(_));
        if is_word && let Some(Slide { from, step, count }) = self.slide(&operands) {
            let (x, one) = (self.as_word(left.clone(), WordType::Int), self.pooled(1));
            let far = self.emit_word(|d| Op::Sub { d, a: x, b: from });
            self.emit(Op::Mul { d: far, a: far, b: step });
            return self.is_between(one, far, count);
        }
        operands.push(left.clone());
        let there = self.call_word(if is_slide { Builtin::InSlide } else { Builtin::InChoices }, &operands);
        self.as_word(there, WordType::Bool)
    }

    fn is_between(&mut self, from: Reg, x: Reg, to: Reg) -> Reg {
        let low = self.emit_word(|d| Op::Le { d, a: from, b: x });
        let high = self.emit_word(|d| Op::Le { d, a: x, b: to });
        self.emit_word(|d| Op::And { d, a: low, b: high })
    }

    /// What `in` or `not in` says, from what `in` says.
    pub(crate) fn in_or_not(&mut self, op: CompareOp, a: Reg) -> Reg {
        if op == CompareOp::In { a } else { self.emit_word(|d| Op::Not { d, a }) }
    }

    /// `x in a..b` without making the range, and other collections whose members are known by what they are.
    fn membership(&mut self, op: CompareOp, left: &Operand, ty: &Type, right: &'p Term) -> Option<Reg> {
        if !matches!(op, CompareOp::In | CompareOp::NotIn) {
            return None;
        }
        let right = range_of(right);
        let truth = match (&right.kind, ty) {
            (TermKind::Builtin(word @ Builtin::Slide, args), Type::Int)
            | (TermKind::Builtin(word @ Builtin::Choices, args), Type::List(_)) => self.is_in_list(*word, left, args),
            (TermKind::Builtin(word, args), Type::Int)
                if let (Some(word), [of]) = (NumberWord::member_of(*word), &args[..])
                    && self.narrow()
                    && !matches!(left, Operand::Value(_))
                    && self.known(right).is_none() =>
            {
                let of = self.expr(of);
                let [a, b] = self.as_words([left, &of], WordType::Int);
                self.at(right.span, |lower| lower.emit_word(|d| Op::Number { word, d, a, b }))
            }
            (TermKind::Binary(BinaryOp::Range, from, to), Type::Int)
                if self.narrow() && !matches!(left, Operand::Value(_)) =>
            {
                let (from, to) = (self.expr(from), self.expr(to));
                if self.scalar && [left, &from, &to].iter().all(|operand| matches!(operand, Operand::Known(_))) {
                    // So is the truth.
                    return None;
                }
                let x = self.as_word(left.clone(), WordType::Int);
                let (from, to) = (self.as_word(from, WordType::Int), self.as_word(to, WordType::Int));
                self.is_between(from, x, to)
            }
            _ if self.scalar
                && !matches!(left, Operand::Value(_))
                && self.few_parts_made(right, true).is_some()
                && self.known(right).is_none() =>
            {
                // Where all members are known by their parts, so may be the truth.
                let mark = self.mark();
                let all = self.expr(right);
                self.go_back(mark);
                if !matches!(all, Operand::Value(_)) {
                    return None;
                }
                self.is_member_made(left, ty, right)
            }
            _ => return None,
        };
        Some(self.in_or_not(op, truth))
    }

    /// `x in` a collection that is gone through as it is made.
    fn is_member_made(&mut self, left: &Operand, ty: &Type, right: &'p Term) -> Reg {
        let found = self.word();
        self.load(found, 0);
        self.through(right, &mut Vec::new(), true, &mut |lower, piece| {
            let equal = match piece {
                Piece::Member(member) => {
                    let ints = lower.are_ints(CompareOp::Eq, [(left, ty), (&member, ty)]);
                    lower.compare(CompareOp::Eq, left, &member, ints)
                }
                Piece::Whole(all) => lower.compare(CompareOp::In, left, &all, false),
            };
            match equal {
                Ok(false) => {}
                Ok(true) => lower.load(found, 1),
                Err(b) => lower.emit(Op::Or { d: found, a: found, b }),
            }
        });
        found
    }

    /// Writes what is done where a condition holds and where it does not, or the one of both that is known to be done.
    pub(crate) fn both_ways(&mut self, condition: &'p Term, mut write: impl FnMut(&mut Self, bool)) {
        let (otherwise, end) = (self.label(), self.label());
        let truth = self.test(condition, otherwise);
        if truth != Some(false) {
            write(self, true);
        }
        if truth.is_none() {
            self.emit(Op::Jump { to: Self::to(end) });
        }
        self.put(otherwise);
        if truth != Some(true) {
            write(self, false);
        }
        self.put(end);
    }

    pub(crate) fn jump_unless(&mut self, term: &'p Term, label: Label) {
        if self.test(term, label) == Some(false) {
            self.emit(Op::Jump { to: Self::to(label) });
        }
    }

    /// Jumps to the label when the term is false; when its truth is known nothing is emitted at the end: that truth.
    pub(crate) fn test(&mut self, term: &'p Term, label: Label) -> Option<bool> {
        if let Some(Value::Bool(truth)) = self.known(term) {
            return Some(truth);
        }
        match &term.kind {
            TermKind::Logic(LogicOp::And, a, b) => {
                let right = if self.scalar { self.known(b) } else { None };
                let mark = self.mark();
                let left = self.test(a, label);
                match (left, right) {
                    (Some(false), _) => Some(false),
                    (_, Some(Value::Bool(false))) => {
                        if left.is_none() && self.code.ops.len() == mark.ops + 1 {
                            // Nothing but the jump, which cannot fail.
                            self.go_back(mark);
                        }
                        Some(false)
                    }
                    (left, Some(Value::Bool(true))) => left,
                    (Some(true), _) => self.test(b, label),
                    (None, _) => {
                        self.jump_unless(b, label);
                        None
                    }
                }
            }
            TermKind::Compare(first, rest) if self.is_plain_comparison(first, rest) => {
                let (op, second) = &rest[0];
                let (left, right) = (self.expr(first), self.expr(second));
                if let (true, Operand::Known(a), Operand::Known(b)) = (self.scalar, &left, &right)
                    && let Ok(truth) = words::compare(*op, a, b)
                {
                    return Some(truth);
                }
                // Of a value it is not known that it is a number: a loopy value equals none.
                if *op == CompareOp::Eq && [&left, &right].into_iter().any(|side| matches!(side, Operand::Value(_))) {
                    let truth = self.at(term.span, |lower| lower.compare(*op, &left, &right, true));
                    return truth.map_or_else(
                        |a| {
                            self.emit(Op::JumpUnless { a, to: Self::to(label) });
                            None
                        },
                        Some,
                    );
                }
                self.at(term.span, |lower| {
                    let a = lower.as_word(left, WordType::Int);
                    let b = lower.as_word(right, WordType::Int);
                    let to = Self::to(label);
                    lower.emit(match op {
                        CompareOp::Eq => Op::JumpNe { a, b, to },
                        CompareOp::Lt => Op::JumpLe { a: b, b: a, to },
                        CompareOp::Gt => Op::JumpLe { a, b, to },
                        CompareOp::Le => Op::JumpLt { a: b, b: a, to },
                        _ => Op::JumpLt { a, b, to },
                    });
                });
                None
            }
            _ => {
                let operand = self.expr(term);
                if let (true, Operand::Known(Value::Bool(truth))) = (self.scalar, &operand) {
                    return Some(*truth);
                }
                let a = self.at(term.span, |lower| lower.as_word(operand, WordType::Bool));
                self.emit(Op::JumpUnless { a, to: Self::to(label) });
                None
            }
        }
    }

    fn is_plain_comparison(&self, first: &Term, rest: &[(CompareOp, Term)]) -> bool {
        self.narrow()
            && rest.len() == 1
            && matches!(rest[0].0, CompareOp::Lt | CompareOp::Le | CompareOp::Gt | CompareOp::Ge | CompareOp::Eq)
            && first.ty == Type::Int
            && rest[0].1.ty == Type::Int
    }

    pub(crate) fn compare_operands(&mut self, op: CompareOp, left: &Operand, right: &Operand) -> Truth {
        self.compare(op, left, right, left.is_int() && right.is_int())
    }

    fn compare_parts(&mut self, op: CompareOp, left: &Operand, right: &Operand) -> Option<Truth> {
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
                if let Some(equal) = self.same_text(left, right) {
                    return Some(self.turned(equal, op == CompareOp::Ne));
                }
                let (a, b) = (self.parts(left)?, self.parts(right)?);
                let equal = self.equal_parts(&a, &b)?;
                Some(self.turned(equal, op == CompareOp::Ne))
            }
            CompareOp::In | CompareOp::NotIn => {
                let items = self.parts(right)?;
                if matches!(items.whole, Aggregate::Tuple | Aggregate::Grid(_)) {
                    return None;
                }
                let found = self.found(left, &items)?;
                Some(self.turned(found, op == CompareOp::NotIn))
            }
            CompareOp::Lt => self.before(left, right, true),
            CompareOp::Le => self.before(left, right, false),
            CompareOp::Gt => self.before(right, left, true),
            CompareOp::Ge => self.before(right, left, false),
        }
    }

    /// The equality of two letters, or two texts that the file names, or of one and a known text.
    fn same_text(&mut self, left: &Operand, right: &Operand) -> Option<Truth> {
        let (text, other) = if self.is_text_word(left) { (left, right) } else { (right, left) };
        if !self.is_text_word(text) {
            return None;
        }
        let form = WordType::Member(text.member()?);
        match other {
            Operand::Known(value @ Value::Text(_)) if self.known_word(value, form).is_none() => Some(Ok(false)),
            Operand::Word(_, other) if *other != form => None,
            Operand::Known(Value::Text(_)) | Operand::Word(..) => {
                let [a, b] = self.as_words([left, right], form);
                let d = self.emit_word(|d| Op::Eq { d, a, b });
                Some(Err(d))
            }
            _ => None,
        }
    }

    fn turned(&mut self, truth: Truth, turn: bool) -> Truth {
        match truth {
            Ok(known) => Ok(known != turn),
            Err(a) if turn => Err(self.emit_word(|d| Op::Not { d, a })),
            word => word,
        }
    }

    fn equal_parts(&mut self, a: &Rc<Parts>, b: &Rc<Parts>) -> Option<Truth> {
        if !alike(a, b) {
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
        let is_mixed = |parts: &&Rc<Parts>| match parts.whole {
            Aggregate::Bag { ascending } => !ascending,
            // Equal parts are one member.
            Aggregate::Set { ascending } => !ascending && parts.parts.len() > 1,
            _ => false,
        };
        if [a, b].iter().any(is_mixed) {
            return None;
        }
        if a.parts.len() != b.parts.len() {
            return Some(Ok(false));
        }
        Some(self.equal_run(&a.parts, &b.parts))
    }

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
            // Where a part is not there its words hold anything: they may be compared all the same, but no value be made of them.
            let fine = match (operand, item) {
                (Operand::Known(_) | Operand::Word(_, WordType::Int | WordType::Bool), _) => true,
                (Operand::Word(_, one), Operand::Word(_, other)) => one == other,
                _ => false,
            };
            if let Some(flag) = flag.filter(|_| !fine) {
                let d = self.constant(0);
                self.where_there(Some(flag), |lower, _| match lower.compare_operands(CompareOp::Eq, item, operand) {
                    Ok(false) => {}
                    Ok(true) => lower.emit(Op::Const { d, k: 1 }),
                    Err(a) => lower.emit(Op::Copy { d, a }),
                });
                any = Some(match any {
                    None => d,
                    Some(before) => self.emit_word(|or| Op::Or { d: or, a: before, b: d }),
                });
                continue;
            }
            let hit = match (self.compare_operands(CompareOp::Eq, item, operand), flag) {
                (Ok(false), _) => continue,
                (Ok(true), None) => return Some(Ok(true)),
                (Ok(true), Some(flag)) => *flag,
                (Err(equal), None) => equal,
                (Err(equal), Some(flag)) => self.emit_word(|d| Op::And { d, a: equal, b: *flag }),
            };
            any = Some(match any {
                None => hit,
                Some(before) => self.emit_word(|d| Op::Or { d, a: before, b: hit }),
            });
        }
        Some(any.map_or(Ok(false), Err))
    }

    /// The lexicographic order of lists, texts and tuples of ints or letters.
    fn before(&mut self, left: &Operand, right: &Operand, strict: bool) -> Option<Truth> {
        let (a, b) = (self.sure_parts(left)?, self.sure_parts(right)?);
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
        // Of bags and sets it is inclusion.
        let ordered = alike(&a, &b) && !matches!(a.whole, Aggregate::Bag { .. } | Aggregate::Set { .. });
        let word_types = word_types.filter(|_| ordered)?;
        let (d, end, less) = (self.constant(0), self.label(), self.label());
        for ((x, y), word_type) in a.parts.iter().zip(&b.parts).zip(word_types) {
            let (x, y) = (self.as_word(x.operand.clone(), word_type), self.as_word(y.operand.clone(), word_type));
            self.emit(Op::JumpLt { a: x, b: y, to: Self::to(less) });
            self.emit(Op::JumpLt { a: y, b: x, to: Self::to(end) });
        }
        let (m, n) = (a.parts.len(), b.parts.len());
        if !(m < n || m == n && !strict) {
            self.emit(Op::Jump { to: Self::to(end) });
        }
        self.put(less);
        self.emit(Op::Const { d, k: 1 });
        self.put(end);
        Some(Err(d))
    }

    /// `floor` or `ceil` of a real that is linear in one term; `None`: nothing was done.
    pub(crate) fn floor_of(&mut self, word: Builtin, args: &'p [Term]) -> Option<Operand> {
        let up = match word {
            Builtin::Floor => false,
            Builtin::Ceil => true,
            _ => return None,
        };
        let [real] = args else { return None };
        if !self.narrow() {
            return None;
        }
        let mut of = None;
        let floor = linear(real, &mut |term| self.known(term), &mut of)?.floor(up)?;
        let n = self.expr(of?);
        let a = self.as_word(n, WordType::Int);
        let spec = self.entry(|code| &mut code.floors, floor);
        Some(Operand::Word(self.emit_word(|d| Op::Floor { d, a, spec }), WordType::Int))
    }
}

/// Whether both are lists, texts, tuples, bags or sets.
fn alike(a: &Parts, b: &Parts) -> bool {
    use Aggregate as A;
    matches!(
        (a.whole, b.whole),
        (A::List(_), A::List(_))
            | (A::Text, A::Text)
            | (A::Tuple, A::Tuple)
            | (A::Bag { .. }, A::Bag { .. })
            | (A::Set { .. }, A::Set { .. })
    )
}

/// Whether a type is read as a number where one is wanted.
pub(super) fn is_int(ty: &Type) -> bool {
    matches!(ty, Type::Int | Type::Vertex)
}
