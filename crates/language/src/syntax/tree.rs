//! The tree of a game file: what was written, nothing yet understood. Every node knows its place.

#![allow(missing_docs)] // fields are called as what they hold is called in the grammar

use crate::source::Span;
use num_bigint::BigInt;
use std::collections::BTreeSet;
use std::fmt;

/// A name with its place, backquotes taken off.
#[derive(Clone, PartialEq, Eq)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` {:?}", self.text, self.span)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct File {
    pub items: Vec<Item>,
    /// The letters in its texts.
    pub letters: BTreeSet<char>,
}

/// A statement at top level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// `use "nim"`
    Use {
        path: String,
        span: Span,
    },
    /// `input a, b: nat = 3`
    Input {
        names: Vec<Name>,
        kind: Option<Kind>,
        default: Option<Expr>,
        span: Span,
    },
    Let(Let),
    Def(Def),
    Game(Game),
    /// `solve E`
    Solve {
        position: Expr,
        span: Span,
    },
    /// `table E for CLAUSES`
    Table {
        value: Expr,
        clauses: Vec<Clause>,
        span: Span,
    },
    Claim(Claim),
    Expect(Expect),
    /// `print E, E for CLAUSES`
    Print {
        values: Vec<Expr>,
        clauses: Vec<Clause>,
        span: Span,
    },
    Format(Format),
    /// `cases for CLAUSES`
    Cases {
        clauses: Vec<Clause>,
        span: Span,
    },
    /// A value for an input from outside, written as in the language.
    Given {
        input: String,
        value: Expr,
    },
}

/// `format until n == 0: n, xs[n]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Format {
    pub turns: Turns<Name, Expr>,
    pub parts: Vec<FormatPart>,
    pub span: Span,
}

/// How many cases a file of words holds: for names and expressions as written, and as understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turns<N, E> {
    /// One.
    Once,
    /// As many as the first word says; the number of the case goes to an input.
    Counted(Option<N>),
    /// As many as there are.
    ToEnd,
    /// Those before the one of which this holds.
    Until(E),
}

/// `xs[n]`, `xs[]`, `xs`, `line s`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormatPart {
    pub line: bool,
    pub name: Name,
    /// What stands in brackets; `None` without them.
    pub lengths: Option<Vec<Expr>>,
    pub span: Span,
}

/// `let PATTERN = E with ...`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Let {
    pub pattern: Pattern,
    pub value: Expr,
    pub with: Vec<Naming>,
    pub span: Span,
}

/// `def f(a, b: nat = 1): nat = E with ...`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Def {
    pub name: Name,
    pub params: Vec<Param>,
    pub result: Option<Kind>,
    pub body: Expr,
    pub with: Vec<Naming>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    pub pattern: Pattern,
    pub kind: Option<Kind>,
    pub default: Option<Expr>,
}

/// A declared type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    pub shape: KindShape,
    /// `from 1`: lists in it count from this; 0 when nothing is said.
    pub from: Option<(u64, Span)>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KindShape {
    /// `(S, T)`
    Tuple(Vec<Kind>),
    /// `nat`, or the last word of `list of nat`, or `g` in `vertex of g`
    Word(Name),
    /// `list of T`, `vertex of g`: the word and what stands after `of`
    Of(Name, Box<Kind>),
}

/// `PATTERN = E` of a `with` or a clause list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Naming {
    pub pattern: Pattern,
    pub value: Expr,
}

/// A clause of the one clause list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clause {
    /// `i, j in E`
    In {
        patterns: Vec<Pattern>,
        source: Expr,
        span: Span,
    },
    Let(Naming),
    Where(Expr),
}

/// What a binder binds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// One name (`_` too).
    Name(Name),
    /// `(p, q, ...)`, two or more
    Tuple(Vec<Pattern>, Span),
}

impl Pattern {
    pub fn names(&self) -> Vec<&Name> {
        match self {
            Pattern::Name(name) => vec![name],
            Pattern::Tuple(parts, _) => parts.iter().flat_map(Pattern::names).collect(),
        }
    }

    pub fn span(&self) -> Span {
        match self {
            Pattern::Name(name) => name.span,
            Pattern::Tuple(_, span) => *span,
        }
    }
}

