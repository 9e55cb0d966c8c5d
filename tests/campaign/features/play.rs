//! The naive solver: all positions one by one, outcomes from the ends up, Grundy values by their definition, scores by
//! minimax.

use super::expressions::{Def, Env, Ex, Fault, Name, Run, World, each_way};
use super::games::{File, Game, Place, Plays, Target, Verdict};
use super::values::Value;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// How many positions a question may have.
const MOST: usize = 1500;
/// How many components the games of a file may have.
const MOST_COMPONENTS: usize = 8000;

/// A component: a game with its parameters and fields.
pub(super) type State = (usize, Vec<Value>);

/// A move by its name and binders.
#[derive(Debug, PartialEq, Eq, Hash, Clone)]
pub(super) struct Label {
    pub(super) name: &'static str,
    pub(super) binders: Vec<(Name, Value)>,
}

/// Where a move of a component leads.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Goal {
    Over(&'static str),
    /// Points that are not given are 0 points.
    To {
        parts: Vec<usize>,
        again: bool,
        gain: i128,
        is_given: bool,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    NoMoves,
    Over(&'static str),
    Score(i128),
}

type Moves = Rc<Vec<(Rc<Label>, Goal)>>;

/// What stands in the whole position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Sum,
    /// A compound of this name; of `at_most` with its number.
    Compound(&'static str, usize),
}

/// A position that is asked about: its components, and for each the first that counts as the same.
#[derive(Clone, Debug)]
pub(super) struct Start {
    pub(super) components: Vec<usize>,
    pub(super) same: Vec<usize>,
}

/// A move of the whole position: what is done in which component.
pub(super) type Choice = Vec<(usize, Rc<Label>)>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Grundy {
    None,
    Number(i128),
    Loop(Vec<i128>),
}

/// All that is told of a position.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) outcome: &'static str,
    pub(super) grundy: Grundy,
    pub(super) remoteness: Option<u32>,
    pub(super) score: Option<i128>,
    pub(super) moves: Vec<Choice>,
    pub(super) winning: Vec<Choice>,
    pub(super) drawing: Vec<Choice>,
    /// What each move leaves to the next player: an outcome, and whether the mover goes on. `None`: the play is over.
    pub(super) leaves: Vec<Option<(&'static str, bool)>>,
    /// Whether play can come back to a position.
    pub(super) comes_back: bool,
    pub(super) positions: usize,
}

/// A place of a part that went to the empty sum, inside a compound.
const EMPTY: usize = usize::MAX;

type Node = Vec<usize>;

pub(super) struct Play<'a> {
    pub(super) file: &'a File,
    states: RefCell<Vec<State>>,
    numbers: RefCell<HashMap<State, usize>>,
    stops: RefCell<HashMap<usize, Option<Stop>>>,
    moves: RefCell<HashMap<usize, Moves>>,
    asked: RefCell<HashMap<usize, Rc<Answer>>>,
}

impl World for Play<'_> {
    fn def(&self, name: &str) -> &Def {
        self.file.defs.iter().find(|def| &*def.name == name).expect("a definition")
    }
    fn ask(&self, word: &str, game: usize, state: Vec<Value>) -> Run<Value> {
        let component = self.component(game, state)?;
        let known = self.asked.borrow().get(&component).cloned();
        let answer = if let Some(answer) = known {
            answer
        } else {
            let start = Start { components: vec![component], same: vec![0] };
            let answer = Rc::new(self.answers(Kind::Sum, self.file.is_misere, &[start])?.remove(0));
            self.asked.borrow_mut().insert(component, answer.clone());
            answer
        };
        Ok(match word {
            "wins" => Value::Bool(answer.outcome == "first"),
            "loses" => Value::Bool(answer.outcome == "second"),
            "outcome" => Value::Text(answer.outcome.to_string()),
            "remoteness" => Value::Int(answer.remoteness.expect("play ends").into()),
            "moves" => Value::Int(answer.moves.len() as i128),
            "winning" => Value::Int(answer.winning.len() as i128),
            "grundy" => {
                let Grundy::Number(g) = answer.grundy else { panic!("a number") };
                Value::Int(g)
            }
            word => panic!("{word}"),
        })
    }
}

