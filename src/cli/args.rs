//! Arguments that several commands share, how their values are written, and values for the inputs of a file: from `name=value`
//! arguments and from JSON objects.

use crate::contest::Given;
use crate::engines::Choice;
use crate::input::json;
use crate::model::{Input, Program};
use crate::source::{Code, Diagnostic};
use crate::value::Fault;
use crate::value::Value;
use crate::value::limits::Limits;
use clap::Args;
use serde::de::IgnoredAny;
use std::time::Duration;

/// What a run may use and how it shows that it is alive.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct LimitArgs {
    /// Stop after this time: `10s`, `500ms`, `2m`, `1h`, or seconds (with --cases: for each case)
    #[arg(long, value_name = "TIME", value_parser = time, help_heading = "Limits")]
    pub(crate) time: Option<Duration>,
    /// Stop when the tables need more memory: `2G`, `500M` [default: three quarters of what is free]
    #[arg(long, value_name = "SIZE", value_parser = memory, help_heading = "Limits")]
    pub(crate) memory: Option<usize>,
    /// Stop after searching so many positions: `1000000`, `1_000_000`, `1e6`
    #[arg(long, value_name = "N", value_parser = count, help_heading = "Limits")]
    pub(crate) max_positions: Option<u64>,
    /// Use up to this many threads for a table of a million positions or more, two for a long sequence of heaps [default: one for each processor, at most 8]
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub(crate) threads: Option<std::num::NonZeroUsize>,
    /// Let the game file read files below this folder too, not only below its own
    #[arg(long, value_name = "DIR", help_heading = "Limits")]
    pub(crate) allow_path: Vec<std::path::PathBuf>,
    /// Show progress on stderr even when it is no terminal
    #[arg(long, conflicts_with = "quiet")]
    pub(crate) progress: bool,
    /// Show no progress and no notes
    #[arg(long)]
    pub(crate) quiet: bool,
}

impl LimitArgs {
    pub(crate) fn limits(&self, interrupted: std::sync::Arc<std::sync::atomic::AtomicBool>) -> Limits {
        let mut limits =
            Limits { positions: self.max_positions, threads: self.threads, interrupted, ..Limits::default() };
        if let Some(memory) = self.memory {
            limits.memory = memory;
        }
        limits
    }
}

/// How to solve.
#[derive(Args, Clone, Debug)]
pub(crate) struct ChoiceArgs {
    /// Ignore theorems: search
    #[arg(long)]
    pub(crate) exhaustive: bool,
    /// Only who wins and which moves win: a search leaves each position at the first winning move
    #[arg(long)]
    pub(crate) outcome: bool,
    /// List at most this many winning (or drawing) moves; 0 lists none
    #[arg(long, value_name = "N", default_value = "60", value_parser = moves)]
    pub(crate) moves: usize,
}

impl ChoiceArgs {
    pub(crate) fn choice(&self) -> Choice {
        Choice { exhaustive: self.exhaustive, moves: self.moves, remoteness: !self.outcome, outcome: self.outcome }
    }
}

/// A stretch of time: a number with `ms`, `s`, `m` or `h`; seconds when nothing stands behind it.
pub fn time(text: &str) -> Result<Duration, String> {
    /// A hundred years: no sum of such times overflows.
    const LONGEST: Duration = Duration::from_hours(24 * 365 * 100);
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let factor = match &text[split..] {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err("a time is written `10s`, `500ms`, `2m` or `1h`".into()),
    };
    let number: f64 = text[..split].trim().parse().map_err(|_| "a time is written `10s`, `500ms`, `2m` or `1h`")?;
    let time = Duration::try_from_secs_f64(number * factor).ok().filter(|time| *time <= LONGEST);
    time.ok_or_else(|| "this is no time that can be waited".into())
}

/// Bytes: a number with `K`, `M`, `G` or `T` (powers of 1024), perhaps with `B` or `iB` behind it.
pub fn memory(text: &str) -> Result<usize, String> {
    let wrong = || "a size is written `500M` or `2G`".to_string();
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let unit = text[split..].to_ascii_lowercase();
    let shift = match unit.trim_end_matches('b').trim_end_matches('i') {
        "" => 0,
        "k" => 10,
        "m" => 20,
        "g" => 30,
        "t" => 40,
        _ => return Err(wrong()),
    };
    let number: f64 = text[..split].trim().parse().map_err(|_| wrong())?;
    let bytes = whole((number * f64::powi(2.0, shift)).floor()).ok_or_else(wrong)?;
    usize::try_from(bytes).map_err(|_| wrong())
}

/// A count: `1000`, `1_000`, `1e6`, `2.5e6`.
pub fn count(text: &str) -> Result<u64, String> {
    let wrong = || "a count is written `1000000`, `1_000_000` or `1e6`".to_string();
    let plain: String = text.chars().filter(|c| *c != '_' && *c != ',').collect();
    if let Ok(number) = plain.parse() {
        return Ok(number);
    }
    plain.parse().ok().and_then(whole).ok_or_else(wrong)
}

/// A number without a fraction that fits.
fn whole(number: f64) -> Option<u64> {
    if number.fract() != 0.0 || !(0.0..1.8e19).contains(&number) {
        return None;
    }
    // All digits of such a number, none behind the point.
    format!("{number:.0}").parse().ok()
}

fn moves(text: &str) -> Result<usize, String> {
    count(text).and_then(|n| usize::try_from(n).map_err(|_| "this is too many".into()))
}

/// A `name=value` argument.
#[derive(Clone, Debug)]
pub(crate) struct Binding {
    pub(crate) name: String,
    pub(crate) value: String,
}

