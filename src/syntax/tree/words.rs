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
pub enum Operator {
    Iff,
    Logic(LogicOp),
    Binary(BinaryOp),
}

/// Operators on conditions that may leave the second operand unevaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum LogicOp {
    And,
    Or,
    Implies,
}

/// Operators on two evaluated operands; their types tell which meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum BinaryOp {
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

impl Operator {
    /// The operator as the language writes it.
    #[must_use]
    pub fn sign(self) -> &'static str {
        match self {
            Operator::Iff => "iff",
            Operator::Logic(LogicOp::And) => "and",
            Operator::Logic(LogicOp::Or) => "or",
            Operator::Logic(LogicOp::Implies) => "implies",
            Operator::Binary(op) => op.sign(),
        }
    }
}

impl BinaryOp {
    /// The operator as the language writes it.
    #[must_use]
    pub fn sign(self) -> &'static str {
        match self {
            BinaryOp::Range => "..",
            BinaryOp::Xor => "xor",
            BinaryOp::Meet => "&",
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Over => "/",
            BinaryOp::Div => "div",
            BinaryOp::Mod => "mod",
            BinaryOp::Pow => "**",
        }
    }
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
