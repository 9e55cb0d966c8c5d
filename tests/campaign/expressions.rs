//! Random expressions with known values, with values from the state, through lazies, definitions and lets: every form of
//! the engine must give what a naive evaluator gives.

#![allow(clippy::explicit_auto_deref, clippy::format_push_string)]

use crate::naive::engine::{FORMS, answers, program};
use crate::naive::{Rng, list, set};
use crate::rounds;
use std::collections::BTreeSet;

/// A value of the naive evaluator.
#[derive(Clone, Debug, PartialEq)]
enum V {
    I(i128),
    B(bool),
    S(BTreeSet<i128>),
    L(Vec<i128>),
}

impl V {
    fn int(self) -> i128 {
        if let V::I(i) = self { i } else { panic!("an int") }
    }
    fn bool(self) -> bool {
        if let V::B(b) = self { b } else { panic!("a bool") }
    }
    fn list(self) -> Vec<i128> {
        match self {
            V::L(l) => l,
            V::S(s) => s.into_iter().collect(),
            _ => panic!("a list"),
        }
    }
    fn shown(&self) -> String {
        let all = |items: Vec<String>| items.join(", ");
        match self {
            V::I(i) => i.to_string(),
            V::B(b) => b.to_string(),
            V::S(s) => format!("{{{}}}", all(s.iter().map(ToString::to_string).collect())),
            V::L(l) => format!("[{}]", all(l.iter().map(ToString::to_string).collect())),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ty {
    I,
    B,
    S,
    L,
}

#[derive(Clone, Debug)]
enum Ex {
    Int(i128),
    Bool(bool),
    Var(String),
    Op(&'static str, Box<Ex>, Box<Ex>),
    Call(&'static str, Vec<Ex>),
    If(Box<Ex>, Box<Ex>, Box<Ex>),
    /// A comprehension: word (`[`, `{` or a fold), body, binder, collection, condition.
    Each(&'static str, Box<Ex>, String, Box<Ex>, Box<Ex>),
    Index(Box<Ex>, Box<Ex>),
    Update(Box<Ex>, Box<Ex>, &'static str, Box<Ex>),
    Range(Box<Ex>, Box<Ex>),
}

type Env = Vec<(String, V)>;

impl Ex {
    fn text(&self) -> String {
        match self {
            Ex::Int(i) if *i < 0 => format!("({i})"),
            Ex::Int(i) => i.to_string(),
            Ex::Bool(b) => b.to_string(),
            Ex::Var(name) => name.clone(),
            Ex::Op(op, a, b) => format!("({} {op} {})", a.text(), b.text()),
            Ex::Call("not", args) => format!("(not {})", args[0].text()),
            Ex::Call("{", args) => format!("{{{}}}", args.iter().map(Ex::text).collect::<Vec<_>>().join(", ")),
            Ex::Call("[", args) => format!("[{}]", args.iter().map(Ex::text).collect::<Vec<_>>().join(", ")),
            Ex::Call(word, args) => format!("{word}({})", args.iter().map(Ex::text).collect::<Vec<_>>().join(", ")),
            Ex::If(c, a, b) => format!("(if {} then {} else {})", c.text(), a.text(), b.text()),
            Ex::Each(word, body, x, coll, cond) => {
                let inner = format!("{} for {x} in {} where {}", body.text(), coll.text(), cond.text());
                match *word {
                    "[" => format!("[{inner}]"),
                    "{" => format!("{{{inner}}}"),
                    word => format!("{word}({inner})"),
                }
            }
            Ex::Index(xs, i) => format!("{}[{}]", xs.text(), i.text()),
            Ex::Update(xs, i, op, e) => format!("{}[{} {op} {}]", xs.text(), i.text(), e.text()),
            Ex::Range(a, b) => format!("({}..{})", a.text(), b.text()),
        }
    }

    fn eval(&self, env: &mut Env) -> Result<V, &'static str> {
        Ok(match self {
            Ex::Int(i) => V::I(*i),
            Ex::Bool(b) => V::B(*b),
            Ex::Var(name) => env.iter().rev().find(|(n, _)| n == name).expect("a name").1.clone(),
            Ex::Op("and", a, b) => V::B(a.eval(env)?.bool() && b.eval(env)?.bool()),
            Ex::Op("or", a, b) => V::B(a.eval(env)?.bool() || b.eval(env)?.bool()),
            Ex::Op("implies", a, b) => V::B(!a.eval(env)?.bool() || b.eval(env)?.bool()),
            Ex::Op(op, a, b) => operator(op, a.eval(env)?, b.eval(env)?)?,
            Ex::Call(word, args) => {
                let args = args.iter().map(|a| a.eval(env)).collect::<Result<Vec<_>, _>>()?;
                call(word, args)?
            }
            Ex::If(c, a, b) => {
                if c.eval(env)?.bool() {
                    a.eval(env)?
                } else {
                    b.eval(env)?
                }
            }
            Ex::Each(word, body, x, coll, cond) => {
                let mut found = Vec::new();
                for item in coll.eval(env)?.list() {
                    env.push((x.clone(), V::I(item)));
                    let value = cond.eval(env).and_then(|c| if c.bool() { body.eval(env).map(Some) } else { Ok(None) });
                    env.pop();
                    found.extend(value?);
                }
                fold(word, found)?
            }
            Ex::Index(xs, i) => {
                let xs = xs.eval(env)?.list();
                let at = usize::try_from(i.eval(env)?.int()).map_err(|_| "R02")?;
                V::I(*xs.get(at).ok_or("R02")?)
            }
            Ex::Update(xs, i, op, e) => {
                let mut xs = xs.eval(env)?.list();
                let at = usize::try_from(i.eval(env)?.int()).map_err(|_| "R02")?;
                let e = e.eval(env)?.int();
                let slot = xs.get_mut(at).ok_or("R02")?;
                match *op {
                    "+=" => *slot += e,
                    "-=" => *slot -= e,
                    _ => *slot = e,
                }
                V::L(xs)
            }
            Ex::Range(a, b) => {
                let (a, b) = (a.eval(env)?.int(), b.eval(env)?.int());
                V::L((a..=b).collect())
            }
        })
    }
}

fn operator(op: &str, a: V, b: V) -> Result<V, &'static str> {
    if let (V::I(a), V::I(b)) = (&a, &b) {
        let (a, b) = (*a, *b);
        return Ok(match op {
            "+" => V::I(a.checked_add(b).ok_or("big")?),
            "-" => V::I(a.checked_sub(b).ok_or("big")?),
            "*" => V::I(a.checked_mul(b).ok_or("big")?),
            "div" | "mod" if b <= 0 => return Err("R03"),
            "div" => V::I(a.div_euclid(b)),
            "mod" => V::I(a.rem_euclid(b)),
            "xor" => V::I(a ^ b),
            "<" => V::B(a < b),
            "<=" => V::B(a <= b),
            "==" => V::B(a == b),
            "!=" => V::B(a != b),
            ">" => V::B(a > b),
            _ => panic!("{op}"),
        });
    }
    Ok(match (op, a, b) {
        ("in", V::I(a), b) => V::B(b.list().contains(&a)),
        ("not in", V::I(a), b) => V::B(!b.list().contains(&a)),
        ("iff", V::B(a), V::B(b)) => V::B(a == b),
        ("+", V::L(a), V::L(b)) => V::L([a, b].concat()),
        ("==", a, b) => V::B(a == b),
        ("<", V::L(a), V::L(b)) => V::B(a < b),
        (op, V::S(a), V::S(b)) => match op {
            "+" => V::S(&a | &b),
            "-" => V::S(&a - &b),
            "&" => V::S(&a & &b),
            "xor" => V::S(&a ^ &b),
            "<=" => V::B(a.is_subset(&b)),
            "<" => V::B(a.is_subset(&b) && a != b),
            _ => panic!("{op}"),
        },
        (op, ..) => panic!("{op}"),
    })
}

fn fold(word: &str, found: Vec<V>) -> Result<V, &'static str> {
    if matches!(word, "all" | "any" | "count") {
        let found: Vec<bool> = found.into_iter().map(V::bool).collect();
        return Ok(match word {
            "all" => V::B(found.iter().all(|b| *b)),
            "any" => V::B(found.iter().any(|b| *b)),
            _ => V::I(found.iter().filter(|b| **b).count() as i128),
        });
    }
    let found: Vec<i128> = found.into_iter().map(V::int).collect();
    match word {
        "[" => Ok(V::L(found)),
        "{" => Ok(V::S(found.into_iter().collect())),
        word => call(word, vec![V::L(found)]),
    }
}

fn call(word: &str, mut args: Vec<V>) -> Result<V, &'static str> {
    Ok(match word {
        "abs" => V::I(args.remove(0).int().abs()),
        "sign" => V::I(args.remove(0).int().signum()),
        "not" => V::B(!args.remove(0).bool()),
        "{" => V::S(args.into_iter().map(V::int).collect()),
        "[" => V::L(args.into_iter().map(V::int).collect()),
        "set" => V::S(args.remove(0).list().into_iter().collect()),
        "max" if args.len() == 2 => V::I(args.remove(0).int().max(args.remove(0).int())),
        "min" if args.len() == 2 => V::I(args.remove(0).int().min(args.remove(0).int())),
        _ => {
            let xs = args.remove(0).list();
            match word {
                "size" => V::I(xs.len() as i128),
                "sum" => V::I(xs.iter().try_fold(0i128, |a, b| a.checked_add(*b)).ok_or("big")?),
                "product" => V::I(xs.iter().try_fold(1i128, |a, b| a.checked_mul(*b)).ok_or("big")?),
                "max" => V::I(*xs.iter().max().ok_or("R02")?),
                "min" => V::I(*xs.iter().min().ok_or("R02")?),
                "first" => V::I(*xs.first().ok_or("R02")?),
                "last" => V::I(*xs.last().ok_or("R02")?),
                "reverse" => V::L(xs.into_iter().rev().collect()),
                "sort" => {
                    let mut xs = xs;
                    xs.sort_unstable();
                    V::L(xs)
                }
                "list" => V::L(xs),
                "increasing" => V::B(xs.windows(2).all(|w| w[0] < w[1])),
                _ => panic!("{word}"),
            }
        }
    })
}

/// What may be used: names with their types.
type Names = Vec<(String, Ty)>;

fn random(rng: &mut Rng, ty: Ty, depth: u32, names: &mut Names) -> Ex {
    let known: Vec<String> = names.iter().filter(|n| n.1 == ty).map(|n| n.0.clone()).collect();
    if depth == 0 || rng.chance(12) {
        if !known.is_empty() && rng.chance(75) {
            return Ex::Var(rng.pick(&known).clone());
        }
        return match ty {
            Ty::I => Ex::Int(if rng.chance(4) { 1 << 62 } else { rng.range(-3, 6).into() }),
            Ty::B => Ex::Bool(rng.chance(50)),
            Ty::S => Ex::Call("{", vec![Ex::Int(rng.range(0, 4).into()), Ex::Int(rng.range(0, 5).into())]),
            Ty::L => Ex::Call("[", vec![Ex::Int(rng.range(-2, 4).into()), Ex::Int(rng.range(0, 5).into())]),
        };
    }
    let d = depth - 1;
    let mut sub = |rng: &mut Rng, ty: Ty| Box::new(random(rng, ty, d, names));
    if rng.chance(12) {
        return Ex::If(sub(rng, Ty::B), sub(rng, ty), sub(rng, ty));
    }
    let small = |e: Box<Ex>| Box::new(Ex::Op("mod", e, Box::new(Ex::Int(6))));
    match (ty, rng.below(8)) {
        (Ty::I, 0..=2) => {
            let op = *rng.pick(&["+", "-", "*", "div", "mod", "+", "-"]);
            if matches!(op, "div" | "mod") && rng.chance(80) {
                return Ex::Op(op, sub(rng, Ty::I), Box::new(Ex::Int(rng.range(1, 7).into())));
            }
            Ex::Op(op, sub(rng, Ty::I), sub(rng, Ty::I))
        }
        (Ty::I, 3) => {
            let word = *rng.pick(&["abs", "sign", "max", "min"]);
            let mut args = vec![*sub(rng, Ty::I)];
            if matches!(word, "max" | "min") {
                args.push(*sub(rng, Ty::I));
            }
            Ex::Call(word, args)
        }
        (Ty::I, 4) => {
            let from = *rng.pick(&[Ty::S, Ty::L]);
            let word = *rng.pick(&["size", "sum", "max", "min", "product"]);
            Ex::Call(word, vec![*sub(rng, from)])
        }
        (Ty::I, 5) => {
            let xs = sub(rng, Ty::L);
            let size = Box::new(Ex::Call("size", vec![(*xs).clone()]));
            let at =
                if rng.chance(70) { Box::new(Ex::Op("mod", sub(rng, Ty::I), size)) } else { small(sub(rng, Ty::I)) };
            Ex::Index(xs, at)
        }
        (Ty::B, 0 | 1) => Ex::Op(*rng.pick(&["and", "or", "implies", "iff"]), sub(rng, Ty::B), sub(rng, Ty::B)),
        (Ty::B, 2) => Ex::Call("not", vec![*sub(rng, Ty::B)]),
        (Ty::B, 3 | 4) => Ex::Op(*rng.pick(&["<", "<=", "==", "!=", ">"]), sub(rng, Ty::I), sub(rng, Ty::I)),
        (Ty::B, 5) => {
            let from = *rng.pick(&[Ty::S, Ty::L]);
            Ex::Op(*rng.pick(&["in", "not in"]), sub(rng, Ty::I), sub(rng, from))
        }
        (Ty::B, 6) => Ex::Op(*rng.pick(&["<=", "<", "=="]), sub(rng, Ty::S), sub(rng, Ty::S)),
        (Ty::S, 0..=3) => Ex::Op(*rng.pick(&["+", "-", "&", "xor"]), sub(rng, Ty::S), sub(rng, Ty::S)),
        (Ty::S, 4) => Ex::Call("set", vec![*sub(rng, Ty::L)]),
        (Ty::L, 0) => Ex::Op("+", sub(rng, Ty::L), sub(rng, Ty::L)),
        (Ty::L, 1) => {
            let from = *rng.pick(&[Ty::S, Ty::L]);
            Ex::Call("sort", vec![*sub(rng, from)])
        }
        (Ty::L, 2) => Ex::Call("reverse", vec![*sub(rng, Ty::L)]),
        (Ty::L, 3 | 4) => {
            let op = *rng.pick(&["+=", "-=", ":="]);
            let xs = sub(rng, Ty::L);
            let size = Box::new(Ex::Call("size", vec![(*xs).clone()]));
            let at =
                if rng.chance(70) { Box::new(Ex::Op("mod", sub(rng, Ty::I), size)) } else { small(sub(rng, Ty::I)) };
            Ex::Update(xs, at, op, sub(rng, Ty::I))
        }
        (ty, _) => {
            let coll = match rng.below(3) {
                0 => Box::new(Ex::Range(small(sub(rng, Ty::I)), small(sub(rng, Ty::I)))),
                1 => sub(rng, Ty::S),
                _ => sub(rng, Ty::L),
            };
            let (words, body): (&[&'static str], Ty) = match ty {
                Ty::I if rng.chance(40) => (&["count"], Ty::B),
                Ty::I => (&["sum", "max", "min", "product"], Ty::I),
                Ty::B => (&["all", "any"], Ty::B),
                Ty::S => (&["{"], Ty::I),
                Ty::L => (&["["], Ty::I),
            };
            let x = format!("x{}", names.len());
            names.push((x.clone(), Ty::I));
            let body = random(rng, body, d, names);
            let cond = if rng.chance(50) { Ex::Bool(true) } else { random(rng, Ty::B, d.min(1), names) };
            names.pop();
            Ex::Each(*rng.pick(words), Box::new(body), x, coll, Box::new(cond))
        }
    }
}

/// Takes out closed parts as lazies; later ones may use earlier ones.
fn with_lazies(rng: &mut Rng, ex: &Ex, lazies: &mut Vec<String>) -> Ex {
    let mut inner = |rng: &mut Rng, e: &Ex| Box::new(with_lazies(rng, e, lazies));
    let made = match ex {
        Ex::Op(op, a, b) => Ex::Op(op, inner(rng, a), inner(rng, b)),
        Ex::Call(word, args) => Ex::Call(word, args.iter().map(|a| *inner(rng, a)).collect()),
        Ex::If(c, a, b) => Ex::If(inner(rng, c), inner(rng, a), inner(rng, b)),
        Ex::Each(word, body, x, coll, cond) => {
            Ex::Each(word, inner(rng, body), x.clone(), inner(rng, coll), inner(rng, cond))
        }
        Ex::Index(a, b) => Ex::Index(inner(rng, a), inner(rng, b)),
        Ex::Range(a, b) => return Ex::Range(inner(rng, a), inner(rng, b)),
        Ex::Update(a, b, op, c) => Ex::Update(inner(rng, a), inner(rng, b), op, inner(rng, c)),
        leaf => return leaf.clone(),
    };
    let text = made.text();
    if rng.chance(40) && !text.contains('x') {
        lazies.push(format!("  let w{} = {text}\n", lazies.len()));
        return Ex::Var(format!("w{}", lazies.len() - 1));
    }
    made
}

#[test]
fn expressions_mean_the_same_known_or_unknown() {
    let mut wrong = Vec::new();
    let (mut values, mut errors) = (0, 0);
    for seed in 0..rounds(50, 1500) {
        let mut rng = Rng::new(seed);
        let mut names: Names = [("a", Ty::I), ("b", Ty::I), ("s", Ty::S), ("t", Ty::S), ("ys", Ty::L), ("zs", Ty::L)]
            .map(|(n, t)| (n.to_string(), t))
            .to_vec();
        let ty = *rng.pick(&[Ty::I, Ty::B, Ty::S, Ty::L, Ty::I]);
        let ex = random(&mut rng, ty, 4, &mut names);
        let numbers = |rng: &mut Rng, low| {
            let mut xs: Vec<i64> = (0..rng.range(1, 4)).map(|_| rng.range(low, 5)).collect();
            if low == 0 {
                xs.sort_unstable();
                xs.dedup();
            }
            xs
        };
        let (a, b) = (rng.range(-3, 6), rng.range(0, 5));
        let (s, t) = (numbers(&mut rng, 0), numbers(&mut rng, 0));
        let (ys, zs) = (numbers(&mut rng, -2), numbers(&mut rng, -2));
        let wide = |xs: &[i64]| xs.iter().map(|x| i128::from(*x)).collect::<Vec<_>>();
        let mut env: Env = vec![
            ("a".into(), V::I(a.into())),
            ("b".into(), V::I(b.into())),
            ("s".into(), V::S(wide(&s).into_iter().collect())),
            ("t".into(), V::S(wide(&t).into_iter().collect())),
            ("ys".into(), V::L(wide(&ys))),
            ("zs".into(), V::L(wide(&zs))),
        ];
        let expected = ex.eval(&mut env);
        if expected == Err("big") {
            continue;
        }
        let kind = match ty {
            Ty::I => "int",
            Ty::B => "bool",
            Ty::S => "set of int",
            Ty::L => "list of int",
        };
        let arguments = format!("{a}, {b}, {}, {}, {}, {}", set(&s), set(&t), list(&ys), list(&zs));
        let mixed = (format!("{a}, {}, {}", set(&s), list(&ys)), format!("{b}, {}, {}", set(&t), list(&zs)));
        let fields = "a: int, b: nat, s: set of nat, t: set of nat, ys: list of int, zs: list of int";
        let e = ex.text();
        let mut lazies = Vec::new();
        let lazy = with_lazies(&mut rng, &ex, &mut lazies).text();
        let lazies = lazies.concat();
        let text = format!(
            "game Out(v: {kind}) {{\n  move none where false -> Out(v)\n}}\n\
             def f({fields}) = {e}\n\
             game P[{fields}](z) {{\n  move go where z > 0 -> Out({e})\n}}\n\
             game F({fields}) {{\n  move go -> Out({e})\n}}\n\
             game M[a: int, s: set of nat, ys: list of int](b: nat, t: set of nat, zs: list of int) {{\n  move go -> Out({e})\n}}\n\
             game L({fields}) {{\n{lazies}  move go -> Out({lazy})\n}}\n\
             game K[{fields}](z) {{\n{lazies}  move go where z > 0 -> Out({lazy})\n}}\n\
             game D({fields}) {{\n  move go -> Out(f(a, b, s, t, ys, zs))\n}}\n\
             game Q({fields}) {{\n  move go v = {e}, where v == v -> Out(v)\n}}\n\
             solve P[{arguments}](1)\nsolve F({arguments})\nsolve M[{}]({})\nsolve L({arguments})\n\
             solve K[{arguments}](1)\nsolve D({arguments})\nsolve Q({arguments})\n",
            mixed.0, mixed.1
        );
        // Sets of vertices are masks; a guard is a jump.
        let mut text = text
            + &format!(
                "game V[g: graph](a: int, b: nat, s: set of vertex of g, t: set of vertex of g, ys: list of int, zs: list of int) {{\n\
                 {lazies}  move go -> Out({lazy})\n}}\nsolve V[path(6)]({arguments})\n"
            );
        if ty == Ty::B {
            text += &format!(
                "game B({fields}) {{\n{lazies}  move yes where {lazy} -> Out(true)\n  move no where not {lazy} -> Out(false)\n}}\n\
                 solve B({arguments})\n"
            );
        }
        let program = match program(&text) {
            Ok(program) => program,
            Err(error) => {
                wrong.push(format!("seed {seed}: {error}\n{text}"));
                continue;
            }
        };
        for form in FORMS {
            for (which, answer) in answers(&program, form).into_iter().enumerate() {
                let found = match &answer {
                    Ok(answer) => answer.winning.listed.first().map_or("no move".into(), |m| m.to.clone()),
                    Err((code, message)) => format!("{code} {message}"),
                };
                let fits = match &expected {
                    Ok(value) => {
                        values += 1;
                        found == format!("Out({})", value.shown())
                    }
                    Err(code) => {
                        errors += 1;
                        found.starts_with(code)
                    }
                };
                if !fits {
                    let wanted = expected.as_ref().map_or_else(|c| (*c).to_string(), V::shown);
                    wrong.push(format!("seed {seed} {form:?} solve {which}: {found}, should be {wanted}\n{text}"));
                }
            }
        }
    }
    eprintln!("{values} values, {errors} errors, {} wrong", wrong.len());
    let count = wrong.len();
    wrong.sort_by_key(String::len);
    wrong.truncate(5);
    assert!(wrong.is_empty(), "{count} wrong:\n{}", wrong.join("\n----\n"));
    let least = rounds(400, 15_000);
    assert!(values > least && errors * 30 > least, "{values} values, {errors} errors");
}
