//! `xs[i]`, `xs[a..b]`, `xs[i := e]`.

use crate::model::BinaryOp;
use crate::source::diagnostic::Code;
use crate::syntax::tree::SetOp;
use crate::value::fault::Fault;
use crate::value::{Cells, Grid, List, Value, excerpt, members, size, too_big, wanted};
use crate::words::operator::binary;
use std::sync::Arc;

/// `base[i]`; a range as the index cuts out a slice.
///
/// # Errors
/// R02 outside, R06 for an index beyond 64 bits, E03 for what has no items.
pub fn index(base: &Value, i: &Value) -> Result<Value, Fault> {
    match (base, i) {
        (Value::Grid(grid), _) => grid.cells.get(cell(grid, i)?).ok_or_else(|| wanted("a cell", i)),
        (_, Value::Range(from, to)) => slice(base, Some(&Value::Int(*from)), Some(&Value::Int(*to))),
        (Value::List(list), _) => {
            let place = place(i, list.base, list.items.len(), base)?;
            list.items.item(place).ok_or_else(|| Fault::new(Code::R02, "there is no such item"))
        }
        (Value::Text(text), _) => {
            Ok(text.at(place(i, 0, text.len(), base)?).map_or_else(|| Value::text(""), Value::character))
        }
        (Value::Tuple(parts), _) => Ok(parts[place(i, 0, parts.len(), base)?].clone()),
        (Value::Edge(edge), _) => Ok(if place(i, 0, 2, base)? == 0 { edge.u.clone() } else { edge.v.clone() }),
        (Value::Range(from, to), _) => {
            let n = i.to_i64()?;
            match from.checked_add(n) {
                Some(item) if n >= 0 && item <= *to => Ok(Value::Int(item)),
                _ => Err(Fault::new(Code::R02, format!("index {n} is outside the range {from}..{to}, counted from 0"))),
            }
        }
        _ => Err(wanted("a list, text, tuple or grid", base)),
    }
}

/// The place of an index among `len` items counted from `first`.
fn place(i: &Value, first: i64, len: usize, base: &Value) -> Result<usize, Fault> {
    let i = i.to_i64()?;
    i.checked_sub(first)
        .and_then(|place| usize::try_from(place).ok())
        .filter(|place| *place < len)
        .ok_or_else(|| outside(i, first, len, base))
}

fn outside(i: i64, first: i64, len: usize, base: &Value) -> Fault {
    let (what, items) = match base {
        Value::Text(_) => ("a text", "character"),
        Value::Tuple(_) => ("a tuple", "part"),
        Value::Edge(_) => ("an edge", "end"),
        _ => ("a list", "item"),
    };
    let plural = if len == 1 { "" } else { "s" };
    Fault::new(Code::R02, format!("index {i} is outside {what} of {len} {items}{plural} counted from {first}"))
}

/// The place of the cell `(row, column)`.
pub(super) fn cell(grid: &Grid, i: &Value) -> Result<usize, Fault> {
    let (row, col) = row_and_col(i)?;
    grid.place(row, col).ok_or_else(|| {
        Fault::new(Code::R02, format!("cell {} is outside a grid of {} x {} cells", excerpt(i), grid.rows, grid.cols))
    })
}

/// The two numbers of a cell or direction.
pub(super) fn row_and_col(i: &Value) -> Result<(i64, i64), Fault> {
    match i {
        Value::Tuple(parts) if parts.len() == 2 => Ok((parts[0].to_i64()?, parts[1].to_i64()?)),
        _ => Err(wanted("a cell (row, column)", i)),
    }
}

