//! The one clause list: binders, names, conditions. What a binder goes through is written out member by member or looped over.

use crate::bytecode::lower::made::{Piece, without_set};
use crate::bytecode::lower::operand::Part;
use crate::bytecode::lower::sets::Slide;
use crate::bytecode::lower::sources::Source;
use crate::bytecode::lower::{Label, Lower, Operand};
use crate::bytecode::{Aggregate, DomainId, Op, Reg, WordType};
use crate::model::{BinaryOp, Builtin, Clause, CompareOp, Def, DefId, Pattern, Slot, Term, TermKind, Type};
use crate::value::Value;
use crate::words::number::NumberWord;

struct Walk<'a, 'm, 'p> {
    /// A binder over a bag takes each value once.
    distinct: bool,
    /// When turns are counted: the counters of the binders so far, but of those over bags.
    counters: Option<Vec<Reg>>,
    leaf: &'a mut dyn FnMut(&mut Lower<'m, 'p>, &[Reg]),
}

/// What follows a binder.
struct Body<'w, 'a, 'm, 'p> {
    pattern: &'p Pattern,
    rest: &'p [Clause],
    counter: Option<Reg>,
    /// What it goes through is a list or set of so many ints each; 0: of others.
    ints: u8,
    walk: &'w mut Walk<'a, 'm, 'p>,
}

/// Of how many ints each member of such a collection is; 0: it is none of ints, or of tuples of ints.
fn ints_of_each(collection: &Type) -> u8 {
    const MOST: usize = 8;
    let (Type::List(of) | Type::Set(of)) = collection else { return 0 };
    match &**of {
        Type::Int => 1,
        Type::Tuple(parts) if parts.len() <= MOST && parts.iter().all(|part| *part == Type::Int) => {
            u8::try_from(parts.len()).unwrap_or(0)
        }
        _ => 0,
    }
}

impl<'m, 'p> Lower<'m, 'p> {
    /// Runs through the clauses; `distinct`: a binder over a bag takes each value once (rule 18).
    pub(crate) fn clauses(&mut self, clauses: &'p [Clause], distinct: bool, leaf: &mut dyn FnMut(&mut Self)) {
        self.walk(clauses, Walk { distinct, counters: None, leaf: &mut |lower, _| leaf(lower) });
    }

    /// The same with repetition, and if wanted with a counter for each binder that is not over a bag for the leaf.
    pub(crate) fn counted_clauses_if(
        &mut self,
        count: bool,
        clauses: &'p [Clause],
        leaf: &mut dyn FnMut(&mut Lower<'m, 'p>, &[Reg]),
    ) {
        self.walk(clauses, Walk { distinct: false, counters: count.then(Vec::new), leaf });
    }

    fn walk(&mut self, clauses: &'p [Clause], mut walk: Walk<'_, 'm, 'p>) {
        let end = self.label();
        self.clause(clauses, end, &mut walk);
        self.put(end);
    }

    fn clause(&mut self, clauses: &'p [Clause], next: Label, walk: &mut Walk<'_, 'm, 'p>) {
        let Some((first, rest)) = clauses.split_first() else {
            (walk.leaf)(self, walk.counters.as_deref().unwrap_or_default());
            return;
        };
        match first {
            Clause::Where(condition) => {
                let truth = self.test(condition, next);
                if truth == Some(false) {
                    // Nothing goes on from here; what follows in the code is what `next` names.
                    return;
                }
                let doubt = usize::from(truth.is_none());
                self.doubts += doubt;
                self.clause(rest, next, walk);
                self.doubts -= doubt;
            }
            Clause::Let { pattern, value } => {
                let operand = self.expr(value);
                self.pattern(pattern, operand);
                self.clause(rest, next, walk);
            }
            Clause::In { pattern, source, span } => {
                let counted = walk.counters.is_some() && !matches!(source.ty, Type::Bag(_));
                let counter = counted.then(|| self.constant(-1));
                let ints = ints_of_each(&source.ty);
                self.at(*span, |lower| lower.binder(source, &mut Body { pattern, rest, counter, ints, walk }));
            }
        }
    }

