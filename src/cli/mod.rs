//! The command line: one file a command; the only place with files, terminal and clock.
//!
//! In: arguments, files, the terminal. Out: what `report` writes, and an exit code. Commands say which rooms do what,
//! and do nothing of it themselves. Start-up is most of a short run, so there is no thread but the first one, which
//! works on a large stack of its own.

pub mod args;
mod certificates;
mod chain;
mod check;
mod complete;
mod confirm;
mod copies;
mod draw;
mod eval;
mod explore;
mod files;
mod fmt;
mod guess;
mod heap;
mod last_resort;
pub mod load;
mod misere;
mod output;
mod plan;
mod play;
mod program;
mod proofs;
mod prove;
mod run;
mod show;
mod solve;
mod stress;
mod table;
mod verify;
mod workspace;

use crate::cli::output::Output;
use crate::cli::workspace::{ANSWERED, BAD, LIMIT, Stop, within};
use crate::source::diagnostic::render;
use crate::source::{Code, Diagnostic, Sources};
use clap::{Args, CommandFactory, Parser, Subcommand};
use std::io;
use std::process::ExitCode;

/// The stack that the work has: trees are followed by recursion.
const STACK: usize = 512 << 20;

/// Solve impartial games written down in a few lines: who wins, Grundy values, every winning move.
///
/// Exit code: 0 answered; 1 a claim or `expect` failed; 2 bad file, arguments or data; 3 a limit (time, memory, positions)
/// ended the work.
#[derive(Parser, Debug)]
#[command(name = "grundy", version, max_term_width = 100, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Answer the `solve` lines of a file
    Solve(solve::SolveArgs),
    /// Print the tables of a file, or of a query
    Table(table::TableArgs),
    /// Print the values of expressions
    Eval(eval::EvalArgs),
    /// Read inputs in the order of the file's `format` line, and print what its `print` lines answer
    Run(run::RunArgs),
    /// Hold a program against the file: the smallest case in which its answer differs
    Stress(stress::StressArgs),
    /// Write cases of the file with their answers, for a judge
    Tests(stress::TestsArgs),
    /// Play in the terminal, against the perfect player or between two
    Play(play::PlayArgs),
    /// Walk through a game in the browser: positions drawn, moves as links with what they are worth
    Explore(explore::ExploreArgs),
    /// Draw a position, or the graph of the positions that it leads to
    Draw(draw::DrawArgs),
    /// Test the claims, theorems and `expect` lines of files by their rules
    Check(check::CheckArgs),
    /// Turn the claims and theorems of files into theorems about all positions, by induction
    Prove(prove::ProveArgs),
    /// Propose closed forms for values, and test them on more values than they were made from
    Guess(guess::GuessArgs),
    /// Grundy values of a take-and-break code or a subtraction set; its period, proved
    Heap(heap::HeapArgs),
    /// Work out again what a certificate of `heap --prove=FILE` or `prove --certificates DIR` says
    Verify(verify::VerifyArgs),
    /// Show what was understood of a file, and how it would be solved
    Show(show::ShowArgs),
    /// Estimate what a long search would take: memory, disk, network, time
    Plan(plan::PlanArgs),
    /// Lay files out in the canonical form
    Fmt(fmt::FmtArgs),
    /// Print the manual page of the program or of a command, for `man -l`
    Man(ManArgs),
    /// Print a script that completes `grundy` commands in a shell
    Completions(CompletionsArgs),
}

#[derive(Args, Debug)]
struct ManArgs {
    /// The command; without it the page of the program
    command: Option<String>,
}

#[derive(Args, Debug)]
struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: clap_complete::Shell,
}

/// The command line: all commands with their arguments.
pub fn command() -> clap::Command {
    Cli::command()
}

