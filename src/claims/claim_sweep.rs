//! Claims: every instance in order of size, up to the smallest counterexample or the end of the budget.
//!
//! The size of an instance is the sum of its ints, lengths, vertices and edges, so that the first counterexample is a
//! smallest one. A finite range that fits memory is listed and sorted. Otherwise windows of sizes are gone through one
//! after another, so that several infinite binders take turns; the verdict names the last size that was
//! searched completely. Of a counterexample both sides are told: what the claim says and what the rules say.

use crate::answer::{Finding, Kind, Verdict, named_text};
use crate::claims::{Clock, File, PositionCount, line, round, within};
use crate::model::walk::{bare, bound_slots, some_term};
use crate::model::{BinaryOp, Builtin, Claim, Clause, CompareOp, Frame, LogicOp, Pattern, Slot, Term, TermKind, Type};
use crate::source::{Code, Diagnostic};
use crate::value::limits::Limits;
use crate::value::{Position, Value, width};
use crate::vm::context::Context;
use crate::vm::size_window::{Measure, SizeWindow};
use num_bigint::BigInt;
use std::sync::Arc;
use std::time::{Duration, Instant};

const HELD: usize = 1_000_000;
/// So many of one single size.
const HELD_OF_ONE_SIZE: usize = 8 * HELD;
/// So many steps are taken to list all, where only the first few are wanted.
const FIRST_STEPS: u64 = 1 << 21;
/// So many lists that one word makes.
const LISTED: u64 = 4 * HELD as u64;
/// A short look at an infinite range: at so many instances.
pub(crate) const LOOK: u64 = 20_000;
/// Where time is limited, a short look takes no longer than this.
const SHORT: Duration = Duration::from_secs(1);
/// Windows of sizes do not grow beyond so many instances.
const WINDOW: usize = 50_000;

enum End {
    Whole,
    /// All sizes up to this one, then a limit.
    UpTo(u64),
    /// Not even the first size.
    Nowhere(String),
    /// This instance is false.
    Counterexample(Vec<Value>),
    /// The claim could not be evaluated.
    Error(Box<Diagnostic>),
}

/// Says whether an instance, given as values of these slots, is as it should be.
pub(crate) type Judge<'j> = dyn FnMut(&mut Context, &[Slot], &[Value]) -> Result<bool, Box<Diagnostic>> + 'j;

struct ClaimSweep<'a> {
    ctx: &'a mut Context,
    frame: &'a Frame,
    clauses: &'a [Clause],
    judge: &'a mut Judge<'a>,
    variables: Variables,
    met: PositionCount,
    searched: u64,
    /// At most so many instances.
    limit: u64,
    /// The last size that was done.
    completed: Option<u64>,
    /// The least size there is.
    first: Option<u64>,
    /// The step behind which it ends, once a size is done.
    last_step: u64,
    /// More lists than these are not listed at once.
    held: u64,
}

pub(crate) fn claim(ctx: &mut Context, clock: &mut Clock, file: File<'_>, claim: &Claim) -> Finding {
    let share = clock.share();
    let infinite = Variables::of(&claim.frame, &claim.clauses).infinite;
    let (limit, last_step) = (if infinite { clock.instances } else { u64::MAX }, clock.last_step(ctx, infinite));
    judged(ctx, share, (limit, last_step), file, claim)
}