    fn binder(&mut self, source: &'p Term, body: &mut Body<'_, '_, 'm, 'p>) {
        // Which options there are does not depend on how often.
        let may_repeat = self.judging.on && body.walk.distinct;
        let source = without_set(source, may_repeat);
        let known = self.known(source);
        if known.is_none() && self.scalar && body.walk.counters.is_none() {
            if let Some(parts) = self.few_parts_made(source, may_repeat) {
                let around = self.copies;
                self.copies *= parts;
                self.through(source, &mut Vec::new(), may_repeat, &mut |lower, piece| match piece {
                    Piece::Whole(operand) => {
                        let source = lower.source_of(operand, body.walk.distinct);
                        lower.go_through(source, body);
                    }
                    Piece::Member(member) => {
                        lower.pattern(body.pattern, member);
                        let next = lower.label();
                        lower.loops += 1;
                        lower.clause(body.rest, next, body.walk);
                        lower.loops -= 1;
                        lower.put(next);
                    }
                });
                self.copies = around;
                return;
            }
            if let TermKind::Call(def, args) = &source.kind {
                return self.through_call(*def, args, body);
            }
        }
        let unroll = self.unroll;
        // Counters tell the turns of a loop apart.
        self.unroll &= body.walk.counters.is_none();
        let source = match (known, &source.kind) {
            (Some(value), kind) => {
                let graph = self.graph_gone_through(&value, kind, body.walk.distinct);
                if let (Some(graph), TermKind::Builtin(Builtin::Edges, _)) = (&graph, kind) {
                    let (again, exit) = (self.label(), self.label());
                    let vertices = self.vertices_as_mask(graph.clone());
                    if self.edge_loop(body.pattern, &[graph.clone(), vertices], again, exit) {
                        self.unroll = unroll;
                        return self.turn(body, again, exit, None);
                    }
                }
                match graph.map(|graph| self.vertices_as_mask(graph)) {
                    Some(mask @ Operand::Word(..)) if !matches!(kind, TermKind::Builtin(Builtin::Edges, _)) => {
                        Source::Items(mask)
                    }
                    _ => self.source_of(Operand::Known(value), body.walk.distinct),
                }
            }
            (None, TermKind::Binary(BinaryOp::Range, from, to)) if self.narrow() => self.range_source(from, to),
            (None, TermKind::Builtin(Builtin::Nat, _)) => {
                let d = self.emit_word(|d| Op::NatLimit { d });
                Source::Range(Operand::Known(Value::Int(0)), Operand::Word(d, WordType::Int), Vec::new())
            }
            (None, TermKind::Builtin(word, args)) if let Some(operands) = self.beside_operands(*word, args) => {
                let parts = if self.unroll && !self.is_bloated() { self.cells_beside(*word, &operands) } else { None };
                match parts {
                    Some(parts) => Source::Parts(parts),
                    None => Source::Items(self.beside_word(*word, &operands)),
                }
            }
            (
                None,
                TermKind::Builtin(
                    word @ (Builtin::Edges | Builtin::Successors | Builtin::Predecessors | Builtin::Neighbours),
                    args,
                ),
            ) if args.len() == 2 => {
                let operands: [Operand; 2] = [&args[0], &args[1]].map(|a| self.expr(a));
                let (again, exit) = (self.label(), self.label());
                let looped = if *word == Builtin::Edges {
                    self.edge_loop(body.pattern, &operands, again, exit)
                } else {
                    self.row_loop(*word, body.pattern, &operands, again, exit)
                };
                if looped {
                    self.unroll = unroll;
                    self.turn(body, again, exit, None);
                    return;
                }
                let items =
                    self.set_word(*word, &operands, &source.ty).unwrap_or_else(|| self.call_word(*word, &operands));
                Source::Items(items)
            }
            (None, TermKind::Builtin(Builtin::Edges, args))
                if matches!(body.pattern, Pattern::Tuple(..))
                    && let Some(operands) = self.graph_without(&args[0]) =>
            {
                let (again, exit) = (self.label(), self.label());
                if self.edge_loop(body.pattern, &operands, again, exit) {
                    self.unroll = unroll;
                    self.turn(body, again, exit, None);
                    return;
                }
                self.source(source, body.walk.distinct)
            }
            (None, TermKind::Builtin(Builtin::Cells, args)) if args.len() == 2 => {
                let operands: [Operand; 2] = [&args[0], &args[1]].map(|a| self.expr(a));
                self.cells_source(CompareOp::Eq, &operands).unwrap_or_else(|| {
                    let mask = self.parts_word(Builtin::Cells, &operands, &source.ty);
                    Source::Items(mask.unwrap_or_else(|| self.call_word(Builtin::Cells, &operands)))
                })
            }
            // The vertices of a grid are its cells but for walls.
            (None, TermKind::Adapt(grid)) if grid.ty == Type::Grid => {
                let operands = [self.expr(grid), Operand::Known(Value::text("#"))];
                self.cells_source(CompareOp::Ne, &operands).unwrap_or_else(|| {
                    let grid = operands[0].clone();
                    self.source_of(grid, body.walk.distinct)
                })
            }
            _ => self.source(source, body.walk.distinct),
        };
        self.unroll = unroll;
        self.go_through(source, body);
    }

