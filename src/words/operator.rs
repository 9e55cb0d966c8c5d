//! The operators `+ - * / div mod ** xor & ..` on everything that has them, and comparisons: structural equality, order, inclusion,
//! membership. Sets and bags are ascending sequences; no values are spelled out of sets that are packed.

use crate::model::{BinaryOp, CompareOp};
use crate::source::Code;
use crate::value::position::{sum_positions, times_position};
use crate::value::{
    Fault, Graph, Items, List, Surd, Value, excerpt, in_items, iterate, members, pair, too_big, wanted,
};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::sync::Arc;

/// No int grows beyond this many bits: R06.
pub(super) const BIT_LIMIT: u64 = 1 << 20;

/// `a op b` for evaluated operands. Errors: R03 for `div` and `mod` by what is not positive, division by 0 and negative
/// exponents; R06 for ints of more than 2^20 bits, range ends outside 64 bits and collections that are too long; R07
/// for a bag member that is not there; R01 for bits of a negative number and reals with different roots; E03 when no
/// meaning fits, E22 for sums of compounds.
pub fn binary(op: BinaryOp, a: &Value, b: &Value) -> Result<Value, Fault> {
    // The case of nearly all evaluation comes first.
    if let (Value::Int(a), Value::Int(b)) = (a, b)
        && let Some(n) = small(op, *a, *b)
    {
        return Ok(n);
    }
    match op {
        BinaryOp::Range => range(a, b),
        BinaryOp::Add => add(a, b),
        BinaryOp::Sub => subtract(a, b),
        BinaryOp::Mul => multiply(a, b),
        BinaryOp::Over => divide(a, b),
        BinaryOp::Div => divisor(a, b).and_then(|(a, b)| Ok(Value::int(a.to_big()?.div_floor(&*b.to_big()?)))),
        BinaryOp::Mod => divisor(a, b).and_then(|(a, b)| Ok(Value::int(a.to_big()?.mod_floor(&*b.to_big()?)))),
        BinaryOp::Pow => power(a, b),
        BinaryOp::Xor | BinaryOp::Meet => bitwise(op, a, b),
    }
}

/// What fits into machine words and has no fault.
fn small(op: BinaryOp, a: i64, b: i64) -> Option<Value> {
    let n = match op {
        BinaryOp::Add => a.checked_add(b)?,
        BinaryOp::Sub => a.checked_sub(b)?,
        BinaryOp::Mul => a.checked_mul(b)?,
        BinaryOp::Div if b > 0 => Integer::div_floor(&a, &b),
        BinaryOp::Mod if b > 0 => Integer::mod_floor(&a, &b),
        BinaryOp::Over if b != 0 && a.checked_rem(b)? == 0 => a / b,
        BinaryOp::Pow => a.checked_pow(u32::try_from(b).ok()?)?,
        BinaryOp::Xor if a >= 0 && b >= 0 => a ^ b,
        BinaryOp::Meet if a >= 0 && b >= 0 => a & b,
        BinaryOp::Range => return Some(Value::Range(a, b)),
        _ => return None,
    };
    Some(Value::Int(n))
}

/// `-a` Error: E03 when it is no number.
pub fn negate(a: &Value) -> Result<Value, Fault> {
    match a {
        Value::Int(n) if *n != i64::MIN => Ok(Value::Int(-n)),
        Value::Real(surd) => Ok(Value::real(Surd { a: -&surd.a, b: -&surd.b, c: surd.c.clone() })),
        _ => Ok(Value::int(-a.to_big()?.into_owned())),
    }
}

fn range(a: &Value, b: &Value) -> Result<Value, Fault> {
    match (a, b) {
        // What is empty whatever the numbers are stays empty.
        (Value::Int(_) | Value::Big(_), Value::Int(_) | Value::Big(_)) if b < a => Ok(Value::Range(1, 0)),
        (Value::Big(_), Value::Int(_) | Value::Big(_)) | (Value::Int(_), Value::Big(_)) => {
            Err(too_big(&format!("an end of {}..{}", excerpt(a), excerpt(b))))
        }
        _ => Ok(Value::Range(a.to_i64()?, b.to_i64()?)),
    }
}

