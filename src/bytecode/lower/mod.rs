//! Lowering: from terms to flat code, with everything that is known already worked out.
//!
//! Rule parameters are constants here: graphs become tables, sets of at most 64 vertices or edges become masks, and what
//! depends on constants only is evaluated once, now. What cannot be is left to run, so lowering never fails; only running does.
//! Here: what a piece of code is made with, its labels and constants, and its last steps.

mod bags;
mod cells;
mod clauses;
mod columns;
mod enter;
mod expr;
mod game;
mod lists;
mod loops;
mod made;
mod operand;
mod operators;
mod place;
mod scope;
mod sets;
mod shape;
mod sources;
mod tabulate;
mod updates;

pub(crate) use crate::bytecode::lower::game::{
    InGame, goes_through_sets, lower_clauses, lower_def, lower_term, sole_source,
};
pub(crate) use crate::bytecode::lower::operand::Operand;
pub(crate) use crate::bytecode::lower::scope::{Scope, SlotState};
use crate::bytecode::{Addr, Code, DomainId, Instance, InstanceId, Op, Reg, WordType};
use crate::model::{DefId, Drawing, GameId, GlobalId, Kind, Program};
use crate::source::Span;
use crate::value::domain::Domain;
use crate::value::{Run, Value, width};
use hashbrown::HashMap;
use std::sync::Arc;

/// A place in code not known yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Label(u32);

/// The lowering of one piece of code.
#[allow(clippy::struct_excessive_bools)] // each switches one thing
pub(crate) struct Lower<'m, 'p> {
    pub(crate) ctx: &'m mut dyn LowerContext,
    pub(crate) program: &'p Program,
    pub(crate) code: Code,
    pub(crate) scopes: Vec<Scope<'p>>,
    labels: Vec<Option<Addr>>,
    span: Span,
    words: usize,
    values: usize,
    /// The length of the longest table that instructions name by a number.
    longest_table: usize,
    /// How deep unfolded defs stand inside each other.
    unfolded: usize,
    /// While a def that calls itself is unfolded.
    recursion: Option<Recursion>,
    /// Defs whose unfolding went too far, once for each time.
    endless: Vec<DefId>,
    /// This code only works out a constant: nothing in it is worked out beforehand.
    folding: bool,
    /// Lists, texts and tuples stay in parts: the rules of a game, run often, on words.
    scalar: bool,
    /// Loops over what is known are written out, one body for each member.
    unroll: bool,
    /// Some field lies in parts.
    split: bool,
    /// The domain of letters, when they are words.
    letters: Option<DomainId>,
    /// The domain of the texts that the file names, when fields have them.
    texts: Option<DomainId>,
    /// The domains of sets of small naturals and of small pairs, when some field is one.
    numbers: Option<DomainId>,
    pairs: Option<DomainId>,
    /// The least and the greatest value of the registers of binders with few values.
    ranges: HashMap<Reg, (i64, i64)>,
    /// Of the two numbers of a pair that a binder is bound to: the domain, and the register of the member.
    pair_of: HashMap<(Reg, Reg), (DomainId, Reg)>,
    /// Constants in registers that nothing else writes, set at the start of the code.
    pool: HashMap<i64, Reg>,
    /// How many loops of the running code stand around this place.
    loops: usize,
    /// How many conditions stand before this place.
    doubts: usize,
    /// So many times what binders around this place go through in parts is written out.
    copies: u32,
    judging: game::Judging,
}

/// How far the unfolding of a def that calls itself may go, and has gone.
struct Recursion {
    /// It ends where there are so many instructions.
    ops: usize,
    /// So many calls of such defs stand inside each other.
    depth: usize,
    /// So many were unfolded, those that were taken back too.
    calls: usize,
    /// Known arguments of a call are no larger together.
    bytes: usize,
    /// It went too far.
    failed: bool,
}

/// How far the lowering had come.
pub(crate) struct Mark<'p> {
    scopes: Vec<Scope<'p>>,
    labels: usize,
    pub(crate) ops: usize,
    words: usize,
    values: usize,
}

/// Registers beyond this number do not exist; code that would need more runs its defs as calls instead.
const REGISTERS: usize = 60_000;

/// No more parts than this are made of one collection.
const FORM_LIMIT: usize = 4 * crate::bytecode::layout::LONGEST;

/// Instructions name entries of tables by 16 bits: code with a longer table must not run.
const TABLE: usize = 1 << 16;

