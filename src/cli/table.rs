//! `grundy table`: the tables of a file, or of a query.

use crate::answer::{Axis, Table};
use crate::cli::args::{self, LimitArgs};
use crate::cli::complete;
use crate::cli::output::Output;
use crate::cli::workspace::{ANSWERED, Stop, Workspace, exit_code, worse};
use crate::engines::table::{Tell, table};
use crate::model::{Clause, Frame, Program, Question, Term, Theorem};
use crate::report;
use crate::source::{Code, Diagnostic};
use crate::tuning;
use crate::value::{Halt, Value};
use crate::vm::context::{Context, EngineOptions};
use clap::{ArgGroup, Args};
use serde_json::Map;

#[derive(Args, Debug)]
#[command(group = ArgGroup::new("form").args(["csv", "json", "svg"]), after_help = "\
Examples:
  grundy table bash.game
  grundy table nim.game 'grundy(Nim(a) + Nim(b)) for a, b in 0..15'
  grundy table kayles.game 'grundy(Kayles(n)) for n in 0..100' --csv
  grundy table nim.game 'grundy(Nim(a) + Nim(b)) for a, b in 0..31' --svg > nim.svg")]
#[allow(clippy::struct_excessive_bools)] // each is an option of the command line
pub(crate) struct TableArgs {
    /// The game file; `-` reads it from stdin
    #[arg(add = complete::game_file())]
    file: std::path::PathBuf,
    /// `EXPR for n in 0..100` instead of the file's `table` lines; may also stand behind the inputs or be left out
    #[arg(value_name = "QUERY", allow_hyphen_values = true, add = complete::games_and_inputs())]
    query: Option<String>,
    /// Values for the file's inputs
    #[arg(value_name = "NAME=VALUE", add = complete::inputs())]
    inputs: Vec<String>,
    /// Ignore theorems: search
    #[arg(long)]
    exhaustive: bool,
    /// Print CSV (RFC 4180): a record for each entry
    #[arg(long)]
    csv: bool,
    /// Print one JSON object per table
    #[arg(long)]
    pub(super) json: bool,
    /// Print a picture of the only table, over one or two dimensions
    #[arg(long)]
    svg: bool,
    /// Read what the tables in this directory know, made by `grundy solve FILE --tables DIR`
    #[arg(long, value_name = "DIR")]
    tables: Option<std::path::PathBuf>,
    #[command(flatten)]
    pub(super) limits: LimitArgs,
}

