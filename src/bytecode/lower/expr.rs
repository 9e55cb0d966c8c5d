//! Terms to operands: choices, collections written out or gathered, calls of words and definitions, which are unfolded
//! where they stand.
//!
//! Folds of words need no list, and ways through clauses that are known when code is made need no builder.

use crate::bytecode::lower::operand::{Part, boxed};
use crate::bytecode::lower::{Lower, Operand, Scope, SlotState, form_limit};
use crate::bytecode::{Aggregate, CallSpec, InvokeSpec, Op, PartSpec, Reg, SliceSpec, WordType};
use crate::model::builtin::Builtin;
use crate::model::kind::Type;
use crate::model::{Clause, DefId, Gather, Item, LogicOp, Slot, Term, TermKind};
use crate::value::{Text, Value};

impl<'p> Lower<'_, 'p> {
    /// The value of a term.
    pub(crate) fn expr(&mut self, term: &'p Term) -> Operand {
        if let Some(value) = self.known(term) {
            return Operand::Known(value);
        }
        self.at(term.span, |lower| lower.expr_here(term))
    }

    fn expr_here(&mut self, term: &'p Term) -> Operand {
        match &term.kind {
            TermKind::Int(n) => Operand::Known(Value::int(n.clone())),
            TermKind::Bool(b) => Operand::Known(Value::Bool(*b)),
            TermKind::Text(t) => Operand::Known(Value::Text(Text::new(t))),
            TermKind::Drawing(drawing) => {
                if let Ok(value) = self.ctx.drawing(drawing, term.span) {
                    Operand::Known(value)
                } else {
                    // The error is met again when the code runs.
                    let (d, drawing) = (self.value(), self.ctx.drawing_code(drawing));
                    self.emit(Op::Drawing { d, drawing });
                    Operand::Value(d)
                }
            }
            TermKind::Slot(slot) => self.slot(*slot),
            TermKind::Global(global) => {
                if let Some(value) = self.ctx.global_value(*global) {
                    return Operand::Known(value);
                }
                let d = self.value();
                let global = u32::try_from(global.0).unwrap_or(u32::MAX);
                self.emit(Op::Global { d, global });
                Operand::Value(d)
            }
            TermKind::Neg(a) => self.negate(a),
            TermKind::Not(a) => {
                let operand = self.expr(a);
                if let (true, Operand::Known(Value::Bool(truth))) = (self.scalar, &operand) {
                    return Operand::Known(Value::Bool(!truth));
                }
                let a = self.at(a.span, |lower| lower.as_word(operand, WordType::Bool));
                let d = self.word();
                self.emit(Op::Not { d, a });
                Operand::Word(d, WordType::Bool)
            }
            TermKind::Logic(op, a, b) => self.logic(*op, a, b),
            TermKind::Iff(a, b) => {
                let (a, b) = (self.truth(a), self.truth(b));
                let d = self.word();
                self.emit(Op::Eq { d, a, b });
                Operand::Word(d, WordType::Bool)
            }
            TermKind::Binary(op, a, b) => self.binary(*op, a, b, &term.ty),
            TermKind::Compare(first, rest) => self.compare_chain(first, rest),
            TermKind::If(condition, yes, no) => self.choice(condition, yes, no, &term.ty),
            TermKind::Tuple(parts) if self.scalar => {
                let parts = parts.iter().map(|part| Part::sure(self.expr(part))).collect();
                self.whole(Aggregate::Tuple, parts)
            }
            TermKind::Tuple(parts) => {
                let registers: Vec<Reg> = parts.iter().map(|p| self.expr_value(p)).collect();
                self.tuple(registers)
            }
            TermKind::Items(gather, items) => self.items(*gather, items),
            TermKind::Comprehension(gather, value, clauses) => self.comprehension(*gather, value, clauses),
            TermKind::Index(base, index) => self.index(base, index, &term.ty),
            TermKind::Slice(base, from, to) => {
                let base = self.expr(base);
                let from = from.as_ref().map(|t| self.expr(t));
                let to = to.as_ref().map(|t| self.expr(t));
                if let Some(cut) = self.cut(&base, from.as_ref(), to.as_ref()) {
                    return cut;
                }
                let a = self.as_value(base);
                let (from, to) = (from.map(|o| self.as_value(o)), to.map(|o| self.as_value(o)));
                let d = self.value();
                self.code.slices.push(SliceSpec { d, a, from, to });
                let spec = last(self.code.slices.len());
                self.emit(Op::Slice { spec });
                Operand::Value(d)
            }
            TermKind::Update(base, changes, clauses) => self.update(base, changes, clauses.as_ref()),
            TermKind::Part { of, index, arity } => {
                let of = self.expr(of);
                self.part(of, *index, *arity)
            }
            TermKind::Call(def, args) => self.call(*def, args),
            TermKind::Builtin(word, args) => self.builtin(*word, args, &term.ty),
            TermKind::Place(place) => self.place_value(place),
            TermKind::Misere(position) => {
                let a = self.expr_value(position);
                let d = self.value();
                self.emit(Op::Misere { d, a });
                Operand::Value(d)
            }
            TermKind::Coerce(inner, kind) => {
                let operand = self.expr(inner);
                self.enter_kind(operand, kind, "the result")
            }
            TermKind::Adapt(inner) => self.adapt(inner, &term.ty),
        }
    }

    /// The term in a value register.
    pub(crate) fn expr_value(&mut self, term: &'p Term) -> Reg {
        let operand = self.expr(term);
        self.as_value(operand)
    }

    /// A truth value in a word register.
    pub(crate) fn truth(&mut self, term: &'p Term) -> Reg {
        let operand = self.expr(term);
        self.at(term.span, |lower| lower.as_word(operand, WordType::Bool))
    }

    pub(super) fn logic(&mut self, op: LogicOp, a: &'p Term, b: &'p Term) -> Operand {
        let left = self.expr(a);
        if let (true, Operand::Known(Value::Bool(left))) = (self.scalar, &left) {
            return match (op, left) {
                (LogicOp::And | LogicOp::Implies, true) | (LogicOp::Or, false) => {
                    let right = self.expr(b);
                    if let Operand::Known(Value::Bool(_)) = right {
                        return right;
                    }
                    Operand::Word(self.at(b.span, |lower| lower.as_word(right, WordType::Bool)), WordType::Bool)
                }
                (op, _) => Operand::Known(Value::Bool(op != LogicOp::And)),
            };
        }
        let d = self.word();
        let end = self.label();
        let a = self.at(a.span, |lower| lower.as_word(left, WordType::Bool));
        if op == LogicOp::Implies {
            self.emit(Op::Not { d, a });
        } else {
            self.emit(Op::Copy { d, a });
        }
        self.emit(match op {
            LogicOp::And => Op::JumpUnless(d, Self::to(end)),
            LogicOp::Or | LogicOp::Implies => Op::JumpIf(d, Self::to(end)),
        });
        let b = self.truth(b);
        self.emit(Op::Copy { d, a: b });
        self.put(end);
        Operand::Word(d, WordType::Bool)
    }

    pub(super) fn choice(&mut self, condition: &'p Term, yes: &'p Term, no: &'p Term, ty: &Type) -> Operand {
        let (otherwise, end) = (self.label(), self.label());
        if let Some(truth) = self.test(condition, otherwise) {
            self.put(otherwise);
            return self.expr(if truth { yes } else { no });
        }
        let first = self.expr(yes);
        // The form of the result is known when both ways are; the first way's last step is filled in then.
        let hole = self.code.ops.len();
        self.emit(Op::Nop);
        self.emit(Op::Jump(Self::to(end)));
        self.put(otherwise);
        let second = self.expr(no);
        if self.scalar {
            let mold = self.common_mold([&first, &second].into_iter());
            let d = self.registers_like(&mold);
            self.insert_after(hole, |lower| lower.copy_into(&d, &first));
            self.copy_into(&d, &second);
            self.put(end);
            return d;
        }
        let word_type = self.common_rep(&first, &second, ty);
        let d = if word_type.is_some() { self.word() } else { self.value() };
        let (a, b) = (self.move_op(&first, word_type, d), self.move_op(&second, word_type, d));
        self.code.ops[hole] = a;
        self.emit(b);
        self.put(end);
        word_type.map_or(Operand::Value(d), |word_type| Operand::Word(d, word_type))
    }

    /// The word form that both operands have or can be loaded in; `None`: a value.
    fn common_rep(&self, a: &Operand, b: &Operand, ty: &Type) -> Option<WordType> {
        match (a, b) {
            (Operand::Word(_, r), Operand::Word(_, s)) => (r == s).then_some(*r),
            (Operand::Word(_, r), Operand::Known(v)) | (Operand::Known(v), Operand::Word(_, r)) => {
                self.known_word(v, *r).map(|_| *r)
            }
            (Operand::Known(Value::Int(_)), Operand::Known(Value::Int(_))) if *ty == Type::Int && self.narrow() => {
                Some(WordType::Int)
            }
            (Operand::Known(Value::Bool(_)), Operand::Known(Value::Bool(_))) => Some(WordType::Bool),
            _ => None,
        }
    }

    /// The one instruction that puts an operand into `d`, a word of that form or a value.
    fn move_op(&mut self, operand: &Operand, word_type: Option<WordType>, d: Reg) -> Op {
        match (operand, word_type) {
            (Operand::Word(a, _), Some(_)) => Op::Copy { d, a: *a },
            (Operand::Known(value), Some(word_type)) => {
                let k = self.known_word(value, word_type).unwrap_or(0);
                self.code.wide.push(k);
                Op::ConstWide { d, k: last(self.code.wide.len()) }
            }
            (Operand::Known(value), None) => {
                self.code.constants.push(value.clone());
                Op::Value { d, k: last(self.code.constants.len()) }
            }
            (Operand::Word(a, word_type), None) => boxed(d, *a, *word_type),
            (Operand::Value(a), _) => Op::Move { d, a: *a },
            (Operand::Parts(_), _) => {
                self.code.makes.push(Self::make(operand));
                Op::Materialize { d, make: last(self.code.makes.len()) }
            }
        }
    }

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

    /// A built-in word on value registers.
    pub(crate) fn call_word(&mut self, word: Builtin, args: &[Operand]) -> Operand {
        let args: Vec<Reg> = args.iter().map(|a| self.as_value(a.clone())).collect();
        let d = self.value();
        self.code.calls.push(CallSpec { word, d, args: args.into() });
        let spec = last(self.code.calls.len());
        self.emit(Op::Call { spec });
        Operand::Value(d)
    }

    pub(super) fn builtin(&mut self, word: Builtin, args: &'p [Term], ty: &Type) -> Operand {
        if let [Term { kind: TermKind::Comprehension(Gather::List, value, clauses), .. }] = args
            && let Some(folded) = self.fold(word, value, clauses)
        {
            return folded;
        }
        if let (Builtin::Sum, [Term { kind: TermKind::Comprehension(Gather::List, value, clauses), .. }]) = (word, args)
            && let TermKind::Place(place) = &value.kind
            && !crate::bytecode::lower::expr::gathers_bags(value, clauses)
        {
            return self.sum_of_places(value, place, clauses);
        }
        if word.is_question() {
            let operand = args.first().map_or(Operand::Known(Value::Bool(false)), |a| self.expr(a));
            let a = self.as_value(operand);
            let d = self.value();
            self.emit(Op::Ask { word, d, a });
            return Operand::Value(d);
        }
        if let Some(floor) = self.floor_of(word, args) {
            return floor;
        }
        let operands: Vec<Operand> = args.iter().map(|a| self.expr(a)).collect();
        let done = self.known_call(word, &operands);
        if let Some(done) = done.or_else(|| self.parts_word(word, &operands, ty)) {
            return done;
        }
        if let Some(done) = self.set_word(word, &operands, ty) {
            return done;
        }
        if let Some(done) = self.number_word(word, &operands, args) {
            return done;
        }
        self.call_word(word, &operands)
    }

    /// A def: unfolded where it stands unless it is recursive.
    pub(super) fn call(&mut self, def: DefId, args: &'p [Option<Term>]) -> Operand {
        let program = self.program;
        let callee = &program.defs[def.0];
        let prefix: Vec<Operand> = (0..self.owner_slots(callee.owner)).map(|slot| self.slot(slot)).collect();
        let given: Vec<Option<Operand>> = args.iter().map(|a| a.as_ref().map(|a| self.expr(a))).collect();
        let Some(body) = &callee.body else { return Operand::Known(Value::Int(0)) };
        if callee.recursive || self.is_big() {
            let all = prefix.into_iter().map(Some).chain(given);
            let args: Vec<Option<Reg>> = all.map(|a| a.map(|a| self.as_value(a))).collect();
            let d = self.value();
            self.code.invokes.push(InvokeSpec { def, d, args: args.into() });
            let spec = last(self.code.invokes.len());
            self.emit(Op::Invoke { spec });
            return Operand::Value(d);
        }
        let own = if callee.owner.is_some() { self.scope().own } else { None };
        let mut scope = Scope::new(&callee.frame, own);
        for (slot, operand) in prefix.into_iter().enumerate() {
            scope.slots[slot] = SlotState::At(operand);
        }
        self.unfolded += 1;
        self.scopes.push(scope);
        for (i, (field, operand)) in callee.params.iter().zip(given).enumerate() {
            let operand = match (operand, &field.default) {
                (Some(operand), _) => operand,
                (None, Some(default)) => self.expr(default),
                (None, None) => Operand::Known(Value::Int(0)),
            };
            let operand = self.enter_kind(operand, &field.kind, &field.name);
            self.scope_mut().slots[callee.prefix + i] = SlotState::At(operand);
        }
        self.ready_lazies(&[body]);
        let mut result = self.expr(body);
        if let Some(kind) = &callee.result {
            result = self.enter_kind(result, kind, &callee.name);
        }
        self.scopes.pop();
        self.unfolded -= 1;
        result
    }

    /// How many slots of its owner a def of that game is handed: parameters and fields.
    fn owner_slots(&self, owner: Option<crate::model::GameId>) -> Slot {
        owner.map_or(0, |g| {
            let game = &self.program.games[g.0];
            game.params.len() + game.fields.len()
        })
    }

    /// `[E for CLAUSES]` or `{E for CLAUSES}`.
    pub(crate) fn comprehension(&mut self, gather: Gather, value: &'p Term, clauses: &'p [Clause]) -> Operand {
        if let Some(parts) = self.gathered(gather, value, clauses) {
            return parts;
        }
        let (scopes, labels, start) = (self.scopes.clone(), self.labels.len(), self.code.ops.len());
        if let Some(mask) = self.gathered_in_mask(gather, value, clauses, true) {
            return mask;
        }
        // Some ways end in members of a domain, others do not: from the start, with all of them as values.
        let begun = self.code.ops.get(start).is_some_and(|op| matches!(op, Op::Build));
        if !begun {
            self.scopes = scopes;
            self.labels.truncate(labels);
            self.code.ops.truncate(start);
            self.code.spans.truncate(start);
            self.gathered_in_mask(gather, value, clauses, false);
        }
        let d = self.value();
        self.emit(Op::BuildDone { d, gather });
        Operand::Value(d)
    }

    /// Gathers in a mask where all ways end in members of one small domain; whether they do shows in the innermost loop, so one
    /// instruction before the loops is filled in afterwards. `None`: items are built, after an [`Op::Build`], or, where only
    /// some ways end so, nothing of use was done. `masks`: whether that may be tried.
    fn gathered_in_mask(
        &mut self,
        gather: Gather,
        value: &'p Term,
        clauses: &'p [Clause],
        masks: bool,
    ) -> Option<Operand> {
        let mask = self.word();
        let hole = self.code.ops.len();
        self.emit(Op::Nop);
        let (mut domain, mut mixed, mut built) = (None, false, false);
        let tagged = gathers_bags(value, clauses);
        self.counted_clauses_if(tagged, clauses, &mut |lower, counters| {
            let operand = lower.expr(value);
            let open = !tagged && matches!(operand, Operand::Word(..) | Operand::Parts(_));
            let small = lower.small_domains().find(|&of| open && lower.is_small_member(&operand, of));
            match (gather, operand.member().or(small)) {
                (Gather::Set, Some(of)) if masks && lower.fits_mask(of) => {
                    mixed |= domain.is_some_and(|domain| domain != of);
                    domain = Some(of);
                    let a = lower.as_word(operand, WordType::Member(of));
                    let single = lower.word();
                    lower.emit(Op::Single { d: single, a });
                    lower.emit(Op::Or { d: mask, a: mask, b: single });
                }
                _ => {
                    built = true;
                    let mut a = lower.as_value(operand);
                    if tagged {
                        let d = lower.value();
                        lower.emit(Op::Move { d, a });
                        let words: Vec<Reg> = counters.iter().flatten().copied().collect();
                        let spec = lower.register_list(words);
                        lower.emit(Op::Tag { d, spec });
                        a = d;
                    }
                    lower.emit(Op::BuildPush { a });
                }
            }
        });
        match domain {
            Some(of) if !mixed && !built => {
                self.code.ops[hole] = Op::Const { d: mask, k: 0 };
                Some(Operand::Word(mask, WordType::Mask(of)))
            }
            Some(_) => None,
            None => {
                self.code.ops[hole] = Op::Build;
                None
            }
        }
    }

    /// A fold of ints or truth values, without a list. Everything is evaluated, as in the list (rule 21).
    pub(crate) fn fold(&mut self, word: Builtin, value: &'p Term, clauses: &'p [Clause]) -> Option<Operand> {
        use Builtin as B;
        let ints = value.ty == Type::Int && self.narrow();
        match word {
            B::Sum | B::Xor if ints => {
                let d = self.constant(0);
                self.clauses(clauses, false, &mut |lower| {
                    let operand = lower.expr(value);
                    let b = lower.as_word(operand, WordType::Int);
                    lower.emit(if word == B::Sum { Op::Add { d, a: d, b } } else { Op::NatXor { d, a: d, b } });
                });
                Some(Operand::Word(d, WordType::Int))
            }
            B::Count | B::Any | B::All if value.ty == Type::Bool => {
                let d = self.constant(i64::from(word == B::All));
                self.clauses(clauses, false, &mut |lower| {
                    let b = lower.truth(value);
                    lower.emit(match word {
                        B::Count => Op::Add { d, a: d, b },
                        B::Any => Op::Or { d, a: d, b },
                        _ => Op::And { d, a: d, b },
                    });
                });
                Some(Operand::Word(d, if word == B::Count { WordType::Int } else { WordType::Bool }))
            }
            B::Min | B::Max if ints => {
                let (d, any) = (self.word(), self.constant(0));
                self.clauses(clauses, false, &mut |lower| {
                    let operand = lower.expr(value);
                    let b = lower.as_word(operand, WordType::Int);
                    let (later, done) = (lower.label(), lower.label());
                    lower.emit(Op::JumpIf(any, Self::to(later)));
                    lower.emit(Op::Const { d: any, k: 1 });
                    lower.emit(Op::Copy { d, a: b });
                    lower.emit(Op::Jump(Self::to(done)));
                    lower.put(later);
                    lower.emit(if word == B::Min { Op::Min { d, a: d, b } } else { Op::Max { d, a: d, b } });
                    lower.put(done);
                });
                let fine = self.label();
                self.emit(Op::JumpIf(any, Self::to(fine)));
                self.emit(Op::NothingIn { max: word == B::Max });
                self.put(fine);
                Some(Operand::Word(d, WordType::Int))
            }
            _ => None,
        }
    }

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

/// The index of the last of `len` things, as instructions hold it.
pub(crate) fn last(len: usize) -> u16 {
    u16::try_from(len - 1).unwrap_or(u16::MAX)
}

/// Whether positions are gathered that differ only in binders over bags (rule 27).
fn gathers_bags(value: &Term, clauses: &[Clause]) -> bool {
    value.ty == Type::Position
        && clauses.iter().any(|c| matches!(c, Clause::In { source, .. } if matches!(source.ty, Type::Bag(_))))
}
