//! All states of a game in order of size: rule parameters first, then fields.
//!
//! These are the states by type, not those that some start can reach: a theorem speaks of every position.

use crate::model::walk::{bare, each_term, game_terms, named_graph};
use crate::model::{Builtin, CompareOp, Game, GameId, GlobalId, GraphWord, Kind, Program, Term, TermKind, Type};
use crate::value::{Graph, Grid, Value, width};
use crate::vm::context::Context;
use crate::words::{self, graph::graph_in};
use grundy_graphs::Ends;
use hashbrown::HashSet;
use num_bigint::BigInt;
use num_rational::Ratio;
use std::borrow::Cow;
use std::sync::Arc;

/// Goes on, or stops the listing.
pub type Step = Result<(), Stop>;
pub(crate) type Visit<'a> = &'a mut dyn FnMut(Value) -> Step;

/// The one who is shown the values has seen enough.
pub struct Stop;

/// The values chosen for some parameters and fields, in their order; `None` where only the default is tried.
type Chosen = [Option<Value>];

/// More vertices and edges than any graph that is listed has.
const GRAPH: u64 = 40;

pub(crate) struct Domain {
    kinds: Vec<Kind>,
    /// The constants that are graphs with vertices or edges in the kinds.
    hosts: Vec<(GlobalId, Arc<Graph>)>,
    pub(crate) names: Vec<String>,
    pub(crate) letters: Vec<char>,
    pub(crate) constants: Vec<Value>,
}

impl Domain {
    pub(crate) fn of(ctx: &mut Context, game: GameId) -> Domain {
        let program = ctx.session.program.clone();
        let game = &program.games[game.0];
        let fields = || game.params.iter().chain(&game.fields);
        let kinds: Vec<Kind> = fields().map(|field| field.kind.clone()).collect();
        let mut globals = Vec::new();
        for kind in &kinds {
            kind.each_graph(&mut |graph| {
                if let TermKind::Global(id) = named_graph(graph).kind {
                    globals.push(id);
                }
            });
        }
        let host = |global| Some((global, graph_in(&ctx.with_recovery(|m| m.global(global)).ok()?)?.clone()));
        let graphs = kinds.iter().any(|kind| matches!(kind, Kind::Graph(..)));
        Domain {
            hosts: globals.into_iter().filter_map(host).collect(),
            kinds,
            names: fields().map(|field| field.name.clone()).collect(),
            letters: program.letters.clone(),
            constants: if graphs { vertex_constants(&program, game) } else { Vec::new() },
        }
    }

    pub(crate) fn ceiling(&self) -> Option<u64> {
        self.kinds.iter().map(|kind| self.most(kind, &[], Some(GRAPH))).sum()
    }

    pub(crate) fn bound(&self, size: u64) -> String {
        match (&self.kinds[..], &self.names[..]) {
            ([Kind::Nat], [name]) => format!("{name} <= {size}"),
            ([Kind::Int | Kind::Any(Type::Int)], [name]) => format!("-{size} <= {name} <= {size}"),
            _ => format!("all sizes up to {size}"),
        }
    }

    /// Shows every choice of values of this size; `None` where only the default is tried.
    pub(crate) fn states(&self, size: u64, visit: &mut dyn FnMut(&Chosen) -> Step) -> Step {
        self.choices(&self.kinds, None, size, &mut Vec::new(), visit)
    }

    /// Every choice of one value of each kind whose sizes make up `left`; earlier ones are `chosen`. Slots in the kinds are
    /// those of `around`, or else of what is chosen here.
    fn choices(
        &self,
        kinds: &[Kind],
        around: Option<&Chosen>,
        left: u64,
        chosen: &mut Vec<Option<Value>>,
        visit: &mut dyn FnMut(&Chosen) -> Step,
    ) -> Step {
        let Some(kind) = kinds.get(chosen.len()) else {
            return if left == 0 { visit(chosen) } else { Ok(()) };
        };
        let earlier: Cow<'_, Chosen> = around.map_or_else(|| chosen.clone().into(), Into::into);
        // What the kinds after this one cannot take, this one must.
        let after: Option<u64> = kinds[chosen.len() + 1..].iter().map(|kind| self.most(kind, &earlier, None)).sum();
        let least = after.map_or(0, |after| left.saturating_sub(after));
        let most = self.most(kind, &earlier, None).map_or(left, |most| most.min(left));
        for size in least..=most {
            let mut with = |value: Option<Value>| {
                chosen.push(value);
                let step = self.choices(kinds, around, left - size, chosen, visit);
                chosen.pop();
                step
            };
            if self.only_default(kind, &earlier) {
                with(None)?;
            } else {
                self.each(kind, size, &earlier, &mut |value| with(Some(value)))?;
            }
        }
        Ok(())
    }

