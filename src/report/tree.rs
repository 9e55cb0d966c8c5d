//! The tree of a file as nested lists: `(move take (in k (.. 1 n)) (-> (Nim (- n k))))`.

use crate::solve::outcome_word;
use crate::syntax::tree::{
    Arg, Args, BinaryOp, Change, Claim, Clause, CompareOp, Decl, Def, DrawingWord, EndVerdict, Expect, Expr, ExprKind,
    Fact, FactMeasure, File, Game, GraphWord, Item, Items, Kind, KindShape, Label, Let, Measure, Move, Name, Naming,
    Param, Pattern, Rule, SetOp, Target, Theorem, TheoremSays, Verdict,
};

/// Lists longer than this are broken into lines.
const WIDTH: usize = 110;

/// The whole tree, one statement after another.
#[must_use]
pub fn file(file: &File) -> String {
    let mut text = String::new();
    for item in &file.items {
        print(&self::item(item), 0, &mut text);
        text.push('\n');
    }
    text
}

/// A word or a list.
enum Node {
    Word(String),
    List(Vec<Node>),
}

fn print(node: &Node, indent: usize, text: &mut String) {
    match node {
        Node::Word(word) => *text += word,
        Node::List(parts) => {
            let line = flat(node);
            if indent + line.len() <= WIDTH {
                *text += &line;
                return;
            }
            text.push('(');
            for (i, part) in parts.iter().enumerate() {
                // The words at the beginning stay on the first line.
                let beside = i == 0 || parts[..=i].iter().all(|p| matches!(p, Node::Word(_)));
                if beside {
                    *text += if i == 0 { "" } else { " " };
                } else {
                    text.push('\n');
                    *text += &" ".repeat(indent + 2);
                }
                print(part, indent + 2, text);
            }
            text.push(')');
        }
    }
}

fn flat(node: &Node) -> String {
    match node {
        Node::Word(word) => word.clone(),
        Node::List(parts) => format!("({})", parts.iter().map(flat).collect::<Vec<_>>().join(" ")),
    }
}

fn word(text: impl Into<String>) -> Node {
    Node::Word(text.into())
}

fn named(name: &Name) -> Node {
    word(name.text.as_str())
}

fn quoted(text: &str) -> Node {
    word(format!("{text:?}"))
}

/// `(head parts...)`
fn list(head: &str, parts: impl IntoIterator<Item = Node>) -> Node {
    Node::List(std::iter::once(word(head)).chain(parts).collect())
}

fn item(item: &Item) -> Node {
    match item {
        Item::Use { path, .. } => list("use", [quoted(path)]),
        Item::Input { names, kind, default, .. } => {
            let kind = kind.iter().map(|k| list(":", [self::kind(k)]));
            let default = default.iter().map(|e| list("=", [expr(e)]));
            list("input", names.iter().map(named).chain(kind).chain(default))
        }
        Item::Let(line) => let_line(line),
        Item::Def(line) => def(line),
        Item::Game(game) => self::game(game),
        Item::Solve { position, .. } => list("solve", [expr(position)]),
        Item::Table { value, clauses, .. } => list("table", [expr(value), for_list(clauses)]),
        Item::Claim(line) => claim(line),
        Item::Expect(line) => expect(line),
    }
}

fn let_line(line: &Let) -> Node {
    list("let", [pattern(&line.pattern), expr(&line.value)].into_iter().chain(with(&line.with)))
}

fn with(with: &[Naming]) -> Option<Node> {
    (!with.is_empty()).then(|| list("with", with.iter().map(naming)))
}

fn naming(naming: &Naming) -> Node {
    list("=", [pattern(&naming.pattern), expr(&naming.value)])
}

fn def(line: &Def) -> Node {
    let result = line.result.iter().map(|k| list(":", [kind(k)]));
    let parts = [named(&line.name), list("params", line.params.iter().map(param))].into_iter().chain(result);
    list("def", parts.chain([expr(&line.body)]).chain(with(&line.with)))
}

