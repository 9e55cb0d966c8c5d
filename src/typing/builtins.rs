//! Calls of built-in words: arguments fit, results have types.

use crate::model::builtin::{Builtin, ParamType, ResultType};
use crate::model::kind::Type;
use crate::model::{Term, TermKind};
use crate::source::diagnostic::{Code, Diagnostic};
use crate::source::text::Span;
use crate::syntax::tree::{Args, GraphWord, Name};
use crate::typing::arguments::missing;
use crate::typing::checker::Checker;
use crate::typing::coercion::{Fit, adapt, cell, fits, is_cell, join, member};
use crate::typing::context::Context;
use crate::typing::expr::term;
use crate::typing::show::a_type;

fn list(of: Type) -> Type {
    Type::List(Box::new(of))
}

fn set(of: Type) -> Type {
    Type::Set(Box::new(of))
}

fn bag(of: Type) -> Type {
    Type::Bag(Box::new(of))
}

/// Whether a type may be a vertex.
pub(crate) fn is_label(ty: &Type) -> bool {
    fits(ty, &Type::Vertex) == Fit::Same
}

impl<'a> Checker<'a> {
    /// A call of a built-in word.
    pub(crate) fn builtin(
        &mut self,
        cx: &mut Context,
        word: Builtin,
        name: &'a Name,
        args: &'a Args,
        span: Span,
    ) -> Option<Term> {
        let row = word.signature();
        if matches!(row.result, ResultType::Several | ResultType::Compound) {
            return self.special(cx, word, name, args, span);
        }
        let whole = format!("`{}`", row.name);
        let names: Vec<&str> = row.params.iter().map(|p| p.0).collect();
        let given = self.arguments(&whole, &names, args, span)?;
        let mut terms: Vec<Option<Term>> = Vec::new();
        let mut fine = true;
        for (index, given) in given.into_iter().enumerate() {
            let (param, want) = row.params[index];
            let Some(given) = given else {
                if index < row.needed {
                    self.error(missing(&whole, param, span));
                    fine = false;
                }
                terms.push(None);
                continue;
            };
            let found = self.given(cx, given);
            let before = terms.first().and_then(|t| t.as_ref()).map(|t: &Term| t.ty.clone());
            let what = format!("`{param}` of {whole}");
            match found.and_then(|t| self.argument(t, want, before.as_ref(), &what)) {
                Some(term) => terms.push(Some(term)),
                None => fine = false,
            }
        }
        if !fine {
            return None;
        }
        // `grounded(g, ground = v)`: all edges of g stand for those left out.
        if word == Builtin::Grounded
            && let [Some(g), None, Some(_)] = &terms[..]
        {
            let all = term(TermKind::Builtin(Builtin::Edges, vec![g.clone()]), set(Type::Edge), span);
            terms[1] = Some(all);
        }
        let terms: Vec<Term> = terms.into_iter().flatten().collect();
        let ty = Self::result(row.result, &terms);
        self.question(word, &terms, span)?;
        Some(term(TermKind::Builtin(word, terms), ty, span))
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
            ParamType::Cells => self.collection_of(found, &cell(), what),
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

    fn unfit<T>(&mut self, found: &Term, what: &str, want: &str, hint: Option<&str>) -> Option<T> {
        let mut error =
            Diagnostic::new(Code::E03, found.span, format!("{what} must be {want}, not {}", a_type(&found.ty)))
                .label(format!("this is {}", a_type(&found.ty)));
        error.hint = hint.map(str::to_owned);
        self.fail(error)
    }

    /// A vertex of a graph.
    pub(crate) fn label(&mut self, found: Term, what: &str) -> Option<Term> {
        if is_label(&found.ty) { Some(found) } else { self.unfit(&found, what, "a vertex", None) }
    }

    /// A collection whose members fit `of`; only the members are adapted, the collection keeps its form.
    pub(crate) fn collection_of(&mut self, found: Term, of: &Type, what: &str) -> Option<Term> {
        let (found, has) = self.members(found, what)?;
        match fits(&has, of) {
            Fit::Same => Some(found),
            Fit::No | Fit::Real => {
                let want = a_type(&list(of.clone()));
                self.unfit(&found, what, &format!("a collection such as {want}"), None)
            }
            Fit::Label | Fit::Change => {
                let ty = match &found.ty {
                    Type::Set(_) => set(of.clone()),
                    Type::Bag(_) => bag(of.clone()),
                    _ => list(of.clone()),
                };
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
        let vertex = Self::vertex_type(args.first());
        match result {
            ResultType::Int => Type::Int,
            ResultType::Bool => Type::Bool,
            ResultType::Text => Type::Text,
            ResultType::Real => Type::Real,
            ResultType::Range => Type::Range,
            ResultType::Ints => list(Type::Int),
            ResultType::Texts => list(Type::Text),
            ResultType::Graph => Type::Graph(GraphWord::Graph),
            ResultType::Same => match first {
                Type::Range => list(Type::Int),
                other => other,
            },
            ResultType::Member => of,
            ResultType::Total => match of {
                Type::Never => Type::Int,
                other => other,
            },
            ResultType::List => list(of),
            ResultType::Set => set(of),
            ResultType::Bag => bag(of),
            ResultType::Lists => list(list(of)),
            ResultType::Subsets => list(set(of)),
            ResultType::Bags => list(bag(of)),
            ResultType::Pairs => list(Type::Tuple(vec![of.clone(), of])),
            ResultType::Union => set(member(&of).unwrap_or(Type::Never)),
            ResultType::Choices => list(list(member(&of).unwrap_or(Type::Never))),
            ResultType::Partitions => list(bag(Type::Int)),
            ResultType::Vertices => set(vertex),
            ResultType::Components => list(set(vertex)),
            ResultType::Edges => set(Type::Edge),
            ResultType::Ends => Type::Tuple(vec![Type::Vertex, Type::Vertex]),
            ResultType::Cells => set(cell()),
            ResultType::CellList => list(cell()),
            ResultType::Positions => list(Type::Position),
            ResultType::Graphs => list(Type::Graph(GraphWord::Graph)),
            ResultType::DigraphList => list(Type::Graph(GraphWord::Digraph)),
            ResultType::MultigraphList => list(Type::Graph(GraphWord::Multigraph)),
            ResultType::Compound | ResultType::Several | ResultType::Unnamed => Type::Position,
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
}

/// The common type of several arguments.
pub(crate) fn join_all(terms: &[Term]) -> Option<Type> {
    terms.iter().try_fold(Type::Never, |ty, t| join(&ty, &t.ty))
}
