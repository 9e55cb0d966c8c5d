//! Calls of built-in words: arguments fit, results have types.

use crate::model::builtin::{ParamType, ResultType};
use crate::model::{Builtin, GameId, Gather, Item, Term, TermKind, Type};
use crate::source::{Code, Diagnostic, Span};
use crate::syntax::tree::{Args, GraphWord, Name};
use crate::typing::checker::{Checker, unlike};
use crate::typing::operators::{compound_part, mixed_sum};
use crate::typing::types::{
    Fit, a_type, adapt, adapted, cell, collection, fits, holds_position, is_cell, is_comparable, is_ordered, join,
    known_games, member, mix, position_type,
};

fn list(of: Type) -> Type {
    Type::List(Box::new(of))
}

fn set(of: Type) -> Type {
    Type::Set(Box::new(of))
}

fn bag(of: Type) -> Type {
    Type::Bag(Box::new(of))
}

fn is_label(ty: &Type) -> bool {
    fits(ty, &Type::Vertex) == Fit::Same
}

impl<'a> Checker<'a> {
    pub(crate) fn builtin(&mut self, word: Builtin, name: &'a Name, args: &'a Args, span: Span) -> Option<Term> {
        let row = word.signature();
        if matches!(row.result, ResultType::Several | ResultType::Compound) {
            return self.special(word, name, args, span);
        }
        let whole = format!("`{}`", row.name);
        let names: Vec<&str> = row.params.iter().map(|p| p.0).collect();
        let given = self.arguments(&whole, &names, args, span)?;
        let mut first = None;
        let mut terms = self.fill(
            &whole,
            &names,
            |index| index >= row.needed,
            given,
            span,
            |this, index, term| {
                let (param, want) = row.params[index];
                let term = this.argument(term, want, first.as_ref(), &format!("`{param}` of {whole}"))?;
                first.get_or_insert_with(|| term.ty.clone());
                Some(term)
            },
        )?;
        // `grounded(g, ground = v)`: all edges of g stand for those left out.
        if word == Builtin::Grounded
            && let [Some(g), None, Some(_)] = &terms[..]
        {
            let all = Term::new(TermKind::Builtin(Builtin::Edges, vec![g.clone()]), set(Type::Edge), span);
            terms[1] = Some(all);
        }
        let terms: Vec<Term> = terms.into_iter().flatten().collect();
        let ty = Self::result(row.result, &terms);
        self.question(word, &terms, span)?;
        Some(Term::new(TermKind::Builtin(word, terms), ty, span))
    }

