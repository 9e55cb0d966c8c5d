//! Sets of at most 64 vertices or edges as masks, and words on constant graphs as tables.

use crate::bytecode::lower::expr::last;
use crate::bytecode::lower::{Lower, Operand};
use crate::bytecode::{DomainId, Native, Op, Reg, WordType};
use crate::model::builtin::Builtin;
use crate::model::kind::Type;
use crate::model::{BinaryOp, CompareOp};
use crate::value::Value;
use crate::value::domain::Domain;
use crate::value::graph::Graph;
use crate::words;
use std::sync::Arc;

/// Tables over more labels than this are not made.
const TABLE: usize = 4096;

impl Lower<'_, '_> {
    /// The domain of the vertices of a graph all of whose labels are present.
    pub(crate) fn vertex_domain(&mut self, graph: &Arc<Graph>) -> Option<DomainId> {
        (graph.vertices.len() == graph.labels.len())
            .then(|| self.ctx.domain_id(&Domain::Vertices(graph.labels.clone())))
            .flatten()
    }

    /// The domain of a graph's edges, when masks of them fit.
    pub(crate) fn edge_domain(&mut self, graph: &Arc<Graph>) -> Option<DomainId> {
        self.ctx.domain_id(&Domain::Edges(graph.clone()))
    }

    pub(crate) fn fits_mask(&self, domain: DomainId) -> bool {
        self.ctx.domain(domain).len() <= 64
    }

    /// The graph of a known operand; a grid's too.
    pub(crate) fn known_graph(operand: &Operand) -> Option<Arc<Graph>> {
        match operand {
            Operand::Known(Value::Graph(graph)) => Some(graph.clone()),
            Operand::Known(Value::Grid(grid)) => Some(grid.graph().clone()),
            _ => None,
        }
    }

    /// `{a, b}` as a mask when its items are members of one small domain.
    pub(crate) fn mask_literal(&mut self, items: &[(Operand, bool)]) -> Option<Operand> {
        let domain = items.iter().find_map(|(operand, _)| match operand {
            Operand::Word(_, WordType::Member(domain)) => Some(*domain),
            _ => None,
        })?;
        let fine = |(operand, spread): &(Operand, bool)| {
            !spread
                && match operand {
                    Operand::Word(_, word_type) => *word_type == WordType::Member(domain),
                    Operand::Known(value) => self.known_word(value, WordType::Member(domain)).is_some(),
                    Operand::Value(_) | Operand::Parts(_) => false,
                }
        };
        if !self.fits_mask(domain) || !items.iter().all(fine) {
            return None;
        }
        let mut mask: Option<Reg> = None;
        for (operand, _) in items {
            let a = self.as_word(operand.clone(), WordType::Member(domain));
            let d = self.word();
            self.emit(Op::Single { d, a });
            mask = Some(if let Some(b) = mask {
                let joined = self.word();
                self.emit(Op::Or { d: joined, a: d, b });
                joined
            } else {
                d
            });
        }
        mask.map(|d| Operand::Word(d, WordType::Mask(domain)))
    }

    /// The common mask domain of two operands, one of which has it.
    fn mask_domain(&self, a: &Operand, b: &Operand) -> Option<DomainId> {
        let of = |x: &Operand, y: &Operand| match (x, y) {
            (Operand::Word(_, WordType::Mask(d)), Operand::Word(_, WordType::Mask(e))) if d == e => Some(*d),
            (Operand::Word(_, WordType::Mask(d)), Operand::Known(v))
                if self.known_word(v, WordType::Mask(*d)).is_some() =>
            {
                Some(*d)
            }
            _ => None,
        };
        let small = || self.small_domains().find(|&domain| self.is_set_of(a, domain) && self.is_set_of(b, domain));
        of(a, b).or_else(|| of(b, a)).or_else(small)
    }

