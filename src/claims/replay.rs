//! One instance of a statement, played through by the plain rules: before a proof that fails counts as a refutation.

use crate::answer::{Finding, Verdict};
use crate::claims::claim_sweep::{self, Sides};
use crate::claims::domain::Domain;
use crate::claims::theorem::{Judged, alone, component, judge, named, search};
use crate::claims::{line, within};
use crate::engines::{Play, moves};
use crate::model::walk::{bare, bound_slots};
use crate::model::{Builtin, Claim, Clause, GameId, Pattern, Slot, TermKind, TheoremSays};
use crate::source::{Code, Diagnostic};
use crate::value::{Run, Shape, Value};
use crate::vm::context::{Context, EngineOptions, Policy};
use crate::words::contains;
use num_traits::Signed;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Playing one instance through may take what time is left, and at least this.
const PLAY: Duration = Duration::from_secs(1);

/// Where it is certain that a statement fails, it is played through for no longer than this.
const SHORT: Duration = Duration::from_secs(1);

/// Why it is certain that a statement fails at an instance, which then is refuted though it is too large to be played through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Denied {
    /// It follows from statements that are proved.
    Proved,
    /// It is proved of all smaller positions, and then the rules give another answer here.
    Least,
}

impl Denied {
    fn found(self) -> String {
        let by = match self {
            Denied::Proved => "by what is proved",
            Denied::Least => "by the rules, as it holds for all smaller positions",
        };
        format!("otherwise, {by}; it is too large to be played through")
    }
}

/// What an instance that could not be evaluated says: it is too large, or has no value.
fn unplayed(
    error: &Diagnostic,
    shown: &str,
    denied: Option<Denied>,
    counterexample: Vec<(String, Value)>,
    finding: &mut Finding,
) -> Result<Verdict, String> {
    // A number too big for a range or a collection is none for the rules.
    if !error.code.is_limit() && error.code != Code::R06 {
        return Err(format!("at {shown} it has no value: {}", error.message));
    }
    let denied = denied.ok_or_else(|| format!("{shown} is too large to be played through"))?;
    finding.counterexample = counterexample;
    finding.found = Some(denied.found());
    Ok(Verdict::Refuted)
}

/// Endless without a deadline.
fn allowed(deadline: Option<Instant>, denied: Option<Denied>) -> Duration {
    let Some(deadline) = deadline else { return Duration::MAX };
    let time = deadline.saturating_duration_since(Instant::now()).max(PLAY);
    if denied.is_some() { time.min(SHORT) } else { time }
}

/// Evaluates a claim for these values of its variables; `denied`: it is certain that it fails there, so that an instance too large to be
/// played through refutes it too. `Err` says why it is not refuted.
pub(crate) fn claim(
    ctx: &mut Context,
    claim: &Claim,
    values: &[(Slot, Value)],
    denied: Option<Denied>,
    deadline: Option<Instant>,
    finding: &mut Finding,
) -> Result<Verdict, String> {
    let value = |slot: Slot| values.iter().find(|(other, _)| *other == slot).cloned();
    let (slots, given): (Vec<Slot>, Vec<Value>) = bound_slots(&claim.clauses).into_iter().filter_map(value).unzip();
    let shown = format!("({})", given.iter().map(Value::inner_text).collect::<Vec<_>>().join(", "));
    let named = claim_sweep::named(&claim.frame, &slots, &given);
    let time = allowed(deadline, denied);
    match within(ctx, time, |ctx| ctx.with_recovery(|ctx| is_instance(ctx, claim, &slots, &given))) {
        Ok(true) => {}
        Ok(false) => return Err(format!("the claim does not speak of {shown}")),
        Err(error) => return unplayed(&error, &shown, denied, named, finding),
    }
    let truth =
        within(ctx, time, |ctx| ctx.with_recovery(|m| m.eval_with(&claim.frame, &slots, &given, &claim.condition)));
    match truth {
        Ok(Value::Bool(false)) => {}
        Ok(_) => return Err(format!("at {shown} the claim holds")),
        Err(error) => return unplayed(&error, &shown, denied, named, finding),
    }
    finding.searched = 1;
    finding.counterexample = named;
    within(ctx, Duration::from_secs(2), |ctx| {
        Sides { ctx, frame: &claim.frame, slots: &slots, values: &given }.tell(&claim.condition, finding);
    });
    Ok(Verdict::Refuted)
}