    /// An argument, adapted to what is wanted; `before` is the type of the first one.
    pub(crate) fn argument(&mut self, found: Term, want: ParamType, before: Option<&Type>, what: &str) -> Option<Term> {
        let ty = found.ty.clone();
        match want {
            ParamType::Int => self.want(found, &Type::Int, what),
            ParamType::Text => self.want(found, &Type::Text, what),
            ParamType::Position => self.want(found, &Type::Position, what),
            ParamType::Edge => self.want(found, &Type::Edge, what),
            ParamType::Cell => self.want(found, &cell(), what),
            ParamType::Number => match ty {
                Type::Int | Type::Real => Some(found),
                _ => self.want(found, &Type::Int, what),
            },
            ParamType::Sequence => match ty {
                Type::List(_) | Type::Range | Type::Text | Type::Never => Some(found),
                _ => self.unfit(&found, what, "a list", Some("`sort(..)` makes a list of a set or bag")),
            },
            ParamType::Repeated => match ty {
                Type::List(_) | Type::Text | Type::Never => Some(found),
                Type::Range => Some(adapt(found, list(Type::Int))),
                _ => self.unfit(&found, what, "a list or a `text`", Some("`[x]` is a list of one member")),
            },
            ParamType::Any => Some(self.members(found, what)?.0),
            ParamType::Sized => match ty {
                Type::Graph(_) => Some(found),
                Type::Grid => Some(adapt(found, Type::Graph(GraphWord::Graph))),
                _ => Some(self.members(found, what)?.0),
            },
            ParamType::Ints => self.collection_of(found, &Type::Int, what),
            ParamType::Bools => self.collection_of(found, &Type::Bool, what),
            ParamType::Texts => self.collection_of(found, &Type::Text, what),
            ParamType::Tallied | ParamType::Cells => self.collection_of(found, &cell(), what),
            ParamType::Vertices => self.collection_of(found, &Type::Vertex, what),
            ParamType::Numbers => self.one_of(found, what, "numbers", |of| matches!(of, Type::Int | Type::Real)),
            ParamType::Addable => self.one_of(found, what, "numbers or positions", |of| {
                matches!(of, Type::Int | Type::Real | Type::Position)
            }),
            ParamType::Xorable => {
                self.one_of(found, what, "numbers or sets", |of| matches!(of, Type::Int | Type::Set(_)))
            }
            ParamType::Sets => {
                self.one_of(found, what, "sets", |of| matches!(of, Type::Set(_) | Type::List(_) | Type::Range))
            }
            ParamType::Collections => self.one_of(found, what, "collections", |of| {
                matches!(of, Type::List(_) | Type::Set(_) | Type::Bag(_) | Type::Range | Type::Text)
            }),
            ParamType::Sizes => match ty {
                Type::Int | Type::Vertex => self.want(found, &Type::Int, what),
                _ => self.collection_of(found, &Type::Int, what),
            },
            ParamType::Bag => {
                let (found, of) = self.members(found, what)?;
                self.want(found, &bag(of), what)
            }
            ParamType::Alphabet => match ty {
                Type::Text => Some(found),
                _ => self.collection_of(found, &Type::Text, what),
            },
            ParamType::Graph => match ty {
                Type::Graph(_) | Type::Never => Some(found),
                Type::Grid => Some(adapt(found, Type::Graph(GraphWord::Graph))),
                _ => self.unfit(&found, what, "a graph", None),
            },
            ParamType::Vertex => self.label(found, what),
            ParamType::Ground => match &ty {
                Type::Set(of) if is_label(of) => Some(found),
                Type::List(of) if is_label(of) => {
                    let of = (**of).clone();
                    Some(adapt(found, set(of)))
                }
                Type::Range => Some(adapt(found, set(Type::Int))),
                _ => self.label(found, what),
            },
            ParamType::Edges => match &ty {
                Type::Set(of) if matches!(**of, Type::Edge | Type::Never) => Some(found),
                Type::List(of) if matches!(**of, Type::Edge | Type::Never) => Some(adapt(found, set(Type::Edge))),
                Type::Never => Some(found),
                _ => self.unfit(&found, what, "a set of edges", Some("`edges(g)` are the edges of g")),
            },
            ParamType::Grid => match ty {
                Type::Grid | Type::NatGrid | Type::Never => Some(found),
                _ => self.unfit(&found, what, "a `grid`", Some("`grid(rows)` makes one of texts")),
            },
            ParamType::Held => {
                let of = if before == Some(&Type::NatGrid) { Type::Int } else { Type::Text };
                self.want(found, &of, what)
            }
        }
    }

    /// E03: something else is needed here; `want` says what.
    pub(crate) fn unfit<T>(&mut self, found: &Term, what: &str, want: &str, hint: Option<&str>) -> Option<T> {
        self.fail(Diagnostic { hint: hint.map(str::to_owned), ..unlike(what, want, found) })
    }

    pub(crate) fn label(&mut self, found: Term, what: &str) -> Option<Term> {
        if is_label(&found.ty) { Some(found) } else { self.unfit(&found, what, "a vertex", None) }
    }

    /// A collection whose members fit `of`; only the members are adapted, the collection keeps its form.
    fn collection_of(&mut self, found: Term, of: &Type, what: &str) -> Option<Term> {
        let (found, has) = self.members(found, what)?;
        match fits(&has, of) {
            Fit::Same => Some(found),
            Fit::No | Fit::Real => {
                let want = a_type(&list(of.clone()));
                self.unfit(&found, what, &format!("a collection such as {want}"), None)
            }
            Fit::Label | Fit::Change => {
                let ty = collection(&found.ty, of.clone());
                Some(adapt(found, ty))
            }
        }
    }

    fn one_of(&mut self, found: Term, what: &str, want: &str, fine: impl Fn(&Type) -> bool) -> Option<Term> {
        if let Type::Int | Type::Real | Type::Position = found.ty {
            return self.unfit(
                &found,
                what,
                &format!("a collection of {want}"),
                Some("`[a, b]` is a list of two members"),
            );
        }
        let (found, has) = self.members(found, what)?;
        if has == Type::Never || fine(&has) {
            return Some(found);
        }
        if has == Type::Vertex && fine(&Type::Int) {
            return self.collection_of(found, &Type::Int, what);
        }
        let hint = (has == Type::Bool).then_some("`count(..)` counts what is true");
        self.unfit(&found, what, &format!("a collection of {want}"), hint)
    }

