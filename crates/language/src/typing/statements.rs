//! The files that a file uses, and what each of them names at top level: lets and inputs, each checked when it is first read, and
//! questions (rules 13, 35, 36).

use crate::model::{
    Body, Builtin, Claim, Fact, Frame, Global, GlobalId, GlobalSource, Input, Kind, Question, SlotInfo, Term, TermKind,
    Type,
};
use crate::source::{Code, Diagnostic, SourceId, Sources, Span};
use crate::syntax::tree::{self, Clause, Expr, ExprKind, FactMeasure, Item, Name, Pattern};
use crate::typing::builtins::misere_value;
use crate::typing::checker::{Checker, Progress, TermContext, optional};
use crate::typing::types::{a_type, holds_never, holds_position, position_type};
use std::collections::HashMap;

/// Finds the text of a `use`d file.
pub trait Loader {
    /// The source called `name`, as `use "name"` in the source `from` asks for it: added to `sources`, or the id it has
    /// already. `None`: there is no such file. A file never uses itself: `use "nim"` in `nim.game` means another `nim`.
    fn load(&mut self, name: &str, from: SourceId, sources: &mut Sources) -> Option<Result<SourceId, Diagnostic>>;
}

/// A loader that finds nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoLoader;

impl Loader for NoLoader {
    fn load(&mut self, _: &str, _: SourceId, _: &mut Sources) -> Option<Result<SourceId, Diagnostic>> {
        None
    }
}

/// A parsed file and the indices of the files it uses.
#[derive(Debug)]
pub(crate) struct Loaded {
    /// What it says; `None` for the file that is checked, whose tree the caller holds.
    pub(crate) file: Option<tree::File>,
    /// Under what name others use it.
    pub(crate) name: String,
    pub(crate) uses: Vec<usize>,
}

/// The file, which comes first, and all that it uses, directly or through others, but those with errors.
pub(crate) fn load_all(
    file: &tree::File,
    source: SourceId,
    sources: &mut Sources,
    loader: &mut dyn Loader,
    errors: &mut Vec<Diagnostic>,
) -> Vec<Loaded> {
    let mut all = vec![Loaded { file: None, name: String::new(), uses: Vec::new() }];
    let mut known: HashMap<SourceId, Option<usize>> = HashMap::from([(source, Some(0))]);
    let mut todo: Vec<(usize, SourceId, String, Span)> = uses_of(file, source, 0);
    todo.reverse();
    while let Some((user, from, path, span)) = todo.pop() {
        let id = match loader.load(&path, from, sources) {
            Some(Ok(id)) => id,
            Some(Err(error)) => {
                errors.push(Diagnostic { span: error.span.or(Some(span)), ..error });
                continue;
            }
            None => {
                errors.push(
                    Diagnostic::new(Code::E17, span, format!("there is no file `{path}` to use"))
                        .hint("a used file stands beside this one, or is one of the library"),
                );
                continue;
            }
        };
        let index = if let Some(&index) = known.get(&id) {
            index
        } else {
            let index = match crate::syntax::parse_file(sources, id) {
                Ok(tree) => {
                    let index = all.len();
                    let mut more = uses_of(&tree, id, index);
                    more.reverse();
                    todo.extend(more);
                    all.push(Loaded { file: Some(tree), name: path.clone(), uses: Vec::new() });
                    Some(index)
                }
                Err(found) => {
                    errors.extend(found);
                    None
                }
            };
            known.insert(id, index);
            index
        };
        match index {
            Some(index) if index != user && !all[user].uses.contains(&index) => all[user].uses.push(index),
            _ => {}
        }
    }
    all
}

fn uses_of(file: &tree::File, source: SourceId, index: usize) -> Vec<(usize, SourceId, String, Span)> {
    let uses = file.items.iter().filter_map(|item| match item {
        Item::Use { path, span } => Some((index, source, path.clone(), *span)),
        _ => None,
    });
    uses.collect()
}

/// A file with its names: a name of each space and the index of the item that says it.
#[derive(Debug)]
pub(crate) struct Unit<'a> {
    pub(crate) file: &'a tree::File,
    /// Under what name others use it.
    pub(crate) name: &'a str,
    pub(crate) uses: &'a [usize],
    /// Lets and inputs.
    pub(crate) values: HashMap<&'a str, (usize, Span)>,
    pub(crate) defs: HashMap<&'a str, usize>,
    pub(crate) games: HashMap<&'a str, usize>,
}

