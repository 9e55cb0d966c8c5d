//! The built-in words: one row each in one table, from which their enum is made.

/// What an argument must be; names in the plural are those of collections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamType {
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
    Ints,
    Bools,
    Texts,
    Sets,
    Collections,
    /// A number or a collection of numbers.
    Sizes,
    Bag,
    /// A collection of numbers or positions.
    Addable,
    /// A collection of ints or sets.
    Xorable,
    Numbers,
    /// A text or a collection of texts.
    Alphabet,
    /// A graph or a grid.
    Graph,
    Vertex,
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
    Cells,
    /// What a cell of the grid before it holds.
    Held,
    Position,
    /// A collection, whose members are not looked at, or a graph.
    Sized,
}

/// The type of what comes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultType {
    Int,
    Bool,
    Text,
    Real,
    Range,
    Ints,
    Texts,
    Graph,
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
    /// A compound of positions, which come one by one or as a list.
    Compound,
    /// What the checker says of the arguments, which come in several forms.
    Several,
    /// The word has no name in the language.
    Unnamed,
}

#[derive(Clone, Copy, Debug)]
pub struct Signature {
    pub name: &'static str,
    pub params: &'static [(&'static str, ParamType)],
    /// How many of them must be given: the others may be left out.
    pub needed: usize,
    pub result: ResultType,
}