    /// Every list of one value of each kind whose sizes make up `size`. There is none where a kind has only a default.
    fn tuples(&self, parts: &[Kind], size: u64, earlier: &Chosen, visit: &mut dyn FnMut(Vec<Value>) -> Step) -> Step {
        self.choices(parts, Some(earlier), size, &mut Vec::new(), &mut |chosen| {
            chosen.iter().cloned().collect::<Option<Vec<Value>>>().map_or(Ok(()), &mut *visit)
        })
    }

    /// Shows every value of a kind that has this size.
    fn each(&self, kind: &Kind, size: u64, earlier: &Chosen, visit: Visit<'_>) -> Step {
        let count = width::index(size);
        match kind {
            Kind::Nat => visit(Value::Int(size.cast_signed())),
            Kind::Int | Kind::Any(Type::Int) => {
                visit(Value::Int(size.cast_signed()))?;
                if size > 0 { visit(Value::Int(-size.cast_signed())) } else { Ok(()) }
            }
            // Ints, and halves between them.
            Kind::Real => {
                let half = Ratio::new(BigInt::from(size), BigInt::from(2));
                visit(Value::real(crate::value::Surd { a: half, b: Ratio::default(), c: BigInt::default() }))
            }
            Kind::Bool | Kind::Any(Type::Bool) if size == 0 => {
                [false, true].into_iter().try_for_each(|b| visit(Value::Bool(b)))
            }
            Kind::Text | Kind::Any(Type::Text) => texts(&self.letters, count, &mut Vec::new(), &mut |letters| {
                visit(Value::Text(letters.iter().copied().collect()))
            }),
            Kind::Tuple(parts) => self.tuples(parts, size, earlier, &mut |items| visit(Value::tuple(items))),
            Kind::List(of, base) => {
                lists(&|size, visit| self.each(of, size, earlier, visit), *base, size, &mut Vec::new(), visit)
            }
            Kind::Set(of) => {
                collections(&|size, visit| self.each(of, size, earlier, visit), size, true, &mut |items| {
                    visit(Value::set(items))
                })
            }
            Kind::Bag(of) => {
                collections(&|size, visit| self.each(of, size, earlier, visit), size, false, &mut |items| {
                    visit(Value::bag(items))
                })
            }
            Kind::Graph(word, base) => self.graphs(*word, *base, size, visit),
            Kind::Grid => self.grids(size, visit),
            Kind::NatGrid => self.nat_grids(size, visit),
            Kind::Vertex(_) | Kind::Edge(_) if size == 0 => match (kind, self.host(kind, earlier)) {
                (_, None) => Ok(()),
                (Kind::Vertex(_), Some(graph)) => graph.vertices.iter().try_for_each(|&v| visit(graph.label(v))),
                (_, Some(graph)) => graph.edges.iter().try_for_each(|edge| visit(graph.edge_value(&edge))),
            },
            _ => Ok(()),
        }
    }
}