impl<'a> Unit<'a> {
    /// The names of a file, E02 for those said twice. Inputs of used files too: only their own lets read them (rule
    /// 14).
    pub(crate) fn new(file: &'a tree::File, name: &'a str, uses: &'a [usize], errors: &mut Vec<Diagnostic>) -> Self {
        let mut unit = Unit { file, name, uses, values: HashMap::new(), defs: HashMap::new(), games: HashMap::new() };
        let mut seen: HashMap<(&'static str, &'a str), Span> = HashMap::new();
        let mut first = |space: &'static str, name: &'a Name, errors: &mut Vec<Diagnostic>| {
            let known = seen.get(&(space, &*name.text)).copied();
            if known.is_some() {
                errors.push(twice(space, &name.text, name.span));
            } else {
                seen.insert((space, &name.text), name.span);
            }
            known.is_none()
        };
        for (index, item) in file.items.iter().enumerate() {
            match item {
                Item::Input { names, .. } => {
                    for name in names {
                        if first("value", name, errors) {
                            unit.values.insert(&name.text, (index, name.span));
                        }
                    }
                }
                Item::Let(line) => {
                    for name in line.pattern.names() {
                        if name.text != "_" && first("value", name, errors) {
                            unit.values.insert(&name.text, (index, name.span));
                        }
                    }
                }
                Item::Def(def) if first("function", &def.name, errors) => {
                    unit.defs.insert(&def.name.text, index);
                }
                Item::Game(game) if first("game", &game.name, errors) => {
                    unit.games.insert(&game.name.text, index);
                }
                _ => {}
            }
        }
        unit
    }
}

/// E02 for a name that already names something of this space.
pub(crate) fn twice(space: &str, name: &str, span: Span) -> Diagnostic {
    Diagnostic::new(Code::E02, span, format!("the {space} `{name}` is named twice"))
        .hint("give one of them another name")
}

/// Who gives an input its value.
pub(crate) const OUTSIDE: &str = "a value from outside";

impl<'a> Checker<'a> {
    /// The global of this name in a file that names it.
    pub(crate) fn global(&mut self, unit: usize, name: &str, span: Span) -> Option<GlobalId> {
        let (item, _) = *self.units[unit].values.get(name)?;
        match self.items.get(&(unit, item)) {
            None => self.global_item(unit, item),
            Some(Progress::Busy) => {
                // Not for a name that its own input or let failed to bind.
                let message = format!("the value of `{name}` needs `{name}` itself");
                return self.refuse(Code::E16, span, message, "values at top level cannot go in circles");
            }
            Some(Progress::Done(_)) => {}
        }
        self.values.get(&(unit, name)).copied().flatten()
    }

    /// Checks a `let` or `input` at top level, once.
    pub(crate) fn global_item(&mut self, unit: usize, item: usize) {
        if self.items.contains_key(&(unit, item)) {
            return;
        }
        self.items.insert((unit, item), Progress::Busy);
        let file = self.units[unit].file;
        let span = match &file.items[item] {
            Item::Let(line) => line.span,
            Item::Input { span, .. } => *span,
            _ => return,
        };
        let done = self.deeper(span, |this| {
            match &file.items[item] {
                Item::Let(line) => {
                    this.within(TermContext::new(unit, None), |this| this.global_let(unit, item, line));
                }
                Item::Input { names, kind, default, .. } => {
                    let cx = TermContext::new(unit, Some("the default of an input"));
                    this.within(cx, |this| this.global_input(unit, item, names, kind.as_ref(), default.as_ref()));
                }
                _ => {}
            }
            Some(())
        });
        self.items.insert((unit, item), Progress::Done(done));
    }

    fn add_global(&mut self, global: Global) -> GlobalId {
        self.program.globals.push(global);
        GlobalId(self.program.globals.len() - 1)
    }

    fn global_let(&mut self, unit: usize, item: usize, line: &'a tree::Let) {
        let term = self.with_names(&line.with, |this| this.expr(&line.value));
        let Some(term) = term else {
            for name in line.pattern.names() {
                self.values.entry((unit, &name.text)).or_insert(None);
            }
            return;
        };
        let (ty, span, reads_input) = (term.ty.clone(), line.span, self.cx.reads_input);
        let source = GlobalSource::Let(Body { frame: std::mem::take(&mut self.cx.frame), term });
        match &line.pattern {
            Pattern::Name(name) => {
                let id = self.add_global(Global { name: name.text.clone(), ty, span: name.span, source, reads_input });
                self.name_global(unit, item, name, Some(id));
            }
            Pattern::Tuple(..) => {
                let id = self.add_global(Global { name: "%".into(), ty: ty.clone(), span, source, reads_input });
                let whole = Term::new(TermKind::Global(id), ty, span);
                for (name, part) in self.pattern_parts(&line.pattern, Some(whole)) {
                    let id = part.map(|part| {
                        let (ty, source) =
                            (part.ty.clone(), GlobalSource::Let(Body { frame: Frame::default(), term: part }));
                        self.add_global(Global { name: name.text.clone(), ty, span: name.span, source, reads_input })
                    });
                    self.name_global(unit, item, name, id);
                }
            }
        }
    }

