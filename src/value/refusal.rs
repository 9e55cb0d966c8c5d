//! Why something is not done in one way, so that another is tried.

use crate::source::Code;
use crate::value::{Fault, Halt};
use std::fmt;

macro_rules! refusals {
    ($($name:ident => $text:literal,)*) => {
        /// Why native code, a table or a graph of states cannot be made.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        pub enum Refusal {
            $(#[doc = $text] $name,)*
            /// It would take so many bytes.
            Memory(u64),
            /// Only about one state in `one_in` of the box of `volume` states is met.
            Sparse {
                /// Of so many states one is met.
                one_in: u64,
                /// The states of the box.
                volume: u64,
            },
        }

        impl fmt::Display for Refusal {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Refusal::$name => f.write_str($text),)*
                    Refusal::Memory(bytes) => write!(f, "a table would take {} MiB", bytes >> 20),
                    Refusal::Sparse { one_in, .. } => write!(f, "only about one state in {one_in} of the box is met"),
                }
            }
        }
    };
}

refusals! {
    // What the rules do that native code cannot do.
    StatesNoWords => "its states are not words",
    FieldNoWord => "a field is no word",
    TargetNoWords => "a move leads to fields that are no words",
    SameNoWords => "`same as` reads fields that are no words",
    SameOtherForm => "`same as` leads to states of another form",
    WorksOnValues => "the rules work on values that are no words",
    GainsPoints => "moves gain points",
    LargePoints => "points fit no word",
    EndsWithPoints => "`end when` gives points",
    RunsThroughNat => "the rules run through `nat`",
    TooLong => "the rules are too long for native code",
    TooDeep => "the rules are nested too deep for native code",
    Loops => "a term has loops",
    LazyWithoutWayBack => "a lazy part has no way back",
    OtherGame => "a move leads to another game",
    KeepsTurn => "a move keeps the turn",
    MoveEndsPlay => "a move ends the whole play",
    EndWhenEndsPlay => "an `end when` ends the whole play",
    BoxTooLarge => "the box of states is too large",
    NoNativeCode => "this machine makes no native code",
    NotCompiled => "the rules could not be made native code",
    // What a short search of its positions shows.
    OtherGames => "moves lead to other games",
    OtherLengths => "moves lead to lists or texts of other lengths",
    LargeWord => "a set has a member for each bit of a word",
    Few => "it has few positions: they are searched one by one",
    ManyBits => "its states do not fit words of 61 bits",
    // What stands in the way of a table or a graph of states.
    Cyclic => "a play can come back to a position",
    Ends => "the whole play can end, or a move keeps the turn",
    Sums => "moves lead to sums",
    NoOrder => "no order of the fields goes down with every move",
    SeveralComponents => "it is not one component",
    Ordered => "all moves go down in some order, where one process fills a table faster than several",
    ThinLayers => "after each move too few positions are decided for processes to meet",
    FewForSeveral => "there are fewer positions than pay for several processes",
    ManyStates => "there are too many states in the box",
    ManyCells => "it would have too many cells",
    CellLimit => "the table would have more cells than positions may be searched",
    StartOutside => "it is outside of the box",
    Outside => "a field grows too far, or the rules fault at some position",
    Undecided => "some position on the way is not decided by its options in the box",
    LargeValues => "values are too large for a table",
    PositionLimit => "there are more states than may be searched",
    UnlikeMoves => "moves have too many different changes, or few states of the box are reached",
    ManyMet => "many states of the box are met",
    Interrupted => "the work was interrupted",
    ForNow => "a limit of this search is reached; another may have others",
}

/// Why an attempt did not succeed.
#[derive(Clone, Debug)]
pub enum Failure {
    /// This way does not fit; another may.
    Refused(Refusal),
    /// The run stops: an error, or a limit.
    Halted(Halt),
}

/// The result of a way to do something that need not fit.
pub type Attempt<T> = Result<T, Failure>;

impl From<Refusal> for Failure {
    fn from(why: Refusal) -> Self {
        Failure::Refused(why)
    }
}

impl From<Halt> for Failure {
    fn from(halt: Halt) -> Self {
        Failure::Halted(halt)
    }
}

impl From<Fault> for Failure {
    /// A limit of positions is a refusal: a search that counts positions one by one says more of it.
    fn from(fault: Fault) -> Self {
        if fault.code == Code::L01 { Failure::Refused(Refusal::PositionLimit) } else { Failure::Halted(fault.into()) }
    }
}

/// Sets a refusal apart from what stops the run. Errors: what stops the run.
pub(crate) fn refusal<T>(attempt: Attempt<T>) -> Result<Result<T, Refusal>, Halt> {
    match attempt {
        Ok(done) => Ok(Ok(done)),
        Err(Failure::Refused(why)) => Ok(Err(why)),
        Err(Failure::Halted(halt)) => Err(halt),
    }
}
