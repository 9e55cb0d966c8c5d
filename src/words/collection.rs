//! Words about collections: folds, views, conversions; `xs[i]`, `xs[a..b]`, `xs[i := e]`.

use crate::model::{BinaryOp, CompareOp};
use crate::source::Code;
use crate::syntax::tree::SetOp;
use crate::value::{
    Cells, Fault, Grid, Items, List, Value, excerpt, in_items, iterate, members, size, too_big, wanted,
};
use crate::words::operator::{binary, checked_size, distinct, length, sorted};
use crate::words::{compare, folded, number};
use num_bigint::BigInt;
use std::sync::Arc;

/// `sum`: of numbers, or of positions.
pub(super) fn sum(args: &[Value]) -> Result<Value, Fault> {
    if let [Value::Range(from, to)] = args {
        let terms = size(&args[0])?;
        let twice = (BigInt::from(*from) + *to) * &*terms.to_big()?;
        return Ok(Value::int(twice / 2));
    }
    let items = folded(args)?;
    if items.clone().any(|item| matches!(item, Value::Position(_))) {
        let items: Vec<Value> = items.collect();
        return crate::value::position::sum_positions(items.iter());
    }
    // 2^64 summands of 63 bits would be needed to overflow.
    let mut small: i128 = 0;
    let mut rest = Value::Int(0);
    for item in items {
        match item {
            Value::Int(n) => small += i128::from(n),
            Value::Big(_) | Value::Real(_) | Value::Loop(_) => rest = binary(BinaryOp::Add, &rest, &item)?,
            _ => return Err(wanted("a number", &item)),
        }
    }
    binary(BinaryOp::Add, &rest, &Value::wide(small))
}

pub(super) fn product(args: &[Value]) -> Result<Value, Fault> {
    if let [Value::Range(from, to)] = args {
        if *from <= 0 && 0 <= *to {
            return Ok(Value::Int(0));
        }
        // From one end, and stopping at the size that no int exceeds, before the range is spelled out.
        let mut product = BigInt::from(1);
        for n in *from..=*to {
            product *= n;
            if product.bits() > crate::words::operator::BIT_LIMIT {
                return checked_size(product);
            }
        }
        return Ok(Value::int(product));
    }
    let mut items = folded(args)?;
    if items.clone().any(|item| item == Value::Int(0)) {
        return Ok(Value::Int(0));
    }
    items.try_fold(Value::Int(1), |product, item| binary(BinaryOp::Mul, &product, &item))
}

/// `xor`: of nats or of sets.
pub(super) fn xor(args: &[Value]) -> Result<Value, Fault> {
    let mut items = folded(args)?;
    let Some(first) = items.next() else { return Ok(Value::Int(0)) };
    let mut rest = items.peekable();
    if rest.peek().is_none() && !matches!(first, Value::Set(_)) {
        number::at_least(&first, 0, "a number that xor is asked of")?;
    }
    rest.try_fold(first, |all, item| binary(BinaryOp::Xor, &all, &item))
}

/// Each value and how often it occurs, ascending by value.
pub(super) fn tally(values: &Value) -> Result<Value, Fault> {
    let items = sorted(values)?;
    let runs = items.chunk_by(|a, b| a == b);
    Ok(Value::list(runs.map(|run| Value::pair(run[0].clone(), Value::count(run.len()))).collect()))
}

pub(super) fn count(args: &[Value]) -> Result<Value, Fault> {
    let mut items = folded(args)?;
    items.try_fold(0_usize, |n, item| Ok(n + usize::from(item.to_bool()?))).map(Value::count)
}

pub(super) fn all(args: &[Value]) -> Result<Value, Fault> {
    let mut items = folded(args)?;
    items.try_fold(true, |all, item| Ok(item.to_bool()? && all)).map(Value::Bool)
}

pub(super) fn any(args: &[Value]) -> Result<Value, Fault> {
    let mut items = folded(args)?;
    items.try_fold(false, |any, item| Ok(item.to_bool()? || any)).map(Value::Bool)
}

