//! The words that a judge gives and wants: `format` lines say how they are inputs, `print` lines what is answered.
//!
//! In: a text, or values of inputs. Out: values of inputs, or a text. Files and programs are not known here.

mod choices;
mod read;
mod sample;
mod write;

pub use crate::contest::choices::{Choices, lower};
pub use crate::contest::read::Misfit;
use crate::contest::read::Words;
pub use crate::contest::sample::sample;
pub use crate::contest::write::plain;
use crate::model::walk::{bound_slots, each_term};
use crate::model::{
    Body, Format, Global, GlobalId, GlobalSource, Kind, Program, Question, Term, TermKind, Turns, Type,
};
use crate::source::{Code, Diagnostic};
use crate::value::{Fault, ITEM_LIMIT, Value};
use crate::vm::context::Context;

/// Values by input; `None` where nothing was given.
pub type Given = Vec<Option<Value>>;

/// Why a case cannot be read.
#[derive(Debug)]
pub enum Bad {
    /// Something else stands there.
    Misfit {
        /// What, and where.
        misfit: Misfit,
        /// The input that was to be read; `None`: how many cases there are.
        input: Option<usize>,
    },
    /// A length or the end of the cases has no value.
    Error(Box<Diagnostic>),
}

/// The cases that a text holds, one after another.
pub struct Cases<'t> {
    words: Words<'t>,
    format: &'t Format,
    /// What is given besides.
    base: Given,
    /// How many are still to come, if a number stands in front.
    left: Option<usize>,
    number: i64,
}

impl<'t> Cases<'t> {
    /// Reads the number of cases if there is one. `base`: what inputs have that the format does not name.
    pub fn new(text: &'t [u8], format: &'t Format, base: Given) -> Result<Cases<'t>, Bad> {
        let mut words = Words { text, at: 0, begun: false };
        let left = match format.turns {
            Turns::Once => Some(1),
            Turns::Counted(_) => Some(words.count().map_err(|misfit| Bad::Misfit { misfit, input: None })?),
            Turns::ToEnd | Turns::Until(_) => None,
        };
        Ok(Cases { words, format, base, left, number: 0 })
    }

    /// The number of the case that was read last, from 1.
    pub fn number(&self) -> i64 {
        self.number
    }

    /// The next case, which `ctx` is given too; `None` behind the last one. Errors: something else stands there.
    pub fn next(&mut self, ctx: &mut Context) -> Result<Option<Given>, Bad> {
        match &mut self.left {
            Some(0) => return Ok(None),
            Some(left) => *left -= 1,
            None if self.words.is_at_end() => return Ok(None),
            None => {}
        }
        self.number += 1;
        let begin = self.words.at;
        let format = self.format;
        let mut given = self.base.clone();
        if let Turns::Counted(Some(input)) = format.turns {
            given[input] = Some(Value::Int(self.number));
        }
        let program = ctx.session.program.clone();
        let decided = match &format.turns {
            Turns::Until(body) => last_part(&program, format, &body.term),
            _ => usize::MAX,
        };
        for (at, part) in format.parts.iter().enumerate() {
            let lengths = match &part.lengths {
                None => None,
                Some(bodies) => Some(
                    bodies
                        .iter()
                        .map(|body| length(ctx, &given, body))
                        .collect::<Result<Vec<_>, _>>()
                        .map_err(Bad::Error)?,
                ),
            };
            let value = self.words.value(&program.inputs[part.input].kind, part.line, lengths.as_deref());
            given[part.input] = Some(value.map_err(|misfit| Bad::Misfit { misfit, input: Some(part.input) })?);
            if at == decided
                && let Turns::Until(body) = &format.turns
            {
                ctx.give(given.clone());
                let ends = ctx.with_recovery(|ctx| ctx.eval(&body.frame, &body.term)).map_err(Bad::Error)?;
                if matches!(ends, Value::Bool(true)) {
                    return Ok(None);
                }
            }
        }
        if self.left.is_none() && self.words.at == begin {
            // The next one would be the same, and so on without end.
            let misfit = Misfit { start: begin, end: begin, wanted: "a case with words".into() };
            return Err(Bad::Misfit { misfit, input: None });
        }
        ctx.give(given.clone());
        // What does not fit its type is told with its case, read or not.
        for part in &format.parts {
            if let Some(id) = input_global(&program, part.input) {
                ctx.with_recovery(|ctx| ctx.global(id)).map_err(Bad::Error)?;
            }
        }
        Ok(Some(given))
    }

    /// What stands behind the last case that should not.
    pub fn rest(&mut self) -> Option<Misfit> {
        let start = self.words.next();
        let word = self.words.text[start..].iter().take_while(|byte| !byte.is_ascii_whitespace()).count();
        let more = word > 0 && !matches!(self.format.turns, Turns::Until(_));
        more.then(|| Misfit { start, end: start + word, wanted: "the end".into() })
    }
}

