//! Operands of the instructions that do not fit into an instruction: how words are read, how values are put together from
//! registers, tables that were worked out when the code was made, components and moves.

use crate::bytecode::layout::NAMED;
use crate::bytecode::{InstanceId, Reg};
use crate::model::{Builtin, DefId, GameId, Kind, Slot};
use crate::syntax::tree::SetOp;
use crate::value::Value;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub(crate) struct CallSpec {
    pub(crate) word: Builtin,
    pub(crate) d: Reg,
    pub(crate) args: Box<[Reg]>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct SliceSpec {
    pub(crate) d: Reg,
    pub(crate) a: Reg,
    pub(crate) from: Option<Reg>,
    pub(crate) to: Option<Reg>,
}

#[derive(Clone, Debug)]
pub(crate) struct UpdateSpec {
    pub(crate) d: Reg,
    pub(crate) a: Reg,
    pub(crate) changes: Box<[(Reg, SetOp, Reg)]>,
}

/// Entering a declared kind. The graph terms of its vertices, in the order met, are in `graphs`.
#[derive(Clone, Debug)]
pub(crate) struct EnterSpec {
    pub(crate) kind: Kind,
    pub(crate) name: String,
    /// Value registers of the graphs of `vertex of g`, by the slot of `g`.
    pub(crate) graphs: Vec<(Slot, Reg)>,
}

/// A call of a def that is not unfolded.
#[derive(Clone, Debug)]
pub(crate) struct InvokeSpec {
    pub(crate) def: DefId,
    pub(crate) d: Reg,
    /// Parameters and fields of the owner, then arguments; `None` where the default stands.
    pub(crate) args: Box<[Option<Reg>]>,
}

/// A position made as a value.
#[derive(Clone, Debug)]
pub(crate) struct PlaceSpec {
    pub(crate) game: GameId,
    pub(crate) d: Reg,
    pub(crate) params: Option<Box<[Option<Reg>]>>,
    pub(crate) fields: Box<[Option<Reg>]>,
    /// The rule parameters when they are those of the running rules.
    pub(crate) own: Option<Arc<[Value]>>,
    /// The least int that the state may be, when it is one int and nothing else is asked of it.
    pub(crate) int_from: Option<i64>,
    /// The instance, where it is known and its states are ints of which nothing else is asked.
    pub(crate) instance: Option<InstanceId>,
}

/// A component pushed from registers, already in the form of its fields.
#[derive(Clone, Debug)]
pub(crate) struct PushSpec {
    pub(crate) instance: InstanceId,
    pub(crate) fields: Box<[FieldReg]>,
    /// The same when all fields are words.
    pub(crate) words: Option<Box<[Reg]>>,
    /// In the place of fields where running has to tell how long they are.
    pub(crate) shaped: Option<Box<ShapedPush>>,
}

/// A state some of whose members may be missing: the instance is the one for the lengths that remain.
#[derive(Clone, Debug)]
pub(crate) struct ShapedPush {
    /// The words of the state in order.
    pub(crate) pieces: Box<[Piece]>,
    /// The fields, for an instance that keeps them as values.
    pub(crate) makes: Box<[Materialize]>,
}

/// Some words of a state.
#[derive(Clone, Debug)]
pub(crate) enum Piece {
    Word(Reg),
    /// A text that the file names.
    Named(Reg),
    /// A list, text, bag or set; whether its words are to be sorted, and equal members taken once.
    Members {
        sort: bool,
        once: bool,
        members: Box<[Member]>,
    },
}

/// A member of a list, text, bag or set: its words, there when the flag's word is not 0.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) flag: Option<Reg>,
    pub(crate) words: Box<[Reg]>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum FieldReg {
    Word(Reg),
    Value(Reg),
}

#[derive(Clone, Debug)]
pub(crate) struct EmitSpec {
    pub(crate) move_index: usize,
    /// Binders that count; made only when the move is to have a name.
    pub(crate) binders: Box<[Materialize]>,
    pub(crate) again: bool,
    /// Points for the mover.
    pub(crate) gain: Option<FieldReg>,
}

/// A constant list of ints.
#[derive(Clone, Debug)]
pub(crate) struct ListTable {
    pub(crate) base: i64,
    pub(crate) items: Arc<[i64]>,
    /// What an index outside is told to be outside of.
    pub(crate) whole: Aggregate,
}

/// A native function on masks.
#[derive(Clone)]
pub(crate) struct Native(pub Arc<dyn Fn(u64) -> u64 + Send + Sync>);

/// A finite set of labels or edges whose members are numbered; up to 64 of them make a mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DomainId(pub u16);

/// How a word register is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordType {
    /// An int.
    Int,
    /// 0 or 1.
    Bool,
    /// The number of a vertex or edge.
    Member(DomainId),
    /// A set of vertices or edges.
    Mask(DomainId),
}

