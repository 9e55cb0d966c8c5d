//! Code run for a component or a state: terms, clauses, single moves by their names, `end when`, `legal when`, `same as`.
//!
//! Code is compiled once and kept by what it was compiled from. Rows of states of one int are gone through by
//! [native code](RowCode) where that can be, and by the instruction loop for the rows that it cannot decide, of which the
//! first faults if any does.

use crate::bytecode::lower::{self, InGame};
use crate::bytecode::{Code, FieldReg, InstanceId, Registers, WordType};
use crate::model::walk::bound_slots;
use crate::model::{Clause, DefId, Frame, Game, GameId, Program, Slot, Term};
use crate::source::{Class, Span, diagnostic};
use crate::store::ComponentId;
use crate::tables::RowCode;
use crate::value::limits::Pace;
use crate::value::{Fault, Halt, Items, Run, Value};
use crate::vm::context::{CodeKey, Context};
use crate::vm::run::{MoveTarget, Options, Runner, Status};
use crate::vm::size_window::SizeWindow;
use std::sync::Arc;

impl Context {
    fn kept(
        &mut self,
        key: CodeKey,
        instance: Option<InstanceId>,
        make: impl FnOnce(&mut Context) -> Arc<Code>,
    ) -> Arc<Code> {
        if let Some(code) = self.code.codes.get(&(key, instance)) {
            return code.clone();
        }
        let code = make(self);
        self.run.lowered(&code);
        self.code.codes.insert((key, instance), code.clone());
        code
    }

    /// Runs code about a component: its inputs are the fields, then the values given besides. The code is that of the
    /// component's instance, or of the base, which takes states of any lengths.
    pub(super) fn run_at(
        &mut self,
        code: &Arc<Code>,
        id: ComponentId,
        given: &[Value],
        out: &mut Options,
    ) -> Run<Value> {
        self.execute(code, out, |ctx, regs| {
            let (fields, rest) = code.inputs.split_at(code.inputs.len() - given.len());
            match code.instance.filter(|of| *of != ctx.store.instance_of[id.index()]) {
                Some(of) => {
                    let word_types = &ctx.store.instances[of].word_types;
                    ctx.store.load_values(&ctx.store.state_values(id), word_types, fields, regs)?;
                }
                None => ctx.store.load(id, fields, regs)?,
            }
            ctx.put(rest, given, regs)
        })
    }

    /// Of a term that reads no slot from outside.
    pub fn eval(&mut self, frame: &Frame, term: &Term) -> Run<Value> {
        self.eval_with(frame, &[], &[], term)
    }

    /// The value of a term of the program, given the values of some slots.
    pub fn eval_with(&mut self, frame: &Frame, slots: &[Slot], values: &[Value], term: &Term) -> Run<Value> {
        let program = self.session.program.clone();
        let code = self
            .kept(CodeKey::Term(term.id()), None, |m| lower::lower_term(m, &program, frame, None, &[], slots, term));
        let mut out = Options::default();
        self.execute(&code, &mut out, |_, regs| {
            regs.values[1..=values.len()].clone_from_slice(values);
            Ok(())
        })
        .map_err(|halt| halt.placed(term.span))
    }

    /// The value of a term with known slots worked in; nothing kept.
    pub(crate) fn eval_once(
        &mut self,
        frame: &Frame,
        own: Option<InstanceId>,
        known: &[(Slot, Value)],
        term: &Term,
    ) -> Run<Value> {
        let program = self.session.program.clone();
        let code = lower::lower_term(self, &program, frame, own, known, &[], term);
        self.run.lowered(&code);
        self.execute(&code, &mut Options::default(), |_, _| Ok(())).map_err(|halt| halt.placed(term.span))
    }

    /// Every way through clauses of the program: the values of `yields` for each.
    pub fn ways(&mut self, frame: &Frame, clauses: &[Clause], yields: &[Slot]) -> Run<Vec<Vec<Value>>> {
        Ok(self.windowed_ways(frame, clauses, yields, SizeWindow::default())?.0)
    }

