//! Errors as data: their codes, what each means, the class that decides how a command ends; rendered in one place.

use crate::source::{Sources, Span};
use annotate_snippets::{AnnotationKind, Level, Origin, Renderer, Snippet};
use std::fmt;

/// What is told to the user: a code of `docs/language.md`, a lower-case message, a place, a hint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Which error it is.
    pub code: Code,
    /// One sentence in lower case, names in backquotes.
    pub message: String,
    /// Where; `None` when nothing in a file is to blame.
    pub span: Option<Span>,
    /// What stands under the caret; may be empty.
    pub label: String,
    /// In which state of a game it came up.
    pub note: Option<Box<str>>,
    /// How to mend it.
    pub hint: Option<String>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        Diagnostic { code, message: message.into(), span: Some(span), label: String::new(), note: None, hint: None }
    }

    /// An error without a place.
    pub fn bare(code: Code, message: impl Into<String>) -> Self {
        Diagnostic { code, message: message.into(), span: None, label: String::new(), note: None, hint: None }
    }

    /// The same with words under the caret.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// The same with a note, unless there is one.
    #[must_use]
    pub fn note(mut self, note: impl FnOnce() -> String) -> Self {
        self.note.get_or_insert_with(|| note().into());
        self
    }

    /// The same with a hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The exit code of the command line for this error: 3 for limits, 2 for everything else.
    pub fn exit_code(&self) -> i32 {
        if self.code.is_limit() { 3 } else { 2 }
    }
}

/// What an error is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// The text of a file does not fit the grammar.
    Syntax,
    /// A file that fits the grammar says something that has no meaning.
    Meaning,
    /// The rules of a file ask for something undefined while they run.
    Running,
    /// What a command was given beside the file does not fit.
    Data,
    /// A limit ended the work before an answer.
    Limits,
    /// A defect of this program.
    Internal,
}

/// Makes the enum of codes and its tables from one list of classes, codes and meanings.
macro_rules! codes {
    ($($class:ident { $($code:ident $meaning:literal)* })*) => {
        /// The code of an error, as `error[E03]` shows it. `docs/language.md` lists all of them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
        pub enum Code {
            $($(#[doc = $meaning] $code,)*)*
        }

        impl Code {
            /// All codes in the order of their list.
            pub const ALL: &[Code] = &[$($(Code::$code,)*)*];

            /// The code as it is written.
            pub fn as_str(self) -> &'static str {
                match self {
                    $($(Code::$code => stringify!($code),)*)*
                }
            }

            /// What errors of this code are about.
            pub fn class(self) -> Class {
                match self {
                    $($(Code::$code)|* => Class::$class,)*
                }
            }

            /// What errors of this code mean, in one line.
            pub fn meaning(self) -> &'static str {
                match self {
                    $($(Code::$code => $meaning,)*)*
                }
            }
        }
    };
}

codes! {
    Syntax {
        S01 "what stands here does not fit the grammar"
        S02 "the file is not UTF-8"
    }
    Meaning {
        E01 "an unknown name; the nearest one is proposed"
        E02 "a name given twice, or hiding a local name"
        E03 "a wrong type"
        E04 "not a value, or not a function"
        E05 "arguments that do not fit: too many, missing, or named wrongly"
        E06 "rule parameters are missing"
        E07 "a reserved word, or a capital letter, in a name"
        E08 "`=` where `==` is meant"
        E09 "a move without a name"
        E10 "an input read inside a game, definition or claim"
        E11 "normal and misere play mixed"
        E12 "a game whose rules ask about itself"
        E13 "a definition that calls itself and does not state the type of its result"
        E14 "a chain such as `a < b > c`, `a iff b iff c` or `a..b..c`"
        E15 "a real where an int is needed: use `div`, `floor` or `ceil`"
        E16 "values defined in circles"
        E17 "a used file that is not found, or names of used files that clash"
        E18 "nesting of more than 200 levels"
        E19 "a name used before the clause that binds it"
        E20 "a Grundy value or remoteness where it is not defined; the message says why"
        E21 "a score where it is not defined"
        E22 "a compound where it cannot stand, or of games that it does not admit"
        E23 "`a..b - s` with a set s: put brackets round the range"
    }
    Running {
        R01 "a value outside its domain: a negative `nat`, a false header `where`"
        R02 "an index outside; the least, greatest, first or last of nothing"
        R03 "`div` or `mod` by zero or less, division by zero, a negative exponent"
        R04 "not a vertex or edge of the graph"
        R05 "a definition or `same as` that does not end"
        R06 "a number too big for an index, range or enumeration"
        R07 "a member taken out of a bag that does not hold it"
        R08 "verdicts that contradict each other in one sum at the start"
    }
    Data {
        D01 "an input without a value"
        D02 "JSON of the wrong shape or type; a wrong code or set of `grundy heap`"
        D03 "a file that cannot be read, or a data file that does not fit; the line is named"
        D04 "a repeated member of a set"
        D05 "an input that the file does not have; the nearest is proposed"
        D06 "a command without a question: no `solve` or `table` line"
    }
    Limits {
        L01 "the limit of positions, `--max-positions`"
        L02 "the limit of memory, `--memory`"
        L03 "the limit of time, `--time`, or an interruption"
        L04 "the positions seem to have no end; the field that grows is named"
    }
    Internal {
        X01 "a defect of this program: please report the file"
    }
}

