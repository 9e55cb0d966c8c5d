//! Values for the inputs of a file: from `name=value` arguments and from JSON objects.

use crate::input::json;
use crate::model::{Input, Program};
use crate::source::diagnostic::{Code, Diagnostic};
use crate::typing::names::nearest;
use crate::value::Value;
use crate::value::fault::Fault;

/// A `name=value` argument.
#[derive(Clone, Debug)]
pub(crate) struct Binding {
    /// The name as written.
    pub(crate) name: String,
    /// What stands behind the `=`.
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

/// Whether an argument looks like `name=value` (and not like an expression with `==` in it).
pub(crate) fn is_binding(text: &str) -> bool {
    text.split_once('=').is_some_and(|(name, value)| is_name(name) && !value.starts_with('='))
}

fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || c == '_') && chars.all(|c| c.is_alphanumeric() || c == '_')
}

/// Values by input; `None` where nothing was given.
pub(crate) type Given = Vec<Option<Value>>;

/// Binds `name=value` arguments.
///
/// # Errors
/// D05 for a name that fits no input, D02 and others for values that do not fit.
pub(crate) fn from_arguments(program: &Program, bindings: &[Binding]) -> Result<Given, Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let mut inputs = Inputs::new(program);
    for Binding { name, value } in bindings {
        let bound = inputs.bind(name, |input| json::from_text(value, &input.kind, &input.name));
        errors.extend(bound.err());
    }
    if errors.is_empty() { Ok(inputs.given) } else { Err(errors) }
}

/// Binds the object that a text begins with on top of what the command line gave; and how many bytes it takes.
///
/// # Errors
/// The first of those of [`from_arguments`]; `None`: this is no JSON.
pub(crate) fn from_case(program: &Program, base: &Given, text: &[u8]) -> Result<(Given, usize), Option<Diagnostic>> {
    let mut inputs = Inputs::new(program);
    let length = json::object(text, |key, scan| inputs.bind(key, |input| scan.read(&input.kind, &input.name)))?;
    let given = inputs.given.into_iter().zip(base).map(|(given, base)| given.or_else(|| base.clone()));
    Ok((given.collect(), length))
}

/// Inputs that are being bound.
struct Inputs<'p> {
    program: &'p Program,
    given: Given,
    /// The key that bound each.
    keys: Vec<Option<String>>,
}

impl<'p> Inputs<'p> {
    fn new(program: &'p Program) -> Self {
        let count = program.inputs.len();
        Inputs { program, given: vec![None; count], keys: vec![None; count] }
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
        let value = read(input)
            .map_err(|fault| Diagnostic::new(fault.code, input.span, fault.message).label("declared here"))?;
        self.given[index] = Some(value);
        self.keys[index] = Some(key.to_string());
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
            Err(match nearest(key, names.clone()) {
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