impl<'m, 'p> Lower<'m, 'p> {
    /// Nothing lowered yet; value register 0 is for the result.
    pub(crate) fn new(ctx: &'m mut dyn LowerContext, program: &'p Program, scope: Scope<'p>) -> Self {
        Lower {
            ctx,
            program,
            code: Code::default(),
            scopes: vec![scope],
            labels: Vec::new(),
            span: Span::default(),
            words: 0,
            values: 1,
            longest_table: 0,
            unfolded: 0,
            recursion: None,
            endless: Vec::new(),
            folding: false,
            scalar: false,
            unroll: false,
            split: false,
            letters: None,
            texts: None,
            numbers: None,
            pairs: None,
            ranges: HashMap::new(),
            pair_of: HashMap::new(),
            pool: HashMap::new(),
            loops: 0,
            doubts: 0,
            copies: 1,
            judging: game::Judging::default(),
        }
    }

    pub(crate) fn emit(&mut self, op: Op) {
        self.code.ops.push(op);
        self.code.spans.push(self.span);
    }

    pub(crate) fn at<T>(&mut self, span: Span, run: impl FnOnce(&mut Self) -> T) -> T {
        let old = std::mem::replace(&mut self.span, span);
        let result = run(self);
        self.span = old;
        result
    }

    pub(crate) fn word(&mut self) -> Reg {
        self.words += 1;
        Reg::try_from((self.words - 1).min(REGISTERS)).unwrap_or(Reg::MAX)
    }

    pub(crate) fn value(&mut self) -> Reg {
        self.values += 1;
        Reg::try_from((self.values - 1).min(REGISTERS)).unwrap_or(Reg::MAX)
    }

    /// The new word register that an instruction writes.
    pub(crate) fn emit_word(&mut self, op: impl FnOnce(Reg) -> Op) -> Reg {
        let d = self.word();
        self.emit(op(d));
        d
    }

    pub(crate) fn emit_value(&mut self, op: impl FnOnce(Reg) -> Op) -> Reg {
        let d = self.value();
        self.emit(op(d));
        d
    }

    /// Puts an entry into a table of the code; its number there.
    pub(crate) fn entry<T>(&mut self, table: impl FnOnce(&mut Code) -> &mut Vec<T>, entry: T) -> u16 {
        let table = table(&mut self.code);
        let at = table.len();
        table.push(entry);
        self.number(at)
    }

    /// A number of an instruction; one that is too long makes the code too big to run.
    pub(crate) fn number(&mut self, number: usize) -> u16 {
        self.longest_table = self.longest_table.max(number + 1);
        u16::try_from(number).unwrap_or(u16::MAX)
    }

    /// What is done where a part is there; its flag is asked first. `write` is told where the code goes on.
    pub(crate) fn where_there(&mut self, flag: Option<Reg>, write: impl FnOnce(&mut Self, Label)) {
        let past = self.label();
        if let Some(flag) = flag {
            self.emit(Op::JumpUnless { a: flag, to: Self::to(past) });
        }
        write(self, past);
        self.put(past);
    }

    /// Whether so much code was made that defs should be called rather than unfolded.
    pub(crate) fn is_big(&self) -> bool {
        let deep = 12 + self.recursion.as_ref().map_or(0, |recursion| recursion.depth);
        let long = self.code.ops.len() > 20_000 || self.words > REGISTERS / 4 || self.values > REGISTERS / 4;
        long || self.unfolded > deep
    }

