//! Lowering: from terms to flat code, with everything that is known already worked out.
//!
//! Rule parameters are constants here: graphs become tables, sets of at most 64 vertices or edges become masks, and what
//! depends on constants only is evaluated once, now. What cannot be is left to run, so lowering never fails; only running does.

mod arith;
mod bodies;
mod calls;
mod choice;
mod clauses;
mod collect;
mod compare;
mod context;
mod enter;
mod expr;
mod finish;
mod floors;
mod fold;
mod game;
mod gather;
mod judged;
mod kinds;
mod loops;
mod mold;
mod numbers;
mod operand;
mod order;
mod parts;
mod pick;
mod place;
mod scope;
mod sets;
mod single_move;
mod slide;
mod source;
mod update;
mod words;

pub(crate) use crate::bytecode::lower::bodies::{lower_clauses, lower_def, lower_term};
pub(crate) use crate::bytecode::lower::context::{CodeForm, LowerContext};
pub(crate) use crate::bytecode::lower::game::{
    lower_clauses_in_game, lower_ends, lower_in_game, lower_judged_rules, lower_predicate, lower_rules, lower_same,
};
pub(crate) use crate::bytecode::lower::operand::Operand;
pub(crate) use crate::bytecode::lower::scope::{Scope, SlotState};
pub(crate) use crate::bytecode::lower::single_move::{
    lower_int_row, lower_single_move, lower_stated_row, lower_ways_with, sole_source,
};
use crate::bytecode::{Addr, Code, DomainId, Op, Reg};
use crate::model::Program;
use crate::source::text::Span;
use hashbrown::HashMap;

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
    /// How deep unfolded defs stand inside each other.
    unfolded: usize,
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
    /// The domain of sets of small naturals, when some field is one.
    numbers: Option<DomainId>,
    /// The same of pairs.
    pairs: Option<DomainId>,
    /// Constants in registers that nothing else writes, set at the start of the code.
    pool: HashMap<i64, Reg>,
    /// How many loops of the running code stand around this place.
    loops: usize,
    /// How many conditions stand before this place.
    doubts: usize,
    judging: judged::Judging,
}

/// Registers beyond this number do not exist; code that would need more runs its defs as calls instead.
const REGISTERS: usize = 60_000;

/// No more parts than this are made of one collection.
fn form_limit() -> usize {
    4 * crate::bytecode::layout::LONGEST
}

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
            unfolded: 0,
            folding: false,
            scalar: false,
            unroll: false,
            split: false,
            letters: None,
            numbers: None,
            pairs: None,
            pool: HashMap::new(),
            loops: 0,
            doubts: 0,
            judging: judged::Judging::default(),
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

    /// Whether so much code was made that defs should be called rather than unfolded.
    pub(crate) fn is_big(&self) -> bool {
        self.code.ops.len() > 20_000 || self.words > REGISTERS / 4 || self.values > REGISTERS / 4 || self.unfolded > 12
    }

    pub(crate) fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(u32::try_from(self.labels.len() - 1).unwrap_or(u32::MAX))
    }

    /// Puts the label here.
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
}
