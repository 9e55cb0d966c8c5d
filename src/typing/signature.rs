//! The built-in words: names, arguments, results.

use crate::model::builtin::Builtin as B;

/// What an argument must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Want {
    Int,
    /// An int or a real.
    Number,
    Text,
    /// A list, range or text.
    Sequence,
    /// A list or a text.
    Repeated,
    /// A collection of anything.
    Any,
    /// A collection of ints.
    Ints,
    /// A collection of truth values.
    Bools,
    /// A collection of texts.
    Texts,
    /// A collection of sets.
    Sets,
    /// A collection of collections.
    Collections,
    /// A number or a collection of numbers.
    Sizes,
    Bag,
    /// A collection of numbers or positions.
    Addable,
    /// A collection of ints or sets.
    Xorable,
    /// A collection of ints or reals.
    Numbers,
    /// A text or a collection of texts.
    Alphabet,
    /// A graph or a grid.
    Graph,
    Vertex,
    /// A collection of vertices.
    Vertices,
    /// A vertex or a set of them.
    Ground,
    /// A set of edges.
    Edges,
    Edge,
    /// A grid of either kind.
    Grid,
    /// A pair of numbers.
    Cell,
    /// A collection of cells.
    Cells,
    /// What a cell of the grid before it holds.
    Held,
    Position,
}

/// What comes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Out {
    Int,
    Bool,
    Text,
    Real,
    Range,
    Ints,
    Texts,
    Graph,
    /// A graph of the same kind as the argument.
    SameGraph,
    /// As the first argument; a range becomes a list.
    Same,
    /// A member of the first argument.
    Member,
    /// As the members of the first argument; of none, an int.
    Total,
    /// A list, set or bag of the first argument's members.
    List,
    Set,
    Bag,
    /// A list of those.
    Lists,
    Subsets,
    Subbags,
    Bags,
    Pairs,
    /// A set of the members of members.
    Union,
    /// A list of lists of the members of members.
    Choices,
    /// A list of bags of numbers.
    Partitions,
    /// A set of vertices of the first argument.
    Vertices,
    /// A list of such sets.
    Components,
    /// A set of edges.
    Edges,
    /// A pair of vertices.
    Ends,
    /// A set of cells.
    Cells,
    /// A list of cells.
    CellList,
    /// A list of positions.
    Positions,
    /// A list of graphs.
    Graphs,
    DigraphList,
    MultigraphList,
}

/// A built-in word with its arguments.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Signature {
    pub(crate) name: &'static str,
    pub(crate) word: B,
    /// Names and demands.
    pub(crate) params: &'static [(&'static str, Want)],
    /// How many of them must be there.
    pub(crate) needed: usize,
    pub(crate) out: Out,
}

const fn row(
    name: &'static str,
    word: B,
    params: &'static [(&'static str, Want)],
    needed: usize,
    out: Out,
) -> Signature {
    Signature { name, word, params, needed, out }
}

/// The words whose arguments come in several forms; `special.rs` knows them.
const SPECIAL: &[(&str, B)] = &[
    ("min", B::Min),
    ("max", B::Max),
    ("gcd", B::Gcd),
    ("lcm", B::Lcm),
    ("graph", B::Graph),
    ("digraph", B::Digraph),
    ("multigraph", B::Multigraph),
    ("grid", B::Grid),
    ("conjunctive", B::Conjunctive),
    ("continued", B::Continued),
    ("selective", B::Selective),
    ("shortened_selective", B::ShortenedSelective),
    ("diminished", B::Diminished),
    ("at_most", B::AtMost),
];