impl Clause {
    pub fn names(&self) -> Vec<&Name> {
        match self {
            Clause::In { patterns, .. } => patterns.iter().flat_map(Pattern::names).collect(),
            Clause::Let(naming) => naming.pattern.names(),
            Clause::Where(_) => Vec::new(),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    Int(BigInt),
    Text(String),
    Bool(bool),
    Name(String),
    /// `f(args)`, also `xor(...)`
    Call {
        function: Name,
        args: Args,
    },
    /// something that is not a name, followed by `(...)`: an error for the checker (E04)
    Apply {
        base: Box<Expr>,
        args: Args,
    },
    /// `Nim(3)`, `Cram[g]`, `Place[g](x, y = 2)`; `state` is `None` without round brackets
    Place {
        game: Name,
        rules: Option<Vec<Arg>>,
        state: Option<Args>,
    },
    /// `graph { a-b, b->c }`
    Drawing {
        word: GraphWord,
        chains: Vec<Chain>,
    },
    /// `graph from "file"`, `grid from "file"`
    FromFile {
        word: DrawingWord,
        path: String,
    },
    /// `grid """..."""`, and `graph """..."""`, which the checker refuses
    DrawnText {
        word: DrawingWord,
        text: String,
    },
    Tuple(Vec<Expr>),
    List(Items),
    Set(Items),
    /// `xs[i]`
    Index {
        base: Box<Expr>,
        index: Box<Expr>,
    },
    /// `xs[a..b]` written with brackets around a missing end: `xs[a..]`, `xs[..b]`. `xs[a..b]` is an `Index` by a range.
    Slice {
        base: Box<Expr>,
        from: Option<Box<Expr>>,
        to: Option<Box<Expr>>,
    },
    /// `xs[i -= k, j += 1]`, `xs[i -= 1 for i in s]` (then exactly one change)
    Update {
        base: Box<Expr>,
        changes: Vec<Change>,
        clauses: Option<Vec<Clause>>,
    },
    Neg(Box<Expr>),
    Not(Box<Expr>),
    Binary {
        op: Operator,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    /// `a < b <= c`
    Compare {
        first: Box<Expr>,
        rest: Vec<(CompareOp, Expr)>,
    },
    If {
        condition: Box<Expr>,
        yes: Box<Expr>,
        no: Box<Expr>,
    },
    Misere(Box<Expr>),
}

/// What stands in brackets: one by one, or for each way through clauses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Listed<T> {
    Plain(Vec<T>),
    Comprehension { value: Box<Expr>, clauses: Vec<Clause> },
}

/// The items of a list or set literal.
pub type Items = Listed<Expr>;

pub type Args = Listed<Arg>;

/// `E` or `name = E`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arg {
    pub name: Option<Name>,
    pub value: Expr,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub index: Expr,
    pub op: SetOp,
    pub value: Expr,
}

/// A rule parameter or field of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decl {
    pub name: Name,
    pub kind: Option<Kind>,
    pub default: Option<Expr>,
}

/// `[misere] game G[params](fields) where C { rules }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    pub name: Name,
    pub misere: bool,
    pub params: Vec<Decl>,
    pub fields: Vec<Decl>,
    pub filter: Option<Expr>,
    pub rules: Vec<Rule>,
    pub span: Span,
}

/// A line inside a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    Move(Move),
    /// `end when C: VERDICT`
    End {
        when: Expr,
        verdict: Ending<Expr>,
        span: Span,
    },
    /// `legal when C`
    Legal {
        when: Expr,
        span: Span,
    },
    /// `players E, F`: what the player to move is called, and what the other.
    Players {
        mover: Expr,
        other: Expr,
        span: Span,
    },
    /// `draw E, F, ..`: what a picture shows in place of the fields.
    Draw {
        values: Vec<Expr>,
        span: Span,
    },
    /// `same as P when C`
    Same {
        position: Expr,
        when: Expr,
        span: Span,
    },
    Theorem(Theorem),
    Let(Let),
    Def(Def),
}

/// How an `end when` ends play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending<T> {
    /// Simply no moves here.
    Over,
    /// The whole play is over: said of the player to move.
    Play(Outcome),
    /// This component ends with so many points for the player to move.
    Score(T),
}

/// `move NAME CLAUSES -> TARGET`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    pub name: Name,
    pub clauses: Vec<Clause>,
    pub target: Target,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// `if C then T else T`
    If { condition: Expr, yes: Box<Target>, no: Box<Target>, span: Span },
    /// `win`, `lose` of the mover, `draw`
    Stop(Outcome, Span),
    /// `[again] P [gain E]`
    Go { again: bool, position: Expr, gain: Option<Expr>, span: Span },
}