    /// Only the item that owns the name gives it its value.
    fn name_global(&mut self, unit: usize, item: usize, name: &'a tree::Name, id: Option<GlobalId>) {
        if self.units[unit].values.get(&*name.text).is_some_and(|(owner, _)| *owner == item) {
            self.values.insert((unit, &name.text), id);
        }
    }

    fn global_input(
        &mut self,
        unit: usize,
        item: usize,
        names: &'a [tree::Name],
        kind: Option<&'a tree::Kind>,
        default: Option<&'a tree::Expr>,
    ) {
        let Some((kind, value)) = self.input_kind(unit, &names[0], kind, default) else {
            for name in names {
                self.values.entry((unit, &name.text)).or_insert(None);
            }
            return;
        };
        for (at, name) in names.iter().enumerate() {
            if self.values.contains_key(&(unit, &*name.text)) {
                continue;
            }
            let ordinal = if unit == 0 { self.inputs_before(item) + at } else { usize::MAX };
            let id = self.add_global(Global {
                name: name.text.clone(),
                ty: kind.ty(),
                span: name.span,
                source: GlobalSource::Input(ordinal),
                reads_input: true,
            });
            self.name_global(unit, item, name, Some(id));
            if unit == 0 {
                let input = Input {
                    name: name.text.clone(),
                    kind: kind.clone(),
                    default: value.clone().map(|term| Body { frame: self.cx.frame.clone(), term }),
                    span: name.span,
                };
                if self.inputs.len() <= ordinal {
                    self.inputs.resize_with(ordinal + 1, || None);
                }
                self.inputs[ordinal] = Some(input);
            }
        }
    }

    fn input_kind(
        &mut self,
        unit: usize,
        name: &'a tree::Name,
        kind: Option<&'a tree::Kind>,
        default: Option<&'a tree::Expr>,
    ) -> Option<(Kind, Option<Term>)> {
        // Which graph an input's vertex is of may itself come from outside.
        let declared = optional(kind, |kind| self.within(TermContext::new(unit, None), |this| this.kind(kind))).ok()?;
        let value = optional(default, |default| self.expr(default)).ok()?;
        let (kind, value) = self.declared(declared, default, value, &format!("the default of `{}`", name.text))?;
        if holds_position(&kind.ty()) {
            let message = format!("the input `{}` cannot be a position", name.text);
            return self.deny(Code::E03, name.span, message, None);
        }
        Some((kind, value))
    }

    /// How many inputs stand before an item of the file.
    fn inputs_before(&mut self, item: usize) -> usize {
        let items = &self.units[0].file.items;
        if self.inputs_before.len() < items.len() {
            let counts = items.iter().map(|item| if let Item::Input { names, .. } = item { names.len() } else { 0 });
            let before = counts.scan(0, |before, count| Some(std::mem::replace(before, *before + count)));
            self.inputs_before = before.collect();
        }
        self.inputs_before[item]
    }

    /// What is declared (rule 3), else the kind of the default, else `nat`; and the default as it enters.
    pub(crate) fn declared(
        &mut self,
        kind: Option<Kind>,
        written: Option<&tree::Expr>,
        default: Option<Term>,
        what: &str,
    ) -> Option<(Kind, Option<Term>)> {
        match (kind, default) {
            (None, None) => Some((Kind::Nat, None)),
            (Some(kind), None) => Some((kind, None)),
            (Some(kind), Some(term)) => {
                let term = self.enter(term, &kind, what)?;
                Some((kind, Some(term)))
            }
            (None, Some(term)) => {
                if holds_never(&term.ty) {
                    let message = format!("{what} does not tell what its members are");
                    let hint = "write the type: `: list of nat`, `: set of nat`";
                    return self.refuse(Code::E03, term.span, message, hint);
                }
                let number = written.is_some_and(|e| matches!(e.kind, ExprKind::Int(_)));
                let kind = if number { Kind::Nat } else { Kind::of(&term.ty) };
                let term = self.enter(term, &kind, what)?;
                Some((kind, Some(term)))
            }
        }
    }

