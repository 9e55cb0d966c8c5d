//! The statement of a certificate, tried on small positions by search, with the rules in the certificate.
//!
//! The sentences of a certificate may be true and speak of another game. This is no proof that they do not; but what is
//! false of the game is false of a small position, as a rule.

use crate::answer::verdict::{Finding, Verdict};
use crate::check::model::Question;
use crate::check::{NoLoader, check};
use crate::claim::{self, Budget};
use crate::cli::session::Session;
use crate::rules::data::NoFiles;
use crate::rules::machine::Machine;
use crate::solve;
use crate::syntax::parse_file;
use crate::text::Sources;
use crate::verify::Certificate;
use std::sync::Arc;
use std::time::Duration;

/// How the search ended.
pub(super) enum Tried {
    /// It found nothing wrong, in so many instances.
    Holds(u64),
    /// The statement is false: where.
    Fails(String),
    /// The text of the game has no such statement.
    Missing,
    /// It could not be tried: why.
    Not(&'static str),
}

/// Tries the statement for a short time.
pub(super) fn tried(certificate: &Certificate, session: &Session) -> Tried {
    /// So long.
    const TIME: Duration = Duration::from_secs(1);
    let mut sources = Sources::default();
    let own = sources.add(certificate.file.clone(), certificate.game.clone());
    let Ok(file) = parse_file(&sources, own) else {
        return Tried::Not("the text of the game is no file of this program");
    };
    let Ok(mut program) = check(&file, own, &mut sources, &mut NoLoader) else {
        return Tried::Not("the game cannot be used by itself");
    };
    // Only what has the words of the statement, and what belongs to it.
    let is_it = |span| sources.slice(span) == certificate.words;
    program.questions.retain(|question| matches!(question, Question::Claim(claim) if is_it(claim.span)));
    for game in &mut program.games {
        // Lines of one game about winning moves say together which moves win.
        if !game.theorems.iter().any(|theorem| is_it(theorem.span)) {
            game.theorems.clear();
        }
    }
    let mut machine = Machine::new(Arc::new(program), Arc::new(NoFiles), session.limits.clone(), solve::ask);
    let budget = Budget { time: TIME, ..Budget::default() };
    let mut result = Tried::Missing;
    claim::check(&mut machine, &budget, claim::File { sources: &sources, own }, &mut |finding| {
        if format!("{} \"{}\"", finding.kind.word(), finding.title) != certificate.statement {
            return;
        }
        result = match &finding.verdict {
            Ok(Verdict::Refuted) => Tried::Fails(shown(&finding)),
            Ok(Verdict::Verified) => Tried::Holds(finding.searched),
            _ => Tried::Not("no small position was searched to its end"),
        };
    });
    result
}

fn shown(finding: &Finding) -> String {
    let values = finding.counterexample.iter().map(|(name, value)| format!("{name} = {}", value.inner_text()));
    values.collect::<Vec<_>>().join(", ")
}
