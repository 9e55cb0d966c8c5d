//! The sets whose members have numbers, and what words mean: numbers of members, sets of them as masks.

use crate::bytecode::{DomainId, WordType};
use crate::source::Code;
use crate::value::domain::Domain;
use crate::value::{Deopt, Fault, Halt, Run, Value};
use grundy_graphs::bits::ones;

/// Every domain has a number.
#[derive(Clone, Default)]
pub(crate) struct Domains(Vec<Domain>);

impl Domains {
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn get(&self, id: DomainId) -> &Domain {
        &self.0[usize::from(id.0)]
    }

    /// The number of a domain; `None` when a mask of edges would not fit or there are too many domains.
    pub(crate) fn number(&mut self, domain: &Domain) -> Option<DomainId> {
        if let Domain::Edges(graph) = domain
            && (graph.edges.len() > 64 || !graph.edges.are_numbered())
        {
            return None;
        }
        // Most recent first: code asks for the domains of its own instance.
        if let Some(at) = self.0.iter().rposition(|d| d.same(domain)) {
            return u16::try_from(at).ok().map(DomainId);
        }
        let id = u16::try_from(self.0.len()).ok()?;
        self.0.push(domain.clone());
        Some(DomainId(id))
    }

    /// Whether this is the domain of small naturals, or of pairs of them.
    pub(crate) fn is_small(&self, id: DomainId) -> bool {
        self.get(id).is_small()
    }

    pub(crate) fn word_value(&self, word: i64, word_type: WordType) -> Value {
        match word_type {
            WordType::Int => Value::Int(word),
            WordType::Bool => Value::Bool(word != 0),
            WordType::Member(domain) => self.get(domain).value(u32::try_from(word).unwrap_or(0)),
            WordType::Mask(domain) => {
                let domain = self.get(domain);
                Value::Set(ones(word.cast_unsigned()).map(|i| domain.value(i)).collect())
            }
        }
    }

    /// A value as a word; faults when it does not have that form.
    pub(crate) fn value_word(&self, value: &Value, word_type: WordType) -> Run<i64> {
        match (word_type, value) {
            (WordType::Int, Value::Int(n)) => Ok(*n),
            (WordType::Int, Value::Big(_)) => Err(Halt::Deopt(Deopt::IntOverflow)),
            (WordType::Bool, Value::Bool(b)) => Ok(i64::from(*b)),
            (WordType::Member(domain), value) if self.is_small(domain) => {
                self.get(domain).number(value).map(i64::from).ok_or(Halt::Deopt(Deopt::SetOverflow))
            }
            (WordType::Member(domain), value) => {
                let domain = self.get(domain);
                let number = domain.number(value).map(i64::from);
                number.ok_or_else(|| {
                    let what = if matches!(domain, Domain::Edges(_)) { "an edge" } else { "a vertex" };
                    Fault::new(Code::R04, format!("{value} is not {what} of the graph")).into()
                })
            }
            (WordType::Mask(domain), Value::Set(items)) => {
                let mut mask = 0u64;
                for item in items.iter() {
                    let word = self.value_word(item, WordType::Member(domain))?;
                    mask |= 1u64.checked_shl(u32::try_from(word).unwrap_or(64)).unwrap_or(0);
                }
                Ok(mask.cast_signed())
            }
            // A range that stands for a set: on values it is one.
            (WordType::Mask(domain), Value::Range(..)) if self.is_small(domain) => Err(Halt::Deopt(Deopt::SetOverflow)),
            (WordType::Int, Value::Loop(_)) => {
                Err(Fault::new(Code::E20, format!("the loopy value {value} is no number")).into())
            }
            (word_type, value) => {
                let wanted = match word_type {
                    WordType::Int => "an int",
                    WordType::Bool => "a bool",
                    _ => "a set",
                };
                Err(Fault::new(Code::E03, format!("{wanted} is wanted here, not {value}")).into())
            }
        }
    }
}
