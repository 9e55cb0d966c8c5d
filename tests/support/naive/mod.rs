//! A naive solver on explicit rules, and how a game text is put to the engine: nothing of the crate decides here.

#![allow(dead_code, unreachable_pub, clippy::missing_panics_doc, clippy::match_same_arms, clippy::comparison_chain)]

pub mod engine;

pub use super::rng::{Rng, join, list, set};
use std::collections::{BTreeSet, HashMap};

/// The state of a component; its first entry is the number of its game.
pub type State = Vec<i64>;

/// Stands in place of a game's number for the sum of nothing.
const NOTHING: i64 = -1;

/// A whole-play end by a target, said of the mover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Finish {
    Win,
    Lose,
    Draw,
}

/// Where a move leads.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    Finish(Finish),
    Go { parts: Vec<State>, again: bool, gain: i64 },
}

impl Target {
    /// A move to one position.
    pub fn to(state: State) -> Target {
        Target::Go { parts: vec![state], again: false, gain: 0 }
    }

    /// A move to a sum.
    pub fn sum(parts: Vec<State>) -> Target {
        Target::Go { parts, again: false, gain: 0 }
    }
}

/// What an `end when` line says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Over,
    Lost,
    Won,
    Drawn,
    Score(i64),
}

/// The rules of some games.
pub trait Rules {
    /// The first `end when` line that is true.
    fn end(&self, _: &State) -> Option<End> {
        None
    }
    /// The moves of a state that is not over: identity and target, as written.
    fn moves(&self, state: &State) -> Vec<(String, Target)>;
    /// The `legal when` lines.
    fn legal(&self, _: &State) -> bool {
        true
    }
    /// The `same as` lines.
    fn same(&self, _: &State) -> Option<State> {
        None
    }
}

/// Rules told apart by the first entry of a state.
pub struct Many(pub Vec<Box<dyn Rules>>);

impl Many {
    fn of(&self, state: &State) -> &dyn Rules {
        &*self.0[usize::try_from(state[0]).expect("a game")]
    }
}

impl Rules for Many {
    fn end(&self, state: &State) -> Option<End> {
        self.of(state).end(state)
    }
    fn moves(&self, state: &State) -> Vec<(String, Target)> {
        self.of(state).moves(state)
    }
    fn legal(&self, state: &State) -> bool {
        self.of(state).legal(state)
    }
    fn same(&self, state: &State) -> Option<State> {
        self.of(state).same(state)
    }
}

/// How the parts are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    Sum,
    Conjunctive,
    Continued,
    Selective,
    ShortenedSelective,
    Diminished,
    AtMost(usize),
}

/// A Grundy value as the test knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Nimber(u64),
    Loop(Vec<u64>),
}

/// What the naive solver says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    pub outcome: &'static str,
    /// `None`: not defined, or not looked for.
    pub grundy: Option<Value>,
    pub remoteness: Option<u64>,
    pub score: Option<i64>,
    pub winning: u64,
    pub drawing: u64,
    pub cyclic: bool,
}

#[derive(Clone, Copy, Debug)]
enum Edge {
    Finish(Finish),
    Go { to: usize, again: bool, gain: i64 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    Win(u64),
    Lose(u64),
}

struct Space<'a> {
    rules: &'a dyn Rules,
    how: How,
    numbers: HashMap<Vec<State>, usize>,
    verdicts: Vec<Option<End>>,
    edges: Vec<Vec<Edge>>,
    todo: Vec<(usize, Vec<State>)>,
}

