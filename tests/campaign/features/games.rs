//! Files of random games that lead to each other: their parts and their text.

use super::expressions::{Clause, Def, Ex, Name, Term, clauses, texts};
use super::values::{Domain, Value};
use crate::rng::Rng;

#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) name: Name,
    pub(super) domain: Domain,
    pub(super) default: Option<Value>,
}

/// What stands behind `end when C`.
#[derive(Clone, Debug)]
pub(super) enum Verdict {
    NoMoves,
    /// `lost`, `won` or `drawn`.
    Over(&'static str),
    Score(Ex),
    If(Ex, Box<[Verdict; 2]>),
}

/// Where a move leads.
#[derive(Clone, Debug)]
pub(super) enum Target {
    /// `win`, `lose` or `draw`.
    Over(&'static str),
    If(Ex, Box<[Target; 2]>),
    To {
        again: bool,
        place: Place,
        gain: Option<Ex>,
    },
}

#[derive(Clone, Debug)]
pub(super) enum Place {
    One(Term),
    Plus(Box<[Place; 2]>),
    Times(i128, Box<Place>),
    Sum(Box<Place>, Vec<Clause>),
}

#[derive(Clone, Debug)]
pub(super) struct Move {
    pub(super) name: &'static str,
    pub(super) clauses: Vec<Clause>,
    pub(super) target: Target,
}

#[derive(Clone, Debug)]
pub(super) struct Game {
    pub(super) name: &'static str,
    pub(super) params: Vec<Field>,
    pub(super) fields: Vec<Field>,
    /// The field that moves make smaller, and its greatest level.
    pub(super) measure: usize,
    pub(super) level: i128,
    /// The field of which the rules read a canonical form only.
    pub(super) canonical: Option<usize>,
    pub(super) lets: Vec<(Name, Ex)>,
    pub(super) ends: Vec<(Ex, Verdict)>,
    pub(super) legal: Vec<Ex>,
    pub(super) same: Option<(Term, Ex)>,
    pub(super) moves: Vec<Move>,
    /// Lines that change no answer, and definitions.
    pub(super) others: Vec<String>,
}

/// What kind of play the games of a file are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Plays {
    Plain,
    /// With ends of the whole play and `again`.
    Ends,
    Scores,
}

pub(super) struct File {
    pub(super) plays: Plays,
    pub(super) is_misere: bool,
    pub(super) is_big: bool,
    /// Values that all games may use.
    pub(super) lets: Vec<(Name, Ex)>,
    pub(super) defs: Vec<Def>,
    /// How many of the definitions stand outside of games.
    pub(super) global_defs: usize,
    pub(super) games: Vec<Game>,
    /// The file of data that the first graph comes from: how its name ends, and its text.
    pub(super) data: Option<(&'static str, String)>,
    pub(super) used: Used,
}

/// What stands in another file: nothing, the lets, the definitions too, and some games.
#[derive(Clone, Debug, Default)]
pub(super) struct Used {
    pub(super) level: usize,
    pub(super) games: Vec<bool>,
}

impl Def {
    pub(super) fn text(&self) -> String {
        let param = |(name, kind): &(Name, &str)| format!("{name}{kind}");
        let params: Vec<String> = self.params.iter().map(param).collect();
        let with = self.with.as_ref().map_or(String::new(), |(name, e)| format!("\n  with {name} = {}", e.text(0)));
        format!("def {}({}){} = {}{with}", self.name, params.join(", "), self.result, self.body.text(0))
    }
}

impl Verdict {
    fn text(&self) -> String {
        match self {
            Verdict::NoMoves => String::new(),
            Verdict::Over(word) => (*word).to_string(),
            Verdict::Score(e) => format!("score {}", e.text(1)),
            Verdict::If(c, parts) => format!("if {} then {} else {}", c.text(0), parts[0].text(), parts[1].text()),
        }
    }
}

impl Target {
    fn text(&self) -> String {
        match self {
            Target::Over(word) => (*word).to_string(),
            Target::If(c, parts) => format!("if {} then {} else {}", c.text(0), parts[0].text(), parts[1].text()),
            Target::To { again, place, gain } => {
                let gain = gain.as_ref().map_or(String::new(), |e| format!(" gain {}", e.text(1)));
                format!("{}{}{gain}", if *again { "again " } else { "" }, place.text(false))
            }
        }
    }
    pub(super) fn gains(&self) -> bool {
        match self {
            Target::Over(_) => false,
            Target::If(_, parts) => parts.iter().any(Target::gains),
            Target::To { gain, .. } => gain.is_some(),
        }
    }
    /// The games it leads to.
    pub(super) fn games(&self) -> Vec<usize> {
        match self {
            Target::Over(_) => Vec::new(),
            Target::If(_, parts) => parts.iter().flat_map(Target::games).collect(),
            Target::To { place, .. } => place.games(),
        }
    }
}

impl Place {
    pub(super) fn text(&self, is_tight: bool) -> String {
        match self {
            Place::One(term) => term.text(),
            Place::Plus(parts) if is_tight => format!("({} + {})", parts[0].text(false), parts[1].text(true)),
            Place::Plus(parts) => format!("{} + {}", parts[0].text(false), parts[1].text(true)),
            Place::Times(n, place) => format!("{n} * {}", place.text(true)),
            Place::Sum(place, over) => format!("sum({} for {})", place.text(false), clauses(over)),
        }
    }
    fn games(&self) -> Vec<usize> {
        match self {
            Place::One(term) => vec![term.game],
            Place::Plus(parts) => parts.iter().flat_map(Place::games).collect(),
            Place::Times(_, place) | Place::Sum(place, _) => place.games(),
        }
    }
}

impl Move {
    /// The binders that tell its moves apart.
    pub(super) fn binders(&self) -> Vec<Name> {
        let names = self.clauses.iter().flat_map(|clause| match clause {
            Clause::In(pattern, _) => pattern.names(),
            _ => Vec::new(),
        });
        names.filter(|name| !name.starts_with('_')).collect()
    }
    fn text(&self) -> String {
        format!("move {} {} -> {}", self.name, clauses(&self.clauses), self.target.text())
    }
}

impl Game {
    /// Parameters and fields.
    pub(super) fn all(&self) -> Vec<&Field> {
        self.params.iter().chain(&self.fields).collect()
    }
    fn leads(&self) -> Vec<usize> {
        self.moves.iter().flat_map(|m| m.target.games()).collect()
    }
    /// A position of these values, written out.
    pub(super) fn position<T: std::fmt::Display>(&self, values: &[T]) -> String {
        let list = |values: &[T]| values.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let (params, fields) = values.split_at(self.params.len());
        let params = if params.is_empty() { String::new() } else { format!("[{}]", list(params)) };
        format!("{}{params}({})", self.name, list(fields))
    }
    fn head(&self) -> String {
        let field = |field: &Field| {
            let kind = match (field.domain.kind(), &field.default) {
                (kind, Some(value)) => format!(": {kind} = {}", value.text()),
                // A field without a type is a nat.
                (kind, None) if kind == "nat" && field.name.len().is_multiple_of(2) => String::new(),
                (kind, None) => format!(": {kind}"),
            };
            format!("{}{kind}", field.name)
        };
        let list = |fields: &[Field]| fields.iter().map(field).collect::<Vec<_>>().join(", ");
        let params = if self.params.is_empty() { String::new() } else { format!("[{}]", list(&self.params)) };
        let conditions = self.all().into_iter().filter_map(|f| f.domain.condition(Ex::Name(f.name.clone()), 0));
        let all = conditions.map(|c| c.text(5)).collect::<Vec<_>>().join(" and ");
        let all = if all.is_empty() { "true".to_string() } else { all };
        format!("game {}{params}({}) where {all}", self.name, list(&self.fields))
    }
    fn text(&self, further: &[String]) -> String {
        let mut lines: Vec<String> = self.lets.iter().map(|(name, e)| format!("let {name} = {}", e.text(0))).collect();
        lines.extend(self.others.clone());
        for (c, verdict) in &self.ends {
            let verdict = verdict.text();
            let colon = if verdict.is_empty() { "" } else { ": " };
            lines.push(format!("end when {}{colon}{verdict}", c.text(0)));
        }
        lines.extend(self.legal.iter().map(|c| format!("legal when {}", c.text(0))));
        lines.extend(self.same.iter().map(|(term, c)| format!("same as {} when {}", term.text(), c.text(0))));
        let moves: Vec<String> = self.moves.iter().map(Move::text).collect();
        // Lines may stand in any order.
        let at = if lines.len().is_multiple_of(3) { 0 } else { lines.len() };
        lines.splice(at..at, moves);
        lines.extend(further.iter().cloned());
        format!("{} {{\n  {}\n}}\n", self.head(), lines.join("\n  "))
    }
}

impl File {
    fn lets(&self) -> String {
        let value = |name: &str, e: &Ex| match (e, &self.data) {
            (Ex::Lit(Value::Graph(graph)), Some((end, _))) if name == "gr0" => {
                format!("{} from \"{}.{end}\"", graph.kind, File::used_name())
            }
            _ => e.text(0),
        };
        let lines: Vec<String> =
            self.lets.iter().map(|(name, e)| format!("let {name} = {}\n", value(name, e))).collect();
        lines.concat()
    }
    fn defs(&self) -> String {
        self.defs[..self.global_defs].iter().map(|def| def.text() + "\n").collect()
    }
    fn game(&self, index: usize, further: &[String]) -> String {
        let misere = if self.is_misere { "misere " } else { "" };
        format!("{misere}{}", self.games[index].text(further))
    }
    fn is_used(&self, index: usize) -> bool {
        self.used.games.get(index).is_some_and(|is| *is)
    }
    /// The name of the file that is used, without `.game`.
    pub(super) fn used_name() -> String {
        format!("grundy-used-{}", std::process::id())
    }
    /// Moves a part of the file to another one: of the games those that lead to games there alone.
    pub(super) fn use_another(&mut self, rng: &mut Rng) {
        let level = 1 + rng.below(3);
        let mut games: Vec<bool> = self.games.iter().map(|_| level > 2 && rng.chance(75)).collect();
        // The last game may be asked about by all others.
        if games.last() == Some(&false) {
            games.fill(false);
        }
        while let Some(i) = (0..games.len()).find(|i| games[*i] && !self.games[*i].leads().iter().all(|g| games[*g])) {
            games[i] = false;
        }
        self.used = Used { level, games };
    }
    /// The file that is used. What the other has of the same names has another meaning here.
    pub(super) fn used_text(&self) -> Option<String> {
        let level = self.used.level;
        let defs = if level > 1 { self.defs() } else { "def f0(n, x) = 77\ndef only1(t: text) = \"?\"\n".to_string() };
        let games = (0..self.games.len()).map(|i| {
            let name = self.games[i].name;
            if self.is_used(i) { self.game(i, &[]) } else { format!("game {name}(q) {{ move no -> {name}(q) }}\n") }
        });
        (level > 0).then(|| self.lets() + &defs + &games.collect::<String>())
    }
    /// The file, with further lines in the first game that is named, which then stands here though it is used too.
    pub(super) fn text(&self, game: usize, further: &[String]) -> String {
        let level = self.used.level;
        let mut text = if level > 0 { format!("use \"{}\"\n", File::used_name()) } else { self.lets() };
        text += &if level > 1 { String::new() } else { self.defs() };
        for i in 0..self.games.len() {
            let further = if i == game { further } else { &[] };
            if !self.is_used(i) || !further.is_empty() {
                text += &self.game(i, further);
            }
        }
        text
    }
    /// Whether a rule of the game, or of one that it leads to, has `gain` or `score`.
    pub(super) fn is_scored(&self, game: usize) -> bool {
        let mut reached = vec![game];
        let mut i = 0;
        while i < reached.len() {
            for next in self.games[reached[i]].leads() {
                if !reached.contains(&next) {
                    reached.push(next);
                }
            }
            i += 1;
        }
        let scores = |verdict: &Verdict| match verdict {
            Verdict::Score(_) => true,
            Verdict::If(_, parts) => matches!(parts[0], Verdict::Score(_)),
            _ => false,
        };
        let has_points = |g: &Game| g.moves.iter().any(|m| m.target.gains()) || g.ends.iter().any(|e| scores(&e.1));
        reached.into_iter().any(|g| has_points(&self.games[g]))
    }
}

/// `players E, F`.
pub(super) fn players(c: &Ex) -> String {
    let name = |a: &str, b: &str| format!("if {} then \"{a}\" else \"{b}\"", c.text(0));
    format!("players {}, {}", name("Ä", "y"), name("y", "Ä"))
}

/// `draw E, F`.
pub(super) fn picture(parts: &[Ex]) -> String {
    format!("draw {}", texts(parts))
}
