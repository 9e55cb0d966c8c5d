//! Certificates of proofs, for [`verify`](grundy_verify).

use crate::answer::{Finding, Verdict};
use crate::claims::File;
use crate::prover::called;
use crate::prover::facts::Certified;
use crate::prover::periods::heaps::VALUES;
use crate::prover::proof_log::{Argument, ProofMethod};
use grundy_automata::{Reason, Texts};
use grundy_heap::certificate as period;
use grundy_heap::sequence::Sequence;
use grundy_verify::{Case, Certificate, Heaps, Part, VERSION, Written};

impl ProofMethod {
    /// Its name in certificates.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            ProofMethod::Grundy => "induction on Grundy values",
            ProofMethod::Read => "induction on Grundy values that an automaton accepts",
            ProofMethod::Outcome => "induction on who loses",
            ProofMethod::Same => "the same as a statement that is proved",
            ProofMethod::Follows => "it follows from statements that are proved",
            ProofMethod::Moves => "who loses tells which moves win",
            ProofMethod::MovesTo => "Grundy values tell where moves lead",
            ProofMethod::Nothing => "there are no positions",
        }
    }
}

/// The certificate of a statement that is proved; `None`: it is not, or not by sentences alone.
///
/// # Errors
/// When a sentence is too long to be written.
pub fn certificate(finding: &Finding, argument: &Argument, file: File<'_>) -> Result<Option<Certificate>, Reason> {
    if !matches!(finding.verdict, Ok(Verdict::Proved { .. })) || !argument.beside.is_empty() {
        return Ok(None);
    }
    let mut cases = Vec::new();
    let mut heaps: Vec<(Heaps, usize)> = Vec::new();
    for case in &argument.cases {
        let mut parts: Vec<Part> = Vec::new();
        let mut texts = Texts::new(case.system);
        for step in &case.steps {
            let part = Part { never: step.what.clone(), sentence: texts.never(&step.never)? };
            // The same rule may be needed many times.
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        // Automata that have the values of heaps.
        let mut of_heaps = vec![None; texts.automata.len()];
        for (at, certified) in argument.heaps.iter().enumerate() {
            let Some(number) = texts.known(&certified.automaton) else { continue };
            let place = heaps.iter().position(|(_, other)| *other == at).unwrap_or(heaps.len());
            if place == heaps.len() {
                heaps.push((period(certified)?, at));
            }
            of_heaps[number] = Some(place);
        }
        let automata = texts.automata.into_iter().zip(of_heaps).map(|(table, heaps)| {
            let state = |(accepts, to): &(bool, Vec<usize>)| {
                let to = to.iter().map(ToString::to_string);
                let words = std::iter::once(if *accepts { "yes" } else { "no" }.to_string()).chain(to);
                words.collect::<Vec<_>>().join(" ")
            };
            Written { reads: table.reads, states: table.states.iter().map(state).collect(), heaps }
        });
        cases.push(Case {
            case: case.which.clone(),
            by: case.by.words().into(),
            numbers: case.system.word(),
            automata: automata.collect(),
            parts,
        });
    }
    let source = file.sources.get(file.own);
    Ok(Some(Certificate {
        grundy_proof_certificate: VERSION,
        statement: called(finding).to_string(),
        words: file.sources.slice(finding.span).to_string(),
        file: source.name.clone(),
        game: source.text.clone(),
        rests_on: argument.used.clone(),
        heaps: heaps.into_iter().map(|(heaps, _)| heaps).collect(),
        sentences: cases.iter().map(|case| case.parts.len()).sum(),
        played: argument.played,
        cases,
    }))
}

/// The certificate of a period that is proved.
fn period(certified: &Certified) -> Result<Heaps, Reason> {
    let mut sequence = Sequence::new((*certified.code).clone());
    let mut watch = |_: &[u16]| Ok(());
    let found = sequence.search(VALUES, &mut watch).and_then(|()| period::Certificate::of(&mut sequence, &mut watch));
    match found {
        Ok(Some(period)) => Ok(Heaps { of: certified.of.clone(), period }),
        _ => Err(Reason::Failed(format!("the period of {} was not found again", certified.code))),
    }
}
