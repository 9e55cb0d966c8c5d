//! Statements that compare two positions, whatever their values are: the same Grundy value, outcome or remoteness.
//!
//! If each move of the one has an answer in the other that leads to a pair of the same kind, or to the same position, and the other way
//! round, then plays of both are alike (bisimulation; Park, Concurrency and automata on infinite sequences, 1981), and with them all that
//! follows from plays. So a game may be symmetric in its numbers, and what is said of `a <= b` is said of all.
//!
//! Where only who wins is compared, and in one direction, answers in one direction do: `wins(P) implies wins(Q)` if each move of P to A
//! has an answer in Q to B so that `wins(B) implies wins(A)` is another case of the statement, or B is A (by induction on both plays).

use crate::logic::facts::{Claimed, Exponents, Fact, Names, Only, Says, alike, fields, is, same};
use crate::logic::moves::Next;
use crate::logic::scope::Scope;
use crate::logic::symbol::{No, Part, Shape, Sym, shape};
use crate::logic::term::{Env, name_of};
use crate::logic::wordings::who_wins;
use crate::model::walk::bare;
use crate::model::{BinaryOp, Builtin, Claim, Clause, CompareOp, Ending, Kind, LogicOp, Program, Slot, Term, TermKind};
use crate::prover::Prover;
use crate::prover::claims::{Chosen, truth_of, which, with_exponents};
use crate::prover::induction::{NO_VALUE, PositionContext, failing, open, plays_end};
use crate::prover::proof_log::ProofLog;
use crate::syntax::tree::Outcome;
use grundy_automata::{Formula, Linear, Track, least};
use grundy_verify::Method;
use std::collections::VecDeque;
use std::rc::Rc;

/// What must never be.
const FIRST: &str = "a move of the first position has no answer in the second";
const SECOND: &str = "a move of the second position has no answer in the first";
const ENDS: &str = "one play ends at once, and the other does not or otherwise";
const NOWHERE: &str = "a move of the second position leads to no position";
const AGAINST: &str = "an end of one play is against it";

/// Two positions that a condition says to be alike.
pub(super) struct Compared<'p> {
    first: &'p Term,
    second: &'p Term,
    /// Grundy values are compared.
    values: bool,
    /// It is only said that the player to move wins the second if he wins the first.
    pub(super) weaker: bool,
}

/// The positions that a condition compares; `None`: it is none of `grundy(P) == grundy(Q)`, `loses(P) iff loses(Q)` and the like. Who moves
/// in P + Q loses if both have the same Grundy value, and only then (Sprague 1935, Grundy 1939).
pub(super) fn compared<'p>(program: &Program, condition: &'p Term) -> Option<Compared<'p>> {
    let condition = bare(condition);
    if let Some(asked) = who_wins(program, condition)
        && asked.word == Builtin::Loses
        && let TermKind::Binary(BinaryOp::Add, first, second) = &bare(asked.position).kind
    {
        return Some(Compared { first, second, values: true, weaker: false });
    }
    let (a, b) = match &condition.kind {
        TermKind::Iff(a, b) | TermKind::Logic(LogicOp::Implies, a, b) => (&**a, &**b),
        TermKind::Compare(a, rest) => match &rest[..] {
            [(CompareOp::Eq, b)] => (&**a, b),
            _ => return None,
        },
        _ => return None,
    };
    if let (Some(first), Some(second)) = (who_wins(program, a), who_wins(program, b)) {
        let values = first.by_value || second.by_value;
        let implied = matches!(&condition.kind, TermKind::Logic(..));
        // Who loses the first loses the second: then who wins the second wins the first.
        let (a, b) = if implied && first.word == Builtin::Loses { (second, first) } else { (first, second) };
        return (first.word == second.word).then_some(Compared {
            first: a.position,
            second: b.position,
            values,
            weaker: implied && !values,
        });
    }
    match (&bare(a).kind, &bare(b).kind) {
        (TermKind::Builtin(word, first), TermKind::Builtin(other, second)) if word == other => {
            let ([first], [second]) = (&first[..], &second[..]) else { return None };
            let alike = matches!(word, Builtin::Grundy | Builtin::Outcome | Builtin::Remoteness);
            alike.then_some(Compared { first, second, values: *word == Builtin::Grundy, weaker: false })
        }
        _ => None,
    }
}

