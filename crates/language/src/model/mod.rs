//! The checked program: names resolved to numbers, every term with its type, every definition once for each use.
//!
//! Slots: every body (a game, a def, a let, a question) has one frame of numbered slots. A game's frame starts with its
//! rule parameters, then its fields, then its lets; the bodies of defs written inside a game start with a copy of that
//! prefix, so that the same number means the same name there.
//!
//! The program is data: typing makes it, all rooms below read it, none changes it. It knows neither texts nor values.

#![allow(missing_docs)] // fields are called as what they hold is called in the language

pub mod builtin;
pub mod kind;
pub mod walk;

pub use crate::model::builtin::Builtin;
pub use crate::model::kind::{GraphWord, Kind, Type};
use crate::source::Span;
/// Operators mean the same in texts and in checked terms.
pub use crate::syntax::tree::{BinaryOp, CompareOp, Ending, Fact, LogicOp};
pub use crate::syntax::tree::{Measure, Turns};
use crate::syntax::tree::{Outcome, SetOp, Verdict, Which};
use num_bigint::{BigInt, Sign};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A slot of the body it stands in.
pub type Slot = usize;

/// An index into [`Program::games`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GameId(pub usize);

/// An index into [`Program::defs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DefId(pub usize);

/// An index into [`Program::globals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GlobalId(pub usize);

/// Everything that a file and the files it uses mean.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Games of this file and of the files it uses.
    pub games: Vec<Game>,
    /// Definitions, one for each combination of argument types they are used with.
    pub defs: Vec<Def>,
    /// Lets and inputs at top level. A pattern let is one hidden global and one `Part` global for each name.
    pub globals: Vec<Global>,
    /// The inputs of this file in order.
    pub inputs: Vec<Input>,
    /// What is asked in this file, in order.
    pub questions: Vec<Question>,
    /// In which order a file of words gives the inputs.
    pub format: Option<Format>,
    /// The letters that occur in texts of the file, ascending, and one more that does not (rule 34).
    pub letters: Vec<char>,
}

#[derive(Clone, Debug)]
pub struct SlotInfo {
    /// The name in the file; made-up ones start with `%`.
    pub name: String,
    pub ty: Type,
    pub span: Span,
    /// A lazy slot (`let` of a game, `with`): evaluated at the first use, once for each frame entry.
    pub lazy: Option<Arc<Term>>,
}

#[derive(Clone, Debug, Default)]
pub struct Frame {
    pub slots: Vec<SlotInfo>,
}

/// A value named at top level.
#[derive(Clone, Debug)]
pub struct Global {
    pub name: String,
    pub ty: Type,
    pub span: Span,
    pub source: GlobalSource,
    /// Whether an input is read, directly or through others.
    pub reads_input: bool,
}

#[derive(Clone, Debug)]
pub enum GlobalSource {
    /// The input of this index.
    Input(usize),
    Let(Body),
}

/// A term with the frame it runs in.
#[derive(Clone, Debug)]
pub struct Body {
    pub frame: Frame,
    pub term: Term,
}

#[derive(Clone, Debug)]
pub struct Input {
    pub name: String,
    /// The declared kind, or that of the default.
    pub kind: Kind,
    pub default: Option<Body>,
    pub span: Span,
}

/// A definition for one combination of argument types.
#[derive(Clone, Debug)]
pub struct Def {
    pub name: String,
    /// The game it is written in: then its frame starts with that game's parameters, fields and lets.
    pub owner: Option<GameId>,
    /// Slots before its own parameters (0 at top level).
    pub prefix: usize,
    /// Its parameters: slots `prefix..prefix + params.len()`.
    pub params: Vec<Field>,
    pub frame: Frame,
    /// Its body. `None` only while it is being checked.
    pub body: Option<Term>,
    /// The declared result.
    pub result: Option<Kind>,
    pub ty: Type,
    /// Whether it calls itself, directly or through others: such calls are memoised.
    pub recursive: bool,
    pub span: Span,
}

