//! Values for inputs at random: one way through the clauses of a `cases` line.

use crate::model::walk::bare;
use crate::model::{Builtin, Clause, Frame, GraphWord, Pattern, Slot, Term, TermKind};
use crate::source::Diagnostic;
use crate::value::{Graph, Labels, Value, iterate, width};
use crate::vm::context::Context;
use fastrand::Rng;
use std::sync::Arc;

/// Of so many vertices every pair may be an edge.
const DENSE: usize = 300;

/// So often a way is begun anew after a `where` that did not hold.
const TRIES: usize = 100;

/// A way through the clauses at random: the slots with their values. Numbers without an end go up to `most` or so. Words that list all
/// lists, graphs, .. of a size give one of them without making the others. `None`: no way was found.
pub fn sample(
    ctx: &mut Context,
    frame: &Frame,
    clauses: &[Clause],
    rng: &mut Rng,
    most: i64,
) -> Result<Option<Vec<(Slot, Value)>>, Box<Diagnostic>> {
    for _ in 0..TRIES {
        if let Some(way) =
            (Sampler { ctx, frame, rng: &mut *rng, most, slots: Vec::new(), values: Vec::new() }).way(clauses)?
        {
            return Ok(Some(way));
        }
    }
    Ok(None)
}

struct Sampler<'a> {
    ctx: &'a mut Context,
    frame: &'a Frame,
    rng: &'a mut Rng,
    most: i64,
    slots: Vec<Slot>,
    values: Vec<Value>,
}

type Found<T> = Result<T, Box<Diagnostic>>;

