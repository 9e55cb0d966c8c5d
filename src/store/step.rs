//! Instructions on values, as far as values and domains are all that they need. The interpreter and native code share them.

use crate::bytecode::{Aggregate, Code, Materialize, Op, Reg, WordType, layout};
use crate::input::entry;
use crate::model::{Builtin, Gather, Type};
use crate::source::diagnostic;
use crate::store::Domains;
use crate::value::{self, Deopt, Edge, Fault, Halt, Items, List, Row, Run, Value, width};
use crate::words;
use std::ops::Range;

/// What is being collected.
pub(crate) struct Builder {
    /// The first items, as long as all are ints.
    ints: Vec<i64>,
    /// All items, once one is no int.
    values: Vec<Value>,
    /// Components of one kind, instead of items.
    pub(crate) row: Option<Row>,
    /// How many collections were begun before.
    pub(crate) serial: i64,
}

impl Builder {
    fn new(serial: i64) -> Builder {
        Builder { ints: Vec::new(), values: Vec::new(), row: None, serial }
    }

    #[inline]
    fn push(&mut self, item: &Value) {
        match item {
            Value::Int(n) if self.values.is_empty() => self.ints.push(*n),
            _ => self.values().push(item.clone()),
        }
    }

    /// The items as values.
    pub(crate) fn values(&mut self) -> &mut Vec<Value> {
        self.values.extend(self.ints.drain(..).map(Value::Int));
        &mut self.values
    }

    /// The collection.
    fn done(mut self, gather: Gather) -> Value {
        match gather {
            Gather::List if self.values.is_empty() => Value::List(List { base: 0, items: Items::ints(self.ints) }),
            Gather::Set if self.values.is_empty() => Value::set_of_ints(self.ints),
            Gather::List => Value::list(std::mem::take(self.values())),
            Gather::Set => Value::set(self.values().drain(..).map(value::settled).collect()),
        }
    }
}

/// Who runs instructions on values.
pub(crate) trait Host {
    fn domains(&self) -> &Domains;
    /// Pays for work on so many members of collections, or words.
    fn spend(&mut self, members: u64) -> Run<()>;
    /// A trial does not begin a loop that it cannot end.
    fn foresee(&self, from: i64, to: i64) -> Run<()>;
    /// The number of a collection that begins.
    fn serial(&mut self) -> i64;
}

/// The value of a word; what it makes is paid for before it is made.
pub(crate) fn word(host: &mut impl Host, word: Builtin, args: &[Value]) -> Run<Value> {
    let members = words::makes(word, args)?;
    if members > 0 {
        host.foresee(0, width::int(members))?;
        host.spend(members)?;
    }
    Ok(words::call(word, args)?)
}