    pub(crate) fn set_binary(&mut self, op: BinaryOp, left: &Operand, right: &Operand) -> Option<Operand> {
        let domain = self.mask_domain(left, right)?;
        let a = self.as_word(left.clone(), WordType::Mask(domain));
        let b = self.as_word(right.clone(), WordType::Mask(domain));
        let d = self.word();
        self.emit(match op {
            BinaryOp::Add => Op::Or { d, a, b },
            BinaryOp::Sub => Op::AndNot { d, a, b },
            BinaryOp::Meet => Op::And { d, a, b },
            BinaryOp::Xor => Op::Xor { d, a, b },
            _ => return None,
        });
        Some(Operand::Word(d, WordType::Mask(domain)))
    }

    /// Comparisons of masks and members; `None` when the operands are others.
    pub(crate) fn set_compare(&mut self, op: CompareOp, left: &Operand, right: &Operand) -> Option<Reg> {
        use CompareOp as C;
        if matches!(op, C::In | C::NotIn) {
            if let Some(truth) = self.is_in_small_set(op, left, right) {
                return Some(truth);
            }
            let domain = match (left, right) {
                (Operand::Word(_, WordType::Member(d)), Operand::Word(_, WordType::Mask(e))) if d == e => *d,
                (Operand::Known(v), Operand::Word(_, WordType::Mask(d)))
                    if self.known_word(v, WordType::Member(*d)).is_some() =>
                {
                    *d
                }
                (Operand::Word(_, WordType::Member(d)), Operand::Known(v))
                    if self.fits_mask(*d) && self.known_word(v, WordType::Mask(*d)).is_some() =>
                {
                    *d
                }
                _ => return None,
            };
            let a = self.as_word(left.clone(), WordType::Member(domain));
            let b = self.as_word(right.clone(), WordType::Mask(domain));
            let d = self.word();
            self.emit(Op::Has { d, a, b });
            if op == C::NotIn {
                self.emit(Op::Not { d, a: d });
            }
            return Some(d);
        }
        if let (C::Eq | C::Ne, Some(word_type)) = (op, self.member_rep(left, right)) {
            let (a, b) = (self.as_word(left.clone(), word_type), self.as_word(right.clone(), word_type));
            let d = self.word();
            self.emit(if op == C::Eq { Op::Eq { d, a, b } } else { Op::Ne { d, a, b } });
            return Some(d);
        }
        let domain = self.mask_domain(left, right)?;
        let a = self.as_word(left.clone(), WordType::Mask(domain));
        let b = self.as_word(right.clone(), WordType::Mask(domain));
        let (a, b) = if matches!(op, C::Gt | C::Ge) { (b, a) } else { (a, b) };
        let d = self.word();
        match op {
            C::Eq => self.emit(Op::Eq { d, a, b }),
            C::Ne => self.emit(Op::Ne { d, a, b }),
            _ => {
                let (rest, zero) = (self.word(), self.constant(0));
                self.emit(Op::AndNot { d: rest, a, b });
                self.emit(Op::Eq { d, a: rest, b: zero });
                if matches!(op, C::Lt | C::Gt) {
                    let differs = self.word();
                    self.emit(Op::Ne { d: differs, a, b });
                    self.emit(Op::And { d, a: d, b: differs });
                }
            }
        }
        Some(d)
    }

    fn member_rep(&self, a: &Operand, b: &Operand) -> Option<WordType> {
        let of = |x: &Operand, y: &Operand| match (x, y) {
            (Operand::Word(_, word_type @ WordType::Member(d)), Operand::Word(_, WordType::Member(e))) if d == e => {
                Some(*word_type)
            }
            (Operand::Word(_, word_type @ WordType::Member(_)), Operand::Known(v))
                if self.known_word(v, *word_type).is_some() =>
            {
                Some(*word_type)
            }
            _ => None,
        };
        of(a, b).or_else(|| of(b, a))
    }