/// A rule parameter or field, or a parameter of a def.
#[derive(Clone, Debug)]
pub struct Field {
    /// The name (`%` when a pattern takes it apart; then lazy `Part` slots follow).
    pub name: String,
    /// What may be in it; checked on entering (rules 4, 6, 8).
    pub kind: Kind,
    /// The default; sees the slots before it.
    pub default: Option<Term>,
    pub span: Span,
}

/// A game. Slots: `params`, then `fields`, then lets and binders.
#[derive(Clone, Debug)]
pub struct Game {
    pub name: String,
    pub span: Span,
    pub misere: bool,
    /// Rule parameters: slots `0..params.len()`.
    pub params: Vec<Field>,
    /// State fields: the slots after the parameters.
    pub fields: Vec<Field>,
    /// The header's `where`.
    pub filter: Option<Term>,
    /// The frame, binders of all rules included.
    pub frame: Frame,
    /// `end when` lines in order.
    pub ends: Vec<End>,
    /// `players`: texts, what the player to move is called and what the other.
    pub players: Option<[Term; 2]>,
    /// `draw` lines: what a picture shows in place of the fields.
    pub draws: Vec<Vec<Term>>,
    pub legal: Vec<Term>,
    /// `same as P when C` lines in order; each P is a [`TermKind::Place`](crate::model::TermKind::Place) of this game or a term of type position.
    pub same: Vec<Same>,
    pub moves: Vec<Move>,
    pub theorems: Vec<Theorem>,
    /// Games that its targets and `same as` lines name, itself included when it does.
    pub successors: Vec<GameId>,
    /// Games whose `grundy`, `wins`, ... its rules ask (rule 28).
    pub asks: Vec<GameId>,
}

