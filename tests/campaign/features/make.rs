//! Random files: games with a field that gets smaller, or, where play may come back, may stay.

use super::expressions::{Clause, Def, Ex, Name, Pattern, Term, at, call, int, op, when};
use super::games::{Field, File, Game, Move, Place, Plays, Target, Used, Verdict, picture, players};
use super::graphs::{self, Graphs};
use super::random::{Asked, Random};
use super::reals::Real;
use super::values::{BIG, Domain, LETTERS, Type, Value};
use crate::rng::Rng;
use std::rc::Rc;

struct Maker {
    random: Random,
    plays: Plays,
    is_loopy: bool,
    /// How many targets of a hundred are sums.
    sums: u64,
    /// Whether the game leads to itself only.
    is_alone: bool,
    games: Vec<Game>,
    lets: Vec<(Name, Type, Ex)>,
    /// Definitions inside games.
    local: Vec<Def>,
}

/// Expressions for the level of the measure: what it is at the start of a move, and after the move.
struct Step {
    level: Ex,
    after: Ex,
    /// The measure itself after the move.
    measure: Ex,
    keeps: bool,
}

fn field(name: Name, domain: Domain) -> Field {
    Field { name, domain, default: None }
}

fn size(x: Ex) -> Ex {
    call("size", vec![x])
}

fn one(name: &Name) -> Pattern {
    Pattern::One(name.clone())
}

/// The character of a grid that is counted.
fn counted(letters: &str) -> Ex {
    Ex::Lit(Value::Text(letters[..1].to_string()))
}

/// What a move takes beside a vertex.
fn near(r: &mut Random, v: Ex) -> Ex {
    let g = r.ex(&Type::Graph, 0);
    if r.chance(60) { call(*r.rng.pick(&["neighbours", "reach"]), vec![g, v]) } else { r.vertices(1) }
}

/// The level of a measure.
fn level(field: &Field) -> Ex {
    let name = Ex::Name(field.name.clone());
    match field.domain {
        Domain::Int { low: 0, .. } => name,
        Domain::Int { low, .. } if low > 0 => op("-", name, int(low)),
        Domain::Int { low, .. } => op("+", name, int(-low)),
        Domain::Grid { letters, .. } => size(call("cells", vec![name, counted(letters)])),
        _ => size(name),
    }
}

/// A measure of a level.
fn measured(domain: &Domain, level: Ex, random: &mut Random) -> Ex {
    let member = |part: &Domain, random: &mut Random| call("[", vec![Ex::Lit(part.pick(&mut random.rng))]);
    match domain {
        Domain::Int { low: 0, .. } => level,
        Domain::Int { low, .. } if *low > 0 => op("+", int(*low), level),
        Domain::Int { low, .. } => op("-", level, int(-low)),
        Domain::List(part, _) => call("repeat", vec![member(part, random), level]),
        Domain::Bag(part, _) => call("bag", vec![call("repeat", vec![member(part, random), level])]),
        Domain::Set(part) => {
            let all = Ex::Lit(Value::List(part.members()));
            call("set", vec![Ex::Slice(all.into(), None, Some(op("-", level, int(1)).into()))])
        }
        Domain::Grid { rows, cols, letters } => {
            let free = Value::Grid(vec![letters[1..2].repeat(*cols); *rows]);
            let name: Name = "p9".into();
            let Value::Grid(lines) = &free else { unreachable!() };
            let all = Ex::Lit(Value::List(graphs::cells(lines)));
            let some = Ex::Slice(all.into(), None, Some(op("-", level, int(1)).into()));
            let change = (Ex::Name(name.clone()), ":=", counted(letters));
            Ex::Update(Ex::Lit(free).into(), vec![change], vec![Clause::In(one(&name), some)])
        }
        _ => call("repeat", vec![Ex::Lit(Value::Text(LETTERS[0].to_string())), level]),
    }
}