    /// The graph of which this known collection is all vertices, with labels that are no ints, or all edges, in a loop that is not
    /// written out.
    fn graph_gone_through(&mut self, value: &Value, kind: &'p TermKind, distinct: bool) -> Option<Operand> {
        let graph = match kind {
            TermKind::Adapt(graph) => graph,
            TermKind::Builtin(Builtin::Vertices | Builtin::Edges, args) if args.len() == 1 => &args[0],
            _ => return None,
        };
        let ints = matches!(value, Value::Set(items) if matches!(items.first(), Some(Value::Int(_))));
        if ints || self.written_out(value, distinct).is_some() {
            return None;
        }
        self.known(graph).map(Operand::Known)
    }

    /// Goes through what a def gives: if it is one of few numbers, a list that is made once for all states with the same ones.
    fn through_call(&mut self, def: DefId, args: &'p [Option<Term>], body: &mut Body<'_, '_, 'm, 'p>) {
        let callee = &self.program.defs[def.0];
        let given = self.arguments(args);
        let mark = self.mark();
        let mut made = self.call_with(def, given.clone());
        if matches!(made, Operand::Value(_)) && body.ints > 0 && self.repeats(callee, &given) {
            self.go_back(mark);
            made = self.invoke(def, given);
        }
        let source = self.source_of(made, body.walk.distinct);
        self.go_through(source, body);
    }

    /// Whether a def is of numbers alone, and of fewer than a state has: then many states ask for the same.
    fn repeats(&self, callee: &Def, given: &[Option<Operand>]) -> bool {
        let own = self.scopes.first().and_then(|scope| scope.own);
        let fields = own.map_or(0, |own| self.ctx.instance_at(own).forms.len());
        let words = given.iter().flatten().filter(|operand| matches!(operand, Operand::Word(..))).count();
        callee.owner.is_none() && words < fields && given.iter().flatten().all(Operand::is_int)
    }

