//! What a certificate of `prove` is held against: the plain procedure of `grundy_verify`, the rules in it, from which its sentences are
//! derived once more, and a search of small positions.

use crate::answer::{Finding, Verdict, named_text};
use crate::claims::{self, Budget};
use crate::cli::args::LimitArgs;
use crate::cli::workspace::{ANSWERED, FAILED, LIMIT, Workspace};
use crate::engines;
use crate::input::data::NoFiles;
use crate::model::{Program, Question};
use crate::prover::{Compared, Run};
use crate::report::grouped;
use crate::source::{Class, Code, Diagnostic, SourceId, Sources};
use crate::typing::{Loader, check};
use crate::vm::context::{Context, EngineOptions, Policy};
use grundy_heap::game::Game;
use grundy_heap::naive::Naive;
use grundy_verify::{self, Case, Certificate, Heaps, Limits, Method};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What is found of a certificate of `prove`.
pub(super) struct Found {
    pub(super) verdict: Confirmation,
    /// Small positions that were searched, or instances that were played through.
    pub(super) searched: u64,
    /// What is said of the search.
    pub(super) search: &'static str,
    /// At how many positions rules and closed form, as formulas, were those that are played.
    pub(super) compared: Compared,
    /// The statements that its sentences take for true.
    pub(super) rests_on: Vec<String>,
}

/// Whether a certificate proves its statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Confirmation {
    Confirmed,
    Wrong(String),
    /// Nothing is wrong, but not all of it could be looked at.
    Open(String),
}

impl Confirmation {
    pub(super) fn word(&self) -> &'static str {
        match self {
            Confirmation::Confirmed => "CONFIRMED",
            Confirmation::Wrong(_) => "WRONG",
            Confirmation::Open(_) => "OPEN",
        }
    }

    pub(super) fn why(&self) -> Option<&str> {
        match self {
            Confirmation::Confirmed => None,
            Confirmation::Wrong(why) | Confirmation::Open(why) => Some(why),
        }
    }

    pub(super) fn code(&self) -> u8 {
        match self {
            Confirmation::Confirmed => ANSWERED,
            Confirmation::Wrong(_) => FAILED,
            Confirmation::Open(_) => LIMIT,
        }
    }
}

/// What the rules of a text give: the certificates of all its statements, and whether the formulas in them are the rules.
type Derived = Vec<(Certificate, Result<Compared, String>)>;

/// Looks at certificates. What a text gives is derived once.
pub(super) struct Examiner<'w> {
    args: &'w LimitArgs,
    workspace: &'w Workspace,
    derived: HashMap<(String, BTreeMap<String, String>), Option<Derived>>,
}

impl<'w> Examiner<'w> {
    pub(super) fn new(args: &'w LimitArgs, workspace: &'w Workspace) -> Self {
        Examiner { args, workspace, derived: HashMap::new() }
    }

    /// Decides the sentences by the plain procedure, searches small positions, and derives the sentences from the rules once more.
    /// Errors: limits.
    pub(super) fn look(&mut self, certificate: &Certificate) -> Result<Found, Diagnostic> {
        let (args, workspace) = (self.args, self.workspace);
        let mut limits = Limits { interrupted: workspace.interrupted.clone(), ..Limits::default() };
        limits.deadline = args.time.map(|time| Instant::now() + time);
        // An entry takes 4 bytes, and as many in the classes of its state, twice while the table is made smaller.
        let most = workspace.limits.memory / 16;
        limits.entries = if args.memory.is_some() { most } else { most.min(limits.entries) };
        let verdict = certificate.verify(&limits);
        let heaps = || certificate.heaps.iter().find_map(|heaps| compared(certificate, heaps, workspace));
        let is_played = certificate.played.is_some();
        let checked = match verdict {
            Ok(()) if is_played => match played(certificate, workspace, args.time) {
                Checked::Not(why) => return Err(Diagnostic::bare(Code::L03, why)),
                checked => checked,
            },
            Ok(()) => heaps().map_or_else(|| searched(certificate, workspace), Checked::Wrong),
            Err(grundy_verify::Refusal::Wrong(why)) => Checked::Wrong(why),
            Err(grundy_verify::Refusal::Halted(part, halt)) => return Err(limit(&part, &halt)),
        };
        let (searched, search) = match checked {
            Checked::Wrong(why) => {
                let verdict = Confirmation::Wrong(why);
                let (compared, rests_on) = (Compared::default(), certificate.rests_on.clone());
                return Ok(Found { verdict, searched: 0, search: "", compared, rests_on });
            }
            Checked::Not(reason) => (0, reason),
            Checked::Holds(0) => (0, "no small position was searched"),
            Checked::Holds(count) => (count, "a search of small positions by the rules finds nothing against it"),
        };
        let (verdict, compared, rests_on) = if is_played {
            (Confirmation::Confirmed, Compared::default(), Vec::new())
        } else {
            self.by_the_rules(certificate)
        };
        Ok(Found { verdict, searched, search, compared, rests_on })
    }