impl Maker {
    /// Functions of the file: two recursive ones and a plain one, and those that keep texts within their letters.
    fn defs(&mut self) -> Vec<Def> {
        let i: Name = "i".into();
        let t: Name = "t".into();
        let mut defs: Vec<Def> = (1..=4)
            .map(|letters| {
                let letters_of = LETTERS[..letters].iter().map(|l| Value::Text((*l).to_string())).collect();
                let letter = at(Ex::Name(t.clone()), Ex::Name(i.clone()));
                let is_good = op("in", letter.clone(), Ex::Lit(Value::List(letters_of)));
                let body = when(is_good, letter, Ex::Lit(Value::Text(LETTERS[0].to_string())));
                let places = Clause::In(one(&i), call("indices", vec![Ex::Name(t.clone())]));
                let params = vec![(t.clone(), ": text")];
                let body = Ex::Each("join", body.into(), vec![places]);
                Def { name: format!("only{letters}").into(), params, result: ": text", body, with: None }
            })
            .collect();
        for number in 0..self.random.rng.below(3) {
            let r = &mut self.random;
            let (n, x): (Name, Name) = ("n".into(), "x".into());
            r.names = vec![(n.clone(), Type::Int, true), (x.clone(), Type::Int, false)];
            let with: Option<(Name, Ex)> = r.chance(40).then(|| ("helper".into(), r.ex(&Type::Int, 1)));
            let (base, next, condition) = (r.ex(&Type::Int, 1), r.ex(&Type::Int, 1), r.truth(1));
            if let Some((name, _)) = &with {
                r.bind(name, &Type::Int);
            }
            let more = r.ex(&Type::Int, 1);
            let name: Name = format!("f{number}").into();
            let less = |by: i128, x: Ex| Ex::Def(name.clone(), vec![op("-", Ex::Name(n.clone()), int(by)), x]);
            let next = op("mod", next, int(7));
            let is_small = |least: i128| op("<", Ex::Name(n.clone()), int(least));
            let (body, params) = match r.rng.below(3) {
                0 => (when(is_small(1), base, op("+", less(1, next), more)), [": nat", ": int"]),
                1 => {
                    let both = op("+", less(1, Ex::Name(x.clone())), less(2, next));
                    (when(op("or", is_small(2), condition), base, both), [": nat", ": int = 2"])
                }
                _ => (op("+", base, more), ["", ""]),
            };
            let result = if params[0].is_empty() { "" } else { ": int" };
            defs.push(Def { name: name.clone(), params: vec![(n, params[0]), (x, params[1])], result, body, with });
            r.defs.push(name);
            r.names.clear();
        }
        defs
    }

    /// A domain about the graphs of the file.
    fn graphic(&mut self, graph: &Name) -> Option<Domain> {
        let graphs = self.random.graphs.clone()?;
        let rng = &mut self.random.rng;
        let vertex = Domain::Vertex(graph.clone(), graphs.labels.clone());
        let edges = graphs.edges();
        Some(match rng.below(8) {
            0..=3 => vertex,
            4 | 5 => Domain::Set(vertex.into()),
            6 if graphs.kind != "grid" && (1..=4).contains(&edges.len()) => {
                let edge = Domain::Edge(edges);
                if rng.chance(40) { edge } else { Domain::Set(edge.into()) }
            }
            6 => Domain::List(vertex.into(), 1),
            _ => Domain::Tuple(vec![vertex, Domain::numbers(rng, 2, false)]),
        })
    }

    fn measure(&mut self, most: i128, graph: &Name) -> (Domain, i128) {
        if self.random.graphs.is_some() && self.random.chance(40) {
            loop {
                if let Some(domain @ Domain::Set(_)) = self.graphic(graph) {
                    let Domain::Set(part) = &domain else { unreachable!() };
                    let most = part.members().len() as i128;
                    return (domain, most);
                }
            }
        }
        if self.random.chance(8) {
            let (rows, cols) = *self.random.rng.pick(&[(1, 3), (2, 2), (1, 2)]);
            let letters = if rows * cols < 4 { "X.#" } else { "X." };
            return (Domain::Grid { rows, cols, letters }, (rows * cols) as i128);
        }
        let is_big = self.random.is_big;
        let rng = &mut self.random.rng;
        let short = most.min(3);
        let length = usize::try_from(short).expect("small");
        let part = |rng: &mut Rng| loop {
            let (depth, is_big) = (u32::from(rng.chance(30)), is_big && rng.chance(30));
            let part = Domain::random(rng, depth, is_big);
            if (2..=4).contains(&part.members().len()) {
                break Box::new(part);
            }
        };
        match rng.below(9) {
            0..=3 => {
                let low = if is_big { *rng.pick(&BIG) } else { *rng.pick(&[0, 0, 0, -2, -5]) };
                (Domain::Int { low, high: low + most, is_nat: low >= 0 }, most)
            }
            4 => (Domain::List(part(rng), length), short),
            5 | 6 => {
                let part = part(rng);
                let most = part.members().len() as i128;
                (Domain::Set(part), most)
            }
            7 => (Domain::Bag(part(rng), length), short),
            _ => (Domain::Text { letters: 1 + rng.below(3), most: length }, short),
        }
    }

