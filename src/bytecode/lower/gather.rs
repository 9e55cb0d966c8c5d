//! Ways through clauses that are known when code is made: comprehensions and updates without a builder.

use crate::bytecode::lower::form_limit;
use crate::bytecode::lower::parts::Part;
use crate::bytecode::lower::{Lower, Operand};
use crate::bytecode::{Aggregate, Op, Reg};
use crate::model::kind::Type;
use crate::model::{Clause, Gather, Term};

impl<'p> Lower<'_, 'p> {
    /// Goes through clauses all of whose loops are written out and gives what `leaf` makes of each way, with a flag where
    /// it depends on the state whether it is gone. `None`: some loop has to run; nothing was done.
    pub(crate) fn static_ways<T>(
        &mut self,
        clauses: &'p [Clause],
        leaf: &mut dyn FnMut(&mut Self) -> T,
    ) -> Option<Vec<(Option<Reg>, T)>> {
        if !self.scalar || !self.unroll || self.is_bloated() {
            return None;
        }
        let (scopes, labels, hole) = (self.scopes.clone(), self.labels.len(), self.code.ops.len());
        self.emit(Op::Nop);
        let around = (std::mem::take(&mut self.loops), std::mem::take(&mut self.doubts));
        let (mut ways, mut flags, mut fine) = (Vec::new(), Vec::new(), true);
        self.clauses(clauses, false, &mut |lower| {
            fine &= lower.loops == 0 && ways.len() < form_limit();
            if fine {
                let flag = (lower.doubts > 0).then(|| lower.word());
                let made = leaf(lower);
                if let Some(d) = flag {
                    flags.push(d);
                    lower.emit(Op::Const { d, k: 1 });
                }
                ways.push((flag, made));
            }
        });
        (self.loops, self.doubts) = around;
        if !fine {
            self.scopes = scopes;
            self.labels.truncate(labels);
            self.code.ops.truncate(hole);
            self.code.spans.truncate(hole);
            return None;
        }
        self.insert_after(hole, |lower| flags.iter().for_each(|&d| lower.emit(Op::Const { d, k: 0 })));
        Some(ways)
    }

    /// A comprehension as parts; `None`: nothing was done.
    pub(crate) fn gathered(&mut self, gather: Gather, value: &'p Term, clauses: &'p [Clause]) -> Option<Operand> {
        let fine = match &value.ty {
            Type::Position => false,
            Type::Int | Type::Bool | Type::Text | Type::Tuple(_) => true,
            _ => gather == Gather::List,
        };
        if !fine {
            return None;
        }
        let ways = self.static_ways(clauses, &mut |lower| lower.expr(value))?;
        let whole = if gather == Gather::List { Aggregate::List(0) } else { Aggregate::Set };
        Some(self.whole(whole, ways.into_iter().map(|(flag, operand)| Part { flag, operand }).collect()))
    }
}