impl<'a> Play<'a> {
    pub(super) fn new(file: &'a File) -> Play<'a> {
        Play {
            file,
            states: RefCell::default(),
            numbers: RefCell::default(),
            stops: RefCell::default(),
            moves: RefCell::default(),
            asked: RefCell::default(),
        }
    }

    pub(super) fn component(&self, game: usize, values: Vec<Value>) -> Run<usize> {
        let fields = self.file.games[game].all();
        let values: Vec<Value> = fields.iter().zip(values).map(|(f, v)| f.domain.entered(v)).collect();
        for (f, v) in fields.into_iter().zip(&values) {
            assert!(f.domain.holds(v), "{v:?} is no {} of {:?}", f.name, f.domain);
        }
        let state = (game, values);
        if let Some(number) = self.numbers.borrow().get(&state) {
            return Ok(*number);
        }
        let number = self.states.borrow().len();
        self.states.borrow_mut().push(state.clone());
        self.numbers.borrow_mut().insert(state, number);
        if number < MOST_COMPONENTS { Ok(number) } else { Err(Fault::TooMany) }
    }

    pub(super) fn state(&self, component: usize) -> State {
        self.states.borrow()[component].clone()
    }

    /// The lets of the file.
    pub(super) fn lets(&self) -> Run<Env> {
        let mut env = Env::new();
        for (name, e) in &self.file.lets {
            let value = e.eval(&mut env, self)?;
            env.push((name.clone(), value));
        }
        Ok(env)
    }

    fn env(&self, component: usize) -> Run<(&Game, Env)> {
        let (game, values) = self.state(component);
        let game = &self.file.games[game];
        let mut env: Env = game.all().iter().map(|f| f.name.clone()).zip(values).collect();
        for (name, e) in self.file.lets.iter().chain(&game.lets) {
            let value = e.eval(&mut env, self)?;
            env.push((name.clone(), value));
        }
        Ok((game, env))
    }

    fn stop(&self, component: usize) -> Run<Option<Stop>> {
        if component == EMPTY {
            return Ok(None);
        }
        if let Some(stop) = self.stops.borrow().get(&component) {
            return Ok(*stop);
        }
        let (game, mut env) = self.env(component)?;
        let mut stop = None;
        for (c, verdict) in &game.ends {
            if c.eval(&mut env, self)?.truth() {
                stop = Some(self.verdict(verdict, &mut env)?);
                break;
            }
        }
        self.stops.borrow_mut().insert(component, stop);
        Ok(stop)
    }

    fn verdict(&self, verdict: &Verdict, env: &mut Env) -> Run<Stop> {
        Ok(match verdict {
            Verdict::NoMoves => Stop::NoMoves,
            Verdict::Over(word) => Stop::Over(word),
            Verdict::Score(e) => Stop::Score(e.eval(env, self)?.int()),
            Verdict::If(c, parts) => self.verdict(&parts[usize::from(!c.eval(env, self)?.truth())], env)?,
        })
    }

    pub(super) fn is_legal(&self, component: usize) -> Run<bool> {
        let (game, mut env) = self.env(component)?;
        game.legal.iter().try_fold(true, |all, c| Ok(all && c.eval(&mut env, self)?.truth()))
    }

    fn canonical(&self, mut component: usize) -> Run<usize> {
        loop {
            let (game, mut env) = self.env(component)?;
            match &game.same {
                Some((term, c)) if c.eval(&mut env, self)?.truth() => {
                    let state = term.state(&mut env, self)?;
                    component = self.component(term.game, state)?;
                }
                _ => return Ok(component),
            }
        }
    }

    /// The components of a place; `None`: one of them is forbidden.
    fn parts(&self, place: &Place, env: &mut Env) -> Run<Option<Vec<usize>>> {
        let mut all = Vec::new();
        self.place(place, env, &mut |state: State| {
            all.push(state);
            Ok(())
        })?;
        let mut parts = Vec::new();
        let mut are_legal = true;
        for (game, values) in all {
            let part = self.component(game, values)?;
            are_legal &= self.is_legal(part)?;
            parts.push(part);
        }
        if !are_legal {
            return Ok(None);
        }
        let mut parts = parts.into_iter().map(|part| self.canonical(part)).collect::<Run<Vec<_>>>()?;
        parts.sort_unstable();
        Ok(Some(parts))
    }

    fn place(&self, place: &Place, env: &mut Env, then: &mut dyn FnMut(State) -> Run<()>) -> Run<()> {
        match place {
            Place::One(term) => then((term.game, term.state(env, self)?)),
            Place::Plus(parts) => parts.iter().try_for_each(|part| self.place(part, env, then)),
            Place::Times(n, part) => (0..*n).try_for_each(|_| self.place(part, env, then)),
            Place::Sum(part, over) => each_way(over, false, env, self, &mut |env| self.place(part, env, then)),
        }
    }

    fn goal(&self, target: &Target, env: &mut Env) -> Run<Option<Goal>> {
        Ok(match target {
            Target::Over(word) => Some(Goal::Over(word)),
            Target::If(c, parts) => {
                let number = usize::from(!c.eval(env, self)?.truth());
                return self.goal(&parts[number], env);
            }
            Target::To { again, place, gain } => {
                let points = gain.as_ref().map_or(Ok(0), |e: &Ex| Ok(e.eval(env, self)?.int()))?;
                let (again, is_given) = (*again, gain.is_some());
                self.parts(place, env)?.map(|parts| Goal::To { parts, again, gain: points, is_given })
            }
        })
    }

    fn moves(&self, component: usize) -> Run<Moves> {
        if component == EMPTY {
            return Ok(Rc::default());
        }
        if let Some(moves) = self.moves.borrow().get(&component) {
            return Ok(moves.clone());
        }
        let mut all = Vec::new();
        if self.stop(component)?.is_none() {
            let (game, mut env) = self.env(component)?;
            let mut seen = HashSet::new();
            for mv in &game.moves {
                let names = mv.binders();
                each_way(&mv.clauses, true, &mut env, self, &mut |env| {
                    let value = |name: &Name| env.iter().rev().find(|(n, _)| n == name).expect("bound").1.clone();
                    let values: Vec<Value> = names.iter().map(value).collect();
                    // Moves that are alike and lead to the same position are one move.
                    if let Some(goal) = self.goal(&mv.target, env)?
                        && seen.insert((mv.name, values.clone(), goal.clone()))
                    {
                        // Whether `gain 0` makes another move than no `gain` is left open.
                        if let Goal::To { parts, again, gain: 0, is_given } = goal.clone() {
                            let goal = Goal::To { parts, again, gain: 0, is_given: !is_given };
                            if seen.contains(&(mv.name, values.clone(), goal)) {
                                return Err(Fault::Clash);
                            }
                        }
                        let binders = names.iter().cloned().zip(values).collect();
                        all.push((Rc::new(Label { name: mv.name, binders }), goal));
                    }
                    if all.len() > 150 { Err(Fault::TooMany) } else { Ok(()) }
                })?;
            }
        }
        let all = Rc::new(all);
        self.moves.borrow_mut().insert(component, all.clone());
        Ok(all)
    }

    /// How the whole play is over at a position.
    fn over(&self, node: &[usize]) -> Run<Option<&'static str>> {
        let mut found = None;
        for component in node {
            if let Some(Stop::Over(word)) = self.stop(*component)? {
                if found.is_some_and(|other| other != word) {
                    return Err(Fault::Clash);
                }
                found = Some(word);
            }
        }
        Ok(found)
    }