    /// Holds the sentences of a certificate against those that the rules give: a sentence that is true and another one is found so. With the
    /// statements that they take for true.
    fn by_the_rules(&mut self, certificate: &Certificate) -> (Confirmation, Compared, Vec<String>) {
        let given = || (Compared::default(), certificate.rests_on.clone());
        let told = |verdict, (compared, rests_on)| (verdict, compared, rests_on);
        let texts = (certificate.game.clone(), certificate.uses.clone());
        if !self.derived.contains_key(&texts) {
            let derived = self.derive(certificate, &[]);
            self.derived.insert(texts.clone(), derived);
        }
        let Some(Some(all)) = self.derived.get(&texts) else {
            let why = "the text of the game needs files that are not in the certificate";
            return told(Confirmation::Open(why.into()), given());
        };
        let mut found = compared_with(certificate, all);
        if let Some((Confirmation::Wrong(_), _)) | None = found {
            // By what it rests on alone, for a proof may take another way in another time.
            let order: Vec<String> = certificate.rests_on.iter().chain([&certificate.statement]).cloned().collect();
            let again = self.derive(certificate, &order).and_then(|all| compared_with(certificate, &all));
            found = again.filter(|(verdict, _)| *verdict == Confirmation::Confirmed).or(found);
        }
        match found {
            Some((Confirmation::Confirmed, rests)) => told(Confirmation::Confirmed, rests),
            Some((verdict, _)) => told(verdict, given()),
            None => {
                let why =
                    "the sentences are true, but were not derived from the rules again: it is not proved in the time";
                told(Confirmation::Open(why.into()), given())
            }
        }
    }

    /// Proves the statements of the text in a certificate again, these alone if there are any; `None`: it is no file by itself.
    fn derive(&self, certificate: &Certificate, order: &[String]) -> Option<Derived> {
        const TIME: Duration = Duration::from_mins(1);
        let CertifiedGame { sources, own, program } = CertifiedGame::read(certificate, "").ok()?;
        let limits = self.workspace.limits.clone();
        let mut ctx = Context::new(Arc::new(program), Arc::new(NoFiles), limits, engines::ask);
        let file = claims::File { sources: &sources, own };
        let mut derived = Vec::new();
        let (effort, run) =
            (self.args.time.unwrap_or(TIME).into(), Run { keep: true, compare: true, order, ..Run::default() });
        crate::prover::every(&mut ctx, effort, file, run, &mut |finding, argument| {
            let certificate = crate::prover::certificate(&finding, &argument, file, &[]).ok().flatten();
            derived.extend(certificate.zip(argument.compared));
        });
        Some(derived)
    }
}

/// What a certificate is, beside those that the rules give, with what it then rests on; `None`: its statement is not among these.
fn compared_with(certificate: &Certificate, all: &Derived) -> Option<(Confirmation, (Compared, Vec<String>))> {
    let same = |one: &Certificate| one.statement == certificate.statement && one.words == certificate.words;
    let (again, compared) = all.iter().find(|(one, _)| same(one))?;
    let differs = again.cases.iter().zip(&certificate.cases).find(|(right, given)| right != given);
    let why = match differs {
        Some((right, given)) => {
            let part = right.parts.iter().zip(&given.parts).find(|(right, given)| right != given);
            part.map_or_else(
                || "the rules give other parts".to_string(),
                |(right, _)| format!("`{}`: the sentence is true, but not the one that the rules give", right.never),
            )
        }
        None if again.cases.len() != certificate.cases.len() => "the rules give other cases".to_string(),
        None if again.heaps != certificate.heaps => "the rules give other heaps".to_string(),
        None => match compared {
            Ok(compared) => return Some((Confirmation::Confirmed, (compared.clone(), again.rests_on.clone()))),
            Err(place) => format!("the sentences are true, but not those of the rules as they are played: {place}"),
        },
    };
    Some((Confirmation::Wrong(why), Default::default()))
}

fn limit(part: &str, halt: &grundy_verify::Halt) -> Diagnostic {
    use grundy_verify::Halt;
    let large = |what: String| Diagnostic::bare(Code::L02, format!("{part} {what}"));
    match halt {
        Halt::Time => Diagnostic::bare(Code::L03, format!("the time is over at {part}")),
        Halt::Interrupted => Diagnostic::bare(Code::L03, "interrupted"),
        Halt::Entries(most) => large(format!("takes tables of more than {} entries", grouped(*most as u64))),
        Halt::Variables(count) => {
            large(format!("takes tables for {count} variables")).hint("plain tables have 2^20 columns at most")
        }
        Halt::Digits => large("speaks of digits in base 2, and its numbers are written otherwise".into()),
        Halt::Number => large("has a number that is too large for plain tables".into()),
    }
}