#[derive(Clone, Debug)]
pub struct End {
    pub when: Term,
    pub verdict: Ending<Term>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Same {
    pub position: Term,
    pub when: Term,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Move {
    pub name: String,
    pub clauses: Vec<Clause>,
    /// The slots of its `in`-binders that count for its identity (rule 20), in order.
    pub binders: Vec<Slot>,
    pub target: Target,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum Target {
    If(Term, Box<Target>, Box<Target>),
    /// The mover wins (`First`), loses (`Second`) or draws the whole play.
    Stop(Outcome),
    Go {
        again: bool,
        position: Term,
        gain: Option<Term>,
    },
}

#[derive(Clone, Debug)]
pub struct Theorem {
    pub says: TheoremSays,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum TheoremSays {
    Value {
        what: Measure,
        value: Term,
        guard: Option<Term>,
    },
    Verdict {
        what: Verdict,
        when: Term,
        guard: Option<Term>,
    },
    /// All moves of that `name` have binders of the same names; `slots` are what `clauses` bind, in their order.
    Moves {
        which: Which<Slot>,
        name: String,
        clauses: Vec<Clause>,
        slots: Vec<Slot>,
    },
}

#[derive(Clone, Debug)]
pub enum Question {
    Solve {
        body: Body,
    },
    Table {
        frame: Frame,
        value: Term,
        clauses: Vec<Clause>,
        span: Span,
    },
    Claim(Claim),
    Expect {
        frame: Frame,
        position: Term,
        facts: Vec<Fact<Term>>,
        span: Span,
    },
    /// A line for each way through the clauses.
    Print {
        frame: Frame,
        values: Vec<Term>,
        clauses: Vec<Clause>,
        span: Span,
    },
    /// Values for inputs, by the slots that the clauses bind.
    Cases {
        frame: Frame,
        clauses: Vec<Clause>,
        inputs: Vec<(Slot, usize)>,
        span: Span,
    },
    /// The value that is given to an input from outside.
    Given {
        input: usize,
        body: Body,
    },
}

/// How a file of words gives the inputs of one case after another; inputs by their index.
#[derive(Clone, Debug)]
pub struct Format {
    pub turns: Turns<usize, Body>,
    pub parts: Vec<FormatPart>,
    pub span: Span,
}

/// The words of one input.
#[derive(Clone, Debug)]
pub struct FormatPart {
    pub input: usize,
    /// The rest of the line, blanks and all.
    pub line: bool,
    /// How many items it has, those of its items, ..; `[]`: as many as stand in the line; `None`: their number is in front.
    pub lengths: Option<Vec<Body>>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Claim {
    pub title: String,
    pub negated: bool,
    pub frame: Frame,
    pub clauses: Vec<Clause>,
    pub condition: Term,
    pub span: Span,
    /// Claims that together say the same, with numbers from 1: where the condition is `A and B and ..`, one for each of them; of
    /// `C or wins(P)` one that says `wins(P)` where C is not. None of many.
    pub parts: Vec<Claim>,
    /// The number, or 0.
    pub part: usize,
    /// The same with conditions in the place of ranges from 0 or more on: of `a in 1..b`, `a in nat where 1 <= a <= b`. `None`: it has
    /// no such ranges.
    pub unranged: Option<Box<Claim>>,
}

impl Claim {
    /// Reads ranges as conditions, and takes conjunctions and disjunctions apart.
    pub fn with_forms(self) -> Claim {
        let mut claim = self.with_parts();
        claim.parts.iter_mut().for_each(|part| part.unranged = part.without_ranges());
        claim.unranged = claim.without_ranges();
        claim
    }

    fn without_ranges(&self) -> Option<Box<Claim>> {
        let (mut natural, mut clauses, mut changed) = (Vec::new(), Vec::new(), false);
        for clause in &self.clauses {
            let Clause::In { pattern: Pattern::Slot(slot), source, span } = clause else {
                clauses.push(clause.clone());
                continue;
            };
            let from_zero = |term: &Term| match &walk::bare(term).kind {
                TermKind::Int(number) => number.sign() != Sign::Minus,
                TermKind::Slot(slot) => natural.contains(slot),
                _ => false,
            };
            let ends = match &walk::bare(source).kind {
                TermKind::Builtin(Builtin::Nat, _) => None,
                TermKind::Binary(BinaryOp::Range, from, to) if from_zero(from) => Some((from, to)),
                _ => {
                    clauses.push(clause.clone());
                    continue;
                }
            };
            natural.push(*slot);
            let nats = Term::new(TermKind::Builtin(Builtin::Nat, Vec::new()), source.ty.clone(), source.span);
            clauses.push(Clause::In { pattern: Pattern::Slot(*slot), source: nats, span: *span });
            if let Some((from, to)) = ends {
                let number = Term::new(TermKind::Slot(*slot), Type::Int, *span);
                let chain = vec![(CompareOp::Le, number), (CompareOp::Le, (**to).clone())];
                let inside = TermKind::Compare(from.clone(), chain);
                clauses.push(Clause::Where(Term::new(inside, Type::Bool, source.span)));
                changed = true;
            }
        }
        changed.then(|| Box::new(Claim { clauses, parts: Vec::new(), unranged: None, ..self.clone() }))
    }

    fn with_parts(self) -> Claim {
        /// More are left together.
        const MOST: usize = 8;
        let (mut open, mut members) = (vec![&self.condition], Vec::new());
        while let Some(term) = open.pop() {
            match &term.kind {
                TermKind::Logic(LogicOp::And, a, b) => open.extend([&**b, &**a]),
                _ => members.push(term),
            }
            if members.len() + open.len() > MOST {
                return self;
            }
        }
        let whole = members.len() == 1;
        let said: Vec<(Vec<Term>, Term)> = members
            .into_iter()
            .flat_map(|member| without_choice(member).unwrap_or_else(|| vec![(Vec::new(), member.clone())]))
            .collect();
        if self.negated || whole && said.iter().all(|(given, _)| given.is_empty()) {
            return self;
        }
        let part = |(at, (given, condition)): (usize, (Vec<Term>, Term))| Claim {
            title: self.title.clone(),
            negated: false,
            frame: self.frame.clone(),
            clauses: self.clauses.iter().cloned().chain(given.into_iter().map(Clause::Where)).collect(),
            condition,
            span: self.span,
            parts: Vec::new(),
            part: at + 1,
            unranged: None,
        };
        let parts = said.into_iter().enumerate().map(part).collect();
        Claim { parts, ..self }
    }
}

/// What says the same as `A or Q or B`, where only Q asks about a position: Q under the conditions `not A` and `not B`; and where it asks
/// who wins, that it has an answer though B holds, since it is asked before B is looked at. Premises of `implies` are such members, too.
/// `None`: the condition is nothing of this kind.
fn without_choice(condition: &Term) -> Option<Vec<(Vec<Term>, Term)>> {
    let asks = |term: &Term| walk::some_term(term, |t| matches!(&t.kind, TermKind::Builtin(w, _) if w.is_question()));
    let not = |term: &Term| match &walk::bare(term).kind {
        TermKind::Not(inner) => (**inner).clone(),
        _ => Term { kind: TermKind::Not(Box::new(term.clone())), ..term.clone() },
    };
    // Each member, and what holds where it does not.
    let (mut open, mut members, mut choice) = (vec![(condition, false)], Vec::new(), false);
    while let Some((term, premise)) = open.pop() {
        match &walk::bare(term).kind {
            _ if premise => members.push((not(term), term.clone())),
            TermKind::Logic(LogicOp::Or, a, b) => {
                choice = true;
                open.extend([(&**b, false), (&**a, false)]);
            }
            TermKind::Logic(LogicOp::Implies, a, b) => open.extend([(&**b, false), (&**a, true)]),
            _ => members.push((term.clone(), not(term))),
        }
    }
    let asking: Vec<usize> = (0..members.len()).filter(|&at| asks(&members[at].0)).collect();
    let ([at], true) = (&asking[..], choice) else { return None };
    let (question, _) = &members[*at];
    let (before, after) = (&members[..*at], &members[at + 1..]);
    let given = before.iter().chain(after).map(|(_, otherwise)| otherwise.clone()).collect();
    let mut said = vec![(given, question.clone())];
    if !after.is_empty() {
        let plain = matches!(&walk::bare(question).kind, TermKind::Builtin(Builtin::Wins | Builtin::Loses, _));
        let both = TermKind::Iff(Box::new(question.clone()), Box::new(question.clone()));
        let answered = Term { kind: both, ..question.clone() };
        let given = before.iter().map(|(_, otherwise)| otherwise.clone()).collect();
        said.push(plain.then_some((given, answered))?);
    }
    Some(said)
}

#[derive(Clone, Debug)]
pub enum Clause {
    /// One binder; `i, j in E` comes as two of these. `span` is that of the pattern.
    In {
        pattern: Pattern,
        source: Term,
        span: Span,
    },
    Let {
        pattern: Pattern,
        value: Term,
    },
    Where(Term),
}

#[derive(Clone, Debug)]
pub enum Pattern {
    Slot(Slot),
    /// Takes apart tuples, edges and lists of that length.
    Tuple(Vec<Pattern>, Span),
    /// `_`
    Ignore,
}

/// The number of a term, which no other term of the process has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TermId(u64);

/// Holds the number of one term; a copy holds a new one.
#[derive(Debug)]
struct OwnId(TermId);

impl Default for OwnId {
    fn default() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        OwnId(TermId(NEXT.fetch_add(1, Ordering::Relaxed)))
    }
}

impl Clone for OwnId {
    fn clone(&self) -> Self {
        OwnId::default()
    }
}

#[derive(Clone, Debug)]
pub struct Term {
    pub kind: TermKind,
    pub ty: Type,
    pub span: Span,
    own_id: OwnId,
}

impl Term {
    pub fn new(kind: TermKind, ty: Type, span: Span) -> Self {
        Term { kind, ty, span, own_id: OwnId::default() }
    }

    /// Its number, by which compiled code is kept.
    pub fn id(&self) -> TermId {
        self.own_id.0
    }
}

#[derive(Clone, Debug)]
pub struct Item {
    pub term: Term,
    /// A range written there, which stands for its members (rule 5).
    pub spread: bool,
}

/// Whether a literal or comprehension makes a list or a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gather {
    List,
    Set,
}

#[derive(Clone, Debug)]
pub enum TermKind {
    Int(BigInt),
    Bool(bool),
    Text(Arc<str>),
    Drawing(Arc<Drawing>),
    /// A slot of the frame; lazy slots are evaluated at their first use.
    Slot(Slot),
    Global(GlobalId),
    Neg(Box<Term>),
    Not(Box<Term>),
    Logic(LogicOp, Box<Term>, Box<Term>),
    /// `iff`: both sides evaluated
    Iff(Box<Term>, Box<Term>),
    Binary(BinaryOp, Box<Term>, Box<Term>),
    /// A chain; each operand evaluated at most once, left to right, stops at the first false.
    Compare(Box<Term>, Vec<(CompareOp, Term)>),
    If(Box<Term>, Box<Term>, Box<Term>),
    Tuple(Vec<Term>),
    Items(Gather, Vec<Item>),
    Comprehension(Gather, Box<Term>, Vec<Clause>),
    Index(Box<Term>, Box<Term>),
    Slice(Box<Term>, Option<Box<Term>>, Option<Box<Term>>),
    /// `clauses`: then there is exactly one change, made for every way through them
    Update(Box<Term>, Vec<Change>, Option<Vec<Clause>>),
    /// The part of a tuple, edge or list that must have `arity` parts (patterns of lazy names).
    Part {
        of: Box<Term>,
        index: usize,
        arity: usize,
    },
    /// Arguments by position; `None` where the default stands.
    Call(DefId, Vec<Option<Term>>),
    /// `f(E for CLAUSES)` comes as one argument that is a `Comprehension(List, ..)`.
    Builtin(Builtin, Vec<Term>),
    Place(Box<Place>),
    Misere(Box<Term>),
    /// A check of the domain and an adaptation (rules 4, 6, 8) to a declared kind.
    Coerce(Box<Term>, Box<Kind>),
    /// A static adaptation of rule 6 to the type of this term: range/set/list/bag/graph between collections, int -> real,
    /// list of texts -> grid, edge -> tuple, 0 -> zero position.
    Adapt(Box<Term>),
}

#[derive(Clone, Debug)]
pub struct Change {
    pub index: Term,
    pub op: SetOp,
    pub value: Term,
}

/// `G[params](fields)`.
#[derive(Clone, Debug)]
pub struct Place {
    pub game: GameId,
    pub params: PlaceParams,
    /// By position; `None` where the default stands.
    pub fields: Vec<Option<Term>>,
}

#[derive(Clone, Debug)]
pub enum PlaceParams {
    /// Those of the game it stands in (the same game).
    Own,
    /// Given, by position; `None` where the default stands.
    Given(Vec<Option<Term>>),
}

/// A graph or grid drawn in the file, or read from a data file when evaluated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Drawing {
    /// Labels in the order of their first appearance; edges by label index in the order written (`-` in a digraph: both ways).
    Graph {
        word: GraphWord,
        labels: Vec<DrawnLabel>,
        edges: Vec<(usize, usize)>,
    },
    Grid(Vec<String>),
    /// `graph from "road.txt"`: resolved against the file's folder.
    GraphFile {
        word: GraphWord,
        path: String,
    },
    /// `grid from "maze.txt"`
    GridFile {
        path: String,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum DrawnLabel {
    Int(BigInt),
    Text(String),
}