    /// The moves of a whole position. A sum is sorted in its goals.
    fn whole(&self, kind: Kind, start: &Start) -> Run<Vec<(Choice, Goal)>> {
        let node = &start.components;
        let mut all = Vec::new();
        let mut seen = HashSet::new();
        let moves = node.iter().map(|c| self.moves(*c)).collect::<Run<Vec<_>>>()?;
        let Kind::Compound(word, most) = kind else {
            for i in (0..node.len()).filter(|i| start.same[*i] == *i) {
                for (label, goal) in &*moves[i] {
                    let goal = match goal {
                        Goal::Over(word) => Goal::Over(word),
                        Goal::To { parts, again, gain, is_given } => {
                            let mut parts = [&node[..i], &node[i + 1..], parts].concat();
                            parts.sort_unstable();
                            Goal::To { parts, again: *again, gain: *gain, is_given: *is_given }
                        }
                    };
                    all.push((vec![(i, label.clone())], goal));
                }
            }
            return Ok(all);
        };
        let movable: Vec<usize> = (0..node.len()).filter(|i| !moves[*i].is_empty()).collect();
        let needs_all = ["conjunctive", "shortened_selective", "diminished"].contains(&word);
        if needs_all && movable.len() < node.len() || movable.is_empty() {
            return Ok(all);
        }
        if movable.len() > 10 {
            return Err(Fault::TooMany);
        }
        let (least, most) = match word {
            "conjunctive" | "continued" => (movable.len(), movable.len()),
            "selective" | "shortened_selective" => (1, movable.len()),
            "diminished" => (1, 1),
            _ => (1, most),
        };
        for bits in 1usize..1 << movable.len() {
            let chosen: Vec<usize> = (0..movable.len()).filter(|b| bits >> b & 1 == 1).map(|b| movable[b]).collect();
            if !(least..=most).contains(&chosen.len()) {
                continue;
            }
            let mut ways: Vec<(Choice, Vec<&Goal>)> = vec![(Vec::new(), Vec::new())];
            for &i in &chosen {
                let mut longer = Vec::new();
                for (choice, goals) in &ways {
                    for (label, goal) in &*moves[i] {
                        let choice = [&choice[..], &[(i, label.clone())]].concat();
                        longer.push((choice, goals.iter().copied().chain([goal]).collect()));
                    }
                }
                ways = longer;
                if ways.len() > 2000 {
                    return Err(Fault::TooMany);
                }
            }
            for (choice, goals) in ways {
                let mut node: Node = (0..node.len()).filter(|i| !chosen.contains(i)).map(|i| node[i]).collect();
                for goal in &goals {
                    let Goal::To { parts, .. } = goal else { panic!("no ends inside compounds") };
                    node.extend(if parts.is_empty() { &[EMPTY][..] } else { parts });
                }
                node.sort_unstable();
                // Moves that are alike in every part lead to the same position.
                if seen.insert((choice.clone(), goals)) {
                    all.push((choice, Goal::To { parts: node, again: false, gain: 0, is_given: false }));
                }
            }
        }
        Ok(all)
    }

