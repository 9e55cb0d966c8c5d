//! From a position and a question to an answer: one engine a file or folder, one chooser.
//!
//! The order: theorems of the file, heaps by their code, and then the judge, which takes states apart, searches
//! components, and searches as a whole what is no sum of components. An engine that does not fit refuses, and leaves
//! nothing half-done behind. A cheap search comes before a table: it may be enough, and it tells what the table is to
//! be like. Where a theorem knows who wins, a search within small limits comes first all the same, since the value and
//! the moves are worth more; the answer says which way it was. In the end every move is judged by what was worked out,
//! so that all winning moves come out and not only one.
//!
//! How answers look is not known here. There are no partial answers: a limit that is reached is an error.

mod by_tables;
mod components;
mod compounds;
mod cyclic;
mod decomposition;
mod grundy;
mod heap_codes;
mod judge;
mod lists;
pub mod memo;
mod nimber;
mod numbers;
mod plan;
mod query;
mod query_history;
mod remoteness;
mod row;
mod sample;
mod score;
mod stated;
mod sums;
pub mod table;
mod theorem;
mod value;

use crate::answer::{Answer, GrundyValue, Method, MoveList, Outcome};
pub(crate) use crate::engines::heap_codes::{certified as certified_period, code_of_rules};
use crate::engines::judge::{Judge, Verdict};
use crate::engines::query::{Root, RootMove};
use crate::graph_search::space;
use crate::model::builtin::Builtin;
use crate::model::{BinaryOp, Clause, Term, TermKind};
use crate::source::diagnostic::Code;
use crate::tuning;
use crate::value::fault::{Fault, Halt, Run};
use crate::value::limits::Trial;
use crate::value::{Position, Value};
use crate::vm::context::{Context, Policy};
use crate::vm::credit::Credit;
use std::sync::Arc;

/// How to solve.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// Theorems are ignored.
    pub exhaustive: bool,
    /// So many moves are listed.
    pub moves: usize,
    /// A short search is worth it for the remoteness alone.
    pub remoteness: bool,
}

impl Default for Choice {
    fn default() -> Self {
        Choice { exhaustive: false, moves: 60, remoteness: true }
    }
}

/// A trial in proportion to large states: of those no more than a look at a few positions is worth it.
fn in_proportion(ctx: &Context, root: &Root, trial: Trial) -> Trial {
    let mut breadth = 0_u64;
    for &id in root.ids.iter().filter(|&&id| id != space::NOTHING) {
        breadth = breadth.saturating_add(1 + ctx.breadth(id));
        if breadth >= tuning::MOST_LOOKS / tuning::LOOKS {
            break;
        }
    }
    if breadth < tuning::LARGE {
        trial
    } else {
        Trial { steps: trial.steps.min(breadth.saturating_mul(tuning::LOOKS)).min(tuning::MOST_LOOKS), ..trial }
    }
}

/// Whether a search beside theorems would only find out that it is too much: a move of a position of ints has more ints to choose
/// from than a trial has steps. Of a file of pairs of Wythoff's game that is all of them, and finding it out takes longer than the rest.
fn is_hopeless(ctx: &mut Context, root: &Root) -> bool {
    let [id] = root.ids[..] else { return false };
    if id == space::NOTHING || !ctx.is_of_ints(id) {
        return false;
    }
    let program = ctx.session.program.clone();
    let game = &program.games[ctx.game_of(id).0];
    let mut int = |term: &Term| match &term.kind {
        TermKind::Int(n) => i64::try_from(n).ok(),
        _ => ctx.eval_at(id, term).ok().and_then(|value| if let Value::Int(n) = value { Some(n) } else { None }),
    };
    game.moves.iter().any(|mv| {
        let Some(Clause::In { source, .. }) = mv.clauses.first() else { return false };
        let range = if let TermKind::Adapt(inner) = &source.kind { inner } else { source };
        let TermKind::Binary(BinaryOp::Range, from, to) = &range.kind else { return false };
        let (Some(from), Some(to)) = (int(from), int(to)) else { return false };
        from <= to && from.abs_diff(to) > tuning::SEARCH.steps
    })
}

/// Whether work came to an end because there is too much of it: a limit, or a number too big to be counted to.
fn is_too_much(halt: &Halt) -> bool {
    halt.is_limit() || halt.code() == Some(Code::R06)
}

/// Everything about a position. May halt with `Halt::Wide`/`Halt::Unpack`: call it inside [`Context::with_recovery`],
/// with the position made inside too.
pub fn solve(ctx: &mut Context, position: &Position, choice: Choice) -> Run<Answer> {
    let (heaps, parts) = (ctx.session.options.heaps, ctx.session.options.parts);
    if choice.exhaustive && heaps == Policy::Large {
        ctx.session.options.heaps = Policy::Never;
    }
    ctx.session.options.parts = parts && !choice.exhaustive;
    let answer = answered(ctx, position, choice);
    (ctx.session.options.heaps, ctx.session.options.parts) = (heaps, parts);
    answer
}

