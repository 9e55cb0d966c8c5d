//! The judge of a position: which engine fits it, and what each of its moves is worth.

use super::components::{self, NORMAL};
use super::cyclic;
use super::explore::{self, PositionGraph, sorted};
use super::remoteness;
use super::retrograde::{self, Mark, Marks};
use super::root::{Goal, Root, RootMove};
use super::score;
use super::space::{Met, NOTHING, Space};
use super::split;
use super::sums::{self, Wanted};
use super::sweep;
use super::tabled;
use super::value::SumValue;
use crate::answer::{GrundyValue, Method, Outcome};
use crate::rules::fault::{Fault, Halt, Run};
use crate::rules::machine::{Machine, Splitting};
use crate::rules::memo::{Decided, UNKNOWN};
use crate::rules::native::Kind;

/// What a move is worth for its mover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Wins,
    Draws,
    Loses,
}

/// What was worked out of a position.
pub(crate) struct Judge {
    made: Made,
    outcome: Outcome,
    grundy: Option<GrundyValue>,
    refused: Option<String>,
    remoteness: Option<u64>,
    score: Option<i64>,
    positions: u64,
    method: Method,
}

enum Made {
    /// Components solved apart; their sum.
    Values(SumValue),
    /// Outcomes of single components stand in a table.
    Table(Kind),
    /// Outcomes of single components stand in a graph of states; `true`: who cannot move wins.
    Graph(bool),
    /// Outcomes of sums stand in the table of sums; `true`: who cannot move wins.
    Sums(bool),
    /// The whole position searched.
    Marks(PositionGraph, Marks),
    /// A scoring game; the score of every node.
    Scores(PositionGraph, Vec<i64>),
}

impl Judge {
    /// Chooses an engine and runs it.
    pub(crate) fn new(machine: &mut Machine, root: &Root) -> Run<Judge> {
        Judge::chosen(machine, root, false).map_err(|halt| cyclic::explained(machine, &root.ids, halt))
    }

    /// The same without a Grundy value where only the outcome and the moves are asked for.
    pub(crate) fn without_value(machine: &mut Machine, root: &Root) -> Run<Judge> {
        Judge::chosen(machine, root, true).map_err(|halt| cyclic::explained(machine, &root.ids, halt))
    }

    fn chosen(machine: &mut Machine, root: &Root, alone: bool) -> Run<Judge> {
        match Judge::unsearched(machine, root, alone)? {
            Ok(judge) => Ok(judge),
            Err(refused) => Judge::searched(machine, root, refused),
        }
    }

    /// The outcome alone: positions that are searched as a whole are left at the first move that wins.
    pub(crate) fn outcome_of(machine: &mut Machine, root: &Root) -> Run<Outcome> {
        Judge::first_outcome(machine, root).map_err(|halt| cyclic::explained(machine, &root.ids, halt))
    }

    fn first_outcome(machine: &mut Machine, root: &Root) -> Run<Outcome> {
        let refused = match Judge::unsearched(machine, root, true)? {
            Ok(judge) => return Ok(judge.outcome),
            Err(refused) => refused,
        };
        if let Some(judge) = Judge::single(machine, root, &refused)? {
            return Ok(judge.outcome);
        }
        if root.mode.compound.is_none()
            && let Some(found) = sums::decide(machine, &root.ids, root.mode.misere, Wanted::Outcome)?
        {
            return Ok(found.decided.outcome);
        }
        Ok(Judge::searched(machine, root, refused)?.outcome)
    }

    /// The judge of a position that is not searched as a whole; why it is, otherwise. `alone`: the value of a single
    /// component is not wanted where a graph of states tells the outcome without it.
    fn unsearched(machine: &mut Machine, root: &Root, alone: bool) -> Run<Result<Judge, String>> {
        if is_scored(machine, root) {
            return Judge::scored(machine, root).map(Ok);
        }
        if let Some(outcome) = root.ended(machine)? {
            return Ok(Ok(Judge::over(outcome)));
        }
        if root.mode != NORMAL {
            let why = if root.mode.misere { "it is played in misere" } else { "" };
            return Ok(Err(why.to_string()));
        }
        let (mut positions, mut cyclic) = (0, false);
        split::try_fields(machine, &root.ids, &mut positions)?;
        match components::decide(machine, &root.ids, alone, &mut positions, &mut cyclic)? {
            Ok(()) if alone && cyclic && root.ids.len() == 1 => {
                match Judge::in_graph(machine, false, root.ids[0], None) {
                    Some(judge) => Ok(Ok(judge)),
                    None => Judge::valued(machine, root, positions, cyclic).map(Ok),
                }
            }
            Ok(()) => Judge::valued(machine, root, positions, cyclic).map(Ok),
            Err(met) => Ok(Err(met.forbids_grundy().unwrap_or_default().to_string())),
        }
    }