    /// Names, parameters and fields of a game.
    fn header(&mut self, name: &'static str, most: i128, is_wide: bool) -> Game {
        let r = &mut self.random;
        (r.names, r.taken) = (Vec::new(), Vec::new());
        let fresh = |r: &mut Random| {
            let name = r.fresh("");
            r.taken.push(name.clone());
            name
        };
        let is_big = r.is_big;
        let mut params: Vec<Field> = (0..r.rng.below(5).saturating_sub(2))
            .map(|_| field(fresh(r), Domain::random(&mut r.rng, 1, is_big)))
            .collect();
        let mut graph: Name = "gr0".into();
        if r.chance(40)
            && let Some(graphs) = r.graphs.clone()
        {
            graph = fresh(r);
            params.insert(0, field(graph.clone(), Domain::Graph(graphs.lets.clone())));
        }
        let count = *r.rng.pick(&[0, 1, 1, 2, 3]);
        let mut domains: Vec<Domain> = (0..count).map(|_| Domain::random(&mut r.rng, 2, is_big)).collect();
        if is_wide {
            let count = *r.rng.pick(&[6, 12, 30]);
            domains.push(Domain::numbers(&mut r.rng, count, is_big));
        }
        if self.random.graphs.is_some() && (domains.is_empty() || self.random.chance(60)) {
            domains.pop();
            domains.extend(self.graphic(&graph));
        }
        if let Some(root) = self.random.root
            && self.random.chance(30)
        {
            let real = |(p, q, d)| Value::Real(Real::new(p, q, d, root).expect("small"));
            domains.push(Domain::Real([(1, 0, 2), (0, 1, 1), (2, 0, 1), (-1, 1, 3)].map(real).to_vec()));
        }
        let measure = self.random.rng.below(domains.len() + 1);
        let (domain, level) = self.measure(most, &graph);
        domains.insert(measure, domain);
        let r = &mut self.random;
        let mut fields: Vec<Field> = domains.into_iter().map(|d| field(fresh(r), d)).collect();
        let last = fields.len() - 1;
        if last != measure && r.chance(30) {
            fields[last].default = Some(fields[last].domain.pick(&mut r.rng));
        }
        let may = |i: &usize| *i != measure || matches!(fields[*i].domain, Domain::List(..));
        let may: Vec<usize> = (0..fields.len()).filter(may).collect();
        let canonical = (r.chance(35) && !may.is_empty()).then(|| *r.rng.pick(&may));
        let (lets, ends, legal, moves) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (same, others) = (None, Vec::new());
        Game { name, params, fields, measure, level, canonical, lets, ends, legal, same, moves, others }
    }

    /// The canonical form of a field, as the rules and as `same as` say it.
    fn canonical(&mut self, domain: &Domain, x: Ex) -> Ex {
        match domain {
            Domain::Int { low, .. } if *low >= 0 && self.random.chance(50) => {
                op("+", int(*low), op("mod", Ex::Brackets(op("-", x, int(*low)).into()), int(2)))
            }
            Domain::List(..) => call("sort", vec![x]),
            Domain::Text { .. } => call("repeat", vec![Ex::Lit(Value::Text(LETTERS[0].to_string())), size(x)]),
            Domain::Tuple(parts) if parts.len() == 2 && parts[0].of() == parts[1].of() => {
                // A pair in order, where both parts are in both domains.
                let [a, b] = [0, 1].map(|i| at(x.clone(), int(i)));
                let (first, second) = (parts[0].members(), parts[1].members());
                if first == second && matches!(parts[0], Domain::Int { .. } | Domain::Text { .. }) {
                    call("(", vec![call("min", vec![a.clone(), b.clone()]), call("max", vec![a, b])])
                } else {
                    Ex::Lit(domain.members()[0].clone())
                }
            }
            _ => Ex::Lit(domain.members()[0].clone()),
        }
    }

