//! What binds names: the one clause list (rule 17), patterns, `with` (rule 19) and the lets of a game.

use crate::model::{Builtin, Clause, Pattern, Slot, Term, TermKind, Type};
use crate::source::{Code, Span};
use crate::syntax::tree::{self, Expr, ExprKind, Name, Naming, Rule, bound_slots, mentions};
use crate::typing::checker::Checker;
use crate::typing::dependencies::circular;
use crate::typing::types::{a_type, adapt, member};
use std::collections::{BTreeSet, HashMap};

impl<'a> Checker<'a> {
    /// Checks all clauses, also after an error; the caller takes the names that they bind out of the body.
    pub(crate) fn clauses(&mut self, clauses: &'a [tree::Clause]) -> Option<Vec<Clause>> {
        let before = self.cx.later.len();
        let mut done = Some(Vec::new());
        // How many names come behind each clause, and with it.
        let mut counts = Vec::with_capacity(clauses.len());
        for clause in clauses.iter().rev() {
            let behind = self.cx.later.len();
            for name in clause.names().into_iter().filter(|name| name.text != "_") {
                self.cx.later.push(&name.text, ());
            }
            counts.push((behind, self.cx.later.len()));
        }
        for (clause, (behind, with)) in clauses.iter().zip(counts.into_iter().rev()) {
            // In a table `for n in 0..n` reads the `n` outside; in games, defs and claims a name means one thing.
            self.cx.later.truncate(if self.cx.no_inputs.is_none() { behind } else { with });
            let new = self.clause(clause);
            self.cx.later.truncate(behind);
            match (&mut done, new) {
                (Some(all), Some(new)) => all.extend(new),
                (all, _) => *all = None,
            }
        }
        self.cx.later.truncate(before);
        done
    }

    fn clause(&mut self, clause: &'a tree::Clause) -> Option<Vec<Clause>> {
        match clause {
            tree::Clause::In { patterns, source, .. } => {
                let source = self.binder_source(source);
                let of = source.as_ref().map(|(_, of)| of.clone());
                let patterns: Vec<_> = patterns.iter().map(|p| (self.bind_pattern(p, of.clone()), p.span())).collect();
                let (source, _) = source?;
                patterns
                    .into_iter()
                    .map(|(p, span)| Some(Clause::In { pattern: p?, source: source.clone(), span }))
                    .collect()
            }
            tree::Clause::Let(naming) => {
                let value = self.expr(&naming.value);
                let ty = value.as_ref().map(|v| v.ty.clone());
                let pattern = self.bind_pattern(&naming.pattern, ty);
                Some(vec![Clause::Let { pattern: pattern?, value: value? }])
            }
            tree::Clause::Where(condition) => {
                Some(vec![Clause::Where(self.condition(condition, "a condition after `where`")?)])
            }
        }
    }

    /// What a binder ranges over, and the type of its members. Graphs and grids give the list of their vertices.
    fn binder_source(&mut self, source: &'a tree::Expr) -> Option<(Term, Type)> {
        if let ExprKind::Name(name) = &source.kind
            && self.is_nat(name)
        {
            if !self.cx.claim {
                let message = "only a claim ranges over all of `nat`";
                return self.refuse(Code::E03, source.span, message, "give it an end: `in 0..100`");
            }
            let nats = Type::List(Box::new(Type::Int));
            let term = Term::new(TermKind::Builtin(Builtin::Nat, Vec::new()), nats, source.span);
            return Some((term, Type::Int));
        }
        // Inside the source of a claim's binder, `nat` would have to be finished.
        let claim = std::mem::replace(&mut self.cx.claim, false);
        let term = self.expr(source);
        self.cx.claim = claim;
        self.members(term?, "what a binder ranges over")
    }

    /// A term as a collection, with the type of its members; graphs and grids become the list of their vertices.
    pub(crate) fn members(&mut self, term: Term, what: &str) -> Option<(Term, Type)> {
        let Some(of) = member(&term.ty) else {
            let hint = (term.ty == Type::Int).then_some("`0..n - 1` has the numbers from 0 to n - 1");
            return self.unfit(&term, what, "a collection", hint);
        };
        let term = match term.ty {
            Type::Graph(_) | Type::Grid | Type::NatGrid => adapt(term, Type::List(Box::new(of.clone()))),
            _ => term,
        };
        Some((term, of))
    }

