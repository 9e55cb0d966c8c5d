//! Cases that are answered together: as many as stand in a file one after the other, are written alike and need no search.

use crate::cli::inputs;
use crate::cli::inputs::Given;
use crate::engines::batch::Batch;
use crate::input::json::Form;
use crate::model::Program;
use crate::report;
use crate::value::Value;
use crate::vm::context::Context;
use std::sync::Arc;
use std::time::Instant;

/// So many at most: their columns stay in the nearest cache, and the room for their answers is used again.
const MOST: usize = 512;
/// And as few at first, and where they often end.
const LEAST: usize = 32;

/// See the module.
pub(crate) struct Together {
    batch: Batch,
    program: Arc<Program>,
    base: Given,
    /// How the last ones were written.
    form: Option<Form>,
    /// So many are tried at a time.
    size: usize,
    /// So often it is not tried at all, now and when it comes to nothing next.
    rest: usize,
    next_rest: usize,
}

impl Together {
    /// Cases of this question on top of these inputs.
    pub(crate) fn new(batch: Batch, program: Arc<Program>, base: Given) -> Together {
        Together { batch, program, base, form: None, size: LEAST, rest: 0, next_rest: 1 }
    }

    /// Answers cases at the beginning of a text, with the byte `after` behind each, and adds their answers to `out`; the first is
    /// number `index`. How many, and the bytes they took.
    pub(crate) fn answered(
        &mut self,
        ctx: &mut Context,
        index: usize,
        after: u8,
        text: &[u8],
        out: &mut Vec<u8>,
    ) -> (usize, usize) {
        if text.is_empty() {
            return (0, 0);
        }
        if self.rest > 0 {
            self.rest -= 1;
            return (0, 0);
        }
        let done = self.tried(ctx, index, after, text, out);
        match done {
            Some((count, _)) if count >= LEAST => self.next_rest = 1,
            _ => {
                self.rest = self.next_rest;
                self.next_rest = MOST.min(2 * self.next_rest);
            }
        }
        done.unwrap_or_default()
    }

    fn tried(
        &mut self,
        ctx: &mut Context,
        index: usize,
        after: u8,
        text: &[u8],
        out: &mut Vec<u8>,
    ) -> Option<(usize, usize)> {
        let start = Instant::now();
        let known = self.form.as_ref().map(|form| form.read(text, self.size)).filter(|rows| !rows.ends.is_empty());
        let rows = if let Some(rows) = known {
            rows
        } else {
            let form = inputs::form_of_case(&self.program, text, after)?;
            self.form.insert(form).read(text, self.size)
        };
        let form = self.form.as_ref()?;
        let all = rows.ends.len();
        let mut fixed: Vec<(usize, Value)> = Vec::new();
        for input in self.batch.inputs().into_iter().filter(|input| !form.inputs.contains(input)) {
            match &self.base[input] {
                Some(value @ Value::Int(_)) => fixed.push((input, value.clone())),
                _ => return None,
            }
        }
        let columns: Vec<(usize, &[i64])> =
            form.inputs.iter().zip(&rows.columns).map(|(input, column)| (*input, &column[..])).collect();
        if all == 0 {
            return None;
        }
        let answers = self.batch.answers(ctx, &columns, &fixed, all);
        let Some(answers) = answers else {
            self.size = LEAST;
            return None;
        };
        self.size = if answers.count == all { MOST.min(2 * self.size) } else { LEAST.max(2 * answers.count).min(MOST) };
        let each = start.elapsed() / u32::try_from(answers.count).ok()?;
        report::batch::add_lines(&self.program, &answers, index, each, out);
        Some((answers.count, rows.ends[answers.count - 1]))
    }
}
