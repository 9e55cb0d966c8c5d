//! Walks over what was written, before anything is understood. All of them use a stack of their own, not the machine's.

use crate::syntax::tree::{
    Arg, Args, Clause, DrawingWord, EndVerdict, Expr, ExprKind, Fact, File, Item, Items, Move, Naming, Param, Pattern,
    Rule, Target, TheoremSays,
};
use crate::typing::load::pattern_names;
use std::collections::BTreeSet;

/// What a walk meets.
pub(crate) enum Seen<'t> {
    /// A value read.
    Value(&'t str),
    /// A function called.
    Function(&'t str),
    /// A text written.
    Text(&'t str),
    /// Something bound in clauses.
    Bound(&'t Pattern),
}

/// Shows every part of the expression to `see`, in no particular order.
pub(crate) fn walk<'t>(expr: &'t Expr, see: &mut dyn FnMut(Seen<'t>)) {
    let mut todo = vec![expr];
    while let Some(expr) = todo.pop() {
        parts(expr, &mut todo, see);
    }
}

fn parts<'t>(expr: &'t Expr, todo: &mut Vec<&'t Expr>, see: &mut dyn FnMut(Seen<'t>)) {
    match &expr.kind {
        ExprKind::Name(name) => see(Seen::Value(name)),
        ExprKind::Text(text) | ExprKind::DrawnText { text, word: DrawingWord::Grid } => see(Seen::Text(text)),
        ExprKind::Int(_)
        | ExprKind::Bool(_)
        | ExprKind::Drawing { .. }
        | ExprKind::FromFile { .. }
        | ExprKind::DrawnText { .. } => {}
        ExprKind::Call { function, args } => {
            see(Seen::Function(&function.text));
            arg_parts(args, todo, see);
        }
        ExprKind::Apply { base, args } => {
            todo.push(base);
            arg_parts(args, todo, see);
        }
        ExprKind::Place { rules, state, .. } => {
            todo.extend(rules.iter().flatten().map(|arg| &arg.value));
            if let Some(args) = state {
                arg_parts(args, todo, see);
            }
        }
        ExprKind::Tuple(items) => todo.extend(items),
        ExprKind::List(items) | ExprKind::Set(items) => match items {
            Items::Plain(items) => todo.extend(items),
            Items::Comprehension { value, clauses } => {
                todo.push(value);
                clause_parts(clauses, todo, see);
            }
        },
        ExprKind::Index { base, index } => todo.extend([&**base, index]),
        ExprKind::Slice { base, from, to } => {
            todo.push(base);
            todo.extend(from.iter().chain(to).map(|e| &**e));
        }
        ExprKind::Update { base, changes, clauses } => {
            todo.push(base);
            todo.extend(changes.iter().flat_map(|c| [&c.index, &c.value]));
            if let Some(clauses) = clauses {
                clause_parts(clauses, todo, see);
            }
        }
        ExprKind::Neg(of) | ExprKind::Not(of) | ExprKind::Misere(of) => todo.push(of),
        ExprKind::Binary { left, right, .. } => todo.extend([&**left, right]),
        ExprKind::Compare { first, rest } => {
            todo.push(first);
            todo.extend(rest.iter().map(|(_, e)| e));
        }
        ExprKind::If { condition, yes, no } => todo.extend([&**condition, yes, no]),
    }
}

fn arg_parts<'t>(args: &'t Args, todo: &mut Vec<&'t Expr>, see: &mut dyn FnMut(Seen<'t>)) {
    match args {
        Args::Plain(args) => todo.extend(args.iter().map(|a: &Arg| &a.value)),
        Args::Comprehension { value, clauses } => {
            todo.push(value);
            clause_parts(clauses, todo, see);
        }
    }
}

fn clause_parts<'t>(clauses: &'t [Clause], todo: &mut Vec<&'t Expr>, see: &mut dyn FnMut(Seen<'t>)) {
    for clause in clauses {
        match clause {
            Clause::In { patterns, source, .. } => {
                for pattern in patterns {
                    see(Seen::Bound(pattern));
                }
                todo.push(source);
            }
            Clause::Let(Naming { pattern, value }) => {
                see(Seen::Bound(pattern));
                todo.push(value);
            }
            Clause::Where(condition) => todo.push(condition),
        }
    }
}

/// The names, of values and of functions, that an expression mentions.
pub(crate) fn mentions(expr: &Expr) -> (BTreeSet<&str>, BTreeSet<&str>) {
    let (mut values, mut functions) = (BTreeSet::new(), BTreeSet::new());
    walk(expr, &mut |seen| match seen {
        Seen::Value(name) => {
            values.insert(name);
        }
        Seen::Function(name) => {
            functions.insert(name);
        }
        _ => {}
    });
    (values, functions)
}

