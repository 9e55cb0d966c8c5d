//! Values as JSON.

use crate::value::Value;
use crate::value::graph::{Graph, Labels};
use serde_json::{Map, Number, Value as Json, json};

/// A value as JSON: ints of any size as numbers, lists, sets, bags, tuples and ranges as arrays, edges as pairs, grids by
/// rows, graphs as objects, reals and positions as texts, loopy values as `{"loop": [..]}`.
pub fn to_json(value: &Value) -> Json {
    match value {
        Value::Int(n) => Json::from(*n),
        Value::Big(n) => {
            let digits = n.to_string();
            digits.parse::<Number>().map_or_else(|_| Json::String(digits), Json::Number)
        }
        Value::Bool(b) => Json::Bool(*b),
        Value::Text(_) | Value::Real(_) | Value::Position(_) => Json::String(value.to_string()),
        Value::Tuple(items) => array(items),
        Value::Set(items) | Value::Bag(items) => array(items),
        Value::List(list) => array(&list.items),
        Value::Range(from, to) => Json::Array((*from..=*to).map(Json::from).collect()),
        Value::Edge(edge) => Json::Array(vec![to_json(&edge.u), to_json(&edge.v)]),
        Value::Grid(grid) => {
            let row = |r: usize| (r * grid.cols..(r + 1) * grid.cols).filter_map(|place| grid.cells.get(place));
            let numbers = matches!(grid.cells.get(0), Some(Value::Int(_) | Value::Big(_)));
            let text = |r: usize| Json::String(row(r).map(|cell| cell.to_string()).collect());
            let array = |r: usize| Json::Array(row(r).map(|cell| to_json(&cell)).collect());
            Json::Array((0..grid.rows).map(|r| if numbers { array(r) } else { text(r) }).collect())
        }
        Value::Graph(graph) => graph_to_json(graph),
        Value::Loop(values) => json!({ "loop": values[..] }),
    }
}

fn array(items: &[Value]) -> Json {
    Json::Array(items.iter().map(to_json).collect())
}

fn graph_to_json(graph: &Graph) -> Json {
    let mut object = Map::new();
    let whole = graph.vertices.len() == graph.labels.len() && graph.vertices.ascend();
    let base = match &*graph.labels {
        Labels::Ints { from, .. } if whole => Some(*from),
        _ => None,
    };
    match base {
        Some(_) => object.insert("n".into(), Json::from(graph.vertices.len())),
        None => object
            .insert("vertices".into(), Json::Array(graph.vertices.iter().map(|v| to_json(&graph.label(*v))).collect())),
    };
    let pair = |u: u32, v: u32| Json::Array(vec![to_json(&graph.label(u)), to_json(&graph.label(v))]);
    object.insert("edges".into(), Json::Array(graph.edges.iter().map(|e| pair(e.u, e.v)).collect()));
    if let Some(base) = base.filter(|base| *base != 0) {
        object.insert("base".into(), Json::from(base));
    }
    Json::Object(object)
}
