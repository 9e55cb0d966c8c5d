//! Types in the user's words.

use crate::model::kind::{Kind, Type};
use crate::syntax::tree::GraphWord;

/// The word of a graph.
pub(crate) fn graph_word(word: GraphWord) -> &'static str {
    match word {
        GraphWord::Graph => "graph",
        GraphWord::Digraph => "digraph",
        GraphWord::Multigraph => "multigraph",
    }
}

/// The type as a file would write it, without article and quotes: `list of int`.
pub(crate) fn type_words(ty: &Type) -> String {
    match ty {
        Type::Never => "nothing".into(),
        Type::Int => "int".into(),
        Type::Bool => "bool".into(),
        Type::Text => "text".into(),
        Type::Real => "real".into(),
        Type::Tuple(parts) => format!("({})", parts.iter().map(type_words).collect::<Vec<_>>().join(", ")),
        Type::List(of) => of_words("list", of),
        Type::Set(of) => of_words("set", of),
        Type::Bag(of) => of_words("bag", of),
        Type::Range => "range".into(),
        Type::Graph(word) => graph_word(*word).into(),
        Type::Grid => "grid".into(),
        Type::NatGrid => "grid of nat".into(),
        Type::Vertex => "vertex".into(),
        Type::Edge => "edge".into(),
        Type::Position => "position".into(),
    }
}

fn of_words(word: &str, of: &Type) -> String {
    if *of == Type::Never { format!("empty {word}") } else { format!("{word} of {}", type_words(of)) }
}

/// With article and backquotes: "a `list of int`", "an `int`".
pub(crate) fn a_type(ty: &Type) -> String {
    if *ty == Type::Never { "nothing".into() } else { with_article(&type_words(ty)) }
}

/// A kind as a file would write it: `list of nat`, `vertex`.
pub(crate) fn kind_words(kind: &Kind) -> String {
    match kind {
        Kind::Nat => "nat".into(),
        Kind::Tuple(parts) => format!("({})", parts.iter().map(kind_words).collect::<Vec<_>>().join(", ")),
        Kind::List(of, _) => format!("list of {}", kind_words(of)),
        Kind::Set(of) => format!("set of {}", kind_words(of)),
        Kind::Bag(of) => format!("bag of {}", kind_words(of)),
        other => type_words(&other.ty()),
    }
}

/// The words with article and backquotes.
pub(crate) fn with_article(words: &str) -> String {
    let article = if words.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" };
    format!("{article} `{words}`")
}
