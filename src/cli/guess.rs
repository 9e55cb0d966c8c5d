//! `grundy guess`: closed forms for the values of an expression, proposed as claim lines.

use crate::cli::args::LimitArgs;
use crate::cli::complete;
use crate::cli::output::Output;
use crate::cli::proofs::Behind;
use crate::cli::workspace::{ANSWERED, LIMIT, Stop, Workspace};
use crate::guess::question::{Asked, as_claim};
use crate::guess::{Learn, guess};
use crate::source::{Code, Diagnostic};
use crate::syntax::tree::Item;
use crate::{report, syntax};
use serde_json::json;
use std::path::PathBuf;

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  grundy guess bash.game 'grundy(Bash[3](n)) for n in 0..100'
  grundy guess nim.game 'loses(Nim(a) + Nim(b)) for a, b in 0..15'
  grundy guess lasker.game 'grundy(Lasker(n)) for n in nat' >> lasker.game

Forms are fitted to the first two thirds of each range and refuted by the last third, then by further values, up to four
times the range. What survives is VERIFIED that far, and no further: it is printed as a claim that `grundy check` tests.
Theorems of the file are not used.

Exit code: 0 also when no form is found, 2 a bad file or query, 3 a limit ended the work before the range was done: what is
proposed then comes from a part of it.

`--time` is for everything [default: 10s for further values; the range asked for takes what it takes].")]
pub(crate) struct GuessArgs {
    /// The game file; `-` reads it from stdin
    #[arg(add = complete::game_file())]
    file: PathBuf,
    /// `EXPR for n in 0..100`, with one to four variables; `nat` for a range of the right size
    #[arg(value_name = "QUERY", allow_hyphen_values = true, add = complete::games())]
    query: String,
    /// Print one JSON object per proposal and per refuted guess
    #[arg(long)]
    pub(super) json: bool,
    /// Learn an automaton that reads digits also where a closed form is proved
    #[arg(long)]
    automata: bool,
    /// Write a file for each guess that is proved into this folder, for `grundy verify`
    #[arg(long, value_name = "DIR")]
    certificates: Option<PathBuf>,
    /// Changes nothing: `guess` never takes a theorem on trust
    #[arg(long)]
    #[allow(dead_code)] // said for scripts that give it to every command
    exhaustive: bool,
    #[command(flatten)]
    pub(super) limits: LimitArgs,
}

pub(super) fn run(args: &GuessArgs, workspace: &mut Workspace, out: &mut Output) -> Result<u8, Stop> {
    let mut parsed = crate::cli::load::parse(&args.file, &mut workspace.sources, &args.limits.allow_path)?;
    let own = parsed.source;
    let name = workspace.sources.get(own).name.clone();
    // What the file asks by itself is not wanted here.
    let question = |item: &Item| {
        matches!(item, Item::Table { .. } | Item::Solve { .. } | Item::Claim { .. } | Item::Expect { .. })
    };
    parsed.tree.items.retain(|item| !question(item));
    let id = workspace.sources.add("<query>", args.query.as_str());
    let (value, clauses) = syntax::parse_query(&workspace.sources, id)?;
    let asked = Asked::new(&value, &clauses, &workspace.sources);
    let bare = parsed.clone();
    parsed.tree.items.push(as_claim(&value, &clauses));
    let loaded = parsed.check(&mut workspace.sources)?;
    let claim = loaded.program.questions.iter().find_map(|question| match question {
        crate::model::Question::Claim(claim) => Some(claim),
        _ => None,
    });
    let Some(claim) = claim else { return Err(Diagnostic::bare(Code::D06, "nothing is asked").into()) };
    let mut ctx = workspace.context(&loaded, loaded.given.clone());
    let progress = workspace.progress();
    let time = args.limits.time.unwrap_or(crate::claims::Budget::default().time);
    let learn = if args.automata { Learn::Also } else { Learn::Else };
    let deadline = workspace.deadline();
    let mut desk = Behind { parsed: &bare, workspace, with_lemmas: true, deadline };
    let guesses = guess(&mut ctx, claim, &asked, time, learn, &mut desk)?;
    drop(progress);
    let proofs = match &args.certificates {
        Some(folder) => crate::cli::certificates::keep_guesses(folder, own, &guesses, workspace)?,
        None => Vec::new(),
    };
    if args.json {
        for line in report::guess::json(&name, &guesses) {
            out.json(&line)?;
        }
        for (title, path) in proofs {
            out.json(&json!({ "title": title, "certificate_file": path.as_ref().ok(), "note": path.err() }))?;
        }
    } else {
        out.text(&report::guess::text(&guesses))?;
        for (title, path) in proofs {
            let path = path.unwrap_or_else(|why| format!("no file: {why}"));
            out.text(&format!("# certificate of \"{title}\": {path}\n"))?;
        }
    }
    Ok(if guesses.limit.is_some() { LIMIT } else { ANSWERED })
}