/// `theorem ...`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theorem {
    pub says: TheoremSays,
    pub with: Vec<Naming>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TheoremSays {
    /// `winning NAME for CLAUSES`, `drawing ..`, `moves to X NAME for CLAUSES`
    Moves { which: Which<Name>, name: Name, clauses: Vec<Clause> },
    /// `grundy|outcome|score|remoteness = E [where G]`
    Value { what: Measure, value: Expr, guard: Option<Expr> },
    /// `wins|loses|draws iff C [where G]`
    Verdict { what: Verdict, when: Expr, guard: Option<Expr> },
}

/// `claim [false] "title" for CLAUSES: C with ...`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    pub title: String,
    /// `claim false`: meant to be refuted
    pub negated: bool,
    pub clauses: Vec<Clause>,
    pub condition: Expr,
    pub with: Vec<Naming>,
    pub span: Span,
}

/// `expect P: facts`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expect {
    pub position: Expr,
    pub facts: Vec<Fact<Expr>>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact<T> {
    /// `first`, `second`, `draw`
    Outcome(Outcome, Span),
    /// `grundy E`, `score E`, `remoteness E`, `winning E`
    Measure(FactMeasure, T, Span),
}

/// `a-b->c`: the first label, then an edge word and a label each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    pub first: Label,
    /// `true` for `->`
    pub rest: Vec<(bool, Label)>,
    pub span: Span,
}

/// A label of a drawn vertex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Label {
    Int(BigInt, Span),
    Text(String, Span),
}

/// Which moves a theorem is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which<T> {
    Winning,
    /// Those that draw in a drawn position.
    Drawing,
    /// Those to positions of the Grundy value with this name.
    To(T),
}

/// Makes enums of which the language writes each variant as one word or sign.
macro_rules! words {
    ($($(#[$doc:meta])* $name:ident { $($variant:ident $word:literal)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($variant,)*
        }

        impl $name {
            /// As the language writes it.
            pub fn sign(self) -> &'static str {
                match self { $($name::$variant => $word,)* }
            }

            /// What the language writes so.
            pub fn of(sign: &str) -> Option<$name> {
                match sign { $($word => Some($name::$variant),)* _ => None }
            }
        }
    )*};
}

words! {
    /// A measured property of a position.
    Measure { Grundy "grundy" Outcome "outcome" Score "score" Remoteness "remoteness" }
    /// A yes-or-no property of the player to move.
    Verdict { Wins "wins" Loses "loses" Draws "draws" }
    /// Who wins, said of the player to move.
    Outcome { First "first" Second "second" Draw "draw" }
    /// What a fact measures: `Winning` is the number of winning moves.
    FactMeasure { Grundy "grundy" Score "score" Remoteness "remoteness" Winning "winning" }
    /// What an update does with a member.
    SetOp { Put ":=" Add "+=" Remove "-=" }
    /// Operators on conditions that may leave the second operand unevaluated.
    LogicOp { And "and" Or "or" Implies "implies" }
    /// Operators on two evaluated operands; their types tell which meaning. `Over` is exact.
    BinaryOp {
        Range ".." Xor "xor" Meet "&" Add "+" Sub "-" Mul "*" Over "/" Div "div" Mod "mod" Pow "**"
    }
    CompareOp { Eq "==" Ne "!=" Lt "<" Le "<=" Gt ">" Ge ">=" In "in" NotIn "not in" }
    GraphWord { Graph "graph" Digraph "digraph" Multigraph "multigraph" }
}

impl Verdict {
    #[must_use]
    pub fn outcome(self) -> Outcome {
        match self {
            Verdict::Wins => Outcome::First,
            Verdict::Loses => Outcome::Second,
            Verdict::Draws => Outcome::Draw,
        }
    }
}

/// Operators between two operands, comparisons apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    Iff,
    Logic(LogicOp),
    Binary(BinaryOp),
}

impl Operator {
    pub fn sign(self) -> &'static str {
        match self {
            Operator::Iff => "iff",
            Operator::Logic(op) => op.sign(),
            Operator::Binary(op) => op.sign(),
        }
    }
}

/// What a drawing in a text or file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DrawingWord {
    Graph(GraphWord),
    Grid,
}