fn is_number(value: &Value) -> bool {
    matches!(value, Value::Int(_) | Value::Big(_) | Value::Real(_) | Value::Loop(_))
}

fn no_meaning(op: &str, a: &Value, b: &Value) -> Fault {
    Fault::new(Code::E03, format!("`{op}` has no meaning between {} and {}", excerpt(a), excerpt(b)))
}

/// An int that is the result of a multiplication.
pub(super) fn checked_size(n: BigInt) -> Result<Value, Fault> {
    if n.bits() > BIT_LIMIT { Err(too_big(&format!("an int of {} bits", n.bits()))) } else { Ok(Value::int(n)) }
}

fn checked_real(surd: Surd) -> Result<Value, Fault> {
    if surd.bits() > BIT_LIMIT {
        Err(too_big(&format!("a real of {} bits", surd.bits())))
    } else {
        Ok(Value::real(surd))
    }
}

fn add(a: &Value, b: &Value) -> Result<Value, Fault> {
    match (a, b) {
        (Value::Position(_), _) | (_, Value::Position(_)) => sum_positions([a, b].into_iter()),
        (Value::Bag(_), _) | (_, Value::Bag(_)) => {
            let (a, b) = (sorted(a)?, sorted(b)?);
            in_items(&[a.len() + b.len()], "this bag")?;
            Ok(Value::Bag(merge(&a, &b, 2).into()))
        }
        (Value::Set(_), _) | (_, Value::Set(_)) => set_of(SetWord::Union, a, b),
        (Value::Text(a), Value::Text(b)) => {
            in_items(&[a.len() + b.len()], "this text")?;
            Ok(Value::Text(a.concat(b)))
        }
        (Value::List(_) | Value::Range(..), Value::List(_) | Value::Range(..)) => {
            let (a, b) = (members(a)?, members(b)?);
            in_items(&[a.len() + b.len()], "this list")?;
            let items = a.iter().chain(b.iter()).cloned().collect();
            Ok(Value::List(List { base: 0, items }))
        }
        _ => sum(a, b, false),
    }
}

/// The sum or difference of two numbers.
fn sum(a: &Value, b: &Value, negative: bool) -> Result<Value, Fault> {
    match (a, b) {
        _ if !(is_number(a) && is_number(b)) => Err(no_meaning(if negative { "-" } else { "+" }, a, b)),
        (Value::Real(_), _) | (_, Value::Real(_)) => checked_real(Surd::of(a)?.plus(&Surd::of(b)?, negative)?),
        _ if negative => checked_size(&*a.to_big()? - &*b.to_big()?),
        _ => checked_size(&*a.to_big()? + &*b.to_big()?),
    }
}

fn subtract(a: &Value, b: &Value) -> Result<Value, Fault> {
    match (a, b) {
        (Value::Graph(_) | Value::Grid(_), _) => crate::words::graph::without(a, b),
        (Value::Bag(_), _) | (_, Value::Bag(_)) => remove(&sorted(a)?, &sorted(b)?, a),
        // A range need not be spelled out.
        (Value::Set(a), Value::Range(from, to)) => {
            let kept = a.iter().filter(|x| !matches!(x, Value::Int(n) if from <= n && n <= to));
            Ok(Value::Set(kept.cloned().collect()))
        }
        (Value::Set(_), _) | (Value::Range(..) | Value::List(_), Value::Set(_)) => set_of(SetWord::Minus, a, b),
        _ => sum(a, b, true),
    }
}

fn multiply(a: &Value, b: &Value) -> Result<Value, Fault> {
    match (a, b) {
        (_, Value::Position(p)) => times_position(a, p),
        (Value::Position(p), _) => times_position(b, p),
        _ if !(is_number(a) && is_number(b)) => Err(no_meaning("*", a, b)),
        (Value::Real(_), _) | (_, Value::Real(_)) => checked_real(Surd::of(a)?.times(&Surd::of(b)?)?),
        (Value::Int(a), Value::Int(b)) => Ok(Value::wide(i128::from(*a) * i128::from(*b))),
        _ => {
            let (a, b) = (a.to_big()?, b.to_big()?);
            if a.bits() + b.bits() > BIT_LIMIT + 1 {
                return Err(too_big(&format!("an int of {} bits", a.bits() + b.bits())));
            }
            checked_size(&*a * &*b)
        }
    }
}

