//! Sets as masks of up to 64 members, and words on constant graphs as tables.
//!
//! Members are vertices or edges of a constant graph, naturals up to 62, or pairs of naturals up to 7. A number is an int
//! in a word register, a pair two; what no mask has as a member halts the run (`Halt::Deopt(Deopt::SetOverflow)`), and all
//! is done again with such sets as values. Tables take these masks for numbers: turning a coin and others left of it makes
//! the number less.

use crate::bytecode::layout::FieldLayout;
use crate::bytecode::lower::operand::Part;
use crate::bytecode::lower::{Label, Lower, Operand};
use crate::bytecode::{Aggregate, DomainId, Native, Op, Reg, WordType};
use crate::model::{BinaryOp, Builtin, CompareOp, Term, TermKind, Type};
use crate::value::domain::{Domain, NUMBERS, SIDE};
use crate::value::graph::{Labels, Places};
use crate::value::{Graph, Value, width};
use crate::words;
use std::sync::Arc;

/// Tables over more labels than this are not made.
const TABLE: usize = 4096;

/// The numbers `from + step`, `from + 2 * step`, ..., so many.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slide {
    pub(crate) from: Reg,
    pub(crate) step: Reg,
    pub(crate) count: Reg,
}

impl<'p> Lower<'_, 'p> {
    /// The domain of the vertices of a graph all of whose labels are present.
    pub(crate) fn vertex_domain(&mut self, graph: &Arc<Graph>) -> Option<DomainId> {
        (graph.vertices.len() == graph.labels.len())
            .then(|| self.ctx.domain_id(&Domain::Vertices(graph.labels.clone())))
            .flatten()
    }

    /// A constant graph without a set of its vertices, written as a difference: the graph, and its other vertices.
    pub(super) fn graph_without(&mut self, term: &'p Term) -> Option<[Operand; 2]> {
        let TermKind::Binary(BinaryOp::Sub, graph, gone) = &term.kind else { return None };
        let graph = Self::known_graph(&Operand::Known(self.known(graph)?))?;
        let domain = self.vertex_domain(&graph).filter(|_| matches!(gone.ty, Type::Set(_)))?;
        let whole = Operand::Known(Value::Graph(graph));
        let Operand::Word(a, WordType::Mask(of)) = self.vertices_as_mask(whole.clone()) else { return None };
        let gone = self.expr(gone);
        let Operand::Word(b, WordType::Mask(other)) = gone else { return None };
        if of != domain || other != domain {
            return None;
        }
        Some([whole, Operand::Word(self.emit_word(|d| Op::AndNot { d, a, b }), WordType::Mask(domain))])
    }

    /// An end of an edge that is known or a member: the first or the second.
    pub(super) fn end_of(&mut self, edge: &Operand, index: usize, arity: usize) -> Option<Operand> {
        if let (Operand::Known(Value::Edge(edge)), 2, true) = (edge, arity, self.scalar) {
            return Some(Operand::Known(if index == 0 { &edge.u } else { &edge.v }.clone()));
        }
        let &Operand::Word(a, WordType::Member(domain)) = edge else { return None };
        let Domain::Edges(graph) = self.ctx.domain(domain) else { return None };
        let graph = graph.clone();
        let of = self.vertex_domain(&graph).filter(|_| arity == 2 && index < 2)?;
        let ends = graph.edges.ends().iter().map(|&(u, v)| i64::from(if index == 0 { u } else { v })).collect();
        Some(Operand::Word(self.table(ends, a), WordType::Member(of)))
    }

    /// A vertex whose label is an int, or a pair of ints, as those; anything else as it is.
    pub(super) fn as_label(&mut self, operand: Operand) -> Operand {
        let Some(domain) = operand.member().filter(|_| self.narrow()) else { return operand };
        let Domain::Vertices(labels) = self.ctx.domain(domain) else { return operand };
        let (labels, a) = (labels.clone(), self.as_word(operand.clone(), WordType::Member(domain)));
        let word = match &*labels {
            Labels::Ints { from: 0, .. } => a,
            Labels::Ints { from, .. } => {
                let from = self.pooled(*from);
                self.emit_word(|d| Op::Add { d, a, b: from })
            }
            Labels::Numbers(numbers) => self.table(numbers.clone(), a),
            Labels::Cells { cols, places } => {
                let place = match places {
                    Places::All(_) => a,
                    Places::Some(places) => self.table(places.iter().map(|&place| place.into()).collect(), a),
                };
                let b = self.pooled((*cols).into());
                let row = self.emit_word(|d| Op::Div { d, a: place, b });
                let col = self.emit_word(|d| Op::Mod { d, a: place, b });
                let parts = [row, col].map(|reg| Part::sure(Operand::Word(reg, WordType::Int)));
                return self.whole(Aggregate::Tuple, parts.into());
            }
            Labels::Other(_) => return operand,
        };
        Operand::Word(word, WordType::Int)
    }

    /// A label of ints as the vertex that has it; anything else as it is.
    pub(super) fn as_vertex(&mut self, operand: &Operand, domain: DomainId) -> Operand {
        let word_type = WordType::Member(domain);
        let (outside, done) = (self.label(), self.label());
        let number = self.vertex_number(operand, domain, outside);
        let far = |lower: &Self| matches!(lower.ctx.domain(domain), Domain::Vertices(labels) if matches!(**labels, Labels::Numbers(_)));
        let d = match number {
            Some(d) => d,
            // Of labels that are far apart no table is made.
            None if matches!(operand, Operand::Word(_, WordType::Int)) && far(self) => self.word(),
            None => return operand.clone(),
        };
        if number.is_some() {
            self.emit(Op::Jump { to: Self::to(done) });
        }
        self.put(outside);
        // Tells what is wrong with it, where it is none.
        let value = self.as_value(operand.clone());
        self.emit(Op::Unbox { d, a: value, word_type });
        self.put(done);
        Operand::Word(d, word_type)
    }

    /// The number of the vertex with a label of ints; to `outside` where there is none. `None`: it is no such label, and nothing was
    /// done.
    fn vertex_number(&mut self, operand: &Operand, domain: DomainId, outside: Label) -> Option<Reg> {
        /// A table for labels that are no range has no more entries.
        const ENTRIES: i64 = 1 << 12;
        let Domain::Vertices(labels) = self.ctx.domain(domain) else { return None };
        let labels = labels.clone();
        let d = self.word();
        let bound = |lower: &mut Self, a: Reg, from: i64, last: i64| {
            let [from, last] = [from, last].map(|k| lower.pooled(k));
            lower.emit(Op::JumpLt { a, b: from, to: Self::to(outside) });
            lower.emit(Op::JumpLt { a: last, b: a, to: Self::to(outside) });
            from
        };
        match (&*labels, operand) {
            (Labels::Ints { from, n }, &Operand::Word(a, WordType::Int)) => {
                let from = bound(self, a, *from, from + (width::int(*n as u64) - 1));
                self.emit(Op::Sub { d, a, b: from });
            }
            (Labels::Numbers(numbers), &Operand::Word(a, WordType::Int)) => {
                let (first, last) = (*numbers.first()?, *numbers.last()?);
                if last.checked_sub(first)? > ENTRIES {
                    return None;
                }
                let from = bound(self, a, first, last);
                self.emit(Op::Sub { d, a, b: from });
                let mut table = vec![-1; width::index(last - first) + 1];
                (0..).zip(numbers).for_each(|(number, label)| table[width::index(label - first)] = number);
                self.number_in(table, d, outside);
            }
            (Labels::Cells { cols, places }, Operand::Parts(parts))
                if parts.whole == Aggregate::Tuple
                    && parts.parts.len() == 2
                    && parts.parts.iter().all(|part| part.flag.is_none() && part.operand.is_int()) =>
            {
                let [row, col] = [0, 1].map(|i| self.as_word(parts.parts[i].operand.clone(), WordType::Int));
                let last = places.len().checked_sub(1).map_or(0, |last| places.at(width::short(last)));
                bound(self, row, 0, (last / cols).into());
                bound(self, col, 0, i64::from(*cols) - 1);
                let b = self.pooled((*cols).into());
                self.emit(Op::Mul { d, a: row, b });
                self.emit(Op::Add { d, a: d, b: col });
                if !matches!(places, Places::All(_)) {
                    let number = |place| places.number(place).map_or(-1, i64::from);
                    let numbers = (0..(last / cols + 1) * cols).map(number).collect();
                    self.number_in(numbers, d, outside);
                }
            }
            _ => return None,
        }
        Some(d)
    }

    /// Replaces a place by what a table has there; to `outside` where that is below 0.
    fn number_in(&mut self, table: Vec<i64>, place: Reg, outside: Label) {
        let (number, zero) = (self.table(table, place), self.pooled(0));
        self.emit(Op::Copy { d: place, a: number });
        self.emit(Op::JumpLt { a: place, b: zero, to: Self::to(outside) });
    }

    /// Whether a label of ints is in a mask of vertices: one that no vertex has is in none.
    fn is_in_vertices(&mut self, op: CompareOp, left: &Operand, right: &Operand) -> Option<Reg> {
        let &Operand::Word(b, WordType::Mask(domain)) = right else { return None };
        if !matches!(left, Operand::Word(_, WordType::Int) | Operand::Parts(_)) {
            return None;
        }
        let (there, outside) = (self.constant(0), self.label());
        let a = self.vertex_number(left, domain, outside)?;
        self.emit(Op::Has { d: there, a, b });
        self.put(outside);
        Some(self.in_or_not(op, there))
    }

    /// Vertices more or less labels of ints, part by part. A label that no vertex has is not taken away, and where it is to be added
    /// the run is halted.
    fn with_labels(&mut self, op: BinaryOp, left: &Operand, right: &Operand) -> Option<Operand> {
        let (&Operand::Word(a, word_type @ WordType::Mask(domain)), Operand::Parts(parts)) = (left, right) else {
            return None;
        };
        let wanted = op == BinaryOp::Sub || op == BinaryOp::Add && self.ctx.code_form().masked;
        if !wanted
            || !matches!(parts.whole, Aggregate::Set { .. })
            || !matches!(self.ctx.domain(domain), Domain::Vertices(_))
        {
            return None;
        }
        let mark = self.mark();
        let mask = self.emit_word(|d| Op::Copy { d, a });
        let mut fine = true;
        for part in &parts.parts {
            self.where_there(part.flag, |lower, past| {
                let outside = lower.label();
                let Some(a) = lower.vertex_number(&part.operand, domain, outside) else {
                    fine = false;
                    return;
                };
                let b = lower.emit_word(|d| Op::Single { d, a });
                if op == BinaryOp::Sub {
                    lower.emit(Op::AndNot { d: mask, a: mask, b });
                    lower.put(outside);
                    return;
                }
                lower.emit(Op::Or { d: mask, a: mask, b });
                lower.emit(Op::Jump { to: Self::to(past) });
                lower.put(outside);
                let a = lower.pooled(NUMBERS);
                lower.emit(Op::CheckMember { a });
            });
        }
        if !fine {
            self.go_back(mark);
            return None;
        }
        Some(Operand::Word(mask, word_type))
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
            let d = self.emit_word(|d| Op::Single { d, a });
            mask = Some(if let Some(b) = mask { self.emit_word(|joined| Op::Or { d: joined, a: d, b }) } else { d });
        }
        mask.map(|d| Operand::Word(d, WordType::Mask(domain)))
    }

    /// The form of words that two operands have in common, one of which is a word of such a form.
    fn common_word(&mut self, a: &Operand, b: &Operand, fine: impl Fn(WordType) -> bool) -> Option<WordType> {
        [(a, b), (b, a)].into_iter().find_map(|(x, y)| match *x {
            Operand::Word(_, of) if fine(of) && self.fits(&FieldLayout::Word(of), y) => Some(of),
            _ => None,
        })
    }

    /// A set of vertices with small labels in a mask beside one of a domain of small numbers or pairs: both are of that.
    fn alike_masks(&mut self, left: &Operand, right: &Operand) -> [Operand; 2] {
        let small = |lower: &Self, operand: &Operand| match operand {
            Operand::Word(_, WordType::Mask(domain)) if lower.ctx.domain(*domain).is_small() => Some(*domain),
            _ => None,
        };
        let domain = small(self, left).or_else(|| small(self, right));
        [left, right].map(|operand| match (operand, domain) {
            (&Operand::Word(a, WordType::Mask(of)), Some(domain)) if of != domain => {
                self.in_small_mask(a, of, domain).unwrap_or_else(|| operand.clone())
            }
            _ => operand.clone(),
        })
    }

    /// The same set as a mask of small numbers or pairs; `None`: some label is none of these.
    pub(super) fn in_small_mask(&mut self, a: Reg, of: DomainId, domain: DomainId) -> Option<Operand> {
        let (from, to) = (self.ctx.domain(of), self.ctx.domain(domain));
        let numbers = (0..width::short(from.len())).map(|v| to.number(&from.value(v)).map(i64::from));
        let numbers: Vec<i64> = numbers.collect::<Option<_>>()?;
        if !matches!(from, Domain::Vertices(_)) || numbers.len() > 64 {
            return None;
        }
        if numbers.iter().copied().eq(0..width::int(numbers.len() as u64)) {
            return Some(Operand::Word(a, WordType::Mask(domain)));
        }
        let (rest, mask, member) = (self.word(), self.constant(0), self.word());
        let (again, exit) = (self.label(), self.label());
        self.emit(Op::Copy { d: rest, a });
        self.put(again);
        self.emit(Op::MaskNext { d: member, m: rest, to: Self::to(exit) });
        let number = self.table(numbers, member);
        let single = self.emit_word(|d| Op::Single { d, a: number });
        self.emit(Op::Or { d: mask, a: mask, b: single });
        self.emit(Op::Jump { to: Self::to(again) });
        self.put(exit);
        Some(Operand::Word(mask, WordType::Mask(domain)))
    }

    /// The domain of masks for two sets, one of which is in one, or both of which may be.
    fn mask_domain(&mut self, a: &Operand, b: &Operand) -> Option<DomainId> {
        match self.common_word(a, b, |word_type| matches!(word_type, WordType::Mask(_))) {
            Some(WordType::Mask(domain)) => Some(domain),
            _ => self.small_domains().find(|&domain| self.is_set_of(a, domain) && self.is_set_of(b, domain)),
        }
    }

    pub(crate) fn set_binary(&mut self, op: BinaryOp, left: &Operand, right: &Operand) -> Option<Operand> {
        let turned = if op == BinaryOp::Add { self.with_labels(op, right, left) } else { None };
        if let Some(set) = turned.or_else(|| self.with_labels(op, left, right)) {
            return Some(set);
        }
        let [left, right] = &self.alike_masks(left, right);
        let domain = self.mask_domain(left, right)?;
        let [a, b] = self.as_words([left, right], WordType::Mask(domain));
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

    pub(crate) fn set_compare(&mut self, op: CompareOp, left: &Operand, right: &Operand) -> Option<Reg> {
        use CompareOp as C;
        if matches!(op, C::In | C::NotIn) {
            if let Some(truth) = self.is_in_small_set(op, left, right).or_else(|| self.is_in_vertices(op, left, right))
            {
                return Some(truth);
            }
            let ((Operand::Word(_, WordType::Member(domain)), _) | (_, Operand::Word(_, WordType::Mask(domain)))) =
                (left, right)
            else {
                return None;
            };
            let (member, mask) = (WordType::Member(*domain), WordType::Mask(*domain));
            let fit = self.fits(&FieldLayout::Word(member), left) && self.fits(&FieldLayout::Word(mask), right);
            if !fit || !self.fits_mask(*domain) {
                return None;
            }
            let (a, b) = (self.as_word(left.clone(), member), self.as_word(right.clone(), mask));
            let there = self.emit_word(|d| Op::Has { d, a, b });
            return Some(self.in_or_not(op, there));
        }
        let member = self.common_word(left, right, |word_type| matches!(word_type, WordType::Member(_)));
        if let (C::Eq | C::Ne, Some(word_type)) = (op, member) {
            let [a, b] = self.as_words([left, right], word_type);
            let d = self.word();
            self.emit(if op == C::Eq { Op::Eq { d, a, b } } else { Op::Ne { d, a, b } });
            return Some(d);
        }
        let [left, right] = &self.alike_masks(left, right);
        let domain = self.mask_domain(left, right)?;
        let [a, b] = self.as_words([left, right], WordType::Mask(domain));
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
                    let differs = self.emit_word(|d| Op::Ne { d, a, b });
                    self.emit(Op::And { d, a: d, b: differs });
                }
            }
        }
        Some(d)
    }

    /// Words on masks, and words on a constant graph or grid and one vertex.
    pub(crate) fn set_word(&mut self, word: Builtin, operands: &[Operand], ty: &Type) -> Option<Operand> {
        if let Some(done) = self.number_set_word(word, operands) {
            return Some(done);
        }
        match (word, operands) {
            (Builtin::Size, [Operand::Word(a, WordType::Mask(_))]) => {
                return Some(Operand::Word(self.emit_word(|d| Op::Size { d, a: *a }), WordType::Int));
            }
            (Builtin::Ends, [edge]) => {
                let ends = [self.end_of(edge, 0, 2)?, self.end_of(edge, 1, 2)?];
                return Some(self.whole(Aggregate::Tuple, ends.map(Part::sure).into()));
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
        if !others_known || graph.labels.len() > TABLE {
            return None;
        }
        let mut operands = operands.to_vec();
        if let Builtin::Neighbours
        | Builtin::Successors
        | Builtin::Predecessors
        | Builtin::Degree
        | Builtin::Reach
        | Builtin::Distance = word
        {
            operands[at] = self.as_vertex(&operands[at], domain);
        }
        if operands[at].member() != Some(domain) {
            return None;
        }
        self.tabulate(word, &operands, at, domain, ty)
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
                    _ => self.ctx.domain(domain).value(width::short(v)),
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
        let table = self.entry(|code| &mut code.value_tables, results.into());
        Some(Operand::Value(self.emit_value(|d| Op::TableValue { d, table, a })))
    }

    /// `grounded` on a mask of the edges of a constant graph.
    fn grounded(&mut self, graph: &Operand, a: Reg, domain: DomainId, rest: &[Operand]) -> Option<Operand> {
        let graph = Self::known_graph(graph)?;
        if self.ctx.domain_id(&Domain::Edges(graph.clone()))? != domain {
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
        let native = self.entry(|code| &mut code.natives, Native(Arc::new(native)));
        Some(Operand::Word(self.emit_word(|d| Op::Native { d, native, a }), WordType::Mask(domain)))
    }

    pub(super) fn note_small(&mut self, form: &FieldLayout) {
        match form {
            FieldLayout::Word(WordType::Mask(domain)) => match self.ctx.domain(*domain) {
                Domain::Numbers => self.numbers = Some(*domain),
                Domain::Pairs => self.pairs = Some(*domain),
                _ => {}
            },
            FieldLayout::Parts(_, forms) => forms.iter().for_each(|form| self.note_small(form)),
            _ => {}
        }
    }

    /// The domain of small naturals for a word that is known to be one, where no field is a set of them.
    pub(super) fn sure_number(&mut self, operand: &Operand) -> Option<DomainId> {
        let &Operand::Word(reg, WordType::Int) = operand else { return None };
        let &(from, to) = self.ranges.get(&reg)?;
        let sure = from >= 0 && to < NUMBERS && self.scalar && self.ctx.code_form().masked;
        if sure { self.ctx.domain_id(&Domain::Numbers) } else { None }
    }

    pub(super) fn small_domains(&self) -> impl Iterator<Item = DomainId> + use<> {
        [self.numbers, self.pairs].into_iter().flatten()
    }

    /// Whether the operand, not known, may be a member of a domain of small numbers or pairs.
    pub(super) fn is_small_member(&self, operand: &Operand, domain: DomainId) -> bool {
        match (self.ctx.domain(domain), operand) {
            (Domain::Numbers, Operand::Word(_, WordType::Int)) => true,
            (small, &Operand::Word(_, WordType::Member(of))) => match self.ctx.domain(of) {
                Domain::Vertices(labels) => match **labels {
                    Labels::Ints { .. } | Labels::Numbers(_) => matches!(small, Domain::Numbers),
                    Labels::Cells { .. } => matches!(small, Domain::Pairs),
                    Labels::Other(_) => false,
                },
                _ => false,
            },
            (Domain::Pairs, Operand::Parts(parts)) => {
                parts.whole == Aggregate::Tuple
                    && parts.parts.len() == 2
                    && parts.parts.iter().all(|part| part.flag.is_none() && part.operand.is_int())
            }
            _ => false,
        }
    }

    /// The number of such a member; one that no mask has where it is no member.
    pub(super) fn small_member(&mut self, operand: &Operand) -> Reg {
        match &self.as_label(operand.clone()) {
            Operand::Parts(parts) => {
                let [a, b] = [0, 1].map(|i| self.as_word(parts.parts[i].operand.clone(), WordType::Int));
                self.emit_word(|d| Op::Pair { d, a, b })
            }
            operand => self.as_word(operand.clone(), WordType::Int),
        }
    }

    pub(super) fn member_of(&mut self, a: Reg, domain: DomainId) -> Operand {
        match self.ctx.domain(domain) {
            Domain::Numbers => Operand::Word(a, WordType::Int),
            Domain::Pairs => {
                let (x, y, b) = (self.word(), self.word(), self.pooled(SIDE));
                self.emit(Op::Div { d: x, a, b });
                self.emit(Op::Mod { d: y, a, b });
                let parts = [x, y].map(|reg| Part::sure(Operand::Word(reg, WordType::Int)));
                self.whole(Aggregate::Tuple, parts.into())
            }
            _ => Operand::Word(a, WordType::Member(domain)),
        }
    }

    /// Whether the operand is a set that can be put into a mask of a domain of small numbers or pairs, or is one.
    fn is_set_of(&self, operand: &Operand, domain: DomainId) -> bool {
        match operand {
            Operand::Word(_, word_type) => *word_type == WordType::Mask(domain),
            Operand::Known(value) => self.known_word(value, WordType::Mask(domain)).is_some(),
            Operand::Parts(parts) => {
                let member = |operand: &Operand| match operand {
                    Operand::Known(value) => self.known_word(value, WordType::Member(domain)).is_some(),
                    operand => self.is_small_member(operand, domain),
                };
                matches!(parts.whole, Aggregate::Set { .. }) && parts.parts.iter().all(|part| member(&part.operand))
            }
            Operand::Value(_) => false,
        }
    }

    /// A set that is written as a range or otherwise; ranges become masks.
    pub(super) fn set_operand(&mut self, term: &'p Term) -> Operand {
        self.range_mask(term).unwrap_or_else(|| self.expr(term))
    }

    /// The mask of a range whose ends are not both known; `None`: it is no such range, nothing was done.
    pub(super) fn range_mask(&mut self, term: &'p Term) -> Option<Operand> {
        let domain = self.numbers?;
        let TermKind::Binary(BinaryOp::Range, from, to) = &term.kind else { return None };
        if !self.narrow() || self.known(term).is_some() {
            return None;
        }
        let operands = [self.expr(from), self.expr(to)];
        Some(self.at(term.span, |lower| {
            let [a, b] = operands.map(|operand| lower.as_word(operand, WordType::Int));
            let (d, low, high, end) = (lower.constant(0), lower.word(), lower.word(), lower.label());
            lower.emit(Op::JumpLt { a: b, b: a, to: Self::to(end) });
            lower.emit(Op::CheckMember { a });
            lower.emit(Op::CheckMember { a: b });
            lower.emit(Op::AddConst { d: high, a: b, k: 1 });
            lower.emit(Op::Below { d: high, a: high });
            lower.emit(Op::Below { d: low, a });
            lower.emit(Op::AndNot { d, a: high, b: low });
            lower.put(end);
            Operand::Word(d, WordType::Mask(domain))
        }))
    }

    pub(super) fn mask_of_parts(&mut self, operand: &Operand, domain: DomainId) -> Option<Reg> {
        let Operand::Parts(parts) = operand else { return None };
        if !self.ctx.domain(domain).is_small() || !matches!(parts.whole, Aggregate::Set { .. }) {
            return None;
        }
        let mask = self.constant(0);
        for part in &parts.parts {
            self.where_there(part.flag, |lower, _| {
                let a = lower.as_word(part.operand.clone(), WordType::Member(domain));
                let b = lower.emit_word(|d| Op::Single { d, a });
                lower.emit(Op::Or { d: mask, a: mask, b });
            });
        }
        Some(mask)
    }

    fn is_in_small_set(&mut self, op: CompareOp, left: &Operand, right: &Operand) -> Option<Reg> {
        let Operand::Word(b, WordType::Mask(domain)) = right else { return None };
        if !self.ctx.domain(*domain).is_small() {
            return None;
        }
        let a = match left {
            // One that is no member is in no set.
            Operand::Known(value @ (Value::Int(_) | Value::Tuple(_))) => {
                let number = self.known_word(value, WordType::Member(*domain)).unwrap_or(NUMBERS);
                self.pooled(number)
            }
            left if self.is_small_member(left, *domain) => self.small_member(left),
            _ => return None,
        };
        let there = self.emit_word(|d| Op::Has { d, a, b: *b });
        Some(self.in_or_not(op, there))
    }

    fn number_set_word(&mut self, word: Builtin, operands: &[Operand]) -> Option<Operand> {
        let [Operand::Word(a, WordType::Mask(domain))] = operands else { return None };
        if !matches!(self.ctx.domain(*domain), Domain::Numbers) || !self.narrow() {
            return None;
        }
        let a = *a;
        match word {
            Builtin::Min => {
                let (d, rest, none, end) = (self.word(), self.word(), self.label(), self.label());
                self.emit(Op::Copy { d: rest, a });
                self.emit(Op::MaskNext { d, m: rest, to: Self::to(none) });
                self.emit(Op::Jump { to: Self::to(end) });
                self.put(none);
                self.emit(Op::NothingIn { max: false });
                self.put(end);
                Some(Operand::Word(d, WordType::Int))
            }
            Builtin::Max => {
                let (d, some) = (self.word(), self.label());
                self.emit(Op::JumpIf { a, to: Self::to(some) });
                self.emit(Op::NothingIn { max: true });
                self.put(some);
                self.emit(Op::Greatest { d, a });
                Some(Operand::Word(d, WordType::Int))
            }
            Builtin::Sum | Builtin::Xor => Some(self.fold_words(word, None, |lower, take| {
                let (rest, again, exit) = (lower.emit_word(|d| Op::Copy { d, a }), lower.label(), lower.label());
                lower.put(again);
                let member = lower.emit_word(|d| Op::MaskNext { d, m: rest, to: Self::to(exit) });
                take(lower, member);
                lower.emit(Op::Jump { to: Self::to(again) });
                lower.put(exit);
            })),
            Builtin::Mex => {
                // The least number that is not in it; at most 63, which no mask has.
                let (d, all, rest, end) = (self.word(), self.pooled(-1), self.word(), self.label());
                self.emit(Op::AndNot { d: rest, a: all, b: a });
                self.emit(Op::MaskNext { d, m: rest, to: Self::to(end) });
                self.put(end);
                Some(Operand::Word(d, WordType::Int))
            }
            _ => None,
        }
    }

    /// `slide` where what is taken is a mask.
    fn slide_past_mask(&mut self, operands: &[Operand]) -> Option<Slide> {
        let [from, to, Operand::Word(taken, WordType::Mask(domain))] = operands else { return None };
        if !matches!(self.ctx.domain(*domain), Domain::Numbers) || !from.is_int() || !to.is_int() {
            return None;
        }
        let taken = *taken;
        let [a, b] = self.as_words([from, to], WordType::Int);
        let [step, count, near, far] = [(); 4].map(|()| self.word());
        let [up, done] = [(); 2].map(|()| self.label());
        self.emit(Op::JumpLt { a, b, to: Self::to(up) });
        self.emit(Op::Const { d: step, k: -1 });
        self.emit(Op::Sub { d: count, a, b });
        self.emit(Op::Below { d: near, a });
        self.emit(Op::And { d: near, a: near, b: taken });
        self.emit(Op::JumpUnless { a: near, to: Self::to(done) });
        self.emit(Op::Greatest { d: far, a: near });
        self.emit(Op::Sub { d: far, a, b: far });
        self.emit(Op::AddConst { d: far, a: far, k: -1 });
        self.emit(Op::Min { d: count, a: count, b: far });
        self.emit(Op::Jump { to: Self::to(done) });
        self.put(up);
        self.emit(Op::Const { d: step, k: 1 });
        self.emit(Op::Sub { d: count, a: b, b: a });
        self.emit(Op::AddConst { d: near, a, k: 1 });
        self.emit(Op::Below { d: near, a: near });
        self.emit(Op::AndNot { d: near, a: taken, b: near });
        self.emit(Op::MaskNext { d: far, m: near, to: Self::to(done) });
        self.emit(Op::Sub { d: far, a: far, b: a });
        self.emit(Op::AddConst { d: far, a: far, k: -1 });
        self.emit(Op::Min { d: count, a: count, b: far });
        self.put(done);
        Some(Slide { from: a, step, count })
    }

    /// The mask and the sizes in `subsets(set, sizes)` when these are few and small; `None`: nothing was done.
    pub(super) fn small_subsets(&mut self, args: &'p [Term]) -> Option<((Reg, DomainId), Vec<u32>)> {
        /// Larger ones are made as values.
        const LARGEST: i64 = 3;
        let [set, sizes] = args else { return None };
        let sizes = match self.known(sizes)? {
            Value::Int(n) => n..=n,
            Value::Range(from, to) => from.max(0)..=to,
            _ => return None,
        };
        let small = match &set.ty {
            Type::Range => Domain::Numbers,
            Type::Set(of) if **of == Type::Int => Domain::Numbers,
            Type::Set(of) if matches!(**of, Type::Tuple(_)) => Domain::Pairs,
            _ => return None,
        };
        if *sizes.end() > LARGEST {
            return None;
        }
        let mark = self.mark();
        let operand = self.set_operand(set);
        let domain = match (small, &operand) {
            (_, &Operand::Word(_, WordType::Mask(of))) => of,
            (Domain::Numbers, _) if self.numbers.is_some() => self.numbers?,
            (Domain::Pairs, _) if self.pairs.is_some() => self.pairs?,
            // A set of known members, each of which is there or not.
            (small, Operand::Parts(parts))
                if self.scalar && self.ctx.code_form().masked && Self::ascends_for_sure(parts) =>
            {
                let of = self.ctx.domain_id(&small).filter(|&of| self.is_set_of(&operand, of));
                let Some(of) = of else {
                    self.go_back(mark);
                    return None;
                };
                of
            }
            _ => {
                self.go_back(mark);
                return None;
            }
        };
        let mask = self.as_word(operand, WordType::Mask(domain));
        Some(((mask, domain), sizes.filter_map(|n| u32::try_from(n).ok()).collect()))
    }

    /// The steps from the first number towards the second, with it, up to the first that is taken; `None`: the operands
    /// are no words, nothing was done.
    pub(crate) fn slide(&mut self, operands: &[Operand]) -> Option<Slide> {
        if let Some(slide) = self.slide_past_mask(operands) {
            return Some(slide);
        }
        let [from, to, taken] = operands else { return None };
        let taken = self.parts(taken)?;
        if !from.is_int() || !to.is_int() || !taken.parts.iter().all(|part| part.operand.is_int()) {
            return None;
        }
        let [a, b] = self.as_words([from, to], WordType::Int);
        let (step, count, one, zero) = (self.word(), self.word(), self.pooled(1), self.pooled(0));
        let up = self.label();
        self.emit(Op::Copy { d: step, a: one });
        self.emit(Op::Sub { d: count, a: b, b: a });
        self.emit(Op::JumpLt { a, b, to: Self::to(up) });
        self.emit(Op::Neg { d: step, a: step });
        self.emit(Op::Neg { d: count, a: count });
        self.put(up);
        for part in &taken.parts {
            self.where_there(part.flag, |lower, past| {
                let t = lower.as_word(part.operand.clone(), WordType::Int);
                let far = lower.emit_word(|d| Op::Sub { d, a: t, b: a });
                lower.emit(Op::Mul { d: far, a: far, b: step });
                lower.emit(Op::JumpLe { a: far, b: zero, to: Self::to(past) });
                lower.emit(Op::AddConst { d: far, a: far, k: -1 });
                lower.emit(Op::Min { d: count, a: count, b: far });
            });
        }
        Some(Slide { from: a, step, count })
    }
}
