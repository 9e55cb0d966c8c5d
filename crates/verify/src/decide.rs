//! Sentences become tables, connective by connective, and a sentence without free variables is true or false.
//!
//! Only the order is chosen: negations go inside, and of variables bound together the one goes first for which the
//! product of all that speaks of it is smallest.

use crate::atoms::{Numbers, proper, table};
use crate::sentence::{Sentence, Variable};
use crate::table::{Halt, Limits, Table};

/// Whether a sentence is true. All its variables are bound.
pub fn decide(sentence: &Sentence, numbers: Numbers, limits: &Limits) -> Result<bool, Halt> {
    Ok(Decision { numbers, limits }.sentence(&inside(sentence, true))?.accepts_nothing_read())
}

/// The same sentence (`yes`) or its negation, with `not` only before atoms and `exists`.
fn inside(sentence: &Sentence, yes: bool) -> Sentence {
    match sentence {
        Sentence::Constant(value) => Sentence::Constant(*value == yes),
        Sentence::Not(inner) => inside(inner, !yes),
        Sentence::All(parts) | Sentence::Any(parts) => {
            let parts: Vec<Sentence> = parts.iter().map(|part| inside(part, yes)).collect();
            if matches!(sentence, Sentence::All(_)) == yes { Sentence::All(parts) } else { Sentence::Any(parts) }
        }
        Sentence::Atom(_) | Sentence::Exists(..) => {
            let same = match sentence {
                Sentence::Exists(bound, inner) => Sentence::Exists(bound.clone(), Box::new(inside(inner, true))),
                other => other.clone(),
            };
            if yes { same } else { Sentence::Not(Box::new(same)) }
        }
    }
}

/// Cuts `and`, and what is bound inside of it, into parts. Names are apart, so that what is bound inside can be bound outside.
fn parts(sentence: &Sentence, bound: &mut Vec<Variable>, all: &mut Vec<Sentence>) {
    match sentence {
        Sentence::All(inner) => inner.iter().for_each(|part| parts(part, bound, all)),
        Sentence::Exists(variables, inner) => {
            bound.extend(variables);
            parts(inner, bound, all);
        }
        other => all.push(other.clone()),
    }
}

struct Decision<'l> {
    numbers: Numbers,
    limits: &'l Limits,
}

impl Decision<'_> {
    fn sentence(&self, sentence: &Sentence) -> Result<Table, Halt> {
        match sentence {
            Sentence::Constant(value) => Ok(Table::constant(*value)),
            Sentence::Atom(atom) => table(atom, self.numbers, self.limits),
            Sentence::Not(inner) => Ok(self.sentence(inner)?.complement()),
            Sentence::Any(parts) => {
                let parts: Result<Vec<Table>, Halt> = parts.iter().map(|part| self.sentence(part)).collect();
                self.joined(parts?, false)
            }
            Sentence::All(_) => self.all(&[], sentence),
            Sentence::Exists(bound, inner) => match &**inner {
                Sentence::Any(parts) => {
                    let apart = |part: &Sentence| self.all(bound, part);
                    let parts: Result<Vec<Table>, Halt> = parts.iter().map(apart).collect();
                    self.joined(parts?, false)
                }
                _ => self.all(bound, inner),
            },
        }
    }

    fn all(&self, bound: &[Variable], sentence: &Sentence) -> Result<Table, Halt> {
        let (mut bound, mut all) = (bound.to_vec(), Vec::new());
        parts(sentence, &mut bound, &mut all);
        let tables: Result<Vec<Table>, Halt> = all.iter().map(|part| self.sentence(part)).collect();
        let mut tables = tables?;
        while !bound.is_empty() {
            let size = |variable: Variable| -> usize {
                let of = tables.iter().filter(|table| table.variables.contains(&variable));
                of.fold(1, |size: usize, table| size.saturating_mul(table.states() + 1))
            };
            let next = (0..bound.len()).min_by_key(|&i| size(bound[i])).unwrap_or(0);
            let variable = bound.swap_remove(next);
            let (with, without): (Vec<Table>, Vec<Table>) =
                tables.into_iter().partition(|table| table.variables.contains(&variable));
            tables = without;
            if with.is_empty() {
                continue;
            }
            let mut together: Vec<Variable> = with.iter().flat_map(|table| table.variables.iter().copied()).collect();
            together.dedup();
            // What speaks of no more variables makes the product smaller.
            let (also, rest): (Vec<Table>, Vec<Table>) = tables
                .into_iter()
                .partition(|table| !table.variables.is_empty() && table.variables.iter().all(|v| together.contains(v)));
            tables = rest;
            let mut product = self.joined(with.into_iter().chain(also).collect(), true)?;
            if let Some(proper) = proper(variable, self.numbers, self.limits)? {
                product = product.product(&proper, true, self.limits)?;
            }
            tables.push(product.project(variable, self.numbers.end(), self.limits)?);
        }
        self.joined(tables, true)
    }

    fn joined(&self, mut tables: Vec<Table>, and: bool) -> Result<Table, Halt> {
        tables.sort_by_key(|table| std::cmp::Reverse(table.states()));
        let mut all = tables.pop().unwrap_or_else(|| Table::constant(and));
        while let Some(table) = tables.pop() {
            all = all.product(&table, and, self.limits)?;
        }
        Ok(all)
    }
}
