//! Expressions and clauses of the language: their text, and their values by the words of the reference.

use super::values::Value;
use super::{graphs, words};
use std::rc::Rc;

pub(super) type Name = Rc<str>;

#[derive(Clone, Debug)]
pub(super) enum Ex {
    Lit(Value),
    Name(Name),
    Brackets(Box<Ex>),
    Op(&'static str, Box<Ex>, Box<Ex>),
    /// `a <= b < c`.
    Chain(Vec<Ex>, Vec<&'static str>),
    /// A built-in word, or one of `(`, `[`, `{`, `-` and `not`.
    Call(&'static str, Vec<Ex>),
    Def(Name, Vec<Ex>),
    If(Box<[Ex; 3]>),
    /// A comprehension: `[`, `{`, or the word that takes the list.
    Each(&'static str, Box<Ex>, Vec<Clause>),
    Index(Box<Ex>, Box<Ex>),
    Slice(Box<Ex>, Option<Box<Ex>>, Option<Box<Ex>>),
    /// Changes at places, over the ways through clauses.
    Update(Box<Ex>, Vec<(Ex, &'static str, Ex)>, Vec<Clause>),
    /// A question about a position.
    Ask(&'static str, Box<Term>),
}

#[derive(Clone, Debug)]
pub(super) enum Pattern {
    One(Name),
    Parts(Vec<Pattern>),
}

#[derive(Clone, Debug)]
pub(super) enum Clause {
    In(Pattern, Ex),
    Is(Pattern, Ex),
    Where(Ex),
}

/// A position of one game.
#[derive(Clone, Debug)]
pub(super) struct Term {
    pub(super) game: usize,
    pub(super) name: &'static str,
    /// Rule parameters, and whether they are said.
    pub(super) params: Vec<Ex>,
    pub(super) says_params: bool,
    pub(super) fields: Vec<Ex>,
    /// The fields that are said, in this order, some by name.
    pub(super) said: Vec<(usize, Option<Name>)>,
}

#[derive(Clone, Debug)]
pub(super) struct Def {
    pub(super) name: Name,
    pub(super) params: Vec<(Name, &'static str)>,
    pub(super) result: &'static str,
    pub(super) body: Ex,
    pub(super) with: Option<(Name, Ex)>,
}

/// Why something is not asked at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// A number that this evaluator does not hold.
    Big,
    TooMany,
    /// Verdicts that contradict each other.
    Clash,
}

pub(super) type Run<T> = Result<T, Fault>;
pub(super) type Env = Vec<(Name, Value)>;

/// What expressions ask for.
pub(super) trait World {
    fn def(&self, name: &str) -> &Def;
    fn ask(&self, word: &str, game: usize, state: Vec<Value>) -> Run<Value>;
}

pub(super) fn int(i: i128) -> Ex {
    Ex::Lit(Value::Int(i))
}
pub(super) fn op(word: &'static str, a: Ex, b: Ex) -> Ex {
    Ex::Op(word, Box::new(a), Box::new(b))
}
pub(super) fn call(word: &'static str, args: Vec<Ex>) -> Ex {
    Ex::Call(word, args)
}
pub(super) fn when(c: Ex, a: Ex, b: Ex) -> Ex {
    Ex::If(Box::new([c, a, b]))
}
pub(super) fn at(xs: Ex, i: Ex) -> Ex {
    Ex::Index(Box::new(xs), Box::new(i))
}

/// How tight an operator binds, and what its operands must.
fn levels(word: &str) -> (u8, u8, u8) {
    match word {
        "iff" => (1, 2, 2),
        "implies" => (2, 3, 3),
        "or" => (3, 3, 4),
        "and" => (4, 4, 5),
        "in" | "not in" => (6, 9, 8),
        "==" | "!=" | "<" | "<=" | ">" | ">=" => (6, 8, 8),
        ".." => (8, 9, 9),
        "xor" => (9, 9, 10),
        "&" => (10, 10, 11),
        "+" | "-" => (11, 11, 12),
        "*" | "/" | "div" | "mod" => (12, 12, 13),
        "**" => (14, 15, 15),
        _ => panic!("{word}"),
    }
}

pub(super) fn texts<'a>(items: impl IntoIterator<Item = &'a Ex>) -> String {
    items.into_iter().map(|e| e.text(0)).collect::<Vec<_>>().join(", ")
}

impl Term {
    pub(super) fn text(&self) -> String {
        let params = if self.says_params { format!("[{}]", texts(&self.params)) } else { String::new() };
        let field = |(i, name): &(usize, Option<Name>)| {
            let value = self.fields[*i].text(0);
            name.as_ref().map_or(value.clone(), |name| format!("{name} = {value}"))
        };
        format!("{}{params}({})", self.name, self.said.iter().map(field).collect::<Vec<_>>().join(", "))
    }
    pub(super) fn state(&self, env: &mut Env, world: &dyn World) -> Run<Vec<Value>> {
        self.params.iter().chain(&self.fields).map(|e| e.eval(env, world)).collect()
    }
}

impl Pattern {
    pub(super) fn names(&self) -> Vec<Name> {
        match self {
            Pattern::One(name) => vec![name.clone()],
            Pattern::Parts(parts) => parts.iter().flat_map(Pattern::names).collect(),
        }
    }
    fn text(&self) -> String {
        match self {
            Pattern::One(name) => name.to_string(),
            Pattern::Parts(parts) => format!("({})", parts.iter().map(Pattern::text).collect::<Vec<_>>().join(", ")),
        }
    }
    fn bind(&self, value: Value, env: &mut Env) {
        match (self, value) {
            (Pattern::One(name), value) => env.push((name.clone(), value)),
            (Pattern::Parts(parts), Value::Tuple(m) | Value::List(m) | Value::Edge(_, m)) => {
                assert_eq!(parts.len(), m.len());
                parts.iter().zip(m).for_each(|(p, v)| p.bind(v, env));
            }
            (pattern, value) => panic!("{pattern:?} does not take {value:?}"),
        }
    }
}

/// `x in xs, y = e where c`.
pub(super) fn clauses(all: &[Clause]) -> String {
    let mut text = String::new();
    for (i, clause) in all.iter().enumerate() {
        let part = match clause {
            Clause::In(p, e) => format!("{} in {}", p.text(), e.text(8)),
            Clause::Is(p, e) => format!("{} = {}", p.text(), e.text(0)),
            Clause::Where(e) => format!("where {}", e.text(0)),
        };
        // The comma before `where` may be left out.
        let is_bare = matches!(clause, Clause::Where(_)) && part.len().is_multiple_of(2);
        text += if i == 0 {
            ""
        } else if is_bare {
            " "
        } else {
            ", "
        };
        text += &part;
    }
    text
}

/// Goes every way through clauses. In moves each distinct member of a bag comes once.
pub(super) fn each_way(
    clauses: &[Clause],
    is_move: bool,
    env: &mut Env,
    world: &dyn World,
    then: &mut dyn FnMut(&mut Env) -> Run<()>,
) -> Run<()> {
    let Some((first, rest)) = clauses.split_first() else { return then(env) };
    let depth = env.len();
    match first {
        Clause::Where(c) => {
            if c.eval(env, world)?.truth() {
                each_way(rest, is_move, env, world, then)?;
            }
        }
        Clause::Is(pattern, e) => {
            let value = e.eval(env, world)?;
            pattern.bind(value, env);
            each_way(rest, is_move, env, world, then)?;
        }
        Clause::In(pattern, e) => {
            let value = e.eval(env, world)?;
            let mut members = value.members();
            if is_move && matches!(value, Value::Bag(_)) {
                members.dedup();
            }
            for member in members {
                pattern.bind(member, env);
                each_way(rest, is_move, env, world, then)?;
                env.truncate(depth);
            }
        }
    }
    env.truncate(depth);
    Ok(())
}

impl Ex {
    fn level(&self) -> u8 {
        match self {
            Ex::If(_) => 0,
            Ex::Op(word, ..) => levels(word).0,
            Ex::Chain(..) => 6,
            Ex::Call("not", _) => 5,
            Ex::Call("-", _) => 13,
            Ex::Lit(Value::Int(i)) if *i < 0 => 13,
            _ => 15,
        }
    }

    /// Its text, in brackets if it binds looser than this.
    pub(super) fn text(&self, least: u8) -> String {
        let text = match self {
            Ex::Lit(value) => value.text(),
            Ex::Name(name) => name.to_string(),
            Ex::Brackets(e) => format!("({})", e.text(0)),
            Ex::Op(word, a, b) => {
                let (_, left, right) = levels(word);
                let blank = if *word == ".." { "" } else { " " };
                format!("{}{blank}{word}{blank}{}", a.text(left), b.text(right))
            }
            Ex::Chain(parts, ops) => {
                let rest = ops.iter().zip(&parts[1..]).map(|(word, e)| format!(" {word} {}", e.text(8)));
                parts[0].text(8) + &rest.collect::<String>()
            }
            Ex::Call("not", args) => format!("not {}", args[0].text(5)),
            Ex::Call("-", args) => format!("-{}", args[0].text(13)),
            Ex::Call("(", args) => format!("({})", texts(args)),
            Ex::Call("[", args) => format!("[{}]", texts(args)),
            Ex::Call("{", args) => format!("{{{}}}", texts(args)),
            Ex::Call("floor of halves", args) => format!("floor({} / 3 + {} / 2)", args[0].text(12), args[1].text(12)),
            Ex::Call("floor of roots", args) => format!("floor({} * sqrt(2))", args[0].text(12)),
            Ex::Call(word, args) => format!("{word}({})", texts(args)),
            Ex::Def(name, args) => format!("{name}({})", texts(args)),
            Ex::If(parts) => {
                let [c, a, b] = &**parts;
                format!("if {} then {} else {}", c.text(0), a.text(0), b.text(0))
            }
            Ex::Each(word, body, over) => {
                let inner = format!("{} for {}", body.text(0), clauses(over));
                match *word {
                    "[" => format!("[{inner}]"),
                    "{" => format!("{{{inner}}}"),
                    word => format!("{word}({inner})"),
                }
            }
            Ex::Index(xs, i) => format!("{}[{}]", xs.text(15), i.text(0)),
            Ex::Slice(xs, a, b) => {
                let end = |e: &Option<Box<Ex>>| e.as_ref().map_or(String::new(), |e| e.text(9));
                format!("{}[{}..{}]", xs.text(15), end(a), end(b))
            }
            Ex::Update(xs, changes, over) => {
                let change = |(i, word, e): &(Ex, &str, Ex)| format!("{} {word} {}", i.text(1), e.text(1));
                let over = if over.is_empty() { String::new() } else { format!(" for {}", clauses(over)) };
                format!("{}[{}{over}]", xs.text(15), changes.iter().map(change).collect::<Vec<_>>().join(", "))
            }
            Ex::Ask(word @ ("moves" | "winning"), term) => format!("size({word}({}))", term.text()),
            Ex::Ask(word, term) => format!("{word}({})", term.text()),
        };
        if self.level() < least { format!("({text})") } else { text }
    }

    pub(super) fn eval(&self, env: &mut Env, world: &dyn World) -> Run<Value> {
        let truth = |e: &Ex, env: &mut Env| Ok(e.eval(env, world)?.truth());
        Ok(match self {
            Ex::Lit(value) => value.clone(),
            Ex::Name(name) => {
                let known = env.iter().rev().find(|(known, _)| known == name);
                known.unwrap_or_else(|| panic!("`{name}` is not bound")).1.clone()
            }
            Ex::Brackets(e) => e.eval(env, world)?,
            Ex::Op("and", a, b) => Value::Bool(truth(a, env)? && truth(b, env)?),
            Ex::Op("or", a, b) => Value::Bool(truth(a, env)? || truth(b, env)?),
            Ex::Op("implies", a, b) => Value::Bool(!truth(a, env)? || truth(b, env)?),
            Ex::Op(word, a, b) => words::operator(word, a.eval(env, world)?, b.eval(env, world)?)?,
            Ex::Chain(parts, ops) => {
                let values = parts.iter().map(|e| e.eval(env, world)).collect::<Run<Vec<_>>>()?;
                let mut all = true;
                for (word, pair) in ops.iter().zip(values.windows(2)) {
                    all &= words::operator(word, pair[0].clone(), pair[1].clone())?.truth();
                }
                Value::Bool(all)
            }
            Ex::Call(word @ ("[" | "{"), args) => {
                let mut items = Vec::new();
                for arg in args {
                    let value = arg.eval(env, world)?;
                    match arg {
                        Ex::Op("..", ..) => items.extend(value.members()),
                        _ => items.push(value),
                    }
                }
                if *word == "[" { Value::List(items) } else { Value::set(items) }
            }
            Ex::Call(word, args) => {
                words::call(word, args.iter().map(|e| e.eval(env, world)).collect::<Run<Vec<_>>>()?)?
            }
            Ex::Def(name, args) => {
                let args = args.iter().map(|e| e.eval(env, world)).collect::<Run<Vec<_>>>()?;
                let (def, depth) = (world.def(name), env.len());
                env.extend(def.params.iter().map(|p| p.0.clone()).zip(args));
                if let Some((name, e)) = &def.with {
                    let value = e.eval(env, world)?;
                    env.push((name.clone(), value));
                }
                let value = def.body.eval(env, world)?;
                env.truncate(depth);
                value
            }
            Ex::If(parts) => parts[if truth(&parts[0], env)? { 1 } else { 2 }].eval(env, world)?,
            Ex::Each(word, body, over) => {
                let mut items = Vec::new();
                each_way(over, false, env, world, &mut |env| {
                    items.push(body.eval(env, world)?);
                    Ok(())
                })?;
                match *word {
                    "[" => Value::List(items),
                    "{" => Value::set(items),
                    word => words::call(word, vec![Value::List(items)])?,
                }
            }
            Ex::Index(xs, i) => {
                let (xs, i) = (xs.eval(env, world)?, i.eval(env, world)?);
                if let Value::Grid(rows) = &xs {
                    return Ok(graphs::get(rows, &i));
                }
                let (xs, i) = (xs.members(), i.int());
                xs[usize::try_from(i).expect("an index")].clone()
            }
            Ex::Slice(xs, a, b) => {
                let xs = xs.eval(env, world)?;
                let members = xs.members();
                let last = i128::try_from(members.len()).expect("small") - 1;
                let a = a.as_ref().map_or(Ok(0), |e| Ok(e.eval(env, world)?.int()))?;
                let b = b.as_ref().map_or(Ok(last), |e| Ok(e.eval(env, world)?.int()))?;
                let place = |i: i128| usize::try_from(i).expect("an index");
                let part = if b < a { Vec::new() } else { members[place(a)..=place(b)].to_vec() };
                words::like(&xs, part)
            }
            Ex::Update(xs, changes, over) => {
                let xs = xs.eval(env, world)?;
                let mut made = Vec::new();
                each_way(over, false, env, world, &mut |env| {
                    for (i, word, e) in changes {
                        made.push((i.eval(env, world)?, *word, e.eval(env, world)?));
                    }
                    Ok(())
                })?;
                if let Value::Grid(rows) = xs {
                    let put =
                        |rows: Vec<String>, (i, _, value): (Value, _, Value)| graphs::put(&rows, &i, value.chars());
                    return Ok(Value::Grid(made.into_iter().fold(rows, put)));
                }
                let mut members = xs.members();
                for (i, word, value) in made {
                    let old = &mut members[usize::try_from(i.int()).expect("an index")];
                    *old = match word {
                        ":=" => value,
                        word => words::operator(&word[..1], old.clone(), value)?,
                    };
                }
                words::like(&xs, members)
            }
            Ex::Ask(word, term) => world.ask(word, term.game, term.state(env, world)?)?,
        })
    }
}