/// Which pairs of positions are alike besides a position and itself.
type Related<'a, 'p> = &'a dyn Fn(&mut Scope<'p>, &Part, &Part) -> Result<Formula, No>;

/// The two positions, for all numbers.
type Both<'a, 'p> = &'a dyn Fn(&mut Scope<'p>) -> Result<(Part, Part), No>;

/// What must never hold, and what that is in words.
pub(super) type Never = Vec<(&'static str, Formula)>;

/// A condition on two positions.
type Condition<'a, 'p> = &'a dyn Fn(&mut Scope<'p>, &Part, &Part) -> Result<Formula, No>;

/// Adds that something never holds of two positions, where `domain` holds.
fn state<'p>(
    scope: &mut Scope<'p>,
    never: &mut Never,
    (domain, both): (&Formula, Both<'_, 'p>),
    what: &'static str,
    formula: Condition<'_, 'p>,
) -> Result<(), No> {
    let formula = scope.local(|scope| {
        let (first, second) = both(scope)?;
        formula(scope, &first, &second)
    })?;
    never.push((what, Formula::all([domain.clone(), formula])));
    for need in scope.taken_needs() {
        never.push((NO_VALUE, Formula::all([domain.clone(), need.not()])));
    }
    Ok(())
}

/// Some move of a position leads to no position.
fn leads_nowhere(scope: &mut Scope<'_>, part: &Part) -> Result<Formula, No> {
    scope.some_move(part, &mut |scope, next| {
        let (Next::To(parts) | Next::Again(parts)) = next else { return Ok(Formula::Constant(false)) };
        let inside = parts.iter().map(|part| scope.in_domain(part)).collect::<Result<Vec<_>, No>>()?;
        Ok(Formula::all(inside).not())
    })
}

/// What must never hold of two positions, where `domain` holds, so that who wins the first wins the second; `related` are the positions
/// of which that is said.
fn not_weaker<'p>(
    scope: &mut Scope<'p>,
    domain: &Formula,
    both: Both<'_, 'p>,
    related: Related<'_, 'p>,
) -> Result<Never, No> {
    let (mut never, of) = (Never::new(), (domain, both));
    let related = |scope: &mut Scope<'p>, a: &Part, b: &Part| {
        Ok(Formula::any([equal(scope, a, b)?, scope.local(|scope| related(scope, a, b))?]))
    };
    let back = |scope: &mut Scope<'p>, a: &Part, b: &Part| related(scope, b, a);
    state(scope, &mut never, of, FIRST, &|scope, first, second| {
        scope.some_move(first, &mut |scope, a| {
            if let Next::Stop(Outcome::Second) = a {
                return Ok(Formula::Constant(false));
            }
            let answer = scope.some_move(second, &mut |scope, b| match (&a, &b) {
                // Of sums nothing follows from their components.
                (Next::To([_, _, ..]) | Next::Again([_, _, ..]), _) => answers(scope, &a, &b, false, &equal),
                (Next::Again(_), Next::Again(_)) => answers(scope, &a, &b, false, &related),
                _ => answers(scope, &a, &b, false, &back),
            })?;
            Ok(answer.not())
        })
    })?;
    state(scope, &mut never, of, NOWHERE, &|scope, _, second| leads_nowhere(scope, second))?;
    state(scope, &mut never, of, AGAINST, &|scope, first, second| {
        let ([wins, loses], [other_wins, other_loses]) = (ends(scope, first, false)?, ends(scope, second, false)?);
        let lost = Formula::all([other_loses, loses.not()]);
        Ok(Formula::any([Formula::all([wins, other_wins.not()]), lost]))
    })?;
    Ok(never)
}

