//! `grundy fmt`: canonical layout.

use crate::cli::complete;
use crate::cli::output::Output;
use crate::cli::workspace::{ANSWERED, FAILED, Stop, Workspace, exit_code, worse};
use std::path::{Path, PathBuf};

#[derive(clap::Args, Debug)]
pub(crate) struct FmtArgs {
    /// The files; `-` lays out stdin and prints it
    #[arg(required = true)]
    #[arg(add = complete::game_file())]
    files: Vec<PathBuf>,
    /// Change nothing: list the files that would change, and exit with 1 if there are any
    #[arg(long)]
    check: bool,
    /// Do not say which files were changed
    #[arg(long)]
    quiet: bool,
}

pub(super) fn run(args: &FmtArgs, workspace: &mut Workspace, out: &mut Output) -> Result<u8, Stop> {
    let mut code = ANSWERED;
    for path in &args.files {
        match one(args, path, workspace, out) {
            Ok(one) => code = worse(code, one),
            Err(Stop::Errors(errors)) => {
                code = worse(code, exit_code(&errors));
                out.flush()?;
                workspace.tell(&errors);
            }
            Err(stop) => return Err(stop),
        }
    }
    Ok(code)
}

fn one(args: &FmtArgs, path: &Path, workspace: &mut Workspace, out: &mut Output) -> Result<u8, Stop> {
    let stdin = path.as_os_str() == "-";
    let source = crate::cli::load::read(path, &mut workspace.sources)?;
    let laid = crate::syntax::format(&workspace.sources, source)?;
    let text = workspace.sources.get(source);
    let changed = laid != text.text;
    if args.check {
        if changed {
            out.text(&format!("{}\n", text.name))?;
        }
        return Ok(if changed { FAILED } else { ANSWERED });
    }
    if stdin {
        out.text(&laid)?;
    } else if changed {
        crate::cli::files::write(path, laid.as_bytes())?;
        if !args.quiet {
            out.text(&format!("{}\n", path.display()))?;
        }
    }
    Ok(ANSWERED)
}
