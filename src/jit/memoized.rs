//! Runs of instructions on values that make a word of a few words and of nothing else: a question about another game, a
//! definition that calls itself, words about numbers, lists, texts that are no machine words. They are memoized in a
//! table that native code reads. So are lists and sets of ints that a loop goes through: of these the address.
//!
//! Entries of words that differ in their last bits alone stand side by side, as they are met one after the other.
//! What a dense table of another game answers is copied from it, a few hundred states at a time, to where native code
//! finds it by the state alone ([`AnswerBox`]).
//!
//! For *asks another game* of `benches/rivals`: 30 times the speed of a call each time by entries, 60 times by answers
//! of a dense table. For *divisors*: three times the speed of a call for each member. What `EngineOptions::plain` turns off is native code as a whole.

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
    pub(crate) result: Made,
    /// Where its entries begin in the table: each is one more than all words together, and their result.
    pub(crate) offset: usize,
    /// Each word is one of so many bits, or the result is not kept.
    pub(crate) bits: u32,
    /// Bits of the number of an entry. Later words take the entry of others.
    pub(crate) entry_bits: u32,
    /// Of a question: where its [`AnswerBox`] stands among the numbers of those of all runs.
    pub(crate) answers: Option<usize>,
}

/// What such a run makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Made {
    /// The word in this register.
    Word(Reg),
    /// The collection in this register for values, of which a loop takes the ints, so many for each member.
    Ints(Reg, u8),
}

/// The answers to a question by its words alone, as numbers that native code reads: the address of the answers, then for
/// each word how many values it has, then what a step of each is worth. An answer has two bytes and is one less than they
/// say; 0: not known here. While there are none the address is 0.
#[derive(Debug, Default)]
pub(crate) struct AnswerBox {
    pub(crate) answers: Vec<u16>,
    /// By word.
    pub(crate) sizes: Vec<u64>,
}

impl AnswerBox {
    /// So many answers at most: two bytes each.
    const LARGEST: u64 = 1 << 27;

    /// So many neighbours are entered together.
    pub(crate) const TOGETHER: usize = 256;

    /// Nothing known yet of words with so many values each; `None`: too many, or more than there is `room` for, in bytes.
    pub(crate) fn new(sizes: Vec<u64>, room: u64) -> Option<AnswerBox> {
        let cells = sizes.iter().try_fold(1u64, |cells, &size| cells.checked_mul(size))?;
        (cells <= AnswerBox::LARGEST && cells * 2 <= room)
            .then(|| AnswerBox { answers: vec![0; width::index(cells)], sizes })
    }

    /// What a step of each word is worth.
    pub(crate) fn strides(&self) -> Vec<u64> {
        let mut stride = 1;
        let mut strides: Vec<u64> = Vec::new();
        for size in self.sizes.iter().rev() {
            strides.push(stride);
            stride *= size;
        }
        strides.reverse();
        strides
    }

    /// The place of the answer for these words; `None`: outside.
    pub(crate) fn place(&self, words: &[i64]) -> Option<usize> {
        let mut place = 0;
        for (&word, &size) in words.iter().zip(&self.sizes) {
            place = place * size + u64::try_from(word).ok().filter(|&word| word < size)?;
        }
        Some(width::index(place)).filter(|&place| place < self.answers.len())
    }
}

/// A question about one component whose fields are ints.
#[derive(Clone, Debug)]
pub(crate) struct StateQuestion {
    pub(crate) word: Builtin,
    pub(crate) instance: InstanceId,
    /// A word of the run, by its index, or a constant, for each field.
    pub(crate) fields: Vec<Result<usize, i64>>,
}

impl StateQuestion {
    /// The field that this word is, if it is one alone.
    pub(crate) fn field_of(&self, word: usize) -> Option<usize> {
        let mut fields = (0..self.fields.len()).filter(|&field| self.fields[field] == Ok(word));
        fields.next().filter(|_| fields.next().is_none())
    }

    /// How many naturals each of these words can be where each field can be so many.
    pub(crate) fn word_sizes(&self, words: &[i64], sizes: &[u64]) -> Vec<u64> {
        let size = |word| {
            let fields = self.fields.iter().zip(sizes).filter(|(field, _)| **field == Ok(word));
            fields.map(|(_, &size)| size).min().unwrap_or(1)
        };
        (0..words.len()).map(size).collect()
    }
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

/// Such runs in code, how long their table is, and how many numbers their [`AnswerBox`]es have.
pub(crate) fn memoized_runs(code: &Code, effects: &[Effects]) -> (Vec<Memoized>, usize, usize) {
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
    let (mut size, mut numbers) = (0, 0);
    for run in &mut found {
        (run.offset, run.entry_bits) = (size, each);
        size += 2 << each;
        if run.question(code).is_some() {
            run.answers = Some(numbers);
            numbers += 1 + 2 * run.words.len();
        }
    }
    (found, size, numbers)
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
    let result = match code.ops[last] {
        Op::Unbox { d, .. } | Op::UnboxValue { d, .. } | Op::Compare { d, .. } | Op::IndexInt { d, .. } => {
            Made::Word(d)
        }
        Op::Members { d, .. } if read[usize::from(d)] == 1 => Made::Ints(d, width_of(code, d)?),
        _ => return None,
    };
    let mut wanted: Vec<Reg> = of(last)?.reads.clone();
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
    Some(Memoized { words, steps, result, offset: 0, bits, entry_bits: 0, answers: None })
}

/// How many ints each member in this register is, if a loop goes through them as such.
fn width_of(code: &Code, members: Reg) -> Option<u8> {
    code.ops.iter().find_map(|op| match *op {
        Op::IntsNext { width, items, .. } if items == members => Some(width),
        _ => None,
    })
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