fn divide(a: &Value, b: &Value) -> Result<Value, Fault> {
    if !(is_number(a) && is_number(b)) {
        return Err(no_meaning("/", a, b));
    }
    checked_real(Surd::of(a)?.times(&Surd::of(b)?.inverse()?)?)
}

fn divisor<'a>(a: &'a Value, b: &'a Value) -> Result<(&'a Value, &'a Value), Fault> {
    if b.to_big()?.is_positive() {
        Ok((a, b))
    } else {
        Err(Fault::new(Code::R03, format!("`div` and `mod` are by a number above 0, not {}", excerpt(b))))
    }
}

fn power(a: &Value, b: &Value) -> Result<Value, Fault> {
    let exponent = b.to_big()?;
    if exponent.is_negative() {
        return Err(Fault::new(Code::R03, format!("the exponent {} is negative", excerpt(b))));
    }
    if let Value::Real(base) = a {
        let fits = exponent.to_u64().and_then(|n| base.bits().checked_mul(n)).is_some_and(|bits| bits <= BIT_LIMIT);
        let Some(mut n) = exponent.to_u64().filter(|_| fits) else {
            return Err(too_big("this power"));
        };
        let mut square = (**base).clone();
        let mut power = Surd::from_int(&BigInt::one());
        while n > 0 {
            if n % 2 == 1 {
                power = power.times(&square)?;
            }
            n /= 2;
            if n > 0 {
                square = square.times(&square)?;
            }
        }
        return Ok(Value::real(power));
    }
    let base = a.to_big()?;
    if exponent.is_zero() || base.is_one() {
        return Ok(Value::Int(1));
    }
    if base.is_zero() {
        return Ok(Value::Int(0));
    }
    if base.magnitude().is_one() {
        return Ok(Value::Int(if exponent.is_even() { 1 } else { -1 }));
    }
    match exponent.to_u32() {
        Some(n) if (base.bits() - 1).saturating_mul(u64::from(n)) <= BIT_LIMIT => checked_size(base.pow(n)),
        _ => Err(too_big(&format!("{} ** {}", excerpt(a), excerpt(b)))),
    }
}

fn nats<'a>(word: &str, a: &'a Value, b: &'a Value) -> Result<(Cow<'a, BigInt>, Cow<'a, BigInt>), Fault> {
    if !(is_number(a) && is_number(b)) {
        return Err(no_meaning(word, a, b));
    }
    let (m, n) = (a.to_big()?, b.to_big()?);
    for (n, value) in [(&m, a), (&n, b)] {
        if n.is_negative() {
            return Err(Fault::new(Code::R01, format!("`{word}` is of numbers >= 0, not of {}", excerpt(value))));
        }
    }
    Ok((m, n))
}

/// `xor` and `&`: of two sets, or of the bits of two nats.
fn bitwise(op: BinaryOp, a: &Value, b: &Value) -> Result<Value, Fault> {
    let xor = op == BinaryOp::Xor;
    if matches!(a, Value::Set(_)) || matches!(b, Value::Set(_)) {
        return set_of(if xor { SetWord::Xor } else { SetWord::Meet }, a, b);
    }
    let (a, b) = nats(op.sign(), a, b)?;
    Ok(Value::int(if xor { &*a ^ &*b } else { &*a & &*b }))
}

/// `a op b`. Error: E03 where no meaning fits: the order of truth values or of things of different types, equality of
/// graphs and of positions, membership in what is no collection.
#[inline]
pub fn compare(op: CompareOp, a: &Value, b: &Value) -> Result<bool, Fault> {
    if let (CompareOp::Eq, Value::Int(a), Value::Int(b)) = (op, a, b) {
        return Ok(a == b);
    }
    match op {
        CompareOp::Eq => equal(a, b),
        CompareOp::Ne => Ok(!equal(a, b)?),
        CompareOp::Lt => less(a, b, true),
        CompareOp::Le => less(a, b, false),
        CompareOp::Gt => less(b, a, true),
        CompareOp::Ge => less(b, a, false),
        CompareOp::In => contains(b, a),
        CompareOp::NotIn => Ok(!contains(b, a)?),
    }
}

