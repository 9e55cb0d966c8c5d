//! Program to answer: with small limits every question has an answer or an error, the same by native code and without.
#![no_main]

use grundy::engines::{self, Choice};
use grundy::input::data::NoFiles;
use grundy::model::{Program, Question};
use grundy::source::diagnostic::Diagnostic;
use grundy::source::{SourceId, Sources};
use grundy::syntax::parse_file;
use grundy::typing::{Loader, check};
use grundy::value::Value;
use grundy::value::limits::Limits;
use grundy::vm::context::Context;
use libfuzzer_sys::fuzz_target;
use std::sync::Arc;
use std::time::Duration;

struct Nothing;

impl Loader for Nothing {
    fn load(&mut self, _: &str, _: SourceId, _: &mut Sources) -> Option<Result<SourceId, Diagnostic>> {
        None
    }
}

/// What is said of each `solve` line; nothing where a limit or an error ended it.
fn answers(program: &Arc<Program>, plain: bool) -> Vec<Option<String>> {
    let limits = Limits { positions: Some(3000), steps: Some(300_000), memory: 64 << 20, ..Limits::default() };
    let limits = limits.with_time(Some(Duration::from_millis(500)));
    let mut ctx = Context::new(program.clone(), Arc::new(NoFiles), limits, engines::ask);
    ctx.options.plain = plain;
    let bodies = program.questions.iter().filter_map(|question| match question {
        Question::Solve { body, .. } => Some(body),
        _ => None,
    });
    bodies
        .map(|body| {
            let answer = ctx.with_recovery(|ctx| {
                let Value::Position(position) = ctx.eval(&body.frame, &body.term)? else { return Ok(None) };
                let choice = Choice { exhaustive: true, moves: 10, remoteness: false, outcome: false };
                engines::solve(ctx, &position, choice).map(Some)
            });
            let answer = answer.ok().flatten()?;
            Some(format!("{:?} {:?} {} {:?}", answer.outcome, answer.grundy, answer.winning.count, answer.score))
        })
        .collect()
}

fuzz_target!(|text: &str| {
    let mut sources = Sources::default();
    let id = sources.add("f.game", text);
    let tree = parse_file(&sources, id);
    let Ok(program) = tree.and_then(|tree| check(&tree, id, &mut sources, &mut Nothing)) else { return };
    let program = Arc::new(program);
    for (usual, plain) in answers(&program, false).into_iter().zip(answers(&program, true)) {
        if let (Some(usual), Some(plain)) = (usual, plain) {
            assert_eq!(usual, plain);
        }
    }
});