    /// Words on masks, and words on a constant graph or grid and one vertex.
    pub(crate) fn set_word(&mut self, word: Builtin, operands: &[Operand], ty: &Type) -> Option<Operand> {
        if let Some(done) = self.number_set_word(word, operands) {
            return Some(done);
        }
        match (word, operands) {
            (Builtin::Size, [Operand::Word(a, WordType::Mask(_))]) => {
                let d = self.word();
                self.emit(Op::Size { d, a: *a });
                return Some(Operand::Word(d, WordType::Int));
            }
            (Builtin::Set, [Operand::Word(_, WordType::Mask(_))]) => return Some(operands[0].clone()),
            (Builtin::Grounded, [graph, Operand::Word(a, WordType::Mask(domain)), rest @ ..]) => {
                return self.grounded(graph, *a, *domain, rest);
            }
            _ => {}
        }
        let graph = Self::known_graph(operands.first()?)?;
        let at = operands.iter().position(|o| !matches!(o, Operand::Known(_)))?;
        let others_known = operands.iter().enumerate().all(|(i, o)| i == at || matches!(o, Operand::Known(_)));
        let domain = self.vertex_domain(&graph)?;
        if !others_known || operands[at].member() != Some(domain) || graph.labels.len() > TABLE {
            return None;
        }
        self.tabulate(word, operands, at, domain, ty)
    }

    /// A word as a table over the vertices: one call each, now.
    fn tabulate(
        &mut self,
        word: Builtin,
        operands: &[Operand],
        at: usize,
        domain: DomainId,
        ty: &Type,
    ) -> Option<Operand> {
        let len = self.ctx.domain(domain).len();
        let mut results = Vec::with_capacity(len);
        for v in 0..len {
            let args: Vec<Value> = operands
                .iter()
                .enumerate()
                .map(|(i, o)| match o {
                    Operand::Known(value) if i != at => value.clone(),
                    _ => self.ctx.domain(domain).value(u32::try_from(v).unwrap_or(u32::MAX)),
                })
                .collect();
            results.push(words::call(word, &args).ok()?);
        }
        let word_type = match ty {
            Type::Set(_) if self.fits_mask(domain) => Some(WordType::Mask(domain)),
            Type::Int if self.narrow() => Some(WordType::Int),
            Type::Bool => Some(WordType::Bool),
            _ => None,
        };
        let a = self.as_word(operands[at].clone(), WordType::Member(domain));
        if let Some(word_type) = word_type
            && let Some(words) = results.iter().map(|v| self.known_word(v, word_type)).collect::<Option<Vec<i64>>>()
        {
            return Some(Operand::Word(self.table(words, a), word_type));
        }
        self.code.value_tables.push(results.into());
        let (d, table) = (self.value(), last(self.code.value_tables.len()));
        self.emit(Op::TableValue { d, table, a });
        Some(Operand::Value(d))
    }

    /// `grounded` on a mask of the edges of a constant graph.
    fn grounded(&mut self, graph: &Operand, a: Reg, domain: DomainId, rest: &[Operand]) -> Option<Operand> {
        let graph = Self::known_graph(graph)?;
        if self.edge_domain(&graph)? != domain {
            return None;
        }
        let ground = match rest {
            [] => Value::text("ground"),
            [Operand::Known(value)] => value.clone(),
            _ => return None,
        };
        let grounds: Vec<u32> = match &ground {
            Value::Set(items) => items.iter().map(|v| graph.number(v)).collect::<Option<_>>()?,
            value => vec![graph.number(value)?],
        };
        let native = move |edges: u64| {
            let mut seen = vec![false; graph.labels.len()];
            for &v in &grounds {
                seen[v as usize] = true;
            }
            let (mut hang, mut grown) = (0u64, true);
            while grown {
                grown = false;
                for edge in graph.edges.iter() {
                    let waits = edges & !hang & (1 << edge.id) != 0;
                    if waits && (seen[edge.u as usize] || seen[edge.v as usize]) {
                        hang |= 1 << edge.id;
                        seen[edge.u as usize] = true;
                        seen[edge.v as usize] = true;
                        grown = true;
                    }
                }
            }
            hang
        };
        self.code.natives.push(Native(Arc::new(native)));
        let (d, native) = (self.word(), last(self.code.natives.len()));
        self.emit(Op::Native { d, native, a });
        Some(Operand::Word(d, WordType::Mask(domain)))
    }
}

impl Operand {
    /// The domain of a member in a word.
    pub(crate) fn member(&self) -> Option<DomainId> {
        match self {
            Operand::Word(_, WordType::Member(domain)) => Some(*domain),
            _ => None,
        }
    }
}