    /// The whole play is over at the start.
    fn over(outcome: Outcome) -> Judge {
        Judge {
            made: Made::Values(SumValue::default()),
            outcome,
            grundy: None,
            refused: Met { ending: true, ..Met::default() }.forbids_grundy().map(str::to_string),
            remoteness: (outcome != Outcome::Draw).then_some(0),
            score: None,
            positions: 1,
            method: Method::Search,
        }
    }

    /// The same, the sum searched as a whole if only that tells the remoteness.
    pub(crate) fn with_remoteness(machine: &mut Machine, root: &Root) -> Run<Judge> {
        let split = std::mem::replace(&mut machine.split, Splitting::Never);
        let heaps = std::mem::replace(&mut machine.heaps, Splitting::Never);
        let judged = Judge::without_value(machine, root);
        (machine.split, machine.heaps) = (split, heaps);
        let mut judge = judged?;
        if judge.remoteness.is_none() && judge.outcome != Outcome::Draw && judge.score.is_none() {
            judge.remoteness = remoteness::of_sum(machine, &root.ids, judge.outcome, None)?;
        }
        Ok(judge)
    }

    fn valued(machine: &mut Machine, root: &Root, positions: u64, cyclic: bool) -> Run<Judge> {
        let mut sum = SumValue::default();
        for &id in &root.ids {
            sum.add(&components::value(machine, id).ok_or_else(lost)?);
        }
        let outcome = sum.outcome();
        let mut remoteness = None;
        let mut method = if root.ids.len() == 1 { Method::Search } else { Method::Components };
        if let [id] = root.ids[..] {
            if cyclic {
                // The value is known; the graph is walked once more for the remoteness.
                method = Method::Retrograde;
                if let Some((_, far)) = cyclic::outcome(machine, id, false) {
                    remoteness = far.map(u64::from);
                } else if outcome != Outcome::Draw
                    && let Some(graph) = explore::components(machine, NORMAL, id, true)?
                {
                    let marks = retrograde::decide(machine, &graph, false)?;
                    remoteness = Some(u64::from(marks.remoteness[0]));
                }
            } else {
                let far = machine.memo.remoteness[id as usize];
                if split::applies(machine, id)? {
                    method = Method::Components;
                }
                remoteness = (far != UNKNOWN).then_some(u64::from(far));
            }
        } else if root.ids.is_empty() {
            remoteness = Some(0);
        }
        let grundy = Some(sum.value());
        Ok(Judge {
            made: Made::Values(sum),
            outcome,
            grundy,
            refused: None,
            remoteness,
            score: None,
            positions,
            method,
        })
    }

    fn searched(machine: &mut Machine, root: &Root, refused: String) -> Run<Judge> {
        if let Some(judge) = Judge::single(machine, root, &refused)? {
            return Ok(judge);
        }
        let key = sorted(&root.ids);
        let single = match (&key[..], root.mode.compound) {
            ([id], None) if *id != NOTHING => explore::components(machine, root.mode, *id, true)?,
            _ => None,
        };
        if single.is_none()
            && root.mode.compound.is_none()
            && let Some(found) = sums::decide(machine, &key, root.mode.misere, Wanted::All)?
        {
            let Decided { outcome, remoteness } = found.decided;
            return Ok(Judge {
                made: Made::Sums(root.mode.misere),
                outcome,
                grundy: None,
                refused: Some(refused),
                remoteness: (outcome != Outcome::Draw).then_some(u64::from(remoteness)),
                score: None,
                positions: found.positions,
                method: Method::Search,
            });
        }
        let graph = match single {
            Some(graph) => graph,
            None => explore::sums(machine, root.mode, &key, false, true)?,
        };
        let marks = retrograde::decide(machine, &graph, root.mode.misere)?;
        let outcome = mark_outcome(marks.marks[0]);
        let positions = graph.len() as u64;
        remember(machine, root, &graph, &marks);
        let mut judge = Judge {
            outcome,
            grundy: None,
            refused: Some(refused),
            remoteness: (outcome != Outcome::Draw).then(|| u64::from(marks.remoteness[0])),
            score: None,
            positions,
            method: Method::Retrograde,
            made: Made::Marks(graph, marks),
        };
        judge.flattened_grundy(machine, root)?;
        Ok(judge)
    }

