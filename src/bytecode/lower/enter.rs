//! Parts on entering fields and other kinds: checks item by item, and the shape of the state they make.

use crate::bytecode::InstanceId;
use crate::bytecode::layout::LONGEST;
use crate::bytecode::lower::mold::JoinLayout;
use crate::bytecode::lower::parts::Part;
use crate::bytecode::lower::{Lower, Operand};
use crate::bytecode::{Aggregate, Op, WordType};
use crate::input::entry;
use crate::model::kind::{Kind, Type};
use crate::source::diagnostic::Code;
use crate::value::Value;
use crate::value::fault::Fault;

/// What a state is made of.
pub(crate) struct Shape {
    pub(crate) base: InstanceId,
    pub(crate) lengths: Vec<u32>,
    pub(crate) words: Vec<(Operand, WordType)>,
}

impl Lower<'_, '_> {
    /// Parts, or a known value, on entering a kind; `None`: left to the general way.
    pub(crate) fn enter_parts(&mut self, operand: &Operand, kind: &Kind, name: &str) -> Option<Operand> {
        if !self.scalar {
            return None;
        }
        if let (Operand::Known(value), Kind::List(..) | Kind::Tuple(_) | Kind::Bool | Kind::Text) = (operand, kind) {
            // A kind that names a graph fails here and is left to run.
            let mut no_graph = |_: &crate::model::Term| Err(Fault::new(Code::E03, "no graph is known here"));
            return entry::enter(value.clone(), kind, &mut no_graph).ok().map(Operand::Known);
        }
        match kind {
            Kind::Text => match operand {
                Operand::Parts(parts) if parts.whole == Aggregate::Text => Some(operand.clone()),
                _ => self.is_letter(operand).then(|| operand.clone()),
            },
            Kind::List(of, base) => match operand {
                Operand::Parts(parts) if matches!(parts.whole, Aggregate::List(_)) => {
                    let plain = matches!(**of, Kind::Nat | Kind::Int | Kind::Bool | Kind::Text | Kind::Any(_));
                    if !parts.is_sure() && !plain {
                        return None;
                    }
                    let mut entered = Vec::with_capacity(parts.parts.len());
                    for part in &parts.parts {
                        entered.push(Part { flag: part.flag, operand: self.enter_part(part, of, name)? });
                    }
                    Some(self.whole(Aggregate::List(*base), entered))
                }
                _ => None,
            },
            Kind::Tuple(kinds) => match operand {
                Operand::Parts(parts) if parts.whole == Aggregate::Tuple && parts.parts.len() == kinds.len() => {
                    let mut entered = Vec::with_capacity(kinds.len());
                    for (part, kind) in parts.parts.iter().zip(kinds) {
                        entered.push(Part { flag: part.flag, operand: self.enter_part(part, kind, name)? });
                    }
                    Some(self.whole(Aggregate::Tuple, entered))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// An item on entering the kind of the items; nothing is asked of one that is not there.
    fn enter_part(&mut self, part: &Part, kind: &Kind, name: &str) -> Option<Operand> {
        let operand = &part.operand;
        match (kind, operand) {
            (Kind::Any(_), _)
            | (Kind::Bool, Operand::Word(_, WordType::Bool))
            | (Kind::Int, Operand::Word(_, WordType::Int) | Operand::Known(Value::Int(_))) => Some(operand.clone()),
            (Kind::Nat, Operand::Known(Value::Int(n))) if *n >= 0 => Some(operand.clone()),
            (Kind::Nat, Operand::Word(a, WordType::Int)) => {
                let (a, later) = (*a, self.label());
                if let Some(flag) = part.flag {
                    self.emit(Op::JumpUnless(flag, Self::to(later)));
                }
                self.check_nat(a, name);
                self.put(later);
                Some(operand.clone())
            }
            (Kind::Vertex(Some(_)), Operand::Word(_, WordType::Member(domain))) if self.letters != Some(*domain) => {
                // Its graph may be another: asked when the value enters.
                None
            }
            _ => self.enter_parts(operand, kind, name),
        }
    }

    /// Whether an operand is of this type as it stands, so that nothing is to be adapted.
    pub(crate) fn suits(&mut self, operand: &Operand, ty: &Type) -> bool {
        match (ty, operand) {
            (Type::Int, Operand::Word(_, WordType::Int) | Operand::Known(Value::Int(_)))
            | (Type::Bool, Operand::Word(_, WordType::Bool) | Operand::Known(Value::Bool(_))) => true,
            (Type::Text, _) => {
                matches!(operand, Operand::Parts(parts) if parts.whole == Aggregate::Text)
                    || matches!(operand, Operand::Known(Value::Text(_)))
                    || self.is_letter(operand)
            }
            (Type::List(of), Operand::Parts(parts)) => {
                matches!(parts.whole, Aggregate::List(_))
                    && parts.parts.iter().all(|part| self.suits(&part.operand, of))
            }
            (Type::Tuple(types), Operand::Parts(parts)) => {
                parts.whole == Aggregate::Tuple
                    && parts.parts.len() == types.len()
                    && parts.parts.iter().zip(types).all(|(part, ty)| self.suits(&part.operand, ty))
            }
            _ => false,
        }
    }

    /// The lengths of the lists and texts in a field's operand, and its words; `None`: it must be a value.
    pub(crate) fn measure(
        &mut self,
        operand: &Operand,
        kind: &Kind,
        word_type: Option<WordType>,
        out: &mut Shape,
    ) -> Option<()> {
        if let Some(word_type) = word_type {
            out.words.push((operand.clone(), word_type));
            return Some(());
        }
        match kind {
            Kind::Text => {
                let parts = self.sure_parts(operand).filter(|parts| parts.whole == Aggregate::Text)?;
                let letters = WordType::Member(self.letters?);
                out.lengths.push(u32::try_from(parts.parts.len()).ok().filter(|&n| n as usize <= LONGEST)?);
                for part in &parts.parts {
                    if !self.fits(&JoinLayout::Word(letters), &part.operand) {
                        return None;
                    }
                    out.words.push((part.operand.clone(), letters));
                }
                Some(())
            }
            Kind::List(of, _) => {
                let parts = self.sure_parts(operand).filter(|parts| matches!(parts.whole, Aggregate::List(_)))?;
                out.lengths.push(u32::try_from(parts.parts.len()).ok().filter(|&n| n as usize <= LONGEST)?);
                let word_type = self.part_word_type(of, out.base);
                parts.parts.iter().try_for_each(|part| self.measure_part(&part.operand, of, word_type, out))
            }
            Kind::Tuple(kinds) => {
                let parts = self.sure_parts(operand).filter(|parts| parts.whole == Aggregate::Tuple)?;
                for (part, kind) in parts.parts.iter().zip(kinds) {
                    let word_type = self.part_word_type(kind, out.base);
                    self.measure_part(&part.operand, kind, word_type, out)?;
                }
                Some(())
            }
            _ => None,
        }
    }

    fn measure_part(
        &mut self,
        operand: &Operand,
        kind: &Kind,
        word_type: Option<WordType>,
        out: &mut Shape,
    ) -> Option<()> {
        let fine = match (word_type, operand) {
            // What is in a value was checked on entering; its word cannot fail then.
            (Some(_), Operand::Value(_)) | (None, _) => true,
            (Some(word_type), _) => self.fits(&JoinLayout::Word(word_type), operand),
        };
        if fine { self.measure(operand, kind, word_type, out) } else { None }
    }

    fn part_word_type(&mut self, kind: &Kind, base: InstanceId) -> Option<WordType> {
        let params = self.ctx.instance_at(base).params.clone();
        self.ctx.field_word_type(kind, &params)
    }
}
