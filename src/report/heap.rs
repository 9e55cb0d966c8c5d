//! Sequences of heap games as text and JSON.

use crate::report::paint::{bold, dim};
use crate::report::{counted, duration, grouped};
use grundy_heap::period::Period;
use grundy_heap::sequence::Sequence;
use serde_json::{Map, Value as Json, json};
use std::time::Duration;

/// How many values stand in the JSON unless asked otherwise, and in the text.
const LISTED: usize = 100;
const SHOWN: usize = 30;
/// How much of a period and of its exceptions is printed.
const TABLE: usize = 60;

/// What was asked.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked {
    /// `-n`: a heap and its value, if it is known.
    pub heap: Option<(u64, Option<u64>)>,
    /// `--values`.
    pub values: Option<usize>,
}

/// The contract's object.
pub fn json(sequence: &Sequence, asked: Asked, time: Duration) -> Json {
    let period = sequence.period();
    let mut object = Map::new();
    object.insert("code".into(), json!(sequence.game().to_string()));
    object.insert("values_computed".into(), json!(sequence.values().len()));
    object.insert("period".into(), json!(period.map(|p| p.length)));
    object.insert("preperiod".into(), json!(period.map(|p| p.start)));
    object.insert("last_exception".into(), json!(period.and_then(|p| p.start.checked_sub(1))));
    object.insert("saltus".into(), json!(period.map(|p| p.saltus)));
    object.insert("proved".into(), json!(period.is_some_and(|p| p.proof.is_some())));
    object.insert("theorem".into(), json!(period.and_then(|p| p.proof).map(grundy_heap::period::Theorem::name)));
    object.insert("max_value".into(), json!(sequence.values().iter().max()));
    if let Some((heap, value)) = asked.heap {
        object.insert("n".into(), json!(heap));
        object.insert("value_at".into(), json!(value));
    }
    object.insert("values".into(), json!(first(sequence, asked.values.unwrap_or(LISTED))));
    object.insert("seconds".into(), json!(time.as_secs_f64()));
    Json::Object(object)
}

fn first(sequence: &Sequence, count: usize) -> Vec<u64> {
    (0..count as u64).map_while(|heap| sequence.value(heap)).collect()
}

/// The sequence for people: a line for each thing known, the period by residues, the exceptions.
pub fn text(sequence: &Sequence, asked: Asked, time: Duration) -> String {
    let mut lines = vec![bold(&sequence.game().to_string())];
    let mut line = |name: &str, text: String| lines.push(format!("  {name:<14} {text}"));
    let max = sequence.values().iter().max().copied().unwrap_or(0);
    let have = sequence.values().len() as u64;
    line("computed", format!("{}; the largest value is {max}", counted(have, "heap")));
    match sequence.period() {
        Some(period) => about_period(sequence, period, &mut line),
        None => line("period", "none proved so far".into()),
    }
    line("values", listed(&first(sequence, asked.values.unwrap_or(SHOWN)), usize::MAX));
    match asked.heap {
        Some((heap, Some(value))) => line("value at", format!("g({heap}) = {value}")),
        Some((heap, None)) => line("value at", format!("g({heap}) is not known")),
        None => {}
    }
    line("time", dim(&duration(time)));
    lines.join("\n") + "\n"
}

fn about_period(sequence: &Sequence, period: Period, line: &mut impl FnMut(&str, String)) {
    let length = grouped(period.length as u64);
    let how = match period.proof {
        Some(theorem) => format!("proved ({})", theorem.name()),
        None => {
            format!("observed up to heap {}, not proved", grouped((sequence.values().len() as u64).saturating_sub(1)))
        }
    };
    line("period", format!("{length}, {how}"));
    line("saltus", period.saltus.to_string());
    line("pre-period", grouped(period.start as u64));
    let last = period.start.checked_sub(1);
    line("last exception", last.map_or("none".into(), |last| grouped(last as u64)));
    if period.saltus != 0 {
        let values: Vec<u64> =
            (0..period.length.min(TABLE)).filter_map(|i| sequence.value((period.start + i) as u64)).collect();
        line("period table", format!("from {} on: {}", period.start, listed(&values, period.length)));
        return;
    }
    // The residue of n decides, so the table begins with residue 0.
    let first = period.start.div_ceil(period.length) * period.length;
    let regular = |residue: usize| sequence.value((first + residue) as u64);
    let values: Vec<u64> = (0..period.length.min(TABLE)).filter_map(regular).collect();
    line("period table", format!("n mod {length}: {}", listed(&values, period.length)));
    let odd = (0..period.start).filter(|n| sequence.value(*n as u64) != regular(n % period.length));
    let mut shown: Vec<String> = Vec::new();
    let mut count = 0;
    for n in odd {
        if shown.len() < TABLE {
            shown.push(format!("g({n})={}", sequence.value(n as u64).unwrap_or(0)));
        }
        count += 1;
    }
    let more = if count > shown.len() {
        format!(" and {} more", grouped((count - shown.len()) as u64))
    } else {
        String::new()
    };
    line("exceptions", if count == 0 { "none".into() } else { format!("{}{more}", shown.join(" ")) });
}

/// Values one after the other; whether there are more than these.
fn listed(values: &[u64], of: usize) -> String {
    let text: Vec<String> = values.iter().map(u64::to_string).collect();
    let more = if of != usize::MAX && of > values.len() { " ..." } else { "" };
    text.join(" ") + more
}
