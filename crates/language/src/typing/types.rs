//! Types: which fit where and which adaptation makes them fit, declared types, types in the user's words, and what is known of a
//! position before it is evaluated.

use crate::model::{BinaryOp, Builtin, GameId, Kind, Term, TermKind, Type};
use crate::source::Code;
use crate::syntax::tree::{self, GraphWord, KindShape, Name};
use crate::typing::checker::{Checker, GameEntry};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fit {
    /// As it is.
    Same,
    /// As it is, but a vertex label must turn out to be what is wanted.
    Label,
    /// After an adaptation.
    Change,
    /// Not: a real where an int is needed (E15).
    Real,
    No,
}

/// Whether a value of type `from` may stand where `to` is asked.
#[allow(clippy::match_same_arms)] // the order of the arms counts
pub(crate) fn fits(from: &Type, to: &Type) -> Fit {
    use Type as T;
    if from == to {
        return Fit::Same;
    }
    match (from, to) {
        (T::Never, _) => Fit::Same,
        (T::Real, T::Int) => Fit::Real,
        (T::Int | T::Text, T::Vertex) => Fit::Same,
        (T::Tuple(parts), T::Vertex) if is_cell(parts) => Fit::Same,
        (T::Vertex, T::Int | T::Text) => Fit::Label,
        (T::Vertex, T::Tuple(parts)) if is_cell(parts) => Fit::Label,
        (T::Edge, T::Tuple(parts)) if parts.len() == 2 => {
            worse(Fit::Change, all(parts.iter().map(|p| fits(&T::Vertex, p))))
        }
        (T::Tuple(a), T::Tuple(b)) if a.len() == b.len() => all(a.iter().zip(b).map(|(x, y)| fits(x, y))),
        (T::List(a), T::List(b)) | (T::Set(a), T::Set(b)) | (T::Bag(a), T::Bag(b)) => fits(a, b),
        (T::List(a), T::Set(b) | T::Bag(b)) | (T::Set(a), T::List(b) | T::Bag(b)) => worse(Fit::Change, fits(a, b)),
        (T::Range, T::List(b) | T::Set(b) | T::Bag(b)) => worse(Fit::Change, fits(&T::Int, b)),
        (T::Int | T::Vertex, T::Real)
        | (T::Grid, T::Graph(GraphWord::Graph | GraphWord::Multigraph))
        | (T::Graph(GraphWord::Graph), T::Graph(GraphWord::Multigraph)) => Fit::Change,
        (T::List(a), T::Grid) if fits(a, &T::Text) == Fit::Same => Fit::Change,
        (T::Grid, T::List(b)) if **b == T::Text => Fit::Change,
        (T::List(a), T::NatGrid) if matches!(&**a, T::List(x) if fits(x, &T::Int) == Fit::Same) => Fit::Change,
        (T::List(a), T::NatGrid) if **a == T::Range || **a == T::Never => Fit::Change,
        _ => Fit::No,
    }
}

fn all(fits: impl Iterator<Item = Fit>) -> Fit {
    fits.fold(Fit::Same, worse)
}

/// The worse of two. Spelled out: rustc 1.95 miscompiles `max` of a derived order here (`tests/data/derived_order.rs`).
fn worse(a: Fit, b: Fit) -> Fit {
    match (a, b) {
        (Fit::No, _) | (_, Fit::No) => Fit::No,
        (Fit::Real, _) | (_, Fit::Real) => Fit::Real,
        (Fit::Change, _) | (_, Fit::Change) => Fit::Change,
        (Fit::Label, _) | (_, Fit::Label) => Fit::Label,
        (Fit::Same, Fit::Same) => Fit::Same,
    }
}

/// Whether the parts are those of a cell `(row, column)`.
pub(crate) fn is_cell(parts: &[Type]) -> bool {
    parts.len() == 2 && parts.iter().all(|p| matches!(p, Type::Int | Type::Never | Type::Vertex))
}