pub(super) fn run(args: &TableArgs, workspace: &mut Workspace, out: &mut Output) -> Result<u8, Stop> {
    let (bindings, queries) = args::apart(args.query.iter().chain(&args.inputs))?;
    let mut parsed = crate::cli::load::parse(&args.file, &mut workspace.sources, &args.limits.allow_path)?;
    match queries[..] {
        [] => {}
        [query] => parsed.ask_table(query, &mut workspace.sources)?,
        [_, second, ..] => {
            let message = format!("one query at a time: `{second}` is the second");
            return Err(Diagnostic::bare(Code::D06, message).hint("inputs are given as `name=value`").into());
        }
    }
    let (loaded, mut ctx) = parsed.check_with(&bindings, workspace)?;
    if let Some(dir) = &args.tables {
        ctx.session.tables = Some(loaded.tables(dir, &workspace.sources, true)?);
    }
    let tables = loaded.program.questions.iter().filter(|question| matches!(question, Question::Table { .. })).count();
    if args.svg && tables > 1 {
        let message = format!("a picture shows one table, and `{}` has {tables}", args.file.display());
        return Err(Diagnostic::bare(Code::D06, message).hint("ask for one: 'grundy(Nim(n)) for n in 0..20'").into());
    }
    let program = loaded.program.clone();
    let progress = workspace.progress();
    let (mut code, mut count) = (ANSWERED, 0);
    for question in &program.questions {
        let Question::Table { frame, value, clauses, .. } = question else { continue };
        workspace.limits.progress.store(0, std::sync::atomic::Ordering::Relaxed);
        let expr = workspace.sources.one_line(value.span);
        let gap = if count > 0 { "\n" } else { "" };
        let (mut begun, mut stopped) = (false, Ok(()));
        let mut tell = |axes: &[Axis], members: &[Value], value: Option<&Value>| {
            if value.is_none() {
                // Time is up: what was worked out is still to be told.
                workspace.allow(None);
            }
            if args.csv && stopped.is_ok() {
                let head = if begun { String::new() } else { gap.to_string() + &report::table::csv_head(axes) };
                begun = true;
                let entry = report::table::csv_entry(members, value);
                stopped = out.text(&(head + &entry)).and_then(|()| out.flush_soon());
            }
        };
        let made = made(&mut ctx, &program, args, (frame, clauses, value), &mut tell);
        stopped?;
        let missed = match made {
            Ok((table, missed)) => {
                if args.svg {
                    let picture = report::picture::of_table(&expr, &table);
                    out.text(&picture.map_err(|why| Diagnostic::bare(Code::D06, format!("`{expr}`: {why}")))?)?;
                } else if args.json {
                    out.json(&report::json::table(&expr, &table))?;
                } else if !args.csv {
                    out.text(&format!("{gap}{}", report::table::text(&expr, &table, width())))?;
                } else if !begun {
                    out.text(&(gap.to_string() + &report::table::csv_head(&table.axes)))?;
                }
                missed
            }
            Err(error) => Some(error),
        };
        if let Some(error) = missed {
            let error = workspace.explained(*error);
            code = worse(code, exit_code([&error]));
            out.errors(args.json, &Map::new(), &[error], workspace)?;
        }
        out.flush()?;
        count += 1;
    }
    drop(progress);
    workspace.note_theorems(&ctx);
    // Nothing more is asked, and the alarm may be off: what a definition has in memory need not be given back piece by piece.
    std::mem::forget(ctx);
    code = worse(code, exit_code(&loaded.refused));
    out.errors(args.json, &Map::new(), &loaded.refused, workspace)?;
    if count + loaded.refused.len() == 0 {
        let message = format!("`{}` has no `table` line", args.file.display());
        return Err(Diagnostic::bare(Code::D06, message).hint("ask for one: 'grundy(Nim(n)) for n in 0..20'").into());
    }
    Ok(code)
}

/// A table by search where that is short; theorems of the file are used where it is not.
fn made(
    ctx: &mut Context,
    program: &Program,
    args: &TableArgs,
    (frame, clauses, value): (&Frame, &[Clause], &Term),
    tell: &mut Tell<'_>,
) -> Result<(Table, Option<Box<Diagnostic>>), Box<Diagnostic>> {
    let theorems = program.games.iter().any(|game| game.theorems.iter().any(Theorem::tells_outcome));
    if args.exhaustive || !theorems {
        return table(ctx, frame, clauses, value, tell);
    }
    // Entries go out as they come, up to the first that the trial is too short for.
    let (mut told, mut missing) = (0, false);
    let searched = ctx.within_trial(tuning::TABLE, |ctx| {
        let mut tell = |axes: &[Axis], members: &[Value], value: Option<&Value>| {
            missing |= value.is_none();
            if !missing {
                told += 1;
                tell(axes, members, value);
            }
        };
        table(ctx, frame, clauses, value, &mut tell).map_err(Halt::Error)
    });
    let error = match searched {
        Ok((table, missed)) if missed.is_none() || ctx.limits_reached() => {
            for (members, value) in table.entries().into_iter().skip(told) {
                tell(&table.axes, &members, value);
            }
            return Ok((table, missed));
        }
        Ok((_, Some(missed))) | Err(Halt::Error(missed)) => missed,
        Ok((table, None)) => return Ok((table, None)),
        // A table sees to forms of code that do not fit, and tells all else as an error with its place.
        Err(Halt::Fault(fault)) => return Err(Box::new(fault.bare())),
        Err(Halt::Deopt(_)) => return table(ctx, frame, clauses, value, tell),
    };
    if !error.code.is_limit() {
        return Err(error);
    }
    ctx.next_case();
    let options = EngineOptions { theorems: true, ..ctx.options };
    let mut tell = |axes: &[Axis], members: &[Value], value: Option<&Value>| {
        if told > 0 {
            told -= 1;
        } else {
            tell(axes, members, value);
        }
    };
    ctx.with_options(options, |ctx| table(ctx, frame, clauses, value, &mut tell))
}

/// How wide lines may be: as wide as the terminal, or 100 columns.
fn width() -> usize {
    let told = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    told.or_else(|| terminal_size::terminal_size().map(|(columns, _)| columns.0.into())).unwrap_or(100)
}