    /// The ways through clauses that a window admits, together with the window, which has counted all of them.
    pub fn windowed_ways(
        &mut self,
        frame: &Frame,
        clauses: &[Clause],
        yields: &[Slot],
        window: SizeWindow,
    ) -> Run<(Vec<Vec<Value>>, SizeWindow)> {
        let program = self.session.program.clone();
        let code = lower::lower_clauses(self, &program, frame, clauses, yields);
        self.run.lowered(&code);
        let mut out = Options { window: Some(window), ..Options::default() };
        self.execute(&code, &mut out, |_, _| Ok(()))?;
        let window = out.window.take().unwrap_or_default();
        if window.overflow {
            out.yields.clear();
        }
        Ok((out.yields, window))
    }

    /// The value of a term about a component, inside its game.
    pub fn eval_at(&mut self, id: ComponentId, term: &Term) -> Run<Value> {
        let code = self.code_in_game(self.store.base_of(id), term);
        self.run_at(&code, id, &[], &mut Options::default()).map_err(|halt| halt.placed(term.span))
    }

    /// Every way through clauses about a component, inside its game.
    pub fn ways_at(&mut self, id: ComponentId, clauses: &[Clause], yields: &[Slot]) -> Run<Vec<Vec<Value>>> {
        let code = self.ways_code(self.store.base_of(id), clauses, None, yields);
        let mut out = Options::default();
        self.run_at(&code, id, &[], &mut out)?;
        Ok(out.yields)
    }

    /// Code that yields slots for every way through clauses about a state and, in the slot `given`, one more value.
    fn ways_code(
        &mut self,
        instance: InstanceId,
        clauses: &[Clause],
        given: Option<Slot>,
        yields: &[Slot],
    ) -> Arc<Code> {
        let program = self.session.program.clone();
        let make = |ctx: &mut Context| InGame::new(ctx, &program, instance).clauses(clauses, given, yields);
        match CodeKey::clauses(clauses, given) {
            Some(key) => self.kept(key, Some(instance), make),
            None => make(self),
        }
    }

    /// The value of a term about a state, inside its game.
    pub fn eval_in_game(&mut self, instance: InstanceId, term: &Term, state: &Arc<[Value]>) -> Run<Value> {
        let instance = self.store.instances[instance].base;
        let code = self.code_in_game(instance, term);
        let word_types = self.store.instances[instance].word_types.clone();
        self.execute(&code, &mut Options::default(), |m, regs| {
            m.store.load_values(state, &word_types, &code.inputs, regs)
        })
        .map_err(|halt| halt.placed(term.span))
    }

    fn code_in_game(&mut self, instance: InstanceId, term: &Term) -> Arc<Code> {
        let program = self.session.program.clone();
        self.kept(CodeKey::Term(term.id()), Some(instance), |m| InGame::new(m, &program, instance).term(term))
    }

    /// Every way through clauses about a state, inside its game.
    pub fn ways_in_game(
        &mut self,
        instance: InstanceId,
        clauses: &[Clause],
        yields: &[Slot],
        state: &Arc<[Value]>,
    ) -> Run<Vec<Vec<Value>>> {
        let instance = self.store.instances[instance].base;
        let code = self.ways_code(instance, clauses, None, yields);
        let word_types = self.store.instances[instance].word_types.clone();
        let mut out = Options::default();
        self.execute(&code, &mut out, |m, regs| m.store.load_values(state, &word_types, &code.inputs, regs))?;
        Ok(out.yields)
    }

    /// Every way through clauses about a component, inside its game as `program` has it: with the games and definitions of
    /// the context's own program, and perhaps more slots in that game's frame. Nothing is kept.
    pub(crate) fn ways_of(
        &mut self,
        program: &Program,
        id: ComponentId,
        clauses: &[Clause],
        yields: &[Slot],
    ) -> Run<Vec<Vec<Value>>> {
        let instance = self.store.instance_of[id.index()];
        let code = InGame::new(self, program, instance).clauses(clauses, None, yields);
        let mut out = Options::default();
        self.run_at(&code, id, &[], &mut out)?;
        Ok(out.yields)
    }