    /// The type of what comes out; arguments have been checked.
    fn result(result: ResultType, args: &[Term]) -> Type {
        let first = args.first().map_or(Type::Never, |t| t.ty.clone());
        let of = member(&first).unwrap_or(Type::Never);
        match result {
            ResultType::Int => Type::Int,
            ResultType::Bool => Type::Bool,
            ResultType::Text => Type::Text,
            ResultType::Real => Type::Real,
            ResultType::Range => Type::Range,
            ResultType::Graph => Type::Graph(GraphWord::Graph),
            ResultType::Digraph => Type::Graph(GraphWord::Digraph),
            ResultType::Multigraph => Type::Graph(GraphWord::Multigraph),
            ResultType::Vertex => Self::vertex_type(args.first()),
            ResultType::Edge => Type::Edge,
            ResultType::Cell => cell(),
            ResultType::Same if first == Type::Range => list(Type::Int),
            ResultType::Same => first,
            ResultType::Total if of == Type::Never => Type::Int,
            ResultType::Total | ResultType::Member => of,
            ResultType::Counted => Type::Tuple(vec![of, Type::Int]),
            ResultType::Inner => member(&of).unwrap_or(Type::Never),
            ResultType::List(of) => list(Self::result(*of, args)),
            ResultType::Set(of) => set(Self::result(*of, args)),
            ResultType::Bag(of) => bag(Self::result(*of, args)),
            ResultType::Pair(of) => Type::Tuple(vec![Self::result(*of, args); 2]),
            ResultType::Position | ResultType::Compound | ResultType::Several | ResultType::Unnamed => Type::Position,
        }
    }

    /// The vertices of a grid are cells, those of a graph are known only by their labels.
    fn vertex_type(graph: Option<&Term>) -> Type {
        match graph.map(|g| &g.kind) {
            Some(TermKind::Adapt(of)) if of.ty == Type::Grid => cell(),
            _ => Type::Vertex,
        }
    }

    /// The edges of a graph as given to `graph(n, edges)`: pairs of labels, or edges.
    pub(crate) fn pairs(&mut self, found: Term, what: &str) -> Option<Term> {
        let (found, of) = self.members(found, what)?;
        let fine = match &of {
            Type::Tuple(parts) => parts.len() == 2 && (is_cell(parts) || parts.iter().all(is_label)),
            Type::Edge | Type::Never => true,
            _ => false,
        };
        if fine { Some(found) } else { self.unfit(&found, what, "a collection of pairs of vertices", None) }
    }

    /// A call of a word without a fixed list of arguments.
    pub(crate) fn special(&mut self, word: Builtin, name: &'a Name, args: &'a Args, span: Span) -> Option<Term> {
        let terms = self.free_arguments(name, args)?;
        match word {
            Builtin::Min | Builtin::Max | Builtin::Gcd | Builtin::Lcm => self.fold(word, name, terms, span),
            Builtin::Graph | Builtin::Digraph | Builtin::Multigraph => self.make_graph(word, name, terms, span),
            Builtin::Grid => self.make_grid(name, terms, span),
            _ => self.compound(word, name, terms, span),
        }
    }

    fn free_arguments(&mut self, name: &Name, args: &'a Args) -> Option<Vec<Term>> {
        let args = match args {
            Args::Comprehension { value, clauses } => {
                return Some(vec![self.given(crate::typing::calls::Argument::Comprehension(value, clauses))?]);
            }
            Args::Plain(args) => args,
        };
        let mut terms = Some(Vec::new());
        for arg in args {
            if let Some(named) = &arg.name {
                let message = format!("`{}` has no `{}`", name.text, named.text);
                terms = self.refuse(Code::E05, named.span, message, "give its arguments by position");
            }
            match (&mut terms, self.expr(&arg.value)) {
                (Some(terms), Some(term)) => terms.push(term),
                (terms, _) => *terms = None,
            }
        }
        terms
    }

    fn wrong_count<T>(&mut self, name: &Name, found: usize, want: &str) -> Option<T> {
        let message = format!("`{}` does not take {found} argument{}", name.text, if found == 1 { "" } else { "s" });
        self.refuse(Code::E05, name.span, message, want)
    }

