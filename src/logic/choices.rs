//! Words that list the ways to choose from a collection of so many members.

use crate::logic::clauses::written_out;
use crate::logic::symbol::{No, Sym, odd};
use crate::model::{Builtin, Term};
use grundy_automata::Formula;
use num_traits::ToPrimitive;

/// Ways are written out of so many members at most, and so many ways.
const MEMBERS: usize = 12;
const MOST: usize = 256;

/// `pairs(c)`, `choose(c, k)`, `subsets(c)` and `subsets(c, sizes)`: by places, of sets by their members in order; `sizes` is a number or
/// a range.
pub(crate) fn ways_to_choose(word: Builtin, values: &[Sym], term: &Term) -> Result<Sym, No> {
    let of = values.first().and_then(written_out).ok_or_else(|| odd(term.span))?;
    // Members of a set are in order, and all different.
    let set = matches!(values.first(), Some(Sym::Set(_) | Sym::Range(..)));
    if !of.iter().all(|(there, _)| matches!(there, Formula::Constant(true))) || word == Builtin::Subsets && !set {
        return Err(odd(term.span));
    }
    let of: Vec<Sym> = of.into_iter().map(|(_, item)| item).collect();
    if of.len() > MEMBERS {
        return Err(No::at(term.span, format!("the ways to choose from more than {MEMBERS}")));
    }
    let number = |value: &Sym| match value {
        Sym::Int(number) => number.constant()?.to_i64(),
        _ => None,
    };
    let sizes = match (word, values.get(1)) {
        (Builtin::Pairs, None) => Some((2, 2)),
        (Builtin::Subsets, None) => Some((0, i64::try_from(of.len()).unwrap_or(i64::MAX))),
        (Builtin::Subsets, Some(Sym::Range(from, to))) => number(from).zip(number(to)),
        (_, Some(size)) => number(size).map(|size| (size, size)),
        (_, None) => None,
    };
    let (from, to) = sizes.ok_or_else(|| odd(term.span))?;
    let mut all = Vec::new();
    for size in (0..=of.len()).filter(|size| (from..=to).contains(&i64::try_from(*size).unwrap_or(i64::MAX))) {
        let places = |taken: u32| (0..of.len()).filter(move |place| taken >> place & 1 == 1);
        let mut chosen: Vec<Vec<usize>> = (0..1u32 << of.len()).map(|taken| places(taken).collect()).collect();
        chosen.retain(|places| places.len() == size);
        chosen.sort_unstable();
        for places in chosen {
            let chosen: Vec<Sym> = places.into_iter().map(|place| of[place].clone()).collect();
            all.push(match word {
                Builtin::Pairs => Sym::Tuple(chosen),
                Builtin::Choose => Sym::list(chosen),
                _ => Sym::Set(Sym::list(chosen).ints().ok_or_else(|| odd(term.span))?),
            });
        }
    }
    if all.len() > MOST {
        return Err(No::at(term.span, format!("more than {MOST} ways to choose")));
    }
    Ok(Sym::list(all))
}
