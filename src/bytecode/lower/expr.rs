//! Terms to operands: choices, collections written out or gathered, calls of words and definitions, which are unfolded
//! where they stand.
//!
//! Folds of words need no list, and ways through clauses that are known when code is made need no builder.

use crate::bytecode::layout::{FieldLayout, LONGEST};
use crate::bytecode::lower::made::Piece;
use crate::bytecode::lower::operand::{Part, Parts};
use crate::bytecode::lower::{FORM_LIMIT, Lower, Operand, Recursion, Scope, SlotState};
use crate::bytecode::{Aggregate, CallSpec, InvokeSpec, ListTable, Op, Reg, SliceSpec, WordType};
use crate::model::{BinaryOp, Builtin, Clause, CompareOp, DefId, Gather, Item, LogicOp, Slot, Term, TermKind, Type};
use crate::value::{Text, Value, width};
use crate::words::number::NumberWord;

impl<'p> Lower<'_, 'p> {
    pub(crate) fn expr(&mut self, term: &'p Term) -> Operand {
        if let Some(value) = self.known(term) {
            return Operand::Known(value);
        }
        self.at(term.span, |lower| match lower.by_table(term) {
            Some(entry) => entry,
            None => lower.expr_here(term),
        })
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
                let global = width::short(global.0);
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
                Operand::Word(self.emit_word(|d| Op::Not { d, a }), WordType::Bool)
            }
            TermKind::Logic(op, a, b) => self.logic(*op, a, b),
            TermKind::Iff(a, b) => {
                let (a, b) = (self.truth(a), self.truth(b));
                Operand::Word(self.emit_word(|d| Op::Eq { d, a, b }), WordType::Bool)
            }
            TermKind::Binary(op, a, b) => self.binary(*op, a, b, &term.ty),
            TermKind::Compare(first, rest) => self.compare_chain(first, rest),
            TermKind::If(condition, yes, no) => self.choice(condition, yes, no),
            TermKind::Tuple(parts) => {
                let parts = parts.iter().map(|part| Part::sure(self.expr(part))).collect();
                self.whole(Aggregate::Tuple, parts)
            }
            TermKind::Items(gather, items) => self.items(*gather, items),
            TermKind::Comprehension(gather, value, clauses) => self.comprehension(*gather, value, clauses),
            TermKind::Index(base, index) => self.index(base, index, &term.ty),
            TermKind::Slice(base, from, to) => {
                let base = self.expr(base);
                self.slice(base, from.as_deref(), to.as_deref())
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
                Operand::Value(self.emit_value(|d| Op::Misere { d, a }))
            }
            TermKind::Coerce(inner, kind) => {
                let operand = self.expr(inner);
                self.enter_kind(operand, kind, "the result")
            }
            TermKind::Adapt(inner) => self.adapt(inner, &term.ty),
        }
    }

    pub(crate) fn expr_value(&mut self, term: &'p Term) -> Reg {
        let operand = self.expr(term);
        self.as_value(operand)
    }

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
        if let (true, Some(Value::Bool(right))) = (self.scalar, self.known(b)) {
            let a = self.at(a.span, |lower| lower.as_word(left, WordType::Bool));
            return match (op, right) {
                (LogicOp::And, true) | (LogicOp::Or, false) => Operand::Word(a, WordType::Bool),
                (LogicOp::Implies, false) => Operand::Word(self.emit_word(|d| Op::Not { d, a }), WordType::Bool),
                (_, right) => Operand::Known(Value::Bool(right)),
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
            LogicOp::And => Op::JumpUnless { a: d, to: Self::to(end) },
            LogicOp::Or | LogicOp::Implies => Op::JumpIf { a: d, to: Self::to(end) },
        });
        let b = self.truth(b);
        self.emit(Op::Copy { d, a: b });
        self.put(end);
        Operand::Word(d, WordType::Bool)
    }

    fn choice(&mut self, condition: &'p Term, yes: &'p Term, no: &'p Term) -> Operand {
        if let Some(chosen) = self.chosen_number(condition, yes, no) {
            return chosen;
        }
        let (otherwise, end) = (self.label(), self.label());
        if let Some(truth) = self.test(condition, otherwise) {
            self.put(otherwise);
            return self.expr(if truth { yes } else { no });
        }
        let first = self.expr(yes);
        // The form of the result is known when both ways are; the first way's last steps are filled in then.
        let hole = self.code.ops.len();
        self.emit(Op::Jump { to: Self::to(end) });
        self.put(otherwise);
        let second = self.expr(no);
        let mold = self.common_mold([&first, &second].into_iter());
        if mold == FieldLayout::Value
            && let Some((parts, flags)) = self.one_of_two(&first, &second)
        {
            self.insert(hole, hole + 1, |lower| flags.iter().for_each(|flag| flag.set(lower, true)));
            for flag in &flags {
                flag.set(self, false);
            }
            self.put(end);
            return parts;
        }
        let d = self.registers_like(&mold);
        self.insert(hole, hole + 1, |lower| lower.copy_into(&d, &first));
        self.copy_into(&d, &second);
        self.put(end);
        d
    }

    /// One of two known small numbers, without a jump. `None`: nothing was done.
    fn chosen_number(&mut self, condition: &'p Term, yes: &'p Term, no: &'p Term) -> Option<Operand> {
        if !self.scalar || !self.narrow() {
            return None;
        }
        let small = |value: Option<Value>| if let Some(Value::Int(n)) = value { i16::try_from(n).ok() } else { None };
        let (yes, no) = (small(self.known(yes))?, small(self.known(no))?);
        let by = yes.checked_sub(no)?;
        let truth = match self.expr(condition) {
            Operand::Known(Value::Bool(truth)) => {
                return Some(Operand::Known(Value::Int(if truth { yes } else { no }.into())));
            }
            operand => self.at(condition.span, |lower| lower.as_word(operand, WordType::Bool)),
        };
        let mut chosen = truth;
        if by != 1 {
            let b = self.pooled(by.into());
            chosen = self.emit_word(|d| Op::Mul { d, a: chosen, b });
        }
        if no != 0 {
            chosen = self.emit_word(|d| Op::AddConst { d, a: chosen, k: no });
        }
        Some(Operand::Word(chosen, WordType::Int))
    }

    pub(crate) fn register_list(&mut self, registers: Vec<Reg>) -> u16 {
        self.entry(|code| &mut code.registers, registers.into())
    }

    pub(super) fn items(&mut self, gather: Gather, items: &'p [Item]) -> Operand {
        if let (Gather::Set, [Item { term, spread: true }]) = (gather, items)
            && let Some(mask) = self.range_mask(term)
        {
            return mask;
        }
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
        Operand::Value(self.emit_value(|d| Op::BuildDone { d, gather }))
    }

    /// A list or set written out, as parts.
    fn literal(&mut self, gather: Gather, items: &[(Operand, bool)]) -> Option<Operand> {
        if !self.scalar {
            return None;
        }
        let whole = if gather == Gather::List { Aggregate::List(0) } else { Aggregate::Set { ascending: false } };
        let mut parts = Vec::with_capacity(items.len());
        for (operand, spread) in items {
            match operand {
                _ if *spread => {
                    let spread = self.parts(operand)?;
                    if matches!(spread.whole, Aggregate::Bag { .. }) {
                        return None;
                    }
                    parts.extend(spread.parts.iter().cloned());
                }
                Operand::Known(Value::Range(..)) => return None,
                Operand::Value(_) if gather == Gather::Set => return None,
                _ => parts.push(Part::sure(operand.clone())),
            }
        }
        Some(self.whole(whole, parts))
    }

    pub(crate) fn part(&mut self, of: Operand, index: usize, arity: usize) -> Operand {
        let of = self.as_label(of);
        if let Some(parts) = self.sure_parts(&of)
            && matches!(parts.whole, Aggregate::List(_) | Aggregate::Tuple)
            && parts.parts.len() == arity
        {
            return parts.parts[index].operand.clone();
        }
        if let Some(end) = self.end_of(&of, index, arity) {
            return end;
        }
        let a = self.as_value(of);
        let [index, arity] = [index, arity].map(|number| self.number(number));
        Operand::Value(self.emit_value(|d| Op::Part { d, a, index, arity }))
    }

    pub(super) fn index(&mut self, base: &'p Term, index: &'p Term, ty: &Type) -> Operand {
        if let Some(item) = self.square_entry(base, index) {
            return item;
        }
        let mark = self.mark();
        let mut from = self.expr(base);
        if matches!(from, Operand::Value(_)) && self.all_made(base).is_some() {
            self.go_back(mark);
            if let Some(item) = self.item_made(base, index, ty) {
                return item;
            }
            from = self.expr(base);
        }
        if let TermKind::Binary(BinaryOp::Range, first, last) = &index.kind
            && matches!(base.ty, Type::List(_) | Type::Text)
        {
            return self.slice(from, Some(first), Some(last));
        }
        let at = self.expr(index);
        self.item(from, at, (index, ty))
    }

    /// `xs[i]` of operands.
    fn item(&mut self, from: Operand, at: Operand, (index, ty): (&Term, &Type)) -> Operand {
        let ints = matches!(&from, Operand::Known(Value::List(list)) if list.items.as_ints().is_some());
        if let Some(item) = self.list_entry(&from, &at).filter(|_| !ints) {
            return item;
        }
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
                    let whole = Aggregate::List(list.base);
                    let table = ListTable { base: list.base, items: items.into(), whole };
                    let table = self.entry(|code| &mut code.list_tables, table);
                    return Operand::Word(self.emit_word(|d| Op::ListTable { d, table, a: i }), WordType::Int);
                }
            }
            let a = self.as_value(from);
            if *ty == Type::Int {
                return Operand::Word(self.emit_word(|d| Op::IndexInt { d, a, i }), WordType::Int);
            }
            return Operand::Value(self.emit_value(|d| Op::IndexWord { d, a, i }));
        }
        let (a, i) = (self.as_value(from), self.as_value(at));
        Operand::Value(self.emit_value(|d| Op::Index { d, a, i }))
    }

    fn slice(&mut self, base: Operand, first: Option<&'p Term>, last: Option<&'p Term>) -> Operand {
        if let Some(cut) = self.short_slice(&base, first, last) {
            return cut;
        }
        let [from, to] = [first, last].map(|end| end.map(|end| self.expr(end)));
        if let Some(cut) = self.cut(&base, from.as_ref(), to.as_ref()) {
            return cut;
        }
        let a = self.as_value(base);
        let (from, to) = (from.map(|o| self.as_value(o)), to.map(|o| self.as_value(o)));
        let d = self.value();
        let spec = self.entry(|code| &mut code.slices, SliceSpec { d, a, from, to });
        self.emit(Op::Slice { spec });
        Operand::Value(d)
    }

    /// `xs[i..i + 2]`, of which it is known how long it is, by its items.
    fn short_slice(&mut self, base: &Operand, first: Option<&'p Term>, last: Option<&'p Term>) -> Option<Operand> {
        const ITEMS: i64 = 8;
        let (first, last) = (first?, last?);
        let ((of, from), (other, to)) = (displaced(first)?, displaced(last)?);
        let count = to.checked_sub(from)?.checked_add(1)?;
        if of != other || !(1..=ITEMS).contains(&count) || !self.narrow() {
            return None;
        }
        let parts =
            self.sure_parts(base).filter(|parts| matches!(parts.whole, Aggregate::List(_) | Aggregate::Text))?;
        let whole = if parts.whole == Aggregate::Text { Aggregate::Text } else { Aggregate::List(0) };
        let at = self.expr(first);
        if !matches!(at, Operand::Word(_, WordType::Int)) {
            return None;
        }
        let mut kept = Vec::new();
        for place in 0..count {
            let at = self.int_binary(BinaryOp::Add, &at, &Operand::Known(Value::Int(place)))?;
            kept.push(Part::sure(self.pick(base, &at, &Type::Int)?));
        }
        Some(self.whole(whole, kept))
    }

    pub(crate) fn call_word(&mut self, word: Builtin, args: &[Operand]) -> Operand {
        let args: Vec<Reg> = args.iter().map(|a| self.as_value(a.clone())).collect();
        let d = self.value();
        let spec = self.entry(|code| &mut code.calls, CallSpec { word, d, args: args.into() });
        self.emit(Op::Call { spec });
        Operand::Value(d)
    }

    pub(super) fn builtin(&mut self, word: Builtin, args: &'p [Term], ty: &Type) -> Operand {
        if let Some(operands) = self.beside_operands(word, args) {
            return self.beside_word(word, &operands);
        }
        if let (Builtin::Size, [Term { kind: TermKind::Builtin(Builtin::Tally, list), .. }]) = (word, args) {
            // As many as there are different members.
            let list = list.iter().map(|list| self.expr(list)).collect::<Vec<_>>();
            let set = self.parts_word(Builtin::Set, &list, ty);
            let size = set.and_then(|set| self.parts_word(Builtin::Size, &[set], ty));
            return size.unwrap_or_else(|| {
                let tally = self.call_word(Builtin::Tally, &list);
                self.call_word(Builtin::Size, &[tally])
            });
        }
        if let [collection] = args
            && let Some(folded) = self.fold(word, collection)
        {
            return folded;
        }
        if let (Builtin::Sum, [Term { kind: TermKind::Comprehension(Gather::List, value, clauses), .. }]) = (word, args)
            && let TermKind::Place(place) = &value.kind
            && !gathers_bags(value, clauses)
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
        let done = self.special_word(word, &operands, ty).or_else(|| self.number_word(word, &operands, args));
        done.unwrap_or_else(|| self.call_word(word, &operands))
    }

    /// A word of what is known, or known by parts, or of sets in words.
    fn special_word(&mut self, word: Builtin, operands: &[Operand], ty: &Type) -> Option<Operand> {
        let done = self.known_call(word, operands).or_else(|| self.parts_word(word, operands, ty));
        done.or_else(|| self.set_word(word, operands, ty))
    }

    /// A def: unfolded where it stands unless it is recursive.
    pub(super) fn call(&mut self, def: DefId, args: &'p [Option<Term>]) -> Operand {
        let given = self.arguments(args);
        self.call_with(def, given)
    }

    /// The same with these arguments.
    pub(super) fn call_with(&mut self, def: DefId, given: Vec<Option<Operand>>) -> Operand {
        let callee = &self.program.defs[def.0];
        let Some(body) = &callee.body else { return Operand::Known(Value::Int(0)) };
        if callee.recursive {
            return self.recurse(def, body, &given).unwrap_or_else(|| self.invoke(def, given));
        }
        if self.is_big() {
            return self.invoke(def, given);
        }
        self.unfolded_body(def, body, given)
    }

    fn unfolded_body(&mut self, def: DefId, body: &'p Term, given: Vec<Option<Operand>>) -> Operand {
        let callee = &self.program.defs[def.0];
        self.unfold(def, body, given);
        let mut result = self.expr(body);
        if let Some(kind) = &callee.result {
            result = self.enter_kind(result, kind, &callee.name);
        }
        self.leave();
        result
    }

    /// A def that calls itself on lists of known length, unfolded until it does so no more. `None`: it has no such argument, or
    /// does not end soon, as where the length does not decide.
    fn recurse(&mut self, def: DefId, body: &'p Term, given: &[Option<Operand>]) -> Option<Operand> {
        const OPS: usize = 4000;
        const DEPTH: usize = LONGEST + 16;
        const CALLS: usize = 512;
        const STACK: usize = 1 << 20;
        const BYTES: usize = 1 << 16;
        /// Then it is tried no more.
        const TIMES: usize = 2;
        if self.endless.iter().filter(|endless| **endless == def).count() >= TIMES {
            return None;
        }
        let lists = |parts: &Parts| matches!(parts.whole, Aggregate::List(_) | Aggregate::Text | Aggregate::Grid(_));
        if !given.iter().flatten().any(|operand| self.sure_parts(operand).is_some_and(|parts| lists(&parts))) {
            return None;
        }
        let ops = self.code.ops.len();
        let outermost = self.recursion.is_none().then(|| self.mark());
        let known = given.iter().flatten().filter_map(|operand| match operand {
            Operand::Known(value) => Some(value.bytes()),
            _ => None,
        });
        let known: usize = known.sum();
        let begun = Recursion { ops: ops + OPS, depth: 0, calls: 0, bytes: known + BYTES, failed: false };
        let recursion = self.recursion.get_or_insert(begun);
        recursion.calls += 1;
        let longer = recursion.depth == DEPTH || recursion.calls > CALLS;
        recursion.failed |= longer || ops > recursion.ops || known > recursion.bytes;
        if recursion.failed {
            return None;
        }
        recursion.depth += 1;
        let result = stacker::maybe_grow(STACK / 4, STACK, || self.unfolded_body(def, body, given.to_vec()));
        let recursion = self.recursion.as_mut()?;
        recursion.depth -= 1;
        let failed = recursion.failed;
        if let Some(mark) = outermost {
            self.recursion = None;
            if failed {
                self.endless.push(def);
                self.go_back(mark);
                return None;
            }
        }
        Some(result)
    }

    pub(super) fn arguments(&mut self, args: &'p [Option<Term>]) -> Vec<Option<Operand>> {
        args.iter().map(|a| a.as_ref().map(|a| self.expr(a))).collect()
    }

    /// The parameters and fields of the game that a def belongs to.
    fn owned(&mut self, def: DefId) -> Vec<Operand> {
        let game = self.program.defs[def.0].owner.map(|game| &self.program.games[game.0]);
        let owned = game.map_or(0, |game| game.params.len() + game.fields.len());
        (0..owned).map(|slot| self.slot(slot)).collect()
    }

    /// A def as a call.
    pub(super) fn invoke(&mut self, def: DefId, given: Vec<Option<Operand>>) -> Operand {
        let all = self.owned(def).into_iter().map(Some).chain(given);
        let args: Vec<Option<Reg>> = all.map(|a| a.map(|a| self.as_value(a))).collect();
        let d = self.value();
        let spec = self.entry(|code| &mut code.invokes, InvokeSpec { def, d, args: args.into() });
        self.emit(Op::Invoke { spec });
        Operand::Value(d)
    }

    /// Enters the scope of a def with these arguments.
    pub(super) fn unfold(&mut self, def: DefId, body: &'p Term, given: Vec<Option<Operand>>) {
        let callee = &self.program.defs[def.0];
        let own = if callee.owner.is_some() { self.scope().own } else { None };
        let mut scope = Scope::new(&callee.frame, own);
        for (slot, operand) in self.owned(def).into_iter().enumerate() {
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
    }

    /// Enters it again.
    pub(super) fn enter_again(&mut self, scope: Scope<'p>) {
        self.unfolded += 1;
        self.scopes.push(scope);
    }

    /// Leaves it.
    pub(super) fn leave(&mut self) -> Option<Scope<'p>> {
        self.unfolded -= 1;
        self.scopes.pop()
    }

    pub(crate) fn comprehension(&mut self, gather: Gather, value: &'p Term, clauses: &'p [Clause]) -> Operand {
        if let Some(parts) = self.gathered(gather, value, clauses) {
            return parts;
        }
        let mark = self.mark();
        match self.gathered_in_mask(gather, value, clauses, true) {
            Ok(Some(mask)) => return mask,
            Ok(None) => {}
            // Some ways end in members of a domain, others do not: from the start, with all of them as values.
            Err(Mixed) => {
                self.go_back(mark);
                let _built = self.gathered_in_mask(gather, value, clauses, false);
            }
        }
        Operand::Value(self.emit_value(|d| Op::BuildDone { d, gather }))
    }

    /// Gathers in a mask where all ways end in members of one small domain; whether they do shows in the innermost loop, so one
    /// instruction before the loops is replaced afterwards. `None`: items are built. `masks`: whether that may be tried.
    fn gathered_in_mask(
        &mut self,
        gather: Gather,
        value: &'p Term,
        clauses: &'p [Clause],
        masks: bool,
    ) -> Result<Option<Operand>, Mixed> {
        let mask = self.word();
        let begin = self.code.ops.len();
        self.emit(Op::Build);
        let (mut domain, mut mixed, mut built) = (None, false, false);
        let tagged = gathers_bags(value, clauses);
        self.counted_clauses_if(tagged, clauses, &mut |lower, counters| {
            let operand = lower.expr(value);
            let open = !tagged && matches!(operand, Operand::Word(..) | Operand::Parts(_));
            let small = lower.small_domains().find(|&of| open && lower.is_small_member(&operand, of));
            let small = small.or_else(|| lower.sure_number(&operand));
            match (gather, operand.member().or(small)) {
                (Gather::Set, Some(of)) if masks && lower.fits_mask(of) => {
                    mixed |= domain.is_some_and(|domain| domain != of);
                    domain = Some(of);
                    let a = lower.as_word(operand, WordType::Member(of));
                    let single = lower.emit_word(|d| Op::Single { d, a });
                    lower.emit(Op::Or { d: mask, a: mask, b: single });
                }
                _ => {
                    built = true;
                    let mut a = lower.as_value(operand);
                    if tagged {
                        let d = lower.emit_value(|d| Op::Move { d, a });
                        let spec = lower.register_list(counters.to_vec());
                        lower.emit(Op::Tag { d, spec });
                        a = d;
                    }
                    lower.emit(Op::BuildPush { a });
                }
            }
        });
        match domain {
            Some(of) if !mixed && !built => {
                self.code.ops[begin] = Op::Const { d: mask, k: 0 };
                Ok(Some(Operand::Word(mask, WordType::Mask(of))))
            }
            Some(_) => Err(Mixed),
            None => Ok(None),
        }
    }

    /// A fold of ints or truth values, or how many members there are, of a collection that is gone through as it is made. Everything
    /// is evaluated, as in the list (rule 21).
    pub(super) fn fold(&mut self, word: Builtin, collection: &'p Term) -> Option<Operand> {
        use Builtin as B;
        let (Type::List(of) | Type::Set(of)) = &collection.ty else { return None };
        let word_type = match word {
            B::Min | B::Max if matches!(**of, Type::Tuple(_)) => return self.extreme_tuple(word, collection),
            B::Sum | B::Xor | B::Product | B::Gcd | B::Min | B::Max if **of == Type::Int && self.narrow() => {
                WordType::Int
            }
            B::Count | B::Any | B::All if **of == Type::Bool => WordType::Bool,
            B::Size => WordType::Int,
            _ => return None,
        };
        let may_repeat = matches!(word, B::Min | B::Max | B::Gcd | B::Any | B::All);
        if let TermKind::Comprehension(Gather::List, value, clauses) = &collection.kind {
            return Some(self.fold_words(word, None, |lower, take| {
                lower.clauses(clauses, false, &mut |lower| {
                    let operand = lower.expr(value);
                    let b = lower.at(value.span, |lower| lower.folded(word, operand, word_type));
                    take(lower, b);
                });
            }));
        }
        if !self.scalar || self.known(collection).is_some() || self.few_parts_made(collection, may_repeat).is_none() {
            return None;
        }
        Some(self.fold_words(word, None, |lower, take| {
            lower.through(collection, &mut Vec::new(), may_repeat, &mut |lower, piece| match piece {
                Piece::Member(operand) => {
                    let b = lower.folded(word, operand, word_type);
                    take(lower, b);
                }
                Piece::Whole(all) => {
                    let nothing = lower.label();
                    if matches!(word, B::Min | B::Max) {
                        let size = lower.special_word(B::Size, std::slice::from_ref(&all), &Type::Int);
                        let size = size.unwrap_or_else(|| lower.call_word(B::Size, std::slice::from_ref(&all)));
                        let size = lower.as_word(size, WordType::Int);
                        lower.emit(Op::JumpUnless { a: size, to: Self::to(nothing) });
                    }
                    let ty = if matches!(word, B::Any | B::All) { Type::Bool } else { Type::Int };
                    let folded = lower.special_word(word, std::slice::from_ref(&all), &ty);
                    let folded = folded.unwrap_or_else(|| lower.call_word(word, &[all]));
                    let b = lower.as_word(folded, if ty == Type::Bool { WordType::Bool } else { WordType::Int });
                    take(lower, b);
                    lower.put(nothing);
                }
            });
        }))
    }

    /// The least or greatest of tuples of ints that are made one after the other. `None`: nothing was done.
    fn extreme_tuple(&mut self, word: Builtin, tuples: &'p Term) -> Option<Operand> {
        let (Type::List(of) | Type::Set(of)) = &tuples.ty else { return None };
        let Type::Tuple(parts) = &**of else { return None };
        let ints = parts.iter().all(|part| *part == Type::Int) && self.scalar && self.narrow();
        if !ints || self.known(tuples).is_some() || self.few_parts_made(tuples, true).is_none() {
            return None;
        }
        let mark = self.mark();
        let int = FieldLayout::Word(WordType::Int);
        let best = self.registers_like(&FieldLayout::Parts(Aggregate::Tuple, vec![int; parts.len()].into()));
        let (any, mut fine) = (self.constant(0), true);
        self.through(tuples, &mut Vec::new(), true, &mut |lower, piece| {
            let Piece::Member(member) = piece else {
                fine = false;
                return;
            };
            let (take, kept) = (lower.label(), lower.label());
            lower.emit(Op::JumpUnless { a: any, to: Self::to(take) });
            let (less, more) = if word == Builtin::Max { (&best, &member) } else { (&member, &best) };
            let better = match lower.sure_parts(&member) {
                Some(_) => lower.compare_operands(CompareOp::Lt, less, more),
                None => Ok(false),
            };
            match better {
                Err(a) => lower.emit(Op::JumpUnless { a, to: Self::to(kept) }),
                Ok(_) => fine = false,
            }
            lower.put(take);
            if fine {
                lower.copy_into(&best, &member);
            }
            lower.emit(Op::Const { d: any, k: 1 });
            lower.put(kept);
        });
        if !fine {
            self.go_back(mark);
            return None;
        }
        let some = self.label();
        self.emit(Op::JumpIf { a: any, to: Self::to(some) });
        self.emit(Op::NothingIn { max: word == Builtin::Max });
        self.put(some);
        Some(best)
    }

    /// What a member adds to a fold.
    fn folded(&mut self, word: Builtin, member: Operand, word_type: WordType) -> Reg {
        if word == Builtin::Size { self.pooled(1) } else { self.as_word(member, word_type) }
    }

    /// An item of a list that is gone through as it is made. The list is made only where the index is outside of it, which tells
    /// the error.
    fn item_made(&mut self, list: &'p Term, index: &'p Term, ty: &Type) -> Option<Operand> {
        let fits = self.scalar && self.narrow() && index.ty == Type::Int;
        let parts = if fits { self.all_made(list)? } else { return None };
        if parts > 1 && *ty != Type::Int {
            return None;
        }
        let mark = self.mark();
        let i = self.expr(index);
        let (i, at) = (self.as_word(i, WordType::Int), self.constant(0));
        let (mut found, mut fine): (Option<(FieldLayout, Operand)>, bool) = (None, true);
        self.through(list, &mut Vec::new(), false, &mut |lower, piece| {
            let Piece::Member(member) = piece else { return };
            let (mold, d) = found.get_or_insert_with(|| {
                let int = FieldLayout::Word(WordType::Int);
                let mold = if *ty == Type::Int { int } else { lower.common_mold(std::iter::once(&member)) };
                let d = lower.registers_like(&mold);
                (mold, d)
            });
            // Written out for each turn of a loop, members may have other forms.
            fine &= *ty == Type::Int || lower.fits(mold, &member);
            if !fine {
                return;
            }
            let other = lower.label();
            lower.emit(Op::JumpNe { a: at, b: i, to: Self::to(other) });
            lower.copy_into(d, &member);
            lower.put(other);
            lower.emit(Op::AddConst { d: at, a: at, k: 1 });
        });
        let Some((_, found)) = found.filter(|_| fine) else {
            self.go_back(mark);
            return None;
        };
        let (outside, inside) = (self.label(), self.label());
        let zero = self.pooled(0);
        self.emit(Op::JumpLt { a: i, b: zero, to: Self::to(outside) });
        self.emit(Op::JumpLt { a: i, b: at, to: Self::to(inside) });
        self.put(outside);
        let from = self.expr_value(list);
        if *ty == Type::Int {
            self.emit_word(|d| Op::IndexInt { d, a: from, i });
        } else {
            self.emit_value(|d| Op::IndexWord { d, a: from, i });
        }
        self.put(inside);
        Some(found)
    }

    /// Folds words; `each` is told what takes one of them. `first`: one that is there for sure, of which `min` and `max` begin.
    pub(crate) fn fold_words(
        &mut self,
        word: Builtin,
        first: Option<Reg>,
        each: impl FnOnce(&mut Self, &mut dyn FnMut(&mut Self, Reg)),
    ) -> Operand {
        use Builtin as B;
        let extremum = matches!(word, B::Min | B::Max);
        let d = if extremum { self.word() } else { self.constant(i64::from(matches!(word, B::All | B::Product))) };
        if let Some(a) = first {
            self.emit(Op::Copy { d, a });
        }
        // Whether there was one so far.
        let any = (extremum && first.is_none()).then(|| self.constant(0));
        each(self, &mut |lower, b| {
            let done = lower.label();
            if let Some(any) = any {
                let later = lower.label();
                lower.emit(Op::JumpIf { a: any, to: Self::to(later) });
                lower.emit(Op::Const { d: any, k: 1 });
                lower.emit(Op::Copy { d, a: b });
                lower.emit(Op::Jump { to: Self::to(done) });
                lower.put(later);
            }
            lower.emit(match word {
                B::Sum | B::Count | B::Size => Op::Add { d, a: d, b },
                B::Xor => Op::NatXor { d, a: d, b },
                B::Product => Op::Mul { d, a: d, b },
                B::Gcd => Op::Number { word: NumberWord::Gcd, d, a: d, b },
                B::Any => Op::Or { d, a: d, b },
                B::All => Op::And { d, a: d, b },
                B::Min => Op::Min { d, a: d, b },
                _ => Op::Max { d, a: d, b },
            });
            lower.put(done);
        });
        if let Some(any) = any {
            let fine = self.label();
            self.emit(Op::JumpIf { a: any, to: Self::to(fine) });
            self.emit(Op::NothingIn { max: word == B::Max });
            self.put(fine);
        }
        Operand::Word(d, if matches!(word, B::Any | B::All) { WordType::Bool } else { WordType::Int })
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
        let mark = self.mark();
        let around = (std::mem::take(&mut self.loops), std::mem::take(&mut self.doubts));
        let (mut ways, mut flags, mut fine) = (Vec::new(), Vec::new(), true);
        self.clauses(clauses, false, &mut |lower| {
            fine &= lower.loops == 0 && ways.len() < FORM_LIMIT;
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
            self.go_back(mark);
            return None;
        }
        self.insert(mark.ops, mark.ops + 1, |lower| flags.iter().for_each(|&d| lower.emit(Op::Const { d, k: 0 })));
        Some(ways)
    }

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
        let whole = if gather == Gather::List { Aggregate::List(0) } else { Aggregate::Set { ascending: false } };
        Some(self.whole(whole, ways.into_iter().map(|(flag, operand)| Part { flag, operand }).collect()))
    }
}

/// Some ways through clauses end in members of a domain and others do not; nothing of use was done.
struct Mixed;

/// Whether positions are gathered that differ only in binders over bags (rule 27).
fn gathers_bags(value: &Term, clauses: &[Clause]) -> bool {
    value.ty == Type::Position
        && clauses.iter().any(|c| matches!(c, Clause::In { source, .. } if matches!(source.ty, Type::Bag(_))))
}

/// A name and what is added to it.
fn displaced(term: &Term) -> Option<(Slot, i64)> {
    let int = |term: &Term| if let TermKind::Int(n) = &term.kind { i64::try_from(n).ok() } else { None };
    match &term.kind {
        TermKind::Slot(slot) => Some((*slot, 0)),
        TermKind::Binary(BinaryOp::Add, a, b) => {
            let (slot, by) = displaced(a)?;
            Some((slot, by.checked_add(int(b)?)?))
        }
        TermKind::Binary(BinaryOp::Sub, a, b) => {
            let (slot, by) = displaced(a)?;
            Some((slot, by.checked_sub(int(b)?)?))
        }
        _ => None,
    }
}
