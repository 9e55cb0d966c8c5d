//! The numbers that were drawn on the way to a random case: kept, so that a case can be made again from smaller ones.
//!
//! A case that a program answers wrongly is made small by making its choices small, so that whatever the clauses of a `cases` line ask
//! for holds again. Source: "Test-Case Reduction via Test-Case Generation", ECOOP 2020, the tool Hypothesis.

use fastrand::Rng;

/// Where choices come from, and which were made.
pub struct Choices<'r> {
    /// At random, or these again.
    from: From<'r>,
    made: Vec<u64>,
}

enum From<'r> {
    Random(&'r mut Rng),
    Given(&'r [u64]),
}

impl<'r> Choices<'r> {
    /// At random.
    pub fn random(rng: &'r mut Rng) -> Self {
        Choices { from: From::Random(rng), made: Vec::new() }
    }

    /// These in their order, then zeros.
    pub fn again(given: &'r [u64]) -> Self {
        Choices { from: From::Given(given), made: Vec::new() }
    }

    /// Whether another attempt can be another case.
    pub(super) fn is_random(&self) -> bool {
        matches!(self.from, From::Random(_))
    }

    /// Forgets what was chosen: a case is begun anew.
    pub(super) fn begin(&mut self) {
        self.made.clear();
    }

    /// A number from 0 to `most`; `draw` chooses it where it is chosen at random.
    pub(super) fn choose(&mut self, most: u64, draw: impl FnOnce(&mut Rng) -> u64) -> u64 {
        let chosen = match &mut self.from {
            From::Random(rng) => draw(rng),
            From::Given(given) => given.get(self.made.len()).copied().unwrap_or(0),
        };
        let chosen = chosen.min(most);
        self.made.push(chosen);
        chosen
    }

    /// As [`Choices::choose`], and at random one time in eight the same as before or next to it: programs go wrong where numbers are
    /// equal, and at random large ones never are.
    pub(super) fn choose_near(&mut self, most: u64, draw: impl FnOnce(&mut Rng) -> u64) -> u64 {
        let near = match &mut self.from {
            From::Random(rng) => rng.choice(&self.made).filter(|_| rng.u8(0..8) == 0).map(|before| {
                let near = [*before, *before, before.saturating_add(1), before.saturating_sub(1)];
                near[rng.usize(0..near.len())]
            }),
            From::Given(_) => None,
        };
        self.choose(most, |rng| near.filter(|near| *near <= most).unwrap_or_else(|| draw(rng)))
    }

    /// A number from 0 to `most`, each as often.
    pub fn up_to(&mut self, most: u64) -> u64 {
        self.choose(most, |rng| rng.u64(0..=most))
    }

    /// What was chosen.
    pub fn made(self) -> Vec<u64> {
        self.made
    }
}

/// Makes choices smaller for as long as `holds` says of one of the next smaller ones that what is looked for still holds of their case:
/// then it gives the choices that this case was made of. It ends where no step leads on, or `holds` gives an error.
///
/// Steps: a choice lowered (to 0, to its half, by 1), some lowered together, one lowered and others left out behind it (an item
/// of a list and its length), and two of a sum moved towards the first.
pub fn lower<E>(mut choices: Vec<u64>, holds: &mut impl FnMut(&[u64]) -> Result<Option<Vec<u64>>, E>) -> Result<(), E> {
    loop {
        let before = choices.clone();
        for step in [shorten, lower_each, lower_together, shift] {
            step(&mut choices, holds)?;
        }
        if choices == before {
            return Ok(());
        }
    }
}

type Holds<'h, E> = &'h mut dyn FnMut(&[u64]) -> Result<Option<Vec<u64>>, E>;

/// Whether these are smaller and do; then they are the choices.
fn take<E>(choices: &mut Vec<u64>, smaller: &[u64], holds: Holds<'_, E>) -> Result<bool, E> {
    let found = holds(smaller)?;
    Ok(match found {
        // Shorter, or smaller at the first place where they differ: no step leads back.
        Some(found) if (found.len(), &found) < (choices.len(), choices) => {
            *choices = found;
            true
        }
        _ => false,
    })
}

/// A choice is lowered, and as many others behind it are left out as then are not asked for: an item of a list goes with its length, or
/// is added to its neighbour.
fn shorten<E>(choices: &mut Vec<u64>, holds: Holds<'_, E>) -> Result<(), E> {
    let mut at = 0;
    while at < choices.len() {
        let mut by = choices[at];
        while by > 0 && at < choices.len() {
            by = by.min(choices[at]);
            let taken = shorten_by(choices, at, by, holds)?;
            by = if taken { by } else { by / 2 };
            by = by.min(choices.get(at).copied().unwrap_or(0));
        }
        at += 1;
    }
    Ok(())
}

fn shorten_by<E>(choices: &mut Vec<u64>, at: usize, by: u64, holds: Holds<'_, E>) -> Result<bool, E> {
    /// So many items at most go together with a length that is lowered by 1.
    const WINDOW: usize = 4;
    /// Longer ones are shortened from their end alone.
    const LONG: usize = 256;

    let mut fewer = choices.clone();
    fewer[at] -= by;
    if take(choices, &fewer, holds)? {
        return Ok(true);
    }
    if by > 64 || choices.len() > LONG {
        return Ok(false);
    }
    let by = usize::try_from(by).unwrap_or(WINDOW);
    for each in 1..=WINDOW {
        let window = by * each;
        for from in at + 1..=choices.len().saturating_sub(window) {
            let mut fewer = choices.clone();
            fewer[at] -= by as u64;
            let left_out: Vec<u64> = fewer.drain(from..from + window).collect();
            if take(choices, &fewer, holds)? {
                return Ok(true);
            }
            // What is left of a sum is the other item's.
            let place = if from > at + 1 { from - 1 } else { from };
            if let ([item], Some(&kept)) = (&left_out[..], fewer.get(place)) {
                // Numbers from 0, then numbers from 1.
                for all in [kept.saturating_add(*item), kept.saturating_add(*item).saturating_add(1)] {
                    fewer[place] = all;
                    if take(choices, &fewer, holds)? {
                        return Ok(true);
                    }
                }
            }
        }
        if by > 1 {
            break;
        }
    }
    Ok(false)
}

/// Each choice as small as it can be alone.
fn lower_each<E>(choices: &mut Vec<u64>, holds: Holds<'_, E>) -> Result<(), E> {
    let mut at = 0;
    while at < choices.len() {
        lower_these(choices, &[at], holds)?;
        at += 1;
    }
    Ok(())
}

/// Choices that are equal, and any two that are near each other, lowered together.
fn lower_together<E>(choices: &mut Vec<u64>, holds: Holds<'_, E>) -> Result<(), E> {
    /// So far from each other two may be.
    const NEAR: usize = 6;

    let mut values = choices.clone();
    values.sort_unstable();
    values.dedup();
    for value in values {
        let places: Vec<usize> = (0..choices.len()).filter(|at| choices[*at] == value).collect();
        if places.len() > 2 {
            lower_these(choices, &places, holds)?;
        }
    }
    let mut first = 0;
    while first < choices.len() {
        for second in first + 1..=first + NEAR {
            if second < choices.len() {
                lower_these(choices, &[first, second], holds)?;
            }
        }
        first += 1;
    }
    Ok(())
}

/// Lowers what stands at these places by as much: until the smallest of them is 0, by steps that halve.
fn lower_these<E>(choices: &mut Vec<u64>, places: &[usize], holds: Holds<'_, E>) -> Result<(), E> {
    let least = |choices: &[u64]| places.iter().filter_map(|at| choices.get(*at)).min().copied().unwrap_or(0);
    let mut by = least(choices);
    while by > 0 {
        let mut smaller = choices.clone();
        for at in places {
            smaller[*at] -= by;
        }
        let length = choices.len();
        if !take(choices, &smaller, holds)? {
            by /= 2;
        } else if choices.len() != length {
            return Ok(());
        }
        by = by.min(least(choices));
    }
    Ok(())
}

/// Of two neighbours the first is lowered and the second raised by as much, or by 1 each.
fn shift<E>(choices: &mut Vec<u64>, holds: Holds<'_, E>) -> Result<(), E> {
    let mut at = 0;
    while at + 1 < choices.len() {
        for by in [choices[at], 1] {
            if by > 0 && choices[at] >= by {
                let mut other = choices.clone();
                other[at] -= by;
                other[at + 1] = other[at + 1].saturating_add(by);
                take(choices, &other, holds)?;
                if at + 1 >= choices.len() {
                    return Ok(());
                }
            }
        }
        at += 1;
    }
    Ok(())
}
