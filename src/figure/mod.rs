//! What a position looks like, by the types of its fields: heaps, strips, boards, graphs. Nothing is known of terminals and pages; the
//! same figures are drawn as [`text`] and as [`svg`].

mod arcs;
mod layout;
pub mod svg;
pub mod text;

use crate::answer::Answer;
use crate::answer::Outcome;
use crate::engines::{PositionGraph, outcome_letter};
pub use crate::figure::layout::{Layout, layout};
use crate::model::walk::bare;
use crate::model::{Game, GraphWord, Kind, Term, TermKind};
use crate::syntax::tree::BinaryOp;
use crate::value::limits::Limits;
use crate::value::{Component, Graph, Grid, Position, Shape as Make, Value, excerpt, iterate, width};
use crate::vm::context::Context;
use crate::vm::position_text::compound_word;
use std::collections::HashSet;

/// Larger collections and boards are written and not drawn.
const MOST: usize = 400;

/// Graphs with more edges are written too.
const EDGES: usize = 2000;

/// The longest side of a board.
const SIDE: i64 = 64;

/// The rules may take so many steps for a `draw` line.
const STEPS: u64 = 1 << 22;

/// So many letters of a position are a label in the picture of a graph.
const LABEL: usize = 30;

/// So many components of a sum are drawn.
const PARTS: usize = 24;

/// A position as figures.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// What is said of all of it: `misere`, the word of a compound; how many components are left out.
    pub notes: Vec<String>,
    /// A part for each component.
    pub parts: Vec<Part>,
}

/// A component.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// It as it is written, or its game where that is long.
    pub title: String,
    /// Its fields with their names.
    pub shapes: Vec<(String, Shape)>,
}

/// What a field looks like.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// So many stones.
    Heap(u64),
    /// Heaps beside each other, each with its number or name.
    Heaps(Vec<(String, u64)>),
    /// A row of places, the first with this number.
    Row(i64, Vec<Cell>),
    /// Rows of places.
    Board(Vec<Vec<Cell>>),
    /// Vertices and edges.
    Graph(Drawing),
    /// Anything else, as it is written.
    Written(String),
}

/// A place of a row or board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// Nothing is there.
    Empty,
    /// There is no such place.
    Wall,
    /// Something is there.
    Stone,
    /// What moves is there.
    Token,
    /// A letter or number.
    Text(String),
}

/// A graph with places for its vertices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawing {
    /// The vertices.
    pub vertices: Vec<Vertex>,
    /// From, to, how it looks, and what it is called.
    pub edges: Vec<(usize, usize, Look, String)>,
    /// The edges have directions.
    pub directed: bool,
    /// Where they are.
    pub layout: Layout,
    /// The vertices are cells (row, column), and edges join just those that lie beside each other.
    pub cells: Option<Vec<(usize, usize)>>,
}

/// A vertex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vertex {
    /// What it is called.
    pub label: String,
    /// What is written beside it.
    pub note: String,
    /// How it looks.
    pub look: Look,
}

/// How a vertex or an edge looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Look {
    /// As all do.
    #[default]
    Plain,
    /// It is in a set.
    Marked,
    /// What moves is there.
    Token,
    /// It is not there any more.
    Gone,
    /// Who is to move there wins.
    First,
    /// The other one wins.
    Second,
    /// Nobody wins.
    Draw,
}

/// The figures of a position: what the `draw` lines of its games say, else its fields.
pub fn of(ctx: &mut Context, position: &Position) -> Figure {
    let mut figure = Figure { notes: Vec::new(), parts: Vec::new() };
    if position.misere {
        figure.notes.push("misere: who makes the last move loses".into());
    }
    let mut components: Vec<&Component> = Vec::new();
    match &position.shape {
        Make::Sum(sum) => components.extend(sum.iter()),
        Make::Compound(compound, parts) => {
            figure.notes.push(compound_word(*compound).to_string());
            for part in parts {
                if let Make::Sum(sum) = &part.shape {
                    components.extend(sum.iter());
                }
            }
        }
    }
    if components.is_empty() {
        figure.notes.push("nothing is left".into());
    }
    if components.len() > PARTS {
        figure.notes.push(format!("{} more components", components.len() - PARTS));
    }
    figure.parts = components.into_iter().take(PARTS).map(|component| part(ctx, component)).collect();
    figure
}