/// Judges a claim in so much time, at most so many instances, up to a step.
pub(crate) fn judged(
    ctx: &mut Context,
    share: Duration,
    (limit, last_step): (u64, u64),
    file: File<'_>,
    claim: &Claim,
) -> Finding {
    let start = Instant::now();
    let mut finding = Finding::new(file.name(), Kind::Claim, claim.title.clone(), claim.span);
    finding.negated = claim.negated;
    let variables = Variables::of(&claim.frame, &claim.clauses);
    let met = PositionCount::new(ctx);
    within(ctx, share, |ctx| {
        let mut judge = |ctx: &mut Context, slots: &[Slot], values: &[Value]| {
            let truth = ctx.with_recovery(|m| m.eval_with(&claim.frame, slots, values, &claim.condition))?;
            Ok(matches!(truth, Value::Bool(true)))
        };
        let (frame, clauses) = (&claim.frame, &claim.clauses[..]);
        let mut sweep = ClaimSweep {
            ctx,
            frame,
            clauses,
            judge: &mut judge,
            variables,
            met,
            searched: 0,
            limit,
            completed: None,
            first: None,
            last_step,
            held: LISTED,
        };
        let end = sweep.run(share);
        finding.searched = sweep.searched;
        finding.positions = sweep.met.count(sweep.ctx);
        match end {
            End::Whole => {
                finding.whole_range = true;
                finding.bound = Some("the whole range".to_string());
            }
            End::UpTo(_) if sweep.searched == 0 => {
                let limit = "no instance was found to compare".to_string();
                finding.verdict = Ok(Verdict::Unknown { limit });
            }
            End::UpTo(size) => finding.bound = Some(sweep.variables.bound(size)),
            End::Nowhere(limit) => finding.verdict = Ok(Verdict::Unknown { limit }),
            End::Error(error) => finding.verdict = Err(error),
            End::Counterexample(values) => {
                finding.verdict = Ok(Verdict::Refuted);
                let slots = sweep.variables.slots;
                finding.counterexample = named(&claim.frame, &slots, &values);
                for (_, value) in &mut finding.counterexample {
                    if let Value::Position(position) = value {
                        *value = Value::text(&sweep.ctx.position_text(position));
                    }
                }
                // A moment more to tell what was found.
                within(sweep.ctx, Duration::from_secs(2), |ctx| {
                    Sides { ctx, frame: &claim.frame, slots: &slots, values: &values }
                        .tell(&claim.condition, &mut finding);
                });
            }
        }
    });
    finding.seconds = start.elapsed().as_secs_f64();
    finding
}

/// Goes through what clauses bind in order of size, until `judge` says that an instance is not as it should be. How far that
/// came, in words; `None`: to the end, or to that instance. Errors: those of the clauses and of `judge`, limits among them
/// when not even the smallest instances could be listed.
pub(crate) fn each_instance<'a>(
    ctx: &'a mut Context,
    frame: &'a Frame,
    clauses: &'a [Clause],
    judge: &'a mut Judge<'a>,
) -> Result<Option<String>, Box<Diagnostic>> {
    let variables = Variables::of(frame, clauses);
    let met = PositionCount::new(ctx);
    let mut sweep = ClaimSweep {
        ctx,
        frame,
        clauses,
        judge,
        variables,
        met,
        searched: 0,
        limit: u64::MAX,
        completed: None,
        first: None,
        last_step: u64::MAX,
        held: 100_000,
    };
    match sweep.run(Duration::MAX) {
        End::Whole | End::Counterexample(_) => Ok(None),
        End::UpTo(size) => Ok(Some(sweep.variables.bound(size))),
        End::Nowhere(limit) => Err(Box::new(Diagnostic::bare(Code::L03, limit))),
        End::Error(error) => Err(error),
    }
}

/// Judges a claim about finitely many instances by all of them, one about infinitely many by a short look for a counterexample,
/// at so many `instances`. Without a limit of time (`None`) only these count, and a finite range may have a million.
/// An error says that the claim has no value at one of them. `None`: there is none, or there are more than could be gone through in the
/// time.
pub(crate) fn whole(
    ctx: &mut Context,
    time: Option<Duration>,
    instances: u64,
    file: File<'_>,
    claim: &Claim,
) -> Option<Finding> {
    let infinite = Variables::of(&claim.frame, &claim.clauses).infinite;
    let (time, limit) = match time {
        Some(time) if infinite => (Some(time.min(SHORT)), instances),
        None if !infinite => (None, HELD as u64),
        time => (time, if infinite { instances } else { u64::MAX }),
    };
    let finding = judged(ctx, time.unwrap_or(Duration::MAX), (limit, u64::MAX), file, claim);
    match &finding.verdict {
        Ok(Verdict::Refuted) => Some(finding),
        Ok(Verdict::Verified) if finding.whole_range => Some(finding),
        Err(error) if !error.code.is_limit() => Some(finding),
        _ => None,
    }
}