/// Structural equality; a list beside a set or bag is taken as one (rule 6). Vertices of different make are just
/// different. Error: E03 for graphs and positions, which are not compared.
pub fn equal(a: &Value, b: &Value) -> Result<bool, Fault> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Ok(a == b),
        (Value::Graph(_) | Value::Position(_), _) | (_, Value::Graph(_) | Value::Position(_)) => {
            Err(Fault::new(Code::E03, "graphs and positions are not compared"))
        }
        (Value::Bag(bag), other @ (Value::List(_) | Value::Range(..) | Value::Set(_)))
        | (other @ (Value::List(_) | Value::Range(..) | Value::Set(_)), Value::Bag(bag)) => {
            Ok(**bag == *sorted(other)?)
        }
        (Value::Set(set), other @ (Value::List(_) | Value::Range(..)))
        | (other @ (Value::List(_) | Value::Range(..)), Value::Set(set)) => Ok(**set == *distinct(other)?),
        _ => Ok(a == b),
    }
}

fn less(a: &Value, b: &Value, strict: bool) -> Result<bool, Fault> {
    use Value as V;
    match (a, b) {
        (V::Int(a), V::Int(b)) => Ok(if strict { a < b } else { a <= b }),
        (V::Bag(_), _) | (_, V::Bag(_)) => {
            let (a, b) = (sorted(a)?, sorted(b)?);
            Ok(included(&a, &b) && !(strict && a.len() == b.len()))
        }
        (V::Set(x), V::Set(y)) if let Some(inside) = inside(a, b) => Ok(inside && !(strict && x.len() == y.len())),
        (V::Set(_), _) | (_, V::Set(_)) => {
            let (a, b) = (distinct(a)?, distinct(b)?);
            Ok(included(&a, &b) && !(strict && a.len() == b.len()))
        }
        (V::Int(_) | V::Big(_) | V::Real(_), V::Int(_) | V::Big(_) | V::Real(_))
        | (V::Text(_), V::Text(_))
        | (V::Tuple(_), V::Tuple(_))
        | (V::List(_) | V::Range(..), V::List(_) | V::Range(..))
        | (V::Edge(_), V::Edge(_)) => Ok(if strict { a < b } else { a <= b }),
        (value @ V::Loop(_), _) | (_, value @ V::Loop(_)) => {
            Err(Fault::new(Code::E20, format!("the loopy value {value} is no number")))
        }
        _ => Err(Fault::new(Code::E03, format!("{} and {} have no order", excerpt(a), excerpt(b)))),
    }
}

/// `item in collection`. Logarithmic in sets and bags, constant in ranges, linear in lists and texts. Error: E03 when
/// `collection` is none, or a text is asked for what is no character.
pub fn contains(collection: &Value, item: &Value) -> Result<bool, Fault> {
    match collection {
        Value::Range(from, to) => Ok(matches!(item, Value::Int(n) if from <= n && n <= to)),
        Value::Set(items) | Value::Bag(items) => {
            if let Some(ints) = items.as_ints() {
                return Ok(matches!(item, Value::Int(n) if ints.binary_search(n).is_ok()));
            }
            if let Some(pairs) = items.as_pairs() {
                return Ok(pair(item).is_some_and(|pair| pairs.binary_search(&pair).is_ok()));
            }
            if let (Some((graph, indices)), Value::Edge(edge)) = (items.as_edges(), item) {
                let index = graph.edge_index(edge).and_then(|index| u32::try_from(index).ok());
                return Ok(index.is_some_and(|index| indices.number(index).is_some()));
            }
            Ok(items.binary_search(item).is_ok())
        }
        Value::List(list) => Ok(match (list.items.as_ints(), item) {
            (Some(ints), Value::Int(n)) => ints.contains(n),
            (Some(_), _) => false,
            (None, _) => list.items.contains(item),
        }),
        Value::Text(text) => match item {
            Value::Text(part) => match part.single() {
                Some(c) => Ok(text.has(c)),
                None => Err(Fault::new(
                    Code::E03,
                    format!("`in` asks a text for a character, not for {}; `places` finds parts", excerpt(item)),
                )),
            },
            _ => Err(wanted("a character", item)),
        },
        Value::Graph(graph) => Ok(graph.number(item).is_some()),
        Value::Grid(grid) => Ok(grid.graph().number(item).is_some()),
        _ => Err(wanted("a collection", collection)),
    }
}