    /// The options of a component by other code than its own, of a game without `legal when` and `same as`.
    pub(crate) fn options_by(&mut self, code: &Arc<Code>, id: ComponentId, out: &mut Options) -> Run<()> {
        out.clear();
        self.run_at(code, id, &[], out).map(|_| ())
    }

    pub(crate) fn def_code(&mut self, def: DefId, instance: Option<InstanceId>) -> Arc<Code> {
        let program = self.session.program.clone();
        let callee = &program.defs[def.0];
        self.kept(CodeKey::Def(def), instance, |m| lower::lower_def(m, &program, callee, instance))
    }
}

impl Context {
    /// Applies `legal when` and `same as` to the options of a component.
    pub(crate) fn legal_and_same(&mut self, out: &mut Options) -> Run<()> {
        if !self.session.restricted {
            return Ok(());
        }
        let program = self.session.program.clone();
        let touched = out.components.iter().any(|&id| {
            let game = self.store.instances[self.store.instance_of[id.index()]].game;
            let game = &program.games[game.0];
            !game.legal.is_empty() || !game.same.is_empty()
        });
        if !touched {
            return Ok(());
        }
        let mut keep = Vec::with_capacity(out.moves.len());
        for i in 0..out.moves.len() {
            let mut legal = true;
            if let MoveTarget::To { first, len } = out.moves[i].target {
                for at in first..first + len {
                    legal = legal && self.is_legal(out.components[at as usize])?;
                }
            }
            keep.push(legal);
        }
        let mut kept = keep.iter();
        out.moves.retain(|_| kept.next().copied().unwrap_or(true));
        if out.named {
            let mut kept = keep.iter();
            out.binders.retain(|_| kept.next().copied().unwrap_or(true));
        }
        for i in 0..out.moves.len() {
            if let MoveTarget::To { first, len } = out.moves[i].target {
                for at in first..first + len {
                    out.components[at as usize] = self.replaced(out.components[at as usize])?;
                }
            }
        }
        Ok(())
    }

    /// What the `end when` lines say of a component; its moves are not looked at (rule 24: ends beat the moves).
    pub fn status(&mut self, id: ComponentId) -> Run<Status> {
        let program = self.session.program.clone();
        let instance = self.store.instance_of[id.index()];
        if program.games[self.store.instances[instance].game.0].ends.is_empty() {
            return Ok(Status::Open);
        }
        let code = self.kept(CodeKey::Ends, Some(instance), |m| InGame::new(m, &program, instance).ends());
        let mut out = Options::default();
        self.run_at(&code, id, &[], &mut out).map_err(|halt| self.with_state_note(id, halt))?;
        Ok(out.status)
    }

    pub(crate) fn with_state_note(&self, id: ComponentId, halt: Halt) -> Halt {
        /// Longer states are cut.
        const SHOWN: usize = 120;
        let Halt::Error(error) = halt else { return halt };
        if error.code.class() != Class::Running {
            return Halt::Error(error);
        }
        let within = |span: Span| {
            error.span.is_some_and(|at| at.source == span.source && span.start <= at.start && at.end <= span.end)
        };
        let game = &self.session.program.games[self.store.game_of(id).0];
        let line = game.moves.iter().find(|mv| within(mv.span));
        let guard = line.and_then(|mv| late_guard(game, &mv.clauses, within));
        let mv = line.map(|mv| format!("in the move `{}` of ", mv.name));
        let text = self.component_text(&self.store.component_value(id));
        let cut = text.char_indices().nth(SHOWN).map_or(text.clone(), |(at, _)| format!("{}...", &text[..at]));
        let note = format!("{}`{cut}`", mv.as_deref().unwrap_or("at "));
        let mut error = error.note(|| note);
        if error.hint.is_none() && !matches!(error.code, diagnostic::Code::R05 | diagnostic::Code::R06) {
            error.hint = guard;
        }
        Halt::Error(Box::new(error))
    }

