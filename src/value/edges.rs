//! The edges of a graph: none written down while they are those of a grid, 4 bytes each while they are numbered as they stand and
//! those with the same first end stand together, 8 bytes else.

use crate::value::graph::GraphEdge;
use grundy_graphs::lattice::Lattice;
use std::sync::{Arc, OnceLock};

/// Edges in the order written.
#[derive(Clone, Debug, Default)]
pub struct Edges {
    form: Form,
    /// Their identities, ascending; `None`: 0, 1, 2, ...
    ids: Option<Vec<u32>>,
}

#[derive(Clone, Debug)]
enum Form {
    Pairs(Arc<Vec<(u32, u32)>>),
    Runs {
        runs: Runs,
        /// All ends, when they were asked for.
        pairs: OnceLock<Vec<(u32, u32)>>,
    },
    /// Those of a grid, and all ends, when they were asked for.
    Lattice(Arc<Lattice>, OnceLock<Vec<(u32, u32)>>),
}

/// Edges one after the other; those in a run have the same first end.
#[derive(Clone, Debug, Default)]
struct Runs {
    /// First ends, and where their runs end.
    first: Vec<(u32, u32)>,
    second: Vec<u32>,
}

impl Runs {
    /// So many edges tell whether runs are worth it.
    const ENOUGH: usize = 1 << 16;

    fn iter(&self) -> impl Iterator<Item = (u32, &[u32])> {
        let mut from = 0;
        self.first.iter().map(move |&(u, to)| {
            let run = &self.second[from as usize..to as usize];
            from = to;
            (u, run)
        })
    }

    fn pairs(&self) -> Vec<(u32, u32)> {
        let mut pairs = Vec::with_capacity(self.second.len());
        for (u, run) in self.iter() {
            pairs.extend(run.iter().map(|&v| (u, v)));
        }
        pairs
    }
}

impl Default for Form {
    fn default() -> Self {
        Form::Pairs(Arc::default())
    }
}

impl From<Vec<(u32, u32)>> for Edges {
    /// Edges with these ends, numbered 0, 1, 2, ...
    fn from(pairs: Vec<(u32, u32)>) -> Edges {
        Arc::new(pairs).into()
    }
}

impl From<Arc<Vec<(u32, u32)>>> for Edges {
    /// The same.
    fn from(pairs: Arc<Vec<(u32, u32)>>) -> Edges {
        Edges { form: Form::Pairs(pairs), ids: None }
    }
}

impl Edges {
    /// No edges yet, for many of which neighbours in the order written may have the same first end.
    #[must_use]
    pub fn in_runs() -> Edges {
        Edges { form: Form::Runs { runs: Runs::default(), pairs: OnceLock::new() }, ids: None }
    }

    /// The edges of a grid.
    #[must_use]
    pub fn of_lattice(lattice: Arc<Lattice>) -> Edges {
        Edges { form: Form::Lattice(lattice, OnceLock::new()), ids: None }
    }

    /// The grid of which these are all edges.
    #[must_use]
    pub fn as_lattice(&self) -> Option<&Arc<Lattice>> {
        match &self.form {
            Form::Lattice(lattice, _) => Some(lattice),
            _ => None,
        }
    }

    /// The edges to be changed, written down.
    fn written(&mut self) -> &mut Form {
        if let Form::Lattice(lattice, _) = &self.form {
            self.form = Form::Pairs(Arc::new(lattice.ends()));
        }
        &mut self.form
    }

    /// One more edge, of those that are numbered as they stand.
    #[inline]
    pub fn push(&mut self, u: u32, v: u32) {
        match self.written() {
            Form::Lattice(..) => {}
            Form::Pairs(pairs) => Arc::make_mut(pairs).push((u, v)),
            Form::Runs { runs, .. } => {
                runs.second.push(v);
                match runs.first.last_mut() {
                    Some((first, to)) if *first == u => *to += 1,
                    _ => self.begin(u),
                }
            }
        }
    }

    /// A run of this first end begins with the last edge; or they prove too short.
    fn begin(&mut self, u: u32) {
        let Form::Runs { runs, .. } = &mut self.form else { return };
        runs.first.push((u, u32::try_from(runs.second.len()).unwrap_or(u32::MAX))); // no graph has more
        if runs.second.len() > Runs::ENOUGH && runs.first.len() > runs.second.len() / 4 {
            self.form = Form::Pairs(Arc::new(runs.pairs()));
        }
    }

    /// Whether the last edge is in a run of this first end.
    #[inline]
    #[must_use]
    pub fn ends_with_run_of(&self, u: u32) -> bool {
        match &self.form {
            Form::Pairs(_) | Form::Lattice(..) => false,
            Form::Runs { runs, .. } => runs.first.last().is_some_and(|(first, _)| *first == u),
        }
    }