impl ClaimSweep<'_> {
    fn run(&mut self, share: Duration) -> End {
        if self.variables.infinite {
            return self.windows(None, None);
        }
        let whole = SizeWindow { counted: self.variables.counted.clone(), limit: HELD, ..SizeWindow::default() };
        let clauses = refusing(self.clauses, self.held);
        let (frame, slots) = (self.frame, &self.variables.slots);
        // Whoever wants the first few does not wait until all are counted.
        let most = if share == Duration::MAX && self.last_step == u64::MAX && self.held < LISTED {
            self.ctx.run.fuel.saturating_add(FIRST_STEPS)
        } else {
            u64::MAX
        };
        let narrow = |limits: &mut Limits| limits.steps = Some(limits.steps.map_or(most, |steps| steps.min(most)));
        let found = within(self.ctx, share / 2, |ctx| {
            ctx.under(narrow, |ctx| ctx.with_recovery(|m| m.windowed_ways(frame, &clauses, slots, whole.clone())))
        });
        match found {
            Ok((instances, window)) if !window.overflow => match self.evaluate(instances, u64::MAX) {
                Some(end) => end,
                None => End::Whole,
            },
            Ok((_, window)) => self.windows(Some(window.largest), None),
            // Too many to be listed, or too big: the smaller ones.
            Err(error) if error.code.is_limit() => self.windows(None, None),
            Err(error) if error.code == Code::R06 => self.windows(None, Some(error)),
            Err(error) => End::Error(error),
        }
    }

    /// Sizes from 0 on, some at a time; `largest` is the last one if it is known. `beyond`: why there are larger instances than those
    /// of all sizes that can be counted.
    fn windows(&mut self, largest: Option<u64>, mut beyond: Option<Box<Diagnostic>>) -> End {
        let (mut from, mut width) = (0u64, 1u64);
        loop {
            let to = from.saturating_add(width - 1);
            let limit = if width == 1 { HELD_OF_ONE_SIZE } else { HELD };
            let window =
                SizeWindow { counted: self.variables.counted.clone(), from, to, limit, ..SizeWindow::default() };
            let clauses = narrowed(self.clauses, from, to);
            self.ctx.globals.nat_limit = width::int(to);
            let (frame, slots) = (self.frame, &self.variables.slots);
            let found = self.ctx.with_recovery(|m| m.windowed_ways(frame, &clauses, slots, window.clone()));
            let instances = match found {
                Ok((_, window)) if window.overflow && width > 1 => {
                    width /= 2;
                    continue;
                }
                Ok((_, window)) if window.overflow => {
                    return self.stopped(&format!("more than {HELD_OF_ONE_SIZE} instances of size {from}"));
                }
                Ok((instances, _)) => instances,
                Err(error) if error.code == Code::R06 && width > 1 => {
                    width /= 2;
                    continue;
                }
                Err(error) if error.code == Code::L03 => return self.timed_out(&error.message),
                Err(error) if error.code.is_limit() => return self.stopped(&error.message),
                // Larger instances cannot be listed. Where only numbers are too big that is told, or it would look as if a finite range had
                // been seen.
                Err(error)
                    if error.code == Code::R06
                        && self.completed.is_some()
                        && (self.variables.infinite || i64::try_from(from).is_ok()) =>
                {
                    return self.stopped(&error.message);
                }
                Err(error) => return End::Error(error),
            };
            let count = instances.len();
            if let Some(end) = self.evaluate(instances, to) {
                return end;
            }
            if largest.is_some_and(|largest| to >= largest) {
                return End::Whole;
            }
            if let Err(fault) = self.ctx.limits.check_clock() {
                return self.timed_out(&fault.message);
            }
            if let Some(end) = self.used_up() {
                return end;
            }
            if to == u64::MAX
                && let Some(error) = beyond.take()
            {
                return End::Error(error);
            }
            if self.searched >= self.limit || to == u64::MAX {
                return self.stopped("so many instances were compared");
            }
            from = to + 1;
            if count < WINDOW / 2 {
                width = (from / 8).max(1);
            }
        }
    }

    /// The end when the steps are used up.
    fn used_up(&self) -> Option<End> {
        let used = self.ctx.run.work() > self.last_step;
        self.completed.filter(|_| used).map(|size| End::UpTo(self.rounded(size)))
    }

    /// A round bound; no less than the first instance, or nothing would be said.
    fn rounded(&self, size: u64) -> u64 {
        round(size).max(self.first.unwrap_or(0)).min(size)
    }

    fn stopped(&self, limit: &str) -> End {
        self.completed.map_or_else(|| End::Nowhere(limit.to_string()), End::UpTo)
    }

    /// The end when the time is over. Where steps are counted, the same bound is told whichever ended it.
    fn timed_out(&self, limit: &str) -> End {
        let counted = self.last_step < u64::MAX;
        let bound = self.completed.filter(|_| counted).map(|size| End::UpTo(self.rounded(size)));
        bound.unwrap_or_else(|| self.stopped(limit))
    }

    /// Compares instances in order of size, then as they come; sizes up to `done` are done after them.
    fn evaluate(&mut self, instances: Vec<Vec<Value>>, done: u64) -> Option<End> {
        let window = SizeWindow { counted: self.variables.counted.clone(), ..SizeWindow::default() };
        let mut sized: Vec<(u64, Vec<Value>)> =
            instances.into_iter().map(|values| (window.size(values.iter()), values)).collect();
        sized.sort_by_key(|(size, _)| *size);
        self.first = self.first.or(sized.first().map(|(size, _)| *size));
        let mut last = None;
        for (size, values) in sized {
            if last.is_some_and(|last| last < size) {
                self.completed = Some(size - 1);
            }
            last = Some(size);
            if self.searched.is_multiple_of(256) {
                if let Err(fault) = self.ctx.limits.check_clock() {
                    return Some(self.timed_out(&fault.message));
                }
                self.met.tidy(self.ctx);
            }
            if let Some(end) = self.used_up() {
                return Some(end);
            }
            match (self.judge)(self.ctx, &self.variables.slots, &values) {
                Ok(true) => self.searched += 1,
                Ok(false) => {
                    self.searched += 1;
                    return Some(End::Counterexample(values));
                }
                Err(error) if error.code == Code::L03 => return Some(self.timed_out(&error.message)),
                Err(error) if error.code.is_limit() => return Some(self.stopped(&error.message)),
                Err(error) => return Some(End::Error(Box::new(self.told(*error, &values)))),
            }
        }
        self.completed = Some(done);
        None
    }

    fn told(&self, mut error: Diagnostic, values: &[Value]) -> Diagnostic {
        let named = named(self.frame, &self.variables.slots, values);
        if error.hint.is_none() && !named.is_empty() && !self.ctx.in_let(&error) {
            error.hint = Some(format!("this is at {}", named_text(&named)));
        }
        error
    }
}

