//! Answers, tables and errors as JSON (rules 37-39 and the contract of the command line).

use crate::answer::table::{Cells, Table};
use crate::answer::{Answer, GrundyValue, MoveAnswer, MoveList, Outcome};
use crate::diagnostic::Diagnostic;
use crate::rules::json::to_json;
use crate::rules::value::Value;
use crate::solve::outcome_word;
use crate::text::Sources;
use serde_json::{Map, Value as Json, json};
use std::time::Duration;

/// Seconds, to the microsecond.
#[must_use]
pub fn seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e6
}

/// An answer; `head` holds what comes first (`case`, `solve`).
#[must_use]
pub fn answer(head: Map<String, Json>, answer: Answer, time: Duration) -> Json {
    let mut object = head;
    let mut put = |key: &str, value: Json| {
        object.insert(key.into(), value);
    };
    put("position", Json::from(answer.position));
    put("outcome", Json::from(outcome_word(answer.outcome)));
    put("grundy", answer.grundy.as_ref().map_or(Json::Null, grundy));
    if let Some(score) = answer.score {
        put("score", Json::from(score));
    }
    if let Some(remoteness) = answer.remoteness {
        put("remoteness", Json::from(remoteness));
    }
    let unknown = answer.moves_refused.is_some() && answer.outcome == Outcome::First;
    put("winning_move_count", if unknown { Json::Null } else { Json::from(answer.winning.count) });
    put("winning_moves", moves(answer.winning));
    if let Some(drawing) = answer.drawing {
        put("drawing_move_count", Json::from(drawing.count));
        put("drawing_moves", moves(drawing));
    } else if answer.outcome == Outcome::Draw && answer.moves_refused.is_some() {
        put("drawing_move_count", Json::Null);
    }
    put("method", Json::from(answer.method.word()));
    put("positions", Json::from(answer.positions));
    put("seconds", Json::from(seconds(time)));
    Json::Object(object)
}

fn grundy(value: &GrundyValue) -> Json {
    match value {
        GrundyValue::Nimber(n) => Json::from(*n),
        GrundyValue::Large(n) => to_json(&Value::int(n.clone().into())),
        GrundyValue::Loop(values) => json!({ "loop": values }),
    }
}

fn moves(list: MoveList) -> Json {
    Json::Array(list.listed.into_iter().map(one_move).collect())
}

fn one_move(one: MoveAnswer) -> Json {
    let mut object = Map::new();
    object.insert("move".into(), Json::from(one.text));
    object.insert("name".into(), Json::from(one.name));
    object.insert("binders".into(), binders(&one.binders));
    object.insert("component".into(), one.component.map_or(Json::Null, Json::from));
    object.insert("in".into(), one.within.map_or(Json::Null, Json::from));
    object.insert("to".into(), Json::from(one.to));
    if let Some(parts) = &one.parts {
        let part = |part: &crate::answer::PartMove| json!({ "component": part.component, "name": part.name, "binders": binders(&part.binders) });
        object.insert("parts".into(), Json::Array(parts.iter().map(part).collect()));
    }
    Json::Object(object)
}

fn binders(binders: &[(String, Value)]) -> Json {
    Json::Object(binders.iter().map(|(name, value)| (name.clone(), to_json(value))).collect())
}

/// An error: `{"error": {"code", "message", "file"?, "line"?, "column"?, "note"?, "hint"?}}` after what `head` holds. Columns count
/// characters from 1.
#[must_use]
pub fn error(head: Map<String, Json>, error: &Diagnostic, sources: &Sources) -> Json {
    let mut told = Map::new();
    told.insert("code".into(), Json::from(error.code));
    told.insert("message".into(), Json::from(error.message.as_str()));
    if let Some(span) = error.span {
        let source = sources.get(span.source);
        let before = &source.text[..source.text.floor_char_boundary(span.start as usize)];
        let line = before.rsplit('\n').next().unwrap_or("");
        told.insert("file".into(), Json::from(source.name.as_str()));
        told.insert("line".into(), Json::from(before.matches('\n').count() + 1));
        told.insert("column".into(), Json::from(line.chars().count() + 1));
    }
    if let Some(note) = &error.note {
        told.insert("note".into(), Json::from(&**note));
    }
    if let Some(hint) = &error.hint {
        told.insert("hint".into(), Json::from(hint.as_str()));
    }
    let mut object = head;
    object.insert("error".into(), Json::Object(told));
    Json::Object(object)
}

/// A table of the expression `expr`: nested arrays of values, one level for each axis; with a `where`, or when binders
/// depend on each other, `rows` of the members and the value instead.
#[must_use]
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
            let row = |(members, value): &(Vec<Value>, Value)| {
                Json::Array(members.iter().chain([value]).map(to_json).collect())
            };
            json!({ "expr": expr, "axes": axes, "rows": rows.iter().map(row).collect::<Vec<_>>() })
        }
    }
}

fn nested(values: &[Value], lengths: &[usize]) -> Json {
    match lengths {
        [] => values.first().map_or(Json::Null, to_json),
        [_] => Json::Array(values.iter().map(to_json).collect()),
        [length, below @ ..] => {
            let step = below.iter().product::<usize>();
            Json::Array((0..*length).map(|i| nested(&values[i * step..(i + 1) * step], below)).collect())
        }
    }
}
