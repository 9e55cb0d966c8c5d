//! Judging what a file states: claims, theorems, `same as` and `expect` lines, always by the rules themselves.
//!
//! Nothing here is ever `PROVED`: a finite search ends in `VERIFIED`, with the bound that was reached.
//!
//! In: the statements of a file and a budget. Out: findings: VERIFIED up to a bound, REFUTED with a smallest
//! counterexample and a line of play, or why neither. Theorems are compared with answers in which theorems are not
//! used, so that nothing is its own witness.

mod budget;
mod claim_sweep;
pub(crate) mod condition;
mod counterexample;
mod domain;
mod expect;
mod positions;
pub(crate) mod replay;
mod same;
mod theorem;

use crate::answer::Finding;
pub use crate::claims::budget::Budget;
use crate::claims::budget::Clock;
pub(crate) use crate::claims::budget::{PositionCount, within};
pub(crate) use crate::claims::claim_sweep::{LOOK, whole};
use crate::model::{Claim, Fact, Frame, GameId, Question, Term};
use crate::source::text::{SourceId, Sources, Span};
use crate::vm::context::Context;
use std::time::Duration;

/// A short look at the theorems of one game, by the rules themselves: a finding each.
///
/// It takes half a second and 3000 positions, or fewer; without a limit of time (`None`) only positions count.
pub(crate) fn looked(
    ctx: &mut Context,
    time: Option<Duration>,
    positions: u64,
    file: File<'_>,
    game: GameId,
) -> Vec<Finding> {
    let time = time.map_or(Duration::MAX, |_| Duration::from_millis(500));
    let budget = Budget { time, instances: positions.min(3000) };
    theorem::theorems(ctx, &mut Clock::new(&budget, 1), file, game)
}

/// Something to judge.
enum Job<'p> {
    Claim(&'p Claim),
    Expect { frame: &'p Frame, position: &'p Term, facts: &'p [Fact] },
    Theorems(GameId),
    Same(GameId),
}

/// The file that is judged: its texts, and which of them is the file itself.
#[derive(Clone, Copy)]
pub struct File<'s> {
    /// All sources.
    pub sources: &'s Sources,
    /// The file's own source: games of other sources are not judged.
    pub own: SourceId,
}

impl File<'_> {
    /// The file's name.
    pub(crate) fn name(&self) -> &str {
        &self.sources.get(self.own).name
    }

    /// The statement at a place on one line, without the word in front.
    pub(crate) fn statement(&self, span: Span, word: &str) -> String {
        /// Longer statements are cut.
        const SHOWN: usize = 100;
        let text: Vec<&str> =
            self.sources.slice(span).lines().map(without_remark).flat_map(str::split_whitespace).collect();
        let text = text.join(" ");
        let text = text.strip_prefix(word).unwrap_or(&text).trim();
        if text.chars().count() <= SHOWN {
            return text.to_string();
        }
        text.chars().take(SHOWN - 3).chain("...".chars()).collect()
    }
}

/// A line up to its remark; a `#` inside quotes begins none.
fn without_remark(line: &str) -> &str {
    let mut quoted = false;
    for (at, c) in line.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '#' if !quoted => return &line[..at],
            _ => {}
        }
    }
    line
}

/// Judges every statement of the file in the order written and hands each finding to `tell` as it comes; all theorems of a
/// game come together. The time of the budget is shared fairly among what is still to be judged.
///
/// The limits of `ctx` hold besides; its hook must search and take no theorem on trust, as [`crate::engines::ask`] does.
/// When the user interrupts, what is left is UNKNOWN.
pub fn check(ctx: &mut Context, budget: &Budget, file: File<'_>, tell: &mut dyn FnMut(Finding)) {
    let program = ctx.session.program.clone();
    let mut jobs: Vec<(Span, usize, Job<'_>)> = Vec::new();
    for question in &program.questions {
        match question {
            Question::Claim(claim) => jobs.push((claim.span, 1, Job::Claim(claim))),
            Question::Expect { frame, position, facts, span } => {
                jobs.push((*span, 0, Job::Expect { frame, position, facts }));
            }
            Question::Solve { .. } | Question::Table { .. } => {}
        }
    }
    for (id, game) in program.games.iter().enumerate() {
        if game.span.source != file.own {
            continue;
        }
        if let Some(first) = game.theorems.first() {
            jobs.push((first.span, 1, Job::Theorems(GameId(id))));
        }
        if let Some(first) = game.same.first() {
            jobs.push((first.span, 1, Job::Same(GameId(id))));
        }
    }
    jobs.sort_by_key(|(span, ..)| (span.source != file.own, span.source, span.start));
    ctx.limits.budget = Some(budget.time);
    let mut clock = Clock::new(budget, jobs.iter().map(|(_, weight, _)| weight).sum());
    for (span, _, job) in jobs {
        match job {
            Job::Claim(claim) => tell(claim_sweep::claim(ctx, &mut clock, file, claim)),
            Job::Expect { frame, position, facts } => tell(expect::expect(ctx, file, frame, position, facts, span)),
            Job::Theorems(game) => theorem::theorems(ctx, &mut clock, file, game).into_iter().for_each(&mut *tell),
            Job::Same(game) => same::same(ctx, &mut clock, file, game).into_iter().for_each(&mut *tell),
        }
    }
    ctx.limits.budget = None;
}