/// Whether a claim speaks of these values: there is one for each variable, each is in its domain, and all conditions hold.
fn is_instance(ctx: &mut Context, claim: &Claim, slots: &[Slot], given: &[Value]) -> Run<bool> {
    for clause in &claim.clauses {
        let holds = match clause {
            Clause::Where(condition) => ctx.eval_with(&claim.frame, slots, given, condition)? == Value::Bool(true),
            Clause::In { pattern: Pattern::Slot(slot), source, .. } => {
                let Some(at) = slots.iter().position(|other| other == slot) else { return Ok(false) };
                if let TermKind::Builtin(Builtin::Nat, _) = &bare(source).kind {
                    !given[at].to_big()?.is_negative()
                } else {
                    let domain = ctx.eval_with(&claim.frame, slots, given, source)?;
                    contains(&domain, &given[at])?
                }
            }
            // Their parts are no variables by themselves.
            Clause::In { .. } | Clause::Let { .. } => true,
        };
        if !holds {
            return Ok(false);
        }
    }
    Ok(true)
}

/// How a theorem is played through at a position.
#[derive(Clone, Copy)]
pub(crate) struct Replay {
    /// A large heap by its code, if the rules are one.
    pub(crate) by_code: bool,
    /// Where it holds, the positions of the game that moves lead to are tried, too.
    pub(crate) beside: bool,
    pub(crate) denied: Option<Denied>,
    pub(crate) deadline: Option<Instant>,
}

/// Judges a theorem at the position of these parameters and fields. `Err` says why that does not refute it.
pub(crate) fn theorem(
    ctx: &mut Context,
    id: GameId,
    index: usize,
    values: &[Value],
    how: Replay,
    finding: &mut Finding,
) -> Result<Verdict, String> {
    let program = ctx.session.program.clone();
    let game = &program.games[id.0];
    let theorem = &game.theorems[index];
    let domain = Domain::of(ctx, id);
    let shown = format!("({})", values.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "));
    let given: Vec<Option<Value>> = values.iter().cloned().map(Some).collect();
    let listed = matches!(theorem.says, TheoremSays::Moves { .. });
    let options = EngineOptions { heaps: if how.by_code { Policy::Always } else { ctx.options.heaps }, ..ctx.options };
    let play = |ctx: &mut Context| {
        let Some(at) = search(ctx, id, &given, listed)? else { return Ok(None) };
        Ok(Some((judge(ctx, game, theorem, &at)?, at)))
    };
    let time = allowed(how.deadline, how.denied);
    let judged = ctx.with_options(options, |ctx| within(ctx, time, |ctx| ctx.with_recovery(play)));
    match judged {
        Ok(Some((Judged::Fails(clash), at))) => {
            finding.searched = 1;
            finding.counterexample = named(&domain, &at.component);
            finding.claimed = Some(clash.claimed);
            finding.found = Some(clash.found);
            if matches!(theorem.says, TheoremSays::Verdict { .. }) {
                finding.line = within(ctx, Duration::from_secs(1), |ctx| line(ctx, &at.position));
            }
            Ok(Verdict::Refuted)
        }
        Ok(_) if how.beside => {
            let found =
                within(ctx, time, |ctx| ctx.with_recovery(|ctx| options_of(ctx, id, &given))).unwrap_or_default();
            let how = Replay { beside: false, ..how };
            let refuted = found.iter().find_map(|values| self::theorem(ctx, id, index, values, how, finding).ok());
            refuted.ok_or_else(|| format!("at {shown} it holds"))
        }
        Ok(_) => Err(format!("at {shown} it holds")),
        Err(error) => {
            let named = domain.names.iter().cloned().zip(values.iter().cloned()).collect();
            unplayed(&error, &shown, how.denied, named, finding)
        }
    }
}

/// The rule parameters and fields of the single components of this game with the same rule parameters that moves lead to.
fn options_of(ctx: &mut Context, id: GameId, values: &[Option<Value>]) -> Run<Vec<Vec<Value>>> {
    let program = ctx.session.program.clone();
    let Some((from, _)) = component(ctx, id, values)? else { return Ok(Vec::new()) };
    let at = Arc::new(alone(&program.games[id.0], &from));
    let alike = |play: Play| match &play.next?.shape {
        Shape::Sum(parts) => match &parts[..] {
            [to] if to.game == id && to.params == from.params => {
                Some(to.params.iter().chain(to.state.iter()).cloned().collect())
            }
            _ => None,
        },
        Shape::Compound(..) => None,
    };
    Ok(moves(ctx, &at)?.into_iter().filter_map(alike).collect())
}
