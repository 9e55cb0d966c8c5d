//! Values and built-in words against naive definitions.
#![allow(clippy::needless_range_loop, clippy::cloned_ref_to_slice_refs)]

mod collections;
mod data;
mod files;
mod graphs;
mod laws;
mod numbers;
mod packed;
mod quick;

use grundy::model::BinaryOp;
use grundy::model::builtin::Builtin as B;
use grundy::value::Value;
use grundy::value::fault::Fault;
use grundy::words::{binary, call};

fn i(n: i64) -> Value {
    Value::Int(n)
}

fn big(text: &str) -> Value {
    Value::int(text.parse().unwrap())
}

fn t(text: &str) -> Value {
    Value::text(text)
}

fn list(items: &[i64]) -> Value {
    Value::list(items.iter().map(|n| i(*n)).collect())
}

fn set(items: &[i64]) -> Value {
    Value::set(items.iter().map(|n| i(*n)).collect())
}

fn bag(items: &[i64]) -> Value {
    Value::bag(items.iter().map(|n| i(*n)).collect())
}

fn pair(a: i64, b: i64) -> Value {
    Value::pair(i(a), i(b))
}

fn pairs(items: &[(i64, i64)]) -> Value {
    Value::list(items.iter().map(|(a, b)| pair(*a, *b)).collect())
}

fn shown(word: B, args: &[Value]) -> String {
    match call(word, args) {
        Ok(value) => value.to_string(),
        Err(fault) => fault.code.to_string(),
    }
}

fn code(result: Result<Value, Fault>) -> &'static str {
    result.map_or_else(|fault| fault.code.as_str(), |value| panic!("{value}"))
}

fn phi() -> Value {
    let root = call(B::Sqrt, &[i(5)]).unwrap();
    let above = binary(BinaryOp::Add, &i(1), &root).unwrap();
    binary(BinaryOp::Over, &above, &i(2)).unwrap()
}