    /// Binds the names of a pattern to new slots; `ty` is `None` after an error that has been told.
    fn bind_pattern(&mut self, pattern: &'a tree::Pattern, ty: Option<Type>) -> Option<Pattern> {
        match pattern {
            tree::Pattern::Name(name) if name.text == "_" => ty.map(|_| Pattern::Ignore),
            tree::Pattern::Name(name) => {
                let slot = self.cx.bind(&name.text, ty.clone(), name.span, &mut self.errors);
                ty.map(|_| Pattern::Slot(slot))
            }
            tree::Pattern::Tuple(parts, span) => {
                let types = ty.and_then(|ty| self.part_types(&ty, parts.len(), *span));
                let parts: Vec<_> = parts
                    .iter()
                    .enumerate()
                    .map(|(i, p)| self.bind_pattern(p, types.as_ref().map(|t| t[i].clone())))
                    .collect();
                Some(Pattern::Tuple(parts.into_iter().collect::<Option<_>>()?, *span))
            }
        }
    }

    /// The types of the parts when a value of this type is taken apart into so many.
    fn part_types(&mut self, ty: &Type, arity: usize, span: Span) -> Option<Vec<Type>> {
        let parts = match ty {
            Type::Tuple(parts) if parts.len() == arity => Some(parts.clone()),
            Type::Edge if arity == 2 => Some(vec![Type::Vertex; 2]),
            Type::Vertex if arity == 2 => Some(vec![Type::Int; 2]),
            Type::List(of) => Some(vec![(**of).clone(); arity]),
            Type::Range => Some(vec![Type::Int; arity]),
            Type::Never => Some(vec![Type::Never; arity]),
            _ => None,
        };
        if parts.is_some() {
            return parts;
        }
        let message = format!("a pattern of {arity} names cannot take {} apart", a_type(ty));
        let hint = if let Type::Tuple(parts) = ty { Some(format!("it has {} parts", parts.len())) } else { None };
        self.deny(Code::E03, span, message, hint)
    }

    /// The names of a pattern with the terms that take them out of the whole.
    pub(crate) fn pattern_parts(
        &mut self,
        pattern: &'a tree::Pattern,
        whole: Option<Term>,
    ) -> Vec<(&'a Name, Option<Term>)> {
        match pattern {
            tree::Pattern::Name(name) => vec![(name, whole)],
            tree::Pattern::Tuple(parts, span) => {
                let types = whole.as_ref().and_then(|w| self.part_types(&w.ty, parts.len(), *span));
                let mut all = Vec::new();
                for (index, part) in parts.iter().enumerate() {
                    let term = whole.as_ref().zip(types.as_ref()).map(|(whole, types)| {
                        let kind = TermKind::Part { of: Box::new(whole.clone()), index, arity: parts.len() };
                        Term::new(kind, types[index].clone(), part.span())
                    });
                    all.extend(self.pattern_parts(part, term));
                }
                all
            }
        }
    }

    /// An expression that must be true or false; `=` for `==` never comes here, the grammar refuses it (E08).
    pub(crate) fn condition(&mut self, expr: &'a tree::Expr, what: &str) -> Option<Term> {
        self.expr_as(expr, &Type::Bool, what)
    }

    /// Runs something with the names of a `with` in sight.
    pub(crate) fn with_names<T>(&mut self, with: &'a [Naming], run: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let mark = self.cx.locals.len();
        self.lazies(&with.iter().map(Lazy::naming).collect::<Vec<_>>());
        let result = run(self);
        self.cx.locals.truncate(mark);
        result
    }

