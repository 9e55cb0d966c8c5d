//! Operators and built-in words, by the reference.

use super::expressions::{Fault, Run};
use super::graphs;
use super::reals::{self, Real};
use super::values::Value;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A value of the same type as `xs` with these members.
pub(super) fn like(xs: &Value, members: Vec<Value>) -> Value {
    match xs {
        Value::Text(_) => Value::Text(members.iter().map(Value::chars).collect()),
        Value::Set(_) => Value::set(members),
        Value::Bag(_) => Value::bag(members),
        _ => Value::List(members),
    }
}

/// `a` without the members of `b`, each as often as it is there; `None`: one of them is missing.
fn taken(a: &[Value], b: &[Value]) -> Option<Vec<Value>> {
    let mut left = a.to_vec();
    for member in b {
        left.remove(left.iter().position(|v| v == member)?);
    }
    Some(left)
}

fn compared<T: PartialOrd>(word: &str, a: &T, b: &T) -> Option<bool> {
    Some(match word {
        "==" => a == b,
        "!=" => a != b,
        "<" => a < b,
        "<=" => a <= b,
        ">" => a > b,
        ">=" => a >= b,
        _ => return None,
    })
}

pub(super) fn operator(word: &str, a: Value, b: Value) -> Run<Value> {
    use Value::{Bag, Bool, Int, List, Set, Text, Tuple};
    match word {
        "in" => return Ok(Bool(b.members().contains(&a))),
        "not in" => return Ok(Bool(!b.members().contains(&a))),
        _ => {}
    }
    if let ("-", Some(graph)) = (word, graphs::as_graph(&a)) {
        return Ok(Value::Graph(Rc::new(graph.without(&b.members()))));
    }
    if let (Some(x), Some(y)) = (reals::as_real(&a), reals::as_real(&b))
        && (word == "/" || matches!(a, Value::Real(_)) || matches!(b, Value::Real(_)))
    {
        let (x, y) = (x?, y?);
        return compared(word, &x, &y).map_or_else(|| reals::operator(word, x, y), |truth| Ok(Bool(truth)));
    }
    // A list beside a bag or a set becomes one.
    let (a, b) = match (a, b) {
        (a @ (Bag(_) | Set(_)), List(b)) => {
            let b = like(&a, b);
            (a, b)
        }
        (List(a), b @ (Bag(_) | Set(_))) => (like(&b, a), b),
        pair => pair,
    };
    let includes = |a: &[Value], b: &[Value]| taken(b, a).is_some();
    let equal = || if matches!(word, "==" | "iff") { Some(a == b) } else { (word == "!=").then(|| a != b) };
    let truth = match (&a, &b) {
        (Int(a), Int(b)) => compared(word, a, b),
        (Text(_), Text(_)) | (Tuple(_), Tuple(_)) | (List(_), List(_)) => compared(word, &a, &b),
        (Set(x), Set(y)) | (Bag(x), Bag(y)) => match word {
            "<=" => Some(includes(x, y)),
            "<" => Some(includes(x, y) && x != y),
            _ => equal(),
        },
        _ => equal(),
    };
    if let Some(truth) = truth {
        return Ok(Bool(truth));
    }
    let number = |i: Option<i128>| i.map(Int).ok_or(Fault::Big);
    Ok(match (word, a, b) {
        ("+", Int(a), Int(b)) => number(a.checked_add(b))?,
        ("-", Int(a), Int(b)) => number(a.checked_sub(b))?,
        ("*", Int(a), Int(b)) => number(a.checked_mul(b))?,
        ("div", Int(a), Int(b)) => Int(a.div_euclid(b)),
        ("mod", Int(a), Int(b)) => Int(a.rem_euclid(b)),
        ("xor", Int(a), Int(b)) => Int(a ^ b),
        ("&", Int(a), Int(b)) => Int(a & b),
        ("**", Int(a), Int(b)) => number(a.checked_pow(u32::try_from(b).expect("small")))?,
        ("..", Int(a), Int(b)) => List((a..=b).map(Int).collect()),
        ("+", Text(a), Text(b)) => Text(a + &b),
        ("+", List(a), List(b)) => List([a, b].concat()),
        ("+", Bag(a), Bag(b)) => Value::bag([a, b].concat()),
        ("-", Bag(a), Bag(b)) => Bag(taken(&a, &b).expect("its members")),
        ("+", Set(a), Set(b)) => Value::set([a, b].concat()),
        ("-", Set(a), Set(b)) => Set(a.into_iter().filter(|v| !b.contains(v)).collect()),
        ("&", Set(a), Set(b)) => Set(a.into_iter().filter(|v| b.contains(v)).collect()),
        ("xor", Set(a), Set(b)) => {
            let one = a.iter().filter(|v| !b.contains(v));
            Value::set(one.chain(b.iter().filter(|v| !a.contains(v))).cloned().collect())
        }
        (word, a, b) => panic!("{a:?} {word} {b:?}"),
    })
}