fn part(ctx: &mut Context, component: &Component) -> Part {
    const TITLE: usize = 60;

    let program = ctx.session.program.clone();
    let game = &program.games[component.game.0];
    let text = ctx.component_text(component);
    let title = if text.chars().count() <= TITLE { text } else { game.name.clone() };
    let shapes = if game.draws.is_empty() {
        shapes(&fields(game, component))
    } else {
        game.draws.iter().flat_map(|line| said(ctx, game, component, line)).collect()
    };
    Part { title, shapes }
}

/// Rule parameters and fields.
fn fields<'f>(game: &'f Game, component: &'f Component) -> Vec<(&'f str, &'f Kind, &'f Value, bool)> {
    let params = game.params.iter().zip(component.params.iter());
    let state = game.fields.iter().zip(component.state.iter());
    params
        .map(|(field, value)| (&*field.name, &field.kind, value, true))
        .chain(state.map(|(field, value)| (&*field.name, &field.kind, value, false)))
        .collect()
}

/// What a `draw` line says: fields with their names and types, and other values. What has no value is told.
fn said(ctx: &mut Context, game: &Game, component: &Component, line: &[Term]) -> Vec<(String, Shape)> {
    let own: Vec<_> = game.params.iter().chain(&game.fields).collect();
    let most = ctx.run.fuel.saturating_add(STEPS);
    let (mut values, mut written) = (Vec::new(), Vec::new());
    for term in line {
        let narrow = |limits: &mut Limits| limits.steps = Some(limits.steps.map_or(most, |steps| steps.min(most)));
        let work = |ctx: &mut Context| {
            let id = ctx.component(component)?;
            ctx.eval_at(id, term)
        };
        let value = match ctx.under(narrow, |ctx| ctx.with_recovery(work)) {
            Ok(value) => value,
            Err(error) => {
                written.push((String::new(), Shape::Written(format!("no value here: {}", error.message))));
                continue;
            }
        };
        if let (Value::Text(text), true) = (&value, is_caption(term)) {
            written.push((String::new(), Shape::Written(text.to_string().chars().take(MOST).collect())));
            continue;
        }
        values.push(match bare(term).kind {
            TermKind::Slot(slot) if slot < own.len() => {
                let kind = own[slot].kind.clone();
                // A vertex that no move changes may be the ground, and so may a set of them.
                let is_rule = slot < game.params.len() && vertices(&kind, &value).is_some();
                (own[slot].name.clone(), kind, value, is_rule)
            }
            _ => (String::new(), Kind::of(&term.ty), value, false),
        });
    }
    let fields: Vec<_> = values.iter().map(|(name, kind, value, rule)| (&**name, kind, value, *rule)).collect();
    let mut shapes = shapes(&fields);
    shapes.extend(written);
    shapes
}

/// Whether a text has a word, two small letters or more, beside a space that stand in the line themselves: it is read, and is no row of places.
fn is_caption(term: &Term) -> bool {
    let small = |c: Option<&char>| c.is_some_and(|c| c.is_lowercase());
    match &bare(term).kind {
        TermKind::Text(text) => {
            let letters: Vec<char> = text.chars().collect();
            let word = |from: &[char]| small(from.first()) && small(from.get(1));
            letters.windows(3).any(|near| near[2] == ' ' && word(near) || near[0] == ' ' && word(&near[1..]))
        }
        TermKind::Binary(BinaryOp::Add, a, b) | TermKind::If(_, a, b) => is_caption(a) || is_caption(b),
        _ => false,
    }
}