/// What must never hold of two positions, where `domain` holds, so that they are alike.
fn unlike<'p>(
    scope: &mut Scope<'p>,
    domain: &Formula,
    both: Both<'_, 'p>,
    related: Related<'_, 'p>,
    values: bool,
) -> Result<Never, No> {
    let (mut never, of) = (Never::new(), (domain, both));
    let related = |scope: &mut Scope<'p>, a: &Part, b: &Part| {
        Ok(Formula::any([equal(scope, a, b)?, scope.local(|scope| related(scope, a, b))?]))
    };
    let mut stated =
        |scope: &mut Scope<'p>, what, formula: Condition<'_, 'p>| state(scope, &mut never, of, what, formula);
    stated(scope, FIRST, &|scope, first, second| {
        scope.some_move(first, &mut |scope, a| {
            let answer = scope.some_move(second, &mut |scope, b| answers(scope, &a, &b, values, &related))?;
            Ok(answer.not())
        })
    })?;
    stated(scope, SECOND, &|scope, first, second| {
        scope.some_move(second, &mut |scope, b| {
            let answer = scope.some_move(first, &mut |scope, a| answers(scope, &a, &b, values, &related))?;
            Ok(answer.not())
        })
    })?;
    stated(scope, NOWHERE, &|scope, _, second| leads_nowhere(scope, second))?;
    stated(scope, ENDS, &|scope, first, second| {
        let [first, second] = [ends(scope, first, values)?, ends(scope, second, values)?];
        Ok(Formula::any(first.into_iter().zip(second).map(|(a, b)| a.iff(b).not())))
    })?;
    Ok(never)
}

/// Where an `end when` line ends the whole play so that the player to move wins, and where he loses.
pub(super) fn ends(scope: &mut Scope<'_>, part: &Part, values: bool) -> Result<[Formula; 2], No> {
    let (mut wins, mut loses) = (Vec::new(), Vec::new());
    for (when, ending) in scope.endings(part)? {
        match ending {
            Ending::Over => {}
            Ending::Play(_) if values => {
                return Err(No::bare("an end of the whole play: then there is no Grundy value"));
            }
            Ending::Play(Outcome::First) => wins.push(when),
            Ending::Play(Outcome::Second) => loses.push(when),
            Ending::Play(Outcome::Draw) => return Err(No::bare("a play that ends in a draw")),
            Ending::Score(score) => return Err(No::at(score.span, "points")),
        }
    }
    Ok([Formula::any(wins), Formula::any(loses)])
}

/// Whether one move is an answer to the other.
fn answers<'p>(
    scope: &mut Scope<'p>,
    a: &Next<'_>,
    b: &Next<'_>,
    values: bool,
    related: Related<'_, 'p>,
) -> Result<Formula, No> {
    match (a, b) {
        (Next::Stop(Outcome::Draw), _) | (_, Next::Stop(Outcome::Draw)) => {
            Err(No::bare("a move that ends the play in a draw"))
        }
        (Next::Stop(_) | Next::Again(_), _) | (_, Next::Stop(_) | Next::Again(_)) if values => {
            Err(No::bare("a move that ends the whole play or keeps the turn has no Grundy value"))
        }
        (Next::Stop(a), Next::Stop(b)) => Ok(Formula::Constant(a == b)),
        (Next::To(a), Next::To(b)) | (Next::Again(a), Next::Again(b)) if a.len() == b.len() => {
            let mut ways = Vec::new();
            for order in orders(a.len()) {
                let pairs = a.iter().zip(&order).map(|(a, &at)| related(scope, a, &b[at]));
                ways.push(Formula::all(pairs.collect::<Result<Vec<_>, No>>()?));
            }
            Ok(Formula::any(ways))
        }
        _ => Ok(Formula::Constant(false)),
    }
}

/// The orders in which the components of a sum are tried: all of few.
fn orders(count: usize) -> Vec<Vec<usize>> {
    const FEW: usize = 3;
    let own: Vec<usize> = (0..count).collect();
    if count > FEW {
        return vec![own];
    }
    let swaps = (0..count).flat_map(|i| (i + 1..count).map(move |j| (i, j)));
    closure(&own, &swaps.collect::<Vec<_>>())
}

/// All orders that are made by swaps of two places.
fn closure(own: &[usize], swaps: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let (mut all, mut open) = (vec![own.to_vec()], VecDeque::from([own.to_vec()]));
    while let Some(order) = open.pop_front() {
        for &(i, j) in swaps {
            let mut other = order.clone();
            other.swap(i, j);
            if !all.contains(&other) {
                all.push(other.clone());
                open.push_back(other);
            }
        }
    }
    all
}