impl Space<'_> {
    fn part_moves(&self, state: &State) -> Vec<(String, Target)> {
        if state[0] == NOTHING {
            return Vec::new();
        }
        if self.rules.end(state).is_some() {
            return Vec::new();
        }
        let mut all = BTreeSet::new();
        for (name, target) in self.rules.moves(state) {
            match target {
                Target::Finish(_) => {
                    all.insert((name, target));
                }
                Target::Go { parts, again, gain } => {
                    if parts.iter().all(|p| self.rules.legal(p)) {
                        let mut parts: Vec<State> = parts.into_iter().map(|p| self.replaced(p)).collect();
                        parts.sort();
                        all.insert((name, Target::Go { parts, again, gain }));
                    }
                }
            }
        }
        all.into_iter().collect()
    }

    fn replaced(&self, mut state: State) -> State {
        for _ in 0..100 {
            match self.rules.same(&state) {
                Some(other) => state = other,
                None => return state,
            }
        }
        panic!("`same as` does not end");
    }

    /// Every move of a position: what tells it apart, and the whole position or end it leads to.
    fn moves(&self, parts: &[State]) -> Vec<(String, Result<Next, Finish>)> {
        let each: Vec<Vec<(String, Target)>> = parts.iter().map(|p| self.part_moves(p)).collect();
        let mut found = Vec::new();
        if self.how == How::Sum {
            for (i, moves) in each.iter().enumerate() {
                for (name, target) in moves {
                    let next = match target {
                        Target::Finish(finish) => Err(*finish),
                        Target::Go { parts: new, again, gain } => {
                            let mut all: Vec<State> = parts.to_vec();
                            all.remove(i);
                            all.extend(new.iter().cloned());
                            all.sort();
                            let mut entered = 0;
                            for part in new {
                                if let Some(End::Score(e)) = self.rules.end(part) {
                                    entered += e;
                                }
                            }
                            Ok(Next { parts: all, again: *again, gain: *gain, entered })
                        }
                    };
                    found.push((format!("{i} {name}"), next));
                }
            }
            return found;
        }
        let able: Vec<usize> = (0..parts.len()).filter(|&i| !each[i].is_empty()).collect();
        let some_stuck = able.len() < parts.len();
        let sets: Vec<u32> = (1..1u32 << parts.len())
            .filter(|set| (0..parts.len()).all(|i| set >> i & 1 == 0 || able.contains(&i)))
            .filter(|set| {
                let size = set.count_ones() as usize;
                match self.how {
                    How::Sum => unreachable!(),
                    How::Conjunctive => size == parts.len(),
                    How::Continued => size == able.len(),
                    How::Selective => true,
                    How::ShortenedSelective => !some_stuck,
                    How::Diminished => !some_stuck && size == 1,
                    How::AtMost(k) => size <= k,
                }
            })
            .collect();
        for set in sets {
            let mut ways: Vec<(String, Vec<State>)> = vec![(String::new(), Vec::new())];
            for i in 0..parts.len() {
                let mut more = Vec::new();
                for (name, so_far) in &ways {
                    if set >> i & 1 == 0 {
                        let mut so_far = so_far.clone();
                        so_far.push(parts[i].clone());
                        more.push((name.clone(), so_far));
                        continue;
                    }
                    for (mv, target) in &each[i] {
                        let Target::Go { parts: new, .. } = target else { panic!("an end inside a compound") };
                        let mut so_far = so_far.clone();
                        if new.is_empty() {
                            // The zero position is a part that cannot move.
                            so_far.push(vec![NOTHING]);
                        }
                        so_far.extend(new.iter().cloned());
                        more.push((format!("{name} {i} {mv}"), so_far));
                    }
                }
                ways = more;
            }
            for (name, mut parts) in ways {
                parts.sort();
                found.push((name, Ok(Next { parts, again: false, gain: 0, entered: 0 })));
            }
        }
        found
    }

    fn number(&mut self, parts: Vec<State>) -> usize {
        if let Some(&at) = self.numbers.get(&parts) {
            return at;
        }
        let at = self.verdicts.len();
        let verdict = parts
            .iter()
            .filter(|p| p[0] != NOTHING)
            .find_map(|p| self.rules.end(p).filter(|e| matches!(e, End::Lost | End::Won | End::Drawn)));
        self.verdicts.push(verdict);
        self.edges.push(Vec::new());
        self.numbers.insert(parts.clone(), at);
        if verdict.is_none() {
            self.todo.push((at, parts));
        }
        at
    }

    /// Everything reachable; false when it is too much.
    fn explore(&mut self, limit: usize) -> bool {
        while let Some((at, parts)) = self.todo.pop() {
            let mut edges = Vec::new();
            for (_, next) in self.moves(&parts) {
                edges.push(self.edge(next));
            }
            self.edges[at] = edges;
            if self.verdicts.len() > limit {
                return false;
            }
        }
        true
    }

    fn edge(&mut self, next: Result<Next, Finish>) -> Edge {
        match next {
            Err(finish) => Edge::Finish(finish),
            Ok(next) => {
                let to = self.number(next.parts);
                // The mover's points: of the move, and those counted for whoever is then to move.
                let gain = next.gain + if next.again { next.entered } else { -next.entered };
                Edge::Go { to, again: next.again, gain }
            }
        }
    }

    fn known(&self, misere: bool) -> Vec<Option<Known>> {
        let mut known: Vec<Option<Known>> = vec![None; self.edges.len()];
        for (at, slot) in known.iter_mut().enumerate() {
            *slot = match self.verdicts[at] {
                Some(End::Lost) => Some(Known::Lose(0)),
                Some(End::Won) => Some(Known::Win(0)),
                Some(_) => None,
                None if self.edges[at].is_empty() => Some(if misere { Known::Win(0) } else { Known::Lose(0) }),
                None => None,
            };
        }
        loop {
            let mut fresh = Vec::new();
            for at in 0..self.edges.len() {
                if known[at].is_some() || self.verdicts[at].is_some() {
                    continue;
                }
                let options: Vec<Option<Known>> = self.edges[at].iter().map(|e| mover(*e, &known)).collect();
                let wins =
                    options.iter().filter_map(|o| if let Some(Known::Win(r)) = o { Some(*r) } else { None }).min();
                if let Some(r) = wins {
                    fresh.push((at, Known::Win(r)));
                } else if options.iter().all(Option::is_some) {
                    let longest =
                        options.iter().filter_map(|o| if let Some(Known::Lose(r)) = o { Some(*r) } else { None });
                    fresh.push((at, Known::Lose(longest.max().expect("an option"))));
                }
            }
            if fresh.is_empty() {
                return known;
            }
            // Only the nearest are final in this round.
            let near = fresh
                .iter()
                .map(|(_, k)| match k {
                    Known::Win(r) | Known::Lose(r) => *r,
                })
                .min();
            for (at, value) in fresh {
                if Some(match value {
                    Known::Win(r) | Known::Lose(r) => r,
                }) == near
                {
                    known[at] = Some(value);
                }
            }
        }
    }

    fn cyclic(&self) -> bool {
        // Peel off what has all its options peeled.
        let mut gone = vec![false; self.edges.len()];
        loop {
            let mut changed = false;
            for at in 0..gone.len() {
                let ready = self.edges[at].iter().all(|e| match e {
                    Edge::Finish(_) => true,
                    Edge::Go { to, .. } => gone[*to],
                });
                if !gone[at] && ready {
                    gone[at] = true;
                    changed = true;
                }
            }
            if !changed {
                return gone.contains(&false);
            }
        }
    }

    fn smith(&self) -> Vec<Option<u64>> {
        let follow: Vec<Vec<usize>> = self
            .edges
            .iter()
            .map(|edges| {
                edges
                    .iter()
                    .map(|e| match e {
                        Edge::Go { to, .. } => *to,
                        Edge::Finish(_) => panic!("no Grundy value here"),
                    })
                    .collect()
            })
            .collect();
        let mut label: Vec<Option<u64>> = vec![None; follow.len()];
        loop {
            let mut changed = false;
            for at in 0..follow.len() {
                if label[at].is_some() {
                    continue;
                }
                let seen: BTreeSet<u64> = follow[at].iter().filter_map(|&to| label[to]).collect();
                let mex = (0..=seen.len() as u64).find(|m| !seen.contains(m)).expect("a number");
                let fits = follow[at]
                    .iter()
                    .all(|&to| label[to].is_some() || follow[to].iter().any(|&back| label[back] == Some(mex)));
                if fits {
                    label[at] = Some(mex);
                    changed = true;
                }
            }
            if !changed {
                return label;
            }
        }
    }

    fn score(&self, at: usize, memo: &mut HashMap<usize, i64>) -> i64 {
        if let Some(&known) = memo.get(&at) {
            return known;
        }
        let best = self.edges[at].iter().map(|e| self.edge_score(*e, memo)).max().unwrap_or(0);
        memo.insert(at, best);
        best
    }

    fn edge_score(&self, edge: Edge, memo: &mut HashMap<usize, i64>) -> i64 {
        let Edge::Go { to, again, gain } = edge else { panic!("an end in a scoring game") };
        let rest = self.score(to, memo);
        gain + if again { rest } else { -rest }
    }
}

