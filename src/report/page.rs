//! Positions as pages of HTML, for a browser on the same machine: no page needs a script, and none loads anything from elsewhere.

use crate::report::picture::{attribute, escaped};
use std::fmt::Write;

/// How all pages look.
pub const STYLE: &str = include_str!("page.css");

/// Keys, and answers that take longer than a page waits for them.
pub const SCRIPT: &str = include_str!("page.js");

/// What stands round every page.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// The game file.
    pub file: String,
    /// Changes when the file does.
    pub version: String,
    /// What stands in the field for a position.
    pub entered: String,
}

/// Words that lead somewhere.
#[derive(Clone, Debug)]
pub struct Link {
    /// The words.
    pub text: String,
    /// Where they lead.
    pub to: String,
}

/// What a verdict is for the player who moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Tone {
    Wins,
    Loses,
    Draws,
    Unknown,
}

/// A move of a page.
#[derive(Clone, Debug)]
pub struct Choice {
    /// As it is counted, from 1.
    pub number: usize,
    /// What it is called, and the page behind it.
    pub link: Link,
    /// The position behind it.
    pub to: String,
    /// What it is worth.
    pub worth: Option<(Tone, String)>,
    /// No other is better.
    pub best: bool,
}

/// A position as a page.
#[derive(Clone, Debug, Default)]
pub struct View {
    /// The position as text.
    pub title: String,
    /// The moves that led here, each with the page behind it; the last one is this page.
    pub trail: Vec<Link>,
    /// A picture.
    pub svg: String,
    /// Who wins.
    pub verdict: Option<(Tone, String)>,
    /// What is known, by name.
    pub facts: Vec<(String, String)>,
    /// The components of a sum with what is known of each.
    pub parts: Vec<(Link, String)>,
    /// The moves.
    pub moves: Vec<Choice>,
    /// What is to be told of the moves.
    pub moves_note: Option<String>,
    /// More pages about this position.
    pub more: Vec<Link>,
    /// Where the same page comes from when more is known.
    pub wait: Option<String>,
}

/// A text between tags.
fn within(out: &mut String, tag: &str, text: &str) {
    let name = tag.split(' ').next().unwrap_or(tag);
    let _ = write!(out, "<{tag}>{}</{name}>", escaped(text));
}

fn link(out: &mut String, link: &Link, more: &str) {
    let _ = write!(out, "<a href=\"{}\"{more}>{}</a>", attribute(&link.to), escaped(&link.text));
}

impl Tone {
    fn class(self) -> &'static str {
        match self {
            Tone::Wins => "wins",
            Tone::Loses => "loses",
            Tone::Draws => "draws",
            Tone::Unknown => "unknown",
        }
    }
}