    fn is_legal(&mut self, id: ComponentId) -> Run<bool> {
        if let Some(&legal) = self.store.legal_memo.get(&id) {
            return Ok(legal);
        }
        let program = self.session.program.clone();
        let instance = self.store.instance_of[id.index()];
        let game = &program.games[self.store.instances[instance].game.0];
        if game.legal.is_empty() {
            return Ok(true);
        }
        let code = self.kept(CodeKey::Legal, Some(instance), |m| InGame::new(m, &program, instance).legal());
        let value = self.run_at(&code, id, &[], &mut Options::default())?;
        let legal = matches!(value, Value::Bool(true));
        self.store.legal_memo.insert(id, legal);
        Ok(legal)
    }

    /// What `same as` makes of a component, again and again.
    pub fn replaced(&mut self, id: ComponentId) -> Run<ComponentId> {
        /// More replacements in a row than this have no end (R05).
        const STEPS: usize = 100_000;
        if let Some(&at) = self.store.replaced.get(&id) {
            return Ok(at);
        }
        if self.options.ignore_same {
            return Ok(id);
        }
        let program = self.session.program.clone();
        let mut at = id;
        let mut steps = 0;
        let mut seen = hashbrown::HashSet::new();
        loop {
            let instance = self.store.instance_of[at.index()];
            let game = &program.games[self.store.instances[instance].game.0];
            if game.same.is_empty() {
                break;
            }
            let code = self.kept(CodeKey::Same, Some(instance), |m| InGame::new(m, &program, instance).same());
            let mut out = Options::default();
            self.run_at(&code, at, &[], &mut out)?;
            let next = match (out.moves.first(), &out.components[..]) {
                (None, _) => break,
                (Some(_), [next]) => *next,
                _ => {
                    let span = game.same[0].span;
                    return Err(Halt::at(
                        span,
                        Fault::new(diagnostic::Code::E22, "`same as` takes one position of the same game"),
                    ));
                }
            };
            if next == at {
                break;
            }
            steps += 1;
            if steps > STEPS || !seen.insert(at) {
                let shown = self.component_text(&self.store.component_value(id));
                return Err(Halt::at(
                    game.same[0].span,
                    Fault::new(diagnostic::Code::R05, format!("`same as` has no end from {shown}")),
                ));
            }
            at = next;
        }
        self.store.replaced.insert(id, at);
        Ok(at)
    }
}

impl Context {
    /// What the move line `index` of a component's game, with these binders in their order, leads to: nothing, one
    /// option, or several; `end when` is not looked at. `out` is cleared first. `false`: the binders of this line
    /// cannot be given. The cost is that of the line's conditions and of one target.
    pub(crate) fn option_by_name(
        &mut self,
        id: ComponentId,
        index: usize,
        binders: &[Value],
        out: &mut Options,
    ) -> Run<bool> {
        if !self.run_move(id, index, binders, true, out)? {
            return Ok(false);
        }
        self.legal_and_same(out).map_err(|halt| self.with_state_note(id, halt))?;
        Ok(true)
    }

    /// Whether the conditions of such a move hold, but for `legal when`; `None` when its binders cannot be given.
    pub(crate) fn has_move(
        &mut self,
        id: ComponentId,
        index: usize,
        binders: &[Value],
        out: &mut Options,
    ) -> Run<Option<bool>> {
        Ok(self.run_move(id, index, binders, false, out)?.then_some(!out.yields.is_empty()))
    }

    fn run_move(
        &mut self,
        id: ComponentId,
        index: usize,
        binders: &[Value],
        full: bool,
        out: &mut Options,
    ) -> Run<bool> {
        let instance = self.store.instance_of[id.index()];
        let Some(code) = self.move_code(instance, index, full) else { return Ok(false) };
        out.clear();
        self.run_at(&code, id, binders, out).map_err(|halt| self.with_state_note(id, halt))?;
        Ok(true)
    }

    /// Every way through clauses about a component and the value of one more slot, inside its game.
    pub(crate) fn ways_with(
        &mut self,
        id: ComponentId,
        clauses: &[Clause],
        given: (Slot, &Value),
        yields: &[Slot],
    ) -> Run<Vec<Vec<Value>>> {
        let instance = self.store.instance_of[id.index()];
        let (slot, value) = given;
        let code = self.ways_code(instance, clauses, Some(slot), yields);
        let mut out = Options::default();
        let done = self.run_at(&code, id, std::slice::from_ref(value), &mut out);
        done.map_err(|halt| self.with_state_note(id, halt))?;
        Ok(out.yields)
    }