    /// A question of the file; `None` for other items and after an error.
    pub(crate) fn ask(&mut self, item: &'a Item) -> Option<Question> {
        let no_inputs = match item {
            Item::Claim(_) => Some("a claim"),
            Item::Cases { .. } => Some("a `cases` line"),
            Item::Given { .. } => Some(OUTSIDE),
            _ => None,
        };
        self.within(TermContext::new(0, no_inputs), |this| this.asked_by(item))
    }

    fn asked_by(&mut self, item: &'a Item) -> Option<Question> {
        match item {
            Item::Solve { position, .. } => {
                let position = self.expr_as(position, &Type::Position, "what is solved")?;
                Some(Question::Solve { body: Body { frame: std::mem::take(&mut self.cx.frame), term: position } })
            }
            Item::Table { value, clauses, span } => self.table(value, clauses, *span),
            Item::Claim(claim) => self.claim(claim),
            Item::Expect(expect) => {
                let position = self.expr_as(&expect.position, &Type::Position, "what is expected of");
                let misere = position.as_ref().and_then(|p| position_type(&self.games, p).misere) == Some(true);
                let facts: Vec<_> = expect.facts.iter().map(|f| self.fact(f, misere)).collect();
                let facts = facts.into_iter().collect::<Option<_>>()?;
                let frame = std::mem::take(&mut self.cx.frame);
                Some(Question::Expect { frame, position: position?, facts, span: expect.span })
            }
            Item::Print { values, clauses, span } => {
                let clauses = self.clauses(clauses);
                let values: Vec<_> = values.iter().map(|value| self.expr(value)).collect();
                let values = values.into_iter().collect::<Option<_>>()?;
                let frame = std::mem::take(&mut self.cx.frame);
                Some(Question::Print { frame, values, clauses: clauses?, span: *span })
            }
            Item::Cases { clauses, span } => self.cases(clauses, *span),
            Item::Given { input, value } => {
                let index = self.inputs.iter().flatten().position(|known| known.name == *input)?;
                let kind = self.inputs[index].as_ref()?.kind.clone();
                let term = self.expr(value)?;
                let term = self.enter(term, &kind, &format!("the value of `{input}`"))?;
                Some(Question::Given { input: index, body: Body { frame: std::mem::take(&mut self.cx.frame), term } })
            }
            _ => None,
        }
    }

    fn table(&mut self, value: &'a Expr, clauses: &'a [Clause], span: Span) -> Option<Question> {
        let clauses = self.clauses(clauses);
        let value = self.expr(value)?;
        if holds_position(&value.ty) || matches!(value.ty, Type::Graph(_)) {
            let hint = match &value.ty {
                Type::Graph(_) => "ask something about it: `size(..)`, `edges(..)`",
                _ => "ask something about it: `grundy(..)`, `outcome(..)`, `wins(..)`",
            };
            return self.refuse(Code::E03, value.span, format!("a table does not show {}", a_type(&value.ty)), hint);
        }
        Some(Question::Table { frame: std::mem::take(&mut self.cx.frame), value, clauses: clauses?, span })
    }

    fn claim(&mut self, claim: &'a tree::Claim) -> Option<Question> {
        self.cx.claim = true;
        let (clauses, condition) =
            self.with_clauses(&claim.clauses, &claim.with, |this| this.condition(&claim.condition, "what is claimed"));
        let claim = Claim {
            title: claim.title.clone(),
            negated: claim.negated,
            frame: std::mem::take(&mut self.cx.frame),
            clauses: clauses?,
            condition: condition?,
            span: claim.span,
            parts: Vec::new(),
            part: 0,
            unranged: None,
        };
        Some(Question::Claim(claim.with_forms()))
    }

    fn fact(&mut self, fact: &'a Fact<Expr>, misere: bool) -> Option<Fact<Term>> {
        match fact {
            Fact::Outcome(outcome, span) => Some(Fact::Outcome(*outcome, *span)),
            Fact::Measure(FactMeasure::Grundy, _, span) if misere => self.fail(misere_value(Builtin::Grundy, *span)),
            Fact::Measure(FactMeasure::Score, _, span) if misere => self.fail(misere_value(Builtin::Score, *span)),
            Fact::Measure(measure, value, span) => {
                let value = self.expr_as(value, &Type::Int, "what is expected")?;
                Some(Fact::Measure(*measure, value, *span))
            }
        }
    }
}

/// A slot that only keeps its number free.
pub(crate) fn padding(span: Span) -> SlotInfo {
    SlotInfo { name: "%".into(), ty: Type::Never, span, lazy: None }
}