fn is_prime(n: i128) -> bool {
    (2..n).all(|d| n % d != 0)
}

/// With parts up to `most`.
fn partitions(n: i128, most: i128) -> Vec<Vec<Value>> {
    if n == 0 {
        return vec![Vec::new()];
    }
    let with =
        |part: i128| partitions(n - part, part).into_iter().map(move |rest| [rest, vec![Value::Int(part)]].concat());
    (1..=most.min(n)).flat_map(with).collect()
}

/// By its definition: the least number that differs from all x b xor a y xor x y with x < a and y < b.
fn nim_product(a: i128, b: i128) -> i128 {
    thread_local!(static KNOWN: RefCell<BTreeMap<(i128, i128), i128>> = const { RefCell::new(BTreeMap::new()) });
    if let Some(known) = KNOWN.with_borrow(|known| known.get(&(a, b)).copied()) {
        return known;
    }
    let value = |x: i128, y: i128| nim_product(x, b) ^ nim_product(a, y) ^ nim_product(x, y);
    let less: BTreeSet<i128> = (0..a).flat_map(|x| (0..b).map(move |y| value(x, y))).collect();
    let product = (0..=less.len() as i128).find(|n| !less.contains(n)).expect("one");
    KNOWN.with_borrow_mut(|known| known.insert((a, b), product));
    product
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

/// All sublists of `count` members.
fn chosen(items: &[Value], count: usize) -> Vec<Vec<Value>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let from = |i: usize| {
        let rest = chosen(&items[i + 1..], count - 1).into_iter();
        rest.map(move |rest| [vec![items[i].clone()], rest].concat())
    };
    (0..items.len()).flat_map(from).collect()
}

fn distinct(mut items: Vec<Vec<Value>>) -> Vec<Vec<Value>> {
    items.sort();
    items.dedup();
    items
}

/// The least number that is none of these.
fn mex(values: &[i128]) -> i128 {
    (0..=values.len() as i128).find(|n| !values.contains(n)).expect("one")
}

/// The value of a heap under a take-and-break code, by its definition.
fn octal(code: &str, most: i128) -> i128 {
    let digits: Vec<u32> = code.chars().filter_map(|c| c.to_digit(8)).collect();
    let mut values: Vec<i128> = Vec::new();
    for n in 0..=usize::try_from(most).expect("small") {
        let mut options = Vec::new();
        for (taken, digit) in digits.iter().enumerate().take(n + 1) {
            let left = n - taken;
            options.extend((digit & 1 > 0 && left == 0).then_some(0));
            options.extend((digit & 2 > 0 && left > 0).then(|| values[left]));
            options.extend((1..left).filter(|_| digit & 4 > 0).map(|a| values[a] ^ values[left - a]));
        }
        values.push(mex(&options));
    }
    values.pop().expect("one")
}

/// The value of a heap of which so many are taken, by its definition.
fn subtraction(amounts: &[i128], n: i128) -> i128 {
    let options: Vec<i128> = amounts.iter().filter(|a| **a <= n).map(|a| subtraction(amounts, n - a)).collect();
    mex(&options)
}