    /// Runs something after clauses; names of a `with` that read nothing bound there are known in the clauses too.
    pub(crate) fn with_clauses<T>(
        &mut self,
        clauses: &'a [tree::Clause],
        with: &'a [Naming],
        run: impl FnOnce(&mut Self) -> Option<T>,
    ) -> (Option<Vec<crate::model::Clause>>, Option<T>) {
        let mark = self.cx.locals.len();
        let lines: Vec<Lazy<'a>> = with.iter().map(Lazy::naming).collect();
        let mut tainted: BTreeSet<&str> = clauses.iter().flat_map(tree::Clause::names).map(|n| &*n.text).collect();
        let mut behind = vec![false; lines.len()];
        loop {
            let mut grown = false;
            for (line, behind) in lines.iter().zip(&mut behind) {
                if !*behind && line.mentions().0.iter().any(|n| tainted.contains(n)) {
                    *behind = true;
                    grown = true;
                    tainted.extend(line.pattern.names().iter().map(|n| &*n.text));
                }
            }
            if !grown {
                break;
            }
        }
        let pick = |want: bool| -> Vec<Lazy<'a>> {
            lines.iter().zip(&behind).filter(|(_, b)| **b == want).map(|(l, _)| *l).collect()
        };
        self.lazies(&pick(false));
        let later = self.cx.later.len();
        for line in pick(true) {
            line.pattern.names().iter().for_each(|name| self.cx.later.push(&name.text, ()));
        }
        let clauses = self.clauses(clauses);
        self.cx.later.truncate(later);
        self.lazies(&pick(true));
        let result = run(self);
        self.cx.locals.truncate(mark);
        (clauses, result)
    }

    /// Gives each line its slots, then checks the values, each after those it reads.
    pub(crate) fn lazies(&mut self, lines: &[Lazy<'a>]) {
        let shared = std::mem::replace(&mut self.cx.shared, false);
        let slots: Vec<Vec<Slot>> = lines.iter().map(|line| self.lazy_slots(line)).collect();
        for index in self.lazy_order(lines, shared) {
            let line = &lines[index];
            if let Some(game) = self.cx.game.filter(|_| shared)
                && line.mentions().1.iter().any(|name| self.games[game.0].defs.contains_key(name))
            {
                // What the defs that it calls see: the lets before it. A copy for each line would cost their square.
                self.games[game.0].context = Some(self.cx.clone());
            }
            let value = self.with_names(line.with, |this| this.expr(line.value));
            self.define(line, &slots[index], value);
        }
        self.cx.shared = shared;
    }

    /// The slots of a line: that of the whole when a pattern takes it apart, then those of its names.
    fn lazy_slots(&mut self, line: &Lazy<'a>) -> Vec<Slot> {
        let mut slots = Vec::new();
        if matches!(line.pattern, tree::Pattern::Tuple(..)) {
            slots.push(self.cx.slot("%", Type::Never, line.pattern.span()));
        }
        for name in line.pattern.names() {
            slots.push(self.cx.bind(&name.text, None, name.span, &mut self.errors));
        }
        slots
    }

    fn define(&mut self, line: &Lazy<'a>, slots: &[Slot], value: Option<Term>) {
        let Some(value) = value else { return };
        match line.pattern {
            tree::Pattern::Name(_) => self.cx.set(slots[0], value),
            tree::Pattern::Tuple(_, span) => {
                let whole = Term::new(TermKind::Slot(slots[0]), value.ty.clone(), *span);
                self.cx.set(slots[0], value);
                let parts = self.pattern_parts(line.pattern, Some(whole));
                for ((_, part), &slot) in parts.into_iter().zip(&slots[1..]) {
                    if let Some(part) = part {
                        self.cx.set(slot, part);
                    }
                }
            }
        }
    }

    /// The lines, each after those it reads; circles are told (E16) and left out. `shared`: lets of a game.
    fn lazy_order(&mut self, lines: &[Lazy<'a>], shared: bool) -> Vec<usize> {
        let mut owner: HashMap<&str, usize> = HashMap::new();
        for (index, line) in lines.iter().enumerate() {
            for name in line.pattern.names() {
                owner.entry(&name.text).or_insert(index);
            }
        }
        let needs: Vec<Vec<usize>> = lines
            .iter()
            .map(|line| {
                let read = if shared { self.all_values(line) } else { line.mentions().0 };
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
        for (line, circular) in lines.iter().zip(circular(&needs)) {
            if circular {
                let names: Vec<String> = line.pattern.names().iter().map(|n| format!("`{}`", n.text)).collect();
                let names = names.join(", ");
                let message = format!("the value of {names} needs {names} itself");
                let hint = "names cannot stand for each other in circles";
                self.refuse::<()>(Code::E16, line.pattern.span(), message, hint);
            }
        }
        order
    }

    /// The names that a let of a game reads, also through the defs of the game.
    fn all_values(&self, line: &Lazy<'a>) -> BTreeSet<&'a str> {
        let (mut values, functions) = line.mentions();
        let Some(game) = self.cx.game.filter(|_| self.cx.local_defs) else { return values };
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

/// Something to be named.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lazy<'a> {
    pub(crate) pattern: &'a tree::Pattern,
    pub(crate) value: &'a Expr,
    pub(crate) with: &'a [Naming],
}

impl<'a> Lazy<'a> {
    pub(crate) fn naming(naming: &'a Naming) -> Self {
        Lazy { pattern: &naming.pattern, value: &naming.value, with: &[] }
    }

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
        let with: usize = self.with.iter().map(|n| 1 + n.pattern.names().len() + bound_slots(&n.value)).sum();
        bound_slots(self.value) + with
    }
}
