//! All states of a game in order of size: rule parameters first, then fields.
//!
//! These are the states by type, not those that some start can reach: a theorem speaks of every position.

use crate::claims::constants::vertex_constants;
use crate::claims::domain_graph::texts;
use crate::claims::range::{Host, Range};
use crate::model::GameId;
use crate::value::Value;
use crate::vm::context::Context;
use num_bigint::BigInt;
use num_rational::Ratio;

/// Goes on, or stops the listing.
pub(crate) type Step = Result<(), Stop>;
/// What is done with each value.
pub(crate) type Visit<'a> = &'a mut dyn FnMut(Value) -> Step;

/// The one who is shown the values has seen enough.
pub(crate) struct Stop;

/// The parameters and fields of a game.
pub(crate) struct Domain {
    ranges: Vec<Range>,
    pub(crate) names: Vec<String>,
    pub(crate) letters: Vec<char>,
    pub(crate) constants: Vec<Value>,
}

impl Domain {
    pub(crate) fn of(ctx: &mut Context, game: GameId) -> Domain {
        let program = ctx.session.program.clone();
        let game = &program.games[game.0];
        let fields = || game.params.iter().chain(&game.fields);
        let ranges: Vec<Range> = fields().map(|field| Range::of(ctx, &field.kind)).collect();
        let graphs = ranges.iter().any(|range| matches!(range, Range::Graph(..)));
        Domain {
            ranges,
            names: fields().map(|field| field.name.clone()).collect(),
            letters: program.letters.clone(),
            constants: if graphs { vertex_constants(&program, game) } else { Vec::new() },
        }
    }

    /// The greatest size, when there is one.
    pub(crate) fn ceiling(&self) -> Option<u64> {
        self.ranges.iter().map(Range::ceiling).sum()
    }

    /// "up to this size" in words.
    pub(crate) fn bound(&self, size: u64) -> String {
        match (&self.ranges[..], &self.names[..]) {
            ([Range::Nat], [name]) => format!("{name} <= {size}"),
            ([Range::Int], [name]) => format!("-{size} <= {name} <= {size}"),
            _ => format!("all sizes up to {size}"),
        }
    }

    /// Shows every choice of values of this size; `None` where only the default is tried.
    pub(crate) fn states(&self, size: u64, visit: &mut dyn FnMut(&[Option<Value>]) -> Step) -> Step {
        self.choices(&self.ranges, size, &mut Vec::new(), visit)
    }

    /// Every choice of one value of each range whose sizes make up `left`; earlier ranges are `chosen`.
    fn choices(
        &self,
        ranges: &[Range],
        left: u64,
        chosen: &mut Vec<Option<Value>>,
        visit: &mut dyn FnMut(&[Option<Value>]) -> Step,
    ) -> Step {
        let Some(range) = ranges.get(chosen.len()) else {
            return if left == 0 { visit(chosen) } else { Ok(()) };
        };
        let range = range.settled(chosen);
        // What the ranges after this one cannot take, this one must.
        let after: Option<u64> = ranges[chosen.len() + 1..].iter().map(|r| r.settled(chosen).ceiling()).sum();
        let least = after.map_or(0, |after| left.saturating_sub(after));
        let most = range.ceiling().map_or(left, |most| most.min(left));
        for size in least..=most {
            let mut with = |value: Option<Value>| {
                chosen.push(value);
                let step = self.choices(ranges, left - size, chosen, visit);
                chosen.pop();
                step
            };
            match &range {
                Range::Default => with(None)?,
                range => self.each(range, size, &mut |value| with(Some(value)))?,
            }
        }
        Ok(())
    }

    /// Every list of one value of each range whose sizes make up `size`. There is none where a range has only a default.
    pub(crate) fn tuples(&self, parts: &[Range], size: u64, visit: &mut dyn FnMut(Vec<Value>) -> Step) -> Step {
        self.choices(parts, size, &mut Vec::new(), &mut |chosen| {
            chosen.iter().cloned().collect::<Option<Vec<Value>>>().map_or(Ok(()), &mut *visit)
        })
    }

