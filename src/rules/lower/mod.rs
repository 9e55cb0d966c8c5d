//! Lowering: from terms to flat code, with everything that is known already worked out.
//!
//! Rule parameters are constants here: graphs become tables, sets of at most 64 vertices or edges become masks, and what
//! depends on constants only is evaluated once, now. What cannot be is left to run, so lowering never fails; only running does.

mod arith;
mod clauses;
mod columns;
mod enter;
mod expr;
mod finish;
mod floors;
mod fold;
mod game;
mod gather;
mod given;
mod judged;
mod mold;
mod order;
mod parts;
mod pick;
mod place;
mod scope;
mod sets;
mod slide;
mod source;
mod update;
mod words;

use crate::check::model::{Def, Frame, Program, Slot, Term};
use crate::rules::code::{Addr, Code, DomainId, Op, Reg, Rep};
use crate::rules::machine::Machine;
use crate::rules::value::Value;
use crate::text::Span;
pub(crate) use game::{
    lower_clauses_in_game, lower_ends, lower_in_game, lower_judged_rules, lower_predicate, lower_rules, lower_same,
};
pub(crate) use given::{lower_given_move, lower_ways_given, sole_source};
use hashbrown::HashMap;
use parts::Parts;
pub(crate) use scope::{Scope, SlotState};
use std::rc::Rc;
use std::sync::Arc;

/// A value that code has at hand.
#[derive(Clone, Debug)]
pub(crate) enum Operand {
    /// Known now.
    Known(Value),
    /// In a word register.
    Word(Reg, Rep),
    /// In a value register.
    Value(Reg),
    /// A collection known by its parts.
    Parts(Rc<Parts>),
}

/// A place in code not known yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Label(u32);

/// The lowering of one piece of code.
#[allow(clippy::struct_excessive_bools)] // each switches one thing
pub(crate) struct Lower<'m, 'p> {
    pub(crate) machine: &'m mut Machine,
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
    4 * crate::rules::form::LONGEST
}
/// Instructions name entries of tables by 16 bits: code with a longer table must not run.
const TABLE: usize = 1 << 16;