    fn go_through(&mut self, source: Source, body: &mut Body<'_, '_, 'm, 'p>) {
        let (again, exit) = (self.label(), self.label());
        match source {
            Source::Parts(parts) => {
                for part in parts {
                    let doubt = usize::from(part.flag.is_some());
                    self.doubts += doubt;
                    self.where_there(part.flag, |lower, next| {
                        lower.pattern(body.pattern, part.operand);
                        lower.clause(body.rest, next, body.walk);
                    });
                    self.doubts -= doubt;
                }
            }
            Source::Range(from, to, bounds) => {
                let to = self.as_word(to, WordType::Int);
                let looped = self.range_loop(body.pattern, from, to, again, exit);
                self.note_bounds(body.pattern, bounds);
                self.turn(body, again, exit, Some(looped));
            }
            Source::Primes(to, span) => {
                let from = Operand::Known(Value::Int(2));
                let (i, hi, start) = self.range_loop(&Pattern::Ignore, from, to, again, exit);
                let a = self
                    .at(span, |lower| lower.emit_word(|d| Op::Number { word: NumberWord::InPrimes, d, a: i, b: to }));
                self.emit(Op::JumpUnless { a, to: Self::to(again) });
                self.pattern(body.pattern, Operand::Word(i, WordType::Int));
                self.turn(body, again, exit, Some((i, hi, start)));
            }
            Source::Slide(Slide { from, step, count }) => {
                let (i, n, zero) = (self.word(), self.word(), self.pooled(0));
                self.emit(Op::Copy { d: i, a: zero });
                self.emit(Op::Copy { d: n, a: from });
                self.put(again);
                self.emit(Op::RangeNext { i, hi: count, to: Self::to(exit) });
                let start = self.label();
                self.put(start);
                self.emit(Op::Add { d: n, a: n, b: step });
                self.pattern(body.pattern, Operand::Word(n, WordType::Int));
                self.turn(body, again, exit, Some((i, count, start)));
            }
            Source::Subsets(mask, sizes) => {
                for size in sizes {
                    self.subsets(mask, size, None, body);
                }
            }
            Source::Members(mask, count, whole) => self.members(mask, (count, whole), &mut Vec::new(), body),
            Source::Choices(ranges) => self.choices(&ranges, &mut Vec::new(), body),
            Source::Table(from, to, columns) => {
                let (i, hi, start) = self.range_loop(&Pattern::Ignore, from, to, again, exit);
                let member = self.column_entry(&columns, i);
                self.pattern(body.pattern, member);
                self.turn(body, again, exit, Some((i, hi, start)));
            }
            Source::Items(items) => {
                self.collection_loop(body.pattern, items, (body.walk.distinct, body.ints), again, exit);
                self.turn(body, again, exit, None);
            }
            Source::Both(first, second) => {
                self.go_through(*first, body);
                self.go_through(*second, body);
            }
        }
    }

    /// Goes through the subsets of a mask with so many members, in lexicographic order: a loop inside a loop for each member,
    /// each over what is above the one before. `chosen`: members that belong to all of them.
    fn subsets(
        &mut self,
        (mask, domain): (Reg, DomainId),
        size: u32,
        chosen: Option<Reg>,
        body: &mut Body<'_, '_, 'm, 'p>,
    ) {
        let (again, exit) = (self.label(), self.label());
        if size == 0 {
            let none = self.pooled(0);
            self.pattern(body.pattern, Operand::Word(none, WordType::Mask(domain)));
            self.turn(body, again, exit, None);
            self.put(again);
            return;
        }
        let [rest, member, set] = [(); 3].map(|()| self.word());
        self.emit(Op::Copy { d: rest, a: mask });
        self.put(again);
        self.emit(Op::MaskNext { d: member, m: rest, to: Self::to(exit) });
        self.emit(Op::Single { d: set, a: member });
        if let Some(b) = chosen {
            self.emit(Op::Or { d: set, a: set, b });
        }
        if size == 1 {
            self.pattern(body.pattern, Operand::Word(set, WordType::Mask(domain)));
            self.turn(body, again, exit, None);
        } else {
            self.loops += 1;
            self.subsets((rest, domain), size - 1, Some(set), body);
            self.loops -= 1;
            self.emit(Op::Jump { to: Self::to(again) });
            self.put(exit);
        }
    }