/// The name at top level of an input.
fn input_global(program: &Program, input: usize) -> Option<GlobalId> {
    let is = |global: &Global| matches!(global.source, GlobalSource::Input(of) if of == input);
    program.globals.iter().position(is).map(GlobalId)
}

/// The part behind which a condition about inputs can be decided.
fn last_part(program: &Program, format: &Format, condition: &Term) -> usize {
    let mut todo = vec![condition];
    let mut last = 0;
    let mut seen = std::collections::HashSet::new();
    while let Some(term) = todo.pop() {
        each_term(term, &mut |term| {
            let TermKind::Global(id) = term.kind else { return };
            if !seen.insert(id) {
                return;
            }
            match &program.globals[id.0].source {
                GlobalSource::Input(input) => {
                    last = last.max(format.parts.iter().position(|part| part.input == *input).unwrap_or(0));
                }
                GlobalSource::Let(body) => todo.extend(body.frame.lazies().chain([&body.term])),
            }
        });
    }
    last
}

/// The value of a length. Errors: those of its term, R01 below 0 and beyond what any collection holds.
fn length(ctx: &mut Context, given: &Given, body: &Body) -> Result<usize, Box<Diagnostic>> {
    let input = match body.term.kind {
        TermKind::Global(id) => match ctx.session.program.globals[id.0].source {
            // Most lengths are inputs: nothing is to be worked out.
            GlobalSource::Input(index) => given[index].clone(),
            GlobalSource::Let(_) => None,
        },
        _ => None,
    };
    let value = if let Some(value) = input {
        value
    } else {
        ctx.give(given.clone());
        ctx.with_recovery(|ctx| ctx.eval(&body.frame, &body.term))?
    };
    let wrong = || Box::new(Diagnostic::new(Code::R01, body.term.span, format!("{value} is no length")));
    let Value::Int(length) = value else { return Err(wrong()) };
    usize::try_from(length).ok().filter(|length| *length <= ITEM_LIMIT).ok_or_else(wrong)
}

/// Tells of a position in one line.
pub type Line<'l> = dyn FnMut(&mut Context, &Value) -> Result<String, Box<Diagnostic>> + 'l;

/// The lines that the `print` lines answer, each with its end; `position` tells of a position in one line.
pub fn printed(ctx: &mut Context, position: &mut Line<'_>) -> Result<String, Box<Diagnostic>> {
    let program = ctx.session.program.clone();
    let mut text = String::new();
    for question in &program.questions {
        let Question::Print { frame, values, clauses, .. } = question else { continue };
        let slots = bound_slots(clauses);
        let ways = if clauses.is_empty() {
            vec![Vec::new()]
        } else {
            ctx.with_recovery(|ctx| ctx.ways(frame, clauses, &slots))?
        };
        for way in ways {
            for (at, term) in values.iter().enumerate() {
                text.push_str(if at > 0 { " " } else { "" });
                let value = ctx.with_recovery(|ctx| ctx.eval_with(frame, &slots, &way, term))?;
                // An empty sum is the number 0 until its type is asked.
                text.push_str(&if term.ty == Type::Position { position(ctx, &value)? } else { plain(&value) });
            }
            text.push('\n');
        }
    }
    Ok(text)
}