pub(crate) fn cell() -> Type {
    Type::Tuple(vec![Type::Int, Type::Int])
}

/// A collection of these members that is a set or bag as another is, else a list.
pub(crate) fn collection(like: &Type, of: Type) -> Type {
    match like {
        Type::Set(_) => Type::Set(Box::new(of)),
        Type::Bag(_) => Type::Bag(Box::new(of)),
        _ => Type::List(Box::new(of)),
    }
}

/// The least type that both fit, if there is one.
pub(crate) fn join(a: &Type, b: &Type) -> Option<Type> {
    use Type as T;
    Some(match (a, b) {
        (a, b) if a == b => a.clone(),
        (T::Never, x) | (x, T::Never) => x.clone(),
        (T::Int | T::Vertex, T::Real) | (T::Real, T::Int | T::Vertex) => T::Real,
        (T::Vertex, T::Int | T::Text) | (T::Int | T::Text, T::Vertex) => T::Vertex,
        (T::Vertex, T::Tuple(parts)) | (T::Tuple(parts), T::Vertex) if is_cell(parts) => T::Vertex,
        (T::Tuple(x), T::Tuple(y)) if x.len() == y.len() => {
            T::Tuple(x.iter().zip(y).map(|(p, q)| join(p, q)).collect::<Option<_>>()?)
        }
        (T::Edge, T::Tuple(parts)) | (T::Tuple(parts), T::Edge) if parts.len() == 2 => {
            T::Tuple(parts.iter().map(|p| join(p, &T::Vertex)).collect::<Option<_>>()?)
        }
        (T::List(x), T::List(y)) | (T::Set(x), T::Set(y)) | (T::Bag(x), T::Bag(y)) => collection(a, join(x, y)?),
        (T::Range, c @ (T::List(x) | T::Set(x) | T::Bag(x))) | (c @ (T::List(x) | T::Set(x) | T::Bag(x)), T::Range) => {
            collection(c, join(x, &T::Int)?)
        }
        // `[]` and `{}` fit every element type, so an empty one takes the other's form.
        (T::List(n) | T::Set(n), x @ (T::List(_) | T::Set(_) | T::Bag(_)))
        | (x @ (T::List(_) | T::Set(_) | T::Bag(_)), T::List(n) | T::Set(n))
            if **n == T::Never =>
        {
            x.clone()
        }
        (T::Grid, T::Graph(w)) | (T::Graph(w), T::Grid) if *w != GraphWord::Digraph => T::Graph(*w),
        (T::Graph(x), T::Graph(y)) if *x != GraphWord::Digraph && *y != GraphWord::Digraph => {
            T::Graph(GraphWord::Multigraph)
        }
        _ => return None,
    })
}

/// The common type of two operands: as [`join`], and a list beside a bag or set becomes one (rule 6).
pub(crate) fn join_operands(a: &Type, b: &Type) -> Option<Type> {
    use Type as T;
    if let Some(ty) = join(a, b) {
        return Some(ty);
    }
    match (a, b) {
        (T::List(x) | T::Set(x), T::Bag(y)) | (T::Bag(x), T::List(y) | T::Set(y)) => {
            Some(T::Bag(Box::new(join(x, y)?)))
        }
        (T::List(x), T::Set(y)) | (T::Set(x), T::List(y)) => Some(T::Set(Box::new(join(x, y)?))),
        _ => None,
    }
}

/// The type of the members of a collection: list, range, set, bag, text, or the vertices of a graph or grid.
pub(crate) fn member(ty: &Type) -> Option<Type> {
    Some(match ty {
        Type::List(of) | Type::Set(of) | Type::Bag(of) => (**of).clone(),
        Type::Range => Type::Int,
        Type::Text => Type::Text,
        Type::Graph(_) => Type::Vertex,
        Type::Grid | Type::NatGrid => cell(),
        Type::Never => Type::Never,
        _ => return None,
    })
}

