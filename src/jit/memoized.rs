//! Runs of instructions on values that make a word of a few words and of nothing else: a question about another game, a
//! definition that calls itself, words about numbers, lists, texts that are no machine words. They are memoized in a
//! table that native code reads.
//!
//! Entries of words that differ in their last bits alone stand side by side, as they are met one after the other. Of a
//! question about a component of ints all those are entered together, once a second of them is asked.
//!
//! For *asks another game* of `benches/rivals`: 30 times the speed of a call each time. What `EngineOptions::plain`
//! turns off is native code as a whole.

use crate::bytecode::{Code, Effects, InstanceId, Next, Op, Reg, WordType};
use crate::model::Builtin;
use crate::value::{Value, width};

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

/// A question about one component whose fields are ints.
#[derive(Clone, Debug)]
pub(crate) struct StateQuestion {
    pub(crate) word: Builtin,
    pub(crate) instance: InstanceId,
    /// A word of the run, by its index, or a constant, for each field.
    pub(crate) fields: Vec<Result<usize, i64>>,
}

/// So many last bits of all words together choose among entries side by side.
const NEAR: u32 = 6;

/// What spreads the other bits.
pub(crate) const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

impl Memoized {
    /// The place of the instruction that writes the result.
    pub(crate) fn last(&self) -> usize {
        self.steps.last().copied().unwrap_or_default()
    }

    /// So many last bits of each word choose among entries side by side.
    pub(crate) fn near_bits(&self) -> u32 {
        NEAR / width::short(self.words.len()).max(1)
    }

    /// The bits of all words together but for those.
    pub(crate) fn far_mask(&self) -> u64 {
        let near = (1 << self.near_bits()) - 1;
        (0..width::short(self.words.len())).fold(!0, |far, i| far & !(near << (self.bits * i)))
    }

    /// One more than these words together, and the place of their entry in the table; `None`: they are not kept. Native
    /// code finds entries in the same way.
    pub(super) fn entry(&self, words: &[i64]) -> Option<(u64, usize)> {
        let near = self.near_bits();
        let (mut key, mut side) = (0, 0);
        for (i, word) in (0..).zip(words) {
            let word = word.cast_unsigned();
            if self.bits < u64::BITS && word >> self.bits != 0 {
                return None;
            }
            key |= word << (self.bits * i);
            side |= (word & ((1 << near) - 1)) << (near * i);
        }
        let far = (key & self.far_mask()).wrapping_mul(FACTOR) >> (u64::BITS - self.entry_bits);
        let entry = far >> (near * width::short(words.len())) << (near * width::short(words.len())) | side;
        let tag = key.wrapping_add(1);
        (tag != 0).then(|| (tag, self.offset + 2 * width::index(entry)))
    }

    /// The question that the run is.
    pub(super) fn question(&self, code: &Code) -> Option<StateQuestion> {
        let (mut fields, mut places, mut asked) = (Vec::new(), Vec::new(), None);
        for &step in &self.steps {
            match code.ops[step] {
                Op::Box { d, a, word_type: WordType::Int } => {
                    fields.push((d, Ok(self.words.iter().position(|word| *word == a)?)));
                }
                Op::Value { d, k } => {
                    let Value::Int(n) = code.constants[usize::from(k)] else { return None };
                    fields.push((d, Err(n)));
                }
                Op::Place { spec } => places.push(&code.places[usize::from(spec)]),
                Op::Ask { word, d, a } => {
                    let [place] = &places[..] else { return None };
                    let of = |reg: &Option<Reg>| Some(fields.iter().find(|(d, _)| Some(*d) == *reg)?.1);
                    let fields = place.fields.iter().map(of).collect::<Option<Vec<_>>>()?;
                    let question = StateQuestion { word, instance: place.instance?, fields };
                    asked = (place.d == a).then_some((d, question));
                }
                Op::Unbox { a, .. } | Op::UnboxValue { a, .. } => return Some(asked.filter(|(d, _)| *d == a)?.1),
                _ => return None,
            }
        }
        None
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
fn reads(code: &Code, effects: &[Effects]) -> Vec<u32> {
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
    let result =
        matches!(code.ops[last], Op::Unbox { .. } | Op::UnboxValue { .. } | Op::Compare { .. } | Op::IndexInt { .. });
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
