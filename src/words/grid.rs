//! Words about grids.

use crate::source::Code;
use crate::value::{Fault, Grid, Text, Value, members, wanted};
use crate::words::collection::{cell, row_and_col};
use std::sync::Arc;

fn as_grid(value: &Value) -> Result<&Arc<Grid>, Fault> {
    match value {
        Value::Grid(grid) => Ok(grid),
        _ => Err(wanted("a grid", value)),
    }
}

/// `grid(r, c)`: free; `grid(rows)`: from texts, or from lists of numbers.
pub(super) fn grid(args: &[Value]) -> Result<Value, Fault> {
    let made = match args {
        [Value::Grid(_)] => return Ok(args[0].clone()),
        [rows] => from_rows(rows)?,
        [r, c] => {
            let (rows, cols) = (r.to_count("the number of rows")?, c.to_count("the number of columns")?);
            Grid::filled(rows, cols, &Value::character('.'))?
        }
        _ => return Err(Fault::new(Code::E05, "a grid is made of rows, or of a number of rows and one of columns")),
    };
    Ok(Value::Grid(Arc::new(made)))
}

/// A grid of rows: texts are rows of characters, lists rows of numbers.
pub(crate) fn from_rows(rows: &Value) -> Result<Grid, Fault> {
    let rows = members(rows)?;
    let texts = rows.iter().map(|row| if let Value::Text(text) = row { Some(text) } else { None });
    if let Some(texts) = texts.collect::<Option<Vec<&Text>>>() {
        return Grid::of_texts(&texts);
    }
    let cells = rows.iter().map(|row| members(row).map(std::borrow::Cow::into_owned));
    Grid::of_rows(&cells.collect::<Result<Vec<_>, Fault>>()?)
}

pub(super) fn rows(g: &Value) -> Result<Value, Fault> {
    Ok(Value::count(as_grid(g)?.rows))
}

pub(super) fn cols(g: &Value) -> Result<Value, Fault> {
    Ok(Value::count(as_grid(g)?.cols))
}

/// All cells, walls too, or those that hold `x`.
pub(super) fn cells(g: &Value, x: Option<&Value>) -> Result<Value, Fault> {
    let grid = as_grid(g)?;
    let places = (0..grid.cells.len()).filter(|&place| x.is_none_or(|x| grid.cells.get(place).as_ref() == Some(x)));
    Ok(Value::Set(places.map(|place| grid.cell_label(place)).collect()))
}

/// The cells after `c` in a direction, up to the first wall or taken cell.
pub(super) fn ray(g: &Value, c: &Value, by: &Value, taken: Option<&Value>) -> Result<Value, Fault> {
    let grid = as_grid(g)?;
    cell(grid, c)?;
    let (mut row, mut col) = row_and_col(c)?;
    let (down, right) = row_and_col(by)?;
    let mut out = Vec::new();
    if (down, right) == (0, 0) {
        return Ok(Value::list(out));
    }
    loop {
        (row, col) = (row.saturating_add(down), col.saturating_add(right));
        let Some(place) = grid.place(row, col) else { break };
        if grid.is_wall(place) {
            break;
        }
        let label = grid.cell_label(place);
        if let Some(taken) = taken
            && crate::words::contains(taken, &label)?
        {
            break;
        }
        out.push(label);
    }
    Ok(Value::list(out))
}

/// The up to 8 cells beside `c` that are no walls.
pub(super) fn around(g: &Value, c: &Value) -> Result<Value, Fault> {
    let grid = as_grid(g)?;
    cell(grid, c)?;
    let (row, col) = row_and_col(c)?;
    let beside = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];
    let cells = beside.iter().filter_map(|(i, j)| grid.place(row + i, col + j)).filter(|place| !grid.is_wall(*place));
    Ok(Value::Set(cells.map(|place| grid.cell_label(place)).collect()))
}