    /// The rules of a game.
    fn rules(&mut self, index: usize) {
        let mut game = self.games[index].clone();
        let r = &mut self.random;
        r.taken = game.all().iter().map(|f| f.name.clone()).collect();
        r.names = self.lets.iter().map(|(name, ty, _)| (name.clone(), ty.clone(), false)).collect();
        for (i, f) in game.params.iter().chain(&game.fields).enumerate() {
            if game.canonical.is_none_or(|c| c + game.params.len() != i) {
                let is_nat = matches!(f.domain, Domain::Int { low: 0.., .. });
                r.names.push((f.name.clone(), f.domain.of(), is_nat));
            }
        }
        let mut let_names: Vec<Name> = (0..3).map(|_| "".into()).collect();
        for name in &mut let_names {
            *name = r.fresh("");
            r.taken.push(name.clone());
        }
        if let Some(c) = game.canonical {
            let f = &game.fields[c];
            let form = self.canonical(&f.domain, Ex::Name(f.name.clone()));
            let mut fields: Vec<Ex> = game.fields.iter().map(|f| Ex::Name(f.name.clone())).collect();
            fields[c] = form.clone();
            let said = (0..fields.len()).map(|i| (i, None)).collect();
            let params = game.params.iter().map(|f| Ex::Name(f.name.clone())).collect();
            let term = Term { game: index, name: game.name, params, says_params: false, fields, said };
            game.same = Some((term, op("!=", Ex::Name(f.name.clone()), form.clone())));
            // A literal alone need not have the type of the field.
            let is_lit = matches!(form, Ex::Lit(Value::Set(_) | Value::Bag(_) | Value::Tuple(_)));
            if !is_lit {
                let name = let_names.pop().expect("three");
                self.random.bind(&name, &f.domain.of());
                game.lets.push((name, form));
            }
        }
        for _ in 0..self.random.rng.below(3) {
            let r = &mut self.random;
            let known: Vec<Type> = r.names.iter().map(|n| n.1.clone()).chain([Type::Int, Type::Bool]).collect();
            let ty = r.rng.pick(&known).clone();
            let (e, name) = (r.ex(&ty, 2), let_names.pop().expect("three"));
            r.bind(&name, &ty);
            game.lets.push((name, e));
            if let_names.is_empty() {
                break;
            }
        }
        let r = &mut self.random;
        if r.chance(20) {
            let scope = r.names.len();
            let param = r.fresh("");
            r.bind(&param, &Type::Int);
            let body = r.ex(&Type::Int, 2);
            r.names.truncate(scope);
            let name: Name = format!("own{index}").into();
            let params = vec![(param, ""), ("_unused".into(), ": int")];
            let def = Def { name: name.clone(), params, result: "", body, with: None };
            game.others.push(def.text());
            self.local.push(def);
            r.defs.push(name);
        }
        if r.chance(10) {
            let c = r.truth(1);
            game.others.push(players(&c));
        }
        if r.chance(10) {
            let e = r.ex(&Type::Int, 1);
            game.others.push(picture(&[e, Ex::Name(game.fields[0].name.clone())]));
        }
        for _ in 0..*r.rng.pick(&[0, 0, 0, 1, 1, 2]) {
            let end = self.end(&game);
            game.ends.push(end);
        }
        let r = &mut self.random;
        for _ in 0..*r.rng.pick(&[0, 0, 0, 0, 1, 2]) {
            let c = r.truth(2);
            game.legal.push(if r.chance(85) { op("or", c, r.truth(1)) } else { c });
        }
        for _ in 0..*r.rng.pick(&[1, 2, 2, 3, 4]) {
            let scope = self.random.names.len();
            let made = self.make_move(index, &game);
            self.random.names.truncate(scope);
            game.moves.push(made);
        }
        self.random.defs.retain(|name| !name.starts_with("own"));
        self.games[index] = game;
    }

    /// Points: small or not, where numbers are large.
    fn points(&mut self) -> Ex {
        let e = self.random.ex(&Type::Int, 1);
        if self.random.is_big && self.random.chance(40) {
            return op("-", op("mod", e, int(7)), int(3));
        }
        e
    }

    fn end(&mut self, game: &Game) -> (Ex, Verdict) {
        let mut c = self.random.truth(2);
        if self.random.chance(60) {
            c = op("and", op("<=", level(&game.fields[game.measure]), int(1)), c);
        }
        let is_choice = self.random.chance(25);
        let verdict = |m: &mut Maker| match m.plays {
            Plays::Ends => Verdict::Over(*m.random.rng.pick(&["lost", "won", "drawn"])),
            _ => Verdict::Score(m.points()),
        };
        let verdict = match self.plays {
            Plays::Plain => Verdict::NoMoves,
            _ if self.random.chance(25) => Verdict::NoMoves,
            _ if is_choice => {
                let d = self.random.truth(1);
                Verdict::If(d, Box::new([verdict(self), verdict(self)]))
            }
            _ => verdict(self),
        };
        (c, verdict)
    }

