//! The values of a game as far as they were computed, with the period once it is proved.

use crate::all_but::AllBut;
use crate::game::Game;
use crate::instructions::Instructions;
use crate::naive::Naive;
use crate::period::{Found, Period, find};
use crate::sparse::Sparse;
use crate::subtraction::Subtraction;
use crate::{Halt, Watch};
use num_bigint::BigInt;

/// A game with its values from heap 0 on.
#[derive(Clone, Debug)]
pub struct Sequence {
    game: Game,
    values: Vec<u16>,
    engine: Engine,
    period: Option<Period>,
    /// How many values there were when a period was looked for the last time.
    looked: usize,
}

#[derive(Clone, Debug)]
enum Engine {
    Naive(Box<Naive>),
    Sparse(Box<Sparse>),
    Subtraction(Subtraction),
    AllBut(AllBut),
}

/// A period is looked for when so many values are there, and again whenever their number has grown by half.
const FIRST_LOOK: usize = 512;

impl Sequence {
    /// The game with no value computed yet.
    pub fn new(game: Game) -> Sequence {
        Sequence::resumed(game, Vec::new())
    }

    /// The game with values that were computed before.
    pub fn resumed(game: Game, values: Vec<u16>) -> Sequence {
        Sequence::with(game, values, Instructions::best())
    }

    /// The same by some instructions only.
    pub fn with(game: Game, values: Vec<u16>, set: Instructions) -> Sequence {
        let engine = match &game {
            Game::Code(code) => match Sparse::new(code, set) {
                Some(sparse) => Engine::Sparse(Box::new(sparse)),
                None => Engine::Naive(Box::new(Naive::new(game.clone()))),
            },
            Game::Subtraction(amounts) => Engine::Subtraction(Subtraction::new(amounts, set)),
            Game::AllBut(amounts) => Engine::AllBut(AllBut::new(amounts)),
            Game::Lasker => Engine::Naive(Box::new(Naive::new(Game::Lasker))),
        };
        // The engine of all-but games finds its period on the way: it starts anew, which costs little.
        let values = if matches!(engine, Engine::AllBut(_)) { Vec::new() } else { values };
        Sequence { game, values, engine, period: None, looked: 0 }
    }

    /// Lets the engine use so many threads, where they help; values do not depend on it.
    pub fn use_threads(&mut self, threads: usize) {
        if let Engine::Sparse(sparse) = &mut self.engine {
            sparse.use_threads(threads);
        }
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The values computed so far, from heap 0 on.
    pub fn values(&self) -> &[u16] {
        &self.values
    }

    /// The period, if one is proved, or observed where no theorem can prove one.
    pub fn period(&self) -> Option<Period> {
        self.period
    }

    /// How many heaps are rare for the engine of the sparse space.
    pub fn rare(&self) -> Option<usize> {
        if let Engine::Sparse(sparse) = &self.engine { Some(sparse.rare()) } else { None }
    }

    /// Computes at least `len` values, whether there is a period or not; a proved one makes it a copy. After an error,
    /// being told to stop or a value that does not fit, what was computed stays.
    pub fn extend(&mut self, len: usize, watch: Watch<'_>) -> Result<(), Halt> {
        if self.values.len() >= len {
            return Ok(());
        }
        if let Some(period) = self.period.filter(|period| period.proof.is_some()) {
            return self.copy(period, len, watch);
        }
        match &mut self.engine {
            Engine::Naive(naive) => naive.extend(&mut self.values, len, watch),
            Engine::Sparse(sparse) => sparse.extend(&mut self.values, len, watch),
            Engine::Subtraction(subtraction) => subtraction.extend(&mut self.values, len, watch),
            Engine::AllBut(all_but) => {
                self.period = all_but.extend(&mut self.values, len, watch)?;
                self.period.map_or(Ok(()), |period| self.copy(period, len, watch))
            }
        }
    }

    /// Computes until a period is proved, or `len` values are there; errors as for [`Sequence::extend`].
    pub fn search(&mut self, len: usize, watch: Watch<'_>) -> Result<(), Halt> {
        let proved = |period: Option<Period>| period.is_some_and(|period| period.proof.is_some());
        let mut promised = usize::MAX;
        while !proved(self.period) && (self.values.len() < len || self.looked < self.values.len()) {
            let next = (self.looked + self.looked / 2).max(FIRST_LOOK).min(promised);
            self.extend(next.min(len), watch)?;
            if !proved(self.period) {
                self.looked = self.values.len();
                (self.period, promised) = match find(&self.game, &self.values) {
                    Found::Period(period) => (Some(period), usize::MAX),
                    Found::Promising(needed) => (None, needed),
                    Found::Nothing => (None, usize::MAX),
                };
            }
        }
        Ok(())
    }

    /// The value of a heap that was computed, or of any heap once a period is proved.
    pub fn value(&self, heap: u64) -> Option<u64> {
        if let Some(value) = usize::try_from(heap).ok().and_then(|heap| self.values.get(heap)) {
            return Some(u64::from(*value));
        }
        let period = self.period.filter(|period| period.proof.is_some())?;
        let (start, length) = (period.start as u64, period.length as u64);
        let past = heap - start;
        let place = usize::try_from(start + past % length).ok()?;
        let rounds = (past / length).checked_mul(period.saltus as u64)?;
        rounds.checked_add(u64::from(*self.values.get(place)?))
    }

    /// The same for a heap of any size that was not computed, once a period is proved.
    pub fn beyond(&self, heap: &BigInt) -> Option<BigInt> {
        let period = self.period.filter(|period| period.proof.is_some())?;
        let (start, length) = (BigInt::from(period.start), BigInt::from(period.length));
        let (rounds, rest) = ((heap - &start) / &length, (heap - &start) % &length);
        let first = self.value(u64::try_from(start + rest).ok()?)?;
        Some(rounds * BigInt::from(period.saltus) + first)
    }

    /// Goes on by a proved period, in steps that double.
    fn copy(&mut self, period: Period, len: usize, watch: Watch<'_>) -> Result<(), Halt> {
        while self.values.len() < len {
            let have = self.values.len();
            // Back by whole periods, as far as the values reach.
            let back = (have - period.start) / period.length * period.length;
            let count = back.min(len - have).min(1 << 22);
            if period.saltus == 0 {
                self.values.extend_from_within(have - back..have - back + count);
            } else {
                let rise = back / period.length * period.saltus;
                for at in have..have + count {
                    self.values.push(Halt::fit(usize::from(self.values[at - back]) + rise)?);
                }
            }
            watch(&self.values)?;
        }
        Ok(())
    }
}