/// How many slots the clauses inside an expression need at most.
pub(crate) fn bound_slots(expr: &Expr) -> usize {
    let mut count = 0;
    walk(expr, &mut |seen| {
        if let Seen::Bound(pattern) = seen {
            count += pattern_names(pattern).len();
        }
    });
    count
}

/// The letters in the texts of a file.
pub(crate) fn letters(file: &File, into: &mut BTreeSet<char>) {
    let mut todo = Vec::new();
    for item in &file.items {
        item_exprs(item, &mut todo);
    }
    for expr in todo {
        walk(expr, &mut |seen| {
            if let Seen::Text(text) = seen {
                into.extend(text.chars().filter(|c| !c.is_control()));
            }
        });
    }
}

fn item_exprs<'t>(item: &'t Item, todo: &mut Vec<&'t Expr>) {
    match item {
        Item::Use { .. } => {}
        Item::Input { default, .. } => todo.extend(default),
        Item::Let(line) => naming_exprs(&line.value, &line.with, todo),
        Item::Def(def) => def_exprs(&def.params, &def.body, &def.with, todo),
        Item::Game(game) => {
            todo.extend(game.params.iter().chain(&game.fields).filter_map(|d| d.default.as_ref()));
            todo.extend(&game.filter);
            for rule in &game.rules {
                rule_exprs(rule, todo);
            }
        }
        Item::Solve { position, .. } => todo.push(position),
        Item::Table { value, clauses, .. } => {
            todo.push(value);
            clause_exprs(clauses, todo);
        }
        Item::Claim(claim) => {
            clause_exprs(&claim.clauses, todo);
            naming_exprs(&claim.condition, &claim.with, todo);
        }
        Item::Expect(expect) => {
            todo.push(&expect.position);
            todo.extend(expect.facts.iter().filter_map(|f| match f {
                Fact::Measure(_, e, _) => Some(e),
                Fact::Outcome(..) => None,
            }));
        }
    }
}

fn rule_exprs<'t>(rule: &'t Rule, todo: &mut Vec<&'t Expr>) {
    match rule {
        Rule::Move(Move { clauses, target, .. }) => {
            clause_exprs(clauses, todo);
            target_exprs(target, todo);
        }
        Rule::End { when, verdict, .. } => {
            todo.push(when);
            if let EndVerdict::Score(score) = verdict {
                todo.push(score);
            }
        }
        Rule::Legal { when, .. } => todo.push(when),
        Rule::Same { position, when, .. } => todo.extend([position, when]),
        Rule::Theorem(theorem) => {
            todo.extend(theorem.with.iter().map(|n| &n.value));
            match &theorem.says {
                TheoremSays::Moves { clauses, .. } => clause_exprs(clauses, todo),
                TheoremSays::Value { value: e, guard, .. } | TheoremSays::Verdict { when: e, guard, .. } => {
                    todo.push(e);
                    todo.extend(guard);
                }
            }
        }
        Rule::Let(line) => naming_exprs(&line.value, &line.with, todo),
        Rule::Def(def) => def_exprs(&def.params, &def.body, &def.with, todo),
    }
}

fn target_exprs<'t>(target: &'t Target, todo: &mut Vec<&'t Expr>) {
    let mut targets = vec![target];
    while let Some(target) = targets.pop() {
        match target {
            Target::If { condition, yes, no, .. } => {
                todo.push(condition);
                targets.extend([&**yes, no]);
            }
            Target::Win(_) | Target::Lose(_) | Target::Draw(_) => {}
            Target::Go { position, gain, .. } => {
                todo.push(position);
                todo.extend(gain);
            }
        }
    }
}

fn clause_exprs<'t>(clauses: &'t [Clause], todo: &mut Vec<&'t Expr>) {
    clause_parts(clauses, todo, &mut |_| {});
}

fn naming_exprs<'t>(value: &'t Expr, with: &'t [Naming], todo: &mut Vec<&'t Expr>) {
    todo.push(value);
    todo.extend(with.iter().map(|n| &n.value));
}

fn def_exprs<'t>(params: &'t [Param], body: &'t Expr, with: &'t [Naming], todo: &mut Vec<&'t Expr>) {
    todo.extend(params.iter().filter_map(|p| p.default.as_ref()));
    naming_exprs(body, with, todo);
}
