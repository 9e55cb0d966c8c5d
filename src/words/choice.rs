//! Choices from collections: products, subsets, pairs, partitions; enumerations for claims. All lists; what would be too long is
//! R06.

use crate::model::{Builtin, GraphWord};
use crate::source::Code;
use crate::value::{Fault, Graph, ITEM_LIMIT, Labels, Value, in_items, iterate, members, too_big, width};
use crate::words::operator::{contains, distinct, sorted};
use grundy_graphs::{Ends, enumerate};
use std::cell::RefCell;
use std::sync::Arc;

/// So many enumerations are remembered before all are forgotten.
const ENUMERATIONS_KEPT: usize = 64;

thread_local! {
    /// Graphs by word and arguments: claims ask for them in inner loops.
    static ENUMERATIONS: RefCell<hashbrown::HashMap<(Builtin, usize, usize), Value>> = RefCell::default();
}

/// Counts the items that have been made.
struct Budget {
    left: usize,
    what: &'static str,
}

impl Budget {
    fn new(what: &'static str) -> Budget {
        Budget { left: ITEM_LIMIT, what }
    }

    /// One more collection of so many items.
    fn spend(&mut self, items: usize) -> Result<(), Fault> {
        self.left = self
            .left
            .checked_sub(items + 2) // a collection by itself costs about two items
            .ok_or_else(|| Fault::new(Code::R06, format!("{} would hold more than {ITEM_LIMIT} items", self.what)))?;
        Ok(())
    }
}

/// The combinations of k places of n, in lexicographic order. `next[p]` is the next place that may follow where `p` stood:
/// `p + 1`, or the next place with another value when equal values count once.
struct Combinations<'a> {
    next: &'a [usize],
    chosen: Vec<usize>,
    started: bool,
}

impl<'a> Combinations<'a> {
    fn new(next: &'a [usize], k: usize) -> Self {
        Combinations { next, chosen: (0..k).collect(), started: false }
    }

    /// The next combination, in place.
    fn advance(&mut self) -> Option<&[usize]> {
        let (n, k) = (self.next.len(), self.chosen.len());
        if !self.started {
            self.started = true;
            return (k <= n).then_some(&self.chosen);
        }
        for i in (0..k).rev() {
            let place = self.next[self.chosen[i]];
            if place + k - i <= n {
                for (offset, chosen) in self.chosen[i..].iter_mut().enumerate() {
                    *chosen = place + offset;
                }
                return Some(&self.chosen);
            }
        }
        None
    }
}

/// Adds what `make` makes of the places of each combination of `k` items.
fn combine(
    items: &[Value],
    by_value: bool,
    k: usize,
    budget: &mut Budget,
    out: &mut Vec<Value>,
    make: impl Fn(&[usize]) -> Value,
) -> Result<(), Fault> {
    let next = followers(items, by_value);
    let mut combinations = Combinations::new(&next, k);
    while let Some(places) = combinations.advance() {
        budget.spend(k)?;
        out.push(make(places));
    }
    Ok(())
}

/// Where each place of `items` may be followed: by the next place, or by the next value.
fn followers(items: &[Value], by_value: bool) -> Vec<usize> {
    let n = items.len();
    let mut next: Vec<usize> = (1..=n).collect();
    if by_value {
        for i in (0..n.saturating_sub(1)).rev() {
            if items[i] == items[i + 1] {
                next[i] = next[i + 1];
            }
        }
    }
    next
}

/// C(n, k), or the greatest `usize` when it is above the limit of items.
fn count(n: usize, k: usize) -> usize {
    let Some(k) = n.checked_sub(k).map(|rest| rest.min(k)) else { return usize::MAX };
    let mut result = 1_usize;
    for i in 0..k {
        match result.checked_mul(n - i) {
            Some(product) if product / (i + 1) <= ITEM_LIMIT => result = product / (i + 1),
            _ => return usize::MAX,
        }
    }
    result
}

/// Refuses at once what is too long, when all places count.
fn foresee(n: usize, k: usize, what: &str) -> Result<(), Fault> {
    if k <= n { in_items(&[count(n, k), k + 1], what).map(|_| ()) } else { Ok(()) }
}

/// Sorted collections are taken by values, others by places.
fn by_value(c: &Value) -> bool {
    matches!(c, Value::Set(_) | Value::Bag(_))
}