/// Whether two components are the same position.
pub(super) fn equal(scope: &mut Scope<'_>, a: &Part, b: &Part) -> Result<Formula, No> {
    let alike = a.game == b.game
        && same(&a.params, &b.params)
        && alike(&a.beside, &b.beside)
        && a.fields.len() == b.fields.len();
    let shapes = |part: &Part| part.fields.iter().map(shape).collect::<Option<Vec<_>>>();
    let (first, second) = shapes(a).zip(shapes(b)).ok_or_else(|| No::bare("a field that is no number"))?;
    if !alike || first != second {
        return Ok(Formula::Constant(false));
    }
    let span = scope.program.games[a.game.0].span;
    let mut equal = Vec::new();
    for (a, b) in a.fields.iter().zip(&b.fields) {
        equal.push(scope.equal(a, b, span)?);
    }
    Ok(Formula::all(equal))
}

/// The variables of a claim, and what must hold of them.
#[derive(Clone)]
pub(super) struct Setting<'p> {
    pub(super) env: Env<'p>,
    pub(super) tracks: Vec<Track>,
    pub(super) guards: Vec<&'p Term>,
    pub(super) variables: Vec<(Slot, Sym)>,
}

impl<'p> Setting<'p> {
    /// In this scope, beside what is chosen; some variables may be exponents. Error: a variable of something else than `nat` and truth
    /// values.
    pub(super) fn of(
        claim: &'p Claim,
        chosen: &Chosen,
        exponents: &Exponents,
        scope: &mut Scope<'p>,
    ) -> Result<Setting<'p>, No> {
        let only = Only { exponents: exponents.clone(), ..Only::default() };
        let mut env = Env::of(&claim.frame, chosen.iter().cloned());
        let (mut variables, mut tracks, mut guards) = (Vec::new(), Vec::new(), Vec::new());
        for clause in &claim.clauses {
            match clause {
                Clause::Where(guard) => guards.push(guard),
                Clause::Let { value, .. } => return Err(No::at(value.span, "a name for a term")),
                Clause::In { pattern, source, span } => {
                    let slot = name_of(pattern).ok_or_else(|| No::at(*span, "a pattern"))?;
                    if env.slots.contains_key(&slot) {
                        continue;
                    }
                    let track = scope.free();
                    let value = match scope.eval(source, &env)? {
                        Sym::Naturals => only.named(slot, Linear::track(track)),
                        Sym::Truths => Sym::Bool(truth_of(track)),
                        _ => return Err(No::at(*span, "a variable that does not run over all of `nat`")),
                    };
                    tracks.push(track);
                    env.slots.insert(slot, value.clone());
                    variables.push((slot, value));
                }
            }
        }
        Ok(Setting { env, tracks, guards, variables })
    }

    /// Whether what these names stand for are values of the variables: powers, where they are exponents.
    pub(super) fn variables_are(&self, scope: &mut Scope<'p>, env: &Env<'p>) -> Result<Formula, No> {
        let values = self.variables.iter().filter_map(|(slot, _)| env.slots.get(slot));
        Ok(Formula::all(values.map(|value| scope.variable(value)).collect::<Result<Vec<_>, No>>()?))
    }
}

/// The one component of a position, of numbers and lists of them, and whether it is played misere.
pub(super) fn component<'p>(scope: &mut Scope<'p>, position: &'p Term, env: &Env<'p>) -> Result<(Part, bool), No> {
    let (part, misere) = whole(scope, position, env)?;
    if !part.beside.is_empty() {
        return Err(No::at(position.span, "a sum of positions"));
    }
    Ok((part, misere))
}

/// The same of a sum, as one position.
pub(super) fn whole<'p>(scope: &mut Scope<'p>, position: &'p Term, env: &Env<'p>) -> Result<(Part, bool), No> {
    let Sym::Position { parts, misere } = scope.position(position, env)? else {
        return Err(No::at(position.span, "this is no position"));
    };
    let part = Part::sum(&parts).ok_or_else(|| No::at(position.span, "a sum of nothing"))?;
    let shapes = part.fields.iter().map(shape).collect::<Option<Vec<_>>>();
    match shapes {
        Some(shapes) if !shapes.iter().any(|shape| matches!(shape, Shape::Set(size) if *size > 1)) => {}
        _ => return Err(No::at(position.span, "a position of something else than numbers and lists of them")),
    }
    if parts.iter().flat_map(|part| &part.params).any(|param| param.known().is_none()) {
        return Err(No::at(position.span, "a rule parameter that is a variable of all of `nat`"));
    }
    Ok((part, misere))
}

