//! Questions whose answer depends on a few words alone: about a component made just before, or of a definition that calls
//! itself. Their answers are kept in a table that native code reads.
//!
//! For *asks another game* of `benches/rivals`: 15 times the speed of a call for each question. What `EngineOptions::plain`
//! turns off is native code as a whole.

use crate::bytecode::{Code, Effects, Next, Op, Reg};
use crate::value::width;

/// Instructions that make the values of some words, ask, and take the answer as a word.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    /// The registers of these words.
    pub(crate) words: Vec<Reg>,
    /// The instructions, in order; the last one writes the answer.
    pub(crate) steps: Vec<usize>,
    /// The register of the answer.
    pub(crate) d: Reg,
    /// Where its entries begin in the table.
    pub(crate) offset: usize,
    /// Each word is one of so many bits, or the answer is not kept.
    pub(crate) bits: u32,
}

/// Bits of the number of an entry: one more than all words together, and their answer. Later words take the entry of others.
pub(crate) const ENTRY_BITS: u32 = 18;

/// The questions of code, each with the place of the instruction before its last one; and the length of their table.
pub(crate) fn questions(code: &Code, effects: &[Effects]) -> (Vec<(usize, Question)>, usize) {
    let (mut found, mut size) = (Vec::new(), 0);
    if !code.ops.iter().any(|op| matches!(op, Op::Ask { .. } | Op::Invoke { .. })) {
        return (found, size);
    }
    let mut leaders = vec![false; code.ops.len() + 1];
    let mut read = vec![0u32; code.values];
    for effect in effects {
        if let Next::Fork(to) | Next::Away(to) | Next::Force(to) = effect.next {
            leaders[to as usize] = true;
        }
        effect.values.iter().flat_map(|values| &values.reads).for_each(|&reg| read[usize::from(reg)] += 1);
    }
    let once = |reg: Reg| read[usize::from(reg)] == 1;
    for at in 1..code.ops.len().saturating_sub(1) {
        let (answer, args, begin): (Reg, Vec<Reg>, usize) = match (code.ops[at], code.ops[at - 1]) {
            (Op::Ask { a, d, .. }, Op::Place { spec }) if code.places[usize::from(spec)].d == a => {
                (d, code.places[usize::from(spec)].registers().collect(), at - 1)
            }
            (Op::Invoke { spec }, _) => {
                let spec = &code.invokes[usize::from(spec)];
                (spec.d, spec.args.iter().flatten().copied().collect(), at)
            }
            _ => continue,
        };
        // Its answer is taken as a word, once, a little later.
        let mut later = (at + 1..code.ops.len()).take_while(|&later| !leaders[later]);
        let reads = |at: usize| effects[at].values.as_ref().is_some_and(|values| values.reads.contains(&answer));
        let Some(last) = later.find(|&later| reads(later)).filter(|_| once(answer)) else { continue };
        let (Op::Unbox { d, .. } | Op::UnboxValue { d, .. }) = code.ops[last] else { continue };
        let meant = |effect: &Effects| effect.reads.contains(&d) || effect.writes.contains(&d);
        if leaders[begin + 1..=at].contains(&true) || effects[at + 1..last].iter().any(meant) {
            continue;
        }
        let Some(parts) = args.iter().map(|&reg| made(code, effects, &leaders, begin, reg)).collect::<Option<Vec<_>>>()
        else {
            continue;
        };
        let words: Vec<Reg> = parts.iter().filter_map(|(_, word)| *word).collect();
        let mut steps: Vec<usize> = parts.iter().map(|(step, _)| *step).collect();
        steps.sort_unstable();
        steps.extend((begin..=at).chain([last]));
        let Some(bits) = u64::BITS.checked_div(width::short(words.len())) else { continue };
        if !args.iter().all(|&reg| once(reg)) {
            continue;
        }
        found.push((at, Question { words, steps, d, offset: size, bits }));
        size += 2 << ENTRY_BITS;
    }
    (found, size)
}

/// The instruction that makes a value just before `begin`, of a word that still is what it was, or always the same.
fn made(code: &Code, effects: &[Effects], leaders: &[bool], begin: usize, reg: Reg) -> Option<(usize, Option<Reg>)> {
    let writes = |at: usize, reg: Reg| effects[at].values.as_ref().is_some_and(|values| values.write == Some(reg));
    let at = (0..begin).rev().take_while(|&at| !leaders[at + 1]).find(|&at| writes(at, reg))?;
    match code.ops[at] {
        Op::Value { .. } => Some((at, None)),
        Op::Box { a, .. } => {
            let same = effects[at + 1..begin].iter().all(|effect| !effect.writes.contains(&a));
            same.then_some((at, Some(a)))
        }
        _ => None,
    }
}
