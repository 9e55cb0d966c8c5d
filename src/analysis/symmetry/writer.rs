//! Rules written as text, with two fields exchanged.

use crate::analysis::symmetry::orders;
use crate::model::kind::Kind;
use crate::model::{
    Clause, Ending, Game, GameId, LogicOp, Pattern, Place, PlaceParams, Program, Slot, Target, Term, TermKind,
};
use hashbrown::HashMap;

/// Rules are written down up to so many characters.
const ROOM: usize = 1 << 15;

/// Rules as text, see the module.
#[derive(PartialEq, Eq)]
pub(super) struct Rules {
    fields: Vec<String>,
    filter: Option<String>,
    ends: Vec<String>,
    legal: Vec<String>,
    same: Vec<String>,
    moves: Vec<String>,
}

/// Writes rules with two fields exchanged.
#[derive(Clone)]
pub(super) struct Writer<'p> {
    pub(super) game: &'p Game,
    id: GameId,
    pub(super) program: &'p Program,
    /// The fields that change places.
    exchanged: [usize; 2],
    /// Bound slots by number.
    names: HashMap<Slot, usize>,
    /// How many are bound.
    pub(super) bound: usize,
    /// Characters left.
    pub(super) room: usize,
    /// Lazy names that are being written.
    lazy: Vec<Slot>,
}

