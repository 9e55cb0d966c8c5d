//! Graphs: vertices are labels, edges have an identity; and what is worked out of a graph, each part when it is first asked
//! for, and kept beside it.
//!
//! Nothing is written down of vertices, edges and cells while they are all there are, in their order.

use crate::model::GraphWord;
use crate::value::{Items, Value, width};
use grundy_graphs::lattice::Lattice;
use grundy_graphs::rows::{Rows, strong_parts};
use grundy_graphs::{Ends, Parts};
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

/// All labels of a family of graphs: a graph and the graphs got from it by deleting share one table.
///
/// The number of a label is its rank in ascending order, so that sets of numbers are in the order of rule 18.
#[derive(Debug)]
pub enum Labels {
    /// `from, from + 1, ..., from + n - 1`
    Ints {
        /// The first label.
        from: i64,
        /// How many.
        n: usize,
    },
    /// The pairs (row, column) of cells of a grid: `row * cols + column`, ascending.
    Cells {
        /// The number of columns.
        cols: u32,
        /// The cells that have a label.
        places: Places,
    },
    /// Other ints, ascending.
    Numbers(Vec<i64>),
    /// Ascending; not all are ints.
    Other(Vec<Value>),
}

/// A graph, digraph or multigraph.
#[derive(Debug)]
pub struct Graph {
    /// Which.
    pub word: GraphWord,
    /// The labels; vertex numbers index it.
    pub labels: Arc<Labels>,
    /// The vertices that are there.
    pub vertices: Vertices,
    /// The edges in the order written: ends as vertex numbers, and the identity.
    pub edges: Edges,
    /// What was worked out of it.
    pub derived: Derived,
}

/// An edge of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GraphEdge {
    /// Identity: the index in the order written in the graph it was first part of.
    pub id: u32,
    /// First end (tail of an arc), a vertex number.
    pub u: u32,
    /// Second end (head of an arc).
    pub v: u32,
}

impl Graph {
    /// A total order of graphs: by kind, vertices, edges.
    pub fn compare(&self, other: &Graph) -> std::cmp::Ordering {
        if std::ptr::eq(self, other) {
            return std::cmp::Ordering::Equal;
        }
        let words = (self.word as u8).cmp(&(other.word as u8));
        let number = |e: GraphEdge| (e.id, e.u, e.v);
        // Numbers of one table are ordered as their labels.
        let one_table = match (&*self.labels, &*other.labels) {
            (Labels::Ints { from: a, .. }, Labels::Ints { from: b, .. }) => a == b,
            _ => Arc::ptr_eq(&self.labels, &other.labels),
        };
        if one_table {
            let edges = || self.edges.iter().map(number).cmp(other.edges.iter().map(number));
            return words.then_with(|| self.vertices.iter().cmp(other.vertices.iter())).then_with(edges);
        }
        let label = |e: GraphEdge, g: &Graph| (e.id, g.label(e.u), g.label(e.v));
        let vertices = || {
            let theirs = other.vertices.iter().map(|&v| other.label(v));
            self.vertices.iter().map(|&v| self.label(v)).cmp(theirs)
        };
        let edges = || self.edges.iter().map(|e| label(e, self)).cmp(other.edges.iter().map(|e| label(e, other)));
        words.then_with(vertices).then_with(edges)
    }

    /// Hashes what [`Graph::compare`] compares, by sizes and the first edges only: equal graphs hash alike.
    pub(crate) fn hash_into<H: std::hash::Hasher>(&self, state: &mut H) {
        use std::hash::Hash;
        (self.word as u8, self.vertices.len(), self.edges.len()).hash(state);
        for edge in self.edges.first(64) {
            (edge.id, self.label(edge.u), self.label(edge.v)).hash(state);
        }
    }

    /// The label of a vertex number.
    ///
    /// # Panics
    /// When the number is not in the table, which no graph of this table has.
    pub fn label(&self, v: u32) -> Value {
        self.labels.label(v)
    }

    /// The vertex number of a label that is present here.
    pub fn number(&self, label: &Value) -> Option<u32> {
        self.labels.number(label).filter(|&v| self.vertices.has(v))
    }