    /// The clauses that make the measure smaller.
    fn step(&mut self, game: &Game, clauses: &mut Vec<Clause>, prefix: &str) -> Step {
        let f = &game.fields[game.measure];
        let (level, x) = (level(f), Ex::Name(f.name.clone()));
        if self.is_loopy && self.random.chance(60) {
            return Step { after: level.clone(), level, measure: x, keeps: true };
        }
        let r = &mut self.random;
        let way = r.rng.below(10);
        let less = op("-", level.clone(), int(1));
        let mut binder = |r: &mut Random, ty: &Type, source: Ex| {
            let name = r.fresh(prefix);
            r.bind(&name, ty);
            clauses.push(Clause::In(one(&name), source));
            Ex::Name(name)
        };
        let places = |x: &Ex| call("indices", vec![x.clone()]);
        let slice = |a: Option<Ex>, b: Option<Ex>| Ex::Slice(x.clone().into(), a.map(Box::new), b.map(Box::new));
        let without = |i: &Ex| {
            let before = slice(None, Some(op("-", i.clone(), int(1))));
            op("+", before, slice(Some(op("+", i.clone(), int(1))), None))
        };
        if let (Domain::Int { low, .. }, 0..=5) = (&f.domain, way) {
            let most = call("min", vec![level.clone(), r.lit(1, 3)]);
            let range = op("..", r.lit(1, 2), most);
            let k = binder(r, &Type::Int, range);
            let after = op("-", level.clone(), k.clone());
            let measure = if *low != 0 && way < 3 { op("-", x, k) } else { measured(&f.domain, after.clone(), r) };
            return Step { level, after, measure, keeps: false };
        }
        let measure = match (&f.domain, way) {
            _ if game.canonical == Some(game.measure) => None,
            (Domain::List(..) | Domain::Text { .. }, 0..=3) => Some(without(&binder(r, &Type::Int, places(&x)))),
            (Domain::List(..), 4 | 5) => {
                let i = binder(r, &Type::Int, op("..", int(0), op("-", size(x.clone()), int(1))));
                let other: Name = "p8".into();
                let rest = Clause::Where(op("!=", Ex::Name(other.clone()), i));
                let over = vec![Clause::In(one(&other), places(&x)), rest];
                Some(Ex::Each("[", at(x.clone(), Ex::Name(other)).into(), over))
            }
            (Domain::Grid { letters, .. }, 0..=7) => {
                let cells = call("cells", vec![x.clone(), counted(letters)]);
                let cell = binder(r, &Type::Tuple(vec![Type::Int, Type::Int]), cells);
                let other = Ex::Lit(Value::Text(letters[1..2].to_string()));
                Some(Ex::Update(x.clone().into(), vec![(cell, ":=", other)], vec![]))
            }
            (Domain::Set(part), 0..=3) if matches!(**part, Domain::Vertex(..)) => {
                let v = binder(r, &Type::Vertex, x.clone());
                Some(op("-", op("-", x.clone(), call("{", vec![v.clone()])), near(r, v)))
            }
            (Domain::Set(part), 0..=4) => {
                let v = binder(r, &part.of(), x.clone());
                Some(op("-", x.clone(), call("{", vec![v])))
            }
            (Domain::Set(_), 5..=7) => {
                let some = binder(r, &f.domain.of(), call("subsets", vec![x.clone()]));
                clauses.push(Clause::Where(op("!=", some.clone(), call("{", vec![]))));
                Some(op("-", x.clone(), some))
            }
            (Domain::Bag(part, _), 0..=4) => {
                let v = binder(r, &part.of(), x.clone());
                Some(op("-", x.clone(), call("[", vec![v])))
            }
            (Domain::Bag(part, _), 5..=7) => {
                let names = r.two(&part.of(), prefix);
                let pattern = Pattern::Parts(names.iter().map(one).collect());
                clauses.push(Clause::In(pattern, call("pairs", vec![x.clone()])));
                let [a, b] = names.map(Ex::Name);
                let left = op("-", x.clone(), call("[", vec![a.clone(), b]));
                Some(op("+", left, call("[", vec![a])))
            }
            _ => None,
        };
        let measure = measure.unwrap_or_else(|| {
            clauses.push(Clause::Where(op(">", level.clone(), int(0))));
            match &f.domain {
                Domain::List(..) | Domain::Text { .. } if game.canonical.is_none() && way < 8 => {
                    slice(Some(int(1)), None)
                }
                domain => measured(domain, less.clone(), r),
            }
        });
        Step { level, after: less, measure, keeps: false }
    }

