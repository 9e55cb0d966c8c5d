//! The built-in words and operators.
//!
//! In: values. Out: a value, or a fault. Words look at their arguments alone: questions about positions are answered by
//! the engines. What is an algorithm on plain graphs or heaps stands in `grundy_graphs` and `grundy_heap`; [`solvers`]
//! takes values there and back.

mod choice;
mod collection;
pub mod floors;
pub(crate) mod graph;
pub(crate) mod grid;
pub(crate) mod number;
mod operator;
pub mod solvers;
mod text;

use crate::model::{Builtin, GraphWord};
use crate::source::Code;
use crate::value::{Fault, Members, Value, in_items, iterate, position, range_size, width};
pub(crate) use crate::words::collection::no_item;
pub use crate::words::collection::{index, slice, update};
pub use crate::words::number::nim_product;
pub(crate) use crate::words::operator::all_inside;
pub use crate::words::operator::{binary, compare, contains, equal, negate};

/// How many members a word makes that its arguments do not hold, for words whose arguments are short to write: known
/// before they are made. Errors: those of [`call`].
pub(crate) fn makes(word: Builtin, args: &[Value]) -> Result<u64, Fault> {
    use Builtin as B;
    let held = |value: &Value| match value {
        Value::Range(from, to) => width::count(range_size(*from, *to)),
        _ => value.breadth(),
    };
    match (word, args) {
        (B::Slide, [from, to, taken]) => collection::slide_length(from, to, taken),
        (B::List | B::Set | B::Bag | B::Sort | B::Reverse, [range @ Value::Range(..)]) => Ok(held(range)),
        (B::Repeat, [xs, n]) => {
            let times = width::count(n.to_count("the number of repetitions")?);
            Ok(held(xs).saturating_mul(times))
        }
        _ => Ok(0),
    }
}