/// The only case of a text, of these inputs, as a program reads it: with the number of cases in front, or what ends them behind.
/// Error: D02 where words cannot say a value, or say another one.
pub fn written(ctx: &mut Context, format: &Format, given: &Given) -> Result<String, Box<Diagnostic>> {
    let mut text = if let Turns::Counted(_) = format.turns { "1\n".to_string() } else { String::new() };
    write_parts(ctx, format, given, format.parts.len(), &mut text)?;
    text.push_str(&ending(ctx, format)?);
    Ok(text)
}

/// What ends the cases: words of which the condition holds, zeros and empty collections. Nothing where these do not end them: then the
/// end of the text does.
fn ending(ctx: &mut Context, format: &Format) -> Result<String, Box<Diagnostic>> {
    let Turns::Until(body) = &format.turns else { return Ok(String::new()) };
    let program = ctx.session.program.clone();
    let parts = 1 + last_part(&program, format, &body.term);
    let mut given = vec![None; program.inputs.len()];
    for part in &format.parts[..parts.min(format.parts.len())] {
        given[part.input] = match program.inputs[part.input].kind {
            Kind::Int | Kind::Nat | Kind::Vertex(_) => Some(Value::Int(0)),
            Kind::List(..) => Some(Value::list(Vec::new())),
            Kind::Set(_) => Some(Value::set(Vec::new())),
            Kind::Bag(_) => Some(Value::bag(Vec::new())),
            Kind::Text => Some(Value::text("#")),
            _ => return Ok(String::new()),
        };
    }
    for number in [0, -1] {
        for value in given.iter_mut().flatten() {
            if let Value::Int(n) = value {
                *n = number;
            }
        }
        ctx.give(given.clone());
        let ends = ctx.with_recovery(|ctx| ctx.eval(&body.frame, &body.term));
        if matches!(ends, Ok(Value::Bool(true))) {
            let mut text = String::new();
            write_parts(ctx, format, &given, parts, &mut text)?;
            return Ok(text);
        }
    }
    Ok(String::new())
}

/// Adds the first so many inputs of the format.
fn write_parts(
    ctx: &mut Context,
    format: &Format,
    given: &Given,
    parts: usize,
    text: &mut String,
) -> Result<(), Box<Diagnostic>> {
    let program = ctx.session.program.clone();
    ctx.give(given.clone());
    for part in format.parts.iter().take(parts) {
        let input = &program.inputs[part.input];
        let Some(id) = input_global(&program, part.input) else { continue };
        let value = ctx.with_recovery(|ctx| ctx.global(id))?;
        let lengths = part.lengths.as_ref().map(Vec::len);
        if write::input(text, &value, &input.kind, part.line, lengths).is_none() {
            let message = format!("words cannot say {} = {}", input.name, value.inner_text());
            return Err(Box::new(Diagnostic::new(Code::D02, part.span, message)));
        }
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(())
}

/// The error of a case that cannot be read, without its place: what is expected for which input.
pub fn told(bad: &Misfit, input: Option<&str>, text: &[u8]) -> Fault {
    let found = String::from_utf8_lossy(&text[bad.start..bad.end.min(bad.start + 40)]);
    let found = if found.is_empty() { "the end".to_string() } else { format!("`{found}`") };
    let wanted = &bad.wanted;
    let message = match input {
        Some(input) => format!("{wanted} is expected for `{input}`, not {found}"),
        None => format!("{wanted} is expected, not {found}"),
    };
    Fault::new(Code::D02, message)
}