/// Whether `<` orders values of this type totally, so that `min` and `max` mean something.
pub(crate) fn is_ordered(ty: &Type) -> bool {
    match ty {
        Type::Int | Type::Real | Type::Text | Type::Never | Type::Range | Type::Vertex | Type::Edge => true,
        Type::Tuple(parts) => parts.iter().all(is_ordered),
        Type::List(of) => is_ordered(of),
        _ => false,
    }
}

/// Whether a type is this one or is made of one like that.
fn holds(ty: &Type, is: &mut dyn FnMut(&Type) -> bool) -> bool {
    is(ty)
        || match ty {
            Type::Tuple(parts) => parts.iter().any(|part| holds(part, is)),
            Type::List(of) | Type::Set(of) | Type::Bag(of) => holds(of, is),
            _ => false,
        }
}

/// Whether a type is made of so many others that nobody means it: a few lines that each double the one before make it.
pub(crate) fn is_vast(ty: &Type) -> bool {
    const MOST: usize = 1000;
    let mut parts = 0;
    holds(ty, &mut |_| {
        parts += 1;
        parts > MOST
    })
}

/// Whether values of this type may be compared with `==` and be members of sets.
pub(crate) fn is_comparable(ty: &Type) -> bool {
    !holds(ty, &mut |ty| matches!(ty, Type::Graph(_) | Type::Position))
}

pub(crate) fn holds_position(ty: &Type) -> bool {
    holds(ty, &mut |ty| *ty == Type::Position)
}

/// Whether the type of some member is not known (`[]`, `{}`).
pub(crate) fn holds_never(ty: &Type) -> bool {
    holds(ty, &mut |ty| *ty == Type::Never)
}

pub(crate) fn adapt(term: Term, ty: Type) -> Term {
    let span = term.span;
    Term::new(TermKind::Adapt(Box::new(term)), ty, span)
}

/// The term as one of type `want` when it fits: wrapped in an adaptation only where something changes or must be checked.
pub(crate) fn adapted(term: Term, want: &Type) -> Result<Term, Term> {
    match fits(&term.ty, want) {
        Fit::Same => Ok(term),
        Fit::Label | Fit::Change => Ok(adapt(term, want.clone())),
        Fit::Real | Fit::No => Err(term),
    }
}

const WORDS: [&str; 15] = [
    "int",
    "nat",
    "bool",
    "text",
    "real",
    "list",
    "set",
    "bag",
    "graph",
    "digraph",
    "multigraph",
    "grid",
    "vertex",
    "edge",
    "position",
];

impl<'a> Checker<'a> {
    /// The kind that a declaration says; names in it (`vertex of g`) are read in the body.
    pub(crate) fn kind(&mut self, kind: &'a tree::Kind) -> Option<Kind> {
        self.kind_from(kind, 0)
    }

    fn kind_from(&mut self, kind: &'a tree::Kind, outer: i64) -> Option<Kind> {
        let base = match kind.from {
            None => outer,
            Some((0, _)) => 0,
            Some((1, _)) => 1,
            Some((n, span)) => {
                let message = format!("lists count from 0 or from 1, not from {n}");
                return self.refuse(Code::E03, span, message, "write `from 1`, or nothing");
            }
        };
        self.deeper(kind.span, |this| match &kind.shape {
            KindShape::Tuple(parts) => {
                let parts: Vec<_> = parts.iter().map(|p| this.kind_from(p, base)).collect();
                Some(Kind::Tuple(parts.into_iter().collect::<Option<_>>()?))
            }
            KindShape::Word(name) => this.kind_word(name, base),
            KindShape::Of(name, of) => match &*name.text {
                "list" => Some(Kind::List(Box::new(this.kind_from(of, base)?), base)),
                "set" => Some(Kind::Set(Box::new(this.kind_from(of, base)?))),
                "bag" => Some(Kind::Bag(Box::new(this.kind_from(of, base)?))),
                "vertex" | "edge" => this.kind_in_graph(name, of),
                "grid" => match &of.shape {
                    KindShape::Word(word) if word.text == "nat" => Some(Kind::NatGrid),
                    KindShape::Word(word) if word.text == "text" => Some(Kind::Grid),
                    _ => {
                        let hint = "write `grid` or `grid of nat`";
                        this.refuse(Code::E03, of.span, "a grid holds characters or `nat`s", hint)
                    }
                },
                _ => {
                    this.kind_word(name, base)?;
                    this.deny(Code::E03, kind.span, format!("a `{}` is not `of` anything", name.text), None)
                }
            },
        })
    }