    /// `min(a, b, ...)` or `min(xs)`.
    fn fold(&mut self, word: Builtin, name: &Name, mut terms: Vec<Term>, span: Span) -> Option<Term> {
        let whole = format!("`{}`", name.text);
        let whole_numbers = matches!(word, Builtin::Gcd | Builtin::Lcm);
        if terms.is_empty() {
            return self.wrong_count(name, 0, "give several values or one collection");
        }
        if terms.len() > 1 {
            let ty = if whole_numbers { Some(Type::Int) } else { join_all(&terms) };
            let Some(ty) = ty.filter(is_ordered) else {
                let words: Vec<String> = terms.iter().map(|t| a_type(&t.ty)).collect();
                return self.deny(Code::E03, span, format!("{whole} cannot compare {}", words.join(" and ")), None);
            };
            let mut all = Vec::new();
            for term in terms {
                all.push(self.want(term, &ty, &format!("an argument of {whole}"))?);
            }
            return Some(Term::new(TermKind::Builtin(word, all), ty, span));
        }
        let only = terms.pop()?;
        if whole_numbers {
            let only = self.collection_of(only, &Type::Int, &format!("the only argument of {whole}"))?;
            return Some(Term::new(TermKind::Builtin(word, vec![only]), Type::Int, span));
        }
        let (only, of) = self.members(only, &format!("the only argument of {whole}"))?;
        if !is_ordered(&of) {
            return self.deny(Code::E03, only.span, format!("{} has no order", a_type(&of)), None);
        }
        Some(Term::new(TermKind::Builtin(word, vec![only]), of, span))
    }

    fn make_graph(&mut self, word: Builtin, name: &Name, mut terms: Vec<Term>, span: Span) -> Option<Term> {
        let kind = GraphWord::of(&name.text)?;
        let ty = Type::Graph(kind);
        let forms = match kind {
            GraphWord::Digraph => {
                "`digraph(n, edges)`, `digraph(vertices, edges)`, `digraph(successors)` or `digraph(g)`"
            }
            GraphWord::Graph => "`graph(n, edges)` or `graph(vertices, edges)`",
            GraphWord::Multigraph => "`multigraph(n, edges)` or `multigraph(vertices, edges)`",
        };
        if terms.len() == 1 && kind == GraphWord::Digraph {
            let only = terms.pop()?;
            let only = match &only.ty {
                Type::Graph(_) => only,
                Type::Grid => adapt(only, Type::Graph(GraphWord::Graph)),
                _ => self.argument(only, ParamType::Collections, None, "the lists of successors of `digraph`")?,
            };
            return Some(Term::new(TermKind::Builtin(word, vec![only]), ty, span));
        }
        if terms.len() != 2 {
            return self.wrong_count(name, terms.len(), forms);
        }
        let edges = terms.pop()?;
        let vertices = terms.pop()?;
        let whole = format!("the vertices of `{}`", name.text);
        let vertices = match &vertices.ty {
            Type::Int => Some(vertices),
            _ => self.collection_of(vertices, &Type::Vertex, &whole),
        };
        let edges = self.pairs(edges, &format!("the edges of `{}`", name.text));
        Some(Term::new(TermKind::Builtin(word, vec![vertices?, edges?]), ty, span))
    }

    fn make_grid(&mut self, name: &Name, mut terms: Vec<Term>, span: Span) -> Option<Term> {
        match terms.len() {
            1 => {
                let only = terms.pop()?;
                let numbers = matches!(&only.ty, Type::List(of) if matches!(&**of, Type::List(_) | Type::Range))
                    || only.ty == Type::NatGrid;
                let ty = if numbers { Type::NatGrid } else { Type::Grid };
                match only.ty {
                    Type::Grid | Type::NatGrid => Some(only),
                    _ => {
                        let only = self.want(only, &ty, "the rows of `grid`")?;
                        Some(Term::new(only.kind, only.ty, span))
                    }
                }
            }
            2 => {
                let columns = self.want(terms.pop()?, &Type::Int, "the number of columns of `grid`");
                let rows = self.want(terms.pop()?, &Type::Int, "the number of rows of `grid`");
                Some(Term::new(TermKind::Builtin(Builtin::Grid, vec![rows?, columns?]), Type::Grid, span))
            }
            n => self.wrong_count(name, n, "`grid(rows, columns)` or `grid([\".#\", \"..\"])`"),
        }
    }

