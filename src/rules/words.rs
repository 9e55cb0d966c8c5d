//! Every word that code can call: built-in words, compounds, enumerations, solvers.

use crate::check::builtin::Builtin;
use crate::rules::builtin;
use crate::rules::fault::Fault;
use crate::rules::positions;
use crate::rules::value::Value;

/// The value of a word.
pub(crate) fn call(word: Builtin, args: &[Value]) -> Result<Value, Fault> {
    use Builtin as B;
    match word {
        word if word.is_compound() => positions::compound(word, args),
        B::FlipOutcome
        | B::FlipWinning
        | B::FlipDrawing
        | B::Fusion
        | B::FusionWinning
        | B::Matching
        | B::SometimesUnmatched
        | B::Octal
        | B::Subtraction => builtin::solvers::call(word, args),
        _ => builtin::call(word, args),
    }
}
