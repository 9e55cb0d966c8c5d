//! Places for the vertices of a graph: trees and graphs without cycles in layers, others by springs.
//!
//! Layers: the longest path from a source; inside of a layer the mean of the neighbours' places, some sweeps up and down; an edge has a
//! place in each layer that it goes through (Sugiyama, Tagawa and Toda 1981). Springs: Fruchterman and Reingold 1991, from a circle, so that equal graphs look alike.

/// Sweeps over the layers.
const SWEEPS: usize = 8;

/// Steps of the springs.
const STEPS: usize = 300;

/// More vertices stand on a circle: the springs take the square of their number.
const SPRINGS: usize = 250;

/// More edges go straight: nobody could follow each of them.
const BENT: usize = 400;

/// The room that an edge takes in a layer that it goes through; vertices take 1.
const THIN: f64 = 0.3;

/// Where the vertices and edges of a graph are, in columns and rows, the first row at the top.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    /// Of the vertices, neighbours in a row a unit apart at least.
    pub places: Vec<(f64, f64)>,
    /// Through which places each edge goes, from its first end to its second one; none: it is straight.
    pub bends: Vec<Vec<(f64, f64)>>,
}

/// Lays out a graph of `n` vertices; `ground`: the vertices that stand at the bottom, from which all others grow, if there are such.
/// `O(n^2 + edges)` times some hundred.
#[allow(clippy::cast_precision_loss)] // pictures have few vertices
pub fn layout(n: usize, edges: &[(usize, usize)], directed: bool, ground: &[usize]) -> Layout {
    let straight = |places| Layout { places, bends: vec![Vec::new(); edges.len()] };
    if n == 0 {
        return straight(Vec::new());
    }
    let mut neighbours = vec![Vec::new(); n];
    for &(u, v) in edges.iter().filter(|(u, v)| u != v) {
        neighbours[u].push(v);
        neighbours[v].push(u);
    }
    let layers = match (ground, directed) {
        ([_, ..], _) => Some(distances(&neighbours, ground)),
        ([], true) => longest_paths(n, edges),
        ([], false) => roots(&neighbours, edges).map(|roots| distances(&neighbours, &roots)),
    };
    let Some(mut layers) = layers else { return straight(by_springs(n, &neighbours)) };
    let mut through = vec![Vec::new(); edges.len()];
    if edges.len() <= BENT {
        for (edge, &(u, v)) in edges.iter().enumerate() {
            // A vertex more in each layer between its ends.
            let between: Vec<usize> = match (layers[u], layers[v]) {
                (a, b) if a < b => (a + 1..b).collect(),
                (a, b) => (b + 1..a).rev().collect(),
            };
            if between.is_empty() {
                continue;
            }
            neighbours[u].retain(|w| *w != v);
            neighbours[v].retain(|w| *w != u);
            let mut last = u;
            for layer in between {
                let at = layers.len();
                layers.push(layer);
                neighbours.push(vec![last]);
                neighbours[last].push(at);
                through[edge].push(at);
                last = at;
            }
            neighbours[last].push(v);
            neighbours[v].push(last);
        }
    }
    let mut places = in_layers(&layers, &neighbours, n);
    if !ground.is_empty() {
        let last = layers.iter().copied().max().unwrap_or(0) as f64;
        for (_, row) in &mut places {
            *row = last - *row;
        }
    }
    let bends = through.iter().map(|through| through.iter().map(|at| places[*at]).collect()).collect();
    places.truncate(n);
    Layout { places, bends }
}

/// How far each vertex is from the nearest of these; those that cannot be reached stand beside them.
fn distances(neighbours: &[Vec<usize>], from: &[usize]) -> Vec<usize> {
    let mut far = vec![usize::MAX; neighbours.len()];
    let mut todo: std::collections::VecDeque<usize> = from.iter().copied().collect();
    for &v in from {
        far[v] = 0;
    }
    while let Some(v) = todo.pop_front() {
        for &next in &neighbours[v] {
            if far[next] == usize::MAX {
                far[next] = far[v] + 1;
                todo.push_back(next);
            }
        }
    }
    far.into_iter().map(|far| if far == usize::MAX { 0 } else { far }).collect()
}