/// What some parts make together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aggregate {
    /// A list and the number of its first item.
    List(i64),
    Text,
    Tuple,
    /// A grid with so many columns, row by row.
    Grid(u32),
    /// A set; equal parts are one member. Whether its parts stand in ascending order, each once.
    Set {
        ascending: bool,
    },
    /// A bag; whether its parts stand in ascending order.
    Bag {
        ascending: bool,
    },
}

/// How a value is put together from registers where it is wanted.
#[derive(Clone, Debug)]
pub(crate) enum Materialize {
    Known(Value),
    Word(Reg, WordType),
    Value(Reg),
    /// From parts; one with a flag belongs to it when the flag's word is not 0.
    Parts(Aggregate, Box<[(Option<Reg>, Materialize)]>),
}

impl PlaceSpec {
    /// The value registers that it reads.
    pub(crate) fn registers(&self) -> impl Iterator<Item = Reg> {
        self.params.iter().flatten().chain(&self.fields).flatten().copied()
    }
}

impl Materialize {
    /// The word and value registers that it reads.
    pub(crate) fn registers(&self, words: &mut Vec<Reg>, values: &mut Vec<Reg>) {
        match self {
            Materialize::Known(_) => {}
            Materialize::Word(reg, _) => words.push(*reg),
            Materialize::Value(reg) => values.push(*reg),
            Materialize::Parts(_, parts) => {
                for (flag, part) in parts {
                    words.extend(flag);
                    part.registers(words, values);
                }
            }
        }
    }
}

impl PushSpec {
    pub(crate) fn new(instance: InstanceId, fields: Vec<FieldReg>) -> Self {
        let word = |field: &FieldReg| match field {
            FieldReg::Word(reg) => Some(*reg),
            FieldReg::Value(_) => None,
        };
        PushSpec { instance, words: fields.iter().map(word).collect(), fields: fields.into(), shaped: None }
    }
}

impl ShapedPush {
    /// Adds the lengths of what is there, and its words.
    pub(crate) fn put_together(&self, registers: &[i64], lengths: &mut Vec<u32>, words: &mut Vec<i64>) {
        for piece in &self.pieces {
            match piece {
                Piece::Word(a) => words.push(registers[usize::from(*a)]),
                Piece::Named(a) => {
                    lengths.push(NAMED);
                    words.push(registers[usize::from(*a)]);
                }
                Piece::Members { sort, once, members } => {
                    let (start, mut length) = (words.len(), 0);
                    for member in members {
                        if member.flag.is_none_or(|flag| registers[usize::from(flag)] != 0) {
                            length += 1;
                            words.extend(member.words.iter().map(|&a| registers[usize::from(a)]));
                        }
                    }
                    let width = members.first().map_or(0, |member| member.words.len());
                    if *sort {
                        sort_members(&mut words[start..], width);
                    }
                    if *once {
                        length -= take_once(words, start, width);
                    }
                    lengths.push(length);
                }
            }
        }
    }
}

/// Puts members of so many words each in ascending order. Those put in last stand at the end: by insertion.
fn sort_members(words: &mut [i64], width: usize) {
    match width {
        0 => {}
        1 => words.sort_unstable(),
        _ => {
            for start in (width..words.len()).step_by(width) {
                let (sorted, rest) = words.split_at(start);
                let member = &rest[..width];
                let later = sorted.rchunks(width).take_while(|other| *other > member).count() * width;
                words[start - later..start + width].rotate_right(width);
            }
        }
    }
}

/// Leaves out what equals the member before it, from a place on; how many members these were.
fn take_once(words: &mut Vec<i64>, start: usize, width: usize) -> u32 {
    let (mut end, mut gone) = (start + width, 0);
    for at in (start + width..words.len()).step_by(width.max(1)) {
        if words[at..at + width] == words[end - width..end] {
            gone += 1;
        } else {
            words.copy_within(at..at + width, end);
            end += width;
        }
    }
    if gone > 0 {
        words.truncate(end);
    }
    gone
}

impl std::fmt::Debug for Native {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Native")
    }
}