/// The value of a word for these arguments (`f(E for CLAUSES)` comes as one list; arguments left out at the end are
/// left out here). Errors: R01 for an argument outside the domain, R02 for the least or first of nothing, R04, R06, R07
/// as the word's own page says; E03 for an argument of the wrong type and E05 for a wrong number of them, which a
/// checked file does not have; E04 for questions, which are answered elsewhere, and for `nat`, which has no end.
pub fn call(word: Builtin, args: &[Value]) -> Result<Value, Fault> {
    use Builtin as B;
    match (word, args) {
        (B::Min | B::Max, args) => number::extremum(word == B::Max, args),
        (B::Gcd | B::Lcm, args) => number::gcd_lcm(word == B::Lcm, args),
        (B::Abs, [n]) => number::abs(n),
        (B::Sign, [n]) => number::sign(n),
        (B::Floor | B::Ceil, [r]) => number::floor(word == B::Ceil, r),
        (B::Sqrt, [n]) => number::sqrt(n),
        (B::Divisors, [n]) => number::divisors(n),
        (B::Primes, [n]) => number::primes(n),
        (B::PrimeFactors, [n]) => number::prime_factors(n),
        (B::Valuation, [n, p]) => number::valuation(n, p),
        (B::Digits, [n]) => number::digits(n, &Value::Int(10)),
        (B::Digits, [n, base]) => number::digits(n, base),
        (B::Bits, [n]) => number::bits(n),
        (B::Bit, [n, i]) => number::bit(n, i),
        (B::Mex, [c]) => number::mex(c),
        (B::Zeckendorf, [n]) => number::zeckendorf(n),
        (B::NimProduct, [a, b]) => number::product_of_values(a, b),

        (B::Size, [c]) => crate::value::size(c),
        (B::Sum, args) => collection::sum(args),
        (B::Product, args) => collection::product(args),
        (B::Xor, args) => collection::xor(args),
        (B::Tally, [values]) => collection::tally(values),
        (B::XorTally, [tally, k]) => number::xor_tally(tally, k),
        (B::Count, args) => collection::count(args),
        (B::All, args) => collection::all(args),
        (B::Any, args) => collection::any(args),
        (B::Indices, [xs]) => collection::indices(xs),
        (B::First, [xs]) => collection::end(xs, false),
        (B::Last, [xs]) => collection::end(xs, true),
        (B::Reverse, [xs]) => collection::reverse(xs),
        (B::Sort, [c]) => collection::sort(c),
        (B::List, [c]) => collection::list(c),
        (B::Set, [c]) => collection::set(c),
        (B::Bag, [c]) => collection::bag(c),
        (B::Increasing, [xs]) => collection::increasing(xs),
        (B::Repeat, [xs, n]) => collection::repeat(xs, n),
        (B::Union, args) => collection::union(args),
        (B::Choices, args) => choice::choices(args),
        (B::Subsets, [c]) => choice::subsets(c, None),
        (B::Subsets, [c, sizes]) => choice::subsets(c, Some(sizes)),
        (B::Subbags, [bag]) => choice::subbags(bag),
        (B::Pairs, [c]) => choice::pairs(c),
        (B::Choose, [c, k]) => choice::choose(c, k),
        (B::Partitions, [n]) => choice::partitions(n),
        (B::InChoices, [collections, list]) => choice::is_in_choices(collections, list),
        (B::Slide, [from, to, taken]) => collection::slide(from, to, taken),
        (B::InSlide, [from, to, taken, number]) => collection::is_in_slide(from, to, taken, number),

        (B::Places, [t, part]) => text::places(t, part),
        (B::Starts, [t, part]) => text::starts(t, part),
        (B::Split, [t, separator]) => text::split(t, separator),
        (B::Join, [c]) => text::join(c),
        (B::Words, [alphabet, lengths]) => text::words(alphabet, lengths),
        (B::Text, [n]) => Ok(text::text(n)),
        (B::Int, [t]) => text::int(t),

        (B::Graph, args) => graph::graph(GraphWord::Graph, args),
        (B::Digraph, args) => graph::graph(GraphWord::Digraph, args),
        (B::Multigraph, args) => graph::graph(GraphWord::Multigraph, args),
        (B::Path, [n]) => graph::path(n),
        (B::Cycle, [n]) => graph::cycle(n),
        (B::Complete, [n]) => graph::complete(n),
        (B::Star, [n]) => graph::star(n),
        (B::Bipartite, [a, b]) => graph::bipartite(a, b),
        (B::Petersen, []) => Ok(graph::petersen()),
        (B::Grid, args) => grid::grid(args),
        (B::Vertices, [g]) => graph::vertices(g),
        (B::Edges, [g]) => graph::edges(g, None),
        (B::Edges, [g, vs]) => graph::edges(g, Some(vs)),
        (B::Ends, [e]) => graph::ends(e),
        (B::Neighbours | B::Successors | B::Predecessors, [g, v]) => graph::beside(word, g, v),
        (B::Degree, [g, v]) => graph::degree(g, v),
        (B::Subgraph, [g, edges]) => graph::subgraph(g, edges),
        (B::Reach, [g, v]) => graph::reach(g, v),
        (B::Distance, [g, u, v]) => graph::distance(g, u, v),
        (B::Components, [g]) => graph::components(g, None),
        (B::Components, [g, vs]) => graph::components(g, Some(vs)),
        (B::StrongComponents, [g]) => graph::strong_components(g),
        (B::Grounded, [g]) => graph::grounded(g, None, None),
        (B::Grounded, [g, edges]) => graph::grounded(g, Some(edges), None),
        (B::Grounded, [g, edges, ground]) => graph::grounded(g, Some(edges), Some(ground)),
        (B::IsConnected, [g]) => graph::is_connected(g),
        (B::IsAcyclic, [g]) => graph::is_acyclic(g),
        (B::IsTree, [g]) => graph::is_tree(g),
        (B::IsBipartite, [g]) => graph::is_bipartite(g),

        (B::Rows, [g]) => grid::rows(g),
        (B::Cols, [g]) => grid::cols(g),
        (B::Cells, [g]) => grid::cells(g, None),
        (B::Cells, [g, x]) => grid::cells(g, Some(x)),
        (B::Ray, [g, c, by]) => grid::ray(g, c, by, None),
        (B::Ray, [g, c, by, taken]) => grid::ray(g, c, by, Some(taken)),
        (B::Around, [g, c]) => grid::around(g, c),

        (B::Graphs | B::Connected | B::Trees | B::RootedTrees | B::Digraphs | B::Dags | B::Posets, [n]) => {
            choice::structures(word, n, None)
        }
        (B::Multigraphs, [n, edges]) => choice::structures(word, n, Some(edges)),
        (B::ListsWithin, [of, k, most, bags, held]) => choice::tuples_within(of, k, [most, bags, held]),
        (B::Lists | B::Bags, [of, k]) => choice::tuples(word, of, k),
        (B::Nat, _) => Err(Fault::new(Code::E04, "`nat` has no end: it can only be gone through by a claim")),
        _ if word.is_compound() => position::compound(word, args),
        _ if word.is_question() => Err(Fault::new(Code::E04, "this word needs solving and has no value by itself")),
        _ => solvers::call(word, args),
    }
}

/// The arguments of a fold, one after another: the members of the only argument when it is a collection, otherwise the arguments. Error:
/// what no collection may hold.
fn folded(args: &[Value]) -> Result<Members<'_>, Fault> {
    match args {
        [Value::Range(from, to)] => {
            in_items(&[range_size(*from, *to)], "the members of this range")?;
            Ok(Members::Range(*from..=*to))
        }
        [one] if !matches!(one, Value::Int(_) | Value::Big(_) | Value::Real(_) | Value::Bool(_) | Value::Tuple(_)) => {
            iterate(one)
        }
        _ => Ok(Members::Items(args.iter())),
    }
}
