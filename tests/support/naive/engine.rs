//! A game text put to the engine in each of its forms.

use grundy::answer::{Answer, GrundyValue, MoveList};
use grundy::engines as solve;
use grundy::engines::Choice;
use grundy::input::data::NoFiles;
use grundy::model::{Program, Question};
use grundy::source::diagnostic::{Code, Diagnostic, render};
use grundy::source::text::{SourceId, Sources};
use grundy::syntax::parse_file;
use grundy::typing::Loader;
use grundy::typing::check;
use grundy::value::fault::{Fault, Run};
use grundy::value::limits::Limits;
use grundy::value::{Position, Value};
use grundy::vm::context::{Context, Policy};
use std::num::NonZeroUsize;
use std::sync::Arc;

/// With which fast paths the engine runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Usual,
    Exhaustive,
    Plain,
    Wide,
    /// Native code and tables at once, no search before.
    Tables,
    /// Every position taken apart that may be.
    Split,
    /// No sum depth first.
    Broad,
}

/// All of them.
pub const FORMS: [Form; 7] =
    [Form::Usual, Form::Exhaustive, Form::Plain, Form::Wide, Form::Tables, Form::Split, Form::Broad];

struct Nothing;

impl Loader for Nothing {
    fn load(&mut self, _: &str, _: SourceId, _: &mut Sources) -> Option<Result<SourceId, Diagnostic>> {
        None
    }
}

/// The checked program of a text; the rendered errors otherwise.
pub fn program(text: &str) -> Result<Arc<Program>, String> {
    let mut sources = Sources::default();
    let id = sources.add("test.game", text.to_string());
    let tree = parse_file(&sources, id).map_err(|e| render(&e, &sources, false))?;
    let checked = check(&tree, id, &mut sources, &mut Nothing);
    checked.map(Arc::new).map_err(|e| render(&e, &sources, false))
}

/// Nothing taken on trust, nothing left out.
pub const EVERYTHING: Choice = Choice { exhaustive: true, moves: usize::MAX, remoteness: true, outcome: false };

/// What is asked of the position of every `solve` line, by one machine.
pub fn each<T>(ctx: &mut Context, ask: impl Fn(&mut Context, &Position) -> Run<T>) -> Vec<Result<T, Box<Diagnostic>>> {
    let program = ctx.session.program.clone();
    let lines = program.questions.iter().filter_map(|question| match question {
        Question::Solve { body, .. } => Some(body),
        _ => None,
    });
    lines
        .map(|body| {
            ctx.with_recovery(|ctx| {
                let Value::Position(position) = ctx.eval(&body.frame, &body.term)? else { panic!("a position") };
                ask(ctx, &position)
            })
        })
        .collect()
}

/// The answers to all `solve` lines in this order, by one machine; of an error its code.
pub fn solved(ctx: &mut Context, remoteness: bool) -> Vec<Result<Answer, String>> {
    let answers = each(ctx, |ctx, position| solve::solve(ctx, position, Choice { remoteness, ..EVERYTHING }));
    answers.into_iter().map(|answer| answer.map_err(|e| e.code.to_string())).collect()
}

/// The answer to the only `solve` line; of an error its code.
pub fn only(ctx: &mut Context) -> Result<Answer, String> {
    let mut answers = solved(ctx, true);
    assert_eq!(answers.len(), 1, "one solve line");
    answers.remove(0)
}

/// What the plan for the only `solve` line says of the engine whose name begins so: what it would do, or why it is not taken.
pub fn planned(ctx: &mut Context, engine: &str) -> Result<String, String> {
    let plan = each(ctx, solve::plan).swap_remove(0).expect("a plan");
    let (_, said) = plan.into_iter().find(|(name, _)| name.starts_with(engine)).expect("it is in the plan");
    said.map(Option::unwrap_or_default).map_err(|why| why.to_string())
}

/// Of an answer with its error told what must not depend on how it was found, the remoteness apart.
pub fn told(answer: &Result<Answer, String>) -> String {
    match answer {
        Err(error) => error.clone(),
        Ok(a) => {
            let moves: Vec<&String> = a.winning.listed.iter().map(|m| &m.text).collect();
            format!("{} {:?} {:?} {} {moves:?}", a.position, a.outcome, a.grundy, a.winning.count)
        }
    }
}

