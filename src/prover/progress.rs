//! What proofs are made with: what was proved so far, and what is learnt on the way.

use crate::answer::{Finding, Kind, Verdict};
use crate::claims::File;
use crate::model::{GameId, Program};
use crate::prover::effort::Effort;
use crate::prover::facts::{Certified, Claimed, Fact, same};
use crate::prover::induction::{Known, Proof, prove};
use crate::prover::periods::heaps::Heaps;
use crate::prover::proof_log::ProofLog;
use crate::prover::symbol::{No, Sym};
use crate::prover::theorems;
use crate::source::text::Span;
use crate::value::Value;
use crate::vm::context::Context;
use grundy_automata::Limit;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;
use std::time::Instant;

/// What proofs are made with, and what was proved so far.
pub(super) struct Prover<'a, 'p> {
    pub(super) ctx: &'a mut Context,
    pub(super) program: &'p Program,
    pub(super) known: Known<'p>,
    pub(super) effort: Effort,
    pub(super) heaps: Heaps,
    /// Whether closed forms may be learnt from periods.
    pub(super) learns: bool,
    /// Whether one was missed since this was last said to be false.
    pub(super) misses: bool,
    /// What a short search found of the theorems of these games.
    looked: HashMap<GameId, Vec<Finding>>,
}

impl<'a, 'p> Prover<'a, 'p> {
    /// Nothing is proved so far.
    pub(super) fn new(ctx: &'a mut Context, program: &'p Program, effort: Effort) -> Prover<'a, 'p> {
        Prover {
            ctx,
            program,
            known: Rc::default(),
            effort,
            heaps: Heaps::new(effort.heaps),
            learns: true,
            misses: false,
            looked: HashMap::new(),
        }
    }

    /// What a short search has against a theorem: a counterexample, or that it has no value somewhere, and then it is UNKNOWN.
    pub(super) fn against(&mut self, file: File<'_>, game: GameId, span: Span) -> Option<Finding> {
        let (ctx, effort) = (&mut *self.ctx, self.effort);
        let look = || crate::claims::looked(ctx, effort.time, effort.instances, file, game);
        let seen = self.looked.entry(game).or_insert_with(look);
        let mut seen = seen.iter().find(|finding| finding.span == span)?.clone();
        match &seen.verdict {
            Ok(Verdict::Refuted) => Some(seen),
            Err(error) if !error.code.is_limit() => {
                seen.verdict = Ok(Verdict::Unknown { limit: error.message.clone() });
                Some(seen)
            }
            _ => None,
        }
    }

    /// Tries to prove a closed form by induction.
    pub(super) fn proved(&mut self, fact: &Rc<Fact<'p>>, which: &str, desk: &ProofLog) -> Proof {
        loop {
            match prove(self.program, &self.known, fact, which.to_string(), desk) {
                Proof::Open(no) if self.learnt(&no, &desk.limit) => {}
                Proof::Proved { system, statements, largest, notes } => {
                    self.rests_on(&notes, desk);
                    return Proof::Proved { system, statements, largest, notes };
                }
                proof => return proof,
            }
        }
    }

    /// Keeps the certified periods that a proof rests on.
    pub(super) fn rests_on(&self, notes: &BTreeSet<Rc<str>>, desk: &ProofLog) {
        for fact in self.known.iter() {
            if let Claimed::Word(word) = &fact.claimed
                && let Some(heaps) = &word.heaps
                && notes.contains(&heaps.text)
            {
                desk.heaps(heaps);
            }
        }
    }

    /// Takes up all theorems of the file that can be proved, half of the time for all of them.
    pub(super) fn take_theorems(&mut self, desk: &ProofLog) {
        let start = Instant::now();
        let until = desk.limit.deadline.map(|at| start + at.saturating_duration_since(start) / 2);
        let limit = Limit { deadline: until, ..desk.limit.clone() };
        for (id, game) in self.program.games.iter().enumerate() {
            for index in 0..game.theorems.len() {
                let mut finding = Finding::new("", Kind::Theorem, String::new(), game.span);
                // One that is not proved is of no use here.
                let _ = theorems::cases(self, GameId(id), index, &ProofLog::new(limit.clone(), false), &mut finding);
            }
        }
    }

    /// Whether a refusal was for want of values of a game of heaps, and these are known now.
    pub(super) fn learnt(&mut self, no: &No, limit: &Limit) -> bool {
        self.misses |= no.wanted.is_some();
        self.learns && no.wanted.as_deref().is_some_and(|(game, params)| self.learn(*game, params, limit))
    }

    /// Takes up the values of a game of heaps with a certified period; `false`: there is none, or it is too long.
    pub(super) fn learn(&mut self, game: GameId, params: &[Sym], limit: &Limit) -> bool {
        let again = |fact: &&Rc<Fact<'p>>| fact.game == game && same(&fact.params, params) && fact.is_heap();
        if self.known.iter().any(|fact| again(&fact)) {
            return false;
        }
        let Some(values) = params.iter().map(Sym::known).collect::<Option<Vec<Value>>>() else { return false };
        let Ok(heap) = self.heaps.of_game(self.ctx, game, &values, limit) else { return false };
        let Ok(word) = self.heaps.word(&heap, limit) else { return false };
        let shown: Vec<String> = values.iter().map(Value::inner_text).collect();
        let shown = if shown.is_empty() { String::new() } else { format!("[{}]", shown.join(", ")) };
        let heaps = Certified {
            of: format!("{}{shown}", self.program.games[game.0].name),
            code: heap.code.clone(),
            automaton: word,
            text: heap.text.as_str().into(),
        };
        let fact = Fact::of_heap(self.program, game, params.to_vec(), heaps);
        Rc::make_mut(&mut self.known).push(Rc::new(fact));
        true
    }
}