    fn kind_word(&mut self, name: &Name, base: i64) -> Option<Kind> {
        Some(match &*name.text {
            "int" => Kind::Int,
            "nat" => Kind::Nat,
            "bool" => Kind::Bool,
            "text" => Kind::Text,
            "real" => Kind::Real,
            "grid" => Kind::Grid,
            "position" => Kind::Position,
            word @ ("list" | "set" | "bag") => {
                let message = format!("a `{word}` of what?");
                return self.refuse(Code::E03, name.span, message, format!("write `{word} of nat`"));
            }
            word @ ("vertex" | "edge") => {
                let message = format!("`{word}` of which graph?");
                return self.refuse(Code::E03, name.span, message, format!("write `{word} of g`"));
            }
            word => {
                if let Some(word) = GraphWord::of(word) {
                    return Some(Kind::Graph(word, base));
                }
                let hint = self.meant(word, || WORDS);
                return self.deny(Code::E01, name.span, format!("there is no type `{word}`"), hint);
            }
        })
    }

    fn kind_in_graph(&mut self, word: &Name, of: &'a tree::Kind) -> Option<Kind> {
        let KindShape::Word(name) = &of.shape else {
            let message = format!("`{} of` needs the name of a graph", word.text);
            return self.refuse(Code::E03, of.span, message, format!("write `{} of g`", word.text));
        };
        let graph = self.read_name(&name.text, name.span)?;
        let grid = matches!(graph.ty, Type::Grid) && word.text == "vertex";
        if !grid && !matches!(graph.ty, Type::Graph(_)) {
            let message = format!("`{}` must be a graph, not {}", name.text, a_type(&graph.ty));
            return self.deny(Code::E03, name.span, message, None);
        }
        // A vertex of a grid is a cell of its graph.
        let graph = if grid { adapt(graph, Type::Graph(GraphWord::Graph)) } else { graph };
        let graph = Some(Box::new(graph));
        Some(if word.text == "vertex" { Kind::Vertex(graph) } else { Kind::Edge(graph) })
    }
}

/// The type as a file would write it, without article and quotes: `list of int`.
pub(crate) fn type_words(ty: &Type) -> String {
    match ty {
        Type::Never => "nothing".into(),
        Type::Int => "int".into(),
        Type::Bool => "bool".into(),
        Type::Text => "text".into(),
        Type::Real => "real".into(),
        Type::Tuple(parts) => format!("({})", parts.iter().map(type_words).collect::<Vec<_>>().join(", ")),
        Type::List(of) => of_words("list", of),
        Type::Set(of) => of_words("set", of),
        Type::Bag(of) => of_words("bag", of),
        Type::Range => "range".into(),
        Type::Graph(word) => word.sign().into(),
        Type::Grid => "grid".into(),
        Type::NatGrid => "grid of nat".into(),
        Type::Vertex => "vertex".into(),
        Type::Edge => "edge".into(),
        Type::Position => "position".into(),
    }
}

fn of_words(word: &str, of: &Type) -> String {
    if *of == Type::Never { format!("empty {word}") } else { format!("{word} of {}", type_words(of)) }
}