fn answered(ctx: &mut Context, position: &Position, choice: Choice) -> Run<Answer> {
    if !choice.exhaustive
        && let Some(answer) = row::solve(ctx, position, choice)?
    {
        return Ok(answer);
    }
    let root = Root::new(ctx, position)?;
    let text = ctx.position_text(position);
    if !choice.exhaustive
        && let Some(answer) = theorem::solve(ctx, &root, &text, choice)?
        && let Some(answer) = completed(ctx, &root, answer, choice)?
    {
        return Ok(answer);
    }
    if let Some(mut answer) = heap_codes::solve(ctx, &root, &text, choice)? {
        if choice.remoteness && heap_codes::is_far(ctx, &root)? {
            answer.remoteness = theorem::stated_remoteness(ctx, &root)?;
            return Ok(answer);
        }
        if let Some(answer) = completed(ctx, &root, answer, choice)? {
            return Ok(answer);
        }
    }
    let searched = if choice.exhaustive { None } else { theorem::outcome_of(ctx, &root)? };
    let judge = match searched {
        // A theorem knows who wins: search all the same while it is cheap, for the value and the moves.
        Some(known) => {
            let search = |ctx: &mut Context| {
                let trial = in_proportion(ctx, &root, tuning::SEARCH);
                ctx.within_trial(trial, |ctx| Judge::new(ctx, &root))
            };
            let tried = if is_hopeless(ctx, &root) { None } else { ctx.on_credit(search) };
            match tried {
                None => return theorem::outcome_answer(ctx, &root, &text, known, choice),
                Some(Err(halt)) if is_too_much(&halt) && !ctx.limits_reached() => {
                    return theorem::outcome_answer(ctx, &root, &text, known, choice);
                }
                Some(other) => other?,
            }
        }
        None => judged(ctx, &root)?,
    };
    let mut answer = Answer {
        position: text,
        outcome: judge.outcome(),
        grundy: judge.grundy(),
        grundy_refused: judge.grundy_refused(),
        moves_refused: None,
        remoteness: judge.remoteness(),
        score: judge.score(),
        winning: MoveList::default(),
        drawing: None,
        method: judge.method(),
        positions: judge.positions(),
    };
    let parted = judge.parted_moves(ctx, &root, choice.moves).transpose()?;
    let [winning, drawing] = if let Some(list) = &parted {
        answer.moves_refused = list.is_none().then(theorem::too_many);
        [list.clone().unwrap_or_default(), MoveList::default()]
    } else {
        let judge = &mut |ctx: &mut Context, mv: &RootMove| judge.verdict(ctx, &root, mv).map(Some);
        lists::judged(&root, ctx, choice.moves, judge)?.unwrap_or_default()
    };
    // The best moves of a drawn scoring game are the ones that draw.
    let even = answer.score.is_some().then(|| winning.clone());
    if answer.outcome == Outcome::Draw {
        answer.drawing = Some(even.unwrap_or(drawing));
    }
    answer.winning = winning;
    // A state taken apart into components because it is large is not searched whole.
    let apart =
        root.ids.len() == 1 && answer.method == Method::Components && ctx.session.options.split == Policy::Large;
    if choice.remoteness && !apart && parted.is_none() && is_open(&answer) {
        answer.remoteness = remoteness::tried(ctx, &root).and_then(|tried| tried.remoteness);
    }
    Ok(answer)
}

/// The judge of a position of which no theorem tells the outcome.
fn judged(ctx: &mut Context, root: &Root) -> Run<Judge> {
    let search = |ctx: &mut Context| Judge::new(ctx, root);
    match Judge::parted(ctx, root, false, search, |judge| judge)? {
        Some(judge) => Ok(judge),
        None => search(ctx),
    }
}

/// Whether the remoteness is defined and not there yet.
fn is_open(answer: &Answer) -> bool {
    answer.remoteness.is_none() && answer.outcome != Outcome::Draw && answer.score.is_none()
}

/// The answer of theorems with the remoteness, where a short search or a theorem tells it; `None` when the search contradicts
/// the theorems: then they are not used.
fn completed(ctx: &mut Context, root: &Root, mut answer: Answer, choice: Choice) -> Run<Option<Answer>> {
    if !choice.remoteness {
        return Ok(Some(answer));
    }
    if let Some(tried) = remoteness::tried(ctx, root) {
        if (tried.outcome, &tried.grundy) != (answer.outcome, &answer.grundy) {
            // A file whose theorems are wrong is searched as long as it takes.
            ctx.run.credit = Credit::Distrust;
            return Ok(None);
        }
        answer.remoteness = tried.remoteness;
    }
    if is_open(&answer) {
        answer.remoteness = theorem::stated_remoteness(ctx, root)?;
    }
    Ok(Some(answer))
}

