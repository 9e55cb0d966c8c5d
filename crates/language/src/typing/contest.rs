//! What a file says of the words that a judge gives and wants: `format` and `cases` lines.

use crate::model::walk::bound_slots;
use crate::model::{Body, Format, FormatPart, Kind, Question, TermKind, Turns, Type};
use crate::source::{Code, Span};
use crate::syntax::tree::{self, Item, Name};
use crate::typing::checker::{Checker, TermContext};
use std::collections::BTreeSet;

impl<'a> Checker<'a> {
    /// The only `format` line of the file, if there is one.
    pub(crate) fn format(&mut self) -> Option<Format> {
        let file = self.units[0].file;
        let mut lines = file.items.iter().filter_map(|item| match item {
            Item::Format(format) => Some(format),
            _ => None,
        });
        let line = lines.next()?;
        if let Some(second) = lines.next() {
            return self.refuse(Code::E02, second.span, "this file has two `format` lines", "one says it all");
        }
        let mut known = BTreeSet::new();
        let counter = match &line.turns {
            Turns::Counted(Some(name)) => {
                let input = self.format_input(name, &mut known)?;
                if !matches!(self.input_kind_of(input), Some(Kind::Nat | Kind::Int)) {
                    let message = format!("the number of a case is a `nat`, and `{}` is none", name.text);
                    return self.deny(Code::E03, name.span, message, None);
                }
                Some(input)
            }
            _ => None,
        };
        let parts: Vec<_> = line.parts.iter().map(|part| self.format_part(part, &mut known)).collect();
        let parts = parts.into_iter().collect::<Option<Vec<_>>>()?;
        let turns = match &line.turns {
            Turns::Once => Turns::Once,
            Turns::Counted(_) => Turns::Counted(counter),
            Turns::ToEnd => Turns::ToEnd,
            Turns::Until(end) => {
                let body = self.within(TermContext::new(0, None), |this| {
                    let term = this.condition(end, "what ends the cases")?;
                    Some(Body { frame: std::mem::take(&mut this.cx.frame), term })
                })?;
                Turns::Until(body)
            }
        };
        Some(Format { turns, parts, span: line.span })
    }

    fn input_kind_of(&self, input: usize) -> Option<Kind> {
        self.inputs.get(input)?.as_ref().map(|input| input.kind.clone())
    }

    /// The index of an input that stands in the line for the first time.
    fn format_input(&mut self, name: &'a Name, known: &mut BTreeSet<usize>) -> Option<usize> {
        let found = self.inputs.iter().position(|i| i.as_ref().is_some_and(|input| input.name == name.text));
        let Some(index) = found else {
            let message = format!("`{}` is no input of this file", name.text);
            return self.refuse(Code::E01, name.span, message, format!("declare it: `input {}`", name.text));
        };
        if !known.insert(index) {
            return self.deny(Code::E02, name.span, format!("`{}` stands twice in this line", name.text), None);
        }
        Some(index)
    }

    fn format_part(&mut self, part: &'a tree::FormatPart, known: &mut BTreeSet<usize>) -> Option<FormatPart> {
        let lengths = match &part.lengths {
            None => None,
            Some(lengths) => {
                let bodies: Vec<_> = lengths
                    .iter()
                    .map(|length| {
                        self.within(TermContext::new(0, None), |this| {
                            let term = this.expr_as(length, &Type::Int, "a length")?;
                            Some(Body { frame: std::mem::take(&mut this.cx.frame), term })
                        })
                    })
                    .collect();
                Some(bodies.into_iter().collect::<Option<Vec<_>>>()?)
            }
        };
        for body in lengths.iter().flatten() {
            self.known_before(&body.term, known)?;
        }
        let input = self.format_input(&part.name, known)?;
        let kind = self.input_kind_of(input)?;
        let given = lengths.as_ref().map(Vec::len);
        if let Err(why) = fits(&kind, part.line, given) {
            return self.refuse(Code::E03, part.span, format!("`{}` cannot be read so", part.name.text), why);
        }
        Some(FormatPart { input, line: part.line, lengths, span: part.span })
    }

    /// E01 where a length reads an input that comes later, or never.
    fn known_before(&mut self, term: &crate::model::Term, known: &BTreeSet<usize>) -> Option<()> {
        let mut unknown = Vec::new();
        crate::model::walk::each_term(term, &mut |term| {
            if let TermKind::Global(id) = term.kind
                && let crate::model::GlobalSource::Input(input) = self.program.globals[id.0].source
                && !known.contains(&input)
            {
                unknown.push((term.span, self.program.globals[id.0].name.clone()));
            }
        });
        let Some((span, name)) = unknown.into_iter().next() else { return Some(()) };
        self.refuse(Code::E01, span, format!("`{name}` is not read yet"), "what a length needs stands before it")
    }

    /// `cases for CLAUSES`: each name that is an input gets its values from there.
    pub(crate) fn cases(&mut self, clauses: &'a [tree::Clause], span: Span) -> Option<Question> {
        self.cx.claim = true;
        let clauses = self.clauses(clauses)?;
        let frame = std::mem::take(&mut self.cx.frame);
        let mut inputs = Vec::new();
        for slot in bound_slots(&clauses) {
            let name = &frame.slots[slot].name;
            let found = self.inputs.iter().position(|i| i.as_ref().is_some_and(|input| input.name == *name));
            inputs.extend(found.map(|input| (slot, input)));
        }
        if inputs.is_empty() {
            let hint = "each case binds inputs by their names: `cases for n in 1..20`";
            return self.refuse(Code::E01, span, "these cases bind no input of this file", hint);
        }
        Some(Question::Cases { frame, clauses, inputs, span })
    }
}

/// Whether words can be read as a value of this kind, when so many lengths stand in brackets behind its name.
fn fits(kind: &Kind, line: bool, lengths: Option<usize>) -> Result<(), String> {
    let plain = |what: &str| match lengths {
        None => Ok(()),
        Some(_) => Err(format!("{what} has no length")),
    };
    if line {
        return match kind {
            Kind::Text | Kind::Any(Type::Text) => plain("a line"),
            _ => Err("only a `text` is read as a line".into()),
        };
    }
    match kind {
        Kind::Int | Kind::Nat | Kind::Real | Kind::Any(Type::Int | Type::Real) => plain("a number"),
        Kind::Bool | Kind::Any(Type::Bool) => plain("a truth value"),
        Kind::Text | Kind::Any(Type::Text) => plain("a text"),
        Kind::Vertex(_) | Kind::Any(Type::Vertex) => plain("a vertex"),
        Kind::Tuple(parts) => {
            plain("a tuple")?;
            parts.iter().try_for_each(|part| fits(part, false, None))
        }
        Kind::List(of, _) | Kind::Set(of) | Kind::Bag(of) => match lengths {
            None | Some(0 | 1) => fits(of, false, None),
            Some(n) => fits(of, false, Some(n - 1)),
        },
        Kind::Grid => match lengths {
            Some(1) => Ok(()),
            _ => Err("a grid needs the number of its rows: `g[r]`".into()),
        },
        Kind::NatGrid => match lengths {
            Some(2) => Ok(()),
            _ => Err("a grid of numbers needs rows and columns: `g[r, c]`".into()),
        },
        Kind::Graph(..) => match lengths {
            Some(1 | 2) => Ok(()),
            _ => Err("a graph needs its vertices and edges: `g[n, m]`, a tree its vertices: `g[n]`".into()),
        },
        Kind::Any(ty) => fits(&Kind::of(ty), line, lengths),
        Kind::Edge(_) | Kind::Position => Err("words cannot say this".into()),
    }
}