/// What a walk meets: names of values and functions, and what clauses bind.
pub enum Seen<'t> {
    Value(&'t str),
    Function(&'t str),
    Bound(&'t Pattern),
}

/// Shows every part of the expression to `see`, in no particular order.
pub fn walk<'t>(expr: &'t Expr, see: &mut dyn FnMut(Seen<'t>)) {
    let mut todo = vec![expr];
    while let Some(expr) = todo.pop() {
        parts(expr, &mut todo, see);
    }
}

fn parts<'t>(expr: &'t Expr, todo: &mut Vec<&'t Expr>, see: &mut dyn FnMut(Seen<'t>)) {
    match &expr.kind {
        ExprKind::Name(name) => see(Seen::Value(name)),
        ExprKind::Int(_)
        | ExprKind::Bool(_)
        | ExprKind::Text(_)
        | ExprKind::Drawing { .. }
        | ExprKind::FromFile { .. }
        | ExprKind::DrawnText { .. } => {}
        ExprKind::Call { function, args } => {
            see(Seen::Function(&function.text));
            listed_parts(args, |arg| &arg.value, todo, see);
        }
        ExprKind::Apply { base, args } => {
            todo.push(base);
            listed_parts(args, |arg| &arg.value, todo, see);
        }
        ExprKind::Place { rules, state, .. } => {
            todo.extend(rules.iter().flatten().map(|arg| &arg.value));
            if let Some(args) = state {
                listed_parts(args, |arg| &arg.value, todo, see);
            }
        }
        ExprKind::Tuple(items) => todo.extend(items),
        ExprKind::List(items) | ExprKind::Set(items) => listed_parts(items, |item| item, todo, see),
        ExprKind::Index { base, index } => todo.extend([&**base, index]),
        ExprKind::Slice { base, from, to } => {
            todo.push(base);
            todo.extend(from.iter().chain(to).map(|e| &**e));
        }
        ExprKind::Update { base, changes, clauses } => {
            todo.push(base);
            todo.extend(changes.iter().flat_map(|c| [&c.index, &c.value]));
            if let Some(clauses) = clauses {
                clause_parts(clauses, todo, see);
            }
        }
        ExprKind::Neg(of) | ExprKind::Not(of) | ExprKind::Misere(of) => todo.push(of),
        ExprKind::Binary { left, right, .. } => todo.extend([&**left, right]),
        ExprKind::Compare { first, rest } => {
            todo.push(first);
            todo.extend(rest.iter().map(|(_, e)| e));
        }
        ExprKind::If { condition, yes, no } => todo.extend([&**condition, yes, no]),
    }
}

fn listed_parts<'t, T>(
    listed: &'t Listed<T>,
    expr: impl Fn(&'t T) -> &'t Expr,
    todo: &mut Vec<&'t Expr>,
    see: &mut dyn FnMut(Seen<'t>),
) {
    match listed {
        Listed::Plain(all) => todo.extend(all.iter().map(expr)),
        Listed::Comprehension { value, clauses } => {
            todo.push(value);
            clause_parts(clauses, todo, see);
        }
    }
}

fn clause_parts<'t>(clauses: &'t [Clause], todo: &mut Vec<&'t Expr>, see: &mut dyn FnMut(Seen<'t>)) {
    for clause in clauses {
        match clause {
            Clause::In { patterns, source, .. } => {
                for pattern in patterns {
                    see(Seen::Bound(pattern));
                }
                todo.push(source);
            }
            Clause::Let(Naming { pattern, value }) => {
                see(Seen::Bound(pattern));
                todo.push(value);
            }
            Clause::Where(condition) => todo.push(condition),
        }
    }
}

/// The names, of values and of functions, that an expression mentions.
pub fn mentions(expr: &Expr) -> (BTreeSet<&str>, BTreeSet<&str>) {
    let (mut values, mut functions) = (BTreeSet::new(), BTreeSet::new());
    walk(expr, &mut |seen| match seen {
        Seen::Value(name) => {
            values.insert(name);
        }
        Seen::Function(name) => {
            functions.insert(name);
        }
        Seen::Bound(_) => {}
    });
    (values, functions)
}

/// How many slots the clauses inside an expression need at most.
pub fn bound_slots(expr: &Expr) -> usize {
    let mut count = 0;
    walk(expr, &mut |seen| {
        if let Seen::Bound(pattern) = seen {
            count += pattern.names().len();
        }
    });
    count
}