/// The variables with names of their own, and their values.
pub(crate) fn named(frame: &Frame, slots: &[Slot], values: &[Value]) -> Vec<(String, Value)> {
    let names = slots.iter().map(|&slot| frame.slots[slot].name.clone());
    names.zip(values.iter().cloned()).filter(|(name, _)| !name.starts_with(['%', '_'])).collect()
}

pub(crate) struct Variables {
    pub(crate) slots: Vec<Slot>,
    /// What of each counts towards the size: nothing of one that is not bound by `in`.
    pub(crate) counted: Box<[Measure]>,
    /// Some binder runs over `nat`.
    pub(crate) infinite: bool,
    pub(crate) only_number: Option<String>,
}

impl Variables {
    pub(crate) fn of(frame: &Frame, clauses: &[Clause]) -> Self {
        let (mut slots, mut counted, mut bound) = (Vec::new(), Vec::new(), Vec::new());
        for clause in clauses {
            let bound_in = matches!(clause, Clause::In { .. });
            for slot in bound_slots(std::slice::from_ref(clause)) {
                slots.push(slot);
                counted.push(if bound_in { Measure::of(&frame.slots[slot].ty) } else { Measure::Nothing });
                if bound_in {
                    bound.push(slot);
                }
            }
        }
        let only_number = match bound[..] {
            [slot] if frame.slots[slot].ty == Type::Int => Some(frame.slots[slot].name.clone()),
            _ => None,
        };
        let infinite = clauses.iter().any(|clause| matches!(clause, Clause::In { source, .. } if is_nat(source)));
        Variables { slots, counted: counted.into(), infinite, only_number }
    }