/// The members of a collection, ascending, with repetition.
pub(super) fn sorted(value: &Value) -> Result<Cow<'_, [Value]>, Fault> {
    let mut items = members(value)?;
    if !matches!(value, Value::Set(_) | Value::Bag(_) | Value::Range(..)) && !items.is_sorted() {
        items.to_mut().sort_unstable();
    }
    Ok(items)
}

/// The members of a collection, ascending, each once.
pub(super) fn distinct(value: &Value) -> Result<Cow<'_, [Value]>, Fault> {
    let mut items = sorted(value)?;
    if !matches!(value, Value::Set(_) | Value::Range(..)) && !items.is_sorted_by(|a, b| a < b) {
        items.to_mut().dedup();
    }
    Ok(items)
}

/// Both ascending sequences as one; what is in both comes so many times.
fn merge<T: Ord + Clone>(a: &[T], b: &[T], times: usize) -> Vec<T> {
    let mut out = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            Ordering::Less => {
                out.push(a[i].clone());
                i += 1;
            }
            Ordering::Greater => {
                out.push(b[j].clone());
                j += 1;
            }
            Ordering::Equal => {
                out.extend(std::iter::repeat_n(&a[i], times).cloned());
                i += 1;
                j += 1;
            }
        }
    }
    out.extend_from_slice(&a[i..]);
    out.extend_from_slice(&b[j..]);
    out
}

/// What of `a` is not in `b`; both ascending, each once.
fn merge_out<T: Ord + Clone>(a: &[T], b: &[T]) -> Vec<T> {
    if b.len() * 8 < a.len() || a.len() * 8 < b.len() {
        return a.iter().filter(|x| b.binary_search(x).is_err()).cloned().collect();
    }
    let mut out = Vec::with_capacity(a.len());
    let mut j = 0;
    for x in a {
        while j < b.len() && b[j] < *x {
            j += 1;
        }
        if j == b.len() || b[j] != *x {
            out.push(x.clone());
        }
    }
    out
}

/// Whether the members of `a` are all in `b`, as often; both ascending.
fn included<T: Ord>(a: &[T], b: &[T]) -> bool {
    if a.len() > b.len() {
        return false;
    }
    let mut j = 0;
    a.iter().all(|x| {
        while j < b.len() && b[j] < *x {
            j += 1;
        }
        let there = j < b.len() && b[j] == *x;
        j += 1;
        there
    })
}

/// Bag `-`: one copy for each member on the right.
fn remove(a: &[Value], b: &[Value], shown: &Value) -> Result<Value, Fault> {
    let mut out = Vec::with_capacity(a.len().saturating_sub(b.len()));
    let mut left = a.iter();
    for x in b {
        loop {
            match left.next() {
                Some(y) if y < x => out.push(y.clone()),
                Some(y) if y == x => break,
                _ => {
                    return Err(Fault::new(Code::R07, format!("{} is not in {}", excerpt(x), excerpt(shown))));
                }
            }
        }
    }
    out.extend(left.cloned());
    Ok(Value::Bag(out.into()))
}

/// How many members, when that is a number that counts something in memory.
pub(super) fn length(value: &Value) -> Result<usize, Fault> {
    Ok(iterate(value)?.size_hint().0)
}

/// What makes a set of two.
#[derive(Clone, Copy)]
enum SetWord {
    Union,
    Minus,
    Xor,
    Meet,
}

