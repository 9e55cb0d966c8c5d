//! What engines count with.

use crate::crews::answers;
use crate::naive::engine::{program, solved};
use grundy::engines;
use grundy::engines::grundy::Mex;
use grundy::input::data::NoFiles;
use grundy::value::limits::Limits;
use grundy::vm::context::Context;
use std::sync::Arc;

#[test]
fn mex_is_the_least_missing_number() {
    let mut mex = Mex::default();
    for values in [vec![], vec![0], vec![1, 2], (0..200).collect(), (0..64).chain([65, 65, 66]).collect()] {
        let naive = (0..=200u32).find(|n| !values.contains(n)).expect("a finite list misses a number");
        for &v in &values {
            mex.add(v);
        }
        assert_eq!(mex.take(), naive, "{values:?}");
    }
}

/// One process fills a table in order where it has the memory for it; else several work it out, Grundy values and remoteness too.
#[test]
fn a_table_too_large_for_one_process_is_shared() {
    let text = "game Pair(a, b) {
  move left k in {1, 30, 300} where k <= a -> Pair(a - k, b)
  move right k in {2, 40, 400} where k <= b and k <= a -> Pair(a, b - k)
  move both where a > 0 and b > 0 -> Pair(a - 1, b - 1) }
solve Pair(1240, 1210)";
    let program = program(text).expect("a program");
    let ctx = |memory: usize| {
        let limits = Limits { memory, ..Limits::default() };
        let mut ctx = Context::new(program.clone(), Arc::new(NoFiles), limits, engines::ask);
        (ctx.options.several, ctx.options.trial) = (1, 0);
        ctx
    };
    let usual = solved(&mut ctx(1 << 30), true);
    let values = |answers: &[Result<grundy::answer::Answer, String>]| {
        let answer = answers[0].as_ref().expect("an answer");
        (answer.outcome, answer.remoteness, format!("{:?}", answer.grundy), answer.winning.count)
    };
    for (memory, shared) in [(1 << 30, false), (2_950_000, true)] {
        let (found, alone) = answers(6, true, |_| ctx(memory));
        assert_eq!(alone.is_none(), shared, "{memory} {alone:?}");
        assert_eq!(values(&found), values(&usual), "{memory}");
    }
}