    /// The vertices with these numbers, which are below the number of labels.
    pub(crate) fn vertex_items(&self, numbers: impl Iterator<Item = u32>) -> Items {
        match &*self.labels {
            &Labels::Cells { cols, ref places } => {
                // Most cells are in the row of the one before: no division.
                let (mut row, mut start) = (0, 0);
                let cell = |v| {
                    let place = places.at(v);
                    if place.wrapping_sub(start) >= cols {
                        (row, start) = (place / cols, place - place % cols);
                    }
                    (row.cast_signed(), (place - start).cast_signed()) // below ITEM_LIMIT
                };
                let most = numbers.size_hint().1.unwrap_or(0).min(self.vertices.len());
                let mut cells = Vec::with_capacity(most);
                cells.extend(numbers.map(cell));
                cells.shrink_to_fit();
                Items::pairs(cells)
            }
            Labels::Other(_) => numbers.map(|v| self.label(v)).collect(),
            labels => Items::ints(numbers.filter_map(|v| labels.int(v)).collect()),
        }
    }

    /// Whether all members of a packed set are vertices; `false` for sets not packed as the labels are. Linear.
    pub(crate) fn has_all(&self, set: &Items) -> bool {
        match (&*self.labels, set.as_ints(), set.as_pairs()) {
            (&Labels::Ints { from, .. }, Some(ints), _) => {
                ints.iter().all(|&n| n >= from && u32::try_from(n.abs_diff(from)).is_ok_and(|v| self.vertices.has(v)))
            }
            (Labels::Numbers(_), Some(ints), _) => ints.iter().all(|&n| self.number(&Value::Int(n)).is_some()),
            (&Labels::Cells { cols, ref places }, _, Some(pairs)) => {
                // Both ascend.
                let mut labels = places.iter();
                pairs.iter().all(|&(row, col)| {
                    let (Ok(row), Ok(col)) = (u64::try_from(row), u32::try_from(col)) else { return false };
                    let wanted = row * u64::from(cols) + u64::from(col);
                    let found = labels.find(|&(_, place)| u64::from(place) >= wanted);
                    col < cols && found.is_some_and(|(v, place)| u64::from(place) == wanted && self.vertices.has(v))
                })
            }
            _ => false,
        }
    }

    /// The rows of [`Graph::successors`]; made when first asked for, in time linear in labels and edges (and sorting the rows).
    pub fn out_rows(&self) -> &Arc<Rows> {
        self.derived.out.get_or_init(|| Arc::new(out_rows(self.word, self.labels.len(), &self.edges)))
    }

    /// The rows of [`Graph::predecessors`], likewise.
    pub(crate) fn in_rows(&self) -> &Arc<Rows> {
        if self.word != GraphWord::Digraph {
            return self.out_rows();
        }
        self.derived.inn.get_or_init(|| Arc::new(self.out_rows().reversed()))
    }

    /// The strong components of the vertices that are there, in topological order; linear when first asked for.
    pub fn strong_components(&self) -> &Parts {
        let from = || self.vertices.iter().rev().copied();
        self.derived.strong.get_or_init(|| strong_parts(self.out_rows(), from()))
    }

    /// Distinct vertices that an arc leads to (in a graph: all neighbours), ascending numbers.
    pub fn successors(&self, v: u32) -> &[u32] {
        self.out_rows().ends(v)
    }

    /// Distinct vertices that an arc comes from (in a graph: all neighbours), ascending numbers.
    pub fn predecessors(&self, v: u32) -> &[u32] {
        self.in_rows().ends(v)
    }

    /// Distinct neighbours, directions ignored, ascending numbers.
    pub fn neighbours(&self, v: u32) -> std::borrow::Cow<'_, [u32]> {
        let out = self.successors(v);
        if self.word != GraphWord::Digraph {
            return out.into();
        }
        let mut all = [out, self.predecessors(v)].concat();
        all.sort_unstable();
        all.dedup();
        all.into()
    }

    /// How many ends of edges there are at a vertex: loops count 2. Constant for graphs and digraphs once the rows are
    /// there, linear in the edges of a multigraph.
    pub fn degree(&self, v: u32) -> usize {
        match self.word {
            GraphWord::Graph => {
                let row = self.successors(v);
                row.len() + usize::from(row.binary_search(&v).is_ok())
            }
            GraphWord::Digraph => self.successors(v).len() + self.predecessors(v).len(),
            GraphWord::Multigraph => {
                self.edges.ends().iter().map(|e| usize::from(e.0 == v) + usize::from(e.1 == v)).sum()
            }
        }
    }
}