impl<'p> Writer<'p> {
    pub(super) fn new(game: &'p Game, id: GameId, program: &'p Program, i: usize, j: usize) -> Writer<'p> {
        let (names, lazy) = (HashMap::new(), Vec::new());
        Writer { game, id, program, exchanged: [i, j], names, bound: 0, room: ROOM, lazy }
    }

    /// The field that a field becomes.
    fn field(&self, field: usize) -> usize {
        match self.exchanged {
            [i, j] if field == i => j,
            [i, j] if field == j => i,
            _ => field,
        }
    }

    /// All rules. `None`: something in them is not looked into.
    pub(super) fn rules(mut self) -> Option<Rules> {
        let game = self.game;
        let kinds = (0..game.fields.len()).map(|field| &game.fields[self.field(field)].kind);
        let fields = kinds.collect::<Vec<_>>().into_iter().map(|kind| self.kind(kind)).collect::<Option<_>>()?;
        let filter = match &game.filter {
            Some(term) => Some(self.term(term)?),
            None => None,
        };
        let mut ends = Vec::new();
        for end in &game.ends {
            let verdict = match &end.verdict {
                Ending::Over => "over".to_string(),
                Ending::Play(outcome) => format!("{outcome:?}"),
                Ending::Score(points) => self.term(points)?,
            };
            ends.push(format!("{verdict} when {}", self.term(&end.when)?));
        }
        // The first that holds counts, so their order matters unless all say the same.
        let plain = |ending: &Ending| matches!(ending, Ending::Over);
        if game.ends.iter().all(|end| plain(&end.verdict)) {
            ends.sort();
        }
        let mut legal = game.legal.iter().map(|term| self.term(term)).collect::<Option<Vec<_>>>()?;
        legal.sort();
        let mut same = Vec::new();
        for line in &game.same {
            same.push(format!("{} when {}", self.term(&line.position)?, self.term(&line.when)?));
        }
        let mut moves = Vec::new();
        for mv in &game.moves {
            let mut least: Option<String> = None;
            for clauses in orders(&mv.clauses) {
                let mut writer = self.clone();
                let clauses = writer.clauses(clauses.iter().copied())?;
                let text = format!("{clauses} -> {}", writer.target(&mv.target)?);
                self.room = self.room.min(writer.room);
                least = Some(least.map_or(text.clone(), |least| least.min(text)));
            }
            moves.push(least?);
        }
        moves.sort();
        Some(Rules { fields, filter, ends, legal, same, moves })
    }

    fn target(&mut self, target: &Target) -> Option<String> {
        Some(match target {
            Target::If(condition, yes, no) => {
                format!("if({} {} {})", self.term(condition)?, self.target(yes)?, self.target(no)?)
            }
            Target::Stop(outcome) => format!("{outcome:?}"),
            Target::Go { again, position, gain } => {
                let gain = match gain {
                    Some(gain) => self.term(gain)?,
                    None => String::new(),
                };
                format!("go({again} {} {gain})", self.term(position)?)
            }
        })
    }

    /// Clauses in their order; conditions that follow each other are one.
    pub(super) fn clauses<'t>(&mut self, clauses: impl Iterator<Item = &'t Clause>) -> Option<String> {
        let (mut text, mut conditions) = (String::new(), Vec::new());
        for clause in clauses {
            if let Clause::Where(condition) = clause {
                conditions.push(condition);
                continue;
            }
            text += &self.joined(LogicOp::And, &std::mem::take(&mut conditions))?;
            match clause {
                Clause::In { pattern, source, .. } => {
                    let (source, bound) = (self.term(source)?, self.bind(pattern));
                    text = format!("{text} in({source}){bound}");
                }
                Clause::Let { pattern, value } => {
                    let (value, bound) = (self.term(value)?, self.bind(pattern));
                    text = format!("{text} let({value}){bound}");
                }
                Clause::Where(_) => {}
            }
        }
        text += &self.joined(LogicOp::And, &conditions)?;
        Some(text)
    }

    fn bind(&mut self, pattern: &Pattern) -> String {
        match pattern {
            Pattern::Slot(slot) => {
                self.names.insert(*slot, self.bound);
                self.bound += 1;
                "#".to_string()
            }
            Pattern::Tuple(parts, _) => {
                let parts: Vec<String> = parts.iter().map(|part| self.bind(part)).collect();
                format!("({})", parts.join(","))
            }
            Pattern::Ignore => "_".to_string(),
        }
    }

    /// Conditions joined by one operator, in order where none of them can fault: then it does not matter which is asked first.
    pub(super) fn joined(&mut self, op: LogicOp, conditions: &[&Term]) -> Option<String> {
        let mut flat = Vec::new();
        let mut todo: Vec<&Term> = conditions.iter().rev().copied().collect();
        while let Some(term) = todo.pop() {
            match &term.kind {
                TermKind::Logic(inner, a, b) if *inner == op => todo.extend([&**b, a]),
                _ => flat.push(term),
            }
        }
        let certain = flat.iter().all(|term| self.cannot_fault(term));
        let mut texts = flat.into_iter().map(|term| self.term(term)).collect::<Option<Vec<_>>>()?;
        if certain {
            texts.sort();
        }
        Some(if texts.is_empty() { String::new() } else { format!(" {op:?}({})", texts.join(" ")) })
    }

    pub(super) fn all<'t>(&mut self, terms: impl IntoIterator<Item = &'t Term>, sorted: bool) -> Option<String> {
        let mut texts = terms.into_iter().map(|term| self.term(term)).collect::<Option<Vec<_>>>()?;
        if sorted {
            texts.sort();
        }
        Some(texts.join(" "))
    }

    pub(super) fn kind(&mut self, kind: &Kind) -> Option<String> {
        Some(match kind {
            Kind::Vertex(Some(of)) => format!("vertex({})", self.term(of)?),
            Kind::Edge(Some(of)) => format!("edge({})", self.term(of)?),
            Kind::List(of, base) => format!("list({} {base})", self.kind(of)?),
            Kind::Set(of) => format!("set({})", self.kind(of)?),
            Kind::Bag(of) => format!("bag({})", self.kind(of)?),
            Kind::Tuple(parts) => parts
                .iter()
                .map(|part| self.kind(part))
                .collect::<Option<Vec<_>>>()
                .map(|k| format!("({})", k.join(" ")))?,
            other => format!("{other:?}"),
        })
    }

    pub(super) fn slot(&mut self, slot: Slot) -> Option<String> {
        if let Some(name) = self.names.get(&slot) {
            return Some(format!("#{name}"));
        }
        let params = self.game.params.len();
        if slot < params {
            return Some(format!("p{slot}"));
        }
        if slot < params + self.game.fields.len() {
            return Some(format!("f{}", self.field(slot - params)));
        }
        let meaning = self.game.frame.slots.get(slot)?.lazy.clone()?;
        if self.lazy.contains(&slot) {
            return None;
        }
        self.lazy.push(slot);
        let text = self.term(&meaning);
        self.lazy.pop();
        text
    }

    pub(super) fn place(&mut self, place: &Place) -> Option<String> {
        if place.game != self.id {
            return None;
        }
        let params = match &place.params {
            PlaceParams::Own => String::new(),
            PlaceParams::Given(params) => {
                self.all(params.iter().map(Option::as_ref).collect::<Option<Vec<_>>>()?, false)?
            }
        };
        let given = (0..place.fields.len()).map(|field| place.fields.get(self.field(field))?.as_ref());
        let given = given.collect::<Option<Vec<_>>>()?;
        Some(format!("place([{params}] {})", self.all(given, false)?))
    }
}
