//! Every word that code can call: built-in words, compounds, enumerations, solvers.

use crate::model::builtin::Builtin;
use crate::model::kind::GraphWord;
use crate::source::diagnostic::Code;
use crate::value::fault::Fault;
use crate::value::graph::{Graph, Labels};
use crate::value::{Value, in_items, members};
use crate::words;
use crate::words::positions;
use crate::words::solvers;
use grundy_graphs::{Ends, enumerate};
use hashbrown::HashMap;
use std::cell::RefCell;
use std::sync::Arc;

/// So many enumerations are remembered before all are forgotten.
const ENUMERATIONS_KEPT: usize = 64;

thread_local! {
    /// Graphs by word and arguments: claims ask for them in inner loops.
    static ENUMERATIONS: RefCell<HashMap<(Builtin, usize, usize), Value>> = RefCell::default();
}

/// The value of a word.
pub(crate) fn call(word: Builtin, args: &[Value]) -> Result<Value, Fault> {
    use Builtin as B;
    match word {
        _ if word.is_compound() => positions::compound(word, args),
        B::Graphs | B::Connected | B::Trees | B::RootedTrees | B::Digraphs | B::Dags | B::Posets | B::Multigraphs => {
            structures(word, args)
        }
        B::Lists | B::Bags => tuples(word, args),
        B::FlipOutcome
        | B::FlipWinning
        | B::FlipDrawing
        | B::Fusion
        | B::FusionWinning
        | B::Matching
        | B::SometimesUnmatched
        | B::EdgeGeographyWinning
        | B::Octal
        | B::Subtraction => solvers::call(word, args),
        B::Nat => Err(Fault::new(Code::E04, "`nat` has no end: it can only be gone through by a claim")),
        _ => words::call(word, args),
    }
}

/// All graphs of a kind up to isomorphism, on the vertices 0, 1, ...; remembered for each thread.
fn structures(word: Builtin, args: &[Value]) -> Result<Value, Fault> {
    let n = args.first().map_or(Ok(0), |n| n.to_count("the number of vertices"))?;
    let edges = args.get(1).map_or(Ok(0), |n| n.to_count("the number of edges"))?;
    let key = (word, n, edges);
    if let Some(known) = ENUMERATIONS.with_borrow(|all| all.get(&key).cloned()) {
        return Ok(known);
    }
    let (kind, all) = match word {
        Builtin::Graphs => (GraphWord::Graph, enumerate::graphs(n)),
        Builtin::Connected => (GraphWord::Graph, enumerate::connected(n)),
        Builtin::Trees => (GraphWord::Graph, enumerate::trees(n)),
        Builtin::RootedTrees => (GraphWord::Graph, enumerate::rooted_trees(n)),
        Builtin::Digraphs => (GraphWord::Digraph, enumerate::digraphs(n)),
        Builtin::Dags => (GraphWord::Digraph, enumerate::dags(n)),
        Builtin::Posets => (GraphWord::Digraph, enumerate::posets(n)),
        _ => (GraphWord::Multigraph, enumerate::multigraphs(n, edges)),
    };
    let all = all.map_err(|message| Fault::new(Code::R06, message))?;
    let labels = Arc::new(Labels::Ints { from: 0, n });
    let graph = |edges: Vec<Ends>| Value::Graph(Arc::new(Graph::of_numbers(kind, labels.clone(), None, edges)));
    let value = Value::list(all.into_iter().map(graph).collect());
    ENUMERATIONS.with_borrow_mut(|known| {
        if known.len() >= ENUMERATIONS_KEPT {
            known.clear();
        }
        known.insert(key, value.clone());
    });
    Ok(value)
}

/// Choices of `k` members, with repetition: lists in the order of the members, bags of distinct members.
fn tuples(word: Builtin, args: &[Value]) -> Result<Value, Fault> {
    let [of, k] = args else {
        return Err(Fault::new(Code::E05, format!("{} arguments do not fit this word", args.len())));
    };
    let mut items = members(of)?.into_owned();
    let k = k.to_count("the number of members")?;
    if word == Builtin::Bags {
        // Equal members make equal bags: each value once.
        items.sort_unstable();
        items.dedup();
        in_items(&[count_bags(items.len(), k), k.max(1)], "these bags")?;
    } else {
        let all = u32::try_from(k).ok().and_then(|k| items.len().checked_pow(k)).unwrap_or(usize::MAX);
        in_items(&[all, k.max(1)], "these lists")?;
    }
    let choose = |indices: Vec<usize>| indices.into_iter().map(|i| items[i].clone()).collect::<Vec<_>>();
    Ok(Value::list(if word == Builtin::Bags {
        enumerate::bags(items.len(), k).map(|indices| Value::bag(choose(indices))).collect()
    } else {
        enumerate::lists(items.len(), k).map(|indices| Value::list(choose(indices))).collect()
    }))
}

/// `C(c + k - 1, k)`, or the greatest `usize`.
fn count_bags(c: usize, k: usize) -> usize {
    if c == 0 {
        return usize::from(k == 0);
    }
    let less = k.min(c - 1);
    let most = c - 1 + k;
    (0..less).try_fold(1usize, |all, i| all.checked_mul(most - i).map(|all| all / (i + 1))).unwrap_or(usize::MAX)
}