/// What a check in the game itself came to.
enum Checked {
    Holds(u64),
    Wrong(String),
    Not(&'static str),
}

/// The files in a certificate that its text uses.
struct Texts<'c> {
    uses: &'c BTreeMap<String, String>,
    known: BTreeMap<String, SourceId>,
}

impl Loader for Texts<'_> {
    fn load(&mut self, name: &str, _: SourceId, sources: &mut Sources) -> Option<Result<SourceId, Diagnostic>> {
        let text = self.uses.get(name)?;
        let id = self.known.entry(name.to_string()).or_insert_with(|| sources.add(name, text.as_str()));
        Some(Ok(*id))
    }
}

struct CertifiedGame {
    sources: Sources,
    own: SourceId,
    program: Program,
}

impl CertifiedGame {
    /// Reads the game with more lines behind it.
    fn read(certificate: &Certificate, more: &str) -> Result<CertifiedGame, Checked> {
        let broken = || Checked::Wrong("the text of the game is no game".into());
        let mut sources = Sources::default();
        let own = sources.add(certificate.file.clone(), format!("{}{more}", certificate.game));
        let file = crate::syntax::parse_file(&sources, own).map_err(|_| broken())?;
        let mut texts = Texts { uses: &certificate.uses, known: BTreeMap::new() };
        let program = check(&file, own, &mut sources, &mut texts).map_err(|_| {
            let uses = file.items.iter().any(|item| matches!(item, crate::syntax::tree::Item::Use { .. }));
            if uses { Checked::Not("the game cannot be used by itself") } else { broken() }
        })?;
        Ok(CertifiedGame { sources, own, program })
    }

    fn judge(self, options: EngineOptions, budget: Budget, workspace: &Workspace, tell: &mut dyn FnMut(Finding)) {
        let CertifiedGame { sources, own, program } = self;
        let mut ctx = Context::new(Arc::new(program), Arc::new(NoFiles), workspace.limits.clone(), engines::ask);
        ctx.options = options;
        claims::check(&mut ctx, &budget, claims::File { sources: &sources, own }, tell);
    }
}

/// Searches small positions for something against the statement: so many instances, and for a second at most.
fn searched(certificate: &Certificate, workspace: &Workspace) -> Checked {
    const LOOK: Budget = Budget { time: Duration::from_secs(1), instances: 20_000, steps: None };
    let mut game = match CertifiedGame::read(certificate, "") {
        Ok(game) => game,
        Err(checked) => return checked,
    };
    // Only what has the words of the statement, and what belongs to it.
    let is_it = |span| game.sources.slice(span) == certificate.words;
    game.program.questions.retain(|question| matches!(question, Question::Claim(claim) if is_it(claim.span)));
    for one in &mut game.program.games {
        // Lines of one game about winning moves say together which moves win.
        if !one.theorems.iter().any(|theorem| is_it(theorem.span)) {
            one.theorems.clear();
        }
    }
    if let Some(case) = missing(certificate, &game.program) {
        return Checked::Wrong(format!("the case `{case}` is missing"));
    }
    let mut result = Checked::Wrong(MISSING.into());
    let fails =
        |finding: &Finding| format!("the sentences are true, but the statement fails in the game {}", how(finding));
    game.judge(EngineOptions::default(), LOOK, workspace, &mut |finding| {
        if format!("{} \"{}\"", finding.kind.word(), finding.title) != certificate.statement {
            return;
        }
        result = match &finding.verdict {
            Ok(Verdict::Refuted) => Checked::Wrong(fails(&finding)),
            // Where hardly anything was searched, something is in the way.
            Ok(Verdict::Verified) if finding.searched < FEW && !finding.whole_range => {
                Checked::Not("hardly any small position was searched to its end")
            }
            Ok(Verdict::Verified | Verdict::Proved { .. }) => Checked::Holds(finding.searched),
            // What has no value somewhere is no theorem; a limit says nothing.
            Err(error) if matches!(error.code.class(), Class::Meaning | Class::Running) => {
                Checked::Wrong(fails(&finding))
            }
            _ => Checked::Not("no small position was searched to its end"),
        };
    });
    result
}

const MISSING: &str = "the text of the game has no such statement";

/// Fewer instances say nothing, if there are more.
const FEW: u64 = 5;

/// The names of the cases of the statement itself.
pub(super) fn own_cases(certificate: &Certificate) -> impl Iterator<Item = &str> {
    certificate.cases.iter().filter(|case| case.beside.is_none()).map(|case| case.case.as_str())
}