pub(super) fn call(word: &str, mut args: Vec<Value>) -> Run<Value> {
    use Value::{Bag, Bool, Int, List, Set, Text, Tuple};
    let count = |n: usize| Int(i128::try_from(n).expect("small"));
    if matches!(word, "min" | "max" | "gcd" | "lcm") {
        let items = if args.len() == 1 { args.remove(0).members() } else { args };
        let ints = || items.iter().map(Value::int);
        return Ok(match word {
            "min" => items.into_iter().min().expect("some"),
            "max" => items.into_iter().max().expect("some"),
            "gcd" => Int(ints().fold(0, gcd)),
            _ => Int(ints().try_fold(1, |a: i128, b| a.checked_mul(b / gcd(a, b).max(1))).ok_or(Fault::Big)?.abs()),
        });
    }
    if let Some(value) = graphs::call(word, &args) {
        return Ok(value);
    }
    if word == "(" {
        return Ok(Tuple(args));
    }
    if word == "slide" {
        let (from, to, taken) = (args[0].int(), args[1].int(), args[2].members());
        let step = (to - from).signum();
        let numbers = (1..=(to - from).abs()).map(|i| Int(from + i * step));
        return Ok(List(numbers.take_while(|n| !taken.contains(n)).collect()));
    }
    if let (Value::Real(x), "floor" | "ceil" | "abs" | "sign" | "-") = (&args[0], word) {
        return Ok(match word {
            "floor" => Int(x.floor()),
            "ceil" => Int(-x.negated().floor()),
            "sign" => Int(x.signum()),
            "abs" if x.signum() >= 0 => Value::Real(*x),
            _ => Value::Real(x.negated()),
        });
    }
    let given = if args.len() > 1 { Some(args.remove(1)) } else { None };
    let second = || given.clone().expect("two arguments");
    let first = args.remove(0);
    let ints = || first.members().iter().map(Value::int).collect::<Vec<_>>();
    Ok(match word {
        "not" => Bool(!first.truth()),
        "-" => Int(-first.int()),
        "abs" => Int(first.int().abs()),
        "sign" => Int(first.int().signum()),
        "sqrt" => Value::Real(Real::root_of(first.int())?),
        "floor" | "ceil" => first.clone(),
        "bits" => Int((128 - first.int().leading_zeros()).into()),
        "bit" => Bool(first.int() >> second().int() & 1 == 1),
        "digits" => {
            let (mut n, base, mut digits) = (first.int(), second().int(), Vec::new());
            while n > 0 {
                digits.push(Int(n % base));
                n /= base;
            }
            List(digits)
        }
        "divisors" => List((1..=first.int()).filter(|d| first.int() % d == 0).map(Int).collect()),
        "primes" => List((2..=first.int()).filter(|n| is_prime(*n)).map(Int).collect()),
        "prime_factors" => {
            let (mut n, mut factors) = (first.int(), Vec::new());
            for p in 2..=first.int() {
                while n % p == 0 {
                    factors.push(Int(p));
                    n /= p;
                }
            }
            List(factors)
        }
        "zeckendorf" => {
            let (mut n, mut parts) = (first.int(), Vec::new());
            for f in [89, 55, 34, 21, 13, 8, 5, 3, 2, 1] {
                if f <= n {
                    parts.push(Int(f));
                    n -= f;
                }
            }
            List(parts)
        }
        "partitions" => List(partitions(first.int(), first.int()).into_iter().map(Value::bag).collect()),
        "octal" => Int(octal(first.chars(), second().int())),
        "subtraction" => Int(subtraction(&ints(), second().int())),
        "nim_product" => Int(nim_product(first.int(), second().int())),
        "int" => Int(first.chars().parse().map_err(|_| Fault::Big)?),
        "split" => {
            let by = second();
            let parts = first.chars().split(by.chars()).map(|part| Text(part.to_string()));
            List(parts.collect())
        }
        "valuation" => Int((1..99).find(|e| first.int() % second().int().pow(*e) != 0).map_or(0, |e| (e - 1).into())),
        "floor of halves" => Int((first.int().checked_mul(2))
            .zip(second().int().checked_mul(3))
            .and_then(|(a, b)| a.checked_add(b))
            .ok_or(Fault::Big)?
            .div_euclid(6)),
        "floor of roots" => Int(first.int().checked_pow(2).and_then(|a| a.checked_mul(2)).ok_or(Fault::Big)?.isqrt()),
        "text" => Text(first.int().to_string()),
        "size" => Value::size_of(&first.members()),
        "sum" => first.members().into_iter().try_fold(Int(0), |a, b| operator("+", a, b))?,
        "product" => Int(ints().into_iter().try_fold(1, i128::checked_mul).ok_or(Fault::Big)?),
        "xor" => Int(ints().into_iter().fold(0, |a, b| a ^ b)),
        "mex" => Int(mex(&ints())),
        "count" => count(first.members().iter().filter(|v| v.truth()).count()),
        "any" => Bool(first.members().iter().any(Value::truth)),
        "all" => Bool(first.members().iter().all(Value::truth)),
        "first" => first.members().first().expect("some").clone(),
        "last" => first.members().last().expect("some").clone(),
        "reverse" => like(&first, first.members().into_iter().rev().collect()),
        "sort" => {
            let mut items = first.members();
            items.sort();
            List(items)
        }
        "list" => List(first.members()),
        "set" => Value::set(first.members()),
        "bag" => Value::bag(first.members()),
        "increasing" => Bool(first.members().windows(2).all(|w| w[0] < w[1])),
        "indices" => List((0..first.members().len()).map(count).collect()),
        "union" => Value::set(first.members().iter().flat_map(Value::members).collect()),
        "repeat" => {
            let items = first.members();
            like(&first, (0..second().int()).flat_map(|_| items.clone()).collect())
        }
        "tally" => {
            let (items, mut once) = (first.members(), first.members());
            once.sort();
            once.dedup();
            let often = |v: &Value| count(items.iter().filter(|w| *w == v).count());
            List(once.iter().map(|v| Tuple(vec![v.clone(), often(v)])).collect())
        }
        "pairs" | "choose" => {
            let size = if word == "pairs" { 2 } else { usize::try_from(second().int()).expect("small") };
            let all = chosen(&first.members(), size);
            let all = if matches!(first, List(_)) { all } else { distinct(all) };
            List(all.into_iter().map(if word == "pairs" { Tuple } else { List }).collect())
        }
        "subsets" => {
            let (items, sizes) = (first.members(), given.map(|sizes| sizes.members()));
            let is_size = |k: &usize| sizes.as_ref().is_none_or(|sizes| sizes.contains(&count(*k)));
            List((0..=items.len()).filter(is_size).flat_map(|k| chosen(&items, k)).map(Set).collect())
        }
        "subbags" => {
            let items = first.members();
            let all = (0..=items.len()).flat_map(|k| distinct(chosen(&items, k)));
            List(all.map(Bag).collect())
        }
        "lists" | "bags" => {
            // Of each member of the collection once.
            let mut items = first.members();
            if word == "bags" {
                items.sort();
                items.dedup();
            }
            let count = usize::try_from(second().int()).expect("small");
            let all = call("choices", vec![List(vec![List(items); count])])?.members();
            let all = if word == "bags" {
                distinct(all.iter().map(|v| like(&Bag(vec![]), v.members()).members()).collect())
            } else {
                all.iter().map(Value::members).collect()
            };
            List(all.into_iter().map(if word == "bags" { Bag } else { List }).collect())
        }
        "choices" => {
            let mut all: Vec<Vec<Value>> = vec![Vec::new()];
            for items in first.members() {
                let longer = |t: Vec<Value>| items.members().into_iter().map(move |v| [t.clone(), vec![v]].concat());
                all = all.into_iter().flat_map(longer).collect();
            }
            List(all.into_iter().map(List).collect())
        }
        "words" => {
            let letters = first.members();
            let mut all = Vec::new();
            for length in second().members() {
                let alphabets = List(vec![List(letters.clone()); usize::try_from(length.int()).expect("small")]);
                all.extend(call("choices", vec![alphabets])?.members());
            }
            List(all.iter().map(|word| like(&first, word.members())).collect())
        }
        "places" => {
            let (text, part) = (first.members(), second().members());
            List((0..text.len()).filter(|i| text[*i..].starts_with(&part)).map(count).collect())
        }
        "starts" => Bool(first.chars().starts_with(second().chars())),
        "join" => Text(first.members().iter().map(Value::chars).collect()),
        word => panic!("{word}"),
    })
}
