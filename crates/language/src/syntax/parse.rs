//! The entry points: a text to a tree, or to everything that is wrong with its form.

use crate::source::{Code, Diagnostic, SourceId, Sources, Span};
use crate::syntax::build::Builder;
use crate::syntax::scan::{Piece, Split, span};
use crate::syntax::tree::{Clause, Expr, File};
use grammar::Grammar;
pub(super) use grammar::Rule;
use pest::Parser;
use pest::error::{ErrorVariant, InputLocation};
use pest::iterators::Pair;

/// What pest makes of the grammar.
#[allow(missing_docs, unreachable_pub, clippy::all, clippy::pedantic)]
mod grammar {
    #[derive(pest_derive::Parser)]
    #[grammar = "../grammar/grundy.pest"]
    pub struct Grammar;
}

const MAX_ERRORS: usize = 20;

/// Statements nested deeper than this, or longer than this many words and marks, get a stack of their own.
const SHALLOW: usize = 20;
const SHORT: usize = 1_000;
/// Ample for the deepest nesting and the longest chain allowed: an unoptimised build needs less than 4 MiB.
const STACK: usize = 64 << 20;

/// The text of a file from its bytes, a byte order mark taken off. Error: S02 with line and column (in characters) of
/// the first byte that is not UTF-8.
pub fn decode(bytes: Vec<u8>, name: &str) -> Result<String, Diagnostic> {
    let mut text = String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        let before = String::from_utf8_lossy(&error.as_bytes()[..good]);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        let byte = error.as_bytes().get(good).copied().unwrap_or(0);
        let message = format!("`{name}` is not valid UTF-8: line {line}, column {column} is the byte 0x{byte:02x}");
        Diagnostic::bare(Code::S02, message).hint("save the file as UTF-8")
    })?;
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    Ok(text)
}

/// The tree of a whole file. Linear in its length. Errors: what is wrong with its form, in the order of the text: the
/// first error of each statement, 20 at most and then a last one that says so. Codes S01, E07, E08, E09, E14, E18.
pub fn parse_file(sources: &Sources, id: SourceId) -> Result<File, Vec<Diagnostic>> {
    let text = text_of(sources, id).map_err(|error| vec![error])?;
    let mut file = File::default();
    let mut errors = Vec::new();
    for piece in Split::statements(text, id) {
        match statement(text, id, Rule::statement, piece, Builder::lettered) {
            // A file with an error is not used: no need to keep the rest of its tree.
            Ok((item, letters)) if errors.is_empty() => {
                file.items.push(item);
                file.letters.extend(letters);
            }
            Ok(_) => {}
            Err(error) if errors.len() < MAX_ERRORS => errors.push(error),
            Err(error) => {
                let more = Diagnostic { label: String::new(), hint: None, ..error };
                errors.push(Diagnostic {
                    code: Code::S01,
                    message: "and more: only the first 20 errors are shown".into(),
                    ..more
                });
                break;
            }
        }
    }
    if errors.is_empty() { Ok(file) } else { Err(errors) }
}

/// A position, or any other expression, that fills a text: `Nim(3) + Nim(5)`. Errors: as for [`parse_file`].
pub fn parse_position(sources: &Sources, id: SourceId) -> Result<Expr, Vec<Diagnostic>> {
    whole(sources, id, Rule::position, Builder::whole_expr)
}

/// An expression with its clauses: `grundy(Nim(n)) for n in 0..100`. Errors: as for [`parse_file`].
pub fn parse_query(sources: &Sources, id: SourceId) -> Result<(Expr, Vec<Clause>), Vec<Diagnostic>> {
    whole(sources, id, Rule::query, Builder::query)
}

fn whole<T: Send>(
    sources: &Sources,
    id: SourceId,
    rule: Rule,
    build: impl FnOnce(&Builder, Pair<Rule>) -> Result<T, Diagnostic> + Send,
) -> Result<T, Vec<Diagnostic>> {
    let one = || {
        let text = text_of(sources, id)?;
        let piece =
            Split::whole(text, id).next().unwrap_or(Piece { start: 0, end: 0, depth: 0, tokens: 0, fault: None });
        statement(text, id, rule, piece, build)
    };
    one().map_err(|error| vec![error])
}

/// The text, if its places fit into spans.
fn text_of(sources: &Sources, id: SourceId) -> Result<&str, Diagnostic> {
    let source = sources.get(id);
    if u32::try_from(source.text.len()).is_ok() {
        return Ok(&source.text);
    }
    Err(Diagnostic::bare(Code::S01, format!("`{}` is longer than 4 GiB", source.name)))
}

/// Parses and builds one piece, on a stack of its own if it is large: both go down by recursion.
fn statement<T: Send>(
    text: &str,
    source: SourceId,
    rule: Rule,
    piece: Piece,
    build: impl FnOnce(&Builder, Pair<Rule>) -> Result<T, Diagnostic> + Send,
) -> Result<T, Diagnostic> {
    if let Some(fault) = piece.fault {
        return Err(fault);
    }
    if piece.depth <= SHALLOW && piece.tokens <= SHORT {
        return read(text, source, rule, &piece, build);
    }
    let (start, end) = (piece.start, piece.end);
    std::thread::scope(|scope| {
        let work = || read(text, source, rule, &piece, build);
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        thread.ok().and_then(|thread| thread.join().ok()).unwrap_or_else(|| Err(too_deep(span(source, start, end))))
    })
}

fn too_deep(place: Span) -> Diagnostic {
    let error = Diagnostic::new(Code::E18, place, "this statement is nested too deep for the stack");
    error.hint("give parts of it names with `let` or `def`")
}

fn read<T>(
    text: &str,
    source: SourceId,
    rule: Rule,
    piece: &Piece,
    build: impl FnOnce(&Builder, Pair<Rule>) -> Result<T, Diagnostic>,
) -> Result<T, Diagnostic> {
    let part = text.get(piece.start..piece.end).unwrap_or("");
    match Grammar::parse(rule, part) {
        Ok(mut pairs) => {
            let builder = Builder::new(source, piece.start);
            match pairs.next() {
                Some(pair) => build(&builder, pair),
                None => Err(Diagnostic::new(Code::S01, span(source, piece.start, piece.end), "nothing stands here")),
            }
        }
        Err(error) => {
            let at = match error.location {
                InputLocation::Pos(at) | InputLocation::Span((at, _)) => piece.start + at,
            };
            let expected = match error.variant {
                ErrorVariant::ParsingError { positives, .. } => positives,
                ErrorVariant::CustomError { .. } => {
                    return Err(too_deep(span(source, piece.start, piece.end)));
                }
            };
            Err(crate::syntax::slips::Failure::new(text, source, (piece.start, piece.end), at, expected).explain())
        }
    }
}
