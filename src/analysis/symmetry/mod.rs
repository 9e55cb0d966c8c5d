//! Fields of a game that may change places: with two of them exchanged, the rules say the same.
//!
//! The rules are numbered by hash-consing (A. P. Ershov, "On programming of arithmetic operations", CACM 1958), with bound
//! names numbered, definitions of lazy names in their place, and the operands of what commutes in order; once as they are
//! and once with two fields exchanged, where they are read and where targets give them. If both have the same number, the
//! exchange maps the moves of every position one to one to those of the position with the two values exchanged, so that
//! both have the same outcome, value and remoteness. The converse does not hold: rules that say the same in other words are
//! not found.

use crate::model::builtin::Builtin;
use crate::model::kind::{Kind, Type};
use crate::model::walk::{bound_slots, clause_terms, each_part, slots_in};
use crate::model::{
    BinaryOp, Clause, CompareOp, Ending, Game, GameId, Gather, LogicOp, Pattern, Place, PlaceParams, Program, Slot,
    Target, Term, TermKind,
};
use hashbrown::HashMap;

/// Fields are compared only in games with at most so many.
const FIELDS: usize = 12;

/// So many orders of binders of a move are tried.
const ORDERS: usize = 24;

/// Rules are written down up to so many nodes.
const ROOM: usize = 1 << 13;

/// The number of a node: equal nodes have equal numbers.
type Node = usize;

/// The numbers of nodes, by what stands at the node and by the numbers of its parts.
pub(super) type Nodes = HashMap<(String, Vec<Node>), Node>;

/// Numbers rules with two fields exchanged.
pub(super) struct Writer<'n, 'p> {
    game: &'p Game,
    id: GameId,
    program: &'p Program,
    exchanged: [usize; 2],
    /// Bound slots by number.
    names: HashMap<Slot, usize>,
    bound: usize,
    room: usize,
    lazy: Vec<Slot>,
    nodes: &'n mut Nodes,
}

impl<'n, 'p> Writer<'n, 'p> {
    pub(super) fn new(program: &'p Program, id: GameId, exchanged: [usize; 2], nodes: &'n mut Nodes) -> Self {
        let (names, lazy) = (HashMap::new(), Vec::new());
        Writer { game: &program.games[id.0], id, program, exchanged, names, bound: 0, room: ROOM, lazy, nodes }
    }

    /// The field that a field becomes.
    fn field(&self, field: usize) -> usize {
        match self.exchanged {
            [i, j] if field == i => j,
            [i, j] if field == j => i,
            _ => field,
        }
    }

    fn node(&mut self, head: impl Into<String>, parts: Vec<Node>) -> Option<Node> {
        self.room = self.room.checked_sub(1)?;
        let next = self.nodes.len();
        Some(*self.nodes.entry((head.into(), parts)).or_insert(next))
    }

    /// All rules. `None`: something in them is not looked into.
    pub(super) fn rules(mut self) -> Option<Node> {
        let game = self.game;
        let kinds: Vec<&Kind> = (0..game.fields.len()).map(|field| &game.fields[self.field(field)].kind).collect();
        let fields = kinds.into_iter().map(|kind| self.kind(kind)).collect::<Option<_>>()?;
        let filter = self.all(&game.filter, false)?;
        let mut ends = Vec::new();
        for end in &game.ends {
            let (head, points) = match &end.verdict {
                Ending::Score(points) => ("score".to_string(), Some(points)),
                verdict => (format!("{verdict:?}"), None),
            };
            let parts = self.all([&end.when].into_iter().chain(points), false)?;
            ends.push(self.node(head, parts)?);
        }
        // The first that holds counts, so their order matters unless all say the same.
        if game.ends.iter().all(|end| matches!(end.verdict, Ending::Over)) {
            ends.sort_unstable();
        }
        let legal = self.all(&game.legal, true)?;
        let same = self.all(game.same.iter().flat_map(|line| [&line.position, &line.when]), false)?;
        let mut moves = Vec::new();
        for mv in &game.moves {
            let (mut least, names, room) = (None, self.names.clone(), self.room);
            let mut left = room;
            for clauses in orders(&mv.clauses) {
                self.room = room;
                let mut parts = self.clauses(clauses)?;
                parts.push(self.target(&mv.target)?);
                let node = self.node("move", parts)?;
                least = Some(least.map_or(node, |least: Node| least.min(node)));
                (self.names, self.bound) = (names.clone(), 0);
                left = left.min(self.room);
            }
            self.room = left;
            moves.push(least?);
        }
        moves.sort_unstable();
        let mut groups = Vec::new();
        for parts in [fields, filter, ends, legal, same, moves] {
            groups.push(self.node("group", parts)?);
        }
        self.node("rules", groups)
    }