    /// The same where the position is one component whose outcome stands in a table or a graph of states.
    fn single(machine: &mut Machine, root: &Root, refused: &str) -> Run<Option<Judge>> {
        match (&root.ids[..], root.mode.compound) {
            ([id], None) if *id != NOTHING => Judge::tabled(machine, root.mode.misere, *id, refused),
            _ => Ok(None),
        }
    }

    /// The outcome of a component by a table of a whole box of states, if one can be made.
    fn tabled(machine: &mut Machine, misere: bool, id: u32, refused: &str) -> Run<Option<Judge>> {
        let kind = Kind::Outcome { misere };
        if tabled::read(machine, id, kind).is_some() {
            sweep::answered(machine, id);
        } else {
            // Before it is one of those asked about.
            let look = sweep::is_worth_a_look(machine, id);
            sweep::ask(machine, id, kind)?;
            if tabled::read(machine, id, kind).is_none() {
                if !look {
                    return Ok(Judge::in_graph(machine, misere, id, Some(refused.to_string())));
                }
                let found = tabled::decide(machine, id, kind)?;
                sweep::looked(machine, id, found.then(|| tabled::positions(machine, id)));
            }
        }
        let Some((value, far)) = tabled::read(machine, id, kind) else {
            return Judge::graphed(machine, misere, id, refused);
        };
        let outcome = tabled_outcome(value);
        Ok(Some(Judge {
            made: Made::Table(kind),
            outcome,
            grundy: None,
            refused: Some(refused.to_string()),
            remoteness: (outcome != Outcome::Draw).then_some(u64::from(far)),
            score: None,
            positions: tabled::positions(machine, id),
            method: Method::Search,
        }))
    }

    /// The outcome of a component by the graph of all its states, if native code can make it.
    fn graphed(machine: &mut Machine, misere: bool, id: u32, refused: &str) -> Run<Option<Judge>> {
        if cyclic::outcome(machine, id, misere).is_none() {
            let found = cyclic::decide(machine, id, misere)?;
            sweep::looked(machine, id, found.then(|| cyclic::positions(machine, id, misere)));
        }
        Ok(Judge::in_graph(machine, misere, id, Some(refused.to_string())))
    }

    /// The outcome of a component that a graph of states tells.
    fn in_graph(machine: &Machine, misere: bool, id: u32, refused: Option<String>) -> Option<Judge> {
        let (outcome, far) = cyclic::outcome(machine, id, misere)?;
        Some(Judge {
            made: Made::Graph(misere),
            outcome,
            grundy: None,
            refused,
            remoteness: far.map(u64::from),
            score: None,
            positions: cyclic::positions(machine, id, misere),
            method: Method::Retrograde,
        })
    }

    /// The Grundy value of a compound in normal play: of the flattened game (rule 32).
    fn flattened_grundy(&mut self, machine: &mut Machine, root: &Root) -> Run<()> {
        if root.mode.misere || root.mode.compound.is_none() {
            return Ok(());
        }
        // Positions decided earlier have no moves in the first graph: look again without what is remembered.
        let graph = explore::sums(machine, root.mode, &sorted(&root.ids), false, false)?;
        if let Some(why) = graph.met.forbids_grundy() {
            self.refused = Some(why.to_string());
            return Ok(());
        }
        let Some(order) = score::bottom_up(&graph) else {
            self.refused = Some("it is a compound of cyclic games".to_string());
            return Ok(());
        };
        let mut values = vec![0u32; graph.len()];
        for node in order {
            let mut options: Vec<u32> = graph.moves(node).iter().map(|&to| values[to as usize]).collect();
            options.sort_unstable();
            options.dedup();
            let gap = (0u32..).zip(&options).find(|(i, v)| i != *v).map(|(i, _)| i);
            values[node] = gap.unwrap_or_else(|| u32::try_from(options.len()).unwrap_or(u32::MAX));
        }
        self.grundy = Some(GrundyValue::Nimber(u64::from(values[0])));
        self.refused = None;
        Ok(())
    }