/// Values as shapes; what lies on a graph or grid among them is drawn there.
fn shapes(fields: &Fields<'_>) -> Vec<(String, Shape)> {
    let mut shapes = Vec::new();
    let mut used = vec![false; fields.len()];
    for (at, (name, _, value, _)) in fields.iter().enumerate() {
        let on: Option<(Shape, Vec<usize>)> = match value {
            Value::Graph(graph) if graph.vertices.len() <= MOST && graph.edges.len() <= EDGES => {
                Some(on_graph(graph, fields, &used))
            }
            Value::Grid(grid) if grid.rows.max(grid.cols) <= width::index(SIDE) => Some(on_grid(grid, fields, &used)),
            _ => None,
        };
        if let Some((shape, drawn)) = on {
            used[at] = true;
            for at in drawn {
                used[at] = true;
            }
            shapes.push(((*name).to_string(), shape));
        }
    }
    for (at, (name, kind, value, is_rule)) in fields.iter().enumerate() {
        // Rule parameters stay as they are: the title has them.
        let told = used[at] || *is_rule && !matches!(value, Value::List(_) | Value::Set(_) | Value::Text(_));
        if told {
            continue;
        }
        match (shapes.last_mut(), shape(kind, value)) {
            // Numbers stand beside each other.
            (Some((before, Shape::Heap(a))), Shape::Heap(b)) => {
                let heaps = Shape::Heaps(vec![(std::mem::take(before), *a), ((*name).to_string(), b)]);
                shapes.pop();
                shapes.push((String::new(), heaps));
            }
            (Some((before, Shape::Heaps(heaps))), Shape::Heap(n)) if before.is_empty() => {
                heaps.push(((*name).to_string(), n));
            }
            (_, shape) => shapes.push(((*name).to_string(), shape)),
        }
    }
    shapes
}

/// Heaps with their numbers, the first with this one.
fn numbered(base: i64, heaps: Vec<u64>) -> Shape {
    Shape::Heaps((base..).map(|at| at.to_string()).zip(heaps).collect())
}

/// A value by its type alone.
fn shape(kind: &Kind, value: &Value) -> Shape {
    let written = || Shape::Written(excerpt(value));
    match (kind, value) {
        (_, Value::Int(n)) => u64::try_from(*n).map_or_else(|_| written(), Shape::Heap),
        (_, Value::Text(text)) if text.len() <= MOST => {
            Shape::Row(0, text.to_string().chars().map(|c| cell(&c.to_string())).collect())
        }
        (_, Value::Tuple(_)) => of_pairs(std::slice::from_ref(value), &Cell::Token).unwrap_or_else(written),
        (Kind::Bag(_), _) => naturals(value).map_or_else(written, |heaps| numbered(1, heaps)),
        (Kind::Set(_), _) => {
            let members: Vec<Value> = iterate(value).map(Iterator::collect).unwrap_or_default();
            of_pairs(&members, &Cell::Stone).or_else(|| places(value)).unwrap_or_else(written)
        }
        (_, Value::List(list)) => of_list(list.base, value).unwrap_or_else(written),
        _ => written(),
    }
}

/// A list: numbers are heaps, rows that are equally long a board, short texts a row.
fn of_list(base: i64, value: &Value) -> Option<Shape> {
    if let Some(heaps) = naturals(value) {
        return Some(numbered(base, heaps));
    }
    let members: Vec<Value> = iterate(value).ok()?.take(MOST + 1).collect();
    if members.is_empty() || members.len() > MOST {
        return None;
    }
    // Texts of several letters, all of one length, are the rows of a board.
    let letters = |value: &Value| if let Value::Text(text) = value { text.to_string().chars().count() } else { 0 };
    let words =
        letters(&members[0]) > 1 && members.len() > 1 && members.iter().all(|m| letters(m) == letters(&members[0]));
    let one = |value: &Value| match value {
        Value::Bool(there) => Some(if *there { Cell::Stone } else { Cell::Empty }),
        Value::Text(text) if text.len() <= 3 => Some(cell(&text.to_string())),
        Value::Int(n) => Some(Cell::Text(n.to_string())),
        _ => None,
    };
    if !words && let Some(row) = members.iter().map(one).collect() {
        return Some(Shape::Row(base, row));
    }
    let line = |value: &Value| match value {
        Value::Text(text) => Some(text.to_string().chars().map(|c| cell(&c.to_string())).collect::<Vec<Cell>>()),
        Value::List(_) => iterate(value).ok()?.map(|member| one(&member)).collect(),
        _ => None,
    };
    let board: Vec<Vec<Cell>> = members.iter().map(line).collect::<Option<_>>()?;
    let columns = board.first().map_or(0, Vec::len);
    let even = board.iter().all(|row| row.len() == columns) && (1..=width::index(SIDE)).contains(&columns);
    even.then_some(Shape::Board(board))
}

