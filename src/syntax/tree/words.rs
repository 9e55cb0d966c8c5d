//! Operators and other words that stand for themselves.

/// Which moves a theorem is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which<T> {
    /// Those that win.
    Winning,
    /// Those that draw in a drawn position.
    Drawing,
    /// Those to positions of the Grundy value with this name.
    To(T),
}

/// A measured property of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Measure {
    Grundy,
    Outcome,
    Score,
    Remoteness,
}

/// A yes-or-no property of the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Verdict {
    Wins,
    Loses,
    Draws,
}

/// Who wins, said of the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Outcome {
    First,
    Second,
    Draw,
}

/// What a fact measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum FactMeasure {
    Grundy,
    Score,
    Remoteness,
    /// the number of winning moves
    Winning,
}

/// `:=`, `+=`, `-=`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum SetOp {
    Put,
    Add,
    Remove,
}

/// Operators between two operands, comparisons apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Iff,
    Implies,
    Or,
    And,
    Range,
    Xor,
    /// `&`
    Meet,
    Add,
    Sub,
    Mul,
    /// `/`, exact
    Over,
    Div,
    Mod,
    Pow,
}

/// Comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum CompareOp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    In,
    NotIn,
}

/// `graph`, `digraph`, `multigraph`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum GraphWord {
    Graph,
    Digraph,
    Multigraph,
}

/// What a drawing in a text or file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum DrawingWord {
    Graph(GraphWord),
    Grid,
}
