//! The edges of a graph, 8 bytes each while they are numbered as they stand.

use super::graph::GraphEdge;

/// Edges in the order written.
#[derive(Clone, Debug, Default)]
pub struct Edges {
    ends: Vec<(u32, u32)>,
    /// Their identities, ascending; `None`: 0, 1, 2, ...
    ids: Option<Vec<u32>>,
}

impl Edges {
    /// Edges with these ends, numbered 0, 1, 2, ...
    #[must_use]
    pub fn numbered(ends: Vec<(u32, u32)>) -> Edges {
        Edges { ends, ids: None }
    }

    /// How many.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Whether the identity of each is its index.
    #[must_use]
    pub fn are_numbered(&self) -> bool {
        self.ids.is_none()
    }

    /// The ends of all.
    #[must_use]
    pub fn ends(&self) -> &[(u32, u32)] {
        &self.ends
    }

    /// The edge with this index.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<GraphEdge> {
        let &(u, v) = self.ends.get(index)?;
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
        Edges { ends, ids: (!plain).then_some(ids) }
    }
}
