//! `grundy run`: a game file as a solution that a judge would accept. Words come in, lines go out.

use crate::cli::args::{self, LimitArgs};
use crate::cli::complete;
use crate::cli::output::Output;
use crate::cli::workspace::{ANSWERED, Stop, Workspace, exit_code};
use crate::cli::{eval, files, load};
use crate::contest::{self, Bad, Cases, Misfit};
use crate::model::{Program, Question};
use crate::source::{Code, Diagnostic, SourceId, Span};
use clap::Args;
use std::io::Read;
use std::os::fd::AsFd;
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  grundy run stones.game < in.txt > out.txt
  grundy run stones.game --input in.txt")]
pub(crate) struct RunArgs {
    /// The game file, with a `format` line for what is read and `print` lines for what is answered
    #[arg(add = complete::game_file())]
    file: PathBuf,
    /// Values for inputs that the `format` line does not name
    #[arg(value_name = "NAME=VALUE", value_parser = args::binding, add = complete::inputs())]
    inputs: Vec<args::Binding>,
    /// Read this file instead of stdin
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// Ignore theorems: search
    #[arg(long)]
    exhaustive: bool,
    #[command(flatten)]
    pub(super) limits: LimitArgs,
}

pub(super) fn run(args: &RunArgs, workspace: &mut Workspace, out: &mut Output) -> Result<u8, Stop> {
    let parsed = load::parse(&args.file, &mut workspace.sources, &args.limits.allow_path)?;
    let (loaded, mut ctx) = parsed.check_with(&args.inputs, workspace)?;
    ctx.options.theorems = !args.exhaustive;
    let program = loaded.program.clone();
    if !program.questions.iter().any(|question| matches!(question, Question::Print { .. })) {
        let message = format!("`{}` has no `print` line", args.file.display());
        let hint = "say what a case answers: `print if wins(Nim(n)) then \"yes\" else \"no\"`";
        return Err(Diagnostic::bare(Code::D06, message).hint(hint).into());
    }
    let progress = workspace.progress();
    let mut answer = |ctx: &mut crate::vm::context::Context| {
        contest::printed(ctx, &mut |ctx, value| eval::position(ctx, value, args.exhaustive))
    };
    let Some(format) = &program.format else {
        // Nothing is read: the inputs are those of the command line.
        let text = answer(&mut ctx)?;
        out.text(&text)?;
        return Ok(ANSWERED);
    };
    let name = args.input.as_ref().map_or("<stdin>".into(), |path| path.display().to_string());
    workspace.allow(None);
    let text = if let Some(path) = &args.input {
        files::read(path, "file", Code::D03)?
    } else {
        let mut text = Vec::new();
        // As a file: where it is one its length is known.
        let read = std::io::stdin().as_fd().try_clone_to_owned().map(std::fs::File::from);
        let read = read.and_then(|mut file| file.read_to_end(&mut text));
        read.map_err(|error| Diagnostic::bare(Code::D03, format!("stdin cannot be read: {error}")))?;
        text
    };
    workspace.restart_clock(&mut ctx);
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text);
    let result = all(text, format, &loaded, &mut ctx, out, &mut answer);
    drop(progress);
    workspace.note_theorems(&ctx);
    match result {
        Ok(()) => {
            out.flush()?;
            Ok(ANSWERED)
        }
        Err((number, bad)) => {
            out.flush()?;
            let error = match bad {
                Failure::Bad(Bad::Misfit { misfit, input }) => {
                    misfitting(workspace, &program, &misfit, input, text, &name)
                }
                Failure::Bad(Bad::Error(error)) | Failure::Error(error) => workspace.explained(*error),
                Failure::Stop(stop) => return Err(stop),
            };
            let error = if number > 0 { error.note(|| format!("this is case {number} of `{name}`")) } else { error };
            let code = exit_code([&error]);
            workspace.tell(&[error]);
            Ok(code)
        }
    }
}

enum Failure {
    Bad(Bad),
    Error(Box<Diagnostic>),
    Stop(Stop),
}

/// Answers all cases of a text; how many were begun when one fails.
fn all(
    text: &[u8],
    format: &crate::model::Format,
    loaded: &load::Loaded,
    ctx: &mut crate::vm::context::Context,
    out: &mut Output,
    answer: &mut dyn FnMut(&mut crate::vm::context::Context) -> Result<String, Box<Diagnostic>>,
) -> Result<(), (i64, Failure)> {
    let mut cases = Cases::new(text, format, loaded.given.clone()).map_err(|bad| (0, Failure::Bad(bad)))?;
    while cases.next(ctx).map_err(|bad| (cases.number(), Failure::Bad(bad)))?.is_some() {
        if ctx.bytes() > ctx.limits.memory / 2 {
            ctx.forget();
        }
        if cases.number() > 1 {
            ctx.next_case();
        }
        let text = answer(ctx).map_err(|error| (cases.number(), Failure::Error(error)))?;
        out.text(&text).map_err(|stop| (0, Failure::Stop(stop)))?;
    }
    match cases.rest() {
        Some(misfit) => Err((0, Failure::Bad(Bad::Misfit { misfit, input: None }))),
        None => Ok(()),
    }
}

/// What is wrong with a word, with its place in the text.
fn misfitting(
    workspace: &mut Workspace,
    program: &Program,
    misfit: &Misfit,
    input: Option<usize>,
    text: &[u8],
    name: &str,
) -> Diagnostic {
    let fault = contest::told(misfit, input.map(|input| program.inputs[input].name.as_str()), text);
    let place = |source: SourceId| {
        let fit = |at: usize| u32::try_from(at).ok();
        Some(Span { source, start: fit(misfit.start)?, end: fit(misfit.end)? })
    };
    let span = std::str::from_utf8(text).ok().and_then(|text| place(workspace.sources.add(name, text)));
    match span {
        Some(span) => Diagnostic::new(fault.code, span, fault.message),
        None => Diagnostic::bare(fault.code, format!("{name}: {}", fault.message)),
    }
}