    /// `selective(positions)`, `at_most(k, positions)`: the positions always come as one list.
    fn compound(&mut self, word: Builtin, name: &Name, terms: Vec<Term>, span: Span) -> Option<Term> {
        let mut terms = terms.into_iter();
        let mut all = Vec::new();
        if word == Builtin::AtMost {
            let Some(k) = terms.next() else {
                return self.wrong_count(name, 0, "`at_most(k, positions)`");
            };
            all.push(self.want(k, &Type::Int, "the number before the positions of `at_most`")?);
        }
        let parts: Vec<Term> = terms.collect();
        let positions = Type::List(Box::new(Type::Position));
        let list = match <[Term; 1]>::try_from(parts) {
            Ok([only]) if matches!(&only.ty, Type::List(of) if **of == Type::Bool) => {
                let hint = "it is a compound of games; write `count(C for x in xs) <= k` for at most k conditions";
                return self.unfit(&only, &format!("the parts of `{}`", name.text), "positions", Some(hint));
            }
            // The empty sum, as `sum([])`.
            Ok([only]) if only.ty == Type::Int => {
                let part = self.want(only, &Type::Position, &format!("a part of `{}`", name.text))?;
                gathered(vec![part], &positions, span)
            }
            Ok([only]) if only.ty != Type::Position => {
                self.collection_of(only, &Type::Position, &format!("the parts of `{}`", name.text))?
            }
            Ok([only]) => gathered(vec![only], &positions, span),
            Err(parts) if parts.is_empty() => {
                return self.wrong_count(name, all.len(), "give it positions: `selective(P, Q)`");
            }
            Err(parts) => {
                let mut fine = Vec::new();
                for part in parts {
                    if matches!(&part.ty, Type::List(of) if **of == Type::Position) {
                        let hint = "one list holds all parts: `[P] + [Q for ..]`";
                        return self.unfit(&part, &format!("a part of `{}`", name.text), "a position", Some(hint));
                    }
                    fine.push(self.want(part, &Type::Position, &format!("a part of `{}`", name.text))?);
                }
                gathered(fine, &positions, span)
            }
        };
        let list = adapted(list, &positions).unwrap_or_else(|list| list);
        self.parts_agree(&list)?;
        all.push(list);
        Some(Term::new(TermKind::Builtin(word, all), Type::Position, span))
    }

    /// The parts of a sum or compound: all of one convention, none a compound itself.
    fn parts_agree(&mut self, list: &Term) -> Option<()> {
        let parts: Vec<&Term> = match &list.kind {
            TermKind::Items(_, items) => items.iter().map(|i| &i.term).collect(),
            TermKind::Comprehension(_, value, _) => vec![value],
            _ => Vec::new(),
        };
        let known: Vec<_> = parts.iter().map(|p| (position_type(&self.games, p), p.span)).collect();
        for (part, span) in &known {
            if part.compound == Some(true) {
                return self.fail(compound_part(*span));
            }
            if mix(known[0].0, *part) {
                return self.fail(mixed_sum(*span));
            }
        }
        Some(())
    }

    /// What a word demands beyond the types of its arguments.
    pub(crate) fn question(&mut self, word: Builtin, terms: &[Term], span: Span) -> Option<()> {
        match word {
            Builtin::Sum if holds_position(&terms[0].ty) => self.parts_agree(&terms[0]),
            Builtin::Grundy | Builtin::Score => {
                let position = &terms[0];
                if position_type(&self.games, position).misere == Some(true) {
                    return self.fail(misere_value(word, span));
                }
                if let Some(games) = known_games(position) {
                    self.asked.push(Asked { word, games, span });
                }
                Some(())
            }
            Builtin::Set | Builtin::Subsets | Builtin::Sort | Builtin::Bag => {
                let of = member(&terms[0].ty).unwrap_or(Type::Never);
                if is_comparable(&of) {
                    return Some(());
                }
                let set = matches!(word, Builtin::Set | Builtin::Subsets);
                let cannot = if set { "cannot be a member of a set" } else { "has no order" };
                self.deny(Code::E03, span, format!("{} {cannot}", a_type(&of)), None)
            }
            _ => Some(()),
        }
    }
}

pub(crate) fn join_all(terms: &[Term]) -> Option<Type> {
    terms.iter().try_fold(Type::Never, |ty, t| join(&ty, &t.ty))
}

/// A question whose answer may be known to be undefined once all games are known.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// `Grundy` or `Score`.
    pub(crate) word: Builtin,
    pub(crate) games: Vec<GameId>,
    pub(crate) span: Span,
}

fn gathered(parts: Vec<Term>, ty: &Type, span: Span) -> Term {
    let items = parts.into_iter().map(|term| Item { term, spread: false }).collect();
    Term::new(TermKind::Items(Gather::List, items), ty.clone(), span)
}

/// E20, E21: misere play has no Grundy values and no scores; `word` is which of the two is asked for.
pub(crate) fn misere_value(word: Builtin, span: Span) -> Diagnostic {
    let (code, what) = if word == Builtin::Grundy { (Code::E20, "Grundy value") } else { (Code::E21, "score") };
    Diagnostic::new(code, span, format!("a misere game has no {what}"))
        .hint("ask for the outcome: `wins(..)`, `outcome(..)`")
}
