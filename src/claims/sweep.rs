//! Claims: every instance in order of size, up to the smallest counterexample or the end of the budget.
//!
//! The size of an instance is the sum of its ints, lengths, vertices and edges, so that the first counterexample is a
//! smallest one. A finite range that fits memory is listed and sorted. Otherwise windows of sizes are gone through one
//! after another (`window.rs`), so that several infinite binders take turns; the verdict names the last size that was
//! searched completely.

use crate::answer::verdict::{Finding, Kind, Verdict};
use crate::claims::File;
use crate::claims::budget::{Clock, PositionCount, within};
use crate::claims::sides::Sides;
use crate::claims::window::{Variables, narrowed};
use crate::model::Claim;
use crate::source::diagnostic::{Code, Diagnostic};
use crate::value::Value;
use crate::vm::context::Context;
use crate::vm::size_window::Sieve;
use std::time::{Duration, Instant};

/// So many instances are held at once.
const HELD: usize = 1_000_000;
/// So many of one single size.
const HELD_OF_ONE_SIZE: usize = 8 * HELD;
/// A short look at an infinite range: at so many instances.
pub(crate) const LOOK: u64 = 20_000;
/// Where time is limited, a short look takes no longer than this.
const SHORT: Duration = Duration::from_millis(500);
/// Windows of sizes do not grow beyond so many instances.
const WINDOW: usize = 50_000;

/// How a sweep ended.
enum End {
    /// The whole range was searched.
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

struct Sweep<'a> {
    ctx: &'a mut Context,
    claim: &'a Claim,
    variables: Variables,
    met: PositionCount,
    searched: u64,
    /// At most so many instances.
    limit: u64,
    /// The last size that was done.
    completed: Option<u64>,
}

/// Judges a claim.
pub(crate) fn claim(ctx: &mut Context, clock: &mut Clock, file: File<'_>, claim: &Claim) -> Finding {
    let share = clock.share();
    let infinite = Variables::of(&claim.frame, &claim.clauses).infinite;
    judged(ctx, share, if infinite { clock.instances } else { u64::MAX }, file, claim)
}