pub(super) fn indices(xs: &Value) -> Result<Value, Fault> {
    let first = match xs {
        Value::List(list) => list.base,
        Value::Range(..) | Value::Text(_) => 0,
        _ => return Err(wanted("a list or text", xs)),
    };
    binary(BinaryOp::Range, &Value::Int(first), &Value::int(&*size(xs)?.to_big()? + first - 1))
}

/// `first`, `last`
pub(super) fn end(xs: &Value, last: bool) -> Result<Value, Fault> {
    let found = match xs {
        Value::List(list) => list.items.item(if last { list.items.len().wrapping_sub(1) } else { 0 }),
        Value::Range(from, to) => (from <= to).then_some(Value::Int(if last { *to } else { *from })),
        Value::Text(text) => {
            let mut characters = text.characters();
            if last { characters.next_back() } else { characters.next() }.map(Value::character)
        }
        _ => return Err(wanted("a list or text", xs)),
    };
    let word = if last { "last" } else { "first" };
    found.ok_or_else(|| Fault::new(Code::R02, format!("there is no {word} item of nothing")))
}

pub(super) fn reverse(xs: &Value) -> Result<Value, Fault> {
    match xs {
        Value::Text(text) => Ok(Value::Text(text.characters().rev().collect())),
        Value::List(_) | Value::Range(..) => {
            Ok(Value::List(List { base: 0, items: members(xs)?.iter().rev().cloned().collect() }))
        }
        _ => Err(wanted("a list or text", xs)),
    }
}

pub(super) fn sort(c: &Value) -> Result<Value, Fault> {
    match c {
        Value::Set(items) | Value::Bag(items) => Ok(Value::List(List { base: 0, items: items.clone() })),
        _ => Ok(Value::list(sorted(c)?.into_owned())),
    }
}

pub(super) fn list(c: &Value) -> Result<Value, Fault> {
    match c {
        Value::List(list) if list.base == 0 => Ok(c.clone()),
        Value::List(List { items, .. }) | Value::Set(items) | Value::Bag(items) => {
            Ok(Value::List(List { base: 0, items: items.clone() }))
        }
        _ => Ok(Value::list(members(c)?.into_owned())),
    }
}

pub(super) fn set(c: &Value) -> Result<Value, Fault> {
    match c {
        Value::Set(_) => Ok(c.clone()),
        _ => Ok(Value::Set(distinct(c)?.into_owned().into())),
    }
}

pub(super) fn bag(c: &Value) -> Result<Value, Fault> {
    match c {
        Value::Bag(_) => Ok(c.clone()),
        Value::Set(items) => Ok(Value::Bag(items.clone())),
        _ => Ok(Value::Bag(sorted(c)?.into_owned().into())),
    }
}

/// Strictly.
pub(super) fn increasing(xs: &Value) -> Result<Value, Fault> {
    match xs {
        Value::Range(..) | Value::Set(_) => Ok(Value::Bool(true)),
        _ => Ok(Value::Bool(members(xs)?.is_sorted_by(|a, b| a < b))),
    }
}

pub(super) fn repeat(xs: &Value, n: &Value) -> Result<Value, Fault> {
    let n = n.to_count("the number of repetitions")?;
    match xs {
        Value::Text(text) => {
            in_items(&[text.len(), n], "this text")?;
            Ok(Value::Text(text.repeat(n)))
        }
        Value::List(_) | Value::Range(..) => {
            let total = in_items(&[length(xs)?, n], "this list")?;
            let items = members(xs)?;
            Ok(Value::list(items.iter().cycle().take(total).cloned().collect()))
        }
        _ => Err(wanted("a list or text", xs)),
    }
}

