//! Boxes of states in which the values of some fields ascend: their ranks, and answers with and without them.

use crate::naive::engine::{EVERYTHING, each, program};
use crate::rng::{Rng, join, list};
use crate::rounds;
use grundy::answer::{Answer, GrundyValue};
use grundy::engines as solve;
use grundy::input::data::NoFiles;
use grundy::tables::{Chain, Grid, Span, Table};
use grundy::value::limits::Limits;
use grundy::vm::context::Context;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::sync::Arc;

/// All lists of numbers below `size` that ascend by `gap` at least, by going through all lists.
fn ascending(size: i64, len: u32, gap: i64) -> Vec<Vec<i64>> {
    let digit = |number: i64, at: u32| number / size.pow(at) % size;
    let all = (0..size.pow(len)).map(|number| (0..len).map(|at| digit(number, at)).collect::<Vec<i64>>());
    all.filter(|row| row.windows(2).all(|pair| pair[1] - pair[0] >= gap)).collect()
}

#[test]
fn ranks_of_ascending_fields_are_those_of_all_such_rows() {
    for (size, len, gap, reversed) in
        [(5, 3, 0, false), (5, 3, 1, false), (4, 3, 0, true), (5, 3, 1, true), (7, 2, 1, false), (3, 4, 0, true)]
    {
        // A field more before them and one behind, of 3 and 2 values.
        let fields = usize::try_from(len).expect("few");
        let sizes = [3].into_iter().chain((0..len).map(|_| size)).chain([2]);
        let spans: Vec<Span> = sizes.map(Span::natural).collect();
        let mut order: Vec<usize> = (1..=fields).collect();
        if !reversed {
            order.reverse();
        }
        let order: Vec<usize> = [0].into_iter().chain(order).chain([fields + 1]).collect();
        let mut turned = vec![reversed; fields + 2];
        (turned[0], turned[fields + 1]) = (true, false);
        let chain = Chain::new((1..=fields).collect(), gap);
        let grid = Grid::with_chains(&spans, &order, &turned, vec![chain]).expect("small");
        let rows = ascending(size.cast_signed(), len, gap.cast_signed());
        assert_eq!(grid.volume, 6 * rows.len() as u64);
        let mut ranks = Vec::new();
        for row in &rows {
            for (a, z) in [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)] {
                let words: Vec<i64> = [a].into_iter().chain(row.iter().copied()).chain([z]).collect();
                let rank = grid.rank(&words).expect("inside");
                assert_eq!(grid.words(rank), words);
                ranks.push(rank);
                // A step down in one field alone is one down in rank.
                for field in 1..=fields {
                    let mut less = words.clone();
                    less[field] += if reversed { 1 } else { -1 };
                    assert!(grid.rank(&less).is_none_or(|less| less < rank), "{words:?} {less:?}");
                }
            }
        }
        ranks.sort_unstable();
        assert!(ranks.iter().copied().eq(0..grid.volume));
        let mut mixed = vec![0; fields + 2];
        mixed[1] = 1;
        assert_eq!(grid.rank(&mixed), None);
    }
}

