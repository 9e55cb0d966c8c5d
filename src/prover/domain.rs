//! Clauses: every way through them, with numbers that are variables.

use crate::model::{Clause, Pattern, Term, TermKind};
use crate::prover::scope::Scope;
use crate::prover::symbol::{No, Sym, odd};
use crate::prover::term::Env;
use crate::source::text::Span;
use grundy_automata::{Atom, Formula, Linear, System};
use num_traits::ToPrimitive;

/// Ranges of at most so many known numbers are gone through one by one.
const WRITTEN_OUT: i64 = 40;

/// What is done at the end of every way.
pub(super) type Body<'a, 'p> = &'a mut dyn FnMut(&mut Scope<'p>, &Env<'p>) -> Result<Formula, No>;

impl<'p> Scope<'p> {
    /// Whether some way through the clauses makes the body true.
    pub(super) fn ways(&mut self, clauses: &'p [Clause], env: &Env<'p>, body: Body<'_, 'p>) -> Result<Formula, No> {
        let Some((first, rest)) = clauses.split_first() else { return body(self, env) };
        match first {
            Clause::Where(condition) => {
                let holds = self.truth(condition, env)?;
                if let Formula::Constant(false) = holds {
                    return Ok(holds);
                }
                let rest = self.under(&holds, |scope| scope.ways(rest, env, body))?;
                Ok(Formula::all([holds, rest]))
            }
            Clause::Let { pattern, value } => self.local(|scope| {
                let value = scope.eval(value, env)?;
                let mut env = env.clone();
                bind(&mut env, pattern, value)?;
                scope.ways(rest, &env, body)
            }),
            // The ways through the clauses of a list are ways through its items.
            Clause::In { pattern, source: Term { kind: TermKind::Comprehension(_, value, inner), .. }, .. } => self
                .ways(inner, env, &mut |scope, env| {
                    let item = scope.eval(value, env)?;
                    let mut env = env.clone();
                    bind(&mut env, pattern, item)?;
                    scope.ways(rest, &env, body)
                }),
            Clause::In { pattern, source, span } => self.local(|scope| {
                let domain = scope.eval(source, env)?;
                scope.each(&domain, *span, &mut |scope, member| {
                    let mut env = env.clone();
                    bind(&mut env, pattern, member)?;
                    scope.ways(rest, &env, body)
                })
            }),
        }
    }

    /// Whether some member of a domain makes the body true.
    pub(super) fn each(
        &mut self,
        domain: &Sym,
        span: Span,
        body: &mut dyn FnMut(&mut Self, Sym) -> Result<Formula, No>,
    ) -> Result<Formula, No> {
        if let Some(items) = written_out(domain) {
            let mut ways = Vec::new();
            for (there, item) in items {
                let inner = self.under(&there, |scope| body(scope, item))?;
                ways.push(Formula::all([there, inner]));
            }
            return Ok(Formula::any(ways));
        }
        if let Sym::Choices(domains) = domain {
            return self.choices(domains, Vec::new(), span, body);
        }
        if let Sym::PartIndices(of) = domain {
            self.digits.insert(System::Zeckendorf);
            return self.some(|scope, part| {
                let whole = scope.track(of);
                let inside = Formula::atom(Atom::Part(part, whole));
                let inner = scope.under(&inside, |scope| body(scope, Sym::PartIndex(part, of.clone())))?;
                Ok(Formula::all([inside, inner]))
            });
        }
        self.some(|scope, track| {
            let exponent = matches!(domain, Sym::Range(from, to)
                if matches!(**from, Sym::Exponent(..)) || matches!(**to, Sym::Exponent(..)));
            let member = if exponent { Sym::Exponent(track, 0) } else { Sym::Int(Linear::track(track)) };
            let inside = scope.member(&member, domain, span)?;
            let inner = scope.under(&inside, |scope| body(scope, member))?;
            Ok(Formula::all([inside, inner]))
        })
    }

    /// One member of each of these domains, after those already chosen.
    fn choices(
        &mut self,
        domains: &[Sym],
        chosen: Vec<Sym>,
        span: Span,
        body: &mut dyn FnMut(&mut Self, Sym) -> Result<Formula, No>,
    ) -> Result<Formula, No> {
        let Some((first, rest)) = domains.split_first() else { return body(self, Sym::list(chosen)) };
        self.each(first, span, &mut |scope, member| {
            let mut chosen = chosen.clone();
            chosen.push(member);
            scope.choices(rest, chosen, span, body)
        })
    }

