//! Runs of instructions on values that make a word of a few words and of nothing else: a question about another game, a
//! definition that calls itself, words about numbers, lists, texts that are no machine words. They are memoized in a
//! table that native code reads.
//!
//! For *asks another game* of `benches/rivals`: 15 times the speed of a call each time. What `EngineOptions::plain`
//! turns off is native code as a whole.

use crate::bytecode::{Code, Effects, Next, Op, Reg};
use crate::value::width;

/// Such a run.
#[derive(Clone, Debug)]
pub(crate) struct Memoized {
    /// The registers of the words.
    pub(crate) words: Vec<Reg>,
    /// The instructions, in order; the last one writes the result.
    pub(crate) steps: Vec<usize>,
    /// The register of the result.
    pub(crate) d: Reg,
    /// Where its entries begin in the table: each is one more than all words together, and their result.
    pub(crate) offset: usize,
    /// Each word is one of so many bits, or the result is not kept.
    pub(crate) bits: u32,
    /// Bits of the number of an entry. Later words take the entry of others.
    pub(crate) entry_bits: u32,
}

impl Memoized {
    /// The place of the instruction that writes the result.
    pub(crate) fn last(&self) -> usize {
        self.steps.last().copied().unwrap_or_default()
    }
}

/// All tables together have two to the power of this entries, 16 bytes each; those that are never met take no memory.
const ALL_BITS: u32 = 20;

/// Such runs in code, and the length of their table.
pub(crate) fn memoized_runs(code: &Code, effects: &[Effects]) -> (Vec<Memoized>, usize) {
    let mut leaders = vec![false; code.ops.len() + 1];
    for effect in effects {
        if let Next::Fork(to) | Next::Away(to) | Next::Force(to) = effect.next {
            leaders[to as usize] = true;
        }
    }
    let read = reads(code, effects);
    let found = (0..code.ops.len()).filter_map(|last| run_to(code, effects, &leaders, &read, last));
    let mut found: Vec<Memoized> = found.collect();
    let each = ALL_BITS.saturating_sub(width::short(found.len()).next_power_of_two().ilog2()).clamp(6, ALL_BITS - 2);
    let mut size = 0;
    for run in &mut found {
        (run.offset, run.entry_bits) = (size, each);
        size += 2 << each;
    }
    (found, size)
}

/// How often each value register is read.
pub(crate) fn reads(code: &Code, effects: &[Effects]) -> Vec<u32> {
    let mut read = vec![0u32; code.values];
    for &reg in effects.iter().filter_map(|effect| effect.values.as_ref()).flat_map(|values| &values.reads) {
        read[usize::from(reg)] += 1;
    }
    read
}

/// The run whose result the instruction `last` writes, if there is one. `read`: how often each value is read.
fn run_to(code: &Code, effects: &[Effects], leaders: &[bool], read: &[u32], last: usize) -> Option<Memoized> {
    let of = |at: usize| effects[at].values.as_ref();
    let &[d] = &effects[last].writes[..] else { return None };
    let result = matches!(
        code.ops[last],
        Op::Unbox { .. } | Op::UnboxValue { .. } | Op::UnboxPoints { .. } | Op::Compare { .. } | Op::IndexInt { .. }
    );
    let mut wanted: Vec<Reg> = of(last).filter(|_| result)?.reads.clone();
    let mut steps = vec![last];
    let mut words = effects[last].reads.clone();
    while let Some(reg) = wanted.pop() {
        if read[usize::from(reg)] != 1 {
            return None;
        }
        let mut before = (0..last).rev().take_while(|&at| !leaders[at + 1]);
        let at = before.find(|&at| of(at).is_some_and(|values| values.write == Some(reg)))?;
        if !is_function(code.ops[at]) {
            return None;
        }
        wanted.extend(&of(at)?.reads);
        for &word in effects[at].reads.iter().filter(|_| !matches!(code.ops[at], Op::Value { .. })) {
            if effects[at + 1..last].iter().any(|effect| effect.writes.contains(&word)) {
                return None;
            }
            words.push(word);
        }
        steps.push(at);
    }
    words.sort_unstable();
    words.dedup();
    steps.sort_unstable();
    // One call is quick enough.
    let bits = u64::BITS.checked_div(width::short(words.len())).filter(|bits| *bits >= 8 && steps.len() > 1)?;
    Some(Memoized { words, steps, d, offset: 0, bits, entry_bits: 0 })
}

/// Whether what an instruction makes depends on its registers alone.
fn is_function(op: Op) -> bool {
    matches!(
        op,
        Op::Box { .. }
            | Op::Value { .. }
            | Op::Materialize { .. }
            | Op::Global { .. }
            | Op::TableValue { .. }
            | Op::Binary { .. }
            | Op::NegValue { .. }
            | Op::Call { .. }
            | Op::Index { .. }
            | Op::IndexWord { .. }
            | Op::Slice { .. }
            | Op::Update { .. }
            | Op::Part { .. }
            | Op::Enter { .. }
            | Op::Adapt { .. }
            | Op::Invoke { .. }
            | Op::Ask { .. }
            | Op::Place { .. }
            | Op::Misere { .. }
    )
}