/// Who wins.
pub fn outcome(ctx: &mut Context, position: &Position) -> Run<Outcome> {
    let root = Root::new(ctx, position)?;
    if let Some(total) = heap_codes::total(ctx, &root)? {
        return Ok(if total.is_zero() { Outcome::Second } else { Outcome::First });
    }
    if let [id] = root.ids[..]
        && root.mode == components::NORMAL
        && let Some(lost) = decomposition::is(ctx, id, 0)?
    {
        return Ok(if lost { Outcome::Second } else { Outcome::First });
    }
    Judge::outcome_of(ctx, &root)
}

/// The Grundy value; E20 where it is not defined.
pub fn grundy(ctx: &mut Context, position: &Position) -> Run<GrundyValue> {
    let root = Root::new(ctx, position)?;
    if let Some(total) = heap_codes::total(ctx, &root)? {
        return Ok(total.to_answer());
    }
    let judge = Judge::new(ctx, &root)?;
    judge.grundy().ok_or_else(|| {
        let why = judge.grundy_refused().unwrap_or_default();
        let text = ctx.position_text(position);
        Halt::Fault(Fault::new(Code::E20, format!("the Grundy value of {text} is not defined: {why}")))
    })
}

/// Answers the question words of the language; the hook of [`Context::new`].
pub fn ask(ctx: &mut Context, word: Builtin, position: &Arc<Position>) -> Run<Value> {
    match word {
        Builtin::Grundy => grundy(ctx, position).map(|value| match value {
            GrundyValue::Nimber(g) => Value::int(g.into()),
            GrundyValue::Large(g) => Value::int(g.into()),
            GrundyValue::Loop(options) => Value::Loop(options.into()),
        }),
        Builtin::Wins => outcome(ctx, position).map(|o| Value::Bool(o == Outcome::First)),
        Builtin::Loses => outcome(ctx, position).map(|o| Value::Bool(o == Outcome::Second)),
        Builtin::Draws => outcome(ctx, position).map(|o| Value::Bool(o == Outcome::Draw)),
        Builtin::Outcome => outcome(ctx, position).map(|o| Value::text(outcome_word(o))),
        Builtin::Score => {
            let root = Root::new(ctx, position)?;
            let judge = Judge::new(ctx, &root)?;
            let score = judge.score().ok_or_else(|| {
                let text = ctx.position_text(position);
                Halt::Fault(Fault::new(Code::E21, format!("{text} is no position of a scoring game and has no score")))
            })?;
            Ok(Value::Int(score))
        }
        Builtin::Remoteness => {
            let root = Root::new(ctx, position)?;
            let far = Judge::with_remoteness(ctx, &root)?.remoteness().ok_or_else(|| {
                let text = ctx.position_text(position);
                Halt::Fault(Fault::new(
                    Code::E20,
                    format!("the remoteness of {text} is not defined: it is a draw or scored"),
                ))
            })?;
            Ok(Value::int(far.into()))
        }
        Builtin::Moves | Builtin::Winning | Builtin::Options => list_moves(ctx, word, position),
        _ => Err(Fault::new(Code::E04, "this word asks nothing about a position").into()),
    }
}

/// The moves of a position with their names, binders and the Grundy values of what they lead to.
///
/// # Errors
/// E20 where a move leads to a position that has none; limits.
pub fn moves_with_values(ctx: &mut Context, position: &Position) -> Run<Vec<(String, Vec<Value>, GrundyValue)>> {
    let root = Root::new(ctx, position)?;
    let mut all = Vec::new();
    for mv in root.moves(ctx)? {
        let answer = root.answer(ctx, &mv);
        let binders = answer.binders.into_iter().map(|(_, value)| value).collect();
        let value = match root.position_after(ctx, &mv) {
            Some(after) => grundy(ctx, &after)?,
            None => return Err(Fault::new(Code::E20, "a move ends the whole play: it leads to no Grundy value").into()),
        };
        all.push((answer.name, binders, value));
    }
    Ok(all)
}

fn list_moves(ctx: &mut Context, word: Builtin, position: &Position) -> Run<Value> {
    let root = Root::new(ctx, position)?;
    let judge = if word == Builtin::Winning { Some(Judge::without_value(ctx, &root)?) } else { None };
    let mut items = Vec::new();
    for mv in root.moves(ctx)? {
        if let Some(judge) = &judge
            && judge.verdict(ctx, &root, &mv)? != Verdict::Wins
        {
            continue;
        }
        if word == Builtin::Options {
            items.extend(root.position_after(ctx, &mv).map(|p| Value::Position(Arc::new(p))));
        } else {
            items.push(Value::text(&root.answer(ctx, &mv).text));
        }
    }
    Ok(Value::list(items))
}

/// The word for an outcome.
#[must_use]
pub fn outcome_word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::First => "first",
        Outcome::Second => "second",
        Outcome::Draw => "draw",
    }
}

/// Each engine in the order tried, and whether it takes the position or why not.
pub fn plan(ctx: &mut Context, position: &Position) -> Run<Vec<(String, Result<(), String>)>> {
    plan::plan(ctx, position)
}
