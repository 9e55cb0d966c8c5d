//! What an engine is, the list of all engines, and the chooser: the first that fits and does not refuse answers. Then the
//! moves of the position are judged by its evidence, counted, and the first of them listed.

use crate::answer::{GrundyValue, Method, MoveList, Outcome};
use crate::engines::blocked::Blocked;
use crate::engines::compounds::ByParts;
use crate::engines::first_win::FirstWin;
use crate::engines::heap_codes::{HeapCodes, MisereQuotients};
use crate::engines::query::{NamedMove, Root, RootMove};
use crate::engines::score::Scores;
use crate::engines::space::MOVE_WORDS;
use crate::engines::theorem::{StatedOutcome, StatedValues, tried_within};
use crate::engines::values::{Over, Values};
use crate::engines::whole::{OneComponent, Retrograde, SumsDepthFirst, Tables};
use crate::engines::{Choice, cyclic};
use crate::source::Code;
use crate::store::ComponentId;
use crate::tuning;
use crate::value::limits::Pace;
use crate::value::{Fault, Halt, Points, Run};
use crate::vm::context::Context;
use hashbrown::HashMap;
use std::borrow::Cow;
use std::fmt;
use std::rc::Rc;

/// All engines in the order they are asked, each with what it does, as `show --stage plan` prints it. A new one is a line here
/// and a file.
pub(crate) const ENGINES: [(&str, &dyn Engine); 14] = [
    ("Grundy values that theorems state", &StatedValues),
    ("heaps by their code", &HeapCodes),
    ("the outcome that a theorem states, when a search is too long", &StatedOutcome),
    ("scores of the whole position, from the ends up", &Scores),
    ("a position at which the whole play is over", &Over),
    ("heaps in misere play, by their misere quotient", &MisereQuotients),
    ("who wins, depth first, up to the first move that wins", &FirstWin),
    ("a box in blocks in a directory, where plays come back", &Blocked),
    ("components: Grundy values, depth first, xored", &Values),
    ("native code over a table of states", &Tables),
    ("parts of a compound, or of a sum in misere play", &ByParts),
    ("retrograde analysis of one component", &OneComponent),
    ("a sum as a whole, depth first", &SumsDepthFirst),
    ("retrograde analysis of the whole position", &Retrograde),
];

/// A way to answer questions about a position.
pub(crate) trait Engine: Sync {
    /// Whether it takes a question, or why not. Cheap: nothing is searched.
    fn fits(&self, ctx: &mut Context, question: &Question) -> Run<Result<(), Reason>>;

    /// Works the position out, or says why it cannot: then the next engine is asked.
    fn solve(&self, ctx: &mut Context, question: &Question) -> Run<Result<Solution, Reason>>;

    /// Lines for `show --stage plan`, each with what it would do, if there is more to say, or why it does not accept; may search
    /// some thousand positions.
    fn plan(&self, ctx: &mut Context, question: &Question, name: &str) -> Run<PlanLines> {
        Ok(vec![(name.to_string(), self.fits(ctx, question)?.map(|()| None))])
    }

    /// Whether its refusal says why the position has no Grundy value.
    fn gives_values(&self) -> bool {
        false
    }
}

/// What engines do, each with more of it where it takes a question, or why it does not.
pub type PlanLines = Vec<(String, Result<Option<String>, Reason>)>;

/// Why an engine does not take a question: for people, never compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason(Cow<'static, str>);

impl<T: Into<Cow<'static, str>>> From<T> for Reason {
    fn from(text: T) -> Self {
        Reason(text.into())
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Who wins, the Grundy value, and what moves are worth.
    Value,
    /// Who wins and what moves are worth.
    Moves,
    Outcome,
}

/// When a compound, or a sum in misere play, may be judged by what is known of its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UseParts {
    Never,
    /// When a short search of the whole is too long: that knows more.
    AfterSearch,
    /// At once where the parts tell soon.
    First,
}