impl Frame {
    /// A whole page round what stands in the middle.
    fn page(&self, title: &str, main: &str) -> String {
        format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
             <title>{}</title><link rel=\"icon\" href=\"data:,\"><link rel=\"stylesheet\" href=\"/page.css\">\
             <script src=\"/page.js\" defer></script></head>\n<body data-version=\"{}\">\n\
             <header><a href=\"/\">{}</a><form action=\"/\"><label>Position \
             <input name=\"p\" value=\"{}\" autocomplete=\"off\" spellcheck=\"false\"></label><button>Go</button></form></header>\n\
             {main}\n\
             <footer><p>Keys: a number makes that move, <kbd>b</kbd> the best one, <kbd>u</kbd> takes a move back, <kbd>s</kbd> goes \
             to the start, <kbd>&darr;</kbd> <kbd>&uarr;</kbd> step through the moves, <kbd>/</kbd> asks for a position.</p></footer>\n\
             </body></html>\n",
            escaped(title),
            attribute(&self.version),
            escaped(&self.file),
            attribute(&self.entered),
        )
    }

    /// A page that only says something: an error with its place in the file, or that there is no such page.
    pub fn message(&self, title: &str, text: &str) -> String {
        let mut main = String::from("<main>");
        within(&mut main, "h1", title);
        let lines: Vec<String> = text.lines().map(escaped).collect();
        let _ = write!(main, "<pre>{}</pre>", lines.join("\n"));
        main.push_str("</main>");
        self.page(title, &main)
    }

    /// A page with one large picture.
    pub fn picture(&self, title: &str, back: &Link, svg: &str, notes: &[String]) -> String {
        let mut main = String::from("<main>");
        within(&mut main, "h1", title);
        let _ = write!(main, "<p>");
        link(&mut main, back, " rel=\"prev\"");
        let _ = write!(main, "</p><div class=\"figure\">{svg}</div>");
        for note in notes {
            within(&mut main, "p class=\"note\"", note);
        }
        main.push_str("</main>");
        self.page(title, &main)
    }

    /// The page of a position.
    pub fn position(&self, view: &View) -> String {
        let wait = view.wait.as_ref().map(|to| format!(" data-wait=\"{}\"", attribute(to))).unwrap_or_default();
        let mut main = format!("<main{wait}>\n");
        if view.trail.len() > 1 {
            main.push_str("<nav aria-label=\"Moves so far\"><ol class=\"trail\">");
            let last = view.trail.len() - 1;
            for (at, step) in view.trail.iter().enumerate() {
                main.push_str("<li>");
                if at == last {
                    within(&mut main, "span aria-current=\"page\"", &step.text);
                } else {
                    link(&mut main, step, if at + 1 == last { " rel=\"prev\"" } else { "" });
                }
                main.push_str("</li>");
            }
            main.push_str("</ol></nav>\n");
        }
        within(&mut main, "h1", &view.title);
        if !view.svg.is_empty() {
            let _ = writeln!(main, "<div class=\"figure\">{}</div>", view.svg);
        }
        if let Some((tone, text)) = &view.verdict {
            within(&mut main, &format!("p class=\"verdict {}\" role=\"status\"", tone.class()), text);
        }
        if let Some(to) = &view.wait {
            let _ = write!(main, "<noscript><p><a href=\"{}\">Wait for it</a></p></noscript>", attribute(to));
        }
        if !view.facts.is_empty() {
            main.push_str("<dl>");
            for (name, text) in &view.facts {
                within(&mut main, "dt", name);
                within(&mut main, "dd", text);
            }
            main.push_str("</dl>\n");
        }
        if !view.parts.is_empty() {
            main.push_str("<h2>Components</h2>\n<table>");
            for (part, told) in &view.parts {
                main.push_str("<tr><td>");
                link(&mut main, part, "");
                main.push_str("</td>");
                within(&mut main, "td", told);
                main.push_str("</tr>");
            }
            main.push_str("</table>\n");
        }
        moves(&mut main, view);
        if !view.more.is_empty() {
            main.push_str("<nav class=\"more\" aria-label=\"More of this position\">");
            view.more.iter().for_each(|more| link(&mut main, more, ""));
            main.push_str("</nav>");
        }
        main.push_str("</main>");
        self.page(&view.title, &main)
    }
}

fn moves(main: &mut String, view: &View) {
    if !view.moves.is_empty() {
        main.push_str("<h2>Moves</h2>\n<ol class=\"moves\">\n");
        for choice in &view.moves {
            let class = if choice.best { " class=\"best\"" } else { "" };
            let _ = write!(main, "<li{class}>");
            within(main, "span class=\"number\"", &choice.number.to_string());
            link(main, &choice.link, &format!(" data-number=\"{}\"", choice.number));
            within(main, "span class=\"to\"", &choice.to);
            match &choice.worth {
                Some((tone, text)) => within(main, &format!("span class=\"worth {}\"", tone.class()), text),
                None => main.push_str("<span class=\"worth\"></span>"),
            }
            main.push_str("</li>\n");
        }
        main.push_str("</ol>\n");
        if view.moves.iter().any(|choice| choice.best) {
            main.push_str("<p class=\"note\">The grey line is a best move.</p>");
        }
    }
    if let Some(note) = &view.moves_note {
        within(main, "p class=\"note\"", note);
    }
}
