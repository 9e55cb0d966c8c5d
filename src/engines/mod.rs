//! From a position and a question to an answer: one engine a file or folder, one list of them, one chooser
//! ([`engine`]).
//!
//! The order of the list: what theorems state, heaps by their code, scores, values of components, and at last searches
//! of the whole. An engine that does not fit refuses, and leaves nothing half-done behind. A cheap search comes before
//! a table: it may be enough, and it tells what the table is to be like. Where a theorem knows who wins, a search
//! within small limits comes first all the same, since the value and the moves are worth more; the answer says which
//! way it was. In the end every move is judged by what was worked out, so that all winning moves come out and not only
//! one.
//!
//! How answers look is not known here. There are no partial answers: a limit that is reached is an error.

mod advice;
mod asked;
mod blocked;
mod by_tables;
mod compounds;
mod cyclic;
mod decomposition;
mod engine;
mod explore;
mod falling_sum;
mod first_win;
mod forecast;
mod genus;
pub mod grundy;
mod heap_codes;
mod likely_box;
mod line;
mod members;
mod moves;
mod on_disk;
mod query;
mod remoteness;
mod row;
mod sample;
mod score;
mod space;
mod stated;
mod sums;
pub mod table;
mod theorem;
mod values;
mod whole;

use crate::answer::{Answer, GrundyValue, MoveList, Outcome};
pub use crate::engines::advice::advice;
pub use crate::engines::blocked::{Parts, all_can, dismiss, serve};
pub use crate::engines::engine::PlanLines;
use crate::engines::engine::{Question, Solution, UseParts, Verdict, Wanted, Winning, choose, judge_moves};
pub use crate::engines::forecast::{Forecast, Size, forecast};
pub(crate) use crate::engines::heap_codes::{certified_period, code_of_rules};
pub use crate::engines::line::{Line, Played, line};
pub use crate::engines::moves::{
    Node, Play, PositionGraph, PositionMap, STEPS, Worth, best, first_moves, judge, moves, points_over, position_graph,
    position_map,
};
pub(crate) use crate::engines::on_disk::why_none as no_table;
use crate::engines::query::{Root, RootMove};
pub use crate::engines::score::who_leads;
use crate::model::builtin::Builtin;
use crate::model::{BinaryOp, Clause, Term, TermKind};
use crate::source::diagnostic::Code;
use crate::tuning;
use crate::tuning::Trial;
use crate::value::fault::{Fault, Halt, Run};
use crate::value::{Position, Value};
use crate::vm::context::{Context, EngineOptions, Policy};
use hashbrown::HashSet;
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
    /// Only who wins is wanted, and which moves win.
    pub outcome: bool,
}

impl Default for Choice {
    fn default() -> Self {
        Choice { exhaustive: false, moves: 60, remoteness: true, outcome: false }
    }
}

