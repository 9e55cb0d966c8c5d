//! Closed forms that would help: positions of which nothing is proved, as questions in the words of the language.
//!
//! In: the components that a proof met and knew nothing of. Out: `grundy(G(x, 0))` for the x of all natural numbers for which it is a
//! position, for [`guess`](crate::guess), whose answers become claims beside those of the file.

use crate::claims::File;
use crate::logic::facts::{Fact, Says, instance_text};
use crate::logic::scope::Scope;
use crate::logic::symbol::{Part, Sym, Wanted};
use crate::model::Program;
use crate::prover::induction::{Known, PositionContext};
use crate::value::Value;
use grundy_automata::{Formula, Linear};
use num_bigint::BigInt;
use std::rc::Rc;

/// A question whose answer would help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// What is asked: `grundy(Nim([heaps1, heaps2]))`.
    pub expr: String,
    /// For which values: `heaps1, heaps2 in nat`, then conditions; empty where there are no variables.
    pub clauses: String,
    /// How many variables there are.
    pub variables: usize,
}

/// A constant field is looked at with all values below it, if these are no more.
const ROWS: i64 = 7;
/// So many positions of other constants are asked about.
const MOST: usize = 8;
/// As many variables as a guess can have.
const VARIABLES: usize = 4;

/// The question for a position; `None`: it is a sum, or it has fields that are no numbers, or too many, or rule parameters that are not
/// known.
pub(super) fn question(program: &Program, file: File<'_>, wanted: &Wanted) -> Option<Missing> {
    let Wanted { part, value, misere } = wanted;
    let game = &program.games[part.game.0];
    part.beside.is_empty().then_some(())?;
    part.params.iter().map(Sym::known).collect::<Option<Vec<_>>>()?;
    let (mut fields, mut clauses) = (Vec::new(), Clauses::default());
    for (field, sym) in game.fields.iter().zip(&part.fields) {
        fields.push(clauses.text(&field.name, sym)?);
    }
    let variables = clauses.numbers.len() + clauses.truths.len();
    if variables > VARIABLES {
        return None;
    }
    if let Some(filter) = &game.filter {
        let named = game.fields.iter().map(|field| field.name.as_str()).zip(&fields);
        let params: Vec<String> = part.params.iter().filter_map(|param| Some(param.known()?.inner_text())).collect();
        let named: Vec<(&str, &String)> =
            named.chain(game.params.iter().map(|param| param.name.as_str()).zip(&params)).collect();
        let condition = replaced(file.sources.slice(filter.span), &named)?;
        let names = clauses.numbers.iter().chain(&clauses.truths);
        let speaks =
            |text: &str| names.clone().any(|name| replaced(text, &[(name, &String::new())]) != replaced(text, &[]));
        let of_some = speaks(&condition);
        clauses.conditions.extend(of_some.then_some(condition));
    }
    let position = format!("{}({})", instance_text(program, part.game, &part.params), fields.join(", "));
    let expr = match (*value, *misere && !game.misere) {
        (true, _) => format!("grundy({position})"),
        (false, false) => format!("loses({position})"),
        (false, true) => format!("loses(misere {position})"),
    };
    Some(Missing { expr, clauses: clauses.written(), variables })
}

/// What is wanted where a closed form of some positions is left by moves: one of all, and where fields are constants, of those with
/// smaller ones in their place.
pub(super) fn beside<'p>(program: &'p Program, known: &Known<'p>, fact: &Rc<Fact<'p>>) -> Vec<Wanted> {
    let misere = fact.misere && !program.games[fact.game.0].misere;
    let wanted = |fields: Vec<Sym>| Wanted {
        part: Part::new(fact.game, fact.params.clone(), fields),
        value: fact.says == Says::Grundy,
        misere,
    };
    let setting = PositionContext::of(program, known, fact).ok().filter(|_| fact.beside.is_empty());
    let Some(PositionContext { mut scope, part, .. }) = setting else { return Vec::new() };
    let fields = match (fact.only.position, fact.env(&part)) {
        (None, _) => part.fields,
        (Some(position), Ok(mut env)) => {
            env.slots
                .extend(fact.only.any.iter().map(|slot| (*slot, fact.only.named(*slot, Linear::track(scope.free())))));
            scope.as_written = true;
            match scope.position(position, &env) {
                Ok(Sym::Position { mut parts, .. }) if parts.len() == 1 => parts.remove(0).fields,
                _ => return Vec::new(),
            }
        }
        (Some(_), Err(_)) => return Vec::new(),
    };
    let any: Vec<Sym> = fields.iter().map(|field| any_like(field, &mut scope)).collect();
    let mut rows: Vec<Vec<Sym>> = vec![Vec::new()];
    for field in &fields {
        let values = match field.known() {
            Some(Value::Bool(_)) => [false, true].map(|truth| Sym::Bool(Formula::Constant(truth))).into(),
            Some(value) => match value.to_i64().ok().filter(|value| (0..=ROWS).contains(value)) {
                Some(value) => (0..=value).map(|value| Sym::number(BigInt::from(value))).collect(),
                None => vec![field.clone()],
            },
            None => vec![field.clone()],
        };
        rows = rows
            .iter()
            .flat_map(|row| values.iter().map(|value| [&row[..], std::slice::from_ref(value)].concat()))
            .collect();
        if rows.len() > MOST {
            return vec![wanted(any)];
        }
    }
    let known = |fields: &[Sym]| fields.iter().map(Sym::known).collect::<Vec<_>>();
    rows.retain(|row| known(row) != known(&fields));
    rows.into_iter().chain([any]).map(wanted).collect()
}