impl Labels {
    /// How many labels.
    #[allow(clippy::len_without_is_empty)] // nobody asks
    pub fn len(&self) -> usize {
        match self {
            Labels::Ints { n, .. } => *n,
            Labels::Cells { places, .. } => places.len(),
            Labels::Numbers(numbers) => numbers.len(),
            Labels::Other(labels) => labels.len(),
        }
    }

    /// The label of a number below [`Labels::len`].
    pub fn label(&self, v: u32) -> Value {
        match self {
            Labels::Ints { from, .. } => Value::Int(from + i64::from(v)),
            Labels::Cells { cols, places } => {
                let place = places.at(v);
                Value::pair(Value::Int((place / cols).into()), Value::Int((place % cols).into()))
            }
            Labels::Numbers(numbers) => Value::Int(numbers[v as usize]),
            Labels::Other(labels) => labels[v as usize].clone(),
        }
    }

    /// The same where labels are ints.
    pub fn int(&self, v: u32) -> Option<i64> {
        match self {
            Labels::Ints { from, .. } => Some(from + i64::from(v)),
            Labels::Numbers(numbers) => numbers.get(v as usize).copied(),
            Labels::Cells { .. } | Labels::Other(_) => None,
        }
    }

    /// The number of a label.
    pub fn number(&self, label: &Value) -> Option<u32> {
        match (self, label) {
            (Labels::Ints { from, n }, Value::Int(k)) => {
                let number = u32::try_from(k.checked_sub(*from)?).ok()?;
                ((number as usize) < *n).then_some(number)
            }
            (Labels::Cells { cols, places }, Value::Tuple(parts)) => match parts[..] {
                [Value::Int(row), Value::Int(col)] if (0..i64::from(*cols)).contains(&col) => {
                    let place = row.checked_mul(i64::from(*cols))?.checked_add(col)?;
                    places.number(u32::try_from(place).ok()?)
                }
                _ => None,
            },
            (Labels::Numbers(numbers), Value::Int(k)) => {
                numbers.binary_search(k).ok().and_then(|v| u32::try_from(v).ok())
            }
            (Labels::Ints { .. } | Labels::Cells { .. } | Labels::Numbers(_), _) => None,
            (Labels::Other(labels), label) => labels.binary_search(label).ok().and_then(|i| u32::try_from(i).ok()),
        }
    }
}

/// Vertex numbers in graph order, each once.
#[derive(Clone, Debug)]
pub struct Vertices(Order);

#[derive(Clone, Debug)]
enum Order {
    /// All numbers below, ascending. Spelled out when asked for: grids are large.
    All(usize, OnceLock<Arc<[u32]>>),
    /// These, and of each number whether it is there.
    Some(Arc<[u32]>, Arc<[bool]>),
}

impl Vertices {
    /// `0..n`
    pub(crate) fn all(n: usize) -> Vertices {
        Vertices(Order::All(n, OnceLock::new()))
    }

    /// Numbers below `n` in this order; repeated ones count once.
    pub fn new(n: usize, mut order: Vec<u32>) -> Vertices {
        if order.len() == n && (0..).zip(&order).all(|(v, at)| v == *at) {
            return Vertices::all(n);
        }
        let mut there = vec![false; n];
        order.retain(|&v| !std::mem::replace(&mut there[v as usize], true));
        Vertices(Order::Some(order.into(), there.into()))
    }

    /// How many; nothing is spelled out.
    pub(crate) fn len(&self) -> usize {
        match &self.0 {
            Order::All(n, _) => *n,
            Order::Some(order, _) => order.len(),
        }
    }

    /// Whether a number is there.
    #[inline]
    pub(crate) fn has(&self, v: u32) -> bool {
        match &self.0 {
            Order::All(n, _) => (v as usize) < *n,
            Order::Some(_, there) => there.get(v as usize).is_some_and(|there| *there),
        }
    }

    /// Whether they ascend; nothing is spelled out.
    pub(crate) fn ascend(&self) -> bool {
        matches!(self.0, Order::All(..)) || self.is_sorted()
    }
}

impl std::ops::Deref for Vertices {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        match &self.0 {
            Order::All(n, spelled) => spelled.get_or_init(|| (0..).take(*n).collect()),
            Order::Some(order, _) => order,
        }
    }
}

/// Edges in the order written.
#[derive(Clone, Debug, Default)]
pub struct Edges {
    /// The ends of all; of those of a grid, when they were asked for.
    ends: OnceLock<Arc<Vec<Ends>>>,
    /// The grid of which these are all edges. Writing its edges down would take as long as solving geography on it.
    lattice: Option<Lattice>,
    /// Their identities, ascending; `None`: 0, 1, 2, ...
    ids: Option<Vec<u32>>,
}