    fn target(&mut self, target: &Target) -> Option<Node> {
        match target {
            Target::If(condition, yes, no) => {
                let parts = vec![self.term(condition)?, self.target(yes)?, self.target(no)?];
                self.node("if", parts)
            }
            Target::Stop(outcome) => self.node(format!("{outcome:?}"), Vec::new()),
            Target::Go { again, position, gain } => {
                let parts = self.all([position].into_iter().chain(gain), false)?;
                self.node(format!("go {again}"), parts)
            }
        }
    }

    /// Clauses in their order; conditions that follow each other are one.
    fn clauses<'t>(&mut self, clauses: impl IntoIterator<Item = &'t Clause>) -> Option<Vec<Node>> {
        let (mut parts, mut conditions) = (Vec::new(), Vec::new());
        for clause in clauses {
            let (word, pattern, term) = match clause {
                Clause::Where(condition) => {
                    conditions.push(condition);
                    continue;
                }
                Clause::In { pattern, source, .. } => ("in", pattern, source),
                Clause::Let { pattern, value } => ("let", pattern, value),
            };
            parts.push(self.joined(LogicOp::And, &std::mem::take(&mut conditions))?);
            let (term, bound) = (self.term(term)?, self.bind(pattern));
            parts.push(self.node(format!("{word} {bound}"), vec![term])?);
        }
        parts.push(self.joined(LogicOp::And, &conditions)?);
        Some(parts)
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
    fn joined(&mut self, op: LogicOp, conditions: &[&Term]) -> Option<Node> {
        let mut flat = Vec::new();
        let mut todo: Vec<&Term> = conditions.iter().rev().copied().collect();
        while let Some(term) = todo.pop() {
            match &term.kind {
                TermKind::Logic(inner, a, b) if *inner == op => todo.extend([&**b, a]),
                _ => flat.push(term),
            }
        }
        let certain = flat.iter().all(|term| self.cannot_fault(term));
        let parts = self.all(flat, certain)?;
        self.node(format!("{op:?}"), parts)
    }

    fn all<'t>(&mut self, terms: impl IntoIterator<Item = &'t Term>, sorted: bool) -> Option<Vec<Node>> {
        let mut nodes = terms.into_iter().map(|term| self.term(term)).collect::<Option<Vec<_>>>()?;
        if sorted {
            nodes.sort_unstable();
        }
        Some(nodes)
    }

    fn kind(&mut self, kind: &Kind) -> Option<Node> {
        let (head, parts) = match kind {
            Kind::Vertex(Some(of)) => ("vertex".to_string(), vec![self.term(of)?]),
            Kind::Edge(Some(of)) => ("edge".to_string(), vec![self.term(of)?]),
            Kind::List(of, base) => (format!("list {base}"), vec![self.kind(of)?]),
            Kind::Set(of) => ("set".to_string(), vec![self.kind(of)?]),
            Kind::Bag(of) => ("bag".to_string(), vec![self.kind(of)?]),
            Kind::Tuple(kinds) => {
                ("tuple".to_string(), kinds.iter().map(|kind| self.kind(kind)).collect::<Option<_>>()?)
            }
            other => (format!("{other:?}"), Vec::new()),
        };
        self.node(head, parts)
    }

    fn slot(&mut self, slot: Slot) -> Option<Node> {
        let params = self.game.params.len();
        if let Some(name) = self.names.get(&slot) {
            return self.node(format!("#{name}"), Vec::new());
        }
        if slot < params {
            return self.node(format!("p{slot}"), Vec::new());
        }
        if slot < params + self.game.fields.len() {
            return self.node(format!("f{}", self.field(slot - params)), Vec::new());
        }
        let meaning = self.game.frame.slots.get(slot)?.lazy.clone()?;
        if self.lazy.contains(&slot) {
            return None;
        }
        self.lazy.push(slot);
        let node = self.term(&meaning);
        self.lazy.pop();
        node
    }

    fn place(&mut self, place: &Place) -> Option<Node> {
        if place.game != self.id {
            return None;
        }
        let params = match &place.params {
            PlaceParams::Own => &[][..],
            PlaceParams::Given(params) => params,
        };
        let fields: Vec<_> = (0..place.fields.len()).map(|field| place.fields.get(self.field(field))).collect();
        let fields = fields.into_iter().map(|field| field?.as_ref());
        let terms = params.iter().map(Option::as_ref).chain(fields).collect::<Option<Vec<_>>>()?;
        let parts = self.all(terms, false)?;
        self.node(format!("place {}", params.len()), parts)
    }

    fn term(&mut self, term: &Term) -> Option<Node> {
        let (mut parts, mut sorted) = (Vec::new(), false);
        let head = match &term.kind {
            TermKind::Drawing(_) => return None,
            TermKind::Slot(slot) => return self.slot(*slot),
            TermKind::Place(place) => return self.place(place),
            TermKind::Logic(op @ (LogicOp::And | LogicOp::Or), _, _) => return self.joined(*op, &[term]),
            TermKind::Coerce(a, kind) => {
                let parts = vec![self.term(a)?, self.kind(kind)?];
                return self.node("coerce", parts);
            }
            TermKind::Comprehension(gather, value, clauses) => {
                let bound = self.bound;
                let mut parts = self.clauses(clauses)?;
                parts.push(self.term(value)?);
                self.bound = bound;
                return self.node(format!("for {gather:?}"), parts);
            }
            TermKind::Update(base, changes, clauses) => {
                let bound = self.bound;
                let mut parts = vec![self.term(base)?];
                parts.extend(self.clauses(clauses.iter().flatten())?);
                parts.extend(self.all(changes.iter().flat_map(|change| [&change.index, &change.value]), false)?);
                self.bound = bound;
                let ops: Vec<_> = changes.iter().map(|change| change.op).collect();
                return self.node(format!("update {ops:?}"), parts);
            }
            TermKind::Int(n) => n.to_string(),
            TermKind::Bool(b) => b.to_string(),
            TermKind::Text(text) => format!("{text:?}"),
            TermKind::Global(global) => format!("g{}", global.0),
            // The kind of the term says it all.
            TermKind::Neg(_)
            | TermKind::Not(_)
            | TermKind::Misere(_)
            | TermKind::Logic(..)
            | TermKind::If(..)
            | TermKind::Tuple(_)
            | TermKind::Index(..) => String::new(),
            TermKind::Adapt(_) => format!("adapt {:?}", term.ty),
            TermKind::Slice(_, from, to) => format!("slice {} {}", from.is_some(), to.is_some()),
            TermKind::Part { index, arity, .. } => format!("part {index} {arity}"),
            TermKind::Iff(..) => {
                sorted = true;
                String::new()
            }
            TermKind::Binary(op, a, b) => {
                sorted = matches!(op, BinaryOp::Add | BinaryOp::Mul | BinaryOp::Xor | BinaryOp::Meet)
                    && [a, b].iter().all(|side| matches!(side.ty, Type::Int | Type::Set(_) | Type::Bag(_)));
                let mut todo = if sorted { vec![term] } else { Vec::new() };
                while let Some(next) = todo.pop() {
                    match &next.kind {
                        // The whole is taken apart at any rate: `s + {}` has sides of two types.
                        TermKind::Binary(inner, a, b) if inner == op && (a.ty == b.ty || std::ptr::eq(next, term)) => {
                            todo.extend([&**a, b]);
                        }
                        _ => parts.push(next),
                    }
                }
                format!("{op:?}")
            }
            TermKind::Compare(first, rest) => match &rest[..] {
                [(op @ (CompareOp::Gt | CompareOp::Ge), second)] => {
                    parts = vec![second, &**first];
                    (if *op == CompareOp::Gt { "[Lt]" } else { "[Le]" }).to_string()
                }
                rest => {
                    sorted = matches!(rest, [(CompareOp::Eq | CompareOp::Ne, _)]);
                    format!("{:?}", rest.iter().map(|(op, _)| op).collect::<Vec<_>>())
                }
            },
            TermKind::Items(gather, items) => {
                sorted = *gather == Gather::Set && items.iter().all(|item| !item.spread);
                format!("{gather:?} {:?}", items.iter().map(|item| item.spread).collect::<Vec<_>>())
            }
            TermKind::Call(def, args) => {
                // The others see fields without naming them as arguments, or are given defaults.
                if self.program.defs[def.0].owner.is_some() || args.iter().any(Option::is_none) {
                    return None;
                }
                format!("call {}", def.0)
            }
            TermKind::Builtin(word, args) => {
                sorted = matches!(word, Builtin::Min | Builtin::Max | Builtin::Gcd | Builtin::Lcm)
                    && args.iter().all(|arg| arg.ty == Type::Int);
                format!("word {word:?}")
            }
        };
        if parts.is_empty() {
            each_part(term, &mut |part| parts.push(part));
        }
        let parts = self.all(parts, sorted)?;
        self.node(format!("{:?} {head}", std::mem::discriminant(&term.kind)), parts)
    }

    /// Whether a term has a value whatever its names stand for. Native code is made when globals have theirs.
    fn cannot_fault(&self, term: &Term) -> bool {
        match &term.kind {
            TermKind::Int(_) | TermKind::Bool(_) | TermKind::Global(_) => true,
            TermKind::Slot(slot) => match self.game.frame.slots.get(*slot).map(|slot| &slot.lazy) {
                // The names before it: they go in no circle.
                Some(Some(meaning)) => self.cannot_fault(meaning),
                Some(None) => matches!(term.ty, Type::Int | Type::Bool),
                None => false,
            },
            TermKind::Neg(a) | TermKind::Not(a) => self.cannot_fault(a),
            TermKind::Logic(_, a, b) | TermKind::Iff(a, b) => self.cannot_fault(a) && self.cannot_fault(b),
            TermKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, a, b) => {
                self.cannot_fault(a) && self.cannot_fault(b)
            }
            TermKind::Binary(BinaryOp::Mod | BinaryOp::Div, a, b) => {
                self.cannot_fault(a) && matches!(&b.kind, TermKind::Int(n) if n.sign() == num_bigint::Sign::Plus)
            }
            TermKind::Compare(first, rest) => {
                let plain = |term: &Term| term.ty == Type::Int && self.cannot_fault(term);
                let order = |op: CompareOp| !matches!(op, CompareOp::In | CompareOp::NotIn);
                plain(first) && rest.iter().all(|(op, next)| order(*op) && plain(next))
            }
            TermKind::Builtin(Builtin::Min | Builtin::Max, args) => {
                args.len() > 1 && args.iter().all(|arg| arg.ty == Type::Int && self.cannot_fault(arg))
            }
            _ => false,
        }
    }
}

