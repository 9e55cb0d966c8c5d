//! The command line: one file a command; the only place with files, terminal and clock.
//!
//! In: arguments, files, the terminal. Out: what `report` writes, and an exit code. Commands say which rooms do what,
//! and do nothing of it themselves. Start-up is most of a short run, so there is no thread but the first one, which
//! works on a large stack of its own.

mod args;
mod certificate_check;
mod certificates;
mod check;
mod completions;
mod fmt;
mod guess;
mod heap;
mod inputs;
mod load;
mod output;
mod progress;
mod prove;
mod show;
mod solve;
mod stop;
mod table;
mod verify;
mod workspace;

use crate::cli::stop::{ANSWERED, BAD};
use clap::{Parser, Subcommand};
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
    /// Lay files out in the canonical form
    Fmt(fmt::FmtArgs),
    /// Print a script that completes `grundy` commands in a shell
    Completions(completions::CompletionsArgs),
}

/// Runs the command line and returns the exit code of the process.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // A closed stdout or stderr leaves nothing to say.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { BAD } else { ANSWERED });
        }
    };
    // Asked beforehand: `grow` has no answer where there is no room.
    if let Err(error) = memmap2::MmapOptions::new().len(STACK).map_anon() {
        eprintln!("error: no stack of {} MiB can be had: {error}", STACK >> 20);
        return ExitCode::from(stop::LIMIT);
    }
    ExitCode::from(stacker::grow(STACK, || run(cli.command)))
}

fn run(command: Command) -> u8 {
    match command {
        Command::Solve(args) => solve::run(&args),
        Command::Table(args) => table::run(&args),
        Command::Prove(args) => prove::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Guess(args) => guess::run(&args),
        Command::Heap(args) => heap::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Show(args) => show::run(&args),
        Command::Fmt(args) => fmt::run(&args),
        Command::Completions(args) => completions::run(&args),
    }
}

#[cfg(test)]
mod tests {
    use crate::cli::Cli;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn help_begins_with_what_a_command_does() {
        let mut cli = Cli::command();
        cli.build();
        for command in cli.get_subcommands_mut().filter(|command| command.get_name() != "help") {
            let about = command.get_about().unwrap().to_string();
            for help in [command.render_help(), command.render_long_help()] {
                let help = help.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
                assert!(about.len() > 20 && help.starts_with(&about), "{}: {help}", command.get_name());
            }
        }
    }
}