/// Of a forest a vertex of each tree from which none is far; `None`: there is a cycle.
fn roots(neighbours: &[Vec<usize>], edges: &[(usize, usize)]) -> Option<Vec<usize>> {
    let n = neighbours.len();
    let mut tree = vec![usize::MAX; n];
    let mut count = 0;
    for start in 0..n {
        if tree[start] != usize::MAX {
            continue;
        }
        let mut todo = vec![start];
        tree[start] = count;
        while let Some(v) = todo.pop() {
            for &next in &neighbours[v] {
                if tree[next] == usize::MAX {
                    tree[next] = count;
                    todo.push(next);
                }
            }
        }
        count += 1;
    }
    if edges.len() + count != n {
        return None;
    }
    // Leaves are taken off until one or two vertices are left.
    let mut degree: Vec<usize> = neighbours.iter().map(Vec::len).collect();
    let mut last = vec![0; count];
    let mut layer: Vec<usize> = (0..n).filter(|v| degree[*v] <= 1).collect();
    let mut gone = vec![false; n];
    while !layer.is_empty() {
        let mut next = Vec::new();
        for &v in &layer {
            gone[v] = true;
            last[tree[v]] = v;
            for &u in neighbours[v].iter().filter(|u| !gone[**u]) {
                degree[u] -= 1;
                if degree[u] == 1 {
                    next.push(u);
                }
            }
        }
        layer = next;
    }
    Some(last)
}

/// The length of the longest path to each vertex; `None`: there is a cycle.
fn longest_paths(n: usize, edges: &[(usize, usize)]) -> Option<Vec<usize>> {
    let (mut before, mut out) = (vec![0; n], vec![Vec::new(); n]);
    for &(u, v) in edges {
        before[v] += 1;
        out[u].push(v);
    }
    let mut layer = vec![0; n];
    let mut todo: Vec<usize> = (0..n).filter(|v| before[*v] == 0).collect();
    let mut seen = 0;
    while let Some(v) = todo.pop() {
        seen += 1;
        for &next in &out[v] {
            layer[next] = layer[next].max(layer[v] + 1);
            before[next] -= 1;
            if before[next] == 0 {
                todo.push(next);
            }
        }
    }
    (seen == n).then_some(layer)
}

/// Those from `wide` on are edges on their way.
#[allow(clippy::cast_precision_loss)]
fn in_layers(layers: &[usize], neighbours: &[Vec<usize>], wide: usize) -> Vec<(f64, f64)> {
    let count = layers.iter().copied().max().unwrap_or(0) + 1;
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (v, &layer) in layers.iter().enumerate() {
        rows[layer].push(v);
    }
    let apart = |u: usize, v: usize| match (u < wide, v < wide) {
        (true, true) => 1.0,
        (false, false) => THIN,
        // An edge keeps away from vertices.
        _ => 0.5 + THIN / 2.0,
    };
    let width = |row: &[usize]| row.windows(2).map(|pair| apart(pair[0], pair[1])).sum::<f64>();
    let widest = rows.iter().map(|row| width(row)).fold(0.0, f64::max);
    let mut x = vec![0.0; layers.len()];
    let spread = |row: &[usize], x: &mut [f64]| {
        // As near as they may be, about the middle.
        let mut at = (widest - width(row)) / 2.0;
        for (place, &v) in row.iter().enumerate() {
            if place > 0 {
                at += apart(row[place - 1], v);
            }
            x[v] = at;
        }
    };
    for row in &rows {
        spread(row, &mut x);
    }
    for sweep in 0..SWEEPS {
        let order: Vec<usize> = if sweep % 2 == 0 { (0..count).collect() } else { (0..count).rev().collect() };
        for at in order {
            let mut wanted: Vec<(f64, usize)> = rows[at]
                .iter()
                .map(|&v| {
                    let beside = neighbours[v].iter().filter(|u| layers[**u] != at);
                    let (sum, number) = beside.fold((0.0, 0_usize), |(sum, number), u| (sum + x[*u], number + 1));
                    (if number == 0 { x[v] } else { sum / number as f64 }, v)
                })
                .collect();
            wanted.sort_by(|a, b| a.0.total_cmp(&b.0));
            rows[at] = wanted.iter().map(|(_, v)| *v).collect();
            spread(&rows[at], &mut x);
            // Where there is room, above and below what they are joined to.
            let mut before: Option<usize> = None;
            for (place, v) in wanted {
                x[v] = before.map_or(place, |u| place.max(x[u] + apart(u, v)));
                before = Some(v);
            }
            let beyond = rows[at].last().map_or(0.0, |v| (x[*v] - widest).max(0.0));
            rows[at].iter().for_each(|v| x[*v] -= beyond);
        }
    }
    let left = x.iter().copied().fold(f64::INFINITY, f64::min);
    layers.iter().enumerate().map(|(v, &layer)| (x[v] - left, layer as f64)).collect()
}