/// What must not depend on how it was found.
pub fn said(answer: &Result<Answer, String>, remoteness: bool) -> String {
    let moves = |list: &MoveList| list.listed.iter().map(|m| format!("{} -> {}", m.text, m.to)).collect::<Vec<_>>();
    match answer {
        Ok(a) => format!(
            "{} {:?} {:?} {:?} {:?} {:?}",
            a.position,
            a.outcome,
            a.grundy,
            a.remoteness.filter(|_| remoteness),
            moves(&a.winning),
            a.drawing.as_ref().map(moves)
        ),
        Err(code) => code.clone(),
    }
}

/// The answers to all `solve` lines, by one machine; of an error its code and message. The outcome alone is asked too, in some
/// forms also before: the answers must agree.
pub fn answers(program: &Arc<Program>, form: Form) -> Vec<Result<Answer, (String, String)>> {
    let mut ctx = Context::new(program.clone(), Arc::new(NoFiles), Limits::default(), solve::ask);
    ctx.options.plain = form == Form::Plain;
    if form == Form::Tables {
        ctx.options.trial = 0;
        (ctx.limits.threads, ctx.limits.grain) = (NonZeroUsize::new(3), 0);
    }
    ctx.code.wide = form == Form::Wide;
    ctx.options.deep = form != Form::Broad;
    ctx.options.early = form != Form::Broad;
    ctx.options.parts = form != Form::Broad;
    ctx.options.split = match form {
        Form::Split => Policy::Always,
        Form::Tables => Policy::Never,
        _ => Policy::Large,
    };
    ctx.give(vec![None; program.inputs.len()]);
    let choice = Choice { exhaustive: form != Form::Usual, ..EVERYTHING };
    let all = each(&mut ctx, |ctx, position| {
        let first = matches!(form, Form::Tables | Form::Split | Form::Wide);
        let before = if first { Some(solve::outcome(ctx, position)?) } else { None };
        let answer = solve::solve(ctx, position, choice)?;
        let after = solve::outcome(ctx, position)?;
        if after != answer.outcome || before.is_some_and(|before| before != after) {
            return Err(Fault::new(Code::X01, format!("{before:?}, {:?}, {after:?}", answer.outcome)).into());
        }
        Ok(answer)
    });
    all.into_iter().map(|answer| answer.map_err(|e| (e.code.to_string(), e.message.clone()))).collect()
}

/// How an answer differs from what the naive solver says.
pub fn differences(answer: &Answer, verdict: &super::Verdict, grundy_known: bool) -> Vec<String> {
    let mut all = Vec::new();
    let outcome = solve::outcome_word(answer.outcome);
    if outcome != verdict.outcome {
        all.push(format!("outcome {outcome}, should be {}", verdict.outcome));
    }
    if answer.winning.count != verdict.winning || answer.winning.listed.len() as u64 != verdict.winning {
        all.push(format!("{} winning moves, should be {}", answer.winning.count, verdict.winning));
    }
    if let Some(drawing) = &answer.drawing
        && drawing.count != verdict.drawing
    {
        all.push(format!("{} drawing moves, should be {}", drawing.count, verdict.drawing));
    }
    if answer.drawing.is_none() && verdict.outcome == "draw" {
        all.push("no drawing moves".into());
    }
    if answer.score != verdict.score.map(Into::into) {
        all.push(format!("score {:?}, should be {:?}", answer.score, verdict.score));
    }
    if let Some(found) = answer.remoteness
        && Some(found) != verdict.remoteness
    {
        all.push(format!("remoteness {found}, should be {:?}", verdict.remoteness));
    }
    let grundy = answer.grundy.as_ref().map(|g| match g {
        GrundyValue::Nimber(g) => super::Value::Nimber(*g),
        GrundyValue::Large(_) => panic!("a small game"),
        GrundyValue::Loop(options) => super::Value::Loop(options.clone()),
    });
    if grundy != verdict.grundy && (grundy_known || grundy.is_some() && verdict.grundy.is_some()) {
        all.push(format!("Grundy value {grundy:?}, should be {:?}", verdict.grundy));
    }
    all
}
