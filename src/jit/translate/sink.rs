//! What becomes of a move: native code hands each option to a sink, which works out a cell, keeps a list, or notes a change.

use crate::bytecode::InstanceId;
use crate::bytecode::Reg;
use crate::jit::emit::{Emitter, NONE};
use crate::syntax::tree::Outcome;
use crate::value::refusal::Refusal;
use cranelift_codegen::ir::{Block, InstBuilder, Value};

/// What becomes of moves. Every method may end in another block than it began in.
pub(crate) trait Sink {
    /// A move to the one component with these fields.
    fn one(&mut self, e: &mut Emitter, instance: InstanceId, fields: &[Reg], again: bool) -> Result<(), Refusal>;
    /// A target of several components begins.
    fn target(&mut self, _: &mut Emitter) -> Result<(), Refusal> {
        Err(Refusal::Sums)
    }
    /// One of them.
    fn push(&mut self, _: &mut Emitter, _: InstanceId, _: &[Reg]) -> Result<(), Refusal> {
        Err(Refusal::Sums)
    }
    /// A move to what was pushed.
    fn sum(&mut self, _: &mut Emitter, _: bool) -> Result<(), Refusal> {
        Err(Refusal::Sums)
    }
    /// A move that ends the whole play: the mover wins, loses, draws.
    fn stop(&mut self, e: &mut Emitter, outcome: Outcome) -> Result<(), Refusal>;
    /// Moves that take `1, 2, ..` from all of these fields, given as bits, until one is 0. `false`: not taken.
    fn line_move(&mut self, e: &mut Emitter, instance: InstanceId, fields: u64) -> Result<bool, Refusal> {
        let _ = (e, instance, fields);
        Ok(false)
    }
    /// An `end when` holds; 0 over, 1 lost, 2 won, 3 drawn for the player to move. The code ends after it.
    fn ended(&mut self, e: &mut Emitter, status: u8) -> Result<(), Refusal>;
}

/// A sink that takes each move and each end as one word.
pub(crate) trait Words {
    /// In the word of a move that ends the play, beside what [`stopped`] says.
    const STOPS: u64;
    /// In the word of a position that is over, beside what [`over`] says.
    const OVER: u64;

    /// The word of a move to the one component with these fields.
    fn option(&self, e: &mut Emitter, instance: InstanceId, fields: &[Reg], again: bool) -> Result<Value, Refusal>;
    /// Takes a word.
    fn write(&self, e: &mut Emitter, word: Value);
    /// Where the code goes on when all moves were seen.
    fn done(&self) -> Block;
}

impl<W: Words> Sink for W {
    fn one(&mut self, e: &mut Emitter, instance: InstanceId, fields: &[Reg], again: bool) -> Result<(), Refusal> {
        let word = self.option(e, instance, fields, again)?;
        self.write(e, word);
        Ok(())
    }

    fn stop(&mut self, e: &mut Emitter, outcome: Outcome) -> Result<(), Refusal> {
        let word = e.const_value((W::STOPS | stopped(outcome)).cast_signed());
        self.write(e, word);
        Ok(())
    }

    fn ended(&mut self, e: &mut Emitter, status: u8) -> Result<(), Refusal> {
        if let Some(code) = over(status) {
            let word = e.const_value((W::OVER | code).cast_signed());
            self.write(e, word);
        }
        let done = self.done();
        e.b.ins().jump(done, NONE);
        Ok(())
    }
}

/// How a move that ends the whole play ends it for its mover: 0 won, 1 lost, 2 drawn.
fn stopped(outcome: Outcome) -> u64 {
    match outcome {
        Outcome::First => 0,
        Outcome::Second => 1,
        Outcome::Draw => 2,
    }
}

/// How a position that is over ends for the player to move, 0 won, 1 lost, 2 drawn, by the status of `end when`; `None`: the
/// player cannot move.
fn over(status: u8) -> Option<u64> {
    match status {
        0 => None,
        1 => Some(1),
        2 => Some(0),
        _ => Some(2),
    }
}