fn param(param: &Param) -> Node {
    declared(pattern(&param.pattern), param.kind.as_ref(), param.default.as_ref())
}

fn decl(decl: &Decl) -> Node {
    declared(named(&decl.name), decl.kind.as_ref(), decl.default.as_ref())
}

fn declared(name: Node, kind: Option<&Kind>, default: Option<&Expr>) -> Node {
    if kind.is_none() && default.is_none() {
        return name;
    }
    let kind = kind.map(|k| list(":", [self::kind(k)]));
    let default = default.map(|e| list("=", [expr(e)]));
    Node::List(std::iter::once(name).chain(kind).chain(default).collect())
}

fn kind(kind: &Kind) -> Node {
    let shape = match &kind.shape {
        KindShape::Tuple(parts) => list("tuple", parts.iter().map(self::kind)),
        KindShape::Word(name) => named(name),
        KindShape::Of(name, of) => list(&name.text, [self::kind(of)]),
    };
    match kind.from {
        Some((from, _)) => list("from", [word(from.to_string()), shape]),
        None => shape,
    }
}

fn game(game: &Game) -> Node {
    let filter = game.filter.iter().map(|e| list("where", [expr(e)]));
    let parts = [
        named(&game.name),
        list("params", game.params.iter().map(decl)),
        list("fields", game.fields.iter().map(decl)),
    ];
    let head = if game.misere { "misere-game" } else { "game" };
    list(head, parts.into_iter().chain(filter).chain(game.rules.iter().map(rule)))
}

fn rule(rule: &Rule) -> Node {
    match rule {
        Rule::Move(Move { name, clauses, target, .. }) => {
            let target = list("->", [self::target(target)]);
            list("move", std::iter::once(named(name)).chain(clauses.iter().map(clause)).chain([target]))
        }
        Rule::End { when, verdict, .. } => {
            let verdict = match verdict {
                EndVerdict::Over => word("over"),
                EndVerdict::Lost => word("lost"),
                EndVerdict::Won => word("won"),
                EndVerdict::Drawn => word("drawn"),
                EndVerdict::Score(points) => list("score", [expr(points)]),
            };
            list("end", [expr(when), verdict])
        }
        Rule::Legal { when, .. } => list("legal", [expr(when)]),
        Rule::Same { position, when, .. } => list("same-as", [expr(position), expr(when)]),
        Rule::Theorem(line) => theorem(line),
        Rule::Let(line) => let_line(line),
        Rule::Def(line) => def(line),
    }
}

fn target(target: &Target) -> Node {
    match target {
        Target::If { condition, yes, no, .. } => {
            list("if", [expr(condition), self::target(yes), self::target(no)])
        }
        Target::Win(_) => word("win"),
        Target::Lose(_) => word("lose"),
        Target::Draw(_) => word("draw"),
        Target::Go { again, position, gain, .. } => {
            let go = if *again { list("again", [expr(position)]) } else { expr(position) };
            match gain {
                Some(points) => list("gain", [go, expr(points)]),
                None => go,
            }
        }
    }
}

fn theorem(line: &Theorem) -> Node {
    let guard = |guard: &Option<Expr>| guard.as_ref().map(|e| list("where", [expr(e)]));
    let parts: Vec<Node> = match &line.says {
        TheoremSays::Winning { name, clauses } => vec![word("winning"), named(name), for_list(clauses)],
        TheoremSays::Value { what, value, guard: condition } => {
            let what = match what {
                Measure::Grundy => "grundy",
                Measure::Outcome => "outcome",
                Measure::Score => "score",
                Measure::Remoteness => "remoteness",
            };
            [word(what), expr(value)].into_iter().chain(guard(condition)).collect()
        }
        TheoremSays::Verdict { what, when, guard: condition } => {
            let what = match what {
                Verdict::Wins => "wins",
                Verdict::Loses => "loses",
                Verdict::Draws => "draws",
            };
            [word(what), expr(when)].into_iter().chain(guard(condition)).collect()
        }
    };
    list("theorem", parts.into_iter().chain(with(&line.with)))
}