    /// Goes through the ways to take so many members of a mask, in the order of their places. `chosen`: those of the loops around.
    fn members(
        &mut self,
        (mask, domain): (Reg, DomainId),
        (count, whole): (u32, Aggregate),
        chosen: &mut Vec<Part>,
        body: &mut Body<'_, '_, 'm, 'p>,
    ) {
        let (again, exit) = (self.label(), self.label());
        let [rest, place] = [(); 2].map(|()| self.word());
        self.emit(Op::Copy { d: rest, a: mask });
        self.put(again);
        self.emit(Op::MaskNext { d: place, m: rest, to: Self::to(exit) });
        let member = self.member_of(place, domain);
        self.note_values(&member, place, domain);
        chosen.push(Part::sure(member));
        if count == 1 {
            let all = self.whole(whole, chosen.clone());
            self.pattern(body.pattern, all);
            self.turn(body, again, exit, None);
        } else {
            self.loops += 1;
            self.members((rest, domain), (count - 1, whole), chosen, body);
            self.loops -= 1;
            self.emit(Op::Jump { to: Self::to(again) });
            self.put(exit);
        }
        chosen.pop();
    }

    /// A loop for each range, inside each other, the last number changing fastest.
    fn choices(&mut self, ranges: &[(Operand, Reg)], chosen: &mut Vec<Part>, body: &mut Body<'_, '_, 'm, 'p>) {
        let (again, exit) = (self.label(), self.label());
        let Some(((from, to), rest)) = ranges.split_first() else {
            let list = self.whole(Aggregate::List(0), Vec::new());
            self.pattern(body.pattern, list);
            self.turn(body, again, exit, None);
            self.put(again);
            return;
        };
        let (i, hi, start) = self.range_loop(&Pattern::Ignore, from.clone(), *to, again, exit);
        chosen.push(Part::sure(Operand::Word(i, WordType::Int)));
        if rest.is_empty() {
            let list = self.whole(Aggregate::List(0), chosen.clone());
            self.pattern(body.pattern, list);
            self.turn(body, again, exit, Some((i, hi, start)));
        } else {
            self.loops += 1;
            self.choices(rest, chosen, body);
            self.loops -= 1;
            self.emit(Op::RangeBack { i, hi, to: Self::to(start) });
            self.put(exit);
        }
        chosen.pop();
    }

    /// The rest of a loop whose head has bound its pattern; of a range with its counter, its end, and where the body starts.
    fn turn(&mut self, body: &mut Body<'_, '_, 'm, 'p>, again: Label, exit: Label, range: Option<(Reg, Reg, Label)>) {
        if let (Some(a), Some(counters)) = (body.counter, &mut body.walk.counters) {
            counters.push(a);
            self.emit(Op::AddConst { d: a, a, k: 1 });
        }
        self.loops += 1;
        self.clause(body.rest, again, body.walk);
        self.loops -= 1;
        if let (Some(_), Some(counters)) = (body.counter, &mut body.walk.counters) {
            counters.pop();
        }
        match range {
            Some((i, hi, start)) => self.emit(Op::RangeBack { i, hi, to: Self::to(start) }),
            None => self.emit(Op::Jump { to: Self::to(again) }),
        }
        self.put(exit);
    }

    /// Remembers slots that the bound one does not exceed.
    fn note_bounds(&mut self, pattern: &'p Pattern, bounds: Vec<Slot>) {
        if let Pattern::Slot(slot) = pattern {
            self.scope_mut().bounds.retain(|(s, _)| s != slot);
            self.scope_mut().bounds.push((*slot, bounds));
        }
    }

    pub(crate) fn pattern(&mut self, pattern: &'p Pattern, operand: Operand) {
        match pattern {
            Pattern::Ignore => {}
            Pattern::Slot(slot) => self.bind(*slot, operand),
            Pattern::Tuple(parts, span) => {
                for (i, part) in parts.iter().enumerate() {
                    let piece = self.at(*span, |lower| lower.part(operand.clone(), i, parts.len()));
                    self.pattern(part, piece);
                }
            }
        }
    }
}
