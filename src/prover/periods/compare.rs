//! Comparisons and membership for all values of the variable.

use crate::model::{CompareOp, Term};
use crate::prover::periods::course::EventuallyPeriodic;
use crate::prover::periods::terms::{Names, Reader, Thing, constant};
use crate::prover::symbol::{No, odd};
use crate::value::{Value, iterate};

impl<'p> Reader<'_, 'p> {
    /// A chain of comparisons.
    pub(super) fn chain(
        &mut self,
        first: &'p Term,
        chain: &'p [(CompareOp, Term)],
        names: &Names<'p>,
    ) -> Result<EventuallyPeriodic, No> {
        let mut left = self.eval(first, names)?;
        let mut all = EventuallyPeriodic::constant(1);
        for (op, right) in chain {
            let value = self.eval(right, names)?;
            let one = self.compare(*op, &left, &value, right)?;
            // What stands behind the first that is false does not count.
            all = all.choose(&one, &EventuallyPeriodic::constant(0))?;
            left = value;
        }
        Ok(all)
    }

    fn compare(&mut self, op: CompareOp, a: &Thing, b: &Thing, term: &Term) -> Result<EventuallyPeriodic, No> {
        let sign = |sign: i64| match op {
            CompareOp::Eq | CompareOp::In => sign == 0,
            CompareOp::Ne | CompareOp::NotIn => sign != 0,
            CompareOp::Lt => sign < 0,
            CompareOp::Le => sign <= 0,
            CompareOp::Gt => sign > 0,
            CompareOp::Ge => sign >= 0,
        };
        match (op, a, b) {
            (CompareOp::In | CompareOp::NotIn, Thing::Int(a), _) => {
                let inside = self.member(a, b, term)?;
                Ok(if op == CompareOp::In { inside } else { inside.not() })
            }
            (CompareOp::In | CompareOp::NotIn, ..) => Err(odd(term.span)),
            (_, Thing::Int(a), Thing::Int(b))
            | (CompareOp::Eq | CompareOp::Ne, Thing::Bool(a), Thing::Bool(b))
            | (CompareOp::Eq | CompareOp::Ne, Thing::Outcome(a), Thing::Outcome(b)) => a.compared(b, sign),
            (CompareOp::Eq | CompareOp::Ne, Thing::Outcome(wins), Thing::Value(Value::Text(text)))
            | (CompareOp::Eq | CompareOp::Ne, Thing::Value(Value::Text(text)), Thing::Outcome(wins)) => {
                let text: String = text.characters().collect();
                // No text but these two is the outcome of a heap.
                let other = EventuallyPeriodic::constant(match text.as_str() {
                    "first" => 1,
                    "second" => 0,
                    _ => 2,
                });
                wins.compared(&other, sign)
            }
            _ => Err(odd(term.span)),
        }
    }

    /// Whether a number is a member.
    fn member(&mut self, number: &EventuallyPeriodic, of: &Thing, term: &Term) -> Result<EventuallyPeriodic, No> {
        // Truth values are multiplied, so that what has no value is not passed over.
        match of {
            Thing::Range(from, to) => {
                from.compared(number, |sign| sign <= 0)?.times(&number.compared(to, |sign| sign <= 0)?)
            }
            Thing::Value(Value::Range(from, to)) => {
                let range = Thing::Range(EventuallyPeriodic::constant(*from), EventuallyPeriodic::constant(*to));
                self.member(number, &range, term)
            }
            Thing::Items(items) | Thing::Set(items) => {
                let mut none = number.compared(number, |_| true)?;
                for item in items {
                    let Thing::Int(item) = item else { return Err(odd(term.span)) };
                    none = none.times(&number.compared(item, |sign| sign != 0)?)?;
                }
                Ok(none.not())
            }
            Thing::Value(value @ (Value::List(_) | Value::Set(_) | Value::Bag(_))) => {
                let mut none = number.compared(number, |_| true)?;
                for member in iterate(value).map_err(|fault| No::at(term.span, fault.message))? {
                    self.steps += 1;
                    let Thing::Int(member) = constant(member)? else { return Err(odd(term.span)) };
                    none = none.times(&number.compared(&member, |sign| sign != 0)?)?;
                }
                Ok(none.not())
            }
            _ => Err(odd(term.span)),
        }
    }
}
