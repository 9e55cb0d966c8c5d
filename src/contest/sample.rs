//! Values for inputs at random: one way through the clauses of a `cases` line.

use crate::contest::choices::Choices;
use crate::model::walk::bare;
use crate::model::{Builtin, Clause, Frame, GraphWord, Pattern, Slot, Term, TermKind};
use crate::source::Diagnostic;
use crate::value::{Graph, Labels, Value, iterate, width};
use crate::vm::context::Context;
use std::sync::Arc;

/// Of so many vertices every pair may be an edge.
const DENSE: usize = 300;

/// So often a way is begun anew after a `where` that did not hold.
const TRIES: usize = 100;

/// A way through the clauses by choices: the slots with their values. At random, numbers without an end go up to `most` or so. Words that
/// list all lists, graphs, .. of a size give one of them without making the others. `None`: no way was found.
pub fn sample(
    ctx: &mut Context,
    frame: &Frame,
    clauses: &[Clause],
    choices: &mut Choices<'_>,
    most: i64,
) -> Result<Option<Vec<(Slot, Value)>>, Box<Diagnostic>> {
    for _ in 0..if choices.is_random() { TRIES } else { 1 } {
        choices.begin();
        if let Some(way) = (Sampler { ctx, frame, choices: &mut *choices, most, slots: Vec::new(), values: Vec::new() })
            .way(clauses)?
        {
            return Ok(Some(way));
        }
    }
    Ok(None)
}

struct Sampler<'a, 'r> {
    ctx: &'a mut Context,
    frame: &'a Frame,
    choices: &'a mut Choices<'r>,
    most: i64,
    slots: Vec<Slot>,
    values: Vec<Value>,
}

type Found<T> = Result<T, Box<Diagnostic>>;

impl Sampler<'_, '_> {
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

    /// A number of a range: small ones as often as large ones. What is chosen is how far it lies from the one that is next to 0.
    fn number(&mut self, from: i64, to: i64) -> i64 {
        let most = self.most;
        if from < 0 && to > 0 {
            // Round 0: 0, -1, 1, -2, 2, ..; behind the nearer end one side alone.
            let number = |chosen: u64| {
                let around = from.unsigned_abs().min(to.unsigned_abs());
                let (far, left) = if chosen <= around.saturating_mul(2) {
                    (chosen.div_ceil(2), chosen % 2 == 1)
                } else {
                    (chosen - around, from.unsigned_abs() > to.unsigned_abs())
                };
                if left { 0_i64.saturating_sub_unsigned(far) } else { 0_i64.saturating_add_unsigned(far) }
            };
            let all = from.unsigned_abs().saturating_add(to.unsigned_abs());
            let chosen = self.choices.choose_near(all, |rng| {
                let far = if rng.bool() { most } else { most.saturating_mul(8) };
                rng.u64(0..=all.min(far.unsigned_abs().saturating_mul(2)))
            });
            return number(chosen);
        }
        let chosen = self.choices.choose_near(to.abs_diff(from), |rng| {
            let far = if rng.bool() { most } else { most.saturating_mul(8) };
            rng.u64(0..=to.abs_diff(from).min(far.unsigned_abs()))
        });
        if to <= 0 { to.saturating_sub_unsigned(chosen) } else { from.saturating_add_unsigned(chosen) }
    }

    fn one_of(&mut self, collection: &Value) -> Option<Value> {
        if let Value::Range(from, to) = collection {
            return (from <= to).then(|| self.number(*from, *to)).map(Value::Int);
        }
        let mut members = iterate(collection).ok()?;
        let last = collection.breadth().checked_sub(1)?;
        let at = self.choices.up_to(last);
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
                let Some(count) = self.count(count)? else { return Ok(None) };
                let is_listing =
                    matches!(bare(of).kind, TermKind::Builtin(B::Lists | B::Bags | B::Subsets | B::Words, _));
                // Lists of lists are too many to be made.
                let collection = if is_listing { None } else { Some(self.eval(of)?) };
                let mut members = Vec::new();
                for _ in 0..count {
                    let member = match &collection {
                        Some(collection) => self.one_of(collection),
                        None => self.member(of)?,
                    };
                    let Some(member) = member else { return Ok(None) };
                    members.push(member);
                }
                Ok(Some(if *word == B::Bags { Value::bag(members) } else { Value::list(members) }))
            }
            (B::Words, [alphabet, length]) => {
                let (alphabet, length) = (self.eval(alphabet)?, self.eval(length)?);
                let letters: Vec<String> = match iterate(&alphabet) {
                    Ok(letters) => letters.map(|letter| letter.to_string()).collect(),
                    Err(_) => return Ok(None),
                };
                let length = if let Value::Int(n) = length { Some(Value::Int(n)) } else { self.one_of(&length) };
                let Some(Value::Int(length)) = length else { return Ok(None) };
                if letters.is_empty() && length > 0 {
                    return Ok(None);
                }
                let word: String = (0..length).map(|_| &*letters[self.below(letters.len())]).collect();
                Ok(Some(Value::text(&word)))
            }
            (B::Subsets, [of]) => {
                let of: Vec<Value> = match iterate(&self.eval(of)?) {
                    Ok(members) => members.collect(),
                    Err(_) => return Ok(None),
                };
                // The first members are chosen last: a smaller set is one of smaller choices.
                let chosen: Vec<Value> = of.into_iter().rev().filter(|_| self.choices.up_to(1) == 1).collect();
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
        let vertex = self.below(n);
        u32::try_from(vertex).unwrap_or(u32::MAX)
    }

    /// A number below `n`, which is not 0.
    fn below(&mut self, n: usize) -> usize {
        width::index(self.choices.up_to(width::count(n) - 1))
    }

    fn graph(&mut self, word: Builtin, n: usize) -> Value {
        let mut names: Vec<u32> = (0..u32::try_from(n).unwrap_or(0)).collect();
        for at in 1..n {
            // 0 leaves it where it is.
            let other = at - self.below(at + 1);
            names.swap(at, other);
        }
        let mut pairs = Vec::new();
        if matches!(word, Builtin::Trees | Builtin::Connected) {
            for child in 1..n {
                let parent = self.below(child);
                pairs.push((names[parent], names[child]));
            }
        }
        // Of many vertices no more pairs than a few for each.
        if word != Builtin::Trees && n > DENSE {
            for _ in 0..self.below(4 * n + 1) {
                let (mut u, mut v) = (self.below(n), self.below(n));
                if u > v && word != Builtin::Digraphs {
                    std::mem::swap(&mut u, &mut v);
                }
                if u != v {
                    pairs.push((names[u], names[v]));
                }
            }
        } else if word != Builtin::Trees {
            // Of so many in a hundred pairs each is an edge.
            let dense = self.choices.up_to(100);
            let mut is_edge = || self.choices.choose(1, |rng| u64::from(rng.u64(0..100) < dense)) == 1;
            for v in 0..n {
                for u in 0..v {
                    if is_edge() {
                        pairs.push((names[u], names[v]));
                    }
                    if word == Builtin::Digraphs && is_edge() {
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