struct Next {
    parts: Vec<State>,
    again: bool,
    gain: i64,
    entered: i64,
}

/// What a move is worth to the mover.
fn mover(edge: Edge, known: &[Option<Known>]) -> Option<Known> {
    match edge {
        Edge::Finish(Finish::Win) => Some(Known::Win(1)),
        Edge::Finish(Finish::Lose) => Some(Known::Lose(1)),
        Edge::Finish(Finish::Draw) => None,
        Edge::Go { to, again, .. } => match (known[to]?, again) {
            (Known::Win(r), true) | (Known::Lose(r), false) => Some(Known::Win(r + 1)),
            (Known::Lose(r), true) | (Known::Win(r), false) => Some(Known::Lose(r + 1)),
        },
    }
}

/// Solves by looking at everything; `None` when there are more positions than the limit.
pub fn solve(rules: &dyn Rules, root: &[State], how: How, misere: bool, scored: bool, limit: usize) -> Option<Verdict> {
    let mut space =
        Space { rules, how, numbers: HashMap::new(), verdicts: Vec::new(), edges: Vec::new(), todo: Vec::new() };
    let mut sorted = root.to_vec();
    sorted.sort();
    let start = space.number(sorted);
    let over = space.verdicts[start].is_some();
    let mut moves: Vec<(String, Edge)> = Vec::new();
    if !over {
        for (name, next) in space.moves(root) {
            let edge = space.edge(next);
            moves.push((name, edge));
        }
    }
    if !space.explore(limit) {
        return None;
    }
    let cyclic = space.cyclic();
    if scored {
        if cyclic {
            return None;
        }
        let at_start: i64 = root.iter().map(|p| if let Some(End::Score(e)) = rules.end(p) { e } else { 0 }).sum();
        let mut memo = HashMap::new();
        let best = space.score(start, &mut memo);
        let winning = moves.iter().filter(|(_, e)| space.edge_score(*e, &mut memo) == best).count() as u64;
        let score = best + at_start;
        let outcome = if score > 0 {
            "first"
        } else if score < 0 {
            "second"
        } else {
            "draw"
        };
        return Some(Verdict {
            outcome,
            grundy: None,
            remoteness: None,
            score: Some(score),
            winning,
            // The best moves keep an even score.
            drawing: if score == 0 { winning } else { 0 },
            cyclic,
        });
    }
    let known = space.known(misere);
    let (outcome, remoteness) = match known[start] {
        Some(Known::Win(r)) => ("first", Some(r)),
        Some(Known::Lose(r)) => ("second", Some(r)),
        None => ("draw", None),
    };
    let mut winning = 0;
    let mut drawing = 0;
    for (_, edge) in &moves {
        match mover(*edge, &known) {
            Some(Known::Win(_)) => winning += 1,
            Some(Known::Lose(_)) => {}
            None => drawing += 1,
        }
    }
    let special = space.verdicts.iter().any(Option::is_some)
        || space.edges.iter().flatten().any(|e| !matches!(e, Edge::Go { again: false, gain: 0, .. }));
    let grundy = if misere || special {
        None
    } else {
        let labels = space.smith();
        Some(if let Some(g) = labels[start] {
            Value::Nimber(g)
        } else {
            let options: BTreeSet<u64> = space.edges[start]
                .iter()
                .filter_map(|e| if let Edge::Go { to, .. } = e { labels[*to] } else { None })
                .collect();
            Value::Loop(options.into_iter().collect())
        })
    };
    Some(Verdict { outcome, grundy, remoteness, score: None, winning, drawing, cyclic })
}
