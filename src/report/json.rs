//! Answers, tables and errors as JSON.

use crate::answer::{Answer, Cells, GrundyValue, MoveAnswer, MoveList, Outcome, PartMove, Table};
use crate::engines::Line;
use crate::input::json::to_json;
use crate::source::{Diagnostic, Sources};
use crate::value::Value;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value as Json, json};
use std::time::Duration;

/// Seconds, to the microsecond.
pub fn seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e6
}

/// An answer that writes itself as JSON, without a tree of JSON between: files of cases have many. `head` comes first (`case`,
/// `solve`).
#[derive(Debug)]
pub struct Told<'a> {
    head: &'a [(&'static str, usize)],
    answer: &'a Answer,
    time: Duration,
    line: Option<&'a Line>,
}

impl<'a> Told<'a> {
    /// The same with a line of play.
    #[must_use]
    pub fn with_line(self, line: Option<&'a Line>) -> Self {
        Told { line, ..self }
    }
}

/// An answer after what `head` holds.
pub fn answer<'a>(head: &'a [(&'static str, usize)], answer: &'a Answer, time: Duration) -> Told<'a> {
    Told { head, answer, time, line: None }
}

impl Serialize for Told<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Told { head, answer, time, line } = self;
        let mut object = to.serialize_map(None)?;
        for (key, value) in *head {
            object.serialize_entry(key, value)?;
        }
        object.serialize_entry("position", &answer.position)?;
        object.serialize_entry("outcome", crate::engines::outcome_word(answer.outcome))?;
        if let Some(players) = &answer.players {
            object.serialize_entry("players", players)?;
        }
        object.serialize_entry("grundy", &answer.grundy.as_ref().map(grundy))?;
        if let Some(score) = &answer.score {
            object.serialize_entry("score", &to_json(&score.clone().into()))?;
        }
        if let Some(remoteness) = answer.remoteness {
            object.serialize_entry("remoteness", &remoteness)?;
        }
        let unknown = answer.moves_refused.is_some() && answer.outcome == Outcome::First;
        object.serialize_entry("winning_move_count", &(!unknown).then_some(answer.winning.count))?;
        object.serialize_entry("winning_moves", &Moves(&answer.winning))?;
        if let Some(drawing) = &answer.drawing {
            object.serialize_entry("drawing_move_count", &drawing.count)?;
            object.serialize_entry("drawing_moves", &Moves(drawing))?;
        } else if answer.outcome == Outcome::Draw && answer.moves_refused.is_some() {
            object.serialize_entry("drawing_move_count", &())?;
        }
        if let Some(line) = line {
            let moves: Vec<&str> = line.moves.iter().map(|played| played.text.as_str()).collect();
            object.serialize_entry("line", &Some(moves).filter(|moves| !(moves.is_empty() && line.cut)))?;
        }
        object.serialize_entry("method", answer.method.word())?;
        object.serialize_entry("positions", &answer.positions)?;
        object.serialize_entry("seconds", &seconds(*time))?;
        object.end()
    }
}

fn grundy(value: &GrundyValue) -> Json {
    match value {
        GrundyValue::Nimber(n) => Json::from(*n),
        GrundyValue::Large(n) => to_json(&Value::int(n.clone().into())),
        GrundyValue::Loop(values) => json!({ "loop": values }),
    }
}

struct Moves<'a>(&'a MoveList);

impl Serialize for Moves<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0.listed.iter().map(Move))
    }
}

struct Move<'a>(&'a MoveAnswer);

impl Serialize for Move<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Move(one) = self;
        let mut object = to.serialize_map(None)?;
        object.serialize_entry("move", &one.text)?;
        object.serialize_entry("name", &one.name)?;
        object.serialize_entry("binders", &Binders(&one.binders))?;
        object.serialize_entry("component", &one.component)?;
        object.serialize_entry("in", &one.within)?;
        object.serialize_entry("to", &one.to)?;
        if let Some(parts) = &one.parts {
            let part = |part: &PartMove| json!({ "component": part.component, "name": part.name, "binders": Binders(&part.binders) });
            object.serialize_entry("parts", &parts.iter().map(part).collect::<Vec<Json>>())?;
        }
        object.end()
    }
}

/// The values of a move by their names; one of two that share a name.
struct Binders<'a>(&'a [(String, Value)]);

impl Serialize for Binders<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            [(name, Value::Int(n))] => to.collect_map([(name, n)]),
            binders => {
                let binders: Map<String, Json> =
                    binders.iter().map(|(name, value)| (name.clone(), to_json(value))).collect();
                binders.serialize(to)
            }
        }
    }
}

/// An error: `{"error": {"code", "message", "file"?, "line"?, "column"?, "note"?, "hint"?}}` after what `head` holds. Columns count
/// characters from 1.
pub fn error(mut head: Map<String, Json>, error: &Diagnostic, sources: &Sources) -> Json {
    let mut told = json!({ "code": error.code.as_str(), "message": error.message });
    if let Some(span) = error.span {
        let (line, column) = sources.line_and_column(span);
        told["file"] = json!(sources.get(span.source).name);
        told["line"] = json!(line);
        told["column"] = json!(column);
    }
    if let Some(note) = &error.note {
        told["note"] = json!(note);
    }
    if let Some(hint) = &error.hint {
        told["hint"] = json!(hint);
    }
    head.insert("error".into(), told);
    Json::Object(head)
}

/// A table of the expression `expr`: nested arrays of values, one level for each axis; with a `where`, or when binders
/// depend on each other, `rows` of the members and the value instead.
pub fn table(expr: &str, table: &Table) -> Json {
    let axes = table.axes.iter().map(|axis| match (&table.cells, axis.range) {
        (Cells::Some(_), _) => json!({ "name": axis.name }),
        (Cells::Full(_), Some((from, to))) => json!({ "name": axis.name, "from": from, "to": to }),
        (Cells::Full(_), None) => {
            let values: Vec<Json> = axis.values.iter().map(to_json).collect();
            json!({ "name": axis.name, "values": values })
        }
    });
    let axes: Vec<Json> = axes.collect();
    match &table.cells {
        Cells::Full(values) => {
            let lengths: Vec<usize> = table.axes.iter().map(|axis| axis.values.len()).collect();
            json!({ "expr": expr, "axes": axes, "values": nested(values, &lengths) })
        }
        Cells::Some(rows) => {
            let row = |(members, value): &(Vec<Value>, Option<Value>)| {
                Json::Array(members.iter().map(to_json).chain([entry(value.as_ref())]).collect())
            };
            json!({ "expr": expr, "axes": axes, "rows": rows.iter().map(row).collect::<Vec<_>>() })
        }
    }
}

/// `null` where a limit came first.
fn entry(value: Option<&Value>) -> Json {
    value.map_or(Json::Null, to_json)
}

fn nested(values: &[Option<Value>], lengths: &[usize]) -> Json {
    match lengths {
        [] => entry(values.first().and_then(Option::as_ref)),
        [_] => Json::Array(values.iter().map(|value| entry(value.as_ref())).collect()),
        [length, below @ ..] => {
            let step = below.iter().product::<usize>();
            Json::Array((0..*length).map(|i| nested(&values[i * step..(i + 1) * step], below)).collect())
        }
    }
}