#[derive(Clone, Copy)]
pub(crate) struct Question<'r> {
    pub(crate) root: &'r Root,
    pub(crate) wanted: Wanted,
    /// How a whole answer is to be made; `None`: theorems are not asked, and no moves are listed.
    pub(crate) answer: Option<Choice>,
    /// When parts of compounds may tell.
    pub(crate) parts: UseParts,
    /// Whether large heaps may be answered by the code that their rules are.
    pub(crate) codes: bool,
}

impl<'r> Question<'r> {
    /// A question that is answered by search alone.
    pub(crate) fn search(root: &'r Root, wanted: Wanted) -> Self {
        // Parts tell no value.
        let parts = if wanted == Wanted::Value { UseParts::Never } else { UseParts::First };
        Question { root, wanted, answer: None, parts, codes: false }
    }

    /// The whole answer about a position.
    pub(crate) fn answer(root: &'r Root, choice: Choice) -> Self {
        let parts = if choice.exhaustive { UseParts::Never } else { UseParts::AfterSearch };
        Question { root, wanted: Wanted::Value, answer: Some(choice), parts, codes: true }
    }

    /// How to make a whole answer with the help of theorems, if that is asked for.
    pub(crate) fn by_theorems(&self) -> Option<Choice> {
        self.answer.filter(|choice| !choice.exhaustive)
    }

