//! What a guess is about: an expression with its clauses, as written and as understood, and the claim lines made from it.

use crate::guess::data::Sort;
use crate::guess::formula::{self, Formula};
use crate::model::walk::{bare, bound_slots, slots_in};
use crate::model::{self, Builtin, Pattern, Slot, Term, TermKind};
use crate::source::{Sources, Span};
use crate::syntax::tree::{self, BinaryOp, CompareOp, Expr, ExprKind, Item, Items, LogicOp, Operator};

/// The question as an item of a file: a claim that holds the expression in a list, so that it is understood once and its
/// binders may run over `nat`. The checked item goes to [`value_of`].
pub fn as_claim(value: &Expr, clauses: &[tree::Clause]) -> Item {
    let span = value.span;
    let list = |items| Expr { kind: ExprKind::List(Items::Plain(items)), span };
    let condition =
        ExprKind::Compare { first: Box::new(list(vec![value.clone()])), rest: vec![(CompareOp::Eq, list(Vec::new()))] };
    Item::Claim(tree::Claim {
        title: "guess".into(),
        negated: false,
        clauses: clauses.to_vec(),
        condition: Expr { kind: condition, span },
        with: Vec::new(),
        span,
    })
}

/// The expression in the checked item of [`as_claim`]; none for a range, which is no single value.
pub fn value_of(claim: &model::Claim) -> Option<&Term> {
    let TermKind::Compare(first, _) = &bare(&claim.condition).kind else { return None };
    let TermKind::Items(_, items) = &bare(first).kind else { return None };
    if let [one] = &items[..]
        && !one.spread
    {
        Some(&one.term)
    } else {
        None
    }
}

/// The closed form in a checked claim line of [`Asked::claim`].
pub(super) fn form_of(claim: &model::Claim) -> Option<&Term> {
    match &bare(&claim.condition).kind {
        TermKind::Compare(_, rest) => match &rest[..] {
            [(CompareOp::Eq, form)] => Some(form),
            _ => None,
        },
        TermKind::Iff(_, form) => Some(form),
        _ => None,
    }
}

#[derive(Clone, Debug)]
pub(super) enum Reach {
    All,
    /// Over a range whose end depends on no other binder: this term.
    To(Term),
    /// Over anything else.
    Given,
}

/// How far each clause of a checked question runs; `None` for those that bind nothing by `in`.
pub(super) fn reaches(clauses: &[model::Clause]) -> Vec<Option<Reach>> {
    let reach = |clause: &model::Clause| {
        let model::Clause::In { pattern, source, .. } = clause else { return None };
        Some(match (&bare(source).kind, pattern) {
            (TermKind::Builtin(Builtin::Nat, _), Pattern::Slot(_)) => Reach::All,
            (TermKind::Binary(model::BinaryOp::Range, _, to), Pattern::Slot(_)) if slots_in(to).is_empty() => {
                Reach::To((**to).clone())
            }
            _ => Reach::Given,
        })
    };
    clauses.iter().map(reach).collect()
}

pub(super) fn variables(clauses: &[model::Clause]) -> Vec<Slot> {
    let binders = clauses.iter().filter(|clause| matches!(clause, model::Clause::In { .. }));
    binders.flat_map(|clause| bound_slots(std::slice::from_ref(clause))).collect()
}

#[derive(Clone, Debug)]
enum Written {
    /// Each of the names over a range.
    Range { names: Vec<String>, from: String, to: String },
    /// Another one, with the number of names that it binds by `in`; a condition stands without a comma before it.
    Other { text: String, binds: usize, filter: bool },
}

/// The texts of a question.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The expression on one line.
    pub expr: String,
    /// It needs brackets beside `==`, and beside `iff`.
    brackets: (bool, bool),
    clauses: Vec<Written>,
}

impl Asked {
    /// The texts of an expression and its clauses, which stand in `sources`.
    pub fn new(value: &Expr, clauses: &[tree::Clause], sources: &Sources) -> Asked {
        let written = |span: Span| one_line(sources.slice(span));
        let named = |pattern: &tree::Pattern| match pattern {
            tree::Pattern::Name(name) => written(name.span),
            tree::Pattern::Tuple(_, span) => written(*span),
        };
        let clause = |clause: &tree::Clause| match clause {
            tree::Clause::In { patterns, source, .. } => {
                let names: Vec<String> = patterns.iter().map(named).collect();
                match &source.kind {
                    ExprKind::Binary { op: Operator::Binary(BinaryOp::Range), left, right }
                        if patterns.iter().all(|pattern| matches!(pattern, tree::Pattern::Name(_))) =>
                    {
                        Written::Range { names, from: written(left.span), to: written(right.span) }
                    }
                    _ => Written::Other {
                        text: format!("{} in {}", names.join(", "), written(source.span)),
                        binds: patterns.iter().map(count).sum(),
                        filter: false,
                    },
                }
            }
            tree::Clause::Let(naming) => {
                let text = format!("{} = {}", named(&naming.pattern), written(naming.value.span));
                Written::Other { text, binds: 0, filter: false }
            }
            tree::Clause::Where(condition) => {
                Written::Other { text: format!("where {}", written(condition.span)), binds: 0, filter: true }
            }
        };
        Asked {
            expr: written(value.span),
            brackets: brackets(&value.kind),
            clauses: clauses.iter().map(clause).collect(),
        }
    }