    fn scored(machine: &mut Machine, root: &Root) -> Run<Judge> {
        if root.mode.misere {
            return Err(Fault::new("E21", "the score is not defined: it is played in misere").into());
        }
        if root.mode.compound.is_some() {
            return Err(Fault::new("E22", "a compound of scoring games").into());
        }
        let graph = explore::sums(machine, root.mode, &sorted(&root.ids), true, false)?;
        let scores = score::scores(&graph)?;
        let start = Space::default().points(machine, &root.ids)?;
        let total = scores[0].checked_add(start).ok_or_else(super::space::too_many_points)?;
        let outcome = match total.cmp(&0) {
            std::cmp::Ordering::Greater => Outcome::First,
            std::cmp::Ordering::Less => Outcome::Second,
            std::cmp::Ordering::Equal => Outcome::Draw,
        };
        Ok(Judge {
            outcome,
            grundy: None,
            refused: Met { points: true, ..Met::default() }.forbids_grundy().map(str::to_string),
            remoteness: None,
            score: Some(total),
            positions: graph.len() as u64,
            method: Method::Search,
            made: Made::Scores(graph, scores),
        })
    }

    pub(crate) fn outcome(&self) -> Outcome {
        self.outcome
    }

    pub(crate) fn grundy(&self) -> Option<GrundyValue> {
        self.grundy.clone()
    }

    pub(crate) fn grundy_refused(&self) -> Option<String> {
        self.refused.clone()
    }

    pub(crate) fn remoteness(&self) -> Option<u64> {
        self.remoteness
    }

    pub(crate) fn score(&self) -> Option<i64> {
        self.score
    }

    pub(crate) fn method(&self) -> Method {
        self.method
    }

    pub(crate) fn positions(&self) -> u64 {
        self.positions
    }

    /// What a move is worth.
    pub(crate) fn verdict(&self, machine: &mut Machine, root: &Root, mv: &RootMove) -> Run<Verdict> {
        if let [(_, step)] = &mv.steps[..]
            && let Goal::Stop(outcome) = &step.way
        {
            return Ok(match outcome {
                Outcome::First => Verdict::Wins,
                Outcome::Second => Verdict::Loses,
                Outcome::Draw => Verdict::Draws,
            });
        }
        let again = mv.steps.iter().any(|(_, step)| step.again);
        match &self.made {
            Made::Values(sum) => {
                let mut after = sum.clone();
                for (i, step) in &mv.steps {
                    after.remove(&components::value(machine, root.ids[*i]).ok_or_else(lost)?);
                    if let Goal::To(ids) = &step.way {
                        if let ([id], GrundyValue::Nimber(rest), 1) = (&ids[..], after.value(), mv.steps.len())
                            && let Some(lost) = split::is(machine, *id, rest)?
                        {
                            return Ok(if lost { Verdict::Wins } else { Verdict::Loses });
                        }
                        if let ([id], [_]) = (&ids[..], &root.ids[..])
                            && let Some((outcome, _)) = cyclic::outcome(machine, *id, false)
                        {
                            return Ok(for_mover(outcome, false));
                        }
                        // Of cyclic games whose moves lead to sums, a component of a sum may not have been a node alone.
                        if ids.iter().any(|&id| components::value(machine, id).is_none()) {
                            let worked = components::work_out(machine, ids, &mut 0, &mut false)?;
                            worked.map_err(|_| lost())?;
                        }
                        for &id in ids {
                            after.add(&components::value(machine, id).ok_or_else(lost)?);
                        }
                    }
                }
                Ok(for_mover(after.outcome(), false))
            }
            Made::Table(kind) => {
                let [id] = root.key_after(mv)[..] else { return Err(lost()) };
                let (value, _) = tabled::read(machine, id, *kind).ok_or_else(lost)?;
                Ok(for_mover(tabled_outcome(value), again))
            }
            Made::Graph(misere) => {
                let [id] = root.key_after(mv)[..] else { return Err(lost()) };
                let (outcome, _) = cyclic::outcome(machine, id, *misere).ok_or_else(lost)?;
                Ok(for_mover(outcome, again))
            }
            Made::Sums(misere) => {
                let ids = root.key_after(mv);
                let mut outcome = sums::outcome(machine, &ids, *misere);
                if outcome.is_none() {
                    // A question that the rules put while the moves were listed made room in a full table.
                    sums::decide(machine, &root.ids, *misere, Wanted::All)?;
                    outcome = sums::outcome(machine, &ids, *misere);
                }
                Ok(for_mover(outcome.ok_or_else(lost)?, again))
            }
            Made::Marks(graph, marks) => {
                let node = graph.find(&root.key_after(mv));
                let decided = node.map(|n| mark_outcome(marks.marks[n])).or_else(|| {
                    let known = machine.memo.decided.get(&root.mode)?;
                    known.get(&root.key_after(mv)).map(|d| d.outcome)
                });
                Ok(for_mover(decided.ok_or_else(lost)?, again))
            }
            Made::Scores(graph, scores) => {
                let node = graph.find(&root.key_after(mv)).ok_or_else(lost)?;
                let mut gain = mv.steps.iter().find_map(|(_, step)| step.gain).unwrap_or(0);
                for (_, step) in &mv.steps {
                    if let Goal::To(ids) = &step.way {
                        let points = Space::default().points(machine, ids)?;
                        let points = if again { Some(points) } else { points.checked_neg() };
                        gain = points.and_then(|p| gain.checked_add(p)).ok_or_else(super::space::too_many_points)?;
                    }
                }
                let edge = u32::try_from(node).unwrap_or(0) | if again { explore::AGAIN } else { 0 };
                let worth = score::edge_score(edge, gain, scores)?;
                Ok(if worth == scores[0] { Verdict::Wins } else { Verdict::Loses })
            }
        }
    }
}

