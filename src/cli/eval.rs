//! `grundy eval`: the values of expressions, one line each.

use crate::answer::{Answer, Method};
use crate::cli::args::{self, LimitArgs};
use crate::cli::complete;
use crate::cli::output::Output;
use crate::cli::workspace::{ANSWERED, Stop, Workspace, exit_code, worse};
use crate::engines::{self, Choice};
use crate::input::json::to_json;
use crate::model::{Question, Type};
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
  grundy eval nim.game 'xor(heaps)' 'heaps=[1..4] + [7]'")]
pub(crate) struct EvalArgs {
    /// The game file; `-` reads it from stdin
    #[arg(add = complete::game_file())]
    file: std::path::PathBuf,
    /// Expressions of the language, and values for the file's inputs, in any order
    #[arg(value_name = "EXPR or NAME=VALUE", allow_negative_numbers = true, required = true, add = complete::games_and_inputs())]
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
    // Of many questions in one expression not each is worth a long search.
    ctx.next_case();
    let progress = workspace.progress();
    let mut code = ANSWERED;
    for question in &loaded.program.questions {
        let Question::Print { frame, values, .. } = question else { continue };
        for term in values {
            workspace.limits.progress.store(0, std::sync::atomic::Ordering::Relaxed);
            let expr = workspace.sources.one_line(term.span);
            let told = ctx.with_recovery(|ctx| ctx.eval(frame, term)).and_then(|value| {
                // An empty sum is the number 0 until its type is asked.
                let is_position = term.ty == Type::Position;
                if args.json {
                    object(&mut ctx, &expr, &value, is_position, args.exhaustive)
                } else if is_position {
                    position(&mut ctx, &value, args.exhaustive)
                } else {
                    Ok(text(&ctx, &value))
                }
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
    workspace.note_theorems(&ctx);
    Ok(code)
}

/// A value in the notation of the language, positions in it too.
fn text(ctx: &Context, value: &Value) -> String {
    match value {
        Value::Position(position) => ctx.position_text(position),
        Value::List(list) if matches!(list.items.item(0), Some(Value::Position(_))) => {
            let members: Vec<String> = list.items.iter().map(|member| text(ctx, member)).collect();
            format!("[{}]", members.join(", "))
        }
        _ => value.to_string(),
    }
}

/// What `solve` says of a position, in one line.
pub(super) fn position(ctx: &mut Context, value: &Value, exhaustive: bool) -> Result<String, Box<Diagnostic>> {
    let choice = Choice { exhaustive, moves: 0, ..Choice::default() };
    Ok(report::text::line(&answer(ctx, value, choice)?))
}

fn answer(ctx: &mut Context, value: &Value, choice: Choice) -> Result<Answer, Box<Diagnostic>> {
    let answer = ctx.with_recovery(|ctx| engines::solve(ctx, &*value.to_position()?, choice))?;
    ctx.run.theorems_used |= answer.method == Method::Theorem;
    Ok(answer)
}

fn object(
    ctx: &mut Context,
    expr: &str,
    value: &Value,
    is_position: bool,
    exhaustive: bool,
) -> Result<String, Box<Diagnostic>> {
    if !is_position {
        let holds_positions =
            matches!(value, Value::List(list) if matches!(list.items.item(0), Some(Value::Position(_))));
        let json = match value {
            Value::List(list) if holds_positions => list.items.iter().map(|member| json!(text(ctx, member))).collect(),
            _ => to_json(value),
        };
        return Ok(json!({ "expr": expr, "value": json }).to_string());
    }
    let answer = answer(ctx, value, Choice { exhaustive, ..Choice::default() })?;
    let mut told = serde_json::to_value(report::json::answer(&[], &answer, start().elapsed())).unwrap_or_default();
    told["expr"] = json!(expr);
    Ok(told.to_string())
}
