//! The constants that a game uses as vertices: graphs are tried with vertices of these names too (rule 34).

use crate::model::builtin::Builtin;
use crate::model::kind::Type;
use crate::model::walk::{each_in_clauses, each_term};
use crate::model::{Clause, CompareOp, Ending, Game, Program, Target, Term, TermKind, TheoremSays};
use crate::value::Value;
use hashbrown::HashSet;

/// The constant ints and texts that stand as vertices in a game, ascending.
pub(crate) fn vertex_constants(program: &Program, game: &Game) -> Vec<Value> {
    let mut found = Vec::new();
    let mut todo: Vec<&Term> = own_terms(game);
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
                todo.extend(def.frame.slots.iter().filter_map(|s| s.lazy.as_deref()));
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

fn own_terms(game: &Game) -> Vec<&Term> {
    let mut terms: Vec<&Term> = Vec::new();
    terms.extend(game.params.iter().chain(&game.fields).filter_map(|f| f.default.as_ref()));
    terms.extend(&game.filter);
    terms.extend(game.frame.slots.iter().filter_map(|s| s.lazy.as_deref()));
    for end in &game.ends {
        terms.push(&end.when);
        if let Ending::Score(score) = &end.verdict {
            terms.push(score);
        }
    }
    terms.extend(&game.legal);
    terms.extend(game.same.iter().flat_map(|same| [&same.when, &same.position]));
    for mv in &game.moves {
        in_clauses(&mv.clauses, &mut terms);
        in_target(&mv.target, &mut terms);
    }
    for theorem in &game.theorems {
        match &theorem.says {
            TheoremSays::Value { value, guard, .. } => terms.extend(guard.iter().chain([value])),
            TheoremSays::Verdict { when, guard, .. } => terms.extend(guard.iter().chain([when])),
            TheoremSays::Moves { clauses, .. } => in_clauses(clauses, &mut terms),
        }
    }
    terms
}

fn in_clauses<'t>(clauses: &'t [Clause], out: &mut Vec<&'t Term>) {
    each_in_clauses(clauses, &mut |t| out.push(t));
}

fn in_target<'t>(target: &'t Target, out: &mut Vec<&'t Term>) {
    match target {
        Target::If(when, yes, no) => {
            out.push(when);
            in_target(yes, out);
            in_target(no, out);
        }
        Target::Stop(_) => {}
        Target::Go { position, gain, .. } => {
            out.push(position);
            out.extend(gain);
        }
    }
}
