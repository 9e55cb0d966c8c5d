//! Grids: a line for each row.

use crate::input::datafile::blocks::{Blocks, utf8};
use crate::input::datafile::wrong;
use crate::value::Grid;
use crate::value::fault::Fault;

/// The grid of characters in these lines; spaces round a line and blank lines do not count.
///
/// # Errors
/// D03 with the number of the first line whose length differs, or line 1 when there is no row.
pub(super) fn read(blocks: &mut Blocks) -> Result<Grid, Fault> {
    let mut grid: (usize, Vec<char>) = (0, Vec::new());
    blocks.each_line(
        &mut grid,
        |_, _, _| None,
        |(rows, cells), line, content| {
            let content = utf8(line, content)?.trim();
            if content.is_empty() {
                return Ok(());
            }
            let before = cells.len();
            cells.extend(content.chars());
            let (cols, length) = (before / (*rows).max(1), cells.len() - before);
            if *rows > 0 && length != cols {
                return Err(wrong(line, 0, &format!("{cols} cells are expected as before, not {length}")));
            }
            *rows += 1;
            Ok(())
        },
    )?;
    let (rows, cells) = grid;
    if rows == 0 {
        return Err(wrong(1, 0, "a row of cells is expected"));
    }
    Grid::new(rows, cells.len() / rows, cells)
}