/// Two sets as ascending words of one kind.
enum Both<'a> {
    Ints(Cow<'a, [i64]>, Cow<'a, [i64]>),
    Pairs(Cow<'a, [(i32, i32)]>, Cow<'a, [(i32, i32)]>),
    Edges(&'a Arc<Graph>, Cow<'a, [u32]>, Cow<'a, [u32]>),
}

/// The set that `word` makes of the members of two collections.
fn set_of(word: SetWord, a: &Value, b: &Value) -> Result<Value, Fault> {
    match made(word, a, b) {
        Some(made) => Ok(made),
        None => Ok(Value::Set(joined(word, &distinct(a)?, &distinct(b)?).into())),
    }
}

/// The set that `word` makes of two sets. `None`: neither is packed, or they do not go together. Linear, or `m log n` where
/// one is much smaller.
fn made(word: SetWord, a: &Value, b: &Value) -> Option<Value> {
    Some(Value::Set(match both(a, b)? {
        Both::Ints(a, b) => Items::ints(joined(word, &a, &b)),
        Both::Pairs(a, b) => Items::pairs(joined(word, &a, &b)),
        Both::Edges(graph, a, b) => Items::edges(graph, joined(word, &a, &b)),
    }))
}

/// Whether all members of `a` are in `b`. `None` as for [`made`].
fn inside(a: &Value, b: &Value) -> Option<bool> {
    Some(match both(a, b)? {
        Both::Ints(a, b) => included(&a, &b),
        Both::Pairs(a, b) => included(&a, &b),
        Both::Edges(_, a, b) => included(&a, &b),
    })
}

/// Whether all members of a set are in another, where one of them at least is packed; `false` where that is not known.
pub(crate) fn all_inside(a: &Value, b: &Value) -> bool {
    inside(a, b).unwrap_or(false)
}

fn both<'a>(a: &'a Value, b: &'a Value) -> Option<Both<'a>> {
    let (Value::Set(a), Value::Set(b)) = (a, b) else { return None };
    if a.as_ints().is_some() || b.as_ints().is_some() {
        return Some(Both::Ints(ints(a)?, ints(b)?));
    }
    if a.as_pairs().is_some() || b.as_pairs().is_some() {
        return Some(Both::Pairs(pairs(a)?, pairs(b)?));
    }
    let (graph, _) = a.as_edges().or_else(|| b.as_edges())?;
    Some(Both::Edges(graph, indices(graph, a)?, indices(graph, b)?))
}

fn ints(items: &Items) -> Option<Cow<'_, [i64]>> {
    if let Some(ints) = items.as_ints() {
        return Some(Cow::Borrowed(ints));
    }
    let Items::Values(values) = items else { return None };
    values.iter().map(|value| if let Value::Int(n) = value { Some(*n) } else { None }).collect()
}

fn pairs(items: &Items) -> Option<Cow<'_, [(i32, i32)]>> {
    if let Some(pairs) = items.as_pairs() {
        return Some(Cow::Borrowed(pairs));
    }
    let Items::Values(values) = items else { return None };
    values.iter().map(pair).collect()
}

/// The indices of edges; ascending, as the edges of a set are.
fn indices<'a>(graph: &Arc<Graph>, items: &'a Items) -> Option<Cow<'a, [u32]>> {
    match items {
        Items::Packed(_) => {
            items.as_edges().filter(|(of, _)| Arc::ptr_eq(of, graph)).map(|(_, indices)| indices.slice())
        }
        Items::Values(values) => values
            .iter()
            .map(|value| match value {
                Value::Edge(edge) => u32::try_from(graph.edge_index(edge)?).ok(),
                _ => None,
            })
            .collect(),
    }
}

fn joined<T: Ord + Clone>(word: SetWord, a: &[T], b: &[T]) -> Vec<T> {
    match word {
        SetWord::Union => merge(a, b, 1),
        SetWord::Minus => merge_out(a, b),
        SetWord::Xor => merge(a, b, 0),
        SetWord::Meet => {
            let (few, many) = if a.len() < b.len() { (a, b) } else { (b, a) };
            few.iter().filter(|x| many.binary_search(x).is_ok()).cloned().collect()
        }
    }
}