/// Runs one instruction; `false`: it is none of these.
#[inline(always)] // into the one loop
#[allow(clippy::inline_always)] // a call for each instruction takes as long as a short one
pub(crate) fn step<H: Host>(
    host: &mut H,
    op: Op,
    code: &Code,
    w: &mut [i64],
    v: &mut [Value],
    builders: &mut Vec<Builder>,
) -> Run<bool> {
    macro_rules! w {
        ($r:expr) => {
            w[usize::from($r)]
        };
    }
    macro_rules! v {
        ($r:expr) => {
            v[usize::from($r)]
        };
    }
    match op {
        Op::Materialize { d, make } => v!(d) = made(host.domains(), &code.makes[usize::from(make)], w, v),
        Op::Value { d, k } => v!(d) = code.constants[usize::from(k)].clone(),
        Op::Move { d, a } => v!(d) = v!(a).clone(),
        Op::Binary { op, d, a, b } => {
            host.spend(v!(a).breadth() + v!(b).breadth())?;
            v!(d) = words::binary(op, &v!(a), &v!(b))?;
            host.spend(v!(d).cost())?;
        }
        Op::Compare { op, d, a, b } => w!(d) = i64::from(words::compare(op, &v!(a), &v!(b))?),
        Op::NegValue { d, a } => v!(d) = words::negate(&v!(a))?,
        Op::Call { spec } => {
            let spec = &code.calls[usize::from(spec)];
            host.spend(spec.args.iter().map(|a| v!(*a).breadth()).sum())?;
            let result = match &spec.args[..] {
                [a] => word(host, spec.word, std::slice::from_ref(&v!(*a)))?,
                args => {
                    let args: Vec<Value> = args.iter().map(|a| v!(*a).clone()).collect();
                    word(host, spec.word, &args)?
                }
            };
            v!(spec.d) = result;
        }
        Op::Index { d, a, i } => v!(d) = words::index(&v!(a), &v!(i))?,
        Op::IndexWord { d, a, i } => v!(d) = item(&v!(a), w!(i))?,
        Op::IndexInt { d, a, i } => {
            w!(d) = match int_item(&v!(a), w!(i)) {
                Some(n) => n,
                None => match item(&v!(a), w!(i))? {
                    // It may be compared with numbers, as a value.
                    Value::Loop(_) => return Err(Halt::Deopt(Deopt::IntOverflow)),
                    item => host.domains().value_word(&item, WordType::Int)?,
                },
            }
        }
        Op::Slice { spec } => {
            let spec = &code.slices[usize::from(spec)];
            let from = spec.from.map(|r| &v[usize::from(r)]);
            let to = spec.to.map(|r| &v[usize::from(r)]);
            v!(spec.d) = words::slice(&v!(spec.a), from, to)?;
        }
        Op::Update { spec } => {
            let spec = &code.updates[usize::from(spec)];
            let changes: Vec<_> = spec.changes.iter().map(|(i, op, x)| (v!(*i).clone(), *op, v!(*x).clone())).collect();
            v!(spec.d) = words::update(&v!(spec.a), &changes)?;
        }
        Op::UpdateBuilt { d, a, op } => {
            let items = builders.pop().map(|mut b| std::mem::take(b.values())).unwrap_or_default();
            let changes: Vec<_> = items.chunks_exact(2).map(|pair| (pair[0].clone(), op, pair[1].clone())).collect();
            v!(d) = words::update(&v!(a), &changes)?;
        }
        Op::Part { d, a, index, arity } => v!(d) = part(&v!(a), index.into(), arity.into())?,
        Op::Adapt { d, a, ty } => {
            let ty = &code.types[usize::from(ty)];
            if let (&Value::Int(n), Type::Int) = (&v!(a), ty) {
                put_int(&mut v!(d), n);
                return Ok(true);
            }
            if let Value::Graph(graph) = &v!(a) {
                // To be gone through.
                host.foresee(0, width::int(graph.vertices.len()))?;
            }
            v!(d) = entry::adapt(v!(a).clone(), ty)?;
        }
        Op::Build => {
            let serial = host.serial();
            builders.push(Builder::new(serial));
        }
        Op::BuildPush { a } => {
            if let Some(builder) = builders.last_mut() {
                builder.push(&v!(a));
            }
        }
        Op::BuildSpread { a } => {
            let members = value::members(&v!(a))?.into_owned();
            if let Some(builder) = builders.last_mut() {
                for member in &members {
                    builder.push(member);
                }
            }
        }
        Op::BuildDone { d, gather } => {
            if let Some(builder) = builders.pop() {
                v!(d) = builder.done(gather);
            }
        }
        Op::Members { d, a } => v!(d) = value::iterable(&v!(a))?,
        Op::Box { d, a, word_type: WordType::Int } => put_int(&mut v!(d), w!(a)),
        Op::Box { d, a, word_type } => v!(d) = host.domains().word_value(w!(a), word_type),
        Op::Unbox { d, a, word_type } => {
            w!(d) = match (&v!(a), word_type) {
                (Value::Int(n), WordType::Int) => *n,
                (other, word_type) => host.domains().value_word(other, word_type)?,
            }
        }
        Op::UnboxValue { d, a } => {
            w!(d) = if let Value::Int(n) = v!(a) { n } else { i64::MIN };
        }
        Op::Floor { d, a, spec } => {
            w!(d) = code.floors[usize::from(spec)].of(w!(a)).ok_or(Halt::Deopt(Deopt::IntOverflow))?;
        }
        Op::TableValue { d, table, a } => {
            let at = width::index(w!(a));
            v!(d) = code.value_tables[usize::from(table)][at].clone();
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// A value put together from registers.
pub(crate) fn made(domains: &Domains, make: &Materialize, w: &[i64], v: &[Value]) -> Value {
    match make {
        Materialize::Known(value) => value.clone(),
        Materialize::Word(r, word_type) => domains.word_value(w[usize::from(*r)], *word_type),
        Materialize::Value(r) => v[usize::from(*r)].clone(),
        Materialize::Parts(kind, parts) => {
            let there = parts.iter().filter(|(flag, _)| flag.is_none_or(|flag| w[usize::from(flag)] != 0));
            layout::whole(*kind, there.map(|(_, part)| made(domains, part, w, v)).collect())
        }
    }
}

/// Puts an int into a register. One that holds an int is changed in place: a whole value would go through memory twice.
#[inline]
fn put_int(register: &mut Value, n: i64) {
    if let Value::Int(before) = register {
        *before = n;
    } else {
        *register = Value::Int(n);
    }
}

/// The item of a list with this index, if it is there and an int.
#[inline]
fn int_item(base: &Value, index: i64) -> Option<i64> {
    let Value::List(list) = base else { return None };
    index.checked_sub(list.base).and_then(|at| usize::try_from(at).ok()).and_then(|at| list.items.int(at))
}

/// The item with this index.
fn item(base: &Value, index: i64) -> Run<Value> {
    let Value::List(list) = base else { return Ok(words::index(base, &Value::Int(index))?) };
    let at = index.checked_sub(list.base).and_then(|at| usize::try_from(at).ok());
    let item = at.and_then(|at| list.items.item(at));
    item.ok_or_else(|| outside(index, list.items.len(), list.base, Aggregate::List(list.base)).into())
}

/// An index that is not there (R02).
pub(crate) fn outside(index: i64, len: usize, base: i64, whole: Aggregate) -> Fault {
    let (what, item) = match whole {
        Aggregate::Text => ("a text", "character"),
        Aggregate::Tuple => ("a tuple", "part"),
        Aggregate::Grid(_) => ("a grid", "cell"),
        Aggregate::List(_) | Aggregate::Set { .. } | Aggregate::Bag { .. } => ("a list", "item"),
    };
    words::no_item(index, base, len, what, item)
}

fn part(value: &Value, index: usize, arity: usize) -> Run<Value> {
    let parts: &[Value] = match value {
        Value::Tuple(parts) => parts,
        Value::List(list) => &list.items,
        Value::Edge(edge) => {
            let Edge { u, v, .. } = &**edge;
            if arity == 2 {
                return Ok(if index == 0 { u.clone() } else { v.clone() });
            }
            &[]
        }
        Value::Range(..) => return part(&Value::list(value::members(value)?.into_owned()), index, arity),
        _ => return Err(Fault::new(diagnostic::Code::E03, format!("{value} cannot be taken apart")).into()),
    };
    if parts.len() == arity {
        Ok(parts[index].clone())
    } else {
        Err(Fault::new(diagnostic::Code::R02, format!("a pattern of {arity} parts meets {value}")).into())
    }
}

/// Puts the next member of a collection that [`value::iterable`] made ready into a register. `false`: there is none.
#[inline]
pub(crate) fn next_item(v: &mut [Value], d: Reg, items: Reg, cursor: &mut i64, distinct: bool) -> bool {
    let (d, items) = (usize::from(d), &v[usize::from(items)]);
    let int = match items {
        Value::List(List { items, .. }) | Value::Set(items) => {
            usize::try_from(*cursor).ok().and_then(|at| items.int(at))
        }
        _ => None,
    };
    let next = match int {
        Some(n) => {
            *cursor += 1;
            put_int(&mut v[d], n);
            return true;
        }
        None => any_item(items, cursor, distinct),
    };
    next.map(|value| v[d] = value).is_some()
}

/// The next member of a list or set of ints, or of tuples of ints, into these words; `false`: there is none.
#[inline]
pub(crate) fn next_ints(items: &Value, words: &mut [i64], cursor: Reg, d: Range<Reg>) -> Run<bool> {
    let (at, first) = (&mut words[usize::from(cursor)], usize::from(d.start));
    if d.len() == 1 {
        let next = next_int(items, at)?;
        words[first] = next.unwrap_or_default();
        return Ok(next.is_some());
    }
    let Some(item) = any_item(items, at, false) else { return Ok(false) };
    let parts = if let Value::Tuple(parts) = &item { &parts[..] } else { &[] };
    for (place, word) in words[first..first + d.len()].iter_mut().enumerate() {
        let Some(Value::Int(n)) = parts.get(place) else { return Err(Halt::Deopt(Deopt::IntOverflow)) };
        *word = *n;
    }
    Ok(true)
}

/// The next member of a list or set of ints. `None`: there is none.
#[inline]
fn next_int(items: &Value, cursor: &mut i64) -> Run<Option<i64>> {
    let int = match items {
        Value::List(List { items, .. }) | Value::Set(items) => {
            usize::try_from(*cursor).ok().and_then(|at| items.int(at))
        }
        _ => None,
    };
    if int.is_some() {
        *cursor += 1;
        return Ok(int);
    }
    match any_item(items, cursor, false) {
        None => Ok(None),
        Some(Value::Int(n)) => Ok(Some(n)),
        Some(_) => Err(Halt::Deopt(Deopt::IntOverflow)),
    }
}

fn any_item(items: &Value, cursor: &mut i64, distinct: bool) -> Option<Value> {
    let at = usize::try_from(*cursor).ok()?;
    let list: &[Value] = match items {
        Value::List(List { items, .. }) | Value::Set(items) if matches!(items, Items::Packed(_)) => {
            let item = items.item(at)?;
            *cursor += 1;
            return Some(item);
        }
        Value::List(list) => &list.items,
        Value::Set(list) | Value::Bag(list) => list,
        Value::Tuple(parts) => parts,
        Value::Range(from, to) => {
            let n = from.checked_add(*cursor).filter(|n| n <= to)?;
            *cursor += 1;
            return Some(Value::Int(n));
        }
        _ => return None,
    };
    let bag = distinct && matches!(items, Value::Bag(_));
    let mut at = at;
    if bag && at > 0 {
        while at < list.len() && list[at] == list[at - 1] {
            at += 1;
        }
    }
    let value = list.get(at)?.clone();
    *cursor = width::int(at + 1);
    Some(value)
}
