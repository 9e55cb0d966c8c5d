//! Values by the rules: the range asked for, and more of it later. Theorems are not looked at, as in `check`.

use crate::claims::PositionCount;
use crate::guess::formula::{Formula, Op};
use crate::guess::question::{Ends, Reach, reaches, variables};
use crate::model::walk::bare;
use crate::model::{BinaryOp, Clause, Frame, Program, Slot, Term, TermKind, Type};
use crate::source::{Code, Diagnostic};
use crate::value::Value;
use crate::vm::context::Context;
use crate::vm::size_window::SizeWindow;
use indexmap::IndexSet;
use num_bigint::BigInt;
use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, Instant};

/// Where `nat` ends at first, by the number of variables.
const FIRST: [i64; 5] = [0, 150, 24, 10, 6];
/// Fewer values of one variable over `nat` are too few when time is up.
const LEAST: i64 = 12;

/// The values of an expression, as far as they were worked out.
pub(super) struct Data<'m, 'q> {
    ctx: &'m mut Context,
    frame: &'q Frame,
    clauses: &'q [Clause],
    value: &'q Term,
    slots: Vec<Slot>,
    bound: Vec<Slot>,
    reaches: Vec<Option<Reach>>,
    /// Where each range that can go on ends now.
    ends: Vec<Option<i64>>,
    known: HashMap<Vec<i64>, i128>,
    pub(super) reading: Reading,
    met: PositionCount,
    evaluated: u64,
    /// An int was met that is too large for formulas.
    wide: bool,
    pub(super) points: Points,
    /// The limit at which the range asked for was broken off.
    pub(super) limit: Option<String>,
    /// Beyond the range asked for there is an error: nothing is said of what lies there.
    pub(super) is_closed: bool,
    /// Why there is nothing to guess: a value that is no number.
    pub(super) odd: Option<String>,
}

impl<'m, 'q> Data<'m, 'q> {
    pub(super) fn program(&self) -> std::sync::Arc<Program> {
        self.ctx.session.program.clone()
    }

    /// Nothing worked out yet.
    /// Errors: D06 for an expression or a binder that is of no use here.
    pub(super) fn new(
        ctx: &'m mut Context,
        (frame, clauses, value): (&'q Frame, &'q [Clause], &'q Term),
    ) -> Result<Self, Box<Diagnostic>> {
        let slots = variables(clauses);
        let refused = |message: &str| Diagnostic::bare(Code::D06, message);
        if let Some(other) = slots.iter().find(|slot| frame.slots[**slot].ty != Type::Int) {
            let refused = refused(&format!("`{}` does not run over numbers", frame.slots[*other].name));
            return Err(Box::new(refused.hint("formulas are guessed in numbers: `for n in 0..100`")));
        }
        if slots.is_empty() || slots.len() >= FIRST.len() {
            let refused = refused("formulas are guessed in one to four numbers");
            return Err(Box::new(refused.hint("say what they run over: `for a, b in 0..30`")));
        }
        let sort = match value.ty {
            Type::Int => Sort::Number,
            Type::Bool | Type::Text => Sort::Truth,
            _ => return Err(Box::new(refused("formulas are guessed for numbers, truth values and outcomes only"))),
        };
        Ok(Data {
            points: Points { variables: slots.len(), rows: Vec::new(), sort },
            bound: crate::model::walk::bound_slots(clauses),
            reaches: reaches(clauses),
            reading: Reading::new(&value.ty),
            met: PositionCount::new(ctx),
            ends: Vec::new(),
            known: HashMap::new(),
            evaluated: 0,
            wide: false,
            odd: None,
            is_closed: false,
            limit: None,
            ctx,
            frame,
            clauses,
            value,
            slots,
        })
    }

    /// When the time is over that the user allows.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.ctx.limits.deadline.map(|(end, _)| end)
    }

    pub(super) fn names(&self) -> Vec<String> {
        self.slots.iter().map(|slot| self.frame.slots[*slot].name.clone()).collect()
    }