    pub(crate) fn bound(&self, size: u64) -> String {
        match &self.only_number {
            Some(name) => format!("{name} <= {size}"),
            None => format!("all instances of size <= {size}"),
        }
    }
}

fn is_nat(source: &Term) -> bool {
    matches!(bare(source).kind, TermKind::Builtin(Builtin::Nat, _))
}

/// Clauses with their ranges cut to what instances of sizes `from..=to` can have. Some instances of other sizes may be left.
pub(crate) fn narrowed(clauses: &[Clause], from: u64, to: u64) -> Vec<Clause> {
    // What the ints bound so far take away from the size.
    let mut taken: Vec<(Slot, bool)> = Vec::new();
    // Only ints were bound so far.
    let mut exact = true;
    let binders = clauses.iter().filter(|clause| matches!(clause, Clause::In { .. })).count();
    let mut seen = 0;
    let mut out = Vec::with_capacity(clauses.len());
    for (at, clause) in clauses.iter().enumerate() {
        let Clause::In { pattern, source, span } = clause else {
            out.push(clause.clone());
            continue;
        };
        seen += 1;
        let natural = is_nat(source);
        let mut source = source.clone();
        match (&source.kind, pattern) {
            (_, Pattern::Slot(slot)) if natural => {
                let least = if exact && seen == binders { left(&source, from, &taken) } else { int(&source, 0) };
                let least = builtin(&source, Builtin::Max, vec![least, int(&source, 0)]);
                // What is as large as this number counts as much again.
                let weight = 1 + clauses[at + 1..].iter().filter(|later| is_as_large(later, *slot)).count();
                let most = left(&source, to, &taken);
                let most = binary(&source, BinaryOp::Div, most, int(&source, weight as u64));
                source = range(&source, least, most);
                taken.push((*slot, true));
            }
            _ if natural => {
                let (least, most) = (int(&source, 0), left(&source, to, &taken));
                source = range(&source, least, most);
                exact = false;
            }
            (TermKind::Binary(BinaryOp::Range, a, b), Pattern::Slot(slot)) => {
                let most = left(&source, to, &taken);
                let negated = Term::new(TermKind::Neg(Box::new(most.clone())), Type::Int, source.span);
                let least = builtin(&source, Builtin::Max, vec![(**a).clone(), negated]);
                let most = builtin(&source, Builtin::Min, vec![(**b).clone(), most]);
                source = range(&source, least, most);
                taken.push((*slot, false));
            }
            // Of members that count with their extents; a vertex, for one, does not.
            (TermKind::Builtin(word @ (Builtin::Lists | Builtin::Bags), args), Pattern::Slot(_)) if matches!(&source.ty, Type::List(of) if matches!(Measure::of(of), Measure::Extent)) =>
            {
                let most = left(&source, to, &taken);
                source = lists_within(&source, *word, args, most, LISTED);
                exact = false;
            }
            _ => exact = false,
        }
        out.push(Clause::In { pattern: pattern.clone(), source, span: *span });
    }
    out
}

/// Clauses in which words that list all lists refuse before there are more of them than are held.
fn refusing(clauses: &[Clause], held: u64) -> Vec<Clause> {
    let all = |clause: &Clause| match clause {
        Clause::In { pattern, source, span } => {
            let source = match &source.kind {
                TermKind::Builtin(word @ (Builtin::Lists | Builtin::Bags), args) => {
                    // No number: all of them.
                    let most = Term::new(TermKind::Bool(false), Type::Bool, source.span);
                    lists_within(source, *word, args, most, held)
                }
                _ => source.clone(),
            };
            Clause::In { pattern: pattern.clone(), source, span: *span }
        }
        other => other.clone(),
    };
    clauses.iter().map(all).collect()
}

