//! Expressions, clauses and patterns as nested lists.

use crate::report::tree::node::{Node, list, named, quoted, word};
use crate::syntax::tree::{
    Arg, Args, BinaryOp, Chain, Change, Clause, CompareOp, DrawingWord, Expr, ExprKind, Items, Label, Naming, Pattern,
    SetOp,
};
use crate::typing::show::graph_word;

pub(super) fn for_list(clauses: &[Clause]) -> Node {
    list("for", clauses.iter().map(clause))
}

pub(super) fn clause(clause: &Clause) -> Node {
    match clause {
        Clause::In { patterns, source, .. } => list("in", patterns.iter().map(pattern).chain([expr(source)])),
        Clause::Let(line) => naming(line),
        Clause::Where(condition) => list("where", [expr(condition)]),
    }
}

pub(super) fn pattern(pattern: &Pattern) -> Node {
    match pattern {
        Pattern::Name(name) => named(name),
        Pattern::Tuple(parts, _) => list("tuple", parts.iter().map(self::pattern)),
    }
}

pub(super) fn expr(expr: &Expr) -> Node {
    match &expr.kind {
        ExprKind::Int(n) => word(n.to_string()),
        ExprKind::Text(text) => quoted(text),
        ExprKind::Bool(truth) => word(truth.to_string()),
        ExprKind::Name(name) => word(name.as_str()),
        ExprKind::Call { function, args } => list(&function.text, self::args(args)),
        ExprKind::Apply { base, args } => list("apply", [self::expr(base)].into_iter().chain(self::args(args))),
        ExprKind::Place { game, rules, state } => {
            let rules = rules.iter().map(|rules| list("params", rules.iter().map(arg)));
            let state = state.iter().flat_map(self::args);
            list(&game.text, rules.collect::<Vec<_>>().into_iter().chain(state))
        }
        ExprKind::Drawing { word: head, chains } => {
            let chain = |chain: &Chain| {
                let rest = chain.rest.iter().flat_map(|(arrow, to)| [word(if *arrow { "->" } else { "-" }), label(to)]);
                Node::List(std::iter::once(label(&chain.first)).chain(rest).collect())
            };
            list(graph_word(*head), chains.iter().map(chain))
        }
        ExprKind::FromFile { word: head, path } => list(drawing_word(*head), [word("from"), quoted(path)]),
        ExprKind::DrawnText { word: head, text } => list(drawing_word(*head), [quoted(text)]),
        ExprKind::Tuple(parts) => list("tuple", parts.iter().map(self::expr)),
        ExprKind::List(items) => list("list", self::items(items)),
        ExprKind::Set(items) => list("set", self::items(items)),
        ExprKind::Index { base, index } => list("index", [self::expr(base), self::expr(index)]),
        ExprKind::Slice { base, from, to } => {
            let end = |end: &Option<Box<Expr>>| end.as_ref().map_or(word("_"), |e| self::expr(e));
            list("slice", [self::expr(base), end(from), end(to)])
        }
        ExprKind::Update { base, changes, clauses } => {
            let clauses = clauses.iter().map(|clauses| for_list(clauses));
            list("update", [self::expr(base)].into_iter().chain(changes.iter().map(change)).chain(clauses))
        }
        ExprKind::Neg(of) => list("-", [self::expr(of)]),
        ExprKind::Not(of) => list("not", [self::expr(of)]),
        ExprKind::Binary { op, left, right } => list(binary_word(*op), [self::expr(left), self::expr(right)]),
        ExprKind::Compare { first, rest } => {
            let rest = rest.iter().flat_map(|(op, to)| [word(compare_word(*op)), self::expr(to)]);
            list("compare", [self::expr(first)].into_iter().chain(rest))
        }
        ExprKind::If { condition, yes, no } => list("if", [self::expr(condition), self::expr(yes), self::expr(no)]),
        ExprKind::Misere(of) => list("misere", [self::expr(of)]),
    }
}

pub(super) fn items(items: &Items) -> Vec<Node> {
    match items {
        Items::Plain(items) => items.iter().map(expr).collect(),
        Items::Comprehension { value, clauses } => vec![expr(value), for_list(clauses)],
    }
}

pub(super) fn args(args: &Args) -> Vec<Node> {
    match args {
        Args::Plain(args) => args.iter().map(arg).collect(),
        Args::Comprehension { value, clauses } => vec![expr(value), for_list(clauses)],
    }
}

pub(super) fn arg(arg: &Arg) -> Node {
    match &arg.name {
        Some(name) => list("=", [named(name), expr(&arg.value)]),
        None => expr(&arg.value),
    }
}

pub(super) fn change(change: &Change) -> Node {
    let op = match change.op {
        SetOp::Put => ":=",
        SetOp::Add => "+=",
        SetOp::Remove => "-=",
    };
    list(op, [expr(&change.index), expr(&change.value)])
}

pub(super) fn label(label: &Label) -> Node {
    match label {
        Label::Int(n, _) => word(n.to_string()),
        Label::Text(text, _) => quoted(text),
    }
}

pub(super) fn drawing_word(word: DrawingWord) -> &'static str {
    match word {
        DrawingWord::Graph(word) => graph_word(word),
        DrawingWord::Grid => "grid",
    }
}

pub(super) fn binary_word(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Iff => "iff",
        BinaryOp::Implies => "implies",
        BinaryOp::Or => "or",
        BinaryOp::And => "and",
        BinaryOp::Range => "..",
        BinaryOp::Xor => "xor",
        BinaryOp::Meet => "&",
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Over => "/",
        BinaryOp::Div => "div",
        BinaryOp::Mod => "mod",
        BinaryOp::Pow => "**",
    }
}

pub(super) fn compare_word(op: CompareOp) -> &'static str {
    match op {
        CompareOp::Eq => "==",
        CompareOp::Ne => "!=",
        CompareOp::Lt => "<",
        CompareOp::Le => "<=",
        CompareOp::Gt => ">",
        CompareOp::Ge => ">=",
        CompareOp::In => "in",
        CompareOp::NotIn => "not-in",
    }
}

pub(super) fn naming(naming: &Naming) -> Node {
    list("=", [pattern(&naming.pattern), expr(&naming.value)])
}