impl Code {
    /// Whether a limit ended the work: such an error says nothing of the file.
    pub fn is_limit(self) -> bool {
        self.class() == Class::Limits
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Compares with a code as a user sees it.
impl PartialEq<&str> for Code {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

/// Longer source lines are cut to a window of about this many bytes round the place.
const MAX_LINE: usize = 200;

/// All diagnostics one after another, each ended by a newline, with an empty line between two. Coloured for terminals if
/// asked. The time taken is linear in the source before each place, however long its lines are.
pub fn render(diagnostics: &[Diagnostic], sources: &Sources, color: bool) -> String {
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.decor_style(annotate_snippets::renderer::DecorStyle::Ascii).term_width(MAX_LINE + 60);
    let all: Vec<String> = diagnostics.iter().map(|diagnostic| one(diagnostic, sources, &renderer)).collect();
    let mut text = all.join("\n\n");
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

fn one(diagnostic: &Diagnostic, sources: &Sources, renderer: &Renderer) -> String {
    let title = Level::ERROR.primary_title(diagnostic.message.as_str()).id(diagnostic.code.as_str());
    let window = diagnostic.span.map(|span| Window::around(&sources.get(span.source).text, span));
    let mut group = match (diagnostic.span, &window) {
        (Some(span), Some(window)) => {
            let mut annotation = AnnotationKind::Primary.span(window.place.clone());
            if !diagnostic.label.is_empty() {
                annotation = annotation.label(diagnostic.label.as_str());
            }
            let path = sources.get(span.source).name.as_str();
            let snippet =
                Snippet::source(window.text.as_str()).line_start(window.line).annotation(annotation).fold(false);
            if window.column == 0 {
                title.element(snippet.path(path))
            } else {
                // The line has been cut, so its place must be given.
                title.element(Origin::path(path).line(window.line).char_column(window.column)).element(snippet)
            }
        }
        _ => annotate_snippets::Group::with_title(title),
    };
    if let Some(note) = &diagnostic.note {
        group = group.element(Level::NOTE.message(&**note));
    }
    if let Some(hint) = &diagnostic.hint {
        group = group.element(Level::HELP.message(hint.as_str()));
    }
    renderer.render(&[group])
}

struct Window {
    text: String,
    line: usize,
    /// The column of the place in characters from 1 if the line has been cut, else 0.
    column: usize,
    /// The place inside `text`, in bytes.
    place: std::ops::Range<usize>,
}

impl Window {
    fn around(text: &str, span: Span) -> Window {
        let start = floor(text, span.start as usize);
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |length| start + length);
        let end = floor(text, span.end as usize).clamp(start, line_end);
        let line = text[..start].matches('\n').count() + 1;
        let (from, to) = if line_end - line_start > MAX_LINE {
            let from = floor(text, start.saturating_sub(MAX_LINE / 2).max(line_start));
            (from, floor(text, (from + MAX_LINE).min(line_end)))
        } else {
            (line_start, line_end)
        };
        let to = to.max(start);
        let end = end.min(to);
        // A tab or control character would shift the caret.
        let clean: String = text[from..to].chars().map(|char| if char.is_control() { ' ' } else { char }).collect();
        let shift =
            |at: usize| text[from..at].chars().map(|char| if char.is_control() { 1 } else { char.len_utf8() }).sum();
        let column = if from > line_start { text[line_start..start].chars().count() + 1 } else { 0 };
        Window { line, column, place: shift(start)..shift(end), text: clean }
    }
}

/// The character boundary at or before a byte.
fn floor(text: &str, at: usize) -> usize {
    text.floor_char_boundary(at)
}