    /// The answers to positions of one kind.
    pub(super) fn answers(&self, kind: Kind, is_misere: bool, starts: &[Start]) -> Run<Vec<Answer>> {
        let mut graph = Graph::default();
        let mut from = Vec::new();
        for start in starts {
            let over = self.over(&start.components)?;
            let choices = if over.is_some() { Vec::new() } else { self.whole(kind, start)? };
            let goals = choices.iter().map(|(_, goal)| graph.edge(goal)).collect();
            from.push((graph.push(over, goals), choices));
        }
        // Nodes are expanded in the order in which they were found.
        let mut next = 0;
        while let Some(node) = graph.found.get(next).cloned() {
            next += 1;
            let over = self.over(&node)?;
            let start = Start { same: firsts(&node), components: node };
            let moves = if over.is_some() { Vec::new() } else { self.whole(kind, &start)? };
            let goals = moves.iter().map(|(_, goal)| graph.edge(goal)).collect();
            let number = graph.numbers[&start.components];
            graph.nodes[number] = (over, goals);
            if graph.nodes.len() > MOST {
                return Err(Fault::TooMany);
            }
        }
        let is_scored = |start: &Start| {
            self.file.plays == Plays::Scores
                && start.components.iter().any(|c| *c != EMPTY && self.file.is_scored(self.state(*c).0))
        };
        let (outcomes, tainted) = (graph.outcomes(is_misere), graph.spread(Graph::is_odd));
        let back = graph.cyclic();
        let smith = graph.smith();
        let mut answers = Vec::new();
        for (start, (root, choices)) in starts.iter().zip(from) {
            let moves: Vec<Choice> = choices.iter().map(|(choice, _)| choice.clone()).collect();
            let some = |is: &dyn Fn(usize) -> bool| {
                (0..moves.len()).filter(|i| is(*i)).map(|i| moves[i].clone()).collect::<Vec<_>>()
            };
            let edges = &graph.nodes[root].1;
            let mut answer = Answer {
                outcome: outcomes[root].map_or("draw", |(word, _)| word),
                grundy: Grundy::None,
                remoteness: outcomes[root].map(|(_, far)| far),
                score: None,
                winning: some(&|i| Graph::good(&edges[i], &outcomes).is_some_and(|(is_good, _)| is_good)),
                drawing: some(&|i| Graph::good(&edges[i], &outcomes).is_none()),
                leaves: edges.iter().map(|edge| edge.leaves(&outcomes)).collect(),
                comes_back: back[root],
                positions: graph.nodes.len(),
                moves: Vec::new(),
            };
            if is_scored(start) {
                let mut scores = Scores { play: self, known: HashMap::new() };
                let after = |(_, goal): &(Choice, Goal)| scores.after(&start.components, goal);
                let values: Vec<i128> = choices.iter().map(after).collect::<Run<_>>()?;
                let best = values.iter().max().copied().unwrap_or(0);
                let score = best.checked_add(scores.entered(&start.components)?).ok_or(Fault::Big)?;
                answer.outcome = if score > 0 { "first" } else { ["draw", "second"][usize::from(score < 0)] };
                (answer.score, answer.remoteness) = (Some(score), None);
                answer.winning = some(&|i| values[i] == best);
                answer.drawing.clone_from(&answer.winning);
                answer.leaves.fill(None);
            } else if !is_misere && !tainted[root] {
                answer.grundy = smith[root].map_or_else(
                    || {
                        let finite: BTreeSet<i128> = edges.iter().filter_map(|edge| smith[edge.node()]).collect();
                        Grundy::Loop(finite.into_iter().collect())
                    },
                    Grundy::Number,
                );
            }
            if answer.outcome != "draw" {
                answer.drawing.clear();
            }
            answers.push(Answer { moves, ..answer });
        }
        Ok(answers)
    }
}