/// The lists or bags that a word lists, no larger than `most`; an error when there are more than `held`.
fn lists_within(source: &Term, word: Builtin, args: &[Term], most: Term, held: u64) -> Term {
    let bags = Term::new(TermKind::Bool(word == Builtin::Bags), Type::Bool, source.span);
    let args = args.iter().cloned().chain([most, bags, int(source, held)]).collect();
    Term::new(TermKind::Builtin(Builtin::ListsWithin, args), source.ty.clone(), source.span)
}

fn is_as_large(clause: &Clause, slot: Slot) -> bool {
    use Builtin as B;
    let Clause::In { pattern: Pattern::Slot(_), source, .. } = clause else { return false };
    let number = match &bare(source).kind {
        TermKind::Builtin(
            B::Graphs | B::Connected | B::Trees | B::RootedTrees | B::Digraphs | B::Dags | B::Posets | B::Multigraphs,
            args,
        ) => args.first(),
        TermKind::Builtin(B::Lists | B::Bags, args) => args.get(1),
        _ => None,
    };
    number.is_some_and(|number| matches!(number.kind, TermKind::Slot(s) if s == slot))
}

fn int(at: &Term, n: u64) -> Term {
    Term::new(TermKind::Int(BigInt::from(n)), Type::Int, at.span)
}

fn builtin(at: &Term, word: Builtin, args: Vec<Term>) -> Term {
    Term::new(TermKind::Builtin(word, args), Type::Int, at.span)
}

fn range(at: &Term, from: Term, to: Term) -> Term {
    Term::new(binary(at, BinaryOp::Range, from, to).kind, Type::Range, at.span)
}

fn binary(at: &Term, op: BinaryOp, a: Term, b: Term) -> Term {
    Term::new(TermKind::Binary(op, Box::new(a), Box::new(b)), Type::Int, at.span)
}

/// `size` minus the ints bound before.
fn left(at: &Term, size: u64, taken: &[(Slot, bool)]) -> Term {
    taken.iter().fold(int(at, size), |left, &(slot, natural)| {
        let slot = Term::new(TermKind::Slot(slot), Type::Int, at.span);
        let less = if natural { slot } else { builtin(at, Builtin::Abs, vec![slot]) };
        binary(at, BinaryOp::Sub, left, less)
    })
}

/// The form of a condition, as far as a report can say more of it than "false".
pub(crate) enum Form<'t> {
    Compare {
        found: &'t Term,
        op: CompareOp,
        claimed: &'t Term,
        flipped: bool,
    },
    Iff {
        found: &'t Term,
        claimed: &'t Term,
    },
    /// A question that should be answered so.
    Truth {
        question: &'t Term,
        claimed: bool,
    },
    And(&'t Term, &'t Term),
    /// The second must hold, as the first does.
    Implies(&'t Term),
    Other,
}

fn asks(term: &Term) -> bool {
    some_term(term, |t| matches!(&t.kind, TermKind::Builtin(word, _) if word.is_question()))
}

/// The form of a condition: the side that asks a question about a position is what the rules say.
pub(crate) fn form(condition: &Term) -> Form<'_> {
    let condition = bare(condition);
    match &condition.kind {
        TermKind::Compare(a, rest) => match &rest[..] {
            [(op, b)] if !asks(a) && asks(b) => Form::Compare { found: b, op: *op, claimed: a, flipped: true },
            [(op, b)] => Form::Compare { found: a, op: *op, claimed: b, flipped: false },
            _ => Form::Other,
        },
        TermKind::Iff(a, b) if !asks(a) && asks(b) => Form::Iff { found: b, claimed: a },
        TermKind::Iff(a, b) => Form::Iff { found: a, claimed: b },
        TermKind::Logic(LogicOp::And, a, b) => Form::And(a, b),
        TermKind::Logic(LogicOp::Implies, _, b) => Form::Implies(b),
        TermKind::Builtin(word, _) if word.is_question() => Form::Truth { question: condition, claimed: true },
        TermKind::Not(inner) => match &bare(inner).kind {
            TermKind::Builtin(word, _) if word.is_question() => Form::Truth { question: bare(inner), claimed: false },
            _ => Form::Other,
        },
        _ => Form::Other,
    }
}