/// Takes `name=value` apart; spaces round the name do not count.
pub(crate) fn binding(text: &str) -> Result<Binding, String> {
    match text.split_once('=') {
        Some((name, value)) if is_name(name.trim()) => {
            Ok(Binding { name: name.trim().to_string(), value: value.to_string() })
        }
        _ => Err("an input is given as `name=value`".into()),
    }
}

/// Arguments behind the file, in any order: values for inputs, and expressions.
pub(crate) fn apart<'w>(
    words: impl Iterator<Item = &'w String>,
) -> Result<(Vec<Binding>, Vec<&'w String>), Diagnostic> {
    let (bindings, others): (Vec<&String>, Vec<&String>) = words.partition(|word| is_binding(word));
    let bindings: Result<_, String> = bindings.into_iter().map(|text| binding(text)).collect();
    Ok((bindings.map_err(|message| Diagnostic::bare(Code::D02, message))?, others))
}

/// Whether an argument looks like `name=value` (and not like an expression with `==` in it).
pub(crate) fn is_binding(text: &str) -> bool {
    text.split_once('=').is_some_and(|(name, value)| is_name(name) && !value.starts_with('='))
}

fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || c == '_') && chars.all(|c| c.is_alphanumeric() || c == '_')
}

/// A value for an input that is neither JSON that fits nor plain text: perhaps an expression of the language.
pub(crate) struct Other {
    pub(crate) name: String,
    pub(crate) text: String,
    /// What is wrong with it as JSON.
    pub(crate) error: Diagnostic,
}

/// Binds `name=value` arguments; beside the values those that are to be read as expressions. Errors: D05 for a name that fits no input,
/// D02 for one that is given twice.
pub(crate) fn from_arguments(program: &Program, bindings: &[Binding]) -> Result<(Given, Vec<Other>), Vec<Diagnostic>> {
    let (mut errors, mut others) = (Vec::new(), Vec::new());
    let mut inputs = Inputs::new(program);
    for Binding { name, value } in bindings {
        match inputs.bind(name, |input| json::from_text(value, &input.kind, &input.name)) {
            Ok(()) => {}
            // JSON that does not fit is no expression that does, but for `{}`: a collection without members.
            Err(error)
                if inputs.last.is_some()
                    && (serde_json::from_str::<IgnoredAny>(value).is_err()
                        || value.split_whitespace().collect::<String>() == "{}") =>
            {
                let name = inputs.last.take().unwrap_or_default();
                others.push(Other { name, text: value.clone(), error });
            }
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() { Ok((inputs.given, others)) } else { Err(errors) }
}

/// Binds the object at the beginning of a text on top of the command line's; and its length in bytes. `None`: this is no JSON.
pub(crate) fn from_case(program: &Program, base: &Given, text: &[u8]) -> Result<(Given, usize), Option<Diagnostic>> {
    let mut inputs = Inputs::new(program);
    let length = json::object(text, |key, scan| inputs.bind(key, |input| scan.read(&input.kind, &input.name)))?;
    let given = inputs.given.into_iter().zip(base).map(|(given, base)| given.or_else(|| base.clone()));
    Ok((given.collect(), length))
}

struct Inputs<'p> {
    program: &'p Program,
    given: Given,
    /// The key that bound each.
    keys: Vec<Option<String>>,
    /// The input whose value could not be read.
    last: Option<String>,
}

impl<'p> Inputs<'p> {
    fn new(program: &'p Program) -> Self {
        let count = program.inputs.len();
        Inputs { program, given: vec![None; count], keys: vec![None; count], last: None }
    }

    fn bind(&mut self, key: &str, read: impl FnOnce(&Input) -> Result<Value, Fault>) -> Result<(), Diagnostic> {
        let index = find(&self.program.inputs, key)?;
        let input = &self.program.inputs[index];
        if let Some(earlier) = &self.keys[index] {
            let message = if earlier == key {
                format!("input `{}` is given twice", input.name)
            } else {
                format!("input `{}` is given twice, as `{earlier}` and as `{key}`", input.name)
            };
            return Err(Diagnostic::new(Code::D02, input.span, message));
        }
        self.keys[index] = Some(key.to_string());
        let value = read(input).map_err(|fault| {
            self.last = Some(input.name.clone());
            Diagnostic::new(fault.code, input.span, fault.message).label("declared here")
        })?;
        self.given[index] = Some(value);
        Ok(())
    }
}

/// The input a key means: that of its name, else the only one that differs from it in capitals (rule 15).
fn find(inputs: &[Input], key: &str) -> Result<usize, Diagnostic> {
    if let Some(exact) = inputs.iter().position(|input| input.name == key) {
        return Ok(exact);
    }
    let lower = key.to_lowercase();
    let close: Vec<usize> = (0..inputs.len()).filter(|&i| inputs[i].name.to_lowercase() == lower).collect();
    match close[..] {
        [only] => Ok(only),
        [] => {
            let error = Diagnostic::bare(Code::D05, format!("there is no input `{key}`"));
            let names = inputs.iter().map(|input| input.name.as_str());
            Err(match crate::source::nearest(key, names.clone()) {
                Some(near) => error.hint(format!("did you mean `{near}`?")),
                None if inputs.is_empty() => error.hint("the file has no inputs"),
                None => {
                    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
                    error.hint(format!("the inputs are {}", names.join(", ")))
                }
            })
        }
        _ => {
            let names: Vec<String> = close.iter().map(|&i| format!("`{}`", inputs[i].name)).collect();
            let message = format!("`{key}` may mean {}", names.join(" or "));
            Err(Diagnostic::bare(Code::D05, message).hint("write the name as the file does"))
        }
    }
}
