//! Tuples, lists and sets written out, and their items.

use crate::bytecode::lower::expr::last;
use crate::bytecode::lower::parts::Part;
use crate::bytecode::lower::{Lower, Operand};
use crate::bytecode::{Aggregate, Op, PartSpec, Reg, WordType};
use crate::model::kind::Type;
use crate::model::{Gather, Item, Term};
use crate::value::Value;

impl<'p> Lower<'_, 'p> {
    pub(crate) fn tuple(&mut self, registers: Vec<Reg>) -> Operand {
        let d = self.value();
        let mut list = vec![d];
        list.extend(registers);
        let spec = self.register_list(list);
        self.emit(Op::Tuple { spec });
        Operand::Value(d)
    }

    pub(crate) fn register_list(&mut self, registers: Vec<Reg>) -> u16 {
        self.code.registers.push(registers.into());
        last(self.code.registers.len())
    }

    pub(super) fn items(&mut self, gather: Gather, items: &'p [Item]) -> Operand {
        let operands: Vec<(Operand, bool)> = items.iter().map(|i| (self.expr(&i.term), i.spread)).collect();
        if gather == Gather::Set
            && let Some(mask) = self.mask_literal(&operands)
        {
            return mask;
        }
        if let Some(whole) = self.literal(gather, &operands) {
            return whole;
        }
        let registers: Vec<(Reg, bool)> =
            operands.into_iter().map(|(operand, spread)| (self.as_value(operand), spread)).collect();
        self.emit(Op::Build);
        for (a, spread) in registers {
            self.emit(if spread { Op::BuildSpread { a } } else { Op::BuildPush { a } });
        }
        let d = self.value();
        self.emit(Op::BuildDone { d, gather });
        Operand::Value(d)
    }

    /// A list or set written out, as parts.
    fn literal(&mut self, gather: Gather, items: &[(Operand, bool)]) -> Option<Operand> {
        if !self.scalar {
            return None;
        }
        let whole = if gather == Gather::List { Aggregate::List(0) } else { Aggregate::Set };
        let mut parts = Vec::with_capacity(items.len());
        for (operand, spread) in items {
            match operand {
                _ if *spread => parts.extend(self.parts(operand)?.parts.iter().cloned()),
                Operand::Known(Value::Range(..)) => return None,
                Operand::Value(_) if gather == Gather::Set => return None,
                _ => parts.push(Part::sure(operand.clone())),
            }
        }
        Some(self.whole(whole, parts))
    }

    pub(crate) fn part(&mut self, of: Operand, index: usize, arity: usize) -> Operand {
        if let Some(parts) = self.sure_parts(&of)
            && matches!(parts.whole, Aggregate::List(_) | Aggregate::Tuple)
            && parts.parts.len() == arity
        {
            return parts.parts[index].operand.clone();
        }
        let a = self.as_value(of);
        let d = self.value();
        self.code.parts.push(PartSpec { d, a, index, arity });
        let spec = last(self.code.parts.len());
        self.emit(Op::Part { spec });
        Operand::Value(d)
    }

    pub(super) fn index(&mut self, base: &'p Term, index: &'p Term, ty: &Type) -> Operand {
        let from = self.expr(base);
        let at = self.expr(index);
        if let Some(item) = self.pick(&from, &at, ty) {
            return item;
        }
        if self.narrow() && index.ty == Type::Int {
            let i = self.as_word(at, WordType::Int);
            if let Operand::Known(Value::List(list)) = &from {
                let int = |v: &Value| if let Value::Int(n) = v { Some(*n) } else { None };
                let items: Option<Vec<i64>> = match list.items.as_ints() {
                    Some(ints) => Some(ints.to_vec()),
                    None => list.items.iter().map(int).collect(),
                };
                if let Some(items) = items {
                    self.code.list_tables.push(crate::bytecode::ListTable {
                        base: list.base,
                        items: items.into(),
                        whole: Aggregate::List(list.base),
                    });
                    let (d, table) = (self.word(), last(self.code.list_tables.len()));
                    self.emit(Op::ListTable { d, table, a: i });
                    return Operand::Word(d, WordType::Int);
                }
            }
            let a = self.as_value(from);
            let d = self.value();
            self.emit(Op::IndexWord { d, a, i });
            return Operand::Value(d);
        }
        let (a, i) = (self.as_value(from), self.as_value(at));
        let d = self.value();
        self.emit(Op::Index { d, a, i });
        Operand::Value(d)
    }
}
