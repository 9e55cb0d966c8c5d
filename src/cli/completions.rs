//! `grundy completions`: scripts for shells.

use crate::cli::Cli;
use crate::cli::stop::ANSWERED;
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use std::io::{self, Write};

#[derive(Args, Debug)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints the script.
pub(crate) fn run(args: &CompletionsArgs) -> u8 {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "grundy", &mut script);
    // Whoever closed stdout does not want the rest.
    let _ = io::stdout().lock().write_all(&script);
    ANSWERED
}
