//! `grundy show`: what was understood of a file, and how it would be solved.

use crate::cli::args::{self, Binding, LimitArgs};
use crate::cli::complete;
use crate::cli::output::Output;
use crate::cli::solve::{bodies, position};
use crate::cli::workspace::{ANSWERED, Stop, Workspace};
use crate::model::Program;
use crate::report::{paint, rules};
use crate::value::{Component, Position, Shape};
use crate::vm::context::Context;
use clap::{Args, ValueEnum};

#[derive(Args, Debug)]
pub(crate) struct ShowArgs {
    /// The game file; `-` reads it from stdin
    #[arg(add = complete::game_file())]
    file: std::path::PathBuf,
    /// Values for the file's inputs, as JSON or plain text
    #[arg(value_name = "NAME=VALUE", value_parser = args::binding, add = complete::inputs())]
    inputs: Vec<Binding>,
    /// What to show
    #[arg(long, value_enum, default_value = "rules")]
    stage: Stage,
    /// This position instead of the file's `solve` lines; may be repeated
    #[arg(short, long, value_name = "POSITION", allow_hyphen_values = true, add = complete::games())]
    position: Vec<String>,
    #[command(flatten)]
    pub(super) limits: LimitArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Stage {
    /// The tree of the file, nothing yet understood
    Syntax,
    /// Every game as it was understood, and the code of those that the `solve` lines ask about
    Rules,
    /// Which solvers would take each `solve` line, and why the others do not
    Plan,
}

pub(super) fn run(args: &ShowArgs, workspace: &mut Workspace, out: &mut Output) -> Result<u8, Stop> {
    let mut parsed = crate::cli::load::parse(&args.file, &mut workspace.sources, &args.limits.allow_path)?;
    parsed.ask_positions(&args.position, &mut workspace.sources)?;
    if let Stage::Syntax = args.stage {
        for item in &parsed.tree.items {
            out.text(&format!("{item:#?}\n"))?;
        }
        return Ok(ANSWERED);
    }
    let (loaded, mut ctx) = parsed.check_with(&args.inputs, workspace)?;
    match args.stage {
        Stage::Plan => plan(&mut ctx, &loaded.program, out)?,
        Stage::Syntax | Stage::Rules => {
            out.text(&rules::games(&loaded.program, &workspace.sources))?;
            code(&mut ctx, &loaded.program, workspace, out)?;
        }
    }
    Ok(ANSWERED)
}

/// The code of every component that the `solve` lines ask about, each instance once.
fn code(ctx: &mut Context, program: &Program, workspace: &Workspace, out: &mut Output) -> Result<(), Stop> {
    let mut shown = Vec::new();
    for body in bodies(program) {
        let position = ctx.with_recovery(|ctx| position(ctx, body, false))?;
        for component in components(&position) {
            if shown.iter().any(|(game, params)| *game == component.game && *params == component.params) {
                continue;
            }
            let code = ctx.with_recovery(|ctx| {
                let id = ctx.component(&component).map_err(|halt| halt.placed(body.term.span))?;
                Ok(ctx.code_of(id))
            })?;
            let title = paint::bold(&format!("code of {}", ctx.component_text(&component)));
            out.text(&format!("\n{title}\n{}", rules::listing(&code, &workspace.sources)))?;
            shown.push((component.game, component.params));
        }
    }
    Ok(())
}

fn components(position: &Position) -> Vec<Component> {
    match &position.shape {
        Shape::Sum(components) => components.to_vec(),
        Shape::Compound(_, parts) => parts.iter().flat_map(components).collect(),
    }
}

fn plan(ctx: &mut Context, program: &Program, out: &mut Output) -> Result<(), Stop> {
    for (index, body) in bodies(program).into_iter().enumerate() {
        let (text, plan, advice) = ctx.with_recovery(|ctx| {
            let position = position(ctx, body, false)?;
            let plan = crate::engines::plan(ctx, &position).map_err(|halt| halt.placed(body.term.span))?;
            Ok((ctx.position_text(&position), plan, crate::engines::advice(ctx, &position)?))
        })?;
        let gap = if index > 0 { "\n" } else { "" };
        out.text(&format!("{gap}{}\n", paint::bold(&text)))?;
        let width = plan.iter().map(|(engine, _)| engine.chars().count()).max().unwrap_or(0);
        for (engine, verdict) in plan {
            let verdict = match verdict {
                Ok(None) => paint::green("accepts"),
                Ok(Some(more)) => format!("{}: {more}", paint::green("accepts")),
                Err(why) => format!("no: {why}"),
            };
            out.text(&format!("  {engine:<width$}  {verdict}\n"))?;
        }
        for sentence in advice {
            out.text(&format!("  faster: {sentence}\n"))?;
        }
    }
    Ok(())
}