/// Judges a claim in so much time, at most so many instances.
fn judged(ctx: &mut Context, share: Duration, limit: u64, file: File<'_>, claim: &Claim) -> Finding {
    let start = Instant::now();
    let mut finding = Finding::new(file.name(), Kind::Claim, claim.title.clone(), claim.span);
    finding.negated = claim.negated;
    let variables = Variables::of(&claim.frame, &claim.clauses);
    let met = PositionCount::new(ctx);
    within(ctx, share, |ctx| {
        let mut sweep = Sweep { ctx, claim, variables, met, searched: 0, limit, completed: None };
        let end = sweep.run(share);
        finding.searched = sweep.searched;
        finding.positions = sweep.met.count(sweep.ctx);
        match end {
            End::Whole => {
                finding.whole_range = true;
                finding.bound = Some("the whole range".to_string());
            }
            End::UpTo(size) => finding.bound = Some(sweep.variables.bound(size)),
            End::Nowhere(limit) => finding.verdict = Ok(Verdict::Unknown { limit }),
            End::Error(error) => finding.verdict = Err(error),
            End::Counterexample(values) => {
                finding.verdict = Ok(Verdict::Refuted);
                let shown = |value: &Value| match value {
                    Value::Position(position) => Value::text(&sweep.ctx.position_text(position)),
                    other => other.clone(),
                };
                let named = sweep.variables.names.iter().cloned().zip(values.iter().map(shown));
                finding.counterexample = named.filter(|(name, _)| !name.starts_with(['%', '_'])).collect();
                let slots = sweep.variables.slots.clone();
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

/// Judges a claim about finitely many instances by all of them, one about infinitely many by a short look for a counterexample,
/// at so many `instances`. Without a limit of time (`None`) only these count, and a finite range may have a million.
/// `None`: there is none, or there are more than could be gone through in the time, or the claim has no value at one of them.
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
    let finding = judged(ctx, time.unwrap_or(Duration::MAX), limit, file, claim);
    match &finding.verdict {
        Ok(Verdict::Refuted) => Some(finding),
        Ok(Verdict::Verified) if finding.whole_range => Some(finding),
        _ => None,
    }
}

impl Sweep<'_> {
    fn run(&mut self, share: Duration) -> End {
        if self.variables.infinite {
            return self.windows(None);
        }
        let whole = Sieve { counted: self.variables.counted.clone(), limit: HELD, ..Sieve::default() };
        let clauses = &self.claim.clauses;
        let (frame, slots) = (&self.claim.frame, &self.variables.slots);
        let found =
            within(self.ctx, share / 2, |ctx| ctx.with_recovery(|m| m.sifted(frame, clauses, slots, whole.clone())));
        match found {
            Ok((instances, sieve)) if !sieve.overflow => match self.evaluate(instances, u64::MAX) {
                Some(end) => end,
                None => End::Whole,
            },
            Ok((_, sieve)) => self.windows(Some(sieve.largest)),
            Err(error) if error.code.is_limit() => self.windows(None),
            Err(error) => End::Error(error),
        }
    }

    /// Sizes from 0 on, some at a time; `largest` is the last one if there is one.
    fn windows(&mut self, largest: Option<u64>) -> End {
        let (mut from, mut width) = (0u64, 1u64);
        loop {
            let to = from.saturating_add(width - 1);
            let limit = if width == 1 { HELD_OF_ONE_SIZE } else { HELD };
            let sieve = Sieve { counted: self.variables.counted.clone(), from, to, limit, ..Sieve::default() };
            let clauses = narrowed(&self.claim.clauses, from, to);
            self.ctx.globals.nat_limit = i64::try_from(to).unwrap_or(i64::MAX);
            let (frame, slots) = (&self.claim.frame, &self.variables.slots);
            let found = self.ctx.with_recovery(|m| m.sifted(frame, &clauses, slots, sieve.clone()));
            let instances = match found {
                Ok((_, sieve)) if sieve.overflow && width > 1 => {
                    width /= 2;
                    continue;
                }
                Ok((_, sieve)) if sieve.overflow => {
                    return self.stopped(&format!("more than {HELD_OF_ONE_SIZE} instances of size {from}"));
                }
                Ok((instances, _)) => instances,
                Err(error) if error.code.is_limit() => return self.stopped(&error.message),
                // Larger instances cannot be listed.
                Err(error) if error.code == Code::R06 && self.variables.infinite && self.completed.is_some() => {
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
                return self.stopped(&fault.message);
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

    fn stopped(&self, limit: &str) -> End {
        self.completed.map_or_else(|| End::Nowhere(limit.to_string()), End::UpTo)
    }

    /// Compares instances in order of size, then as they come; sizes up to `done` are done after them.
    fn evaluate(&mut self, instances: Vec<Vec<Value>>, done: u64) -> Option<End> {
        let sieve = Sieve { counted: self.variables.counted.clone(), ..Sieve::default() };
        let mut sized: Vec<(u64, Vec<Value>)> =
            instances.into_iter().map(|values| (sieve.size(values.iter()), values)).collect();
        sized.sort_by_key(|(size, _)| *size);
        let claim = self.claim;
        let mut last = None;
        for (size, values) in sized {
            if last.is_some_and(|last| last < size) {
                self.completed = Some(size - 1);
            }
            last = Some(size);
            if self.searched.is_multiple_of(256) {
                if let Err(fault) = self.ctx.limits.check_clock() {
                    return Some(self.stopped(&fault.message));
                }
                self.met.tidy(self.ctx);
            }
            let slots = &self.variables.slots;
            let truth = self.ctx.with_recovery(|m| m.eval_with(&claim.frame, slots, &values, &claim.condition));
            match truth {
                Ok(Value::Bool(true)) => self.searched += 1,
                Ok(_) => {
                    self.searched += 1;
                    return Some(End::Counterexample(values));
                }
                Err(error) if error.code.is_limit() => return Some(self.stopped(&error.message)),
                Err(error) => return Some(End::Error(Box::new(self.told(*error, &values)))),
            }
        }
        self.completed = Some(done);
        None
    }

    /// An error with the instance at which it came.
    fn told(&self, mut error: Diagnostic, values: &[Value]) -> Diagnostic {
        let named = self.variables.names.iter().zip(values).filter(|(name, _)| !name.starts_with(['%', '_']));
        let at: Vec<String> = named.map(|(name, value)| format!("{name} = {}", value.inner_text())).collect();
        if error.hint.is_none() && !at.is_empty() && !self.ctx.in_let(&error) {
            error.hint = Some(format!("this is at {}", at.join(", ")));
        }
        error
    }
}
