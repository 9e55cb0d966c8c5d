//! Files of proofs, for `grundy verify`.

use crate::answer::{Finding, Kind, Verdict};
use crate::cli::check::Note;
use crate::cli::files::{self, unwritten};
use crate::cli::workspace::Workspace;
use crate::input::data::NoFiles;
use crate::model::Question;
use crate::prover::{Argument, arguments, certificate};
use crate::source::{Code, Diagnostic, SourceId};
use crate::typing::NoLoader;
use crate::vm::context::Context;
use crate::{claims, engines};
use serde_json::json;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The name of the file of a certificate, or why there is none.
type Written = Result<String, String>;

/// What is said of a certificate beside the finding.
pub(super) fn note(file: Written) -> Note {
    let (json, text) = (json!(file.as_ref().ok()), file.unwrap_or_else(|why| why));
    Note { key: "certificate_file", word: "proof", json, text }
}

/// Writes the certificate of a proof: `FILE-LINE.json`, or `FILE-lemma-1.json`. `behind` are the lemmas beside the file, `names` the files that were
/// written in this run. `None`: nothing is proved.
pub(super) fn keep(
    folder: &Path,
    names: &mut BTreeSet<PathBuf>,
    (finding, argument): (&Finding, &Argument),
    file: claims::File<'_>,
    behind: &[String],
) -> Result<Option<Written>, Diagnostic> {
    if !argument.beside.is_empty() && matches!(&finding.verdict, Ok(verdict) if verdict.certificate().is_some()) {
        let mut beside = argument.beside.clone();
        beside.dedup();
        return Ok(Some(Err(format!("no file, since not all of it is sentences: {}", beside.join("; ")))));
    }
    let certificate = certificate(finding, argument, file, behind)
        .map_err(|reason| Diagnostic::bare(Code::L02, format!("the certificate is not written: {reason}")))?;
    let Some(certificate) = certificate else { return Ok(None) };
    let source = file.sources.get(file.own);
    let line = if finding.span.source == file.own {
        file.sources.line_and_column(finding.span).0.to_string()
    } else {
        finding.title.replace(' ', "-")
    };
    let stem = Path::new(&source.name).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let named =
        |i: usize| folder.join(if i == 1 { format!("{stem}-{line}.json") } else { format!("{stem}-{line}-{i}.json") });
    // Files of the same name in several folders.
    let Some(path) = (1..=names.len() + 1).map(named).find(|path| !names.contains(path)) else { return Ok(None) };
    fs::create_dir_all(folder).map_err(|error| unwritten(&path, &error))?;
    let text = serde_json::to_string_pretty(&certificate).map_err(|error| unwritten(&path, &error))?;
    files::write(&path, (text + "\n").as_bytes())?;
    let shown = path.display().to_string();
    names.insert(path);
    Ok(Some(Ok(shown)))
}

/// Writes the certificates of guesses that are proved: each is proved once more, behind the text of the file. With each title the
/// name of its file, or why there is none.
pub(super) fn keep_guesses(
    folder: &Path,
    own: SourceId,
    guesses: &crate::guess::Guesses,
    workspace: &mut Workspace,
) -> Result<Vec<(String, Written)>, Diagnostic> {
    const TIME: Duration = Duration::from_secs(20);
    let is_proved = |verdict: &Verdict| matches!(verdict, Verdict::Proved { .. });
    let formulas = guesses.proposals.iter().filter(|one| is_proved(&one.verdict));
    let formulas = formulas.map(|one| one.lemmas.iter().chain([&one.claim]).cloned().collect::<Vec<_>>());
    let automata = guesses.automaton.iter().filter(|found| is_proved(&found.verdict)).map(|found| found.lines.clone());
    let lines: Vec<Vec<String>> = formulas.chain(automata).collect();
    let source = workspace.sources.get(own);
    let (name, text) = (source.name.clone(), source.text.trim_end().to_string() + "\n");
    let (mut names, mut all) = (BTreeSet::new(), Vec::new());
    for lines in lines {
        let own = workspace.sources.add(name.as_str(), format!("{text}{}\n", lines.join("\n")));
        let program = crate::syntax::parse_file(&workspace.sources, own)
            .and_then(|file| crate::typing::check(&file, own, &mut workspace.sources, &mut NoLoader));
        let Ok(mut program) = program else {
            all.push(Ok((lines.join(" "), Err("the file cannot be used by itself".to_string()))));
            continue;
        };
        let new =
            |question: &Question| matches!(question, Question::Claim(claim) if claim.span.start as usize >= text.len());
        program.questions.retain(new);
        let limits = workspace.limits.clone();
        let mut ctx = Context::new(Arc::new(program), Arc::new(NoFiles), limits, engines::ask);
        let file = claims::File { sources: &workspace.sources, own };
        arguments(&mut ctx, TIME, file, &mut |finding, argument| {
            if finding.kind == Kind::Claim {
                let kept = keep(folder, &mut names, (&finding, &argument), file, &[]);
                let unproved = || Err("it was not proved again".to_string());
                all.push(kept.map(|kept| (finding.title.clone(), kept.unwrap_or_else(unproved))));
            }
        });
    }
    all.into_iter().collect()
}