/// Runs the command line and returns the exit code of the process.
pub fn main() -> ExitCode {
    if let Some(code) = complete::answered() {
        return ExitCode::from(code);
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // A closed stderr leaves nothing to say.
            return ExitCode::from(match error.print() {
                _ if error.use_stderr() => BAD,
                Err(full) if full.kind() != io::ErrorKind::BrokenPipe => {
                    eprintln!("error[D03]: stdout cannot be written: {full}");
                    BAD
                }
                _ => ANSWERED,
            });
        }
    };
    // Asked beforehand: `grow` has no answer where there is no room.
    if let Err(error) = memmap2::MmapOptions::new().len(STACK).map_anon() {
        let message = format!("the system has no {} MiB for a stack: {error}", STACK >> 20);
        let told =
            Diagnostic::bare(Code::L02, message).hint("`ulimit -v` limits what there is; most of it is never used");
        eprint!("{}", render(&[told], &Sources::default(), false));
        return ExitCode::from(LIMIT);
    }
    ExitCode::from(stacker::grow(STACK, || run(cli.command)))
}

fn run(command: Command) -> u8 {
    let none = crate::cli::args::LimitArgs::default();
    match command {
        Command::Solve(args) => {
            within(&args.limits, args.json || args.cases.is_some(), |work, out| solve::run(&args, work, out))
        }
        Command::Table(args) => within(&args.limits, args.json, |work, out| table::run(&args, work, out)),
        Command::Eval(args) => within(&args.limits, args.json, |work, out| eval::run(&args, work, out)),
        Command::Run(args) => within(&args.limits, false, |work, out| run::run(&args, work, out)),
        Command::Stress(args) => within(&args.limits, args.json, |work, out| stress::run(&args, work, out)),
        Command::Tests(args) => within(&args.limits, false, |work, out| stress::tests(&args, work, out)),
        Command::Play(args) => within(&args.limits, false, |work, out| play::run(&args, work, out)),
        Command::Explore(args) => within(&args.limits, false, |work, out| explore::run(&args, work, out)),
        Command::Draw(args) => within(&args.limits, false, |work, out| draw::run(&args, work, out)),
        Command::Check(args) => within(&args.limits, args.json, |work, out| check::run(&args, work, out)),
        Command::Prove(args) => within(&args.limits, args.json, |work, out| prove::run(&args, work, out)),
        Command::Guess(args) => within(&args.limits, args.json, |work, out| guess::run(&args, work, out)),
        Command::Heap(args) => within(&args.limits, args.json, |work, out| heap::run(&args, work, out)),
        Command::Verify(args) => within(&args.limits, args.json, |work, out| verify::run(&args, work, out)),
        Command::Show(args) => within(&args.limits, false, |work, out| show::run(&args, work, out)),
        Command::Plan(args) => within(&args.limits, args.json, |work, out| plan::run(&args, work, out)),
        Command::Fmt(args) => within(&none, false, |work, out| fmt::run(&args, work, out)),
        Command::Man(args) => within(&none, false, |_, out| manual(args.command.as_deref(), out)),
        Command::Completions(args) => within(&none, false, |_, out| {
            // To memory nothing fails.
            let script = complete::script(&args.shell.to_string()).unwrap_or_default();
            out.text(&String::from_utf8_lossy(&script))?;
            Ok(ANSWERED)
        }),
    }
}

/// Prints a manual page.
fn manual(command: Option<&str>, out: &mut Output) -> Result<u8, Stop> {
    let mut program = self::command();
    program.build();
    let page = match command {
        None => Some(program),
        Some(name) => program.find_subcommand(name).cloned(),
    };
    let Some(page) = page else {
        let message = format!("there is no command `{}`", command.unwrap_or_default());
        return Err(Diagnostic::bare(Code::D06, message).hint("`grundy --help` lists them").into());
    };
    let mut text = Vec::new();
    // To memory nothing fails.
    let _ = clap_mangen::Man::new(page).render(&mut text);
    out.text(&String::from_utf8_lossy(&text))?;
    Ok(ANSWERED)
}