pub(super) fn union(args: &[Value]) -> Result<Value, Fault> {
    let sets = match args {
        // One set of numbers is a union already; otherwise the members are the sets.
        [one] => members(one)?,
        _ => args.into(),
    };
    // Gathered and sorted once: a chain of unions would be quadratic.
    let mut all = Vec::new();
    for set in sets.iter() {
        let items = match set {
            Value::Set(items) => items,
            _ => &members(set)?.into_owned().into(),
        };
        in_items(&[all.len() + items.len()], "this union")?;
        all.extend_from_slice(items);
    }
    Ok(Value::set(all))
}

/// The numbers after `from` towards `to`, with it, nearest first, up to the first that is taken.
pub(super) fn slide(from: &Value, to: &Value, taken: &Value) -> Result<Value, Fault> {
    let steps = slide_length(from, to, taken)?;
    let steps = usize::try_from(steps).map_err(|_| too_big("this slide"))?;
    in_items(&[steps], "this slide")?;
    let (mut n, to) = (from.to_i64()?, to.to_i64()?);
    let step = if n < to { 1 } else { -1 };
    let mut out = Vec::with_capacity(steps);
    for _ in 0..steps {
        n += step;
        out.push(Value::Int(n));
    }
    Ok(Value::list(out))
}

pub(super) fn slide_length(from: &Value, to: &Value, taken: &Value) -> Result<u64, Fault> {
    let (from, to) = (from.to_i64()?, to.to_i64()?);
    let between = |n: i64| if from < to { from < n && n <= to } else { to <= n && n < from };
    // The taken number nearest to `from`; a range is not spelled out.
    let nearest = match taken {
        Value::Range(a, b) if a <= b => {
            let near = if from < to { from.saturating_add(1).max(*a) } else { from.saturating_sub(1).min(*b) };
            (a <= &near && &near <= b && between(near)).then_some(near)
        }
        Value::Range(..) => None,
        _ => iterate(taken)?
            .filter_map(|n| if let Value::Int(n) = n { between(n).then_some(n) } else { None })
            .min_by_key(|n| n.abs_diff(from)),
    };
    // Without the end: 0 below is 0 steps.
    Ok(nearest.map_or_else(|| from.abs_diff(to), |n| from.abs_diff(n) - 1))
}

/// Whether a number is among those of [`slide`], which are not listed for it.
pub(super) fn is_in_slide(from: &Value, to: &Value, taken: &Value, number: &Value) -> Result<Value, Fault> {
    let up = compare(CompareOp::Lt, from, to)?;
    let (onwards, at_most) = if up { (CompareOp::Gt, CompareOp::Le) } else { (CompareOp::Lt, CompareOp::Ge) };
    let within = |n: &Value, end: &Value| Ok(compare(onwards, n, from)? && compare(at_most, n, end)?);
    if !within(number, to)? {
        return Ok(Value::Bool(false));
    }
    // Whether one that is taken stands before it, or is it.
    let met = if let Value::Range(first, last) = taken {
        // Not spelled out: the first number behind `from` that it has, if any, or `number` itself.
        let (near, far) = if up { (first, last) } else { (last, first) };
        let beyond = |n: i64| compare(onwards, &Value::Int(n), from);
        let nearest = if beyond(*near)? { Value::Int(*near) } else { number.clone() };
        first <= last && beyond(*far)? && within(&nearest, number)?
    } else {
        let mut met = false;
        for n in iterate(taken)? {
            met |= within(&n, number)?;
        }
        met
    };
    Ok(Value::Bool(!met))
}