    pub(crate) fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(width::short(self.labels.len() - 1))
    }

    pub(crate) fn put(&mut self, label: Label) {
        self.labels[label.0 as usize] = Some(Addr::try_from(self.code.ops.len()).unwrap_or(Addr::MAX));
    }

    /// A jump target: the label's number, turned into a place at the end.
    pub(crate) fn to(label: Label) -> Addr {
        label.0
    }

    /// Whether ints are words here.
    pub(crate) fn narrow(&self) -> bool {
        !self.ctx.code_form().wide
    }

    /// What `write` emits, put before the instruction at `at`; jumps to instructions from `past` on go past it.
    pub(crate) fn insert(&mut self, at: usize, past: usize, write: impl FnOnce(&mut Self)) {
        let (ops, spans, labels) = (self.code.ops.split_off(at), self.code.spans.split_off(at), self.labels.len());
        write(self);
        let by = Addr::try_from(self.code.ops.len() - at).unwrap_or(Addr::MAX);
        self.code.ops.extend(ops);
        self.code.spans.extend(spans);
        for place in self.labels[..labels].iter_mut().flatten() {
            if *place as usize >= past {
                *place = place.saturating_add(by);
            }
        }
    }

    /// The state to which [`Lower::go_back`] returns.
    pub(crate) fn mark(&self) -> Mark<'p> {
        let (words, values) = (self.words, self.values);
        Mark { scopes: self.scopes.clone(), labels: self.labels.len(), ops: self.code.ops.len(), words, values }
    }

    /// Forgets what was emitted and bound since, and the registers that were made for it.
    pub(crate) fn go_back(&mut self, mark: Mark<'p>) {
        let stays = |reg: &Reg| usize::from(*reg) < mark.words;
        self.ranges.retain(|reg, _| stays(reg));
        self.pair_of.retain(|(x, y), (_, member)| stays(x) && stays(y) && stays(member));
        self.pool.retain(|_, reg| stays(reg));
        (self.words, self.values) = (mark.words, mark.values);
        self.scopes = mark.scopes;
        self.labels.truncate(mark.labels);
        self.code.ops.truncate(mark.ops);
        self.code.spans.truncate(mark.ops);
    }

    /// Whether writing loops out has made so much code that it had better not be done.
    pub(crate) fn is_bloated(&self) -> bool {
        const MOST: usize = 20_000;
        self.code.ops.len() > MOST || self.words > REGISTERS / 2 || self.longest_table > TABLE / 2
    }

    /// Ends the code: labels become places. Code that ran out of registers is refused by the caller.
    pub(crate) fn finish(mut self) -> Arc<Code> {
        self.emit(Op::Stop);
        let mut pool: Vec<_> = std::mem::take(&mut self.pool).into_iter().collect();
        pool.sort_unstable_by_key(|&(_, d)| d);
        self.insert(0, 0, |lower| pool.into_iter().for_each(|(k, d)| lower.load(d, k)));
        let labels = std::mem::take(&mut self.labels);
        for to in self.code.ops.iter_mut().filter_map(Op::target) {
            *to = labels.get(*to as usize).copied().flatten().unwrap_or(*to);
        }
        self.code.instance = self.scopes.first().and_then(|s| s.own);
        self.code.words = self.words;
        self.code.values = self.values;
        self.code.too_big = self.words >= REGISTERS || self.values >= REGISTERS || self.longest_table > TABLE;
        Arc::new(self.code)
    }
}

/// The form in which rules are lowered.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools)] // each says one thing, and all combinations occur
pub(crate) struct CodeForm {
    /// Everything is a value.
    pub(crate) plain: bool,
    /// Ints are values.
    pub(crate) wide: bool,
    /// `same as` lines replace nothing.
    pub(crate) ignore_same: bool,
    /// What no mask has as a member may halt the run.
    pub(crate) masked: bool,
}

/// Numbers of domains and instances, and constants that are worked out while code is made.
pub(crate) trait LowerContext {
    fn code_form(&self) -> CodeForm;

    fn domain(&self, id: DomainId) -> &Domain;

    /// The number of a domain; `None` when its sets or members are not kept in words.
    fn domain_id(&mut self, domain: &Domain) -> Option<DomainId>;

    /// The number of the domain of the letters of the file's texts.
    fn letter_domain(&mut self) -> Option<DomainId>;

    /// The number of the domain of the texts that the fields have of which [`LowerContext::has_named_texts`] says so.
    fn text_domain(&mut self) -> Option<DomainId>;

    /// Whether a field of a game has texts that the file names: a state with one of them keeps it as a member.
    fn has_named_texts(&self, game: GameId, field: usize) -> bool;

    fn instance_at(&self, id: InstanceId) -> &Instance;

    /// The instance of a game with these rule parameters, entered and completed with defaults.
    fn instance_of(&mut self, game: GameId, given: Vec<Option<Value>>) -> Run<InstanceId>;

    /// The instance of a base for lists and texts of these lengths.
    fn instance_of_lengths(&mut self, base: InstanceId, lengths: &[u32]) -> InstanceId;

    /// The form in which components keep a field.
    fn field_word_type(&mut self, kind: &Kind, params: &[Value]) -> Option<WordType>;

    /// The value of code that needs one input or none.
    fn run_quietly(&mut self, code: &Arc<Code>, input: Option<&Value>) -> Run<Value>;

    /// The value of a `let`; `None` where it depends on an input, or fails.
    fn global_value(&mut self, global: GlobalId) -> Option<Value>;

    fn drawing(&mut self, drawing: &Arc<Drawing>, span: Span) -> Run<Value>;

    /// The number by which code that draws names a drawing.
    fn drawing_code(&mut self, drawing: &Arc<Drawing>) -> u16;
}