    /// Whether a number is in a domain.
    pub(super) fn member(&mut self, member: &Sym, domain: &Sym, span: Span) -> Result<Formula, No> {
        if let (Sym::Exponent(power, 0), Sym::Range(from, to)) = (member, domain) {
            return self.place_between(*power, from, to, span);
        }
        if let (Sym::DigitSum(..) | Sym::PartCount(_) | Sym::Exponent(..), Some(items)) = (member, domain.items()) {
            let mut some = Vec::new();
            for item in &items {
                some.push(self.equal(member, item, span)?);
            }
            return Ok(Formula::any(some));
        }
        let Sym::Int(number) = member else { return Err(No::at(span, "members that are no numbers")) };
        match domain {
            Sym::Naturals => Ok(Formula::at_most(&Linear::default(), number)),
            Sym::Range(from, to) => match (&**from, &**to) {
                (Sym::Int(from), Sym::Int(to)) => {
                    // Members are variables, which are never negative.
                    self.need(Formula::any([Formula::at_most(&Linear::default(), from), Formula::less(to, from)]));
                    Ok(Formula::all([Formula::at_most(from, number), Formula::at_most(number, to)]))
                }
                _ => Err(odd(span)),
            },
            Sym::Set(items) => Ok(Formula::any(items.iter().map(|item| Formula::equal(number, item)))),
            Sym::List(items) => {
                let mut ways = Vec::new();
                for (there, item) in items {
                    let Sym::Int(item) = item else { return Err(odd(span)) };
                    ways.push(Formula::all([there.clone(), Formula::equal(number, item)]));
                }
                Ok(Formula::any(ways))
            }
            Sym::Parts(of) => {
                self.digits.insert(System::Zeckendorf);
                self.local(|scope| {
                    let (part, of) = (scope.track(number), scope.track(of));
                    Ok(Formula::atom(Atom::Part(part, of)))
                })
            }
            Sym::Without(all, less) => {
                let (all, less) = (self.member(member, all, span)?, self.member(member, less, span)?);
                Ok(Formula::all([all, less.not()]))
            }
            Sym::Slide(from, to, taken) => {
                // From beside the start to the end with it, and no taken cell up to there.
                let way = |down: bool| {
                    let before = |a: &Linear, b: &Linear| if down { Formula::less(b, a) } else { Formula::less(a, b) };
                    let free = taken.iter().map(|cell| {
                        let between = Formula::all([before(from, cell), before(number, cell).not()]);
                        between.not()
                    });
                    Formula::all(
                        [before(from, to), before(from, number), before(to, number).not()].into_iter().chain(free),
                    )
                };
                Ok(Formula::any([way(true), way(false)]))
            }
            _ => Err(odd(span)),
        }
    }
}

/// The members of a domain that is known and not large, with the conditions under which they are there.
pub(super) fn written_out(domain: &Sym) -> Option<Vec<(Formula, Sym)>> {
    members(domain, WRITTEN_OUT)
}

/// The same for ranges of up to so many numbers.
pub(super) fn members(domain: &Sym, most: i64) -> Option<Vec<(Formula, Sym)>> {
    match domain {
        Sym::List(items) => Some(items.clone()),
        Sym::Set(items) => Some(items.iter().map(|item| (Formula::Constant(true), Sym::Int(item.clone()))).collect()),
        Sym::Range(from, to) => {
            let (Sym::Int(from), Sym::Int(to)) = (&**from, &**to) else { return None };
            let (from, to) = (from.constant()?.to_i64()?, to.constant()?.to_i64()?);
            let few = to.checked_sub(from)? < most;
            few.then(|| (from..=to).map(|n| (Formula::Constant(true), Sym::number(n))).collect())
        }
        _ => None,
    }
}

/// Gives names to a value and its parts.
pub(super) fn bind(env: &mut Env<'_>, pattern: &Pattern, value: Sym) -> Result<(), No> {
    match pattern {
        Pattern::Ignore => Ok(()),
        Pattern::Slot(slot) => {
            env.slots.insert(*slot, value);
            Ok(())
        }
        Pattern::Tuple(parts, span) => {
            let items = value.items().filter(|items| items.len() == parts.len());
            let Some(items) = items else { return Err(No::at(*span, "a pattern whose parts are not known")) };
            parts.iter().zip(items).try_for_each(|(part, item)| bind(env, part, item))
        }
    }
}