/// A variable of a claim.
struct Variable {
    slot: Slot,
    value: Sym,
    /// The place among the leaves of the first position, or of the second, where it stands by itself.
    place: [Option<usize>; 2],
}

impl<'p> Prover<'_, 'p> {
    /// Proves what a claim says by comparing two positions: that they are alike, or that who wins the first wins the second. Returns how, in
    /// words. Errors: what stands in the way.
    pub(super) fn alike(
        &self,
        claim: &'p Claim,
        compared: &Compared<'p>,
        chosen: &Chosen,
        title: &Rc<str>,
        desk: &ProofLog,
    ) -> Result<String, No> {
        let compare = |compared: &Compared<'p>| {
            with_exponents(claim, chosen, &mut |exponents| {
                self.compare(claim, compared, chosen, (title, exponents), desk)
            })
        };
        let alike = compare(&Compared { weaker: false, ..*compared });
        match alike {
            Err(_) if compared.weaker => compare(compared),
            alike => alike,
        }
    }

    fn compare(
        &self,
        claim: &'p Claim,
        compared: &Compared<'p>,
        chosen: &Chosen,
        (title, exponents): (&Rc<str>, &Exponents),
        desk: &ProofLog,
    ) -> Result<String, No> {
        desk.clear();
        let Compared { first, second, values, weaker } = compared;
        let mut scope = Scope::new(self.program, self.known.clone());
        let setting = Setting::of(claim, chosen, exponents, &mut scope)?;
        let Setting { env, tracks, guards, variables } = &setting;
        let mut variables: Vec<Variable> = variables
            .iter()
            .map(|(slot, value)| Variable { slot: *slot, value: value.clone(), place: [None, None] })
            .collect();
        let says = |scope: &mut Scope<'p>, env: &Env<'p>| {
            let are = setting.variables_are(scope, env)?;
            let said = scope.under(&are, |scope| {
                scope.local(|scope| {
                    let said = guards.iter().map(|guard| scope.truth(guard, env)).collect::<Result<Vec<_>, No>>()?;
                    Ok(Formula::all(said))
                })
            })?;
            Ok(Formula::all([are, said]))
        };
        // How the positions are made; what is said of it is said again where it is used.
        let mut look = Scope::new(self.program, self.known.clone());
        for _ in tracks {
            look.free();
        }
        let [(a, misere), (b, other)] = [component(&mut look, first, env)?, component(&mut look, second, env)?];
        if misere != other || *values && misere {
            return Err(No::at(
                claim.condition.span,
                "positions of different conventions, or Grundy values in misere play",
            ));
        }
        for (at, part) in [&a, &b].into_iter().enumerate() {
            let leaves: Vec<String> =
                part.fields.iter().filter_map(Sym::leaves).flatten().map(|leaf| format!("{leaf:?}")).collect();
            for variable in &mut variables {
                // Of an exponent its power stands there.
                let value = match &variable.value {
                    Sym::Exponent(exponent) => format!("{:?}", Sym::Int(exponent.power.clone())),
                    value => format!("{value:?}"),
                };
                variable.place[at] = leaves.iter().position(|leaf| *leaf == value);
            }
        }
        let domain = says(&mut scope, env)?;
        let mut never: Vec<(&str, Formula)> =
            scope.taken_needs().into_iter().map(|need| (NO_VALUE, need.not())).collect();
        scope.assume(domain.clone());
        let both = |scope: &mut Scope<'p>| -> Result<(Part, Part), No> {
            let ((a, _), (b, _)) = (component(scope, first, env)?, component(scope, second, env)?);
            for part in [&a, &b] {
                let inside = scope.in_domain(part)?;
                scope.need(inside);
            }
            Ok((a, b))
        };
        let only = Only { exponents: exponents.clone(), ..Only::default() };
        // Whether two positions are those of the claim, for some values of its variables.
        let instance = |scope: &mut Scope<'p>, first_is: &Part, second_is: &Part| -> Result<Formula, No> {
            let fits = |part: &Part, own: &Part| part.game == own.game && same(&part.params, &own.params);
            if !fits(first_is, &a) || !fits(second_is, &b) {
                return Ok(Formula::Constant(false));
            }
            let leaves =
                |part: &Part| part.fields.iter().map(Sym::leaves).collect::<Option<Vec<_>>>().map(|all| all.concat());
            let (Some(first_leaves), Some(second_leaves)) = (leaves(first_is), leaves(second_is)) else {
                return Err(No::bare("a field that is no number"));
            };
            scope.local(|scope| {
                let (mut env, mut inside) = (Env::of(&claim.frame, chosen.iter().cloned()), Vec::new());
                for Variable { slot, value, place: [in_first, in_second] } in &variables {
                    let given = in_first.and_then(|at| first_leaves.get(at));
                    let given = given.or_else(|| in_second.and_then(|at| second_leaves.get(at)));
                    let given = match (value, given) {
                        (Sym::Int(_) | Sym::Exponent(_), Some(Sym::Int(number))) => {
                            inside.push(Formula::natural(number));
                            only.named(*slot, number.clone())
                        }
                        (Sym::Bool(_), Some(Sym::Bool(truth))) => Sym::Bool(truth.clone()),
                        (Sym::Int(_) | Sym::Exponent(_), _) => only.named(*slot, Linear::track(scope.defined())),
                        _ => Sym::Bool(truth_of(scope.defined())),
                    };
                    env.slots.insert(*slot, given);
                }
                let inside = Formula::all(inside);
                let here = scope.under(&inside, |scope| says(scope, &env))?;
                let here = Formula::all([inside, here]);
                let first = scope.under(&here, |scope| is(scope, first, &env, first_is, false))?;
                let second = scope.under(&here, |scope| is(scope, second, &env, second_is, false))?;
                Ok(Formula::all([here, first, second]))
            })
        };
        let related = |scope: &mut Scope<'p>, first: &Part, second: &Part| {
            Ok(Formula::any([instance(scope, first, second)?, instance(scope, second, first)?]))
        };
        if *weaker {
            // Of another game it would have to be proved, too, that its plays end.
            let same_plays = a.game == b.game && same(&a.params, &b.params) && a.fields.len() == b.fields.len();
            let shapes = |part: &Part| part.fields.iter().map(shape).collect::<Option<Vec<_>>>();
            if misere || !same_plays || shapes(&a) != shapes(&b) {
                return Err(No::at(claim.condition.span, "who wins in two games, or in misere play, in one direction"));
            }
            never.extend(not_weaker(&mut scope, &domain, &both, &instance)?);
        } else {
            never.extend(unlike(&mut scope, &domain, &both, &related, *values)?);
        }
        let fact = self.everywhere(&a, misere, *values, title)?;
        let (statements, system) = self.all_never(never, &scope, &fact, tracks, desk)?;
        desk.close(which(claim, chosen), if *weaker { Method::Weaker } else { Method::Alike }, system);
        self.rests_on(&scope.notes, desk);
        let has = if *weaker { "each move of the one position has an answer" } else { "each move has an answer" };
        let (there, system) = ("in the other position", system.word());
        Ok(format!("{has} {there}: {statements} statements decided by automata, {system}"))
    }

    /// Says nothing of all positions of the game and shapes of a component: what is proved of it is that play ends.
    pub(super) fn everywhere(
        &self,
        part: &Part,
        misere: bool,
        values: bool,
        title: &Rc<str>,
    ) -> Result<Rc<Fact<'p>>, No> {
        let game = &self.program.games[part.game.0];
        let fields = fields(self.program, part.game, &part.beside);
        let shapes = part.fields.iter().zip(fields).map(|(value, field)| match field.kind {
            Kind::Int => Some(Shape::Whole),
            _ => shape(value),
        });
        let shapes =
            shapes.collect::<Option<Vec<_>>>().ok_or_else(|| No::at(game.span, "a field that is no number"))?;
        let says = (if values { Says::Grundy } else { Says::Loses }, Claimed::Always(true));
        let fact = Fact::of_game(self.program, part.game, part.params.clone(), shapes, says, title.clone());
        Ok(Rc::new(Fact { misere, beside: part.beside.clone(), ..fact }))
    }

    /// Decides that play ends and that none of this ever holds; how many sentences that were, and how they write numbers.
    pub(super) fn all_never(
        &self,
        never: Vec<(&'static str, Formula)>,
        scope: &Scope<'p>,
        fact: &Rc<Fact<'p>>,
        tracks: &[Track],
        desk: &ProofLog,
    ) -> Result<(usize, grundy_automata::System), No> {
        let (system, mut statements) = plays_end(self.program, &self.known, fact, &scope.digits, desk)?;
        for (what, never) in never {
            let automaton = desk.compile(&never, system)?;
            if !automaton.is_empty() && desk.inexact() {
                return Err(open(what));
            }
            if !automaton.is_empty() {
                let others = never.free().into_iter().filter(|track| !tracks.contains(track)).collect();
                let automaton = desk.compile(&Formula::exists(others, never), system)?;
                let numbers = least(&automaton, tracks, system, &desk.limit)?;
                return Err(failing(what, &numbers.unwrap_or_default()));
            }
            desk.step(what, &never);
            statements += 1;
        }
        Ok((statements, system))
    }

    /// The closed form with its numbers in all orders that change nothing, if it speaks of some positions only and there are such
    /// orders: each swap of two numbers is proved, as a case of its own.
    pub(super) fn with_orders(&self, fact: &Rc<Fact<'p>>, which: &str, desk: &ProofLog) -> Option<Rc<Fact<'p>>> {
        /// So many numbers have 24 orders.
        const MOST: usize = 4;
        // For each number the list in which it stands; numbers by themselves stand together.
        let mut lists: Vec<usize> = Vec::new();
        for (at, shape) in fact.shapes.iter().enumerate() {
            match shape {
                Shape::Number => lists.push(0),
                Shape::List(size) | Shape::Bag(size) => lists.extend(std::iter::repeat_n(at + 1, *size)),
                _ => return None,
            }
        }
        let whole = fact.only.is_all();
        if whole || !fact.turned.is_empty() || lists.len() > MOST || matches!(&fact.claimed, Claimed::Word(_)) {
            return None;
        }
        let own: Vec<usize> = (0..lists.len()).collect();
        let mut swaps: Vec<(usize, usize)> = Vec::new();
        for (i, j) in own.iter().flat_map(|&i| (i + 1..own.len()).map(move |j| (i, j))) {
            let mut order = own.clone();
            order.swap(i, j);
            let known = closure(&own, &swaps).contains(&order);
            if lists[i] == lists[j] && (known || self.symmetric(fact, &order, which, desk).is_ok()) {
                swaps.push((i, j));
            }
        }
        let orders = closure(&own, &swaps).into_iter().filter(|order| *order != own);
        let turned: Vec<Rc<Fact<'p>>> = orders
            .map(|order| Rc::new(Fact { only: Only { order, ..fact.only.clone() }, ..(**fact).clone() }))
            .collect();
        (!turned.is_empty()).then(|| Rc::new(Fact { turned, ..(**fact).clone() }))
    }

    /// Proves that the positions of a closed form's game and shapes are alike when two of their numbers change places.
    fn symmetric(&self, fact: &Rc<Fact<'p>>, order: &[usize], which: &str, desk: &ProofLog) -> Result<(), No> {
        desk.clear();
        let values = fact.says == Says::Grundy;
        let PositionContext { part, .. } = PositionContext::of(
            self.program,
            &self.known,
            &Rc::new(Fact { only: Only::default(), ..(**fact).clone() }),
        )?;
        let everywhere = self.everywhere(&part, fact.misere, values, &fact.title)?;
        let everywhere = Rc::new(Fact { shapes: fact.shapes.clone(), names: Names::Fields, ..(*everywhere).clone() });
        let PositionContext { mut scope, part, tracks, domain } =
            PositionContext::of(self.program, &self.known, &everywhere)?;
        let turned = |part: &Part| part.turned(order).ok_or_else(|| No::bare("a field whose numbers have no order"));
        let both = |scope: &mut Scope<'p>| -> Result<(Part, Part), No> {
            let other = turned(&part)?;
            let inside = scope.in_domain(&other)?;
            scope.need(inside);
            Ok((part.clone(), other))
        };
        let related = |scope: &mut Scope<'p>, first: &Part, second: &Part| {
            if !everywhere.fits(first) || !everywhere.fits(second) {
                return Ok(Formula::Constant(false));
            }
            equal(scope, &turned(first)?, second)
        };
        let never = unlike(&mut scope, &domain, &both, &related, values)?;
        let (_, system) = self.all_never(never, &scope, &everywhere, &tracks, desk)?;
        desk.close(which.to_string(), Method::Alike, system);
        self.rests_on(&scope.notes, desk);
        Ok(())
    }
}
