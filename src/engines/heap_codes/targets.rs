//! The heaps that a target leaves: sums of positions in all their spellings.

use crate::engines::heap_codes::domain::Domain;
use crate::engines::heap_codes::read::{No, Reader, Sym, Way, no};
use crate::engines::heap_codes::ways::{MOST_WAYS, bind};
use crate::model::builtin::Builtin;
use crate::model::kind::Type;
use crate::model::{BinaryOp, Clause, Gather, Place, PlaceParams, Term, TermKind};
use crate::value::Value;
use grundy_automata::{Formula, Linear};
use num_traits::ToPrimitive;

/// Heaps of a sum that are written together, as `3 * G(n)` or by a list.
const MOST_TIMES: u64 = 8;
/// Ways with the heaps that are left.
type Sums<'p> = Result<Vec<(Way<'p>, Vec<Linear>)>, No>;

impl<'p> Reader<'_, 'p> {
    /// The heaps of a position, in every way that conditions in it leave.
    pub(super) fn position(&mut self, term: &'p Term, mut way: Way<'p>) -> Sums<'p> {
        match &term.kind {
            TermKind::Place(place) => {
                let size = self.place(place, &mut way)?;
                Ok(vec![(way, vec![size])])
            }
            TermKind::Binary(BinaryOp::Add, a, b) => {
                let mut all = Vec::new();
                for (way, parts) in self.position(a, way)? {
                    for (way, more) in self.position(b, way)? {
                        all.push((way, parts.iter().cloned().chain(more).collect()));
                    }
                }
                Ok(all)
            }
            TermKind::If(condition, a, b) => {
                let condition = self.truth(condition, &mut way)?;
                let mut all = Vec::new();
                for (holds, term) in [(condition.clone(), a), (condition.not(), b)] {
                    if !matches!(holds, Formula::Constant(false)) {
                        let mut way = way.clone();
                        way.holds.push(holds);
                        all.extend(self.position(term, way)?);
                    }
                }
                Ok(all)
            }
            TermKind::Binary(BinaryOp::Mul, times, one) if times.ty == Type::Int => {
                let times = self.int(times, &mut way)?;
                let times = times.constant().and_then(ToPrimitive::to_u64).filter(|&times| times <= MOST_TIMES);
                let Some(times) = times else { return no("a multiple of a position by a variable or a large number") };
                let mut all = vec![(way, Vec::new())];
                for _ in 0..times {
                    all = self.added(all, &mut |reader, way| reader.position(one, way))?;
                }
                Ok(all)
            }
            TermKind::Builtin(Builtin::Sum, args) if args.len() == 1 => match &args[0].kind {
                TermKind::Items(_, items) => {
                    let mut all = vec![(way, Vec::new())];
                    for item in items {
                        all = self.added(all, &mut |reader, way| reader.position(&item.term, way))?;
                    }
                    Ok(all)
                }
                TermKind::Comprehension(Gather::List, one, clauses) => self.total(one, clauses, way),
                _ => no("a sum over a collection"),
            },
            TermKind::Adapt(inner) if inner.ty == Type::Int => Ok(vec![(way, Vec::new())]),
            _ => no("a target that is not written as a sum of heaps"),
        }
    }

    /// The same heaps with more of them, in every way.
    fn added(
        &mut self,
        all: Vec<(Way<'p>, Vec<Linear>)>,
        more: &mut dyn FnMut(&mut Self, Way<'p>) -> Sums<'p>,
    ) -> Sums<'p> {
        let mut next = Vec::new();
        for (way, parts) in all {
            for (way, more) in more(self, way)? {
                next.push((way, parts.iter().cloned().chain(more).collect()));
            }
            if next.len() > MOST_WAYS {
                return no(format!("there are more than {MOST_WAYS} ways to move"));
            }
        }
        Ok(next)
    }

    /// `sum(one for clauses)`, where the collections that the clauses run through are written out.
    fn total(&mut self, one: &'p Term, clauses: &'p [Clause], mut way: Way<'p>) -> Sums<'p> {
        let Some((first, rest)) = clauses.split_first() else { return self.position(one, way) };
        match first {
            Clause::Where(condition) => {
                let holds = self.truth(condition, &mut way)?;
                let mut without = way.clone();
                without.holds.push(holds.clone().not());
                let mut all = Vec::new();
                if !matches!(holds, Formula::Constant(false)) {
                    way.holds.push(holds.clone());
                    all = self.total(one, rest, way)?;
                }
                if !matches!(holds, Formula::Constant(true)) {
                    all.push((without, Vec::new()));
                }
                Ok(all)
            }
            Clause::Let { pattern, value } => {
                let value = self.eval(value, &mut way)?;
                bind(&mut way, pattern, value)?;
                self.total(one, rest, way)
            }
            Clause::In { pattern, source, .. } => {
                let Sym::Domain(domain) = self.eval(source, &mut way)? else {
                    return no("a sum over other things than numbers");
                };
                // Of a set equal members would count once.
                let list = matches!(source.kind, TermKind::Items(Gather::List, _));
                let list = list || matches!(domain, Domain::Value(Value::List(_) | Value::Range(..)));
                let Some(items) = items(&domain).filter(|_| list) else {
                    return no("a sum over a collection that is not written out");
                };
                let mut all = vec![(way, Vec::new())];
                for item in items {
                    all = self.added(all, &mut |reader, mut way| {
                        bind(&mut way, pattern, Sym::Int(item.clone()))?;
                        reader.total(one, rest, way)
                    })?;
                }
                Ok(all)
            }
        }
    }

    /// The size of a heap of the same game with the same rule parameters.
    fn place(&mut self, place: &'p Place, way: &mut Way<'p>) -> Result<Linear, No> {
        if !std::ptr::eq(&raw const self.program.games[place.game.0], self.game) {
            return no("a move leads to another game");
        }
        if let PlaceParams::Given(given) = &place.params {
            for (at, term) in given.iter().enumerate() {
                if !term.as_ref().is_some_and(|term| is_slot(term, at)) {
                    return no("a move changes the rule parameters");
                }
            }
        }
        let [Some(size)] = &place.fields[..] else { return no("a heap whose size is not written") };
        let size = self.int(size, way)?;
        let natural = Formula::at_most(&Linear::default(), &size);
        self.need(way, natural, "a move would leave a heap below 0");
        Ok(size)
    }
}

/// The members of a list that is written out, one by one.
fn items(domain: &Domain) -> Option<Vec<Linear>> {
    match domain {
        Domain::Items(items) => Some(items.clone()),
        Domain::Any(parts) => Some(parts.iter().map(items).collect::<Option<Vec<_>>>()?.concat()),
        Domain::Value(Value::List(list)) if list.items.len() as u64 <= MOST_TIMES => {
            let number = |item: &Value| if let Value::Int(n) = item { Some(Linear::number(*n)) } else { None };
            list.items.iter().map(number).collect()
        }
        Domain::Value(Value::Range(from, to))
            if to.checked_sub(*from).is_some_and(|n| n.unsigned_abs() < MOST_TIMES) =>
        {
            Some((*from..=*to).map(Linear::number).collect())
        }
        _ => None,
    }
}

/// Whether a term is the rule parameter of this slot, perhaps checked or adapted.
fn is_slot(term: &Term, slot: usize) -> bool {
    match &term.kind {
        TermKind::Slot(this) => *this == slot,
        TermKind::Coerce(inner, _) => is_slot(inner, slot),
        _ => false,
    }
}
