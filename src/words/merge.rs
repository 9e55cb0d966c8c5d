//! Ascending sequences: what sets and bags are made of.

use crate::source::diagnostic::Code;
use crate::value::fault::Fault;
use crate::value::{Value, excerpt, iterate, members};
use std::borrow::Cow;
use std::cmp::Ordering;

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
pub(super) fn merge<T: Ord + Clone>(a: &[T], b: &[T], times: usize) -> Vec<T> {
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

/// The union of two sets of ascending members.
pub(super) fn union<T: Ord + Clone>(a: &[T], b: &[T]) -> Vec<T> {
    merge(a, b, 1)
}

/// What of `a` is not in `b`; both ascending, each once.
pub(super) fn merge_out<T: Ord + Clone>(a: &[T], b: &[T]) -> Vec<T> {
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

/// What is in one of two only; both ascending, each once.
pub(super) fn in_one<T: Ord + Clone>(a: &[T], b: &[T]) -> Vec<T> {
    merge(a, b, 0)
}

/// Whether the members of `a` are all in `b`, as often; both ascending.
pub(super) fn included<T: Ord>(a: &[T], b: &[T]) -> bool {
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
pub(super) fn remove(a: &[Value], b: &[Value], shown: &Value) -> Result<Value, Fault> {
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
