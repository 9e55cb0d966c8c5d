//! Terms written as text, the operands of what commutes in order.

use crate::analysis::symmetry::writer::Writer;
use crate::model::builtin::Builtin;
use crate::model::kind::Type;
use crate::model::{BinaryOp, CompareOp, Gather, LogicOp, Term, TermKind};

impl Writer<'_> {
    #[allow(clippy::too_many_lines)] // a line for each kind of term
    pub(super) fn term(&mut self, term: &Term) -> Option<String> {
        let text = match &term.kind {
            TermKind::Int(n) => n.to_string(),
            TermKind::Bool(b) => b.to_string(),
            TermKind::Text(text) => format!("{text:?}"),
            TermKind::Drawing(_) => return None,
            TermKind::Slot(slot) => self.slot(*slot)?,
            TermKind::Global(global) => format!("g{}", global.0),
            TermKind::Neg(a) => format!("neg({})", self.term(a)?),
            TermKind::Not(a) => format!("not({})", self.term(a)?),
            TermKind::Misere(a) => format!("misere({})", self.term(a)?),
            TermKind::Adapt(a) => format!("adapt({:?} {})", term.ty, self.term(a)?),
            TermKind::Coerce(a, kind) => format!("coerce({} {})", self.term(a)?, self.kind(kind)?),
            TermKind::Logic(LogicOp::Implies, a, b) => format!("implies({} {})", self.term(a)?, self.term(b)?),
            TermKind::Logic(op, _, _) => self.joined(*op, &[term])?,
            TermKind::Iff(a, b) => format!("iff({})", self.all([&**a, b], true)?),
            TermKind::Binary(op, a, b) => {
                let commutes = matches!(op, BinaryOp::Add | BinaryOp::Mul | BinaryOp::Xor | BinaryOp::Meet)
                    && [a, b].iter().all(|side| matches!(side.ty, Type::Int | Type::Set(_) | Type::Bag(_)));
                if commutes {
                    let mut operands = Vec::new();
                    let mut todo = vec![term];
                    while let Some(next) = todo.pop() {
                        match &next.kind {
                            // The whole is taken apart at any rate: `s + {}` has sides of two types.
                            TermKind::Binary(inner, a, b)
                                if inner == op && (a.ty == b.ty || std::ptr::eq(next, term)) =>
                            {
                                todo.extend([&**a, b]);
                            }
                            _ => operands.push(next),
                        }
                    }
                    format!("{op:?}({})", self.all(operands, true)?)
                } else {
                    format!("{op:?}({} {})", self.term(a)?, self.term(b)?)
                }
            }
            TermKind::Compare(first, rest) => match &rest[..] {
                [(op @ (CompareOp::Eq | CompareOp::Ne), second)] => {
                    format!("{op:?}({})", self.all([&**first, second], true)?)
                }
                [(op @ (CompareOp::Lt | CompareOp::Le), second)] => {
                    format!("{op:?}({})", self.all([&**first, second], false)?)
                }
                [(CompareOp::Gt, second)] => format!("Lt({} {})", self.term(second)?, self.term(first)?),
                [(CompareOp::Ge, second)] => format!("Le({} {})", self.term(second)?, self.term(first)?),
                rest => {
                    let mut text = self.term(first)?;
                    for (op, next) in rest {
                        let next = self.term(next)?;
                        text = format!("{text} {op:?} {next}");
                    }
                    format!("chain({text})")
                }
            },
            TermKind::If(a, b, c) => format!("if({})", self.all([&**a, b, c], false)?),
            TermKind::Tuple(parts) => format!("tuple({})", self.all(parts, false)?),
            TermKind::Items(gather, items) => {
                let sorted = *gather == Gather::Set && items.iter().all(|item| !item.spread);
                let spread: String = items.iter().map(|item| if item.spread { '1' } else { '0' }).collect();
                format!("{gather:?}({spread} {})", self.all(items.iter().map(|item| &item.term), sorted)?)
            }
            TermKind::Comprehension(gather, value, clauses) => {
                let bound = self.bound;
                let text = format!("{gather:?}[{} :{}]", self.clauses(clauses.iter())?, self.term(value)?);
                self.bound = bound;
                text
            }
            TermKind::Index(a, b) => format!("index({})", self.all([&**a, b], false)?),
            TermKind::Slice(base, from, to) => {
                let mut text = self.term(base)?;
                for end in [from, to] {
                    text += " : ";
                    text += &end.as_ref().map_or(Some(String::new()), |end| self.term(end))?;
                }
                format!("slice({text})")
            }
            TermKind::Update(base, changes, clauses) => {
                let bound = self.bound;
                let mut text = self.term(base)?;
                if let Some(clauses) = clauses {
                    text += &self.clauses(clauses.iter())?;
                }
                for change in changes {
                    let (index, value) = (self.term(&change.index)?, self.term(&change.value)?);
                    text = format!("{text} {index} {:?} {value}", change.op);
                }
                self.bound = bound;
                format!("update({text})")
            }
            TermKind::Part { of, index, arity } => format!("part({index} {arity} {})", self.term(of)?),
            TermKind::Call(def, args) => {
                // The others see fields without naming them as arguments.
                if self.program.defs[def.0].owner.is_some() {
                    return None;
                }
                format!(
                    "call({} {})",
                    def.0,
                    self.all(args.iter().map(Option::as_ref).collect::<Option<Vec<_>>>()?, false)?
                )
            }
            TermKind::Builtin(word, args) => {
                let commutes = matches!(word, Builtin::Min | Builtin::Max | Builtin::Gcd | Builtin::Lcm)
                    && args.iter().all(|arg| arg.ty == Type::Int);
                format!("{word:?}({})", self.all(args, commutes)?)
            }
            TermKind::Place(place) => self.place(place)?,
        };
        self.room = self.room.checked_sub(text.len())?;
        Some(text)
    }

    /// Whether a term has a value whatever its names stand for. Native code is made when globals have theirs.
    pub(super) fn cannot_fault(&self, term: &Term) -> bool {
        match &term.kind {
            TermKind::Int(_) | TermKind::Bool(_) | TermKind::Global(_) => true,
            TermKind::Slot(slot) => match self.game.frame.slots.get(*slot).map(|slot| &slot.lazy) {
                // The names before it: they go in no circle.
                Some(Some(meaning)) => self.cannot_fault(meaning),
                Some(None) => matches!(term.ty, Type::Int | Type::Bool),
                None => false,
            },
            TermKind::Neg(a) | TermKind::Not(a) => self.cannot_fault(a),
            TermKind::Logic(_, a, b) | TermKind::Iff(a, b) => self.cannot_fault(a) && self.cannot_fault(b),
            TermKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, a, b) => {
                self.cannot_fault(a) && self.cannot_fault(b)
            }
            TermKind::Binary(BinaryOp::Mod | BinaryOp::Div, a, b) => {
                self.cannot_fault(a) && matches!(&b.kind, TermKind::Int(n) if n.sign() == num_bigint::Sign::Plus)
            }
            TermKind::Compare(first, rest) => {
                let plain = |term: &Term| term.ty == Type::Int && self.cannot_fault(term);
                let order = |op: CompareOp| !matches!(op, CompareOp::In | CompareOp::NotIn);
                plain(first) && rest.iter().all(|(op, next)| order(*op) && plain(next))
            }
            TermKind::Builtin(Builtin::Min | Builtin::Max, args) => {
                args.len() > 1 && args.iter().all(|arg| arg.ty == Type::Int && self.cannot_fault(arg))
            }
            _ => false,
        }
    }
}