    /// Clauses of any form.
    fn further(&mut self, clauses: &mut Vec<Clause>, prefix: &str) {
        let r = &mut self.random;
        if r.graphs.is_some() && r.chance(35) {
            let g = r.ex(&Type::Graph, 0);
            let vertices = Type::Set(Box::new(Type::Vertex));
            let has_edges = r.graphs.as_ref().is_some_and(|graphs| !graphs.edges().is_empty());
            let (ty, all) = match r.rng.below(8) {
                0..=3 => (Type::Vertex, r.vertices(1)),
                7 if has_edges => (Type::Edge, call("edges", vec![Ex::Name("gr0".into())])),
                5 => (vertices.clone(), call("components", vec![g, r.ex(&vertices, 1)])),
                6 => {
                    let pattern = Pattern::Parts(r.two(&Type::Vertex, prefix).iter().map(one).collect());
                    clauses.push(Clause::In(pattern, call("edges", vec![g])));
                    return;
                }
                _ => (Type::Vertex, g),
            };
            clauses.push(Clause::In(r.pattern(&ty, prefix), all));
            return;
        }
        match r.rng.below(15) {
            13 => {
                let ints = Type::List(Box::new(Type::Int));
                let Some(xs) = r.named(&ints) else { return };
                let (x, name) = (r.fresh(""), r.fresh(prefix));
                let range = op("..", int(0), op("mod", Ex::Name(x.clone()), int(3)));
                let all = Ex::Each("choices", Box::new(range), vec![Clause::In(one(&x), xs)]);
                r.bind(&name, &ints);
                clauses.push(Clause::In(one(&name), all));
            }
            14 => {
                let name = r.fresh(prefix);
                let n = op("mod", r.ex(&Type::Int, 1), int(5));
                let (all, ty) = match r.rng.below(3) {
                    0 => (call("partitions", vec![n]), Type::Bag(Box::new(Type::Int))),
                    1 => {
                        let sizes = op("..", int(0), r.lit(0, 2));
                        (call("subsets", vec![op("..", int(1), n), sizes]), Type::Set(Box::new(Type::Int)))
                    }
                    _ => {
                        let taken = r.ex(&Type::Set(Box::new(Type::Int)), 1);
                        (call("slide", vec![r.lit(-1, 4), n, taken]), Type::Int)
                    }
                };
                r.bind(&name, &ty);
                clauses.push(Clause::In(one(&name), all));
            }
            0 => {
                let both = op("..", r.lit(-1, 0), r.lit(0, 1));
                let names = r.two(&Type::Int, prefix);
                clauses.extend(names.iter().map(|name| Clause::In(one(name), both.clone())));
            }
            1..=3 => {
                let (xs, part) = r.source(1);
                clauses.push(Clause::In(r.pattern(&part, prefix), xs));
            }
            4 => {
                let (xs, part) = r.source(0);
                let pair = Type::Tuple(vec![part.clone(), part.clone()]);
                let xs = if matches!(xs, Ex::Op("..", ..)) { call("[", vec![xs]) } else { xs };
                if r.chance(50) {
                    clauses.push(Clause::In(r.pattern(&pair, prefix), call("pairs", vec![xs])));
                } else {
                    let name = r.fresh(prefix);
                    r.bind(&name, &Type::List(Box::new(part)));
                    clauses.push(Clause::In(one(&name), call("choose", vec![xs, r.lit(0, 2)])));
                }
            }
            5 => {
                let Some(set) = r.names.iter().find(|n| matches!(n.1, Type::Set(_))).cloned() else { return };
                let name = r.fresh(prefix);
                r.bind(&name, &set.1);
                clauses.push(Clause::In(one(&name), call("subsets", vec![Ex::Name(set.0)])));
            }
            6 => {
                let letters = Ex::Lit(Value::Text(LETTERS[2..].concat()));
                let name = r.fresh(prefix);
                r.bind(&name, &Type::Text);
                clauses.push(Clause::In(one(&name), call("words", vec![letters, op("..", int(0), int(1))])));
            }
            7 => {
                let name = r.fresh(prefix);
                r.bind(&name, &Type::Bool);
                let both = [false, true].map(|b| Ex::Lit(Value::Bool(b))).to_vec();
                clauses.push(Clause::In(one(&name), call("[", both)));
            }
            8 => {
                let members = (0..r.number(1, 3)).map(|_| call("(", vec![r.lit(0, 2), r.lit(-1, 1)])).collect();
                let pair = Type::Tuple(vec![Type::Int, Type::Int]);
                clauses.push(Clause::In(r.pattern(&pair, prefix), call("[", members)));
            }
            9 | 10 => {
                let mut types: Vec<Type> = r.names.iter().map(|n| n.1.clone()).collect();
                types.extend([Type::Int, Type::Bool, Type::Tuple(vec![Type::Int, Type::Text])]);
                let ty = r.rng.pick(&types).clone();
                let e = r.ex(&ty, 2);
                clauses.push(Clause::Is(r.pattern(&ty, ""), e));
            }
            _ => clauses.push(Clause::Where(r.truth(2))),
        }
    }