/// A comparison as words before the value: nothing for `==`.
pub(crate) fn comparison(op: CompareOp, flipped: bool) -> &'static str {
    match (op, flipped) {
        (CompareOp::Eq, _) => "",
        (CompareOp::Ne, _) => "not ",
        (CompareOp::Lt, false) | (CompareOp::Gt, true) => "< ",
        (CompareOp::Le, false) | (CompareOp::Ge, true) => "<= ",
        (CompareOp::Gt, false) | (CompareOp::Lt, true) => "> ",
        (CompareOp::Ge, false) | (CompareOp::Le, true) => ">= ",
        (CompareOp::In, false) => "in ",
        (CompareOp::NotIn, false) => "not in ",
        (CompareOp::In, true) => "a collection with ",
        (CompareOp::NotIn, true) => "a collection without ",
    }
}

pub(crate) struct Sides<'a> {
    pub(crate) ctx: &'a mut Context,
    pub(crate) frame: &'a Frame,
    pub(crate) slots: &'a [Slot],
    pub(crate) values: &'a [Value],
}

impl Sides<'_> {
    pub(crate) fn tell(&mut self, condition: &Term, finding: &mut Finding) {
        match form(condition) {
            Form::Compare { found, op, claimed, flipped } => {
                if let (Some(f), Some(c)) = (self.eval(found), self.eval(claimed)) {
                    let shown = if op == CompareOp::Eq { c.to_string() } else { c.inner_text() };
                    finding.claimed = Some(format!("{}{shown}", comparison(op, flipped)));
                    finding.found = Some(f.to_string());
                }
                if let Some((Builtin::Outcome, position)) = self.question(found) {
                    finding.line = line(self.ctx, &position);
                }
            }
            Form::Iff { found, claimed } => {
                let Some(Value::Bool(says)) = self.eval(claimed) else { return };
                let (question, says) = match &bare(found).kind {
                    TermKind::Not(inner) => (bare(inner), !says),
                    _ => (found, says),
                };
                self.outcome(question, says, finding);
            }
            Form::Truth { question, claimed } => self.outcome(question, claimed, finding),
            Form::And(a, b) => {
                let side = if matches!(self.eval(a), Some(Value::Bool(false))) { a } else { b };
                self.tell(side, finding);
            }
            Form::Implies(then) => self.tell(then, finding),
            Form::Other => {
                finding.claimed = Some("true".to_string());
                finding.found = Some("false".to_string());
            }
        }
    }

    /// What is claimed of a question that should have this truth value.
    fn outcome(&mut self, question: &Term, says: bool, finding: &mut Finding) {
        let told = match self.question(question) {
            Some((Builtin::Wins, position)) => Some(("first", position)),
            Some((Builtin::Loses, position)) => Some(("second", position)),
            Some((Builtin::Draws, position)) => Some(("draw", position)),
            _ => None,
        };
        let Some((word, position)) = told else {
            finding.claimed = Some(says.to_string());
            finding.found = Some((!says).to_string());
            return;
        };
        finding.claimed = Some(if says { word.to_string() } else { format!("not {word}") });
        let hook = self.ctx.session.hook;
        let found = self.ctx.with_recovery(|m| hook(m, Builtin::Outcome, &position));
        finding.found = found.ok().map(|outcome| outcome.to_string());
        finding.line = line(self.ctx, &position);
    }

    fn question(&mut self, term: &Term) -> Option<(Builtin, Arc<Position>)> {
        let TermKind::Builtin(word, args) = &bare(term).kind else { return None };
        if !word.is_question() {
            return None;
        }
        let Value::Position(position) = self.eval(args.first()?)? else { return None };
        Some((*word, position))
    }

    fn eval(&mut self, term: &Term) -> Option<Value> {
        self.ctx.with_recovery(|m| m.eval_with(self.frame, self.slots, self.values, term)).ok()
    }
}