fn cell(text: &str) -> Cell {
    match text {
        "." | " " | "_" | "" => Cell::Empty,
        "#" => Cell::Wall,
        text => Cell::Text(text.to_string()),
    }
}

/// Numbers from 0 on, if all members are.
fn naturals(value: &Value) -> Option<Vec<u64>> {
    let members = iterate(value).ok()?;
    let numbers: Option<Vec<u64>> = members
        .take(MOST + 1)
        .map(|member| if let Value::Int(n) = member { u64::try_from(n).ok() } else { None })
        .collect();
    numbers.filter(|numbers| numbers.len() <= MOST)
}

/// A set of numbers as the places that are taken.
fn places(value: &Value) -> Option<Shape> {
    let numbers = naturals(value)?;
    let last = numbers.iter().copied().max()?;
    let first = u64::from(!numbers.contains(&0));
    if last >= MOST as u64 {
        return None;
    }
    let row = (first..=last).map(|place| if numbers.contains(&place) { Cell::Stone } else { Cell::Empty });
    Some(Shape::Row(i64::try_from(first).ok()?, row.collect()))
}

/// Pairs of small numbers as places of a board.
fn of_pairs(pairs: &[Value], there: &Cell) -> Option<Shape> {
    let pairs: Vec<(usize, usize)> = pairs.iter().map(pair).collect::<Option<_>>()?;
    let rows = pairs.iter().map(|(row, _)| row + 1).max()?;
    let columns = pairs.iter().map(|(_, column)| column + 1).max()?;
    let mut board = vec![vec![Cell::Empty; columns]; rows];
    for (row, column) in pairs {
        board[row][column] = there.clone();
    }
    Some(Shape::Board(board))
}

fn pair(value: &Value) -> Option<(usize, usize)> {
    let Value::Tuple(parts) = value else { return None };
    let [Value::Int(row), Value::Int(column)] = parts[..] else { return None };
    let inside = (0..SIDE).contains(&row) && (0..SIDE).contains(&column);
    inside.then(|| (width::index(row), width::index(column)))
}

/// The members of a field that are vertices, and how they look.
fn vertices(kind: &Kind, value: &Value) -> Option<(Vec<Value>, Look)> {
    match (kind, value) {
        (Kind::Vertex(_), _) => Some((vec![value.clone()], Look::Token)),
        (Kind::Set(of) | Kind::List(of, _) | Kind::Bag(of), _) if matches!(**of, Kind::Vertex(_)) => {
            let look = if matches!(kind, Kind::Set(_)) { Look::Marked } else { Look::Token };
            Some((iterate(value).ok()?.collect(), look))
        }
        _ => None,
    }
}

type Fields<'f> = [(&'f str, &'f Kind, &'f Value, bool)];

