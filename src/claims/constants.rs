//! The constants that a game uses as vertices: graphs are tried with vertices of these names too (rule 34).

use crate::model::builtin::Builtin;
use crate::model::kind::Type;
use crate::model::walk::{each_term, game_terms};
use crate::model::{CompareOp, Game, Program, Term, TermKind};
use crate::value::Value;
use hashbrown::HashSet;

/// The constant ints and texts that stand as vertices in a game, ascending.
pub(crate) fn vertex_constants(program: &Program, game: &Game) -> Vec<Value> {
    let mut found = Vec::new();
    let (mut todo, other) = game_terms(game);
    todo.extend(other);
    let mut called = HashSet::new();
    while let Some(term) = todo.pop() {
        each_term(term, &mut |t| match &t.kind {
            TermKind::Builtin(word, args) if takes_vertices(*word) => {
                found.extend(args.iter().filter_map(constant));
                if *word == Builtin::Grounded && args.len() < 3 {
                    found.push(Value::text("ground"));
                }
            }
            TermKind::Compare(first, rest) => {
                let mut before = &**first;
                for (op, after) in rest {
                    let vertices = matches!(after.ty, Type::Graph(_)) || after.ty == Type::Set(Box::new(Type::Vertex));
                    if matches!(op, CompareOp::In | CompareOp::NotIn) && vertices {
                        found.extend(constant(before));
                    }
                    before = after;
                }
            }
            TermKind::Call(def, _) if called.insert(*def) => {
                let def = &program.defs[def.0];
                todo.extend(&def.body);
                todo.extend(def.frame.lazies());
            }
            _ => {}
        });
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn takes_vertices(word: Builtin) -> bool {
    use Builtin as B;
    matches!(
        word,
        B::Neighbours
            | B::Successors
            | B::Predecessors
            | B::Degree
            | B::Reach
            | B::Distance
            | B::Grounded
            | B::Fusion
            | B::FusionWinning
            | B::EdgeGeographyWinning
    )
}

fn constant(term: &Term) -> Option<Value> {
    match &term.kind {
        TermKind::Int(n) => Some(Value::int(n.clone())),
        TermKind::Text(text) => Some(Value::text(text)),
        TermKind::Coerce(inner, _) | TermKind::Adapt(inner) => constant(inner),
        _ => None,
    }
}