    /// How many.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.form {
            Form::Pairs(pairs) => pairs.len(),
            Form::Runs { runs, .. } => runs.second.len(),
            Form::Lattice(lattice, _) => lattice.edges(),
        }
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
    pub fn ends(&self) -> &[(u32, u32)] {
        match &self.form {
            Form::Pairs(pairs) => pairs,
            Form::Runs { runs, pairs } => pairs.get_or_init(|| runs.pairs()),
            Form::Lattice(lattice, pairs) => pairs.get_or_init(|| lattice.ends()),
        }
    }

    /// Calls `each` with first ends and some second ends, such that all edges come in their order, until it says `false`; the
    /// last it said.
    #[inline]
    pub fn all(&self, mut each: impl FnMut(u32, &[u32]) -> bool) -> bool {
        match &self.form {
            Form::Pairs(pairs) => {
                for (u, v) in &**pairs {
                    if !each(*u, std::slice::from_ref(v)) {
                        return false;
                    }
                }
                true
            }
            Form::Runs { runs, .. } => runs.iter().all(|(u, run)| each(u, run)),
            Form::Lattice(lattice, _) => lattice.all(|(u, v)| each(u, &[v])),
        }
    }

    /// Calls `each` with first ends and some second ends, such that all edges come in their order.
    #[inline]
    pub fn each(&self, mut each: impl FnMut(u32, &[u32])) {
        self.all(|u, some| {
            each(u, some);
            true
        });
    }

    /// Gives vertices other numbers. Those of different vertices must differ.
    pub fn renumber(&mut self, number: impl Fn(u32) -> u32) {
        match self.written() {
            Form::Lattice(..) => {}
            Form::Pairs(pairs) => {
                for (u, v) in Arc::make_mut(pairs) {
                    (*u, *v) = (number(*u), number(*v));
                }
            }
            Form::Runs { runs, pairs } => {
                *pairs = OnceLock::new();
                for (u, _) in &mut runs.first {
                    *u = number(*u);
                }
                for v in &mut runs.second {
                    *v = number(*v);
                }
            }
        }
    }

    /// Without those at ascending indices; the others are numbered anew.
    pub fn drop_at(&mut self, indices: &[u32]) {
        let mut gone = indices.iter().map(|&index| index as usize).peekable();
        let mut at = 0;
        let mut keep = move || {
            at += 1;
            gone.next_if_eq(&(at - 1)).is_none()
        };
        self.ids = None;
        match self.written() {
            Form::Lattice(..) => {}
            Form::Pairs(pairs) => Arc::make_mut(pairs).retain(|_| keep()),
            Form::Runs { runs, pairs } => {
                *pairs = OnceLock::new();
                runs.second.retain(|_| keep());
                let (mut less, mut gone) = (0, indices.iter().peekable());
                for (_, to) in &mut runs.first {
                    while gone.next_if(|&&index| index < *to).is_some() {
                        less += 1;
                    }
                    *to -= less;
                }
            }
        }
    }

    /// The edge with this index. Logarithmic, as long as the ends of all were not asked for.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<GraphEdge> {
        let (u, v) = match &self.form {
            Form::Runs { runs, pairs } if pairs.get().is_none() => {
                let run = runs.first.partition_point(|&(_, to)| to as usize <= index);
                (runs.first.get(run)?.0, *runs.second.get(index)?)
            }
            _ => *self.ends().get(index)?,
        };
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
        let Form::Lattice(lattice, _) = &self.form else { return self.iter().take(most).collect() };
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
        Edges { form: Form::Pairs(Arc::new(ends)), ids: (!plain).then_some(ids) }
    }
}

#[cfg(test)]
mod tests {
    use crate::value::edges::{Edges, Form, Runs};

    /// Edges in both forms are what is written, whatever is done with them.
    #[test]
    fn runs_are_pairs() {
        for (count, tails) in
            [(0, 1), (1, 1), (40, 1), (40, 7), (40, 40), (2 * Runs::ENOUGH, 9), (2 * Runs::ENOUGH, 1 << 20)]
        {
            let pairs: Vec<(u32, u32)> = (0..).take(count).map(|i: u32| (i / 16 * 31 % tails, i * 7 % 101)).collect();
            let scattered: Vec<(u32, u32)> = (0..).take(count).map(|i: u32| (i * 31 % tails, i * 7 % 101)).collect();
            for mut pairs in [pairs, scattered] {
                let (mut edges, mut plain) = (Edges::in_runs(), Edges::from(pairs.clone()));
                for &(u, v) in &pairs {
                    edges.push(u, v);
                }
                let even = pairs.windows(2).filter(|two| two[0].0 != two[1].0).count() * 8 < count;
                assert!(!even || matches!(edges.form, Form::Runs { .. }));
                let gone: Vec<u32> = (0..).take(count).filter(|i| i % 5 == 2 || i / 32 % 3 == 1).collect();
                for step in 0..3 {
                    for edges in [&edges, &plain] {
                        let mut all = Vec::new();
                        edges.each(|u, some| all.extend(some.iter().map(|&v| (u, v))));
                        assert!(all == pairs && edges.len() == pairs.len(), "{count} {tails}");
                        assert!((0..).zip(&pairs).step_by(1 + count / 50).all(|(i, &(u, v))| {
                            edges.get(i).is_some_and(|edge| (edge.u, edge.v, edge.id as usize) == (u, v, i))
                        }));
                        assert!(edges.get(pairs.len()).is_none() && edges.ends() == pairs);
                    }
                    if step == 0 {
                        edges.renumber(|v| 3 * v + 1);
                        plain.renumber(|v| 3 * v + 1);
                        for (u, v) in &mut pairs {
                            (*u, *v) = (3 * *u + 1, 3 * *v + 1);
                        }
                    } else if step == 1 {
                        edges.drop_at(&gone);
                        plain.drop_at(&gone);
                        let mut at = 0;
                        pairs.retain(|_| {
                            at += 1;
                            gone.binary_search(&(at - 1)).is_err()
                        });
                    }
                }
            }
        }
    }
}
