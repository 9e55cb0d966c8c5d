//! Values beyond the range asked for.

use crate::guess::data::Data;
use crate::guess::points::Points;
use crate::guess::question::variables;
use crate::model::Clause;
use crate::source::diagnostic::Diagnostic;
use std::time::{Duration, Instant};

/// So many points are held: of one variable, of several.
const HELD: (usize, usize) = (1_000_000, 60_000);
/// Along one variable alone values go so far.
const AXIS: i64 = 60;
/// The range grows to its length times this.
const GROWTH: i64 = 4;
/// In so many steps.
const STEPS: i64 = 12;

impl Data<'_, '_> {
    /// Works out more points, up to four times the range in some steps, for as long as `time` allows.
    ///
    /// # Errors
    /// Those of the values, but no limits: then there is less.
    pub(in crate::guess) fn more(&mut self, time: Duration) -> Result<(), Box<Diagnostic>> {
        let asked = self.ends.clone();
        if asked.iter().all(Option::is_none) {
            return Ok(());
        }
        let until = Instant::now() + time;
        let least: Vec<Option<i64>> = self.least_by_clause();
        let held = if self.slots.len() == 1 { HELD.0 } else { HELD.1 };
        for step in 1..=STEPS {
            let grown = |(end, least): (&Option<i64>, &Option<i64>)| {
                let end = (*end)?;
                let length = end.saturating_sub(least.unwrap_or(0)).max(end).max(1);
                Some(end.saturating_add(length.saturating_mul((GROWTH - 1) * step) / STEPS))
            };
            let ends: Vec<Option<i64>> = asked.iter().zip(&least).map(grown).collect();
            let left = until.saturating_duration_since(Instant::now());
            let clauses = self.clauses_to(&ends);
            let before = self.points.rows.len();
            let done = self.within_time(left, |data| match data.rows(&clauses, held)? {
                Some(rows) => data.evaluate(rows).map(|()| true).map_err(|(_, error)| error),
                None => Ok(false),
            });
            match done {
                // Beyond what formulas are worked out in nothing can be compared.
                Ok(true) if self.wide => {
                    self.points.rows.truncate(before);
                    break;
                }
                Ok(true) => self.ends = ends,
                Ok(false) => break,
                Err(error) if error.code.is_limit() => {
                    self.points.rows.truncate(before);
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// For each variable the values where only it differs from the first point, further than the range asked for; nothing
    /// where a range depends on another, and as far as `time` allows.
    pub(in crate::guess) fn axes(&mut self, time: Duration) -> Vec<Points> {
        let Some((origin, _)) = self.points.rows.first().cloned() else { return Vec::new() };
        let single = self
            .clauses
            .iter()
            .zip(&self.ends)
            .all(|(clause, end)| end.is_some() || matches!(clause, Clause::Let { .. }));
        if !single || self.slots.len() < 2 {
            return Vec::new();
        }
        let share = time / u32::try_from(self.slots.len()).unwrap_or(1);
        let least = self.least_by_clause();
        let binders: Vec<usize> = (0..self.ends.len()).filter(|clause| self.ends[*clause].is_some()).collect();
        let axis = |(variable, clause): (usize, &usize)| {
            let mut ends = least.clone();
            ends[*clause] = self.ends[*clause].map(|end| end.max(AXIS));
            let clauses = self.clauses_to(&ends);
            let mut points = Points { rows: Vec::new(), ..self.points.clone() };
            // What a limit leaves is enough: this is only what forms are made from.
            let _ = self.within_time(share, |data| {
                let rows = data.every_row(&clauses, HELD.1)?.unwrap_or_default();
                for row in rows {
                    let value = data.value_at(&row)?;
                    points.rows.push((row.at, value));
                }
                Ok::<(), Box<Diagnostic>>(())
            });
            points.rows.retain(|(at, _)| at.iter().zip(&origin).enumerate().all(|(i, (x, o))| i == variable || x == o));
            points
        };
        binders.iter().enumerate().map(axis).collect()
    }

    fn least_by_clause(&self) -> Vec<Option<i64>> {
        let least = |clause: &Clause| {
            let slot = *variables(std::slice::from_ref(clause)).first()?;
            let variable = self.slots.iter().position(|other| *other == slot)?;
            self.points.rows.iter().map(|(at, _)| at[variable]).min()
        };
        self.clauses.iter().map(least).collect()
    }
}