fn on_grid(grid: &Grid, fields: &Fields<'_>, used: &[bool]) -> (Shape, Vec<usize>) {
    let of = |place: usize| match grid.cells.get(place) {
        Some(Value::Text(text)) => cell(&text.to_string()),
        Some(value) => Cell::Text(value.to_string()),
        None => Cell::Empty,
    };
    let rows = 0..grid.rows;
    let mut board: Vec<Vec<Cell>> = rows.map(|r| (0..grid.cols).map(|c| of(r * grid.cols + c)).collect()).collect();
    let mut drawn = Vec::new();
    let mut marks = Vec::new();
    for (at, (_, kind, value, _)) in fields.iter().enumerate().filter(|(at, _)| !used[*at]) {
        let Some((on, look)) = vertices(kind, value) else { continue };
        let Some(on) = on.iter().map(pair).collect::<Option<Vec<_>>>() else { continue };
        if on.iter().all(|(row, column)| *row < grid.rows && *column < grid.cols) {
            drawn.push(at);
            marks.extend(on.into_iter().map(|place| (look == Look::Token, place)));
        }
    }
    // What moves is seen above what is marked.
    marks.sort_by_key(|(token, _)| *token);
    for (token, (row, column)) in marks {
        board[row][column] = if token { Cell::Token } else { Cell::Stone };
    }
    (Shape::Board(board), drawn)
}

fn on_graph(graph: &Graph, fields: &Fields<'_>, used: &[bool]) -> (Shape, Vec<usize>) {
    let numbers: Vec<u32> = graph.vertices.iter().copied().collect();
    let place = |v: u32| numbers.iter().position(|number| *number == v);
    let labels: Vec<Value> = numbers.iter().map(|v| graph.label(*v)).collect();
    let vertex = |label: &Value| Vertex { label: label.to_string(), note: String::new(), look: Look::Plain };
    let directed = matches!(graph.word, GraphWord::Digraph);
    let mut drawing = Drawing { vertices: labels.iter().map(vertex).collect(), directed, ..Drawing::default() };
    let edges: Vec<_> = graph.edges.iter().collect();
    for edge in &edges {
        if let (Some(u), Some(v)) = (place(edge.u), place(edge.v)) {
            drawing.edges.push((u, v, Look::Plain, String::new()));
        }
    }
    let (mut drawn, mut ground) = (Vec::new(), Vec::new());
    let is_edges = |kind: &Kind| matches!(kind, Kind::Set(of) if matches!(**of, Kind::Edge(_)));
    // Edges go: what no move changes is the ground that they hang on.
    let cut = fields.iter().any(|(_, kind, ..)| is_edges(kind));
    for (at, (name, kind, value, is_rule)) in fields.iter().enumerate().filter(|(at, _)| !used[*at]) {
        if is_edges(kind) {
            let there: Vec<Value> = iterate(value).map(Iterator::collect).unwrap_or_default();
            for (edge, drawn) in edges.iter().zip(&mut drawing.edges) {
                drawn.2 = if there.contains(&graph.edge_value(edge)) { Look::Plain } else { Look::Gone };
            }
            drawn.push(at);
        } else if let Some((on, look)) = vertices(kind, value) {
            let on: Option<Vec<usize>> = on.iter().map(|label| graph.number(label).and_then(place)).collect();
            let Some(on) = on else { continue };
            if *is_rule && look == Look::Token {
                // No move changes it; of edges that go it is the ground.
                ground.extend(on.iter().filter(|_| !directed));
                for v in on {
                    drawing.vertices[v].note = (*name).to_string();
                }
                drawn.push(at);
                continue;
            }
            if *is_rule && cut && !directed {
                ground.extend(&on);
            }
            for v in on {
                let seen = drawing.vertices[v].look == Look::Token;
                drawing.vertices[v].look = if seen { Look::Token } else { look };
            }
            drawn.push(at);
        } else if let (Kind::List(..), Value::List(list)) = (kind, value)
            && list.items.len() == labels.len()
            && (0..).zip(&labels).all(|(n, label)| *label == Value::Int(list.base + n))
        {
            for (v, member) in list.items.iter().enumerate() {
                drawing.vertices[v].note = member.to_string();
            }
            drawn.push(at);
        }
    }
    let pairs: Option<Vec<(usize, usize)>> = labels.iter().map(pair).collect();
    drawing.layout = match pairs {
        Some(pairs) if !pairs.is_empty() => {
            let beside = |u: usize, v: usize| pairs[u].0.abs_diff(pairs[v].0) + pairs[u].1.abs_diff(pairs[v].1) == 1;
            let joined: HashSet<(usize, usize)> =
                drawing.edges.iter().map(|(u, v, ..)| (*u.min(v), *u.max(v))).collect();
            // A board shows neighbours as joined: no edge may be missing, twice or elsewhere.
            let neighbours = (0..pairs.len()).map(|v| (0..v).filter(|u| beside(*u, v)).count()).sum::<usize>();
            let all = joined.len() == drawing.edges.len()
                && joined.len() == neighbours
                && joined.iter().all(|(u, v)| beside(*u, *v));
            #[expect(clippy::cast_precision_loss, reason = "below SIDE")]
            let places = pairs.iter().map(|(row, column)| (*column as f64, *row as f64)).collect();
            drawing.cells = all.then_some(pairs);
            Layout { places, bends: vec![Vec::new(); drawing.edges.len()] }
        }
        _ => {
            let ends: Vec<(usize, usize)> = drawing.edges.iter().map(|(u, v, ..)| (*u, *v)).collect();
            layout(labels.len(), &ends, directed, &ground)
        }
    };
    (Shape::Graph(drawing), drawn)
}