    /// A position that the move leads to; `further` down by so much.
    fn term(&mut self, own: usize, game: &Game, step: &Step, is_part: bool, further: i128) -> Term {
        let index = if self.is_alone || self.random.chance(65) { own } else { self.random.rng.below(self.games.len()) };
        let other = if index == own { game.clone() } else { self.games[index].clone() };
        let mut fields = Vec::new();
        for (i, f) in other.fields.iter().enumerate() {
            let is_plain = index == own && further == 0 && (!step.keeps || !is_part);
            fields.push(if i == other.measure && is_plain {
                step.measure.clone()
            } else if i == other.measure {
                let mut after = step.after.clone();
                if further > 0 {
                    after = call("max", vec![int(0), op("-", after, int(further))]);
                }
                measured(&f.domain, call("min", vec![after, int(other.level)]), &mut self.random)
            } else {
                let depth = 1 + u32::from(self.random.chance(50));
                let e = self.random.ex(&f.domain.of(), depth);
                f.domain.fit(e, 0, &mut self.random.rng)
            });
        }
        let params: Vec<Ex> = if index == own {
            game.params.iter().map(|f| Ex::Name(f.name.clone())).collect()
        } else {
            let any = |f: &Field| (f.domain.clone(), self.random.ex(&f.domain.of(), 1));
            let made: Vec<(Domain, Ex)> = other.params.iter().map(any).collect();
            made.into_iter().map(|(domain, e)| domain.fit(e, 0, &mut self.random.rng)).collect()
        };
        let mut count = fields.len();
        if let Some(default) = other.fields.last().and_then(|f| f.default.clone())
            && self.random.chance(50)
        {
            count -= 1;
            fields[count] = Ex::Lit(default);
        }
        let mut said: Vec<(usize, Option<Name>)> = (0..count).map(|i| (i, None)).collect();
        if self.random.chance(15) {
            let cut = self.random.rng.below(count + 1);
            said[cut..].reverse();
            said[cut..].iter_mut().for_each(|(i, name)| *name = Some(other.fields[*i].name.clone()));
        }
        Term { game: index, name: other.name, says_params: index != own && !params.is_empty(), params, fields, said }
    }

    fn place(&mut self, own: usize, game: &Game, step: &Step, is_part: bool) -> Place {
        if !self.random.chance(self.sums) || is_part && self.random.chance(80) {
            let further = i128::from(is_part && (step.keeps || self.random.chance(50)));
            return Place::One(self.term(own, game, step, is_part, further));
        }
        let part = |m: &mut Maker| Box::new(m.place(own, game, step, true));
        match self.random.rng.below(4) {
            0 | 1 => Place::Plus(Box::new([*part(self), *part(self)])),
            2 => Place::Times(self.random.number(0, 2), part(self)),
            _ => {
                let scope = self.random.names.len();
                let members = (0..self.random.number(1, 2)).map(|_| self.random.ex(&Type::Int, 1)).collect();
                let members = call("[", members);
                let members = if self.random.chance(25) { call("bag", vec![members]) } else { members };
                let name = self.random.fresh("");
                self.random.bind(&name, &Type::Int);
                let place = part(self);
                self.random.names.truncate(scope);
                Place::Sum(place, vec![Clause::In(one(&name), members)])
            }
        }
    }

    fn target(&mut self, own: usize, game: &Game, step: &Step, depth: u32) -> Target {
        if depth > 0 && self.random.chance(18) {
            let c = self.random.truth(2);
            let part = |m: &mut Maker| m.target(own, game, step, depth - 1);
            return Target::If(c, Box::new([part(self), part(self)]));
        }
        if self.plays == Plays::Ends && self.random.chance(30) {
            return Target::Over(*self.random.rng.pick(&["win", "lose", "draw"]));
        }
        let place = self.place(own, game, step, false);
        let again = self.plays != Plays::Plain && self.random.chance(20);
        let gain = (self.plays == Plays::Scores && self.random.chance(75)).then(|| self.points());
        Target::To { again, place, gain }
    }

