//! Constant collections whose members are all words of one form, or tuples and lists of such: a table for each word of a
//! member. So `xs[i]` and a loop over `xs` take a few word instructions, however long the collection is.

use crate::bytecode::layout::LONGEST;
use crate::bytecode::lower::operand::Part;
use crate::bytecode::lower::sources::Source;
use crate::bytecode::lower::{Lower, Operand};
use crate::bytecode::{Aggregate, Op, Reg, WordType};
use crate::model::{Term, TermKind, Type};
use crate::value::{Value, members, width};

/// The words of many values of one form.
#[derive(Debug)]
pub(crate) enum Columns {
    Words(WordType, Vec<i64>),
    Parts(Aggregate, Vec<Columns>),
}

impl<'p> Lower<'_, 'p> {
    /// The words of these values; `None`: they have no form in common, or none of words.
    fn columns(&self, values: &[&Value]) -> Option<Columns> {
        if !self.narrow() {
            return None;
        }
        let words = |word_type: WordType| {
            let words = values.iter().map(|value| self.known_word(value, word_type)).collect::<Option<_>>()?;
            Some(Columns::Words(word_type, words))
        };
        let (whole, len) = match values.first()? {
            Value::Int(_) => return words(WordType::Int),
            Value::Bool(_) => return words(WordType::Bool),
            Value::Text(_) => {
                let domains = [self.letters, self.texts].into_iter().flatten();
                return domains.map(WordType::Member).find_map(words);
            }
            Value::Set(_) | Value::Range(..) => {
                return self.small_domains().find_map(|domain| words(WordType::Mask(domain)));
            }
            Value::Tuple(parts) => (Aggregate::Tuple, parts.len()),
            Value::List(list) => (Aggregate::List(list.base), list.items.len()),
            _ => return None,
        };
        let rows: Vec<Vec<Value>> = values
            .iter()
            .map(|value| match value {
                Value::Tuple(parts) if whole == Aggregate::Tuple => Some(parts.to_vec()),
                Value::List(list) if whole == Aggregate::List(list.base) => Some(list.items.iter().cloned().collect()),
                _ => None,
            })
            .collect::<Option<_>>()?;
        if len > LONGEST || rows.iter().any(|row| row.len() != len) {
            return None;
        }
        let column = |at: usize| self.columns(&rows.iter().map(|row| &row[at]).collect::<Vec<_>>());
        Some(Columns::Parts(whole, (0..len).map(column).collect::<Option<_>>()?))
    }

    /// The member at a place, which is one of the table.
    pub(crate) fn column_entry(&mut self, columns: &Columns, place: Reg) -> Operand {
        match columns {
            Columns::Words(word_type, words) => Operand::Word(self.table(words.clone(), place), *word_type),
            Columns::Parts(whole, columns) => {
                let parts = columns.iter().map(|column| Part::sure(self.column_entry(column, place))).collect();
                self.whole(*whole, parts)
            }
        }
    }

    /// An item of a constant list by an index that is no constant; `None`: its items are no words.
    pub(crate) fn list_entry(&mut self, from: &Operand, index: &Operand) -> Option<Operand> {
        let (Operand::Known(Value::List(list)), Operand::Word(index, WordType::Int)) = (from, index) else {
            return None;
        };
        let items: Vec<&Value> = list.items.iter().collect();
        let columns = self.columns(&items)?;
        let place = self.place_of(*index, Aggregate::List(list.base), items.len());
        Some(self.column_entry(&columns, place))
    }

    /// `xs[i][j]` of a constant list of lists of one length; `None`: nothing was done.
    pub(crate) fn square_entry(&mut self, base: &'p Term, index: &'p Term) -> Option<Operand> {
        let TermKind::Index(base, row) = &base.kind else { return None };
        if !self.narrow() || row.ty != Type::Int || index.ty != Type::Int {
            return None;
        }
        let Some(Value::List(rows)) = self.known(base) else { return None };
        let Value::List(first) = rows.items.first()? else { return None };
        let (len, whole) = (first.items.len(), Aggregate::List(first.base));
        let mut items = Vec::new();
        for row in rows.items.iter() {
            match row {
                Value::List(row) if row.base == first.base && row.items.len() == len => items.extend(row.items.iter()),
                _ => return None,
            }
        }
        let columns = self.columns(&items)?;
        let row = self.expr(row);
        let row = self.as_word(row, WordType::Int);
        let row = self.place_of(row, Aggregate::List(rows.base), rows.items.len());
        let index = self.expr(index);
        let index = self.as_word(index, WordType::Int);
        let place = self.place_of(index, whole, len);
        let width = self.pooled(width::int(len));
        let start = self.emit_word(|d| Op::Mul { d, a: row, b: width });
        let place = self.emit_word(|d| Op::Add { d, a: start, b: place });
        Some(self.column_entry(&columns, place))
    }

    /// A constant collection as a loop over the places of its table; `distinct`: equal members of a bag once.
    pub(crate) fn table_source(&mut self, value: &Value, distinct: bool) -> Option<Source> {
        if !matches!(value, Value::List(_) | Value::Set(_) | Value::Bag(_)) {
            return None;
        }
        let mut items = members(value).ok()?.into_owned();
        if distinct && matches!(value, Value::Bag(_)) {
            items.dedup();
        }
        let columns = self.columns(&items.iter().collect::<Vec<_>>())?;
        let last = self.pooled(width::int(items.len()) - 1);
        Some(Source::Table(Operand::Known(Value::Int(0)), last, columns))
    }

    /// A member of a constant list of collections, by an index that is no constant, as a loop over a part of one table for all
    /// of them. `None`: nothing was done.
    pub(crate) fn row_source(&mut self, term: &'p Term, distinct: bool) -> Option<Source> {
        if let TermKind::Adapt(inner) = &term.kind {
            return self.row_source(inner, distinct);
        }
        let TermKind::Index(base, index) = &term.kind else { return None };
        let bag = distinct && matches!(term.ty, Type::Bag(_));
        let Some(Value::List(list)) = self.known(base).filter(|_| self.narrow() && index.ty == Type::Int && !bag)
        else {
            return None;
        };
        let all = |value: &Value| matches!(value, Value::List(_) | Value::Set(_) | Value::Bag(_));
        if list.items.is_empty() || !list.items.iter().all(all) {
            return None;
        }
        let (mut starts, mut items) = (vec![0], Vec::new());
        for row in list.items.iter() {
            items.extend(members(row).ok()?.into_owned());
            starts.push(width::int(items.len()));
        }
        let columns = self.columns(&items.iter().collect::<Vec<_>>())?;
        let index = self.expr(index);
        let index = self.as_word(index, WordType::Int);
        let place = self.place_of(index, Aggregate::List(list.base), list.items.len());
        let ends: Vec<i64> = starts[1..].iter().map(|end| end - 1).collect();
        starts.pop();
        let (from, to) = (self.table(starts, place), self.table(ends, place));
        Some(Source::Table(Operand::Word(from, WordType::Int), to, columns))
    }
}
