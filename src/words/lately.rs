//! The last large graph that was solved: a theorem asks first who wins and then for the moves, of the same graph.

use crate::value::graph::Graph;
use crate::value::items::WeakItems;
use crate::value::{Items, Value};
use grundy_graphs::flip::Condensed;
use grundy_graphs::fusion::Fused;
use grundy_graphs::matching::Matched;
use std::cell::RefCell;
use std::rc::{self, Rc};
use std::sync::{Arc, Weak};

/// Graphs with fewer edges are solved again sooner than found.
const LARGE: usize = 1 << 12;

/// Whether what is found out about a graph is kept.
pub(super) fn is_large(graph: &Graph) -> bool {
    graph.edges.len() >= LARGE
}

/// What was solved. It is told by the places in memory of the graph and of the packed set that goes with it, neither of which
/// changes; a weak reference keeps a place from being used again.
struct Last {
    graph: Weak<Graph>,
    set: Option<WeakItems>,
    ground: Vec<u32>,
    solved: Solved,
}

#[derive(Clone)]
pub(super) enum Solved {
    Matching(Rc<Matched>),
    Flip(Rc<Condensed>),
    Fusion(Rc<Fused>),
}

thread_local! {
    static LAST: RefCell<Option<Last>> = const { RefCell::new(None) };
}

/// A large set of edges of a graph of which all hang on these vertices.
type Grounded = (Weak<Graph>, WeakItems, Vec<u32>);

thread_local! {
    /// The last one.
    static GROUNDED: RefCell<Option<Grounded>> = const { RefCell::new(None) };
}

/// Whether this is the last large set of edges of the graph that were found to hang on the ground all.
pub(super) fn is_grounded(graph: &Arc<Graph>, edges: &Items, ground: &[u32]) -> bool {
    GROUNDED.with_borrow(|last| {
        last.as_ref().is_some_and(|(of, set, known)| {
            std::ptr::eq(of.as_ptr(), Arc::as_ptr(graph)) && set.is(edges) && known == ground
        })
    })
}

/// Keeps that they do.
pub(super) fn set_grounded(graph: &Arc<Graph>, edges: &Items, ground: &[u32]) {
    if let Some(set) = edges.weak().filter(|_| is_large(graph)) {
        GROUNDED.set(Some((Arc::downgrade(graph), set, ground.to_vec())));
    }
}

/// A graph with a set and vertices that go with it.
pub(super) struct Asked<'a> {
    graph: &'a Arc<Graph>,
    /// Packed or none.
    set: Option<&'a Items>,
    ground: &'a [u32],
}

impl<'a> Asked<'a> {
    /// Nothing where the graph is small, or its set is no packed one and could not be told from another.
    pub(super) fn of(graph: &'a Arc<Graph>, set: Option<&'a Value>, ground: &'a [u32]) -> Option<Asked<'a>> {
        let set = match set {
            None => None,
            Some(Value::Set(items @ Items::Packed(_))) => Some(items),
            Some(_) => return None,
        };
        is_large(graph).then_some(Asked { graph, set, ground })
    }

    fn is(&self, last: &Last) -> bool {
        let same_set = match (self.set, &last.set) {
            (None, None) => true,
            (Some(set), Some(weak)) => weak.is(set),
            _ => false,
        };
        std::ptr::eq(last.graph.as_ptr(), Arc::as_ptr(self.graph)) && same_set && last.ground == self.ground
    }
}

/// Whether something was solved of this graph last.
pub(super) fn knows(graph: &Arc<Graph>) -> bool {
    LAST.with_borrow(|last| last.as_ref().is_some_and(|last| std::ptr::eq(last.graph.as_ptr(), Arc::as_ptr(graph))))
}

/// What was solved of a set of edges that has one edge more than this one, and the place of that edge in it.
pub(super) fn with_one_more(graph: &Arc<Graph>, edges: &Items, ground: &[u32]) -> Option<(Rc<Fused>, u32)> {
    LAST.with_borrow(|last| {
        let last = last.as_ref().filter(|last| std::ptr::eq(last.graph.as_ptr(), Arc::as_ptr(graph)))?;
        let (Solved::Fusion(fused), true) = (&last.solved, last.ground == ground) else { return None };
        let more = last.set.as_ref()?.get()?;
        let ((of, some), (_, all)) = (edges.as_edges()?, more.as_edges()?);
        if !Arc::ptr_eq(of, graph) || some.len() + 1 != all.len() {
            return None;
        }
        let place = some.all().zip(all.all()).position(|(a, b)| a != b).unwrap_or(some.len());
        let same = some.all().skip(place).eq(all.all().skip(place + 1));
        same.then_some((fused.clone(), u32::try_from(place).ok()?))
    })
}

/// What hangs on the ground when one edge of a set is cut of which the rest is known.
struct Left {
    graph: Weak<Graph>,
    ground: Vec<u32>,
    /// Packed, or few.
    edges: Result<WeakItems, Items>,
    of: rc::Weak<Fused>,
    edge: u32,
}

thread_local! {
    /// The last one.
    static LEFT: RefCell<Option<Left>> = const { RefCell::new(None) };
}

/// Keeps that these edges are what hangs on the ground when one edge is cut of the set that was solved, where all edges hang.
pub(super) fn set_left(graph: &Arc<Graph>, left: &Items, ground: &[u32], of: &Rc<Fused>, edge: u32) {
    if of.is_whole() {
        let edges = left.weak().ok_or_else(|| left.clone());
        let (graph, ground, of) = (Arc::downgrade(graph), ground.to_vec(), Rc::downgrade(of));
        LEFT.set(Some(Left { graph, ground, edges, of, edge }));
    }
}

/// The set that was solved, and the edge whose cut has left these edges of it last.
pub(super) fn left(graph: &Arc<Graph>, edges: &Items, ground: &[u32]) -> Option<(Rc<Fused>, u32)> {
    LEFT.with_borrow(|last| {
        let last = last.as_ref()?;
        let same = match &last.edges {
            Ok(weak) => weak.is(edges),
            Err(few) => few == edges,
        };
        let all = same && std::ptr::eq(last.graph.as_ptr(), Arc::as_ptr(graph)) && last.ground == ground;
        if all { Some((last.of.upgrade()?, last.edge)) } else { None }
    })
}

/// What was solved of this last, as `pick` takes it; else what `solve` makes, which is kept. Large things that were kept before
/// are dropped first.
pub(super) fn solved<T>(
    asked: Option<&Asked<'_>>,
    pick: impl Fn(&Solved) -> Option<Rc<T>>,
    wrap: impl Fn(Rc<T>) -> Solved,
    solve: impl FnOnce() -> T,
) -> Rc<T> {
    let Some(asked) = asked else { return Rc::new(solve()) };
    let known =
        LAST.with_borrow(|last| last.as_ref().filter(|last| asked.is(last)).and_then(|last| pick(&last.solved)));
    if let Some(known) = known {
        return known;
    }
    LAST.set(None);
    let solved = Rc::new(solve());
    let set = asked.set.and_then(Items::weak);
    let (graph, ground) = (Arc::downgrade(asked.graph), asked.ground.to_vec());
    LAST.set(Some(Last { graph, set, ground, solved: wrap(solved.clone()) }));
    solved
}