fn claim(line: &Claim) -> Node {
    let head = if line.negated { "claim-false" } else { "claim" };
    let parts = [quoted(&line.title), for_list(&line.clauses), expr(&line.condition)];
    list(head, parts.into_iter().chain(with(&line.with)))
}

fn expect(line: &Expect) -> Node {
    let fact = |fact: &Fact| match fact {
        Fact::Outcome(outcome, _) => word(outcome_word(*outcome)),
        Fact::Measure(what, value, _) => {
            let what = match what {
                FactMeasure::Grundy => "grundy",
                FactMeasure::Score => "score",
                FactMeasure::Remoteness => "remoteness",
                FactMeasure::Winning => "winning",
            };
            list(what, [expr(value)])
        }
    };
    list("expect", std::iter::once(expr(&line.position)).chain(line.facts.iter().map(fact)))
}

fn for_list(clauses: &[Clause]) -> Node {
    list("for", clauses.iter().map(clause))
}

fn clause(clause: &Clause) -> Node {
    match clause {
        Clause::In { patterns, source, .. } => list("in", patterns.iter().map(pattern).chain([expr(source)])),
        Clause::Let(line) => naming(line),
        Clause::Where(condition) => list("where", [expr(condition)]),
    }
}

fn pattern(pattern: &Pattern) -> Node {
    match pattern {
        Pattern::Name(name) => named(name),
        Pattern::Tuple(parts, _) => list("tuple", parts.iter().map(self::pattern)),
    }
}

fn expr(expr: &Expr) -> Node {
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
            let chain = |chain: &crate::syntax::tree::Chain| {
                let rest = chain.rest.iter().flat_map(|(arrow, to)| {
                    [word(if *arrow { "->" } else { "-" }), label(to)]
                });
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
        ExprKind::If { condition, yes, no } => {
            list("if", [self::expr(condition), self::expr(yes), self::expr(no)])
        }
        ExprKind::Misere(of) => list("misere", [self::expr(of)]),
    }
}

fn items(items: &Items) -> Vec<Node> {
    match items {
        Items::Plain(items) => items.iter().map(expr).collect(),
        Items::Comprehension { value, clauses } => vec![expr(value), for_list(clauses)],
    }
}

fn args(args: &Args) -> Vec<Node> {
    match args {
        Args::Plain(args) => args.iter().map(arg).collect(),
        Args::Comprehension { value, clauses } => vec![expr(value), for_list(clauses)],
    }
}

fn arg(arg: &Arg) -> Node {
    match &arg.name {
        Some(name) => list("=", [named(name), expr(&arg.value)]),
        None => expr(&arg.value),
    }
}

fn change(change: &Change) -> Node {
    let op = match change.op {
        SetOp::Put => ":=",
        SetOp::Add => "+=",
        SetOp::Remove => "-=",
    };
    list(op, [expr(&change.index), expr(&change.value)])
}

fn label(label: &Label) -> Node {
    match label {
        Label::Int(n, _) => word(n.to_string()),
        Label::Text(text, _) => quoted(text),
    }
}

fn graph_word(word: GraphWord) -> &'static str {
    match word {
        GraphWord::Graph => "graph",
        GraphWord::Digraph => "digraph",
        GraphWord::Multigraph => "multigraph",
    }
}

fn drawing_word(word: DrawingWord) -> &'static str {
    match word {
        DrawingWord::Graph(word) => graph_word(word),
        DrawingWord::Grid => "grid",
    }
}

fn binary_word(op: BinaryOp) -> &'static str {
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

fn compare_word(op: CompareOp) -> &'static str {
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