/// A trial in proportion to large states: of those no more than a look at a few positions is worth it; and to large numbers.
fn in_proportion(ctx: &Context, root: &Root, mut trial: Trial) -> Trial {
    /// So many components are looked at.
    const FIRST: usize = 64;
    let mut some = root.ids.iter().filter(|&&id| id != space::NOTHING).take(FIRST);
    if some.any(|&id| ctx.store.is_of_big_numbers(id)) {
        trial.positions /= tuning::BIG;
        trial.steps /= tuning::BIG;
    }
    let mut breadth = 0_u64;
    for &id in root.ids.iter().filter(|&&id| id != space::NOTHING) {
        breadth = breadth.saturating_add(1 + ctx.store.breadth(id));
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
/// from than the trial has steps, or a move of any position more vertices of a graph. In a file of pairs of Wythoff's game that is
/// every position, and finding it out by a search takes longer than the rest.
fn is_hopeless(ctx: &mut Context, root: &Root, trial: Trial) -> bool {
    let [id] = root.ids[..] else { return false };
    if id == space::NOTHING {
        return false;
    }
    let is_of_ints = ctx.store.is_of_ints(id);
    let program = ctx.session.program.clone();
    let game = &program.games[ctx.store.game_of(id).0];
    let mut value = |term: &Term| match &term.kind {
        TermKind::Int(n) => i64::try_from(n).ok().map(Value::Int),
        _ => ctx.eval_at(id, term).ok(),
    };
    let mut choices = |source: &Term| match &source.kind {
        TermKind::Binary(BinaryOp::Range, from, to) if is_of_ints => match (value(from)?, value(to)?) {
            (Value::Int(from), Value::Int(to)) if from <= to => Some(from.abs_diff(to)),
            _ => None,
        },
        TermKind::Slot(_) => match value(source)? {
            Value::Graph(graph) => u64::try_from(graph.vertices.len()).ok(),
            _ => None,
        },
        _ => None,
    };
    game.moves.iter().any(|mv| {
        let Some(Clause::In { source, .. }) = mv.clauses.first() else { return false };
        let source = if let TermKind::Adapt(inner) = &source.kind { inner } else { source };
        choices(source).is_some_and(|choices| choices > trial.steps)
    })
}

fn is_too_much(halt: &Halt) -> bool {
    halt.is_limit() || halt.code() == Some(Code::R06)
}

/// Everything about a position. May halt with a `Deopt`: call it inside [`Context::with_recovery`],
/// with the position made inside too.
pub fn solve(ctx: &mut Context, position: &Position, choice: Choice) -> Run<Answer> {
    solved(ctx, position, choice, true)
}

/// The same but for the moves, of which none is listed or counted.
pub fn solve_position(ctx: &mut Context, position: &Position, choice: Choice) -> Run<Answer> {
    solved(ctx, position, choice, false)
}

fn solved(ctx: &mut Context, position: &Position, choice: Choice, moves: bool) -> Run<Answer> {
    let players = players(ctx, position)?;
    if !choice.exhaustive {
        let answer = match row::solve(ctx, position, choice)? {
            Some(answer) => answer,
            None => answered(ctx, position, choice, moves)?,
        };
        return Ok(Answer { players, ..answer });
    }
    let mut options = ctx.options;
    if options.heaps == Policy::Large {
        options.heaps = Policy::Never;
    }
    ctx.with_options(options, |ctx| Ok(Answer { players, ..answered(ctx, position, choice, moves)? }))
}

/// What the player to move is called and what the other: by the `players` lines of all components, where they say the same.
pub fn players(ctx: &mut Context, position: &Position) -> Run<Option<[String; 2]>> {
    let program = ctx.session.program.clone();
    if program.games.iter().all(|game| game.players.is_none()) {
        return Ok(None);
    }
    let mut found = None;
    let mut seen = HashSet::new();
    for id in Root::new(ctx, position)?.ids {
        if id == space::NOTHING || !seen.insert(id) {
            continue;
        }
        let Some([mover, other]) = &program.games[ctx.store.game_of(id).0].players else { return Ok(None) };
        // Where a name has no value the answer stands without names.
        let mut name = |term| match ctx.eval_at(id, term) {
            Ok(name) => {
                let name = name.to_text()?.to_string();
                let name: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
                Ok(Some(name).filter(|name| !name.trim().is_empty()))
            }
            Err(halt) if halt.is_limit() || matches!(halt, Halt::Deopt(_)) => Err(halt),
            Err(_) => Ok(None),
        };
        let (Some(mover), Some(other)) = (name(mover)?, name(other)?) else { return Ok(None) };
        let here = [mover, other];
        if *found.get_or_insert_with(|| here.clone()) != here {
            return Ok(None);
        }
    }
    Ok(found)
}

fn answered(ctx: &mut Context, position: &Position, choice: Choice, moves: bool) -> Run<Answer> {
    let root = Root::new(ctx, position)?;
    let text = ctx.position_text(position);
    let wanted = if choice.outcome { Wanted::Outcome } else { Wanted::Value };
    let solution = choose(ctx, &Question { wanted, ..Question::answer(&root, choice) })?;
    let mut moves_refused = None;
    let lists =
        if moves { solution.evidence.winning(ctx, &root, choice.moves)? } else { Winning::Known(Default::default()) };
    let [winning, drawing] = match lists {
        Winning::Known(lists) => lists,
        Winning::TooMany => {
            moves_refused = Some("there are too many to look at".to_string());
            <[MoveList; 2]>::default()
        }
        Winning::Judged => {
            let judge = &mut |ctx: &mut Context, mv: &RootMove| solution.verdict(ctx, &root, mv).map(Some);
            judge_moves(&root, ctx, choice.moves, judge)?.unwrap_or_default()
        }
    };
    let mut remoteness = solution.remoteness;
    if choice.remoteness && solution.search_remoteness && solution.lacks_remoteness() {
        remoteness = remoteness::tried(ctx, &root).and_then(|tried| tried.remoteness);
    }
    let Solution { outcome, score, .. } = solution;
    // The best moves of a drawn scoring game are the ones that draw.
    let best = if score.is_some() { winning.clone() } else { drawing };
    Ok(Answer {
        position: text,
        outcome,
        players: None,
        grundy: solution.grundy,
        grundy_refused: solution.no_value,
        remoteness,
        score,
        winning,
        drawing: (outcome == Outcome::Draw && moves_refused.is_none()).then_some(best),
        moves_refused,
        method: solution.method,
        positions: solution.positions,
    })
}

/// Who wins.
pub fn outcome(ctx: &mut Context, position: &Position) -> Run<Outcome> {
    if let Some(sum) = values::known_sum(ctx, position)? {
        return Ok(sum.outcome());
    }
    let root = Root::new(ctx, position)?;
    Ok(choose(ctx, &Question { codes: true, ..Question::search(&root, Wanted::Outcome) })?.outcome)
}

/// E20 where it is not defined.
pub fn grundy(ctx: &mut Context, position: &Position) -> Run<GrundyValue> {
    if let Some(sum) = values::known_sum(ctx, position)? {
        return Ok(sum.value());
    }
    let root = Root::new(ctx, position)?;
    let solution = choose(ctx, &Question { codes: true, ..Question::search(&root, Wanted::Value) })?;
    solution.grundy.ok_or_else(|| {
        let why = solution.no_value.unwrap_or_default();
        let text = ctx.position_text(position);
        Halt::Fault(Fault::new(Code::E20, format!("the Grundy value of {text} is not defined: {why}")))
    })
}

/// The remoteness of a position, searched as a whole if only that tells the remoteness of a sum; `None`: a draw, or scored.
fn far(ctx: &mut Context, root: &Root) -> Run<Option<u64>> {
    let options = EngineOptions { split: Policy::Never, heaps: Policy::Never, ..ctx.options };
    let question = Question { parts: UseParts::Never, ..Question::search(root, Wanted::Moves) };
    let solution = ctx.with_options(options, |ctx| choose(ctx, &question))?;
    if solution.lacks_remoteness() {
        remoteness::of_sum(ctx, &root.ids, solution.outcome, None)
    } else {
        Ok(solution.remoteness)
    }
}

/// The answer to a question of the file by theorems, where a short search does not tell it; `None`: no theorem does, or the search
/// contradicts it.
fn by_theorems(ctx: &mut Context, word: Builtin, position: &Arc<Position>) -> Run<Option<Value>> {
    if !matches!(
        word,
        Builtin::Grundy | Builtin::Wins | Builtin::Loses | Builtin::Draws | Builtin::Outcome | Builtin::Winning
    ) || values::known_sum(ctx, position)?.is_some()
    {
        return Ok(None);
    }
    let root = Root::new(ctx, position)?;
    let mut total = None;
    if root.mode == values::NORMAL && !root.ids.is_empty() {
        total = values::KnownValues::new(theorem::stated_value).sum(ctx, &num_bigint::BigUint::ZERO, &root.ids)?;
    }
    let outcome = match &total {
        Some(total) if total == &num_bigint::BigUint::ZERO => Some(Outcome::Second),
        Some(_) => Some(Outcome::First),
        None => theorem::outcome_of(ctx, &root)?,
    };
    let Some(outcome) = outcome.filter(|_| word != Builtin::Grundy || total.is_some()) else { return Ok(None) };
    let trial = in_proportion(ctx, &root, tuning::SEARCH);
    let moves = |ctx: &mut Context, exhaustive: bool| -> Run<Option<Value>> {
        let choice = Choice { exhaustive, moves: usize::MAX, remoteness: false, ..Choice::default() };
        let answer = solve(ctx, position, choice)?;
        let all = answer.moves_refused.is_none() && answer.winning.count == answer.winning.listed.len() as u64;
        Ok(all.then(|| Value::list(answer.winning.listed.iter().map(|mv| Value::text(&mv.text)).collect())))
    };
    let search = |ctx: &mut Context| {
        ctx.within_trial(trial, |ctx| {
            if word == Builtin::Winning { moves(ctx, true) } else { ask(ctx, word, position).map(Some) }
        })
    };
    let tried = if is_hopeless(ctx, &root, trial) { None } else { ctx.within_budget(search) };
    match tried {
        Some(Err(halt)) if is_too_much(&halt) && !ctx.limits_reached() => {}
        Some(found) => return found,
        None => {}
    }
    ctx.run.theorems_used = true;
    Ok(match word {
        Builtin::Grundy => total.map(|total| Value::int(total.into())),
        Builtin::Outcome => Some(Value::text(outcome_word(outcome))),
        Builtin::Wins => Some(Value::Bool(outcome == Outcome::First)),
        Builtin::Loses => Some(Value::Bool(outcome == Outcome::Second)),
        Builtin::Draws => Some(Value::Bool(outcome == Outcome::Draw)),
        _ => moves(ctx, false)?,
    })
}

fn worth(value: GrundyValue) -> Value {
    match value {
        GrundyValue::Nimber(g) => Value::int(g.into()),
        GrundyValue::Large(g) => Value::int(g.into()),
        GrundyValue::Loop(options) => Value::Loop(options.into()),
    }
}

/// Answers the question words of the language; the hook of [`Context::new`].
pub fn ask(ctx: &mut Context, word: Builtin, position: &Arc<Position>) -> Run<Value> {
    let EngineOptions { theorems, together, .. } = ctx.options;
    if theorems || together {
        // What the rules ask while this is answered is searched, and by one process.
        let options = EngineOptions { theorems: false, together: false, ..ctx.options };
        return ctx.with_options(options, |ctx| {
            let known = if theorems { by_theorems(ctx, word, position)? } else { None };
            known.map_or_else(|| ask(ctx, word, position), Ok)
        });
    }
    match word {
        Builtin::Grundy => grundy(ctx, position).map(worth),
        Builtin::Wins => outcome(ctx, position).map(|o| Value::Bool(o == Outcome::First)),
        Builtin::Loses => outcome(ctx, position).map(|o| Value::Bool(o == Outcome::Second)),
        Builtin::Draws => outcome(ctx, position).map(|o| Value::Bool(o == Outcome::Draw)),
        Builtin::Outcome => outcome(ctx, position).map(|o| Value::text(outcome_word(o))),
        Builtin::Score => {
            let root = Root::new(ctx, position)?;
            let score = choose(ctx, &Question::search(&root, Wanted::Value))?.score.ok_or_else(|| {
                let text = ctx.position_text(position);
                Halt::Fault(Fault::new(Code::E21, format!("{text} is no position of a scoring game and has no score")))
            })?;
            Ok(score.into())
        }
        Builtin::Remoteness => {
            let root = Root::new(ctx, position)?;
            let far = far(ctx, &root)?.ok_or_else(|| {
                let text = ctx.position_text(position);
                Halt::Fault(Fault::new(
                    Code::E20,
                    format!("the remoteness of {text} is not defined: it is a draw or scored"),
                ))
            })?;
            Ok(Value::int(far.into()))
        }
        Builtin::Genus => genus::of(ctx, position, |known| known.genus.to_string()).map(|text| Value::text(&text)),
        Builtin::Tameness => genus::of(ctx, position, |known| known.tameness.word()).map(Value::text),
        Builtin::Moves | Builtin::Winning | Builtin::Options => list_moves(ctx, word, position),
        _ => Err(Fault::new(Code::E04, "this word asks nothing about a position").into()),
    }
}

/// The moves of a position with their names, binders and the Grundy values of what they lead to; E20 where one has none.
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
    let solution = match word {
        Builtin::Winning => Some(choose(ctx, &Question::search(&root, Wanted::Outcome))?),
        _ => None,
    };
    let mut items = Vec::new();
    for mv in root.moves(ctx)? {
        if let Some(solution) = &solution
            && solution.verdict(ctx, &root, &mv)? != Verdict::Wins
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
pub fn outcome_word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::First => "first",
        Outcome::Second => "second",
        Outcome::Draw => "draw",
    }
}

/// The letter for an outcome: N, the next player wins; P, the previous one; D, a draw (Winning Ways, chapter 1).
pub fn outcome_letter(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::First => "N",
        Outcome::Second => "P",
        Outcome::Draw => "D",
    }
}

/// Each engine in the order asked, and whether it takes the position or why not: [`engine::ENGINES`] as they would be asked.
pub fn plan(ctx: &mut Context, position: &Position) -> Run<PlanLines> {
    let root = Root::new(ctx, position)?;
    let mut lines = Vec::new();
    for (name, engine) in engine::ENGINES {
        lines.extend(engine.plan(ctx, &Question::answer(&root, Choice::default()), name)?);
    }
    Ok(lines)
}