fn pick(items: &[Value], places: &[usize]) -> Vec<Value> {
    places.iter().map(|&i| items[i].clone()).collect()
}

/// Whether a list is among those of [`choices`], which are not made for it.
pub(super) fn is_in_choices(collections: &Value, list: &Value) -> Result<Value, Fault> {
    let collections = members(collections)?;
    let Value::List(list) = list else { return Ok(Value::Bool(false)) };
    if list.items.len() != collections.len() {
        return Ok(Value::Bool(false));
    }
    for (collection, item) in collections.iter().zip(list.items.iter()) {
        let there = match collection {
            Value::Range(..) | Value::Set(_) | Value::Bag(_) | Value::List(_) => contains(collection, item)?,
            _ => iterate(collection)?.any(|member| member == *item),
        };
        if !there {
            return Ok(Value::Bool(false));
        }
    }
    Ok(Value::Bool(true))
}

/// The cartesian product: lists of one member of each collection, the last place changing fastest.
pub(super) fn choices(args: &[Value]) -> Result<Value, Fault> {
    let collections = match args {
        [one] => members(one)?,
        _ => args.into(),
    };
    let mut sizes = Vec::with_capacity(collections.len());
    for collection in collections.iter() {
        sizes.push(iterate(collection)?.size_hint().0);
    }
    if sizes.contains(&0) {
        return Ok(Value::list(Vec::new()));
    }
    let total = in_items(&sizes, "this list of choices")?;
    in_items(&[total, sizes.len() + 2], "this list of choices")?;
    let columns = collections.iter().map(members).collect::<Result<Vec<_>, Fault>>()?;
    let mut at = vec![0; columns.len()];
    let mut out = Vec::with_capacity(total);
    for _ in 0..total {
        out.push(Value::list(at.iter().zip(&columns).map(|(&i, column)| column[i].clone()).collect()));
        for (i, size) in at.iter_mut().zip(&sizes).rev() {
            *i += 1;
            if *i < *size {
                break;
            }
            *i = 0;
        }
    }
    Ok(Value::list(out))
}

/// The sizes that an argument names: a number or a collection of them; those above `most` are none.
fn sizes(argument: &Value, most: usize) -> Result<Vec<usize>, Fault> {
    match argument {
        Value::Int(n) => Ok(usize::try_from(*n).into_iter().filter(|n| *n <= most).collect()),
        Value::Big(_) => Ok(Vec::new()),
        Value::Range(from, to) => {
            let (from, to) = (usize::try_from(*from).unwrap_or(0), usize::try_from(*to));
            Ok(to.map_or(Vec::new(), |to| (from..=to.min(most)).collect()))
        }
        _ => Ok(members(argument)?
            .iter()
            .map(Value::to_big)
            .collect::<Result<Vec<_>, Fault>>()?
            .iter()
            .filter_map(|n| usize::try_from(&**n).ok().filter(|n| *n <= most))
            .collect()),
    }
}

/// Sets, by size, then in lexicographic order.
pub(super) fn subsets(c: &Value, of_sizes: Option<&Value>) -> Result<Value, Fault> {
    let mut budget = Budget::new("this list of subsets");
    let items = distinct(c)?;
    let sizes = match of_sizes {
        Some(argument) => sizes(argument, items.len())?,
        None => (0..=items.len()).collect(),
    };
    let mut foreseen = 0_usize;
    for &k in &sizes {
        foreseen = foreseen.saturating_add(count(items.len(), k).saturating_mul(k + 2));
    }
    in_items(&[foreseen], budget.what)?;
    let mut out = Vec::new();
    for k in sizes {
        combine(&items, false, k, &mut budget, &mut out, |places| Value::Set(pick(&items, places).into()))?;
    }
    Ok(Value::list(out))
}

/// Bags, each once, by size, then in lexicographic order.
pub(super) fn subbags(bag: &Value) -> Result<Value, Fault> {
    let mut budget = Budget::new("this list of subbags");
    let items = sorted(bag)?;
    // There are as many as the product of the multiplicities, each one more.
    let mut total = 1_usize;
    for same in items.chunk_by(|a, b| a == b) {
        total = in_items(&[total, same.len() + 1], budget.what)?;
    }
    let mut out = Vec::with_capacity(total.min(1 << 20));
    for k in 0..=items.len() {
        combine(&items, true, k, &mut budget, &mut out, |places| Value::Bag(pick(&items, places).into()))?;
    }
    Ok(Value::list(out))
}