/// `base[i]`; a range as the index cuts out a slice. Errors: R02 outside, R06 for an index beyond 64 bits, E03 for what
/// has no items.
pub fn index(base: &Value, i: &Value) -> Result<Value, Fault> {
    match (base, i) {
        (Value::Grid(grid), _) => grid.cells.get(cell(grid, i)?).ok_or_else(|| wanted("a cell", i)),
        (_, Value::Range(from, to)) => slice(base, Some(&Value::Int(*from)), Some(&Value::Int(*to))),
        (Value::List(list), _) => {
            let place = place(i, list.base, list.items.len(), base)?;
            list.items.item(place).ok_or_else(|| Fault::new(Code::R02, "there is no such item"))
        }
        (Value::Text(text), _) => {
            Ok(text.at(place(i, 0, text.len(), base)?).map_or_else(|| Value::text(""), Value::character))
        }
        (Value::Tuple(parts), _) => Ok(parts[place(i, 0, parts.len(), base)?].clone()),
        (Value::Edge(edge), _) => Ok(if place(i, 0, 2, base)? == 0 { edge.u.clone() } else { edge.v.clone() }),
        (Value::Range(from, to), _) => {
            let n = i.to_i64()?;
            match from.checked_add(n) {
                Some(item) if n >= 0 && item <= *to => Ok(Value::Int(item)),
                _ => Err(Fault::new(Code::R02, format!("index {n} is outside the range {from}..{to}, counted from 0"))),
            }
        }
        _ => Err(wanted("a list, text, tuple or grid", base)),
    }
}

/// The place of an index among `len` items counted from `first`.
fn place(i: &Value, first: i64, len: usize, base: &Value) -> Result<usize, Fault> {
    let i = i.to_i64()?;
    i.checked_sub(first)
        .and_then(|place| usize::try_from(place).ok())
        .filter(|place| *place < len)
        .ok_or_else(|| outside(i, first, len, base))
}

fn outside(i: i64, first: i64, len: usize, base: &Value) -> Fault {
    let (what, item) = match base {
        Value::Text(_) => ("a text", "character"),
        Value::Tuple(_) => ("a tuple", "part"),
        Value::Edge(_) => ("an edge", "end"),
        _ => ("a list", "item"),
    };
    no_item(i, first, len, what, item)
}

/// R02 for an index among `len` items of `what` counted from `first`.
pub(crate) fn no_item(i: i64, first: i64, len: usize, what: &str, item: &str) -> Fault {
    let plural = if len == 1 { "" } else { "s" };
    let fault =
        Fault::new(Code::R02, format!("index {i} is outside {what} of {len} {item}{plural} counted from {first}"));
    let from_end = i < 0 && first >= 0 && len > 0 && matches!(item, "item" | "character");
    if from_end { fault.hint("nothing is counted from the end: the last one is `last(xs)`") } else { fault }
}

/// The place of the cell `(row, column)`.
pub(super) fn cell(grid: &Grid, i: &Value) -> Result<usize, Fault> {
    let (row, col) = row_and_col(i)?;
    grid.place(row, col).ok_or_else(|| {
        Fault::new(Code::R02, format!("cell {} is outside a grid of {} x {} cells", excerpt(i), grid.rows, grid.cols))
    })
}

pub(super) fn row_and_col(i: &Value) -> Result<(i64, i64), Fault> {
    match i {
        Value::Tuple(parts) if parts.len() == 2 => Ok((parts[0].to_i64()?, parts[1].to_i64()?)),
        _ => Err(wanted("a cell (row, column)", i)),
    }
}