impl From<Vec<Ends>> for Edges {
    /// Edges with these ends, numbered 0, 1, 2, ...
    fn from(ends: Vec<Ends>) -> Edges {
        Edges { ends: Arc::new(ends).into(), lattice: None, ids: None }
    }
}

impl From<Lattice> for Edges {
    fn from(lattice: Lattice) -> Edges {
        Edges { ends: OnceLock::new(), lattice: Some(lattice), ids: None }
    }
}

impl Edges {
    pub(crate) fn as_lattice(&self) -> Option<&Lattice> {
        self.lattice.as_ref()
    }

    /// How many.
    #[allow(clippy::len_without_is_empty)] // nobody asks
    pub fn len(&self) -> usize {
        self.lattice.as_ref().map_or_else(|| self.ends().len(), Lattice::edges)
    }

    /// Whether the identity of each is its index.
    pub(crate) fn are_numbered(&self) -> bool {
        self.ids.is_none()
    }

    /// The ends of all; written out when first asked for.
    pub fn ends(&self) -> &[Ends] {
        self.ends.get_or_init(|| Arc::new(self.lattice.as_ref().map_or_else(Vec::new, Lattice::ends)))
    }

    /// Without those at ascending indices; the others are numbered anew.
    pub fn without(&self, indices: &[u32]) -> Edges {
        let mut gone = indices.iter().peekable();
        let kept = (0..).zip(self.ends()).filter(|(index, _)| gone.next_if_eq(&index).is_none());
        kept.map(|(_, ends)| *ends).collect::<Vec<_>>().into()
    }

    /// The edge with this index.
    pub fn get(&self, index: usize) -> Option<GraphEdge> {
        let (u, v) = *self.ends().get(index)?;
        let id = match &self.ids {
            Some(ids) => *ids.get(index)?,
            None => u32::try_from(index).ok()?,
        };
        Some(GraphEdge { id, u, v })
    }

    /// The index of the edge with this identity. Logarithmic.
    pub fn index(&self, id: u32) -> Option<usize> {
        match &self.ids {
            Some(ids) => ids.binary_search(&id).ok(),
            None => Some(id as usize).filter(|&index| index < self.len()),
        }
    }

    /// The first of them, so many at most. Linear in their number.
    pub fn first(&self, most: usize) -> Vec<GraphEdge> {
        let Some(lattice) = &self.lattice else { return self.iter().take(most).collect() };
        let mut first = Vec::new();
        lattice.all(|(u, v)| {
            if let Ok(id) = u32::try_from(first.len())
                && first.len() < most
            {
                first.push(GraphEdge { id, u, v });
            }
            first.len() < most
        });
        first
    }

    /// All in order.
    pub fn iter(&self) -> impl Iterator<Item = GraphEdge> + '_ {
        (0..self.len()).filter_map(|index| self.get(index))
    }
}

impl FromIterator<GraphEdge> for Edges {
    /// Identities must ascend.
    fn from_iter<T: IntoIterator<Item = GraphEdge>>(edges: T) -> Self {
        let (ends, ids): (Vec<_>, Vec<_>) = edges.into_iter().map(|e| ((e.u, e.v), e.id)).unzip();
        let plain = (0..).zip(&ids).all(|(index, &id)| index == id);
        Edges { ids: (!plain).then_some(ids), ..Edges::from(ends) }
    }
}

/// Ascending numbers; nothing is kept while they are all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Places {
    /// `0..n`
    All(u32),
    /// These.
    Some(Vec<u32>),
}

impl Places {
    /// So many ascending numbers below a bound.
    pub fn of(bound: usize, count: usize, numbers: impl Iterator<Item = u32>) -> Places {
        match u32::try_from(bound) {
            Ok(all) if count == bound => Places::All(all),
            _ => {
                let mut some = Vec::with_capacity(count);
                some.extend(numbers);
                Places::Some(some)
            }
        }
    }

    /// Bytes that it takes.
    pub fn bytes(&self) -> usize {
        match self {
            Places::All(_) => 0,
            Places::Some(places) => places.len() * 4,
        }
    }

    /// How many there are.
    #[allow(clippy::len_without_is_empty)] // nobody asks
    pub fn len(&self) -> usize {
        match self {
            Places::All(n) => *n as usize,
            Places::Some(places) => places.len(),
        }
    }