/// A value that the engine had to know is not there: never an answer.
pub(crate) fn lost() -> Halt {
    Halt::Fault(Fault::new(
        "X01",
        "a position was lost during the search: a defect of this program, please report the file",
    ))
}

/// The outcome that a table's value stands for.
fn tabled_outcome(value: u32) -> Outcome {
    match value {
        0 => Outcome::Second,
        1 => Outcome::Draw,
        _ => Outcome::First,
    }
}

fn mark_outcome(mark: Mark) -> Outcome {
    match mark {
        Mark::Win => Outcome::First,
        Mark::Loss => Outcome::Second,
        Mark::Draw => Outcome::Draw,
    }
}

/// What the next player's outcome is for the mover.
fn for_mover(next: Outcome, again: bool) -> Verdict {
    match (next, again) {
        (Outcome::Draw, _) => Verdict::Draws,
        (Outcome::Second, false) | (Outcome::First, true) => Verdict::Wins,
        _ => Verdict::Loses,
    }
}

/// Whether a rule of a game that a component names, directly or through others, has points (rule 33).
pub(crate) fn is_scored(machine: &Machine, root: &Root) -> bool {
    games_of(machine, root).into_iter().any(|game| machine.program.games[game].has_points())
}

/// The games that components name, directly or through others.
pub(crate) fn games_of(machine: &Machine, root: &Root) -> Vec<usize> {
    let program = &machine.program;
    let mut games = Vec::new();
    let mut seen = vec![false; program.games.len()];
    let mut todo: Vec<usize> = root.ids.iter().filter(|&&id| id != NOTHING).map(|&id| machine.game_of(id).0).collect();
    while let Some(game) = todo.pop() {
        if std::mem::replace(&mut seen[game], true) {
            continue;
        }
        games.push(game);
        todo.extend(program.games[game].successors.iter().map(|g| g.0));
    }
    games
}

/// Keeps what was decided for later questions, as long as it is not too much.
fn remember(machine: &mut Machine, root: &Root, graph: &PositionGraph, marks: &Marks) {
    /// More decided positions than this are not kept.
    const KEPT: usize = 1 << 18;
    let known = machine.memo.decided.entry(root.mode).or_default();
    let limit = if graph.of_components() { KEPT } else { KEPT / 4 };
    if known.len() + graph.len() > limit {
        return;
    }
    for node in 0..graph.len() {
        let decided = Decided { outcome: mark_outcome(marks.marks[node]), remoteness: marks.remoteness[node] };
        known.insert(graph.key(node), decided);
    }
}
