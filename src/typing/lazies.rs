//! Names that are evaluated when first read: `with` and the lets of a game.

use crate::model::kind::Type;
use crate::model::{Slot, Term, TermKind};
use crate::source::diagnostic::{Code, Diagnostic};
use crate::syntax::tree;
use crate::syntax::tree::{Expr, Naming, Pattern, Rule};
use crate::typing::checker::Checker;
use crate::typing::clauses::{bound, pattern_span};
use crate::typing::context::Context;
use crate::typing::load::pattern_names;
use crate::typing::tree_walk::{bound_slots, mentions};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// Something to be named.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lazy<'a> {
    pub(crate) pattern: &'a Pattern,
    pub(crate) value: &'a Expr,
    pub(crate) with: &'a [Naming],
}

impl<'a> Lazy<'a> {
    /// A line of a `with`.
    pub(crate) fn naming(naming: &'a Naming) -> Self {
        Lazy { pattern: &naming.pattern, value: &naming.value, with: &[] }
    }

    /// A `let`.
    pub(crate) fn line(line: &'a tree::Let) -> Self {
        Lazy { pattern: &line.pattern, value: &line.value, with: &line.with }
    }

    fn mentions(&self) -> (BTreeSet<&'a str>, BTreeSet<&'a str>) {
        let (mut values, mut functions) = mentions(self.value);
        for naming in self.with {
            let (v, f) = mentions(&naming.value);
            values.extend(v);
            functions.extend(f);
        }
        (values, functions)
    }

    /// How many slots its own clauses and `with` need at most.
    pub(crate) fn inner_slots(&self) -> usize {
        let with: usize = self.with.iter().map(|n| 1 + pattern_names(&n.pattern).len() + bound_slots(&n.value)).sum();
        bound_slots(self.value) + with
    }
}

impl<'a> Checker<'a> {
    /// Runs something with the names of a `with` in sight.
    pub(crate) fn with_names<T>(
        &mut self,
        cx: &mut Context,
        with: &'a [Naming],
        run: impl FnOnce(&mut Self, &mut Context) -> Option<T>,
    ) -> Option<T> {
        let mark = cx.locals.len();
        self.lazies(cx, &with.iter().map(Lazy::naming).collect::<Vec<_>>());
        let result = run(self, cx);
        cx.locals.truncate(mark);
        result
    }