/// For each component the first that is equal.
pub(super) fn firsts(node: &[usize]) -> Vec<usize> {
    node.iter().map(|c| node.iter().position(|d| d == c).expect("itself")).collect()
}

/// A move in the graph: the play is over, for the mover, or it leads to a node, and the mover goes on or not.
enum Edge {
    Over(&'static str),
    To(usize, bool),
}

impl Edge {
    fn node(&self) -> usize {
        let Edge::To(node, _) = self else { panic!("play goes on") };
        *node
    }
    /// What it leaves to the next player, and whether that is the mover.
    fn leaves(&self, outcomes: &Outcomes) -> Option<(&'static str, bool)> {
        let Edge::To(node, again) = self else { return None };
        Some((outcomes[*node].map_or("draw", |(word, _)| word), *again))
    }
}

#[derive(Default)]
struct Graph {
    /// How the whole play is over there, and the moves.
    nodes: Vec<(Option<&'static str>, Vec<Edge>)>,
    numbers: HashMap<Node, usize>,
    found: Vec<Node>,
}

/// Who wins, and how soon.
type Outcomes = Vec<Option<(&'static str, u32)>>;

impl Graph {
    fn push(&mut self, over: Option<&'static str>, edges: Vec<Edge>) -> usize {
        self.nodes.push((over, edges));
        self.nodes.len() - 1
    }
    fn edge(&mut self, goal: &Goal) -> Edge {
        match goal {
            Goal::Over(word) => Edge::Over(word),
            Goal::To { parts, again, .. } => {
                let known = self.numbers.get(parts).copied();
                let number = known.unwrap_or_else(|| {
                    let number = self.push(None, Vec::new());
                    self.numbers.insert(parts.clone(), number);
                    self.found.push(parts.clone());
                    number
                });
                Edge::To(number, *again)
            }
        }
    }

    /// Whether a move is good for the mover, and the remoteness of what it leads to; `None`: it draws, or is not known.
    fn good(edge: &Edge, outcomes: &Outcomes) -> Option<(bool, u32)> {
        match edge {
            Edge::Over("draw") => None,
            Edge::Over(word) => Some((*word == "win", 0)),
            Edge::To(node, again) => outcomes[*node].map(|(word, far)| ((word == "second") != *again, far)),
        }
    }

    /// Outcomes by remoteness, from 0 up.
    fn outcomes(&self, is_misere: bool) -> Outcomes {
        let mut outcomes: Outcomes = vec![None; self.nodes.len()];
        let mut open = Vec::new();
        for (i, (over, edges)) in self.nodes.iter().enumerate() {
            outcomes[i] = match over {
                Some("won") => Some(("first", 0)),
                Some("lost") => Some(("second", 0)),
                Some(_) => continue,
                None if edges.is_empty() => Some((if is_misere { "first" } else { "second" }, 0)),
                None => None,
            };
            if outcomes[i].is_none() {
                open.push(i);
            }
        }
        for far in 1..=u32::try_from(self.nodes.len()).expect("few") {
            let mut new = Vec::new();
            for &i in &open {
                let ends: Vec<Option<(bool, u32)>> =
                    self.nodes[i].1.iter().map(|edge| Graph::good(edge, &outcomes)).collect();
                if ends.iter().flatten().any(|(is_good, _)| *is_good) {
                    new.push((i, "first"));
                } else if ends.iter().all(Option::is_some) {
                    new.push((i, "second"));
                }
            }
            for &(i, word) in &new {
                outcomes[i] = Some((word, far));
            }
            open.retain(|i| outcomes[*i].is_none());
            if new.is_empty() {
                break;
            }
        }
        outcomes
    }

    fn options(&self, i: usize) -> impl Iterator<Item = usize> + '_ {
        self.nodes[i].1.iter().filter_map(|edge| if let Edge::To(node, _) = edge { Some(*node) } else { None })
    }

    /// Whether a rule ends the whole play there, or keeps the turn.
    fn is_odd(&self, i: usize) -> bool {
        let (over, edges) = &self.nodes[i];
        over.is_some() || edges.iter().any(|e| matches!(e, Edge::Over(_) | Edge::To(_, true)))
    }

    /// From where a node may be reached of which something holds.
    fn spread(&self, holds: fn(&Graph, usize) -> bool) -> Vec<bool> {
        let mut all: Vec<bool> = (0..self.nodes.len()).map(|i| holds(self, i)).collect();
        while let Some(i) = (0..all.len()).rev().find(|i| !all[*i] && self.options(*i).any(|o| all[o])) {
            all[i] = true;
            for i in (0..i).rev() {
                all[i] |= self.options(i).any(|o| all[o]);
            }
        }
        all
    }

    /// From where play may go on for ever.
    fn cyclic(&self) -> Vec<bool> {
        let mut ends = vec![false; self.nodes.len()];
        loop {
            let before = ends.clone();
            for i in (0..ends.len()).rev() {
                ends[i] = ends[i] || self.options(i).all(|o| ends[o]);
            }
            if ends == before {
                return ends.into_iter().map(|ends| !ends).collect();
            }
        }
    }

    /// Values of Smith: a node takes the mex m of its labelled options when every other option can go back to m.
    fn smith(&self) -> Vec<Option<i128>> {
        let mut labels: Vec<Option<i128>> = vec![None; self.nodes.len()];
        let options: Vec<Vec<usize>> = (0..labels.len()).map(|i| self.options(i).collect()).collect();
        loop {
            let mut changed = false;
            for i in (0..labels.len()).rev().filter(|i| self.nodes[*i].0.is_none()) {
                if labels[i].is_some() {
                    continue;
                }
                let is_free = |m: &i128| options[i].iter().all(|o| labels[*o] != Some(*m));
                let mex = (0..=options[i].len() as i128).find(is_free).expect("one");
                let returns = |o: &usize| labels[*o].is_some() || options[*o].iter().any(|p| labels[*p] == Some(mex));
                if options[i].iter().all(returns) {
                    (labels[i], changed) = (Some(mex), true);
                }
            }
            if !changed {
                return labels;
            }
        }
    }
}

/// Scores by minimax.
struct Scores<'a> {
    play: &'a Play<'a>,
    known: HashMap<Node, i128>,
}

impl Scores<'_> {
    /// The points for ends of components, for the player to move.
    fn entered(&self, node: &[usize]) -> Run<i128> {
        node.iter().try_fold(0i128, |sum, c| match self.play.stop(*c)? {
            Some(Stop::Score(points)) => sum.checked_add(points).ok_or(Fault::Big),
            _ => Ok(sum),
        })
    }
    /// What a move is worth: points for it, for components that are over now, and what is still to come.
    fn after(&mut self, node: &[usize], goal: &Goal) -> Run<i128> {
        let Goal::To { parts, again, gain, .. } = goal else { panic!("no other ends") };
        let mut new: BTreeMap<usize, i128> = BTreeMap::new();
        for (nodes, sign) in [(&parts[..], 1), (node, -1)] {
            for c in nodes {
                *new.entry(*c).or_default() += sign;
            }
        }
        let mut later = self.value(parts)?;
        for (c, count) in new.into_iter().filter(|(_, count)| *count > 0) {
            let points = self.entered(&[c])?.checked_mul(count).ok_or(Fault::Big)?;
            later = later.checked_add(points).ok_or(Fault::Big)?;
        }
        gain.checked_add(if *again { later } else { -later }).ok_or(Fault::Big)
    }
    fn value(&mut self, node: &[usize]) -> Run<i128> {
        if let Some(value) = self.known.get(node) {
            return Ok(*value);
        }
        let start = Start { components: node.to_vec(), same: firsts(node) };
        let moves = self.play.whole(Kind::Sum, &start)?;
        let values = moves.iter().map(|(_, goal)| self.after(node, goal)).collect::<Run<Vec<_>>>()?;
        let value = values.into_iter().max().unwrap_or(0);
        self.known.insert(node.to_vec(), value);
        Ok(value)
    }
}