/// A case that must be there, too: an instance of the claim's ranges, or of a theorem one that is smaller in one parameter or length.
/// Lines about moves have the cases of their theorem; nothing is known of those that follow from a claim.
fn missing(certificate: &Certificate, program: &Program) -> Option<String> {
    let names: BTreeSet<&str> = own_cases(certificate).collect();
    if let Some(Question::Claim(claim)) = program.questions.first() {
        return crate::prover::missing_case(program, claim, &names);
    }
    let rests = &certificate.rests_on;
    let of_theorems = !rests.is_empty() && rests.iter().all(|other| other.starts_with("theorem "));
    let closed = |case: &&Case| of_theorems || !matches!(case.by, Method::Moves | Method::MovesTo);
    let own = certificate.cases.iter().filter(|case| case.beside.is_none());
    let mut needed = own.filter(closed).flat_map(|case| smaller(&case.case));
    needed.find(|case| !names.contains(case.as_str()))
}

/// The names of the cases that differ from this one by 1 less in one number, as far as numbers are above 0.
fn smaller(case: &str) -> Vec<String> {
    let words: Vec<&str> = case.split(' ').collect();
    let less = |i: usize| {
        let number = words[i].trim_end_matches(',');
        let one_less = number.parse::<u64>().ok()?.checked_sub(1)?;
        let word = words[i].replacen(number, &one_less.to_string(), 1);
        let text: Vec<&str> = words.iter().enumerate().map(|(j, old)| if i == j { &*word } else { old }).collect();
        Some(text.join(" "))
    };
    (0..words.len()).filter_map(less).collect()
}

/// Plays all instances of a claim about finitely many through, by a routine of its own.
fn played(certificate: &Certificate, workspace: &Workspace, time: Option<Duration>) -> Checked {
    const TIME: Duration = Duration::from_mins(1);
    let Ok(CertifiedGame { sources, own, program }) = CertifiedGame::read(certificate, "") else {
        return Checked::Not("the text of the game is no file of this program");
    };
    let program = Arc::new(program);
    let claim = program.questions.iter().find_map(|question| match question {
        Question::Claim(claim)
            if sources.slice(claim.span) == certificate.words
                && certificate.statement == format!("claim \"{}\"", claim.title) =>
        {
            Some(claim)
        }
        _ => None,
    });
    let Some(claim) = claim else { return Checked::Wrong(MISSING.into()) };
    let file = claims::File { sources: &sources, own };
    match crate::prover::played(&program, workspace.limits.clone(), time.unwrap_or(TIME), file, claim) {
        Ok(Some(count)) if certificate.played == Some(count) => Checked::Holds(count),
        Ok(Some(count)) => Checked::Wrong(format!("there are {count} instances")),
        Ok(None) => Checked::Not("the plain routine could not play all of it through in the time"),
        Err(finding) => Checked::Wrong(format!("the statement fails in the game {}", how(&finding))),
    }
}

pub(super) const HEAPS: usize = 100;

/// Compares the first heaps of a game by search with those of its code; what is wrong, if anything is.
fn compared(certificate: &Certificate, heaps: &Heaps, workspace: &Workspace) -> Option<String> {
    const TITLE: &str = "heaps of the certificate";
    let Heaps { of, period } = heaps;
    let mut values = Vec::new();
    let known = Game::parse(&period.code).ok().map(|code| Naive::new(code).extend(&mut values, HEAPS, &mut |_| Ok(())));
    let Some(Ok(())) = known else { return Some(format!("`{}` is no code", period.code)) };
    let values: Vec<String> = values.iter().map(ToString::to_string).collect();
    let most = HEAPS - 1;
    let claim = format!("\nclaim \"{TITLE}\" for n in 0..{most}: grundy({of}(n)) == [{}][n]\n", values.join(", "));
    let Ok(mut game) = CertifiedGame::read(certificate, &claim) else {
        return Some(format!("the text has no game `{of}` of one number"));
    };
    game.program.questions.retain(|question| matches!(question, Question::Claim(claim) if claim.title == TITLE));
    game.program.games.iter_mut().for_each(|game| game.theorems.clear());
    let mut wrong = Some("its heaps were not searched".to_string());
    let options = EngineOptions { heaps: Policy::Never, ..EngineOptions::default() };
    game.judge(options, Budget::default(), workspace, &mut |finding| {
        wrong = match &finding.verdict {
            Ok(Verdict::Verified) => None,
            Ok(Verdict::Refuted) => {
                Some(format!("`{of}` is not {} at {}", period.code, named_text(&finding.counterexample)))
            }
            _ => Some(format!("the heaps of `{of}` were not searched to the end")),
        };
    });
    wrong
}

/// Where a statement fails, or which error comes of it.
fn how(finding: &Finding) -> String {
    match &finding.verdict {
        Err(error) => {
            error.hint.as_ref().map_or_else(|| error.message.clone(), |at| format!("{}: {at}", error.message))
        }
        Ok(_) => format!("at {}", named_text(&finding.counterexample)),
    }
}
