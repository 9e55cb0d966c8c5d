//! Graphs and grids drawn in the file.

use crate::model::kind::Type;
use crate::model::{Drawing, DrawnLabel, Term, TermKind};
use crate::source::diagnostic::{Code, Diagnostic};
use crate::source::text::Span;
use crate::syntax::tree::{Chain, DrawingWord, GraphWord, Label};
use crate::typing::checker::Checker;
use crate::typing::expr::term;
use crate::typing::show::graph_word;
use std::collections::HashMap;
use std::sync::Arc;

impl<'a> Checker<'a> {
    /// `graph { a-b, b-c }`.
    pub(crate) fn drawing(&mut self, word: GraphWord, chains: &'a [Chain], span: Span) -> Option<Term> {
        let mut labels: Vec<DrawnLabel> = Vec::new();
        let mut numbers: HashMap<DrawnLabel, usize> = HashMap::new();
        let mut edges = Vec::new();
        let mut fine = true;
        let mut number = |label: &Label| {
            let label = match label {
                Label::Int(n, _) => DrawnLabel::Int(n.clone()),
                Label::Text(t, _) => DrawnLabel::Text(t.clone()),
            };
            *numbers.entry(label.clone()).or_insert_with(|| {
                labels.push(label);
                labels.len() - 1
            })
        };
        for chain in chains {
            let mut at = number(&chain.first);
            for (arrow, label) in &chain.rest {
                let next = number(label);
                if *arrow && word != GraphWord::Digraph && fine {
                    fine = false;
                    self.errors.push(
                        Diagnostic::new(Code::E03, chain.span, format!("a `{}` has no arrows", graph_word(word)))
                            .hint("write `-`, or make it a `digraph`"),
                    );
                }
                edges.push((at, next));
                // `-` in a digraph is an edge each way.
                if word == GraphWord::Digraph && !arrow && at != next {
                    edges.push((next, at));
                }
                at = next;
            }
        }
        let drawing = Drawing::Graph { word, labels, edges };
        fine.then(|| term(TermKind::Drawing(Arc::new(drawing)), Type::Graph(word), span))
    }

    /// `grid """..."""`: its lines without the blank ones around them and without the common indentation.
    pub(crate) fn drawn_text(&mut self, word: DrawingWord, text: &str, span: Span) -> Option<Term> {
        if let DrawingWord::Graph(word) = word {
            let word = graph_word(word);
            return self.fail(
                Diagnostic::new(Code::E03, span, format!("a `{word}` is not drawn in a text"))
                    .hint(format!("write `{word} {{ a-b, b-c }}`")),
            );
        }
        let rows = drawn_rows(text);
        let width = rows.first().map_or(0, |r| r.chars().count());
        if let Some(row) = rows.iter().position(|r| r.chars().count() != width) {
            return self.fail(
                Diagnostic::new(Code::E03, span, format!("row {row} of the grid is not as long as the first one"))
                    .hint("all rows have the same number of cells"),
            );
        }
        Some(term(TermKind::Drawing(Arc::new(Drawing::Grid(rows))), Type::Grid, span))
    }
}

fn drawn_rows(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let first = lines.iter().position(|l| !l.is_empty());
    let last = lines.iter().rposition(|l| !l.is_empty());
    let (Some(first), Some(last)) = (first, last) else { return Vec::new() };
    let lines = &lines[first..=last];
    let indent = |l: &&str| l.len() - l.trim_start().len();
    let common = lines.iter().filter(|l| !l.is_empty()).map(indent).min().unwrap_or(0);
    lines.iter().map(|l| l.get(common..).unwrap_or("").to_owned()).collect()
}

/// `graph from "file"`.
pub(crate) fn from_file(word: DrawingWord, path: &str, span: Span) -> Term {
    let path = path.to_owned();
    let (drawing, ty) = match word {
        DrawingWord::Graph(word) => (Drawing::GraphFile { word, path }, Type::Graph(word)),
        DrawingWord::Grid => (Drawing::GridFile { path }, Type::Grid),
    };
    term(TermKind::Drawing(Arc::new(drawing)), ty, span)
}
