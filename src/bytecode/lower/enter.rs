//! Operands that enter a declared kind or are adapted to a type: as a whole, or item by item where they are parts.

use crate::bytecode::lower::operand::Part;
use crate::bytecode::lower::{Lower, Operand};
use crate::bytecode::{Aggregate, EnterSpec, InstanceId, Op, Reg, WordType};
use crate::input::entry;
use crate::model::{Kind, Slot, Term, TermKind, Type};
use crate::source::Code;
use crate::value::{Fault, Value};

impl<'p> Lower<'_, 'p> {
    pub(crate) fn enter_kind(&mut self, operand: Operand, kind: &'p Kind, name: &str) -> Operand {
        if let Some(entered) = self.enter_parts(&operand, kind, name) {
            return entered;
        }
        match (kind, &operand) {
            (Kind::Any(_) | Kind::Position | Kind::Vertex(None) | Kind::Edge(None), _)
            | (Kind::Bool, Operand::Word(_, WordType::Bool) | Operand::Known(Value::Bool(_)))
            | (Kind::Text, Operand::Known(Value::Text(_)))
            | (Kind::Int, Operand::Word(_, WordType::Int) | Operand::Known(Value::Int(_) | Value::Big(_))) => operand,
            (Kind::Nat, Operand::Known(Value::Int(n))) if *n >= 0 => operand,
            (Kind::Int, _) if self.narrow() => Operand::Word(self.as_word(operand, WordType::Int), WordType::Int),
            (Kind::Nat, _) if self.narrow() => {
                let a = self.as_word(operand, WordType::Int);
                self.check_nat(a, name);
                Operand::Word(a, WordType::Int)
            }
            (Kind::Graph(word, _), Operand::Known(Value::Graph(graph))) if graph.word == *word => operand,
            (Kind::Set(of), Operand::Word(_, WordType::Mask(domain)))
                if match **of {
                    Kind::Vertex(None) | Kind::Edge(None) | Kind::Any(_) => true,
                    Kind::Nat | Kind::Int | Kind::Tuple(_) => self.ctx.domain(*domain).is_small(),
                    _ => false,
                } =>
            {
                operand
            }
            _ => {
                let a = self.as_value(operand);
                let mut graphs = Vec::new();
                self.kind_graphs(kind, &mut graphs);
                let spec = EnterSpec { kind: kind.clone(), name: name.to_string(), graphs };
                let spec = self.entry(|code| &mut code.enters, spec);
                Operand::Value(self.emit_value(|d| Op::Enter { d, a, spec }))
            }
        }
    }

    pub(crate) fn check_nat(&mut self, a: Reg, name: &str) {
        let known = self.code.names.iter().position(|known| known == name).and_then(|at| u16::try_from(at).ok());
        let name = known.unwrap_or_else(|| self.entry(|code| &mut code.names, name.to_string()));
        self.emit(Op::CheckNat { a, name });
    }

    /// The graphs that the vertices and edges of a kind are of.
    fn kind_graphs(&mut self, kind: &'p Kind, out: &mut Vec<(Slot, Reg)>) {
        match kind {
            Kind::Tuple(parts) => parts.iter().for_each(|p| self.kind_graphs(p, out)),
            Kind::List(of, _) | Kind::Set(of) | Kind::Bag(of) => self.kind_graphs(of, out),
            Kind::Vertex(Some(graph)) | Kind::Edge(Some(graph)) => {
                if let TermKind::Slot(slot) = crate::model::walk::named_graph(graph).kind
                    && !out.iter().any(|(s, _)| *s == slot)
                {
                    let operand = self.slot(slot);
                    let reg = self.as_value(operand);
                    out.push((slot, reg));
                }
            }
            _ => {}
        }
    }

    pub(super) fn adapt(&mut self, inner: &'p Term, ty: &Type) -> Operand {
        if matches!(ty, Type::Set(_))
            && let Some(mask) = self.range_mask(inner)
        {
            return mask;
        }
        let mut operand = self.expr(inner);
        if *ty == Type::Int {
            operand = self.as_label(operand);
        }
        let stays = matches!(
            (ty, &operand),
            (Type::Set(_), Operand::Word(_, WordType::Mask(_))) | (Type::Int, Operand::Word(_, WordType::Int))
        );
        if stays || self.scalar && self.suits(&operand, ty) {
            return operand;
        }
        let whole = match ty {
            Type::Bag(_) => self.as_bag(&operand),
            Type::Set(_) => self.as_set(&operand),
            _ => None,
        };
        if let Some(whole) = whole {
            return whole;
        }
        if self.scalar
            && let Operand::Known(value) = &operand
            && let Ok(adapted) = entry::adapt(value.clone(), ty)
        {
            return Operand::Known(adapted);
        }
        if let (Type::Int, true, &Operand::Value(a)) = (ty, self.narrow(), &operand) {
            return Operand::Word(self.unbox(a, WordType::Int), WordType::Int);
        }
        let a = self.as_value(operand);
        let ty = self.entry(|code| &mut code.types, ty.clone());
        Operand::Value(self.emit_value(|d| Op::Adapt { d, a, ty }))
    }

    fn enter_parts(&mut self, operand: &Operand, kind: &Kind, name: &str) -> Option<Operand> {
        if !self.scalar {
            return None;
        }
        if let (Operand::Known(value), Kind::List(..) | Kind::Bag(_) | Kind::Tuple(_) | Kind::Bool | Kind::Text) =
            (operand, kind)
        {
            // A kind that names a graph fails here and is left to run.
            let mut no_graph = |_: &crate::model::Term| Err(Fault::new(Code::E03, "no graph is known here"));
            return entry::enter(value.clone(), kind, &mut no_graph).ok().map(Operand::Known);
        }
        let labelled = if matches!(kind, Kind::Tuple(_)) { self.as_label(operand.clone()) } else { operand.clone() };
        let Operand::Parts(parts) = &labelled else {
            return (matches!(kind, Kind::Text) && self.is_text_word(operand)).then(|| operand.clone());
        };
        let (whole, kinds) = match (kind, parts.whole) {
            (Kind::Text, Aggregate::Text) => return Some(operand.clone()),
            (Kind::Grid, Aggregate::Grid(_)) => {
                let known =
                    |operand: &Operand| matches!(operand, Operand::Known(Value::Text(text)) if text.single().is_some());
                let mut letters = parts.parts.iter().map(|part| known(&part.operand) || self.is_letter(&part.operand));
                return letters.all(|letter| letter).then(|| operand.clone());
            }
            (Kind::NatGrid, whole @ Aggregate::Grid(_)) => (whole, vec![&Kind::Nat; parts.parts.len()]),
            (Kind::List(of, base), Aggregate::List(_)) => {
                let plain = matches!(**of, Kind::Nat | Kind::Int | Kind::Bool | Kind::Text | Kind::Any(_));
                if !parts.is_sure() && !plain {
                    return None;
                }
                (Aggregate::List(*base), vec![&**of; parts.parts.len()])
            }
            (Kind::Bag(of), Aggregate::List(_) | Aggregate::Bag { .. }) => {
                let bag = self.as_bag(operand)?;
                (self.parts(&bag)?.whole, vec![&**of; parts.parts.len()])
            }
            (Kind::Set(of), whole @ Aggregate::Set { .. }) => (whole, vec![&**of; parts.parts.len()]),
            (Kind::Set(of), Aggregate::List(_) | Aggregate::Bag { .. }) => {
                (Aggregate::Set { ascending: false }, vec![&**of; parts.parts.len()])
            }
            (Kind::Tuple(kinds), Aggregate::Tuple) if parts.parts.len() == kinds.len() => {
                (Aggregate::Tuple, kinds.iter().collect())
            }
            _ => return None,
        };
        let mut entered = Vec::with_capacity(kinds.len());
        for (part, kind) in parts.parts.iter().zip(kinds) {
            entered.push(Part { flag: part.flag, operand: self.enter_part(part, kind, name)? });
        }
        Some(self.whole(whole, entered))
    }

    /// An item on entering the kind of the items; nothing is asked of one that is not there.
    fn enter_part(&mut self, part: &Part, kind: &Kind, name: &str) -> Option<Operand> {
        let label = if matches!(kind, Kind::Nat | Kind::Int) {
            // A label is what it is whether the part is there or not.
            self.as_label(part.operand.clone())
        } else {
            part.operand.clone()
        };
        let operand = &label;
        match (kind, operand) {
            (Kind::Any(_), _)
            | (Kind::Bool, Operand::Word(_, WordType::Bool))
            | (Kind::Int, Operand::Word(_, WordType::Int) | Operand::Known(Value::Int(_))) => Some(operand.clone()),
            (Kind::Nat, Operand::Known(Value::Int(n))) if *n >= 0 => Some(operand.clone()),
            (Kind::Nat, Operand::Word(a, WordType::Int)) => {
                self.where_there(part.flag, |lower, _| lower.check_nat(*a, name));
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
    fn suits(&mut self, operand: &Operand, ty: &Type) -> bool {
        match (ty, operand) {
            (Type::Int, Operand::Word(_, WordType::Int) | Operand::Known(Value::Int(_)))
            | (Type::Bool, Operand::Word(_, WordType::Bool) | Operand::Known(Value::Bool(_))) => true,
            (Type::Text, _) => {
                matches!(operand, Operand::Parts(parts) if parts.whole == Aggregate::Text)
                    || matches!(operand, Operand::Known(Value::Text(_)))
                    || self.is_text_word(operand)
            }
            (Type::List(of), Operand::Parts(parts)) => {
                matches!(parts.whole, Aggregate::List(_))
                    && parts.parts.iter().all(|part| self.suits(&part.operand, of))
            }
            (Type::Bag(of), Operand::Parts(parts)) => {
                matches!(parts.whole, Aggregate::Bag { .. })
                    && parts.parts.iter().all(|part| self.suits(&part.operand, of))
            }
            (Type::Set(of), Operand::Parts(parts)) => {
                matches!(parts.whole, Aggregate::Set { .. })
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

    /// Whether an operand is made of members and masks of the domains that this field of an instance has.
    pub(super) fn is_of_kind(&mut self, operand: &Operand, kind: &Kind, instance: InstanceId) -> bool {
        match (operand, kind) {
            (Operand::Word(_, word_type @ (WordType::Member(_) | WordType::Mask(_))), _) => {
                self.part_word_type(kind, instance) == Some(*word_type)
            }
            (Operand::Parts(parts), Kind::List(of, base)) => {
                self.scalar
                    && parts.whole == Aggregate::List(*base)
                    && parts.is_sure()
                    && parts.parts.iter().all(|part| self.is_of_kind(&part.operand, of, instance))
            }
            (Operand::Parts(parts), Kind::Bag(of) | Kind::Set(of)) => {
                let is_set = matches!(kind, Kind::Set(_));
                self.scalar
                    && matches!((parts.whole, is_set), (Aggregate::Bag { .. }, false) | (Aggregate::Set { .. }, true))
                    && parts.parts.iter().all(|part| self.is_of_kind(&part.operand, of, instance))
            }
            (Operand::Parts(parts), Kind::Tuple(kinds)) => {
                let mut parts = parts.parts.iter().zip(kinds);
                self.scalar && parts.all(|(part, kind)| self.is_of_kind(&part.operand, kind, instance))
            }
            _ => false,
        }
    }

    pub(super) fn part_word_type(&mut self, kind: &Kind, base: InstanceId) -> Option<WordType> {
        let params = self.ctx.instance_at(base).params.clone();
        self.ctx.field_word_type(kind, &params)
    }
}