    fn make_move(&mut self, own: usize, game: &Game) -> Move {
        const MOVES: [&str; 12] = ["take", "go", "win", "lose", "draw", "split", "a", "B", "end", "gain", "again", "X"];
        let name = *self.random.rng.pick(&MOVES);
        let prefix = if self.random.chance(12) { "_" } else { "" };
        let mut clauses = Vec::new();
        let step = self.step(game, &mut clauses, prefix);
        if step.keeps {
            // Sums must get smaller even where play comes back.
            clauses.push(Clause::Where(op(">", step.level.clone(), int(if self.sums > 0 { 0 } else { -1 }))));
        }
        for _ in 0..*self.random.rng.pick(&[0, 0, 1, 1, 2]) {
            self.further(&mut clauses, prefix);
        }
        let target = self.target(own, game, &step, 1);
        Move { name, clauses, target }
    }
}

/// The file of a seed, and the generator that goes on with questions.
pub(super) fn file(seed: u64) -> (File, Random) {
    let mut rng = Rng::new(seed);
    let plays = *rng.pick(&[Plays::Plain, Plays::Plain, Plays::Ends, Plays::Scores]);
    let is_loopy = plays != Plays::Scores && rng.chance(45);
    let is_misere = plays != Plays::Scores && rng.chance(25);
    let is_wide = rng.chance(20);
    let is_big = rng.chance(if is_wide { 15 } else { 30 });
    let sums = *rng.pick(if is_wide { &[0, 0, 25] } else { &[0, 25, 50] });
    let root = (!is_big && rng.chance(35)).then(|| *rng.pick(&[2, 3, 5, 5, 7]));
    let graphs = rng.chance(40).then(|| Rc::new(Graphs::random(&mut rng)));
    let random =
        Random { rng, names: vec![], taken: vec![], defs: vec![], is_big, asked: None, graphs: graphs.clone(), root };
    let mut maker =
        Maker { random, plays, is_loopy, sums, is_alone: false, games: vec![], lets: vec![], local: vec![] };
    for (i, graph) in graphs.iter().flat_map(|graphs| &graphs.lets).enumerate() {
        maker.lets.push((format!("gr{i}").into(), Type::Graph, Ex::Lit(graph.clone())));
    }
    if root.is_some() {
        let phi = maker.random.real(0);
        maker.lets.push(("phi".into(), Type::Real, phi));
    }
    for i in 0..maker.random.rng.below(3) {
        let ty = Domain::random(&mut maker.random.rng, 2, false).of();
        let e = maker.random.ex(&ty, 3);
        maker.lets.push((format!("value{i}").into(), ty, e));
    }
    let defs = maker.defs();
    let mut names = vec!["Nim", "G", "Heap", "A1", "Wythoff_2", "Q"];
    let count = *maker.random.rng.pick(&[1, 1, 2, 2, 3]);
    for _ in 0..count {
        let name = names.swap_remove(maker.random.rng.below(names.len()));
        let levels: &[i64] = if is_wide && sums == 0 { &[4, 6, 9] } else { &[2, 2, 3, 3, 4] };
        let most = (*maker.random.rng.pick(levels)).into();
        let game = maker.header(name, most, is_wide);
        maker.games.push(game);
    }
    // The last game may be asked about: it leads to itself only, and ends.
    let asks = count > 1 && maker.random.chance(50);
    if asks {
        let all = std::mem::take(&mut maker.games);
        let last = all.len() - 1;
        let (plays, sums) = (maker.plays, maker.sums);
        (maker.plays, maker.sums, maker.is_loopy) = (Plays::Plain, 0, false);
        maker.games.clone_from(&all);
        maker.is_alone = true;
        maker.rules(last);
        maker.is_alone = false;
        (maker.plays, maker.sums, maker.is_loopy) = (plays, sums, is_loopy);
        let domains = |fields: &[Field]| fields.iter().map(|f| f.domain.clone()).collect();
        let (params, fields) = (domains(&all[last].params), domains(&all[last].fields));
        maker.random.asked = Some(Asked { game: last, name: all[last].name, params, fields, misere: is_misere });
    }
    for index in 0..count - usize::from(asks) {
        maker.rules(index);
    }
    maker.random.asked = None;
    let global_defs = defs.len();
    let defs = defs.into_iter().chain(maker.local).collect();
    let lets = maker.lets.into_iter().map(|(name, _, e)| (name, e)).collect();
    let mut file = File {
        plays,
        is_misere,
        is_big,
        lets,
        defs,
        global_defs,
        games: maker.games,
        data: None,
        used: Used::default(),
    };
    if maker.random.chance(30)
        && let Some(graphs) = &graphs
    {
        file.data = Some(graphs::data(&graphs.lets[0], &mut maker.random.rng));
    }
    if maker.random.chance(25) {
        file.use_another(&mut maker.random.rng);
    }
    (file, maker.random)
}
