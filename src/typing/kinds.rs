//! Declared types.

use crate::model::kind::{Kind, Type};
use crate::source::diagnostic::{Code, Diagnostic};
use crate::syntax::tree;
use crate::syntax::tree::{GraphWord, KindShape, Name};
use crate::typing::checker::{Checker, TermContext};
use crate::typing::coercion::adapt;
use crate::typing::show::a_type;

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
    /// The kind that a declaration says; names in it (`vertex of g`) are read in `cx`.
    pub(crate) fn kind(&mut self, cx: &mut TermContext, kind: &'a tree::Kind) -> Option<Kind> {
        self.kind_from(cx, kind, 0)
    }

    fn kind_from(&mut self, cx: &mut TermContext, kind: &'a tree::Kind, outer: i64) -> Option<Kind> {
        let base = match kind.from {
            None => outer,
            Some((0, _)) => 0,
            Some((1, _)) => 1,
            Some((n, span)) => {
                return self.fail(
                    Diagnostic::new(Code::E03, span, format!("lists count from 0 or from 1, not from {n}"))
                        .hint("write `from 1`, or nothing"),
                );
            }
        };
        self.deeper(kind.span, |this| match &kind.shape {
            KindShape::Tuple(parts) => {
                let parts: Vec<_> = parts.iter().map(|p| this.kind_from(cx, p, base)).collect();
                Some(Kind::Tuple(parts.into_iter().collect::<Option<_>>()?))
            }
            KindShape::Word(name) => this.kind_word(name, base),
            KindShape::Of(name, of) => match &*name.text {
                "list" => Some(Kind::List(Box::new(this.kind_from(cx, of, base)?), base)),
                "set" => Some(Kind::Set(Box::new(this.kind_from(cx, of, base)?))),
                "bag" => Some(Kind::Bag(Box::new(this.kind_from(cx, of, base)?))),
                "vertex" | "edge" => this.kind_in_graph(cx, name, of),
                "grid" => match &of.shape {
                    KindShape::Word(word) if word.text == "nat" => Some(Kind::NatGrid),
                    KindShape::Word(word) if word.text == "text" => Some(Kind::Grid),
                    _ => this.fail(
                        Diagnostic::new(Code::E03, of.span, "a grid holds characters or `nat`s")
                            .hint("write `grid` or `grid of nat`"),
                    ),
                },
                _ => {
                    this.kind_word(name, base)?;
                    this.fail(Diagnostic::new(Code::E03, kind.span, format!("a `{}` is not `of` anything", name.text)))
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
            "graph" => Kind::Graph(GraphWord::Graph, base),
            "digraph" => Kind::Graph(GraphWord::Digraph, base),
            "multigraph" => Kind::Graph(GraphWord::Multigraph, base),
            "grid" => Kind::Grid,
            "position" => Kind::Position,
            word @ ("list" | "set" | "bag") => {
                return self.fail(
                    Diagnostic::new(Code::E03, name.span, format!("a `{word}` of what?"))
                        .hint(format!("write `{word} of nat`")),
                );
            }
            word @ ("vertex" | "edge") => {
                return self.fail(
                    Diagnostic::new(Code::E03, name.span, format!("`{word}` of which graph?"))
                        .hint(format!("write `{word} of g`")),
                );
            }
            word => {
                let mut error = Diagnostic::new(Code::E01, name.span, format!("there is no type `{word}`"));
                error.hint = self.meant(word, || WORDS);
                return self.fail(error);
            }
        })
    }

    fn kind_in_graph(&mut self, cx: &mut TermContext, word: &Name, of: &'a tree::Kind) -> Option<Kind> {
        let KindShape::Word(name) = &of.shape else {
            return self.fail(
                Diagnostic::new(Code::E03, of.span, format!("`{} of` needs the name of a graph", word.text))
                    .hint(format!("write `{} of g`", word.text)),
            );
        };
        let graph = self.read_name(cx, &name.text, name.span)?;
        let grid = matches!(graph.ty, Type::Grid) && word.text == "vertex";
        if !grid && !matches!(graph.ty, Type::Graph(_)) {
            return self.fail(Diagnostic::new(
                Code::E03,
                name.span,
                format!("`{}` must be a graph, not {}", name.text, a_type(&graph.ty)),
            ));
        }
        // A vertex of a grid is a cell of its graph.
        let graph = if grid { adapt(graph, Type::Graph(GraphWord::Graph)) } else { graph };
        let graph = Some(Box::new(graph));
        Some(if word.text == "vertex" { Kind::Vertex(graph) } else { Kind::Edge(graph) })
    }
}
