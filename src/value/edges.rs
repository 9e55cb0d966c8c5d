//! The edges of a graph: eight bytes each, and none written down while they are those of a grid.

use crate::value::graph::GraphEdge;
use grundy_graphs::Ends;
use grundy_graphs::lattice::Lattice;
use std::sync::{Arc, OnceLock};

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
        Arc::new(ends).into()
    }
}

impl From<Arc<Vec<Ends>>> for Edges {
    /// The same, shared.
    fn from(ends: Arc<Vec<Ends>>) -> Edges {
        Edges { ends: ends.into(), lattice: None, ids: None }
    }
}

impl From<Lattice> for Edges {
    /// The edges of a grid.
    fn from(lattice: Lattice) -> Edges {
        Edges { ends: OnceLock::new(), lattice: Some(lattice), ids: None }
    }
}

impl Edges {
    /// The grid of which these are all edges.
    #[must_use]
    pub fn as_lattice(&self) -> Option<&Lattice> {
        self.lattice.as_ref()
    }

    /// How many.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lattice.as_ref().map_or_else(|| self.ends().len(), Lattice::edges)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the identity of each is its index.
    #[must_use]
    pub fn are_numbered(&self) -> bool {
        self.ids.is_none()
    }

    /// The ends of all; written out when first asked for.
    #[must_use]
    pub fn ends(&self) -> &[Ends] {
        self.ends.get_or_init(|| Arc::new(self.lattice.as_ref().map_or_else(Vec::new, Lattice::ends)))
    }

    /// Without those at ascending indices; the others are numbered anew.
    #[must_use]
    pub fn without(&self, indices: &[u32]) -> Edges {
        let mut gone = indices.iter().peekable();
        let kept = (0..).zip(self.ends()).filter(|(index, _)| gone.next_if_eq(&index).is_none());
        kept.map(|(_, ends)| *ends).collect::<Vec<_>>().into()
    }

    /// The edge with this index.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<GraphEdge> {
        let (u, v) = *self.ends().get(index)?;
        let id = match &self.ids {
            Some(ids) => *ids.get(index)?,
            None => u32::try_from(index).ok()?,
        };
        Some(GraphEdge { id, u, v })
    }

    /// The index of the edge with this identity. Logarithmic.
    #[must_use]
    pub fn index(&self, id: u32) -> Option<usize> {
        match &self.ids {
            Some(ids) => ids.binary_search(&id).ok(),
            None => Some(id as usize).filter(|&index| index < self.len()),
        }
    }

    /// The first of them, so many at most. Linear in their number.
    #[must_use]
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
