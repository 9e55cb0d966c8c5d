//! Diagnostics as text: file, line, column, the source line, a caret, a note, a hint.

use crate::source::diagnostic::Diagnostic;
use crate::source::text::{Sources, Span};
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Level, Origin, Renderer, Snippet};
use std::ops::Range;

/// Longer source lines are cut to a window of about this many bytes round the place.
const MAX_LINE: usize = 200;

/// All diagnostics one after another, each ended by a newline, with an empty line between two. Coloured for terminals if
/// asked. The time taken is linear in the source before each place, however long its lines are.
pub fn render(diagnostics: &[Diagnostic], sources: &Sources, color: bool) -> String {
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.decor_style(DecorStyle::Ascii).term_width(MAX_LINE + 60);
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

/// The source line a place begins on.
struct Window {
    text: String,
    line: usize,
    /// The column of the place in characters from 1 if the line has been cut, else 0.
    column: usize,
    /// The place inside `text`, in bytes.
    place: Range<usize>,
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

#[cfg(test)]
mod tests {
    use crate::source::diagnostic::render::render;
    use crate::source::diagnostic::{Code, Diagnostic};
    use crate::source::text::{SourceId, Sources, Span};

    fn one(text: &str, start: u32, end: u32) -> String {
        let mut sources = Sources::default();
        let source: SourceId = sources.add("f.game", text);
        let error =
            Diagnostic::new(Code::E01, Span { source, start, end }, "`x` is unknown").label("here").hint("try `y`");
        render(&[error], &sources, false)
    }

    #[test]
    fn without_a_place() {
        let errors = [
            Diagnostic::bare(Code::D01, "no value for `n`").hint("give `n=3`"),
            Diagnostic::bare(Code::L03, "too slow"),
        ];
        let told = render(&errors, &Sources::default(), false);
        assert_eq!(told, "error[D01]: no value for `n`\n |\n = help: give `n=3`\n\nerror[L03]: too slow\n");
    }

    #[test]
    fn far_down_and_far_right() {
        let text = "# comment\n".repeat(1_000_000) + &"a ".repeat(500_000) + "x" + &" b".repeat(500_000);
        let start = u32::try_from(text.find('x').unwrap()).unwrap();
        let told = one(&text, start, start + 1);
        assert!(told.contains("f.game:1000001:1000001"), "{told}");
        assert!(told.contains("a x b") && told.contains("^ here"), "{told}");
        assert!(told.len() < 2_000, "{told}");
    }

    #[test]
    fn tabs_wide_characters_and_ends() {
        assert!(one("\tlet é = x", 10, 11).contains("          ^ here"), "{}", one("\tlet é = x", 10, 11));
        for (start, end) in [(0, 0), (0, 4), (3, 3), (3, 4), (4, 4), (9, 99)] {
            assert!(one("é\nab", start, end).contains("try `y`"));
        }
        assert!(one("", 0, 0).contains("f.game:1:1"));
    }
}