/// `base[from..to]`, an end that is left out is the first or last index. Nothing when `to < from`, whatever they are.
/// Of a list or range a list counted from 0, of a text a text. Errors: R02 when an end is no index, R06 when it does
/// not fit, E03 for what has no items.
pub fn slice(base: &Value, from: Option<&Value>, to: Option<&Value>) -> Result<Value, Fault> {
    let first = if let Value::List(list) = base { list.base } else { 0 };
    let len = match base {
        Value::List(_) | Value::Text(_) | Value::Range(..) => size(base)?.to_i64()?,
        _ => return Err(wanted("a list or text", base)),
    };
    let past = first.checked_add(len).ok_or_else(|| too_big("the last index"))?;
    let (least, most) = (Value::Int(first), Value::Int(past.saturating_sub(1)));
    let (from, to) = (from.unwrap_or(&least), to.unwrap_or(&most));
    for end in [from, to] {
        if !matches!(end, Value::Int(_) | Value::Big(_)) {
            return Err(wanted("an index", end));
        }
    }
    let (a, b) = if to < from {
        (0, 0)
    } else {
        let (from, to) = (from.to_i64()?, to.to_i64()?);
        // A range can be longer than memory; its ends are enough here.
        let count = usize::try_from(len).map_err(|_| too_big("this range"))?;
        if from < first || to >= past {
            let bad = if from < first { from } else { to };
            return Err(outside(bad, first, count, base));
        }
        (from - first, to - first + 1)
    };
    let bounds = usize::try_from(a).unwrap_or(0)..usize::try_from(b).unwrap_or(0); // 0 <= a <= b <= len
    Ok(match base {
        Value::Text(text) => Value::Text(text.part(bounds)),
        Value::List(list) if bounds.len() == list.items.len() && list.base == 0 => base.clone(),
        Value::List(list) => Value::List(List { base: 0, items: Items::Values(list.items[bounds].into()) }),
        Value::Range(start, _) if a < b => Value::Range(start + a, start + b - 1),
        _ => Value::Range(1, 0),
    })
}

/// `base[i := e, ...]`: the changes in order; a list keeps the number of its first item. One copy of the items,
/// whatever the number of changes. Errors: R02 outside; R01 for what is no character of a text, or no cell of a grid;
/// E03 for `+=` and `-=` of texts and grids of characters; whatever `+` and `-` say.
pub fn update(base: &Value, changes: &[(Value, SetOp, Value)]) -> Result<Value, Fault> {
    match base {
        Value::List(list) => {
            let mut items = Arc::clone(list.items.values());
            if !changes.is_empty() {
                let places = Arc::make_mut(&mut items);
                for (i, op, value) in changes {
                    let place = place(i, list.base, places.len(), base)?;
                    change(&mut places[place], *op, value)?;
                }
            }
            Ok(Value::List(List { base: list.base, items: Items::Values(items) }))
        }
        Value::Range(..) => update(&Value::list(members(base)?.into_owned()), changes),
        Value::Text(text) => {
            let mut characters: Vec<char> = text.characters().collect();
            for (i, op, value) in changes {
                let place = place(i, 0, characters.len(), base)?;
                characters[place] = character(*op, value)?;
            }
            Ok(Value::Text(characters.into_iter().collect()))
        }
        Value::Grid(grid) => {
            let mut cells = Arc::clone(&grid.cells);
            if !changes.is_empty() {
                let places = Arc::make_mut(&mut cells);
                for (i, op, value) in changes {
                    let at = cell(grid, i)?;
                    let Cells::Values(values) = places else {
                        places.put(at, character(*op, value)?);
                        continue;
                    };
                    let place = &mut values[at];
                    if let Value::Text(_) = place {
                        *place = Value::character(character(*op, value)?);
                    } else if value.to_big().is_ok() {
                        change(place, *op, value)?;
                    } else {
                        return Err(wanted("a number for a cell", value));
                    }
                }
                places.settle();
            }
            let (rows, cols) = (grid.rows, grid.cols);
            Ok(Value::Grid(Arc::new(Grid { rows, cols, cells, graph: std::sync::OnceLock::new() })))
        }
        _ => Err(wanted("a list, text or grid", base)),
    }
}

fn change(place: &mut Value, op: SetOp, value: &Value) -> Result<(), Fault> {
    *place = match op {
        SetOp::Put => value.clone(),
        SetOp::Add => binary(BinaryOp::Add, place, value)?,
        SetOp::Remove => binary(BinaryOp::Sub, place, value)?,
    };
    Ok(())
}

fn character(op: SetOp, value: &Value) -> Result<char, Fault> {
    if op != SetOp::Put {
        return Err(Fault::new(Code::E03, "characters are written with `:=` only"));
    }
    value
        .to_text()?
        .single()
        .ok_or_else(|| Fault::new(Code::R01, format!("a single character is written there, not {}", excerpt(value))))
}
