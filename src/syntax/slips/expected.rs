//! The last resort: what could have stood there, in the words of the language.

use crate::source::diagnostic::{Code, Diagnostic};
use crate::syntax::parse::Rule;
use crate::syntax::slips::Context;

pub(super) fn explain(context: &Context) -> Diagnostic {
    let mut words: Vec<String> = Vec::new();
    for expected in &context.failure.expected {
        // Where an operator fits, brackets fit too; that need not be told.
        let after_operand = matches!(expected, Rule::call | Rule::index) && context.expects_operator();
        let word = word(*expected).filter(|_| !after_operand);
        words.extend(word.filter(|word| !words.iter().any(|known| known == word)).map(str::to_owned));
    }
    let error = context.error(Code::S01, format!("expected {}, found {}", list(&words), context.found()));
    if context.failure.expected.contains(&Rule::fact) {
        return error
            .hint("write `expect P: first grundy 2`, with `first`, `second`, `draw`, `grundy N`, `score N`, ...");
    }
    let first = context.tokens.first().map_or("", |token| token.text(context.failure.text));
    match first {
        "claim" if context.index == 1 => error.hint("a claim has a title: `claim \"title\" for n in nat: C`"),
        "use" if context.index == 1 => error.hint("write `use \"nim\"`"),
        "table" if context.expects(Rule::k_for) => error.hint("a table has clauses: `table E for n in 0..100`"),
        _ if context.expects(Rule::arrow) => error.hint("`->` and the target follow the clauses of a move"),
        _ => error,
    }
}

/// `a`, `a or b`, `a, b or c`
fn list(words: &[String]) -> String {
    match words {
        [] => "something else".to_owned(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// How the language calls what a rule of the grammar reads; nothing for what need not be told.
#[allow(clippy::match_same_arms)] // one arm a word, in the order of the grammar
fn word(expected: Rule) -> Option<&'static str> {
    Some(match expected {
        Rule::EOI => "the end of the statement",
        Rule::name | Rule::word | Rule::pattern | Rule::param | Rule::decl => "a name",
        Rule::game_name => "the name of a game",
        Rule::move_name => "the name of a move",
        Rule::number => "a number",
        Rule::text => "a text in `\"`",
        Rule::expr
        | Rule::term
        | Rule::neg
        | Rule::value
        | Rule::logic
        | Rule::arith
        | Rule::choice
        | Rule::primary => "an expression",
        Rule::unit | Rule::comparison | Rule::place | Rule::group | Rule::list | Rule::set => "an expression",
        Rule::logic_op | Rule::cmp_op | Rule::arith_op => "an operator",
        Rule::set_op | Rule::update => "`:=`, `+=` or `-=`",
        Rule::kind | Rule::kind_word | Rule::tuple_kind => "a type",
        Rule::clauses | Rule::binder | Rule::naming => "a clause",
        Rule::filter | Rule::k_where => "`where`",
        Rule::tail | Rule::k_for => "`for`",
        Rule::with | Rule::k_with => "`with`",
        Rule::target | Rule::go | Rule::stop | Rule::target_if => "the target of the move",
        Rule::fact | Rule::result | Rule::measure => "a fact",
        Rule::label => "a vertex",
        Rule::chain => "an edge",
        Rule::edge => "an edge, `-` or `->`",
        Rule::comma => "`,`",
        Rule::colon => "`:`",
        Rule::lp | Rule::fields | Rule::arg | Rule::call => "`(`",
        Rule::rp => "`)`",
        Rule::lb | Rule::index | Rule::rule_params | Rule::rule_args => "`[`",
        Rule::rb => "`]`",
        Rule::lc => "`{`",
        Rule::rc => "`}`",
        Rule::statement => "a statement",
        Rule::arrow => "`->`",
        Rule::eq => "`=`",
        Rule::range => "`..`",
        Rule::k_use => "`use`",
        Rule::k_input => "`input`",
        Rule::k_let => "`let`",
        Rule::k_def => "`def`",
        Rule::k_game => "`game`",
        Rule::k_solve => "`solve`",
        Rule::k_table => "`table`",
        Rule::k_claim => "`claim`",
        Rule::k_expect => "`expect`",
        Rule::k_move => "`move`",
        Rule::k_theorem => "`theorem`",
        Rule::k_in => "`in`",
        Rule::k_if => "`if`",
        Rule::k_then => "`then`",
        Rule::k_else => "`else`",
        Rule::k_iff => "`iff`",
        Rule::k_false => "`false`",
        Rule::k_misere => "`misere`",
        Rule::w_end => "`end when`",
        Rule::w_legal => "`legal when`",
        Rule::w_same => "`same as`",
        Rule::w_when => "`when`",
        Rule::w_as => "`as`",
        Rule::w_of => "`of`",
        Rule::w_from => "`from`",
        Rule::w_score => "`score`",
        Rule::w_gain => "`gain`",
        Rule::theorem_value | Rule::theorem_verdict | Rule::theorem_moves | Rule::theorem_which | Rule::theorem_to => {
            "what the theorem is about (`grundy`, `outcome`, `wins`, `loses`, `winning`, ...)"
        }
        _ => return None,
    })
}