/// Tuples (a, b), a before b: places of a list, values of a set or bag.
pub(super) fn pairs(c: &Value) -> Result<Value, Fault> {
    let items = members(c)?;
    let mut budget = Budget::new("this list of pairs");
    if !by_value(c) {
        foresee(items.len(), 2, budget.what)?;
    }
    let mut out = Vec::new();
    let pair = |places: &[usize]| Value::pair(items[places[0]].clone(), items[places[1]].clone());
    combine(&items, by_value(c), 2, &mut budget, &mut out, pair)?;
    Ok(Value::list(out))
}

/// Lists of k members in order.
pub(super) fn choose(c: &Value, k: &Value) -> Result<Value, Fault> {
    let items = members(c)?;
    let mut budget = Budget::new("this list of choices");
    let k = match k {
        Value::Big(_) => k.to_count("the number of members to choose").or(Ok::<usize, Fault>(items.len() + 1))?,
        _ => k.to_count("the number of members to choose")?,
    };
    if k > items.len() {
        return Ok(Value::list(Vec::new()));
    }
    if !matches!(c, Value::Bag(_)) {
        foresee(items.len(), k, budget.what)?;
    }
    let mut out = Vec::new();
    combine(&items, by_value(c), k, &mut budget, &mut out, |places| Value::list(pick(&items, places)))?;
    Ok(Value::list(out))
}

/// Bags of positive parts with sum n: first that of n alone, last that of ones.
pub(super) fn partitions(n: &Value) -> Result<Value, Fault> {
    let n = n.to_count("a number that is partitioned")?;
    if n > 200 {
        return Err(too_big(&format!("the list of partitions of {n}")));
    }
    let mut budget = Budget::new("this list of partitions");
    let mut out = Vec::new();
    // Parts descending; the successor takes 1 from the last part above 1 and packs the rest as large as it may.
    let mut parts: Vec<usize> = if n == 0 { Vec::new() } else { vec![n] };
    loop {
        budget.spend(parts.len())?;
        out.push(Value::Bag(parts.iter().rev().map(|&part| Value::count(part)).collect()));
        let mut rest = 0;
        while parts.last() == Some(&1) {
            parts.pop();
            rest += 1;
        }
        let Some(last) = parts.pop() else { return Ok(Value::list(out)) };
        rest += last;
        while rest > 0 {
            let part = rest.min(last - 1);
            parts.push(part);
            rest -= part;
        }
    }
}

/// All graphs of a kind up to isomorphism, on the vertices 0, 1, ...; remembered for each thread.
pub(super) fn structures(word: Builtin, n: &Value, edges: Option<&Value>) -> Result<Value, Fault> {
    let n = n.to_count("the number of vertices")?;
    let edges = edges.map_or(Ok(0), |n| n.to_count("the number of edges"))?;
    let key = (word, n, edges);
    if let Some(known) = ENUMERATIONS.with_borrow(|all| all.get(&key).cloned()) {
        return Ok(known);
    }
    let (kind, all) = match word {
        Builtin::Graphs => (GraphWord::Graph, enumerate::graphs(n)),
        Builtin::Connected => (GraphWord::Graph, enumerate::connected(n)),
        Builtin::Trees => (GraphWord::Graph, enumerate::trees(n)),
        Builtin::RootedTrees => (GraphWord::Graph, enumerate::rooted_trees(n)),
        Builtin::Digraphs => (GraphWord::Digraph, enumerate::digraphs(n)),
        Builtin::Dags => (GraphWord::Digraph, enumerate::dags(n)),
        Builtin::Posets => (GraphWord::Digraph, enumerate::posets(n)),
        _ => (GraphWord::Multigraph, enumerate::multigraphs(n, edges)),
    };
    let all = all.map_err(|message| Fault::new(Code::R06, message))?;
    let labels = Arc::new(Labels::Ints { from: 0, n });
    let graph = |edges: Vec<Ends>| Value::Graph(Arc::new(Graph::of_numbers(kind, labels.clone(), None, edges)));
    let value = Value::list(all.into_iter().map(graph).collect());
    ENUMERATIONS.with_borrow_mut(|known| {
        if known.len() >= ENUMERATIONS_KEPT {
            known.clear();
        }
        known.insert(key, value.clone());
    });
    Ok(value)
}

