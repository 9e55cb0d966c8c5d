//! Built-in words whose arguments come in several forms, and questions about positions.

use crate::model::builtin::{Builtin, ParamType};
use crate::model::kind::Type;
use crate::model::{GameId, Gather, Item, Term, TermKind};
use crate::source::diagnostic::{Code, Diagnostic};
use crate::source::text::Span;
use crate::syntax::tree::{Args, GraphWord, Name};
use crate::typing::arguments::Given;
use crate::typing::builtins::join_all;
use crate::typing::checker::Checker;
use crate::typing::coercion::{adapt, adapted, holds_position, is_comparable, is_ordered};
use crate::typing::context::Context;
use crate::typing::expr::term;
use crate::typing::operators::{compound_part, mixed_sum};
use crate::typing::position_type::{flavour, known_games, mix};
use crate::typing::show::a_type;

/// A question whose answer may be known to be undefined once all games are known.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// `Grundy` or `Score`.
    pub(crate) word: Builtin,
    pub(crate) games: Vec<GameId>,
    pub(crate) span: Span,
}

impl<'a> Checker<'a> {
    /// A call of a word without a fixed list of arguments.
    pub(crate) fn special(
        &mut self,
        cx: &mut Context,
        word: Builtin,
        name: &'a Name,
        args: &'a Args,
        span: Span,
    ) -> Option<Term> {
        let terms = self.free_arguments(cx, name, args)?;
        match word {
            Builtin::Min | Builtin::Max | Builtin::Gcd | Builtin::Lcm => self.fold(word, name, terms, span),
            Builtin::Graph => self.make_graph(word, GraphWord::Graph, name, terms, span),
            Builtin::Digraph => self.make_graph(word, GraphWord::Digraph, name, terms, span),
            Builtin::Multigraph => self.make_graph(word, GraphWord::Multigraph, name, terms, span),
            Builtin::Grid => self.make_grid(name, terms, span),
            _ => self.compound(word, name, terms, span),
        }
    }

    fn free_arguments(&mut self, cx: &mut Context, name: &Name, args: &'a Args) -> Option<Vec<Term>> {
        let args = match args {
            Args::Comprehension { value, clauses } => {
                return Some(vec![self.given(cx, Given::Comprehension(value, clauses))?]);
            }
            Args::Plain(args) => args,
        };
        let mut terms = Some(Vec::new());
        for arg in args {
            if let Some(named) = &arg.name {
                self.error(
                    Diagnostic::new(Code::E05, named.span, format!("`{}` has no `{}`", name.text, named.text))
                        .hint("give its arguments by position"),
                );
                terms = None;
            }
            match (&mut terms, self.expr(cx, &arg.value)) {
                (Some(terms), Some(term)) => terms.push(term),
                (terms, _) => *terms = None,
            }
        }
        terms
    }

    fn wrong_count<T>(&mut self, name: &Name, found: usize, want: &str) -> Option<T> {
        self.fail(
            Diagnostic::new(
                Code::E05,
                name.span,
                format!("`{}` does not take {found} argument{}", name.text, if found == 1 { "" } else { "s" }),
            )
            .hint(want),
        )
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
                return self.fail(Diagnostic::new(
                    Code::E03,
                    span,
                    format!("{whole} cannot compare {}", words.join(" and ")),
                ));
            };
            let mut all = Vec::new();
            for term in terms {
                all.push(self.want(term, &ty, &format!("an argument of {whole}"))?);
            }
            return Some(term(TermKind::Builtin(word, all), ty, span));
        }
        let only = terms.pop()?;
        if whole_numbers {
            let only = self.collection_of(only, &Type::Int, &format!("the only argument of {whole}"))?;
            return Some(term(TermKind::Builtin(word, vec![only]), Type::Int, span));
        }
        let (only, of) = self.members(only, &format!("the only argument of {whole}"))?;
        if !is_ordered(&of) {
            return self.fail(Diagnostic::new(Code::E03, only.span, format!("{} has no order", a_type(&of))));
        }
        Some(term(TermKind::Builtin(word, vec![only]), of, span))
    }

    fn make_graph(
        &mut self,
        word: Builtin,
        kind: GraphWord,
        name: &Name,
        mut terms: Vec<Term>,
        span: Span,
    ) -> Option<Term> {
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
            return Some(term(TermKind::Builtin(word, vec![only]), ty, span));
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
        Some(term(TermKind::Builtin(word, vec![vertices?, edges?]), ty, span))
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
                        Some(Term { span, ..only })
                    }
                }
            }
            2 => {
                let columns = self.want(terms.pop()?, &Type::Int, "the number of columns of `grid`");
                let rows = self.want(terms.pop()?, &Type::Int, "the number of rows of `grid`");
                Some(term(TermKind::Builtin(Builtin::Grid, vec![rows?, columns?]), Type::Grid, span))
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
                    fine.push(self.want(part, &Type::Position, &format!("a part of `{}`", name.text))?);
                }
                gathered(fine, &positions, span)
            }
        };
        let list = adapted(list, &positions).unwrap_or_else(|list| list);
        self.parts_agree(&list)?;
        all.push(list);
        Some(term(TermKind::Builtin(word, all), Type::Position, span))
    }

    /// The parts of a sum or compound: all of one convention, none a compound itself.
    pub(crate) fn parts_agree(&mut self, list: &Term) -> Option<()> {
        let parts: Vec<&Term> = match &list.kind {
            TermKind::Items(_, items) => items.iter().map(|i| &i.term).collect(),
            TermKind::Comprehension(_, value, _) => vec![value],
            _ => Vec::new(),
        };
        let known: Vec<_> = parts.iter().map(|p| (flavour(&self.games, p), p.span)).collect();
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
                if flavour(&self.games, position).misere == Some(true) {
                    return self.fail(if word == Builtin::Grundy { misere_grundy(span) } else { misere_score(span) });
                }
                if let Some(games) = known_games(position) {
                    self.asked.push(Asked { word, games, span });
                }
                Some(())
            }
            Builtin::Set | Builtin::Subsets if !is_comparable(&member_of(&terms[0])) => {
                let of = a_type(&member_of(&terms[0]));
                self.fail(Diagnostic::new(Code::E03, span, format!("{of} cannot be a member of a set")))
            }
            Builtin::Sort | Builtin::Bag if !is_comparable(&member_of(&terms[0])) => {
                let of = a_type(&member_of(&terms[0]));
                self.fail(Diagnostic::new(Code::E03, span, format!("{of} has no order")))
            }
            _ => Some(()),
        }
    }
}

fn member_of(term: &Term) -> Type {
    crate::typing::coercion::member(&term.ty).unwrap_or(Type::Never)
}

fn gathered(parts: Vec<Term>, ty: &Type, span: Span) -> Term {
    let items = parts.into_iter().map(|term| Item { term, spread: false }).collect();
    term(TermKind::Items(Gather::List, items), ty.clone(), span)
}

/// E20: misere play has no Grundy values.
pub(crate) fn misere_grundy(span: Span) -> Diagnostic {
    Diagnostic::new(Code::E20, span, "a misere game has no Grundy value")
        .hint("ask for the outcome: `wins(..)`, `outcome(..)`")
}

/// E21: misere play has no score.
pub(crate) fn misere_score(span: Span) -> Diagnostic {
    Diagnostic::new(Code::E21, span, "a misere game has no score")
        .hint("ask for the outcome: `wins(..)`, `outcome(..)`")
}
