//! `grundy eval`: the values of expressions, one line each.

use crate::cli::args::{self, LimitArgs};
use crate::cli::output::Output;
use crate::cli::workspace::{ANSWERED, Stop, Workspace, exit_code, worse};
use crate::engines::{self, Choice};
use crate::input::json::to_json;
use crate::model::Question;
use crate::report;
use crate::source::{Code, Diagnostic};
use crate::value::Value;
use crate::value::limits::start;
use crate::vm::context::Context;
use clap::Args;
use serde_json::{Map, json};

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  grundy eval nim.game 'grundy(Nim(3) + Nim(5))'
  grundy eval kayles.game 'Kayles(12)' 'winning(Kayles(12))'
  grundy eval wythoff.game 'loses(Wythoff(a, b))' a=3 b=5
  grundy eval kayles.game 'size(w)' 'w={1, 2} + {2, 3}'")]
pub(crate) struct EvalArgs {
    /// The game file; `-` reads it from stdin
    file: std::path::PathBuf,
    /// Expressions of the language, and values for the file's inputs, in any order
    #[arg(value_name = "EXPR or NAME=VALUE", allow_hyphen_values = true, required = true)]
    words: Vec<String>,
    /// Ignore theorems: search
    #[arg(long)]
    exhaustive: bool,
    /// Print one JSON object per expression
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) limits: LimitArgs,
}

pub(super) fn run(args: &EvalArgs, workspace: &mut Workspace, out: &mut Output) -> Result<u8, Stop> {
    let (bindings, values) = args::apart(args.words.iter())?;
    if values.is_empty() {
        return Err(Diagnostic::bare(Code::D06, "there is no expression")
            .hint("`grundy eval FILE 'size(1..5)'`")
            .into());
    }
    let mut parsed = crate::cli::load::parse(&args.file, &mut workspace.sources, &args.limits.allow_path)?;
    parsed.ask_values(&values, &mut workspace.sources)?;
    let (loaded, mut ctx) = parsed.check_with(&bindings, workspace)?;
    ctx.options.theorems = !args.exhaustive;
    let progress = workspace.progress();
    let mut code = ANSWERED;
    for question in &loaded.program.questions {
        let Question::Print { frame, values, .. } = question else { continue };
        for term in values {
            workspace.limits.progress.store(0, std::sync::atomic::Ordering::Relaxed);
            let expr = workspace.sources.one_line(term.span);
            let told = ctx.with_recovery(|ctx| ctx.eval(frame, term));
            let told = told.and_then(|value| {
                if args.json { object(&mut ctx, &expr, &value, args) } else { line(&mut ctx, &value, args) }
            });
            match told {
                Ok(line) => out.text(&format!("{line}\n"))?,
                Err(error) => {
                    let error = workspace.explained(*error);
                    code = worse(code, exit_code([&error]));
                    let head = Map::from_iter([("expr".to_string(), json!(expr))]);
                    out.errors(args.json, &head, &[error], workspace)?;
                }
            }
            out.flush()?;
        }
    }
    drop(progress);
    if ctx.run.theorems_used {
        workspace.note("note: theorems of the file were used; `--exhaustive` searches");
    }
    Ok(code)
}

fn line(ctx: &mut Context, value: &Value, args: &EvalArgs) -> Result<String, Box<Diagnostic>> {
    if matches!(value, Value::Position(_)) { position(ctx, value, args.exhaustive) } else { Ok(value.to_string()) }
}

/// What `solve` says of a position, in one line.
pub(super) fn position(ctx: &mut Context, value: &Value, exhaustive: bool) -> Result<String, Box<Diagnostic>> {
    let choice = Choice { exhaustive, moves: 0, ..Choice::default() };
    let answer = ctx.with_recovery(|ctx| engines::solve(ctx, &*value.to_position()?, choice))?;
    Ok(report::text::line(&answer))
}

fn object(ctx: &mut Context, expr: &str, value: &Value, args: &EvalArgs) -> Result<String, Box<Diagnostic>> {
    if !matches!(value, Value::Position(_)) {
        return Ok(json!({ "expr": expr, "value": to_json(value) }).to_string());
    }
    let choice = Choice { exhaustive: args.exhaustive, ..Choice::default() };
    let answer = ctx.with_recovery(|ctx| engines::solve(ctx, &*value.to_position()?, choice))?;
    let mut told = serde_json::to_value(report::json::answer(&[], &answer, start().elapsed())).unwrap_or_default();
    told["expr"] = json!(expr);
    Ok(told.to_string())
}
