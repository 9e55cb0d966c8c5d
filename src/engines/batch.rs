//! Many cases of one question that theorems answer, worked out together: what the theorems say of them, and the stated moves,
//! run over columns of ints.
//!
//! The answers are those that [`solve`](crate::engines::solve) gives to each case alone; what is in any way unusual is left to it.

use crate::analysis::termination::always_ends;
use crate::answer::Outcome;
use crate::engines::query::Root;
use crate::engines::{Choice, SEARCH};
use crate::model::kind::Kind;
use crate::model::{Body, Clause, GameId, GlobalId, Place, Program, Slot, Term, TermKind, TheoremSays};
use crate::syntax::tree::{Measure, Verdict, Which};
use crate::value::Value;
use crate::vm::context::Context;
use crate::vm::credit::Credit;
use crate::vm::states::{Moves, Rules, States};
use crate::words::floors::Floors;
use std::sync::Arc;

/// A question that can be answered so.
#[derive(Debug)]
pub struct Batch {
    program: Arc<Program>,
    question: Body,
    place: Place,
    /// What the theorem states, and of which positions.
    verdict: (Outcome, Term),
    lines: Vec<Line>,
    most: usize,
    /// Of terms in all of these, and in the program.
    floors: Floors,
}

/// What is stated of the moves of one name.
#[derive(Debug)]
struct Line {
    mv: usize,
    clauses: Vec<Clause>,
    yields: Vec<Slot>,
}

/// The answers to cases one after the other.
#[derive(Debug)]
pub struct Answers {
    /// How many of them there are, from the first case on; what follows speaks of more.
    pub count: usize,
    /// The positions.
    pub positions: States,
    /// Who wins.
    pub first: Vec<bool>,
    /// The winning moves by their lines.
    pub winning: Vec<(usize, Moves)>,
    /// So many moves are listed.
    pub most: usize,
}

impl Batch {
    /// A question about one position of a game whose theorems say who wins, and which moves do. `None`: it goes the usual way.
    #[must_use]
    pub fn new(ctx: &Context, question: &Body, choice: Choice) -> Option<Batch> {
        let program = ctx.session.program.clone();
        let mut term = &question.term;
        while let TermKind::Adapt(inner) = &term.kind {
            term = inner;
        }
        let TermKind::Place(place) = &term.kind else { return None };
        let game = &program.games[place.game.0];
        let one_heap = game.fields.len() < 2;
        let ints = game.params.iter().chain(&game.fields).all(|field| matches!(field.kind, Kind::Int | Kind::Nat));
        let one_by_one = choice.exhaustive || ctx.session.options.plain || !game.legal.is_empty();
        if one_by_one || one_heap || !ints || !always_ends(&program, place.game) {
            return None;
        }
        let (verdict, lines) = theorems(&program, place.game)?;
        let (place, most) = ((**place).clone(), choice.moves);
        Some(Batch { question: question.clone(), place, verdict, lines, most, program, floors: Floors::default() })
    }

    /// The inputs that the question names.
    #[must_use]
    pub fn inputs(&self) -> Vec<usize> {
        let named = |input: &usize| {
            let mut named = false;
            crate::model::walk::each_term(&self.question.term, &mut |term| {
                named |= matches!(term.kind, TermKind::Global(id) if id == self.program.inputs[*input].global);
            });
            named
        };
        (0..self.program.inputs.len()).filter(named).collect()
    }