    /// Whether a set holds only things that the move line `index` may be made with: a line with one binder of which nothing is
    /// asked but that it is in some collection. `false` where that cannot be told quickly.
    pub(crate) fn all_are_moves(&mut self, id: ComponentId, index: usize, set: &Items) -> Run<bool> {
        let program = self.session.program.clone();
        let game = &program.games[self.store.game_of(id).0];
        let Some(source) = lower::sole_source(game, &game.moves[index]) else { return Ok(false) };
        let among = self.eval_at(id, source)?;
        Ok(match &among {
            Value::Graph(graph) => graph.has_all(set),
            Value::Grid(grid) => grid.graph().has_all(set),
            Value::Set(_) => crate::words::all_inside(&Value::Set(set.clone()), &among),
            _ => false,
        })
    }

    fn put(&self, inputs: &[FieldReg], values: &[Value], regs: &mut Registers) -> Run<()> {
        for (input, value) in inputs.iter().zip(values) {
            match input {
                FieldReg::Word(reg) => {
                    regs.words[usize::from(*reg)] = self.store.domains.value_word(value, WordType::Int)?;
                }
                FieldReg::Value(reg) => regs.values[usize::from(*reg)] = value.clone(),
            }
        }
        Ok(())
    }

    fn move_code(&mut self, instance: InstanceId, index: usize, full: bool) -> Option<Arc<Code>> {
        if let Some(code) = self.code.by_instance.entry(instance).moves.get(&(index, full)) {
            return code.clone();
        }
        let program = self.session.program.clone();
        let code = InGame::new(self, &program, instance).single_move(index, full);
        self.code.by_instance.entry(instance).moves.insert((index, full), code.clone());
        code
    }
}

/// So many rows are gone through before limits are looked at.
const BLOCK: usize = 1 << 14;

/// Code and the registers that it is run in again and again.
type Runnable = (Arc<Code>, Runner);

/// The moves of one name that a line states, to a value that is given.
pub(crate) struct Stating {
    instance: InstanceId,
    /// Whether there is such a move, where there is one at most.
    native: Option<RowCode>,
    ways: Runnable,
    has: Runnable,
    out: [Options; 2],
}

impl Context {
    /// The instance whose states are one int, of this game with these rule parameters; `None` when they are kept otherwise.
    pub(crate) fn int_instance(&mut self, game: GameId, params: &Arc<[Value]>) -> Option<InstanceId> {
        let at = self.instance(game, params.clone()).ok()?;
        matches!(self.store.instances[at].word_types[..], [Some(WordType::Int)]).then_some(at)
    }

    /// The values of a term about states of such an instance, in their order, when all are nats below 2^63.
    pub(crate) fn nats_of_ints(&mut self, instance: InstanceId, term: &Term, ints: &[i64]) -> Run<Option<Vec<i64>>> {
        let program = self.session.program.clone();
        let native = self.row_code(|m| Some(InGame::new(m, &program, instance).int_row(term)));
        let code = self.code_in_game(instance, term);
        let (mut runner, mut room) = (self.runner(code.clone()), Options::default());
        let mut nats = vec![0; ints.len()];
        self.each_row(native.as_ref(), &[ints], &mut nats, |ctx, row| {
            let int = [Value::Int(ints[row])];
            let value = ctx.rerun(&mut runner, &mut room, |ctx, regs| ctx.put(&code.inputs, &int, regs));
            match value.map_err(|halt| halt.placed(term.span))? {
                Value::Int(n) => Ok(n),
                // No nat below 2^63.
                _ => Ok(-1),
            }
        })?;
        Ok(nats.iter().all(|n| *n >= 0).then_some(nats))
    }

    /// Native code for rows; `None` where the instruction loop is to run.
    fn row_code(&mut self, lower: impl FnOnce(&mut Context) -> Option<Arc<Code>>) -> Option<RowCode> {
        if self.options.plain || self.code.wide { None } else { RowCode::new(&lower(self)?).ok() }
    }