/// All others.
const PLAIN: &[Signature] = &[
    row("abs", B::Abs, &[("n", Want::Number)], 1, Out::Member),
    row("sign", B::Sign, &[("n", Want::Number)], 1, Out::Int),
    row("floor", B::Floor, &[("r", Want::Number)], 1, Out::Int),
    row("ceil", B::Ceil, &[("r", Want::Number)], 1, Out::Int),
    row("sqrt", B::Sqrt, &[("n", Want::Number)], 1, Out::Real),
    row("divisors", B::Divisors, &[("n", Want::Int)], 1, Out::Ints),
    row("primes", B::Primes, &[("n", Want::Int)], 1, Out::Ints),
    row("prime_factors", B::PrimeFactors, &[("n", Want::Int)], 1, Out::Ints),
    row("valuation", B::Valuation, &[("n", Want::Int), ("p", Want::Int)], 2, Out::Int),
    row("digits", B::Digits, &[("n", Want::Int), ("base", Want::Int)], 1, Out::Ints),
    row("bits", B::Bits, &[("n", Want::Int)], 1, Out::Int),
    row("bit", B::Bit, &[("n", Want::Int), ("i", Want::Int)], 2, Out::Bool),
    row("mex", B::Mex, &[("values", Want::Ints)], 1, Out::Int),
    row("zeckendorf", B::Zeckendorf, &[("n", Want::Int)], 1, Out::Ints),
    row("nim_product", B::NimProduct, &[("a", Want::Int), ("b", Want::Int)], 2, Out::Int),
    row("size", B::Size, &[("c", Want::Any)], 1, Out::Int),
    row("sum", B::Sum, &[("values", Want::Addable)], 1, Out::Total),
    row("product", B::Product, &[("values", Want::Numbers)], 1, Out::Total),
    row("xor", B::Xor, &[("values", Want::Xorable)], 1, Out::Total),
    row("count", B::Count, &[("conditions", Want::Bools)], 1, Out::Int),
    row("all", B::All, &[("conditions", Want::Bools)], 1, Out::Bool),
    row("any", B::Any, &[("conditions", Want::Bools)], 1, Out::Bool),
    row("indices", B::Indices, &[("xs", Want::Sequence)], 1, Out::Range),
    row("first", B::First, &[("xs", Want::Sequence)], 1, Out::Member),
    row("last", B::Last, &[("xs", Want::Sequence)], 1, Out::Member),
    row("reverse", B::Reverse, &[("xs", Want::Sequence)], 1, Out::Same),
    row("sort", B::Sort, &[("c", Want::Any)], 1, Out::List),
    row("list", B::List, &[("c", Want::Any)], 1, Out::List),
    row("set", B::Set, &[("c", Want::Any)], 1, Out::Set),
    row("bag", B::Bag, &[("c", Want::Any)], 1, Out::Bag),
    row("increasing", B::Increasing, &[("xs", Want::Any)], 1, Out::Bool),
    row("repeat", B::Repeat, &[("xs", Want::Repeated), ("n", Want::Int)], 2, Out::Same),
    row("union", B::Union, &[("sets", Want::Sets)], 1, Out::Union),
    row("choices", B::Choices, &[("collections", Want::Collections)], 1, Out::Choices),
    row("subsets", B::Subsets, &[("c", Want::Any), ("sizes", Want::Sizes)], 1, Out::Subsets),
    row("subbags", B::Subbags, &[("bag", Want::Bag)], 1, Out::Subbags),
    row("pairs", B::Pairs, &[("c", Want::Any)], 1, Out::Pairs),
    row("choose", B::Choose, &[("c", Want::Any), ("k", Want::Int)], 2, Out::Lists),
    row("partitions", B::Partitions, &[("n", Want::Int)], 1, Out::Partitions),
    row("slide", B::Slide, &[("start", Want::Int), ("end", Want::Int), ("taken", Want::Ints)], 3, Out::Ints),
    row("places", B::Places, &[("t", Want::Text), ("part", Want::Text)], 2, Out::Ints),
    row("starts", B::Starts, &[("t", Want::Text), ("part", Want::Text)], 2, Out::Bool),
    row("split", B::Split, &[("t", Want::Text), ("separator", Want::Text)], 2, Out::Texts),
    row("join", B::Join, &[("texts", Want::Texts)], 1, Out::Text),
    row("words", B::Words, &[("alphabet", Want::Alphabet), ("lengths", Want::Sizes)], 2, Out::Texts),
    row("text", B::Text, &[("n", Want::Int)], 1, Out::Text),
    row("int", B::Int, &[("t", Want::Text)], 1, Out::Int),
    row("path", B::Path, &[("n", Want::Int)], 1, Out::Graph),
    row("cycle", B::Cycle, &[("n", Want::Int)], 1, Out::Graph),
    row("complete", B::Complete, &[("n", Want::Int)], 1, Out::Graph),
    row("star", B::Star, &[("n", Want::Int)], 1, Out::Graph),
    row("bipartite", B::Bipartite, &[("a", Want::Int), ("b", Want::Int)], 2, Out::Graph),
    row("petersen", B::Petersen, &[], 0, Out::Graph),
    row("vertices", B::Vertices, &[("g", Want::Graph)], 1, Out::Vertices),
    row("edges", B::Edges, &[("g", Want::Graph), ("vs", Want::Vertices)], 1, Out::Edges),
    row("ends", B::Ends, &[("e", Want::Edge)], 1, Out::Ends),
    row("neighbours", B::Neighbours, &[("g", Want::Graph), ("v", Want::Vertex)], 2, Out::Vertices),
    row("successors", B::Successors, &[("g", Want::Graph), ("v", Want::Vertex)], 2, Out::Vertices),
    row("predecessors", B::Predecessors, &[("g", Want::Graph), ("v", Want::Vertex)], 2, Out::Vertices),
    row("degree", B::Degree, &[("g", Want::Graph), ("v", Want::Vertex)], 2, Out::Int),
    row("reach", B::Reach, &[("g", Want::Graph), ("v", Want::Vertex)], 2, Out::Vertices),
    row("distance", B::Distance, &[("g", Want::Graph), ("u", Want::Vertex), ("v", Want::Vertex)], 3, Out::Int),
    row("components", B::Components, &[("g", Want::Graph), ("vs", Want::Vertices)], 1, Out::Components),
    row("strong_components", B::StrongComponents, &[("g", Want::Graph)], 1, Out::Components),
    row("subgraph", B::Subgraph, &[("g", Want::Graph), ("edges", Want::Edges)], 2, Out::SameGraph),
    row(
        "grounded",
        B::Grounded,
        &[("g", Want::Graph), ("edges", Want::Edges), ("ground", Want::Ground)],
        1,
        Out::Edges,
    ),
    row("is_connected", B::IsConnected, &[("g", Want::Graph)], 1, Out::Bool),
    row("is_acyclic", B::IsAcyclic, &[("g", Want::Graph)], 1, Out::Bool),
    row("is_tree", B::IsTree, &[("g", Want::Graph)], 1, Out::Bool),
    row("is_bipartite", B::IsBipartite, &[("g", Want::Graph)], 1, Out::Bool),
    row("rows", B::Rows, &[("g", Want::Grid)], 1, Out::Int),
    row("cols", B::Cols, &[("g", Want::Grid)], 1, Out::Int),
    row("cells", B::Cells, &[("g", Want::Grid), ("x", Want::Held)], 1, Out::Cells),
    row(
        "ray",
        B::Ray,
        &[("g", Want::Grid), ("c", Want::Cell), ("direction", Want::Cell), ("taken", Want::Cells)],
        3,
        Out::CellList,
    ),
    row("around", B::Around, &[("g", Want::Grid), ("c", Want::Cell)], 2, Out::Cells),
    row("flip_outcome", B::FlipOutcome, &[("g", Want::Graph), ("black", Want::Vertices)], 2, Out::Text),
    row("flip_winning", B::FlipWinning, &[("g", Want::Graph), ("black", Want::Vertices)], 2, Out::Vertices),
    row("flip_drawing", B::FlipDrawing, &[("g", Want::Graph), ("black", Want::Vertices)], 2, Out::Vertices),
    row("fusion", B::Fusion, &[("g", Want::Graph), ("edges", Want::Edges), ("ground", Want::Ground)], 3, Out::Int),
    row(
        "fusion_winning",
        B::FusionWinning,
        &[("g", Want::Graph), ("edges", Want::Edges), ("ground", Want::Ground)],
        3,
        Out::Edges,
    ),
    row("matching", B::Matching, &[("g", Want::Graph)], 1, Out::Int),
    row("sometimes_unmatched", B::SometimesUnmatched, &[("g", Want::Graph)], 1, Out::Vertices),
    row(
        "edge_geography_winning",
        B::EdgeGeographyWinning,
        &[("g", Want::Graph), ("edges", Want::Edges), ("at", Want::Vertex)],
        3,
        Out::Edges,
    ),
    row("octal", B::Octal, &[("code", Want::Text), ("n", Want::Int)], 2, Out::Int),
    row("subtraction", B::Subtraction, &[("s", Want::Ints), ("n", Want::Int)], 2, Out::Int),
    row("wins", B::Wins, &[("p", Want::Position)], 1, Out::Bool),
    row("loses", B::Loses, &[("p", Want::Position)], 1, Out::Bool),
    row("draws", B::Draws, &[("p", Want::Position)], 1, Out::Bool),
    row("outcome", B::Outcome, &[("p", Want::Position)], 1, Out::Text),
    row("grundy", B::Grundy, &[("p", Want::Position)], 1, Out::Int),
    row("score", B::Score, &[("p", Want::Position)], 1, Out::Int),
    row("remoteness", B::Remoteness, &[("p", Want::Position)], 1, Out::Int),
    row("moves", B::Moves, &[("p", Want::Position)], 1, Out::Texts),
    row("winning", B::Winning, &[("p", Want::Position)], 1, Out::Texts),
    row("options", B::Options, &[("p", Want::Position)], 1, Out::Positions),
    row("graphs", B::Graphs, &[("n", Want::Int)], 1, Out::Graphs),
    row("connected", B::Connected, &[("n", Want::Int)], 1, Out::Graphs),
    row("trees", B::Trees, &[("n", Want::Int)], 1, Out::Graphs),
    row("rooted_trees", B::RootedTrees, &[("n", Want::Int)], 1, Out::Graphs),
    row("digraphs", B::Digraphs, &[("n", Want::Int)], 1, Out::DigraphList),
    row("dags", B::Dags, &[("n", Want::Int)], 1, Out::DigraphList),
    row("posets", B::Posets, &[("n", Want::Int)], 1, Out::DigraphList),
    row("multigraphs", B::Multigraphs, &[("n", Want::Int), ("edges", Want::Int)], 2, Out::MultigraphList),
    row("lists", B::Lists, &[("c", Want::Any), ("k", Want::Int)], 2, Out::Lists),
    row("bags", B::Bags, &[("c", Want::Any), ("k", Want::Int)], 2, Out::Bags),
];

/// The word of this name.
pub(crate) fn word(name: &str) -> Option<B> {
    let special = SPECIAL.iter().find(|(n, _)| *n == name).map(|(_, w)| *w);
    special.or_else(|| PLAIN.iter().find(|s| s.name == name).map(|s| s.word))
}

/// The signature of a word, when its arguments come in one form.
pub(crate) fn signature(word: B) -> Option<&'static Signature> {
    PLAIN.iter().find(|s| s.word == word)
}

/// All names, for "did you mean".
pub(crate) fn names() -> Vec<&'static str> {
    SPECIAL.iter().map(|(n, _)| *n).chain(PLAIN.iter().map(|s| s.name)).collect()
}