/// The groups of two or more fields such that any two of a group may change places; by index, ascending. `O(fields^2)` times
/// the length of the rules.
pub fn interchangeable(program: &Program, id: GameId) -> Vec<Vec<usize>> {
    let game = &program.games[id.0];
    let fields = game.fields.len();
    // What asks about positions, or leads to other games, is not looked into.
    if fields > FIELDS || !game.asks.is_empty() || game.successors.iter().any(|&other| other != id) {
        return Vec::new();
    }
    let mut nodes = Nodes::new();
    let mut written = |i, j| Writer::new(program, id, [i, j], &mut nodes).rules();
    let Some(plain) = written(0, 0) else { return Vec::new() };
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for field in 0..fields {
        match groups.iter_mut().find(|group| written(group[0], field) == Some(plain)) {
            Some(group) => group.push(field),
            None => groups.push(vec![field]),
        }
    }
    groups.retain(|group| group.len() > 1);
    groups
}

/// The clauses with binders next to each other in every order, where none of them is about another; their own order alone
/// where that would be too many.
fn orders(clauses: &[Clause]) -> Vec<Vec<&Clause>> {
    let plain = || vec![clauses.iter().collect()];
    let binders = clauses.iter().take_while(|clause| matches!(clause, Clause::In { .. })).count();
    let many = (1..=binders).try_fold(1usize, usize::checked_mul).is_none_or(|orders| orders > ORDERS);
    if binders < 2 || many {
        return plain();
    }
    let bound = bound_slots(&clauses[..binders]);
    if clause_terms(&clauses[..binders]).any(|term| slots_in(term).iter().any(|slot| bound.contains(slot))) {
        return plain();
    }
    let mut all: Vec<Vec<&Clause>> = vec![Vec::new()];
    for clause in &clauses[..binders] {
        let mut next = Vec::new();
        for order in &all {
            for at in 0..=order.len() {
                let mut order: Vec<&Clause> = order.clone();
                order.insert(at, clause);
                next.push(order);
            }
        }
        all = next;
    }
    for order in &mut all {
        order.extend(&clauses[binders..]);
    }
    all
}
