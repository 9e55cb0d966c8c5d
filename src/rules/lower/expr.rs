//! Terms to operands.

use super::parts::Part;
use super::{Lower, Operand, Scope, SlotState};
use crate::check::builtin::Builtin;
use crate::check::kind::{Kind, Type};
use crate::check::model::{DefId, Gather, Item, LogicOp, Slot, Term, TermKind};
use crate::rules::adapt;
use crate::rules::code::{CallSpec, EnterSpec, InvokeSpec, Op, PartSpec, Reg, Rep, SliceSpec, Whole};
use crate::rules::value::{Text, Value};

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
            TermKind::Drawing(drawing) => match self.machine.drawing(drawing, term.span) {
                Ok(value) => Operand::Known(value),
                Err(_) => self.fail_later(|machine| machine.drawing_code(drawing)),
            },
            TermKind::Slot(slot) => self.slot(*slot),
            TermKind::Global(global) => {
                if let Some(value) = self.machine.global_value(*global) {
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
                let a = self.at(a.span, |lower| lower.as_word(operand, Rep::Bool));
                let d = self.word();
                self.emit(Op::Not { d, a });
                Operand::Word(d, Rep::Bool)
            }
            TermKind::Logic(op, a, b) => self.logic(*op, a, b),
            TermKind::Iff(a, b) => {
                let (a, b) = (self.truth(a), self.truth(b));
                let d = self.word();
                self.emit(Op::Eq { d, a, b });
                Operand::Word(d, Rep::Bool)
            }
            TermKind::Binary(op, a, b) => self.binary(*op, a, b, &term.ty),
            TermKind::Compare(first, rest) => self.compare_chain(first, rest),
            TermKind::If(condition, yes, no) => self.choice(condition, yes, no, &term.ty),
            TermKind::Tuple(parts) if self.scalar => {
                let parts = parts.iter().map(|part| Part::sure(self.expr(part))).collect();
                self.whole(Whole::Tuple, parts)
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

    /// An error that lowering met is met again when the code runs.
    fn fail_later(&mut self, op: impl FnOnce(&mut crate::rules::machine::Machine) -> u16) -> Operand {
        let d = self.value();
        let drawing = op(self.machine);
        self.emit(Op::Drawing { d, drawing });
        Operand::Value(d)
    }

    /// The term in a value register.
    pub(crate) fn expr_value(&mut self, term: &'p Term) -> Reg {
        let operand = self.expr(term);
        self.as_value(operand)
    }

    /// A truth value in a word register.
    pub(crate) fn truth(&mut self, term: &'p Term) -> Reg {
        let operand = self.expr(term);
        self.at(term.span, |lower| lower.as_word(operand, Rep::Bool))
    }

    fn logic(&mut self, op: LogicOp, a: &'p Term, b: &'p Term) -> Operand {
        let left = self.expr(a);
        if let (true, Operand::Known(Value::Bool(left))) = (self.scalar, &left) {
            return match (op, left) {
                (LogicOp::And | LogicOp::Implies, true) | (LogicOp::Or, false) => {
                    let right = self.expr(b);
                    if let Operand::Known(Value::Bool(_)) = right {
                        return right;
                    }
                    Operand::Word(self.at(b.span, |lower| lower.as_word(right, Rep::Bool)), Rep::Bool)
                }
                (op, _) => Operand::Known(Value::Bool(op != LogicOp::And)),
            };
        }
        let d = self.word();
        let end = self.label();
        let a = self.at(a.span, |lower| lower.as_word(left, Rep::Bool));
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
        Operand::Word(d, Rep::Bool)
    }

    fn choice(&mut self, condition: &'p Term, yes: &'p Term, no: &'p Term, ty: &Type) -> Operand {
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
        let rep = self.common_rep(&first, &second, ty);
        let d = if rep.is_some() { self.word() } else { self.value() };
        let (a, b) = (self.move_op(&first, rep, d), self.move_op(&second, rep, d));
        self.code.ops[hole] = a;
        self.emit(b);
        self.put(end);
        rep.map_or(Operand::Value(d), |rep| Operand::Word(d, rep))
    }

    /// The word form that both operands have or can be loaded in; `None`: a value.
    fn common_rep(&self, a: &Operand, b: &Operand, ty: &Type) -> Option<Rep> {
        match (a, b) {
            (Operand::Word(_, r), Operand::Word(_, s)) => (r == s).then_some(*r),
            (Operand::Word(_, r), Operand::Known(v)) | (Operand::Known(v), Operand::Word(_, r)) => {
                self.known_word(v, *r).map(|_| *r)
            }
            (Operand::Known(Value::Int(_)), Operand::Known(Value::Int(_))) if *ty == Type::Int && self.narrow() => {
                Some(Rep::Int)
            }
            (Operand::Known(Value::Bool(_)), Operand::Known(Value::Bool(_))) => Some(Rep::Bool),
            _ => None,
        }
    }

    /// The one instruction that puts an operand into `d`, a word of that form or a value.
    fn move_op(&mut self, operand: &Operand, rep: Option<Rep>, d: Reg) -> Op {
        match (operand, rep) {
            (Operand::Word(a, _), Some(_)) => Op::Copy { d, a: *a },
            (Operand::Known(value), Some(rep)) => {
                let k = self.known_word(value, rep).unwrap_or(0);
                self.code.wide.push(k);
                Op::ConstWide { d, k: last(self.code.wide.len()) }
            }
            (Operand::Known(value), None) => {
                self.code.constants.push(value.clone());
                Op::Value { d, k: last(self.code.constants.len()) }
            }
            (Operand::Word(a, rep), None) => match *rep {
                Rep::Int => Op::BoxInt { d, a: *a },
                Rep::Bool => Op::BoxBool { d, a: *a },
                Rep::Member(domain) => Op::BoxMember { d, a: *a, domain },
                Rep::Mask(domain) => Op::BoxMask { d, a: *a, domain },
            },
            (Operand::Value(a), _) => Op::Move { d, a: *a },
            (Operand::Parts(_), _) => {
                self.code.makes.push(Self::make(operand));
                Op::Make { d, make: last(self.code.makes.len()) }
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

    fn items(&mut self, gather: Gather, items: &'p [Item]) -> Operand {
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
        let whole = if gather == Gather::List { Whole::List(0) } else { Whole::Set };
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
            && matches!(parts.whole, Whole::List(_) | Whole::Tuple)
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

    fn index(&mut self, base: &'p Term, index: &'p Term, ty: &Type) -> Operand {
        let from = self.expr(base);
        let at = self.expr(index);
        if let Some(item) = self.pick(&from, &at, ty) {
            return item;
        }
        if self.narrow() && index.ty == Type::Int {
            let i = self.as_word(at, Rep::Int);
            if let Operand::Known(Value::List(list)) = &from {
                let int = |v: &Value| if let Value::Int(n) = v { Some(*n) } else { None };
                let items: Option<Vec<i64>> = match list.items.as_ints() {
                    Some(ints) => Some(ints.to_vec()),
                    None => list.items.iter().map(int).collect(),
                };
                if let Some(items) = items {
                    self.code.list_tables.push(crate::rules::code::ListTable {
                        base: list.base,
                        items: items.into(),
                        whole: Whole::List(list.base),
                    });
                    let (d, table) = (self.word(), last(self.code.list_tables.len()));
                    self.emit(Op::ListTable { d, table, a: i });
                    return Operand::Word(d, Rep::Int);
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

    fn builtin(&mut self, word: Builtin, args: &'p [Term], ty: &Type) -> Operand {
        if let [Term { kind: TermKind::Comprehension(Gather::List, value, clauses), .. }] = args
            && let Some(folded) = self.fold(word, value, clauses)
        {
            return folded;
        }
        if let (Builtin::Sum, [Term { kind: TermKind::Comprehension(Gather::List, value, clauses), .. }]) = (word, args)
            && let TermKind::Place(place) = &value.kind
            && !super::fold::gathers_bags(value, clauses)
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
    fn call(&mut self, def: DefId, args: &'p [Option<Term>]) -> Operand {
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
    pub(crate) fn owner_slots(&self, owner: Option<crate::check::model::GameId>) -> Slot {
        owner.map_or(0, |g| {
            let game = &self.program.games[g.0];
            game.params.len() + game.fields.len()
        })
    }

    /// Checks and adapts on entering a declared kind.
    pub(crate) fn enter_kind(&mut self, operand: Operand, kind: &'p Kind, name: &str) -> Operand {
        if let Some(entered) = self.enter_parts(&operand, kind, name) {
            return entered;
        }
        match (kind, &operand) {
            (Kind::Any(_) | Kind::Position | Kind::Vertex(None) | Kind::Edge(None), _)
            | (Kind::Bool, Operand::Word(_, Rep::Bool) | Operand::Known(Value::Bool(_)))
            | (Kind::Text, Operand::Known(Value::Text(_)))
            | (Kind::Int, Operand::Word(_, Rep::Int) | Operand::Known(Value::Int(_) | Value::Big(_))) => operand,
            (Kind::Nat, Operand::Known(Value::Int(n))) if *n >= 0 => operand,
            (Kind::Int, _) if self.narrow() => Operand::Word(self.as_word(operand, Rep::Int), Rep::Int),
            (Kind::Nat, _) if self.narrow() => {
                let a = self.as_word(operand, Rep::Int);
                self.check_nat(a, name);
                Operand::Word(a, Rep::Int)
            }
            (Kind::Graph(word, _), Operand::Known(Value::Graph(graph))) if graph.word == *word => operand,
            (Kind::Set(of), Operand::Word(_, Rep::Mask(_)))
                if matches!(**of, Kind::Vertex(None) | Kind::Edge(None) | Kind::Any(_)) =>
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
                if let TermKind::Slot(slot) = crate::check::walk::named_graph(graph).kind
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

    fn adapt(&mut self, inner: &'p Term, ty: &Type) -> Operand {
        let operand = self.expr(inner);
        match (ty, &operand) {
            (Type::Set(_), Operand::Word(_, Rep::Mask(_))) | (Type::Int, Operand::Word(_, Rep::Int)) => operand,
            _ if self.scalar && self.suits(&operand, ty) => operand,
            (_, Operand::Known(value)) if self.scalar && adapt::adapt(value, ty).is_ok() => {
                Operand::Known(adapt::adapt(value, ty).unwrap_or_else(|_| value.clone()))
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

/// The index of the last of `len` things, as instructions hold it.
pub(crate) fn last(len: usize) -> u16 {
    u16::try_from(len - 1).unwrap_or(u16::MAX)
}
