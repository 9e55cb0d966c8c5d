//! Operands that enter a declared kind or are adapted to a type.

use crate::bytecode::lower::expr::last;
use crate::bytecode::lower::{Lower, Operand};
use crate::bytecode::{EnterSpec, Op, Reg, WordType};
use crate::input::entry;
use crate::model::kind::{Kind, Type};
use crate::model::{Slot, Term, TermKind};
use crate::value::Value;

impl<'p> Lower<'_, 'p> {
    /// Checks and adapts on entering a declared kind.
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
            (Kind::Set(of), Operand::Word(_, WordType::Mask(_)))
                if matches!(**of, Kind::Vertex(None) | Kind::Edge(None) | Kind::Any(_)) =>
            {
                operand
            }
            (Kind::Set(of), Operand::Word(_, WordType::Mask(domain)))
                if matches!(**of, Kind::Nat | Kind::Int | Kind::Tuple(_)) && self.ctx.domain(*domain).is_small() =>
            {
                operand
            }
            _ => {
                let a = self.as_value(operand);
                let mut graphs = Vec::new();
                self.kind_graphs(kind, &mut graphs);
                let d = self.value();
                self.code.enters.push(EnterSpec { kind: kind.clone(), name: name.to_string(), graphs });
                let spec = last(self.code.enters.len());
                self.emit(Op::Enter { d, a, spec });
                Operand::Value(d)
            }
        }
    }

    pub(crate) fn check_nat(&mut self, a: Reg, name: &str) {
        let name = name.to_string();
        let at = self.code.names.iter().position(|n| *n == name).unwrap_or_else(|| {
            self.code.names.push(name);
            self.code.names.len() - 1
        });
        self.emit(Op::CheckNat { a, name: last(at + 1) });
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
        let operand = self.expr(inner);
        match (ty, &operand) {
            (Type::Set(_), Operand::Word(_, WordType::Mask(_))) | (Type::Int, Operand::Word(_, WordType::Int)) => {
                operand
            }
            _ if self.scalar && self.suits(&operand, ty) => operand,
            (_, Operand::Known(value)) if self.scalar && entry::adapt(value.clone(), ty).is_ok() => {
                Operand::Known(entry::adapt(value.clone(), ty).unwrap_or_else(|_| value.clone()))
            }
            _ => {
                let a = self.as_value(operand);
                let d = self.value();
                self.code.types.push(ty.clone());
                let ty = last(self.code.types.len());
                self.emit(Op::Adapt { d, a, ty });
                Operand::Value(d)
            }
        }
    }
}