impl Sampler<'_> {
    fn way(mut self, clauses: &[Clause]) -> Found<Option<Vec<(Slot, Value)>>> {
        for clause in clauses {
            let went_on = match clause {
                Clause::Where(condition) => matches!(self.eval(condition)?, Value::Bool(true)),
                Clause::Let { pattern, value } => {
                    let value = self.eval(value)?;
                    self.bind(pattern, value).is_some()
                }
                Clause::In { pattern, source, .. } => match self.member(source)? {
                    Some(value) => self.bind(pattern, value).is_some(),
                    None => false,
                },
            };
            if !went_on {
                return Ok(None);
            }
        }
        Ok(Some(self.slots.into_iter().zip(self.values).collect()))
    }

    fn eval(&mut self, term: &Term) -> Found<Value> {
        let Sampler { ctx, frame, slots, values, .. } = self;
        ctx.with_recovery(|ctx| ctx.eval_with(frame, slots, values, term))
    }

    fn bind(&mut self, pattern: &Pattern, value: Value) -> Option<()> {
        match pattern {
            Pattern::Ignore => {}
            Pattern::Slot(slot) => {
                self.slots.push(*slot);
                self.values.push(value);
            }
            Pattern::Tuple(parts, _) => {
                let members: Vec<Value> = match &value {
                    Value::Tuple(members) => members.to_vec(),
                    Value::Edge(edge) => vec![edge.u.clone(), edge.v.clone()],
                    list => iterate(list).ok()?.collect(),
                };
                if members.len() != parts.len() {
                    return None;
                }
                for (part, member) in parts.iter().zip(members) {
                    self.bind(part, member)?;
                }
            }
        }
        Some(())
    }

    /// A number of a range: small ones as often as large ones.
    fn number(&mut self, from: i64, to: i64) -> i64 {
        if from < 0 && to > -self.most {
            // Round 0, which is in the middle or at the end.
            let far = if self.rng.bool() { self.most } else { self.most.saturating_mul(8) };
            return self.rng.i64(from.max(-far)..=to.min(far));
        }
        let near = from.saturating_add(self.most).min(to);
        let to = if self.rng.bool() { near } else { to.min(from.saturating_add(self.most.saturating_mul(8))) };
        self.rng.i64(from..=to.max(from))
    }

    fn one_of(&mut self, collection: &Value) -> Option<Value> {
        if let Value::Range(from, to) = collection {
            return (from <= to).then(|| Value::Int(self.number(*from, *to)));
        }
        let mut members = iterate(collection).ok()?;
        let count = collection.breadth();
        if count == 0 {
            return None;
        }
        let at = self.rng.u64(0..count);
        members.nth(usize::try_from(at).ok()?)
    }

    fn count(&mut self, term: &Term) -> Found<Option<usize>> {
        Ok(match self.eval(term)? {
            Value::Int(n) => usize::try_from(n).ok(),
            _ => None,
        })
    }

    fn member(&mut self, source: &Term) -> Found<Option<Value>> {
        use Builtin as B;
        let source = bare(source);
        let TermKind::Builtin(word, args) = &source.kind else {
            let collection = self.eval(source)?;
            return Ok(self.one_of(&collection));
        };
        match (word, &args[..]) {
            (B::Nat, _) => Ok(Some(Value::Int(self.number(0, i64::MAX)))),
            (B::Lists | B::Bags, [of, count]) => {
                let (of, Some(count)) = (self.eval(of)?, self.count(count)?) else { return Ok(None) };
                let members: Option<Vec<Value>> = (0..count).map(|_| self.one_of(&of)).collect();
                Ok(members.map(|members| if *word == B::Bags { Value::bag(members) } else { Value::list(members) }))
            }
            (B::Subsets, [of]) => {
                let of: Vec<Value> = match iterate(&self.eval(of)?) {
                    Ok(members) => members.collect(),
                    Err(_) => return Ok(None),
                };
                let chosen: Vec<Value> = of.into_iter().filter(|_| self.rng.bool()).collect();
                Ok(Some(Value::set(chosen)))
            }
            (B::Graphs | B::Connected | B::Trees | B::Digraphs | B::Dags, [n]) => {
                let Some(n) = self.count(n)? else { return Ok(None) };
                Ok(Some(self.graph(*word, n)))
            }
            (B::Multigraphs, [n, edges]) => {
                let (Some(n), Some(edges)) = (self.count(n)?, self.count(edges)?) else { return Ok(None) };
                let pairs =
                    if n == 0 { Vec::new() } else { (0..edges).map(|_| (self.vertex(n), self.vertex(n))).collect() };
                Ok(Some(graph(GraphWord::Multigraph, n, pairs)))
            }
            _ => {
                let collection = self.eval(source)?;
                Ok(self.one_of(&collection))
            }
        }
    }

    fn vertex(&mut self, n: usize) -> u32 {
        self.rng.u32(0..u32::try_from(n).unwrap_or(u32::MAX))
    }

    fn graph(&mut self, word: Builtin, n: usize) -> Value {
        let mut names: Vec<u32> = (0..u32::try_from(n).unwrap_or(0)).collect();
        self.rng.shuffle(&mut names);
        let mut pairs = Vec::new();
        if matches!(word, Builtin::Trees | Builtin::Connected) {
            pairs.extend((1..n).map(|child| (names[self.rng.usize(0..child)], names[child])));
        }
        // Of many vertices no more pairs than a few for each.
        if word != Builtin::Trees && n > DENSE {
            for _ in 0..self.rng.usize(0..=4 * n) {
                let (mut u, mut v) = (self.rng.usize(0..n), self.rng.usize(0..n));
                if u > v && word != Builtin::Digraphs {
                    std::mem::swap(&mut u, &mut v);
                }
                if u != v {
                    pairs.push((names[u], names[v]));
                }
            }
        } else if word != Builtin::Trees {
            let dense = self.rng.f64();
            for v in 0..n {
                for u in 0..v {
                    let both = word == Builtin::Digraphs;
                    if self.rng.f64() < dense {
                        pairs.push((names[u], names[v]));
                    }
                    if both && self.rng.f64() < dense {
                        pairs.push((names[v], names[u]));
                    }
                }
            }
        }
        let directed = matches!(word, Builtin::Digraphs | Builtin::Dags);
        graph(if directed { GraphWord::Digraph } else { GraphWord::Graph }, n, pairs)
    }
}

fn graph(word: GraphWord, n: usize, pairs: Vec<(u32, u32)>) -> Value {
    debug_assert!(pairs.iter().all(|(u, v)| width::index(u64::from(*u.max(v))) < n));
    Value::Graph(Arc::new(Graph::of_numbers(word, Arc::new(Labels::Ints { from: 0, n }), None, pairs)))
}