/// Shows every member that has a size.
type Members<'a> = &'a dyn Fn(u64, Visit<'_>) -> Step;

fn lists(members: Members<'_>, base: i64, left: u64, so_far: &mut Vec<Value>, visit: Visit<'_>) -> Step {
    if left == 0 {
        return visit(Value::list_from(base, so_far.clone()));
    }
    for size in 0..left {
        members(size, &mut |value| {
            so_far.push(value);
            let step = lists(members, base, left - 1 - size, so_far, visit);
            so_far.pop();
            step
        })?;
    }
    Ok(())
}

/// Sets (`distinct`) and bags: members in the order of a pool of all that are small enough.
fn collections(members: Members<'_>, size: u64, distinct: bool, visit: &mut dyn FnMut(Vec<Value>) -> Step) -> Step {
    /// More members than this are not tried.
    const POOL: usize = 20_000;
    let mut pool: Vec<(u64, Value)> = Vec::new();
    for each in 0..size {
        let full = members(each, &mut |value| {
            pool.push((each + 1, value));
            if pool.len() < POOL { Ok(()) } else { Err(Stop) }
        });
        if full.is_err() {
            break;
        }
    }
    pick(&pool, size, distinct, &mut Vec::new(), visit)
}

/// All choices from the pool, in its order, whose costs make up `left`. The pool is ascending by cost.
fn pick(
    pool: &[(u64, Value)],
    left: u64,
    distinct: bool,
    so_far: &mut Vec<Value>,
    visit: &mut dyn FnMut(Vec<Value>) -> Step,
) -> Step {
    if left == 0 {
        return visit(so_far.clone());
    }
    for (i, (cost, value)) in pool.iter().enumerate() {
        if *cost > left {
            break;
        }
        so_far.push(value.clone());
        let step = pick(&pool[i + usize::from(distinct)..], left - cost, distinct, so_far, visit);
        so_far.pop();
        step?;
    }
    Ok(())
}

impl Domain {
    /// The graph whose vertices or edges a kind has, if it is a constant or was chosen earlier.
    fn host(&self, kind: &Kind, earlier: &Chosen) -> Option<Arc<Graph>> {
        let (Kind::Vertex(Some(of)) | Kind::Edge(Some(of))) = kind else { return None };
        match &named_graph(of).kind {
            TermKind::Slot(slot) => graph_in(earlier.get(*slot)?.as_ref()?).cloned(),
            TermKind::Global(global) => self.hosts.iter().find(|(known, _)| known == global).map(|host| host.1.clone()),
            _ => None,
        }
    }

    fn only_default(&self, kind: &Kind, earlier: &Chosen) -> bool {
        match kind {
            Kind::Vertex(_) | Kind::Edge(_) => self.host(kind, earlier).is_none(),
            Kind::Position => true,
            Kind::Any(of) => !matches!(of, Type::Int | Type::Bool | Type::Text),
            _ => false,
        }
    }

    /// The greatest size of a value, if there is one; `open` for a set out of a graph that is chosen later.
    fn most(&self, kind: &Kind, earlier: &Chosen, open: Option<u64>) -> Option<u64> {
        match kind {
            Kind::Any(Type::Int | Type::Text) => None,
            Kind::Bool | Kind::Vertex(_) | Kind::Edge(_) | Kind::Position | Kind::Any(_) => Some(0),
            Kind::Graph(..) => Some(GRAPH),
            Kind::Tuple(parts) => parts.iter().map(|part| self.most(part, earlier, open)).sum(),
            Kind::Set(of) => match (&**of, self.host(of, earlier)) {
                (Kind::Vertex(_), Some(graph)) => Some(graph.vertices.len() as u64),
                (Kind::Edge(_), Some(graph)) => Some(graph.edges.len() as u64),
                (Kind::Vertex(Some(of)) | Kind::Edge(Some(of)), None)
                    if matches!(named_graph(of).kind, TermKind::Slot(_)) =>
                {
                    open
                }
                (Kind::Bool | Kind::Any(Type::Bool), _) => Some(2),
                _ => None,
            },
            _ => None,
        }
    }
}

impl Domain {
    /// Graphs with `size` vertices and edges together, up to isomorphism, with vertices from `base`; then each vertex in turn
    /// under the name of each constant.
    pub(crate) fn graphs(&self, word: GraphWord, base: i64, size: u64, visit: Visit<'_>) -> Step {
        /// Graphs with more vertices are too many to be tried.
        const VERTICES: [u64; 3] = [7, 4, 4];
        let most = VERTICES[match word {
            GraphWord::Graph => 0,
            GraphWord::Digraph => 1,
            GraphWord::Multigraph => 2,
        }];
        for n in 0..=size.min(most) {
            let edges = size - n;
            let number = Value::Int(n.cast_signed());
            let all = match word {
                GraphWord::Graph => words::call(Builtin::Graphs, &[number]),
                GraphWord::Digraph => words::call(Builtin::Digraphs, &[number]),
                GraphWord::Multigraph => words::call(Builtin::Multigraphs, &[number, Value::Int(edges.cast_signed())]),
            };
            // More edges than are listed: nothing of this size.
            let Ok(Value::List(all)) = all else { continue };
            // The lists of graphs and digraphs have none with loops.
            let loops = if word == GraphWord::Multigraph { 0 } else { n.min(edges) };
            for loops in 0..=loops {
                for graph in all.items.iter() {
                    let Value::Graph(graph) = graph else { continue };
                    if graph.edges.len() as u64 + loops != edges {
                        continue;
                    }
                    with_loops(graph, width::index(loops), &mut |ends| {
                        self.labelled(graph.word, graph.vertices.len(), ends, base, visit)
                    })?;
                }
            }
        }
        Ok(())
    }

    /// A graph with vertices from `base`; then each vertex in turn under the name of each constant.
    fn labelled(&self, word: GraphWord, n: usize, edges: &[Ends], base: i64, visit: Visit<'_>) -> Step {
        let labels: Vec<Value> = (0..).take(n).map(|v: i64| Value::Int(base + v)).collect();
        visit(named(word, edges, &labels))?;
        for constant in &self.constants {
            for v in 0..labels.len() {
                let mut labels = labels.clone();
                if labels[v] == *constant {
                    continue;
                }
                match labels.iter().position(|label| label == constant) {
                    Some(other) => labels.swap(v, other),
                    None => labels[v] = constant.clone(),
                }
                visit(named(word, edges, &labels))?;
            }
        }
        Ok(())
    }

    pub(crate) fn grids(&self, size: u64, visit: Visit<'_>) -> Step {
        let mut letters: Vec<char> = vec!['.', '#'];
        letters.extend(self.letters.iter().filter(|c| !['.', '#'].contains(*c)));
        shapes(size, |rows, cols| {
            texts(&letters, rows * cols, &mut Vec::new(), &mut |cells| {
                let cells: Vec<char> = cells.to_vec();
                Grid::new(rows, cols, cells).map_or(Ok(()), |grid| visit(Value::Grid(Arc::new(grid))))
            })
        })
    }

    /// Grids of numbers: cells and numbers together make the size.
    pub(crate) fn nat_grids(&self, size: u64, visit: Visit<'_>) -> Step {
        for cells in 0..=size {
            shapes(cells, |rows, cols| {
                self.tuples(&vec![Kind::Nat; rows * cols], size - cells, &[], &mut |cells| {
                    Grid::new(rows, cols, cells).map_or(Ok(()), |grid| visit(Value::Grid(Arc::new(grid))))
                })
            })?;
        }
        Ok(())
    }
}

/// The edges of a graph without loops, and so many loops, in every way up to isomorphism.
pub fn with_loops(graph: &Graph, loops: usize, visit: &mut dyn FnMut(&[Ends]) -> Step) -> Step {
    let mut edges: Vec<Ends> = graph.edges.iter().map(|e| (e.u, e.v)).collect();
    if loops == 0 {
        return visit(&edges);
    }
    let n = graph.vertices.len();
    let same = symmetries(n, &edges, graph.word == GraphWord::Digraph);
    let plain = edges.len();
    for set in (0_u32..1 << n).filter(|set| set.count_ones() as usize == loops) {
        let image = |symmetry: &Vec<u32>| (0..n).filter(|v| set >> v & 1 == 1).map(|v| 1 << symmetry[v]).sum::<u32>();
        // The least of those that are the same.
        if same.iter().any(|symmetry| image(symmetry) < set) {
            continue;
        }
        edges.truncate(plain);
        edges.extend((0..).take(n).filter(|v| set >> v & 1 == 1).map(|v| (v, v)));
        visit(&edges)?;
    }
    Ok(())
}

/// The permutations of at most 7 vertices that leave the edges as they are.
fn symmetries(n: usize, edges: &[Ends], directed: bool) -> Vec<Vec<u32>> {
    let joined = |u: u32, v: u32| edges.contains(&(u, v)) || !directed && edges.contains(&(v, u));
    let mut found: Vec<Vec<u32>> = vec![Vec::new()];
    for v in (0_u32..).take(n) {
        let longer = found.iter().flat_map(|start| {
            let fits = |to: u32| {
                let same =
                    |(u, image): (u32, &u32)| joined(u, v) == joined(*image, to) && joined(v, u) == joined(to, *image);
                !start.contains(&to) && (0..).zip(start).all(same)
            };
            (0..)
                .take(n)
                .filter(|to| fits(*to))
                .map(|to| start.iter().copied().chain([to]).collect())
                .collect::<Vec<_>>()
        });
        found = longer.collect();
    }
    found
}

fn named(word: GraphWord, edges: &[Ends], labels: &[Value]) -> Value {
    let ends: Vec<(Value, Value)> =
        edges.iter().map(|(u, v)| (labels[*u as usize].clone(), labels[*v as usize].clone())).collect();
    Value::Graph(Arc::new(Graph::labelled(word, labels, ends.iter().map(|(u, v)| (u, v)))))
}

/// All `rows x cols` with so many cells.
fn shapes(cells: u64, mut visit: impl FnMut(usize, usize) -> Step) -> Step {
    let cells = width::index(cells);
    if cells == 0 {
        return visit(0, 0);
    }
    (1..=cells).filter(|rows| cells.is_multiple_of(*rows)).try_for_each(|rows| visit(rows, cells / rows))
}

pub(crate) fn texts(
    letters: &[char],
    len: usize,
    so_far: &mut Vec<char>,
    visit: &mut dyn FnMut(&[char]) -> Step,
) -> Step {
    if so_far.len() == len {
        return visit(so_far);
    }
    for &letter in letters {
        so_far.push(letter);
        let step = texts(letters, len, so_far, visit);
        so_far.pop();
        step?;
    }
    Ok(())
}

/// The constant ints and texts that stand as vertices in a game, ascending.
pub(crate) fn vertex_constants(program: &Program, game: &Game) -> Vec<Value> {
    let mut found = Vec::new();
    let (mut todo, other) = game_terms(game);
    todo.extend(other);
    let mut called = HashSet::new();
    while let Some(term) = todo.pop() {
        each_term(term, &mut |t| match &t.kind {
            TermKind::Builtin(word, args) if takes_vertices(*word) => {
                found.extend(args.iter().filter_map(constant));
                if *word == Builtin::Grounded && args.len() < 3 {
                    found.push(Value::text("ground"));
                }
            }
            TermKind::Compare(first, rest) => {
                let mut before = &**first;
                for (op, after) in rest {
                    let vertices = matches!(after.ty, Type::Graph(_)) || after.ty == Type::Set(Box::new(Type::Vertex));
                    if matches!(op, CompareOp::In | CompareOp::NotIn) && vertices {
                        found.extend(constant(before));
                    }
                    before = after;
                }
            }
            TermKind::Call(def, _) if called.insert(*def) => {
                let def = &program.defs[def.0];
                todo.extend(&def.body);
                todo.extend(def.frame.lazies());
            }
            _ => {}
        });
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn takes_vertices(word: Builtin) -> bool {
    use Builtin as B;
    matches!(
        word,
        B::Neighbours
            | B::Successors
            | B::Predecessors
            | B::Degree
            | B::Reach
            | B::Distance
            | B::Grounded
            | B::Fusion
            | B::FusionWinning
            | B::EdgeGeographyWinning
    )
}

fn constant(term: &Term) -> Option<Value> {
    match &bare(term).kind {
        TermKind::Int(n) => Some(Value::int(n.clone())),
        TermKind::Text(text) => Some(Value::text(text)),
        _ => None,
    }
}