    /// Runs something after clauses, with the names of a `with` in sight: those that read nothing bound in the clauses
    /// already there, the others only behind them.
    pub(crate) fn with_clauses<T>(
        &mut self,
        cx: &mut Context,
        clauses: &'a [tree::Clause],
        with: &'a [Naming],
        run: impl FnOnce(&mut Self, &mut Context) -> Option<T>,
    ) -> (Option<Vec<crate::model::Clause>>, Option<T>) {
        let mark = cx.locals.len();
        let lines: Vec<Lazy<'a>> = with.iter().map(Lazy::naming).collect();
        let mut tainted: BTreeSet<&str> = clauses.iter().flat_map(bound).map(|n| &*n.text).collect();
        let mut behind = vec![false; lines.len()];
        loop {
            let mut grown = false;
            for (line, behind) in lines.iter().zip(&mut behind) {
                if !*behind && line.mentions().0.iter().any(|n| tainted.contains(n)) {
                    *behind = true;
                    grown = true;
                    tainted.extend(pattern_names(line.pattern).iter().map(|n| &*n.text));
                }
            }
            if !grown {
                break;
            }
        }
        let pick = |want: bool| -> Vec<Lazy<'a>> {
            lines.iter().zip(&behind).filter(|(_, b)| **b == want).map(|(l, _)| *l).collect()
        };
        self.lazies(cx, &pick(false));
        let later = cx.later.len();
        for line in pick(true) {
            cx.later.extend(pattern_names(line.pattern).iter().map(|n| n.text.clone()));
        }
        let clauses = self.clauses(cx, clauses);
        cx.later.truncate(later);
        self.lazies(cx, &pick(true));
        let result = run(self, cx);
        cx.locals.truncate(mark);
        (clauses, result)
    }

    /// Gives each line its slots, then checks the values, each after those it reads.
    pub(crate) fn lazies(&mut self, cx: &mut Context, lines: &[Lazy<'a>]) {
        let shared = std::mem::replace(&mut cx.shared, false);
        let slots: Vec<Vec<Slot>> = lines.iter().map(|line| self.lazy_slots(cx, line)).collect();
        for index in self.lazy_order(cx, lines, shared) {
            let line = &lines[index];
            if let Some(game) = cx.game.filter(|_| shared)
                && line.mentions().1.iter().any(|name| self.games[game.0].defs.contains_key(name))
            {
                // What the defs that it calls see: the lets before it. A copy for each line would cost their square.
                self.games[game.0].context = Some(cx.clone());
            }
            let value = self.with_names(cx, line.with, |this, cx| this.expr(cx, line.value));
            self.fill(cx, line, &slots[index], value);
        }
        cx.shared = shared;
    }

    /// The slots of a line: that of the whole when a pattern takes it apart, then those of its names.
    fn lazy_slots(&mut self, cx: &mut Context, line: &Lazy<'a>) -> Vec<Slot> {
        let mut slots = Vec::new();
        if matches!(line.pattern, Pattern::Tuple(..)) {
            slots.push(cx.slot("%", Type::Never, pattern_span(line.pattern)));
        }
        for name in pattern_names(line.pattern) {
            slots.push(cx.bind(&name.text, None, name.span, &mut self.errors));
        }
        slots
    }

    fn fill(&mut self, cx: &mut Context, line: &Lazy<'a>, slots: &[Slot], value: Option<Term>) {
        let Some(value) = value else { return };
        match line.pattern {
            Pattern::Name(_) => set(cx, slots[0], value),
            Pattern::Tuple(_, span) => {
                let whole = Term::new(TermKind::Slot(slots[0]), value.ty.clone(), *span);
                set(cx, slots[0], value);
                let parts = self.pattern_parts(line.pattern, Some(whole));
                for ((_, part), &slot) in parts.into_iter().zip(&slots[1..]) {
                    if let Some(part) = part {
                        set(cx, slot, part);
                    }
                }
            }
        }
    }

    /// The lines in an order in which each comes after those it reads; those in circles are told (E16) and left out.
    /// `shared`: they are the lets of a game, which its defs see.
    fn lazy_order(&mut self, cx: &Context, lines: &[Lazy<'a>], shared: bool) -> Vec<usize> {
        let mut owner: HashMap<&str, usize> = HashMap::new();
        for (index, line) in lines.iter().enumerate() {
            for name in pattern_names(line.pattern) {
                owner.entry(&name.text).or_insert(index);
            }
        }
        let needs: Vec<Vec<usize>> = lines
            .iter()
            .map(|line| {
                let read = if shared { self.all_values(cx, line) } else { line.mentions().0 };
                read.iter().filter_map(|n| owner.get(n).copied()).collect()
            })
            .collect();
        let mut order = Vec::new();
        let mut placed = vec![false; lines.len()];
        loop {
            let before = order.len();
            for index in 0..lines.len() {
                if !placed[index] && needs[index].iter().all(|&n| placed[n]) {
                    placed[index] = true;
                    order.push(index);
                }
            }
            if order.len() == before {
                break;
            }
        }
        for (index, line) in lines.iter().enumerate().filter(|(i, _)| !placed[*i]) {
            if reaches(&needs, index, index) {
                let names: Vec<String> = pattern_names(line.pattern).iter().map(|n| format!("`{}`", n.text)).collect();
                let names = names.join(", ");
                self.error(
                    Diagnostic::new(
                        Code::E16,
                        pattern_span(line.pattern),
                        format!("the value of {names} needs {names} itself"),
                    )
                    .hint("names cannot stand for each other in circles"),
                );
            }
        }
        order
    }

    /// The names that a let of a game reads, also through the defs of the game.
    fn all_values(&self, cx: &Context, line: &Lazy<'a>) -> BTreeSet<&'a str> {
        let (mut values, functions) = line.mentions();
        let Some(game) = cx.game.filter(|_| cx.local_defs) else { return values };
        let entry = &self.games[game.0];
        let mut todo: Vec<&str> = functions.into_iter().collect();
        let mut seen = BTreeSet::new();
        while let Some(name) = todo.pop() {
            let Some(&rule) = entry.defs.get(name) else { continue };
            if !seen.insert(name) {
                continue;
            }
            if let Rule::Def(def) = &entry.tree.rules[rule] {
                let defaults = def.params.iter().filter_map(|p| p.default.as_ref());
                for expr in defaults.chain([&def.body]).chain(def.with.iter().map(|n| &n.value)) {
                    let (v, f) = mentions(expr);
                    values.extend(v);
                    todo.extend(f);
                }
            }
        }
        values
    }
}

fn reaches(needs: &[Vec<usize>], from: usize, to: usize) -> bool {
    let mut seen = vec![false; needs.len()];
    let mut todo = needs[from].clone();
    while let Some(next) = todo.pop() {
        if next == to {
            return true;
        }
        if !std::mem::replace(&mut seen[next], true) {
            todo.extend(&needs[next]);
        }
    }
    false
}

fn set(cx: &mut Context, slot: Slot, value: Term) {
    let ty = value.ty.clone();
    cx.frame.slots[slot].ty = ty.clone();
    cx.frame.slots[slot].lazy = Some(Arc::new(value));
    if let Some(local) = cx.locals.iter_mut().rev().find(|l| l.slot == slot) {
        local.ty = Some(ty);
    }
}