/// A field of the same form of which nothing is known.
fn any_like(field: &Sym, scope: &mut Scope<'_>) -> Sym {
    match field {
        Sym::Int(_) => Sym::Int(Linear::track(scope.free())),
        Sym::Bool(_) => Sym::Bool(Formula::zero(&Linear::track(scope.free()))),
        Sym::Tuple(items) => Sym::Tuple(items.iter().map(|item| any_like(item, scope)).collect::<Vec<_>>()),
        Sym::List(items) => Sym::list(items.iter().map(|(_, item)| any_like(item, scope)).collect::<Vec<_>>()),
        Sym::Bag(items) => Sym::bag(items.iter().map(|(_, item)| any_like(item, scope)).collect::<Vec<_>>()),
        other => other.clone(),
    }
}

/// The variables of a question, and what must hold of them.
#[derive(Default)]
struct Clauses {
    numbers: Vec<String>,
    truths: Vec<String>,
    conditions: Vec<String>,
}

impl Clauses {
    /// The text of a field, with variables for what is not known of it.
    fn text(&mut self, name: &str, sym: &Sym) -> Option<String> {
        if let Some(value) = sym.known() {
            return Some(value.inner_text());
        }
        let parts = |this: &mut Clauses, items: &[Sym]| {
            let one = |(i, item)| this.text(&format!("{name}{}", i + 1), item);
            items.iter().enumerate().map(one).collect::<Option<Vec<_>>>()
        };
        match sym {
            Sym::Int(_) => {
                self.numbers.push(name.to_string());
                Some(name.to_string())
            }
            Sym::Bool(_) => {
                self.truths.push(name.to_string());
                Some(name.to_string())
            }
            Sym::Tuple(items) => Some(format!("({})", parts(self, items)?.join(", "))),
            Sym::List(_) => Some(format!("[{}]", parts(self, &sym.items()?)?.join(", "))),
            Sym::Bag(_) => Some(format!("[{}]", parts(self, &sym.leaves()?)?.join(", "))),
            Sym::Set(items) => {
                let items: Vec<Sym> = items.iter().map(|_| Sym::Int(Linear::track(0))).collect();
                let names = parts(self, &items)?;
                self.conditions.extend((names.len() > 1).then(|| names.join(" < ")));
                Some(format!("{{{}}}", names.join(", ")))
            }
            _ => None,
        }
    }

    fn written(&self) -> String {
        let over =
            |names: &[String], domain: &str| (!names.is_empty()).then(|| format!("{} in {domain}", names.join(", ")));
        let binders = [over(&self.numbers, "nat"), over(&self.truths, "{false, true}")];
        let mut text = binders.into_iter().flatten().collect::<Vec<_>>().join(", ");
        self.conditions.iter().for_each(|condition| text.extend([" where ", condition.as_str()]));
        text
    }
}

/// A text of the language with other texts in place of names; `None`: it holds texts in quotes, or names in backquotes.
fn replaced(text: &str, named: &[(&str, &String)]) -> Option<String> {
    if text.contains(['"', '`', '#']) {
        return None;
    }
    let part_of_name = |c: char| c.is_alphanumeric() || c == '_';
    let (mut all, mut rest) = (String::new(), text);
    while let Some(first) = rest.chars().next() {
        let length = rest.find(|c| part_of_name(c) != part_of_name(first)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(length);
        match named.iter().find(|(name, _)| *name == word) {
            Some((_, other)) => all += other,
            None => all += word,
        }
        rest = behind;
    }
    Some(all.split_whitespace().collect::<Vec<_>>().join(" "))
}