/// With article and backquotes: "a `list of int`", "an `int`".
pub(crate) fn a_type(ty: &Type) -> String {
    if *ty == Type::Never { "nothing".into() } else { with_article(&type_words(ty)) }
}

/// A kind as a file would write it: `list of nat`, `vertex`.
pub fn kind_words(kind: &Kind) -> String {
    match kind {
        Kind::Nat => "nat".into(),
        Kind::Tuple(parts) => format!("({})", parts.iter().map(kind_words).collect::<Vec<_>>().join(", ")),
        Kind::List(of, _) => format!("list of {}", kind_words(of)),
        Kind::Set(of) => format!("set of {}", kind_words(of)),
        Kind::Bag(of) => format!("bag of {}", kind_words(of)),
        other => type_words(&other.ty()),
    }
}

pub(crate) fn with_article(words: &str) -> String {
    let article = if words.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" };
    format!("{article} `{words}`")
}

/// What is known; `None` where it depends on values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PositionType {
    pub(crate) misere: Option<bool>,
    /// A compound other than the disjunctive sum.
    pub(crate) compound: Option<bool>,
}

/// Whether two positions are certainly of different conventions.
pub(crate) fn mix(a: PositionType, b: PositionType) -> bool {
    matches!((a.misere, b.misere), (Some(a), Some(b)) if a != b)
}

fn agree(a: PositionType, b: PositionType) -> PositionType {
    PositionType {
        misere: a.misere.filter(|_| a.misere == b.misere),
        compound: a.compound.filter(|_| a.compound == b.compound),
    }
}

/// What is known of a position, or of each position in a list.
pub(crate) fn position_type(games: &[GameEntry], term: &Term) -> PositionType {
    match &term.kind {
        TermKind::Place(place) => PositionType { misere: Some(games[place.game.0].tree.misere), compound: Some(false) },
        TermKind::Misere(of) => PositionType { misere: Some(true), ..position_type(games, of) },
        TermKind::If(_, a, b) => agree(position_type(games, a), position_type(games, b)),
        TermKind::Binary(BinaryOp::Add, a, b) => {
            let (a, b) = (position_type(games, a), position_type(games, b));
            PositionType { misere: a.misere.or(b.misere), compound: Some(false) }
        }
        TermKind::Adapt(of) | TermKind::Binary(BinaryOp::Mul, _, of) | TermKind::Comprehension(_, of, _) => {
            position_type(games, of)
        }
        TermKind::Items(_, items) => {
            let mut known = items.iter().map(|i| position_type(games, &i.term));
            let first = known.next().unwrap_or_default();
            known.fold(first, agree)
        }
        TermKind::Builtin(Builtin::Sum, args) => {
            let misere = args.last().and_then(|a| position_type(games, a).misere);
            PositionType { misere, compound: Some(false) }
        }
        TermKind::Builtin(word, args) if word.is_compound() => {
            let misere = args.last().and_then(|a| position_type(games, a).misere);
            PositionType { misere, compound: Some(true) }
        }
        _ => PositionType::default(),
    }
}

/// The games of all components, when they are certain.
pub(crate) fn known_games(term: &Term) -> Option<Vec<GameId>> {
    let mut games = Vec::new();
    let mut todo = vec![term];
    while let Some(term) = todo.pop() {
        match &term.kind {
            TermKind::Place(place) => games.push(place.game),
            TermKind::Misere(of)
            | TermKind::Adapt(of)
            | TermKind::Binary(BinaryOp::Mul, _, of)
            | TermKind::Comprehension(_, of, _) => todo.push(of),
            TermKind::Binary(BinaryOp::Add, a, b) => todo.extend([&**a, b]),
            TermKind::Items(_, items) => todo.extend(items.iter().map(|i| &i.term)),
            TermKind::Builtin(word, args) if *word == Builtin::Sum || word.is_compound() => todo.extend(args.last()),
            _ => return None,
        }
    }
    (!games.is_empty()).then_some(games)
}