    /// The one component of a position that is no compound.
    pub(crate) fn single(&self) -> Option<ComponentId> {
        match (&self.root.ids[..], self.root.mode.compound) {
            ([id], None) if *id != crate::engines::space::NOTHING => Some(*id),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Wins,
    Draws,
    Loses,
}

/// How the winning moves of a solved position are had.
#[derive(Clone)]
pub(crate) enum Winning {
    Judged,
    /// They are known, and those that draw.
    Known([MoveList; 2]),
    TooMany,
}

/// What an engine knows of a position it has worked out: enough to judge every move of it.
pub(crate) trait Evidence {
    fn verdict(&self, ctx: &mut Context, root: &Root, mv: &RootMove) -> Run<Verdict>;

    /// The winning moves, `most` of them listed, where not each must be judged.
    fn winning(&self, _: &mut Context, _: &Root, _most: usize) -> Run<Winning> {
        Ok(Winning::Judged)
    }
}

/// Evidence that judges each move by a rule.
impl<F: Fn(&mut Context, &Root, &RootMove) -> Run<Verdict>> Evidence for F {
    fn verdict(&self, ctx: &mut Context, root: &Root, mv: &RootMove) -> Run<Verdict> {
        self(ctx, root, mv)
    }
}

/// What was worked out of a position.
pub(crate) struct Solution {
    pub(crate) outcome: Outcome,
    pub(crate) grundy: Option<GrundyValue>,
    /// Why it has no Grundy value; `None`: as the engine of values says.
    pub(crate) no_value: Option<String>,
    pub(crate) remoteness: Option<u64>,
    pub(crate) score: Option<Points>,
    pub(crate) positions: u64,
    pub(crate) method: Method,
    /// Whether a short search may be tried for the remoteness, where that is not known.
    pub(crate) search_remoteness: bool,
    pub(crate) evidence: Box<dyn Evidence>,
}

impl Solution {
    /// An outcome with the evidence for it.
    pub(crate) fn new(outcome: Outcome, method: Method, positions: u64, evidence: impl Evidence + 'static) -> Self {
        Solution {
            outcome,
            grundy: None,
            no_value: None,
            remoteness: None,
            score: None,
            positions,
            method,
            search_remoteness: true,
            evidence: Box::new(evidence),
        }
    }

    /// The same with the remoteness of a position that is no draw.
    pub(crate) fn with_remoteness(mut self, far: Option<u64>) -> Self {
        self.remoteness = far.filter(|_| self.outcome != Outcome::Draw);
        self
    }

    pub(crate) fn verdict(&self, ctx: &mut Context, root: &Root, mv: &RootMove) -> Run<Verdict> {
        match mv.ends_play() {
            Some(outcome) => Ok(for_mover(outcome, true)),
            None => self.evidence.verdict(ctx, root, mv),
        }
    }

    pub(crate) fn lacks_remoteness(&self) -> bool {
        self.remoteness.is_none() && self.outcome != Outcome::Draw && self.score.is_none()
    }
}

/// The answer of the first engine that fits and does not refuse.
pub(crate) fn choose(ctx: &mut Context, question: &Question) -> Run<Solution> {
    ctx.run.asked = question.root.ids.iter().copied().find(|&id| id != crate::engines::space::NOTHING);
    chosen(ctx, question).map_err(|halt| cyclic::explained(ctx, &question.root.ids, halt))
}

fn chosen(ctx: &mut Context, question: &Question) -> Run<Solution> {
    let mut no_value = None;
    for (_, engine) in ENGINES {
        let tried = match engine.fits(ctx, question)? {
            Ok(()) => engine.solve(ctx, question)?,
            Err(why) => Err(why),
        };
        match tried {
            Ok(mut solution) => {
                if solution.grundy.is_none() && solution.no_value.is_none() {
                    solution.no_value = no_value;
                }
                return Ok(solution);
            }
            Err(why) if engine.gives_values() => no_value = Some(why.to_string()),
            Err(_) => {}
        }
    }
    Err(internal_error())
}

/// What the outcome for who has the next turn is for the mover; `again`: that is the mover.
pub(crate) fn for_mover(next: Outcome, again: bool) -> Verdict {
    match (next, again) {
        (Outcome::Draw, _) => Verdict::Draws,
        (Outcome::Second, false) | (Outcome::First, true) => Verdict::Wins,
        _ => Verdict::Loses,
    }
}

/// A value that the engine had to know is not there: never an answer.
pub(crate) fn internal_error() -> Halt {
    Halt::Fault(Fault::new(
        Code::X01,
        "a position was lost during the search: a defect of this program, please report the file",
    ))
}

/// What a move is worth; `None`: this cannot tell.
pub(crate) type Judges<'j> = dyn FnMut(&mut Context, &RootMove) -> Run<Option<Verdict>> + 'j;

/// How many moves of a component there are, and the first of them.
#[derive(Default)]
struct Counted {
    count: u64,
    first: Vec<NamedMove>,
}

/// The moves that win and those that draw, as `judge` judges them: how many, and the first `most` as answers. `None` when
/// `judge` gives up. Of a sum the moves of each distinct component are judged once.
pub(crate) fn judge_moves(
    root: &Root,
    ctx: &mut Context,
    most: usize,
    judge: &mut Judges<'_>,
) -> Run<Option<[MoveList; 2]>> {
    judge_counted(root, ctx, most, judge, &mut |_, _| Ok(None))
}

/// How many moves of a component win, where that is known and none draws; else `None`.
pub(crate) type Counts<'c> = dyn FnMut(&mut Context, usize) -> Run<Option<u64>> + 'c;

/// The same; where `counts` tells how many moves of a component win, only the first that are listed are looked at.
pub(crate) fn judge_counted(
    root: &Root,
    ctx: &mut Context,
    most: usize,
    judge: &mut Judges<'_>,
    counts: &mut Counts<'_>,
) -> Run<Option<[MoveList; 2]>> {
    let mut lists = [MoveList::default(), MoveList::default()];
    let mut pace = Pace::default();
    if root.mode.compound.is_some() {
        for mv in root.moves(ctx)? {
            pace.spend(&ctx.limits, MOVE_WORDS + root.ids.len())?;
            let Some(verdict) = judge(ctx, &mv)? else { return Ok(None) };
            let Some(list) = of(&mut lists, verdict) else { continue };
            list.count += 1;
            if list.listed.len() < most {
                list.listed.push(root.answer(ctx, &mv));
            }
        }
        return Ok(Some(lists));
    }
    if root.ended(ctx)?.is_some() {
        return Ok(Some(lists));
    }
    let mut known: HashMap<ComponentId, Rc<[Counted; 2]>> = HashMap::new();
    let mut too_far = false;
    for (i, &id) in root.ids.iter().enumerate().filter(|(i, _)| root.class[*i] == *i) {
        pace.spend(&ctx.limits, MOVE_WORDS)?;
        let both = if let Some(both) = known.get(&id) {
            both.clone()
        } else {
            let both = match counts(ctx, i)? {
                Some(count) => {
                    // Moves that are too far to be listed are looked for once.
                    let open = if too_far { 0 } else { most.saturating_sub(lists[0].listed.len()) };
                    let wanted = open.min(usize::try_from(count).unwrap_or(usize::MAX));
                    let first = first_winning(root, ctx, i, wanted, judge)?;
                    too_far |= first.as_ref().is_some_and(|first| first.len() < wanted);
                    lists[0].far |= first.as_ref().is_some_and(|first| (first.len() as u64) < count);
                    first.map(|first| [Counted { count, first }, Counted::default()])
                }
                None => component(root, ctx, i, most, judge)?,
            };
            let Some(both) = both else { return Ok(None) };
            known.entry(id).or_insert(Rc::new(both)).clone()
        };
        for (list, counted) in lists.iter_mut().zip(both.iter()) {
            let Some(count) = list.count.checked_add(counted.count) else { return Ok(None) };
            list.count = count;
            for step in counted.first.iter().take(most - list.listed.len()) {
                pace.spend(&ctx.limits, MOVE_WORDS + root.ids.len())?;
                list.listed.push(root.answer(ctx, &RootMove { steps: vec![(i, step.clone())] }));
            }
        }
    }
    Ok(Some(lists))
}

/// The first moves of a component that win, as many as are wanted; fewer where a short search does not come to them.
fn first_winning(
    root: &Root,
    ctx: &mut Context,
    i: usize,
    wanted: usize,
    judge: &mut Judges<'_>,
) -> Run<Option<Vec<NamedMove>>> {
    let mut first = Vec::new();
    let mut most = wanted.saturating_mul(4);
    while first.len() < wanted {
        let steps = tried_within(ctx, tuning::HEAP_LISTED, |ctx| root.first_steps(ctx, root.ids[i], Some(most)))?;
        let Some((_, steps, more)) = steps else { break };
        first.clear();
        for step in steps {
            if first.len() == wanted {
                break;
            }
            let mv = RootMove { steps: vec![(i, step)] };
            let Some(verdict) = judge(ctx, &mv)? else { return Ok(None) };
            if verdict == Verdict::Wins {
                first.extend(mv.steps.into_iter().map(|(_, step)| step));
            }
        }
        if !more && first.len() < wanted {
            return Err(internal_error());
        }
        most = most.saturating_mul(4);
    }
    Ok(Some(first))
}

/// The moves of one component that win and those that draw.
fn component(
    root: &Root,
    ctx: &mut Context,
    i: usize,
    most: usize,
    judge: &mut Judges<'_>,
) -> Run<Option<[Counted; 2]>> {
    let mut both = [Counted::default(), Counted::default()];
    let mut pace = Pace::default();
    for step in root.steps(ctx, root.ids[i])?.1 {
        pace.spend(&ctx.limits, MOVE_WORDS + root.ids.len())?;
        let mut mv = RootMove { steps: vec![(i, step)] };
        let Some(verdict) = judge(ctx, &mv)? else { return Ok(None) };
        let Some(counted) = of(&mut both, verdict) else { continue };
        counted.count += 1;
        if counted.first.len() < most {
            counted.first.extend(mv.steps.pop().map(|(_, step)| step));
        }
    }
    Ok(Some(both))
}

/// Which of the two lists a move belongs to.
fn of<T>(lists: &mut [T; 2], verdict: Verdict) -> Option<&mut T> {
    match verdict {
        Verdict::Wins => lists.first_mut(),
        Verdict::Draws => lists.last_mut(),
        Verdict::Loses => None,
    }
}