    /// Shows every value of a range that has this size.
    fn each(&self, range: &Range, size: u64, visit: Visit<'_>) -> Step {
        let count = usize::try_from(size).unwrap_or(usize::MAX);
        match range {
            Range::Nat => visit(Value::Int(size.cast_signed())),
            Range::Int => {
                visit(Value::Int(size.cast_signed()))?;
                if size > 0 { visit(Value::Int(-size.cast_signed())) } else { Ok(()) }
            }
            // Ints, and halves between them.
            Range::Real => {
                let half = Ratio::new(BigInt::from(size), BigInt::from(2));
                visit(Value::real(crate::value::Surd { a: half, b: Ratio::default(), c: BigInt::default() }))
            }
            Range::Bool if size == 0 => [false, true].into_iter().try_for_each(|b| visit(Value::Bool(b))),
            Range::Text => {
                texts(&self.letters, count, &mut Vec::new(), &mut |letters| visit(Value::Text(letters.into())))
            }
            Range::Tuple(parts) => self.tuples(parts, size, &mut |items| visit(Value::tuple(items))),
            Range::List(of, base) => self.lists(of, *base, size, &mut Vec::new(), visit),
            Range::Set(of) => self.collections(of, size, true, &mut |items| visit(Value::set(items))),
            Range::Bag(of) => self.collections(of, size, false, &mut |items| visit(Value::bag(items))),
            Range::Graph(word, base) => self.graphs(*word, *base, size, visit),
            Range::Grid => self.grids(size, visit),
            Range::NatGrid => self.nat_grids(size, visit),
            Range::Vertex(Host::Known(graph)) if size == 0 => {
                graph.vertices.iter().try_for_each(|&v| visit(graph.label(v)))
            }
            Range::Edge(Host::Known(graph)) if size == 0 => {
                graph.edges.iter().try_for_each(|edge| visit(graph.edge_value(&edge)))
            }
            _ => Ok(()),
        }
    }

    fn lists(&self, of: &Range, base: i64, left: u64, so_far: &mut Vec<Value>, visit: Visit<'_>) -> Step {
        if left == 0 {
            return visit(Value::list_from(base, so_far.clone()));
        }
        for size in 0..left {
            self.each(of, size, &mut |value| {
                so_far.push(value);
                let step = self.lists(of, base, left - 1 - size, so_far, visit);
                so_far.pop();
                step
            })?;
        }
        Ok(())
    }

    /// Sets (`distinct`) and bags: members in the order of a pool of all that are small enough.
    fn collections(&self, of: &Range, size: u64, distinct: bool, visit: &mut dyn FnMut(Vec<Value>) -> Step) -> Step {
        /// More members than this are not tried.
        const POOL: usize = 20_000;
        let mut pool: Vec<(u64, Value)> = Vec::new();
        for each in 0..size {
            let full = self.each(of, each, &mut |value| {
                pool.push((each + 1, value));
                if pool.len() < POOL { Ok(()) } else { Err(Stop) }
            });
            if full.is_err() {
                break;
            }
        }
        pick(&pool, size, distinct, &mut Vec::new(), visit)
    }
}

/// All choices from the pool, in its order, whose costs make up `left`. The pool is ascending by cost.
fn pick(
    pool: &[(u64, Value)],
    left: u64,
    distinct: bool,
    so_far: &mut Vec<Value>,
    visit: &mut dyn FnMut(Vec<Value>) -> Step,
) -> Step {
    if left == 0 {
        return visit(so_far.clone());
    }
    for (i, (cost, value)) in pool.iter().enumerate() {
        if *cost > left {
            break;
        }
        so_far.push(value.clone());
        let step = pick(&pool[i + usize::from(distinct)..], left - cost, distinct, so_far, visit);
        so_far.pop();
        step?;
    }
    Ok(())
}