    /// Works out the range asked for; what runs over `nat` as far as `share` allows.
    /// Errors: those of the values, with the point; limits.
    pub(super) fn asked(&mut self, share: Duration) -> Result<(), Box<Diagnostic>> {
        let natural = self.reaches.iter().any(|reach| matches!(reach, Some(Reach::All)));
        let first = FIRST.get(self.slots.len()).copied().unwrap_or(0);
        for reach in self.reaches.clone() {
            let end = match reach {
                Some(Reach::All) => Some(first),
                Some(Reach::To(term)) => {
                    // A range that ends beyond words is beyond all limits too.
                    match self.ctx.with_recovery(|m| m.eval_once(self.frame, None, &[], &term))? {
                        Value::Int(end) => Some(end),
                        _ => None,
                    }
                }
                Some(Reach::Given) | None => None,
            };
            self.ends.push(end);
        }
        let clauses = self.clauses_to(&self.ends);
        let rows = self.rows(&clauses, usize::MAX)?.unwrap_or_default();
        if !natural {
            // A part of the time is for what is made of the values.
            let end = self.ctx.limits.deadline.map(|(end, _)| end.saturating_duration_since(Instant::now()));
            let result = match end {
                Some(left) => self.within_time(left / 3 * 2, |data| data.evaluate(rows)),
                None => self.evaluate(rows),
            };
            return result.or_else(|(reached, error)| self.broken_off(reached, error));
        }
        let result = self.within_time(share, |data| data.evaluate(rows));
        let Err((reached, error)) = result else { return Ok(()) };
        let enough = reached >= if self.slots.len() == 1 { LEAST } else { LEAST / 3 };
        if !error.code.is_limit() || !enough || self.ctx.limits_reached() {
            return Err(error);
        }
        for (end, reach) in self.ends.iter_mut().zip(&self.reaches) {
            if matches!(reach, Some(Reach::All)) {
                *end = Some(reached);
            }
        }
        self.points.rows.retain(|(at, _)| at.iter().all(|x| *x <= reached));
        Ok(())
    }

    /// Keeps the values up to a number, beyond which a limit was met. Errors: any other one; too few values.
    fn broken_off(&mut self, reached: i64, error: Box<Diagnostic>) -> Result<(), Box<Diagnostic>> {
        self.points.rows.retain(|(at, _)| at.iter().all(|x| *x <= reached));
        if !error.code.is_limit() || self.ctx.limits_reached() || self.points.rows.len() < crate::guess::LEAST {
            return Err(error);
        }
        for end in self.ends.iter_mut().flatten() {
            *end = reached.min(*end);
        }
        // What fills the memory is not wanted any more.
        self.ctx.forget();
        self.limit = Some(match self.ctx.limits.deadline {
            Some((_, time)) if error.code == Code::L03 => {
                format!("two thirds of the time limit of {} s are used up", time.as_secs_f64())
            }
            _ => error.message.clone(),
        });
        Ok(())
    }

    fn within_time<T>(&mut self, time: Duration, work: impl FnOnce(&mut Self) -> T) -> T {
        let old = self.ctx.limits.deadline;
        let until = Instant::now() + time;
        if old.is_none_or(|(deadline, _)| deadline > until) {
            self.ctx.limits.deadline = Some((until, time));
        }
        let result = work(self);
        self.ctx.limits.deadline = old;
        result
    }

    /// The clauses with other ends of their ranges.
    fn clauses_to(&self, ends: &[Option<i64>]) -> Vec<Clause> {
        let moved = |(clause, end): (&Clause, &Option<i64>)| {
            let (Clause::In { pattern, source, span }, Some(end)) = (clause, end) else { return clause.clone() };
            let int = |n: i64| Term::new(TermKind::Int(BigInt::from(n)), Type::Int, source.span);
            let from = match &bare(source).kind {
                TermKind::Binary(BinaryOp::Range, from, _) => (**from).clone(),
                _ => int(0),
            };
            let kind = TermKind::Binary(BinaryOp::Range, Box::new(from), Box::new(int(*end)));
            let source = Term::new(kind, Type::Range, source.span);
            Clause::In { pattern: pattern.clone(), source, span: *span }
        };
        self.clauses.iter().zip(ends.iter().chain(std::iter::repeat(&None))).map(moved).collect()
    }

    /// The points that are not known yet; `None` when there are more than `limit` in all.
    fn rows(&mut self, clauses: &[Clause], limit: usize) -> Result<Option<Vec<Row>>, Box<Diagnostic>> {
        let rows = self.every_row(clauses, limit)?;
        Ok(rows.map(|rows| rows.into_iter().filter(|row| !self.known.contains_key(&row.at)).collect()))
    }