    /// An expression and clauses that bind so many names and end in conditions.
    pub(super) fn written(expr: &str, clauses: &str, binds: usize) -> Asked {
        let clauses = vec![Written::Other { text: clauses.into(), binds, filter: false }];
        Asked { expr: expr.into(), brackets: (false, false), clauses }
    }

    /// The claim line that the expression is this formula. `ends` holds of each binder by `in` its least value and where its range
    /// ended; a range that has an end of its own goes on without one.
    pub(super) fn claim(&self, formula: &Formula, sort: Sort, names: &[String], ends: &[Ends]) -> String {
        let tail = self.tail(ends);
        format!("claim \"guessed: {}\"{tail}: {}", formula::name(formula), self.statement(formula, sort, names))
    }

    /// The claim that a relation holds of the variables and the expression: `call` is its text up to the expression.
    pub(super) fn claim_of_value(&self, call: &str, ends: &[Ends]) -> String {
        format!("claim \"guessed: automaton\"{}: {call}{})", self.tail(ends), self.expr)
    }

    /// The claim that the expression is what an automaton says, in this text; `truth`: both are truth values.
    pub(super) fn plain_claim(&self, right: &str, truth: bool, ends: &[Ends]) -> String {
        format!("claim \"guessed: automaton\"{}: {} {right}", self.tail(ends), self.left(truth))
    }

    fn tail(&self, ends: &[Ends]) -> String {
        let mut clauses = String::new();
        let mut ends = ends.iter();
        for clause in &self.clauses {
            let (text, filter) = match clause {
                Written::Range { names, from, to } => {
                    let own: Vec<&Ends> = ends.by_ref().take(names.len()).collect();
                    (ranged(names, from, to, &own), false)
                }
                Written::Other { text, binds, filter } => {
                    ends.by_ref().take(*binds).for_each(drop);
                    (text.clone(), *filter)
                }
            };
            let comma = match (clauses.is_empty(), filter) {
                (true, _) => "",
                (false, true) => " ",
                (false, false) => ", ",
            };
            clauses += comma;
            clauses += &text;
        }
        if clauses.is_empty() { String::new() } else { format!(" for {clauses}") }
    }

    /// The expression and the sign behind it.
    fn left(&self, truth: bool) -> String {
        let bracketed = if truth { self.brackets.1 } else { self.brackets.0 };
        let expr = if bracketed { format!("({})", self.expr) } else { self.expr.clone() };
        format!("{expr} {}", if truth { "iff" } else { "==" })
    }

    pub(super) fn statement(&self, formula: &Formula, sort: Sort, names: &[String]) -> String {
        let truth = sort == Sort::Truth && !matches!(formula, Formula::Choice(..));
        format!("{} {}", self.left(truth), formula::text(formula, names, !truth))
    }
}

fn count(pattern: &tree::Pattern) -> usize {
    match pattern {
        tree::Pattern::Name(name) => usize::from(name.text != "_"),
        tree::Pattern::Tuple(parts, _) => parts.iter().map(count).sum(),
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Ends {
    pub(super) least: i64,
    /// Where the range ends, if it has an end of its own.
    pub(super) to: Option<i64>,
}

/// `n in nat`, with the beginning as a condition unless it is 0; ranges that begin below 0 keep an end.
fn ranged(names: &[String], from: &str, to: &str, ends: &[&Ends]) -> String {
    let joined = names.join(", ");
    match ends.first() {
        Some(Ends { to: Some(_), least }) if *least >= 0 => {
            if from == "0" {
                return format!("{joined} in nat");
            }
            let plain = |c: char| c.is_alphanumeric() || " +-*_".contains(c);
            let from = if from.chars().all(plain) { from.to_string() } else { format!("({from})") };
            let conditions: Vec<String> = names.iter().map(|name| format!("{name} >= {from}")).collect();
            format!("{joined} in nat where {}", conditions.join(" and "))
        }
        Some(Ends { to: Some(to), .. }) => format!("{joined} in {from}..{to}"),
        _ => format!("{joined} in {from}..{to}"),
    }
}

/// Whether an expression needs brackets beside `==`, and beside `iff`.
fn brackets(kind: &ExprKind) -> (bool, bool) {
    match kind {
        ExprKind::Binary { op, .. } => match op {
            Operator::Iff | Operator::Logic(LogicOp::Implies) => (true, true),
            Operator::Logic(_) | Operator::Binary(BinaryOp::Range) => (true, false),
            Operator::Binary(_) => (false, false),
        },
        ExprKind::Compare { .. } | ExprKind::Not(_) => (true, false),
        ExprKind::If { .. } | ExprKind::Misere(_) => (true, true),
        _ => (false, false),
    }
}

/// A text without remarks and on one line.
fn one_line(text: &str) -> String {
    if !text.contains('\n') {
        return text.trim().to_string();
    }
    text.lines()
        .flat_map(|line| line.split('#').next().unwrap_or_default().split_whitespace())
        .collect::<Vec<_>>()
        .join(" ")
}
