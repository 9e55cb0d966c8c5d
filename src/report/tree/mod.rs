//! The tree of a file as nested lists: `(move take (in k (.. 1 n)) (-> (Nim (- n k))))`.

mod expr;
mod node;

use crate::engines::outcome_word;
use crate::report::tree::expr::{clause, expr, for_list, naming, pattern};
use crate::report::tree::node::{Node, list, named, print, quoted, word};
use crate::syntax::tree::{
    Claim, Decl, Def, EndVerdict, Expect, Expr, Fact, FactMeasure, File, Game, Item, Kind, KindShape, Let, Measure,
    Move, Naming, Param, Rule, Target, Theorem, TheoremSays, Verdict, Which,
};

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
    let parts =
        [named(&game.name), list("params", game.params.iter().map(decl)), list("fields", game.fields.iter().map(decl))];
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
        Target::If { condition, yes, no, .. } => list("if", [expr(condition), self::target(yes), self::target(no)]),
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
        TheoremSays::Moves { which, name, clauses } => {
            let which = match which {
                Which::Winning => word("winning"),
                Which::Drawing => word("drawing"),
                Which::To(value) => list("to", [named(value)]),
            };
            vec![which, named(name), for_list(clauses)]
        }
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