    /// All points, the nearest first.
    fn every_row(&mut self, clauses: &[Clause], limit: usize) -> Result<Option<Vec<Row>>, Box<Diagnostic>> {
        let (frame, bound) = (self.frame, &self.bound);
        let window = SizeWindow { limit, counted: Box::default(), ..SizeWindow::default() };
        let (found, window) = self.ctx.with_recovery(|m| m.windowed_ways(frame, clauses, bound, window.clone()))?;
        if window.overflow {
            return Ok(None);
        }
        let places: Vec<usize> =
            self.slots.iter().filter_map(|slot| bound.iter().position(|other| other == slot)).collect();
        let point = |values: Vec<Value>| {
            let at: Option<Vec<i64>> =
                places.iter().map(|at| if let Value::Int(n) = values[*at] { Some(n) } else { None }).collect();
            at.map(|at| Row { at, values })
        };
        let mut rows: Vec<Row> = found.into_iter().filter_map(point).collect();
        rows.sort_by_key(|row| row.at.iter().max().copied());
        Ok(Some(rows))
    }

    /// Works out the values of points and keeps them; with an error the number up to which all coordinates were done.
    fn evaluate(&mut self, rows: Vec<Row>) -> Result<(), (i64, Box<Diagnostic>)> {
        for row in rows {
            let reached = row.at.iter().max().map_or(-1, |most| most - 1);
            let number = self.value_at(&row).map_err(|error| (reached, error))?;
            if self.known.insert(row.at.clone(), number).is_none() {
                self.points.rows.push((row.at, number));
            }
        }
        Ok(())
    }

    fn value_at(&mut self, row: &Row) -> Result<i128, Box<Diagnostic>> {
        if self.evaluated.is_multiple_of(256) {
            self.met.tidy(self.ctx);
        }
        self.evaluated += 1;
        let (frame, term, slots) = (self.frame, self.value, &self.bound);
        let value = self.ctx.with_recovery(|ctx| {
            ctx.limits.check_clock()?;
            ctx.eval_with(frame, slots, &row.values, term)
        });
        let value = value.map_err(|error| Box::new(self.at(*error, &row.at)))?;
        if let Some(number) = self.reading.number(&value) {
            return Ok(number);
        }
        self.wide |= matches!(value, Value::Big(_));
        if self.odd.is_none() {
            let at = self.said(&row.at);
            self.odd = Some(format!("the value at {at} is {}, which no formula gives", value.inner_text()));
        }
        Ok(self.reading.other(&value))
    }

    /// Whether the language's value is the one of a point.
    pub(super) fn agrees(&mut self, at: &[i64], value: &Value) -> bool {
        let number = self.reading.number(value);
        number.is_some() && self.known.get(at).copied() == number
    }

    /// Of each binder by `in` the least value, and the end of its range where that moves.
    pub(super) fn ends(&self) -> Vec<Ends> {
        let mut ends = Vec::new();
        for (clause, (reach, end)) in self.clauses.iter().zip(self.reaches.iter().zip(&self.ends)) {
            if reach.is_none() {
                continue;
            }
            for slot in variables(std::slice::from_ref(clause)) {
                let variable = self.slots.iter().position(|other| *other == slot);
                let least = variable.and_then(|v| self.points.rows.iter().map(|(at, _)| at[v]).min());
                ends.push(Ends { least: least.unwrap_or(0), to: end.filter(|_| !self.is_closed) });
            }
        }
        ends
    }

    /// `a = 3, b = 5`
    pub(super) fn said(&self, at: &[i64]) -> String {
        let named = self.names().into_iter().zip(at);
        named.map(|(name, x)| format!("{name} = {x}")).collect::<Vec<_>>().join(", ")
    }

    fn at(&self, mut error: Diagnostic, at: &[i64]) -> Diagnostic {
        if error.hint.is_none() && !error.code.is_limit() && !self.ctx.in_let(&error) {
            error.hint = Some(format!("this is at {}", self.said(at)));
        }
        error
    }
}

struct Row {
    at: Vec<i64>,
    values: Vec<Value>,
}

/// So many points are held: of one variable, of several.
const HELD: (usize, usize) = (1_000_000, 60_000);
/// Along one variable alone values go so far.
const AXIS: i64 = 60;
/// The range grows to its length times this.
const GROWTH: i64 = 4;
const STEPS: i64 = 12;