#[allow(clippy::cast_precision_loss)]
fn by_springs(n: usize, neighbours: &[Vec<usize>]) -> Vec<(f64, f64)> {
    let radius = (n as f64 / std::f64::consts::TAU).max(1.0);
    let mut at: Vec<(f64, f64)> = (0..n)
        .map(|v| {
            let angle = std::f64::consts::TAU * v as f64 / n as f64;
            (radius * angle.sin(), -radius * angle.cos())
        })
        .collect();
    // On a circle small graphs are read best.
    if (7..=SPRINGS).contains(&n) {
        let length = 1.6;
        for step in 0..STEPS {
            let mut pull = vec![(0.0, 0.0); n];
            for v in 0..n {
                for u in 0..v {
                    let (dx, dy) = (at[v].0 - at[u].0, at[v].1 - at[u].1);
                    let far = dx.hypot(dy).max(0.01);
                    let push = length * length / (far * far);
                    pull[v] = (pull[v].0 + dx * push, pull[v].1 + dy * push);
                    pull[u] = (pull[u].0 - dx * push, pull[u].1 - dy * push);
                }
            }
            for v in 0..n {
                for &u in neighbours[v].iter().filter(|u| **u < v) {
                    let (dx, dy) = (at[v].0 - at[u].0, at[v].1 - at[u].1);
                    let far = dx.hypot(dy) / length;
                    pull[v] = (pull[v].0 - dx * far, pull[v].1 - dy * far);
                    pull[u] = (pull[u].0 + dx * far, pull[u].1 + dy * far);
                }
            }
            let most = radius * (1.0 - step as f64 / STEPS as f64) / 5.0;
            for (place, (dx, dy)) in at.iter_mut().zip(pull) {
                let far = dx.hypot(dy).max(0.01);
                let go = far.min(most) / far;
                *place = (place.0 + dx * go, place.1 + dy * go);
            }
        }
    }
    // From 0 on, and no two nearer than a unit.
    let nearest = (0..n)
        .flat_map(|v| (0..v).map(move |u| (u, v)))
        .map(|(u, v)| (at[u].0 - at[v].0).hypot(at[u].1 - at[v].1))
        .fold(f64::INFINITY, f64::min);
    let grow = if nearest.is_finite() { (1.0 / nearest.max(0.2)).max(1.0) } else { 1.0 };
    let left = at.iter().map(|(x, _)| *x).fold(f64::INFINITY, f64::min);
    let top = at.iter().map(|(_, y)| *y).fold(f64::INFINITY, f64::min);
    at.into_iter().map(|(x, y)| ((x - left) * grow, (y - top) * grow)).collect()
}
