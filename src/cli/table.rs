//! `grundy table`: the tables of a file, or of a query.

use crate::cli::args::{self, Binding, LimitArgs};
use crate::cli::output::Output;
use crate::cli::workspace::{ANSWERED, Stop, Workspace, exit_code, worse};
use crate::engines::table::table;
use crate::model::Question;
use crate::report;
use crate::source::{Code, Diagnostic};
use clap::{ArgGroup, Args};
use serde_json::Map;

#[derive(Args, Debug)]
#[command(group = ArgGroup::new("form").args(["csv", "json", "svg"]), after_help = "\
Examples:
  grundy table bash.game
  grundy table nim.game 'grundy(Nim(a) + Nim(b)) for a, b in 0..15'
  grundy table kayles.game 'grundy(Kayles(n)) for n in 0..100' --csv
  grundy table nim.game 'grundy(Nim(a) + Nim(b)) for a, b in 0..31' --svg > nim.svg")]
pub(crate) struct TableArgs {
    /// The game file; `-` reads it from stdin
    file: std::path::PathBuf,
    /// `EXPR for n in 0..100` instead of the file's `table` lines; may also stand behind the inputs or be left out
    #[arg(value_name = "QUERY", allow_hyphen_values = true)]
    query: Option<String>,
    /// Values for the file's inputs
    #[arg(value_name = "NAME=VALUE")]
    inputs: Vec<String>,
    /// Print CSV (RFC 4180): a record for each entry
    #[arg(long)]
    csv: bool,
    /// Print one JSON object per table
    #[arg(long)]
    pub(super) json: bool,
    /// Print a picture of the only table, over one or two dimensions
    #[arg(long)]
    svg: bool,
    #[command(flatten)]
    pub(super) limits: LimitArgs,
}

pub(super) fn run(args: &TableArgs, workspace: &mut Workspace, out: &mut Output) -> Result<u8, Stop> {
    let (bindings, queries): (Vec<&String>, Vec<&String>) =
        args.query.iter().chain(&args.inputs).partition(|word| args::is_binding(word));
    let bindings: Result<Vec<Binding>, String> = bindings.into_iter().map(|text| args::binding(text)).collect();
    let bindings = bindings.map_err(|message| Diagnostic::bare(Code::D02, message))?;
    let mut parsed = crate::cli::load::parse(&args.file, &mut workspace.sources, &args.limits.allow_path)?;
    match queries[..] {
        [] => {}
        [query] => parsed.ask_table(query, &mut workspace.sources)?,
        [_, second, ..] => {
            let message = format!("one query at a time: `{second}` is the second");
            return Err(Diagnostic::bare(Code::D06, message).hint("inputs are given as `name=value`").into());
        }
    }
    let loaded = parsed.check(&mut workspace.sources)?;
    let tables = loaded.program.questions.iter().filter(|question| matches!(question, Question::Table { .. })).count();
    if args.svg && tables > 1 {
        let message = format!("a picture shows one table, and `{}` has {tables}", args.file.display());
        return Err(Diagnostic::bare(Code::D06, message).hint("ask for one: 'grundy(Nim(n)) for n in 0..20'").into());
    }
    let given = args::from_arguments(&loaded.program, &bindings)?;
    let mut ctx = workspace.context(&loaded, given);
    let progress = workspace.progress();
    let (mut code, mut count) = (ANSWERED, 0);
    for question in &loaded.program.questions {
        let Question::Table { frame, value, clauses, .. } = question else { continue };
        workspace.limits.progress.store(0, std::sync::atomic::Ordering::Relaxed);
        let expr = workspace.sources.one_line(value.span);
        match table(&mut ctx, frame, clauses, value) {
            Ok(table) if args.svg => {
                let picture = report::picture::of_table(&expr, &table);
                out.text(&picture.map_err(|why| Diagnostic::bare(Code::D06, format!("`{expr}`: {why}")))?)?;
            }
            Ok(table) if args.json => out.json(&report::json::table(&expr, &table))?,
            Ok(table) => {
                let gap = if count > 0 { "\n" } else { "" };
                let text =
                    if args.csv { report::table::csv(&table) } else { report::table::text(&expr, &table, width()) };
                out.text(&format!("{gap}{text}"))?;
            }
            Err(error) => {
                let error = workspace.explained(*error);
                code = worse(code, exit_code([&error]));
                out.errors(args.json, &Map::new(), &[error], workspace)?;
            }
        }
        out.flush()?;
        count += 1;
    }
    drop(progress);
    code = worse(code, exit_code(&loaded.refused));
    out.errors(args.json, &Map::new(), &loaded.refused, workspace)?;
    if count + loaded.refused.len() == 0 {
        let message = format!("`{}` has no `table` line", args.file.display());
        return Err(Diagnostic::bare(Code::D06, message).hint("ask for one: 'grundy(Nim(n)) for n in 0..20'").into());
    }
    Ok(code)
}

/// How wide lines may be: as wide as the terminal, or 100 columns.
fn width() -> usize {
    let told = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    told.or_else(|| terminal_size::terminal_size().map(|(columns, _)| columns.0.into())).unwrap_or(100)
}