impl Data<'_, '_> {
    /// Works out more points, up to four times the range in some steps, for as long as `time` allows; a limit leaves less, and where a
    /// value is an error nothing beyond the range asked for counts.
    pub(super) fn more(&mut self, time: Duration) {
        let asked = self.ends.clone();
        if self.limit.is_some() || asked.iter().all(Option::is_none) {
            return;
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
                Err(_) => {
                    self.points.rows.truncate(before);
                    self.is_closed = true;
                    break;
                }
            }
        }
        if self.is_closed {
            self.ends = asked;
        }
    }

    /// For each variable the values where only it differs from the first point, further than the range asked for; nothing
    /// where a range depends on another, and as far as `time` allows.
    pub(super) fn axes(&mut self, time: Duration) -> Vec<Points> {
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

/// Ints are themselves, truth values 0 and 1, texts are numbered in the order in which they are met.
#[derive(Debug)]
pub(super) struct Reading {
    ty: Type,
    pub(super) texts: IndexSet<String>,
    others: IndexSet<String>,
}

impl Reading {
    pub(super) fn new(ty: &Type) -> Self {
        Reading { ty: ty.clone(), texts: IndexSet::new(), others: IndexSet::new() }
    }

    /// The number of a value; `None` for one that no formula gives.
    pub(super) fn number(&mut self, value: &Value) -> Option<i128> {
        match value {
            Value::Int(n) => Some(i128::from(*n)),
            Value::Big(n) => i128::try_from(&**n).ok(),
            Value::Bool(truth) => Some(i128::from(*truth)),
            Value::Text(text) => {
                let text: String = text.characters().collect();
                // Others cannot be written between quotes as they are.
                if text.contains(['"', '\\', '\n']) {
                    return None;
                }
                i128::try_from(self.texts.insert_full(text).0).ok()
            }
            _ => None,
        }
    }

    /// A number for a value that no formula gives: far below all others.
    pub(super) fn other(&mut self, value: &Value) -> i128 {
        i128::MIN + crate::guess::candidates::whole(self.others.insert_full(value.inner_text()).0)
    }

    pub(super) fn shown(&self, value: i128) -> String {
        match (&self.ty, usize::try_from(value).ok().and_then(|index| self.texts.get_index(index))) {
            (Type::Text, Some(text)) => format!("\"{text}\""),
            (Type::Bool, _) => (value == 1).to_string(),
            _ if value < i128::MIN / 2 => {
                let index = usize::try_from(value - i128::MIN).ok();
                index.and_then(|index| self.others.get_index(index)).cloned().unwrap_or_default()
            }
            _ => value.to_string(),
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Points {
    pub(super) variables: usize,
    /// The values of the variables and the value at that point, in order of size: the sum of what the variables are without
    /// their signs, then as the variables are written.
    pub(super) rows: Vec<(Vec<i64>, i128)>,
    pub(super) sort: Sort,
}

impl Points {
    pub(super) fn only(&self, keep: impl Fn(&[i64]) -> bool) -> Points {
        let rows = self.rows.iter().filter(|(at, _)| keep(at)).cloned().collect();
        Points { variables: self.variables, rows, sort: self.sort }
    }

    pub(super) fn order(&mut self) {
        let size = |at: &[i64]| at.iter().map(|x| x.unsigned_abs()).fold(0u64, u64::saturating_add);
        self.rows.sort_by(|(a, _), (b, _)| size(a).cmp(&size(b)).then_with(|| a.cmp(b)));
    }

    /// The first point at which the formula has another value, or none.
    pub(super) fn against(&self, formula: &Formula) -> Option<&(Vec<i64>, i128)> {
        self.rows.iter().find(|(at, value)| formula.eval(at) != Some(*value))
    }

    /// The values as a function of a statistic of the points, when they are one.
    pub(super) fn by(&self, statistic: &Formula) -> Option<BTreeMap<i128, i128>> {
        function(self.rows.iter().map(|(at, value)| Some((statistic.eval(at)?, *value))))
    }

    /// The greatest value of a variable.
    pub(super) fn most(&self, variable: usize) -> i64 {
        self.rows.iter().map(|(at, _)| at[variable]).max().unwrap_or(0)
    }
}

/// The table of a function; `None`: something is not defined, or has two values.
pub(super) fn function(entries: impl Iterator<Item = Option<(i128, i128)>>) -> Option<BTreeMap<i128, i128>> {
    let mut table = BTreeMap::new();
    for entry in entries {
        let (key, value) = entry?;
        if *table.entry(key).or_insert(value) != value {
            return None;
        }
    }
    Some(table)
}

/// A function as a series, with the formula of the place in the series: the keys are evenly spaced, or those are taken that
/// are before the first gap.
pub(super) fn series(table: &BTreeMap<i128, i128>, of: &Formula, sort: Sort) -> Option<(Series, Formula)> {
    let mut keys = table.keys().copied();
    let first = keys.next()?;
    let stride = keys.next().map_or(1, |second| second - first);
    let even = table.keys().zip(0..).take_while(|(key, index)| **key == first + stride * index).count();
    let values = table.values().take(even).copied().collect();
    let (offset, start) = if stride == 1 { (0, first) } else { (first.rem_euclid(stride), first.div_euclid(stride)) };
    let place = of.clone().plus(-offset).over(stride);
    Some((Series { first: i64::try_from(start).ok()?, values, sort }, place))
}

/// What values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// Ints.
    Number,
    /// 0 or 1
    Truth,
}

/// The values for all ints of a stretch.
#[derive(Clone, Debug)]
pub struct Series {
    /// The first int.
    pub first: i64,
    /// The value of each.
    pub values: Vec<i128>,
    /// What they are.
    pub sort: Sort,
}

pub(super) type Exception = (i64, i128);

impl Series {
    pub(super) fn without(&self, count: usize) -> Series {
        Series {
            first: self.place(count),
            values: self.values.get(count..).unwrap_or_default().to_vec(),
            sort: self.sort,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    pub(super) fn place(&self, index: usize) -> i64 {
        self.first + i64::try_from(index).unwrap_or(i64::MAX / 2)
    }

    pub(super) fn entries(&self) -> impl DoubleEndedIterator<Item = (i64, i128)> + '_ {
        self.values.iter().enumerate().map(|(index, value)| (self.place(index), *value))
    }

    /// Whether a formula in the first variable has all these values. The last ones are tried first: they are the largest.
    pub fn fits(&self, formula: &Formula) -> bool {
        !self.values.is_empty() && self.entries().rev().all(|(n, value)| formula.eval(&[n]) == Some(value))
    }

    /// The formula with the places of this series where it is wrong, or has no value, stated one by one.
    pub fn patched(&self, formula: Formula) -> Formula {
        let wrong = self.entries().filter(|(n, value)| formula.eval(&[*n]) != Some(*value));
        let wrong: Vec<Exception> = wrong.collect();
        stated(formula, &wrong, self.first, self.sort)
    }
}

/// A formula with exceptions, where the places looked at begin with `first`.
pub(super) fn stated(formula: Formula, wrong: &[Exception], first: i64, sort: Sort) -> Formula {
    match sort {
        Sort::Truth => truth_with(formula, wrong, first),
        Sort::Number => number_with(formula, wrong, first),
    }
}

fn told(places: &[i64], first: i64, holds: bool) -> Formula {
    let prefix = places.len() > 1 && places.iter().zip(first..).all(|(place, at)| *place == at);
    if prefix && let Some(last) = places.last() {
        return Formula::Var(0).op(if holds { Op::Lt } else { Op::Ge }, Formula::Int(i128::from(*last) + 1));
    }
    Formula::Var(0).among(places.iter().map(|n| i128::from(*n)).collect(), holds)
}

fn number_with(formula: Formula, wrong: &[Exception], first: i64) -> Formula {
    let mut values: Vec<i128> = wrong.iter().map(|(_, value)| *value).collect();
    values.sort_unstable();
    values.dedup();
    let prefix = wrong.iter().zip(0..).all(|((place, _), at)| *place == at);
    if prefix && values.len() > 2 {
        let places: Vec<i64> = wrong.iter().map(|(place, _)| *place).collect();
        let items = wrong.iter().map(|(_, value)| *value).collect();
        let listed = Formula::Pick(items, Box::new(Formula::Var(0)));
        return Formula::If(Box::new(told(&places, first, true)), Box::new(listed), Box::new(formula));
    }
    values.into_iter().rev().fold(formula, |rest, value| {
        let places: Vec<i64> = wrong.iter().filter(|(_, v)| *v == value).map(|(place, _)| *place).collect();
        Formula::If(Box::new(told(&places, first, true)), Box::new(Formula::Int(value)), Box::new(rest))
    })
}

fn truth_with(formula: Formula, wrong: &[Exception], first: i64) -> Formula {
    let of = |wanted: i128| -> Vec<i64> {
        wrong.iter().filter(|(_, value)| *value == wanted).map(|(place, _)| *place).collect()
    };
    let (holding, failing) = (of(1), of(0));
    let mut result = formula;
    if !failing.is_empty() {
        let others = told(&failing, first, false);
        result = if result == Formula::Truth(true) { others } else { others.op(Op::And, result) };
    }
    if !holding.is_empty() {
        let these = told(&holding, first, true);
        result = if result == Formula::Truth(false) { these } else { these.op(Op::Or, result) };
    }
    result
}
