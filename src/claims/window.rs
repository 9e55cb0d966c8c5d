//! Clauses narrowed to instances of some sizes, so that infinite and huge ranges can be gone through in order of size.

use crate::model::builtin::Builtin;
use crate::model::kind::Type;
use crate::model::walk::bound_slots;
use crate::model::{BinaryOp, Clause, Frame, Pattern, Slot, Term, TermKind};
use crate::vm::size_window::Measure;
use num_bigint::BigInt;

/// The variables of a claim.
pub(crate) struct Variables {
    /// Their slots in the order written.
    pub(crate) slots: Vec<Slot>,
    /// What of each counts towards the size: nothing of one that is not bound by `in`.
    pub(crate) counted: Box<[Measure]>,
    /// Their names.
    pub(crate) names: Vec<String>,
    /// Some binder runs over `nat`.
    pub(crate) infinite: bool,
    /// The only variable that is bound by `in`, when it is a number.
    pub(crate) only_number: Option<String>,
}

impl Variables {
    pub(crate) fn of(frame: &Frame, clauses: &[Clause]) -> Self {
        let (mut slots, mut counted, mut bound) = (Vec::new(), Vec::new(), Vec::new());
        for clause in clauses {
            let bound_in = matches!(clause, Clause::In { .. });
            for slot in bound_slots(std::slice::from_ref(clause)) {
                slots.push(slot);
                counted.push(if bound_in { Measure::of(&frame.slots[slot].ty) } else { Measure::Nothing });
                if bound_in {
                    bound.push(slot);
                }
            }
        }
        let names: Vec<String> = slots.iter().map(|&slot| frame.slots[slot].name.clone()).collect();
        let only_number = match bound[..] {
            [slot] if frame.slots[slot].ty == Type::Int => Some(frame.slots[slot].name.clone()),
            _ => None,
        };
        let infinite = clauses.iter().any(|clause| matches!(clause, Clause::In { source, .. } if is_nat(source)));
        Variables { slots, counted: counted.into(), names, infinite, only_number }
    }

    /// "up to this size" in words.
    pub(crate) fn bound(&self, size: u64) -> String {
        match &self.only_number {
            Some(name) => format!("{name} <= {size}"),
            None => format!("all instances of size <= {size}"),
        }
    }
}

fn is_nat(source: &Term) -> bool {
    match &source.kind {
        TermKind::Builtin(Builtin::Nat, _) => true,
        TermKind::Coerce(inner, _) | TermKind::Adapt(inner) => is_nat(inner),
        _ => false,
    }
}

/// The same clauses, their ranges cut to what instances of sizes `from..=to` can have. Other instances may be left over.
pub(crate) fn narrowed(clauses: &[Clause], from: u64, to: u64) -> Vec<Clause> {
    // What the ints bound so far take away from the size.
    let mut taken: Vec<(Slot, bool)> = Vec::new();
    // Only ints were bound so far.
    let mut exact = true;
    let binders = clauses.iter().filter(|clause| matches!(clause, Clause::In { .. })).count();
    let mut seen = 0;
    let mut out = Vec::with_capacity(clauses.len());
    for (at, clause) in clauses.iter().enumerate() {
        let Clause::In { pattern, source, span } = clause else {
            out.push(clause.clone());
            continue;
        };
        seen += 1;
        let natural = is_nat(source);
        let mut source = source.clone();
        match (&source.kind, pattern) {
            (_, Pattern::Slot(slot)) if natural => {
                let least = if exact && seen == binders { left(&source, from, &taken) } else { int(&source, 0) };
                let least = builtin(&source, Builtin::Max, vec![least, int(&source, 0)]);
                // What is as large as this number counts as much again.
                let weight = 1 + clauses[at + 1..].iter().filter(|later| is_as_large(later, *slot)).count();
                let most = left(&source, to, &taken);
                let most = binary(&source, BinaryOp::Div, most, int(&source, weight as u64));
                source = range(&source, least, most);
                taken.push((*slot, true));
            }
            _ if natural => {
                let (least, most) = (int(&source, 0), left(&source, to, &taken));
                source = range(&source, least, most);
                exact = false;
            }
            (TermKind::Binary(BinaryOp::Range, a, b), Pattern::Slot(slot)) => {
                let most = left(&source, to, &taken);
                let negated = Term { kind: TermKind::Neg(Box::new(most.clone())), ty: Type::Int, span: source.span };
                let least = builtin(&source, Builtin::Max, vec![(**a).clone(), negated]);
                let most = builtin(&source, Builtin::Min, vec![(**b).clone(), most]);
                source = range(&source, least, most);
                taken.push((*slot, false));
            }
            _ => exact = false,
        }
        out.push(Clause::In { pattern: pattern.clone(), source, span: *span });
    }
    out
}

/// Whether a clause runs through graphs with so many vertices, or lists or bags with so many members.
fn is_as_large(clause: &Clause, slot: Slot) -> bool {
    use Builtin as B;
    let Clause::In { pattern: Pattern::Slot(_), source, .. } = clause else { return false };
    let mut source = source;
    while let TermKind::Coerce(inner, _) | TermKind::Adapt(inner) = &source.kind {
        source = inner;
    }
    let number = match &source.kind {
        TermKind::Builtin(
            B::Graphs | B::Connected | B::Trees | B::RootedTrees | B::Digraphs | B::Dags | B::Posets | B::Multigraphs,
            args,
        ) => args.first(),
        TermKind::Builtin(B::Lists | B::Bags, args) => args.get(1),
        _ => None,
    };
    number.is_some_and(|number| matches!(number.kind, TermKind::Slot(s) if s == slot))
}

fn int(at: &Term, n: u64) -> Term {
    Term { kind: TermKind::Int(BigInt::from(n)), ty: Type::Int, span: at.span }
}

fn builtin(at: &Term, word: Builtin, args: Vec<Term>) -> Term {
    Term { kind: TermKind::Builtin(word, args), ty: Type::Int, span: at.span }
}

fn range(at: &Term, from: Term, to: Term) -> Term {
    Term { ty: Type::Range, ..binary(at, BinaryOp::Range, from, to) }
}

fn binary(at: &Term, op: BinaryOp, a: Term, b: Term) -> Term {
    Term { kind: TermKind::Binary(op, Box::new(a), Box::new(b)), ty: Type::Int, span: at.span }
}

/// `size` minus the ints bound before.
fn left(at: &Term, size: u64, taken: &[(Slot, bool)]) -> Term {
    taken.iter().fold(int(at, size), |left, &(slot, natural)| {
        let slot = Term { kind: TermKind::Slot(slot), ty: Type::Int, span: at.span };
        let less = if natural { slot } else { builtin(at, Builtin::Abs, vec![slot]) };
        binary(at, BinaryOp::Sub, left, less)
    })
}