impl<'m, 'p> Lower<'m, 'p> {
    /// Nothing lowered yet; value register 0 is for the result.
    pub(crate) fn new(machine: &'m mut Machine, program: &'p Program, scope: Scope<'p>) -> Self {
        Lower {
            machine,
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

    // ---- operands in the form that is wanted

    /// A constant for a word register, when the value has that form.
    pub(crate) fn known_word(&self, value: &Value, rep: Rep) -> Option<i64> {
        match (rep, value) {
            (Rep::Int, Value::Int(n)) => Some(*n),
            (Rep::Bool, Value::Bool(b)) => Some(i64::from(*b)),
            (Rep::Member(domain), value) => self.machine.domain(domain).number(value).map(i64::from),
            (Rep::Mask(domain), Value::Set(items)) => {
                let domain = self.machine.domain(domain);
                let mut mask = 0u64;
                for item in items.iter() {
                    mask |= 1 << domain.number(item).filter(|&n| n < 64)?;
                }
                Some(mask.cast_signed())
            }
            _ => None,
        }
    }

    pub(crate) fn constant(&mut self, k: i64) -> Reg {
        let d = self.word();
        self.load(d, k);
        d
    }

    /// A constant in a register that must not be written.
    pub(crate) fn pooled(&mut self, k: i64) -> Reg {
        if !self.scalar {
            return self.constant(k);
        }
        if let Some(&d) = self.pool.get(&k) {
            return d;
        }
        let d = self.word();
        self.pool.insert(k, d);
        d
    }

    pub(crate) fn load(&mut self, d: Reg, k: i64) {
        if let Ok(k) = i32::try_from(k) {
            self.emit(Op::Const { d, k });
        } else {
            self.code.wide.push(k);
            let k = Reg::try_from(self.code.wide.len() - 1).unwrap_or(Reg::MAX);
            self.emit(Op::ConstWide { d, k });
        }
    }

    /// The operand in a word register of this form; run-time checks where it may not fit.
    pub(crate) fn as_word(&mut self, operand: Operand, rep: Rep) -> Reg {
        match operand {
            Operand::Word(reg, have) if have == rep => reg,
            Operand::Known(value) => {
                if let Some(k) = self.known_word(&value, rep) {
                    return self.pooled(k);
                }
                let a = self.as_value(Operand::Known(value));
                self.unbox(a, rep)
            }
            other => {
                let a = self.as_value(other);
                self.unbox(a, rep)
            }
        }
    }

    fn unbox(&mut self, a: Reg, rep: Rep) -> Reg {
        let d = self.word();
        self.emit(match rep {
            Rep::Int => Op::UnboxInt { d, a },
            Rep::Bool => Op::UnboxBool { d, a },
            Rep::Member(domain) => Op::UnboxMember { d, a, domain },
            Rep::Mask(domain) => Op::UnboxMask { d, a, domain },
        });
        d
    }

    /// The operand in a value register.
    pub(crate) fn as_value(&mut self, operand: Operand) -> Reg {
        match operand {
            Operand::Value(reg) => reg,
            Operand::Parts(_) => {
                let d = self.value();
                self.code.makes.push(Self::make(&operand));
                let make = expr::last(self.code.makes.len());
                self.emit(Op::Make { d, make });
                d
            }
            Operand::Known(value) => {
                let d = self.value();
                self.code.constants.push(value);
                let k = Reg::try_from(self.code.constants.len() - 1).unwrap_or(Reg::MAX);
                self.emit(Op::Value { d, k });
                d
            }
            Operand::Word(a, rep) => {
                let d = self.value();
                self.emit(match rep {
                    Rep::Int => Op::BoxInt { d, a },
                    Rep::Bool => Op::BoxBool { d, a },
                    Rep::Member(domain) => Op::BoxMember { d, a, domain },
                    Rep::Mask(domain) => Op::BoxMask { d, a, domain },
                });
                d
            }
        }
    }

    /// The operand as the result in value register 0.
    pub(crate) fn result(&mut self, operand: Operand) {
        let a = self.as_value(operand);
        self.emit(Op::Move { d: 0, a });
    }

    /// Hands the values of slots to the caller.
    pub(crate) fn yield_slots(&mut self, slots: &[Slot]) {
        let registers: Vec<Reg> = slots
            .iter()
            .map(|&slot| {
                let operand = self.slot(slot);
                self.as_value(operand)
            })
            .collect();
        let spec = self.register_list(registers);
        self.emit(Op::Yield { spec });
    }

    /// Whether ints are words here.
    pub(crate) fn narrow(&self) -> bool {
        !self.machine.wide
    }
}

/// Code that evaluates a term; `inputs` are the slots whose values are given, in value registers 1, 2, ...
pub(crate) fn lower_term<'p>(
    machine: &mut Machine,
    program: &'p Program,
    frame: &'p Frame,
    own: Option<usize>,
    known: &[(Slot, Value)],
    inputs: &[Slot],
    term: &'p Term,
) -> Arc<Code> {
    let mut lower = Lower::new(machine, program, Scope::new(frame, own));
    lower.enter_scope(known, inputs, &[term]);
    let operand = lower.expr(term);
    lower.result(operand);
    lower.finish()
}

/// Code of a def: the owner's parameters and fields and its own parameters are in value registers 1, 2, ..., entered.
pub(crate) fn lower_def<'p>(
    machine: &mut Machine,
    program: &'p Program,
    def: &'p Def,
    instance: Option<usize>,
) -> Arc<Code> {
    let owned = def.owner.map_or(0, |g| program.games[g.0].params.len() + program.games[g.0].fields.len());
    let inputs: Vec<Slot> = (0..owned).chain(def.prefix..def.prefix + def.params.len()).collect();
    let mut lower = Lower::new(machine, program, Scope::new(&def.frame, instance));
    let terms: Vec<&Term> = def.body.iter().collect();
    lower.enter_scope(&[], &inputs, &terms);
    if let Some(body) = &def.body {
        let mut operand = lower.expr(body);
        if let Some(kind) = &def.result {
            operand = lower.enter_kind(operand, kind, &def.name);
        }
        lower.result(operand);
    }
    lower.finish()
}

/// Code that runs through clauses and yields the values of `yields` for each way; `inputs` as in [`lower_term`].
#[allow(clippy::too_many_arguments)] // all of them are what one piece of code is made of
pub(crate) fn lower_clauses<'p>(
    machine: &mut Machine,
    program: &'p Program,
    frame: &'p Frame,
    own: Option<usize>,
    known: &[(Slot, Value)],
    inputs: &[Slot],
    clauses: &'p [crate::check::model::Clause],
    yields: &[Slot],
) -> Arc<Code> {
    let mut lower = Lower::new(machine, program, Scope::new(frame, own));
    let mut terms = Vec::new();
    crate::check::walk::each_in_clauses(clauses, &mut |t| terms.push(t));
    lower.enter_scope(known, inputs, &terms);
    lower.clauses(clauses, true, &mut |lower| lower.yield_slots(yields));
    lower.finish()
}
