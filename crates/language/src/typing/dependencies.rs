//! What leads to what once all is checked: recursive defs, successors and questions of games, values that cannot exist.

use crate::model::walk::{each_part, game_terms};
use crate::model::{Builtin, DefId, GameId, GlobalId, GlobalSource, Program, Term, TermKind};
use crate::source::{Code, Span};
use crate::typing::checker::Checker;
use grundy_graphs::Parts;
use std::collections::{BTreeMap, BTreeSet};

/// What a body mentions, directly or through the defs and globals it reads.
#[derive(Clone, Debug, Default)]
struct Mentions {
    /// Games named outside of questions.
    named: BTreeSet<GameId>,
    /// Games asked about, with the place of a question.
    asked: BTreeMap<GameId, Span>,
    /// Defs and globals read outside of questions.
    reads: BTreeSet<Node>,
    /// Defs and globals read inside of questions, with the place of a question.
    questioned: BTreeMap<Node, Span>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Node {
    Def(DefId),
    Global(GlobalId),
}

/// The strong components of what leads to what, in topological order.
fn components(edges: &[Vec<usize>]) -> Parts {
    let short = |node: usize| u32::try_from(node).unwrap_or(u32::MAX); // a program has fewer
    let rows = edges.iter().enumerate();
    let arcs = rows.flat_map(|(from, to)| to.iter().map(move |&to| (short(from), short(to))));
    grundy_graphs::rows::strong_components(edges.len(), &arcs.collect::<Vec<_>>())
}

/// Which nodes lead back to themselves.
pub(crate) fn circular(edges: &[Vec<usize>]) -> Vec<bool> {
    let parts = components(edges);
    let mut size = vec![0; parts.count];
    for &part in &parts.of {
        size[part as usize] += 1;
    }
    (0..edges.len()).map(|at| size[parts.of[at] as usize] > 1 || edges[at].contains(&at)).collect()
}

fn collect<'t>(terms: impl IntoIterator<Item = &'t Term>, into: &mut Mentions) {
    let mut todo: Vec<(&Term, Option<Span>)> = terms.into_iter().map(|t| (t, None)).collect();
    while let Some((term, mut question)) = todo.pop() {
        let node = match &term.kind {
            TermKind::Place(place) => {
                match question {
                    None => {
                        into.named.insert(place.game);
                    }
                    Some(span) => {
                        into.asked.entry(place.game).or_insert(span);
                    }
                }
                None
            }
            TermKind::Builtin(word, _) if word.is_question() => {
                question = Some(term.span);
                None
            }
            TermKind::Call(id, _) => Some(Node::Def(*id)),
            TermKind::Global(id) => Some(Node::Global(*id)),
            _ => None,
        };
        if let Some(node) = node {
            match question {
                None => {
                    into.reads.insert(node);
                }
                Some(span) => {
                    into.questioned.entry(node).or_insert(span);
                }
            }
        }
        each_part(term, &mut |part| todo.push((part, question)));
    }
}

/// Adds what everything read mentions, until nothing is new: nearly always one round, as `order` has the read first.
fn close(mentions: &mut [Mentions], order: &[usize], index: impl Fn(Node) -> usize) {
    loop {
        let mut grown = false;
        for &at in order {
            let mut new = mentions[at].clone();
            add_read(&mut new, mentions, &index);
            if new.named.len() > mentions[at].named.len() || new.asked.len() > mentions[at].asked.len() {
                grown = true;
                mentions[at] = new;
            }
        }
        if !grown {
            return;
        }
    }
}

fn add_read(new: &mut Mentions, mentions: &[Mentions], index: &impl Fn(Node) -> usize) {
    for node in new.reads.clone() {
        let other = &mentions[index(node)];
        new.named.extend(&other.named);
        for (&game, &span) in &other.asked {
            new.asked.entry(game).or_insert(span);
        }
    }
    for (node, span) in new.questioned.clone() {
        let other = &mentions[index(node)];
        for &game in other.named.iter().chain(other.asked.keys()) {
            new.asked.entry(game).or_insert(span);
        }
    }
}