/// Choices of `k` members, with repetition: lists in the order of the members, bags of distinct members.
pub(super) fn tuples(word: Builtin, of: &Value, k: &Value) -> Result<Value, Fault> {
    let mut items = members(of)?.into_owned();
    let k = k.to_count("the number of members")?;
    if word == Builtin::Bags {
        // Equal members make equal bags: each value once.
        items.sort_unstable();
        items.dedup();
        let all = items.len().checked_sub(1).map_or(usize::from(k == 0), |less| count(less + k, k));
        in_items(&[all, k.max(1)], "these bags")?;
    } else {
        let all = u32::try_from(k).ok().and_then(|k| items.len().checked_pow(k)).unwrap_or(usize::MAX);
        in_items(&[all, k.max(1)], "these lists")?;
    }
    let choose = |indices: Vec<usize>| indices.into_iter().map(|i| items[i].clone()).collect::<Vec<_>>();
    Ok(Value::list(if word == Builtin::Bags {
        enumerate::bags(items.len(), k).map(|indices| Value::bag(choose(indices))).collect()
    } else {
        enumerate::lists(items.len(), k).map(|indices| Value::list(choose(indices))).collect()
    }))
}

/// Choices of `k` members, with repetition, whose extents and number come to `most` at most, or all where that is no number; of bags each once. Members of
/// ranges that are too large are never made. Error: R06 for more than `held`.
pub(super) fn tuples_within(of: &Value, k: &Value, [most, bags, held]: [&Value; 3]) -> Result<Value, Fault> {
    let held = held.to_count("the number of lists")?;
    let k = k.to_count("the number of members")?;
    let bags = matches!(bags, Value::Bool(true));
    // Without a limit the members have no size here: sums of extents are never asked for.
    let limited = matches!(most, Value::Int(_));
    let most = match most {
        Value::Int(most) => u64::try_from(*most).unwrap_or(0),
        _ => u64::MAX,
    };
    let Some(room) = most.checked_sub(width::count(k)) else { return Ok(Value::list(Vec::new())) };
    let near = match of {
        Value::Range(from, to) if limited => {
            let far = i64::try_from(room).unwrap_or(i64::MAX);
            Some(Value::Range((*from).max(-far), (*to).min(far)))
        }
        _ => None,
    };
    let extent = |item: &Value| if limited { item.extent() } else { 0 };
    let mut items: Vec<(u64, Value)> =
        members(near.as_ref().unwrap_or(of))?.iter().map(|item| (extent(item), item.clone())).collect();
    items.retain(|(size, _)| *size <= room);
    items.sort();
    if bags {
        items.dedup();
    }
    let mut budget = Budget::new(if bags { "these bags" } else { "these lists" });
    let mut out = Vec::new();
    // The places chosen, and what is left behind each.
    let mut chosen: Vec<usize> = Vec::with_capacity(k);
    let mut left = vec![room];
    let mut next = 0;
    loop {
        let here = left.last().copied().unwrap_or(0);
        // As many as are still to come are at least as large as the least there is, or as this one in a bag.
        let waiting = width::count(k - chosen.len());
        let least = items.first().map_or(0, |(size, _)| *size);
        let fits = items.get(next).filter(|(size, _)| {
            let others = if bags { *size } else { least };
            others.checked_mul(waiting.saturating_sub(1)).and_then(|n| n.checked_add(*size)).is_some_and(|n| n <= here)
        });
        if chosen.len() == k {
            budget.spend(k.max(1))?;
            if out.len() >= held {
                return Err(too_big("this number of lists"));
            }
            let list: Vec<Value> = chosen.iter().map(|&place| items[place].1.clone()).collect();
            out.push(if bags { Value::bag(list) } else { Value::list(list) });
        } else if let Some((size, _)) = fits {
            left.push(here - size);
            chosen.push(next);
            next = if bags { next } else { 0 };
            continue;
        }
        left.pop();
        match chosen.pop() {
            Some(place) => next = place + 1,
            None => return Ok(Value::list(out)),
        }
    }
}