    /// Puts a word for each row of the columns to `out`: by native code, else by `one`.
    fn each_row(
        &mut self,
        native: Option<&RowCode>,
        columns: &[&[i64]],
        out: &mut [i64],
        mut one: impl FnMut(&mut Context, usize) -> Run<i64>,
    ) -> Run<()> {
        let mut pace = Pace::default();
        let mut at = 0;
        while at < out.len() {
            let end = out.len().min(at + BLOCK);
            pace.spend(&self.limits, end - at)?;
            while at < end {
                at = native.map_or(at, |native| native.run(at, columns, &mut out[..end]));
                if at < end {
                    out[at] = one(self, at)?;
                    at += 1;
                }
            }
        }
        Ok(())
    }

    /// Makes ready to look at the moves of the line `index` that clauses state, for values in the slot; `None` when the binders
    /// of the line cannot be given.
    pub(crate) fn stating(
        &mut self,
        instance: InstanceId,
        index: usize,
        (clauses, slot, yields): (&[Clause], Slot, &[Slot]),
    ) -> Option<Stating> {
        let has = self.move_code(instance, index, false)?;
        let ways = self.ways_code(instance, clauses, Some(slot), yields);
        let program = self.session.program.clone();
        let line = (clauses, slot, yields);
        let native = self.row_code(|m| InGame::new(m, &program, instance).stated_row(index, line));
        let (first, second) = (self.runner(ways.clone()), self.runner(has.clone()));
        let out = [Options::default(), Options::default()];
        Some(Stating { instance, native, ways: (ways, first), has: (has, second), out })
    }

    /// How many of the moves that the line states from these states, each to the value at its place, there are.
    pub(crate) fn stated_count(&mut self, stating: &mut Stating, ints: &[i64], to: &[i64]) -> Run<u64> {
        let Stating { instance, native, ways, has, out } = stating;
        let mut counts = vec![0; ints.len()];
        self.each_row(native.as_ref(), &[ints, to], &mut counts, |ctx, row| {
            let counted = ctx.counted(ways, has, out, &[Value::Int(ints[row]), Value::Int(to[row])]);
            counted.map_err(|halt| {
                let state: Arc<[Value]> = Arc::new([Value::Int(ints[row])]);
                match ctx.intern_state(*instance, &state) {
                    Ok(id) => ctx.with_state_note(id, halt),
                    Err(other) => other,
                }
            })
        })?;
        Ok(counts.into_iter().map(i64::cast_unsigned).sum())
    }

    fn counted(
        &mut self,
        (ways, first): &mut Runnable,
        (has, second): &mut Runnable,
        [out, room]: &mut [Options; 2],
        row: &[Value; 2],
    ) -> Result<i64, Halt> {
        out.clear();
        self.rerun(first, out, |ctx, regs| ctx.put(&ways.inputs, row, regs))?;
        out.yields.sort_unstable();
        out.yields.dedup();
        let mut count = 0;
        for binders in &out.yields {
            room.clear();
            self.rerun(second, room, |ctx, regs| {
                let (fields, given) = has.inputs.split_at(has.inputs.len() - binders.len());
                ctx.put(fields, &row[..1], regs)?;
                ctx.put(given, binders, regs)
            })?;
            count += i64::from(!room.yields.is_empty());
        }
        Ok(count)
    }
}

/// What to do about an error in what a binder goes through, where a condition stands behind it that may have been meant to rule it out.
fn late_guard(game: &Game, clauses: &[Clause], within: impl Fn(Span) -> bool) -> Option<String> {
    let at = clauses.iter().position(|clause| match clause {
        Clause::In { source: term, .. } | Clause::Let { value: term, .. } => within(term.span),
        Clause::Where(_) => false,
    })?;
    let guarded = clauses[at..].iter().any(|clause| matches!(clause, Clause::Where(_)));
    let slot = bound_slots(&clauses[at..=at]).first().copied()?;
    let sign = if matches!(clauses[at], Clause::In { .. }) { "in" } else { "=" };
    let before = format!("before `{} {sign}`", game.frame.slots[slot].name);
    guarded.then(|| {
        format!("a `where` protects only what stands behind it: put the condition that rules this out {before}")
    })
}