    /// The cell of an index below [`Places::len`].
    ///
    /// # Panics
    /// When it is not below, unless all cells have a label.
    #[inline]
    pub fn at(&self, v: u32) -> u32 {
        match self {
            Places::All(_) => v,
            Places::Some(places) => places[v as usize],
        }
    }

    /// The number of a cell. Logarithmic.
    pub fn number(&self, place: u32) -> Option<u32> {
        match self {
            Places::All(n) => Some(place).filter(|place| place < n),
            Places::Some(places) => places.binary_search(&place).ok().and_then(|i| u32::try_from(i).ok()),
        }
    }

    /// All in order.
    pub fn all(&self) -> impl Iterator<Item = u32> + Clone + '_ {
        let (all, some) = match self {
            Places::All(n) => (*n, &[][..]),
            Places::Some(places) => (0, places.as_slice()),
        };
        (0..all).chain(some.iter().copied())
    }

    /// All as a slice, which is made where nothing is kept.
    pub fn slice(&self) -> Cow<'_, [u32]> {
        match self {
            Places::All(n) => (0..*n).collect(),
            Places::Some(places) => Cow::Borrowed(places),
        }
    }

    /// All with their numbers, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        (0..).zip(self.all())
    }
}

/// What was asked of a graph, which never changes. A theorem asks first who wins and then for the moves, of the same graph.
#[derive(Debug, Default)]
pub struct Derived {
    /// Distinct neighbours of each vertex number, ascending: along arcs of a digraph, both ways otherwise.
    pub(super) out: OnceLock<Arc<Rows>>,
    /// Distinct neighbours against the arcs of a digraph; never made otherwise.
    inn: OnceLock<Arc<Rows>>,
    strong: OnceLock<Parts>,
    /// A maximum matching; numbers of vertices that are not there count as vertices without edges.
    pub matched: OnceLock<grundy_graphs::matching::Matched>,
    /// Green Hackenbush for the first sets of edges asked about: all edges, and those of them that hang on the ground.
    pub hackenbush: [OnceLock<Hackenbush>; 2],
}

/// Green Hackenbush with some edges of a graph.
#[derive(Debug)]
pub struct Hackenbush {
    /// The vertex numbers of the ground.
    pub ground: Vec<u32>,
    /// The indices of the edges.
    pub edges: Places,
    /// What one search tells.
    pub fused: grundy_graphs::fusion::Fused,
    /// The first edge that was cut such that others fell with it, and the edges that were left.
    pub cut: OnceLock<(u32, Places)>,
}

/// What edges of a graph are beside others.
#[derive(Clone, Copy, Debug)]
pub enum Likeness {
    /// They are the same.
    Same,
    /// They are what is left when the edge at this place is cut, with or without what falls with it.
    Without(u32),
}

impl Hackenbush {
    /// What edges are beside the ones that were asked about. Linear.
    pub fn compare(&self, edges: &Places) -> Option<Likeness> {
        if self.edges == *edges {
            return Some(Likeness::Same);
        }
        if let Some((edge, left)) = self.cut.get()
            && left == edges
        {
            return Some(Likeness::Without(*edge));
        }
        if edges.len() + 1 != self.edges.len() {
            return None;
        }
        let place = edges.all().zip(self.edges.all()).position(|(a, b)| a != b).unwrap_or(edges.len());
        let same = edges.all().skip(place).eq(self.edges.all().skip(place + 1));
        if same { u32::try_from(place).ok().map(Likeness::Without) } else { None }
    }
}

/// The rows along edges with these ends: both ways unless they are arcs.
pub(super) fn out_rows(word: GraphWord, n: usize, edges: &Edges) -> Rows {
    let Rows { mut start, to: mut items } = match word {
        GraphWord::Digraph => Rows::out(n, edges.ends()),
        _ => Rows::both(n, edges.ends().iter().copied()),
    };
    // Each row in ascending order, every member once.
    let (mut kept, mut from) = (0, 0);
    for v in 0..n {
        let to = start[v + 1] as usize;
        if crate::value::build::sort(&mut items[from..to]) {
            if kept < from {
                items.copy_within(from..to, kept);
            }
            kept += to - from;
        } else {
            let first = kept;
            for i in from..to {
                let item = items[i];
                if kept == first || items[kept - 1] != item {
                    items[kept] = item;
                    kept += 1;
                }
            }
        }
        from = to;
        start[v + 1] = width::short(kept);
    }
    items.truncate(kept);
    Rows { start, to: items }
}