impl Checker<'_> {
    /// Fills in what needs the whole program: `recursive`, `successors`, `asks`; tells E12, E20, E21.
    pub(crate) fn finish(&mut self) {
        // A def that a let calls was checked before the lets behind that one.
        for def in &mut self.program.defs {
            if let Some(owner) = def.owner {
                let slots = &self.program.games[owner.0].frame.slots[..def.prefix];
                def.frame.slots[..def.prefix].clone_from_slice(slots);
            }
        }
        let defs = self.program.defs.len();
        let index = |node: Node| match node {
            Node::Def(id) => id.0,
            Node::Global(id) => defs + id.0,
        };
        let mut mentions = read_by_bodies(&self.program);
        let edges: Vec<Vec<usize>> =
            mentions.iter().map(|m| m.reads.iter().chain(m.questioned.keys()).map(|&n| index(n)).collect()).collect();
        for (def, circular) in self.program.defs.iter_mut().zip(circular(&edges)) {
            def.recursive = circular;
        }
        // What they lead to comes before them.
        let parts = components(&edges);
        let mut order: Vec<usize> = (0..edges.len()).collect();
        order.sort_by_key(|&at| std::cmp::Reverse(parts.of[at]));
        close(&mut mentions, &order, index);
        let mut asked = Vec::new();
        for game in &mut self.program.games {
            let mut leads = Mentions::default();
            let mut other = Mentions::default();
            let (terms, rest) = game_terms(game);
            collect(terms, &mut leads);
            collect(rest, &mut other);
            add_read(&mut leads, &mentions, &index);
            add_read(&mut other, &mentions, &index);
            other.asked.extend(&leads.asked);
            // A let of the game may hold a position that a target leads to.
            let mut lets = Mentions::default();
            collect(game.frame.lazies(), &mut lets);
            add_read(&mut lets, &mentions, &index);
            leads.named.extend(&lets.named);
            game.successors = leads.named.into_iter().collect();
            game.asks = other.asked.keys().copied().collect();
            asked.push(other.asked);
        }
        self.circular_questions(&asked);
        self.undefined_values();
    }

    fn circular_questions(&mut self, asked: &[BTreeMap<GameId, Span>]) {
        let edges: Vec<Vec<usize>> =
            self.program.games.iter().map(|g| g.successors.iter().chain(&g.asks).map(|id| id.0).collect()).collect();
        let component = components(&edges).of;
        for (at, asked) in asked.iter().enumerate() {
            for (other, &span) in asked {
                if component[at] == component[other.0] {
                    let (name, other) = (&self.program.games[at].name, &self.program.games[other.0].name);
                    let message = if name == other {
                        format!("the rules of `{name}` ask about `{name}` itself")
                    } else {
                        format!("the rules of `{name}` ask about `{other}`, which leads back to `{name}`")
                    };
                    let hint = "a rule asks only about games that never come back to its own";
                    self.refuse::<()>(Code::E12, span, message, hint);
                }
            }
        }
    }

    fn undefined_values(&mut self) {
        for asked in std::mem::take(&mut self.asked) {
            let mut seen = BTreeSet::new();
            let mut todo = asked.games.clone();
            let mut scored = None;
            while let Some(id) = todo.pop() {
                if seen.insert(id) {
                    let game = &self.program.games[id.0];
                    if game.has_points() {
                        scored = Some(game.name.clone());
                    }
                    todo.extend(&game.successors);
                }
            }
            match (asked.word, scored) {
                (Builtin::Grundy, Some(name)) => {
                    let message = format!("`{name}` counts points, so it has no Grundy value");
                    self.refuse::<()>(Code::E20, asked.span, message, "ask for its `score(..)`");
                }
                (Builtin::Score, None) => {
                    let name = &self.program.games[asked.games[0].0].name;
                    let message = format!("`{name}` counts no points, so it has no score");
                    let hint = "a score needs a `gain` or an `end when .. : score ..`";
                    self.refuse::<()>(Code::E21, asked.span, message, hint);
                }
                _ => {}
            }
        }
    }
}

fn read_by_bodies(program: &Program) -> Vec<Mentions> {
    let mut all = Vec::new();
    for def in &program.defs {
        let mut mentions = Mentions::default();
        let defaults = def.params.iter().filter_map(|p| p.default.as_ref());
        // The slots before the prefix are copies of the game's, which are counted there.
        let own = def.frame.slots.iter().skip(def.prefix).filter_map(|s| s.lazy.as_deref());
        collect(defaults.chain(&def.body).chain(own), &mut mentions);
        all.push(mentions);
    }
    for global in &program.globals {
        let mut mentions = Mentions::default();
        if let GlobalSource::Let(body) = &global.source {
            collect(body.frame.lazies().chain([&body.term]), &mut mentions);
        }
        all.push(mentions);
    }
    all
}