    /// The answers to the first of `count` cases, up to one that is to go the usual way: inputs with these columns, and others that are the same in all cases.
    /// `None`: none of them.
    pub fn answers(
        &self,
        ctx: &mut Context,
        columns: &[(usize, &[i64])],
        fixed: &[(usize, Value)],
        count: usize,
    ) -> Option<Answers> {
        if matches!(ctx.run.credit, Credit::Distrust) {
            return None;
        }
        let program = &self.program;
        let fits = |input: usize, ints: &[i64]| match program.inputs[input].kind {
            Kind::Int => true,
            Kind::Nat => ints.iter().all(|n| *n >= 0),
            _ => false,
        };
        if !columns.iter().all(|(input, ints)| fits(*input, ints)) {
            return None;
        }
        let global = |input: usize| program.inputs[input].global;
        let columns = columns.iter().map(|(input, ints)| (global(*input), ints.to_vec())).collect();
        let fixed: Vec<(GlobalId, Value)> =
            fixed.iter().map(|(input, value)| (global(*input), value.clone())).collect();
        let rules = Rules { ctx, floors: &self.floors };
        let positions = rules.states_asked((&self.question.frame, &self.place), columns, &fixed, count)?;
        let hopeless = positions.are_wide(rules, SEARCH.steps)?;
        let (outcome, when) = &self.verdict;
        let mut first = positions.truths(rules, when)?;
        if *outcome == Outcome::Second {
            for first in &mut first {
                *first = !*first;
            }
        }
        let mut winning = Vec::with_capacity(self.lines.len());
        for line in &self.lines {
            let stated = (&line.clauses[..], &line.yields[..]);
            winning.push((line.mv, positions.stated(rules, stated, line.mv, &first)?));
        }
        let count = ctx.cases_not_tried(&hopeless);
        (count > 0).then_some(Answers { count, positions, first, winning, most: self.most })
    }
}

/// A theorem that says who wins, and lines about the winning moves in the order of the moves; `None` when there is more to the
/// theorems of a game.
fn theorems(program: &Program, game: GameId) -> Option<((Outcome, Term), Vec<Line>)> {
    let game = &program.games[game.0];
    let (mut verdict, mut lines) = (None, Vec::new());
    for theorem in &game.theorems {
        match &theorem.says {
            TheoremSays::Verdict { what, when, guard: None } if verdict.is_none() => {
                let outcome = match what {
                    Verdict::Wins => Outcome::First,
                    Verdict::Loses => Outcome::Second,
                    Verdict::Draws => return None,
                };
                verdict = Some((outcome, when.clone()));
            }
            TheoremSays::Moves { which: Which::Winning, name, clauses, slots } => {
                let same = |mv: &&crate::model::Move| mv.name == *name;
                if game.moves.iter().filter(same).count() != 1 {
                    return None;
                }
                let mv = game.moves.iter().position(|mv| mv.name == *name)?;
                // Binders of one name are one entry of an answer.
                let mut names: Vec<&str> =
                    game.moves[mv].binders.iter().map(|slot| game.frame.slots[*slot].name.as_str()).collect();
                names.sort_unstable();
                if !names.is_sorted_by(|a, b| a < b) {
                    return None;
                }
                lines.push(Line { mv, clauses: clauses.clone(), yields: slots.clone() });
            }
            TheoremSays::Value { what: Measure::Score, .. } | TheoremSays::Moves { which: Which::Drawing, .. } => {}
            _ => return None,
        }
    }
    lines.sort_by_key(|line| line.mv);
    let once = lines.is_sorted_by(|a, b| a.mv < b.mv);
    if once && !lines.is_empty() { Some((verdict?, lines)) } else { None }
}

/// Whether a search beside theorems would only find out that it is too much: a move of the position has more ints to choose from
/// than a trial has steps.
pub(super) fn is_hopeless(ctx: &Context, root: &Root) -> bool {
    let [id] = root.ids[..] else { return false };
    if id == crate::graph_search::space::NOTHING {
        return false;
    }
    let component = ctx.component_value(id);
    let int = |value: &Value| if let Value::Int(n) = value { Some(vec![*n]) } else { None };
    let Some(fields) = component.state.iter().map(int).collect::<Option<Vec<_>>>() else { return false };
    let states = States { game: component.game, params: component.params, fields, count: 1 };
    states.are_wide(Rules { ctx, floors: &Floors::default() }, SEARCH.steps).is_some_and(|wide| wide[0])
}