/// Makes the enum and the table of signatures; parameters behind a `;` may be left out.
macro_rules! words {
    ($($(#[$doc:meta])* $word:ident $name:literal
        ($($p:ident: $t:ident),* $(; $($q:ident: $u:ident),*)?) -> $result:ident)*) => {
        /// A built-in word (`docs/language.md`, "Words").
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Builtin {
            $($(#[$doc])* $word,)*
        }

        /// The words with their signatures, each at its own number.
        const WORDS: &[(Builtin, Signature)] = &[$((Builtin::$word, Signature {
            name: $name,
            params: &[$((stringify!($p), ParamType::$t),)* $($((stringify!($q), ParamType::$u)),*)?],
            needed: <[&str]>::len(&[$(stringify!($p)),*]),
            result: ResultType::$result,
        }),)*];
    };
}

words! {
    // Numbers.
    Min "min" () -> Several
    Max "max" () -> Several
    Gcd "gcd" () -> Several
    Lcm "lcm" () -> Several
    Abs "abs" (n: Number) -> Same
    Sign "sign" (n: Number) -> Int
    Floor "floor" (r: Number) -> Int
    Ceil "ceil" (r: Number) -> Int
    Sqrt "sqrt" (n: Number) -> Real
    Divisors "divisors" (n: Int) -> Ints
    Primes "primes" (n: Int) -> Ints
    PrimeFactors "prime_factors" (n: Int) -> Ints
    Valuation "valuation" (n: Int, p: Int) -> Int
    Digits "digits" (n: Int; base: Int) -> Ints
    Bits "bits" (n: Int) -> Int
    Bit "bit" (n: Int, i: Int) -> Bool
    Mex "mex" (values: Ints) -> Int
    Zeckendorf "zeckendorf" (n: Int) -> Ints
    NimProduct "nim_product" (a: Int, b: Int) -> Int

    // Collections.
    Size "size" (c: Sized) -> Int
    Sum "sum" (values: Addable) -> Total
    Product "product" (values: Numbers) -> Total
    Xor "xor" (values: Xorable) -> Total
    Count "count" (conditions: Bools) -> Int
    All "all" (conditions: Bools) -> Bool
    Any "any" (conditions: Bools) -> Bool
    Indices "indices" (xs: Sequence) -> Range
    First "first" (xs: Sequence) -> Member
    Last "last" (xs: Sequence) -> Member
    Reverse "reverse" (xs: Sequence) -> Same
    Sort "sort" (c: Any) -> List
    List "list" (c: Any) -> List
    Set "set" (c: Any) -> Set
    Bag "bag" (c: Any) -> Bag
    Increasing "increasing" (xs: Any) -> Bool
    Repeat "repeat" (xs: Repeated, n: Int) -> Same
    Union "union" (sets: Sets) -> Union
    Choices "choices" (collections: Collections) -> Choices
    Subsets "subsets" (c: Any; sizes: Sizes) -> Subsets
    Subbags "subbags" (bag: Bag) -> Bags
    Pairs "pairs" (c: Any) -> Pairs
    Choose "choose" (c: Any, k: Int) -> Lists
    Partitions "partitions" (n: Int) -> Partitions
    Slide "slide" (start: Int, end: Int, taken: Ints) -> Ints
    /// `x in slide(..)`; no word of the language.
    InSlide "x in slide" () -> Unnamed
    /// `x in choices(..)`, x behind the collections; no word of the language.
    InChoices "x in choices" () -> Unnamed

    // Texts.
    Places "places" (t: Text, part: Text) -> Ints
    Starts "starts" (t: Text, part: Text) -> Bool
    Split "split" (t: Text, separator: Text) -> Texts
    Join "join" (texts: Texts) -> Text
    Words "words" (alphabet: Alphabet, lengths: Sizes) -> Texts
    Text "text" (n: Int) -> Text
    Int "int" (t: Text) -> Int

    // Graphs.
    Graph "graph" () -> Several
    Digraph "digraph" () -> Several
    Multigraph "multigraph" () -> Several
    Path "path" (n: Int) -> Graph
    Cycle "cycle" (n: Int) -> Graph
    Complete "complete" (n: Int) -> Graph
    Star "star" (n: Int) -> Graph
    Bipartite "bipartite" (a: Int, b: Int) -> Graph
    Petersen "petersen" () -> Graph
    Grid "grid" () -> Several
    Vertices "vertices" (g: Graph) -> Vertices
    Edges "edges" (g: Graph; vs: Vertices) -> Edges
    Ends "ends" (e: Edge) -> Ends
    Neighbours "neighbours" (g: Graph, v: Vertex) -> Vertices
    Successors "successors" (g: Graph, v: Vertex) -> Vertices
    Predecessors "predecessors" (g: Graph, v: Vertex) -> Vertices
    Degree "degree" (g: Graph, v: Vertex) -> Int
    Reach "reach" (g: Graph, v: Vertex) -> Vertices
    Distance "distance" (g: Graph, u: Vertex, v: Vertex) -> Int
    Components "components" (g: Graph; vs: Vertices) -> Components
    StrongComponents "strong_components" (g: Graph) -> Components
    Subgraph "subgraph" (g: Graph, edges: Edges) -> Same
    Grounded "grounded" (g: Graph; edges: Edges, ground: Ground) -> Edges
    IsConnected "is_connected" (g: Graph) -> Bool
    IsAcyclic "is_acyclic" (g: Graph) -> Bool
    IsTree "is_tree" (g: Graph) -> Bool
    IsBipartite "is_bipartite" (g: Graph) -> Bool

    // Grids.
    Rows "rows" (g: Grid) -> Int
    Cols "cols" (g: Grid) -> Int
    Cells "cells" (g: Grid; x: Held) -> Cells
    Ray "ray" (g: Grid, c: Cell, direction: Cell; taken: Cells) -> CellList
    Around "around" (g: Grid, c: Cell) -> Cells

    // Solvers a theorem may name.
    FlipOutcome "flip_outcome" (g: Graph, black: Vertices) -> Text
    FlipWinning "flip_winning" (g: Graph, black: Vertices) -> Vertices
    FlipDrawing "flip_drawing" (g: Graph, black: Vertices) -> Vertices
    Fusion "fusion" (g: Graph, edges: Edges, ground: Ground) -> Int
    FusionWinning "fusion_winning" (g: Graph, edges: Edges, ground: Ground) -> Edges
    Matching "matching" (g: Graph) -> Int
    SometimesUnmatched "sometimes_unmatched" (g: Graph) -> Vertices
    EdgeGeographyWinning "edge_geography_winning" (g: Graph, edges: Edges, at: Vertex) -> Edges
    Octal "octal" (code: Text, n: Int) -> Int
    Subtraction "subtraction" (s: Ints, n: Int) -> Int

    // Questions.
    Wins "wins" (p: Position) -> Bool
    Loses "loses" (p: Position) -> Bool
    Draws "draws" (p: Position) -> Bool
    Outcome "outcome" (p: Position) -> Text
    Grundy "grundy" (p: Position) -> Int
    Score "score" (p: Position) -> Int
    Remoteness "remoteness" (p: Position) -> Int
    Moves "moves" (p: Position) -> Texts
    Winning "winning" (p: Position) -> Texts
    Options "options" (p: Position) -> Positions

    // Compounds.
    Conjunctive "conjunctive" () -> Compound
    Continued "continued" () -> Compound
    Selective "selective" () -> Compound
    ShortenedSelective "shortened_selective" () -> Compound
    Diminished "diminished" () -> Compound
    AtMost "at_most" () -> Compound

    // Enumerations for claims.
    Nat "nat" () -> Unnamed
    Graphs "graphs" (n: Int) -> Graphs
    Connected "connected" (n: Int) -> Graphs
    Trees "trees" (n: Int) -> Graphs
    RootedTrees "rooted_trees" (n: Int) -> Graphs
    Digraphs "digraphs" (n: Int) -> DigraphList
    Dags "dags" (n: Int) -> DigraphList
    Posets "posets" (n: Int) -> DigraphList
    Multigraphs "multigraphs" (n: Int, edges: Int) -> MultigraphList
    Lists "lists" (c: Any, k: Int) -> Lists
    Bags "bags" (c: Any, k: Int) -> Bags
}

impl Builtin {
    pub fn named(name: &str) -> Option<Builtin> {
        Builtin::all().find(|(_, signature)| signature.name == name).map(|(word, _)| word)
    }

    /// All words that have a name, with their signatures.
    pub fn all() -> impl Iterator<Item = (Builtin, &'static Signature)> {
        WORDS.iter().filter(|(_, s)| s.result != ResultType::Unnamed).map(|(word, signature)| (*word, signature))
    }

    pub fn signature(self) -> &'static Signature {
        &WORDS[self as usize].1
    }

    pub(crate) fn is_question(self) -> bool {
        matches!(self.signature().params, [(_, ParamType::Position)])
    }

    pub(crate) fn is_compound(self) -> bool {
        self.signature().result == ResultType::Compound
    }
}
