//! Cells of grids known by their parts: which of them hold something, those beside another, masks of them.

use crate::bytecode::lower::operand::{Part, Parts};
use crate::bytecode::lower::{Lower, Operand};
use crate::bytecode::{Aggregate, Op, WordType};
use crate::model::{Builtin, CompareOp, Term, TermKind, Type};
use crate::value::domain::{Domain, SIDE};
use crate::value::{Value, width};
use std::rc::Rc;

impl<'p> Lower<'_, 'p> {
    /// The index of a cell of a grid as the place among its parts; of other things as it is. `None`: it is no two ints, or
    /// known to be outside.
    pub(super) fn cell_place(&mut self, of: &Rc<Parts>, at: &Operand) -> Option<Operand> {
        let Aggregate::Grid(cols) = of.whole else { return Some(at.clone()) };
        let cell = self.as_label(at.clone());
        let [row, col] = &self.sure_parts(&cell).filter(|cell| cell.whole == Aggregate::Tuple)?.parts[..] else {
            return None;
        };
        let rows = of.parts.len() as u64 / u64::from(cols);
        let inside = |n: i64, bound: u64| u64::try_from(n).is_ok_and(|n| n < bound);
        if let (Operand::Known(Value::Int(row)), Operand::Known(Value::Int(col))) = (&row.operand, &col.operand) {
            let fine = inside(*row, rows) && inside(*col, cols.into());
            return fine.then(|| Operand::Known(Value::Int(row * i64::from(cols) + col)));
        }
        if !row.operand.is_int() || !col.operand.is_int() {
            return None;
        }
        let [row, col] = [row, col].map(|part| self.int(part));
        let (place, outside, done) = (self.constant(0), self.label(), self.label());
        for (a, bound) in [(row, rows), (col, cols.into())] {
            let [zero, last] = [0, width::int(bound) - 1].map(|k| self.pooled(k));
            self.emit(Op::JumpLt { a, b: zero, to: Self::to(outside) });
            self.emit(Op::JumpLt { a: last, b: a, to: Self::to(outside) });
        }
        let b = self.pooled(cols.into());
        self.emit(Op::Mul { d: place, a: row, b });
        self.emit(Op::Add { d: place, a: place, b: col });
        self.emit(Op::Jump { to: Self::to(done) });
        self.put(outside);
        // Tells what is wrong with it.
        let [a, i] = [Operand::Parts(of.clone()), cell].map(|operand| self.as_value(operand));
        self.emit_value(|d| Op::Index { d, a, i });
        self.put(done);
        Some(Operand::Word(place, WordType::Int))
    }

    /// The cells of a grid that hold something, or that do not, each with a flag.
    pub(super) fn cells_where(&mut self, op: CompareOp, [grid, held]: &[Operand; 2]) -> Option<Vec<Part>> {
        let parts = self.sure_parts(grid)?;
        let Aggregate::Grid(cols) = parts.whole else { return None };
        let mut cells = Vec::new();
        for (place, part) in (0..).zip(&parts.parts) {
            let cell = [place / i64::from(cols), place % i64::from(cols)].map(Value::Int);
            let operand = Operand::Known(Value::tuple(cell.into()));
            match self.compare_operands(op, &part.operand, held) {
                Ok(false) => {}
                Ok(true) => cells.push(Part::sure(operand)),
                Err(flag) => cells.push(Part { flag: Some(flag), operand }),
            }
        }
        Some(cells)
    }

    /// A grid known by its parts, and a cell, of which a word tells what is beside it; `None`: nothing was done.
    pub(super) fn beside_operands(&mut self, word: Builtin, args: &'p [Term]) -> Option<[Operand; 2]> {
        let ([grid, cell], Builtin::Neighbours | Builtin::Around | Builtin::Degree) = (args, word) else { return None };
        let grid = if let TermKind::Adapt(inner) = &grid.kind { inner } else { grid };
        if !matches!(grid.kind, TermKind::Slot(_)) || grid.ty != Type::Grid {
            return None;
        }
        let grid = self.expr(grid);
        matches!(&grid, Operand::Parts(parts) if matches!(parts.whole, Aggregate::Grid(_)))
            .then(|| [grid, self.expr(cell)])
    }

    /// The cells beside a known cell of a grid that are no walls, each with a flag.
    pub(super) fn cells_beside(&mut self, word: Builtin, operands: &[Operand; 2]) -> Option<Vec<Part>> {
        let [grid, cell] = operands;
        if !matches!(cell, Operand::Known(_)) {
            return None;
        }
        let parts = self.sure_parts(grid)?;
        let Operand::Known(Value::Int(place)) = self.cell_place(&parts, cell)? else { return None };
        let Aggregate::Grid(cols) = parts.whole else { return None };
        let (cols, wall) = (i64::from(cols), Operand::Known(Value::text("#")));
        let [row, col] = [place / cols, place % cols];
        let square = word == Builtin::Around;
        if !square {
            // A wall is no vertex: the word says so.
            match self.compare_operands(CompareOp::Eq, &parts.parts[width::index(place.unsigned_abs())].operand, &wall)
            {
                Ok(false) => {}
                Ok(true) => return None,
                Err(a) => {
                    let fine = self.label();
                    self.emit(Op::JumpUnless { a, to: Self::to(fine) });
                    self.call_word(word, operands);
                    self.put(fine);
                }
            }
        }
        let mut cells = Vec::new();
        let steps = (-1..=1).flat_map(|i| (-1..=1).map(move |j| (i, j))).filter(|&(i, j)| {
            let far = i64::abs(i) + i64::abs(j);
            far == 1 || square && far == 2
        });
        for (i, j) in steps {
            let at = Operand::Known(Value::pair(Value::Int(row + i), Value::Int(col + j)));
            let Some(Operand::Known(Value::Int(place))) = self.cell_place(&parts, &at) else { continue };
            let there = parts.parts[width::index(place.unsigned_abs())].operand.clone();
            match self.compare_operands(CompareOp::Ne, &there, &wall) {
                Ok(false) => {}
                Ok(true) => cells.push(Part::sure(at)),
                Err(flag) => cells.push(Part { flag: Some(flag), operand: at }),
            }
        }
        Some(cells)
    }

    /// What a word tells of the cells beside one.
    pub(super) fn beside_word(&mut self, word: Builtin, operands: &[Operand; 2]) -> Operand {
        let small = matches!(&operands[0], Operand::Parts(parts) if self.is_small_grid(parts));
        if small
            && let Some(cells) = self.cells_beside(word, operands)
            && let Some(mask) = self.mask_of_cells(&cells)
        {
            let Operand::Word(a, _) = mask else { return mask };
            return if word == Builtin::Degree {
                Operand::Word(self.emit_word(|d| Op::Size { d, a }), WordType::Int)
            } else {
                mask
            };
        }
        self.call_word(word, operands)
    }

    /// Whether all cells of a grid are small pairs.
    fn is_small_grid(&self, parts: &Parts) -> bool {
        let Aggregate::Grid(cols) = parts.whole else { return false };
        let rows = width::int(parts.parts.len() as u64) / i64::from(cols);
        rows <= SIDE && i64::from(cols) <= SIDE && self.narrow()
    }

    /// Known cells with flags as a mask of small pairs.
    fn mask_of_cells(&mut self, cells: &[Part]) -> Option<Operand> {
        let domain = self.ctx.domain_id(&Domain::Pairs)?;
        let mask = self.constant(0);
        for cell in cells {
            let Operand::Known(value) = &cell.operand else { return None };
            let single = Value::set(vec![value.clone()]);
            let b = self.pooled(self.known_word(&single, WordType::Mask(domain))?);
            self.where_there(cell.flag, |lower, _| lower.emit(Op::Or { d: mask, a: mask, b }));
        }
        Some(Operand::Word(mask, WordType::Mask(domain)))
    }

    /// A word about a grid that is known by its cells.
    pub(super) fn grid_word(
        &mut self,
        word: Builtin,
        parts: &Rc<Parts>,
        cols: u32,
        operands: &[Operand],
    ) -> Option<Operand> {
        let rows = width::int(parts.parts.len() as u64) / i64::from(cols);
        match (word, operands) {
            (Builtin::Rows, [_]) => Some(Operand::Known(Value::Int(rows))),
            (Builtin::Cols, [_]) => Some(Operand::Known(Value::Int(cols.into()))),
            (Builtin::Cells, [_]) => {
                let cell = |r, c| Value::pair(Value::Int(r), Value::Int(c));
                let cells = (0..rows).flat_map(|r| (0..cols.into()).map(move |c| cell(r, c)));
                Some(Operand::Known(Value::set(cells.collect())))
            }
            (Builtin::Cells, [_, held]) if self.is_small_grid(parts) => {
                let cells = self.cells_where(CompareOp::Eq, &[Operand::Parts(parts.clone()), held.clone()])?;
                self.mask_of_cells(&cells)
            }
            _ => None,
        }
    }
}