/// What is answered, and the cells of the largest table that was made.
fn answered(text: &str, trial: u64, chains: bool) -> (Answer, u64, bool) {
    let program = program(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    // Several threads share a table wherever it can be divided.
    let limits = Limits { threads: NonZeroUsize::new(3), grain: 0, ..Limits::default() };
    let mut ctx = Context::new(program.clone(), Arc::new(NoFiles), limits, solve::ask);
    (ctx.options.trial, ctx.options.chains) = (trial, chains);
    ctx.give(Vec::new());
    let answer = each(&mut ctx, |ctx, position| solve::solve(ctx, position, EVERYTHING)).remove(0);
    let answer = answer.unwrap_or_else(|e| panic!("{}\n{text}", e.message));
    let dense = ctx.memo.tables.values().filter_map(|t| if let Table::Dense(d) = t { Some(d) } else { None });
    let (mut cells, mut chained) = (0, false);
    for table in dense {
        cells = cells.max(table.positions());
        chained |= !table.grid.chains.is_empty();
    }
    (answer, cells, chained)
}

/// A game on ascending heaps, in one of some spellings, and what its moves do.
struct Heaps {
    text: String,
    start: Vec<i64>,
    taken: Vec<i64>,
    gap: i64,
    top: i64,
    up: bool,
}

impl Heaps {
    fn random(rng: &mut Rng) -> Heaps {
        let (len, gap, up) = (usize::try_from(rng.range(2, 4)).expect("few"), rng.range(0, 1), rng.chance(40));
        let top = rng.range(7, if len == 4 { 9 } else { 14 });
        let taken: Vec<i64> = if rng.chance(50) { (1..=20).collect() } else { rng.some(1, 6, 60) };
        let mut start: Vec<i64> = (0..len).map(|i| i64::try_from(i).expect("few") * gap).collect();
        if !up {
            for heap in &mut start {
                *heap = top - *heap;
            }
            start.reverse();
        }
        let step = if up { "+" } else { "-" };
        let inside = if up { format!("h[i] + k <= {top}") } else { "k <= h[i]".to_string() };
        let mut text = String::new();
        let falls = rng.chance(30);
        let mut shown = start.clone();
        if rng.chance(50) {
            // A list, sorted by the moves; the start may be in any order.
            let apart = if gap == 1 { "and size(set(next)) == size(next)" } else { "" };
            let sorted = if falls { "reverse(sort(next))" } else { "sort(next)" };
            let _ = write!(
                text,
                "game G(h: list of nat) {{\n  move go i in indices(h), k in {} where {inside}, next = h[i {step}= k] where true {apart} -> G({sorted})\n}}\n",
                list(&taken)
            );
            let (i, j) = (rng.below(len), rng.below(len));
            shown.swap(i, j);
            let _ = writeln!(text, "solve G({})", list(&shown));
        } else {
            // Fields with a header that says so; a move may not pass the next one.
            let names: Vec<char> = ('a'..).take(len).collect();
            let less = match (falls, gap) {
                (false, 0) => " <= ",
                (false, _) => " < ",
                (true, 0) => " >= ",
                (true, _) => " > ",
            };
            let fields = names.iter().map(char::to_string).collect::<Vec<_>>();
            let _ = writeln!(text, "game G({}) where {} {{", fields.join(", "), fields.join(less));
            for (i, name) in fields.iter().enumerate() {
                let mut after = fields.clone();
                after[i] = format!("{name} {step} k");
                // What would leave the order is sorted by exchange with nothing: it is no move.
                let conditions = after.join(less);
                let bound = if up { format!("{name} + k <= {top}") } else { format!("k <= {name}") };
                let _ = writeln!(
                    text,
                    "  move m{i} k in {} where {bound} and {conditions} -> G({})",
                    list(&taken),
                    after.join(", ")
                );
            }
            if falls {
                shown.reverse();
            }
            let _ = writeln!(text, "}}\nsolve G({})", join(&shown));
        }
        let sorts = text.contains("list of");
        Heaps { text, start, taken, gap: if sorts { gap + 10 } else { gap }, top, up }
    }

    /// The Grundy value of ascending heaps, by the definition.
    fn value(&self, heaps: &[i64], known: &mut HashMap<Vec<i64>, u64>) -> u64 {
        if let Some(&value) = known.get(heaps) {
            return value;
        }
        let (sorts, gap) = (self.gap >= 10, self.gap % 10);
        let mut options = Vec::new();
        for i in 0..heaps.len() {
            for &k in &self.taken {
                let mut next = heaps.to_vec();
                next[i] += if self.up { k } else { -k };
                if next[i] < 0 || next[i] > self.top {
                    continue;
                }
                if sorts {
                    next.sort_unstable();
                }
                if next.windows(2).all(|pair| pair[1] - pair[0] >= gap) {
                    options.push(self.value(&next, known));
                }
            }
        }
        let value = (0..=options.len() as u64).find(|value| !options.contains(value)).expect("some number is missing");
        known.insert(heaps.to_vec(), value);
        value
    }
}

#[test]
fn random_games_on_ascending_heaps_have_the_values_of_the_definition() {
    let mut rng = Rng::new(41);
    let mut used = 0;
    for _ in 0..rounds(40, 1000) {
        let heaps = Heaps::random(&mut rng);
        let expected = heaps.value(&heaps.start, &mut HashMap::new());
        for (trial, chains) in [(3, true), (30, true), (30, false), (100, true)] {
            let (answer, _, chained) = answered(&heaps.text, trial, chains);
            assert_eq!(answer.grundy, Some(GrundyValue::Nimber(expected)), "{trial} {chains}\n{}", heaps.text);
            assert!(chains || !chained);
            used += u32::from(chained);
        }
    }
    assert!(used > 30, "{used}");
}

/// Three sorted heaps beside a heap: several threads share the rows of the last.
#[test]
fn threads_share_boxes_with_ascending_fields() {
    for (top, heap) in [(6, 40), (8, 25), (5, 60)] {
        let text = format!(
            "game S(p: list of nat, n: nat) {{\n  move one i in 0..2, k in 1..p[i] -> S(sort(p[i -= k]), n)\n  move heap k in 1..min(n, 3) -> S(p, n - k)\n  move both where n > 0 and p[2] > p[1] -> S(sort(p[2 -= 1]), n - 1)\n}}\nsolve S([{top}, {top}, {top}], {heap})\n"
        );
        let mut known: HashMap<(Vec<i64>, i64), u64> = HashMap::new();
        for n in 0..=heap {
            let mut rows = ascending(top + 1, 3, 0);
            rows.sort_by_key(|row| row.iter().sum::<i64>());
            for row in rows {
                let less = |i: usize, k: i64| {
                    let mut less = row.clone();
                    less[i] -= k;
                    less.sort_unstable();
                    less
                };
                let mut options: Vec<u64> = Vec::new();
                for i in 0..3 {
                    options.extend((1..=row[i]).map(|k| known[&(less(i, k), n)]));
                }
                options.extend((1..=n.min(3)).map(|k| known[&(row.clone(), n - k)]));
                if n > 0 && row[2] > row[1] {
                    options.push(known[&(less(2, 1), n - 1)]);
                }
                let value = (0..=options.len() as u64).find(|value| !options.contains(value)).expect("one is missing");
                known.insert((row, n), value);
            }
        }
        let (answer, _, chained) = answered(&text, 50, true);
        assert_eq!(answer.grundy, Some(GrundyValue::Nimber(known[&(vec![top; 3], heap)])), "{text}");
        assert!(chained, "{text}");
    }
}

#[test]
fn five_sorted_heaps_have_as_many_cells_as_states() {
    let text = "game S(h: list of nat) { move take i in indices(h), k in 1..h[i] -> S(sort(h[i -= k])) }\n";
    // Nim, by Bouton; of the states below the start, each is met.
    for (start, value) in [("[12, 12, 12, 12, 12]", 12), ("[12, 12, 5, 12, 12]", 5)] {
        let (answer, cells, chained) = answered(&format!("{text}solve S({start})"), 200, true);
        assert_eq!(answer.grundy, Some(GrundyValue::Nimber(value)));
        // Multisets of 5 numbers from 0 to 12: 17 choose 5.
        assert!(chained && cells <= 6188, "{cells}");
    }
}
