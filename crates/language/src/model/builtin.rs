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
    /// A collection of pairs: a number, and how often it is there.
    Tallied,
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

/// The type of what comes out, as the table below writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultType {
    Int,
    Bool,
    Text,
    Real,
    Range,
    Graph,
    Digraph,
    Multigraph,
    /// A vertex of the first argument.
    Vertex,
    Edge,
    /// A pair of numbers.
    Cell,
    Position,
    /// As the first argument; a range becomes a list.
    Same,
    /// A member of the first argument.
    Member,
    /// A member of such a member.
    Inner,
    /// A member of the first argument, and how often it is there.
    Counted,
    /// As the members of the first argument; of none, an int.
    Total,
    List(&'static ResultType),
    Set(&'static ResultType),
    Bag(&'static ResultType),
    /// Two of one type.
    Pair(&'static ResultType),
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

macro_rules! result_type {
    ($result:ident) => { ResultType::$result };
    ($result:ident ($($of:tt)*)) => { ResultType::$result(&result_type!($($of)*)) };
}

/// Makes the enum and the table of signatures; parameters behind a `;` may be left out.
macro_rules! words {
    ($($(#[$doc:meta])* $word:ident $name:literal
        ($($p:ident: $t:ident),* $(; $($q:ident: $u:ident),*)?) -> $result:ident $(($($of:tt)*))?)*) => {
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
            result: result_type!($result $(($($of)*))?),
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
    Divisors "divisors" (n: Int) -> List(Int)
    Primes "primes" (n: Int) -> List(Int)
    PrimeFactors "prime_factors" (n: Int) -> List(Int)
    Valuation "valuation" (n: Int, p: Int) -> Int
    Digits "digits" (n: Int; base: Int) -> List(Int)
    Bits "bits" (n: Int) -> Int
    Bit "bit" (n: Int, i: Int) -> Bool
    Mex "mex" (values: Ints) -> Int
    Zeckendorf "zeckendorf" (n: Int) -> List(Int)
    NimProduct "nim_product" (a: Int, b: Int) -> Int

    // Collections.
    Size "size" (c: Sized) -> Int
    Sum "sum" (values: Addable) -> Total
    Product "product" (values: Numbers) -> Total
    Xor "xor" (values: Xorable) -> Total
    Count "count" (conditions: Bools) -> Int
    Tally "tally" (values: Any) -> List(Counted)
    XorTally "xor_tally" (tally: Tallied, k: Int) -> Same
    All "all" (conditions: Bools) -> Bool
    Any "any" (conditions: Bools) -> Bool
    Indices "indices" (xs: Sequence) -> Range
    First "first" (xs: Sequence) -> Member
    Last "last" (xs: Sequence) -> Member
    Reverse "reverse" (xs: Sequence) -> Same
    Sort "sort" (c: Any) -> List(Member)
    List "list" (c: Any) -> List(Member)
    Set "set" (c: Any) -> Set(Member)
    Bag "bag" (c: Any) -> Bag(Member)
    Increasing "increasing" (xs: Any) -> Bool
    Repeat "repeat" (xs: Repeated, n: Int) -> Same
    Union "union" (sets: Sets) -> Set(Inner)
    Choices "choices" (collections: Collections) -> List(List(Inner))
    Subsets "subsets" (c: Any; sizes: Sizes) -> List(Set(Member))
    Subbags "subbags" (bag: Bag) -> List(Bag(Member))
    Pairs "pairs" (c: Any) -> List(Pair(Member))
    Choose "choose" (c: Any, k: Int) -> List(List(Member))
    Partitions "partitions" (n: Int) -> List(Bag(Int))
    Slide "slide" (start: Int, end: Int, taken: Ints) -> List(Int)
    /// `x in slide(..)`; no word of the language.
    InSlide "x in slide" () -> Unnamed
    /// `x in choices(..)`, x behind the collections; no word of the language.
    InChoices "x in choices" () -> Unnamed
    /// The lists, or bags, of so many members whose sizes come to no more than a number; no word of the language.
    ListsWithin "lists within" () -> Unnamed

    // Texts.
    Places "places" (t: Text, part: Text) -> List(Int)
    Starts "starts" (t: Text, part: Text) -> Bool
    Split "split" (t: Text, separator: Text) -> List(Text)
    Join "join" (texts: Texts) -> Text
    Words "words" (alphabet: Alphabet, lengths: Sizes) -> List(Text)
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
    Vertices "vertices" (g: Graph) -> Set(Vertex)
    Edges "edges" (g: Graph; vs: Vertices) -> Set(Edge)
    Ends "ends" (e: Edge) -> Pair(Vertex)
    Neighbours "neighbours" (g: Graph, v: Vertex) -> Set(Vertex)
    Successors "successors" (g: Graph, v: Vertex) -> Set(Vertex)
    Predecessors "predecessors" (g: Graph, v: Vertex) -> Set(Vertex)
    Degree "degree" (g: Graph, v: Vertex) -> Int
    Reach "reach" (g: Graph, v: Vertex) -> Set(Vertex)
    Distance "distance" (g: Graph, u: Vertex, v: Vertex) -> Int
    Components "components" (g: Graph; vs: Vertices) -> List(Set(Vertex))
    StrongComponents "strong_components" (g: Graph) -> List(Set(Vertex))
    Subgraph "subgraph" (g: Graph, edges: Edges) -> Same
    Grounded "grounded" (g: Graph; edges: Edges, ground: Ground) -> Set(Edge)
    IsConnected "is_connected" (g: Graph) -> Bool
    IsAcyclic "is_acyclic" (g: Graph) -> Bool
    IsTree "is_tree" (g: Graph) -> Bool
    IsBipartite "is_bipartite" (g: Graph) -> Bool

    // Grids.
    Rows "rows" (g: Grid) -> Int
    Cols "cols" (g: Grid) -> Int
    Cells "cells" (g: Grid; x: Held) -> Set(Cell)
    Ray "ray" (g: Grid, c: Cell, direction: Cell; taken: Cells) -> List(Cell)
    Around "around" (g: Grid, c: Cell) -> Set(Cell)

    // Solvers a theorem may name.
    FlipOutcome "flip_outcome" (g: Graph, black: Vertices) -> Text
    FlipWinning "flip_winning" (g: Graph, black: Vertices) -> Set(Vertex)
    FlipDrawing "flip_drawing" (g: Graph, black: Vertices) -> Set(Vertex)
    Fusion "fusion" (g: Graph, edges: Edges, ground: Ground) -> Int
    FusionWinning "fusion_winning" (g: Graph, edges: Edges, ground: Ground) -> Set(Edge)
    Matching "matching" (g: Graph) -> Int
    SometimesUnmatched "sometimes_unmatched" (g: Graph) -> Set(Vertex)
    EdgeGeographyWinning "edge_geography_winning" (g: Graph, edges: Edges, at: Vertex) -> Set(Edge)
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
    Genus "genus" (p: Position) -> Text
    Tameness "tameness" (p: Position) -> Text
    Moves "moves" (p: Position) -> List(Text)
    Winning "winning" (p: Position) -> List(Text)
    Options "options" (p: Position) -> List(Position)

    // Compounds.
    Conjunctive "conjunctive" () -> Compound
    Continued "continued" () -> Compound
    Selective "selective" () -> Compound
    ShortenedSelective "shortened_selective" () -> Compound
    Diminished "diminished" () -> Compound
    AtMost "at_most" () -> Compound

    // Enumerations for claims.
    Nat "nat" () -> Unnamed
    Graphs "graphs" (n: Int) -> List(Graph)
    Connected "connected" (n: Int) -> List(Graph)
    Trees "trees" (n: Int) -> List(Graph)
    RootedTrees "rooted_trees" (n: Int) -> List(Graph)
    Digraphs "digraphs" (n: Int) -> List(Digraph)
    Dags "dags" (n: Int) -> List(Digraph)
    Posets "posets" (n: Int) -> List(Digraph)
    Multigraphs "multigraphs" (n: Int, edges: Int) -> List(Multigraph)
    Lists "lists" (c: Any, k: Int) -> List(List(Member))
    Bags "bags" (c: Any, k: Int) -> List(Bag(Member))
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

    pub fn is_question(self) -> bool {
        matches!(self.signature().params, [(_, ParamType::Position)])
    }

    pub fn is_compound(self) -> bool {
        self.signature().result == ResultType::Compound
    }
}
