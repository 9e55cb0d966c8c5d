//! Evaluating tables.

use crate::answer::{Axis, Cells, Table};
use crate::model::walk::{bound_slots, slots_in};
use crate::model::{Clause, Frame, Pattern, Slot, Term};
use crate::source::{Code, Diagnostic};
use crate::value::Value;
use crate::vm::context::Context;

/// Gets the axes, the members of an entry, and its value if it was worked out.
pub type Tell<'t> = dyn FnMut(&[Axis], &[Value], Option<&Value>) + 't;

/// The table of `value` over `clauses`, all entries held, and what kept some of them out. `tell` gets each entry as it comes. An entry
/// that has too many positions to be searched is left out, and where time or memory ends so are those behind it. Any other
/// failure of an entry is that of the table; the hint names the entry.
pub fn table(
    ctx: &mut Context,
    frame: &Frame,
    clauses: &[Clause],
    value: &Term,
    tell: &mut Tell<'_>,
) -> Result<(Table, Option<Box<Diagnostic>>), Box<Diagnostic>> {
    let slots: Vec<Slot> = bound_slots(clauses);
    let ways = ctx.with_recovery(|ctx| ctx.ways(frame, clauses, &slots))?;
    let full = clauses.iter().enumerate().all(|(i, clause)| stands_alone(clause, &clauses[..i]));
    let mut axes = Vec::new();
    let mut patterns = Vec::new();
    for clause in clauses {
        let Clause::In { pattern, .. } = clause else { continue };
        let mut axis = Axis { name: name(pattern, frame), values: Vec::new(), range: None };
        if full {
            let own = bound_slots(std::slice::from_ref(clause));
            let members = ctx.with_recovery(|m| m.ways(frame, std::slice::from_ref(clause), &own))?;
            axis.values = members.iter().map(|row| member(pattern, &own, row)).collect();
            axis.range = range(&axis.values);
        }
        axes.push(axis);
        patterns.push(pattern);
    }
    ctx.limits.entries.begin(ways.len() as u64);
    let mut values: Vec<Option<Value>> = Vec::with_capacity(ways.len());
    let mut missed: Option<Box<Diagnostic>> = None;
    let members = |row: &Vec<Value>| patterns.iter().map(|pattern| member(pattern, &slots, row)).collect::<Vec<_>>();
    for row in &ways {
        let ended = missed.as_ref().is_some_and(|error| error.code != Code::L01);
        let mut entry = None;
        if !ended {
            let found = ctx.with_recovery(|ctx| {
                ctx.limits.check_clock()?;
                ctx.eval_with(frame, &slots, row, value)
            });
            match found {
                Ok(value) => entry = Some(value),
                Err(mut error) => {
                    if error.hint.is_none() && !slots.is_empty() && !ctx.in_let(&error) {
                        let names = slots.iter().zip(row);
                        let names: Vec<String> = names
                            .map(|(slot, v)| format!("{} = {}", frame.slots[*slot].name, v.inner_text()))
                            .collect();
                        error.hint = Some(format!("this is the entry of {}", names.join(", ")));
                    }
                    // Limits of the user, not those of a language that is finite.
                    if !matches!(error.code, Code::L01 | Code::L02 | Code::L03) {
                        return Err(error);
                    }
                    missed = missed.filter(|missed| missed.code != Code::L01).or(Some(error));
                }
            }
        }
        tell(&axes, &members(row), entry.as_ref());
        values.push(entry);
        ctx.limits.entries.step();
    }
    let cells = if full { Cells::Full(values) } else { Cells::Some(ways.iter().map(members).zip(values).collect()) };
    Ok((Table { axes, cells }, missed))
}

/// Whether the members of a clause are the same whatever the clauses before it bind, and all of them count.
fn stands_alone(clause: &Clause, before: &[Clause]) -> bool {
    match clause {
        Clause::Where(_) => false,
        Clause::Let { .. } => true,
        Clause::In { pattern, source, .. } => {
            let earlier = bound_slots(before);
            whole(pattern) && !slots_in(source).iter().any(|slot| earlier.contains(slot))
        }
    }
}

/// Whether a member can be told from what the pattern binds.
fn whole(pattern: &Pattern) -> bool {
    match pattern {
        Pattern::Slot(_) => true,
        Pattern::Tuple(parts, _) => parts.iter().all(whole),
        Pattern::Ignore => false,
    }
}

fn name(pattern: &Pattern, frame: &Frame) -> String {
    match pattern {
        Pattern::Slot(slot) => frame.slots[*slot].name.clone(),
        Pattern::Tuple(parts, _) => {
            let parts: Vec<String> = parts.iter().map(|part| name(part, frame)).collect();
            format!("({})", parts.join(", "))
        }
        Pattern::Ignore => "_".into(),
    }
}

/// What a pattern took apart, put together again; `_` is the empty text.
fn member(pattern: &Pattern, slots: &[Slot], row: &[Value]) -> Value {
    match pattern {
        Pattern::Slot(slot) => {
            slots.iter().position(|s| s == slot).map_or_else(|| Value::text(""), |at| row[at].clone())
        }
        Pattern::Tuple(parts, _) => Value::tuple(parts.iter().map(|part| member(part, slots, row)).collect()),
        Pattern::Ignore => Value::text(""),
    }
}

/// The ends of ints that follow each other.
fn range(values: &[Value]) -> Option<(i64, i64)> {
    let ints: Option<Vec<i64>> =
        values.iter().map(|value| if let Value::Int(n) = value { Some(*n) } else { None }).collect();
    let ints = ints?;
    let (first, last) = (*ints.first()?, *ints.last()?);
    ints.windows(2).all(|pair| pair[1] == pair[0] + 1).then_some((first, last))
}