impl Drawing {
    /// A graph of cells as a board, if nothing else is to be told of it.
    pub fn as_board(&self) -> Option<Vec<Vec<Cell>>> {
        let cells = self.cells.as_ref()?;
        let plain = self.edges.iter().all(|(_, _, look, _)| *look == Look::Plain) && !self.directed;
        if !plain || self.vertices.iter().any(|vertex| !vertex.note.is_empty()) {
            return None;
        }
        let rows = cells.iter().map(|(row, _)| row + 1).max()?;
        let columns = cells.iter().map(|(_, column)| column + 1).max()?;
        let mut board = vec![vec![Cell::Wall; columns]; rows];
        for ((row, column), vertex) in cells.iter().zip(&self.vertices) {
            board[*row][*column] = match vertex.look {
                Look::Token => Cell::Token,
                Look::Marked => Cell::Stone,
                _ => Cell::Empty,
            };
        }
        Some(board)
    }
}

/// The graph of positions as a drawing: colours say who wins, notes the value.
pub fn of_graph(graph: &PositionGraph) -> Drawing {
    of_graph_places(graph, true)
}

/// The same, with `placed` as whether its vertices have places.
pub fn of_graph_places(graph: &PositionGraph, placed: bool) -> Drawing {
    let vertices = graph.nodes.iter().map(|node| {
        let answer = node.answer.as_ref();
        let look = match (answer.map(|answer| answer.outcome), &*node.text) {
            (Some(Outcome::First), _) => Look::First,
            (Some(Outcome::Second), _) => Look::Second,
            (Some(Outcome::Draw), _) => Look::Draw,
            (None, _) => Look::Plain,
        };
        let note = match answer {
            Some(Answer { score: Some(score), .. }) => format!("score {score}"),
            Some(answer) => match &answer.grundy {
                Some(value) => crate::report::text::grundy(value),
                None => outcome_letter(answer.outcome).to_string(),
            },
            None => String::new(),
        };
        // Every vertex is as wide as the widest.
        let cut = |text: &str| text.chars().take(LABEL).chain("..".chars()).collect();
        let long = placed && node.label.chars().count() > LABEL + 2;
        Vertex { label: if long { cut(&node.label) } else { node.label.clone() }, note, look }
    });
    let ends: Vec<(usize, usize)> = graph.arcs.iter().map(|(u, v, _)| (*u, *v)).collect();
    Drawing {
        vertices: vertices.collect(),
        edges: graph.arcs.iter().map(|(u, v, text)| (*u, *v, Look::Plain, text.clone())).collect(),
        directed: true,
        cells: None,
        layout: if placed { layout(graph.nodes.len(), &ends, true, &[]) } else { Layout::default() },
    }
}