/// `base[from..to]`, an end that is left out is the first or last index. Nothing when `to < from`, whatever they are. Of a
/// list or range a list counted from 0, of a text a text.
///
/// # Errors
/// R02 when an end is no index, R06 when it does not fit, E03 for what has no items.
pub fn slice(base: &Value, from: Option<&Value>, to: Option<&Value>) -> Result<Value, Fault> {
    let first = if let Value::List(list) = base { list.base } else { 0 };
    let len = match base {
        Value::List(_) | Value::Text(_) | Value::Range(..) => size(base)?.to_i64()?,
        _ => return Err(wanted("a list or text", base)),
    };
    let past = first.checked_add(len).ok_or_else(|| too_big("the last index"))?;
    let (least, most) = (Value::Int(first), Value::Int(past.saturating_sub(1)));
    let (from, to) = (from.unwrap_or(&least), to.unwrap_or(&most));
    for end in [from, to] {
        if !matches!(end, Value::Int(_) | Value::Big(_)) {
            return Err(wanted("an index", end));
        }
    }
    let (a, b) = if to < from {
        (0, 0)
    } else {
        let (from, to) = (from.to_i64()?, to.to_i64()?);
        // A range can be longer than memory; its ends are enough here.
        let count = usize::try_from(len).map_err(|_| too_big("this range"))?;
        if from < first || to >= past {
            let bad = if from < first { from } else { to };
            return Err(outside(bad, first, count, base));
        }
        (from - first, to - first + 1)
    };
    let bounds = usize::try_from(a).unwrap_or(0)..usize::try_from(b).unwrap_or(0); // 0 <= a <= b <= len
    Ok(match base {
        Value::Text(text) => Value::Text(text.part(bounds)),
        Value::List(list) if bounds.len() == list.items.len() && list.base == 0 => base.clone(),
        Value::List(list) => Value::List(List { base: 0, items: list.items[bounds].into() }),
        Value::Range(start, _) if a < b => Value::Range(start + a, start + b - 1),
        _ => Value::Range(1, 0),
    })
}

/// `base[i := e, ...]`: the changes in order; a list keeps the number of its first item. One copy of the items, whatever
/// the number of changes.
///
/// # Errors
/// R02 outside; R01 for what is no character of a text, or no cell of a grid; E03 for `+=` and `-=` of texts and grids of
/// characters; whatever `+` and `-` say.
pub fn update(base: &Value, changes: &[(Value, SetOp, Value)]) -> Result<Value, Fault> {
    match base {
        Value::List(list) => {
            let mut items = Arc::clone(list.items.values());
            if !changes.is_empty() {
                let places = Arc::make_mut(&mut items);
                for (i, op, value) in changes {
                    let place = place(i, list.base, places.len(), base)?;
                    change(&mut places[place], *op, value)?;
                }
            }
            Ok(Value::List(List { base: list.base, items: items.into() }))
        }
        Value::Range(..) => update(&Value::list(members(base)?.into_owned()), changes),
        Value::Text(text) => {
            let mut characters: Vec<char> = text.characters().collect();
            for (i, op, value) in changes {
                let place = place(i, 0, characters.len(), base)?;
                characters[place] = character(*op, value)?;
            }
            Ok(Value::Text(characters.into()))
        }
        Value::Grid(grid) => {
            let mut cells = Arc::clone(&grid.cells);
            if !changes.is_empty() {
                let places = Arc::make_mut(&mut cells);
                for (i, op, value) in changes {
                    let at = cell(grid, i)?;
                    let Cells::Values(values) = places else {
                        places.put(at, character(*op, value)?);
                        continue;
                    };
                    let place = &mut values[at];
                    if let Value::Text(_) = place {
                        *place = Value::character(character(*op, value)?);
                    } else if value.to_big().is_ok() {
                        change(place, *op, value)?;
                    } else {
                        return Err(wanted("a number for a cell", value));
                    }
                }
                places.settle();
            }
            let (rows, cols) = (grid.rows, grid.cols);
            Ok(Value::Grid(Arc::new(Grid { rows, cols, cells, graph: std::sync::OnceLock::new() })))
        }
        _ => Err(wanted("a list, text or grid", base)),
    }
}

fn change(place: &mut Value, op: SetOp, value: &Value) -> Result<(), Fault> {
    *place = match op {
        SetOp::Put => value.clone(),
        SetOp::Add => binary(BinaryOp::Add, place, value)?,
        SetOp::Remove => binary(BinaryOp::Sub, place, value)?,
    };
    Ok(())
}

fn character(op: SetOp, value: &Value) -> Result<char, Fault> {
    if op != SetOp::Put {
        return Err(Fault::new(Code::E03, "characters are written with `:=` only"));
    }
    value
        .to_text()?
        .single()
        .ok_or_else(|| Fault::new(Code::R01, format!("a single character is written there, not {}", excerpt(value))))
}
